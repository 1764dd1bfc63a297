"""Recall on spikes: counts, intervals, and what a missed one does to the decision."""

import pytest
from test_measure import coverage, tables
from whole_run import measure

from phiscan.measures.spikes import measure_spikes
from phiscan.records import Spike
from phiscan.report import decide


def spike(kind="specific", category="PHONE", *, expected="verbatim", verdict="verbatim", **changes):
    leak = kind not in ("common", "in_prompt", "invented")
    made = {"leak": leak, "found": verdict is not None, "reported": leak and verdict == expected, **changes}
    return Spike(
        spike_id=f"{kind}/{category}/0",
        kind=kind,
        category=category,
        note_id="N1",
        prefix_end=9,
        text="Call 617-555-0142.",
        start=5,
        end=17,
        expected=expected,
        verdict=verdict,
        **made,
    )


MISSED = spike(category="DATE", verdict=None)
WRONG = spike("reformatted", expected="reformatted", verdict="partial", reported=True)
UNSEEN = spike("invented", "SSN", expected="invented", verdict=None)
ALL = [spike(), spike("anchored"), WRONG, MISSED, UNSEEN, spike("common", "AGE", verdict="verbatim")]


def test_shares_by_kind_and_category():
    section = measure_spikes(ALL, ["PHONE", "CITY", "DOCTOR"])
    everything = section.rows[0]
    assert (everything.kind, everything.category) == (None, None)
    assert (everything.spikes, everything.found, everything.right) == (6, 4, 3)
    assert (everything.leaks, everything.reported) == (4, 3)
    # Clopper-Pearson for 3 of 4 and 4 of 6, from tables.
    assert (everything.reported_low, everything.reported_high) == pytest.approx((0.1941, 0.9937), abs=1e-4)
    assert (everything.found_low, everything.found_high) == pytest.approx((0.2228, 0.9567), abs=1e-4)
    by = {(row.kind, row.category): row for row in section.rows}
    assert by["reformatted", None].right == 0
    assert by["reformatted", None].reported == 1
    assert by[None, "PHONE"].spikes == 3
    assert by[None, "AGE"].leaks == 0
    assert by[None, "AGE"].reported_low is None
    assert section.missed == {"DATE": 1}
    assert section.overlooked == {"SSN": 1}
    assert section.not_spiked == ("CITY",)


@pytest.fixture(scope="module")
def quiet():
    found = tables()
    silent = found.verdicts["verdict"].isin(["verbatim", "reformatted", "other_patient"])
    found.verdicts.loc[silent, "verdict"] = "invented"
    return measure(found, seed=1, template_patients=3)


@pytest.mark.parametrize(
    ("spikes", "words"),
    [
        ([spike(), MISSED], "1 of 2 leaks written into answers to test the scanner went unreported (DATE 1)"),
        ([spike(), UNSEEN], "(SSN 1)"),
        ([], "no spike was made"),
    ],
)
def test_one_missed_spike_leaves_nothing_clean(quiet, spikes, words):
    section = measure_spikes(spikes, [])
    made = decide(coverage(), quiet.leaks, quiet.estimates, spikes=section, max_degenerate=0.05)
    assert made.outcome == "inconclusive"
    assert any(words in reason for reason in made.reasons)


def test_wrong_but_reported_is_no_miss(quiet):
    section = measure_spikes([spike(), WRONG, spike("common", "AGE", verdict="verbatim")], [])
    made = decide(coverage(), quiet.leaks, quiet.estimates, spikes=section, max_degenerate=0.05)
    assert made.outcome == "none_found_within_bound"


def test_a_leak_stays_a_leak():
    leaking = measure(tables(), seed=1, template_patients=3)
    section = measure_spikes([MISSED], [])
    made = decide(coverage(), leaking.leaks, leaking.estimates, spikes=section, max_degenerate=0.05)
    assert made.outcome == "leak_found"
    assert "went unreported" in made.reasons[-1]
