"""No row is of few patients, and no count of few follows from the rows and the total."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from phiscan.small_cells import LEAST, joined, shown

SIZES = st.lists(st.integers(0, 40), min_size=1, max_size=8)


@given(sizes=SIZES)
def test_groups_are_neighbours_and_hold_all_patients(sizes):
    groups = joined(sizes)
    if not groups:
        assert sum(sizes) < LEAST
        return
    assert [place for group in groups for place in group] == [at for at, size in enumerate(sizes) if size]
    assert all(sum(sizes[place] for place in group) >= LEAST for group in groups)


@given(sizes=SIZES)
def test_nothing_small_follows_by_subtraction(sizes):
    """Whatever rows are taken from the total, what is left is of nobody or of eleven or more."""
    totals = [sum(sizes[place] for place in group) for group in joined(sizes)]
    whole = sum(totals)
    for many in range(len(totals) + 1):
        for some in combinations(totals, many):
            left = whole - sum(some)
            assert left == 0 or left >= LEAST
    assert whole in (0, sum(sizes))


def test_without_joining_the_total_would_tell():
    sizes = [40, 3, 25]
    withheld = [size for size in sizes if size >= LEAST]
    assert sum(sizes) - sum(withheld) == 3, "why an empty row is not enough"
    assert joined(sizes) == [[0], [1, 2]]


def test_large_bands_stand_alone():
    assert joined([11, 0, 30]) == [[0], [2]]


@given(
    types=st.lists(st.frozensets(st.integers(0, 60), max_size=40), max_size=5),
    rest=st.frozensets(st.integers(0, 60)),
)
def test_types_that_share_patients(types, rest):
    rests = [len(frozenset().union(*types[at:], rest)) for at in range(len(types) + 1)]
    alone = shown([([len(one) for one in types], rests)])
    if alone is None:
        assert rests[0] < LEAST
        return
    assert all(len(one) == 0 or len(one) >= LEAST for one in types[:alone])
    assert rests[alone] == 0 or rests[alone] >= LEAST
    everybody = rests[0]
    for row in [*map(len, types[:alone]), rests[alone]]:
        assert everybody - row == 0 or everybody - row >= LEAST, "those not in a row are told by the total"


@given(counts=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=8))
def test_a_band_that_one_count_has_nobody_of_is_joined_and_not_left_out(counts):
    """Two arms, or two rates: subtraction tells of few in neither."""
    fewest, most = [min(both) for both in counts], [max(both) for both in counts]
    groups = joined(fewest, most)
    for at in (0, 1):
        totals = [sum(counts[place][at] for place in group) for group in groups]
        assert all(total >= LEAST for total in totals)
        assert not groups or sum(totals) == sum(both[at] for both in counts)


@given(sizes=SIZES)
def test_types_of_different_patients_are_no_easier_to_tell(sizes):
    rests = [sum(sizes[at:]) for at in range(len(sizes) + 1)]
    alone = shown([(sizes, rests)])
    rows = [] if alone is None else [*sizes[:alone], rests[alone]]
    assert all(row == 0 or row >= LEAST for row in rows)
    assert alone is None or sum(rows) == sum(sizes)
