"""Fine-tuning by transformers' Trainer and peft: seeded, a checkpoint every epoch, resumed after a kill."""

from __future__ import annotations

import json
import warnings
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
from transformers import (
    EarlyStoppingCallback,
    Trainer,
    TrainerCallback,
    TrainerControl,
    TrainerState,
    TrainingArguments,
)

from phiscan.adapt_settings import AdaptSettings
from phiscan.adaptation.privacy import Privacy, noise_for
from phiscan.adaptation.private_gradients import PrivateGradients
from phiscan.adaptation.private_training import PrivateTraining
from phiscan.adaptation.rows import NO_LOSS, Row, Rows, padded
from phiscan.errors import BackendError, ConfigError, PhiscanError, StoreError
from phiscan.model_loading import MEMORY, quiet
from phiscan.passes.plan import Progress, silent

TOPS = (1, 2, 3)
"""Places of the most probable tokens that count as right."""
LOSS = "eval_nats"
"""The validation loss in the Trainer's log. Its own ``eval_loss`` is a mean of batches, weighted by rows."""
_STATE = "trainer_state.json"
_NEEDED = (_STATE, "optimizer.pt", "scheduler.pt", "rng_state.pth")


_MEMORY = "--model: training does not fit into memory (set adapt.at_once or adapt.max_tokens lower)"


def _damaged(checkpoint: Path) -> str:
    return (
        f"--out: {checkpoint.name} is damaged or another model's; remove it, and the same command goes on "
        "from the one before"
    )


class Trained(NamedTuple):
    """A training that ended."""

    log: list[dict[str, Any]]
    """What the Trainer logged: losses by epoch."""
    early: bool
    """Ended because the validation loss got no better."""
    delta: float | None
    """Of the epsilon that was logged; None where training was not private."""


