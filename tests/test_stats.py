"""Intervals against closed forms and simulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_1samp

from phiscan import stats
from phiscan.stats import (
    clopper_pearson,
    cluster_excess,
    cluster_limits,
    cluster_mean,
    cluster_median,
    cluster_rate,
    effective_size,
    weighted_rate,
    wilson,
    zero_bound,
)


@given(st.integers(1, 300), st.data())
def test_wilson_and_clopper_pearson_agree_with_scipy(n, data):
    k = data.draw(st.integers(0, n))
    reference = binomtest(k, n)
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        theirs = reference.proportion_ci(0.95, method=method)
        assert ours(k, n) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_zero_of_59_patients_bounds_the_rate_near_five_percent():
    assert zero_bound(59) == pytest.approx(0.0495, abs=1e-3)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=1, max_size=80))
def test_value_lies_in_its_interval(pairs):
    events = np.array([min(e, t) for e, t in pairs])
    totals = np.array([t for _, t in pairs])
    found = cluster_rate(events, totals, seed=1)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.value == pytest.approx(events.sum() / totals.sum())


def test_methods_by_situation():
    one = np.ones(50, dtype=int)
    assert cluster_rate(one * 0, one, seed=0).method == "exact bound on patients, none observed"
    assert cluster_rate(one, one, seed=0).method == "exact bound on patients, all observed"
    assert cluster_rate(np.arange(50) % 2, one, seed=0).method == "Wilson"
    assert cluster_rate((np.arange(50) < 5) * 1, one * 2, seed=0).method.startswith("Clopper-Pearson")
    assert cluster_rate(np.arange(100) % 2, np.full(100, 2), seed=0).method == "patient-cluster bootstrap"
    assert cluster_rate(one[:0], one[:0], seed=0).value is None


@settings(max_examples=12, deadline=None)
@given(st.data(), st.integers(1, 130), st.booleans())
def test_the_order_of_patients_changes_no_digit(data, patients, weighted):
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    totals = rng.integers(0, 5, patients)
    events = rng.binomial(totals, 0.4)
    weights = np.where(rng.random(patients) < 0.5, 1.0, 1 / 0.15) if weighted else np.ones(patients)
    expected = rng.random(patients) * totals
    order = rng.permutation(patients)

    def found(at):
        e, t, w = events[at], totals[at], weights[at]
        return (
            cluster_rate(e, t, seed=1),
            weighted_rate(e * w, t * w, n=int(t.sum()), seed=1),
            cluster_excess(e, expected[at], t, seed=1),
            cluster_mean(expected[at], t, seed=1),
        )

    assert found(order) == found(np.arange(patients))


def test_draws_are_the_same_however_many_are_held_at_once(monkeypatch):
    rng = np.random.default_rng(2)
    sums, totals = rng.random(300), rng.integers(1, 5, 300)
    whole = cluster_mean(sums, totals, seed=3)
    monkeypatch.setattr(stats, "_AT_ONCE", 7 * 300)
    parts = cluster_mean(sums, totals, seed=3)
    assert parts.method == "patient-cluster bootstrap"
    assert (parts.low, parts.high) == pytest.approx((whole.low, whole.high), rel=1e-12)


def test_perfectly_clustered_units_count_once():
    events = np.array([10, 0] * 20)
    totals = np.full(40, 10)
    assert effective_size(events, totals) == pytest.approx(40, rel=0.05)
    assert effective_size(np.full(40, 5), totals) == 400


def test_cluster_interval_covers_at_the_nominal_rate():
    """300 simulated studies, 60 patients with one to five notes, patient rates Beta(2, 8)."""
    rng = np.random.default_rng(3)
    covered = 0
    for study in range(300):
        totals = rng.integers(1, 6, 60)
        events = rng.binomial(totals, rng.beta(2, 8, 60))
        found = cluster_rate(events, totals, seed=study)
        covered += found.low <= 0.2 <= found.high
    assert covered >= 0.91 * 300


@given(st.integers(1, 300), st.data())
def test_limits_of_one_unit_a_patient_are_clopper_and_pearsons(n, data):
    k = data.draw(st.integers(0, n))
    found = cluster_limits((np.arange(n) < k) * 1, np.ones(n))
    low, high = clopper_pearson(k, n)
    assert found == pytest.approx((low, high), abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=1, max_size=80))
def test_limits_hold_the_rate_and_the_rates_of_the_complement(pairs):
    events = np.array([min(e, t) for e, t in pairs])
    totals = np.array([t for _, t in pairs])
    low, high = cluster_limits(events, totals)
    assert 0 <= low <= events.sum() / totals.sum() <= high <= 1
    assert cluster_limits(totals - events, totals) == pytest.approx((1 - high, 1 - low))


def test_limits_by_hand():
    """Two patients, 4 of 5 and 0 of 1: the example of the method's page, upper limit, step by step."""
    from scipy.stats import beta, t

    whole = 26 / 6
    size = (16 + whole**2) / (4 + whole)
    rate = (4 + size) / (6 + size)
    squares = (4 - 5 * rate) ** 2 + rate**2 + (size * (1 - rate)) ** 2
    variance = 3 / 2 * squares / (6 + size) ** 2
    effective = rate * (1 - rate) / variance * (t.ppf(0.975, 5) / t.ppf(0.975, 2)) ** 2
    expected = beta.ppf(0.975, rate * (effective + 1), (1 - rate) * (effective + 1))
    assert cluster_limits(np.array([4, 0]), np.array([5, 1]))[1] == pytest.approx(expected)


