"""A finished run -> what people review: outputs to draw from, and each drawn one with its sources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from phiscan.at_risk import is_leak
from phiscan.passes.reopen import FinishedRun
from phiscan.passes.similarity import rouge_l_of
from phiscan.records import (
    OWN_RECORD,
    SIMILAR,
    Continuation,
    Hit,
    Note,
    Passage,
    Prompt,
    ReviewItem,
    Span,
    SpanMatch,
    Verdict,
)
from phiscan.review.tasks import Marked, Shown
from phiscan.run_files import PEOPLE
from phiscan.sample import GRAVITIES, Gravity, Output
from phiscan.store import RunDirectory

_NOTES_SHOWN = 4


class Reviewed(NamedTuple):
    """One drawn output with everything that is shown or scored of it."""

    item: ReviewItem
    shown: Shown
    hits: tuple[Hit, ...]
    passages: tuple[Passage, ...]
    verdicts: dict[str, Verdict]
    """The rules' verdict by hit_id."""
    matches: tuple[SpanMatch, ...]


def outputs_of(finished: FinishedRun) -> list[Output]:
    """Every output of the scanned arm that holds text, as the strata see it."""
    run = finished.run
    alike = rouge_l_of(finished)
    gravest = _gravest(run)
    templates = {m.gen_id for m in run.read_table("matches") if m.where == "template"}
    found = []
    for continuation in run.read_table("continuations"):
        if continuation.arm != "scanned" or not continuation.text.strip():
            continue
        gravity, group = gravest.get(continuation.gen_id, ("no_hit", ""))
        found.append(
            Output(
                gen_id=continuation.gen_id,
                gravity=gravity,
                group=group,
                similar=(alike.get(continuation.gen_id) or 0) > SIMILAR,
                template=continuation.gen_id in templates,
            )
        )
    return found


def _gravest(run: RunDirectory) -> dict[str, tuple[Gravity, str]]:
    """(gravity, PHI group) of the gravest hit of each output that has one."""
    verdicts = rule_verdicts(run)
    found: dict[str, tuple[Gravity, str]] = {}
    for hit in machine_hits(run):
        now = (_gravity(verdicts[hit.hit_id]), hit.group)
        before = found.get(hit.gen_id)
        if before is None or GRAVITIES.index(now[0]) < GRAVITIES.index(before[0]):
            found[hit.gen_id] = now
    return found


def _gravity(verdict: Verdict) -> Gravity:
    if verdict.verdict == "other_patient":
        return "other_patient"
    if is_leak(verdict):
        return "leak"
    return "own_bare" if verdict.verdict in OWN_RECORD else "claimed"


def machine_hits(run: RunDirectory) -> Iterator[Hit]:
    """Hits that the detectors found, without those that people added."""
    return (hit for hit in run.read_table("hits") if hit.detector != PEOPLE)


def rule_verdicts(run: RunDirectory) -> dict[str, Verdict]:
    """The rules' verdicts by hit_id."""
    return {v.hit_id: v for v in run.read_table("verdicts") if v.verifier == "rule"}


def reviewed(finished: FinishedRun, items: Sequence[ReviewItem]) -> list[Reviewed]:
    """The drawn outputs, in the order of ``items``."""
    run, notes = finished.run, finished.notes.by_id
    wanted = {item.gen_id for item in items}
    continuations = {c.gen_id: c for c in run.read_table("continuations") if c.gen_id in wanted}
    prompts = {p.prompt_id: p for p in run.read_table("prompts")}
    verdicts = rule_verdicts(run)
    hits = by_gen(machine_hits(run), wanted, lambda hit: hit.cont_start)
    passages = by_gen(run.read_table("passages"), wanted, lambda passage: passage.cont_start)
    matches = by_gen(run.read_table("matches"), wanted, lambda match: match.cont_start)
    found = []
    for item in items:
        continuation: Continuation = continuations[item.gen_id]
        own = {hit.hit_id: verdicts[hit.hit_id] for hit in hits[item.gen_id]}
        prompt: Prompt = prompts[continuation.prompt_id]
        note = notes.get(continuation.note_id)
        marked = _marked(note, matches[item.gen_id], own.values(), notes)
        found.append(
            Reviewed(
                item=item,
                shown=Shown(continuation, prompt, note, marked),
                hits=tuple(hits[item.gen_id]),
                passages=tuple(p for p in passages[item.gen_id] if _to_be_judged(p)),
                verdicts=own,
                matches=tuple(matches[item.gen_id]),
            )
        )
    return found


def _to_be_judged(passage: Passage) -> bool:
    """Said of the patient, and not in the prompt already: what the report counts."""
    return passage.status == "affirmed" and not passage.in_prompt


def by_gen(
    rows: Iterable[Any], wanted: Container[str], place: Callable[[Any], int]
) -> defaultdict[str, list[Any]]:
    """The rows of the ``wanted`` outputs by gen_id, in order of ``place``."""
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for row in rows:
        if row.gen_id in wanted:
            found[row.gen_id].append(row)
    for of_one in found.values():
        of_one.sort(key=place)
    return found


def _marked(
    note: Note | None, matches: Iterable[SpanMatch], verdicts: Iterable[Verdict], notes: Mapping[str, Note]
) -> tuple[Marked, ...]:
    """Where the output's runs and values stand: own note first, then the patient's others, then others'."""
    places: dict[str, set[Span]] = defaultdict(set)
    for match in matches:
        if match.where != "prompt":
            places[match.matched_note_id].add(Span(match.matched_start, match.matched_end))
    for verdict in verdicts:
        at = verdict.matched_note_id, verdict.matched_start, verdict.matched_end
        if verdict.verdict in (*OWN_RECORD, "other_patient") and None not in at:
            places[str(at[0])].add(Span(at[1] or 0, at[2] or 0))
    if note is not None:
        places[note.note_id]  # the own note is shown whether or not anything of it came back
    found = [
        (_rank(notes[note_id], note), Marked(notes[note_id], whose(notes[note_id], note), tuple(sorted(at))))
        for note_id, at in places.items()
        if note_id in notes
    ]
    found.sort(key=lambda ranked: (ranked[0], ranked[1].note.ordinal))
    return tuple(one for _, one in found)[:_NOTES_SHOWN]


def _rank(other: Note, note: Note | None) -> int:
    if note is None or other.patient_id != note.patient_id:
        return 2
    return int(other.note_id != note.note_id)


def whose(other: Note, note: Note | None) -> str:
    """Words for a note beside the ``note`` that was asked about."""
    return ("The patient's note", "Another note of the same patient", "A note of another patient")[
        _rank(other, note)
    ]
