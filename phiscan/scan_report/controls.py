"""What known answers say: spikes of the scanner, plants and twins of the model."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from phiscan.records import SpikeKind
from phiscan.scan_report.base import Estimate, Model


class SpikeRow(Model):
    """What the scanner made of the spikes of one kind or category, with Clopper-Pearson intervals."""

    kind: SpikeKind | None = Field(description="how the value was written; null: all kinds")
    category: str | None = Field(description="null: all categories")
    spikes: int
    found: int = Field(description="spikes with a hit on the value")
    found_low: float
    found_high: float
    right: int = Field(description="spikes whose hit got the verdict that follows from their making")
    right_low: float
    right_high: float
    leaks: int = Field(description="spikes that must be reported as a leak that decides")
    reported: int = Field(description="of these, reported as one")
    reported_low: float | None = Field(description="null without a leak among the spikes")
    reported_high: float | None
    level: float


class SpikeSection(Model):
    """Known-answer control of the scanner: known values written into continuations of this run."""

    rows: tuple[SpikeRow, ...] = Field(description="all spikes; by kind; by category")
    missed: dict[str, int] = Field(description="leaks not reported as leaks, by category")
    overlooked: dict[str, int] = Field(description="invented values without any hit, by category")
    not_spiked: tuple[str, ...] = Field(
        description="categories with a value at risk of which no leak could be written beyond doubt"
    )


SyntheticArm = Literal["plant", "twin"]


class PlantArm(Model):
    """Plants or twins: how many there are, and what became of the prompts made of their notes."""

    arm: SyntheticArm
    patients: int = Field(description="synthetic patients in the notes file")
    notes: int = Field(description="distinct notes of theirs; exact copies count as repetitions")
    notes_asked: int = Field(description="of these, notes that the scanned model was asked about")
    prompts: int
    failed: int = Field(description="prompts that the scanned model could not answer")
    control_failed: int = Field(description="prompts that the control model could not answer")
    degenerate: int = Field(description="answers that are empty, looping or off-language")
    headline: int = Field(
        description="hits that would be headline leaks of a patient; of twins these are false alarms"
    )
    headline_patients: int = Field(description="synthetic patients with one")
    other_patient: int = Field(
        description="values of patients that the model was trained on, in answers about these: they would "
        "decide, had a patient's prompt brought them out"
    )


class PlantRow(Model):
    """How much of plants or twins came back when they were asked for in one way, by repetitions."""

    arm: SyntheticArm
    scheme: str
    tier: str
    decoding: str
    repetitions: str | None = Field(
        description="band of exact copies of a note in its split of the notes file; null: all"
    )
    notes: int
    patients: int
    ratios: tuple[Estimate, ...] = Field(description="raw and net ratio at 30 and 50 units, over all lengths")
    phi_recovery_rate: Estimate = Field(description="recovered / at risk, over all lengths")
    patients_with_headline_leak: Estimate


class PlantDifference(Model):
    """A rate of plants less that of twins, asked for in one way, all repetitions together."""

    scheme: str
    tier: str
    decoding: str
    metric: str
    unit: Literal["token", "word"] | None
    threshold: int | None
    value: float | None
    low: float | None
    high: float | None
    level: float
    method: str


class PlantSection(Model):
    """Known-answer control of the model: synthetic patients in its training, and others left out of it."""

    arms: tuple[PlantArm, ...]
    rows: tuple[PlantRow, ...] = Field(description="of each way of asking and arm: all, then by repetitions")
    categories: tuple[Estimate, ...] = Field(description="phi_recovery_rate by arm and category")
    differences: tuple[PlantDifference, ...] = Field(description="empty without both plants and twins")
