"""Prompts that begin with another prompt and with what the model made of it need not be asked.

Prefixes of one note are such prompts wherever the model repeats the note: greedy decoding from the
longer prefix is then the rest of greedy decoding from the shorter one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import groupby

Answer = tuple[list[int], list[float]]
"""New ids, the end token included, and their log-probabilities."""


def ask_nested(
    prompts: Sequence[Sequence[int]],
    ask: Callable[[list[int]], Sequence[Answer | None]],
    ends: Collection[int],
) -> list[Answer | None]:
    """An answer to each prompt; ``ask`` is given the numbers of those that must be asked.

    Shorter prompts are asked first. An answer serves an equal prompt, and a longer one that it runs
    through if it came to one of ``ends``: a longer prompt might have been answered at greater length.
    """
    beginnings = nearest_beginnings(prompts)
    made: list[Answer | None] = [None] * len(prompts)
    depths = _depths(beginnings)
    for _, group in groupby(sorted(range(len(prompts)), key=depths.__getitem__), key=depths.__getitem__):
        missing = []
        for i in group:
            parent = beginnings[i]
            if parent is not None:
                made[i] = _rest(prompts[parent], made[parent], prompts[i], ends)
            if made[i] is None:
                missing.append(i)
        for i, answer in zip(missing, ask(missing), strict=True):
            made[i] = answer
    return made


def nearest_beginnings(prompts: Sequence[Sequence[int]]) -> list[int | None]:
    """For each prompt the longest other one that it begins with (of equal ones an earlier), or None.

    >>> nearest_beginnings([[1, 2, 3], [1], [2], [1, 2]])
    [3, None, None, 1]
    """
    found: list[int | None] = [None] * len(prompts)
    open_: list[int] = []
    for i in sorted(range(len(prompts)), key=lambda i: list(prompts[i])):
        while open_ and list(prompts[i][: len(prompts[open_[-1]])]) != list(prompts[open_[-1]]):
            open_.pop()
        found[i] = open_[-1] if open_ else None
        open_.append(i)
    return found


def _depths(beginnings: Sequence[int | None]) -> list[int]:
    depths = []
    for i in range(len(beginnings)):
        depth, parent = 0, beginnings[i]
        while parent is not None:
            depth, parent = depth + 1, beginnings[parent]
        depths.append(depth)
    return depths


def _rest(
    begun: Sequence[int], answer: Answer | None, prompt: Sequence[int], ends: Collection[int]
) -> Answer | None:
    """What of the answer to ``begun`` comes after ``prompt``; None if it does not answer that."""
    if answer is None:
        return None
    ids, logprobs = answer
    said = len(prompt) - len(begun)
    complete = said == 0 or (len(ids) > said and ids[-1] in ends)
    if not complete or list(prompt[len(begun) :]) != ids[:said]:
        return None
    return ids[said:], logprobs[said:]
