"""How long an expression from ``rules/`` may run: the files are edited by people, and some run for ever."""

SECONDS = 10.0
"""Wall time one expression may take on a text, before what its length adds."""


def time_limit(text: str) -> float:
    """Seconds an expression may take on ``text``: 10, and one for every 10,000 characters."""
    return SECONDS + len(text) / 10_000
