"""DP-SGD: no single unit (a row, a note or a patient) moves the weights by more than noise would.

At every step each unit is drawn by itself with one probability; the gradient of each drawn unit is
clipped, the clipped ones are added up, Gaussian noise is added to the sum (Abadi et al. 2016, "Deep
Learning with Differential Privacy"). What that is worth after some steps, epsilon at a given delta, is
computed by Renyi accounting of the subsampled Gaussian mechanism, an upper bound (Mironov et al. 2019).
Gradients by row, clipping, noise and accounting are opacus'. Its own way of wrapping model, optimiser and
loader is not taken: here the noised gradient is put where any optimiser, and transformers' Trainer, look
for a gradient.

Which models: LoRA adapters of linear layers (:func:`check_private`). Noise and draws come from the machine's
entropy unless a generator is given, never from a run's seed: whoever knew it could take the noise away.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from phiscan.errors import BackendError, ConfigError, MissingDependencyError

if TYPE_CHECKING:
    import torch

Batch = Mapping[str, "torch.Tensor"]
UNIT = "unit"
"""Name under which a batch says which unit each row belongs to."""
_NO_LOSS = -100


class Privacy(NamedTuple):
    """What is private, and by how much noise."""

    units: Sequence[Sequence[int]]
    """The rows of each unit, a note or a patient: what is promised is promised for these."""
    units_a_step: int
    """Units in a step on average."""
    noise_multiplier: float
    """Standard deviation of the noise on the summed gradient, in units of ``max_grad_norm``."""
    max_grad_norm: float = 1.0
    """The gradient of a unit is scaled down to this norm."""
    at_once: int = 16
    """Rows in memory at once; so many rows of a unit count at a step at most, drawn anew each time."""

    @property
    def sample_rate(self) -> float:
        """Probability with which a unit is in a step."""
        return min(1.0, self.units_a_step / len(self.units))

    @property
    def steps_an_epoch(self) -> int:
        """Steps in which each unit is drawn once on average."""
        return max(1, round(1 / self.sample_rate))

    def epsilon(self, steps: int, delta: float) -> float:
        """Epsilon after ``steps`` steps: one unit more or less changes the probability of any outcome by a
        factor of at most e^epsilon, but for a probability of ``delta``."""
        if steps == 0:
            return 0.0
        accountant = _opacus("accountants").RDPAccountant()
        accountant.history = [(self.noise_multiplier, self.sample_rate, steps)]
        with _quietly():  # that the bound is loose where epsilon is tiny
            return float(accountant.get_epsilon(delta=delta))


def noise_for(epsilon: float, *, delta: float, sample_rate: float, steps: int) -> float:
    """The noise multiplier with which ``steps`` steps spend ``epsilon`` at most, and 0.01 less at least.

    Raises:
        ConfigError: No noise is enough.

    """
    find = _opacus("accountants.utils").get_noise_multiplier
    wanted = {"target_epsilon": epsilon, "target_delta": delta, "sample_rate": sample_rate, "steps": steps}
    try:
        with _quietly():
            return float(find(**wanted, accountant="rdp"))
    except ValueError:
        raise ConfigError(
            "dp_epsilon: is too small for any noise; take a larger one or fewer steps"
        ) from None


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
    if getattr(model, "is_gradient_checkpointing", False):
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
        self._hooks = _opacus("grad_sample").GradSampleHooks(model, loss_reduction="sum")
        device = self._learnt[0].device
        if generator is None:
            generator = torch.Generator(device)
            generator.seed()
        # Clips, sums and noises; the optimiser that it thinks it wraps never takes a step.
        self._optimizer = _opacus("optimizers").DPOptimizer(
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
        with _quietly():  # that what stands below the first adapters needs no gradient
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
        found.logits[:, :-1].float().transpose(1, 2), right, ignore_index=_NO_LOSS, reduction="none"
    )
    return losses.sum(1) / (right != _NO_LOSS).sum(1).clamp(min=1)


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


class PoissonDraws:
    """Steps of an epoch, each a list of (unit, row); usable as a loader's ``batch_sampler``."""

    def __init__(self, privacy: Privacy, *, generator: torch.Generator | None = None) -> None:
        import torch

        self._privacy = privacy
        self._generator = torch.Generator() if generator is None else generator
        if generator is None:
            self._generator.seed()

    def __len__(self) -> int:
        return self._privacy.steps_an_epoch

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        for _ in range(len(self)):
            yield self._step()

    def _step(self) -> list[tuple[int, int]]:
        import torch

        units, most = self._privacy.units, self._privacy.at_once
        drawn = torch.rand(len(units), generator=self._generator) < self._privacy.sample_rate
        step: list[tuple[int, int]] = []
        for unit in drawn.nonzero().flatten().tolist():
            rows = units[unit]
            if len(rows) > most:
                kept = torch.randperm(len(rows), generator=self._generator)[:most].tolist()
                rows = [rows[at] for at in sorted(kept)]
            step += [(unit, row) for row in rows]
        return step


class PrivateTraining:
    """Put before transformers' Trainer, or a class made from it, this makes its training private.

    ``class PrivateTrainer(PrivateTraining, Trainer)``; give it ``gradients``. What it logs has an
    ``epsilon``. Its batches are drawn and cut as :class:`Privacy` says, whatever the arguments'
    ``per_device_train_batch_size`` is. Evaluation is the Trainer's own.
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
        self._gradients, self._delta = gradients, delta

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
        spent = self._gradients.privacy.epsilon(self.state.global_step, self._delta)
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


@contextmanager
def _quietly() -> Iterator[None]:
    """Without warnings that say nothing to a user."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def _opacus(name: str) -> Any:
    """A module of opacus."""
    try:
        return import_module(f"opacus.{name}")
    except ImportError:
        raise MissingDependencyError.of("private training needs opacus", extra="dp") from None
