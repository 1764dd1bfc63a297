"""What `phiscan adapt` prints and draws: a table by epoch, a chart, and every figure as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from phiscan.adaptation.result import AdaptReport, EpochRow
from phiscan.commands.csv_tables import write_tables
from phiscan.commands.option_tables import Table
from phiscan.private_file import write_private
from phiscan.reporting.charts import Panel, Point, Series, arm_panels, standalone
from phiscan.reporting.figures import counted, how_many, percent
from phiscan.scan_report import Estimate, Model


class EpochFigure(Model):
    """One figure of one epoch: a line of epochs.csv."""

    epoch: int
    step: int
    checkpoint: str | None
    figure: str
    arm: str
    value: float | None
    low: float | None = None
    high: float | None = None
    count: int | None = None
    n: int | None = None


def tables(report: AdaptReport) -> Iterator[Table]:
    """Every table; the first columns hold words."""
    yield Table(
        f"Epoch by epoch ({how_many(report.training_notes, 'note')} of "
        f"{how_many(report.training_patients, 'patient')} in training)",
        (
            "epoch",
            "loss",
            "validation",
            "top 1",
            "net ratio 30",
            "PHI recovered",
            "patients leaking",
            "held out",
        ),
        [_line(row) for row in report.epochs],
        1,
    )
    plants = [line for row in report.epochs for line in _plants(row)]
    if plants:
        yield Table(
            "Plants and twins with what would be a leak", ("epoch", "who", "copies", "came back"), plants, 3
        )
    tasks = [
        (row.epoch, name, counted(found))
        for row in report.epochs
        if row.leaks is not None
        for name, found in row.leaks.task_accuracy.items()
    ]
    if tasks:
        yield Table("Right answers", ("epoch", "task", "right"), tasks, 2)


def sentences(report: AdaptReport) -> Iterator[str]:
    """How it ended, and what to use."""
    yield f"Training ended: {report.stopped}."
    unused = {**report.rows_bad, **report.rows_dropped}
    if unused:
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in unused.items())
        yield f"Rows left out: {sum(unused.values()):,}: {reasons}."
    for what, count in report.mitigated.items():
        yield f"{what.capitalize()}: {count:,}."
    if report.delta is not None and report.epochs[-1].epsilon is not None:
        unit = report.settings["adapt"]["dp_unit"]
        yield (
            f"Differentially private for each {unit}: epsilon {report.epochs[-1].epsilon:.2f}, delta "
            f"{report.delta:.1e}; for the weights alone, not for figures and choices made with them."
        )
    if report.recommended is None:
        why = (
            "was not measured"
            if all(row.leaks is None for row in report.epochs)
            else "has no usable loss beside it"
        )
        yield f"No checkpoint is recommended: leakage {why}."
        return
    found = report.recommended
    yield f"Recommended: {found.checkpoint} (epoch {found.epoch}): {found.reason}."
    yield (
        "These figures are of one prefix length, with screening: before a release, scan the checkpoint with "
        "all of them."
    )


def write_files(report: AdaptReport, folder: Path) -> None:
    """Write epochs.csv and epochs.svg."""
    write_tables({"epochs": list(figures(report))}, folder, "--out")
    write_private(folder / "epochs.svg", standalone(chart(report)), "--out")


def figures(report: AdaptReport) -> Iterator[EpochFigure]:
    """Every figure of every epoch."""
    for row in report.epochs:
        where = {"epoch": row.epoch, "step": row.step, "checkpoint": row.checkpoint}
        plain = {"training_loss": row.training_loss, "validation_loss": row.validation_loss}
        plain |= {f"token_accuracy_{name}": value for name, value in row.token_accuracy.items()}
        for name, value in plain.items():
            arm = "training" if name == "training_loss" else "validation"
            yield EpochFigure(**where, figure=name, arm=arm, value=value)
        if row.leaks is None:
            continue
        arms = {"training": row.leaks.training, "holdout": row.leaks.holdout, "task": row.leaks.task_accuracy}
        for arm, estimates in arms.items():
            for name, found in estimates.items():
                yield EpochFigure(**where, figure=name, arm=arm, **_of(found))
        for plant in row.leaks.plants:
            name = f"patients_with_headline_leak, copies {plant.repetitions or 'all'}"
            yield EpochFigure(**where, figure=name, arm=plant.arm, **_of(plant.patients_with_headline_leak))


def _of(found: Estimate) -> dict[str, float | int | None]:
    return {name: getattr(found, name) for name in ("value", "low", "high", "count", "n")}


def _line(row: EpochRow) -> tuple[object, ...]:
    leaks = row.leaks
    return (
        row.epoch,
        _number(row.training_loss),
        _number(row.validation_loss),
        percent(row.token_accuracy["top1"]) if "top1" in row.token_accuracy else "-",
        *(
            _share(leaks.training.get(name)) if leaks else "-"
            for name in ("net_ratio_30", "phi_recovery_rate", "patients_with_headline_leak")
        ),
        _share(leaks.holdout.get("patients_with_headline_leak")) if leaks else "-",
    )


def _plants(row: EpochRow) -> Iterator[tuple[object, ...]]:
    names = {"plant": "plants", "twin": "twins"}
    for found in row.leaks.plants if row.leaks else ():
        yield (
            row.epoch,
            names[found.arm],
            found.repetitions or "all",
            counted(found.patients_with_headline_leak),
        )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _share(found: Estimate | None) -> str:
    return "-" if found is None or found.value is None else percent(found.value)


def chart(report: AdaptReport) -> str:
    """SVG: leakage of training and held-out notes, and losses, by epoch."""
    epochs = [str(row.epoch) for row in report.epochs]
    shown = {"net_ratio_30": "Net ratio, runs of 30", "patients_with_headline_leak": "Patients with a leak"}
    panels = [
        Panel(
            title,
            epochs,
            "epoch",
            [
                Series("scanned", "training", [_point(row, "training", name) for row in report.epochs]),
                Series(
                    "holdout",
                    "held out, or validation loss",
                    [_point(row, "holdout", name) for row in report.epochs],
                ),
            ],
        )
        for name, title in shown.items()
    ]
    losses = [
        Series("scanned", "training", [Point(row.training_loss) for row in report.epochs]),
        Series("holdout", "validation", [Point(row.validation_loss) for row in report.epochs]),
    ]
    panels.append(Panel("Loss, nats a token", epochs, "epoch", losses, shares=False))
    summary = "; ".join(
        f"epoch {line[0]}: " + ", ".join(map(str, line[1:])) for line in map(_line, report.epochs)
    )
    return arm_panels("epochs", "Leakage and loss by epoch", summary, panels)


def _point(row: EpochRow, arm: str, name: str) -> Point:
    found = getattr(row.leaks, arm).get(name) if row.leaks else None
    return Point(None) if found is None else Point(found.value, found.low, found.high)
