"""`phiscan gate`: exit codes, what is printed and written, and policies that cannot be read."""

import json
import os
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from gate_reports import report
from replay_cases import CASES, NOTES

from phiscan import __version__
from phiscan.gate import KINDS
from phiscan.store import RunDirectory

LEAK = '[rules.no-leak]\nwhat = "no_headline_leaks"\nwhy = "none"\n'
TWINS = '[rules.twins]\nwhat = "plants_twins_silent"\nwhy = "if any"\nwhen_missing = "skip"\n'
HEAD = 'name = "house"\nwhy = "ours"\n'


@pytest.fixture
def finished(tmp_path):
    """A finished run with this report."""

    def make(made):
        run = RunDirectory(tmp_path / "run")
        run.open()
        run.begin({"settings": {"seed": 1}})
        run.write_json("report.json", made.model_dump(mode="json"))
        run.finish()
        return run.root

    return make


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "house.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_pass_is_0_and_a_failure_1(command_line, finished, written):
    policy = written(HEAD + LEAK + TWINS)
    code, out, error = command_line("gate", finished(report()), "--policy", policy)
    assert (code, error) == (0, "")
    assert "no headline leak came back" in out
    assert out.splitlines()[-1] == "Policy house passed: 2 rules, 0 failed"


def test_failures_and_skips_are_listed(command_line, finished, written):
    run = finished(report(headline=2).model_copy(update={"plants": None}))
    policy = written(HEAD + LEAK + TWINS)
    code, out, _ = command_line("gate", run, "--policy", policy)
    assert code == 1
    assert out.splitlines()[-1] == "Policy house FAILED: 2 rules, 1 failed, 1 skipped"
    code, out, _ = command_line("gate", run, "--policy", policy, "--json")
    found = json.loads(out)
    assert (code, found["passed"], found["policy"]) == (1, False, "house")
    assert [(f["rule"], f["what"], f["result"]) for f in found["findings"]] == [
        ("no-leak", "no_headline_leaks", "failed"),
        ("twins", "plants_twins_silent", "skipped"),
    ]


