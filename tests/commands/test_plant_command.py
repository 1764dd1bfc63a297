"""`phiscan plant`: its files, the notes it mixes into, and what it refuses."""

import csv
import json
import random
import stat
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.commands.demo_corpus import make_corpus, write_corpus
from phiscan.commands.plant import PlantInputs, parse_repetitions, plant
from phiscan.commands.plant_mixing import survey_notes
from phiscan.commands.plant_patients import SHARED, draw_patients, plant_surnames
from phiscan.detect import DetectSettings, build_detectors, detect_texts
from phiscan.errors import ConfigError, NoteFormatError, StoreError
from phiscan.load import LoadSettings, load_known
from phiscan.taxonomy import CATEGORIES

FILES = {"training.jsonl", "scan.jsonl", "known.csv", "plants.json"}


def made(out, **wanted):
    return plant(
        PlantInputs(out, **{"patients": 2, "repetitions": (1, 3), "twins": 2, **wanted}), LoadSettings()
    )


def rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def note(name, patient, split="", text=None, **more):
    return {"note_id": name, "patient_id": patient, "split": split, "text": text or f"Note {name}.", **more}


def test_files_are_private_and_equal_for_equal_seeds(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        made(tmp_path / name, seed=seed)
    assert {path.name for path in (tmp_path / "a").iterdir()} == FILES
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "a").iterdir()} == {0o600}
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700
    for name in FILES:
        first, same, other = ((tmp_path / folder / name).read_bytes() for folder in "abc")
        assert first == same != other


@settings(max_examples=10, deadline=None)
@given(
    patients=st.integers(1, 4),
    repetitions=st.sets(st.integers(1, 9), min_size=1, max_size=3),
    twins=st.integers(0, 4),
    seed=st.integers(0, 99),
)
def test_each_plant_stands_as_often_as_asked_and_twins_never(patients, repetitions, twins, seed):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "made"
        inputs = PlantInputs(out, None, patients, tuple(sorted(repetitions)), twins, seed)
        manifest = plant(inputs, LoadSettings())
        training, scanned = rows(out / "training.jsonl"), rows(out / "scan.jsonl")
    assert Counter(Counter(row["patient_id"] for row in training).values()) == dict.fromkeys(
        repetitions, patients
    )
    assert {row["split"] for row in training} == {"plant"}
    assert scanned[: len(training)] == training
    left_out = scanned[len(training) :]
    assert [row["split"] for row in left_out] == ["twin"] * twins
    assert not {row["text"] for row in left_out} & {row["text"] for row in training}
    assert len({row["text"] for row in scanned}) == len({row["patient_id"] for row in scanned})
    assert len({row["note_id"] for row in scanned}) == len(scanned)
    assert manifest.plant_rows == len(training)
    assert {one.patient_id: one.repetitions for one in manifest.made_up} == {
        **Counter(row["patient_id"] for row in training),
        **dict.fromkeys((row["patient_id"] for row in left_out), 0),
    }


def test_plants_and_twins_are_drawn_in_turn(tmp_path):
    manifest = made(tmp_path / "a", patients=3, repetitions=(1, 6), twins=2)
    assert [one.repetitions for one in manifest.made_up] == [1, 6, 0, 1, 6, 0, 1, 6]


