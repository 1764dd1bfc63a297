"""What may be asked of `phiscan report`, what goes together, and what is answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from phiscan.commands.adapted_runs import is_adaptation
from phiscan.commands.annex import AnnexWish, open_annex, write_annex
from phiscan.commands.report import render_run, report_schema, say_release
from phiscan.commands.sign_report import read_signer, sign_report
from phiscan.commands.trend import trend_schema
from phiscan.commands.trend_files import report_trend
from phiscan.commands.verify_report import as_json, verify_report
from phiscan.errors import ConfigError
from phiscan.printable import visible
from phiscan.registry import load_plugin

_WORDS = {True: "intact", False: "NOT INTACT", None: "not known"}


class ReportWish(NamedTuple):
    """The command's arguments, by their names."""

    runs: list[Path] | None = None
    formats: str = "console"
    out: Path | None = None
    label: list[str] | None = None
    forecast: Path | None = None
    config: Path | None = None
    verify: bool = False
    public_key: Path | None = None
    as_json: bool = False
    sign: Path | None = None
    signed_by: str | None = None
    key_password_env: str | None = None
    schema: bool = False
    trend_schema: bool = False
    annex: Path | None = None
    annex_all: bool = False
    annex_for: str | None = None
    annex_password_env: str | None = None
    open_annex: Path | None = None


Answer = tuple[list[str], int]
_TASKS = {
    "schema": {"schema"},
    "trend_schema": {"trend_schema"},
    "open_annex": {"open_annex", "annex", "annex_password_env"},
    "verify": {"verify", "runs", "public_key", "as_json"},
    "trend": {"trend", "runs", "formats", "out", "label", "forecast"},
}
"""What is asked alone, and the arguments that may stand beside it."""
_ONLY_WITH = {
    "public_key": "verify",
    "as_json": "verify",
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
    given = {
        name for name in wish._fields if getattr(wish, name) not in ([], ReportWish._field_defaults[name])
    }
    if _is_trend(wish, given):
        given.add("trend")
    task = next((name for name in _TASKS if name in given), None)
    _refuse(given, task)
    if task is None or task == "verify":
        if not wish.runs:
            raise ConfigError("RUN: name a run directory, or ask for --schema")
        (run,) = wish.runs
        return _verified(run, wish) if task else (_rendered(run, wish), 0)
    return _ALONE[task](wish)


def _is_trend(wish: ReportWish, given: set[str]) -> bool:
    """True where several runs are named, what only a trend has, or nothing but an adaptation."""
    several = len(wish.runs or ()) > 1 or bool(given & {"out", "label", "forecast"})
    return several or (given <= {"runs", "formats"} and any(map(is_adaptation, wish.runs or ())))


def _refuse(given: set[str], task: str | None) -> None:
    for name in sorted(given - _TASKS[task]) if task else ():
        raise ConfigError(f"{_option(str(task))}: goes without {_option(name)}")
    for name, needed in _ONLY_WITH.items():
        if name in given and needed not in given:
            raise ConfigError(f"{_option(name)}: only with {_option(needed)}")


def _option(name: str) -> str:
    names = {"runs": "RUN", "formats": "--format", "trend": "a trend of several RUN", "as_json": "--json"}
    return names.get(name, f"--{name.replace('_', '-')}")


def _schema(_: ReportWish) -> Answer:
    return [report_schema()], 0


def _opened(wish: ReportWish) -> Answer:
    assert wish.open_annex is not None
    open_annex(wish.open_annex, wish.annex, wish.annex_password_env)
    return [f"Wrote {visible(str(wish.annex))}"], 0


def _trend_schema(_: ReportWish) -> Answer:
    return [trend_schema()], 0


def _trend(wish: ReportWish) -> Answer:
    lines = report_trend(
        wish.runs or [],
        labels=wish.label or [],
        out=wish.out,
        formats=_names(wish.formats),
        forecast=wish.forecast,
    )
    return lines, 0


_ALONE: dict[str, Callable[[ReportWish], Answer]] = {
    "schema": _schema,
    "trend_schema": _trend_schema,
    "open_annex": _opened,
    "trend": _trend,
}


def _names(formats: str) -> list[str]:
    return [name.strip() for name in formats.split(",") if name.strip()]


def _verified(run: Path, wish: ReportWish) -> Answer:
    checks = verify_report(run, wish.public_key)
    lines = [f"{_WORDS[check.intact]:<12}{check.said}" for check in checks]
    return [as_json(checks)] if wish.as_json else lines, 1 if any(
        check.intact is False for check in checks
    ) else 0


def _rendered(run: Path, wish: ReportWish) -> list[str]:
    default = ReportWish._field_defaults["formats"]
    # Who signs has read it.
    formats = [] if wish.sign is not None and wish.formats == default else _names(wish.formats)
    for name in formats:
        load_plugin("renderers", name)  # refused before anything is written, as is the key
    signer = wish.sign and read_signer(wish.sign, by=wish.signed_by, password_env=wish.key_password_env)
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
    if signer:
        lines.append(sign_report(run, signer))
    return lines
