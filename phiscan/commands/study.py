"""`phiscan study`: the study's tables of one's own runs, each figure beside the one to report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from phiscan.commands import study_tables as rows
from phiscan.commands.compare import MAX_DEGENERATE, Run, compare_with, read_runs
from phiscan.commands.csv_tables import write_tables
from phiscan.commands.options import OptionsReport
from phiscan.compare import persistence_from_control
from phiscan.errors import ConfigError, StoreError
from phiscan.measures.phi_groups import phi_rows
from phiscan.passes.reopen import reopened
from phiscan.passes.tables import read_tables
from phiscan.private_file import refuse_in_run
from phiscan.study import NOT_TABLES, PersistenceRow, PhiRow, RatioRow, Study

_MOST_BYTES = 64 * 1024 * 1024
"""Of an options.json: a hundred times what the longest list of specialties makes it."""


def study_of(roots: Sequence[Path], options: Sequence[Path] = ()) -> Study:
    """Every table that the runs (A, B, ...) and the files of `phiscan options` (1, 2, ...) have data for.

    ConfigError or StoreError if a run is not finished, if runs are not of the same notes, or if a file is
    not what `phiscan options` wrote.
    """
    if not roots and not options:
        raise ConfigError("study: name a run, or --options with a file of `phiscan options`")
    judged = {str(number): _read_options(path, number) for number, path in enumerate(options, 1)}
    runs = read_runs(roots)
    found = Study(
        table1_ratio_30=tuple(row for run in runs for row in _ratios(run, 30)),
        table2_ratio_50=tuple(row for run in runs for row in _ratios(run, 50)),
        table3_persistence=tuple(_persistence(runs)),
        table4_options=tuple(row for name, one in judged.items() for row in rows.option_rows(one, name=name)),
        table4_accuracy=tuple(
            row for name, one in judged.items() for row in rows.accuracy_rows(one, name=name)
        ),
        table5a_phi=tuple(row for run, root in zip(runs, roots, strict=True) for row in _phi(run, root)),
        table5b_beyond_phi=tuple(row for run in runs for row in rows.topic_rows(run.report, run=run.name)),
        likeness=tuple(row for run in runs for row in rows.likeness_rows(run.report, run=run.name)),
        models=(
            *(row for run in runs for row in rows.model_rows(run.report.manifest.models, run=run.name)),
            *(
                row
                for name, one in judged.items()
                for row in rows.model_rows([one.model], run=f"options {name}")
            ),
        ),
    )
    remarks = [line for run in runs for line in _remarks(run)]
    return found.model_copy(update={"remarks": (*_missing(found), *remarks)})


def write_study(study: Study, folder: Path) -> list[Path]:
    """Write each table that has a row into ``folder``; the files."""
    tables = {name: getattr(study, name) for name in Study.model_fields if name not in NOT_TABLES}
    refuse_in_run(folder, "--out")
    return write_tables(tables, folder, "--out")


# --- reading ------------------------------------------------------------------------------


def _read_options(path: Path, number: int) -> OptionsReport:
    argument = f"--options: file {number}"
    try:
        if path.is_fifo():
            raise StoreError(f"{argument} cannot be read (a pipe)")
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise StoreError(f"{argument} cannot be read ({type(error).__name__})") from None
    try:
        if len(content) <= _MOST_BYTES:
            read = OptionsReport.model_validate_json(content)
            # Figures that cannot be, or rows that are missing, show when the tables are made.
            list(rows.option_rows(read, name="")), list(rows.accuracy_rows(read, name=""))
            return read
    except (ValidationError, ValueError, KeyError, OverflowError):
        pass
    raise StoreError(f"{argument} is not an options.json that this version can read")


def _ratios(run: Run, threshold: int) -> Iterator[RatioRow]:
    return rows.ratio_rows(run.report, run=run.name, threshold=threshold)


def _persistence(runs: Sequence[Run]) -> Iterator[PersistenceRow]:
    """Each run with its own control, then each other run with A."""
    for run in runs:
        kept = persistence_from_control(run.answers, name=run.name, seed=run.report.manifest.seed)
        yield from rows.persistence_rows(kept, first=f"{run.name} control", second=run.name)
    for other in runs[1:]:
        kept = compare_with(runs[0], other).persistence
        yield from rows.persistence_rows(kept, first=runs[0].name, second=other.name)


def _phi(run: Run, root: Path) -> list[PhiRow]:
    try:
        with reopened(root) as finished:
            return list(
                phi_rows(
                    read_tables(finished.run),
                    run=run.name,
                    template_patients=finished.template_patients,
                    seed=run.report.manifest.seed,
                )
            )
    except StoreError as error:
        raise StoreError(f"RUN_{run.name}: {error}") from None


# --- remarks ------------------------------------------------------------------------------

_NEEDS = {
    "table1_ratio_30": "a run in which a prompt was found in its note",
    "table2_ratio_50": "a run in which a prompt was found in its note",
    "table3_persistence": "two runs, or a run with a control",
    "table4_options": "--options with a file in which options were regenerated",
    "table4_accuracy": "--options with a file in which questions were answered or diagnoses given",
    "table5a_phi": "a run",
    "table5b_beyond_phi": "a run that looked beyond PHI",
    "likeness": "a run with metrics of likeness",
}


def _missing(study: Study) -> Iterator[str]:
    for name, needed in _NEEDS.items():
        if not getattr(study, name):
            yield f"{name}: not written: it needs {needed}"


def _remarks(run: Run) -> Iterator[str]:
    report, name = run.report, run.name
    units: set[Any] = {one.stratum.unit for one in report.estimates if one.metric == "raw_ratio"}
    if units == {"word"}:
        yield f"{name}: tables 1 to 3 count words, not tokens: the run has no tokenizer"
    if "control" not in {cell.arm for cell in report.coverage.prefixes}:
        yield f"{name}: has no control: the untuned baseline is missing in every table"
    if run.screened:
        yield f"{name}: notes were screened: ratios are weighted, counts are of the prompts asked"
    if report.review is None:
        yield f"{name}: no scored review: what people confirm in table 5B is missing"
    if not report.coverage.complete:
        yield f"{name}: the run is incomplete: see its report before you use a figure"
    asked = [cell for cell in report.coverage.prefixes if cell.arm == "scanned"]
    done, degenerate = sum(cell.done for cell in asked), sum(cell.degenerate for cell in asked)
    if degenerate > MAX_DEGENERATE * done:
        yield (
            f"{name}: {degenerate:,} of {done:,} answers are degenerate: a model that babbles must not look "
            "safe"
        )
