"""How far two annotators agree: labels and spans in, numbers out.

The independent unit is the output: regions of one output are one cluster. No figure here is random.

Sources: Cohen 1960; Fleiss, Cohen & Everitt 1969; Hripcsak & Rothschild 2005 (F1 between annotators,
where what neither marked cannot be counted); Clopper & Pearson 1934; Korn & Graubard 1998.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from phiscan.stats import LEVEL, Counts, Floats, Interval, clopper_pearson, effective_size, zero_bound

Mode = Literal["exact", "overlap", "character"]


class LabelledSpan(NamedTuple):
    """A range of an output as half-open code points, with the label it was given."""

    start: int
    end: int
    label: str


class Agreement(NamedTuple):
    """What two annotators' labels of the same regions have in common."""

    observed: Interval
    """Share of the pairs with equal labels."""
    kappa: Interval
    """Beyond what their marginals give by chance; no value where both used one same label only."""
    pairs: int
    clusters: int


def cohen_kappa(
    first: Sequence[str], second: Sequence[str], clusters: Sequence[Hashable], *, level: float = LEVEL
) -> Agreement:
    """Cohen's kappa of ``first`` and ``second``, the labels two annotators gave the same regions.

    kappa = 1 - q / q_e, q the share of unequal pairs, q_e = 1 - sum_k p_k r_k that of chance, p and r
    the marginal shares of label k. Its variance V is that of the linearised kappa summed by cluster
    (infinitesimal jackknife over clusters; Fleiss, Cohen & Everitt's where a cluster is one pair).
    Limits: Clopper-Pearson for q on the effective size q (1 - q) / (V q_e^2), divided by q_e. All
    equal, or none: the one-sided bound on the clusters.

    >>> cohen_kappa(["a", "a", "b", "b"], ["a", "a", "b", "a"], [1, 2, 3, 4]).kappa.value
    0.5
    """
    ours, theirs, numbers = _numbered(first, second, clusters)
    count = int(numbers.max()) + 1 if len(numbers) else 0
    totals = np.bincount(numbers, minlength=count).astype(np.int64)
    unequal = np.bincount(numbers, (ours != theirs).astype(np.float64), count).astype(np.int64)
    return Agreement(
        observed=_share(totals - unequal, totals, level),
        kappa=_kappa(ours, theirs, numbers, unequal, totals, level),
        pairs=len(numbers),
        clusters=count,
    )


def span_f1(
    first: Sequence[Sequence[LabelledSpan]],
    second: Sequence[Sequence[LabelledSpan]],
    *,
    mode: Mode = "exact",
    labels: bool = True,
    level: float = LEVEL,
) -> Interval:
    """F1 = 2 m / (a + b) between two annotators' spans of the same outputs, pooled over outputs.

    ``first[i]``, ``second[i]``: the spans of output i. a, b: their numbers; m: pairs in a largest
    one-to-one matching of spans with the same bounds (``exact``) or a code point in common
    (``overlap``), and the same label if ``labels``. ``character``: a, b, m count code points with
    their labels. No span on either side: value None. Limits: as of a share of a + b, by outputs.
    """
    sides = [[_distinct(spans, labels) for spans in side] for side in (first, second)]
    matched, totals = [], []
    for ours, theirs in zip(*sides, strict=True):
        if mode == "character":
            ours, theirs = _characters(ours), _characters(theirs)
        same = _overlapping(ours, theirs) if mode == "overlap" else (ours & theirs).total()
        matched.append(2 * same)
        totals.append(ours.total() + theirs.total())
    return _share(np.array(matched, dtype=np.int64), np.array(totals, dtype=np.int64), level)


