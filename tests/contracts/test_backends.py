"""What every backend must do, on a tiny model's files."""

import pytest
from tiny_model import TEXTS, make_model

from phiscan.protocols import BackendSettings, Decoding, ModelSource, SamplingBackend
from phiscan.registry import load_plugin, plugin_names

NAMES = plugin_names("backends")


@pytest.fixture(scope="module", params=NAMES)
def backend(request, tmp_path_factory):
    folder = make_model(tmp_path_factory.mktemp("model"))
    return load_plugin("backends", request.param).build(
        ModelSource(str(folder)), BackendSettings(batch_size=4)
    )


@pytest.fixture(scope="module")
def prompts(backend):
    rows = [tokens.ids for tokens in backend.tokenize(TEXTS[:3])]
    return [row[:n] for row in rows for n in (3, 9, 17)]


def check_answers(answers, prompts, most):
    assert len(answers) == len(prompts)
    for answer in answers:
        assert len(answer.ids) == len(answer.ends) <= most
        assert answer.stop in ("eos", "length")
        assert (answer.mean_logprob is None) == (not answer.ids)
        assert answer.mean_logprob is None or answer.mean_logprob <= 0


def test_answers_come_in_the_order_of_the_prompts_whatever_stands_beside_them(backend, prompts):
    answers = backend.generate(prompts, 12)
    check_answers(answers, prompts, 12)
    assert [a.ids for a in backend.generate(prompts[::-1], 12)] == [a.ids for a in answers[::-1]]
    assert [backend.generate([prompt], 12)[0].ids for prompt in prompts] == [a.ids for a in answers]
    assert backend.generate([], 12) == []


def test_a_seed_names_an_answer(backend, prompts):
    if not isinstance(backend, SamplingBackend):
        pytest.skip("only decodes greedily")
    for decoding in (Decoding(0.7), Decoding(1.0, 10)):
        seeds = [2**62 - number for number in range(len(prompts))]
        drawn = backend.sample(prompts, 12, decoding=decoding, seeds=seeds)
        check_answers(drawn, prompts, 12)
        turned = backend.sample(prompts[::-1], 12, decoding=decoding, seeds=seeds[::-1])
        assert [a.ids for a in turned] == [a.ids for a in drawn[::-1]]
        [alone] = backend.sample(prompts[4:5], 12, decoding=decoding, seeds=seeds[4:5])
        assert alone.ids == drawn[4].ids
    one_token = backend.sample(prompts, 12, decoding=Decoding(1.0, 1), seeds=seeds)
    assert [a.ids for a in one_token] == [a.ids for a in backend.generate(prompts, 12)]