def with_adapter(model: Any, settings: AdaptSettings, *, seed: int) -> Any:
    """The model with fresh LoRA adapters in all linear layers; with rank 0 itself, every weight to learn."""
    if settings.gradient_checkpointing:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its name will change
            model.gradient_checkpointing_enable()
        model.enable_input_require_grads()  # else nothing would flow back to adapters behind frozen layers
    if settings.lora_rank == 0:
        return model
    from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training

    if getattr(model, "is_loaded_in_4bit", False):
        model = prepare_model_for_kbit_training(
            model, use_gradient_checkpointing=settings.gradient_checkpointing
        )

    config = LoraConfig(
        r=settings.lora_rank,
        lora_alpha=settings.lora_alpha,
        lora_dropout=settings.lora_dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    with torch.random.fork_rng(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that GPT-2's layers are laid out otherwise: peft sees to it
        torch.manual_seed(seed)
        try:
            return get_peft_model(model, config)
        except ValueError:
            raise BackendError("--model: has no linear layers that adapters could go into") from None


def train(
    model: Any,
    tokenizer: Any,
    rows: Sequence[Row],
    validation: Sequence[Row],
    folder: Path,
    settings: AdaptSettings,
    *,
    seed: int,
    callbacks: Sequence[TrainerCallback] = (),
    progress: Progress = silent,
) -> Trained:
    """Train ``model`` in place; checkpoints go to ``folder``, and training goes on from the last whole one.

    On a CPU equal arguments give equal weights, interrupted or not.

    Raises:
        BackendError: Out of memory.
        ConfigError: ``at_once`` does not divide ``batch_size``.

    """
    last = last_checkpoint(folder)
    trainer = _trainer(model, tokenizer, rows, validation, folder, _up_to(last, settings), seed=seed)
    trainer.args.eval_on_start = bool(validation) and last is None
    stopping = bool(settings.patience and validation)
    if stopping:
        trainer.add_callback(EarlyStoppingCallback(settings.patience))
    steps = _Steps(progress)
    for callback in (steps, *callbacks):
        trainer.add_callback(callback)
    try:
        with quiet():
            trainer.train(resume_from_checkpoint=None if last is None else str(last))
    except MEMORY:
        raise BackendError(_MEMORY) from None
    except PhiscanError:
        raise
    except Exception as error:
        if "allocate memory" in str(error):  # a CPU's allocator has no error of its own
            raise BackendError(_MEMORY) from None
        if last is not None and not steps.taken:
            raise StoreError(_damaged(last)) from None
        raise
    return Trained(
        log=list(trainer.state.log_history),
        early=stopping and _stopped_early(trainer, settings),
        delta=getattr(trainer, "delta", None),
    )


def _trainer(
    model: Any,
    tokenizer: Any,
    rows: Sequence[Row],
    validation: Sequence[Row],
    folder: Path,
    settings: AdaptSettings,
    *,
    seed: int,
) -> Trainer:
    at_once = settings.at_once or settings.batch_size
    if settings.batch_size % at_once:
        raise ConfigError("[adapt] at_once: must divide batch_size")
    private = None if settings.dp_epsilon is None else private_gradients(model, rows, settings)
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else 0
    arguments = TrainingArguments(
        output_dir=str(folder),
        num_train_epochs=settings.epochs,
        per_device_train_batch_size=at_once if private is None else settings.batch_size,
        per_device_eval_batch_size=at_once,
        gradient_accumulation_steps=settings.batch_size // at_once if private is None else 1,
        learning_rate=settings.learning_rate,
        weight_decay=settings.weight_decay,
        warmup_steps=settings.warmup,  # below 1 a share of the steps
        lr_scheduler_type=settings.schedule,
        max_grad_norm=settings.max_grad_norm,
        eval_strategy="epoch" if validation else "no",
        save_strategy="epoch",
        logging_strategy="epoch",
        metric_for_best_model=LOSS if validation else None,
        logging_nan_inf_filter=False,
        greater_is_better=False,
        restore_callback_states_from_checkpoint=True,
        bf16=_base_dtype(model) == torch.bfloat16,
        use_cpu=next(model.parameters()).device.type == "cpu",
        seed=seed,
        data_seed=seed,
        report_to="none",
        disable_tqdm=True,
        remove_unused_columns=False,
        label_names=["labels"],
        dataloader_pin_memory=False,
    )
    made = partial(_SilentTrainer) if private is None else partial(_PrivateTrainer, **private)
    trainer: Trainer = made(
        model=model,
        args=arguments,
        data_collator=partial(padded, pad=pad),
        train_dataset=Rows(rows),
        eval_dataset=Rows(validation) if validation else None,
        processing_class=tokenizer,
        compute_metrics=_top_accuracy,
        preprocess_logits_for_metrics=_places,
    )
    return trainer


def private_gradients(model: Any, rows: Sequence[Row], settings: AdaptSettings) -> dict[str, Any]:
    """What a private training needs besides: gradients clipped and noised by note or patient, and delta."""
    assert settings.dp_epsilon is not None
    by_unit: dict[Any, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        by_unit[row.text if settings.dp_unit == "note" else row.patient_id].append(at)
    privacy = Privacy(
        units=tuple(by_unit.values()),
        units_a_step=settings.batch_size,
        noise_multiplier=0.0,
        max_grad_norm=settings.max_grad_norm,
        at_once=settings.at_once or settings.batch_size,
    )
    delta = settings.dp_delta or 0.1 / len(by_unit)
    noise = noise_for(
        settings.dp_epsilon,
        delta=delta,
        sample_rate=privacy.sample_rate,
        steps=settings.epochs * privacy.steps_an_epoch,
    )
    gradients = PrivateGradients(model, privacy._replace(noise_multiplier=noise))
    return {"gradients": gradients, "delta": delta}


def _up_to(last: Path | None, settings: AdaptSettings) -> AdaptSettings:
    """The settings; after a checkpoint at which training was stopped, for no epoch more.

    The Trainer would take a step before it sees that it is to stop.
    """
    if last is None:
        return settings
    try:
        state = json.loads((last / _STATE).read_text(encoding="utf-8"))
        stopped = state["stateful_callbacks"]["TrainerControl"]["args"]["should_training_stop"]
        epochs = round(state["epoch"])
    except (ValueError, KeyError, TypeError, OSError, RecursionError):
        raise StoreError(_damaged(last)) from None
    return settings.model_copy(update={"epochs": epochs}) if stopped else settings


class _SilentTrainer(Trainer):  # type: ignore[misc]
    """Prints nothing: what it logs is read from its state."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        from transformers.trainer_callback import PrinterCallback, ProgressCallback

        self.remove_callback(PrinterCallback)
        self.remove_callback(ProgressCallback)


class _Steps(TrainerCallback):  # type: ignore[misc]
    """Tells how many steps are done."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.taken = 0

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **given: Any
    ) -> None:
        self.taken += 1
        self._progress("train", state.global_step, state.max_steps)


class _PrivateTrainer(PrivateTraining, _SilentTrainer):
    """The same with differential privacy: what it draws is not seeded, so no two trainings are equal."""


def last_checkpoint(folder: Path) -> Path | None:
    """The last checkpoint that was written to its end; one that a kill left half-written is written again."""
    found = _whole(folder)
    return found[max(found)] if found else None


def _whole(folder: Path) -> dict[int, Path]:
    """Checkpoints with all that training goes on from, by step."""
    found = {}
    for path in folder.glob("checkpoint-*"):
        step = path.name.removeprefix("checkpoint-")
        has_weights = any(path.glob("*.safetensors"))
        if step.isdecimal() and has_weights and all((path / name).is_file() for name in _NEEDED):
            found[int(step)] = path
    return found


def checkpoints(folder: Path) -> dict[int, str]:
    """Names of the whole checkpoints by step."""
    return {step: path.name for step, path in _whole(folder).items()}


def private(folder: Path) -> None:
    """Everything under ``folder`` readable by its owner alone: weights hold what notes hold."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_symlink():
            continue  # what it leads to is not ours
        path.chmod(0o700 if path.is_dir() else 0o600)


def _stopped_early(trainer: Trainer, settings: AdaptSettings) -> bool:
    losses = [row[LOSS] for row in trainer.state.log_history if LOSS in row and row["step"]]
    best = min(range(len(losses)), key=losses.__getitem__, default=0)
    return len(losses) < settings.epochs and len(losses) - 1 - best >= settings.patience


def _base_dtype(model: Any) -> torch.dtype:
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    return base.dtype  # type: ignore[no-any-return]


def _places(logits: Any, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """How many tokens are held more probable than the right one, and its loss in nats.

    Both [rows, positions - 1]; -100: not asked.
    """
    scores = (logits[0] if isinstance(logits, tuple) else logits)[:, :-1]
    right = labels[:, 1:]
    of_right = scores.gather(-1, right.clamp(min=0)[..., None])
    # Written so that a score which is no number counts against the model.
    places: torch.Tensor = scores.shape[-1] - (scores <= of_right).sum(-1)
    nats = torch.logsumexp(scores.float(), -1) - of_right[..., 0].float()
    unasked = right == NO_LOSS
    return places.masked_fill(unasked, NO_LOSS), nats.masked_fill(unasked, NO_LOSS)


def _top_accuracy(found: Any) -> dict[str, float]:
    places, nats = found.predictions
    asked = places != NO_LOSS
    if not asked.any():
        return {}
    loss = float(nats[asked].mean(dtype="float64"))
    return {"nats": loss, **{f"top{top}": float((places[asked] < top).mean()) for top in TOPS}}
