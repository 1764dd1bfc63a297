"""A trend in plain sentences: what changed, which run leaks least and at what utility, and with what care."""

from __future__ import annotations

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
    at = "" if length is None else f" at prompts of {length} tokens"
    for row, unit, event in (
        (step.difference("patients_with_headline_leak"), "patient", "with a headline leak"),
        (step.difference("phi_recovery_rate"), "value", "of PHI at risk recovered"),
        (
            step.difference("net_ratio", threshold=30, length=length),
            "prompt",
            f"with a net run of 30 or more{at}",
        ),
    ):
        if row is not None and row.difference is not None:
            yield _change(report, row, unit, event)


def _change(report: TrendReport, row: Difference, unit: str, event: str) -> str:
    assert row.difference is not None
    assert row.low is not None
    assert row.high is not None
    if not row.gained and not row.lost:
        # No unit changed: the interval still says what so many patients can hide.
        return (
            f"Of {how_many(row.n, unit)}, none changed ({event}); the true change may still lie between "
            f"{_points(row.low)} and {_points(row.high)} points (95% interval)."
        )
    sure = row.p_holm is not None and row.p_holm < ALPHA
    says = "more than chance explains" if sure else "chance may explain it, which does not say they are alike"
    return (
        f"{how_many(row.gained, unit)} of {row.n:,} came to be {event} and {row.lost:,} ceased to be: "
        f"{_points(row.difference)} points (95% interval {_points(row.low)} to {_points(row.high)}); "
        f"{p_words(row.p)}, after Holm's correction for {how_many(report.tests, 'test')} "
        f"{p_words(row.p_holm)}: {says}."
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
    rates = {run.number: rate for run in group if (rate := _leaking(run)) is not None}
    if len(rates) < 2:
        return
    lowest = min(rates.values())
    best = [run for run in group if rates.get(run.number) == lowest]
    among = f"Among runs {', '.join(str(run.number) for run in group)}, the" if several else "The"
    one = best[0].estimate("patients_with_headline_leak")
    if len(best) == 1:
        yield (
            f"{among} lowest share of patients with a headline leak is that of {named(best[0])}: "
            f"{in_words(one)}. {_utility(best[0])}"
        )
    else:
        names = "; ".join(named(run) for run in best[:MOST_NAMED])
        more = f" and {len(best) - MOST_NAMED} more" if len(best) > MOST_NAMED else ""
        yield (
            f"{among} lowest share of patients with a headline leak is shared by {len(best)} runs: {names}"
            f"{more} (the first: {in_words(one)})."
        )
        yield from (f"{named(run)}: {_utility(run)}" for run in best[:MOST_NAMED] if run.utility)
        if not any(run.utility for run in best):
            yield _utility(best[0])
    learnt = [run for run in group if finite(run.utility.get("validation_loss"))]
    if len(learnt) > 1:
        top = min(learnt, key=lambda run: run.utility["validation_loss"] or 0.0)
        if top not in best:
            yield (
                f"The best validation loss is that of {named(top)} ({top.utility['validation_loss']:.3f}): "
                f"there, {in_words(top.estimate('patients_with_headline_leak'))} of the patients leak."
            )


def _leaking(run: TrendRun) -> float | None:
    found = run.estimate("patients_with_headline_leak")
    return None if found is None or not finite(found.value) else found.value


def _utility(run: TrendRun) -> str:
    known = utility_words(run)
    if not known:
        return "How well it does its task is not known: a model that learnt nothing leaks nothing."
    return f"Its {known}."


def utility_words(run: TrendRun) -> str:
    """How well the model had learnt, as one phrase; empty where nobody knows."""
    return ", ".join(
        f"{name.replace('_', ' ')} {utility_figure(name, value)}" for name, value in run.utility.items()
    )


def utility_figure(name: str, value: float | None) -> str:
    """One figure of :attr:`TrendRun.utility`: losses and epsilon are no shares."""
    if not finite(value):
        return "not known"
    return f"{value:.3f}" if name in ("validation_loss", "epsilon") else percent(value)


def named(run: TrendRun) -> str:
    """How sentences name a run."""
    return run.label if run.label == f"run {run.number}" else f"run {run.number} ({run.label})"


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
        yield from (f"{pair}: {line}." for line in step.remarks)


def _of_runs(report: TrendReport) -> Iterator[str]:
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
        yield f"{how_many(report.not_measured, 'epoch')} of the adaptation not measured: no row here."
