"""What an adaptation found, epoch by epoch, as typed data; holds no text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from phiscan.scan_report import Estimate, Model, ModelIdentity, ScanReport, Stratum

FIGURES: dict[str, tuple[str, int | None]] = {
    "greedy_run_ratio_30": ("greedy_run_ratio", 30),
    "greedy_run_ratio_50": ("greedy_run_ratio", 50),
    "raw_ratio_30": ("raw_ratio", 30),
    "raw_ratio_50": ("raw_ratio", 50),
    "net_ratio_30": ("net_ratio", 30),
    "net_ratio_50": ("net_ratio", 50),
    "phi_recovery_rate": ("phi_recovery_rate", None),
    "patients_with_headline_leak": ("patients_with_headline_leak", None),
}
"""Figures of a measurement by name: the metric, and the shortest run counted. Greedy runs are read off the
pass over every note; the others are of answers that the model wrote."""


class PlantFigure(Model):
    """What came back of plants or twins of one number of repetitions."""

    arm: str
    repetitions: str | None = Field(description="band; null: all")
    patients_with_headline_leak: Estimate
    net_ratio_30: Estimate


class LeakRow(Model):
    """What one measurement found: a scan of the model as it stood then."""

    epoch: float = Field(description="times that the training data had been read")
    step: int = Field(description="steps of the optimiser")
    run: str = Field(description="name of the run directory of this measurement, beside the others")
    outcome: str = Field(description="decision of that run's report")
    prefix_length: int = Field(description="tokens of a note that were shown")
    training: dict[str, Estimate] = Field(description="figures of notes in training, by name")
    holdout: dict[str, Estimate] = Field(description="the same of held-out notes; empty without any")
    plants: tuple[PlantFigure, ...] = ()
    plants_greedy: dict[str, float | None] = Field(
        {}, description="share of the identifiers of plants, and of twins, that greedy decoding writes"
    )
    task_accuracy: dict[str, Estimate] = Field(
        {}, description="right answers to questions, by task and places that count; empty without questions"
    )
    seconds: float


class EpochRow(Model):
    """One epoch: how well the model has learnt, and what it gives away."""

    epoch: int = Field(description="0: before training")
    step: int
    training_loss: float | None = Field(
        None, description="nats a token: mean over the epoch's steps of each step's mean over its tokens"
    )
    validation_loss: float | None = Field(
        None, description="nats a learnt token; null without validation notes, or where it is no number"
    )
    token_accuracy: dict[str, float] = Field(
        {}, description="share of validation tokens among the 1, 2 and 3 most probable"
    )
    epsilon: float | None = Field(None, description="differential privacy spent so far; null: not private")
    checkpoint: str | None = Field(None, description="folder with the weights")
    leaks: LeakRow | None = None


class Recommendation(Model):
    """Which checkpoint gives away least among those that learnt about as well as the best."""

    epoch: int
    checkpoint: str
    within: float = Field(description="share by which the validation loss may be above the best")
    reason: str


class AdaptReport(Model):
    """The whole result of `phiscan adapt`."""

    phiscan_version: str
    seed: int
    packages: dict[str, str]
    settings: dict[str, dict[str, str | int | float | bool | list[int] | list[str] | None]]
    base: ModelIdentity
    final: ModelIdentity
    training_notes: int
    training_patients: int
    validation_notes: int
    validation_patients: int
    holdout_notes: int
    holdout_patients: int
    rows: int = Field(description="rows that the model read in an epoch")
    tokens: int = Field(description="tokens of them that it learnt from")
    rows_bad: dict[str, int] = Field({}, description="rows of the input not used, by reason")
    rows_dropped: dict[str, int] = Field({}, description="rows that hold no text, by reason")
    mitigated: dict[str, int] = Field({}, description="what was done to training notes, counted")
    epochs: tuple[EpochRow, ...]
    delta: float | None = Field(None, description="of the epochs' epsilon; null: not private")
    stopped: str = Field(description="why training ended")
    recommended: Recommendation | None


def leak_row(
    report: ScanReport,
    *,
    epoch: float,
    step: int,
    run: str,
    prefix_length: int,
    task_accuracy: dict[str, Estimate],
    seconds: float,
) -> LeakRow:
    """The figures of a scan that an epoch's row shows."""
    exposure = report.exposure.rows if report.exposure else ()
    estimates = (*report.estimates, *(report.exposure.estimates if report.exposure else ()))
    return LeakRow(
        epoch=epoch,
        step=step,
        run=run,
        outcome=report.decision.outcome,
        prefix_length=prefix_length,
        training=dict(_figures(estimates, "scanned", prefix_length)),
        holdout=dict(_figures(estimates, "holdout", prefix_length)),
        plants=tuple(_plants(report)),
        plants_greedy={
            row.arm: row.greedy / row.spans if row.spans else None
            for row in exposure
            if row.arm in ("plant", "twin") and row.category is None
        },
        task_accuracy=task_accuracy,
        seconds=round(seconds, 1),
    )


