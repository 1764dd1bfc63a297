"""A forecast in words and tables: what it means, and what budget to spend, from its own figures.

The general findings are those of Biderman et al. 2023 (Pythia, 70M to 12B parameters); each sentence
says whether the suite at hand agrees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from phiscan.forecast import Candidate, EqualCost, Forecast, Prediction
from phiscan.reporting.charts import CostPoint, Point, recall_against_cost, standalone
from phiscan.reporting.figures import NOT_ASSESSABLE, how_many, percent
from phiscan.stats import Interval

LOWEST_PUBLISHED_PRECISION = 0.884
"""6.9B for 12B, the lowest of the fully trained models."""
LARGEST_TESTED = 12_000_000_000
ALPHA = 0.05
"""Two candidates of equal cost are told apart below this p-value."""

SUBJECTS = {
    "alarms": "Alarms",
    "silence": "Silence",
    "order": "Order of the data",
    "budget": "What to spend",
    "limits": "Limits",
}
"""Headings of :func:`forecast_words`."""


class ForecastTable(NamedTuple):
    """A heading, column names and rows; the first column holds words."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]


def forecast_tables(found: Forecast) -> Iterator[ForecastTable]:
    """Costs; precision and recall over what each run and the full one saw, and over what all saw."""
    yield ForecastTable(
        f"Cheap runs, and the full run {found.full}",
        ("", "parameters", "tokens", "FLOPs", "of full cost", "unseen", "not scored"),
        [
            *(
                (one.name, *_size(one), percent(one.cost_share), one.unseen, one.unscored)
                for one in found.candidates
            ),
            (found.full, *_size(found), "100%", found.full_unseen, found.full_unscored),
        ],
    )
    own = [(one.name, one.own) for one in found.candidates]
    common = [(one.name, one.common) for one in found.candidates]
    yield _predictions("Sequences that the cheap run and the full run saw", own)
    if own != common:
        yield _predictions("Sequences that every run saw", common)


def forecast_words(found: Forecast, wanted_recall: float | None = None) -> dict[str, list[str]]:
    """Sentences by subject: alarms, silence, order, budget, limits."""
    return {
        "alarms": list(_alarms(found)),
        "silence": list(_silence(found)),
        "order": list(_order(found)),
        "budget": list(_budget(found, wanted_recall)),
        "limits": list(_limits(found)),
    }


def forecast_chart(found: Forecast) -> str:
    """Recall against cost over the sequences that every run saw, as an SVG document."""
    points = [
        CostPoint(
            one.name,
            one.cost_share,
            Point(one.common.recall.value, one.common.recall.low, one.common.recall.high),
            one.parameters >= found.parameters,
        )
        for one in found.candidates
    ]
    told = [f"{one.name} at {percent(one.cost_share)}: {rate(one.common.recall)}" for one in found.candidates]
    summary = f"Recall by share of the cost of {found.full}, with 95% intervals. {'; '.join(told)}."
    return standalone(recall_against_cost("forecast", "Recall against cost", summary, points))


def rate(interval: Interval) -> str:
    """A rate with its 95% interval.

    >>> rate(Interval(0.5, 0.2366, 0.7634, "Wilson"))
    '50.0% (23.7 to 76.3%)'
    """
    if interval.value is None or interval.low is None or interval.high is None:
        return NOT_ASSESSABLE
    low = percent(interval.low).removesuffix("%")
    return f"{percent(interval.value)} ({low} to {percent(interval.high)})"


def _size(one: Candidate | Forecast) -> tuple[str, str, str]:
    return f"{one.parameters:,}", f"{one.tokens:.3g}", f"{one.flops:.2e}"


def _predictions(title: str, rows: Sequence[tuple[str, Prediction]]) -> ForecastTable:
    return ForecastTable(
        title,
        ("", "n", "alarms", "memorised", "both", "precision", "recall"),
        [
            (name, one.sequences, one.alarms, one.memorised, one.both, rate(one.precision), rate(one.recall))
            for name, one in rows
        ],
    )


# --- what it means ----------------------------------------------------------------------------


def _alarms(found: Forecast) -> Iterator[str]:
    told = [one for one in found.candidates if one.own.precision.value is not None]
    if not told:
        yield "No cheap run raised an alarm, so nothing can be said of alarms."
        return
    weakest = min(told, key=lambda one: one.own.precision.value or 0.0)
    weak = [one.name for one in told if (one.own.precision.high or 0.0) < LOWEST_PUBLISHED_PRECISION]
    believed = "likely right, not certain" if weak else "to be believed"
    yield (
        f"An alarm of a cheap run is {believed}: of the sequences that {weakest.name} memorised, "
        f"{found.full} memorised {rate(weakest.own.precision)}, the least of all candidates; 88% or more in "
        "the published suite."
    )
    if weak:
        yield f"The alarms of {', '.join(weak)} are right less often than any published figure."


def _silence(found: Forecast) -> Iterator[str]:
    best = _best(found.candidates)
    if best is None:
        yield f"{found.full} memorised no sequence that all runs saw: recall cannot be assessed."
    else:
        part = best.common
        yield (
            f"Of {how_many(part.memorised, 'sequence')} that {found.full} memorised and all runs saw, "
            f"{best.name}, the best candidate, was silent on {part.memorised - part.both:,}; all candidates "
            f"together on {found.caught_by_none:,}."
        )
    yield (
        "Silence of a cheap run clears nothing: a sequence without an alarm may still be memorised by the "
        "full run (emergent memorization)."
    )


