"""Greedy continuations of 300 prompts of the demo, up to 500 tokens, CPU seconds of one thread."""

import time
from collections import Counter

from tests.bench.demo import demo_model, whole_loop
from tests.bench.timing import compare

PREFIXES = (50, 100, 200, 300, 500)
NEW = 500


def main() -> None:
    backend, notes = demo_model()
    # As a scan asks: all prefixes of a note, note after note.
    prompts = [note[:length] for note in notes for length in PREFIXES if len(note) > length][:300]
    ours = backend.generate(prompts, NEW)
    theirs = [
        backend._generated(prompt, *answer)
        for prompt, answer in zip(prompts, whole_loop(backend, prompts, NEW), strict=True)
    ]
    pairs = list(zip(ours, theirs, strict=True))
    print(
        f"  {len(prompts)} prompts, {sum(len(made.ids) for made in ours):,} tokens, "
        f"stops {dict(Counter(made.stop for made in ours))}; "
        f"different ids {sum(a.ids != b.ids for a, b in pairs)}, stops {sum(a.stop != b.stop for a, b in pairs)}, "
        f"mean_logprob at most {max(abs((a.mean_logprob or 0) - (b.mean_logprob or 0)) for a, b in pairs):.1e} apart"
    )
    tenth = prompts[::10]
    single = "generate one by one (every tenth prompt)"
    compare(
        3,
        {
            "phiscan": lambda: backend.generate(prompts, NEW),
            "phiscan, every prefix asked": lambda: _each_asked(backend, prompts),
            "generate, batches of 64": lambda: _finished(backend, prompts, 64),
            single: lambda: _finished(backend, tenth, 1),
        },
        clock=time.process_time,
        shares={single: len(tenth) / len(prompts)},
    )


def _each_asked(backend, prompts):
    order = sorted(prompts, key=len)
    for at in range(0, len(order), 64):
        batch = order[at : at + 64]
        for prompt, answer in zip(batch, backend._generate_batch(batch, NEW), strict=True):
            backend._generated(prompt, *answer)


def _finished(backend, prompts, batch_size):
    """The baseline with what phiscan makes of the ids, so that only the loops differ."""
    for prompt, answer in zip(prompts, whole_loop(backend, prompts, NEW, batch_size=batch_size), strict=True):
        backend._generated(prompt, *answer)
