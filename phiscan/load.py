"""Files -> Note: the notes under scan, and known identifiers.

Every record read is kept, folded into an equal note, or counted with its reason; errors and
counts name the file argument, the row and the field, never a value.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, field_validator

from phiscan.errors import NoteFormatError
from phiscan.input_rows import BadRow, Tally, read_counts, read_rows, write_counts
from phiscan.note_index import NoteIndexBuilder, Notes, has_plants
from phiscan.protocols import KnownIdentifier
from phiscan.records import Note, Split, record
from phiscan.taxonomy import CATEGORIES

SPLITS: dict[str, Split] = {
    "": "member",
    "member": "member",
    "train": "member",
    "holdout": "holdout",
    "test": "holdout",
    "plant": "plant",
    "twin": "twin",
}
"""What a split column may say, in any case; an empty one means that the model was trained on the note."""

CATEGORY_ALIASES = {"MRN": "MEDICALRECORD", "NAME": "PATIENT", "DOB": "DATE", "ADDRESS": "STREET"}
"""What registration tables often say for a category."""

ColumnName = Annotated[str, Field(min_length=1)]


class LoadSettings(BaseModel):
    """Which column of the notes file holds what, and how the file is read."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    note_id: ColumnName = "note_id"
    patient_id: ColumnName = "patient_id"
    text: ColumnName = "text"
    split: ColumnName = "split"
    """Optional in the file unless named otherwise here; so are ``note_type`` and ``date``."""
    note_type: ColumnName = "note_type"
    date: ColumnName = "date"
    format: str | None = None
    """A formats plug-in; by default the one that answers to the file's ending."""
    labels: tuple[str, ...] = ()
    """What labels of a gold file mean: "LABEL=CATEGORY" each; "LABEL=" leaves its spans out."""

    @field_validator("labels")
    @classmethod
    def _labels_are_pairs(cls, labels: tuple[str, ...]) -> tuple[str, ...]:
        for label, equals, category in (text.rpartition("=") for text in labels):
            if not label.strip() or not equals or category.strip() not in ("", *CATEGORIES):
                raise ValueError("write LABEL=CATEGORY with a category of the taxonomy, or LABEL=")
        return labels


@record
class LoadedNotes:
    """All usable notes, and what became of every other row.

    ``rows_read`` is the sum of the notes, ``copies_folded``, ``rows_bad`` and ``rows_dropped``; rows of
    plants and twins are no part of it.
    """

    notes: Notes
    """Of patients: by patient in order of first appearance, then by row."""
    with_plants: Notes | None
    """The same notes, and after them those of plants and twins; None if there are none."""
    copies_folded: int
    rows_read: int
    rows_bad: dict[str, int]
    rows_dropped: dict[str, int]
    bad_examples: list[BadRow]
    """The first few bad rows; ``rows_bad`` counts them all."""


@record
class LoadedKnown:
    """The registration table's identifiers, and what became of every other row."""

    identifiers: list[KnownIdentifier]
    rows_read: int
    rows_bad: dict[str, int]
    rows_dropped: dict[str, int]
    """Rows without a value."""
    bad_examples: list[BadRow]


def index_notes(
    folder: Path,
    path: Path,
    settings: LoadSettings,
    *,
    argument: str = "--notes",
    holdout: Path | None = None,
    holdout_argument: str = "--holdout",
) -> None:
    """Write the notes of ``path``, and those of ``holdout`` as notes the model never saw, to ``folder``.

    One row is in memory at a time. Exact copies (same patient, same text) are folded into the first;
    empty texts are dropped. A file or required column that cannot be read, a file without a usable
    note, a note id that stands twice, or a patient in two splits raises NoteFormatError.
    """
    tally = Tally()
    files = argument
    with NoteIndexBuilder(folder) as builder:
        for note in stream_notes(path, settings, argument=argument, tally=tally):
            builder.add(note, argument)
        if holdout is not None:
            files = f"{argument} and {holdout_argument}"
            held_out = stream_notes(
                holdout, settings, argument=holdout_argument, tally=tally, split="holdout"
            )
            for note in held_out:
                builder.add(note, holdout_argument)
        if both := builder.patients_in_two_splits():
            raise NoteFormatError(
                f"{files}: patients with notes in two splits: {both}; a holdout patient must be one the "
                "model never saw, and a plant or twin nobody's"
            )
        folded = builder.write()
        rows_read = tally.read - builder.synthetic_rows()
    write_counts(folder, {**tally.counts(), "copies_folded": folded, "rows_read": rows_read})


def open_notes(folder: Path) -> LoadedNotes:
    """What :func:`index_notes` wrote."""
    with_plants = Notes(folder, plants=True) if has_plants(folder) else None
    return LoadedNotes(notes=Notes(folder), with_plants=with_plants, **read_counts(folder))


