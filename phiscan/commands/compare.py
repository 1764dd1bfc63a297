"""`phiscan compare`: two or more finished runs on the same notes, each against the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, NamedTuple

from phiscan.adaptation.result import EpochRow
from phiscan.commands.adapted_runs import measurement_of, utility
from phiscan.commands.csv_tables import write_tables
from phiscan.commands.report import read_report
from phiscan.compare import Compared, adjusted, compare
from phiscan.comparison import ComparedRun, Comparison, Pairing
from phiscan.errors import ConfigError, StoreError
from phiscan.passes.tables import read_tables
from phiscan.printable import shown_name
from phiscan.private_file import refuse_in_run
from phiscan.run_answers import Answers, answers_of, note_digests
from phiscan.scan_report import Model, ScanReport
from phiscan.store import RunDirectory, codes_of

if TYPE_CHECKING:
    import pandas as pd

MAX_DEGENERATE = 0.05
"""Share of degenerate answers above which a remark says so."""


class Run(NamedTuple):
    """A finished run, ready to be compared."""

    name: str
    report: ScanReport
    notes: frozenset[str]
    answers: Answers
    screened: bool
    epoch: EpochRow | None
    """How well the model had learnt, where `phiscan adapt` made the run."""


def compare_runs(roots: Sequence[Path], *, as_published: bool = False) -> Comparison:
    """Compare each of the other runs with the first, A; Holm over every test.

    ConfigError if the runs are not of the same notes, or have no prompt in common.
    """
    if len(roots) < 2:
        raise ConfigError("compare: name two runs or more")
    first, *others = read_runs(roots)
    found = [compare_with(first, other, as_published=as_published) for other in others]
    return Comparison(
        runs=tuple(_identity(run) for run in (first, *others)),
        pairings=tuple(one.pairing for one in found),
        differences=tuple(adjusted([row for one in found for row in one.differences])),
        persistence=tuple(row for one in found for row in one.persistence),
        published=tuple(row for one in found for row in one.published),
        remarks=tuple(
            line
            for other, one in zip(others, found, strict=True)
            for line in [*_run_remarks(first, other), *_pairing_remarks(one.pairing)]
        ),
    )


def write_csv(comparison: Comparison, folder: Path) -> list[Path]:
    """Write each list of the comparison as a tidy table ``<name>.csv``, its stratum spread over columns."""
    refuse_in_run(folder, "--csv")
    tables: dict[str, Iterable[Model]] = {
        "pairings": comparison.pairings,
        "differences": comparison.differences,
        "persistence": comparison.persistence,
        "published": comparison.published,
    }
    return write_tables(tables, folder, "--csv")


# --- reading ------------------------------------------------------------------------------


def read_runs(roots: Sequence[Path]) -> list[Run]:
    """The runs, lettered in their order; ConfigError if they are not of the same notes."""
    if len(roots) > len(ascii_uppercase):
        raise ConfigError(f"RUN: name at most {len(ascii_uppercase)} runs")
    runs = [read_run(root, name) for root, name in zip(roots, ascii_uppercase, strict=False)]
    for other in runs[1:]:
        _refuse_other_notes(runs[0], other)
    return runs


def compare_with(first: Run, other: Run, *, as_published: bool = False) -> Compared:
    """One comparison with run A; ConfigError if the runs have no prompt in common."""
    seed = first.report.manifest.seed
    found = compare(first.answers, other.answers, run=other.name, seed=seed, as_published=as_published)
    if not found.pairing.prompts:
        raise ConfigError(f"RUN_{other.name}: answered none of the prompts that RUN_A answered")
    return found


def read_run(root: Path, name: str) -> Run:
    """One run; StoreError names it ``RUN_<name>``."""
    try:
        root, epoch = measurement_of(root)
        run = RunDirectory(root)
        report = read_report(root)
        digests = note_digests(run.read_table("notes"))
        tables = read_tables(run)
        coded = dict(zip(codes_of(digests).tolist(), digests.values(), strict=True))
        answers = answers_of(tables, _prompts(run), coded)
    except StoreError as error:
        raise StoreError(f"RUN_{name}: {error}") from None
    screened = tables.screened is not None and bool(len(tables.screened))
    return Run(name, report, frozenset(digests.values()), answers, screened, epoch)


def _prompts(run: RunDirectory) -> pd.DataFrame:
    """Where each prompt begins; the text of those made elsewhere, which no length names."""
    prompts = run.read_frame("prompts", ["prompt_id", "scheme", "prefix_start", "text"], coded=True)
    prompts["text"] = prompts["text"].where(prompts["scheme"] == "given")
    return prompts.drop(columns="scheme")


def _refuse_other_notes(first: Run, other: Run) -> None:
    missing, added = len(first.notes - other.notes), len(other.notes - first.notes)
    if missing or added:
        raise ConfigError(
            f"RUN_{other.name}: its notes are not those of RUN_A (ids, patients, splits and texts): "
            f"{missing:,} are missing, {added:,} are others; compare runs on the same notes"
        )


def _identity(run: Run) -> ComparedRun:
    return ComparedRun(
        name=run.name,
        outcome=run.report.decision.outcome,
        models=run.report.manifest.models,
        epoch=None if run.epoch is None else run.epoch.epoch,
        utility={} if run.epoch is None else utility(run.epoch),
    )


# --- remarks ------------------------------------------------------------------------------


def _run_remarks(first: Run, other: Run) -> Iterator[str]:
    sides = [dict(flat_settings(run.report.manifest.settings)) for run in (first, other)]
    differing = sorted(
        key for key in sides[0].keys() | sides[1].keys() if sides[0].get(key) != sides[1].get(key)
    )
    screened = [run.name for run in (first, other) if run.screened]
    if screened:
        yield (
            f"{other.name}: prompts of {' and '.join(screened)} were screened: figures are of the prompts "
            "that both runs asked, not of all notes"
        )
    if differing:
        yield f"{other.name}: settings other than A's: {', '.join(map(shown_name, differing))}"


def flat_settings(settings: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Every setting as ``section.name``, with its value."""
    for section, values in settings.items():
        for name, value in values.items():
            yield f"{section}.{name}", value


def _pairing_remarks(pairing: Pairing) -> Iterator[str]:
    name = pairing.run
    if pairing.only_a or pairing.only_b:
        yield (
            f"{name}: {pairing.only_a:,} prompts that only A answered and {pairing.only_b:,} that only "
            f"{name} did are in no figure"
        )
    if pairing.values_only_one:
        yield f"{name}: {pairing.values_only_one:,} values at risk in one run only are in no figure"
    if not pairing.tokens:
        yield f"{name}: the runs do not share their tokens (or have none): runs of text are counted in words"
    if not pairing.control_prompts:
        yield f"{name}: not both runs have a control: no figure net of it"
    for run, count in (("A", pairing.degenerate_a), (name, pairing.degenerate_b)):
        if count > MAX_DEGENERATE * pairing.prompts:
            yield (
                f"{name}: {count:,} of {pairing.prompts:,} answers of {run} are degenerate: a model that "
                "babbles must not look safe"
            )
