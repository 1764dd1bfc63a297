"""BERTScore and BARTScore agree with slow versions that take one pair, one token at a time."""

from __future__ import annotations

import pytest
import torch
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tiny_text_models import LONGEST, make_encoder, make_seq2seq
from transformers import BartForConditionalGeneration, BertModel, PreTrainedTokenizerFast

from phiscan.errors import BackendError, ConfigError
from phiscan.metrics import bartscore, bertscore
from phiscan.protocols import MetricSettings, Pair

WORDS = "the patient was seen today well pain ; 120/80 Zoë café 日本 unseen q".split()
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
pairs = st.lists(st.tuples(texts, texts).map(lambda two: Pair(*two)), min_size=1, max_size=5)
few = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return make_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="module")
def seq2seq(tmp_path_factory):
    return make_seq2seq(tmp_path_factory.mktemp("seq2seq"))


@pytest.fixture(scope="module", params=[1, None])
def bert(request, encoder):
    asked = MetricSettings(
        bertscore_model=str(encoder), bertscore_layer=request.param, device="cpu", batch_size=3
    )
    model = BertModel.from_pretrained(encoder, add_pooling_layer=False).eval()
    return bertscore.build(asked), model, request.param or 3


@pytest.fixture(scope="module")
def bart(seq2seq):
    asked = MetricSettings(bartscore_model=str(seq2seq), device="cpu", batch_size=3)
    return bartscore.build(asked), BartForConditionalGeneration.from_pretrained(seq2seq).eval()


def slow_bertscore(model, tokenizer, layer: int, pair: Pair) -> float:
    def vectors(text):
        ids = tokenizer(text, return_tensors="pt")["input_ids"]
        with torch.no_grad():
            states = model(input_ids=ids, output_hidden_states=True).hidden_states[layer][0]
        return [state / state.norm() for state in states]

    def mean_of_best(ours, theirs):
        inner = ours[1:-1]  # without the two marks
        return sum(max(float(one @ other) for other in theirs) for one in inner) / len(inner)

    said, suffix = vectors(pair.continuation), vectors(pair.suffix)
    precision, recall = mean_of_best(said, suffix), mean_of_best(suffix, said)
    return 2 * precision * recall / (precision + recall)


def slow_bartscore(model, tokenizer, pair: Pair) -> float:
    source = tokenizer(pair.continuation, return_tensors="pt")["input_ids"]
    target = tokenizer(pair.suffix)["input_ids"]
    total, given_ids = 0.0, [model.config.decoder_start_token_id]
    for token in target:
        with torch.no_grad():
            logits = model(input_ids=source, decoder_input_ids=torch.tensor([given_ids])).logits[0, -1]
        total += float(torch.log_softmax(logits.double(), dim=0)[token])
        given_ids.append(token)
    return total / len(target)


@few
@given(asked=pairs)
@example(asked=[Pair("the the the pain", "pain"), Pair("日本", "Zoë q"), Pair("well", "well")])
def test_bertscore_is_that_of_the_slow_version(bert, encoder, asked) -> None:
    metric, model, layer = bert
    tokenizer = PreTrainedTokenizerFast.from_pretrained(encoder)
    slow = [slow_bertscore(model, tokenizer, layer, pair) for pair in asked]
    assert metric.score(asked) == pytest.approx(slow, abs=1e-5)


@few
@given(asked=pairs)
@example(asked=[Pair("the the the pain", "pain"), Pair("日本", "Zoë q"), Pair("well", "well")])
def test_bartscore_is_that_of_the_slow_version(bart, seq2seq, asked) -> None:
    metric, model = bart
    tokenizer = PreTrainedTokenizerFast.from_pretrained(seq2seq)
    slow = [slow_bartscore(model, tokenizer, pair) for pair in asked]
    assert metric.score(asked) == pytest.approx(slow, abs=1e-4)


def test_the_same_text_scores_one(bert) -> None:
    assert bert[0].score([Pair("the patient was seen", "The patient was seen")]) == [
        pytest.approx(1, abs=1e-5)
    ]


@pytest.mark.parametrize("which", ["bert", "bart"])
def test_what_cannot_be_scored_whole_is_missing_and_changes_nothing_else(which, bert, bart, request) -> None:
    metric = {"bert": bert, "bart": bart}[which][0]
    fine, long = Pair("the patient", "was seen"), "pain " * (LONGEST + 1)
    scores = metric.score([Pair(long, "pain"), fine, Pair("pain", long), Pair("\u200b", "pain")])
    assert [scores[0], *scores[2:]] == ["too_long", "too_long", "no_words"]
    assert scores[1] == pytest.approx(metric.score([fine])[0], abs=1e-5)


def test_a_batch_that_outgrows_the_memory_is_halved(bart, monkeypatch) -> None:
    metric = bart[0]
    asked = [Pair("the patient", word) for word in ("pain", "well", "seen", "today")]
    whole = metric.score(asked)
    batch = metric._batch

    def small_memory(given_pairs):
        if len(given_pairs) > 1 or given_pairs[0].suffix == "well":
            raise MemoryError
        return batch(given_pairs)

    monkeypatch.setattr(metric, "_batch", small_memory)
    scores = metric.score(asked)
    assert scores[1] == "out_of_memory"
    assert [scores[i] for i in (0, 2, 3)] == pytest.approx([whole[i] for i in (0, 2, 3)], abs=1e-5)


def test_without_a_model_there_is_a_reason() -> None:
    assert bertscore.build(MetricSettings()) == bartscore.build(MetricSettings()) == "no_model"


def test_models_that_cannot_serve_are_refused(encoder, tmp_path) -> None:
    def refusal(build, **asked):
        with pytest.raises((ConfigError, BackendError)) as caught:
            build(MetricSettings(device="cpu", **asked))
        assert str(tmp_path) not in str(caught.value)
        return str(caught.value)

    assert "no such directory" in refusal(bertscore.build, bertscore_model=str(tmp_path / "none"))
    assert "has no config.json" in refusal(bartscore.build, bartscore_model=str(tmp_path))
    assert "metrics.bartscore_model: no seq2seq model" in refusal(
        bartscore.build, bartscore_model=str(encoder)
    )
    layers = refusal(bertscore.build, bertscore_model=str(encoder), bertscore_layer=4)
    assert layers == "metrics.bertscore_layer: the encoder has 3 layers"


def test_descriptions_name_layer_and_weights_but_no_place(bert, bart, encoder) -> None:
    metric, _, layer = bert
    assert f"layer {layer} of BertModel, weights " in metric.describe()
    assert "log p(suffix | continuation); BartForConditionalGeneration" in bart[0].describe()
    assert str(encoder) not in metric.describe()
