"""Several people's answers -> one: adjudication first, then agreement, then the first answer."""

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


def opinions(answers: Iterable[ReviewAnswer], spans: Iterable[ReviewSpan]) -> dict[str, list[Opinion]]:
    """Everybody's latest answer by doc_id, without skipped ones; the first to answer comes first."""
    latest: dict[_Key, ReviewAnswer] = {}
    for answer in answers:
        key: _Key = (answer.doc_id, answer.round, answer.author)
        if key not in latest or latest[key].time <= answer.time:
            latest[key] = answer
    regions: dict[_Key, list[ReviewSpan]] = defaultdict(list)
    for span in spans:
        if span.problem is None:
            regions[span.doc_id, span.round, span.author].append(span)
    found: dict[str, list[Opinion]] = defaultdict(list)
    for key, answer in latest.items():
        if not answer.skipped:
            mine = sorted(regions[key], key=lambda span: (span.start, span.end, span.kind, span.label))
            found[answer.doc_id].append(Opinion(answer, tuple(mine)))
    for of_item in found.values():
        of_item.sort(key=lambda opinion: (opinion.answer.time, opinion.answer.author))
    return dict(found)


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
    """What a region says: its verdict; what a person marked, without one, is confirmed by that."""
    return span.verdict or ("confirmed" if span.source_id is None else None)


def _content(opinion: Opinion) -> set[tuple[str, str, int, int, str | None]]:
    """The regions that are something; one removed and one judged ``not_phi`` say the same."""
    return {
        (span.kind, span.label, span.start, span.end, judgement(span))
        for span in opinion.spans
        if judgement(span) != "not_phi"
    }
