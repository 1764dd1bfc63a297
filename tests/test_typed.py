"""Years of birth: what the words before a date and the note's date make of them."""

import pytest

from phiscan.records import DetectedSpan, Note
from phiscan.typed import newest_year, phi_of_note, year_of


def note_of(text, date=None):
    return Note(
        note_id="N", patient_id="P", split="member", note_type=None, date=date, n_chars=len(text),
        n_tokens=None, copies=1, text=text, ordinal=0, row=0, copy_ids=(), crlf=(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value", "date", "newest", "letter"),
    [
        ("She was born in 1929 in Dunmoor.", "1929", "2021-05-04", None, "C"),
        ("DOB: 1929", "1929", "5/4/2021", None, "C"),
        ("Year of birth 1929.", "1929", None, 2021, "C"),
        ("b. 1929", "1929", "2021-05-04", 1990, "C"),
        ("born about 1932", "1932", "2021-05-04", None, None),
        ("born in 1929", "1929", "2015-05-04", 2021, None),
        ("born in 1929", "1929", None, None, None),
        ("Married in 1929.", "1929", "2021-05-04", None, None),
        ("Stillborn 1929", "1929", "2021-05-04", None, None),
        ("born 3/14/1952", "3/14/1952", "2021-05-04", None, "C"),
    ],
)
def test_a_bare_year_of_birth_of_somebody_over_89_is_an_identifier(text, value, date, newest, letter):
    start = text.index(value)
    span = DetectedSpan(
        start=start, end=start + len(value), category="DATE", score=1.0, detector="rules", rule=None
    )
    [phi] = phi_of_note(note_of(text, date), [span], "mdy", newest=newest)
    assert phi.hipaa == letter


def test_years_of_notes():
    assert [year_of(date, "mdy") for date in ("2021-05-04", "5/4/21", "4 May 2021", None, "unknown")] == [
        2021, 2021, 2021, None, None
    ]  # fmt: skip
    assert newest_year(["2019-01-01", "2021-01-01", None], "mdy") == 2021
    assert newest_year([None], "mdy") is None
