"""What a cheap run says of the full one: arrays in, numbers out.

A smaller model or an earlier checkpoint, trained on the same sequences in the same order, memorises some
of them. How many of these does the full run memorise too (precision), and how many of those that the
full run memorises did the cheap one show (recall)? After Biderman et al. 2023, *Emergent and
predictable memorization in large language models*.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from phiscan.stats import Interval, cluster_rate, wilson

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

EQUAL_COST = 1.5
"""Candidates whose costs differ by at most this factor are compared as equally dear."""


class Trained(NamedTuple):
    """One model of a suite. Arrays have shape (sequences,), in an order that the suite shares."""

    name: str
    parameters: int
    tokens: int
    """Tokens it was trained on, repetitions counted."""
    scores: Floats
    """Share of the asked-for tokens that greedy decoding gives back, in [0, 1]; NaN: not scored."""
    seen: Bools
    """The sequence stood in what it was trained on so far."""

    @property
    def flops(self) -> int:
        """Cost of the training."""
        return training_flops(self.parameters, self.tokens)


class Prediction(NamedTuple):
    """A cheap run's alarms held against what the full run memorises, over the same sequences."""

    sequences: int
    alarms: int
    """Memorised by the cheap run: the set P."""
    memorised: int
    """Memorised by the full run: the set T."""
    both: int
    precision: Interval
    """both / alarms"""
    recall: Interval
    """both / memorised"""


class Candidate(NamedTuple):
    """A cheap run: what it costs, and what it foretells."""

    name: str
    parameters: int
    tokens: int
    flops: int
    cost_share: float
    """Its cost divided by that of the full run."""
    unseen: int
    """Sequences that the full run saw and this one did not (yet)."""
    unseen_memorised: int
    """Of these, memorised by the full run: no alarm was possible."""
    unscored: int
    """Sequences both saw that have no score in one of the two."""
    own: Prediction
    """Over all sequences that this run and the full run saw and have scores of."""
    common: Prediction
    """Over the sequences that every model of the suite saw and has a score of: candidates compare there."""


class EqualCost(NamedTuple):
    """Candidates of about the same cost, by recall on the common sequences."""

    names: tuple[str, ...]
    """Best recall first; of equal ones the fewest parameters first."""
    lowest_share: float
    highest_share: float
    best_is_smallest: bool
    p_value: float
    """Of best against second: sign test over patients (or sequences), times the pairs in the group."""


class Forecast(NamedTuple):
    """A suite, compared."""

    full: str
    parameters: int
    tokens: int
    flops: int
    threshold: float
    sequences: int
    """Sequences of the suite."""
    full_unseen: int
    full_unscored: int
    """Seen by the full run, without a score of it."""
    memorised: int
    """Memorised by the full run, of all it saw."""
    patients: int | None
    """Patients whose sequences these are; None: every sequence counts as independent."""
    candidates: tuple[Candidate, ...]
    """Cheapest first."""
    caught_by_none: int
    """Memorised by the full run and by no candidate, of the common sequences."""
    equal_cost: tuple[EqualCost, ...]


def training_flops(parameters: int, tokens: int) -> int:
    """Floating-point operations of a training, C = 6 N D (Kaplan et al. 2020).

    >>> training_flops(70_000_000, 300_000_000_000)
    126000000000000000000
    """
    return 6 * parameters * tokens


def memorised(scores: Floats, threshold: float = 1.0) -> Bools:
    """True where a score reaches the threshold: at 1 every token came back. False where there is none.

    >>> memorised(np.array([1.0, 31 / 32, np.nan])).tolist()
    [True, False, False]
    """
    return scores >= threshold


def compare(cheap: Bools, full: Bools, patients: Codes | None = None, *, seed: int = 0) -> Prediction:
    """Precision and recall of the cheap run's memorised sequences for the full run's.

    Args:
        cheap: Memorised by the cheap run, shape (sequences,).
        full: Memorised by the full run, the same sequences.
        patients: Number of each sequence's patient, from 0; None: sequences are independent.
        seed: Of the bootstrap.

    Returns:
        Intervals are Wilson's for independent sequences, else those of :func:`phiscan.stats.cluster_rate`
        over patients; a rate over nothing has no value.

    """
    both = cheap & full
    alarms, total, hits = int(cheap.sum()), int(full.sum()), int(both.sum())
    precision = _rate(both, cheap, patients, seed)
    recall = _rate(both, full, patients, seed)
    if precision.value is not None and recall.value is not None:
        assert math.isclose(precision.value * alarms, recall.value * total, abs_tol=1e-9)
    return Prediction(len(cheap), alarms, total, hits, precision, recall)


