"""What other patients' notes hold in a value's place: values of its category and its form.

The model has read these as it has read the value itself, so a value that is more probable in its place than
they are is tied to that place, and does not merely look like a value of this corpus.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from typing import NamedTuple

from phiscan.records import Split
from phiscan.taxonomy import CATEGORIES

CAP = 1_000
"""Values kept of each category, form and split."""
_OTHER: dict[Split, Split] = {
    "member": "holdout",
    "holdout": "member",
    "plant": "member",
    "twin": "holdout",
}
"""Whose values come second. Those of plants and members were read by the model, those of the others not."""
_RUN = re.compile(r"[^\W\d_]+|\d")


class Pool(NamedTuple):
    """Values of one category and form; those of the same split as the value asked about come first."""

    same_split: tuple[str, ...]
    other_split: tuple[str, ...]


class ValuePool:
    """Distinct values by category, form and split: of each up to ``cap``, whichever way they came in.

    Kept are those whose hashes are least, so that neither order nor repetition nor the number of shards
    decides: a bottom-k sample (Cohen & Kaplan 2007).
    """

    def __init__(self, *, seed: int, cap: int = CAP) -> None:
        self._seed, self._cap = seed, cap
        self._values: dict[tuple[str, str, Split], dict[str, int]] = defaultdict(dict)

    def add(self, category: str, text: str, split: Split) -> None:
        """Offer a value of a note of ``split``."""
        kept = self._values[category, form_of(category, text), split]
        if text not in kept:
            kept[text] = self._hash(text)
            if len(kept) > 2 * self._cap:
                self._prune(kept)

    def like(self, category: str, text: str, split: Split) -> Pool:
        """Values in the form of ``text``, itself perhaps among them, in the order of their hashes."""
        form = form_of(category, text)
        return Pool(self._least(category, form, split), self._least(category, form, _OTHER[split]))

    def _least(self, category: str, form: str, split: Split) -> tuple[str, ...]:
        kept = self._values.get((category, form, split), {})
        return tuple(sorted(kept, key=lambda text: (kept[text], text))[: self._cap])

    def _prune(self, kept: dict[str, int]) -> None:
        for text in sorted(kept, key=lambda text: (kept[text], text))[self._cap :]:
            del kept[text]

    def _hash(self, text: str) -> int:
        return int.from_bytes(hashlib.blake2b(f"{self._seed} {text}".encode(), digest_size=8).digest(), "big")


def form_of(category: str, text: str) -> str:
    """The layout of a value: capitals of each word, digits one for one, everything between as it is.

    >>> form_of("PATIENT", "QUILLON, Mara T.")
    'AA, Aa A.'
    >>> form_of("MEDICALRECORD", "00-482913")
    '99-999999'
    >>> form_of("DATE", "14 Mar 2021"), form_of("DATE", "4 March 2021")
    ('99 Mmm 9999', '9 Month 9999')
    """
    is_date = CATEGORIES[category].family == "date"
    return _RUN.sub(lambda run: _class_of(run[0], is_date), text)


def _class_of(run: str, is_date: bool) -> str:
    if run.isdecimal():
        return "9"
    if is_date:  # "May" is both; more is written in full
        return "Mmm" if len(run) <= 3 and run.casefold() != "may" else "Month"
    if run.isupper():
        return "A" if len(run) == 1 else "AA"
    return "Aa" if run[0].isupper() else "a"
