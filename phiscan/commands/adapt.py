"""Fine-tune a model on notes or records as hospitals do, measuring at every epoch what it gives away."""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import phiscan
from phiscan.adapt_settings import AdaptSettings
from phiscan.adaptation.callback import PhiLeakCallback, measured
from phiscan.adaptation.corpus import (
    NOTES,
    TRAINING,
    VALIDATION,
    Texts,
    notes_of,
    read_counts_of,
    read_texts,
    records_of,
    write_corpus,
)
from phiscan.adaptation.goldfish import dropped_from_loss
from phiscan.adaptation.live import LiveModel
from phiscan.adaptation.mitigate import mitigation
from phiscan.adaptation.result import AdaptReport, EpochRow, LeakRow, recommend
from phiscan.adaptation.rows import NO_LOSS, Row, rows_of
from phiscan.adaptation.training import (
    LOSS,
    TOPS,
    Trained,
    checkpoints,
    last_checkpoint,
    private,
    train,
    with_adapter,
)
from phiscan.commands.adapted_runs import EPOCHS, REPORT
from phiscan.commands.options import ask
from phiscan.config import ScanConfig
from phiscan.diagnoses import load_synonyms
from phiscan.errors import BackendError, ConfigError, StoreError
from phiscan.load import load_known
from phiscan.measures.options import measure_options
from phiscan.model_loading import check_tokenizer, checked, device_of, load_model, quiet, tokenizer_of
from phiscan.option_tasks import asked_of
from phiscan.passes.plan import Progress, silent
from phiscan.passes.reduce import package_versions
from phiscan.protocols import ModelSource
from phiscan.questions import LoadedQuestions, load_questions
from phiscan.scan_report import Estimate, ModelIdentity
from phiscan.store import RunDirectory

DATA, CHECKPOINTS = "data", "checkpoints"
"""Names in the folder of an adaptation."""
_LEAST_POSITIONS = 8
_SHOWN = ("run", "load", "model", "regenerate", "screen", "detect", "verify", "match", "adapt")
"""Settings that decide anything here."""


class AdaptInputs(NamedTuple):
    """The files and the model, as the command line names them."""

    model: str
    out: Path
    notes: Path | None = None
    records: Path | None = None
    known: Path | None = None
    questions: Path | None = None

    def files(self) -> dict[str, Path]:
        """The files that hold records, by argument."""
        named = {
            "--notes": self.notes,
            "--records": self.records,
            "--known": self.known,
            "--questions": self.questions,
        }
        return {argument: path for argument, path in named.items() if path is not None}


def run_adapt(inputs: AdaptInputs, config: ScanConfig, progress: Progress = silent) -> AdaptReport:
    """Train and measure; writes data, checkpoints, a run directory an epoch, and adapt.json into the folder.

    The same call after an interruption goes on at the last checkpoint.
    """
    os.umask(0o077)
    settings = config.adapt
    _check(inputs, config)
    with quiet():
        source = checked(ModelSource(inputs.model), config.model)
    if source.adapter is not None:
        raise BackendError("--model: is an adapter; give the model that it stands on, or merge them")
    tokenizer = tokenizer_of(source, download=config.model.download)
    if inputs.known is not None:
        load_known(inputs.known)  # refused now, not after hours
    texts = _texts(inputs, config, tokenizer)
    next(texts())
    asked = None if inputs.questions is None else load_questions(inputs.questions)
    plain = _load(source, config)
    check_tokenizer(tokenizer, plain, source, download=config.model.download)
    positions = _positions(plain) or settings.max_tokens
    if positions < _LEAST_POSITIONS:
        raise BackendError(f"--model: takes {positions} tokens at once, which is too few to learn from")
    base = LiveModel(plain, tokenizer, batch_size=1).identity()
    model = with_adapter(plain, settings, seed=config.run.seed)
    run, folder = RunDirectory(inputs.out), inputs.out / CHECKPOINTS
    measure = _Measure(inputs, config, tokenizer, asked, progress) if settings.measure else None
    with run.opened():
        run.begin(_identity(run, inputs, config, base.model_dump(mode="json")))
        data = _write_data(run, texts, config, inputs.known)
        if measure is not None and last_checkpoint(folder) is None:
            measure.check(model, tokenizer)
        rows, validation = _rows(data, tokenizer, config, positions, ends=inputs.notes is not None)
    if measure is not None:
        _refuse_missing(checkpoints(folder), inputs.out / EPOCHS)
    trained = train(
        model,
        tokenizer,
        rows,
        validation,
        folder,
        settings,
        seed=config.run.seed,
        callbacks=[] if measure is None else [measure],
        progress=progress,
    )
    private(folder)
    final = LiveModel(model, tokenizer, batch_size=1).identity()
    report = _report(config, inputs, data, rows, trained, measure, base=base, final=final)
    run.write_text(REPORT, report.model_dump_json(indent=2) + "\n")
    run.finish()
    return report


