"""Drawing tokens by the Gumbel-max trick, with noise that hangs on an answer's seed, the step and the token.

The largest of ``logit / temperature + Gumbel noise`` is a draw from the softmax of ``logits /
temperature`` (Gumbel 1954; Maddison, Tarlow & Minka 2014). The noise of a token is a hash of the
answer's seed, the number of the step and the token's id (SplitMix64, Steele, Lea & Flood 2014), not
the next number of some stream: the answers beside it in a batch, their order, the device, and how
many tokens are cut off change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from phiscan.protocols import Decoding

Choose = Callable[[torch.Tensor, torch.Tensor, int], tuple[torch.Tensor, torch.Tensor]]
"""(float32 logits [rows, vocabulary], numbers of these rows in the batch, step) -> next token of each
row, and its natural-log probability under the model's own distribution."""

_GOLDEN = 0x9E3779B97F4A7C15 - (1 << 64)
_ROUNDS = ((30, 0xBF58476D1CE4E5B9 - (1 << 64)), (27, 0x94D049BB133111EB - (1 << 64)), (31, None))
"""SplitMix64's increment and rounds; its arithmetic is that of int64, which wraps."""


def take_best(logits: torch.Tensor, rows: torch.Tensor, step: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Greedy decoding as a :data:`Choose`; of equal tokens the first."""
    best = logits.max(dim=-1)
    return best.indices, best.values - logits.logsumexp(dim=-1)


class GumbelMax:
    """Sampling as a :data:`Choose`."""

    def __init__(self, decoding: Decoding, seeds: Sequence[int], device: torch.device) -> None:
        """Args: ``seeds`` are those of the batch's rows, each in the range of int64."""
        self._decoding = decoding
        self._seeds = torch.tensor(seeds, dtype=torch.long, device=device)

    def __call__(
        self, logits: torch.Tensor, rows: torch.Tensor, step: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """One draw a row; its log-probability at temperature 1 and with nothing cut off."""
        # A product of Python's integers would not wrap.
        keys = mixed(self._seeds[rows] + torch.full_like(rows, step + 1) * _GOLDEN)
        drawn = _add_noise(restricted(logits, self._decoding), keys, self._decoding).argmax(dim=-1)
        value = logits.gather(1, drawn[:, None]).squeeze(1)
        return drawn, value - logits.logsumexp(dim=-1)


def restricted(logits: torch.Tensor, decoding: Decoding) -> torch.Tensor:
    """``logits`` [rows, vocabulary] over the temperature, -inf for tokens that are never drawn; a new tensor.

    >>> restricted(torch.tensor([[1.0, 3.0, 2.0]]), Decoding(0.5, 2)).tolist()
    [[-inf, 6.0, 4.0]]
    """
    scaled = logits / decoding.temperature
    if decoding.top_k is not None:
        kept = scaled.topk(min(decoding.top_k, scaled.shape[1]), dim=1).values
        scaled = scaled.masked_fill(scaled < kept[:, -1:], -torch.inf)
    if decoding.top_p is not None:
        ordered = scaled.sort(dim=1, descending=True).values
        before = ordered.softmax(dim=1).cumsum(dim=1) - ordered.softmax(dim=1)
        last = (before < decoding.top_p).sum(dim=1, keepdim=True).clamp(min=1) - 1
        scaled = scaled.masked_fill(scaled < ordered.gather(1, last), -torch.inf)
    return scaled


def gumbel(keys: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Standard Gumbel noise, float32, of each pair of ``keys`` and ``tokens`` (int64; broadcast)."""
    bits = mixed(keys + (tokens + 1) * _GOLDEN)
    bits >>= 11
    bits &= (1 << 53) - 1
    # Rounding keeps a float's precision where the noise is large, and must not give 1 where it is small.
    uniform = bits.float().mul_(-(2.0**-53)).clamp_(min=2.0**-24 - 1, max=-(2.0**-54))
    return uniform.log1p_().neg_().log_().neg_()


def mixed(states: torch.Tensor) -> torch.Tensor:
    """SplitMix64's output for int64 ``states``, which are overwritten."""
    shifted = torch.empty_like(states)
    for shift, factor in _ROUNDS:
        torch.bitwise_right_shift(states, shift, out=shifted)
        states ^= shifted.bitwise_and_((1 << (64 - shift)) - 1)
        if factor is not None:
            states *= factor
    return states


def _add_noise(scaled: torch.Tensor, keys: torch.Tensor, decoding: Decoding) -> torch.Tensor:
    """``scaled`` [rows, vocabulary] with noise in place, made only for tokens that can be drawn."""
    if decoding.top_k is not None or decoding.top_p is not None:
        rows, tokens = (scaled > -torch.inf).nonzero(as_tuple=True)
        scaled[rows, tokens] += gumbel(keys[rows], tokens)
        return scaled
    tokens = torch.arange(scaled.shape[1], device=scaled.device)
    # A row at a time stays in a CPU's cache: three and a half times as fast as all at once (tests/bench).
    at_once = 1 if scaled.device.type == "cpu" else len(scaled)
    for at in range(0, len(scaled), at_once):
        scaled[at : at + at_once] += gumbel(keys[at : at + at_once, None], tokens)
    return scaled
