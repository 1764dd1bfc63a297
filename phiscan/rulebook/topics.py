"""Lexicons of content beyond PHI: ``rules/beyond_phi/<topic>.toml``, each entry with its own example.

A topic's id is its file's stem. An entry is a term (whole words, any case, any white space or
hyphen between its words, plural or not) or a regular expression. What an entry finds is for people
to look at: that it was found says nothing yet.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import regex
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from phiscan.errors import RuleError
from phiscan.resources import resource_dir
from phiscan.rulebook.sentences import sentence_spans
from phiscan.rulebook.term_index import TermIndex
from phiscan.toml_file import read_toml

FOLDER = "beyond_phi"
"""Folder of the lexicons inside ``rules/``."""

Group = Literal["table_5b", "specially_protected"]
"""Sensitive by the study's Table 5B, or protected by a law of its own."""


class Entry(BaseModel):
    """One ``[[entry]]``: a term or a pattern, and what shows that it works."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    term: str | None = Field(None, min_length=1)
    pattern: str | None = Field(None, min_length=1)
    example: str = Field(min_length=1)
    """An invented text in which the entry must be found."""
    near_miss: str | None = None
    """An invented text in which it must not be found."""
    source: str | None = None
    only_with: str | None = Field(None, min_length=1)
    """A regular expression: affirmed only in a sentence that holds it. The name of a test is no finding."""

    @model_validator(mode="after")
    def _one_of_two(self) -> Entry:
        if (self.term is None) == (self.pattern is None):
            raise ValueError("needs a term or a pattern, and not both")
        return self

    @property
    def name(self) -> str:
        """The term, or the pattern, as the file has it: what stands for the entry in a record."""
        return self.term or self.pattern or ""


class TopicSpec(BaseModel):
    """A lexicon file, as written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(min_length=1)
    group: Group
    description: str = Field(min_length=1)
    source: tuple[str, ...] = Field(min_length=1)
    family_history: Literal["skip", "keep"]
    """Whether what is said of a relative counts."""
    entry: tuple[Entry, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _once_each(self) -> TopicSpec:
        names = [entry.name for entry in self.entry]
        twice = next((n for n, name in enumerate(names) if name in names[:n]), None)
        if twice is not None:
            raise ValueError(f"entry {twice} stands twice")
        return self


@dataclass(frozen=True, slots=True)
class Topic:
    """A lexicon with its patterns compiled (None where the entry is a term)."""

    id: str
    spec: TopicSpec
    patterns: tuple[regex.Pattern[str] | None, ...]
    only_with: dict[str, regex.Pattern[str]]
    """By the entry's name, what its sentence must hold for it to be affirmed; few entries have one."""

    @property
    def keeps_family(self) -> bool:
        """True if a relative's condition counts."""
        return self.spec.family_history == "keep"


@dataclass(frozen=True, slots=True)
class TopicCheck:
    """How one lexicon did on its own examples."""

    topic: str
    n_examples: int
    failures: tuple[str, ...]
    """One line each: topic, entry, what went wrong (examples are invented)."""


def load_topics(directory: Path | None = None) -> tuple[Topic, ...]:
    """Every lexicon of ``directory`` (default: those shipped), Table 5B first, then by id.

    Raises RuleError, naming the topic and the key, for a file that is no valid lexicon.
    """
    return _load(directory or resource_dir("rules") / FOLDER)


@lru_cache(maxsize=4)
def load_terms(directory: Path | None = None) -> TermIndex:
    """The entries of every lexicon, ready to be searched for."""
    return index_of(load_topics(directory))


def index_of(topics: tuple[Topic, ...]) -> TermIndex:
    """The entries of ``topics`` as one index."""
    index = TermIndex()
    for topic in topics:
        for entry, pattern in zip(topic.spec.entry, topic.patterns, strict=True):
            index.add(topic.id, entry.name, pattern)
    return index


def lexicon_digest(directory: Path | None = None) -> str:
    """SHA-256 of every lexicon: two runs with the same one looked for the same."""
    digest = hashlib.sha256()
    for topic in load_topics(directory):
        digest.update(f"{topic.id} {topic.spec.model_dump_json()}\n".encode())
    return digest.hexdigest()


def check_topics(directory: Path | None = None) -> list[TopicCheck]:
    """Look for every entry of ``directory`` in its own example and near miss."""
    return [_check(topic) for topic in load_topics(directory)]


@lru_cache(maxsize=4)
def _load(directory: Path) -> tuple[Topic, ...]:
    topics = [_read(path) for path in sorted(directory.glob("*.toml"))]
    if not topics:
        raise RuleError("the folder of lexicons beyond PHI holds no file (.toml)")
    return tuple(sorted(topics, key=lambda topic: (topic.spec.group != "table_5b", topic.id)))


def _read(path: Path) -> Topic:
    try:
        spec = TopicSpec.model_validate(read_toml(path, f"topic {path.stem}", RuleError))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "entry"
        raise RuleError(f"topic {path.stem}: {key}: {first['msg']}") from None
    patterns = tuple(
        None if entry.pattern is None else _compile(f"topic {path.stem}: entry.{n}.pattern", entry.pattern)
        for n, entry in enumerate(spec.entry)
    )
    only_with = {
        entry.name: _compile(f"topic {path.stem}: entry.{n}.only_with", entry.only_with)
        for n, entry in enumerate(spec.entry)
        if entry.only_with is not None
    }
    return Topic(path.stem, spec, patterns, only_with)


def _compile(where: str, pattern: str) -> regex.Pattern[str]:
    try:
        return regex.compile(pattern, regex.VERSION0)
    except regex.error as error:
        raise RuleError(f"{where}: {error.msg} at {error.pos}") from None


def _check(topic: Topic) -> TopicCheck:
    index = index_of((topic,))
    failures = []
    wanted = [
        (n, entry, kind, text)
        for n, entry in enumerate(topic.spec.entry)
        for kind, text in (("example", entry.example), ("near_miss", entry.near_miss))
        if text is not None
    ]
    for n, entry, kind, text in wanted:
        found = any(name == entry.name for _, name, _, _ in index.occurrences(text, sentence_spans(text)))
        if found != (kind == "example"):
            said = "found in its near miss" if found else "not found in its example"
            failures.append(f"topic {topic.id}: entry.{n} ({entry.name}): {said}")
    return TopicCheck(topic.id, len(wanted), tuple(failures))
