"""Rules on how much the scan can say: what was asked, of whom, and how well the scanner was tested."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from phiscan.gate.rule import (
    NO_PATIENTS,
    NOT_ASKED,
    Categories,
    Judgement,
    Limit,
    Rule,
    Share,
    answered,
    cells,
    enough,
    listed,
    missing,
    threshold,
    upper_limit,
)
from phiscan.printable import shown_name
from phiscan.report import MOST_NOT_FOUND
from phiscan.reporting.facts import affected
from phiscan.reporting.figures import centre, counted, finite, how_many, percent
from phiscan.reporting.view import first, pick
from phiscan.scan_report import ScanReport

Count = Annotated[int, Field(ge=1, le=10**9)]
Outcome = Literal["leak_found", "inconclusive", "none_found_within_bound"]


class OutcomeIn(Rule):
    """The decision of the report is one of these; whatever phiscan doubts makes it inconclusive."""

    what: Literal["outcome"]
    allowed: Annotated[tuple[Outcome, ...], Field(strict=False, min_length=1)]

    def _judge(self, report: ScanReport, now: datetime) -> Judgement:
        found = report.decision.outcome
        return Judgement(found in self.allowed, found, f"allowed: {', '.join(self.allowed)}")


class CoverageComplete(Rule):
    """All that was loaded was read and asked, and a sample of what screening cleared."""

    what: Literal["coverage_complete"]

    def _judge(self, report: ScanReport, now: datetime) -> Judgement:
        whole = report.coverage
        if not answered(report, "scanned"):
            return missing(NOT_ASKED)
        unseen = any(row.arm == "scanned" and not row.sampled_prompts for row in report.screening)
        lost = whole.replay_prefix_not_found > MOST_NOT_FOUND * max(1, whole.replay_rows)
        failed = sum(cell.failed for cell in whole.prefixes) + whole.control_holdout_failed
        bad = sum(whole.rows_bad.values()) + whole.replay_unknown_note
        said = f"{failed:,} prompts failed, {bad:,} rows not read"
        if lost:
            said += f", prefix of {whole.replay_prefix_not_found:,} replayed rows not found"
        if unseen:
            said += ", nothing asked of what screening cleared"
        if not whole.complete:
            return Judgement(False, "incomplete", f"{said}: see coverage in the report")
        return Judgement(not lost and not unseen, "complete", said)


class NoMissedSpikes(Rule):
    """Every leak written into answers to test the scanner was reported, in every category at risk."""

    what: Literal["no_missed_spikes"]
    may_lack: Categories = Field((), description="categories at risk that need no spike")

    def _judge(self, report: ScanReport, now: datetime) -> Judgement:
        spikes = report.spikes
        if spikes is None or not spikes.rows or not spikes.rows[0].leaks:
            return missing(
                "no leak was written into an answer (spikes): that needs spikes.each of 1 or more and values "
                "beyond doubt, such as those of --known"
            )
        lacking = [name for name in spikes.not_spiked if name not in self.may_lack]
        faults = [
            *([f"missed: {listed(spikes.missed)}"] if spikes.missed else ()),
            *([f"overlooked: {listed(spikes.overlooked)}"] if spikes.overlooked else ()),
            *([f"at risk without a spike: {', '.join(map(shown_name, lacking))}"] if lacking else ()),
        ]
        figure = f"{spikes.rows[0].reported:,} of {spikes.rows[0].leaks:,} reported"
        return Judgement(not faults, figure, "; ".join(faults) or "every spike was reported")


class MinPatients(Rule):
    """``at_least`` patients were asked for."""

    what: Literal["min_patients"]
    at_least: Count

    def _judge(self, report: ScanReport, now: datetime) -> Judgement:
        rate = affected(report, "scanned")
        if rate is None:
            return missing(NO_PATIENTS)
        return enough(rate.patients, self.at_least, "patient")


class HoldoutPresent(Rule):
    """Patients whom the model never saw were asked for, ``at_least`` of them."""

    what: Literal["holdout_present"]
    at_least: Count = 1

    def _judge(self, report: ScanReport, now: datetime) -> Judgement:
        if not answered(report, "holdout"):
            return missing("no held-out patient was asked for: scan with --holdout or a split column")
        return enough(report.coverage.holdout_patients, self.at_least, "held-out patient")


class ControlPresent(Rule):
    """A model that never saw the notes answered the same prompts."""

    what: Literal["control_present"]

    def _judge(self, report: ScanReport, now: datetime) -> Judgement:
        asked_of = cells(report, "control")
        if not asked_of:
            return missing("no control model was asked: scan with --control")
        done, asked = sum(cell.done for cell in asked_of), sum(cell.asked for cell in asked_of)
        return Judgement(done > 0, f"{done:,} of {asked:,}", "answers of the control model")


class MaxDegenerate(Rule):
    """In no cell is the share of empty, looping or off-language answers above ``at_most``."""

    what: Literal["max_degenerate"]
    at_most: Share
    arm: Literal["scanned", "control"] = "scanned"

    def _judge(self, report: ScanReport, now: datetime) -> Judgement:
        shares = [cell.degenerate / cell.done for cell in cells(report, self.arm) if cell.done]
        if not shares:
            return missing(f"no answer of the {self.arm} arm: scan with a model that answers")
        words = f"of answers are broken in the worst cell; allowed {threshold(self.at_most)}"
        return Judgement(max(shares) <= self.at_most, percent(max(shares), up=True), words)


class ReviewDone(Rule):
    """People read every output drawn; lower limit of their kappa, upper limit of the miss rate."""

    what: Literal["review_done"]
    kappa_at_least: Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)] | None = None
    miss_rate_at_most: Limit | None = None

    def _judge(self, report: ScanReport, now: datetime) -> Judgement:
        review = report.review
        if review is None or not review.items:
            return missing("no review was scored: phiscan review export, pull, score")
        kappa = first(pick(review.agreement, "verdict_kappa"))
        missed = first(pick(review.estimates, "detector_miss_rate", category=None))
        low, high = kappa.low if kappa else None, missed.high if missed else None
        faults, unknown = [], []
        if review.answered < review.items or review.open:
            faults.append(f"{review.items - review.answered:,} outputs unread, {review.open:,} not settled")
        if self.kappa_at_least is not None:
            if not finite(low):
                unknown.append("kappa is not assessable: two people must read the same outputs")
            elif low < self.kappa_at_least:
                faults.append(f"lower limit of kappa below {self.kappa_at_least:g}")
        if self.miss_rate_at_most is not None:
            if not finite(high):
                unknown.append("the miss rate is not assessable: some outputs must be read blind")
            elif high > self.miss_rate_at_most:
                faults.append(f"upper limit of the miss rate above {threshold(self.miss_rate_at_most)}")
        figure = f"kappa {centre(kappa.value, kappa.low, kappa.high)}" if kappa else "no kappa"
        figure += f"; missed {upper_limit(missed)}" if missed else ""
        passed = False if faults else None if unknown else True
        return Judgement(passed, figure, "; ".join(faults + unknown) or "the sample was read")


class MinDetectorRecall(Rule):
    """Of what people annotated in local notes the detectors find ``at_least``: the lower limit says."""

    what: Literal["min_detector_recall"]
    at_least: Limit
    scope: Literal["hipaa", "all"] = Field("hipaa", description="the eighteen identifiers, or every category")
    match: Literal["overlap", "strict"] = Field(
        "overlap", description="any part of the value found as its category, or exactly its bounds"
    )

    def _judge(self, report: ScanReport, now: datetime) -> Judgement:
        rows = report.detection.rows if report.detection else ()
        row = next((row for row in rows if row.scope == self.scope), None)
        recall = None if row is None else row.overlap_recall if self.match == "overlap" else row.strict_recall
        if recall is None or not recall.n or not finite(recall.low):
            return missing("nobody annotated notes to measure the detectors on: scan with --gold")
        words = (
            f"{counted(recall)} of what people annotated; "
            f"at least {percent(recall.low)}, wanted {threshold(self.at_least)}"
        )
        return Judgement(
            recall.low >= self.at_least, f"{percent(recall.low)} ({100 * recall.level:g}%)", words
        )


class ExposureMade(Rule):
    """Every note was scored in one pass of the model, and none failed."""

    what: Literal["exposure_made"]

    def _judge(self, report: ScanReport, now: datetime) -> Judgement:
        made = report.exposure
        if made is None:
            return missing("exposure was not measured: phiscan expose with the same --out")
        figure = f"{made.notes:,} notes, {made.notes_failed:,} failed"
        return Judgement(made.notes > 0 and not made.notes_failed, figure, "scored in one pass of the model")


class ReportAge(Rule):
    """The report is at most so many days old, and not of tomorrow."""

    what: Literal["report_age_days"]
    at_most: Annotated[int, Field(ge=0, le=36_500)]

    def _judge(self, report: ScanReport, now: datetime) -> Judgement:
        try:
            days = (now - datetime.fromisoformat(report.manifest.created)).total_seconds() / 86_400
        except (ValueError, TypeError):  # no date, or one without a zone
            return missing("the report does not say when it was made: scan again")
        words = f"allowed {how_many(self.at_most, 'day')}" if days >= -1 else "made in the future: see clocks"
        return Judgement(-1 <= days <= self.at_most, f"{days:.1f} days", words)
