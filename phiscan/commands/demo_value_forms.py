"""Other ways to write a value, for the demo's brute-force answer; plain lists, no normalisation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

_READ = ("%m/%d/%Y", "%B %d, %Y", "%d %b %Y", "%Y-%m-%d")
_WRITE = (*_READ, "%d %B %Y", "%b %d, %Y", "%m/%d/%y", "%m-%d-%Y", "%m-%d-%y", "%d.%m.%Y")
_WITHOUT_YEAR = ("%m/%d", "%B %d", "%b %d", "%d %b", "%d %B")
_AS_WRITTEN = frozenset({"AGE", "STREET", "EMAIL", "URL", "IPADDR"})


class Forms(NamedTuple):
    """``full``: the whole value, as given first; ``parts``: pieces that still tell of it."""

    full: tuple[str, ...]
    parts: tuple[str, ...] = ()


def value_forms(category: str, value: str) -> Forms:
    """Ways to write ``value``, a text of a category of :mod:`phiscan.taxonomy`.

    >>> value_forms("PATIENT", "Ada Quill")
    Forms(full=('Ada Quill', 'Quill, Ada'), parts=('Ada', 'Quill'))
    >>> value_forms("SSN", "912-34-5678").parts
    ('5678',)
    >>> "617.555.0142" in value_forms("PHONE", "(617) 555-0142").full
    True
    """
    if category in {"PATIENT", "DOCTOR"}:
        return _names(value)
    if category == "DATE":
        return _dates(value)
    groups = re.findall(r"[A-Za-z0-9]+", value)
    if category in _AS_WRITTEN or not any(char.isdigit() for char in value):
        return Forms((value,))
    full = [value, *(mark.join(groups) for mark in ("-", ".", " ", ""))]
    if category in {"PHONE", "FAX"} and len(groups) == 3:
        full.append(f"({groups[0]}) {groups[1]}-{groups[2]}")
        return Forms(_once(full), (f"{groups[1]}-{groups[2]}",))
    return Forms(_once(full), (groups[-1],) if category == "SSN" else ())


def _names(value: str) -> Forms:
    words = re.findall(r"[\w'-]+\.?", value)
    if len(words) < 2:
        return Forms((value,))
    given, last = (words[1:], words[0]) if "," in value else (words[:-1], words[-1])
    first = " ".join(given)
    parts = tuple(word for word in words if len(word) > 2)
    return Forms(_once((value, f"{first} {last}", f"{last}, {first}")), parts)


def _dates(value: str) -> Forms:
    for style in _READ:
        try:
            day = datetime.strptime(value, style)
        except ValueError:
            continue
        return Forms(_once((value, *_written(day, _WRITE))), _once(_written(day, _WITHOUT_YEAR)))
    return Forms((value,))


def _written(day: datetime, styles: Iterable[str]) -> Iterator[str]:
    """``day`` in every style, with and without leading zeros."""
    for style in styles:
        yield day.strftime(style)
        yield day.strftime(style.replace("%d", str(day.day)).replace("%m", str(day.month)))


def _once(forms: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(forms))
