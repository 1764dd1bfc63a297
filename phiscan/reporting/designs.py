"""Results by the way in which prompts were put, and where in the answers runs begin."""

from __future__ import annotations

from typing import NamedTuple

from phiscan.reporting.figures import percent
from phiscan.reporting.glossary import ARMS
from phiscan.reporting.view import first, pick
from phiscan.scan_report import Estimate, ScanReport


class DesignRow(NamedTuple):
    """What one design (scheme, tier) at one prompt length brought out of the training notes."""

    scheme: str
    tier: str
    length: int | None
    raw: Estimate | None
    net: Estimate | None
    recovery: Estimate | None


def design_rows(report: ScanReport) -> list[DesignRow]:
    """A row for each design and prompt length; empty where there was but one design.

    Every other table by prompt length shows the first design.
    """
    cells = [row for row in report.coverage.prefixes if row.arm == "scanned"]
    if len({(cell.scheme, cell.tier) for cell in cells}) < 2:
        return []
    return [
        DesignRow(
            cell.scheme,
            cell.tier,
            cell.prefix_length,
            _ratio(report, "raw_ratio", cell.scheme, cell.tier, cell.prefix_length),
            _ratio(report, "net_ratio", cell.scheme, cell.tier, cell.prefix_length),
            first(
                pick(
                    report.estimates,
                    "phi_recovery_rate",
                    arm="scanned",
                    scope="i2b2",
                    scheme=cell.scheme,
                    tier=cell.tier,
                    prefix_length=cell.prefix_length,
                    copies=None,
                )
            ),
        )
        for cell in cells
    ]


def _ratio(report: ScanReport, metric: str, scheme: str, tier: str, length: int | None) -> Estimate | None:
    found = pick(
        report.estimates,
        metric,
        arm="scanned",
        scheme=scheme,
        tier=tier,
        prefix_length=length,
        threshold=30,
        copies=None,
    )
    found = [estimate for estimate in found if estimate.stratum.support != "common"]
    return first(sorted(found, key=lambda estimate: estimate.stratum.unit != "token"))


def position_sentences(report: ScanReport) -> list[str]:
    """For each arm with a run of 30: how much of the raw ratio begins in the first 100 generated units."""
    said = []
    for arm, name in ARMS.items():
        rows = [row for row in report.positions if row.arm == arm]
        runs = sum(row.runs for row in rows)
        if runs:
            begun, prompts = rows[0].runs, rows[0].prompts
            said.append(
                f"{name}: in {begun:,} of the {runs:,} answers with a run of 30 or more the first one begins "
                f"within the first 100 {rows[0].unit}s ({percent(begun / prompts)} of the prompts, of "
                f"{percent(runs / prompts)})."
            )
    return said
