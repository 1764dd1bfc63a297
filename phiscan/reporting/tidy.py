"""Typed rows as tidy CSV: one figure a cell, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel

from phiscan.printable import is_printable, shown_name

_FORMULA = ("=", "+", "-", "@")
_LONGEST = 10_000
"""Characters of a cell; spreadsheets take three times as many."""
FIGURES = "figures"
"""The table of everything that stands once: name, value."""
ROW = "row"
"""Column of a table of rows that stand inside rows: the number of the outer one, from 1."""


def csv_text(columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """A table with its head; an empty cell is a missing value, and no spreadsheet reckons with text in it."""
    table = io.StringIO()
    writer = csv.DictWriter(table, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return table.getvalue()


def columns_of(row: type[BaseModel], prefix: str = "") -> list[str]:
    """Columns of a row class: its fields, those of a row inside it after their name.

    A stratum's fields bear no prefix: they say which part of the data the row is of. A field that holds
    several rows is no column but a table.
    """
    found = []
    for name, field in row.model_fields.items():
        inner = model_in(field.annotation)
        if rows_of(field.annotation) is not None:
            continue
        found += [prefix + name] if inner is None else columns_of(inner, prefix_of(prefix, name))
    return found


def flat(row: BaseModel, prefix: str = "") -> dict[str, Any]:
    """A row by its columns; missing where a row inside it is null."""
    found: dict[str, Any] = {}
    for name, field in type(row).model_fields.items():
        value, inner = getattr(row, name), model_in(field.annotation)
        if rows_of(field.annotation) is not None:
            continue
        if inner is None:
            found[prefix + name] = value
        elif value is None:
            found |= dict.fromkeys(columns_of(inner, prefix_of(prefix, name)))
        else:
            found |= flat(value, prefix_of(prefix, name))
    return found


def tables_of(report: BaseModel) -> dict[str, str]:
    """Every table of a report as CSV by name, also those without a row; what stands once in ``figures``."""
    tables: dict[str, str] = {}
    once = list(_walk(report, "", tables))
    return {FIGURES: csv_text(("name", "value"), once), **tables}


class TableType(NamedTuple):
    """What a table of a report is made of."""

    name: str
    row: type[BaseModel]
    within: str
    """The table in whose rows these stand, empty: none; then the first column is the number of that row."""

    @property
    def columns(self) -> list[str]:
        """The head."""
        return [*([ROW] if self.within else []), *columns_of(self.row)]


def table_types(part: type[BaseModel], prefix: str = "", within: str = "") -> Iterator[TableType]:
    """Every table that a report of the type ``part`` may have, in order."""
    for name, field in part.model_fields.items():
        row, inner = rows_of(field.annotation), model_in(field.annotation)
        if row is not None:
            yield TableType(prefix + name, row, within)
            yield from table_types(row, f"{prefix}{name}_", prefix + name)
        elif inner is not None:
            yield from table_types(inner, f"{prefix}{name}_", within)


def _walk(part: BaseModel, prefix: str, tables: dict[str, str]) -> Iterator[dict[str, Any]]:
    for name, field in type(part).model_fields.items():
        value, row = getattr(part, name), rows_of(field.annotation)
        if row is not None:
            tables |= _tables_of_rows(prefix + name, row, value)
        elif isinstance(value, BaseModel):
            yield from _walk(value, f"{prefix}{name}_", tables)
        else:
            yield from _once(prefix + name, value)


def _tables_of_rows(name: str, row: type[BaseModel], rows: Iterable[BaseModel]) -> Iterator[tuple[str, str]]:
    """The table of ``rows``, and beside it one of each field that holds several rows."""
    outer = list(rows)
    yield name, csv_text(columns_of(row), map(flat, outer))
    for table in table_types(row, f"{name}_", name):
        field = table.name.removeprefix(f"{name}_")
        within = ({ROW: at, **flat(one)} for at, held in enumerate(outer, 1) for one in getattr(held, field))
        yield table.name, csv_text(table.columns, within)


def _once(name: str, value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict) and value:
        for key, one in value.items():
            yield from _once(f"{name}_{key}", one)
    else:
        yield {"name": name, "value": value}


def rows_of(annotation: Any) -> type[BaseModel] | None:
    """The row class of a field that holds rows."""
    if typing.get_origin(annotation) is not tuple:
        return None
    return model_in(typing.get_args(annotation)[0])


def model_in(annotation: Any) -> type[BaseModel] | None:
    """The one model that an annotation means, null allowed."""
    options = typing.get_args(annotation) if _is_union(annotation) else (annotation,)
    models = [one for one in options if isinstance(one, type) and issubclass(one, BaseModel)]
    return models[0] if models else None


def _is_union(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (typing.Union, types.UnionType)


def prefix_of(prefix: str, name: str) -> str:
    """What stands before the columns of a row that is the field ``name`` of another."""
    return prefix if name == "stratum" else f"{prefix}{name}_"


def _cell(value: Any) -> Any:
    """Text that a spreadsheet takes as text; a number stays one, also a negative one."""
    if isinstance(value, tuple | list | dict):
        value = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, str):
        return value
    shown = value if is_printable(value, _LONGEST) or not value else shown_name("")
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
