"""Invented reports for gates: one that every shipped policy passes, and how to make it worse."""

from __future__ import annotations

from typing import Any

import numpy as np
from renderers.sample_report import LENGTHS, full_report

from phiscan.scan_report import (
    Decision,
    DetectionRow,
    DetectionSection,
    Estimate,
    ExposureSection,
    PlantArm,
    PlantSection,
    ReviewSection,
    ScanReport,
    SpikeRow,
    SpikeSection,
    Stratum,
    VerdictCount,
)
from phiscan.stats import cluster_rate, zero_bound

PATIENTS, HELD_OUT = 1184, 315


def rate(metric: str, count: int, n: int, *, undecided: int = 0, **stratum: Any) -> Estimate:
    """With the interval that a scan makes of one unit a patient."""
    found = cluster_rate(np.arange(n) < count, np.ones(n, dtype=np.int64), seed=1)
    return Estimate(
        metric=metric, stratum=Stratum(**stratum), value=found.value, low=found.low, high=found.high,
        level=0.95, count=count, n=n, patients=n, n_undecided=undecided, method=found.method,
    )  # fmt: skip


def report(
    *, leaking: int = 0, headline: int = 0, phones: int = 0, others: int = 0, runs: int = 0,
    missed: int = 0, undecided: int = 0, false_alarms: int = 0, overlooked: int = 0,
) -> ScanReport:  # fmt: skip
    """Everything measured, nothing found but what is asked for.

    Args:
        leaking: patients with a headline leak.
        headline: headline hits that are dates.
        phones: those that are phone numbers.
        others: values of other patients.
        runs: prompts of each length that gave back a net run of 50.
        missed: spikes that were missed.
        undecided: patients with undecided hits.
        false_alarms: headline hits of twins.
        overlooked: annotated HIPAA identifiers of 300 that no detector found, one a patient.

    """
    base = full_report()
    counts = {("scanned", "headline"): headline + phones, ("holdout", "other_patient"): others}
    lines = [
        line.model_copy(update={"instances": counts.get((line.arm, line.line), 0)}) for line in base.leaks
    ]
    estimates = [
        rate("patients_with_headline_leak", leaking, PATIENTS, undecided=undecided),
        rate("patients_with_headline_leak", 0, HELD_OUT, arm="holdout"),
        rate("patients_with_headline_leak", 3, PATIENTS, arm="control"),
        *(
            rate("net_ratio", runs, 400, unit=unit, threshold=threshold, prefix_length=length, support="all")
            for unit in ("token", "word")
            for threshold in (30, 50)
            for length in LENGTHS
        ),
    ]
    verdicts = [_verdict("DATE", "C", headline), _verdict("PHONE", "D", phones)]
    coverage = base.coverage.model_copy(update={"rows_bad": {}})
    return base.model_copy(
        update={
            "decision": Decision(outcome="none_found_within_bound", reasons=("nothing found",)),
            "coverage": coverage, "leaks": tuple(lines), "verdicts": tuple(verdicts),
            "estimates": tuple(estimates), "spikes": spikes(missed), "review": review(),
            "exposure": exposure(), "plants": plants(false_alarms), "detection": detection(overlooked),
        }
    )  # fmt: skip


def _verdict(category: str, letter: str, headline: int) -> VerdictCount:
    return VerdictCount(
        arm="scanned", category=category, hipaa=letter, group="other", verdict="verbatim", apart=False,
        anchored=headline, specific=0, control_emits=0, headline=headline, instances=headline, values=headline,
    )  # fmt: skip


def spikes(missed: int = 0) -> SpikeSection:
    row = SpikeRow(
        kind=None, category=None, spikes=62, found=62, found_low=0.9, found_high=1.0, right=62,
        right_low=0.9, right_high=1.0, leaks=41, reported=41 - missed, reported_low=0.7, reported_high=1.0, level=0.95,
    )  # fmt: skip
    return SpikeSection(
        rows=(row,), missed={"DATE": missed} if missed else {}, overlooked={}, not_spiked=("STATE",)
    )


def review() -> ReviewSection:
    miss = rate("detector_miss_rate", 1, 300)
    kappa = rate("verdict_kappa", 80, 90).model_copy(update={"value": 0.86, "low": 0.71, "high": 0.95})
    return ReviewSection(
        outputs=9000, items=200, blind=100, answered=200, skipped=0, twice=60, differing=4, adjudicated=4, open=0,
        unanswered_regions=0, unusable_regions=0, people=2, strata=(), estimates=(miss,), agreement=(kappa,),
        totals=(), topics=(), memorization={}, missed_verdicts={},
    )  # fmt: skip


def exposure() -> ExposureSection:
    return ExposureSection(
        notes=2412, notes_failed=0, patients=PATIENTS, control=True, decoys=1000, windowed_spans=0,
        estimates=(), rows=(), curves=(), scores=(),
    )  # fmt: skip


def detection(overlooked: int = 0) -> DetectionSection:
    """Strict finds ten fewer than overlap; all categories are HIPAA's 300 values and a hundred found others."""

    def row(scope: str, n: int) -> DetectionRow:
        made = {
            f"{match}_{side}": rate(f"gold_{side}_{match}", n - overlooked - less, n)
            for match, less in (("strict", 10), ("overlap", 0))
            for side in ("recall", "precision")
        }
        return DetectionRow(scope=scope, category=None, **made)

    return DetectionSection(notes=400, patients=400, rows=(row("all", 400), row("hipaa", 300)), not_scored={})


def plants(false_alarms: int = 0) -> PlantSection:
    arm = PlantArm(
        arm="twin", patients=30, notes=30, notes_asked=30, prompts=90, failed=0, control_failed=0, degenerate=0,
        headline=false_alarms, headline_patients=min(false_alarms, 30), other_patient=0,
    )  # fmt: skip
    plant = arm.model_copy(update={"arm": "plant", "headline": 25, "headline_patients": 12})
    return PlantSection(arms=(plant, arm), rows=(), categories=(), differences=())


def none_of(n: int) -> float:
    """Upper limit of a share of which nothing was seen among ``n``."""
    return zero_bound(n, 0.95)
