"""Pass 1: notes and their PHI as tables; the token, word and value indexes over the whole corpus."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from phiscan.age_bands import traits_of
from phiscan.corpus_builder import build_corpus_index
from phiscan.corpus_index import CorpusIndex, UnitText
from phiscan.detect import detect_texts
from phiscan.grams import Ints
from phiscan.load import shards
from phiscan.note_index import Notes
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
PLANTS = "plants"
"""Name of the folder in the run directory that holds what is made of plants and twins."""
_NOTE_FOLDERS = ("index", "tables/notes", "tables/phi", "tables/patients", "tables/repetitions")
OF_NOTES = (*_NOTE_FOLDERS, *(f"{PLANTS}/{folder}" for folder in _NOTE_FOLDERS))
"""Folders of a run that hold what was made of the notes alone, whatever model is asked for them."""
VALUES = "values.sqlite"
"""Name of the value index inside its folder."""
_VOCABULARY = "vocabulary.txt"
_NOTES_AT_ONCE = 256


def index_corpus(run: RunDirectory, loaded: Loaded, replay_control: str | None, progress: Progress) -> Plan:
    """Write notes, phi and the indexes, each unless it stands already."""
    numbers = loaded.notes.notes.numbered()
    plan = _index(
        run,
        loaded,
        shards(numbers, loaded.config.run.shard_notes),
        progress,
        replay_control=replay_control,
        template_patients=loaded.config.match.template_count(int(numbers[-1]) + 1),
        newest=newest_year(loaded.notes.notes.dates(), loaded.config.verify.date_order),
    )
    index_repetitions(plan)
    return plan


def index_plants(plan: Plan, notes: Notes, progress: Progress) -> Plan:
    """The plan of plants and twins, whose ``notes`` follow those of the ``plan`` of the patients.

    Their tables and indexes stand in a folder of their own. These indexes hold the patients' notes
    too, so that what a plant shares with them is seen; in the patients' own, plants and twins are not.
    """
    loaded = dataclasses.replace(
        plan.loaded, notes=dataclasses.replace(plan.loaded.notes, notes=notes, with_plants=None)
    )
    first = len(plan.notes)
    added = shards(notes.numbered()[first:], loaded.config.run.shard_notes)
    return _index(
        plan.run.beside(PLANTS),
        loaded,
        (*plan.shards, *(range(first + part.start, first + part.stop) for part in added)),
        progress,
        replay_control=plan.replay_control,
        template_patients=plan.template_patients,
        newest=plan.newest_year,
        patients=plan,
    )


def _index(
    run: RunDirectory,
    loaded: Loaded,
    parts: tuple[range, ...],
    progress: Progress,
    *,
    replay_control: str | None,
    template_patients: int,
    newest: int | None,
    patients: Plan | None = None,
) -> Plan:
    notes, order = loaded.notes.notes, loaded.config.verify.date_order
    numbers = notes.numbered()
    own = range(0 if patients is None else len(patients.shards), len(parts))
    tokens = None
    if loaded.tokenize is not None:
        texts = _tokenized(notes, loaded.tokenize)
        tokens = CorpusIndex(run.build_index("tokens", lambda to: build_corpus_index(to, texts, numbers)))
    births = _births(loaded)
    for number in own:
        part = parts[number]
        shard = notes[part.start : part.stop]
        _index_shard(run, loaded, number, shard, tokens, newest)
        _index_patients(run, loaded, number, shard, births)
        progress("index", number + 1, len(parts))
    words = run.build_index("words", lambda to: _build_words(to, notes, numbers))
    runs = [run if number in own or patients is None else patients.run for number in range(len(parts))]
    values = run.build_index("values", lambda to: _build_values(to, runs, loaded, parts, numbers))
    return Plan(
        run=run,
        loaded=loaded,
        shards=parts,
        tokens=tokens,
        words=CorpusIndex(words),
        vocabulary=Vocabulary.load(words / _VOCABULARY),
        values=ValueIndex(values / VALUES, order),
        template_patients=template_patients,
        newest_year=newest,
        replay_control=replay_control,
        patients=patients,
    )


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
    part, digest = part_name(number), loaded.notes_digest
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


def _index_patients(
    run: RunDirectory, loaded: Loaded, number: int, notes: Sequence[Note], births: Mapping[str, Sequence[str]]
) -> None:
    """What figures are split by, of the patients of a shard, from their PHI as it stands."""
    part, digest = part_name(number), loaded.notes_digest
    if not run.has_part("patients", part, digest):
        phi = run.read_part("phi", part)
        rows = traits_of(notes, phi, births, loaded.config.verify.date_order)
        run.write_part("patients", part, rows, digest)


def _births(loaded: Loaded) -> dict[str, list[str]]:
    """The dates of the registration table, which are dates of birth, by patient."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in loaded.known.identifiers if loaded.known else ():
        if row.category == "DATE":
            found[row.patient_id].append(row.value)
    return found


def _learnt(text: str, vocabulary: Vocabulary) -> UnitText:
    words = split_words(text)
    return UnitText(vocabulary.learn(words.words), words.starts, words.ends)


def _build_words(folder: Path, notes: Iterable[Note], patients: Ints) -> None:
    vocabulary = Vocabulary()
    texts = (_learnt(note.text, vocabulary) for note in notes)
    build_corpus_index(folder, texts, patients)
    vocabulary.save(folder / _VOCABULARY)


def _build_values(
    folder: Path, runs: Sequence[RunDirectory], loaded: Loaded, parts: Sequence[range], patients: Ints
) -> None:
    """Values of every note, then the known identifiers; ``runs``: where the PHI of each part stands."""
    with ValueIndexBuilder(folder / VALUES, loaded.config.verify.date_order) as builder:
        for number, (run, part) in enumerate(zip(runs, parts, strict=True)):
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
    """Registered patients without a note get numbers of their own: a value may be theirs.

    What is registered of plants and twins is left out where their notes are.
    """
    if loaded.known is None:
        return
    notes, with_plants = loaded.notes.notes, loaded.notes.with_plants
    strangers: dict[str, int] = {}
    for phi in known_phi(loaded.known.identifiers, loaded.config.verify.date_order):
        if with_plants and not notes.patient(phi.patient_id) and with_plants.patient(phi.patient_id):
            continue
        number, member = notes.patient(phi.patient_id) or (None, False)
        if number is None:
            number = strangers.setdefault(phi.patient_id, patients + len(strangers))
        builder.add([phi], patient=number, member=member, note=None, words=None)
