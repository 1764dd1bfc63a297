"""`phiscan adapt` on a model that learns in seconds: what it writes, when it stops, what it refuses."""

import csv
import json
import math
import stat
import xml.etree.ElementTree as ET

import pytest
from planted_notes import FAST, fresh_model, planted_files
from transformers import AutoTokenizer

from phiscan.adaptation.result import AdaptReport, EpochRow, LeakRow, recommend
from phiscan.scan_report import Estimate, Stratum


@pytest.fixture(scope="module")
def files(tmp_path_factory, write_jsonl):
    return planted_files(tmp_path_factory.mktemp("adapt"), write_jsonl)


@pytest.fixture
def adapt(command_line, files, tmp_path):
    def call(*more, notes=files["notes"], out=None, settings=()):
        given = [part for setting in [*FAST, *settings] for part in ("--set", setting)]
        source = ("--notes", notes) if notes else ()
        out = out or tmp_path / "out"
        return command_line("adapt", "--model", files["model"], *source, "--out", out, *given, *more)

    return call


def report_of(folder):
    return AdaptReport.model_validate_json((folder / "adapt.json").read_text())


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_leakage_rises_and_every_epoch_has_its_checkpoint_run_and_figures(adapt, files, tmp_path):
    code, out, err = adapt(settings=["adapt.epochs=7", "adapt.validation_share=0.1"])
    assert (code, err) == (0, "")
    report = report_of(tmp_path / "out")
    assert [row.epoch for row in report.epochs] == list(range(8))
    ratios = [row.leaks.training["greedy_run_ratio_30"].value for row in report.epochs]
    assert ratios[0] == 0 < ratios[-1]
    assert report.epochs[-1].training_loss < report.epochs[1].training_loss
    assert all(row.validation_loss is not None and row.token_accuracy for row in report.epochs)
    for row in report.epochs[1:]:
        assert (tmp_path / "out" / "checkpoints" / row.checkpoint / "model.safetensors").is_file()
        assert (tmp_path / "out" / "epochs" / row.leaks.run / "report.json").is_file()
    assert report.recommended.checkpoint in {row.checkpoint for row in report.epochs}
    assert report.recommended.checkpoint in out
    plants = {(p.arm, p.repetitions): p for p in report.epochs[-1].leaks.plants}
    assert plants["twin", None].patients_with_headline_leak.count == 0
    data = tmp_path / "out" / "data"
    trained, scanned, checked = (
        lines(data / f"{name}.jsonl") for name in ("training", "notes", "validation")
    )
    splits = {row["split"] for row in trained}
    assert splits == {"member", "plant"}
    assert {row["split"] for row in scanned} == {"member", "holdout", "plant", "twin"}
    assert {row["note_id"] for row in scanned + checked} == {row["note_id"] for row in files["rows"]}
    assert not {row["patient_id"] for row in checked} & {row["patient_id"] for row in scanned}
    assert report.training_notes == len(trained) == report.rows
    table = list(csv.DictReader((tmp_path / "out" / "epochs.csv").open()))
    assert {row["figure"] for row in table} >= {"net_ratio_30", "phi_recovery_rate", "validation_loss"}
    assert ET.parse(tmp_path / "out" / "epochs.svg").getroot().tag.endswith("svg")


def test_what_is_written_is_private_and_what_is_shown_holds_no_patient_text(adapt, files, tmp_path):
    _, out, _ = adapt(settings=["adapt.epochs=1"])
    for path in (tmp_path / "out").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    shown = out + "".join(
        (tmp_path / "out" / name).read_text()
        for name in ("adapt.json", "epochs.csv", "epochs.svg", "run.json")
    )
    for row in files["rows"]:
        mrn = row["text"].split("MRN: ")[1][:7]
        assert mrn not in shown
        assert row["text"].split("Patient: ")[1].split(",")[0] not in shown


def test_the_same_command_again_says_the_same_and_another_one_is_refused_by_name(adapt, tmp_path):
    adapt(settings=["adapt.epochs=2"])
    first = report_of(tmp_path / "out")
    assert adapt(settings=["adapt.epochs=2"])[0] == 0
    assert report_of(tmp_path / "out") == first
    code, _, err = adapt(settings=["adapt.epochs=3"])
    assert code == 2
    assert "adapt.epochs" in err


