"""Severity: what points at one person, what narrows, what the rule lets stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.normalize import canonical, hipaa_letter
from phiscan.severity import severity
from phiscan.taxonomy import CATEGORIES

GRADES = {
    "high": """
        SSN 219-09-9999 | SSN 219 09 9999 | PATIENT Rosalind Wexholm | STREET 48 Tamarack Ln
        PHONE (207) 555-0142 | PHONE 207-555-0142 x4410 | PHONE 555-0142 | PHONE +44 20 7946 0018
        FAX 1-800-555-0133 | EMAIL ros@example.org | URL https://portal.example.org/n/12
        MEDICALRECORD 00731194 | HEALTHPLAN 1EG4-TE5-MK73 | HEALTHPLAN XQH000123456 | LICENSE 1234567893
        LICENSE AB1234563 | LICENSE S52-8841-093 | VEHICLE 1M8GDM9AXKP042788 | VEHICLE 4KRM220
        ACCOUNT 4000 1234 5678 9017 | ACCOUNT DE89 3704 0044 0532 0130 00 | DEVICE RNV441029K
        DEVICE 490154203237518 | BIOID FP-44102-7 | IDNUM 55102938 | IPADDR 8.8.8.8 | USERNAME twx44102
    """,
    "moderate": """
        SSN 987-65-4321 | SSN 900-12-3456 | SSN 000-12-3456 | SSN 219-00-9999 | SSN XXX-XX-1234 | SSN 4320
        PATIENT Wexholm | PATIENT Rosalind | STREET Tamarack Ln | CITY Dunmoor | ZIP 04999 | ZIP 036
        DATE 3/12 | DATE 2031-07-04 | DATE March | AGE 93 | AGE 90s | PHONE x4410 | PHONE 107-555-0142
        LICENSE 1234567890 | LICENSE AB1234560 | VEHICLE 1M8GDM9A1KP042788 | ACCOUNT 4000 1234 5678 9018
        ACCOUNT DE88 3704 0044 0532 0130 00 | ACCOUNT 0022 | IPADDR 192.0.2.41 | IPADDR fe80::1
        DEVICE 490154203237519 | MEDICALRECORD 4410 | ORGANIZATION Quillan Boatyard
    """,
    "low": """
        DATE 2004 | AGE 72 | AGE 89 | STATE MA | COUNTRY Norway | ZIP 049 | DOCTOR Maren Quist
        HOSPITAL Quillan General Hospital | PROFESSION bell founder | ROOM 412 | DEPARTMENT Cardiology
    """,
}
ROWS = [
    (grade, *row.split(maxsplit=1))
    for grade, table in GRADES.items()
    for line in table.strip().splitlines()
    for row in line.split(" | ")
]


@pytest.mark.parametrize(("grade", "category", "text"), ROWS)
def test_grade(grade: str, category: str, text: str) -> None:
    assert severity(category, text, canonical(category, text)) == grade


def test_a_birth_year_that_tells_of_great_age_is_not_permitted() -> None:
    assert severity("DATE", "1931", "1931") == "low"
    assert severity("DATE", "1931", "1931", birth_told_in=2031) == "moderate"


@given(st.sampled_from(sorted(CATEGORIES)), st.text(min_size=1, max_size=30))
def test_low_is_exactly_what_the_rule_lets_stand(category: str, text: str) -> None:
    form = canonical(category, text)
    assert (severity(category, text, form) == "low") == (hipaa_letter(category, form) is None)
