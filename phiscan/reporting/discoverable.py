"""(n, p)-discoverable notes as curves and rows, and memorization scores in words."""

from __future__ import annotations

from phiscan.reporting.charts import Panel, Point, Series
from phiscan.reporting.figures import how_many, percent
from phiscan.reporting.glossary import ALL_ARMS, ARMS
from phiscan.reporting.view import first, pick
from phiscan.scan_report import (
    DRAWS,
    PLAIN,
    SHARE,
    SHARES,
    DiscoverableRow,
    Estimate,
    ExposureSection,
    ScoreRow,
)

SHOWN = (1, 100, 10_000)
"""Numbers of draws in a table."""


def curve_panels(exposure: ExposureSection) -> list[Panel]:
    """One panel a probability p: notes that so many draws give, at temperature 1 from the shortest prefix."""
    rows: dict[tuple[str, int, float], DiscoverableRow] = {
        (row.arm, row.draws, row.probability): row for row in _plain(exposure)
    }
    arms = [arm for arm in ARMS if (arm, DRAWS[0], SHARE) in rows]
    bands = [_short(draws) for draws in DRAWS]
    return [
        Panel(
            f"with probability {share:g} or more",
            bands,
            "answers drawn",
            [
                Series(arm, ARMS[arm], [_point(exposure, rows[arm, draws, share]) for draws in DRAWS])
                for arm in arms
            ],
        )
        for share in SHARES
        if arms
    ]


def _plain(exposure: ExposureSection) -> list[DiscoverableRow]:
    rows = [row for row in exposure.curves if row.decoding == PLAIN]
    shortest = min((row.prefix_length for row in rows), default=0)
    return [row for row in rows if row.prefix_length == shortest]


def _point(exposure: ExposureSection, row: DiscoverableRow) -> Point:
    """The share, with its interval where one was made."""
    rate = first(
        pick(
            exposure.estimates,
            "np_discoverable",
            decoding=row.decoding,
            arm=row.arm,
            prefix_length=row.prefix_length,
            draws=row.draws,
        )
    )
    value = row.discoverable / row.notes if row.notes else None
    return Point(value, rate.low, rate.high) if rate and row.probability == SHARE else Point(value)


def _short(draws: int) -> str:
    """The number in few characters.

    >>> [_short(draws) for draws in (100, 10_000, 1_000_000)]
    ['100', '10k', '1M']
    """
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if draws >= size:
            return f"{draws // size}{letter}"
    return str(draws)


def curve_story(exposure: ExposureSection) -> str:
    """The curve at one half in words; empty where no note was long enough."""
    mine = [row for row in _plain(exposure) if row.arm == "scanned" and row.probability == SHARE]
    if not mine or not mine[0].notes:
        return ""
    one, many = mine[0], mine[-1]
    return (
        f"After {one.prefix_length} tokens one answer drawn at temperature 1 gives the next 50 tokens with "
        f"even chances or better for {percent(one.discoverable / one.notes)} of "
        f"{how_many(one.notes, 'training note')}; one of {many.draws:,} answers for "
        f"{percent(many.discoverable / many.notes)}."
    )


def drawn_rows(exposure: ExposureSection) -> list[tuple[str, int, str, tuple[Estimate | None, ...]]]:
    """(decoding, shortest prefix length, arm, cells by :data:`SHOWN`); empty for temperature 1 alone."""
    shortest = min((row.prefix_length for row in exposure.curves), default=0)
    told = {(r.decoding, r.prefix_length, r.arm) for r in exposure.curves if r.prefix_length == shortest}
    cells = sorted(told, key=_order)
    if {decoding for decoding, *_ in cells} <= {PLAIN}:
        return []
    return [
        (
            decoding,
            length,
            arm,
            tuple(
                first(
                    pick(
                        exposure.estimates,
                        "np_discoverable",
                        decoding=decoding,
                        prefix_length=length,
                        arm=arm,
                        draws=draws,
                    )
                )
                for draws in SHOWN
            ),
        )
        for decoding, length, arm in cells
    ]


def _order(cell: tuple[str, int, str]) -> tuple[str, int, int]:
    return cell[0], cell[1], list(ALL_ARMS).index(cell[2])


def score_rows(exposure: ExposureSection) -> list[ScoreRow]:
    """Memorization scores, the training notes' first; empty unless they were asked for."""
    return sorted(exposure.scores, key=lambda row: list(ALL_ARMS).index(row.arm))
