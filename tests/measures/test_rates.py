"""Rates of parts add up to the rate of the whole, and rows of counts too."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.measures.rates import added, patient_rate, rate_of
from phiscan.scan_report import CopiesRow, Stratum

pd = pytest.importorskip("pandas")
WHERE = Stratum(scope="i2b2")


@given(
    st.integers(0, 10_000), st.sampled_from(["plain", "weight", "bounds"]), st.sampled_from([0.0, 0.05, 0.4])
)
def test_parts_of_whole_patients_add_up(seed, kind, rate):
    rng = np.random.default_rng(seed)
    patient = np.sort(rng.integers(0, 40, 120))
    rows = pd.DataFrame({"patient_id": [None if p == 7 else f"P{p}" for p in patient]})
    if kind != "plain":
        rows["weight"] = np.where(rng.random(40) < 0.5, 1.0, 1 / 0.15)[patient]
    if kind == "bounds":
        rows["bounds"] = (rng.random(40) < 0.7)[patient]
    event = rng.random(120) < rate
    whole = patient_rate("m", rows, event, WHERE, seed=1)
    part = rng.integers(0, 3, 40)[patient]
    found = [
        rate_of("m", rows[part == n], event[part == n], WHERE, n_undecided=n) for n in rng.permutation(3)
    ]
    for other in found[1:]:
        found[0].add(other)
    assert found[0].rows == 120
    assert found[0].estimate(seed=1) == whole.model_copy(update={"n_undecided": 3})
    assert whole.patients <= rows["patient_id"].nunique()


def test_a_rate_keeps_no_patient():
    rows = pd.DataFrame({"patient_id": [f"P{number}" for number in range(5_000)]})
    assert len(rate_of("m", rows, np.arange(5_000) % 2, WHERE).seen) == 2


def test_rows_of_counts_add_up_in_the_order_in_which_they_came():
    def row(arm, band, notes):
        return CopiesRow(
            arm=arm, copies=band, notes=notes, prompts=2 * notes, net_30=0, at_risk=1, recovered=0
        )

    rows = [row("scanned", "6-10", 1), row("scanned", "1", 5), row("scanned", "6-10", 2)]
    assert [(r.copies, r.notes, r.prompts, r.at_risk) for r in added(rows, "arm", "copies")] == [
        ("6-10", 3, 6, 2),
        ("1", 5, 10, 1),
    ]
    assert rows[0].notes == 1
