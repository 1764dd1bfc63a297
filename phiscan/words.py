r"""Words as units: ``\w+`` or one other visible character, case kept.

Words let models with different vocabularies, and outputs made elsewhere, be compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_WORD = re.compile(r"\w+|[^\w\s]")


class Words(NamedTuple):
    """The words of a text and the code points at which each starts and ends."""

    words: list[str]
    starts: list[int]
    ends: list[int]


def split_words(text: str) -> Words:
    """Cut ``text`` into words; an empty text gives three empty lists."""
    found = [(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]
    return Words([w for w, _, _ in found], [s for _, s, _ in found], [e for _, _, e in found])


def stands_whole(value: str, text: str) -> bool:
    """Whether ``value`` stands in ``text`` with no letter, digit or underscore next to it.

    >>> stands_whole("Ada", "Ada, Adam"), stands_whole("Ada", "Adam")
    (True, False)
    """
    at = text.find(value)
    while at >= 0:
        if not (_in_word(text[at - 1 : at]) or _in_word(text[at + len(value) : at + len(value) + 1])):
            return True
        at = text.find(value, at + 1)
    return False


def _in_word(char: str) -> bool:
    r"""What ``\w`` says, of a character or of none."""
    return char.isalnum() or char == "_"


class Vocabulary:
    """Numbers the distinct words of the corpus; words outside it get numbers of their own."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._ids: dict[str, int] = {}
        self.learn(words)

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[str]:
        """The words in the order of their numbers."""
        return iter(self._ids)

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    def learn(self, words: Iterable[str]) -> list[int]:
        """Number ``words``, adding those not seen before."""
        return [self._ids.setdefault(word, len(self._ids)) for word in words]

    def ids(self, words: Iterable[str]) -> list[int]:
        """Number ``words`` without adding any: unknown words get fresh numbers past the end."""
        fresh: dict[str, int] = {}
        known = self._ids
        return [
            known[word] if word in known else fresh.setdefault(word, len(known) + len(fresh))
            for word in words
        ]

    def save(self, path: Path) -> None:
        """Write one word a line."""
        path.write_text("\n".join(self._ids), encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        """Read what :meth:`save` wrote."""
        with path.open(encoding="utf-8", newline="") as file:
            text = file.read()
        return cls(text.split("\n") if text else ())
