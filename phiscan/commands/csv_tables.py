"""Tidy CSV files of typed rows: safe to open in a spreadsheet, for their owner alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from phiscan.errors import StoreError
from phiscan.private_file import private_folder, write_private
from phiscan.reporting.tidy import csv_text, flat
from phiscan.scan_report import Model


def write_tables(tables: Mapping[str, Iterable[Model]], folder: Path, argument: str) -> list[Path]:
    """Write each table that has a row as ``<name>.csv``, its stratum spread over columns; the files.

    A file of that name that an earlier call left is removed where the table has no row now. An empty
    cell is a missing value. StoreError names ``argument``.
    """
    private_folder(folder, argument)
    written = []
    for name, rows in tables.items():
        path = folder / f"{name}.csv"
        found = [flat(row) for row in rows]
        if not found:
            _remove(path, argument)
            continue
        write_private(path, csv_text(found[0], found), argument)
        written.append(path)
    return written


def _remove(path: Path, argument: str) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{argument}: cannot be written ({type(error).__name__})") from None
