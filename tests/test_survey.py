"""Estimates from stratified samples: hand-computed cases, closed forms, properties."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, gamma, hypergeom

from phiscan.stats import clopper_pearson, zero_bound
from phiscan.survey import Stratified, allocate, difference_total, ratio, sample_size, total, unseen

ENDLESS = 10**12


def design(*strata):
    """From (N_h, n_h) pairs."""
    index = np.repeat(np.arange(len(strata)), [n for _, n in strata])
    return Stratified(index, np.array([size for size, _ in strata]))


@st.composite
def reviewed(draw, *, whole=False):
    """A design with events and items of each unit, events <= items."""
    strata = draw(st.lists(st.integers(1, 12), min_size=1, max_size=5))
    drawn = [size if whole else draw(st.integers(1, size)) for size in strata]
    units = sum(drawn)
    items = draw(st.lists(st.integers(0, 6), min_size=units, max_size=units))
    events = [draw(st.integers(0, n)) for n in items]
    return np.array(events), np.array(items), design(*zip(strata, drawn, strict=True))


# totals


def test_total_of_two_strata_by_hand():
    """10 of 2, with 1 and 3: 20; 6 of 3, with 0, 0 and 1: 2."""
    found = total(np.array([1, 3, 0, 0, 1]), design((10, 2), (6, 3)))
    assert found.value == pytest.approx(22)
    assert 5 <= found.low < 22 < found.high


def test_limits_of_a_total_are_those_of_poisson_counts():
    """7 units with one event in 2,000 of an endless population: exact Poisson limits, scaled."""
    values = (np.arange(2_000) < 7).astype(int)
    found = total(values, design((ENDLESS, 2_000)))
    scale = ENDLESS / 2_000
    assert found.low / scale == pytest.approx(gamma.ppf(0.025, 7), rel=2e-3)
    assert found.high / scale == pytest.approx(gamma.ppf(0.975, 8), rel=2e-3)


def test_upper_limit_of_a_total_by_hand():
    """N = 20, n = 4 with one event: mean 5 (1 + 1), variance 0.8 * 5 * s^2 * 25 with s^2 = 0.3."""
    found = total(np.array([1, 0, 0, 0]), design((20, 4)))
    mean, variance = 10, 0.8 * 5 * 0.3 * 25
    assert found.high == pytest.approx(gamma.ppf(0.975, mean**2 / variance, scale=variance / mean))
    variance = 0.8 * 5 * 0.2 * 25
    assert found.low == pytest.approx(max(1, gamma.ppf(0.025, 25 / variance, scale=variance / 5)))


@given(st.integers(2, 60), st.data())
def test_unseen_is_the_hypergeometric_bound(size, data):
    drawn = data.draw(st.integers(1, size))
    bound = unseen(design((size, drawn)))
    assert hypergeom.pmf(0, size, bound, drawn) >= 0.05 - 1e-9
    if bound < size - drawn:
        assert hypergeom.pmf(0, size, bound + 1, drawn) < 0.05


@given(st.lists(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n))), max_size=3))
def test_unseen_is_the_worst_spread_over_the_strata(strata):
    spreads = product(*(range(size - drawn + 1) for size, drawn in strata))
    worst = max(
        sum(spread)
        for spread in spreads
        if math.prod(hypergeom.pmf(0, s, k, n) for k, (s, n) in zip(spread, strata, strict=True))
        >= 0.05 - 1e-9
    )
    assert unseen(design(*strata)) == worst


def test_nothing_seen_takes_the_stratum_of_which_least_was_drawn():
    found = total(np.zeros(110, dtype=int), design((2_000, 100), (20, 10)))
    assert (found.value, found.low) == (0, 0)
    assert found.high == unseen(design((2_000, 100))) == 57
    inside = total(np.zeros(110, dtype=int), design((2_000, 100), (20, 10)), within=np.array([False, True]))
    assert inside.high == unseen(design((20, 10))) == 3


@given(reviewed(whole=True))
def test_whole_population_is_exact(case):
    events, items, plan = case
    assert total(items, plan)[:3] == (items.sum(),) * 3
    found = ratio(events, items, plan)
    expected = events.sum() / items.sum() if items.any() else None
    assert found[:3] == pytest.approx((expected,) * 3)


@given(reviewed())
def test_total_holds_its_value_and_never_less_than_was_seen(case):
    _, items, plan = case
    found = total(items, plan)
    assert items.sum() - 1e-9 <= found.low <= found.value + 1e-9
    assert found.value <= found.high < math.inf


def test_totals_are_unbiased_over_every_possible_sample():
    """All C(4, 2) C(3, 2) samples of two strata."""
    first, second = (0, 1, 4, 2), (3, 0, 0)
    values = [
        total(np.array([*one, *two]), design((4, 2), (3, 2))).value
        for one, two in product(combinations(first, 2), combinations(second, 2))
    ]
    assert np.mean(values) == pytest.approx(sum(first) + sum(second))


def test_lone_units_borrow_the_spread_between_strata():
    """One of 10 in each of two strata: collapsed, s^2(w y) = 50 for 0 and 1; not a certain 10."""
    found = total(np.array([1, 0]), design((10, 1), (10, 1)))
    assert found.low == 1
    assert found.high > 40
    alone = total(np.array([1, 0, 0, 0]), design((10, 1), (30, 3)))
    assert alone.low < 5 < alone.high


# ratios


@given(st.integers(2, 200), st.data())
def test_one_stratum_of_single_items_is_clopper_pearson(n, data):
    k = data.draw(st.integers(1, n - 1))
    found = ratio((np.arange(n) < k).astype(int), np.ones(n, dtype=int), design((ENDLESS, n)))
    assert found.value == pytest.approx(k / n)
    assert found[1:3] == pytest.approx(clopper_pearson(k, n), rel=1e-4)


@given(st.integers(1, 200))
def test_none_and_all_seen_are_the_one_sided_bounds(n):
    ones = np.ones(n, dtype=int)
    none, whole = ratio(0 * ones, ones, design((ENDLESS, n))), ratio(ones, ones, design((ENDLESS, n)))
    assert none[:3] == pytest.approx((0, 0, zero_bound(n)), rel=1e-4)
    assert whole[:3] == pytest.approx((1, 1 - zero_bound(n), 1), rel=1e-4)
    assert "one-sided, none seen" in none.method


def test_items_of_one_unit_do_not_count_as_independent():
    """20 units of 5 items, all alike within a unit: 20 observations, not 100."""
    items = np.full(20, 5)
    found = ratio(5 * (np.arange(20) < 6), items, design((ENDLESS, 20)))
    assert found[1:3] == pytest.approx(clopper_pearson(6, 20), rel=1e-3)
    none = ratio(0 * items, items, design((ENDLESS, 20)))
    assert none.high == pytest.approx(zero_bound(20), rel=1e-3)


def test_ratio_of_two_strata_by_hand():
    """Weights 10 and 2: (10 * 1 + 2 * 2) / (10 * 3 + 2 * 4)."""
    found = ratio(np.array([1, 0, 2, 0]), np.array([1, 2, 2, 2]), design((20, 2), (4, 2)))
    assert found.value == pytest.approx(14 / 38)


def test_an_unseen_stratum_of_great_weight_widens_the_bound():
    """Misses were seen nowhere: in 1,900 outputs without hits, 100 reviewed, they may yet be."""
    plan = design((100, 50), (2_000, 100))
    missed, items = np.zeros(150, dtype=int), np.repeat([1, 0], [50, 100])
    found = ratio(missed, items, plan)
    assert found.high > 0.3
    assert ratio(missed, items, plan, within=np.array([True, False])).high < 0.06


def test_finite_population_shortens():
    ones, events = np.ones(40, dtype=int), (np.arange(40) < 10).astype(int)
    widths = [f.high - f.low for f in (ratio(events, ones, design((n, 40))) for n in (41, 50, 100, 10_000))]
    assert widths == sorted(widths)
    assert widths[0] < 0.3 * widths[-1]


def test_few_units_in_many_strata_widen():
    """Korn and Graubard's degrees of freedom: 30 units in 15 strata against one stratum."""
    events, ones = np.tile([1, 0], 15), np.ones(30, dtype=int)
    one, many = ratio(events, ones, design((ENDLESS, 30))), ratio(events, ones, design(*[(ENDLESS, 2)] * 15))
    assert many.high - many.low > 1.02 * (one.high - one.low)


