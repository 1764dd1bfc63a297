"""Spikes through match -> detect -> verify: the code of the map pass, apart from its tables.

Made once all shards stand. Which values are written where depends on the run seed and on the records,
not on their order or on how they are cut into shards.
"""

from __future__ import annotations

import heapq
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from phiscan.at_risk import is_disclosure, is_leak
from phiscan.decodings import GIVEN
from phiscan.passes.map import ShardMap
from phiscan.passes.plan import Plan, part_name
from phiscan.records import CONTROL_ARMS, Continuation, Hit, Phi, Prompt, Spike, Verdict
from phiscan.spike_sites import Site, phi_priority
from phiscan.spikes import POOL, Planned, plan_spikes
from phiscan.taxonomy import REPORTED_APART
from phiscan.typed import known_phi

PART = "all"
"""The table's one part."""


def make_spikes(mapped: ShardMap) -> None:
    """Write the table ``spikes`` unless it stands."""
    plan = mapped.plan
    if plan.run.has_part("spikes", PART, plan.loaded.digest):
        return
    began = time.monotonic()
    config = plan.loaded.config
    rows: dict[str, Spike] = {}
    if config.spikes.each:
        pool = _pool(plan, config.run.seed)
        sites = list(_sites(plan, pool))
        pool = [*pool, *(phi for site in sites for phi in site.record if phi.note_id is None)]
        planned = plan_spikes(sites, set(pool), mapped.lookups, config.spikes, config.run.seed)
        by_shard: dict[int, list[Planned]] = defaultdict(list)
        for spike in planned:
            by_shard[spike.site.shard].append(spike)
        judged = {s.spike_id: s for number, mine in by_shard.items() for s in _judged(mapped, number, mine)}
        rows = {spike.spike_id: judged[spike.spike_id] for spike in planned}
    plan.run.write_part("spikes", PART, rows.values(), plan.loaded.digest)
    mapped.seconds["spikes"] += time.monotonic() - began


def _pool(plan: Plan, seed: int) -> list[Phi]:
    """Of each category the ``POOL`` spans of the notes that come first in the order of values."""
    found: dict[str, list[tuple[int, str, Phi]]] = defaultdict(list)
    for number in range(len(plan.shards)):
        for phi in plan.run.read_part("phi", part_name(number)):
            # The first by priority, then by note: the largest of the negated ones.
            heap, entry = found[phi.category], (-phi_priority(seed, phi), phi.note_id, phi)
            (heapq.heappush if len(heap) < POOL else heapq.heappushpop)(heap, entry)
    return [phi for heap in found.values() for _, _, phi in heap]


def _sites(plan: Plan, pool: Iterable[Phi]) -> Iterator[Site]:
    """Every answered prompt of the scanned arm of the notes that the pool's values stand in."""
    wanted = {phi.note_id for phi in pool}
    loaded = plan.loaded
    known: dict[str, list[Phi]] = defaultdict(list)
    for phi in known_phi(loaded.known.identifiers if loaded.known else (), loaded.config.verify.date_order):
        known[phi.patient_id].append(phi)
    for number in range(len(plan.shards)):
        notes = plan.shard_notes(number)
        named = {note.note_id: note for note in notes if note.note_id in wanted}
        if not named:
            continue
        records: dict[str, list[Phi]] = defaultdict(list)
        for phi in plan.run.read_part("phi", part_name(number)):
            records[phi.patient_id].append(phi)
        texts: dict[str, list[str]] = defaultdict(list)
        for note in notes:
            texts[note.patient_id].append(note.text)
        for prompt, answer, control in _answered(plan, number):
            if prompt.note_id in named and prompt.prefix_end is not None:
                note = named[prompt.note_id]
                yield Site(
                    shard=number,
                    note=note,
                    prompt=prompt,
                    answer="" if answer.degenerate else answer.text,
                    control=control,
                    record=(*records[note.patient_id], *known[note.patient_id]),
                    texts=tuple(texts[note.patient_id]),
                )


