"""Adapters: whole, of the size of their vocabulary, and on the base they fit, or refused in one line."""

import json
import shutil

import pytest
import torch
from peft import LoraConfig, PromptTuningConfig, get_peft_model
from safetensors.torch import load_file, save_file
from tiny_model import TEXTS, make_model
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from trained import LORA, greedy, load, said, train
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerFast

from phiscan.errors import BackendError

NEW = ["[NOTE]", "[PLAN]", "[SIGNED]"]
EMBEDDINGS = ["embed_tokens", "lm_head"]


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return make_model(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def resized(base, tmp_path_factory):
    """An adapter of a training that added tokens, as the real Trainer saves it."""
    out = tmp_path_factory.mktemp("resized")
    trainer = train(base, out, lora={}, new_tokens=NEW, save_strategy="no")
    trainer.save_model()
    return out, trainer.model.eval()


def adapter_of(base, folder, *, tokens=None, tied=False, **options):
    """An adapter with random weights, and the model it was saved from."""
    torch.manual_seed(3)
    net = AutoModelForCausalLM.from_pretrained(base, tie_word_embeddings=tied)
    if tokens is not None:
        net.resize_token_embeddings(tokens)
    net = get_peft_model(net, LoraConfig(**{**LORA, "init_lora_weights": False, **options}))
    with torch.no_grad():
        for name, values in net.named_parameters():
            if "modules_to_save" in name or "trainable_tokens" in name:
                values.add_(torch.randn_like(values) * 0.2)
    net.save_pretrained(folder)
    return folder, net.eval()


def changed(adapter, folder, change):
    """A copy of an adapter whose tensors were changed."""
    shutil.copytree(adapter, folder)
    weights = load_file(folder / "adapter_model.safetensors")
    change(weights)
    save_file(weights, folder / "adapter_model.safetensors")
    return folder


def described(adapter, folder, **config):
    shutil.copytree(adapter, folder)
    stated = json.loads((folder / "adapter_config.json").read_text()) | config
    (folder / "adapter_config.json").write_text(json.dumps(stated))
    return folder


def refusal(base, adapter, **settings):
    with pytest.raises(BackendError) as caught:
        load(base, adapter, **settings)
    message = str(caught.value)
    assert message.startswith("--adapter: ")
    assert "\n" not in message
    assert "/" not in message
    assert caught.value.__cause__ is None
    return message


def test_the_base_is_resized_for_the_tokens_that_a_training_added(base, resized):
    folder, net = resized
    for backend in (load(folder), load(base, folder)):
        assert said(backend) == greedy(net, folder)
        assert backend.identity().vocabulary == 400 + len(NEW)
        [tokens] = backend.tokenize(["[PLAN] rest"])
        assert tokens.ids[0] == 401
        assert backend.generate([tokens.ids], 8)[0] is not None
    assert said(load(folder)) != said(load(base))


@pytest.mark.parametrize(
    "options",
    [
        {"modules_to_save": EMBEDDINGS},
        {"modules_to_save": ["embed_tokens"]},
        {"target_modules": ["q_proj", *EMBEDDINGS]},
        {"trainable_token_indices": [400, 405]},
    ],
    ids=["saved", "input saved", "trained low-rank", "single tokens"],
)
@pytest.mark.parametrize("tokens", [None, 408], ids=["as it was", "resized"])
def test_embeddings_in_the_adapter_are_those_that_are_asked(base, tmp_path, options, tokens):
    if tokens is None and "trainable_token_indices" in options:
        options = {"trainable_token_indices": [300, 305]}
    folder, net = adapter_of(base, tmp_path / "adapter", tokens=tokens, **options)
    backend = load(base, folder)
    assert said(backend) == greedy(net, base)
    assert backend._base.get_input_embeddings().weight.shape[0] == (tokens or 400)
    assert said(backend) != said(load(base))


def test_fewer_tokens_than_the_base(base, tmp_path):
    """A base padded to more rows than its tokenizer uses, cut to size before training."""
    padded = tmp_path / "padded"
    shutil.copytree(base, padded)
    net = AutoModelForCausalLM.from_pretrained(base)
    net.resize_token_embeddings(448)
    net.save_pretrained(padded)
    folder, net = adapter_of(padded, tmp_path / "adapter", tokens=400)
    assert said(load(padded, folder)) == greedy(net, base)


def test_tied_embeddings_grow_with_the_input_alone(base, tmp_path):
    tied = shutil.copytree(base, tmp_path / "tied")
    net = AutoModelForCausalLM.from_pretrained(base, tie_word_embeddings=True)
    net.config.tie_word_embeddings = True
    net.save_pretrained(tied)
    folder, net = adapter_of(tied, tmp_path / "adapter", tokens=404, tied=True)
    assert said(load(tied, folder)) == greedy(net, base)


def test_tokens_whose_embeddings_the_adapter_does_not_hold(base, resized, tmp_path):
    """They would be random: nobody deploys that."""
    folder, _ = resized

    def without(*names):
        return lambda weights: [weights.pop(key) for key in list(weights) if any(n in key for n in names)]

    head = changed(folder, tmp_path / "head", without("lm_head"))
    assert (
        "trained with 403 tokens and its base has 400; the embeddings of the others are not in it"
        in refusal(base, head)
    )
    neither = changed(folder, tmp_path / "neither", without(*EMBEDDINGS))
    assert refusal(base, neither) == "--adapter: the tokenizer has more tokens (403) than the model (400)"
    low_rank, _ = adapter_of(base, tmp_path / "low", tokens=408, target_modules=["lm_head"])
    assert "embeddings of the others" in refusal(
        base, changed(low_rank, tmp_path / "l", without("base_layer"))
    )

    def shorter(weights):
        weights["base_model.model.lm_head.weight"] = weights["base_model.model.lm_head.weight"][:401].clone()

    assert "of different vocabularies" in refusal(base, changed(folder, tmp_path / "uneven", shorter))


def test_weights_that_are_missing_or_have_no_place(base, tmp_path):
    folder, _ = adapter_of(base, tmp_path / "adapter", modules_to_save=["lm_head"])
    names = sorted(load_file(folder / "adapter_model.safetensors"))
    for number, name in enumerate([*names[:3], names[-1]]):
        damaged = changed(folder, tmp_path / str(number), lambda weights, name=name: weights.pop(name))
        assert refusal(base, damaged) == "--adapter: the adapter lacks weights"
    for number, name in enumerate(
        (
            "base_model.model.model.layers.7.self_attn.q_proj.lora_A.weight",
            "base_model.model.model.layers.0.mlp.up_proj.lora_B.weight",
            "anything",
        )
    ):
        extra = changed(
            folder,
            tmp_path / f"x{number}",
            lambda weights, name=name: weights.update({name: torch.ones(4, 4)}),
        )
        assert refusal(base, extra) == "--adapter: the adapter holds weights that have no place in the model"


def test_an_adapter_of_another_model(base, tmp_path):
    folder, _ = adapter_of(base, tmp_path / "adapter")

    def wider(weights):
        for name in weights:
            if "lora_A" in name:
                weights[name] = torch.zeros(4, 48)

    assert "does not fit the model (RuntimeError)" in refusal(base, changed(folder, tmp_path / "wide", wider))
    (folder / "adapter_model.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0nonsense")
    assert refusal(base, folder) == "--adapter: the adapter's weights cannot be read"


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"r": 10**9}, "does not describe the weights"),
        ({"r": "4"}, "does not describe the weights"),
        ({"rank_pattern": {"q_proj": 10**12}}, "does not describe the weights"),
        ({"rank_pattern": "q_proj"}, "does not describe the weights"),
        ({"megatron_config": {}, "megatron_core": "antigravity"}, "asks for code of another library"),
        ({"peft_type": 5}, "does not fit the model"),
        ({"peft_type": "NOTHING"}, "does not fit the model"),
        ({"lora_alpha": "much"}, "does not fit the model"),
        ({"target_modules": 3}, "does not fit the model"),
        ({"task_type": ["CAUSAL_LM"]}, "does not fit the model"),
    ],
)
def test_odd_values_in_adapter_config(base, tmp_path, stated, words):
    folder, _ = adapter_of(base, tmp_path / "adapter")
    assert words in refusal(base, described(folder, tmp_path / "odd", **stated))


