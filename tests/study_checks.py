"""Holds CSV files that `phiscan study` wrote against brute force."""

import csv
import math

import study_by_hand as by_hand


def read(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    return None if text == "" else float(text)


def same(row, expected):
    """Every expected figure stands in the row; what is not expected is empty."""
    for column, value in expected.items():
        found = number(row[column])
        assert (found is None) == (value is None), column
        assert value is None or math.isclose(found, value, rel_tol=1e-12), (column, found, value)


def cell(row, *more):
    length = None if row["prefix_length"] == "" else int(row["prefix_length"])
    return (*(row[name] for name in ("arm", "scheme", "tier", "decoding") if name in row), length, *more)


def check_run(folder, name, run, unit="token"):
    """Tables 1, 2, 5 and likeness of one run; the number of figures of each that are not zero."""
    seen = {}
    for table, threshold in (("table1_ratio_30", 30), ("table2_ratio_50", 50)):
        rows = [row for row in read(folder, table) if row["run"] == name]
        expected = by_hand.ratios(run, threshold, unit)
        assert {cell(row) for row in rows} == set(expected)
        for row in rows:
            assert (row["unit"], row["threshold"]) == (unit, str(threshold))
            same(row, expected[cell(row)])
        seen[table] = sum(row["published_count"] != "0" for row in rows)
    rows = [row for row in read(folder, "table5a_phi") if row["run"] == name]
    expected = by_hand.phi(run)
    assert [cell(row, row["group"]) for row in rows] == list(dict.fromkeys(cell(r, r["group"]) for r in rows))
    assert {cell(row, row["group"]) for row in rows} == set(expected)
    for row in rows:
        same(row, expected[cell(row, row["group"])])
    seen["table5a_phi"] = sum(row["leaks"] != "0" for row in rows)
    rows = [row for row in read(folder, "table5b_beyond_phi") if row["run"] == name]
    expected = by_hand.topics(run)
    nothing = dict.fromkeys(("flagged", "outputs", "patients", "in_record", "linked"), 0)
    assert set(expected) <= {(row["arm"], row["topic"]) for row in rows}
    for row in rows:
        same(row, expected.get((row["arm"], row["topic"]), nothing))
    seen["table5b_beyond_phi"] = sum(row["flagged"] != "0" for row in rows)
    rows = [row for row in read(folder, "likeness") if row["run"] == name]
    expected = by_hand.likeness(run)
    assert set(expected) <= {cell(row, row["metric"]) for row in rows}
    for row in rows:
        count, mean = expected.get(cell(row, row["metric"]), (0, None))
        assert int(row["outputs"]) == count
        assert (mean is None and row["published_mean"] == "") or math.isclose(
            float(row["published_mean"]), mean, rel_tol=1e-9
        )
    seen["likeness"] = len(rows)
    return seen


def check_persistence(folder, first, second, sides, unit="token"):
    """Table 3 of two models; the number of prompts with a run in both."""
    rows = [r for r in read(folder, "table3_persistence") if (r["first"], r["second"]) == (first, second)]
    expected = by_hand.persistence(*sides, unit)
    assert {cell(row, int(row["threshold"])) for row in rows} == set(expected)
    for row in rows:
        same(row, expected[cell(row, int(row["threshold"]))])
    return sum(int(row["published_both"]) for row in rows)
