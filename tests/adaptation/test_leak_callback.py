"""Three lines in anybody's Trainer script: leakage by epoch, stopped at a bound, weights untouched."""

import hashlib

import pytest
from planted_notes import fresh_model, planted_rows
from transformers import AutoModelForCausalLM, AutoTokenizer, Trainer, TrainerCallback, TrainingArguments

from phiscan.adaptation.callback import PhiLeakCallback, measured
from phiscan.config import load_config
from phiscan.errors import ConfigError
from phiscan.scan_report import ScanReport
from phiscan.store import RunDirectory

QUICK = load_config(
    flags={
        "detect": {"detectors": ["rules"]},
        "regenerate": {"prefix_lengths": [5, 10], "max_new_tokens": 60},
        "model": {"batch_size": 8},
    },
    environment={},
)


@pytest.fixture(scope="module")
def files(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("callback")
    rows = planted_rows()
    return {
        "notes": write_jsonl(folder / "notes.jsonl", rows),
        "model": fresh_model(folder / "model", rows),
        "texts": [row["text"] for row in rows if row["split"] != "twin"],
    }


def trained(files, out, *callbacks, epochs=6, dropout=0.0):
    """A plain Trainer script that knows nothing of phiscan but its callbacks."""
    model = AutoModelForCausalLM.from_pretrained(files["model"], attention_dropout=dropout)
    tokenizer = AutoTokenizer.from_pretrained(files["model"])

    def rows(batch):
        made = tokenizer(batch, return_tensors="pt", padding=True, padding_side="right")
        return {**made, "labels": made["input_ids"].masked_fill(made["attention_mask"] == 0, -100)}

    trainer = Trainer(
        model=model,
        args=TrainingArguments(
            str(out), num_train_epochs=epochs, per_device_train_batch_size=4, learning_rate=5e-3, seed=3,
            save_strategy="no", report_to="none", disable_tqdm=True, use_cpu=True, remove_unused_columns=False,
        ),
        train_dataset=files["texts"],
        data_collator=rows,
        processing_class=tokenizer,
        callbacks=list(callbacks),
    )  # fmt: skip
    trainer.train()
    return trainer


def hash_of(model):
    total = hashlib.sha256()
    for _, value in sorted(model.state_dict().items()):
        total.update(value.numpy().tobytes())
    return total.hexdigest()


@pytest.fixture(scope="module")
def watched(files, tmp_path_factory):
    out = tmp_path_factory.mktemp("watched")
    callback = PhiLeakCallback(files["notes"], out / "leaks", config=QUICK)
    return callback, trained(files, out / "trainer", callback, dropout=0.1), out / "leaks"


def test_the_ratio_rises_with_the_epochs(watched):
    callback, _, _ = watched
    assert [row.epoch for row in callback.rows] == list(range(7))
    ratios = [row.training["raw_ratio_30"].value for row in callback.rows]
    assert ratios[0] == 0.0
    assert ratios[-1] > 0.4
    assert sum(ratios[4:]) > sum(ratios[:3])


def test_plants_read_six_times_come_back_and_twins_never(watched):
    last = watched[0].rows[-1]
    by = {(row.arm, row.repetitions): row.patients_with_headline_leak for row in last.plants}
    assert by["plant", "6-10"].value == 1.0
    assert by["twin", None].count == 0
    assert by["twin", None].n == 2
    assert last.plants_greedy["twin"] < last.plants_greedy["plant"]


def test_measuring_changes_no_weight_and_leaves_the_model_in_training(files, watched, tmp_path):
    """With dropout: a measurement that drew from the same random numbers would change what follows."""
    model = watched[1].model
    assert hash_of(model) == hash_of(trained(files, tmp_path, dropout=0.1).model)
    assert model.generation_config.eos_token_id is not None


def test_every_measurement_is_a_run_that_can_be_read_and_shares_its_indexes(watched):
    _, _, out = watched
    for row in watched[0].rows:
        run = RunDirectory(out / row.run)
        report = ScanReport.model_validate(run.read_json("report.json"))
        assert report.decision.outcome == row.outcome
        assert report.manifest.models[0].weights_sha256 is not None
    first, last = (out / f"epoch-{epoch:03d}" / "index" / "tokens" / "units.npy" for epoch in (0, 6))
    assert first.stat().st_ino == last.stat().st_ino
    assert measured(out) == watched[0].rows


def test_training_stops_at_the_bound(files, tmp_path):
    callback = PhiLeakCallback(files["notes"], tmp_path / "leaks", config=QUICK, stop={"raw_ratio_30": 0.1})
    trainer = trained(files, tmp_path / "trainer", callback, epochs=30)
    assert callback.stopped == "raw_ratio_30"
    assert 0 < trainer.state.epoch < 30
    ratios = [row.training["raw_ratio_30"].value for row in callback.rows]
    assert ratios[-1] > 0.1 >= max(ratios[:-1])


def test_a_measurement_of_weights_that_were_lost_is_made_anew(files, tmp_path):
    """A kill before the checkpoint: the epoch is trained again, perhaps to other weights."""
    first = PhiLeakCallback(files["notes"], tmp_path / "leaks", config=QUICK)
    trained(files, tmp_path / "one", first, epochs=1)
    again = PhiLeakCallback(files["notes"], tmp_path / "leaks", config=QUICK)
    trained(files, tmp_path / "two", again, epochs=1, dropout=0.5)
    runs = [RunDirectory(tmp_path / "leaks" / "epoch-001")]
    assert runs[0].read_json("run.json")["identity"]["models"]["scanned"]["weights_sha256"]
    assert [row.run for row in again.rows] == ["epoch-000", "epoch-001"]


def test_who_measures_in_the_middle_gets_no_row_for_what_was_not_measured(files, tmp_path):
    class Stop(TrainerCallback):
        def on_step_end(self, args, state, control, **given):
            control.should_training_stop = state.global_step == 3

    callback = PhiLeakCallback(files["notes"], tmp_path / "leaks", config=QUICK, before=False)
    trained(files, tmp_path / "trainer", Stop(), callback, epochs=1)
    assert [row.step for row in callback.rows] == [3]


@pytest.mark.parametrize("stop", [{"nonsense": 0.1}, {"net_ratio_30": 2.0}, {"net_ratio_30": -0.1}])
def test_a_bound_that_is_none_is_refused(tmp_path, stop):
    with pytest.raises(ConfigError, match="net_ratio_30"):
        PhiLeakCallback(tmp_path / "n", tmp_path / "o", stop=stop)
