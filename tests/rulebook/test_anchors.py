"""Anchors make the rules fast and change nothing: what is found with them is what is found without."""

from __future__ import annotations

import dataclasses
import json
import math
import random
from pathlib import Path

import pytest
import regex
from heldout.notes import make_heldout
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.commands.rule_anchors import anchors_json, cost_in, derive_anchor
from phiscan.errors import RuleError
from phiscan.resources import resource_dir
from phiscan.rulebook.anchors import FILE, Anchor, AnchorIndex, digest, small_letters
from phiscan.rulebook.rule_files import Expression, RuleSet, load_rules
from phiscan.rulebook.rule_schema import PatternSpec


@pytest.fixture(scope="module")
def both():
    """The rules with their anchors, and each tried on the whole text."""
    rules = load_rules()
    whole = [
        dataclasses.replace(
            rule, expressions=tuple(dataclasses.replace(e, anchor=None) for e in rule.expressions)
        )
        for rule in rules
    ]
    return RuleSet(rules), RuleSet(whole)


def expression(source: str, flags: int = regex.VERSION0, **words: list[str]) -> Expression:
    spec = PatternSpec(regex=source, score="weak")
    compiled = regex.compile(source, flags, **words)
    return Expression(spec, source, flags, words, compiled, 0, 0, digest(source, flags, words), None)


def longest(strings: frozenset[str]) -> float:
    """A cost that takes long strings for rare."""
    return math.inf if "" in strings else len(strings) * 0.1 ** min(map(len, strings))


def anchor(source: str, flags: int = regex.VERSION0, **words: list[str]) -> Anchor | None:
    return derive_anchor(expression(source, flags, **words), longest)


def test_most_expressions_have_an_anchor():
    expressions = [e for rule in load_rules() for e in rule.expressions]
    anchored = [e for e in expressions if e.anchor]
    assert len(anchored) > 0.6 * len(expressions)


def test_the_file_is_what_the_rules_make():
    """Stale? python -m phiscan.commands.reference"""
    assert (resource_dir("rules") / FILE).read_text(encoding="utf-8") == anchors_json()


def test_nothing_is_lost_on_notes(both):
    anchored, whole = both
    for note in make_heldout(seed=43, n_notes=29).notes:
        assert anchored.find(note.text) == whole.find(note.text)


def test_nothing_is_lost_on_the_rules_own_examples_run_together(both):
    anchored, whole = both
    texts = [e.text for rule in load_rules() for e in (*rule.spec.positive, *rule.spec.negative)]
    random.Random(5).shuffle(texts)
    for at in range(0, len(texts), 25):
        for joint in ("\n", " ", "\n\n"):
            text = joint.join(texts[at : at + 25])
            assert anchored.find(text) == whole.find(text)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_nothing_is_lost_where_lines_are_torn(both, data):
    anchored, whole = both
    text = make_heldout(seed=44, n_notes=12).notes[data.draw(st.integers(0, 11))].text[:1500]
    breaks = data.draw(st.lists(st.integers(0, len(text)), max_size=12))
    torn = list(text)
    for place in sorted(breaks, reverse=True):
        torn.insert(place, data.draw(st.sampled_from(["\n", "\n\n", "\r\n", "İ", "ſ", "\u2028"])))
    made = "".join(torn)
    assert anchored.find(made) == whole.find(made)


@pytest.mark.parametrize(
    ("source", "strings", "lines"),
    [
        (r"MRN:? ?(\d+)", {"mrn"}, 0),
        (r"(?i)mrn\s?\d+", {"mrn"}, 1),
        (r"(?:Dr|Prof)\. \p{Lu}\w+", {"dr. ", "prof. "}, 0),
        (r"(?<=Patient:)\s{0,3}\w+", {"patient:"}, 3),
        (r"(?:member id|member): \d+", {"member id: ", "member: "}, 0),
        (r"\d{3}([-/])\d{2}\1\d{4}", {"-", "/"}, 0),
        (r"\d+(?: of)? Elm", {" elm"}, 0),
        (r"(?:x{2,3}|yy)-\d", {"xx-", "xxx-", "yy-"}, 0),
        (r"\d+\L<units>", {"bed", "cot"}, 0),
        (r"an\s+bed", {"bed"}, None),
        (r"\Aseen", {"seen"}, None),
        (r"seen$", {"seen"}, None),
    ],
)
def test_what_a_match_cannot_be_without(source, strings, lines):
    found = anchor(source, units=["bed", "cot", "bedside"]) if "units" in source else anchor(source)
    assert found is not None
    # A string that holds another of the set goes.
    kept = {s for s in strings if not any(other != s and other in s for other in strings)}
    assert (set(found.needs[0]), found.lines) == (kept, lines)


@pytest.mark.parametrize("source", [r"\d*\p{L}", r"(?:Dr )?\w+", r"(?:a|)\w", r"."])
def test_no_anchor_where_none_is_sure(source):
    assert anchor(source) is None


