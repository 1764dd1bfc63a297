"""`phiscan forecast`: which sequences the full run will memorise, foretold by a cheap one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from phiscan.commands.forecast_runs import MOST_PARAMETERS, AuditedRun, read_run, refuse_other_notes
from phiscan.commands.forecast_tables import ScoreTable, read_scores, same_kind
from phiscan.config import first_problem
from phiscan.errors import ConfigError, NoteFormatError, StoreError
from phiscan.forecast import Bools, Codes, Forecast, Trained, forecast
from phiscan.printable import PrintableName
from phiscan.private_file import refuse_in_run, write_private
from phiscan.reporting.figures import how_many
from phiscan.toml_file import read_toml

Places = npt.NDArray[np.intp]
_MOST = 2**62
"""Tokens and sequences at most: far above any training, and within 64 bits."""


def _no_null(path: Path) -> Path:
    if "\0" in str(path):
        raise ValueError("no path holds a null character")
    return path


_Place = Annotated[Path, AfterValidator(_no_null)]


class SuiteModel(BaseModel):
    """One model of a suite, as the suite file describes it."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    name: PrintableName
    scores: _Place | None = None
    run: _Place | None = None
    parameters: int | None = Field(None, gt=0, le=MOST_PARAMETERS)
    tokens: int = Field(gt=0, le=_MOST)
    seen: int | None = Field(None, ge=0, le=_MOST)


class Suite(BaseModel):
    """A suite file: models trained on the same sequences in the same order."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    full: str
    threshold: float = Field(1.0, gt=0, le=1)
    wanted_recall: float | None = Field(None, gt=0, le=1)
    seed: int = Field(0, ge=0, le=_MOST)
    model: tuple[SuiteModel, ...]


class ForecastResult(NamedTuple):
    """The figures, with what the files left out."""

    forecast: Forecast
    wanted_recall: float | None
    too_short: int
    """Notes of the runs with fewer than 64 tokens."""


def forecast_suite(path: Path) -> ForecastResult:
    """Read a suite and compare its cheap runs with its full one; errors name the model at fault."""
    suite = _read_suite(path)
    tables, parameters, too_short = _read_models(suite, path.parent)
    at_full = [model.name for model in suite.model].index(suite.full)
    base = tables[at_full]
    places = [_places(table, base) for table in tables]
    trained = [
        Trained(
            name=model.name,
            parameters=size,
            tokens=model.tokens,
            scores=np.where(at >= 0, table.scores[at], np.nan),
            seen=_seen(model, number, base),
        )
        for number, (model, size, table, at) in enumerate(
            zip(suite.model, parameters, tables, places, strict=True), 1
        )
    ]
    for model, table, at in zip(trained, tables, places, strict=True):
        _refuse_lacking(table, (at < 0) & model.seen & trained[at_full].seen)
    found = forecast(
        trained.pop(at_full),
        trained,
        threshold=suite.threshold,
        patients=_patients(tables, places, base),
        seed=suite.seed,
    )
    return ForecastResult(found, suite.wanted_recall, too_short)


def as_json(result: ForecastResult, words: dict[str, list[str]]) -> dict[str, Any]:
    """The machine-readable form; a rate over nothing is null."""
    plain: dict[str, Any] = _plain(result.forecast)
    return {**plain, "wanted_recall": result.wanted_recall, "too_short": result.too_short, "words": words}


def write_chart(path: Path, svg: str) -> None:
    """Write the chart for its owner alone; an error names ``--chart``."""
    if path.suffix.lower() != ".svg":
        raise ConfigError("--chart: must end in .svg")
    refuse_in_run(path, "--chart")
    write_private(path, svg, "--chart")


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(part) for name, part in value._asdict().items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


# --- the suite file -------------------------------------------------------------------------


def _read_suite(path: Path) -> Suite:
    try:
        suite = Suite.model_validate(read_toml(path, "SUITE"))
    except ValidationError as error:
        raise ConfigError(f"SUITE: {first_problem(error)}") from None
    names = [model.name for model in suite.model]
    if len(set(names)) < len(names):
        raise ConfigError("SUITE: two models have the same name")
    if suite.full not in names:
        raise ConfigError("SUITE: full: names no [[model]]")
    if len(names) < 2:
        raise ConfigError("SUITE: there must be the full run and at least one cheap run")
    for number, model in enumerate(suite.model, 1):
        if (model.scores is None) == (model.run is None):
            raise ConfigError(f"SUITE: model {number}: give either scores or run")
    if len({model.run is None for model in suite.model}) > 1:
        raise ConfigError("SUITE: either every model has scores, or every model has a run")
    return suite


def _refuse_unscored(run: AuditedRun, threshold: float) -> None:
    if threshold < 1 and not run.scored:
        raise StoreError(
            f"{run.table.where}: a threshold below 1 needs memorization scores: run phiscan expose there "
            "with expose.free_running = true"
        )


def _read_models(suite: Suite, folder: Path) -> tuple[list[ScoreTable], list[int], int]:
    """Tables and sizes of all models, and the notes of the full run that are too short."""
    runs: list[AuditedRun] = []
    tables: list[ScoreTable] = []
    recorded: list[int | None] = []
    for number, model in enumerate(suite.model, 1):
        if model.scores is not None:
            tables.append(read_scores(folder / model.scores, f"SUITE: model {number}: scores"))
            recorded.append(None)
        elif model.run is not None:
            runs.append(read_run(folder / model.run, f"SUITE: model {number}: run"))
            _refuse_unscored(runs[-1], suite.threshold)
            tables.append(runs[-1].table)
            recorded.append(runs[-1].parameters)
    for run in runs:
        refuse_other_notes(run, runs[[model.name for model in suite.model].index(suite.full)])
    parameters = []
    for number, (model, found) in enumerate(zip(suite.model, recorded, strict=True), 1):
        size = model.parameters or found
        if size is None:
            raise ConfigError(f"SUITE: model {number}: parameters: must be given")
        parameters.append(size)
    return tables, parameters, runs[0].too_short if runs else 0


# --- one order of sequences -----------------------------------------------------------------


def _places(table: ScoreTable, base: ScoreTable) -> Places:
    """Row of each sequence of ``base``, the full run's table, in ``table``; -1 where it has none."""
    import pandas as pd

    ids, wanted = same_kind(table.ids, base.ids)
    at: Places = pd.Index(ids).get_indexer(wanted)
    extra = np.ones(len(ids), dtype=bool)
    extra[at[at >= 0]] = False
    if extra.any():
        count = how_many(int(extra.sum()), "sequence")
        raise NoteFormatError(
            f"{table.where}: not in the full run's table: {count}; the first stands in row "
            f"{int(extra.argmax()) + 1}"
        )
    return at


