"""Tables of a run -> PhiRow: PHI by the study's groups, in each arm, way of asking and prompt length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from phiscan.measures.rates import design_of, patient_rate
from phiscan.measures.scan import Tables, as_published, distinct_values, judge
from phiscan.scan_report import DESIGN, Stratum
from phiscan.study import PhiRow
from phiscan.taxonomy import CATEGORIES

if TYPE_CHECKING:
    import pandas as pd

GROUPS = ("dates_ages", "names", "locations", "other", "all")
_CELL = ["arm", *DESIGN, "prefix_tok"]


class _Part(NamedTuple):
    hits: pd.DataFrame
    at_risk: pd.DataFrame


def phi_rows(tables: Tables, *, run: str, template_patients: int, seed: int) -> Iterator[PhiRow]:
    """One row for each group, zeros included, of every cell in which a known note was asked for."""
    judged = judge(tables, template_patients=template_patients)
    answers = judged.answers[judged.answers["patient_id"].notna()]
    for _, asked in answers.groupby(_CELL, sort=False, dropna=False):
        hits, at_risk = (_of(rows, asked) for rows in (judged.hits, judged.at_risk))
        for group in GROUPS:
            part = _Part(
                *(rows if group == "all" else rows[_group(rows) == group] for rows in (hits, at_risk))
            )
            yield _row(part, asked, run=run, group=group, seed=seed)


def _of(rows: pd.DataFrame, asked: pd.DataFrame) -> pd.DataFrame:
    return rows[rows["gen_id"].isin(asked["gen_id"])]


def _group(rows: pd.DataFrame) -> pd.Series[str]:
    return rows["category"].astype(object).map({name: one.group for name, one in CATEGORIES.items()})


def _row(part: _Part, asked: pd.DataFrame, *, run: str, group: Any, seed: int) -> PhiRow:
    hits, length = part.hits, asked["prefix_tok"].iloc[0]
    published, leaks = hits[as_published(hits)], hits[hits["headline"]]
    rate = patient_rate("phi_recovery_rate", part.at_risk, part.at_risk["recovered"], Stratum(), seed=seed)
    return PhiRow(
        run=run,
        arm=asked["arm"].iloc[0],
        **design_of(asked),
        prefix_length=None if length != length else int(length),
        group=group,
        outputs=len(asked),
        published_hits=len(published),
        published_values=distinct_values(published),
        in_prompt=int((published["verdict"] == "in_prompt").sum()),
        leaks=len(leaks),
        leak_values=distinct_values(leaks),
        leak_patients=int(leaks["patient_id"].nunique()),
        other_patient=int((hits["other"] & ~hits["apart"]).sum()),
        clinicians_institutions=int(((hits["own_leak"] | hits["other"]) & hits["apart"]).sum()),
        at_risk=rate.n,
        recovered=rate.count,
        rate=rate.value,
        low=rate.low,
        high=rate.high,
        patients=rate.patients,
        method=rate.method,
    )
