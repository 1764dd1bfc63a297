"""Decoding that drops a row from the batch once it has ended.

transformers' ``generate`` computes every row until the last one ends, and copies its whole cache at
every token. On a CPU, where rows cost what they compute, that is most of the time.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import torch

from phiscan.causal_model import CausalModel, keep_rows, positions_of
from phiscan.sampling import Choose

_COMPACT_AT = 0.75
"""Ended rows are taken out when at most this share of the batch is alive."""


def decode(
    model: CausalModel,
    prompts: Sequence[Sequence[int]],
    max_new_tokens: int,
    ends: Collection[int],
    choose: Choose,
) -> list[tuple[list[int], list[float]]]:
    """New token ids of each prompt, and their natural-log probabilities: what ``generate`` gives.

    A row ends with (and includes) one of ``ends``, or after ``max_new_tokens``. ``model.caches_plainly``
    must hold.
    """
    if not prompts or not max_new_tokens:
        return [([], []) for _ in prompts]
    with torch.inference_mode():
        ids, scores = _decode(model, prompts, max_new_tokens, ends, choose)
    return [cut_at_end(row, values, ends) for row, values in zip(ids.tolist(), scores.tolist(), strict=True)]


def cut_at_end(ids: list[int], scores: list[float], ends: Collection[int]) -> tuple[list[int], list[float]]:
    """Both up to and with the first of ``ends``."""
    length = next((i + 1 for i, token in enumerate(ids) if token in ends), len(ids))
    return ids[:length], scores[:length]


def _decode(
    model: CausalModel, prompts: Sequence[Sequence[int]], new: int, ends: Collection[int], choose: Choose
) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids (-1 after a row was dropped) and log-probabilities, [prompts, new]."""
    ids, mask = left_padded(prompts, new, model.device)
    places = positions_of(mask)
    width = ids.shape[1]
    padded = bool((mask == 0).any())
    stops = torch.tensor(sorted(ends), dtype=torch.long, device=model.device)
    rows = torch.arange(len(prompts), device=model.device)
    chosen = torch.full((len(prompts), new), -1, device=model.device)
    scores = torch.zeros(len(prompts), new, device=model.device)
    alive = torch.ones(len(prompts), dtype=torch.bool, device=model.device)
    cache, at = model.new_cache(), 0
    for step in range(new):
        seen = mask[:, : width + step] if padded else None
        where = places[:, at : width + step]
        hidden = model.hidden(ids, mask=seen, positions=where, cache=cache)
        logits = model.logits(hidden[:, -1])
        tokens, scores[rows, step] = choose(logits, rows, step)
        chosen[rows, step] = tokens
        alive &= ~torch.isin(tokens, stops)
        left = int(alive.sum())
        if not left:
            break
        ids, at = tokens[:, None], width + step
        if left <= _COMPACT_AT * len(rows):
            kept = alive.nonzero().squeeze(1)
            first = int((mask[kept] == 0).sum(dim=1).min())
            keep_rows(cache, kept, first=first)
            rows, ids, alive = rows[kept], ids[kept], alive[kept]
            mask, places = mask[kept, first:], places[kept, first:]
            width, at = width - first, at - first
            padded = padded and bool((mask == 0).any())
    return chosen, scores


def left_padded(
    prompts: Sequence[Sequence[int]], room: int, device: torch.device, pad: int = 0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids [prompts, longest], padded on the left, and their mask with ``room`` more columns of 1."""
    width = max(map(len, prompts))
    ids = torch.tensor([[pad] * (width - len(prompt)) + [*prompt] for prompt in prompts], device=device)
    mask = torch.ones(len(prompts), width + room, dtype=torch.long, device=device)
    for row, prompt in zip(mask, prompts, strict=True):
        row[: width - len(prompt)] = 0
    return ids, mask
