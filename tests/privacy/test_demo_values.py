"""No value of the demo's patients stands in anything that a run of phiscan writes or prints for others."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import pytest
from paper import text_on_paper
from renderers.sample_report import full_report

from phiscan.commands.demo_corpus import make_corpus
from phiscan.normalize import canonical, is_specific
from phiscan.registry import load_plugin
from phiscan.scan_report import ScanReport

pytestmark = pytest.mark.slow
RESTRICTED = ("tables", "index", "demo", "key", "review")
"""What a run directory holds for those who may read the notes; review has the tasks of annotators."""
SHORTEST = 5


def own_words():
    """The report's own vocabulary, in lower case: a report of other figures, and the names of its fields."""
    told = "".join(
        load_plugin("renderers", name).render(full_report()) for name in ("html", "console", "json")
    )
    return set(re.findall(r"[^\W\d_]+", (told + json.dumps(ScanReport.model_json_schema())).lower()))


@pytest.fixture(scope="module")
def values():
    """Every PHI value of the demo's corpus that is specific, or long enough and no word of the report's own."""
    words, found = own_words(), set()
    for note in make_corpus(seed=7).notes:
        for span in note.spans:
            text = note.text[span.start : span.end]
            specific = is_specific(span.category, canonical(span.category, text))
            if specific or (
                len(text) >= SHORTEST and not set(re.findall(r"[^\W\d_]+", text.lower())) & words
            ):
                found.add(" ".join(text.lower().split()))
    assert len(found) > 1000
    return found


@pytest.fixture(scope="module")
def seen(values):
    """The values that stand in a text, whole, in any case and whatever white space is between."""
    pattern = re.compile(
        r"(?<!\w)(?:" + "|".join(map(re.escape, sorted(values, key=len, reverse=True))) + r")(?!\w)"
    )
    return lambda text: set(pattern.findall(" ".join(text.lower().split())))


def phiscan(*arguments, cwd, before=None):
    command = [sys.executable, "-m", "phiscan", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, preexec_fn=before)


def said(result):
    return result.stdout + result.stderr


def texts_of(run):
    """Every file of a run directory that is not restricted, as text; of a PDF what can be read on it too."""
    for path in sorted(run.rglob("*")):
        if path.is_file() and path.relative_to(run).parts[0] not in RESTRICTED:
            yield path.relative_to(run), path.read_bytes().decode("utf-8", "replace")
            if path.suffix == ".pdf":
                yield path.relative_to(run), text_on_paper(path)


def test_the_values_would_be_seen_where_they_stand(demo, seen):
    notes = (demo[1] / "demo" / "notes.jsonl").read_text()
    assert len(seen(notes)) > 1000
    assert seen("no value here, 12 of 34 (35.3%)") == set()


def test_no_output_of_the_demo_holds_a_value(demo, seen, tmp_path):
    run = shutil.copytree(demo[1], tmp_path / "run")
    for arguments in (
        ("report", run),
        ("report", run, "--format", "html,json,pdf,csv"),
        (
            "gate",
            run,
            "--policy",
            "strict",
            "--junit",
            tmp_path / "gate.xml",
            "--sarif",
            tmp_path / "gate.sarif",
        ),
        ("compare", run, demo[1], "--json"),
        ("study", run, "--out", tmp_path / "study"),
        ("report", run, "--annex", tmp_path / "annex.html"),
        ("review", "export", run),
    ):
        result = phiscan(*arguments, cwd=tmp_path)
        assert result.returncode in (0, 1), result.stderr
        assert seen(said(result)) == set(), arguments[0]
    assert "headline leak" in text_on_paper(run / "report.pdf")
    assert len(list((run / "report-tables").iterdir())) > 10
    assert seen((tmp_path / "annex.html").read_text())  # so the search sees what there is
    for name, text in [*texts_of(run), *texts_of(tmp_path / "study")]:
        assert seen(text) == set(), name
    for name in ("gate.xml", "gate.sarif"):
        assert seen((tmp_path / name).read_text()) == set(), name


