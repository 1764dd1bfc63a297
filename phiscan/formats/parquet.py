"""Parquet: one record a row, read in batches."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date, time
from decimal import Decimal
from pathlib import Path
from typing import Any

from phiscan.errors import NoteFormatError
from phiscan.formats.jsonl import flattened, text_problem
from phiscan.protocols import RawRow

SUFFIXES = (".parquet",)

_AT_ONCE = 256


def rows(path: Path, argument: str) -> Iterator[RawRow]:
    """Yield every row as one record.

    Whole numbers lose a ``.0`` that only their column's type gave them; dates and times come out as
    ISO 8601. The scalars of a struct come out as fields ``outer.inner``; lists, maps and deeper
    structs are left out, and so are columns of bytes. A file that is no Parquet file, is damaged, or holds
    no records raises NoteFormatError.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    row = 0
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(_AT_ONCE):
                for record in batch.to_pylist():
                    row += 1
                    yield _row(row, record)
    except FileNotFoundError:
        raise NoteFormatError(f"{argument}: no such file") from None
    except IsADirectoryError:
        raise NoteFormatError(f"{argument}: a folder stands where a file is needed") from None
    except (pa.ArrowException, OSError, ValueError):  # the cause may quote names and values
        raise NoteFormatError(f"{argument}: no Parquet file, or a damaged one") from None
    if row == 0:
        raise NoteFormatError(f"{argument}: the file holds no records")


def _row(row: int, record: dict[str, Any]) -> RawRow:
    found = flattened(record).items()
    fields = {name: _text(value) for name, value in found if not isinstance(value, bytes)}
    problem = text_problem(fields.values())
    return RawRow(row, None, problem) if problem else RawRow(row, fields)


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, int | Decimal) else None
