"""Exposure: what one pass says equals what generation does and what the model's own probabilities add up to."""

import dataclasses
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_model import make_model

from phiscan.backends.transformers import build
from phiscan.decoys import Decoys, make_decoys
from phiscan.expose import Asked, ExposeSettings, audit_notes, by_patient, expose_notes
from phiscan.greedy_runs import K, discoverable
from phiscan.protocols import BackendSettings, ModelSource, Scores, Tokens
from phiscan.records import Note, Phi

TEXT = (
    "Admitted 3/14/2021 with chest pain; Mara Quillon takes her tablets. MRN 00482913, call 617-555-0142. "
    "Follow up in two weeks with the renal team. No new complaints, wound clean and dry. Blood pressure 120/80."
)


def note(text=TEXT, ordinal=0, split="member", patient_id="p1"):
    return Note(
        note_id=f"n{ordinal}", patient_id=patient_id, split=split, note_type=None, date=None, n_chars=len(text),
        n_tokens=None, copies=1, text=text, ordinal=ordinal, row=1, copy_ids=(), crlf=(),
    )  # fmt: skip


def phi(value, category, number, text=TEXT, note_id="n0", patient_id="p1"):
    start = text.index(value)
    return Phi(
        phi_id=f"{note_id}.{number}", patient_id=patient_id, note_id=note_id, start=start, end=start + len(value),
        category=category, hipaa=None, group="other", canonical=value, score=1.0, detector="rules", rule=None, text=value,
    )  # fmt: skip


SPANS = (
    phi("3/14/2021", "DATE", 0),
    phi("Mara Quillon", "PATIENT", 1),
    phi("00482913", "MEDICALRECORD", 2),
    phi("617-555-0142", "PHONE", 3),
)


def drawn(count):
    return lambda note, phi: make_decoys(phi.category, phi.text, count, random.Random(phi.phi_id))


@pytest.fixture(scope="module")
def backend(tmp_path_factory):
    return build(
        ModelSource(str(make_model(tmp_path_factory.mktemp("model")))), BackendSettings(batch_size=8)
    )


@pytest.fixture(scope="module")
def asked(backend):
    return [Asked(note(), backend.tokenize([TEXT])[0], SPANS)]


@pytest.fixture(scope="module")
def audited(backend, asked):
    return audit_notes(asked, backend, ExposeSettings(), arm_of=lambda n: "scanned", lengths=(10, 40, 10_000))


@pytest.fixture(scope="module")
def exposed(backend, asked, audited):
    scores = audited.scores
    return expose_notes(
        asked, scores, scores, backend, ExposeSettings(), tokenize=backend.tokenize, decoys_of=drawn(9)
    )


def test_the_probability_of_a_span_is_the_product_of_its_tokens(asked, audited, exposed):
    [scores] = audited.scores
    tokens = asked[0].tokens
    for row, span in zip(exposed, SPANS, strict=True):
        starts = [0, *tokens.ends[:-1]]
        inside = [
            i
            for i, (a, b) in enumerate(zip(starts, tokens.ends, strict=True))
            if b > span.start and a < span.end
        ]
        assert row.n_tok == len(inside)
        assert row.logprob == pytest.approx(float(scores.logprob[inside].astype(np.float64).sum()))
        assert row.greedy == bool(scores.greedy[inside].all())
        assert row.context_tok == inside[0]
        assert not row.windowed


def test_the_control_is_scored_alike(exposed):
    assert all(row.control_logprob == row.logprob for row in exposed)


def test_ranks_are_among_the_decoys_and_bits_follow(exposed):
    ranked = [row for row in exposed if row.rank is not None]
    assert len(ranked) == 4
    for row in ranked:
        assert 1 <= row.rank <= row.decoys + 1 == 10
        assert row.exposure_bits == pytest.approx(math.log2(10 / row.rank))
        assert row.space_bits > 0


def test_only_what_stands_out_most_is_ranked(backend, asked, audited):
    scores = audited.scores
    rows = expose_notes(
        asked, scores, None, backend, ExposeSettings(top=2), tokenize=backend.tokenize, decoys_of=drawn(3)
    )
    assert sum(row.rank is not None for row in rows) == 2
    none = expose_notes(
        asked, scores, None, backend, ExposeSettings(decoys=0), tokenize=backend.tokenize, decoys_of=None
    )
    assert [row.rank for row in none] == [None] * 4
    assert [row.control_logprob for row in none] == [None] * 4


def test_runs_are_those_of_greedy_generation(backend, asked, audited):
    rows = audited.audits
    ids = asked[0].tokens.ids
    assert [row.prefix_tok for row in rows] == [10, K, 40]
    for row in rows:
        [answer] = backend.generate([ids[: row.prefix_tok]], len(ids) - row.prefix_tok)
        rest = ids[row.prefix_tok :]
        same = next(
            (i for i, (a, b) in enumerate(zip(answer.ids, rest, strict=False)) if a != b),
            min(len(answer.ids), len(rest)),
        )
        assert row.run_tok == same
        assert row.n_tokens == len(rest)
        assert row.next_tok == min(50, len(rest))


