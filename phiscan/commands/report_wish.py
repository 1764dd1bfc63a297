"""What may be asked of `phiscan report`, what goes together, and what is answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from phiscan.commands.annex import AnnexWish, open_annex, write_annex
from phiscan.commands.report import render_run, report_schema, say_release
from phiscan.commands.sign_report import sign_report
from phiscan.commands.verify_report import verify_report
from phiscan.errors import ConfigError
from phiscan.printable import visible
from phiscan.registry import load_plugin

_WORDS = {True: "intact", False: "NOT INTACT", None: "not known"}


class ReportWish(NamedTuple):
    """The command's arguments, by their names."""

    run: Path | None = None
    formats: str = "console"
    config: Path | None = None
    verify: bool = False
    public_key: Path | None = None
    sign: Path | None = None
    signed_by: str | None = None
    key_password_env: str | None = None
    schema: bool = False
    annex: Path | None = None
    annex_all: bool = False
    annex_for: str | None = None
    annex_password_env: str | None = None
    open_annex: Path | None = None


Answer = tuple[list[str], int]
_TASKS = {
    "schema": {"schema"},
    "open_annex": {"open_annex", "annex", "annex_password_env"},
    "verify": {"verify", "run", "public_key"},
}
"""What is asked alone, and the arguments that may stand beside it."""
_ONLY_WITH = {
    "public_key": "verify",
    "signed_by": "sign",
    "key_password_env": "sign",
    "annex_all": "annex",
    "annex_for": "annex",
    "annex_password_env": "annex",
}


def answer(wish: ReportWish) -> Answer:
    """The lines to print, and the exit code: 1 only for a report that is not intact.

    ConfigError for arguments that do not go together.
    """
    given = {name for name in wish._fields if getattr(wish, name) != ReportWish._field_defaults[name]}
    task = next((name for name in _TASKS if name in given), None)
    _refuse(given, task)
    if task is None or task == "verify":
        if wish.run is None:
            raise ConfigError("RUN: name a run directory, or ask for --schema")
        return _verified(wish.run, wish.public_key) if task else (_rendered(wish.run, wish), 0)
    return _ALONE[task](wish)


def _refuse(given: set[str], task: str | None) -> None:
    for name in sorted(given - _TASKS[task]) if task else ():
        raise ConfigError(f"{_option(str(task))}: goes without {_option(name)}")
    for name, needed in _ONLY_WITH.items():
        if name in given and needed not in given:
            raise ConfigError(f"{_option(name)}: only with {_option(needed)}")


def _option(name: str) -> str:
    return {"run": "RUN", "formats": "--format"}.get(name, f"--{name.replace('_', '-')}")


def _schema(_: ReportWish) -> Answer:
    return [report_schema()], 0


def _opened(wish: ReportWish) -> Answer:
    assert wish.open_annex is not None
    open_annex(wish.open_annex, wish.annex, wish.annex_password_env)
    return [f"Wrote {visible(str(wish.annex))}"], 0


_ALONE: dict[str, Callable[[ReportWish], Answer]] = {"schema": _schema, "open_annex": _opened}


def _verified(run: Path, public_key: Path | None) -> Answer:
    checks = verify_report(run, public_key)
    lines = [f"{_WORDS[check.intact]:<12}{check.said}" for check in checks]
    return lines, 1 if any(check.intact is False for check in checks) else 0


def _rendered(run: Path, wish: ReportWish) -> list[str]:
    formats = [name.strip() for name in wish.formats.split(",") if name.strip()]
    for name in formats:
        load_plugin("renderers", name)  # refused before anything is written
    lines = []
    if wish.config is not None:
        say_release(run, wish.config)
    if wish.annex is not None:
        asked = AnnexWish(wish.annex, wish.annex_all, wish.annex_for, wish.annex_password_env)
        entries = write_annex(run, asked)
        lines.append(
            f"Wrote {visible(str(wish.annex))}: {entries:,} entries, and a line in the log of the run"
        )
    lines += render_run(run, formats)
    if wish.sign is not None:
        lines.append(sign_report(run, wish.sign, by=wish.signed_by, password_env=wish.key_password_env))
    return lines