@given(reviewed())
def test_value_lies_in_its_interval(case):
    events, items, plan = case
    found = ratio(events, items, plan)
    if not items.any():
        assert found[:3] == (None, None, None)
    else:
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.value == pytest.approx(plan.weights @ events / (plan.weights @ items))


@given(reviewed())
def test_complement_mirrors_the_interval(case):
    events, items, plan = case
    found, other = ratio(events, items, plan), ratio(items - events, items, plan)
    if found.value is not None:
        assert (other.value, other.low, other.high) == pytest.approx(
            (1 - found.value, 1 - found.high, 1 - found.low), abs=1e-9
        )


@given(reviewed(), st.randoms(use_true_random=False))
def test_order_of_units_and_names_of_strata_change_nothing(case, random):
    events, items, plan = case
    units, strata = list(range(len(items))), list(range(len(plan.sizes)))
    random.shuffle(units)
    random.shuffle(strata)
    new = np.argsort(strata)
    if ((plan.drawn == 1) & plan.partial).any() and len(set(plan.sizes)) < len(plan.sizes):
        new = np.arange(len(strata))  # of strata of one size the first given joins a lone one
    moved = Stratified(new[plan.strata][units], plan.sizes[np.argsort(new)])
    again = ratio(events[units], items[units], moved)
    assert again[:3] == pytest.approx(ratio(events, items, plan)[:3], abs=1e-8)


