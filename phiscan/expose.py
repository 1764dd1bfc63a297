"""Note -> Exposure: how probable every identifier is to the model, without generating anything.

One teacher-forced pass over a note gives the log-probability of each token given all before it. From
it follow, for every PHI span, log p(span | context) and whether greedy decoding would write it; for
every prefix length, how far greedy decoding from there repeats the note; and for any number of draws,
how likely one of them gives the next tokens. The same pass by a control model says what training
changed. The span's rank among values of its own form gives its exposure in bits (Carlini et al. 2019).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from phiscan.decoys import Decoys, make_decoys
from phiscan.greedy_runs import NEXT, K, longest_greedy_runs, longest_run
from phiscan.protocols import Decoding, Scores, ScoringBackend, Tokens
from phiscan.records import Arm, Discoverable, Exposure, Note, NoteAudit, Phi


class ExposeSettings(BaseModel):
    """What the pass over every note looks at beyond the pass itself."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    enabled: bool = Field(False, description="make the pass in `phiscan scan`; `phiscan expose` always does")
    decoys: int = Field(99, ge=0, description="decoys that a value is ranked among; 0: no ranks")
    ranked: Literal["top", "all"] = Field(
        "top", description="rank the values of each patient that stand out most, or every first mention"
    )
    top: int = Field(5, ge=1, description="values of a patient that stand out most, for ranks")
    free_running: bool = Field(
        False,
        description="generate 32 tokens after the first 32 of every note too: the forecast paper's score",
    )
    window: int | None = Field(
        None, ge=64, description="tokens the model sees at once; not set: as many as it takes"
    )


class Asked(NamedTuple):
    """A note with what the pass needs of it."""

    note: Note
    tokens: Tokens
    phi: Sequence[Phi]


class Passed(NamedTuple):
    """Records of one shard."""

    exposures: list[Exposure]
    audits: list[NoteAudit]
    discoverable: list[Discoverable]


class Audited(NamedTuple):
    """What one pass over each note by one model says."""

    audits: list[NoteAudit]
    discoverable: list[Discoverable]
    scores: list[Scores | None]
    """Of each note."""


def audit_notes(
    asked: Sequence[Asked],
    backend: ScoringBackend,
    settings: ExposeSettings,
    *,
    arm_of: Callable[[Note], Arm],
    lengths: Sequence[int],
    drawn: Mapping[str, Decoding] = MappingProxyType({}),
) -> Audited:
    """One pass over every note: rows for each prefix length it is longer than, and the scores.

    ``drawn``: ways of decoding by name, for each of which it is told how likely a draw gives the note.
    """
    scores = backend.score(
        [one.tokens.ids for one in asked], window=settings.window, decodings=list(drawn.values())
    )
    lengths = sorted({K, *lengths})
    told = [(one, found) for one, found in zip(asked, scores, strict=True) if found is not None]
    audits = [row for one, found in told for row in _audits(one.note, arm_of(one.note), found, lengths)]
    if settings.free_running:
        audits = _with_scores(audits, [one for one, _ in told], backend)
    discoverable = [
        row
        for one, found in told
        for row in _discoverable(one.note, arm_of(one.note), found, lengths, list(drawn))
    ]
    return Audited(audits, discoverable, scores)


def _with_scores(
    audits: Sequence[NoteAudit], asked: Sequence[Asked], backend: ScoringBackend
) -> list[NoteAudit]:
    """The rows with what free-running greedy decoding gives of the tokens after the first ``K``."""
    long_enough = [one for one in asked if len(one.tokens.ids) >= 2 * K]
    answers = backend.generate([one.tokens.ids[:K] for one in long_enough], K)
    right = {
        one.note.note_id: sum(a == b for a, b in zip(answer.ids, one.tokens.ids[K : 2 * K], strict=False))
        for one, answer in zip(long_enough, answers, strict=True)
        if answer is not None
    }
    return [
        replace(row, score_tok=right[row.note_id]) if row.prefix_tok == K and row.note_id in right else row
        for row in audits
    ]


def _discoverable(
    note: Note, arm: Arm, scores: Scores, lengths: Iterable[int], drawn: Sequence[str]
) -> Iterator[Discoverable]:
    size = len(scores.greedy)
    for length in lengths:
        rest = slice(length, min(size, length + NEXT))
        for number, decoding in enumerate(drawn if length < size else ()):
            yield Discoverable(
                note_id=note.note_id,
                arm=arm,
                prefix_tok=length,
                decoding=decoding,
                next_tok=rest.stop - rest.start,
                next_logprob=float(scores.decoded[rest, number].astype(np.float64).sum()),
            )


