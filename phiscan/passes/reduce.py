"""Pass 3: tables -> measures -> decision -> report. Cheap, so always made anew."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

import phiscan
from phiscan.config import ScanConfig
from phiscan.decodings import GIVEN
from phiscan.errors import StoreError
from phiscan.grams import Ints
from phiscan.measures.chance import chance_rows
from phiscan.measures.exposure import ExposureTables, measure_exposure
from phiscan.measures.plants import measure_plants
from phiscan.measures.scan import Tables, measure
from phiscan.measures.similarity import SimilarityTables, measure_similarity
from phiscan.measures.spikes import measure_spikes
from phiscan.passes.confirm import confirmation_rows
from phiscan.passes.index import PLANTS
from phiscan.passes.plan import Loaded, Plan, ScanInputs
from phiscan.passes.reopen import FinishedRun
from phiscan.protocols import Backend
from phiscan.records import Unit, arm_of
from phiscan.report import build_report
from phiscan.review.settle import judgement, opinions, settle
from phiscan.run_files import REVIEW
from phiscan.scan_report import (
    ChanceRow,
    Coverage,
    ExposureSection,
    InputIdentity,
    Manifest,
    ModelIdentity,
    PlantSection,
    PrefixCoverage,
    ReviewSection,
    ScanReport,
    SimilaritySection,
    SpikeSection,
)
from phiscan.store import RunDirectory, codes_of, files_of
from phiscan.value_index import ValueIndex

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS: dict[str, list[str]] = {
    "notes": ["note_id", "patient_id", "split", "copies", "n_chars", "n_tokens"],
    "prompts": ["prompt_id", "note_id", "scheme", "tier", "prefix_tok", "prefix_end"],
    "continuations": ["gen_id", "prompt_id", "note_id", "arm", "decoding", "draw", "stop", "degenerate"],
    "matches": ["gen_id", "unit", "where", "n_units", "net_units", "cont_unit", "n_patients"],
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
    "repetitions": ["note_id", "group", "repetitions", "same_patient", "copied_share", "crowded"],
    "audits": ["note_id", "arm", "prefix_tok", "n_tokens", "run_tok"],
    "passages": ["gen_id", "topic", "status", "in_prompt", "in_record", "linked"],
    "screened": ["note_id", "prompts", "drawn", "probability"],
}
_EXPOSURES = [
    *("note_id", "category", "logprob", "control_logprob", "greedy", "ties", "shown_before", "windowed"),
    *("rank", "decoys", "given_rank", "given_decoys", "exposure_bits"),
]
_NEXT = ("next_tok", "next_logprob")
_PACKAGES = ("torch", "transformers", "tokenizers", "peft", "presidio-analyzer", "spacy", "numpy", "pyarrow")


def make_report(plan: Plan, seconds: Mapping[str, float]) -> ScanReport:
    """The report of a finished map pass."""
    tables = read_tables(plan.run)
    return build_report(
        manifest=make_manifest(plan.loaded, seconds),
        coverage=make_coverage(plan, tables),
        **_measured(
            plan.run,
            tables,
            plan.loaded.config,
            values=plan.values,
            patients=plan.words.note_patient,
            units=_units(plan.tokens is not None),
            template_patients=plan.template_patients,
        ),
    )


def renew_report(finished: FinishedRun) -> ScanReport:
    """The report of a finished run, measured anew: people may have spoken since, or notes been scored."""
    return build_report(
        manifest=finished.report.manifest,
        coverage=finished.report.coverage,
        **_measured(
            finished.run,
            read_tables(finished.run),
            finished.config,
            values=finished.values,
            patients=finished.words.note_patient,
            units=_units(finished.has_tokens),
            template_patients=finished.template_patients,
        ),
    )


def _measured(
    run: RunDirectory,
    tables: Tables,
    config: ScanConfig,
    *,
    values: ValueIndex,
    patients: Ints,
    units: tuple[Unit, ...],
    template_patients: int,
) -> dict[str, Any]:
    """What :func:`build_report` takes, but for what was asked."""
    seed = config.run.seed
    found = measure(
        tables,
        seed=seed,
        template_patients=template_patients,
        units=units,
        repetitions=config.repetitions,
    )
    return {
        **found._asdict(),
        "max_degenerate": config.measure.max_degenerate,
        "chance": make_chance(run, tables, values, patients, seed),
        "confirmations": tuple(confirmation_rows(run)),
        "exposure": exposure_section(run, seed),
        "similarity": similarity_section(run, tables, units[0], seed),
        "review": review_section(run),
        "spikes": spike_section(run, tables),
        "plants": plant_section(run, seed, units, template_patients),
    }


def read_tables(run: RunDirectory) -> Tables:
    """The tables that measures are made from; of a hit's verdicts a person's counts, and his latest."""
    frames = {name: run.read_frame(name, columns, coded=True) for name, columns in _COLUMNS.items()}
    said = _kinds_said(run)
    return Tables(
        **{**frames, "verdicts": _last_word(frames["verdicts"])},
        kinds_said=dict(zip(codes_of(said).tolist(), said.values(), strict=True)),
    )


def _kinds_said(run: RunDirectory) -> dict[str, str]:
    """What people say of an output's memorization, by gen_id: a confirmed sensitive passage is harmful."""
    if not run.has_table("review_answers"):
        return {}
    outputs = {item.doc_id: item.gen_id for item in run.read_table("review_items")}
    found = opinions(run.read_table("review_answers"), run.read_table("review_spans"))
    said: dict[str, str] = {}
    for doc_id, answers in found.items():
        settled = settle(answers)
        if settled is None or doc_id not in outputs:
            continue
        confirmed = any(
            span.kind == "beyond" and judgement(span) == "confirmed" for span in settled.opinion.spans
        )
        kind = "harmful" if confirmed else settled.opinion.answer.memorization
        if kind is not None:
            said[outputs[doc_id]] = kind
    return said


