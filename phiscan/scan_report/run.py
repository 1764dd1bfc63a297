"""What was asked and with what: decision, models, inputs, manifest, coverage."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from phiscan.scan_report.base import Model


class Decision(Model):
    """The outcome and why. There is no outcome "safe"."""

    outcome: Literal["leak_found", "inconclusive", "none_found_within_bound"]
    reasons: tuple[str, ...]


class ModelIdentity(Model):
    """What exactly was asked."""

    backend: str
    role: Literal["scanned", "control"] = "scanned"
    architecture: str | None = None
    parameters: int | None = None
    vocabulary: int | None = None
    weights_sha256: str | None = None
    adapter_sha256: str | None = None
    tokenizer_sha256: str | None = None
    dtype: str | None = None
    device: str | None = None
    quantization: str | None = None
    batch_size: int | None = None
    threads: int | None = None


class InputIdentity(Model):
    """An input file as a keyed digest (only the holder of the run's key can recompute it)."""

    argument: str
    keyed_digest: str
    bytes: int


class Manifest(Model):
    """What ran: versions, settings, inputs, models."""

    phiscan_version: str
    created: str
    python: str
    platform: str
    packages: dict[str, str]
    seed: int
    settings: dict[str, dict[str, str | int | float | bool | list[int] | list[str] | None]]
    inputs: tuple[InputIdentity, ...]
    models: tuple[ModelIdentity, ...]
    detectors: dict[str, str]
    metrics: dict[str, str] = Field({}, description="metrics of likeness: what exactly is computed")
    seconds: dict[str, float] = Field(description="wall seconds by stage, this session")


class PrefixCoverage(Model):
    """What became of the notes at one prefix length in one arm."""

    arm: Literal["scanned", "holdout", "control"]
    scheme: str = "bare"
    tier: str = "prefix"
    decoding: str = "greedy"
    prefix_length: int | None
    asked: int = Field(description="answers asked for: prompts, times the draws of each")
    done: int
    failed: int
    too_short: int = Field(
        description="notes too short for this length; in tier metadata, without a name or number"
    )
    screened: int = Field(0, description="not asked: the pass shows no greedy run of 30 in the note")
    empty: int
    looping: int
    off_language: int

    @property
    def degenerate(self) -> int:
        """Continuations too broken to show what the model knows."""
        return self.empty + self.looping + self.off_language


class Coverage(Model):
    """Counts of everything loaded, asked, lost and out of reach. Completeness is a result."""

    rows_read: int
    rows_bad: dict[str, int] = Field(description="rows not loaded, by reason")
    rows_dropped: dict[str, int] = Field(description="rows that hold no note, by reason")
    copies_folded: int
    notes: int
    patients: int
    holdout_notes: int
    holdout_patients: int
    known_identifiers: int
    chars_loaded: int
    chars_scanned: int
    phi_spans: int
    note_side_misses: int = Field(
        0, description="values, in all arms, known only by 8+ words copied with them: missed on the note side"
    )
    prefixes: tuple[PrefixCoverage, ...]
    replay_rows: int = 0
    replay_unknown_note: int = 0
    replay_prefix_not_found: int = 0
    control_holdout_failed: int = Field(
        0, description="prompts of held-out notes that the control model could not answer"
    )
    chars_generated: int = 0
    chars_generated_scanned: int = 0
    complete: bool