def test_early_stopping_truly_runs(adapt, tmp_path):
    """Far too large a step: the validation loss gets worse, and training ends after the patience."""
    settings = ["adapt.epochs=12", "adapt.patience=2", "adapt.learning_rate=5e-2", "adapt.measure=false"]
    code, out, _ = adapt(settings=[*settings, "adapt.validation_share=0.3"])
    assert code == 0
    report = report_of(tmp_path / "out")
    losses = [row.validation_loss for row in report.epochs[1:]]
    assert len(losses) < 12
    assert "got no better in 2 epochs" in report.stopped
    assert min(losses[-2:]) >= min(losses[:-2])
    assert report.recommended is None
    assert "not measured" in out
    # Who calls again after it stopped trains no further.
    weights = report.final.weights_sha256
    adapt(settings=[*settings, "adapt.validation_share=0.3"])
    assert report_of(tmp_path / "out").final.weights_sha256 == weights


def test_training_stops_at_a_leak_bound(adapt, tmp_path):
    code, _, _ = adapt(settings=["adapt.epochs=20", "adapt.stop_patients=0.2", "adapt.validation_share=0"])
    assert code == 0
    report = report_of(tmp_path / "out")
    leaking = [row.leaks.training["patients_with_headline_leak"].value for row in report.epochs]
    assert leaking[-1] > 0.2 >= max(leaking[:-1])
    assert "above its bound" in report.stopped
    assert report.epochs[-1].epoch < 20


