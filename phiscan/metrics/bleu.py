"""BLEU-4 of single texts (Papineni et al. 2002), as sacrebleu computes it (Post 2018).

Smoothing "exp" (the k-th order without a match counts 1 / 2^k matches), tokenizer 13a, case kept,
effective order (a continuation of fewer than four words is judged by the orders it has).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

from phiscan.protocols import Metric, MetricSettings, Pair, Score


def build(settings: MetricSettings) -> Metric:
    """The metric; it has no settings."""
    return SentenceBleu()


class SentenceBleu:
    """BLEU of the continuation against the suffix as its one reference; in [0, 1]."""

    def __init__(self) -> None:
        self._bleu = BLEU(smooth_method="exp", effective_order=True)

    def describe(self) -> str:
        """What is computed, and with what."""
        settings = "smoothing exp, tokenizer 13a, case kept, effective order"
        return f"sentence BLEU-4, {settings}; sacrebleu {version('sacrebleu')}"

    def score(self, pairs: Sequence[Pair]) -> list[Score]:
        """One value a pair; ``no_words`` where the tokenizer leaves nothing of a text."""
        try:
            return [self._one(pair) for pair in pairs]
        finally:
            # The library would keep the last 65,536 texts twice: memory, and patients' text in it.
            for tokenizer in (Tokenizer13a, TokenizerRegexp):
                tokenizer.__call__.cache_clear()

    def _one(self, pair: Pair) -> Score:
        found = self._bleu.sentence_score(pair.continuation, [pair.suffix])
        if not found.sys_len or not found.ref_len:
            return "no_words"
        # Floating point lifts a perfect match a little over 100.
        return min(found.score / 100, 1.0)