def _last_word(verdicts: pd.DataFrame) -> pd.DataFrame:
    human = verdicts["verifier"] == "human"
    if human.any():
        order = verdicts.assign(human=human).sort_values(
            ["human", "time"], kind="stable", na_position="first"
        )
        last = order.drop_duplicates("hit_id", keep="last").index.sort_values()
        verdicts = verdicts.loc[last].reset_index(drop=True)
    return verdicts.drop(columns=["verifier", "time"])


def _units(tokens: bool) -> tuple[Unit, ...]:
    return ("token", "word") if tokens else ("word",)


def make_chance(
    run: RunDirectory, tables: Tables, values: ValueIndex, patients: Ints, seed: int
) -> tuple[ChanceRow, ...]:
    """Bare matches of each arm against re-pairing; only this looks values up again.

    ``patients``: number in the value index of each note's patient, by ordinal.
    """
    hits = run.read_frame("hits", ["hit_id", "gen_id", "category", "canonical", "text"], coded=True)
    said = ["hit_id", "verdict", "anchored", "specific", "note_side_miss"]
    gens = tables.continuations[tables.continuations["arm"] != "control_holdout"]
    hits = hits.merge(tables.verdicts[said], on="hit_id").merge(
        gens[["gen_id", "note_id", "arm"]], on="gen_id"
    )
    hits = hits[hits["verdict"] != "not_phi"]
    ordinals = run.read_frame("notes", ["note_id", "ordinal"], coded=True).set_index("note_id")["ordinal"]
    hits["patient"] = hits["note_id"].map(ordinals.map(lambda ordinal: patients[ordinal]))
    return tuple(chance_rows(hits, values, patients.tolist(), seed=seed))


