"""Same-format decoys: what might have stood in a value's place, had the note been another patient's.

The exposure of a value is its rank among decoys of its own form (Carlini et al. 2019, arXiv 1802.08232).
The best decoys are what does stand there in other patients' notes (:mod:`phiscan.value_pool`). Where these
do not suffice, decoys are drawn: one keeps the layout of the value, its punctuation, capitals and
lengths, and draws the rest at random: digits, dates of the calendar, given names and surnames, codes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from random import Random
from typing import NamedTuple

from phiscan.rulebook.lexicons import given_names, surnames
from phiscan.taxonomy import CATEGORIES

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_YEARS = 20
"""A year is drawn from as many about the true one."""
_DATE = re.compile(r"(?<!\d)(\d{1,2})([/.-])(\d{1,2})(?:([/.-])(\d{4}|\d{2}))?(?!\d)")
_MONTH_YEAR = re.compile(r"(?<!\d)(\d{1,2})([/-])((?:19|20)\d{2})(?!\d)")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_WORD = re.compile(r"[^\W\d_]+")
_KEPT = re.compile(
    r"(?i)(?:st|street|ave|avenue|rd|road|ln|lane|dr|drive|ct|court|blvd|way|hospital|clinic|center|centre|"
    r"medical|general|of|the|and|university|health|care|jr|sr|ii|iii|md|rn)"
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_TRIES = 20
"""Draws for each decoy wanted, before a form is taken to allow no more."""


class Decoys(NamedTuple):
    """Decoys of one value, all different and none the value, and how many there could be."""

    values: tuple[str, ...]
    given: int
    """Of these, the first so many are values of other patients; the rest were drawn."""
    space_bits: float
    """log2 of the number of values of this form that could have been drawn."""


def make_decoys(
    category: str,
    text: str,
    count: int,
    rng: Random,
    *,
    others: Iterable[str] = (),
    is_own: Callable[[str], bool] = lambda value: False,
) -> Decoys:
    """Up to ``count`` decoys of ``text``, a value of ``category``; fewer where the form allows no more.

    Args:
        category: Decides what is drawn.
        text: The value.
        count: Decoys wanted.
        rng: Draws what ``others`` do not give.
        others: What stands in such places in notes, best first; taken before any is drawn.
        is_own: Whether a value is no decoy, because the patient's record holds it in some form.

    >>> make_decoys("MEDICALRECORD", "00-48", 2, Random(1)).space_bits == 4 * math.log2(10)
    True
    >>> make_decoys("CITY", "Dunmoor", 1, Random(1), others=["Harrowgate", "Ellsby"]).values
    ('Harrowgate',)

    """
    draw = _drawer(category)
    usable = (other for other in dict.fromkeys(others) if other != text and not is_own(other))
    found = dict.fromkeys(islice(usable, count))
    given = len(found)
    for _ in range((count - given) * _TRIES):
        if len(found) == count:
            break
        decoy = draw(text, rng).text
        if decoy != text and not is_own(decoy):
            found[decoy] = None
    return Decoys(tuple(found), given, draw(text, rng).bits)


class _Drawn(NamedTuple):
    text: str
    bits: float


def _drawer(category: str) -> Callable[[str, Random], _Drawn]:
    family = CATEGORIES[category].family
    if family == "person":
        return _person
    if family == "date":
        return _date
    if family == "age":
        return _age
    return _words_and_digits if family in ("place", "profession") else _code


def _person(text: str, rng: Random) -> _Drawn:
    """Each word another name: the last a surname, the others given names; initials another letter."""
    words = list(_WORD.finditer(text))
    inverted = "," in text
    bits, parts, at = 0.0, [], 0
    for number, word in enumerate(words):
        is_surname = number == (0 if inverted else len(words) - 1)
        new, gained = _name(word[0], rng, is_surname=is_surname)
        parts += [text[at : word.start()], new]
        at, bits = word.end(), bits + gained
    return _Drawn("".join([*parts, text[at:]]), bits)


def _name(word: str, rng: Random, *, is_surname: bool) -> tuple[str, float]:
    if _KEPT.fullmatch(word):
        return word, 0.0
    if len(word) == 1:
        return like(rng.choice("abcdefghijklmnoprstvw"), word), math.log2(21)
    names = _names(is_surname=is_surname)
    return like(rng.choice(names), word), math.log2(len(names))


@cache
def _names(*, is_surname: bool) -> tuple[str, ...]:
    return tuple(sorted(surnames() if is_surname else given_names()))


def like(word: str, pattern: str) -> str:
    """``word`` in the capitals of ``pattern``."""
    if pattern.isupper() and len(pattern) > 1:
        return word.upper()
    return word.capitalize() if pattern[:1].isupper() else word.lower()


def _date(text: str, rng: Random) -> _Drawn:
    """Another day of the calendar in the same form: month first, as the default reading has it."""
    bits = 0.0

    def numeric(found: re.Match[str]) -> str:
        nonlocal bits
        bits += math.log2(12 * 28) + (math.log2(_YEARS) if found[5] else 0)
        month, day = rng.randint(1, 12), rng.randint(1, 28)
        if int(found[1]) > 12:
            month, day = day, month
        year = _year_like(found[5], rng) if found[5] else ""
        return f"{_padded(month, found[1])}{found[2]}{_padded(day, found[3])}{found[4] or ''}{year}"

    def month_year(found: re.Match[str]) -> str:
        nonlocal bits
        bits += math.log2(12 * _YEARS)
        return f"{_padded(rng.randint(1, 12), found[1])}{found[2]}{_year_like(found[3], rng)}"

    for form, draw in ((_DATE, numeric), (_MONTH_YEAR, month_year)):
        text, numbers = form.subn(draw, text)
        if numbers:
            return _Drawn(text, bits)

    def year(found: re.Match[str]) -> str:
        nonlocal bits
        bits += math.log2(_YEARS)
        return _year_like(found[0], rng)

    def month(found: re.Match[str]) -> str:
        nonlocal bits
        known = [m for m in _MONTHS if m.lower().startswith(found[0].lower()) and len(found[0]) >= 3]
        if not known:
            return found[0]
        bits += math.log2(12)
        other = rng.choice(_MONTHS)
        return like(other if len(found[0]) > 4 or found[0] == known[0] else other[:3], found[0])

    def day(found: re.Match[str]) -> str:
        nonlocal bits
        bits += math.log2(28)
        return _padded(rng.randint(1, 28), found[0])

    text = _WORD.sub(month, text)
    text = re.sub(r"(?<!\d)\d{1,2}(?!\d)", day, text)
    return _Drawn(_YEAR.sub(year, text), bits)


def _year_like(year: str, rng: Random) -> str:
    moved = int(year) - _YEARS // 2 + rng.randrange(_YEARS)
    return f"{moved % 100:02d}" if len(year) == 2 else str(moved)


def _padded(number: int, pattern: str) -> str:
    return f"{number:02d}" if pattern.startswith("0") else str(number)


def _age(text: str, rng: Random) -> _Drawn:
    """Another number below a hundred; words stay words and have no decoys."""
    found = re.search(r"\d{1,3}", text)
    if found is None:
        return _Drawn(text, 0.0)
    return _Drawn(f"{text[: found.start()]}{rng.randint(1, 99)}{text[found.end() :]}", math.log2(99))


def _words_and_digits(text: str, rng: Random) -> _Drawn:
    """Places and occupations: each capitalised word that is no kind of place becomes a surname."""
    bits, parts, at = 0.0, [], 0
    for word in _WORD.finditer(text):
        if word[0][:1].isupper() and len(word[0]) > 2 and not _KEPT.fullmatch(word[0]):
            new, gained = _name(word[0], rng, is_surname=True)
            parts += [text[at : word.start()], new]
            at, bits = word.end(), bits + gained
    swapped = "".join([*parts, text[at:]])
    drawn = _digits(swapped, rng)
    return _Drawn(drawn.text, bits + drawn.bits)


def _code(text: str, rng: Random) -> _Drawn:
    """Numbers, codes, user names: the digits anew; without any, or before an @, the letters too."""
    own, at, kept = text.partition("@")
    drawn = _digits(own, rng)
    if drawn.bits and not at:
        return drawn
    letters = sum(c.isalpha() for c in own)
    new = "".join(like(rng.choice(_LETTERS), c) if c.isalpha() else c for c in drawn.text)
    return _Drawn(new + at + kept, drawn.bits + letters * math.log2(len(_LETTERS)))


def _digits(text: str, rng: Random) -> _Drawn:
    digits = sum(c.isdecimal() for c in text)
    new = "".join(str(rng.randrange(10)) if c.isdecimal() else c for c in text)
    return _Drawn(new, digits * math.log2(10))
