"""Pass 1: notes and their PHI as tables; the token, word and value indexes over the whole corpus."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from phiscan.corpus_builder import build_corpus_index
from phiscan.corpus_index import CorpusIndex, UnitText
from phiscan.detect import detect_texts
from phiscan.grams import Ints
from phiscan.load import shards
from phiscan.passes.plan import Loaded, Plan, Progress, part_name
from phiscan.passes.repetitions import index_repetitions
from phiscan.protocols import Tokens
from phiscan.records import Note, Phi
from phiscan.store import RunDirectory
from phiscan.typed import known_phi, newest_year, phi_of_note
from phiscan.value_index import ValueIndex, ValueIndexBuilder
from phiscan.words import Vocabulary, split_words

NOTES, REPLAY = "notes", "replay"
"""Names of the index folders that inputs are read into."""
VALUES = "values.sqlite"
"""Name of the value index inside its folder."""
_VOCABULARY = "vocabulary.txt"
_NOTES_AT_ONCE = 256


def index_corpus(run: RunDirectory, loaded: Loaded, replay_control: str | None, progress: Progress) -> Plan:
    """Write notes, phi and the indexes, each unless it stands already."""
    notes, order = loaded.notes.notes, loaded.config.verify.date_order
    patients = notes.numbered()
    parts = shards(patients, loaded.config.run.shard_notes)
    tokens = None
    if loaded.tokenize is not None:
        texts = _tokenized(notes, loaded.tokenize)
        tokens = CorpusIndex(run.build_index("tokens", lambda to: build_corpus_index(to, texts, patients)))
    newest = newest_year(notes.dates(), order)
    for number, part in enumerate(parts):
        _index_shard(run, loaded, number, notes[part.start : part.stop], tokens, newest)
        progress("index", number + 1, len(parts))
    words = run.build_index("words", lambda to: _build_words(to, notes, patients))
    values = run.build_index("values", lambda to: _build_values(to, run, loaded, parts, patients))
    plan = Plan(
        run=run,
        loaded=loaded,
        shards=parts,
        tokens=tokens,
        words=CorpusIndex(words),
        vocabulary=Vocabulary.load(words / _VOCABULARY),
        values=ValueIndex(values / VALUES, order),
        template_patients=loaded.config.match.template_count(int(patients[-1]) + 1),
        newest_year=newest,
        replay_control=replay_control,
    )
    index_repetitions(plan)
    return plan


def token_text(ids: Sequence[int], ends: Sequence[int]) -> UnitText:
    """Tokens as units: each begins where the one before it ends, blanks included."""
    return UnitText(ids, [0, *ends[:-1]] if ids else [], ends)


def _tokenized(notes: Iterable[Note], tokenize: Callable[[list[str]], list[Tokens]]) -> Iterator[UnitText]:
    waiting = iter(notes)
    while batch := list(islice(waiting, _NOTES_AT_ONCE)):
        for ids, ends in tokenize([note.text for note in batch]):
            yield token_text(ids, ends)


def _index_shard(
    run: RunDirectory,
    loaded: Loaded,
    number: int,
    notes: Sequence[Note],
    tokens: CorpusIndex | None,
    newest: int | None,
) -> None:
    part, digest = part_name(number), loaded.digest
    if not run.has_part("notes", part, digest):
        counted = (
            note
            if tokens is None
            else dataclasses.replace(note, n_tokens=len(tokens.note_units(note.ordinal)))
            for note in notes
        )
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


def _learnt(text: str, vocabulary: Vocabulary) -> UnitText:
    words = split_words(text)
    return UnitText(vocabulary.learn(words.words), words.starts, words.ends)


def _build_words(folder: Path, notes: Iterable[Note], patients: Ints) -> None:
    vocabulary = Vocabulary()
    texts = (_learnt(note.text, vocabulary) for note in notes)
    build_corpus_index(folder, texts, patients)
    vocabulary.save(folder / _VOCABULARY)


def _build_values(
    folder: Path, run: RunDirectory, loaded: Loaded, parts: Sequence[range], patients: Ints
) -> None:
    """Values of every note, then the known identifiers."""
    with ValueIndexBuilder(folder / VALUES, loaded.config.verify.date_order) as builder:
        for number, part in enumerate(parts):
            by_note: dict[str, list[Phi]] = defaultdict(list)
            for phi in run.read_part("phi", part_name(number)):
                by_note[phi.note_id].append(phi)
            for note in loaded.notes.notes[part.start : part.stop]:
                builder.add(
                    by_note[note.note_id],
                    patient=int(patients[note.ordinal]),
                    member=note.split == "member",
                    note=note.ordinal,
                    words=split_words(note.text),
                )
        _add_known(builder, loaded, int(patients[-1]) + 1)


def _add_known(builder: ValueIndexBuilder, loaded: Loaded, patients: int) -> None:
    """Registered patients without a note get numbers of their own: a value may be theirs."""
    if loaded.known is None:
        return
    notes = loaded.notes.notes
    strangers: dict[str, int] = {}
    for phi in known_phi(loaded.known.identifiers, loaded.config.verify.date_order):
        number, member = notes.patient(phi.patient_id) or (None, False)
        if number is None:
            number = strangers.setdefault(phi.patient_id, patients + len(strangers))
        builder.add([phi], patient=number, member=member, note=None, words=None)
