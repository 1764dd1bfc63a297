"""What a rule file may hold. The schema is closed: a key it does not name is an error."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from phiscan.rulebook.checksums import CHECKSUMS
from phiscan.taxonomy import CATEGORIES


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PatternSpec(_Closed):
    """One ``[[pattern]]`` of a rule file."""

    regex: str = Field(min_length=1)
    score: Literal["weak", "medium", "strong"]
    group: str = "v"
    """Named group to report; where the expression has no such group, the whole match."""
    flags: tuple[Literal["ignorecase", "multiline", "verbose"], ...] = ()


class Example(_Closed):
    """One invented text and what the rule must find in it, in order of appearance."""

    text: str
    spans: tuple[str, ...] = Field(min_length=1)


class NearMiss(_Closed):
    """One invented text in which the rule must find nothing."""

    text: str


class RuleSpec(_Closed):
    """A rule file, as written."""

    category: str
    description: str = Field(min_length=1)
    source: str = Field(min_length=1)
    pattern: tuple[PatternSpec, ...] = Field(min_length=1)
    context_before: tuple[str, ...] = ()
    context_after: tuple[str, ...] = ()
    context_required: bool = False
    context_window: int = Field(default=40, ge=1, le=500)
    """Characters looked at on either side, for context words and for excluded near misses."""
    not_words: tuple[str, ...] = ()
    """Lexicons (.txt) of words that no value holds: it ends before the first of them, and one that begins so
    is no find. Where an expression has a group ``own``, its words are looked at instead. Far cheaper, to
    compile and to run, than thousands of words in the expression."""
    checksum: str | None = None
    exclude: tuple[str, ...] = ()
    positive: tuple[Example, ...] = Field(min_length=1)
    negative: tuple[NearMiss, ...] = Field(min_length=1)

    @field_validator("category")
    @classmethod
    def _known_category(cls, value: str) -> str:
        if value not in CATEGORIES:
            raise ValueError("is not a category of the taxonomy")
        return value

    @field_validator("checksum")
    @classmethod
    def _known_checksum(cls, value: str | None) -> str | None:
        if value is not None and value not in CHECKSUMS:
            raise ValueError(f"is none of {', '.join(CHECKSUMS)}")
        return value