def exposure_section(run: RunDirectory, seed: int) -> ExposureSection | None:
    """What the pass over every note says; None if it was not made."""
    if not run.has_table("audits"):
        return None
    tables = (
        _with_plants(run, "notes", ["note_id", "patient_id", "split", "n_tokens", "copies"]),
        _with_plants(run, "exposures", _EXPOSURES),
        _with_plants(run, "audits", [*_COLUMNS["audits"], *_NEXT, "score_tok"]),
        _with_plants(run, "discoverable", ["note_id", "arm", "prefix_tok", "decoding", *_NEXT]),
    )
    return measure_exposure(ExposureTables(*tables), seed=seed)


def _with_plants(run: RunDirectory, table: str, columns: Sequence[str]) -> pd.DataFrame:
    """A table of patients, and the same of plants and twins where there are any."""
    import pandas as pd

    found = run.read_frame(table, columns, coded=True)
    more = run.beside(PLANTS).read_frame(table, columns, coded=True)
    if more.empty:
        return found
    for name in found.select_dtypes("category"):
        words = sorted({*found[name].cat.categories, *more[name].cat.categories})
        found[name], more[name] = (part[name].cat.set_categories(words) for part in (found, more))
    return pd.concat([found, more], ignore_index=True)


def similarity_section(run: RunDirectory, tables: Tables, unit: Unit, seed: int) -> SimilaritySection | None:
    """How alike answers and notes are; None if no metric was asked for."""
    rows = run.read_frame("similarities", ["gen_id", "metric", "value", "reason"], coded=True)
    if rows.empty:
        return None
    frames = SimilarityTables(tables.notes, tables.prompts, tables.continuations, rows, tables.screened)
    return measure_similarity(frames, unit=unit, seed=seed)


def review_section(run: RunDirectory) -> ReviewSection | None:
    """What people's review found, as `phiscan review score` left it; None if it was not scored."""
    if not run.has_file(REVIEW):
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


def plant_section(
    run: RunDirectory, seed: int, units: Sequence[Unit], template_patients: int
) -> PlantSection | None:
    """What the model gave back of plants and twins; None if the notes hold none."""
    plants = run.beside(PLANTS)
    if not plants.has_table("notes"):
        return None
    return measure_plants(read_tables(plants), unit=units[0], seed=seed, template_patients=template_patients)


