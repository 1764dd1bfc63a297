"""Other ways to write a known value: whole ones and shortened ones, for spikes.

These are written from a value's letters and digits alone, without :mod:`phiscan.normalize`, which
reads them back, and without :mod:`phiscan.written_forms`, whose patterns stand for the folded views of a
text and are what a detector seeks: a control that shared them would say what the scanner says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime

from phiscan.normalize import DateOrder
from phiscan.rulebook.lexicons import us_states
from phiscan.taxonomy import IDENTIFIERS

_GIVEN = r"[A-Z][^\W\d_A-Z]+"
_NAME = re.compile(rf"({_GIVEN}(?: [A-Z]\.?| {_GIVEN})*) ([A-Z][\w'’-]*[^\W\d_A-Z]{{2}})")
"""Given names, perhaps a middle initial, and one surname: particles, titles and suffixes leave it open."""
_DAYS_READ: dict[DateOrder, tuple[str, ...]] = {
    "mdy": ("%m/%d/%Y", "%m-%d-%Y"),
    "dmy": ("%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y"),
    "unknown": (),
}
_DAYS_TOLD = ("%Y-%m-%d", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_STREETS = {"Street": "St", "Avenue": "Ave", "Road": "Rd", "Lane": "Ln", "Drive": "Dr", "Court": "Ct"}
_STREETS |= {short: name for name, short in _STREETS.items()}


def other_forms(category: str, text: str, order: DateOrder = "mdy") -> tuple[str, ...]:
    """Ways to write the whole value otherwise, none equal to ``text``; empty where none is sure.

    >>> other_forms("PHONE", "617-555-0142")
    ('(617) 555-0142', '617.555.0142', '+1 617 555 0142')
    >>> other_forms("AGE", "71"), other_forms("PATIENT", "Ida M. Quillon")
    (('seventy-one',), ('Quillon, Ida M.', 'QUILLON, IDA M.'))
    """
    if category in IDENTIFIERS - {"USERNAME", "SSN"}:
        made = _numbers(text)
    else:
        made = _WRITERS[category](text, order) if category in _WRITERS else iter(())
    return tuple(form for form in dict.fromkeys(made) if form != text)


def short_forms(category: str, text: str, order: DateOrder = "mdy") -> tuple[str, ...]:
    """Ways to write a telling part: initial and surname, number without area code, day and month.

    Never as they stand in ``text`` itself: with the words beside it that would be a copy of the record.

    >>> short_forms("PATIENT", "Ida Quillon"), short_forms("FAX", "508.555.0103")
    (('I. Quillon',), ('555-0103',))
    """
    made: tuple[str, ...] = ()
    if category == "PATIENT" and (name := _NAME.fullmatch(text)):
        made = (f"{name[1][0]}. {name[2]}",)
    elif category in ("PHONE", "FAX") and len(digits := _digits(text)) == 10:
        made = (f"{digits[3:6]}-{digits[6:]}",)
    elif category == "DATE" and (day := _day(text, order)):
        first, second = (day.day, day.month) if order == "dmy" else (day.month, day.day)
        made = (f"{day:%B} {day.day}", f"{first}/{second}")
    return tuple(form for form in made if form not in text)


def _names(text: str, order: DateOrder) -> Iterator[str]:
    if name := _NAME.fullmatch(text):
        turned = f"{name[2]}, {name[1]}"
        yield from (turned, turned.upper())


def _dates(text: str, order: DateOrder) -> Iterator[str]:
    if day := _day(text, order):
        numeric = f"{day.month}/{day.day}" if order == "mdy" else f"{day.day}/{day.month}"
        yield from (f"{day:%B} {day.day}, {day.year}", f"{day.day} {day:%b} {day.year}", f"{day:%Y-%m-%d}")
        if order != "unknown":
            yield f"{numeric}/{day:%y}"


def _day(text: str, order: DateOrder) -> date | None:
    """The day of a whole date whose order of figures is known."""
    for style in (*_DAYS_TOLD, *_DAYS_READ[order]):
        try:
            return datetime.strptime(text, style).date()
        except ValueError:
            continue
    return None


def _ages(text: str, order: DateOrder) -> Iterator[str]:
    if re.fullmatch(r"[1-9]\d", text):
        tens, ones = divmod(int(text), 10)
        yield _ONES[int(text)] if tens < 2 else _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


def _phones(text: str, order: DateOrder) -> Iterator[str]:
    if re.fullmatch(r"[\d().\- ]+", text) and len(digits := _digits(text)) == 10:
        area, middle, last = digits[:3], digits[3:6], digits[6:]
        yield from (f"({area}) {middle}-{last}", f"{area}.{middle}.{last}", f"+1 {area} {middle} {last}")


def _social(text: str, order: DateOrder) -> Iterator[str]:
    if re.fullmatch(r"\d{3}-\d{2}-\d{4}", text):
        yield from (text.replace("-", " "), _digits(text))


def _numbers(text: str) -> Iterator[str]:
    """Without its grouping and leading zeros, or in groups."""
    if not re.fullmatch(r"[A-Z0-9][A-Z0-9\- ]+", text) or sum(map(str.isdigit, text)) < 6:
        return
    plain = re.sub(r"[\- ]", "", text)
    if plain != text:
        yield plain
    elif plain.isdigit():
        if plain[0] == "0" and plain.strip("0"):
            yield plain.lstrip("0")
        yield f"{plain[:4]}-{plain[4:]}"


def _states(text: str, order: DateOrder) -> Iterator[str]:
    if re.fullmatch("[A-Z]{2}", text) and (name := us_states().get(text.lower())):
        yield name.title()


def _streets(text: str, order: DateOrder) -> Iterator[str]:
    for kind, other in _STREETS.items():
        if re.fullmatch(rf"\d+ [\w' ]+ {kind}", text):
            yield text.removesuffix(kind) + other


def _mails(text: str, order: DateOrder) -> Iterator[str]:
    if "@" in text:
        yield text.upper()


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


_WRITERS = {
    "PATIENT": _names,
    "DATE": _dates,
    "AGE": _ages,
    "PHONE": _phones,
    "FAX": _phones,
    "SSN": _social,
    "STATE": _states,
    "STREET": _streets,
    "EMAIL": _mails,
}
