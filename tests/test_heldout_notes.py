"""The machinery of the held-out corpora, and the first corpus's registration formats."""

import re
from datetime import date
from random import Random

from heldout.days import Days
from heldout.markup import build, choose, wrapped
from heldout.notes import make_heldout
from heldout.records import Piece
from heldout.world import make_patients


def test_registration_keeps_its_own_formats():
    corpus = make_heldout(n_notes=0)
    shapes = {
        "PATIENT": r"[^a-z,]+, [^a-z,]+ \w",
        "DATE": r"\d\d/\d\d/\d{4}",
        "MEDICALRECORD": r"0\d{9}",
        "SSN": r"\d{9}",
        "PHONE": r"\d{3}55501\d\d",
        "EMAIL": r"[A-Z0-9._]+@[A-Z.]+",
        "STREET": r"\d+ [A-Z0-9. -]+",
        "CITY": r"[A-Z ]+",
        "ZIP": r"\d{5}",
        "HEALTHPLAN": r"[A-Z]+\d{9}",
        "ACCOUNT": r"0\d{11}",
    }
    assert {row.category for row in corpus.known} == set(shapes)
    for row in corpus.known:
        upper = row.value.replace("ß", "")
        assert re.fullmatch(shapes[row.category], upper), row.category


def test_choose_takes_one_alternative_of_each_level():
    class First:
        def choice(self, options):
            return options[0]

    assert choose("a [b [c|d]|e] f | g[|h]", rng=First()) == "a b c f | g"


def test_build_marks_what_registration_knows():
    pieces = {"x": [Piece("an "), Piece("8", "AGE", "8")], "y": [Piece("9", "AGE", "9")]}
    text, spans = build("{x} and {y}.", value=pieces.__getitem__, known=frozenset({("AGE", "9")}))
    assert text == "an 8 and 9."
    assert [(span.start, span.end, span.in_registration) for span in spans] == [(3, 4, False), (9, 10, True)]


def test_wrapped_moves_no_offset():
    text = "one two three four\n" + "x" * 30 + "\n\nfive"
    broken = wrapped(text, 10)
    assert len(broken) == len(text)
    assert broken.replace("\n", " ") == text.replace("\n", " ")
    assert broken.split("\n")[:2] == ["one two", "three four"]


def test_ages_follow_from_the_day_of_the_note():
    patient = make_patients(Random(3))[70]
    days = Days(Random(1), patient)
    (today,) = days.d("0", "iso")
    (years,) = days.age()
    note_day = date.fromisoformat(today.text)
    birthday_passed = (note_day.month, note_day.day) >= (patient.dob.month, patient.dob.day)
    assert int(years.text) == note_day.year - patient.dob.year - (not birthday_passed)
