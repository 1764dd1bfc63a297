"""What the file of a release decision must hold and no scan can know: filled from ``[release]``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from phiscan.printable import PrintableName, PrintableText
from phiscan.scan_report.base import Model

Availability = Literal["inside", "agreement", "registered", "public"]
"""Who may use the model: only who may read the notes anyway; by agreement; whoever registers; anyone."""


class Release(Model):
    """Facts of the release under review, in the words of who asks for it; null: a blank line to fill in."""

    model: PrintableName | None = Field(None, description="what you call the model")
    protocol: PrintableName | None = Field(None, description="protocol number of the IRB or ethics board")
    purpose: PrintableText | None = Field(None, description="what the model is for, in a line")
    basis: PrintableText | None = Field(
        None, description="consent, or the waiver, under which the notes were used for training"
    )
    availability: Availability | None = Field(
        None, description="who may use the model: inside, agreement, registered or public"
    )
    phi_seen_by: tuple[PrintableText, ...] = Field(
        (), max_length=20, description="who read patient text in this review, and why they may"
    )
    signatories: tuple[PrintableName, ...] = Field(
        ("Prepared by", "Privacy officer", "For the IRB"),
        min_length=1,
        max_length=8,
        description="a signature line each",
    )
    valid_months: int = Field(
        12, ge=1, le=60, strict=True, description="months after the scan at which the report expires"
    )
