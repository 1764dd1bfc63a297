"""Two runs' tables -> Difference, Persistence: the same prompts put to two models.

Pure: data frames in, records out. Prompts are paired by key (:func:`phiscan.run_answers.answers_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from phiscan.as_published import SIMULATIONS, false_positive_rate, resample
from phiscan.comparison import Difference, Pairing, Persistence, Published
from phiscan.measures.scan import THRESHOLDS
from phiscan.paired import holm, paired_difference, sign_flip
from phiscan.records import Unit
from phiscan.run_answers import MEASURED, Answers
from phiscan.scan_report import DESIGN, Stratum
from phiscan.stats import LEVEL, Counts, cluster_rate

if TYPE_CHECKING:
    import pandas as pd

Mask = npt.NDArray[np.bool_]
Side = Literal["_a", "_b", "_ca", "_cb"]
"""Run A, run B, and their controls: suffix of the columns that hold their answers."""
_RUNS: tuple[Side, ...] = ("_a", "_b")
_WITH_CONTROLS: tuple[Side, ...] = ("_a", "_b", "_ca", "_cb")


class Pair(NamedTuple):
    """Two runs side by side: one row a unit, columns with a suffix for each side."""

    answers: pd.DataFrame
    """patient, note, scheme, tier, decoding, prefix_tok and, of each side, what was measured."""
    values: pd.DataFrame
    """The same for values at risk: hipaa and, of each side, recovered."""
    sides: tuple[Side, ...]


class Cell(NamedTuple):
    """One measure in one stratum."""

    metric: str
    stratum: Stratum
    patients: npt.NDArray[np.object_]
    events: tuple[Mask, ...]
    """One a side, all of the shape of ``patients``: one entry a unit."""


class Compared(NamedTuple):
    """What :func:`compare` found for one run."""

    pairing: Pairing
    differences: list[Difference]
    persistence: list[Persistence]
    published: list[Published]


def compare(first: Answers, other: Answers, *, run: str, seed: int, as_published: bool = False) -> Compared:
    """Every comparison of run ``run`` with run A; p values are not yet adjusted (:func:`adjusted`)."""
    pairing, cells, with_controls = _plain_cells(first, other, run)
    unit: Unit = "token" if pairing.tokens else "word"
    net = cells_of(with_controls, unit) if len(with_controls.answers) else iter(())
    return Compared(
        pairing,
        [difference(cell, run=run) for cell in [*cells, *net]],
        [persistence(cell, run=run, seed=seed) for cell in cells if cell.stratum.threshold],
        [published(cell, run=run, seed=seed) for cell in cells if cell.stratum.threshold]
        if as_published
        else [],
    )


def plain_differences(
    first: Answers, other: Answers, *, run: str, shown: Callable[[Cell], bool]
) -> tuple[Pairing, list[Difference]]:
    """What was paired, and the differences of the cells ``shown`` as :func:`compare` makes them."""
    pairing, cells, _ = _plain_cells(first, other, run)
    return pairing, [difference(cell, run=run) for cell in cells if shown(cell)]


def _plain_cells(first: Answers, other: Answers, run: str) -> tuple[Pairing, list[Cell], Pair]:
    """The pairing, every cell that takes no control off, and the pair with both controls."""
    pair = pair_up(first, other, _RUNS)
    controls = pair_up(first, other, _WITH_CONTROLS)
    tokens = same_tokens(first, other, pair)
    pairing = pairing_of(first, other, pair, run, len(controls.answers), tokens=tokens)
    return pairing, list(cells_of(pair, "token" if tokens else "word")), controls


def persistence_from_control(run: Answers, *, name: str, seed: int) -> list[Persistence]:
    """Overlap of what the run's control (A of each row) brings back with what its model does.

    Empty where no control answered.
    """
    pair = pair_up(run, run, ("_ca", "_a"))
    unit: Unit = "word" if run.note_tokens.isna().any() else "token"
    cells = cells_of(pair, unit) if len(pair.answers) else iter(())
    return [persistence(cell, run=name, seed=seed) for cell in cells if cell.stratum.threshold]


def adjusted(differences: Sequence[Difference]) -> list[Difference]:
    """The same with ``p_holm``: Holm over all of them."""
    corrected = holm([row.p for row in differences])
    return [row.model_copy(update={"p_holm": p}) for row, p in zip(differences, corrected, strict=True)]


# --- pairing ------------------------------------------------------------------------------


def pair_up(first: Answers, other: Answers, sides: tuple[Side, ...]) -> Pair:
    """The prompts that every side answered, and the values at risk there."""
    about = ["patient", "note", *DESIGN, "prefix_tok"]
    runs = dict(zip(_WITH_CONTROLS, (first, other, first, other), strict=True))
    answers = _of_side(first.answers, "_a").set_index("key")[about]
    other_length = _of_side(other.answers, "_b").set_index("key")["prefix_tok"]
    for side in sides:
        mine = _of_side(runs[side].answers, side).set_index("key")[MEASURED]
        answers = answers.join(mine.add_suffix(side), how="inner", validate="one_to_one")
    # Replayed prompts pair by their text: where the runs count its tokens differently it has no length.
    same = answers["prefix_tok"] == other_length.reindex(answers.index)
    answers["prefix_tok"] = answers["prefix_tok"].where(same)
    value = ["key", "category", "canonical"]
    values = _of_side(first.values, "_a").set_index(value)[["hipaa"]]
    for side in sides:
        mine = _of_side(runs[side].values, side).set_index(value)[["recovered"]]
        values = values.join(mine.add_suffix(side), how="inner", validate="one_to_one")
    return Pair(answers, values.reset_index().join(answers[about], on="key", how="inner"), sides)


def _of_side(rows: pd.DataFrame, side: Side) -> pd.DataFrame:
    return rows[rows["arm"] == ("scanned" if side in _RUNS else "control")]


def same_tokens(first: Answers, other: Answers, pair: Pair) -> bool:
    """True if both runs count in tokens, cut every note into as many, and every common prompt alike."""
    counts = first.note_tokens.sort_index(), other.note_tokens.sort_index()
    known = not counts[0].isna().any() and not counts[1].isna().any()
    ends = pair.answers["prefix_end_a"].equals(pair.answers["prefix_end_b"].rename("prefix_end_a"))
    return bool(known and ends and (counts[0].to_numpy() == counts[1].to_numpy()).all())


def pairing_of(
    first: Answers, other: Answers, pair: Pair, run: str, control_prompts: int, *, tokens: bool
) -> Pairing:
    """What was paired and what was left over."""
    asked = [set(_of_side(answers.answers, "_a")["key"]) for answers in (first, other)]
    at_risk = [_of_side(answers.values, "_a")["key"].isin(pair.answers.index) for answers in (first, other)]
    return Pairing(
        run=run,
        prompts=len(pair.answers),
        notes=int(pair.answers["note"].nunique()),
        patients=int(pair.answers["patient"].nunique()),
        only_a=len(asked[0] - asked[1]),
        only_b=len(asked[1] - asked[0]),
        failed_a=first.failed,
        failed_b=other.failed,
        degenerate_a=int(pair.answers["degenerate_a"].sum()),
        degenerate_b=int(pair.answers["degenerate_b"].sum()),
        control_prompts=control_prompts,
        values_only_one=sum(int(rows.sum()) for rows in at_risk) - 2 * len(pair.values),
        tokens=tokens,
    )


# --- measures -----------------------------------------------------------------------------


def cells_of(pair: Pair, unit: Unit) -> Iterator[Cell]:
    """Raw and net ratio by prefix length and threshold, recovery, notes and patients with a leak."""
    for kind, rows in pair.answers.groupby(list(DESIGN), sort=True):
        design = dict(zip(DESIGN, kind, strict=True))
        placed = rows[np.all([rows[f"prefix_end{side}"].notna() for side in pair.sides], axis=0)]
        for length, part in placed.groupby("prefix_tok", dropna=False, sort=True):
            where = {**design, "unit": unit, "prefix_length": None if length != length else int(length)}
            for threshold in THRESHOLDS:
                for name in ("raw", "net"):
                    events = [part[f"{name}_{unit}{side}"] >= threshold for side in pair.sides]
                    yield _cell(f"{name}_ratio", part, events, threshold=threshold, **where)
        values = pair.values[np.all([pair.values[name] == design[name] for name in DESIGN], axis=0)]
        for scope, some in (("i2b2", values), ("hipaa", values[values["hipaa"].notna()])):
            events = [some[f"recovered{side}"] for side in pair.sides]
            yield _cell("phi_recovery_rate", some, events, scope=scope, **design)
        headline = [f"headline{side}" for side in pair.sides]
        for column, name in (("note", "notes"), ("patient", "patients")):
            units = rows.assign(unit=rows[column]).groupby("unit")[["patient", *headline]].max()
            yield _cell(f"{name}_with_headline_leak", units, [units[h] for h in headline], **design)


def _cell(metric: str, rows: pd.DataFrame, events: Iterable[pd.Series], **where: object) -> Cell:
    made = tuple(event.to_numpy(dtype=bool) for event in events)
    return Cell(metric, Stratum.model_validate(where), rows["patient"].to_numpy(dtype=object), made)


def difference(cell: Cell, *, run: str) -> Difference:
    """Both rates, their difference with its interval, and the exact test with patients as units.

    With four sides: each run's rate less its own control's.
    """
    counts = [event.astype(np.int64) for event in cell.events]
    net = len(counts) == len(_WITH_CONTROLS)
    a, b = (counts[0] - counts[2], counts[1] - counts[3]) if net else counts
    step, n = b - a, len(a)
    gains, losses, totals = _by_patient(cell.patients, np.maximum(step, 0), np.maximum(-step, 0))
    interval = paired_difference(gains, losses, totals, span=2 if net else 1)
    one_each = not net and bool((totals == 1).all())
    return Difference(
        run=run,
        metric=cell.metric,
        stratum=cell.stratum,
        net_of_control=net,
        n=n,
        patients=len(totals),
        rate_a=float(a.mean()) if n else None,
        rate_b=float(b.mean()) if n else None,
        difference=interval.value,
        low=interval.low,
        high=interval.high,
        level=LEVEL,
        gained=int((step > 0).sum()),
        lost=int((step < 0).sum()),
        p=sign_flip(gains - losses) if n else None,
        test="McNemar, exact" if one_each else "sign flips of patients, exact",
        method=interval.method,
    )


def persistence(cell: Cell, *, run: str, seed: int) -> Persistence:
    """Overlap of the prompts with an event in run A with those in the other run."""
    a, b = cell.events
    both, either, mine, _ = _by_patient(cell.patients, a & b, a | b, a)
    common = cluster_rate(both, either, seed=seed)
    retention = cluster_rate(both, mine, seed=seed)
    only_a, only_b, union = int((a & ~b).sum()), int((b & ~a).sum()), int(either.sum())
    return Persistence(
        run=run,
        ratio=cell.metric.removesuffix("_ratio"),
        stratum=cell.stratum,
        both=int(both.sum()),
        only_a=only_a,
        only_b=only_b,
        patients=int((either > 0).sum()),
        common=common.value,
        common_low=common.low,
        common_high=common.high,
        unique_a=only_a / union if union else None,
        unique_b=only_b / union if union else None,
        retention=retention.value,
        retention_low=retention.low,
        retention_high=retention.high,
        level=LEVEL,
    )


def published(cell: Cell, *, run: str, seed: int) -> Published:
    """The published test on a ratio, with its false-positive rate at this number of prompts."""
    n = len(cell.patients)
    count_a, count_b = (int(event.sum()) for event in cell.events)
    found = resample(count_a, count_b, n, seed=seed)
    return Published(
        run=run,
        metric=cell.metric,
        stratum=cell.stratum,
        n=n,
        rate_a=count_a / n,
        rate_b=count_b / n,
        false_positive_rate=false_positive_rate(n, (count_a + count_b) / (2 * n), seed=seed),
        simulations=SIMULATIONS,
        **found._asdict(),
    )


def _by_patient(patients: npt.NDArray[np.object_], *columns: npt.NDArray[np.generic]) -> tuple[Counts, ...]:
    """Sums of each column by patient, and at last the number of units; shape (patients,) each."""
    _, codes = np.unique(patients, return_inverse=True)
    ones = np.ones(len(patients))
    return tuple(
        np.bincount(codes, column.astype(np.float64)).astype(np.int64) for column in (*columns, ones)
    )
