"""Categories of PHI: i2b2-2014 subcategories, HIPAA letters, the study's groups, comparability.

Sources: Stubbs & Uzuner 2015 (i2b2/UTHealth 2014 guidelines); 45 CFR 164.514(b)(2)(i).
"""

from __future__ import annotations

from typing import NamedTuple


class Category(NamedTuple):
    """Where one category stands in each scheme."""

    name: str
    hipaa: str | None
    """Letter A-R of the safe-harbor list, before the fine rules of :func:`hipaa_letter`."""
    group: str
    """dates_ages, names, locations or other (the study's four)."""
    family: str
    """Values are compared within a family only."""


_ROWS = """
PATIENT         A names       person
DOCTOR          - names       person
USERNAME        R names       username
PROFESSION      - other       profession
HOSPITAL        - locations   place
ORGANIZATION    A locations   place
STREET          B locations   place
CITY            B locations   place
STATE           - locations   place
COUNTRY         - locations   place
ZIP             B locations   place
ROOM            - locations   place
DEPARTMENT      - locations   place
LOCATION-OTHER  B locations   place
AGE             C dates_ages  age
DATE            C dates_ages  date
PHONE           D other       number
FAX             E other       number
EMAIL           F other       email
URL             N other       url
IPADDR          O other       ip
SSN             G other       number
MEDICALRECORD   H other       number
HEALTHPLAN      I other       number
ACCOUNT         J other       number
LICENSE         K other       number
VEHICLE         L other       number
DEVICE          M other       number
BIOID           P other       number
IDNUM           R other       number
"""

CATEGORIES: dict[str, Category] = {
    name: Category(name, None if letter == "-" else letter, group, family)
    for name, letter, group, family in (line.split() for line in _ROWS.split("\n") if line)
}

CONTACTS: frozenset[str] = frozenset({"PHONE", "FAX", "EMAIL", "URL", "IPADDR"})
IDENTIFIERS: frozenset[str] = frozenset(
    {
        "SSN",
        "MEDICALRECORD",
        "HEALTHPLAN",
        "ACCOUNT",
        "LICENSE",
        "VEHICLE",
        "DEVICE",
        "BIOID",
        "IDNUM",
        "USERNAME",
    }
)
REPORTED_APART: frozenset[str] = frozenset({"DOCTOR", "HOSPITAL", "DEPARTMENT", "ROOM"})
"""Clinicians and institutions: PHI by the Stubbs extension, shown apart, never deciding."""

HIPAA_NAMES: dict[str, str] = {
    "A": "Names",
    "B": "Geographic subdivisions smaller than a state",
    "C": "Dates except year; ages over 89",
    "D": "Telephone numbers",
    "E": "Fax numbers",
    "F": "E-mail addresses",
    "G": "Social security numbers",
    "H": "Medical record numbers",
    "I": "Health plan beneficiary numbers",
    "J": "Account numbers",
    "K": "Certificate and licence numbers",
    "L": "Vehicle identifiers and plates",
    "M": "Device identifiers and serial numbers",
    "N": "Web URLs",
    "O": "IP addresses",
    "P": "Biometric identifiers",
    "Q": "Full-face photographs",
    "R": "Any other unique number or code",
}
