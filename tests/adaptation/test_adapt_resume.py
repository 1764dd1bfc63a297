"""kill -9 while a model is being adapted: the same command gives the weights of an undisturbed adaptation."""

import shutil
import signal
import subprocess
import sys
import time

import pytest
from planted_notes import FAST, fresh_model, planted_rows

from phiscan.adaptation.result import AdaptReport

pytestmark = pytest.mark.slow
EPOCHS = 4


@pytest.fixture(scope="module")
def command(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("kill")
    rows = planted_rows(patients=6)
    notes = write_jsonl(folder / "notes.jsonl", rows)
    model = fresh_model(folder / "model", rows)
    # Adapters with dropout: what is drawn at random after the kill must be what would have been drawn.
    settings = [*FAST, f"adapt.epochs={EPOCHS}", "adapt.lora_rank=8", "adapt.lora_dropout=0.1"]
    return [
        *(sys.executable, "-m", "phiscan", "adapt", "--model", str(model), "--notes", str(notes)),
        *[part for setting in settings for part in ("--set", setting)],
    ]


@pytest.fixture(scope="module")
def undisturbed(command, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    subprocess.run([*command, "--out", str(out)], check=True, capture_output=True)
    return report_of(out)


def report_of(out):
    return AdaptReport.model_validate_json((out / "adapt.json").read_text())


def killed(command, out, seen):
    """Run until ``seen`` is true of the folder, then kill; true if it was still running."""
    adapting = subprocess.Popen(
        [*command, "--out", str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while adapting.poll() is None and not seen(out):
        time.sleep(0.002)
    running = adapting.poll() is None
    adapting.send_signal(signal.SIGKILL)
    adapting.wait()
    return running


def without_times(report):
    """The report but for wall seconds."""
    content = report.model_dump(mode="json")
    for row in content["epochs"]:
        row["leaks"]["seconds"] = 0
    return content


@pytest.mark.parametrize(
    "seen",
    [
        lambda out: any(out.glob("checkpoints/checkpoint-*")),  # perhaps half-written
        lambda out: any(out.glob("epochs/epoch-002/run.json")),
        lambda out: any(out.glob("epochs/epoch-002/report.json")),
    ],
    ids=["while a checkpoint is written", "while an epoch is measured", "after it was measured"],
)
def test_killed_and_called_again_it_ends_the_same(command, undisturbed, tmp_path, seen):
    out = tmp_path / "out"
    assert killed(command, out, seen)
    assert not (out / "adapt.json").exists()
    subprocess.run([*command, "--out", str(out)], check=True, capture_output=True)
    report = report_of(out)
    assert report.final == undisturbed.final
    assert without_times(report) == without_times(undisturbed)
    assert [row.epoch for row in report.epochs] == list(range(EPOCHS + 1))


def test_killed_when_all_but_the_report_was_there(command, undisturbed, tmp_path):
    out = tmp_path / "out"
    assert killed(command, out, lambda out: len(list(out.glob("checkpoints/*/trainer_state.json"))) == EPOCHS)
    subprocess.run([*command, "--out", str(out)], check=True, capture_output=True)
    assert without_times(report_of(out)) == without_times(undisturbed)


def test_a_checkpoint_cut_off_is_thrown_away(command, undisturbed, tmp_path):
    out = tmp_path / "out"
    assert killed(command, out, lambda out: len(list(out.glob("checkpoints/*/trainer_state.json"))) == 2)
    last = max(out.glob("checkpoints/checkpoint-*"), key=lambda path: int(path.name.split("-")[1]))
    (last / "trainer_state.json").unlink()
    shutil.rmtree(out / "epochs" / "epoch-002")
    subprocess.run([*command, "--out", str(out)], check=True, capture_output=True)
    assert without_times(report_of(out)) == without_times(undisturbed)
