"""The second held-out corpus: invented clinical notes with gold PHI spans, and their registration table.

Written without sight of the detectors it measures and of the templates of the first corpus. The spans
follow the same rules, and are right by construction in the same way.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from heldout.cast import known_keys
from heldout.markup import build, choose, wrapped
from heldout.records import GoldSpan, HeldoutCorpus, HeldoutNote, Template
from heldout.world import Patient

from heldout2 import papers, studies, visits, ward
from heldout2.cast import Cast
from heldout2.patients import make_patients

TEMPLATES: tuple[Template, ...] = (*ward.TEMPLATES, *studies.TEMPLATES, *visits.TEMPLATES, *papers.TEMPLATES)

_FITTING = {
    "adult": ("adult", "elder"),
    "working": ("adult",),
    "elder": ("elder",),
    "child": ("child",),
    "pregnant": ("pregnant",),
}


def make_heldout2(seed: int = 97, n_notes: int = 300) -> HeldoutCorpus:
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
        note_rng = Random(f"second {seed} {number}")
        notes.append(_make_note(note_rng, template, patient, note_id=f"second-{number + 1:04}"))
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
