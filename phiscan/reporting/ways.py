"""In which ways was asked, named only where there are several."""

from __future__ import annotations

from collections.abc import Sequence

from phiscan.reporting.figures import stratum_words
from phiscan.scan_report import (
    DESIGN,
    PlantDifference,
    PlantRow,
    PrefixCoverage,
    ScanReport,
    SimilarityRow,
    Stratum,
)

ANY = {"scheme": "any scheme", "tier": "any attacker", "decoding": "any decoding"}


def several(report: ScanReport) -> tuple[str, ...]:
    """Of scheme, tier and decoding, those in which the report's prompts differ."""
    cells = report.coverage.prefixes
    return tuple(name for name in DESIGN if len({getattr(cell, name) for cell in cells}) > 1)


def way(
    row: Stratum | PrefixCoverage | SimilarityRow | PlantRow | PlantDifference, names: Sequence[str]
) -> str:
    """What ``row`` is of, in the fields ``names`` (those of :func:`several`); empty without any."""
    return " ".join(getattr(row, name) or ANY[name] for name in names)


def stratum_in(stratum: Stratum, names: Sequence[str]) -> str:
    """The part of the data an estimate speaks of, arm left out, with its way of asking."""
    named = way(stratum, names)
    return f"{named}; {stratum_words(stratum)}" if named else stratum_words(stratum)
