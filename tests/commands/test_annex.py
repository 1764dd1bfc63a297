"""`phiscan report RUN --annex`: every leak in answer and record, inert, private, logged."""

import dataclasses
import json
import os
import shutil
import stat
import subprocess
from collections import Counter
from html.parser import HTMLParser

import pytest
from replay_cases import NOTES, case_inputs

from phiscan.config import ScanConfig
from phiscan.passes.annex import annex_entries
from phiscan.passes.reopen import reopened
from phiscan.pipeline import scan
from phiscan.printable import visible
from phiscan.run_files import ANNEX_LOG
from phiscan.scan_report import ScanReport
from phiscan.store import RunDirectory

SECRET = ("Lindqvist", "Okoro", "Tremblay", "555-0142", "6612205", "Ferrant", "PX")
NASTY = '<script>alert(1)</script> </pre></mark> " \' onmouseover="x()" &amp; \u202e\u200b\x1b[31m'
HOSTILE = f"""ADMISSION NOTE
Patient: Odile Ferrant    MRN: 00719922    DOB: 07/30/1961 {NASTY}
She grows quinces behind the boat house and was seen on 10/21/2022 <img src=x onerror=alert(2)> for a cough
that three bottles of syrup did not cure; her telephone is 413-555-0166 {NASTY} and she sleeps well again.
"""
HELD_OUT = """CLINIC NOTE
Patient: Bertil Ashgrove    MRN: 00883311    seen 1/19/2021
The left heel hurts in the morning and no longer at noon; new soles were ordered from the shop by the river.
"""
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
PASSWORD = "three invented words"


def rows(path, more):
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in more)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory, write_jsonl):
    """The replay cases, a hostile note with a hostile id, and a held-out prompt that brings out a member's."""
    inputs = case_inputs(tmp_path_factory.mktemp("annexed"), write_jsonl)
    rows(
        inputs.notes,
        [
            {"note_id": f"X{NASTY}", "patient_id": f"PX{NASTY}", "text": HOSTILE},
            {"note_id": "B1", "patient_id": "PB", "text": HELD_OUT, "split": "holdout"},
        ],
    )
    rows(
        inputs.replay,
        [
            {"note_id": f"X{NASTY}", "prefix": HOSTILE[:15], "continuation": HOSTILE[15:], "model": "tuned"},
            {"note_id": "B1", "prefix": HELD_OUT[:12], "continuation": " E-mail: m.lindqvist@example.org", "model": "tuned"},
        ],
    )  # fmt: skip
    scan(inputs, ScanConfig())
    return inputs.out


@pytest.fixture
def run(scanned, tmp_path):
    return shutil.copytree(scanned, tmp_path / "run")


@pytest.fixture
def phiscan(command_line, monkeypatch):
    """The command line, which never prints what stands in a record, nor the password."""
    monkeypatch.setenv("ANNEX_SECRET", PASSWORD)

    def call(*arguments):
        code, out, err = command_line(*arguments)
        assert not any(value in out + err for value in (*SECRET, "<script", PASSWORD))
        assert code in (0, 2)
        assert err.count("\n") == (code == 2)
        return code, out, err

    return call


def log_of(run):
    path = run / ANNEX_LOG
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


class Annex(HTMLParser):
    """Elements of a page, and by article the texts and marked values of its two columns."""

    def __init__(self, document):
        super().__init__(convert_charrefs=True)
        self.elements, self.articles, self._open = [], [], []
        self.feed(document)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "article":
            self.articles.append(Counter())
        if tag != "meta":
            self._open.append((tag, dict(attrs).get("class", "")))

    def handle_endtag(self, tag):
        assert self._open.pop()[0] == tag

    def handle_data(self, data):
        if not self.articles:
            return
        classes = [name for _, of in self._open for name in of.split()]
        side = next((name for name in ("answer", "record", "value") if name in classes), "facts")
        marked = [f"{side}:{name}" for name in ("hit", "run") if name in classes]
        for name in (side, *marked):
            self.articles[-1][name] = (self.articles[-1][name] or "") + data


@pytest.fixture
def page(run, phiscan, tmp_path):
    path = tmp_path / "annex.html"
    assert phiscan("report", run, "--annex", path, "--format", "json")[0] == 0
    return path.read_text(encoding="utf-8")


