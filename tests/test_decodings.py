"""Names of ways of decoding, and the seeds of draws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.backends.echo import EchoBackend
from phiscan.decodings import STUDY, ask_model, decoding_of, draw_seed, name_of
from phiscan.errors import ConfigError
from phiscan.protocols import Decoding, SamplingBackend
from phiscan.regenerate import RegenerateSettings


def test_the_study_is_greedy_five_temperatures_and_two_cuts():
    assert [decoding_of(name) for name in STUDY] == [
        None,
        *(Decoding(temperature) for temperature in (0.1, 0.3, 0.5, 0.7, 1.0)),
        Decoding(1.0, 10),
        Decoding(1.0, 50),
    ]
    assert RegenerateSettings(decodings=STUDY).decodings == STUDY


@given(st.integers(1, 1000), st.none() | st.integers(1, 999_999))
def test_every_way_has_one_name(hundredths, top_k):
    decoding = Decoding(hundredths / 100, top_k)
    name = name_of(decoding)
    assert decoding_of(name) == decoding
    assert RegenerateSettings(decodings=(name,)).decodings == (name,)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("",), "write greedy, t0.7"),
        (("Greedy",), "write greedy, t0.7"),
        (("k0",), "write greedy, t0.7"),
        (("k10t0.7",), "write greedy, t0.7"),
        (("t-1",), "write greedy, t0.7"),
        (("tNaN",), "write greedy, t0.7"),
        (("t0",), "temperatures go from 0.01 to 10"),
        (("t11",), "temperatures go from 0.01 to 10"),
        (("greedy", "greedy"), "each way of decoding once"),
        (("t1.0", "t1"), "each way of decoding once"),
        (("k10", "t1k10"), "each way of decoding once"),
        ((), "at least 1"),
    ],
)
def test_what_is_no_way_of_decoding_is_refused_in_one_line(names, words):
    with pytest.raises(ValueError, match=words) as caught:
        RegenerateSettings(decodings=names)
    assert all(len(name) < 2 or name == "greedy" or f"'{name}'" not in str(caught.value) for name in names)


def test_draws_without_a_way_that_draws_are_refused():
    assert RegenerateSettings(decodings=("t0.7",), draws=3).draws == 3
    with pytest.raises(ValueError, match="greedy decoding has one answer"):
        RegenerateSettings(draws=2)


@given(st.integers(0, 2**31), st.text(max_size=20), st.integers(0, 9))
def test_seeds_are_of_prompt_decoding_and_draw(seed, prompt_id, number):
    mine = draw_seed(seed, prompt_id, "t0.7", number)
    assert -(2**63) <= mine < 2**63
    assert mine == draw_seed(seed, prompt_id, "t0.7", number)
    others = {
        draw_seed(seed + 1, prompt_id, "t0.7", number),
        draw_seed(seed, prompt_id + "x", "t0.7", number),
        draw_seed(seed, prompt_id, "k10", number),
        draw_seed(seed, prompt_id, "t0.7", number + 1),
    }
    assert len(others | {mine}) == 5
    assert draw_seed(seed, prompt_id, "greedy", number) == 0


class GreedyOnly:
    """A backend as simple as the contract allows."""

    def identity(self):
        return EchoBackend().identity()

    def tokenize(self, texts):
        return EchoBackend().tokenize(texts)

    def generate(self, prompts, max_new_tokens):
        return EchoBackend().generate(prompts, max_new_tokens)


def test_a_backend_that_cannot_draw_is_asked_greedily_alone():
    assert not isinstance(GreedyOnly(), SamplingBackend)
    [answer] = ask_model(GreedyOnly(), [[97]], 4, decoding="greedy", seeds=[0])
    assert answer.text == "a"
    with pytest.raises(ConfigError, match="cannot draw answers at random"):
        ask_model(GreedyOnly(), [[97]], 4, decoding="t0.7", seeds=[0])
