"""What the figures are evidence for: the "very small risk" of an expert, a breach assessment, a crosswalk.

Prompts for people with the report's own figures beside them. Nothing here is a determination.
"""

from __future__ import annotations

from typing import NamedTuple

from phiscan.reporting.facts import affected, headline_letters
from phiscan.reporting.figures import how_many, in_words
from phiscan.reporting.release import AVAILABILITY
from phiscan.reporting.view import first, pick
from phiscan.scan_report import Estimate, ScanReport

_LASTING = ("A", "B", "G", "H", "I", "J", "K", "P")
"""Identifiers that stay with a person for years: names, places, numbers of person and record, biometrics."""


class Prompt(NamedTuple):
    """A question for a person to answer, and what this report has to say to it."""

    name: str
    question: str
    evidence: tuple[str, ...]


class Crossing(NamedTuple):
    """A requirement, the sections that speak to it, and what is left to people."""

    requirement: str
    sections: tuple[tuple[str, str], ...]
    left: str


def risk_prompts(report: ScanReport) -> tuple[Prompt, ...]:
    """Replicability, availability, distinguishability: the reasoning behind "very small risk"."""
    return (
        Prompt(
            "Replicability",
            "Would what came back be true of the same patient again? A name or record number stays, a "
            "blood pressure does not.",
            tuple(_replicable(report)),
        ),
        Prompt(
            "Availability",
            "Who else can have the values, and who can put the question to this model? Think of what an "
            "outsider must already hold for these prompts.",
            tuple(_available(report)),
        ),
        Prompt(
            "Distinguishability",
            "How far do the values that came back together point to one person?",
            tuple(_distinguishing(report)),
        ),
    )


def breach_factors(report: ScanReport) -> tuple[Prompt, ...]:
    """The four factors of 45 CFR 164.402(2), for a model that was already used or given away."""
    return (
        Prompt(
            "(i) Nature and extent",
            "Which identifiers, how many patients, how likely is it that they are recognised?",
            (*_what_came_out(report), *_distinguishing(report)),
        ),
        Prompt(
            "(ii) To whom",
            "Who could ask the model, and are they bound to secrecy?",
            (_users(report),),
        ),
        Prompt(
            "(iii) Acquired or viewed",
            "Do logs of the model's answers show that patient text was given out? This scan shows what the "
            "model can give, not what it gave.",
            ("This report holds nothing on who asked the model what.",),
        ),
        Prompt(
            "(iv) Mitigated",
            "Was the model withdrawn, were its answers deleted, do those who had them attest to that?",
            ("A scan of the retrained model with the same settings shows what a mitigation took away.",),
        ),
    )


def crosswalk() -> tuple[Crossing, ...]:
    """Requirements of HIPAA, NIST AI RMF 1.0 and SP 800-188, and where this report speaks to them."""
    return _CROSSWALK


def _what_came_out(report: ScanReport) -> list[str]:
    kinds = [f"{name.replace(';', ' and')} ({count:,})" for name, count in headline_letters(report)]
    patients = affected(report, "scanned")
    said = [f"Headline hits by identifier: {', '.join(kinds)}." if kinds else "No headline leak came back."]
    return said if patients is None else [*said, f"Patients with a headline leak: {in_words(patients)}."]


def _replicable(report: ScanReport) -> list[str]:
    lasting = sum(
        row.headline
        for row in report.verdicts
        if row.arm == "scanned" and not row.apart and (row.hipaa or "") in _LASTING
    )
    total = sum(count for _, count in headline_letters(report))
    again = [row for row in report.confirmations if row.arm == "scanned"]
    said = [
        f"{lasting:,} of {how_many(total, 'headline hit')} are identifiers that last for years (names, "
        "places, numbers of person, plan, account, licence or record)."
    ]
    said += [
        f"Asked again, alone, the model gave {row.seen_again:,} of {how_many(row.leaks, 'leak')} once more."
        for row in again
    ]
    return said


def _available(report: ScanReport) -> list[str]:
    compared = {"holdout": "patients the model never saw", "control": "the control model's answers"}
    said = [
        f"What comes back anyway, from {name}: {in_words(estimate)} with a headline leak."
        for arm, name in compared.items()
        if (estimate := affected(report, arm)) is not None
    ]
    return [*said, _users(report)]


def _distinguishing(report: ScanReport) -> list[str]:
    linked: Estimate | None = first(
        pick(report.estimates, "patients_with_linked_disclosure", arm="scanned", copies=None)
    )
    own = next((line for line in report.leaks if (line.arm, line.line) == ("scanned", "headline")), None)
    said = [] if own is None else [f"{how_many(own.values, 'distinct value')} counted as headline leaks."]
    if linked is not None:
        said.append(f"An identifier beside a sensitive fact of the same patient: {in_words(linked)}.")
    return said


def _users(report: ScanReport) -> str:
    who = report.release.availability
    return "Who may use the model was not said." if who is None else f"May use it: {AVAILABILITY[who]}."


_VERY_SMALL = ("legal", "Very small risk"), ("verdicts", "Verdicts"), ("exposure", "Exposure")
_METHODS = ("method", "Definitions"), ("settings", "Settings"), ("coverage", "Coverage")
_CROSSWALK = (
    Crossing(
        "45 CFR 164.514(b)(1)(i): an expert finds the risk of identification very small",
        _VERY_SMALL,
        "The determination itself, by a person with the knowledge the rule asks for.",
    ),
    Crossing(
        "45 CFR 164.514(b)(1)(ii): the methods and results of that analysis are documented",
        _METHODS,
        "The expert's own reasoning and signature.",
    ),
    Crossing(
        "45 CFR 164.514(b)(2)(i): eighteen identifiers of patient, relatives, employers, household",
        (("phi", "At risk and recovered"), ("spikes", "The scanner itself")),
        "Photographs, which no text scan can see; what the detectors miss.",
    ),
    Crossing(
        "45 CFR 164.514(b)(2)(ii): no actual knowledge that what remains could identify a person",
        (("decision", "Decision"), ("beyond", "Beyond PHI")),
        "A headline leak in this report is such knowledge. That none was found is not proof of its absence.",
    ),
    Crossing(
        "45 CFR 164.402(2): the four factors of a breach assessment",
        (("legal", "Work-sheet"),),
        "The facts of use, and the assessment.",
    ),
    Crossing(
        "NIST AI RMF 1.0, MAP 5.1 and MEASURE 2.10: likelihood and size of harm; privacy risk examined",
        (("decision", "Decision"), ("scope", "Attackers"), ("copies", "Repeated notes")),
        "Harms other than giving training notes back.",
    ),
    Crossing(
        "NIST AI RMF 1.0, MEASURE 2.1 and 2.5: test sets, metrics and tools documented; limits of validity",
        (*_METHODS, ("limits", "Limits")),
        "Whether these patients stand for those to come.",
    ),
    Crossing(
        "NIST AI RMF 1.0, MEASURE 3.1, MANAGE 1.1 and 4.1: risks tracked; go or no-go; watched after release",
        (("release", "Release"), ("decision", "Decision")),
        "The decision, and watching the model in use.",
    ),
    Crossing(
        "NIST SP 800-188: a disclosure review board decides on evidence such as re-identification studies",
        (("release", "Release"), ("scope", "Attackers"), ("review", "What people found")),
        "The board's choice of a way of sharing (open, by agreement, enclave, synthetic data).",
    ),
)
