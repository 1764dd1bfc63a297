"""ROUGE-L and BLEU agree with their reference libraries and definitions on any two texts."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

from phiscan.metrics import bleu, rouge_l
from phiscan.protocols import MetricSettings, Pair

WORDS = "the patient was seen today a 120/80 Zoë café İß e.g. pt's ... 日本 ; x2 , —".split(" ")
prose = st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)
texts = st.one_of(prose, st.text(max_size=80), prose.map(lambda text: (text + " ") * 3))
ROUGE = rouge_l.build(MetricSettings())
BLEU = bleu.build(MetricSettings())
REFERENCE = RougeScorer(["rougeL"], use_stemmer=False)


@given(texts, texts)
@example("The patient was seen today.", "the patient, who was not seen")
@example("a a a a b", "b a a")
@example("", "x")
@example("...", "x")
def test_rouge_l_is_that_of_the_reference_package(said: str, suffix: str) -> None:
    (score,) = ROUGE.score([Pair(said, suffix)])
    words = [re.sub(r"[^a-z0-9]", "", text.lower()) for text in (said, suffix)]
    if not all(words):
        assert score == "no_words"
    else:
        assert score == pytest.approx(REFERENCE.score(suffix, said)["rougeL"].fmeasure, abs=1e-12)


def test_rouge_l_by_hand() -> None:
    pairs = [
        Pair("The patient was seen today.", "the patient, who was not seen"),
        Pair("same words", "Same words!"),
        Pair("nothing shared", "other text"),
    ]
    assert ROUGE.score(pairs) == [pytest.approx(8 / 11), 1.0, 0.0]


def bleu_by_definition(said: list[str], suffix: list[str]) -> float:
    """Sentence BLEU-4 of ready words, with sacrebleu's smoothing "exp" and effective order."""
    logs, misses, orders = [], 0, 0
    for n in range(1, 5):
        grams = [
            Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1)) for words in (said, suffix)
        ]
        total = sum(grams[0].values())
        if not total:
            break
        orders += 1
        matched = sum((grams[0] & grams[1]).values())
        if n == 1 and not matched:
            return 0.0
        misses += not matched
        logs.append(math.log(matched / total if matched else 1 / (2**misses * total)))
    brevity = min(0.0, 1 - len(suffix) / len(said))
    return math.exp(sum(logs) / orders + brevity)


plain = st.lists(st.sampled_from("the patient was seen today in clinic".split()), min_size=1, max_size=30)


@given(plain, plain)
def test_bleu_is_that_of_the_definition(said: list[str], suffix: list[str]) -> None:
    (score,) = BLEU.score([Pair(" ".join(said), " ".join(suffix))])
    assert score == pytest.approx(bleu_by_definition(said, suffix), abs=1e-9)


@given(texts)
def test_bleu_of_a_text_with_itself_is_one_or_missing(text: str) -> None:
    (score,) = BLEU.score([Pair(text, text)])
    assert score == "no_words" or score == pytest.approx(1)


def test_bleu_without_words_is_missing_and_without_a_match_zero() -> None:
    pairs = [Pair(" ", "x"), Pair("x", "\n"), Pair("alpha beta", "gamma delta")]
    assert BLEU.score(pairs) == ["no_words", "no_words", 0.0]


def test_bleu_leaves_no_text_in_the_caches_of_its_library() -> None:
    BLEU.score([Pair("seen by Otto Wexmere", "seen by Otto Wexmere today")])
    for tokenizer in (Tokenizer13a, TokenizerRegexp):
        assert tokenizer.__call__.cache_info().currsize == 0
