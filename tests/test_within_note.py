"""What a note says once of a name holds for the whole note: roles, repetitions, logins, initials."""

from __future__ import annotations

import pytest

from phiscan.records import DetectedSpan
from phiscan.within_note import settled


def span(text: str, value: str, category: str, rule: str, *, at: int = 0) -> DetectedSpan:
    start = text.index(value, at)
    return DetectedSpan(
        start=start, end=start + len(value), category=category, score=0.9, detector="rules", rule=rule
    )


def found(text: str, *spans: DetectedSpan) -> list[tuple[str, str]]:
    return [(text[one.start : one.end], one.category) for one in settled(text, spans)]


def test_a_clinician_told_once_is_one_everywhere() -> None:
    text = "Dr. Ione Wexholm called. Plan by phone: Ione Wexholm agrees."
    told = span(text, "Ione Wexholm", "DOCTOR", "doctor_title")
    guessed = span(text, "Ione Wexholm", "PATIENT", "patient_given_name", at=20)
    assert found(text, told, guessed) == [("Ione Wexholm", "DOCTOR")] * 2


def test_the_patient_in_a_list_of_copies_stays_the_patient() -> None:
    text = "Re: Tadgh Quist\nDear colleague,\ncc: Tadgh Quist, 12 Osier Road"
    told = span(text, "Tadgh Quist", "PATIENT", "patient_labelled")
    copied = span(text, "Tadgh Quist", "DOCTOR", "doctor_labelled", at=16)
    assert found(text, told, copied) == [("Tadgh Quist", "PATIENT")] * 2


@pytest.mark.parametrize(
    "login", ["iwexholm2", "ione.wexholm", "IWEXHOLM", "ionwex7", "wexholmi", "WEXHIO", "wexhoi44"]
)
def test_a_login_made_of_a_name_of_the_note(login: str) -> None:
    text = f"Seen by Ione Wexholm, RN. Tablet: {login}"
    assert (login, "USERNAME") in found(text, span(text, "Ione Wexholm", "DOCTOR", "doctor_credential"))


@pytest.mark.parametrize(
    "word", ["iwexhol.", "ionwex", "wexioned", "covid19", "wexford", "ion", "Wexholmian", "ionized", "T2"]
)
def test_no_login_of_other_words(word: str) -> None:
    text = f"Seen by Ione Wexholm, RN. Tablet: {word}"
    assert len(found(text, span(text, "Ione Wexholm", "DOCTOR", "doctor_credential"))) == 1


def test_initials_of_a_clinician_where_staff_sign_and_nowhere_else() -> None:
    text = "Ione Quist, RN\n2/1 | dressing | IQ\n2/8 | dressing | BP\nIQ tests normal."
    assert found(text, span(text, "Ione Quist", "DOCTOR", "doctor_credential")) == [
        ("Ione Quist", "DOCTOR"),
        ("IQ", "DOCTOR"),
    ]


def test_a_hospital_by_its_brand_and_its_initials() -> None:
    text = "Harrow Vale Memorial Medical Center. Prior stay HVMMC 2019; moved from Harrow Vale, on Friday."
    told = span(text, "Harrow Vale Memorial Medical Center", "HOSPITAL", "hospital_name")
    assert [value for value, _ in found(text, told)] == [
        "Harrow Vale Memorial Medical Center",
        "HVMMC",
        "Harrow Vale",
    ]


def test_nothing_found_nothing_added() -> None:
    assert settled("IQ iwexholm2", []) == []
