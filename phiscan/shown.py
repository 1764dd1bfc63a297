"""Whether a prompt shows a value, so that its coming out gives nothing away."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from phiscan.normalize import DateOrder, fold, keys
from phiscan.records import Hit, Phi
from phiscan.taxonomy import CATEGORIES


class Shown:
    """Whether a prompt shows a value: the value, another form of it, or one it is a part of."""

    def __init__(self, text: str, phi: Iterable[Phi], date_order: DateOrder) -> None:
        self._text = fold(text)
        self._date_order = date_order
        self._keys: dict[str, set[str]] = defaultdict(set)
        for value in phi:
            made = keys(value.category, value.text, date_order)
            self._keys[CATEGORIES[value.category].family] |= {*made.full, *made.part}
            if value.category == "DATE":
                self._keys["date"] |= {part for form in made.full for part in _parts_of_day(form)}

    def __call__(self, category: str, text: str) -> bool:
        """True if the prompt shows ``text``, read as a value of ``category``."""
        made = keys(category, text, self._date_order)
        return bool(self._keys[CATEGORIES[category].family] & set(made.full)) or self._stands(text)

    def _stands(self, text: str) -> bool:
        """The characters themselves, as whole words; short numbers mean something else too often."""
        folded = fold(text)
        if sum(char.isalnum() for char in folded) < 5:
            return False
        return re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", self._text) is not None


def _parts_of_day(day: str) -> Iterator[str]:
    """The year and the month of a date in its canonical form."""
    if match := re.match(r"(\d{4})?-?-?(\d{2})(?:-\d{2})?$", day):
        year, month = match.groups()
        yield from [year] * bool(year)
        yield f"--{month}"


def value_pairs(hit: Hit, date_order: DateOrder) -> set[tuple[str, str]]:
    """The forms under which a hit's value is the same value, with its family."""
    made = keys(hit.category, hit.text, date_order)
    return {(CATEGORIES[hit.category].family, key) for key in made.full}
