"""Pass 3: tables -> measures -> decision -> report. Cheap, so always made anew."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

import phiscan
from phiscan.chance import chance_rows
from phiscan.errors import StoreError
from phiscan.exposure_measures import ExposureTables, measure_exposure
from phiscan.measure import Tables, measure
from phiscan.passes.plan import Loaded, Plan, ScanInputs
from phiscan.passes.reopen import FinishedRun
from phiscan.records import Unit, arm_of
from phiscan.report import build_report
from phiscan.scan_report import (
    ChanceRow,
    Coverage,
    ExposureSection,
    InputIdentity,
    Manifest,
    ModelIdentity,
    PrefixCoverage,
    ReviewSection,
    ScanReport,
    SpikeSection,
)
from phiscan.spike_measures import measure_spikes
from phiscan.store import RunDirectory, files_of
from phiscan.value_index import ValueIndex

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS: dict[str, list[str]] = {
    "notes": ["note_id", "patient_id", "split", "copies", "n_chars", "n_tokens"],
    "prompts": ["prompt_id", "note_id", "scheme", "tier", "prefix_tok", "prefix_end"],
    "continuations": ["gen_id", "prompt_id", "note_id", "arm", "stop", "degenerate"],
    "matches": ["gen_id", "unit", "where", "n_units", "net_units"],
    "hits": ["hit_id", "gen_id", "note_id", "category", "hipaa", "group", "canonical"],
    "verdicts": [
        "hit_id",
        "gen_id",
        "verdict",
        "matched_category",
        "matched_member",
        "anchored",
        "specific",
        "control_emits",
        "n_patients",
        "note_side_miss",
        "verifier",
        "time",
    ],
    "at_risk": [
        "gen_id",
        "prompt_id",
        "note_id",
        "category",
        "hipaa",
        "canonical",
        "within_reach",
        "recovered",
    ],
    "passages": ["gen_id", "topic", "status", "in_prompt", "in_record", "linked"],
}
_EXPOSURES = [
    *("note_id", "category", "logprob", "control_logprob", "greedy", "ties", "shown_before", "windowed"),
    *("rank", "decoys", "exposure_bits"),
]
_NEXT = ("next_tok", "next_logprob")
REVIEW = "review/score.json"
"""Where the figures of a scored review stand in the run directory."""
_PACKAGES = ("torch", "transformers", "tokenizers", "peft", "presidio-analyzer", "spacy", "numpy", "pyarrow")


def make_report(plan: Plan, inputs: ScanInputs, seconds: Mapping[str, float]) -> ScanReport:
    """The report of a finished map pass."""
    config = plan.loaded.config
    tables = read_tables(plan.run)
    patients = {note.note_id: plan.words.patient(note.ordinal) for note in plan.notes}
    return build_report(
        manifest=make_manifest(plan.run, plan.loaded, inputs, seconds),
        coverage=make_coverage(plan, tables),
        max_degenerate=config.measure.max_degenerate,
        chance=make_chance(plan.run, tables, plan.values, patients, config.run.seed),
        exposure=exposure_section(plan.run, config.run.seed),
        review=review_section(plan.run),
        spikes=spike_section(plan.run, tables),
        **measure(
            tables,
            seed=config.run.seed,
            template_patients=plan.template_patients,
            units=_units(plan.tokens is not None),
        )._asdict(),
    )


def renew_report(finished: FinishedRun) -> ScanReport:
    """The report of a finished run, measured anew: people may have spoken since."""
    config, tables = finished.config, read_tables(finished.run)
    return build_report(
        manifest=finished.report.manifest,
        coverage=finished.report.coverage,
        max_degenerate=config.measure.max_degenerate,
        chance=make_chance(finished.run, tables, finished.values, finished.patient_numbers, config.run.seed),
        exposure=exposure_section(finished.run, config.run.seed),
        review=review_section(finished.run),
        spikes=spike_section(finished.run, tables),
        **measure(
            tables,
            seed=config.run.seed,
            template_patients=finished.template_patients,
            units=_units(finished.has_tokens),
        )._asdict(),
    )


def read_tables(run: RunDirectory) -> Tables:
    """The tables that measures are made from; of a hit's verdicts a person's counts, and his latest."""
    frames = {name: run.read_frame(name, columns) for name, columns in _COLUMNS.items()}
    return Tables(**{**frames, "verdicts": _last_word(frames["verdicts"])})


def _last_word(verdicts: pd.DataFrame) -> pd.DataFrame:
    order = verdicts.assign(human=verdicts["verifier"] == "human", said=verdicts["time"].fillna(""))
    last = order.sort_values(["human", "said"], kind="stable").drop_duplicates("hit_id", keep="last")
    return verdicts.loc[last.index.sort_values()].reset_index(drop=True)


def _units(tokens: bool) -> tuple[Unit, ...]:
    return ("token", "word") if tokens else ("word",)


def make_chance(
    run: RunDirectory, tables: Tables, values: ValueIndex, patients: Mapping[str, int], seed: int
) -> tuple[ChanceRow, ...]:
    """Bare matches of each arm against re-pairing; only this looks values up again.

    ``patients``: number of each note's patient in the value index.
    """
    hits = run.read_frame("hits", ["hit_id", "gen_id", "category", "canonical", "text"])
    said = ["hit_id", "verdict", "anchored", "specific", "note_side_miss"]
    gens = tables.continuations[tables.continuations["arm"] != "control_holdout"]
    hits = hits.merge(tables.verdicts[said], on="hit_id").merge(
        gens[["gen_id", "note_id", "arm"]], on="gen_id"
    )
    hits = hits[hits["verdict"] != "not_phi"]
    hits["patient"] = hits["note_id"].map(patients)
    return tuple(chance_rows(hits, values, patients.values(), seed=seed))


def exposure_section(run: RunDirectory, seed: int) -> ExposureSection | None:
    """What the pass over every note says; None if it was not made."""
    if not run.has_table("audits"):
        return None
    tables = ExposureTables(
        run.read_frame("notes", ["note_id", "patient_id", "split", "n_tokens"]),
        run.read_frame("exposures", _EXPOSURES),
        run.read_frame("audits", ["note_id", "arm", "prefix_tok", "n_tokens", "run_tok", *_NEXT]),
    )
    return measure_exposure(tables, seed=seed)


def review_section(run: RunDirectory) -> ReviewSection | None:
    """What people's review found, as `phiscan review score` left it; None if it was not scored."""
    if not (run.root / REVIEW).is_file():
        return None
    try:
        return ReviewSection.model_validate(run.read_json(REVIEW))
    except ValidationError:
        raise StoreError(
            f"the run directory's {REVIEW} is damaged; run `phiscan review score` again"
        ) from None


