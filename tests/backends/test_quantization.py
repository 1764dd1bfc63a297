"""Weights in 4 bits: refused where they cannot be, before anything is read; part of what was asked."""

import json
import shutil

import pytest
import torch
from peft import LoraConfig, get_peft_model
from tiny_model import TEXTS, make_model
from trained import LORA, load, said, train
from transformers import GPT2Config, LlamaConfig, LlamaForCausalLM

from phiscan import model_loading, quantization
from phiscan.commands.options import OptionInputs, run_options
from phiscan.config import ScanConfig
from phiscan.errors import BackendError, MissingDependencyError
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.protocols import BackendSettings
from phiscan.quantization import check_four_bit

NF4 = {"model": {"quantization": "nf4", "device": "cpu"}}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return make_model(tmp_path_factory.mktemp("model"))


def stating(model, folder, stated):
    """A copy of a model whose config.json says how its weights are held; they are not to be read."""
    shutil.copytree(model, folder)
    config = json.loads((folder / "config.json").read_text()) | {"quantization_config": stated}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "model.safetensors").write_bytes(b"nothing")
    return folder


def check(config=None, device="cuda"):
    check_four_bit(config, blame="[model] quantization", device=device, otherwise='leave it at "none"')


@pytest.fixture
def with_library(monkeypatch):
    monkeypatch.setattr(quantization, "find_spec", lambda name: object())


def test_a_cpu_is_refused_with_the_way_out():
    with pytest.raises(BackendError) as caught:
        check(device="cpu")
    assert str(caught.value) == (
        "[model] quantization: 4-bit weights need a CUDA device, and this is a cpu; use a machine with one, or "
        'leave it at "none"'
    )


def test_the_library_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setattr(quantization, "find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match=r"need bitsandbytes: pip install 'phiscan\[four-bit\]'"):
        check()


def test_conv1d_layers_are_found_whatever_the_model_calls_itself(with_library):
    check(LlamaConfig(hidden_size=32, num_hidden_layers=1, num_attention_heads=2))
    with pytest.raises(BackendError, match=r'Conv1D layers, as GPT-2 has.*: leave it at "none"$'):
        check(GPT2Config(n_embd=32, n_layer=1, n_head=2))


def test_nothing_is_read_before_the_refusal(model, tmp_path):
    """Neither notes nor questions nor weights are there."""
    for role in ("model", "control"):
        names = {"model": str(model), role: str(stating(model, tmp_path / role, None))}
        inputs = ScanInputs(tmp_path / "no-notes.csv", tmp_path / "out", **names)
        with pytest.raises(BackendError, match=r"^\[model\] quantization: 4-bit weights need a CUDA device"):
            scan(inputs, ScanConfig(**NF4))
    asked = OptionInputs(tmp_path / "no-questions.csv", tmp_path / "out", model=str(tmp_path / "model"))
    with pytest.raises(BackendError, match=r"^\[model\] quantization: 4-bit weights need a CUDA device"):
        run_options(asked, ScanConfig(**NF4))
    assert not (tmp_path / "out").exists()


FOUR_BIT = {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}


def test_weights_that_are_in_4_bits_already(model, tmp_path):
    folder = stating(model, tmp_path / "four", FOUR_BIT)
    with pytest.raises(
        BackendError, match=r"^--model: 4-bit weights need .*name the model it was made from$"
    ):
        load(folder, device="cpu")
    with pytest.raises(BackendError, match=r"^\[model\] quantization: --model is in 4 bits already"):
        load(folder, device="cpu", quantization="nf4")
    with pytest.raises(BackendError, match=r"^--control: 4-bit weights need"):
        load(folder, argument="--control", device="cpu")


def test_an_adapter_whose_base_is_in_4_bits(model, tmp_path):
    base = shutil.copytree(model, tmp_path / "base")
    train(base, tmp_path / "out", lora={}, save_strategy="no").save_model()
    shutil.rmtree(base)
    stating(model, base, FOUR_BIT)
    with pytest.raises(BackendError, match=r"^--model \(the adapter's base model\): 4-bit weights need"):
        load(tmp_path / "out", device="cpu")


@pytest.mark.parametrize(
    "stated",
    [{"quant_method": "gptq", "bits": 4}, {"load_in_8bit": True}, {"load_in_4bit": "yes"}, {}, "nf4"],
)
def test_other_kinds_of_quantisation_are_not_guessed_at(model, tmp_path, stated):
    with pytest.raises(
        BackendError, match=r"^--model: (the weights are quantised in a way|not a causal)"
    ) as caught:
        load(stating(model, tmp_path / "odd", stated))
    assert "\n" not in str(caught.value)


def test_4_bits_and_float32_contradict_each_other(model, with_library):
    config = LlamaConfig.from_pretrained(model)
    settings = BackendSettings(quantization="nf4", dtype="float32")
    with pytest.raises(BackendError, match=r"^\[model\] dtype: a model in 4 bits"):
        model_loading._quantized(
            config, model_loading.ModelSource(str(model)), settings, torch.device("cuda")
        )


@pytest.mark.slow
def test_a_model_in_4_bits_is_asked_and_says_so(tmp_path, monkeypatch):
    """Where bitsandbytes is installed: its own arithmetic for the CPU stands in for a GPU's."""
    pytest.importorskip("bitsandbytes", reason="NO 4-BIT WEIGHTS: run `make .venv/pretrained` (bitsandbytes)")
    monkeypatch.setattr(model_loading, "check_four_bit", lambda config, **options: None)
    wide = make_model(tmp_path / "wide")
    config = LlamaConfig.from_pretrained(wide)
    config.update({"hidden_size": 64, "head_dim": 32, "intermediate_size": 128})  # whole blocks of 64 weights
    torch.manual_seed(0)
    LlamaForCausalLM(config).save_pretrained(wide)
    whole, four = load(wide, device="cpu"), load(wide, device="cpu", quantization="nf4")
    identity = four.identity()
    assert identity.quantization == "nf4, double, computed in bfloat16"
    assert identity.dtype == "bfloat16"  # what an answer is worth depends on it
    assert identity.parameters == whole.identity().parameters
    assert not four._causal.is_float32
    ids = four.tokenize(TEXTS[:1])[0].ids
    differences = abs(four.score([ids])[0].logprob[1:] - whole.score([ids])[0].logprob[1:])
    assert 0.01 < differences.mean() < 2  # other weights, though near them
    torch.manual_seed(2)
    tuned = get_peft_model(four._base, LoraConfig(**LORA, init_lora_weights=False))
    tuned.save_pretrained(tmp_path / "adapter")
    adapted = load(tmp_path / "adapter", device="cpu", quantization="nf4")
    assert adapted.identity().adapter_sha256
    assert type(adapted._base.model.layers[0].self_attn.q_proj.base_layer).__name__ == "Linear4bit"
    four = load(wide, device="cpu", quantization="nf4")
    four._base.save_pretrained(tmp_path / "held")
    four._tokenizer.save_pretrained(tmp_path / "held")
    held = load(tmp_path / "held", device="cpu")
    assert held.identity().quantization == identity.quantization
    assert said(held) == said(four) != said(adapted)
