"""Names said again: once a rule has told a name, each of its words is that person elsewhere in the text.

"QUILLON, MARA T" in the header makes names of "Quillon was seen" and of "Mara's mother", which
nothing labels. Words that are also everyday words or eponyms (Green, May, Murphy) are not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from phiscan.records import DetectedSpan
from phiscan.rulebook.lexicons import eponyms, eponyms_or_names, given_names, word_surnames
from phiscan.rulebook.name_words import eponym_noun, never_name

SURE, SCORE = 0.6, 0.6
"""Score a span must have to be followed, and score of what is found by following it."""
SHORTEST = 4

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_GIVEN_BEFORE = re.compile(r"(?<![\w'’-])(?:[A-Z]\. ?|([^\W\d_]{2,}) (?:[A-Z]\.? )?)$")
_BEGINS = re.compile(r"(?<![\w'’@./-])")
_ENDS = re.compile(
    r"(?![\w@-]|['’](?!s\b))"
    r"(?!['’]?s?[ ](?:[A-Z][\w.]*[ ]){0,2}(?:Hospital|Clinic|Center|Medical|Memorial|Health|Street|St"
    r"|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|University|School|College|Institute|Foundation|County|City"
    r"|sign|test|disease|syndrome|scale|score|catheter|drain)\b)"
)


def repeated_names(text: str, spans: Sequence[DetectedSpan]) -> list[DetectedSpan]:
    """Spans of words of the DOCTOR and PATIENT names in ``spans`` where they stand again in ``text``.

    Each carries the category and rule of the first span that holds its word; words side by side
    ("Mara Quillon") make one span. Places within ``spans`` are left out.
    """
    sources: dict[str, DetectedSpan] = {}
    for span in sorted(spans, key=lambda span: (-span.score, span.start)):
        if span.category in ("DOCTOR", "PATIENT") and span.score >= SURE:
            for word in _followed(text[span.start : span.end]):
                sources.setdefault(word, span)
    if not sources:
        return []
    taken = [(span.start, span.end) for span in spans if span.category in ("DOCTOR", "PATIENT")]
    return [span for span in _again(text, sources) if not _within(span, taken)]


def _followed(value: str) -> set[str]:
    """The words of a name to look for: as written and, unless in small letters, as Quillon and QUILLON."""
    words: set[str] = set()
    for word in _WORD.findall(value):
        plain = word.lower()
        common = plain in word_surnames() or never_name(plain)
        if len(word) >= SHORTEST and plain not in eponyms() and (not common or plain in given_names()):
            words |= {word} if word[0].islower() and value.islower() else {word.title(), word.upper(), word}
    return {word for word in words if len(word) >= SHORTEST}


def _again(text: str, sources: dict[str, DetectedSpan]) -> list[DetectedSpan]:
    found: list[DetectedSpan] = []
    for start, end in _places(text, sources):
        name = text[start:end]
        if name.lower() in eponyms_or_names() and eponym_noun().match(text, end):
            continue
        if found and text[found[-1].end : start] == " ":
            found[-1] = replace(found[-1], end=end)
        else:
            found.append(replace(sources[name], start=_with_given_name(text, start), end=end, score=SCORE))
    return found


def _places(text: str, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where names stand as words of their own: the longest first, none within another."""
    places: list[tuple[int, int]] = []
    for name in names:
        at = text.find(name)
        while at >= 0:
            if _BEGINS.match(text, at) and _ENDS.match(text, at + len(name)):
                places.append((at, -len(name)))
            at = text.find(name, at + 1)
    reached = 0
    for start, length in sorted(places):
        if start >= reached:
            reached = start - length
            yield start, reached


def _with_given_name(text: str, start: int) -> int:
    """``start``, or that of the initial or first name before it: "Corin Quillon", "T. Quillon"."""
    before = _GIVEN_BEFORE.search(text, max(0, start - 24), start)
    if before and (not before[1] or (before[1][0].isupper() and before[1].lower() in given_names())):
        return before.start()
    return start


def _within(span: DetectedSpan, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(start <= span.start and span.end <= end for start, end in ranges)