def stream_notes(
    path: Path, settings: LoadSettings, *, argument: str, tally: Tally, split: Split | None = None
) -> Iterator[Note]:
    """Yield the usable notes of one file as they stand in it, copies and all; ``tally`` counts the rest.

    ``split`` None means: as its column says. A file or required column that cannot be read, or a
    file without a usable note, raises NoteFormatError, perhaps only at the file's end.
    """
    columns: dict[str, str] = settings.model_dump(exclude={"format", "labels"})
    optional = {"split", "note_type", "date"}
    required = [name for name, column in columns.items() if name not in optional or column != name]
    if split:
        required = [name for name in required if name != "split"]
    found = False
    for row, fields in read_rows(
        path,
        columns,
        required=required,
        argument=argument,
        tally=tally,
        format_name=settings.format,
        mapped_in="[load]",
    ):
        said = SPLITS.get((fields.get("split") or "").strip().lower())
        # A file given as held out is so whatever the column says, but a plant or twin is nobody's.
        note_split = split if split and said in ("member", "holdout") else said
        if problem := _problem(fields):
            tally.bad(argument, row, problem)
        elif note_split is None:
            tally.bad(argument, row, "unknown split")
        elif split and note_split != split:
            tally.bad(argument, row, "plant or twin in a file of held-out notes")
        elif not (text := fields["text"]) or text.isspace():
            tally.dropped["empty text"] += 1
        else:
            found = True
            yield _note(row, fields, text, note_split)
    if not found:
        raise NoteFormatError(f"{argument}: no note could be read{tally.why()}")


def load_known(path: Path, *, argument: str = "--known") -> LoadedKnown:
    """Return the rows ``patient_id, category, value`` of the hospital's registration table.

    A file or column that cannot be read, an unknown category, or a table without a usable row
    raises NoteFormatError. Rows without a value are dropped and counted.
    """
    tally = Tally()
    identifiers: list[KnownIdentifier] = []
    columns = {name: name for name in ("patient_id", "category", "value")}
    for row, fields in read_rows(path, columns, required=columns, argument=argument, tally=tally):
        given = {name: (fields.get(name) or "").strip() for name in columns}
        if "value" in fields and not given["value"]:
            tally.dropped["empty value"] += 1
        elif missing := [name for name, value in given.items() if not value]:
            tally.bad(argument, row, f"no {missing[0]}")
        else:
            given["category"] = _category(given["category"], f"{argument}: row {row}")
            identifiers.append(KnownIdentifier(**given))
    if not identifiers:
        raise NoteFormatError(f"{argument}: no row holds an identifier{tally.why()}")
    return LoadedKnown(identifiers=identifiers, **tally.counts())


def line_feeds(raw: str) -> tuple[str, tuple[int, ...]]:
    r"""``raw`` with CR LF and lone CR as LF, and the offsets of the line feeds that were CR LF.

    >>> line_feeds("a\r\nb\rc\n")
    ('a\nb\nc\n', (1,))
    """
    if "\r" not in raw:
        return raw, ()
    parts = raw.split("\r\n")
    offsets: list[int] = []
    end = 0
    for part in parts[:-1]:
        end += len(part)
        offsets.append(end)
        end += 1
    return "\n".join(parts).replace("\r", "\n"), tuple(offsets)


def raw_offset(note: Note, offset: int) -> int:
    """Offset in the text as the file holds it, for ``offset`` in ``note.text``; the end included."""
    return offset + bisect_left(note.crlf, offset)


def note_offset(note: Note, raw: int) -> int:
    """Offset in ``note.text`` for an offset in the text as the file holds it; inverse of
    :func:`raw_offset`. An offset between CR and LF stands before the line feed.
    """
    return raw - bisect_left(range(len(note.crlf)), raw, key=lambda place: note.crlf[place] + place)


def shards(patients: npt.NDArray[np.int64], size: int = 256) -> tuple[range, ...]:
    """Cut notes, given the patient number of each, into ranges of whole patients.

    Each is closed as soon as it holds ``size`` notes.
    """
    first_notes = np.flatnonzero(np.diff(patients)) + 1
    cuts = [0]
    for place in [*first_notes.tolist(), len(patients)]:
        if place == len(patients) or place - cuts[-1] >= size:
            cuts.append(place)
    return tuple(range(first, last) for first, last in pairwise(cuts) if first < last)


def _category(given: str, place: str) -> str:
    category = CATEGORY_ALIASES.get(given.upper(), given.upper())
    if category not in CATEGORIES:
        allowed = ", ".join((*CATEGORIES, *CATEGORY_ALIASES))
        raise NoteFormatError(f"{place} has an unknown category; there are: {allowed}")
    return category


def _problem(fields: Mapping[str, str | None]) -> str | None:
    for name in ("note_id", "patient_id"):
        if not (fields.get(name) or "").strip():
            return f"no {name}"
    return None if "text" in fields else "no text"


def _note(row: int, fields: Mapping[str, str | None], raw: str, split: Split) -> Note:
    """The note of one row, before the index gives it its place and its copies."""
    given = {name: (value or "").strip() for name, value in fields.items() if name != "text"}
    text, crlf = line_feeds(raw)
    return Note(
        note_id=given["note_id"],
        patient_id=given["patient_id"],
        split=split,
        note_type=given.get("note_type") or None,
        date=given.get("date") or None,
        n_chars=len(text),
        n_tokens=None,
        copies=1,
        text=text,
        ordinal=0,
        row=row,
        copy_ids=(),
        crlf=crlf,
    )
