"""What a text must hold for a pattern to match at all: hundreds of patterns, few of them tried."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

Needs = tuple[frozenset[str], ...]
"""Sets of case-folded strings: of each set a text must hold one."""


def required_literals(pattern: str) -> tuple[Needs, ...]:
    r"""What a match of ``pattern``, and what it looks at beside it, holds, for each alternative.

    Empty if of some alternative nothing is known.

    >>> found = required_literals(r"(?i)\b(?:crack|powder)[ -]cocaine(?: use)?")
    >>> [[sorted(one) for one in needs] for needs in found]
    [[['cocaine'], ['crack']], [['cocaine'], ['powder']]]
    >>> required_literals(r"\d+|IVDU")
    ()
    """
    try:
        # The standard library's own parser; what only the package regex knows it refuses.
        from re import _parser  # type: ignore[attr-defined]

        found = _alternatives(list(_parser.parse(pattern)))
    except (ImportError, re.error, AttributeError):
        return ()
    return tuple(tuple(sorted(set(needs), key=_worth, reverse=True)) for needs in found) if all(found) else ()


def _alternatives(items: list[tuple[Any, Any]]) -> list[list[frozenset[str]]]:
    """The first choice among several branches told apart, what stands beside it added to each."""
    for at, (kind, value) in enumerate(items):
        if str(kind) == "SUBPATTERN" and len(value[-1]) == 1 and str(value[-1][0][0]) == "BRANCH":
            value = value[-1][0][1]
        elif str(kind) != "BRANCH":
            continue
        beside = _of_sequence(items[:at]) + _of_sequence(items[at + 1 :])
        return [beside + _of_sequence(branch, _letters_before(items[:at])) for branch in value[1]]
    return [_of_sequence(items)]


def _letters_before(items: list[tuple[Any, Any]]) -> str:
    at = len(items)
    while at and str(items[at - 1][0]) == "LITERAL":
        at -= 1
    return "".join(chr(value) for _, value in items[at:])


def _of_sequence(items: Iterable[tuple[Any, Any]], run: str = "") -> list[frozenset[str]]:
    """What a sequence holds, right after the letters of ``run``."""
    found: list[frozenset[str]] = []
    for kind, value in [*items, ("END", None)]:
        if str(kind) == "LITERAL":
            run += chr(value)
            continue
        if _tells(run):
            found.append(frozenset({run.casefold()}))
        found += _of_item(str(kind), value, run)
        run = run if str(kind) == "AT" else ""
    return found


def _of_item(kind: str, value: Any, run: str) -> list[frozenset[str]]:
    if kind == "SUBPATTERN":
        return _of_sequence(value[-1], run)
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _of_sequence(value[2], run) if value[0] > 0 else []
    if kind == "ATOMIC_GROUP":
        return _of_sequence(value, run)
    if kind == "ASSERT":
        return _of_sequence(value[1])
    if kind == "BRANCH":
        return _of_branches([_of_sequence(branch, run) for branch in value[1]])
    return []


def _of_branches(branches: Sequence[Sequence[frozenset[str]]]) -> list[frozenset[str]]:
    """One of any branch's strings, if every branch has some."""
    if not all(branches):
        return []
    return [frozenset().union(*(max(branch, key=_worth) for branch in branches))]


def _tells(run: str) -> bool:
    """A single letter or blank stands in every text."""
    return len(run) > 1 or (run != "" and not run.isalnum() and not run.isspace() and run not in ".,-/'")


def _worth(strings: frozenset[str]) -> tuple[int, int]:
    """Long strings are rare in a text; of equally long ones few are better."""
    return min(map(len, strings)), -len(strings)