@given(reviewed())
def test_weights_sum_to_the_population(case):
    plan = case[2]
    assert plan.weights.sum() == pytest.approx(plan.sizes.sum())


@pytest.mark.parametrize(("strata", "sizes"), [([0, 0], [1]), ([0], [3, 2]), ([0, 2], [1, 1]), ([-1], [1])])
def test_impossible_designs_are_refused(strata, sizes):
    with pytest.raises(ValueError, match="stratum"):
        Stratified(np.array(strata), np.array(sizes))


def test_impossible_counts_are_refused():
    plan = design((4, 2))
    with pytest.raises(ValueError, match="below zero"):
        total(np.array([1, -1]), plan)
    with pytest.raises(ValueError, match="denominator"):
        ratio(np.array([1, 2]), np.array([1, 1]), plan)


def test_nothing_reviewed_has_no_value():
    empty = np.zeros(0, dtype=int)
    plan = Stratified(empty, np.array([0, 0]))
    assert ratio(empty, empty, plan).value is None
    assert total(empty, plan)[:3] == (0, 0, 0)


# corrected counts


def test_corrected_total_by_hand():
    """100 counted, 4 false of 20 in half the units: 8; 1 missed in a tenth: 10."""
    false = (np.repeat([1, 0], [4, 16]), design((40, 20)))
    missed = (np.repeat([1, 0], [1, 19]), design((200, 20)))
    found = difference_total(100, false=false, missed=missed)
    wrong, lost = total(*false), total(*missed)
    assert found.value == pytest.approx(102)
    assert found.low == pytest.approx(102 - math.hypot(wrong.high - 8, 10 - lost.low))
    assert found.high == pytest.approx(102 + math.hypot(8 - wrong.low, lost.high - 10))


def test_corrected_total_of_a_whole_review_is_exact():
    whole = design((3, 3))
    found = difference_total(7, false=(np.array([1, 1, 0]), whole), missed=(np.array([0, 0, 4]), whole))
    assert found[:3] == (9, 9, 9)


