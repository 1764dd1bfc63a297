"""The transformers backend: exact, batch-independent, and careful about what it loads."""

import json
import shutil
import socket

import pytest
import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import load_file, save_file
from tiny_model import TEXTS, make_model
from transformers import AutoModelForCausalLM

from phiscan.artefacts import is_hub_id
from phiscan.backends.transformers import build
from phiscan.errors import BackendError
from phiscan.protocols import BackendSettings, ModelSource


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return make_model(tmp_path_factory.mktemp("model"))


def load(model, adapter=None, **settings):
    source = ModelSource(str(model), None if adapter is None else str(adapter))
    return build(source, BackendSettings(**settings))


@pytest.fixture(scope="module")
def prompts(model):
    backend = load(model)
    ids = [tokens.ids for tokens in backend.tokenize(TEXTS[:3])]
    return [row[:n] for row in ids for n in (3, 9, 17, 25)]


def test_a_batch_of_unequal_prompts_equals_each_alone(model, prompts):
    together = load(model, batch_size=len(prompts)).generate(prompts, 40)
    alone = [load(model, batch_size=1).generate([prompt], 40)[0] for prompt in prompts]
    assert [g.ids for g in together] == [g.ids for g in alone]
    assert [g.mean_logprob for g in together] == pytest.approx([g.mean_logprob for g in alone], abs=1e-4)


def test_greedy_whatever_the_directory_says(model, prompts, tmp_path):
    odd = shutil.copytree(model, tmp_path / "odd")
    settings = {"do_sample": True, "temperature": 2.0, "repetition_penalty": 1.8, "max_new_tokens": 3}
    (odd / "generation_config.json").write_text(json.dumps({**settings, "eos_token_id": 1}))
    assert [g.ids for g in load(odd).generate(prompts, 30)] == [
        g.ids for g in load(model).generate(prompts, 30)
    ]


def test_generation_equals_a_loop_of_argmax(model, prompts):
    net = AutoModelForCausalLM.from_pretrained(model).eval()
    made = load(model).generate(prompts[:3], 20)
    for prompt, answer in zip(prompts[:3], made, strict=True):
        ids, logprobs = [0, *prompt], []
        for _ in range(20):
            with torch.no_grad():
                row = net(input_ids=torch.tensor([ids])).logits[0, -1]
            best = int(row.argmax())
            if best == 1:
                break
            logprobs.append(float(torch.log_softmax(row, -1)[best]))
            ids.append(best)
        assert answer.ids == ids[1 + len(prompt) :]
        assert answer.mean_logprob == pytest.approx(sum(logprobs) / len(logprobs), abs=1e-4)


def test_text_and_token_ends_fit(model, prompts):
    backend = load(model)
    for prompt, made in zip(prompts, backend.generate(prompts, 40), strict=True):
        assert len(made.ends) == len(made.ids)
        assert made.ends == sorted(made.ends)
        assert made.stop in ("eos", "length")
        if made.ids:
            assert made.ends[-1] == len(made.text)
        assert prompt


def test_note_tokens_end_where_their_text_ends(model):
    backend = load(model)
    text = "café 🙂 Zoë\n\n  two  blanks"
    tokens = backend.tokenize([text])[0]
    assert tokens.ends[-1] == len(text)
    assert tokens.ends == sorted(tokens.ends)
    assert backend.tokenize([]) == []


def test_a_batch_that_outgrows_the_memory_is_halved_and_nothing_is_lost(model, prompts, monkeypatch):
    prompts = [[5 + i, *prompt] for i, prompt in enumerate(prompts)]  # none begins with another
    backend = load(model, batch_size=8)
    real = backend._generate_batch
    sizes = []

    def greedy_for_memory(batch, new):
        sizes.append(len(batch))
        if len(batch) > 2:
            raise torch.OutOfMemoryError
        return real(batch, new)

    monkeypatch.setattr(backend, "_generate_batch", greedy_for_memory)
    made = backend.generate(prompts, 15)
    assert [g.ids for g in made] == [g.ids for g in load(model).generate(prompts, 15)]
    assert max(sizes) == 8
    assert backend.batch_size == 2


