"""A stretch of a text round a value, in pieces that lie wholly inside or outside of every mark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from phiscan.records import PhiText, Span, record

HIT, RUN = "hit", "run"
"""Marks: the value itself; text that output and record share."""


@record
class Piece:
    """Some characters of a text, and the names of the marks they lie in."""

    text: PhiText
    marks: frozenset[str]


@record
class Excerpt:
    """The pieces of a stretch of a text, in order, and whether more of it stands before and after."""

    pieces: tuple[Piece, ...]
    goes_before: bool
    goes_on: bool


def cut(text: str, window: Span, layers: Mapping[str, Iterable[Span]]) -> tuple[Piece, ...]:
    """``text[window]`` in as few pieces as the marks allow; joined they are that text.

    ``layers``: spans of the text by the name of their mark; they may overlap and reach out of the window.
    """
    spans = [
        (max(span.start, window.start), min(span.end, window.end), name)
        for name, marked in layers.items()
        for span in marked
    ]
    edges = {edge for start, end, _ in spans if start < end for edge in (start, end)}
    pieces: list[Piece] = []
    for start, end in pairwise(sorted({window.start, window.end} | edges)):
        marks = frozenset(name for first, last, name in spans if first <= start and end <= last)
        before = ""
        if pieces and pieces[-1].marks == marks:
            before = pieces.pop().text
        pieces.append(Piece(text=before + text[start:end], marks=marks))
    return tuple(pieces)


def excerpt(text: str, hit: Span, runs: Iterable[Span], around: int) -> Excerpt:
    """The value at ``hit`` marked, with ``around`` characters before and after it and the runs there."""
    window = Span(max(0, hit.start - around), min(len(text), hit.end + around))
    pieces = cut(text, window, {HIT: [hit], RUN: runs})
    return Excerpt(pieces=pieces, goes_before=window.start > 0, goes_on=window.end < len(text))
