"""Intervals for rates: arrays in, numbers out.

The independent unit is the patient. A patient who gives several prompts or values is one
cluster; treating them as independent would make every interval too short. In which order patients
come changes no digit.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

LEVEL = 0.95
FEW = 50
"""Below this many clusters with (or without) the event the bootstrap's intervals are too short."""
DRAWS = 2_000
_AT_ONCE = 1_000_000
"""Numbers held of draws: all draws of many patients would take a thousand times the patients' own memory."""

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Sums = Counts | Floats
"""Units by patient, or their weights (inverse probabilities, 1 or more)."""


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
    return -math.expm1(math.log1p(-level) / clusters)  # exact for many clusters too


def cluster_rate(events: Sums, totals: Sums, *, seed: int, level: float = LEVEL) -> Interval:
    """Interval of ``events.sum() / totals.sum()``; both of shape (patients,), one entry a patient.

    No event, or nothing but events: the exact one-sided bound on the number of patients. One
    unit a patient: Wilson. Fewer than 50 patients with, or without, the event:
    :func:`cluster_limits`. Else: percentile bootstrap of whole patients.
    """
    events, totals = _in_order(totals > 0, events, totals)
    clusters = len(totals)
    if not clusters:
        return Interval(None, None, None, "nothing to divide by")
    rate = float(events.sum() / totals.sum())
    if not events.any():
        return Interval(0.0, 0.0, zero_bound(clusters, level), "exact bound on patients, none observed")
    if (events >= totals).all():
        low = 1 - zero_bound(clusters, level)
        return Interval(1.0, low, 1.0, "exact bound on patients, all observed")
    if (totals == 1).all():
        return Interval(rate, *wilson(float(events.sum()), clusters, level), "Wilson")
    if min(int((events > 0).sum()), int((events < totals).sum())) < FEW:
        low, high = cluster_limits(events, totals, level)
        return Interval(rate, low, high, "Clopper-Pearson on effective size")
    low, high = _bootstrap(events, totals, seed, level)
    return Interval(rate, low, high, "patient-cluster bootstrap")


def weighted_rate(events: Floats, totals: Floats, *, n: int, seed: int, level: float = LEVEL) -> Interval:
    """Interval of ``events.sum() / totals.sum()`` where units of unequal inclusion probability stand for all.

    Both of shape (patients,): sums of inverse inclusion probabilities, of the units with the event
    and of all units drawn; ``n`` is the number of units drawn. No event, or nothing but events: the
    exact bound on patients. Fewer than 50 patients with, or without, the event: :func:`cluster_limits`.
    Else: percentile bootstrap of whole patients.
    """
    events, totals = _in_order(totals > 0, events, totals)
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
        low, high = cluster_limits(events, totals, level, n=n)
        return Interval(rate, min(low, rate), max(high, rate), "Clopper-Pearson on effective size, weighted")
    low, high = _bootstrap(events, totals, seed, level)
    return Interval(rate, low, high, "patient-cluster bootstrap, weighted")


def cluster_limits(
    events: Sums, totals: Sums, level: float = LEVEL, *, n: float | None = None
) -> tuple[float, float]:
    """Clopper-Pearson limits of ``events.sum() / totals.sum()`` on the effective size, by patients.

    Shape (patients,), every total > 0, not nothing but zeros. Each limit is reckoned from the
    patients *and one more*, who has the event throughout (upper) or never (lower): few events seen
    leave no room to estimate their variance. With one unit a patient: exactly Clopper-Pearson.
    ``n``: number of units; None: the sum of ``totals``, which is it unless they are weighted.
    """
    n = float(totals.sum()) if n is None else n
    return 1 - _upper_limit(totals - events, totals, n, level), _upper_limit(events, totals, n, level)


def _upper_limit(events: Sums, totals: Sums, n: float, level: float) -> float:
    """Quantile of Beta(r (s + 1), (1 - r) (s + 1)): rate r and effective size s with one patient more.

    That patient has c = (sum e^2 + c0^2) / (sum e + c0) units, all events, c0 = sum t^2 / sum t: as many
    as an event's patient has on average. s = r (1 - r) / V, V the linearised variance of the
    ratio, times Korn & Graubard's (t_{n-1} / t_m)^2 for m patients with n units (1998).
    """
    from scipy.special import betaincinv, stdtrit

    if (events >= totals).all():
        return 1.0
    clusters = len(totals)
    whole = float(totals @ totals) / float(totals.sum())
    size = (float(events @ events) + whole**2) / (float(events.sum()) + whole)
    total = float(totals.sum()) + size
    rate = (float(events.sum()) + size) / total
    if not 0 < rate < 1:  # weights of events may exceed those of their patients
        return 1.0
    squares = float(((events - rate * totals) ** 2).sum()) + (size * (1 - rate)) ** 2
    variance = (clusters + 1) / clusters * squares / total**2
    tail = (1 + level) / 2
    few = (stdtrit(max(n - 1, clusters), tail) / stdtrit(clusters, tail)) ** 2
    effective = min(n, rate * (1 - rate) / variance * few)
    return float(betaincinv(rate * (effective + 1), (1 - rate) * (effective + 1), tail))


