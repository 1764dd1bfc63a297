"""Screening: which notes are cleared, who is drawn, and rates that a sample stands for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.test_measure import find, tables
from whole_run import measure

from phiscan.greedy_runs import longest_run
from phiscan.records import Note, NoteAudit, Prompt
from phiscan.report import decide
from phiscan.screen import ScreenSettings, is_drawn, not_screened, screen_notes
from phiscan.stats import weighted_rate

pd = pytest.importorskip("pandas")


def note(number, patient="p"):
    return Note(
        note_id=f"n{number}", patient_id=patient, split="member", note_type=None, date=None, n_chars=1,
        n_tokens=None, copies=1, text="x", ordinal=number, row=1, copy_ids=(), crlf=(),
    )  # fmt: skip


def prompt(number, length):
    return Prompt(
        prompt_id=f"n{number}.bare.{length}", note_id=f"n{number}", scheme="bare", tier="prefix",
        prefix_tok=length, prefix_start=0, prefix_end=1, text="x",
    )  # fmt: skip


def audit(number, longest, *, length=50, arm="scanned"):
    return NoteAudit(
        audit_id=f"{arm}/{number}/{length}", note_id=f"n{number}", arm=arm, prefix_tok=length, n_tokens=90,
        run_tok=0, longest_tok=longest, ties=0, next_tok=50, next_logprob=-1.0, context_tok=50, score_tok=None,
    )  # fmt: skip


def test_a_note_without_a_run_of_thirty_is_cleared_and_a_note_nobody_scored_is_not():
    audits = [audit(0, 29), audit(1, 30), audit(2, 3), audit(2, 90, arm="control"), audit(3, 5, length=100)]
    prompts = [prompt(n, length) for n in range(4) for length in (50, 100)]
    found = screen_notes(map_notes(5), prompts, audits, ScreenSettings(sample=1), shortest=50, seed=0)
    assert [(row.note_id, row.prompts, row.longest_tok, row.drawn) for row in found] == [
        ("n0", 2, 29, True),
        ("n2", 2, 3, True),
    ]
    assert not_screened(prompts, found) == prompts


def map_notes(count):
    return [note(number, f"p{number}") for number in range(count)]


def test_only_prompts_of_cleared_notes_whose_patient_was_not_drawn_are_left_out():
    audits = [audit(n, 0) for n in range(40)]
    prompts = [prompt(n, 50) for n in range(40)]
    found = screen_notes(map_notes(40), prompts, audits, ScreenSettings(sample=0.3), shortest=50, seed=1)
    asked = {p.note_id for p in not_screened(prompts, found)}
    assert asked == {row.note_id for row in found if row.drawn}
    assert 3 < len(asked) < 25


def test_a_patient_is_drawn_whoever_else_is_there_and_at_the_share_asked_for():
    drawn = sum(is_drawn(f"p{n}", 0.2, seed=3) for n in range(5_000))
    assert 900 < drawn < 1_100
    assert {n for n in range(100) if is_drawn(f"p{n}", 0.2, seed=3)} != {
        n for n in range(100) if is_drawn(f"p{n}", 0.2, seed=4)
    }


@given(st.lists(st.booleans(), max_size=60))
def test_the_longest_run_is_that_of_a_plain_count(likely):
    longest = max(map(len, "".join("x" if one else " " for one in likely).split(" ")))
    assert longest_run(np.array(likely, dtype=bool)) == longest


def test_the_sample_stands_for_what_was_not_asked():
    """300 studies of 400 patients: a flagged note leaks in 60%, a cleared one in 4%; 15% are drawn."""
    rng = np.random.default_rng(7)
    values, covered = [], 0
    for study in range(300):
        patient = np.repeat(np.arange(400), 3)
        flagged = rng.random(1200) < 0.2
        leaks = rng.random(1200) < np.where(flagged, 0.6, 0.04)
        drawn = (rng.random(400) < 0.15)[patient]
        weight = np.where(flagged, 1.0, np.where(drawn, 1 / 0.15, 0.0))
        events = np.bincount(patient, weight * leaks, 400)
        totals = np.bincount(patient, weight, 400)
        asked = totals > 0
        found = weighted_rate(events[asked], totals[asked], n=int((weight > 0).sum()), seed=study)
        values.append(found.value)
        covered += found.low <= 0.2 * 0.6 + 0.8 * 0.04 <= found.high
    assert np.mean(values) == pytest.approx(0.152, abs=0.004)
    assert covered >= 0.91 * 300


def test_weighted_methods_by_situation():
    one = np.ones(50)
    assert weighted_rate(one * 0, one * 3, n=50, seed=0).method == "exact bound on patients, none observed"
    assert weighted_rate(one * 3, one * 3, n=50, seed=0).method == "exact bound on patients, all observed"
    few = weighted_rate((np.arange(50) < 5) * 2.0, one * 2, n=50, seed=0)
    assert few.method == "Clopper-Pearson on effective size, weighted"
    many = weighted_rate((np.arange(100) % 2) * 2.0, np.full(100, 2.0), n=100, seed=0)
    assert many.method == "patient-cluster bootstrap, weighted"
    assert few.low <= few.value == 0.1 <= few.high
    assert weighted_rate(one[:0], one[:0], n=0, seed=0).value is None


def screened(*rows):
    return pd.DataFrame(rows, columns=["note_id", "prompts", "drawn", "probability"])


def test_rates_by_hand_where_b_was_cleared_and_drawn():
    """b1 stands for four notes; every other answer for itself."""
    found = measure(tables()._replace(screened=screened(("b1", 2, True, 0.25))), seed=1, template_patients=3)
    here = {"unit": "token", "threshold": 30, "prefix_length": 50, "support": "all"}
    ratio = estimate(found, "raw_ratio", **here)
    assert (ratio.count, ratio.n) == (2, 3)
    assert ratio.value == pytest.approx((1 + 4) / (1 + 1 + 4))
    assert estimate(found, "patients_with_headline_leak").value == pytest.approx(1 / (1 + 4))
    assert estimate(found, "notes_with_headline_leak").value == pytest.approx(1 / (1 + 1 + 4))
    assert find(found, "cleared_with_run")[:2] == (1, 2)
    assert find(found, "cleared_with_headline_leak")[:2] == (0, 2)
    assert find(found, "cleared_with_other_patient")[:2] == (1, 2)
    [row] = found.screening
    assert (row.arm, row.notes_cleared, row.saved, row.sampled_prompts) == ("scanned", 1, 0, 2)


def estimate(measures, metric, **stratum):
    [found] = [
        e
        for e in measures.estimates
        if e.metric == metric
        and e.stratum.arm == "scanned"
        and all(getattr(e.stratum, name) == value for name, value in stratum.items())
    ]
    return found


def test_a_leak_seen_in_a_certain_note_counts_once_whatever_the_patients_other_notes_stand_for():
    found = measure(tables()._replace(screened=screened(("a2", 1, True, 0.1))), seed=1, template_patients=3)
    assert estimate(found, "patients_with_headline_leak").value == pytest.approx(1 / 2)
    assert estimate(found, "notes_with_headline_leak").value == pytest.approx(1 / (1 + 10 + 1))


def test_with_no_leak_only_patients_asked_for_whole_bound_it():
    """B has a note more that was never asked for: only A, asked for whole, bounds anything."""
    before = tables()
    verdicts = before.verdicts.assign(anchored=False, specific=False)
    notes = pd.concat([before.notes, before.notes.iloc[[2]].assign(note_id="b2")])
    changed = before._replace(
        verdicts=verdicts, notes=notes, screened=screened(("b2", 2, False, 0.25), ("a2", 1, True, 0.25))
    )
    found = measure(changed, seed=1, template_patients=3)
    rate = estimate(found, "patients_with_headline_leak")
    assert (rate.value, rate.patients) == (0, 1)


def test_screening_that_nobody_checked_is_inconclusive():
    from measures.test_measure import coverage

    found = measure(tables()._replace(screened=screened(("b1", 2, False, 0.25))), seed=1, template_patients=3)
    decision = decide(coverage(), found.leaks, found.estimates, found.screening, max_degenerate=0.05)
    assert any("nothing says what screening misses" in reason for reason in decision.reasons)
