"""All maximal runs of equal units between two sequences, exactly.

A run is a maximal block of consecutive units equal in both: it cannot be lengthened at either
end. ``difflib`` finds one longest block and recurses beside it, and so misses crossing runs
(and, with its default ``autojunk``, frequent units altogether); this finds all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

MIN_RUN = 30
"""Shortest run kept, in units (the study's lower threshold)."""

_SURROGATES_START, _SURROGATES = 0xD800, 0x800
_MAX_UNIT = 0x110000 - _SURROGATES


class Run(NamedTuple):
    """``a[a_start : a_start + length] == b[b_start : b_start + length]``, not extendable."""

    a_start: int
    b_start: int
    length: int


def maximal_runs(a: Sequence[int], b: Sequence[int], min_length: int = MIN_RUN) -> list[Run]:
    """Every maximal run of at least ``min_length`` (>= 2) equal units, sorted by place in ``a``.

    Each sequence becomes a string of one code point per unit; windows of ``a`` are sought in
    ``b`` with ``str.find``. Windows of w = (min_length + 1) // 2 units starting at every
    (min_length - w + 1)-th place suffice: a run of min_length units holds one of them whole.
    Each hit is extended both ways; hits on a stretch already extended are passed over.

    Worst case (two constant sequences): O(len(a) * len(b)).
    """
    left, right = _as_strings(a, b)
    width = (min_length + 1) // 2
    step = min_length - width + 1
    ends: dict[int, int] = {}
    runs: list[Run] = []
    for start in range(0, len(left) - width + 1, step):
        window = left[start : start + width]
        place = right.find(window)
        while place >= 0:
            diagonal = place - start
            if ends.get(diagonal, -1) < start + width:
                run = _extend(left, right, start, place, width)
                ends[diagonal] = run.a_start + run.length
                if run.length >= min_length:
                    runs.append(run)
            place = right.find(window, place + 1)
    return sorted(runs)


def _extend(left: str, right: str, a_at: int, b_at: int, length: int) -> Run:
    a_end, b_end = a_at + length, b_at + length
    while a_at and b_at and left[a_at - 1] == right[b_at - 1]:
        a_at, b_at = a_at - 1, b_at - 1
    while a_end < len(left) and b_end < len(right) and left[a_end] == right[b_end]:
        a_end, b_end = a_end + 1, b_end + 1
    return Run(a_at, b_at, a_end - a_at)


def _as_strings(a: Sequence[int], b: Sequence[int]) -> tuple[str, str]:
    """One code point per unit; surrogates are skipped, and large or negative units renumbered."""
    units = np.concatenate([np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)])
    if units.size and (units.min() < 0 or units.max() >= _MAX_UNIT):
        units = np.unique(units, return_inverse=True)[1]
    points = np.where(units < _SURROGATES_START, units, units + _SURROGATES).astype("<u4")
    text = points.tobytes().decode("utf-32-le")
    return text[: len(a)], text[len(a) :]
