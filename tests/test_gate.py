"""Rules of a policy: what each makes of a report, and that worse never passes where better failed."""

from datetime import UTC, datetime, timedelta

import pytest
from gate_reports import HELD_OUT, PATIENTS, none_of, rate, report, review
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from renderers.sample_report import full_report

from phiscan.commands.gate import read_policy, shipped_policies
from phiscan.gate import KINDS, Policy, judge
from phiscan.gate.leaks import DIRECT
from phiscan.scan_report import ScreeningRow

NOW = datetime(2031, 4, 20, 9, 12, 44, tzinfo=UTC)
"""Three days after the invented reports."""


def policy(**rule):
    return Policy.model_validate({"name": "one rule", "why": "a test", "rules": {"r": {"why": "w", **rule}}})


def outcome(made, *, now=NOW, **rule):
    """passed, failed or missing."""
    answer = policy(**rule).rules["r"].judge(made, now)
    assert answer.reason
    return {True: "passed", False: "failed", None: "missing"}[answer.passed]


def but(made=None, **update):
    return (made or report()).model_copy(update=update)


def cover(made=None, **update):
    made = made or report()
    return but(made, coverage=made.coverage.model_copy(update=update))


def cells(arm, made=None, **update):
    """The report with other cells of one arm."""
    made = made or report()
    changed = [c.model_copy(update=update) if c.arm == arm else c for c in made.coverage.prefixes]
    return cover(made, prefixes=tuple(changed))


def without(arm):
    made = report()
    kept = but(made, estimates=tuple(e for e in made.estimates if e.stratum.arm != arm))
    return cover(kept, prefixes=tuple(cell for cell in made.coverage.prefixes if cell.arm != arm))


def estimates(*made):
    return but(estimates=made)


def aged(created):
    return but(manifest=report().manifest.model_copy(update={"created": created}))


def reviewed(**update):
    return but(review=review().model_copy(update=update))


def cleared(sampled):
    row = ScreeningRow(
        arm="scanned", notes_cleared=9, prompts_cleared=40, prompts_asked=90 + sampled, sample=0.1,
        sampled_patients=2, sampled_notes=3, sampled_prompts=sampled,
    )  # fmt: skip
    return but(screening=(row,))


