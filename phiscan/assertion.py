"""Is it said of the patient? Affirmed, denied, said of a relative, or only thought of.

Scopes in the manner of NegEx (Chapman et al. 2001) and ConText (Harkema et al. 2009), with cues and
limits of our own: a cue reaches over a list to the end of its sentence unless the sentence turns.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import regex

from phiscan.records import PassageStatus, Span
from phiscan.rulebook.cues import (
    COMMA,
    DENIED_AFTER,
    DENIED_BEFORE,
    FAMILY_ENDS,
    FAMILY_HEADING,
    FAMILY_SAID,
    FAMILY_WORD,
    OF_FAMILY_AFTER,
    OF_RELATIVE,
    PATIENT_AGAIN,
    POSITIVE,
    POSITIVE_AFTER,
    RELATIVE_BEFORE,
    RELATIVE_FIRST,
    RELATIVE_HAS,
    SPACE,
    STARTS_DENIED,
    THOUGHT_OF,
    THOUGHT_OF_AFTER,
    TURN,
    TURN_OF_NO,
)

REACH = 400
"""Characters of the sentence read on either side: a looping output is one sentence without end."""


class Scope(NamedTuple):
    """What was said of one place, and whether a denial that comes after it said so."""

    status: PassageStatus
    denied_after: bool = False


class Sentences:
    """A text cut into sentences and sections, for the places in it."""

    def __init__(self, text: str, spans: Sequence[Span]) -> None:
        self.text = text
        self.spans = spans
        self._starts = [span.start for span in spans]
        self._family = _family_sections(text)
        self._judged: dict[_Said, Scope] = {}

    def scope(
        self, start: int, end: int, *, keeps_family: bool, only_with: regex.Pattern[str] | None = None
    ) -> Scope:
        """What is said of ``[start, end)``.

        Args:
            start: of the place.
            end: of the place.
            keeps_family: what is said of a relative counts as affirmed.
            only_with: what must stand beside the place, in its sentence, for it to be affirmed: the
                name of a test is no finding.

        """
        first, last = (self.spans[bisect_right(self._starts, at) - 1] for at in (start, max(start, end - 1)))
        said = _Said(
            before=self.text[max(first.start, start - REACH) : start],
            place=self.text[start:end],
            after=self.text[end : min(last.end, end + REACH)],
            in_family_section=self._in_family_section(start),
            keeps_family=keeps_family,
            only_with=only_with,
        )
        if said not in self._judged:  # what loops says the same again and again
            self._judged[said] = _scope(said)
        return self._judged[said]

    def _in_family_section(self, start: int) -> bool:
        at = bisect_right(self._family, start, key=lambda section: section.start) - 1
        return at >= 0 and start < self._family[at].end


class _Said(NamedTuple):
    """A place with what is beside it."""

    before: str
    place: str
    after: str
    in_family_section: bool
    keeps_family: bool
    only_with: regex.Pattern[str] | None


def _scope(said: _Said) -> Scope:
    before, place, after = said.before, said.place, said.after
    whole, start, end = before + place + after, len(before), len(before) + len(place)
    positive = bool(POSITIVE_AFTER.search(after) or POSITIVE.search(whole, start, end))
    # An entry may take in its own denial ("denies SI").
    if STARTS_DENIED.match(whole, start, end) or _denied_before(before, place, after, positive):
        return Scope("negated")
    if not positive and DENIED_AFTER.search(after):
        return Scope("negated", denied_after=True)
    if not said.keeps_family and _of_family(said):
        return Scope("family")
    if not positive and _thought_of(before, after):
        return Scope("hypothetical")
    if said.only_with and not said.only_with.search(whole):
        return Scope("hypothetical")
    return Scope("affirmed")


def _of_family(said: _Said) -> bool:
    before, place = said.before, said.place
    if said.in_family_section:
        return not PATIENT_AGAIN.search(before)
    cues = [match for cue in (RELATIVE_HAS, RELATIVE_FIRST, FAMILY_SAID) for match in cue.finditer(before)]
    if any(not PATIENT_AGAIN.search(before, cue.end()) for cue in cues):
        return True
    if OF_RELATIVE.match(before + place, len(before)) and RELATIVE_BEFORE.search(before):
        return True
    return bool(OF_FAMILY_AFTER.search(said.after))


def _family_sections(text: str) -> list[Span]:
    """Sections of family history by start, none within another."""
    if not FAMILY_WORD.search(text):
        return []
    found: list[Span] = []
    for heading in FAMILY_HEADING.finditer(text):
        # A heading on a line of its own: its section begins below it.
        begins = SPACE.match(text, heading.end()).end()
        within = bool(found) and heading.start() < found[-1].end
        if within and begins <= found[-1].end:
            continue  # the section it lies in ends where its own would
        ends = FAMILY_ENDS.search(text, begins)
        until = ends.start() if ends else len(text)
        found.append(Span(found.pop().start if within else heading.start(), until))
    return found


def _denied_before(before: str, said: str, after: str, positive: bool) -> bool:
    # An entry may begin within a cue ("low" + "concern for abuse").
    reaching_in = (
        cue for cue in DENIED_BEFORE.finditer(before + said) if cue.start() < len(before) < cue.end()
    )
    for cue in (*DENIED_BEFORE.finditer(before), *reaching_in):
        between = before[cue.end() :]
        turn = TURN.search(before + said, cue.end())
        if cue["pseudo"] or (turn and turn.start() < len(before)):
            continue
        if cue["deny"] is None and TURN_OF_NO.search(between):
            continue
        if cue["not"] and (len(between.split()) > 6 or COMMA.search(between + after)):
            continue
        if positive and len(between.split()) > 2:
            continue
        return True
    return False


def _thought_of(before: str, after: str) -> bool:
    for cue in THOUGHT_OF.finditer(before):
        between = before[cue.end() :]
        comma = COMMA.search(between + after) if cue["short"] else None
        if not TURN.search(between) and not (comma and comma.start() < len(between)):
            return True
    return bool(THOUGHT_OF_AFTER.search(after))
