"""`phiscan compare` end to end: replayed runs of invented notes, and what it refuses."""

import csv
import json
import shutil
import stat

import pytest
from replay_cases import NOTES
from replayed_runs import CONTROL, IDS, SECRET, scanned

from phiscan.commands.compare import compare_runs
from phiscan.config import ScanConfig
from phiscan.errors import StoreError
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.scan_report import ScanReport
from phiscan.store import RunDirectory


@pytest.fixture(scope="module")
def runs(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("compared")
    return {
        "few": scanned(folder, write_jsonl, "few", known={"L1", "S1"}, control={"S1"}),
        "more": scanned(folder, write_jsonl, "more", known={"L1", "L2", "S1", "O1"}, control={"S1"}),
        # The same notes in another order get other ordinals: pairs are found by what the notes are.
        "turned": scanned(folder, write_jsonl, "turned", known={"L2", "O1"}, notes=NOTES[::-1]),
        "other": scanned(
            folder, write_jsonl, "other", known={"L1"}, notes=[{**NOTES[0], "text": NOTES[0]["text"] + "."}, *NOTES[1:]]
        ),
    }  # fmt: skip


@pytest.fixture
def phiscan(command_line):
    """The command line, which never prints what stands in a record."""

    def call(*arguments):
        code, out, err = command_line(*arguments)
        assert not any(text in out + err for text in SECRET)
        return code, out, err

    return call


def test_rates_are_those_of_each_runs_own_report(runs):
    found = compare_runs([runs["few"], runs["more"]])
    reports = [
        ScanReport.model_validate_json((runs[name] / "report.json").read_text()) for name in ("few", "more")
    ]
    checked = set()
    for row in found.differences:
        if row.net_of_control:
            continue
        for report, rate in zip(reports, (row.rate_a, row.rate_b), strict=True):
            own = [
                e
                for e in report.estimates
                if e.metric == row.metric
                and (e.stratum.arm, e.stratum.copies, e.stratum.category) == ("scanned", None, None)
                and (e.stratum.unit, e.stratum.threshold) == (row.stratum.unit, row.stratum.threshold)
                and e.stratum.scope == row.stratum.scope
            ]
            assert len(own) == 1
            assert (own[0].value, own[0].n) == (pytest.approx(rate), row.n)
            checked.add(row.metric)
    assert checked == {
        "raw_ratio",
        "net_ratio",
        "phi_recovery_rate",
        "notes_with_headline_leak",
        "patients_with_headline_leak",
    }


def test_what_was_learned_and_what_stayed(runs):
    found = compare_runs([runs["few"], runs["more"]])
    raw = next(r for r in found.differences if (r.metric, r.stratum.threshold) == ("raw_ratio", 30))
    assert (raw.n, raw.gained, raw.lost, raw.patients) == (14, 4, 0, 6)
    assert raw.p == 0.5  # two patients, both the same way: 2 of 4 ways to swap them
    net = next(
        r for r in found.differences if r.net_of_control and (r.metric, r.stratum.threshold) == ("raw_ratio", 30)
    )  # fmt: skip
    assert net.rate_a == pytest.approx(raw.rate_a - 2 / 14)
    kept = next(row for row in found.persistence if (row.ratio, row.stratum.threshold) == ("raw", 30))
    assert (kept.both, kept.only_a, kept.only_b) == (4, 0, 4)
    assert (kept.common, kept.unique_a, kept.unique_b, kept.retention) == (0.5, 0.0, 0.5, 1.0)
    assert {row.stratum.unit for row in found.persistence} == {"word"}


def test_pairs_are_found_whatever_the_order_of_the_notes(runs):
    found = compare_runs([runs["few"], runs["turned"]])
    (pairing,) = found.pairings
    assert (pairing.prompts, pairing.notes, pairing.patients) == (14, 7, 6)
    assert (pairing.only_a, pairing.only_b, pairing.control_prompts) == (0, 0, 0)
    kept = next(row for row in found.persistence if (row.ratio, row.stratum.threshold) == ("raw", 30))
    assert (kept.both, kept.only_a, kept.only_b) == (0, 4, 4)


def test_several_runs_against_the_first_share_one_family_of_tests(runs):
    alone = compare_runs([runs["few"], runs["more"]])
    together = compare_runs([runs["few"], runs["more"], runs["turned"]])
    assert [run.name for run in together.runs] == ["A", "B", "C"]
    assert {row.run for row in together.differences} == {"B", "C"}
    assert len(together.differences) > len(alone.differences)
    worst = min(row.p for row in together.differences)
    tests = len(together.differences)
    first = next(row for row in together.differences if row.p == worst)
    assert first.p_holm == pytest.approx(min(1, worst * tests))


def test_json_tables_and_csv_say_the_same(runs, phiscan, tmp_path):
    names = (runs["few"], runs["more"])
    code, out, err = phiscan("compare", *names, "--json", "--csv", tmp_path / "csv", "--as-published")
    assert (code, err) == (0, "")
    found = json.loads(out)
    for name in ("pairings", "differences", "persistence", "published"):
        text = (tmp_path / "csv" / f"{name}.csv").read_text(encoding="utf-8")
        assert not any(secret in text for secret in SECRET)
        rows = list(csv.DictReader(text.splitlines()))
        assert len(rows) == len(found[name]) > 0
        for row, whole in zip(rows, found[name], strict=True):
            flat = {**whole.pop("stratum", {}), **whole}
            assert row == {key: "" if value is None else str(value) for key, value in flat.items()}
    code, out, _ = phiscan("compare", *names, "--as-published")
    assert code == 0
    for words in (
        "B less A",
        "each net of its own control",
        "28.6%",
        "kept of A's",
        "rank-sum",
        "false alarms",
    ):
        assert words in out


def test_the_published_test_stands_beside_the_honest_one_and_its_rate_of_errors(runs):
    assert not compare_runs([runs["few"], runs["more"]]).published
    found = compare_runs([runs["few"], runs["more"]], as_published=True)
    row = next(row for row in found.published if (row.metric, row.stratum.threshold) == ("raw_ratio", 30))
    honest = next(r for r in found.differences if (r.metric, r.stratum) == (row.metric, row.stratum))
    assert row.p < 0.001 < honest.p
    assert row.false_positive_rate > 0.7  # of fourteen prompts
    assert row.low_a <= row.rate_a <= row.high_a


def test_runs_on_other_notes_are_refused_in_one_line(runs, phiscan):
    code, out, err = phiscan("compare", runs["few"], runs["other"])
    assert (code, out) == (2, "")
    assert err == (
        "phiscan: RUN_B: its notes are not those of RUN_A (ids, patients, splits and texts): 1 are missing, "
        "1 are others; compare runs on the same notes\n"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["few"], "name two runs or more"),
        (["few", "nowhere"], "RUN_B: there is no run directory of that name"),
        (["nowhere", "few"], "RUN_A: there is no run directory of that name"),
        (["few", "more", "--csv", "FILE"], "--csv: cannot be written"),
    ],
)
def test_expected_errors_are_one_line_and_exit_2(arguments, words, runs, phiscan, tmp_path):
    (tmp_path / "file").write_text("x")
    places = {**runs, "nowhere": tmp_path / "nowhere", "FILE": tmp_path / "file"}
    code, _, err = phiscan("compare", *[places.get(argument, argument) for argument in arguments])
    assert code == 2
    assert words in err
    assert err.count("\n") == 1


