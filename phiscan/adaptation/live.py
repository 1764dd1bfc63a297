"""A model in memory, perhaps one that is just being trained, asked as it would be deployed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import itemgetter
from typing import Any

import torch

from phiscan.backends.transformers import TransformersBackend
from phiscan.scan_report import ModelIdentity


class LiveModel(TransformersBackend):
    """See :class:`phiscan.protocols.ScoringBackend`; its weights are those of now."""

    def __init__(self, model: Any, tokenizer: Any, *, batch_size: int) -> None:
        base = _base_of(model)
        self._take(model, base, tokenizer, batch_size)
        frozen, learnt = _parts(model)
        is_adapter = base is not model
        self._weights = _digest(frozen if is_adapter else sorted([*frozen, *learnt], key=itemgetter(0)))
        self._adapter = _digest(learnt) if is_adapter else None

    def identity(self) -> ModelIdentity:
        """Digests of the weights in memory: of an adapter's those that learn, and apart those that do not."""
        return self._identity(weights=self._weights, adapter=self._adapter)


@contextmanager
def as_deployed(model: Any, tokenizer: Any, *, batch_size: int) -> Iterator[LiveModel]:
    """The model without dropout, to be asked; afterwards it and the random numbers are as before."""
    base, training = _base_of(model), model.training
    settings = base.generation_config
    devices = [base.device] if base.device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        try:
            model.eval()
            yield LiveModel(model, tokenizer, batch_size=batch_size)
        finally:
            base.generation_config = settings
            model.train(training)


def _base_of(model: Any) -> Any:
    """The model inside a PEFT wrapper, or itself."""
    return model.get_base_model() if hasattr(model, "get_base_model") else model


def _parts(model: Any) -> tuple[list[tuple[str, torch.Tensor]], list[tuple[str, torch.Tensor]]]:
    """Parameters by name, in its order: those that do not learn, and those that do.

    What an adapter left as it was has the name that it has without one.
    """
    parts: tuple[list[Any], list[Any]] = ([], [])
    for name, parameter in model.named_parameters():
        plain = name.removeprefix("base_model.model.").replace(".base_layer.", ".")
        parts[parameter.requires_grad].append((plain, parameter))
    return sorted(parts[0], key=itemgetter(0)), sorted(parts[1], key=itemgetter(0))


def _digest(parameters: Iterable[tuple[str, torch.Tensor]]) -> str:
    """SHA-256 over names and bytes, one tensor in memory at a time."""
    total = hashlib.sha256()
    for name, parameter in parameters:
        held = parameter.detach().cpu().contiguous()
        total.update(f"{name} {held.dtype} {tuple(held.shape)}\0".encode())
        total.update(held.reshape(-1).view(torch.uint8).numpy().tobytes())
    return total.hexdigest()
