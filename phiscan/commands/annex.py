"""The restricted annex of a run: values and passages for those who must look, a page apart and logged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import phiscan
from phiscan.commands.adapted_runs import refuse_adaptation
from phiscan.commands.annex_page import Head, render_annex
from phiscan.encryption import SHORTEST, seal, unseal
from phiscan.errors import ConfigError
from phiscan.passes.annex import annex_entries
from phiscan.passes.reopen import reopened
from phiscan.printable import LONGEST_NAME, is_printable
from phiscan.private_file import refuse_in_run, write_private
from phiscan.run_files import ANNEX_LOG


class AnnexWish(NamedTuple):
    """What is wanted of an annex."""

    page: Path
    everything: bool = False
    """Every hit on the own record too, not only what decides."""
    reader: str | None = None
    """For whom it is, in the words of who asks."""
    password_env: str | None = None
    """Variable of the environment that holds the password; None: not encrypted."""


def write_annex(root: Path, wish: AnnexWish) -> int:
    """Write the annex of a finished run and a line of its log; how many entries it has.

    ConfigError for a place in the run directory, one that is taken, or a password that cannot be used.
    StoreError for a run that is not finished or damaged, or whose log was changed.
    """
    _refuse_place(wish.page)
    if wish.reader is not None and not is_printable(wish.reader):
        raise ConfigError(f"--annex-for: must be 1 to {LONGEST_NAME} printable characters")
    password = None if wish.password_env is None else _password(wish.password_env)
    refuse_adaptation(root)
    with reopened(root) as finished:
        run = finished.run
        run.read_lines(ANNEX_LOG)  # refused before the work, not after it
        entries = annex_entries(finished, everything=wish.everything)
        head = Head(
            run_digest=run.keyed("annex"),
            scanned=finished.report.manifest.created,
            written=datetime.now(UTC).isoformat(timespec="seconds"),
            phiscan_version=phiscan.__version__,
            reader=wish.reader,
            everything=wish.everything,
        )
        page = render_annex(head, entries)
        content = page if password is None else seal(page, password)
        row = {
            "date": head.written,
            "phiscan_version": head.phiscan_version,
            "entries": len(entries),
            "everything": wish.everything,
            "encrypted": password is not None,
            "reader": wish.reader,
            "keyed_digest": run.keyed(content),
        }

        def logged() -> Iterator[str]:
            """The content, and the log's line before the file takes its place: none stands unlogged."""
            yield content
            run.append_line(ANNEX_LOG, row)

        write_private(wish.page, logged(), "--annex")
    return len(entries)


def open_annex(sealed: Path, page: Path | None, password_env: str | None) -> None:
    """Write the page of an encrypted annex to ``page``; ConfigError if it cannot be opened or written."""
    if page is None or password_env is None:
        raise ConfigError("--open-annex: say where the page goes (--annex) and --annex-password-env")
    _refuse_place(page)
    if not sealed.is_file():  # a pipe would be waited for, a device never ends
        raise ConfigError("--open-annex: is no file")
    password = _password(password_env)
    try:
        content = sealed.read_text(encoding="ascii")
    except (OSError, ValueError) as error:
        raise ConfigError(f"--open-annex: cannot be read ({type(error).__name__})") from None
    write_private(page, unseal(content, password), "--annex")


def _refuse_place(page: Path) -> None:
    if os.path.lexists(page):
        raise ConfigError("--annex: something stands there already; remove it or name another file")
    refuse_in_run(page, "--annex")


def _password(variable: str) -> str:
    password = os.environ.get(variable, "")
    if len(password) < SHORTEST:
        raise ConfigError(
            f"--annex-password-env: the variable holds no password of {SHORTEST} characters or more"
        )
    return password
