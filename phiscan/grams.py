"""Which 16-unit grams stand for a text: the same text chooses the same grams wherever it stands.

Each window of 30 units holds fifteen grams of 16 units and *chooses* one of them by its units
alone: rare before common, then by least hash, then the leftmost. Two equal windows therefore
choose equal grams at equal offsets, so whoever keeps the places of chosen grams (one in eight;
"minimizers", Roberts et al. 2004) can find every place of every window. That rare grams go before
common ones (as in Winnowmap, Jain et al. 2020) keeps text beside boilerplate cheap to find.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view as _windows

from phiscan.runs import MIN_RUN

Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint32]
UnitArray = npt.NDArray[np.uint32]

GRAM = 16
"""Units of a gram; two grams cover a window, and any fifteen neighbours start in one."""
GRAMS_IN_WINDOW = MIN_RUN - GRAM + 1
_BASE = 0x9E3779B1
_ROWS = 1 << 13


class Chosen(NamedTuple):
    """Every window of some texts, and the gram that each chooses."""

    windows: Ints
    """Where each window starts in the joined texts; ascending."""
    grams: Ints
    """Where the gram starts that each window chooses; ascending with repetitions."""
    hashes: Hashes
    """Hash of the gram at every place of the joined texts."""


def gram_hashes(units: UnitArray) -> Hashes:
    """Hash of every gram along the first axis, 15 fewer than units (none if there are fewer)."""
    mixed = _mixed(units)
    width = 1
    while width < GRAM:
        power = np.uint32(pow(_BASE, width, 2**32))
        mixed = mixed[:-width] * power + mixed[width:]
        width *= 2
    return mixed


def _mixed(units: Hashes) -> Hashes:
    """Spread small ids over 32 bits."""
    mixed = (units + np.uint32(1)) * np.uint32(0x85EBCA77)
    mixed ^= mixed >> np.uint32(15)
    mixed *= np.uint32(0xC2B2AE3D)
    mixed ^= mixed >> np.uint32(13)
    return mixed


def choose_grams(units: UnitArray, lengths: Ints, common: npt.NDArray[np.bool_]) -> Chosen:
    """The windows inside each text and their grams; no window goes across two texts.

    Args:
        units: All texts joined.
        lengths: Units of each text.
        common: By the lowest bits of a gram's hash, whether it is to be chosen last; the number
            of entries is a power of two.

    """
    hashes = gram_hashes(units)
    room = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(units))
    windows = np.flatnonzero(room >= MIN_RUN)
    if not len(windows):
        return Chosen(windows, windows, hashes)
    last = common[hashes & np.uint32(len(common) - 1)].astype(np.uint32) << np.uint32(31)
    order = ((hashes >> np.uint32(1) | last).astype(np.uint64) << np.uint64(32)) | np.arange(
        len(hashes), dtype=np.uint64
    )
    least = _sliding_minimum(order)[windows]
    return Chosen(windows, (least & np.uint64(0xFFFFFFFF)).astype(np.int64), hashes)


def _sliding_minimum(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Least of each ``GRAMS_IN_WINDOW`` neighbours."""
    width = 1
    while 2 * width <= GRAMS_IN_WINDOW:
        values = np.minimum(values[:-width], values[width:])
        width *= 2
    rest = GRAMS_IN_WINDOW - width
    return np.minimum(values[:-rest], values[rest:])


def window_key(first: Hashes, second: Hashes) -> npt.NDArray[np.uint64]:
    """64-bit hash of a window: of its first and its last gram, which cover it."""
    return first.astype(np.uint64) << np.uint64(32) | second


def same_units(left: UnitArray, a: Ints, right: UnitArray, b: Ints, count: int) -> npt.NDArray[np.bool_]:
    """Whether the ``count`` units from each place of ``a`` equal those from the place of ``b`` beside it."""
    same: npt.NDArray[np.bool_] = left[a] == right[b]
    alive = np.flatnonzero(same)
    for at in range(0, len(alive), _ROWS):
        part = alive[at : at + _ROWS]
        same[part] = (_windows(left, count)[a[part]] == _windows(right, count)[b[part]]).all(axis=1)
    return same


def runs_of_equal(values: npt.NDArray[Any]) -> Ints:
    """Where each stretch of equal neighbours begins."""
    if not len(values):
        return np.zeros(0, dtype=np.int64)
    return np.concatenate([[0], np.flatnonzero(values[1:] != values[:-1]) + 1])
