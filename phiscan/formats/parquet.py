"""Parquet: one record a row, read in batches."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date, time
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phiscan.errors import NoteFormatError
from phiscan.formats.jsonl import text_problem
from phiscan.protocols import RawRow

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIXES = (".parquet",)

_AT_ONCE = 256
_UNREADABLE = object()
_NO_VALUE = (ValueError, OverflowError, LookupError)
"""What Arrow raises for text that is not UTF-8, a date beyond Python's and a time zone nobody knows."""


def rows(path: Path, argument: str) -> Iterator[RawRow]:
    """Yield every row as one record.

    Whole numbers lose a ``.0`` that only their column's type gave them; dates and times come out as
    ISO 8601. The scalars of a struct come out as fields ``outer.inner``; lists, maps and deeper
    structs are left out, and so are columns of bytes. A value that is none, such as a date beyond the
    year 9999 or text that is not UTF-8, is named among the row's unreadable fields. A file that is no
    Parquet file, is damaged, names a field twice, or holds no records raises NoteFormatError.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    row = 0
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            _refuse_repeats(file.schema_arrow, argument)
            for batch in file.iter_batches(_AT_ONCE):
                columns = _columns(batch)
                for at in range(batch.num_rows):
                    row += 1
                    yield _row(row, {name: values[at] for name, values in columns.items()})
    except FileNotFoundError:
        raise NoteFormatError(f"{argument}: no such file") from None
    except IsADirectoryError:
        raise NoteFormatError(f"{argument}: a folder stands where a file is needed") from None
    except (pa.ArrowException, OSError, ValueError):  # the cause may quote names and values
        raise NoteFormatError(f"{argument}: no Parquet file, or a damaged one") from None
    if row == 0:
        raise NoteFormatError(f"{argument}: the file holds no records")


def _refuse_repeats(schema: pa.Schema, argument: str) -> None:
    """One of two equal names would hide the other: perhaps another patient's id."""
    first: dict[str, int] = {}
    for number, column in enumerate(schema, 1):
        for name, _ in _fields(column):
            if name in first:
                raise NoteFormatError(
                    f"{argument}: column {number} names a field that column {first[name]} has named already"
                )
            first[name] = number


def _fields(column: pa.Field) -> Iterator[tuple[str, int | None]]:
    """(name, place inside the struct or None) of every field that a column gives."""
    import pyarrow as pa

    if not pa.types.is_struct(column.type):
        if _is_scalar(column.type):
            yield column.name, None
        return
    for place in range(column.type.num_fields):
        inner = column.type.field(place)
        if _is_scalar(inner.type):
            yield f"{column.name}.{inner.name}", place


def _is_scalar(kind: pa.DataType) -> bool:
    import pyarrow as pa

    of = pa.types
    value = kind.value_type if of.is_dictionary(kind) else kind
    is_bytes = of.is_binary(value) or of.is_large_binary(value) or of.is_fixed_size_binary(value)
    return not (of.is_nested(value) or is_bytes or of.is_binary_view(value))


def _columns(batch: pa.RecordBatch) -> dict[str, list[Any]]:
    """The values of every field, row by row."""
    found = {}
    for column, array in zip(batch.schema, batch.columns, strict=True):
        for name, place in _fields(column):
            found[name] = _values(array if place is None else array.flatten()[place])
    return found


def _values(array: pa.Array) -> list[Any]:
    try:
        values: list[Any] = array.to_pylist()
    except _NO_VALUE:
        return [_value(scalar) for scalar in array]
    return values


def _value(scalar: pa.Scalar) -> Any:
    try:
        return scalar.as_py()
    except _NO_VALUE:
        return _UNREADABLE


def _row(row: int, record: dict[str, Any]) -> RawRow:
    lost = frozenset(name for name, value in record.items() if value is _UNREADABLE)
    fields = {name: _text(value) for name, value in record.items() if name not in lost}
    problem = text_problem(fields.values())
    return RawRow(row, None, problem) if problem else RawRow(row, fields, None, lost)


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, int | Decimal) else None
