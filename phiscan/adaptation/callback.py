"""Leakage measured while a model learns: after every epoch it is scanned as it stands.

    from phiscan.adaptation.callback import PhiLeakCallback

    trainer.add_callback(PhiLeakCallback("notes.jsonl", "leaks", stop={"net_ratio_30": 0.01}))
    trainer.train()

A measurement is a scan with screening: the pass reads every note, and asked for are the notes in which it
shows a run, and all notes of a random share of patients (of everybody, where there are 50 or fewer). Each
stands in a run directory of its own, which `phiscan report` and `phiscan compare` read.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from phiscan.adaptation.live import LiveModel, as_deployed
from phiscan.adaptation.result import FIGURES, LeakRow, leak_row
from phiscan.config import ScanConfig
from phiscan.decodings import GREEDY
from phiscan.errors import ConfigError, StoreError
from phiscan.input_rows import Tally
from phiscan.load import stream_notes
from phiscan.passes.plan import Progress, ScanInputs, silent
from phiscan.pipeline import load_inputs, scan
from phiscan.scan_report import Estimate
from phiscan.store import RunDirectory

ASKED_WHOLE = 50
"""Patients whose notes are asked for whatever the pass says: with fewer, everybody's are."""
_ROW = "leaks.json"
"""Where a measurement's own figures stand in its run directory."""


class PhiLeakCallback(TrainerCallback):  # type: ignore[misc]
    """Scans the model before training and after every epoch, and stops training at a bound.

    One process only: weights that are spread over several cannot be asked here. While a measurement runs the
    model is in evaluation mode; afterwards it and torch's random numbers are as before, so that
    the weights become what they would have become without it.

    Attributes:
        rows: One :class:`LeakRow` a measurement.
        stopped: The figure that was above its bound; None if none was.

    """

    def __init__(
        self,
        notes: Path | str,
        out: Path | str,
        *,
        stop: Mapping[str, float] | None = None,
        known: Path | str | None = None,
        holdout: Path | str | None = None,
        tokenizer: Any = None,
        config: ScanConfig | None = None,
        before: bool = True,
        progress: Progress = silent,
    ) -> None:
        """What is measured, and where the runs go.

        Args:
            notes: File of the notes as they stand in training, repeated ones repeated; a split column may
                name held-out notes, plants and twins.
            out: Folder, of this training alone, for the run directories ``epoch-000`` (before training),
                ``epoch-001`` ...
            stop: Training stops when a figure of the training notes is above its bound. Names:
                greedy_run_ratio_30, raw_ratio_30, net_ratio_30 (and the same at 50), phi_recovery_rate,
                patients_with_headline_leak.
            known: CSV patient_id, category, value.
            holdout: Notes of patients the model never saw.
            tokenizer: The model's; None: the Trainer's ``processing_class``.
            config: Settings of the scans; the first prefix length is asked, with screening.
            before: Measure the model before training too.
            progress: Told what is done.

        Raises:
            ConfigError: ``stop`` names no figure, or a bound is no share.

        """
        self.rows: list[LeakRow] = []
        self.stopped: str | None = None
        self._stop = dict(stop or {})
        for name, bound in self._stop.items():
            if name not in FIGURES or not isinstance(bound, int | float) or not 0 <= bound <= 1:
                raise ConfigError(f"stop: give shares from 0 to 1 of these figures: {', '.join(FIGURES)}")
        paths = [None if path is None else Path(path) for path in (known, holdout)]
        self._inputs = ScanInputs(notes=Path(notes), out=Path(out), known=paths[0], holdout=paths[1])
        self._tokenizer, self._before, self._progress = tokenizer, before, progress
        self._given = config or ScanConfig()

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **given: Any
    ) -> None:
        """Measure the model as it was before; if training goes on, read what was measured already."""
        if not state.is_world_process_zero:
            return
        if state.global_step:
            self.rows = [row for row in measured(self._inputs.out) if row.step <= state.global_step]
            self.stopped = above(self.rows[-1], self._stop) if self.rows else None
        elif self._before:
            self._measure(state, given)

    def on_epoch_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **given: Any
    ) -> None:
        """Measure, before the checkpoint of this epoch is saved; stop if a bound is passed."""
        if not state.is_world_process_zero:
            return
        row = self._measure(state, given)
        self.stopped = above(row, self._stop)
        if self.stopped is not None:
            control.should_training_stop = True

    def check(self, model: Any, tokenizer: Any) -> None:
        """Raise now what a measurement could not use of notes, identifiers and settings; begins the first."""
        inputs = self._inputs._replace(out=self._inputs.out / _name(0))
        with as_deployed(model, tokenizer, batch_size=1) as live:
            load_inputs(inputs, self._config, RunDirectory(inputs.out), models={"scanned": live})

    def _measure(self, state: TrainerState, given: Mapping[str, Any]) -> LeakRow:
        tokenizer = self._tokenizer or given.get("processing_class")
        if tokenizer is None:
            raise ConfigError("PhiLeakCallback: give it the tokenizer, or the Trainer a processing_class")
        model, began = given["model"], time.monotonic()
        name = _name(state.epoch or 0)
        with as_deployed(model, tokenizer, batch_size=self._config.model.batch_size) as live:
            report = self._scan(live, self._inputs.out / name)
            accuracy = self.task_accuracy(live)
        row = leak_row(
            report,
            epoch=state.epoch or 0,
            step=state.global_step,
            run=name,
            prefix_length=self._config.regenerate.prefix_lengths[0],
            task_accuracy=accuracy,
            seconds=time.monotonic() - began,
        )
        RunDirectory(self._inputs.out / name).write_text(_ROW, row.model_dump_json(indent=2) + "\n")
        self.rows.append(row)
        return row

    @cached_property
    def _config(self) -> ScanConfig:
        return _measuring(self._given, self._patients())

    def _patients(self) -> int:
        notes = stream_notes(self._inputs.notes, self._given.load, argument="--notes", tally=Tally())
        return len({note.patient_id for note in notes if note.split == "member"})

    def task_accuracy(self, live: LiveModel) -> dict[str, Estimate]:
        """How well the model does its task, for who measures that; asked after the scan."""
        return {}

    def _scan(self, live: LiveModel, out: Path) -> Any:
        """Scan into ``out``; what stands there of weights that were lost in an interruption goes."""
        run = RunDirectory(out)
        if run.holds_run() and not _is_of(run, live):
            shutil.rmtree(out)
        return scan(
            self._inputs._replace(out=out),
            self._config,
            self._progress,
            models={"scanned": live},
            like=self._first(out),
        )

    def _first(self, out: Path) -> Path | None:
        """A finished measurement, whose indexes of the notes serve again."""
        runs = sorted(self._inputs.out.glob("epoch-*/report.json"))
        return next((report.parent for report in runs if report.parent != out), None)


