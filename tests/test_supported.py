"""What the general model finds alone stays only where something speaks for it."""

from __future__ import annotations

import pytest

from phiscan.records import DetectedSpan
from phiscan.supported import supported


def model(text: str, value: str, category: str, rule: str = "PERSON/patient") -> DetectedSpan:
    start = text.index(value)
    return DetectedSpan(
        start=start, end=start + len(value), category=category, score=0.85, detector="presidio", rule=rule
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Anti-Smith and anti-Jo-1 not detected.", "Anti-Smith"),
        ("Klatskin (Bismuth IIIb); bilirubin 9.", "Klatskin"),
        ("Banked blood ready. Brown, formed stool x1.", "Brown"),
        ("hips stable to Ortolani and Barlow, 3 vessels", "Ortolani"),
        ("Nikolsky negative. Fitzpatrick III.", "Fitzpatrick III"),
        ("albuterol; EpiPen Jr in the cabinet", "EpiPen Jr"),
        ("GAIT normal.\nIMMUNIZATIONS   IPV x4", "IMMUNIZATIONS"),
    ],
)
def test_no_person(text: str, value: str) -> None:
    assert supported(text, [model(text, value, "PATIENT")]) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Bowls on Saturday nights with Consuelo.", "Consuelo"),
        ("Nights: S. Wexholm, x545", "S. Wexholm"),
        ("line placed by Wexholm, tip at the junction", "Wexholm"),
        ("Niamh says that he fell.", "Niamh"),
        ("copy to Gudjónsson.", "Gudjónsson"),
    ],
)
def test_a_person(text: str, value: str) -> None:
    assert supported(text, [model(text, value, "PATIENT")])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Esophagus. Los Angeles B; biopsies", "Los Angeles"),
        ("ascending 12 mm, Paris 0-IIa", "Paris"),
        ("Etoh: one Manhattan. Walks.", "Manhattan"),
        ("serology: West Nile IgM negative", "West Nile"),
    ],
)
def test_no_town(text: str, value: str) -> None:
    assert supported(text, [model(text, value, "CITY", "LOCATION")]) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("He was born in Paris and moved in 1990.", "Paris"),
        ("Childhood in Palermo.", "Palermo"),
        ("Recent travel: Quillan, Portugal.", "Quillan"),
    ],
)
def test_a_town(text: str, value: str) -> None:
    assert supported(text, [model(text, value, "CITY", "LOCATION")])


def test_what_another_detector_sees_stays() -> None:
    text = "Klatskin was seen."
    one = model(text, "Klatskin", "PATIENT")
    other = DetectedSpan(start=0, end=8, category="PATIENT", score=0.9, detector="rampart", rule="NAME")
    assert supported(text, [one, other]) == [one, other]
