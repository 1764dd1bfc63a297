"""What a note says of a name once, it says everywhere: whose names, which institutions, whose logins.

Runs over the settled findings of all detectors. A person whom a title, a signature or a role tells for a
clinician is one wherever the name stands again, and the patient is no clinician in a list of copies. Names
and institutions told once are found again where nothing labels them; a login or initials made of a name
in the note are found where a login or initials may stand.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from phiscan.person_role import clinician_context, staff_by_place
from phiscan.records import DetectedSpan
from phiscan.rulebook.lexicons import not_names, not_places, place_eponyms
from phiscan.rulebook.name_words import never_name
from phiscan.rulebook.repeated_names import repeated_names

SCORE = 0.5
"""Of what stands again without a label of its own."""

_PEOPLE = ("DOCTOR", "PATIENT")
_TOLD_PATIENT = frozenset(
    "patient_header patient_labelled patient_relative patient_title patient_newborn patient_to_notify"
    " patient_contact_labelled patient_in_sentence PERSON/relative".split()
)
_GUESSED_PATIENT = frozenset({"patient_given_name", "PERSON/patient", "NAME"})
_GUESSED_DOCTOR = frozenset(
    {"doctor_labelled", "doctor_mentioned", "doctor_signature", "doctor_acting", "PERSON/clinician", "NAME"}
)
_OFTEN_PATIENTS = frozenset({"doctor_mentioned", "doctor_signature", "NAME"})
_NAME = re.compile(r"[^\W\d_]{2,}")

_LOGIN = re.compile(
    r"(?<![\w@./\\-])(?:[a-z][a-z._]{2,16}[a-z]\d{0,4}|[A-Z]{4,12}\d{0,4}|[A-Z][a-z]{3,11}\d{1,4})"
    r"(?![\w@%-]|\.\w)"
)
_INITIALS = re.compile(r"(?<![\w.'’&/-])[A-Z]{2,3}(?![\w'’&-]|\.\w)")
_MAY_SIGN_BEFORE = re.compile(
    r"(?:[|]|\t|[ ]{3}|\b(?:by|init(?:ials)?|prepared|reviewed|scored|dictated|transcribed|typed|checked?"
    r"|verified|witness(?:ed)?|signed|key|nurse|rn|tech)[:.]?|[/;=,-])[ ]{0,2}$",
    re.IGNORECASE,
)
_MAY_SIGN_BEHIND = re.compile(r"[ ]*(?:[|/\n\r;,.)=]|\Z|[ ]{2}|\d)")
_NO_INITIALS = frozenset(
    "SN AM PM IV PO IM SC SQ OD OS OU ED ER OR RN MD NP PA DO PT OT ST MA CT MR US XR BP HR RR LR NS GI GU ID"
    " HD PD EF LV RV LA RA AV SA BM UA CA BS DM HT TB MS MI VS AC PC HS TID BID QID PRN NPO CBC BMP CMP EKG"
    " ECG MRI ICU CPR DNR DNI RAT LAT LUA RUA LT RT LD RD LP LE UE RUE LUE RLE LLE".split()
)
_PLACED = ("HOSPITAL", "ORGANIZATION", "DEPARTMENT")
_CARE_WORD = re.compile(
    r"[ ](?:Regional|General|Memorial|Community|University|Medical|Hospitals?|Clinics?|Health(?:care)?|Center"
    r"|Care|Nursing|Children['’]s|Rehab\w*|Army|Adventist|Methodist|Baptist|Lutheran|Presbyterian|Tribal"
    r"|Valley Hospital).*$"
)


def settled(text: str, spans: Sequence[DetectedSpan]) -> list[DetectedSpan]:
    r"""``spans`` of one text, which do not overlap, with roles made one and repetitions added, by start.

    >>> text = "PCP: Dr. Ida Quillon\nPlan sent to Ida Quillon. Entered: iquillon2"
    >>> found = [(9, 20, "DOCTOR", "doctor_title"), (34, 45, "PATIENT", "PERSON/patient")]
    >>> spans = [
    ...     DetectedSpan(start=start, end=end, category=kind, score=0.9, detector="rules", rule=rule)
    ...     for start, end, kind, rule in found
    ... ]
    >>> [(text[s.start : s.end], s.category) for s in settled(text, spans)]
    [('Ida Quillon', 'DOCTOR'), ('Ida Quillon', 'DOCTOR'), ('iquillon2', 'USERNAME')]
    """
    if not spans:
        return []
    found = _with_roles(text, list(spans))
    for more in (_again, _institutions_again, _logins, _initials):
        found = _joined(found, more(text, found))
    return found


def _joined(found: list[DetectedSpan], more: Iterator[DetectedSpan]) -> list[DetectedSpan]:
    """``found``, which is sorted, with those of ``more`` that overlap nothing."""
    for span in more:
        place = bisect_right(found, span.start, key=lambda other: other.end)  # the first that ends behind
        if place == len(found) or span.end <= found[place].start:
            found.insert(place, span)
    return found


def _with_roles(text: str, spans: list[DetectedSpan]) -> list[DetectedSpan]:
    patients: dict[str, list[frozenset[str]]] = {}
    doctors: set[str] = set()
    for span in spans:
        words = _words(text, span)
        if span.category == "DOCTOR" and span.rule not in _OFTEN_PATIENTS:
            doctors |= words
        elif span.category == "PATIENT" and span.rule in _TOLD_PATIENT:
            for word in words:
                patients.setdefault(word, []).append(words)
    return [_with_role(text, span, patients, doctors - patients.keys()) for span in spans]


def _with_role(
    text: str, span: DetectedSpan, patients: Mapping[str, Sequence[frozenset[str]]], doctors: set[str]
) -> DetectedSpan:
    """``span`` with the role of the same person elsewhere; a guess that nothing tells goes by its place."""
    if span.category not in _PEOPLE:
        return span
    words = _words(text, span)
    if span.category == "DOCTOR" and span.rule in _GUESSED_DOCTOR and len(words) > 1:
        if any(len(words & name) > 1 for word in words for name in patients.get(word, ())):
            return replace(span, category="PATIENT")
    elif span.category == "PATIENT" and span.rule in _GUESSED_PATIENT and not words & patients.keys():
        place = (span.start, span.end)
        if words & doctors or clinician_context(text, place) or staff_by_place(text, place):
            rule = "PERSON/clinician" if span.rule == "PERSON/patient" else span.rule
            return replace(span, category="DOCTOR", rule=rule)
    return span


def _words(text: str, span: DetectedSpan) -> frozenset[str]:
    return frozenset(word.lower() for word in _NAME.findall(text[span.start : span.end]) if len(word) > 2)


def _again(text: str, spans: Sequence[DetectedSpan]) -> Iterator[DetectedSpan]:
    yield from repeated_names(text, [span for span in spans if span.detector != "presidio"])


def _institutions_again(text: str, spans: Sequence[DetectedSpan]) -> Iterator[DetectedSpan]:
    """Institutions and towns where their whole name, their brand or their acronym stands again."""
    sources: dict[str, DetectedSpan] = {}
    for span in spans:
        if span.category in (*_PLACED, "CITY") and span.detector != "presidio":
            for value in _short_forms(span.category, text[span.start : span.end]):
                sources.setdefault(value, span)
    names = "|".join(map(re.escape, sorted(sources, key=len, reverse=True)))
    for match in re.finditer(rf"(?<![\w'’@./-])(?:{names})(?![\w'’@-]|\.\w)", text) if names else ():
        yield replace(sources[match[0]], start=match.start(), end=match.end(), score=SCORE)


def _short_forms(category: str, value: str) -> Iterator[str]:
    words = value.split()
    if category == "CITY":
        if len(value) > 5 and value[0].isupper() and value.lower() not in place_eponyms() | not_places():
            yield value
        return
    if len(words) > 1:
        yield value
    if category != "HOSPITAL" or len(words) < 2:
        return
    letters = "".join(word[0] for word in words if word[0].isupper())
    if len(letters) > 3:
        yield letters
    brand = _CARE_WORD.sub("", value)
    plain = brand.lower()
    if brand != value and len(brand) > 5 and not all(w in not_names() | not_places() for w in plain.split()):
        yield brand


def _logins(text: str, spans: Sequence[DetectedSpan]) -> Iterator[DetectedSpan]:
    """Words made of the letters of one person's names, as logins are: iquillon2, ida.quillon, idaqui7."""
    names = {
        frozenset(part.lower() for part in _NAME.findall(text[span.start : span.end]))
        for span in spans
        if span.category in _PEOPLE
    }
    whole = {word for name in names for word in name}
    pairs: dict[str, set[tuple[str, str]]] = {}
    for name in names:
        for first, last in permutations(sorted(name), 2):
            pairs.setdefault(first[0] + last[0], set()).add((first, last))
    for match in _LOGIN.finditer(text) if pairs else ():
        letters = re.sub(r"[\d._]", "", match[0].lower())
        marked = letters != match[0].lower()
        if len(letters) > 4 and letters not in whole and not never_name(letters):
            near = {pair for cut in letters[1:] for pair in pairs.get(letters[0] + cut, ())}
            capitals = match[0].isupper()
            if any(_made_of(letters, one, other, marked=marked, capitals=capitals) for one, other in near):
                yield _made(match, "USERNAME")


