"""A scan measures its detectors on notes of the house that people annotated."""

import json
from pathlib import Path

import pytest

from phiscan.config import load_config
from phiscan.errors import NoteFormatError
from phiscan.passes.plan import ScanInputs
from phiscan.passes.reduce import renew_report
from phiscan.passes.reopen import reopened
from phiscan.pipeline import scan

TEXT = "Patient: Nia Quill{0}  MRN: 77{0}1{0}9  seen 4/{0}/2021, phone 413-555-010{0}. She slept well, ate and walked."
SETTINGS = {
    "model": {"backend": "echo"},
    "detect": {"detectors": ["rules"]},
    "regenerate": {"prefix_lengths": [5], "max_new_tokens": 20},
}
I2B2 = Path(__file__).parent.parent / "docs" / "examples" / "i2b2"


def marked(text, *values):
    """What a person marks: (category, value) pairs, each where it first stands."""
    return [
        {"start": text.index(value), "end": text.index(value) + len(value), "category": category}
        for category, value in values
    ]


def gold_of(at, *, missed=()):
    text = TEXT.format(at)
    found = (("MEDICALRECORD", f"77{at}1{at}9"), ("DATE", f"4/{at}/2021"), ("PHONE", f"413-555-010{at}"))
    return {"note_id": f"n{at}", "spans": marked(text, *found, *missed)}


@pytest.fixture
def notes(tmp_path, write_jsonl):
    rows = [{"note_id": f"n{at}", "patient_id": f"p{at}", "text": TEXT.format(at)} for at in range(1, 5)]
    return write_jsonl(tmp_path / "notes.jsonl", [*rows, {**rows[0], "note_id": "copy"}])


@pytest.fixture
def write(tmp_path, write_jsonl):
    return lambda *rows, name="gold.jsonl": write_jsonl(tmp_path / name, rows)


@pytest.fixture
def scanned(notes, tmp_path):
    def run(gold, **settings):
        config = load_config(None, {**SETTINGS, **settings}, {})
        return scan(ScanInputs(notes=notes, out=tmp_path / "run", gold=gold), config)

    return run


def counted(section, scope="all", category=None):
    row = next(row for row in section.rows if (row.scope, row.category) == (scope, category))
    return {
        name: (estimate.count, estimate.n) for name, estimate in row if name.endswith(("recall", "precision"))
    }


def test_annotations_of_notes_of_the_run(scanned, write):
    gold = write(gold_of(1, missed=(("PROFESSION", "slept"),)), gold_of(2))
    report = scanned(gold)
    section = report.detection
    assert (section.notes, section.patients) == (2, 2)
    assert counted(section)["overlap_recall"] == (6, 7)
    assert counted(section, "category", "PROFESSION")["overlap_recall"] == (0, 1)
    assert counted(section, "category", "DATE") == {
        **{
            name: (2, 2)
            for name in ("strict_recall", "strict_precision", "overlap_recall", "overlap_precision")
        },
    }
    names = counted(section, "category", "PATIENT")
    assert names["overlap_precision"] == (0, 2), "found, though nobody marked it"
    assert [one.argument for one in report.manifest.inputs] == ["--notes", "--gold"]
    assert report.decision == scanned(None).decision, "what detectors miss decides nothing by itself"


def test_all_rates_bear_intervals_over_patients(scanned, write):
    for row in scanned(write(gold_of(1), gold_of(2), gold_of(3))).detection.rows:
        for name, estimate in row:
            if name.endswith("recall") and estimate.n:
                assert estimate.patients == 3
                assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


def test_a_note_that_stands_twice_is_scored_once(scanned, write):
    section = scanned(write(gold_of(1), {**gold_of(1), "note_id": "copy"})).detection
    assert section.notes == 1
    assert section.not_scored == {"annotated copies of a note that was scored already": 1}


def test_a_file_with_notes_of_its_own(scanned):
    section = scanned(I2B2).detection
    assert (section.notes, section.patients) == (3, 2)
    assert counted(section)["overlap_recall"][1] == 26
    assert section.not_scored["GENDER, which is not scored"] == 1


def test_own_columns_do_not_hang_on_those_of_the_notes_file(tmp_path, write_jsonl, write):
    """The notes file maps its columns; a folder of i2b2 files has its own."""
    rows = [{"ROW_ID": f"n{at}", "SUBJECT_ID": f"p{at}", "TEXT": TEXT.format(at)} for at in range(1, 5)]
    notes = write_jsonl(tmp_path / "mapped.jsonl", rows)
    load = {"note_id": "ROW_ID", "patient_id": "SUBJECT_ID", "text": "TEXT"}
    config = load_config(None, {**SETTINGS, "load": load}, {})
    for number, gold in enumerate((I2B2, write(gold_of(1)))):
        inputs = ScanInputs(notes=notes, out=tmp_path / f"run{number}", gold=gold)
        assert scan(inputs, config).detection.notes == (3, 1)[number]


def test_another_gold_file_is_measured_anew_and_nothing_else_is(scanned, write, tmp_path, monkeypatch):
    first = scanned(write(gold_of(1)))
    stood = {path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "tables").rglob("*.parquet")}
    again = scanned(write(gold_of(1)))
    assert again.detection == first.detection
    other = scanned(write(gold_of(1, missed=(("PROFESSION", "slept"),))))
    assert counted(other.detection)["overlap_recall"] == (3, 4)
    assert stood == {
        path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "tables").rglob("*.parquet")
    }
    assert scanned(None).detection is None


def test_what_stands_is_not_measured_again_unless_damaged(scanned, write, tmp_path, monkeypatch):
    import phiscan.passes.gold as stage

    gold = write(gold_of(1))
    before = scanned(gold)
    real, calls = stage.score, []
    monkeypatch.setattr(stage, "score", lambda *given, **named: calls.append(1) or real(*given, **named))
    assert (scanned(gold).detection, calls) == (before.detection, [])
    (tmp_path / "run" / "detection.json").write_text("{}")
    assert (scanned(gold).detection, calls) == (before.detection, [1])


def test_a_report_made_anew_keeps_it(scanned, write, tmp_path):
    report = scanned(write(gold_of(1)))
    with reopened(tmp_path / "run") as finished:
        assert renew_report(finished).detection == report.detection


def test_nothing_of_a_note_is_written(scanned, write, tmp_path):
    scanned(write(gold_of(1)))
    written = (tmp_path / "run" / "detection.json").read_text()
    assert not any(value in written for value in ("n1", "Quill", "7711", "555-0101", "p1"))
    assert json.loads(written)["section"]["notes"] == 1


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"note_id": "elsewhere", "spans": []}], "none of its 1 annotated notes"),
        (
            [{"note_id": "n1", "spans": [{"start": 0, "end": 3, "category": "LINDQVIST"}]}],
            "1 label not shown",
        ),
        ([{"note_id": "n1"}], 'no list in the field "spans"'),
        (
            [{"note_id": "n1", "spans": [{"start": 900, "end": 903, "category": "DATE"}]}],
            "no annotation can be scored",
        ),
    ],
    ids=["no such note", "unknown label", "no annotations", "outside"],
)
def test_a_gold_file_of_no_use_is_refused_in_one_line(rows, said, scanned, write):
    with pytest.raises(NoteFormatError) as caught:
        scanned(write(*rows))
    assert str(caught.value).startswith("--gold: ")
    assert said in str(caught.value)
    assert "LINDQVIST" not in str(caught.value)
