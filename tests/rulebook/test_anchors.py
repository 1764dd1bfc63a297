"""Anchors make the rules fast and change nothing: what is found with them is what is found without."""

from __future__ import annotations

import dataclasses
import json
import random
from pathlib import Path

import pytest
import regex
from heldout.notes import make_heldout
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.commands.required_strings import Condition
from phiscan.commands.rule_anchors import anchors_json, cost_in, derive_anchor
from phiscan.errors import RuleError
from phiscan.resources import resource_dir
from phiscan.rulebook.anchors import FILE, Anchor, AnchorIndex, Place, Places, Window, digest, folded
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
    return Expression(spec, source, flags, words, 0, 0, digest(source, flags, words), None)


def longest(strings: Condition) -> float:
    """A cost that takes long strings for rare, and is highest where none is needed."""
    return 9.0 if "" in strings else len(strings) * 0.1 ** min(map(len, strings))


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


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_nothing_is_lost_in_mixed_pieces(both, data):
    anchored, whole = both
    examples = [e.text for rule in load_rules() for e in (*rule.spec.positive, *rule.spec.negative)]
    pieces = data.draw(st.lists(st.sampled_from(examples), min_size=1, max_size=6))
    made = "".join(
        piece[data.draw(st.integers(0, 8)) :]
        + data.draw(st.sampled_from(["\n", " ", "", ", ", ": ", "\r\n", "\t"]))
        for piece in pieces
    )
    for place in data.draw(st.lists(st.integers(0, max(0, len(made) - 1)), max_size=6)):
        odd = data.draw(st.sampled_from(list("İıſK٣½\xa0’ß\x1e") + ["\ud800", "\u0301"]))
        made = made[:place] + odd + made[place + 1 :]
    assert anchored.find(made) == whole.find(made)


def test_texts_together_are_as_texts_alone(both):
    anchored, _ = both
    texts = [note.text for note in make_heldout(seed=45, n_notes=40).notes] + ["", "\n"]
    assert anchored.find_all(texts) == [anchored.find(text) for text in texts]


def places(found: Anchor) -> dict[tuple[int | None, int | None, bool], set[str]]:
    return {(place.low, place.high, place.word): set(place.strings) for place in found.places}


@pytest.mark.parametrize(
    ("source", "wanted", "lines", "reach"),
    [
        (r"MRN:? ?(\d+)", {(0, 0, False): {"mrn0", "mrn:0", "mrn 0", "mrn: 0"}}, 0, None),
        (r"(?i)mrn\s?\d\d", {(0, 0, False): {"mrn00", "mrn 00", "mrn\n00"}}, 1, 6),
        (r"(?:Dr|Prof)\. \p{Lu}", {(0, 0, False): {"dr. ", "prof. "}}, 0, 7),
        (r"(?<=Patient:)\s{0,3}\w", {(-8, -8, False): {"patient:"}}, 3, 4),
        (r"(?<!\w)(?:id|mr)[ ]\p{Lu}", {(0, 0, True): {"id ", "mr "}}, 0, 4),
        (r"\p{Lu}\d{3}([-/])\d{2}\1\d{4}", {(1, 1, False): {"000-00", "000/00"}}, 0, 12),
        (r"\p{Lu}{2,4} Elm", {(2, 4, False): {" elm"}}, 0, 8),
        (r"\p{Lu}{2,}(?= Elm)", {(2, None, False): {" elm"}}, 0, None),
        (r"(?:x{2,3}|yy)-\d", {(0, 1, False): {"xx-0", "yy-0"}}, 0, 5),
        (r"\p{L}+\L<units>", {(1, None, False): {"bed", "cot", "bedside"}}, 0, None),
        (r"(?m:^)\p{Lu}", {(-1, -1, False): {"\n"}}, 0, 1),
        (r"\p{Lu}[ ]?\Z", {(1, 1, False): {"\n", " \n"}}, 0, 3),
        (r"\p{Lu}(?=:)(?<=(?:ward|unit)\p{Lu})", {(-4, -4, False): {"unit", "ward"}}, 0, 2),
        (
            r"(?=:)(?<=(?:[a-z]{4,9}ologist|md))[:=]\d",
            {(-7, -7, False): {"ologist:0", "ologist=0"}, (-2, -2, False): {"md:0", "md=0"}},
            0,
            2,
        ),
        (r"an\s+bed", {(2, None, False): {" bed", "\nbed"}}, None, None),
        (r"\Aseen", {(-1, -1, False): {"\nseen"}}, None, 4),
    ],
)
def test_what_a_match_cannot_be_without(source, wanted, lines, reach):
    found = anchor(source, units=["bed", "cot", "bedside"]) if "units" in source else anchor(source)
    assert found is not None
    assert (places(found), found.lines, found.reach) == (wanted, lines, reach)


@pytest.mark.parametrize("source", [r"\p{L}", r"(?:Dr )?\w+", r"(?:a|)\w", r".", r"(?:a|b)?", r"(?<=a)\d*"])
def test_no_anchor_where_none_is_sure(source):
    assert anchor(source) is None


def test_what_may_match_nothing_has_none_but_what_always_does_may():
    assert anchor(r"(?:abc)*") is None
    assert anchor(r"(?=abc)") is not None


def test_where_a_match_is_said_to_begin_later_no_search_is_made():
    assert anchor(r"\p{L}+\K mrn") is None
    assert anchor(r"mrn \p{L}+\K\d") is not None


def test_many_places_are_one_search():
    spec = expression(r"a\p{L}")
    found = dataclasses.replace(spec, anchor=anchor(r"a\p{L}"))
    text = "ab " * 400
    [(_, places)] = AnchorIndex([found.anchor]).places(text)
    assert len(places.starts) == 400
    spans = [match.span() for match in found.matches(text, places)]
    assert spans == [match.span() for match in spec.compiled.finditer(text)]


