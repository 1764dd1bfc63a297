"""What an adaptation meets: damaged checkpoints, lost measurements, bad rows, models that diverge."""

import json

import numpy as np
import pytest
import torch
from planted_notes import FAST, fresh_model, planted_files
from transformers import AutoModelForCausalLM, AutoTokenizer

from phiscan.adaptation.callback import PhiLeakCallback
from phiscan.adaptation.corpus import read_texts
from phiscan.adaptation.live import as_deployed
from phiscan.adaptation.result import AdaptReport
from phiscan.config import load_config
from phiscan.errors import ConfigError
from phiscan.store import RunDirectory


@pytest.fixture(scope="module")
def files(tmp_path_factory, write_jsonl):
    return planted_files(tmp_path_factory.mktemp("faults"), write_jsonl)


@pytest.fixture
def adapt(command_line, files, tmp_path):
    def call(*settings, notes=files["notes"], model=files["model"], more=()):
        given = [*FAST, "adapt.measure=false", *settings]
        flags = [part for setting in given for part in ("--set", setting)]
        out = tmp_path / "out"
        return command_line("adapt", "--model", model, "--notes", notes, "--out", out, *flags, *more)

    return call


def report_of(out):
    return AdaptReport.model_validate_json((out / "adapt.json").read_text())


def refused(ended, said):
    code, _, err = ended
    assert code == 2, err
    assert said in err
    assert err.count("\n") == 1


def test_the_validation_loss_is_the_mean_over_tokens_however_they_are_batched(
    adapt, files, tmp_path, write_jsonl
):
    rows = [
        {**row, "text": " ".join([row["text"]] * (4 if at % 4 == 0 else 1)), "patient_id": f"q{at}"}
        for at, row in enumerate(files["rows"])
    ]
    notes = write_jsonl(
        tmp_path / "n.jsonl", [{**row, "split": "member", "note_id": str(i)} for i, row in enumerate(rows)]
    )
    code, _, err = adapt("adapt.epochs=1", "adapt.validation_share=0.4", "adapt.at_once=2", notes=notes)
    assert code == 0, err
    report = report_of(tmp_path / "out")
    folder = tmp_path / "out" / "checkpoints" / report.epochs[-1].checkpoint
    model, tokenizer = AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    nats = []
    for text in read_texts(tmp_path / "out" / "data" / "validation.jsonl"):
        ids = torch.tensor([[*tokenizer(text.text)["input_ids"], tokenizer.eos_token_id]])
        with torch.no_grad():
            logits = model(input_ids=ids).logits[0, :-1].double()
        nats += torch.nn.functional.cross_entropy(logits, ids[0, 1:], reduction="none").tolist()
    assert report.epochs[-1].validation_loss == pytest.approx(np.mean(nats), rel=1e-5)


def test_a_model_that_diverges_is_called_so(adapt, tmp_path, files):
    model = AutoModelForCausalLM.from_pretrained(files["model"])
    with torch.no_grad():
        model.model.norm.weight.fill_(float("nan"))
    broken = tmp_path / "broken"
    model.save_pretrained(broken)
    AutoTokenizer.from_pretrained(files["model"]).save_pretrained(broken)
    code, out, _ = adapt("adapt.epochs=2", model=broken)
    report = report_of(tmp_path / "out")
    assert code == 0
    assert "diverged" in report.stopped
    assert [row.validation_loss for row in report.epochs] == [None] * 3
    assert report.epochs[-1].token_accuracy["top1"] == 0
    assert "No checkpoint is recommended" in out
    refused(adapt("adapt.lora_rank=4", "adapt.lora_alpha=inf"), "lora_alpha")


