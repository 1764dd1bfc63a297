"""Plants and twins -> PlantSection: how much of known synthetic patients the model gives back.

A plant was in training, a twin was not, and both are nobody: no rate here is one of patients, and no
patients' rate is made from these tables. Every estimate has the synthetic patients as its independent units.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, get_args

from phiscan.measures.rates import design_of, patient_rate
from phiscan.measures.repetitions import copies_band
from phiscan.measures.scan import (
    THRESHOLDS,
    Tables,
    known_category,
    others_values,
    own_leaks,
    with_longest_runs,
)
from phiscan.records import Unit
from phiscan.scan_report import (
    DESIGN,
    Estimate,
    PlantArm,
    PlantDifference,
    PlantRow,
    PlantSection,
    Stratum,
    SyntheticArm,
)
from phiscan.stats import Interval, independent_difference
from phiscan.taxonomy import REPORTED_APART

if TYPE_CHECKING:
    import pandas as pd

_ARMS: tuple[SyntheticArm, ...] = get_args(SyntheticArm)


def measure_plants(tables: Tables, *, unit: Unit, seed: int, template_patients: int) -> PlantSection:
    """Every figure of the section.

    Args:
        tables: Of plants and twins alone; their splits are their arms.
        unit: Of the runs in the ratios.
        seed: Of the intervals.
        template_patients: Records with a value from which on it belongs to nobody in particular.

    """
    gens = _answers(tables)
    hits = _judged(tables, gens, template_patients)
    risk = tables.at_risk.merge(gens[["gen_id", "arm", "patient_id", "band", *DESIGN]], on="gen_id")
    rows = tuple(_rows(gens, hits, risk, unit, seed))
    return PlantSection(
        arms=tuple(_arm(arm, tables, gens, hits) for arm in _ARMS if (tables.notes["split"] == arm).any()),
        rows=rows,
        categories=tuple(_by_category(risk, seed)),
        differences=tuple(_differences(rows)),
    )


def _answers(tables: Tables) -> pd.DataFrame:
    """One row an answer of the scanned model: arm, patient, design, band of copies, longest runs."""
    asked = tables.continuations[tables.continuations["arm"].isin(_ARMS)]
    notes = tables.notes[["note_id", "patient_id", "copies"]]
    gens = asked.merge(tables.prompts[["prompt_id", "prefix_end", "scheme", "tier"]], on="prompt_id").merge(
        notes, on="note_id"
    )
    gens["band"] = gens["copies"].map(copies_band)
    return with_longest_runs(gens, tables.matches)


def _judged(tables: Tables, gens: pd.DataFrame, template_patients: int) -> pd.DataFrame:
    """Hits that would be headline leaks, or another patient's value that decides, were they a patient's."""
    hits = tables.hits[["hit_id", "category"]].merge(tables.verdicts, on="hit_id")
    hits = hits.merge(gens[["gen_id", "arm", "patient_id"]], on="gen_id")
    hits = hits[~known_category(hits).isin(REPORTED_APART)]
    return hits.assign(headline=own_leaks(hits), other=others_values(hits, template_patients))


def _arm(arm: SyntheticArm, tables: Tables, gens: pd.DataFrame, hits: pd.DataFrame) -> PlantArm:
    notes, mine = tables.notes[tables.notes["split"] == arm], gens[gens["arm"] == arm]
    said = hits[hits["arm"] == arm]
    failed = tables.continuations[tables.continuations["stop"] == "failed"]
    return PlantArm(
        arm=arm,
        patients=int(notes["patient_id"].nunique()),
        notes=len(notes),
        notes_asked=int(mine["note_id"].nunique()),
        prompts=len(mine),
        failed=int((failed["arm"] == arm).sum()),
        control_failed=int((failed["arm"] == f"control_{arm}").sum()),
        degenerate=int(mine["degenerate"].notna().sum()),
        headline=int(said["headline"].sum()),
        headline_patients=int(said.loc[said["headline"], "patient_id"].nunique()),
        other_patient=int(said["other"].sum()),
    )


def _rows(
    gens: pd.DataFrame, hits: pd.DataFrame, risk: pd.DataFrame, unit: Unit, seed: int
) -> Iterator[PlantRow]:
    """Of each way of asking and arm: all answers, then by copies where there are several bands."""
    leaking = set(hits.loc[hits["headline"], "gen_id"])
    order = [copies_band(copies) for copies in (1, 2, 6, 11)]
    for (*design, arm), asked in gens.groupby([*DESIGN, "arm"], sort=False):
        bands = [band for band in order if (asked["band"] == band).any()]
        for band in (None, *bands):
            part = asked if band is None else asked[asked["band"] == band]
            at_risk = risk[risk["gen_id"].isin(part["gen_id"])]
            where: dict[str, Any] = {"arm": arm, **design_of(part), "copies": band}
            patients = part.assign(leaks=part["gen_id"].isin(leaking))
            patients = patients.groupby("patient_id", as_index=False)["leaks"].any()
            yield PlantRow(
                arm=arm,
                **dict(zip(DESIGN, design, strict=True)),
                repetitions=band,
                notes=int(part["note_id"].nunique()),
                patients=len(patients),
                ratios=tuple(_ratios(part[part["prefix_end"].notna()], unit, where, seed)),
                phi_recovery_rate=_rate(
                    "phi_recovery_rate", at_risk, at_risk["recovered"], {**where, "scope": "i2b2"}, seed
                ),
                patients_with_headline_leak=_rate(
                    "patients_with_headline_leak", patients, patients["leaks"], where, seed
                ),
            )


def _ratios(part: pd.DataFrame, unit: Unit, where: dict[str, Any], seed: int) -> Iterator[Estimate]:
    for kind in ("raw", "net"):
        for threshold in THRESHOLDS:
            run = part[f"{kind}_{unit}"] >= threshold
            yield _rate(f"{kind}_ratio", part, run, {**where, "unit": unit, "threshold": threshold}, seed)


def _by_category(risk: pd.DataFrame, seed: int) -> Iterator[Estimate]:
    """Of each way of asking: recovered / at risk by arm and category."""
    for (*_, arm, category), rows in risk.groupby([*DESIGN, "arm", "category"], sort=True):
        where = {"arm": arm, **design_of(rows), "category": category}
        yield _rate("phi_recovery_rate", rows, rows["recovered"], where, seed)


def _differences(rows: tuple[PlantRow, ...]) -> Iterator[PlantDifference]:
    whole = {(_design(row), row.arm): row for row in rows if row.repetitions is None}
    for (design, arm), plants in whole.items():
        twins = whole.get((design, "twin"))
        if arm == "plant" and twins is not None:
            for of_plants, of_twins in zip(_estimates(plants), _estimates(twins), strict=True):
                yield _difference(of_plants, of_twins, plants)


def _design(row: PlantRow) -> tuple[str, ...]:
    return tuple(getattr(row, name) for name in DESIGN)


def _estimates(row: PlantRow) -> tuple[Estimate, ...]:
    return (*row.ratios, row.phi_recovery_rate, row.patients_with_headline_leak)


def _difference(plants: Estimate, twins: Estimate, row: PlantRow) -> PlantDifference:
    less = independent_difference(_interval(plants), _interval(twins))
    return PlantDifference(
        scheme=row.scheme,
        tier=row.tier,
        decoding=row.decoding,
        metric=plants.metric,
        unit=plants.stratum.unit,
        threshold=plants.stratum.threshold,
        value=less.value,
        low=less.low,
        high=less.high,
        level=plants.level,
        method=less.method,
    )


def _interval(estimate: Estimate) -> Interval:
    return Interval(estimate.value, estimate.low, estimate.high, estimate.method)


def _rate(metric: str, rows: pd.DataFrame, event: Any, where: dict[str, Any], seed: int) -> Estimate:
    return patient_rate(metric, rows, event, Stratum(**where), seed=seed)
