"""All maximal runs of 30+ tokens between a 500-token output and one note."""

import difflib
import random

from phiscan.runs import maximal_runs
from tests.bench.timing import compare


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


def main() -> None:
    rng = random.Random(1)
    for size in (500, 1_000, 4_000):
        note = [rng.randrange(30_000) for _ in range(size)]
        output = [rng.randrange(30_000) for _ in range(500)]
        output[100:180], output[300:340] = note[200:280], note[50:90]
        assert [tuple(r) for r in maximal_runs(output, note)] == naive(output, note, 30)
        print(f" note of {size} tokens")
        compare(
            7,
            {
                "maximal_runs": lambda o=output, n=note: maximal_runs(o, n),
                "naive n*m table": lambda o=output, n=note: naive(o, n, 30),
                "difflib, autojunk off (longest block only)": lambda o=output, n=note: (
                    difflib.SequenceMatcher(None, o, n, autojunk=False).find_longest_match()
                ),
            },
        )
