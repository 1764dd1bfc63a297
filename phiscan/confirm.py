"""Continuation with a leak -> Confirmation: does it come out again when its prompt is asked alone?

Below float32 a sum depends on how a batch is cut, and near a tie greedy decoding, and a draw, then
takes another token: one prompt may have one answer among others and another by itself (transformers
issue 25921). What is reported is therefore asked for once more, alone. Nothing is taken out of any
count for it: both answers are answers of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from phiscan.decodings import ask_model, draw_seed
from phiscan.normalize import fold
from phiscan.protocols import Backend
from phiscan.records import Confirmation, Continuation
from phiscan.words import stands_whole


class Leaking(NamedTuple):
    """A continuation with something that the report counts as leaked."""

    continuation: Continuation
    prompt: Sequence[int]
    """Tokens of its prompt."""
    leaks: Sequence[str]
    """Texts of the hits that leak, one for each hit."""


def confirm_leaks(
    leaking: Sequence[Leaking], backend: Backend, max_new_tokens: int, *, seed: int = 0
) -> list[Confirmation]:
    """One confirmation for each continuation, made by a batch of one; ``seed`` is the run's.

    A drawn answer is drawn again from the same noise.
    """
    return [_confirmation(one, backend, max_new_tokens, seed) for one in leaking]


def _confirmation(one: Leaking, backend: Backend, max_new_tokens: int, seed: int) -> Confirmation:
    made = one.continuation
    number = draw_seed(seed, made.prompt_id, made.decoding, made.draw)
    [answer] = ask_model(backend, [one.prompt], max_new_tokens, decoding=made.decoding, seeds=[number])
    before = made.token_ids or ()
    ids = [] if answer is None else answer.ids
    text = "" if answer is None else fold(answer.text)
    return Confirmation(
        gen_id=made.gen_id,
        note_id=made.note_id,
        arm=made.arm,
        failed=answer is None,
        identical=answer is not None and tuple(ids) == before,
        same_tok=_common(before, ids),
        leaks=len(one.leaks),
        # In whole words, whatever the capitals, accents and blanks.
        seen_again=sum(stands_whole(fold(leak), text) for leak in one.leaks),
    )


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Length of the common beginning."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
