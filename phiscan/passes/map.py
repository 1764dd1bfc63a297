"""Pass 2: one shard of whole patients, regenerate -> match -> detect -> verify -> confirm -> sensitive.

Each stage writes its parts whole; a part that stands and fits is not made again, so a killed
run loses at most one stage of one shard.
"""

from __future__ import annotations

import dataclasses
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from phiscan.at_risk import is_leak, values_at_risk
from phiscan.between_words import spans_between_words
from phiscan.case import Case, Lookups, asked_of
from phiscan.corpus_index import UnitText
from phiscan.detect import detect_texts, resolve
from phiscan.match import Comparison, match_runs, trace_all
from phiscan.passes.ask import ShardQuestions
from phiscan.passes.confirm import confirm_shard, needs_confirmation
from phiscan.passes.expose import expose_shard, make_pool
from phiscan.passes.index import token_text
from phiscan.passes.plan import Plan, part_name
from phiscan.passes.replayed import ReplayShards
from phiscan.passes.similarity import similarity_digest, similarity_shard
from phiscan.project import project_spans
from phiscan.records import (
    CONTROL_ARMS,
    AtRisk,
    Continuation,
    DetectedSpan,
    Hit,
    Note,
    Passage,
    Phi,
    Prompt,
    SpanMatch,
    Verdict,
)
from phiscan.runs import Prepared
from phiscan.sensitive import Mention, find_passages, passages_of
from phiscan.taxonomy import REPORTED_APART
from phiscan.typed import hits_of, phi_of_note, year_of
from phiscan.value_index import stands_in
from phiscan.value_pool import ValuePool
from phiscan.verify import verify_case
from phiscan.words import split_words

CONTEXT_CHARS = 60
"""Characters of the prompt shown to the detectors before a continuation: a title or label there
tells what the first value is."""


