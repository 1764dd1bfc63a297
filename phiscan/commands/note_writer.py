"""Fills the templates of synthetic notes; what a slot is filled with becomes a gold span as it is written."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from phiscan.commands.demo_templates import WORDS

Value = tuple[str, str]
"""Category and text of one PHI value."""

_SLOT = re.compile(r"\{(\w+(?:-\w+)?)\}")


class GoldSpan(NamedTuple):
    """A PHI value of a note: half-open code points of its text, and the category."""

    start: int
    end: int
    category: str


class NoteWriter:
    """Fills templates and keeps the offset at which every PHI value lands."""

    def __init__(
        self, rng: random.Random, slots: Mapping[str, Callable[[], Value]], words: Mapping[str, str]
    ) -> None:
        self.pieces: list[str] = []
        self.spans: list[GoldSpan] = []
        self.used: set[str] = set()
        self._length = 0
        self._rng, self._slots, self._words = rng, slots, words

    def write(self, template: str) -> None:
        """Append ``template``, its slots filled: by a value, a word, a number."""
        done = 0
        for slot in _SLOT.finditer(template):
            self._append(template[done : slot.start()])
            self._fill(slot[1])
            done = slot.end()
        self._append(template[done:])

    def _fill(self, slot: str) -> None:
        if slot in self._slots:
            category, value = self._slots[slot]()
            self.spans.append(GoldSpan(self._length, self._length + len(value), category))
            self._append(value)
        elif slot in self._words:
            self._append(self._words[slot])
        elif slot in WORDS:
            self._append(self._rng.choice(WORDS[slot]))
        else:
            low, high = slot.split("-")
            self._append(str(self._rng.randint(int(low), int(high))))

    def _append(self, text: str) -> None:
        self.pieces.append(text)
        self._length += len(text)
