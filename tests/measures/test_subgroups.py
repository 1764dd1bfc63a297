"""Leakage by subgroup: held against plain counting; rows of few patients joined; parts add up."""

from typing import NamedTuple

import pytest

from phiscan.measures.scan import Judged
from phiscan.measures.subgroups import OTHER_TYPES, SubgroupCounts
from phiscan.small_cells import LEAST

pd = pytest.importorskip("pandas")

ARMS = ("scanned", "control")


class Made(NamedTuple):
    note: str
    patient: int
    type: str | None
    leaks: bool


def age_of(patient):
    return (
        "18-44" if patient < 12 else "45-64" if patient < 25 else "65-89" if patient < 37 else "90 and over"
    )


def made_notes():
    """40 patients of whom 3 are over 89; the first 22 have a letter too, the next 3 a note of a rare type."""
    first = [Made(f"a{p}", p, "progress", p % 4 == 0) for p in range(40)]
    # In these tables something is at risk where the note's name begins with an a: so in three letters.
    names = [f"ab{p}" if p < 3 else f"b{p}" for p in range(25)]
    more = [Made(name, p, "letter" if p < 22 else "rare", p % 10 == 0) for p, name in enumerate(names)]
    return sorted([*first, *more], key=lambda one: one.patient)


NOTES = made_notes()


def tables(notes, arms=ARMS):
    """(traits, notes, judged) of these notes, each asked once in each arm; the control never leaks."""
    patients = list(dict.fromkeys(one.patient for one in notes))
    traits = pd.DataFrame(
        [(f"p{p}", age_of(p), "registration" if p % 2 else "notes") for p in patients],
        columns=["patient_id", "age_band", "age_source"],
    )
    frame = pd.DataFrame(
        [(one.note, f"p{one.patient}", one.type) for one in notes],
        columns=["note_id", "patient_id", "note_type"],
    )
    asked = [(f"{arm}.{one.note}", one, arm) for arm in arms for one in notes]
    design = {"scheme": "bare", "tier": "prefix", "decoding": "greedy"}
    answers = pd.DataFrame(
        [
            {"gen_id": gen, "note_id": one.note, "patient_id": f"p{one.patient}", "arm": arm, **design, "prefix_end": 9.0,
             "net_token": 40 * (one.leaks and arm == "scanned"), "weight": 1.0, "partly": False}
            for gen, one, arm in asked
        ]
    )  # fmt: skip
    hits = pd.DataFrame(
        [{"gen_id": gen, "arm": arm, "headline": one.leaks and arm == "scanned"} for gen, one, arm in asked]
    )
    risk = answers.assign(recovered=answers["net_token"] > 0)
    return traits, frame, Judged(answers, hits, risk[risk["note_id"].str.startswith("a")])


def ways(arms=ARMS):
    rows = [
        {"scheme": "bare", "tier": "prefix", "decoding": "greedy", "arm": arm, "placed": True} for arm in arms
    ]
    return pd.DataFrame(rows)


def section(*parts, arms=ARMS, types=("progress", "letter")):
    counts = SubgroupCounts(ways(arms), decoding="greedy", unit="token", types=types)
    for part in parts:
        counts.add(*tables(part, arms))
    return counts.section(seed=0)


def figures(found, kind, arm="scanned"):
    return {
        row.band: (
            row.patients,
            row.notes,
            row.patients_with_headline_leak.count,
            row.net_ratio.count,
            row.net_ratio.n,
        )
        for row in found.rows
        if (row.kind, row.arm) == (kind, arm)
    }


def plainly(chosen):
    """The same by plain counting of the notes that ``chosen`` picks."""
    notes = [one for one in NOTES if chosen(one)]
    patients, leaking = {one.patient for one in notes}, {one.patient for one in notes if one.leaks}
    return len(patients), len(notes), len(leaking), sum(one.leaks for one in notes), len(notes)


def test_by_age_with_the_oldest_joined_to_their_neighbours():
    assert figures(section(NOTES), "age") == {
        ("18-44",): plainly(lambda one: one.patient < 12),
        ("45-64",): plainly(lambda one: 12 <= one.patient < 25),
        ("65-89", "90 and over"): plainly(lambda one: one.patient >= 25),
    }


def test_by_number_of_notes():
    assert figures(section(NOTES), "notes") == {
        ("1",): plainly(lambda one: one.patient >= 25),
        ("2-5",): plainly(lambda one: one.patient < 25),
    }


