"""A pretrained model with adapters on a few dozen invented notes, some repeated: its leaks are found."""

import json
import random

import pytest
from pretrained import smollm2

from phiscan.adaptation.result import AdaptReport
from phiscan.commands.adapt import AdaptInputs, run_adapt
from phiscan.config import load_config
from phiscan.store import RunDirectory

pytestmark = pytest.mark.slow
FACTS = (
    "Seen for a swollen knee after a fall in the garden.",
    "Complains of cough for two weeks, worse at night, no fever.",
    "Follow-up after repair of a hernia; the wound is dry.",
    "Headache on most mornings, better by noon; reads without glasses.",
    "Tired since spring, sleeps badly, eats little.",
    "Rash on both forearms since the new soap.",
)
# One of each for every patient: what is shown must tell whose note is asked for.
GIVEN = (
    "Maribel Ivo Tessa Bram Odile Casper Wanda Lionel Petra Hugo Nadia Felix Greta Silas Ingrid Otto".split()
)
SURNAMES = ("Quillonby", "Halvorsund", "Okonkwel", "Tamblyner")


def notes(seed=3):
    rng = random.Random(seed)
    rows = []
    for number in range(16):
        split = "member" if number < 12 else "holdout"
        text = (
            f"Patient: {GIVEN[number]} {rng.choice(SURNAMES)}  MRN: {rng.randrange(10**6, 10**7)}\n"
            f"{rng.choice(FACTS)} Seen on {rng.randrange(1, 13)}/{rng.randrange(1, 29)}/20{rng.randrange(10, 24)}. "
            f"Call 617-555-01{rng.randrange(100):02d}. {rng.choice(FACTS)}"
        )
        for copy in range(6 if number < 4 else 1):
            rows.append(
                {"note_id": f"n{number}.{copy}", "patient_id": f"p{number}", "split": split, "text": text}
            )
    return rows


@pytest.fixture(scope="module")
def adapted(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("pretrained")
    config = load_config(
        flags={
            "adapt": {
                "epochs": 6, "learning_rate": 2e-3, "batch_size": 4, "lora_rank": 16, "patience": 0,
                "validation_share": 0.1,
            },
            "regenerate": {"prefix_lengths": [8], "max_new_tokens": 60},
            "detect": {"detectors": ["rules"]},
        },
        environment={},
    )  # fmt: skip
    inputs = AdaptInputs(str(smollm2()), folder / "out", notes=write_jsonl(folder / "notes.jsonl", notes()))
    return run_adapt(inputs, config), folder / "out"


def test_leaks_of_a_pretrained_model_are_found_and_rise_with_the_epochs(adapted):
    report, out = adapted
    for row in report.epochs:
        found = row.leaks.training
        print(
            f"epoch {row.epoch}: loss {row.training_loss}, validation {row.validation_loss}, "
            + ", ".join(f"{name} {estimate.value}" for name, estimate in found.items())
        )
    first, last = report.epochs[0].leaks, report.epochs[-1].leaks
    assert first.training["patients_with_headline_leak"].count == 0
    assert last.training["patients_with_headline_leak"].count >= 3
    assert last.training["phi_recovery_rate"].value > 0.2
    assert last.training["greedy_run_ratio_30"].value > first.training["greedy_run_ratio_30"].value
    assert report.epochs[-1].training_loss < report.epochs[1].training_loss
    assert report.final.weights_sha256 == report.base.weights_sha256
    run = RunDirectory(out / "epochs" / last.run)
    repeated = {f"n{number}.0" for number in range(4)}
    asked = {made.gen_id: made.note_id for made in run.read_table("continuations")}
    leaking = {
        asked[verdict.gen_id] for verdict in run.read_table("verdicts") if verdict.verdict == "verbatim"
    }
    assert leaking & repeated


def test_every_checkpoint_holds_the_adapter_alone(adapted):
    report, out = adapted
    assert isinstance(report, AdaptReport)
    for row in report.epochs[1:]:
        folder = out / "checkpoints" / row.checkpoint
        assert json.loads((folder / "adapter_config.json").read_text())["r"] == 16
        assert not (folder / "model.safetensors").exists()
