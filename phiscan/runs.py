"""All maximal runs of equal units between two sequences, exactly.

A run is a maximal block of consecutive units equal in both: it cannot be lengthened at either
end. ``difflib`` finds one longest block and recurses beside it, and so misses crossing runs
(and, with its default ``autojunk``, frequent units altogether); this finds all of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

MIN_RUN = 30
"""Shortest run kept, in units (the study's lower threshold)."""

Units = Sequence[int] | npt.NDArray[Any]
"""Numbers of tokens or words. Arrays are read faster than lists."""

_BYTES = 4
"""Of a unit in :attr:`Prepared.data`."""
_BITS = 8 * _BYTES
_AHEAD = 64 * _BYTES
"""Bytes compared at once when a run is followed to its end."""
_number = int.from_bytes


class Prepared(NamedTuple):
    """Units made ready by :func:`prepare`, for whoever holds one sequence against many."""

    text: str | None
    """One code point a unit, surrogates like others: it is compared, never encoded. None: a unit is none."""
    data: bytes
    """The same numbers, lowest byte first: four bytes each, or eight where ``text`` is None."""

    def part(self, start: int, end: int | None = None) -> Prepared:
        """Units ``[start, end)`` (to the last if None), ready as well."""
        size = _BYTES if self.text is not None else 2 * _BYTES
        data = self.data[size * start : None if end is None else size * end]
        return Prepared(None if self.text is None else self.text[start:end], data)


class Run(NamedTuple):
    """``a[a_start : a_start + length] == b[b_start : b_start + length]``, not extendable."""

    a_start: int
    b_start: int
    length: int


def prepare(units: Units) -> Prepared:
    """``units`` as :func:`maximal_runs` reads them."""
    try:
        data = as_array(units).astype("<u4", copy=False).tobytes()
        return Prepared(data.decode("utf-32-le", "surrogatepass"), data)
    except (OverflowError, UnicodeDecodeError):
        return Prepared(None, np.asarray(units, dtype="<i8").tobytes())


def maximal_runs(a: Units | Prepared, b: Units | Prepared, min_length: int = MIN_RUN) -> list[Run]:
    """Every maximal run of at least ``min_length`` (>= 2) equal units, sorted by place in ``a``.

    Each sequence is a string of one code point per unit; windows of ``a`` are sought in
    ``b`` with ``str.find``. Windows of w = 2/5 min_length units starting at every
    (min_length - w + 1)-th place suffice: a run of min_length units holds one of them whole.
    Each hit is extended both ways; hits on a stretch already extended are passed over.

    Worst case (two constant sequences): O(len(a) * len(b)).
    """
    left = a if isinstance(a, Prepared) else prepare(a)
    right = b if isinstance(b, Prepared) else prepare(b)
    if left.text is None or right.text is None:
        left, right = _renumbered(left, right)
        assert left.text is not None
        assert right.text is not None
    text, find = left.text, right.text.find
    ours, theirs = left.data, right.data
    width = max(1, 2 * min_length // 5)
    step = min_length - width + 1
    ends: dict[int, int] = {}
    runs: list[Run] = []
    for start in range(0, len(text) - width + 1, step):
        window = text[start : start + width]
        place = find(window)
        while place >= 0:
            end = start + width
            if ends.get(place - start, 0) < end:
                # A run that began a step before would have been met there.
                back = _equal_before(ours, _BYTES * start, theirs, _BYTES * place, _BYTES * step)
                end += _equal_from(ours, _BYTES * end, theirs, _BYTES * (place + width))
                ends[place - start] = end
                if end - start + back >= min_length:
                    runs.append(Run(start - back, place - back, end - start + back))
            place = find(window, place + 1)
    runs.sort()
    return runs


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


def _equal_from(left: bytes, a: int, right: bytes, b: int) -> int:
    """How many units from byte ``a`` and byte ``b`` on are equal.

    Read as one number, two stretches differ in their lowest bits where their first units differ.
    """
    done, room = 0, min(len(left) - a, len(right) - b)
    while done < room:
        size = min(_AHEAD, room - done)
        differ = _number(left[a : a + size], "little") ^ _number(right[b : b + size], "little")
        if differ:
            return done // _BYTES + ((differ & -differ).bit_length() - 1) // _BITS
        done, a, b = done + size, a + size, b + size
    return done // _BYTES


def _equal_before(left: bytes, a: int, right: bytes, b: int, most: int) -> int:
    """How many units before byte ``a`` and byte ``b`` are equal, of ``most`` bytes.

    The last units that differ have the highest bits that do.
    """
    size = min(a, b, most)
    differ = _number(left[a - size : a], "little") ^ _number(right[b - size : b], "little")
    return size // _BYTES - (differ.bit_length() + _BITS - 1) // _BITS


def _renumbered(a: Prepared, b: Prepared) -> tuple[Prepared, Prepared]:
    """Both with numbers that are code points."""
    numbers = [np.frombuffer(one.data, "<i8" if one.text is None else "<u4") for one in (a, b)]
    both = np.concatenate([found.astype(np.int64) for found in numbers])
    renumbered, middle = prepare(np.unique(both, return_inverse=True)[1]), len(numbers[0])
    return renumbered.part(0, middle), renumbered.part(middle)
