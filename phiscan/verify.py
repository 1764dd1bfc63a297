"""PhiSpan + indexes -> Verdict: what do the records say about each hit?

Exactly one verdict a hit, the first that holds: ``in_prompt``; ``undecided``; in the own record
``verbatim`` / ``reformatted`` / ``partial``; ``other_patient``; ``common``; ``invented``.
Attributes (anchored, specific, control_emits, n_patients) say how much a verdict weighs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from phiscan.case import Case, Lookups
from phiscan.normalize import DateOrder, is_full_name, is_specific, keys, squeeze
from phiscan.project import range_in_note
from phiscan.records import (
    Hit,
    Note,
    SpanMatch,
    Verdict,
    VerdictName,
)
from phiscan.shown import Shown, value_pairs
from phiscan.taxonomy import CATEGORIES
from phiscan.value_index import CONTEXT, Context, RecordValue, stands_in, words_beside
from phiscan.words import Words, split_words

_KNOW_ROLES = frozenset({"rules", "known_identifiers"})
"""Detectors that tell a patient from a clinician by title, label or registration."""
OTHERS_LOOKED_AT = 200
"""Places in other patients' records looked at for one value, where nothing ties it to a record."""
_FEW_PLACES = 20
"""The same for a value that as many patients share as a template: no such place decides."""


