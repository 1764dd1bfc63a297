"""Answers, hits, values at risk -> rows of counts. Rows of several parts of a run add up (:func:`added`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from phiscan.measures.scan import THRESHOLDS, as_published, distinct_values
from phiscan.records import OWN_RECORD, Unit
from phiscan.scan_report import CopiesRow, LeakLine, PositionRow, ReachRow, VerdictCount

if TYPE_CHECKING:
    import pandas as pd

POSITION_BAND = 100
"""Generated units in one band of positions."""


def leak_lines(judged: pd.DataFrame, arms: Iterable[str]) -> Iterator[LeakLine]:
    """Every line for each arm."""
    verdict = judged["verdict"]
    lines = {
        "headline": judged["headline"],
        "other_patient": judged["other"] & ~judged["apart"],
        "clinicians_institutions": (judged["own_leak"] | judged["other"]) & judged["apart"],
        "own_bare": judged["bare"],
        "own_control_emits": verdict.isin(OWN_RECORD) & ~judged["bare"] & judged["emitted_by_control"],
        "common": verdict == "common",
        "invented": verdict == "invented",
        "undecided": verdict == "undecided",
        "in_prompt": verdict == "in_prompt",
        "not_phi": verdict == "not_phi",
        "as_published": as_published(judged),
    }
    for arm in arms:
        mine = judged["arm"] == arm
        for line, chosen in lines.items():
            rows = judged[mine & chosen]
            yield LeakLine(
                line=line,
                arm=arm,
                instances=len(rows),
                values=distinct_values(rows),
                notes=int(rows["note_id"].nunique()),
                patients=int(rows["patient_id"].nunique()),
            )


def verdict_counts(judged: pd.DataFrame) -> Iterator[VerdictCount]:
    """Hits by arm, category, letter and verdict."""
    for (arm, category, letter, verdict), rows in judged.groupby(
        ["arm", "category", "hipaa", "verdict"], sort=True, dropna=False
    ):
        yield VerdictCount(
            arm=arm,
            category=category,
            hipaa=letter if isinstance(letter, str) else None,
            group=str(rows["group"].iloc[0]),
            verdict=verdict,
            apart=bool(rows["apart"].iloc[0]),
            anchored=int(rows["anchored"].sum()),
            specific=int(rows["specific"].sum()),
            control_emits=int(rows["emitted_by_control"].sum()),
            headline=int(rows["headline"].sum()),
            instances=len(rows),
            values=distinct_values(rows),
        )


def copies_rows(gens: pd.DataFrame, risk: pd.DataFrame, unit: Unit) -> Iterator[CopiesRow]:
    """Answers, and values at risk, by arm and band of copies."""
    net = f"net_{unit}"
    for (arm, band), rows in gens.groupby(["arm", "band"], sort=True):
        mine = risk[(risk["arm"] == arm) & (risk["band"] == band)]
        yield CopiesRow(
            arm=arm,
            copies=band,
            notes=int(rows["note_id"].nunique()),
            prompts=len(rows),
            net_30=int((rows[net] >= 30).sum()),
            at_risk=len(mine),
            recovered=int(mine["recovered"].sum()),
        )


def first_runs(gens: pd.DataFrame, matches: pd.DataFrame, unit: Unit) -> Counter[tuple[str, int]]:
    """Answers by arm and the band of 100 generated units in which their first run in the suffix begins."""
    long = matches["n_units"] >= THRESHOLDS[0]
    runs = matches[long & (matches["where"] == "suffix") & (matches["unit"] == unit)]
    band = gens["gen_id"].map(runs.groupby("gen_id")["cont_unit"].min() // POSITION_BAND)
    found = band.notna()
    return Counter(zip(gens.loc[found, "arm"], band[found].astype(int), strict=True))


def position_rows(runs: Counter[tuple[str, int]], prompts: Counter[str], unit: Unit) -> Iterator[PositionRow]:
    """A row for each band of :func:`first_runs` up to the last with any; ``prompts``: answers by arm."""
    for arm in sorted(prompts):
        last = max((band for of, band in runs if of == arm), default=-1)
        for band in range(last + 1):
            yield PositionRow(
                arm=arm,
                unit=unit,
                first=band * POSITION_BAND,
                runs=runs[arm, band],
                prompts=prompts[arm],
            )


def reach_rows(risk: pd.DataFrame) -> Iterator[ReachRow]:
    """Values at risk by arm, prefix length and category."""
    for (arm, length, category), rows in risk.groupby(["arm", "prefix_tok", "category"], sort=True):
        within = rows["within_reach"]
        yield ReachRow(
            arm=arm,
            prefix_length=int(length),
            category=category,
            at_risk_within=int(within.sum()),
            at_risk_beyond=int((~within).sum()),
            recovered=int(rows["recovered"].sum()),
        )
