"""The documentation says what the code does: pages fresh, links whole, examples true."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from whole_run import measure

from phiscan.commands import reference
from phiscan.config import ScanConfig
from phiscan.measures.scan import Tables
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import STAGES, scan
from phiscan.records import OWN_RECORD, VerdictName
from phiscan.registry import FAMILIES, plugin_names
from phiscan.report import decide
from phiscan.rulebook.rule_files import check_rules
from phiscan.scan_report import Decision, LeakLine
from phiscan.store import TABLES, RunDirectory
from phiscan.taxonomy import CATEGORIES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *(p for p in (ROOT / "README.md", ROOT / "SECURITY.md") if p.exists())])
BY_HAND = {"benchmarks.md"}
"""Pages of docs/reference that are written, not generated: measured figures."""
WRITTEN = [page for page in PAGES if page.parent != DOCS / "reference" or page.name in BY_HAND]
METHOD = (DOCS / "concepts" / "method.md").read_text(encoding="utf-8")


def named(path):
    return str(path.relative_to(ROOT))


def prose(text):
    """Markdown without its code blocks and comments."""
    return re.sub(r"^```.*?^```$|<!--.*?-->", "", text, flags=re.DOTALL | re.MULTILINE)


def literal_values(hint):
    return hint.__args__


# --- generated pages --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def generated():
    return reference.pages()


@pytest.mark.parametrize(
    "name",
    [
        *("cli.md", "rules.md", "beyond-phi.md", "settings.md", "records.md", "study-tables.md"),
        *("report-tables.md", "report-schema.json", "trend-schema.json"),
    ],
)
def test_generated_page_is_fresh(generated, name):
    stands = (DOCS / "reference" / name).read_text(encoding="utf-8")
    assert stands == generated[name], "run: python -m phiscan.commands.reference"


def test_pages_are_written_where_asked(generated, tmp_path):
    written = reference.write_pages(tmp_path / "new" / "folder")
    assert {path.name: path.read_text(encoding="utf-8") for path in written} == generated


def test_attribute_docstrings_are_those_below_their_attribute():
    docs = reference.attribute_docs(TABLES["verdicts"])
    assert docs["matched_member"] == "The matched value stands in a record the model was trained on."
    assert "anchored" not in docs


def test_nothing_else_stands_among_the_generated_pages(generated):
    assert not BY_HAND & set(generated)
    assert {path.name for path in (DOCS / "reference").iterdir()} - BY_HAND == set(generated)


def test_pages_do_not_depend_on_the_terminal(generated):
    code = "from phiscan.commands import reference; print(reference.cli_page(), end='')"
    for width, term in (("40", "dumb"), ("200", "xterm-256color")):
        env = {**os.environ, "COLUMNS": width, "TERM": term, "FORCE_COLOR": "1"}
        made = subprocess.run(
            [sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, check=True
        )
        assert made.stdout.decode() == generated["cli.md"]


def test_the_page_of_the_command_line_holds_every_command_and_option_of_the_real_help(generated):
    """Taken from what a user sees, box characters and all, so that nothing can be left out."""
    env = {**os.environ, "COLUMNS": "200", "TERM": "dumb", "NO_COLOR": "1"}

    def real_help(*command):
        line = [sys.executable, "-c", "from phiscan.cli import main; main()", *command, "--help"]
        return subprocess.run(line, env=env, capture_output=True, text=True, check=True, cwd=ROOT).stdout

    sections = dict(
        re.findall(r"^## (phiscan.*?)\n(.*?)(?=^## |\Z)", generated["cli.md"], re.DOTALL | re.MULTILINE)
    )
    listed = re.findall(r"^│ ([a-z][\w-]*) ", real_help(), re.MULTILINE)
    assert len(listed) >= 7
    assert {f"phiscan {name}" for name in listed} <= set(sections)
    for name in listed:
        options = set(re.findall(r"(?<=[\s│])--[a-z][\w-]+", real_help(name)))
        assert "--help" in options
        assert options <= set(re.findall(r"--[a-z][\w-]+", sections[f"phiscan {name}"])), name


def test_every_setting_column_and_rule_has_its_line(generated):
    for section, field in ScanConfig.model_fields.items():
        assert f"## [{section}]" in generated["settings.md"]
        for key in type(field.default).model_fields:
            rows = [line for line in generated["settings.md"].splitlines() if line.startswith(f"| `{key}` |")]
            assert rows, key
            assert all(row.rsplit("|", 2)[1].strip() for row in rows), f"{key} has no meaning"
    for table, record in TABLES.items():
        section = generated["records.md"].split(f"## {table}\n")[1].split("\n## ")[0]
        assert all(f"| `{name}` |" in section for name in record.__dataclass_fields__)
    assert {path.stem for path in (ROOT / "rules").glob("*.toml")} == set(
        re.findall(r"^## (\w+)$", generated["rules.md"], re.MULTILINE)
    )


def test_the_schema_is_json_that_names_the_parts_of_a_report(generated):
    assert {"decision", "estimates", "coverage", "limits"} <= set(
        json.loads(generated["report-schema.json"])["properties"]
    )


# --- written pages ----------------------------------------------------------------------------


def anchors(page):
    """GitHub's anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", prose(page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_relative_links_lead_somewhere(page):
    for target in re.findall(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)", prose(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        linked = page if not place else (page.parent / place).resolve()
        assert linked.exists(), f"{named(page)}: {target}"
        assert linked.is_relative_to(ROOT), f"{named(page)}: {target} leaves the repository"
        if anchor:
            assert anchor in anchors(linked), f"{named(page)}: {target}"


