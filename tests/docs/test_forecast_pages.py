"""The guide's example is what the command prints; the concept's tables are those the tests hold."""

import re
import tomllib
from pathlib import Path

from test_forecast import CHECKPOINTS, MODELS

from phiscan.commands.forecast import Suite, SuiteModel
from phiscan.forecast import EQUAL_COST

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "guides" / "forecast.md").read_text(encoding="utf-8")
CONCEPT = (DOCS / "concepts" / "forecast.md").read_text(encoding="utf-8")


def test_the_guide_shows_what_the_command_prints(command_line, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    code, out, err = command_line("forecast", DOCS / "examples" / "forecast" / "suite.toml")
    assert (code, err) == (0, "")
    shown = re.search(r"```text\n(.*?)```", GUIDE, re.DOTALL)[1]
    assert shown.strip() == "\n".join(line.rstrip() for line in out.splitlines()).strip()


def test_the_guide_explains_every_key_of_a_suite():
    keys = {*Suite.model_fields, *SuiteModel.model_fields} - {"model"}
    assert keys == set(re.findall(r"`([a-z_]+)`", "".join(re.findall(r"^\| (`.*?) \|", GUIDE, re.MULTILINE))))
    example = tomllib.loads(re.search(r"```toml\n(.*?)```", GUIDE, re.DOTALL)[1])
    whole = tomllib.loads((DOCS / "examples" / "forecast" / "suite.toml").read_text(encoding="utf-8"))
    assert all(model in whole["model"] for model in example["model"])


def test_the_concept_has_the_published_figures():
    for table in (MODELS, CHECKPOINTS):
        for name, column in (("precision", 0), ("recall", 1)):
            row = " | ".join(f"{rates[column]:.3f}" for rates in table.values())
            assert f"| {name} | {row} |" in CONCEPT
    assert f"within a factor of {EQUAL_COST} of the cheapest" in CONCEPT
