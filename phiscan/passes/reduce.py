"""Pass 3: tables -> measures -> decision -> report. Cheap, so always made anew."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

import phiscan
from phiscan.config import ScanConfig
from phiscan.errors import StoreError
from phiscan.grams import Ints
from phiscan.measures.chance import ChanceCounts
from phiscan.measures.exposure import ExposureTables, measure_exposure
from phiscan.measures.plants import measure_plants
from phiscan.measures.run import RunMeasures
from phiscan.measures.scan import Tables
from phiscan.measures.similarity import Similarities
from phiscan.measures.spikes import measure_spikes
from phiscan.note_index import Notes
from phiscan.note_types import types_to_name
from phiscan.passes.confirm import confirmation_rows
from phiscan.passes.coverage import CoverageCounts
from phiscan.passes.index import PLANTS
from phiscan.passes.plan import Loaded, Plan, ScanInputs
from phiscan.passes.reopen import FinishedRun
from phiscan.passes.tables import COLUMNS, read_shards, read_tables, ways_of
from phiscan.protocols import Backend
from phiscan.records import Unit
from phiscan.report import build_report
from phiscan.review.settle import judgement, opinions, settle
from phiscan.run_files import REVIEW
from phiscan.scan_report import (
    DetectionSection,
    ExposureSection,
    InputIdentity,
    Manifest,
    ModelIdentity,
    PlantSection,
    ReviewSection,
    ScanReport,
    SpikeSection,
)
from phiscan.small_cells import LEAST
from phiscan.store import RunDirectory, codes_of, files_of
from phiscan.value_index import ValueIndex

if TYPE_CHECKING:
    import pandas as pd

_EXPOSURES = [
    *("note_id", "category", "logprob", "control_logprob", "greedy", "ties", "shown_before", "windowed"),
    *("rank", "decoys", "given_rank", "given_decoys", "exposure_bits"),
]
_NEXT = ("next_tok", "next_logprob")
_PACKAGES = ("torch", "transformers", "tokenizers", "peft", "presidio-analyzer", "spacy", "numpy", "pyarrow")


def make_report(
    plan: Plan, seconds: Mapping[str, float], detection: DetectionSection | None = None
) -> ScanReport:
    """The report of a finished map pass; ``detection``: what was measured on gold notes."""
    ways = ways_of(plan.run, plan.loaded.config)
    coverage = CoverageCounts(plan, ways)
    measured = _measured(
        plan.run,
        plan.loaded.config,
        ways,
        values=plan.values,
        notes=plan.notes,
        patients=plan.words.note_patient,
        units=_units(plan.tokens is not None),
        template_patients=plan.template_patients,
        coverage=coverage,
    )
    manifest = make_manifest(plan.loaded, seconds)
    return build_report(
        manifest=manifest,
        coverage=coverage.coverage(),
        release=plan.loaded.config.release,
        detection=detection,
        **measured,
    )


def renew_report(finished: FinishedRun) -> ScanReport:
    """The report of a finished run, measured anew: people may have spoken since, or notes been scored."""
    measured = _measured(
        finished.run,
        finished.config,
        ways_of(finished.run, finished.config),
        values=finished.values,
        notes=finished.notes,
        patients=finished.words.note_patient,
        units=_units(finished.has_tokens),
        template_patients=finished.template_patients,
    )
    # What these say does not change after a scan.
    kept = ("manifest", "coverage", "release", "detection")
    return build_report(**{name: getattr(finished.report, name) for name in kept}, **measured)


def _measured(
    run: RunDirectory,
    config: ScanConfig,
    ways: pd.DataFrame,
    *,
    values: ValueIndex,
    notes: Notes,
    patients: Ints,
    units: tuple[Unit, ...],
    template_patients: int,
    coverage: CoverageCounts | None = None,
) -> dict[str, Any]:
    """What :func:`build_report` takes, but for what was asked, which ``coverage`` counts on the way.

    ``patients``: number in the value index of each note's patient, by ordinal.
    """
    seed = config.run.seed
    said = _kinds_said(run)
    counts = RunMeasures(
        ways,
        template_patients=template_patients,
        units=units,
        repetitions=config.repetitions,
        types=types_to_name(
            notes.types(),
            least=max(LEAST, template_patients),
            is_person=lambda name: values.shown_by_others("PATIENT", name, patient=None),
        ),
        people=dict(zip(codes_of(said).tolist(), said.values(), strict=True)),
    )
    chance, alike = ChanceCounts(values, patients), Similarities(ways, unit=units[0])
    at_risk: set[str] = set()
    for tables in read_shards(run):
        counts.add(tables)
        chance.add(_hits_by_patient(tables, patients))
        alike.add(tables)
        at_risk |= _categories_at_risk(tables)
        if coverage is not None:
            coverage.add(tables)
    return {
        **counts.measures(seed=seed)._asdict(),
        "max_degenerate": config.measure.max_degenerate,
        "chance": tuple(chance.rows(seed=seed)),
        "confirmations": tuple(confirmation_rows(run)),
        "exposure": exposure_section(run, seed),
        "similarity": alike.section(seed=seed),
        "review": review_section(run),
        "spikes": spike_section(run, at_risk),
        "plants": plant_section(run, seed, units, template_patients),
    }


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


def _units(tokens: bool) -> tuple[Unit, ...]:
    return ("token", "word") if tokens else ("word",)


def _hits_by_patient(tables: Tables, patients: Ints) -> pd.DataFrame:
    """The hits with their verdicts, the arm of their answer and the number of its patient."""
    said = ["hit_id", "verdict", "anchored", "specific", "note_side_miss"]
    gens = tables.continuations[tables.continuations["arm"] != "control_holdout"]
    hits = tables.hits.drop(columns="note_id").merge(tables.verdicts[said], on="hit_id")
    hits = hits[hits["verdict"] != "not_phi"].merge(gens[["gen_id", "note_id", "arm"]], on="gen_id")
    numbers = tables.notes.set_index("note_id")["ordinal"].map(lambda ordinal: patients[ordinal])
    return hits.assign(patient=hits["note_id"].map(numbers))


def _categories_at_risk(tables: Tables) -> set[str]:
    """Of which something was at risk in an answer of the scanned model."""
    scanned = tables.continuations.loc[tables.continuations["arm"] == "scanned", "gen_id"]
    return set(tables.at_risk.loc[tables.at_risk["gen_id"].isin(scanned), "category"])


def exposure_section(run: RunDirectory, seed: int) -> ExposureSection | None:
    """What the pass over every note says; None if it was not made."""
    if not run.has_table("audits"):
        return None
    tables = (
        _with_plants(run, "notes", ["note_id", "patient_id", "split", "n_tokens", "copies"]),
        _with_plants(run, "exposures", _EXPOSURES),
        _with_plants(run, "audits", [*COLUMNS["audits"], *_NEXT, "score_tok"]),
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


def spike_section(run: RunDirectory, at_risk: Iterable[str]) -> SpikeSection | None:
    """What the scanner found of the spikes; None for a run that knows of none.

    ``at_risk``: categories of which something was.
    """
    if not run.has_table("spikes"):
        return None
    return measure_spikes(list(run.read_table("spikes")), at_risk)


def plant_section(
    run: RunDirectory, seed: int, units: Sequence[Unit], template_patients: int
) -> PlantSection | None:
    """What the model gave back of plants and twins; None if the notes hold none."""
    plants = run.beside(PLANTS)
    if not plants.has_table("notes"):
        return None
    return measure_plants(read_tables(plants), unit=units[0], seed=seed, template_patients=template_patients)


def make_manifest(loaded: Loaded, seconds: Mapping[str, float]) -> Manifest:
    """Versions, settings, inputs and models of this run."""
    return Manifest(
        phiscan_version=phiscan.__version__,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.machine()}",
        packages=package_versions(),
        seed=loaded.config.run.seed,
        settings=loaded.config.model_dump(mode="json", exclude={"release"}),
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


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