def test_weights_are_taken_as_they_are():
    """Weights that are whole numbers give what as many units give; others lie between."""
    events, totals = np.arange(90) % 3, np.full(90, 3)
    for part in (slice(0, 30), slice(0, 90)):
        whole = cluster_rate(events[part], totals[part], seed=2)
        floats = cluster_rate(events[part].astype(float), totals[part].astype(float), seed=2)
        assert floats == pytest.approx(whole)
    heavier = cluster_rate(np.where(events == 2, 2.5, events), np.full(90, 3.0), seed=2)
    assert heavier.value == pytest.approx(3.5 / 9)
    assert heavier.low < heavier.value < heavier.high
    assert cluster_rate(np.array([0.0, 0.0]), np.array([1.5, 2.0]), seed=0).low == 0


@pytest.mark.slow
@pytest.mark.parametrize("patients", [50, 500, 5_000])
@pytest.mark.parametrize("rate", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("within", [0.0, 0.1, 0.5])
def test_cluster_interval_covers_at_many_settings(patients, rate, within):
    """2,000 studies each, one to five notes a patient, alike by ``within`` (beta-binomial): 0.93 or more."""
    rng = np.random.default_rng([patients, int(100 * rate), int(10 * within)])
    covered = 0
    for study in range(2_000):
        totals = rng.integers(1, 6, patients)
        shape = 1 / within - 1 if within else None
        chance = rng.beta(rate * shape, (1 - rate) * shape, patients) if shape else rate
        found = cluster_rate(rng.binomial(totals, chance), totals, seed=study)
        covered += found.low <= rate <= found.high
    assert covered / 2_000 >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("patients", [50, 500, 5_000])
@pytest.mark.parametrize("rate", [0.05, 0.2, 0.5])
def test_cluster_interval_of_few_heavy_patients_is_too_short_by_what_the_method_page_says(patients, rate):
    """2,000 studies each: ten notes of every tenth patient, one of the others, a patient's notes all alike."""
    rng = np.random.default_rng([patients, int(100 * rate)])
    covered = 0
    for study in range(2_000):
        totals = np.where(rng.random(patients) < 0.9, 1, 10)
        found = cluster_rate(totals * (rng.random(patients) < rate), totals, seed=study)
        covered += found.low <= rate <= found.high
    print(f"{patients} patients, rate {rate}: {covered / 2_000:.4f}")
    assert covered / 2_000 >= 0.90


def test_same_seed_same_interval():
    events, totals = np.arange(100) % 3, np.full(100, 3)
    assert cluster_rate(events, totals, seed=4) == cluster_rate(events, totals, seed=4)


def clustered(rng, patients):
    """Values of patients who give one to six each, alike within a patient; the true mean and median are 0."""
    sizes = rng.integers(1, 7, patients)
    numbers = np.repeat(np.arange(patients), sizes)
    return rng.normal(size=patients)[numbers] + 0.5 * rng.normal(size=len(numbers)), numbers


@pytest.mark.parametrize("patients", [8, 60])
def test_intervals_of_mean_and_median_cover_at_the_nominal_rate(patients):
    rng = np.random.default_rng(5)
    covered = np.zeros(2)
    for _ in range(400):
        values, numbers = clustered(rng, patients)
        mean = cluster_mean(np.bincount(numbers, weights=values), np.bincount(numbers), seed=1)
        median = cluster_median(values, numbers, np.ones(len(values)), seed=1)
        covered += [mean.low <= 0 <= mean.high, median.low <= 0 <= median.high]
    assert np.all(covered / 400 > 0.91)
    assert np.all(covered / 400 < 1)


def test_one_value_a_patient_gives_the_usual_interval_of_a_mean():
    values = np.array([0.1, 0.4, 0.2, 0.9, 0.5])
    found = cluster_mean(values, np.ones(5, dtype=np.int64), seed=1)
    theirs = ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))
    assert found.value == pytest.approx(values.mean())


def test_too_few_patients_give_no_interval_of_a_mean_or_median():
    one = cluster_mean(np.array([3.0]), np.array([4]), seed=1)
    assert (one.value, one.low, one.high) == (0.75, None, None)
    five = cluster_median(np.arange(10.0), np.repeat(np.arange(5), 2), np.ones(10), seed=1)
    assert (five.value, five.low, five.high) == (4.5, None, None)
    six = cluster_median(np.arange(12.0), np.repeat(np.arange(6), 2), np.ones(12), seed=1)
    assert six.low is not None
    assert cluster_mean(np.array([]), np.array([], dtype=np.int64), seed=1).value is None
    assert cluster_median(np.array([]), np.array([], dtype=np.int64), np.array([]), seed=1).value is None


def test_a_weighted_median_is_that_of_the_values_repeated():
    values, clusters = np.array([0.1, 0.5, 0.9, 0.3, 0.7, 0.2, 0.8]), np.arange(7)
    weights = np.array([3.0, 1, 1, 2, 1, 4, 1])
    found = cluster_median(values, clusters, weights, seed=1)
    assert found.value == np.median(np.repeat(values, weights.astype(int)))
    assert found.low <= found.value <= found.high
    assert "weighted" in found.method
