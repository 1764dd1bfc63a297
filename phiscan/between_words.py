"""Note-side PHI carried into a continuation by the words beside it, where no long run carries it.

A value that comes out between the very words it stands between in the prompted note is tied to that
record, however few words came with it and whatever a detector makes of them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from phiscan.normalize import DateOrder, keys
from phiscan.project import DETECTOR
from phiscan.records import DetectedSpan, Phi
from phiscan.value_index import CONTEXT
from phiscan.words import Words

_HALF = CONTEXT // 2
_MOST_WORDS = 12
"""Longest value, in words, looked for between two halves of a context."""
Context = tuple[tuple[str, ...], tuple[str, ...]]


class _Place(NamedTuple):
    """Words ``[first, last)`` of the output, and the words of the note they stand between."""

    first: int
    last: int
    context: Context


def spans_between_words(
    phi: Iterable[Phi],
    note: Words,
    text: str,
    output: Words,
    *,
    tells: Callable[[Context], bool],
    date_order: DateOrder,
) -> list[DetectedSpan]:
    """Spans of ``text`` that hold a value of the note, in any form or in part, between its own words.

    These are eight before it, four before and four behind, or eight behind; ``tells`` says whether
    such words tie a value to this record. ``note`` and ``output`` are the words of the two texts.
    """
    grams: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for at in range(len(output.words) - _HALF + 1):
        grams[tuple(output.words[at : at + _HALF])].append(at)
    found: dict[tuple[int, int], DetectedSpan] = {}
    for value in phi:
        for place in _places(value, note, output, grams):
            start, end = output.starts[place.first], output.ends[place.last - 1]
            if _same(value, text[start:end], date_order) and tells(place.context):
                span = DetectedSpan(
                    start=start,
                    end=end,
                    category=value.category,
                    score=value.score,
                    detector=DETECTOR,
                    rule=value.rule,
                )
                found.setdefault((start, end), span)
    return list(found.values())


def _places(
    value: Phi, note: Words, output: Words, grams: dict[tuple[str, ...], list[int]]
) -> Iterator[_Place]:
    """Where the output has the words beside the value, and something, or the value itself, between them."""
    if value.start is None or value.end is None:
        return
    first, last = bisect_right(note.ends, value.start), bisect_left(note.starts, value.end)
    before = tuple(note.words[max(0, first - CONTEXT) : first])
    after = tuple(note.words[last : last + CONTEXT])
    if len(before) >= _HALF and len(after) >= _HALF:
        halves = (before[-_HALF:], after[:_HALF])
        behind = grams.get(halves[1], ())
        for at in grams.get(halves[0], ()):
            begin = at + _HALF
            yield from (_Place(begin, end, halves) for end in behind if 0 < end - begin <= _MOST_WORDS)
    yield from _copies(before, note.words[first:last], after, output.words)


def _copies(
    before: tuple[str, ...], value: list[str], after: tuple[str, ...], words: list[str]
) -> Iterator[_Place]:
    """Where the value's own words stand behind all eight before it, or before all eight behind it."""
    size = len(value)
    starts = [at for at in range(len(words) - size + 1) if size and words[at : at + size] == value]
    for at in starts:
        if len(before) == CONTEXT and at >= CONTEXT and tuple(words[at - CONTEXT : at]) == before:
            yield _Place(at, at + size, (before, ()))
        elif len(after) == CONTEXT and tuple(words[at + size : at + size + CONTEXT]) == after:
            yield _Place(at, at + size, ((), after))


def _same(value: Phi, text: str, date_order: DateOrder) -> bool:
    """True if ``text`` is the value in some form, or a part of it."""
    theirs = keys(value.category, value.text, date_order)
    return not theirs.part.union(theirs.full).isdisjoint(keys(value.category, text, date_order).full)
