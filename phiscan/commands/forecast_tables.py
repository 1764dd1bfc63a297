"""Score tables of a forecast: which sequence, how much of it a model gives back, perhaps whose it is.

Columns ``sequence``, ``score`` and, if wanted, ``patient_id``, as CSV, TSV or JSON Lines (plain or gzip),
Parquet, or arrays of these names in an .npz file. Equal content gives equal tables, whatever the file.
"""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from phiscan.errors import NoteFormatError, PhiscanError
from phiscan.forecast import Floats
from phiscan.input_rows import Tally, is_unicode, read_rows

Ids = npt.NDArray[Any]
"""int64 where every id is an integer of 64 bits, else objects: text."""

_COLUMNS = ("sequence", "score", "patient_id")
_MOST_ROWS = 2**29
_MOST_BYTES = 8 * _MOST_ROWS
"""Of one column, unpacked: a small file may hold a very large one."""
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
    try:
        if path.is_dir():
            raise NoteFormatError(f"{where}: a folder stands where a file is needed")
        columns = _reader(path, where)(path, where)
    except PhiscanError:
        raise
    except Exception as error:  # a damaged file may fail anywhere in the libraries, and they quote it
        raise NoteFormatError(f"{where}: cannot be read ({type(error).__name__})") from None
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


def _reader(path: Path, where: str) -> Callable[[Path, str], dict[str, Any]]:
    name = path.name.lower()
    if name.endswith(".parquet"):
        return _from_parquet
    if name.endswith(".npz"):
        return _from_npz
    if name.removesuffix(".gz").endswith((".csv", ".tsv", ".jsonl", ".ndjson")):
        return _from_rows
    raise NoteFormatError(f"{where}: must end in .csv, .tsv, .jsonl, .parquet or .npz")


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

    with pq.ParquetFile(path) as file:
        names = file.schema_arrow.names
        for name in _COLUMNS:
            if names.count(name) > 1:
                raise NoteFormatError(f"{where}: {name}: two columns have this name")
        _refuse_huge(file.metadata, where)
        table = file.read(columns=[name for name in _COLUMNS if name in names])
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


def _refuse_huge(metadata: Any, where: str) -> None:
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    sizes: Counter[str] = Counter()
    for group in groups:
        for number in range(group.num_columns):
            column = group.column(number)
            sizes[column.path_in_schema] += column.total_uncompressed_size
    if metadata.num_rows > _MOST_ROWS or any(sizes[name] > _MOST_BYTES for name in _COLUMNS):
        most = f"{_MOST_ROWS:,} rows, {_MOST_BYTES >> 30} GiB a column at most"
        raise NoteFormatError(f"{where}: too large: {most}")


def _from_npz(path: Path, where: str) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:
        members = {member.filename: member for member in archive.infolist()}
        found = {
            name: _array(archive, members[f"{name}.npy"], f"{where}: {name}")
            for name in _COLUMNS
            if f"{name}.npy" in members
        }
    if len({array.shape for array in found.values()}) > 1:
        raise NoteFormatError(f"{where}: the arrays must have one dimension and equal lengths")
    return found


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo, where: str) -> npt.NDArray[Any]:
    """One array of one dimension; no more is unpacked than its own header declares."""
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise NoteFormatError(f"{where}: packed in a way that NumPy does not write")
    is_score = member.filename == "score.npy"
    npy: Any = np.lib.format  # without type hints
    read_header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    with archive.open(member) as file:
        shape, _, kind = read_header[npy.read_magic(file)](file)
        if kind.kind not in ("fiub" if is_score else "iuU"):
            wanted = "numbers" if is_score else "integers or text"
            raise NoteFormatError(f"{where}: the array does not hold {wanted}")
        if len(shape) != 1:
            raise NoteFormatError(f"{where}: the array must have one dimension")
        size = shape[0] * kind.itemsize
        if not 0 <= size <= _MOST_BYTES:
            raise NoteFormatError(f"{where}: too large: {_MOST_BYTES >> 30} GiB an array at most")
        data = file.read(size + 1)
    if len(data) != size:
        raise NoteFormatError(f"{where}: the array is damaged")
    return np.ndarray(shape, kind, data)


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
