"""A scan: load everything, then three passes. A run that was interrupted is taken up again."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import phiscan
from phiscan.config import ScanConfig
from phiscan.decodings import CANNOT_DRAW, GREEDY
from phiscan.detect import build_detectors
from phiscan.errors import ConfigError, NoteFormatError
from phiscan.gold_file import load_gold
from phiscan.input_rows import Tally
from phiscan.load import LoadedNotes, index_notes, load_known, open_notes, stream_notes
from phiscan.note_index import Notes
from phiscan.passes.ask import openings_of
from phiscan.passes.expose import most_exposed
from phiscan.passes.gold import ARGUMENT as GOLD
from phiscan.passes.gold import detection_section, refuse_strangers
from phiscan.passes.index import NOTES, OF_NOTES, REPLAY, index_corpus
from phiscan.passes.map import ShardMap
from phiscan.passes.plan import Loaded, Progress, ScanInputs, silent
from phiscan.passes.plants import map_plants
from phiscan.passes.reduce import (
    exposure_section,
    input_identities,
    make_report,
    model_identities,
    renew_report,
)
from phiscan.passes.reopen import reopened
from phiscan.passes.spikes import make_spikes
from phiscan.protocols import Backend, BackendSettings, Detector, ModelSource, SamplingBackend, ScoringBackend
from phiscan.registry import load_plugin
from phiscan.replay import choose_control
from phiscan.replay_rows import LoadedReplay, index_replay, open_replay, stream_replay
from phiscan.resources import is_folder
from phiscan.rulebook.topics import lexicon_digest
from phiscan.scan_report import ExposureSection, InputIdentity, ScanReport
from phiscan.similarity import build_metrics
from phiscan.store import RunDirectory, digest_of

STAGES: tuple[str, ...] = (
    *("load", "regenerate", "expose", "match", "similarity", "detect"),
    *("verify", "confirm", "sensitive", "measure", "report"),
)
"""The stages in the order in which they run: the order of README's tree and of the concepts page."""

_NOTES_AT_ONCE = 64
_NOTES_COMPARED = 200


def scan(
    inputs: ScanInputs,
    config: ScanConfig,
    progress: Progress = silent,
    *,
    models: Mapping[str, Backend] | None = None,
    like: Path | None = None,
) -> ScanReport:
    """Scan a model, or outputs made elsewhere, and write the run directory.

    Where an input cannot be used, the run directory is as it was before.

    Args:
        inputs: Files and models by name.
        config: Settings.
        progress: Told what is done.
        models: Models in memory, by role, instead of those that ``inputs`` name.
        like: A finished run: its indexes are taken over if it is of the same notes and settings.

    """
    os.umask(0o077)
    seconds: dict[str, float] = {}
    run = RunDirectory(inputs.out)
    with _timed(seconds, "load"):
        loaded = load_inputs(inputs, config, run, models=models, like=like)
    control = inputs.control if loaded.replay is not None else None
    with _timed(seconds, "index"):
        plan = index_corpus(run, loaded, control, progress)
    detection = None
    if inputs.gold is not None:
        with _timed(seconds, "gold"):
            detection = detection_section(plan, inputs.gold)
    mapped = ShardMap(plan)
    for number in range(len(plan.shards)):
        mapped.run_shard(number)
        progress("scan", number + 1, len(plan.shards))
    make_spikes(mapped)
    seconds |= mapped.seconds
    if loaded.notes.with_plants is not None:
        with _timed(seconds, "plants"):
            map_plants(plan, ShardMap.run_shard, progress)
    report = make_report(plan, seconds, detection)
    plan.close()
    run.write_text("report.json", report.model_dump_json(indent=2) + "\n")
    run.finish()
    return report


def expose(inputs: ScanInputs, config: ScanConfig, progress: Progress = silent) -> ExposureSection:
    """Audit every identifier of every note in one pass, generating nothing; writes exposure.json.

    The run directory may be that of a scan of the same inputs, before or after it; the report of one that is
    finished is made anew, with the figures in it.
    """
    os.umask(0o077)
    run = RunDirectory(inputs.out)
    loaded = load_inputs(inputs, config, run, scoring=True)
    plan = index_corpus(run, loaded, None, progress)
    mapped = ShardMap(plan)
    for number in range(len(plan.shards)):
        mapped.expose_shard(number)
        progress("expose", number + 1, len(plan.shards))
    if loaded.notes.with_plants is not None:
        map_plants(plan, ShardMap.expose_shard, progress)
    plan.close()
    section = exposure_section(run, config.run.seed)
    assert section is not None  # the tables were just written
    run.write_text("exposure.json", section.model_dump_json(indent=2) + "\n")
    run.write_text("most_exposed.jsonl", "".join(most_exposed(run, config.expose.top)))
    run.finish()
    if run.has_file("report.json"):
        with reopened(inputs.out) as finished:
            report = renew_report(finished)
        run.write_text("report.json", report.model_dump_json(indent=2) + "\n")
    return section