def entries_of(run, **options):
    with reopened(run) as finished:
        return annex_entries(finished, **options)


# --- what is in it ------------------------------------------------------------------------------


def test_every_leak_that_decides_is_there_with_its_value_on_both_sides(run, page):
    entries, articles = entries_of(run), Annex(page).articles
    assert len(entries) == len(articles)
    texts = {row["note_id"]: row["text"].replace("\r\n", "\n") for row in NOTES}
    texts[f"X{NASTY}"] = HOSTILE
    in_notes = 0
    for entry, article in zip(entries, articles, strict=True):
        assert article["value"] == article["answer:hit"] == visible(entry.hit.text)
        assert article["record:hit"] == visible(entry.record.value) != ""
        assert visible(entry.asked.patient_id) in article["facts"]
        assert visible(entry.asked.note_id) in article["facts"]
        assert entry.category in article["facts"]
        if entry.record.note is not None:
            verdict = entry.verdict
            text = texts[entry.record.note.note_id]
            assert entry.record.value == text[verdict.matched_start : verdict.matched_end]
            in_notes += 1
    assert in_notes > 15


def test_they_are_the_hits_that_the_report_counts(run):
    report = ScanReport.model_validate(RunDirectory(run).read_json("report.json"))
    lines = {(line.line, line.arm): line.instances for line in report.leaks}
    found = Counter((entry.kind, entry.continuation.arm) for entry in entries_of(run))
    assert found == {
        ("headline", "scanned"): lines["headline", "scanned"],
        ("other_patient", "scanned"): lines["other_patient", "scanned"],
        ("other_patient", "holdout"): lines["other_patient", "holdout"],
    }
    assert min(found.values()) > 0
    everything = Counter(entry.kind for entry in entries_of(run, everything=True))
    assert everything["own_record"] > 0
    assert everything["headline"] == lines["headline", "scanned"]


def test_a_value_of_another_patient_names_whose_it_is(run):
    others = [entry for entry in entries_of(run) if entry.kind == "other_patient"]
    for entry in others:
        assert entry.record.patients
        assert entry.asked.patient_id not in entry.record.patients
    assert ("PL",) in [e.record.patients for e in others if e.asked.patient_id == "PB"]


def test_a_known_identifier_stands_beside_the_value_of_the_table(run):
    known = [entry for entry in entries_of(run, everything=True) if entry.record.note is None]
    assert {(e.record.value, e.record.patients) for e in known} == {
        ("(413) 555-0111", ("PL",)),
        ("987-65-4320", ("PS",)),
    }
    assert all(entry.record.passage is None for entry in known)


def test_shared_runs_are_marked_on_both_sides_alike(page):
    both = [
        (a["answer:run"].split(), a["record:run"].split()) for a in Annex(page).articles if a["answer:run"]
    ]
    assert len(both) > 5
    for answer, record in both:
        shorter, longer = sorted((answer[1:-1], record), key=len)
        assert set(shorter[1:-1]) <= set(longer)


def test_a_person_s_word_goes_before_the_rules(run):
    first, *others = entries_of(run)
    said = dataclasses.replace(
        first.verdict,
        verdict="not_phi",
        verifier="human",
        author="ada@example.org",
        time="2026-03-01T10:00:00Z",
    )
    RunDirectory(run).write_part("verdicts", "people", [said], "d")
    assert [e.hit.hit_id for e in entries_of(run)] == [e.hit.hit_id for e in others]
    later = dataclasses.replace(
        first.verdict, verifier="human", author="b@example.org", time="2026-03-02T10:00:00Z"
    )
    RunDirectory(run).write_part("verdicts", "people", [later, said], "e")
    assert entries_of(run)[0].verdict == later


# --- nothing in it acts -------------------------------------------------------------------------