def _audits(note: Note, arm: Arm, scores: Scores, lengths: Iterable[int]) -> Iterator[NoteAudit]:
    runs = longest_greedy_runs(scores.greedy)
    size = len(scores.greedy)
    for length in lengths:
        if length >= size:
            continue
        run, rest = int(runs[length]), slice(length, min(size, length + NEXT))
        yield NoteAudit(
            audit_id=f"{arm}/n{note.ordinal:07d}/{length}",
            note_id=note.note_id,
            arm=arm,
            prefix_tok=length,
            n_tokens=size - length,
            run_tok=run,
            longest_tok=longest_run(_likely(scores)[length:]),
            # Where greedy decoding nearly takes another token, another batch or card may differ.
            ties=int(scores.tie[length : length + run + 1].sum()),
            next_tok=rest.stop - rest.start,
            next_logprob=_total(scores, rest),
            context_tok=int(scores.context[rest].min()),
            score_tok=None,
        )


def _likely(scores: Scores) -> NDArray[np.bool_]:
    """Tokens that greedy decoding takes, or might on another card."""
    return scores.greedy | (scores.tie & (scores.rank <= 1))


def expose_notes(
    asked: Sequence[Asked],
    scores: Sequence[Scores | None],
    control: Sequence[Scores | None] | None,
    backend: ScoringBackend,
    settings: ExposeSettings,
    *,
    tokenize: Callable[[list[str]], list[Tokens]],
    decoys_of: Callable[[Note, Phi], Decoys],
) -> list[Exposure]:
    """A row for every PHI span of every note that was scored.

    Args:
        asked: Whole patients.
        scores: Of each note by the scanned model.
        control: Of each note by the control model; None without one.
        backend: The scanned model, for decoys.
        settings: For which spans decoys are wanted.
        tokenize: The model's own tokenizer.
        decoys_of: What a span of a note is ranked among.

    """
    theirs = control or [None] * len(asked)
    found: list[_Found] = []
    for one, own, other in zip(asked, scores, theirs, strict=True):
        if own is not None:
            found += [_Found(one, phi, *_span(one, phi, own, other)) for phi in one.phi if _place(one, phi)]
    ranks = _ranks(_chosen(found, settings), backend, settings, tokenize=tokenize, decoys_of=decoys_of)
    return [_exposure(one, ranks.get(one.phi.phi_id)) for one in found]


class _Found(NamedTuple):
    asked: Asked
    phi: Phi
    first: int
    end: int
    """Tokens [first, end) of the note hold the span."""
    logprob: float
    control: float | None
    greedy: bool
    ties: int
    context: int

    @property
    def shown_before(self) -> bool:
        """The note holds the same words before the span, whatever they are there."""
        earlier = self.asked.note.text[: self.phi.start]
        return self.phi.text.casefold() in earlier.casefold()

    @property
    def stands_out(self) -> float:
        """Nats beyond what the control gives, or beyond a draw of its form at random."""
        if self.control is not None:
            return self.logprob - self.control
        space = make_decoys(self.phi.category, self.phi.text, 0, Random(0)).space_bits
        return self.logprob + space * math.log(2)


def _place(one: Asked, phi: Phi) -> tuple[int, int] | None:
    """The tokens that hold a span; None if it has none, or begins the note (nothing stands before it)."""
    if phi.start is None or phi.end is None:
        return None
    ends = np.asarray(one.tokens.ends)
    first = int(np.searchsorted(ends, phi.start, side="right"))
    end = int(np.searchsorted(ends, phi.end, side="left")) + 1
    return (first, min(end, len(ends))) if first < len(ends) else None


def _span(
    one: Asked, phi: Phi, own: Scores, other: Scores | None
) -> tuple[int, int, float, float | None, bool, int, int]:
    first, end = _place(one, phi) or (0, 0)
    part = slice(first, end)
    return (
        first,
        end,
        _total(own, part),
        None if other is None else _total(other, part),
        bool(own.greedy[part].all()),
        int(own.tie[part].sum()),
        int(own.context[first]),
    )


def _total(scores: Scores, part: slice) -> float:
    """Sum in float64; a first token that has nothing before it counts nothing."""
    return float(np.nansum(scores.logprob[part].astype(np.float64)))


def _chosen(found: Sequence[_Found], settings: ExposeSettings) -> list[_Found]:
    """The spans to rank: of each patient the distinct values that stand out most, or all.

    A value that stands earlier in the note is likely for that reason alone, seen in training or not.
    """
    if settings.decoys == 0:
        return []
    found = [one for one in found if not one.shown_before]
    if settings.ranked == "all":
        return found
    by_patient: dict[str, dict[tuple[str, str], _Found]] = defaultdict(dict)
    for one in sorted(found, key=lambda f: (-f.stands_out, f.phi.phi_id)):
        values = by_patient[one.phi.patient_id]
        if len(values) < settings.top:
            values.setdefault((one.phi.category, one.phi.canonical), one)
    return [one for values in by_patient.values() for one in values.values()]


