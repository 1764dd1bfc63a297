"""All maximal runs, against a naive dynamic programme."""

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.runs import Prepared, Run, maximal_runs, prepare


def naive(a, b, shortest):
    """Every maximal run by the quadratic table of common suffix lengths."""
    ending = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            if x == y:
                ending[i + 1][j + 1] = ending[i][j] + 1
    found = []
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            length = ending[i][j]
            goes_on = i < len(a) and j < len(b) and a[i] == b[j]
            if length >= shortest and not goes_on:
                found.append(Run(i - length, j - length, length))
    return sorted(found)


units = st.lists(st.integers(0, 3), max_size=60)


@given(units, units, st.integers(2, 9))
@settings(max_examples=400, deadline=None)
def test_equals_the_naive_table(a, b, shortest):
    assert maximal_runs(a, b, shortest) == naive(a, b, shortest)


def test_equals_the_naive_table_on_planted_runs_of_thirty_and_more():
    rng = random.Random(5)
    for _ in range(60):
        a = [rng.randrange(50) for _ in range(200)]
        b = [rng.randrange(50) for _ in range(260)]
        for _ in range(3):
            size = rng.randrange(25, 60)
            i, j = rng.randrange(200 - size), rng.randrange(260 - size)
            b[j : j + size] = a[i : i + size]
        assert maximal_runs(a, b) == naive(a, b, 30)


def test_length_exactly_at_the_threshold_counts_and_one_less_does_not():
    a = list(range(100, 130))
    assert maximal_runs(a, [1, *a, 2]) == [Run(0, 1, 30)]
    assert maximal_runs(a[:29], [1, *a, 2]) == []


def test_ids_of_any_size_including_the_surrogate_range():
    a = [0xD7FF, 0xD800, 0xDFFF, 0xE000, 0x10FFFF, 2**40, -3] * 6
    assert maximal_runs(a, a, 42) == [Run(0, 0, 42)]
    low = list(range(0xD7F0, 0xD810))
    assert maximal_runs(low, low) == [Run(0, 0, 32)]


def test_empty_sequences_have_no_runs():
    assert maximal_runs([], [1, 2]) == []
    assert maximal_runs([1, 2], []) == []


@given(units, units)
@settings(max_examples=50, deadline=None)
def test_arrays_of_any_integers_give_what_lists_give(a, b):
    expected = maximal_runs(a, b, 3)
    for dtype in (np.uint16, np.uint32, np.int64):
        assert maximal_runs(np.array(a, dtype=dtype), np.array(b, dtype=dtype), 3) == expected
        assert maximal_runs(a, np.array(b, dtype=dtype), 3) == expected


def test_a_long_run_is_followed_to_both_ends_at_any_length():
    for length in (*range(30, 110), 500):
        a = list(range(1, length + 1))
        assert maximal_runs(a, [0, *a, 0]) == [Run(0, 1, length)]
        assert maximal_runs([0, *a], a) == [Run(1, 0, length)]


large = st.lists(st.sampled_from([0, 1, 0xD800, 0x10FFFF, 0x110000, 2**40, -3]), max_size=40)


@given(large, large)
@settings(max_examples=200, deadline=None)
def test_prepared_units_give_what_lists_give_code_points_or_not(a, b):
    expected = naive(a, b, 3)
    ours, theirs = prepare(a), prepare(b)
    assert (ours.text is None) == any(not 0 <= unit <= 0x10FFFF for unit in a)
    assert maximal_runs(ours, theirs, 3) == maximal_runs(a, theirs, 3) == maximal_runs(ours, b, 3) == expected


@given(large, st.integers(0, 40), st.integers(0, 40))
def test_a_part_of_what_is_prepared_is_the_part_prepared(a, start, end):
    def plain(units: Prepared):
        return maximal_runs(units, a, 2)

    assert plain(prepare(a).part(start, end)) == plain(prepare(a[start:end]))
    assert plain(prepare(a).part(start)) == plain(prepare(a[start:]))


def test_a_run_is_followed_back_wherever_its_first_window_meets_it():
    for before in range(0, 60):
        shared = list(range(100, 160))
        a, b = [*range(before), *shared, 1], [999, *shared, 2]
        assert maximal_runs(a, b) == naive(a, b, 30) == [Run(before, 1, 60)]
        assert maximal_runs(b, a) == [Run(1, before, 60)]
