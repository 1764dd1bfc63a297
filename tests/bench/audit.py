"""Verbatim continuations of 32 tokens from five prefix lengths: one pass or generation, CPU seconds of one thread."""

import time

from phiscan.greedy_runs import longest_greedy_run
from tests.bench.demo import demo_model, whole_loop
from tests.bench.timing import compare

PREFIXES = (50, 75, 100, 125, 150)
NEW = 32


def main() -> None:
    backend, notes = demo_model()
    notes = [note for note in notes if len(note) >= PREFIXES[-1] + NEW]
    prompts = [note[:length] for note in notes for length in PREFIXES]
    rests = [note[length : length + NEW] for note in notes for length in PREFIXES]
    said = by_pass(backend, notes)
    for name, batch_size in (("batches of 64", 64), ("one by one", 1)):
        made = whole_loop(backend, prompts, NEW, batch_size=batch_size)
        runs = [common_prefix(ids, rest) for (ids, _), rest in zip(made, rests, strict=True)]
        pairs = list(zip(said, runs, strict=True))
        print(
            f"  against {len(pairs)} generated {name}: run lengths that differ {sum(a != b for a, b in pairs)}, "
            f"yes/no {sum((a == NEW) != (b == NEW) for a, b in pairs)} ({sum(b == NEW for _, b in pairs)} yes)"
        )
    tenth = prompts[::10]
    single = "generate one by one (every tenth prompt)"
    compare(
        3,
        {
            "one pass, all five prefixes": lambda: by_pass(backend, notes),
            "one pass, every token of the note": lambda: backend.score(notes),
            "phiscan's generation, batches of 64": lambda: backend.generate(prompts, NEW),
            "generate, batches of 64": lambda: whole_loop(backend, prompts, NEW),
            single: lambda: whole_loop(backend, tenth, NEW, batch_size=1),
        },
        clock=time.process_time,
        shares={single: len(tenth) / len(prompts)},
    )


def by_pass(backend, notes: list[list[int]]) -> list[int]:
    """Length of the verbatim run, up to 32, for each note and prefix length."""
    asked = sorted({token for length in PREFIXES for token in range(length, length + NEW)})
    return [
        longest_greedy_run(scores.greedy[: length + NEW], length)
        for scores in backend.score(notes, at=[asked] * len(notes))
        for length in PREFIXES
    ]


def common_prefix(ids: list[int], rest: list[int]) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(ids, rest, strict=False)) if a != b), min(len(ids), len(rest))
    )
