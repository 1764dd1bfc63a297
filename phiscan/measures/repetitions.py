"""Leakage by how often a note's text was said in training, near-duplicates counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from phiscan.greedy_runs import K
from phiscan.measures.rates import design_of, patient_rate
from phiscan.near_duplicates import RepetitionSettings
from phiscan.scan_report import Estimate, RepetitionBand, RepetitionRow, RepetitionSection, Stratum

if TYPE_CHECKING:
    import pandas as pd

_BANDS = ((1, 1, "1"), (2, 5, "2-5"), (6, 10, "6-10"), (11, None, "11+"))
_RUN = 30


def copies_band(copies: int) -> str:
    """The band of copies or repetitions a note falls into."""
    return next(name for low, high, name in _BANDS if low <= copies and (high is None or copies <= high))


def repetition_section(
    repetitions: pd.DataFrame,
    notes: pd.DataFrame,
    gens: pd.DataFrame,
    risk: pd.DataFrame,
    audits: pd.DataFrame | None,
    *,
    unit: str,
    seed: int,
    settings: RepetitionSettings,
) -> RepetitionSection | None:
    """The section of the report; None without the table.

    Args:
        repetitions: One row a training note.
        notes: note_id, patient_id, copies.
        gens: One row a continuation: arm, note_id, patient_id, scheme, tier, prefix_end, ``net_<unit>``.
        risk: One row a value at risk: arm, note_id, patient_id, scheme, tier, recovered.
        audits: One row a note, arm and prefix length; None if the notes were not scored.
        unit: Of the net runs.
        seed: Of the intervals.
        settings: When a note counts as copied forward.

    """
    if repetitions.empty:
        return None
    said = repetitions.merge(notes[["note_id", "patient_id", "copies"]], on="note_id")
    said["repetitions_band"] = said["repetitions"].map(copies_band)
    copied = said["copied_share"] >= settings.copied_share
    said["copied_band"] = copied.map({True: "yes", False: "no"})
    of_note = said[["note_id", "repetitions_band", "copied_band"]]
    gens = gens[gens["prefix_end"].notna()].merge(of_note, on="note_id")
    risk = risk.merge(of_note, on="note_id")
    audits = None if audits is None or audits.empty else _extractable(audits, said)
    sizes = said["group"].map(said["group"].value_counts())
    return RepetitionSection(
        similarity=settings.similarity,
        copied_share=settings.copied_share,
        notes=len(said),
        repeated=int((said["repetitions"] > 1).sum()),
        copied_exactly=int((said["copies"] > 1).sum()),
        groups=int(said.loc[sizes > 1, "group"].nunique()),
        same_patient=int((said["same_patient"] > 1).sum()),
        other_patients=int((said["repetitions"] > said["same_patient"]).sum()),
        copied_forward=int(copied.sum()),
        crowded=int(said["crowded"].sum()),
        rows=(
            *_rows("repetitions", gens, risk, audits, unit, seed),
            *_rows("copied", gens, risk, audits, unit, seed),
        ),
    )


def _extractable(audits: pd.DataFrame, said: pd.DataFrame) -> pd.DataFrame:
    """Audits at 32 tokens of notes with 32 more, which k-extractable is counted over."""
    asked = audits[(audits["prefix_tok"] == K) & (audits["n_tokens"] >= K)]
    return asked.merge(said[["note_id", "patient_id", "repetitions_band", "copied_band"]], on="note_id")


def _rows(
    by: RepetitionBand,
    gens: pd.DataFrame,
    risk: pd.DataFrame,
    audits: pd.DataFrame | None,
    unit: str,
    seed: int,
) -> Iterator[RepetitionRow]:
    """One row for each band and arm that was asked, bands from least to most repeated."""
    order = [name for *_, name in _BANDS] if by == "repetitions" else ["no", "yes"]
    for band in order:
        for arm, asked in gens[gens[f"{by}_band"] == band].groupby("arm", sort=True):
            where: dict[str, Any] = {"arm": arm, by: band}
            at_risk = risk[(risk["arm"] == arm) & (risk[f"{by}_band"] == band)]
            run = asked[f"net_{unit}"] >= _RUN
            yield RepetitionRow(
                arm=arm,
                by=by,
                band=band,
                notes=int(asked["note_id"].nunique()),
                net_ratio=_rate("net_ratio", asked, run, seed, unit=unit, threshold=_RUN, **where),
                phi_recovery_rate=_rate(
                    "phi_recovery_rate", at_risk, at_risk["recovered"], seed, scope="i2b2", **where
                ),
                k_extractable=_k_extractable(audits, by, band, arm, seed),
            )


def _k_extractable(
    audits: pd.DataFrame | None, by: RepetitionBand, band: str, arm: Any, seed: int
) -> Estimate | None:
    if audits is None:
        return None
    mine = audits[(audits["arm"] == arm) & (audits[f"{by}_band"] == band)]
    where: dict[str, Any] = {"arm": arm, by: band}
    return _rate("k_extractable", mine, mine["run_tok"] >= K, seed, unit="token", prefix_length=K, **where)


def _rate(metric: str, rows: pd.DataFrame, event: Any, seed: int, **where: Any) -> Estimate:
    if "scheme" in rows:
        where |= design_of(rows)
    return patient_rate(metric, rows, event, Stratum(**where), seed=seed)
