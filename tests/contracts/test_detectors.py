"""Every detector plug-in keeps the contract of phiscan.protocols.Detector, new ones included."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_labeller import make_labeller

from phiscan.errors import MissingDependencyError
from phiscan.protocols import Detector, DetectorContext, KnownIdentifier
from phiscan.registry import load_plugin, plugin_names
from phiscan.taxonomy import CATEGORIES

KNOWN = (
    KnownIdentifier(patient_id="p1", category="PATIENT", value="Marguerite Lindqvist"),
    KnownIdentifier(patient_id="p1", category="EMAIL", value="m.lindqvist@example.org"),
)
PHI = "Seen by Dr. Chidi Okonkwo. Marguerite Lindqvist, m.lindqvist@example.org, SSN 219-09-4471."
FILLER = "The abdomen was soft and the lungs were clear on examination.\n"
TEXTS = [
    PHI,
    "",
    FILLER,
    "Mrs. Marguerite Lindqvist lives in Worcester, MA 01605.\nPCP: Dr. Anne Abernathy, 617-555-0142",
    "é" * 40 + PHI,
    "\n\n" + PHI.upper(),
]
ODD = [
    "\ud800 Dr. Okonkwo \udfff",
    "\x00\x0c",
    "İßΣς" * 50,
    "🙂" * 300,
    "a." * 30_000,
    "1" * 60_000,
    "\n" * 60_000,
]


@pytest.fixture(scope="session")
def context(tmp_path_factory) -> DetectorContext:
    """What any detector may ask for: identifiers, and a small model of the user's own."""
    model = make_labeller(tmp_path_factory.mktemp("model"), length=512)
    return DetectorContext(known=KNOWN, model=str(model))


@cache
def built(name: str, context: DetectorContext) -> Detector:
    return load_plugin("detectors", name).build(context)


@pytest.fixture(params=plugin_names("detectors"))
def named(request: pytest.FixtureRequest, context: DetectorContext) -> tuple[str, Detector]:
    try:
        return request.param, built(request.param, context)
    except MissingDependencyError as missing:
        pytest.skip(str(missing))


def test_describe_is_one_line_without_values(named):
    line = named[1].describe()
    assert line
    assert "\n" not in line
    assert "indqvist" not in line


def test_spans_are_well_formed(named):
    name, detector = named
    answers = detector.detect(TEXTS)
    assert len(answers) == len(TEXTS)
    for text, spans in zip(TEXTS, answers, strict=True):
        for span in spans:
            assert 0 <= span.start < span.end <= len(text)
            assert span.category in CATEGORIES
            assert 0 <= span.score <= 1
            assert span.detector == name


def test_finds_something_and_shifts_with_the_text(named):
    detector = named[1]
    plain, moved = detector.detect([PHI, "é" * 40 + "\n" + PHI])
    assert plain
    wanted = {PHI[span.start : span.end] for span in plain if "@" in PHI[span.start : span.end]}
    assert wanted <= {("é" * 40 + "\n" + PHI)[span.start : span.end] for span in moved}


def test_a_batch_gives_what_single_texts_give(named):
    detector = named[1]
    batch = detector.detect(TEXTS)
    assert batch == [detector.detect([text])[0] for text in TEXTS]
    assert list(reversed(batch)) == detector.detect(list(reversed(TEXTS)))


def test_no_texts_and_empty_texts(named):
    assert named[1].detect([]) == []
    assert named[1].detect(["", " \n\t "]) == [[], []]


def test_a_long_text_is_scanned_to_its_end(named):
    """No window, model length or time limit may cut a text in silence."""
    block = FILLER * 700
    text = (block + PHI + "\n") * 3 + block + PHI
    assert len(text) > 150_000
    spans = named[1].detect([text])[0]
    alone = {PHI[span.start : span.end] for span in named[1].detect([PHI])[0]}
    starts = [at for at in range(len(text)) if text.startswith(PHI, at)]
    assert len(starts) == 4
    for start in starts:
        here = {text[s.start : s.end] for s in spans if start <= s.start and s.end <= start + len(PHI)}
        assert here & alone


@pytest.mark.parametrize("odd", range(len(ODD)))
def test_odd_texts_do_not_raise(named, odd):
    for span in named[1].detect([ODD[odd]])[0]:
        assert 0 <= span.start < span.end <= len(ODD[odd])


@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=120) | st.text(alphabet="Dr. Anne-Marie\n,:/@0123456789[]*_", max_size=120))
@pytest.mark.parametrize("name", plugin_names("detectors"))
def test_any_text_is_answered(name, context, text):
    try:
        detector = built(name, context)
    except MissingDependencyError as missing:
        pytest.skip(str(missing))
    for span in detector.detect([text])[0]:
        assert 0 <= span.start < span.end <= len(text)
