"""Field layouts of multiple-choice sets, and rows that cannot be used."""

from __future__ import annotations

import pytest

from phiscan.errors import NoteFormatError
from phiscan.questions import load_questions
from phiscan.rulebook.lexicons import specialties

MEDQA = {
    "question": "Which drug is given first?",
    "options": {"A": "Aspirin", "B": "Heparin", "C": "Warfarin", "D": "Clopidogrel"},
    "answer": "Heparin",
    "answer_idx": "B",
    "meta_info": "step1",
}
MEDMCQA = {"id": "q-7", "question": "Which one?", "opa": "one", "opb": "two", "opc": "three", "opd": "four",
           "cop": 0, "subject_name": "Anatomy"}  # fmt: skip


@pytest.fixture
def load(tmp_path, write_jsonl):
    return lambda *rows: load_questions(write_jsonl(tmp_path / "q.jsonl", rows))


def test_both_layouts_and_cases_are_told_by_their_fields(load):
    case = {
        "case_id": "c1",
        "hpi": "Crushing pain.",
        "diagnosis": "STEMI | heart attack",
        "specialty": "Cardiology",
    }
    loaded = load(MEDQA, MEDMCQA, case)
    medqa, medmcqa = loaded.questions
    assert (medqa.question_id, medqa.options[1], medqa.right, medqa.specialty) == (
        "row 1",
        "Heparin",
        1,
        "step1",
    )
    assert (medmcqa.question_id, medmcqa.options, medmcqa.right) == (
        "q-7",
        ("one", "two", "three", "four"),
        0,
    )
    assert medmcqa.specialty == "Anatomy"
    assert loaded.cases[0].diagnoses == ("STEMI", "heart attack")


def test_a_specialty_is_kept_only_as_the_list_spells_it(load):
    given = [
        "  anatomy ",
        "ANATOMY.",
        "step2&3",
        "Mr Quill, seen 4/11",
        "mr quill, seen 4/11",
        "\x1b[31m",
        "other",
        "",
    ]
    loaded = load(*({**MEDMCQA, "id": str(n), "subject_name": name} for n, name in enumerate(given)))
    assert [question.specialty for question in loaded.questions] == [
        *("Anatomy", "Anatomy", "step2&3", "other", "other", "other", "other", None)
    ]
    assert loaded.other_specialties == 3


def test_the_list_of_specialties_has_every_subject_of_both_sets():
    listed = [name.casefold() for name in specialties()]
    assert len(set(listed)) == len(listed)
    assert {"step1", "step2&3", "anatomy", "gynaecology & obstetrics", "cardiology"} <= set(listed)
    assert "other" not in listed


def test_columns_of_a_table_are_read(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text("id,question,A,B,C,answer\n1,Which?,one,two,three,C\n2,What?,red,green,blue,green\n")
    assert [question.right for question in load_questions(path).questions] == [2, 1]


@pytest.mark.parametrize(
    ("numbers", "rights"),
    [((0, 3), [0, 3]), ((1, 4), [0, 3]), ((1, 3), [None, None]), ((0, -1), [0, None])],
)
def test_the_file_tells_from_where_cop_counts(load, numbers, rights):
    rows = [MEDMCQA | {"id": str(i), "cop": number} for i, number in enumerate(numbers)]
    loaded = load(*rows)
    assert [question.right for question in loaded.questions] == rights
    assert sum(loaded.without_answer.values()) == rights.count(None)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"question": " "}, "no question"),
        ({"options": {"A": "x", "B": "y"}}, "fewer than three options"),
        ({"options": {"A": "x", "C": "y", "D": "z"}}, "an option is missing between others"),
        ({"options": {"A": "x", "B": "X.", "C": "y"}}, "two options are equal"),
        ({"options": {"A": "x", "B": "+", "C": "y"}}, "an option holds no word"),
        ({"diagnosis": "x", "question": None}, "a case without hpi or text"),
        ({"diagnosis": "?"}, "the diagnosis holds no word"),
    ],
)
def test_rows_that_cannot_be_used_are_counted_with_their_reason(load, change, reason):
    loaded = load(MEDQA, MEDQA | change)
    assert (len(loaded.questions), loaded.rows_bad, loaded.rows_read) == (1, {reason: 1}, 2)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"answer": "Aspirin"}, "letter and text name different options"),
        ({"answer": None, "answer_idx": None}, "no answer is given"),
        ({"answer": "Insulin", "answer_idx": "Z"}, "the answer names no option"),
    ],
)
def test_a_question_without_a_usable_answer_is_kept_and_counted(load, change, reason):
    loaded = load(MEDQA | change)
    assert (loaded.questions[0].right, loaded.without_answer) == (None, {reason: 1})


def test_errors_name_rows_and_no_text(load):
    with pytest.raises(NoteFormatError, match=r"^--questions: row 2 repeats the id of row 1$"):
        load(MEDMCQA, MEDMCQA)
    with pytest.raises(NoteFormatError, match=r"^--questions: no question could be read: no question \(1\)$"):
        load(MEDQA | {"question": ""})
