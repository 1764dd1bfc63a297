"""The first questions of a release decision, answered in plain sentences from the report alone."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from phiscan.reporting.detection import detection_sentences
from phiscan.reporting.figures import finite, how_many, in_words
from phiscan.reporting.glossary import ARMS, OUTCOMES, STANDING_LIMITS
from phiscan.reporting.scope import attackers
from phiscan.reporting.view import arms_shown, beyond_share, copies_story, first, pick
from phiscan.scan_report import Estimate, LeakLine, ScanReport
from phiscan.taxonomy import HIPAA_NAMES


class Fact(NamedTuple):
    """One question a reader asks first, and its answer in sentences."""

    question: str
    sentences: tuple[str, ...]


def facts(report: ScanReport) -> tuple[Fact, ...]:
    """The five questions of a release decision, answered from the report alone."""
    outcome = OUTCOMES[report.decision.outcome]
    steps = outcome.next_steps
    if report.decision.outcome == "leak_found" and (copies_story(report) or report.repetitions):
        told = copies_story(report)
        steps = (
            *steps,
            f"{told} Where the second share is higher, keep"
            if told
            else "Where repeated notes leak most, keep",
        )
        steps = (*steps[:-1], f"{steps[-1]} one of each, near-duplicates included, and train again.")
    return (
        Fact("What leaked", tuple(_what(report))),
        Fact("About how many patients", tuple(_patients(report))),
        Fact("How sure", tuple(_how_sure(report))),
        Fact("Compared with what", tuple(_compared(report))),
        Fact("What to do next", steps),
    )


def limits(report: ScanReport) -> list[str]:
    """The report's limits, after those that hold for every report and that it does not name itself."""
    named = "\n".join(report.limits)
    return [*(limit for phrase, limit in STANDING_LIMITS.items() if phrase not in named), *report.limits]


def affected(report: ScanReport, arm: str) -> Estimate | None:
    """Share of the patients of ``arm`` with a headline leak; None if the report has no such figure."""
    return first(pick(report.estimates, "patients_with_headline_leak", arm=arm, copies=None))


def confirmed(report: ScanReport) -> list[str]:
    """What came of asking for leaking answers alone, in sentences; empty where nothing was asked again."""
    if not report.confirmations:
        return []
    dtype = report.manifest.models[0].dtype if report.manifest.models else None
    sentences = [
        f"The model computed in {dtype or 'a precision it does not tell'}, where an answer may change with "
        "the batch it is made in, so every answer with a leak was asked for once more, alone."
    ]
    for row in report.confirmations:
        lost = row.leaks - row.seen_again
        sentences.append(
            f"{ARMS[row.arm]}: {row.identical:,} of {how_many(row.outputs, 'answer')} came "
            f"back token for token{f', {row.failed:,} failed' if row.failed else ''}; {row.seen_again:,} of "
            f"{how_many(row.leaks, 'leak')} stood in them again, {lost:,} did not."
        )
    return [*sentences, "Nothing is taken out of the counts."]


def headline_letters(report: ScanReport) -> list[tuple[str, int]]:
    """Headline instances of the scanned arm by HIPAA name, most frequent first."""
    counts: dict[str, int] = defaultdict(int)
    for row in report.verdicts:
        if row.arm == "scanned" and not row.apart and row.headline:
            counts[HIPAA_NAMES.get(row.hipaa or "", "Outside the eighteen")] += row.headline
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _line(report: ScanReport, name: str, *, arm: str = "scanned") -> LeakLine | None:
    return next((line for line in report.leaks if line.line == name and line.arm == arm), None)


def _what(report: ScanReport) -> list[str]:
    own, other = _line(report, "headline"), _line(report, "other_patient")
    if own is None:
        return ["Headline leaks: not assessable."]
    if own.instances == 0:
        sentences = ["No headline leak came back."]
    else:
        sentences = [
            f"{how_many(own.values, 'distinct value')} from patients' own records came back, "
            f"{how_many(own.instances, 'time')} in all, from {how_many(own.notes, 'note')}."
        ]
        kinds = [f"{name.replace(';', ' and')} ({count:,})" for name, count in headline_letters(report)[:4]]
        sentences += [f"Most often (hits): {', '.join(kinds)}."] if kinds else []
    if other is not None and other.instances:
        sentences.append(
            f"{how_many(other.values, 'value')} belonged to a patient other than the one asked about "
            f"(training prompts), {how_many(other.instances, 'time')} in all."
        )
    elif other is not None:
        sentences.append("No value of another patient came back (training prompts).")
    held_out = _line(report, "other_patient", arm="holdout")
    if held_out is not None and held_out.instances:
        sentences.append(
            f"Prompts of held-out patients brought out {how_many(held_out.values, 'value')} of patients in "
            f"the training data, {how_many(held_out.instances, 'time')} in all."
        )
    return sentences


def _patients(report: ScanReport) -> list[str]:
    estimate = affected(report, "scanned")
    line = _line(report, "headline")
    if estimate is not None:
        return [f"Patients with at least one headline leak: {in_words(estimate)}."]
    if line is not None:
        return [f"{how_many(line.patients, 'patient')}. Their share is not assessable."]
    return ["Not assessable."]


def _how_sure(report: ScanReport) -> list[str]:
    estimate = affected(report, "scanned")
    whole = report.coverage.complete
    sentences = [
        "Coverage is complete: all that was loaded was "
        + (
            "asked, or cleared by the pass over every note, and read."
            if report.screening
            else "asked and read."
        )
        if whole
        else "Coverage is NOT complete; see the counts."
    ]
    if estimate is not None and finite(estimate.value):
        sentences.append(
            f"Of intervals like these {100 * estimate.level:g} in 100 hold the true share "
            f"({estimate.method}, over {how_many(estimate.patients, 'patient')} as independent "
            f"unit{'' if estimate.patients == 1 else 's'})."
        )
    sentences += [*_spiked(report), detection_sentences(report)[0]]
    if report.review is None:
        sentences.append("No person has reviewed a sample of the answers.")
    tried = attackers(report)
    asked = sum(attacker.asked > 0 for attacker in tried)
    sentences.append(f"Attackers tried: {asked} of the {len(tried)} kinds that this report knows.")
    beyond = beyond_share(report)
    if beyond:
        sentences.append(f"{beyond} of the PHI at risk was never asked for: it lay too far into the notes.")
    return sentences


def _spiked(report: ScanReport) -> list[str]:
    """What the scanner found of leaks that were written into answers to test it."""
    if report.spikes is None or not report.spikes.rows or not report.spikes.rows[0].leaks:
        return ["The scanner itself was not tested in this run."]
    row = report.spikes.rows[0]
    return [
        f"The scanner reported {row.reported:,} of {how_many(row.leaks, 'leak')} that phiscan wrote into "
        "answers to test it (spikes)."
    ]


def _compared(report: ScanReport) -> list[str]:
    names = {
        "holdout": "Held-out patients the model never saw",
        "control": "Control model on the same prompts",
    }
    missing = {
        "holdout": "No held-out patients were given, so what comes back by chance is not assessable.",
        "control": "No control model was given, so what any model would write is not assessable.",
    }
    sentences = []
    for arm, name in names.items():
        estimate = affected(report, arm)
        if estimate is not None:
            sentences.append(f"{name}, patients with a headline leak: {in_words(estimate)}.")
        elif arm in arms_shown(report):
            sentences.append(f"{name}: patients with a headline leak not assessable.")
        else:
            sentences.append(missing[arm])
    return sentences
