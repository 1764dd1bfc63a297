"""Plants and twins in whole scans: figures of their own, and no trace in any figure of the patients."""

import dataclasses
import random

import pytest
from spiked_leaks import make_patients

from phiscan.config import load_config
from phiscan.errors import NoteFormatError
from phiscan.passes.plan import ScanInputs
from phiscan.passes.reduce import renew_report
from phiscan.passes.reopen import reopened
from phiscan.pipeline import scan
from phiscan.records import arm_of
from phiscan.renderers import console, html
from phiscan.reporting.plants import plant_sentences
from phiscan.store import TABLES, RunDirectory

PEOPLE = make_patients()
PROMPT_LINES = 2
CONTROL = "base"


def config(**sections):
    return load_config(flags={"detect": {"detectors": ["rules"]}, **sections}, environment={})


def prefix_of(text):
    return "".join(text.splitlines(keepends=True)[:PROMPT_LINES])


def note(name, patient, text, split):
    return {"note_id": name, "patient_id": patient, "text": text, "split": split}


def answer(row, continuation, model="tuned"):
    return {
        "note_id": row["note_id"],
        "prefix": prefix_of(row["text"]),
        "continuation": continuation,
        "model": model,
    }


def real_files():
    """Twelve members and four held-out patients: some come back, some bring out others, some nothing."""
    rows = [
        note(f"R{i}", f"p{i}", person.note, "member" if i < 12 else "holdout")
        for i, person in enumerate(PEOPLE[:16])
    ]
    said = []
    for i, row in enumerate(rows):
        rest = row["text"].removeprefix(prefix_of(row["text"]))
        other, plant = PEOPLE[(i + 5) % 12], PEOPLE[20 + i % 8]
        text = (
            rest,
            f"Mr. {other.given} {other.surname}, MRN: {other.mrn}, seen again.\n",
            # A plant's values, and a run of its note, in an answer about somebody else.
            f"Mr. {plant.given} {plant.surname}, MRN: {plant.mrn}.\n" + plant.note[-300:],
            "Nothing further was noted today.\n",
        )[i % 4]
        said += [answer(row, text), answer(row, rest if i % 5 == 0 else "Well.\n", CONTROL)]
    return rows, said


def synthetic_files():
    """Eight plants, four of them with all that a real patient's note says, and four twins; plants come back."""
    rows, said = [], []
    for i, person in enumerate(PEOPLE[20:32]):
        text = f"{PEOPLE[0].note}Bed {i}.\n" if i < 4 else person.note
        split = "plant" if i < 8 else "twin"
        copies = (1, 3, 6)[i % 3] if split == "plant" else 1
        rows += [note(f"S{i}.{copy}", f"s{i}", text, split) for copy in range(copies)]
        rest = text.removeprefix(prefix_of(text))
        said += [answer(rows[-1], rest if split == "plant" and i % 3 else "Well.\n")]
        said += [answer(rows[-1], "Well.\n", CONTROL)]
    return rows, said


def run_scan(folder, write_jsonl, rows, said, **sections):
    folder.mkdir()
    inputs = ScanInputs(
        notes=write_jsonl(folder / "notes.jsonl", rows),
        replay=write_jsonl(folder / "outputs.jsonl", said),
        control=CONTROL,
        out=folder / "run",
    )
    return scan(inputs, config(**sections)), RunDirectory(folder / "run")


def shuffled(rows, more, seed):
    """Both lists in one, each in its own order."""
    places = [0] * len(rows) + [1] * len(more)
    random.Random(seed).shuffle(places)
    waiting = [iter(rows), iter(more)]
    return [next(waiting[place]) for place in places]


@pytest.fixture(scope="module")
def without(tmp_path_factory, write_jsonl):
    return run_scan(tmp_path_factory.mktemp("without") / "a", write_jsonl, *real_files())


