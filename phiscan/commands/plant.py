"""Plants and twins for a training to come: made-up patients as notes, some mixed in, some left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

import phiscan
from phiscan.commands.demo_corpus import known_table
from phiscan.commands.plant_mixing import TRAINED, Row, Survey, line_of, mixed, rows_of, survey_notes
from phiscan.commands.plant_notes import write_note
from phiscan.commands.plant_patients import (
    MOST_PATIENTS,
    PlantPatient,
    draw_patients,
    own_values,
    plant_surnames,
)
from phiscan.errors import ConfigError, StoreError
from phiscan.load import LoadSettings
from phiscan.private_file import private_folder, write_private
from phiscan.protocols import KnownIdentifier
from phiscan.scan_report import Model

MOST_REPETITIONS = 1_000
_ROUNDS = 10
"""Looks through the notes before the search for values that nobody has is given up."""


class PlantInputs(NamedTuple):
    """What the command line asks for."""

    out: Path
    notes: Path | None = None
    patients: int = 30
    """For each number of repetitions."""
    repetitions: tuple[int, ...] = (1, 3, 6)
    twins: int = 30
    seed: int = 0


class MadeUp(Model):
    """One made-up patient of the files."""

    patient_id: str
    split: Literal["plant", "twin"]
    repetitions: int
    """Times the note stands in training.jsonl."""


class PlantManifest(Model):
    """plants.json: who was planted how often. All of it is invented."""

    phiscan_version: str
    seed: int
    plants: int
    twins: int
    plant_rows: int
    """Rows of plants in training.jsonl."""
    notes_trained: int
    """Rows of the user's notes in training.jsonl."""
    notes_left_out: int
    """Rows of the user's notes in scan.jsonl alone: held out, or twins."""
    notes_empty: int
    """Rows of the user's notes without text, in neither file."""
    notes_sha256: str | None
    """Of the user's notes as they are written; null without any."""
    made_up: tuple[MadeUp, ...]


def parse_repetitions(given: str) -> tuple[int, ...]:
    """The numbers of a list such as ``1,3,6``, ascending; ConfigError for anything else.

    >>> parse_repetitions("6, 1")
    (1, 6)
    """
    words = [word.strip() for word in given.split(",")]
    numbers = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 10]
    fits = all(1 <= number <= MOST_REPETITIONS for number in numbers)
    if len(numbers) < len(words) or not fits:
        raise ConfigError(f"--repetitions: give whole numbers from 1 to {MOST_REPETITIONS:,}, such as 1,3,6")
    if len(set(numbers)) < len(numbers):
        raise ConfigError("--repetitions: a number stands there twice")
    return tuple(sorted(numbers))


def plant(inputs: PlantInputs, settings: LoadSettings) -> PlantManifest:
    """Write training.jsonl, scan.jsonl, known.csv and plants.json into the folder.

    The same inputs again write the same files. A folder with other files in it is refused.

    Raises:
        ConfigError: Numbers that cannot be, or more made-up patients than there are values for.
        NoteFormatError: Notes that cannot be read whole, or have ids like those of made-up patients.
        StoreError: The folder holds something else, or cannot be written.

    """
    arms = list(_arms(inputs))
    patients, survey = _patients(inputs, len(arms), settings)
    manifest = _manifest(inputs, arms, survey)
    _open_folder(inputs.out, manifest)
    planted, twins = _rows(patients, manifest)
    rng = Random(f"phiscan plant places {inputs.seed}")
    rng.shuffle(planted)
    places = sorted(rng.randrange(manifest.notes_trained + 1) for _ in planted)

    def to_scan() -> Iterator[Row]:
        notes = iter(()) if inputs.notes is None else rows_of(inputs.notes, settings)
        return chain(mixed(notes, planted, places), twins)

    training = (line_of(row) for row in to_scan() if row["split"] in TRAINED)
    write_private(inputs.out / "known.csv", known_table(_known(patients, manifest)), "--out")
    write_private(inputs.out / "training.jsonl", training, "--out")
    write_private(inputs.out / "scan.jsonl", map(line_of, to_scan()), "--out")
    return manifest


