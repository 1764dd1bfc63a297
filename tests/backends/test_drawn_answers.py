"""Answers drawn by the transformers backend: one prompt, one seed, one answer, in either loop."""

import numpy as np
import pytest
import torch
from scipy.stats import chisquare
from tiny_model import TEXTS, make_model
from transformers import AutoModelForCausalLM

from phiscan.backends.transformers import build
from phiscan.decodings import draw_seed
from phiscan.protocols import BackendSettings, Decoding, ModelSource
from phiscan.sampling import GumbelMax

DECODINGS = [Decoding(0.7), Decoding(1.0), Decoding(1.0, 10), Decoding(0.5, 50)]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return make_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def prompts(model):
    ids = [tokens.ids for tokens in load(model).tokenize(TEXTS[:3])]
    return [row[:n] for row in ids for n in (3, 9, 17, 25)]


def load(model, **settings):
    return build(ModelSource(str(model)), BackendSettings(**settings))


def seeds_of(prompts):
    return [draw_seed(0, f"q{i}", "t0.7", 0) for i in range(len(prompts))]


@pytest.mark.parametrize("decoding", DECODINGS)
def test_both_loops_draw_the_same_tokens(model, prompts, decoding):
    backend, seeds = load(model), seeds_of(prompts)
    assert backend._causal.caches_plainly
    free = backend.sample(prompts, 40, decoding=decoding, seeds=seeds)
    # Ends that come soon for some and late for others, so that rows are dropped from the batch.
    backend._ends = backend._config.eos_token_id = [free[0].ids[3], free[4].ids[8], free[9].ids[30]]
    lean = backend.sample(prompts, 40, decoding=decoding, seeds=seeds)
    backend._causal.caches_plainly = False
    whole = backend.sample(prompts, 40, decoding=decoding, seeds=seeds)
    assert [g.ids for g in lean] == [g.ids for g in whole]
    assert [g.mean_logprob for g in lean] == pytest.approx([g.mean_logprob for g in whole], abs=1e-4)
    assert len({len(g.ids) for g in lean}) > 2
    greedy = backend.generate(prompts, 40)
    assert [g.ids for g in lean] != [g.ids for g in greedy]


@pytest.mark.parametrize("decoding", DECODINGS[:3])
def test_draws_are_those_of_a_plain_loop_without_batch_or_cache(model, prompts, decoding):
    net = AutoModelForCausalLM.from_pretrained(model).eval()
    made = load(model).sample(prompts[:4], 25, decoding=decoding, seeds=seeds_of(prompts)[:4])
    for prompt, seed, answer in zip(prompts, seeds_of(prompts), made, strict=False):
        choose = GumbelMax(decoding, [seed], torch.device("cpu"))
        ids, logprobs = [0, *prompt], []
        for step in range(25):
            with torch.no_grad():
                row = net(input_ids=torch.tensor([ids])).logits[0, -1]
            token = int(choose(row[None], torch.tensor([0]), step)[0])
            if token == 1:
                break
            logprobs.append(float(torch.log_softmax(row, -1)[token]))
            ids.append(token)
        assert answer.ids == ids[1 + len(prompt) :]
        assert answer.mean_logprob == pytest.approx(sum(logprobs) / len(logprobs), abs=1e-4)


@pytest.mark.parametrize("size", [1, 5, 64])
def test_batches_and_their_order_change_nothing(model, prompts, size):
    seeds = seeds_of(prompts)
    wanted = load(model).sample(prompts, 30, decoding=DECODINGS[0], seeds=seeds)
    order = np.random.default_rng(size).permutation(len(prompts))
    turned = load(model, batch_size=size).sample(
        [prompts[i] for i in order], 30, decoding=DECODINGS[0], seeds=[seeds[i] for i in order]
    )
    assert [g.ids for g in turned] == [wanted[i].ids for i in order]


def test_one_prompt_may_be_asked_many_times_and_gives_the_models_distribution(model, prompts):
    """First tokens of 3,000 draws against the model's own probabilities, rare tokens taken together."""
    backend, number = load(model), 3000
    drawn = backend.sample([prompts[1]] * number, 1, decoding=Decoding(0.5), seeds=range(number))
    net = AutoModelForCausalLM.from_pretrained(model).eval()
    with torch.no_grad():
        logits = net(input_ids=torch.tensor([[0, *prompts[1]]])).logits[0, -1].double()
    wanted = (logits / 0.5).softmax(-1).numpy()
    first = [g.ids[0] if g.ids else 1 for g in drawn]
    counts = np.bincount(first, minlength=len(wanted))
    often = wanted * number > 5
    seen = [*counts[often], counts[~often].sum()]
    assert often.sum() > 3
    assert chisquare(seen, [*(number * wanted[often]), number * wanted[~often].sum()]).pvalue > 1e-4


def test_a_drawn_answer_is_never_taken_from_a_shorter_prompts(model):
    """Greedy answers to nested prompts are shared; drawn ones have their own noise."""
    backend = load(model)
    row = backend.tokenize(TEXTS[:1])[0].ids
    [long] = backend.sample([row[:4]], 30, decoding=Decoding(0.7), seeds=[5])
    nested = [row[:4], [*row[:4], *long.ids[:6]]]
    made = backend.sample(nested, 30, decoding=Decoding(0.7), seeds=[5, 6])
    [alone] = backend.sample(nested[1:], 30, decoding=Decoding(0.7), seeds=[6])
    assert made[0].ids == long.ids
    assert made[1].ids == alone.ids != long.ids[6:]
