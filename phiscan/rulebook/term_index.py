"""Thousands of terms and some patterns, looked for in one pass over a text's words."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import ahocorasick_rs
import regex

from phiscan.errors import RuleError
from phiscan.records import Span
from phiscan.rulebook.literals import Needs, required_literals
from phiscan.rulebook.time_limit import time_limit

# White space and hyphens stand between words in any number; a blank line ends what belongs together.
_TOKEN = regex.compile(r"[^\W_]+(?:['’][sS](?![^\W_]))?|\n[ \t]*\n|[^\w\s\-\u2010\u2011]")
_POSSESSIVE = ("'s", "’s")
_PLURAL_ES = ("ses", "xes", "zes", "ches", "shes", "oes")
_SENTENCES = 20_000
_SHORTEST_PLURAL = 3  # letters: "SI" is not found in "SIs", nor "ED" in "eds"


class Occurrence(NamedTuple):
    """A place where an entry stands."""

    topic: str
    name: str
    start: int
    end: int


class _Node:
    """The words that may follow, and the entries that end here."""

    __slots__ = ("ends", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.ends: list[tuple[str, str]] = []


class TermIndex:
    """Entries by their words, and patterns."""

    def __init__(self) -> None:
        self._root = _Node()
        self._patterns: list[tuple[str, str, regex.Pattern[str]]] = []
        # A note is asked for at several lengths and comes back: its sentences are met again and again.
        self._matches = lru_cache(maxsize=_SENTENCES)(self._find)

    def add(self, topic: str, name: str, pattern: regex.Pattern[str] | None) -> None:
        """Add an entry: ``pattern``, or the words of ``name``."""
        if pattern is not None:
            self._patterns.append((topic, name, pattern))
            return
        node = self._root
        for word, _, _ in _tokens(name):
            node = node.next.setdefault(word, _Node())
        node.ends.append((topic, name))

    def occurrences(self, text: str, sentences: Sequence[Span]) -> Iterator[Occurrence]:
        """Every place where an entry stands; places overlap where entries do.

        A pattern sees one sentence at a time, a term's words may run on from line to line.
        """
        tokens = list(_tokens(text))
        first = self._root.next
        for at, (word, start, _) in enumerate(tokens):
            for form in _forms(word):
                if (node := first.get(form)) is not None:
                    yield from _walk(node, tokens, at, start)
        for span in sentences:
            sentence = text[span.start : span.end]
            for found in self._matches(sentence) if not sentence.isspace() else ():
                yield found._replace(start=found.start + span.start, end=found.end + span.start)

    @cached_property
    def _possible(self) -> _Possible:
        return _Possible([pattern.pattern for _, _, pattern in self._patterns])

    def longest(self, text: str, sentences: Sequence[Span]) -> list[Occurrence]:
        """Places that do not overlap within a topic, the longest kept, by start and topic."""
        by_topic: dict[str, list[Occurrence]] = {}
        for found in self.occurrences(text, sentences):
            by_topic.setdefault(found.topic, []).append(found)
        kept = [found for places in by_topic.values() for found in _apart(places)]
        return sorted(kept, key=lambda found: (found.start, found.topic))

    def _find(self, text: str) -> tuple[Occurrence, ...]:
        """What the patterns find in a sentence."""
        return tuple(self._found(text))

    def _found(self, text: str) -> Iterator[Occurrence]:
        seconds = time_limit(text)
        for topic, name, pattern in (self._patterns[number] for number in self._possible.of(text)):
            try:
                for match in pattern.finditer(text, timeout=seconds):
                    if match.end() > match.start():
                        yield Occurrence(topic, name, *match.span())
            except TimeoutError:
                raise RuleError(f"topic {topic}: a pattern takes too long on some text") from None


class _Possible:
    """Which patterns can match a text, by the strings it holds."""

    def __init__(self, patterns: Sequence[str]) -> None:
        needs = [required_literals(pattern) for pattern in patterns]
        self._always = [number for number, of_one in enumerate(needs) if not of_one]
        self._alternatives = [(number, sets) for number, of_one in enumerate(needs) for sets in of_one]
        self._literals = sorted(
            {literal for _, sets in self._alternatives for one in sets for literal in one}
        )
        by_literal: defaultdict[str, list[tuple[int, Needs]]] = defaultdict(list)
        for number, sets in self._alternatives:
            for literal in sets[0]:
                by_literal[literal].append((number, sets[1:]))
        self._by_literal = dict(by_literal)
        self._automaton = ahocorasick_rs.AhoCorasick(self._literals)

    def of(self, text: str) -> list[int]:
        """Numbers of the patterns to try, ascending."""
        places = self._automaton.find_matches_as_indexes(text.casefold(), overlapping=True)
        held = {self._literals[number] for number, _, _ in places}
        possible = {
            number
            for literal in held
            for number, others in self._by_literal.get(literal, ())
            if not any(strings.isdisjoint(held) for strings in others)
        }
        return sorted(possible.union(self._always))


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """(word or sign in lower case, start, end); a possessive belongs to its word's place only."""
    for match in _TOKEN.finditer(text):
        word = match[0].lower()
        yield word[:-2] if word.endswith(_POSSESSIVE) else word, match.start(), match.end()


def _forms(word: str) -> Sequence[str]:
    """``word`` and what it may be the plural of."""
    if not word.endswith("s") or len(word) <= _SHORTEST_PLURAL:
        return (word,)
    if word.endswith("ies"):
        return (word, word[:-1], f"{word[:-3]}y")
    # "abscesses", but not "hives" of "HIV".
    return (word, word[:-1], word[:-2]) if word.endswith(_PLURAL_ES) else (word, word[:-1])


def _walk(node: _Node, tokens: Sequence[tuple[str, int, int]], at: int, start: int) -> Iterator[Occurrence]:
    for topic, name in node.ends:
        yield Occurrence(topic, name, start, tokens[at][2])
    if node.next and at + 1 < len(tokens):
        for form in _forms(tokens[at + 1][0]):
            if (following := node.next.get(form)) is not None:
                yield from _walk(following, tokens, at + 1, start)


def _apart(places: Iterable[Occurrence]) -> list[Occurrence]:
    """The longest places first, each only if it overlaps none already kept."""
    kept: list[Occurrence] = []
    for found in sorted(places, key=lambda found: (found.start - found.end, found.start, found.name)):
        at = bisect_right(kept, found.start, key=lambda other: other.end)  # the first that ends behind
        if at == len(kept) or found.end <= kept[at].start:
            kept.insert(at, found)
    return kept
