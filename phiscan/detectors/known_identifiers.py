"""The hospital's own list of identifiers, sought literally in every text.

Letter case and the width of white space do not matter; a value inside a longer word or number is
not one. Of overlapping values the longest counts. Other ways of writing a value (a phone number
with other punctuation, a date in words) are compared where hits are verified, not here.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

from phiscan.protocols import DetectorContext, KnownIdentifier
from phiscan.records import DetectedSpan, Span
from phiscan.taxonomy import CATEGORIES

_GAPS = re.compile(r"\s{2,}")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_NUMBER_BEFORE, _NUMBER_AFTER = re.compile(r"\d[-./,:]$"), re.compile(r"[-./,:]\d")
_SUFFIXES = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv"})


class KnownIdentifierDetector:
    """Finds every literal value of every patient; score 1.0, no rule."""

    def __init__(self, known: Sequence[KnownIdentifier]) -> None:
        rank = {category: place for place, category in enumerate(CATEGORIES)}
        values = {(row.category, _Narrow.of(row.value.strip()).text) for row in known}
        usable = {(category, value) for category, value in values if _usable(value)}
        self._too_short = len(values) - len(usable)
        categories: dict[str, str] = {}
        # A value listed under several categories gets the taxonomy's first, whatever the rows' order.
        for category, value in sorted(usable, key=lambda pair: (rank.get(pair[0], len(rank)), pair)):
            for form in _forms(category, value):
                categories.setdefault(form, category)
        self._categories = list(categories.values())
        self._automaton = AhoCorasick(list(categories))

    def describe(self) -> str:
        """How many forms of values are sought, and how many values were too short to be."""
        return (
            f"known_identifiers: {len(self._categories)} forms of values, {self._too_short} values too short"
        )

    def detect(self, texts: Sequence[str]) -> list[list[DetectedSpan]]:
        """Return the values found in each text, none overlapping, by start."""
        return [self._find(text) for text in texts]

    def _find(self, text: str) -> list[DetectedSpan]:
        narrow = _Narrow.of(text)
        matches = self._automaton.find_matches_as_indexes(narrow.text, overlapping=True)
        taken = bytearray(len(narrow.text))
        found: list[DetectedSpan] = []
        for pattern, start, end in sorted(matches, key=lambda match: (match[1] - match[2], match[1])):
            if taken.find(1, start, end) < 0 and _stands_alone(narrow.text, start, end):
                taken[start:end] = b"\1" * (end - start)
                found.append(_span(narrow.original(start, end), self._categories[pattern]))
        return sorted(found, key=lambda span: span.start)


class _Narrow(NamedTuple):
    """A text in lower case whose every run of white space is one blank, and the way back."""

    text: str
    gap_ends: list[int]
    """Where in ``text`` each run ends that lost characters."""
    lost: list[int]
    """Characters lost up to the first, second, ... of them; 0 in front."""

    @classmethod
    def of(cls, text: str) -> _Narrow:
        gaps = list(_GAPS.finditer(text))
        lost = list(accumulate((len(gap[0]) - 1 for gap in gaps), initial=0))
        ends = [gap.end() - gone for gap, gone in zip(gaps, lost[1:], strict=True)]
        return cls(re.sub(r"\s+", " ", fold(text)), ends, lost)

    def original(self, start: int, end: int) -> Span:
        """The range of the original text; ``end`` is exclusive and no blank stands at either edge."""
        first, last = (at + self.lost[bisect_right(self.gap_ends, at)] for at in (start, end - 1))
        return Span(first, last + 1)


def fold(text: str) -> str:
    """``text`` in lower case, of the same length: a letter that would grow (İ) stays as it is.

    >>> fold("STRAẞE İzmir"), len(fold("İ"))
    ('straße İzmir', 1)
    """
    if text.isascii():
        return text.lower()
    even = _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in even)


def _usable(value: str) -> bool:
    """Whether a value is long enough not to match everywhere: 3 characters, 4 if only digits."""
    letters_and_digits = re.sub(r"[\W_]", "", value)
    return len(value) >= 3 and len(letters_and_digits) >= (4 if letters_and_digits.isdigit() else 2)


def _forms(category: str, value: str) -> Iterator[str]:
    """The value, and for a person both reading orders, with and without middle names."""
    yield value
    if category not in CATEGORIES or CATEGORIES[category].family != "person":
        return
    last, comma, given = (part.strip() for part in value.partition(","))
    if not comma:
        words = [word for word in value.split(" ") if word not in _SUFFIXES]
        last, given = words[-1], " ".join(words[:-1])
    if last and given and given not in _SUFFIXES:
        for names in dict.fromkeys((given, given.split(" ")[0])):
            yield from (f"{names} {last}", f"{last}, {names}", f"{last},{names}")


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a match is no part of a longer word, nor, being a number, of a longer number."""
    if start and text[start - 1].isalnum() and text[start].isalnum():
        return False
    if end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        return False
    if not text[start:end].isdigit():
        return True
    return not (_NUMBER_BEFORE.search(text, max(0, start - 2), start) or _NUMBER_AFTER.match(text, end))


def _span(span: Span, category: str) -> DetectedSpan:
    return DetectedSpan(
        start=span.start, end=span.end, category=category, score=1.0, detector="known_identifiers"
    )


def build(context: DetectorContext) -> KnownIdentifierDetector:
    """The detector over ``context.known``."""
    return KnownIdentifierDetector(context.known)
