"""From a general model's named entities to PHI: pure functions over a text and a range of it.

A model of general English is noisy on clinical notes, so what it finds is shaped before it counts:
cut at line breaks, numbers and words that are never a name, stripped of titles and possessives
(i2b2 span rules), typed by the words in it and beside it, and dropped where nothing is left.
Entities go by Presidio's names (PERSON, LOCATION, ORGANIZATION, EMAIL_ADDRESS, ...).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from phiscan.records import Span
from phiscan.rulebook.lexicons import countries, eponyms, not_names, not_places, us_states

_EXACT = {
    "EMAIL_ADDRESS": "EMAIL",
    "URL": "URL",
    "IP_ADDRESS": "IPADDR",
    "US_SSN": "SSN",
    "CREDIT_CARD": "ACCOUNT",
    "IBAN_CODE": "ACCOUNT",
}
_WORD = re.compile(r"[^\W_]+(?:[-'’.&][^\W_]+)*")
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
_CLINICIAN_BEFORE = re.compile(
    r"\b(?:drs?|doctor|prof(?:essor)?|nurse|rn|np|md|pcp|attending|resident|fellow|intern|surgeon|physician"
    r"|provider|[a-z]{4,}ologist|psychiatrist|p(?:a?e)diatrician|hospitalist|therapist|pharmacist|midwife"
    r"|(?:co-?)?signed|(?:signed|dictated|performed|reviewed|transcribed|ordered|referred|seen|read) by"
    r"|reviewed with|signed: \w{2,20} for)"
    r"\b[.:,#]?\s{0,3}(?:dr\.?\s)?$",
    re.IGNORECASE,
)
_CLINICIAN_AFTER = re.compile(
    r"\.?,? {0,2}(?:M\.?D|D\.?O|R\.?N|N\.?P|P\.?A(?:-C)?|Ph\.?D|Pharm\.?D|LPN|CNA|CRNA|LCSW|RPh|DPM|DDS"
    r"|FACP|FACS|MBBS|BSN|MSN|APRN|ARNP|FNP|CNM|PGY-?\d)\b"
)
_TITLE_BEFORE = re.compile(r"\b(?:Mr|Mrs|Ms|Mx|Miss|Sr|Sra)\.? {0,2}$", re.IGNORECASE)
_LABEL_WORDS = frozenset({"Employer", "Facility", "Location", "Site"})
_ALSO_DEGREES = frozenset({"MA", "MD", "PA"})
_ALSO_GIVEN_NAMES = frozenset("carolina chad georgia india israel jordan kenya virginia".split())
_STATE_AFTER = re.compile(r", ?([A-Z]{2})\b(?= (\d{5})\b)?")
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


def clinician_context(text: str, span: tuple[int, int]) -> bool:
    """True if a title, role, degree or signature label stands beside the name.

    >>> clinician_context("PCP: Abernathy saw Ms. Quillon", (5, 14))
    True
    >>> clinician_context("PCP: Abernathy saw Ms. Quillon", (23, 30))
    False
    """
    before, after = text[max(0, span[0] - 40) : span[0]], text[span[1] : span[1] + 16]
    return bool(_CLINICIAN_BEFORE.search(before) or _CLINICIAN_AFTER.match(after))


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
    return len(plain) > 1 and plain in not_names()


def _is_code(word: str) -> bool:
    return len(word) == 2 and word.isupper() and word.lower() in us_states()


def _person(text: str, span: Span) -> str | None:
    value = text[slice(*span)]
    if _city_before_state(text, span):
        return "CITY"
    clinician = clinician_context(text, span)
    words = [word for word in _WORD.findall(value) if len(word) > 1]
    titled = clinician or _TITLE_BEFORE.search(text, max(0, span.start - 8), span.start)
    named = [word for word in words if word.lower() not in eponyms()]
    abbreviation = len(words) == 1 and value.isupper() and len(value) <= 4
    if not words or (not titled and (not named or abbreviation)):
        return None
    return "DOCTOR" if clinician else "PATIENT"


def _place(text: str, span: Span) -> str | None:
    value = text[slice(*span)]
    if _STREET.search(value):
        return "STREET" if " " in value else None
    if clinician_context(text, span) and not _STATE_AFTER.match(text, span.end):
        return "DOCTOR"
    short = len(value) <= 2 or (value.isupper() and len(value) <= 4)
    return None if short or value.lower() in eponyms() else "CITY"


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
