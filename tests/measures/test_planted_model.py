"""Plants in the training of a real (tiny) model: what it read six times comes back, what it never read does not."""

import json
import random

import pytest

from phiscan.commands.demo_model import train_demo_model
from phiscan.config import load_config
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import expose, scan
from phiscan.renderers import console, html
from phiscan.store import RunDirectory

WORDS = "chest pain clinic renal wound dry stable daily review heart scan left right week ward".split()
GIVEN, SURNAMES = ("Mara", "Ivo", "Tess", "Bram"), ("Quillon", "Halvorsen", "Okonkwo", "Tamblyn", "Szymczak")
COPIES = (1, 3, 6)


def text_of(rng):
    before, after = (" ".join(rng.choice(WORDS) for _ in range(14)) for _ in range(2))
    name = f"{rng.choice(GIVEN)} {rng.choice(SURNAMES)}"
    return (
        f"{before}. Patient: {name}, MRN: {rng.randrange(10**6, 10**7)}, "
        f"phone 617-555-01{rng.randrange(100):02d}. {after}."
    )


@pytest.fixture(scope="module")
def files(tmp_path_factory, write_jsonl):
    """Four patients, two plants at each number of repetitions, two twins; trained on all but the twins."""
    folder = tmp_path_factory.mktemp("planted")
    rng = random.Random(5)
    made = (
        [("member", 1)] * 4 + [("plant", copies) for copies in COPIES for _ in range(2)] + [("twin", 1)] * 2
    )
    rows = []
    for number, (split, copies) in enumerate(made):
        text = text_of(rng)
        rows += [
            {"note_id": f"n{number}.{copy}", "patient_id": f"p{number}", "text": text, "split": split}
            for copy in range(copies)
        ]
    train_demo_model([row["text"] for row in rows if row["split"] != "twin"], folder / "model", steps=STEPS)
    return {"model": folder / "model", "notes": write_jsonl(folder / "notes.jsonl", rows)}


STEPS = 60


def inputs(files, out):
    return ScanInputs(notes=files["notes"], model=str(files["model"]), out=out)


def settings(**sections):
    return load_config(
        flags={
            "detect": {"detectors": ["rules"]},
            "regenerate": {"prefix_lengths": [5, 10], "max_new_tokens": 60},
            "expose": {"decoys": 5, "enabled": True},
            **sections,
        },
        environment={},
    )


