"""Directories as trainings leave them: each is asked as it would be deployed, or refused in one line."""

import json
import os
import pickle
import shutil

import pytest
from peft import AutoPeftModelForCausalLM
from tiny_model import TEXTS, make_model
from trained import greedy, load, said, train
from transformers import AutoModelForCausalLM

from phiscan.artefacts import resolve
from phiscan.config import ScanConfig
from phiscan.errors import BackendError, StoreError
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.protocols import ModelSource


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return make_model(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def adapted(base, tmp_path_factory):
    """The output of a training of an adapter: two checkpoints, the best one known, and the adapter itself."""
    out = tmp_path_factory.mktemp("adapted")
    options = {"eval_strategy": "steps", "eval_steps": 3, "load_best_model_at_end": True}
    train(base, out, lora={}, metric_for_best_model="eval_loss", **options).save_model()
    return out


@pytest.fixture(scope="module")
def tuned(base, tmp_path_factory):
    """The output of a training of every weight: two checkpoints and the final model."""
    out = tmp_path_factory.mktemp("tuned")
    train(base, out).save_model()
    return out


def unfinished(output, folder, *, leave=("checkpoint-3", "checkpoint-6")):
    """A copy of a training's output without what it ends with."""
    folder.mkdir()
    for name in leave:
        shutil.copytree(output / name, folder / name)
    return folder


def refusal(model, adapter=None, argument="--model"):
    source = ModelSource(str(model), None if adapter is None else str(adapter), argument)
    with pytest.raises(BackendError) as caught:
        resolve(source, download=False)
    message = str(caught.value)
    assert "\n" not in message
    assert "/" not in message.replace("organisation/base", "")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return message


def renamed(adapter, folder, **config):
    """A copy of an adapter whose adapter_config.json says something else."""
    shutil.copytree(adapter, folder)
    stated = json.loads((folder / "adapter_config.json").read_text()) | config
    (folder / "adapter_config.json").write_text(json.dumps(stated))
    return folder


def test_an_adapter_alone_is_put_on_the_base_it_names_and_stays_unmerged(base, adapted):
    backend = load(adapted)
    assert (
        said(backend)
        == said(load(base, adapted))
        == greedy(AutoPeftModelForCausalLM.from_pretrained(adapted).eval(), base)
    )
    assert said(backend) != said(load(base))
    assert any("lora_A" in name for name, _ in backend._base.named_parameters())
    identity, whole = backend.identity(), load(base).identity()
    assert identity.adapter_sha256
    assert identity.weights_sha256 == whole.weights_sha256
    assert identity.quantization is None


def test_the_scale_of_an_adapter_is_part_of_what_was_asked(adapted, tmp_path):
    louder = renamed(adapted, tmp_path / "louder", lora_alpha=64)
    assert load(louder).identity().adapter_sha256 != load(adapted).identity().adapter_sha256


def test_a_scan_of_an_adapter_knows_it_again(adapted, base, tmp_path, write_jsonl):
    adapter = renamed(adapted, tmp_path / "adapter")
    notes = write_jsonl(
        tmp_path / "notes.jsonl",
        [
            {"note_id": f"n{i}", "patient_id": f"p{i}", "text": f"{text} {i}"}
            for i, text in enumerate(TEXTS[:3])
        ],
    )
    inputs = ScanInputs(notes, tmp_path / "run", model=str(adapter), control=str(base))
    config = ScanConfig(
        detect={"detectors": ["rules"]}, regenerate={"prefix_lengths": [8], "max_new_tokens": 8}
    )
    scanned, control = scan(inputs, config).manifest.models
    assert scanned.weights_sha256 == control.weights_sha256
    assert (scanned.adapter_sha256 is None, control.adapter_sha256 is None) == (False, True)
    assert scan(inputs, config).manifest.models == (scanned, control)
    stated = adapter / "adapter_config.json"
    stated.write_text(stated.read_text().replace('"lora_alpha": 8', '"lora_alpha": 9'))
    with pytest.raises(StoreError, match="models"):
        scan(inputs, config)


def test_a_base_in_the_hub_cache(base, adapted, tmp_path, monkeypatch):
    adapter = renamed(adapted, tmp_path / "adapter", base_model_name_or_path="organisation/base")
    cache = tmp_path / "cache"
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(cache))
    assert "its base model organisation/base is not in the local cache" in refusal(adapter)
    entry = cache / "models--organisation--base"
    (entry / "refs").mkdir(parents=True)
    (entry / "refs" / "main").write_text("a" * 40)
    shutil.copytree(base, entry / "snapshots" / ("a" * 40))
    assert said(load(adapter)) == said(load(adapted))
    for name in ("adapter_config.json", "adapter_model.safetensors"):
        shutil.copy(adapted / name, entry / "snapshots" / ("a" * 40))
    with pytest.raises(BackendError, match="an adapter lies with the model; give each by itself"):
        load("organisation/base")
    revised = renamed(adapted, tmp_path / "r", base_model_name_or_path="organisation/base", revision="v2")
    assert "names a revision of its base model organisation/base" in refusal(revised)