def _write_data(run: RunDirectory, texts: Texts, config: ScanConfig, known: Path | None) -> Path:
    return run.build_folder(
        DATA,
        lambda to: write_corpus(
            to,
            texts,
            validation=config.adapt.validation_share,
            holdout=config.adapt.holdout_share,
            seed=config.run.seed,
            mitigate=mitigation(config, known),
        ),
    )


def _rows(
    data: Path, tokenizer: Any, config: ScanConfig, positions: int, *, ends: bool
) -> tuple[list[Row], list[Row]]:
    """What is learnt, and what tells the validation loss; ``ends``: a chat template has marks of its own."""
    settings = config.adapt
    drop = partial(dropped_from_loss, k=settings.goldfish) if settings.goldfish else None
    learnt, validation = (
        rows_of(
            read_texts(data / name),
            tokenizer,
            max_tokens=min(settings.max_tokens, positions),
            ends=ends,
            completion_only=settings.completion_only,
            drop=drop if name == TRAINING else None,
        )
        for name in (TRAINING, VALIDATION)
    )
    if not _learnt(learnt):
        raise ConfigError("[adapt]: these settings leave no token to learn")
    return learnt, validation


def _learnt(rows: Iterable[Row]) -> int:
    """Tokens that are learnt."""
    return sum(int((row.labels != NO_LOSS).sum()) for row in rows)


def _refuse_missing(saved: Mapping[int, str], epochs: Path) -> None:
    """A choice among checkpoints must not pass over one whose measurement was lost."""
    found = {row.step for row in measured(epochs)}
    for step in sorted(saved.keys() - found):
        raise StoreError(
            f"--out: the measurement of {saved[step]} is missing or damaged; remove this checkpoint and "
            "those after it, and the same command makes them and their measurements again"
        )


def _check(inputs: AdaptInputs, config: ScanConfig) -> None:
    """What can be refused before anything is read."""
    settings = config.adapt
    if (inputs.notes is None) == (inputs.records is None):
        raise ConfigError("give either --notes to continue, or --records to answer")
    if settings.completion_only and inputs.records is None:
        raise ConfigError("[adapt] completion_only: is for --records; a note has no instruction")
    bounds = settings.stop_net_ratio, settings.stop_patients
    if not settings.measure and (inputs.questions is not None or any(b is not None for b in bounds)):
        raise ConfigError("[adapt] measure: must be true for --questions and for bounds to stop at")
    if settings.lora_rank == 0 and config.model.quantization != "none":
        raise ConfigError(
            "[adapt] lora_rank: must not be 0 on weights in 4 bits: only adapters can learn there"
        )


def _texts(inputs: AdaptInputs, config: ScanConfig, tokenizer: Any) -> Texts:
    if inputs.notes is not None:
        return notes_of(inputs.notes, config.load)
    assert inputs.records is not None
    return records_of(inputs.records, tokenizer)


def _load(source: ModelSource, config: ScanConfig) -> Any:
    import torch

    if config.model.threads:
        torch.set_num_threads(config.model.threads)
    with quiet():
        return load_model(source, config.model, device_of(config.model.device))[1]


def _positions(base: Any) -> int | None:
    """Tokens that the model can take at once; None if it does not say."""
    found = getattr(base.config.get_text_config(decoder=True), "max_position_embeddings", None)
    return int(found) if found else None


