"""Each trap of answer matching has one right answer."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.option_match import Answer, chosen, equal_form, exact, substring, whole_words, words

SHOWN = ["Heparin", "Low molecular weight heparin", "Clopidogrel"]
LIST = "A) Heparin\nB) Low molecular weight heparin\nC) Clopidogrel"


@pytest.mark.parametrize(
    ("answer", "option", "right"),
    [
        ("Aspirin", "Aspirin", (True, True, True)),
        ("  aspirin.\n", "Aspirin", (True, True, True)),
        ("D) Aspirin", "Aspirin", (True, True, True)),
        ("d. Aspirin", "Aspirin", (True, True, True)),
        ("Option D: Aspirin", "Aspirin", (True, True, True)),
        ("The other option is: (D) Aspirin.", "Aspirin", (True, True, True)),
        ("D)\nAspirin", "Aspirin", (True, True, True)),
        ("Aspirin, because it is given first", "Aspirin", (False, True, True)),
        ("D", "Aspirin", (False, False, False)),
        ("", "Aspirin", (False, False, False)),
        ("E. coli", "E. coli", (True, True, True)),
        ("E. E. coli", "E. coli", (True, True, True)),
        ("E.coli infection", "E. coli", (False, False, True)),
        ("E", "E. coli", (False, False, False)),
        ("HIV. It is a retrovirus.", "HIV", (False, True, True)),
        ("HIV", "HIV. It spreads by blood", (False, False, False)),
        ("30 mg", "3", (False, True, False)),
        ("3.5 mg", "3", (False, True, False)),
        ("-3", "3", (False, True, False)),
        ("3", "3", (True, True, True)),
        ("3 mg", "3", (False, True, True)),
        ("None", "No", (False, True, False)),
        ("No.", "No", (True, True, True)),
        ("No, none of them", "No", (False, True, True)),
        # the whole list repeated: what was shown is no answer, what was not shown is
        (LIST, "Aspirin", (False, False, False)),
        (f"{LIST}\nD) Aspirin", "Aspirin", (True, True, True)),
        (LIST.replace("\n", " ") + " D) Aspirin", "Aspirin", (False, True, True)),
        (LIST, "Molecular weight", (False, True, False)),
        ("Unfractionated heparin", "Unfractionated heparin", (True, True, True)),
    ],
)
def test_each_trap_has_one_right_answer(answer, option, right):
    read = Answer.of(answer, shown=SHOWN)
    assert (exact(read, option), substring(read, option), whole_words(read, option)) == right


OPTIONS = ["Heparin", "Low molecular weight heparin", "E. coli", "A fracture", "HIV"]


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("A", 0),
        ("(b)", 1),
        ("c.", 2),
        ("The answer is D", 3),
        ("Answer: E", 4),
        ("B) Low molecular weight heparin", 1),
        ("low molecular weight heparin", 1),
        ("E. coli", 2),
        ("E. HIV", 4),
        ("E. coli infection", 2),
        ("Answer: HIV.", 4),
        ("- heparin", 0),
        ("C. HIV", None),  # letter and text disagree
        ("A) Heparin\nB) Low molecular weight heparin", 0),
        ("A 45-year-old man with HIV", 4),
        ("It must be low molecular weight heparin.", 1),
        ("Heparin or HIV", None),
        ("F", None),
        ("", None),
        ("I do not know", None),
    ],
)
def test_the_option_an_answer_picks(answer, place):
    assert chosen(answer, OPTIONS) == place


texts = st.lists(st.sampled_from("Aspirin 3 30 mg No None E. coli HIV - ; (a) B) é".split()), min_size=1).map(
    " ".join
)


@given(texts, texts)
def test_exact_implies_substring_and_whole_words_of_an_option_that_was_not_shown(answer, option):
    read = Answer.of(answer, shown=())
    if exact(read, option):
        assert substring(read, option)
        assert whole_words(read, option) or not words(option)


@given(texts, texts, st.lists(texts, max_size=3))
def test_whole_words_is_that_of_the_slow_version(answer, option, shown):
    """Marks every word of a shown option's repeats; a place counts if no one repeat covers it."""
    said, wanted = words(answer), words(option)

    def at(pattern):
        return [
            range(i, i + len(pattern))
            for i in range(len(said))
            if pattern and said[i : i + len(pattern)] == pattern
        ]

    repeats = [set(place) for one in shown for place in at(words(one))]
    expected = any(not any(set(place) <= repeat for repeat in repeats) for place in at(wanted))
    assert whole_words(Answer.of(answer, shown=shown), option) == expected


@given(st.text(max_size=40))
def test_equal_form_is_a_fixed_point(text):
    form = equal_form(text)
    assert equal_form(form) == form
    assert not re.search(r"\s\s|\n", form)