def test_nothing_in_a_note_becomes_markup_or_drives_the_reader(page):
    parsed = Annex(page)
    assert "<script>alert(1)</script>" in "".join(a["answer"] for a in parsed.articles), "it is shown as text"
    allowed = {"html", "head", "meta", "title", "style", "body", "div", "p", "main", "h1", "h2", "h3", "h4", "dl", "dt",
               "dd", "code", "span", "bdi", "mark", "section", "article", "pre"}  # fmt: skip
    assert {tag for tag, _ in parsed.elements} <= allowed
    names = {name for tag, attributes in parsed.elements if tag != "meta" for name in attributes}
    assert names <= {"class", "id", "lang"}
    classes = {a["class"] for tag, a in parsed.elements if "class" in a}
    assert classes <= {
        "sheet",
        "banner",
        "body",
        "soft",
        "hit",
        "run",
        "hit run",
        "value",
        "sides",
        "answer",
        "record",
    }
    assert all(char.isprintable() or char == "\n" for char in page)
    assert "\\u202e\\u200b\\x1b[31m" in page
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page
    assert "url(" not in page
    assert "http://" not in page
    assert "https://" not in page


@pytest.mark.slow
@pytest.mark.skipif(not (CHROMIUM and shutil.which("pdftotext")), reason="needs Chromium and pdftotext")
def test_every_printed_sheet_says_that_it_is_restricted(page, tmp_path):
    printed = tmp_path / "annex.pdf"
    print_to = f"--print-to-pdf={printed}"
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        print_to,
        str(tmp_path / "annex.html"),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    text = subprocess.run(["pdftotext", printed, "-"], check=True, capture_output=True, text=True).stdout
    sheets = text.removesuffix("\f").split("\f")
    assert len(sheets) > 3
    assert all("RESTRICTED" in sheet for sheet in sheets)


# --- private and logged -------------------------------------------------------------------------


def test_the_file_is_for_its_owner_alone_and_each_writing_is_logged(run, phiscan, tmp_path):
    first, second = tmp_path / "one.html", tmp_path / "two.html"
    assert (
        phiscan(
            "report", run, "--annex", first, "--annex-for", "Privacy office, Dunmoor", "--format", "json"
        )[0]
        == 0
    )
    code, out, _ = phiscan("report", run, "--annex", second, "--annex-all")
    assert code == 0
    assert "An annex with patient text was written 2 times" in out
    assert "Privacy office, Dunmoor" in first.read_text(encoding="utf-8")
    assert {stat.S_IMODE(path.stat().st_mode) for path in (first, second, run / ANNEX_LOG)} == {0o600}
    one, two = log_of(run)
    assert [row["reader"] for row in (one, two)] == ["Privacy office, Dunmoor", None]
    assert [row["everything"] for row in (one, two)] == [False, True]
    assert one["entries"] == len(entries_of(run)) < two["entries"]
    for row, path in ((one, first), (two, second)):
        assert RunDirectory(run).keyed_file(path).startswith(row["keyed_digest"])
        assert set(row) == {
            "date",
            "phiscan_version",
            "entries",
            "everything",
            "encrypted",
            "reader",
            "keyed_digest",
        }
    assert not any(value in (run / ANNEX_LOG).read_text() for value in SECRET)


@pytest.mark.parametrize("damage", ["removed", "edited", "cut", "rolled back"])
def test_a_log_that_was_changed_is_noticed(damage, run, phiscan, tmp_path):
    log = run / ANNEX_LOG
    phiscan("report", run, "--annex", tmp_path / "1.html", "--format", "json")
    earlier = log.read_bytes()
    phiscan("report", run, "--annex", tmp_path / "2.html", "--format", "json")
    whole = log.read_bytes()
    {
        "removed": log.unlink,
        "edited": lambda: log.write_bytes(whole.replace(b'"encrypted": false', b'"encrypted": true')),
        "cut": lambda: log.write_bytes(b""),
        "rolled back": lambda: log.write_bytes(earlier),
    }[damage]()
    code, _, err = phiscan("report", run, "--annex", tmp_path / "3.html")
    assert code == 2
    assert ANNEX_LOG in err
    assert not (tmp_path / "3.html").exists()
    assert "Who was shown patient text is not known" in phiscan("report", run)[1]
    RunDirectory(run).finish()  # as a scan that goes on where it stopped
    assert phiscan("report", run, "--annex", tmp_path / "3.html")[0] == 2
    log.write_bytes(whole)
    assert phiscan("report", run, "--annex", tmp_path / "3.html")[0] == 0
    assert len(log_of(run)) == 3


