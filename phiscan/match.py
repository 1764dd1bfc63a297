"""Continuation -> SpanMatch: every maximal run of 30+ units a continuation shares with a note.

Parts of a run that also stand in the prompt, or in the notes of many patients (templates), are
rows of their own; what remains of 30+ units are the run's *net blocks*. Precedence of what
remains: the note's own suffix, the patient's other notes, other patients' notes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from phiscan.corpus_index import CorpusIndex, Trace, UnitText
from phiscan.records import SpanMatch, Unit, Where
from phiscan.runs import MIN_RUN, Prepared, Run, Units, maximal_runs, prepare

Mask = npt.NDArray[np.bool_]
Block = tuple[int, int]


class MatchSettings(BaseModel):
    """How runs are told apart."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    template_patients: int | None = Field(
        None,
        ge=2,
        description="a 30-unit block in the notes of this many patients is a template; "
        "if not set, the larger of 3 and 0.1% of patients",
    )

    def template_count(self, patients: int) -> int:
        """Patients from which on a block is a template, in a corpus of ``patients``."""
        return self.template_patients or max(3, -(-patients // 1000))


class Comparison(NamedTuple):
    """One continuation in one unit, and what it is held against."""

    unit: Unit
    corpus: CorpusIndex
    own: int
    """Position of the prompted note in the index."""
    suffix_from: int
    """First unit of the prompted note that is suffix."""
    prompt: Units | Prepared
    continuation: UnitText
    gen_id: str
    note_ids: Sequence[str]
    """Note ids in index order."""
    template_patients: int
    prefix_from: int = 0
    """First unit of the prompted note that the prompt holds."""


class _Found(NamedTuple):
    run: Run
    note: int
    where: Where

    @property
    def block(self) -> Block:
        return self.run.a_start, self.run.a_start + self.run.length


def trace_all(comparisons: Sequence[Comparison]) -> list[Trace]:
    """Where each continuation stands in its corpus: together in a fifth of the time they take one by one."""
    traces: dict[int, Trace] = {}
    kinds = {(id(one.corpus), one.template_patients): one for one in comparisons}
    for (corpus, template_patients), kind in kinds.items():
        mine = [
            at
            for at, one in enumerate(comparisons)
            if (id(one.corpus), one.template_patients) == (corpus, template_patients)
        ]
        units = [comparisons[at].continuation.units for at in mine]
        found = kind.corpus.trace(units, template_patients=template_patients)
        traces |= zip(mine, found, strict=True)
    return [traces[at] for at in range(len(comparisons))]


def match_runs(comparison: Comparison, trace: Trace) -> list[SpanMatch]:
    """Every row of the comparison; empty if the continuation is shorter than a run.

    ``trace``: the continuation's, of :func:`trace_all`.
    """
    if len(comparison.continuation.units) < MIN_RUN:
        return []
    units = prepare(comparison.continuation.units)
    frequency = trace.patients
    template = frequency >= comparison.template_patients
    prompt = [_block(run) for run in maximal_runs(units, comparison.prompt)]
    own = comparison.corpus.prepared_units(comparison.own)
    suffix = _own_runs(comparison, units, own.part(comparison.suffix_from), "suffix")
    rows: list[SpanMatch] = []
    covered = np.zeros(len(comparison.continuation.units), dtype=bool)
    for level in (suffix, *_runs_in_other_notes(comparison, trace)):
        seen = covered.copy()
        for found in level:
            made = list(_rows_of_run(comparison, found, prompt, template, seen, frequency))
            rows += made
            # A run that leaves nothing of its own explains nothing either.
            if made:
                covered[slice(*found.block)] = True
    shown = own.part(comparison.prefix_from, comparison.suffix_from)
    copies = _own_runs(comparison, units, shown, "prompt")
    return rows + _prompt_rows(comparison, copies, suffix, frequency)


def _own_runs(
    comparison: Comparison, units: Prepared, part: Prepared, where: Literal["suffix", "prompt"]
) -> list[_Found]:
    """Runs that the continuation shares with one of the two parts of the prompted note."""
    begin = comparison.suffix_from if where == "suffix" else comparison.prefix_from
    return [
        _Found(run._replace(b_start=run.b_start + begin), comparison.own, where)
        for run in maximal_runs(units, part)
    ]


def _runs_in_other_notes(comparison: Comparison, trace: Trace) -> tuple[list[_Found], list[_Found]]:
    """Maximal runs in the patient's other notes, and in other patients' notes.

    What stands in the prompted note before the prompt's own passage was not shown either: it counts with
    the patient's other notes.

    Runs that consist of templates are not among them: a net block holds no template, and
    boilerplate would name every note of the corpus.
    """
    patient = comparison.corpus.patient
    same: list[_Found] = []
    other: list[_Found] = []
    for note, run in trace.runs:
        if note == comparison.own and run.b_start >= comparison.prefix_from:
            continue
        if patient(note) == patient(comparison.own):
            same.append(_Found(run, note, "same_patient"))
        else:
            other.append(_Found(run, note, "other_patient"))
    return same, other


def _rows_of_run(
    comparison: Comparison,
    found: _Found,
    prompt: Sequence[Block],
    template: Mask,
    covered: Mask,
    frequency: npt.NDArray[np.int64],
) -> Iterator[SpanMatch]:
    """The run's row and a row for each prompt or template part; runs elsewhere only if net."""
    start, end = found.block
    copied = [block for block in (_clip(block, found.block) for block in prompt) if block]
    shared = [
        (start + a, start + b + MIN_RUN - 1) for a, b in _stretches(template[start : end - MIN_RUN + 1], 1)
    ]
    free = np.ones(end - start, dtype=bool)
    for a, b in copied + shared:
        free[a - start : b - start] = False
    if found.where != "suffix":
        free &= ~covered[start:end]
    net = [(start + a, start + b) for a, b in _stretches(free, MIN_RUN)]
    if found.where != "suffix" and not net:
        return
    yield _row(comparison, found, found.block, found.where, net, frequency)
    for block in copied:
        yield _row(comparison, found, block, "prompt", (), frequency)
    for block in shared:
        yield _row(comparison, found, block, "template", (), frequency)


def _prompt_rows(
    comparison: Comparison,
    copies: Sequence[_Found],
    suffix: Sequence[_Found],
    frequency: npt.NDArray[np.int64],
) -> list[SpanMatch]:
    """Copies of the prompt that are no part of a run in the suffix."""
    return [
        _row(comparison, copy, copy.block, "prompt", (), frequency)
        for copy in copies
        if not any(_clip(copy.block, found.block) == copy.block for found in suffix)
    ]


def _row(
    comparison: Comparison,
    found: _Found,
    block: Block,
    where: Where,
    net: Sequence[Block],
    frequency: npt.NDArray[np.int64],
) -> SpanMatch:
    """The row for units ``block`` of the continuation, a part of the run ``found``."""
    start, end = block
    at = start - found.run.a_start + found.run.b_start
    matched = comparison.corpus.chars(found.note, at, at + end - start)
    begins, ends = comparison.continuation.begins, comparison.continuation.ends
    return SpanMatch(
        gen_id=comparison.gen_id,
        note_id=comparison.note_ids[comparison.own],
        matched_note_id=comparison.note_ids[found.note],
        unit=comparison.unit,
        n_units=end - start,
        matched_start=matched[0],
        matched_end=matched[1],
        cont_start=begins[start],
        cont_end=ends[end - 1],
        cont_unit=start,
        where=where,
        n_patients=_patients(frequency, block if end - start >= MIN_RUN else found.block),
        net_blocks=tuple((begins[a], ends[b - 1], b - a) for a, b in net),
        net_units=max((b - a for a, b in net), default=0),
    )


def _patients(frequency: npt.NDArray[np.int64], block: Block) -> int:
    """Patients with the rarest 30-unit window of the block."""
    return int(frequency[block[0] : block[1] - MIN_RUN + 1].min())


def _block(run: Run) -> Block:
    return run.a_start, run.a_start + run.length


def _clip(block: Block, to: Block) -> Block | None:
    """The part of ``block`` inside ``to``, if any."""
    start, end = max(block[0], to[0]), min(block[1], to[1])
    return (start, end) if end > start else None


def _stretches(mask: Mask, shortest: int) -> list[Block]:
    """Half-open ranges of at least ``shortest`` consecutive True values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(a, b) for a, b in edges.reshape(-1, 2).tolist() if b - a >= shortest]
