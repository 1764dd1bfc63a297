"""Literal values of the registration table: folding, boundaries, longest first, name forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.detectors.known_identifiers import _Narrow, build, fold
from phiscan.protocols import DetectorContext, KnownIdentifier


def detector(*rows: tuple[str, str]):
    known = [KnownIdentifier(patient_id="p1", category=category, value=value) for category, value in rows]
    return build(DetectorContext(known=known))


def found(text: str, *rows: tuple[str, str]) -> list[tuple[str, str]]:
    return [(span.category, text[span.start : span.end]) for span in detector(*rows).detect([text])[0]]


def test_case_and_white_space_do_not_matter():
    text = "pt  MARGUERITE \n\t lindqvist and marguerite lindqvist"
    hits = found(text, ("PATIENT", "Marguerite  Lindqvist"))
    assert hits == [("PATIENT", "MARGUERITE \n\t lindqvist"), ("PATIENT", "marguerite lindqvist")]


@pytest.mark.parametrize(
    "text",
    [
        "Okonkwo, Chidi A",
        "CHIDI A OKONKWO",
        "Chidi Okonkwo",
        "OKONKWO,CHIDI A",
        "Okonkwo, Chidi",
        "okonkwo,\nchidi",
    ],
)
@pytest.mark.parametrize("value", ["Chidi A Okonkwo", "OKONKWO, CHIDI A"])
def test_both_reading_orders_of_a_name(value, text):
    assert found(f"seen: {text}.", ("PATIENT", value)) == [("PATIENT", text)]


def test_other_categories_have_one_form_only():
    assert found("Brightvale, Clinic", ("HOSPITAL", "Clinic Brightvale")) == []


@pytest.mark.parametrize("text", ["Annabel", "xAnn", "Ann2", "2Ann", "MRN 482913774", "é482913"])
def test_not_inside_a_longer_word_or_number(text):
    assert found(text, ("PATIENT", "Ann"), ("MEDICALRECORD", "482913")) == []


@pytest.mark.parametrize("text", ["219-09-4471", "4471-20", "11/4471", "1.4471", "4471.5"])
def test_a_number_is_not_found_inside_a_longer_one(text):
    assert found(text, ("IDNUM", "4471")) == []


@pytest.mark.parametrize("text", ["pager 4471.", "(4471)", "#4471, then", "x-4471", "4471: seen"])
def test_a_number_beside_punctuation_is_found(text):
    assert found(text, ("IDNUM", "4471")) == [("IDNUM", "4471")]


def test_a_value_with_punctuation_at_its_edge():
    text = "call (617) 555-0142 now"
    assert found(text, ("PHONE", "(617) 555-0142")) == [("PHONE", "(617) 555-0142")]


def test_the_longest_value_wins_and_a_failed_long_one_hides_no_short_one():
    rows = (("PATIENT", "Ann"), ("PATIENT", "Ann Lee"), ("CITY", "Lee Falls"))
    assert found("Ann Lee went", *rows) == [("PATIENT", "Ann Lee")]
    assert found("Ann Leeds went", *rows) == [("PATIENT", "Ann")]
    assert found("Ann Lee Falls", *rows) == [("PATIENT", "Ann"), ("CITY", "Lee Falls")]


def test_short_values_are_ignored_and_counted():
    made = detector(("PATIENT", "Al"), ("AGE", "93"), ("ROOM", "1-2"), ("IDNUM", "  "), ("IDNUM", "1234"))
    assert made.detect(["Al is 93 in 1-2, id 1234"])[0][0].category == "IDNUM"
    assert len(made.detect(["Al is 93 in 1-2, id 1234"])[0]) == 1
    assert "1 forms" in made.describe()
    assert "4 values too short" in made.describe()


def test_a_value_of_two_categories_gets_the_taxonomys_first():
    rows = [("DOCTOR", "Anne Green"), ("PATIENT", "Anne Green")]
    assert found("Anne Green", *rows) == found("Anne Green", *reversed(rows)) == [("PATIENT", "Anne Green")]


def test_offsets_survive_letters_that_grow():
    text = "İİ ß  Straße  LINDQVIST, Mara ﬁ Lindqvist"
    hits = found(text, ("PATIENT", "Mara Lindqvist"), ("STREET", "straße"))
    assert hits == [("STREET", "Straße"), ("PATIENT", "LINDQVIST, Mara")]


def test_no_known_identifiers_find_nothing():
    assert detector().detect(["Ann Lee"]) == [[]]


def test_spans_say_where_they_come_from():
    span = detector(("PATIENT", "Ann Lee")).detect(["Ann Lee"])[0][0]
    assert (span.score, span.detector, span.rule) == (1.0, "known_identifiers", None)


@given(st.text())
def test_folding_keeps_the_length(text):
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


@given(st.lists(st.sampled_from(["Ann", " ", "\n", "  ", "x", "\t\t\t", "ß", "Lee"]), max_size=30))
def test_every_blank_free_range_maps_back(pieces):
    text = "".join(pieces)
    narrow = _Narrow.of(text)
    for start in range(len(narrow.text)):
        if not narrow.text[start].isspace():
            span = narrow.original(start, start + 1)
            assert fold(text[span.start : span.end]) == narrow.text[start]