def test_every_page_is_reached_from_the_index():
    reached, open_pages = set(), [DOCS / "index.md"]
    while open_pages:
        page = open_pages.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        for target in re.findall(r"\]\(([^)\s#:]+)", page.read_text(encoding="utf-8")):
            open_pages.append((page.parent / target).resolve())
    assert set(DOCS.rglob("*.md")) <= reached


FILE = re.compile(r"`((?:phiscan|rules|tests|docs|annotation)/[\w./-]*)`")


@pytest.mark.parametrize("page", WRITTEN, ids=named)
def test_files_named_in_text_exist(page):
    for name in FILE.findall(prose(page.read_text(encoding="utf-8"))):
        assert (ROOT / name).exists(), f"{named(page)}: {name}"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_tests_named_in_text_exist(page):
    """`[test_x.py](...)`, `test_y`, ...: each function stands in some test file."""
    functions = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert set(re.findall(r"`(test_\w+)`", page.read_text(encoding="utf-8"))) <= functions


@pytest.mark.parametrize("page", WRITTEN, ids=named)
def test_commands_and_options_in_text_exist(page):
    known = reference.commands()
    for command, rest in re.findall(r"phiscan ([a-z]+)\b([^\n`|]*)", page.read_text(encoding="utf-8")):
        if f"phiscan {command}" in known:
            # "phiscan rules test" has its own page
            text = "\n".join(text for name, text in known.items() if name.startswith(f"phiscan {command}"))
            for option in re.findall(r"(?<!\S)--[a-z][\w-]*", rest):
                assert option in text, f"{named(page)}: phiscan {command} {option}"
    for line in re.findall(r"^    (phiscan [^\n]+)$", page.read_text(encoding="utf-8"), re.MULTILINE):
        assert line.split()[1] in {name.split()[1] for name in known if " " in name}, f"{named(page)}: {line}"


@pytest.mark.parametrize("page", WRITTEN, ids=named)
def test_settings_in_text_exist(page):
    sections = {name: type(field.default).model_fields for name, field in ScanConfig.model_fields.items()}
    for section, key in re.findall(
        rf"\b({'|'.join(sections)})\.([a-z_]+)\b(?!\()", page.read_text(encoding="utf-8")
    ):
        if key not in ("py", "md", "toml", "json", "sh"):
            assert key in sections[section], f"{named(page)}: {section}.{key}"


def project_texts():
    folders = ("phiscan", "docs", "rules", "tests", "annotation")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    files += [
        path for path in ROOT.iterdir() if path.is_file() and path.suffix in (".md", ".toml", ".txt", "")
    ]
    for path in files:
        if "__pycache__" not in path.parts and path != Path(__file__):
            yield path, path.read_bytes().decode("utf-8", errors="replace")


def test_no_file_names_a_place_on_somebodys_machine():
    machine = re.compile(r"(?<![\w.:/])/(?:home|Users|root|work|mnt|tmp)/\w|\.\./shared")
    found = [named(path) for path, text in project_texts() if machine.search(text)]
    assert found == []


# --- what the method page promises --------------------------------------------------------------


def test_every_metric_of_a_report_has_a_heading():
    """Taken from a measured table of two patients in two arms, not from a list."""
    frame = pd.DataFrame
    tables = Tables(
        notes=frame({"note_id": ["a", "b"], "patient_id": ["p", "q"], "split": ["member"] * 2, "copies": [1, 1]}),
        prompts=frame(
            {"prompt_id": ["1", "2"], "note_id": ["a", "b"], "scheme": ["bare"] * 2, "tier": ["prefix"] * 2,
             "prefix_tok": [50, 50], "prefix_end": [9, 9]}
        ),
        continuations=frame(
            {"gen_id": ["1", "2"], "prompt_id": ["1", "2"], "note_id": ["a", "b"], "arm": ["scanned"] * 2,
             "decoding": ["greedy"] * 2, "stop": ["eos"] * 2, "degenerate": [None, None]}
        ),
        matches=frame({"gen_id": ["1"], "unit": ["token"], "where": ["suffix"], "n_units": [31], "net_units": [30],
                       "cont_unit": [0], "n_patients": [1]}),
        hits=frame(
            {"hit_id": ["h"], "gen_id": ["1"], "note_id": ["a"], "category": ["AGE"], "hipaa": [None],
             "group": ["dates_ages"], "canonical": ["7y"]}
        ),
        verdicts=frame(
            {"hit_id": ["h"], "gen_id": ["1"], "verdict": ["verbatim"], "matched_category": ["AGE"],
             "matched_member": [True], "anchored": [True], "specific": [False], "control_emits": [None], "n_patients": [1]}
        ),
        at_risk=frame(
            {"gen_id": ["1"], "prompt_id": ["1"], "note_id": ["a"], "category": ["AGE"], "hipaa": [None],
             "canonical": ["7y"], "within_reach": [True], "recovered": [True]}
        ),
    )  # fmt: skip
    metrics = {estimate.metric for estimate in measure(tables, seed=0, template_patients=3).estimates}
    assert {"notes_with_recovered_phi", "patients_with_recovered_phi"} < metrics
    assert len(metrics) >= 9
    assert metrics <= set(re.findall(r"^### (\w+)$", METHOD, re.MULTILINE))


