"""The ways in which notes write a date."""

from __future__ import annotations

from datetime import date
from random import Random

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
).split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()

FULL_STYLES = (
    "slash",
    "slash0",
    "short",
    "dash",
    "iso",
    "mon",
    "month",
    "month",
    "dmon",
    "dmonyy",
    "th",
    "dot",
)
PART_STYLES = ("md", "md", "md0", "month_day", "mon_day", "day_mon")


def ordinal(day: int) -> str:
    """1st, 2nd, 3rd, 4th, ..."""
    suffix = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{suffix}"


def number_words(number: int) -> str:
    """A whole number from 0 to 109 in words."""
    if number >= 100:
        rest = number - 100
        return "one hundred" + (f" and {number_words(rest)}" if rest else "")
    if number < 20:
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")


def full(day: date, style: str) -> str:
    """Day, month and year."""
    return {
        "slash": f"{day.month}/{day.day}/{day.year}",
        "slash0": f"{day:%m/%d/%Y}",
        "short": f"{day.month}/{day.day}/{day:%y}",
        "dash": f"{day:%m-%d-%Y}",
        "iso": f"{day:%Y-%m-%d}",
        "mon": f"{day:%b} {day.day}, {day.year}",
        "month": f"{day:%B} {day.day}, {day.year}",
        "dmon": f"{day.day} {day:%b} {day.year}",
        "dmonyy": f"{day:%d-%b-%y}".upper(),
        "th": f"{day:%B} {ordinal(day.day)}, {day.year}",
        "dot": f"{day.month}.{day.day}.{day:%y}",
    }[style]


def part(day: date, style: str) -> str:
    """Day and month without a year."""
    return {
        "md": f"{day.month}/{day.day}",
        "md0": f"{day:%m/%d}",
        "month_day": f"{day:%B} {day.day}",
        "mon_day": f"{day:%b} {day.day}",
        "day_mon": f"{day.day} {day:%b}",
        "month_th": f"{day:%B} {ordinal(day.day)}",
    }[style]


def month_year(day: date, rng: Random) -> str:
    """Month and year without a day."""
    return rng.choice(
        (
            f"{day:%B} {day.year}",
            f"{day:%B} of {day.year}",
            f"{day:%b} {day.year}",
            f"{day.month}/{day.year}",
            f"{day:%b} '{day:%y}",
            f"{day:%m/%y}",
        )
    )


def season(day: date, rng: Random) -> str:
    """A season with its year."""
    name = ("winter", "spring", "summer", "fall")[day.month % 12 // 3]
    return rng.choice((f"{name} {day.year}", f"{name} of {day.year}", f"{name.capitalize()} {day.year}"))
