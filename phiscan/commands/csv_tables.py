"""Tidy CSV files of typed rows: safe to open in a spreadsheet, for their owner alone."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from phiscan.errors import StoreError
from phiscan.printable import LONGEST_TEXT, is_printable, shown_name
from phiscan.private_file import private_folder, write_private
from phiscan.scan_report import Model

_FORMULA = ("=", "+", "-", "@")


def write_tables(tables: Mapping[str, Iterable[Model]], folder: Path, argument: str) -> list[Path]:
    """Write each table that has a row as ``<name>.csv``, its stratum spread over columns; the files.

    A file of that name that an earlier call left is removed where the table has no row now. An empty
    cell is a missing value. StoreError names ``argument``.
    """
    private_folder(folder, argument)
    written = []
    for name, rows in tables.items():
        path = folder / f"{name}.csv"
        flat = [_flat(row) for row in rows]
        if not flat:
            _remove(path, argument)
            continue
        table = io.StringIO()
        writer = csv.DictWriter(table, list(flat[0]))
        writer.writeheader()
        writer.writerows(flat)
        write_private(path, table.getvalue(), argument)
        written.append(path)
    return written


def _flat(row: Model) -> dict[str, Any]:
    columns = row.model_dump(mode="json")
    stratum = columns.pop("stratum", {})
    return {name: _cell(value) for name, value in {**stratum, **columns}.items()}


def _cell(value: Any) -> Any:
    """Text that a spreadsheet takes as text; a number stays one, also a negative one."""
    if not isinstance(value, str):
        return value
    shown = value if is_printable(value, LONGEST_TEXT) or not value else shown_name("")
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


def _remove(path: Path, argument: str) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{argument}: cannot be written ({type(error).__name__})") from None
