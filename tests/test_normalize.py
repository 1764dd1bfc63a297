"""When two ways of writing are the same value."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.normalize import canonical, hipaa_letter, is_specific, keys
from phiscan.taxonomy import CATEGORIES

SAME = [
    ("PATIENT", "John Smith", "SMITH, JOHN"),
    ("PATIENT", "John A. Smith", "Smith, John"),
    ("PATIENT", "OKONKWO, CHIDI A", "Chidi Okonkwo"),
    ("PATIENT", "Zoë O'Brien", "ZOE OBRIEN"),
    ("PATIENT", "Maria de la Cruz", "DE LA CRUZ, MARIA"),
    ("DOCTOR", "Yusuf Al-Amin, M.D.", "Dr. Yusuf Al-Amin"),
    ("DATE", "03/14/1952", "March 14, 1952"),
    ("DATE", "3/14/52", "1952-03-14"),
    ("DATE", "14 Mar 1952", "03-14-1952"),
    ("DATE", "14/03/1952", "March 14th, 1952"),
    ("DATE", "5th of June 2021", "Jun 5, 2021"),
    ("DATE", "June 2019", "06/2019"),
    ("DATE", "'98", "1998"),
    ("DATE", "3/12", "March 12"),
    ("PHONE", "617-555-0142", "(617) 555 0142"),
    ("PHONE", "+1 617.555.0142", "6175550142"),
    ("PHONE", "617-555-0142 x4410", "617-555-0142"),
    ("FAX", "508-555-0199", "(508)555-0199"),
    ("MEDICALRECORD", "7719-204-33", "771920433"),
    ("MEDICALRECORD", "00482913", "482913"),
    ("SSN", "219-09-4471", "219094471"),
    ("AGE", "93", "93 yo"),
    ("AGE", "ninety-four", "94"),
    ("AGE", "one hundred and one", "101"),
    ("STREET", "12 Alder St Apt 4B", "12 Alder Street #4B"),
    ("HOSPITAL", "Harrowgate Gen Hosp", "Harrowgate Gen Hospital"),
    ("STATE", "MA", "Massachusetts"),
    ("EMAIL", "A.B@Example.org", "a.b@example.org"),
    ("URL", "https://example.org/p/", "https://example.org/p"),
]
DIFFERENT = [
    ("PATIENT", "John Smith", "Jane Smith"),
    ("DATE", "03/14/1952", "03/15/1952"),
    ("DATE", "03/04/2021", "04/03/2021"),
    ("DATE", "1952", "03/14/1952"),
    ("PHONE", "617-555-0142", "617-555-0143"),
    ("AGE", "6 months", "6"),
    ("STREET", "12 Alder St", "12 Alder Ave"),
    ("SSN", "219-09-4471", "219-09-4472"),
]
PART = [
    ("PATIENT", "John Wetherby", "John Paul Wetherby"),
    ("PATIENT", "van der Meer", "Hendrik van der Meer"),
    ("PATIENT", "García López", "Tomás García López"),
    ("PATIENT", "Lindqvist", "Marguerite Lindqvist"),
    ("PATIENT", "M. Lindqvist", "Marguerite Lindqvist"),
    ("SSN", "XXX-XX-4471", "219-09-4471"),
    ("MEDICALRECORD", "2913", "00482913"),
    ("DATE", "3/14", "03/14/1952"),
    ("DATE", "June 2019", "06/12/2019"),
    ("PHONE", "555-0142", "617-555-0142"),
    ("STREET", "12 Alder Street", "12 Alder St Apt 4B"),
    ("ZIP", "03601", "03601-1234"),
]


def same(category, one, other):
    return bool(set(keys(category, one).full) & set(keys(category, other).full))


@pytest.mark.parametrize(("category", "one", "other"), SAME)
def test_same_value(category, one, other):
    assert same(category, one, other)


@pytest.mark.parametrize(("category", "one", "other"), DIFFERENT)
def test_different_values(category, one, other):
    assert not same(category, one, other)


@pytest.mark.parametrize(("category", "part", "whole"), PART)
def test_part_of_a_value(category, part, whole):
    assert not same(category, part, whole)
    assert set(keys(category, part).full) & keys(category, whole).part


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_every_form_of_a_date_is_the_date(day):
    forms = ["%Y-%m-%d", "%m/%d/%Y", "%B %d, %Y", "%d %b %Y", "%b. %d %Y", "%m-%d-%Y"]
    assert {canonical("DATE", day.strftime(form)) for form in forms} == {day.isoformat()}
    assert day.isoformat() in keys("DATE", day.strftime("%m/%d/%y")).full


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_day_first_and_unknown_order(day):
    text = day.strftime("%d/%m/%Y")
    assert canonical("DATE", text, "dmy") == day.isoformat()
    unknown = keys("DATE", text, "unknown")
    assert day.isoformat() in unknown.full
    assert unknown.ambiguous == (day.day <= 12 and day.day != day.month)


@given(st.sampled_from(sorted(CATEGORIES)), st.text())
def test_any_text_has_a_form_and_equals_itself(category, text):
    made = keys(category, text)
    assert made.full
    assert made == keys(category, text)
    assert not set(made.full) & made.part
    hipaa_letter(category, made.full[0])
    is_specific(category, made.full[0])


def test_hipaa_fine_rules():
    letters = {
        ("DATE", "1998"): None,
        ("DATE", "6/1998"): "C",
        ("DATE", "6/7"): "C",
        ("AGE", "89"): None,
        ("AGE", "90"): "C",
        ("AGE", "95 months"): None,
        ("ZIP", "036"): "B",
        ("ZIP", "021"): None,
        ("ZIP", "02139"): "B",
        ("STATE", "MA"): None,
        ("DOCTOR", "Nia Quill"): None,
        ("PATIENT", "Nia Quill"): "A",
    }
    assert {pair: hipaa_letter(pair[0], canonical(*pair)) for pair in letters} == letters


def test_specific():
    yes = [
        ("PATIENT", "John Smith"),
        ("PHONE", "555-0142"),
        ("EMAIL", "a@example.org"),
        ("SSN", "987-65-4321"),
    ]
    yes += [("STREET", "12 Alder St"), ("USERNAME", "clindqv7")]
    no = [
        ("PATIENT", "van der Meer"),
        ("PATIENT", "Smith"),
        ("PATIENT", "J. Smith"),
        ("PHONE", "4471"),
        ("STREET", "Alder St"),
    ]
    no += [
        ("SSN", "4471"),
        ("AGE", "93"),
        ("DATE", "03/14/1952"),
        ("CITY", "Dunmoor"),
        ("MEDICALRECORD", "12345"),
    ]
    assert all(is_specific(c, canonical(c, t)) for c, t in yes)
    assert not any(is_specific(c, canonical(c, t)) for c, t in no)