def test_a_line_that_a_kill_kept_from_the_closed_list_counts(run, phiscan, tmp_path):
    listed = (run / "checksums").read_bytes()
    phiscan("report", run, "--annex", tmp_path / "1.html", "--format", "json")
    noted = next(line for line in (run / "checksums").read_text().splitlines() if line.endswith(ANNEX_LOG))
    (run / "checksums").write_bytes(listed + b"\n" + noted.encode())
    assert phiscan("report", run, "--annex", tmp_path / "2.html", "--format", "json")[0] == 0
    assert len(log_of(run)) == 2


def test_none_stands_unlogged(run, phiscan, tmp_path, monkeypatch):
    from phiscan.errors import StoreError

    def full(*_):
        raise StoreError("--out: cannot be written (No space left on device)")

    monkeypatch.setattr(RunDirectory, "append_line", full)
    assert phiscan("report", run, "--annex", tmp_path / "a.html")[0] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_places_that_would_be_overwritten_or_carried_away_are_refused(run, phiscan, tmp_path):
    (tmp_path / "link").symlink_to(run / "tables")
    (tmp_path / "notes.jsonl").write_text("kept")
    for place in (
        run / "annex.html",
        tmp_path / "link" / "a.html",
        tmp_path / "notes.jsonl",
        tmp_path / "none" / "a",
    ):
        code, _, err = phiscan("report", run, "--annex", place)
        assert (code, err.startswith("phiscan: --annex: ")) == (2, True)
    assert (tmp_path / "notes.jsonl").read_text() == "kept"
    assert phiscan("report", run, "--annex", tmp_path / "a", "--annex-for", "a\x1b[31m")[0] == 2
    assert phiscan("report", run, "--annex-all")[0] == 2
    assert phiscan("report", run, "--annex", tmp_path / "a", "--format", "nope")[0] == 2
    assert log_of(run) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "notes.jsonl", "run"]


@pytest.mark.parametrize(
    "broken", ["checksums", "report.json", "tables/hits", "tables/verdicts", "index/notes"]
)
def test_a_run_that_is_unfinished_or_damaged_is_refused(broken, run, phiscan, tmp_path):
    path = run / broken
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert phiscan("report", run, "--annex", tmp_path / "a.html")[0] == 2
    assert not (tmp_path / "a.html").exists()
    assert log_of(run) == []


# --- encrypted ----------------------------------------------------------------------------------


def test_an_encrypted_annex_opens_with_its_password_alone(run, phiscan, tmp_path, monkeypatch):
    sealed, opened = tmp_path / "annex.sealed", tmp_path / "page.html"
    assert phiscan("report", run, "--annex", sealed, "--annex-password-env", "ANNEX_SECRET")[0] == 0
    assert not any(value in sealed.read_text() for value in ("Lindqvist", "article"))
    assert log_of(run)[0]["encrypted"] is True
    assert stat.S_IMODE(sealed.stat().st_mode) == 0o600
    opening = ("report", "--open-annex", sealed, "--annex", opened, "--annex-password-env")
    monkeypatch.setenv("WRONG_SECRET", "three other words")
    for name, said in (("WRONG_SECRET", "another password"), ("NO_SUCH_SECRET", "holds no password")):
        code, _, err = phiscan(*opening, name)
        assert code == 2
        assert said in err
        assert not opened.exists()
    os.mkfifo(tmp_path / "pipe")
    for given, page in ((tmp_path / "pipe", opened), (sealed, run / "tables" / "page.html")):
        more = ("--annex", page, "--annex-password-env", "ANNEX_SECRET")
        assert phiscan("report", "--open-annex", given, *more)[0] == 2
        assert not page.exists()
    assert phiscan(*opening, "ANNEX_SECRET")[0] == 0
    assert stat.S_IMODE(opened.stat().st_mode) == 0o600
    assert len(Annex(opened.read_text(encoding="utf-8")).articles) == len(entries_of(run))


def test_a_password_that_is_missing_or_short_is_refused_before_anything_is_read(
    phiscan, tmp_path, monkeypatch
):
    monkeypatch.setenv("SHORT_SECRET", "elevenchars")
    for name in ("SHORT_SECRET", "NO_SUCH_SECRET"):
        code, _, err = phiscan(
            "report", tmp_path / "no run", "--annex", tmp_path / "a", "--annex-password-env", name
        )
        assert code == 2
        assert "--annex-password-env: " in err
    assert "--open-annex: " in phiscan("report", "--open-annex", tmp_path / "a")[2]
