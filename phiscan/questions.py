"""Files -> Question or DiagnosisCase: multiple-choice sets and cases with a known diagnosis.

Layouts are told by the fields of a row, so that a file may mix them:

- MedQA: ``question``, ``options`` {A, B, ...}, ``answer`` (its text), ``answer_idx`` (its letter);
- MedMCQA: ``question``, ``opa`` ... ``opd``, ``cop`` (its number, from 0 or from 1, as the file shows);
- columns: ``question``, ``A``, ``B``, ..., ``answer`` (text or letter);
- a case: ``hpi`` (or ``text``) and ``diagnosis``; alternatives parted by ``|``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from phiscan.errors import NoteFormatError
from phiscan.input_rows import BadRow, Tally, read_rows
from phiscan.option_match import equal_form, words
from phiscan.records import record
from phiscan.rulebook.lexicons import specialties

LETTERS = "ABCDEFGH"
LEAST_OPTIONS = 3
_SPECIALTY = ("specialty", "subject_name", "meta_info")
_IDS = ("question_id", "case_id", "id")
_FIELDS = (
    *("question", "answer", "answer_idx", "cop", "hpi", "text", "diagnosis"),
    *(f"op{letter.lower()}" for letter in LETTERS),
    *(f"options.{letter}" for letter in LETTERS),
    *LETTERS,
    *_SPECIALTY,
    *_IDS,
)
OTHER_SPECIALTY = "other"
"""Of every row whose specialty the list does not name: the field is the user's and may hold anything."""
Fields = Mapping[str, str | None]


@record
class Question:
    """One multiple-choice question; its text is public, yet kept out of errors like any other."""

    question_id: str
    stem: str
    options: tuple[str, ...]
    right: int | None
    """Position of the right option; null where the row does not say."""
    specialty: str | None
    """As the list of specialties spells it, or `other`; null where the row does not say."""


@record
class DiagnosisCase:
    """A case with its diagnosis, perhaps in several wordings."""

    question_id: str
    stem: str
    diagnoses: tuple[str, ...]
    specialty: str | None


@record
class LoadedQuestions:
    """Everything usable, and what became of every other row."""

    questions: list[Question]
    cases: list[DiagnosisCase]
    without_answer: dict[str, int]
    """Questions whose right option is not known, by reason: they are asked, but cannot be marked."""
    other_specialties: int
    """Distinct specialties that the list does not name."""
    rows_read: int
    rows_bad: dict[str, int]
    rows_dropped: dict[str, int]
    bad_examples: list[BadRow]


def load_questions(path: Path, *, argument: str = "--questions") -> LoadedQuestions:
    """Every usable question and case; NoteFormatError if there is none, or an id stands twice."""
    tally = Tally()
    columns = {name: name for name in _FIELDS}
    rows = list(read_rows(path, columns, required=(), argument=argument, tally=tally))
    first = _first_number([fields.get("cop") for _, fields in rows])
    questions: list[Question] = []
    cases: list[DiagnosisCase] = []
    without: Counter[str] = Counter()
    seen: dict[str, int] = {}
    others: set[str] = set()
    for row, fields in rows:
        name = _named(fields, _IDS) or f"row {row}"
        made = _case(name, fields) if _value(fields, "diagnosis") else _question(name, fields, first, without)
        if isinstance(made, str):
            tally.bad(argument, row, made)
            continue
        if seen.setdefault(name, row) != row:
            raise NoteFormatError(f"{argument}: row {row} repeats the id of row {seen[name]}")
        if made.specialty == OTHER_SPECIALTY:
            others.add(equal_form(_named(fields, _SPECIALTY) or ""))
        if isinstance(made, DiagnosisCase):
            cases.append(made)
        else:
            questions.append(made)
    if not questions and not cases:
        raise NoteFormatError(f"{argument}: no question could be read{tally.why()}")
    return LoadedQuestions(
        questions=questions,
        cases=cases,
        without_answer=dict(without),
        other_specialties=len(others),
        **tally.counts(),
    )


def _case(name: str, fields: Fields) -> DiagnosisCase | str:
    stem = _named(fields, ("hpi", "text", "question"))
    if stem is None:
        return "a case without hpi or text"
    diagnoses = tuple(part.strip() for part in (fields["diagnosis"] or "").split("|") if part.strip())
    if not any(words(one) for one in diagnoses):
        return "the diagnosis holds no word"
    return DiagnosisCase(question_id=name, stem=stem, diagnoses=diagnoses, specialty=_specialty(fields))


def _question(name: str, fields: Fields, first: int | str, without: Counter[str]) -> Question | str:
    stem = _value(fields, "question")
    if stem is None:
        return "no question"
    options = _options(fields)
    if isinstance(options, str):
        return options
    right = _right(fields, options, first)
    if isinstance(right, str):
        without[right] += 1
    return Question(
        question_id=name,
        stem=stem,
        options=options,
        right=None if isinstance(right, str) else right,
        specialty=_specialty(fields),
    )


def _options(fields: Fields) -> tuple[str, ...] | str:
    """The options in the order of their letters, or why they cannot be used."""
    layouts = [[f"options.{letter}" for letter in LETTERS], [f"op{letter.lower()}" for letter in LETTERS]]
    for names in (*layouts, list(LETTERS)):
        found = [_value(fields, name) for name in names]
        if any(found):
            break
    given = tuple(value for value in found if value is not None)
    if found[: len(given)] != list(given):
        return "an option is missing between others"
    if len(given) < LEAST_OPTIONS:
        return "fewer than three options"
    if len({equal_form(option) for option in given}) < len(given):
        return "two options are equal"
    return given if all(words(option) for option in given) else "an option holds no word"


def _right(fields: Fields, options: tuple[str, ...], first: int | str) -> int | str:
    """Position of the right option, or why it is not known."""
    if "cop" in fields:
        number = _value(fields, "cop")
        if number is None or number == "-1":
            return "no answer is given"
        if isinstance(first, str):
            return first
        place = int(number) - first if re.fullmatch(r"\d", number) else -1
        return place if 0 <= place < len(options) else "the answer names no option"
    letter, text = _value(fields, "answer_idx"), _value(fields, "answer")
    if letter is None and text is None:
        return "no answer is given"
    by_text = [i for i, option in enumerate(options) if text and equal_form(option) == equal_form(text)]
    letter = letter or (text if text and not by_text else None)
    by_letter = [LETTERS.find(letter.upper())] if letter and len(letter) == 1 else []
    places = {place for place in (*by_text, *by_letter) if 0 <= place < len(options)}
    if len(places) > 1:
        return "letter and text name different options"
    return places.pop() if places else "the answer names no option"


def _first_number(numbers: list[str | None]) -> int | str:
    """Whether ``cop`` counts from 0 or from 1: the file's smallest and largest numbers tell."""
    given = {number.strip() for number in numbers if number}
    if "0" in given:
        return 0
    return 1 if "4" in given else "whether cop counts from 0 or from 1 cannot be told from the file"


def _value(fields: Fields, name: str) -> str | None:
    return (fields.get(name) or "").strip() or None


def _specialty(fields: Fields) -> str | None:
    given = _named(fields, _SPECIALTY)
    return None if given is None else _listed().get(equal_form(given), OTHER_SPECIALTY)


@cache
def _listed() -> dict[str, str]:
    return {equal_form(name): name for name in specialties()}


def _named(fields: Fields, names: tuple[str, ...]) -> str | None:
    return next((value for name in names if (value := _value(fields, name))), None)
