"""DP-SGD in transformers' Trainer: its batches, its step, and epsilon in its log."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from phiscan.adaptation.privacy import PoissonDraws
from phiscan.adaptation.private_gradients import UNIT, Batch, PrivateGradients
from phiscan.errors import ConfigError

if TYPE_CHECKING:
    import torch


class PrivateTraining:
    """Put before transformers' Trainer, or a class made from it, this makes its training private.

    ``class PrivateTrainer(PrivateTraining, Trainer)``; give it ``gradients``. What it logs has an
    ``epsilon``. Its batches are drawn and cut as :class:`Privacy` says, whatever the arguments'
    ``per_device_train_batch_size`` is, and gradients are clipped by unit, not once more by
    ``max_grad_norm`` of the arguments. Evaluation is the Trainer's own.
    """

    args: Any
    state: Any
    accelerator: Any
    data_collator: Any
    train_dataset: Any

    def __init__(self, *given: Any, gradients: PrivateGradients, delta: float, **named: Any) -> None:
        """Args: ``delta`` is that of the epsilon which is logged.

        Raises:
            ConfigError: The Trainer would add up steps, scale gradients, or train on several devices.

        """
        super().__init__(*given, **named)
        several = self.args.world_size > 1 or self.args.n_gpu > 1
        if several or self.args.fp16 or self.args.gradient_accumulation_steps > 1:
            raise ConfigError(
                "private training goes without fp16, gradient accumulation and more than one device"
            )
        self.args.max_grad_norm = 0.0
        self._gradients, self.delta = gradients, delta

    def get_train_dataloader(self) -> Any:
        """Batches drawn by :class:`PoissonDraws`; an epoch has as many as draw each unit once on average."""
        from torch.utils.data import DataLoader

        return self.accelerator.prepare(
            DataLoader(
                _WithUnits(self.train_dataset),  # type: ignore[arg-type]
                batch_sampler=PoissonDraws(self._gradients.privacy),
                collate_fn=_collate(self.data_collator),
                pin_memory=False,
            )
        )

    def training_step(self, model: Any, inputs: Any, num_items_in_batch: Any = None) -> Any:
        """Sets the gradients of one step; returns the loss, for the log."""
        import torch

        model.train()
        found = {name: value.to(self.args.device) for name, value in inputs.items()}
        with self.compute_loss_context_manager():  # type: ignore[attr-defined]
            loss = self._gradients.compute(found)
        return torch.tensor(loss, device=self.args.device)

    def log(self, logs: dict[str, float], *given: Any, **named: Any) -> None:
        """The Trainer's log with what has been spent."""
        spent = self._gradients.privacy.epsilon(self.state.global_step, self.delta)
        super().log(logs | {"epsilon": spent}, *given, **named)  # type: ignore[misc]


class _WithUnits:
    """A data set whose items are asked for by (unit, row)."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, at: tuple[int, int]) -> tuple[int, Any]:
        return at[0], self._rows[at[1]]


def _collate(
    collate: Callable[[list[Any]], Batch],
) -> Callable[[list[tuple[int, Any]]], dict[str, torch.Tensor]]:
    """``collate`` for rows with their units, and for none."""
    import torch

    def made(drawn: list[tuple[int, Any]]) -> dict[str, torch.Tensor]:
        if not drawn:
            none = torch.zeros((0, 1), dtype=torch.long)
            return dict.fromkeys(("input_ids", "attention_mask", "labels"), none) | {UNIT: none[:, 0]}
        return {**collate([row for _, row in drawn]), UNIT: torch.tensor([unit for unit, _ in drawn])}

    return made
