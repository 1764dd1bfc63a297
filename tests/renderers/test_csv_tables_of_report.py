"""The report as CSV: every row and every figure of it, and nothing a spreadsheet would run."""

import csv
import io
import json
import re
import stat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from renderers.any_text import with_text
from renderers.every_section import sections_report
from renderers.sample_report import clean_report, full_report

from phiscan.renderers import csv as csv_renderer
from phiscan.reporting.tidy import columns_of, csv_text, flat, table_types
from phiscan.scan_report import Estimate, RepetitionRow, ScanReport


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def models_in(value):
    """Every model below a report that stands in a tuple: what must be a row somewhere."""
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from models_in(getattr(value, name))
    elif isinstance(value, tuple):
        for one in value:
            yield from [one] * isinstance(one, BaseModel)
            yield from models_in(one)


@pytest.mark.parametrize("make", [full_report, sections_report])
def test_every_row_of_the_report_is_a_row_of_a_table(make):
    tables = csv_renderer.render(make())
    rows = sum(len(read(text)) for name, text in tables.items() if name != "figures.csv")
    assert rows == len(list(models_in(make()))) > 100
    assert len(read(tables["estimates.csv"])) == len(make().estimates)


def test_figures_read_back_to_the_last_digit_and_missing_ones_are_empty():
    report = full_report()
    for row, estimate in zip(
        read(csv_renderer.render(report)["estimates.csv"]), report.estimates, strict=True
    ):
        assert row["value"] == ("" if estimate.value is None else repr(estimate.value))
        assert (row["n"], row["method"]) == (str(estimate.n), estimate.method)
        assert row["arm"] == estimate.stratum.arm
        assert row["category"] == (estimate.stratum.category or "")


def test_what_stands_once_is_in_figures():
    report = full_report()
    once = {row["name"]: row["value"] for row in read(csv_renderer.render(report)["figures.csv"])}
    assert once["decision_outcome"] == report.decision.outcome
    assert json.loads(once["decision_reasons"]) == list(report.decision.reasons)
    assert once["coverage_notes"] == str(report.coverage.notes)
    assert once["manifest_seed"] == str(report.manifest.seed)
    section, fields = next(iter(report.manifest.settings.items()))
    name, value = next(iter(fields.items()))
    assert once[f"manifest_settings_{section}_{name}"] == str(value)


def test_tables_without_a_row_hold_their_head():
    table = csv_renderer.render(clean_report())["confirmations.csv"]
    assert read(table) == []
    assert table.startswith("arm,")


def test_a_row_in_a_row_is_columns_after_its_name():
    names = columns_of(RepetitionRow)
    assert {"by", "band", "net_ratio_value", "net_ratio_low", "net_ratio_arm"} <= set(names)
    report = full_report()
    assert report.repetitions is not None
    assert set(flat(report.repetitions.rows[0])) == set(names)
    assert columns_of(Estimate)[:2] == ["metric", "arm"]


@given(text=st.text(max_size=40))
def test_no_text_is_a_formula_or_moves_a_terminal(text):
    [row] = read(csv_text(("a",), [{"a": text}]))
    assert not row["a"].startswith(("=", "+", "-", "@", "\t", "\r"))
    assert row["a"] in (text, f"'{text}", "(a name that cannot be shown)")
    assert text.isprintable() or row["a"] == "(a name that cannot be shown)"


@settings(max_examples=20, deadline=None)
@given(
    text=st.sampled_from(["=1+1", "@a", "+1", "-1", "\t=1", "\r=1", '"=1', "a\n=1", ";=1"])
    | st.text(max_size=40)
)
def test_no_text_of_a_report_is_a_formula(text):
    for name, table in csv_renderer.render(with_text(full_report(), text)).items():
        for row in read(table):
            for cell in filter(None, row.values()):
                number = re.fullmatch(r"-?[0-9.e-]+", cell)
                assert number or not cell.startswith(("=", "+", "-", "@", "\t", "\r")), (name, cell)


def test_tables_have_the_columns_that_the_reference_names():
    named = {table.name: table for table in table_types(ScanReport)}
    tables = csv_renderer.render(sections_report())
    assert len(tables) > 20
    for name, text in tables.items():
        if name != "figures.csv":
            assert text.splitlines()[0].split(",") == named[name.removesuffix(".csv")].columns
    once = {row["name"] for row in read(tables["figures.csv"])}
    lacking = {name for name in named if f"{name}.csv" not in tables}
    assert all(any(name.startswith(f"{part}_") for part in once) for name in lacking)


def test_rows_within_rows_are_a_table_with_the_number_of_the_outer_row():
    section = sections_report().plants
    tables = csv_renderer.render(sections_report())
    rows = read(tables["plants_rows_ratios.csv"])
    assert [row["row"] for row in rows] == ["1", "1", "2", "2"]
    assert [float(row["value"]) for row in rows] == [e.value for row in section.rows for e in row.ratios]
    assert "ratios" not in tables["plants_rows.csv"].splitlines()[0]


@given(number=st.one_of(st.integers(), st.floats(allow_nan=False)))
def test_numbers_stay_numbers(number):
    [row] = read(csv_text(("a",), [{"a": number}]))
    assert type(number)(row["a"]) == number


def test_the_folder_is_written_whole_for_its_owner_alone(run, command_line):
    code, out, err = command_line("report", run, "--format", "csv,pdf")
    assert (code, err) == (0, "")
    folder = run / "report-tables"
    (folder / "of_an_older_version.csv").write_text("a\n1\n")
    assert command_line("report", run, "--format", "csv")[0] == 0
    assert not (folder / "of_an_older_version.csv").exists()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert stat.S_IMODE((run / "report.pdf").stat().st_mode) == 0o600
    assert (run / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert str(folder) in out
