"""`phiscan report` of several runs, end to end: files, figures, refusals, labels that do nothing."""

import csv
import io
import json
import shutil
import stat
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted_notes import FAST, planted_files
from replay_cases import NOTES
from replayed_runs import SECRET, scanned
from trend_reports import run, trend

from phiscan.commands.compare import compare_runs
from phiscan.commands.csv_tables import write_tables
from phiscan.commands.trend import trend_of, trend_schema
from phiscan.commands.trend_files import csv_tables, render_page
from phiscan.config import load_config
from phiscan.paired import holm
from phiscan.printable import is_printable
from phiscan.scan_report import ScanReport
from phiscan.trend import TrendReport

FILES = {"trend.html", "trend.json", "runs.csv", "figures.csv", "changes.csv"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("trend")
    other = [{**NOTES[0], "text": NOTES[0]["text"] + "."}, *NOTES[1:]]
    return {
        "few": scanned(folder, write_jsonl, "few", known={"L1"}),
        "more": scanned(folder, write_jsonl, "more", known={"L1", "L2", "O1"}),
        "most": scanned(folder, write_jsonl, "most", known={note["note_id"] for note in NOTES}),
        "other": scanned(folder, write_jsonl, "other", known={"L1"}, notes=other),
        "order": scanned(
            folder, write_jsonl, "order", known={"L1"}, config=load_config(None, {"verify": {"date_order": "dmy"}})
        ),
    }  # fmt: skip


@pytest.fixture
def phiscan(command_line, tmp_path):
    """The command line: nothing it prints or writes outside a run stands in a record."""

    def call(*arguments, code=0):
        found, out, err = command_line(*arguments)
        assert found == code, err
        shown = out + err + "".join(path.read_text() for path in (tmp_path / "out").glob("*"))
        assert not any(text in shown for text in SECRET)
        assert err.count("\n") == (code == 2)
        return err if code else out

    return call


def test_files_are_private_typed_and_the_same_twice(runs, phiscan, tmp_path):
    out = phiscan(
        "report", runs["few"], runs["more"], runs["most"], "--out", tmp_path / "out", "--label", "before"
    )
    files = {path.name: path for path in (tmp_path / "out").iterdir()}
    assert set(files) == FILES
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in files.values())
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700
    report = TrendReport.model_validate_json(files["trend.json"].read_text())
    assert (report.kind, report.schema_version) == ("trend", "1.0")
    assert [row.label for row in report.runs] == ["before", "run 2", "run 3"]
    assert "What changed" in out
    assert "winner's curse" in " ".join(out.split())
    before = {name: path.read_bytes() for name, path in files.items()}
    phiscan("report", runs["few"], runs["more"], runs["most"], "--out", tmp_path / "out", "--label", "before")
    assert {name: path.read_bytes() for name, path in files.items()} == before


def test_every_figure_stands_in_the_runs_own_report(runs):
    names = ("few", "more", "most")
    report = trend_of([runs[name] for name in names])
    for row, name in zip(report.runs, names, strict=True):
        own = ScanReport.model_validate_json((runs[name] / "report.json").read_text())
        assert row.outcome == own.decision.outcome
        assert row.estimates
        assert all(found in own.estimates for found in row.estimates)
        assert row.other_patient in own.leaks
        assert row.estimate("patients_with_headline_leak").stratum.arm == "scanned"
    leaking = [row.estimate("patients_with_headline_leak").count for row in report.runs]
    assert leaking == sorted(leaking)
    assert leaking[0] < leaking[-1]


def test_differences_are_those_of_compare_with_one_correction_over_the_report(runs):
    names = ("few", "more", "most")
    report = trend_of([runs[name] for name in names])
    every = [row for one in (*report.steps, report.overall) for row in one.differences]
    for one, (first, second) in zip(
        (*report.steps, report.overall), (names[:2], names[1:], names[::2]), strict=True
    ):
        beside = {
            (row.metric, row.stratum): row
            for row in compare_runs([runs[first], runs[second]]).differences
            if not row.net_of_control
        }
        assert {row.metric for row in one.differences} == {
            "patients_with_headline_leak",
            "phi_recovery_rate",
            "net_ratio",
        }
        for row in one.differences:
            same = {"run": "B", "p_holm": None}
            theirs = beside[row.metric, row.stratum].model_copy(update=same)
            assert row.model_copy(update=same) == theirs
    assert [row.p_holm for row in every] == pytest.approx(holm([row.p for row in every]))
    assert report.tests == len(every)


def test_of_two_runs_the_one_step_is_counted_once(runs):
    report = trend_of([runs["few"], runs["most"]])
    assert report.overall == report.steps[0]
    assert report.tests == len(report.steps[0].differences)


