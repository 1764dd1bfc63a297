"""The gradient of a step of DP-SGD: clipped unit by unit, added up, noised, put where an optimiser takes it.

Gradients by row, clipping and noise are opacus'. Its own way of wrapping model, optimiser and loader is not
taken: any optimiser, and transformers' Trainer, find the noised gradient where they look for one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from phiscan.adaptation.privacy import Privacy, opacus, quietly
from phiscan.adaptation.rows import NO_LOSS
from phiscan.errors import BackendError

if TYPE_CHECKING:
    import torch

Batch = Mapping[str, "torch.Tensor"]
UNIT = "unit"
"""Name under which a batch says which unit each row belongs to."""


def check_private(model: Any) -> None:
    """Refuse a model whose gradients cannot be had unit by unit.

    Raises:
        BackendError: Something else learns than the weights of linear layers: a model trained whole,
            adapters of embeddings, DoRA, norms or embeddings to be saved; or gradient checkpointing is on.

    """
    from torch import nn

    others = {
        name
        for name, module in model.named_modules()
        if type(module) is not nn.Linear and any(p.requires_grad for p in module.parameters(recurse=False))
    }
    if others or not any(p.requires_grad for p in model.parameters()):
        raise BackendError(
            "--model: private training is for LoRA adapters of linear layers; here other weights learn too"
        )
    if any(getattr(module, "gradient_checkpointing", False) for module in model.modules()):
        raise BackendError("--model: private training goes without gradient checkpointing; set at_once lower")


class PrivateGradients:
    """Puts the clipped, summed and noised gradient of the units of a batch where an optimiser takes it."""

    def __init__(self, model: Any, privacy: Privacy, *, generator: torch.Generator | None = None) -> None:
        """Hooks itself into ``model`` until :meth:`remove`.

        Raises:
            BackendError: See :func:`check_private`.
            MissingDependencyError: opacus is not installed.

        """
        import torch

        check_private(model)
        self.privacy = privacy
        self._learnt: list[Any] = [p for p in model.parameters() if p.requires_grad]
        self._model = model
        self._hooks = opacus("grad_sample").GradSampleHooks(model, loss_reduction="sum")
        device = self._learnt[0].device
        if generator is None:
            generator = torch.Generator(device)
            generator.seed()
        # Clips, sums and noises; the optimiser that it thinks it wraps never takes a step.
        self._optimizer = opacus("optimizers").DPOptimizer(
            torch.optim.SGD(self._learnt, lr=0.0),
            noise_multiplier=privacy.noise_multiplier,
            max_grad_norm=privacy.max_grad_norm,
            expected_batch_size=privacy.sample_rate * len(privacy.units),
            generator=generator,
        )

    def remove(self) -> None:
        """Leave the model as it was."""
        self._hooks.cleanup()

    def compute(self, batch: Batch) -> float:
        """Set ``grad`` of all that learns; returns the mean loss of the rows, 0 without any.

        ``batch`` has ``input_ids``, ``attention_mask`` and ``labels``, each [rows, positions], and
        ``unit`` [rows], equal ones side by side; it may be empty: then the gradient is noise alone.
        """
        self._optimizer.zero_grad(set_to_none=True)
        pieces = list(_pieces(batch[UNIT].tolist(), self.privacy.at_once))
        total = 0.0
        for rows in pieces:
            total += self._clip({name: found[rows] for name, found in batch.items()}, last=rows is pieces[-1])
        if not pieces:
            for parameter in self._learnt:
                parameter.grad_sample = parameter.new_zeros((0, *parameter.shape))
            self._optimizer.pre_step()
        return total / max(1, len(batch[UNIT]))

    def _clip(self, batch: Batch, *, last: bool) -> float:
        """Add the clipped gradients of whole units to the sum; the last piece brings the noise."""
        losses = row_losses(self._model, batch)
        with quietly():  # that what stands below the first adapters needs no gradient
            losses.sum().backward()  # type: ignore[no-untyped-call]
        unit = batch[UNIT].unique(return_inverse=True)[1]  # type: ignore[no-untyped-call]
        for parameter in self._learnt:
            parameter.grad_sample = _by_unit(parameter, unit)
        self._optimizer.signal_skip_step(not last)
        self._optimizer.pre_step()
        if not last:
            self._optimizer.zero_grad(set_to_none=True)
        return float(losses.sum().detach())


def row_losses(model: Any, batch: Batch) -> torch.Tensor:
    """Mean cross-entropy of the learnt tokens of each row, nats; 0 for a row without any. Shape (rows,).

    Of each row by itself: a mean over the tokens of all rows would let one row change the gradients
    of the others, and clipping would bound nothing.
    """
    from torch.nn import functional

    found = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], use_cache=False)
    right = batch["labels"][:, 1:]
    losses = functional.cross_entropy(
        found.logits[:, :-1].float().transpose(1, 2), right, ignore_index=NO_LOSS, reduction="none"
    )
    return losses.sum(1) / (right != NO_LOSS).sum(1).clamp(min=1)


def _by_unit(parameter: Any, unit: torch.Tensor) -> torch.Tensor:
    """Mean gradient of each unit's rows, [units, ...], of what the hooks left of each row."""
    import torch

    found = getattr(parameter, "grad_sample", None)
    if not isinstance(found, torch.Tensor) or found.shape != (len(unit), *parameter.shape):
        raise BackendError(
            "--model: its gradients cannot be told apart by row, so it cannot be trained privately"
        )
    units = int(unit[-1]) + 1
    summed = found.new_zeros((units, *parameter.shape)).index_add_(0, unit, found)
    rows = torch.bincount(unit, minlength=units).to(found.dtype)
    return summed / rows.reshape(-1, *[1] * parameter.dim())


def _pieces(units: Sequence[int], at_once: int) -> Iterator[slice]:
    """Cut rows into pieces of ``at_once`` at most, none of which ends within a unit."""
    start = cut = 0
    for at in range(1, len(units) + 1):
        if at < len(units) and units[at] == units[at - 1]:
            continue
        if at - start > at_once and cut > start:
            yield slice(start, cut)
            start = cut
        cut = at
    if units:
        yield slice(start, len(units))
