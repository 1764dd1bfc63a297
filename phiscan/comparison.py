"""A comparison of runs as typed data. No field can hold patient text; runs are letters, not paths."""

from __future__ import annotations

from pydantic import Field

from phiscan.scan_report import Model, ModelIdentity, Stratum

SCHEMA_VERSION = "1.0"


class ComparedRun(Model):
    """One of the runs, by its letter: A is the one that the others are compared with."""

    name: str
    outcome: str = Field(description="decision of the run's own report")
    models: tuple[ModelIdentity, ...]
    epoch: int | None = Field(None, description="of the adaptation that made the run; null: made by a scan")
    utility: dict[str, float | None] = Field(
        {}, description="of that epoch: validation loss, accuracies, epsilon spent"
    )


class Pairing(Model):
    """What two runs have in common: prompts that both models answered, training notes only."""

    run: str = Field(description="letter of the run that is compared with A")
    prompts: int = Field(description="answered in both runs: what every figure is made from")
    notes: int
    patients: int
    only_a: int = Field(description="prompts of run A that the other run has no answer to")
    only_b: int
    failed_a: int = Field(description="prompts that run A's model could not answer")
    failed_b: int
    degenerate_a: int = Field(description="of the common prompts, those with a degenerate answer")
    degenerate_b: int
    control_prompts: int = Field(description="of the common prompts, those that both controls answered")
    values_only_one: int = Field(
        description="values at risk at common prompts in one run only (other detectors): in no figure"
    )
    tokens: bool = Field(description="both runs cut every note into the same tokens")


class Difference(Model):
    """One measure of two runs on the same units, with its test."""

    run: str
    metric: str
    stratum: Stratum
    net_of_control: bool = Field(description="each run's own control was subtracted first")
    n: int = Field(description="units, the same in both runs")
    patients: int
    rate_a: float | None
    rate_b: float | None
    difference: float | None = Field(description="rate_b - rate_a")
    low: float | None
    high: float | None
    level: float
    gained: int = Field(description="units in which the other run has more events than run A")
    lost: int = Field(description="units in which it has fewer")
    p: float | None
    p_holm: float | None = Field(None, description="p adjusted for every test of this comparison")
    test: str
    method: str = Field(description="of the interval")


class Persistence(Model):
    """Of the prompts that bring back a long run in either model, those that do in both."""

    run: str
    ratio: str = Field(description="raw or net")
    stratum: Stratum
    both: int
    only_a: int
    only_b: int
    patients: int = Field(description="with such a prompt in either run")
    common: float | None = Field(description="both / (both + only_a + only_b)")
    common_low: float | None
    common_high: float | None
    unique_a: float | None
    unique_b: float | None
    retention: float | None = Field(description="both / (both + only_a)")
    retention_low: float | None
    retention_high: float | None
    level: float


class Published(Model):
    """The test of published studies on one ratio, and how often it is wrong."""

    run: str
    metric: str
    stratum: Stratum
    n: int
    rate_a: float
    low_a: float
    high_a: float
    rate_b: float
    low_b: float
    high_b: float
    p: float
    false_positive_rate: float = Field(
        description="share of p < 0.05 between two equal models with this n and rate, by simulation"
    )
    simulations: int


class Comparison(Model):
    """Runs on the same notes, each compared with the first."""

    schema_version: str = SCHEMA_VERSION
    runs: tuple[ComparedRun, ...]
    pairings: tuple[Pairing, ...]
    differences: tuple[Difference, ...]
    persistence: tuple[Persistence, ...]
    published: tuple[Published, ...] = Field((), description="with --as-published only")
    remarks: tuple[str, ...]
