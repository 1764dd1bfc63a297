"""`phiscan detect`, with and without --gold, as a user meets it."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from phiscan import cli
from phiscan.commands import score as score_command
from phiscan.commands.detect import detect_file, unused_rows
from phiscan.commands.score import as_json, score_file
from phiscan.commands.score_tables import MOST_ROWS, tables
from phiscan.config import ScanConfig, load_config
from phiscan.errors import NoteFormatError, StoreError
from phiscan.input_rows import Tally
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.records import DetectedSpan

ROOT = Path(__file__).parents[2]
CANARY = "zyxwvutcanary"
KNOWN = load_config(flags={"detect": {"detectors": ["known_identifiers"]}}, environment={})
"""What is found is what the tests say is known: no rule can change these figures."""
TEXT = f"MRN: 7730218. Mail {CANARY}@example.org, tended the {CANARY} lamp."


class Ended(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    path = tmp_path_factory.mktemp("known") / "known.csv"
    path.write_text(f"patient_id,category,value\np1,MRN,7730218\np1,EMAIL,{CANARY}@example.org\n")
    return path


@pytest.fixture
def phiscan(monkeypatch, capsys, known):
    """The command line in this process, finding what is known and nothing else."""

    def run(*arguments, stdin=b""):
        options = ["--known", known, "--set", 'detect.detectors=["known_identifiers"]']
        monkeypatch.setattr(sys, "argv", ["phiscan", *map(str, (*arguments, *options))])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        monkeypatch.setattr(cli.signal, "signal", lambda *_: None)
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        return Ended(int(ended.value.code or 0), printed.out, printed.err)

    return run


def row(number, text=TEXT, spans=None, **more):
    gold = (
        {}
        if spans is None
        else {"spans": [dict(zip(("start", "end", "category"), s, strict=True)) for s in spans]}
    )
    return {"note_id": f"{CANARY}-{number}", "patient_id": f"p{number}", "text": text, **gold, **more}


def at(value, category, text=TEXT):
    return (text.index(value), text.index(value) + len(value), category)


GOLD = [
    at("7730218", "MEDICALRECORD"),
    at(f"{CANARY}@example.org", "EMAIL"),
    at(f"{CANARY} lamp", "PROFESSION"),
]


@pytest.fixture
def notes(tmp_path, write_jsonl):
    return lambda *rows, name="notes.jsonl": write_jsonl(tmp_path / name, rows)


# Without gold


def test_notes_are_read_as_they_are_needed(tmp_path, known):
    path = tmp_path / "n.jsonl"
    path.write_bytes(b"".join(json.dumps(row(n)).encode() + b"\n" for n in range(2_000)) + b"\xff\n")
    found = detect_file(str(path), known, KNOWN)
    assert next(found)["category"] == "MEDICALRECORD"
    with pytest.raises(NoteFormatError, match="line 2001 is not UTF-8"):
        list(found)


def test_copies_are_searched_like_any_note_and_an_id_twice_is_refused(notes, known):
    twice = [row(1, patient_id="p"), row(2, patient_id="p")]
    found = list(detect_file(str(notes(*twice)), known, KNOWN))
    assert len({one["note_id"] for one in found}) == 2
    with pytest.raises(NoteFormatError, match=r"^PATH: row 2 repeats the note_id of row 1$"):
        list(detect_file(str(notes(row(1), row(1))), known, KNOWN))


def test_rows_that_cannot_be_used_are_told_in_one_line(notes, phiscan):
    path = notes(row(1), row("2", text=""), {"note_id": CANARY, "text": CANARY}, [CANARY])
    found = phiscan("detect", path)
    assert found.returncode == 0
    assert found.stdout.count("\n") == 2
    told = found.stderr
    assert told == (
        "phiscan: PATH: 3 of 4 rows were not used: no patient_id (1), not a JSON object (1), empty text (1); "
        "bad rows begin with 3, 4\n"
    )
    assert unused_rows("PATH", Tally()) is None


def test_standard_input_that_is_not_utf8_is_refused_in_one_line(phiscan):
    found = phiscan("detect", "-", stdin=f"MRN: 7730218 {CANARY} caf\xe9".encode("latin-1"))
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "phiscan: PATH: standard input is not UTF-8; convert it to UTF-8\n"


def test_a_folder_of_brat_files_gives_offsets_of_the_file(tmp_path, known):
    raw = "Seen.\r\nMRN: 7730218\r\n"
    (tmp_path / "n1.txt").write_bytes(raw.encode())
    (tmp_path / "n1.ann").write_text("T1\tMEDICALRECORD 12 19\t7730218\n")
    (found,) = detect_file(str(tmp_path), known, KNOWN)
    assert raw[found["start"] : found["end"]] == "7730218"


# With gold


def test_scores_of_one_file_end_to_end_without_a_value(notes, phiscan):
    path = notes(row(1, spans=GOLD), row(2, spans=[*GOLD[:1], at(CANARY, "GENDER")]), row(3))
    found = phiscan("detect", path, "--gold", path, "--json")
    assert found.returncode == 0, found.stderr
    report = json.loads(found.stdout)
    (overlap,) = [one for one in report["lines"] if (one["level"], one["scope"]) == ("overlap", "all")]
    assert (overlap["gold"], overlap["gold_reached"], overlap["found"], overlap["found_reached"]) == (
        4,
        3,
        4,
        3,
    )
    assert overlap["recall"]["value"] == overlap["precision"]["value"] == overlap["f1"] == 0.75
    assert (report["notes"], report["patients"]) == (2, 2)
    places = [(d["kind"], d["outcome"], d["row"], d["start"], d["category"]) for d in report["differences"]]
    assert places == [
        ("gold", "none", 1, GOLD[2][0], "PROFESSION"),
        ("found", "none", 2, GOLD[1][0], "EMAIL"),
    ]
    assert {"gold": "spurious", "found": "EMAIL", "spans": 1} in report["confusions"]
    assert report["not_scored"] == {"GENDER, which is not scored": 1, "notes of PATH without annotations": 1}
    assert found.stderr.splitlines() == [
        'phiscan: --gold: 1 of 3 records have no annotations that can be read: no list in the field "spans" (1)',
        "phiscan: --gold: GENDER, which is not scored: 1",
        "phiscan: --gold: notes of PATH without annotations: 1",
    ]
    assert CANARY not in found.stdout + found.stderr


def test_tables_show_values_only_where_asked(notes, phiscan):
    path = notes(row(1, spans=GOLD))
    for arguments, shown in ([], False), (["--show-text"], True):
        found = phiscan("detect", path, "--gold", path, *arguments)
        assert found.returncode == 0, found.stderr
        text = found.stdout
        assert "Annotated, missed: 1" in text
        assert re.search(r"^PROFESSION +1 +0 +- +0.000", text, re.MULTILINE)
        assert (f"'{CANARY} lamp'" in text) is shown
        assert CANARY not in found.stderr
    machine = json.loads(phiscan("detect", path, "--gold", path, "--json", "--show-text").stdout)
    assert machine["differences"][0]["note_id"] == f"{CANARY}-1"


@pytest.mark.parametrize(
    ("gold", "words"),
    [
        ([row(9, spans=GOLD)], "none of its 1 annotated notes is among the notes of PATH"),
        ([row(1, spans=[(500, 510, "DATE")])], "no annotation can be scored: annotations empty or outside"),
        ([row(1, spans=[(0, 3, "NAME")])], "labels that are no category: NAME (first in row 1)"),
        ([row(1, spans=[(0, 3, f"{CANARY} x")])], "labels that are no category: 1 label not shown"),
        ([row(1, spans=[(0, 3, CANARY.upper())])], "1 label not shown (first in row 1)"),
        ([row(1, spans=[(0, 3, "7730218")])], "1 label not shown (first in row 1)"),
        ([row(1)], "no note with annotations could be read"),
        ([row(1, spans=[]), row(1, spans=[])], "row 2 repeats the note_id of row 1"),
    ],
)
def test_where_nothing_can_be_scored_the_end_is_one_line_and_exit_2(notes, gold, words, phiscan):
    found = phiscan("detect", notes(row(1)), "--gold", notes(*gold, name="gold.jsonl"))
    assert (found.returncode, found.stdout) == (2, "")
    told = found.stderr
    assert told.startswith("phiscan: --gold: ")
    assert words in told
    assert told.count("\n") == 1
    assert CANARY not in told.lower()
    assert "7730218" not in told


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".xml", ".ann", ""])
@pytest.mark.parametrize("argument", ["PATH", "--gold"])
def test_a_name_that_no_file_can_have_is_one_line_and_exit_2(notes, ending, argument, phiscan):
    name, path = "x" * 5_000 + ending, notes(row(1, spans=GOLD))
    found = phiscan("detect", name) if argument == "PATH" else phiscan("detect", path, "--gold", name)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith(f"phiscan: {argument}: ")
    assert found.stderr.count("\n") == 1
    assert "xxx" not in found.stderr


def test_a_folder_that_may_not_be_entered_is_one_line_and_exit_2(tmp_path, phiscan, monkeypatch):
    def denied(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.is_dir", denied)
    found = phiscan("detect", tmp_path / "nowhere")
    assert (found.returncode, found.stderr) == (2, "phiscan: PATH: no such file, or no right to read it\n")


@pytest.mark.parametrize(
    "arguments", [["-", "--gold", "x.jsonl"], ["x.jsonl", "--json"], ["-", "--show-text"]]
)
def test_options_that_do_not_go_together(arguments, phiscan):
    found = phiscan("detect", *arguments)
    assert found.returncode == 2
    assert "--gold" in found.stderr
    assert found.stderr.count("\n") == 1


def test_a_gold_file_of_its_own_may_name_notes_that_are_not_there(notes, known):
    gold = notes(row(1, spans=GOLD), row(7, spans=GOLD), name="gold.jsonl")
    report = score_file(notes(row(1), row(2)), gold, known, KNOWN)
    assert report.counts == {
        "notes of PATH without annotations": 1,
        "annotated notes that are not among the notes of PATH": 1,
    }
    assert report.score.notes == 1


def test_annotated_notes_without_phi_can_be_scored(notes, known):
    report = score_file(path := notes(row(1, spans=[])), path, known, KNOWN)
    overall = report.score.lines[0]
    assert (overall.gold, overall.found, overall.precision.value, overall.recall.value) == (0, 2, 0.0, None)


class Unsure:
    """Sees a profession that is not sure enough, and an account number elsewhere."""

    def describe(self):
        return "unsure"

    def detect(self, texts):
        return [
            [
                DetectedSpan(
                    start=start, end=end, category="HOSPITAL", score=0.1, detector="unsure", rule="lamp"
                ),
                DetectedSpan(start=0, end=3, category="ACCOUNT", score=0.9, detector="unsure"),
            ]
            for text in texts
            for start, end, _ in [at(f"{CANARY} lamp", "PROFESSION", text)]
        ]


def test_a_miss_names_what_came_near(notes, monkeypatch):
    monkeypatch.setattr(score_command, "detectors_of", lambda known, config: {"unsure": Unsure()})
    report = score_file(path := notes(row(1, spans=GOLD)), path, None, KNOWN)
    near = {one.category: [n[:] for n in one.near] for one in report.differences}
    assert near == {
        "MEDICALRECORD": [],
        "EMAIL": [],
        "PROFESSION": [("unsure", "lamp", "HOSPITAL", 0.1)],
        "ACCOUNT": [("unsure", None, "ACCOUNT", 0.9)],
    }
    (table,) = [table for table in tables(report) if table.title.startswith("Annotated, missed")]
    assert [row[1] for row in table.rows] == ["none", "none", "lamp HOSPITAL 0.10"]


def test_offsets_of_differences_are_those_of_a_file_with_crlf(tmp_path, known):
    raw = "Seen.\r\n\r\nMRN: 7730218\r\nTended the lamp.\r\n"
    start = raw.index("the lamp")
    (tmp_path / "n1.txt").write_bytes(raw.encode())
    (tmp_path / "n1.ann").write_bytes(
        f"T1\tMEDICALRECORD 14 21\t7730218\r\nT2\tPROFESSION {start} {start + 8}\tthe lamp\r\n".encode()
    )
    report = score_file(tmp_path, tmp_path, known, KNOWN)
    (miss,) = report.differences
    assert raw[miss.start : miss.end] == miss.text == "the lamp"
    assert report.counts == {}
    strict = report.score.lines[0]
    assert (strict.gold, strict.gold_reached) == (2, 1)


def test_long_lists_are_cut_in_tables_and_whole_for_machines(notes, known):
    gold = [(at_, at_ + 1, "IDNUM") for at_ in range(0, 100, 2)]
    report = score_file(path := notes(row(1, text="a " * 50, spans=gold)), path, known, KNOWN)
    (table,) = [table for table in tables(report) if table.title.startswith("Annotated, missed")]
    assert table.title == f"Annotated, missed: 50; the first {MOST_ROWS}, --json has all"
    assert len(table.rows) == MOST_ROWS
    assert len(as_json(report)["differences"]) == 50


def test_reports_hide_patient_text_in_their_repr(notes, known):
    report = score_file(path := notes(row(1, spans=GOLD)), path, known, KNOWN)
    assert CANARY not in repr(report)


@pytest.mark.parametrize("page", ["README.md", "docs/guides/score-detection.md"])
def test_pages_show_what_the_command_prints(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    commands = re.findall(r"^    phiscan (detect docs/\S+(?: --gold \S+)?)", text, re.MULTILINE)
    printed: list[str] = []
    for command in commands:
        ran = [sys.executable, "-m", "phiscan", *command.split()]
        found = subprocess.run(ran, capture_output=True, text=True, check=True, cwd=ROOT)
        printed += [line.rstrip() for line in (found.stdout + found.stderr).splitlines()]
    shown = [
        line for block in re.findall(r"```text\n(.*?)```", text, re.DOTALL) for line in block.splitlines()
    ]
    assert len(shown) > 10
    assert [line for line in shown if line and line not in printed] == []


# A folder as the notes of a scan


def test_a_scan_reads_a_folder_and_notices_a_file_of_another_name(tmp_path, write_jsonl):
    folder = tmp_path / "notes"
    folder.mkdir()
    text = "Seen today. MRN: 7730218. " + "The patient walked and ate well on the ward. " * 9
    for stem in ("1-01", "2-01"):
        (folder / f"{stem}.xml").write_text(f"<x><TEXT>{text}{stem}</TEXT></x>")
    outputs = write_jsonl(
        tmp_path / "o.jsonl", [{"note_id": "1-01", "prefix": text[:12], "continuation": text[12:]}]
    )
    known = tmp_path / "known.csv"
    known.write_text("patient_id,category,value\n1,MRN,7730218\n")
    inputs = ScanInputs(notes=folder, replay=outputs, known=known, out=tmp_path / "run")
    config = ScanConfig(detect=KNOWN.detect)
    report = scan(inputs, config)
    assert (report.coverage.notes, report.coverage.patients) == (2, 2)
    assert report.decision.outcome == "leak_found"
    assert scan(inputs, config).estimates == report.estimates
    (folder / "2-01.xml").rename(folder / "3-01.xml")
    with pytest.raises(StoreError, match="--notes"):
        scan(inputs, config)
