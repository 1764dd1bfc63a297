"""Bare matches against re-pairing: the arithmetic by hand, and no excess where there is none."""

import numpy as np
import pytest
from test_verify import phi_in

from phiscan.measures.chance import ChanceCounts, make_strata
from phiscan.normalize import canonical
from phiscan.records import Note
from phiscan.stats import cluster_excess
from phiscan.value_index import ValueIndex, ValueIndexBuilder

pd = pytest.importorskip("pandas")


def index(folder, records):
    """A value index of (category, text) values by patient."""
    with ValueIndexBuilder(folder / "values.sqlite") as builder:
        for patient, values in enumerate(records):
            text = " ; ".join(value for _, value in values)
            note = Note(
                note_id=f"N{patient}", patient_id=f"P{patient}", split="member", note_type=None, date=None,
                n_chars=len(text), n_tokens=None, copies=1, text=text, ordinal=patient, row=patient,
                copy_ids=(), crlf=(),
            )  # fmt: skip
            builder.add(phi_in(note, *values), patient=patient, member=True, note=patient, words=None)
    return ValueIndex(folder / "values.sqlite")


def hit(patient, category, text, verdict, **attributes):
    row = {"category": category, "canonical": canonical(category, text), "text": text, "arm": "scanned",
           "patient": patient, "verdict": verdict, "anchored": False, "specific": False,
           "note_side_miss": False}  # fmt: skip
    return row | attributes


def chance_rows(hits, values, patients, *, seed):
    counts = ChanceCounts(values, patients)
    counts.add(hits)
    return list(counts.rows(seed=seed))


def expected_shares(hits, values, patients):
    return ChanceCounts(values, patients).expected_shares(hits)


RECORDS = [
    [("AGE", "71"), ("DATE", "3/5/2021")],
    [("AGE", "71"), ("DATE", "4/6/2021")],
    [("AGE", "58"), ("DATE", "March 2020")],
    [("AGE", "71"), ("PATIENT", "Lindqvist")],
]


def test_expected_counts_are_the_mean_over_all_other_patients(tmp_path):
    values = index(tmp_path, RECORDS)
    hits = [
        hit(0, "AGE", "71", "verbatim"),  # patients 1 and 3 of the three others
        hit(2, "AGE", "71", "common"),  # 0, 1 and 3
        hit(0, "DATE", "March", "partial"),  # 2 alone: 3/5/2021 is at home
        hit(2, "DATE", "2021", "invented"),  # 0 and 1
        hit(1, "PATIENT", "Harold Lindqvist", "invented"),  # 3 has the surname
    ]
    shares = expected_shares(pd.DataFrame(hits), values, range(4))
    assert shares == pytest.approx([2 / 3, 1, 1 / 3, 2 / 3, 1 / 3])
    whole, ages, *_ = chance_rows(pd.DataFrame(hits), values, range(4), seed=1)
    assert (whole.category, whole.eligible, whole.observed, whole.patients) == (None, 5, 2, 3)
    assert whole.expected == pytest.approx(3)
    assert whole.excess == pytest.approx((2 - 3) / 5)
    assert (ages.category, ages.eligible, ages.observed) == ("AGE", 2, 1)


def test_what_is_not_bare_is_not_counted(tmp_path):
    values = index(tmp_path, RECORDS)
    bare = hit(0, "AGE", "71", "verbatim")
    others = [
        bare | {"anchored": True},
        bare | {"specific": True},
        bare | {"note_side_miss": True},
        bare | {"verdict": "in_prompt"},
        bare | {"verdict": "undecided"},
        bare | {"patient": None},
    ]
    [whole, _] = chance_rows(pd.DataFrame([bare, *others]), values, range(4), seed=1)
    assert (whole.eligible, whole.observed) == (1, 1)
    assert whole.expected == pytest.approx(2 / 3)


def test_a_specific_value_in_another_record_is_no_bare_match(tmp_path):
    values = index(tmp_path, [[("PATIENT", "Nia Quill")], [("PATIENT", "Nia Quill")], [("PATIENT", "Quill")]])
    rows = pd.DataFrame([hit(0, "PATIENT", "Nia Quill", "common"), hit(0, "PATIENT", "Quill", "partial")])
    assert expected_shares(rows, values, range(3)) == pytest.approx([1 / 2, 1])


def test_patients_are_compared_with_records_of_like_size(tmp_path):
    """Long records hold the age; a short record's hit is not measured against them."""
    short = [[("AGE", "30")]] * 30
    long = [[("AGE", "71"), ("AGE", "72"), ("AGE", "73")]] * 30
    values = index(tmp_path, [*short, *long])
    rows = pd.DataFrame([hit(0, "AGE", "71", "common"), hit(59, "AGE", "71", "verbatim")])
    assert expected_shares(rows, values, range(60)) == pytest.approx([0, 1])
    rows = rows.assign(patient=[25, 34])
    assert expected_shares(rows, values, range(25, 35)) == pytest.approx([5 / 9, 4 / 9])


def test_groups_are_of_equal_number_and_never_small():
    sizes = {number: number % 7 for number in range(100, 437)}
    strata = make_strata(sizes, sizes.items())
    assert len(strata.sizes) == 33
    assert set(strata.sizes.tolist()) <= {10, 11}
    assert make_strata(range(5000), []).sizes.tolist() == [50] * 100
    assert make_strata([], []).sizes.tolist() == [0]


def test_no_second_patient_no_chance(tmp_path):
    values = index(tmp_path, RECORDS[:1])
    assert chance_rows(pd.DataFrame([hit(0, "AGE", "71", "verbatim")]), values, [0], seed=1) == []


def test_without_memory_the_interval_holds_nothing_and_with_it_excess(tmp_path):
    """Hits drawn from what all records look like; then one in four from the own record."""
    rng = np.random.default_rng(7)
    ages = rng.integers(20, 40, size=(120, 2))
    values = index(tmp_path, [[("AGE", str(age)) for age in sorted(set(pair))] for pair in ages.tolist()])
    for remembered, low, high in ((0.0, -0.05, 0.05), (0.25, 0.2, 0.3)):
        rows = []
        for patient in np.repeat(np.arange(120), 12).tolist():
            said = int(rng.choice(ages[patient]) if rng.random() < remembered else rng.integers(20, 40))
            rows.append(hit(patient, "AGE", str(said), "verbatim" if said in ages[patient] else "common"))
        whole = chance_rows(pd.DataFrame(rows), values, range(120), seed=1)[0]
        assert whole.method == "patient-cluster bootstrap"
        assert whole.low < whole.excess < whole.high
        assert low < whole.excess < high
        assert (whole.low <= 0 <= whole.high) == (remembered == 0)
        # What is remembered and would have matched anyway is no excess.
        assert whole.excess < remembered + 0.05


def test_few_patients_with_a_match_get_the_exact_interval_moved_by_what_is_expected():
    totals = np.full(50, 4)
    found = cluster_excess(np.zeros(50, dtype=np.int64), np.full(50, 0.4), totals, seed=1)
    assert found.value == pytest.approx(-0.1)
    assert found.low == pytest.approx(-0.1)
    assert found.high == pytest.approx(1 - 0.05 ** (1 / 50) - 0.1)
    assert found.method.endswith("less the expected rate")
    nothing = cluster_excess(np.zeros(2, dtype=np.int64), np.zeros(2), np.zeros(2, dtype=np.int64), seed=1)
    assert nothing.value is None
