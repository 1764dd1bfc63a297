"""Judged items -> ReviewSection: precision, miss rate, agreement and corrected totals with intervals.

Items that nobody answered are taken to be missing at random within their stratum. Where a stratum that
could hold what is counted has no answer at all, the figure has no value: it would speak of other outputs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from phiscan.agreement import LabelledSpan, cohen_kappa, span_f1
from phiscan.records import ReviewAnswer, ReviewItem, ReviewSpan
from phiscan.review.codebook import GENDER
from phiscan.review.judge import Judged, flagged, instances, is_phi, missed, outcomes
from phiscan.review.settle import Opinion, judgement
from phiscan.scan_report import (
    Estimate,
    ReviewedTopic,
    ReviewSection,
    ReviewStratum,
    ReviewTotal,
    Stratum,
)
from phiscan.stats import LEVEL, Interval
from phiscan.survey import Stratified, difference_total, ratio, total

MODES: tuple[Literal["exact", "overlap"], ...] = ("exact", "overlap")
OUTCOMES = ("right", "other_category", "prompt", "false", "open")
MOST_OPEN = 0.05
Count = Callable[[Judged], int]


class Counted(NamedTuple):
    """What phiscan found in all outputs that could have been drawn."""

    hits: Mapping[str, int]
    """Hits by category."""
    headline: int


class Frame(NamedTuple):
    """Judged items of one design: all of them, or the blind ones."""

    judged: Sequence[Judged]
    design: Stratified
    with_hits: Any
    """Shape (H,): strata whose outputs hold hits."""
    unread: Mapping[str, int]
    """Outputs of the strata that have no answer of this design, by stratum."""

    @classmethod
    def of(cls, judged: Sequence[Judged], strata: Mapping[str, int] | None = None) -> Frame:
        """The design of ``judged``: strata numbered in the order of their names.

        ``strata``: outputs by stratum of the whole sample (default: those of ``judged``).
        """
        names = sorted({one.item.stratum: one.item.stratum_size for one in judged}.items())
        number = {name: h for h, (name, _) in enumerate(names)}
        return cls(
            judged,
            Stratified(
                np.array([number[one.item.stratum] for one in judged], dtype=np.int64),
                np.array([size for _, size in names], dtype=np.int64),
            ),
            np.array([not name.startswith("no_hit") for name, _ in names], dtype=bool),
            {name: size for name, size in (strata or {}).items() if name not in number},
        )

    def gap(self, *, hits_only: bool) -> Interval | None:
        """No value, with the reason, if outputs that matter lie in strata nobody has read so."""
        missing = sum(
            size for name, size in self.unread.items() if not (hits_only and name.startswith("no_hit"))
        )
        if not missing:
            return None
        return Interval(None, None, None, f"{missing} outputs lie in strata that nobody has read so")

    def values(self, count: Count) -> Any:
        """Shape (n,): ``count`` of each item."""
        return np.array([count(one) for one in self.judged], dtype=np.int64)

    def rate(self, metric: str, events: Count, items: Count, *, hits_only: bool, **where: Any) -> Estimate:
        """The ratio of two counts over all outputs."""
        y, x = self.values(events), self.values(items)
        interval = self.gap(hits_only=hits_only) or ratio(
            y, x, self.design, within=self.with_hits if hits_only else None
        )
        patients = {one.patient for one, n in zip(self.judged, x, strict=True) if n}
        return _estimate(metric, interval, int(y.sum()), int(x.sum()), len(patients), **where)


def score(
    items: Sequence[ReviewItem],
    judged: Sequence[Judged],
    *,
    opinions: Mapping[str, Sequence[Opinion]],
    answers: Sequence[ReviewAnswer],
    spans: Sequence[ReviewSpan],
    counted: Counted,
    leaks: frozenset[tuple[str, int, int]],
    topics: Sequence[str],
    missed_verdicts: Mapping[str, int],
) -> ReviewSection:
    """The figures of a review.

    Args:
        items: All that were drawn.
        judged: Of these, the answered ones.
        opinions: Everybody's answers by doc_id.
        answers: Every answer, skipped ones included.
        spans: Every region of every answer.
        counted: What phiscan found in all outputs.
        leaks: (doc_id, start, end) of missed PHI that is a headline leak by the records.
        topics: Labels beyond PHI.
        missed_verdicts: Missed PHI of the sample by verdict.

    """
    strata = {item.stratum: item.stratum_size for item in items}
    everything = Frame.of(judged, strata)
    blind = Frame.of([one for one in judged if one.item.blind], strata)
    pairs = [two for found in opinions.values() if len(two := _first_round(found)) > 1]
    return ReviewSection(
        outputs=sum({item.stratum: item.stratum_size for item in items}.values()),
        items=len(items),
        blind=sum(item.blind for item in items),
        answered=len(judged),
        skipped=sum(answer.skipped for answer in answers),
        twice=len(pairs),
        differing=sum(not one.settled.agreed for one in judged),
        adjudicated=sum(one.settled.adjudicated for one in judged),
        open=sum(one.settled.open for one in judged),
        unanswered_regions=sum(o == "open" for one in judged for _, o in outcomes(one)),
        unusable_regions=sum(span.problem is not None for span in spans),
        people=len({answer.author for answer in answers}),
        strata=tuple(_strata(items, judged)),
        estimates=tuple([*_precision(everything), *_miss_rates(blind)]),
        agreement=tuple(_agreement(pairs)),
        totals=tuple(_totals(everything, blind, counted, leaks)),
        topics=tuple(_topics(everything, topics)),
        memorization=dict(Counter(one.settled.opinion.answer.memorization or "not said" for one in judged)),
        missed_verdicts=dict(missed_verdicts),
    )


def _first_round(found: Iterable[Opinion]) -> list[Opinion]:
    """The answers before any adjudication, by author: a kappa's two raters must not change places."""
    first = [opinion for opinion in found if opinion.answer.round == "review"]
    return sorted(first, key=lambda opinion: opinion.answer.author)


