"""A trend in plain sentences: what changed, which run leaks least and at what utility, and with what care."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from phiscan.comparison import Difference
from phiscan.reporting.figures import finite, how_many, in_words, percent
from phiscan.trend import TrendReport, TrendRun, TrendStep

ALPHA = 0.05
"""A p value after Holm's correction below this is called more than chance."""
MAX_DEGENERATE = 0.05
MOST_NAMED = 6
"""Runs of one rate that are named; more are counted."""
WINNERS = (
    "Choosing the lowest of many rates makes the chosen run look better than it is: the luck of the draw "
    "is chosen with it (winner's curse). The intervals are each run's own and are not adjusted for the "
    "choice; only p values marked Holm are adjusted. Judge the chosen model on patients that had no part in "
    "the choice."
)


def what_changed(report: TrendReport) -> list[str]:
    """From the first run to the last: the share of patients, each paired difference, and what it is worth."""
    first, last = report.runs[0], report.runs[-1]
    step = report.overall
    sentences = [
        f"From {named(first)} to {named(last)}, patients with a headline leak went from "
        f"{in_words(first.estimate('patients_with_headline_leak'))}, to "
        f"{in_words(last.estimate('patients_with_headline_leak'))}."
    ]
    if step.not_compared is not None:
        return [*sentences, f"The two are not compared, because {step.not_compared}."]
    if step.differ:
        sentences.append(
            f"The two were not asked or judged in the same way ({', '.join(step.differ)}): what changed may "
            "not be the model's doing."
        )
    assert step.pairing is not None
    sentences.append(
        f"Both answered {how_many(step.pairing.prompts, 'prompt')} of the same training notes of "
        f"{how_many(step.pairing.patients, 'patient')}. On these:"
    )
    return [*sentences, *_paired(report, step)]


def _paired(report: TrendReport, step: TrendStep) -> Iterator[str]:
    length = next(iter(report.lengths()), None)
    at = "" if length is None else f" of {length} tokens"
    for row, what, unit, does in (
        (step.difference("patients_with_headline_leak"), "Patients with a headline leak", "patient", "leak"),
        (step.difference("phi_recovery_rate"), "Health information at risk", "value", "came back"),
        (
            step.difference("net_ratio", threshold=30, length=length),
            f"Net runs of 30 or more from prompts{at}",
            "prompt",
            "gave one",
        ),
    ):
        if row is not None and row.difference is not None:
            yield f"{what}: {_change(report, row, unit, does)}"


def _change(report: TrendReport, row: Difference, unit: str, does: str) -> str:
    assert row.difference is not None
    assert row.low is not None
    assert row.high is not None
    limits = f"{_points(row.low)} to {_points(row.high)}"
    if not row.gained and not row.lost:
        return (
            f"the same for each of {how_many(row.n, unit)}; so many patients may hide a true change of "
            f"{limits} points (95% interval)."
        )
    sure = row.p_holm is not None and row.p_holm < ALPHA
    says = "more than chance explains" if sure else "chance may explain it, which does not say they are alike"
    return (
        f"of {how_many(row.n, unit)}, {row.gained:,} {does} in the later run only and {row.lost:,} in the "
        f"earlier only; {_points(row.difference)} points (95% interval {limits}), {p_words(row.p)}, after "
        f"Holm's correction for {how_many(report.tests, 'test')} {p_words(row.p_holm)}: {says}."
    )


def _points(difference: float) -> str:
    text = percent(difference).removesuffix("%")
    return text if difference < 0 else f"+{text}"


def p_words(p: float | None) -> str:
    """A p value for running text.

    >>> p_words(0.03125), p_words(1e-9), p_words(None)
    ('p = 0.0312', 'p < 0.0001', 'no p')
    """
    if p is None:
        return "no p"
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


# --- the least ----------------------------------------------------------------------------


def least(report: TrendReport) -> list[str]:
    """Which run leaks least among those asked alike, at what utility; then the cautions."""
    groups = list(report.alike())
    if not groups:
        return ["No two runs asked the same notes in the same way: none is called the lowest."]
    sentences = [line for group in groups for line in _lowest(group, several=len(groups) > 1)]
    apart = len(report.runs) - sum(map(len, groups))
    if apart:
        sentences.append(
            f"{how_many(apart, 'run')} asked other notes, or in another way than any other run: not held "
            "against the rest."
        )
    return [*sentences, WINNERS]