def spike_section(run: RunDirectory, tables: Tables) -> SpikeSection | None:
    """What the scanner found of the spikes; None for a run that knows of none."""
    if not run.has_table("spikes"):
        return None
    scanned = tables.continuations.loc[tables.continuations["arm"] == "scanned", "gen_id"]
    at_risk = tables.at_risk.loc[tables.at_risk["gen_id"].isin(scanned), "category"]
    return measure_spikes(list(run.read_table("spikes")), at_risk.unique())


def make_coverage(plan: Plan, tables: Tables) -> Coverage:
    """Counts of everything loaded, asked and lost."""
    loaded, notes = plan.loaded.notes, tables.notes
    holdout = notes[notes["split"] == "holdout"]
    prefixes = tuple(_prefix_coverage(plan, tables))
    generated = plan.run.read_frame("continuations", ["text"])["text"].str.len().sum()
    replay = plan.loaded.replay
    failed = tables.continuations[tables.continuations["stop"] == "failed"]
    counts: dict[str, Any] = {
        "rows_read": loaded.rows_read,
        "rows_bad": _added(loaded.rows_bad, plan.loaded.known.rows_bad if plan.loaded.known else {}),
        "rows_dropped": loaded.rows_dropped,
        "copies_folded": loaded.copies_folded,
        "notes": len(notes),
        "patients": int(notes["patient_id"].nunique()),
        "holdout_notes": len(holdout),
        "holdout_patients": int(holdout["patient_id"].nunique()),
        "known_identifiers": len(plan.loaded.known.identifiers) if plan.loaded.known else 0,
        "chars_loaded": sum(note.n_chars for note in plan.notes),
        "chars_scanned": plan.run.chars_read("phi"),
        "note_side_misses": _note_side_misses(plan.run),
        "control_holdout_failed": int((failed["arm"] == "control_holdout").sum()),
        "phi_spans": len(plan.run.read_frame("phi", ["phi_id"])),
        "prefixes": prefixes,
        "chars_generated": int(generated),
        "chars_generated_scanned": plan.run.chars_read("hits"),
    }
    if replay is not None:
        lost = tables.continuations.merge(tables.prompts, on="prompt_id", how="left", suffixes=("", "_p"))
        known = lost["note_id"].isin(notes["note_id"])
        counts |= {
            "rows_bad": _added(counts["rows_bad"], replay.rows_bad),
            "replay_rows": len(replay.rows),
            "replay_unknown_note": int((~known).sum()),
            "replay_prefix_not_found": int((known & lost["prefix_end"].isna()).sum()),
        }
    complete = (
        counts["chars_loaded"] == counts["chars_scanned"]
        and counts["chars_generated"] == counts["chars_generated_scanned"]
        and not sum(counts["rows_bad"].values())
        and not counts.get("replay_unknown_note", 0)
        and not counts["control_holdout_failed"]
        and not any(cell.failed for cell in prefixes)
    )
    return Coverage(**counts, complete=complete)


