"""Presidio: what it finds in clinical text after shaping, and that it never needs a network."""

from __future__ import annotations

import socket
import time
from functools import lru_cache

import pytest

from phiscan import named_entities
from phiscan.detectors import presidio
from phiscan.errors import ConfigError, MissingDependencyError
from phiscan.named_entities import shape
from phiscan.protocols import DetectorContext
from phiscan.records import Span


@lru_cache(maxsize=1)
def detector() -> presidio.PresidioDetector:
    return presidio.build(DetectorContext())


def found(text: str) -> list[tuple[str, str]]:
    return [(span.category, text[span.start : span.end]) for span in detector().detect([text])[0]]


def shaped(entity: str, text: str, part: str | None = None) -> list[tuple[str, str]]:
    start = text.index(part) if part else 0
    span = Span(start, start + len(part or text))
    parts = sorted(shape(text, entity, span), key=lambda part: part[1])
    return [(category, text[s.start : s.end]) for category, s in parts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mrs. Marguerite Lindqvist was admitted.", ("PATIENT", "Marguerite Lindqvist")),
        ("She was seen by Dr. Chidi Okonkwo today.", ("DOCTOR", "Chidi Okonkwo")),
        ("Attending: R. Vasquez-Thorne, MD", ("DOCTOR", "R. Vasquez-Thorne")),
        ("He moved here from Portugal last year.", ("COUNTRY", "Portugal")),
        ("Her brother lives in California now.", ("STATE", "California")),
        ("She was transferred to Brightvale Medical Center.", ("HOSPITAL", "Brightvale Medical Center")),
        ("Write to m.lindqvist@example.org please.", ("EMAIL", "m.lindqvist@example.org")),
        (
            "Write to m.lindqvist@ward.brightvale.example today.",
            ("EMAIL", "m.lindqvist@ward.brightvale.example"),
        ),
        ("See https://portal.example.org/p/8842.", ("URL", "https://portal.example.org/p/8842")),
        ("Last login from 10.22.143.9.", ("IPADDR", "10.22.143.9")),
        ("SSN 219-09-4471 on file", ("SSN", "219-09-4471")),
    ],
)
def test_finds(text, expected):
    assert expected in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Parkinson's disease, Foley in place, Hodgkin lymphoma in remission, Glasgow scale 14.",
        "Lewy body dementia, Hunt and Hess 3, Fisher scale 2, Babinski negative, Crohn's flare.",
        "Mild ___ of the left ___; seen by ___.",
        "Seen by [**First Name8 (NamePattern2) **] [**Last Name (NamePattern1) 1234**] on [**2101-3-4**].",
        "vitamin B12, T12 compression, L5, I10, E11.9",
        "Reviewed quarterly; BID, q4h, x 3 days, 2 weeks ago.",
        "6033391 03/22 08:51:06 INFO",
        "Denies pain.no fever.at home",
    ],
)
def test_finds_nothing_in(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("entity", "text", "expected"),
    [
        ("PERSON", "Dr. Anne Lindqvist, M.D.", [("DOCTOR", "Anne Lindqvist")]),
        (
            "PERSON",
            "Anne Lindqvist's daughter Solveig",
            [("PATIENT", "Anne Lindqvist"), ("PATIENT", "Solveig")],
        ),
        ("PERSON", "John\n\nJohn Doe | 612", [("PATIENT", "John"), ("PATIENT", "John Doe")]),
        ("PERSON", "OKONKWO, CHIDI A", [("PATIENT", "OKONKWO, CHIDI A")]),
        ("PERSON", "Maria de la Cruz", [("PATIENT", "Maria de la Cruz")]),
        ("PERSON", "van der Berg", [("PATIENT", "van der Berg")]),
        ("PERSON", "Lasix 40", []),
        ("PERSON", "anne lindqvist", []),
        ("PERSON", "CHF", []),
        ("PERSON", "Mr. CHAN", [("PATIENT", "CHAN")]),
        ("PERSON", "James Parkinson", [("PATIENT", "James Parkinson")]),
        ("PERSON", "Worcester, MA 01605", [("CITY", "Worcester"), ("STATE", "MA")]),
        ("PERSON", "Georgia", [("PATIENT", "Georgia")]),
        ("PERSON", "Massachusetts", [("STATE", "Massachusetts")]),
        ("PERSON", "Mercy Hospital", [("HOSPITAL", "Mercy Hospital")]),
        ("LOCATION", "Dunmoor, ST", [("CITY", "Dunmoor")]),
        ("LOCATION", "Worcester, MA 01605", [("CITY", "Worcester"), ("STATE", "MA")]),
        ("LOCATION", "St. Brannoc", [("CITY", "St. Brannoc")]),
        ("LOCATION", "Dr. Golden", [("DOCTOR", "Golden")]),
        ("LOCATION", "CT", []),
        ("LOCATION", "Mass.", [("STATE", "Mass")]),
        ("LOCATION", "the United States", [("COUNTRY", "United States")]),
        ("LOCATION", "Elmhurst Street", [("STREET", "Elmhurst Street")]),
        ("ORGANIZATION", "Halloran Transit", [("ORGANIZATION", "Halloran Transit")]),
        ("ORGANIZATION", "the University of Dunmoor", [("ORGANIZATION", "University of Dunmoor")]),
        ("ORGANIZATION", "the Emergency Department", []),
        ("ORGANIZATION", "Medical Center", []),
        ("ORGANIZATION", "Cardiology Clinic", []),
        ("ORGANIZATION", "MRN", []),
        ("PERSON", "ED NOTE Brightvale Hospital", [("HOSPITAL", "Brightvale Hospital")]),
        ("PERSON", "BRIGHTVALE HOSPITAL", [("HOSPITAL", "BRIGHTVALE HOSPITAL")]),
        ("ORGANIZATION", "Employer Halloran Transit", [("ORGANIZATION", "Halloran Transit")]),
        ("PERSON", "Grade", []),
        ("PERSON", "Follow-up", []),
        ("ORGANIZATION", "Brightvale Clinic\nMedical Records", [("HOSPITAL", "Brightvale Clinic")]),
    ],
)
def test_shape(entity, text, expected):
    assert shaped(entity, text) == expected


