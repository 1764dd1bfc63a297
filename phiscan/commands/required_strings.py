"""Strings that an expression cannot match without: sets of them, joined and cut to a bearable number.

A set says of each string whether a word begins with it; a *condition* says as well how far from the
start of a match it begins. Strings are compared as :func:`phiscan.rulebook.anchors.folded` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import NamedTuple

MOST_STRINGS = 2000
"""A longer list would cost more than it saves."""
MOST_ENDS = 2000
"""Of the beginnings or ends of a part that are joined to what stands beside it."""
_LENGTHS = (40, 16, 12, 9, 7, 5, 4, 3, 2, 1)

NOT, WORD, WHOLE = 0, 1, 2
"""What stands before a string: unknown; no letter or digit; what stands before the part that it is."""
Strings = dict[str, int]
"""Folded strings, and what is known of where each begins."""
NOTHING: Strings = {"": NOT}


class Place(NamedTuple):
    """Where a string begins, counted from where the match does; and whether it begins a word."""

    low: float
    high: float
    word: bool


EVERYWHERE = Place(0, 0, False)
Condition = dict[str, Place]
"""One of the strings is there."""
Cost = Callable[[Condition], float]


def cut_to(run: Condition, most: int) -> Condition:
    """How ``run`` ends, in no more than ``most`` ways."""
    for length in (99, *_LENGTHS):
        if len(run) <= most:
            return run
        run = any_of(
            [
                {s[-length:]: place if len(s) <= length else _behind(place, len(s) - length)}
                for s, place in run.items()
            ]
        )
    lows, highs = [p.low + len(s) for s, p in run.items()], [p.high + len(s) for s, p in run.items()]
    return run if len(run) <= most else {"": Place(min(lows), max(highs), False)}


def _behind(place: Place, characters: int) -> Place:
    return Place(place.low + characters, place.high + characters, False)


def at_start(strings: Strings) -> Condition:
    """The condition that a match begins with one of ``strings``."""
    return {string: Place(0, 0, word == WORD) for string, word in strings.items()}


def moved(condition: Condition, low: float, high: float) -> Condition:
    """``condition`` of a part that begins so many characters behind the start."""
    return {s: Place(place.low + low, place.high + high, place.word) for s, place in condition.items()}


def either_place(first: Place, second: Place) -> Place:
    """Where a string stands that stands at one or the other place."""
    return Place(min(first.low, second.low), max(first.high, second.high), first.word and second.word)


def any_of(conditions: Sequence[Condition]) -> Condition:
    """The condition that one of ``conditions`` holds."""
    found: Condition = {}
    for condition in conditions:
        for string, place in condition.items():
            found[string] = either_place(found[string], place) if string in found else place
    return found


def either_of(sets: Sequence[Strings]) -> Strings:
    """The strings of any of ``sets``."""
    found: Strings = {}
    for strings in sets:
        for string, word in strings.items():
            found[string] = word if found.get(string, word) == word else NOT
    return found


def joined_strings(first: Strings, second: Strings) -> Strings:
    """Each of ``first`` followed by each of ``second``."""
    if len(first) * len(second) > 4 * MOST_STRINGS:
        return dict.fromkeys(map(str, range(MOST_STRINGS + 1)), NOT)  # too many, whichever they are
    return either_of([{a + b: first[a] or (second[b] if not a else NOT)} for a in first for b in second])


def power(strings: Strings, count: int) -> Strings:
    """``count`` of ``strings`` one after the other."""
    return reduce(joined_strings, [strings] * count, NOTHING)


def beginnings(strings: Strings, most: int = MOST_ENDS) -> Strings:
    """How ``strings`` begin, in no more than ``most`` ways."""
    for length in _LENGTHS:
        strings = either_of([{string[:length]: word} for string, word in strings.items()])
        shorter = {s: any(s[:n] in strings for n in range(1, len(s))) for s in strings}
        strings = {s: word for s, word in strings.items() if not shorter[s]}
        if len(strings) <= most:
            return strings
    return NOTHING


def endings(strings: Strings) -> Strings:
    """How ``strings`` end, in no more than :data:`MOST_ENDS` ways."""
    for length in _LENGTHS:
        found: Strings = {}
        for string, word in strings.items():
            end = next((string[-n:] for n in range(1, len(string)) if string[-n:] in strings), string)[
                -length:
            ]
            first = word if end == string else int(not string[: len(string) - len(end)][-1:].isalnum())
            found[end] = first if found.get(end, first) == first else NOT
        strings = found
        if len(strings) <= MOST_ENDS:
            return strings
    return NOTHING


def if_few(strings: Strings) -> Strings | None:
    """``strings``, None if they are more than :data:`MOST_STRINGS`."""
    return strings if len(strings) <= MOST_STRINGS else None


def of_parts(strings: Strings) -> Strings:
    """``strings`` of a part that may be repeated."""
    return {string: NOT if word == WHOLE else word for string, word in strings.items()}
