"""Holidays that name a day (of a fixed date, or settled by a year), seasons and decades."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

from phiscan.normalize.text import Keys

_FIXED = {
    "new years day": (1, 1), "new years": (1, 1), "groundhog day": (2, 2), "valentines day": (2, 14),
    "valentine day": (2, 14), "st patricks day": (3, 17), "saint patricks day": (3, 17),
    "juneteenth": (6, 19), "canada day": (7, 1), "independence day": (7, 4), "halloween": (10, 31),
    "veterans day": (11, 11), "christmas eve": (12, 24), "xmas eve": (12, 24), "christmas day": (12, 25),
    "christmas": (12, 25), "xmas": (12, 25), "boxing day": (12, 26), "new years eve": (12, 31),
    "new year eve": (12, 31),
}  # fmt: skip
_NTH = {  # month, weekday (Monday 0), which of them (-1: the last)
    "martin luther king day": (1, 0, 3), "martin luther king jr day": (1, 0, 3), "mlk day": (1, 0, 3),
    "presidents day": (2, 0, 3), "mothers day": (5, 6, 2), "memorial day": (5, 0, -1),
    "fathers day": (6, 6, 3), "labor day": (9, 0, 1), "columbus day": (10, 0, 2),
    "thanksgiving": (11, 3, 4), "thanksgiving day": (11, 3, 4),
}  # fmt: skip
_FROM_EASTER = {
    "mardi gras": -47, "ash wednesday": -46, "palm sunday": -7, "good friday": -2, "easter": 0,
    "easter sunday": 0, "easter monday": 1,
}  # fmt: skip
_NAMES = frozenset({*_FIXED, *_NTH, *_FROM_EASTER})

_SEASON = re.compile(r"(spring|summer|fall|autumn|winter)(?:\s+of)?,?\s+(\d{4})")
_DECADE = re.compile(r"'?(\d0|(?:18|19|20)\d0)'?s")


def season_or_decade(text: str) -> Keys | None:
    """Keys of a season with its year (a part: the year) or of a decade; None for anything else.

    >>> season_or_decade("autumn of 2027").full, season_or_decade("'80s").full
    (('fall 2027',), ('1980s',))
    """
    if match := _DECADE.fullmatch(text):
        return Keys((f"{match[1] if len(match[1]) == 4 else '19' + match[1]}s",))
    if match := _SEASON.fullmatch(text):
        season = "fall" if match[1] == "autumn" else match[1]
        return Keys((f"{season} {match[2]}",), frozenset({match[2]}))
    return None


def holiday_name(text: str) -> str | None:
    """The holiday that folded ``text`` names, or None."""
    name = re.sub(r"[\W_]+", " ", re.sub(r"['’]", "", text)).strip().removeprefix("the ")
    return name if name in _NAMES else None


@lru_cache(maxsize=1000)
def day_of(name: str, year: int | None) -> tuple[int, int] | None:
    """(month, day) of a holiday; None if only a year would tell and there is none.

    >>> day_of("thanksgiving", 2021), day_of("christmas eve", None), day_of("easter", None)
    ((11, 25), (12, 24), None)
    """
    if name in _FIXED:
        return _FIXED[name]
    if year is None or not 1600 <= year <= 4000:
        return None
    if name in _NTH:
        month, weekday, number = _NTH[name]
        first = date(year, month, 1)
        days = [day for n in range(31) if (day := first + timedelta(n)).month == month]
        found = [day for day in days if day.weekday() == weekday]
        return month, found[number if number < 0 else number - 1].day
    from dateutil.easter import easter

    day = easter(year) + timedelta(_FROM_EASTER[name])
    return day.month, day.day
