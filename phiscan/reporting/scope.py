"""Whom the scan plays, and whom it does not: the tiers of attackers, and which of them were tried."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from phiscan.scan_report import ScanReport

ATTACKERS: dict[str, tuple[str, str]] = {
    "prefix": ("Has the beginning of a note", "a referral letter, a copied header, an earlier version"),
    "fragment": ("Has a passage from the middle of a note", "a quoted finding, a screenshot"),
    "window": ("Has a stretch of a note, wherever it stands", "pages of a printed chart"),
    "metadata": (
        "Has no text: the name, date of birth, record number and day of a visit",
        "a relative, an employer, a leaked list of appointments",
    ),
    "given": ("Has the prompts that were replayed", "outputs made elsewhere, with prompts of their maker"),
}
"""Tier -> what the attacker has, and how one comes by it."""
SCHEMES = {
    "bare": "as plain text to be continued",
    "instruct": "as an instruction to go on with the text",
    "chat": "in the chat template the model was trained with",
    "given": "as replayed",
}
NOT_TRIED = (
    "an attacker who has the weights, or trains the model further",
    "an attacker who searches for prompts, asks many thousand times, or asks questions about a patient",
    "an attacker who asks whether a patient was in the training data at all (membership)",
    "what a system around the model adds: retrieval, tools, logs, other models",
)


class Attacker(NamedTuple):
    """One tier of attacker, and how often this scan played it."""

    tier: str
    has: str
    example: str
    asked: int
    schemes: tuple[str, ...]


def attackers(report: ScanReport) -> list[Attacker]:
    """Every tier, also those not tried; ``given`` only where outputs were replayed."""
    asked: dict[str, int] = defaultdict(int)
    schemes: dict[str, dict[str, None]] = defaultdict(dict)
    for cell in report.coverage.prefixes:
        if cell.arm == "scanned":
            asked[cell.tier] += cell.asked
            schemes[cell.tier][SCHEMES.get(cell.scheme, cell.scheme)] = None
    return [
        Attacker(tier, has, example, asked[tier], tuple(schemes[tier]))
        for tier, (has, example) in ATTACKERS.items()
        if tier != "given" or tier in asked
    ]