def _note_side_misses(run: RunDirectory) -> int:
    """Counted from the rules' verdicts: what people said since changes nothing in what was loaded."""
    said = run.read_frame("verdicts", ["note_side_miss", "verifier"])
    return int((said["note_side_miss"] & (said["verifier"] == "rule")).sum())


def _prefix_coverage(plan: Plan, tables: Tables) -> Iterator[PrefixCoverage]:
    """What became of the notes at each prefix length, arm by arm."""
    gens = tables.continuations.merge(tables.prompts[["prompt_id", "prefix_tok"]], on="prompt_id", how="left")
    arms = _arms_asked(plan)
    members = int((tables.notes["split"] == "member").sum())
    for arm in ("scanned", "holdout", "control"):
        mine = gens[gens["arm"] == arm]
        pool = len(tables.notes) - members if arm == "holdout" else members
        for length in _lengths(plan, mine, asked=arm in arms):
            here = mine[mine["prefix_tok"].isna() if length is None else mine["prefix_tok"] == length]
            kinds = here["degenerate"].value_counts()
            failed = int((here["stop"] == "failed").sum())
            yield PrefixCoverage(
                arm=arm,
                prefix_length=length,
                asked=len(here),
                done=len(here) - failed,
                failed=failed,
                too_short=0 if plan.loaded.replay is not None else pool - len(here),
                empty=int(kinds.get("empty", 0)),
                looping=int(kinds.get("looping", 0)),
                off_language=int(kinds.get("off_language", 0)),
            )


def _arms_asked(plan: Plan) -> set[str]:
    """Arms whose model was asked about their notes, however short these are."""
    if plan.loaded.replay is not None:
        return set()
    splits = {note.split for note in plan.notes}
    return {arm_of(split, control=role == "control") for split in splits for role in plan.loaded.models}


def _lengths(plan: Plan, rows: pd.DataFrame, *, asked: bool) -> Iterable[int | None]:
    if plan.loaded.replay is None:
        return plan.loaded.config.regenerate.prefix_lengths if asked else ()
    known = sorted(int(length) for length in rows["prefix_tok"].dropna().unique())
    return [*known, *([None] if rows["prefix_tok"].isna().any() else [])]


def make_manifest(
    run: RunDirectory, loaded: Loaded, inputs: ScanInputs, seconds: Mapping[str, float]
) -> Manifest:
    """Versions, settings, inputs and models of this run."""
    return Manifest(
        phiscan_version=phiscan.__version__,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.machine()}",
        packages={name: found for name in _PACKAGES if (found := _version(name))},
        seed=loaded.config.run.seed,
        settings=loaded.config.model_dump(mode="json"),
        inputs=input_identities(run, inputs),
        models=model_identities(loaded),
        detectors={name: detector.describe() for name, detector in loaded.detectors.items()},
        seconds={stage: round(value, 1) for stage, value in seconds.items()},
    )


def input_identities(run: RunDirectory, inputs: ScanInputs) -> tuple[InputIdentity, ...]:
    """Keyed digests of the input files."""
    return tuple(
        InputIdentity(
            argument=argument,
            keyed_digest=run.keyed_file(path),
            bytes=sum(part.stat().st_size for part in files_of(path)),
        )
        for argument, path in inputs.files().items()
    )


def model_identities(loaded: Loaded) -> tuple[ModelIdentity, ...]:
    """What was asked, scanned model first."""
    if loaded.replay is not None:
        return (ModelIdentity(backend="replay"),)
    return tuple(
        backend.identity().model_copy(update={"role": role}) for role, backend in loaded.models.items()
    )


def _added(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
    return {reason: first.get(reason, 0) + second.get(reason, 0) for reason in {**first, **second}}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
