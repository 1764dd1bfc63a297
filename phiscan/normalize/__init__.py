"""Typed canonical forms: when are two ways of writing a value the same value?

A value is compared within its family only (see :mod:`phiscan.taxonomy`): a weight of 88 is
never the age 88. Each value has *full* keys (any one in common: the same value, however it is
written) and *part* keys (what gives away a part of it: the surname, the last four digits, day
and month). Dates are month first unless told otherwise; with ``date_order="unknown"`` a numeric
date that reads both ways is *ambiguous*.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from phiscan.normalize.ages import age_keys
from phiscan.normalize.dates import date_keys
from phiscan.normalize.names import PARTICLES, person_keys
from phiscan.normalize.numbers import email_keys, identifier_keys, ip_keys, phone_keys, url_keys
from phiscan.normalize.places import (
    country_keys,
    institution_keys,
    room_keys,
    state_keys,
    street_keys,
    town_keys,
    work_keys,
    zip_keys,
)
from phiscan.normalize.text import DateOrder, Keys, fold, squeeze
from phiscan.rulebook.lexicons import restricted_zip3
from phiscan.taxonomy import CATEGORIES, CONTACTS, IDENTIFIERS

__all__ = [
    "DateOrder",
    "Keys",
    "canonical",
    "fold",
    "hipaa_letter",
    "is_full_name",
    "is_specific",
    "keys",
    "squeeze",
]

OLDEST = 89
"""Ages above this, and what tells of them, are identifiers (45 CFR 164.514(b)(2)(i)(C))."""


@lru_cache(maxsize=20_000)
def keys(category: str, text: str, date_order: DateOrder = "mdy") -> Keys:
    """The comparable forms of ``text`` read as a value of ``category`` (at least one full key)."""
    if category == "DATE":
        made = date_keys(text, date_order)
    else:
        made = _BY_CATEGORY.get(category, _plain_keys)(text)
    full = tuple(dict.fromkeys(key for key in made.full if key)) or (fold(text),)
    return Keys(full, made.part.difference(full), made.ambiguous)


def canonical(category: str, text: str, date_order: DateOrder = "mdy") -> str:
    """The canonical form written to the tables: the first full key."""
    return keys(category, text, date_order).full[0]


def hipaa_letter(category: str, canonical_form: str, *, birth_told_in: int | None = None) -> str | None:
    """Letter A-R of 45 CFR 164.514(b)(2)(i), or None where the rule lets the value stand.

    Fine rules: years and decades alone are allowed, unless it is a year of birth more than 89
    years before ``birth_told_in``, the year in which it was written down (None: it is no year of
    birth, or nobody knows when); ages up to 89 and the open class "90 or older" are allowed, a decade
    of life from the nineties on is not; three-digit ZIP areas are allowed unless few people live there.
    """
    letter = CATEGORIES[category].hipaa
    if category == "DATE":
        years = re.fullmatch(r"(\d{4})s?(?:/\d{4})?", canonical_form)
        if years is None:
            return letter
        old = birth_told_in is not None and birth_told_in - int(years[1]) > OLDEST
        return letter if old else None
    if category == "AGE":
        age = re.fullmatch(r"(\d+)(?:\.\d+)?(?:y\d*m?|s)", canonical_form)
        return letter if age and int(age[1]) > OLDEST else None
    if category == "ZIP" and re.fullmatch(r"\d{3}", canonical_form):
        return letter if canonical_form in restricted_zip3() else None
    return letter


def is_full_name(category: str, canonical_form: str) -> bool:
    """True for a person's name with a given name and a surname, neither of them an initial."""
    words = canonical_form.split()
    if CATEGORIES[category].family != "person" or len(words) < 2:
        return False
    return len(words[0]) > 1 and len(words[-1]) > 1 and words[0] not in PARTICLES


def is_specific(category: str, canonical_form: str) -> bool:
    """True if the value points at one person by itself: a full name, a contact, a street with
    its number, an identifier of six or more letters and digits."""
    if category in CONTACTS:
        digits = sum(char.isdigit() for char in canonical_form.partition("x")[0])
        return digits >= 7 if category in ("PHONE", "FAX") else True
    if category == "STREET":
        return re.match(r"\d+[a-z]?\s+\w", canonical_form) is not None
    if category in IDENTIFIERS:
        return sum(char.isalnum() for char in canonical_form) >= 6
    return is_full_name(category, canonical_form)


def _plain_keys(text: str) -> Keys:
    return Keys((fold(text).strip(" .,;"),))


_BY_CATEGORY: dict[str, Callable[[str], Keys]] = {
    "PATIENT": person_keys,
    "DOCTOR": person_keys,
    "AGE": age_keys,
    "PHONE": phone_keys,
    "FAX": phone_keys,
    "STREET": street_keys,
    "STATE": state_keys,
    "COUNTRY": country_keys,
    "ZIP": zip_keys,
    "ROOM": room_keys,
    "PROFESSION": work_keys,
    "URL": url_keys,
    "EMAIL": email_keys,
    "IPADDR": ip_keys,
    **dict.fromkeys(IDENTIFIERS - {"USERNAME"}, identifier_keys),
    **dict.fromkeys(("HOSPITAL", "ORGANIZATION", "DEPARTMENT"), institution_keys),
    **dict.fromkeys(("CITY", "LOCATION-OTHER"), town_keys),
}
