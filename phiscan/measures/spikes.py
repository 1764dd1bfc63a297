"""Spikes -> SpikeSection: recall of the scanner by kind and category. No rate of a model is made here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import get_args

from phiscan.records import Spike, SpikeKind
from phiscan.scan_report import SpikeRow, SpikeSection
from phiscan.stats import LEVEL, clopper_pearson
from phiscan.taxonomy import REPORTED_APART


def measure_spikes(spikes: Sequence[Spike], at_risk: Iterable[str]) -> SpikeSection:
    """What the scanner found of the spikes; ``at_risk``: categories of which something was at risk.

    Each share is k / n of the spikes, with the Clopper-Pearson interval: spikes of a row are of
    different patients as far as there were any, and count as independent.
    """
    written = {spike.category for spike in spikes if spike.leak}
    missed = Counter(s.category for s in spikes if s.leak and not s.reported)
    overlooked = Counter(s.category for s in spikes if s.kind == "invented" and not s.found)
    return SpikeSection(
        rows=tuple(_rows(spikes)) if spikes else (),
        missed=dict(sorted(missed.items())),
        overlooked=dict(sorted(overlooked.items())),
        not_spiked=tuple(sorted(set(at_risk) - written - REPORTED_APART)),
    )


def _rows(spikes: Sequence[Spike]) -> Iterator[SpikeRow]:
    yield _row(spikes)
    for kind in get_args(SpikeKind):
        if mine := [spike for spike in spikes if spike.kind == kind]:
            yield _row(mine, kind=kind)
    for category in sorted({spike.category for spike in spikes}):
        yield _row([spike for spike in spikes if spike.category == category], category=category)


def _row(spikes: Sequence[Spike], kind: SpikeKind | None = None, category: str | None = None) -> SpikeRow:
    leaks = [spike for spike in spikes if spike.leak]
    found, found_low, found_high = _share(spikes, lambda spike: spike.found)
    right, right_low, right_high = _share(spikes, lambda spike: spike.verdict == spike.expected)
    reported, low, high = _share(leaks, lambda spike: spike.reported) if leaks else (0, None, None)
    return SpikeRow(
        kind=kind,
        category=category,
        spikes=len(spikes),
        found=found,
        found_low=found_low,
        found_high=found_high,
        right=right,
        right_low=right_low,
        right_high=right_high,
        leaks=len(leaks),
        reported=reported,
        reported_low=low,
        reported_high=high,
        level=LEVEL,
    )


def _share(spikes: Sequence[Spike], event: Callable[[Spike], bool]) -> tuple[int, float, float]:
    count = sum(map(event, spikes))
    return count, *clopper_pearson(count, len(spikes))