def test_other_notes_and_other_settings_are_said_and_joined_by_no_line(runs):
    report = trend_of([runs["few"], runs["other"], runs["order"]])
    assert [(row.notes_group, row.settings_group) for row in report.runs] == [(1, 1), (2, 1), (1, 2)]
    notes, settings_ = report.steps
    assert "notes are not the same" in notes.not_compared
    assert notes.differences == ()
    assert "1 of run 1 are not in run 2, 1 the other way round" in notes.not_compared
    assert "verify.date_order" in settings_.differ
    # The same notes, asked in the same words: compared, and the setting that differs is named.
    assert report.overall.not_compared is None
    assert report.overall.differ == ("verify.date_order",)
    assert report.overall.differences


def test_an_adaptation_has_a_row_an_epoch(tmp_path, write_jsonl, phiscan, command_line):
    files = planted_files(tmp_path, write_jsonl)
    given = [part for one in (*FAST, "adapt.epochs=2", "expose.enabled=true") for part in ("--set", one)]
    given += ["--set", "adapt.deduplicate=exact", "--set", "adapt.validation_share=0.2"]
    made = tmp_path / "adapted"
    assert (
        command_line("adapt", "--model", files["model"], "--notes", files["notes"], "--out", made, *given)[0]
        == 0
    )
    phiscan("report", made, "--out", tmp_path / "out")
    report = TrendReport.model_validate_json((tmp_path / "out" / "trend.json").read_text())
    adapted = json.loads((made / "adapt.json").read_text())
    assert report.epochs
    assert [row.label for row in report.runs] == ["epoch 0", "epoch 1", "epoch 2"]
    assert [row.epoch for row in report.runs] == [0, 1, 2]
    for row, epoch in zip(report.runs, adapted["epochs"], strict=True):
        assert row.utility["validation_loss"] == epoch["validation_loss"]
        shown = row.estimate("patients_with_headline_leak")
        assert shown.model_dump() == epoch["leaks"]["training"]["patients_with_headline_leak"]
        assert row.mitigations == ("exact copies left out",)
        assert {found.stratum.arm for found in row.estimates} >= {"scanned", "plant", "twin"}
    assert len({row.settings_group for row in report.runs}) == 1
    page = (tmp_path / "out" / "trend.html").read_text()
    assert "Validation loss" in page
    assert "twins back" in page
    # Named alone it prints; its epochs may be named one by one.
    assert "epoch 2" in phiscan("report", made)
    code, out, _ = command_line("report", made / "epochs" / "epoch-000", made / "epochs" / "epoch-002")
    assert code == 0
    assert "epoch 2" in out


