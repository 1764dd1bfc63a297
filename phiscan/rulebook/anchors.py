"""Where in a text an expression can match at all: hundreds of expressions, each tried on few lines.

``rules/anchors.json`` says for each expression of a rule which strings a match cannot be without and
how many lines it may reach over. ``python -m phiscan.commands.reference`` derives both from the
expressions (:mod:`phiscan.commands.rule_anchors`). An expression the file does not know, because it
was edited since or is a site's own, is tried on the whole text: slower, and never less is found.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ahocorasick_rs import AhoCorasick

from phiscan.errors import RuleError

FILE = "anchors.json"
_SURROGATES = re.compile("[\ud800-\udfff]")
_DIGITS = re.compile(r"\d+")
Range = tuple[int, int]


class Anchor(NamedTuple):
    """What a match of an expression, with what it looks at beside it, cannot be without."""

    needs: tuple[tuple[str, ...], ...]
    """Sets of strings in small letters: one string of each set is there. The rarest set comes first."""
    digit: bool
    """A digit is there."""
    lines: int | None
    """Line ends it may hold at most; None: any number."""


def digest(source: str, flags: int, words: Mapping[str, Sequence[str]]) -> str:
    """A name for an expression with its flags and word lists."""
    parts = [source, str(flags), *(f"{name}={list(words[name])}" for name in sorted(words))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


@lru_cache(maxsize=4)
def read_anchors(directory: Path) -> dict[str, Anchor]:
    """Anchors of the rules in ``directory`` by :func:`digest`; none where there is no file.

    RuleError for a file that is not as it was written: a wrong anchor would lose findings silently.
    """
    path = directory / FILE
    try:
        rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return {key: _anchor(row) for key, row in rows.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise RuleError(f"{FILE}: cannot be read; make it anew or delete it") from None


def _anchor(row: Mapping[str, Any]) -> Anchor:
    """The anchor that a row of the file holds; ValueError, TypeError or KeyError if it is none."""
    needs, digit, lines = row["needs"], row["digit"], row["lines"]
    if not isinstance(needs, list) or type(digit) is not bool:
        raise TypeError
    if lines is not None and (type(lines) is not int or lines < 0):
        raise ValueError
    if not (needs or digit) or not all(isinstance(strings, list) and strings for strings in needs):
        raise ValueError
    if not all(string and string == small_letters(string) for strings in needs for string in strings):
        raise ValueError  # found nowhere, or everywhere
    return Anchor(tuple(map(tuple, needs)), digit, lines)


def small_letters(text: str) -> str:
    """``text`` in small letters, of the same length: a letter that would grow stays as it is.

    >>> small_letters("ÄÖ"), len(small_letters("İ"))
    ('äö', 1)
    """
    if text.isascii():
        return text.lower()
    # The long s is to an expression the same letter; a lone surrogate is to the automaton no text.
    letters = _SURROGATES.sub("\ufffd", text.replace("\u017f", "s"))
    lowered = letters.lower()
    if len(lowered) == len(letters):
        return lowered
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in letters)


class AnchorIndex:
    """Finds for each of many expressions the parts of a text it must be tried on."""

    def __init__(self, anchors: Sequence[Anchor | None]) -> None:
        self._whole = [number for number, anchor in enumerate(anchors) if anchor is None]
        sets: dict[tuple[str, ...], int] = {}
        self._anchored = [
            (number, (tuple(sets.setdefault(s, len(sets)) for s in anchor.needs), anchor.digit, anchor.lines))
            for number, anchor in enumerate(anchors)
            if anchor
        ]
        of_string: defaultdict[str, list[int]] = defaultdict(list)
        for strings, number in sets.items():
            for string in strings:
                of_string[string].append(number)
        self._n_sets = len(sets)
        self._sets = list(of_string.values())
        self._automaton = AhoCorasick(list(of_string))

    def parts(self, text: str) -> dict[int, Sequence[Range]]:
        """By number of expression the ranges of ``text``, whole lines, that hold all its matches.

        Expressions that can match nowhere are absent.
        """
        starts = _line_starts(text)
        held = self._lines_held(text, starts)
        with_digit = 0
        for match in _DIGITS.finditer(text):
            with_digit |= 1 << (bisect_right(starts, match.start()) - 1)
        parts: dict[int, Sequence[Range]] = {number: ((0, len(text)),) for number in self._whole}
        for number, (needs, digit, lines_over) in self._anchored:
            reach = len(starts) if lines_over is None else min(lines_over, len(starts))
            lines = held[needs[0]] if needs else with_digit
            if lines and digit:
                lines &= _widened(with_digit, reach)
            for strings in needs[1:]:
                if lines:
                    lines &= _widened(held[strings], reach)
            if lines:
                parts[number] = _ranges(_widened(lines, reach), starts)
        return parts

    def _lines_held(self, text: str, starts: Sequence[int]) -> list[int]:
        """For each set the lines that hold a string of it, as bits."""
        held = [0] * self._n_sets
        found = self._automaton.find_matches_as_indexes(small_letters(text), overlapping=True)
        for string, line in {(string, bisect_right(starts, start) - 1) for string, start, _ in found}:
            for number in self._sets[string]:
                held[number] |= 1 << line
        return held


def _widened(lines: int, reach: int) -> int:
    """``lines`` and ``reach`` lines on either side of each."""
    done = 0
    while lines and done < reach:
        step = min(reach - done, done + 1)
        lines |= lines << step | lines >> step
        done += step
    return lines


def _line_starts(text: str) -> list[int]:
    """Where each line begins, and the end of the text."""
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts if starts[-1] == len(text) > 0 else [*starts, len(text)]


def _ranges(lines: int, starts: Sequence[int]) -> list[Range]:
    """The ranges of the text that ``lines``, given as bits, make up; neighbours make one."""
    found: list[Range] = []
    line, last = 0, len(starts) - 1
    while lines and line < last:
        skipped = (lines & -lines).bit_length() - 1
        lines >>= skipped
        run = (~lines & lines + 1).bit_length() - 1  # ones from the lowest bit on
        lines >>= run
        line += skipped
        if line < last:
            found.append((starts[line], starts[min(last, line + run)]))
        line += run
    return found
