"""How a number is written: shares, intervals, upper bounds and "not assessable"."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal
from typing import TypeGuard

from phiscan.reporting.glossary import METRICS, NUMBERS
from phiscan.scan_report import ChanceRow, Estimate, Stratum

NOT_ASSESSABLE = "not assessable"


def percent(share: float, *, up: bool = False) -> str:
    """``share`` as a percentage with at least two significant digits; ``up`` never rounds down.

    >>> percent(0.0542), percent(0.284), percent(0.00012), percent(0.00321, up=True), percent(1e-12)
    ('5.42%', '28.4%', '0.012%', '0.33%', '0.00%')
    """
    exact = Decimal(repr(float(share))) * 100
    if abs(exact) >= 10:
        digits = 1
    elif abs(exact) >= Decimal("0.1") or not exact:
        digits = 2
    else:
        digits = min(1 - exact.adjusted(), 6)
    rounded = exact.quantize(Decimal(1).scaleb(-digits), ROUND_CEILING if up else ROUND_HALF_EVEN)
    if not rounded:
        return "0.00%"
    return f"{rounded:f}%".replace("100.0%", "100%")


def share_with_limits(value: float | None, low: float | None, high: float | None) -> str:
    """A share with its interval.

    >>> share_with_limits(0.553, 0.435, 0.655), share_with_limits(None, None, None)
    ('55.3% (43.5 to 65.5%)', 'not assessable')
    """
    if value is None:
        return NOT_ASSESSABLE
    if low is None or high is None:
        return percent(value)
    return f"{percent(value)} ({percent(low).removesuffix('%')} to {percent(high)})"


def finite(value: float | None) -> TypeGuard[float]:
    """True for a number that can be shown; null and NaN are no answer."""
    return value is not None and math.isfinite(value)


def is_share(estimate: Estimate) -> bool:
    """True if the value is a share of ``n``, to be shown as a percentage."""
    if estimate.metric in METRICS or estimate.metric in NUMBERS:
        return estimate.metric in METRICS
    if not finite(estimate.value) or estimate.n <= 0:
        return False
    return math.isclose(estimate.value, estimate.count / estimate.n, rel_tol=1e-6, abs_tol=1e-9)


def spiked(count: int, n: int, low: float | None, high: float | None) -> str:
    """``count`` of ``n`` spikes with its interval.

    >>> spiked(23, 24, 0.789, 0.999), spiked(0, 0, None, None)
    ('23 of 24 (78.9% to 99.9%)', '-')
    """
    if not n or low is None or high is None:
        return "-"
    return f"{count:,} of {n:,} ({percent(low)} to {percent(high)})"


def none_seen(estimate: Estimate) -> bool:
    """True if nothing was counted among at least one asked: the figure is an upper bound."""
    return estimate.value == 0 and estimate.count == 0 and estimate.n > 0


def _number(estimate: Estimate, value: float | None) -> str:
    if not finite(value):
        return NOT_ASSESSABLE
    return percent(value) if is_share(estimate) else f"{value:.4g}"


def bound(estimate: Estimate) -> str:
    """What zero events bound: ``at most X% (95%)``."""
    level = f"{estimate.level * 100:g}%"
    if not finite(estimate.high):
        return f"upper bound ({level}) {NOT_ASSESSABLE}"
    return f"at most {percent(estimate.high, up=True)} ({level})"


def headline_number(estimate: Estimate) -> str:
    """The figure alone: a share, ``0 of N``, or "not assessable"."""
    if not finite(estimate.value):
        return NOT_ASSESSABLE
    if none_seen(estimate):
        return f"0 of {estimate.n:,}"
    return _number(estimate, estimate.value)


def how_many(number: int, noun: str) -> str:
    """A number with its noun, in the plural but for one.

    >>> how_many(1, "note"), how_many(1204, "note")
    ('1 note', '1,204 notes')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def counted(estimate: Estimate) -> str:
    """The figure with its denominator: ``55 of 2,412: 2.28%``, ``0 of N`` or "not assessable"."""
    if not finite(estimate.value) or none_seen(estimate):
        return headline_number(estimate)
    return f"{estimate.count:,} of {estimate.n:,}: {headline_number(estimate)}"