def test_the_rarest_strings_are_taken():
    lines = ["seen in ward 7", "ward round", "no bed", "left"]
    found = derive_anchor(expression(r"(?:ward|bed) \d\d? [a-z]+ (?:mrn|fin)"), cost_in(lines))
    assert found is not None
    assert (found.needs[0], found.digit, found.lines) == ((" fin", " mrn"), True, 0)
    assert derive_anchor(expression(r"[a-z ]{3}(?:a|e|i|o|u)"), cost_in(lines)) is None


def test_several_things_may_be_needed():
    found = anchor(r"MRN \p{L}+(?: no| number) \d+")
    assert found == Anchor((("mrn ",), (" no ", " number ")), True, 0)
    assert anchor(r"(?:a7|b\d)\p{L}") == Anchor((("a7", "b"),), True, 0)
    assert anchor(r"\d+") == Anchor((), True, 0)


def test_parts_are_whole_lines_and_neighbours_are_one():
    anchors = [Anchor((("mrn",),), False, 0), Anchor((("mrn", "dob"),), False, 1), None]
    index = AnchorIndex([*anchors, Anchor((("dob",), ("d",)), True, 2), Anchor((), True, 0)])
    text = "a\nMRN 1\nb\nc\nd\nDOB\n"
    parts = index.parts(text)
    assert 3 not in parts  # no digit within two lines
    assert parts[4] == parts[0]
    own, around, whole = (parts[number] for number in range(3))
    assert [text[slice(*part)] for part in own] == ["MRN 1\n"]
    assert [text[slice(*part)] for part in around] == ["a\nMRN 1\nb\n", "d\nDOB\n"]
    assert list(whole) == [(0, len(text))]
    assert index.parts("") == {2: ((0, 0),)}


def test_small_letters_keep_every_place():
    text = "İSTANBUL ſeen STRAẞE"
    assert len(small_letters(text)) == len(text)
    assert "seen" in small_letters(text)


def test_a_rule_without_the_file_is_tried_everywhere(tmp_path: Path):
    rule = (resource_dir("rules") / "zip_labelled.toml").read_text(encoding="utf-8")
    (tmp_path / "zip_labelled.toml").write_text(rule, encoding="utf-8")
    (tmp_path / "lexicons").symlink_to(resource_dir("rules") / "lexicons")
    [alone] = load_rules(tmp_path)
    assert all(e.anchor is None for e in alone.expressions)
    assert RuleSet([alone]).find("Zip code: 01605")


SOUND = {"needs": [["zip", "postal"]], "digit": True, "lines": 0}


def rules_with(folder: Path, anchors: str) -> None:
    rule = (resource_dir("rules") / "ip_v4.toml").read_text(encoding="utf-8")
    (folder / "ip_v4.toml").write_text(rule, encoding="utf-8")
    (folder / "lexicons").symlink_to(resource_dir("rules") / "lexicons")
    (folder / FILE).write_text(anchors, encoding="utf-8")


@pytest.mark.parametrize(
    "wrong",
    [
        {"needs": [], "digit": False},
        {"needs": [[]]},
        {"needs": "zip"},
        {"needs": ["zip"]},
        {"needs": [[""]]},
        {"needs": [["ZIP"]]},
        {"needs": [["zip", 5]]},
        {"needs": [["zip", "\ud800"]]},
        {"needs": [{"zip": 1}]},
        {"needs": None},
        {"needs": 1},
        {"digit": "no"},
        {"digit": 1},
        {"digit": None},
        {"lines": -1},
        {"lines": "0"},
        {"lines": 0.5},
        {"lines": True},
        {"lines": [0]},
    ],
    ids=str,
)
def test_an_anchor_that_would_lose_findings_is_refused(tmp_path: Path, wrong: dict[str, object]):
    rules_with(tmp_path, json.dumps({"a": SOUND, "b": SOUND | wrong}))
    with pytest.raises(RuleError, match=r"^anchors\.json: cannot be read"):
        load_rules(tmp_path)


@pytest.mark.parametrize(
    "sound", [{}, {"lines": None}, {"lines": 3, "digit": False}, {"needs": []}, {"needs": [["é\n"], ["a"]]}]
)
def test_a_sound_anchor_is_read(tmp_path: Path, sound: dict[str, object]):
    rules_with(tmp_path, json.dumps({"a": SOUND | sound}))
    assert len(load_rules(tmp_path)) == 1


def test_a_great_number_of_lines_is_all_lines():
    assert AnchorIndex([Anchor((("mrn",),), False, 10**12)]).parts("a\nMRN\nb") == {0: [(0, 7)]}


@pytest.mark.parametrize(
    "text", ["{", "[]", "7", "null", json.dumps({"a": {"needs": 1}}), json.dumps({"a": 1}), "[" * 100_000]
)
def test_a_broken_file_is_one_line(tmp_path: Path, text: str):
    rules_with(tmp_path, text)
    with pytest.raises(RuleError, match=r"anchors\.json: cannot be read"):
        load_rules(tmp_path)


def test_a_file_that_may_not_be_read_is_one_line(tmp_path: Path):
    rules_with(tmp_path, "{}")
    (tmp_path / FILE).unlink()
    (tmp_path / FILE).mkdir()
    with pytest.raises(RuleError, match=r"anchors\.json: cannot be read"):
        load_rules(tmp_path)
