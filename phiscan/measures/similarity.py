"""Similarity -> SimilaritySection: means and medians with patients as the independent units.

A median needs all values: they are kept, and of each answer nothing else.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from phiscan.measures.asked import lengths_of
from phiscan.measures.rates import Rate, add_rates, rate_of, supports
from phiscan.measures.scan import Tables
from phiscan.measures.screened import weighted
from phiscan.records import COMPARED, SIMILAR, Unit
from phiscan.scan_report import DESIGN, SimilarityRow, SimilaritySection, Stratum
from phiscan.stats import LEVEL, Floats, cluster_mean, cluster_median

if TYPE_CHECKING:
    import pandas as pd

Numbers = npt.NDArray[np.int32]
_SHARES = ("rouge_l", "bleu")
"""Metrics that lie between 0 and 1."""


class _Cell(NamedTuple):
    metric: Any
    scheme: str
    tier: str
    decoding: str
    arm: Any
    prefix_length: int | None
    support: Any


@dataclass
class _Values:
    """What is kept of one cell of a run; its patients are numbered as they come."""

    values: list[Floats] = field(default_factory=list)
    weights: list[Floats] = field(default_factory=list)
    """What each value stands for."""
    patients: list[Numbers] = field(default_factory=list)
    n_patients: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    share: list[Rate] = field(default_factory=list)
    """Of values above :data:`SIMILAR`, for ROUGE-L."""

    def add(self, cell: _Cell, unit: Unit, rows: pd.DataFrame) -> None:
        """Keep the values of a part."""
        import pandas as pd

        # An answer about a note nobody knows has no patient, and no value either.
        valued = rows[rows["value"].notna() & rows["patient_id"].notna()]
        patients, named = pd.factorize(valued["patient_id"])
        weights = valued["weight"].to_numpy(np.float64)
        # Copies, or each column would hold on to its frame; ones take no place.
        self.values.append(np.array(valued["value"], dtype=np.float64))
        self.weights.append(np.array(weights) if (weights != 1).any() else np.broadcast_to(1.0, len(weights)))
        self.patients.append((patients + self.n_patients).astype(np.int32))
        self.n_patients += len(named)
        self.missing.update(rows["reason"].dropna())
        if cell.metric == "rouge_l":
            where = Stratum(
                unit=unit, **{name: value for name, value in cell._asdict().items() if name != "metric"}
            )
            add_rates(self.share, [rate_of("similar_share", valued, valued["value"] > SIMILAR, where)])

    def row(self, cell: _Cell, seed: int) -> SimilarityRow:
        """The figures of the cell."""
        values, weights = np.concatenate(self.values), np.concatenate(self.weights)
        patients = np.concatenate(self.patients).astype(np.int64)
        totals = np.bincount(patients, weights=weights).astype(np.float64)
        sums = np.bincount(patients, weights=weights * values).astype(np.float64)
        within = (0.0, 1.0) if cell.metric in _SHARES else (-math.inf, math.inf)
        mean = cluster_mean(sums, totals, seed=seed, within=within)
        median = cluster_median(values, patients, weights, seed=seed)
        return SimilarityRow(
            **cell._asdict(),
            outputs=len(values),
            patients=len(totals),
            missing=dict(sorted(self.missing.items())),
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


class Similarities:
    """The section of the report, counted part by part."""

    def __init__(self, ways: pd.DataFrame, *, unit: Unit) -> None:
        """``ways``: in which the run was asked (:mod:`phiscan.measures.asked`); ``unit``: of the texts."""
        self._ways, self._unit = ways, unit
        self._cells: dict[_Cell, _Values] = {}

    def add(self, tables: Tables) -> None:
        """Count a part of the run, whole patients."""
        if tables.similarities is None:
            return
        designed = tables.prompts[["prompt_id", "scheme", "tier", "prefix_tok"]]
        asked = (
            tables.similarities.merge(tables.continuations, on="gen_id")
            .merge(designed, on="prompt_id", how="left")
            .merge(tables.notes[["note_id", "patient_id"]], on="note_id", how="left")
        )
        for cell, rows in self._parts(weighted(asked, tables.screened, tables.notes)):
            self._cells.setdefault(cell, _Values()).add(cell, self._unit, rows)

    def _parts(self, rows: pd.DataFrame) -> Iterator[tuple[_Cell, pd.DataFrame]]:
        """Every cell of the run, in the order of the report, with its rows here."""
        for metric, scored in rows.groupby("metric", sort=False):
            for way, ways in self._ways.groupby([*DESIGN, "arm"], sort=False):
                where = dict(zip((*DESIGN, "arm"), way, strict=True))
                mine = scored[np.all([scored[name] == value for name, value in where.items()], axis=0)]
                for length, support, here in supports(mine, lengths_of(ways)):
                    yield _Cell(metric=metric, **where, prefix_length=length, support=support), here

    def section(self, *, seed: int) -> SimilaritySection | None:
        """Every figure by metric, way of asking, arm, prefix length and support; None without a metric."""
        if not self._cells:
            return None
        shares = (rate for cell in self._cells.values() for rate in cell.share)
        return SimilaritySection(
            unit=self._unit,
            compared=COMPARED,
            rows=tuple(kept.row(cell, seed) for cell, kept in self._cells.items()),
            estimates=tuple(rate.estimate(seed=seed) for rate in shares),
        )
