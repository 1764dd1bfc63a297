"""Ages: figures and words, years to days, halves, decades.

Canonical forms: ``94y``, ``18m``, ``3w``, ``5d``, ``6.5y``, ``2y3m``, ``90s`` for a decade of life and
``90+`` for the open class that the rule allows.
"""

from __future__ import annotations

import re

from phiscan.normalize.number_words import CARDINALS, DECADES, value_of
from phiscan.normalize.text import Keys, fold

_HALVES = {"½": " 1/2", "¼": " 1/4", "¾": " 3/4"}
_NUMBER = re.compile(r"(\d+)(?:\.(\d+)|[\s-]+(?:and\s+)?([1-3])/([24]))?")
_UNIT = re.compile(
    r"[\s.-]*(?:(y)(?:(?:ea)?rs?|o|/o|\b|\.)?|(m)(?:on(?:th)?s?|os?|/o|\b)|(w)(?:ee)?ks?|(w)\b|(d)(?:ays?|\b|/o))"
)
_SEX = re.compile(r"(?<=\d)[\s-]*[MF]\b|(?<=[4-9]\d)\s*m\b(?!/o)")
_DECADE = re.compile(r"(\d+)'?s\b")
_OPEN = re.compile(
    r"(?:over|above|older than|>)\s*=?\s*(?:89|90)\b|\b90\s*(?:\+|(?:years )?(?:or|and) (?:older|over|above))"
)


def age_keys(text: str) -> Keys:
    """Keys of an age; a decade is part of the ages in it."""
    for sign, figures in _HALVES.items():
        text = text.replace(sign, figures)
    # A capital M or F behind the figures is the sex, a small m the months.
    folded = fold(_SEX.sub("", text.replace("’", "'")))
    if _OPEN.search(folded):
        return Keys(("90+",))
    if match := _DECADE.search(folded):
        return Keys((f"{match[1]}s",))
    words = re.findall(r"[a-z]+", folded)
    if decade := next((DECADES[word] for word in words if word in DECADES), None):
        return Keys((f"{decade}s",))
    if not re.search(r"\d", folded):
        number = value_of(words)
        if number is None:
            return Keys((folded,))
        rest = " ".join(
            word for word in words if word not in CARDINALS and word not in ("hundred", "and", "a")
        )
        half = ".5" if "half" in words else ""
        folded = f"{number}{half} {rest}"
    return _measured(folded)


def _measured(text: str) -> Keys:
    """Keys of a number with its unit, and of a second pair behind it (2 years 3 months)."""
    pairs: list[tuple[str, str]] = []
    for match in _NUMBER.finditer(text):
        unit = _UNIT.match(text, match.end())
        pairs.append((_amount(match), next((u for u in unit.groups() if u), "y") if unit else ""))
    number, unit_name = pairs[0][0], pairs[0][1] or "y"
    if (
        len(pairs) > 1
        and (unit_name, pairs[1][1]) == ("y", "m")
        and number.isdigit()
        and pairs[1][0].isdigit()
    ):
        months = 12 * int(number) + int(pairs[1][0])
        return Keys((f"{number}y{pairs[1][0]}m", f"{months}m"), frozenset({f"{number}y"}))
    full = [f"{number}{unit_name}"]
    if unit_name == "m" and number.isdigit() and int(number) >= 24 and int(number) % 12 == 0:
        full.append(f"{int(number) // 12}y")
    whole = int(number.partition(".")[0])
    decade = frozenset({f"{whole // 10 * 10}s"}) if unit_name == "y" and whole >= 10 else frozenset()
    return Keys(tuple(full), decade)


def _amount(match: re.Match[str]) -> str:
    whole = str(int(match[1]))
    if match[3]:
        return f"{whole}{str(int(match[3]) / int(match[4]))[1:]}"
    decimals = (match[2] or "").rstrip("0")
    return f"{whole}.{decimals}" if decimals else whole