def test_an_adapter_that_is_named_goes_on_the_model_that_is_named(base, adapted, tmp_path):
    """Whatever the adapter's file says of its base."""
    elsewhere = renamed(adapted, tmp_path / "elsewhere", base_model_name_or_path="/nowhere/at/all")
    assert "the base model that adapter_config.json names is not there" in refusal(elsewhere)
    assert said(load(base, elsewhere)) == said(load(adapted))
    assert refusal(adapted, elsewhere).startswith("--model: an adapter itself, and --adapter names one")
    assert "--adapter: the directory has no adapter_config.json" in refusal(base, base)


def test_a_finished_training_is_its_final_model(base, tuned):
    backend = load(tuned)
    assert said(backend) == greedy(AutoModelForCausalLM.from_pretrained(tuned).eval(), base)
    assert said(backend) == said(load(tuned / "checkpoint-6")) != said(load(tuned / "checkpoint-3"))


@pytest.mark.parametrize("kind", ["adapted", "tuned"])
def test_every_checkpoint_can_be_asked_and_no_pickle_in_it_is_opened(kind, tmp_path, request):
    checkpoint = request.getfixturevalue(kind) / "checkpoint-3"
    lying = {path.name for path in checkpoint.iterdir() if path.suffix in (".pt", ".pth", ".bin")}
    assert {"optimizer.pt", "rng_state.pth", "training_args.bin"} <= lying
    trapped = shutil.copytree(checkpoint, tmp_path / "checkpoint-3")
    sprung = tmp_path / "sprung"
    for name in [*lying, "pytorch_model.bin", "adapter_model.bin"]:
        (trapped / name).write_bytes(pickle.dumps(_Trap(str(sprung))))
    assert said(load(trapped)) == said(load(checkpoint))
    assert not sprung.exists()


class _Trap:
    def __init__(self, place):
        self.place = place

    def __reduce__(self):
        return os.mkdir, (self.place,)


def test_an_unfinished_training_is_its_only_checkpoint(adapted, tuned, base, tmp_path):
    for number, output in enumerate((adapted, tuned)):
        one = unfinished(output, tmp_path / str(number), leave=["checkpoint-3"])
        (one / "checkpoint-9").mkdir()  # without a model, as a kill while it is written leaves it
        (one / "checkpoint-old").mkdir()
        assert said(load(one)) == said(load(output / "checkpoint-3"))
    assert said(load(base, tmp_path / "0")) == said(load(adapted / "checkpoint-3"))


def test_several_checkpoints_are_not_chosen_from(adapted, tuned, base, tmp_path):
    several = unfinished(tuned, tmp_path / "several")
    wanted = "--model: 2 checkpoints of a training and no final model; name the one that is deployed"
    assert refusal(several) == wanted
    best = unfinished(adapted, tmp_path / "best")
    [step] = {3, 6} & {
        json.loads((adapted / "checkpoint-6" / "trainer_state.json").read_text())["best_global_step"]
    }
    assert refusal(best) == f"{wanted}; by the training's own measure step {step} was the best"
    assert refusal(base, best, "--control").startswith("--adapter: 2 checkpoints")
    assert refusal(several, argument="--control").startswith("--control: 2 checkpoints")
    state = best / "checkpoint-6" / "trainer_state.json"
    for damaged in (
        "{",
        "[]",
        "[" * 100_000,
        '{"best_model_checkpoint": 7}',
        '{"best_model_checkpoint": "/a/checkpoint-5"}',
    ):
        state.write_text(damaged)
        assert refusal(best) == wanted


def test_a_checkpoint_without_a_tokenizer(adapted, base, tmp_path):
    train(base, tmp_path / "adapter", lora={}, tokenizer=False)
    assert said(load(tmp_path / "adapter" / "checkpoint-6")) == said(load(adapted / "checkpoint-6"))
    train(base, tmp_path / "whole", tokenizer=False)
    with pytest.raises(BackendError, match=r"^--model: the directory holds no tokenizer"):
        load(tmp_path / "whole" / "checkpoint-6")


