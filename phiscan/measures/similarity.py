"""Similarity -> SimilaritySection: means and medians with patients as the independent units."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phiscan.measures.rates import patient_rate, supports
from phiscan.measures.screened import weighted
from phiscan.records import COMPARED, SIMILAR, Unit
from phiscan.scan_report import DESIGN, Estimate, SimilarityRow, SimilaritySection, Stratum
from phiscan.stats import LEVEL, cluster_mean, cluster_median

if TYPE_CHECKING:
    import pandas as pd

_SHARES = ("rouge_l", "bleu")
"""Metrics that lie between 0 and 1."""


class SimilarityTables(NamedTuple):
    """What the measures are made from, as data frames."""

    notes: pd.DataFrame
    """note_id, patient_id"""
    prompts: pd.DataFrame
    """prompt_id, scheme, tier, prefix_tok"""
    continuations: pd.DataFrame
    """gen_id, prompt_id, note_id, arm, decoding"""
    similarities: pd.DataFrame
    screened: pd.DataFrame | None = None
    """note_id, drawn, probability; None: every prompt was asked"""


def measure_similarity(tables: SimilarityTables, *, unit: Unit, seed: int) -> SimilaritySection:
    """Every figure by metric, way of asking, arm, prefix length and support."""
    designed = tables.prompts[["prompt_id", "scheme", "tier", "prefix_tok"]]
    asked = (
        tables.similarities.merge(tables.continuations, on="gen_id")
        .merge(designed, on="prompt_id", how="left")
        .merge(tables.notes[["note_id", "patient_id"]], on="note_id", how="left")
    )
    rows = weighted(asked, tables.screened, tables.notes)
    found: list[SimilarityRow] = []
    shares: list[Estimate] = []
    for (metric, *design, arm), part in rows.groupby(["metric", *DESIGN, "arm"], sort=False):
        for length, support, here in supports(part):
            where = {
                **dict(zip(DESIGN, design, strict=True)),
                "arm": arm,
                "prefix_length": length,
                "support": support,
            }
            found.append(_row(metric, here, seed, **where))
            if metric == "rouge_l":
                shares.append(_share(here, seed, unit=unit, **where))
    return SimilaritySection(unit=unit, compared=COMPARED, rows=tuple(found), estimates=tuple(shares))


def _row(metric: Any, rows: pd.DataFrame, seed: int, **where: Any) -> SimilarityRow:
    # An answer about a note nobody knows has no patient, and no value either.
    valued = rows[rows["value"].notna() & rows["patient_id"].notna()]
    values = valued["value"].to_numpy(np.float64)
    _, patients = np.unique(valued["patient_id"].to_numpy(str), return_inverse=True)
    weights = valued["weight"].to_numpy(np.float64)
    totals = np.bincount(patients, weights=weights).astype(np.float64)
    sums = np.bincount(patients, weights=weights * values).astype(np.float64)
    within = (0.0, 1.0) if metric in _SHARES else (-math.inf, math.inf)
    mean = cluster_mean(sums, totals, seed=seed, within=within)
    median = cluster_median(values, patients, weights, seed=seed)
    return SimilarityRow(
        metric=metric,
        **where,
        outputs=len(valued),
        patients=len(totals),
        missing={reason: int(n) for reason, n in rows.groupby("reason").size().items()},
        mean=mean.value,
        mean_low=mean.low,
        mean_high=mean.high,
        mean_method=mean.method,
        median=median.value,
        median_low=median.low,
        median_high=median.high,
        median_method=median.method,
        level=LEVEL,
    )


def _share(rows: pd.DataFrame, seed: int, **where: Any) -> Estimate:
    valued = rows[rows["value"].notna()]
    event = valued["value"] > SIMILAR
    return patient_rate("similar_share", valued, event, Stratum(**where), seed=seed)
