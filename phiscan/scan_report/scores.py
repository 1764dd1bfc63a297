"""What was scored rather than asked: exposure of identifiers, discoverable notes, likeness."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from phiscan.scan_report.base import Estimate, Model


class ExposureRow(Model):
    """How exposed the identifiers of one category are, without anything having been generated."""

    arm: Literal["scanned", "holdout", "plant", "twin"]
    category: str | None = Field(description="null: all categories")
    spans: int = Field(description="PHI spans that the model scored, first mentions in their notes only")
    patients: int
    greedy: int = Field(description="spans that greedy decoding writes whole, given the note up to them")
    greedy_patients: int
    ties: int = Field(description="of the spans, those with a token at which the two best were nearly equal")
    median_gain_bits: float | None = Field(
        description="median of (log p - log p of the control) in bits; null without a control"
    )
    high_gain_bits: float | None = Field(description="the same, 90th percentile")
    ranked: int = Field(description="spans ranked among decoys of their own form")
    first: int = Field(description="of these, more probable than every decoy")
    among_others: int = Field(
        description="of the ranked, those with decoys that stand in other patients' notes; the rest are drawn"
    )
    first_among_others: int = Field(description="of these, more probable than every such decoy")
    first_by_chance: float = Field(
        description="how many would be if each were as probable as any of its decoys from notes: "
        "sum of 1 / (these decoys + 1)"
    )
    median_exposure_bits: float | None = Field(description="of the ranked spans")


class DiscoverableRow(Model):
    """Notes whose next 50 tokens n draws give at least once with a probability of p or more."""

    decoding: str = Field(description="how tokens would be drawn, as in a stratum; t1: nothing cut off")
    arm: Literal["scanned", "holdout", "control", "plant", "twin"]
    prefix_length: int
    draws: int = Field(description="n")
    probability: float = Field(description="p")
    discoverable: int
    notes: int = Field(description="notes with 50 tokens after the prefix")


class ScoreRow(Model):
    """Memorization scores of the forecast paper in one arm: right tokens of the 32 after the first 32."""

    arm: Literal["scanned", "holdout", "control", "plant", "twin"]
    notes: int = Field(description="notes of at least 64 tokens that were answered")
    patients: int
    mean: float | None
    low: float | None
    high: float | None
    level: float
    method: str
    bands: tuple[int, ...] = Field(
        description="notes with a score of 0 or more, a quarter, a half, three quarters, and of 1"
    )
    differing: int = Field(
        description="notes whose score is 1 though the pass says no, or the other way; 0 in float32"
    )


class PlantsRead(Model):
    """Whether training read plants' text: mean log-probability of their tokens less that of twins' tokens."""

    prefix_length: int = Field(description="the tokens are the 50 behind so many, or what is left of a note")
    repetitions: str | None = Field(description="of the plants, as in the section on plants; null: all")
    net_of_control: bool = Field(description="each token's log-probability under the control taken off")
    plants: int = Field(description="made-up patients behind the mean")
    twins: int
    plant_mean: float = Field(description="natural log, a token")
    twin_mean: float
    difference: float
    low: float | None = Field(description="null with fewer than two plants or twins")
    high: float | None
    level: float = Field(description="95% over all prefix lengths together")
    method: str


class ExposureSection(Model):
    """What one teacher-forced pass over every note says."""

    notes: int = Field(description="notes of patients that the scanned model scored")
    notes_failed: int
    patients: int
    control: bool
    decoys: int = Field(
        description="decoys a ranked value was put among; exposure is at most log2(decoys + 1)"
    )
    windowed_spans: int = Field(
        description="spans before which the model did not see all of a note longer than it takes"
    )
    estimates: tuple[Estimate, ...]
    rows: tuple[ExposureRow, ...]
    curves: tuple[DiscoverableRow, ...] = Field(description="(n, p)-discoverable, for every n and p")
    scores: tuple[ScoreRow, ...] = Field(description="empty unless expose.free_running")
    plants_read: tuple[PlantsRead, ...] = Field((), description="empty without both plants and twins")


class SimilarityRow(Model):
    """One metric of likeness at one prefix length in one arm."""

    metric: str
    scheme: str = Field(description="how prompts were put, as in a stratum")
    tier: str = Field(description="what the attacker is taken to have, as in a stratum")
    decoding: str = Field("greedy", description="how tokens were chosen, as in a stratum")
    arm: Literal["scanned", "holdout", "control"]
    prefix_length: int | None = Field(description="l in tokens; null: as given")
    support: Literal["common", "all"] | None = Field(
        description="common: notes long enough for every l; all: long enough for this l"
    )
    outputs: int = Field(description="answers with a value")
    patients: int = Field(description="independent units behind them")
    missing: dict[str, int] = Field(description="answers without a value, by reason: not counted as 0")
    mean: float | None
    mean_low: float | None
    mean_high: float | None
    mean_method: str
    median: float | None
    median_low: float | None
    median_high: float | None
    median_method: str
    level: float


class SimilaritySection(Model):
    """How alike the answers and what the notes go on with are, in the first units of each."""

    unit: Literal["token", "word"] = Field(description="what the texts were cut by")
    compared: int = Field(description="units of each text that were compared")
    rows: tuple[SimilarityRow, ...]
    estimates: tuple[Estimate, ...] = Field(description="share of answers with ROUGE-L above 0.2")
