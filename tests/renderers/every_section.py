"""A report in which the sections stand that a full scan may lack."""

from gate_reports import detection, exposure, plants, review
from renderers.sample_report import estimate, full_report
from renderers.test_subgroups_and_gold_shown import subgroups

from phiscan.scan_report import PlantRow, PlantSection, ScanReport


def sections_report() -> ScanReport:
    """The full report, with exposure, a review, subgroups, plants and detectors on annotated notes."""
    parts = {"exposure": exposure(), "review": review(), "detection": detection(), "plants": plants_asked()}
    return full_report().model_copy(update={**parts, "subgroups": subgroups()})


def plants_asked() -> PlantSection:
    """Plants and twins that were asked for in one way."""
    rows = tuple(
        PlantRow(
            arm=arm, scheme="bare", tier="prefix", decoding="greedy", repetitions=None, notes=30, patients=30,
            ratios=tuple(
                estimate("net_ratio", count + at, 90, arm=arm, unit="token", threshold=threshold)
                for at, threshold in enumerate((30, 50))
            ),
            phi_recovery_rate=estimate("phi_recovery_rate", count, 300, arm=arm),
            patients_with_headline_leak=estimate("patients_with_headline_leak", count, 30, arm=arm),
        )
        for arm, count in (("plant", 12), ("twin", 1))
    )  # fmt: skip
    return plants().model_copy(update={"rows": rows})
