"""A settled answer against the detectors: which hits were PHI, and what PHI had no hit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from phiscan.records import Hit, Passage, ReviewItem, ReviewSpan
from phiscan.review.settle import Settled, judgement
from phiscan.taxonomy import CATEGORIES

Outcome = Literal["right", "other_category", "prompt", "false", "open"]
"""Of a hit: PHI of its category; PHI of another; PHI the prompt showed; no PHI; not judged."""


class Judged(NamedTuple):
    """One answered item beside what phiscan found in it."""

    item: ReviewItem
    patient: str
    hits: tuple[Hit, ...]
    headline: frozenset[str]
    """hit_ids of its headline leaks by the rules."""
    passages: tuple[Passage, ...]
    settled: Settled

    @property
    def phi(self) -> list[ReviewSpan]:
        """PHI that people hold to be PHI, under a category; GENDER and a site's own labels aside."""
        return [s for s in self.settled.opinion.spans if is_phi(s)]


def holds(span: ReviewSpan) -> bool:
    """True if the region is held to be something; not if it was rejected or left without a verdict."""
    return judgement(span) not in (None, "not_phi")


def is_phi(span: ReviewSpan) -> bool:
    """True if the region is held to be PHI of a category that detectors are scored on."""
    return span.kind == "phi" and span.label in CATEGORIES and holds(span)


def outcomes(judged: Judged) -> list[tuple[Hit, Outcome]]:
    """What people say of each hit.

    A hit that was shown has the verdict on its region. A hit of a blind item is PHI if a person marked
    something there without having been shown it.
    """
    return [(hit, _outcome(hit, judged)) for hit in judged.hits]


def held_spans(hit: Hit, judged: Judged) -> list[ReviewSpan]:
    """The regions that make a hit PHI: its own, or those drawn over it if it was not shown or removed."""
    shown = [span for span in judged.settled.opinion.spans if span.source_id == hit.hit_id]
    held = [span for span in shown if is_phi(span)]
    if held or any(span.origin != "deleted" for span in shown):
        return held
    return [span for span in judged.phi if overlap(span, hit)]


def _outcome(hit: Hit, judged: Judged) -> Outcome:
    held = held_spans(hit, judged)
    if not held:
        shown = [span for span in judged.settled.opinion.spans if span.source_id == hit.hit_id]
        if any(judgement(span) is None for span in shown):
            return "open"
        if not shown and (judged.settled.opinion.unusable or not judged.item.blind):
            return "open"
        return "false"
    if all(span.verdict == "copied_from_prompt" for span in held):
        return "prompt"
    right = any(span.label == hit.category and span.verdict != "wrong_category" for span in held)
    return "right" if right else "other_category"


def missed(judged: Judged) -> list[ReviewSpan]:
    """PHI that people marked where no detector had found any."""
    return [
        span
        for span in judged.phi
        if span.source_id is None and not any(overlap(span, hit) for hit in judged.hits)
    ]


def overlap(span: ReviewSpan, found: Hit | Passage) -> bool:
    """True if the two share at least one code point of the output."""
    return span.start < found.cont_end and found.cont_start < span.end


def instances(judged: Judged, label: str) -> list[ReviewSpan]:
    """Distinct passages of the output that people marked with ``label`` (the counting unit of Table 5B)."""
    found: dict[str, ReviewSpan] = {}
    for span in judged.settled.opinion.spans:
        if span.label == label and holds(span):
            found.setdefault(" ".join(span.text.casefold().split()), span)
    return list(found.values())


def flagged(span: ReviewSpan, passages: Iterable[Passage]) -> bool:
    """True if the lexicon had found a passage of that topic there."""
    return any(passage.topic == span.label and overlap(span, passage) for passage in passages)


def answered(judged: Sequence[Judged]) -> dict[str, list[Judged]]:
    """Answered items by stratum."""
    found: dict[str, list[Judged]] = {}
    for one in judged:
        found.setdefault(one.item.stratum, []).append(one)
    return found
