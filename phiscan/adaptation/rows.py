"""Texts -> rows of tokens that a step learns from: nothing is cut off, nothing is packed together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from phiscan.adaptation.corpus import Text
from phiscan.tokenizer import leading_ids, tokenize

NO_LOSS = -100
"""What transformers takes for "not learnt"."""
_AT_ONCE = 256

Drop = Callable[[Sequence[int]], NDArray[np.bool_]]
"""Tokens of a text -> those that are left out of the loss."""


class Row(NamedTuple):
    """One row: ids and what is learnt of them, both int64 of one length."""

    ids: NDArray[np.int64]
    labels: NDArray[np.int64]
    text: int
    """Place of its text among all."""
    patient_id: str


def rows_of(
    texts: Iterable[Text],
    tokenizer: Any,
    *,
    max_tokens: int,
    ends: bool,
    completion_only: bool = False,
    drop: Drop | None = None,
) -> list[Row]:
    """The rows of all texts.

    A text is: the beginning mark (if this tokenizer puts one), its tokens and, with ``ends``, the end mark.
    One of more than ``max_tokens`` is cut into rows of that length, each behind the beginning mark, which
    nobody learns.

    Args:
        texts: In any order.
        tokenizer: A fast one.
        max_tokens: Tokens of a row at most, its beginning mark included.
        ends: Learn where a text ends; chat templates have marks of their own.
        completion_only: Learn only tokens that begin behind the characters given.
        drop: Which tokens are left out of the loss; looks at the whole text.

    """
    leading = leading_ids(tokenizer)
    end = [tokenizer.eos_token_id] if ends and tokenizer.eos_token_id is not None else []
    size = max_tokens - len(leading)
    first = np.array(leading, dtype=np.int64)
    unlearnt = np.full(len(first), NO_LOSS)
    rows: list[Row] = []
    for place, (text, ids, starts) in enumerate(_tokenized(texts, tokenizer)):
        whole = np.array([*ids, *end], dtype=np.int64)
        labels = whole.copy()
        if completion_only:
            labels[: len(ids)][starts < text.given] = NO_LOSS
        if drop is not None:
            labels[: len(ids)][drop(ids)] = NO_LOSS
        for at in range(0, len(whole), size):
            piece, learnt = whole[at : at + size], labels[at : at + size]
            rows.append(
                Row(
                    np.concatenate([first, piece]), np.concatenate([unlearnt, learnt]), place, text.patient_id
                )
            )
    return rows


def _tokenized(texts: Iterable[Text], tokenizer: Any) -> Iterator[tuple[Text, list[int], NDArray[np.int64]]]:
    """Each text, its ids, and where each token begins."""
    waiting: list[Text] = []
    for text in texts:
        waiting.append(text)
        if len(waiting) == _AT_ONCE:
            yield from _batch(waiting, tokenizer)
            waiting = []
    yield from _batch(waiting, tokenizer)


def _batch(texts: Sequence[Text], tokenizer: Any) -> Iterator[tuple[Text, list[int], NDArray[np.int64]]]:
    found = tokenize(tokenizer, [text.text for text in texts])
    for text, (ids, ends) in zip(texts, found, strict=True):
        yield text, list(ids), np.array([0, *ends[:-1]] if ids else [], dtype=np.int64)


class Rows(torch.utils.data.Dataset[dict[str, Any]]):
    """What the Trainer takes rows from."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, at: int) -> dict[str, Any]:
        row = self._rows[at]
        return {"input_ids": row.ids, "labels": row.labels}


def padded(batch: Sequence[dict[str, Any]], *, pad: int) -> dict[str, torch.Tensor]:
    """Rows as tensors [rows, longest], padded on the right; padding is neither seen nor learnt."""
    width = max(len(row["input_ids"]) for row in batch)
    ids = torch.full((len(batch), width), pad)
    labels = torch.full((len(batch), width), NO_LOSS)
    mask = torch.zeros((len(batch), width), dtype=torch.long)
    for at, row in enumerate(batch):
        length = len(row["input_ids"])
        ids[at, :length] = torch.from_numpy(row["input_ids"])
        labels[at, :length] = torch.from_numpy(row["labels"])
        mask[at, :length] = 1
    return {"input_ids": ids, "labels": labels, "attention_mask": mask}
