"""What tells that a capitalised word which a model takes for a person is none, by what stands beside it.

A scale before its score ("Berg 48/56"), a drug before its strength, an abbreviation, a label before
its colon, an ordinary word that opens a sentence ("Wean sedation"). Told by kind, so that words
nobody listed are told as well; a name with a title, a kinship word or a known first name is not asked.
"""

from __future__ import annotations

import re

from phiscan.records import Span

_WORD = re.compile(r"[^\W\d_]+")
_SCORE_BEHIND = re.compile(
    r"(?: (?:was|is|of|at|score[ds]?|now|today|[A-Z]{2,5}))?[ :=]{1,2}[<>~+-]?\d{1,3}(?:\.\d+)?"
    r"(?:/\d{1,3}\b(?!/)|[ ]?(?:%|m[cgl]g?\b|cm\b|mm\b|units?\b|points?\b|sec\b)|(?=[.,;)]|\s|$))"
    r"(?! ?-?(?:yo\b|y/o|years?\b|yrs?\b|[MFmf]\b|months?\b|weeks?\b|am\b|pm\b))"
)
_CODE_BEHIND = re.compile(r" (?![MF]\d{1,3}\b)[A-Z]{1,4}-?\d{2}")
_FINDING_BEFORE = re.compile(
    r"(?:\bno|\bneg(?:ative)?(?: for)?|\bpos(?:itive)?(?: for)?|[+]|\([+-]\)) $", re.IGNORECASE
)
_FINDING_BEHIND = re.compile(
    r" ?(?:\([+-]\)|[+]|neg\b|pos\b|negative\b|positive\b|absent\b|normal\b|intact\b)"
)
_STAGE = re.compile(r"\b(?:Cat(?:egory)?|Class|Type|Grade|Stage|Gr|Zone|Level|Phase) (?:[IVX]+|[0-9A-D])\b")
_INNER_CAPITALS = re.compile(r"[a-z][A-Z]{2}|[A-Z]{2}[a-z]")
_OPENING = re.compile(r"(?:^|[.;:!?\t#*•>)\]]|(?<![a-z,])[\n\r]|[ ][-–—+]|^[-–—+])[ \t]{0,3}$")
_LABEL_BEHIND = re.compile(r"\s?:|[ ]?[=#]|/[a-z]")
_LOWER_BEHIND = re.compile(r"\.?,?[ ]([a-z][\w'’/]*)")
_ACTS = frozenset(
    """
    was is has had will would can could may might should did does do and or also be to at in on from
    with who who's states stated reports reported denies denied says said notes noted feels felt calls
    called comes came goes went remains remained continues continued wants wanted requests requested
    agrees agreed aware notified paged updated informed arrived arrives presents presented lives works
    sees saw seen given gives gave tolerated tolerates asks asked understands understood complains
    endorses endorsed describes described appears appeared seems seemed took takes brought brings helps
    helped stayed stays visited visits spoke speaks told tells thinks thought believes worries worried
    slept ate walked sat looks looked needs needed plans planned prefers likes lost moved left returned
    returns recommends recommended advised examined reviewed performed ordered signed placed discussed
    evaluated followed follows consulted assisted present here accompanied drove married died born
    diagnosed underwent turned hugged met knows cried fell got kept let made put ran sleeps eats walks
    sits smokes drinks drives uses likely
    """.split()
)


def no_person(text: str, span: Span) -> bool:
    """True if the words at ``span``, which carry no title and no known first name, name no person.

    >>> text = "Berg 48/56. Wean sedation. Abernathy slept."
    >>> [no_person(text, Span(*at)) for at in ((0, 4), (12, 16), (27, 36))]
    [True, True, False]
    """
    value = text[span.start : span.end]
    words = _WORD.findall(value)
    if _STAGE.search(value) or _INNER_CAPITALS.search(value.replace("Mc", "").replace("Mac", "")):
        return True
    if value.isupper() and all(len(word) <= 6 for word in words) and _in_small_letters(text, span):
        return len(words) == 1 or all(len(word) <= 4 for word in words)
    if len(words) > 1 and not (len(words) == 2 and "-" in value):
        return False
    before = text[max(0, span.start - 16) : span.start]
    if _FINDING_BEFORE.search(before) or _LABEL_BEHIND.match(text, span.end):
        return True
    if any(told.match(text, span.end) for told in (_SCORE_BEHIND, _CODE_BEHIND, _FINDING_BEHIND)):
        return True
    return bool(_LOWER_BEHIND.match(text, span.end) and not acts(text, span) and _OPENING.search(before))


def acts(text: str, span: Span) -> bool:
    """True if what a person does stands behind ``span``: "says", "drove", "reported".

    >>> acts("Quillon says no", Span(0, 7)), acts("Wean sedation", Span(0, 4))
    (True, False)
    """
    behind = _LOWER_BEHIND.match(text, span.end)
    return bool(behind and (behind[1] in _ACTS or (behind[1].endswith("ed") and len(behind[1]) > 4)))


def _in_small_letters(text: str, span: Span) -> bool:
    """True in a line that is not written in capitals."""
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    rest = text[start : span.start] + text[span.end : end if end >= 0 else len(text)]
    return bool(re.search(r"[a-z]{3}", rest))
