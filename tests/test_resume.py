"""kill -9 in the middle of pass 2; the same command again gives the records of an undisturbed run."""

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from tiny_model import TEXTS, make_model

from phiscan.store import TABLES, RunDirectory

STAGES = ("continuations", "matches", "hits", "verdicts")


@pytest.fixture(scope="module")
def command(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("resume")
    rng = random.Random(8)
    rows = [
        {
            "note_id": f"N{i}",
            "patient_id": f"P{i // 2}",
            "split": "holdout" if i >= 20 else "member",
            "text": f"Patient: Nia Quill{i}  MRN: 77{i:04}1  seen 4/{i + 1}/2021. "
            + " ".join(rng.sample(TEXTS, 4)),
        }
        for i in range(24)
    ]
    notes = write_jsonl(folder / "notes.jsonl", rows)
    model, control = make_model(folder / "model"), make_model(folder / "control", seed=1)
    return [
        *(sys.executable, "-m", "phiscan", "scan", "--notes", str(notes), "--model", str(model)),
        *("--control", str(control), "--set", "run.shard_notes=2", "--set", "regenerate.max_new_tokens=60"),
        *("--set", "regenerate.prefix_lengths=[20, 40]"),
    ]


def tables(run):
    directory = RunDirectory(run)
    return {name: list(directory.read_table(name)) for name in TABLES}


@pytest.fixture(scope="module")
def undisturbed(command, tmp_path_factory):
    run = tmp_path_factory.mktemp("undisturbed") / "run"
    subprocess.run([*command, "--out", str(run)], check=True, capture_output=True)
    return tables(run)


def kill_once(command, run, stage, parts):
    """Kill the scan once ``parts`` parts of ``stage`` stand; True if it was still running."""
    scan = subprocess.Popen(
        [*command, "--out", str(run)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    folder = run / "tables" / stage
    while scan.poll() is None and len(list(folder.glob("*.parquet"))) < parts:
        time.sleep(0.005)
    alive = scan.poll() is None
    scan.send_signal(signal.SIGKILL)
    scan.wait()
    return alive


def check_resumed(command, run, undisturbed):
    subprocess.run([*command, "--out", str(run)], check=True, capture_output=True)
    found = tables(run)
    for name, rows in undisturbed.items():
        assert found[name] == rows, name
    assert not list(run.rglob(".unfinished-*"))


def test_killed_in_the_middle_of_the_map_pass(command, undisturbed, tmp_path):
    run = tmp_path / "run"
    assert kill_once(command, run, "matches", 3)
    before = {path: path.stat().st_mtime_ns for path in (run / "tables" / "matches").glob("*.parquet")}
    assert len(before) < 12
    assert not (run / "report.json").exists()
    check_resumed(command, run, undisturbed)
    kept = {path: path.stat().st_mtime_ns for path in before}
    assert kept == before, "parts that stood are not made again"


@pytest.mark.slow
def test_killed_again_and_again_at_random(command, undisturbed, tmp_path):
    rng = random.Random(int(os.environ.get("RESUME_SEED", "11")))
    for attempt in range(5):
        run = tmp_path / f"run{attempt}"
        kills = sum(kill_once(command, run, rng.choice(STAGES), rng.randrange(1, 12)) for _ in range(3))
        assert kills
        check_resumed(command, run, undisturbed)


def test_a_changed_setting_refuses_to_resume_and_is_named(command, undisturbed, tmp_path):
    run = tmp_path / "run"
    assert kill_once(command, run, "continuations", 1)
    changed = [*command, "--out", str(run), "--set", "match.template_patients=5"]
    refused = subprocess.run(changed, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "settings.match.template_patients" in refused.stderr
    faster = [*command, "--out", str(run), "--set", "model.batch_size=3"]
    subprocess.run(faster, check=True, capture_output=True)
    found = tables(run)
    for made, wanted in zip(found.pop("continuations"), undisturbed["continuations"], strict=True):
        assert made.mean_logprob == pytest.approx(wanted.mean_logprob, abs=1e-5)
        assert replace(made, mean_logprob=wanted.mean_logprob) == wanted
    # In float32 the batch size changes no token, so no record that is made of them.
    assert found == {name: rows for name, rows in undisturbed.items() if name != "continuations"}