def test_the_rarest_strings_are_taken():
    lines = ["seen in ward 7", "ward round", "no bed", "left"]
    found = derive_anchor(expression(r"(?:ward|bed) \p{L}+ (?:mrn|fin)"), cost_in(lines))
    assert found is not None
    assert places(found) == {(5, None, False): {" fin", " mrn"}}
    assert derive_anchor(expression(r"\p{L}{3}(?:a|e|i|o|u|n|d|t| )"), cost_in(lines)) is None


def of(text: str, *anchors: Anchor | None) -> dict[int, Places]:
    return dict(AnchorIndex(anchors).places(text))


def test_places_are_in_order_and_within_the_text():
    text = "a\nMRN 1\nb\nc MRN\n"
    near, far = Place(0, 1, False, ("mrn",)), Place(0, None, False, ("mrn",))
    found = of(text, Anchor((near,), 0, 3), Anchor((far,), 0, None), Anchor((far,), 1, 4), None)
    assert found[0] == Places([1, 2, 11, 12], ())
    assert found[1] == Places((), [Window(2, 2, 8), Window(10, 12, 16)])
    assert found[2] == Places((), [Window(0, 2, 8), Window(8, 12, 16)])
    assert found[3] == Places((), (Window(0, len(text), len(text)),))
    assert of(text, Anchor((Place(0, 0, False, ("dob",)),), 0, 3)) == {}
    assert of("", None, Anchor((near,), 0, 3)) == {0: Places((), (Window(0, 0, 0),))}


def test_a_string_that_must_begin_a_word_is_found_nowhere_else():
    begins = Anchor((Place(0, 0, True, ("id",)),), 0, 3)
    assert of("avid id, (ID", begins) == {0: Places([5, 10], ())}


def test_the_ends_of_a_text_are_line_ends():
    assert of("a\nb", Anchor((Place(-1, -1, False, ("\n",)),), 0, 1)) == {0: Places([0, 2], ())}


def test_folding_keeps_every_place():
    text = "İSTANBUL ſeen STRAẞE\t٣’s"
    assert len(folded(text)) == len(text)
    assert folded(text).startswith("istanbul seen ")
    assert folded(text).endswith(" 0's")


def test_a_rule_without_the_file_is_tried_everywhere(tmp_path: Path):
    rule = (resource_dir("rules") / "zip_labelled.toml").read_text(encoding="utf-8")
    (tmp_path / "zip_labelled.toml").write_text(rule, encoding="utf-8")
    (tmp_path / "lexicons").symlink_to(resource_dir("rules") / "lexicons")
    [alone] = load_rules(tmp_path)
    assert all(e.anchor is None for e in alone.expressions)
    assert RuleSet([alone]).find("Zip code: 01605")


SOUND = {"places": [[0, 5, False, ["zip", "postal"]]], "lines": 0, "reach": 9}


def rules_with(folder: Path, anchors: str) -> None:
    rule = (resource_dir("rules") / "ip_v4.toml").read_text(encoding="utf-8")
    (folder / "ip_v4.toml").write_text(rule, encoding="utf-8")
    (folder / "lexicons").symlink_to(resource_dir("rules") / "lexicons")
    (folder / FILE).write_text(anchors, encoding="utf-8")


@pytest.mark.parametrize(
    "wrong",
    [
        {"places": []},
        {"places": "zip"},
        {"places": None},
        {"places": [[]]},
        {"places": [[0, 5, False, []]]},
        {"places": [[0, 5, False, "zip"]]},
        {"places": [[0, 5, False, [""]]]},
        {"places": [[0, 5, False, ["ZIP"]]]},
        {"places": [[0, 5, False, ["zip7"]]]},
        {"places": [[0, 5, False, ["zip", 5]]]},
        {"places": [[0, 5, False, ["zip", "\ud800"]]]},
        {"places": [[5, 0, False, ["zip"]]]},
        {"places": [[0.5, 5, False, ["zip"]]]},
        {"places": [[0, True, False, ["zip"]]]},
        {"places": [[0, 5, 1, ["zip"]]]},
        {"places": [[0, 5, ["zip"]]]},
        {"lines": -1},
        {"lines": "0"},
        {"lines": 0.5},
        {"lines": True},
        {"lines": [0]},
        {"reach": -1},
        {"reach": True},
    ],
    ids=str,
)
def test_an_anchor_that_would_lose_findings_is_refused(tmp_path: Path, wrong: dict[str, object]):
    rules_with(tmp_path, json.dumps({"a": SOUND, "b": SOUND | wrong}))
    with pytest.raises(RuleError, match=r"^anchors\.json: cannot be read"):
        load_rules(tmp_path)


@pytest.mark.parametrize(
    "sound", [{}, {"lines": None, "reach": None}, {"lines": 3}, {"places": [[-3, None, True, ["é\n", "a"]]]}]
)
def test_a_sound_anchor_is_read(tmp_path: Path, sound: dict[str, object]):
    rules_with(tmp_path, json.dumps({"a": SOUND | sound}))
    assert len(load_rules(tmp_path)) == 1


def test_a_great_number_of_lines_is_all_lines():
    found = of("a\nMRN\nb", Anchor((Place(0, None, False, ("mrn",)),), 10**12, None))
    assert found == {0: Places((), [Window(0, 2, 7)])}


@pytest.mark.parametrize(
    "text", ["{", "[]", "7", "null", json.dumps({"a": {"places": 1}}), json.dumps({"a": 1}), "[" * 100_000]
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
