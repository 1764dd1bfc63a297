"""Continuation -> Passage: what it says beyond PHI that could harm the patient, for people to review.

A lexicon's entry that stands in a text is a *mention*; it is affirmed, negated, said of a relative,
or only thought of. Of one output each distinct (topic, term, status) counts once. No passage decides
a scan: whether it says what it seems to say is for people to judge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import regex

from phiscan.assertion import Scope, Sentences
from phiscan.records import Continuation, Note, Passage, PassageStatus, Prompt
from phiscan.rulebook.sentences import sentence_spans
from phiscan.rulebook.term_index import Occurrence
from phiscan.rulebook.topics import load_terms, load_topics

_LIST = regex.compile(r"\s*(?:,|/|&|;?\s*\b(?:and|or|and/or)\b|,\s*(?:and|or)\b)\s*")


class Mention(NamedTuple):
    """A place in a text where an entry of a lexicon stands."""

    start: int
    end: int
    topic: str
    term: str
    status: PassageStatus


def find_passages(text: str) -> list[Mention]:
    """The mentions in ``text`` by start; those of one topic do not overlap, the longest is kept."""
    spans = sentence_spans(text)
    found = load_terms().longest(text, spans)
    if not found:
        return []
    topics = {topic.id: topic for topic in load_topics()}
    sentences = Sentences(text, spans)
    scopes = [
        sentences.scope(
            place.start,
            place.end,
            keeps_family=topics[place.topic].keeps_family,
            only_with=topics[place.topic].only_with.get(place.name),
        )
        for place in found
    ]
    scopes = _denied_together(text, found, scopes)
    return [
        Mention(place.start, place.end, place.topic, place.name, scope.status)
        for place, scope in zip(found, scopes, strict=True)
    ]


def passages_of(
    continuation: Continuation,
    prompt: Prompt,
    own_notes: Sequence[Note],
    mentions_of: Callable[[Note], Sequence[Mention]],
    *,
    leaks: bool,
) -> list[Passage]:
    """The distinct passages of a continuation, in order.

    Args:
        continuation: read with its prompt before it, so that "denies" or a heading there counts.
        prompt: what was asked.
        own_notes: every note of the patient; empty if the note is not known.
        mentions_of: the mentions in a note.
        leaks: the continuation holds a headline leak of this patient.

    """
    joined = prompt.text[-1:].isalnum() and continuation.text[:1].isalnum()
    before = prompt.text + " " if joined else prompt.text
    mentions = find_passages(before + continuation.text)
    shown = {(m.topic, m.term) for m in mentions if m.start < len(before) and m.status == "affirmed"}
    record = {(m.topic, m.term, m.status) for note in own_notes for m in mentions_of(note)}
    rows: dict[tuple[str, str, str], Passage] = {}
    for mention in mentions:
        kind = (mention.topic, mention.term, mention.status)
        if mention.start < len(before) or kind in rows:
            continue
        in_prompt, in_record = kind[:2] in shown, kind in record
        affirmed = mention.status == "affirmed"
        start, end = mention.start - len(before), mention.end - len(before)
        rows[kind] = Passage(
            passage_id=f"{continuation.gen_id}~{len(rows)}",
            gen_id=continuation.gen_id,
            note_id=continuation.note_id,
            topic=mention.topic,
            status=mention.status,
            term=mention.term,
            text=continuation.text[start:end],
            cont_start=start,
            cont_end=end,
            in_prompt=in_prompt,
            in_record=in_record,
            linked=leaks and affirmed and in_record and not in_prompt,
        )
    return list(rows.values())


def _denied_together(text: str, found: Sequence[Occurrence], scopes: list[Scope]) -> list[Scope]:
    """A denial after the last item of a list ("HIV, HCV negative") reaches the items before it."""
    last: dict[str, int] = {}  # the next place of each topic, seen from the end
    for at in reversed(range(len(found))):
        after = last.get(found[at].topic)
        last[found[at].topic] = at
        if after is None or not scopes[after].denied_after or scopes[at].status == "negated":
            continue
        if _LIST.fullmatch(text, found[at].end, found[after].start):
            scopes[at] = scopes[after]
    return scopes
