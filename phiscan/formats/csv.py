"""Comma-separated values with a header row (``.tsv``: tab-separated), plain or gzip."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from phiscan.errors import NoteFormatError
from phiscan.formats.jsonl import text_lines, text_problem
from phiscan.protocols import RawRow

SUFFIXES = (".csv", ".csv.gz", ".tsv", ".tsv.gz")

_LONGEST_FIELD = 2**26
"""Far above any note, and a bound on memory when a quote is never closed."""


def rows(path: Path, argument: str) -> Iterator[RawRow]:
    """Yield every record below the header; blank lines are no records.

    Fields keep their line endings and blanks; column names lose the blanks around them, and
    columns without a name are left out. A file that cannot be read, is not UTF-8, has no usable
    header, holds no records, or has a quote out of place raises NoteFormatError.
    """
    records = _records(path, argument)
    names = _header(next(records, None), argument)
    row = 0
    for row, values in enumerate(records, 1):
        if len(values) != len(names):
            yield RawRow(row, None, "wrong number of fields")
        elif problem := text_problem(values):
            yield RawRow(row, None, problem)
        else:
            yield RawRow(row, {name: value for name, value in zip(names, values, strict=True) if name})
    if row == 0:
        raise NoteFormatError(f"{argument}: the file holds no records")


def _records(path: Path, argument: str) -> Iterator[list[str]]:
    """Yield the header and every record.

    A quote out of place ends the reading: nobody can say where the records after it begin, and
    a guess could give one patient's text to another.
    """
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_FIELD))
    is_tab = path.name.lower().removesuffix(".gz").endswith(".tsv")
    reader = csv.reader(text_lines(path, argument), delimiter="\t" if is_tab else ",", strict=True)
    row = 0
    while True:
        try:
            record = next(reader, None)
        except csv.Error:
            place = f"row {row}" if row else "the header"
            raise NoteFormatError(
                f"{argument}: {place} (up to line {reader.line_num}) has a quote that is never closed "
                "or stands alone inside a quoted field; quotes inside a field must be doubled"
            ) from None
        if record is None:
            return
        if record:
            yield record
            row += 1


def _header(record: list[str] | None, argument: str) -> list[str]:
    """Column names; they are never quoted, as a file without a header has a record there."""
    if record is None:
        raise NoteFormatError(f"{argument}: the file holds no records")
    if text_problem(record):
        raise NoteFormatError(f"{argument}: the header is damaged: {text_problem(record)}")
    names = [name.strip() for name in record]
    for column, name in enumerate(names, 1):
        first = names.index(name) + 1
        if name and first < column:
            raise NoteFormatError(f"{argument}: column {column} has the same name as column {first}")
    return names
