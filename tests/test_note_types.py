"""Which types of notes a report may name."""

import pytest

from phiscan.note_types import LONGEST, MOST_DISTINCT, MOST_NAMED, types_to_name


def named(columns, *, least=11, persons=()):
    """``columns``: type -> numbers of the patients who have one note of it."""
    notes = sorted(
        ((name, at) for name, patients in columns.items() for at in patients), key=lambda row: row[1]
    )
    return types_to_name(iter(notes), least=least, is_person=lambda name: name in persons)


def test_those_of_most_patients_come_first():
    assert named({"letter": range(12), "progress": range(30), "admission": range(12)}) == (
        *("progress", "admission", "letter"),
    )


def test_a_type_of_few_patients_is_not_named():
    assert named({"letter": range(11), "visit of Quill": range(10)}) == ("letter",)
    assert named({"letter": range(11)}, least=12) == ()


def test_patients_count_once_however_many_notes_they_have():
    notes = [("letter", patient) for patient in range(5) for _ in range(9)]
    assert types_to_name(iter(notes), least=11, is_person=lambda _: False) == ()


@pytest.mark.parametrize(
    "name",
    [
        "clinic 3 west",
        "MRN 7730218",
        "555-0134",
        "a\x1b[31m",
        "letter\n",
        "x" * (LONGEST + 1),
        "--",
        "",
        "letter of Dr. Quill",
        "Quill's list",
    ],
)
def test_what_holds_figures_or_cannot_be_printed_is_not_named(name):
    assert named({name: range(30), "letter": range(12)}) == ("letter",)


def test_a_person_of_the_records_is_not_named():
    """A column of authors that was mapped as the type."""
    assert named({"Quillon": range(40), "letter": range(12)}, persons={"Quillon"}) == ("letter",)


def test_a_column_of_free_text_names_nothing():
    words = {f"seen for {chr(97 + at % 26)}{'b' * (at // 26)}": [at] for at in range(MOST_DISTINCT)}
    assert named({**words, "letter": range(600, 640)}) == ()
    words.popitem()
    assert named({**words, "letter": range(600, 640)}) == ("letter",)


def test_no_more_than_a_page_can_show():
    names = {"kind " + chr(97 + at): range(30) for at in range(MOST_NAMED + 3)}
    assert len(named(names)) == MOST_NAMED


def test_notes_without_a_type():
    assert types_to_name(iter([(None, 1), (None, 2)]), least=1, is_person=lambda _: False) == ()
