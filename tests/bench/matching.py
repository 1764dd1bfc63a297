"""All maximal runs of 30+ tokens between a 500-token output and one note (CPU time).

An output is held against the parts of its note, and a note against its outputs, so both are prepared once
(:func:`phiscan.runs.prepare`): what that takes stands outside the first contender's time, inside the others'.
"""

import difflib
import random
import sys
import time
from collections.abc import Callable
from itertools import groupby

import numpy as np
from heldout.notes import make_heldout

from phiscan.runs import maximal_runs, prepare
from phiscan.words import Vocabulary, split_words
from tests.bench.timing import compare

PAIRS = 10_000


def main(pairs: int = PAIRS) -> None:
    vocabulary = Vocabulary()
    notes = [vocabulary.learn(split_words(note.text).words) for note in make_heldout(n_notes=300).notes]
    words = [word for word, _ in groupby(word for note in notes for word in note)]
    rng = random.Random(1)
    for size in (500, 1_000, 4_000):
        texts = [planted(rng, words, size) for _ in range(30_000 // size)]
        print(f"  {len(texts)} notes of {size}, each with an output of 500 (words of synthetic notes)")
        measure(texts)
    line = [7] * 60
    texts = [(output[60:] + line, note[60:] + line) for output, note in texts]
    print("  the same, and a line of sixty equal words in both (31 x 31 windows, 61 runs)")
    measure(texts)
    same(pairs)


def measure(texts: list[tuple[list[int], list[int]]]) -> None:
    ready = [(prepare(output), prepare(note)) for output, note in texts]
    for (output, note), prepared in zip(texts, ready, strict=True):
        expected = naive(output, note, 30)
        assert [tuple(run) for run in maximal_runs(output, note)] == expected
        assert [tuple(run) for run in maximal_runs(*prepared)] == expected
    # The index holds notes as arrays; outputs come as lists.
    held = [(output, np.array(note, dtype=np.uint32)) for output, note in texts]
    contenders: dict[str, Callable[[], object]] = {
        "maximal_runs, both prepared beforehand": lambda: [maximal_runs(o, n) for o, n in ready],
        "maximal_runs, list and array, prepared inside": lambda: [maximal_runs(o, n) for o, n in held],
        "preparing list and array alone": lambda: [(prepare(o), prepare(n)) for o, n in held],
        "naive n*m table": lambda: [naive(o, n, 30) for o, n in texts],
        "difflib, autojunk off, longest block only": lambda: [
            matcher(o, n).find_longest_match() for o, n in texts
        ],
        "difflib, autojunk off, its matching blocks": lambda: [
            matcher(o, n).get_matching_blocks() for o, n in texts
        ],
    }
    compare(7, contenders, clock=time.process_time, least=0.05)


def matcher(output: list[int], note: list[int]) -> difflib.SequenceMatcher[int]:
    return difflib.SequenceMatcher(None, output, note, autojunk=False)


def same(pairs: int) -> None:
    """Random pairs full of repetitions and shared passages: always what the table finds."""
    rng = random.Random(7)
    runs = 0
    for _ in range(pairs):
        output, note = repetitive(rng)
        expected = naive(output, note, 30)
        assert [tuple(run) for run in maximal_runs(output, note)] == expected
        assert [tuple(run) for run in maximal_runs(prepare(output), prepare(note))] == expected
        runs += len(expected)
    print(f"  identical on {pairs:,} random pairs with {runs:,} runs")


def planted(rng: random.Random, words: list[int], size: int) -> tuple[list[int], list[int]]:
    """Two stretches of text that share a run of 80 and one of 40."""
    output, note = (words[(at := rng.randrange(len(words) - n)) : at + n] for n in (500, size))
    output[100:180], output[300:340] = note[200:280], note[50:90]
    return output, note


def repetitive(rng: random.Random) -> tuple[list[int], list[int]]:
    """Two texts of passages that recur in both, of few different units or many."""
    letters = rng.choice([1, 2, 5, 60_000])
    passages = [[rng.randrange(letters) for _ in range(rng.choice([10, 29, 30, 31, 60]))] for _ in range(4)]
    first, second = (
        [
            unit
            for _ in range(rng.randrange(5))
            for unit in (rng.choice(passages) if rng.random() < 0.7 else [rng.randrange(letters)] * 3)
        ]
        for _ in range(2)
    )
    return first, second


def naive(a: list[int], b: list[int], shortest: int) -> list[tuple[int, int, int]]:
    """The quadratic table of common suffix lengths, row by row."""
    found, row = [], [0] * (len(b) + 1)
    for i, x in enumerate(a):
        new = [0] * (len(b) + 1)
        for j, y in enumerate(b):
            if x == y:
                new[j + 1] = row[j] + 1
                ends = i + 1 == len(a) or j + 1 == len(b) or a[i + 1] != b[j + 1]
                if ends and new[j + 1] >= shortest:
                    found.append((i + 1 - new[j + 1], j + 1 - new[j + 1], new[j + 1]))
        row = new
    return sorted(found)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
