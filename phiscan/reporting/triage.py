"""What kind of memorization the repeats are, in words."""

from __future__ import annotations

from phiscan.reporting.figures import how_many
from phiscan.reporting.glossary import ARMS
from phiscan.scan_report import ScanReport, TriageRow


def triage_sentences(report: ScanReport) -> list[str]:
    """One sentence for each arm with an answer that repeats its note or leaks."""
    rows: dict[str, TriageRow] = {row.arm: row for row in report.triage}
    return [
        f"{name}: of {how_many(row.outputs, 'answer')} that repeat 30 units of their note or leak, "
        f"{row.harmful:,} are harmful, {row.uninformative:,} uninformative, "
        f"{row.beneficial_candidate:,} candidates for beneficial, {row.unclassified:,} unclassified"
        + (f" ({row.by_people:,} so said by people)." if row.by_people else ".")
        for arm, name in ARMS.items()
        if (row := rows.get(arm)) is not None
    ]
