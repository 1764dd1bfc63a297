r"""Does an answer give back an option? Pure functions over texts.

Three tests, each with one right answer for "Aspirin", "D) Aspirin", "E. coli", "HIV. It ...", "3" in
"30 mg", "No" in "None" and the whole list repeated:

- *exact*: the answer's own line, its label and closing punctuation left out, is the option;
- *substring*: the option's letters stand anywhere in the answer, inside words too (the study's relaxed test);
- *whole words*: the option's words stand in the answer one after another, and not inside a repeat of an
  option that the prompt showed.

>>> answer = Answer.of("HIV. It is a virus.", shown=["Measles"])
>>> exact(answer, "HIV"), substring(answer, "HIV"), whole_words(answer, "HIV")
(False, True, True)
>>> exact(Answer.of("D) Aspirin.", shown=[]), "aspirin"), whole_words(Answer.of("30 mg", shown=[]), "3")
(True, False)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_LABEL = re.compile(
    r"(?:[-*•]\s+)?(?:(?:the\s+)?(?:other\s+|correct\s+|right\s+)?(?:option|answer)(?:\s+is)?\s*:?\s*)?"
    r"(?:\(?[a-h][).:](?=\s|$)|\([a-h]\)|(?<=:)|(?<=\sis)(?=\s)|(?<=[-*•]\s))\s*"
)
"""``D)``, ``(d)``, ``D.``, ``Option D:``, ``The other option is:``, a bullet; on folded text."""
_BARE_LETTER = re.compile(r"\(?([a-h])[).:]?")
_LETTER_FIRST = re.compile(r"\(?([a-h])(?:[).:](?=\s)|\))\s*")
_CLOSING = " \t\n.,;:!?"
# A number keeps its decimals and its sign, where that is no hyphen: "3" is not in "3.5", "2" not in "-2".
_WORD = re.compile(r"(?:(?<![\w.)])[-+−])?\d+(?:[.,]\d+)*(?!\w)|\w+")


def equal_form(text: str) -> str:
    """``text`` with case, white space and closing punctuation evened out.

    >>> equal_form(" E.  Coli. "), equal_form("Aspirin")
    ('e. coli', 'aspirin')
    """
    return _folded(text).rstrip(_CLOSING)


def words(text: str) -> list[str]:
    """The words of a text, case folded.

    >>> words("No 30 mg, -2.5 or E. coli")
    ['no', '30', 'mg', '-2.5', 'or', 'e', 'coli']
    """
    return _WORD.findall(text.casefold())


class Answer(NamedTuple):
    """One answer, read once for any number of tests."""

    folded: str
    line_forms: frozenset[str]
    """The answer's own line as :func:`equal_form`, with and without labels."""
    words: list[str]
    covered: list[tuple[int, int]]
    """Word ranges that repeat an option of the prompt."""

    @classmethod
    def of(cls, text: str, *, shown: Sequence[str]) -> Answer:
        """Read ``text``; ``shown`` are the options in the prompt."""
        said = words(text)
        known = {equal_form(option) for option in shown}
        covered = [place for option in shown for place in _places(said, words(option))]
        return cls(_folded(text), _own_line(text, known), said, covered)


def exact(answer: Answer, option: str) -> bool:
    """The answer's own line is the option."""
    return equal_form(option) in answer.line_forms


def substring(answer: Answer, option: str) -> bool:
    """The option stands anywhere in the answer, letter by letter; case and white space are evened out."""
    return equal_form(option) in answer.folded


def whole_words(answer: Answer, option: str) -> bool:
    """The option's words stand in the answer in a row, outside every repeat of a shown option."""
    return any(
        not any(start <= place and end <= stop for start, stop in answer.covered)
        for place, end in _places(answer.words, words(option))
    )


def chosen(text: str, options: Sequence[str]) -> int | None:
    """Position of the option that an answer picks; None if it picks none, or more than one.

    The first line as an option's text; else the letter it begins with, unless another option's text
    follows ("E. coli" begins with no letter where that is an option); else the line without its labels;
    else the one option that the answer names in whole words.
    """
    line = _first_line(text)
    folded = _folded(line)
    forms = [equal_form(option) for option in options]
    if equal_form(line) in forms:
        return forms.index(equal_form(line))
    if not any(folded.startswith(form) for form in forms):
        for start in _label_ends(folded):
            rest = folded[start:]
            letter = _BARE_LETTER.fullmatch(rest) or _LETTER_FIRST.match(rest)
            if letter:
                place = ord(letter[1]) - ord("a")
                return place if place < len(options) and not _names_other(rest, options, place) else None
    by_text = [i for i, form in enumerate(forms) if form in _forms(line)]
    return _only(by_text or _named(text, options))


def _names_other(rest: str, options: Sequence[str], place: int) -> bool:
    named = _named(rest, options)
    return bool(named) and place not in named


def _named(text: str, options: Sequence[str]) -> list[int]:
    """Options named in whole words, those inside a longer one that is named left out."""
    found = []
    for i, option in enumerate(options):
        # Of options that share words, the longest that stands there is meant.
        longer = [other for other in options if len(words(other)) > len(words(option))]
        if whole_words(Answer.of(text, shown=longer), option):
            found.append(i)
    return found


def _only(found: list[int]) -> int | None:
    return found[0] if len(found) == 1 else None


def _own_line(text: str, shown: set[str]) -> frozenset[str]:
    """Forms of the first line that holds more than a label and repeats no shown option."""
    for line in text.splitlines():
        forms = _forms(line)
        if forms and not forms & shown:
            return forms
    return frozenset()


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "")


def _forms(line: str) -> frozenset[str]:
    """The line as it stands and without one label after another; empty if it is a label alone."""
    folded = _folded(line)
    ends = list(_label_ends(folded))
    if not folded[ends[-1] :].strip(_CLOSING):
        return frozenset()
    return frozenset(folded[end:].rstrip(_CLOSING) for end in ends)


def _label_ends(folded: str) -> Iterator[int]:
    """Where the text begins: at once, after its first label, after the second, ..."""
    at = 0
    yield at
    while (label := _LABEL.match(folded, at)) and label.end() > at:
        at = label.end()
        yield at


def _places(said: Sequence[str], option: Sequence[str]) -> list[tuple[int, int]]:
    n = len(option)
    return [(i, i + n) for i in range(len(said) - n + 1) if n and said[i : i + n] == option]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
