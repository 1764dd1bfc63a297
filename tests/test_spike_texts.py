"""What is written into a carrier stands where it is said to stand, and the carrier stays what it was."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.spike_texts import (
    AROUND,
    FRAMES,
    MADE_UP,
    beside,
    framed,
    is_clear,
    made_up,
    points_at_one,
    splice,
)
from phiscan.taxonomy import CATEGORIES
from phiscan.value_index import CONTEXT, words_beside
from phiscan.words import split_words

TEXTS = st.lists(
    st.sampled_from(["The lungs are clear.", "seen\n", "zoë", "🙂", "no.", "\n\n", "MRN", "a" * 90]),
    max_size=40,
).map(" ".join)


@given(TEXTS, st.text(min_size=1, max_size=30), st.integers(0, 99))
def test_the_piece_stands_where_it_is_said_to(carrier, piece, seed):
    made = splice(carrier, piece, Random(seed))
    assert made.text[made.start : made.end] == piece
    before, after = made.text[: made.start], made.text[made.end :]
    assert before == "" or before.endswith("\n")
    assert after.startswith("\n")
    assert before[:-1] in carrier
    assert after[1:] in carrier
    assert len(before) <= AROUND + 1
    assert len(after) <= AROUND + 1


@given(TEXTS, st.integers(0, 99))
def test_equal_seeds_cut_at_equal_places(carrier, seed):
    assert splice(carrier, "x", Random(seed)) == splice(carrier, "x", Random(seed))


@given(st.sampled_from(sorted(FRAMES)), st.text(min_size=1))
def test_a_frame_holds_its_value(category, value):
    made = framed(category, value)
    assert made.text[made.start : made.end] == value
    assert made.text.replace(value, "", 1) == FRAMES[category].replace("{}", "") or value in FRAMES[category]


@given(st.lists(st.sampled_from("seen at home , by the nurse: who was 71".split()), max_size=40), st.data())
def test_the_words_beside_a_value_are_those_of_the_note(words, data):
    text = "  ".join(words)
    cut = split_words(text)
    at = data.draw(st.integers(0, max(0, len(cut.words) - 1)))
    if not cut.words:
        return
    start, end = cut.starts[at], cut.ends[at]
    made = beside(text, cut, start, end, "NEW")
    enough = at >= CONTEXT and len(cut.words) - at - 1 >= CONTEXT // 2
    joined = [
        bool(re.fullmatch(r"\w", text[beyond : beyond + 1])) and not re.fullmatch(r"\w", text[edge])
        for beyond, edge in ((start - 1, start), (end, end - 1))
    ]
    assert (made is not None) == (enough and not any(joined))
    if made is not None:
        assert made.text[made.start : made.end] == "NEW"
        assert words_beside(split_words(made.text), made.start, made.end) == words_beside(cut, start, end)


@pytest.mark.parametrize(
    ("value", "text", "clear"),
    [
        ("Ida Quillon", "seen by QUILLON", False),
        ("Ida Quillon", "seen by Quill", True),
        ("71", "aged 71 years", False),
        ("71", "aged 171 years", True),
        ("617-555-0142", "x0142 or 555", False),
        ("A 7", "nothing", False),  # no word to tell by
    ],
)
def test_clear_of_a_text(value, text, clear):
    assert is_clear(value, text) is clear


@pytest.mark.parametrize(
    ("category", "value", "points"),
    [
        ("PATIENT", "Ida Quillon", True),
        ("PATIENT", "Ida M. Quillon", True),
        ("PATIENT", "Quillon", False),
        ("PATIENT", "QUILLON, IDA", False),
        ("PHONE", "(617) 555-0142", True),
        ("PHONE", "555-0142", False),
        ("MEDICALRECORD", "00482913", True),
        ("MEDICALRECORD", "4829", False),
        ("STREET", "12 Alder Court", True),
        ("STREET", "Alder Court", False),
        ("AGE", "71", False),
        ("CITY", "Dunmoor", False),
    ],
)
def test_what_points_at_one_person(category, value, points):
    assert points_at_one(category, value) is points


@pytest.mark.parametrize("category", sorted(MADE_UP))
def test_made_up_values_differ_and_repeat_with_the_seed(category):
    values = made_up(category, Random(3))
    assert values == made_up(category, Random(3))
    assert len(set(values)) == len(values) >= 5
    assert category in CATEGORIES
