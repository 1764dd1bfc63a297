"""Exposure, NoteAudit -> ExposureSection: rates and medians with patients as the independent units."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phiscan.greedy_runs import NEXT, K, discoverable
from phiscan.measures.plants_read import measure_plants_read
from phiscan.measures.rates import patient_rate
from phiscan.records import CONTROL_ARMS, SYNTHETIC, arm_of
from phiscan.scan_report import (
    DRAWS,
    PLAIN,
    SHARE,
    SHARES,
    DiscoverableRow,
    Estimate,
    ExposureRow,
    ExposureSection,
    ScoreRow,
    Stratum,
)
from phiscan.stats import LEVEL, cluster_mean

if TYPE_CHECKING:
    import pandas as pd

THRESHOLDS = (30, 50)
_OF_PATIENTS = ["scanned", "holdout"]
SCORE_BANDS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Where the bands of memorization scores begin; the last holds 1 alone."""


class ExposureTables(NamedTuple):
    """What the measures are made from, as data frames."""

    notes: pd.DataFrame
    """note_id, patient_id, split, n_tokens, copies"""
    exposures: pd.DataFrame
    audits: pd.DataFrame
    discoverable: pd.DataFrame


def measure_exposure(tables: ExposureTables, *, seed: int) -> ExposureSection:
    """Every figure of the pass: plants and twins have rows and rates of their own and count in no total."""
    notes = tables.notes.set_index("note_id")
    audits = tables.audits.join(notes[["patient_id"]], on="note_id")
    audits = audits[~audits["arm"].isin(CONTROL_ARMS - {"control"})]
    drawn = _drawn(audits, tables.discoverable, notes[["patient_id"]])
    spans = tables.exposures.join(notes[["patient_id", "split"]], on="note_id")
    # Said again in one note, a value is copied from there: that tells nothing of what was learnt.
    spans = spans[~spans["shown_before"]].copy()
    spans["arm"] = [arm_of(split, control=False) for split in spans["split"]]
    scored = audits[audits["arm"].isin(_OF_PATIENTS)]["note_id"].unique()
    of_patients = spans[spans["arm"].isin(_OF_PATIENTS)]
    control = bool((tables.audits["arm"] == "control").any())
    return ExposureSection(
        notes=len(scored),
        notes_failed=_failed(tables),
        patients=int(notes.loc[scored, "patient_id"].nunique()),
        control=control,
        decoys=int(of_patients["decoys"].max()) if of_patients["decoys"].notna().any() else 0,
        windowed_spans=int(of_patients["windowed"].sum()),
        estimates=(*_audit_rates(audits, seed), *_np_rates(drawn, seed), *_span_rates(spans, seed)),
        rows=tuple(_rows(spans)),
        curves=tuple(_curves(drawn)),
        scores=tuple(_scores(audits, seed)),
        plants_read=tuple(measure_plants_read(tables.notes, tables.audits, seed=seed)),
    )


def _drawn(audits: pd.DataFrame, discoverable: pd.DataFrame, patients: pd.DataFrame) -> pd.DataFrame:
    """Notes with 50 tokens after the prefix, by way of decoding: log-probability of these tokens."""
    import pandas as pd

    others = discoverable[discoverable["decoding"] != PLAIN].join(patients, on="note_id")
    others = others[others["arm"].isin(audits["arm"])]
    rows = pd.concat([audits.assign(decoding=PLAIN)[others.columns], others])
    return rows[rows["next_tok"] == NEXT]


def _failed(tables: ExposureTables) -> int:
    """Patients' notes long enough to be asked at some length that have no audit by the scanned model."""
    done = tables.audits[tables.audits["arm"].isin(_OF_PATIENTS)]["note_id"]
    of_patients = ~tables.notes["split"].isin(SYNTHETIC)
    longest = tables.notes.loc[of_patients & ~tables.notes["note_id"].isin(done), "n_tokens"]
    return int((longest > K).sum())


def _audit_rates(audits: pd.DataFrame, seed: int) -> Iterator[Estimate]:
    """By arm and prefix length: runs of 30 and 50 tokens; k-extractable; (n, p)-discoverable."""
    for (arm, length), rows in audits.groupby(["arm", "prefix_tok"], sort=True):
        here = {"arm": arm, "prefix_length": int(length), "unit": "token"}
        for threshold in THRESHOLDS:
            event = rows["run_tok"] >= threshold
            yield _rate("greedy_run_ratio", rows, event, seed, threshold=threshold, **here)
        if length == K:
            long_enough = rows[rows["n_tokens"] >= K]
            yield _rate("k_extractable", long_enough, long_enough["run_tok"] >= K, seed, **here)


