"""Text -> sentences, as clinical notes have them: list items, labels and short lines end one too."""

from __future__ import annotations

import regex

from phiscan.records import Span

LABEL = r"(?-i:[A-Z])[\w/&'()]*(?:[ ][\w/&'()]+){0,4}:"
"""The name of a section or item at its beginning, such as ``Past Medical History:``."""

_MARK = regex.compile(r"[.!?;:\n]")
_ABBREVIATION = regex.compile(
    r"(?i)(?<![^\W_])(?:dr|drs|prof|mr|mrs|ms|pt|vs|st|mt|approx|hx|dx|tx|e\.g|i\.e)\Z"
)
_DIED = regex.compile(r"(?i)(?<!\bvit(?:amin)?[ ])(?<=[ ,(])d\Z")
_DIED_WHEN = regex.compile(r"\.[ ](?:age[ ]|at[ ]|in[ ]|~)?\d|\.[ ](?:of|from)\b")
_BLANK_LINE = regex.compile(r"\n[ \t]*\n")
_ITEM = regex.compile(rf"\n[ \t]*(?:[-*•#>+]|\d{{1,2}}[.)][ ]|{LABEL})")
_LEADS_ON = regex.compile(
    r"(?i)(?:,|\b(?:or|and|of|no|with|the|for|to|by|in|a|an|any|her|his|denies|without))[ \t]*\Z"
)
_INLINE_LABEL = regex.compile(
    # "HIV Antibody:" is one label.
    r"(?:\G\s*|(?<=[\w)][ \t]+)(?![\w /&]*\b(?:A[bg]|Antibod|Antigen|Ig[AEGM]|PCR|RNA|DNA|Titer|Test"
    r"|Screen|Status|Result)))"
    r"(?:[A-Z][A-Za-z]{1,12})(?:[ ]?[/&]?[ ]?[A-Za-z]+){0,2}\Z"
)
_SHORT_LINE = 45
"""Characters; a shorter line is an item of a list, unless its last word leads on."""
_LONGEST_LABEL = 45


def sentence_spans(text: str) -> list[Span]:
    """Where each sentence stands; together they hold all of ``text`` but the white space at their ends.

    >>> text = "Denies SI. PMH: PTSD; seen by Dr. Quill"
    >>> [text[span.start : span.end] for span in sentence_spans(text)]
    ['Denies SI.', ' PMH: PTSD;', ' seen by Dr. Quill']
    """
    spans, start = [], 0
    for mark in _MARK.finditer(text):
        if mark.start() < start:
            continue
        cut = _cut(text, start, mark.start())
        if cut is not None:
            spans.append(Span(start, cut))
            start = cut
    return [*spans, Span(start, len(text))] if start < len(text) or not spans else spans


def _cut(text: str, start: int, at: int) -> int | None:
    """Where the sentence that began at ``start`` ends, if the sign at ``at`` ends it."""
    sign = text[at]
    if sign == ";":
        return at + 1
    if sign == "\n":
        return at + 1 if _ends_at_line(text, at) else None
    if sign == ":":
        label = _INLINE_LABEL.search(text, max(start, at - _LONGEST_LABEL), at)
        return label.start() if label and label.start() > start and text[at + 1 : at + 2] == " " else None
    follows = text[at + 1 : at + 2]
    if follows and not follows.isspace() and follows not in "\"')]":
        return None
    return None if sign == "." and _abbreviates(text, at) else at + 1


def _abbreviates(text: str, at: int) -> bool:
    before = max(0, at - 10), at
    return bool(
        _ABBREVIATION.search(text, *before) or (_DIED_WHEN.match(text, at) and _DIED.search(text, *before))
    )


def _ends_at_line(text: str, at: int) -> bool:
    if _BLANK_LINE.match(text, at) or _ITEM.match(text, at):
        return True
    line = text.rfind("\n", 0, at) + 1
    return at - line < _SHORT_LINE and not _LEADS_ON.search(text, line, at)
