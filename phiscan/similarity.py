"""Continuation -> Similarity: how alike what a model wrote and what the note goes on with are.

Both are cut to their first 100 units, which are the scanned model's tokens where there is a
tokenizer and words otherwise. One cut, so that every metric judges the same two texts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from phiscan.corpus_index import CorpusIndex
from phiscan.protocols import Metric, MetricSettings, Pair, Score
from phiscan.records import COMPARED, Continuation, MissingReason, Note, Prompt, Similarity
from phiscan.registry import load_plugin
from phiscan.words import split_words


class Corpora(NamedTuple):
    """The notes as units: in tokens, if the run has a tokenizer, and in words."""

    tokens: CorpusIndex | None
    words: CorpusIndex


def build_metrics(settings: MetricSettings) -> dict[str, Metric | MissingReason]:
    """The metrics asked for, models loaded; a reason for one that has none."""
    return {name: load_plugin("metrics", name).build(settings) for name in settings.which}


def pair_of(
    continuation: Continuation, prompt: Prompt, note: Note | None, corpora: Corpora
) -> Pair | MissingReason:
    """The two texts to compare, or why there are none."""
    if continuation.stop == "failed":
        return "failed"
    if note is None:
        return "unknown_note"
    corpus = corpora.tokens or corpora.words
    suffix = "" if prompt.prefix_end is None else _first_of_note(corpus, note, prompt.prefix_end)
    if not suffix.strip():
        return "no_suffix"
    ends = continuation.token_ends if corpora.tokens else None
    said = first_units(continuation.text, split_words(continuation.text).ends if ends is None else ends)
    return Pair(said, suffix) if said.strip() else "empty"


def first_units(text: str, ends: Sequence[int]) -> str:
    """``text`` up to the end of its 100th unit; ``ends`` are those of its units, ascending."""
    return text[: ends[COMPARED - 1]] if len(ends) > COMPARED else text


def _first_of_note(corpus: CorpusIndex, note: Note, offset: int) -> str:
    """The first 100 units of the note that begin at or after ``offset``."""
    start = corpus.first_unit_from(note.ordinal, offset)
    end = min(start + COMPARED, len(corpus.note_units(note.ordinal)))
    return note.text[slice(*corpus.chars(note.ordinal, start, end))] if start < end else ""


def similarities(
    pairs: Mapping[str, Pair | MissingReason], metrics: Mapping[str, Metric | MissingReason]
) -> Iterator[Similarity]:
    """Every metric of every answer; ``pairs`` by gen_id."""
    compared = {gen_id: pair for gen_id, pair in pairs.items() if isinstance(pair, Pair)}
    for name, metric in metrics.items():
        scores: dict[str, Score] = {}
        if isinstance(metric, str):
            scores.update(dict.fromkeys(compared, metric))
        else:
            scores.update(zip(compared, metric.score(list(compared.values())), strict=True))
        for gen_id, pair in pairs.items():
            yield _row(gen_id, name, scores[gen_id] if isinstance(pair, Pair) else pair)


def _row(gen_id: str, metric: str, score: Score) -> Similarity:
    if not isinstance(score, str) and not math.isfinite(score):
        score = "not_finite"
    if isinstance(score, str):
        return Similarity(gen_id=gen_id, metric=metric, value=None, reason=score)
    return Similarity(gen_id=gen_id, metric=metric, value=float(score), reason=None)
