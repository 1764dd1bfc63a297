"""The files and the text of a trend report: page, JSON, CSV, console."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from phiscan.commands.csv_tables import write_tables
from phiscan.commands.trend import shown_differences, trend_of
from phiscan.errors import ConfigError
from phiscan.printable import PrintableName, visible
from phiscan.private_file import private_folder, refuse_in_run, write_private
from phiscan.registry import load_plugin
from phiscan.renderers.html import TEMPLATES, template_environment
from phiscan.reporting import glossary
from phiscan.reporting.figures import headline_number, qualification, stratum_words
from phiscan.reporting.trend_charts import trend_charts
from phiscan.reporting.trend_tables import trend_tables
from phiscan.reporting.trend_words import cautions, least, what_changed
from phiscan.scan_report import Estimate, Model, Stratum
from phiscan.trend import TrendReport, TrendRun

FILES = ("html", "json", "csv")
DEFINED = ("patients_with_headline_leak", "phi_recovery_rate", "net_ratio", "greedy_identifier_rate")
CONCEPTS = ("headline", "arms", "interval", "plant", "degenerate")


class RunLine(Model):
    """One run: a line of runs.csv."""

    run: int
    label: PrintableName
    outcome: str
    complete: bool
    epoch: int | None
    notes_group: int
    settings_group: int
    screened: bool
    answers: int
    degenerate: int
    other_patient_values: int | None
    other_patient_hits: int | None
    validation_loss: float | None
    top1: float | None
    top2: float | None
    top3: float | None
    epsilon: float | None
    mitigations: str | None


class FigureLine(Model):
    """One figure of one run: a line of figures.csv."""

    run: int
    label: PrintableName
    metric: str
    stratum: Stratum
    value: float | None
    low: float | None
    high: float | None
    level: float
    count: int
    n: int
    patients: int
    method: str


class ChangeLine(Model):
    """One paired difference of two runs: a line of changes.csv."""

    first: int
    second: int
    metric: str
    stratum: Stratum
    n: int
    patients: int
    rate_first: float | None
    rate_second: float | None
    difference: float | None
    low: float | None
    high: float | None
    level: float
    gained: int
    lost: int
    p: float | None
    p_holm: float | None
    test: str
    method: str


def report_trend(
    roots: Sequence[Path],
    *,
    labels: Sequence[str],
    out: Path | None,
    formats: Sequence[str],
    forecast: Path | None = None,
) -> list[str]:
    """Make the trend of these runs and write it: the console's text, and the files that were written.

    What is refused is refused before anything is written.
    """
    kinds = _kinds(formats, out)
    if out is not None:
        refuse_in_run(out, "--out")
    chart = _forecast_chart(forecast)
    report = trend_of(roots, labels)
    files = write_trend(report, out, kinds, forecast_chart=chart) if out is not None else []
    text = []
    if "console" in formats or not formats:
        text = [load_plugin("renderers", "console").render_trend(sentences(report), trend_tables(report))]
    return [*text, *(f"Wrote {visible(str(path))}" for path in files)]


def sentences(report: TrendReport) -> dict[str, list[str]]:
    """Sentences by heading; those without one are absent."""
    said = {
        "What changed": what_changed(report),
        "Which run leaks least": least(report),
        "With what care": cautions(report),
    }
    return {heading: lines for heading, lines in said.items() if lines}


def write_trend(
    report: TrendReport, folder: Path, kinds: Sequence[str], *, forecast_chart: str = ""
) -> list[Path]:
    """Write each kind of file into ``folder``, for its owner alone; the files."""
    private_folder(folder, "--out")
    written = []
    if "html" in kinds:
        written.append(folder / "trend.html")
        write_private(written[-1], render_page(report, forecast_chart=forecast_chart), "--out")
    if "json" in kinds:
        written.append(folder / "trend.json")
        write_private(written[-1], report.model_dump_json(indent=2) + "\n", "--out")
    return written + (write_tables(csv_tables(report), folder, "--out") if "csv" in kinds else [])


def _kinds(formats: Sequence[str], out: Path | None) -> list[str]:
    """Kinds of files to write: those named; all where none is and there is a folder for them."""
    unknown = [name for name in formats if name not in (*FILES, "console")]
    if unknown:
        raise ConfigError(f"--format: of several runs there are: console, {', '.join(FILES)}")
    named = [name for name in formats if name in FILES]
    if named and out is None:
        raise ConfigError("--out: name a folder for the files")
    return named or list(FILES)


# --- tables -------------------------------------------------------------------------------


def csv_tables(report: TrendReport) -> dict[str, list[Model]]:
    """Tidy tables by name: runs, figures, changes."""
    return {
        "runs": [_run_line(run) for run in report.runs],
        "figures": [_figure(run.number, run.label, found) for run in report.runs for found in run.estimates],
        "changes": [
            ChangeLine(
                first=step.first,
                second=step.second,
                rate_first=row.rate_a,
                rate_second=row.rate_b,
                **{name: getattr(row, name) for name in ChangeLine.model_fields if hasattr(row, name)},
            )
            for step, row in shown_differences(report)
        ],
    }


def _run_line(run: TrendRun) -> RunLine:
    kept = ("label", "outcome", "complete", "epoch", "notes_group", "settings_group", "screened")
    other = run.other_patient
    return RunLine(
        run=run.number,
        **{name: getattr(run, name) for name in (*kept, "answers", "degenerate")},
        **{n: run.utility.get(n) for n in ("validation_loss", "top1", "top2", "top3", "epsilon")},
        other_patient_values=None if other is None else other.values,
        other_patient_hits=None if other is None else other.instances,
        mitigations=None if run.mitigations is None else "; ".join(run.mitigations) or "none",
    )


def _figure(number: int, label: str, found: Estimate) -> FigureLine:
    names = FigureLine.model_fields.keys() - {"run", "label"}
    return FigureLine(run=number, label=label, **{name: getattr(found, name) for name in names})


# --- the page -----------------------------------------------------------------------------


def render_page(report: TrendReport, *, forecast_chart: str = "") -> str:
    """The page; equal reports give equal pages. No script, no request."""
    from markupsafe import Markup

    charts = {**trend_charts(report), "forecast": forecast_chart}
    environment = template_environment()
    environment.filters.update(
        figure=headline_number, beside=qualification, count="{:,}".format, stratum=stratum_words
    )
    return environment.get_template("trend.html.j2").render(
        css=Markup((TEMPLATES / "report.css").read_text(encoding="utf-8")),  # noqa: S704 - our own file
        report=report,
        said=sentences(report),
        tables=list(trend_tables(report)),
        charts={name: Markup(svg) for name, svg in charts.items()},  # noqa: S704 - built and escaped in charts
        words=glossary,
        defined={name: glossary.METRICS[name] for name in DEFINED}
        | {name: glossary.CONCEPTS[name] for name in CONCEPTS},
    )


def _forecast_chart(path: Path | None) -> str:
    if path is None:
        return ""
    from phiscan.commands.forecast_file import read_forecast
    from phiscan.reporting.forecast_words import forecast_chart

    return forecast_chart(read_forecast(path, "--forecast"))
