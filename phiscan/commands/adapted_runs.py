"""Runs that `phiscan adapt` made: which one a folder stands for, and how well the model had learnt."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import ValidationError

from phiscan.adaptation.result import AdaptReport, EpochRow
from phiscan.errors import StoreError
from phiscan.store import RunDirectory

REPORT, EPOCHS = "adapt.json", "epochs"
"""Names in the folder of an adaptation: its result, and the folder of its measurements."""


def measurement_of(root: Path) -> tuple[Path, EpochRow | None]:
    """The run directory that ``root`` stands for, and its epoch's row.

    The folder of an adaptation stands for the measurement of the checkpoint that it recommends; any other
    path for itself, without a row unless it is one of an adaptation's measurements.

    Raises:
        StoreError: The folder is of an adaptation that recommends nothing, or its result is damaged.

    """
    if (root / REPORT).is_file():
        report = _read(root)
        if report.recommended is None:
            raise StoreError("is an adaptation that was not measured; name run directories")
        row = next(row for row in report.epochs if row.epoch == report.recommended.epoch)
        assert row.leaks is not None  # only what was measured is recommended
        return root / EPOCHS / row.leaks.run, row
    above = root.resolve().parent
    if above.name != EPOCHS or not (above.parent / REPORT).is_file():
        return root, None
    rows = _read(above.parent).epochs
    return root, next((row for row in rows if row.leaks and row.leaks.run == root.resolve().name), None)


def is_adaptation(root: Path) -> bool:
    """True for the folder of an adaptation."""
    try:
        return (root / REPORT).is_file()
    except OSError:  # a name that no folder can have
        return False


def refuse_adaptation(root: Path) -> None:
    """Raise StoreError if ``root`` is no run but the folder of an adaptation, or that of its measurements."""
    if os.path.lexists(root / "report.json"):
        return
    real = Path(os.path.realpath(root))
    if is_adaptation(real):
        raise StoreError(f"this is an adaptation; name one of the run directories in its {EPOCHS}")
    if real.name == EPOCHS and is_adaptation(real.parent):
        raise StoreError("these are the measurements of an adaptation; name one of the run directories in it")


def adaptation_of(root: Path) -> AdaptReport | None:
    """The result of the adaptation that ``root`` is the folder of, or a measurement of; None of a scan."""
    if is_adaptation(root):
        return _read(root)
    above = root.resolve().parent
    return _read(above.parent) if above.name == EPOCHS and is_adaptation(above.parent) else None


def measurements(root: Path) -> tuple[list[Path], int]:
    """Run directories of the adaptation ``root`` by epoch, and how many epochs were not measured."""
    rows = _read(root).epochs
    found = [root / EPOCHS / row.leaks.run for row in rows if row.leaks]
    return found, len(rows) - len(found)


def _read(root: Path) -> AdaptReport:
    try:
        return AdaptReport.model_validate(RunDirectory(root).read_json(REPORT))
    except ValidationError:
        raise StoreError("its adapt.json is not one that this version can read") from None


def utility(row: EpochRow) -> dict[str, float | None]:
    """How well the model does its task, by figure."""
    found: dict[str, float | None] = {"validation_loss": row.validation_loss, **row.token_accuracy}
    if row.leaks is not None:
        found |= {name: estimate.value for name, estimate in row.leaks.task_accuracy.items()}
    if row.epsilon is not None:
        found["epsilon"] = row.epsilon
    return found
