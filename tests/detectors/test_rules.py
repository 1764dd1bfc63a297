"""The rules detector on notes written for it: what it finds, what it must leave alone, any text at all."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.detectors.rules import build
from phiscan.protocols import DetectorContext
from phiscan.taxonomy import CATEGORIES

DETECTOR = build(DetectorContext())


def found(text: str) -> set[tuple[str, str]]:
    (spans,) = DETECTOR.detect([text])
    return {(text[span.start : span.end], span.category) for span in spans}


NOTE = """WEXHOLM, ROSALIND T    MRN: 7731940
Record date: 2031-03-04

Mrs. Wexholm is a 91 yo retired bell founder from Port Dunmoor, ST 04999, admitted to Quillan General
Hospital on 3/02/31. Her son Bram ((207) 555-0142) is HCP. PCP Dr. O'Malley paged at 20931.
Lives at 48 Tamarack Ln Apt 3C. SSN 987-65-4320. Pacer serial RNV441029K, last seen in clinic Tues.

Dictated by: Zoë Al-Ångström, M.D.  T: 03/05/31 Job 55102938
"""
EXPECTED = {
    ("WEXHOLM, ROSALIND T", "PATIENT"),
    ("7731940", "MEDICALRECORD"),
    ("2031-03-04", "DATE"),
    ("Wexholm", "PATIENT"),
    ("91", "AGE"),
    ("bell founder", "PROFESSION"),
    ("Port Dunmoor", "CITY"),
    ("ST", "STATE"),
    ("04999", "ZIP"),
    ("3/02/31", "DATE"),
    ("Bram", "PATIENT"),
    ("(207) 555-0142", "PHONE"),
    ("O'Malley", "DOCTOR"),
    ("20931", "PHONE"),
    ("48 Tamarack Ln Apt 3C", "STREET"),
    ("987-65-4320", "SSN"),
    ("RNV441029K", "DEVICE"),
    ("Tues", "DATE"),
    ("Zoë Al-Ångström", "DOCTOR"),
    ("03/05/31", "DATE"),
    ("55102938", "IDNUM"),
}


def test_a_whole_note() -> None:
    assert found(NOTE.replace("Quillan General\nHospital", "Quillan General Hospital\n")) == EXPECTED | {
        ("Quillan General Hospital", "HOSPITAL")
    }


def test_spans_carry_detector_rule_and_a_score() -> None:
    ids = set()
    for span in DETECTOR.detect([NOTE])[0]:
        assert span.detector == "rules"
        assert span.category in CATEGORIES
        assert 0 < span.score <= 1
        ids.add(span.rule)
    assert {"mrn_labelled", "patient_header", "phone_us"} <= ids


@pytest.mark.parametrize(
    "text",
    [
        "vitamin B12, T12 compression, L5 root, I10 and E11.9 coded, HLA-B27",
        "quarterly labs, BID, q4h, x 3 days, 2 weeks ago, POD 3, 30 pack-years, 2 year history",
        "Pain 7/10, BP 118/76, strength 4/5, weakness 2/2 sepsis, Apgars 7/9, 1/2 tablet, 3/6 murmur, A&Ox3",
        "Lewy body, Hunt and Hess 4, Fisher scale 3, Foley out, Hodgkin lymphoma, Mild ___",
        "Mr. ___ saw Dr. ___ on [**2101-3-4**] at [**Hospital 12**], MRN: ___, DOB: ___",
        "In place; may advance. Will march with PT. Some white count, a green stool. Trace MR. Afebrile",
        "Brief Hospital Course: discussed with Cardiology, seen by PT, follow up with Medicine",
        "Na 140, K 4.1, WBC 11.2, Plt 210000, GCS 15, O2 sat 94% on 2L, EF 35%, A1c 8.1, 500 mg",
        "GUID 3f2504e0-4f89-11d3-9a0c-0305e82c3301, ratio 1:2:3, at 08:51:06",
        "mother Hypertension, father Alzheimer's, Mother: Breast cancer, Patient Education Provided",
    ],
)
def test_near_misses(text: str) -> None:
    assert found(text) == set()


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\r\n", "\r\n\r\n"])
def test_a_name_never_spans_lines(gap: str) -> None:
    text = f"Patient: Bram{gap}Corin Wexholm | 207.555.0142{gap}Dr. Alder{gap}Maren Quist, RN"
    names = {value for value, category in found(text) if category in {"PATIENT", "DOCTOR"}}
    assert names == {"Bram", "Alder", "Maren Quist"}


def test_invalid_areas_of_social_security_numbers_are_reported() -> None:
    text = "987-65-4320, 900-12-3450, 000-12-3456, SS# 666 09 9999"
    assert found(text) == {
        (value, "SSN") for value in ("987-65-4320", "900-12-3450", "000-12-3456", "666 09 9999")
    }


def test_capitals_and_small_letters_give_the_same_header() -> None:
    assert ("quist, bram t", "PATIENT") in found("quist, bram t   mrn: 7730218")
    assert ("QUIST, BRAM T", "PATIENT") in found("QUIST, BRAM T   MRN: 7730218")


def test_text_before_shifts_offsets_and_changes_nothing_else() -> None:
    for lead in ("ß İ 🩺 ﬁ ", "\x00\x0c ", "e\u0301 "):
        shifted = found(lead + "\n" + NOTE)
        assert shifted == found("\n" + NOTE)


def test_fax_is_not_also_a_phone() -> None:
    assert found("Fax 207-555-0199, phone 207-555-0134") == {
        ("207-555-0199", "FAX"),
        ("207-555-0134", "PHONE"),
    }


def test_one_very_long_note_is_scanned_whole_in_linear_time() -> None:
    copies = 300
    started = time.process_time()
    (spans,) = DETECTOR.detect([NOTE * copies])
    seconds = time.process_time() - started
    assert sum(span.rule == "ssn" for span in spans) == copies
    assert max(span.end for span in spans) > len(NOTE) * (copies - 1)
    assert seconds < 20


@pytest.mark.parametrize("piece", ["A ", "1", "(", "a@", "Dr. ", " ", "1/", "\n", "Quist, ", "[**", "St. "])
def test_repeated_text_does_not_hang(piece: str) -> None:
    started = time.process_time()
    DETECTOR.detect([piece * 20_000])
    assert time.process_time() - started < 10


PIECES = st.sampled_from(
    "Dr. |Mr. |Quist|O'Malley|MRN: |7731940|3/12|'98|\r\n|\n\n|🩺|İ|ß|___|[**|**]|son |(207) 555-0142|"
    " x4410|, MD|St. |Hospital |\x00|\u200b|e\u0301|@|@a.org".split("|")
)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=25).map("".join)))
def test_any_text_gives_ranges_inside_it(text: str) -> None:
    (spans,) = DETECTOR.detect([text])
    for span in spans:
        assert 0 <= span.start < span.end <= len(text)
        value = text[span.start : span.end]
        assert value.strip()
        assert "___" not in value
        if span.category in {"PATIENT", "DOCTOR"}:
            assert "\n" not in value
            assert "\r" not in value


def test_texts_are_answered_in_order_and_empty_ones_too() -> None:
    answers = DETECTOR.detect(["", "Dr. Quist", " "])
    assert [len(spans) for spans in answers] == [0, 1, 0]
    assert DETECTOR.detect([]) == []
    assert "rule files" in DETECTOR.describe()
