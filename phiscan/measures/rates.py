"""A rate over rows of a table, patients as the independent units: what most figures are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from phiscan.scan_report import DESIGN, Estimate, Stratum
from phiscan.stats import LEVEL, cluster_rate, weighted_rate

if TYPE_CHECKING:
    import pandas as pd


def design_of(rows: pd.DataFrame) -> dict[str, str]:
    """The design of the rows; empty where there are several, or no rows."""
    kinds = rows[list(DESIGN)].drop_duplicates()
    return dict(kinds.iloc[0]) if len(kinds) == 1 else {}


def patient_rate(
    metric: str, rows: pd.DataFrame, event: Any, stratum: Stratum, *, seed: int, n_undecided: int = 0
) -> Estimate:
    """Rate of ``event`` (booleans, one a row); ``rows`` have a column ``patient_id``.

    A column ``weight`` holds what each row stands for, the inverse of its probability of having been
    asked for, where rows were screened; ``event_weight`` what its event stands for, if that differs.
    """
    event = np.asarray(event, dtype=bool)
    counted = rows.assign(_event=event).groupby("patient_id")["_event"].agg(["sum", "count"])
    events, totals = counted["sum"].to_numpy(np.int64), counted["count"].to_numpy(np.int64)
    weight = rows["weight"].to_numpy(float) if "weight" in rows else np.ones(len(rows))
    if (weight == 1).all():
        interval = cluster_rate(events, totals, seed=seed)
    else:
        of_event = rows["event_weight"].to_numpy(float) if "event_weight" in rows else weight
        sums = (
            rows.assign(_event=event * of_event, _all=weight).groupby("patient_id")[["_event", "_all"]].sum()
        )
        interval = weighted_rate(
            sums["_event"].to_numpy(), sums["_all"].to_numpy(), n=int(totals.sum()), seed=seed
        )
    return Estimate(
        metric=metric,
        stratum=stratum,
        value=interval.value,
        low=interval.low,
        high=interval.high,
        level=LEVEL,
        count=int(events.sum()),
        n=int(totals.sum()),
        patients=len(totals),
        n_undecided=n_undecided,
        method=interval.method,
    )


def supports(rows: pd.DataFrame) -> Iterator[tuple[int | None, str | None, pd.DataFrame]]:
    """(prefix length, support, rows): all notes long enough for l, and those long enough for every l."""
    if rows["prefix_tok"].isna().any():
        yield None, None, rows
        return
    lengths = sorted(int(length) for length in rows["prefix_tok"].dropna().unique())
    reached = rows.groupby("note_id")["prefix_tok"].nunique()
    common = rows[rows["note_id"].isin(reached.index[reached == len(lengths)])]
    for length in lengths:
        yield length, "common", common[common["prefix_tok"] == length]
        yield length, "all", rows[rows["prefix_tok"] == length]
