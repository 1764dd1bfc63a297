"""Writes what stands outside a run directory: whole or not at all, for its owner alone."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from phiscan.errors import ConfigError, StoreError


def private_folder(path: Path, argument: str) -> None:
    """Make ``path`` and its missing parents with mode 0700; what stood there stays as it is.

    StoreError names ``argument``, never the path; so in :func:`write_private`.
    """
    try:
        for folder in (*reversed(path.parents), path):
            # One by one: mkdir gives its mode to the last folder only.
            folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{argument}: cannot be written ({type(error).__name__})") from None


def refuse_in_run(path: Path, argument: str) -> None:
    """Raise ConfigError if ``path`` lies in a run directory, whose own files it might replace."""
    # Unlike Path.resolve, realpath takes links that lead in a circle.
    real = Path(os.path.realpath(path))
    for folder in (real, *real.parents):
        with suppress(OSError):  # a name that no file can have: who writes it says so
            if (folder / "run.json").is_file() and (folder / "key").is_file():
                raise ConfigError(
                    f"{argument}: the run directory holds the run's own files alone; name a place outside"
                )


def write_private(path: Path, content: str | Iterable[str], argument: str) -> None:
    """Write ``path`` with mode 0600, whatever the umask says and whatever the mode was before.

    ``content`` may be made piece by piece; what making it raises leaves no file behind.
    """
    if not path.name:
        raise StoreError(f"{argument}: names no file")
    unfinished = path.with_name(f".unfinished-{path.name}")
    try:
        unfinished.unlink(missing_ok=True)
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.writelines([content] if isinstance(content, str) else content)
        unfinished.replace(path)
    except OSError as error:
        raise StoreError(f"{argument}: cannot be written ({type(error).__name__})") from None
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