REFUSED = {
    "one run": (["few"], ["--out", "OUT"], "name two runs or more"),
    "one label": (["few"], ["--label", "a"], "name two runs or more"),
    "twice": (["few", "more", "few"], ["--out", "OUT"], "RUN_3: is RUN_1 once more"),
    "labels": (["few", "more"], ["--label", "a", "--label", "b", "--label", "c"], "3 labels for 2 runs"),
    "label twice": (["few", "more"], ["--label", "a", "--label", "a"], "label of another run"),
    "label of a default": (["few", "more"], ["--label", "run 2"], "label of another run"),
    "label that hides": (["few", "more"], ["--label", "a\x1b[31m"], "label 1: must be 1 to 60 printable"),
    "an empty label": (["few", "more"], ["--label", ""], "label 1: must be"),
    "annex": (["few", "more"], ["--annex", "OUT/annex.html"], "a trend of several RUN: goes without --annex"),
    "annex for": (["few", "more"], ["--annex-for", "me"], "a trend of several RUN: goes without --annex-for"),
    "config": (["few", "more"], ["--config", "x.toml"], "a trend of several RUN: goes without --config"),
    "sign": (["few", "more"], ["--sign", "key.pem"], "a trend of several RUN: goes without --sign"),
    "verify": (["few", "more"], ["--verify"], "--verify: goes without a trend of several RUN"),
    "schema": (["few", "more"], ["--trend-schema"], "--trend-schema: goes without RUN"),
    "a format there is not": (["few", "more"], ["--format", "pptx"], "there are: console, html, json, csv"),
    "no folder": (["few", "more"], ["--format", "html"], "--out: name a folder"),
    "into a run": (["few", "more"], ["--out", "RUN/report"], "--out: the run directory holds"),
    "not finished": (["few", "begun"], ["--out", "OUT"], "RUN_2: "),
    "nothing": (["few", "nothing"], ["--out", "OUT"], "RUN_2: there is no run directory"),
    "no forecast": (["few", "more"], ["--forecast", "nothing.json"], "--forecast: is no file"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_refused_in_one_line_and_writes_nothing(case, runs, phiscan, tmp_path):
    begun = tmp_path / "begun"
    shutil.copytree(runs["more"], begun)
    (begun / "report.json").unlink()
    places = {**runs, "begun": begun, "nothing": tmp_path / "nothing"}
    names, more, words = REFUSED[case]
    more = [part.replace("OUT", str(tmp_path / "out")).replace("RUN", str(runs["few"])) for part in more]
    held = sorted(runs["few"].rglob("*"))
    assert words in phiscan("report", *(places[name] for name in names), *more, code=2)
    assert not (tmp_path / "out").exists()
    assert sorted(runs["few"].rglob("*")) == held


def test_formats_choose_the_files(runs, phiscan, tmp_path):
    out = phiscan("report", runs["few"], runs["more"], "--out", tmp_path / "out", "--format", "json,html")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"trend.json", "trend.html"}
    assert [line.split()[0] for line in out.splitlines()] == [
        "Wrote",
        "Wrote",
    ]  # the files that were written, and no text
    assert "What changed" in phiscan("report", runs["few"], runs["more"])


def test_a_forecast_is_drawn_and_anything_else_refused(runs, phiscan, tmp_path, write_jsonl):
    rows = [{"sequence": n, "score": 1.0 if n % 3 else 0.5} for n in range(24)]
    for name in ("small", "full"):
        write_jsonl(tmp_path / f"{name}.jsonl", rows)
    suite = 'full = "full"\n' + "".join(
        f'[[model]]\nname = "{name}"\nscores = "{name}.jsonl"\nparameters = {size}\ntokens = 9\n'
        for name, size in (("small", 1), ("full", 10))
    )
    (tmp_path / "suite.toml").write_text(suite)
    made = tmp_path / "forecast.json"
    made.write_text(phiscan("forecast", tmp_path / "suite.toml", "--json"))
    both = ("report", runs["few"], runs["more"], "--out", tmp_path / "out", "--forecast", made)
    phiscan(*both)
    assert "Recall against cost" in (tmp_path / "out" / "trend.html").read_text()
    whole = made.read_text()
    for text in (
        "",
        "[]",
        "{}",
        "[" * 50_000,
        whole[: len(whole) // 2],
        whole.replace('"small"', '"\\u202esmall"'),
    ):
        made.write_text(text)
        assert "--forecast: is not what phiscan forecast --json prints" in phiscan(*both, code=2)


def test_the_schema_is_the_trends_own(phiscan):
    printed = phiscan("report", "--trend-schema")
    assert printed == trend_schema() + "\n"
    assert {"runs", "steps", "overall", "tests"} <= set(json.loads(printed)["properties"])
    assert "decision" in json.loads(phiscan("report", "--schema"))["properties"]


# --- labels -----------------------------------------------------------------------------------


class Page(HTMLParser):
    """Names of the elements and attributes of a page, and its text."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.text = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, tuple(name for name, _ in attrs)))

    def handle_data(self, data):
        self.text.append(data)


LABELS = st.one_of(
    st.sampled_from(
        [
            "<script>x</script>",
            '"><img src=x onerror=y>',
            "=1+1",
            "@SUM(A1)",
            "{{ 7*7 }}",
            "$x^2$",
            "+1",
            "</style>",
        ]
    ),
    st.text(min_size=1, max_size=60).filter(is_printable),
)
PLAIN = Page(render_page(trend([run(1, 2), run(2, 3)])))


@settings(max_examples=25, deadline=None)
@given(LABELS)
def test_a_label_is_text_on_the_page_and_in_a_cell(tmp_path_factory, label):
    report = trend([run(1, 2, label=label), run(2, 3)])
    page = Page(render_page(report))
    assert page.elements == PLAIN.elements
    assert any(label in text for text in page.text)
    folder = tmp_path_factory.mktemp("labels")
    for path in write_tables(csv_tables(report), folder, "--out"):
        rows = list(csv.DictReader(io.StringIO(path.read_text(), newline="")))
        cells = [row["label"] for row in rows if "label" in row and row["run"] == "1"]
        assert all(cell.lstrip("'") == label.lstrip("'") for cell in cells)
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def test_the_page_asks_for_nothing_and_runs_nothing():
    page = render_page(trend([run(1, 2), run(2, 3)]))
    assert "default-src 'none'; style-src 'unsafe-inline'\"" in page
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    targets = {one.split('"')[0] for one in page.split('href="#')[1:]}
    assert all(f'id="{name}"' in page for name in targets)
