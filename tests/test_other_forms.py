"""A value written otherwise reads back as the same value; a shortened one as a part of it."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.normalize import keys
from phiscan.other_forms import other_forms, short_forms

NAMES = st.sampled_from(["Ida Quillon", "Ida M. Quillon", "Ida Mae Quillon", "Osei K Tamblyn", "Bo O'Marra"])
DIGITS = st.text("0123456789", min_size=10, max_size=10)
DAYS = st.dates(datetime.date(1905, 1, 1), datetime.date(2029, 12, 31))


def check(category, text, order="mdy"):
    for form in other_forms(category, text, order):
        assert form != text
        assert set(keys(category, form, order).full) & set(keys(category, text, order).full), form
    for form in short_forms(category, text, order):
        assert form not in text
        assert set(keys(category, form, order).full) & keys(category, text, order).part, form


@given(NAMES)
def test_names(text):
    check("PATIENT", text)
    assert len(other_forms("PATIENT", text)) == 2


@given(DAYS, st.sampled_from(["mdy", "dmy"]), st.booleans())
def test_dates(day, order, told):
    numeric = "%m/%d/%Y" if order == "mdy" else "%d/%m/%Y"
    text = day.strftime("%B %d, %Y" if told else numeric)
    check("DATE", text, order)
    assert len(other_forms("DATE", text, order)) >= 2


@given(DIGITS, st.sampled_from(["{}-{}-{}", "({}) {}-{}", "{}.{}.{}"]))
def test_phones(digits, form):
    check("PHONE", form.format(digits[:3], digits[3:6], digits[6:]))


@given(st.from_regex(r"\A[A-Z]{0,3}\d{6,9}\Z") | st.from_regex(r"\A\d{3}-\d{5}-\d\Z"))
def test_numbers(text):
    check("MEDICALRECORD", text)


@given(st.integers(10, 99))
def test_ages(age):
    check("AGE", str(age))
    assert len(other_forms("AGE", str(age))) == 1


@pytest.mark.parametrize(
    ("category", "text"),
    [
        ("SSN", "987-65-4320"),
        ("STATE", "WY"),
        ("STREET", "12 Alder Court"),
        ("STREET", "9 Saint Osyth Rd"),
        ("EMAIL", "i.quillon@example.org"),
    ],
)
def test_others(category, text):
    check(category, text)
    assert other_forms(category, text)


@pytest.mark.parametrize(
    ("category", "text"),
    [
        ("PATIENT", "Quillon"),
        ("PATIENT", "van der Meer"),
        ("PATIENT", "Ida van der Meer"),
        ("PATIENT", "Ida Quillon III"),
        ("DATE", "11/02/52"),
        ("DATE", "November"),
        ("AGE", "9 months"),
        ("PHONE", "x4410"),
        ("CITY", "Dunmoor"),
    ],
)
def test_where_no_form_is_sure_there_is_none(category, text):
    assert other_forms(category, text) == ()


def test_numeric_dates_of_unknown_order_are_left_alone():
    assert other_forms("DATE", "11/02/2023", "unknown") == ()
    assert short_forms("DATE", "11/02/2023", "unknown") == ()
