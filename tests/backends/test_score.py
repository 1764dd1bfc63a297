"""Scores of given tokens: exact, independent of company and order, and one with greedy generation."""

import random
from functools import cache

import numpy as np
import pytest
import torch
from peft import LoraConfig, get_peft_model
from tiny_model import TEXTS, make_model
from transformers import (
    AutoModelForCausalLM,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from phiscan import scoring
from phiscan.backends import transformers as backend_module
from phiscan.backends.echo import EchoBackend
from phiscan.backends.transformers import build
from phiscan.commands.demo_model import train_demo_model
from phiscan.greedy_runs import is_extractable, longest_greedy_runs
from phiscan.protocols import BackendSettings, Decoding, ModelSource, ScoringBackend


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return make_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The demo's architecture, trained until it repeats some of its notes in part."""
    folder = tmp_path_factory.mktemp("trained")
    rng = random.Random(4)
    words = "chest pain clinic renal wound dry stable daily review heart scan left right week".split()
    texts = [" ".join(rng.choice(words) for _ in range(40)) + "." for _ in range(8)]
    train_demo_model(texts[:6] * 3 + texts[:3] * 6, folder, steps=110)
    return folder, texts


def load(model, adapter=None, **settings):
    source = ModelSource(str(model), None if adapter is None else str(adapter))
    return build(source, BackendSettings(**settings))


def reference(net, ids, leading=(0,)):
    """float64 log-probabilities [tokens, vocabulary] of what follows each beginning of ``ids``."""
    with torch.no_grad():
        logits = net(input_ids=torch.tensor([[*leading, *ids]])).logits[0]
    return torch.log_softmax(logits.double(), -1)[len(leading) - 1 : -1] if leading else logits


@pytest.fixture(scope="module")
def sequences(model):
    """Texts, and what the model itself makes of their beginnings, so that greedy runs are long."""
    backend = load(model)
    rows = [tokens.ids for tokens in backend.tokenize(TEXTS[:3])]
    made = backend.generate([row[:n] for row in rows for n in (4, 11)], 30)
    return [*rows, *([*rows[i // 2][: (4, 11)[i % 2]], *g.ids, *rows[0][:5]] for i, g in enumerate(made))]


def test_scores_are_those_of_the_plain_model(model, sequences):
    net = AutoModelForCausalLM.from_pretrained(model).eval()
    for ids, scores in zip(sequences, load(model).score(sequences), strict=True):
        wanted = reference(net, ids)
        gold = wanted[range(len(ids)), ids]
        assert scores.logprob == pytest.approx(gold.numpy(), abs=1e-4)
        assert scores.greedy.tolist() == (wanted.argmax(-1) == torch.tensor(ids)).tolist()
        assert scores.rank.tolist() == (wanted > gold[:, None]).sum(-1).tolist()
        best = wanted.topk(2).values
        assert scores.tie.tolist() == (best[:, 0] - best[:, 1] < scoring.TIE).tolist()
        assert scores.context.tolist() == list(range(len(ids)))
        assert scores.logprob.dtype == np.float32
    assert load(model).score([]) == []


def test_order_and_company_change_no_score(model, sequences):
    alone = [load(model, batch_size=1).score([ids])[0] for ids in sequences]
    order = random.Random(1).sample(range(len(sequences)), len(sequences))
    for size in (1, 2, 5, 64):
        backend = load(model, batch_size=size)
        shuffled = backend.score([sequences[i] for i in order])
        again = backend.score([sequences[i] for i in order] + sequences)
        for got in (shuffled, again):
            for i, scores in zip(order, got, strict=False):
                assert scores.logprob == pytest.approx(alone[i].logprob, abs=1e-4)
                assert scores.greedy.tolist() == alone[i].greedy.tolist()


def test_only_what_is_asked_is_scored(model, sequences):
    backend = load(model)
    whole = backend.score(sequences)
    at = [sorted(random.Random(i).sample(range(len(ids)), 3 * (i % 3))) for i, ids in enumerate(sequences)]
    heads = []
    backend._base.lm_head.register_forward_hook(lambda *call: heads.append(call[2].shape[:-1].numel()))
    assert backend._causal.splits  # found out before what is counted here
    heads.clear()
    for asked, all_of_it, scores in zip(at, whole, backend.score(sequences, at=at), strict=True):
        assert np.flatnonzero(~np.isnan(scores.logprob)).tolist() == asked
        assert scores.logprob[asked] == pytest.approx(all_of_it.logprob[asked], abs=1e-5)
        rest = np.delete(np.arange(len(scores.logprob)), asked)
        assert set(scores.context[rest].tolist()) <= {-1}
        assert not scores.greedy[rest].any()
    assert sum(heads) == sum(map(len, at))


def test_logits_never_stand_in_memory_as_a_whole(model, sequences, monkeypatch):
    whole = load(model).score(sequences)
    backend = load(model)
    assert backend._causal.splits
    sizes = []
    backend._base.lm_head.register_forward_hook(lambda *call: sizes.append(call[2].numel()))
    monkeypatch.setattr(scoring, "_LOGITS", 5 * backend._causal.vocabulary)
    monkeypatch.setattr(scoring, "_POSITIONS", 1)
    for scores, wanted in zip(backend.score(sequences), whole, strict=True):
        assert scores.logprob == pytest.approx(wanted.logprob, abs=1e-5)
    assert max(sizes) == 5 * backend._causal.vocabulary


def test_a_model_whose_head_cannot_be_left_out(model, sequences):
    backend = load(model)
    backend._causal.__dict__.update(splits=False, caches_plainly=False, branches_plainly=False)
    for scores, wanted in zip(backend.score(sequences), load(model).score(sequences), strict=True):
        assert scores.logprob == pytest.approx(wanted.logprob, abs=1e-4)
    spans = [sequences[1][3:6], sequences[2][:4]]
    for scores, wanted in zip(
        backend.score_spans(sequences[0], spans), load(model).score_spans(sequences[0], spans), strict=True
    ):
        assert scores.logprob == pytest.approx(wanted.logprob, abs=1e-4)


def test_a_long_text_goes_through_windows_and_says_what_each_token_saw(model, sequences):
    ids = [token for row in sequences for token in row][:150]
    net = AutoModelForCausalLM.from_pretrained(model).eval()
    backend = load(model)
    for window, context in ((40, 20), (40, 39), (64, 0), (17, 5)):
        (scores,) = backend.score([ids], window=window, context=context)
        assert not np.isnan(scores.logprob).any()
        assert (scores.context[window:] >= context).all()
        assert scores.context[:window].tolist() == list(range(window))
        for token in range(0, 150, 7):
            seen = ids[token - scores.context[token] : token + 1]
            assert len(seen) <= window
            assert scores.logprob[token] == pytest.approx(
                float(reference(net, seen)[-1, ids[token]]), abs=1e-4
            )
    with pytest.raises(ValueError, match="shorter than the window"):
        backend.score([ids], window=10, context=10)


def test_a_text_longer_than_the_model_is_scored_whole(model):
    backend = load(model)
    ids = [int(token) for token in np.random.default_rng(0).integers(3, 300, 1500)]
    (scores,) = backend.score([ids])
    assert not np.isnan(scores.logprob).any()
    assert (scores.context[1024:] >= 512).all()
    assert scores.context.max() == 1023


def test_without_a_beginning_the_first_token_has_no_score(tmp_path):
    backend = load(make_model(tmp_path / "no_bos", bos=False))
    ids = backend.tokenize(TEXTS[:1])[0].ids
    (scores,) = backend.score([ids])
    assert np.isnan(scores.logprob).tolist() == [True] + [False] * (len(ids) - 1)
    assert scores.context.tolist() == [-1, *range(1, len(ids))]
    net = AutoModelForCausalLM.from_pretrained(tmp_path / "no_bos").eval()
    wanted = torch.log_softmax(reference(net, ids, leading=()), -1)[range(len(ids) - 1), ids[1:]]
    assert scores.logprob[1:] == pytest.approx(wanted.numpy(), abs=1e-4)
    for start in (0, 1, 5):
        (span,) = backend.score_spans(ids, [ids[start : start + 4]], starts=[start])
        assert span.logprob == pytest.approx(scores.logprob[start : start + 4], abs=1e-4, nan_ok=True)
    assert backend.score([[], [5]])[1].context.tolist() == [-1]


def test_spans_after_a_shared_context_score_as_in_the_whole(model, sequences):
    backend = load(model, batch_size=4)
    text = sequences[0]
    candidates = [sequences[i % 5][i : i + 1 + i % 7] for i in range(12)]
    starts = [(0, len(text), 7, 20)[i % 4] for i in range(12)]
    made = backend.score_spans(text, candidates, starts=starts)
    whole = backend.score([[*text[:s], *c] for s, c in zip(starts, candidates, strict=True)])
    for start, candidate, span, scores in zip(starts, candidates, made, whole, strict=True):
        assert span.logprob == pytest.approx(scores.logprob[start:], abs=1e-4)
        assert span.context.tolist() == list(range(start, start + len(candidate)))
        assert span.rank.tolist() == scores.rank[start:].tolist()
    end = backend.score_spans(text, candidates)
    assert [len(span.logprob) for span in end] == [len(candidate) for candidate in candidates]
    assert end[0].context[0] == len(text)
    assert backend.score_spans(text, [[]])[0].logprob.shape == (0,)


def test_spans_in_a_long_text_see_what_fits(model, sequences):
    backend = load(model)
    text = [token for row in sequences for token in row][:150]
    starts = [3, 3, 38, 39, 60, 100, 150]
    candidates = [sequences[i % 5][:4] for i in range(7)]
    for span, start, candidate in zip(
        backend.score_spans(text, candidates, starts=starts, window=40, context=20),
        starts,
        candidates,
        strict=True,
    ):
        seen = int(span.context[0])
        assert min(start, 20) <= seen
        assert seen + len(candidate) <= 40
        (wanted,) = backend.score([[*text[start - seen : start], *candidate]])
        assert span.logprob == pytest.approx(wanted.logprob[seen:], abs=1e-4)
    with pytest.raises(ValueError, match="longer than a window"):
        backend.score_spans(text, [text[:50]], window=40)


def test_decodings_are_those_of_transformers(model, sequences):
    decodings = [Decoding(0.5), Decoding(1.0, 10), Decoding(0.7, 20, 0.8), Decoding(top_p=0.3)]
    net = AutoModelForCausalLM.from_pretrained(model).eval()
    ids = sequences[4]
    (scores,) = load(model).score([ids], decodings=decodings)
    assert scores.decoded.shape == (len(ids), 4)
    with torch.no_grad():
        logits = net(input_ids=torch.tensor([[0, *ids]])).logits[0, :-1]
    for column, decoding in enumerate(decodings):
        wanted = TemperatureLogitsWarper(decoding.temperature)(None, logits)
        if decoding.top_k:
            wanted = TopKLogitsWarper(decoding.top_k)(None, wanted)
        if decoding.top_p:
            wanted = TopPLogitsWarper(decoding.top_p)(None, wanted)
        wanted = torch.log_softmax(wanted, -1)[range(len(ids)), ids].numpy()
        assert scores.decoded[:, column] == pytest.approx(wanted, abs=1e-4)
    assert np.isneginf(scores.decoded[:, 3]).any()


def test_a_batch_that_outgrows_the_memory_is_halved(model, sequences, monkeypatch):
    real = backend_module.read_rows

    def greedy_for_memory(causal, rows, decodings):
        if len(rows) > 2:
            raise torch.OutOfMemoryError
        return real(causal, rows, decodings)

    wanted = load(model).score(sequences)
    monkeypatch.setattr(backend_module, "read_rows", greedy_for_memory)
    backend = load(model, batch_size=8)
    made = backend.score(sequences)
    assert [s.greedy.tolist() for s in made] == [s.greedy.tolist() for s in wanted]
    assert backend.batch_size == 2

    def never(causal, rows, decodings):
        raise torch.OutOfMemoryError

    monkeypatch.setattr(backend_module, "read_rows", never)
    assert backend.score(sequences[:2]) == [None, None]


def test_an_adapter_is_scored_as_it_is_deployed(model, sequences, tmp_path):
    torch.manual_seed(3)
    base = AutoModelForCausalLM.from_pretrained(model)
    tuned = get_peft_model(
        base, LoraConfig(r=4, target_modules=["q_proj", "v_proj", "lm_head"], init_lora_weights=False)
    )
    tuned.save_pretrained(tmp_path / "adapter")
    backend = load(model, tmp_path / "adapter")
    assert backend._causal.splits
    assert backend._causal.branches_plainly
    for ids, scores in zip(sequences, backend.score(sequences), strict=True):
        wanted = reference(tuned.eval(), ids)[range(len(ids)), ids]
        assert scores.logprob == pytest.approx(wanted.numpy(), abs=1e-4)
    (span,) = backend.score_spans(sequences[0], [sequences[1][:5]], starts=[9])
    (scores,) = backend.score([[*sequences[0][:9], *sequences[1][:5]]])
    assert span.logprob == pytest.approx(scores.logprob[9:], abs=1e-4)


def test_the_pass_says_where_greedy_generation_leaves_the_note_for_every_prefix(model, trained, sequences):
    folder, texts = trained
    for place in (folder, model):
        backend = load(place)
        rows = sequences[3:7] if place == model else [tokens.ids for tokens in backend.tokenize(texts)]
        runs = [longest_greedy_runs(scores.greedy) for scores in backend.score(rows)]
        cuts = [(number, cut) for number, row in enumerate(rows) for cut in range(1, len(row))]
        # Asked directly, in padded batches and one by one, so that no answer is taken from another prompt.
        prompts = [rows[number][:cut] for number, cut in cuts]
        together = [
            made
            for at in range(0, len(cuts), 64)
            for made in backend._generate_batch(prompts[at : at + 64], 60)
        ]
        alone = [backend._generate_whole([[0, *prompt]], 60)[0] for prompt in prompts[::9]]
        for step, answers in ((1, together), (9, alone)):
            for (number, cut), (ids, _) in zip(cuts[::step], answers, strict=True):
                free = [token for token in ids if token != 1]
                assert runs[number][cut] == common_prefix(free, rows[number][cut:])
        assert max(run.max() for run in runs) > 15


def test_nested_prefixes_are_answered_as_if_each_were_asked(trained):
    folder, texts = trained
    backend = load(folder, batch_size=8)
    rows = [tokens.ids for tokens in backend.tokenize(texts)]
    prompts = [row[:cut] for cut in (5, 10, 20, 30) for row in rows] * 2
    asked = []
    real = backend._generate_batch

    def counted(batch, new):
        asked.extend(batch)
        return real(batch, new)

    backend._generate_batch = counted
    made = backend.generate(prompts, 60)
    assert len(asked) < 0.8 * len(prompts) / 2
    for prompt, answer in zip(prompts, made, strict=True):
        (single,) = load_once(folder).generate([prompt], 60)
        assert (answer.ids, answer.text, answer.stop) == (single.ids, single.text, single.stop)
        assert answer.mean_logprob == pytest.approx(single.mean_logprob, abs=1e-4)


@cache
def load_once(folder):
    return load(folder, batch_size=1)


def test_extractable_is_what_generation_gives(trained):
    folder, texts = trained
    backend = load(folder)
    rows = [t.ids for t in backend.tokenize(texts)]
    said = [
        is_extractable(scores.greedy, prompt=k, length=8)
        for k in (6, 12, 20)
        for scores in backend.score(rows)
    ]
    made = backend.generate([row[:k] for k in (6, 12, 20) for row in rows], 8)
    gold = [row[k : k + 8] for k in (6, 12, 20) for row in rows]
    assert said == [g.ids == want for g, want in zip(made, gold, strict=True)]
    assert {True, False} == set(said)


def common_prefix(a, b):
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def test_who_can_score(model):
    assert isinstance(load(model), ScoringBackend)
    assert not isinstance(EchoBackend(), ScoringBackend)


def test_a_batch_of_texts_holds_so_many_positions_and_no_more(model, sequences, monkeypatch):
    wanted = load(model).score(sequences)
    monkeypatch.setattr(backend_module, "_SCORED_AT_ONCE", 90)
    backend, sizes = load(model), []
    real = backend._causal.hidden
    assert backend._causal.splits
    monkeypatch.setattr(backend._causal, "hidden", lambda ids: (sizes.append(ids.shape), real(ids))[1])
    for scores, whole in zip(backend.score(sequences), wanted, strict=True):
        assert scores.logprob == pytest.approx(whole.logprob, abs=1e-4)
    assert all(rows == 1 or rows * width <= 90 for rows, width in sizes)
    assert 1 < len(sizes) < len(sequences)
