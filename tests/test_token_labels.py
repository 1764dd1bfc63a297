"""Windows and labels: every token is judged once, nothing is cut, equal blocks are asked about once."""

from __future__ import annotations

from array import array
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from phiscan.records import Span
from phiscan.token_labels import (
    Judged,
    TokenLabeller,
    Word,
    WordStarts,
    blocks,
    cut,
    decode,
    form,
    readable,
)

NAMES = ["O", "B-X", "I-X", "L-X", "U-X", "B-Y", "I-Y"]


def words_of(text, labels):
    made, at = [], 0
    for word, label in zip(text.split(" "), labels, strict=True):
        made.append(Word(Span(at, at + len(word)), NAMES.index(label), 0.8))
        at += len(word) + 1
    return iter(made)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("O O O", []),
        ("B-X I-X O", ["a b"]),
        ("B-X B-X I-X", ["a", "b c"]),
        ("I-X I-X O", ["a b"]),
        ("B-X I-Y I-Y", ["a", "b c"]),
        ("B-X L-X I-X", ["a b", "c"]),
        ("U-X I-X L-X", ["a", "b c"]),
        ("B-X O I-X", ["a", "c"]),
        ("B-X U-X L-X", ["a", "b", "c"]),
    ],
)
def test_decoding(labels, expected):
    text = "a b c"
    found = decode(text, words_of(text, labels.split()), NAMES)
    assert [text[slice(*one.span)] for one in found] == expected
    assert all(one.score == pytest.approx(0.8) for one in found)


def test_words_apart_are_no_span():
    words = iter([Word(Span(0, 1), 1, 0.9), Word(Span(3, 4), 2, 0.9)])
    assert [one.span for one in decode("a, b", words, NAMES)] == [(0, 1), (3, 4)]


STARTS = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=300).map(
    lambda flags: WordStarts([word for word, _ in flags], [word and line for word, line in flags])
)


@given(STARTS, st.integers(8, 40), st.integers(0, 20))
@example(WordStarts([at in (1, 5) for at in range(10)], [False] * 10), 8, 2)
def test_windows_cover_everything_and_overlap(starts, budget, overlap):
    spans = cut(starts, budget, overlap)
    count = len(starts.words)
    assert (spans[0].start, spans[-1].end) == (0, count) if count else spans == []
    for before, after in pairwise(spans):
        assert before.start < after.start <= before.end - min(overlap, budget // 4)
        assert before.end < after.end
    assert all(0 < end - start <= budget for start, end in spans)


def test_windows_are_cut_at_line_starts():
    lines = [number % 7 == 0 for number in range(100)]
    spans = cut(WordStarts([True] * 100, lines), 20, 5)
    assert all(start % 7 == 0 for start, _ in spans)
    assert all(end % 7 == 0 for _, end in spans[:-1])


@given(st.lists(st.sampled_from(["a", " ", "\n", "\n\n", "b c", "\t"]), max_size=30).map("".join))
def test_blocks_hold_all_text_and_no_blank_line(text):
    made = list(blocks(text))
    assert all(text[start : start + len(block)] == block for start, block in made)
    assert all(not line.isspace() and line for _, block in made for line in block.strip().split("\n"))
    assert "".join("".join(block.split()) for _, block in made) == "".join(text.split())


class Recorder:
    """A model that labels the token "n" and remembers what it was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, windows):
        self.asked += [tuple(window) for window in windows]
        return [
            Judged(array("H", [1 if token == 4 else 0 for token in window]), array("f", [0.9] * len(window)))
            for window in windows
        ]


def labeller(model, length=16):
    vocabulary = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "x": 3, "n": 4}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return TokenLabeller(tokenizer, ["O", "B-NAME"], length, model)


@given(st.lists(st.sampled_from(["x", "n", "x\n", "n\n", "x\n\n"]), max_size=120))
def test_every_token_is_judged_once_at_its_place(tokens):
    text = " ".join(tokens)
    model = Recorder()
    found = labeller(model).label([text])[0]
    assert [one.span.start for one in found] == [at for at, letter in enumerate(text) if letter == "n"]
    assert all(len(window) <= 16 and window[0] == 1 and window[-1] == 2 for window in model.asked)


def test_equal_blocks_are_asked_about_once():
    model = Recorder()
    made = labeller(model)
    first = made.label(["x n x\n\nn x\n\nx n x", "x n x"])
    assert len(model.asked) == 2
    assert made.label(["x n x"]) == [first[1]]
    assert len(model.asked) == 2


def test_blocks_not_worth_a_look_are_not_asked_about():
    model = Recorder()
    assert labeller(model).label(["x x\n\nn"], worth=lambda block: "n" in block)[0][0].span == (5, 6)
    assert len(model.asked) == 1


@given(st.text(alphabet="ab_[]* \n\ud800", max_size=60))
def test_readable_keeps_the_length_and_the_lines(text):
    clean = readable(text)
    assert len(clean) == len(text)
    assert clean.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "run", ["#" * 60, "(" * 5_000, "=-_" * 40, "%$" * 900, "'s" * 40, "’S" * 40, "🎉" * 60]
)
def test_long_runs_of_punctuation_are_blanks(run):
    assert readable(f"Anne{run}\nby Okonkwo") == f"Anne{' ' * len(run)}\nby Okonkwo"


@pytest.mark.parametrize("text", ["#" * 59, "a" + "'" * 30 + "b" + "'" * 30, "#\n" * 80, "1-" * 80])
def test_short_runs_and_what_holds_letters_or_digits_stay(text):
    assert readable(text) == text


def test_a_name_behind_a_run_stays_whole():
    assert readable("'" * 60 + "Solveig") == " " * 60 + "Solveig"


@pytest.mark.parametrize(
    ("value", "category"),
    [
        ("m.lindqvist@example.org", "EMAIL"),
        ("https://example.org/p/8842", "URL"),
        ("219 09 4471", "SSN"),
        ("219-09 4471", None),
        ("8842", None),
    ],
)
def test_form(value, category):
    assert form(value) == category