def make_coverage(plan: Plan, tables: Tables) -> Coverage:
    """Counts of everything loaded, asked and lost."""
    loaded, notes = plan.loaded.notes, tables.notes
    holdout = notes[notes["split"] == "holdout"]
    prefixes = tuple(_prefix_coverage(plan, tables))
    generated = plan.run.count_chars("continuations", "text")
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
        "chars_loaded": plan.notes.chars(),
        "chars_scanned": plan.run.chars_read("phi"),
        "note_side_misses": _note_side_misses(plan.run),
        "control_holdout_failed": int((failed["arm"] == "control_holdout").sum()),
        "phi_spans": plan.run.count_rows("phi"),
        "prefixes": prefixes,
        "chars_generated": generated,
        "chars_generated_scanned": plan.run.chars_read("hits"),
    }
    if replay is not None:
        lost = tables.continuations.merge(tables.prompts, on="prompt_id", how="left", suffixes=("", "_p"))
        known = lost["note_id"].isin(notes["note_id"])
        counts |= {
            "rows_bad": _added(counts["rows_bad"], replay.rows_bad),
            # Outputs for plants and twins are counted with them.
            "replay_rows": len(replay.rows) - replay.rows.count_from(len(plan.notes)),
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
    """What became of the notes in each design and at each prefix length, arm by arm."""
    kinds = ["prompt_id", "scheme", "tier", "prefix_tok"]
    gens = tables.continuations.merge(tables.prompts[kinds], on="prompt_id", how="left")
    arms, left_out = _arms_asked(plan), _left_out(tables)
    for arm in ("scanned", "holdout", "control"):
        mine = gens[gens["arm"] == arm]
        split = "holdout" if arm == "holdout" else "member"
        pool = int((tables.notes["split"] == split).sum())
        spared = left_out[left_out["split"] == split]
        for scheme, tier, decoding, length in _cells(plan, mine, asked=arm in arms):
            asked = (mine["scheme"] == scheme) & (mine["tier"] == tier) & (mine["decoding"] == decoding)
            here = _at_length(mine[asked], length)
            screened = len(_at_length(spared, length))
            degenerate = here["degenerate"].value_counts()
            failed = int((here["stop"] == "failed").sum())
            asked_for = here["note_id"].nunique()
            yield PrefixCoverage(
                arm=arm,
                scheme=scheme,
                tier=tier,
                decoding=decoding,
                prefix_length=length,
                asked=len(here),
                done=len(here) - failed,
                failed=failed,
                too_short=0 if plan.loaded.replay is not None else pool - asked_for - screened,
                screened=screened,
                empty=int(degenerate.get("empty", 0)),
                looping=int(degenerate.get("looping", 0)),
                off_language=int(degenerate.get("off_language", 0)),
            )


def _at_length(rows: pd.DataFrame, length: int | None) -> pd.DataFrame:
    return rows[rows["prefix_tok"].isna() if length is None else rows["prefix_tok"] == length]


def _left_out(tables: Tables) -> pd.DataFrame:
    """Prompts that screening spared, with the arm they would have been asked in."""
    assert tables.screened is not None
    spared = tables.screened.loc[~tables.screened["drawn"].astype(bool), "note_id"]
    prompts = tables.prompts[tables.prompts["note_id"].isin(spared)]
    return prompts.merge(tables.notes[["note_id", "split"]], on="note_id", how="left")


def _arms_asked(plan: Plan) -> set[str]:
    """Arms whose model was asked about their notes, however short these are."""
    if plan.loaded.replay is not None:
        return set()
    return {
        arm_of(split, control=role == "control")
        for split in plan.notes.splits()
        for role in plan.loaded.models
    }


def _cells(plan: Plan, rows: pd.DataFrame, *, asked: bool) -> Iterator[tuple[str, str, str, int | None]]:
    """Every (scheme, tier, decoding, prefix length) that was to be asked, or that replayed rows have."""
    if plan.loaded.replay is None:
        settings = plan.loaded.config.regenerate
        for (scheme, tier), decoding in product(settings.designs, settings.decodings) if asked else ():
            lengths = (None,) if tier == "metadata" else settings.prefix_lengths
            yield from ((scheme, tier, decoding, length) for length in lengths)
        return
    for length in sorted(int(length) for length in rows["prefix_tok"].dropna().unique()):
        yield "given", "prefix", GIVEN, length
    if rows["prefix_tok"].isna().any():
        yield "given", "prefix", GIVEN, None


def make_manifest(loaded: Loaded, seconds: Mapping[str, float]) -> Manifest:
    """Versions, settings, inputs and models of this run."""
    return Manifest(
        phiscan_version=phiscan.__version__,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.machine()}",
        packages=package_versions(),
        seed=loaded.config.run.seed,
        settings=loaded.config.model_dump(mode="json"),
        inputs=loaded.inputs,
        models=model_identities(loaded.models),
        metrics={n: m if isinstance(m, str) else m.describe() for n, m in loaded.metrics.items()},
        detectors={name: detector.describe() for name, detector in loaded.detectors.items()},
        seconds={stage: round(value, 1) for stage, value in seconds.items()},
    )


def package_versions() -> dict[str, str]:
    """Versions of the packages that decide figures."""
    return {name: found for name in _PACKAGES if (found := _version(name))}


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


def model_identities(models: Mapping[str, Backend]) -> tuple[ModelIdentity, ...]:
    """What was asked, scanned model first; without a model the outputs were made elsewhere."""
    if not models:
        return (ModelIdentity(backend="replay"),)
    return tuple(backend.identity().model_copy(update={"role": role}) for role, backend in models.items())


def _added(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
    return {reason: first.get(reason, 0) + second.get(reason, 0) for reason in {**first, **second}}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
