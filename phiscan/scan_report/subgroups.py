"""What leaked, by kind of patient and of note."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from phiscan.scan_report.base import Estimate, Model

SubgroupKind = Literal["age", "notes", "note_type"]


class SubgroupRow(Model):
    """Patients of one subgroup in one arm: eleven or more of them, or there is no row."""

    kind: SubgroupKind = Field(
        description="age: of the patient at the latest note; notes: distinct notes of the patient; "
        "note_type: as the notes file says"
    )
    band: tuple[str, ...] = Field(
        description="bands of the row, such as ('65-89',); several where one alone had too few patients"
    )
    arm: Literal["scanned", "holdout", "control"]
    patients: int = Field(description="patients asked about")
    notes: int = Field(description="their notes, or those of this type, that were asked about")
    patients_with_headline_leak: Estimate = Field(description="over everything that was asked")
    net_ratio: Estimate | None = Field(
        description="prompts with a net run of 30 or more / prompts, over all lengths, in the first way of "
        "decoding; null where fewer than eleven patients stand behind it"
    )
    phi_recovery_rate: Estimate | None = Field(description="recovered / at risk, likewise")


class SubgroupTest(Model):
    """Whether the shares of training patients with a headline leak differ between the rows of one kind."""

    kind: SubgroupKind
    p: float = Field(description="Fisher-Freeman-Halton; of two rows exact, of more by 9,999 random tables")
    p_holm: float = Field(description="corrected for the kinds that were tested (Holm)")


class SubgroupSection(Model):
    """Figures by age, number of notes and type of note; by exact copies they stand in ``by_copies``."""

    least: int = Field(description="patients below which a row is not shown, but made one with another")
    ages_registered: int = Field(description="patients whose age follows from their date of birth")
    ages_written: int = Field(description="patients whose age is what their notes say")
    rows: tuple[SubgroupRow, ...]
    tests: tuple[SubgroupTest, ...] = Field(
        description="of age and number of notes; not of note types, as a patient stands in several, nor "
        "where notes were screened"
    )
