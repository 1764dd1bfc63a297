"""The release under review: what people have said of it, until when the report holds, what ends it sooner."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from phiscan.reporting.figures import how_many
from phiscan.scan_report import Availability, ScanReport

AVAILABILITY: dict[Availability, str] = {
    "inside": "only people who may read the training notes anyway",
    "agreement": "people under a data use agreement",
    "registered": "whoever registers",
    "public": "anyone",
}
_SHORT = 12
"""Characters of a digest that a line shows; all of it stands under *Which model, which data*."""
RETEST = (
    "the weights, an adapter, the tokenizer, the number format or the quantization change (their digests are "
    "in this report), or the model is trained further",
    "notes or patients are added to the training data, or copies of notes are",
    "more people can use the model than this page says, or they get log-probabilities, the weights, or "
    "tools and retrieval around it",
    "a patient text in an answer is reported by anybody, or a published attack brings out more than the "
    "attackers tested here",
    "phiscan's rules or detectors change so that they find what they missed before (the changelog says so)",
)
"""Any of these and the report holds no longer: scan again."""


def identity(report: ScanReport) -> str:
    """Which model, asked about whose notes, in one line."""
    coverage, scanned = report.coverage, [m for m in report.manifest.models if m.role == "scanned"]
    weights = next((model.weights_sha256 for model in scanned if model.weights_sha256), None)
    adapter = next((model.adapter_sha256 for model in scanned if model.adapter_sha256), None)
    named = [report.release.model] if report.release.model else []
    named += [f"weights beginning {weights[:_SHORT]}"] if weights else []
    named += [f"adapter beginning {adapter[:_SHORT]}"] if adapter else []
    held_out = (
        f", and {how_many(coverage.holdout_notes, 'note')} of "
        f"{how_many(coverage.holdout_patients, 'patient')} kept out of training"
        if coverage.holdout_notes
        else ""
    )
    return (
        f"Model: {', '.join(named) or 'asked elsewhere, not known here'}. Asked about "
        f"{how_many(coverage.notes - coverage.holdout_notes, 'training note')} of "
        f"{how_many(coverage.patients - coverage.holdout_patients, 'patient')}{held_out}."
    )


class Entry(NamedTuple):
    """One line of the file: what is asked, what was said. No answer: a blank line to write on."""

    label: str
    answers: tuple[str, ...]


def entries(report: ScanReport) -> list[Entry]:
    """What the release page asks for, with the answers that ``[release]`` gave."""
    release = report.release
    who = None if release.availability is None else AVAILABILITY[release.availability]
    asked = (
        ("Protocol number", release.protocol),
        ("Purpose of the model", release.purpose),
        ("Consent, or basis of the waiver", release.basis),
        ("Who may use the model", who),
    )
    found = [Entry(label, () if answer is None else (answer,)) for label, answer in asked]
    return [*found, Entry("Who saw patient text in this review", release.phi_seen_by)]


def expires(report: ScanReport) -> str:
    """The day from which on the report is not to be relied on, as YYYY-MM-DD."""
    from dateutil.relativedelta import relativedelta

    made = datetime.fromisoformat(report.manifest.created)
    ends: datetime = made + relativedelta(months=report.release.valid_months)
    return ends.date().isoformat()