def test_verdicts_lines_outcomes_families_and_stages_are_all_explained():
    verdicts = (DOCS / "concepts" / "verdicts.md").read_text(encoding="utf-8")
    for verdict in literal_values(VerdictName):
        assert f"`{verdict}`" in METHOD
        assert f"| `{verdict}` |" in verdicts
    assert set(literal_values(VerdictName)) >= OWN_RECORD
    for line in literal_values(LeakLine.model_fields["line"].annotation):
        assert f"`{line}`" in METHOD
    for outcome in literal_values(Decision.model_fields["outcome"].annotation):
        assert f"`{outcome}`" in METHOD
    assert decide.__doc__
    table = METHOD.split("| family | categories |")[1].split("\n\n")[0]
    assert set(re.findall(r"[A-Z][A-Z-]+", table)) == set(CATEGORIES)
    architecture = (DOCS / "concepts" / "architecture.md").read_text(encoding="utf-8")
    stages = re.findall(r"^\| (\w+) \|", architecture.split("## Three passes")[0], re.MULTILINE)
    assert tuple(stage for stage in stages if stage != "stage") == STAGES
    for family in FAMILIES:
        row = next(line for line in architecture.splitlines() if line.startswith(f"| `{family}` |"))
        assert all(name in row for name in plugin_names(family)), family


def test_the_example_rule_passes_its_examples(tmp_path):
    text = (DOCS / "guides" / "add-a-rule.md").read_text(encoding="utf-8")
    rule = re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1]
    (tmp_path / "walker_serial.toml").write_text(rule, encoding="utf-8")
    (check,) = check_rules(tmp_path)
    assert check.failures == ()
    assert set(tomllib.loads(rule)) <= set(re.findall(r"`(?:\[\[)?([a-z_]+)", text))


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    out = tmp_path_factory.mktemp("example") / "run"
    folder = DOCS / "examples"
    inputs = ScanInputs(notes=folder / "notes.jsonl", replay=folder / "outputs.jsonl", out=out)
    return scan(inputs, ScanConfig()), RunDirectory(out)


def test_the_worked_example_has_the_hits_of_its_table(example):
    _, run = example
    verdicts = {verdict.hit_id: verdict for verdict in run.read_table("verdicts")}
    found = [
        (hit.text, verdicts[hit.hit_id].verdict, verdicts[hit.hit_id].anchored, verdicts[hit.hit_id].specific)
        for hit in run.read_table("hits")
    ]
    table = METHOD.split("| hit | verdict |")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    written = [(r[0], r[1].split()[0], r[2].startswith("yes"), r[3] == "yes") for r in rows]
    assert sorted(found) == sorted(written)


def test_the_worked_example_has_the_figures_of_its_text(example):
    report, run = example
    estimates = {
        (e.metric, e.stratum.threshold): e
        for e in report.estimates
        if e.stratum.copies is None and e.stratum.category is None and e.stratum.scope != "hipaa"
    }
    raw, net = estimates["raw_ratio", 30], estimates["net_ratio", 30]
    assert (raw.count, raw.n, net.count, net.n) == (2, 2, 1, 2)
    assert np.round([raw.low, net.low, net.high], 3).tolist() == [0.224, 0.095, 0.905]
    none = estimates["net_ratio", 50]
    assert (none.count, estimates["raw_ratio", 50].count, round(none.high, 3)) == (0, 0, 0.776)
    recovery = estimates["phi_recovery_rate", None]
    assert (recovery.count, recovery.n, round(recovery.low, 3), round(recovery.high, 3)) == (
        4,
        6,
        0.010,
        0.997,
    )
    notes = estimates["notes_with_recovered_phi", None]
    assert (notes.count, notes.n) == (1, 2)
    assert {(e.stratum.scheme, e.stratum.tier) for e in report.estimates} == {("given", "prefix")}
    lines = {line.line: line.instances for line in report.leaks if line.arm == "scanned"}
    assert (lines["headline"], lines["other_patient"], lines["as_published"]) == (4, 1, 6)
    assert report.decision.outcome == "leak_found"
    runs = [match.n_units for match in run.read_table("matches") if match.where == "suffix"]
    assert sorted(runs) == [38, 46, 46]
    for figure in ("38 words", "46 words", "0.224", "0.095 to 0.905", "0.776", "4 of 6", "0.997", "0.010"):
        assert figure in METHOD
