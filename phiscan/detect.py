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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_serializer

from phiscan.errors import PhiscanError
from phiscan.lru import Lru
from phiscan.protocols import Detector, DetectorContext, KnownIdentifier
from phiscan.records import DetectedSpan, Note
from phiscan.registry import load_plugin
from phiscan.supported import supported
from phiscan.taxonomy import CATEGORIES
from phiscan.within_note import settled

KNOWN = "known_identifiers"
RANKS: tuple[str, ...] = (KNOWN, "projected", "rules")
"""Detectors in order of trust; all others follow."""
_NOTES_AT_ONCE = 32
_SPAN_BYTES = 250
"""What a remembered span takes, its numbers included."""


class DetectSettings(BaseModel):
    """Which detectors look, and how sure they must be."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    detectors: tuple[str, ...] = Field(
        ("rules", "presidio", "rampart"),
        min_length=1,
        description="plug-ins of the family `detectors`; known_identifiers joins where identifiers are given",
    )
    min_score: float = Field(0.3, ge=0.0, le=1.0, description="spans below this score are not PHI")
    model: str | None = Field(
        None, min_length=1, description="token_classifier: directory or hub id of its model"
    )
    labels: tuple[str, ...] = Field(
        (), description='token_classifier: the model\'s labels as "LABEL=CATEGORY"; "LABEL=" leaves one out'
    )
    batch_size: int = Field(16, ge=1, description="token_classifier: windows at once")
    device: str = Field("auto", description='token_classifier: "auto", "cpu", "cuda" or "cuda:N"')
    threads: int | None = Field(1, ge=1, description="CPU threads of rampart and token_classifier")
    download: bool = Field(
        False, description="token_classifier: let a model that is no directory be fetched from the hub"
    )
    cache_mb: int = Field(
        64, ge=0, description="memory for the findings in texts seen before, in MB; texts are not kept"
    )

    @field_serializer("model", when_used="json")
    def _without_path(self, model: str | None) -> str | None:
        """Reports say that a directory was used, not where it lies; the manifest holds its digest."""
        return "a directory" if model is not None and Path(model).is_dir() else model


def build_detectors(
    settings: DetectSettings,
    known: Sequence[KnownIdentifier] = (),
    *,
    date_order: Literal["mdy", "dmy", "unknown"] = "mdy",
) -> dict[str, Detector]:
    """The detectors of a run by name, known identifiers first if there are any.

    Each remembers what it found in the latest texts. ``date_order``: how the records' numeric dates read.
    """
    context = DetectorContext(
        known=known,
        model=settings.model,
        labels=settings.labels,
        batch_size=settings.batch_size,
        device=settings.device,
        threads=settings.threads,
        download=settings.download,
        date_order=date_order,
    )
    names = dict.fromkeys((KNOWN, *settings.detectors) if known else settings.detectors)
    limit = settings.cache_mb * 1_000_000 // len(names)
    return {name: _Remembering(name, load_plugin("detectors", name).build(context), limit) for name in names}


def detect_texts(
    detectors: Mapping[str, Detector], texts: Sequence[str], settings: DetectSettings
) -> list[list[DetectedSpan]]:
    """The PHI spans of each text: sorted, not overlapping, no white space at their edges.

    Equal texts are looked at once. Raises PhiscanError where a detector breaks its contract:
    another number of answers than texts, an offset outside the text, a category outside the taxonomy.
    """
    found: dict[str, list[DetectedSpan]] = {text: [] for text in texts}
    distinct = list(found)
    for name, detector in detectors.items():
        for text, answer in zip(distinct, _answers(name, detector, distinct), strict=True):
            found[text] += _checked(name, text, answer, settings.min_score)
    gated = "rampart" in detectors
    resolved = {
        text: settled(text, resolve(supported(text, spans) if gated else spans))
        for text, spans in found.items()
    }
    return [list(resolved[text]) for text in texts]


def detect_notes(
    detectors: Mapping[str, Detector], notes: Iterable[Note], settings: DetectSettings
) -> Iterator[tuple[Note, list[DetectedSpan]]]:
    """Yield each note with its PHI spans, a batch of notes at a time."""
    waiting = iter(notes)
    while batch := list(islice(waiting, _NOTES_AT_ONCE)):
        yield from zip(batch, detect_texts(detectors, [note.text for note in batch], settings), strict=True)


class _Remembering:
    """A detector that looks once at a text it meets again: notes are copied, and models repeat them.

    Texts are known by their digests, which stay in memory with the spans; neither is ever written.
    """

    def __init__(self, name: str, detector: Detector, limit: int) -> None:
        self._name, self._detector = name, detector
        self._seen: Lru[tuple[DetectedSpan, ...]] = Lru(limit)

    def describe(self) -> str:
        return self._detector.describe()

    def detect(self, texts: Sequence[str]) -> list[list[DetectedSpan]]:
        keys = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).digest() for text in texts]
        known = {key: self._seen.get(key) for key in keys}
        new = {key: text for key, text in zip(keys, texts, strict=True) if known[key] is None}
        answers = _answers(self._name, self._detector, list(new.values())) if new else []
        for key, answer in zip(new, answers, strict=True):
            known[key] = tuple(answer)
            self._seen.put(key, tuple(answer), _SPAN_BYTES * len(answer))
        return [list(known[key] or ()) for key in keys]


def _answers(name: str, detector: Detector, texts: Sequence[str]) -> list[list[DetectedSpan]]:
    answers = detector.detect(texts)
    if len(answers) != len(texts):
        raise PhiscanError(f"detector {name}: answered for {len(answers)} of {len(texts)} texts")
    return answers


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