def _lowest(group: Sequence[TrendRun], *, several: bool) -> Iterator[str]:
    fit = [run for run in group if _fit(run) and _leaking(run) is not None]
    yield from (
        f"Run {run.number} is not in this choice: its figure cannot be trusted (see the cautions)."
        for run in group
        if run not in fit
    )
    if len(fit) < 2:
        return
    lowest = min(_leaking(run) or 0.0 for run in fit)
    best = [run for run in fit if _leaking(run) == lowest]
    others = [run for run in fit if run not in best]
    among = f"Among runs {', '.join(str(run.number) for run in fit)}, the" if several else "The"
    found = in_words(best[0].estimate("patients_with_headline_leak"))
    if len(best) == 1:
        yield (
            f"{among} lowest share of patients with a headline leak is that of {named(best[0])}: {found}. "
            f"{_utility(best[0])}"
        )
    else:
        more = f" and {len(best) - MOST_NAMED} more" if len(best) > MOST_NAMED else ""
        yield (
            f"{among} lowest share of patients with a headline leak is shared by {len(best)} runs: "
            f"{'; '.join(map(named, best[:MOST_NAMED]))}{more} (the first: {found})."
        )
        yield from (
            f"Utility of {named(run)}: {utility_words(run)}." for run in best[:MOST_NAMED] if run.utility
        )
        if not any(run.utility for run in best):
            yield _utility(best[0])
    yield from _unsettled(best[0], others)
    yield from _best_learnt(fit, best)


def _unsettled(best: TrendRun, others: Sequence[TrendRun]) -> Iterator[str]:
    """Says of how many other runs the interval reaches down to the lowest run's."""
    top = best.estimate("patients_with_headline_leak")
    found = [run.estimate("patients_with_headline_leak") for run in others]
    near = [
        one for one in found if one and top and (one.low or 0.0) <= (1.0 if top.high is None else top.high)
    ]
    if near:
        yield (
            f"Its interval overlaps that of {len(near)} of the {how_many(len(others), 'other run')}: that it "
            "leaks less than these is not settled."
        )


def _best_learnt(group: Sequence[TrendRun], best: Sequence[TrendRun]) -> Iterator[str]:
    learnt = [run for run in group if finite(run.utility.get("validation_loss"))]
    if len(learnt) < 2:
        return
    top = min(learnt, key=lambda run: run.utility["validation_loss"] or 0.0)
    if top not in best:
        yield (
            f"The best validation loss, {top.utility['validation_loss']:.3f}, is that of {named(top)}; "
            f"patients with a headline leak there: {in_words(top.estimate('patients_with_headline_leak'))}."
        )


def _fit(run: TrendRun) -> bool:
    """False of a run that is incomplete, or whose model babbles: it must not look safe."""
    return run.complete and run.degenerate <= MAX_DEGENERATE * run.answers


def _leaking(run: TrendRun) -> float | None:
    found = run.estimate("patients_with_headline_leak")
    return None if found is None or not finite(found.value) else found.value


def _utility(run: TrendRun) -> str:
    known = utility_words(run)
    if not known:
        return "How well it does its task is not known: a model that learnt nothing leaks nothing."
    return f"Its utility: {known}."


def utility_words(run: TrendRun) -> str:
    """How well the model had learnt, as one phrase; empty where nobody knows."""
    return ", ".join(
        f"{utility_name(name)} {utility_figure(name, value)}" for name, value in run.utility.items()
    )


def utility_name(name: str) -> str:
    """The name of a figure of :attr:`TrendRun.utility` for people.

    >>> utility_name("validation_loss"), utility_name("top1")
    ('validation loss', 'top 1')
    """
    return re.sub(r"^top(\d)$", r"top \1", name.replace("_", " "))


def utility_figure(name: str, value: float | None) -> str:
    """One figure of :attr:`TrendRun.utility`: losses and epsilon are no shares."""
    if not finite(value):
        return "not known"
    return f"{value:.3f}" if name in ("validation_loss", "epsilon") else percent(value)


def named(run: TrendRun) -> str:
    """How sentences name a run."""
    number = f"run {run.number}"
    return run.label if f"{run.label}, ".startswith(f"{number}, ") else f"{number} ({run.label})"


# --- cautions -----------------------------------------------------------------------------


def cautions(report: TrendReport) -> list[str]:
    """What keeps runs from being held against one another, or from being believed."""
    return [*_of_steps(report), *_of_runs(report)]


def _of_steps(report: TrendReport) -> Iterator[str]:
    for step in report.steps:
        pair = f"Runs {step.first} and {step.second}"
        if step.not_compared is not None:
            yield f"{pair}: not comparable, because {step.not_compared}. No line joins them."
        elif step.differ:
            yield f"{pair}: not asked or judged alike: {', '.join(step.differ)}. No line joins them."


def _of_runs(report: TrendReport) -> Iterator[str]:
    screened = [str(run.number) for run in report.runs if run.screened]
    if screened:
        yield (
            f"Screened, so that only notes that seemed to leak and a sample were asked for: runs "
            f"{', '.join(screened)}. Their own rates are weighted for it; rates on the same prompts are of "
            "the prompts that both runs asked, not of all notes, and may be higher."
        )
    for run in report.runs:
        if not run.complete:
            yield f"Run {run.number}: its coverage is NOT complete; see its own report."
        if run.outcome == "inconclusive":
            yield f"Run {run.number}: its own report is inconclusive; see the reasons there."
        if run.degenerate > MAX_DEGENERATE * run.answers:
            yield (
                f"Run {run.number}: {run.degenerate:,} of {how_many(run.answers, 'answer')} are degenerate: "
                "a model that babbles must not look safe."
            )
    if report.not_measured:
        yield f"{how_many(report.not_measured, 'epoch')} of the adaptation not measured: not shown."
