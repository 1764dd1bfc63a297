"""NoteAudit -> Screened: notes that need not be asked for, and how often that would be wrong.

One teacher-forced pass says for every token of a note whether greedy decoding would take it. A note
without a stretch of 30 such tokens cannot come back from its own beginning as a run of 30 by greedy
decoding that stays with the note; it may still do so by leaving and rejoining the text, or give away a
short value. So it is left out only on request, and the patients of a random sample are asked for
whole, whatever the pass says: from them the misses are counted and every rate is reckoned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from pydantic import BaseModel, ConfigDict, Field

from phiscan.records import CONTROL_ARMS, Note, NoteAudit, Prompt, Screened
from phiscan.runs import MIN_RUN


class ScreenSettings(BaseModel):
    """Whether notes are asked for that the pass over every note clears."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    enabled: bool = Field(
        False, description="do not ask for notes in which the pass shows no greedy run of 30 tokens"
    )
    sample: float = Field(
        0.1, gt=0, le=1, description="share of patients whose notes are asked for all the same"
    )


def screen_notes(
    notes: Sequence[Note],
    prompts: Iterable[Prompt],
    audits: Iterable[NoteAudit],
    settings: ScreenSettings,
    *,
    shortest: int,
    seed: int,
) -> list[Screened]:
    """A row for every note with prompts in which the scanned model would repeat no 30 tokens.

    ``shortest`` is the shortest prefix length asked. A note that the pass failed on is none of them: it
    is asked for.
    """
    longest = {
        audit.note_id: audit.longest_tok
        for audit in audits
        if audit.arm not in CONTROL_ARMS and audit.prefix_tok == shortest
    }
    asked = Counter(prompt.note_id for prompt in prompts)
    return [
        Screened(
            note_id=note.note_id,
            prompts=asked[note.note_id],
            longest_tok=longest[note.note_id],
            drawn=is_drawn(note.patient_id, settings.sample, seed=seed),
            probability=settings.sample,
        )
        for note in notes
        if note.note_id in asked and longest.get(note.note_id, MIN_RUN) < MIN_RUN
    ]


def is_drawn(patient_id: str, share: float, *, seed: int) -> bool:
    """True for a random ``share`` of patients, whoever else is there."""
    return Random(f"{seed} screen {patient_id}").random() < share


def not_screened(prompts: Sequence[Prompt], screened: Iterable[Screened]) -> list[Prompt]:
    """The prompts to ask: those of notes that were not screened out, or whose patient was drawn."""
    left_out = {row.note_id for row in screened if not row.drawn}
    return [prompt for prompt in prompts if prompt.note_id not in left_out]
