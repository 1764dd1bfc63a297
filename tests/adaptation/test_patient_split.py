"""Who is learnt from: whole patients, the same ones for the same seed, and never who is kept out."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.adaptation.split import split_patients
from phiscan.errors import NoteFormatError


def drawn(share, ids):
    """Rounded up, but for what binary fractions add."""
    return math.ceil(round(share * len(ids), 9))


patients = st.lists(st.integers(0, 60), min_size=5, max_size=120, unique=True)


@given(patients, st.floats(0, 0.3), st.floats(0, 0.3), st.integers(0, 99), st.randoms())
def test_shares_are_of_patients_and_order_and_repeats_change_nothing(ids, validation, holdout, seed, rng):
    notes = [(f"p{i}", "member") for i in ids]
    try:
        found = split_patients(notes, validation=validation, holdout=holdout, seed=seed)
    except NoteFormatError:
        assert drawn(validation, ids) + drawn(holdout, ids) >= len(ids)
        return
    counts = list(found.values())
    assert counts.count("validation") == drawn(validation, ids)
    assert counts.count("holdout") == drawn(holdout, ids)
    mixed = notes * 2
    rng.shuffle(mixed)
    assert split_patients(mixed, validation=validation, holdout=holdout, seed=seed) == found


@given(patients, st.integers(0, 99))
def test_what_the_file_says_stands(ids, seed):
    notes = [(f"p{i}", "member") for i in ids]
    kept = [("h", "holdout"), ("x", "plant"), ("t", "twin")]
    found = split_patients(notes + kept, validation=0.2, holdout=0.2, seed=seed)
    assert (found["h"], found["x"], found["t"]) == ("holdout", "training", "twin")
    # Who names held-out patients wants no others.
    assert [patient for patient, part in found.items() if part == "holdout"] == ["h"]


def test_a_patient_who_comes_later_moves_few_others():
    notes = [(f"p{i}", "member") for i in range(100)]
    one = split_patients(notes, validation=0.1, holdout=0.1, seed=3)
    more = split_patients([*notes, ("new", "member")], validation=0.1, holdout=0.1, seed=3)
    assert sum(one[patient] != more[patient] for patient in one) <= 4
    assert one != split_patients(notes, validation=0.1, holdout=0.1, seed=4)


@pytest.mark.parametrize(
    "notes",
    [
        [("a", "member"), ("a", "holdout")],
        [("a", "twin"), ("b", "holdout")],
        [("a", "member"), ("b", "member")],
    ],
)
def test_nobody_left_to_learn_from_or_a_patient_in_two_splits_is_refused(notes):
    with pytest.raises(NoteFormatError):
        split_patients(notes, validation=0.4, holdout=0.4, seed=0)


def test_shares_that_binary_fractions_make_a_little_larger_are_those_meant():
    for share, people, wanted in ((0.07, 100, 7), (0.28, 25, 7)):
        notes = [(f"p{i}", "member") for i in range(people)]
        found = split_patients(notes, validation=0, holdout=share, seed=0)
        assert list(found.values()).count("holdout") == wanted


def test_plants_alone_can_be_learnt_from():
    assert split_patients([("a", "plant")], validation=0.1, holdout=0.1, seed=0) == {"a": "training"}
