"""What stands where while a scan loads, after a load that failed, and after one that was killed."""

import gc
import json
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from tiny_model import make_model

from phiscan import note_index, pipeline
from phiscan.config import load_config
from phiscan.detect import build_detectors
from phiscan.errors import PhiscanError
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.records import Note
from phiscan.store import TABLES, RunDirectory

WORDS = "seen walked slept ate drank coughed rested stood bent climbed wrote asked told agreed waited".split()


def text_of(number):
    prose = " ".join(WORDS[(number * 7 + k * k) % len(WORDS)] + str(number * k % 13) for k in range(50))
    return f"Patient: Nia Quill  MRN: {7_700_000 + number}  seen 4/{number % 28 + 1}/2021.\n{prose}"


def notes_of(count, **changes):
    return [
        {"note_id": f"N{n}", "patient_id": f"P{n // 2}", "text": text_of(n), **changes} for n in range(count)
    ]


def outputs_of(notes):
    """Of every note two draws, one of a control; some by a copy's id, some of unknown notes."""
    rows = []
    for n, note in enumerate(notes):
        prefix = note["text"][:60]
        for model in ("tuned", "tuned", "base") if n % 3 else ("tuned",):
            said = note["text"][60:] if n % 4 else "Nothing of note."
            rows.append({"note_id": note["note_id"], "prefix": prefix, "continuation": said, "model": model})
        if n % 5 == 0:
            rows.append(
                {
                    "note_id": f"unknown {n % 10}",
                    "prefix": "",
                    "continuation": "MRN: 7700001",
                    "model": "tuned",
                }
            )
    return [*rows[1::2], *rows[::2]]


def good_files(folder, write_jsonl, notes=None, outputs=None, out="runs/first/run", **more):
    """A scan of outputs made elsewhere; the notes of one patient stand apart in the file."""
    notes = notes_of(24) if notes is None else notes
    rows = [*notes[::2], *notes[1::2], {**notes[0], "note_id": "copy"}]
    outputs = outputs_of([*notes, rows[-1]]) if outputs is None else outputs
    return ScanInputs(
        notes=write_jsonl(folder / "notes.jsonl", rows),
        replay=write_jsonl(folder / "outputs.jsonl", outputs),
        out=folder / out,
        **{"control": "base", **more},
    )


@pytest.fixture
def files(tmp_path, write_jsonl):
    return partial(good_files, tmp_path, write_jsonl)


def config(shard_notes=4, **sections):
    return load_config(
        flags={"detect": {"detectors": ["rules"]}, "run": {"shard_notes": shard_notes}, **sections}
    )


@pytest.fixture(scope="module")
def detectors():
    return build_detectors(config().detect)


@pytest.fixture(autouse=True)
def _rules_are_read_once(monkeypatch, detectors):
    monkeypatch.setattr(pipeline, "build_detectors", lambda *_, **__: detectors)


def tables(run):
    directory = RunDirectory(run)
    return {name: list(directory.read_table(name)) for name in TABLES}


def standing(folder):
    """Every file and folder with its bytes and its time."""
    return {
        path.relative_to(folder): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else None)
        for path in folder.rglob("*")
    }


# Whole or in shards


@pytest.mark.parametrize("tokenizer", [False, True])
def test_shards_give_the_records_of_one(files, tmp_path, tokenizer):
    more = {"tokenizer": str(make_model(tmp_path / "model"))} if tokenizer else {}
    scan(files(out="one", **more), config(1000))
    scan(files(out="many", **more), config(4))
    one, many = tables(tmp_path / "one"), tables(tmp_path / "many")
    assert len(list((tmp_path / "many" / "tables" / "hits").glob("*"))) > 4
    assert len({row.arm for row in one["continuations"]}) == 2
    assert {row.prefix_tok is None for row in one["prompts"]} == ({True, False} if tokenizer else {True})
    for name, rows in one.items():
        assert sorted(map(full, many[name])) == sorted(map(full, rows)), name


def full(row):
    return str({name: getattr(row, name) for name in row.__dataclass_fields__})


def test_few_notes_stand_in_memory_at_once(files, monkeypatch):
    monkeypatch.setattr(note_index, "_NOTES_KEPT", 30)
    alive = []

    def progress(stage, done, total):
        if done % 4 == 0:
            alive.append(sum(type(held) is Note for held in gc.get_objects()))

    add = note_index.NoteIndexBuilder.add

    def counted_add(self, note, argument):
        if note.row % 40 == 0:
            progress("load", 0, 0)
        add(self, note, argument)

    monkeypatch.setattr(note_index.NoteIndexBuilder, "add", counted_add)
    notes = notes_of(200)
    outputs = [
        {"note_id": note["note_id"], "prefix": "", "continuation": note["text"]} for note in notes[::4]
    ]
    gc.collect()
    scan(files(notes=notes, outputs=outputs, control=None), config(10), progress)
    assert len(alive) > 12
    assert max(alive) < 100


