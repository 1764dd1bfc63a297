"""All maximal runs of equal units between two sequences, exactly.

A run is a maximal block of consecutive units equal in both: it cannot be lengthened at either
end. ``difflib`` finds one longest block and recurses beside it, and so misses crossing runs
(and, with its default ``autojunk``, frequent units altogether); this finds all of them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

MIN_RUN = 30
"""Shortest run kept, in units (the study's lower threshold)."""

Units = Sequence[int] | npt.NDArray[Any]
"""Numbers of tokens or words. Arrays are read faster than lists."""

_UTF_32 = f"utf-32-{sys.byteorder[0]}e"
_LONGEST_STEP = 32


class Run(NamedTuple):
    """``a[a_start : a_start + length] == b[b_start : b_start + length]``, not extendable."""

    a_start: int
    b_start: int
    length: int


def maximal_runs(a: Units, b: Units, min_length: int = MIN_RUN) -> list[Run]:
    """Every maximal run of at least ``min_length`` (>= 2) equal units, sorted by place in ``a``.

    Each sequence becomes a string of one code point per unit; windows of ``a`` are sought in
    ``b`` with ``str.find``. Windows of w = 2/5 min_length units starting at every
    (min_length - w + 1)-th place suffice: a run of min_length units holds one of them whole.
    Each hit is extended both ways; hits on a stretch already extended are passed over.

    Worst case (two constant sequences): O(len(a) * len(b)).
    """
    left, right = _as_strings(a, b)
    width = max(1, 2 * min_length // 5)
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


def as_array(units: Units) -> npt.NDArray[np.uint32]:
    """Units as an array of 32 bits each.

    Raises:
        OverflowError: A unit is negative or takes more than 32 bits.

    """
    if not isinstance(units, np.ndarray):
        return np.frombuffer(array("I", units), dtype=np.uint32)
    if units.dtype != np.uint32 and units.size and not 0 <= units.min() <= units.max() < 1 << 32:
        raise OverflowError("a unit is negative or takes more than 32 bits")
    return units.astype(np.uint32, copy=False)


def _extend(left: str, right: str, a_at: int, b_at: int, length: int) -> Run:
    """The maximal run around an equal stretch, by ever smaller steps."""
    a_end, b_end = a_at + length, b_at + length
    step = _LONGEST_STEP
    while step:
        ahead = left[a_end : a_end + step]
        if ahead and ahead == right[b_end : b_end + step]:
            a_end, b_end = a_end + len(ahead), b_end + len(ahead)
        else:
            step //= 2
    step = _LONGEST_STEP
    while step:
        if step <= a_at and step <= b_at and left[a_at - step : a_at] == right[b_at - step : b_at]:
            a_at, b_at = a_at - step, b_at - step
        else:
            step //= 2
    return Run(a_at, b_at, a_end - a_at)


def _as_strings(a: Units, b: Units) -> tuple[str, str]:
    """One code point per unit; units that fit into none are renumbered."""
    try:
        return _as_string(a), _as_string(b)
    except (OverflowError, UnicodeDecodeError):
        both = np.concatenate([np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)])
        numbers = np.unique(both, return_inverse=True)[1]
        return _as_string(numbers[: len(a)]), _as_string(numbers[len(a) :])


def _as_string(units: Units) -> str:
    """Surrogates are code points like others here: the string is compared, never encoded."""
    held = as_array(units) if isinstance(units, np.ndarray) else array("I", units)
    return held.tobytes().decode(_UTF_32, "surrogatepass")
