"""Score tables of a forecast: which sequence, how much of it a model gives back, perhaps whose it is.

Columns ``sequence``, ``score`` and, if wanted, ``patient_id``, as CSV, TSV or JSON Lines (plain or gzip),
Parquet, or arrays of these names in an .npz file. Equal content gives equal tables, whatever the file.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from phiscan.errors import NoteFormatError
from phiscan.forecast import Floats
from phiscan.input_rows import Tally, is_unicode, read_rows

Ids = npt.NDArray[Any]
"""int64 where every id is an integer of 64 bits, else objects: text."""

_COLUMNS = ("sequence", "score", "patient_id")
_INTEGER = re.compile(r"-?[1-9][0-9]{0,18}|0")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|nan", re.IGNORECASE)


class ScoreTable(NamedTuple):
    """Scores of one model, in the order of its file."""

    where: str
    """How errors name it: argument and number of the model."""
    ids: Ids
    """Distinct."""
    scores: Floats
    patients: npt.NDArray[np.object_] | None
    order: npt.NDArray[np.int64] | None
    """Place of each sequence in the training data, from 0; None if ids do not tell."""


def read_scores(path: Path, where: str) -> ScoreTable:
    """Read one table; NoteFormatError names ``where``, the row and the field, never a value."""
    name = path.name.lower()
    if name.endswith(".parquet"):
        columns = _from_parquet(path, where)
    elif name.endswith(".npz"):
        columns = _from_npz(path, where)
    elif name.removesuffix(".gz").endswith((".csv", ".tsv", ".jsonl", ".ndjson")):
        columns = _from_rows(path, where)
    else:
        raise NoteFormatError(f"{where}: must end in .csv, .tsv, .jsonl, .parquet or .npz")
    for needed in _COLUMNS[:2]:
        if needed not in columns:
            raise NoteFormatError(f'{where}: no column "{needed}"')
    ids = _ids(columns["sequence"], where, "sequence")
    scores = _scores(columns["score"], where)
    if not len(ids):
        raise NoteFormatError(f"{where}: the table has no rows")
    patients = None
    if "patient_id" in columns:
        patients = _as_text(_ids(columns["patient_id"], where, "patient_id"))
    _refuse_twice(ids, where)
    return ScoreTable(where, ids, scores, patients, ids if ids.dtype == np.int64 else None)


def same_kind(one: Ids, other: Ids) -> tuple[Ids, Ids]:
    """Two arrays of ids that can be compared: both integers, or both text."""
    return (one, other) if one.dtype == other.dtype else (_as_text(one), _as_text(other))


def _refuse_twice(ids: Ids, where: str) -> None:
    import pandas as pd

    twice = pd.Index(ids).duplicated()
    if twice.any():
        raise NoteFormatError(f"{where}: row {int(twice.argmax()) + 1}: sequence: stands in an earlier row")


# --- columns of each kind of file -----------------------------------------------------------


def _from_rows(path: Path, where: str) -> dict[str, Any]:
    tally = Tally()
    columns: dict[str, list[str | None]] = {}
    for row, fields in read_rows(
        path, {name: name for name in _COLUMNS}, required=_COLUMNS[:2], argument=where, tally=tally
    ):
        for name in fields.keys() - columns.keys():
            columns[name] = [None] * (row - 1)
        for name, values in columns.items():
            values.append(fields.get(name))
    for bad in tally.counts()["bad_examples"]:  # left out, it would look like a sequence nobody scored
        raise NoteFormatError(f"{bad.argument}: row {bad.row}: {bad.reason}")
    return columns


def _from_parquet(path: Path, where: str) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path)
        table = file.read(columns=[name for name in _COLUMNS if name in file.schema_arrow.names])
    except (OSError, pa.ArrowException) as error:
        raise NoteFormatError(f"{where}: cannot be read as Parquet ({type(error).__name__})") from None
    # A column without any value has a type of its own.
    numbers = (pa.types.is_floating, pa.types.is_integer, pa.types.is_boolean, pa.types.is_null)
    found: dict[str, Any] = {}
    for name in table.column_names:
        kind, column = table.schema.field(name).type, table.column(name)
        if pa.types.is_dictionary(kind):
            kind, column = kind.value_type, column.cast(kind.value_type)
        if name == "score":
            if not any(fits(kind) for fits in numbers):
                raise NoteFormatError(f"{where}: score: the column holds no numbers")
            plain = column.cast(pa.int8()) if pa.types.is_boolean(kind) else column
            found[name] = plain.cast(pa.float64(), safe=False).to_numpy()
        elif pa.types.is_integer(kind) and not column.null_count:
            found[name] = column.to_numpy()
        elif pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
            found[name] = column.to_pylist()
        else:
            raise NoteFormatError(f"{where}: {name}: the column holds neither integers nor text")
    return found


def _from_npz(path: Path, where: str) -> dict[str, Any]:
    try:
        with np.load(path, allow_pickle=False) as file:
            found = {name: file[name] for name in _COLUMNS if name in file}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, AttributeError, TypeError) as error:
        raise NoteFormatError(
            f"{where}: cannot be read as .npz without pickled objects ({type(error).__name__})"
        ) from None
    lengths = {array.shape for array in found.values()}
    if len(lengths) > 1 or any(len(shape) != 1 for shape in lengths):
        raise NoteFormatError(f"{where}: the arrays must have one dimension and equal lengths")
    for name, array in found.items():
        if array.dtype.kind not in ("fiub" if name == "score" else "iuU"):
            wanted = "numbers" if name == "score" else "integers or text"
            raise NoteFormatError(f"{where}: {name}: the array does not hold {wanted}")
    return found


# --- values -----------------------------------------------------------------------------------


def _ids(values: Any, where: str, field: str) -> Ids:
    """Ids in their canonical kind, so that 7 and "7" are the same and "07" is another."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
        fits = values.dtype.kind == "i" or not len(values) or int(values.max()) < 2**63
        return values.astype(np.int64) if fits else _as_text(values)
    texts = [None if value is None else str(value) for value in values]
    for row, text in enumerate(texts, 1):
        if not text:
            raise NoteFormatError(f"{where}: row {row}: {field}: is empty")
        if "\0" in text or not is_unicode(text):
            raise NoteFormatError(f"{where}: row {row}: {field}: not valid Unicode text")
    if all(_INTEGER.fullmatch(text) and -(2**63) <= int(text) < 2**63 for text in texts if text):
        return np.array([int(text) for text in texts if text], dtype=np.int64)
    return _as_text(texts)


def _as_text(values: Iterable[Any]) -> npt.NDArray[np.object_]:
    texts = [str(value) for value in values]
    array = np.empty(len(texts), dtype=object)
    array[:] = texts
    return array


def _scores(values: Any, where: str) -> Floats:
    """Scores as float64, NaN where there is none; a value outside [0, 1] is an error."""
    if isinstance(values, np.ndarray):
        scores = values.astype(np.float64)
    else:
        scores = np.array(
            [_score(value, row, where) for row, value in enumerate(values, 1)], dtype=np.float64
        )
    outside = ~np.isnan(scores) & ~((scores >= 0) & (scores <= 1))
    if outside.any():
        raise NoteFormatError(f"{where}: row {int(outside.argmax()) + 1}: score: is not from 0 to 1")
    return scores


def _score(value: str | None, row: int, where: str) -> float:
    if value is None or not value.strip():
        return np.nan
    if not _NUMBER.fullmatch(value.strip()):
        raise NoteFormatError(f"{where}: row {row}: score: is no number")
    return float(value)
