"""Outputs made elsewhere, one shard of notes at a time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from phiscan.passes.plan import Plan
from phiscan.records import Note
from phiscan.replay import Replayed, lengths_are_few, replay, with_prefix_lengths
from phiscan.replay_rows import LoadedReplay


class ReplayShards:
    """Prompts and continuations of the outputs, by the shard of their note."""

    def __init__(self, plan: Plan, outputs: LoadedReplay) -> None:
        self._plan = plan
        self._outputs = outputs.rows

    def records(self, number: int) -> Replayed:
        """The records of shard ``number``; outputs for unknown notes go with the first."""
        plan = self._plan
        notes, rows = self._notes(number), self._outputs.of_notes(plan.shards[number])
        if number == 0:
            rows = sorted([*rows, *self._outputs.of_unknown_notes()], key=lambda output: output.row)
        made = replay(
            rows,
            notes,
            control=plan.replay_control,
            tokenize=plan.loaded.tokenize,
            vocabulary=plan.vocabulary,
        )
        if not self._in_lengths:
            return made
        prompts = with_prefix_lengths(
            made.prompts, lambda p: self._tokens_before(notes[p.note_id], p.prefix_end or 0)
        )
        return Replayed(prompts, made.continuations)

    @cached_property
    def _in_lengths(self) -> bool:
        """Whether the prefixes of the whole file are a design of a few lengths in tokens."""
        if self._plan.tokens is None:
            return False
        return lengths_are_few(self._prefixes(), self._tokens_before)

    def _prefixes(self) -> Iterator[tuple[Note, str]]:
        for number, shard in enumerate(self._plan.shards):
            notes = self._notes(number)
            for output in self._outputs.of_notes(shard):
                yield notes[output.note_id], output.prefix

    def _notes(self, number: int) -> dict[str, Note]:
        """The notes of a shard by id, under the ids of folded copies too."""
        notes = self._plan.shard_notes(number)
        return {note_id: note for note in notes for note_id in (note.note_id, *note.copy_ids)}

    def _tokens_before(self, note: Note, end: int) -> int:
        assert self._plan.tokens is not None
        return self._plan.tokens.first_unit_from(note.ordinal, end)
