"""Whether a prompt shows a value, so that its coming out gives nothing away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from phiscan.normalize import DateOrder, fold, keys
from phiscan.records import Hit, Phi
from phiscan.taxonomy import CATEGORIES
from phiscan.words import stands_whole


class Shown:
    """Whether a prompt shows a value: the value, another form of it, or one it is a part of."""

    def __init__(self, text: str, phi: Iterable[Phi], date_order: DateOrder) -> None:
        self._text = fold(text)
        self._date_order = date_order
        self._keys: dict[str, set[str]] = defaultdict(set)
        for value in phi:
            made = keys(value.category, value.text, date_order)
            self._keys[CATEGORIES[value.category].family] |= {*made.full, *made.part}

    def __call__(self, category: str, text: str) -> bool:
        """True if the prompt shows ``text``, read as a value of ``category``."""
        full = keys(category, text, self._date_order).full
        shown = self._keys[CATEGORIES[category].family]
        if category == "DATE" and "/" in full[0]:
            # Of a range both ends: a prompt that shows one leaves the other to be given away.
            return full[0] in shown or all(end in shown for end in full[0].split("/"))
        return bool(shown & set(full)) or self._stands(text)

    def _stands(self, text: str) -> bool:
        """The characters themselves, as whole words; short numbers mean something else too often."""
        folded = fold(text)
        if sum(char.isalnum() for char in folded) < 5:
            return False
        return stands_whole(folded, self._text)


def value_pairs(hit: Hit, date_order: DateOrder) -> set[tuple[str, str]]:
    """The forms under which a hit's value is the same value, with its family."""
    made = keys(hit.category, hit.text, date_order)
    return {(CATEGORIES[hit.category].family, key) for key in made.full}
