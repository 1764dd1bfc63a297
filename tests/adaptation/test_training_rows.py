"""Rows of tokens: every token of every text is in a row once, and what is not learnt is marked."""

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_model import make_model

from phiscan.adaptation.corpus import Text
from phiscan.adaptation.goldfish import dropped_from_loss
from phiscan.adaptation.rows import NO_LOSS, padded, rows_of
from phiscan.tokenizer import load_tokenizer, tokenize


@pytest.fixture(scope="module", params=[True, False])
def tokenizer(request, tmp_path_factory):
    return load_tokenizer(str(make_model(tmp_path_factory.mktemp("model"), bos=request.param)), "--model")


def text(words, **more):
    return Text("n", "p", "member", words, **more)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.text(min_size=1, max_size=80), st.integers(8, 40), st.booleans())
def test_rows_put_together_are_the_text(tokenizer, words, most, ends):
    leading = [tokenizer.bos_token_id] if tokenizer("a")["input_ids"][0] == tokenizer.bos_token_id else []
    rows = rows_of([text(words)], tokenizer, max_tokens=most, ends=ends)
    got = []
    for row in rows:
        assert len(row.ids) == len(row.labels) <= most
        assert row.ids[: len(leading)].tolist() == leading
        assert (row.labels[: len(leading)] == NO_LOSS).all()
        assert (row.labels[len(leading) :] == row.ids[len(leading) :]).all()
        got += row.ids[len(leading) :].tolist()
    assert got == [*tokenize(tokenizer, [words])[0].ids, *([tokenizer.eos_token_id] if ends else [])]


def test_completion_only_learns_what_begins_behind_the_request(tokenizer):
    words = "Seen in clinic today. Follow up in two weeks."
    (row,) = rows_of([text(words, given=21)], tokenizer, max_tokens=200, ends=False, completion_only=True)
    learnt = tokenizer.decode(row.ids[row.labels != NO_LOSS], clean_up_tokenization_spaces=False)
    assert learnt.strip() == words[21:].strip()
    (row,) = rows_of([text(words, given=21)], tokenizer, max_tokens=200, ends=False)
    assert (row.labels != NO_LOSS).sum() == len(tokenize(tokenizer, [words])[0].ids)


def test_dropped_tokens_are_read_and_not_learnt_and_cutting_changes_none_of_them(tokenizer):
    words = "The patient was seen in clinic today and feels well. " * 6

    def drop(ids):
        return dropped_from_loss(ids, k=3)

    (whole,) = rows_of([text(words)], tokenizer, max_tokens=1000, ends=False, drop=drop)
    cut = rows_of([text(words)], tokenizer, max_tokens=24, ends=False, drop=drop)
    lead = len(tokenizer("a")["input_ids"]) - len(tokenize(tokenizer, ["a"])[0].ids)
    assert np.concatenate([row.labels[lead:] for row in cut]).tolist() == whole.labels[lead:].tolist()
    assert (whole.labels[lead:] == NO_LOSS).sum() == drop(tokenize(tokenizer, [words])[0].ids).sum() > 0
    assert (whole.ids[lead:] == tokenize(tokenizer, [words])[0].ids).all()


def test_padding_is_neither_seen_nor_learnt(tokenizer):
    rows = rows_of([text("a b c d e f g"), text("a")], tokenizer, max_tokens=50, ends=True)
    batch = padded([{"input_ids": row.ids, "labels": row.labels} for row in rows], pad=7)
    assert batch["input_ids"].shape == batch["labels"].shape == batch["attention_mask"].shape
    assert batch["attention_mask"].sum(1).tolist() == [len(row.ids) for row in rows]
    hidden = batch["attention_mask"] == 0
    assert (batch["labels"][hidden] == NO_LOSS).all()
    assert batch["input_ids"].dtype == torch.int64