def _made_of(letters: str, first: str, last: str, *, marked: bool, capitals: bool) -> bool:
    """True for the start of one name followed by that of another, as much of both as logins hold.

    One of them whole, or figures or a stop besides, or cut to eight letters (mwexholm) or, in capitals, to
    six (WEXHMA).
    """
    for cut in range(1, len(letters)):
        head, tail = letters[:cut], letters[cut:]
        if first.startswith(head) and last.startswith(tail):
            whole = (tail == last and len(last) > 3) or (head == first and len(first) > 3)
            cut_short = len(letters) == 8 and (cut == 1 or len(tail) == 1)
            cut_short = cut_short or (capitals and len(letters) == 6 and cut == 4)
            if whole or cut_short or (marked and ((cut > 1 and len(tail) > 1) or len(letters) > 5)):
                return True
    return False


def _initials(text: str, spans: Sequence[DetectedSpan]) -> Iterator[DetectedSpan]:
    """Two or three capitals that are a clinician's in this note, where staff put theirs."""
    own = {
        "".join(word[0] for word in words).upper()
        for span in spans
        if span.category == "DOCTOR" and len(words := _NAME.findall(text[span.start : span.end])) > 1
    }
    for match in _INITIALS.finditer(text):
        if (
            match[0] in own - _NO_INITIALS
            and _MAY_SIGN_BEFORE.search(text, max(0, match.start() - 24), match.start())
            and _MAY_SIGN_BEHIND.match(text, match.end())
        ):
            yield _made(match, "DOCTOR")


def _made(match: re.Match[str], category: str) -> DetectedSpan:
    return DetectedSpan(
        start=match.start(),
        end=match.end(),
        category=category,
        score=SCORE,
        detector="rules",
        rule="within_note",
    )
