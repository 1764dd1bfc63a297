"""Agreement of two annotators: published and hand-computed cases, properties, coverage."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.agreement import LabelledSpan, cohen_kappa, span_f1
from phiscan.stats import zero_bound

LABELS = st.sampled_from(["confirmed", "not_phi", "wrong_category"])
PAIRS = st.lists(st.tuples(LABELS, LABELS, st.integers(0, 6)), max_size=30)
SPANS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 5), st.sampled_from("AB")).map(
        lambda s: LabelledSpan(s[0], s[0] + s[1], s[2])
    ),
    max_size=5,
)
OUTPUTS = st.lists(st.tuples(SPANS, SPANS), max_size=6)
MODES = st.sampled_from(["exact", "overlap", "character"])


def kappa(pairs):
    return cohen_kappa([a for a, _, _ in pairs], [b for _, b, _ in pairs], [c for _, _, c in pairs])


def spans(text):
    """``"0-4 A, 6-9 B"`` as spans."""
    parts = [part.split() for part in text.split(",") if part.strip()]
    return [LabelledSpan(*map(int, bounds.split("-")), label) for bounds, label in parts]


def f1(first, second, **options):
    return span_f1([spans(s) for s in first], [spans(s) for s in second], **options)


# kappa


def test_kappa_of_a_table_by_hand():
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: p_o = 0.7, p_e = 0.5, kappa = 0.4."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    found = kappa([(*pair, number) for number, pair in enumerate(pairs)])
    assert found.observed.value == pytest.approx(0.7)
    assert found.kappa.value == pytest.approx(0.4)
    assert (found.pairs, found.clusters) == (50, 50)


def test_variance_is_that_of_fleiss_cohen_and_everitt():
    """One pair a cluster, many of them: normal limits with the 1969 formula, computed term by term."""
    table = np.array([[2_000, 500, 130], [900, 1_500, 70], [60, 240, 800]])
    pairs = [(i, j) for i in range(3) for j in range(3) for _ in range(table[i, j])]
    found = kappa([(str(i), str(j), number) for number, (i, j) in enumerate(pairs)]).kappa
    share = table / table.sum()
    row, column = share.sum(axis=1), share.sum(axis=0)
    agreed, chance = np.trace(share), row @ column
    value = (agreed - chance) / (1 - chance)
    same = sum(share[i, i] * (1 - (row[i] + column[i]) * (1 - value)) ** 2 for i in range(3))
    others = sum(share[i, j] * (column[i] + row[j]) ** 2 for i, j in permutations(range(3), 2))
    variance = same + (1 - value) ** 2 * others - (value - chance * (1 - value)) ** 2
    error = math.sqrt(variance / table.sum()) / (1 - chance)
    assert found.value == pytest.approx(value)
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error, rel=0.02)


def test_pairs_of_one_output_do_not_count_as_independent():
    """The same table from 40 outputs with five equal pairs each, and from 200 outputs."""
    single = [("y", "y")] * 20 + [("y", "n")] * 6 + [("n", "n")] * 14
    together = [(*pair, number) for number, pair in enumerate(single) for _ in range(5)]
    apart = [(a, b, number) for number, (a, b, _) in enumerate(together)]
    few, many, alone = kappa(together), kappa(apart), kappa([(*p, n) for n, p in enumerate(single)])
    assert few.kappa.value == many.kappa.value
    width = few.kappa.high - few.kappa.low
    assert width > 1.8 * (many.kappa.high - many.kappa.low)
    assert width == pytest.approx(alone.kappa.high - alone.kappa.low, rel=0.1)
    assert few.observed[1:3] == pytest.approx(alone.observed[1:3], abs=0.02)


def test_all_equal_is_bounded_by_the_number_of_outputs():
    found = kappa([("y", "y", n // 2) for n in range(60)] + [("n", "n", 30 + n) for n in range(29)])
    bound = zero_bound(59)
    chance = 1 - (60 / 89) ** 2 - (29 / 89) ** 2
    assert found.observed[:3] == pytest.approx((1, 1 - bound, 1))
    assert found.kappa[:3] == pytest.approx((1, 1 - bound / chance, 1))


def test_none_equal():
    """Two labels, always the other one: kappa -1."""
    found = kappa([("y", "n", n) for n in range(20)] + [("n", "y", n) for n in range(20, 40)])
    assert found.kappa.value == pytest.approx(-1)
    assert -1 == found.kappa.low < found.kappa.high < -0.8


def test_one_label_only_is_undefined_and_never_nan():
    found = kappa([("y", "y", n) for n in range(9)])
    assert found.kappa == (None, None, None, "one label only")
    assert found.observed.value == 1
    assert kappa([]).kappa.value is None
    assert kappa([]).observed.value is None


def test_one_side_constant_is_chance():
    assert kappa([("y", "y", 1), ("y", "n", 2), ("y", "n", 3)]).kappa.value == pytest.approx(0)


@given(PAIRS)
def test_kappa_of_equal_labels_is_one(pairs):
    found = kappa([(a, a, c) for a, _, c in pairs]).kappa
    assert found.value == (1 if len({a for a, _, _ in pairs}) > 1 else None)


@given(PAIRS)
def test_kappa_is_symmetric_and_lies_in_its_interval(pairs):
    found, turned = kappa(pairs), kappa([(b, a, c) for a, b, c in pairs])
    if found.kappa.value is not None:
        assert turned.kappa[:3] == pytest.approx(found.kappa[:3])
        assert -1 <= found.kappa.low <= found.kappa.value + 1e-9
        assert found.kappa.value - 1e-9 <= found.kappa.high <= 1
    if pairs:
        assert 0 <= found.observed.low <= found.observed.value <= found.observed.high <= 1


@given(PAIRS, st.randoms(use_true_random=False))
def test_order_of_pairs_changes_nothing(pairs, random):
    shuffled = random.sample(pairs, len(pairs))
    before, after = kappa(pairs), kappa(shuffled)
    if pairs:
        assert after.observed[:3] == pytest.approx(before.observed[:3])
    if before.kappa.value is not None:
        assert after.kappa[:3] == pytest.approx(before.kappa[:3])


# spans


def test_f1_by_hand():
    """Output 1: one exact of 2 and 2, the others overlap; output 2: one against none."""
    first, second = ["0-4 A, 6-12 B", "3-5 A"], ["0-4 A, 8-14 B", ""]
    assert f1(first, second).value == pytest.approx(2 * 1 / (3 + 2))
    assert f1(first, second, mode="overlap").value == pytest.approx(2 * 2 / (3 + 2))
    assert f1(first, second, mode="character").value == pytest.approx(2 * 8 / (12 + 10))


def test_labels_count_or_do_not():
    assert f1(["0-4 A"], ["0-4 B"]).value == 0
    assert f1(["0-4 A"], ["0-4 B"], labels=False).value == 1
    assert f1(["0-4 A"], ["2-9 B"], mode="overlap").value == 0
    assert f1(["0-4 A"], ["2-9 B"], mode="overlap", labels=False).value == 1
    assert f1(["0-4 A, 0-4 B"], ["0-4 A"], mode="character", labels=False).value == 1


def test_matching_is_one_to_one_and_largest():
    """One long span matches one of its pieces; taking the first neighbour would find one pair, not two."""
    assert f1(["0-9 A"], ["0-3 A, 4-9 A"], mode="overlap").value == pytest.approx(2 / 3)
    assert f1(["0-9 A, 0-3 A"], ["1-2 A, 5-8 A"], mode="overlap").value == 1
    assert f1(["0-4 A"], ["4-8 A"], mode="overlap").value == 0
    assert f1(["0-4 A, 0-4 A"], ["0-4 A"]).value == pytest.approx(2 / 3)


def test_no_span_on_either_side_has_no_value():
    assert f1(["", ""], ["", ""]).value is None
    assert f1([], []).value is None
    assert f1(["0-1 A"], [""]).value == 0


def test_perfect_agreement_is_bounded_by_outputs_with_spans():
    found = f1(["0-4 A, 5-9 B"] * 30 + [""] * 50, ["0-4 A, 5-9 B"] * 30 + [""] * 50)
    assert found[:3] == pytest.approx((1, 1 - zero_bound(30), 1))


@given(OUTPUTS, MODES, st.booleans())
def test_f1_is_symmetric_and_lies_in_its_interval(outputs, mode, labels):
    first, second = [a for a, _ in outputs], [b for _, b in outputs]
    found = span_f1(first, second, mode=mode, labels=labels)
    assert found == span_f1(second, first, mode=mode, labels=labels)
    if found.value is not None:
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert span_f1(first, first, mode=mode, labels=labels).value in (1, None)


@given(OUTPUTS, st.booleans())
def test_overlap_is_the_best_of_all_matchings(outputs, labels):
    def best(ours, theirs):
        if len(ours) > len(theirs):
            ours, theirs = theirs, ours
        fits = [
            [a.start < b.end and b.start < a.end and (not labels or a.label == b.label) for b in theirs]
            for a in ours
        ]
        return max(
            sum(fits[i][j] for i, j in enumerate(p)) for p in permutations(range(len(theirs)), len(ours))
        )

    found = span_f1([a for a, _ in outputs], [b for _, b in outputs], mode="overlap", labels=labels)
    spans_in_all = sum(len(a) + len(b) for a, b in outputs)
    if spans_in_all:
        assert found.value == pytest.approx(2 * sum(best(a, b) for a, b in outputs) / spans_in_all)
    else:
        assert found.value is None


@given(OUTPUTS)
def test_looser_modes_find_no_less(outputs):
    first, second = [a for a, _ in outputs], [b for _, b in outputs]
    exact, overlap = (span_f1(first, second, mode=mode).value for mode in ("exact", "overlap"))
    if exact is not None:
        assert exact <= overlap + 1e-12


@given(OUTPUTS, st.randoms(use_true_random=False))
def test_order_of_outputs_changes_nothing(outputs, random):
    shuffled = random.sample(outputs, len(outputs))
    before, after = (span_f1([a for a, _ in o], [b for _, b in o]) for o in (outputs, shuffled))
    assert after[:3] == (pytest.approx(before[:3]) if before.value is not None else (None, None, None))


def test_f1_interval_covers():
    """300 simulated reviews: 60 outputs of 0 to 4 spans, half of the outputs missed all or nothing."""
    rng = np.random.default_rng(8)
    covered = 0
    for _ in range(300):
        sides = ([], [])
        for count, together in zip(rng.integers(0, 5, 60), rng.random(60) < 0.5, strict=True):
            for side in sides:
                kept = np.full(count, rng.random() < 0.9) if together else rng.random(count) < 0.9
                side.append([LabelledSpan(10 * n, 10 * n + 5, "A") for n in np.flatnonzero(kept)])
        found = span_f1(*sides)
        covered += found.low <= 0.9 <= found.high
    assert covered >= 0.93 * 300


def test_pair_counts_of_combinations_are_those_of_the_definition():
    """Every pair of label sequences of length 3: kappa from its definition with fractions."""
    every = [(a, b, c) for a in "xy" for b in "xy" for c in "xy"]
    for ours, theirs in combinations(every, 2):
        agreed = sum(a == b for a, b in zip(ours, theirs, strict=True)) / 3
        chance = sum(ours.count(k) / 3 * theirs.count(k) / 3 for k in "xy")
        found = cohen_kappa(ours, theirs, range(3)).kappa.value
        assert found == pytest.approx((agreed - chance) / (1 - chance))
