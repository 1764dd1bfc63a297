"""The tables of a run as data frames: whole, or one shard after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING

from phiscan.config import ScanConfig
from phiscan.measures.asked import in_order, ways_asked
from phiscan.measures.scan import Tables
from phiscan.run_files import PEOPLE
from phiscan.store import RunDirectory

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: dict[str, list[str]] = {
    "notes": ["note_id", "patient_id", "split", "copies", "n_chars", "n_tokens"],
    "prompts": ["prompt_id", "note_id", "scheme", "tier", "prefix_tok", "prefix_end"],
    "continuations": ["gen_id", "prompt_id", "note_id", "arm", "decoding", "draw", "stop", "degenerate"],
    "matches": ["gen_id", "unit", "where", "n_units", "net_units", "cont_unit", "n_patients"],
    "hits": ["hit_id", "gen_id", "note_id", "category", "hipaa", "group", "canonical"],
    "verdicts": [
        "hit_id",
        "gen_id",
        "verdict",
        "matched_category",
        "matched_member",
        "anchored",
        "specific",
        "control_emits",
        "n_patients",
        "note_side_miss",
        "verifier",
        "time",
    ],
    "at_risk": [
        "gen_id",
        "prompt_id",
        "note_id",
        "category",
        "hipaa",
        "canonical",
        "within_reach",
        "recovered",
    ],
    "repetitions": ["note_id", "group", "repetitions", "same_patient", "copied_share", "crowded"],
    "audits": ["note_id", "arm", "prefix_tok", "n_tokens", "run_tok"],
    "passages": ["gen_id", "topic", "status", "in_prompt", "in_record", "linked"],
    "screened": ["note_id", "prompts", "drawn", "probability"],
}
"""Columns of each table that measures are made from."""
_OF_SHARD = {
    **COLUMNS,
    "notes": [*COLUMNS["notes"], "ordinal", "note_type"],
    "hits": [*COLUMNS["hits"], "text"],
    "similarities": ["gen_id", "metric", "value", "reason"],
    "patients": ["patient_id", "age_band", "age_source"],
}
"""Values are looked up again, and likeness is measured, shard by shard alone."""


ANSWERS = 2_000
"""Answers read at once: every reading costs as much time as several hundred."""


def read_tables(run: RunDirectory) -> Tables:
    """All tables whole, but texts and similarities; of a hit's verdicts a person's counts, and his latest."""
    return _tables(run, COLUMNS, None)


def read_shards(run: RunDirectory) -> Iterator[Tables]:
    """The tables of a few shards after another; with ordinals, texts of hits and similarities.

    Everything about a patient stands in one shard. What people said of any hit stands beside each: where its
    answer is not of these shards, it counts for nothing there.
    """
    tables = [table for table in _OF_SHARD if table != "repetitions"]
    standing = {table: set(run.part_names(table)) for table in tables}
    repetitions = run.read_frame("repetitions", COLUMNS["repetitions"], coded=True)
    for shards in _together(run):
        parts = {table: [part for part in (*shards, PEOPLE) if part in standing[table]] for table in tables}
        found = _tables(run, {table: _OF_SHARD[table] for table in tables}, parts)
        yield found._replace(repetitions=repetitions[repetitions["note_id"].isin(found.notes["note_id"])])


def _together(run: RunDirectory) -> Iterator[list[str]]:
    """Names of the shards, so many at a time as have :data:`ANSWERS` answers."""
    shards: list[str] = []
    answers = 0
    for shard in run.part_names("notes"):
        shards.append(shard)
        answers += run.count_rows("continuations", [shard])
        if answers >= ANSWERS:
            yield shards
            shards, answers = [], 0
    if shards:
        yield shards


def ways_of(run: RunDirectory, config: ScanConfig) -> pd.DataFrame:
    """In which ways a run was asked (:mod:`phiscan.measures.asked`), in the order of its settings."""
    ways = [
        ways_asked(
            run.read_frame("prompts", COLUMNS["prompts"], coded=True, parts=[part]),
            run.read_frame("continuations", ["prompt_id", "arm", "decoding"], coded=True, parts=[part]),
        )
        for part in run.part_names("continuations")
    ]
    asked = config.regenerate
    return in_order(ways, [(*design, name) for name, design in product(asked.decodings, asked.designs)])


def _tables(
    run: RunDirectory, columns: Mapping[str, list[str]], parts: Mapping[str, Iterable[str]] | None
) -> Tables:
    frames = {
        table: run.read_frame(table, names, coded=True, parts=None if parts is None else parts[table])
        for table, names in columns.items()
    }
    return Tables(**{**frames, "verdicts": _last_word(frames["verdicts"])})


def _last_word(verdicts: pd.DataFrame) -> pd.DataFrame:
    human = verdicts["verifier"] == "human"
    if human.any():
        order = verdicts.assign(human=human).sort_values(
            ["human", "time"], kind="stable", na_position="first"
        )
        last = order.drop_duplicates("hit_id", keep="last").index.sort_values()
        verdicts = verdicts.loc[last].reset_index(drop=True)
    return verdicts.drop(columns=["verifier", "time"])
