"""Two models asked the same prompts: difference, test and correction. Arrays in, numbers out.

The independent unit is the patient: arrays have shape (patients,). A patient's units (prompts, values,
notes) are the same for both models, so that a patient says how much the models differ, not how hard the
prompts are.

Sources: McNemar 1947; Fisher 1935 (sign flips); Holm 1979; Zou & Donner 2008 (MOVER).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from phiscan.stats import LEVEL, Counts, Interval, Sums, cluster_limits


def paired_difference(
    gains: Sums, losses: Sums, totals: Sums, *, span: int = 1, level: float = LEVEL
) -> Interval:
    """Interval of ``(gains - losses).sum() / totals.sum()``: rate of the second model less the first's.

    ``gains``: by how much the second model's count exceeds the first's, summed over the units of a
    patient where it does; ``losses``: the same where it falls short. ``span``: most that one unit can
    gain (2 where each model's own control is subtracted). Gain and loss rate get their limits from
    :func:`phiscan.stats.cluster_limits`, joined by MOVER with the correlation of their residuals over
    patients. No patient at all: value None.
    """
    keep = totals > 0
    up, down, totals = gains[keep] / span, losses[keep] / span, totals[keep]
    if not len(totals):
        return Interval(None, None, None, "nothing to divide by")
    n = float(totals.sum())
    gain, loss = float(up.sum()) / n, float(down.sum()) / n
    low_gain, high_gain = cluster_limits(up, totals, level)
    low_loss, high_loss = cluster_limits(down, totals, level)
    correlation = _correlation(up - gain * totals, down - loss * totals)
    below = _joined(gain - low_gain, high_loss - loss, correlation)
    above = _joined(high_gain - gain, loss - low_loss, correlation)
    value = gain - loss
    low, high = max(-1.0, value - below), min(1.0, value + above)
    return Interval(span * value, span * low, span * high, "MOVER of gains and losses by patients")


def _correlation(first: Sums, second: Sums) -> float:
    spread = math.sqrt(float(first @ first) * float(second @ second))
    return float(first @ second) / spread if spread else 0.0


def _joined(first: float, second: float, correlation: float) -> float:
    return math.sqrt(max(0.0, first**2 - 2 * correlation * first * second + second**2))


def sign_flip(differences: Counts) -> float:
    """Two-sided exact p value of ``differences.sum()`` if each patient's sign were a fair coin's.

    ``differences``: by how many units the models differ on each patient. Under the hypothesis that it
    is all one which model gave which of a patient's two sets of answers, all 2^m ways to swap them are
    equally likely; p is the share of these with a sum at least as far from 0. Computed, not drawn: the
    sum of the patients that are swapped is a sum of independent binomials, one for each distinct size
    of a difference. Differences of one unit each: McNemar's exact test.

    >>> sign_flip(np.array([1, 1, 1, 1, 1, -1, 0, 0]))
    0.21875
    """
    from scipy.signal import convolve
    from scipy.stats import binom

    sizes, counts = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    law = np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        part = np.zeros(size * count + 1)
        part[::size] = binom.pmf(np.arange(count + 1), count, 0.5)
        law = convolve(law, part)
    swapped = np.abs(2 * np.arange(len(law)) - (len(law) - 1))
    p = float(law[swapped >= abs(int(differences.sum()))].sum())
    # Two of the 2^m ways are at least as extreme; rounding of a long convolution may lose them.
    return min(1.0, max(p, 2.0 ** (1 - int(counts.sum()))))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p values, in the order given; None (no test) stays None and does not count.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    tested = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    worst = 0.0
    for rank, (p, place) in enumerate(tested):
        worst = max(worst, min(1.0, (len(tested) - rank) * p))
        adjusted[place] = worst
    return adjusted
