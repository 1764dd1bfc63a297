"""Plants' notes: every category of identifier, unique over the file, found by the rules, at risk."""

import json
import re
from collections import Counter, defaultdict
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.commands.plant import PlantInputs, plant
from phiscan.commands.plant_notes import IDENTIFIERS, OPENINGS, write_note
from phiscan.commands.plant_patients import SHARED, draw_patients, own_values, plant_surnames
from phiscan.config import load_config
from phiscan.detect import DetectSettings, build_detectors, detect_texts
from phiscan.errors import ConfigError
from phiscan.load import LoadSettings
from phiscan.normalize import keys
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.store import RunDirectory
from phiscan.taxonomy import CATEGORIES, HIPAA_NAMES

RULES = DetectSettings(detectors=("rules",))


@pytest.fixture(scope="module")
def patients():
    return draw_patients(60, 7)


@pytest.fixture(scope="module")
def notes(patients):
    return [write_note(patient, 7) for patient in patients]


def test_every_note_has_a_value_of_every_category(notes):
    for note in notes:
        assert {span.category for span in note.spans} == set(CATEGORIES)
    # Letter Q, full-face photographs, cannot stand in a text.
    assert {category.hipaa for category in CATEGORIES.values()} - {None} == set(HIPAA_NAMES) - {"Q"}


def test_the_rules_find_every_value_of_every_note(notes):
    found = detect_texts(build_detectors(RULES), [note.text for note in notes], RULES)
    for note, spans in zip(notes, found, strict=True):
        assert set(note.spans) == {(span.start, span.end, span.category) for span in spans}


def test_every_wording_is_found(patients):
    """Each sentence by itself, filled for one patient after the other: no wording depends on its neighbours."""
    detectors = build_detectors(RULES)
    missed = Counter()
    for number, group in enumerate(IDENTIFIERS):
        for sentence in group:
            patient = patients[number]
            values = {slot: value for slot, (_, value) in patient.values.items()}
            text = re.sub(r"\{([A-Z]+2?)\}", lambda slot, values=values: values[slot[1]], sentence)
            wanted = {patient.values[slot][0] for slot in re.findall(r"\{([A-Z]+2?)\}", sentence)}
            text = (
                f"Seen today.\n{re.sub(r'[{][Hh]eshe[}]', 'She', re.sub(r'[{][Hh]isher[}]', 'Her', text))}\n"
            )
            [spans] = detect_texts(detectors, [re.sub(r"\{.*?\}", "3", text)], RULES)
            missed += Counter(wanted - {span.category for span in spans})
    assert not missed


def test_every_category_is_at_risk_behind_a_short_prompt(tmp_path, write_jsonl):
    plant(PlantInputs(tmp_path / "made", patients=2, repetitions=(1,), twins=2, seed=5), LoadSettings())
    rows = [json.loads(line) for line in (tmp_path / "made/scan.jsonl").read_text().splitlines()]
    answers = []
    for row in rows:
        units = list(re.finditer(r"\w+|[^\w\s]", row["text"]))
        prefix = row["text"][: units[40].end()]
        answers.append({"note_id": row["note_id"], "prefix": prefix, "continuation": "Seen again."})
    member = {"note_id": "m", "patient_id": "m", "text": "Mr. Solveig Quist was seen. He feels well."}
    scan(
        ScanInputs(
            notes=write_jsonl(tmp_path / "notes.jsonl", [member, *rows]),
            known=tmp_path / "made/known.csv",
            replay=write_jsonl(tmp_path / "outputs.jsonl", answers),
            out=tmp_path / "run",
        ),
        load_config(flags={"detect": {"detectors": ["rules"]}}, environment={}),
    )
    at_risk = defaultdict(set)
    for row in RunDirectory(tmp_path / "run").beside("plants").read_table("at_risk"):
        at_risk[row.note_id].add(row.category)
    assert at_risk == {row["note_id"]: set(CATEGORIES) for row in rows}


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(2, 120))
def test_no_two_patients_share_a_value(seed, count):
    owners = defaultdict(set)
    for patient in draw_patients(count, seed):
        for category, value in own_values(patient):
            family = CATEGORIES[category].family
            for key in keys(category, value).full:
                owners[family, key].add(patient.number)
    assert all(len(who) == 1 for who in owners.values())


