"""BERTScore F1 (Zhang et al. 2020): each token against the nearest one of the other text.

Precision is the mean, over the tokens of the continuation, of the greatest cosine with a token of the
suffix; recall the same the other way round; F1 their harmonic mean. As in the authors' bert-score
package without idf and without rescaling: vectors are one layer's hidden states, and the marks
at both ends ([CLS], [SEP]) can be found nearest but are not averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from phiscan.errors import ConfigError
from phiscan.protocols import Metric, MetricSettings, Pair, Score
from phiscan.records import MissingReason
from phiscan.semantic import TextModel, load_text_model, scored_in_batches

_ARGUMENT = "metrics.bertscore_model"


def build(settings: MetricSettings) -> Metric | MissingReason:
    """The metric, or ``no_model`` if no encoder is named."""
    if settings.bertscore_model is None:
        return "no_model"
    return BertScore(load_text_model("encoder", settings.bertscore_model, _ARGUMENT, settings), settings)


class BertScore:
    """F1 of greedy matching under one layer of an encoder; in [-1, 1], mostly above 0."""

    def __init__(self, encoder: TextModel, settings: MetricSettings) -> None:
        self._encoder = encoder
        self._batch_size = settings.batch_size
        layers = int(encoder.model.config.num_hidden_layers)
        self._layer = layers if settings.bertscore_layer is None else settings.bertscore_layer
        if self._layer > layers:
            raise ConfigError(f"metrics.bertscore_layer: the encoder has {layers} layers")

    def describe(self) -> str:
        """Encoder and layer."""
        return f"BERTScore F1, no idf, not rescaled; layer {self._layer} of {self._encoder.describe()}"

    def score(self, pairs: Sequence[Pair]) -> list[Score]:
        """One value a pair; ``too_long`` where the encoder does not take a text whole."""
        return scored_in_batches(self._encoder, pairs, self._batch, self._batch_size)

    def _batch(self, pairs: Sequence[Pair]) -> list[float]:
        texts = [text for pair in pairs for text in pair]
        vectors, kept, real = self._vectors(texts)
        cosines = vectors[0::2] @ vectors[1::2].transpose(1, 2)
        cosines = cosines.masked_fill(~(real[0::2, :, None] & real[1::2, None, :]), -torch.inf)
        precision = _mean_over(cosines.max(dim=2).values, kept[0::2])
        recall = _mean_over(cosines.max(dim=1).values, kept[1::2])
        return (2 * precision * recall / (precision + recall)).tolist()  # type: ignore[no-any-return]

    def _vectors(self, texts: Sequence[str]) -> tuple[Any, Any, Any]:
        """Unit vectors [texts, tokens, width]; which tokens are averaged; which are real."""
        coded = self._encoder.encode(texts, special_tokens_mask=True)
        marks = coded.pop("special_tokens_mask").bool()
        real = coded["attention_mask"].bool()
        with torch.inference_mode():
            states = self._encoder.model(**coded, output_hidden_states=True).hidden_states[self._layer]
        return torch.nn.functional.normalize(states.float(), dim=-1), real & ~marks, real


def _mean_over(best: Any, kept: Any) -> Any:
    return torch.where(kept, best, 0).sum(dim=1) / kept.sum(dim=1)
