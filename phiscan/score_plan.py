"""Which inputs a model gets to score texts, and how its readings become scores again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phiscan.protocols import Decoding, Scores


class Window(NamedTuple):
    """Tokens ``[first, end)`` of a sequence are scored with those from ``start`` on before them."""

    start: int
    first: int
    end: int


class Row(NamedTuple):
    """One input of the model, and where in it something is asked."""

    ids: list[int]
    """Leading ids included; no longer than needed."""
    places: list[int]
    """Positions of ``ids`` whose next token is scored."""
    gold: list[int]
    """These next tokens."""
    owner: int
    """Which sequence or candidate is scored."""
    asked: list[int]
    """Which of its tokens."""
    seen: int
    """Tokens before the owner's token 0 in the window; negative if the window begins after it."""
    window: int = 0
    """Of a candidate: the token of the text at which its window begins."""
    shared: int = 0
    """Of a candidate: how many of ``ids`` are the text's, leading ids included."""


class Readings(NamedTuple):
    """What stands in :class:`phiscan.protocols.Scores`, for the asked tokens of one row only."""

    logprob: NDArray[Any]
    greedy: NDArray[Any]
    tie: NDArray[Any]
    rank: NDArray[Any]
    decoded: NDArray[Any]
    """[tokens, decodings]"""


def split_readings(read: Readings, counts: Sequence[int]) -> list[Readings]:
    """Those of consecutive rows with ``counts`` tokens each."""
    ends = np.cumsum([0, *counts]).tolist()
    return [Readings(*(values[begin:end] for values in read)) for begin, end in pairwise(ends)]


def join_readings(parts: Sequence[Readings]) -> Readings:
    """One after another."""
    return Readings(*(np.concatenate(values) for values in zip(*parts, strict=True)))


def windows(length: int, *, size: int | None, context: int, leading: int) -> list[Window]:
    """Windows of at most ``size`` inputs over ``length`` tokens, each token scored in one.

    After the first window each token has at least ``context`` tokens before it. ``leading`` ids stand
    before each window; without one the first token has nothing before it and is in no window.

    >>> windows(10, size=4, context=2, leading=1)
    [Window(start=0, first=0, end=4), Window(start=2, first=4, end=6), Window(start=4, first=6, end=8), \
Window(start=6, first=8, end=10)]
    """
    first = 0 if leading else 1
    reach = length if size is None else size + 1 - leading
    if size is not None and not 0 <= context < reach:
        raise ValueError("the context kept must be shorter than the window")
    made, start = [], 0
    while first < length:
        end = min(length, start + reach)
        made.append(Window(start, first, end))
        first, start = end, end - context
    return made


def plan_rows(
    sequences: Sequence[Sequence[int]],
    at: Sequence[Sequence[int]] | None,
    *,
    size: int | None,
    context: int,
    leading: Sequence[int],
) -> list[Row]:
    """The rows that score the tokens ``at`` of each sequence (None: all)."""
    rows = []
    for owner, ids in enumerate(sequences):
        wanted = np.arange(len(ids)) if at is None else np.asarray(at[owner], np.int64)
        for window in windows(len(ids), size=size, context=context, leading=len(leading)):
            asked = wanted[(window.first <= wanted) & (wanted < window.end)]
            if len(asked):
                rows.append(_row(ids, window.start, asked.tolist(), owner, leading))
    return rows


def _row(ids: Sequence[int], start: int, asked: list[int], owner: int, leading: Sequence[int]) -> Row:
    return Row(
        ids=[*leading, *ids[start : asked[-1]]],
        places=[token - start + len(leading) - 1 for token in asked],
        gold=[ids[token] for token in asked],
        owner=owner,
        asked=asked,
        seen=-start,
    )


def plan_branches(
    ids: Sequence[int],
    candidates: Sequence[Sequence[int]],
    starts: Sequence[int],
    *,
    size: int | None,
    context: int,
    leading: Sequence[int],
) -> list[Row]:
    """The rows that score each candidate after ``ids[:start]``; candidates of one start have one window.

    That is the window in which the token there is scored, if all fit into it; else one that begins
    ``context`` tokens before, or fewer.

    Raises:
        ValueError: A candidate is longer than a window.

    """
    longest: dict[int, int] = {}
    for start, candidate in zip(starts, candidates, strict=True):
        longest[start] = max(longest.get(start, 0), len(candidate))
    plan = windows(len(ids) + 1, size=size, context=context, leading=len(leading))
    begins = {
        start: _window_start(start, length, plan, size, context, len(leading))
        for start, length in longest.items()
    }
    return [
        _branch(ids[begins[start] : start], candidate, owner, leading, begins[start])
        for owner, (start, candidate) in enumerate(zip(starts, candidates, strict=True))
        if len(candidate) > (not leading and start == 0)
    ]


def _branch(
    before: Sequence[int], candidate: Sequence[int], owner: int, leading: Sequence[int], window: int
) -> Row:
    seen, first = len(before), int(not leading and not before)
    asked = list(range(seen + first, seen + len(candidate)))
    return _row([*before, *candidate], 0, asked, owner, leading)._replace(
        asked=list(range(first, len(candidate))), seen=seen, window=window, shared=len(leading) + seen
    )


def _window_start(
    start: int, length: int, plan: Sequence[Window], size: int | None, context: int, leading: int
) -> int:
    if size is None:
        return 0
    reach = size + 1 - leading
    if length > reach:
        raise ValueError("a candidate is longer than a window")
    for window in plan:
        if window.first <= start < window.end and start + length <= window.start + reach:
            return window.start
    return max(0, start - min(context, reach - length))


def whole_scores(
    lengths: Sequence[int],
    rows: Sequence[Row],
    found: Sequence[Readings | None],
    decodings: Sequence[Decoding],
) -> list[Scores | None]:
    """Scores of each owner, of ``lengths`` tokens, from the readings of its rows; None if one is missing."""
    made: list[Scores | None] = [_no_scores(length, len(decodings)) for length in lengths]
    for row, read in zip(rows, found, strict=True):
        scores = made[row.owner]
        if read is None or scores is None:
            made[row.owner] = None
            continue
        where = np.asarray(row.asked)
        scores.context[where] = where + row.seen
        for name, values in zip(Readings._fields, read, strict=True):
            getattr(scores, name)[where] = values
    return made


def _no_scores(length: int, decodings: int) -> Scores:
    return Scores(
        logprob=np.full(length, np.nan, np.float32),
        greedy=np.zeros(length, np.bool_),
        tie=np.zeros(length, np.bool_),
        rank=np.full(length, -1, np.int32),
        context=np.full(length, -1, np.int32),
        decoded=np.full((length, decodings), np.nan, np.float32),
    )
