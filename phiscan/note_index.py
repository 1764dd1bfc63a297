"""Every note of a run, on disk: written while the files are read, then looked up one by one.

Two SQLite files. The *spool* takes the rows as they come; it is gone when the index stands. The
*index* holds one row a note, in the order of ordinals. Plants and twins are no patients: where there are
any, a second index holds the same notes under the same ordinals, and theirs after them.

Neither the texts nor anything else that grows with the notes stands in memory, while writing or
reading: order, copies and repeated ids are looked up in B-trees, which SQLite reads and writes a page at a
time. All of them are kept up as the rows come, so that SQLite never sorts (it would do so in temporary
files outside the run directory).
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np
import numpy.typing as npt

from phiscan.errors import NoteFormatError
from phiscan.records import Note, Split
from phiscan.sqlite_file import create_file, open_file

V = TypeVar("V")

_INDEX, _SPOOL, _WITH_PLANTS = "notes.sqlite", "spool.sqlite", "with_plants.sqlite"

# Text stands last: SQLite reads the columns before it without touching the pages it spills into.
SPOOL_SCHEMA = """
CREATE TABLE patient(patient_id TEXT PRIMARY KEY, number INT) WITHOUT ROWID;
CREATE TABLE read(id INTEGER PRIMARY KEY, argument TEXT, row INT, note_id TEXT UNIQUE, patient INT,
                  split TEXT, digest BLOB, patient_id TEXT, note_type TEXT, date TEXT, n_chars INT, crlf BLOB,
                  text TEXT);
CREATE INDEX by_patient ON read(patient, digest, split);
CREATE INDEX by_text ON read(digest, split);
"""
INDEX_SCHEMA = """
CREATE TABLE note(ordinal INTEGER PRIMARY KEY, note_id TEXT, patient INT, split TEXT, patient_id TEXT,
                  note_type TEXT, date TEXT, n_chars INT, copies INT, row INT, copy_ids TEXT, crlf BLOB,
                  text TEXT);
