"""Files of `phiscan plant` through a training: what stood there six times comes back, twins never do."""

import json

import pytest

from phiscan.commands.demo_corpus import make_corpus, write_corpus
from phiscan.commands.demo_model import train_demo_model
from phiscan.commands.plant import PlantInputs, plant
from phiscan.config import load_config
from phiscan.load import LoadSettings
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import expose, scan
from phiscan.reporting.plants import read_sentences

pytestmark = pytest.mark.slow

PATIENTS, STEPS = 6, 270


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Six plants at each of 1, 3 and 6 repetitions among a dozen of the demo's notes, and six twins."""
    folder = tmp_path_factory.mktemp("planted")
    write_corpus(make_corpus(repeated=0, unique=12, holdout=4), folder / "notes")
    notes = folder / "notes/notes.jsonl"
    plant(PlantInputs(folder / "made", notes, PATIENTS, (1, 3, 6), PATIENTS, 3), LoadSettings())
    return folder


@pytest.fixture(scope="module")
def training(folder):
    return [json.loads(line) for line in (folder / "made/training.jsonl").read_text().splitlines()]


def inputs(folder, model, out):
    made = folder / "made"
    return ScanInputs(notes=made / "scan.jsonl", known=made / "known.csv", model=str(model), out=out)


def settings(lengths):
    return load_config(
        flags={
            "detect": {"detectors": ["rules"]},
            "regenerate": {"prefix_lengths": lengths, "max_new_tokens": 150},
            "expose": {"decoys": 0, "enabled": True},
        },
        environment={},
    )


def test_plants_come_back_by_how_often_they_were_read_and_twins_never(folder, training, tmp_path):
    train_demo_model([row["text"] for row in training], tmp_path / "model", seed=1, steps=STEPS)
    report = scan(inputs(folder, tmp_path / "model", tmp_path / "run"), settings([50, 200]))
    rows = {(row.arm, row.repetitions): row for row in report.plants.rows}
    bands = ("1", "2-5", "6-10")
    assert all(rows["plant", band].patients == PATIENTS for band in bands)
    assert rows["plant", "6-10"].patients_with_headline_leak.value == 1
    recovered = [rows["plant", band].phi_recovery_rate.value for band in bands]
    print("recovered at 1, 3, 6 repetitions:", *(f"{share:.3f}" for share in recovered))
    assert recovered[0] < recovered[1] <= recovered[2]
    twins = rows["twin", None]
    assert twins.patients == PATIENTS
    assert twins.patients_with_headline_leak.count == twins.phi_recovery_rate.count == 0
    assert not any(ratio.count for ratio in twins.ratios)
    assert all(row.low > 0 for row in report.exposure.plants_read)
    means = {(row.prefix_length, row.repetitions): row.plant_mean for row in report.exposure.plants_read}
    assert all(means[length, "1"] < means[length, "2-5"] < means[length, "6-10"] for length in (32, 50, 200))
    [said] = read_sentences(report.exposure)
    assert said.startswith("Training read the plants' text")


def test_text_that_training_cut_off_is_flagged(folder, training, tmp_path):
    """A truncation after 130 words: behind 500 tokens nothing received loss."""
    cut = [" ".join(row["text"].split(" ")[:130]) for row in training]
    train_demo_model(cut, tmp_path / "model", seed=1, steps=120)
    read = expose(inputs(folder, tmp_path / "model", tmp_path / "run"), settings([50, 500]))
    shown = {row.prefix_length: row.low > 0 for row in read.plants_read if row.repetitions is None}
    assert shown == {32: True, 50: True, 500: False}
    assert "behind the first 500 tokens" in read_sentences(read)[1]


def test_plants_that_were_left_out_are_flagged(folder, training, tmp_path):
    patients = [row["text"] for row in training if row["split"] == "member"]
    train_demo_model(patients, tmp_path / "model", seed=1, steps=60)
    read = expose(inputs(folder, tmp_path / "model", tmp_path / "run"), settings([50, 200]))
    assert not any(row.low > 0 for row in read.plants_read if row.repetitions is None)
    assert all(said.startswith("Nothing shows that training read") for said in read_sentences(read))