class _Rank(NamedTuple):
    rank: int
    given_rank: int
    decoys: Decoys


def _ranks(
    chosen: Sequence[_Found],
    backend: ScoringBackend,
    settings: ExposeSettings,
    *,
    tokenize: Callable[[list[str]], list[Tokens]],
    decoys_of: Callable[[Note, Phi], Decoys],
) -> dict[str, _Rank]:
    """Rank of each chosen span among its decoys in its own context, note by note."""
    by_note: dict[str, list[_Found]] = defaultdict(list)
    for one in chosen:
        by_note[one.phi.note_id or ""].append(one)
    ranks: dict[str, _Rank] = {}
    for group in by_note.values():
        decoys = [decoys_of(one.asked.note, one.phi) for one in group]
        made = [_candidates(one, among, tokenize) for one, among in zip(group, decoys, strict=True)]
        candidates = [ids for one in made for ids in one.candidates]
        starts = [one.start for one in made for _ in one.candidates]
        ids = group[0].asked.tokens.ids
        scored = iter(backend.score_spans(ids, candidates, starts=starts, window=settings.window))
        for one, of, among in zip(group, made, decoys, strict=True):
            logprobs = [_whole(next(scored)) for _ in of.candidates]
            if len(logprobs) > 1 and None not in logprobs:
                true, *others = [value for value in logprobs if value is not None]
                above = [value >= true for value in others]
                ranks[one.phi.phi_id] = _Rank(1 + sum(above), 1 + sum(above[: among.given]), among)
    return ranks


def _whole(scores: Scores | None) -> float | None:
    return None if scores is None else _total(scores, slice(None))


class _Candidates(NamedTuple):
    start: int
    candidates: list[list[int]]
    """The true span first; all begin at the note's token ``start``."""


def _candidates(one: _Found, decoys: Decoys, tokenize: Callable[[list[str]], list[Tokens]]) -> _Candidates:
    """The true span and its decoys as tokens, each tokenised in its own surroundings.

    The text is tokenised whole with the decoy in it: halves tokenised apart would join otherwise. All
    candidates begin where the first of them leaves the note's own tokens, and end with the span.
    """
    text, phi, ids = one.asked.note.text, one.phi, one.asked.tokens.ids
    start, end = phi.start or 0, phi.end or 0
    whole = tokenize([text[:start] + decoy + text[end : end + _AFTER] for decoy in decoys.values])
    first = one.first
    for tokens in whole:
        first = min(first, _common(ids, tokens.ids, first))
    spans = [ids[first : one.end]]
    for decoy, tokens in zip(decoys.values, whole, strict=True):
        last = int(np.searchsorted(np.asarray(tokens.ends), start + len(decoy), side="left")) + 1
        spans.append(tokens.ids[first:last])
    return _Candidates(first, spans)


_AFTER = 40
"""Characters after a decoy that are tokenised with it, so that its end joins as in the note."""


def _common(one: Sequence[int], other: Sequence[int], most: int) -> int:
    """Length of the common beginning of two sequences, at most ``most``."""
    for at, (a, b) in enumerate(zip(one[:most], other[:most], strict=False)):
        if a != b:
            return at
    return min(most, len(one), len(other))


def _exposure(one: _Found, rank: _Rank | None) -> Exposure:
    return Exposure(
        phi_id=one.phi.phi_id,
        note_id=one.phi.note_id or "",
        category=one.phi.category,
        hipaa=one.phi.hipaa,
        n_tok=one.end - one.first,
        logprob=one.logprob,
        control_logprob=one.control,
        greedy=one.greedy,
        ties=one.ties,
        context_tok=one.context,
        shown_before=one.shown_before,
        windowed=one.context < one.first,
        rank=None if rank is None else rank.rank,
        decoys=None if rank is None else len(rank.decoys.values),
        given_rank=None if rank is None or not rank.decoys.given else rank.given_rank,
        given_decoys=None if rank is None else rank.decoys.given,
        exposure_bits=None if rank is None else math.log2((len(rank.decoys.values) + 1) / rank.rank),
        space_bits=None if rank is None else rank.decoys.space_bits,
    )


def by_patient(
    exposures: Iterable[Exposure], patients: Mapping[str, str], most: int
) -> dict[str, list[Exposure]]:
    """The ``most`` exposed first mentions of each patient: written greedily, then by what training added."""
    found: dict[str, list[Exposure]] = defaultdict(list)
    for exposure in exposures:
        found[patients[exposure.note_id]].append(exposure)

    def key(one: Exposure) -> tuple[bool, float, str]:
        return (not one.greedy, -(one.logprob - (one.control_logprob or 0.0)), one.phi_id)

    first = {patient: [row for row in rows if not row.shown_before] for patient, rows in found.items()}
    return {patient: sorted(rows, key=key)[:most] for patient, rows in first.items() if rows}
