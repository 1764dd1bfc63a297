"""What the model gave back of plants and twins, in words and as rows."""

from __future__ import annotations

from typing import NamedTuple

from phiscan.reporting.figures import NOT_ASSESSABLE, counted, finite, how_many, in_words, percent
from phiscan.reporting.glossary import METRICS, SYNTHETIC_ARMS
from phiscan.reporting.view import first, pick
from phiscan.reporting.ways import several, way
from phiscan.scan_report import (
    Estimate,
    ExposureSection,
    PlantArm,
    PlantDifference,
    PlantRow,
    PlantsRead,
    ScanReport,
)

SHOWN = (("raw_ratio", 30), ("raw_ratio", 50), ("net_ratio", 30), ("net_ratio", 50))
"""Ratios of a row, in the order of :attr:`PlantLine.ratios`."""


class PlantLine(NamedTuple):
    """Plants or twins asked for in one way, with one number of repetitions or all."""

    design: str
    """Empty where there is only one."""
    row: PlantRow
    ratios: tuple[Estimate | None, ...]


class CategoryLine(NamedTuple):
    """PHI recovered of one category, by arm; None where nothing was at risk."""

    design: str
    category: str
    arms: dict[str, Estimate | None]


def plant_lines(report: ScanReport) -> list[PlantLine]:
    """Every row of the section; empty without plants and twins."""
    rows = report.plants.rows if report.plants else ()
    names = several(report)
    return [
        PlantLine(
            way(row, names),
            row,
            tuple(first(pick(row.ratios, metric, threshold=threshold)) for metric, threshold in SHOWN),
        )
        for row in rows
    ]


def plant_categories(report: ScanReport) -> list[CategoryLine]:
    """PHI recovered by category, one line for each way of asking."""
    found: dict[tuple[str, str], dict[str, Estimate | None]] = {}
    names = several(report)
    for estimate in _categories(report):
        key = (way(estimate.stratum, names), estimate.stratum.category or "")
        found.setdefault(key, dict.fromkeys(SYNTHETIC_ARMS))[estimate.stratum.arm] = estimate
    return [CategoryLine(*key, arms) for key, arms in sorted(found.items())]


def _categories(report: ScanReport) -> tuple[Estimate, ...]:
    return report.plants.categories if report.plants else ()


def plant_sentences(report: ScanReport) -> list[str]:
    """What a reader should know of the section; empty without plants and twins."""
    if report.plants is None:
        return []
    arms = {arm.arm: arm for arm in report.plants.arms}
    sentences = []
    if "plant" in arms:
        sentences.append(
            f"{how_many(arms['plant'].patients, 'made-up patient')} (plants) stood in the training data on "
            f"purpose; the model was asked for {arms['plant'].notes_asked:,} of their "
            f"{how_many(arms['plant'].notes, 'note')}. One that does not come back is a result, no failure."
        )
    if "twin" in arms:
        sentences.append(
            f"{how_many(arms['twin'].patients, 'made-up patient')} of the same kind (twins) did not, and "
            f"{arms['twin'].notes_asked:,} of their {how_many(arms['twin'].notes, 'note')} were asked for: "
            "what comes back of them is chance or guesswork."
        )
    if report.exposure is not None:
        sentences += read_sentences(report.exposure)
    elif len(arms) == 2:
        sentences.append(
            "Whether training read the plants' text at all was not looked at (`phiscan expose` does)."
        )
    for line in plant_lines(report):
        if line.row.repetitions is None:
            beside = f" ({line.design})" if line.design else ""
            sentences.append(
                f"{SYNTHETIC_ARMS[line.row.arm]} with what would be a headline leak{beside}: "
                f"{in_words(line.row.patients_with_headline_leak)}."
            )
    for difference in report.plants.differences:
        if difference.metric == "patients_with_headline_leak":
            asked = way(difference, several(report))
            beside = f" ({asked})" if asked else ""
            sentences.append(f"The difference, plants less twins{beside}: {difference_words(difference)}.")
    troubles = [sentence for arm in report.plants.arms for sentence in _troubles(arm)]
    return [*sentences, *_by_repetitions(report), *troubles]


