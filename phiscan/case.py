"""What verification looks at: one continuation with its prompt, records, runs and hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from phiscan.normalize import DateOrder
from phiscan.records import Continuation, Hit, Note, Phi, Prompt, SpanMatch, record
from phiscan.value_index import ValueIndex


def asked_of(continuation: Continuation) -> tuple[str, str]:
    """Prompt and way of decoding: what the control's answers have in common with those they are beside."""
    return continuation.prompt_id, continuation.decoding


class Lookups(NamedTuple):
    """What is the same for every hit of a run."""

    values: ValueIndex
    template_patients: int
    date_order: DateOrder
    notes: Mapping[str, Note]
    """Every note that a match of the shard may name, by id."""
    patient_numbers: Mapping[str, int]
    """Patient number in the index by note id."""
    note_order: Sequence[str]
    """Note ids by position in the index."""


@record
class Case:
    """One continuation with all that its hits are verified against."""

    continuation: Continuation
    prompt: Prompt
    note: Note | None
    """The prompted note; None if a replayed row names a note that was not loaded."""
    own_notes: tuple[Note, ...]
    """Every note of the patient."""
    note_phi: tuple[Phi, ...]
    """PHI of the prompted note."""
    prompt_phi: tuple[Phi, ...]
    """PHI of the prompt's text."""
    matches: tuple[SpanMatch, ...]
    hits: tuple[Hit, ...]
    control: tuple[Hit, ...] | None
    """Hits of the control model's continuations of the same prompt, decoded in the same way; None when no
    control ran."""
    reach_end: int | None
    """Code point of the note up to which generation could come; None: to its end."""