def test_an_adapter_that_is_a_prompt(base, tmp_path):
    """Its weights are no module's."""
    torch.manual_seed(3)
    net = AutoModelForCausalLM.from_pretrained(base)
    net = get_peft_model(net, PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=4)).eval()
    net.save_pretrained(tmp_path / "prompt")
    assert said(load(base, tmp_path / "prompt")) == greedy(net, base)
    odd = described(tmp_path / "prompt", tmp_path / "odd", num_virtual_tokens=10**9)
    assert "does not describe the weights" in refusal(base, odd)


# --- whose tokenizer is it? -------------------------------------------------------------------


def words_of(size):
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=["<unk>", "<pad>", "</s>", "<s>"], show_progress=False
    )
    tokenizer.train_from_iterator([*TEXTS, *(f"{n} {n * n} of {n}" for n in range(600))], trainer)
    made = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", pad_token="<pad>", eos_token="</s>", bos_token="<s>"
    )
    assert len(made) == size
    return made


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (410, "--model: the tokenizer has more tokens (410) than the model (400)"),
        (150, "--model: the tokenizer is another model's: it has 150 tokens and the model 400"),
    ],
)
def test_a_tokenizer_that_cannot_be_the_models(base, tmp_path, size, words):
    folder = shutil.copytree(base, tmp_path / "model")
    words_of(size).save_pretrained(folder)
    with pytest.raises(BackendError) as caught:
        load(folder)
    assert str(caught.value) == words


def test_ids_count_and_not_their_number(base, tmp_path):
    """A vocabulary with holes in it may be small and still reach too far."""
    folder = shutil.copytree(base, tmp_path / "model")
    stated = json.loads((folder / "tokenizer.json").read_text())
    last = max(stated["model"]["vocab"], key=stated["model"]["vocab"].get)
    stated["model"]["vocab"][last] = 5000
    (folder / "tokenizer.json").write_text(json.dumps(stated))
    with pytest.raises(BackendError, match="has more tokens"):
        load(folder)


def test_an_adapter_with_the_tokenizer_of_another_model(base, tmp_path):
    folder, _ = adapter_of(base, tmp_path / "adapter")
    before = said(load(base, folder))
    AutoTokenizer.from_pretrained(base).save_pretrained(folder)
    assert said(load(base, folder)) == before
    words_of(400).save_pretrained(folder)
    assert refusal(base, folder) == "--adapter: the adapter's tokenizer is another one than its base model's"
