"""Answers, hits, values at risk -> Rate: every rate of a run, with its denominator and its patients.

Of every part of a run the same rates come in the same order, also those of which it has nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from phiscan.measures.asked import lengths_of
from phiscan.measures.linked import linked_outputs
from phiscan.measures.rates import Rate, design_of, rate_of, supports
from phiscan.measures.repetitions import COPIES
from phiscan.measures.scan import THRESHOLDS, Judged
from phiscan.measures.screened import whole_units
from phiscan.records import Unit
from phiscan.scan_report import DESIGN, Stratum
from phiscan.taxonomy import CATEGORIES

if TYPE_CHECKING:
    import pandas as pd

V = TypeVar("V", int, str)


def rates_of(
    judged: Judged, passages: pd.DataFrame | None, ways: pd.DataFrame, units: Sequence[Unit]
) -> Iterator[Rate]:
    """All rates of a part of a run.

    Args:
        judged: Its answers, hits and values at risk.
        passages: With the arm of their answers; None: not looked for.
        ways: In which the run was asked (:mod:`phiscan.measures.asked`).
        units: Those in which it has runs.

    """
    # The decision is on whatever was asked; a ratio is of one way of asking.
    designs = [of_one for _, of_one in ways.groupby(list(DESIGN), sort=False)]
    several = len(designs) > 1
    parts = [(of_one, _of_design(judged.answers, of_one)) for of_one in designs]
    yield from _leak_rates(judged.answers, judged.hits, ways)
    yield from _linked_rates(judged.answers, passages, ways)
    for of_one, gens in parts:
        yield from _ratios(gens, of_one, units)
    for of_one, _ in parts:
        yield from _recovery(_of_design(judged.at_risk, of_one), of_one)
    for of_one, gens in parts if several else ():
        yield from _leak_rates(gens, judged.hits, of_one)
    for of_one, gens in parts if several else ():
        yield from _linked_rates(gens, passages, of_one)
    for of_one, gens in parts:
        yield from _screening_misses(gens, judged.hits, of_one, units[0])


def _of_design(rows: pd.DataFrame, ways: pd.DataFrame) -> pd.DataFrame:
    for name, value in design_of(ways).items():
        rows = rows[rows[name] == value]
    return rows


def _by_arm(rows: pd.DataFrame, ways: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame, pd.DataFrame]]:
    """(arm, its rows, its ways) of each arm that the run asked."""
    for arm in ways["arm"].unique():
        yield arm, rows[rows["arm"] == arm], ways[ways["arm"] == arm]


def _each(rows: pd.DataFrame, column: str, values: Iterable[V]) -> Iterator[tuple[V, pd.DataFrame]]:
    """(value, its rows) of each value of ``column``, whether it has any or not."""
    found = dict(list(rows.groupby(column)))
    for value in values:
        yield value, found.get(value, rows[:0])


def _shared(ways: pd.DataFrame) -> dict[str, str | None]:
    """The design of notes or patients: one asked about in several ways belongs to none of them."""
    return {name: ways[name].iloc[0] if ways[name].nunique() == 1 else None for name in DESIGN}


def _rate(metric: str, rows: pd.DataFrame, event: Any, where: dict[str, Any], **options: Any) -> Rate:
    """Rate of ``event`` (booleans, one a row) with patients as clusters; ``where`` is its stratum."""
    return rate_of(metric, rows, event, Stratum(**where), **options)


def _ratios(gens: pd.DataFrame, ways: pd.DataFrame, units: Sequence[Unit]) -> Iterator[Rate]:
    """Raw and net ratio by arm, prefix length, unit, threshold and support; by copies over all l."""
    known = gens[gens["prefix_end"].notna()]
    for arm, rows, mine in _by_arm(known, ways[ways["placed"]]):
        where = {**design_of(mine), "arm": arm}
        for length, support, part in supports(rows, lengths_of(mine)):
            here = {**where, "prefix_length": length, "support": support}
            yield from _ratio_cells(part, units, here, among=rows)
        for band, cell in _each(rows, "band", COPIES):
            yield from _ratio_cells(cell, units[:1], {**where, "copies": band})


def _ratio_cells(
    part: pd.DataFrame, units: Sequence[Unit], where: dict[str, Any], among: pd.DataFrame | None = None
) -> Iterator[Rate]:
    for unit in units:
        for threshold in THRESHOLDS:
            for name in ("raw", "net"):
                event = part[f"{name}_{unit}"] >= threshold
                here = {**where, "unit": unit, "threshold": threshold}
                yield _rate(f"{name}_ratio", part, event, here, among=among)


def _recovery(risk: pd.DataFrame, ways: pd.DataFrame) -> Iterator[Rate]:
    """Recovered / at risk: by arm, scope, prefix length, category and copies."""
    for arm, rows, mine in _by_arm(risk, ways):
        where = {**design_of(mine), "arm": arm}
        lengths = lengths_of(mine[mine["prefix_tok"].notna()])
        for scope, part in (("i2b2", rows), ("hipaa", rows[rows["hipaa"].notna()])):
            here = {**where, "scope": scope}
            yield _recovered(part, here, among=rows)
            within = part[part["within_reach"]]
            yield _recovered(within, here, metric="phi_recovery_rate_within_reach", among=rows)
            for length, cell in _each(part, "prefix_tok", lengths):
                yield _recovered(cell, {**here, "prefix_length": length})
        # Notes and patients with something at risk of whom something was recovered.
        for column, name in (("note_id", "notes"), ("patient_id", "patients")):
            found = whole_units(rows, column, rows["recovered"])
            yield _rate(f"{name}_with_recovered_phi", found, found["event"], where, among=rows)
        for category, cell in _each(rows, "category", sorted(CATEGORIES)):
            yield _recovered(cell, {**where, "category": category})
        for band, cell in _each(rows, "band", COPIES):
            yield _recovered(cell, {**where, "scope": "i2b2", "copies": band})


def _recovered(
    rows: pd.DataFrame,
    where: dict[str, Any],
    *,
    metric: str = "phi_recovery_rate",
    among: pd.DataFrame | None = None,
) -> Rate:
    return _rate(metric, rows, rows["recovered"], where, among=among)


def _leak_rates(gens: pd.DataFrame, hits: pd.DataFrame, ways: pd.DataFrame) -> Iterator[Rate]:
    """Notes and patients with a headline leak; prompts answered with another patient's value."""
    other = hits.loc[hits["other"] & ~hits["apart"], "gen_id"]
    for arm, rows, mine in _by_arm(gens[gens["patient_id"].notna()], ways):
        of_arm = hits[hits["arm"] == arm]
        leaking, undecided = of_arm[of_arm["headline"]], of_arm[of_arm["verdict"] == "undecided"]
        for column, name in (("note_id", "notes"), ("patient_id", "patients")):
            units = whole_units(rows, column, rows["gen_id"].isin(leaking["gen_id"]))
            open_still = int((units[column].isin(undecided[column]) & ~units["event"]).sum())
            where = {**_shared(mine), "arm": arm}
            metric = f"{name}_with_headline_leak"
            yield _rate(metric, units, units["event"], where, n_undecided=open_still, among=rows)
        where = {**design_of(mine), "arm": arm}
        yield _rate("other_patient_rate", rows, rows["gen_id"].isin(other), where)


