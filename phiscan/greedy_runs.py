"""What one teacher-forced pass says of greedy decoding, for every prefix length at once.

As long as every token so far is the one greedy decoding would take, greedy decoding sees the text
itself: the first token that is not is where generation from that prefix leaves the text.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

K = 32
"""Prompt and continuation of the forecast paper's k-extractable, in tokens."""
NEXT = 50
"""Tokens after a prefix whose joint probability is kept for (n, p)-discoverable extraction."""


def longest_greedy_runs(greedy: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Tokens that greedy decoding repeats verbatim from each prefix length; one more than ``greedy``.

    Entry l is the length of the common prefix of the free greedy continuation of the first l tokens
    and the rest of the text (for a continuation that is long enough).

    >>> longest_greedy_runs(np.array([False, True, True, False, True])).tolist()
    [0, 2, 1, 0, 1, 0]
    """
    stops = np.where(greedy, len(greedy), np.arange(len(greedy)))
    ends = np.minimum.accumulate(np.append(stops, len(greedy))[::-1])[::-1]
    runs: NDArray[np.int32] = (ends - np.arange(len(greedy) + 1)).astype(np.int32)
    return runs


def longest_greedy_run(greedy: NDArray[np.bool_], length: int) -> int:
    """The same for the prefix of ``length`` tokens alone.

    >>> longest_greedy_run(np.array([False, True, True, False]), 1)
    2
    """
    rest = greedy[length:]
    return int(len(rest) if rest.all() else rest.argmin())


def longest_run(likely: NDArray[np.bool_]) -> int:
    """Length of the longest stretch of True.

    >>> longest_run(np.array([True, False, True, True]))
    2
    """
    return int(longest_greedy_runs(likely).max())


def is_extractable(greedy: NDArray[np.bool_], *, prompt: int = 32, length: int = 32) -> bool | None:
    """True if greedy decoding from the first ``prompt`` tokens gives the next ``length`` exactly.

    None if the text is shorter than both together. The forecast paper's k-extractable at k = 32;
    all of them must be right, so a teacher-forced pass gives the same answer as generation.

    >>> is_extractable(np.array([False, True, True]), prompt=1, length=2)
    True
    """
    if len(greedy) < prompt + length:
        return None
    return bool(greedy[prompt : prompt + length].all())


def discoverable(logprob: float, n: int) -> float:
    """Probability that at least one of ``n`` draws gives a text of log-probability ``logprob``.

    1 - (1 - p)^n, without loss for tiny p (Hayes et al. 2024, arXiv 2410.19482).

    >>> discoverable(math.log(0.5), 2)
    0.75
    """
    if logprob >= 0:
        return 1.0
    p_not = math.log(-math.expm1(logprob)) if logprob > -1 else math.log1p(-math.exp(logprob))
    return -math.expm1(n * p_not)
