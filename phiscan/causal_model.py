"""One forward pass of a causal language model, whatever its class calls things.

Its parts (the layers below the head, the head, the cache) are used one by one only where a trial
run gives what the whole model gives; everything else is asked as a whole.
"""

from __future__ import annotations

import inspect
from functools import cached_property
from typing import Any

import torch
from transformers import DynamicCache, GenerationMixin
from transformers.cache_utils import DynamicLayer

_ROOM = 128
"""Positions for which a cache layer makes room at once."""
_EXACT = 1e-6
"""How far the trial runs may differ: rounding, not a scaled, capped or biased head."""
_CLOSE = 1e-3
"""The same for runs with and without a cache, which multiply in another order."""


class CausalModel:
    """A loaded model, its adapter included, in evaluation mode."""

    def __init__(self, model: Any, base: Any) -> None:
        """Args: ``model`` is what is asked; ``base`` the same without a PEFT wrapper around it."""
        self._model, self._base = model, base
        self._backbone = getattr(base, base.base_model_prefix, None)
        self._head = base.get_output_embeddings()
        names = inspect.signature(base.forward).parameters
        self._cache_name = "cache" if "cache" in names else "past_key_values"  # renamed in transformers 5
        self._takes_positions = "position_ids" in names
        self.vocabulary: int = base.get_input_embeddings().weight.shape[0]
        self.device: torch.device = base.device
        self.is_float32: bool = base.dtype == torch.float32

    @cached_property
    def max_positions(self) -> int | None:
        """Tokens the model can take at once; None if it does not say."""
        config = self._base.config.get_text_config(decoder=True)
        found = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None)
        return int(found) if found else None

    @cached_property
    def splits(self) -> bool:
        """True if head(layers(ids)) is what the model gives, so that the head may be left out."""
        if self._backbone is None or self._backbone is self._base or self._head is None:
            return False
        ids = self._trial_ids(1, 8)
        try:
            whole, parts = self.whole_logits(ids), self.logits(self.hidden(ids))
        except Exception:  # a class that cannot be taken apart may fail in any way
            return False
        return whole.shape == parts.shape and torch.allclose(whole, parts, rtol=_EXACT, atol=_EXACT)

    @cached_property
    def caches_plainly(self) -> bool:
        """True if every layer's cache keeps every position, and decoding from it gives what the whole gives.

        Then rows may be dropped from the cache, repeated in it and left-padded. Not so for sliding
        windows, recurrent states and classes that prepare their inputs in a way of their own.
        """
        prepare = getattr(type(self._base), "prepare_inputs_for_generation", None)
        if not self.splits or prepare is not GenerationMixin.prepare_inputs_for_generation:
            return False
        try:
            cache = DynamicCache(config=self._base.config)
            if not cache.layers or any(type(layer) is not DynamicLayer for layer in cache.layers):
                return False
            return self._cache_agrees()
        except Exception:  # as above
            return False

    def _cache_agrees(self) -> bool:
        """Two rows of unequal length, three steps, one row dropped on the way."""
        long, short = self._trial_ids(2, 9)
        ids = torch.stack([long[:6], torch.cat([short[:2] * 0, short[:4]])])
        mask = torch.ones(2, 9, dtype=torch.long, device=self.device)
        mask[1, :2] = 0
        cache, places = self.new_cache(), positions_of(mask)
        self.hidden(ids, mask=mask[:, :6], positions=places[:, :6], cache=cache)
        after = torch.stack([long[6:], short[4:7]])
        self.hidden(after[:, :1], mask=mask[:, :7], positions=places[:, 6:7], cache=cache)
        keep_rows(cache, torch.tensor([1], device=self.device), first=2)
        got = self.hidden(after[1:, 1:], mask=mask[1:, 2:], positions=places[1:, 7:], cache=cache)
        wanted = self.whole_logits(short[None, :7])[:, -2:]
        return torch.allclose(self.logits(got), wanted, rtol=_CLOSE, atol=_CLOSE)

    @cached_property
    def branches_plainly(self) -> bool:
        """True if tokens may also continue a cached text from its middle, what comes after hidden from them.

        Not so where the distance in the cache counts and not the position given.
        """
        config = self._base.config.get_text_config(decoder=True)
        if not self.caches_plainly or getattr(config, "window_size", None):
            return False
        text, tail, places = self._trial_ids(1, 8), self._trial_ids(2, 9)[:, 5:7], (7, 3)
        cache = self.new_cache()
        self.hidden(text, cache=cache)
        got = self.logits(self.branch(tail, torch.tensor(places, device=self.device), cache))
        wholes = [torch.cat([text[:, : place + 1], tail[i : i + 1]], dim=1) for i, place in enumerate(places)]
        wanted = torch.cat([self.whole_logits(whole)[:, -2:] for whole in wholes])
        return torch.allclose(got, wanted, rtol=_CLOSE, atol=_CLOSE)

    def _trial_ids(self, rows: int, length: int) -> torch.Tensor:
        ids = torch.arange(rows * length, device=self.device) * 7 % self.vocabulary
        return ids.view(rows, length)

    @torch.inference_mode()
    def whole_logits(self, ids: torch.Tensor) -> torch.Tensor:
        """float32 logits [rows, positions, vocabulary] of right-padded ``ids`` [rows, positions].

        No mask: padding stands on the right, where a causal model cannot see it. Virtual tokens that
        an adapter puts in front are left out.
        """
        logits: torch.Tensor = self._model(input_ids=ids, use_cache=False).logits
        return logits[:, -ids.shape[1] :].float()

    @torch.inference_mode()
    def hidden(
        self,
        ids: torch.Tensor,
        *,
        mask: torch.Tensor | None = None,
        positions: torch.Tensor | None = None,
        cache: Any = None,
    ) -> torch.Tensor:
        """What the head is given, [rows, positions, width], for ``ids`` [rows, positions].

        Args:
            ids: Tokens after those in ``cache``.
            mask: 1 for each token, cached ones included, that may be seen; None: all.
            positions: Of each id among those its row may see.
            cache: Read and extended in place; see :meth:`new_cache`.

        """
        options = {"position_ids": positions} if self._takes_positions and positions is not None else {}
        cached = {} if cache is None else {self._cache_name: cache}
        backbone: Any = self._backbone
        out = backbone(input_ids=ids, attention_mask=mask, use_cache=cache is not None, **options, **cached)
        return out.last_hidden_state  # type: ignore[no-any-return]

    def branch(self, ids: torch.Tensor, places: torch.Tensor, cache: Any) -> torch.Tensor:
        """Hidden states of ``ids`` [rows, positions], each row after a cached text up to its place.

        Args:
            ids: Tokens that continue the text.
            places: [rows], the text's last position that the row sees.
            cache: Of the text, one row; left as it is.

        """
        rows, width = ids.shape
        length = cache.get_seq_length()
        columns = torch.arange(length + width, device=ids.device)
        mask = (columns <= places[:, None]) | (columns >= length)
        positions = places[:, None] + 1 + torch.arange(width, device=ids.device)
        repeated = _repeat(cache, rows, room=width)
        return self.hidden(ids, mask=mask.long(), positions=positions, cache=repeated)

    @torch.inference_mode()
    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """float32 logits of hidden states [..., width]."""
        return self._head(hidden).float()  # type: ignore[no-any-return]

    def new_cache(self) -> Any:
        """An empty cache for :meth:`hidden`; only if :attr:`caches_plainly`."""
        cache = DynamicCache(config=self._base.config)
        cache.layers = [_RoomyLayer() for _ in cache.layers]
        return cache


