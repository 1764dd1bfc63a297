"""Every family of models: taken apart only where that gives what the whole model gives."""

import warnings

import pytest
import torch
from transformers import CONFIG_MAPPING, AutoModelForCausalLM, GenerationConfig

from phiscan.batch_decoding import decode, left_padded
from phiscan.causal_model import CausalModel
from phiscan.sampling import take_best
from phiscan.score_plan import plan_branches, plan_rows, whole_scores
from phiscan.scoring import SharedContext, read_rows

GPT = {"n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 128}
LLAMA = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "max_position_embeddings": 128,
}
FAMILIES = [  # splits, caches plainly, branches plainly
    ("llama", LLAMA, (True, True, True)),
    ("qwen2", LLAMA, (True, True, True)),
    ("gemma", LLAMA | {"head_dim": 16}, (True, True, True)),
    ("gpt_neox", LLAMA, (True, True, True)),
    ("opt", LLAMA | {"word_embed_proj_dim": 32, "ffn_dim": 64}, (True, True, True)),
    ("gpt2", GPT, (True, True, True)),
    ("bloom", {"hidden_size": 32, "n_layer": 2, "n_head": 2}, (True, True, True)),
    ("mpt", {"d_model": 32, "n_heads": 2, "n_layers": 2, "max_seq_len": 128}, (True, True, False)),
    ("gpt_neo", {"hidden_size": 32, "num_layers": 2, "num_heads": 2, "window_size": 8,
                 "attention_types": [[["global", "local"], 1]]}, (True, True, False)),
    ("mistral", LLAMA | {"sliding_window": 8}, (True, False, False)),
    ("gemma2", LLAMA | {"head_dim": 16, "sliding_window": 8}, (False, False, False)),
    ("granite", LLAMA | {"logits_scaling": 4.0}, (False, False, False)),
    ("mamba", {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 4}, (True, False, False)),
]  # fmt: skip


DECODED = [family for family in FAMILIES if family[2][1]]
"""Those the lean loop is for; `generate` serves the others."""


@pytest.fixture(scope="module", params=FAMILIES, ids=lambda family: family[0])
def family(request):
    return made(*request.param)


@pytest.fixture(scope="module", params=DECODED, ids=lambda family: family[0])
def decoded(request):
    return made(*request.param)


def made(name, settings, abilities):
    ends = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "initializer_range": 0.4}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        model = AutoModelForCausalLM.from_config(
            CONFIG_MAPPING[name](vocab_size=120, **ends, **settings)
        ).eval()
    with torch.no_grad():  # so that logits are far from ties, and from the flat part of a soft cap
        model.get_output_embeddings().weight.mul_(3.0)
    return model, abilities


@pytest.fixture(scope="module")
def rows():
    generator = torch.Generator().manual_seed(5)
    return [torch.randint(3, 120, (n,), generator=generator).tolist() for n in (3, 9, 9, 14, 30, 41)]


def test_what_it_can_do(family):
    model, abilities = family
    causal = CausalModel(model, model)
    assert (causal.splits, causal.caches_plainly, causal.branches_plainly) == abilities


def test_decoding_equals_generate(decoded, rows):
    model, _ = decoded
    causal = CausalModel(model, model)
    # Ends that come soon for some rows and never for others.
    free = decode(causal, rows, 40, (), take_best)
    ends = [free[0][0][3], free[2][0][9], free[4][0][20]]
    found = decode(causal, rows, 40, ends, take_best)
    ids, mask = left_padded(rows, 0, torch.device("cpu"))
    config = GenerationConfig(do_sample=False, max_new_tokens=40, eos_token_id=ends, pad_token_id=0)
    with torch.no_grad():
        whole = model.generate(input_ids=ids, attention_mask=mask, generation_config=config)
    assert len({len(new) for new, _ in found}) > 1
    for row, (new, logprobs), theirs in zip(rows, found, whole[:, ids.shape[1] :].tolist(), strict=True):
        assert new == theirs[: len(new)]
        assert set(theirs[len(new) :]) <= {0}
        assert len(new) == 40 or new[-1] in ends
        assert not set(new[:-1]) & set(ends)
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([row + new])).logits[0, len(row) - 1 : -1]
        wanted = torch.log_softmax(logits, -1)[range(len(new)), new]
        assert logprobs == pytest.approx(wanted.tolist(), abs=1e-4)


def test_scores_and_branches_equal_the_plain_model(family, rows):
    model, _ = family
    causal = CausalModel(model, model)
    plan = plan_rows(rows, None, size=None, context=0, leading=[1])
    scores = whole_scores([len(row) for row in rows], plan, read_rows(causal, plan, ()), ())
    for row, found in zip(rows, scores, strict=True):
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([[1, *row]])).logits[0, :-1]
        wanted = torch.log_softmax(logits, -1)[range(len(row)), row]
        assert found.logprob == pytest.approx(wanted.numpy(), abs=1e-4)
    if not causal.branches_plainly:
        return
    text, candidates, starts = rows[-1], [row[:6] for row in rows], [0, 5, 20, 40, 41, 12]
    plan = plan_branches(text, candidates, starts, size=None, context=0, leading=[1])
    shared = SharedContext(causal, plan, ()).read(range(len(plan)))
    for alone, together in zip(read_rows(causal, plan, ()), shared, strict=True):
        assert together.logprob == pytest.approx(alone.logprob, abs=1e-4)