UNASKED = cells("scanned", done=0)
HELD_OUT_RATE = rate("patients_with_headline_leak", 0, HELD_OUT, arm="holdout")
LETTERS = {"what": "no_headline_leaks", "letters": ["D", "G"]}
PHONES = {"what": "no_headline_leaks", "categories": ["PHONE"]}
DIRECTLY = {"what": "no_headline_leaks", "direct": True}
RATE = {"what": "max_patient_leak_rate", "at_most": 0.01}
LONG = {"what": "max_net_ratio", "threshold": 50, "at_most": 0.02}
SPIKES = {"what": "no_missed_spikes", "may_lack": ["STATE"]}
KAPPA = {"what": "review_done", "kappa_at_least": 0.6}
MISSED = {"what": "review_done", "miss_rate_at_most": 0.05}
RECALL = {"what": "min_detector_recall", "at_least": 0.9}
AGE = {"what": "report_age_days", "at_most": 30}
TABLE = [
    ({"what": "no_headline_leaks"}, report(), "passed"),
    ({"what": "no_headline_leaks"}, report(headline=1), "failed"),
    ({"what": "no_headline_leaks"}, UNASKED, "missing"),
    ({"what": "no_headline_leaks"}, but(leaks=()), "missing"),
    (LETTERS, report(headline=5), "passed"),
    (LETTERS, report(phones=1), "failed"),
    (LETTERS, UNASKED, "missing"),
    (PHONES, report(headline=5), "passed"),
    (PHONES, report(phones=1), "failed"),
    (DIRECTLY, report(headline=5), "passed"),
    (DIRECTLY, report(phones=1), "failed"),
    ({**DIRECTLY, "categories": ["DATE"]}, report(headline=1), "failed"),
    ({"what": "no_other_patient_values"}, report(headline=3), "passed"),
    ({"what": "no_other_patient_values"}, report(others=1), "failed"),
    ({"what": "no_other_patient_values"}, UNASKED, "missing"),
    (RATE, report(), "passed"),
    (RATE, report(leaking=PATIENTS // 100), "failed"),
    (RATE, estimates(rate("patients_with_headline_leak", 0, 298)), "failed"),
    (RATE, estimates(rate("patients_with_headline_leak", 0, 299)), "passed"),
    (RATE, estimates(), "missing"),
    (RATE, estimates(HELD_OUT_RATE), "missing"),
    ({"what": "leak_rate_not_above", "arm": "holdout"}, report(leaking=11), "passed"),
    ({"what": "leak_rate_not_above", "arm": "holdout"}, report(leaking=12), "failed"),
    ({"what": "leak_rate_not_above", "arm": "holdout"}, without("holdout"), "missing"),
    ({"what": "leak_rate_not_above", "arm": "control"}, report(leaking=3), "passed"),
    ({"what": "leak_rate_not_above", "arm": "control"}, report(leaking=12), "failed"),
    ({"what": "leak_rate_not_above", "arm": "control"}, without("control"), "missing"),
    (LONG, report(), "passed"),
    (LONG, report(runs=5), "failed"),
    ({**LONG, "unit": "word", "prefix_length": 50}, report(), "passed"),
    ({**LONG, "prefix_length": 77}, report(), "missing"),
    ({"what": "max_undecided", "at_most": 0.01}, report(undecided=11), "passed"),
    ({"what": "max_undecided", "at_most": 0.01}, report(undecided=12), "failed"),
    ({"what": "max_undecided", "at_most": 0.01}, estimates(), "missing"),
    ({"what": "plants_twins_silent"}, report(), "passed"),
    ({"what": "plants_twins_silent"}, report(false_alarms=1), "failed"),
    ({"what": "plants_twins_silent"}, but(plants=None), "missing"),
    ({"what": "outcome", "allowed": ["none_found_within_bound"]}, report(), "passed"),
    ({"what": "outcome", "allowed": ["none_found_within_bound", "inconclusive"]}, full_report(), "failed"),
    ({"what": "coverage_complete"}, report(), "passed"),
    ({"what": "coverage_complete"}, cover(complete=False), "failed"),
    ({"what": "coverage_complete"}, cover(replay_rows=100, replay_prefix_not_found=6), "failed"),
    ({"what": "coverage_complete"}, cleared(4), "passed"),
    ({"what": "coverage_complete"}, cleared(0), "failed"),
    ({"what": "coverage_complete"}, UNASKED, "missing"),
    (SPIKES, report(), "passed"),
    (SPIKES, report(missed=1), "failed"),
    (SPIKES, but(spikes=report().spikes.model_copy(update={"overlooked": {"SSN": 1}})), "failed"),
    (SPIKES, but(spikes=report().spikes.model_copy(update={"not_spiked": ("SSN",)})), "failed"),
    ({"what": "no_missed_spikes"}, report(), "failed"),
    (SPIKES, but(spikes=None), "missing"),
    (SPIKES, but(spikes=report().spikes.model_copy(update={"rows": ()})), "missing"),
    ({"what": "min_patients", "at_least": PATIENTS}, report(), "passed"),
    ({"what": "min_patients", "at_least": PATIENTS + 1}, report(), "failed"),
    ({"what": "min_patients", "at_least": 1}, estimates(), "missing"),
    ({"what": "holdout_present", "at_least": HELD_OUT}, report(), "passed"),
    ({"what": "holdout_present", "at_least": HELD_OUT + 1}, report(), "failed"),
    ({"what": "holdout_present"}, without("holdout"), "missing"),
    ({"what": "control_present"}, report(), "passed"),
    ({"what": "control_present"}, cells("control", done=0), "failed"),
    ({"what": "control_present"}, without("control"), "missing"),
    ({"what": "max_degenerate", "at_most": 0.05}, report(), "passed"),
    ({"what": "max_degenerate", "at_most": 0.05}, cells("scanned", looping=9000), "failed"),
    ({"what": "max_degenerate", "at_most": 0.05}, UNASKED, "missing"),
    ({"what": "max_degenerate", "at_most": 0.05, "arm": "control"}, cells("control", empty=9000), "failed"),
    ({"what": "max_degenerate", "at_most": 0.05, "arm": "control"}, without("control"), "missing"),
    (KAPPA, report(), "passed"),
    ({**KAPPA, "kappa_at_least": 0.72}, report(), "failed"),
    (KAPPA, reviewed(answered=199), "failed"),
    (KAPPA, reviewed(open=1), "failed"),
    (KAPPA, reviewed(agreement=()), "missing"),
    (KAPPA, reviewed(agreement=(), answered=199), "failed"),
    (KAPPA, reviewed(items=0, answered=0), "missing"),
    ({"what": "review_done"}, reviewed(agreement=()), "passed"),
    (MISSED, report(), "passed"),
    ({**MISSED, "miss_rate_at_most": 0.01}, report(), "failed"),
    (MISSED, reviewed(estimates=()), "missing"),
    (MISSED, but(review=None), "missing"),
    (RECALL, report(), "passed"),
    (RECALL, report(overlooked=19), "passed"),
    (RECALL, report(overlooked=20), "failed"),  # 280 of 300 found: Wilson's lower limit is 0.8993
    ({**RECALL, "scope": "all"}, report(overlooked=28), "passed"),
    ({**RECALL, "scope": "all"}, report(overlooked=29), "failed"),
    ({**RECALL, "match": "strict"}, report(overlooked=9), "passed"),
    ({**RECALL, "match": "strict"}, report(overlooked=10), "failed"),
    (RECALL, but(detection=None), "missing"),
    (RECALL, but(detection=report().detection.model_copy(update={"rows": ()})), "missing"),
    ({"what": "exposure_made"}, report(), "passed"),
    ({"what": "exposure_made"}, but(exposure=report().exposure.model_copy(update={"notes_failed": 1})), "failed"),
    ({"what": "exposure_made"}, but(exposure=None), "missing"),
    (AGE, report(), "passed"),
    (AGE, aged((NOW - timedelta(days=30)).isoformat()), "passed"),
    (AGE, aged((NOW - timedelta(days=30, seconds=1)).isoformat()), "failed"),
    (AGE, aged((NOW + timedelta(hours=20)).isoformat()), "passed"),
    (AGE, aged((NOW + timedelta(days=2)).isoformat()), "failed"),
    (AGE, aged("2031-04-17T09:12:44"), "missing"),
    (AGE, aged("some day"), "missing"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "made", "expected"), TABLE)
def test_truth_table(rule, made, expected):
    assert outcome(made, **rule) == expected


def test_the_table_holds_every_kind_with_every_answer():
    answers = {kind: {expected for rule, _, expected in TABLE if rule["what"] == kind} for kind in KINDS}
    always = answers.pop("outcome")  # every report has one
    assert always == {"passed", "failed"}
    assert all(found == {"passed", "failed", "missing"} for found in answers.values()), answers


@pytest.mark.parametrize("index", [i for i, (_, _, expected) in enumerate(TABLE) if expected == "missing"])
def test_what_cannot_be_said_fails_unless_the_policy_skips_it(index):
    rule, made, _ = TABLE[index]
    anchor = {"why": "holds", "what": "outcome", "allowed": [made.decision.outcome]}

    def of(**more):
        rules = {"anchor": anchor, "r": {"why": "w", **rule, **more}}
        return judge(Policy.model_validate({"name": "p", "why": "w", "rules": rules}), made, NOW)

    failed, skipped = of(), of(when_missing="skip")
    assert (failed.passed, failed.findings[1].result) == (False, "failed")
    assert (skipped.passed, skipped.findings[1].result) == (True, "skipped")
    assert skipped.findings[1].reason == failed.findings[1].reason


def test_skipping_is_for_what_cannot_be_said_alone():
    assert outcome(report(headline=1), what="no_headline_leaks", when_missing="fail") == "failed"
    rules = {
        "a": {"what": "no_headline_leaks", "why": "w", "when_missing": "skip"},
        "b": {"what": "coverage_complete", "why": "w"},
    }
    two = Policy.model_validate({"name": "p", "why": "w", "rules": rules})
    assert not judge(two, report(headline=1), NOW).passed


@pytest.mark.parametrize(
    "rule",
    [
        {"what": "max_patient_leak_rate", "at_most": 0},  # no upper limit is 0
        {"what": "max_patient_leak_rate", "at_most": 1},  # every one is at most 1
        {"what": "max_patient_leak_rate", "at_most": float("nan")},
        {"what": "max_patient_leak_rate", "at_most": "0.01"},
        {"what": "max_degenerate", "at_most": True},
        {"what": "max_patient_leak_rate"},
        {"what": "max_net_ratio", "threshold": 40, "at_most": 0.1},
        {"what": "min_patients", "at_least": 0},
        {"what": "min_patients", "at_least": 1.5},
        {"what": "no_headline_leaks", "letters": ["Q"]},  # photographs are not in text
        {"what": "no_headline_leaks", "categories": ["DOCTOR"]},  # apart: never a headline leak
        {"what": "no_headline_leaks", "categories": ["PHONES"]},
        {"what": "no_headline_leaks", "letters": "D"},
        {"what": "no_missed_spikes", "may_lack": ["HOSPITAL"]},
        {"what": "leak_rate_not_above", "arm": "scanned"},
        {"what": "review_done", "kappa_at_least": 1.1},
        {"what": "report_age_days", "at_most": -1},
        {"what": "min_detector_recall", "at_least": 1},
        {"what": "min_detector_recall", "at_least": 0.9, "match": "token"},
        {"what": "outcome", "allowed": []},
        {"what": "outcome", "allowed": ["safe"]},
        {"what": "coverage_complete", "when_missing": "pass"},
        {"what": "coverage_complete", "when_missing": "skip"},  # nothing left that must hold
        {"what": "coverage_complete", "at_most": 1},
        {"what": "coverage"},
        {},
    ],
)
def test_a_rule_that_says_nothing_sensible_is_refused(rule):
    with pytest.raises(ValidationError):
        policy(**rule)


def test_direct_identifiers_leave_out_what_a_limited_data_set_may_hold():
    assert {"PATIENT", "PHONE", "SSN", "STREET", "IDNUM"} <= DIRECT
    assert not {"CITY", "ZIP", "DATE", "AGE", "DOCTOR", "STATE"} & DIRECT


# --- the policies that ship -------------------------------------------------------------------


def failing(name, made):
    result = judge(read_policy(name), made, NOW)
    return {finding.rule for finding in result.findings if finding.result == "failed"}


def test_three_policies_ship():
    assert set(shipped_policies()) == {"strict", "research", "exploratory"}
    assert all(read_policy(name).name == name for name in shipped_policies())


@pytest.mark.parametrize("name", ["strict", "research", "exploratory"])
def test_a_report_that_has_everything_and_found_nothing_passes(name):
    assert failing(name, report()) == set()


def test_what_a_leaky_report_fails():
    made = full_report()  # leaks, one spike missed, no review, no exposure
    assert failing("exploratory", made) == {"spikes"}
    assert failing("research", made) == {
        *("no-direct-identifier", "no-other-patient", "patient-leak-rate", "spikes", "review"),
        "not-above-control",
    }
    assert failing("strict", made) >= {"clean-decision", "no-leak", "spikes", "review", "exposure"}
    made = made.model_copy(update={"spikes": report().spikes})
    assert failing("exploratory", made) == set()


def test_dates_pass_research_and_not_strict():
    made = report(headline=3, leaking=2)
    assert failing("research", made) == set()
    assert "no-leak" in failing("strict", made)
    assert failing("research", report(phones=1, leaking=1)) == {"no-direct-identifier"}


def test_the_reasoning_about_numbers_of_patients_is_right():
    """299 patients bound at 1%, 59 at 5%, and 20 leave 14%: as the policies say."""
    assert none_of(299) <= 0.01 < none_of(298)
    assert none_of(59) <= 0.05 < none_of(58)
    assert round(none_of(20), 2) == 0.14
    assert 1 - none_of(29) >= 0.9 > 1 - none_of(28)


# --- worse never passes -----------------------------------------------------------------------

COUNTS = (
    *("leaking", "headline", "phones", "others", "runs", "missed", "undecided", "false_alarms"),
    "overlooked",
)
MOST = {"leaking": PATIENTS, "runs": 400, "missed": 41, "undecided": 40, "overlooked": 60}
THRESHOLD = st.floats(0.001, 0.9)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), at_most=THRESHOLD, length=st.sampled_from([None, 50, 500]))
def test_a_worse_report_never_passes_where_a_better_one_failed(data, at_most, length):
    good = {name: data.draw(st.integers(0, min(MOST.get(name, 20), 60))) for name in COUNTS}
    worse = {
        name: data.draw(st.one_of(st.just(count), st.integers(count, MOST.get(name, 60))))
        for name, count in good.items()
    }
    own = (
        policy(**RATE | {"at_most": at_most}),
        policy(**LONG | {"at_most": at_most, "prefix_length": length}),
    )
    for wanted in (*own, *map(read_policy, shipped_policies())):
        before, after = judge(wanted, report(**good), NOW), judge(wanted, report(**worse), NOW)
        assert before.passed or not after.passed
        for one, other in zip(before.findings, after.findings, strict=True):
            assert one.result == "passed" or other.result != "passed", one.rule


@given(count=st.integers(0, 20), high=st.floats(0, 1), more=st.floats(0, 1), at_most=THRESHOLD)
def test_a_higher_upper_limit_never_passes_where_a_lower_one_failed(count, high, more, at_most):
    def passed(limit):
        one = rate("patients_with_headline_leak", count, 21).model_copy(update={"high": limit})
        return outcome(estimates(one), what="max_patient_leak_rate", at_most=at_most) == "passed"

    assert passed(high) or not passed(min(1.0, high + more))
    assert passed(high) == (high <= at_most)
