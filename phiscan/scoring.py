"""What a model thinks of every token of a text: one teacher-forced pass, no generation.

The layers run once over each window of a text; the head only over the positions asked for, in
pieces, so that [positions x vocabulary] never stands in memory as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from phiscan.causal_model import CausalModel
from phiscan.protocols import Decoding
from phiscan.sampling import restricted
from phiscan.score_plan import Readings, Row, join_readings, split_readings

TIE = 1e-3
"""Two best logits nearer than this may change places with batch size, device or library."""
_LOGITS = 1 << 20
"""Logits in memory at once on a CPU (4 MB in float32; larger pieces are no faster), unless fewer positions
than the next number would make them up."""
_POSITIONS = 128
_GPU_FACTOR = 64
"""A GPU wants larger pieces (not measured)."""


@torch.inference_mode()
def read_rows(model: CausalModel, rows: Sequence[Row], decodings: Sequence[Decoding]) -> list[Readings]:
    """Score ``rows`` as one batch, padded on the right."""
    if not rows:
        return []
    if not model.splits:
        return [_read_whole(model, row, decodings) for row in rows]
    width = max(len(row.ids) for row in rows)
    ids = torch.tensor([row.ids + [0] * (width - len(row.ids)) for row in rows], device=model.device)
    return _read_asked(model, model.hidden(ids), rows, [row.places for row in rows], decodings)


def _read_asked(
    model: CausalModel,
    hidden: torch.Tensor,
    rows: Sequence[Row],
    places: Sequence[Sequence[int]],
    decodings: Sequence[Decoding],
) -> list[Readings]:
    """Score each row's gold tokens after its ``places`` in ``hidden`` [rows, positions, width]."""
    counts = [len(row.gold) for row in rows]
    owners = torch.repeat_interleave(torch.arange(len(rows)), torch.tensor(counts)).to(model.device)
    asked = hidden[owners, torch.tensor([p for row in places for p in row], device=model.device)]
    gold = torch.tensor([token for row in rows for token in row.gold], device=model.device)
    logits = _LOGITS if model.device.type == "cpu" else _LOGITS * _GPU_FACTOR
    step = max(_POSITIONS, logits // model.vocabulary)
    pieces = [
        _read_logits(model.logits(asked[at : at + step]), gold[at : at + step], decodings)
        for at in range(0, len(gold), step)
    ]
    return split_readings(join_readings(pieces), counts)


def _read_whole(model: CausalModel, row: Row, decodings: Sequence[Decoding]) -> Readings:
    """For a model whose head cannot be left out: all logits of one row at once."""
    logits = model.whole_logits(torch.tensor([row.ids], device=model.device))[0, row.places]
    return _read_logits(logits, torch.tensor(row.gold, device=model.device), decodings)


def _read_logits(logits: torch.Tensor, gold: torch.Tensor, decodings: Sequence[Decoding]) -> Readings:
    """float32 ``logits`` [positions, vocabulary]."""
    value = logits.gather(1, gold[:, None])
    total = logits.logsumexp(dim=1, keepdim=True)
    best = logits.max(dim=1)
    second = logits.scatter(1, best.indices[:, None], -torch.inf).amax(dim=1)
    decoded = [_decoded(logits, gold, decoding) for decoding in decodings]
    return Readings(
        logprob=(value - total).squeeze(1).cpu().numpy(),
        greedy=(best.indices == gold).cpu().numpy(),
        tie=(best.values - second < TIE).cpu().numpy(),
        rank=(logits > value).sum(dim=1, dtype=torch.int32).cpu().numpy(),
        decoded=torch.stack(decoded, dim=1).cpu().numpy()
        if decoded
        else np.empty((len(gold), 0), np.float32),
    )


def _decoded(logits: torch.Tensor, gold: torch.Tensor, decoding: Decoding) -> torch.Tensor:
    """Log-probability of ``gold`` when tokens are drawn as ``decoding`` says; -inf if never drawn."""
    scaled = restricted(logits, decoding)
    value = (logits / decoding.temperature).gather(1, gold[:, None])
    found = value - scaled.logsumexp(dim=1, keepdim=True)
    return found.masked_fill(scaled.gather(1, gold[:, None]) == -torch.inf, -torch.inf).squeeze(1)


class SharedContext:
    """Scores short candidates that continue one text, whose keys and values are computed once.

    ``rows`` are those of :func:`phiscan.score_plan.plan_branches`; ``model.branches_plainly`` must hold.
    """

    def __init__(self, model: CausalModel, rows: Sequence[Row], decodings: Sequence[Decoding]) -> None:
        self._model, self._rows, self._decodings = model, rows, decodings
        self._texts: dict[int, list[int]] = {}
        for row in rows:
            if row.shared > len(self._texts.get(row.window, [])):
                self._texts[row.window] = row.ids[: row.shared]
        self._contexts: dict[int, tuple[Any, torch.Tensor]] = {}

    @torch.inference_mode()
    def read(self, batch: Sequence[int]) -> list[Readings]:
        """Score the rows numbered in ``batch``."""
        found: dict[int, Readings] = {}
        for window in dict.fromkeys(self._rows[i].window for i in batch):
            mine = [i for i in batch if self._rows[i].window == window and self._rows[i].shared]
            found |= dict(zip(mine, self._read(window, [self._rows[i] for i in mine]), strict=True))
        alone = [i for i in batch if not self._rows[i].shared]
        found |= dict(
            zip(alone, read_rows(self._model, [self._rows[i] for i in alone], self._decodings), strict=True)
        )
        return [found[i] for i in batch]

    def _read(self, window: int, rows: Sequence[Row]) -> list[Readings]:
        if not rows:
            return []
        cache, hidden = self._context(window)
        places = torch.tensor([row.shared - 1 for row in rows], device=self._model.device)
        outputs = [hidden[places][:, None]]
        width = max(len(row.gold) for row in rows) - 1
        if width:
            ids = [(row.gold[:-1] + [0] * width)[:width] for row in rows]
            tails = torch.tensor(ids, device=self._model.device)
            outputs.append(self._model.branch(tails, places, cache))
        return _read_asked(
            self._model,
            torch.cat(outputs, dim=1),
            rows,
            [range(len(row.gold)) for row in rows],
            self._decodings,
        )

    def _context(self, window: int) -> tuple[Any, torch.Tensor]:
        """The cache of a window's text, and its hidden states [positions, width]."""
        if window not in self._contexts:
            cache = self._model.new_cache()
            ids = torch.tensor([self._texts[window]], device=self._model.device)
            self._contexts[window] = cache, self._model.hidden(ids, cache=cache)[0]
        return self._contexts[window]
