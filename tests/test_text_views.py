"""Views of a text: same length, right way back, one form for many spellings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.text_views import BREAK, MARK, fold_in_place, narrow, packed, words

TEXT = st.text(alphabet="Ab1 2\n\t-.'’,é\u0301ßİﬁ#|\ud800", max_size=60)


@given(st.text())
def test_folding_keeps_the_length_and_is_done_once(text):
    assert len(fold_in_place(text)) == len(text)
    assert fold_in_place(fold_in_place(text)) == fold_in_place(text).replace("\ud800", "\ufffd")


@given(TEXT)
def test_every_character_of_a_view_maps_back(text):
    folded = fold_in_place(text)
    for view in (narrow(folded), packed(folded)):
        for at, char in enumerate(view.text):
            span = view.original(at, at + 1)
            there = folded[slice(*span)].replace(MARK, "")
            assert there == char or (char == " " and there.isspace())


@given(TEXT)
def test_every_word_maps_back(text):
    folded = fold_in_place(text)
    view = words(folded)
    assert view.text.startswith(" ") or view.text == ""
    for start, end, span in zip(view.starts, view.ends, view.spans, strict=True):
        word = view.text[start:end]
        assert view.original(start, end) == span
        there = folded[slice(*span)].replace(MARK, "").replace("'", "")
        assert there == word or word in (BREAK, "#")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("12 Alder Street, Apartment 4", "12 ALDER ST. #4"),
        ("O'Hara’s", "ohara"),
        ("Saint Brannoc's Medical Center", "St Brannoc Med. Ctr."),
        ("Anne-Marie  Lee", "anne marie\nlee"),
    ],
)
def test_spellings_of_one_value_look_alike(one, other):
    assert words(fold_in_place(one)).text == words(fold_in_place(other)).text


def test_sentences_and_blank_lines_break():
    assert words("saw lee. anne\n\nlee; a. b").text == f" saw lee {BREAK} anne {BREAK} lee {BREAK} a b "
