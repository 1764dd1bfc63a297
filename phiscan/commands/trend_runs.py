"""Finished runs, read one after another, as rows of a trend report."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from phiscan.adaptation.result import AdaptReport
from phiscan.commands.adapted_runs import adaptation_of, measurement_of, utility
from phiscan.commands.compare import Run, flat_settings, read_run
from phiscan.errors import ConfigError, StoreError
from phiscan.reporting.facts import affected
from phiscan.reporting.view import first, pick
from phiscan.scan_report import DESIGN, Estimate, ScanReport
from phiscan.trend import TrendRun

ARMS = ("scanned", "holdout")
MATTERING = ("regenerate.", "screen.", "match.", "detect.", "verify.", "expose.window")
"""Settings, by how their names begin, that change what a model is asked or what counts as a leak."""
SPEED = {"batch_size", "device", "threads", "cache_mb", "download"}
"""Names of settings of these sections that change no figure."""


class ReadRun(NamedTuple):
    """A run as the compare code reads it, and how it was asked."""

    run: Run
    asked: dict[str, Any]
    mitigations: tuple[str, ...] | None


def resolved(roots: Sequence[Path]) -> list[Path]:
    """The run directories that ``roots`` stand for; ConfigError if one is named twice."""
    found: dict[str, int] = {}
    runs = []
    for number, root in enumerate(roots, 1):
        try:
            place = measurement_of(root)[0]
        except StoreError as error:
            raise StoreError(f"RUN_{number}: {error}") from None
        earlier = found.setdefault(os.path.realpath(place), number)
        if earlier != number:
            raise ConfigError(f"RUN_{number}: is RUN_{earlier} once more; name each run once")
        runs.append(place)
    return runs


def read(root: Path, number: int) -> ReadRun:
    """One run; StoreError names it by its number."""
    run = read_run(root, str(number))
    try:
        adaptation = adaptation_of(root)
    except StoreError as error:
        raise StoreError(f"RUN_{number}: {error}") from None
    return ReadRun(run, asked_of(run.report), None if adaptation is None else mitigations_of(adaptation))


def default_label(number: int, one: ReadRun, *, epochs: bool) -> str:
    """The epoch in an adaptation; else the number, with what the model's weights are known by."""
    epoch = None if one.run.epoch is None else f"epoch {one.run.epoch.epoch}"
    if epochs and epoch is not None:
        return epoch
    model = next((m for m in one.run.report.manifest.models if m.role == "scanned"), None)
    digest = (model.adapter_sha256 or model.weights_sha256) if model else None
    return ", ".join(part for part in (f"run {number}", epoch, digest and digest[:8]) if part)


def row_of(one: ReadRun, *, number: int, label: str, notes_group: int, settings_group: int) -> TrendRun:
    """The row of a run: figures of its own report, none made anew."""
    report, epoch = one.run.report, one.run.epoch
    asked = [cell for cell in report.coverage.prefixes if cell.arm == "scanned"]
    return TrendRun(
        number=number,
        label=label,
        outcome=report.decision.outcome,
        complete=report.coverage.complete,
        model=next((model for model in report.manifest.models if model.role == "scanned"), None),
        epoch=None if epoch is None else epoch.epoch,
        notes_group=notes_group,
        settings_group=settings_group,
        screened=one.run.screened,
        answers=sum(cell.done for cell in asked),
        degenerate=sum(cell.degenerate for cell in asked),
        estimates=tuple(_estimates(report)),
        other_patient=next(
            (line for line in report.leaks if (line.line, line.arm) == ("other_patient", "scanned")), None
        ),
        utility={} if epoch is None else utility(epoch),
        mitigations=one.mitigations,
    )


# --- figures ------------------------------------------------------------------------------


def design_of(report: ScanReport) -> dict[str, str]:
    """The first way in which was asked: scheme, tier and decoding; empty if nothing was."""
    cell = next((cell for cell in report.coverage.prefixes if cell.arm == "scanned"), None)
    return {} if cell is None else {name: getattr(cell, name) for name in DESIGN}


def _estimates(report: ScanReport) -> Iterator[Estimate]:
    design = design_of(report)
    for arm in ARMS:
        of = {"arm": arm, "category": None, "copies": None}
        recovery = {**of, **design, "scope": "hipaa", "prefix_length": None}
        exposed = pick(report.exposure.estimates, "greedy_identifier_rate", **of) if report.exposure else []
        for found in (
            affected(report, arm),
            first(pick(report.estimates, "phi_recovery_rate", **recovery)),
            first(exposed),
        ):
            if found is not None:
                yield found
        yield from _net_ratios(pick(report.estimates, "net_ratio", **of, **design))
    for row in report.plants.rows if report.plants else ():
        if row.repetitions is None and all(getattr(row, name) == value for name, value in design.items()):
            yield from (row.patients_with_headline_leak, row.phi_recovery_rate)


def _net_ratios(ratios: Sequence[Estimate]) -> Iterator[Estimate]:
    """Of all notes long enough for each length; in tokens if the run has any."""
    wanted = [found for found in ratios if found.stratum.support != "common"]
    units = {found.stratum.unit for found in wanted}
    unit = "token" if "token" in units else "word"
    yield from (found for found in wanted if found.stratum.unit == unit)


# --- how was asked ------------------------------------------------------------------------


def asked_of(report: ScanReport) -> dict[str, Any]:
    """What two runs must have in common for a line to join their figures, by name; not the model."""
    manifest = report.manifest
    models = {model.role: model for model in manifest.models}
    scanned, control = models.get("scanned"), models.get("control")
    return {
        **{
            name: value
            for name, value in flat_settings(manifest.settings)
            if name.startswith(MATTERING) and name.partition(".")[2] not in SPEED
        },
        **{f"detector {name}": what for name, what in manifest.detectors.items()},
        "tokenizer": scanned.tokenizer_sha256 if scanned else None,
        "control model": (control.weights_sha256, control.adapter_sha256) if control else None,
        "control asked": "control" in {cell.arm for cell in report.coverage.prefixes},
        "version of phiscan": manifest.phiscan_version,
    }


def mitigations_of(adaptation: AdaptReport) -> tuple[str, ...]:
    """What was done so that less comes out again, in words; empty if nothing was."""
    used = adaptation.settings.get("adapt", {})
    left_out = {
        "exact": "exact copies left out",
        "near": "near-duplicates left out",
        "passages": f"passages of {used.get('passage_words')} words cut that an earlier note holds",
    }
    values = {"remove": "health information removed", "surrogate": "invented values put in"}
    said = [
        left_out.get(str(used.get("deduplicate"))),
        values.get(str(used.get("phi"))),
        f"goldfish loss, k = {used['goldfish']}" if used.get("goldfish") else None,
        f"differential privacy for each {used.get('dp_unit')}, epsilon at most {used['dp_epsilon']}"
        if used.get("dp_epsilon")
        else None,
        "stops at a bound of leaks"
        if any(used.get(name) is not None for name in ("stop_net_ratio", "stop_patients"))
        else None,
    ]
    return tuple(words for words in said if words)