def test_as_many_as_are_allowed_can_be_drawn():
    patients = draw_patients(900, 1)
    for slot, (category, _) in patients[0].values.items():
        if category not in SHARED:
            assert len({patient.values[slot][1] for patient in patients}) == 900
    with pytest.raises(ConfigError):
        draw_patients(1_001, 1)


def test_equal_seeds_draw_equal_notes_and_others_do_not(patients, notes):
    assert draw_patients(60, 7) == patients
    assert [write_note(patient, 7) for patient in patients] == notes
    others = {write_note(patient, 8).text for patient in draw_patients(60, 8)}
    assert others.isdisjoint(note.text for note in notes)


def test_what_is_to_be_avoided_is_not_drawn_and_leaves_the_others_alone(patients):
    avoid = {patients[3].drawn[0], patients[3].values["MRN"][1].lower(), patients[10].values["PHONE"][1]}
    again = draw_patients(60, 7, avoid)
    assert not avoid & {value for patient in again for value in patient.drawn}
    same = [number for number in range(60) if again[number] == patients[number]]
    assert set(range(60)) - set(same) == {3, 10}


def test_ages_and_dates_agree(patients):
    for patient in patients:
        values = {slot: value for slot, (_, value) in patient.values.items()}
        days = [keys("DATE", values[slot]).full[0] for slot in ("DOB", "PASTDATE", "NOTEDATE", "NEXTDATE")]
        assert all(early < late for early, late in pairwise(days))
        assert days[2] == patient.visited
        born, visited = (tuple(map(int, day.split("-"))) for day in (days[0], days[2]))
        assert int(values["AGE"]) == visited[0] - born[0] - (visited[1:] < born[1:])
        assert 28 < int(values["AGE"]) < 80
        assert int(values["OLDAGE"]) > 89


def test_values_lie_in_ranges_that_belong_to_nobody(patients):
    patterns = {
        "PHONE": r"\(?\d{3}\)?[ -]555-01\d\d",
        "FAX": r"\(?\d{3}\)?[ -]555-01\d\d",
        "EMAIL": r"[a-z.]+@example\.org",
        "URL": r"https://example\.org/\w+/\w+",
        "IP": r"198\.1[89]\.\d{1,3}\.\d{1,3}",
        "SSN": r"9\d\d-1\d-\d{4}",
        "ZIP": r"(213|343|353|419|517|533|552|632|682|987)\d\d",
    }
    for slot, pattern in patterns.items():
        assert all(re.fullmatch(pattern, patient.values[slot][1]) for patient in patients), slot


def test_notes_share_no_passage(notes):
    """No run of 20 units (a template is one of 30) stands in two patients' notes."""
    holders = defaultdict(set)
    for number, note in enumerate(notes):
        words = re.findall(r"\w+|[^\w\s]", note.text)
        for start in range(len(words) - 19):
            holders[tuple(words[start : start + 20])].add(number)
    assert max(map(len, holders.values())) == 1


def test_styles_vary(notes):
    assert {note.note_type for note in notes} == set(OPENINGS)
    order = {tuple(span.category for span in note.spans) for note in notes}
    assert len(order) == len(notes)
    assert len({note.text.split("\n")[0] for note in notes}) > 40
    assert all(
        len(set(group)) == len(group) > 3 for group in (*OPENINGS.values(), *IDENTIFIERS) if len(group) > 3
    )
    assert min(map(len, OPENINGS.values())) == 3


def test_surnames_are_no_words_of_notes():
    assert len(plant_surnames()) > 7_000
    assert not {"young", "parkinson", "peru", "march"} & set(plant_surnames())
