"""What of a demo's report is pinned: everything but times, the machine, and what bears the run's key."""

from __future__ import annotations

import json
import platform
import re
from pathlib import Path
from typing import Any

from phiscan.scan_report import ScanReport

PINNED = Path(__file__).parent / "demo_report.json"
_OF_THIS_RUN = ("created", "seconds", "python", "platform", "packages", "inputs")
_DIGITS = 9


def figures(report: ScanReport) -> dict[str, Any]:
    """The report as JSON, numbers to nine digits, without what another run of the same scan may change."""
    found: dict[str, Any] = report.model_dump(mode="json")
    for name in _OF_THIS_RUN:
        del found["manifest"][name]
    for model in found["manifest"]["models"]:
        model.pop("threads")
    rounded: dict[str, Any] = _rounded(found)
    return rounded


def machine() -> dict[str, str]:
    """What the demo's training depends on beside its code: equal ones train equal weights."""
    import torch

    processors = re.findall(r"^model name\s*: (.*)$", _processor_list(), re.MULTILINE)
    return {
        "processor": processors[0] if processors else platform.processor(),
        "capability": torch.backends.cpu.get_cpu_capability(),
        "torch": torch.__version__,
    }


def _processor_list() -> str:
    listed = Path("/proc/cpuinfo")
    return listed.read_text(encoding="utf-8") if listed.exists() else ""


def pin(report: ScanReport) -> None:
    """Write the figures of ``report`` as those that others are held against."""
    text = json.dumps(
        {"made_on": machine(), "report": figures(report)}, sort_keys=True, separators=(",", ":")
    )
    PINNED.write_text(
        text.replace("},{", "},\n{") + "\n", encoding="utf-8"
    )  # a row a line, for who reads a change


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value
