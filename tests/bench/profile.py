"""A whole scan of 1,000 synthetic notes by the demo's model: CPU seconds of each part, one thread.

The model's own computation and that of the name models cannot be spared; everything else may take 15 %.
Each part's time is its own: what another part does inside it is the other's.
"""

import functools
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

from phiscan import pipeline
from phiscan.backends.transformers import TransformersBackend
from phiscan.commands.demo_corpus import make_corpus, write_corpus
from phiscan.config import ScanConfig
from phiscan.corpus_index import CorpusIndex
from phiscan.detectors.known_identifiers import KnownIdentifierDetector
from phiscan.detectors.presidio import PresidioDetector
from phiscan.detectors.rampart import RampartDetector
from phiscan.detectors.rules import RuleDetector
from phiscan.measures.chance import ChanceCounts
from phiscan.measures.run import RunMeasures
from phiscan.passes import index
from phiscan.passes import map as map_pass
from phiscan.passes.map import ShardMap
from phiscan.passes.plan import ScanInputs
from phiscan.store import RunDirectory
from phiscan.value_index import ValueIndexBuilder
from tests.bench.demo import CACHE, demo_model

NOTES = 1_000
MOST = 0.15
GENERATION, NAMES = "model: generation", "name models"
PARTS: tuple[tuple[str, Any, str], ...] = (
    (GENERATION, TransformersBackend, "generate"),
    ("decoding what was generated", TransformersBackend, "_generated"),
    ("tokenising", TransformersBackend, "tokenize"),
    (NAMES, PresidioDetector, "detect"),
    (NAMES, RampartDetector, "detect"),
    ("rules", RuleDetector, "detect"),
    ("known identifiers", KnownIdentifierDetector, "detect"),
    ("loading", pipeline, "load_inputs"),
    ("index of tokens and words", index, "build_corpus_index"),
    ("index of values", ValueIndexBuilder, "add"),
    ("index, the rest", pipeline, "index_corpus"),
    ("regenerate, the rest", ShardMap, "_regenerate"),
    ("match", ShardMap, "_match"),
    ("tracing", CorpusIndex, "trace"),
    ("similarity", map_pass, "similarity_shard"),
    ("detect, the rest", ShardMap, "_detect"),
    ("verify", ShardMap, "_verify"),
    ("sensitive", ShardMap, "_sensitive"),
    ("reading and writing tables", RunDirectory, "read_part"),
    ("reading and writing tables", RunDirectory, "write_part"),
    ("chance", ChanceCounts, "add"),
    ("measures", RunMeasures, "add"),
    ("report, the rest", pipeline, "make_report"),
)


def main(notes: int = NOTES) -> None:
    demo_model()  # trained if it is not there yet, before the clock runs
    corpus = make_corpus(seed=7, repeated=63, copies=1, unique=notes - 63 - notes // 10, holdout=notes // 10)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus(corpus, folder)
        inputs = ScanInputs(
            notes=folder / "notes.jsonl",
            out=folder / "run",
            model=str(CACHE / "500"),
            known=folder / "known.csv",
        )
        clock = Clock()
        with ExitStack() as stack:
            for part, owner, function in PARTS:
                timed = clock.timed(part, getattr(owner, function))
                stack.enter_context(mock.patch.object(owner, function, timed))
            began = time.process_time()
            report = pipeline.scan(inputs, ScanConfig())
            total = time.process_time() - began
    print_parts(clock.seconds, total)
    print(
        f"  {report.coverage.notes:,} notes, {sum(cell.asked for cell in report.coverage.prefixes):,} prompts"
    )


def print_parts(seconds: dict[str, float], total: float) -> None:
    parts = dict.fromkeys(part for part, _, _ in PARTS)
    for part in sorted(parts, key=lambda part: -seconds[part]):
        print(f"  {part:32} {seconds[part]:8.2f} s {seconds[part] / total:7.1%}")
    rest = total - sum(seconds.values())
    print(f"  {'anything else':32} {rest:8.2f} s {rest / total:7.1%}")
    spared = total - seconds[GENERATION] - seconds[NAMES]
    print(
        f"  neither model nor name models: {spared:.1f} of {total:.1f} s, {spared / total:.1%} (at most {MOST:.0%})"
    )


class Clock:
    """CPU seconds of each part, what is timed inside it left out."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._inside = [0.0]

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **options: Any) -> Any:
            self._inside.append(0.0)
            began = time.process_time()
            try:
                return function(*args, **options)
            finally:
                took = time.process_time() - began
                self.seconds[part] += took - self._inside.pop()
                self._inside[-1] += took

        return call


if __name__ == "__main__":
    main(*[int(argument) for argument in sys.argv[1:]])
