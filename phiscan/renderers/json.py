"""The report as JSON: the whole typed record, indented by two, fields in the order of the types."""

from __future__ import annotations

from phiscan.scan_report import ScanReport

SUFFIX = ".json"


def render(report: ScanReport) -> str:
    """The document; :meth:`ScanReport.model_validate_json` reads it back unchanged."""
    return report.model_dump_json(indent=2) + "\n"
