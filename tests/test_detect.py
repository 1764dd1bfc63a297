"""The detect stage: the overlap order, trimming, and what a broken detector is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from phiscan.detect import (
    RANKS,
    DetectSettings,
    _family,
    _precedence,
    build_detectors,
    detect_texts,
    resolve,
)
from phiscan.errors import PhiscanError, UnknownPluginError
from phiscan.protocols import KnownIdentifier
from phiscan.records import DetectedSpan, Span


def span(start, end, category="PATIENT", detector="rules", score=0.9, rule=None):
    return DetectedSpan(start=start, end=end, category=category, score=score, detector=detector, rule=rule)


class Fixed:
    """A detector that answers what it was given."""

    def __init__(self, *answers: Sequence[DetectedSpan]) -> None:
        self.answers = [list(answer) for answer in answers]

    def describe(self) -> str:
        return "fixed"

    def detect(self, texts: Sequence[str]) -> list[list[DetectedSpan]]:
        return self.answers


SPANS = st.lists(
    st.builds(
        lambda start, length, category, detector, score: span(
            start, start + length, category, detector, score
        ),
        st.integers(0, 40),
        st.integers(1, 15),
        st.sampled_from(["PATIENT", "DOCTOR", "CITY", "HOSPITAL", "DATE", "PHONE", "SSN"]),
        st.sampled_from([*RANKS, "presidio", "rampart"]),
        st.sampled_from([0.3, 0.6, 0.9]),
    ),
    max_size=14,
)


def overlap(a: DetectedSpan, b: DetectedSpan) -> bool:
    return Span(a.start, a.end).overlaps((b.start, b.end))


@given(SPANS)
def test_resolved_spans_are_sorted_apart_and_among_the_given(spans):
    kept = resolve(spans)
    assert set(kept) <= set(spans)
    assert all(a.end <= b.start for a, b in pairwise(kept))


@given(SPANS)
def test_resolving_twice_changes_nothing(spans):
    assert resolve(resolve(spans)) == resolve(spans)


@given(SPANS, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(spans, random):
    shuffled = random.sample(spans, len(spans))
    assert resolve(shuffled) == resolve(spans)


@given(SPANS)
def test_every_dropped_span_overlaps_a_kept_one_that_outranks_it_or_shares_its_family(spans):
    kept = resolve(spans)
    for dropped in set(spans) - set(kept):
        rivals = [other for other in kept if overlap(dropped, other)]
        assert any(
            _precedence(rival) < _precedence(dropped) or _family(rival) == _family(dropped)
            for rival in rivals
        )


@given(SPANS)
def test_within_one_family_nothing_dropped_is_longer_than_all_it_lost_to(spans):
    persons = [replace(one, category="PATIENT") for one in spans]
    kept = resolve(persons)
    for dropped in set(persons) - set(kept):
        longest = max(other.end - other.start for other in kept if overlap(dropped, other))
        assert longest >= dropped.end - dropped.start


@given(SPANS)
def test_a_known_identifier_loses_only_to_a_longer_span_of_its_family_or_another_known_one(spans):
    kept = resolve(spans)
    for dropped in set(spans) - set(kept):
        if dropped.detector == "known_identifiers":
            rivals = [other for other in kept if overlap(dropped, other)]
            assert any(
                other.detector == "known_identifiers"
                or (
                    _family(other) == _family(dropped)
                    and other.end - other.start > dropped.end - dropped.start
                )
                for other in rivals
            )


@pytest.mark.parametrize(
    ("better", "worse"), list(zip((*RANKS, "rules"), (*RANKS[1:], "presidio", "zeta"), strict=True))
)
def test_the_better_ranked_span_of_another_family_wins_even_if_shorter(better, worse):
    short, long = span(5, 8, "DATE", better, 0.3), span(0, 20, "PATIENT", worse, 1.0)
    assert resolve([long, short]) == [short]


def test_length_then_score_then_start_decide_within_a_rank():
    assert resolve([span(0, 5, "DATE"), span(3, 9, "PATIENT")]) == [span(3, 9, "PATIENT")]
    weak, strong = span(0, 5, "DATE", score=0.5), span(3, 8, "PATIENT", score=0.6)
    assert resolve([weak, strong]) == [strong]
    assert resolve([span(3, 8, "DATE"), span(0, 5, "PATIENT")]) == [span(0, 5, "PATIENT")]


def test_a_model_may_extend_a_rules_name():
    rule, model = span(11, 20, detector="rules"), span(0, 20, detector="presidio", score=0.85)
    assert resolve([rule, model]) == [model]
    known = span(0, 20, detector="known_identifiers", score=1.0)
    assert resolve([rule, model, known]) == [known]


def test_a_model_that_runs_into_another_rules_span_does_not_extend():
    name, date = span(0, 9), span(10, 20, "DATE")
    assert resolve([name, date, span(0, 20, detector="presidio")]) == [name, date]


def test_an_email_survives_beside_a_name():
    text = "Chris Singh - chrissingh@example.org"
    spans = [span(0, 24, detector="presidio"), span(14, 36, "EMAIL"), span(0, 11, detector="rampart")]
    assert [text[s.start : s.end] for s in resolve(spans)] == ["Chris Singh", "chrissingh@example.org"]


def test_edges_are_trimmed_and_nothing_left_is_dropped():
    answers = Fixed([span(0, 6), span(6, 8, "DATE"), span(8, 8)])
    assert detect_texts({"fixed": answers}, [" Anne   "], DetectSettings()) == [[span(1, 5)]]


def test_spans_below_the_minimum_score_are_dropped():
    answers = Fixed([span(0, 4, score=0.29), span(5, 8, score=0.3)])
    kept = detect_texts({"fixed": answers}, ["Anne Lee"], DetectSettings())[0]
    assert kept == [span(5, 8, score=0.3)]


@pytest.mark.parametrize("bad", [span(-1, 3), span(0, 10), span(3, 2), span(0, 3, "SHOE SIZE")])
def test_a_broken_span_is_refused_without_its_text(bad):
    with pytest.raises(PhiscanError, match="detector fixed: returned") as caught:
        detect_texts({"fixed": Fixed([bad])}, ["Anne Lee"], DetectSettings())
    assert "Anne" not in str(caught.value)
    assert "SHOE" not in str(caught.value)


def test_a_detector_that_loses_a_text_is_refused():
    with pytest.raises(PhiscanError, match="answered for 1 of 2 texts"):
        detect_texts({"fixed": Fixed([])}, ["a", "b"], DetectSettings())


def test_the_union_of_detectors_is_resolved():
    detectors = {
        "one": Fixed([span(4, 8)], []),
        "two": Fixed([span(0, 8, detector="presidio")], [span(0, 1)]),
    }
    expected = [[span(0, 8, detector="presidio")], [span(0, 1)]]
    assert detect_texts(detectors, ["Ann Lees", "B"], DetectSettings()) == expected


class Counting:
    """A detector that counts what it is shown and finds the first word."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def describe(self) -> str:
        return "counting"

    def detect(self, texts: Sequence[str]) -> list[list[DetectedSpan]]:
        self.seen += texts
        return [[span(0, len(text.split(" ")[0]))] for text in texts]


