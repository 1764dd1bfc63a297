"""Renders the report of a finished run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from phiscan.commands.adapted_runs import refuse_adaptation
from phiscan.config import load_config
from phiscan.errors import ConfigError, StoreError
from phiscan.printable import visible
from phiscan.registry import load_plugin
from phiscan.run_files import ANNEX_LOG
from phiscan.scan_report import Release, ScanReport
from phiscan.store import RunDirectory


def read_report(run: Path) -> ScanReport:
    """The report of a run; StoreError if there is none that this version can read."""
    refuse_adaptation(run)
    try:
        return ScanReport.model_validate(RunDirectory(run).read_json("report.json"))
    except ValidationError:
        raise StoreError("the run directory's report.json is not a report this version can read") from None


def say_release(run: Path, config: Path) -> None:
    """Put what ``[release]`` of a settings file says into the report of a finished run.

    ConfigError for a file that cannot be used; StoreError for a run without a report.
    """
    release = load_config(config).release
    if release == Release():
        raise ConfigError("--config: says nothing of the release (section [release])")
    report = read_report(run).model_copy(update={"release": release})
    RunDirectory(run).write_text("report.json", load_plugin("renderers", "json").render(report))


def render_run(run: Path, formats: Sequence[str]) -> list[str]:
    """Render in each format; what to print: the console's text, the names of files written."""
    renderers = [(name, load_plugin("renderers", name)) for name in formats]
    report = read_report(run)
    lines = []
    for name, renderer in renderers:
        document = renderer.render(report)
        if name == "console":
            lines += [document, *_annexes(run)]
        else:
            written = RunDirectory(run).write_document(f"report{renderer.SUFFIX}", document)
            lines.append(visible(str(written)))
    return lines


def _annexes(run: Path) -> list[str]:
    """What the console says of the annexes written of a run; nothing if there are none."""
    try:
        rows = RunDirectory(run).read_lines(ANNEX_LOG)
    except StoreError as error:
        return [f"Who was shown patient text is not known: {error}"]
    if not rows:
        return []
    times = "once" if len(rows) == 1 else f"{len(rows)} times"
    return [
        f"An annex with patient text was written {times}: {ANNEX_LOG} in the run directory says for whom."
    ]


def report_schema() -> str:
    """The JSON schema of report.json."""
    return json.dumps(ScanReport.model_json_schema(), indent=2)
