"""The published test is reproduced, and so is its false-positive rate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, ranksums

from phiscan.as_published import RESAMPLES, SIZE, _rank_sum, false_positive_rate, published_interval, resample


def test_of_a_thousand_prompts_it_is_wrong_every_other_time():
    """Known: 0.54. 10,000 simulations bound it to within 0.02 (99.99%)."""
    found = false_positive_rate(1_000, 0.1, seed=4, simulations=10_000)
    bound = binomtest(round(found * 10_000), 10_000).proportion_ci(0.9999)
    assert bound.low <= 0.54 <= bound.high
    assert bound.low > 0.5
    assert bound.high < 0.58


def test_of_ten_thousand_prompts_it_is_wrong_three_times_too_often():
    found = false_positive_rate(10_000, 0.1, seed=5, simulations=10_000)
    assert found == pytest.approx(0.15, abs=0.02)


def test_it_is_wrong_as_theory_says():
    """z of the means' difference has variance 1 + 2 (100 * 100 / 2) / N if models differ by luck alone."""
    from scipy.stats import norm

    for n in (300, 3_000, 100_000):
        expected = 2 * norm.sf(1.96 / np.sqrt(1 + RESAMPLES * SIZE / n))
        assert false_positive_rate(n, 0.3, seed=6, simulations=4_000) == pytest.approx(expected, abs=0.035)


def test_the_same_study_by_hand():
    """Items drawn one by one, tested with another implementation of the rank-sum test."""
    rng = np.random.default_rng(7)
    outcomes = [np.arange(500) < 100, np.arange(500) < 125]
    rejected = {"by hand": 0, "ours": 0}
    for study in range(150):
        means = [[rng.choice(of, SIZE, replace=True).mean() for _ in range(RESAMPLES)] for of in outcomes]
        rejected["by hand"] += ranksums(*means).pvalue < 0.001
        rejected["ours"] += resample(100, 125, 500, seed=study).p < 0.001
    assert rejected["by hand"] > 100
    assert rejected["ours"] == pytest.approx(rejected["by hand"], abs=20)


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_rank_sums_agree_with_scipy_row_by_row(data):
    seed = data.draw(st.integers(0, 10_000))
    first, second = np.random.default_rng(seed).integers(0, 20, (2, 3, 40)) / 20
    expected = [ranksums(a, b).pvalue for a, b in zip(first, second, strict=True)]
    assert _rank_sum(first, second) == pytest.approx(expected, abs=0.02)


def test_nothing_seen_or_everything_is_no_difference():
    for count in (0, 100):
        found = resample(count, count, 100, seed=1)
        assert (found.p, found.low_a, found.high_b) == (1.0, count / 100, count / 100)
    assert false_positive_rate(1_000, 0.0, seed=1) == 0


def test_same_seed_same_figures():
    assert resample(10, 20, 100, seed=3) == resample(10, 20, 100, seed=3)
    assert false_positive_rate(200, 0.2, seed=3) == false_positive_rate(200, 0.2, seed=3)


def test_the_interval_of_one_model_is_that_of_the_first_of_two():
    for count, n in ((0, 40), (7, 40), (40, 40), (229, 10_000)):
        pair = resample(count, 3, n, seed=8)
        assert published_interval(count / n, seed=8) == (pair.low_a, pair.high_a)


def test_the_interval_does_not_know_how_many_prompts_there_were():
    assert published_interval(7 / 40, seed=1) == published_interval(7_000 / 40_000, seed=1)
    assert published_interval(0.0, seed=1) == (0.0, 0.0)
