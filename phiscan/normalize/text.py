"""What every kind of value needs: its keys, and text without case, diacritics and odd blanks."""

from __future__ import annotations

import unicodedata
from typing import Literal, NamedTuple

DateOrder = Literal["mdy", "dmy", "unknown"]

_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
"""Letters that Unicode does not take apart into a plain one and a mark."""
_SPELT_OUT = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "å": "aa",
        "ø": "oe",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "Å": "Aa",
        "Ø": "Oe",
    }
)


class Keys(NamedTuple):
    """The comparable forms of one value; ``full[0]`` is its canonical form."""

    full: tuple[str, ...]
    part: frozenset[str] = frozenset()
    ambiguous: bool = False


def fold(text: str) -> str:
    """Case, diacritics and runs of white space removed: the loosest form of any text.

    >>> fold("Łukasz  Sørensen-Weiß")
    'lukasz sorensen-weiss'
    """
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in decomposed if not unicodedata.combining(char))
        return " ".join(text.casefold().translate(_UNDECOMPOSED).split())
    return " ".join(text.casefold().split())


def spelt_out(text: str) -> str:
    """Umlauts in the letters that stand for them where a keyboard has none: Müller as Mueller."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_SPELT_OUT)


def squeeze(text: str) -> str:
    """White space runs as single blanks: equal after this means *verbatim*."""
    return " ".join(text.split())
