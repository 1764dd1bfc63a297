"""`phiscan report` of several runs: what each found, and what changed from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from phiscan import __version__
from phiscan.commands.adapted_runs import is_adaptation, measurements
from phiscan.commands.trend_runs import ReadRun, default_label, design_of, read, resolved, row_of
from phiscan.compare import Cell, adjusted, plain_differences
from phiscan.comparison import Difference, Pairing
from phiscan.errors import ConfigError
from phiscan.printable import LONGEST_NAME, is_printable, shown_name
from phiscan.reporting.figures import how_many
from phiscan.scan_report import DESIGN
from phiscan.trend import TrendReport, TrendRun, TrendStep

METRICS = ("patients_with_headline_leak", "phi_recovery_rate", "net_ratio")
"""Figures whose paired differences are shown, in their order."""
MOST_NAMED = 8
"""Differences in how two runs were asked that are named; more are counted."""


def trend_of(roots: Sequence[Path], labels: Sequence[str] = ()) -> TrendReport:
    """The trend over runs in the order given, or over the measured epochs of one adaptation.

    Raises:
        ConfigError: Fewer than two runs, one named twice, or labels that cannot be used.
        StoreError: A run is not finished, or not readable.

    """
    epochs = len(roots) == 1 and is_adaptation(roots[0])
    places, not_measured = measurements(roots[0]) if epochs else (list(roots), 0)
    if len(places) < 2:
        if epochs:
            raise ConfigError(
                "report: the adaptation measured fewer than two epochs; "
                "name one of the run directories in its epochs"
            )
        raise ConfigError(
            "report: name two runs or more, or name one alone, without --out, --label and --forecast"
        )
    places = resolved(places)
    _refuse_labels(labels, len(places))
    runs, steps, overall = _walk(places, labels, epochs=epochs)
    steps, overall, tests = _adjusted(steps, overall)
    return TrendReport(
        phiscan_version=__version__,
        epochs=epochs,
        not_measured=not_measured,
        runs=tuple(runs),
        steps=tuple(steps),
        overall=overall,
        tests=tests,
    )


def trend_schema() -> str:
    """The JSON schema of trend.json."""
    import json

    return json.dumps(TrendReport.model_json_schema(), indent=2)


def _refuse_labels(labels: Sequence[str], runs: int) -> None:
    if len(labels) > runs:
        raise ConfigError(f"--label: {how_many(len(labels), 'label')} for {how_many(runs, 'run')}")
    for number, label in enumerate(labels, 1):
        if not is_printable(label):
            raise ConfigError(f"--label: label {number}: must be 1 to {LONGEST_NAME} printable characters")


# --- one run after another ----------------------------------------------------------------


class _Groups:
    """Numbers from 1 for what is equal."""

    def __init__(self) -> None:
        self._seen: list[Any] = []

    def number(self, what: Any) -> int:
        if what not in self._seen:
            self._seen.append(what)
        return self._seen.index(what) + 1


def _walk(
    places: Sequence[Path], labels: Sequence[str], *, epochs: bool
) -> tuple[list[TrendRun], list[TrendStep], TrendStep]:
    """Rows, steps and first against last; no more than three runs' answers in memory at once."""
    notes, settings = _Groups(), _Groups()
    rows: list[TrendRun] = []
    steps: list[TrendStep] = []
    first = before = one = read(places[0], 1)
    for number, place in enumerate(places, 1):
        if number > 1:
            before, one = one, read(place, number)
            steps.append(_step(before, one))
        label = dict(enumerate(labels, 1)).get(number) or default_label(number, one, epochs=epochs)
        if label in [row.label for row in rows]:
            raise ConfigError(f"--label: run {number} has the label of another run")
        groups = (notes.number(one.run.notes), settings.number(one.asked))
        rows.append(row_of(one, number=number, label=label, notes_group=groups[0], settings_group=groups[1]))
    return rows, steps, steps[0] if len(steps) == 1 else _step(first, one)


def _step(first: ReadRun, second: ReadRun) -> TrendStep:
    names = first.run.name, second.run.name
    differ = list(_differing(first, second))
    pairing: Pairing | None = None
    differences: list[Difference] = []
    why = _other_notes(first, second)
    if why is None:
        pairing, differences = plain_differences(
            first.run.answers, second.run.answers, run=names[1], shown=_shown(first)
        )
        why = None if pairing.prompts else "they have no prompt in common that both answered"
    compared = pairing is not None and why is None
    return TrendStep(
        first=int(names[0]),
        second=int(names[1]),
        differ=tuple(([] if why is None else [why]) + differ),
        not_compared=why,
        pairing=pairing if compared else None,
        differences=tuple(sorted(differences, key=_place)) if compared else (),
    )


def _place(row: Difference) -> tuple[int, int, int]:
    """Patients first, then values, then prompts by length and threshold."""
    return METRICS.index(row.metric), row.stratum.prefix_length or 0, row.stratum.threshold or 0


def _shown(first: ReadRun) -> Callable[[Cell], bool]:
    """The figures that a trend shows: of the first design alone."""
    design = design_of(first.run.report)

    def shown(cell: Cell) -> bool:
        where = cell.stratum
        return (
            cell.metric in METRICS
            and where.scope in (None, "hipaa")
            and all(getattr(where, name) == design.get(name) for name in DESIGN)
        )

    return shown


def _other_notes(first: ReadRun, second: ReadRun) -> str | None:
    missing = len(first.run.notes - second.run.notes)
    added = len(second.run.notes - first.run.notes)
    if not missing and not added:
        return None
    return (
        f"their notes are not the same (ids, patients, splits and texts): {missing:,} of run "
        f"{first.run.name} are not in run {second.run.name}, {added:,} the other way round"
    )


def _differing(first: ReadRun, second: ReadRun) -> Iterator[str]:
    """Names of what was asked or judged in other ways."""
    keys = first.asked.keys() | second.asked.keys()
    found = sorted(key for key in keys if first.asked.get(key) != second.asked.get(key))
    yield from map(shown_name, islice(found, MOST_NAMED))
    if len(found) > MOST_NAMED:
        yield f"{len(found) - MOST_NAMED} more"


class _Family(NamedTuple):
    steps: list[TrendStep]
    overall: TrendStep
    tests: int


def _adjusted(steps: list[TrendStep], overall: TrendStep) -> _Family:
    """Holm over every test of the report: each step, and first against last where that is another pair."""
    alone = len(steps) == 1
    every = steps if alone else [*steps, overall]
    rows = iter(adjusted([row for step in every for row in step.differences]))
    done = [
        step.model_copy(update={"differences": tuple(islice(rows, len(step.differences)))}) for step in every
    ]
    tests = sum(row.p is not None for step in done for row in step.differences)
    return _Family(done if alone else done[:-1], done[-1], tests)


def shown_differences(report: TrendReport) -> Iterator[tuple[TrendStep, Difference]]:
    """Every paired difference with its step; first against last at the end, unless it is the one step."""
    for step in (*report.steps, *([report.overall] if len(report.steps) > 1 else [])):
        for row in step.differences:
            yield step, row
