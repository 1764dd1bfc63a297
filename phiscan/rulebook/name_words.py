"""Which words of a text may be part of a person's name: the text that name rules read.

A list of thousands of words that are no names would make every expression that uses it slow to
compile and slow to run. So each word is looked up once, and the first letter of one that may be a
name is replaced by a marker that says what kind of word it is; the name rules ask for markers
(``lexicons/name_word.regex``). Nothing moves: the marked text has the length of the text.
"""

from __future__ import annotations

from functools import lru_cache

import regex

from phiscan.resources import resource_dir
from phiscan.rulebook.lexicons import eponyms, eponyms_or_names, given_names, not_names

NAME, GIVEN, EPONYM, CAPITALS, GIVEN_CAPITALS, GIVEN_SMALL = "\ue000\ue001\ue002\ue003\ue004\ue005"
"""Markers: Wexholm, Bjorn, Crohn, WEXHOLM, BJORN, bjorn."""
MARKERS = (NAME, GIVEN, EPONYM, CAPITALS, GIVEN_CAPITALS, GIVEN_SMALL)

_WORD = regex.compile(
    r"(?<![\p{L}\p{M}\d_'’])\p{L}\p{M}*(?:['’]?[\p{L}\p{M}]+)+(?:-[\p{L}\p{M}]+(?:['’]\p{Lu}[\p{L}\p{M}]+)?)*+(?![\d_])"
)
_ABBREVIATION = regex.compile(r"[^AEIOUYaeiouy]{2,4}|[A-Z]{2}")
_NO_NAME_ENDING = regex.compile(
    r".*(?:olog(?:y|ist|ic|ical)|iatr(?:y|ics|ic)|ectomy|otomy|ostomy|plasty|therapy|surgery|oscopy|itis|emia"
    r"|pathy|graphy|gram|algia|uria|penia|osis|cillin|mycin|azole|statin|prazole|sartan|olol)s?"
)
_POSSESSIVE = regex.compile(r"['’][sS]$")
_PARTS = regex.compile(r"['’-]")
_LONG_WORD = regex.compile(r"[\p{L}\p{M}]{2,}")
_MONTHS = frozenset({"april", "august", "june", "july", "march", "may"})
_NUMBER_BEHIND = regex.compile(r"\.?,?[ ]\d|[ ](?:of[ ])?(?:19|20)\d\d")
_UNREPLACED = frozenset("i ii iii iv jr md mt phd sr st ste".split())


def mark_names(text: str) -> str:
    r"""``text`` with the first letter of every word that may be a name replaced by its marker.

    >>> mark_names("Dr. Wexholm saw BJORN; Foley in place.").encode("ascii", "backslashreplace")
    b'Dr. \\ue000exholm saw \\ue004JORN; \\ue002oley in place.'
    """
    signs = list(text)
    for match in _WORD.finditer(text):
        if (text[match.start()].isupper() or match[0] in given_names()) and (marker := _marker(text, match)):
            signs[match.start()] = marker
    return "".join(signs)


def may_be_name(value: str) -> bool:
    """True if no word of ``value``, which is written in small letters, says that it is no name.

    >>> may_be_name("wexholm, bjorn t"), may_be_name("resting comfortably")
    (True, False)
    """
    words = _LONG_WORD.findall(value.lower())
    return bool(words) and not any(word in eponyms() or never_name(word) for word in words)


def never_name(word: str) -> bool:
    """True if ``word``, in small letters, is no part of any name: a listed word or a medical ending.

    >>> never_name("cholecystitis"), never_name("wexholm")
    (True, False)
    """
    return word in not_names() or bool(_NO_NAME_ENDING.fullmatch(word))


@lru_cache(maxsize=1)
def eponym_noun() -> regex.Pattern[str]:
    """Matches what stands behind a name in "Homan's sign", "Framingham risk score", "Hunt and Hess grade"."""
    noun = (resource_dir("rules") / "lexicons" / "eponym_noun.regex").read_text(encoding="utf-8")
    return regex.compile(
        rf"(?:s|['’]s)?\s{{1,2}}(?:(?:and|&)\sHess\b|(?:(?:and|&)\s\p{{Lu}}\p{{L}}+\s)?(?x:{noun}))"
    )


def _marker(text: str, match: regex.Match[str]) -> str | None:
    word = match[0]
    kind, is_month, may_be_eponym = _reading(word)
    if is_month and _NUMBER_BEHIND.match(text, match.end()):
        return None
    if may_be_eponym:
        return EPONYM if eponym_noun().match(text, match.end()) else kind
    return kind


@lru_cache(maxsize=50_000)
def _reading(word: str) -> tuple[str | None, bool, bool]:
    """The word's marker, and whether what follows may make it a month or an eponym."""
    kind = _kind(_POSSESSIVE.sub("", word))
    eponym = kind in (NAME, GIVEN) and _PARTS.split(word)[0].lower() in eponyms_or_names()
    return kind, kind == NAME and word.lower() in _MONTHS, eponym


def _kind(word: str) -> str | None:
    """The marker of ``word``, None if it is never a name; what stands beside it is not looked at."""
    plain = word.lower()
    first = plain.split("-")[0]
    if plain in _UNREPLACED or never_name(plain) or (never_name(first) and first not in eponyms_or_names()):
        return None
    given = plain in given_names() or first in given_names()
    if word.isupper():
        if _ABBREVIATION.fullmatch(word) and not given:
            return None
        return GIVEN_CAPITALS if given else CAPITALS
    if word[0].islower():
        return GIVEN_SMALL
    if plain in eponyms() or first in eponyms() or plain.removesuffix("s") in eponyms():
        return EPONYM
    return GIVEN if given else NAME
