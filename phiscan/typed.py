"""DetectedSpan -> Phi and Hit: spans with their canonical form, HIPAA letter and group."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from phiscan.normalize import DateOrder, canonical, hipaa_letter
from phiscan.protocols import KnownIdentifier
from phiscan.records import Continuation, DetectedSpan, Hit, Note, Phi
from phiscan.severity import Severity, severity
from phiscan.taxonomy import CATEGORIES

_BIRTH = re.compile(
    r"(?<!\w)(?:born|b\.|d\.?o\.?b\.?|y\.?o\.?b\.?|birth[ -]?(?:date|day|year)?|(?:date|day|year) of birth)"
    r"(?:[\s:;,.()=-]|\b(?:in|on|of|about|around|circa|ca|c|the|year|is|was)\b)*$",
    re.IGNORECASE,
)
"""Words before a date that make it one of birth."""
_BEFORE = 40
"""Characters before a date in which they stand."""


class _Type(NamedTuple):
    category: str
    canonical: str
    hipaa: str | None
    group: str


def _typed(category: str, text: str, date_order: DateOrder, birth_told_in: int | None = None) -> _Type:
    form = canonical(category, text, date_order)
    letter = hipaa_letter(category, form, birth_told_in=birth_told_in)
    return _Type(category, form, letter, CATEGORIES[category].group)


def year_of(date: str | None, date_order: DateOrder) -> int | None:
    """The year of a note's date, however written; None without a date or a year in it."""
    year = re.match(r"\d{4}(?!\d)", canonical("DATE", date, date_order)) if date else None
    return int(year[0]) if year else None


def newest_year(dates: Iterable[str | None], date_order: DateOrder) -> int | None:
    """The latest year of the notes' dates: for notes without one, the year they count as written in."""
    return max((year for date in dates if (year := year_of(date, date_order))), default=None)


def _birth_told_in(text: str, span: DetectedSpan, year: int | None) -> int | None:
    """``year`` (in which the text was written) if the span is a date of birth, else None."""
    if span.category != "DATE" or year is None:
        return None
    return year if _BIRTH.search(text, max(0, span.start - _BEFORE), span.start) else None


def phi_of_note(
    note: Note, spans: Sequence[DetectedSpan], date_order: DateOrder, *, newest: int | None = None
) -> list[Phi]:
    """The PHI records of a note, in order; ``newest`` is the year of a note without a date."""
    year = year_of(note.date, date_order) or newest
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
            **_typed(
                span.category,
                note.text[span.start : span.end],
                date_order,
                _birth_told_in(note.text, span, year),
            )._asdict(),
        )
        for number, span in enumerate(spans)
    ]


def known_phi(known: Iterable[KnownIdentifier], date_order: DateOrder) -> Iterator[Phi]:
    """The PHI records of the hospital's registration table."""
    return (
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
    )


def _severity(text: str, span: DetectedSpan, date_order: DateOrder, year: int | None) -> Severity:
    value = text[span.start : span.end]
    form = canonical(span.category, value, date_order)
    return severity(span.category, value, form, birth_told_in=_birth_told_in(text, span, year))


def hits_of(
    continuation: Continuation,
    spans: Sequence[DetectedSpan],
    date_order: DateOrder,
    *,
    year: int | None = None,
) -> list[Hit]:
    """The hits of a continuation, in order; ``year`` is that of the note asked for."""
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
            severity=_severity(continuation.text, span, date_order, year),
            **_typed(
                span.category,
                continuation.text[span.start : span.end],
                date_order,
                _birth_told_in(continuation.text, span, year),
            )._asdict(),
        )
        for number, span in enumerate(spans)
    ]
