"""Runs contenders in turn and prints the median of each and the median of the ratios."""

import statistics
import time
from collections.abc import Callable, Mapping


def compare(
    rounds: int,
    contenders: dict[str, Callable[[], object]],
    *,
    clock: Callable[[], float] = time.perf_counter,
    shares: Mapping[str, float] | None = None,
    least: float = 0.0,
) -> None:
    """Time ``contenders`` A B A B ...; the first is the one the others are compared with.

    ``shares``: the part of the work that a slow contender does; its time is divided by it.
    In its turn each is run again and again until ``least`` seconds have passed: what takes less than a
    millisecond would otherwise be timed with the caches as the one before it left them.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, run in contenders.items():
            began, times = clock(), 0
            while not times or clock() - began < least:
                run()
                times += 1
            seconds[name].append((clock() - began) / times / (shares or {}).get(name, 1.0))
    ours = next(iter(contenders))
    for name, taken in seconds.items():
        ratio = statistics.median(b / a for a, b in zip(seconds[ours], taken, strict=True))
        print(f"  {name:44} {1000 * statistics.median(taken):10.3f} ms   {ratio:8.1f}x the time of ours")