class _Measure(PhiLeakCallback):
    """Scans the model, and asks it questions if there are any."""

    def __init__(
        self,
        inputs: AdaptInputs,
        config: ScanConfig,
        tokenizer: Any,
        questions: LoadedQuestions | None,
        progress: Progress,
    ) -> None:
        bounds = {
            "net_ratio_30": config.adapt.stop_net_ratio,
            "patients_with_headline_leak": config.adapt.stop_patients,
        }
        super().__init__(
            inputs.out / DATA / NOTES,
            inputs.out / EPOCHS,
            known=inputs.known,
            tokenizer=tokenizer,
            stop={name: bound for name, bound in bounds.items() if bound is not None},
            config=config,
            progress=progress,
        )
        self._questions, self._settings = questions, config
        self._synonyms = load_synonyms(None)

    def task_accuracy(self, live: LiveModel) -> dict[str, Estimate]:
        """Right answers over all questions, by task and places that count."""
        loaded = self._questions
        if loaded is None:
            return {}
        seed = self._settings.run.seed
        asked = [
            one for one in asked_of(loaded.questions, loaded.cases, seed=seed) if one.task != "regenerate"
        ]
        found = measure_options(
            asked,
            ask(asked, live, self._settings.options.max_new_tokens, silent),
            {question.question_id: question for question in loaded.questions},
            {case.question_id: case for case in loaded.cases},
            self._synonyms,
            seed=seed,
            chance_draws=self._settings.options.chance_draws,
        )
        return {f"{row.task}_top{row.top}": row.estimate for row in found.accuracy if row.specialty is None}


def _identity(run: RunDirectory, inputs: AdaptInputs, config: ScanConfig, base: Any) -> dict[str, Any]:
    """What must be equal for an adaptation to go on."""
    settings = config.model_dump(mode="json")
    settings["model"] = {k: v for k, v in settings["model"].items() if k not in ("batch_size", "threads")}
    return {
        "command": "adapt",
        "phiscan version": phiscan.__version__,
        "settings": settings,
        "inputs": {argument: run.keyed_file(path) for argument, path in inputs.files().items()},
        "model": base,
    }


def _report(
    config: ScanConfig,
    inputs: AdaptInputs,
    data: Path,
    rows: Sequence[Row],
    trained: Trained,
    measure: PhiLeakCallback | None,
    *,
    base: ModelIdentity,
    final: ModelIdentity,
) -> AdaptReport:
    counts = read_counts_of(data)
    leaks = [] if measure is None else measure.rows
    epochs = tuple(_epochs(trained.log, leaks, checkpoints(inputs.out / CHECKPOINTS)))
    parts = ("training", "validation", "holdout")
    return AdaptReport(
        phiscan_version=phiscan.__version__,
        seed=config.run.seed,
        packages=package_versions(),
        settings={name: found for name, found in config.model_dump(mode="json").items() if name in _SHOWN},
        base=base,
        final=final,
        **{
            f"{part}_{what}": counts.get(f"{part}_{what}", 0)
            for part in parts
            for what in ("notes", "patients")
        },
        rows=len(rows),
        tokens=_learnt(rows),
        rows_bad=counts["rows_bad"],
        rows_dropped=counts["rows_dropped"],
        mitigated=counts["mitigated"],
        epochs=epochs,
        delta=trained.delta,
        stopped=_why(trained, measure, config.adapt),
        recommended=recommend(epochs, config.adapt.tolerance),
    )


def _epochs(
    log: Iterable[Mapping[str, Any]], leaks: Iterable[LeakRow], saved: Mapping[int, str]
) -> Iterator[EpochRow]:
    """What was logged, measured and saved, brought together step by step; ``log`` has two lines an epoch."""
    by_step: dict[int, dict[str, Any]] = defaultdict(dict)
    for line in log:
        if "train_runtime" not in line:
            by_step[line["step"]] |= line
    measured = {row.step: row for row in leaks}
    for step in sorted(by_step.keys() | measured.keys()):
        line, row = by_step[step], measured.get(step)
        yield EpochRow(
            epoch=round(line.get("epoch", row.epoch if row else 0)),
            step=step,
            training_loss=_finite(line.get("loss")),
            validation_loss=_finite(line.get(LOSS)),
            token_accuracy={f"top{n}": line[f"eval_top{n}"] for n in TOPS if f"eval_top{n}" in line},
            epsilon=line.get("epsilon"),
            checkpoint=saved.get(step),
            leaks=row,
        )


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _why(trained: Trained, measure: PhiLeakCallback | None, settings: AdaptSettings) -> str:
    if measure is not None and measure.stopped is not None:
        return f"{measure.stopped} of training notes was above its bound"
    if any(not math.isfinite(line.get(name, 0.0)) for line in trained.log for name in ("loss", LOSS)):
        return "a loss is no number: training has diverged (set adapt.learning_rate lower)"
    if trained.early:
        return f"the validation loss got no better in {settings.patience} epochs"
    return f"all {settings.epochs} epochs were done"
