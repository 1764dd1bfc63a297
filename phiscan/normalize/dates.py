"""Dates: figures and names of months in any order, words, ranges, holidays, and parts of a date.

Canonical forms: ``2021-03-14``; ``2021-03``; ``2021``; ``--03-14`` and ``--03`` without a year;
``2021-03-14/2021-03-18`` for a range, whose two ends are full keys of their own. A two-digit year
is both of the years it may be (so no reference date is needed to compare); the canonical one is
20yy up to :data:`PIVOT`, else 19yy.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from phiscan.normalize.holidays import day_of, holiday_name, season_or_decade
from phiscan.normalize.number_words import date_in_figures
from phiscan.normalize.text import DateOrder, Keys, fold

PIVOT = 30
"""Last two-digit year that is read as 20yy first."""
_MONTHS = {name.casefold(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name[:3]: number for name, number in list(_MONTHS.items())} | {"sept": 9}
_WEEKDAYS = {name.casefold(): name.casefold() for name in calendar.day_name}
_WEEKDAYS |= {name[:3]: name for name in list(_WEEKDAYS)} | {
    "tues": "tuesday",
    "thur": "thursday",
    "thurs": "thursday",
}

_MON = "(?P<mon>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_DAY = r"(?P<d>\d{1,2})(?:\s?(?:st|nd|rd|th)\b)?"
_YEAR = r"(?P<y>\d{4}|'?\d{2})"
_FULL_YEAR = r"(?P<y>\d{4}|'\d{2})"
_SEP = r"[\s,./-]"
_PATTERNS = [
    re.compile(pattern)
    for pattern in (
        r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})(?:[-/.](?P<d>\d{1,2}))?",
        r"(?P<y>(?:18|19|20|21)\d\d)(?P<m>\d\d)(?P<d>\d\d)",
        rf"(?P<a>\d{{1,2}})\s?[-/.]\s?(?P<b>\d{{1,2}})\s?[-/.]\s?{_YEAR}",
        r"(?P<a>\d\d)(?P<b>\d\d)(?P<y>(?:18|19|20|21)\d\d)",
        rf"(?P<m>\d{{1,2}})[-/.]\s?{_FULL_YEAR}",
        r"(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})",
        rf"{_MON}{_SEP}*(?:the\s+)?{_DAY}{_SEP}+(?:of\s+)?{_YEAR}",
        rf"{_DAY}{_SEP}*(?:day\s+)?(?:of\s+)?{_MON}{_SEP}*(?:of\s+)?{_YEAR}",
        rf"{_MON}{_SEP}*(?:of\s+)?{_FULL_YEAR}",
        rf"{_FULL_YEAR}{_SEP}+{_MON}(?:{_SEP}+{_DAY})?",
        rf"{_MON}{_SEP}*(?:the\s+)?{_DAY}",
        rf"{_DAY}{_SEP}*(?:day\s+)?(?:of\s+)?{_MON}",
        _MON,
        _FULL_YEAR,
    )
]
_TO = re.compile(r"\s*[-–—]\s*|\s+(?:to|through|thru|until|till|and|&)\s+")
_LONE = re.compile(rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:[,/\s]+{_YEAR})?")
_LEAD = re.compile(r"(?:on|in|since|from|between|about|around|circa|early|mid|late|the)[\s-]+")
_WEEKDAY = re.compile(rf"(?:{'|'.join(sorted(_WEEKDAYS, key=len, reverse=True))})\b\.?,?\s+(?=\S)")
_TIME = re.compile(
    r"(?:[\s,]+|t)(?:at\s+|@\s*)?\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:[ap]\.?m\.?|h(?:rs?)?)?"
    r"\s*(?:z|utc|[a-z]{2}t|[+-]\d{2}:?\d{2})?$"
)


class _Day(NamedTuple):
    """One reading: the years it may be in (none: unsaid), month, day."""

    years: tuple[str, ...]
    month: int | None
    day: int | None


def date_keys(text: str, order: DateOrder) -> Keys:
    """Keys of a date; what does not read as one is compared as text."""
    plain = _plain(text)
    if days := list(_single(plain, order)):
        return _keys(days)
    if found := _range(plain, order) or _named(plain):
        return found
    days = next((days for days in _openings(plain, order) if days), [])
    return _keys(days) if days else Keys((plain,))


def _plain(text: str) -> str:
    folded = fold(re.sub(r"[‘’`´]", "'", text)).strip(" .,;()")
    folded = date_in_figures(folded)
    while lead := _LEAD.match(folded) or _WEEKDAY.match(folded):
        folded = folded[lead.end() :]
    return _TIME.sub("", folded)


def _single(text: str, order: DateOrder) -> Iterator[_Day]:
    """The readings of ``text`` as one date: several where the order of the figures is unknown."""
    for pattern in _PATTERNS:
        if (match := pattern.fullmatch(text)) and (days := _readings(match, order)):
            yield from days
            return


def _openings(text: str, order: DateOrder) -> Iterator[list[_Day]]:
    """Readings of a date that something else follows."""
    for pattern in _PATTERNS[:-2]:
        if (match := pattern.match(text)) and not text[match.end() : match.end() + 1].isalnum():
            yield _readings(match, order)


def _readings(match: re.Match[str], order: DateOrder) -> list[_Day]:
    found = match.groupdict()
    years = _years(found.get("y"))
    if found.get("a"):
        pairs = _month_days(int(found["a"]), int(found["b"]), order)
        return [_Day(years, month, day) for month, day in pairs]
    day = int(found["d"]) if found.get("d") else None
    if found.get("mon"):
        month: int | None = _MONTHS[found["mon"]]
    else:
        month = int(found["m"]) if found.get("m") else None
    fits = (month is None or 1 <= month <= 12) and (day is None or 1 <= day <= 31)
    return [_Day(years, month, day)] if fits else []


def _years(text: str | None) -> tuple[str, ...]:
    """The years a written one may mean, likeliest first: '52 is 1952, but may be 2052."""
    if text is None:
        return ()
    digits = text.lstrip("'")
    if len(digits) == 4:
        return (digits,)
    return ("20" + digits, "19" + digits) if int(digits) <= PIVOT else ("19" + digits, "20" + digits)


