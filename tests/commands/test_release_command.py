"""`report RUN --config`: what people say of the release goes into the report, and stays there."""

import json

import pytest
from replay_cases import case_inputs

from phiscan.config import ScanConfig, load_config
from phiscan.passes.reduce import renew_report
from phiscan.passes.reopen import reopened
from phiscan.pipeline import scan
from phiscan.scan_report import Release


@pytest.fixture
def run(tmp_path, write_jsonl):
    inputs = case_inputs(tmp_path, write_jsonl)
    scan(inputs, ScanConfig())
    return inputs


def release_of(run):
    return json.loads((run / "report.json").read_text())["release"]


def test_what_is_said_later_goes_into_the_report_and_changes_no_figure(run, tmp_path, command_line):
    config = tmp_path / "release.toml"
    config.write_text('[release]\nprotocol = "2026-0117"\navailability = "agreement"\n')
    before = json.loads((run.out / "report.json").read_text())
    code, _out, err = command_line("report", run.out, "--config", config, "--format", "html,json")
    assert (code, err) == (0, "")
    after = json.loads((run.out / "report.json").read_text())
    assert after.pop("release")["protocol"] == "2026-0117"
    assert before.pop("release") == Release().model_dump(mode="json")
    assert after == before
    assert "2026-0117" in (run.out / "report.html").read_text()
    with reopened(run.out) as finished:
        assert renew_report(finished).release.protocol == "2026-0117"


def test_a_scan_takes_it_from_its_settings_and_may_be_resumed_with_others(run):
    said = ScanConfig(release=Release(protocol="7"))
    report = scan(run, said)
    assert report.release.protocol == "7"
    assert "release" not in report.manifest.settings


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[release]\n", "says nothing of the release"),
        ('[release]\nprotocl = "x"\n', "release.protocl: unknown setting"),
        ('[release]\nprotocol = "a\\nb"\n', "release.protocol"),
        ("[release]\nvalid_months = 0\n", "release.valid_months"),
    ],
)
def test_a_file_that_says_nothing_or_nonsense_is_refused_and_nothing_is_lost(
    run, tmp_path, command_line, text, words
):
    config = tmp_path / "release.toml"
    config.write_text(text)
    before = (run.out / "report.json").read_bytes()
    code, _out, err = command_line("report", run.out, "--config", config)
    assert (code, err.count("\n")) == (2, 1)
    assert words in err
    assert (run.out / "report.json").read_bytes() == before


def test_it_is_a_section_of_the_settings_like_others(tmp_path):
    config = tmp_path / "scan.toml"
    config.write_text('[release]\nprotocol = "2026-0117"\navailability = "agreement"\n')
    assert load_config(config, environment={"PHISCAN_RELEASE_BASIS": "waiver"}).release == Release(
        protocol="2026-0117", availability="agreement", basis="waiver"
    )
