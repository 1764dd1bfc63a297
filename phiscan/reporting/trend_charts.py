"""The charts of a trend, as inline SVG; empty text where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Iterator

from phiscan.reporting.charts import Panel, Point, Series, arm_panels
from phiscan.reporting.figures import counted, finite
from phiscan.reporting.glossary import ARMS
from phiscan.reporting.trend_words import utility_figure
from phiscan.scan_report import Estimate
from phiscan.trend import TrendReport

DRAWN = ("scanned", "holdout")
MOST_BANDS = 10
"""Names below an axis; of more runs every second, third ... is named."""
_UTILITY = {"validation_loss": "Validation loss, nats a token", "top1": "Right first tokens"}


def trend_charts(report: TrendReport) -> dict[str, str]:
    """SVG by name: leakage, utility."""
    return {"leakage": _leakage(report), "utility": _utility(report)}


def apart(report: TrendReport) -> tuple[int, ...]:
    """Places of runs to which no line leads: not of the same notes, or asked in another way."""
    return tuple(place for place, step in enumerate(report.steps, 1) if step.differ)


def _leakage(report: TrendReport) -> str:
    length = next(iter(report.lengths()), None)
    at = "" if length is None else f", prompts of {length} tokens"
    shown: list[tuple[str, str, int | None, int | None]] = [
        ("Patients with a headline leak", "patients_with_headline_leak", None, None),
        ("PHI at risk recovered", "phi_recovery_rate", None, None),
        (f"Net ratio 30{at}", "net_ratio", 30, length),
    ]
    panels, told = [], []
    for title, metric, threshold, where in shown:
        series = []
        for arm in DRAWN:
            found = [run.estimate(metric, arm=arm, threshold=threshold, length=where) for run in report.runs]
            if any(found):
                series.append(Series(arm, ARMS[arm], [_point(one) for one in found]))
                told.append(f"{title}, {ARMS[arm]}: {'; '.join(_told(report, found))}.")
        if series:
            panels.append(Panel(title, _bands(report), _axis(report), series, apart=apart(report)))
    if not panels:
        return ""
    return arm_panels("leakage", "Leakage by run, with intervals", " ".join(told), panels)


def _utility(report: TrendReport) -> str:
    panels, told = [], []
    for name, title in _UTILITY.items():
        values = [run.utility.get(name) for run in report.runs]
        if not any(map(finite, values)):
            continue
        series = Series("scanned", "validation notes", [Point(v if finite(v) else None) for v in values])
        shares = name != "validation_loss"
        panels.append(
            Panel(title, _bands(report), _axis(report), [series], shares=shares, apart=apart(report))
        )
        figures = (
            f"{run.number}: {utility_figure(name, v)}" for run, v in zip(report.runs, values, strict=True)
        )
        told.append(f"{title}: {'; '.join(figures)}.")
    return arm_panels("utility", "How well the models had learnt", " ".join(told), panels) if panels else ""


def _told(report: TrendReport, found: list[Estimate | None]) -> Iterator[str]:
    for run, one in zip(report.runs, found, strict=True):
        if one is not None:
            yield f"{run.number}: {counted(one)}"


def _point(found: Estimate | None) -> Point:
    if found is None or not finite(found.value):
        return Point(None)
    return Point(found.value, *(bound if finite(bound) else None for bound in (found.low, found.high)))


def _axis(report: TrendReport) -> str:
    return "epoch" if report.epochs else "run"


def _bands(report: TrendReport) -> list[str]:
    """Numbers, never labels: these are the user's own and of any length."""
    every = -(-len(report.runs) // MOST_BANDS)
    names = [run.epoch if report.epochs and run.epoch is not None else run.number for run in report.runs]
    return [str(name) if place % every == 0 else "" for place, name in enumerate(names)]
