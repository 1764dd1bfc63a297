"""What the pass over every note spared from being asked, and what that misses, in words."""

from __future__ import annotations

from phiscan.reporting.figures import how_many, in_words, percent
from phiscan.reporting.glossary import ARMS
from phiscan.reporting.view import first, pick
from phiscan.scan_report import ScanReport, ScreeningRow

_MISSES = (
    ("cleared_with_run", "gave back a run of 30 or more"),
    ("cleared_with_headline_leak", "gave a headline leak"),
    ("cleared_with_other_patient", "gave another patient's value"),
)


def screening_sentences(report: ScanReport) -> list[str]:
    """One sentence for what was spared in each arm, one for each kind of miss; empty without screening."""
    said = []
    for row in report.screening:
        asked = row.prompts_asked + row.saved
        said.append(
            f"{ARMS[row.arm]}: {how_many(row.notes_cleared, 'note')} show no greedy run of 30 tokens; "
            f"{row.saved:,} of {how_many(asked, 'prompt')} ({percent(row.saved / asked)}) were not asked. "
            + _sample(row)
        )
        for metric, words in _MISSES:
            estimate = first(pick(report.estimates, metric, arm=row.arm))
            if estimate is not None:
                said.append(f"{ARMS[row.arm]}: of these, what {words}: {in_words(estimate)}.")
    return said


def _sample(row: ScreeningRow) -> str:
    if not row.sampled_prompts:
        return (
            "None of such notes was asked for all the same, as no patient with one was drawn: rates are of "
            "the other notes alone, and say nothing of these."
        )
    return (
        f"{how_many(row.sampled_prompts, 'prompt')} of such notes, of {row.sample:.0%} of the patients, "
        "were asked all the same, and stand for the rest in every rate; counts are of what was asked."
    )
