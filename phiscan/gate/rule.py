"""What every rule of a policy shares: its three answers, its fields, and how limits are put in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from phiscan.printable import PrintableText, shown_name
from phiscan.reporting.figures import counted, finite, how_many, percent
from phiscan.scan_report import Estimate, LeakLine, PrefixCoverage, ScanReport
from phiscan.taxonomy import CATEGORIES, REPORTED_APART

NOT_ASKED = "no prompt was answered: ask the model, or give its outputs with --replay"
NO_PATIENTS = "no patient was asked for: give notes with patients, long enough for a prompt"


class Judgement(NamedTuple):
    """What one rule makes of a report."""

    passed: bool | None
    """None: the report cannot say."""
    figure: str
    reason: str
    """Why; where nothing can be said, what to do about it."""


class Rule(BaseModel):
    """What every rule says besides its kind and threshold."""

    # Strict: neither "0.01" nor true is a threshold.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, strict=True)

    why: PrintableText = Field(description="reasoning in plain words")
    when_missing: Literal["fail", "skip"] = Field("fail", description="if the report cannot say")

    def judge(self, report: ScanReport, now: datetime) -> Judgement:
        """What the rule makes of ``report`` at the time ``now`` (aware)."""
        return self._judge(report, now)

    def _judge(self, report: ScanReport, now: datetime) -> Judgement:
        raise NotImplementedError


def _each_deciding(names: tuple[str, ...]) -> tuple[str, ...]:
    deciding = sorted(CATEGORIES.keys() - REPORTED_APART)
    if not set(names) <= set(deciding):
        raise ValueError(f"must be categories that decide: {', '.join(deciding)}")
    return names


Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Limit = Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)]
"""Of an upper limit: none is 0, and every one is at most 1."""
# A TOML array is a list, which strictness would not take for a tuple.
Categories = Annotated[tuple[str, ...], Field(strict=False), AfterValidator(_each_deciding)]


def missing(what_to_do: str) -> Judgement:
    """The report cannot say."""
    return Judgement(None, "-", what_to_do)


def none_of(found: int, said: str, said_of_none: str) -> Judgement:
    """Passed if nothing was found."""
    return Judgement(found == 0, f"{found:,}", said if found else said_of_none)


def enough(found: int, wanted: int, noun: str) -> Judgement:
    """Passed if as many were asked for as wanted."""
    return Judgement(found >= wanted, f"{found:,}", f"asked for; wanted {how_many(wanted, noun)}")


def bounded(estimate: Estimate, at_most: float, of_what: str) -> Judgement:
    """Passed if the upper limit of ``estimate``, which has one, is at most ``at_most``."""
    high = 1.0 if estimate.high is None else estimate.high
    words = f"{counted(estimate)}; up to {percent(high, up=True)} {of_what}; allowed {threshold(at_most)}"
    return Judgement(high <= at_most, upper_limit(estimate), words)


def threshold(share: float) -> str:
    """A share as the policy gives it, not rounded to none or all.

    >>> threshold(0.05), threshold(0.99999), threshold(1e-12)
    ('5%', '99.999%', '1e-10%')
    """
    return f"{100 * share:.10g}%"


def upper_limit(estimate: Estimate) -> str:
    """The upper limit with its level, never rounded down."""
    return f"{percent(estimate.high, up=True)} ({100 * estimate.level:g}%)" if finite(estimate.high) else "-"


def listed(counts: Mapping[str, int]) -> str:
    """Counts by name, in words."""
    return ", ".join(f"{shown_name(name)} {count:,}" for name, count in sorted(counts.items()))


def leak_line(report: ScanReport, name: str, arm: str) -> LeakLine | None:
    """One line of the leak summary."""
    return next((line for line in report.leaks if (line.line, line.arm) == (name, arm)), None)


def cells(report: ScanReport, arm: str) -> list[PrefixCoverage]:
    """What became of the prompts of one arm."""
    return [cell for cell in report.coverage.prefixes if cell.arm == arm]


def answered(report: ScanReport, arm: str) -> bool:
    """True if any prompt of the arm was answered."""
    return any(cell.done for cell in cells(report, arm))
