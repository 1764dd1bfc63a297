"""Which types of notes may be named in a report. What a file calls a type is free text, and may be a person.

A name is shown only if many patients share it, if it holds no figure and nothing that cannot be printed, and
if it is no person's name in any record; a column with very many types is no list of types, and none is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from phiscan.printable import is_printable

MOST_NAMED = 20
MOST_DISTINCT = 500
"""Types in a column beyond which it is taken for free text."""
LONGEST = 40
_OF_A_PERSON = re.compile(r"\b(?:drs?|doctor|prof(?:essor)?|mr|mrs|ms|miss)\b|['’]s\b", re.IGNORECASE)


def types_to_name(
    notes: Iterable[tuple[str | None, int]], *, least: int, is_person: Callable[[str], bool]
) -> tuple[str, ...]:
    """The types that may be named, those of most patients first.

    Args:
        notes: (type, number of the patient) of every note, the notes of a patient together.
        least: Patients that must have a note of the type.
        is_person: Tells whether a text is a person's name in some record.

    """
    patients: dict[str, int] = {}
    latest: dict[str, int] = {}
    for name, patient in notes:
        if name is None or latest.get(name) == patient:
            continue
        if name not in patients and len(patients) == MOST_DISTINCT:
            return ()
        latest[name] = patient
        patients[name] = patients.get(name, 0) + 1
    order = sorted(patients, key=lambda name: (-patients[name], name))
    allowed = (name for name in order if patients[name] >= least and _is_plain(name) and not is_person(name))
    return tuple(allowed)[:MOST_NAMED]


def _is_plain(name: str) -> bool:
    """Short, printable, with a letter, without a figure and without a word that comes with a name."""
    if not is_printable(name, LONGEST) or _OF_A_PERSON.search(name):
        return False
    return any(map(str.isalpha, name)) and not any(map(str.isdigit, name))
