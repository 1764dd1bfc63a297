"""Where in a text an expression can match at all: hundreds of expressions, each tried on few lines.

``rules/anchors.json`` says for each expression of a rule which strings a match cannot be without and
how many lines it may reach over. ``python -m phiscan.commands.reference`` derives both from the
expressions (:mod:`phiscan.commands.rule_anchors`). An expression the file does not know, because it
was edited since or is a site's own, is tried on the whole text: slower, and never less is found.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import regex
from ahocorasick_rs import AhoCorasick

from phiscan.errors import RuleError

FILE = "anchors.json"
_BLANK, _DIGIT = regex.compile(r"[^\S\n]"), regex.compile(r"\d")  # as the expressions understand them
NARROW = 4
"""Below so many places an expression is tried at each; over more it may be searched for."""


class Place(NamedTuple):
    """Strings of which one is in every match, or in what it looks at beside it, and where."""

    low: int | None
    high: int | None
    """Characters from the match's start to the string's, at least and at most (negative: before it); None:
    any number."""
    word: bool
    """No letter and no digit (of ASCII) stands before the string."""
    strings: tuple[str, ...]
    """As they stand in a :func:`folded` text."""


class Anchor(NamedTuple):
    """What a match of an expression, with what it looks at beside it, cannot be without."""

    places: tuple[Place, ...]
    """A string of one of them is there."""
    lines: int | None
    """Line ends it may hold at most; None: any number."""
    reach: int | None
    """Characters from the match's start that decide on it, at most; None: any number."""


class Window(NamedTuple):
    """Where a match may begin, first and last, and where what decides on it ends."""

    first: int
    last: int
    end: int


class Places(NamedTuple):
    """Where in a text the matches of an expression may begin."""

    starts: Sequence[int]
    """Single places, in order."""
    windows: Sequence[Window]
    """In order, and apart from one another."""


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
    lines, reach, places = row["lines"], row["reach"], row["places"]
    if any(number is not None and (type(number) is not int or number < 0) for number in (lines, reach)):
        raise ValueError
    if not isinstance(places, list) or not places:
        raise ValueError
    return Anchor(tuple(map(_place, places)), lines, reach)


def _place(row: Sequence[Any]) -> Place:
    low, high, word, strings = row
    if type(word) is not bool or not isinstance(strings, list) or not strings:
        raise TypeError
    if not all(end is None or type(end) is int for end in (low, high)):
        raise TypeError
    if low is not None and high is not None and low > high:
        raise ValueError
    if not all(string and string == folded(string) for string in strings):
        raise ValueError  # found nowhere, or everywhere
    return Place(low, high, word, tuple(strings))