def load_inputs(
    inputs: ScanInputs,
    config: ScanConfig,
    run: RunDirectory,
    *,
    scoring: bool = False,
    models: Mapping[str, Backend] | None = None,
    like: Path | None = None,
) -> Loaded:
    """Read and check every file and model, and begin or resume ``run``; errors name the argument at fault.

    Notes and replayed outputs go to the run's index row by row; where that stands, they are not read
    again. ``scoring``: the models must be able to tell how probable a text is. ``models``, ``like``: as of
    :func:`scan`.
    """
    if models is None:
        _check_arguments(inputs, config)
        check_models(_sources(inputs), config.model)
    _check_readable(inputs, config)
    known = load_known(inputs.known) if inputs.known else None
    gold = load_gold(inputs.gold, config.load) if inputs.gold else None
    detectors = build_detectors(
        config.detect, known.identifiers if known else (), date_order=config.verify.date_order
    )
    if models is None:
        models = _load_models(inputs, config)
    if scoring or config.screen.enabled or config.expose.enabled:
        _refuse_without_scores(models)
    if config.regenerate.decodings != (GREEDY,):
        _refuse_without_draws(models)
    tokenize = _tokenizer(inputs, models)
    openings_of(config.regenerate, models, tokenize)
    # The pass that generates nothing has no answers to liken.
    metrics = {} if scoring else build_metrics(config.metrics)
    other = None if like is None else RunDirectory(like)
    with run.opened(key_of=other):
        files = input_identities(run, inputs)
        identity = _identity(run, inputs, config, files, models, detectors)
        run.begin(identity)
        of_notes = digest_of(_of_notes(identity))
        if other is not None and digest_of(_of_notes(other.began_with())) == of_notes:
            run.adopt(other, OF_NOTES)
        notes = _index_notes(run, inputs, config)
        if inputs.gold is not None and gold is not None:
            refuse_strangers(inputs.gold, gold, config.load, notes.notes)
        loaded = Loaded(
            config=config,
            inputs=files,
            digest=digest_of(identity),
            notes_digest=of_notes,
            notes=notes,
            known=known,
            replay=_index_replay(run, inputs, notes.with_plants or notes.notes),
            detectors=detectors,
            metrics=metrics,
            models=models,
            tokenize=tokenize,
            gold=gold,
        )
        if models:
            _check_lengths(loaded)
            _check_same_tokens(loaded)
    return loaded


def _check_arguments(inputs: ScanInputs, config: ScanConfig) -> None:
    if inputs.replay is not None and inputs.adapter is not None:
        raise ConfigError("--adapter: is of no use with --replay")
    if inputs.replay is None and inputs.tokenizer is not None:
        raise ConfigError("--tokenizer: is for --replay; a model brings its own")
    if (inputs.replay is None) == (inputs.model is None and config.model.backend != "echo"):
        raise ConfigError("give either --model, or --replay with outputs made elsewhere")
    if inputs.replay is not None and config.screen.enabled:
        raise ConfigError("[screen] enabled: is of no use with --replay")
    if inputs.replay is not None and config.regenerate.decodings != (GREEDY,):
        raise ConfigError("[regenerate] decodings: is of no use with --replay")
    if config.screen.enabled and config.regenerate.designs != [("bare", "prefix")]:
        raise ConfigError("[screen] enabled: is for scheme bare and tier prefix alone")


def _check_readable(inputs: ScanInputs, config: ScanConfig) -> None:
    """Some row of each file can be used: a wrong file should not wait for a model to be loaded."""
    next(stream_notes(inputs.notes, config.load, argument="--notes", tally=Tally()))
    if inputs.holdout is not None:
        tally = Tally()
        next(stream_notes(inputs.holdout, config.load, argument="--holdout", tally=tally, split="holdout"))
    if inputs.replay is not None:
        next(stream_replay(inputs.replay, argument="--replay", tally=Tally()))


def _index_notes(run: RunDirectory, inputs: ScanInputs, config: ScanConfig) -> LoadedNotes:
    folder = run.build_index(
        NOTES, lambda to: index_notes(to, inputs.notes, config.load, holdout=inputs.holdout)
    )
    notes = open_notes(folder)
    if "member" not in notes.notes.splits():
        kinds = " or ".join(sorted((notes.with_plants or notes.notes).splits()))
        raise NoteFormatError(f"--notes: every note is a {kinds}; none is said to be trained on")
    return notes


def _index_replay(run: RunDirectory, inputs: ScanInputs, notes: Notes) -> LoadedReplay | None:
    path = inputs.replay
    if path is None:
        return None
    replayed = open_replay(run.build_index(REPLAY, lambda to: index_replay(to, path, notes.ordinals)))
    choose_control(replayed.rows.models(), inputs.control)
    return replayed


def _refuse_without_scores(models: Mapping[str, Backend]) -> None:
    """The pass over every note needs a model that says how probable a text is; replay has none."""
    if not all(isinstance(backend, ScoringBackend) for backend in models.values()):
        raise ConfigError("[model] backend: cannot tell how probable a text is, which exposure needs")


