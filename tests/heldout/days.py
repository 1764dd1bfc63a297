"""The dates and ages of one note."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from heldout import dates
from heldout.records import Piece
from heldout.world import Patient


class Days:
    """Answers the keys of dates, which count in days from the day of the note, and of ages."""

    def __init__(self, rng: Random, patient: Patient) -> None:
        self._rng = rng
        self._patient = patient
        self._today = patient.anchor + timedelta(days=rng.randrange(-150, 150))
        self._full_style = rng.choice(dates.FULL_STYLES)
        self._part_style = rng.choice(dates.PART_STYLES)

    def _full_date(self, day: date, style: str | None = None) -> list[Piece]:
        if style is None:
            style = self._full_style if self._rng.random() < 0.75 else self._rng.choice(dates.FULL_STYLES)
        return [Piece(dates.full(day, style), "DATE", day.isoformat())]

    def _day(self, offset: str) -> date:
        return self._today + timedelta(days=int(offset))

    def dob(self, style: str | None = None) -> list[Piece]:
        return self._full_date(self._patient.dob, style)

    def d(self, offset: str, style: str | None = None) -> list[Piece]:
        return self._full_date(self._day(offset), style)

    def p(self, offset: str, style: str | None = None) -> list[Piece]:
        return [Piece(dates.part(self._day(offset), style or self._part_style), "DATE")]

    def my(self, offset: str) -> list[Piece]:
        return [Piece(dates.month_year(self._day(offset), self._rng), "DATE")]

    def mo(self, offset: str) -> list[Piece]:
        return [Piece(f"{self._day(offset):%B}", "DATE")]

    def y(self, offset: str) -> list[Piece]:
        return [Piece(f"{self._day(offset).year}", "DATE")]

    def wd(self, offset: str) -> list[Piece]:
        return [Piece(f"{self._day(offset):%A}", "DATE")]

    def wk(self, offset: str) -> list[Piece]:
        return [Piece(f"{self._day(offset):%a}", "DATE")]

    def season(self, offset: str) -> list[Piece]:
        return [Piece(dates.season(self._day(offset), self._rng), "DATE")]

    def decade(self) -> list[Piece]:
        return [Piece(self._rng.choice(("1960s", "1970s", "1980s", "1990s")), "DATE")]

    def range(self, first: str, last: str) -> list[Piece]:
        start, end = self._day(first), self._day(last)
        if start.month == end.month and self._rng.random() < 0.3:
            return [Piece(f"{start:%B} {start.day}", "DATE"), Piece("-"), Piece(f"{end.day}", "DATE")]
        style = self._rng.choice(("md", "md0", "month_day"))
        between = self._rng.choice(("-", " - ", "–", " to "))
        return [
            Piece(dates.part(start, style), "DATE"),
            Piece(between),
            Piece(dates.part(end, style), "DATE"),
        ]

    def _years(self) -> int:
        born = self._patient.dob
        today = self._today
        return today.year - born.year - ((today.month, today.day) < (born.month, born.day))

    def age(self) -> list[Piece]:
        return [Piece(str(self._years()), "AGE")]

    def an_age(self) -> list[Piece]:
        years = str(self._years())
        return [Piece("an " if years[0] == "8" or years in ("11", "18") else "a "), Piece(years, "AGE")]

    def agew(self) -> list[Piece]:
        return [Piece(dates.number_words(self._years()), "AGE")]

    def a(self, low: str, high: str) -> list[Piece]:
        return [Piece(str(self._rng.randrange(int(low), int(high) + 1)), "AGE")]

    def aw(self, low: str, high: str) -> list[Piece]:
        return [Piece(dates.number_words(self._rng.randrange(int(low), int(high) + 1)), "AGE")]

    def tens(self, low: str, high: str) -> list[Piece]:
        return [Piece(f"{self._rng.randrange(int(low), int(high) + 1) // 10 * 10}s", "AGE")]
