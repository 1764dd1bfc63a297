"""The test of published studies, and how often it finds a difference where there is none.

100 means of 100 outcomes each, drawn with replacement from one model's outcomes, against 100 of the
other's: percentile intervals, and a two-tailed rank-sum test between the two sets of means. However
many prompts were asked, the test sees 100 means, and takes the luck of the prompts asked for a property
of the model: it is not calibrated.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from phiscan.stats import LEVEL

RESAMPLES = 100
SIZE = 100
NOMINAL = 0.05
SIMULATIONS = 2_000


class Resampled(NamedTuple):
    """Percentile limits of both rates, and the p value of the rank-sum test between the means."""

    low_a: float
    high_a: float
    low_b: float
    high_b: float
    p: float


def resample(count_a: int, count_b: int, n: int, *, seed: int) -> Resampled:
    """The published test on ``count_a`` and ``count_b`` events in ``n`` prompts each; n > 0."""
    rng = np.random.default_rng(seed)
    first, second = (_means(rng, np.array([count / n])) for count in (count_a, count_b))
    return Resampled(*_percentiles(first), *_percentiles(second), float(_rank_sum(first, second)[0]))


def published_interval(rate: float, *, seed: int) -> tuple[float, float]:
    """The published interval of one ratio; it does not know how many prompts stand behind it."""
    return _percentiles(_means(np.random.default_rng(seed), np.array([rate])))


def false_positive_rate(n: int, rate: float, *, seed: int, simulations: int = SIMULATIONS) -> float:
    """Share of simulated pairs of *equal* models between which the published test finds p < 0.05.

    Each model's ``n`` outcomes are independent, with probability ``rate``.
    """
    rng = np.random.default_rng(seed)
    first, second = (_means(rng, rng.binomial(n, rate, simulations) / n) for _ in range(2))
    return float((_rank_sum(first, second) < NOMINAL).mean())


def _means(rng: np.random.Generator, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Shape (len(rates), 100). A draw with replacement from outcomes with this share is a binomial's."""
    return rng.binomial(SIZE, rates[:, None], (len(rates), RESAMPLES)) / SIZE


def _percentiles(means: npt.NDArray[np.float64]) -> tuple[float, float]:
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def _rank_sum(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Two-tailed p values of Mann & Whitney's test, row by row; all means equal: 1."""
    from scipy.stats import mannwhitneyu

    with np.errstate(invalid="ignore", divide="ignore"):
        found = mannwhitneyu(first, second, axis=1, method="asymptotic").pvalue
    return np.nan_to_num(np.asarray(found, dtype=np.float64), nan=1.0)
