"""How a value of the registration table may stand in a text: patterns for the views of a text.

Names in both orders, with their middle names, initials or neither, and by nicknames; numbers
without what groups them and without leading zeros; addresses in short forms, with and without their
unit. Dates have no patterns: those of a text are read, and compared by their canonical forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from phiscan.normalize import DateOrder, keys
from phiscan.records import Span
from phiscan.rulebook.lexicons import us_states
from phiscan.taxonomy import CATEGORIES
from phiscan.text_views import BREAK, fold_in_place, narrow, packed, words

Kind = Literal["narrow", "words", "packed"]
KINDS: tuple[Kind, ...] = ("narrow", "words", "packed")


class Form(NamedTuple):
    """A pattern and the view in which it is sought."""

    kind: Kind
    pattern: str


_TITLES = frozenset("dr mr mrs ms miss mx prof md do rn np pa phd jr sr ii iii iv".split())
_EXTENSION = re.compile(r"[,; ]*(?:\bext(?:ension)?|\bx|#)\.?[ :]*\d{1,6}\s*$")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY, _YEAR = r"\d{1,2}(?:st|nd|rd|th)?", r"(?:\d{4}|'?\d{2})"
_DATE = re.compile(
    r"(?<![\w./-])(?:"
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{8}"
    rf"|\d{{1,2}}[-/.]\d{{1,2}}[-/.]{_YEAR}"
    rf"|{_MONTH}[ .-]{{0,2}}(?:the )?{_DAY}(?:, ?|[ ,./-]{{1,2}}){_YEAR}"
    rf"|{_DAY}[ ./-]{{0,2}}(?:of )?{_MONTH}[ ,./-]{{0,2}}{_YEAR}"
    r")(?!\w|[-/.]\d)"
)
_WHOLE_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def forms(category: str, value: str) -> Iterator[Form]:
    """Every pattern of ``value``, the value itself among them; none for one that would stand everywhere."""
    folded = fold_in_place(value.strip())
    literal = narrow(folded).text
    if _tells_apart(literal):
        yield Form("narrow", literal)
    family = CATEGORIES[category].family if category in CATEGORIES else ""
    if family == "person":
        yield from (Form("words", f" {name} ") for name in _names(folded))
    elif category == "STATE":
        yield from (Form("words", f" {name} ") for name in _states(words(folded).text.strip()))
    elif family == "place" and category != "ZIP":
        yield from (Form("words", f" {place} ") for place in _places(words(folded).text.strip()))
    elif family == "number" or category == "ZIP":
        yield from _numbers(category, folded)


def known_dates(category: str, value: str, order: DateOrder) -> Iterator[str]:
    """The canonical forms of a date of the table; none unless it has day, month and year."""
    if category == "DATE":
        yield from (key for key in keys("DATE", value, order).full if _WHOLE_DATE.fullmatch(key))


def dates_of(folded: str, order: DateOrder) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """Each whole date of a text with its canonical forms."""
    for found in _DATE.finditer(folded):
        yield Span(*found.span()), keys("DATE", found[0], order).full


def _tells_apart(literal: str) -> bool:
    """Whether a value is long enough not to match everywhere: 3 characters, 4 if only digits."""
    plain = re.sub(r"[\W_]", "", literal)
    return len(literal) >= 3 and len(plain) >= (4 if plain.isdigit() else 2)


def _names(folded: str) -> Iterator[str]:
    """Orders and shortenings of a name of two words or more."""
    last, comma, given = folded.partition(",")
    if comma and (given_words := _name_words(given)):
        split = [(given_words, _name_words(last))]
    else:
        whole = _name_words(folded)
        # Which word the surname begins with is not known: van der Berg, Lopez Garcia.
        split = [(whole[:at], whole[at:]) for at in range(1, len(whole))]
    made: dict[str, None] = {}
    for given_names, surname in split:
        if not given_names or not surname or len(surname[-1]) < 2:
            continue
        for names in _given_forms(given_names):
            made[" ".join((*names, *surname))] = None
            if len(names[0]) > 1:
                made[" ".join((*surname, *names))] = None
    yield from made


def _given_forms(names: list[str]) -> Iterator[list[str]]:
    """Given names in full, with initials for the last of them, without these, and by nicknames."""
    yield names
    for kept in range(1, len(names)):
        initials = [name[0] for name in names[kept:]]
        yield from (names[:kept], names[:kept] + initials, names[:kept] + initials[:1])
    for other in _related(names[0]):
        yield from ([other], [other, *names[1:]])


def _name_words(text: str) -> list[str]:
    return [word for word in words(text).text.split() if word not in _TITLES and word != BREAK]


@lru_cache(maxsize=10_000)
def _related(given: str) -> tuple[str, ...]:
    """Nicknames of a given name, and the names it is a nickname of."""
    table = _nicknames()
    return tuple(sorted((table.nicknames_of(given) | table.canonicals_of(given)) - {given}))


@lru_cache(maxsize=1)
def _nicknames() -> Any:
    from nicknames import NickNamer

    return NickNamer()


def _places(short: str) -> Iterator[str]:
    if _tells_apart(short):
        yield short
    street, unit, _ = short.partition(" # ")
    if unit and len(street.split()) > 1:
        yield street


def _states(short: str) -> Iterator[str]:
    """Name and code of a state; a code counts only where an address says that it is one."""
    full = us_states().get(short, short)
    codes = [code for code, name in us_states().items() if name == full and len(code) == 2]
    if codes or _tells_apart(full):
        yield from dict.fromkeys((words(full).text.strip(), *codes))


def _numbers(category: str, folded: str) -> Iterator[Form]:
    is_phone = category in ("PHONE", "FAX")
    plain = packed(_EXTENSION.sub("", folded) if is_phone else folded).text
    if is_phone and len(plain) == 11 and plain[0] == "1":
        plain = plain[1:]
    if category == "ZIP" and len(plain) == 9:
        yield Form("narrow", plain[:5])
    bare = plain.lstrip("0") if plain.isdigit() and not is_phone and category != "ZIP" else plain
    if plain.isalnum() and any(map(str.isdigit, bare)) and len(bare) >= 4:
        yield Form("packed", bare)