def _order(found: Forecast) -> Iterator[str]:
    for one in found.candidates:
        if one.unseen:
            yield (
                f"{one.name} had not seen {one.unseen:,} of the sequences, {one.unseen_memorised:,} of which "
                f"{found.full} memorised: of those it says nothing."
            )
    yield (
        "Position in the data does not change what is memorised. So put sensitive sequences first in the "
        "trial run's data: then it has seen them."
    )


def _limits(found: Forecast) -> Iterator[str]:
    beyond = found.parameters > LARGEST_TESTED
    yield "Nothing past 12B parameters is tested" + (
        f"; {found.full} is larger, so this is an extrapolation." if beyond else "."
    )
    if found.patients is None:
        yield (
            "No patient ids were given: every sequence counts as independent, and the intervals are too "
            "short if sequences of one patient resemble one another."
        )


# --- what to spend ----------------------------------------------------------------------------


def _budget(found: Forecast, wanted: float | None) -> Iterator[str]:
    cheaper = [one for one in found.candidates if one.cost_share < 1]
    steps = list(_steps(cheaper))
    if steps:
        shown = "; ".join(f"from {percent(one.cost_share)} {one.name} ({_recall(one)})" for one in steps)
        yield f"Best recall for a budget, in shares of the full run's cost: {shown}."
    for one in found.candidates:
        if one.cost_share >= 1:
            yield f"{one.name} costs no less than the full run: it is no trial run."
        if one.tokens > found.tokens:
            yield f"{one.name} was trained on more tokens than the full run: a trial run should not be."
    for group in found.equal_cost:
        yield _equal(group, {one.name: one for one in found.candidates})
    if not found.equal_cost:
        yield "No two candidates cost about the same, so the figures do not say which to take at equal cost."
    yield (
        f"From about 1% of the full cost ({0.01 * found.flops:.1e} FLOPs) take a smaller model rather than "
        f"an early checkpoint, on no more than {found.tokens:.3g} tokens: at 1% that is a model of "
        f"{_parameters(0.01 * found.parameters)} parameters or more, where size stops mattering; at 10% the "
        f"smallest such model, {_parameters(0.1 * found.parameters)}, predicts best."
    )
    yield _enough(cheaper, wanted)


def _steps(candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Candidates, cheapest first, that catch more than every one that costs no more."""
    most = 0
    for one in sorted(candidates, key=lambda one: (one.flops, -one.common.both)):
        if one.common.both > most:
            most = one.common.both
            yield one


def _equal(group: EqualCost, candidates: dict[str, Candidate]) -> str:
    best, second = candidates[group.names[0]], candidates[group.names[1]]
    apart = group.p_value < ALPHA
    verdict = "finds more than" if apart else "is not told apart from"
    text = (
        f"At {_span(group)} of the full cost {best.name} ({_recall(best)}) {verdict} {second.name} "
        f"({_recall(second)}), p = {group.p_value:.2g}."
    )
    if 0.003 <= group.lowest_share < 0.03:
        agrees = "so it does not here" if not apart else "but here it does"
        return f"{text} Near 1% parameter count should not matter, {agrees}: take {best.name}."
    if 0.03 <= group.lowest_share < 0.3:
        agrees = "as it does here" if group.best_is_smallest else "which it does not here"
        return f"{text} Near 10% the smallest model should predict best, {agrees}: take {best.name}."
    return f"{text} Take {best.name}."


def _enough(cheaper: Sequence[Candidate], wanted: float | None) -> str:
    near = [one for one in cheaper if one.cost_share >= 0.01]
    best = _best(near)
    cancel = "change the data or cancel the full run"
    if best is None:
        return (
            "No candidate within two orders of magnitude of the full run's cost says how much it finds. If "
            f"one does and its recall is short, {cancel}."
        )
    orders = "one order" if best.cost_share >= 0.1 else "two orders"
    reached = rate(best.common.recall)
    text = f"Within {orders} of magnitude of the full run's cost {best.name} reaches recall {reached}"
    if wanted is None:
        return f"{text}. If that is short of what you need, {cancel}."
    low, high = best.common.recall.low or 0.0, best.common.recall.high or 0.0
    if low >= wanted:
        return f"{text}: the {percent(wanted)} wanted."
    if high < wanted:
        return f"{text}, short of the {percent(wanted)} wanted: {cancel}."
    return f"{text}; more sequences must tell if it is the {percent(wanted)} wanted. If not, {cancel}."


def _best(candidates: Sequence[Candidate]) -> Candidate | None:
    """The one with the highest recall, the cheapest of equal ones; None where recall is not assessable."""
    told = [one for one in candidates if one.common.memorised]
    return max(told, key=lambda one: one.common.both) if told else None


def _recall(one: Candidate) -> str:
    value = one.common.recall.value
    return NOT_ASSESSABLE if value is None else f"recall {percent(value)}"


def _span(group: EqualCost) -> str:
    low, high = percent(group.lowest_share), percent(group.highest_share)
    return low if low == high else f"{low.removesuffix('%')} to {high}"


def _parameters(count: float) -> str:
    """A number of parameters as people write it.

    >>> _parameters(120_000_000), _parameters(6_900_000_000), _parameters(1234.4)
    ('120M', '6.9B', '1.23k')
    """
    for size, letter in ((1e9, "B"), (1e6, "M"), (1e3, "k")):
        if count >= size:
            return f"{count / size:.3g}{letter}"
    return f"{count:.0f}"
