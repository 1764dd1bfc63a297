"""`phiscan plan`: tables, JSON, a table of one's own, and refusals."""

import json

import pytest


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
        ("--note-tokens", 20, "--note-tokens: such notes are shorter"),
        ("--hardware", "/no/such/table", "--hardware: cannot be read"),
    ],
)
def test_what_cannot_be_planned_is_refused(command_line, option, value, words):
    code, _, error = command_line("plan", option, value)
    assert code == 2
    assert words in error
