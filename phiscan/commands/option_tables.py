"""What `phiscan options` prints: tables of words and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from phiscan.commands.options import OptionsReport
from phiscan.questions import OTHER_SPECIALTY
from phiscan.reporting.figures import counted, how_many, in_words, margin, share_with_limits
from phiscan.scan_report import Estimate


class Table(NamedTuple):
    """One table; the first ``left`` columns hold words."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]
    left: int


def tables(report: OptionsReport) -> Iterator[Table]:
    """Every table, empty ones too."""
    size = f"{how_many(report.questions, 'question')}, {how_many(report.cases, 'case')}"
    bad = f"{sum(report.rows_bad.values()):,} of {how_many(report.rows_read, 'row')} unusable"
    useless = sum(report.replay_bad.values())
    bad += f"; {how_many(useless, 'answer')} of --replay to no question asked" if useless else ""
    tasks = [(t.task, t.asked, t.answered, t.failed, t.empty) for t in report.tasks if t.asked]
    yield Table(f"Asked ({size}; {bad})", ("task", "asked", "answered", "failed", "empty"), tasks, 1)
    matches = [
        (
            match.test,
            match.removed,
            _figure(match.observed),
            share_with_limits(match.chance, match.chance_low, match.chance_high),
            share_with_limits(match.excess, match.excess_low, match.excess_high),
        )
        for match in report.matches
    ]
    title = f"Removed options given back ({report.removed_in_prompt:,} could be read in the prompt)"
    yield Table(title, ("test", "removed", "given back", "by chance", "beyond chance"), matches, 2)
    others = f"{OTHER_SPECIALTY} ({report.other_specialties:,} not in the list)"
    shown = {None: "all", OTHER_SPECIALTY: others}
    right = [
        (
            row.task,
            row.top,
            shown.get(row.specialty, row.specialty),
            _figure(row.estimate),
            row.estimate.n_undecided,
        )
        for row in report.accuracy
    ]
    yield Table("Right answers", ("task", "within the first", "specialty", "right", "unclear"), right, 3)


def _figure(estimate: Estimate) -> str:
    return f"{counted(estimate)} ({margin(estimate)})" if estimate.value else in_words(estimate)
