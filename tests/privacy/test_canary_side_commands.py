"""The canary in every field of the inputs of `options`, `forecast`, `plan` and trends: shown by none of them.

What a user names in a table of machines or a suite, the machine or the model, is shown: that is what the
name is for. Everything else there, and every field of a row, is not.
"""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from phiscan.config import ScanConfig
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan

CANARY = "Zyxwvutcanary"
MARKED = f"{CANARY}\x1b[31m\n"
"""The canary as it would also change a terminal."""


@pytest.fixture
def phiscan(command_line, tmp_path):
    """The command line: it ends well or with one line, and neither it nor its report bears the canary."""

    def call(*arguments, code):
        found, out, err = command_line(*arguments)
        assert found == code, err
        assert CANARY.lower() not in (out + err).lower()
        assert "\x1b" not in out + err
        assert err.count("\n") == (code == 2)
        for path in (tmp_path / "out").rglob("*"):
            if path.name not in ("prompts.jsonl", "answers.jsonl"):
                assert CANARY.lower() not in (path.name + path.read_text(encoding="utf-8")).lower()
        return out

    return call


# --- options ------------------------------------------------------------------------------------


def question(number, **fields):
    row = {
        "id": f"{CANARY}{number}",
        "question": f"{MARKED} stem {number}",
        "options": {letter: f"{CANARY} {letter}{number}" for letter in "ABCD"},
        "answer": f"{CANARY} A{number}",
        "answer_idx": "A",
        "meta_info": f"{MARKED} specialty {number % 2}",
    }
    return {**row, **fields}


def case(number):
    fields = {"specialty": MARKED, "subject_name": MARKED, "diagnosis": f"{CANARY}|gout"}
    return {"case_id": f"{CANARY}c{number}", "hpi": MARKED, **fields}


@pytest.fixture
def sets(tmp_path, write_jsonl):
    """Questions, cases, answers and synonyms that bear the canary, file names too."""
    folder = tmp_path / CANARY
    folder.mkdir()
    rows = [question(n) for n in range(6)]
    cases = [case(n) for n in range(2)]
    unusable = [
        {"id": CANARY, "question": CANARY},
        {"question": CANARY, "options": {"B": CANARY}},
        {CANARY: 1},
    ]
    answers = [
        {"question_id": row["id"], "task": task, "answer": f"D) {row['options']['A']} {MARKED}"}
        for row in rows
        for task in ("regenerate", "answer")
    ]
    answers += [{"question_id": row["case_id"], "task": "diagnose", "answer": MARKED} for row in cases]
    answers += [{"question_id": CANARY, "task": CANARY, "answer": CANARY}, {CANARY: CANARY}]
    (folder / "names.toml").write_text(f'[[group]]\nterms = ["{CANARY}", "gout"]\n"{CANARY}" = 1\n')
    return {
        "--questions": write_jsonl(folder / f"{CANARY}.jsonl", [*rows, *cases, *unusable]),
        "--replay": write_jsonl(folder / f"{CANARY}-answers.jsonl", answers),
        "--synonyms": folder / "names.toml",
        "--out": tmp_path / "out",
    }


def flags(given):
    return [part for pair in given.items() for part in pair]


@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.parametrize("backend", [True, False])
def test_options_shows_no_text_of_a_row(backend, more, sets, phiscan):
    if backend:
        del sets["--replay"]
        more = (*more, "--set", "model.backend=echo")
    phiscan("options", *flags(sets), *more, code=0)
    for name in ("prompts.jsonl", "answers.jsonl"):
        assert CANARY in (sets["--out"] / name).read_text(encoding="utf-8"), "the canary was asked at all"
    assert "other" in (sets["--out"] / "options.json").read_text(encoding="utf-8")


FAULTY_ROWS = {
    "no options": [{"question": CANARY}],
    "one id twice": [question(1), question(1)],
    "an option twice": [question(1, options=dict.fromkeys("ABC", CANARY))],
    "no word in a diagnosis": [{"hpi": CANARY, "diagnosis": "|"}],
    "no field known": [{CANARY: CANARY}],
    "brackets": [],
    "no rows": [],
}


