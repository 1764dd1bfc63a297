"""Passage -> BeyondPhiRow: sensitive content by topic, and what stands beside an identifier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from phiscan.rulebook.topics import load_topics
from phiscan.scan_report import BeyondPhiRow

if TYPE_CHECKING:
    import pandas as pd


def beyond_phi_rows(passages: pd.DataFrame, arms: Sequence[str]) -> Iterator[BeyondPhiRow]:
    """One row a topic and arm, zeros included: a topic that was looked for and not found is a result.

    Args:
        passages: topic, status, in_prompt, in_record, linked, gen_id, arm and patient_id of each
            distinct passage of an output.
        arms: those that were asked, in the order of the rows.

    """
    affirmed = passages["status"] == "affirmed"
    counted = passages[affirmed & ~passages["in_prompt"].astype(bool)]
    for topic in load_topics():
        for arm in arms:
            all_of_it = (passages["topic"] == topic.id) & (passages["arm"] == arm)
            mine = counted[(counted["topic"] == topic.id) & (counted["arm"] == arm)]
            linked = mine[mine["linked"].astype(bool)]
            yield BeyondPhiRow(
                arm=arm,
                topic=topic.id,
                title=topic.spec.title,
                group=topic.spec.group,
                passages=len(mine),
                outputs=int(mine["gen_id"].nunique()),
                patients=int(mine["patient_id"].nunique()),
                in_record=int(mine["in_record"].sum()),
                linked=len(linked),
                linked_patients=int(linked["patient_id"].nunique()),
                in_prompt=int((all_of_it & affirmed).sum()) - len(mine),
                not_affirmed=int((all_of_it & ~affirmed).sum()),
            )


def linked_outputs(passages: pd.DataFrame, arm: str) -> set[str]:
    """Outputs of ``arm`` in which an identifier and a sensitive fact of one patient stand together."""
    return set(passages.loc[(passages["arm"] == arm) & passages["linked"].astype(bool), "gen_id"])