@pytest.fixture(scope="module")
def scanned(files, tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "run"
    return scan(inputs(files, out), settings()), RunDirectory(out)


def net(row, threshold=30):
    return next(
        e
        for e in row.ratios
        if (e.metric, e.stratum.threshold, e.stratum.unit) == ("net_ratio", threshold, "token")
    )


def test_plants_said_six_times_come_back_and_twins_never(scanned):
    section = scanned[0].plants
    rows = {(row.arm, row.repetitions): row for row in section.rows}
    assert set(rows) == {
        ("plant", None),
        ("plant", "1"),
        ("plant", "2-5"),
        ("plant", "6-10"),
        ("twin", None),
        ("twin", "1"),
    }
    assert rows["plant", "6-10"].patients_with_headline_leak.value == 1
    assert net(rows["plant", "6-10"]).value == 1
    assert rows["twin", None].patients_with_headline_leak.count == 0
    assert net(rows["twin", None]).count == 0
    assert rows["plant", "1"].phi_recovery_rate.value < rows["plant", "6-10"].phi_recovery_rate.value


def test_every_figure_of_the_section_from_the_tables(scanned):
    """Each count again from the rows of the run, by loops and sets."""
    run = scanned[1].beside("plants")
    notes = {note.note_id: note for note in run.read_table("notes")}
    gens = {c.gen_id: notes[c.note_id] for c in run.read_table("continuations")}
    bands = {1: "1", 3: "2-5", 6: "6-10"}
    longest = {}
    for match in run.read_table("matches"):
        if match.where == "suffix" and match.unit == "token":
            for kind, length in (("raw", match.n_units), ("net", match.net_units)):
                longest[kind, match.gen_id] = max(length, longest.get((kind, match.gen_id), 0))
    apart = {"DOCTOR", "HOSPITAL", "DEPARTMENT", "ROOM"}
    categories = {hit.hit_id: hit.category for hit in run.read_table("hits")}
    leaks = {
        verdict.gen_id
        for verdict in run.read_table("verdicts")
        if verdict.verdict in ("verbatim", "reformatted", "partial")
        and (verdict.anchored or verdict.specific)
        and (verdict.matched_category or categories[verdict.hit_id]) not in apart
    }
    risk = list(run.read_table("at_risk"))
    for row in scanned[0].plants.rows:
        mine = {
            gen
            for gen, note in gens.items()
            if note.split == row.arm and row.repetitions in (None, bands[note.copies])
        }
        assert mine
        for estimate in row.ratios:
            kind, tau = estimate.metric.removesuffix("_ratio"), estimate.stratum.threshold
            count = sum(longest.get((kind, gen), 0) >= tau for gen in mine)
            assert (estimate.count, estimate.n) == (count, len(mine))
        values = [one for one in risk if one.gen_id in mine]
        recovery = row.phi_recovery_rate
        assert (recovery.count, recovery.n) == (sum(one.recovered for one in values), len(values))
        patients = row.patients_with_headline_leak
        assert patients.count == len({gens[gen].patient_id for gen in mine & leaks})
        assert patients.n == row.patients == len({gens[gen].patient_id for gen in mine})
        assert row.notes == len({gens[gen].note_id for gen in mine})


def test_the_pages_show_them(scanned):
    for page in (html.render(scanned[0]), console.render(scanned[0])):
        assert page.count("Twins") + page.count("twins") > 2
        assert "made-up patients" in page


def test_exposure_has_rows_of_its_own_for_them(scanned):
    section = scanned[0].exposure
    assert (section.notes, section.patients, section.notes_failed) == (4, 4, 0)
    arms = {row.arm: row for row in section.rows if row.category is None}
    assert set(arms) == {"scanned", "plant", "twin"}
    assert (arms["plant"].patients, arms["twin"].patients) == (6, 2)
    assert arms["plant"].greedy / arms["plant"].spans > arms["twin"].greedy / arms["twin"].spans
    assert {e.stratum.arm for e in section.estimates} == {"scanned", "plant", "twin"}


def test_whether_plants_were_read_from_the_tables(scanned):
    """The mean log-probability of a token behind each prefix again, by loops; two twins bound little."""
    run = scanned[1].beside("plants")
    notes = {note.note_id: note for note in run.read_table("notes")}
    audits = list(run.read_table("audits"))
    rows = scanned[0].exposure.plants_read
    bands = {None: COPIES, "1": (1,), "2-5": (3,), "6-10": (6,)}
    assert {(row.prefix_length, row.repetitions) for row in rows} == {
        (length, band) for length in (5, 10, 32) for band in bands
    }
    for row in rows:
        means = []
        for arm, copies in (("plant", bands[row.repetitions]), ("twin", (1,))):
            mine = [
                audit
                for audit in audits
                if (audit.arm, audit.prefix_tok) == (arm, row.prefix_length)
                and notes[audit.note_id].copies in copies
            ]
            means.append(sum(audit.next_logprob for audit in mine) / sum(audit.next_tok for audit in mine))
        assert [row.plant_mean, row.twin_mean] == pytest.approx(means)
        assert row.difference == pytest.approx(means[0] - means[1])
        assert row.difference > 1
        assert (row.twins, row.net_of_control) == (2, False)


def test_the_pass_alone_measures_them_too(files, scanned, tmp_path):
    section = expose(inputs(files, tmp_path / "run"), settings())
    assert section == scanned[0].exposure


def test_screening_asks_for_every_plant_and_twin(files, scanned, tmp_path):
    report = scan(
        inputs(files, tmp_path / "run"),
        settings(screen={"enabled": True, "sample": 0.25}, expose={"decoys": 0}),
    )
    assert report.screening
    assert report.plants == scanned[0].plants


def test_decoys_of_a_patient_hold_no_plant_s_value(files, scanned, tmp_path, write_jsonl):
    """Exposure of the patients is what it is without plants in the notes."""
    rows = [json.loads(line) for line in files["notes"].read_text().splitlines()]
    alone = write_jsonl(tmp_path / "notes.jsonl", [row for row in rows if row["split"] == "member"])
    report = scan(inputs({**files, "notes": alone}, tmp_path / "run"), settings())
    mine = [row for row in scanned[0].exposure.rows if row.arm == "scanned"]
    assert list(report.exposure.rows) == mine
    assert report.estimates == scanned[0].estimates
    assert report.leaks == scanned[0].leaks
    assert (report.coverage, report.repetitions, report.decision) == (
        scanned[0].coverage,
        scanned[0].repetitions,
        scanned[0].decision,
    )
