"""Typed rows as tidy CSV: one figure a cell, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from phiscan.printable import is_printable, shown_name

_FORMULA = ("=", "+", "-", "@")
_LONGEST = 10_000
"""Characters of a cell; spreadsheets take three times as many."""
FIGURES = "figures"
"""The table of everything that stands once: name, value."""


def csv_text(columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """A table with its head; an empty cell is a missing value, and no spreadsheet reckons with text in it."""
    table = io.StringIO()
    writer = csv.DictWriter(table, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return table.getvalue()


def columns_of(row: type[BaseModel], prefix: str = "") -> list[str]:
    """Columns of a row class: its fields, those of rows inside it after their name.

    A stratum's fields bear no prefix: they say which part of the data the row is of.
    """
    found = []
    for name, field in row.model_fields.items():
        inner = model_in(field.annotation)
        found += [prefix + name] if inner is None else columns_of(inner, prefix_of(prefix, name))
    return found


def flat(row: BaseModel, prefix: str = "") -> dict[str, Any]:
    """A row by its columns; missing where a row inside it is null."""
    found: dict[str, Any] = {}
    for name, field in type(row).model_fields.items():
        value, inner = getattr(row, name), model_in(field.annotation)
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


def row_classes(part: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, type[BaseModel]]]:
    """Name and row class of every table that a report of the type ``part`` may have, in order."""
    for name, field in part.model_fields.items():
        row, inner = _row_of(field.annotation), model_in(field.annotation)
        if row is not None:
            yield prefix + name, row
        elif inner is not None:
            yield from row_classes(inner, f"{prefix}{name}_")


def _walk(part: BaseModel, prefix: str, tables: dict[str, str]) -> Iterator[dict[str, Any]]:
    for name, field in type(part).model_fields.items():
        value, row = getattr(part, name), _row_of(field.annotation)
        if row is not None:
            tables[prefix + name] = csv_text(columns_of(row), map(flat, value))
        elif isinstance(value, BaseModel):
            yield from _walk(value, f"{prefix}{name}_", tables)
        else:
            yield from _once(prefix + name, value)


def _once(name: str, value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict) and value:
        for key, one in value.items():
            yield from _once(f"{name}_{key}", one)
    else:
        yield {"name": name, "value": value}


def _row_of(annotation: Any) -> type[BaseModel] | None:
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
