"""What the passes of one scan share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from phiscan.config import ScanConfig
from phiscan.corpus_index import CorpusIndex
from phiscan.load import LoadedKnown, LoadedNotes, LoadedReplay
from phiscan.protocols import Backend, Detector, Metric, Tokens
from phiscan.records import MissingReason, Note, record
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

    def files(self) -> dict[str, Path]:
        """The files that hold records, by argument."""
        named = {
            "--notes": self.notes,
            "--holdout": self.holdout,
            "--known": self.known,
            "--replay": self.replay,
        }
        return {argument: path for argument, path in named.items() if path is not None}


@record
class Loaded:
    """Everything read and built before the run directory is touched."""

    config: ScanConfig
    notes: LoadedNotes
    known: LoadedKnown | None
    replay: LoadedReplay | None
    detectors: Mapping[str, Detector]
    metrics: Mapping[str, Metric | MissingReason]
    models: Mapping[str, Backend]
    """``scanned`` and perhaps ``control``; empty for replay."""
    tokenize: Callable[[list[str]], list[Tokens]] | None
    tokens: tuple[Tokens, ...] | None
    """Of each note, in order; None without a tokenizer."""


@record
class Plan:
    """The indexed corpus, ready for the map pass."""

    run: RunDirectory
    loaded: Loaded
    digest: str
    """Of settings, inputs and models: what every part was made from."""
    shards: tuple[tuple[Note, ...], ...]
    tokens: CorpusIndex | None
    words: CorpusIndex
    vocabulary: Vocabulary
    values: ValueIndex
    template_patients: int
    replay_control: str | None

    @property
    def notes(self) -> Sequence[Note]:
        """Every note, in order of their ordinals."""
        return self.loaded.notes.notes


def part_name(shard: int, arm: str | None = None) -> str:
    """The name of a shard's part of a table."""
    return f"{shard:05d}" if arm is None else f"{shard:05d}-{arm}"