def test_a_merged_adapter_is_a_model_like_any_other(adapted, base, tmp_path):
    merged = AutoPeftModelForCausalLM.from_pretrained(adapted).merge_and_unload()
    merged.save_pretrained(tmp_path / "merged")
    with pytest.raises(BackendError, match="holds no tokenizer"):
        load(tmp_path / "merged")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(base / name, tmp_path / "merged")
    backend = load(tmp_path / "merged")
    assert said(backend) == said(load(adapted))
    assert backend.identity().adapter_sha256 is None


def test_a_model_and_an_adapter_in_one_directory_are_not_put_together(adapted, base, tmp_path):
    both = shutil.copytree(base, tmp_path / "both")
    for name in ("adapter_config.json", "adapter_model.safetensors"):
        shutil.copy(adapted / name, both)
    assert "holds a whole model and an adapter" in refusal(both)
    assert "holds a whole model and an adapter" in refusal(both, adapted)
    assert said(load(base, both)) == said(load(adapted))
    (both / "model.safetensors").unlink()  # an adapter with the configuration of its base
    assert said(load(both)) == said(load(adapted))


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        (None, "names no base model"),
        (7, "names no base model"),
        (["organisation/base"], "names no base model"),
        ("  ", "names no base model"),
        ("x" * 100_000, "is not there"),
        ("../no/such/place", "is not there"),
        ("../" * 30 + "etc", "the directory has no config.json"),
        ("a\x00b", "is not there"),
        ("a\x1b[31m", "is not there"),
        ("/proc/self", "the directory has no config.json"),
        ("/", "the directory has no config.json"),
    ],
)
def test_odd_names_of_a_base(adapted, tmp_path, stated, words):
    assert words in refusal(renamed(adapted, tmp_path / "odd", base_model_name_or_path=stated))


def test_a_base_that_is_an_adapter_or_has_pickled_weights(adapted, base, tmp_path):
    odd = tmp_path / "odd"
    renamed(adapted, odd, base_model_name_or_path=str(odd))
    assert "names holds an adapter itself" in refusal(odd)
    pickled = shutil.copytree(base, tmp_path / "pickled")
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    message = refusal(renamed(adapted, tmp_path / "on", base_model_name_or_path=str(pickled)))
    assert message.startswith("--model (the adapter's base model): the directory has only pickled weights")


def test_hostile_files(adapted, tmp_path):
    damaged = shutil.copytree(adapted, tmp_path / "damaged", ignore=shutil.ignore_patterns("checkpoint-*"))
    config = damaged / "adapter_config.json"
    for text in ("", "[]", "{", "[" * 200_000, '{"base_model_name_or_path": ' + "1" * 10_000 + "}"):
        config.write_text(text)
        assert "adapter_config.json cannot be read" in refusal(damaged)
    config.write_bytes(b"\xff\xfe{}")
    assert "adapter_config.json cannot be read" in refusal(damaged)
    with config.open("wb") as file:
        file.truncate(1 << 25)
    assert "adapter_config.json cannot be read" in refusal(damaged)
    config.unlink()
    config.symlink_to(config.name)  # to itself
    assert "the directory has no config.json" in refusal(damaged)
    config.unlink()
    os.mkfifo(config)  # would never end
    assert "the directory has no config.json" in refusal(damaged)


def test_symbolic_links_are_followed_and_broken_ones_lead_nowhere(adapted, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "checkpoint-1").symlink_to(out)
    (out / "checkpoint-2").symlink_to(tmp_path / "nowhere")
    assert "the directory has no config.json" in refusal(out)
    (out / "checkpoint-3").symlink_to(adapted / "checkpoint-3")
    assert said(load(out)) == said(load(adapted / "checkpoint-3"))


def test_only_the_weights_that_peft_reads_make_an_adapter(adapted, tmp_path):
    """An index of parts is not read by peft, which would take the pickle beside it."""
    odd = shutil.copytree(adapted, tmp_path / "odd")
    (odd / "adapter_model.safetensors").rename(odd / "part-1.safetensors")
    index = {"weight_map": {"any": "part-1.safetensors"}}
    (odd / "adapter_model.safetensors.index.json").write_text(json.dumps(index))
    (odd / "adapter_model.bin").write_bytes(b"\x80\x04.")
    assert "only pickled weights" in refusal(odd)
