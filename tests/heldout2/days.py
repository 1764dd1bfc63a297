"""The dates of one note in this corpus's own styles; ages come from :mod:`heldout.days`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from random import Random
from typing import ClassVar

from heldout.dates import ordinal
from heldout.days import Days
from heldout.records import Piece
from heldout.world import Patient

STYLES = {
    "us": lambda day: f"{day:%m/%d/%Y}",
    "us2": lambda day: f"{day:%m/%d/%y}",
    "loose": lambda day: f"{day.month}/{day.day}/{day:%y}",
    "dashes": lambda day: f"{day.month}-{day.day}-{day.year}",
    "dashes2": lambda day: f"{day:%m-%d-%y}",
    "iso": lambda day: f"{day:%Y-%m-%d}",
    "slashiso": lambda day: f"{day:%Y/%m/%d}",
    "packed": lambda day: f"{day:%d%b%Y}".upper(),
    "military": lambda day: f"{day:%d %b %y}".upper(),
    "mon": lambda day: f"{day:%b} {day.day}, {day.year}",
    "mondot": lambda day: (
        f"{day:%b}. {day.day}, {day.year}" if day.month != 5 else f"May {day.day}, {day.year}"
    ),
    "long": lambda day: f"{day:%B} {day.day}, {day.year}",
    "longth": lambda day: f"{day:%B} {ordinal(day.day)}, {day.year}",
    "ofth": lambda day: f"{ordinal(day.day)} of {day:%B} {day.year}",
    "british": lambda day: f"{day.day} {day:%B} {day.year}",
    "hyphens": lambda day: f"{day.day}-{day:%b}-{day.year}",
}
PARTS = {
    "md": lambda day: f"{day.month}/{day.day}",
    "md0": lambda day: f"{day:%m/%d}",
    "dash": lambda day: f"{day.month}-{day.day}",
    "month": lambda day: f"{day:%B} {day.day}",
    "monthth": lambda day: f"{day:%B} {ordinal(day.day)}",
    "mon": lambda day: f"{day:%b} {day.day}",
    "rev": lambda day: f"{day.day} {day:%b}",
    "ofth": lambda day: f"{ordinal(day.day)} of {day:%B}",
}


class OwnDays(Days):
    """Answers the keys of dates; a note keeps mostly to one style."""

    styles: ClassVar[Mapping[str, Callable[[date], str]]] = STYLES
    parts: ClassVar[Mapping[str, Callable[[date], str]]] = PARTS
    common: ClassVar[tuple[str, ...]] = ("us", "us2", "loose", "loose", "mon", "long", "long", "iso")
    range_styles: ClassVar[tuple[str, ...]] = ("md", "md0", "mon", "month")
    range_joints: ClassVar[tuple[str, ...]] = (" - ", "-", " through ", " to ", "–")

    def __init__(self, rng: Random, patient: Patient) -> None:
        super().__init__(rng, patient)
        self._full_style = rng.choice((*self.common, *self.styles))
        self._part_style = rng.choice(("md", "md", *self.parts))

    def _full_date(self, day: date, style: str | None = None) -> list[Piece]:
        if style is None:
            style = self._full_style if self._rng.random() < 0.8 else self._rng.choice(tuple(self.styles))
        return [Piece(self.styles[style](day), "DATE", day.isoformat())]

    def p(self, offset: str, style: str | None = None) -> list[Piece]:
        return [Piece(self.parts[style or self._part_style](self._day(offset)), "DATE")]

    def range(self, first: str, last: str) -> list[Piece]:
        style = self._rng.choice(self.range_styles)
        between = self._rng.choice(self.range_joints)
        start, end = self._day(first), self._day(last)
        return [
            Piece(self.parts[style](start), "DATE"),
            Piece(between),
            Piece(self.parts[style](end), "DATE"),
        ]
