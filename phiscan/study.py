"""The study's tables as typed rows: its own figure, and beside it the one to report.

A row is one cell of a table of the study (model, length, threshold), because a figure needs columns for
its interval and denominators. No field can hold patient text; runs are letters, not paths.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from phiscan.scan_report import Model, ModelIdentity

SCHEMA_VERSION = "1.0"
NOT_TABLES = frozenset({"remarks", "schema_version"})
"""Fields of :class:`Study` that are no file."""


class OfRun(Model):
    """The first column of a row about a run."""

    run: str = Field(description="letter of the run, in the order of the command line")


class Asked(OfRun):
    """Who was asked what: the first columns of most rows."""

    arm: Literal["scanned", "holdout", "control"] = Field(
        description="the model on its training notes; on held-out notes; the untuned baseline on the former"
    )
    scheme: str | None = Field(description="how prompts were put: bare, instruct (the study's), chat, given")
    tier: str | None = Field(description="what the attacker is taken to have: prefix (the study's) or other")
    decoding: str | None = Field(description="how tokens were chosen: greedy (the study's), drawn, given")
    prefix_length: int | None = Field(description="l in tokens; empty: as given, or no prefix")


class RatioRow(Asked):
    """Tables 1 and 2: prompts that bring back a run of `threshold` or more, of all prompts."""

    unit: Literal["token", "word"]
    threshold: int = Field(description="shortest run counted: 30 in Table 1, 50 in Table 2")
    published_ratio: float | None = Field(description="the study's: raw, all notes long enough for this l")
    published_low: float | None = Field(description="its interval: 100 means of 100 prompts, percentiles")
    published_high: float | None
    published_count: int = Field(description="prompts with such a run")
    published_n: int = Field(description="prompts asked; where notes were screened, ratios are weighted")
    net_ratio: float | None = Field(description="to report for one l: prompt and template text taken out")
    net_low: float | None = Field(description="95%, patients as the independent units")
    net_high: float | None
    net_count: int
    net_n: int
    net_patients: int
    net_method: str = Field(description="of the interval")
    common_net_ratio: float | None = Field(
        description="to report across l: the same, of notes long enough for every l"
    )
    common_net_low: float | None
    common_net_high: float | None
    common_net_count: int | None
    common_net_n: int | None
    common_net_patients: int | None
    common_net_method: str | None


class PersistenceRow(Model):
    """Table 3: of the prompts that bring back a run in either of two models, those that do in both."""

    first: str = Field(description="A, or `A control`: its untuned baseline")
    second: str
    scheme: str | None
    tier: str | None
    decoding: str | None
    prefix_length: int | None
    unit: Literal["token", "word"]
    threshold: int
    published_both: int = Field(description="prompts with a raw run in both models")
    published_only_first: int
    published_only_second: int
    published_common: float | None = Field(description="the study's: both / (both + either alone)")
    published_unique_first: float | None
    published_unique_second: float | None
    retention: float | None = Field(description="both / (both + only first), raw runs")
    retention_low: float | None = Field(description="95%, patients as the independent units")
    retention_high: float | None
    net_both: int = Field(description="the same of net runs: prompt and template text taken out")
    net_only_first: int
    net_only_second: int
    net_patients: int = Field(description="with such a prompt in either model")
    net_common: float | None
    net_common_low: float | None
    net_common_high: float | None
    net_retention: float | None = Field(description="to report: what the second kept of the first's")
    net_retention_low: float | None
    net_retention_high: float | None


class OptionRow(Model):
    """Table 4: answers that give back the option that was taken away."""

    options: str = Field(description="number of the options.json, in the order of the command line")
    removed: Literal["any", "right", "distractor"]
    match: Literal["exact", "relaxed"]
    published_test: Literal["exact", "substring"]
    published_rate: float | None = Field(description="the study's; relaxed: the option anywhere as letters")
    published_low: float | None = Field(description="its interval: 100 means of 100 answers, percentiles")
    published_high: float | None
    published_count: int
    n: int = Field(description="answers")
    questions: int = Field(description="distinct questions: the independent units")
    test: Literal["exact", "whole_words"]
    rate: float | None = Field(description="the same with relaxed matches in whole words")
    low: float | None
    high: float | None
    count: int
    chance: float | None = Field(description="rate of the same test against options of other questions")
    chance_low: float | None
    chance_high: float | None
    excess: float | None = Field(description="to report: rate less chance")
    excess_low: float | None
    excess_high: float | None
    method: str = Field(description="of the interval of the excess")


class AccuracyRow(Model):
    """Beside Table 4: right answers, and diagnoses within the first 1, 2, 3."""

    options: str
    task: Literal["answer", "diagnose"]
    top: int
    specialty: str | None = Field(description="empty: all")
    published_accuracy: float | None
    published_low: float | None = Field(description="100 means of 100 answers, percentiles")
    published_high: float | None
    low: float | None = Field(description="to report: 95%, questions as the independent units")
    high: float | None
    count: int
    n: int
    questions: int
    unclear: int = Field(description="answers that name nothing clear: counted as wrong")
    method: str


class PhiRow(Asked):
    """Table 5A: PHI in the answers, by the study's groups."""

    group: Literal["dates_ages", "names", "locations", "other", "all"]
    outputs: int = Field(description="prompts asked, failed ones included")
    published_hits: int = Field(
        description="the study's: every hit that stands in its own record, copies of the prompt included"
    )
    published_values: int = Field(description="distinct values among them")
    in_prompt: int = Field(description="of the published hits, those that the prompt had shown")
    leaks: int = Field(description="to report: headline leaks of the patient's own record")
    leak_values: int
    leak_patients: int
    other_patient: int = Field(description="hits that disclose another patient")
    clinicians_institutions: int = Field(description="such leaks of clinicians and institutions: apart")
    at_risk: int = Field(description="distinct values after the prompts that these do not show")
    recovered: int = Field(description="of these, values that came out as a leak; clinicians' included")
    rate: float | None = Field(description="to report: recovered / at risk")
    low: float | None = Field(description="95%, patients as the independent units")
    high: float | None
    patients: int
    method: str