def margin(estimate: Estimate) -> str:
    """The interval, or the upper bound where nothing was seen; empty where there is no figure."""
    if not finite(estimate.value):
        return ""
    if none_seen(estimate):
        return bound(estimate)
    if not finite(estimate.low) and not finite(estimate.high):
        return f"interval {NOT_ASSESSABLE}"
    low, high = _number(estimate, estimate.low), _number(estimate, estimate.high)
    return f"{low.removesuffix('%') if high.endswith('%') else low} to {high}"


def qualification(estimate: Estimate) -> str:
    """What the figure needs beside it: interval or bound, denominator, undecided."""
    parts = [margin(estimate)] if finite(estimate.value) else [f"denominator {estimate.n:,}"]
    if finite(estimate.value) and not none_seen(estimate):
        parts.append(f"{estimate.count:,} of {estimate.n:,}")
    if estimate.n_undecided:
        parts.append(f"{estimate.n_undecided:,} undecided")
    return "; ".join(parts)


def stratum_words(stratum: Stratum) -> str:
    """The part of the data an estimate speaks of, arm left out; "all" if it is not narrowed.

    >>> stratum_words(Stratum(unit="token", threshold=30, prefix_length=50))
    'tokens; 30 or more; prompt 50'
    """
    parts = (
        stratum.unit and f"{stratum.unit}s",
        stratum.threshold is not None and f"{stratum.threshold} or more",
        stratum.prefix_length is not None and f"prompt {stratum.prefix_length}",
        stratum.support and {"common": "same notes at every length", "all": "all notes"}[stratum.support],
        stratum.scope and {"hipaa": "HIPAA identifiers", "i2b2": "i2b2 categories"}[stratum.scope],
        stratum.category,
        stratum.copies and f"copies {stratum.copies}",
        stratum.repetitions and f"repetitions {stratum.repetitions}",
        stratum.copied and f"copied forward: {stratum.copied}",
    )
    return "; ".join(part for part in parts if part) or "all"


def excess_words(row: ChanceRow) -> str:
    """The excess over chance with its interval, in percent of the eligible hits.

    >>> excess_words(ChanceRow(arm="scanned", category=None, eligible=200, observed=30, expected=12.5,
    ...              excess=0.0875, low=-0.01, high=0.185, level=0.95, patients=40, method="bootstrap"))
    '8.75% (-1.00 to 18.5%)'
    """
    if not finite(row.excess) or not finite(row.low) or not finite(row.high):
        return NOT_ASSESSABLE
    return f"{percent(row.excess)} ({percent(row.low).removesuffix('%')} to {percent(row.high)})"


def centre(value: float | None, low: float | None, high: float | None) -> str:
    """A mean or median with its interval, three digits after the point.

    >>> centre(0.1234, 0.1, 0.15), centre(0.5, None, None), centre(None, None, None)
    ('0.123 (0.100 to 0.150)', '0.500 (interval not assessable)', 'not assessable')
    """
    if not finite(value):
        return NOT_ASSESSABLE
    if not finite(low) or not finite(high):
        return f"{value:.3f} (interval {NOT_ASSESSABLE})"
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def in_words(estimate: Estimate | None) -> str:
    """The estimate as one phrase for running text.

    >>> e = Estimate(metric="net_ratio", stratum={}, value=0.0, low=0.0, high=0.0019, level=0.95,
    ...              count=0, n=2000, patients=900, method="Wilson")
    >>> in_words(e)
    '0 of 2,000; at most 0.19% (95%)'
    """
    if estimate is None or not finite(estimate.value):
        return NOT_ASSESSABLE
    if none_seen(estimate):
        return f"{headline_number(estimate)}; {bound(estimate)}"
    interval = margin(estimate)
    if finite(estimate.low) or finite(estimate.high):
        interval = f"{estimate.level * 100:g}% interval {interval}"
    return f"{estimate.count:,} of {estimate.n:,} ({headline_number(estimate)}; {interval})"
