"""Training notes without the PHI that the detectors find: taken away, or surrogates in its place.

What the detectors miss stays in, and the model learns it like anything else. So a scan of the model
that was trained on these notes looks, as always, for what stands in the notes as they were.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from phiscan.adaptation.corpus import Text
from phiscan.adaptation.surrogates import Surrogates, mark
from phiscan.detect import DetectSettings, detect_texts
from phiscan.normalize import DateOrder
from phiscan.protocols import Detector
from phiscan.records import DetectedSpan
from phiscan.rulebook.name_words import never_name
from phiscan.typed import year_of

SHORTEST = 4
"""Characters from which on a value found once is followed through the patient's other notes."""


class Deidentified(NamedTuple):
    """A note with other words, and what was replaced in it."""

    text: Text
    replaced: Mapping[str, int]
    """Spans replaced, by category."""


def deidentified(
    notes: Sequence[Text],
    detectors: Mapping[str, Detector],
    settings: DetectSettings,
    *,
    how: Literal["remove", "surrogate"],
    seed: int = 0,
    date_order: DateOrder = "mdy",
) -> list[Deidentified]:
    """Every note with its PHI taken away or replaced, in the order given.

    ``remove`` puts a mark in its place, such as ``[PATIENT]``; ``surrogate`` another value of its form
    (:class:`phiscan.adaptation.surrogates.Surrogates`), the same throughout the patient's notes. A value
    of four characters or more that is found once is replaced wherever it stands whole in that
    patient's notes, unless it is a word in small letters or one that is never a name.

    Args:
        notes: Of any patients in any order.
        detectors: Of :func:`phiscan.detect.build_detectors`, with the known identifiers if there are any.
        settings: The detectors' settings.
        how: What stands where PHI stood.
        seed: Decides the surrogates. Whoever knows it and a patient id can move the dates back.
        date_order: How numeric dates are read.

    """
    places: dict[str, list[int]] = defaultdict(list)
    for at, note in enumerate(notes):
        places[note.patient_id].append(at)
    done: dict[int, Deidentified] = {}
    for patient_id, mine in places.items():
        texts = [notes[at].text for at in mine]
        found = _followed(texts, detect_texts(detectors, texts, settings))
        surrogates = None
        if how == "surrogate":
            values = {
                (span.category, text[span.start : span.end])
                for text, spans in zip(texts, found, strict=True)
                for span in spans
            }
            surrogates = Surrogates(patient_id, values, seed=seed, date_order=date_order)
        for at, spans in zip(mine, found, strict=True):
            new = _rewritten(notes[at], spans, surrogates, year_of(notes[at].date, date_order))
            done[at] = Deidentified(new, Counter(span.category for span in spans))
    return [done[at] for at in range(len(notes))]


def _rewritten(
    note: Text, spans: Sequence[DetectedSpan], surrogates: Surrogates | None, told_in: int | None
) -> Text:
    """The note with other words. A value that begins in what is given and ends behind it is learnt."""
    parts: list[str] = []
    at, given = 0, note.given
    for span in spans:
        value = note.text[span.start : span.end]
        new = surrogates.of(span.category, value, told_in=told_in) if surrogates else mark(span.category)
        parts += [note.text[at : span.start], new]
        at = span.end
        if at <= note.given:
            given += len(new) - len(value)
        elif span.start < note.given:
            given -= note.given - span.start
    return note._replace(text="".join([*parts, note.text[at:]]), given=given)


def _followed(texts: Sequence[str], found: Sequence[Sequence[DetectedSpan]]) -> list[list[DetectedSpan]]:
    """The spans of a patient's notes, and where else in them a value stands that was found once."""
    first: dict[str, DetectedSpan] = {}
    for text, spans in zip(texts, found, strict=True):
        for span in spans:
            first.setdefault(text[span.start : span.end], span)
    sought = sorted((value for value in first if _is_followed(value)), key=lambda value: (-len(value), value))
    if not sought:
        return [list(spans) for spans in found]
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sought))})(?!\w)")
    return [_with(text, spans, pattern, first) for text, spans in zip(texts, found, strict=True)]


def _is_followed(value: str) -> bool:
    if len(value) < SHORTEST or value.islower():
        return False
    return not (value.isalpha() and never_name(value.lower()))


def _with(
    text: str, spans: Sequence[DetectedSpan], pattern: re.Pattern[str], first: Mapping[str, DetectedSpan]
) -> list[DetectedSpan]:
    taken = bytearray(len(text))
    for span in spans:
        taken[span.start : span.end] = b"\1" * (span.end - span.start)
    more = [
        replace(first[match[0]], start=match.start(), end=match.end())
        for match in pattern.finditer(text)
        if taken.find(1, *match.span()) < 0
    ]
    return sorted([*spans, *more], key=lambda span: span.start)
