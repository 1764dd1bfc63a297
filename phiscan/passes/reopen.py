"""A finished run opened again from its directory alone: no notes file, no model."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from phiscan.case import Case, Lookups
from phiscan.config import ScanConfig
from phiscan.corpus_index import CorpusIndex
from phiscan.errors import StoreError
from phiscan.note_index import Notes
from phiscan.passes.index import NOTES, VALUES
from phiscan.records import Continuation, Hit, Note, Phi, Prompt, SpanMatch
from phiscan.scan_report import ScanReport
from phiscan.store import RunDirectory
from phiscan.value_index import ValueIndex


class FinishedRun:
    """Settings, notes and indexes of a scan that has its report."""

    def __init__(self, root: Path) -> None:
        self.run = RunDirectory(root)
        self.report = _report(self.run)
        self.config = _config(self.run)
        try:
            self.notes = Notes(self.run.find_index(NOTES))
            self.words = CorpusIndex(self.run.find_index("words"))
            self.values = ValueIndex(self.run.find_index("values") / VALUES, self.config.verify.date_order)
        except (OSError, ValueError, sqlite3.Error):
            raise StoreError("the run directory's index is damaged or incomplete; scan again") from None

    @property
    def has_tokens(self) -> bool:
        """The run counts in the model's tokens, not in words only."""
        return self.run.has_index("tokens")

    @property
    def template_patients(self) -> int:
        """Patients from which on a text is a template."""
        return self.config.match.template_count(self.notes.patients())

    @cached_property
    def lookups(self) -> Lookups:
        """What values are verified against."""
        return Lookups(
            values=self.values,
            template_patients=self.template_patients,
            date_order=self.config.verify.date_order,
            notes=self.notes.by_id,
            patient_numbers=self.notes.patient_numbers,
            note_order=self.notes.ids,
        )

    def case(
        self,
        continuation: Continuation,
        prompt: Prompt,
        *,
        hits: tuple[Hit, ...],
        matches: tuple[SpanMatch, ...],
        phi: Mapping[str, tuple[Phi, ...]],
        control: tuple[Hit, ...] | None,
    ) -> Case:
        """A continuation with ``hits`` that people found, ready for :func:`phiscan.verify.verify_case`.

        ``phi`` holds the PHI of its note. A prompt that was not found in its note shows what its own
        text shows: no detector runs here.
        """
        note = self.notes.by_id.get(continuation.note_id)
        known = phi.get(continuation.note_id, ())
        start, end = prompt.prefix_start, prompt.prefix_end
        shown = (
            ()
            if start is None or end is None
            else tuple(p for p in known if (p.start or 0) >= start and (p.end or 0) <= end)
        )
        return Case(
            continuation=continuation,
            prompt=prompt,
            note=note,
            own_notes=() if note is None else self._notes_of_patient(note),
            note_phi=known,
            prompt_phi=shown,
            matches=matches,
            hits=hits,
            control=control,
            reach_end=None,
        )

    def _notes_of_patient(self, note: Note) -> tuple[Note, ...]:
        return tuple(self.notes.of_patient(self.words.patient(note.ordinal)))

    def close(self) -> None:
        """Close the files that stand open."""
        self.values.close()
        self.notes.close()


@contextmanager
def reopened(root: Path) -> Iterator[FinishedRun]:
    """The run at ``root``; StoreError if there is none that is finished."""
    finished = FinishedRun(root)
    try:
        yield finished
    finally:
        finished.close()


def _report(run: RunDirectory) -> ScanReport:
    try:
        return ScanReport.model_validate(run.read_json("report.json"))
    except ValidationError:
        raise StoreError("the run directory's report.json is not a report this version can read") from None


def _config(run: RunDirectory) -> ScanConfig:
    try:
        return ScanConfig.model_validate(run.read_json("run.json")["identity"]["settings"])
    except (ValidationError, KeyError, TypeError):
        raise StoreError("the run directory's run.json is damaged; scan again into a new directory") from None
