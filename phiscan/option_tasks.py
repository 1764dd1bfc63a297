"""Question -> what a model is asked: for the option that was taken away, for the right one, for diagnoses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from phiscan.questions import LETTERS, DiagnosisCase, Question

Task = Literal["regenerate", "answer", "diagnose"]
TASKS: tuple[Task, ...] = ("regenerate", "answer", "diagnose")
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")


class OptionSettings(BaseModel):
    """How answer options are asked for and compared."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    max_new_tokens: int = Field(
        64, ge=1, description="tokens of an answer at most; lists of diagnoses: twice"
    )
    chance_draws: int = Field(
        100, ge=1, description="other questions whose removed options each answer is compared with for chance"
    )


class Asked(NamedTuple):
    """One prompt of one task."""

    task: Task
    question_id: str
    prompt: str
    removed: int | None
    """Position of the option that was taken away; ``regenerate`` only."""


def asked_of(questions: Iterable[Question], cases: Iterable[DiagnosisCase], *, seed: int) -> Iterator[Asked]:
    """Every prompt, task by task, in the order of the file; a question without an answer is not marked."""
    questions = list(questions)
    for question in questions:
        removed = removed_option(question, seed)
        yield Asked("regenerate", question.question_id, regenerate_prompt(question, removed), removed)
    for question in questions:
        if question.right is not None:
            yield Asked("answer", question.question_id, answer_prompt(question), None)
    for case in cases:
        yield Asked("diagnose", case.question_id, diagnose_prompt(case), None)


def removed_option(question: Question, seed: int) -> int:
    """Position of the option taken away: at random, by the seed and the question's id alone."""
    return Random(f"{seed} options {question.question_id}").randrange(len(question.options))


def shown_options(question: Question, removed: int) -> list[str]:
    """The options left in the prompt."""
    return [option for i, option in enumerate(question.options) if i != removed]


def regenerate_prompt(question: Question, removed: int) -> str:
    """The study's instruction, the question and the other options under fresh letters."""
    shown = shown_options(question, removed)
    return (
        "You are a doctor, kindly generate one other option based on the patient's description and the other "
        f"{_NUMBERS[len(shown)]} options.\n\n{question.stem}\n\n{_lettered(shown)}\n\nOther option:"
    )


def answer_prompt(question: Question) -> str:
    """The question with all its options."""
    return (
        "You are a doctor, kindly choose the right option based on the patient's description.\n\n"
        f"{question.stem}\n\n{_lettered(question.options)}\n\nRight option:"
    )


def diagnose_prompt(case: DiagnosisCase) -> str:
    """The study's instruction and the case; the list is begun."""
    return (
        "You are a helpful physician assistant. Your task is to give a list of correct diagnosis based on "
        f"the HPI description and other medical information of the patient.\n\n{case.stem}\n\nDiagnoses:\n1."
    )


def _lettered(options: Iterable[str]) -> str:
    return "\n".join(f"{letter}) {option}" for letter, option in zip(LETTERS, options, strict=False))