# sizes of samples


def test_sample_sizes_by_hand():
    """Without an end: the least n at which Clopper-Pearson is that narrow."""
    n = sample_size(0.1, ENDLESS)
    widths = [np.diff(clopper_pearson(m / 2, m))[0] for m in (n - 1, n)]
    assert widths[0] > 0.1 >= widths[1]
    assert n == 402
    assert sample_size(0.1, 1_000) == math.ceil(402 / (1 + 401 / 1_000)) == 287
    assert sample_size(0.1, 1) == sample_size(1e-9, 1) == 1
    assert sample_size(1, 50) == 0


@given(st.floats(0.01, 0.9), st.integers(1, 5_000), st.floats(0, 1))
def test_sample_size_keeps_its_word_with_the_interval_reported(width, population, share):
    n = sample_size(width, population, proportion=share)
    assert 0 <= n <= population
    assert sample_size(width * 1.1, population, proportion=share) <= n
    assert sample_size(width, population + 50, proportion=share) >= n
    if 2 <= n < population:
        events = (np.arange(n) < round(share * n)).astype(int)
        found = ratio(events, np.ones(n, dtype=int), design((population, n)))
        k = events.sum()
        found_width = found.high - found.low
        assert found_width <= width * 1.15 + 2 / n or k in (0, n)


def test_bad_plans_are_refused():
    with pytest.raises(ValueError, match="width"):
        sample_size(0, 10)
    with pytest.raises(ValueError, match="proportion"):
        sample_size(0.1, 10, proportion=2)


def test_allocation_by_hand():
    """4 each (3 of 3), the other 85 as 44.7 : 22.4 : 5.5."""
    assert allocate(np.array([2_000, 500, 30, 3, 0]), 100, 4).tolist() == [57, 30, 10, 3, 0]
    assert allocate(np.array([10, 40, 20]), 2, 5).tolist() == [0, 1, 1]
    assert allocate(np.array([7, 7]), 3, 0).tolist() == [2, 1]


SIZES = st.lists(st.integers(0, 300), max_size=8).map(np.array)


@given(SIZES, st.integers(0, 900), st.integers(0, 6))
def test_allocation_sums_and_bounds(sizes, n, minimum):
    sizes = sizes.astype(int)
    taken = allocate(sizes, n, minimum)
    assert taken.sum() == min(n, sizes.sum())
    assert (taken <= sizes).all()
    if n >= np.minimum(sizes, minimum).sum():
        assert (taken >= np.minimum(sizes, minimum)).all()
    more = allocate(sizes, n + 1, minimum)
    assert (more >= taken).all()


@given(SIZES, st.integers(0, 900), st.integers(0, 6))
def test_rest_is_in_proportion_to_the_square_root(sizes, n, minimum):
    """Webster: no unit could move to where there is room and be less out of proportion."""
    sizes = sizes.astype(int)
    rest = allocate(sizes, n, minimum) - np.minimum(sizes, minimum)
    if (rest < 0).any():
        return
    roots = np.sqrt(sizes)
    for h, k in product(np.flatnonzero(rest > 0), np.flatnonzero(rest + np.minimum(sizes, minimum) < sizes)):
        assert (rest[h] - 0.5) / roots[h] <= (rest[k] + 0.5) / roots[k] + 1e-9


def test_no_sample_of_a_small_binomial_population_misleads():
    """Coverage of the ratio, exactly: every count of 0 to 30 events among 30 drawn, endless population."""
    for rate in (0.01, 0.05, 0.1, 0.3, 0.5, 0.9):
        covered = 0.0
        for k in range(31):
            found = ratio((np.arange(30) < k).astype(int), np.ones(30, dtype=int), design((ENDLESS, 30)))
            covered += binom.pmf(k, 30, rate) * (found.low <= rate <= found.high)
        assert covered >= 0.93
