"""`phiscan plan`: tables, JSON, a table of one's own, and refusals."""

import json
import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from phiscan.commands.plan import as_json, plan_scan, plan_settings, plan_tables
from phiscan.config import load_config
from phiscan.errors import ConfigError


def test_the_plan_is_printed(command_line):
    code, out, _ = command_line("plan", "--rate", 0.01, "--billions", 0.135, "--no-control")
    assert code == 0
    assert "299" in out
    assert "897" in out  # notes, three a patient
    assert "one CPU core" in out


def test_the_json_follows_the_settings(command_line):
    arguments = ("plan", "--patients", 100, "--notes-per-patient", 2, "--json")
    code, out, _ = command_line(*arguments, "--set", "regenerate.prefix_lengths=[50]")
    assert code == 0
    plan = json.loads(out)
    assert plan["tokens"]["prompts"] == 100 * 2 * 2
    assert plan["bound"] == pytest.approx(1 - 0.05 ** (1 / 100))
    assert {"rate": 0.01, "patients": 299} in plan["patients_needed"]


def test_the_json_follows_ways_of_asking_and_decoding(command_line):
    def tokens(*settings):
        code, out, _ = command_line(
            "plan", "--patients", 10, "--json", *(x for s in settings for x in ("--set", s))
        )
        assert code == 0
        return json.loads(out)["tokens"]

    plain = tokens()
    drawn = tokens('regenerate.decodings=["greedy","t0.7","k10"]', "regenerate.draws=5")
    assert drawn["generated"] == 11 * plain["generated"]
    assert tokens('regenerate.schemes=["bare","instruct"]')["prompts"] == 2 * plain["prompts"]
    assert tokens("expose.free_running=true")["generated"] > plain["generated"]


def test_a_table_of_ones_own_counts(command_line, tmp_path):
    table = tmp_path / "machines.toml"
    table.write_text(
        '[[machine]]\nname = "ours"\ngenerated = 3600\nread = 1e12\nwords = 0\nmemory = 800\nprice = 2\nsource = "x"\n'
    )
    arguments = ("plan", "--hardware", table, "--patients", 1, "--notes-per-patient", 1, "--billions", 1)
    code, out, _ = command_line(
        *arguments, "--no-control", "--json", "--set", "regenerate.prefix_lengths=[50]"
    )
    assert code == 0
    [cost] = json.loads(out)["costs"]
    assert cost["hours"] == pytest.approx(500 / 3600 / 3600, rel=1e-3)
    table.write_text('[[machine]]\nname = "ours"\n')
    code, _, error = command_line(*arguments)
    assert code == 2
    assert error.startswith("phiscan: --hardware:")


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--rate", 0, "--rate:"),
        ("--level", 1, "--level:"),
        ("--patients", 0, "--patients:"),
        ("--rate", "nan", "--rate: must be a finite number"),
        ("--rate", 1e-17, "--rate: must be greater than or equal to"),
        ("--level", "nan", "--level: must be a finite number"),
        ("--patients", "9" * 400, "--patients:"),
        ("--note-tokens", "9" * 400, "--note-tokens:"),
        ("--note-words", "9" * 400, "--note-words:"),
        ("--billions", "inf", "--billions:"),
        ("--notes-per-patient", "inf", "--notes-per-patient:"),
        ("--set", "regenerate.max_new_tokens=" + "9" * 400, "regenerate.max_new_tokens:"),
        ("--note-tokens", 20, "--note-tokens: such notes are shorter"),
        ("--hardware", "/no/such/table", "--hardware: cannot be read"),
    ],
)
def test_what_cannot_be_planned_is_refused(command_line, option, value, words):
    code, _, error = command_line("plan", option, value)
    assert code == 2
    assert words in error


NUMBERS = st.floats() | st.integers() | st.sampled_from([1e-320, 1e308, 10**400, 2**63, 0, -1])


def assert_safe(said, begins=""):
    assert said.startswith(begins)
    assert said.isprintable()


@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {"rate": st.floats(), "level": st.floats()},
        optional={
            name: NUMBERS
            for name in ("patients", "notes_per_patient", "note_tokens", "note_words", "billions")
        },
    ),
    st.integers(),
)
@example({"rate": 1e-9, "level": 0.9999999999999999, "note_tokens": 10**12, "note_words": 10**12}, 10**6)
@example({"rate": 0.5, "level": 0.5, "patients": 10**12, "notes_per_patient": 1e12, "billions": 1e12}, 10**6)
def test_any_number_is_refused_or_gives_a_plan_of_finite_figures(given, tokens):
    try:
        config = load_config(None, {"regenerate": {"max_new_tokens": tokens}}, {})
        plan = plan_scan(plan_settings(**given), config)
    except ConfigError as error:
        assert_safe(str(error))
        return
    json.dumps(as_json(plan), allow_nan=False)
    assert not any("inf" in cell.split() for table in plan_tables(plan) for row in table.rows for cell in row)


MACHINE = {"name": "m", "generated": 1, "read": 1, "words": 1, "memory": 1, "price": 1, "source": "s"}


@pytest.mark.parametrize("field", ["generated", "read", "words", "memory", "price"])
@settings(deadline=None, max_examples=30)
@given(number=NUMBERS)
@example(number=math.inf)
@example(number=1e-320)
def test_any_figure_of_a_machine_is_refused_or_gives_finite_costs(field, number, tmp_path_factory):
    table = tmp_path_factory.mktemp("plan") / "machines.toml"
    rows = [f"{key} = {value if key != 'name' and key != 'source' else json.dumps(value)}"
            for key, value in {**MACHINE, field: number}.items()]  # fmt: skip
    table.write_text("\n".join(["[[machine]]", *rows]))
    try:
        plan = plan_scan(plan_settings(rate=0.01), load_config(None, {}, {}), table)
    except ConfigError as error:
        assert_safe(str(error), "--hardware: ")
        return
    json.dumps(as_json(plan), allow_nan=False)


@pytest.mark.parametrize("field", ["name", "source"])
@pytest.mark.parametrize("text", ["a\x1b[31m", "two\nlines", "a\u202eb", "a" * 1_000, ""])
def test_a_machine_whose_name_cannot_be_shown_is_refused(field, text, command_line, tmp_path):
    table = tmp_path / "machines.toml"
    rows = [f"{key} = {json.dumps(value)}" for key, value in {**MACHINE, field: text}.items()]
    table.write_text("\n".join(["[[machine]]", *rows]))
    code, out, error = command_line("plan", "--hardware", table)
    assert (code, out, error.count("\n")) == (2, "", 1)
    assert f"--hardware: machine.0.{field}: must be 1 to" in error