@pytest.mark.parametrize("argument", ["--questions", "--replay"])
@pytest.mark.parametrize("fault", FAULTY_ROWS)
def test_options_refuses_rows_in_one_clean_line(fault, argument, sets, phiscan):
    text = "".join(json.dumps(row) + "\n" for row in FAULTY_ROWS[fault])
    sets[argument].write_text('{"question": ' + "[" * 50_000 if fault == "brackets" else text)
    phiscan("options", *flags(sets), code=2)


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5_000, f'{CANARY} = "{CANARY}"', f'[[group]]\nterms = "{CANARY}"', f"{CANARY}"]
)
def test_options_refuses_synonyms_in_one_clean_line(text, sets, phiscan):
    sets["--synonyms"].write_text(text)
    phiscan("options", *flags(sets), code=2)


# --- forecast -----------------------------------------------------------------------------------

COLUMNS = {
    "sequence": [f"{CANARY}{n}" for n in range(12)],
    "score": [1.0 if n % 3 else 0.5 for n in range(12)],
    "patient_id": [f"{CANARY}{n // 3}" for n in range(12)],
    CANARY: [CANARY] * 12,
}


def write_scores(path, columns):
    if path.suffix == ".npz":
        np.savez(path, **columns)
    elif path.suffix == ".parquet":
        pq.write_table(pa.table(columns), path)
    elif path.suffix == ".csv":
        rows = [columns, *zip(*columns.values(), strict=True)]
        path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    else:
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_suite(folder, small, extra=""):
    text = 'full = "big"\n'
    for name, file, size in (("small", small, 1), ("big", f"{CANARY}.csv", 10)):
        text += f'[[model]]\nname = "{name}"\nscores = "{file}"\nparameters = {size}\ntokens = 9\n'
    (folder / f"{CANARY}.toml").write_text(text + extra)
    return folder / f"{CANARY}.toml"


@pytest.fixture
def suite_folder(tmp_path):
    folder = tmp_path / CANARY
    folder.mkdir()
    (tmp_path / "out").mkdir()
    write_scores(folder / f"{CANARY}.csv", COLUMNS)
    return folder


ENDINGS = ("csv", "jsonl", "parquet", "npz")


@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.parametrize("ending", ENDINGS)
def test_forecast_shows_no_id(ending, more, suite_folder, phiscan, tmp_path):
    write_scores(suite_folder / f"small-{CANARY}.{ending}", COLUMNS)
    suite = write_suite(suite_folder, f"small-{CANARY}.{ending}")
    phiscan("forecast", suite, "--chart", tmp_path / "out" / "chart.svg", *more, code=0)
    assert (tmp_path / "out" / "chart.svg").exists()


