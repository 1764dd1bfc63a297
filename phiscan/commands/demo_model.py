"""The demo's model: a tokenizer and a 0.4M-parameter Llama trained from scratch on the notes.

Small on purpose: what a model this size memorises is decided by how many optimiser steps it gets,
and on one CPU thread steps per second are what a small model has. All notes go in with their
repetitions, as a hospital's records would.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from phiscan.errors import ConfigError, StoreError
from phiscan.tokenizer import no_progress_bar

if TYPE_CHECKING:
    import torch

VOCABULARY = 2048
BATCH = 4
LEARNING_RATE = 5e-3
_WARM_UP = 20
_INITIAL_STD = 0.05
"""Llama's 0.02 is for wide models: at width 96 it costs about twice the steps."""
_FLOOR = 0.05
"""The cosine schedule ends at this share of the learning rate."""
_BUCKET = 16
"""Batches drawn together and sorted by length, so that little is padding."""
_NO_LOSS = -100


class TrainedModel(NamedTuple):
    """How the training went; the model itself is in the folder."""

    loss: float
    """Mean cross-entropy per token (nats) over the last tenth of the steps."""
    first_loss: float
    steps: int
    parameters: int
    seconds: float


def train_demo_model(
    texts: Sequence[str],
    folder: Path,
    *,
    seed: int = 7,
    steps: int = 500,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> TrainedModel:
    """Train tokenizer and model on ``texts`` and save both so that ``from_pretrained(folder)`` loads them.

    Byte-level BPE; ``<s> text </s>``, right-padded; AdamW, warm-up and cosine decay; float32. The
    tokenizer puts ``<s>`` in front when asked for special tokens. Equal arguments give equal weights
    on one machine. The number of torch threads is ``threads`` while training and as before afterwards.

    Args:
        texts: Training notes, repetitions included; no holdout note may be among them.
        folder: Created if needed, readable by the owner only.
        seed: Decides initial weights and order.
        steps: Optimiser steps of four notes each.
        threads: torch threads; more than one is slower wherever another process is busy.
        progress: Called with (steps done, steps).

    Raises:
        ConfigError: No text, or fewer than one step.
        StoreError: The folder cannot be written.

    """
    import torch

    if not texts or steps < 1:
        raise ConfigError("training the demo model needs at least one note and one step")
    began, threads_before = time.monotonic(), torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            tokenizer = _train_tokenizer(texts)
            model = _new_model(tokenizer)
            rows = [tokenizer(text)["input_ids"] + [tokenizer.eos_token_id] for text in texts]
            batches = _batches(rows, random.Random(f"order {seed}"))
            losses = _train(model, batches, steps=steps, pad=tokenizer.pad_token_id, progress=progress)
    finally:
        torch.set_num_threads(threads_before)
    _save(model, tokenizer, folder)
    tail = losses[-max(1, steps // 10) :]
    return TrainedModel(
        loss=sum(tail) / len(tail),
        first_loss=losses[0],
        steps=steps,
        parameters=model.num_parameters(),
        seconds=time.monotonic() - began,
    )


def _train_tokenizer(texts: Sequence[str]) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=["<s>", "</s>", "<pad>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    core.train_from_iterator(texts, trainer)
    core.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", core.token_to_id("<s>"))]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=core,
        bos_token="<s>",  # noqa: S106
        eos_token="</s>",  # noqa: S106
        pad_token="<pad>",  # noqa: S106
        padding_side="left",
        clean_up_tokenization_spaces=False,
    )


def _new_model(tokenizer: Any) -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=96,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=3,
        num_key_value_heads=3,
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        initializer_range=_INITIAL_STD,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return LlamaForCausalLM(config)


def _train(
    model: Any,
    batches: Iterator[list[list[int]]],
    *,
    steps: int,
    pad: int,
    progress: Callable[[int, int], None] | None,
) -> list[float]:
    """Loss of every step."""
    import torch

    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, betas=(0.9, 0.95), weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, steps))
    losses = []
    for step in range(1, steps + 1):
        ids, labels = _padded(next(batches), pad)
        # No mask: padding stands on the right, where a causal model cannot see it.
        loss = model(input_ids=ids, labels=labels, use_cache=False).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(loss.item())
        if progress is not None:
            progress(step, steps)
    model.eval()
    return losses


def _rate(step: int, steps: int) -> float:
    """Share of the learning rate at ``step``: linear warm-up, then cosine to the floor."""
    if step < _WARM_UP:
        return (step + 1) / _WARM_UP
    done = (step - _WARM_UP) / max(1, steps - _WARM_UP)
    return _FLOOR + (1 - _FLOOR) * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))


def _batches(rows: Sequence[list[int]], rng: random.Random) -> Iterator[list[list[int]]]:
    """Batches without end; every row once an epoch, rows of like length together."""
    while True:
        order = list(rows)
        rng.shuffle(order)
        batches = []
        for start in range(0, len(order), BATCH * _BUCKET):
            bucket = sorted(order[start : start + BATCH * _BUCKET], key=len)
            batches += [bucket[at : at + BATCH] for at in range(0, len(bucket), BATCH)]
        rng.shuffle(batches)
        yield from batches


def _padded(batch: Sequence[list[int]], pad: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids and labels, both int64 of shape (rows, longest)."""
    import torch

    width = max(len(row) for row in batch)
    ids = torch.tensor([row + [pad] * (width - len(row)) for row in batch])
    labels = torch.tensor([row + [_NO_LOSS] * (width - len(row)) for row in batch])
    return ids, labels


def _save(model: Any, tokenizer: Any, folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)  # the weights hold what the notes hold
        with no_progress_bar():
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
        for path in folder.iterdir():
            if path.is_file():
                path.chmod(0o600)
    except OSError:
        raise StoreError("the demo's model cannot be written to the folder given") from None
