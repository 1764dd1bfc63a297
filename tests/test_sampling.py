"""Gumbel-max draws: from the right distribution, and hanging on seed, step and token alone."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare, kstest

from phiscan.protocols import Decoding
from phiscan.sampling import GumbelMax, gumbel, mixed, restricted, take_best

LOGITS = torch.tensor([1.4, -0.3, 0.9, 0.9, -2.0, 2.1, 0.0, -0.7])
DECODINGS = [Decoding(0.7), Decoding(1.0), Decoding(1.0, 3), Decoding(2.5), Decoding(0.5, 6), Decoding(1, 50)]
SEEDS = st.integers(-(2**63), 2**63 - 1)


def draw(logits, decoding, seeds, step=0):
    choose = GumbelMax(decoding, seeds, torch.device("cpu"))
    return choose(logits, torch.arange(len(seeds)), step)


def test_the_hash_is_splitmix64():
    """The first outputs for the seed 1234567, as published with the algorithm's test vectors."""
    seed, golden = 1234567, 0x9E3779B97F4A7C15 - 2**64
    states = torch.tensor([seed]) + torch.arange(1, 6) * golden
    assert [int(word) % 2**64 for word in mixed(states)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("decoding", DECODINGS)
def test_draws_follow_the_softmax_of_what_is_not_cut_off(decoding):
    number = 40_000
    drawn, logprobs = draw(LOGITS.expand(number, -1), decoding, range(number))
    kept = np.asarray(LOGITS, np.float64) / decoding.temperature
    if decoding.top_k is not None and decoding.top_k < len(kept):
        kept[kept < np.sort(kept)[-decoding.top_k]] = -np.inf
    wanted = np.exp(kept) / np.exp(kept).sum()
    counts = np.bincount(drawn, minlength=len(kept))
    assert counts[wanted == 0].sum() == 0
    assert chisquare(counts[wanted > 0], number * wanted[wanted > 0]).pvalue > 1e-4
    # The log-probability told is the plain one, whatever was cut off and at whatever temperature.
    assert torch.allclose(logprobs, LOGITS.log_softmax(0)[drawn], atol=1e-6)


def test_steps_tokens_and_seeds_have_noise_of_their_own():
    seeds = torch.arange(200)
    noise = gumbel(seeds[:, None], torch.arange(300))
    assert kstest(noise.numpy().ravel(), "gumbel_r").pvalue > 1e-4
    for one, other in ((noise[:-1], noise[1:]), (noise[:, :-1], noise[:, 1:])):
        assert abs(np.corrcoef(one.numpy().ravel(), other.numpy().ravel())[0, 1]) < 0.02
    at = [draw(LOGITS.expand(500, -1), Decoding(), range(500), step)[0] for step in (0, 1)]
    assert 0.05 < float((at[0] == at[1]).float().mean()) < 0.6


def test_noise_is_finite_however_the_bits_fall():
    """The largest and the smallest uniform number that 53 bits can give."""
    noise = gumbel(torch.arange(-50_000, 50_000), torch.tensor(0))
    assert torch.isfinite(noise).all()
    ends = torch.tensor([0.0, 1.0 - 2.0**-24])
    assert torch.isfinite(-torch.log(-torch.log1p(-ends[1:]))).all()


@given(st.integers(0, 1000), st.lists(SEEDS, min_size=1, max_size=6))
def test_little_heat_and_one_token_are_greedy(number, seeds):
    logits = torch.randn(len(seeds), 50, generator=torch.Generator().manual_seed(number))
    greedy, logprobs = take_best(logits, torch.arange(len(seeds)), 0)
    for decoding in (Decoding(1.0, 1), Decoding(1e-7), Decoding(3.0, 1)):
        drawn, told = draw(logits, decoding, seeds, step=3)
        assert torch.equal(drawn, greedy)
        assert torch.equal(told, logprobs)


@settings(max_examples=60)
@given(
    st.sampled_from(DECODINGS),
    st.lists(SEEDS, min_size=2, max_size=8, unique=True),
    st.integers(0, 10_000),
    st.randoms(use_true_random=False),
)
def test_a_draw_hangs_on_neither_batch_nor_order(decoding, seeds, step, rng):
    logits = torch.randn(len(seeds), 200, generator=torch.Generator().manual_seed(step))
    together, _ = draw(logits, decoding, seeds, step)
    order = rng.sample(range(len(seeds)), len(seeds))
    choose = GumbelMax(decoding, seeds, torch.device("cpu"))
    for rows in ([i] for i in order):
        assert choose(logits[rows], torch.tensor(rows), step)[0].tolist() == together[rows].tolist()
    assert (
        draw(logits[order], decoding, [seeds[i] for i in order], step)[0].tolist() == together[order].tolist()
    )


@given(st.integers(1, 40), SEEDS)
def test_a_cut_leaves_the_noise_of_the_others_as_it_was(top_k, seed):
    """If the winner of the whole vocabulary is among the k best, it is the winner among these."""
    logits = torch.randn(1, 60, generator=torch.Generator().manual_seed(top_k))
    whole = int(draw(logits, Decoding(), [seed])[0])
    kept = logits.topk(top_k).indices.tolist()[0]
    cut = int(draw(logits, Decoding(1.0, top_k), [seed])[0])
    assert cut in kept
    if whole in kept:
        assert cut == whole


def test_those_equal_to_the_kth_stay():
    assert torch.isfinite(restricted(torch.tensor([[2.0, 1.0, 1.0, 0.0]]), Decoding(1.0, 2))).tolist() == [
        [True, True, True, False]
    ]
