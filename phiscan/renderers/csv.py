"""The report as tables: a folder of tidy CSV files, one for each table of the report."""

from __future__ import annotations

from phiscan.reporting.tidy import tables_of
from phiscan.scan_report import ScanReport

SUFFIX = "-tables"


def render(report: ScanReport) -> dict[str, str]:
    """Content by file name; also of tables without a row, which hold their head."""
    return {f"{name}.csv": text for name, text in tables_of(report).items()}
