"""How a model is fine-tuned, measured while it learns, and stopped: the settings of `phiscan adapt`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from phiscan.errors import ConfigError


class AdaptSettings(BaseModel):
    """Training, split, measurement and mitigations."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False)

    epochs: int = Field(3, ge=1, le=1000, description="times that every training note is read at most")
    learning_rate: float = Field(2e-4, gt=0, le=1, description="of AdamW, at its highest")
    weight_decay: float = Field(0.0, ge=0, le=1, description="of AdamW")
    warmup: float = Field(0.0, ge=0, lt=1, description="share of the steps in which the learning rate rises")
    schedule: Literal["linear", "cosine", "constant"] = Field(
        "linear", description="of the learning rate after the warm-up"
    )
    batch_size: int = Field(
        16, ge=1, le=100_000, description="rows that a step of the optimiser is made from"
    )
    at_once: int | None = Field(
        None, ge=1, description="rows in memory at once, a divisor of batch_size; not set: all of them"
    )
    max_grad_norm: float = Field(1.0, gt=0, description="gradients are scaled down to this norm")
    max_tokens: int = Field(
        1024,
        ge=8,
        le=10_000_000,
        description="tokens of a row at most; a longer note is cut into rows, none is left out",
    )
    gradient_checkpointing: bool = Field(False, description="less memory, more time")
    lora_rank: int = Field(
        16, ge=0, le=8192, description="of the adapters in all linear layers; 0 trains every weight"
    )
    lora_alpha: float = Field(32, gt=0, description="the adapters' weight is alpha / rank")
    lora_dropout: float = Field(0.05, ge=0, lt=1, description="in front of the adapters")
    completion_only: bool = Field(
        False, description="with --records: learn the output alone, not the instruction and input"
    )
    validation_share: float = Field(
        0.1, ge=0, lt=1, description="share of patients whose notes only tell the validation loss"
    )
    holdout_share: float = Field(
        0.1,
        ge=0,
        lt=1,
        description="share of patients kept out of everything, for scans; 0 with held-out rows",
    )
    patience: int = Field(
        2, ge=0, description="epochs without a better validation loss after which training stops; 0: never"
    )
    tolerance: float = Field(
        0.02,
        ge=0,
        description="a checkpoint may be recommended if its validation loss is within this share of the best",
    )
    measure: bool = Field(True, description="measure leakage after every epoch")
    stop_net_ratio: float | None = Field(
        None, ge=0, le=1, description="stop when the net ratio (runs of 30) of training notes is above this"
    )
    stop_patients: float | None = Field(
        None, ge=0, le=1, description="stop when the share of patients with a headline leak is above this"
    )
    deduplicate: Literal["none", "exact", "near", "passages"] = Field(
        "none",
        description="leave out training notes that repeat another: exact copies; near ones too; cut repeated "
        "passages out of others too",
    )
    passage_words: int = Field(
        50, ge=5, description='words from which on deduplicate = "passages" cuts what an earlier note said'
    )
    phi: Literal["keep", "remove", "surrogate"] = Field(
        "keep", description="health information in training notes: keep, remove, or put invented values in"
    )
    goldfish: int = Field(
        0, ge=0, le=1_000_000, description="k: every k-th token, on average, is left out of the loss; 0: none"
    )

    dp_epsilon: float | None = Field(
        None,
        ge=0.1,
        description="train adapters with differential privacy that spends this at most (extra dp)",
    )
    dp_delta: float | None = Field(
        None, ge=1e-30, lt=1, description="of that privacy; not set: 1 / (10 x units)"
    )
    dp_unit: Literal["note", "patient"] = Field(
        "patient", description="what is private: one row's note, or all notes of a patient"
    )

    @field_validator("goldfish")
    @classmethod
    def _some_are_learnt(cls, k: int) -> int:
        if k == 1:
            raise ValueError("1 leaves nothing to learn; write 0 for none, or 2 and more")
        return k


_IN_FOUR_BITS = {"quantization": "nf4"}
_STUDY: dict[str, Any] = {
    "weight_decay": 0.1,
    "batch_size": 16,
    "schedule": "linear",
}
PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "study-clinical": {
        "model": _IN_FOUR_BITS,
        "adapt": _STUDY
        | {
            "lora_rank": 64,
            "lora_alpha": 128,
            "lora_dropout": 0.05,
            "learning_rate": 1e-6,
            "epochs": 10,
            "patience": 2,
        },
    },
    "study-qa": {
        "model": _IN_FOUR_BITS,
        "adapt": _STUDY
        | {
            "lora_rank": 16,
            "lora_alpha": 64,
            "lora_dropout": 0.0,
            "learning_rate": 2e-5,
            "warmup": 0.01,
            "epochs": 3,
            "patience": 0,
        },
    },
}
"""Settings by name: those of the study of memorization in medical language models, for clinical notes and for
question-answer records. What they do not name stays at its default."""


def preset_named(name: str | None) -> dict[str, dict[str, Any]]:
    """The settings of a preset, by section; ConfigError if there is none of that name."""
    if name is None:
        return {}
    if name not in PRESETS:
        raise ConfigError(f"--preset: none of that name; there are: {', '.join(PRESETS)}")
    return PRESETS[name]
