"""Several people's answers -> one: adjudication first, then agreement, then annotator 1's answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from phiscan.records import ReviewAnswer, ReviewRound, ReviewSpan

_Key = tuple[str, ReviewRound, str]
"""(doc_id, round, author)"""


class Opinion(NamedTuple):
    """One person's answer to one item with its usable regions."""

    answer: ReviewAnswer
    spans: tuple[ReviewSpan, ...]
    unusable: bool = False
    """A region of PHI came back that cannot be used: what it stood for is not known."""


class Settled(NamedTuple):
    """The answer that counts for one item."""

    opinion: Opinion
    annotators: int
    """People who answered it before any adjudication."""
    agreed: bool
    """They said the same (one alone agrees with himself)."""
    adjudicated: bool

    @property
    def open(self) -> bool:
        """Two people differ and nobody has decided between them."""
        return not self.agreed and not self.adjudicated


def latest(answers: Iterable[ReviewAnswer]) -> list[ReviewAnswer]:
    """Everybody's latest answer to each item; earlier ones stay in the tables as they came."""
    found: dict[_Key, ReviewAnswer] = {}
    for answer in answers:
        key: _Key = (answer.doc_id, answer.round, answer.author)
        if key not in found or found[key].time <= answer.time:
            found[key] = answer
    return list(found.values())


def spans_of(answers: Iterable[ReviewAnswer], spans: Iterable[ReviewSpan]) -> list[ReviewSpan]:
    """The regions of these answers."""
    wanted = {answer.answer_id for answer in answers}
    return [span for span in spans if span.answer_id in wanted]


def opinions(answers: Iterable[ReviewAnswer], spans: Iterable[ReviewSpan]) -> dict[str, list[Opinion]]:
    """Everybody's latest answer by doc_id, without skipped ones, in the order of annotators' numbers."""
    regions: dict[str, list[ReviewSpan]] = defaultdict(list)
    for span in spans:
        regions[span.answer_id].append(span)
    found: dict[str, list[Opinion]] = defaultdict(list)
    for answer in latest(answers):
        if not answer.skipped:
            mine = regions[answer.answer_id]
            unusable = any(span.problem is not None and span.kind == "phi" for span in mine)
            found[answer.doc_id].append(Opinion(answer, _distinct(mine), unusable))
    for of_item in found.values():
        of_item.sort(key=lambda opinion: (opinion.answer.answer_id.split("/")[0], opinion.answer.author))
    return dict(found)


def _distinct(spans: Iterable[ReviewSpan]) -> tuple[ReviewSpan, ...]:
    """Usable regions by place; one that was drawn twice counts once, those that were shown first."""
    found: dict[tuple[int, int, str, str, str], ReviewSpan] = {}
    for span in sorted(spans, key=lambda s: (s.start, s.end, s.kind, s.label, s.source_id is None)):
        if span.problem is None:
            key = (span.start, span.end, span.kind, span.label, span.source_id or "")
            same_place = any(
                known[:4] == key[:4] and there.origin != "deleted" for known, there in found.items()
            )
            if span.source_id is not None or not same_place:
                found.setdefault(key, span)
    return tuple(found.values())


def settle(found: Sequence[Opinion]) -> Settled | None:
    """The answer that counts among the opinions on one item; None if there are none."""
    first = [opinion for opinion in found if opinion.answer.round == "review"]
    last = [opinion for opinion in found if opinion.answer.round == "adjudication"]
    if not first and not last:
        return None
    return Settled(
        opinion=last[-1] if last else first[0],
        annotators=len(first),
        agreed=all(same(first[0], other) for other in first[1:]),
        adjudicated=bool(last),
    )


def same(one: Opinion, other: Opinion) -> bool:
    """True if two answers say the same of every region and of the output as a whole."""
    return _content(one) == _content(other) and one.answer.memorization == other.answer.memorization


def judgement(span: ReviewSpan) -> str | None:
    """What a region says: its verdict; what a person drew or changed, without one, is confirmed by that."""
    return span.verdict or ("confirmed" if span.source_id is None or span.origin == "changed" else None)


def _content(opinion: Opinion) -> set[tuple[str, str, int, int, str | None]]:
    """The regions that are something; one removed and one judged ``not_phi`` say the same."""
    return {
        (span.kind, span.label, span.start, span.end, judgement(span))
        for span in opinion.spans
        if judgement(span) != "not_phi"
    }