CREATE INDEX by_patient ON note(patient);
CREATE TABLE name(note_id TEXT PRIMARY KEY, ordinal INT) WITHOUT ROWID;
CREATE TABLE patient(patient_id TEXT PRIMARY KEY, number INT, member INT) WITHOUT ROWID;
"""
_SYNTHETIC = "split IN ('plant', 'twin')"
FIRSTS = (
    "SELECT patient, MIN(id) AS first, COUNT(*), digest, split FROM read "  # noqa: S608 - our own constant
    f"WHERE ({_SYNTHETIC})=? GROUP BY patient, digest, split"
)
TWO_SPLITS = "SELECT COUNT(*) FROM (SELECT 1 FROM read GROUP BY patient HAVING MIN(split) <> MAX(split))"
_COPIES = "SELECT COUNT(*) FROM read WHERE digest=? AND split=?"
_COPY_IDS = "SELECT id, note_id FROM read WHERE patient=? AND digest=? AND id<>?"
_SPOOLED = "SELECT note_id, patient_id, note_type, date, n_chars, row, crlf, text FROM read WHERE id=?"
_FIELDS = "note_id, patient_id, split, note_type, date, n_chars, copies, text, ordinal, row, copy_ids, crlf"

_NOTES_KEPT, _FACTS_KEPT, _BATCH = 1024, 8_192, 256


class NoteIndexBuilder:
    """Takes notes one by one and writes the index into ``folder``; use as a context manager."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._patients = 0

    def __enter__(self) -> NoteIndexBuilder:
        self._spool = create_file(self._folder / _SPOOL, SPOOL_SCHEMA)
        return self

    def __exit__(self, *_: object) -> None:
        self._spool.close()
        (self._folder / _SPOOL).unlink()

    def add(self, note: Note, argument: str) -> None:
        """Take a note as it stands in the file ``argument``, before its place and copies are known.

        A note id that stood before raises NoteFormatError.
        """
        # 128 bits of a cryptographic hash: equal digests are equal texts, and need no comparison.
        digest = blake2b(note.text.encode(), digest_size=16).digest()
        facts = (note.row, note.note_id, self._patient(note.patient_id), note.split, digest, note.patient_id)
        rest = (note.note_type, note.date, note.n_chars, array("I", note.crlf).tobytes(), note.text)
        try:
            marks = "NULL" + ",?" * 12
            self._spool.execute(f"INSERT INTO read VALUES ({marks})", (argument, *facts, *rest))  # noqa: S608
        except sqlite3.IntegrityError:
            query = "SELECT argument, row FROM read WHERE note_id=?"
            other, row = self._spool.execute(query, (note.note_id,)).fetchone()
            of = "" if other == argument else f" of {other}"
            raise NoteFormatError(
                f"{argument}: row {note.row} repeats the note_id of row {row}{of}"
            ) from None

    def _patient(self, patient_id: str) -> int:
        found = self._spool.execute("SELECT number FROM patient WHERE patient_id=?", (patient_id,)).fetchone()
        if found:
            return int(found[0])
        self._spool.execute("INSERT INTO patient VALUES (?,?)", (patient_id, self._patients))
        self._patients += 1
        return self._patients - 1

    def patients_in_two_splits(self) -> int:
        """Patients whose notes are not all of one split."""
        return int(self._spool.execute(TWO_SPLITS).fetchone()[0])

    def synthetic_rows(self) -> int:
        """Notes of plants and twins, copies and all."""
        query = f"SELECT COUNT(*) FROM read WHERE {_SYNTHETIC}"  # noqa: S608 - our own constant
        return int(self._spool.execute(query).fetchone()[0])

    def write(self) -> int:
        """Write the notes, exact copies of a patient folded into the first; returns how many were, those
        of plants and twins not counted.

        By patient in order of first appearance, then in the order read.
        """
        if self.synthetic_rows():
            self._write_index(_WITH_PLANTS, (False, True))
        return self._write_index(_INDEX, (False,))

    def _write_index(self, name: str, synthetic: Sequence[bool]) -> int:
        copies_of = lru_cache(maxsize=_FACTS_KEPT)(self._copies)
        index = create_file(self._folder / name, INDEX_SCHEMA)
        ordinal = number = folded = 0
        for kind in synthetic:
            for patient, rows in groupby(self._spool.execute(FIRSTS, (kind,)), key=itemgetter(0)):
                for _, first, count, digest, split in sorted(rows, key=itemgetter(1)):
                    copy_ids = self._copy_ids(patient, digest, first) if count > 1 else []
                    self._write_note(index, ordinal, number, split, first, copies_of(digest, split), copy_ids)
                    ordinal += 1
                    folded += len(copy_ids)
                number += 1
        index.commit()
        index.close()
        return folded

    def _copies(self, digest: bytes, split: str) -> int:
        return int(self._spool.execute(_COPIES, (digest, split)).fetchone()[0])

    def _copy_ids(self, patient: int, digest: bytes, first: int) -> list[str]:
        return [note_id for _, note_id in sorted(self._spool.execute(_COPY_IDS, (patient, digest, first)))]

    def _write_note(
        self,
        index: sqlite3.Connection,
        ordinal: int,
        patient: int,
        split: str,
        first: int,
        copies: int,
        copy_ids: list[str],
    ) -> None:
        row = self._spool.execute(_SPOOLED, (first,)).fetchone()
        note_id, patient_id, note_type, date, n_chars, number, crlf, text = row
        facts = (ordinal, note_id, patient, split, patient_id, note_type, date, n_chars, copies, number)
        index.execute(
            "INSERT INTO note VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", (*facts, json.dumps(copy_ids), crlf, text)
        )
        names = ((name, ordinal) for name in (note_id, *copy_ids))
        index.executemany("INSERT INTO name VALUES (?,?)", names)
        of_patient = (patient_id, patient, int(split == "member"))
        index.execute("INSERT OR IGNORE INTO patient VALUES (?,?,?)", of_patient)


