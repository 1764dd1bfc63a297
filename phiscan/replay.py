"""Outputs made elsewhere -> Prompt and Continuation.

A row's prefix is sought at the note's start, then as a unique occurrence. Where it is not found
verdicts are still made, but ratios, values at risk and reach are not assessable.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from phiscan.decodings import GIVEN
from phiscan.degenerate import degenerate_kind
from phiscan.errors import ConfigError
from phiscan.protocols import Tokens
from phiscan.records import Arm, Continuation, Note, Prompt, arm_of
from phiscan.replay_rows import ReplayRow
from phiscan.words import Vocabulary

MOST_LENGTHS = 10
"""More distinct prefix lengths than this are no design: one stratum, ``as given``."""


class Replayed(NamedTuple):
    """Prompts and continuations of the rows, with what could not be placed."""

    prompts: list[Prompt]
    continuations: list[Continuation]


def choose_control(models: set[str | None], control: str | None) -> None:
    """Refuse a file whose rows do not say clearly which model is scanned and which is control."""
    if control is not None and control not in models:
        raise ConfigError("--control: no row of --replay names this model")
    if len(models - {control}) > 1:
        raise ConfigError(
            "--replay: holds outputs of several models; scan one a file, or name one with --control"
        )


def replay(
    rows: Iterable[ReplayRow],
    notes: Mapping[str, Note],
    *,
    control: str | None,
    tokenize: Callable[[list[str]], list[Tokens]] | None,
    vocabulary: Vocabulary,
) -> Replayed:
    """The rows as records; ``notes`` by id, folded copies under their own ids too.

    The rows of one note must come together, in the order of their file: they number its prompts and draws.
    """
    prompts: dict[tuple[str, str], Prompt] = {}
    numbers: Counter[str] = Counter()
    draws: Counter[str] = Counter()
    continuations = []
    for row in rows:
        note = notes.get(row.note_id)
        note_id = row.note_id if note is None else note.note_id
        prompt = prompts.get((note_id, row.prefix))
        if prompt is None:
            prompt = _prompt(row, note, numbers[note_id])
            numbers[note_id] += 1
            prompts[note_id, row.prefix] = prompt
        by_control = control is not None and row.model == control
        arm = arm_of("member" if note is None else note.split, control=by_control)
        stem = f"{arm}/{prompt.prompt_id}/{GIVEN}"
        continuations.append(_continuation(row, prompt, arm, draws[stem], tokenize, vocabulary))
        draws[stem] += 1
    return Replayed(list(prompts.values()), continuations)


def find_prefix(text: str, prefix: str) -> tuple[int, int] | None:
    """Where ``prefix`` stands in ``text``: at its start, else where it stands once; or None."""
    if text.startswith(prefix):
        return 0, len(prefix)
    at = text.find(prefix)
    if at < 0 or text.find(prefix, at + 1) >= 0:
        return None
    return at, at + len(prefix)


def lengths_are_few(prefixes: Iterable[tuple[Note, str]], tokens_before: Callable[[Note, int], int]) -> bool:
    """True if all prefixes that are found stand at a note's start, at ``MOST_LENGTHS`` lengths or fewer."""
    lengths = set()
    for note, prefix in prefixes:
        found = find_prefix(note.text, prefix)
        if found is None:
            continue
        start, end = found
        lengths.add(tokens_before(note, end))
        if start or len(lengths) > MOST_LENGTHS:
            return False
    return True


def with_prefix_lengths(prompts: list[Prompt], tokens_before: Callable[[Prompt], int]) -> list[Prompt]:
    """Give the prompts that were found in their notes their lengths in tokens."""
    return [
        p if p.prefix_end is None else dataclasses.replace(p, prefix_tok=tokens_before(p)) for p in prompts
    ]


def _prompt(row: ReplayRow, note: Note | None, number: int) -> Prompt:
    found = None if note is None else find_prefix(note.text, row.prefix)
    stem = f"n{note.ordinal:07d}" if note is not None else f"unknown{row.row}"
    return Prompt(
        prompt_id=f"{stem}.given.{number}",
        note_id=row.note_id if note is None else note.note_id,
        scheme="given",
        tier="prefix",
        prefix_tok=None,
        prefix_start=found[0] if found else None,
        prefix_end=found[1] if found else None,
        text=row.prefix,
    )


def _continuation(
    row: ReplayRow,
    prompt: Prompt,
    arm: Arm,
    draw: int,
    tokenize: Callable[[list[str]], list[Tokens]] | None,
    vocabulary: Vocabulary,
) -> Continuation:
    tokens = tokenize([row.continuation])[0] if tokenize else None
    return Continuation(
        gen_id=f"{arm}/{prompt.prompt_id}/{GIVEN}/{draw}",
        prompt_id=prompt.prompt_id,
        note_id=prompt.note_id,
        arm=arm,
        decoding=GIVEN,
        draw=draw,
        token_ids=None if tokens is None else tuple(tokens.ids),
        token_ends=None if tokens is None else tuple(tokens.ends),
        text=row.continuation,
        stop="given",
        degenerate=degenerate_kind(row.continuation, vocabulary),
        mean_logprob=None,
    )
