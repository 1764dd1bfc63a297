"""Similarities of one shard, and of a finished run that was made without ROUGE-L."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from phiscan.corpus_index import CorpusIndex
from phiscan.passes.plan import Plan
from phiscan.passes.reopen import FinishedRun
from phiscan.protocols import MetricSettings, Pair
from phiscan.records import Continuation, MissingReason, Note, Prompt, Similarity
from phiscan.similarity import Corpora, build_metrics, pair_of, similarities
from phiscan.store import digest_of

_ROUGE = "rouge_l"


def similarity_digest(plan: Plan) -> str:
    """What the parts were made from: other metrics may be asked for later, of the same answers."""
    metrics = plan.loaded.metrics
    named = {name: m if isinstance(m, str) else m.describe() for name, m in metrics.items()}
    return digest_of([plan.loaded.digest, named])


def similarity_shard(plan: Plan, part: str, note_of: Callable[[str], Note | None]) -> list[Similarity]:
    """Every metric of every answer of the shard; the control's to held-out prompts are left out."""
    prompts = {prompt.prompt_id: prompt for prompt in plan.run.read_part("prompts", part)}
    corpora = Corpora(plan.tokens, plan.words)
    asked = (c for c in plan.run.read_part("continuations", part) if c.arm != "control_holdout")
    return list(similarities(_pairs(asked, prompts, note_of, corpora), plan.loaded.metrics))


def rouge_l_of(finished: FinishedRun) -> dict[str, float | None]:
    """ROUGE-L of every answer by gen_id: as the run has it, or computed now if it has none."""
    rows = finished.run.read_table("similarities")
    found = {row.gen_id: row.value for row in rows if row.metric == _ROUGE}
    if found:
        return found
    note_of = finished.notes.by_id.get
    prompts = {prompt.prompt_id: prompt for prompt in finished.run.read_table("prompts")}
    tokens = CorpusIndex(finished.run.find_index("tokens")) if finished.has_tokens else None
    corpora = Corpora(tokens, finished.words)
    pairs = _pairs(finished.run.read_table("continuations"), prompts, note_of, corpora)
    metrics = build_metrics(MetricSettings(which=(_ROUGE,)))
    return {row.gen_id: row.value for row in similarities(pairs, metrics)}


def _pairs(
    continuations: Iterable[Continuation],
    prompts: dict[str, Prompt],
    note_of: Callable[[str], Note | None],
    corpora: Corpora,
) -> dict[str, Pair | MissingReason]:
    return {c.gen_id: pair_of(c, prompts[c.prompt_id], note_of(c.note_id), corpora) for c in continuations}