def positions_of(mask: torch.Tensor) -> torch.Tensor:
    """The place of each token among those its row may see; 0 for padding."""
    return (mask.cumsum(-1) - 1).clamp(min=0)


def keep_rows(cache: Any, rows: torch.Tensor, *, first: int = 0) -> None:
    """Leave only ``rows`` in a cache of :meth:`CausalModel.new_cache`, and no position before ``first``."""
    for layer in cache.layers:
        layer.keep(rows, first)


def _repeat(cache: Any, rows: int, *, room: int) -> Any:
    """A copy of a one-row cache of :meth:`CausalModel.new_cache` with ``rows`` rows and room for more."""
    repeated = DynamicCache()
    repeated.layers = [layer.repeated(rows, room) for layer in cache.layers]
    return repeated


class _RoomyLayer(DynamicLayer):  # type: ignore[misc]
    """A layer that makes room for many positions at once: a new token costs that token's copy only.

    transformers' own layer copies everything it holds at every token.
    """

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Append keys and values [rows, heads, positions, width]; views of everything held."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
            self._room = [key_states[:, :, :0], value_states[:, :, :0]]
        held = self.get_seq_length()
        length = held + key_states.shape[-2]
        if length > self._room[0].shape[-2]:
            self._room = [_with_room(states, held, length + _ROOM) for states in self._room]
        for states, new in zip(self._room, (key_states, value_states), strict=True):
            states[:, :, held:length] = new
        self.keys, self.values = (states[:, :, :length] for states in self._room)
        return self.keys, self.values

    def keep(self, rows: torch.Tensor, first: int) -> None:
        """Leave only ``rows``, and no position before ``first``."""
        length = self.get_seq_length() - first
        self._room = [states[:, :, first:][rows] for states in self._room]
        self.keys, self.values = (states[:, :, :length] for states in self._room)

    def repeated(self, rows: int, room: int) -> _RoomyLayer:
        """``rows`` copies of the only row, with room for ``room`` more positions."""
        made, length = _RoomyLayer(), self.get_seq_length()
        made.lazy_initialization(self.keys, self.values)
        held = [states.expand(rows, -1, -1, -1) for states in (self.keys, self.values)]
        made._room = [_with_room(states, length, length + room) for states in held]
        made.keys, made.values = (states[:, :, :length] for states in made._room)
        return made


def _with_room(states: torch.Tensor, held: int, positions: int) -> torch.Tensor:
    rows, heads, _, width = states.shape
    roomy = states.new_zeros(rows, heads, positions, width)
    roomy[:, :, :held] = states[:, :, :held]
    return roomy
