"""Gold files -> the annotations of each note, under our categories and in the offsets of the note.

Offsets are trusted, whatever the file says stands there. Everything that is not scored is counted
with its reason. An error names a label only where it is made of words that are labels everywhere:
in a file whose columns are mapped wrongly, values stand where labels should.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from phiscan.errors import NoteFormatError
from phiscan.input_rows import BadRow, Tally, format_of, is_unicode
from phiscan.load import LoadSettings, line_feeds, note_offset
from phiscan.protocols import GoldFormat, GoldRow, GoldSpan
from phiscan.records import Note, PhiText, record
from phiscan.registry import load_plugin, plugin_names
from phiscan.taxonomy import CATEGORIES

LABEL_ALIASES = {"IPADDRESS": "IPADDR", "GENDER": ""}
"""Labels of the i2b2 guidelines that are no category here; an empty one is left out."""

_LABEL_WORDS = frozenset(
    """
    ACCOUNT ADDRESS AGE BIRTH BIRTHDATE BIOID CAREGIVER CERTIFICATE CITY CLINICIAN CONTACT CONTACTDETAILS
    COUNTRY COUNTY DATE DATETIME DETAILS DEVICE DOB DOCTOR EMAIL ENTITY EVENT FACILITY FAC FAMILY FAX
    FIRST GENDER GIVEN GPE HCP HCW HEALTHCARE HEALTHPLAN HOSP HOSPITAL ID IDENTIFIER IDNUM INITIALS
    INSTITUTION IP LABEL LICENSE LOC LOCATION MAIL MEDICALRECORD MIDDLE MISC MONTH MRN NAME NATIONALITY
    NORP NUM NUMBER NURSE OCCUPATION ORG ORGANIZATION OTHER OTHERPHI PATIENT PATORG PER PERSON PHI PHONE
    POSTAL PROFESSION PROVIDER RELATION RELATIVE SEX SSN STAFF STATE SURNAME TELEPHONE TEXT TIME TITLE
    TYPE UNIQUE URL USER USERNAME VEHICLE VENDOR YEAR ZIP ZIPCODE
    """.split()
).union(CATEGORIES)
"""Without words that are usual surnames (Day, Ward, Place): a column of these shows nothing."""
_WORD_GAP = re.compile("[-_:]")
_MOST_LABELS, _MOST_WORDS = 10, 4


class GoldOfNote(NamedTuple):
    """What people annotated in one note: raw offsets, labels turned into categories."""

    row: int
    spans: tuple[GoldSpan, ...]


class PlacedSpan(NamedTuple):
    """One annotation in the offsets of the note as loaded."""

    start: int
    end: int
    category: str


@record
class LoadedGold:
    """All usable annotations by note id, and what became of everything else."""

    by_note: Mapping[PhiText, GoldOfNote]
    ignored: Mapping[str, int]
    """Annotations left out, by reason."""
    rows_read: int
    rows_bad: dict[str, int]
    """Records without annotations, or that cannot be read."""
    rows_dropped: dict[str, int]
    bad_examples: list[BadRow]


def load_gold(
    path: Path, settings: LoadSettings, *, argument: str = "--gold", format_name: str | None = None
) -> LoadedGold:
    """Return what people annotated in the notes of ``path``.

    A file that cannot be read or is of a format without annotations, a note that stands twice, a
    label that is no category, or a file without a single annotated note raises NoteFormatError.
    """
    plugin = format_of(path, format_name, argument)
    if not isinstance(plugin, GoldFormat):
        able = [name for name in plugin_names("formats") if hasattr(load_plugin("formats", name), "gold")]
        raise NoteFormatError(f"{argument}: annotations are read from {', '.join(able)} only")
    tally, labels, ignored = Tally(), _Labels(settings.labels), Counter[str]()
    by_note: dict[str, GoldOfNote] = {}
    for found in plugin.gold(path, argument):
        tally.read += 1
        note_id = _note_id(found, settings.note_id)
        if found.spans is None:
            tally.bad(argument, found.row, found.problem or "unreadable")
        elif note_id is None:
            tally.bad(argument, found.row, "no note_id")
        elif note_id in by_note:
            first = by_note[note_id].row
            raise NoteFormatError(f"{argument}: row {found.row} repeats the note_id of row {first}")
        else:
            ignored.update(found.ignored)
            by_note[note_id] = GoldOfNote(found.row, labels.translate(found, ignored))
    labels.refuse_unknown(argument)
    if not by_note:
        raise NoteFormatError(f"{argument}: no note with annotations could be read{tally.why()}")
    return LoadedGold(by_note=by_note, ignored=ignored, **tally.counts())


def place_in_note(spans: Iterable[GoldSpan], note: Note, counts: Counter[str]) -> list[PlacedSpan]:
    """The annotations of ``note`` in its own offsets, sorted; ``counts`` says what was odd."""
    raw_length = len(note.text) + len(note.crlf)
    placed: dict[PlacedSpan, None] = {}
    for span in spans:
        at = PlacedSpan(note_offset(note, span.start), note_offset(note, span.end), span.label)
        if not (span.start >= 0 and at.start < at.end and span.end <= raw_length):
            counts["annotations empty or outside their note, not scored"] += 1
            continue
        if at in placed:
            counts["annotations that stand twice, scored once"] += 1
        placed[at] = None
        if span.text is not None and line_feeds(span.text)[0] != note.text[at.start : at.end]:
            counts["annotations whose text differs from the note's (their offsets are trusted)"] += 1
    ordered = sorted(placed)
    reach = 0
    for at in ordered:
        if at.start < reach:
            counts["annotations that overlap another, all scored"] += 1
        reach = max(reach, at.end)
    return ordered


class _Labels:
    """Turns labels into categories and remembers those that are none."""

    def __init__(self, pairs: Iterable[str]) -> None:
        given = (pair.rpartition("=") for pair in pairs)
        mapped = {_even(label): category.strip() for label, _, category in given}
        self._categories = {name: name for name in CATEGORIES} | LABEL_ALIASES | mapped
        self._unknown: dict[str, int] = {}

    def translate(self, found: GoldRow, ignored: Counter[str]) -> tuple[GoldSpan, ...]:
        """The spans of one record with a category for a label; those left out are counted."""
        kept = []
        for span in found.spans or ():
            category = self._categories.get(_even(span.label))
            if category:
                kept.append(span._replace(label=category))
            elif category is None:
                self._unknown.setdefault(span.label, found.row)
            else:
                is_gender = _even(span.label) == "GENDER"
                ignored["GENDER, which is not scored" if is_gender else "label mapped to nothing"] += 1
        return tuple(kept)

    def refuse_unknown(self, argument: str) -> None:
        """Raise for labels that are no category; a label that might be a value is not quoted."""
        if not self._unknown:
            return
        shown = sorted(filter(_is_known_word, self._unknown))[:_MOST_LABELS]
        hidden = len(self._unknown) - len(shown)
        names = ", ".join([*shown, *([f"{hidden} label{'s' * (hidden > 1)} not shown"] if hidden else [])])
        example = shown[0] if shown else "LABEL"
        raise NoteFormatError(
            f"{argument}: labels that are no category: {names} (first in row {min(self._unknown.values())}); "
            f'map each with load.labels = ["{example}=CATEGORY"], or leave it out with "{example}="'
        )


def _is_known_word(label: str) -> bool:
    """Whether ``label`` consists of words that name kinds of things, with a letter of a BIO scheme or none.

    >>> _is_known_word("B-PER"), _is_known_word("Name:Nurse"), _is_known_word("LINDQVIST-4471")
    (True, True, False)
    """
    words = _WORD_GAP.split(label.upper())
    if len(words) > 1 and words[0] in tuple("BIESLU"):
        del words[0]
    return len(words) <= _MOST_WORDS and _LABEL_WORDS.issuperset(words)


def _even(label: str) -> str:
    return label.strip().upper().replace("_", "-")


def _note_id(found: GoldRow, column: str) -> str | None:
    """The record's note id: in the mapped column, or in the one that formats without columns give."""
    fields = found.fields or {}
    note_id = (fields.get(column) or fields.get("note_id") or "").strip()
    return note_id if note_id and is_unicode(note_id) else None
