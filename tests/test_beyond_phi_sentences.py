"""Recall and precision of the "beyond PHI" topics on invented sentences.

The sentences were written without sight of the lexicons. A row names the topics a reviewer finds
affirmed (`topics`), those only denied (`negated`) or only about a relative (`family`), and those
a reviewer could accept as well (`also`), which count neither way. One count = one topic of one row.
`pytest tests/test_beyond_phi_sentences.py -s` prints the table.
"""

import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple, TypedDict

import pytest

from phiscan.rulebook.topics import load_topics
from phiscan.sensitive import find_passages

SENTENCES = Path(__file__).with_name("beyond_phi_sentences.jsonl")
FRESH = Path(__file__).with_name("beyond_phi_fresh.jsonl")
"""A later set, by another writer and never tuned against: it has a floor, not a target."""


class Row(TypedDict):
    """One sentence and what a reviewer says of it."""

    id: str
    text: str
    topics: list[str]
    also: list[str]
    negated: list[str]
    family: list[str]


class Tally(NamedTuple):
    """Rows by topic, and the ids behind every error."""

    hits: Counter[str]
    missed: dict[str, list[str]]
    """By topic, the rows in which it is affirmed and was not found."""
    wrong: dict[str, list[str]]
    """By topic, the rows in which it was found affirmed and is not."""
    mentions: int
    """Topics only denied or only about a relative, over all rows."""
    mistaken: list[str]
    """Of these, the ones found as affirmed (id and topic)."""

    def recall(self, topics: list[str]) -> tuple[int, int]:
        """Found and all, of what is affirmed."""
        found = sum(self.hits[topic] for topic in topics)
        return found, found + sum(len(self.missed.get(topic, [])) for topic in topics)

    def precision(self, topics: list[str]) -> tuple[int, int]:
        """Right and all, of what was found."""
        found = sum(self.hits[topic] for topic in topics)
        return found, found + sum(len(self.wrong.get(topic, [])) for topic in topics)


def affirmed(text: str) -> set[str]:
    return {passage.topic for passage in find_passages(text) if passage.status == "affirmed"}


def tally(rows: list[Row]) -> Tally:
    hits: Counter[str] = Counter()
    missed: dict[str, list[str]] = {}
    wrong: dict[str, list[str]] = {}
    mentions, mistaken = 0, []
    for row in rows:
        found, expected = affirmed(row["text"]), set(row["topics"])
        only_mentioned = set(row["negated"]) | set(row["family"])
        hits.update(found & expected)
        for topic in sorted(expected - found):
            missed.setdefault(topic, []).append(row["id"])
        for topic in sorted(found - expected - set(row["also"])):
            wrong.setdefault(topic, []).append(row["id"])
        mentions += len(only_mentioned)
        mistaken += [f"{row['id']} {topic}" for topic in sorted(only_mentioned & found)]
    return Tally(hits, missed, wrong, mentions, mistaken)


def ratio(counts: tuple[int, int]) -> str:
    part, whole = counts
    return f"{part:3d}/{whole:<3d} {part / whole:.3f}" if whole else "  0/0     -  "


def table(result: Tally, topics: list[str]) -> str:
    """A line per topic and one for all, then the ids of the errors."""
    lines = [f"{'topic':28} {'recall':13} {'precision':13} missed | wrong"]
    for topic in topics:
        errors = f"{' '.join(result.missed.get(topic, []))} | {' '.join(result.wrong.get(topic, []))}"
        recall, precision = ratio(result.recall([topic])), ratio(result.precision([topic]))
        lines.append(f"{topic:28} {recall} {precision} {errors}")
    lines.append(f"{'all':28} {ratio(result.recall(topics))} {ratio(result.precision(topics))}")
    mistaken = "; ".join(result.mistaken)
    lines.append(
        f"denied or a relative's: {len(result.mistaken)} of {result.mentions} taken as affirmed: {mistaken}"
    )
    return "\n".join(lines)


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def topics() -> list[str]:
    return sorted(topic.id for topic in load_topics())


@pytest.mark.parametrize(
    ("path", "size", "least"), [(SENTENCES, 150, 6), (FRESH, 100, 4)], ids=["first", "fresh"]
)
def test_the_set_is_well_formed(path: Path, size: int, least: int, topics: list[str]) -> None:
    rows = read(path)
    assert len({row["id"] for row in rows}) == len({row["text"] for row in rows}) == size
    for row in rows:
        labels = row["topics"] + row["also"] + row["negated"] + row["family"]
        assert len(labels) == len(set(labels)), row["id"]
        assert set(labels) <= set(topics), row["id"]
    per_topic = Counter(topic for row in rows for topic in row["topics"])
    assert min(per_topic[topic] for topic in topics) >= least


@pytest.mark.parametrize(("path", "floor"), [(SENTENCES, 0.90), (FRESH, 0.75)], ids=["first", "fresh"])
def test_recall_and_precision(path: Path, floor: float, topics: list[str]) -> None:
    result = tally(read(path))
    print(f"\n{table(result, topics)}")
    found, all_affirmed = result.recall(topics)
    right, all_found = result.precision(topics)
    assert found / all_affirmed >= floor
    assert right / all_found >= floor


def test_what_is_denied_or_a_relatives_is_not_affirmed() -> None:
    result = tally(read(SENTENCES))
    assert result.mentions >= 20
    assert len(result.mistaken) / result.mentions <= 0.10
