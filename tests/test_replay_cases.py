"""Every verdict and attribute, from replayed continuations written by hand to the stored tables."""

import pytest
from replay_cases import CASES, NOTES, case_inputs

from phiscan.config import ScanConfig
from phiscan.pipeline import scan
from phiscan.store import RunDirectory


@pytest.fixture(scope="module")
def run(tmp_path_factory, write_jsonl):
    inputs = case_inputs(tmp_path_factory.mktemp("replay"), write_jsonl)
    report = scan(inputs, ScanConfig())
    return report, RunDirectory(inputs.out)


@pytest.fixture(scope="module")
def tables(run):
    _, directory = run
    names = ("prompts", "continuations", "matches", "hits", "verdicts", "at_risk")
    return {name: list(directory.read_table(name)) for name in names}


def generation(case, tables):
    """The scanned continuation of a case; draws stand in the order of the file."""
    text = case.continuation.replace("\r\n", "\n")
    prompts = {p.prompt_id for p in tables["prompts"] if p.note_id == case.note_id and p.text == case.prefix}
    return next(
        c for c in tables["continuations"] if c.prompt_id in prompts and c.text == text and c.arm != "control"
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case, tables):
    made = generation(case, tables)
    assert made.degenerate == case.degenerate
    hits = [hit for hit in tables["hits"] if hit.gen_id == made.gen_id]
    verdicts = {verdict.hit_id: verdict for verdict in tables["verdicts"]}
    for hit in hits:
        assert made.text[hit.cont_start : hit.cont_end] == hit.text
    for expected in case.hits:
        found = [hit for hit in hits if hit.text == expected.text]
        assert found, f"{expected.text} was not found; hits: {[h.text for h in hits]}"
        verdict = verdicts[found[-1].hit_id]
        for name in ("verdict", "anchored", "specific", "control_emits", "note_side_miss"):
            wanted = getattr(expected, name, None)
            if wanted is not None:
                assert getattr(verdict, name) == wanted, (expected.text, name, verdict)
    if case.no_other_hits:
        assert {hit.text for hit in hits} == {expected.text for expected in case.hits}
    rows = [m for m in tables["matches"] if m.gen_id == made.gen_id and m.unit == "word"]
    assert {m.where for m in rows} == set(case.where)


def test_runs_are_equal_text_on_both_sides(tables):
    """Equal words, so equal text but for the blanks between them."""
    notes = {row["note_id"]: row["text"].replace("\r\n", "\n") for row in NOTES}
    texts = {c.gen_id: c.text for c in tables["continuations"]}
    assert tables["matches"]
    for match in tables["matches"]:
        ours = texts[match.gen_id][match.cont_start : match.cont_end]
        theirs = notes[match.matched_note_id][match.matched_start : match.matched_end]
        assert ours.split() == theirs.split()


def test_verdicts_point_at_the_value_in_the_record(tables):
    notes = {row["note_id"]: row["text"].replace("\r\n", "\n") for row in NOTES}
    hits = {hit.hit_id: hit for hit in tables["hits"]}
    checked = 0
    for verdict in tables["verdicts"]:
        if verdict.verdict == "verbatim" and verdict.matched_note_id is not None:
            text = notes[verdict.matched_note_id][verdict.matched_start : verdict.matched_end]
            assert text.split() == hits[verdict.hit_id].text.split()
            checked += 1
    assert checked > 10


def test_values_at_risk_and_recovered(tables):
    case = CASES[0]
    made = generation(case, tables)
    rows = [row for row in tables["at_risk"] if row.gen_id == made.gen_id]
    assert {row.category for row in rows} >= {"DATE", "PHONE", "STREET", "ZIP"}
    assert all(row.recovered for row in rows)
    assert not any(row.canonical == "marguerite lindqvist" for row in rows), "the prompt shows it"
    silent = generation(next(c for c in CASES if c.name == "an empty answer"), tables)
    assert not any(row.recovered for row in tables["at_risk"] if row.gen_id == silent.gen_id)


def test_nothing_is_at_risk_where_the_prefix_was_not_found(tables):
    lost = {p.prompt_id for p in tables["prompts"] if p.prefix_end is None}
    assert lost
    assert not [row for row in tables["at_risk"] if row.prompt_id in lost]


def test_the_report_counts_the_cases(run):
    report, _ = run
    assert report.decision.outcome == "leak_found"
    assert report.coverage.replay_rows == len(CASES) + sum(case.control is not None for case in CASES)
    assert report.coverage.replay_unknown_note == 1
    assert report.coverage.replay_prefix_not_found == 1
    assert not report.coverage.complete
    lines = {line.line: line for line in report.leaks if line.arm == "scanned"}
    assert lines["other_patient"].instances >= 3
    assert lines["own_control_emits"].instances == 1
    assert lines["undecided"].instances == 1
    assert any("note that was not loaded" in reason for reason in report.decision.reasons)
