"""Every note's units (tokens or words), and where any text of 30 units or more stands in them.

:meth:`CorpusIndex.trace` tells of each 30-unit window of a sequence in how many *patients'* notes it
stands, and names every maximal run that the sequence shares with a note. What is kept, in
memory-mapped files of one folder:

- the notes themselves;
- places of the grams that windows choose (:mod:`phiscan.grams`), by hash: about one unit in eight;
- for each window that stands at more than ``MANY`` = 8 places: at which place first, and the
  number of patients whose notes hold it.

Exact, whatever the hashes do (places are compared unit by unit before they are believed):

- the number of patients of every window, templates or not;
- every run with at least one window that is no template, in whoever's note and in however many notes.

Not named at all, in any note: runs of template windows only. Boilerplate is counted, never
enumerated; a caller who wants those runs too asks with a larger ``template_patients``. No other
source is ever dropped: 8 bounds what is counted beforehand, not what is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from phiscan.grams import (
    GRAM,
    Chosen,
    Ints,
    UnitArray,
    choose_grams,
    runs_of_equal,
    same_units,
    window_key,
)
from phiscan.protocols import Tokens
from phiscan.runs import MIN_RUN, Prepared, Run, Units, as_array, prepare

MANY = 8
"""A window at more places than this is counted when the index is built."""
ARRAYS = (
    "units",
    "begins",
    "ends",
    "note_starts",
    "note_patient",
    "common",
    "bucket_starts",
    "places",
    "counted_keys",
    "counted_places",
    "counted_patients",
)
_BATCH_UNITS = 1 << 17
_BATCH_PLACES = 1 << 20
_STRIDE = 16
_PREPARED = 16


class UnitText(NamedTuple):
    """A text as units, with the code points at which each begins and ends."""

    units: Units
    begins: Units
    ends: Units


class Trace(NamedTuple):
    """Where a sequence stands in the corpus."""

    patients: Ints
    """For each 30-unit window, the number of patients whose notes hold it; shape (n - 29,) or (0,)."""
    runs: list[tuple[int, Run]]
    """(note, run) for each maximal run of 30+ units with a window that is no template; ``b_start``
    counts in the note. In the order of their first such window, then of the notes."""


class CorpusIndex:
    """Units of all notes, in note order; notes of one patient stand together."""

    def __init__(self, folder: Path) -> None:
        for name in ARRAYS:
            setattr(self, name, np.load(folder / f"{name}.npy", mmap_mode="r").view(np.ndarray))
        self.prepared_units = lru_cache(maxsize=_PREPARED)(self._prepared_units)

    units: UnitArray
    begins: UnitArray
    ends: UnitArray
    note_starts: Ints
    note_patient: Ints
    common: npt.NDArray[np.bool_]
    bucket_starts: npt.NDArray[Any]
    places: npt.NDArray[Any]
    counted_keys: npt.NDArray[np.uint64]
    counted_places: npt.NDArray[Any]
    counted_patients: UnitArray

    def note_units(self, note: int) -> UnitArray:
        """Units of the note at position ``note``; shape (n_units,)."""
        return self.units[self.note_starts[note] : self.note_starts[note + 1]]

    def note_tokens(self, note: int) -> Tokens:
        """The note at position ``note``, where units are tokens, as the tokenizer cut it."""
        units = slice(int(self.note_starts[note]), int(self.note_starts[note + 1]))
        return Tokens(self.units[units].tolist(), self.ends[units].tolist())

    def _prepared_units(self, note: int) -> Prepared:
        """The same, ready for :func:`phiscan.runs.maximal_runs`; the last few notes are kept."""
        return prepare(self.note_units(note))

    def first_unit_from(self, note: int, offset: int) -> int:
        """The first unit of the note that begins at or after code point ``offset``."""
        begins = self.begins[self.note_starts[note] : self.note_starts[note + 1]]
        return int(np.searchsorted(begins, offset, side="left"))

    def chars(self, note: int, start: int, end: int) -> tuple[int, int]:
        """Code points of the note from its unit ``start`` to before its unit ``end`` (> start)."""
        first = int(self.note_starts[note])
        return int(self.begins[first + start]), int(self.ends[first + end - 1])

    def patient(self, note: int) -> int:
        """Number of the patient whose note this is."""
        return int(self.note_patient[note])

    def trace(self, sequences: Sequence[Units], *, template_patients: int) -> list[Trace]:
        """Where each sequence stands; a window of ``template_patients`` patients is a template.

        Many sequences at once take about a fifth of the time that they take one by one.
        """
        found: list[Trace] = []
        for batch in _batches(sequences):
            found += self._trace_batch(batch, template_patients)
        return found

    def _trace_batch(self, batch: Sequence[UnitArray], template_patients: int) -> list[Trace]:
        lengths = np.array([len(units) for units in batch], dtype=np.int64)
        query = np.concatenate(batch)
        chosen = choose_grams(query, lengths, self.common)
        bounds = np.concatenate([[0], np.cumsum(lengths)])
        if not len(chosen.windows):
            return [Trace(np.zeros(0, dtype=np.int64), []) for _ in batch]
        lookup = self._look_up(query, chosen)
        rare = lookup.counted < template_patients
        followed = np.zeros(len(lookup.grams), dtype=bool)
        followed[lookup.gram_of_window[rare]] = True
        runs = self._runs(query, bounds, *self._equal_grams(query, lookup, np.flatnonzero(followed)))
        patients = self._patients_of_runs(runs, len(query))
        known = lookup.counted >= 0
        patients[chosen.windows[known]] = lookup.counted[known]
        seeds = chosen.windows[patients[chosen.windows] < template_patients]
        return _split(patients, _ordered(runs, seeds), bounds, self.note_starts)

    def _look_up(self, query: UnitArray, chosen: Chosen) -> _LookUp:
        """Where the places of each chosen gram are kept, and the windows that are counted."""
        firsts = runs_of_equal(chosen.grams)
        of_window = np.repeat(np.arange(len(firsts)), np.diff(firsts, append=len(chosen.grams)))
        grams = chosen.grams[firsts]
        bucket = chosen.hashes[grams].astype(np.int64) & (len(self.common) - 1)
        begins = self.bucket_starts[bucket].astype(np.int64)
        sizes = self.bucket_starts[bucket + 1].astype(np.int64) - begins
        counted = np.full(len(chosen.windows), -1, dtype=np.int64)
        asked = np.flatnonzero((sizes > MANY)[of_window])
        if len(asked) and len(self.counted_keys):
            at = chosen.windows[asked]
            keys = window_key(chosen.hashes[at], chosen.hashes[at + MIN_RUN - GRAM])
            rows = np.minimum(np.searchsorted(self.counted_keys, keys), len(self.counted_keys) - 1)
            hit = self.counted_keys[rows] == keys
            asked, rows = asked[hit], rows[hit]
            at = self.counted_places[rows].astype(np.int64)
            same = same_units(query, chosen.windows[asked], self.units, at, MIN_RUN)
            counted[asked[same]] = self.counted_patients[rows[same]]
        return _LookUp(grams, of_window, begins, sizes, counted)

    def _equal_grams(self, query: UnitArray, lookup: _LookUp, wanted: Ints) -> tuple[Ints, Ints]:
        """Every pair (place in the query, place in the corpus) of equal wanted grams, by diagonal."""
        wanted = wanted[lookup.sizes[wanted] > 0]
        sizes = lookup.sizes[wanted]
        part = np.cumsum(sizes) // _BATCH_PLACES
        pairs: list[Ints] = []
        for rows in np.split(np.arange(len(wanted)), runs_of_equal(part)[1:]):
            total = int(sizes[rows].sum())
            skipped = np.cumsum(sizes[rows]) - sizes[rows]
            kept = np.repeat(lookup.begins[wanted[rows]] - skipped, sizes[rows]) + np.arange(total)
            ours = np.repeat(lookup.grams[wanted[rows]], sizes[rows])
            theirs = self.places[kept].astype(np.int64)
            same = same_units(query, ours, self.units, theirs, GRAM)
            ours, theirs = ours[same], theirs[same]
            pairs.append((theirs - ours + len(query)) * len(query) + ours)
        diagonals, ours = np.divmod(np.sort(np.concatenate(pairs)), len(query))
        return ours, ours + diagonals - len(query)

    def _runs(self, query: UnitArray, bounds: Ints, ours: Ints, theirs: Ints) -> _Runs:
        """The maximal runs through pairs of equal grams, each once."""
        # Grams of one diagonal that overlap are one text; a gram lies inside one text and one note.
        fresh = np.ones(len(ours) + 1, dtype=bool)
        fresh[1:-1] = (np.diff(theirs - ours) != 0) | (np.diff(ours) >= GRAM)
        heads, tails = np.flatnonzero(fresh[:-1]), np.flatnonzero(fresh[1:])
        note = np.searchsorted(self.note_starts, theirs[heads], side="right") - 1
        text = np.searchsorted(bounds, ours[heads], side="right") - 1
        a, b = ours[heads], theirs[heads]
        room = np.minimum(a - bounds[text], b - self.note_starts[note])
        back = _equal_units(query, a - 1, self.units, b - 1, room, -1)
        a_end, b_end = ours[tails] + GRAM, theirs[tails] + GRAM
        room = np.minimum(bounds[text + 1] - a_end, self.note_starts[note + 1] - b_end)
        start = a - back
        end = a_end + _equal_units(query, a_end, self.units, b_end, room, 1)
        # Two heads of one run, parted by text that was not followed, reach the same start.
        once = np.ones(len(start), dtype=bool)
        once[1:] = (np.diff(start) != 0) | (np.diff(b - a) != 0)
        kept = np.flatnonzero(once & (end - start >= MIN_RUN))
        return _Runs(start[kept], end[kept], (b - back)[kept], note[kept])

    def _patients_of_runs(self, runs: _Runs, size: int) -> Ints:
        """For each window, the number of patients with a run over it."""
        patient = self.note_patient[runs.note]
        order = np.lexsort((runs.start, patient))
        patient, start, end = patient[order], runs.start[order], runs.end[order] - MIN_RUN + 1
        # Runs of one patient that overlap count once: each begins where those before it have ended.
        reach = np.maximum.accumulate(patient * (size + 1) + end) - patient * (size + 1)
        start[1:] = np.maximum(start[1:], np.where(patient[1:] == patient[:-1], reach[:-1], 0))
        more = start < end
        steps = np.bincount(start[more], minlength=size) - np.bincount(end[more], minlength=size)
        return np.cumsum(steps)


class _LookUp(NamedTuple):
    """The distinct grams that windows choose."""

    grams: Ints
    gram_of_window: Ints
    begins: Ints
    """Where the places of each gram begin in ``places``."""
    sizes: Ints
    counted: Ints
    """For each window, its number of patients if it is kept, or -1."""


class _Runs(NamedTuple):
    """Runs of the joined sequences: start and end there, place in the corpus, note."""

    start: Ints
    end: Ints
    place: Ints
    note: Ints

    def take(self, rows: Ints) -> _Runs:
        return _Runs(self.start[rows], self.end[rows], self.place[rows], self.note[rows])


def _batches(sequences: Sequence[Units]) -> Iterator[list[UnitArray]]:
    batch: list[UnitArray] = []
    size = 0
    for sequence in sequences:
        batch.append(as_array(sequence))
        size += len(sequence)
        if size >= _BATCH_UNITS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _equal_units(left: UnitArray, a: Ints, right: UnitArray, b: Ints, room: Ints, step: int) -> Ints:
    """How many units from each ``a`` and ``b`` on are equal, one way (``step`` is 1 or -1)."""
    reach = np.zeros(len(a), dtype=np.int64)
    alive = np.flatnonzero(room > 0)
    offsets = np.arange(_STRIDE)
    while len(alive):
        ahead = np.minimum(reach[alive, None] + offsets, room[alive, None] - 1)
        same = left[a[alive, None] + step * ahead] == right[b[alive, None] + step * ahead]
        equal = np.where(same.all(axis=1), _STRIDE, same.argmin(axis=1))
        reach[alive] = np.minimum(reach[alive] + equal, room[alive])
        alive = alive[(equal == _STRIDE) & (reach[alive] < room[alive])]
    return reach


def _ordered(runs: _Runs, seeds: Ints) -> _Runs:
    """Runs with a window among ``seeds``, in the order of the first one and then of the corpus."""
    seed = np.append(seeds, np.iinfo(np.int64).max)[np.searchsorted(seeds, runs.start)]
    kept = np.flatnonzero(seed <= runs.end - MIN_RUN)
    order = np.lexsort(((runs.place - runs.start)[kept], seed[kept]))
    return runs.take(kept[order])


def _split(patients: Ints, runs: _Runs, bounds: Ints, note_starts: Ints) -> list[Trace]:
    """Share out what was found for the joined sequences."""
    text = np.searchsorted(bounds, runs.start, side="right") - 1
    lists: list[list[tuple[int, Run]]] = [[] for _ in bounds[1:]]
    a, b = runs.start - bounds[text], runs.place - note_starts[runs.note]
    columns = (text, runs.note, a, b, runs.end - runs.start)
    for at, note, *run in zip(*(column.tolist() for column in columns), strict=True):
        lists[at].append((note, Run(*run)))
    starts = bounds.tolist()
    return [
        Trace(patients[begin : max(begin, end - MIN_RUN + 1)], found)
        for begin, end, found in zip(starts[:-1], starts[1:], lists, strict=True)
    ]