class Notes(Sequence[Note]):
    """The notes of an index in the order of their ordinals; each is made when it is asked for.

    ``n_tokens`` is None in all of them: the table ``notes`` of the run has it.
    """

    def __init__(self, folder: Path, *, plants: bool = False) -> None:
        """``plants``: those of plants and twins too, after all others."""
        self._db = open_file(folder / (_WITH_PLANTS if plants else _INDEX))
        self._size = int(self._value("SELECT COUNT(*) FROM note"))
        self.by_id: Mapping[str, Note] = ById(self, self._note_named, _NOTES_KEPT)
        """Notes by id; a folded copy's id gives the note it was folded into."""
        self.ordinals: Mapping[str, int] = ById(self, self._ordinal, _FACTS_KEPT)
        self.patient_numbers: Mapping[str, int] = ById(self, self._patient_of, _FACTS_KEPT)
        """Number of the note's patient, by note id: patients are numbered in the order of their notes."""
        self.ids: Sequence[str] = _Ids(self)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> Note: ...
    @overload
    def __getitem__(self, place: slice) -> list[Note]: ...
    def __getitem__(self, place: int | slice) -> Note | list[Note]:
        if isinstance(place, slice):
            places = range(len(self))[place]
            if places.step != 1:
                return [self[at] for at in places]
            limits = (places.start, places.stop)
            return list(self._notes("WHERE ordinal>=? AND ordinal<? ORDER BY ordinal", limits))
        for note in self._notes("WHERE ordinal=?", (range(len(self))[place],)):
            return note
        raise IndexError

    def __iter__(self) -> Iterator[Note]:
        """A few notes in memory at a time."""
        return self._notes("ORDER BY ordinal", ())

    def of_patient(self, number: int) -> list[Note]:
        """All notes of a patient."""
        return list(self._notes("WHERE patient=? ORDER BY ordinal", (number,)))

    def numbered(self) -> npt.NDArray[np.int64]:
        """The patient number of every note; shape (len,)."""
        rows = self._db.execute("SELECT patient FROM note ORDER BY ordinal")
        return np.fromiter((number for (number,) in rows), dtype=np.int64, count=len(self))

    def patients(self) -> int:
        """Patients who have notes."""
        return int(self._value("SELECT COUNT(*) FROM patient"))

    def patient(self, patient_id: str) -> tuple[int, bool] | None:
        """Number of a patient and whether the notes are members'; None for one without notes."""
        query = "SELECT number, member FROM patient WHERE patient_id=?"
        found = self._db.execute(query, (patient_id,)).fetchone()
        return found and (int(found[0]), bool(found[1]))

    def dates(self) -> Iterator[str]:
        """The dates of the notes that have one."""
        return (date for (date,) in self._db.execute("SELECT date FROM note WHERE date IS NOT NULL"))

    def types(self) -> Iterator[tuple[str | None, int]]:
        """(type, patient number) of every note, the notes of a patient together."""
        return iter(self._db.execute("SELECT note_type, patient FROM note ORDER BY ordinal"))

    def splits(self) -> set[Split]:
        """The splits there are."""
        return {split for (split,) in self._db.execute("SELECT DISTINCT split FROM note")}

    def chars(self) -> int:
        """Characters of all notes."""
        return int(self._value("SELECT SUM(n_chars) FROM note"))

    def id_of(self, ordinal: int) -> str:
        """The id of the note at ``ordinal``."""
        return str(self._value("SELECT note_id FROM note WHERE ordinal=?", ordinal))

    def _value(self, query: str, *arguments: Any) -> Any:
        found = self._db.execute(query, arguments).fetchone()
        return None if found is None else found[0]

    def _notes(self, where: str, arguments: tuple[int, ...]) -> Iterator[Note]:
        rows = self._db.execute(f"SELECT {_FIELDS} FROM note {where}", arguments)  # noqa: S608
        return (_note(*row) for row in rows)

    def _note_named(self, note_id: str) -> Note | None:
        ordinal = self._ordinal(note_id)
        return None if ordinal is None else self[ordinal]

    def _ordinal(self, note_id: str) -> int | None:
        found: int | None = self._value("SELECT ordinal FROM name WHERE note_id=?", note_id)
        return found

    def _patient_of(self, note_id: str) -> int | None:
        query = "SELECT patient FROM name JOIN note USING (ordinal) WHERE name.note_id=?"
        found: int | None = self._value(query, note_id)
        return found


def has_plants(folder: Path) -> bool:
    """True if there are notes of plants or twins in the index of ``folder``."""
    return (folder / _WITH_PLANTS).is_file()


class ById(Mapping[str, V]):
    """Something of every note by note id, looked up on disk; the latest answers are kept."""

    def __init__(self, notes: Notes, find: Callable[[str], V | None], kept: int) -> None:
        self._notes = notes
        self._find = lru_cache(maxsize=kept)(find)

    def __getitem__(self, note_id: str) -> V:
        found = self._find(note_id)
        if found is None:
            raise KeyError  # which id it was is patient text
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._notes.ids)

    def __len__(self) -> int:
        return len(self._notes)


class _Ids(Sequence[str]):
    """Note ids by ordinal."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._find = lru_cache(maxsize=_FACTS_KEPT)(notes.id_of)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        places = range(len(self._notes))[place]
        return [self._find(at) for at in places] if isinstance(places, range) else self._find(places)

    def __len__(self) -> int:
        return len(self._notes)


def _note(
    note_id: str,
    patient_id: str,
    split: Split,
    note_type: str | None,
    date: str | None,
    n_chars: int,
    copies: int,
    text: str,
    ordinal: int,
    row: int,
    copy_ids: str,
    crlf: bytes,
) -> Note:
    return Note(
        note_id=note_id,
        patient_id=patient_id,
        split=split,
        note_type=note_type,
        date=date,
        n_chars=n_chars,
        n_tokens=None,
        copies=copies,
        text=text,
        ordinal=ordinal,
        row=row,
        copy_ids=tuple(json.loads(copy_ids)),
        crlf=tuple(array("I", crlf)),
    )
