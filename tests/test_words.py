"""Words and vocabulary."""

import re

from hypothesis import given
from hypothesis import strategies as st

from phiscan.degenerate import LONGEST_LOOP, degenerate_kind, loop_share
from phiscan.words import Vocabulary, split_words, stands_whole


@given(st.text())
def test_words_are_slices_and_leave_only_white_space(text):
    words, starts, ends = split_words(text)
    assert [text[a:b] for a, b in zip(starts, ends, strict=True)] == words
    outside = list(text)
    for a, b in zip(starts, ends, strict=True):
        outside[a:b] = " " * (b - a)
    assert not "".join(outside).strip()


@given(st.lists(st.text(st.characters(blacklist_characters="\n", blacklist_categories=["Cs"]), min_size=1)))
def test_vocabulary_survives_saving(tmp_path_factory, words):
    path = tmp_path_factory.mktemp("v") / "words.txt"
    saved = Vocabulary(words)
    saved.save(path)
    assert Vocabulary.load(path).ids([*words, "\n"]) == saved.ids([*words, "\n"])


def test_unknown_words_are_numbered_past_the_end_and_apart():
    vocabulary = Vocabulary(["a", "b"])
    assert vocabulary.ids(["b", "x", "a", "y", "x"]) == [1, 2, 0, 3, 2]
    assert len(vocabulary) == 2


KNOWN = Vocabulary("the patient was seen in clinic today and will return next week for review".split())
SENTENCE = (
    "the patient was seen in clinic today and will return next week for review of the patient in clinic"
)


def test_degenerate_kinds():
    assert degenerate_kind("", KNOWN) == "empty"
    assert degenerate_kind(" \n\t", KNOWN) == "empty"
    assert degenerate_kind("seen today . " * 20, KNOWN) == "looping"
    assert degenerate_kind("no " * 40, KNOWN) == "looping"
    assert degenerate_kind(SENTENCE + " seen today" * 2, KNOWN) is None
    foreign = " ".join(f"wort{chr(97 + i)}" for i in range(24))
    assert degenerate_kind(foreign, KNOWN) == "off_language"
    assert degenerate_kind("xyzzy", KNOWN) is None, "too short to judge"


def test_a_sentence_said_twice_is_no_loop():
    words = split_words(SENTENCE).words
    assert loop_share(words + words) == 0.0
    assert loop_share(words * 3) == 1.0
    assert loop_share([]) == 0.0


def loops_by_hand(words):
    """The words that one block covers, three or more times in a row."""
    best = 0
    for period in range(1, LONGEST_LOOP + 1):
        for start in range(len(words)):
            end = start + period
            while end < len(words) and words[end] == words[end - period]:
                end += 1
            best = max(best, end - start if end - start >= 3 * period else 0)
    return best / len(words) if words else 0.0


@given(st.lists(st.sampled_from("abc"), max_size=40))
def test_loops_are_those_found_by_hand(words):
    assert loop_share(words) == loops_by_hand(words)


@given(st.text("aé1_ -", max_size=4), st.text("aé1_ -", max_size=20))
def test_whole_words_are_what_a_pattern_finds(value, text):
    found = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None
    assert not value or stands_whole(value, text) == found
