"""Groups of near-duplicates among 100,000 synthetic notes: CPU seconds and peak memory."""

import random
import resource
import subprocess
import sys
import time

import numpy as np

from phiscan.near_duplicates import near_groups

NOTES = 100_000
SHAPES = ("distinct", "copied", "forms")


def main(notes: int = NOTES) -> None:
    """Each kind of corpus in a process of its own, so that peaks are its own."""
    for shape in SHAPES:
        subprocess.run([sys.executable, "-m", "tests.bench.repetitions", shape, str(notes)], check=True)


def measure(shape: str, notes: int) -> None:
    units = np.random.default_rng(2).integers(0, 1 << 63, 20_000, dtype=np.uint64)
    texts = list(corpus(shape, notes))
    before, started = peak(), time.process_time()
    found = near_groups(lambda note: units[texts[note]], notes, similarity=0.8, seed=0)
    seconds = time.process_time() - started
    sizes = np.bincount(found.group)
    print(
        f"  {shape:9} {notes:,} notes: {seconds:5.1f} CPU s, {peak() - before:4.0f} MB above the notes' own "
        f"{before:.0f} MB; {len(sizes):,} groups, the largest of {sizes.max():,}; "
        f"{int(found.crowded.sum()):,} notes crowded"
    )


def corpus(shape: str, notes: int):
    """Notes of 150 to 450 words as word numbers.

    distinct: nothing in common; copied: chains of six, 12 words of each new in the next; forms: 20
    forms of 250 words, of which each note fills in 40.
    """
    rng = random.Random(3)
    numbers = np.random.default_rng(3)
    forms = [numbers.integers(0, 20_000, 250) for _ in range(20)]
    text = numbers.integers(0, 20_000, 300)
    for note in range(notes):
        if shape == "forms":
            text = forms[note % 20].copy()
            start = rng.randrange(200)
            text[start : start + 40] = numbers.integers(0, 20_000, 40)
        elif shape == "copied" and note % 6:
            text = text.copy()
            start = rng.randrange(len(text) - 12)
            text[start : start + 12] = numbers.integers(0, 20_000, 12)
        else:
            text = numbers.integers(0, 20_000, rng.randrange(150, 451))
        yield text.astype(np.int32)


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(sys.argv[1], int(sys.argv[2]))
    else:
        main(*map(int, sys.argv[1:]))
