"""Fisher's test between groups, held against counting every table."""

from itertools import product
from math import comb, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.between_groups import fisher_p


def by_hand(events, totals):
    """Share of all tables with these margins, weighted, that are no likelier than the true one."""
    whole = sum(events)
    weights = {
        found: prod(comb(n, k) for n, k in zip(totals, found, strict=True))
        for found in product(*(range(n + 1) for n in totals))
        if sum(found) == whole
    }
    true = weights[tuple(events)]
    return sum(weight for weight in weights.values() if weight <= true) / sum(weights.values())


GROUP = st.integers(1, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(max_examples=40, deadline=None)
@given(groups=st.lists(GROUP, min_size=2, max_size=2))
def test_two_groups_are_exact(groups):
    events, totals = zip(*groups, strict=True)
    assert fisher_p(events, totals, seed=1) == pytest.approx(by_hand(events, totals), abs=1e-9)


@pytest.mark.parametrize(
    ("events", "totals"), [((1, 5, 9), (10, 10, 10)), ((2, 3, 2, 4), (8, 9, 7, 9)), ((0, 0, 7), (11, 11, 11))]
)
def test_more_groups_come_near_it(events, totals):
    """A share of 10,000 tables varies by at most 0.005 (one standard deviation)."""
    assert fisher_p(events, totals, seed=3) == pytest.approx(by_hand(events, totals), abs=0.02)
    assert fisher_p(events, totals, seed=3) == fisher_p(events, totals, seed=3)


def test_nothing_or_everything_tells_no_difference():
    assert fisher_p([0, 0], [5, 9], seed=0) == fisher_p([5, 9], [5, 9], seed=0) == 1.0