def _linked_rates(gens: pd.DataFrame, passages: pd.DataFrame | None, ways: pd.DataFrame) -> Iterator[Rate]:
    """Patients of whom an identifier and a sensitive fact stand in one output."""
    if passages is None:
        return
    for arm, rows, mine in _by_arm(gens[gens["patient_id"].notna()], ways):
        linked = rows["gen_id"].isin(linked_outputs(passages, arm))
        found = whole_units(rows, "patient_id", linked)
        where = {**_shared(mine), "arm": arm}
        yield _rate("patients_with_linked_disclosure", found, found["event"], where, among=rows)


def _screening_misses(
    gens: pd.DataFrame, hits: pd.DataFrame, ways: pd.DataFrame, unit: Unit
) -> Iterator[Rate]:
    """Of the prompts that the pass cleared and that were asked all the same, those that leak."""
    headline = hits.loc[hits["headline"], "gen_id"]
    other = hits.loc[hits["other"] & ~hits["apart"], "gen_id"]
    for arm, rows, mine in _by_arm(gens[gens["cleared"]], ways):
        sample, where = rows.drop(columns="weight"), {**design_of(mine), "arm": arm}
        for metric, event in (
            ("cleared_with_run", sample[f"raw_{unit}"] >= THRESHOLDS[0]),
            ("cleared_with_headline_leak", sample["gen_id"].isin(headline)),
            ("cleared_with_other_patient", sample["gen_id"].isin(other)),
        ):
            yield _rate(metric, sample, event, where)
