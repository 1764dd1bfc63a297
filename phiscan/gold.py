r"""Stage: spans found against spans that people annotated. Spans in, numbers out.

One outcome a span, on both sides, the first that holds: ``exact`` (a span of the other side has
the same start, end and category), ``extent`` (one of the same category overlaps it), ``category``
(one of any category overlaps it), ``none``. From these, three levels: *strict* counts the exact
ones, *overlap* also extent, *any_category* also category. Recall is the share of annotated spans
that reach a level, precision the share of found spans; two found pieces of one annotated span are
both right on the levels that ask for overlap only. The fourth level, *token*, counts pairs of a
word (``\w+``; punctuation does not count) and a category of a span that overlaps it, so that a
long span weighs more than a short one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from phiscan.records import PhiText, record
from phiscan.stats import Interval, cluster_rate
from phiscan.taxonomy import CATEGORIES

Outcome = Literal["exact", "extent", "category", "none"]
Level = Literal["strict", "overlap", "any_category", "token"]
Scope = Literal["all", "hipaa", "group", "category"]
REACHED: dict[Level, frozenset[Outcome]] = {
    "strict": frozenset({"exact"}),
    "overlap": frozenset({"exact", "extent"}),
    "any_category": frozenset({"exact", "extent", "category"}),
}
LEVELS: tuple[Level, ...] = (*REACHED, "token")
MISSED, SPURIOUS = "missed", "spurious"
"""Stand for the other side in the table of confusions."""

_WORD = re.compile(r"\w+")


class TypedSpan(NamedTuple):
    """A range of a note with its category; ``hipaa``: it is one of the eighteen identifiers."""

    start: int
    end: int
    category: str
    hipaa: bool


@record
class NotePair:
    """One note with what people annotated in it and what was found; no span is empty."""

    cluster: PhiText
    """Whom the note is about: notes of one patient are not independent."""
    text: PhiText
    gold: tuple[TypedSpan, ...]
    found: tuple[TypedSpan, ...]


class Compared(NamedTuple):
    """The outcome of each span of a pair, and which of them overlap as (gold, found) places."""

    gold: list[Outcome]
    found: list[Outcome]
    overlaps: list[tuple[int, int]]


class Line(NamedTuple):
    """Precision and recall of one level over one set of spans (or of word and category pairs)."""

    level: Level
    scope: Scope
    name: str
    """Of the group or category; the scope's own name for the other two."""
    gold: int
    found: int
    gold_reached: int
    found_reached: int
    gold_clusters: int
    """Patients with a span in the denominator of recall, and in that of precision."""
    found_clusters: int
    precision: Interval
    recall: Interval

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; 0 where one side has no span, None where neither has."""
        precision, recall = self.precision.value, self.recall.value
        if precision is None and recall is None:
            return None
        return 2 * precision * recall / (precision + recall) if precision and recall else 0.0


@record
class GoldScore:
    """Everything counted over a set of notes."""

    lines: tuple[Line, ...]
    """By level; all, hipaa, groups and categories in the order of the taxonomy."""
    confusions: dict[tuple[str, str], int]
    """(annotated category, found category) -> spans; of several found ones the longest overlap counts."""
    notes: int
    clusters: int


class _Unit(NamedTuple):
    cluster: int
    category: str
    hipaa: bool
    reached: bool


def compare(pair: NotePair) -> Compared:
    """The outcome of every span of one note.

    >>> gold, found = (TypedSpan(0, 9, "DATE", True),), (TypedSpan(0, 4, "DATE", True),)
    >>> compare(NotePair(cluster="p", text="3/12/2019", gold=gold, found=found))
    Compared(gold=['extent'], found=['extent'], overlaps=[(0, 0)])
    """
    overlaps = _overlaps(pair.gold, pair.found)
    of_gold: defaultdict[int, list[TypedSpan]] = defaultdict(list)
    of_found: defaultdict[int, list[TypedSpan]] = defaultdict(list)
    for g, f in overlaps:
        of_gold[g].append(pair.found[f])
        of_found[f].append(pair.gold[g])
    return Compared(
        gold=[_outcome(span, of_gold[place]) for place, span in enumerate(pair.gold)],
        found=[_outcome(span, of_found[place]) for place, span in enumerate(pair.found)],
        overlaps=overlaps,
    )


def score(pairs: Sequence[NotePair], *, seed: int) -> GoldScore:
    """Precision, recall and F1 of all notes together (micro), with intervals over patients.

    A category, group or ``hipaa`` line divides by the spans that belong to it on each side; what
    the other side calls them plays no part in that.
    """
    numbers: dict[str, int] = {}
    clusters = [numbers.setdefault(pair.cluster, len(numbers)) for pair in pairs]
    gold: defaultdict[Level, list[_Unit]] = defaultdict(list)
    found: defaultdict[Level, list[_Unit]] = defaultdict(list)
    confusions: Counter[tuple[str, str]] = Counter()
    for cluster, pair in zip(clusters, pairs, strict=True):
        compared = compare(pair)
        for level, reached in REACHED.items():
            gold[level] += _span_units(cluster, pair.gold, compared.gold, reached)
            found[level] += _span_units(cluster, pair.found, compared.found, reached)
        in_gold, in_found = (_tokens(pair.text, spans) for spans in (pair.gold, pair.found))
        gold["token"] += [_Unit(cluster, key[1], hipaa, key in in_found) for key, hipaa in in_gold.items()]
        found["token"] += [_Unit(cluster, key[1], hipaa, key in in_gold) for key, hipaa in in_found.items()]
        confusions.update(_confusions(pair, compared))
    seen = {unit.category for unit in (*gold["strict"], *found["strict"])}
    names = [name for name in CATEGORIES if name in seen]
    lines = [line for level in LEVELS for line in _lines(level, names, gold[level], found[level], seed)]
    return GoldScore(lines=tuple(lines), confusions=dict(confusions), notes=len(pairs), clusters=len(numbers))


def _overlaps(gold: Sequence[TypedSpan], found: Sequence[TypedSpan]) -> list[tuple[int, int]]:
    """Places of every (gold, found) pair that shares a code point, in order."""
    spans = [(span.start, span.end, side, place) for side, part in enumerate((gold, found))
             for place, span in enumerate(part)]  # fmt: skip
    spans.sort()
    pairs = []
    for at, (_, end, side, place) in enumerate(spans):
        for start, _, other_side, other in spans[at + 1 :]:
            if start >= end:
                break
            if side != other_side:
                pairs.append((place, other) if side == 0 else (other, place))
    return sorted(pairs)


def _outcome(span: TypedSpan, others: Sequence[TypedSpan]) -> Outcome:
    if any(other[:3] == span[:3] for other in others):
        return "exact"
    if any(other.category == span.category for other in others):
        return "extent"
    return "category" if others else "none"


def _span_units(
    cluster: int, spans: Iterable[TypedSpan], outcomes: Iterable[Outcome], reached: frozenset[Outcome]
) -> list[_Unit]:
    return [
        _Unit(cluster, span.category, span.hipaa, outcome in reached)
        for span, outcome in zip(spans, outcomes, strict=True)
    ]


def _tokens(text: str, spans: Iterable[TypedSpan]) -> dict[tuple[int, str], bool]:
    """(start of a word, category) of every word that a span overlaps -> whether one of them is HIPAA's."""
    found: dict[tuple[int, str], bool] = {}
    for span in spans:
        begin = span.start
        while begin and _WORD.match(text[begin - 1]) and _WORD.match(text[span.start]):
            begin -= 1  # a span that begins inside a word has the whole of it
        for word in _WORD.finditer(text, begin, span.end):
            key = (word.start(), span.category)
            found[key] = found.get(key, False) or span.hipaa
    return found