def _month_days(first: int, second: int, order: DateOrder) -> list[tuple[int, int]]:
    month_first, day_first = (first, second), (second, first)
    readings = [day_first] if order == "dmy" else [month_first]
    if order == "unknown" and first != second:
        readings.append(day_first)
    valid = [pair for pair in readings if _is_day(*pair)]
    # 14/03 can only be day first, whatever the order.
    return valid or [pair for pair in (month_first, day_first) if _is_day(*pair)]


def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _range(text: str, order: DateOrder) -> Keys | None:
    """Keys of a range: each end lends the other the month and the year it leaves out."""
    for cut in _TO.finditer(text):
        left, right = text[: cut.start()], text[cut.end() :]
        start, end = list(_single(left, order)), list(_single(right, order))
        if start and (lone := _LONE.fullmatch(right)) and _unlike(start, end):
            end = [_Day(_years(lone["y"]), day.month, int(lone["d"])) for day in start]
        elif end and re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?", left) and end[0].day:
            start = [day._replace(day=int(re.sub(r"\D", "", left))) for day in end]
        if not start or not end or _unlike(start, end):
            continue
        years = start[0].years or end[0].years
        ends = [[day._replace(years=day.years or years) for day in days] for days in (start, end)]
        first, last = (_keys(days) for days in ends)
        full = dict.fromkeys((f"{first.full[0]}/{last.full[0]}", *first.full, *last.full))
        return Keys(tuple(full), first.part | last.part, first.ambiguous or last.ambiguous)
    return None


def _unlike(one: Iterable[_Day], other: Iterable[_Day]) -> bool:
    """True unless both sides name the same units: days, months or years."""
    return {(d.month is None, d.day is None) for d in one} != {
        (d.month is None, d.day is None) for d in other
    }


def _named(text: str) -> Keys | None:
    """Keys of holidays, seasons, decades and days of the week."""
    if text in _WEEKDAYS:
        return Keys((_WEEKDAYS[text],))
    if found := season_or_decade(text):
        return found
    dated = re.fullmatch(rf"(.+?)(?:\s+of)?[\s,]+{_FULL_YEAR}", text)
    name = holiday_name(dated[1] if dated else text)
    if name is None:
        return None
    years = _years(dated["y"]) if dated else ()
    by_year = {year: day_of(name, int(year)) for year in years} or {"": day_of(name, None)}
    days = [_Day((year,) if year else (), *day) for year, day in by_year.items() if day]
    return _keys(days)._replace(ambiguous=False) if days else Keys((name,))


def _keys(days: list[_Day]) -> Keys:
    full: list[str] = []
    part: set[str] = set()
    for years, month, day in days:
        tail = "" if month is None else f"{month:02d}" + ("" if day is None else f"-{day:02d}")
        full += [f"{year}-{tail}".rstrip("-") for year in years] or [f"--{tail}"]
        if month is None:
            continue
        if years:
            part |= {*years, f"--{tail}"}
        if day is not None:
            part |= {f"--{month:02d}"} | {f"{year}-{month:02d}" for year in years}
    return Keys(tuple(full), frozenset(part) - set(full), ambiguous=len(days) > 1)
