"""`phiscan options`: prompts out, answers in, figures beside chance."""

from __future__ import annotations

import json
import os
import random
import stat

import numpy as np
import pytest
from tiny_model import make_model

from phiscan.commands.option_tables import tables
from phiscan.commands.options import OptionInputs, run_options
from phiscan.config import load_config
from phiscan.option_tasks import removed_option
from phiscan.questions import load_questions

DRUGS = [f"drug{a}{b}" for a in "abcdefgh" for b in "klmnop"]
CONFIG = load_config(None, {}, {})


@pytest.fixture
def questions(tmp_path, write_jsonl):
    """Forty questions of four drugs each, one more that cannot be used, two cases."""
    rng = random.Random(3)
    rows = []
    for i in range(40):
        names = rng.sample(DRUGS, 4)
        rows.append(
            {
                "id": f"q{i}",
                "question": f"Patient {i}: which drug?",
                "options": dict(zip("ABCD", names, strict=True)),
                "answer_idx": "ABCD"[i % 4],
                "meta_info": f"step{1 + i % 2}",
            }
        )
    rows += [{"id": "bad", "question": "x", "options": {"A": "x"}}]
    rows += [
        {"case_id": f"c{i}", "hpi": f"Case {i}.", "diagnosis": "Myocardial infarction"} for i in range(2)
    ]
    return write_jsonl(tmp_path / "questions.jsonl", rows)


def removed(path):
    return {q.question_id: q.options[removed_option(q, 0)] for q in load_questions(path).questions}


def test_without_a_model_only_the_prompts_are_written(questions, tmp_path, command_line):
    code, printed, _ = command_line("options", "--questions", questions, "--out", tmp_path / "out")
    assert code == 0
    assert "prompts.jsonl" in printed
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["prompts.jsonl"]
    assert stat.S_IMODE((tmp_path / "out" / "prompts.jsonl").stat().st_mode) == 0o600
    rows = [json.loads(line) for line in (tmp_path / "out" / "prompts.jsonl").read_text().splitlines()]
    assert [row["task"] for row in rows] == ["regenerate"] * 40 + ["answer"] * 40 + ["diagnose"] * 2
    gone = removed(questions)
    for row in rows[:40]:
        assert row["prompt"].startswith(
            "You are a doctor, kindly generate one other option based on the patient's "
        )
        assert "the other three options." in row["prompt"]
        assert gone[row["question_id"]] not in row["prompt"]
        assert row["prompt"].count(") drug") == 3
    assert rows[-1]["prompt"].startswith(
        "You are a helpful physician assistant. Your task is to give a list of "
    )


