"""A trend as tables for people: the same rows on the page and in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from phiscan.comparison import Difference
from phiscan.reporting.figures import counted, how_many, margin, percent
from phiscan.reporting.glossary import OUTCOMES, name_of
from phiscan.reporting.trend_words import p_words, utility_figure, utility_name
from phiscan.scan_report import Estimate
from phiscan.trend import TrendReport, TrendRun, TrendStep

_DASH = "-"


class TrendTable(NamedTuple):
    """Title, columns and rows; the first ``left`` columns hold words; a cell may have a second line."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    left: int


def trend_tables(report: TrendReport) -> Iterator[TrendTable]:
    """Every table that has a row, in reading order."""
    yield TrendTable(
        "What each run found (below each figure its 95% interval or bound)",
        (
            *("", "run", "decision", "patients with a leak", "held-out patients with one"),
            *("PHI recovered", "other patients' values"),
        ),
        [_found(run) for run in report.runs],
        3,
    )
    yield from _net(report)
    yield from _more(report)
    rows = [row for step in report.steps for row in _step(step)]
    if len(report.steps) > 1:
        rows += _step(report.overall)
    yield from _paired(report)
    yield TrendTable(
        f"What changed from run to run, on the same prompts (Holm over {how_many(report.tests, 'test')})",
        ("runs", "", "before", "after", "gained", "lost", "points", "95%", "p", "p (Holm)"),
        rows,
        2,
    )


def _found(run: TrendRun) -> tuple[str, ...]:
    return (
        str(run.number),
        run.label,
        OUTCOMES[run.outcome].title,
        _with_limits(run.estimate("patients_with_headline_leak")),
        _with_limits(run.estimate("patients_with_headline_leak", arm="holdout")),
        _with_limits(run.estimate("phi_recovery_rate")),
        _DASH if run.other_patient is None else f"{run.other_patient.values:,}",
    )


def _net(report: TrendReport) -> Iterator[TrendTable]:
    lengths = report.lengths()
    if lengths:
        yield TrendTable(
            "Net ratio by prompt length, runs of 30 or more / of 50 or more",
            ("", "run", *("as given" if length is None else str(length) for length in lengths)),
            [
                (str(run.number), run.label, *(_pair(run, length) for length in lengths))
                for run in report.runs
            ],
            2,
        )


def _pair(run: TrendRun, length: int | None) -> str:
    found = [run.estimate("net_ratio", threshold=threshold, length=length) for threshold in (30, 50)]
    if found[0] is None:
        return _DASH
    shares = (_DASH if one is None or one.value is None else percent(one.value) for one in found)
    return f"{' / '.join(shares)} of {found[0].n:,}"


def _more(report: TrendReport) -> Iterator[TrendTable]:
    """Utility, exposure, plants and mitigations: the columns that any run has."""
    names = list(dict.fromkeys(name for run in report.runs for name in run.utility))
    columns = {
        "identifiers written greedily": [run.estimate("greedy_identifier_rate") for run in report.runs],
        "plants back": [run.estimate("patients_with_headline_leak", arm="plant") for run in report.runs],
        "twins back": [run.estimate("patients_with_headline_leak", arm="twin") for run in report.runs],
    }
    shown = {title: found for title, found in columns.items() if any(found)}
    with_mitigations = any(run.mitigations is not None for run in report.runs)
    if not (names or shown or with_mitigations):
        return
    yield TrendTable(
        "How well each had learnt, and what else it gave away",
        (
            *("", "run"),
            *(["mitigations"] if with_mitigations else []),
            *map(utility_name, names),
            *shown,
        ),
        [
            (
                str(run.number),
                run.label,
                *([_mitigations(run)] if with_mitigations else []),
                *(
                    utility_figure(name, run.utility[name]) if name in run.utility else _DASH
                    for name in names
                ),
                *(_counted(found[place]) for found in shown.values()),
            )
            for place, run in enumerate(report.runs)
        ],
        3 if with_mitigations else 2,
    )


def _paired(report: TrendReport) -> Iterator[TrendTable]:
    steps = (*report.steps, *([report.overall] if len(report.steps) > 1 else []))
    rows = [
        (
            f"{step.first} to {step.second}",
            "tokens" if step.pairing.tokens else "words",
            *(f"{count:,}" for count in (step.pairing.prompts, step.pairing.notes, step.pairing.patients)),
            *(f"{count:,}" for count in (step.pairing.only_a, step.pairing.only_b)),
            f"{step.pairing.values_only_one:,}",
        )
        for step in steps
        if step.pairing is not None
    ]
    if rows:
        left_over = ("only earlier asked", "only later asked", "values in one only")
        columns = ("runs", "counted in", "prompts", "notes", "patients", *left_over)
        yield TrendTable("What both runs of a pair answered, and what is left over", columns, rows, 2)


def _mitigations(run: TrendRun) -> str:
    return "not known" if run.mitigations is None else "; ".join(run.mitigations) or "none"


def _step(step: TrendStep) -> list[tuple[str, ...]]:
    pair = f"{step.first} to {step.second}"
    if step.not_compared is not None:
        return [(pair, f"not comparable, because {step.not_compared}", *[_DASH] * 8)]
    return [(pair, *_difference(row)) for row in step.differences]


def _difference(row: Difference) -> tuple[str, ...]:
    where = row.stratum
    length = None if where.prefix_length is None else f"prompt {where.prefix_length}"
    what = ", ".join(
        part for part in (name_of(row.metric), where.threshold and f"{where.threshold}+", length) if part
    )
    points = (row.rate_a, row.rate_b, row.difference)
    before, after, difference = (_DASH if value is None else percent(value) for value in points)
    limits = (
        _DASH
        if row.low is None or row.high is None
        else f"{percent(row.low).removesuffix('%')} to {percent(row.high)}"
    )
    counts = f"{row.gained:,} of {row.n:,}", f"{row.lost:,}"
    tests = (_p(row.p), _p(row.p_holm))
    return what, before, after, *counts, difference, limits, *tests


def _p(value: float | None) -> str:
    return p_words(value).removeprefix("p = ").replace("p < ", "<").replace("no p", _DASH)


def _counted(found: Estimate | None) -> str:
    return _DASH if found is None else counted(found)


def _with_limits(found: Estimate | None) -> str:
    """The figure, and on a second line its interval or bound."""
    return _DASH if found is None else "\n".join(filter(None, (counted(found), margin(found))))
