"""Answer options: ask a model for the option that was taken away, or judge answers made elsewhere."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import phiscan
from phiscan.config import ScanConfig
from phiscan.diagnoses import load_synonyms
from phiscan.errors import ConfigError, NoteFormatError
from phiscan.input_rows import Tally, read_rows
from phiscan.measures.options import TESTS, AccuracyRow, MatchRow, TaskCount, measure_options
from phiscan.option_match import Answer, chosen
from phiscan.option_tasks import TASKS, Asked, asked_of, shown_options
from phiscan.passes.plan import Progress, silent
from phiscan.pipeline import check_models
from phiscan.private_file import private_folder, write_private
from phiscan.protocols import Backend, ModelSource
from phiscan.questions import LoadedQuestions, Question, load_questions
from phiscan.registry import load_plugin
from phiscan.scan_report import Model, ModelIdentity

_AT_ONCE = 256


class OptionsReport(Model):
    """The whole result of `phiscan options`; holds no text of a question or an answer."""

    phiscan_version: str
    seed: int
    questions_sha256: str
    model: ModelIdentity
    settings: dict[str, dict[str, str | int | bool | None]]
    questions: int
    cases: int
    rows_read: int
    rows_bad: dict[str, int]
    without_answer: dict[str, int]
    other_specialties: int
    """Distinct specialties of the file that the list does not name: all of them count as `other`."""
    replay_bad: dict[str, int]
    tasks: tuple[TaskCount, ...]
    removed_in_prompt: int
    matches: tuple[MatchRow, ...]
    accuracy: tuple[AccuracyRow, ...]


class OptionInputs(NamedTuple):
    """The files and the model, as the command line names them."""

    questions: Path
    out: Path
    model: str | None = None
    adapter: str | None = None
    replay: Path | None = None
    synonyms: Path | None = None


def run_options(
    inputs: OptionInputs, config: ScanConfig, progress: Progress = silent
) -> OptionsReport | None:
    """Ask, judge and measure; writes prompts.jsonl, answers.jsonl and options.json into the folder.

    With neither a model nor answers only the prompts are written, and None is returned.
    """
    if inputs.model is not None and inputs.replay is not None:
        raise ConfigError("give either --model, or --replay with answers made elsewhere")
    if inputs.adapter is not None and inputs.model is None:
        raise ConfigError("--adapter: is of use with --model only")
    if inputs.model is not None:
        check_models({"scanned": ModelSource(inputs.model, inputs.adapter)}, config.model)
    loaded, synonyms, tally = load_questions(inputs.questions), load_synonyms(inputs.synonyms), Tally()
    seed, settings = config.run.seed, config.options
    asked = list(asked_of(loaded.questions, loaded.cases, seed=seed))
    answered = _answers(inputs, config, asked, tally, progress)
    if answered is None:
        return None
    identity, answers = answered
    questions = {question.question_id: question for question in loaded.questions}
    measured = measure_options(
        asked,
        answers,
        questions,
        {case.question_id: case for case in loaded.cases},
        synonyms,
        seed=seed,
        chance_draws=settings.chance_draws,
    )
    _write_rows(inputs.out / "answers.jsonl", _judged(asked, answers, questions))
    report = OptionsReport(
        phiscan_version=phiscan.__version__,
        seed=seed,
        questions_sha256=hashlib.sha256(inputs.questions.read_bytes()).hexdigest(),
        model=identity,
        settings={"options": settings.model_dump(), "model": config.model.model_dump()},
        **_counts(loaded),
        replay_bad=tally.counts()["rows_bad"],
        **measured._asdict(),
    )
    write_private(inputs.out / "options.json", report.model_dump_json(indent=2) + "\n", "--out")
    return report


def _answers(
    inputs: OptionInputs, config: ScanConfig, asked: Sequence[Asked], tally: Tally, progress: Progress
) -> tuple[ModelIdentity, list[str | None]] | None:
    """Who answered, and what; None if nobody is to be asked. The prompts are written first."""
    read = None if inputs.replay is None else read_answers(inputs.replay, asked, tally)
    backend: Backend | None = None
    if inputs.model is not None or (config.model.backend == "echo" and read is None):
        build = load_plugin("backends", config.model.backend).build
        backend = build(ModelSource(inputs.model or "", inputs.adapter), config.model)
    prompts = [{"question_id": a.question_id, "task": a.task, "prompt": a.prompt} for a in asked]
    private_folder(inputs.out, "--out")
    _refuse_other_prompts(inputs.out, prompts)
    _write_rows(inputs.out / "prompts.jsonl", prompts)
    if read is not None:
        return ModelIdentity(backend="replay"), read
    if backend is None:
        return None
    return backend.identity(), ask(asked, backend, config.options.max_new_tokens, progress)


def ask(
    asked: Sequence[Asked], backend: Backend, max_new_tokens: int, progress: Progress
) -> list[str | None]:
    """The model's answer to each prompt, greedy; None where it gave none."""
    answers: list[str | None] = []
    for task in TASKS:
        rows = [one for one in asked if one.task == task]
        length = max_new_tokens * (2 if task == "diagnose" else 1)
        for start in range(0, len(rows), _AT_ONCE):
            tokens = backend.tokenize([one.prompt for one in rows[start : start + _AT_ONCE]])
            made = backend.generate([ids for ids, _ in tokens], length)
            answers += [None if one is None else one.text for one in made]
            progress("options", len(answers), len(asked))
    return answers


