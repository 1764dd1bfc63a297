"""Writes what :class:`phiscan.corpus_index.CorpusIndex` reads; notes come one by one.

Memory is some 16 bytes a note and less than a byte a unit, whatever the notes are: a note is written
as soon as it is read, and everything after that works on a piece of the corpus or of the buckets at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from phiscan.corpus_index import MANY, UnitText
from phiscan.grams import (
    GRAM,
    GRAMS_IN_WINDOW,
    Hashes,
    Ints,
    UnitArray,
    choose_grams,
    gram_hashes,
    runs_of_equal,
    same_units,
    window_key,
)
from phiscan.runs import MIN_RUN, as_array

_CHUNK_UNITS = 1 << 16
_CHUNK_GRAMS = 1 << 15
_BATCH_WINDOWS = 1 << 22
_PIECE_UNITS = 1 << 25


def build_corpus_index(folder: Path, notes: Iterable[UnitText], patients: Sequence[int] | Ints) -> None:
    """Write the index of ``notes`` to ``folder``; ``patients`` numbers each note's patient, ascending.

    Raises:
        ValueError: Notes of one patient do not stand together.
        OverflowError: A unit or an offset is negative or takes more than 32 bits.

    """
    owners = np.asarray(patients, dtype=np.int64)
    if (owners[1:] < owners[:-1]).any():
        raise ValueError("notes of one patient must stand together, patients numbered in order")
    folder.mkdir(parents=True, exist_ok=True)
    starts = _write_notes(folder, notes)
    units = np.load(folder / "units.npy", mmap_mode="r").view(np.ndarray)
    common = _common_grams(units)
    counted = _write_places(folder, units, starts, owners, common)
    order = np.argsort(counted.keys)
    arrays = {
        "note_starts": starts,
        "note_patient": owners,
        "common": common,
        "counted_keys": counted.keys[order],
        "counted_places": counted.places[order].astype(_place_type(units)),
        "counted_patients": counted.patients[order].astype(np.uint32),
    }
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values)


def _place_type(units: UnitArray) -> type[np.unsignedinteger[Any]]:
    return np.uint32 if len(units) < 1 << 32 else np.uint64


def _write_notes(folder: Path, notes: Iterable[UnitText]) -> Ints:
    """Write the three columns of the notes as they come; returns where each note starts, and the end."""
    lengths = array("q")
    waiting: list[UnitText] = []
    size = 0
    with (
        (folder / "units.npy").open("wb") as units,
        (folder / "begins.npy").open("wb") as begins,
        (folder / "ends.npy").open("wb") as ends,
    ):
        files = (units, begins, ends)
        for file in files:
            _write_header(file, 0, np.uint32)
        for note in notes:
            waiting.append(note)
            lengths.append(len(note.units))
            size += len(note.units)
            if size >= _CHUNK_UNITS:
                _append(files, waiting)
                waiting, size = [], 0
        _append(files, waiting)
        for file in files:
            _write_header(file, sum(lengths), np.uint32)
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def _write_header(file: BinaryIO, size: int, kind: type[np.unsignedinteger[Any]]) -> None:
    """The header of a one-dimensional .npy file, as long for any size (numpy leaves room for it)."""
    file.seek(0)
    header = {"descr": np.dtype(kind).str, "fortran_order": False, "shape": (size,)}
    np.lib.format.write_array_header_1_0(file, header)  # type: ignore[no-untyped-call]


def _append(files: Sequence[BinaryIO], notes: Sequence[UnitText]) -> None:
    if notes:
        for file, column in zip(files, zip(*notes, strict=True), strict=True):
            file.write(np.concatenate([as_array(part) for part in column]).data)


def _common_grams(units: UnitArray) -> npt.NDArray[np.bool_]:
    """By the lowest bits of a gram's hash: whether more than ``MANY`` of one in 15 grams have them.

    The sample is of random places: notes of one length would show a regular one the same grams.
    """
    size = 1 << max(4, (len(units) // 8).bit_length())
    rng = np.random.default_rng(0)
    seen = np.zeros(size, dtype=np.uint8)
    end = len(units) - GRAM - GRAMS_IN_WINDOW
    for start in range(0, end, _CHUNK_UNITS * GRAMS_IN_WINDOW):
        at = np.arange(start, min(end, start + _CHUNK_UNITS * GRAMS_IN_WINDOW), GRAMS_IN_WINDOW)
        at += rng.integers(0, GRAMS_IN_WINDOW, len(at))
        hashes = gram_hashes(units[at + np.arange(GRAM)[:, None]])[0]
        found, times = np.unique(hashes & np.uint32(size - 1), return_counts=True)
        seen[found] = np.minimum(seen[found] + times, MANY + 1)
    return seen > MANY


class _Grams(NamedTuple):
    """Grams that windows of the corpus choose, in the order of their places."""

    places: Ints
    buckets: Hashes
    before: npt.NDArray[np.uint8]
    """How far before the gram the first window stands that chooses it ..."""
    least_before: npt.NDArray[np.uint8]
    """... and the last; all between choose it too."""

    def as_rows(self) -> npt.NDArray[Any]:
        """The same as one array, for a file."""
        rows = np.empty(len(self.places), dtype=_ROW)
        for name, column in self._asdict().items():
            rows[name] = column
        return rows

    @classmethod
    def of_rows(cls, rows: npt.NDArray[Any]) -> _Grams:
        return cls(*(np.ascontiguousarray(rows[name]) for name in cls._fields))

    def take(self, rows: Ints | slice) -> _Grams:
        return _Grams(self.places[rows], self.buckets[rows], self.before[rows], self.least_before[rows])


_ROW = np.dtype([("places", "i8"), ("buckets", "u4"), ("before", "u1"), ("least_before", "u1")])


def _write_places(
    folder: Path, units: UnitArray, starts: Ints, owners: Ints, common: npt.NDArray[np.bool_]
) -> _Counted:
    """Write the places of all grams, bucket by bucket; returns the windows at many places.

    Grams go to one spool for each piece of the buckets (unnamed files in ``folder``), so that only
    those of one piece are in memory.
    """
    pieces = min(1 << (len(units) // _PIECE_UNITS).bit_length(), len(common) // 16)
    width = len(common) // pieces
    kind = _place_type(units)
    counted = [_Counted(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.int64))]
    with ExitStack() as files:
        spools = [files.enter_context(TemporaryFile(dir=folder)) for _ in range(pieces)]
        for first, last in _note_chunks(starts):
            _spool(spools, _chosen_by_some(units, starts[first : last + 1], common), width)
        names = ("bucket_starts", "places")
        begun, placed = (files.enter_context((folder / f"{name}.npy").open("wb")) for name in names)
        _write_header(begun, len(common) + 1, kind)
        _write_header(placed, 0, kind)
        written = 0
        for number, spool in enumerate(spools):
            spool.seek(0)
            grams = _Grams.of_rows(np.fromfile(spool, dtype=_ROW))
            grams = grams._replace(buckets=grams.buckets - np.uint32(number * width))
            bucket_starts, places = _by_bucket(grams, width)
            begun.write((bucket_starts[:-1] + written).astype(kind).data)
            placed.write(places.astype(kind).data)
            written += len(places)
            counted += _counted(units, starts, owners, grams, bucket_starts)
        begun.write(np.array([written], dtype=kind).data)
        _write_header(placed, written, kind)
    return _Counted(*map(np.concatenate, zip(*counted, strict=True)))


def _spool(spools: Sequence[IO[bytes]], grams: _Grams, width: int) -> None:
    piece = grams.buckets // np.uint32(width)
    rows = grams.as_rows()[np.argsort(piece, kind="stable")]
    ends = np.cumsum(np.bincount(piece, minlength=len(spools)))
    for spool, part in zip(spools, np.split(rows, ends[:-1]), strict=True):
        spool.write(part.tobytes())


def _chosen_by_some(units: UnitArray, starts: Ints, common: npt.NDArray[np.bool_]) -> _Grams:
    chosen = choose_grams(units[starts[0] : starts[-1]], np.diff(starts), common)
    first = runs_of_equal(chosen.grams)
    last = np.append(first, len(chosen.grams))[1:] - 1
    grams = chosen.grams[first]
    return _Grams(
        grams + starts[0],
        chosen.hashes[grams] & np.uint32(len(common) - 1),
        (grams - chosen.windows[first]).astype(np.uint8),
        (grams - chosen.windows[last]).astype(np.uint8),
    )


def _note_chunks(starts: Ints) -> Iterator[tuple[int, int]]:
    """Ranges of notes of about ``_CHUNK_UNITS`` units."""
    first = 0
    while first < len(starts) - 1:
        last = int(np.searchsorted(starts, starts[first] + _CHUNK_UNITS, side="left"))
        last = min(max(last, first + 1), len(starts) - 1)
        yield first, last
        first = last


def _by_bucket(grams: _Grams, buckets: int) -> tuple[Ints, npt.NDArray[np.uint64]]:
    """Where each bucket begins (and the end), and the places of all grams, bucket by bucket."""
    shift = np.uint64(64 - (buckets - 1).bit_length())
    packed = grams.buckets.astype(np.uint64) << shift
    packed |= grams.places.astype(np.uint64)
    packed.sort()
    sizes = np.bincount(grams.buckets, minlength=buckets)
    packed &= (np.uint64(1) << shift) - np.uint64(1)
    return np.concatenate([[0], np.cumsum(sizes)]), packed


class _Counted(NamedTuple):
    """Windows that stand at many places: hash, one of the places, number of patients."""

    keys: npt.NDArray[np.uint64]
    places: Ints
    patients: Ints


def _counted(
    units: UnitArray, starts: Ints, owners: Ints, grams: _Grams, bucket_starts: Ints
) -> Iterator[_Counted]:
    """Every window at more than ``MANY`` places chooses a gram whose bucket holds as many."""
    big = np.flatnonzero(np.diff(bucket_starts)[grams.buckets] > MANY)
    # Stable: places that one window has then ascend, and those of one patient stand together.
    big = big[np.argsort(grams.buckets[big], kind="stable")]
    grams = grams.take(big)
    windows = np.cumsum(grams.before.astype(np.int64) - grams.least_before + 1)
    begin = 0
    while begin < len(big):
        before = windows[begin - 1] if begin else 0
        end = int(np.searchsorted(windows, before + _BATCH_WINDOWS, side="right"))
        last = grams.buckets[min(max(end, begin + 1), len(big)) - 1]
        end = int(np.searchsorted(grams.buckets, last, side="right"))
        yield _count(units, starts, owners, grams.take(slice(begin, end)))
        begin = end


def _count(units: UnitArray, starts: Ints, owners: Ints, grams: _Grams) -> _Counted:
    """Count the patients of windows that choose ``grams``, which are all of some buckets."""
    parts = [
        _windows_of(units, grams.take(slice(at, at + _CHUNK_GRAMS)))
        for at in range(0, len(grams.places), _CHUNK_GRAMS)
    ]
    keys, places = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(keys, kind="stable")
    keys, places = keys[order], places[order]
    first = runs_of_equal(keys)
    sizes = np.diff(first, append=len(keys))
    member = np.repeat(sizes > MANY, sizes)
    keys, places, sizes = keys[member], places[member], sizes[sizes > MANY]
    first = np.cumsum(sizes) - sizes
    same = same_units(units, np.repeat(places[first], sizes), units, places, MIN_RUN)
    owner = owners[np.searchsorted(starts, places, side="right") - 1]
    fresh = np.ones(len(keys), dtype=bool)
    fresh[1:] = (keys[1:] != keys[:-1]) | (owner[1:] != owner[:-1])
    if not len(first):
        return _Counted(keys, places, owner)
    patients = np.add.reduceat(fresh, first, dtype=np.int64)
    # Two different windows with one hash are left to be counted when somebody asks for them.
    pure = np.logical_and.reduceat(same, first)
    return _Counted(keys[first][pure], places[first][pure], patients[pure])


def _windows_of(units: UnitArray, grams: _Grams) -> tuple[npt.NDArray[np.uint64], Ints]:
    """Hash and place of every window that chooses one of the grams."""
    reach = GRAMS_IN_WINDOW - 1
    around = grams.places + np.arange(-reach, reach + GRAM)[:, None]
    hashes = gram_hashes(units[np.clip(around, 0, len(units) - 1)])
    before = np.arange(reach, -1, -1)[:, None]
    gram, row = np.nonzero(((before <= grams.before) & (before >= grams.least_before)).T)
    key = window_key(hashes[row, gram], hashes[row + reach, gram])
    return key, grams.places[gram] - reach + row
