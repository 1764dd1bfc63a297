"""A scan: load everything, then three passes. A run that was interrupted is taken up again."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import phiscan
from phiscan.config import ScanConfig
from phiscan.detect import build_detectors
from phiscan.errors import ConfigError, NoteFormatError
from phiscan.load import load_known, load_notes, load_replay
from phiscan.passes.expose import most_exposed
from phiscan.passes.index import index_corpus
from phiscan.passes.map import ShardMap
from phiscan.passes.plan import Loaded, Plan, Progress, ScanInputs, silent
from phiscan.passes.reduce import exposure_section, input_identities, make_report, model_identities
from phiscan.passes.spikes import make_spikes
from phiscan.protocols import Backend, ModelSource, ScoringBackend
from phiscan.records import Continuation, Prompt
from phiscan.registry import load_plugin
from phiscan.replay import choose_control, replay, with_prefix_lengths
from phiscan.rulebook.topics import lexicon_digest
from phiscan.scan_report import ExposureSection, ScanReport
from phiscan.store import RunDirectory, digest_of

STAGES: tuple[str, ...] = (
    *("load", "regenerate", "expose", "match", "detect"),
    *("verify", "sensitive", "measure", "report"),
)
"""The stages in the order in which they run: the order of README's tree and of the concepts page."""


def scan(inputs: ScanInputs, config: ScanConfig, progress: Progress = silent) -> ScanReport:
    """Scan a model, or outputs made elsewhere, and write the run directory.

    Every input is read and checked before the run directory is touched.
    """
    os.umask(0o077)
    seconds: dict[str, float] = {}
    with _timed(seconds, "load"):
        loaded = load_inputs(inputs, config)
    run = RunDirectory(inputs.out)
    run.open()
    identity = _identity(run, loaded, inputs)
    run.begin(identity)
    control = inputs.control if loaded.replay is not None else None
    with _timed(seconds, "index"):
        plan = index_corpus(run, loaded, digest_of(identity), control, progress)
    mapped = ShardMap(plan, _replayed_by_shard(plan))
    for number in range(len(plan.shards)):
        mapped.run_shard(number)
        progress("scan", number + 1, len(plan.shards))
    make_spikes(mapped)
    seconds |= mapped.seconds
    report = make_report(plan, inputs, seconds)
    plan.values.close()
    run.write_text("report.json", report.model_dump_json(indent=2) + "\n")
    return report


def expose(inputs: ScanInputs, config: ScanConfig, progress: Progress = silent) -> ExposureSection:
    """Audit every identifier of every note in one pass, generating nothing; writes exposure.json.

    The run directory may be that of a scan of the same inputs, before or after it.
    """
    os.umask(0o077)
    loaded = load_inputs(inputs, config)
    if not all(isinstance(backend, ScoringBackend) for backend in loaded.models.values()):
        raise ConfigError("[model] backend: cannot tell how probable a text is, which exposure needs")
    run = RunDirectory(inputs.out)
    run.open()
    identity = _identity(run, loaded, inputs)
    run.begin(identity)
    plan = index_corpus(run, loaded, digest_of(identity), None, progress)
    mapped = ShardMap(plan, {})
    for number in range(len(plan.shards)):
        mapped.expose_shard(number)
        progress("expose", number + 1, len(plan.shards))
    plan.values.close()
    section = exposure_section(run, config.run.seed)
    assert section is not None  # the tables were just written
    run.write_text("exposure.json", section.model_dump_json(indent=2) + "\n")
    run.write_text("most_exposed.jsonl", "".join(most_exposed(run, config.expose.top)))
    return section


def load_inputs(inputs: ScanInputs, config: ScanConfig) -> Loaded:
    """Read and check every file and model of the scan; errors name the argument at fault."""
    if inputs.replay is not None and inputs.adapter is not None:
        raise ConfigError("--adapter: is of no use with --replay")
    if inputs.replay is None and inputs.tokenizer is not None:
        raise ConfigError("--tokenizer: is for --replay; a model brings its own")
    if (inputs.replay is None) == (inputs.model is None and config.model.backend != "echo"):
        raise ConfigError("give either --model, or --replay with outputs made elsewhere")
    notes = load_notes(inputs.notes, config.load, holdout=inputs.holdout)
    if all(note.split == "holdout" for note in notes.notes):
        raise NoteFormatError("--notes: every note is a holdout; none is said to be trained on")
    known = load_known(inputs.known) if inputs.known else None
    replayed = load_replay(inputs.replay) if inputs.replay else None
    if replayed is not None:
        choose_control(replayed.rows, inputs.control)
    detectors = build_detectors(
        config.detect, known.identifiers if known else (), date_order=config.verify.date_order
    )
    models = {} if replayed is not None else _load_models(inputs, config)
    tokenize = _tokenizer(inputs, models)
    tokens = None if tokenize is None else tuple(tokenize([note.text for note in notes.notes]))
    loaded = Loaded(
        config=config,
        notes=notes,
        known=known,
        replay=replayed,
        detectors=detectors,
        models=models,
        tokenize=tokenize,
        tokens=tokens,
    )
    if replayed is None:
        _check_lengths(loaded)
        _check_same_tokens(loaded)
    return loaded