class ShardMap:
    """The map pass; what all shards look things up in is made once."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        replayed = plan.loaded.replay
        self.replayed = None if replayed is None else ReplayShards(plan, replayed)
        self.seconds: dict[str, float] = defaultdict(float)
        """Wall seconds spent in each stage so far."""
        self.questions = ShardQuestions(plan)
        self.by_id = plan.notes.by_id
        self.lookups = Lookups(
            values=plan.values,
            template_patients=plan.template_patients,
            date_order=plan.loaded.config.verify.date_order,
            notes=self.by_id,
            patient_numbers=plan.notes.patient_numbers,
            note_order=plan.notes.ids,
        )

    def run_shard(self, number: int) -> None:
        """Make every part of shard ``number`` that does not stand yet.

        Of plants and twins no likeness and no sensitive passage is wanted, and nothing is confirmed.
        """
        part = part_name(number)
        config = self.plan.loaded.config
        if self.plan.loaded.replay is None and (config.expose.enabled or config.screen.enabled):
            self.expose_shard(number)
        made = ("prompts", "screened", "continuations")
        self._once("regenerate", made, part, lambda: self._regenerate(number))
        self._once("match", ("matches",), part, lambda: self._match(part))
        patients = self.plan.patients is None
        if patients:
            alike = similarity_digest(self.plan)
            self._once("similarity", ("similarities",), part, lambda: self._similarity(part), alike)
        self._once("detect", ("hits",), part, lambda: self._detect(part))
        self._once("verify", ("verdicts", "at_risk"), part, lambda: self._verify(number))
        if patients and self._confirms:
            self._once("confirm", ("confirmations",), part, lambda: self._confirm(number))
        if patients:
            self._once("sensitive", ("passages",), part, lambda: self._sensitive(number))

    def expose_shard(self, number: int) -> None:
        """Make the exposures and audits of shard ``number`` unless they stand."""
        part = part_name(number)
        made = ("exposures", "audits")
        self._once("expose", made, part, lambda: (0, *expose_shard(self.plan, number, self._pool)))

    @cached_property
    def _confirms(self) -> bool:
        return needs_confirmation(self.plan)

    @cached_property
    def _pool(self) -> ValuePool:
        return make_pool(self.plan)

    def _once(
        self,
        stage: str,
        tables: Sequence[str],
        part: str,
        make: Callable[[], _Made],
        digest: str | None = None,
    ) -> None:
        run, digest = self.plan.run, digest or self.plan.loaded.digest
        if all(run.has_part(table, part, digest) for table in tables):
            return
        began = time.monotonic()
        chars, *rows = make()
        for table, records in zip(tables, rows, strict=True):
            run.write_part(table, part, records, digest, chars=chars)
        self.seconds[stage] += time.monotonic() - began

    # --- regenerate -----------------------------------------------------------------------

    def _regenerate(self, number: int) -> _Made:
        if self.replayed is not None:
            prompts, continuations = self.replayed.records(number)
            return 0, prompts, [], continuations
        return 0, *self.questions.ask(number)

    # --- match ----------------------------------------------------------------------------

    def _match(self, part: str) -> _Made:
        prompts = {prompt.prompt_id: prompt for prompt in self.plan.run.read_part("prompts", part)}
        return 0, self.matches_in(self.plan.run.read_part("continuations", part), prompts)

    def matches_in(
        self, continuations: Iterable[Continuation], prompts: Mapping[str, Prompt]
    ) -> list[SpanMatch]:
        """Runs shared with any note, continuation by continuation."""
        comparisons = [
            comparison
            for continuation in continuations
            for comparison in self._comparisons(continuation, prompts[continuation.prompt_id])
        ]
        traced = zip(comparisons, trace_all(comparisons), strict=True)
        return [row for comparison, trace in traced for row in match_runs(comparison, trace)]

    def _comparisons(self, continuation: Continuation, prompt: Prompt) -> Iterator[Comparison]:
        """The continuation in tokens (if it has any) and in words."""
        note = self.by_id.get(continuation.note_id)
        if note is None:
            return
        plan = self.plan
        if plan.tokens is not None and continuation.token_ids is not None:
            text = token_text(continuation.token_ids, continuation.token_ends or ())
            yield self._comparison("token", plan.tokens, note, prompt, text, continuation.gen_id)
        words = split_words(continuation.text)
        text = UnitText(plan.vocabulary.ids(words.words), words.starts, words.ends)
        yield self._comparison("word", plan.words, note, prompt, text, continuation.gen_id)

    def _comparison(
        self, unit: Any, corpus: Any, note: Note, prompt: Prompt, text: Any, gen_id: str
    ) -> Comparison:
        # A prefix that was not found leaves no suffix to speak of: the whole note is looked at.
        start = 0 if prompt.prefix_end is None else corpus.first_unit_from(note.ordinal, prompt.prefix_end)
        first = corpus.first_unit_from(note.ordinal, prompt.prefix_start or 0)
        return Comparison(
            unit=unit,
            corpus=corpus,
            own=note.ordinal,
            prefix_from=min(first, start),
            suffix_from=start,
            prompt=self._prompt_units(unit, prompt),
            continuation=text,
            gen_id=gen_id,
            note_ids=self.lookups.note_order,
            template_patients=self.plan.template_patients,
        )

    def _prompt_units(self, unit: str, prompt: Prompt) -> list[int] | Prepared:
        if unit == "word":
            return self.plan.vocabulary.ids(split_words(prompt.text).words)
        if prompt.prefix_tok is not None and prompt.prefix_start is not None and self.plan.tokens is not None:
            note = self.by_id[prompt.note_id].ordinal
            first = self.plan.tokens.first_unit_from(note, prompt.prefix_start)
            return self.plan.tokens.prepared_units(note).part(first, first + prompt.prefix_tok)
        assert self.plan.loaded.tokenize is not None
        return self.plan.loaded.tokenize([prompt.text])[0].ids

    # --- similarity, confirm ----------------------------------------------------------------

    def _similarity(self, part: str) -> _Made:
        return 0, similarity_shard(self.plan, part, self.by_id.get)

    def _confirm(self, number: int) -> _Made:
        return 0, confirm_shard(self.plan, number, self.questions)

    # --- detect ---------------------------------------------------------------------------

    def _detect(self, part: str) -> _Made:
        run = self.plan.run
        prompts = {prompt.prompt_id: prompt for prompt in run.read_part("prompts", part)}
        continuations: list[Continuation] = run.read_part("continuations", part)
        rows = self.hits_in(continuations, prompts, run.read_part("matches", part))
        return sum(len(c.text) for c in continuations), rows

    def hits_in(
        self, continuations: Sequence[Continuation], prompts: Mapping[str, Prompt], found: Iterable[SpanMatch]
    ) -> list[Hit]:
        """PHI of each continuation: carried over from matched notes, and found by the detectors."""
        config = self.plan.loaded.config
        matches = _grouped(found, "gen_id")
        named = {match.matched_note_id for rows in matches.values() for match in rows}
        phi = self._phi_of(named | {c.note_id for c in continuations if c.note_id in self.by_id})
        seen = [_context(prompts[c.prompt_id].text, c.text) for c in continuations]
        texts = [before + c.text for before, c in zip(seen, continuations, strict=True)]
        detected = detect_texts(self.plan.loaded.detectors, texts, config.detect)
        rows: list[Hit] = []
        for continuation, before, in_text in zip(continuations, seen, detected, strict=True):
            spans = _shifted(in_text, len(before))
            spans += project_spans(matches[continuation.gen_id], phi, self.by_id, continuation.text)
            spans += self._between_words(continuation, prompts[continuation.prompt_id], phi)
            year = self._year(continuation.note_id)
            rows += hits_of(continuation, resolve(spans), config.verify.date_order, year=year)
        return rows

    def _between_words(
        self, continuation: Continuation, prompt: Prompt, phi: Mapping[str, Sequence[Phi]]
    ) -> list[DetectedSpan]:
        """Values of the prompted note between words that few records have and the prompt has not."""
        note = self.by_id.get(continuation.note_id)
        if note is None:
            return []
        shown = split_words(prompt.text).words
        values, few = self.lookups.values, self.lookups.template_patients
        return spans_between_words(
            phi.get(note.note_id, ()),
            split_words(note.text),
            continuation.text,
            split_words(continuation.text),
            tells=lambda words: values.context_patients(*words) < few and not stands_in(shown, *words),
            date_order=self.lookups.date_order,
        )

    def _year(self, note_id: str) -> int | None:
        """The year in which a note was written, as far as anybody knows."""
        note = self.by_id.get(note_id)
        year = year_of(note.date, self.lookups.date_order) if note else None
        return year or self.plan.newest_year

    def _phi_of(self, note_ids: Iterable[str]) -> dict[str, list[Phi]]:
        """PHI of the notes named, each shard's part read once."""
        wanted = set(note_ids)
        parts = {self.plan.shard_of(self.plan.notes.ordinals[note_id]) for note_id in wanted}
        found: dict[str, list[Phi]] = defaultdict(list)
        for number in sorted(parts):
            for phi in self.plan.phi(number):
                if phi.note_id in wanted:
                    found[phi.note_id].append(phi)
        return found

    # --- verify ---------------------------------------------------------------------------

    def _verify(self, number: int) -> _Made:
        part, run = part_name(number), self.plan.run
        prompts = {prompt.prompt_id: prompt for prompt in run.read_part("prompts", part)}
        continuations: list[Continuation] = run.read_part("continuations", part)
        hits, matches = run.read_part("hits", part), run.read_part("matches", part)
        control = self.control_hits(continuations, hits)
        return 0, *self.verdicts_on(number, continuations, prompts, matches, hits, control)

    def verdicts_on(
        self,
        number: int,
        continuations: Iterable[Continuation],
        prompts: Mapping[str, Prompt],
        matches_made: Iterable[SpanMatch],
        hits_made: Iterable[Hit],
        control: Mapping[tuple[str, str], tuple[Hit, ...]],
    ) -> tuple[list[Verdict], list[AtRisk]]:
        """Verdicts on the hits, and values at risk, of continuations of notes of shard ``number``."""
        matches, hits = _grouped(matches_made, "gen_id"), _grouped(hits_made, "gen_id")
        phi = _grouped(self.plan.run.read_part("phi", part_name(number)), "note_id")
        own_notes = _grouped(self.plan.shard_notes(number), "patient_id")
        verdicts: list[Verdict] = []
        at_risk: list[AtRisk] = []
        for continuation in continuations:
            prompt = prompts[continuation.prompt_id]
            note = self.by_id.get(continuation.note_id)
            case = Case(
                continuation=continuation,
                prompt=prompt,
                note=note,
                own_notes=tuple(own_notes[note.patient_id]) if note else (),
                note_phi=tuple(phi[note.note_id]) if note else (),
                prompt_phi=self._prompt_phi(prompt, note, phi),
                matches=tuple(matches[continuation.gen_id]),
                hits=tuple(hits[continuation.gen_id]),
                control=None if continuation.arm in CONTROL_ARMS else control.get(asked_of(continuation)),
                reach_end=self._reach_end(prompt, note),
            )
            made = verify_case(case, self.lookups)
            verdicts += made
            at_risk += values_at_risk(case, made, self.lookups.date_order)
        return verdicts, at_risk

    def control_hits(
        self, continuations: Iterable[Continuation], hits_made: Iterable[Hit]
    ) -> dict[tuple[str, str], tuple[Hit, ...]]:
        """Hits of the control's continuations by :func:`asked_of`; what it did not answer is absent."""
        hits = _grouped(hits_made, "gen_id")
        found: dict[tuple[str, str], tuple[Hit, ...]] = {}
        for continuation in continuations:
            if continuation.arm in CONTROL_ARMS and continuation.stop != "failed":
                found[asked_of(continuation)] = (
                    *found.get(asked_of(continuation), ()),
                    *hits[continuation.gen_id],
                )
        return found

    # --- sensitive ------------------------------------------------------------------------

    def _sensitive(self, number: int) -> _Made:
        """What each continuation says beyond PHI, and whether an identifier stands beside it."""
        part, run = part_name(number), self.plan.run
        prompts = {prompt.prompt_id: prompt for prompt in run.read_part("prompts", part)}
        own_notes = _grouped(self.plan.shard_notes(number), "patient_id")
        leaking = self._leaking(part)
        found: dict[str, Sequence[Mention]] = {}

        def mentions_of(note: Note) -> Sequence[Mention]:
            if note.note_id not in found:
                found[note.note_id] = find_passages(note.text)
            return found[note.note_id]

        rows: list[Passage] = []
        for continuation in run.read_part("continuations", part):
            note = self.by_id.get(continuation.note_id)
            rows += passages_of(
                continuation,
                prompts[continuation.prompt_id],
                own_notes[note.patient_id] if note else (),
                mentions_of,
                leaks=continuation.gen_id in leaking,
            )
        return 0, rows

    def _leaking(self, part: str) -> set[str]:
        """Continuations with a headline leak of the patient asked about."""
        run = self.plan.run
        categories = {hit.hit_id: hit.category for hit in run.read_part("hits", part)}
        return {
            verdict.gen_id
            for verdict in run.read_part("verdicts", part)
            if is_leak(verdict)
            and (verdict.matched_category or categories[verdict.hit_id]) not in REPORTED_APART
        }

    def _prompt_phi(
        self, prompt: Prompt, note: Note | None, phi: Mapping[str, Sequence[Phi]]
    ) -> tuple[Phi, ...]:
        """PHI the prompt shows: the note's spans wholly in the prefix, else what detectors find."""
        start, end = prompt.prefix_start, prompt.prefix_end
        # A prompt that holds nothing of the note, or more, shows what its own text shows.
        if note is not None and start is not None and end is not None and prompt.tier != "metadata":
            return tuple(p for p in phi[note.note_id] if (p.start or 0) >= start and (p.end or 0) <= end)
        config = self.plan.loaded.config
        spans = detect_texts(self.plan.loaded.detectors, [prompt.text], config.detect)[0]
        holder = _as_note(prompt)
        return tuple(phi_of_note(holder, spans, config.verify.date_order))

    def _reach_end(self, prompt: Prompt, note: Note | None) -> int | None:
        """Code point of the note that generation can reach; None where outputs came as given."""
        if note is None or self.plan.tokens is None or self.plan.loaded.replay is not None:
            return None
        ends = self.plan.note_tokens(note).ends
        first = self.plan.tokens.first_unit_from(note.ordinal, prompt.prefix_start or 0)
        last = first + (prompt.prefix_tok or 0) + self.plan.loaded.config.regenerate.max_new_tokens
        return ends[min(last, len(ends)) - 1]


