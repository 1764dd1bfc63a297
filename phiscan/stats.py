"""Intervals for rates: arrays in, numbers out.

The independent unit is the patient. A patient who gives several prompts or values is one
cluster; treating them as independent would make every interval too short.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

LEVEL = 0.95
FEW = 20
"""Below this many clusters with (or without) the event the bootstrap's intervals are too short."""
DRAWS = 2_000

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Interval(NamedTuple):
    """A rate with its interval; ``value`` is None when there is nothing to divide by."""

    value: float | None
    low: float | None
    high: float | None
    method: str


def wilson(events: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Wilson score interval of a binomial rate (Wilson 1927); n > 0."""
    from scipy.special import ndtri

    z = float(ndtri((1 + level) / 2))
    rate, spread = events / n, z * z / n
    middle = (rate + spread / 2) / (1 + spread)
    half = z * math.sqrt(rate * (1 - rate) / n + spread / (4 * n)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def clopper_pearson(events: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Exact binomial interval (Clopper & Pearson 1934), also for non-integer effective counts."""
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = 0.0 if events <= 0 else float(betaincinv(events, n - events + 1, tail))
    high = 1.0 if events >= n else float(betaincinv(events + 1, n - events, 1 - tail))
    return low, high


def zero_bound(clusters: int, level: float = LEVEL) -> float:
    """Largest rate under which no event among ``clusters`` still has probability ``1 - level``."""
    return float(1 - (1 - level) ** (1 / clusters))


def cluster_rate(events: Counts, totals: Counts, *, seed: int, level: float = LEVEL) -> Interval:
    """Interval of ``events.sum() / totals.sum()``; both of shape (patients,), one entry a patient.

    No event, or nothing but events: the exact one-sided bound on the number of patients. One
    unit a patient: Wilson. Fewer than 20 patients with, or without, the event: Clopper-Pearson
    on the effective size n / design effect. Else: percentile bootstrap of whole patients.
    """
    keep = totals > 0
    events, totals = events[keep], totals[keep]
    clusters, n, k = len(totals), int(totals.sum()), int(events.sum())
    if not clusters:
        return Interval(None, None, None, "nothing to divide by")
    rate = k / n
    if k == 0:
        return Interval(0.0, 0.0, zero_bound(clusters, level), "exact bound on patients, none observed")
    if k == n:
        low = 1 - zero_bound(clusters, level)
        return Interval(1.0, low, 1.0, "exact bound on patients, all observed")
    if n == clusters:
        return Interval(rate, *wilson(k, n, level), "Wilson")
    if min(int((events > 0).sum()), int((events < totals).sum())) < FEW:
        size = effective_size(events, totals)
        low, high = clopper_pearson(rate * size, size, level)
        return Interval(rate, low, high, "Clopper-Pearson on effective size")
    low, high = _bootstrap(events, totals, seed, level)
    return Interval(rate, low, high, "patient-cluster bootstrap")


def weighted_rate(events: Floats, totals: Floats, *, n: int, seed: int, level: float = LEVEL) -> Interval:
    """Interval of ``events.sum() / totals.sum()`` where units of unequal inclusion probability stand for all.

    Both of shape (patients,): sums of inverse inclusion probabilities, of the units with the event
    and of all units drawn; ``n`` is the number of units drawn. No event, or nothing but events: the
    exact bound on patients. Fewer than 20 patients with, or without, the event: Clopper-Pearson on
    the effective size. Else: percentile bootstrap of whole patients.
    """
    clusters = len(totals)
    if not clusters:
        return Interval(None, None, None, "nothing to divide by")
    rate = float(events.sum() / totals.sum())
    if not events.any():
        return Interval(0.0, 0.0, zero_bound(clusters, level), "exact bound on patients, none observed")
    if (events == totals).all():
        low = 1 - zero_bound(clusters, level)
        return Interval(1.0, low, 1.0, "exact bound on patients, all observed")
    if min(int((events > 0).sum()), int((events < totals).sum())) < FEW:
        size = effective_size(events, totals, n=n)
        low, high = clopper_pearson(rate * size, size, level)
        return Interval(rate, low, high, "Clopper-Pearson on effective size, weighted")
    low, high = _bootstrap(events, totals, seed, level)
    return Interval(rate, low, high, "patient-cluster bootstrap, weighted")


def cluster_excess(
    events: Counts, expected: Floats, totals: Counts, *, seed: int, level: float = LEVEL
) -> Interval:
    """Interval of ``(events - expected).sum() / totals.sum()``; all of shape (patients,).

    Where 20 or more patients have the event and 20 or more units without it: percentile bootstrap
    of whole patients, observed and expected counts drawn together. Else the interval of
    :func:`cluster_rate` for the observed rate, moved by the expected one, which is taken as known.
    """
    keep = totals > 0
    events, expected, totals = events[keep], expected[keep], totals[keep]
    seen = cluster_rate(events, totals, seed=seed, level=level)
    if seen.value is None or seen.low is None or seen.high is None:
        return seen
    chance = float(expected.sum()) / int(totals.sum())
    if min(int((events > 0).sum()), int((events < totals).sum())) < FEW:
        method = f"{seen.method}, less the expected rate"
        return Interval(seen.value - chance, seen.low - chance, seen.high - chance, method)
    low, high = _bootstrap(events - expected, totals, seed, level)
    return Interval(seen.value - chance, low, high, "patient-cluster bootstrap")


def effective_size(events: Counts | Floats, totals: Counts | Floats, *, n: int | None = None) -> float:
    """Number of independent units with the precision of these clustered ones, in [1, n].

    n / deff, deff = (linearised variance of the ratio) / (binomial variance), never below 1. ``n``:
    number of units; None: the sum of ``totals``, which is it unless they are weighted.
    """
    clusters, whole = len(totals), float(totals.sum())
    rate = float(events.sum()) / whole
    if clusters < 2:
        return 1.0
    n = n or int(whole)
    residuals = events - rate * totals
    variance = clusters / (clusters - 1) * float((residuals**2).sum()) / whole**2
    binomial = rate * (1 - rate) / n
    return max(1.0, n / max(1.0, variance / binomial))


def _bootstrap(
    events: Counts | Floats, totals: Counts | Floats, seed: int, level: float
) -> tuple[float, float]:
    """Percentile interval over draws of whole patients, equal rows drawn together."""
    rng = np.random.default_rng(seed)
    pairs, weights = np.unique(np.stack([events, totals]), axis=1, return_counts=True)
    drawn = rng.multinomial(int(weights.sum()), weights / weights.sum(), size=DRAWS)
    rates = (drawn @ pairs[0]) / np.maximum(drawn @ pairs[1], 1)
    tail = (1 - level) / 2
    low, high = np.quantile(rates, [tail, 1 - tail])
    return float(low), float(high)
