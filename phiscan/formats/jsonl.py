"""JSON Lines: one object a line, plain or gzip; and the strict text reading that text formats share."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from phiscan.errors import NoteFormatError
from phiscan.protocols import GoldRow, GoldSpan, RawRow

SUFFIXES = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")

_UNDECODED = re.compile("[\udc80-\udcff]")
_SPREADSHEET_CELL = 32_767
"""UTF-16 units in the largest spreadsheet cell; longer text is cut there without a word."""


def rows(path: Path, argument: str) -> Iterator[RawRow]:
    """Yield every line that is not blank as one record.

    Numbers keep the digits of the file, so that the id ``12`` equals the id ``"12"``; ``true`` and
    ``false`` become those words, null and NaN None. The scalars of an object inside come out as fields
    ``outer.inner``; deeper ones and lists are left out. A line that says a field twice, be it once as
    ``{"outer.inner": ...}`` and once as ``{"outer": {"inner": ...}}``, is a bad row.
    A file that cannot be read, is not UTF-8, or holds no records raises NoteFormatError.
    """
    for row, line in _records(path, argument):
        parsed, problem = _parse(line)
        yield RawRow(row, *((None, problem) if parsed is None else _scalars(parsed)))


def gold(path: Path, argument: str) -> Iterator[GoldRow]:
    """Yield what stands in the field ``spans`` of every record: ``[{start, end, category}, ...]``,
    perhaps with the ``text`` that stands there. The other fields are read as by :func:`rows`.
    """
    for row, line in _records(path, argument):
        parsed, problem = _parse(line)
        if parsed is None:
            yield GoldRow(row, None, None, problem)
            continue
        fields, problem = _scalars(parsed)
        spans: tuple[GoldSpan, ...] | None = None
        if fields is not None:
            spans, problem = _gold_spans(parsed.get("spans"))
        yield GoldRow(row, fields, spans, problem)


def _records(path: Path, argument: str) -> Iterator[tuple[int, str]]:
    row = 0
    for line in text_lines(path, argument):
        if line.strip():
            row += 1
            yield row, line
    if row == 0:
        raise NoteFormatError(f"{argument}: the file holds no records")


def _gold_spans(items: Any) -> tuple[tuple[GoldSpan, ...] | None, str | None]:
    if not isinstance(items, list):
        return None, 'no list in the field "spans"'
    spans = tuple(span for item in items if (span := _gold_span(item)) is not None)
    return (spans, None) if len(spans) == len(items) else (None, "a span is not {start, end, category}")


def _gold_span(item: Any) -> GoldSpan | None:
    if not isinstance(item, dict):
        return None
    label, text = item.get("category"), item.get("text")
    start, end = _offset(item.get("start")), _offset(item.get("end"))
    if start is None or end is None or not isinstance(label, str) or not isinstance(text, str | None):
        return None
    return GoldSpan(start, end, label, text)


def _offset(value: object) -> int | None:
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 10 else None


def text_lines(path: Path, argument: str) -> Iterator[str]:
    """Yield the lines of a UTF-8 text file, plain or gzip, with their line endings as they stand.

    A byte order mark at the start is left out. Only CR, LF and CR LF end a line. One line is in
    memory at a time. A file that cannot be opened, is damaged, cut off, or not UTF-8 raises
    NoteFormatError.
    """
    try:
        with path.open("rb") as file:
            is_gzip = file.peek(2).startswith(b"\x1f\x8b")
            data = gzip.GzipFile(fileobj=file) if is_gzip else file
            _refuse_other_kinds(data.peek(4)[:4], argument)
            # Bytes that are no UTF-8 come out as lone surrogates, which UTF-8 itself cannot produce.
            text = io.TextIOWrapper(data, "utf-8-sig", errors="surrogateescape", newline="")
            for number, line in enumerate(text, 1):
                if not line.isascii() and _UNDECODED.search(line):
                    raise NoteFormatError(
                        f"{argument}: line {number} is not UTF-8 (Windows-1252 or Latin-1?); "
                        "convert the file to UTF-8"
                    )
                yield line
    except FileNotFoundError:
        raise NoteFormatError(f"{argument}: no such file") from None
    except IsADirectoryError:
        raise NoteFormatError(f"{argument}: a folder stands where a file is needed") from None
    except EOFError:
        raise NoteFormatError(f"{argument}: the gzip file is cut off; copy it again") from None
    except (gzip.BadGzipFile, zlib.error):
        raise NoteFormatError(f"{argument}: the gzip file is damaged; copy it again") from None
    except OSError as error:
        raise NoteFormatError(f"{argument}: the file cannot be read ({error.strerror})") from None


def text_problem(values: Iterable[str | None]) -> str | None:
    """Why a record with these values cannot be taken as it is, or None.

    A NUL is a sign of a damaged export; a value as long as the largest spreadsheet cell was most
    likely cut there, and the rest of it would go unsearched.
    """
    for value in values:
        if value is None:
            continue
        if "\0" in value:
            return "a field holds a NUL character"
        if _fills_a_spreadsheet_cell(value):
            return "a field is cut at 32,767 characters, the limit of a spreadsheet cell"
    return None


def _fills_a_spreadsheet_cell(value: str) -> bool:
    if value.isascii() or not _SPREADSHEET_CELL // 2 < len(value) < _SPREADSHEET_CELL:
        return len(value) == _SPREADSHEET_CELL
    return len(value.encode("utf-16-le", "surrogatepass")) == 2 * _SPREADSHEET_CELL


def _refuse_other_kinds(head: bytes, argument: str) -> None:
    """Raise for what the first four bytes give away: UTF-16, UTF-32, zip archives."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in head:
        raise NoteFormatError(f"{argument}: the file is UTF-16, UTF-32 or no text; convert it to UTF-8")
    if head == b"PK\x03\x04":
        raise NoteFormatError(
            f"{argument}: the file is a spreadsheet or zip archive; export it as CSV (UTF-8)"
        )


def _parse(line: str) -> tuple[dict[str, Any] | None, str | None]:
    """``(object, None)`` with numbers as written, or ``(None, problem)``."""
    try:
        parsed = json.loads(
            line,
            strict=False,
            parse_int=str,
            parse_float=str,
            parse_constant=_no_value,
            object_pairs_hook=_without_repeats,
        )
    except (ValueError, RecursionError):  # the cause holds the line; it is not chained
        return None, "not JSON, or a field stands twice in it"
    return (parsed, None) if isinstance(parsed, dict) else (None, "not a JSON object")


def _flattened(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The values of a record that are no lists and no objects; those inside an object as ``outer.inner``."""
    for name, value in record.items():
        inside = isinstance(value, dict)
        found = [(f"{name}.{key}", deep) for key, deep in value.items()] if inside else [(name, value)]
        yield from ((name, value) for name, value in found if not isinstance(value, dict | list))


def _scalars(parsed: dict[str, Any]) -> tuple[dict[str, str | None] | None, str | None]:
    found = [
        (name, str(value).lower() if isinstance(value, bool) else value) for name, value in _flattened(parsed)
    ]
    fields = dict(found)
    if len(fields) < len(found):
        return None, "a field stands twice, once inside an object"
    problem = text_problem(fields.values())
    return (None, problem) if problem else (fields, None)


def _no_value(_: str) -> None:
    return None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError
    return fields