_Made = tuple[Any, ...]
"""(characters read, rows of the first table, rows of the second, ...)."""


def _grouped(rows: Iterable[Any], field: str) -> defaultdict[Any, list[Any]]:
    found: defaultdict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        found[getattr(row, field)].append(row)
    return found


def _context(prompt: str, continuation: str) -> str:
    """The end of the prompt from a word's beginning, a blank between the two words at the seam.

    A value cut by the seam is half shown and no hit either way; the blank keeps what follows whole.
    """
    tail = prompt[-CONTEXT_CHARS:]
    tail = tail if len(tail) == len(prompt) else tail[tail.find(" ") + 1 :]
    joined = tail[-1:].isalnum() and continuation[:1].isalnum()
    return tail + " " if joined else tail


def _shifted(spans: Iterable[DetectedSpan], by: int) -> list[DetectedSpan]:
    """Spans of the continuation alone: those that begin in the prompt are the prompt's."""
    return [
        dataclasses.replace(span, start=span.start - by, end=span.end - by)
        for span in spans
        if span.start >= by
    ]


def _as_note(prompt: Prompt) -> Note:
    """A prompt as a text whose spans can be typed."""
    return Note(
        note_id=prompt.note_id,
        patient_id="",
        split="member",
        note_type=None,
        date=None,
        n_chars=len(prompt.text),
        n_tokens=None,
        copies=1,
        text=prompt.text,
        ordinal=0,
        row=0,
        copy_ids=(),
        crlf=(),
    )
