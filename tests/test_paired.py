"""Paired figures against brute force, closed forms and simulation."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from phiscan.paired import holm, paired_difference, sign_flip

few_patients = st.lists(st.integers(-6, 6), min_size=1, max_size=10)


@given(few_patients)
@settings(deadline=None)
def test_sign_flip_is_the_share_of_all_swaps_that_are_as_extreme(differences):
    """Every one of the 2^m ways to swap the two runs' answers patient by patient, one after the other."""
    ways = [
        abs(sum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    expected = sum(way >= abs(sum(differences)) for way in ways) / len(ways)
    assert sign_flip(np.array(differences)) == pytest.approx(expected)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 9))
@settings(deadline=None)
def test_with_one_unit_a_patient_it_is_mcnemars_exact_test(gained, lost, same):
    differences = np.repeat([1, -1, 0], [gained, lost, same])
    expected = binomtest(gained, gained + lost).pvalue if gained + lost else 1.0
    assert sign_flip(differences) == pytest.approx(expected)


def test_very_small_p_values_stay_positive_and_no_patient_is_no_evidence():
    assert 0 < sign_flip(np.repeat([1, 7], 200)) < 1e-12
    assert sign_flip(np.zeros(0, dtype=np.int64)) == 1


@given(st.lists(st.none() | st.floats(0, 1), max_size=8))
def test_holm_is_the_step_down_procedure(p_values):
    """A test is rejected at level a if all with smaller p are, and p <= a / (number not yet rejected)."""
    adjusted = holm(p_values)
    tested = [p for p in p_values if p is not None]
    for p, found in zip(p_values, adjusted, strict=True):
        if p is None:
            assert found is None
            continue
        steps = [(sum(q >= r for q in tested), r) for r in tested if r <= p]
        assert found == pytest.approx(min(1.0, max(left * r for left, r in steps)))


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=60),
    st.sampled_from([1, 2]),
)
@settings(deadline=None)
def test_a_difference_lies_in_its_interval_which_turns_with_the_runs(patients, span):
    gains, losses, same = np.array(patients).T
    totals = gains + losses + same
    found = paired_difference(gains, losses, totals, span=span)
    if not totals.any():
        assert found.value is None
        return
    assert found.value == pytest.approx((gains - losses).sum() / totals.sum())
    assert -span <= found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high <= span
    turned = paired_difference(losses, gains, totals, span=span)
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))


def test_many_patients_give_the_normal_interval():
    """One unit each of 20,000 patients: the difference of the shares, with the variance of pairs."""
    gains, losses = np.repeat([1, 0], [2_400, 17_600]), np.repeat([0, 1, 0], [2_400, 1_600, 16_000])
    found = paired_difference(gains, losses, np.ones(20_000))
    error = 1.96 * np.sqrt((0.12 + 0.08 - 0.04**2) / 20_000)
    assert found.value == pytest.approx(0.04)
    assert (found.low, found.high) == pytest.approx((0.04 - error, 0.04 + error), abs=3e-4)


def two_equal_models(rng, patients, rate, *, within, alike):
    """Prompts of each patient that two models with the same rate give back: (first, second, asked).

    Beta-binomial with intraclass correlation ``within``; a share ``alike`` of the patients is as easy
    for both models.
    """
    totals = rng.integers(1, 6, patients)
    a, b = rate * (1 / within - 1), (1 - rate) * (1 / within - 1)
    first = rng.beta(a, b, patients)
    second = np.where(rng.random(patients) < alike, first, rng.beta(a, b, patients))
    return rng.binomial(totals, first), rng.binomial(totals, second), totals


def false_alarms(rng, studies, patients, rate, **how):
    found = 0
    for _ in range(studies):
        first, second, _ = two_equal_models(rng, patients, rate, **how)
        found += sign_flip(second - first) <= 0.05
    return found / studies


def test_between_equal_models_the_test_finds_a_difference_in_one_study_of_twenty():
    """1,500 studies: 0.05 +- 0.017 is three standard errors."""
    rate = false_alarms(np.random.default_rng(2), 1_500, 200, 0.2, within=0.3, alike=0.5)
    assert 0.033 <= rate <= 0.067


def test_one_patient_who_leaks_everything_is_no_evidence():
    """Forty prompts of one patient: McNemar's test by prompts would be sure; patients are the units."""
    assert sign_flip(np.array([40, 0, 0, 0])) == 1
    assert binomtest(40, 40).pvalue < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("patients", [50, 500, 5_000])
@pytest.mark.parametrize("rate", [0.05, 0.2, 0.5])
@pytest.mark.parametrize(("within", "alike"), [(0.1, 0.0), (0.3, 0.8), (0.7, 0.5)])
def test_false_alarms_at_many_settings(patients, rate, within, alike):
    """2,000 studies each; an exact test with few differing patients may alarm less often."""
    rng = np.random.default_rng([patients, int(100 * rate), int(10 * within)])
    found = false_alarms(rng, 2_000, patients, rate, within=within, alike=alike)
    assert found <= 0.065
    if patients >= 500:
        assert found >= 0.025


@pytest.mark.slow
@pytest.mark.parametrize("patients", [50, 500, 5_000])
@pytest.mark.parametrize("rates", [(0.05, 0.05), (0.2, 0.2), (0.5, 0.5), (0.02, 0.1), (0.2, 0.3)])
@pytest.mark.parametrize("within", [0.05, 0.5])
@pytest.mark.parametrize("alike", [0.0, 0.8])
def test_interval_of_the_difference_covers(patients, rates, within, alike):
    """2,000 studies each, prompts of a patient alike within and between the models: at least 0.93."""
    from scipy.special import betaincinv

    rng = np.random.default_rng([patients, *(int(100 * rate) for rate in rates), int(10 * within)])
    shape, covered = 1 / within - 1, 0
    grid = np.linspace(0.0005, 0.9995, 1_000)
    quantiles = [betaincinv(rate * shape, (1 - rate) * shape, grid) for rate in rates]
    truth = quantiles[1].mean() - quantiles[0].mean()
    for _ in range(2_000):
        ease, totals = rng.integers(0, 1_000, patients), rng.integers(1, 6, patients)
        asked = np.arange(5) < totals[:, None]
        luck = rng.random((2, patients, 5))
        luck[1] = np.where(rng.random((patients, 5)) < alike, luck[0], luck[1])
        first, second = (luck[i] < quantiles[i][ease][:, None] for i in (0, 1))
        gains, losses = ((asked & x & ~y).sum(axis=1) for x, y in ((second, first), (first, second)))
        found = paired_difference(gains, losses, totals)
        covered += found.low <= truth <= found.high
    assert covered / 2_000 >= 0.93
