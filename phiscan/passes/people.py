"""People's answers -> the run's tables: their verdicts on hits, and the hits that only they found."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from phiscan.at_risk import is_leak
from phiscan.case import asked_of
from phiscan.passes.reopen import FinishedRun
from phiscan.passes.review import Reviewed, machine_hits, outputs_of, reviewed, rule_verdicts
from phiscan.records import (
    CONTROL_ARMS,
    DetectedSpan,
    Hit,
    Phi,
    ReviewItem,
    ReviewSpan,
    Verdict,
    VerdictName,
)
from phiscan.review.judge import Judged, held_spans, missed, outcomes
from phiscan.review.score import Counted
from phiscan.review.settle import Opinion, settle
from phiscan.run_files import PEOPLE
from phiscan.taxonomy import REPORTED_APART
from phiscan.typed import hits_of
from phiscan.verify import verify_case


class PeopleSay(NamedTuple):
    """What goes into the tables from people's answers."""

    hits: list[Hit]
    """PHI that no detector found, typed like any hit."""
    verdicts: list[Verdict]
    """People's verdicts on the detectors' hits, and what the records say about those hits."""
    leaks: frozenset[tuple[str, int, int]]
    """(doc_id, start, end) of those hits that are headline leaks."""
    by_verdict: dict[str, int]
    """Those hits by verdict."""


def judged_items(
    finished: FinishedRun, items: Sequence[ReviewItem], found: Mapping[str, Sequence[Opinion]]
) -> list[tuple[Reviewed, Judged]]:
    """The answered items with what phiscan found in them."""
    answered = []
    for one in reviewed(finished, items):
        settled = settle(found.get(one.item.doc_id, ()))
        if settled is None:
            continue
        headline = {hit.hit_id for hit in one.hits if is_headline(hit, one.verdicts[hit.hit_id])}
        patient = "" if one.shown.note is None else one.shown.note.patient_id
        judged = Judged(one.item, patient, one.hits, frozenset(headline), one.passages, settled)
        answered.append((one, judged))
    return answered


def is_headline(hit: Hit, verdict: Verdict) -> bool:
    """A leak of the patient's own record that is no clinician's and no institution's."""
    return is_leak(verdict) and (verdict.matched_category or hit.category) not in REPORTED_APART


def counted(finished: FinishedRun) -> Counted:
    """What the detectors found in all outputs that could have been drawn."""
    outputs = {output.gen_id for output in outputs_of(finished)}
    verdicts = rule_verdicts(finished.run)
    hits = [hit for hit in machine_hits(finished.run) if hit.gen_id in outputs]
    return Counted(
        hits=Counter(hit.category for hit in hits),
        headline=sum(is_headline(hit, verdicts[hit.hit_id]) for hit in hits),
    )


def people_say(finished: FinishedRun, answered: Sequence[tuple[Reviewed, Judged]]) -> PeopleSay:
    """People's verdicts, and the hits that they added, verified against the records."""
    by_note = _phi_by_note(finished, {one.shown.continuation.note_id for one, _ in answered})
    control = _control_hits(finished, {asked_of(one.shown.continuation) for one, _ in answered})
    hits: list[Hit] = []
    verdicts: list[Verdict] = []
    leaks: set[tuple[str, int, int]] = set()
    by_verdict: Counter[str] = Counter()
    for one, judged in answered:
        verdicts += _verdicts(one, judged)
        spans = missed(judged)
        added = _hits(one, spans, finished)
        case = finished.case(
            one.shown.continuation,
            one.shown.prompt,
            hits=tuple(added),
            matches=one.matches,
            phi=by_note,
            control=control.get(asked_of(one.shown.continuation)),
        )
        for span, hit, verdict in zip(spans, added, verify_case(case, finished.lookups), strict=True):
            said = _by_person(verdict, judged, span)
            hits.append(hit)
            verdicts.append(said)
            by_verdict[said.verdict] += 1
            if is_headline(hit, said):
                leaks.add((judged.item.doc_id, span.start, span.end))
    return PeopleSay(hits, verdicts, frozenset(leaks), dict(by_verdict))


_VERDICTS: dict[str, VerdictName] = {"false": "not_phi", "prompt": "in_prompt"}


def _verdicts(one: Reviewed, judged: Judged) -> list[Verdict]:
    """A person's row for each hit that was shown and judged; a blind item's hits were not shown."""
    answer = judged.settled.opinion.answer
    shown = {span.source_id for span in judged.settled.opinion.spans if span.source_id}
    rows = []
    for hit, outcome in outcomes(judged):
        if outcome == "open" or hit.hit_id not in shown:
            continue
        rule = one.verdicts[hit.hit_id]
        held = held_spans(hit, judged)
        moved = outcome == "other_category" and held[0].label != hit.category
        rows.append(
            dataclasses.replace(
                rule,
                verdict=_VERDICTS.get(outcome, rule.verdict),
                reason="a person judged it",
                matched_category=held[0].label if moved else rule.matched_category,
                verifier="human",
                author=answer.author,
                time=answer.time,
            )
        )
    return rows


def _hits(one: Reviewed, spans: Sequence[ReviewSpan], finished: FinishedRun) -> list[Hit]:
    """Missed PHI as hits of the detector ``people``."""
    detected = [
        DetectedSpan(start=s.start, end=s.end, category=s.label, score=1.0, detector=PEOPLE) for s in spans
    ]
    made = hits_of(one.shown.continuation, detected, finished.config.verify.date_order)
    return [dataclasses.replace(hit, hit_id=f"{hit.gen_id}+{number}") for number, hit in enumerate(made)]


def _by_person(verdict: Verdict, judged: Judged, span: ReviewSpan) -> Verdict:
    """The records' verdict on what a person marked, in that person's name."""
    answer = judged.settled.opinion.answer
    shown = span.verdict == "copied_from_prompt"
    return dataclasses.replace(
        verdict,
        verdict="in_prompt" if shown else verdict.verdict,
        reason="a person found it in the prompt" if shown else f"a person marked it: {verdict.reason}",
        verifier="human",
        author=answer.author,
        time=answer.time,
    )


def _phi_by_note(finished: FinishedRun, notes: set[str]) -> dict[str, tuple[Phi, ...]]:
    found: dict[str, list[Phi]] = defaultdict(list)
    for phi in finished.run.read_table("phi"):
        if phi.note_id in notes:
            found[phi.note_id].append(phi)
    return {note_id: tuple(rows) for note_id, rows in found.items()}


def _control_hits(
    finished: FinishedRun, wanted: set[tuple[str, str]]
) -> dict[tuple[str, str], tuple[Hit, ...]]:
    """Hits of the control's answers by :func:`asked_of`; what it did not answer is absent."""
    answered = {
        c.gen_id: asked_of(c)
        for c in finished.run.read_table("continuations")
        if c.arm in CONTROL_ARMS and asked_of(c) in wanted and c.stop != "failed"
    }
    found: dict[tuple[str, str], list[Hit]] = {asked: [] for asked in answered.values()}
    for hit in machine_hits(finished.run):
        if hit.gen_id in answered:
            found[answered[hit.gen_id]].append(hit)
    return {asked: tuple(hits) for asked, hits in found.items()}