def read_answers(path: Path, asked: Sequence[Asked], tally: Tally) -> list[str | None]:
    """Answers made elsewhere: rows ``question_id, answer[, task]``; without a task, ``regenerate``.

    A row of no question that was asked is counted as bad; NoteFormatError if one is answered twice.
    """
    known = {(one.task, one.question_id) for one in asked}
    found: dict[tuple[str, str], str] = {}
    columns = {name: name for name in ("question_id", "answer", "task")}
    rows = read_rows(path, columns, required=("question_id", "answer"), argument="--replay", tally=tally)
    for row, fields in rows:
        place = (fields.get("task") or "regenerate").strip(), (fields.get("question_id") or "").strip()
        answer = fields.get("answer")
        if place not in known:
            tally.bad("--replay", row, "no such question, or not asked in this task")
        elif answer is None:
            tally.bad("--replay", row, "no answer")
        elif place in found:
            raise NoteFormatError(f"--replay: row {row} answers a question that an earlier row answers")
        else:
            found[place] = answer
    if not found:
        raise NoteFormatError(f"--replay: no row answers a question{tally.why()}")
    return [found.get((one.task, one.question_id)) for one in asked]


def _counts(loaded: LoadedQuestions) -> dict[str, Any]:
    return {
        "questions": len(loaded.questions),
        "cases": len(loaded.cases),
        "rows_read": loaded.rows_read,
        "rows_bad": loaded.rows_bad,
        "without_answer": loaded.without_answer,
        "other_specialties": loaded.other_specialties,
    }


def _judged(
    asked: Sequence[Asked], answers: Sequence[str | None], questions: dict[str, Question]
) -> Iterator[dict[str, Any]]:
    """One row an answer: what was asked, what came, and what the tests say of it."""
    for one, text in zip(asked, answers, strict=True):
        row: dict[str, Any] = {"question_id": one.question_id, "task": one.task, "answer": text}
        question = questions.get(one.question_id)
        if text is not None and question is not None and one.removed is not None:
            option = question.options[one.removed]
            answer = Answer.of(text, shown=shown_options(question, one.removed))
            row |= {"removed": option, **{name: test(answer, option) for name, test in TESTS.items()}}
        elif text is not None and question is not None:
            row["chosen"] = chosen(text, question.options)
        yield row


def _refuse_other_prompts(out: Path, prompts: Iterable[dict[str, Any]]) -> None:
    """Answers and figures that stand in the folder must be of these prompts: they would pass for theirs."""
    answered = any((out / name).exists() for name in ("answers.jsonl", "options.json"))
    if answered and (out / "prompts.jsonl").is_file() and _content(out) != _lines(prompts).encode():
        raise ConfigError(
            "--out: holds the answers to other prompts (other questions, seed or settings); use a new folder"
        )


def _content(out: Path) -> bytes:
    try:
        return (out / "prompts.jsonl").read_bytes()
    except OSError as error:
        raise ConfigError(f"--out: cannot be read ({type(error).__name__})") from None


def _write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    write_private(path, _lines(rows), "--out")


def _lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
