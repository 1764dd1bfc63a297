"""Reads the records of an input file under our own field names, and counts what cannot be used."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from phiscan.errors import NoteFormatError
from phiscan.protocols import FolderFormat, NoteFormat
from phiscan.registry import load_plugin, plugin_names

MOST_EXAMPLES = 20
_COUNTS = "counts.json"

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class BadRow(NamedTuple):
    """Where a record that cannot be used stands, and why."""

    argument: str
    row: int
    reason: str


class RowCounts(TypedDict):
    """What became of the rows of one load; reasons quote nothing."""

    rows_read: int
    rows_bad: dict[str, int]
    rows_dropped: dict[str, int]
    bad_examples: list[BadRow]


class Tally:
    """Counts rows over all files of one load."""

    def __init__(self) -> None:
        self.read = 0
        self.dropped: Counter[str] = Counter()
        self._bad: Counter[str] = Counter()
        self._examples: list[BadRow] = []

    def bad(self, argument: str, row: int, reason: str) -> None:
        """Count a record that cannot be used; the first few are kept as examples."""
        self._bad[reason] += 1
        if len(self._examples) < MOST_EXAMPLES:
            self._examples.append(BadRow(argument, row, reason))

    def counts(self) -> RowCounts:
        """Everything counted so far."""
        return RowCounts(
            rows_read=self.read,
            rows_bad=dict(self._bad),
            rows_dropped=dict(self.dropped),
            bad_examples=list(self._examples),
        )

    def why(self) -> str:
        """Ending of an error that says no row was usable: the commonest reasons."""
        commonest = (self._bad + self.dropped).most_common(3)
        return ": " + ", ".join(f"{reason} ({count})" for reason, count in commonest) if commonest else ""


def write_counts(folder: Path, counts: Mapping[str, Any]) -> None:
    """Keep what became of the rows beside what was made of them."""
    (folder / _COUNTS).write_text(json.dumps(counts), encoding="utf-8")


def read_counts(folder: Path) -> dict[str, Any]:
    """What :func:`write_counts` wrote."""
    counts: dict[str, Any] = json.loads((folder / _COUNTS).read_text(encoding="utf-8"))
    return {**counts, "bad_examples": [BadRow(*bad) for bad in counts["bad_examples"]]}


def read_rows(
    path: Path,
    columns: Mapping[str, str],
    *,
    required: Collection[str],
    argument: str,
    tally: Tally,
    format_name: str | None = None,
    mapped_in: str = "",
) -> Iterator[tuple[int, dict[str, str | None]]]:
    """Yield ``(row, fields)`` of every readable record; ``tally`` counts all of them.

    ``columns`` maps our field names to the file's; a field that a record lacks is absent. A
    ``required`` field that no record has raises NoteFormatError at the end of the file, as JSON
    Lines have no header to look at; ``mapped_in`` names the settings section that maps it.
    """
    seen: set[str] = set()
    readable = False
    for row, raw, problem, unreadable in format_of(path, format_name, argument).rows(path, argument):
        tally.read += 1
        lost = unreadable.intersection(columns.values())
        if raw is None or lost:
            tally.bad(argument, row, problem or "a value that cannot be read")
            continue
        readable = True
        fields = {name: raw[column] for name, column in columns.items() if column in raw}
        seen.update(fields)
        if any(value and not is_unicode(value) for value in fields.values()):
            tally.bad(argument, row, "not valid Unicode text")
        else:
            yield row, fields
    missing = [name for name in required if name not in seen]
    if readable and missing:
        hint = f"; map it with {mapped_in} {missing[0]} = ..." if mapped_in else ""
        raise NoteFormatError(f'{argument}: no column "{missing[0]}"{hint}')


def is_unicode(value: str) -> bool:
    """False for text with a lone surrogate, which no file can hold as UTF-8."""
    return value.isascii() or not _LONE_SURROGATE.search(value)


def format_of(path: Path, name: str | None, argument: str) -> NoteFormat:
    """The formats plug-in called ``name``, or the one with the longest ending that fits the file.

    For a folder: the one whose files it holds. NoteFormatError where there is none, or two.
    """
    if name:
        return _load_format(name)
    plugins = [_load_format(known) for known in plugin_names("formats")]
    if _is_folder(path):
        return _format_of_folder(path, plugins, argument)
    by_suffix = {suffix: plugin for plugin in plugins for suffix in plugin.SUFFIXES}
    for suffix in sorted(by_suffix, key=len, reverse=True):
        if path.name.lower().endswith(suffix):
            return by_suffix[suffix]
    if not os.access(path, os.R_OK):
        raise NoteFormatError(f"{argument}: no such file, or no right to read it")
    endings = ", ".join(sorted(by_suffix))
    raise NoteFormatError(f"{argument}: no format has this file ending; there are: {endings}")


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that no file can have, or a folder that may not be entered
        return False


def _format_of_folder(path: Path, plugins: Iterable[NoteFormat], argument: str) -> NoteFormat:
    by_ending = {plugin.FOLDER: plugin for plugin in plugins if isinstance(plugin, FolderFormat)}
    try:
        names = [file.name.lower() for file in path.iterdir() if not file.name.startswith(".")]
    except OSError:
        raise NoteFormatError(f"{argument}: no right to read the folder") from None
    fitting = [ending for ending in sorted(by_ending) if any(name.endswith(ending) for name in names)]
    if len(fitting) == 1:
        return by_ending[fitting[0]]
    endings = ", ".join(fitting or sorted(by_ending))
    if fitting:
        raise NoteFormatError(f"{argument}: the folder holds notes of several formats ({endings}); part them")
    raise NoteFormatError(f"{argument}: a folder must hold files that end in one of: {endings}")


def _load_format(name: str) -> NoteFormat:
    plugin: NoteFormat = load_plugin("formats", name)
    return plugin
