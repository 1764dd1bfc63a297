"""Views of a text in which many ways of writing a value are one, each with the way back.

``narrow``: white space as single blanks. ``words``: folded words with single blanks between them,
street words and units by one short form. ``packed``: letters and digits without what groups them.
All stand on :func:`fold_in_place`, so that every place of a view is a place of the text.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from typing import NamedTuple

from phiscan.records import Span

MARK = "\u0300"
"""Stands for every combining mark: a letter and its accent may be one character or two."""
BREAK = "|"
"""In ``words``: what no value reaches across, such as the end of a sentence or a blank line."""

_WORD = rf"(?:[^\W_]|{MARK})+(?:'(?:[^\W_]|{MARK})+)*"
_TOKEN = re.compile(rf"{_WORD}|#|\n[^\S\n]*\n|[.;:|!?\[\]{{}}<>*=\ufffd]")
_GAP = re.compile(rf"\s{{2,}}|[^\S ]|{MARK}+")
_GROUPING = re.compile(rf"[-./ ()_#:+{MARK}]+")
_SHORT_FORMS = """
street str saint st|avenue av ave|road rd|drive dr|lane ln|boulevard blvd|court ct|place pl|terrace terr ter
highway hwy|parkway pkwy|circle cir|square sq|trail trl|crescent cres|turnpike tpke|route rte rt|alley aly
crossing xing|north n|south s|east e|west w|northeast ne|northwest nw|southeast se|southwest sw|mount mt
fort ft|hospital hosp|center centre cntr ctr|medical med|general gen|university univ|memorial meml mem
regional reg|community comm|institute inst|department dept|rehabilitation rehab|apartment unit suite ste apt #
"""
_SHORT = {
    word: group.split()[-1] for group in _SHORT_FORMS.replace("\n", "|").split("|") for word in group.split()
}


class _Plain(dict[int, str]):
    """Code point -> a character of the same meaning, one for one: filled as characters are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if unicodedata.combining(char):
            made = MARK
        elif 0xD800 <= code < 0xE000:
            made = "\N{REPLACEMENT CHARACTER}"  # lone surrogates are no text
        else:
            base = unicodedata.normalize("NFKD", char)
            low = (base[0] if all(map(unicodedata.combining, base[1:])) else char).lower()
            made = low if len(low) == 1 else char
        self[code] = made
        return made


_PLAIN = _Plain(
    {
        **{ord(mark): "'" for mark in "’‘ʼ`´"},
        **{ord(dash): "-" for dash in "‐‑‒–—−"},
        **{ord(a): b for a, b in zip("øØłŁđĐıħ", "oollddih", strict=True)},
    }
)


def fold_in_place(text: str) -> str:
    """``text`` in lower case without diacritics, of the same length.

    >>> fold_in_place("Zoë Ångström–İzmir"), len(fold_in_place("ﬁß"))
    ('zoe angstrom-izmir', 2)
    """
    return text.lower() if text.isascii() else text.translate(_PLAIN)


class View(NamedTuple):
    """A text made of pieces of a folded text, in order."""

    text: str
    starts: list[int]
    """Where in ``text`` each piece starts, and where it ends."""
    ends: list[int]
    spans: list[Span]
    """Where each piece stands in the folded text."""

    def original(self, start: int, end: int) -> Span:
        """The range of the folded text for one of the view that starts and ends inside pieces."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        back = self.spans[last]
        return Span(
            self.spans[first].start + start - self.starts[first],
            back.end if end == self.ends[last] else back.start + end - self.starts[last],
        )


def narrow(folded: str) -> View:
    """White space as single blanks, combining marks left out."""
    return _without(folded, _GAP, " ")


def packed(folded: str) -> View:
    """Without blanks and punctuation that group the characters of a number.

    >>> packed("tel (617) 555-0142, x").text
    'tel6175550142,x'
    """
    return _without(folded, _GROUPING, "")


def _without(folded: str, gap: re.Pattern[str], blank: str) -> View:
    parts: list[str] = []
    view = View("", [], [], [])
    at = 0

    def add(part: str, span: Span) -> None:
        nonlocal at
        parts.append(part)
        view.starts.append(at)
        at += len(part)
        view.ends.append(at)
        view.spans.append(span)

    reached = 0
    for found in gap.finditer(folded):
        if found.start() > reached:
            add(folded[reached : found.start()], Span(reached, found.start()))
        if blank and found[0][0] != MARK:
            add(blank, Span(*found.span()))
        reached = found.end()
    if reached < len(folded):
        add(folded[reached:], Span(reached, len(folded)))
    return view._replace(text="".join(parts))


def words(folded: str) -> View:
    """Words with single blanks around them, in short forms, and :data:`BREAK` where a value must end.

    >>> words("12 north alder street, apt. 4b. o'hara's dog").text
    ' 12 n alder st # 4b | ohara dog '
    """
    parts = [""]
    view = View("", [], [], [])
    at = 1
    for found in _TOKEN.finditer(folded):
        word, (start, end) = found[0], found.span()
        if word == "." and (len(parts[-1]) == 1 or parts[-1] in _SHORT_VALUES):
            continue  # an initial or an abbreviation
        if not word[0].isalnum() and word[0] not in ("#", MARK):
            word = BREAK
        elif len(word) > 2 and word.endswith("'s"):
            word, end = word[:-2], end - 2
        word = word.replace("'", "").replace(MARK, "")
        word = _SHORT.get(word, word)
        if not word or (word == parts[-1] and word in ("#", BREAK)):
            continue
        parts.append(word)
        view.starts.append(at)
        view.ends.append(at + len(word))
        view.spans.append(Span(start, end))
        at += len(word) + 1
    return view._replace(text=" ".join([*parts, ""]))


_SHORT_VALUES = frozenset(_SHORT.values())
