"""The command line: quick, quiet, and honest about errors."""

import importlib
import json
import subprocess
import sys

import pytest
from replay_cases import CASES, NOTES

from phiscan import cli
from phiscan.errors import PhiscanError
from phiscan.pipeline import STAGES
from phiscan.registry import FAMILIES, load_plugin, plugin_names


def phiscan(*arguments, stdin=None, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "phiscan", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )


def test_help_imports_nothing_heavy():
    code = (
        "import sys, phiscan.cli\n"
        "heavy = {'torch', 'transformers', 'pandas', 'spacy', 'pyarrow', 'presidio_analyzer', 'matplotlib', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_scan_of_outputs_made_elsewhere_loads_no_torch(tmp_path, write_jsonl):
    """It takes seconds and 200 MB."""
    rows = [{"note_id": c.note_id, "prefix": c.prefix, "continuation": c.continuation} for c in CASES[:6]]
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from phiscan.config import load_config\nfrom phiscan.passes.plan import ScanInputs\n"
        "from phiscan.pipeline import scan\n"
        "notes, outputs, out = map(Path, sys.argv[1:])\n"
        "config = load_config(flags={'detect': {'detectors': ['rules']}})\n"
        "scan(ScanInputs(notes=notes, replay=outputs, out=out), config)\n"
        "print(sorted({'torch', 'transformers'} & set(sys.modules)))"
    )
    files = [write_jsonl(tmp_path / "notes.jsonl", NOTES), write_jsonl(tmp_path / "outputs.jsonl", rows)]
    command = [sys.executable, "-c", code, *map(str, files), str(tmp_path / "run")]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_scan_then_report_in_every_format(tmp_path, write_jsonl):
    rows = [{"note_id": c.note_id, "prefix": c.prefix, "continuation": c.continuation} for c in CASES[:6]]
    notes = write_jsonl(tmp_path / "notes.jsonl", NOTES)
    outputs = write_jsonl(tmp_path / "outputs.jsonl", rows)
    scanned = phiscan("scan", "--notes", notes, "--replay", outputs, "--out", tmp_path / "run", "--json")
    assert scanned.returncode == 0, scanned.stderr
    report = json.loads(scanned.stdout)
    assert report["decision"]["outcome"] == "leak_found"
    assert report == json.loads((tmp_path / "run" / "report.json").read_text())
    assert (tmp_path / "run" / "report.html").exists()
    rendered = phiscan("report", tmp_path / "run", "--format", "console,html,json")
    assert rendered.returncode == 0
    assert "LEAK FOUND" in rendered.stdout
    assert "report.html" in rendered.stdout


def test_detect_reads_standard_input_and_gives_raw_offsets():
    text = "Seen today.\r\nPatient: Ada Quill  MRN: 7730218\r\n"
    found = phiscan("detect", "-", stdin=text)
    assert found.returncode == 0, found.stderr
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    raw = {text[row["start"] : row["end"]]: row["category"] for row in rows}
    assert raw["7730218"] == "MEDICALRECORD"
    assert raw["Ada Quill"] == "PATIENT"


def test_schema_list_and_rules():
    assert json.loads(phiscan("report", "--schema").stdout)["title"] == "ScanReport"
    assert phiscan("list", "backends").stdout.split() == ["echo", "transformers"]
    tested = phiscan("rules", "test")
    assert tested.returncode == 0
    assert ", 0 failed" in tested.stdout.splitlines()[-1]


def test_init_writes_a_file_that_scan_accepts_and_never_overwrites(tmp_path):
    assert phiscan("init", "scan.toml", cwd=tmp_path).returncode == 0
    again = phiscan("init", "scan.toml", cwd=tmp_path)
    assert (again.returncode, again.stderr) == (2, "phiscan: init: the file is there already\n")
    asked = ("scan", "--notes", "no.jsonl", "--config", "scan.toml", "--out", "run")
    refused = phiscan(*asked, "--set", "model.backend=echo", cwd=tmp_path)
    assert refused.stderr == "phiscan: --notes: no such file\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["scan", "--notes", "NOTES", "--out", "run"], "give either --model, or --replay"),
        (["scan", "--notes", "NOTES", "--out", "run", "--model", "./none"], "--model: no such directory"),
        (["scan", "--notes", "NOTES", "--out", "run", "--model", "x", "--set", "a=1"], "--set: write"),
        (
            ["scan", "--notes", "NOTES", "--out", "run", "--model", "x", "--set", "model.x=1"],
            "flags: model.x: unknown setting",
        ),
        (
            ["scan", "--notes", "NOTES", "--out", "NOTES", "--set", "model.backend=echo"],
            "--out: is neither empty",
        ),
        (["list", "colours"], "unknown plug-in family"),
        (["report", "nowhere"], "there is no run directory of that name"),
        (["report", "nowhere", "--format", "smoke"], "no renderers plug-in"),
    ],
)
def test_expected_errors_are_one_line_and_exit_2(arguments, words, tmp_path, write_jsonl):
    notes = write_jsonl(tmp_path / "notes.jsonl", NOTES)
    found = phiscan(*[str(notes) if a == "NOTES" else a for a in arguments], cwd=tmp_path)
    assert found.returncode == 2, found.stderr
    assert found.stderr.startswith("phiscan: ")
    assert words in found.stderr
    assert found.stderr.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_version():
    assert phiscan("--version").stdout.startswith("phiscan ")


def test_an_interrupt_says_that_the_work_goes_on(tmp_path):
    code = (
        "import os, signal, phiscan.pipeline as p\n"
        "def stop(*a, **k): os.kill(os.getpid(), signal.SIGINT); raise SystemExit('not interrupted')\n"
        "p.load_inputs = stop\n"
        "import sys; sys.argv = ['phiscan', 'scan', '--notes', 'x', '--model', 'y', '--out', 'z']\n"
        "from phiscan.cli import main; main()\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (found.returncode, found.stderr) == (
        130,
        "phiscan: interrupted; the same command goes on where it stopped\n",
    )


def test_tracebacks_show_no_locals():
    assert cli.app.pretty_exceptions_show_locals is False


def test_every_plug_in_loads_and_unknown_ones_are_named_apart():
    for family in FAMILIES:
        assert plugin_names(family)
        for name in plugin_names(family):
            load_plugin(family, name)
    with pytest.raises(PhiscanError, match="there are: brat, csv, i2b2_xml, jsonl"):
        load_plugin("formats", "nonsense")


def test_stages_stand_in_order_in_the_pipeline_the_readme_and_the_package():
    from pathlib import Path

    readme = (Path(__file__).parent.parent / "README.md").read_text()
    modules = {stage: f"{stage}.py" for stage in STAGES if stage != "report"} | {"measure": "measures/"}
    places = [readme.index(f"  {modules[stage]}") for stage in STAGES if stage != "report"]
    assert places == sorted(places)
    for stage in STAGES:
        if stage != "report":
            importlib.import_module(f"phiscan.{modules[stage].removesuffix('.py').removesuffix('/')}")