def test_rows_that_cannot_be_used_are_counted(adapt, files, tmp_path, write_jsonl):
    rows = [dict(row) for row in files["rows"]]
    rows[0]["patient_id"], rows[1]["split"], rows[2]["text"] = "", "elsewhere", " "
    code, out, _ = adapt("adapt.epochs=1", notes=write_jsonl(tmp_path / "n.jsonl", rows))
    assert code == 0
    report = report_of(tmp_path / "out")
    assert sum(report.rows_bad.values()) == 2
    assert sum(report.rows_dropped.values()) == 1
    assert "Rows left out: 3" in out


def test_a_repeated_id_is_named_by_the_rows_of_the_users_file(adapt, files, tmp_path, write_jsonl):
    rows = [dict(row) for row in files["rows"]]
    rows[20]["note_id"] = rows[3]["note_id"]
    refused(adapt(notes=write_jsonl(tmp_path / "n.jsonl", rows)), "row 21 repeats the id of row 4")
    assert not (tmp_path / "out").exists()


def test_what_the_first_measurement_would_refuse_is_refused_before_training(
    adapt, files, tmp_path, write_jsonl
):
    refused(
        adapt("adapt.measure=true", "regenerate.prefix_lengths=[500]"), "no note is longer than the shortest"
    )
    assert not (tmp_path / "out").exists()
    refused(adapt(more=("--known", tmp_path / "none.csv")), "--known")


@pytest.fixture
def adapted(adapt, tmp_path):
    assert adapt("adapt.epochs=2")[0] == 0
    (tmp_path / "out" / "adapt.json").unlink()
    return tmp_path / "out"


def last_of(out):
    return max(out.glob("checkpoints/checkpoint-*"), key=lambda path: int(path.name.split("-")[1]))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("trainer_state.json", b"{"),
        ("trainer_state.json", b"[]"),
        ("model.safetensors", b"x"),
        ("optimizer.pt", b"x"),
        ("scheduler.pt", b""),
    ],
)
def test_a_damaged_checkpoint_is_named_in_one_line(adapt, adapted, name, content):
    last = last_of(adapted)
    (last / name).write_bytes(content)
    refused(adapt("adapt.epochs=2"), last.name)


def test_a_checkpoint_that_lost_a_file_is_made_again(adapt, adapted):
    last = last_of(adapted)
    before = (last / "model.safetensors").read_bytes()
    (last / "optimizer.pt").unlink()
    assert adapt("adapt.epochs=2")[0] == 0
    assert (last / "model.safetensors").read_bytes() == before
    assert (last / "optimizer.pt").is_file()


def test_what_the_user_put_among_the_checkpoints_stays_as_it_was(adapt, adapted, tmp_path):
    kept, elsewhere = adapted / "checkpoints" / "checkpoint-best", tmp_path / "elsewhere"
    kept.mkdir()
    (kept / "mine").write_text("mine")
    elsewhere.mkdir(mode=0o755)
    elsewhere.chmod(0o755)
    (adapted / "checkpoints" / "link").symlink_to(elsewhere)
    assert adapt("adapt.epochs=2")[0] == 0
    assert (kept / "mine").read_text() == "mine"
    assert elsewhere.stat().st_mode & 0o777 == 0o755


def test_a_lost_measurement_is_not_passed_over(adapt, tmp_path):
    settings = ("adapt.measure=true", "adapt.epochs=2", "adapt.validation_share=0")
    assert adapt(*settings)[0] == 0
    good = (tmp_path / "out" / "adapt.json").read_bytes()
    (tmp_path / "out" / "epochs" / "epoch-001" / "leaks.json").write_text("{")
    refused(adapt(*settings), "the measurement of checkpoint-")
    assert (tmp_path / "out" / "adapt.json").read_bytes() == good


def test_a_stop_at_a_bound_is_remembered(adapt, tmp_path):
    settings = ("adapt.measure=true", "adapt.epochs=9", "adapt.stop_patients=0", "adapt.validation_share=0")
    adapt(*settings)
    first = report_of(tmp_path / "out")
    assert "above its bound" in first.stopped
    adapt(*settings)
    assert report_of(tmp_path / "out").stopped == first.stopped


