"""SQLite files of a run's indexes: each is written once, in one go, and then only read."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def create_file(path: Path, schema: str) -> sqlite3.Connection:
    """A new, empty file for its owner alone, with the tables of ``schema``.

    Without a journal: a file that was not finished is thrown away, so there is nothing to go back to,
    and no second copy of what is written stands beside it.
    """
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    database = sqlite3.connect(path)
    database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + schema)
    return database


def open_file(path: Path) -> sqlite3.Connection:
    """A finished file, read-only; sqlite3.Error if there is none."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
