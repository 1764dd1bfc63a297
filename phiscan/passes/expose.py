"""One shard of whole patients through the exposure pass, under the scanned model and the control."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from math import log
from random import Random

from phiscan.decoys import Decoys, make_decoys
from phiscan.expose import Asked, audit_notes, by_patient, expose_notes
from phiscan.passes.plan import Plan, part_name
from phiscan.protocols import ScoringBackend
from phiscan.records import Arm, Exposure, Note, NoteAudit, Phi, arm_of
from phiscan.store import RunDirectory
from phiscan.value_pool import ValuePool


def make_pool(plan: Plan) -> ValuePool:
    """The values of every note by form, for decoys; empty if none are wanted."""
    pool = ValuePool(seed=plan.loaded.config.run.seed)
    for number in range(len(plan.shards) if plan.loaded.config.expose.decoys else 0):
        splits = {note.note_id: note.split for note in plan.shard_notes(number)}
        for phi in plan.phi(number):
            pool.add(phi.category, phi.text, splits[phi.note_id])
    return pool


def expose_shard(plan: Plan, number: int, pool: ValuePool) -> tuple[list[Exposure], list[NoteAudit]]:
    """Exposure of every PHI span of the shard's notes, and the audit of every note by each model.

    ``pool``: of :func:`make_pool`.
    """
    loaded = plan.loaded
    assert loaded.tokenize is not None
    phi: dict[str, list[Phi]] = defaultdict(list)
    for row in plan.run.read_part("phi", part_name(number)):
        phi[row.note_id].append(row)
    asked = [Asked(note, plan.note_tokens(note), phi[note.note_id]) for note in plan.shard_notes(number)]
    lengths = loaded.config.regenerate.prefix_lengths
    audits: list[NoteAudit] = []
    scores = {}
    for role, backend in loaded.models.items():
        assert isinstance(backend, ScoringBackend)
        rows, scores[role] = audit_notes(
            asked, backend, loaded.config.expose, arm_of=_arms(role), lengths=lengths
        )
        audits += rows
    scanned = loaded.models["scanned"]
    assert isinstance(scanned, ScoringBackend)
    exposures = expose_notes(
        asked,
        scores["scanned"],
        scores.get("control"),
        scanned,
        loaded.config.expose,
        tokenize=loaded.tokenize,
        decoys_of=lambda note, phi: _decoys(plan, pool, note, phi),
    )
    return exposures, audits


def _decoys(plan: Plan, pool: ValuePool, note: Note, phi: Phi) -> Decoys:
    """Other patients' values in the form of ``phi``, of notes of the same split first; then drawn ones."""
    config = plan.loaded.config
    rng = Random(f"{config.run.seed} {phi.phi_id}")
    like = pool.like(phi.category, phi.text, note.split)
    patient = plan.words.patient(note.ordinal)
    return make_decoys(
        phi.category,
        phi.text,
        config.expose.decoys,
        rng,
        others=[value for kept in like for value in rng.sample(kept, len(kept))],
        is_own=lambda value: bool(plan.values.same_value(phi.category, value, patient=patient)),
    )


def _arms(role: str) -> Callable[[Note], Arm]:
    return lambda note: arm_of(note.split, control=role == "control")


def most_exposed(run: RunDirectory, most: int) -> Iterator[str]:
    """For each patient the identifiers that stand out most, as JSON lines. Restricted: ids and places.

    Those that greedy decoding writes come first, then by what training added to their probability.
    """
    notes = {note.note_id: note for note in run.read_table("notes")}
    spans = {phi.phi_id: phi for phi in run.read_table("phi") if phi.note_id is not None}
    patients = {note_id: note.patient_id for note_id, note in notes.items()}
    for patient, rows in sorted(by_patient(run.read_table("exposures"), patients, most).items()):
        for row in rows:
            phi = spans[row.phi_id]
            bits = None if row.control_logprob is None else (row.logprob - row.control_logprob) / log(2)
            found = {
                "patient_id": patient,
                "note_id": row.note_id,
                "split": notes[row.note_id].split,
                "phi_id": row.phi_id,
                "category": row.category,
                "start": phi.start,
                "end": phi.end,
                "greedy": row.greedy,
                "gain_bits": bits,
                "exposure_bits": row.exposure_bits,
            }
            yield json.dumps(found) + "\n"