def test_equal_texts_are_looked_at_once():
    counting = Counting()
    texts = ["Anne came", "Bo left", "Anne came"]
    assert detect_texts({"one": counting}, texts, DetectSettings()) == [
        [span(0, 4)],
        [span(0, 2)],
        [span(0, 4)],
    ]
    assert counting.seen == ["Anne came", "Bo left"]


def built_with(monkeypatch, detector, **settings) -> dict[str, Any]:
    monkeypatch.setattr(
        "phiscan.detect.load_plugin", lambda *_: SimpleNamespace(build=lambda context: detector)
    )
    return build_detectors(DetectSettings(detectors=("rules",), **settings))


def test_texts_of_earlier_calls_are_not_looked_at_again(monkeypatch):
    counting = Counting()
    detectors = built_with(monkeypatch, counting)
    first = detect_texts(detectors, ["Anne came", "Bo left"], DetectSettings())
    again = detect_texts(detectors, ["Cy sat", "Anne came"], DetectSettings())
    assert counting.seen == ["Anne came", "Bo left", "Cy sat"]
    assert again == [[span(0, 2)], first[0]]
    again[0].clear()
    assert detect_texts(detectors, ["Cy sat"], DetectSettings()) == [[span(0, 2)]]
    assert detectors["rules"].describe() == "counting"


