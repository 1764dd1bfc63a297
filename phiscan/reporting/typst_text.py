"""Text as strings of Typst: nothing in it is markup, and no word is too long for its line."""

from __future__ import annotations

import re

from phiscan.reporting.page_tree import collapsed

_PIECE = re.compile(r"\S{16}(?=\S)")
_LONG_WORD = re.compile(r"\S{33,}")


def quoted(text: str) -> str:
    r"""``text`` as a string of Typst; nothing in it can end the string.

    >>> print(quoted('#eval("1") \\ $x$'))
    "#eval(\"1\") \\ $x$"
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return '"' + "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in escaped) + '"'


def line_text(text: str) -> str:
    """``text`` of a page as an expression in a line; a word that no column may hold can break."""
    return f"#{quoted(_LONG_WORD.sub(lambda word: digest_pieces(word[0]), collapsed(text)))};"


def digest_pieces(text: str) -> str:
    r"""``text`` that may break after every sixteenth character of a word.

    >>> digest_pieces("0123456789abcdef01").split("\u200b")
    ['0123456789abcdef', '01']
    """
    return _PIECE.sub(lambda piece: piece[0] + "\u200b", text)
