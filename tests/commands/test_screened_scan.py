"""A scan that does not ask for what the pass clears: the same answers, fewer of them, all counted."""

import random

import pytest

from phiscan.commands.demo_model import train_demo_model
from phiscan.config import load_config
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.renderers import html
from phiscan.store import RunDirectory


@pytest.fixture(scope="module")
def files(tmp_path_factory, write_jsonl):
    """The demo's architecture, trained until it repeats some of its notes."""
    folder = tmp_path_factory.mktemp("screened")
    rng = random.Random(4)
    words = "chest pain clinic renal wound dry stable daily review heart scan left right week".split()
    texts = [" ".join(rng.choice(words) for _ in range(60)) + "." for _ in range(16)]
    train_demo_model(texts[:4] * 8, folder / "model", steps=140)
    rows = [
        {"note_id": f"n{i}", "patient_id": f"p{i}", "text": text, "split": "train" if i < 12 else "holdout"}
        for i, text in enumerate(texts)
    ]
    return {"model": folder / "model", "notes": write_jsonl(folder / "notes.jsonl", rows)}


def run_scan(files, out, **settings):
    config = load_config(
        flags={
            "detect": {"detectors": ["rules"]},
            "regenerate": {"prefix_lengths": [5, 10], "max_new_tokens": 40},
            "expose": {"decoys": 0},
            "run": {"shard_notes": 5},
            **settings,
        },
        environment={},
    )
    return scan(ScanInputs(notes=files["notes"], model=str(files["model"]), out=out), config), RunDirectory(
        out
    )


@pytest.fixture(scope="module")
def runs(files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return (
        run_scan(files, folder / "full", expose={"decoys": 0, "enabled": True}),
        run_scan(files, folder / "screened", screen={"enabled": True, "sample": 0.3}),
    )


def test_what_was_asked_is_answered_as_in_the_whole_scan(runs):
    (_, full), (_, screened) = runs
    answers = {made.gen_id: made.token_ids for made in full.read_table("continuations")}
    asked = {made.gen_id: made.token_ids for made in screened.read_table("continuations")}
    assert 0 < len(asked) < len(answers)
    assert asked.items() <= answers.items()
    assert list(screened.read_table("prompts")) == list(full.read_table("prompts"))
    assert list(screened.read_table("audits")) == list(full.read_table("audits"))
    assert list(full.read_table("screened")) == []


def test_cleared_notes_are_those_without_a_greedy_run_of_thirty(runs):
    _, (_, run) = runs
    shortest = [row for row in run.read_table("audits") if row.prefix_tok == 5]
    cleared = {row.note_id for row in run.read_table("screened")}
    assert cleared == {row.note_id for row in shortest if row.longest_tok < 30}
    assert {"n0", "n1", "n2", "n3"} - cleared  # what the model repeats is asked for
    left_out = {row.note_id for row in run.read_table("screened") if not row.drawn}
    assert {made.note_id for made in run.read_table("continuations")}.isdisjoint(left_out)


def test_coverage_adds_up_and_the_report_says_so(runs):
    (full, _), (report, _) = runs
    for cell, whole in zip(report.coverage.prefixes, full.coverage.prefixes, strict=True):
        assert (cell.arm, cell.prefix_length) == (whole.arm, whole.prefix_length)
        assert cell.asked + cell.screened == whole.asked
        assert (cell.too_short, whole.screened) == (whole.too_short, 0)
    assert report.coverage.complete
    rows = {row.arm: row for row in report.screening}
    assert sum(row.saved for row in rows.values()) == sum(
        cell.screened for cell in report.coverage.prefixes if cell.arm != "control"
    )
    assert full.screening == ()
    page = html.render(report)
    assert "show no greedy run of 30 tokens" in page
    assert "Screened" in page
    assert "show no greedy run" not in html.render(full)


def test_shards_change_nothing(files, runs, tmp_path):
    _, (report, _) = runs
    again, _ = run_scan(
        files, tmp_path / "run", screen={"enabled": True, "sample": 0.3}, run={"shard_notes": 2}
    )
    assert again.screening == report.screening
    assert again.estimates == report.estimates


def test_screening_needs_a_model_that_scores(files, tmp_path, write_jsonl, command_line):
    code, _, error = command_line(
        *("scan", "--notes", files["notes"], "--out", tmp_path / "a"),
        *("--set", "model.backend=echo", "--set", "screen.enabled=true"),
    )
    assert code == 2
    assert "cannot tell how probable a text is" in error
    outputs = write_jsonl(tmp_path / "o.jsonl", [{"note_id": "n0", "prefix": "", "continuation": "x"}])
    code, _, error = command_line(
        *("scan", "--notes", files["notes"], "--replay", outputs, "--out", tmp_path / "b"),
        *("--set", "screen.enabled=true"),
    )
    assert code == 2
    assert "[screen] enabled: is of no use with --replay" in error