def test_what_is_remembered_is_bounded_and_no_text(monkeypatch):
    counting = Counting()
    detectors = built_with(monkeypatch, counting, cache_mb=1)
    detect_texts(detectors, [f"Anne{number} came" for number in range(4_000)], DetectSettings())
    remembered = detectors["rules"]._seen
    assert 0 < remembered.held <= 1_000_000
    assert not any(b"Anne" in key for key in remembered._entries)
    detect_texts(detectors, ["Anne0 came", "Anne3999 came"], DetectSettings())
    assert counting.seen[4_000:] == ["Anne0 came"]


def test_without_memory_every_call_looks(monkeypatch):
    counting = Counting()
    detectors = built_with(monkeypatch, counting, cache_mb=0)
    for _ in range(2):
        detect_texts(detectors, ["Anne came"], DetectSettings())
    assert counting.seen == ["Anne came"] * 2


def test_lone_surrogates_are_remembered_too(monkeypatch):
    detectors = built_with(monkeypatch, Counting())
    assert detectors["rules"].detect(["\ud800 x", "\ud801 x"]) == [[span(0, 1)], [span(0, 1)]]


def test_settings_reach_the_detectors(monkeypatch):
    contexts = []
    monkeypatch.setattr(
        "phiscan.detect.load_plugin",
        lambda *_: SimpleNamespace(build=lambda context: contexts.append(context) or Counting()),
    )
    settings = DetectSettings(model="a/b", labels=("X=DATE",), batch_size=3, threads=2, download=True)
    build_detectors(settings, date_order="dmy")
    assert len(contexts) == 3
    assert contexts[0][2:] == ("a/b", ("X=DATE",), 3, "auto", 2, True, "dmy")


def test_a_report_does_not_say_where_the_model_lies(tmp_path):
    settings = DetectSettings(model=str(tmp_path))
    assert settings.model_dump(mode="json")["model"] == "a directory"
    assert settings.model == str(tmp_path)
    assert DetectSettings(model="org/name").model_dump(mode="json")["model"] == "org/name"


def test_the_default_detectors_are_all_three():
    assert DetectSettings().detectors == ("rules", "presidio", "rampart")


def test_known_identifiers_join_by_themselves():
    known = [KnownIdentifier(patient_id="p1", category="PATIENT", value="Anne Lee")]
    assert "known_identifiers" not in build_detectors(DetectSettings(detectors=("presidio",)))
    detectors = build_detectors(DetectSettings(detectors=("presidio",)), known)
    assert list(detectors) == ["known_identifiers", "presidio"]
    found = detect_texts(detectors, ["anne  lee slept"], DetectSettings())[0]
    assert [(s.start, s.end, s.detector) for s in found] == [(0, 9, "known_identifiers")]


def test_an_unknown_detector_is_named_among_the_known_ones():
    with pytest.raises(UnknownPluginError, match="presidio"):
        build_detectors(DetectSettings(detectors=("nonesuch",)))


@pytest.mark.parametrize("bad", [{"detectors": ()}, {"min_score": 1.5}, {"colour": 1}])
def test_settings_refuse_what_makes_no_sense(bad):
    with pytest.raises(ValidationError):
        DetectSettings(**bad)