@pytest.mark.parametrize(
    ("text", "name", "clinician"),
    [
        ("Dr. Green came", "Green", True),
        ("Attending:\nGreen", "Green", True),
        ("signed by Green", "Green", True),
        ("the cardiologist Green", "Green", True),
        ("Green, RN", "Green", True),
        ("Green PA-C", "Green", True),
        ("Electronically signed: Green", "Green", True),
        ("Electronically signed: agr447 for Green", "Green", True),
        ("Mr. Green came", "Green", False),
        ("Green married", "Green", False),
        ("her doctor said that Green", "Green", False),
    ],
)
def test_clinician_context(text, name, clinician):
    start = text.index(name)
    assert named_entities.clinician_context(text, (start, start + len(name))) is clinician


def test_an_eponym_with_a_title_is_a_name():
    text = "Seen by Dr. Foley; Foley removed."
    assert shaped("PERSON", text, "Foley") == [("DOCTOR", "Foley")]


@pytest.mark.parametrize("shift", range(-30, 31, 3))
def test_a_name_on_a_window_edge_is_found_once(monkeypatch, shift):
    monkeypatch.setattr(presidio, "WINDOW", 2_000)
    filler = "The lungs were clear. " * 400
    cut = 2_000 + shift - 20
    text = filler[:cut] + "\nShe was seen by Dr. Marguerite Lindqvist today.\n" + filler[:3_000]
    assert found(text) == [("DOCTOR", "Marguerite Lindqvist")]


def test_needs_no_network(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a network connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    made = presidio.build(DetectorContext())
    assert made.detect(["Dr. Okonkwo, c.okonkwo@example.org, https://example.org/x"])[0]


def test_quotes_nothing_in_logs(caplog):
    with caplog.at_level("DEBUG"):
        assert found("She was seen by Dr. Chidi Okonkwo, c.okonkwo@example.org, SSN 219-09-4471.")
    assert "konkwo" not in caplog.text
    assert "4471" not in caplog.text


def test_a_missing_model_says_how_to_install_one(monkeypatch):
    monkeypatch.setattr(presidio, "MODELS", ("en_core_web_nonesuch",))
    with pytest.raises(
        MissingDependencyError,
        match=r"pip install 'phiscan\[en\]' \(in a checkout: pip install -e '\.\[en\]'\)$",
    ):
        presidio.build(DetectorContext())


def test_only_english_is_served():
    with pytest.raises(ConfigError, match="only English"):
        presidio.build(DetectorContext(language="xx"))


def test_describe_names_the_model_used():
    assert "en_core_web_" in detector().describe()


def test_many_new_words_do_not_stay_in_memory():
    """The vocabulary's strings are the leak: they must be back where they were after each call."""
    strings = detector()._analyzer.nlp_engine.nlp["en"].vocab.strings
    detector().detect(["warm up"])
    before = len(strings)
    detector().detect([f"Zq{i}xv saw Vk{i}wq about qw{i}zx." for i in range(200)])
    assert len(strings) == before


def test_no_spacy_object_leaves_the_memory_zone():
    """What is inside the zone is freed memory outside of it: answers are plain numbers and words."""
    for spans in detector().detect(["She was seen by Dr. Chidi Okonkwo of Worcester, MA 01605."] * 3):
        for span in spans:
            assert all(type(value) in (int, float, str) for value in (span.start, span.score, span.rule))


@pytest.mark.parametrize("unit", ["(", "#!", "%$", "'s"])
def test_long_runs_without_blanks_cost_little_and_keep_every_place(unit):
    run = unit * (60_000 // len(unit))
    text = f"Mrs. Marguerite Lindqvist came. {run} She was seen by Dr. Chidi Okonkwo today."
    began = time.process_time()
    values = found(text)
    assert time.process_time() - began < 10  # minutes, were it quadratic
    assert ("PATIENT", "Marguerite Lindqvist") in values
    assert ("DOCTOR", "Chidi Okonkwo") in values
