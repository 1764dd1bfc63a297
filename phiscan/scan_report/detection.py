"""How well the run's detectors find what people annotated in local notes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from phiscan.scan_report.base import Estimate, Model


class DetectionRow(Model):
    """Found against annotated spans, of all categories, of HIPAA's eighteen, or of one category."""

    scope: Literal["all", "hipaa", "category"]
    category: str | None = Field(description="null unless the row is of one category")
    strict_recall: Estimate = Field(description="of the annotated, found with equal bounds and category")
    strict_precision: Estimate = Field(description="of the found, annotated with equal bounds and category")
    overlap_recall: Estimate = Field(
        description="of the annotated, those that a found span of the same category overlaps"
    )
    overlap_precision: Estimate = Field(
        description="of the found, those that an annotated span of the same category overlaps"
    )


class DetectionSection(Model):
    """The detectors of the run, with its settings, on notes in which people marked the identifiers."""

    notes: int = Field(description="annotated notes that were read and scored")
    patients: int = Field(description="independent units of the intervals; in brat files every note is one")
    rows: tuple[DetectionRow, ...] = Field(description="all, HIPAA's eighteen, then each category seen")
    not_scored: dict[str, int] = Field(description="annotations and records left out or odd, by reason")