def _load_models(inputs: ScanInputs, config: ScanConfig) -> dict[str, Backend]:
    build = load_plugin("backends", config.model.backend).build
    models = {"scanned": build(ModelSource(inputs.model or "", inputs.adapter), config.model)}
    if inputs.control is not None:
        models["control"] = build(ModelSource(inputs.control, argument="--control"), config.model)
    return models


def _tokenizer(inputs: ScanInputs, models: dict[str, Backend]) -> Any:
    if "scanned" in models:
        return models["scanned"].tokenize
    if inputs.tokenizer is None:
        return None
    from phiscan.tokenizer import load_tokenizer, tokenize

    if not Path(inputs.tokenizer).is_dir():
        raise ConfigError("--tokenizer: no such directory")
    tokenizer = load_tokenizer(inputs.tokenizer, "--tokenizer")
    return lambda texts: tokenize(tokenizer, texts)


def _check_lengths(loaded: Loaded) -> None:
    """Some note a model was trained on must be longer than the shortest prefix."""
    shortest = loaded.config.regenerate.prefix_lengths[0]
    lengths = [
        len(t.ids)
        for n, t in zip(loaded.notes.notes, loaded.tokens or (), strict=True)
        if n.split == "member"
    ]
    if max(lengths) <= shortest:
        raise NoteFormatError(
            f"--notes: no note is longer than the shortest prefix of {shortest} tokens; the longest has "
            f"{max(lengths)} (set regenerate.prefix_lengths)"
        )


def _check_same_tokens(loaded: Loaded) -> None:
    """A control must cut the notes into the same tokens, or its prompts would be others."""
    control = loaded.models.get("control")
    if control is None or loaded.tokens is None:
        return
    sample = loaded.notes.notes[:200]
    for note, tokens in zip(sample, control.tokenize([note.text for note in sample]), strict=True):
        if tokens.ids != loaded.tokens[note.ordinal].ids:
            raise ConfigError(
                "--control: its tokenizer differs from the scanned model's; use a control with the same "
                "one, or --replay with outputs of both"
            )


def _identity(run: RunDirectory, loaded: Loaded, inputs: ScanInputs) -> dict[str, Any]:
    """What must be equal for a run to be resumed; batch size and threads change no token."""
    settings = loaded.config.model_dump(mode="json")
    settings["model"] = {k: v for k, v in settings["model"].items() if k not in ("batch_size", "threads")}
    # The pass over every note may be made before a scan, after it, or not at all.
    del settings["expose"]["enabled"]
    settings["detect"] = {
        k: v for k, v in settings["detect"].items() if k not in ("batch_size", "threads", "cache_mb")
    }
    models = [
        m.model_dump(mode="json", exclude={"batch_size", "threads"}, exclude_none=True)
        for m in model_identities(loaded)
    ]
    return {
        "phiscan version": phiscan.__version__,
        "settings": settings,
        "inputs": {found.argument: found.keyed_digest for found in input_identities(run, inputs)},
        "models": {found["role"]: found for found in models},
        "names": {
            "model": run.keyed(str((inputs.model, inputs.adapter))),
            "control": run.keyed(str(inputs.control)),
            "tokenizer": run.keyed(str(inputs.tokenizer)),
        },
        "detectors": {name: found.describe() for name, found in loaded.detectors.items()},
        "lexicons beyond PHI": lexicon_digest(),
    }


def _replayed_by_shard(plan: Plan) -> dict[int, tuple[list[Prompt], list[Continuation]]]:
    """Replayed records by the shard of their note; rows of unknown notes go with the first."""
    rows = plan.loaded.replay
    if rows is None:
        return {}
    notes = {note_id: note for note in plan.notes for note_id in (note.note_id, *note.copy_ids)}
    prompts, continuations = replay(
        rows.rows,
        notes,
        control=plan.replay_control,
        tokenize=plan.loaded.tokenize,
        vocabulary=plan.vocabulary,
    )
    corpus = plan.tokens
    if corpus is not None:
        prompts = with_prefix_lengths(
            prompts, lambda p: corpus.first_unit_from(notes[p.note_id].ordinal, p.prefix_end or 0)
        )
    shard_of = {note.note_id: number for number, part in enumerate(plan.shards) for note in part}
    made: dict[int, tuple[list[Prompt], list[Continuation]]] = defaultdict(lambda: ([], []))
    for prompt in prompts:
        made[shard_of.get(prompt.note_id, 0)][0].append(prompt)
    for continuation in continuations:
        made[shard_of.get(continuation.note_id, 0)][1].append(continuation)
    return made


@contextmanager
def _timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    started = time.monotonic()
    yield
    seconds[stage] = time.monotonic() - started