def _figures(estimates: Sequence[Estimate], arm: str, length: int) -> Iterator[tuple[str, Estimate]]:
    for name, (metric, threshold) in FIGURES.items():
        for found in estimates:
            if found.metric == metric and _is_wanted(found.stratum, arm, threshold, length):
                yield name, found
                break


def _is_wanted(stratum: Stratum, arm: str, threshold: int | None, length: int) -> bool:
    """All notes long enough, in tokens, at this length or at all lengths."""
    narrower = (stratum.category, stratum.copies, stratum.repetitions, stratum.copied, stratum.draws)
    return (
        stratum.arm == arm
        and stratum.threshold == threshold
        and stratum.unit in (None, "token")
        and stratum.support in (None, "all")
        and stratum.scope in (None, "hipaa")
        and stratum.prefix_length in (None, length)
        and all(value is None for value in narrower)
    )


def _plants(report: ScanReport) -> Iterator[PlantFigure]:
    for row in report.plants.rows if report.plants else ():
        net = next(e for e in row.ratios if e.metric == "net_ratio" and e.stratum.threshold == 30)
        yield PlantFigure(
            arm=row.arm,
            repetitions=row.repetitions,
            patients_with_headline_leak=row.patients_with_headline_leak,
            net_ratio_30=net,
        )


def recommend(rows: Sequence[EpochRow], tolerance: float) -> Recommendation | None:
    """The checkpoint that gives away least, of those whose validation loss is near the best.

    Least: the share of patients with a headline leak, then the net ratio (runs of 30), then PHI recovered,
    then the validation loss, then the earlier. None without checkpoints that were measured.
    """
    measured = [row for row in rows if row.checkpoint is not None and row.leaks is not None]
    losses = [row.validation_loss for row in measured if row.validation_loss is not None]
    if any(row.validation_loss is not None for row in rows):
        # An epoch without a loss has diverged, where the others have one.
        measured = [row for row in measured if row.validation_loss is not None]
    if not measured:
        return None
    best = min(losses, default=None)
    near = [row for row in measured if _near(row.validation_loss, best, tolerance)]
    chosen = min(near, key=_leakage)
    assert chosen.checkpoint is not None
    return Recommendation(
        epoch=chosen.epoch,
        checkpoint=chosen.checkpoint,
        within=tolerance,
        reason="least leakage of all checkpoints: there is no validation loss to hold them against"
        if best is None
        else f"least leakage of {len(near)} with a validation loss within {tolerance:.1%} of the best",
    )


def _near(loss: float | None, best: float | None, tolerance: float) -> bool:
    return best is None or (loss is not None and loss <= best * (1 + tolerance))


def _leakage(row: EpochRow) -> tuple[float, ...]:
    assert row.leaks is not None
    order = ("patients_with_headline_leak", "net_ratio_30", "phi_recovery_rate")
    figures = [row.leaks.training.get(name) for name in order]
    values = [1.0 if found is None or found.value is None else found.value for found in figures]
    loss = float("inf") if row.validation_loss is None else row.validation_loss
    return (*values, loss, row.epoch)
