"""From a general model's named entities to PHI: pure functions over a text and a range of it.

A model of general English is noisy on clinical notes, so what it finds is shaped before it counts:
cut at line breaks, numbers and words that are never a name, stripped of titles and possessives
(i2b2 span rules), typed by the words in it and beside it, and dropped where nothing is left.
Entities go by Presidio's names (PERSON, LOCATION, ORGANIZATION, EMAIL_ADDRESS, ...).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from phiscan.no_person import no_person
from phiscan.person_role import clinician_context, person_role
from phiscan.records import Span
from phiscan.rulebook.lexicons import (
    countries,
    eponyms,
    eponyms_or_names,
    given_names,
    not_names,
    not_places,
    us_states,
)
from phiscan.rulebook.name_words import eponym_noun, never_name

_EXACT = {
    "EMAIL_ADDRESS": "EMAIL",
    "URL": "URL",
    "IP_ADDRESS": "IPADDR",
    "US_SSN": "SSN",
    "CREDIT_CARD": "ACCOUNT",
    "IBAN_CODE": "ACCOUNT",
}
_WORD = re.compile(r"[^\W_]+(?:[-'’.&][^\W_]+)*")
_NUMERAL = re.compile(r"[IVX]{1,4}|[A-Z]")
_POSSESSIVE = re.compile(r"['’][sS]$")
_PARTICLES = frozenset("al bin da de del den der di dos du el ibn la le ten ter van von y".split())
_HOSPITAL = re.compile(
    r"\b(?:hospitals?|clinics?|infirmary|hospice|healthcare|nursing home|rehab(?:ilitation)?"
    r"|(?:medical|health|care|cancer|surgery|trauma|dialysis) (?:cent(?:er|re)|system|group|associates))\b",
    re.IGNORECASE,
)
_INSTITUTION = re.compile(
    r"\b(?:University|College|Academy|School|Institute|Inc|LLC|LLP|Ltd|Corp|Corporation|Company|Co|Bank"
    r"|Church|Parish|Temple|Mosque|Synagogue|Transit|Airlines|Airways|Railroad|Railway|Insurance|Foundation"
    r"|Industries|Motors|Logistics|Construction|Manufacturing|Mills|Foundry|Brewery|Bakery|Restaurant"
    r"|Supermarket|Market|Hotel|Library|Museum|Association|Society|Police|Union|Associates|Partners)\b"
)
_STREET = re.compile(
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Place|Pl)$"
)
_TITLE_BEFORE = re.compile(
    r"\b(?:Mr|Mrs|Ms|Mx|Miss|Sra?|Father|Fr|Rev|Reverend|Pastor|Rabbi|Imam|Deacon|Officer|Det|Detective|Sgt|Deputy"
    r"|Trooper|Judge|Attorney|Coach|Principal)\.?(?: {0,2}|\n)$",
    re.IGNORECASE,
)
_POSSESSION = re.compile(r"['’]s\b")
_OWN_NOUN = re.compile(
    r"['’]s\s{1,2}(?:signs?|diseases?|syndrome|tests?|scores?|scale|criteria|law|triad|man(?:o?e)uver|procedure|rule"
    r"|classification|operation|method|equation|formula|palsy|sarcoma|ataxia|nodes?|line|point|thyroiditis)\b"
)
"""What a person does not own: "Homan's sign", but "Abernathy's cast"."""
_LABEL_WORDS = frozenset({"Employer", "Facility", "Location", "Site"})
_ALSO_DEGREES = frozenset({"MA", "MD", "PA"})
_ALSO_GIVEN_NAMES = frozenset("carolina chad georgia india israel jordan kenya virginia".split())
_STATE_AFTER = re.compile(r", ?([A-Z]{2})\b(?= (\d{5})\b)?")
_ODD = re.compile(r"[a-z][A-Z](?![a-z]{2})|['’]d$")
_ZIP_AFTER = re.compile(r",? {1,2}\d{5}\b")


def shape(text: str, entity: str, span: Span) -> Iterator[tuple[str, Span]]:
    """Yield (category, span) for each part of one of Presidio's findings that is PHI.

    Names lose titles, degrees and the possessive; an institution must bear a word that says so
    and one that tells it from others; nothing spans a line break.

    >>> text = "Seen by Dr. Anne Foley's resident; Foley in place."
    >>> [(category, text[slice(*span)]) for category, span in shape(text, "PERSON", Span(8, 22))]
    [('DOCTOR', 'Anne Foley')]
    >>> list(shape(text, "PERSON", Span(35, 40)))
    []
    """
    if entity in _EXACT:
        yield _EXACT[entity], span
        return
    whole: list[Span] = []
    for run in _runs(text, span, keep_noise=True, comma=False):
        run = _without_label(text, run)
        if category := _institution(text[slice(*run)]) or _region(text, run, entity):
            whole.append(run)
            yield category, run
    if entity == "ORGANIZATION":
        return
    for run in _runs(text, span, keep_noise=False, comma=entity == "PERSON"):
        if not any(run.overlaps(other) for other in whole):
            category = _person(text, run) if entity == "PERSON" else _place(text, run)
            if category:
                yield category, run


def _runs(text: str, span: Span, *, keep_noise: bool, comma: bool) -> Iterator[Span]:
    """Maximal runs of words that may make one name, lower-case words at their ends left out."""
    run: list[Span] = []
    for match in _WORD.finditer(text, span.start, span.end):
        word = match[0]
        stem = _POSSESSIVE.sub("", word)
        noise = any(c.isdigit() for c in word) or (not keep_noise and _is_noise(stem))
        if run and (noise or not _joined(text, run[-1], match.start(), comma and not _is_code(word))):
            yield from _capitalised(text, run)
            run = []
        if not noise:
            run.append(Span(match.start(), match.start() + len(stem)))
    yield from _capitalised(text, run)


def _joined(text: str, previous: Span, start: int, comma: bool) -> bool:
    gap = text[previous.end : start]
    if gap.startswith("."):  # an initial or "St.", or else the end of a sentence
        return previous.end - previous.start <= 2 and gap in (".", ". ", ".  ")
    return gap in (" ", "  ", " & ") or (comma and gap in (",", ", ", ",  "))


def _capitalised(text: str, run: list[Span]) -> Iterator[Span]:
    words = [text[slice(*span)] for span in run]
    kept = [i for i, word in enumerate(words) if word[0].isupper()]
    if kept:
        first, last = kept[0], kept[-1]
        while first and words[first - 1] in _PARTICLES:
            first -= 1
        yield Span(run[first].start, run[last].end)


def _without_label(text: str, run: Span) -> Span:
    """``run`` less a heading in capitals or a label at its head: "ED NOTE Alder Hospital"."""
    words = list(_WORD.finditer(text, run.start, run.end))
    shouted = text[slice(*run)].isupper()
    for word in words[:-1]:
        heading = word[0].isupper() and len(word[0]) > 1 and not shouted and _is_noise(word[0])
        if not heading and word[0] not in _LABEL_WORDS:
            return Span(word.start(), run.end)
    return Span(words[-1].start(), run.end)


def _is_noise(word: str) -> bool:
    plain = word.replace(".", "").lower()
    return len(plain) > 1 and never_name(plain)


def _is_code(word: str) -> bool:
    return len(word) == 2 and word.isupper() and word.lower() in us_states()


def _person(text: str, span: Span) -> str | None:
    value = text[slice(*span)]
    if _city_before_state(text, span):
        return "CITY"
    role = person_role(text, span)
    words = [word for word in _WORD.findall(value) if len(word) > 1]
    titled = role != "patient" or _TITLE_BEFORE.search(text, max(0, span.start - 12), span.start)
    if not words or _is_eponym(text, span, words, bool(titled)) or _is_plant(text, span):
        return None
    known = any(part.lower() in given_names() for word in words for part in word.split("-"))
    abbreviation = len(words) == 1 and value.isupper() and len(value) <= 4
    if not titled and not known and (abbreviation or (value.isupper() and _is_shouted(text, span))):
        return None
    if not titled and not known and no_person(text, span):
        return None
    if len(words) > 1 and not titled and not known and _STREET.search(value):
        return "STREET"
    return "DOCTOR" if role == "clinician" else "PATIENT"


def _is_eponym(text: str, span: Span, words: list[str], titled: bool) -> bool:
    """True for the name of a disease, sign or device: by itself, or by the noun behind it."""
    parts = [part.lower() for word in words for part in (word, *re.split("[-'’]", word))]
    named = any(part in eponyms() or part in eponyms_or_names() for part in parts)
    if not titled and text[slice(*span)].lower() in eponyms():  # "Marcus Gunn"
        return True
    if named and re.match(r"-[^\W\d_]", text[span.end : span.end + 2]):  # the model's half of "Swan-Ganz"
        return True
    if named and not titled and eponym_noun().search(text, span.start, span.end):  # "Glasgow Coma Scale"
        return True
    if eponym_noun().match(text, span.end):
        owned = _POSSESSION.match(text, span.end) and not _OWN_NOUN.match(text, span.end)
        return (named and not clinician_context(text, span)) or (len(words) == 1 and not titled and not owned)
    return not titled and all(_stem(word) in eponyms() or _NUMERAL.fullmatch(word) for word in words)


def _stem(word: str) -> str:
    plain = word.lower()
    return plain if plain in eponyms() else re.split("[-'’]", plain)[0].removesuffix("s")


def _is_plant(text: str, span: Span) -> bool:
    """True for the saint of "St. John's wort"."""
    return bool(re.match(r"['’]?s? wort\b", text[span.end : span.end + 8]))


def _is_shouted(text: str, span: Span) -> bool:
    """True in a line of prose in capitals, where capitals say nothing."""
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    rest = text[start : span.start] + text[span.end : end if end >= 0 else len(text)]
    return len(re.findall(r"[A-Z]{2,}", rest)) >= 3 and not re.search(r"[a-z]", rest)


def _place(text: str, span: Span) -> str | None:
    value = text[slice(*span)]
    if _STREET.search(value):
        return "STREET" if " " in value else None
    if clinician_context(text, span) and not _STATE_AFTER.match(text, span.end):
        return "DOCTOR"
    if _is_abbreviation(text, span) or value.lower() in not_places() or _is_plant(text, span):
        return None
    return None if _is_eponym(text, span, _WORD.findall(value), False) else "CITY"


def _is_abbreviation(text: str, span: Span) -> bool:
    """True for "PCIOL", "L IANB", "HBsAg", "Sxn'd": no town's name is written so, a state behind it apart."""
    words = _WORD.findall(text[slice(*span)])
    if _STATE_AFTER.match(text, span.end):
        return all(len(word) <= 2 for word in words)
    odd = any(_ODD.search(word) for word in words)
    capitals = all(word.isupper() for word in words)
    return odd or all(len(word) <= 2 for word in words) or (capitals and max(map(len, words), default=0) <= 5)