def _seen(model: SuiteModel, number: int, base: ScoreTable) -> Bools:
    if model.seen is None:
        return np.ones(len(base.ids), dtype=bool)
    if base.order is None or base.order.min() < 0:
        raise ConfigError(
            f"SUITE: model {number}: seen: needs sequences numbered from 0 in the order of the training data"
        )
    return base.order < model.seen


def _refuse_lacking(table: ScoreTable, lacking: Bools) -> None:
    """A sequence that both runs saw must stand in both tables, if only with an empty score."""
    if lacking.any():
        count = how_many(int(lacking.sum()), "sequence")
        raise NoteFormatError(
            f"{table.where}: lacks {count} that it and the full run saw; the first stands in row "
            f"{int(lacking.argmax()) + 1} of the full run's table (leave the score empty where there is none)"
        )


def _patients(tables: list[ScoreTable], places: list[Places], base: ScoreTable) -> Codes | None:
    """Number of each sequence's patient in the order of ``base``; None if no table tells patients."""
    import pandas as pd

    for table, at in zip(tables, places, strict=True):
        if table.patients is None:
            continue
        if base.patients is None:
            raise NoteFormatError(f"{base.where}: has no patient_id, which another table has")
        differs = (at >= 0) & (table.patients[at] != base.patients)
        if differs.any():
            row = int(at[differs.argmax()]) + 1
            raise NoteFormatError(f"{table.where}: row {row}: patient_id: differs from the full run's")
    return None if base.patients is None else pd.factorize(base.patients)[0].astype(np.int64)