def test_answers_made_elsewhere_are_judged_beside_chance(questions, tmp_path, write_jsonl, command_line):
    gone = removed(questions)
    loaded = {q.question_id: q for q in load_questions(questions).questions}
    rows = [{"question_id": name, "answer": f"D) {option}."} for name, option in list(gone.items())[:10]]
    rows += [
        {"question_id": name, "answer": f"perhaps x{option}y"} for name, option in list(gone.items())[10:20]
    ]
    rows += [{"question_id": name, "answer": gone["q0"]} for name in list(gone)[20:30]]
    rows += [{"question_id": name, "answer": " "} for name in list(gone)[30:39]]
    rows += [{"question_id": "nobody", "answer": "x"}]
    rows += [
        {
            "question_id": name,
            "task": "answer",
            "answer": "ABCD"[q.right] if int(name[1:]) < 30 else "no idea",
        }
        for name, q in loaded.items()
    ]
    rows += [{"question_id": "c0", "task": "diagnose", "answer": "1. Angina\n2. Heart attack"}]
    answers = write_jsonl(tmp_path / "answers.jsonl", rows)
    inputs = OptionInputs(questions, tmp_path / "out", replay=answers)
    report = run_options(inputs, CONFIG)
    tasks = {task.task: task for task in report.tasks}
    assert (tasks["regenerate"].asked, tasks["regenerate"].answered, tasks["regenerate"].failed) == (
        40,
        39,
        1,
    )
    assert tasks["regenerate"].empty == 9
    assert report.replay_bad == {"no such question, or not asked in this task": 1}
    assert report.rows_bad == {"fewer than three options": 1}
    found = {(row.test, row.removed): row for row in report.matches}
    extra = sum(gone[name] == gone["q0"] for name in list(gone)[20:30])
    counts = {test: found[test, "any"].observed.count for test in ("exact", "substring", "whole_words")}
    assert counts == {"exact": 10 + extra, "substring": 20 + extra, "whole_words": 10 + extra}
    assert found["exact", "any"].observed.n == 39
    split = [found["exact", part].observed for part in ("right", "distractor")]
    assert (sum(e.count for e in split), sum(e.n for e in split)) == (counts["exact"], 39)
    for test in counts:
        row = found[test, "any"]
        assert row.excess == pytest.approx(row.observed.value - row.chance)
        assert row.chance_low <= row.chance <= row.chance_high
        assert row.excess_low <= row.excess <= row.excess_high
    accuracy = {(row.task, row.top, row.specialty): row.estimate for row in report.accuracy}
    assert (accuracy["answer", 1, None].count, accuracy["answer", 1, None].n) == (30, 40)
    assert accuracy["answer", 1, None].n_undecided == 10
    assert accuracy["answer", 1, "step1"].n == 20
    assert [accuracy["diagnose", top, None].count for top in (1, 2, 3)] == [0, 1, 1]
    code, printed, _ = command_line(
        "options", "--questions", questions, "--replay", answers, "--out", tmp_path / "out"
    )
    assert code == 0
    assert all(word in printed for word in ("beyond chance", "whole_words", "within the first", "9"))
    assert len(list(tables(report))) == 3


def test_a_specialty_that_is_not_listed_is_counted_not_shown(tmp_path, write_jsonl, command_line):
    secret = ["Mr Quill", "\x1b[31mQuill", "quill 4/11", "quill 4/11"]
    rows = [
        {"id": str(n), "question": f"Which {n}?", "A": f"aa{n}", "B": f"bb{n}", "C": f"cc{n}", "answer": "A", "specialty": name}
        for n, name in enumerate([*secret, "cardiology", "Cardiology"])
    ]  # fmt: skip
    answers = [{"question_id": row["id"], "task": "answer", "answer": "A"} for row in rows]
    command = ("options", "--questions", write_jsonl(tmp_path / "q.jsonl", rows),
               "--replay", write_jsonl(tmp_path / "a.jsonl", answers), "--out", tmp_path / "out")  # fmt: skip
    code, printed, _ = command_line(*command)
    assert code == 0
    assert "other (3 not in the list)" in printed
    shown = command_line(*command, "--json")[1]
    report = json.loads(shown)
    found = {row["specialty"]: row["estimate"]["n"] for row in report["accuracy"]}
    assert found == {None: 6, "Cardiology": 2, "other": 4}
    assert report["other_specialties"] == 3
    stored = (tmp_path / "out" / "options.json").read_text()
    for text in (printed, shown, stored):
        assert "quill" not in text.lower()
        assert "\x1b" not in text
        assert "\\u001b" not in text


def test_every_file_is_for_its_owner_alone_and_a_failed_one_leaves_nothing(questions, tmp_path, command_line):
    out = tmp_path / "deep" / "out"
    command = ("options", "--questions", questions, "--set", "model.backend=echo", "--out", out)
    before = os.umask(0)
    try:
        assert command_line(*command)[0] == 0
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [out.parent, out, *out.iterdir()]}
    assert modes == {
        **{"deep": 0o700, "out": 0o700},
        **dict.fromkeys(("prompts.jsonl", "answers.jsonl", "options.json"), 0o600),
    }
    (out / "prompts.jsonl").unlink()
    (out / "prompts.jsonl").mkdir()
    code, _, err = command_line(*command)
    assert (code, err) == (2, "phiscan: --out: cannot be written (IsADirectoryError)\n")
    assert not list(out.glob(".unfinished-*"))


