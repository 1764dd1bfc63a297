"""Lexicons beyond PHI: the shipped ones pass their own examples; malformed ones are refused by name."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from phiscan.errors import RuleError
from phiscan.resources import resource_dir
from phiscan.rulebook.literals import required_literals
from phiscan.rulebook.sentences import sentence_spans
from phiscan.rulebook.term_index import TermIndex
from phiscan.rulebook.topics import (
    FOLDER,
    TopicCheck,
    check_topics,
    index_of,
    lexicon_digest,
    load_topics,
)

LEXICON = """
title = "Lanterns"
group = "table_5b"
description = "Lamps that give a patient away."
source = ["https://example.org/lanterns"]
family_history = "skip"
{keys}
[[entry]]
term = "oil-lamp fever"
example = "Hx of oil lamp fever."
near_miss = "Hx of oil. Lamp fever."

[[entry]]
{entry}
"""
PATTERN = "pattern = '''\\bL-\\d+'''\nexample = 'Lamp L-44.'"


def write_lexicon(folder: Path, *, keys: str = "", entry: str = PATTERN) -> Path:
    (folder / "lantern.toml").write_text(LEXICON.format(keys=keys, entry=entry), encoding="utf-8")
    return folder


def names(index: TermIndex, text: str) -> list[tuple[str, str]]:
    return [
        (found.name, text[found.start : found.end]) for found in index.longest(text, sentence_spans(text))
    ]


@pytest.mark.parametrize("check", check_topics(), ids=lambda check: check.topic)
def test_shipped_lexicon_passes_its_examples(check: TopicCheck) -> None:
    assert check.n_examples >= 40
    assert not check.failures, "\n".join(check.failures)


def test_every_lexicon_file_is_loaded_table_5b_first() -> None:
    topics = load_topics()
    files = {path.stem for path in (resource_dir("rules") / FOLDER).glob("*.toml")}
    assert {topic.id for topic in topics} == files
    groups = [topic.spec.group for topic in topics]
    assert groups[:4] == ["table_5b"] * 4
    assert set(groups[4:]) <= {"specially_protected"}
    assert all(len(topic.spec.entry) >= 40 for topic in topics)


def test_failures_are_told_by_topic_and_entry(tmp_path: Path) -> None:
    entry = "term = 'candle'\nexample = 'No such thing.'\nnear_miss = 'Two candles.'"
    (check,) = check_topics(write_lexicon(tmp_path, entry=entry))
    assert check.failures == (
        "topic lantern: entry.1 (candle): not found in its example",
        "topic lantern: entry.1 (candle): found in its near miss",
    )


@pytest.mark.parametrize(
    ("keys", "entry", "key"),
    [
        ("colour = 1", PATTERN, "colour"),
        ("", "example = 'neither'", "entry.1"),
        ("", "term = 'a'\npattern = 'a'\nexample = 'both'", "entry.1"),
        ("", "term = 'lamp'", "entry.1.example"),
        ("", "pattern = '('\nexample = '('", "entry.1.pattern"),
        ("", "term = 'lamp'\nonly_with = '('\nexample = 'A lamp.'", "entry.1.only_with"),
        ("", "term = 'oil-lamp fever'\nexample = 'Oil lamp fever.'", "entry"),
        ("", "term = 'lamp'\nexample = 'A lamp.'\nweight = 2", "entry.1.weight"),
    ],
)
def test_malformed_lexicon_is_refused_by_name_and_key(
    tmp_path: Path, keys: str, entry: str, key: str
) -> None:
    with pytest.raises(RuleError) as caught:
        load_topics(write_lexicon(tmp_path, keys=keys, entry=entry))
    message = str(caught.value)
    assert message.startswith(f"topic lantern: {key}")
    assert "\n" not in message
    assert str(tmp_path) not in message


def test_bad_toml_and_an_empty_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="holds no file"):
        load_topics(tmp_path)
    (tmp_path / "torn.toml").write_text("title = ")
    with pytest.raises(RuleError, match="topic torn: not a TOML file"):
        load_topics(tmp_path)


def test_an_edit_changes_the_digest(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    same = lexicon_digest(write_lexicon(one))
    other = lexicon_digest(write_lexicon(two, entry=PATTERN.replace("L-44", "L-45")))
    assert (same == lexicon_digest(one), same == other) == (True, False)


def test_terms_match_whole_words_in_any_spacing_case_and_number(tmp_path: Path) -> None:
    index = index_of(load_topics(write_lexicon(tmp_path)))
    for text in ("OIL LAMP FEVER", "oil-lamp-fevers", "Oil\nlamp  fever's", "(oil lamp fever)"):
        assert [name for name, _ in names(index, text)] == ["oil-lamp fever"], text
    for text in (
        "boil lamp fever",
        "oil lamp feverish",
        "oil, lamp fever",
        "oil\n\nlamp fever",
        "oil lampfever",
    ):
        assert names(index, text) == [], text


def test_the_longest_of_a_topic_is_kept_and_topics_do_not_hide_one_another() -> None:
    index = TermIndex()
    for topic, term in (("a", "lamp"), ("a", "oil lamp"), ("b", "lamp"), ("a", "SI")):
        index.add(topic, term, None)
    assert names(index, "an oil lamp") == [("oil lamp", "oil lamp"), ("lamp", "lamp")]
    assert names(index, "SIs") == []


def test_a_plural_in_es_is_not_one_of_every_word() -> None:
    index = TermIndex()
    for term in ("abscess", "HIV"):
        index.add("a", term, None)
    assert names(index, "abscesses and hives") == [("abscess", "abscesses")]


def test_a_pattern_sees_one_sentence() -> None:
    index = TermIndex()
    index.add("a", "x", regex.compile(r"red[^,]{0,20}lamp"))
    assert names(index, "a red oil lamp") == [("x", "red oil lamp")]
    assert names(index, "It was red. A lamp") == []


def test_a_runaway_pattern_raises_and_quotes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phiscan.rulebook.time_limit.SECONDS", 0.2)
    index = TermIndex()
    index.add("lantern", "x", regex.compile("(?:a|aa)+[cd]"))
    with pytest.raises(RuleError, match=r"^topic lantern: a pattern takes too long on some text$"):
        names(index, "a" * 60 + "b")


def test_the_filter_before_the_patterns_leaves_out_none_that_matches() -> None:
    for topic in load_topics():
        index = index_of((topic,))
        tried = [
            (entry.name, pattern)
            for entry, pattern in zip(topic.spec.entry, topic.patterns, strict=True)
            if pattern is not None
        ]
        for text in [entry.example for entry in topic.spec.entry]:
            spans = sentence_spans(text)
            found = {occurrence.name for occurrence in index.occurrences(text, spans)}
            sentences = [text[span.start : span.end] for span in spans]
            for name, pattern in tried:
                assert name in found or not any(pattern.search(s) for s in sentences), (topic.id, name, text)


WORD = st.sampled_from(["oil", "lamp", "red", "lantern", "wick"])


@given(st.lists(st.lists(WORD, min_size=1, max_size=3), min_size=1, max_size=3), st.lists(WORD, max_size=8))
def test_required_literals_never_rule_out_a_match(branches: list[list[str]], words: list[str]) -> None:
    pattern = r"(?i)\b(?:" + "|".join(r"\s+".join(branch) for branch in branches) + r")s?\b"
    text = " ".join(words).upper()
    if regex.search(pattern, text):
        needs = required_literals(pattern)
        assert any(all(any(s in text.casefold() for s in one) for one in sets) for sets in needs)


@given(st.text(alphabet="aB .;:!?\n-,1)", max_size=120))
def test_sentences_cover_the_text_in_order(text: str) -> None:
    spans = sentence_spans(text)
    assert spans[0].start == 0
    assert spans[-1].end == len(text)
    assert all(one.end == two.start for one, two in itertools.pairwise(spans))


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Seen by Dr. Quill. Denies SI", ["Seen by Dr. Quill.", " Denies SI"]),
        ("K 3.4, ok; next", ["K 3.4, ok;", " next"]),
        ("Denies SI or\nHI today", ["Denies SI or\nHI today"]),
        ("HTN\nNo asthma\nPTSD", ["HTN\n", "No asthma\n", "PTSD"]),
        ("PMH: HTN SH: drinks", ["PMH: HTN", " SH: drinks"]),
        ("one\n\ntwo", ["one\n", "\ntwo"]),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [
        text[span.start : span.end].strip()
        for span in sentence_spans(text)
        if text[span.start : span.end].strip()
    ] == [s.strip() for s in sentences]
