"""A gold report as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from phiscan.commands.score import Difference, GoldReport
from phiscan.gold import LEVELS, Level, Line, Scope
from phiscan.stats import Interval

MOST_ROWS = 40
"""Differences shown at most in a table; ``--json`` has them all."""
_FIGURES = ("gold", "found", "precision", "recall", "95% of recall", "F1")
_SCOPES: dict[Scope, str] = {"all": "all categories", "hipaa": "HIPAA's eighteen"}
_OUTCOMES = {"extent": "other extent", "category": "other category", "none": "missed"}

_Lines = dict[tuple[Level, Scope, str], Line]


class ScoreTable(NamedTuple):
    """A heading, column names and rows; the first ``left`` columns hold words."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]
    left: int = 1


def tables(report: GoldReport, *, show_text: bool = False) -> Iterator[ScoreTable]:
    """Every table that has a row, in reading order; values only with ``show_text``."""
    found = report.score
    lines: _Lines = {(line.level, line.scope, line.name): line for line in found.lines}
    yield _totals(report, lines)
    yield from _by_category(lines)
    confused = sorted(
        ((gold, other, count) for (gold, other), count in found.confusions.items() if gold != other),
        key=lambda row: (-row[2], row[:2]),
    )
    yield ScoreTable("Taken for something else", ("annotated", "found as", "spans"), list(confused), 2)
    gold = [one for one in report.differences if one.kind == "gold"]
    for outcome in ("none", "category", "extent"):
        title = f"Annotated, {_OUTCOMES[outcome]}"
        yield from _places(title, [one for one in gold if one.outcome == outcome], show_text)
    yield from _places(
        "Found, not annotated", [o for o in report.differences if o.kind == "found"], show_text
    )


def _totals(report: GoldReport, lines: _Lines) -> ScoreTable:
    rows = [
        (level.replace("_", " "), words, *_figures(lines[level, scope, scope]))
        for level in LEVELS
        for scope, words in _SCOPES.items()
    ]
    title = f"Found against annotated (notes: {report.score.notes:,}, patients: {report.score.clusters:,})"
    return ScoreTable(title, ("level", "of", *_FIGURES), rows, 2)


def _by_category(lines: _Lines) -> Iterator[ScoreTable]:
    keys = [key[1:] for key in lines if key[0] == "overlap" and key[1] not in _SCOPES]
    names = [f"{name} (group)" if scope == "group" else name for scope, name in keys]
    rows = [(name, *_figures(lines["overlap", *key])) for name, key in zip(names, keys, strict=True)]
    yield ScoreTable("By group and category: overlap", ("", *_FIGURES), rows)
    shares = [
        [
            _share(value)
            for level in ("strict", "token")
            for line in [lines[level, *key]]
            for value in (line.precision.value, line.recall.value, line.f1)
        ]
        for key in keys
    ]
    columns = ("", "strict P", "R", "F1", "token P", "R", "F1")
    yield ScoreTable(
        "By group and category: strict and token",
        columns,
        [(name, *row) for name, row in zip(names, shares, strict=True)],
    )


def _figures(line: Line) -> tuple[object, ...]:
    recall, precision = line.recall, line.precision
    return (
        line.gold,
        line.found,
        _share(precision.value),
        _share(recall.value),
        _range(recall),
        _share(line.f1),
    )


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _range(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return "-"
    return f"{interval.low:.3f} to {interval.high:.3f}"


def _places(title: str, found: Sequence[Difference], show_text: bool) -> Iterator[ScoreTable]:
    if not found:
        return
    more = f"; the first {MOST_ROWS}, --json has all" if len(found) > MOST_ROWS else ""
    extra = ("text",) if show_text else ()
    rows = [
        (one.category, _said(one), *((repr(one.text),) if show_text else ()), one.row, one.start, one.end)
        for one in found[:MOST_ROWS]
    ]
    columns = ("category", "detectors there", *extra, "row", "start", "end")
    yield ScoreTable(f"{title}: {len(found):,}{more}", columns, rows, 2 + len(extra))


def _said(one: Difference) -> str:
    """Each detector that said something there, with its category where that is another."""
    words = []
    for near in one.near:
        other = "" if near.category == one.category else f" {near.category}"
        words.append(f"{near.rule or near.detector}{other} {near.score:.2f}")
    return ", ".join(words) or "none"