def _confusions(pair: NotePair, compared: Compared) -> Iterator[tuple[str, str]]:
    """One (annotated, found) entry for every annotated span and every spurious one."""
    best: dict[int, tuple[int, bool, str]] = {}
    for g, f in compared.overlaps:
        ours, theirs = pair.gold[g], pair.found[f]
        shared = min(ours.end, theirs.end) - max(ours.start, theirs.start)
        best[g] = max(
            best.get(g, (0, False, "")), (shared, ours.category == theirs.category, theirs.category)
        )
    for place, span in enumerate(pair.gold):
        yield span.category, best[place][2] if place in best else MISSED
    for span, outcome in zip(pair.found, compared.found, strict=True):
        if outcome == "none":
            yield SPURIOUS, span.category


def _lines(
    level: Level, names: Sequence[str], gold: Sequence[_Unit], found: Sequence[_Unit], seed: int
) -> Iterator[Line]:
    def line(scope: Scope, name: str, categories: Collection[str]) -> Line:
        kept, others = (
            [unit for unit in side if unit.category in categories and (scope != "hipaa" or unit.hipaa)]
            for side in (gold, found)
        )
        return Line(
            level=level,
            scope=scope,
            name=name,
            gold=len(kept),
            found=len(others),
            gold_reached=sum(unit.reached for unit in kept),
            found_reached=sum(unit.reached for unit in others),
            gold_clusters=len({unit.cluster for unit in kept}),
            found_clusters=len({unit.cluster for unit in others}),
            precision=_rate(others, seed),
            recall=_rate(kept, seed),
        )

    yield line("all", "all", names)
    yield line("hipaa", "hipaa", names)
    for group in dict.fromkeys(CATEGORIES[name].group for name in names):
        yield line("group", group, [name for name in names if CATEGORIES[name].group == group])
    for name in names:
        yield line("category", name, (name,))


def _rate(units: Sequence[_Unit], seed: int) -> Interval:
    size = max((unit.cluster for unit in units), default=-1) + 1
    clusters = np.array([unit.cluster for unit in units], dtype=np.int64)
    reached = np.array([unit.reached for unit in units], dtype=np.int64)
    totals = np.bincount(clusters, minlength=size).astype(np.int64)
    events = np.bincount(clusters, weights=reached, minlength=size).astype(np.int64)
    return cluster_rate(events, totals, seed=seed)
