"""The demo end to end: a small one in seconds, the default one (slow) against its known answer."""

import json

import pytest
from study_checks import check_run

from phiscan.commands.demo import known_answer_table, run_demo
from phiscan.commands.demo_corpus import make_corpus
from phiscan.commands.study import study_of, write_study


def test_a_small_demo_runs_through_and_is_resumed_without_training_again(tmp_path):
    corpus = make_corpus(seed=3, repeated=4, copies=6, unique=4, holdout=3)
    stages = set()
    result = run_demo(
        tmp_path / "run", seed=3, steps=30, corpus=corpus, progress=lambda stage, *_: stages.add(stage)
    )
    assert stages == {"train", "index", "scan"}
    assert result.html.read_text().startswith("<!DOCTYPE html>")
    assert result.report.coverage.complete
    assert result.report.coverage.copies_folded == 20
    weights = next((tmp_path / "run" / "demo").glob("model-*/model.safetensors"))
    trained = weights.stat().st_mtime_ns
    again = run_demo(tmp_path / "run", seed=3, steps=30, corpus=corpus)
    assert weights.stat().st_mtime_ns == trained
    assert again.report.estimates == result.report.estimates
    counts = json.loads((tmp_path / "run" / "known_answer.json").read_text())
    assert counts["true_anchored"] == result.known_answer.true_anchored


@pytest.mark.slow
def test_the_default_demo_finds_what_is_there_and_claims_no_more(tmp_path):
    result = run_demo(tmp_path / "run")
    answer, report = result.known_answer, result.report
    print(known_answer_table(answer))
    assert answer.true_anchored > 300
    assert answer.recall == 1.0, answer.missed
    assert answer.precision >= 0.98, answer.false_alarms
    assert report.decision.outcome == "leak_found"
    assert report.coverage.complete
    net = [e for e in report.estimates if e.metric == "net_ratio" and e.stratum.arm == "holdout"]
    assert net
    assert sum(e.count for e in net) == 0
    assert {cell.prefix_length for cell in report.coverage.prefixes if cell.done} == {50, 100, 200, 300, 500}
    copies = {row.copies: row for row in report.by_copies if row.arm == "scanned"}
    assert copies["6-10"].net_30 / copies["6-10"].prompts > 0.4
    assert copies["1"].net_30 / copies["1"].prompts < 0.05
    write_study(study_of([tmp_path / "run"]), tmp_path / "tables")
    seen = check_run(tmp_path / "tables", "A", tmp_path / "run")
    assert all(seen.values()), seen