def _arms(inputs: PlantInputs) -> Iterator[int]:
    """Repetitions of each made-up patient in the order in which they are drawn, in turn; 0: a twin."""
    if inputs.patients < 1 or inputs.twins < 0:
        raise ConfigError("--patients must be 1 or more, and --twins 0 or more")
    count = inputs.patients * len(inputs.repetitions) + inputs.twins
    if count > MOST_PATIENTS:
        raise ConfigError(
            f"--patients, --twins: {count:,} made-up patients with all repetitions; a file holds at most "
            f"{MOST_PATIENTS}"
        )
    for turn in range(max(inputs.patients, inputs.twins)):
        yield from inputs.repetitions if turn < inputs.patients else ()
        yield from (0,) if turn < inputs.twins else ()


def _patients(
    inputs: PlantInputs, count: int, settings: LoadSettings
) -> tuple[list[PlantPatient], Survey | None]:
    """``count`` patients, nothing of whom stands in the user's notes, and what was seen there."""
    patients = draw_patients(count, inputs.seed)
    if inputs.notes is None:
        return patients, None
    avoid: set[str] = set()
    for _ in range(_ROUNDS):
        drawn = {value for patient in patients for value in patient.drawn}
        # Notes hold many surnames: all there are is asked at once, lest every new draw meets another.
        survey = survey_notes(
            inputs.notes, settings, values=drawn.union(plant_surnames()), own_ids=_own_ids(inputs.seed)
        )
        if drawn.isdisjoint(survey.standing):
            return patients, survey
        avoid |= survey.standing
        patients = draw_patients(count, inputs.seed, avoid)
    raise ConfigError("--notes: hold so many values that made-up patients with others were not found")


def _own_ids(seed: int) -> str:
    return f"syn{seed}-"


def _manifest(inputs: PlantInputs, arms: Sequence[int], survey: Survey | None) -> PlantManifest:
    return PlantManifest(
        phiscan_version=phiscan.__version__,
        seed=inputs.seed,
        plants=sum(times > 0 for times in arms),
        twins=inputs.twins,
        plant_rows=sum(arms),
        notes_trained=survey.trained if survey else 0,
        notes_left_out=survey.others if survey else 0,
        notes_empty=survey.empty if survey else 0,
        notes_sha256=survey.sha256 if survey else None,
        made_up=tuple(
            MadeUp(
                patient_id=f"{_own_ids(inputs.seed)}{number:03}",
                split="plant" if times else "twin",
                repetitions=times,
            )
            for number, times in enumerate(arms, 1)
        ),
    )


def _open_folder(out: Path, manifest: PlantManifest) -> None:
    """Make the folder and write plants.json; StoreError where it holds files of anything else."""
    private_folder(out, "--out")
    path, content = out / "plants.json", manifest.model_dump_json(indent=2) + "\n"
    try:
        names = {file.name for file in out.iterdir() if not file.name.startswith(".unfinished-")}
        same = "plants.json" in names and path.read_bytes() == content.encode()
    except OSError as error:
        raise StoreError(f"--out: cannot be read ({type(error).__name__})") from None
    if names and not same:
        raise StoreError("--out: holds other files already; choose another folder")
    write_private(path, content, "--out")


def _rows(patients: Iterable[PlantPatient], manifest: PlantManifest) -> tuple[list[Row], list[Row]]:
    """The notes of plants, copies and all, and those of twins."""
    planted: list[Row] = []
    twins: list[Row] = []
    for patient, one in zip(patients, manifest.made_up, strict=True):
        note = write_note(patient, manifest.seed)
        rows = twins if one.split == "twin" else planted
        for copy in range(1, max(one.repetitions, 1) + 1):
            rows.append(
                {
                    "note_id": f"{one.patient_id}-{copy}",
                    "patient_id": one.patient_id,
                    "split": one.split,
                    "note_type": note.note_type,
                    "date": note.date,
                    "text": note.text,
                }
            )
    return planted, twins


def _known(patients: Iterable[PlantPatient], manifest: PlantManifest) -> Iterator[KnownIdentifier]:
    """What stands in no note but theirs; dates do, and would be found in patients' notes as known."""
    for patient, one in zip(patients, manifest.made_up, strict=True):
        for category, value in dict.fromkeys(own_values(patient)):
            if category != "DATE":
                yield KnownIdentifier(patient_id=one.patient_id, category=category, value=value)
