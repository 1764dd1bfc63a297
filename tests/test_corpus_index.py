"""The corpus index against counting by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.corpus_index import CorpusIndex, UnitText, build_corpus_index, window_hashes


def text_of(units):
    ends = list(range(1, len(units) + 1))
    return UnitText(units, [0, *ends[:-1]] if units else [], ends)


def index_of(tmp_path, notes, patients):
    build_corpus_index(tmp_path / "index", [text_of(note) for note in notes], patients)
    return CorpusIndex(tmp_path / "index")


def windows(note):
    return [tuple(note[i : i + 30]) for i in range(len(note) - 29)]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_patients_and_places_are_those_counted_by_hand(tmp_path_factory, data):
    block = st.sampled_from([tuple(range(40)), tuple(range(100, 135)), (7,) * 32])
    noise = st.lists(st.integers(200, 203), max_size=20)
    notes, patients, patient = [], [], 0
    for _ in range(data.draw(st.integers(1, 6))):
        patient += data.draw(st.integers(0, 1))
        patients.append(patient)
        notes.append([*data.draw(noise), *data.draw(block), *data.draw(noise)])
    index = index_of(tmp_path_factory.mktemp("c"), notes, patients)
    query = [*data.draw(noise), *data.draw(block), *data.draw(noise)]
    by_hand = [
        len({p for note, p in zip(notes, patients, strict=True) if window in windows(note)})
        for window in windows(query)
    ]
    assert index.window_patients(query).tolist() == by_hand
    found = {
        (start, place.note, place.unit) for start, place in index.window_places(query, range(len(by_hand)))
    }
    expected = {
        (start, n, at)
        for start, window in enumerate(windows(query))
        for n, note in enumerate(notes)
        for at, other in enumerate(windows(note))
        if other == window
    }
    assert found == expected


def test_windows_do_not_cross_from_note_to_note(tmp_path):
    index = index_of(tmp_path, [list(range(20)), list(range(20, 40))], [0, 1])
    assert index.window_patients(list(range(40))).tolist() == [0] * 11


def test_a_hash_collision_is_not_a_place(tmp_path):
    index = index_of(tmp_path, [list(range(30))], [0])
    index.hashes = window_hashes(np.arange(100, 130))
    assert list(index.window_places(list(range(100, 130)), [0])) == []


def test_notes_of_a_patient_must_stand_together(tmp_path):
    with pytest.raises(ValueError, match="stand together"):
        build_corpus_index(tmp_path, [text_of([1])] * 3, [0, 1, 0])


def test_an_empty_corpus_answers(tmp_path):
    index = index_of(tmp_path, [[]], [0])
    assert index.window_patients(list(range(31))).tolist() == [0, 0]
