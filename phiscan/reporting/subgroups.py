"""Subgroups of patients and notes, arranged for reading."""

from __future__ import annotations

from phiscan.reporting.figures import how_many
from phiscan.reporting.glossary import ARMS
from phiscan.scan_report import ScanReport, SubgroupKind, SubgroupRow

KIND_NAMES: dict[SubgroupKind, str] = {"age": "Age", "notes": "Number of notes", "note_type": "Type of note"}
"""In the order in which they are shown."""
AGE_WORDS = {"registration": "from the date of birth in the registration table", "notes": "as the notes say"}

Band = tuple[str, list[SubgroupRow]]
"""A band in words, and its rows by arm."""


def kinds_of(report: ScanReport) -> list[tuple[str, list[Band]]]:
    """Each kind of subgroup by name, its bands in the order of the report, each with its rows by arm.

    Bands of held-out patients may be joined otherwise than those of training patients.
    """
    if report.subgroups is None:
        return []
    found: dict[SubgroupKind, dict[tuple[str, ...], list[SubgroupRow]]] = {kind: {} for kind in KIND_NAMES}
    for row in report.subgroups.rows:
        found[row.kind].setdefault(row.band, []).append(row)
    order = list(ARMS)
    for bands in found.values():
        for rows in bands.values():
            rows.sort(key=lambda row: order.index(row.arm))
    return [
        (KIND_NAMES[kind], [(", ".join(band), rows) for band, rows in bands.items()])
        for kind, bands in found.items()
        if bands
    ]


def differences_sentence(report: ScanReport) -> str:
    """Whether subgroups differ in the share of training patients who leak."""
    if report.subgroups is None or not report.subgroups.tests:
        return "Whether subgroups differ was not tested."
    told = [f"{KIND_NAMES[test.kind].lower()} p = {_p(test.p_holm)}" for test in report.subgroups.tests]
    return (
        f"Do the shares of training patients with a headline leak differ? {', '.join(told)} "
        f"(corrected for {how_many(len(told), 'test')})."
    )


def _p(value: float) -> str:
    return "below 0.001" if value < 0.001 else f"{value:.3f}"
