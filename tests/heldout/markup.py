"""The markup of note templates and the builder that turns it into text with gold spans.

``[one|two|]`` takes one of its alternatives at random (an empty one makes it optional; they nest);
``{key}`` or ``{key:argument}`` asks the note's :class:`~heldout.cast.Cast` for a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from random import Random

from heldout.records import GoldSpan, Piece

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_VALUE = re.compile(r"\{([^{}]+)\}")


def choose(text: str, *, rng: Random) -> str:
    """``text`` with every ``[...]`` replaced by one of its alternatives, innermost first."""
    while _CHOICE.search(text):
        text = _CHOICE.sub(lambda found: rng.choice(found[1].split("|")), text)
    return text


def build(
    text: str, *, value: Callable[[str], list[Piece]], known: frozenset[tuple[str, str]]
) -> tuple[str, list[GoldSpan]]:
    """The note's text and its gold spans.

    Args:
        text: A template without alternatives.
        value: Returns the pieces of a key.
        known: (category, key) of every registration row of the patient.
    """
    builder = _Builder(known)
    position = 0
    for found in _VALUE.finditer(text):
        builder.add([Piece(text[position : found.start()]), *value(found[1])])
        position = found.end()
    builder.add([Piece(text[position:])])
    return builder.finish()


def wrapped(text: str, width: int) -> str:
    """``text`` with blanks turned into line ends before column ``width``; no offset moves."""
    lines = []
    for line in text.split("\n"):
        rest = line
        while len(rest) > width and (cut := rest.rfind(" ", 1, width)) > 0:
            lines.append(rest[:cut])
            rest = rest[cut + 1 :]
        lines.append(rest)
    return "\n".join(lines)


class _Builder:
    """Appends pieces and keeps the offsets of the values."""

    def __init__(self, known: frozenset[tuple[str, str]]) -> None:
        self._known = known
        self._parts: list[str] = []
        self._length = 0
        self._spans: list[GoldSpan] = []

    def add(self, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            end = self._length + len(piece.text)
            if piece.category is not None:
                in_registration = piece.key is not None and (piece.category, piece.key) in self._known
                self._spans.append(GoldSpan(self._length, end, piece.category, piece.text, in_registration))
            self._parts.append(piece.text)
            self._length = end

    def finish(self) -> tuple[str, list[GoldSpan]]:
        text = "".join(self._parts)
        for span in self._spans:
            assert text[span.start : span.end] == span.text
        return text, self._spans
