"""How many patients a clean result needs, and what asking for their notes costs. Pure numbers.

No leak among m independent patients bounds the share of patients who leak by 1 - (1 - level)^(1/m)
(:func:`phiscan.stats.zero_bound`); turned round, a rate r needs m = ln(1 - level) / ln(1 - r) patients.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from phiscan.stats import zero_bound

BYTES = 2
"""A parameter in 16 bits."""
_USABLE = 0.8
"""Share of a card's memory that weights may take; the rest is for caches."""


def patients_needed(rate: float, level: float) -> int:
    """Fewest patients of whom none may leak for the bound to be at most ``rate``.

    ``level`` in (0, 1), ``rate`` from 1e-300 to 1. The number is doubled until it is enough, then
    halved towards the boundary: at most 2,100 steps, whatever rounding does to the formula.
    """
    enough = 1
    while zero_bound(enough, level) > rate:
        enough *= 2
    too_few = enough // 2
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        if zero_bound(middle, level) > rate:
            too_few = middle
        else:
            enough = middle
    return enough


METADATA_TOKENS = 40
"""Tokens of a prompt that holds no part of a note, about."""


class Workload(NamedTuple):
    """What a scan asks for."""

    notes: int
    note_tokens: int
    """Tokens of a note, on average."""
    note_words: int
    prefix_lengths: tuple[int, ...]
    max_new_tokens: int
    models: int
    """The scanned one, and the control if there is one."""
    passes: int = 1
    """Teacher-forced passes over every note by each model: 1 for `phiscan expose`, else 0."""
    tiers: tuple[str, ...] = ("prefix",)
    """What the attacker has, once for every way of putting prompts: prefix, window, fragment, metadata."""
    answers: int = 1
    """To each prompt: one by greedy decoding, and as many as are drawn in each other way."""
    scored: int = 0
    """Tokens decoded of each note for its memorization score."""


class Tokens(NamedTuple):
    """Work of a scan."""

    prompts: int
    generated: int
    """At most: every answer runs to the limit."""
    read: int
    """Tokens of prompts and of passes."""
    words: int
    """Words of notes and answers that the detectors read."""


def tokens_of(work: Workload) -> Tokens:
    """Prompts and tokens of all models; a note shorter than a prefix length is not asked there.

    What a scheme puts before a prompt is not counted: some ten tokens.
    """
    lengths = [length for tier in work.tiers for length in _prompts(tier, work)]
    asked = work.models * work.notes
    generated = asked * len(lengths) * work.answers * work.max_new_tokens
    read = asked * (sum(lengths) * work.answers + work.passes * work.note_tokens + work.scored)
    answers = round(generated * work.note_words / work.note_tokens)
    words = work.notes * work.note_words + answers
    return Tokens(asked * len(lengths), generated + asked * work.scored, read, words)


def _prompts(tier: str, work: Workload) -> list[int]:
    """The length in tokens of each prompt of one note."""
    if tier == "metadata":
        return [METADATA_TOKENS]
    made = []
    for length in work.prefix_lengths:
        last = work.note_tokens - length
        windows = len(range(work.max_new_tokens, last, work.max_new_tokens))
        times = {"prefix": int(last > 0), "fragment": int(last > length), "window": windows}[tier]
        made += [length] * times
    return made


class Machine(NamedTuple):
    """One entry of the table of hardware: see rules/plan/hardware.toml for the units."""

    name: str
    generated: float
    read: float
    words: float
    memory: float
    price: float
    source: str


class Cost(NamedTuple):
    """What the work takes on one kind of machine."""

    machine: str
    cards: int
    """Fewest that hold the model's weights in 16 bits."""
    hours: float
    """Hours on that many: writing, reading and, where the machine runs them, the detectors."""
    detecting: float
    """Of the hours, those of the detectors."""
    money: float


def costs(work: Tokens, billions: float, machines: Sequence[Machine]) -> list[Cost]:
    """Cost on each kind of machine, for a model of ``billions`` of parameters.

    Several cards are taken to work as many times as fast as one.
    """
    made = []
    for machine in machines:
        cards = max(1, math.ceil(billions * BYTES / (machine.memory * _USABLE)))
        asking = billions * (work.generated / machine.generated + work.read / machine.read) / 3600
        detecting = work.words / machine.words / 3600 if machine.words else 0.0
        alone = asking + detecting
        made.append(Cost(machine.name, cards, alone / cards, detecting / cards, alone * machine.price))
    return made