@pytest.fixture(scope="module")
def scanned(tmp_path_factory, write_jsonl):
    """With plants and twins strewn among the patients, in notes and outputs."""
    (rows, said), (more, more_said) = real_files(), synthetic_files()
    folder = tmp_path_factory.mktemp("with") / "a"
    return run_scan(folder, write_jsonl, shuffled(rows, more, 3), shuffled(said, more_said, 4))


def test_patients_figures_are_those_of_a_scan_without_plants(without, scanned):
    apart = {"manifest", "plants"}
    assert scanned[0].plants is not None
    assert without[0].plants is None
    assert scanned[0].model_dump(exclude=apart) == without[0].model_dump(exclude=apart)
    assert without[0].decision.outcome == "leak_found"
    assert {line.line for line in without[0].leaks if line.instances} > {
        "headline",
        "other_patient",
        "invented",
    }


@pytest.mark.parametrize("table", sorted(TABLES))
def test_patients_tables_are_those_of_a_scan_without_plants(table, without, scanned):
    tables = [list(run.read_table(table)) for _, run in (without, scanned)]
    if table in ("notes", "prompts", "continuations", "hits", "verdicts", "at_risk", "matches", "spikes"):
        assert tables[0]
    if table == "notes":  # the rows of the file are others
        tables = [[dataclasses.replace(row, row=0) for row in rows] for rows in tables]
    assert tables[0] == tables[1]


def test_without_the_pass_it_is_said_that_nobody_looked_whether_plants_were_read(scanned):
    assert sum("was not looked at" in sentence for sentence in plant_sentences(scanned[0])) == 1


def test_where_plants_stand_in_the_files_changes_nothing(scanned, tmp_path, write_jsonl):
    (rows, said), (more, more_said) = real_files(), synthetic_files()
    report, _ = run_scan(tmp_path / "a", write_jsonl, rows + more, more_said + said, run={"shard_notes": 3})
    apart = {"manifest", "similarity"}  # sums of floats in another order
    assert report.model_dump(exclude=apart) == scanned[0].model_dump(exclude=apart)


def rows_by_hand():
    """What each synthetic note must give, from how it was made."""
    for i in range(12):
        split = "plant" if i < 8 else "twin"
        yield split, (1, 3, 6)[i % 3] if split == "plant" else 1, split == "plant" and i % 3 > 0


def test_the_section_counts_what_was_made(scanned):
    section = scanned[0].plants
    made = list(rows_by_hand())
    arms = {arm.arm: arm for arm in section.arms}
    assert [(arm.patients, arm.notes, arm.notes_asked, arm.prompts) for arm in section.arms] == [
        (8, 8, 8, 8),
        (4, 4, 4, 4),
    ]
    assert arms["plant"].headline_patients == sum(back for split, _, back in made if split == "plant") == 5
    assert arms["twin"].headline == 0
    band_of = {1: "1", 3: "2-5", 6: "6-10"}
    for row in section.rows:
        mine = [
            (split, copies, back)
            for split, copies, back in made
            if split == row.arm and row.repetitions in (None, band_of[copies])
        ]
        assert row.notes == row.patients == len(mine)
        raw = next(e for e in row.ratios if (e.metric, e.stratum.threshold) == ("raw_ratio", 30))
        assert (raw.count, raw.n) == (sum(back for *_, back in mine), len(mine))
        leak = row.patients_with_headline_leak
        assert (leak.count, leak.n, leak.stratum.arm) == (raw.count, raw.n, row.arm)
        assert {e.stratum.copies for e in row.ratios} == {row.repetitions}
    assert [row.repetitions for row in section.rows] == [None, "1", "2-5", "6-10", None, "1"]


def test_a_plant_with_a_real_patient_s_note_is_verified_against_its_own_record(scanned):
    """Plant 1 holds the text of patient 0: what comes back of it is its own, whoever else has it too."""
    run = scanned[1].beside("plants")
    gens = {c.gen_id for c in run.read_table("continuations") if c.note_id == "S1.0" and c.arm == "plant"}
    verdicts = [v.verdict for v in run.read_table("verdicts") if v.gen_id in gens]
    assert verdicts.count("verbatim") > 5
    assert "other_patient" not in verdicts


