"""What the passes of one scan share."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from phiscan.config import ScanConfig
from phiscan.corpus_index import CorpusIndex
from phiscan.gold_file import LoadedGold
from phiscan.load import LoadedKnown, LoadedNotes
from phiscan.note_index import Notes
from phiscan.protocols import Backend, Detector, Metric, Tokens
from phiscan.records import MissingReason, Note, record
from phiscan.replay_rows import LoadedReplay
from phiscan.scan_report import InputIdentity
from phiscan.store import RunDirectory
from phiscan.value_index import ValueIndex
from phiscan.words import Vocabulary


class Progress(Protocol):
    """Told what is done; shows it on a terminal or nowhere."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """``done`` of ``total`` steps of ``stage`` are finished."""
        ...


def silent(stage: str, done: int, total: int) -> None:
    """A Progress that shows nothing."""


class ScanInputs(NamedTuple):
    """The files and models of a scan, as the command line names them."""

    notes: Path
    out: Path
    model: str | None = None
    adapter: str | None = None
    control: str | None = None
    holdout: Path | None = None
    known: Path | None = None
    replay: Path | None = None
    tokenizer: str | None = None
    gold: Path | None = None

    def files(self) -> dict[str, Path]:
        """The files that hold records, by argument."""
        named = {
            "--notes": self.notes,
            "--holdout": self.holdout,
            "--known": self.known,
            "--replay": self.replay,
            "--gold": self.gold,
        }
        return {argument: path for argument, path in named.items() if path is not None}


@record
class Loaded:
    """Everything that is read and built before the passes begin."""

    config: ScanConfig
    inputs: tuple[InputIdentity, ...]
    digest: str
    """Of settings, inputs and models: what every part is made from."""
    notes_digest: str
    """Of settings and inputs: what the parts that speak of notes alone are made from."""
    notes: LoadedNotes
    known: LoadedKnown | None
    replay: LoadedReplay | None
    detectors: Mapping[str, Detector]
    metrics: Mapping[str, Metric | MissingReason]
    models: Mapping[str, Backend]
    """``scanned`` and perhaps ``control``; empty for replay."""
    tokenize: Callable[[list[str]], list[Tokens]] | None
    gold: LoadedGold | None = None
    """What people annotated in notes of the house."""


@record
class Plan:
    """The indexed corpus, ready for the map pass."""

    run: RunDirectory
    loaded: Loaded
    shards: tuple[range, ...]
    """Ordinals of each shard's notes."""
    tokens: CorpusIndex | None
    words: CorpusIndex
    vocabulary: Vocabulary
    values: ValueIndex
    template_patients: int
    newest_year: int | None
    """For notes without a date: the latest year of any."""
    replay_control: str | None
    patients: Plan | None = None
    """In the plan of plants and twins: that of the patients, whose notes and shards come first here too,
    to be looked things up in, not to be asked about. None in that plan itself."""

    @property
    def own_shards(self) -> range:
        """Numbers of the shards whose notes are asked about."""
        return range(0 if self.patients is None else len(self.patients.shards), len(self.shards))

    def phi(self, number: int) -> list[Any]:
        """The records of the table ``phi`` of one shard's notes."""
        patients = None if number in self.own_shards else self.patients
        return (patients or self).run.read_part("phi", part_name(number))

    @property
    def notes(self) -> Notes:
        """Every note, in order of their ordinals."""
        return self.loaded.notes.notes

    def shard_notes(self, number: int) -> list[Note]:
        """The notes of a shard."""
        shard = self.shards[number]
        return self.notes[shard.start : shard.stop]

    def shard_of(self, ordinal: int) -> int:
        """Number of the shard that holds a note."""
        return bisect_right(self.shards, ordinal, key=lambda shard: shard.start) - 1

    def note_tokens(self, note: Note) -> Tokens:
        """The note in the model's tokens; a plan without a tokenizer has none."""
        assert self.tokens is not None
        return self.tokens.note_tokens(note.ordinal)

    def close(self) -> None:
        """Close the files that stand open."""
        self.values.close()
        self.notes.close()
        if self.loaded.notes.with_plants is not None:
            self.loaded.notes.with_plants.close()
        if self.loaded.replay is not None:
            self.loaded.replay.rows.close()


def part_name(shard: int, arm: str | None = None) -> str:
    """The name of a shard's part of a table."""
    return f"{shard:05d}" if arm is None else f"{shard:05d}-{arm}"
