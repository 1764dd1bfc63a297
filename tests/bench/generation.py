"""Greedy continuations of 300 prompts of the demo, up to 500 tokens, CPU seconds of one thread."""

import copy
import shutil
import time
from collections import Counter

from transformers import CompileConfig, ContinuousBatchingConfig

from phiscan.batch_decoding import cut_at_end
from tests.bench.demo import demo_model, whole_loop
from tests.bench.timing import compare

PREFIXES = (50, 100, 200, 300, 500)
NEW = 500


def main() -> None:
    backend, notes = demo_model()
    # As a scan asks: all prefixes of a note, note after note.
    prompts = [note[:length] for note in notes for length in PREFIXES if len(note) > length][:300]
    ways = _ways_of_transformers(backend)
    ours = backend.generate(prompts, NEW)
    print(
        f"  {len(prompts)} prompts, {sum(len(made.ids) for made in ours):,} tokens, "
        f"stops {dict(Counter(made.stop for made in ours))}"
    )
    for name, ask in ways.items():
        began = time.process_time()
        pairs = list(zip(ours, _finished(backend, prompts, ask(prompts)), strict=True))
        print(
            f"  {name}: different ids {sum(a.ids != b.ids for a, b in pairs)}, "
            f"stops {sum(a.stop != b.stop for a, b in pairs)}, mean_logprob at most "
            f"{max(abs((a.mean_logprob or 0) - (b.mean_logprob or 0)) for a, b in pairs):.1e} apart; "
            f"first time {time.process_time() - began:.1f} s"
        )
    tenth = prompts[::10]
    single = "generate one by one (every tenth prompt)"
    compare(
        3,
        {
            "phiscan": lambda: backend.generate(prompts, NEW),
            "phiscan, every prefix asked": lambda: _each_asked(backend, prompts),
            **{name: lambda ask=ask: _finished(backend, prompts, ask(prompts)) for name, ask in ways.items()},
            single: lambda: _finished(backend, tenth, whole_loop(backend, tenth, NEW, batch_size=1)),
        },
        clock=time.process_time,
        shares={single: len(tenth) / len(prompts)},
    )


def _ways_of_transformers(backend):
    """What transformers offers beside: its own loop with either cache, and continuous batching."""
    static = _with_cache(backend, cache_implementation="static", disable_compile=True)
    ways = {
        "generate, batches of 64": lambda asked: whole_loop(backend, asked, NEW),
        "generate, static cache": lambda asked: whole_loop(static, asked, NEW),
        "generate_batch (continuous batching)": lambda asked: _continuous(backend, asked),
    }
    if shutil.which("cc"):
        everywhere = CompileConfig()
        everywhere._compile_all_devices = True  # transformers compiles on accelerators only
        compiled = _with_cache(backend, cache_implementation="static", compile_config=everywhere)
        ways["generate, static cache, compiled"] = lambda asked: whole_loop(compiled, asked, NEW)
    return ways


def _with_cache(backend, **options):
    other = copy.copy(backend)
    other._config = copy.deepcopy(backend._config)
    other._config.update(**options)
    return other


def _continuous(backend, prompts):
    """64 requests at once. Without a number of blocks the cache takes most of the free memory."""
    config = copy.deepcopy(backend._config)
    config.max_new_tokens = NEW
    batching = ContinuousBatchingConfig(
        max_requests_per_batch=64, num_blocks=256, max_batch_tokens=2048, return_logprobs=True
    )
    made = backend._base.generate_batch(
        [[*backend._bos, *prompt] for prompt in prompts],
        generation_config=config,
        continuous_batching_config=batching,
    )
    in_order = [made[key] for key in sorted(made, key=lambda key: int(key.rpartition("_")[2]))]
    return [cut_at_end(one.generated_tokens, one.logprobs, backend._ends) for one in in_order]


def _each_asked(backend, prompts):
    order = sorted(prompts, key=len)
    for at in range(0, len(order), 64):
        batch = order[at : at + 64]
        for prompt, answer in zip(batch, backend._generate_batch(batch, NEW), strict=True):
            backend._generated(prompt, *answer)


def _finished(backend, prompts, answers):
    """With what phiscan makes of the ids, so that only the loops differ."""
    return [backend._generated(prompt, *answer) for prompt, answer in zip(prompts, answers, strict=True)]


if __name__ == "__main__":
    main()
