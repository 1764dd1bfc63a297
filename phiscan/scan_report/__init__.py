"""The report as typed data: what was asked, configured and found, and how sure it is.

No field here can hold patient text (a test walks the types). Patients and notes appear only
as counts and keyed digests. Every ratio travels with its denominator and method.
"""

from __future__ import annotations

from pydantic import Field

from phiscan.scan_report.answers import (
    BeyondPhiRow,
    ChanceRow,
    ConfirmationRow,
    CopiesRow,
    LeakLine,
    PositionRow,
    ReachRow,
    RepetitionBand,
    RepetitionRow,
    RepetitionSection,
    ScreeningRow,
    TriageRow,
    VerdictCount,
)
from phiscan.scan_report.base import DESIGN, DRAWS, PLAIN, SHARE, SHARES, Estimate, Model, Stratum
from phiscan.scan_report.controls import (
    PlantArm,
    PlantDifference,
    PlantRow,
    PlantSection,
    SpikeRow,
    SpikeSection,
    SyntheticArm,
)
from phiscan.scan_report.detection import DetectionRow, DetectionSection
from phiscan.scan_report.release import Availability, Release
from phiscan.scan_report.review import ReviewedTopic, ReviewSection, ReviewStratum, ReviewTotal
from phiscan.scan_report.run import Coverage, Decision, InputIdentity, Manifest, ModelIdentity, PrefixCoverage
from phiscan.scan_report.scores import (
    DiscoverableRow,
    ExposureRow,
    ExposureSection,
    PlantsRead,
    ScoreRow,
    SimilarityRow,
    SimilaritySection,
)
from phiscan.scan_report.subgroups import SubgroupKind, SubgroupRow, SubgroupSection, SubgroupTest

__all__ = [
    "DESIGN",
    "DRAWS",
    "PLAIN",
    "SCHEMA_VERSION",
    "SHARE",
    "SHARES",
    "Availability",
    "BeyondPhiRow",
    "ChanceRow",
    "ConfirmationRow",
    "CopiesRow",
    "Coverage",
    "Decision",
    "DetectionRow",
    "DetectionSection",
    "DiscoverableRow",
    "Estimate",
    "ExposureRow",
    "ExposureSection",
    "InputIdentity",
    "LeakLine",
    "Manifest",
    "Model",
    "ModelIdentity",
    "PlantArm",
    "PlantDifference",
    "PlantRow",
    "PlantSection",
    "PlantsRead",
    "PositionRow",
    "PrefixCoverage",
    "ReachRow",
    "Release",
    "RepetitionBand",
    "RepetitionRow",
    "RepetitionSection",
    "ReviewSection",
    "ReviewStratum",
    "ReviewTotal",
    "ReviewedTopic",
    "ScanReport",
    "ScoreRow",
    "ScreeningRow",
    "SimilarityRow",
    "SimilaritySection",
    "SpikeRow",
    "SpikeSection",
    "Stratum",
    "SubgroupKind",
    "SubgroupRow",
    "SubgroupSection",
    "SubgroupTest",
    "SyntheticArm",
    "TriageRow",
    "VerdictCount",
]

SCHEMA_VERSION = "1.0"


class ScanReport(Model):
    """The whole result of a scan."""

    schema_version: str = SCHEMA_VERSION
    decision: Decision
    manifest: Manifest
    coverage: Coverage
    estimates: tuple[Estimate, ...]
    leaks: tuple[LeakLine, ...]
    verdicts: tuple[VerdictCount, ...]
    by_copies: tuple[CopiesRow, ...]
    repetitions: RepetitionSection | None = Field(
        None, description="leakage by repetitions, near-duplicates counted; null in older runs"
    )
    subgroups: SubgroupSection | None = Field(
        None, description="leakage by age, number of notes and type of note; null in older runs"
    )
    reach: tuple[ReachRow, ...]
    positions: tuple[PositionRow, ...] = Field((), description="where in the answers runs begin")
    triage: tuple[TriageRow, ...] = Field((), description="what kind of memorization the repeats are")
    chance: tuple[ChanceRow, ...] = Field(
        (), description="bare matches against chance; empty if there is no second patient to compare with"
    )
    beyond_phi: tuple[BeyondPhiRow, ...] = Field(
        (), description="sensitive content beyond PHI, for people to review; never deciding by itself"
    )
    confirmations: tuple[ConfirmationRow, ...] = Field(
        (), description="answers with leaks, asked for once more alone; empty in float32, and for replay"
    )
    agreement: tuple[Estimate, ...] = Field(
        (), description="human reviewers' agreement; empty until a review was scored"
    )
    screening: tuple[ScreeningRow, ...] = Field(
        (), description="what the pass spared from generation; empty unless notes were screened"
    )
    exposure: ExposureSection | None = Field(
        None, description="exposure of every identifier; null unless the pass was made"
    )
    similarity: SimilaritySection | None = Field(
        None, description="approximate and semantic likeness; null if no metric was asked for"
    )
    review: ReviewSection | None = Field(None, description="people's review; null until it was scored")
    spikes: SpikeSection | None = Field(
        None, description="known values written into continuations: what the scanner finds of them"
    )
    plants: PlantSection | None = Field(
        None, description="synthetic patients in training and left out of it; null if the notes hold none"
    )
    release: Release = Field(
        Release(), description="the release under review, from [release]; no scan can know it"
    )
    detection: DetectionSection | None = Field(
        None, description="the detectors on notes that people annotated; null unless a gold file was given"
    )
    limits: tuple[str, ...]