def _np_rates(drawn: pd.DataFrame, seed: int) -> Iterator[Estimate]:
    """(n, p)-discoverable by way of decoding, arm and prefix length."""
    for (decoding, arm, length), rows in drawn.groupby(["decoding", "arm", "prefix_tok"], sort=True):
        here = {"decoding": decoding, "arm": arm, "prefix_length": int(length), "unit": "token"}
        for draws in DRAWS:
            event = _chance(rows, draws) >= SHARE
            yield _rate("np_discoverable", rows, event, seed, draws=draws, **here)


def _chance(rows: pd.DataFrame, draws: int) -> NDArray[np.float64]:
    return np.array([discoverable(value, draws) for value in rows["next_logprob"]])


def _curves(drawn: pd.DataFrame) -> Iterator[DiscoverableRow]:
    """Notes that n draws give with a probability of p at least, for every n and p."""
    for (decoding, arm, length), rows in drawn.groupby(["decoding", "arm", "prefix_tok"], sort=True):
        for draws in DRAWS:
            chance = _chance(rows, draws)
            for share in SHARES:
                yield DiscoverableRow(
                    decoding=decoding,
                    arm=arm,
                    prefix_length=int(length),
                    draws=draws,
                    probability=share,
                    discoverable=int((chance >= share).sum()),
                    notes=len(rows),
                )


def _scores(audits: pd.DataFrame, seed: int) -> Iterator[ScoreRow]:
    """Memorization scores by arm; nothing where no answer was generated for them."""
    scored = audits[audits["score_tok"].notna()]
    for arm, rows in scored.groupby("arm", sort=True):
        score = rows["score_tok"].to_numpy(np.float64) / K
        by_patient = rows.assign(score=score).groupby("patient_id")["score"].agg(["sum", "count"])
        sums, totals = by_patient["sum"].to_numpy(np.float64), by_patient["count"].to_numpy(np.int64)
        mean = cluster_mean(sums, totals, seed=seed, within=(0.0, 1.0))
        bands = np.bincount(np.searchsorted(SCORE_BANDS, score, side="right") - 1, minlength=len(SCORE_BANDS))
        yield ScoreRow(
            arm=arm,
            notes=len(rows),
            patients=len(totals),
            mean=mean.value,
            low=mean.low,
            high=mean.high,
            level=LEVEL,
            method=mean.method,
            bands=tuple(bands.tolist()),
            differing=int(((score == 1) != (rows["run_tok"] >= K)).sum()),
        )


def _span_rates(spans: pd.DataFrame, seed: int) -> Iterator[Estimate]:
    """Identifiers, and patients with one, that greedy decoding writes whole."""
    for arm, rows in spans.groupby("arm", sort=True):
        yield _rate("greedy_identifier_rate", rows, rows["greedy"], seed, arm=arm)
        patients = rows.groupby("patient_id", as_index=False)["greedy"].any()
        yield _rate("patients_with_greedy_identifier", patients, patients["greedy"], seed, arm=arm)


def _rate(metric: str, rows: pd.DataFrame, event: Any, seed: int, **where: Any) -> Estimate:
    return patient_rate(metric, rows, event, Stratum(**where), seed=seed)


def _rows(spans: pd.DataFrame) -> Iterator[ExposureRow]:
    for arm, of_arm in spans.groupby("arm", sort=True):
        yield _row(arm, None, of_arm)
        for category, rows in of_arm.groupby("category", sort=True):
            yield _row(arm, category, rows)


def _row(arm: Any, category: str | None, rows: pd.DataFrame) -> ExposureRow:
    gain = ((rows["logprob"] - rows["control_logprob"]) / math.log(2)).dropna()
    ranked = rows[rows["rank"].notna()]
    others = ranked[ranked["given_rank"].notna()]
    return ExposureRow(
        arm=arm,
        category=category,
        spans=len(rows),
        patients=int(rows["patient_id"].nunique()),
        greedy=int(rows["greedy"].sum()),
        greedy_patients=int(rows.loc[rows["greedy"], "patient_id"].nunique()),
        ties=int((rows["ties"] > 0).sum()),
        median_gain_bits=float(gain.median()) if len(gain) else None,
        high_gain_bits=float(gain.quantile(0.9)) if len(gain) else None,
        ranked=len(ranked),
        first=int((ranked["rank"] == 1).sum()),
        among_others=len(others),
        first_among_others=int((others["given_rank"] == 1).sum()),
        first_by_chance=float((1 / (others["given_decoys"] + 1)).sum()),
        median_exposure_bits=float(ranked["exposure_bits"].median()) if len(ranked) else None,
    )
