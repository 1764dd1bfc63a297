"""The report is counted a few shards at a time, and says the same however the notes are cut into shards."""

import random

import pytest
from tiny_model import TEXTS, make_model

from phiscan.config import load_config
from phiscan.passes import tables
from phiscan.passes.plan import ScanInputs
from phiscan.passes.reduce import renew_report
from phiscan.passes.reopen import reopened
from phiscan.pipeline import scan
from phiscan.run_files import PEOPLE
from phiscan.store import RunDirectory

PATIENTS = 6
_LARGE = ("prompts", "continuations", "matches", "hits", "verdicts", "at_risk", "passages", "similarities")


def notes():
    """Two notes a patient: one of all in the same words, one short or long; every third patient held out."""
    rng = random.Random(3)
    for number in range(PATIENTS):
        for visit in range(2):
            words = f"Seen {number + 1}/{visit + 3}/2021, aged {40 + number % 2}. " + " ".join(TEXTS[:3])
            extra = " ".join(rng.sample(TEXTS, 4 * (number % 3)))
            yield {
                "note_id": f"N{number}-{visit}",
                "patient_id": f"P{PATIENTS - number}",
                "split": "holdout" if number % 3 == 0 else "member",
                "text": f"{words} {extra * visit}",
            }


def figures(report):
    """The report without what a clock, a key or the size of shards says."""
    return report.model_dump(mode="json", exclude={"manifest"})


def renewed(root):
    with reopened(root) as finished:
        return figures(renew_report(finished))


@pytest.fixture(scope="module")
def asked(tmp_path_factory, write_jsonl):
    """Reports, by notes in a shard, of a model asked in several ways, with a control and a pass over the notes."""
    folder = tmp_path_factory.mktemp("shards")
    path = write_jsonl(folder / "notes.jsonl", list(notes()))
    model, control = (str(make_model(folder / name)) for name in ("model", "control"))
    found = {}
    for size in (3, 256):
        flags = {
            "run": {"shard_notes": size},
            "regenerate": {
                "prefix_lengths": [3, 9],
                "max_new_tokens": 8,
                "schemes": ["instruct", "bare"],
                "decodings": ["t0.7", "greedy"],
                "draws": 2,
            },
            "expose": {"enabled": True, "decoys": 0},
            "detect": {"detectors": ["rules"]},
        }
        inputs = ScanInputs(notes=path, model=model, control=control, out=folder / f"run-{size}")
        found[size] = inputs.out, scan(inputs, load_config(None, flags, {}))
    return found


def test_the_size_of_shards_changes_no_figure_and_no_order(asked):
    (one, first), (_, other) = asked.values()
    assert len(RunDirectory(one).part_names("hits")) == PATIENTS // 2
    assert {cell.arm for cell in first.coverage.prefixes} == {"scanned", "holdout", "control"}
    assert len({(cell.scheme, cell.decoding) for cell in first.coverage.prefixes}) == 4
    assert first.similarity is not None
    assert first.exposure is not None
    assert figures(other) == figures(first)


def test_outputs_made_elsewhere_in_any_order(tmp_path, write_jsonl, monkeypatch):
    """The order of the file is not that of the notes; one note is unknown, one prefix is nowhere.

    Of the last patients there is no answer, and their shards are counted by themselves.
    """
    monkeypatch.setattr(tables, "ANSWERS", 1)
    known = list(notes())
    rows = [
        {"note_id": note["note_id"], "prefix": note["text"][:cut], "continuation": note["text"][cut:]}
        for note in known[:-4]
        for cut in (20, 45)
    ]
    rows += [{**rows[0], "note_id": "nobody's"}, {**rows[1], "prefix": "Never written anywhere."}]
    random.Random(5).shuffle(rows)
    found = []
    for size in (1, 256):
        inputs = ScanInputs(
            notes=write_jsonl(tmp_path / "notes.jsonl", known),
            replay=write_jsonl(tmp_path / "outputs.jsonl", rows),
            out=tmp_path / f"run-{size}",
        )
        flags = {"run": {"shard_notes": size}, "detect": {"detectors": ["rules"]}}
        found.append(figures(scan(inputs, load_config(None, flags, {}))))
    assert found[0]["coverage"]["replay_unknown_note"] == 1
    assert found[0]["coverage"]["replay_prefix_not_found"] == 1
    assert any(line["instances"] for line in found[0]["leaks"])
    assert found[0] == found[1]


def test_no_large_table_is_ever_read_whole(asked, monkeypatch):
    root, report = asked[3]
    read = []
    real = RunDirectory.read_frame

    def watched(run, table, columns, *, coded=False, parts=None):
        if table in _LARGE and run.root == root:
            assert parts is not None
            read.append((table, [part for part in parts if part != PEOPLE]))
        return real(run, table, columns, coded=coded, parts=parts)

    monkeypatch.setattr(RunDirectory, "read_frame", watched)
    monkeypatch.setattr(tables, "ANSWERS", 1)
    assert renewed(root) == figures(report)
    assert max(len(parts) for _, parts in read) == 1
    shards = RunDirectory(root).part_names("hits")
    assert [parts for table, parts in read if table == "hits"] == [[shard] for shard in shards]


def test_shards_are_read_together_until_there_are_answers_enough(asked, monkeypatch):
    root, _ = asked[3]
    run = RunDirectory(root)
    each = [run.count_rows("continuations", [part]) for part in run.part_names("continuations")]
    monkeypatch.setattr(tables, "ANSWERS", each[0] + 1)
    counts = [len(part.continuations) for part in tables.read_shards(run)]
    assert sum(counts) == sum(each)
    assert counts[0] == each[0] + each[1]
    assert len(counts) < len(each)