def cluster_excess(
    events: Sums, expected: Floats, totals: Sums, *, seed: int, level: float = LEVEL
) -> Interval:
    """Interval of ``(events - expected).sum() / totals.sum()``; all of shape (patients,).

    Where 50 or more patients have the event and 50 or more units without it: percentile bootstrap
    of whole patients, observed and expected counts drawn together. Else the interval of
    :func:`cluster_rate` for the observed rate, moved by the expected one, which is taken as known.
    """
    events, expected, totals = _in_order(totals > 0, events, expected, totals)
    seen = cluster_rate(events, totals, seed=seed, level=level)
    if seen.value is None or seen.low is None or seen.high is None:
        return seen
    chance = float(expected.sum() / totals.sum())
    if min(int((events > 0).sum()), int((events < totals).sum())) < FEW:
        method = f"{seen.method}, less the expected rate"
        return Interval(seen.value - chance, seen.low - chance, seen.high - chance, method)
    low, high = _bootstrap(events - expected, totals, seed, level)
    return Interval(seen.value - chance, low, high, "patient-cluster bootstrap")


def effective_size(events: Sums, totals: Sums, *, n: int | None = None) -> float:
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


def _in_order(keep: npt.NDArray[np.bool_], *columns: Any) -> list[Any]:
    """The patients to ``keep`` in an order of their numbers alone: the last digit of a sum hangs on it."""
    order = np.lexsort(columns)
    return [column[order[keep[order]]] for column in columns]


def _bootstrap(events: Sums, totals: Sums, seed: int, level: float) -> tuple[float, float]:
    """Percentile interval over draws of whole patients, equal rows drawn together."""
    rng = np.random.default_rng(seed)
    # One complex number a patient: sorting these is many times faster than sorting rows.
    pairs, weights = np.unique(events + 1j * totals, return_counts=True)
    n, shares = int(weights.sum()), weights / weights.sum()
    rates = np.empty(DRAWS)
    step = max(1, _AT_ONCE // len(pairs))
    for first in range(0, DRAWS, step):
        block = rates[first : first + step]
        drawn = rng.multinomial(n, shares, size=len(block))
        block[:] = (drawn @ pairs.real) / (drawn @ pairs.imag)
    tail = (1 - level) / 2
    low, high = np.quantile(rates, [tail, 1 - tail])
    return float(low), float(high)


def cluster_mean(
    sums: Floats,
    totals: Counts | Floats,
    *,
    seed: int,
    level: float = LEVEL,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> Interval:
    """Interval of ``sums.sum() / totals.sum()``; both of shape (patients,), one entry a patient.

    ``totals`` are numbers of values, or sums of their weights; ``within``: what no value can leave.
    50 patients or more: percentile bootstrap of whole patients. Fewer: Student's t on the linearised
    variance of the ratio between patients. One: no interval.
    """
    sums, totals = _in_order(totals > 0, sums, totals)
    clusters, n = len(totals), float(totals.sum())
    if not clusters:
        return Interval(None, None, None, "nothing to divide by")
    mean = float(sums.sum()) / n
    if clusters == 1:
        return Interval(mean, None, None, "one patient: no interval")
    if clusters >= FEW:
        low, high = _bootstrap(sums, totals, seed, level)
        return Interval(mean, low, high, "patient-cluster bootstrap")
    from scipy.special import stdtrit

    variance = clusters / (clusters - 1) * float(((sums - mean * totals) ** 2).sum()) / n**2
    half = float(stdtrit(clusters - 1, (1 + level) / 2)) * math.sqrt(variance)
    return Interval(mean, max(mean - half, within[0]), min(mean + half, within[1]), "Student's t on patients")


def independent_difference(first: Interval, second: Interval) -> Interval:
    """``first`` less ``second``, two independent samples whose limits MOVER joins.

    Source: Newcombe 1998; Zou & Donner 2008. Without a value, or without a limit, of either there is none
    of the difference.
    """
    if first.value is None or second.value is None:
        return Interval(None, None, None, "nothing to divide by")
    value = first.value - second.value
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return Interval(value, None, None, "no interval of one of both")
    low = value - math.hypot(first.value - first.low, second.high - second.value)
    high = value + math.hypot(first.high - first.value, second.value - second.low)
    return Interval(value, low, high, "MOVER of both intervals")


def cluster_median(
    values: Floats, clusters: Counts, weights: Floats, *, seed: int, level: float = LEVEL
) -> Interval:
    """Median of ``values`` and its interval; ``clusters`` number each value's patient.

    ``weights``: what each value stands for, 1 where all were asked for. The interval is that of the share of
    values at or below the median, patients as clusters, read back through the sample's quantiles (Woodruff
    1952). Fewer patients than could all lie on one side of the true median with a probability of
    ``1 - level`` or more give no interval (under six at 95%).
    """
    if not len(values):
        return Interval(None, None, None, "nothing to divide by")
    plain = bool((weights == 1).all())
    median = float(np.median(values)) if plain else _quantile(values, weights, 0.5)
    if 2 * 0.5 ** len(np.unique(clusters)) > 1 - level:
        return Interval(median, None, None, "too few patients for an interval")
    below = np.bincount(clusters, weights=weights * (values <= median)).astype(np.float64)
    totals = np.bincount(clusters, weights=weights).astype(np.float64)
    if plain:
        share = cluster_rate(below.astype(np.int64), totals.astype(np.int64), seed=seed, level=level)
    else:
        share = weighted_rate(below, totals, n=len(values), seed=seed, level=level)
    assert share.low is not None
    assert share.high is not None
    low, high = _quantile(values, weights, share.low), _quantile(values, weights, share.high)
    return Interval(median, min(low, median), max(high, median), f"Woodruff; {share.method}")


def _quantile(values: Floats, weights: Floats, share: float) -> float:
    """The smallest value up to which at least ``share`` of the weight lies."""
    return float(np.quantile(values, share, weights=weights, method="inverted_cdf"))