def _share(events: Counts, totals: Counts, level: float) -> Interval:
    """Share ``events.sum() / totals.sum()``, shape (clusters,): Clopper-Pearson on the effective size."""
    events, totals = events[totals > 0], totals[totals > 0]
    if not len(totals):
        return Interval(None, None, None, "nothing to divide by")
    value = float(events.sum() / totals.sum())
    if value in (0.0, 1.0):
        bound = zero_bound(len(totals), level)
        if value:
            return Interval(1.0, 1 - bound, 1.0, "exact bound on outputs, all seen")
        return Interval(0.0, 0.0, bound, "exact bound on outputs, none seen")
    size = effective_size(events, totals) * _few_clusters(len(totals), int(totals.sum()), level)
    low, high = clopper_pearson(value * size, size, level)
    return Interval(value, low, high, "Clopper-Pearson on effective size")


def _kappa(
    ours: Counts, theirs: Counts, numbers: Counts, unequal: Counts, totals: Counts, level: float
) -> Interval:
    n, count = int(totals.sum()), len(totals)
    if not n:
        return Interval(None, None, None, "nothing to divide by")
    kinds = int(max(ours.max(), theirs.max())) + 1
    p, r = (np.bincount(side, minlength=kinds) / n for side in (ours, theirs))
    chance = 1 - float(p @ r)
    if len({*ours, *theirs}) == 1:
        return Interval(None, None, None, "one label only")
    q = float(unequal.sum()) / n
    value = 1 - q / chance
    if q in (0.0, 1.0):
        bound = zero_bound(count, level)
        low, high = (1 - bound / chance, 1.0) if q == 0 else (-1.0, 1 - (1 - bound) / chance)
        return Interval(value, max(-1.0, low), high, "exact bound on outputs, all or none equal")
    by_chance = np.bincount(numbers, r[ours] + p[theirs], count) - 2 * (1 - chance) * totals
    influence: Floats = -((unequal - q * totals) + (q / chance) * by_chance) / chance / n
    variance = max(count, 2) / max(count - 1, 1) * float(influence @ influence)
    size = q * (1 - q) / max(variance * chance**2, q * (1 - q) / n) if count > 1 else 1.0
    size = max(1.0, size * _few_clusters(count, n, level))
    fewest, most = clopper_pearson(q * size, size, level)
    low, high = max(-1.0, 1 - most / chance), min(1.0, 1 - fewest / chance)
    return Interval(value, low, high, "Clopper-Pearson on effective size")


def _few_clusters(clusters: int, n: int, level: float) -> float:
    """Korn & Graubard's factor (t_{n-1} / t_{clusters-1})^2, at most 1."""
    from scipy.special import stdtrit

    tail = (1 + level) / 2
    return float((stdtrit(max(n - 1, clusters - 1, 1), tail) / stdtrit(max(clusters - 1, 1), tail)) ** 2)


def _numbered(*columns: Sequence[Hashable]) -> tuple[Counts, Counts, Counts]:
    """Labels of both sides and clusters as numbers; the two sides share theirs."""
    first, second, clusters = columns
    names = {name: number for number, name in enumerate(dict.fromkeys([*first, *second]))}
    places = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    rows = [(names[a], names[b], places[c]) for a, b, c in zip(first, second, clusters, strict=True)]
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]


def _distinct(spans: Sequence[LabelledSpan], labels: bool) -> Counter[tuple[int, int, str]]:
    return Counter((start, end, label if labels else "") for start, end, label in spans)


def _characters(spans: Counter[tuple[int, int, str]]) -> Counter[tuple[int, int, str]]:
    """Every code point with every label that covers it, once."""
    return Counter({(at, at + 1, label) for start, end, label in spans for at in range(start, end)})


def _overlapping(ours: Counter[tuple[int, int, str]], theirs: Counter[tuple[int, int, str]]) -> int:
    """Size of a largest one-to-one matching of overlapping spans of one label."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    rows, columns = list(ours.elements()), list(theirs.elements())
    near = [[a[0] < b[1] and b[0] < a[1] and a[2] == b[2] for b in columns] for a in rows]
    if not rows or not columns:
        return 0
    return int((maximum_bipartite_matching(csr_matrix(near), perm_type="column") >= 0).sum())