def test_a_run_that_answered_something_else_has_nothing_to_compare(runs, tmp_path, write_jsonl, phiscan):
    notes = [{**n, "note_id": IDS[n["note_id"]], "patient_id": f"päti {n['patient_id']}"} for n in NOTES]
    row = {"note_id": IDS["L1"], "prefix": NOTES[0]["text"][:30], "continuation": "Nothing."}
    inputs = ScanInputs(
        notes=write_jsonl(tmp_path / "n.jsonl", notes),
        replay=write_jsonl(tmp_path / "o.jsonl", [row]),
        out=tmp_path / "run",
    )
    scan(inputs, ScanConfig())
    code, _, err = phiscan("compare", runs["few"], tmp_path / "run")
    assert (code, err) == (2, "phiscan: RUN_B: answered none of the prompts that RUN_A answered\n")


def test_other_settings_are_named(runs, tmp_path, write_jsonl):
    inputs = ScanInputs(
        notes=runs["few"].parent / "few-notes.jsonl", replay=runs["few"].parent / "few.jsonl",
        control=CONTROL, out=tmp_path / "run",
    )  # fmt: skip
    config = ScanConfig()
    scan(inputs, config.model_copy(update={"run": config.run.model_copy(update={"seed": 5})}))
    found = compare_runs([runs["few"], tmp_path / "run"])
    assert "B: settings other than A's: run.seed" in found.remarks


def test_an_edited_report_is_refused_and_a_name_in_it_shown_only_if_it_can_be_seen(runs, tmp_path):
    shutil.copytree(runs["few"], tmp_path / "run")
    report = json.loads((tmp_path / "run" / "report.json").read_text())
    report["manifest"]["settings"]["run"]["a\x1b[31m\nsecret"] = 1
    (tmp_path / "run" / "report.json").write_text(json.dumps(report))
    with pytest.raises(StoreError, match=r"RUN_B: .* report\.json is damaged"):
        compare_runs([runs["few"], tmp_path / "run"])
    # Who holds the run's key may edit it all the same.
    RunDirectory(tmp_path / "run").write_text("report.json", json.dumps(report))
    found = compare_runs([runs["few"], tmp_path / "run"])
    assert "B: settings other than A's: (a name that cannot be shown)" in found.remarks


def test_csv_files_are_for_their_owner_alone(runs, phiscan, tmp_path):
    folder = tmp_path / "made" / "csv"
    assert phiscan("compare", runs["few"], runs["more"], "--csv", folder)[0] == 0
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    folders = {stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent)}
    assert (modes, folders) == ({0o600}, {0o700})
