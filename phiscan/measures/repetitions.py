"""Leakage by how often a note's text was said in training, near-duplicates counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from phiscan.greedy_runs import K
from phiscan.measures.rates import Rate, add_rates, design_of, rate_of
from phiscan.near_duplicates import RepetitionSettings
from phiscan.scan_report import RepetitionBand, RepetitionRow, RepetitionSection, Stratum
from phiscan.stats import Counts

if TYPE_CHECKING:
    import pandas as pd

_BANDS = ((1, 1, "1"), (2, 5, "2-5"), (6, 10, "6-10"), (11, None, "11+"))
COPIES = tuple(sorted(name for *_, name in _BANDS))
"""The bands, in the order of the report."""
_BY: dict[RepetitionBand, list[str]] = {
    "repetitions": [name for *_, name in _BANDS],
    "copied": ["no", "yes"],
}
"""From least to most repeated."""
_RUN = 30


def copies_band(copies: int) -> str:
    """The band of copies or repetitions a note falls into."""
    return next(name for low, high, name in _BANDS if low <= copies and (high is None or copies <= high))


class RepetitionCounts:
    """The section of the report, counted part by part; None without the table."""

    def __init__(self, ways: pd.DataFrame, *, unit: str, settings: RepetitionSettings) -> None:
        """``ways``: in which the run was asked (:mod:`phiscan.measures.asked`); ``unit``: of the net runs."""
        self._ways, self._unit, self._settings = ways[ways["placed"]], unit, settings
        self._totals: Counter[str] = Counter()
        self._groups: list[Counts] = []
        self._notes: Counter[tuple[RepetitionBand, str, str]] = Counter()
        self._rates: defaultdict[tuple[RepetitionBand, str, str], list[Rate]] = defaultdict(list)
        self._scored = False

    def add(
        self,
        repetitions: pd.DataFrame,
        notes: pd.DataFrame,
        gens: pd.DataFrame,
        risk: pd.DataFrame,
        audits: pd.DataFrame | None,
    ) -> None:
        """Count a part of the run.

        Args:
            repetitions: One row a training note.
            notes: note_id, patient_id, copies.
            gens: One row a continuation: arm, note_id, patient_id, prefix_end, ``net_<unit>``.
            risk: One row a value at risk: arm, note_id, patient_id, recovered.
            audits: One row a note, arm and prefix length; None if the notes were not scored.

        """
        if repetitions.empty:
            return
        said = repetitions.merge(notes[["note_id", "patient_id", "copies"]], on="note_id")
        copied = said["copied_share"] >= self._settings.copied_share
        said["repetitions_band"] = said["repetitions"].map(copies_band)
        said["copied_band"] = copied.map({True: "yes", False: "no"})
        self._groups.append(said["group"].to_numpy(np.int64))
        self._totals.update(
            notes=len(said),
            repeated=int((said["repetitions"] > 1).sum()),
            copied_exactly=int((said["copies"] > 1).sum()),
            same_patient=int((said["same_patient"] > 1).sum()),
            other_patients=int((said["repetitions"] > said["same_patient"]).sum()),
            copied_forward=int(copied.sum()),
            crowded=int(said["crowded"].sum()),
        )
        of_note = said[["note_id", "repetitions_band", "copied_band"]]
        gens = gens[gens["prefix_end"].notna()].merge(of_note, on="note_id")
        risk = risk.merge(of_note, on="note_id")
        scored = gens[:0].assign(run_tok=0) if audits is None else _extractable(audits, said)
        self._scored = self._scored or not (audits is None or audits.empty)
        for by, bands in _BY.items():
            for band, (arm, ways) in product(bands, self._ways.groupby("arm", sort=True)):
                asked, at_risk, whole = (
                    rows[(rows["arm"] == arm) & (rows[f"{by}_band"] == band)] for rows in (gens, risk, scored)
                )
                found = self._cell({"arm": arm, by: band}, design_of(ways), asked, at_risk, whole)
                self._notes[by, band, arm] += int(asked["note_id"].nunique())
                add_rates(self._rates[by, band, arm], found)

    def section(self, *, seed: int) -> RepetitionSection | None:
        """What was counted."""
        if not self._totals["notes"]:
            return None
        _, sizes = np.unique(np.concatenate(self._groups), return_counts=True)
        return RepetitionSection(
            similarity=self._settings.similarity,
            copied_share=self._settings.copied_share,
            groups=int((sizes > 1).sum()),
            **self._totals,
            rows=tuple(self._rows(seed)),
        )

    def _cell(
        self,
        where: dict[str, Any],
        design: dict[str, str],
        asked: pd.DataFrame,
        at_risk: pd.DataFrame,
        scored: pd.DataFrame,
    ) -> Iterator[Rate]:
        net = Stratum(**where, **design, unit=self._unit, threshold=_RUN)
        yield rate_of("net_ratio", asked, asked[f"net_{self._unit}"] >= _RUN, net)
        recovered = Stratum(**where, **design, scope="i2b2")
        yield rate_of("phi_recovery_rate", at_risk, at_risk["recovered"], recovered)
        whole = Stratum(**where, unit="token", prefix_length=K)
        yield rate_of("k_extractable", scored, scored["run_tok"] >= K, whole)

    def _rows(self, seed: int) -> Iterator[RepetitionRow]:
        """One row for each band and arm that was asked."""
        for (by, band, arm), rates in self._rates.items():
            if notes := self._notes[by, band, arm]:
                net, recovery, extractable = (rate.estimate(seed=seed) for rate in rates)
                yield RepetitionRow(
                    arm=arm,
                    by=by,
                    band=band,
                    notes=notes,
                    net_ratio=net,
                    phi_recovery_rate=recovery,
                    k_extractable=extractable if self._scored else None,
                )


def _extractable(audits: pd.DataFrame, said: pd.DataFrame) -> pd.DataFrame:
    """Audits at 32 tokens of notes with 32 more, which k-extractable is counted over."""
    asked = audits[(audits["prefix_tok"] == K) & (audits["n_tokens"] >= K)]
    return asked.merge(said[["note_id", "patient_id", "repetitions_band", "copied_band"]], on="note_id")
