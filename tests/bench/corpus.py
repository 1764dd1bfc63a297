"""Index of every 30-token window of a corpus: building it, and tracing outputs over it."""

import random
import tempfile
import time
from pathlib import Path

import numpy as np

from phiscan.corpus_index import CorpusIndex, UnitText, build_corpus_index


def main() -> None:
    rng = np.random.default_rng(1)
    boilerplate = rng.integers(0, 30_000, 60).tolist()
    notes = []
    for number in range(4_000):
        units = rng.integers(0, 30_000, 250).tolist()
        notes.append(units[:150] + boilerplate + units[150:] if number % 2 else units)
    texts = [UnitText(units, list(range(len(units))), list(range(1, len(units) + 1))) for units in notes]
    outputs = [random.Random(i).choice(notes)[50:] + boilerplate for i in range(1_000)]
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        build_corpus_index(Path(folder) / "index", texts, [number // 4 for number in range(len(notes))])
        built = time.perf_counter() - began
        index = CorpusIndex(Path(folder) / "index")
        began = time.perf_counter()
        for output in outputs:
            frequency = index.window_patients(output)
            list(index.window_places(output, np.flatnonzero((frequency > 0) & (frequency < 3)).tolist()))
        traced = time.perf_counter() - began
    total = sum(map(len, notes))
    print(f"  {total:,} tokens, half the notes with boilerplate: built in {built:.2f} s")
    print(f"  {len(outputs):,} outputs traced in {traced:.2f} s ({1000 * traced / len(outputs):.2f} ms each)")
