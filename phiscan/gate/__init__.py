"""ScanReport -> may the model go on: policies, and the closed set of rules they are made of. Pure functions.

A rule has three answers: passed, failed, and "this report cannot say", which fails too unless the policy
says ``when_missing = "skip"``. Shares are judged by the upper limit of their interval, never by the share
itself: few patients pass no bound.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from phiscan.gate.evidence import (
    ControlPresent,
    CoverageComplete,
    ExposureMade,
    HoldoutPresent,
    MaxDegenerate,
    MinDetectorRecall,
    MinPatients,
    NoMissedSpikes,
    OutcomeIn,
    ReportAge,
    ReviewDone,
)
from phiscan.gate.leaks import (
    LeakRateNotAbove,
    MaxNetRatio,
    MaxPatientLeakRate,
    MaxUndecided,
    NoHeadlineLeaks,
    NoOtherPatientValues,
    PlantsTwinsSilent,
)
from phiscan.gate.rule import Rule
from phiscan.printable import PrintableName, PrintableText, shown_name
from phiscan.scan_report import Model, ScanReport

AnyRule = (
    NoHeadlineLeaks | NoOtherPatientValues | MaxPatientLeakRate | LeakRateNotAbove | MaxNetRatio
    | MaxUndecided | PlantsTwinsSilent | OutcomeIn | CoverageComplete | NoMissedSpikes | MinPatients
    | HoldoutPresent | ControlPresent | MaxDegenerate | ReviewDone | MinDetectorRecall | ExposureMade
    | ReportAge
)  # fmt: skip
KINDS: dict[str, type[Rule]] = {
    get_args(kind.model_fields["what"].annotation)[0]: kind for kind in get_args(AnyRule)
}
"""The rules there are, by what a policy calls them."""


def _rule_name(name: str) -> str:
    if not re.fullmatch("[a-z0-9][a-z0-9-]{0,59}", name):
        raise ValueError("a rule's name is small letters, digits and hyphens, 60 at most")
    return name


Result = Literal["passed", "failed", "skipped"]


class Policy(BaseModel):
    """What must hold before a model goes on, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, strict=True)

    name: PrintableName
    why: PrintableText
    rules: dict[
        Annotated[str, AfterValidator(_rule_name)],
        Annotated[AnyRule, Field(discriminator="what")],
    ]

    @model_validator(mode="after")
    def _decides(self) -> Policy:
        if not self.rules:
            raise ValueError("rules: at least one is wanted")
        if all(rule.when_missing == "skip" for rule in self.rules.values()):
            raise ValueError('at least one rule must not have when_missing = "skip"')
        return self


class Finding(Model):
    """One rule of a policy and what came of it."""

    rule: str
    what: str
    result: Result
    figure: str
    reason: str
    why: str


class GateResult(Model):
    """What a policy makes of a report."""

    policy: str
    why: str
    passed: bool
    created: str = Field(description="when the report was made")
    findings: tuple[Finding, ...] = Field(description="in the order of the policy")

    def count(self, result: Result) -> int:
        """How many rules came to ``result``."""
        return sum(finding.result == result for finding in self.findings)


def judge(policy: Policy, report: ScanReport, now: datetime) -> GateResult:
    """Apply every rule to ``report``; passed if none failed. ``now`` is aware."""
    findings = []
    for name, rule in policy.rules.items():
        found = rule.judge(report, now)
        result: Result = "passed" if found.passed else "failed"
        if found.passed is None and rule.when_missing == "skip":
            result = "skipped"
        findings.append(
            Finding(
                rule=name,
                what=rule.what,
                result=result,
                figure=found.figure,
                reason=found.reason,
                why=rule.why,
            )
        )
    return GateResult(
        policy=policy.name,
        why=policy.why,
        passed=all(finding.result != "failed" for finding in findings),
        created=shown_name(report.manifest.created),
        findings=tuple(findings),
    )
