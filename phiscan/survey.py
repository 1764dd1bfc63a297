"""Estimates from a stratified simple random sample without replacement: arrays in, numbers out.

The unit is what was drawn (one output); a unit may hold several items (its hits, its PHI). Notation:
stratum h has N_h units of which n_h were drawn, w = N_h / n_h, f_h = n_h / N_h.

A sample that saw few events, or none in a stratum of which little was drawn, has a variance estimate
near zero just when it knows least. So the limits are computed from the sample *with one more unit*,
put in turn into every stratum that was not drawn whole, and the worst of them counts. In one stratum
of single items that is exactly Clopper & Pearson; for totals it is the gamma interval of Fay & Feuer.

Sources: Horvitz & Thompson 1952; Cochran 1977 (5A.12, 6.13); Clopper & Pearson 1934; Kish 1965;
Korn & Graubard 1998; Fay & Feuer 1997; Zou & Donner 2008.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from phiscan.stats import LEVEL, Counts, Floats, Interval, clopper_pearson

Values = Counts | Floats
Mask = npt.NDArray[np.bool_]

NOTHING = Interval(None, None, None, "nothing to divide by")
WHOLE = "every unit reviewed"


@dataclass(frozen=True, slots=True, eq=False)
class Stratified:
    """Which stratum each drawn unit is of, and how large the strata are."""

    strata: Counts
    """Shape (n,): the stratum of each drawn unit, in [0, H)."""
    sizes: Counts
    """Shape (H,): N_h, units in the population; every stratum with units has one drawn."""

    def __post_init__(self) -> None:
        if len(self.strata) and not 0 <= self.strata.min() <= self.strata.max() < len(self.sizes):
            raise ValueError("a unit is of no stratum")
        for h, (size, drawn) in enumerate(zip(self.sizes, self.drawn, strict=True)):
            if drawn > size or (size and not drawn):
                raise ValueError(f"stratum {h}: {drawn} units drawn of {size}")

    @property
    def drawn(self) -> Counts:
        """Shape (H,): n_h, units drawn."""
        return np.bincount(self.strata, minlength=len(self.sizes)).astype(np.int64)

    @property
    def weights(self) -> Floats:
        """Shape (n,): w = N_h / n_h of each drawn unit; they sum to N."""
        return _per_unit(self.sizes, self.drawn)[self.strata]

    @property
    def partial(self) -> Mask:
        """Shape (H,): strata that were not drawn whole."""
        return self.drawn < self.sizes


def total(
    values: Values, design: Stratified, *, within: Mask | None = None, level: float = LEVEL
) -> Interval:
    """Horvitz-Thompson total of ``values`` (shape (n,), not negative) over the population.

    Limits: gamma quantiles with the mean and the variance (with finite-population correction) that
    the estimate has with one more unit: without an event for the lower limit; for the upper one with
    as many events as a unit that has any (size-biased mean, one single event added), in the worst
    stratum (Fay & Feuer 1997). The lower limit is never below the sum in the sample. Nothing seen:
    the exact bound :func:`unseen`, on *units* with an event. ``within``, shape (H,): the strata that
    can hold an event at all (default: all).
    """
    return Interval(*_total(values, design, within, level))


def ratio(
    numerators: Values,
    denominators: Values,
    design: Stratified,
    *,
    within: Mask | None = None,
    level: float = LEVEL,
) -> Interval:
    """Ratio of two Horvitz-Thompson totals, the numerator being part of the denominator.

    ``numerators``, ``denominators``: shape (n,), items with the event and items of each unit, with
    0 <= numerator <= denominator. ``within``, shape (H,): the strata that can hold items at all
    (default: all). Value: sum(w y) / sum(w x). Limits: Clopper-Pearson on the effective size
    R (1 - R) / V, V the Taylor-linearised variance with finite-population correction, times Korn &
    Graubard's (t_{n-1} / t_{n-H})^2; R and V from the sample with one more unit, all of whose items
    are events (upper limit) or not (lower limit), see :func:`_upper`. No event seen, or nothing else:
    the one-sided bound. Nothing to divide by: value None.
    """
    if numerators.min(initial=0) < 0 or (denominators - numerators).min(initial=0) < 0:
        raise ValueError("a numerator is not part of its denominator")
    if not denominators.any():
        return NOTHING
    value = float(design.weights @ numerators / (design.weights @ denominators))
    open_strata = design.partial if within is None else design.partial & within
    if not open_strata.any():
        return Interval(value, value, value, WHOLE)
    high = max(value, _upper(numerators, denominators, design, open_strata, level))
    low = min(value, 1 - _upper(denominators - numerators, denominators, design, open_strata, level))
    method = "Clopper-Pearson on effective size"
    if value in (0.0, 1.0):
        method = f"{method}, one-sided, {'none' if value == 0 else 'all'} seen"
    return Interval(value, low, high, method)


def difference_total(
    counted: float,
    *,
    false: tuple[Values, Stratified],
    missed: tuple[Values, Stratified],
    with_hits: Mask | None = None,
    level: float = LEVEL,
) -> Interval:
    """``counted`` (by the machine, in the whole population) - total(false) + total(missed).

    ``false`` and ``missed``: the events of each reviewed unit and their design; the two designs may
    differ (all judged units; the blind ones). ``with_hits``: the strata that can hold false hits.
    Only the corrections vary; their intervals are joined by MOVER (Zou & Donner 2008), as if the two
    were independent. Never below what was seen missed.
    """
    wrong = _total(*false, with_hits, level)
    lost = _total(*missed, None, level)
    value = max(float(missed[0].sum()), counted - wrong.value + lost.value)
    low = value - math.hypot(wrong.high - wrong.value, lost.value - lost.low)
    high = value + math.hypot(wrong.value - wrong.low, lost.high - lost.value)
    return Interval(value, max(float(missed[0].sum()), low), high, "corrected count, MOVER")


def unseen(design: Stratified, *, within: Mask | None = None, level: float = LEVEL) -> int:
    """The largest number of units with an event of which a sample may see none.

    Exact: the largest sum of K_h, however spread over the strata, with prod C(N_h - K_h, n_h) /
    C(N_h, n_h) >= 1 - level. The k-th event in a stratum costs -log(1 - n_h / (N_h - k + 1)), more
    each time, so that taking the cheapest first is optimal.
    """
    open_strata = design.partial if within is None else design.partial & within
    costs = [
        -np.log1p(-drawn / np.arange(size, drawn, -1))
        for size, drawn in zip(design.sizes[open_strata], design.drawn[open_strata], strict=True)
    ]
    spent = np.cumsum(np.sort(np.concatenate([*costs, np.zeros(0)])))
    return int(np.searchsorted(spent, -math.log(1 - level) + 1e-12, side="right"))


def sample_size(width: float, population: int, *, level: float = LEVEL, proportion: float = 0.5) -> int:
    """Fewest of ``population`` units for which a proportion's interval is at most ``width`` wide.

    Clopper-Pearson on the effective size n (N - 1) / (N - n), if ``proportion`` is what is found;
    all N give a point. Units of a single item in one stratum: a plan, not a promise.
    """
    if width <= 0 or not 0 <= proportion <= 1:
        raise ValueError("width must be positive and proportion in [0, 1]")
    least, most = 0, population
    while least < most:
        n = (least + most) // 2
        size = n * (population - 1) / (population - n)
        low, high = clopper_pearson(proportion * size, size, level) if n else (0.0, 1.0)
        least, most = (least, n) if high - low <= width else (n + 1, most)
    return least


def allocate(sizes: Counts, n: int, minimum: int) -> Counts:
    """Units to draw of each stratum, shape (H,); they sum to min(n, N).

    min(N_h, minimum) each, the rest in proportion to sqrt(N_h) by Webster's divisors, never above
    N_h; where n is too small for the minimum, evenly, larger strata first. Ties go to the earlier
    stratum. One unit more never takes one from a stratum.
    """

    def turn(h: int, taken: int) -> tuple[int, float, int]:
        root = math.sqrt(sizes[h])
        return (taken, -root, h) if taken < minimum else (minimum, (taken - minimum + 0.5) / root, h)

    taken = np.zeros(len(sizes), dtype=np.int64)
    queue = [turn(h, 0) for h, size in enumerate(sizes) if size]
    heapq.heapify(queue)
    for _ in range(min(n, int(sizes.sum()))):
        h = heapq.heappop(queue)[2]
        taken[h] += 1
        if taken[h] < sizes[h]:
            heapq.heappush(queue, turn(h, int(taken[h])))
    return taken


class _Total(NamedTuple):
    """An interval that always has a value."""

    value: float
    low: float
    high: float
    method: str


def _total(values: Values, design: Stratified, within: Mask | None, level: float) -> _Total:
    from scipy.special import gammaincinv

    if values.min(initial=0) < 0:
        raise ValueError("a total is of counts, none below zero")
    open_strata = design.partial if within is None else design.partial & within
    seen, value = float(values.sum()), float(design.weights @ values)
    if not open_strata.any():
        return _Total(value, value, value, WHOLE)
    if seen == 0:
        return _Total(0.0, 0.0, float(unseen(design, within=within, level=level)), "exact bound, none seen")
    tail = (1 - level) / 2
    size = (float(values @ values) + 1) / (seen + 1)
    limits = []
    for quantile, events in ((tail, 0.0), (1 - tail, size)):
        sums = _sums(values, np.zeros_like(values), design).with_unit(open_strata, events, 0.0)
        weights = _per_unit(design.sizes, design.drawn)
        mean = (sums.y * weights).sum(axis=1)
        variance = _variance(sums, weights, np.zeros(len(mean)), design)
        shape = mean**2 / np.maximum(variance, 1e-12 * mean**2)
        limits.append(gammaincinv(shape, quantile) * mean / shape)
    low, high = float(limits[0].min()), float(limits[1].max())
    return _Total(value, max(seen, low), max(value, high), "Horvitz-Thompson, gamma limits")


class _Sums(NamedTuple):
    """Sums over the drawn units of each stratum; the last axis is H, a first one candidates."""

    n: Floats
    y: Floats
    x: Floats
    yy: Floats
    xy: Floats
    xx: Floats

    def with_unit(self, strata: Mask, y: float, x: float) -> _Sums:
        """Shape (candidates, H): one more unit in each of ``strata`` in turn."""
        more = np.eye(len(strata))[strata]
        unit = (1, y, x, y * y, x * y, x * x)
        return _Sums(*[s + more * v for s, v in zip(self, unit, strict=True)])


def _sums(y: Values, x: Values, design: Stratified) -> _Sums:
    def summed(values: Values) -> Floats:
        return np.bincount(design.strata, values, len(design.sizes)).astype(np.float64)

    return _Sums(*[summed(part) for part in (np.ones_like(y), y, x, y * y, x * y, x * x)])


def _variance(sums: _Sums, weights: Floats, rates: Floats, design: Stratified) -> Floats:
    """Shape (candidates,): variance of the total of y - rate x, sum of (1 - f) n s^2(w (y - rate x)).

    Strata of one drawn unit of several are collapsed with another (Cochran 1977, 5A.12).
    """
    rates = rates[:, None]
    first = weights * (sums.y - rates * sums.x)
    second = weights**2 * (sums.yy - 2 * rates * sums.xy + rates**2 * sums.xx)
    groups = _groups(design)
    n, first, second = (part @ groups for part in (sums.n, first, second))
    rest = 1 - _per_unit(design.drawn @ groups, design.sizes @ groups)
    spread = np.maximum(second - first**2 / np.maximum(n, 1), 0)
    variance: Floats = (rest * n / np.maximum(n - 1, 1) * spread).sum(axis=1)
    return variance


def _groups(design: Stratified) -> Floats:
    """Shape (H, H): 1 where a stratum counts as part of a group; lone units in pairs by size."""
    lone = (design.drawn == 1) & design.partial
    group = np.arange(len(design.sizes))
    order = [h for h in np.argsort(design.sizes, kind="stable") if lone[h]]
    for place, h in enumerate(order[: len(order) // 2 * 2]):
        group[h] = order[place // 2 * 2]
    others = np.flatnonzero(design.partial & (np.arange(len(group)) != (order[-1] if order else -1)))
    if len(order) % 2 and len(others):
        nearest = others[np.argmin(np.abs(design.sizes[others] - design.sizes[order[-1]]))]
        group[order[-1]] = group[nearest]
    return np.take(np.eye(len(group)), group, axis=0)


def _upper(events: Values, items: Values, design: Stratified, open_strata: Mask, level: float) -> float:
    """Upper limit of a ratio: the worst over the strata that one more unit with events may be of.

    That unit has c = (sum y^2 + c0^2) / (sum y + c0) items, all events, c0 = sum x^2 / sum x: the
    size-biased number of events in a unit, had one more unit nothing but events. With R and n_e of
    the sample so enlarged the limit is the quantile of Beta(R (n_e + 1), (1 - R) (n_e + 1)).
    """
    from scipy.special import betaincinv

    if not (items - events).any():
        return 1.0
    whole = float(items @ items) / float(items.sum())
    size = (float(events @ events) + whole**2) / (float(events.sum()) + whole)
    sums = _sums(events, items, design).with_unit(open_strata, size, size)
    weights = _per_unit(design.sizes, sums.n)
    below = (weights * sums.x).sum(axis=1)
    rates = (weights * sums.y).sum(axis=1) / below
    variance = _variance(sums, weights, rates, design) / below**2
    sizes = rates * (1 - rates) / np.maximum(variance, 1e-12) * _few_units(design, level) + 1
    tail = (1 + level) / 2 if events.any() else level
    return float(betaincinv(rates * sizes, (1 - rates) * sizes, tail).max())


def _few_units(design: Stratified, level: float) -> float:
    """Korn & Graubard's factor (t_{n-1} / t_df)^2 <= 1, df = units less strata, of partial strata."""
    from scipy.special import stdtrit

    drawn = design.drawn[design.partial]
    n = max(2, int(drawn.sum()))
    df = max(1, n - len(drawn))
    tail = (1 + level) / 2
    return float((stdtrit(n - 1, tail) / stdtrit(df, tail)) ** 2)


def _per_unit(over: Values, under: Values) -> Floats:
    return np.divide(over, under, out=np.zeros(np.broadcast(over, under).shape), where=under > 0)
