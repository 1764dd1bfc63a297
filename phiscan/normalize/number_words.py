"""Numbers written as words: counts, days and years, and figures said one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
CARDINALS = {word: number for number, word in enumerate(_SMALL)} | {
    word: 10 * number for number, word in enumerate(_TENS, start=2)
}
DECADES = {word[:-1] + "ies": CARDINALS[word] for word in _TENS} | {"teens": 10}
_ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
        "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        start=1,
    )
} | {"thirtieth": 30}
_SAID = CARDINALS | {"oh": 0, "o": 0, "nought": 0}

_GAP = r"[\s-]+"
_UNIT, _TEEN, _TEN = "|".join(_SMALL[1:10]), "|".join(_SMALL[10:]), "|".join(_TENS)
_UP_TO_99 = rf"(?:(?:{_TEN})(?:{_GAP}(?:{_UNIT}))?|{_TEEN}|{_UNIT})\b"
_YEAR = re.compile(
    rf"\b(?:(?P<century>eighteen|nineteen|twenty){_GAP}"
    rf"(?:hundred(?:{_GAP}(?:and{_GAP})?(?P<after>{_UP_TO_99}))?|(?:oh|o){_GAP}(?P<single>{_UNIT})\b"
    rf"|(?P<two>(?:{_TEN})(?:{_GAP}(?:{_UNIT})\b)?|{_TEEN})\b)"
    rf"|two{_GAP}thousand(?:{_GAP}(?:and{_GAP})?(?P<past>{_UP_TO_99}))?\b)"
)
_ORDINAL = re.compile(rf"\b(?:(twenty|thirty){_GAP})?({'|'.join(_ORDINALS)})\b")
_CARDINAL = re.compile(rf"\b{_UP_TO_99}")
_ANY = re.compile(rf"\b(?:{_UNIT}|{_TEEN}|{_TEN}|{'|'.join(_ORDINALS)})\b")


def value_of(words: Sequence[str]) -> int | None:
    """The number that ``words`` name, up to 199; None if they name none.

    >>> value_of("ninety four".split()), value_of("a hundred and one".split()), value_of(["and"])
    (94, 101, None)
    """
    named = [CARDINALS[word] for word in words if word in CARDINALS]
    if "hundred" in words:
        at = words.index("hundred")
        below = [CARDINALS[word] for word in words[at + 1 :] if word in CARDINALS]
        return 100 + sum(below)
    return sum(named) if named else None


def date_in_figures(text: str) -> str:
    """``text`` (folded) with the days and years that are written as words in figures.

    >>> date_in_figures("march third, nineteen fifty-two"), date_in_figures("twenty twenty-one")
    ('march 3, 1952', '2021')
    """
    if not _ANY.search(text):
        return text
    text = _YEAR.sub(_year, text)
    text = _ORDINAL.sub(lambda m: str(CARDINALS.get(m[1] or "", 0) + _ORDINALS[m[2]]), text)
    return _CARDINAL.sub(lambda m: str(value_of(re.findall("[a-z]+", m[0]))), text)


def _year(match: re.Match[str]) -> str:
    found = match.groupdict()
    rest = found["after"] or found["single"] or found["two"] or found["past"] or ""
    century = 100 * CARDINALS[found["century"]] if found["century"] else 2000
    return str(century + (value_of(re.findall("[a-z]+", rest)) or 0))


def said_figures(text: str) -> str | None:
    """The figures of a number said one by one, or None if ``text`` says anything else.

    >>> said_figures("five five five, oh one four two"), said_figures("double four one nine")
    ('5550142', '4419')
    """
    words = re.findall(r"[a-z]+|[^\W_]+", text)
    if len(words) < 3 or not all(word in _SAID or word in ("double", "triple") for word in words):
        return None
    figures, times = [], 1
    for word in words:
        if word in ("double", "triple"):
            times = 2 if word == "double" else 3
        else:
            figures.append(times * str(_SAID[word]))
            times = 1
    return "".join(figures)
