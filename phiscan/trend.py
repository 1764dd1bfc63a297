"""Several runs in the order given, as typed data: what each found, and what changed from one to the next.

No field can hold patient text; runs are numbers and the labels that the user gave them, not paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from phiscan.comparison import Difference, Pairing
from phiscan.printable import PrintableName
from phiscan.scan_report import Estimate, LeakLine, Model, ModelIdentity

SCHEMA_VERSION = "1.0"


class TrendRun(Model):
    """One run: its own report's figures, how well its model had learnt, and which runs are like it."""

    number: int = Field(description="from 1, in the order given")
    label: PrintableName
    outcome: Literal["leak_found", "inconclusive", "none_found_within_bound"] = Field(
        description="decision of the run's own report"
    )
    complete: bool = Field(description="all that was loaded was asked and read")
    model: ModelIdentity | None = Field(description="null: outputs made elsewhere")
    epoch: int | None = Field(description="of the adaptation that made the run; null: made by a scan")
    notes_group: int = Field(description="equal numbers: the same notes (ids, patients, splits, texts)")
    settings_group: int = Field(
        description="equal numbers: asked and judged alike (settings, detectors, tokenizer, control, version)"
    )
    screened: bool = Field(description="only notes that the pass did not clear, and a sample, were asked for")
    answers: int = Field(description="answers to prompts of training notes")
    degenerate: int = Field(description="of these, empty, looping or off-language")
    estimates: tuple[Estimate, ...] = Field(
        description="from the run's own report, first design: patients_with_headline_leak, phi_recovery_rate "
        "(hipaa), net_ratio by prompt length, greedy_identifier_rate; arms scanned, holdout, plant, twin"
    )
    other_patient: LeakLine | None = Field(description="values of patients other than the one asked about")
    utility: dict[str, float | None] = Field(
        description="of the epoch: validation loss, accuracies, epsilon spent; empty where nobody knows"
    )
    mitigations: tuple[str, ...] | None = Field(description="used in the adaptation; null: not known")

    def estimate(
        self, metric: str, *, arm: str = "scanned", threshold: int | None = None, length: int | None = None
    ) -> Estimate | None:
        """The figure of that name; None where the run has none."""
        wanted = (metric, arm, threshold, length)
        for found in self.estimates:
            stratum = found.stratum
            if (found.metric, stratum.arm, stratum.threshold, stratum.prefix_length) == wanted:
                return found
        return None


class TrendStep(Model):
    """Two runs: whether they can be held against one another, and their paired differences."""

    first: int = Field(description="number of the run that is A in the differences")
    second: int
    differ: tuple[str, ...] = Field(
        description="what the two runs have not in common, beside the model; empty: a line may join them"
    )
    not_compared: str | None = Field(description="why there is no paired difference; null: there are")
    pairing: Pairing | None
    differences: tuple[Difference, ...] = Field(
        description="first design; p_holm is adjusted for every test of this report"
    )

    def difference(
        self, metric: str, *, threshold: int | None = None, length: int | None = None
    ) -> Difference | None:
        """The paired difference of that name; None where there is none."""
        wanted = (metric, threshold, length)
        for found in self.differences:
            if (found.metric, found.stratum.threshold, found.stratum.prefix_length) == wanted:
                return found
        return None


class TrendReport(Model):
    """Runs over epochs, models or mitigations."""

    kind: Literal["trend"] = "trend"
    schema_version: str = SCHEMA_VERSION
    phiscan_version: str
    epochs: bool = Field(description="the runs are the measurements of one adaptation")
    not_measured: int = Field(description="epochs of the adaptation that were not measured: no row")
    runs: tuple[TrendRun, ...]
    steps: tuple[TrendStep, ...] = Field(description="each run and the next")
    overall: TrendStep = Field(description="the first run and the last; of two runs the one step again")
    tests: int = Field(description="tests that p_holm is adjusted for")

    def lengths(self) -> list[int | None]:
        """Prompt lengths at which any run has a net ratio, the shortest first; None: as given."""
        ratios = {
            found.stratum.prefix_length
            for run in self.runs
            for found in run.estimates
            if found.metric == "net_ratio" and found.stratum.arm == "scanned"
        }
        return sorted(ratios, key=lambda length: (length is None, length or 0))

    def alike(self) -> Iterator[list[TrendRun]]:
        """Two runs or more that asked the same notes in the same way, group by group."""
        groups: dict[tuple[int, int], list[TrendRun]] = {}
        for run in self.runs:
            groups.setdefault((run.notes_group, run.settings_group), []).append(run)
        yield from (group for group in groups.values() if len(group) > 1)
