"""Prompts that begin with another prompt and with what the model made of it need not be asked.

Prefixes of one note are such prompts wherever the model repeats the note: greedy decoding from the
longer prefix is then the rest of greedy decoding from the shorter one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

Answer = tuple[list[int], list[float]]
"""New ids, the end token included, and their log-probabilities."""


def ask_nested(
    prompts: Sequence[Sequence[int]],
    ask: Callable[[Sequence[Sequence[int]]], Sequence[Answer | None]],
    ends: Collection[int],
    *,
    at_once: int,
) -> list[Answer | None]:
    """An answer to each prompt; ``ask`` is given the prompts that must be asked, each once.

    Shorter prompts are asked before those that begin with them. An answer serves a longer prompt that
    it runs through if it came to one of ``ends``; else the longer one might be answered at greater
    length. The last ``at_once`` prompts are asked together: waiting for one another would cost more.
    """
    distinct = [list(prompt) for prompt in dict.fromkeys(map(tuple, prompts))]
    beginnings = nearest_beginnings(distinct)
    made: dict[int, Answer | None] = {}
    left = sorted(range(len(distinct)), key=lambda i: len(distinct[i]))
    while left:
        for i in left:
            parent = beginnings[i]
            if parent is not None and (answer := made.get(parent)) is not None:
                rest = _rest(distinct[parent], answer, distinct[i], ends)
                made |= {} if rest is None else {i: rest}
        left = [i for i in left if i not in made]
        together = len(left) <= at_once
        asked = [i for i in left if together or beginnings[i] is None or beginnings[i] in made]
        if asked:
            made |= dict(zip(asked, ask([distinct[i] for i in asked]), strict=True))
        left = [i for i in left if i not in made]
    answers = {tuple(prompt): made[i] for i, prompt in enumerate(distinct)}
    return [answers[tuple(prompt)] for prompt in prompts]


def nearest_beginnings(prompts: Sequence[Sequence[int]]) -> list[int | None]:
    """For each of different prompts the longest other one that it begins with, or None.

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


def _rest(begun: list[int], answer: Answer, prompt: list[int], ends: Collection[int]) -> Answer | None:
    """What of the answer to ``begun`` comes after ``prompt``; None if it does not answer that."""
    ids, logprobs = answer
    said = len(prompt) - len(begun)
    if len(ids) <= said or ids[-1] not in ends or prompt[len(begun) :] != ids[:said]:
        return None
    return ids[said:], logprobs[said:]