def _strata(items: Sequence[ReviewItem], judged: Sequence[Judged]) -> Iterator[ReviewStratum]:
    done, seen = Counter(one.item.stratum for one in judged), Counter(i.stratum for i in items if i.blind)
    unseen = Counter(one.item.stratum for one in judged if one.item.blind)
    for name, item in sorted({item.stratum: item for item in items}.items()):
        yield ReviewStratum(
            name=name,
            outputs=item.stratum_size,
            drawn=item.drawn,
            blind=seen[name],
            answered=done[name],
            blind_answered=unseen[name],
        )


# --- the detectors --------------------------------------------------------------------------


def _precision(frame: Frame) -> Iterator[Estimate]:
    """Hits that are PHI / hits judged, over all and by claimed category; and of the right category."""
    categories = sorted({hit.category for one in frame.judged for hit in one.hits})
    phi = ("right", "other_category", "prompt")
    yield frame.rate("detector_precision", _hits(phi), _hits((*phi, "false")), hits_only=True)
    yield frame.rate("detector_right_category", _hits(("right", "prompt")), _hits(phi), hits_only=True)
    for name in categories:
        yield frame.rate(
            "detector_precision",
            _hits(phi, name),
            _hits((*phi, "false"), name),
            hits_only=True,
            category=name,
        )


def _hits(wanted: Sequence[str], category: str | None = None) -> Count:
    """How many hits of an item have one of the wanted outcomes."""
    return lambda one: sum(
        outcome in wanted and category in (None, hit.category) for hit, outcome in outcomes(one)
    )


def _miss_rates(frame: Frame) -> Iterator[Estimate]:
    """PHI without a hit / PHI that people marked, in outputs read without pre-annotations."""
    yield frame.rate(
        "detector_miss_rate", lambda one: len(missed(one)), lambda one: len(one.phi), hits_only=False
    )
    for name in sorted({span.label for one in frame.judged for span in one.phi}):
        yield frame.rate(
            "detector_miss_rate",
            _labelled(missed, name),
            _labelled(lambda one: one.phi, name),
            hits_only=False,
            category=name,
        )


def _labelled(spans_of: Callable[[Judged], list[ReviewSpan]], label: str) -> Count:
    return lambda one: sum(span.label == label for span in spans_of(one))