@pytest.mark.parametrize("name", ["report.json", "key", "tables/gate.xml"])
@pytest.mark.parametrize("option", ["--junit", "--sarif"])
def test_a_run_s_own_files_are_not_overwritten(command_line, finished, option, name):
    run = finished(report())
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    code, _, err = command_line("gate", run, "--policy", "exploratory", option, run / name)
    assert (code, err.startswith(f"phiscan: {option}: the run directory")) == (2, True)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_junit_and_sarif(command_line, finished, written, tmp_path):
    name, why = 'a <b> & "c" ]]>', "it's <![CDATA[ & 'so' \\ é"
    policy = written(f"name = '''{name}'''\nwhy = \"x\"\n[rules.leak]\nwhat = \"no_headline_leaks\"\n"
                     f"why = '''{why}'''\n{TWINS}[rules.whole]\nwhat = \"coverage_complete\"\nwhy = \"all\"\n")  # fmt: skip
    run = finished(report(headline=2).model_copy(update={"plants": None}))
    junit, sarif = tmp_path / "gate.xml", tmp_path / "gate.sarif"
    code, _, _ = command_line("gate", run, "--policy", policy, "--junit", junit, "--sarif", sarif)
    assert code == 1
    assert {path.stat().st_mode & 0o777 for path in (junit, sarif)} == {0o600}

    suites = ET.parse(junit).getroot()
    [suite] = suites
    assert suites.tag == "testsuites"
    assert suite.get("name") == f"phiscan gate: {name}"
    assert {key: suite.get(key) for key in ("tests", "failures", "skipped", "errors")} == {
        "tests": "3", "failures": "1", "skipped": "1", "errors": "0",
    }  # fmt: skip
    cases = {case.get("name"): case for case in suite}
    assert cases["leak"].find("failure").text == why
    assert cases["leak"].find("failure").get("message").startswith("2: ")
    assert "phiscan plant" in cases["twins"].find("skipped").get("message")
    assert len(cases["whole"]) == 0

    log = json.loads(sarif.read_text(encoding="utf-8"))
    assert log["version"] == "2.1.0"
    [made] = log["runs"]
    driver = made["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("phiscan", __version__)
    assert [rule["id"] for rule in driver["rules"]] == ["leak", "twins", "whole"]
    assert driver["rules"][0]["fullDescription"]["text"] == why
    assert all(rule["shortDescription"]["text"] for rule in driver["rules"])
    assert [(r["ruleId"], r["kind"], r["level"]) for r in made["results"]] == [
        ("leak", "fail", "error"),
        ("twins", "open", "none"),  # the standard wants level none wherever nothing failed
    ]
    for result in made["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "report.json"


def test_a_scan_of_outputs_made_elsewhere(command_line, tmp_path, write_jsonl):
    """A real report: some cases leak, six patients are few, and no model was there to be scored."""
    rows = [{"note_id": c.note_id, "prefix": c.prefix, "continuation": c.continuation} for c in CASES[:6]]
    notes, outputs = write_jsonl(tmp_path / "notes.jsonl", NOTES), write_jsonl(tmp_path / "o.jsonl", rows)
    run = tmp_path / "run"
    quick = ("--set", 'detect.detectors=["rules"]')  # without the name models, which take long to load
    assert command_line("scan", "--notes", notes, "--replay", outputs, "--out", run, *quick)[0] == 0
    for name, wanted in (
        ("strict", "no-leak"),
        ("research", "patient-leak-rate"),
        ("exploratory", "patients"),
    ):
        code, out, error = command_line("gate", run, "--policy", name, "--json")
        assert (code, error) == (1, "")
        failed = {f["rule"] for f in json.loads(out)["findings"] if f["result"] == "failed"}
        assert wanted in failed
    assert "coverage" not in failed
    junit, sarif = tmp_path / "gate.xml", tmp_path / "gate.sarif"
    shown = command_line("gate", run, "--policy", "strict", "--junit", junit, "--sarif", sarif)[1]
    everything = (shown + out + junit.read_text() + sarif.read_text()).lower()
    values = {
        text.lower() for text in RunDirectory(run).read_frame("hits", ["text"])["text"] if len(text) > 5
    }
    assert len(values) > 3
    assert not {value for value in values if value in everything}
    assert str(tmp_path).lower() not in everything
    saying = {found["rule"]: found["reason"] for found in json.loads(out)["findings"]}
    assert "patients" in saying["patients"]
    (run / "report.json").write_text((run / "report.json").read_text().replace("leak_found", "inconclusive"))
    code, out, error = command_line("gate", run, "--policy", "exploratory")
    assert (code, out) == (2, "")
    assert error == "phiscan: the run directory's report.json is damaged; run the same scan command again\n"


# --- what cannot be used is exit code 2 -------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = ", "not a TOML file"),
        (HEAD, "rules: is missing"),
        (HEAD + "[rules]\n", "rules: at least one is wanted"),
        (HEAD + LEAK.replace("what", "waht"), "rules.no-leak.waht: unknown setting; what must be one of no_headline_leaks"),
        (HEAD + LEAK.replace("what", '"zebra\\u001b"'), "rules.no-leak.(a name that cannot be shown): unknown setting; what"),
        (HEAD + LEAK.partition("what")[0], "rules.no-leak: what must be one of no_headline_leaks"),
        (HEAD + LEAK.replace("no_headline_leaks", "no_headline_leak"), "what must be one of"),
        (HEAD + LEAK.replace('"no_headline_leaks"', '"zebra\\u001b[31mquilt"'), "what must be one of"),
        (HEAD + LEAK.replace('"no_headline_leaks"', "7"), "what must be one of"),
        (HEAD + LEAK + "dirct = true\n", "rules.no-leak.no_headline_leaks.dirct: unknown setting"),
        (HEAD + LEAK + '"zebra\\u001b[31mquilt" = 1\n', "(a name that cannot be shown): unknown setting"),
        (HEAD + LEAK + '"when_missing" = "skip"\n', "at least one rule must not have"),
        (HEAD + LEAK.replace('why = "none"\n', ""), "rules.no-leak.no_headline_leaks.why: is missing"),
        (HEAD + LEAK.replace('"none"', '"zebra\\u001b[31mquilt"'), "must be 1 to 500 printable characters"),
        (HEAD + LEAK.replace("no-leak", '"no leak"'), "a rule's name is small letters, digits and hyphens"),
        (HEAD + LEAK.replace("no-leak", '"zebra\\u001b[31mquilt"'), "a rule's name is small letters"),
        (HEAD + LEAK + LEAK, "not a TOML file"),
        (HEAD.replace("name", "nmae") + LEAK, "--policy: nmae: unknown setting"),
        (HEAD + "rule = 1\n" + LEAK, "rule: unknown setting"),
        (HEAD + '[rules.a]\nwhat = "max_patient_leak_rate"\nwhy = "w"\nat_most = 1.5\n', "at_most: must be less"),
        (HEAD + '[rules.a]\nwhat = "max_patient_leak_rate"\nwhy = "w"\nat_most = nan\n', "at_most:"),
        (HEAD + '[rules.a]\nwhat = "min_patients"\nwhy = "w"\nat_least = ' + "9" * 400 + "\n", "at_least:"),
        (HEAD + 'rules = ["no_headline_leaks"]\n', "rules: write a table"),
    ],
)  # fmt: skip
def test_a_policy_that_cannot_be_used(command_line, finished, written, text, words):
    code, out, error = command_line("gate", finished(report()), "--policy", written(text))
    assert (code, out) == (2, "")
    assert error.startswith("phiscan: --policy: ")
    assert words in error
    assert error.count("\n") == 1
    assert "zebra" not in error
    assert "should" not in error  # the library's own words
    assert "\x1b" not in error