def forecast(
    full: Trained,
    cheap: Sequence[Trained],
    *,
    threshold: float = 1.0,
    patients: Codes | None = None,
    seed: int = 0,
) -> Forecast:
    """Hold every cheap run against the full one; arguments as for :func:`compare`."""
    ready = [model.seen & ~np.isnan(model.scores) for model in (full, *cheap)]
    common = np.logical_and.reduce(ready)
    truth = memorised(full.scores, threshold) & ready[0]
    order = sorted(range(len(cheap)), key=lambda at: (cheap[at].flops, cheap[at].name))

    def over(rows: Bools, flags: Bools) -> Prediction:
        chosen = None if patients is None else patients[rows]
        return compare(flags[rows], truth[rows], chosen, seed=seed)

    flags = {at: memorised(cheap[at].scores, threshold) & ready[at + 1] for at in order}
    candidates = []
    for at in order:
        model, unseen = cheap[at], full.seen & ~cheap[at].seen
        own = ready[0] & ready[at + 1]
        candidates.append(
            Candidate(
                name=model.name,
                parameters=model.parameters,
                tokens=model.tokens,
                flops=model.flops,
                cost_share=model.flops / full.flops,
                unseen=int(unseen.sum()),
                unseen_memorised=int((unseen & truth).sum()),
                unscored=int((full.seen & model.seen & ~own).sum()),
                own=over(own, flags[at]),
                common=over(common, flags[at]),
            )
        )
    hits = {cheap[at].name: flags[at] & truth & common for at in order}
    any_flag = np.logical_or.reduce(list(flags.values()))
    return Forecast(
        full=full.name,
        parameters=full.parameters,
        tokens=full.tokens,
        flops=full.flops,
        threshold=threshold,
        sequences=len(full.scores),
        full_unseen=int((~full.seen).sum()),
        full_unscored=int((full.seen & ~ready[0]).sum()),
        memorised=int(truth.sum()),
        patients=None if patients is None else len(np.unique(patients)),
        candidates=tuple(candidates),
        caught_by_none=int((truth & common & ~any_flag).sum()),
        equal_cost=tuple(_equal_cost(candidates, hits, patients)),
    )


def sign_test(first: Bools, second: Bools, patients: Codes | None = None) -> float:
    """Two-sided p-value that one of two runs finds more: exact, over the patients in which they differ.

    Each patient in which ``first`` has more than ``second`` is a plus, the other way round a minus. For
    independent sequences this is the exact McNemar test.

    >>> sign_test(np.array([True, True, True, False]), np.array([False, False, False, False]))
    0.25
    """
    from scipy.special import bdtr

    difference = first.astype(np.int64) - second
    if patients is not None:
        difference = np.bincount(patients, weights=difference).astype(np.int64)
    plus, minus = int((difference > 0).sum()), int((difference < 0).sum())
    return min(1.0, 2 * float(bdtr(min(plus, minus), plus + minus, 0.5))) if plus + minus else 1.0


def _rate(events: Bools, units: Bools, patients: Codes | None, seed: int) -> Interval:
    if patients is not None:
        most = int(patients.max()) + 1 if len(patients) else 0
        counts = [np.bincount(patients[mask], minlength=most).astype(np.int64) for mask in (events, units)]
        return cluster_rate(counts[0], counts[1], seed=seed)
    k, n = int(events.sum()), int(units.sum())
    return (
        Interval(k / n, *wilson(k, n), "Wilson") if n else Interval(None, None, None, "nothing to divide by")
    )


def _equal_cost(
    candidates: Sequence[Candidate], hits: dict[str, Bools], patients: Codes | None
) -> Iterator[EqualCost]:
    """Groups of two or more candidates within a factor of :data:`EQUAL_COST` of their cheapest."""
    left = [one for one in candidates if one.common.memorised]
    while left:
        group = [one for one in left if one.flops <= EQUAL_COST * left[0].flops]
        left = left[len(group) :]
        if len(group) < 2:
            continue
        ranked = sorted(group, key=lambda one: (-one.common.both, one.parameters, one.name))
        pairs = len(group) * (len(group) - 1) // 2
        yield EqualCost(
            names=tuple(one.name for one in ranked),
            lowest_share=group[0].cost_share,
            highest_share=group[-1].cost_share,
            best_is_smallest=ranked[0].parameters == min(one.parameters for one in group),
            p_value=min(1.0, pairs * sign_test(hits[ranked[0].name], hits[ranked[1].name], patients)),
        )