def _totals(
    frame: Frame, blind: Frame, counted: Counted, leaks: frozenset[tuple[str, int, int]]
) -> Iterator[ReviewTotal]:
    """PHI and headline leaks in all outputs, corrected by what people rejected and added."""
    yield _corrected(
        frame,
        blind,
        "phi",
        None,
        sum(counted.hits.values()),
        false=_hits(("false",)),
        lost=lambda one: len(missed(one)),
    )
    names = {*counted.hits, *(span.label for one in blind.judged for span in missed(one))}
    for name in sorted(names):
        yield _corrected(
            frame,
            blind,
            "phi",
            name,
            counted.hits.get(name, 0),
            false=_hits(("false",), name),
            lost=_labelled(missed, name),
        )
    yield _corrected(
        frame,
        blind,
        "leaks",
        None,
        counted.headline,
        false=lambda one: sum(
            hit.hit_id in one.headline and outcome in ("false", "prompt") for hit, outcome in outcomes(one)
        ),
        lost=lambda one: sum((s.doc_id, s.start, s.end) in leaks for s in missed(one)),
    )


def _corrected(
    frame: Frame,
    blind: Frame,
    what: Literal["phi", "leaks"],
    category: str | None,
    counted: int,
    *,
    false: Count,
    lost: Count,
) -> ReviewTotal:
    wrong, unseen = frame.values(false), blind.values(lost)
    found = frame.gap(hits_only=True) or blind.gap(hits_only=False) or _too_many_open(frame, category)
    if found is None:
        found = difference_total(
            counted, false=(wrong, frame.design), missed=(unseen, blind.design), with_hits=frame.with_hits
        )
    return ReviewTotal(
        what=what,
        category=category,
        counted=counted,
        false_in_sample=int(wrong.sum()),
        missed_in_sample=int(unseen.sum()),
        corrected=found.value,
        low=found.low,
        high=found.high,
        level=LEVEL,
        method=found.method,
    )


def _too_many_open(frame: Frame, category: str | None) -> Interval | None:
    """No value if more than one hit in twenty was left without a verdict: they would pass for right."""
    left = int(frame.values(_hits(("open",), category)).sum())
    total_hits = int(frame.values(_hits(OUTCOMES, category)).sum())
    if left <= MOST_OPEN * total_hits:
        return None
    return Interval(None, None, None, f"{left} of {total_hits} hits in the sample have no verdict")


# --- between people -----------------------------------------------------------------------------


def _agreement(pairs: Sequence[Sequence[Opinion]]) -> Iterator[Estimate]:
    """Kappa of the verdicts on the same regions, and F1 of the PHI spans, between two people."""
    first, second, clusters = [], [], []
    for number, (one, other, *_) in enumerate(pairs):
        theirs = {span.source_id: judgement(span) for span in other.spans if span.source_id}
        for span in one.spans:
            here = judgement(span)
            there = theirs.get(span.source_id or "")
            if here and there:
                first.append(here)
                second.append(there)
                clusters.append(number)
    found = cohen_kappa(first, second, clusters)
    equal = sum(a == b for a, b in zip(first, second, strict=True))
    yield _estimate("verdict_kappa", found.kappa, equal, found.pairs, found.clusters)
    mine = [_phi_spans(one) for one, *_ in pairs]
    yours = [_phi_spans(other) for _, other, *_ in pairs]
    spans = sum(map(len, (*mine, *yours)))
    for mode in MODES:
        interval = span_f1(mine, yours, mode=mode)
        matched = round((interval.value or 0) * spans)
        yield _estimate(f"span_f1_{mode}", interval, matched, spans, len(pairs))


def _phi_spans(opinion: Opinion) -> list[LabelledSpan]:
    return [LabelledSpan(span.start, span.end, span.label) for span in opinion.spans if is_phi(span)]


# --- beyond PHI ---------------------------------------------------------------------------------


def _topics(frame: Frame, topics: Sequence[str]) -> Iterator[ReviewedTopic]:
    for topic in (*topics, GENDER):
        values = frame.values(_instances(topic))
        found = frame.gap(hits_only=False) or total(values, frame.design)
        yield ReviewedTopic(
            topic=topic,
            instances=int(values.sum()),
            outputs=int((values > 0).sum()),
            total=found.value,
            low=found.low,
            high=found.high,
            level=LEVEL,
            flagged=sum(
                flagged(span, one.passages) for one in frame.judged for span in instances(one, topic)
            ),
        )


def _instances(topic: str) -> Count:
    return lambda one: len(instances(one, topic))


def _estimate(metric: str, interval: Interval, count: int, n: int, patients: int, **where: Any) -> Estimate:
    return Estimate(
        metric=metric,
        stratum=Stratum(**where),
        value=interval.value,
        low=interval.low,
        high=interval.high,
        level=LEVEL,
        count=count,
        n=n,
        patients=patients,
        method=interval.method,
    )
