"""The held-out corpus: invented clinical notes with gold PHI spans, and their registration table.

Written without sight of the detectors it measures. Spans follow the i2b2-2014 guidelines as
:mod:`phiscan.taxonomy` names the categories; they are right by construction: the builder that
appends a value notes where it put it.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from heldout import community, inpatient, outpatient, procedures
from heldout.cast import Cast, known_keys
from heldout.markup import build, choose, wrapped
from heldout.records import GoldSpan, HeldoutCorpus, HeldoutNote, KnownRow, Template
from heldout.world import Patient, make_patients

__all__ = ["TEMPLATES", "GoldSpan", "HeldoutCorpus", "HeldoutNote", "KnownRow", "make_heldout"]

TEMPLATES: tuple[Template, ...] = (
    *inpatient.TEMPLATES,
    *procedures.TEMPLATES,
    *outpatient.TEMPLATES,
    *community.TEMPLATES,
)

_FITTING = {
    "any": ("adult", "elder", "pregnant"),
    "adult": ("adult", "elder"),
    "elder": ("elder",),
    "child": ("child",),
    "pregnant": ("pregnant",),
}


def make_heldout(seed: int = 41, n_notes: int = 300) -> HeldoutCorpus:
    """Notes of about 120 patients, the templates in turn, and all patients' registration rows.

    Args:
        seed: The same seed gives the same corpus.
        n_notes: How many notes; from about 250 every category has 15 spans and more.
    """
    rng = Random(seed)
    patients = make_patients(rng)
    used: Counter[str] = Counter()
    notes = []
    for number in range(n_notes):
        template = TEMPLATES[number % len(TEMPLATES)]
        fitting = [patient for patient in patients if patient.kind in _FITTING[template.kind]]
        patient = min(fitting, key=lambda patient: used[patient.patient_id] + 2 * rng.random())
        used[patient.patient_id] += 1
        note_rng = Random(f"{seed} {number}")
        notes.append(_make_note(note_rng, template, patient, note_id=f"note-{number + 1:04}"))
    known = tuple(row for patient in patients for row in patient.known())
    return HeldoutCorpus(tuple(notes), known)


def _make_note(rng: Random, template: Template, patient: Patient, *, note_id: str) -> HeldoutNote:
    cast = Cast(rng, patient)
    text, spans = build(choose(template.text, rng=rng), value=cast.value, known=known_keys(patient))
    if template.wrap:
        text = wrapped(text, template.wrap)
    gold = tuple(
        GoldSpan(span.start, span.end, span.category, text[span.start : span.end], span.in_registration)
        for span in spans
    )
    return HeldoutNote(note_id, patient.patient_id, template.name, text, gold)