def _region(text: str, span: Span, entity: str) -> str | None:
    value = text[slice(*span)]
    plain = value.replace(".", "").lower()
    if entity == "PERSON" and plain in _ALSO_GIVEN_NAMES:
        return None
    if _is_code(plain.upper()):
        # "CT", "MD" and "PA" are more often a scan and two professions: a code needs a place before it.
        placed = text[: span.start].endswith(", ") and _ZIP_AFTER.match(text, span.end)
        return "STATE" if placed and value.isupper() else None
    if plain in us_states() or plain in us_states().values():
        return "STATE"
    return "COUNTRY" if plain in countries() or value.lower() in countries() else None


def _city_before_state(text: str, span: Span) -> bool:
    after = _STATE_AFTER.match(text, span.end)
    if not after or after[1].lower() not in us_states():
        return False
    return bool(after[2]) or after[1] not in _ALSO_DEGREES


def _institution(value: str) -> str | None:
    hospital, other = _HOSPITAL.search(value), _INSTITUTION.search(value)
    rest = _INSTITUTION.sub(" ", _HOSPITAL.sub(" ", value))
    own = [word for word in _WORD.findall(rest) if word[0].isupper() and len(word) > 2]
    if not (hospital or other) or all(word.lower() in not_names() | not_places() for word in own):
        return None
    return "HOSPITAL" if hospital else "ORGANIZATION"