def test_a_rare_type_hides_among_the_next():
    """Three patients have a rare note: with the letters they are 25, and nobody counts twice."""
    assert figures(section(NOTES), "note_type") == {
        ("progress",): plainly(lambda one: one.type == "progress"),
        (OTHER_TYPES,): plainly(lambda one: one.type != "progress"),
    }
    without = [one for one in NOTES if one.type != "rare"]
    assert set(figures(section(without), "note_type")) == {("progress",), ("letter",)}


def test_a_type_that_may_not_be_named_is_counted_and_not_named():
    found = section(NOTES, types=("letter",))
    assert set(figures(found, "note_type")) == {("letter",), (OTHER_TYPES,)}
    assert "progress" not in found.model_dump_json()
    assert figures(section(NOTES, types=()), "note_type") == {}


def test_no_row_of_few_patients_and_none_by_subtraction():
    found = section(NOTES)
    assert min(row.patients for row in found.rows) >= LEAST
    for kind in ("age", "notes"):
        assert sum(patients for patients, *_ in figures(found, kind).values()) == 40


def test_both_models_are_shown_in_the_same_rows():
    """Else the rows of one would tell those that are joined of the other."""
    found = section(NOTES)
    for kind in ("age", "notes", "note_type"):
        assert set(figures(found, kind)) == set(figures(found, kind, "control"))
    assert all(leaking == 0 for _, _, leaking, *_ in figures(found, "age", "control").values())


def test_a_share_with_few_patients_behind_it_is_left_out_of_every_row():
    """Three patients have something at risk in their letters: the row of progress notes would tell of them."""
    rows = {row.band: row for row in section(NOTES).rows if (row.kind, row.arm) == ("note_type", "scanned")}
    assert set(rows) == {("progress",), (OTHER_TYPES,)}
    assert [row.phi_recovery_rate for row in rows.values()] == [None, None]
    assert all(row.net_ratio is not None for row in rows.values())
    ages = [row for row in section(NOTES).rows if row.kind == "age"]
    assert all(row.phi_recovery_rate is not None for row in ages)


def test_a_type_that_few_lack_is_not_shown():
    """All but three have one: the total would tell what leaked of those three."""
    lacking = [one._replace(type="letter") if one.note in ("a30", "a31", "a32") else one for one in NOTES]
    assert figures(section(lacking), "note_type") == {}


def test_a_band_of_which_the_control_was_asked_nothing_is_joined_and_not_left_out():
    counts = SubgroupCounts(ways(ARMS), decoding="greedy", unit="token", types=())
    traits, notes, judged = tables(NOTES)
    old = {f"p{patient}" for patient in range(37, 40)}
    kept = ~((judged.answers["arm"] == "control") & judged.answers["patient_id"].isin(old))
    counts.add(traits, notes, judged._replace(answers=judged.answers[kept]))
    found = counts.section(seed=0)
    assert ("65-89", "90 and over") in figures(found, "age")
    assert sum(patients for patients, *_ in figures(found, "age").values()) == 40


def test_ten_patients_make_no_section_rows():
    few = [one for one in NOTES if one.patient < LEAST - 1]
    assert section(few).rows == ()
    assert section(few).tests == ()


@pytest.mark.parametrize("size", [1, 7, 64])
def test_parts_add_up_to_the_whole(size):
    patients = sorted({one.patient for one in NOTES})
    parts = [patients[at : at + size] for at in range(0, len(patients), size)]
    assert section(*([one for one in NOTES if one.patient in part] for part in parts)) == section(NOTES)


def test_where_ages_come_from():
    found = section(NOTES)
    assert (found.ages_registered, found.ages_written) == (20, 20)


def test_differences_are_tested_of_kinds_that_part_the_patients():
    found = section(NOTES)
    assert [test.kind for test in found.tests] == ["age", "notes"]
    assert all(test.p <= test.p_holm <= 1 for test in found.tests)
    apart = [one._replace(leaks=one.patient < 12) for one in NOTES]
    assert {test.kind: test.p_holm < 0.001 for test in section(apart).tests}["age"]


def test_held_out_patients_are_joined_by_themselves():
    held_out = section(NOTES, arms=("holdout",))
    assert {row.arm for row in held_out.rows} == {"holdout"}
    assert held_out.tests == ()


def test_nothing_of_a_run_without_traits():
    assert SubgroupCounts(ways(), decoding="greedy", unit="token", types=()).section(seed=0) is None