class _Folded(dict[int, str]):
    """Code point -> the character it is folded to: filled as characters are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if _BLANK.match(char):
            made = " "
        elif _DIGIT.match(char):
            made = "0"
        elif 0xD800 <= code < 0xE000:
            made = "\ufffd"  # a lone surrogate is to the automaton no text
        else:
            low = char.lower()
            made = low if len(low) == 1 else char
        self[code] = made
        return made


# The long s, the dotted I and the dotless i are to an expression the same letters as s and i.
_FOLDED = _Folded({0x17F: "s", 0x130: "i", 0x131: "i", ord("’"): "'"})


def folded(text: str) -> str:
    r"""``text`` as anchors are sought: small letters, each digit a 0, blanks alike; of the same length.

    >>> folded("ÄÖ\\t12’s"), len(folded("İ"))
    ("äö 00's", 1)
    """
    return text.translate(_FOLDED)


_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_End = int | None


class AnchorIndex:
    """Finds for each of many expressions the places of a text it must be tried at."""

    def __init__(self, anchors: Sequence[Anchor | None]) -> None:
        self._whole = [number for number, anchor in enumerate(anchors) if anchor is None]
        alike: defaultdict[Anchor, list[int]] = defaultdict(list)
        for number, anchor in enumerate(anchors):
            if anchor:
                alike[anchor].append(number)
        self._anchors, self._numbers = list(alike), list(alike.values())
        strings = dict.fromkeys(s for anchor in alike for place in anchor.places for s in place.strings)
        self._automaton = AhoCorasick(list(strings))
        starts: dict[str, list[tuple[int, int, bool]]] = {string: [] for string in strings}
        windows: dict[str, list[tuple[int, _End, _End, bool]]] = {string: [] for string in strings}
        for kind, anchor in enumerate(self._anchors):
            for low, high, word, of in anchor.places:
                for string in of:
                    if low is None or high is None or high - low >= NARROW:
                        windows[string].append((kind, low, high, word))
                    else:
                        starts[string] += [(kind, at, word) for at in range(low + 1, high + 2)]
        # By string: what to do where it is found, within a word and where one begins.
        self._within, self._at_word = (
            [
                (
                    tuple((kind, at) for kind, at, word in starts[string] if here or not word),
                    tuple(row[:3] for row in windows[string] if here or not row[3]),
                )
                for string in strings
            ]
            for here in (False, True)
        )

    def places(self, text: str) -> Iterator[tuple[int, Places]]:
        """Numbers of expressions with where in ``text`` their matches may begin.

        Expressions that can match nowhere are absent.
        """
        starts: defaultdict[int, list[int]] = defaultdict(list)
        windows: defaultdict[int, list[Window]] = defaultdict(list)
        lines = _Lines(text)
        low = f"\n{folded(text)}\n"  # as expressions see the ends of a text
        for string, at, _ in self._automaton.find_matches_as_indexes(low, overlapping=True):
            ways = self._within if at and low[at - 1] in _ALNUM else self._at_word
            singly, widely = ways[string]
            for kind, offset in singly:
                starts[kind].append(at - offset)
            for kind, least, most in widely:
                windows[kind].append(lines.window(at - 1, least, most, self._anchors[kind]))
        for number in self._whole:
            yield number, Places((), (Window(0, len(text), len(text)),))
        for kind in starts.keys() | windows.keys():
            places = _places(starts.get(kind, []), windows.get(kind, []), len(text))
            for number in self._numbers[kind]:
                yield number, places


def _places(starts: list[int], windows: list[Window], length: int) -> Places:
    """In order, each place once, none outside the text."""
    if not windows:
        ordered = sorted(set(starts)) if len(starts) > 1 else starts
        if ordered[0] < 0 or ordered[-1] > length:
            ordered = [start for start in ordered if 0 <= start <= length]
        return Places(ordered, ())
    # Of both kinds: one search after the other.
    merged: list[Window] = []
    for window in sorted(
        [*windows, *(Window(start, start, length) for start in starts if 0 <= start <= length)]
    ):
        if merged and window.first <= merged[-1].last + 1:
            last, end = max(merged[-1].last, window.last), max(merged[-1].end, window.end)
            merged[-1] = Window(merged[-1].first, last, end)
        elif window.first <= window.last:
            merged.append(window)
    return Places((), merged)


class _Lines:
    """The lines of a text: where those begin and end that are near a place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._length = len(text)
        self._starts: list[int] = []

    def _known(self) -> list[int]:
        if not self._starts:
            self._starts = _line_starts(self._text)
        return self._starts

    def window(self, place: int, least: _End, most: _End, anchor: Anchor) -> Window:
        """Where a match may begin for a string at ``place`` that stands so many characters behind that."""
        starts, over = self._known(), anchor.lines
        first, last, end = 0, self._length, self._length
        if over is not None:
            line = bisect_right(starts, place) - 1
            first, last = starts[max(0, line - over)], starts[min(len(starts) - 1, line + 1 + over)]
        if most is not None:
            first = max(first, place - most)
        if least is not None:
            last = min(last, place - least)
        if over is not None:
            end = starts[min(len(starts) - 1, bisect_right(starts, last) + over)]
        return Window(first, last, end if anchor.reach is None else min(end, last + anchor.reach + 2))


def _line_starts(text: str) -> list[int]:
    """Where each line begins, and the end of the text."""
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return [*starts, len(text)]