@pytest.fixture
def replayed(demo, tmp_path):
    """The demo's notes and answers as files, and the arguments of a scan of them without a model."""
    from phiscan.store import RunDirectory

    run = RunDirectory(demo[1])
    prompts = {prompt.prompt_id: prompt.text for prompt in run.read_table("prompts")}
    notes, outputs, known = (tmp_path / name for name in ("notes.jsonl", "outputs.jsonl", "known.csv"))
    shutil.copy(demo[1] / "demo" / "notes.jsonl", notes)
    shutil.copy(demo[1] / "demo" / "known.csv", known)
    rows = [
        {"note_id": made.note_id, "prefix": prompts[made.prompt_id], "continuation": made.text}
        for made in run.read_table("continuations")
        if made.arm == "scanned"
    ]
    outputs.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return ["scan", "--notes", notes, "--known", known, "--replay", outputs, "--out", tmp_path / "run"]


def broken_row(folder):
    with (folder / "notes.jsonl").open("a") as file:
        file.write((folder / "notes.jsonl").read_text().splitlines()[3][:-40] + "\n")


def swapped_columns(folder):
    rows = (folder / "known.csv").read_text().splitlines()
    (folder / "known.csv").write_text("\n".join([rows[1], *rows[2:]]) + "\n")


def half_an_answer(folder):
    text = (folder / "outputs.jsonl").read_text()
    (folder / "outputs.jsonl").write_text(text[: len(text) // 2])


def a_note_twice(folder):
    with (folder / "notes.jsonl").open("a") as file:
        row = json.loads((folder / "notes.jsonl").read_text().splitlines()[0])
        file.write(json.dumps({**row, "text": row["text"][::-1]}) + "\n")


def odd_encoding(folder):
    raw = (folder / "notes.jsonl").read_text().encode("utf-16")
    (folder / "notes.jsonl").write_bytes(raw)


@pytest.mark.parametrize("fault", [broken_row, swapped_columns, half_an_answer, a_note_twice, odd_encoding])
def test_faulty_files_are_spoken_of_without_a_value(replayed, seen, tmp_path, fault):
    fault(tmp_path)
    result = phiscan(*replayed, cwd=tmp_path)
    assert result.returncode in (0, 2), result.stderr
    assert said(result)
    assert seen(said(result)) == set()
    for name, text in texts_of(tmp_path / "run"):
        assert seen(text) == set(), name


def no_room():
    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def test_a_full_disk_is_spoken_of_without_a_value(replayed, seen, tmp_path):
    result = phiscan(*replayed, cwd=tmp_path, before=no_room)
    assert result.returncode not in (0, 1)
    assert seen(said(result)) == set()
    for name, text in texts_of(tmp_path / "run"):
        assert seen(text) == set(), name
    assert phiscan(*replayed, cwd=tmp_path).returncode == 0, "nothing that stood is in the way"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_scan_that_is_stopped_says_no_value(replayed, seen, tmp_path, how):
    command = [sys.executable, "-m", "phiscan", *map(str, replayed)]
    started = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while started.poll() is None and not (tmp_path / "run" / "tables").exists():
        time.sleep(0.05)
    os.kill(started.pid, how)
    out, err = started.communicate(timeout=60)
    assert seen(out + err) == set()
    for name, text in texts_of(tmp_path / "run"):
        assert seen(text) == set(), name


@pytest.mark.parametrize("part", ["report.json", "run.json", "tables/hits", "tables/notes", "index", "key"])
def test_a_damaged_run_is_spoken_of_without_a_value(demo, seen, tmp_path, part):
    run = shutil.copytree(demo[1], tmp_path / "run")
    files = [run / part] if (run / part).is_file() else [p for p in (run / part).rglob("*") if p.is_file()]
    for file in files:
        file.chmod(0o600)
        raw = file.read_bytes()
        file.write_bytes(raw[: len(raw) // 2] + b"\x00PATIENT" + raw[len(raw) // 2 + 8 :])
    told = ""
    for arguments in (
        ("report", run),
        ("gate", run, "--policy", "strict"),
        ("report", run, "--annex", tmp_path / "a.html"),
        ("review", "export", run),
        ("study", run, "--out", tmp_path / "study"),
    ):
        result = phiscan(*arguments, cwd=tmp_path)
        assert seen(said(result)) == set(), arguments
        told += result.stderr
    assert "phiscan: " in told
