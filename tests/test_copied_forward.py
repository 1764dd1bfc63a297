"""Shares of copied text against runs found one pair at a time."""

import random

import numpy as np
import pytest

from phiscan.copied_forward import copied_shares
from phiscan.corpus_builder import build_corpus_index
from phiscan.corpus_index import CorpusIndex, UnitText
from phiscan.runs import maximal_runs


def build(folder, notes, patients) -> CorpusIndex:
    texts = [UnitText(units, list(range(len(units))), [n + 1 for n in range(len(units))]) for units in notes]
    build_corpus_index(folder, texts, patients)
    return CorpusIndex(folder)


def by_pairs(notes, patients) -> list[float]:
    shares = []
    for a, (note, patient) in enumerate(zip(notes, patients, strict=True)):
        copied = np.zeros(len(note), dtype=bool)
        for b, (other, owner) in enumerate(zip(notes, patients, strict=True)):
            if a != b and owner == patient:
                for run in maximal_runs(note, other):
                    copied[run.a_start : run.a_start + run.length] = True
        shares.append(float(copied.mean()) if len(note) else 0.0)
    return shares


@pytest.mark.parametrize("seed", range(6))
def test_shares_are_those_of_all_pairs_within_patients(tmp_path, seed):
    """Passages of 10 to 80 units copied between notes of one patient and of others."""
    rng = random.Random(seed)
    passages = [[rng.randrange(5_000) for _ in range(rng.randrange(10, 80))] for _ in range(8)]
    notes, patients = [], []
    for patient in range(5):
        for _ in range(rng.randrange(3, 6)):
            parts = [
                rng.choice(passages) if rng.random() < 0.5 else [rng.randrange(5_000) for _ in range(20)]
                for _ in range(rng.randrange(7))
            ]
            notes.append([unit for part in parts for unit in part])
            patients.append(patient)
    index = build(tmp_path / "index", notes, patients)
    found = copied_shares(index, range(len(notes)), template_patients=6)  # more than there are: no template
    assert found.tolist() == by_pairs(notes, patients)
    assert max(found) > 0


def test_boilerplate_alone_is_no_copy(tmp_path):
    form, rest = list(range(60)), iter(range(100, 10_000))
    notes = [form + [next(rest) for _ in range(40)] for _ in range(6)]
    index = build(tmp_path / "index", notes, [0, 0, 1, 1, 2, 2])
    assert copied_shares(index, range(6), template_patients=3).tolist() == [0.0] * 6
    assert copied_shares(index, range(6), template_patients=4).tolist() == [0.6] * 6


def test_only_the_notes_asked_for_and_none(tmp_path):
    text = list(range(50))
    index = build(tmp_path / "index", [text, text + text[::-1], [7]], [0, 0, 0])
    assert copied_shares(index, [1, 2], template_patients=3).tolist() == [0.5, 0.0]
    assert copied_shares(index, [], template_patients=3).shape == (0,)
