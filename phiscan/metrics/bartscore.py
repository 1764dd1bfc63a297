"""BARTScore (Yuan et al. 2021): mean log p(suffix | continuation) under a sequence-to-sequence model.

How well the continuation tells the suffix: natural logarithm, averaged over the suffix's tokens, the
marks that the model's tokenizer adds included, as in the authors' code. At most 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from phiscan.protocols import Metric, MetricSettings, Pair, Score
from phiscan.records import MissingReason
from phiscan.semantic import TextModel, load_text_model, scored_in_batches

_ARGUMENT = "metrics.bartscore_model"
_IGNORED = -100


def build(settings: MetricSettings) -> Metric | MissingReason:
    """The metric, or ``no_model`` if no sequence-to-sequence model is named."""
    if settings.bartscore_model is None:
        return "no_model"
    model = load_text_model("seq2seq", settings.bartscore_model, _ARGUMENT, settings)
    return BartScore(model, settings.batch_size)


class BartScore:
    """Mean natural-log probability of a token of the suffix, given the continuation."""

    def __init__(self, model: TextModel, batch_size: int) -> None:
        self._model = model
        self._batch_size = batch_size

    def describe(self) -> str:
        """Direction and model."""
        return f"BARTScore, mean log p(suffix | continuation); {self._model.describe()}"

    def score(self, pairs: Sequence[Pair]) -> list[Score]:
        """One value a pair; ``too_long`` where the model does not take a text whole."""
        return scored_in_batches(self._model, pairs, self._batch, self._batch_size)

    def _batch(self, pairs: Sequence[Pair]) -> list[float]:
        source = self._model.encode([pair.continuation for pair in pairs])
        target = self._model.encode([pair.suffix for pair in pairs])
        labels = target["input_ids"].masked_fill(~target["attention_mask"].bool(), _IGNORED)
        with torch.inference_mode():
            logits = self._model.model(**source, labels=labels).logits
        loss = torch.nn.functional.cross_entropy(
            logits.float().transpose(1, 2), labels, ignore_index=_IGNORED, reduction="none"
        )
        return (-loss.sum(dim=1) / target["attention_mask"].sum(dim=1)).tolist()  # type: ignore[no-any-return]
