"""A scan with its report rendered."""

from __future__ import annotations

from pathlib import Path

from phiscan.commands.report import render_run
from phiscan.config import ScanConfig
from phiscan.passes.plan import Progress, ScanInputs
from phiscan.pipeline import scan
from phiscan.scan_report import ScanReport


def scan_and_render(inputs: ScanInputs, config: ScanConfig, progress: Progress) -> tuple[ScanReport, Path]:
    """Scan, write report.html beside report.json, and return the report and the page's place."""
    report = scan(inputs, config, progress)
    render_run(inputs.out, ["html"])
    return report, inputs.out / "report.html"
