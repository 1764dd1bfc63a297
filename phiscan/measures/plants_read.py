"""NoteAudit of plants and twins -> PlantsRead: did training read the plants' text at all?

A text that received loss became more probable to the model. How probable it would be otherwise is what
twins show: they are drawn alike and were left out. The estimand is the difference of the means, over
made-up patients, of log-probability a token; under a control model, of what training added to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from phiscan.measures.repetitions import copies_band
from phiscan.records import SYNTHETIC
from phiscan.scan_report import PlantsRead
from phiscan.stats import LEVEL, Interval, cluster_mean, independent_difference

if TYPE_CHECKING:
    import pandas as pd

_CONTROL = {"control_plant", "control_twin"}


def measure_plants_read(notes: pd.DataFrame, audits: pd.DataFrame, *, seed: int) -> Iterator[PlantsRead]:
    """By prefix length: all plants against all twins, then the plants of each band of repetitions.

    Intervals hold for all prefix lengths together (Bonferroni), as any of them may be taken as a sign.

    Args:
        notes: note_id, patient_id, copies.
        audits: Of every arm; the tokens compared are the 50 behind each prefix.
        seed: Of the intervals.

    """
    mine = audits[audits["arm"].isin(SYNTHETIC)].merge(
        notes[["note_id", "patient_id", "copies"]], on="note_id"
    )
    control = audits.loc[audits["arm"].isin(_CONTROL), ["note_id", "prefix_tok", "next_logprob"]]
    if len(control):
        mine = mine.merge(control, on=["note_id", "prefix_tok"], suffixes=("", "_control"))
        mine["next_logprob"] -= mine["next_logprob_control"]
    mine["band"] = mine["copies"].map(copies_band)
    level = 1 - (1 - LEVEL) / max(1, mine["prefix_tok"].nunique())
    for length, rows in mine.groupby("prefix_tok", sort=True):
        plants, twins = (rows[rows["arm"] == arm] for arm in ("plant", "twin"))
        if plants.empty or twins.empty:
            continue
        bands = plants.sort_values("copies")["band"].unique()
        for band in (None, *(bands if len(bands) > 1 else ())):
            part = plants if band is None else plants[plants["band"] == band]
            of_plants, of_twins = _mean(part, seed, level), _mean(twins, seed, level)
            less = independent_difference(of_plants, of_twins)
            yield PlantsRead(
                prefix_length=int(length),
                repetitions=band,
                net_of_control=len(control) > 0,
                plants=int(part["patient_id"].nunique()),
                twins=int(twins["patient_id"].nunique()),
                plant_mean=of_plants.value,
                twin_mean=of_twins.value,
                difference=less.value,
                low=less.low,
                high=less.high,
                level=level,
                method=less.method,
            )


def _mean(rows: pd.DataFrame, seed: int, level: float) -> Interval:
    """Log-probability a token, patients as the independent units."""
    sums = rows.groupby("patient_id", observed=True)[["next_logprob", "next_tok"]].sum()
    return cluster_mean(
        sums["next_logprob"].to_numpy(np.float64), sums["next_tok"].to_numpy(np.int64), seed=seed, level=level
    )
