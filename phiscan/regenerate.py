"""Note -> Prompt -> Continuation: the model is asked for its training notes back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field, field_validator

from phiscan.degenerate import degenerate_kind
from phiscan.protocols import Backend, Generated, Tokens
from phiscan.records import Arm, Continuation, Note, Prompt
from phiscan.words import Vocabulary


class RegenerateSettings(BaseModel):
    """How notes are cut and how much is asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    prefix_lengths: tuple[int, ...] = Field(
        (50, 100, 200, 300, 500), description="prefix lengths l in tokens, BOS not counted"
    )
    max_new_tokens: int = Field(500, ge=1, description="tokens generated at most")

    @field_validator("prefix_lengths")
    @classmethod
    def _ascending(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not value or min(value) < 1 or list(value) != sorted(set(value)):
            raise ValueError("prefix lengths must be positive, distinct and ascending")
        return value


def make_prompts(
    notes: Iterable[Note], tokens: Mapping[str, Tokens], settings: RegenerateSettings
) -> list[Prompt]:
    """A prompt for each note and prefix length it is longer than; the cut is made in token space."""
    return [
        _prompt(note, tokens[note.note_id], length)
        for note in notes
        for length in settings.prefix_lengths
        if len(tokens[note.note_id].ids) > length
    ]


def _prompt(note: Note, tokens: Tokens, length: int) -> Prompt:
    end = tokens.ends[length - 1]
    return Prompt(
        prompt_id=f"n{note.ordinal:07d}.bare.{length}",
        note_id=note.note_id,
        scheme="bare",
        tier="prefix",
        prefix_tok=length,
        prefix_start=0,
        prefix_end=end,
        text=note.text[:end],
    )


def continue_prompts(
    prompts: Sequence[Prompt],
    tokens: Mapping[str, Tokens],
    arm_of: Callable[[Prompt], Arm],
    backend: Backend,
    settings: RegenerateSettings,
    vocabulary: Vocabulary,
) -> list[Continuation]:
    """One greedy continuation for each prompt; what could not be made has ``stop="failed"``.

    Prompts of equal tokens are asked once.
    """
    cut = [tuple(tokens[p.note_id].ids[: p.prefix_tok or 0]) for p in prompts]
    distinct = list(dict.fromkeys(cut))
    answers = dict(zip(distinct, backend.generate(distinct, settings.max_new_tokens), strict=True))
    return [
        _continuation(prompt, arm_of(prompt), answers[ids], vocabulary)
        for prompt, ids in zip(prompts, cut, strict=True)
    ]


def _continuation(prompt: Prompt, arm: Arm, answer: Generated | None, vocabulary: Vocabulary) -> Continuation:
    return Continuation(
        gen_id=f"{arm}/{prompt.prompt_id}/greedy/0",
        prompt_id=prompt.prompt_id,
        note_id=prompt.note_id,
        arm=arm,
        draw=0,
        token_ids=None if answer is None else tuple(answer.ids),
        token_ends=None if answer is None else tuple(answer.ends),
        text="" if answer is None else answer.text,
        stop="failed" if answer is None else answer.stop,
        degenerate=None if answer is None else degenerate_kind(answer.text, vocabulary),
        mean_logprob=None if answer is None else answer.mean_logprob,
    )
