"""Results by the way in which was asked and decoded, and where in the answers runs begin."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from phiscan.reporting.figures import in_words, percent
from phiscan.reporting.glossary import ARMS
from phiscan.reporting.view import first, pick
from phiscan.reporting.ways import several, way
from phiscan.scan_report import DESIGN, Estimate, PrefixCoverage, ScanReport


class DesignRow(NamedTuple):
    """What one design at one prompt length brought out of the training notes."""

    scheme: str
    tier: str
    decoding: str
    length: int | None
    raw: Estimate | None
    net: Estimate | None
    recovery: Estimate | None


class DecodingRow(NamedTuple):
    """What one way of decoding brought out of the training notes, over all prompt lengths."""

    way: str
    answers: int
    leaking: Estimate | None
    """Notes with a headline leak."""
    recovery: Estimate | None


def design_rows(report: ScanReport) -> list[DesignRow]:
    """A row for each design and prompt length; empty where there was but one design.

    Every other table by prompt length shows the first design.
    """
    if not several(report):
        return []
    return [
        DesignRow(
            cell.scheme,
            cell.tier,
            cell.decoding,
            cell.prefix_length,
            _ratio(report, "raw_ratio", cell),
            _ratio(report, "net_ratio", cell),
            _recovery(report, cell, prefix_length=cell.prefix_length),
        )
        for cell in _asked(report)
    ]


def decoding_rows(report: ScanReport) -> list[DecodingRow]:
    """A row for each design; empty where there was but one way of decoding."""
    names = several(report)
    if "decoding" not in names:
        return []
    cells: dict[tuple[str, ...], list[PrefixCoverage]] = defaultdict(list)
    for cell in _asked(report):
        cells[tuple(_design(cell).values())].append(cell)
    return [
        DecodingRow(
            way(cell, names),
            sum(one.done for one in mine),
            first(_of_scanned(report, "notes_with_headline_leak", **_design(cell))),
            _recovery(report, cell, prefix_length=None),
        )
        for mine in cells.values()
        for cell in mine[:1]
    ]


def decoding_sentences(report: ScanReport) -> list[str]:
    """How much more came out for decoding in several ways, in words; empty where there was but one."""
    rows = [row for row in decoding_rows(report) if row.leaking is not None]
    overall = first(_of_scanned(report, "notes_with_headline_leak", decoding=None))
    if not rows or overall is None:
        return []
    alone = rows[0]
    most = max(rows, key=lambda row: row.leaking.value or 0.0 if row.leaking else 0.0)
    return [
        f"Notes with a headline leak in any of these ways: {in_words(overall)}. {alone.way} alone: "
        f"{in_words(alone.leaking)}. "
        + (
            "No other way alone brings out more."
            if most.way == alone.way
            else f"The most come out by {most.way}: {in_words(most.leaking)}."
        ),
        "The decision is on all answers. Positions, kinds of memorization, copies, repetitions and reach "
        f"are counted on the answers of the first way of decoding ({_asked(report)[0].decoding}).",
    ]


def _asked(report: ScanReport) -> list[PrefixCoverage]:
    return [cell for cell in report.coverage.prefixes if cell.arm == "scanned"]


def _design(cell: PrefixCoverage) -> dict[str, str]:
    return {name: getattr(cell, name) for name in DESIGN}


def _of_scanned(report: ScanReport, metric: str, **wanted: object) -> list[Estimate]:
    return pick(report.estimates, metric, arm="scanned", copies=None, **wanted)


def _recovery(report: ScanReport, cell: PrefixCoverage, *, prefix_length: int | None) -> Estimate | None:
    where = {**_design(cell), "scope": "i2b2", "prefix_length": prefix_length}
    return first(_of_scanned(report, "phi_recovery_rate", **where))


def _ratio(report: ScanReport, metric: str, cell: PrefixCoverage) -> Estimate | None:
    found = _of_scanned(report, metric, **_design(cell), prefix_length=cell.prefix_length, threshold=30)
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