class VerifySettings(BaseModel):
    """How values are compared."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    date_order: DateOrder = Field(
        "mdy", description='order of numeric dates; "unknown" leaves those that read both ways undecided'
    )


class _Place(NamedTuple):
    value: RecordValue
    anchored: bool


class _Found(NamedTuple):
    verdict: VerdictName
    reason: str
    place: RecordValue | None = None
    anchored: bool = False
    specific: bool = False
    note_side_miss: bool = False


def verify_case(case: Case, lookups: Lookups) -> list[Verdict]:
    """One verdict for each hit of the case, in order."""
    view = _View(case, lookups)
    return [view.verdict(hit) for hit in case.hits]


class _View:
    """One case made ready for lookups."""

    def __init__(self, case: Case, lookups: Lookups) -> None:
        self.case, self.lookups = case, lookups
        self.words = split_words(case.continuation.text)
        self.prompt_words = split_words(case.prompt.text).words
        self.shown = Shown(case.prompt.text, case.prompt_phi, lookups.date_order)
        self.patient = None if case.note is None else lookups.patient_numbers[case.note.note_id]
        self._telling: dict[tuple[int, int], frozenset[Context]] = {}
        self.net = self._net_blocks()
        self.control = (
            None
            if case.control is None
            else {pair for hit in case.control for pair in value_pairs(hit, lookups.date_order)}
        )
        self.identified = self._patients_identified()

    def verdict(self, hit: Hit) -> Verdict:
        """The verdict on one hit of the case."""
        found = self._find(hit)
        place = found.place
        control_emits = None if self.control is None else bool(self._pairs(hit) & self.control)
        return Verdict(
            hit_id=hit.hit_id,
            gen_id=hit.gen_id,
            verdict=found.verdict,
            reason=found.reason,
            matched_note_id=None if place is None or place.note is None else self._note_id(place.note),
            matched_start=None if place is None else place.start,
            matched_end=None if place is None else place.end,
            matched_category=None if place is None else self._category_in_records(hit, place),
            matched_member=place is not None and place.member,
            anchored=found.anchored,
            specific=found.specific,
            control_emits=control_emits,
            n_patients=self.lookups.values.patients_with(hit.category, hit.text),
            note_side_miss=found.note_side_miss,
            verifier="rule",
            author="phiscan",
            time=None,
        )

    def _find(self, hit: Hit) -> _Found:
        if self.shown(hit.category, hit.text):
            return _Found("in_prompt", "the prompt shows it")
        if self.patient is None:
            return _Found("undecided", "the note is not among those loaded")
        made = keys(hit.category, hit.text, self.lookups.date_order)
        if made.ambiguous and self._reading_matters(hit):
            return _Found("undecided", "the value reads in more than one way")
        return self._in_own_record(hit) or self._in_other_record(hit) or _Found("invented", "in no record")

    # --- the patient's own record -------------------------------------------------------

    def _in_own_record(self, hit: Hit) -> _Found | None:
        assert self.patient is not None
        values = self.lookups.values
        specific = is_specific(hit.category, hit.canonical)
        same = values.same_value(hit.category, hit.text, patient=self.patient)
        verbatim = [value for value in same if squeeze(value.text) == squeeze(hit.text)]
        if place := self._best(hit, verbatim):
            return _Found("verbatim", "stands so in the record", place.value, place.anchored, specific)
        part = values.part_of_value(hit.category, hit.text, patient=self.patient)
        if run := self._shared_run(hit):
            return run._replace(specific=specific, note_side_miss=not (same or part))
        if place := self._best(hit, same):
            return _Found("reformatted", "same value, other form", place.value, place.anchored, specific)
        if place := self._best(hit, part):
            # A whole of which the record holds a part (its surname) says no more than that part.
            of_record = keys(place.value.category, place.value.text, self.lookups.date_order).part
            shows_it = bool(set(keys(hit.category, hit.text, self.lookups.date_order).full) & of_record)
            return _Found(
                "partial", "a part of the value", place.value, place.anchored, specific and shows_it
            )
        return None

    def _best(self, hit: Hit, values: Iterable[RecordValue]) -> _Place | None:
        """Own note first, anchored first, earliest first."""
        own = None if self.case.note is None else self.case.note.ordinal
        places = [_Place(value, self._anchored(hit, value)) for value in values]
        return min(
            places,
            key=lambda p: (p.value.note != own, not p.anchored, p.value.note or 0, p.value.start or 0),
            default=None,
        )

    def _shared_run(self, hit: Hit) -> _Found | None:
        """The hit inside eight or more words copied from the record, though its note side lacks it."""
        first, last = _word_range(self.words, hit.cont_start, hit.cont_end)
        for note, note_words in self._own_words:
            for at in _places(note_words.words, self.words.words[first:last]):
                run = _grow(self.words.words, note_words.words, first, at)
                if run < CONTEXT:
                    continue
                start, end = note_words.starts[at], note_words.ends[at + last - first - 1]
                place = RecordValue(
                    patient=self.patient or 0,
                    member=note.split == "member",
                    note=note.ordinal,
                    start=start,
                    end=end,
                    category=hit.category,
                    canonical=hit.canonical,
                    text=hit.text,
                    detector=hit.detector,
                    before=words_beside(note_words, start, end).before,
                    after=words_beside(note_words, start, end).after,
                )
                reason = "inside 8+ words copied from the record"
                return _Found("verbatim", reason, place, self._anchored(hit, place), note_side_miss=True)
        return None

    @cached_property
    def _own_words(self) -> list[tuple[Note, Words]]:
        """The patient's notes, the prompted one first, with their words."""
        own = self.case.note
        notes = sorted(self.case.own_notes, key=lambda n: own is None or n.ordinal != own.ordinal)
        return [(note, split_words(note.text)) for note in notes]

    # --- other patients' records ---------------------------------------------------------

    def _in_other_record(self, hit: Hit) -> _Found | None:
        others = self._other_places(hit)
        if not others:
            return self._in_other_run(hit) or self._part_of_others(hit)
        if value := self._first_anchored(hit, self._places_of(hit, self._patients_beside(hit))):
            specific = self._specific_to(hit, value.patient)
            return _Found("other_patient", "beside the same words", value, True, specific)
        if value := self._first_specific(hit, others):
            return _Found("other_patient", "points at one person by itself", value, False, True)
        return _Found("common", "in other records, tied to none", others[0])

    def _patients_beside(self, hit: Hit) -> set[int]:
        """The only patients in whose records the hit can be anchored: those with whose notes the answer
        shares a net block, and those whose notes hold a value between the same telling words."""
        telling = self._telling_contexts(hit.cont_start, hit.cont_end)
        return {*self.net, *(p for words in telling for p in self.lookups.values.patients_between(*words))}

    def _places_of(self, hit: Hit, patients: Iterable[int]) -> list[RecordValue]:
        """The value's places in other patients' records, those the model was trained on first."""
        values = self.lookups.values
        others = sorted(patient for patient in patients if patient != self.patient)
        found = [v for p in others for v in values.same_value(hit.category, hit.text, patient=p)]
        # Only records the model was trained on can have been given away.
        return sorted(found, key=lambda value: not value.member)

    def _part_of_others(self, hit: Hit) -> _Found | None:
        """A surname or a last four that other records hold in a longer value: tied to none of them."""
        values = self.lookups.values
        if values.shown_by_others(hit.category, hit.text, patient=self.patient):
            return _Found("common", "a part of values in other records")
        return None

    def _in_other_run(self, hit: Hit) -> _Found | None:
        """The hit inside a run copied from another patient's note whose note side lacks it."""
        for match in self.case.matches:
            if match.where == "other_patient" and _in_net(match, hit):
                note = self.lookups.notes[match.matched_note_id]
                start, end = range_in_note(match, note.text, self.case.continuation.text, hit)
                place = RecordValue(
                    patient=self.lookups.patient_numbers[note.note_id],
                    member=note.split == "member",
                    note=note.ordinal,
                    start=start,
                    end=end,
                    category=hit.category,
                    canonical=hit.canonical,
                    text=hit.text,
                    detector=hit.detector,
                    before=(),
                    after=(),
                )
                reason = "inside a run copied from another record"
                return _Found("other_patient", reason, place, anchored=True, note_side_miss=True)
        return None

    def _specific_to(self, hit: Hit, patient: int) -> bool:
        """Bare full names are shared by chance, so they need a second identifier of the same patient
        in the same output."""
        if is_full_name(hit.category, hit.canonical):
            return patient in self.identified
        return is_specific(hit.category, hit.canonical)

    def _first_specific(self, hit: Hit, others: Sequence[RecordValue]) -> RecordValue | None:
        """The first place at which the value is specific to its patient."""
        if is_full_name(hit.category, hit.canonical):
            return next(iter(self._places_of(hit, self.identified)), None)
        return others[0] if is_specific(hit.category, hit.canonical) else None

    def _other_places(self, hit: Hit) -> list[RecordValue]:
        """The first places of the value in other patients' records, those trained on first."""
        values = self.lookups.values
        rare = values.patients_with(hit.category, hit.text) < self.lookups.template_patients
        first = values.first_values(hit.category, hit.text, OTHERS_LOOKED_AT if rare else _FEW_PLACES)
        return [value for value in first if value.patient != self.patient]

    def _patients_identified(self) -> set[int]:
        """Other patients of whom the output shows an identifier that is no name and is rare."""
        found: set[int] = set()
        for hit in self.case.hits:
            named = CATEGORIES[hit.category].family == "person" or hit.hipaa is None
            if named or self.shown(hit.category, hit.text) or self._is_own(hit):
                continue
            if self.lookups.values.patients_with(hit.category, hit.text) < self.lookups.template_patients:
                found |= {value.patient for value in self._other_places(hit)}
        return found

    def _is_own(self, hit: Hit) -> bool:
        own = self.patient
        return own is not None and bool(self.lookups.values.same_value(hit.category, hit.text, patient=own))

    # --- attributes ------------------------------------------------------------------------

    def _anchored(self, hit: Hit, value: RecordValue) -> bool:
        """In a net block of that patient's notes, or beside eight words that stand beside the
        value in the record, in few records, and not in the prompt."""
        return self._first_anchored(hit, (value,)) is not None

    def _first_anchored(self, hit: Hit, values: Iterable[RecordValue]) -> RecordValue | None:
        """The first that is anchored."""
        start, end = hit.cont_start, hit.cont_end
        copied = {
            patient for patient, blocks in self.net.items() if any(a <= start and end <= b for a, b in blocks)
        }
        telling = tuple(self._telling_contexts(start, end))
        for value in values if copied or telling else ():
            if value.patient in copied or any(value.stands_between(*context) for context in telling):
                return value
        return None

    def _telling_contexts(self, start: int, end: int) -> frozenset[Context]:
        """Contexts of a range of the continuation that stand in few records, and not in the prompt."""
        if (start, end) not in self._telling:
            self._telling[start, end] = frozenset(
                context
                for context in words_beside(self.words, start, end).contexts()
                if 0 < self.lookups.values.context_patients(*context) < self.lookups.template_patients
                and not stands_in(self.prompt_words, *context)
            )
        return self._telling[start, end]

    def _net_blocks(self) -> dict[int, list[tuple[int, int]]]:
        blocks: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for match in self.case.matches:
            patient = self.lookups.patient_numbers[match.matched_note_id]
            blocks[patient] += [(start, end) for start, end, _ in match.net_blocks]
        return dict(blocks)

    def _pairs(self, hit: Hit) -> set[tuple[str, str]]:
        return value_pairs(hit, self.lookups.date_order)

    def _category_in_records(self, hit: Hit, place: RecordValue) -> str:
        """The record's category.

        A full name that only a name model found, and that the records of a template's number of
        patients, and of most, give to a clinician, is a clinician's: staff sign without a title.
        """
        if place.detector in _KNOW_ROLES or not is_full_name(place.category, hit.canonical):
            return place.category
        patients = self.lookups.values.patients_by_category(place.category, hit.text)
        as_doctor = patients.get("DOCTOR", 0)
        usual = as_doctor >= self.lookups.template_patients and as_doctor > patients.get("PATIENT", 0)
        return "DOCTOR" if usual else place.category

    def _note_id(self, position: int) -> str:
        return self.lookups.note_order[position]

    def _reading_matters(self, hit: Hit) -> bool:
        """Whether any record holds one reading of an ambiguous value not written just so at home."""
        same = self.lookups.values.same_value(hit.category, hit.text, limit=OTHERS_LOOKED_AT)
        own = self.lookups.values.same_value(hit.category, hit.text, patient=self.patient)
        if any(squeeze(value.text) == squeeze(hit.text) for value in own):
            return False
        return bool(own or same)


def _in_net(match: SpanMatch, hit: Hit) -> bool:
    return any(start <= hit.cont_start and hit.cont_end <= end for start, end, _ in match.net_blocks)


def _word_range(words: Words, start: int, end: int) -> tuple[int, int]:
    """Positions of the words that touch ``[start, end)``."""
    inside = [
        i for i, (a, b) in enumerate(zip(words.starts, words.ends, strict=True)) if a < end and b > start
    ]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _places(words: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Where ``wanted`` stands in ``words``."""
    if not wanted:
        return []
    size = len(wanted)
    starts = [at for at, word in enumerate(words) if word == wanted[0]]
    return [at for at in starts if words[at : at + size] == wanted]


def _grow(ours: Sequence[str], theirs: Sequence[str], a: int, b: int) -> int:
    """Length of the maximal run through ``ours[a] == theirs[b]``."""
    back = 0
    while a > back and b > back and ours[a - back - 1] == theirs[b - back - 1]:
        back += 1
    ahead = 0
    while a + ahead < len(ours) and b + ahead < len(theirs) and ours[a + ahead] == theirs[b + ahead]:
        ahead += 1
    return back + ahead