FAULTY_COLUMNS = {
    "no score": {"sequence": COLUMNS["sequence"]},
    "text for a score": {**COLUMNS, "score": [CANARY] * 12},
    "a score over 1": {**COLUMNS, "score": [2.0] * 12},
    "one id twice": {**COLUMNS, "sequence": [CANARY] * 12},
    "other ids": {**COLUMNS, "sequence": [f"{CANARY}-{n}" for n in range(12)]},
    "other patients": {**COLUMNS, "patient_id": [f"{CANARY}-{n}" for n in range(12)]},
    "half a file": COLUMNS,
    "no such file": None,
    "a folder": None,
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("fault", FAULTY_COLUMNS)
def test_forecast_refuses_scores_in_one_clean_line(fault, ending, suite_folder, phiscan):
    path = suite_folder / f"small-{CANARY}.{ending}"
    if fault == "a folder":
        path.mkdir()
    elif FAULTY_COLUMNS[fault] is not None:
        write_scores(path, FAULTY_COLUMNS[fault])
    if fault == "half a file":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    phiscan("forecast", write_suite(suite_folder, path.name), code=2)


@pytest.mark.parametrize(
    "extra",
    [f'"{CANARY}\\n" = 1', f'run = "{CANARY}"', f'seen = "{CANARY}"', "seen = " + "[" * 5_000, "seen = " + "9" * 5_000],
)  # fmt: skip
def test_forecast_refuses_suites_in_one_clean_line(extra, suite_folder, phiscan):
    phiscan("forecast", write_suite(suite_folder, f"{CANARY}.csv", extra), code=2)


# --- plan ---------------------------------------------------------------------------------------

MACHINE = {"name": "ours", "generated": 1, "read": 1, "words": 1, "memory": 1, "price": 1, "source": "ours"}


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_plan_shows_no_value_of_a_setting(more, phiscan, tmp_path):
    config = tmp_path / f"{CANARY}.toml"
    config.write_text(f'[load]\ntext = "{CANARY}"\npatient_id = "{CANARY}"\n[model]\ndevice = "{CANARY}"\n')
    table = tmp_path / f"{CANARY}-machines.toml"
    rows = [f"{key} = {json.dumps(value)}" for key, value in MACHINE.items()]
    table.write_text("\n".join(["[[machine]]", *rows]))
    settings = ("--set", f"load.note_id={CANARY}")
    assert "ours" in phiscan("plan", "--config", config, "--hardware", table, *settings, *more, code=0)


@pytest.mark.parametrize("field", [*MACHINE, f"{CANARY}\\u001b"])
def test_plan_refuses_a_table_in_one_clean_line(field, phiscan, tmp_path):
    table = tmp_path / f"{CANARY}.toml"
    rows = [f'"{key}" = {json.dumps(value)}' for key, value in {**MACHINE, field: MARKED}.items()]
    table.write_text("\n".join(["[[machine]]", *rows]))
    phiscan("plan", "--hardware", table, code=2)


@pytest.mark.parametrize(
    "setting",
    [
        f"model.backend={CANARY}",
        f"run.seed={CANARY}",
        f"load.{CANARY}\nx=1",
        f'load.labels=["{CANARY}"]',
        CANARY,
    ],
)
def test_plan_refuses_settings_in_one_clean_line(setting, phiscan):
    phiscan("plan", "--set", setting, code=2)


# --- the trend of several runs ------------------------------------------------------------------


def canary_run(folder, write_jsonl, name, leaking):
    """A finished run of notes, ids and answers that bear the canary, kept in a folder of that name."""
    text = f"Patient: Mara {CANARY}, MRN: 7730218. {CANARY} walked to the ferry and back without a stop."
    notes = [
        {
            "note_id": f"{CANARY}-{n}",
            "patient_id": f"{CANARY}-p{n}",
            "text": f"Visit {n}. {text}",
            "note_type": MARKED,
        }
        for n in range(4)
    ]
    rows = [
        {"note_id": note["note_id"], "prefix": note["text"][:9], "continuation": note["text"][9:] if n < leaking else MARKED}
        for n, note in enumerate(notes)
    ]  # fmt: skip
    inputs = ScanInputs(
        notes=write_jsonl(folder / f"{CANARY}-{name}.jsonl", notes),
        replay=write_jsonl(folder / f"{CANARY}-{name}-answers.jsonl", rows),
        out=folder / f"{CANARY}-{name}",
    )
    scan(inputs, ScanConfig())
    return inputs.out


def test_a_trend_shows_no_text_of_its_runs(phiscan, tmp_path, write_jsonl):
    runs = [canary_run(tmp_path, write_jsonl, name, leaking) for name, leaking in (("a", 1), ("b", 4))]
    out = phiscan("report", *runs, code=0)
    assert "What changed" in out
    phiscan("report", *runs, "--out", tmp_path / "out", "--format", "html,json,csv", code=0)
    assert {path.suffix for path in (tmp_path / "out").iterdir()} == {".html", ".json", ".csv"}
    report = json.loads((tmp_path / "out" / "trend.json").read_text(encoding="utf-8"))
    assert report["overall"]["differences"][0]["gained"] == 3, "the canary was given back at all"


@pytest.mark.parametrize(
    "more",
    [
        ("--label", MARKED),
        ("--label", CANARY * 9),
        ("--forecast", f"{CANARY}.json"),
        ("--format", CANARY),
        ("--config", CANARY),
        ("--annex-for", CANARY),
    ],
)
def test_a_trend_refuses_options_in_one_clean_line(more, phiscan, tmp_path, write_jsonl):
    runs = [tmp_path / f"{CANARY}-{n}" for n in range(2)]
    phiscan("report", *runs, "--out", tmp_path / "out", *more, code=2)
    phiscan("report", *runs, "--out", tmp_path / "out", code=2)