def test_adapters_are_trained_measured_and_saved_unmerged(adapt, tmp_path, command_line, files):
    code, _, _ = adapt(settings=["adapt.epochs=2", "adapt.lora_rank=4", "adapt.measure=false"])
    assert code == 0
    report = report_of(tmp_path / "out")
    assert report.final.weights_sha256 == report.base.weights_sha256
    assert report.final.adapter_sha256
    checkpoint = tmp_path / "out" / "checkpoints" / report.epochs[-1].checkpoint
    assert (checkpoint / "adapter_model.safetensors").is_file()
    code, out, err = command_line(
        "scan", "--notes", tmp_path / "out" / "data" / "notes.jsonl", "--model", files["model"],
        "--adapter", checkpoint, "--out", tmp_path / "run", "--set", 'detect.detectors=["rules"]',
        "--set", "regenerate.prefix_lengths=[5]", "--set", "regenerate.max_new_tokens=20", "--json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert json.loads(out)["manifest"]["models"][0]["adapter_sha256"]


@pytest.mark.parametrize(
    ("settings", "check"),
    [
        (["adapt.deduplicate=exact"], lambda plain, made: made.rows == 14 - 2 - 1 - 1 < plain.rows),
        (["adapt.goldfish=4"], lambda plain, made: 0.6 < made.tokens / plain.tokens < 0.9),
        (["adapt.phi=remove"], lambda plain, made: made.mitigated["PHI spans replaced"] > 0),
        (["adapt.phi=surrogate"], lambda plain, made: made.mitigated["PHI spans replaced"] > 0),
    ],
)
def test_mitigations_change_what_is_learnt_and_not_what_is_scanned(adapt, files, tmp_path, settings, check):
    small = ["adapt.epochs=1", "adapt.measure=false"]
    adapt(settings=small, out=tmp_path / "plain")
    assert adapt(settings=[*small, *settings], out=tmp_path / "made")[0] == 0
    assert check(report_of(tmp_path / "plain"), report_of(tmp_path / "made"))
    for name in ("notes", "validation"):
        one, other = (tmp_path / run / "data" / f"{name}.jsonl" for run in ("plain", "made"))
        assert one.read_text() == other.read_text()
    if any("phi" in setting for setting in settings):
        learnt = (tmp_path / "made" / "data" / "training.jsonl").read_text()
        assert all(row["text"].split("MRN: ")[1][:7] not in learnt for row in files["rows"])


def test_right_answers_to_questions_are_counted_at_every_epoch(
    adapt, tmp_path, write_jsonl, command_line, files
):
    rows = [
        {
            "id": str(n),
            "question": f"Which organ is seen by number {n}?",
            "options": {
                letter: f"{word} {n}"
                for letter, word in zip("ABCD", ("heart", "knee", "lung", "hip"), strict=True)
            },
            "answer": f"knee {n}",
            "answer_idx": "B",
        }
        for n in range(4)
    ]
    cases = [{"case_id": "c", "hpi": "A painful toe after a feast.", "diagnosis": "gout"}]
    questions = write_jsonl(tmp_path / "questions.jsonl", [*rows, *cases])
    code, out, err = adapt("--questions", questions, settings=["adapt.epochs=1", "options.max_new_tokens=8"])
    assert (code, err) == (0, "")
    for row in report_of(tmp_path / "out").epochs:
        found = row.leaks.task_accuracy
        assert set(found) == {"answer_top1", "diagnose_top1", "diagnose_top2", "diagnose_top3"}
        assert (found["answer_top1"].n, found["diagnose_top1"].n) == (4, 1)
    assert "Right answers" in out
    # The same answers as of the command for answer options, asked of the saved checkpoint.
    checkpoint = tmp_path / "out" / "checkpoints" / report_of(tmp_path / "out").epochs[-1].checkpoint
    code, out, _ = command_line(
        "options", "--questions", questions, "--model", checkpoint, "--out", tmp_path / "options",
        "--set", "options.max_new_tokens=8", "--json",
    )  # fmt: skip
    assert code == 0
    apart = {
        f"{row['task']}_top{row['top']}": row["estimate"]["count"]
        for row in json.loads(out)["accuracy"]
        if row["specialty"] is None
    }
    last = report_of(tmp_path / "out").epochs[-1].leaks.task_accuracy
    assert apart == {name: estimate.count for name, estimate in last.items()}


def test_two_adaptations_are_compared_with_leakage_and_utility_side_by_side(adapt, command_line, tmp_path):
    for name, more in (("plain", []), ("dropped", ["adapt.goldfish=3"])):
        given = ["adapt.epochs=1", "adapt.validation_share=0.2", "adapt.holdout_share=0.2", *more]
        assert adapt(settings=given, out=tmp_path / name)[0] == 0
    plain, dropped = tmp_path / "plain", tmp_path / "dropped"
    code, out, err = command_line("compare", plain, dropped, "--json")
    assert (code, err) == (0, "")
    runs = json.loads(out)["runs"]
    for folder, run in zip((plain, dropped), runs, strict=True):
        row = report_of(folder).epochs[1]
        assert run["epoch"] == 1
        assert run["utility"]["validation_loss"] == row.validation_loss
        assert run["utility"]["top1"] == row.token_accuracy["top1"]
    # A measurement by its own path is of its own epoch.
    code, out, _ = command_line("compare", plain / "epochs" / "epoch-000", dropped)
    assert code == 0
    assert "How well each had learnt" in out
    assert f"{report_of(plain).epochs[0].validation_loss:.3f}" in out


def test_an_adaptation_without_measurements_cannot_be_compared(adapt, command_line, tmp_path):
    adapt(settings=["adapt.epochs=1", "adapt.measure=false"])
    code, _, err = command_line("compare", tmp_path / "out", tmp_path / "out")
    assert code == 2
    assert "not measured" in err
    code, _, err = command_line("report", tmp_path / "out")
    assert code == 2
    assert "name one of the run directories in its epochs" in err


# --- records ------------------------------------------------------------------------------

TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


@pytest.fixture(scope="module")
def chat(tmp_path_factory, files, write_jsonl):
    folder = tmp_path_factory.mktemp("chat")
    model = fresh_model(folder / "model", files["rows"])
    tokenizer = AutoTokenizer.from_pretrained(model)
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(model)
    rows = [
        {
            "instruction": "Sum up the note.",
            "input": row["text"],
            "output": f"Seen for the heart, number {at}.",
            "patient_id": row["patient_id"],
            "record_id": row["note_id"],
        }
        for at, row in enumerate(files["rows"][:30])
    ]
    return {"model": model, "records": write_jsonl(folder / "records.jsonl", rows)}


@pytest.mark.parametrize("only", [False, True])
def test_records_are_learnt_in_the_chat_template(chat, command_line, tmp_path, only):
    given = [*FAST, "adapt.epochs=1", f"adapt.completion_only={str(only).lower()}"]
    code, _, err = command_line(
        "adapt", "--model", chat["model"], "--records", chat["records"], "--out", tmp_path / "out",
        *[part for setting in given for part in ("--set", setting)],
    )  # fmt: skip
    assert (code, err) == (0, "")
    report = report_of(tmp_path / "out")
    trained = lines(tmp_path / "out" / "data" / "training.jsonl")
    text = trained[0]["text"]
    assert text.startswith("<user>Sum up the note.\n\n")  # the beginning mark is put by the tokenizer
    assert text.endswith(".</s>")
    assert text[trained[0]["given"] :].startswith("Seen for the heart")
    tokenizer = AutoTokenizer.from_pretrained(chat["model"])
    whole = sum(len(tokenizer(row["text"], add_special_tokens=False)["input_ids"]) for row in trained)
    assert (report.tokens < whole / 3) if only else (report.tokens == whole)


def test_a_tokenizer_without_a_template_cannot_take_records(adapt, chat):
    code, _, err = adapt("--records", chat["records"], notes=None)
    assert code == 2
    assert "chat template" in err


# --- refusals -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "settings", "said"),
    [
        (["--records", "x.jsonl"], [], "either --notes"),
        ([], ["adapt.completion_only=true"], "completion_only"),
        ([], ["adapt.at_once=3"], "at_once"),
        ([], ["adapt.goldfish=1"], "goldfish"),
        ([], ["adapt.validation_share=0.6", "adapt.holdout_share=0.4"], "are too few patients"),
        ([], ["adapt.measure=false", "adapt.stop_patients=0.1"], "measure"),
        (["--preset", "study"], [], "study-clinical"),
        (["--preset", "study-clinical"], [], "in 4 bits"),
        ([], ["model.quantization=nf4"], "lora_rank"),
        ([], ["model.quantization=nf4", "adapt.lora_rank=8"], "quantization"),
        ([], ["adapt.epochs=0"], "adapt.epochs"),
        ([], ["adapt.dp_epsilon=2"], "private training"),
    ],
)
def test_what_cannot_be_is_one_line(adapt, tmp_path, more, settings, said):
    code, _, err = adapt(*more, settings=settings)
    assert code == 2
    assert said in err
    assert err.count("\n") == 1