def measured(out: Path) -> list[LeakRow]:
    """The rows of all finished measurements in ``out``, in order."""
    rows = []
    for path in sorted(out.glob(f"epoch-*/{_ROW}")):
        with suppress(StoreError, ValidationError):  # what is damaged counts as not measured
            rows.append(LeakRow.model_validate(RunDirectory(path.parent).read_json(_ROW)))
    return rows


def _name(epoch: float) -> str:
    """The run directory of a measurement; one in the middle of an epoch has one of its own."""
    whole = abs(epoch - round(epoch)) < 1e-9
    return f"epoch-{round(epoch):03d}" if whole else f"epoch-{epoch:010.6f}"


def above(row: LeakRow, bounds: Mapping[str, float]) -> str | None:
    """The first figure of training notes that is above its bound."""
    for name, bound in bounds.items():
        found = row.training.get(name)
        if found is not None and found.value is not None and found.value > bound:
            return name
    return None


def _measuring(config: ScanConfig, patients: int) -> ScanConfig:
    """One prefix length, greedy, screened; no likeness, decoys and spikes: what a measurement needs.

    All notes are asked for of a share of the patients that gives about ``ASKED_WHOLE`` at least.
    """
    sample = min(1.0, max(config.screen.sample, ASKED_WHOLE / max(1, patients)))
    first = config.regenerate.prefix_lengths[:1]
    return config.model_copy(
        update={
            "regenerate": config.regenerate.model_copy(
                update={
                    "prefix_lengths": first,
                    "schemes": ("bare",),
                    "tiers": ("prefix",),
                    "windows": False,
                    "decodings": (GREEDY,),
                    "draws": 1,
                }
            ),
            "screen": config.screen.model_copy(update={"enabled": True, "sample": sample}),
            "expose": config.expose.model_copy(update={"enabled": True, "decoys": 0}),
            "spikes": config.spikes.model_copy(update={"each": 0}),
            "metrics": config.metrics.model_copy(update={"which": ()}),
        }
    )


def _is_of(run: RunDirectory, live: LiveModel) -> bool:
    identity = live.identity()
    had = run.began_with().get("models", {}).get("scanned", {})
    wanted = identity.weights_sha256, identity.adapter_sha256
    return (had.get("weights_sha256"), had.get("adapter_sha256")) == wanted
