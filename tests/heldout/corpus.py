"""A corpus from templates, patients and what fills the templates in: the same for every author."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol

from heldout.cast import known_keys
from heldout.markup import build, choose, wrapped
from heldout.records import GoldSpan, HeldoutCorpus, HeldoutNote, Piece, Template
from heldout.world import Patient


class Answers(Protocol):
    """What fills in one note."""

    def value(self, key: str) -> list[Piece]:
        """The pieces of ``key``."""
        ...


def make_corpus(
    rng: Random,
    patients: Sequence[Patient],
    *,
    templates: Sequence[Template],
    fitting: Mapping[str, Sequence[str]],
    answers: Callable[[Random, Patient], Answers],
    n_notes: int,
    note_seed: str,
    note_ids: str,
) -> HeldoutCorpus:
    """Notes by the templates in turn, and all patients' registration rows.

    Args:
        rng: Draws which patient a note is of; one who fits and has few notes so far.
        patients: Whom the notes may be of.
        templates: In the order they are used.
        fitting: Kinds of patients by kind of template.
        answers: Made anew for each note.
        n_notes: How many notes.
        note_seed: Begins the seed of each note, so that a shorter corpus is the beginning of a longer one.
        note_ids: Begins each note's id.
    """
    used: Counter[str] = Counter()
    notes = []
    for number in range(n_notes):
        template = templates[number % len(templates)]
        suited = [patient for patient in patients if patient.kind in fitting[template.kind]]
        patient = min(suited, key=lambda patient: used[patient.patient_id] + 2 * rng.random())
        used[patient.patient_id] += 1
        filled = answers(note_rng := Random(f"{note_seed}{number}"), patient)
        notes.append(_make_note(note_rng, template, patient, filled, note_id=f"{note_ids}-{number + 1:04}"))
    return HeldoutCorpus(tuple(notes), tuple(row for patient in patients for row in patient.known()))


def _make_note(
    rng: Random, template: Template, patient: Patient, answers: Answers, *, note_id: str
) -> HeldoutNote:
    text, spans = build(choose(template.text, rng=rng), value=answers.value, known=known_keys(patient))
    if template.wrap:
        text = wrapped(text, template.wrap)
    gold = tuple(
        GoldSpan(span.start, span.end, span.category, text[span.start : span.end], span.in_registration)
        for span in spans
    )
    return HeldoutNote(note_id, patient.patient_id, template.name, text, gold)