def read_sentences(exposure: ExposureSection) -> list[str]:
    """Whether training read the plants' text, at which places of it and of which plants it does not show."""
    whole = [row for row in exposure.plants_read if row.repetitions is None]
    read = [row for row in whole if _is_read(row)]
    said = [
        f"Training read the plants' text: behind the first {row.prefix_length:,} tokens {_read_words(row)}."
        for row in read[:1]
    ]
    said += [
        f"Nothing shows that training read the plants' text behind the first {row.prefix_length:,} tokens: "
        f"{_read_words(row)}. It may have been cut off or left out, or read too lightly for so few to tell."
        for row in whole
        if not _is_read(row)
    ]
    if read:
        said += [
            f"Nothing shows it of the plants with repetitions {row.repetitions}: {_read_words(row)}."
            for row in exposure.plants_read
            if row.repetitions and row.prefix_length == read[0].prefix_length and not _is_read(row)
        ]
    return said


def _is_read(row: PlantsRead) -> bool:
    return row.low is not None and row.low > 0


def _read_words(row: PlantsRead) -> str:
    limits = "too few for an interval"
    if row.low is not None and row.high is not None:
        limits = f"{row.level * 100:.3g}% interval {row.low:.2f} to {row.high:.2f}"
    what = "what training added to the log-probability of" if row.net_of_control else "the log-probability of"
    return (
        f"{what} a token of plants is {row.difference:+.2f} beside twins ({limits}; {row.plants:,} plants, "
        f"{row.twins:,} twins)"
    )


def _by_repetitions(report: ScanReport) -> list[str]:
    """The plants repeated least and those repeated most, of the first way of asking."""
    lines = [line for line in plant_lines(report) if line.row.arm == "plant" and line.row.repetitions]
    mine = [line for line in lines if line.design == lines[0].design]
    if len(mine) < 2:
        return []
    few, many = mine[0].row, mine[-1].row
    beside = f" ({lines[0].design})" if lines[0].design else ""
    return [
        f"By repetitions in training{beside}: {counted(few.patients_with_headline_leak)} of the plants with "
        f"{few.repetitions}, {counted(many.patients_with_headline_leak)} of those with {many.repetitions}."
    ]


def _troubles(arm: PlantArm) -> list[str]:
    """Prompts lost, false alarms, and what the answers gave away of patients."""
    name = SYNTHETIC_ARMS[arm.arm]
    said = []
    if arm.failed or arm.control_failed or arm.degenerate:
        said.append(
            f"{name}: of {how_many(arm.prompts, 'prompt')} {arm.failed:,} failed, {arm.control_failed:,} "
            f"with the control; {arm.degenerate:,} answers are degenerate."
        )
    if arm.arm == "twin" and arm.headline:
        said.append(
            f"False alarms: {how_many(arm.headline, 'hit')} in answers about twins would count as headline "
            "leaks. They change no decision, but leaks of patients may be such too."
        )
    if arm.other_patient:
        said.append(
            f"{name}: their answers hold {how_many(arm.other_patient, 'value')} of patients the model was "
            "trained on. They decide nothing here, but somebody should look."
        )
    return said


def difference_words(difference: PlantDifference) -> str:
    """The difference in percentage points, with its interval.

    >>> difference_words(PlantDifference(scheme="bare", tier="prefix", decoding="greedy", metric="net_ratio",
    ...     unit="token", threshold=30, value=0.25, low=-0.013, high=0.5, level=0.95, method="MOVER"))
    '25.0 points (95% interval -1.30 to 50.0)'
    """
    limits = (difference.value, difference.low, difference.high)
    if not all(map(finite, limits)):
        return NOT_ASSESSABLE
    value, low, high = (percent(limit or 0.0).removesuffix("%") for limit in limits)
    return f"{value} points ({difference.level * 100:g}% interval {low} to {high})"


def difference_name(difference: PlantDifference) -> str:
    """What a difference is one of."""
    name = METRICS[difference.metric].name
    return f"{name}, {difference.threshold} {difference.unit}s or more" if difference.threshold else name
