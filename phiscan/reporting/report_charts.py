"""The charts of one report, as inline SVG; empty text where there is nothing to draw."""

from __future__ import annotations

from phiscan.reporting import glossary
from phiscan.reporting.charts import Bar, Panel, Point, Series, arm_panels, category_bars
from phiscan.reporting.discoverable import curve_panels, curve_story
from phiscan.reporting.figures import counted, finite, headline_number
from phiscan.reporting.view import (
    CopiesCell,
    PhiRow,
    RatioTable,
    column_key,
    copies_rows,
    copies_story,
    phi_rows,
    ratio_tables,
)
from phiscan.scan_report import Estimate, ExposureRow, PositionRow, ScanReport


def report_charts(report: ScanReport) -> dict[str, str]:
    """SVG by name: ratios, positions, phi, copies, exposure, discoverable."""
    tables = ratio_tables(report)
    return {
        "ratios": _ratio_chart(tables[0]) if tables else "",
        "positions": _position_chart(report.positions),
        "phi": _phi_chart(phi_rows(report)),
        "copies": _copies_chart(report),
        "exposure": _exposure_chart(report.exposure.rows if report.exposure else ()),
        "discoverable": _discoverable_chart(report),
    }


def _point(estimate: Estimate | None) -> Point:
    if estimate is None or not finite(estimate.value):
        return Point(None)
    bounds = [bound if finite(bound) else None for bound in (estimate.low, estimate.high)]
    return Point(estimate.value, *bounds)


def _ratio_chart(table: RatioTable) -> str:
    """Net ratio by prompt length: one panel for each threshold."""
    panels, sentences = [], []
    for threshold in [threshold for metric, threshold in table.columns if metric == "net_ratio"]:
        column = column_key("net_ratio", threshold)
        arms = [arm for arm in glossary.ARMS if any(column in g.arms.get(arm, {}) for g in table.groups)]
        series = []
        for arm in arms:
            estimates = [group.arms.get(arm, {}).get(column) for group in table.groups]
            series.append(Series(arm, glossary.ARMS[arm], [_point(e) for e in estimates]))
            told = [f"{g.label}: {counted(e)}" for g, e in zip(table.groups, estimates, strict=True) if e]
            sentences.append(f"{glossary.ARMS[arm]}, runs of {threshold} or more: {', '.join(told)}.")
        labels = [group.label for group in table.groups]
        title = f"Net ratio, runs of {threshold} or more {table.unit}s"
        panels.append(Panel(title, labels, "prompt length (tokens)", series))
    if not panels:
        return ""
    return arm_panels("ratios", "Net ratio by prompt length, with intervals", " ".join(sentences), panels)


def _phi_chart(rows: list[PhiRow]) -> str:
    """Share of the PHI at risk that was recovered, by category."""
    bars, sentences = [], []
    for row in rows:
        own = row.arms.get("scanned")
        if own is None:
            continue
        note = f"{own.count:,} of {own.n:,}" if finite(own.value) else headline_number(own)
        label = f"{row.category} ({row.letter})" if row.letter else row.category
        bars.append(Bar(label, note, {arm: _point(estimate) for arm, estimate in row.arms.items()}))
        sentences.append(f"{label}: {counted(own)}.")
    if not bars:
        return ""
    shown = {arm: name for arm, name in glossary.ARMS.items() if any(arm in row.arms for row in rows)}
    title = "Share of the health information at risk that was recovered, by category"
    return category_bars("phi", title, " ".join(sentences), bars, shown)


def _copies_chart(report: ScanReport) -> str:
    """Net ratio and recovery by exact copies: two panels."""
    rows = copies_rows(report)
    if not rows:
        return ""
    bands = [band for band, _ in rows]
    net, recovery = [], []
    for arm, name in glossary.ARMS.items():
        cells = [arms.get(arm) for _, arms in rows]
        if any(cells):
            net.append(Series(arm, name, [_net(cell) for cell in cells]))
            recovery.append(Series(arm, name, [_recovery(cell) for cell in cells]))
    axis = "exact copies of the note"
    panels = [
        Panel("Prompts that gave back a run of 30 or more (net)", bands, axis, net),
        Panel("Health information at risk that was recovered", bands, axis, recovery),
    ]
    summary = copies_story(report) or "Leakage by the number of exact copies."
    return arm_panels("copies", "Leakage by exact copies of a note", summary, panels)


def _discoverable_chart(report: ScanReport) -> str:
    """Notes that n draws give, by n: a panel for each probability."""
    panels = curve_panels(report.exposure) if report.exposure else []
    if report.exposure is None or not panels:
        return ""
    title = "Notes whose next 50 tokens so many answers give at least once"
    return arm_panels("discoverable", title, curve_story(report.exposure), panels)


def _net(cell: CopiesCell | None) -> Point:
    if cell is None:
        return Point(None)
    return _point(cell.net) if cell.net else _share(cell.row.net_30, cell.row.prompts)


def _recovery(cell: CopiesCell | None) -> Point:
    if cell is None:
        return Point(None)
    return _point(cell.recovery) if cell.recovery else _share(cell.row.recovered, cell.row.at_risk)


def _share(part: int, whole: int) -> Point:
    return Point(part / whole if whole else None)


def _position_chart(rows: tuple[PositionRow, ...]) -> str:
    """Where in the answers the first run begins: share of the prompts, by hundreds of units."""
    bands = sorted({row.first for row in rows})
    if not any(row.runs for row in rows) or len(bands) < 2:
        return ""
    series, sentences = [], []
    for arm, name in glossary.ARMS.items():
        mine = {row.first: row for row in rows if row.arm == arm}
        if mine:
            found = [mine.get(band) for band in bands]
            series.append(
                Series(arm, name, [_share(row.runs, row.prompts) if row else Point(None) for row in found])
            )
            told = [f"from {row.first + 1}: {row.runs:,} of {row.prompts:,}" for row in found if row]
            sentences.append(f"{name}, {', '.join(told)}.")
    unit = rows[0].unit
    title = f"Prompts whose answer begins its first run of 30 or more {unit}s there"
    labels = [f"{band + 1}-{band + 100}" for band in bands]
    panel = Panel(title, labels, f"generated {unit}s", series)
    return arm_panels("positions", title, " ".join(sentences), [panel])


def _exposure_chart(rows: tuple[ExposureRow, ...]) -> str:
    """Share of the identifiers that greedy decoding writes whole, by category."""
    shown = [row for row in rows if row.category is not None and row.spans]
    mine = [row for row in shown if row.arm == "scanned"]
    if not any(row.greedy for row in shown) or not mine:
        return ""
    bars = [
        Bar(
            row.category or "",
            f"{row.greedy:,} of {row.spans:,}",
            {one.arm: _share(one.greedy, one.spans) for one in shown if one.category == row.category},
        )
        for row in sorted(mine, key=lambda row: -row.greedy / row.spans)
    ]
    arms = {arm: name for arm, name in glossary.ARMS.items() if any(arm in bar.points for bar in bars)}
    title = "Share of the identifiers that greedy decoding writes whole, by category"
    return category_bars("exposed", title, " ".join(f"{b.label}: {b.note}." for b in bars), bars, arms)
