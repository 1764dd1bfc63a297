"""A user's notes with plants mixed in: read row by row, as often as needed, never held in memory."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from phiscan.errors import NoteFormatError
from phiscan.input_rows import Tally
from phiscan.load import LoadSettings, stream_notes
from phiscan.records import Note

TRAINED = frozenset({"member", "plant"})
"""Splits of notes that a model is trained on."""

Row = dict[str, str | None]
"""One line of a notes file: what `phiscan scan` reads of a note."""


class Survey(NamedTuple):
    """What one look through the notes says."""

    trained: int
    """Notes that go into training."""
    others: int
    """Notes that do not: held out, or a twin's."""
    empty: int
    """Rows without text, left out."""
    standing: frozenset[str]
    """Those of the values looked for that stand in some note."""
    sha256: str
    """Of the rows as they are written."""


def rows_of(path: Path, settings: LoadSettings, tally: Tally | None = None) -> Iterator[Row]:
    """The usable notes of ``path`` as rows, in its order; line ends are line feeds."""
    notes = stream_notes(path, settings, argument="--notes", tally=Tally() if tally is None else tally)
    return map(_row, notes)


def survey_notes(path: Path, settings: LoadSettings, *, values: Iterable[str], own_ids: str) -> Survey:
    """Look through the notes for ``values``, written with whatever punctuation and capitals.

    Raises:
        NoteFormatError: The notes cannot be read, or a row cannot be used, or an id begins with ``own_ids``.

    """
    tally, digest, search = Tally(), hashlib.sha256(), _Search(values)
    trained = others = 0
    standing: set[str] = set()
    for row in rows_of(path, settings, tally):
        if any((row[name] or "").casefold().startswith(own_ids) for name in ("note_id", "patient_id")):
            raise NoteFormatError(
                f"--notes: an id begins with {own_ids}, as those of made-up patients do; take another --seed"
            )
        digest.update(line_of(row).encode())
        standing |= search.found_in(row["text"] or "")
        trained, others = trained + (row["split"] in TRAINED), others + (row["split"] not in TRAINED)
    counts = tally.counts()
    if bad := sum(counts["rows_bad"].values()):
        rows = ", ".join(str(example.row) for example in counts["bad_examples"][:5])
        raise NoteFormatError(
            f"--notes: {bad:,} rows cannot be used{tally.why()}; mend them first (row {rows})"
        )
    empty = sum(counts["rows_dropped"].values())
    return Survey(trained, others, empty, frozenset(standing), digest.hexdigest())


def mixed(notes: Iterable[Row], planted: Sequence[Row], places: Sequence[int]) -> Iterator[Row]:
    """``notes`` in their order, and each of ``planted`` where so many notes of training have gone by.

    ``places``: one for each of ``planted``, ascending.

    >>> notes = [{"note_id": name, "split": "member"} for name in "ab"]
    >>> [row["note_id"] for row in mixed(notes, [{"note_id": "x"}, {"note_id": "y"}], [1, 2])]
    ['a', 'x', 'b', 'y']
    """
    waiting = deque(zip(places, planted, strict=True))
    trained = 0
    for note in notes:
        if note["split"] in TRAINED:
            while waiting and waiting[0][0] <= trained:
                yield waiting.popleft()[1]
            trained += 1
        yield note
    yield from (row for _, row in waiting)


def line_of(row: Row) -> str:
    """``row`` as one line of JSON."""
    return json.dumps(row, ensure_ascii=False) + "\n"


def _row(note: Note) -> Row:
    return {
        "note_id": note.note_id,
        "patient_id": note.patient_id,
        "split": note.split,
        "note_type": note.note_type,
        "date": note.date,
        "text": note.text,
    }


class _Search:
    """Finds values in texts by their words: ``617-555-0142`` as ``617 555 0142`` and ``6175550142``."""

    def __init__(self, values: Iterable[str]) -> None:
        self._by_first: dict[str, dict[str, str]] = defaultdict(dict)
        for value in values:
            words = _words(value)
            for phrase in (words, ["".join(words)]):
                self._by_first[phrase[0]][" ".join(phrase)] = value

    def found_in(self, text: str) -> set[str]:
        words = _words(text)
        spaced = f" {' '.join(words)} "
        begun = self._by_first.keys() & set(words)
        return {
            value
            for first in begun
            for phrase, value in self._by_first[first].items()
            if f" {phrase} " in spaced
        }


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
