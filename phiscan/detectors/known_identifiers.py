"""The hospital's own list of identifiers, sought in every text in every way they may be written.

The same typed normalisation as in verification: letter case, diacritics and white space do not matter; names
stand in both orders, numbers with any punctuation and with or without leading zeros, dates in
figures and words, addresses with long and short words. One automaton over all values searches three
views of a text (:mod:`phiscan.text_views`); a value inside a longer word or number is not one, and of
overlapping values the longest counts. Work grows with the text, memory with the values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ahocorasick_rs import AhoCorasick

from phiscan.protocols import DetectorContext
from phiscan.records import DetectedSpan, Span
from phiscan.taxonomy import CATEGORIES
from phiscan.text_views import View, fold_in_place, narrow, packed, words
from phiscan.written_forms import KINDS, Kind, dates_of, forms, known_dates

_AROUND_SHORT = re.compile(r"\d[-./,:]$"), re.compile(r"[-./,:]\d")
_AROUND_LONG = re.compile(r"\d[-.]$"), re.compile(r"[-.]\d")
"""Before and after a number that is part of a longer one; a comma or slash may part two long ones."""
_COUNTRY_CODE = re.compile(r"(?<![\w+])(?:\+?1[-. ]{0,2})?\(?$")
_EXTENSION = re.compile(r",? ?(?:x|ext(?:ension)?\b)\.?[ :#]{0,2}\d{1,6}\b")
_ZEROS = re.compile(r"(?<!\w)0+$")
_ADDRESS_BEFORE, _ZIP_AFTER = re.compile(r",\s{0,2}$"), re.compile(r"\.?,?\s{1,2}\d{5}\b")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_LONG = 7
"""Characters from which blanks and brackets may group a number: 482 913 may be two."""


class KnownIdentifierDetector:
    """Finds every value of every patient; score 1.0, no rule."""

    def __init__(self, context: DetectorContext) -> None:
        self._order = context.date_order
        rank = {category: place for place, category in enumerate(CATEGORIES)}
        values = {(row.category, row.value.strip()) for row in context.known}
        patterns: dict[str, dict[Kind, str]] = {}
        self._dates: dict[str, str] = {}
        self._unusable = 0
        # A value listed under several categories gets the taxonomy's first, whatever the rows' order.
        for category, value in sorted(values, key=lambda pair: (rank.get(pair[0], len(rank)), pair)):
            usable = False
            for kind, pattern in forms(category, value):
                patterns.setdefault(pattern, {}).setdefault(kind, category)
                usable = True
            for date in known_dates(category, value, self._order):
                self._dates.setdefault(date, category)
            self._unusable += not usable
        self._categories = list(patterns.values())
        self._kinds = [kind for kind in KINDS if any(kind in found for found in self._categories)]
        self._automaton = AhoCorasick(list(patterns))

    def describe(self) -> str:
        """How many forms of values are sought, and how many values were too short to be."""
        return (
            f"known_identifiers: {len(self._categories)} forms of values, {len(self._dates)} dates, "
            f"{self._unusable} values too short"
        )

    def detect(self, texts: Sequence[str]) -> list[list[DetectedSpan]]:
        """Return the values found in each text, none overlapping, by start."""
        return [self._find(text) for text in texts]

    def _find(self, text: str) -> list[DetectedSpan]:
        folded = fold_in_place(text)
        taken = bytearray(len(text))
        found: list[DetectedSpan] = []
        candidates = dict.fromkeys(self._candidates(text, folded))
        for span, category in sorted(candidates, key=lambda one: (one[0].start - one[0].end, one)):
            if taken.find(1, *span) < 0 and not _BLANK_LINE.search(folded, *span):
                taken[span.start : span.end] = b"\1" * (span.end - span.start)
                found.append(
                    DetectedSpan(
                        start=span.start,
                        end=span.end,
                        category=category,
                        score=1.0,
                        detector="known_identifiers",
                    )
                )
        return sorted(found, key=lambda span: span.start)

    def _candidates(self, text: str, folded: str) -> Iterator[tuple[Span, str]]:
        for kind in self._kinds:
            view = {"narrow": narrow, "words": words, "packed": packed}[kind](folded)
            for pattern, start, end in self._automaton.find_matches_as_indexes(view.text, overlapping=True):
                category = self._categories[pattern].get(kind)
                if category and (span := _placed(text, folded, kind, category, view, start, end)):
                    yield span, category
        if self._dates:
            for span, keys in dates_of(folded, self._order):
                if category := next((self._dates[key] for key in keys if key in self._dates), None):
                    yield span, category


def _placed(
    text: str, folded: str, kind: Kind, category: str, view: View, start: int, end: int
) -> Span | None:
    """Where a match stands in the text, None if it is no whole value there."""
    if kind == "words":
        span = view.original(start + 1, end - 1)
        if category == "STATE" and span.end - span.start == 2:
            return span if _is_code(text, span) else None
        return None if _is_common_word(text, folded, span) else span
    span = view.original(start, end)
    if kind == "packed":
        if not _grouped(folded, span, end - start):
            return None
        span = _extended(folded, span, category)
    if CATEGORIES[category].family in ("person", "place") and _is_common_word(text, folded, span):
        return None
    return span if _stands_alone(folded, span) else None


def _is_common_word(text: str, folded: str, span: Span) -> bool:
    """One word in small letters, in a text that has capitals: "reading", not the town of Reading."""
    value = text[slice(*span)]
    return value.isalpha() and value.islower() and text != folded


def _is_code(text: str, span: Span) -> bool:
    """Two capitals are a state's code in an address only: "OR" and "IN" are words."""
    placed = _ADDRESS_BEFORE.search(text, max(0, span.start - 3), span.start) or _ZIP_AFTER.match(
        text, span.end
    )
    return bool(placed) and text[slice(*span)].isupper()


def _grouped(folded: str, span: Span, length: int) -> bool:
    """Whether what stands between the characters of a number may group them."""
    between = re.split(r"[^\W_]+", folded[slice(*span)])[1:-1]
    gaps = [gap for gap in between if gap]
    if length < _LONG:
        return len(gaps) <= 2 and all(gap in ("-", ".", "/", "_") for gap in gaps)
    return len(gaps) <= 5 and all(len(gap) <= 2 for gap in gaps)


def _extended(folded: str, span: Span, category: str) -> Span:
    """A phone number with its country code, bracket and extension; another one with its leading zeros."""
    start, end = span
    if category in ("PHONE", "FAX"):
        before = _COUNTRY_CODE.search(folded, max(0, start - 5), start)
        after = _EXTENSION.match(folded, end)
        return Span(before.start() if before else start, after.end() if after else end)
    before = _ZEROS.search(folded, max(0, start - 20), start)
    return Span(before.start() if before else start, end)


def _stands_alone(folded: str, span: Span) -> bool:
    """Whether a match is no part of a longer word, nor, being a number, of a longer number."""
    start, end = span
    if start and folded[start - 1].isalnum() and folded[start].isalnum():
        return False
    if end < len(folded) and folded[end].isalnum() and folded[end - 1].isalnum():
        return False
    value = folded[start:end]
    if any(map(str.isalpha, value)):
        return True
    before, after = _AROUND_LONG if sum(map(str.isdigit, value)) >= _LONG else _AROUND_SHORT
    return not (before.search(folded, max(0, start - 2), start) or after.match(folded, end))


def build(context: DetectorContext) -> KnownIdentifierDetector:
    """The detector over ``context.known``."""
    return KnownIdentifierDetector(context)
