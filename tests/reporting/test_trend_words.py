"""What a trend says in words and draws: hand-made reports, and any order of runs."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from trend_reports import run, step, trend

from phiscan.reporting.trend_charts import apart, trend_charts
from phiscan.reporting.trend_tables import trend_tables
from phiscan.reporting.trend_words import WINNERS, cautions, least, what_changed


def test_what_changed_counts_patients_and_says_whether_chance_explains_it():
    for p, words in ((0.001, "more than chance explains"), (0.2, "chance may explain it")):
        steps = [step(1, 2, gained=7, lost=2, p=p)]
        said = " ".join(what_changed(trend([run(1, 3), run(2, 8)], steps)))
        assert "from 3 of 40 (7.50%;" in said
        assert "to 8 of 40 (20.0%;" in said
        assert "of 40 patients, 7 leak in the later run only and 2 in the earlier only" in said
        assert words in said
        assert "3 tests" in said


def test_no_change_is_not_called_none():
    said = " ".join(what_changed(trend([run(1, 3), run(2, 3)])))
    assert "the same for each of 40 patients" in said
    assert "may hide a true change of -10.0 to +40.0 points" in said


def test_runs_of_other_notes_are_not_compared_and_the_reason_is_said():
    report = trend([run(1, 3), run(2, 0, notes_group=2)], [step(1, 2, why="their notes differ")])
    assert "not compared, because their notes differ" in " ".join(what_changed(report))
    assert "none is called the lowest" in " ".join(least(report))
    assert any("No line joins them" in line for line in cautions(report))
    assert "not comparable, because their notes differ" in str(list(trend_tables(report)))


def test_the_lowest_has_its_utility_and_the_winners_curse_beside_it():
    learnt = [{"validation_loss": 2.5}, {"validation_loss": 3.0}]
    report = trend([run(1, 20, utility=learnt[0]), run(2, 1, utility=learnt[1])])
    said = least(report)
    assert said[0].startswith("The lowest share of patients with a headline leak is that of run 2: 1 of 40")
    assert "validation loss 3.000" in said[0]
    assert (
        "best validation loss, 2.500, is that of run 1; patients with a headline leak there: 20 of 40"
        in said[1]
    )
    assert said[-1] == WINNERS
    assert "overlaps" not in " ".join(said)
    near = " ".join(least(trend([run(1, 2), run(2, 1)])))
    assert "overlaps that of 1 of the 1 other run:" in near
    assert "a model that learnt nothing leaks nothing" in near


def test_a_model_that_babbles_or_an_incomplete_run_is_never_the_lowest():
    for fault in ({"degenerate": 3}, {"complete": False}):
        report = trend([run(1, 9), run(2, 0, **fault), run(3, 5)])
        said = least(report)
        assert "Run 2 is not in this choice" in said[0]
        assert "is that of run 3" in said[1]
        assert any(line.startswith("Run 2: ") for line in cautions(report))
    assert "is that of run 2" in least(trend([run(1, 9), run(2, 0, degenerate=2)]))[0]  # 5% are borne


def test_several_runs_with_the_lowest_rate_are_all_named():
    said = least(trend([run(1, 0), run(2, 4), run(3, 0)]))
    assert "shared by 2 runs: run 1; run 3 (the first: 0 of 40; at most 8.77% (95%))" in said[0]


def test_each_group_of_like_runs_has_its_own_lowest():
    runs = [
        run(1, 9),
        run(2, 5),
        run(3, 1, settings_group=2),
        run(4, 0, settings_group=2),
        run(5, 0, notes_group=2),
    ]
    said = " ".join(least(trend(runs)))
    assert "Among runs 1, 2, the lowest share of patients with a headline leak is that of run 2" in said
    assert "Among runs 3, 4, the lowest share of patients with a headline leak is that of run 4" in said
    assert "1 run asked other notes" in said


def test_no_line_joins_what_does_not_compare():
    joined = trend([run(1, 1), run(2, 2), run(3, 3)])
    broken = trend([run(1, 1), run(2, 2), run(3, 3)], [step(1, 2), step(2, 3, differ=("regenerate.draws",))])
    assert apart(joined) == ()
    assert apart(broken) == (2,)
    joined_lines, broken_lines = (lines_of(trend_charts(report)["leakage"]) for report in (joined, broken))
    assert {len(line) for line in joined_lines} == {3}
    assert {len(line) for line in broken_lines} == {2}
    assert [line[:2] for line in joined_lines] == broken_lines


def lines_of(svg):
    """Where each line of the training notes goes; the upright ones of intervals are not among them."""
    paths = re.findall(r'<path d="(M[^"]*)" clip-path[^>]*stroke: #d55e00', svg)
    strokes = [stroke for path in paths for stroke in path.split("M")]
    places = [re.findall(r"(\S+\.\d+) (\S+\.\d+)", stroke) for stroke in strokes]
    return [line for line in places if len({x for x, _ in line}) > 1]


@settings(max_examples=40, deadline=None)
@given(st.permutations([0, 2, 7, 15, 31]))
def test_rows_and_the_lowest_follow_the_runs_whatever_their_order(counts):
    report = trend([run(number, count) for number, count in enumerate(counts, 1)])
    first = next(iter(trend_tables(report)))
    assert [row[0] for row in first.rows] == ["1", "2", "3", "4", "5"]
    assert [row[3].split(" ")[0] for row in first.rows] == [str(count) for count in counts]
    assert f"is that of run {counts.index(0) + 1}: 0 of 40" in least(report)[0]
    assert f"went from {counts[0]} of 40" in what_changed(report)[0]
