"""Prompts in token space, equal prompts asked once, and replayed rows put where they belong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.backends.echo import EchoBackend
from phiscan.errors import ConfigError
from phiscan.protocols import Generated, Tokens
from phiscan.records import Note, arm_of
from phiscan.regenerate import RegenerateSettings, continue_prompts, make_prompts
from phiscan.replay import (
    MOST_LENGTHS,
    choose_control,
    find_prefix,
    lengths_are_few,
    replay,
    with_prefix_lengths,
)
from phiscan.replay_rows import ReplayRow
from phiscan.words import Vocabulary


def note(ordinal, text, split="member", copy_ids=()):
    return Note(
        note_id=f"N{ordinal}", patient_id=f"P{ordinal}", split=split, note_type=None, date=None,
        n_chars=len(text), n_tokens=None, copies=1 + len(copy_ids), text=text, ordinal=ordinal, row=ordinal,
        copy_ids=copy_ids, crlf=(),
    )  # fmt: skip


def tokens_of(notes):
    backend = EchoBackend()
    return {n.note_id: t for n, t in zip(notes, backend.tokenize([n.text for n in notes]), strict=True)}


@given(st.lists(st.text(min_size=1, max_size=80), min_size=1, max_size=5))
def test_a_prompt_for_each_length_a_note_is_longer_than(texts):
    notes = [note(i, text) for i, text in enumerate(texts)]
    settings = RegenerateSettings(prefix_lengths=(5, 20, 60))
    prompts = [one.prompt for one in make_prompts(notes, tokens_of(notes), settings)]
    assert [(p.note_id, p.prefix_tok) for p in prompts] == [
        (n.note_id, length) for n in notes for length in (5, 20, 60) if len(n.text) > length
    ]
    for prompt in prompts:
        text = notes[int(prompt.note_id[1:])].text
        assert prompt.text == text[: prompt.prefix_end]
        assert prompt.prefix_end == prompt.prefix_tok
    assert len({prompt.prompt_id for prompt in prompts}) == len(prompts)


def test_a_token_that_ends_inside_a_character_takes_it_whole():
    settings = RegenerateSettings(prefix_lengths=(2,))
    [(prompt, _)] = make_prompts([note(0, "a🙂b")], {"N0": Tokens([1, 2, 3, 4], [1, 2, 2, 3])}, settings)
    assert prompt.text == "a🙂"


class Counting(EchoBackend):
    asked = 0

    def generate(self, prompts, max_new_tokens):
        self.asked += len(prompts)
        return [
            None if len(p) == 7 else g
            for p, g in zip(prompts, super().generate(prompts, max_new_tokens), strict=True)
        ]


def test_equal_prompts_are_asked_once_and_what_failed_is_kept_as_failed():
    notes = [
        note(0, "same opening, one end"),
        note(1, "same opening, another end"),
        note(2, "short x, and more"),
    ]
    settings = RegenerateSettings(prefix_lengths=(7, 12))
    tokens = tokens_of(notes)
    asked = make_prompts(notes, tokens, settings)
    backend = Counting()
    made = continue_prompts(asked, lambda p: "scanned", backend, settings, Vocabulary())
    assert backend.asked == 4
    assert [c.prompt_id for c in made] == [one.prompt.prompt_id for one in asked]
    assert [c.stop for c in made] == ["failed", "eos"] * 3
    assert made[1].text == "same opening"
    assert (made[0].text, made[0].token_ids, made[0].degenerate) == ("", None, None)


def test_echo_stops_at_the_limit_and_of_nothing_says_nothing():
    made = EchoBackend().generate([[97, 98, 99], []], 2)
    assert made == [Generated([97, 98], [1, 2], "ab", "eos", 0.0), Generated([], [], "", "eos", None)]


@pytest.mark.parametrize("lengths", [(), (0,), (5, 5), (9, 3)])
def test_prefix_lengths_ascend(lengths):
    with pytest.raises(ValueError, match="ascending"):
        RegenerateSettings(prefix_lengths=lengths)


def test_arms():
    assert [arm_of(s, control=c) for s in ("member", "holdout") for c in (False, True)] == [
        "scanned",
        "control",
        "holdout",
        "control_holdout",
    ]


# --- replay ---------------------------------------------------------------------------------


def row(number, note_id, prefix, continuation="x", model=None):
    return ReplayRow(row=number, note_id=note_id, prefix=prefix, continuation=continuation, model=model)


@pytest.mark.parametrize(
    ("text", "prefix", "place"),
    [
        ("abcabc", "abc", (0, 3)),
        ("xabc", "abc", (1, 4)),
        ("xabcabc", "abc", None),
        ("abc", "z", None),
        ("abc", "", (0, 0)),
    ],
)
def test_a_prefix_is_sought_at_the_start_then_as_the_only_place(text, prefix, place):
    assert find_prefix(text, prefix) == place


def test_rows_become_prompts_draws_and_arms():
    notes = {"N0": note(0, "one two three", copy_ids=("C0",)), "N1": note(1, "four five", "holdout")}
    notes["C0"] = notes["N0"]
    rows = [
        row(1, "N0", "one", "a"),
        row(2, "C0", "one", "b"),
        row(3, "N0", "one", "c", "base"),
        row(4, "N1", "four"),
        row(5, "Z", "one"),
        row(6, "Y", "one"),
    ]
    made = replay(rows, notes, control="base", tokenize=None, vocabulary=Vocabulary())
    assert [p.prompt_id for p in made.prompts] == [
        "n0000000.given.0",
        "n0000001.given.0",
        "unknown5.given.0",
        "unknown6.given.0",
    ]
    assert [(c.arm, c.draw, c.note_id) for c in made.continuations] == [
        ("scanned", 0, "N0"),
        ("scanned", 1, "N0"),
        ("control", 0, "N0"),
        ("holdout", 0, "N1"),
        ("scanned", 0, "Z"),
        ("scanned", 0, "Y"),
    ]
    assert len({c.gen_id for c in made.continuations}) == 6


def test_lengths_in_tokens_all_or_none():
    here = note(0, "one two three")
    at_start, inside, nowhere = ((here, prefix) for prefix in ("one", "two", "four"))
    assert lengths_are_few([at_start, nowhere], lambda _, end: end)
    assert not lengths_are_few([at_start, inside], lambda _, end: end)
    many = [(here, here.text[:end]) for end in range(1, MOST_LENGTHS + 2)]
    assert lengths_are_few(many[:-1], lambda _, end: end)
    assert not lengths_are_few(many, lambda _, end: end)
    rows = [row(1, "N0", "one"), row(2, "N0", "four")]
    made = replay(rows, {"N0": here}, control=None, tokenize=None, vocabulary=Vocabulary())
    assert [p.prefix_tok for p in with_prefix_lengths(made.prompts, lambda p: 1)] == [1, None]


def test_models_of_a_replay_file_must_be_told_apart():
    two = {"tuned", "base"}
    choose_control(two, "base")
    with pytest.raises(ConfigError, match="several models"):
        choose_control(two, None)
    with pytest.raises(ConfigError, match="no row"):
        choose_control(two, "other")
    with pytest.raises(ConfigError, match="several models"):
        choose_control({*two, "third"}, "base")
