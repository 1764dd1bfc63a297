"""What the detectors find of what people annotated in local notes, in words."""

from __future__ import annotations

from phiscan.reporting.figures import how_many, in_words
from phiscan.scan_report import ScanReport

NOT_COUNTED = "What a detector misses in the notes is not counted as at risk."
NOT_MEASURED = (
    "How much the detectors miss in notes of this house was not measured: no annotated notes were given "
    "(phiscan scan --gold)."
)


def detection_sentences(report: ScanReport) -> list[str]:
    """The figure that matters first, then what it leaves open; one sentence where nothing was measured."""
    if report.detection is None or not report.detection.rows:
        return [NOT_MEASURED, NOT_COUNTED]
    section, whole = report.detection, report.detection.rows[0]
    return [
        f"Of the identifiers marked in {how_many(section.notes, 'annotated note')} the detectors of this run "
        f"found {in_words(whole.overlap_recall)}.",
        f"With exactly the same bounds: {in_words(whole.strict_recall)}.",
        NOT_COUNTED,
    ]
