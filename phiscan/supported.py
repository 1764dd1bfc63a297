"""Which findings of a general English model are believed when no other detector sees them.

A general model calls any capitalised word of a clinical note a person or a town: scales, antibodies,
devices, classes. What a rule or the name model also finds stays. What it finds alone must speak for
itself: by a known first name or surname, an initial, or a word of place before it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from phiscan.no_person import acts, no_person
from phiscan.records import DetectedSpan, Span
from phiscan.rulebook.lexicons import (
    countries,
    eponyms,
    eponyms_or_names,
    given_names,
    place_eponyms,
    surnames,
    us_states,
)
from phiscan.rulebook.name_words import eponym_noun, never_name

_GENERAL = "presidio"
_WORD = re.compile(r"[^\W\d_]{2,}")
_INITIALLED = re.compile(r"(?:[A-Z]\.[ ]?){1,2}[^\W\d_]{3,}(?:-[^\W\d_]+)?$")
_INNER = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|^Anti-|-[A-Z]{2,}$")
_AGENT_BEFORE = re.compile(r"(?:\b(?:by|with|from|and|per|for|to|named|called|told|ask(?:ed)?)|\bw/)\s$")
_NUMERAL = re.compile(r"[ivx]{1,4}|tr|jr")
_FIGURE_BEFORE = re.compile(r"\d[ ]$")
_CLASS_BEHIND = re.compile(
    r"['’]?s?[ ](?:[IVX]{1,4}[ab]?|[A-D]|\d[\w/.-]*|forward|class|type|grade|stage|left|right)(?!\w)"
)
_PHONE_BEHIND = re.compile(r",? (?:at |cell |ph )?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}")
_PLACE_BEFORE = re.compile(
    r"(?:\b(?:in|from|to|at|near|of|outside|around|via|then|born|raised|visited|visiting|for|city|town)"
    r"(?: the)?(?: (?:San|Santa|Los|Las|El|La|Puerto|Port|Fort|New))?|, |\()[\s]{0,2}$|[,(]\s$|[^\s:]\n$",
    re.IGNORECASE,
)
_TOWARDS = re.compile(
    r"\b(?:in|from|to|near|outside|born|raised in|visited|visiting|lives|moved)(?: the)?\s$", re.IGNORECASE
)
_REGION_BEHIND = re.compile(r",\s{1,2}([A-Z][\w.]*(?: [A-Z][a-z]+)?)")


def supported(text: str, spans: Sequence[DetectedSpan]) -> list[DetectedSpan]:
    """``spans`` less those people and towns that the general model alone sees and nothing speaks for.

    >>> text = "Klatskin (Bismuth IIIb). Los Angeles B. Born in Palermo."
    >>> found = [(0, 8, "PATIENT", "PERSON/patient"), (25, 36, "CITY", "LOCATION")]
    >>> found += [(48, 55, "CITY", "LOCATION")]
    >>> made = [
    ...     DetectedSpan(start=a, end=b, category=kind, score=0.85, detector="presidio", rule=rule)
    ...     for a, b, kind, rule in found
    ... ]
    >>> [text[span.start : span.end] for span in supported(text, made)]
    ['Palermo']
    """
    others = sorted((span.start, span.end) for span in spans if span.detector != _GENERAL)
    starts = [start for start, _ in others]
    ends = list(accumulate((end for _, end in others), max))
    return [
        span
        for span in spans
        if span.detector != _GENERAL
        or ((before := bisect_left(starts, span.end)) and ends[before - 1] > span.start)
        or _speaks_for_itself(text, span)
    ]


def _speaks_for_itself(text: str, span: DetectedSpan) -> bool:
    if span.category == "CITY":
        return _is_place(text, Span(span.start, span.end)) or acts(text, Span(span.start, span.end))
    if span.category in ("PATIENT", "DOCTOR"):
        return _is_person(text, Span(span.start, span.end), titled=(span.rule or "") != "PERSON/patient")
    return True


def _is_person(text: str, span: Span, *, titled: bool) -> bool:
    value = text[span.start : span.end]
    words = [word.lower() for word in _WORD.findall(value)]
    named = any(word in given_names() or word in surnames() for word in words)
    if titled:
        return named or any(not never_name(word) for word in words)
    if _INNER.search(value.replace("Mc", "").replace("Mac", "")) or _CLASS_BEHIND.match(text, span.end):
        return False
    if any(word in eponyms() for word in words) or all(
        word in eponyms_or_names() or _NUMERAL.fullmatch(word) for word in words
    ):
        return False
    before = text[max(0, span.start - 12) : span.start]
    agent = bool(_AGENT_BEFORE.search(before))
    if len(words) < 2 and eponym_noun().match(text, span.end):
        return agent and named
    if named:
        return not no_person(text, span) or any(word in given_names() for word in words)
    if acts(text, span) or _PHONE_BEHIND.match(text, span.end):
        return True
    initialled = _INITIALLED.match(value) and not _FIGURE_BEFORE.search(before)
    return bool(initialled or not value.isascii() or agent or (len(words) > 1 and not value.isupper()))


def _is_place(text: str, span: Span) -> bool:
    before = text[max(0, span.start - 16) : span.start]
    region = _REGION_BEHIND.match(text, span.end)
    if region and region[1].rstrip(".").lower() in countries() | _full_states():
        return True
    if text[span.start : span.end].lower() in place_eponyms():
        return bool(_TOWARDS.search(before)) and not _CLASS_BEHIND.match(text, span.end)
    return bool(_PLACE_BEFORE.search(before)) and not eponym_noun().match(text, span.end)


@lru_cache(maxsize=1)
def _full_states() -> frozenset[str]:
    return frozenset(us_states()) | frozenset(us_states().values())
