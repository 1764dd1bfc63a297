"""Record classes as Arrow tables, and back."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    import pyarrow as pa

R = TypeVar("R")


@cache
def arrow_schema(record: type) -> pa.Schema:
    """The Arrow schema of a record class, derived from its annotations."""
    import pyarrow as pa

    hints = get_type_hints(record)
    return pa.schema([_field(field.name, hints[field.name]) for field in fields(record)])


def _field(name: str, hint: Any) -> pa.Field:
    import pyarrow as pa

    options = get_args(hint) if get_origin(hint) in (Union, UnionType) else ()
    if NoneType in options:
        inner = [option for option in options if option is not NoneType]
        return pa.field(name, _arrow_type(inner[0]), nullable=True)
    return pa.field(name, _arrow_type(hint), nullable=False)


def _arrow_type(hint: Any) -> pa.DataType:
    import pyarrow as pa

    if get_origin(hint) is Literal:
        return pa.string()
    if get_origin(hint) is tuple:
        return pa.list_(_arrow_type(get_args(hint)[0]))
    simple = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    return simple[hint]


def records_of(record: type[R], table: pa.Table) -> list[R]:
    """The rows of a table as records, in their order."""
    lists = [field.name for field in table.schema if str(field.type).startswith("list")]
    rows = table.to_pylist()
    for row in rows:
        for name in lists:
            row[name] = _tuples(row[name])
    return [record(**row) for row in rows]


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
