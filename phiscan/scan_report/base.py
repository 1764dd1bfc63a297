"""What every figure of a report is: a number with its part of the data, interval, denominator and method."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Model(BaseModel):
    """Base: frozen, closed, and silent about its input when validation fails."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Stratum(Model):
    """The part of the data one estimate speaks of; null means "all"."""

    arm: Literal["scanned", "holdout", "control", "plant", "twin"] = "scanned"
    scheme: str | None = Field(
        None, description="how prompts were put: bare, instruct, chat, or given (replay)"
    )
    tier: str | None = Field(
        None, description="what the attacker is taken to have: prefix, window, fragment or metadata"
    )
    decoding: str | None = Field(
        None,
        description="how tokens were chosen: greedy, t0.7 (drawn at temperature 0.7), k10 (drawn from the "
        "ten most probable), t0.7k50 (both), or given (replay)",
    )
    unit: Literal["token", "word"] | None = None
    threshold: int | None = Field(None, description="tau: shortest run counted, in units")
    prefix_length: int | None = Field(None, description="l in tokens; null: all, or as given")
    support: Literal["common", "all"] | None = Field(
        None, description="common: notes long enough for every l; all: long enough for this l"
    )
    scope: Literal["hipaa", "i2b2"] | None = None
    category: str | None = None
    copies: str | None = Field(None, description="band of exact copies, such as '1' or '6-10'")
    repetitions: str | None = Field(
        None, description="band of training notes nearly equal to the note, itself counted"
    )
    copied: Literal["no", "yes"] | None = Field(
        None, description="yes: much of the note stands in another note of the patient too"
    )
    draws: int | None = Field(None, description="n of (n, p)-discoverable: answers drawn at random")


DRAWS = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
"""n of (n, p)-discoverable extraction."""
SHARES = (0.1, 0.5, 0.9)
"""p of it: the text is discoverable if n draws give it at least so probably."""
SHARE = 0.5
"""p of the rates that bear an interval."""
PLAIN = "t1"
"""The way of decoding that the pass itself reads: temperature 1, nothing cut off."""
DESIGN = ("scheme", "tier", "decoding")
"""Fields of a stratum that say in which way was asked: together a design."""


class Estimate(Model):
    """A number with its interval, denominator and method."""

    metric: str
    stratum: Stratum
    value: float | None = Field(description="null when not assessable")
    low: float | None
    high: float | None
    level: float
    count: int = Field(description="numerator")
    n: int = Field(description="denominator, in the unit the metric names")
    patients: int = Field(description="independent units behind n")
    n_undecided: int = 0
    method: str