TEMPLATE = "{% for m in messages %}{% if m['role'] == 'user' %}{{ m['content'] }}{% endif %}{% endfor %}"


def test_a_chat_template_without_the_answer_is_refused(files, command_line, tmp_path, write_jsonl):
    model = fresh_model(tmp_path / "model", files["rows"])
    tokenizer = AutoTokenizer.from_pretrained(model)
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(model)
    records = write_jsonl(
        tmp_path / "r.jsonl", [{"instruction": f"i{n}", "output": f"o{n}"} for n in range(20)]
    )
    ended = command_line("adapt", "--model", model, "--records", records, "--out", tmp_path / "out")
    refused(ended, "leaves the answer out")


# --- the callback ---------------------------------------------------------------------------

QUICK = load_config(
    flags={
        "detect": {"detectors": ["rules"]},
        "regenerate": {"prefix_lengths": [5], "max_new_tokens": 20},
    },
    environment={},
)


class State:
    is_world_process_zero = True

    def __init__(self, epoch, step):
        self.epoch, self.global_step = epoch, step


def loaded(files):
    model = AutoModelForCausalLM.from_pretrained(files["model"])
    return {"model": model, "processing_class": AutoTokenizer.from_pretrained(files["model"])}


def test_notes_that_changed_are_read_anew(files, tmp_path, write_jsonl):
    notes = write_jsonl(tmp_path / "notes.jsonl", files["rows"])
    callback = PhiLeakCallback(notes, tmp_path / "leaks", config=QUICK)
    callback.on_train_begin(None, State(0, 0), None, **loaded(files))
    write_jsonl(notes, [{**row, "text": row["text"] + " Changed."} for row in files["rows"]])
    callback.on_epoch_end(None, State(1.0, 5), None, **loaded(files))
    for epoch, said in ((0, False), (1, True)):
        found = RunDirectory(tmp_path / "leaks" / f"epoch-00{epoch}").index / "notes" / "notes.sqlite"
        assert (b"Changed." in found.read_bytes()) == said


def test_a_measurement_in_the_middle_of_an_epoch_has_a_run_of_its_own(files, tmp_path):
    callback = PhiLeakCallback(files["notes"], tmp_path / "leaks", config=QUICK)
    for epoch, step in ((0, 0), (0.27, 3), (1.0, 11)):
        callback._measure(State(epoch, step), loaded(files))
    assert len({row.run for row in callback.rows}) == 3
    assert sorted(path.name for path in (tmp_path / "leaks").iterdir()) == [row.run for row in callback.rows]


def test_everybody_in_training_is_asked_where_there_are_few(files, tmp_path):
    callback = PhiLeakCallback(files["notes"], tmp_path / "leaks", config=QUICK)
    assert callback._patients() == 6
    assert callback._config.screen.sample == 1.0


def test_a_bound_must_be_a_number(files, tmp_path):
    with pytest.raises(ConfigError):
        PhiLeakCallback(files["notes"], tmp_path, stop={"net_ratio_30": "0.1"})


def test_asking_leaves_the_model_as_it_was(files):
    given = loaded(files)
    model = given["model"].train()
    settings, before = model.generation_config, torch.random.get_rng_state()
    with as_deployed(model, given["processing_class"], batch_size=2) as live:
        assert not model.training
        torch.rand(3)
        assert live.identity().weights_sha256
    assert model.training
    assert model.generation_config is settings
    assert torch.equal(torch.random.get_rng_state(), before)


def test_the_digest_of_a_model_is_of_its_weights(files):
    one, same = loaded(files), loaded(files)
    with torch.no_grad():
        next(same["model"].parameters()).add_(1e-4)
    digests = []
    for given in (one, loaded(files), same):
        with as_deployed(given["model"], given["processing_class"], batch_size=2) as live:
            digests.append(live.identity().weights_sha256)
    assert digests[0] == digests[1] != digests[2]
    assert json.dumps(digests)