def _answered(plan: Plan, number: int) -> Iterator[tuple[Prompt, Continuation, str]]:
    """Prompts of a shard's member notes, what the scanned model answered, and what the control did.

    The first way of decoding only: others would make the same sites again.
    """
    part = part_name(number)
    continuations: list[Continuation] = plan.run.read_part("continuations", part)
    prompts = {prompt.prompt_id: prompt for prompt in plan.run.read_part("prompts", part)}
    control: dict[str, str] = defaultdict(str)
    decoding = _first_decoding(plan)
    for answer in continuations:
        if answer.arm in CONTROL_ARMS and answer.decoding == decoding:
            control[answer.prompt_id] += answer.text + "\n"
    for answer in continuations:
        if answer.arm == "scanned" and answer.decoding == decoding and answer.draw == 0:
            yield prompts[answer.prompt_id], answer, control[answer.prompt_id]


def _first_decoding(plan: Plan) -> str:
    return GIVEN if plan.loaded.replay is not None else plan.loaded.config.regenerate.decodings[0]


def _judged(mapped: ShardMap, number: int, planned: Sequence[Planned]) -> Iterator[Spike]:
    """What the scanner makes of spikes into continuations of one shard's notes."""
    run, part = mapped.plan.run, part_name(number)
    prompts = {spike.site.prompt.prompt_id: spike.site.prompt for spike in planned}
    made = {f"{spike.site.prompt.prompt_id}/{spike.spike_id}": spike for spike in planned}
    continuations = [_continuation(mapped.plan, gen_id, spike) for gen_id, spike in made.items()]
    matches = mapped.matches_in(continuations, prompts)
    hits = mapped.hits_in(continuations, prompts, matches)
    control = mapped.control_hits(run.read_part("continuations", part), run.read_part("hits", part))
    verdicts, _ = mapped.verdicts_on(number, continuations, prompts, matches, hits, control)
    said = {verdict.hit_id: verdict for verdict in verdicts}
    by_text: dict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        by_text[hit.gen_id].append(hit)
    for gen_id, spike in made.items():
        yield _spike(spike, by_text[gen_id], said, mapped.lookups.template_patients)


def _continuation(plan: Plan, gen_id: str, spike: Planned) -> Continuation:
    tokens = plan.loaded.tokenize([spike.text])[0] if plan.loaded.tokenize else None
    return Continuation(
        gen_id=gen_id,
        prompt_id=spike.site.prompt.prompt_id,
        note_id=spike.site.note.note_id,
        arm="scanned",
        decoding=_first_decoding(plan),
        draw=0,
        token_ids=None if tokens is None else tuple(tokens.ids),
        token_ends=None if tokens is None else tuple(tokens.ends),
        text=spike.text,
        stop="given",
        degenerate=None,
        mean_logprob=None,
    )


def _spike(
    planned: Planned, hits: Sequence[Hit], said: Mapping[str, Verdict], template_patients: int
) -> Spike:
    def shared(hit: Hit) -> int:
        return min(hit.cont_end, planned.end) - max(hit.cont_start, planned.start)

    near = [hit for hit in hits if shared(hit) > 0]
    best = max(near, key=shared, default=None)
    return Spike(
        spike_id=planned.spike_id,
        kind=planned.kind,
        category=planned.category,
        note_id=planned.site.note.note_id,
        prefix_end=planned.site.ends()[1],
        text=planned.text,
        start=planned.start,
        end=planned.end,
        expected=planned.expected,
        leak=planned.leak,
        found=best is not None,
        verdict=None if best is None else said[best.hit_id].verdict,
        reported=any(_decides(hit, said[hit.hit_id], template_patients) for hit in near),
    )


def _decides(hit: Hit, verdict: Verdict, template_patients: int) -> bool:
    """The hit is a headline leak, or another patient's value that decides."""
    apart = (verdict.matched_category or hit.category) in REPORTED_APART
    return not apart and (is_leak(verdict) or is_disclosure(verdict, template_patients))
