"""A finished run -> what its annex shows: each value that came out, in the answer and in the record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from phiscan.at_risk import is_disclosure, is_leak
from phiscan.excerpt import Excerpt, Piece, cut, excerpt
from phiscan.normalize import hipaa_letter
from phiscan.passes.people import is_headline
from phiscan.passes.reopen import FinishedRun
from phiscan.passes.review import by_gen, whose
from phiscan.records import (
    OWN_RECORD,
    Arm,
    Continuation,
    Hit,
    Note,
    PhiText,
    Prompt,
    Span,
    SpanMatch,
    Verdict,
    record,
)
from phiscan.store import RunDirectory
from phiscan.taxonomy import REPORTED_APART
from phiscan.value_index import RecordValue
from phiscan.verify import OTHERS_LOOKED_AT

AROUND = 200
"""Characters shown before and after a value."""
PROMPT_END = 300
"""Characters of the prompt's end that are shown."""
_ARMS: frozenset[Arm] = frozenset({"scanned", "holdout"})
"""What the scanned model said of patients."""

Kind = Literal["headline", "other_patient", "own_record"]
KINDS: tuple[Kind, ...] = ("headline", "other_patient", "own_record")
"""The two that decide, as the report's lines of the same names count them; other hits on the own record."""


@record
class RecordSide:
    """The value where the record has it."""

    whose: str
    patients: tuple[PhiText, ...]
    """Its patient; several where a known identifier is several's, none where it is nobody's who has notes."""
    note: Note | None
    """None for a known identifier, which stands in no note."""
    value: PhiText
    passage: Excerpt | None


@record
class Entry:
    """One value that came out."""

    kind: Kind
    category: str
    hipaa: str | None
    hit: Hit
    verdict: Verdict
    continuation: Continuation
    asked: Note
    prompt_end: tuple[Piece, ...]
    passage: Excerpt
    record: RecordSide


def annex_entries(finished: FinishedRun, *, everything: bool = False) -> list[Entry]:
    """The entries by kind, note, answer and place; ``everything``: with every hit on the own record.

    Without it they are the hits behind the report's decision, one for each instance.
    """
    run = finished.run
    verdicts = _last_words(run, finished.template_patients, everything=everything)
    hits = [hit for hit in run.read_table("hits") if hit.hit_id in verdicts]
    gens = {hit.gen_id for hit in hits}
    answers = {c.gen_id: c for c in run.read_table("continuations") if c.gen_id in gens and c.arm in _ARMS}
    asked = {c.prompt_id for c in answers.values()}
    prompts = {p.prompt_id: p for p in run.read_table("prompts") if p.prompt_id in asked}
    matches = by_gen(run.read_table("matches"), answers, lambda match: match.cont_start)
    entries = []
    for hit in hits:
        verdict, made = verdicts[hit.hit_id], answers.get(hit.gen_id)
        kind = None if made is None else _kind(hit, verdict, made.arm, finished.template_patients, everything)
        if made is not None and kind is not None:
            entries.append(_entry(finished, kind, hit, verdict, made, prompts[made.prompt_id], matches))
    entries.sort(key=lambda e: (KINDS.index(e.kind), e.asked.ordinal, e.hit.gen_id, e.hit.cont_start))
    return entries


def _last_words(run: RunDirectory, template_patients: int, *, everything: bool) -> dict[str, Verdict]:
    """Verdicts by hit_id that an entry may have; a person's goes before a rule's, and a later one before."""
    said: dict[str, Verdict] = {}
    people: dict[str, Verdict] = {}
    for verdict in run.read_table("verdicts"):
        hit_id = verdict.hit_id
        if verdict.verifier == "human":
            if hit_id not in people or (people[hit_id].time or "") <= (verdict.time or ""):
                people[hit_id] = verdict
        elif _may_count(verdict, template_patients, everything=everything):
            said[hit_id] = verdict
    last = {**said, **people}
    return {k: v for k, v in last.items() if _may_count(v, template_patients, everything=everything)}


def _may_count(verdict: Verdict, template_patients: int, *, everything: bool) -> bool:
    own = verdict.verdict in OWN_RECORD if everything else is_leak(verdict)
    return own or is_disclosure(verdict, template_patients)


def _kind(hit: Hit, verdict: Verdict, arm: Arm, template_patients: int, everything: bool) -> Kind | None:
    if arm == "scanned" and is_headline(hit, verdict):
        return "headline"
    if is_disclosure(verdict, template_patients):
        return None if (verdict.matched_category or hit.category) in REPORTED_APART else "other_patient"
    return "own_record" if everything else None


def _entry(
    finished: FinishedRun,
    kind: Kind,
    hit: Hit,
    verdict: Verdict,
    made: Continuation,
    prompt: Prompt,
    matches: Mapping[str, list[SpanMatch]],
) -> Entry:
    asked = finished.notes.by_id[made.note_id]
    category = verdict.matched_category or hit.category
    shared = [m for m in matches[hit.gen_id] if m.matched_note_id == verdict.matched_note_id]
    runs = [Span(m.cont_start, m.cont_end) for m in shared]
    end = len(prompt.text)
    return Entry(
        kind=kind,
        category=category,
        hipaa=hit.hipaa if category == hit.category else hipaa_letter(category, hit.canonical),
        hit=hit,
        verdict=verdict,
        continuation=made,
        asked=asked,
        prompt_end=cut(prompt.text, Span(max(0, end - PROMPT_END), end), {}),
        passage=excerpt(made.text, Span(hit.cont_start, hit.cont_end), runs, AROUND),
        record=_in_note(finished, verdict, asked, shared) or _in_registration(finished, hit, verdict, asked),
    )


def _in_note(
    finished: FinishedRun, verdict: Verdict, asked: Note, shared: Iterable[SpanMatch]
) -> RecordSide | None:
    if verdict.matched_note_id is None or verdict.matched_start is None or verdict.matched_end is None:
        return None
    note = finished.notes.by_id[verdict.matched_note_id]
    place = Span(verdict.matched_start, verdict.matched_end)
    runs = [Span(m.matched_start, m.matched_end) for m in shared]
    return RecordSide(
        whose=whose(note, asked),
        patients=(note.patient_id,),
        note=note,
        value=note.text[place.start : place.end],
        passage=excerpt(note.text, place, runs, AROUND),
    )


def _in_registration(finished: FinishedRun, hit: Hit, verdict: Verdict, asked: Note) -> RecordSide:
    """A known identifier: the value that the index has of the patient, or of others, without a note."""
    values, own = finished.values, finished.notes.patient_numbers[asked.note_id]
    found: Iterable[RecordValue]
    if verdict.verdict in OWN_RECORD:
        found = values.same_value(hit.category, hit.text, patient=own)
        found = found or values.part_of_value(hit.category, hit.text, patient=own)
    else:
        found = [v for v in values.first_values(hit.category, hit.text, OTHERS_LOOKED_AT) if v.patient != own]
    known = [v for v in found if v.note is None and v.member == verdict.matched_member]
    owners = [finished.notes.of_patient(number) for number in dict.fromkeys(v.patient for v in known)]
    return RecordSide(
        whose="The table of known identifiers, which has no text round the value",
        patients=tuple(notes[0].patient_id for notes in owners if notes),
        note=None,
        value=known[0].text if known else "",
        passage=None,
    )