class TopicRow(OfRun):
    """Table 5B: what lies beyond the detected PHI, one row a topic or a category of missed PHI."""

    arm: Literal["scanned", "holdout", "control"]
    kind: Literal["beyond_phi", "missed_phi"]
    topic: str
    table_5b: bool = Field(description="a topic of the study's table; false: a specially protected one")
    flagged: int | None = Field(
        description="passages the rules flagged in all outputs; empty: people's alone"
    )
    outputs: int | None = Field(description="outputs with one")
    patients: int | None
    in_record: int | None = Field(description="of the flagged, those that the patient's own notes affirm")
    linked: int | None = Field(description="of these, beside a headline leak in one output")
    reviewed: int | None = Field(description="outputs that people read; empty: no scored review")
    confirmed: int | None = Field(description="the study's: instances people confirmed in what they read")
    confirmed_outputs: int | None
    total: float | None = Field(description="to report: instances in all outputs, from the sample's design")
    total_low: float | None
    total_high: float | None


class LikenessRow(Asked):
    """Approximate and semantic likeness of answers and notes, in their first 100 units."""

    metric: str
    outputs: int = Field(description="answers with a value")
    missing: int = Field(description="answers without one: not counted as 0")
    patients: int
    published_mean: float | None = Field(
        description="the study's: mean over all notes long enough for this l"
    )
    mean_low: float | None = Field(description="to report with it: 95%, patients as the independent units")
    mean_high: float | None
    common_outputs: int | None
    common_mean: float | None = Field(description="to report across l: of notes long enough for every l")
    common_low: float | None
    common_high: float | None
    similar: int | None = Field(description="ROUGE-L: answers above 0.2, from which the study drew Table 5B")


class ModelRow(ModelIdentity, OfRun):
    """Who was asked in a run; `options 1` is the model of the first options.json."""


class Study(Model):
    """Every table; each field but the last two is a file of its name."""

    table1_ratio_30: tuple[RatioRow, ...] = ()
    table2_ratio_50: tuple[RatioRow, ...] = ()
    table3_persistence: tuple[PersistenceRow, ...] = ()
    table4_options: tuple[OptionRow, ...] = ()
    table4_accuracy: tuple[AccuracyRow, ...] = ()
    table5a_phi: tuple[PhiRow, ...] = ()
    table5b_beyond_phi: tuple[TopicRow, ...] = ()
    likeness: tuple[LikenessRow, ...] = ()
    models: tuple[ModelRow, ...] = ()
    remarks: tuple[str, ...] = ()
    schema_version: str = SCHEMA_VERSION
