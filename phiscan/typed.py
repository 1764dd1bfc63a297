"""DetectedSpan -> Phi and Hit: spans with their canonical form, HIPAA letter and group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from phiscan.normalize import DateOrder, canonical, hipaa_letter
from phiscan.protocols import KnownIdentifier
from phiscan.records import Continuation, DetectedSpan, Hit, Note, Phi
from phiscan.taxonomy import CATEGORIES


class _Type(NamedTuple):
    category: str
    canonical: str
    hipaa: str | None
    group: str


def _typed(category: str, text: str, date_order: DateOrder) -> _Type:
    form = canonical(category, text, date_order)
    return _Type(category, form, hipaa_letter(category, form), CATEGORIES[category].group)


def phi_of_note(note: Note, spans: Sequence[DetectedSpan], date_order: DateOrder) -> list[Phi]:
    """The PHI records of a note, in order."""
    return [
        Phi(
            phi_id=f"n{note.ordinal:07d}.{number}",
            patient_id=note.patient_id,
            note_id=note.note_id,
            start=span.start,
            end=span.end,
            score=span.score,
            detector=span.detector,
            rule=span.rule,
            text=note.text[span.start : span.end],
            **_typed(span.category, note.text[span.start : span.end], date_order)._asdict(),
        )
        for number, span in enumerate(spans)
    ]


def known_phi(known: Iterable[KnownIdentifier], date_order: DateOrder) -> list[Phi]:
    """The PHI records of the hospital's registration table."""
    return [
        Phi(
            phi_id=f"known.{number}",
            patient_id=row.patient_id,
            note_id=None,
            start=None,
            end=None,
            score=1.0,
            detector="known_identifiers",
            rule=None,
            text=row.value,
            **_typed(row.category, row.value, date_order)._asdict(),
        )
        for number, row in enumerate(known)
    ]


def hits_of(continuation: Continuation, spans: Sequence[DetectedSpan], date_order: DateOrder) -> list[Hit]:
    """The hits of a continuation, in order."""
    return [
        Hit(
            hit_id=f"{continuation.gen_id}#{number}",
            gen_id=continuation.gen_id,
            note_id=continuation.note_id,
            text=continuation.text[span.start : span.end],
            cont_start=span.start,
            cont_end=span.end,
            score=span.score,
            detector=span.detector,
            rule=span.rule,
            **_typed(span.category, continuation.text[span.start : span.end], date_order)._asdict(),
        )
        for number, span in enumerate(spans)
    ]