def test_a_prompt_too_large_alone_is_counted_as_failed(model, prompts, monkeypatch):
    backend = load(model, batch_size=2)

    def never(batch, new):
        raise torch.OutOfMemoryError

    monkeypatch.setattr(backend, "_generate_batch", never)
    assert backend.generate(prompts[:3], 5) == [None, None, None]


def test_identity_names_what_was_loaded(model):
    identity = load(model).identity()
    assert identity.architecture == "LlamaForCausalLM"
    assert identity.dtype == "float32"
    assert len(identity.weights_sha256) == len(identity.tokenizer_sha256) == 64
    assert identity.threads == 1


def test_refusals_name_the_argument_and_nothing_else(model, tmp_path):
    pickled = tmp_path / "pickled"
    pickled.mkdir()
    shutil.copy(model / "config.json", pickled)
    (pickled / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    bare = tmp_path / "bare"
    bare.mkdir()
    shutil.copy(model / "config.json", bare)
    empty = tmp_path / "empty"
    empty.mkdir()
    broken = shutil.copytree(model, tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"nothing")
    for folder, words in [
        (pickled, "pickled"),
        (bare, "no weights"),
        (empty, "no config.json"),
        (tmp_path / "nowhere" / "at" / "all", "no such directory"),
        (tmp_path / ("x" * 5000), "no such directory"),
        (broken, "not a causal language model"),
    ]:
        with pytest.raises(BackendError, match=words) as caught:
            load(folder)
        assert str(caught.value).startswith("--model: ")
        assert str(tmp_path) not in str(caught.value)
        assert caught.value.__cause__ is None


def test_a_name_that_is_not_in_the_cache_is_refused_without_asking_a_hub(monkeypatch):
    def refuse(*arguments, **options):
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    for name in ("nowhere", "models/nowhere"):
        with pytest.raises(BackendError, match="no model of that name in the local cache"):
            load(name)
    with pytest.raises(BackendError, match=r"no such directory$"):
        load("a b/c")


def test_an_adapter_is_used_unmerged_and_must_be_whole(model, prompts, tmp_path):
    torch.manual_seed(3)
    base = AutoModelForCausalLM.from_pretrained(model)
    tuned = get_peft_model(
        base, LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    )
    tuned.save_pretrained(tmp_path / "adapter")
    backend = load(model, tmp_path / "adapter")
    assert [g.ids for g in backend.generate(prompts, 20)] != [
        g.ids for g in load(model).generate(prompts, 20)
    ]
    assert backend.identity().adapter_sha256
    weights = load_file(tmp_path / "adapter" / "adapter_model.safetensors")
    weights.pop(sorted(weights)[0])
    save_file(weights, tmp_path / "adapter" / "adapter_model.safetensors")
    with pytest.raises(BackendError, match="--adapter: the adapter lacks weights"):
        load(model, tmp_path / "adapter")


def test_a_device_that_is_not_there(model):
    with pytest.raises(BackendError, match="device"):
        load(model, device="cuda:7" if not torch.cuda.is_available() else "nonsense")


def test_hub_ids_are_left_to_the_hub():
    assert is_hub_id("organisation/model")
    assert not is_hub_id("./model")
    assert not is_hub_id("/a/b")


def test_weights_that_do_not_fit_are_refused(model, tmp_path):
    """Random parameters in the place of missing weights would look clean."""
    weights = load_file(model / "model.safetensors")
    for name, changed in {
        "missing": {k: v for k, v in weights.items() if "layers.1" not in k},
        "renamed": {f"foo.{k}": v for k, v in weights.items()},
    }.items():
        folder = shutil.copytree(model, tmp_path / name)
        save_file(changed, folder / "model.safetensors", metadata={"format": "pt"})
        with pytest.raises(BackendError, match="weights do not fit"):
            load(folder)


def test_a_decoy_does_not_make_pickled_weights_welcome(model, tmp_path):
    folder = shutil.copytree(model, tmp_path / "decoy")
    (folder / "model.safetensors").rename(folder / "decoy.safetensors")
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    index = {"metadata": {}, "weight_map": {"lm_head.weight": "pytorch_model.bin"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(BackendError, match="only pickled weights"):
        load(folder)
    with pytest.raises(BackendError, match="--adapter: no such directory"):
        load(model, tmp_path / "organisation" / "adapter")
