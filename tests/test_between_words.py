"""A value between the record's own words is carried over, whatever form it has there; nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.between_words import spans_between_words
from phiscan.records import Phi
from phiscan.words import split_words

NOTE = "one two three four five six seven eight {} nine ten eleven twelve thirteen fourteen fifteen sixteen"


def phi(value, category, note=NOTE):
    start = note.index("{}")
    return Phi(
        phi_id="n0.0",
        patient_id="P",
        note_id="N",
        start=start,
        end=start + len(value),
        category=category,
        hipaa=None,
        group="other",
        canonical=value.lower(),
        score=0.9,
        detector="rules",
        rule="r",
        text=value,
    )


def carried(value, category, output, *, note=NOTE, tells=lambda words: True):
    text = output
    spans = spans_between_words(
        [phi(value, category, note)],
        split_words(note.format(value)),
        text,
        split_words(text),
        tells=tells,
        date_order="mdy",
    )
    assert all(span.category == category and span.detector == "projected" for span in spans)
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("category", "value", "written"),
    [
        ("AGE", "92", "92"),
        ("AGE", "56", "fifty-six"),
        ("PHONE", "(617) 555-0142", "617.555.0142"),
        ("PHONE", "(617) 555-0142", "555-0142"),
        ("PATIENT", "Ida Quillon", "QUILLON"),
        ("DATE", "11/02/2023", "2 Nov 2023"),
    ],
)
def test_every_form_between_four_words_and_four(category, value, written):
    output = f"said five six seven eight {written} nine ten eleven twelve and so on"
    assert carried(value, category, output) == [written]


def test_eight_words_on_one_side_carry_the_value_as_it_stands():
    before = "x one two three four five six seven eight (617) 555-0142 then"
    after = "then (617) 555-0142 nine ten eleven twelve thirteen fourteen fifteen sixteen"
    assert carried("(617) 555-0142", "PHONE", before) == ["(617) 555-0142"]
    assert carried("(617) 555-0142", "PHONE", after) == ["(617) 555-0142"]
    assert carried("(617) 555-0142", "PHONE", before.replace("one two", "two one")) == []
    assert carried("(617) 555-0142", "PHONE", after.replace("fifteen sixteen", "sixteen")) == []


@pytest.mark.parametrize(
    "output",
    [
        "five six seven eight 93 nine ten eleven twelve",  # another value
        "five six seven 92 nine ten eleven twelve",  # three words before
        "five six seven eight 92 nine ten eleven",  # three words behind
        "nine ten eleven twelve 92 five six seven eight",
        "five six seven eight nine ten eleven twelve",
        "five six seven eight 92" + " or" * 12 + " nine ten eleven twelve",
        "",
    ],
)
def test_anything_else_is_left_to_the_detectors(output):
    assert carried("92", "AGE", output) == []


def test_words_that_tell_of_nobody_carry_nothing():
    output = "five six seven eight 92 nine ten eleven twelve"
    asked = []
    assert carried("92", "AGE", output, tells=lambda words: bool(asked.append(words))) == []
    assert asked == [(("five", "six", "seven", "eight"), ("nine", "ten", "eleven", "twelve"))]


def test_at_the_edges_of_a_note():
    assert carried("92", "AGE", "92 one two three four five six seven eight", note="{} one two") == []
    note = "{} one two three four five six seven eight"
    assert carried("92", "AGE", note.format(92), note=note) == ["92"]


@given(st.lists(st.sampled_from("one two three four five six seven eight nine ten 92".split()), max_size=60))
def test_what_is_carried_reads_as_the_value(words):
    assert set(carried("92", "AGE", " ".join(words), note="one two three four {} five six seven eight")) <= {
        "92"
    }
