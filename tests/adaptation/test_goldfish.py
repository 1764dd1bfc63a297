"""Dropped tokens against the definition in plain integers, and what copies have in common."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.adaptation.goldfish import CONTEXT, dropped_from_loss
from phiscan.errors import ConfigError

TOKENS = st.lists(st.integers(0, 2**31 - 1), max_size=60)


def by_definition(ids, k, context, seed):
    """Token by token, in Python's unbounded integers."""
    low = (1 << 64) - 1
    dropped = []
    for at in range(len(ids)):
        state = seed & low
        for token in ids[max(0, at - context) : at]:
            state = ((state ^ token) + 0x9E3779B97F4A7C15) & low
            state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & low
            state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & low
            state ^= state >> 31
        dropped.append(at > 0 and state % k == 0)
    return dropped


@given(TOKENS, st.integers(2, 9), st.integers(1, 20), st.integers(-5, 5))
def test_every_token_is_judged_by_the_tokens_before_it(ids, k, context, seed):
    found = dropped_from_loss(ids, k=k, context=context, seed=seed)
    assert found.dtype == np.bool_
    assert found.tolist() == by_definition(ids, k, context, seed)


def test_the_choice_is_the_same_on_every_machine():
    found = dropped_from_loss(range(100, 140), k=4)
    assert np.flatnonzero(found).tolist() == [1, 2, 3, 7, 13, 14, 15, 18, 19, 20, 22, 23, 32]


@given(TOKENS, TOKENS, st.lists(st.integers(0, 999), min_size=CONTEXT + 1, max_size=60))
def test_a_passage_loses_the_same_tokens_wherever_it_stands(before, elsewhere, passage):
    one = dropped_from_loss(before + passage, k=3)[len(before) + CONTEXT :]
    other = dropped_from_loss(elsewhere + passage, k=3)[len(elsewhere) + CONTEXT :]
    assert one.tolist() == other.tolist()


@given(st.lists(st.integers(0, 999), min_size=2, max_size=40), st.data())
def test_what_a_token_is_does_not_decide_whether_it_is_dropped(ids, data):
    at = data.draw(st.integers(0, len(ids) - 1))
    other = [*ids[:at], data.draw(st.integers(0, 999)), *ids[at + 1 :]]
    assert dropped_from_loss(ids, k=2)[at] == dropped_from_loss(other, k=2)[at]


@pytest.mark.parametrize("k", [2, 3, 4, 8, 32])
def test_one_token_in_k_is_dropped(k):
    rng = random.Random(k)
    n = 50_000
    found = dropped_from_loss([rng.randrange(32_000) for _ in range(n)], k=k)
    # Contexts differ, so each token is a coin of its own: four standard errors.
    assert abs(found.mean() - 1 / k) < 4 * (1 / k * (1 - 1 / k) / n) ** 0.5


def test_another_seed_drops_other_tokens():
    ids = list(range(400))
    both = dropped_from_loss(ids, k=4) & dropped_from_loss(ids, k=4, seed=1)
    assert 5 < both.sum() < 60  # 25 expected of independent choices, 100 of equal ones


def test_the_first_token_stays_and_no_token_is_no_trouble():
    assert dropped_from_loss([], k=2).shape == (0,)
    assert not any(dropped_from_loss([token], k=2).any() for token in range(50))


def test_short_contexts_differ_too():
    """Near a note's beginning the shorter context decides: over many notes one second token in k goes."""
    dropped = [bool(dropped_from_loss([token, 7], k=4)[1]) for token in range(2_000)]
    assert 400 < sum(dropped) < 600


@pytest.mark.parametrize("k", [1, 0, -3])
def test_dropping_everything_is_refused(k):
    with pytest.raises(ConfigError, match="k must be 2 or more"):
        dropped_from_loss([1, 2], k=k)
