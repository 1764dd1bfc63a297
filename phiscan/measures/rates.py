"""A rate over rows of a table, patients as the independent units: what most figures are made of.

A run is counted part by part, a part holding whole patients. What a part adds to a rate is how many patients
have how many units and events there, so that a rate takes as little memory of a million patients as of ten,
and neither the order of patients nor the size of the parts changes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from phiscan.scan_report import DESIGN, Estimate, Model, Stratum
from phiscan.stats import LEVEL, cluster_rate, weighted_rate

if TYPE_CHECKING:
    import pandas as pd

M = TypeVar("M", bound=Model)


class Seen(NamedTuple):
    """What was seen of one patient."""

    events: int
    units: int
    event_weight: float
    """What the units with the event stand for."""
    weight: float
    """What all the units stand for."""
    bounds: bool
    """He can bound a rate of which no event was seen at all."""


@dataclass
class Rate:
    """A rate before its interval."""

    metric: str
    stratum: Stratum
    seen: Counter[Seen]
    """Number of patients by what was seen of them."""
    n_undecided: int
    rows: int
    """Rows of the group it is a rate of: one of which there are none at all is no result."""

    def add(self, other: Rate) -> None:
        """Count the patients of another part."""
        self.seen.update(other.seen)
        self.n_undecided += other.n_undecided
        self.rows += other.rows

    def estimate(self, *, seed: int) -> Estimate:
        """The rate with its interval."""
        of = list(self.seen.items())
        if not any(seen.events for seen, _ in of):
            of = [(seen, patients) for seen, patients in of if seen.bounds]
        columns = zip(*(seen for seen, _ in of), strict=True) if of else ((),) * len(Seen._fields)
        patients = [patients for _, patients in of]
        events, units, event_weight, weight, _ = (np.repeat(column, patients) for column in columns)
        events, units = events.astype(np.int64), units.astype(np.int64)
        n = int(units.sum())
        if (weight == units).all():
            interval = cluster_rate(events, units, seed=seed)
        else:
            interval = weighted_rate(event_weight, weight, n=n, seed=seed)
        return Estimate(
            metric=self.metric,
            stratum=self.stratum,
            value=interval.value,
            low=interval.low,
            high=interval.high,
            level=LEVEL,
            count=int(events.sum()),
            n=n,
            patients=len(units),
            n_undecided=self.n_undecided,
            method=interval.method,
        )


def rate_of(
    metric: str,
    rows: pd.DataFrame,
    event: Any,
    stratum: Stratum,
    *,
    n_undecided: int = 0,
    among: pd.DataFrame | None = None,
) -> Rate:
    """Rate of ``event`` (booleans, one a row); ``rows`` have a column ``patient_id``, null for nobody known.

    A column ``weight`` holds what each row stands for, the inverse of its probability of having been
    asked for, where rows were screened; ``event_weight`` what its event stands for, if that differs;
    ``bounds`` whether the row's patient can bound a rate without events. ``among``: the group whose rows
    these are a part of; None: they are all of it.
    """
    import pandas as pd

    among = rows if among is None else among
    if rows.empty:
        return Rate(metric, stratum, Counter(), n_undecided, len(among))
    patient, named = pd.factorize(rows["patient_id"])
    known = patient >= 0

    def by_patient(values: Any) -> Any:
        return np.bincount(patient[known], np.asarray(values, dtype=float)[known], len(named))

    event = np.asarray(event, dtype=bool)
    weight = rows["weight"].to_numpy(float) if "weight" in rows else np.ones(len(rows))
    of_event = rows["event_weight"].to_numpy(float) if "event_weight" in rows else weight
    sums = (by_patient(event), by_patient(known), by_patient(event * of_event), by_patient(weight))
    bounds = by_patient(rows["bounds"]) > 0 if "bounds" in rows else np.ones(len(named), dtype=bool)
    columns = (sums[0].astype(int), sums[1].astype(int), *sums[2:], bounds)
    seen = Counter(map(Seen, *(column.tolist() for column in columns)))
    return Rate(metric, stratum, seen, n_undecided, len(among))


def patient_rate(
    metric: str, rows: pd.DataFrame, event: Any, stratum: Stratum, *, seed: int, n_undecided: int = 0
) -> Estimate:
    """:func:`rate_of` rows that are all there are, with its interval."""
    return rate_of(metric, rows, event, stratum, n_undecided=n_undecided).estimate(seed=seed)


def add_rates(rates: list[Rate], others: Iterable[Rate]) -> None:
    """Add to each rate, if there are any yet, that in the same place of another part."""
    if not rates:
        rates.extend(others)
        return
    for rate, other in zip(rates, others, strict=True):
        rate.add(other)


def added(rows: Iterable[M], *by: str) -> list[M]:
    """Rows of several parts that agree in the fields ``by`` made one, in the order in which they first came.

    All other fields are numbers, and are added.
    """
    found: dict[tuple[Any, ...], M] = {}
    for row in rows:
        key = tuple(getattr(row, name) for name in by)
        had = found.get(key)
        sums = {name: value + getattr(had, name) for name, value in row if name not in by} if had else {}
        found[key] = row.model_copy(update=sums)
    return list(found.values())


def design_of(rows: pd.DataFrame) -> dict[str, str]:
    """The design of the rows; empty where there are several, or no rows."""
    kinds = rows[list(DESIGN)].drop_duplicates()
    return dict(kinds.iloc[0]) if len(kinds) == 1 else {}


def supports(
    rows: pd.DataFrame, lengths: Sequence[int]
) -> Iterator[tuple[int | None, str | None, pd.DataFrame]]:
    """(prefix length, support, rows): all notes long enough for l, and those long enough for every l.

    ``lengths``: all that the run has; none where some prompts have no length.
    """
    if not lengths:
        yield None, None, rows
        return
    reached = rows.groupby("note_id")["prefix_tok"].nunique()
    common = rows[rows["note_id"].isin(reached.index[reached == len(lengths)])]
    for length in lengths:
        yield length, "common", common[common["prefix_tok"] == length]
        yield length, "all", rows[rows["prefix_tok"] == length]