def _refuse_without_draws(models: Mapping[str, Backend]) -> None:
    if not all(isinstance(backend, SamplingBackend) for backend in models.values()):
        raise ConfigError(CANNOT_DRAW)


def _sources(inputs: ScanInputs) -> dict[str, ModelSource]:
    """The models to load, by role; none for outputs made elsewhere."""
    if inputs.replay is not None:
        return {}
    sources = {"scanned": ModelSource(inputs.model or "", inputs.adapter)}
    if inputs.control is not None:
        sources["control"] = ModelSource(inputs.control, argument="--control")
    return sources


def check_models(sources: Mapping[str, ModelSource], settings: BackendSettings) -> None:
    """Refuse what a backend can tell of models before it loads them, and before any data is read."""
    preflight = getattr(load_plugin("backends", settings.backend), "preflight", None) if sources else None
    for source in sources.values():
        if preflight is not None:
            preflight(source, settings)


def _load_models(inputs: ScanInputs, config: ScanConfig) -> dict[str, Backend]:
    sources = _sources(inputs)
    # Outputs made elsewhere need no model, and torch takes seconds and 200 MB.
    if not sources:
        return {}
    build = load_plugin("backends", config.model.backend).build
    return {role: build(source, config.model) for role, source in sources.items()}


def _tokenizer(inputs: ScanInputs, models: Mapping[str, Backend]) -> Any:
    if "scanned" in models:
        return models["scanned"].tokenize
    if inputs.tokenizer is None:
        return None
    from phiscan.tokenizer import load_tokenizer, tokenize

    if not is_folder(str(inputs.tokenizer)):
        raise ConfigError("--tokenizer: no such directory")
    tokenizer = load_tokenizer(inputs.tokenizer, "--tokenizer")
    return lambda texts: tokenize(tokenizer, texts)


def _check_lengths(loaded: Loaded) -> None:
    """Some note a model was trained on must be longer than the shortest prefix."""
    assert loaded.tokenize is not None
    shortest = loaded.config.regenerate.prefix_lengths[0]
    longest = 0
    members = (note.text for note in loaded.notes.notes if note.split == "member")
    while longest <= shortest and (texts := list(islice(members, _NOTES_AT_ONCE))):
        longest = max(longest, *(len(tokens.ids) for tokens in loaded.tokenize(texts)))
    if longest <= shortest:
        raise NoteFormatError(
            f"--notes: no note is longer than the shortest prefix of {shortest} tokens; the longest has "
            f"{longest} (set regenerate.prefix_lengths)"
        )


def _check_same_tokens(loaded: Loaded) -> None:
    """A control must cut the notes into the same tokens, or its prompts would be others."""
    control = loaded.models.get("control")
    if control is None:
        return
    texts = [note.text for note in loaded.notes.notes[:_NOTES_COMPARED]]
    scanned = loaded.models["scanned"].tokenize(texts)
    if any(a.ids != b.ids for a, b in zip(control.tokenize(texts), scanned, strict=True)):
        raise ConfigError(
            "--control: its tokenizer differs from the scanned model's; use a control with the same "
            "one, or --replay with outputs of both"
        )


def _identity(
    run: RunDirectory,
    inputs: ScanInputs,
    config: ScanConfig,
    files: Sequence[InputIdentity],
    models: Mapping[str, Backend],
    detectors: Mapping[str, Detector],
) -> dict[str, Any]:
    """What must be equal for a run to be resumed; batch size and threads change no token."""
    settings = config.model_dump(mode="json")
    settings["model"] = {k: v for k, v in settings["model"].items() if k not in ("batch_size", "threads")}
    # The pass over every note may be made before a scan, after it, or not at all.
    del settings["expose"]["enabled"]
    # Metrics may be added to answers that stand: their parts bear a digest of their own.
    del settings["metrics"]
    del settings["options"], settings["adapt"]  # of other commands
    del settings["release"]  # people write it; it may be written later
    settings["detect"] = {
        k: v for k, v in settings["detect"].items() if k not in ("batch_size", "threads", "cache_mb")
    }
    asked = [
        m.model_dump(mode="json", exclude={"batch_size", "threads"}, exclude_none=True)
        for m in model_identities(models)
    ]
    return {
        "phiscan version": phiscan.__version__,
        "settings": settings,
        # Gold may be given to answers that stand: what is made of it bears a digest of its own.
        "inputs": {found.argument: found.keyed_digest for found in files if found.argument != GOLD},
        "models": {found["role"]: found for found in asked},
        "names": {
            "model": run.keyed(str((inputs.model, inputs.adapter))),
            "control": run.keyed(str(inputs.control)),
            "tokenizer": run.keyed(str(inputs.tokenizer)),
        },
        "detectors": {name: found.describe() for name, found in detectors.items()},
        "lexicons beyond PHI": lexicon_digest(),
    }


def _of_notes(identity: Mapping[str, Any]) -> dict[str, Any]:
    """What decides what is made of the notes alone, whatever model is asked for them."""
    return {name: found for name, found in identity.items() if name not in ("models", "names")}


@contextmanager
def _timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    started = time.monotonic()
    yield
    seconds[stage] = time.monotonic() - started
