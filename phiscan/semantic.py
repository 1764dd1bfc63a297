"""Encoders and sequence-to-sequence models of the semantic metrics: loading, and asking in batches."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import torch
from transformers import AutoModel, AutoModelForSeq2SeqLM, __version__

from phiscan.artefacts import check_weights
from phiscan.errors import BackendError, ConfigError
from phiscan.model_loading import MEMORY, device_of, digest, quiet
from phiscan.protocols import MetricSettings, Pair, Score
from phiscan.tokenizer import load_tokenizer

Kind = Literal["encoder", "seq2seq"]
_CLASSES = {"encoder": AutoModel, "seq2seq": AutoModelForSeq2SeqLM}
_UNUSED = ("pooler.",)
"""Parts of an encoder above its hidden states: many checkpoints lack them."""


class TextModel(NamedTuple):
    """A model in float32 with its tokenizer, ready to be asked."""

    model: Any
    tokenizer: Any
    longest: int
    """Tokens that it takes at most, marks included."""
    name: str
    """Architecture and digest of the weights: the path could tell about the site."""

    def describe(self) -> str:
        """One line for the manifest."""
        return f"{self.name}; transformers {__version__}, float32"

    def encode(self, texts: Sequence[str], *, special_tokens_mask: bool = False) -> dict[str, Any]:
        """Padded tensors of the texts, with the tokenizer's marks; nothing is cut off."""
        coded = self.tokenizer(
            list(texts),
            padding=True,
            truncation=False,
            return_tensors="pt",
            return_token_type_ids=False,
            return_special_tokens_mask=special_tokens_mask,
            verbose=False,
        )
        return {name: tensor.to(self.model.device) for name, tensor in coded.items()}

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, marks included."""
        return [len(ids) for ids in self.tokenizer(list(texts), truncation=False, verbose=False)["input_ids"]]


def load_text_model(kind: Kind, place: str, argument: str, settings: MetricSettings) -> TextModel:
    """The model in the directory ``place``; BackendError naming ``argument`` if it cannot serve.

    Safetensors only, no remote code, nothing from the network.
    """
    if not Path(place).is_dir():
        raise ConfigError(f"{argument}: no such directory")
    check_weights(place, argument)
    if settings.threads is not None:
        torch.set_num_threads(settings.threads)
    with quiet():
        tokenizer = load_tokenizer(place, argument)
        try:
            model, loading = _CLASSES[kind].from_pretrained(
                place,
                dtype=torch.float32,
                use_safetensors=True,
                trust_remote_code=False,
                local_files_only=True,
                output_loading_info=True,
            )
        except MEMORY:
            raise BackendError(f"{argument}: the model does not fit into memory") from None
        except Exception as error:  # the cause may quote paths and file contents
            raise BackendError(
                f"{argument}: no {kind} model that loads without remote code ({type(error).__name__})"
            ) from None
    missing = [key for key in loading["missing_keys"] if not key.startswith(_UNUSED)]
    if missing or loading["mismatched_keys"]:
        raise BackendError(f"{argument}: the weights do not fit the model that config.json describes")
    if tokenizer.pad_token is None:
        raise BackendError(f"{argument}: the tokenizer has no padding token")
    model.eval().to(device_of(settings.device))
    weights = digest(Path(place), "*.safetensors") or ""
    name = f"{type(model).__name__}, weights {weights[:16]}"
    return TextModel(model, tokenizer, _longest(model.config, tokenizer), name)


def _longest(config: Any, tokenizer: Any) -> int:
    """Tokens at once; positions that the padding takes (as RoBERTa's do) are not there for text."""
    positions = getattr(config, "max_position_embeddings", None) or tokenizer.model_max_length
    offset = (config.pad_token_id or 0) + 1 if "roberta" in str(config.model_type) else 0
    return min(int(positions) - offset, int(tokenizer.model_max_length))


def scored_in_batches(
    model: TextModel, pairs: Sequence[Pair], score: Callable[[list[Pair]], list[float]], size: int
) -> list[Score]:
    """What ``score`` gives for each pair, in order; pairs of like length are asked together.

    ``too_long`` for a pair with a text longer than the model takes, ``no_words`` where a text has no
    token, ``out_of_memory`` for one that alone outgrows the memory; a batch that does so is halved.
    """
    made: list[Score] = ["no_words"] * len(pairs)
    if not pairs:
        return made
    bare = len(model.tokenizer("")["input_ids"])
    lengths = list(zip(*(model.lengths(texts) for texts in zip(*pairs, strict=True)), strict=True))
    for i, both in enumerate(lengths):
        if max(both) > model.longest:
            made[i] = "too_long"
    pending = [i for i, both in enumerate(lengths) if min(both) > bare and max(both) <= model.longest]
    pending.sort(key=lambda i: max(lengths[i]))
    while pending:
        batch = pending[:size]
        try:
            for i, value in zip(batch, score([pairs[i] for i in batch]), strict=True):
                made[i] = value
        except MEMORY:
            gc.collect()
            if len(batch) > 1:
                size = (len(batch) + 1) // 2
                continue
            made[batch[0]] = "out_of_memory"
        pending = pending[len(batch) :]
    return made
