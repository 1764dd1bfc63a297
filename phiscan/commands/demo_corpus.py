"""The demo's synthetic notes with their gold PHI, known by construction.

A note is assembled from pieces, and a piece that is a PHI value becomes a gold span as it is
written: no detector and no search is involved. Some notes are copied forward, as in real records:
several rows of one patient with the same text. Holdout patients share no note with members.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from phiscan.commands.demo_patients import Patient, PatientFactory
from phiscan.commands.demo_templates import CLINICAL, DISCLAIMER, KINDS, SENTENCES, SIGN_OFFS
from phiscan.commands.note_writer import GoldSpan, NoteWriter
from phiscan.private_file import private_folder, write_private
from phiscan.protocols import KnownIdentifier
from phiscan.records import PhiText, Split, record

_LONG_EVERY = 25
"""One distinct note in so many is about three times as long: the only ones that reach l = 500."""
_LONG_CLINICAL, _LONG_OTHER = 8, 3
_DISCLAIMED = 0.35
_NOTES_A_PATIENT = 3
_KNOWN = ("NAME", "MRN", "PHONE", "SSN", "STREET")


@record
class DemoNote:
    """One row of the demo's notes table."""

    note_id: PhiText
    patient_id: PhiText
    split: Split
    note_type: str
    date: PhiText
    text: PhiText
    spans: tuple[GoldSpan, ...]
    """In text order, never overlapping."""


@record
class DemoCorpus:
    """Notes with gold spans, copies as rows of their own, and the registration table."""

    notes: tuple[DemoNote, ...]
    known: tuple[KnownIdentifier, ...]
    boilerplate: str
    """The paragraph that stands in many patients' notes on purpose; it holds no PHI."""


class _Folder(NamedTuple):
    """What one patient gets: how many notes are copied forward and how many stand once."""

    split: Split
    repeated: int
    single: int


def make_corpus(
    *, seed: int = 7, repeated: int = 63, copies: int = 6, unique: int = 60, holdout: int = 33
) -> DemoCorpus:
    """Synthetic clinical notes with gold PHI; equal arguments give equal notes.

    Args:
        seed: Decides everything drawn.
        repeated: Distinct member notes that are copied forward.
        copies: Rows of each of those, the original included.
        unique: Member notes that stand once.
        holdout: Notes of patients of whom no member note exists.

    Raises:
        MissingDependencyError: Faker is not installed.

    """
    factory = PatientFactory(seed)
    distinct: list[tuple[DemoNote, int]] = []
    known: list[KnownIdentifier] = []
    for number, folder in enumerate(_folders(repeated, unique, holdout), 1):
        patient = factory.patient(f"P{number:03}")
        known += _known_identifiers(patient)
        day = date(2023, 1, 1) + timedelta(days=factory.rng.randrange(300))
        for index in range(folder.repeated + folder.single):
            day += timedelta(days=factory.rng.randint(10, 120))
            long = len(distinct) % _LONG_EVERY == _LONG_EVERY // 2
            note = _write_note(factory, patient, folder.split, day, long=long)
            distinct.append((note, copies if index < folder.repeated else 1))
    return DemoCorpus(notes=tuple(_rows(distinct)), known=tuple(known), boilerplate=DISCLAIMER)


def write_corpus(corpus: DemoCorpus, folder: Path) -> None:
    """Write notes.jsonl, gold.jsonl (each note's spans on a line) and known.csv, for their owner only."""
    notes = [
        {
            "note_id": note.note_id,
            "patient_id": note.patient_id,
            "split": note.split,
            "note_type": note.note_type,
            "date": note.date,
            "text": note.text,
        }
        for note in corpus.notes
    ]
    gold = [
        {"note_id": note.note_id, "spans": [span._asdict() for span in note.spans]} for note in corpus.notes
    ]
    private_folder(folder, "--out")
    write_private(folder / "notes.jsonl", _json_lines(notes), "--out")
    write_private(folder / "gold.jsonl", _json_lines(gold), "--out")
    write_private(folder / "known.csv", known_table(corpus.known), "--out")


def known_table(rows: Iterable[KnownIdentifier]) -> str:
    """The registration table as CSV: patient_id, category, value."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(("patient_id", "category", "value"))
    writer.writerows((row.patient_id, row.category, row.value) for row in rows)
    return table.getvalue()


def _folders(repeated: int, unique: int, holdout: int) -> Iterator[_Folder]:
    while repeated > 0:
        take, single = min(_NOTES_A_PATIENT, repeated), min(1, unique)
        yield _Folder("member", take, single)
        repeated, unique = repeated - take, unique - single
    counts: tuple[tuple[Split, int], ...] = (("member", unique), ("holdout", holdout))
    for split, left in counts:
        for start in range(0, left, _NOTES_A_PATIENT):
            yield _Folder(split, 0, min(_NOTES_A_PATIENT, left - start))


def _known_identifiers(patient: Patient) -> list[KnownIdentifier]:
    values = [patient.values[slot] for slot in _KNOWN] + [("DATE", patient.born)]
    return [
        KnownIdentifier(patient_id=patient.patient_id, category=category, value=value)
        for category, value in values
    ]


def _rows(distinct: Iterable[tuple[DemoNote, int]]) -> Iterator[DemoNote]:
    """Every note as often as it stands in the table, copies dated on following days."""
    row = 0
    for note, copies in distinct:
        for later in range(copies):
            row += 1
            day = date.fromisoformat(note.date) + timedelta(days=later)
            yield DemoNote(
                note_id=f"N{row:04}",
                patient_id=note.patient_id,
                split=note.split,
                note_type=note.note_type,
                date=day.isoformat(),
                text=note.text,
                spans=note.spans,
            )


def _write_note(
    factory: PatientFactory, patient: Patient, split: Split, day: date, *, long: bool
) -> DemoNote:
    rng = factory.rng
    note_type = rng.choice(tuple(KINDS))
    writer = NoteWriter(rng, factory.visit(patient, day), patient.words)
    writer.write(rng.choice(KINDS[note_type].openings))
    for headings, topics in KINDS[note_type].paragraphs:
        sentences = list(_sentences(rng, topics, writer.used, long=long))
        writer.write("\n".join(("", rng.choice(headings))) + " " + " ".join(sentences))
    writer.write("\n" + rng.choice(SIGN_OFFS))
    if not long and rng.random() < _DISCLAIMED:
        writer.write("\n\n" + DISCLAIMER)
    return DemoNote(
        note_id="",
        patient_id=patient.patient_id,
        split=split,
        note_type=note_type,
        date=day.isoformat(),
        text="".join(writer.pieces),
        spans=tuple(writer.spans),
    )


def _sentences(rng: random.Random, topics: Iterable[str], used: set[str], *, long: bool) -> Iterator[str]:
    """Sentence templates for ``topics``, none twice in a note."""
    for topic in topics:
        wanted = 1 if not long else _LONG_CLINICAL if topic in CLINICAL else _LONG_OTHER
        unused = [sentence for sentence in SENTENCES[topic] if sentence not in used]
        chosen = rng.sample(unused, min(wanted, len(unused)))
        used.update(chosen)
        yield from chosen


def _json_lines(rows: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