# --- the checkpoint to use ----------------------------------------------------------------


def row(epoch, loss, leaking, net=0.0):
    def figure(metric, value):
        return Estimate(
            metric=metric, stratum=Stratum(), value=value, low=None, high=None, level=0.95, count=0, n=1,
            patients=1, method="",
        )  # fmt: skip

    return EpochRow(
        epoch=epoch,
        step=epoch,
        validation_loss=loss,
        checkpoint=f"checkpoint-{epoch}",
        leaks=LeakRow(
            epoch=epoch, step=epoch, run="r", outcome="inconclusive", prefix_length=50, holdout={}, seconds=0,
            training={
                "patients_with_headline_leak": figure("p", leaking),
                "net_ratio_30": figure("n", net),
            },
        ),
    )  # fmt: skip


def test_the_recommended_checkpoint_leaks_least_of_those_near_the_best_loss():
    rows = [row(1, 2.0, 0.0), row(2, 1.01, 0.1), row(3, 1.0, 0.3), row(4, 1.2, 0.5)]
    assert recommend(rows, 0.02).epoch == 2
    assert recommend(rows, 0.0).epoch == 3
    assert recommend(rows, 2.0).epoch == 1
    assert recommend([row(1, 1.0, 0.1, net=0.2), row(2, 1.0, 0.1, net=0.1)], 0).epoch == 2
    assert recommend([row(1, None, 0.4), row(2, None, 0.2)], 0.02).epoch == 2
    assert recommend([], 0.02) is None
    assert math.isclose(recommend(rows, 0.02).within, 0.02)