def slow_chance(path, answers):
    """Mean, over answers, of the share of all other questions' removed options that the answer is."""
    gone, loaded = removed(path), {q.question_id: q for q in load_questions(path).questions}
    rates = []
    for name, answer in answers.items():
        others = [
            option
            for other, option in gone.items()
            if other != name and option not in set(loaded[name].options) - {gone[name]}
        ]
        rates.append(np.mean([answer == option for option in others]))
    return float(np.mean(rates))


def test_chance_is_the_rate_against_options_of_other_questions(questions, tmp_path, write_jsonl):
    answers = {name: option for name, option in zip(removed(questions), [*DRUGS[:5]] * 8, strict=True)}
    rows = [{"question_id": name, "answer": answer} for name, answer in answers.items()]
    inputs = OptionInputs(questions, tmp_path / "out", replay=write_jsonl(tmp_path / "a.jsonl", rows))
    row = next(r for r in run_options(inputs, CONFIG).matches if (r.test, r.removed) == ("exact", "any"))
    assert row.chance == pytest.approx(slow_chance(questions, answers))
    assert row.chance > 0


def test_a_model_is_asked_and_the_same_command_gives_the_same_report(questions, tmp_path, command_line):
    model = make_model(tmp_path / "model")
    line = (
        "options",
        "--questions",
        questions,
        "--model",
        model,
        "--json",
        "--set",
        "options.max_new_tokens=5",
    )
    code, printed, _ = command_line(*line, "--out", tmp_path / "one")
    assert code == 0
    report = json.loads(printed)
    assert report["model"]["architecture"] == "LlamaForCausalLM"
    assert all(task["failed"] == 0 for task in report["tasks"])
    assert json.loads((tmp_path / "one" / "options.json").read_text()) == report
    assert command_line(*line, "--out", tmp_path / "two", "--set", "model.batch_size=3")[0] == 0
    first, second = ((tmp_path / run / "answers.jsonl").read_text() for run in ("one", "two"))
    assert first == second
    assert len(first.splitlines()) == 82


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--model", "m", "--replay", "r"), "give either --model, or --replay"),
        (("--adapter", "a"), "--adapter: is of use with --model only"),
        (("--replay", "missing.jsonl"), "--replay: no such file"),
        (("--synonyms", "missing.toml"), "--synonyms: cannot be read"),
    ],
)
def test_errors_are_one_line(questions, tmp_path, command_line, arguments, said):
    code, _, err = command_line("options", "--questions", questions, "--out", tmp_path / "out", *arguments)
    assert (code, err.count("\n")) == (2, 1)
    assert said in err


def test_an_answer_given_twice_is_refused(questions, tmp_path, write_jsonl, command_line):
    answers = write_jsonl(tmp_path / "a.jsonl", [{"question_id": "q1", "answer": "x"}] * 2)
    code, _, err = command_line(
        "options", "--questions", questions, "--replay", answers, "--out", tmp_path / "out"
    )
    assert code == 2
    assert "--replay: row 2 answers a question that an earlier row answers" in err


def test_a_folder_with_answers_to_other_prompts_is_refused(questions, tmp_path, write_jsonl, command_line):
    rows = [{"question_id": name, "answer": "Aspirin"} for name in ("q0", "no such")]
    answers = write_jsonl(tmp_path / "a.jsonl", rows)
    command = ("options", "--questions", questions, "--out", tmp_path / "out")
    code, out, _ = command_line(*command, "--replay", answers)
    assert code == 0
    assert "1 answer of --replay to no question asked" in " ".join(out.split())
    assert command_line(*command)[0] == 0  # the same prompts
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    code, _, err = command_line(*command, "--set", "run.seed=7")
    assert (code, "other prompts" in err) == (2, True)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
