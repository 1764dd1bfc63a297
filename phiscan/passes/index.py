"""Pass 1: notes and their PHI as tables; the token, word and value indexes over the whole corpus."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from phiscan.corpus_builder import build_corpus_index
from phiscan.corpus_index import CorpusIndex, UnitText
from phiscan.detect import detect_texts
from phiscan.load import shards
from phiscan.passes.plan import Loaded, Plan, Progress, part_name
from phiscan.records import Note, Phi
from phiscan.store import RunDirectory
from phiscan.typed import known_phi, newest_year, phi_of_note
from phiscan.value_index import ValueIndex, ValueIndexBuilder
from phiscan.words import Vocabulary, split_words

VALUES = "values.sqlite"
"""Name of the value index inside its folder."""
_VOCABULARY = "vocabulary.txt"


def index_corpus(
    run: RunDirectory, loaded: Loaded, digest: str, replay_control: str | None, progress: Progress
) -> Plan:
    """Write notes, phi and the indexes, each unless it stands already."""
    notes = loaded.notes.notes
    parts = tuple(tuple(part) for part in shards(notes, loaded.config.run.shard_notes))
    newest = newest_year(notes, loaded.config.verify.date_order)
    for number, part in enumerate(parts):
        _index_shard(run, loaded, digest, number, part, newest)
        progress("index", number + 1, len(parts))
    patients = _patient_numbers(notes)
    tokens = None
    if loaded.tokens is not None:
        texts = (token_text(ids, ends) for ids, ends in loaded.tokens)
        folder = run.build_index("tokens", lambda to: build_corpus_index(to, texts, patients))
        tokens = CorpusIndex(folder)
    words = run.build_index("words", lambda to: _build_words(to, notes, patients))
    values = run.build_index("values", lambda to: _build_values(to, run, loaded, parts, patients))
    return Plan(
        run=run,
        loaded=loaded,
        digest=digest,
        shards=parts,
        tokens=tokens,
        words=CorpusIndex(words),
        vocabulary=Vocabulary.load(words / _VOCABULARY),
        values=ValueIndex(values / VALUES, loaded.config.verify.date_order),
        template_patients=loaded.config.match.template_count(len(set(patients))),
        replay_control=replay_control,
    )


def token_text(ids: Sequence[int], ends: Sequence[int]) -> UnitText:
    """Tokens as units: each begins where the one before it ends, blanks included."""
    return UnitText(ids, [0, *ends[:-1]] if ids else [], ends)


def _index_shard(
    run: RunDirectory, loaded: Loaded, digest: str, number: int, notes: Sequence[Note], newest: int | None
) -> None:
    part = part_name(number)
    if not run.has_part("notes", part, digest):
        counted = [
            note
            if loaded.tokens is None
            else dataclasses.replace(note, n_tokens=len(loaded.tokens[note.ordinal].ids))
            for note in notes
        ]
        run.write_part("notes", part, counted, digest)
    if run.has_part("phi", part, digest):
        return
    texts = [note.text for note in notes]
    found = detect_texts(loaded.detectors, texts, loaded.config.detect)
    order = loaded.config.verify.date_order
    rows = [
        phi
        for note, spans in zip(notes, found, strict=True)
        for phi in phi_of_note(note, spans, order, newest=newest)
    ]
    run.write_part("phi", part, rows, digest, chars=sum(map(len, texts)))


def _patient_numbers(notes: Sequence[Note]) -> list[int]:
    numbers: dict[str, int] = {}
    return [numbers.setdefault(note.patient_id, len(numbers)) for note in notes]


def _learnt(text: str, vocabulary: Vocabulary) -> UnitText:
    words = split_words(text)
    return UnitText(vocabulary.learn(words.words), words.starts, words.ends)


def _build_words(folder: Path, notes: Sequence[Note], patients: Sequence[int]) -> None:
    vocabulary = Vocabulary()
    texts = (_learnt(note.text, vocabulary) for note in notes)
    build_corpus_index(folder, texts, patients)
    vocabulary.save(folder / _VOCABULARY)


def _build_values(
    folder: Path,
    run: RunDirectory,
    loaded: Loaded,
    parts: Sequence[Sequence[Note]],
    patients: Sequence[int],
) -> None:
    """Values of every note, then the known identifiers of patients who have notes."""
    order = loaded.config.verify.date_order
    number_of = {note.patient_id: number for note, number in zip(loaded.notes.notes, patients, strict=True)}
    member = {note.patient_id: note.split == "member" for note in loaded.notes.notes}
    with ValueIndexBuilder(folder / VALUES, order) as builder:
        for number, notes in enumerate(parts):
            by_note: dict[str, list[Phi]] = defaultdict(list)
            for phi in run.read_part("phi", part_name(number)):
                by_note[phi.note_id].append(phi)
            for note in notes:
                builder.add(
                    by_note[note.note_id],
                    patient=patients[note.ordinal],
                    member=note.split == "member",
                    note=note.ordinal,
                    words=split_words(note.text),
                )
        for phi in known_phi(loaded.known.identifiers if loaded.known else (), order):
            # Registered patients without a note get numbers of their own: a value may be theirs.
            patient = number_of.setdefault(phi.patient_id, len(number_of))
            is_member = member.get(phi.patient_id, False)
            builder.add([phi], patient=patient, member=is_member, note=None, words=None)
