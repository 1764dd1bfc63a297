"""Outputs made elsewhere, on disk: read once in file order, then asked for by the notes they answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from phiscan.errors import NoteFormatError
from phiscan.input_rows import BadRow, Tally, read_counts, read_rows, write_counts
from phiscan.load import line_feeds
from phiscan.records import PhiText, record
from phiscan.sqlite_file import create_file, open_file

_FILE = "rows.sqlite"
_SCHEMA = """
CREATE TABLE output(id INTEGER PRIMARY KEY, ordinal INT, model TEXT, row INT, note_id TEXT, prefix TEXT,
                    continuation TEXT);
CREATE INDEX by_note ON output(ordinal);
CREATE INDEX by_model ON output(model);
"""


@record
class ReplayRow:
    """One model output made elsewhere."""

    row: int
    note_id: PhiText
    prefix: PhiText
    continuation: PhiText
    """May be empty: the model said nothing."""
    model: str | None


class ReplayRows:
    """The outputs of a file; those of a note are found by its ordinal."""

    def __init__(self, folder: Path) -> None:
        self._db = open_file(folder / _FILE)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __len__(self) -> int:
        return int(self._db.execute("SELECT COUNT(*) FROM output").fetchone()[0])

    def __iter__(self) -> Iterator[ReplayRow]:
        """In file order."""
        return self._rows("ORDER BY id", ())

    def of_notes(self, notes: range) -> list[ReplayRow]:
        """Outputs for notes of these ordinals, in file order."""
        found = self._rows("WHERE ordinal>=? AND ordinal<?", (notes.start, notes.stop))
        return sorted(found, key=lambda output: output.row)

    def of_unknown_notes(self) -> list[ReplayRow]:
        """Outputs that name a note that was not loaded, in file order."""
        return list(self._rows("WHERE ordinal IS NULL ORDER BY id", ()))

    def count_from(self, ordinal: int) -> int:
        """Outputs for notes of this ordinal or a later one."""
        query = "SELECT COUNT(*) FROM output WHERE ordinal>=?"
        return int(self._db.execute(query, (ordinal,)).fetchone()[0])

    def models(self) -> set[str | None]:
        """The models named; None if a row names none."""
        return {model for (model,) in self._db.execute("SELECT DISTINCT model FROM output")}

    def _rows(self, where: str, arguments: tuple[int, ...]) -> Iterator[ReplayRow]:
        query = f"SELECT row, note_id, prefix, continuation, model FROM output {where}"  # noqa: S608
        for row, note_id, prefix, continuation, model in self._db.execute(query, arguments):
            yield ReplayRow(row=row, note_id=note_id, prefix=prefix, continuation=continuation, model=model)


@record
class LoadedReplay:
    """All usable outputs, and what became of every other row."""

    rows: ReplayRows
    rows_read: int
    rows_bad: dict[str, int]
    rows_dropped: dict[str, int]
    bad_examples: list[BadRow]


def index_replay(
    folder: Path, path: Path, ordinals: Mapping[str, int], *, argument: str = "--replay"
) -> None:
    """Write the outputs of ``path`` to ``folder``; ``ordinals`` of notes by id, copies under their own."""
    tally = Tally()
    database = create_file(folder / _FILE, _SCHEMA)
    for output in stream_replay(path, argument=argument, tally=tally):
        database.execute(
            "INSERT INTO output VALUES (NULL,?,?,?,?,?,?)",
            (
                ordinals.get(output.note_id),
                output.model,
                output.row,
                output.note_id,
                output.prefix,
                output.continuation,
            ),
        )
    database.commit()
    database.close()
    write_counts(folder, tally.counts())


def open_replay(folder: Path) -> LoadedReplay:
    """What :func:`index_replay` wrote."""
    return LoadedReplay(rows=ReplayRows(folder), **read_counts(folder))


def stream_replay(path: Path, *, argument: str, tally: Tally) -> Iterator[ReplayRow]:
    """Yield outputs made elsewhere, rows ``note_id, prefix, continuation[, model]``, as they stand.

    Prefix and continuation may be empty, but not missing; their line endings become line feeds. A
    file or column that cannot be read, or a file without a usable row, raises NoteFormatError,
    perhaps only at the file's end.
    """
    found = False
    required = ("note_id", "prefix", "continuation")
    columns = {name: name for name in (*required, "model")}
    for row, fields in read_rows(path, columns, required=required, argument=argument, tally=tally):
        note_id = (fields.get("note_id") or "").strip()
        prefix, continuation = fields.get("prefix"), fields.get("continuation")
        if not note_id:
            tally.bad(argument, row, "no note_id")
        elif prefix is None:
            tally.bad(argument, row, "no prefix")
        elif continuation is None:
            tally.bad(argument, row, "no continuation")
        else:
            found = True
            yield ReplayRow(
                row=row,
                note_id=note_id,
                prefix=line_feeds(prefix)[0],
                continuation=line_feeds(continuation)[0],
                model=(fields.get("model") or "").strip() or None,
            )
    if not found:
        raise NoteFormatError(f"{argument}: no output could be read{tally.why()}")
