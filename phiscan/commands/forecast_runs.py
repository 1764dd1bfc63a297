"""Run directories as score tables: the audit of every training note, from its first 32 tokens."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from phiscan.commands.forecast_tables import ScoreTable
from phiscan.errors import StoreError
from phiscan.greedy_runs import K
from phiscan.records import Note, NoteAudit
from phiscan.reporting.figures import how_many
from phiscan.store import RunDirectory

MOST_PARAMETERS = 10**18
"""Of a model: far above any there is, and its cost is still a finite number."""


class AuditedRun(NamedTuple):
    """The training notes of one run that are long enough, and whether each is k-extractable (1 or 0)."""

    table: ScoreTable
    scored: bool
    """Scores are of free-running decoding; else 1 where the pass says that all 32 tokens come back, or 0."""
    too_short: int
    """Notes of fewer than 64 tokens: their score is not defined."""
    parameters: int | None
    """As the run recorded them."""
    tokenizer: str | None
    texts: dict[str, bytes]
    """SHA-256 of each training note's text, by note id; never stored."""


def read_run(path: Path, where: str) -> AuditedRun:
    """Read the audits of a finished `phiscan expose` or scan; StoreError names ``where``."""
    run = RunDirectory(path)
    try:
        model = _scanned(run.read_json("run.json"))
        notes = [note for note in run.read_table("notes") if note.split == "member"]
        audits = [row for row in run.read_table("audits") if row.arm == "scanned" and row.prefix_tok == K]
    except StoreError as error:
        raise StoreError(f"{where}: {error}") from None
    if not audits:
        raise StoreError(f"{where}: no note was audited from its first {K} tokens: run phiscan expose there")
    scored = any(row.score_tok is not None for row in audits)
    scores = {row.note_id: _score(row, scored=scored) for row in audits}
    long_enough = [note for note in notes if (note.n_tokens or 0) >= 2 * K]
    if not long_enough:
        raise StoreError(f"{where}: no training note has {2 * K} tokens")
    return AuditedRun(
        table=_table(long_enough, scores, where),
        scored=scored,
        too_short=len(notes) - len(long_enough),
        parameters=_parameters(model.get("parameters")),
        tokenizer=model.get("tokenizer_sha256"),
        texts={note.note_id: sha256(note.text.encode()).digest() for note in notes},
    )


def refuse_other_notes(run: AuditedRun, full: AuditedRun) -> None:
    """StoreError unless both runs asked for the same tokens of the same notes of the same patients."""
    if run.tokenizer != full.tokenizer:
        raise StoreError(
            f"{run.table.where}: its tokenizer is not that of the full run, so its {K} tokens are other text"
        )
    different = {note_id for note_id, _ in run.texts.items() ^ full.texts.items()}
    if different:
        raise StoreError(
            f"{run.table.where}: its training notes are not those of the full run: "
            f"{how_many(len(different), 'note')} with another id or text"
        )


def _score(row: NoteAudit, *, scored: bool) -> float:
    """The memorization score, or its yes or no; NaN for a note that was not answered."""
    if scored:
        return np.nan if row.score_tok is None else row.score_tok / K
    return float(row.run_tok >= K)


def _table(notes: list[Note], scored: dict[str, float], where: str) -> ScoreTable:
    def column(values: list[Any], kind: Any) -> Any:
        made = np.empty(len(values), dtype=kind)
        made[:] = values
        return made

    # A note that could not be scored has no audit: NaN, which is counted, not 0.
    scores = [scored.get(note.note_id, np.nan) for note in notes]
    return ScoreTable(
        where=where,
        ids=column([note.note_id for note in notes], object),
        scores=column(scores, np.float64),
        patients=column([note.patient_id for note in notes], object),
        order=column([note.row - 1 for note in notes], np.int64),
    )


def _parameters(recorded: Any) -> int | None:
    """What run.json says, if it can be a number of parameters."""
    fits = isinstance(recorded, int) and 0 < recorded <= MOST_PARAMETERS
    return int(recorded) if fits else None


def _scanned(stored: Any) -> dict[str, Any]:
    try:
        model = stored["identity"]["models"]["scanned"]
    except (KeyError, TypeError):
        raise StoreError("has no model that was asked (outputs made elsewhere have no audit)") from None
    return model if isinstance(model, dict) else {}
