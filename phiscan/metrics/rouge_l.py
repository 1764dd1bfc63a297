"""ROUGE-L F1 (Lin 2004): the longest common subsequence of words, whatever stands between them.

As the rouge-score package counts it without a stemmer: lower case, words are runs of a-z and 0-9.
The subsequence comes from rapidfuzz, some forty times faster than that package's own table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import version

from rapidfuzz.distance import LCSseq

from phiscan.protocols import Metric, MetricSettings, Pair, Score

_WORD = re.compile(r"[a-z0-9]+")


def build(settings: MetricSettings) -> Metric:
    """The metric; it has no settings."""
    return RougeL()


class RougeL:
    """2 LCS / (m + n), of m words of one text and n of the other; in [0, 1]."""

    def describe(self) -> str:
        """What is computed, and with what."""
        return f"ROUGE-L F1, no stemmer; rapidfuzz {version('rapidfuzz')}"

    def score(self, pairs: Sequence[Pair]) -> list[Score]:
        """One value a pair; ``no_words`` where a text has nothing but other characters."""
        return [_f1(*(_WORD.findall(text.lower()) for text in pair)) for pair in pairs]


def _f1(one: list[str], other: list[str]) -> Score:
    if not one or not other:
        return "no_words"
    return 2 * LCSseq.similarity(one, other) / (len(one) + len(other))