class Said:
    """A backend that says what a test wants: every token has the same probability, some are greedy."""

    def __init__(self, greedy, logprob=-1.0):
        self.greedy, self.logprob = greedy, logprob

    def score(self, sequences, *, at=None, window=None, context=None, decodings=()):
        return [
            Scores(
                logprob=np.full(len(ids), self.logprob, np.float32),
                greedy=np.array(self.greedy[: len(ids)]),
                tie=np.zeros(len(ids), bool),
                rank=np.zeros(len(ids), np.int32),
                context=np.arange(len(ids), dtype=np.int32),
                decoded=np.zeros((len(ids), 0), np.float32),
            )
            for ids in sequences
        ]

    def score_spans(self, ids, candidates, *, starts=None, window=None, context=None, decodings=()):
        return self.score(candidates)


def per_character(text):
    return Tokens([ord(c) for c in text], list(range(1, len(text) + 1)))


def test_a_span_is_greedy_only_whole():
    text = "name Ada Quill here"
    span = phi("Ada Quill", "PATIENT", 0, text)
    for greedy, expected in (
        ([True] * 19, True),
        ([c != "i" for c in text], False),
        ([5 <= i < 14 for i in range(19)], True),
    ):
        said = Said(greedy)
        one = [Asked(note(text), per_character(text), (span,))]
        scores = audit_notes(one, said, ExposeSettings(), arm_of=lambda n: "scanned", lengths=()).scores
        [row] = expose_notes(one, scores, None, said, ExposeSettings(decoys=0), tokenize=None, decoys_of=None)
        assert (row.greedy, row.n_tok, row.logprob) == (expected, 9, -9.0)


class Likelier:
    """A backend that holds some texts likelier than others; a token is a character."""

    def __init__(self, logprobs):
        self.logprobs = logprobs

    def score_spans(self, ids, candidates, *, starts=None, window=None, context=None, decodings=()):
        said = ["".join(map(chr, candidate)) for candidate in candidates]
        return [self._scores(text) for text in said]

    def _scores(self, text):
        [value] = [value for ending, value in self.logprobs.items() if text.endswith(ending)]
        return Said([True] * len(text), value / len(text)).score([text])[0]


def test_a_rank_among_other_patients_values_stands_beside_the_one_among_all():
    text = "seen at Ellsby today"
    one = Asked(note(text), per_character(text), (phi("Ellsby", "CITY", 0, text),))
    [scores] = Said([True] * len(text)).score([one.tokens.ids])
    model = Likelier({"Ellsby": -5.0, "Dunmoor": -4.0, "Carrow": -9.0, "Quillon": -3.0, "Harrow": -5.0})

    def row(values, given):
        found = Decoys(tuple(values), given, 10.0)
        [made] = expose_notes(
            [one], [scores], None, model, ExposeSettings(),
            tokenize=lambda texts: [per_character(text) for text in texts], decoys_of=lambda note, phi: found,
        )  # fmt: skip
        return made.rank, made.decoys, made.given_rank, made.given_decoys

    assert row(["Dunmoor", "Carrow", "Quillon"], 2) == (3, 3, 2, 2)
    assert row(["Carrow", "Quillon"], 1) == (2, 2, 1, 1)
    assert row(["Harrow"], 1) == (2, 1, 2, 1), "as probable counts against the value"
    assert row(["Carrow"], 0) == (1, 1, None, 0)


def test_what_was_said_before_is_flagged_and_not_ranked(backend):
    text = "Mara Quillon, MRN 00482913. Later MARA QUILLON again; see 00482913."
    second = phi("00482913", "MEDICALRECORD", 1, text)
    again = text.rindex("00482913")
    spans = (
        phi("Mara Quillon", "PATIENT", 0, text),
        second,
        phi("MARA QUILLON", "PATIENT", 2, text),
        dataclasses.replace(second, phi_id="n0.3", start=again, end=again + 8),
    )
    one = [Asked(note(text), backend.tokenize([text])[0], spans)]
    scores = audit_notes(one, backend, ExposeSettings(), arm_of=lambda n: "scanned", lengths=()).scores
    settings = ExposeSettings(ranked="all")
    rows = expose_notes(one, scores, None, backend, settings, tokenize=backend.tokenize, decoys_of=drawn(3))
    assert [row.shown_before for row in rows] == [False, False, True, True]
    assert [row.rank is not None for row in rows] == [True, True, False, False]
    [(_, most)] = by_patient(rows, {"n0": "p1"}, 9).items()
    assert {row.phi_id for row in most} == {"n0.0", "n0.1"}


def test_a_note_that_could_not_be_scored_gives_no_rows(asked):
    rows = expose_notes(asked, [None], None, Said([]), ExposeSettings(), tokenize=None, decoys_of=None)
    assert rows == []


def test_the_most_exposed_come_greedy_first(exposed):
    [(patient, rows)] = by_patient(exposed, {"n0": "p1"}, 3).items()
    assert patient == "p1"
    assert len(rows) == 3
    assert [row.greedy for row in rows] == sorted((row.greedy for row in rows), reverse=True)


@given(st.floats(-60, 0), st.integers(1, 100_000))
def test_more_draws_never_find_less(logprob, n):
    chance = discoverable(logprob, n)
    assert 0 <= chance <= 1
    assert discoverable(logprob, n + 1) >= chance
    if n * math.exp(logprob) < 1e-9:
        assert chance == pytest.approx(n * math.exp(logprob), rel=1e-6)


def test_draws_by_hand():
    assert discoverable(math.log(0.5), 1) == pytest.approx(0.5)
    assert discoverable(math.log(0.1), 2) == pytest.approx(0.19)
    assert discoverable(0.0, 1) == 1.0
