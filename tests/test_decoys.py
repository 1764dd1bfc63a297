"""Decoys: of the value's own form, all different, none the value, and a space that is counted right."""

import math
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.decoys import make_decoys
from phiscan.taxonomy import CATEGORIES


def shape(text):
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d", "9", text)))


@pytest.mark.parametrize(
    ("category", "text"),
    [
        ("MEDICALRECORD", "00-482913"),
        ("PHONE", "(617) 555-0142 x44"),
        ("SSN", "900-12-3456"),
        ("ZIP", "03601-1234"),
        ("EMAIL", "m.lindqvist@example.org"),
    ],
)
def test_numbers_keep_their_layout(category, text):
    decoys = make_decoys(category, text, 50, Random(1))
    assert len(decoys.values) == 50
    assert {shape(decoy) for decoy in decoys.values} == {shape(text)}


def test_a_mail_address_keeps_its_host():
    assert all(
        d.endswith("@example.org") for d in make_decoys("EMAIL", "ada.quill@example.org", 9, Random(1)).values
    )


@pytest.mark.parametrize(
    "text", ["3/14/2021", "03/14/21", "3/14", "14 Mar 2021", "March 14, 2021", "11/2020", "2019"]
)
def test_dates_stay_dates_of_the_calendar(text):
    for decoy in make_decoys("DATE", text, 40, Random(2)).values:
        numbers = [int(n) for n in re.findall(r"\d+", decoy)]
        assert len(numbers) == len(re.findall(r"\d+", text))
        if text.startswith(("3/", "03/")):
            assert 1 <= numbers[0] <= 12
            assert 1 <= numbers[1] <= 28
        assert re.sub(r"[A-Za-z]+", "A", re.sub(r"\d+", "9", decoy)) == re.sub(
            r"[A-Za-z]+", "A", re.sub(r"\d+", "9", text)
        )


def test_names_are_other_names_in_the_same_capitals():
    for decoy in make_decoys("PATIENT", "QUILLON, MARA T.", 30, Random(3)).values:
        assert re.fullmatch(r"[A-Z'-]+, [A-Z'-]+ [A-Z]\.", decoy)


def test_a_place_keeps_what_kind_of_place_it_is():
    decoys = make_decoys("HOSPITAL", "Harrowgate General Hospital", 30, Random(3)).values
    assert all(decoy.endswith(" General Hospital") for decoy in decoys)


def test_what_has_no_other_form_has_no_decoys():
    assert make_decoys("AGE", "ninety-four", 9, Random(1)) == ((), 0, 0.0)


def test_other_patients_values_come_first_and_the_rest_is_drawn():
    others = ["Harrowgate", "Ellsby", "Dunmoor", "Ellsby"]
    decoys = make_decoys("CITY", "Dunmoor", 5, Random(1), others=others)
    assert decoys.values[:2] == ("Harrowgate", "Ellsby")
    assert (decoys.given, len(set(decoys.values))) == (2, 5)
    assert "Dunmoor" not in decoys.values
    assert make_decoys("CITY", "Dunmoor", 1, Random(1), others=others)[:2] == (("Harrowgate",), 1)


def test_what_the_record_holds_is_no_decoy_given_or_drawn():
    own = {"41", "Ellsby", *map(str, range(50, 100))}
    ages = make_decoys("AGE", "54", 200, Random(1), others=["41", "42"], is_own=own.__contains__)
    assert ages.values[0] == "42"
    assert ages.given == 1
    assert set(ages.values) == {str(age) for age in range(1, 50)} - {"41"}


def test_the_space_is_that_of_what_is_drawn():
    assert make_decoys("SSN", "219-09-9999", 1, Random(1)).space_bits == pytest.approx(9 * math.log2(10))
    assert make_decoys("DATE", "3/14", 1, Random(1)).space_bits == pytest.approx(math.log2(12 * 28))
    few = make_decoys("AGE", "94", 200, Random(1))
    assert len(few.values) == 98
    assert few.space_bits == pytest.approx(math.log2(99))


values = st.text(st.sampled_from("abzABZ019 -/.,@'é😀"), min_size=1, max_size=20)


@given(st.sampled_from(sorted(CATEGORIES)), values, st.integers(0, 12), st.integers(0, 3))
def test_any_value_has_distinct_decoys_or_none(category, text, count, seed):
    decoys = make_decoys(category, text, count, Random(seed))
    assert len(decoys.values) == len(set(decoys.values)) <= count
    assert text not in decoys.values
    assert decoys.space_bits >= 0
    assert decoys == make_decoys(category, text, count, Random(seed))
