"""How old a patient is, in bands: from the date of birth in the registration table, else from the notes.

Bands keep those over 89 together, as 45 CFR 164.514(b)(2)(i)(C) asks. A band is of the patient, at the time
of the latest note: somebody whose notes span years stands in one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from phiscan.assertion import Sentences
from phiscan.normalize import DateOrder, canonical
from phiscan.records import AgeBand, AgeSource, Note, PatientTraits, Phi, Span
from phiscan.rulebook.sentences import sentence_spans

AGE_BANDS: tuple[AgeBand, ...] = get_args(AgeBand)
"""The bands, in order of age; the last is of nobody knows whom."""
NOT_KNOWN = AGE_BANDS[-1]
_UPPER = (17, 44, 64, 89)
"""Last completed year of life of each band but the oldest."""
_OLDEST_LIVING = 120
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_AGE = re.compile(r"(\d+)(?:\.\d+)?([ymwds])")


def traits_of(
    notes: Sequence[Note], phi: Iterable[Phi], births: Mapping[str, Sequence[str]], date_order: DateOrder
) -> list[PatientTraits]:
    """One row for each patient of ``notes``, which hold all notes of each of them in their order.

    ``phi``: of these notes; ``births``: the dates of the registration table by patient, which are dates of
    birth.
    """
    ages: dict[str, list[Phi]] = {}
    for row in phi:
        if row.category == "AGE" and row.note_id is not None:
            ages.setdefault(row.note_id, []).append(row)
    of_patient: dict[str, list[Note]] = {}
    for note in notes:
        of_patient.setdefault(note.patient_id, []).append(note)
    return [
        _traits(patient, own, ages, births.get(patient, ()), date_order)
        for patient, own in of_patient.items()
    ]


def band_of_years(years: int) -> AgeBand:
    """The band of somebody of so many completed years.

    >>> band_of_years(0), band_of_years(89), band_of_years(90)
    ('0-17', '65-89', '90 and over')
    """
    return AGE_BANDS[sum(years > last for last in _UPPER)]


def band_of_age(form: str) -> AgeBand | None:
    """The band of an age in its canonical form; None for a decade of life that reaches into two.

    >>> band_of_age("58y"), band_of_age("18m"), band_of_age("90+"), band_of_age("70s"), band_of_age("60s")
    ('45-64', '0-17', '90 and over', '65-89', None)
    """
    if form == "90+":
        return AGE_BANDS[-2]
    found = _AGE.match(form)
    if found is None or int(found[1]) > _OLDEST_LIVING * 12:
        return None
    number, unit = int(found[1]), found[2]
    if unit == "s":
        first, last = band_of_years(number), band_of_years(number + 9)
        return first if first == last else None
    years = number if unit == "y" else number // 12 if unit == "m" else 0
    return band_of_years(years) if years <= _OLDEST_LIVING else None


def _traits(
    patient: str,
    notes: Sequence[Note],
    ages: Mapping[str, Sequence[Phi]],
    births: Sequence[str],
    date_order: DateOrder,
) -> PatientTraits:
    registered = _registered(notes, births, date_order)
    written = None if registered else _written(notes, ages)
    source: AgeSource | None = "registration" if registered else "notes" if written else None
    return PatientTraits(patient_id=patient, age_band=registered or written or NOT_KNOWN, age_source=source)


def _registered(notes: Sequence[Note], births: Sequence[str], date_order: DateOrder) -> AgeBand | None:
    """By the one day of birth in the registration table, at the latest note with a date."""
    born = {canonical("DATE", text, date_order) for text in births}
    days = [canonical("DATE", note.date, date_order) for note in notes if note.date]
    dated = [day for text in days if (day := _day(text))]
    birth = _day(born.pop()) if len(born) == 1 else None
    if birth is None or not dated:
        return None
    latest = max(dated)
    years = latest[0] - birth[0] - (latest[1:] < birth[1:])
    return band_of_years(years) if 0 <= years <= _OLDEST_LIVING else None


def _day(text: str) -> tuple[int, int, int] | None:
    found = _DAY.match(text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _written(notes: Sequence[Note], ages: Mapping[str, Sequence[Phi]]) -> AgeBand | None:
    """The band of the first age in most of the notes; of two as frequent that of the later note.

    Notes open with the patient's age. One that is said of a relative is passed over, and so a note in which
    only another's age stands first is outvoted by the others.
    """
    said = [band for note in notes if (band := _first_age(note, ages.get(note.note_id, ())))]
    counts = Counter(said)
    return max(reversed(said), key=counts.__getitem__, default=None)


def _first_age(note: Note, ages: Sequence[Phi]) -> AgeBand | None:
    spans = sorted((Span(row.start or 0, row.end or 0), row.canonical) for row in ages)
    if not spans:
        return None
    sentences = Sentences(note.text, sentence_spans(note.text))
    for span, form in spans:
        band = band_of_age(form)
        if band is not None and sentences.scope(span.start, span.end, keeps_family=False).status != "family":
            return band
    return None