def test_a_pipe_or_a_folder_is_no_policy(command_line, finished, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path / "pipe", tmp_path, "", "."):
        code, out, error = command_line("gate", finished(report()), "--policy", name)
        assert (code, out) == (2, "")
        assert "--policy: is no file" in error


def test_a_policy_may_begin_with_a_byte_order_mark(command_line, finished, written):
    code, out, error = command_line("gate", finished(report()), "--policy", written("\ufeff" + HEAD + LEAK))
    assert (code, error) == (0, "")
    assert out.splitlines()[-1] == "Policy house passed: 1 rule, 0 failed"


@pytest.mark.parametrize("other", ["g", "folder/../g", "link"])
def test_one_file_for_both_reports_is_refused(command_line, finished, tmp_path, other):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "g")
    arguments = ("--policy", "strict", "--junit", tmp_path / "g", "--sarif", tmp_path / other)
    code, _, error = command_line("gate", finished(report()), *arguments)
    assert (code, error) == (2, "phiscan: --junit, --sarif: name two files\n")
    assert not (tmp_path / "g").exists()


def test_a_threshold_is_shown_as_it_stands(command_line, finished, written):
    text = HEAD + '[rules.a]\nwhat = "max_undecided"\nwhy = "w"\nat_most = 1e-9\n'
    code, out, _ = command_line("gate", finished(report()), "--policy", written(text), "--json")
    [found] = json.loads(out)["findings"]
    assert code == 0
    assert "allowed 1e-07%" in found["reason"]


@pytest.mark.parametrize("name", ["stict", "no/such.toml", "a" * 5000, "strict.toml"])
def test_no_such_policy(command_line, finished, name):
    code, out, error = command_line("gate", finished(report()), "--policy", name)
    assert (code, out) == (2, "")
    assert error == (
        "phiscan: --policy: no such file, and none of the shipped policies: exploratory, research, strict\n"
    )


def test_a_run_that_is_not_there_or_not_finished(command_line, tmp_path):
    code, _, error = command_line("gate", tmp_path / "none", "--policy", "strict")
    assert (code, error) == (2, "phiscan: there is no run directory of that name\n")
    run = RunDirectory(tmp_path / "begun")
    run.open()
    run.begin({"settings": {}})
    code, _, error = command_line("gate", run.root, "--policy", "strict")
    assert (code, error) == (2, "phiscan: the run directory has no report.json: is the scan finished?\n")


def test_an_adaptation_is_not_judged(command_line, tmp_path):
    (tmp_path / "epochs").mkdir()
    (tmp_path / "adapt.json").write_text("{}")
    code, _, error = command_line("gate", tmp_path, "--policy", "strict")
    assert (code, "this is an adaptation; name one of" in error) == (2, True)
    code, _, error = command_line("gate", tmp_path / "epochs", "--policy", "strict")
    assert (code, "the measurements of an adaptation; name one of" in error) == (2, True)


def test_a_place_that_cannot_be_written(command_line, finished, tmp_path):
    for option in ("--junit", "--sarif"):
        gone = tmp_path / "no" / "folder"
        code, out, error = command_line("gate", finished(report()), "--policy", "exploratory", option, gone)
        assert (code, out) == (2, "")
        assert error.startswith(f"phiscan: {option}: cannot be written")


def test_the_guide_names_every_rule_and_key():
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "gate.md").read_text(encoding="utf-8")
    for what, kind in KINDS.items():
        [row] = [line for line in guide.splitlines() if line.startswith(f"| `{what}` |")]
        keys = kind.model_fields.keys() - {"what", "why", "when_missing"}
        assert all(f"`{key}" in row for key in keys), (what, keys)
