"""A date moved by some days and written as it was: figures, names of months, punctuation and zeros."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import date, timedelta

from phiscan.decoys import like
from phiscan.normalize import OLDEST, DateOrder
from phiscan.normalize.dates import PIVOT

_FULL = [name.lower() for name in calendar.month_name]
_MONTHS = {name: number for number, name in enumerate(_FULL) if name}
_MONTHS |= {name[:3]: number for name, number in list(_MONTHS.items())} | {"sept": 9}
_MON = "(?P<mon>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_DAY = r"(?P<d>\d{1,2})\s?(?P<th>st|nd|rd|th)?(?!\d)"
_YEAR, _ANY_YEAR = r"(?P<y>(?:18|19|20|21)\d\d)(?!\d)", r"(?P<y>\d{4}|\d{2})(?!\d)"
_GAP = r"[\s,./-]{1,3}"
_PATTERNS = [
    re.compile(rf"(?<!\w){pattern}(?!\w)", re.IGNORECASE)
    for pattern in (
        r"(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?:(?=T\d)T\d\d:\d\d(?::\d\d)?Z?)?",
        r"(?P<y>(?:18|19|20|21)\d\d)(?P<m>\d\d)(?P<d>\d\d)",
        rf"(?P<a>\d{{1,2}})\s?(?P<sep>[-/.])\s?(?P<b>\d{{1,2}})\s?(?P=sep)\s?'?{_ANY_YEAR}",
        rf"(?P<a>\d\d)(?P<b>\d\d){_YEAR}",
        r"(?P<y>\d{4})-(?P<m>\d\d)",
        rf"(?P<m>\d{{1,2}})[-/.]{_YEAR}",
        r"(?P<a>\d{1,2})(?P<sep>[-/.])(?P<b>\d{1,2})(?!(?P=sep)\d)",
        rf"{_MON}[\s.,/-]{{0,3}}(?:the\s)?{_DAY}{_GAP}(?:of\s)?'?{_ANY_YEAR}",
        rf"{_DAY}[\s./-]{{0,2}}(?:day\s)?(?:of\s)?{_MON}{_GAP}(?:of\s)?'?{_ANY_YEAR}",
        rf"(?P<d>\d{{1,2}}){_MON}{_ANY_YEAR}",
        rf"{_MON}{_GAP}(?:of\s)?{_YEAR}",
        rf"{_MON}{_GAP}'(?P<y>\d\d)",
        rf"{_MON}[\s.-]{{0,2}}(?:the\s)?{_DAY}",
        rf"{_DAY}[\s./-]{{0,2}}(?:day\s)?(?:of\s)?{_MON}",
        _MON,
        _YEAR,
        r"'(?P<y>\d\d)",
    )
]
_TIME = re.compile(
    r"(?:\bat\b|@)?\s*\b\d{1,2}:\d\d(?::\d\d)?\s*(?:[ap]\.?m\b\.?|h(?:rs?)?\b|z\b)?", re.IGNORECASE
)
_BESIDE = frozenset(
    "on in since from between about around circa early mid late the to through thru until till and of".split()
) | {name[:width].lower() for name in calendar.day_name for width in (3, 4, 5, 9)}
"""Words that may stand in a date beside what is moved; a day of the week stays true by whole weeks."""


def shifted(text: str, days: int, *, date_order: DateOrder = "mdy", told_in: int | None = None) -> str | None:
    """``text`` with every date in it ``days`` later; None if some of it cannot be read as a date.

    A date without a year is taken to be of the year ``told_in``, in which it was written down (None: a year
    of 365 days); a month stands for its 15th, a year for its first of July. A figure that reads as
    month and day both ways is read as ``date_order`` says, month first if that is unknown.

    A date more than 89 years before ``told_in`` tells an age over 89, so there is None for it too.

    >>> shifted("3/14/21 to 3/25/21", 14), shifted("March 30th, 2021", 7), shifted("2021-12-30", 7)
    ('3/28/21 to 4/8/21', 'April 6th, 2021', '2022-01-06')
    >>> shifted("Christmas 2021", 7) is None
    True
    """
    parts: list[str] = []
    at = 0
    for found in _dates(text):
        moved = _moved(found, days, date_order, told_in)
        if moved is None or not _says_nothing(text[at : found.start()]):
            return None
        parts += [text[at : found.start()], moved]
        at = found.end()
    return "".join([*parts, text[at:]]) if _says_nothing(text[at:]) else None


def _dates(text: str) -> Iterator[re.Match[str]]:
    """The dates of a text from left to right; of those that begin at one place the fullest."""
    at = 0
    while found := [match for pattern in _PATTERNS if (match := pattern.search(text, at))]:
        first = min(found, key=lambda match: match.start())
        yield first
        at = first.end()


def _says_nothing(text: str) -> bool:
    """Whether what stands beside the dates is no part of a date: times of day, days of the week."""
    words = re.findall(r"\w+", _TIME.sub(" ", text))
    return all(word.lower() in _BESIDE for word in words)


def _moved(found: re.Match[str], days: int, order: DateOrder, told_in: int | None) -> str | None:
    parts = found.groupdict()
    if parts.get("a"):
        day_first = int(parts["a"]) > 12 or (order == "dmy" and int(parts["b"]) <= 12)
        month_group, day_group = ("b", "a") if day_first else ("a", "b")
    else:
        month_group, day_group = ("mon" if parts.get("mon") else "m"), "d"
    said = parts.get("y")
    month, day = parts.get(month_group), parts.get(day_group)
    try:
        year = (told_in or 2001) if said is None else _year(said)
        number = 7 if month is None else _MONTHS.get(month.lower()) or int(month)
        new = date(year, number, int(day) if day else 15 if month else 1) + timedelta(days)
    except (ValueError, OverflowError):
        return None
    if told_in is not None and told_in - year > OLDEST:
        return None
    figures = [part for part in (month, day) if part and part.isdigit()]
    together = found[0].isalnum() and bool(figures)  # 06SEP19
    width = _width(figures, named=month_group == "mon" and not together)
    written = {"y": f"{new:%Y}"[-len(said or "") :], day_group: f"{new.day:0{width}}", "th": _ending(new.day)}
    if month_group == "mon" and month:
        written["mon"] = _month(new.month, month, short=together)
    else:
        written[month_group] = f"{new.month:0{width}}"
    return _rewritten(found, written)


def _rewritten(found: re.Match[str], written: dict[str, str]) -> str:
    """The match with the text of some of its groups exchanged."""
    text, offset = found[0], found.start()
    spans = sorted((found.span(group), new) for group, new in written.items() if group in found.groupdict())
    for (start, end), new in reversed(spans):
        if start >= 0:
            text = text[: start - offset] + new + text[end - offset :]
    return text


def _width(figures: list[str], *, named: bool) -> int:
    """Figures of a day or month: two if zeros stand in front, or would, as no figure stands alone.

    Beside the name of a month a figure stands alone, unless they are written together.
    """
    if named:
        return 2 if any(part.startswith("0") for part in figures) else 1
    return 1 if any(len(part) == 1 for part in figures) else 2


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else int(text) + (2000 if int(text) <= PIVOT else 1900)


def _month(number: int, pattern: str, *, short: bool) -> str:
    """The month's name, cut as ``pattern`` is; "May", which is both, only if ``short``."""
    name = _FULL[number]
    whole = pattern.lower() in _FULL and not (short and len(pattern) == 3)
    return like(name if whole else name[:3], pattern)


def _ending(day: int) -> str:
    return "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
