"""Stage: text -> PHI spans. Every detector looks; one written order settles their overlaps.

Ranks: known identifiers, then spans projected from the notes (detector ``projected``), then
rules, then every other detector; within a rank the longer span, the higher score, the earlier
start. Of two overlapping spans:

1. Of one taxonomy family (person, place, number, ...) the longer stays, whatever the detectors,
   and the better ranked of two equally long: "Marguerite Lindqvist" of a model is not lost to
   "Lindqvist" of a rule. A span that also overlaps a better ranked one of *another* family has
   overreached and does not profit from this.
2. Otherwise the better ranked one stays. The other is dropped, even where it sticks out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from phiscan.errors import PhiscanError
from phiscan.protocols import Detector, DetectorContext, KnownIdentifier
from phiscan.records import DetectedSpan
from phiscan.registry import load_plugin
from phiscan.taxonomy import CATEGORIES

KNOWN = "known_identifiers"
RANKS: tuple[str, ...] = (KNOWN, "projected", "rules")
"""Detectors in order of trust; all others follow."""


class DetectSettings(BaseModel):
    """Which detectors look, and how sure they must be."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    detectors: tuple[str, ...] = Field(default=("rules", "presidio"), min_length=1)
    """Names of detector plug-ins; known_identifiers joins by itself where identifiers are given."""
    min_score: float = Field(default=0.3, ge=0.0, le=1.0)
    """Spans below this score are not PHI."""


def build_detectors(settings: DetectSettings, known: Sequence[KnownIdentifier] = ()) -> dict[str, Detector]:
    """The detectors of a run by name, known identifiers first if there are any."""
    context = DetectorContext(known=known)
    names = dict.fromkeys((KNOWN, *settings.detectors) if known else settings.detectors)
    return {name: load_plugin("detectors", name).build(context) for name in names}


def detect_texts(
    detectors: Mapping[str, Detector], texts: Sequence[str], settings: DetectSettings
) -> list[list[DetectedSpan]]:
    """The PHI spans of each text: sorted, not overlapping, no white space at their edges.

    Raises PhiscanError where a detector breaks its contract: another number of answers than
    texts, an offset outside the text, a category outside the taxonomy.
    """
    found: list[list[DetectedSpan]] = [[] for _ in texts]
    for name, detector in detectors.items():
        answers = detector.detect(texts)
        if len(answers) != len(texts):
            raise PhiscanError(f"detector {name}: answered for {len(answers)} of {len(texts)} texts")
        for spans, text, answer in zip(found, texts, answers, strict=True):
            spans += _checked(name, text, answer, settings.min_score)
    return [resolve(spans) for spans in found]


def resolve(spans: Iterable[DetectedSpan]) -> list[DetectedSpan]:
    """The spans that stay by the written order, sorted by start, no two overlapping.

    The input's order does not matter; empty spans go.
    """
    candidates = sorted({span for span in spans if span.start < span.end}, key=_precedence)
    overreaching = _overreaching(candidates)
    # Stable sort: among the others length decides first, then the written order.
    free = sorted((s for s in candidates if s not in overreaching), key=lambda s: s.start - s.end)
    kept: list[DetectedSpan] = []
    for span in (*free, *(s for s in candidates if s in overreaching)):
        place = bisect_right(kept, span.start, key=lambda other: other.end)  # the first that ends behind
        if place == len(kept) or span.end <= kept[place].start:
            kept.insert(place, span)
    return kept


def _precedence(span: DetectedSpan) -> tuple[object, ...]:
    rank = RANKS.index(span.detector) if span.detector in RANKS else len(RANKS)
    length = span.end - span.start
    ties = (span.category, span.detector, span.rule or "")
    return (rank, -length, -span.score, span.start, *ties)


def _overreaching(candidates: Sequence[DetectedSpan]) -> set[DetectedSpan]:
    """The spans that overlap one of another family that precedes them (``candidates``: in order)."""
    order = {span: place for place, span in enumerate(candidates)}
    by_start = sorted(candidates, key=lambda span: span.start)
    found: set[DetectedSpan] = set()
    for at, span in enumerate(by_start):
        for other in by_start[at + 1 :]:
            if other.start >= span.end:
                break
            if _family(span) != _family(other):
                found.add(max(span, other, key=order.__getitem__))
    return found


def _family(span: DetectedSpan) -> str:
    return CATEGORIES[span.category].family


def _checked(name: str, text: str, answer: Sequence[DetectedSpan], min_score: float) -> list[DetectedSpan]:
    kept = []
    for span in answer:
        if not 0 <= span.start <= span.end <= len(text):
            raise PhiscanError(f"detector {name}: returned an offset outside the text")
        if span.category not in CATEGORIES:
            raise PhiscanError(f"detector {name}: returned a category outside the taxonomy")
        if span.score >= min_score:
            kept.append(_trimmed(span, text))
    return kept


def _trimmed(span: DetectedSpan, text: str) -> DetectedSpan:
    value = text[span.start : span.end]
    start = span.start + len(value) - len(value.lstrip())
    return replace(span, start=start, end=start + len(value.strip()))
