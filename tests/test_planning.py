"""Patients needed and work, against their definitions."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from phiscan.planning import Machine, Workload, costs, patients_needed, tokens_of
from phiscan.stats import zero_bound


@given(st.floats(1e-300, 0.9999999), st.floats(1e-6, 0.999999999))
@example(1e-17, 0.95)
@example(1e-300, 0.95)
def test_so_many_patients_bound_the_rate_and_one_fewer_does_not(rate, level):
    patients = patients_needed(rate, level)
    assert zero_bound(patients, level) <= rate
    assert patients == 1 or zero_bound(patients - 1, level) > rate


def test_the_rule_of_three():
    assert patients_needed(0.01, 0.95) == 299
    assert patients_needed(0.05, 0.95) == 59
    assert patients_needed(0.001, 0.95) == 2_995


WORK = Workload(
    notes=100,
    note_tokens=250,
    note_words=150,
    prefix_lengths=(50, 100, 200, 300),
    max_new_tokens=40,
    models=2,
)


def test_work_by_hand():
    """Three lengths fit into 250 tokens: 600 prompts of both models."""
    tokens = tokens_of(WORK)
    assert tokens.prompts == 600
    assert tokens.generated == 24_000
    assert tokens.read == 2 * 100 * (350 + 250)
    assert tokens.words == 100 * 150 + 24_000 * 150 // 250


def test_every_way_of_asking_and_decoding_is_work():
    """250 tokens: prefixes of 50, 100, 200 fit; fragments of 50 and 100; windows of 40 tokens start at 40, 80, ..."""
    work = WORK._replace(tiers=("prefix", "window", "fragment", "metadata"), answers=3, scored=32)
    windows = sum(1 for length in (50, 100, 200) for start in range(40, 250 - length, 40))
    tokens = tokens_of(work)
    assert tokens.prompts == 200 * (3 + windows + 2 + 1)
    assert tokens.generated == tokens.prompts * 3 * 40 + 200 * 32
    assert tokens_of(WORK._replace(answers=11)).generated == 11 * tokens_of(WORK).generated


def test_cost_by_hand():
    machine = Machine("m", generated=100, read=1000, words=10, memory=10, price=3, source="")
    [cost] = costs(tokens_of(WORK), 5.0, [machine])
    seconds = 5 * (24_000 / 100 + 120_000 / 1000) + 29_400 / 10
    assert cost.cards == math.ceil(5 * 2 / 8)
    assert cost.hours == pytest.approx(seconds / 3600 / cost.cards)
    assert cost.detecting == pytest.approx(2_940 / 3600 / cost.cards)
    assert cost.money == pytest.approx(3 * seconds / 3600)
