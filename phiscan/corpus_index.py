"""Every note's units (tokens or words) with an exact index of their 30-unit windows.

Answers three questions about a sequence: in how many *patients'* notes does each of its
30-unit windows stand; where exactly does a window stand; what are the units of a note. The
arrays are memory-mapped files in one folder. Windows are found by a 64-bit hash; every place
found is compared unit by unit before it is used, while patients are counted by hash alone (two
windows among a billion share one with probability 0.03).
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from phiscan.runs import MIN_RUN

Ints = npt.NDArray[np.int64]
_ARRAYS = (
    "units",
    "begins",
    "ends",
    "note_starts",
    "note_patient",
    "hashes",
    "places",
    "group_starts",
    "group_patients",
)
_BASE = np.uint64(0x9E3779B97F4A7C15)


class Place(NamedTuple):
    """Where a window stands: note (its position in the index) and unit offset in that note."""

    note: int
    unit: int


class UnitText(NamedTuple):
    """A text as units, with the code points at which each begins and ends."""

    units: Sequence[int]
    begins: Sequence[int]
    ends: Sequence[int]


class CorpusIndex:
    """Units of all notes, in note order; notes of one patient stand together."""

    def __init__(self, folder: Path) -> None:
        for name in _ARRAYS:
            setattr(self, name, np.load(folder / f"{name}.npy", mmap_mode="r"))
        self._starts: list[int] = self.note_starts.tolist()

    units: Ints
    begins: Ints
    ends: Ints
    note_starts: Ints
    note_patient: Ints
    hashes: npt.NDArray[np.uint64]
    places: Ints
    group_starts: Ints
    group_patients: Ints

    def note_units(self, note: int) -> Ints:
        """Units of the note at position ``note``; shape (n_units,)."""
        return self.units[self._starts[note] : self._starts[note + 1]]

    def note_ends(self, note: int) -> Ints:
        """Code point at which each unit of the note ends; shape (n_units,)."""
        return self.ends[self._starts[note] : self._starts[note + 1]]

    def first_unit_from(self, note: int, offset: int) -> int:
        """The first unit of the note that begins at or after code point ``offset``."""
        begins = self.begins[self._starts[note] : self._starts[note + 1]]
        return int(np.searchsorted(begins, offset, side="left"))

    def chars(self, note: int, start: int, end: int) -> tuple[int, int]:
        """Code points of the note from its unit ``start`` to before its unit ``end`` (> start)."""
        first = self._starts[note]
        return int(self.begins[first + start]), int(self.ends[first + end - 1])

    def patient(self, note: int) -> int:
        """Number of the patient whose note this is."""
        return int(self.note_patient[note])

    def window_patients(self, sequence: Sequence[int]) -> Ints:
        """For each 30-unit window of ``sequence``, the number of patients whose notes hold it.

        Shape (len(sequence) - 29,), or (0,) if the sequence is shorter than a window.
        """
        hashes = window_hashes(np.asarray(sequence, dtype=np.int64))
        group = self._groups(hashes)
        counts = np.zeros(len(hashes), dtype=np.int64)
        counts[group >= 0] = self.group_patients[group[group >= 0]]
        return counts

    def window_places(self, sequence: Sequence[int], starts: Sequence[int]) -> Iterator[tuple[int, Place]]:
        """Yield (start, place) for every place in any note of the windows at ``starts``."""
        array = np.asarray(sequence, dtype=np.int64)
        groups = self._groups(window_hashes(array)[np.asarray(starts, dtype=np.int64)])
        for start, group in zip(starts, groups.tolist(), strict=True):
            if group < 0:
                continue
            window = array[start : start + MIN_RUN]
            for at in self.places[self.group_starts[group] : self.group_starts[group + 1]].tolist():
                if np.array_equal(self.units[at : at + MIN_RUN], window):
                    note = bisect.bisect_right(self._starts, at) - 1
                    yield start, Place(note, at - self._starts[note])

    def _groups(self, hashes: npt.NDArray[np.uint64]) -> Ints:
        """Position of each hash among the distinct ones, or -1."""
        if not len(self.hashes):
            return np.full(len(hashes), -1, dtype=np.int64)
        found = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        return np.where(self.hashes[found] == hashes, found, -1).astype(np.int64)


def window_hashes(units: Ints, length: int = MIN_RUN) -> npt.NDArray[np.uint64]:
    """Polynomial hash (mod 2**64, units mixed first) of each window; shape (n - length + 1,)."""
    count = len(units) - length + 1
    if count <= 0:
        return np.zeros(0, dtype=np.uint64)
    mixed = _mix(units.astype(np.uint64))
    total: npt.NDArray[np.uint64] = np.zeros(count, dtype=np.uint64)
    for offset in range(length):
        total = total * _BASE + mixed[offset : offset + count]
    return total


def _mix(units: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Spread small ids over 64 bits (the finaliser of splitmix64)."""
    mixed = (units + np.uint64(1)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def build_corpus_index(folder: Path, notes: Sequence[UnitText], patients: Sequence[int]) -> None:
    """Write the index of ``notes`` to ``folder``; ``patients`` numbers each note's patient, ascending."""
    if list(patients) != sorted(patients):
        raise ValueError("notes of one patient must stand together, patients numbered in order")
    folder.mkdir(parents=True, exist_ok=True)
    lengths = [len(note.units) for note in notes]
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
    owners = np.asarray(patients, dtype=np.int64)
    arrays: dict[str, npt.NDArray[Any]] = {
        name: _joined(getattr(note, name) for note in notes) for name in UnitText._fields
    }
    arrays |= {"note_starts": starts, "note_patient": owners}
    arrays |= _window_arrays(arrays["units"], starts, owners)
    for name in _ARRAYS:
        np.save(folder / f"{name}.npy", arrays[name])


def _joined(parts: Iterable[Sequence[int]]) -> Ints:
    return np.concatenate([np.zeros(0, np.int64), *(np.asarray(part, np.int64) for part in parts)])


def _window_arrays(units: Ints, starts: Ints, patients: Ints) -> dict[str, npt.NDArray[Any]]:
    """Windows inside one note, grouped by hash, with the number of patients of each group."""
    last = starts[1:] - MIN_RUN
    places = np.concatenate(
        [
            np.zeros(0, np.int64),
            *(np.arange(a, b + 1) for a, b in zip(starts[:-1], last, strict=True) if b >= a),
        ]
    )
    hashes = window_hashes(units)[places]
    order = np.argsort(hashes, kind="stable")
    places, hashes = places[order], hashes[order]
    owner = patients[np.searchsorted(starts, places, side="right") - 1]
    new_hash = np.ones(len(hashes), dtype=bool)
    new_hash[1:] = hashes[1:] != hashes[:-1]
    # Within a group places ascend and patients stand together, so each change is a new patient.
    new_patient = new_hash.copy()
    new_patient[1:] |= owner[1:] != owner[:-1]
    group_starts = np.flatnonzero(new_hash)
    counts = np.add.reduceat(new_patient, group_starts, dtype=np.int64) if len(hashes) else group_starts
    return {
        "hashes": hashes[group_starts],
        "places": places,
        "group_starts": np.append(group_starts, len(places)),
        "group_patients": counts,
    }