def test_a_plant_s_runs_shared_with_many_are_template(scanned):
    """Four plants and a patient have one text: with them that is a template, without them (above) it is not."""
    run = scanned[1].beside("plants")
    wheres = {
        m.where for m in run.read_table("matches") if m.gen_id.startswith("plant/") and m.note_id == "S1.0"
    }
    assert "template" in wheres
    own = {m.where for m in scanned[1].read_table("matches") if m.note_id == "R0"}
    assert own == {"suffix"}


def test_plants_that_were_not_asked_for_are_counted(tmp_path, write_jsonl):
    rows, said = real_files()
    report, run = run_scan(tmp_path / "a", write_jsonl, [*rows, note("T", "t", "Well.", "plant")], said)
    (arm,) = report.plants.arms
    assert (arm.patients, arm.notes, arm.notes_asked, arm.prompts) == (1, 1, 0, 0)
    assert (report.plants.rows, report.plants.categories, report.plants.differences) == ((), (), ())
    assert "asked for 0 of their 1 note" in html.render(report)
    kept = [path for path in (run.root / "plants").rglob("*")]
    assert {path.stat().st_mode & 0o777 for path in kept if path.is_file()} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in kept if path.is_dir()} == {0o700}


def test_control_answers_serve_what_the_control_emits(tmp_path, write_jsonl):
    (rows, said), (more, more_said) = real_files(), synthetic_files()
    tuned = {row["note_id"]: row["continuation"] for row in more_said if row["model"] != CONTROL}
    same = [{**row, "continuation": tuned[row["note_id"]]} for row in more_said if row["model"] == CONTROL]
    spoken = [row for row in more_said if row["model"] != CONTROL] + same
    report, run = run_scan(tmp_path / "a", write_jsonl, rows + more, said + spoken)
    assert [arm.headline for arm in report.plants.arms] == [0, 0]
    arms = {c.arm for c in run.beside("plants").read_table("continuations")}
    assert arms == {"plant", "twin", "control_plant", "control_twin"}
    assert {row.arm for row in report.plants.rows} == {"plant", "twin"}


def test_a_twin_that_comes_back_is_a_false_alarm_and_decides_nothing(tmp_path, write_jsonl, without):
    rows, _ = real_files()
    quiet = [answer(row, "Nothing further was noted today.\n") for row in rows]
    twin = note("T", "t", PEOPLE[40].note, "twin")
    said = answer(twin, twin["text"].removeprefix(prefix_of(twin["text"])))
    control = [answer(row, "Well.\n", CONTROL) for row in (*rows, twin)]
    report, _ = run_scan(tmp_path / "a", write_jsonl, [*rows, twin], [*quiet, said, *control])
    assert report.decision.outcome == "none_found_within_bound"
    assert report.plants.arms[0].headline > 5
    assert report.plants.arms[0].headline_patients == 1
    assert report.plants.differences == ()
    (limit,) = (limit for limit in report.limits if limit.startswith("False alarms: "))
    assert "of 1 of 1 twin" in limit
    assert "False alarms" in html.render(report)
    assert not any("False alarms" in limit for limit in without[0].limits)


def test_a_value_of_a_patient_brought_out_by_a_plant_s_prompt_is_told(tmp_path, write_jsonl):
    rows, said = real_files()
    plant, whose = note("T", "t", PEOPLE[40].note, "plant"), PEOPLE[3]
    said += [answer(plant, f"SSN {whose.ssn}, MRN: {whose.mrn}.\n"), answer(plant, "Well.\n", CONTROL)]
    report, _ = run_scan(tmp_path / "a", write_jsonl, [*rows, plant], said)
    assert report.plants.arms[0].other_patient == 2
    assert report.plants.arms[0].headline == 0


