"""The pool of values: by category, form and split; the same whichever way the values come in."""

import random

import pytest

from phiscan.value_pool import ValuePool, form_of

NAMES = [f"{chr(65 + i)}nna {chr(65 + j)}ell" for i in range(26) for j in range(26)]


def pool_of(values, *, cap=20, seed=3):
    pool = ValuePool(seed=seed, cap=cap)
    for value in values:
        pool.add("PATIENT", value, "member")
    return pool


def test_neither_order_nor_repetition_decides_what_is_kept():
    kept = pool_of(NAMES).like("PATIENT", "Mara Quillon", "member").same_split
    assert len(kept) == 20
    again = NAMES * 2
    random.Random(5).shuffle(again)
    assert pool_of(again).like("PATIENT", "Mara Quillon", "member").same_split == kept
    assert pool_of(NAMES, seed=4).like("PATIENT", "Mara Quillon", "member").same_split != kept


def test_what_is_kept_is_no_special_part_of_what_came():
    kept = pool_of(NAMES, cap=300).like("PATIENT", "Mara Quillon", "member").same_split
    early = sum(NAMES.index(value) < len(NAMES) // 2 for value in kept)
    assert 115 < early < 185  # 150 expected, standard deviation 6.5


def test_values_of_the_same_split_are_told_from_the_others():
    pool = ValuePool(seed=0)
    for value, split in (("Ada Quill", "member"), ("Bo Lind", "holdout"), ("Cy Vane", "member")):
        pool.add("DOCTOR", value, split)
    member = pool.like("DOCTOR", "Di Moor", "member")
    assert (set(member.same_split), member.other_split) == ({"Ada Quill", "Cy Vane"}, ("Bo Lind",))
    assert pool.like("DOCTOR", "Di Moor", "holdout") == (("Bo Lind",), member.same_split)
    assert pool.like("PATIENT", "Di Moor", "member") == ((), ())
    assert pool.like("DOCTOR", "MOOR, DI", "member") == ((), ())


@pytest.mark.parametrize(
    ("category", "one", "other", "same"),
    [
        ("PATIENT", "Mara Quillon", "Zoë Lindqvist", True),
        ("PATIENT", "Mara Quillon", "Mara T. Quillon", False),
        ("PATIENT", "Mara Quillon", "Mara QUILLON", False),
        ("PATIENT", "Mara Quillon", "Quillon, Mara", False),
        ("STREET", "12 Alder Ct", "48 Birch Lane", True),
        ("STREET", "12 Alder Ct", "148 Birch Lane", False),
        ("MEDICALRECORD", "00-482913", "77-302185", True),
        ("MEDICALRECORD", "00-482913", "00482913", False),
        ("DATE", "3/14/2021", "9/02/1957", True),
        ("DATE", "3/14/2021", "3/14/21", False),
        ("DATE", "14 Mar 2021", "12 Aug 1957", True),
        ("DATE", "14 Mar 2021", "14 March 2021", False),
        ("PROFESSION", "carpenter", "locksmith", True),
        ("PROFESSION", "carpenter", "bus driver", False),
        ("HOSPITAL", "Harrowgate General Hospital", "Saint Orlin Hospital", True),
    ],
)
def test_forms(category, one, other, same):
    assert (form_of(category, one) == form_of(category, other)) is same