def test_known_identifiers_are_those_of_the_notes(tmp_path):
    made(tmp_path / "a")
    texts = {row["patient_id"]: row["text"] for row in rows(tmp_path / "a/scan.jsonl")}
    with (tmp_path / "a/known.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert {row["patient_id"] for row in table} == set(texts)
    for patient in texts:
        mine = [row for row in table if row["patient_id"] == patient]
        assert {row["category"] for row in mine} == set(CATEGORIES) - SHARED - {"DATE"}
        assert all(row["value"] in texts[patient] for row in mine)
    assert len(load_known(tmp_path / "a/known.csv").identifiers) == len(table)


def test_known_identifiers_of_plants_are_found_in_no_patients_notes(tmp_path):
    """What a scan finds in the user's notes is what it finds without plants."""
    write_corpus(make_corpus(repeated=0, unique=40, holdout=4), tmp_path / "demo")
    notes = tmp_path / "demo/notes.jsonl"
    made(tmp_path / "a", notes=notes, patients=20, twins=20)
    texts = [row["text"] for row in rows(notes)]
    rules, known = DetectSettings(detectors=("rules",)), load_known(tmp_path / "a/known.csv").identifiers
    alone, beside = (detect_texts(build_detectors(rules, of), texts, rules) for of in ((), known))
    assert alone == beside


ROWS = [
    note("1", "p1", "train", "A text\r\nof two lines.", note_type="clinic", date="2019-03-18"),
    note("2", "p2", "holdout"),
    note("3", "p1", "member", "A text\r\nof two lines."),
    note("4", "p3", "Twin"),
    note("5", "p4", "plant"),
    note("6", "p5", text="  \n"),
    note("7", "p6", note_type="ed"),
    note("8", "p2", "test"),
]


def test_notes_keep_their_order_and_fields_whatever_is_mixed_in(tmp_path, write_jsonl):
    manifest = made(tmp_path / "a", notes=write_jsonl(tmp_path / "notes.jsonl", ROWS))
    training, scanned = rows(tmp_path / "a/training.jsonl"), rows(tmp_path / "a/scan.jsonl")
    mine = [row for row in scanned if not row["note_id"].startswith("syn0-")]
    splits = {
        "1": "member",
        "2": "holdout",
        "3": "member",
        "4": "twin",
        "5": "plant",
        "7": "member",
        "8": "holdout",
    }
    assert {row["note_id"]: row["split"] for row in mine} == splits
    assert [row["note_id"] for row in mine] == list(splits)
    assert mine[0] == {**ROWS[0], "split": "member", "text": "A text\nof two lines."}
    assert mine[5] == {**ROWS[6], "split": "member", "date": None}
    assert training == [row for row in scanned if row["split"] in ("member", "plant")]
    assert (manifest.notes_trained, manifest.notes_left_out, manifest.notes_empty) == (4, 3, 1)


@settings(max_examples=15, deadline=None)
@given(
    splits=st.lists(st.sampled_from(["member", "holdout"]), min_size=1, max_size=30), seed=st.integers(0, 9)
)
def test_every_row_stands_once_and_plants_lie_anywhere(splits, seed):
    given_rows = [note(f"n{i}", f"{split} {i}", split) for i, split in enumerate(splits)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "notes.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in given_rows))
        made(Path(folder) / "made", notes=path, seed=seed)
        training, scanned = (rows(Path(folder) / "made" / name) for name in ("training.jsonl", "scan.jsonl"))
    mine = [row["note_id"] for row in scanned if row["note_id"].startswith("n")]
    assert mine == [row["note_id"] for row in given_rows]
    assert [row["note_id"] for row in training if row["split"] == "member"] == [
        row["note_id"] for row in given_rows if row["split"] == "member"
    ]
    assert sum(row["split"] == "plant" for row in training) == 8


def test_places_are_spread_over_the_notes(tmp_path, write_jsonl):
    notes = write_jsonl(tmp_path / "notes.jsonl", [note(f"n{i}", f"p{i}") for i in range(400)])
    made(tmp_path / "a", notes=notes, patients=20, repetitions=(6,))
    places = [at for at, row in enumerate(rows(tmp_path / "a/training.jsonl")) if row["split"] == "plant"]
    thirds = Counter(place * 3 // 520 for place in places)
    assert all(20 < thirds[third] < 60 for third in range(3))


def test_values_that_stand_in_the_notes_are_drawn_anew(tmp_path, write_jsonl):
    """Half the surnames there are, and of some patients a number in other punctuation, a coined word."""
    first = draw_patients(8, 0)
    phone = first[1].values["PHONE"][1]
    digits = "".join(char for char in phone if char.isdigit())
    surnames = sorted({patient.values["LAST"][1] for patient in first})[::2]
    taken = [
        f"{digits[:3]}.{digits[3:6]}.{digits[6:]}",
        first[2].values["SSN"][1].replace("-", ""),
        first[3].values["CITY"][1].upper(),
        first[4].values["ZIP"][1],
        *surnames,
    ]
    notes = write_jsonl(
        tmp_path / "notes.jsonl", [note("1", "p1", text=f"Seen by {', '.join(taken)} today.")]
    )
    made(tmp_path / "a", notes=notes)
    texts = "\n".join(row["text"] for row in rows(tmp_path / "a/scan.jsonl") if row["note_id"] != "1")
    assert len(first) == 6 + 2
    for gone in (phone, first[2].values["SSN"][1], first[3].values["CITY"][1], f" {taken[3]}", *surnames):
        assert gone not in texts
    assert first[5].values["MRN"][1] in texts


def test_the_search_finds_values_in_any_writing(tmp_path, write_jsonl):
    texts = ["call (617) 555-0142 now", "6175550199", "QUILLON's", "617 555 01", "Quillonby", "71-2"]
    notes = write_jsonl(
        tmp_path / "notes.jsonl", [note(str(i), "p", text=text) for i, text in enumerate(texts)]
    )
    values = ["617-555-0142", "617-555-0199", "Quillon", "617-555-01423", "71-23"]
    survey = survey_notes(notes, LoadSettings(), values=values, own_ids="syn")
    assert survey.standing == {"617-555-0142", "617-555-0199", "Quillon"}


def test_columns_of_other_names_are_read(tmp_path, command_line):
    path = tmp_path / "notes.csv"
    path.write_text("ROW,WHO,SAID\n1,p1,Well today.\n")
    columns = ("--set", "load.note_id=ROW", "--set", "load.patient_id=WHO", "--set", "load.text=SAID")
    wanted = ("--out", tmp_path / "a", "--notes", path, "--patients", 1, "--twins", 1)
    code, out, _ = command_line("plant", *wanted, *columns)
    assert code == 0
    assert "3 plants (10 notes) and 1 twin," in out
    assert len(rows(tmp_path / "a/training.jsonl")) == 11
    code, out, error = command_line("plant", *wanted, "--repetitions", "0")
    assert (code, out) == (2, "")
    assert error.count("\n") == 1
    assert error.startswith("phiscan: --repetitions: ")


def test_a_folder_with_other_files_is_refused_and_its_own_are_made_again(tmp_path):
    made(tmp_path / "a")
    wanted = (tmp_path / "a/scan.jsonl").read_bytes()
    (tmp_path / "a/scan.jsonl").unlink()
    made(tmp_path / "a")
    assert (tmp_path / "a/scan.jsonl").read_bytes() == wanted
    with pytest.raises(StoreError, match="--out: holds other files"):
        made(tmp_path / "a", seed=1)
    (tmp_path / "b").mkdir()
    (tmp_path / "b/notes.txt").write_text("mine")
    with pytest.raises(StoreError, match="--out: holds other files"):
        made(tmp_path / "b")
    (tmp_path / "secretname").write_text("")
    with pytest.raises(StoreError) as caught:
        made(tmp_path / "secretname")
    assert "secretname" not in str(caught.value)


@pytest.mark.parametrize("given", ["0", "1,1", "one", "", "1,,2", "-3", "1.5", "1000000000", "1001", "²"])
def test_repetitions_that_cannot_be_are_refused(given):
    with pytest.raises(ConfigError, match=r"^--repetitions: [^\n]+$"):
        parse_repetitions(given)


@pytest.mark.parametrize(
    "wanted", [{"patients": 0}, {"twins": -1}, {"patients": 901}, {"patients": 400, "twins": 101}]
)
def test_numbers_that_cannot_be_are_refused(tmp_path, wanted):
    with pytest.raises(ConfigError, match=r"^--patients"):
        made(tmp_path / "a", **wanted)
    assert not (tmp_path / "a").exists()


def test_notes_that_cannot_be_used_are_refused(tmp_path, write_jsonl):
    cases = {
        "ids": ([note("SYN0-7", "p")], "an id begins with syn0-"),
        "patients": ([note("1", "syn0-001")], "take another --seed"),
        "rows": (
            [note("1", "p"), note("2", "q", "elsewhere"), {"note_id": "3"}],
            r"2 rows cannot be used.*row 2, 3",
        ),
        "none": ([note("1", "p", text=" ")], "no note could be read"),
    }
    for name, (given_rows, problem) in cases.items():
        with pytest.raises(NoteFormatError, match=problem):
            made(tmp_path / name, notes=write_jsonl(tmp_path / f"{name}.jsonl", given_rows))
        assert not (tmp_path / name).exists()
    made(tmp_path / "ids", notes=write_jsonl(tmp_path / "ids.jsonl", cases["ids"][0]), seed=1)


def test_notes_full_of_surnames_leave_too_few(tmp_path, write_jsonl):
    names = list(plant_surnames())
    random.Random(1).shuffle(names)
    notes = write_jsonl(tmp_path / "notes.jsonl", [note("1", "p", text=" ".join(names[10:]))])
    with pytest.raises(ConfigError, match="not so many values that nobody has"):
        made(tmp_path / "a", notes=notes)


def test_faker_is_not_needed(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "faker", None)
    made(tmp_path / "a")