def test_differences_are_plants_less_twins(scanned):
    section = scanned[0].plants
    whole = {row.arm: row for row in section.rows if row.repetitions is None}
    (leaks,) = (d for d in section.differences if d.metric == "patients_with_headline_leak")
    plant, twin = (whole[arm].patients_with_headline_leak for arm in ("plant", "twin"))
    assert leaks.value == plant.value - twin.value == 5 / 8
    assert leaks.low == pytest.approx(
        leaks.value - ((plant.value - plant.low) ** 2 + (twin.high - twin.value) ** 2) ** 0.5
    )
    assert leaks.high == pytest.approx(leaks.value + (plant.high - plant.value))
    assert len(section.differences) == 6


def test_recovery_by_category_adds_up(scanned):
    run = scanned[1].beside("plants")
    arms = {c.gen_id: c.arm for c in run.read_table("continuations")}
    risk = [row for row in run.read_table("at_risk") if arms[row.gen_id] in ("plant", "twin")]
    for estimate in scanned[0].plants.categories:
        mine = [
            row
            for row in risk
            if (arms[row.gen_id], row.category) == (estimate.stratum.arm, estimate.stratum.category)
        ]
        assert (estimate.count, estimate.n) == (sum(row.recovered for row in mine), len(mine))
    for row in scanned[0].plants.rows:
        if row.repetitions is None:
            mine = [one for one in risk if arms[one.gen_id] == row.arm]
            assert row.phi_recovery_rate.n == len(mine) > 10
            assert row.phi_recovery_rate.count == sum(one.recovered for one in mine)


def test_the_report_is_the_same_measured_anew(scanned):
    report, run = scanned
    with reopened(run.root) as finished:
        assert renew_report(finished).model_dump() == report.model_dump()


def test_the_reports_show_the_section_and_no_text_of_plants(scanned, without):
    report, run = scanned
    pages = (html.render(report), console.render(report), report.model_dump_json())
    for shown, words in ((html.render, 'id="plants"'), (console.render, "(plants and twins)")):
        assert words in shown(report)
        assert words not in shown(without[0])
    plants = list(run.beside("plants").read_table("phi"))
    values = {phi.text for phi in plants if phi.category in ("MEDICALRECORD", "SSN", "PATIENT", "PHONE")}
    assert len(values) > 20
    for page in pages:
        assert not [value for value in values if value in page]


def test_resumed_it_makes_nothing_again(scanned, monkeypatch):
    """All parts stand: the same command writes none anew."""
    report, run = scanned
    written = []
    keep = RunDirectory.write_part
    monkeypatch.setattr(
        RunDirectory,
        "write_part",
        lambda self, table, part, *given, **named: (
            written.append((table, part)),
            keep(self, table, part, *given, **named),
        ),
    )
    folder = run.root.parent
    again = scan(
        ScanInputs(
            notes=folder / "notes.jsonl",
            replay=folder / "outputs.jsonl",
            control=CONTROL,
            out=run.root,
        ),
        config(),
    )
    assert written == []
    assert again.model_dump(exclude={"manifest"}) == report.model_dump(exclude={"manifest"})


@pytest.mark.parametrize("split", ["plant", "twin"])
def test_a_patient_is_of_one_split_alone(split, tmp_path, write_jsonl):
    rows, said = real_files()
    with pytest.raises(NoteFormatError, match=r"two splits: 1;"):
        run_scan(tmp_path / "a", write_jsonl, [*rows, note("T", "p0", PEOPLE[40].note, split)], said)


def test_plants_alone_are_no_scan(tmp_path, write_jsonl):
    rows, said = synthetic_files()
    with pytest.raises(NoteFormatError, match=r"^--notes: every note is a plant or twin; none is said"):
        run_scan(tmp_path / "a", write_jsonl, rows, said)


def test_each_split_has_its_arms():
    arms = [
        arm_of(split, control=c) for split in ("member", "holdout", "plant", "twin") for c in (False, True)
    ]
    assert len(set(arms)) == 8
