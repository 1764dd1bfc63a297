"""A canary planted in every place that may hold patient text comes out nowhere it should not."""

import csv
import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import pytest
from paper import text_on_paper
from pydantic import BaseModel
from tiny_model import make_model

from phiscan import records
from phiscan.comparison import Comparison
from phiscan.records import holds_phi
from phiscan.scan_report import ScanReport
from phiscan.store import TABLES

CANARY = "Zyxwvutcanary"
TEXT = (
    f"Patient: {CANARY} Quill   MRN: 771{CANARY}9   seen 4/11/2021 at 12 {CANARY} Court, phone 413-555-0187.\n"
    f"The {CANARY} was well on the third day, drank broth and walked the corridor with a frame twice. "
    f"Dr. {CANARY} asked that {CANARY} be weighed each morning before tea and that the drain come out. "
) * 3
RESTRICTED = ("tables", "index", "plants", "demo")


def run_phiscan(*arguments, cwd, **environment):
    import os

    return subprocess.run(
        [sys.executable, "-m", "phiscan", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Notes, identifiers and outputs in which every value bears the canary, file names too."""
    folder = tmp_path_factory.mktemp("inputs") / f"{CANARY}-files"
    folder.mkdir()
    notes = folder / f"{CANARY}.jsonl"
    rows = [
        {"note_id": f"{CANARY}-{i}", "patient_id": f"{CANARY}-p{i}", "text": TEXT.replace("4/11", f"4/{i + 1}"),
         "note_type": CANARY, "date": f"2021-04-0{i + 1}"}
        for i in range(4)
    ]  # fmt: skip
    for row, split in zip(rows, ("train", "train", "plant", "twin"), strict=True):
        row["split"] = split
    notes.write_text("".join(json.dumps(row) + "\n" for row in rows))
    known = folder / "known.csv"
    with known.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["patient_id", "category", "value"])
        writer.writerow([f"{CANARY}-p0", "NAME", f"{CANARY} Quill"])
    replay = folder / "outputs.jsonl"
    outputs = [
        {"note_id": row["note_id"], "prefix": row["text"][:40], "continuation": row["text"][40:]}
        for row in rows
    ]
    replay.write_text("".join(json.dumps(row) + "\n" for row in outputs))
    return folder


def assert_clean(result, run: Path | None = None):
    assert CANARY.lower() not in (result.stdout + result.stderr).lower()
    if run is None or not run.exists():
        return
    for path in run.rglob("*"):
        if path.is_file() and path.relative_to(run).parts[0] not in RESTRICTED:
            assert CANARY.lower().encode() not in path.read_bytes().lower(), path.name
            if path.suffix == ".pdf":
                assert CANARY.lower() not in text_on_paper(path).lower(), path.name


def test_replay_scan_report_and_rerender(inputs, tmp_path):
    run = tmp_path / "run"
    result = run_phiscan(
        "scan", "--notes", inputs / f"{CANARY}.jsonl", "--known", inputs / "known.csv",
        "--replay", inputs / "outputs.jsonl", "--out", run, cwd=tmp_path,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "leak found" in result.stdout.lower()
    assert_clean(result, run)
    restricted = b"".join(p.read_bytes() for p in run.rglob("*") if p.is_file())
    assert CANARY.encode() in restricted, "the canary was scanned at all"
    for name in ("console", "html,json,pdf,csv"):
        rendered = run_phiscan("report", run, "--format", name, cwd=tmp_path)
        assert rendered.returncode == 0, rendered.stderr
        assert_clean(rendered, run)
    assert "Leak found" in text_on_paper(run / "report.pdf"), "what is on paper can be searched"
    assert (run / "report-tables" / "estimates.csv").is_file()
    annex = run_phiscan("report", run, "--annex", tmp_path / "annex.html", cwd=tmp_path)
    assert annex.returncode == 0, annex.stderr
    assert_clean(annex, run)
    assert CANARY in (tmp_path / "annex.html").read_text(encoding="utf-8")
    assert_clean(run_phiscan("scan", "--notes", inputs / f"{CANARY}.jsonl", "--known", inputs / "known.csv",
        "--replay", inputs / "outputs.jsonl", "--out", run, "--json", cwd=tmp_path), run)  # fmt: skip


@pytest.mark.parametrize("own_texts", [True, False])
def test_gold_notes_and_what_people_marked_in_them(own_texts, inputs, tmp_path):
    """Annotations of values that bear the canary, with the notes in the file and without."""
    rows = [json.loads(line) for line in (inputs / f"{CANARY}.jsonl").read_text().splitlines()]
    start = TEXT.index(CANARY)
    marked = [{"start": start, "end": start + len(CANARY), "category": "PATIENT", "text": CANARY}]
    kept = ("note_id", "patient_id", "text") if own_texts else ("note_id",)
    gold = tmp_path / f"{CANARY}-gold.jsonl"
    gold.write_text(
        "".join(json.dumps({**{name: row[name] for name in kept}, "spans": marked}) + "\n" for row in rows)
    )
    run = tmp_path / "run"
    command = [
        "scan",
        "--notes",
        inputs / f"{CANARY}.jsonl",
        "--gold",
        gold,
        "--replay",
        inputs / "outputs.jsonl",
    ]
    result = run_phiscan(*command, "--out", run, "--set", 'detect.detectors=["rules"]', cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert json.loads((run / "report.json").read_text())["detection"]["notes"]
    assert_clean(result, run)
    marked[0]["category"] = f"{CANARY}"
    gold.write_text("".join(json.dumps({"note_id": row["note_id"], "spans": marked}) + "\n" for row in rows))
    refused = run_phiscan(*command, "--out", tmp_path / "other", cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert_clean(refused)


def test_a_type_of_note_that_is_a_person_is_not_named(tmp_path):
    """Thirty patients share it, so that nothing but the records themselves tells that it is a name."""
    rows = [
        {"note_id": f"n{i}", "patient_id": f"p{i}", "note_type": CANARY if i % 2 else "letter",
         "text": f"Dr. {CANARY} saw patient number {i} and asked that the drain come out at noon, not before."}
        for i in range(60)
    ]  # fmt: skip
    notes = tmp_path / "notes.jsonl"
    notes.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = tmp_path / "run"
    command = ["--set", 'detect.detectors=["rules"]', "--set", "model.backend=echo"]
    command += ["--set", "regenerate.prefix_lengths=[5]"]
    result = run_phiscan("scan", "--notes", notes, "--out", run, *command, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    types = [
        row["band"] for row in json.loads((run / "report.json").read_text())["subgroups"]["rows"]
        if row["kind"] == "note_type"
    ]  # fmt: skip
    assert types == [["letter"], ["other types, or none given"]]
    assert_clean(result, run)


def test_model_scan(inputs, tmp_path):
    model = make_model(tmp_path / f"{CANARY}-model")
    result = run_phiscan(
        "scan", "--notes", inputs / f"{CANARY}.jsonl", "--model", model, "--out", tmp_path / "run",
        "--set", "regenerate.max_new_tokens=20", cwd=tmp_path,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert_clean(result, tmp_path / "run")


def test_detect_prints_offsets_and_ids_only_where_asked(inputs, tmp_path):
    """`detect` names the note of each span, as its contract says, and never the text."""
    result = run_phiscan("detect", inputs / f"{CANARY}.jsonl", cwd=tmp_path)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert rows
    assert {tuple(row) for row in rows} == {
        ("note_id", "start", "end", "category", "hipaa", "score", "detector", "rule")
    }
    assert all(CANARY not in str({**row, "note_id": ""}) for row in rows)
    assert CANARY not in result.stderr


FAULTS = {
    "a column missing": lambda row: {k: v for k, v in row.items() if k != "patient_id"},
    "one id twice": lambda row: {**row, "note_id": CANARY},
    "too short for any prefix": lambda row: {**row, "text": CANARY},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faulty_notes_are_refused_in_one_clean_line(fault, inputs, tmp_path):
    rows = [json.loads(line) for line in (inputs / f"{CANARY}.jsonl").read_text().splitlines()]
    bad = tmp_path / f"{CANARY}.jsonl"
    bad.write_text("".join(json.dumps(FAULTS[fault](row)) + "\n" for row in rows))
    run = tmp_path / "run"
    result = run_phiscan("scan", "--notes", bad, "--out", run, "--set", "model.backend=echo", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("phiscan: --notes: ")
    assert result.stderr.count("\n") == 1
    assert_clean(result)
    assert not run.exists(), "nothing half-written"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no"),
        (b"\xff\xfe" + CANARY.encode("utf-16-le"), ""),
        ((CANARY + " caf\xe9").encode("latin-1"), ""),
        (f'{{"note_id": "{CANARY}", "patient_id": '.encode(), ""),
    ],
    ids=["empty", "utf-16", "latin-1", "half a line"],
)
def test_unreadable_files_are_refused_in_one_clean_line(content, words, tmp_path):
    bad = tmp_path / f"{CANARY}.jsonl"
    bad.write_bytes(content)
    result = run_phiscan(
        "scan", "--notes", bad, "--out", tmp_path / "run", "--set", "model.backend=echo", cwd=tmp_path
    )
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert words in result.stderr
    assert_clean(result)
    assert not (tmp_path / "run").exists()


def test_a_crash_in_the_middle_shows_no_text_and_leaves_whole_parts(inputs, tmp_path):
    """A fault inside a stage: the error names its kind, and the parts written before it stand."""
    crash = tmp_path / "crash.py"
    crash.write_text(
        "import phiscan.passes.map as m\n"
        "def fault(case, lookups):\n    raise ValueError(case.continuation.text)\n"
        "m.verify_case = fault\n"
        "from phiscan.cli import main\nmain()\n"
    )
    run = tmp_path / "run"
    command = [
        "scan",
        "--notes",
        inputs / f"{CANARY}.jsonl",
        "--replay",
        inputs / "outputs.jsonl",
        "--out",
        run,
    ]
    result = subprocess.run(
        [sys.executable, crash, *map(str, command)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert result.returncode == 70
    assert "internal error (ValueError)" in result.stderr
    assert_clean(result, run)
    assert (run / "tables" / "hits" / "00000.parquet").exists()
    assert not list(run.rglob(".unfinished-*"))
    again = run_phiscan(*command, cwd=tmp_path)
    assert again.returncode == 0, again.stderr


def reachable(annotation, seen):
    """Every annotation that a type leads to."""
    yield annotation
    for part in getattr(annotation, "__args__", ()):
        yield from reachable(part, seen)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel) and annotation not in seen:
        seen.add(annotation)
        for hint in get_type_hints(annotation, include_extras=True).values():
            yield from reachable(hint, seen)


def test_the_report_can_reach_no_patient_text():
    seen = set()
    assert not [found for found in reachable(ScanReport, seen) if holds_phi(found)]
    assert len(seen) > 8, "the walk reaches the parts of the report"


def test_a_comparison_can_reach_no_patient_text():
    seen = set()
    assert not [found for found in reachable(Comparison, seen) if holds_phi(found)]
    assert len(seen) > 5, "the walk reaches the parts of the comparison"


def test_the_walk_would_see_patient_text():
    class Leaky(BaseModel):
        names: tuple[records.PhiText, ...] = ()

    assert [found for found in reachable(Leaky, set()) if holds_phi(found)]


OPAQUE_ONLY = {"confirmations", "review_items", "review_regions", "similarities"}
"""Tables of keyed ids, labels and offsets alone."""


@pytest.mark.parametrize("name", sorted(TABLES))
def test_no_record_shows_patient_text_in_its_repr(name):
    record = TABLES[name]
    hints = get_type_hints(record, include_extras=True)
    made = record(**{f.name: CANARY if holds_phi(hints[f.name]) else None for f in fields(record)})
    assert name in OPAQUE_ONLY or any(holds_phi(hint) for hint in hints.values())
    assert CANARY not in repr(made)
    assert record.__name__ in repr(made)
