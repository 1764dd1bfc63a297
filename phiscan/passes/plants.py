"""Plants and twins through the passes, in tables and indexes of their own."""

from __future__ import annotations

from collections.abc import Callable

from phiscan.passes.index import index_plants
from phiscan.passes.map import ShardMap
from phiscan.passes.plan import Plan, Progress


def map_plants(plan: Plan, run_shard: Callable[[ShardMap, int], None], progress: Progress) -> None:
    """Index plants and twins, and send each of their shards through ``run_shard``; the patients' parts stand.

    ``plan``: of the patients, with notes of plants or twins beside them.
    """
    notes = plan.loaded.notes.with_plants
    assert notes is not None
    plants = index_plants(plan, notes, progress)
    mapped = ShardMap(plants)
    for done, number in enumerate(plants.own_shards, 1):
        run_shard(mapped, number)
        progress("plants", done, len(plants.own_shards))
    plants.values.close()
