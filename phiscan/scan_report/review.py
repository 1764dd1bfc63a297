"""What people's review found."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from phiscan.scan_report.base import Estimate, Model


class ReviewStratum(Model):
    """One stratum of the review sample."""

    name: str
    outputs: int = Field(description="outputs of the run in the stratum")
    drawn: int
    blind: int = Field(description="of the drawn, shown without pre-annotations")
    answered: int
    blind_answered: int


class ReviewTotal(Model):
    """A count of phiscan corrected by what people found, reckoned to all outputs reviewed from."""

    what: Literal["phi", "leaks"] = Field(
        description="phi: PHI in the outputs; leaks: headline leaks of own records"
    )
    category: str | None = Field(description="null: all categories")
    counted: int = Field(description="what phiscan counted")
    false_in_sample: int
    missed_in_sample: int
    corrected: float | None = Field(description="counted - estimated false + estimated missed")
    low: float | None
    high: float | None
    level: float
    method: str


class ReviewedTopic(Model):
    """Sensitive content of one topic as people marked it: one instance is one distinct passage an output."""

    topic: str
    instances: int = Field(description="in the sample")
    outputs: int = Field(description="outputs of the sample with at least one")
    total: float | None = Field(description="instances in all outputs, estimated")
    low: float | None
    high: float | None
    level: float
    flagged: int = Field(description="of the instances, flagged by the lexicon beforehand")


class ReviewSection(Model):
    """What people's review of a sample of outputs found."""

    outputs: int = Field(description="outputs of the scanned arm that the sample was drawn from")
    items: int
    blind: int
    answered: int
    skipped: int = Field(description="answers that an annotator gave up on")
    twice: int = Field(description="items that two people answered")
    differing: int = Field(description="of these, answered differently")
    adjudicated: int
    open: int = Field(description="answered differently and not adjudicated: annotator 1's answer counts")
    unanswered_regions: int = Field(description="pre-annotated regions without a verdict: not counted")
    unusable_regions: int = Field(description="regions that came back wrong: listed by `review pull`")
    people: int
    strata: tuple[ReviewStratum, ...]
    estimates: tuple[Estimate, ...] = Field(description="precision and miss rate of the detectors")
    agreement: tuple[Estimate, ...] = Field(description="between people who answered the same item")
    totals: tuple[ReviewTotal, ...]
    topics: tuple[ReviewedTopic, ...]
    memorization: dict[str, int] = Field(description="items by the type of memorization people chose")
    missed_verdicts: dict[str, int] = Field(
        description="PHI that the detectors missed in the sample, by what the records say about it"
    )
