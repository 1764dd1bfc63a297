"""Whatever stands in a TOML file, it is read or refused in one line that quotes nothing."""

import tempfile
from functools import partial
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from phiscan.commands.forecast import forecast_suite
from phiscan.commands.plan import PlanSettings, plan_scan
from phiscan.config import ScanConfig, assignments, load_config
from phiscan.diagnoses import load_synonyms
from phiscan.errors import PhiscanError, RuleError
from phiscan.resources import resource_dir
from phiscan.rulebook.rule_files import load_rules
from phiscan.rulebook.topics import load_topics
from phiscan.toml_file import read_toml

FILES = {
    "--config": partial(load_config, environment={}),
    "--hardware": partial(plan_scan, PlanSettings(), ScanConfig()),
    "SUITE": forecast_suite,
    "--synonyms": load_synonyms,
}
"""What reads a file that a user names, by the argument that names it."""
TEXTS = {
    "--set": lambda text: load_config(None, assignments([text]), {}),
    "--set value": lambda text: load_config(None, assignments([f"run.seed={text}"]), {}),
    "environment": lambda text: load_config(environment={"PHISCAN_RUN_SEED": text}),
    "environment name": lambda text: load_config(environment={f"PHISCAN_{text}": "1"}),
}
CANARY = "Zyxwvutcanary"
DEEP = "a = " + "[" * 5_000
LONG = "a = " + "9" * 5_000
SHIPPED = [
    (resource_dir("rules") / name).read_text(encoding="utf-8")[:3_000]
    for name in ("plan/hardware.toml", "diagnoses/synonyms.toml")
]
SUITE = 'full = "F"\n[[model]]\nname = "F"\nscores = "a.csv"\nparameters = 1\ntokens = 1\n'


@st.composite
def damaged(draw):
    """A good file with something else in one place of it."""
    text = draw(st.sampled_from([*SHIPPED, SUITE, "[run]\nseed = 3\n[model]\nbackend = 'echo'\n"]))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 40)))
    put = draw(
        st.text(max_size=5) | st.sampled_from(["nan", "-inf", "1e400", "0", "[", '"\\u0000"', '"', "\n"])
    )
    return text[:start] + put + text[end:]


LIKE_TOML = st.text(st.sampled_from("[]{}=.,\"'#\\\n abelmnorsu0123-_:T"), max_size=60)
ANY = st.text(max_size=60) | LIKE_TOML | damaged()


def outcome(read, given):
    """The one line with which something is refused, or nothing."""
    try:
        read(given)
    except PhiscanError as error:
        line = str(error)
        assert line.isprintable()
        assert CANARY not in line
        return line
    return ""


@pytest.mark.parametrize("argument", FILES)
@settings(deadline=None, max_examples=60)
@given(ANY)
@example(DEEP)
@example(LONG)
@example(f'"{CANARY}\\n" = 1')
@example(f'["{CANARY}\\u001b[31m"]\na = 1')
@example("a." * 2_000 + "b = 1")
def test_any_text_is_read_or_refused_in_one_line(argument, text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{CANARY}.toml"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        line = outcome(FILES[argument], path)
    assert not line or line.startswith(f"{argument}: ")


@pytest.mark.parametrize("argument", FILES)
@pytest.mark.parametrize("content", [b"\xff\xfe", b"\0", b"a = 1\r\rb"])
def test_bytes_that_are_no_text_are_refused(argument, content, tmp_path):
    (tmp_path / "t.toml").write_bytes(content)
    assert outcome(FILES[argument], tmp_path / "t.toml").startswith(f"{argument}: not a TOML file")


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    (tmp_path / "t.toml").write_bytes(b"\xef\xbb\xbfa = 1")
    assert read_toml(tmp_path / "t.toml", "--here") == {"a": 1}


@pytest.mark.parametrize("argument", FILES)
def test_what_is_no_file_is_refused(argument, tmp_path):
    for path in (tmp_path, tmp_path / "none", tmp_path / ("z" * 300), Path("a\0b")):
        assert outcome(FILES[argument], path).startswith(f"{argument}: cannot be read (")


@pytest.mark.parametrize("way", TEXTS)
@settings(deadline=None, max_examples=60)
@given(ANY)
@example(DEEP)
@example(LONG)
@example("[" * 5_000)
@example("9" * 5_000)
@example(f"load.{CANARY}\nb=1")
def test_any_setting_is_read_or_refused_in_one_line(way, text):
    outcome(TEXTS[way], text)


@pytest.mark.parametrize(("text", "why"), [(DEEP, "brackets nested too deep"), (LONG, "a number of too many digits"), ("a", "line 1"), ("a =", "line 1"), ('a = "', "line 1")])  # fmt: skip
def test_the_reason_is_named(text, why, tmp_path):
    (tmp_path / "t.toml").write_text(text)
    line = outcome(lambda path: read_toml(path, "--x"), tmp_path / "t.toml")
    assert line.startswith("--x: not a TOML file (")
    assert why in line or "it ends too early" in line


@pytest.mark.parametrize("load", [load_rules, load_topics])
@pytest.mark.parametrize("text", [DEEP, LONG, "a ="])
def test_rule_files_are_read_by_the_same_reader(load, text, tmp_path):
    (tmp_path / "torn.toml").write_text(text)
    with pytest.raises(RuleError, match=r"torn: not a TOML file \("):
        load(tmp_path)