# Loads that fail

BAD = {
    "a repeated id": (notes_of(24) + [{"note_id": "N3", "patient_id": "Z", "text": "late"}], {}),
    "a patient in both splits": (notes_of(24) + [{**notes_of(3)[2], "note_id": "Z", "split": "test"}], {}),
    "only held-out notes": (notes_of(6, split="holdout"), {}),
    "several models": (None, {"control": None}),
    "no such control": (None, {"control": "other"}),
    "no such file": (None, {"holdout": Path("nowhere.jsonl")}),
    "an unusable output": (None, {"outputs": [{"note_id": "", "prefix": "", "continuation": ""}]}),
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory, write_jsonl, detectors):
    """A finished run of the good files."""
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "build_detectors", lambda *_, **__: detectors)
        inputs = good_files(folder, write_jsonl, out="run")
        scan(inputs, config())
    return inputs.out


@pytest.mark.parametrize("fault", BAD)
@pytest.mark.parametrize("place", ["absent", "empty", "standing"])
def test_a_load_that_fails_leaves_everything_as_it_was(fault, place, files, tmp_path, finished):
    out = tmp_path / "runs/first/run"
    if place == "empty":
        out.mkdir(parents=True)
    if place == "standing":
        shutil.copytree(finished, out)
    before = standing(tmp_path / "runs")
    notes, more = BAD[fault]
    with pytest.raises(PhiscanError):
        scan(files(notes=notes, **more), config())
    assert (tmp_path / "runs").exists() == (place != "absent")
    after = standing(tmp_path / "runs")
    if place == "empty":  # the folder itself was written in
        assert list(after) == list(before)
    else:
        assert after == before


def test_notes_too_short_for_any_prefix_leave_nothing(files, tmp_path):
    inputs = files()._replace(replay=None, control=None)
    with pytest.raises(PhiscanError, match="no note is longer than the shortest prefix of 5000 tokens"):
        scan(inputs, config(model={"backend": "echo"}, regenerate={"prefix_lengths": [5000]}))
    assert not (tmp_path / "runs").exists()


def test_a_disk_that_is_full_is_told_in_one_line(files, tmp_path, monkeypatch):
    import sqlite3

    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(note_index.NoteIndexBuilder, "write", full)
    with pytest.raises(PhiscanError, match=r"^--out: cannot be written \(is the disk full\?\)$"):
        scan(files(), config())
    assert not (tmp_path / "runs").exists()


# Loads that are killed or need not be made again


def test_a_run_that_stands_does_not_read_its_inputs_again(files, monkeypatch):
    inputs = files()
    scan(inputs, config())
    before = tables(inputs.out)
    for part in (inputs.out / "tables" / "matches").glob("*"):
        part.unlink()

    def read(*_, **__):
        raise AssertionError

    monkeypatch.setattr(pipeline, "index_notes", read)
    monkeypatch.setattr(pipeline, "index_replay", read)
    coverage = scan(inputs, config()).coverage
    assert tables(inputs.out) == before
    assert (coverage.rows_read, coverage.copies_folded, coverage.notes) == (25, 1, 24)


@pytest.mark.parametrize(
    "where", ["phiscan.note_index.NoteIndexBuilder.write", "phiscan.replay_rows.write_counts"]
)
def test_killed_while_loading(where, files, tmp_path):
    inputs = files(out="run")
    wanted = files(out="undisturbed")
    scan(wanted, config())
    kill = (
        "import os, pkgutil, sys\n"
        "owner, _, name = sys.argv[1].rpartition('.')\n"
        "setattr(pkgutil.resolve_name(owner), name, lambda *_: os._exit(9))\n"
        "sys.argv[:2] = ['phiscan']\n"
        "from phiscan.cli import main; main()\n"
    )
    command = [
        *(
            "scan",
            "--notes",
            inputs.notes,
            "--replay",
            inputs.replay,
            "--control",
            "base",
            "--out",
            inputs.out,
        ),
        *("--set", 'detect.detectors=["rules"]', "--set", "run.shard_notes=4"),
    ]
    killed = subprocess.run(
        [sys.executable, "-c", kill, where, *map(str, command)], check=False, capture_output=True
    )
    assert killed.returncode == 9, killed.stderr
    assert list(inputs.out.rglob(".unfinished-*"))
    assert {path.stat().st_mode & 0o077 for path in [inputs.out, *inputs.out.rglob("*")]} == {0}
    scan(inputs, config())
    assert not list(inputs.out.rglob(".unfinished-*"))
    assert tables(inputs.out) == tables(wanted.out)
    assert json.loads((inputs.out / "report.json").read_text())["coverage"]["complete"] is False
