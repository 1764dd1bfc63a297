"""The corpus index against a reading of every window of every note."""

import random

import numpy as np
import pytest

from phiscan import corpus_builder, corpus_index, grams
from phiscan.corpus_builder import build_corpus_index
from phiscan.corpus_index import MANY, CorpusIndex, UnitText
from phiscan.runs import maximal_runs

TOKENS = ("units", "begins", "ends")


def text_of(units):
    ends = list(range(1, len(units) + 1))
    return UnitText(units, [0, *ends[:-1]] if units else [], ends)


def index_of(folder, notes, patients):
    build_corpus_index(folder / "index", (text_of(note) for note in notes), patients)
    return CorpusIndex(folder / "index")


def windows(units):
    return [tuple(units[i : i + 30]) for i in range(len(units) - 29)]


def traced_by_hand(query, notes, patients, template_patients):
    """(patients of each window, runs with a window that is no template) from the definitions."""
    held = [set(windows(note)) for note in notes]
    counts = [
        len({p for p, window_set in zip(patients, held, strict=True) if window in window_set})
        for window in windows(query)
    ]
    runs = [
        (note, run)
        for note, units in enumerate(notes)
        for run in maximal_runs(query, units)
        if min(counts[run.a_start : run.a_start + run.length - 29]) < template_patients
    ]
    return counts, sorted(runs)


def random_corpus(rng):
    """Notes made of passages that recur whole, in part and beside one another, and of noise."""
    letters = rng.choice([1, 2, 3, 300, 300])
    sizes = [rng.choice([15, 16, 20, 29, 30, 31, 45, 70]) for _ in range(rng.randrange(1, 6))]
    passages = [[rng.randrange(letters) for _ in range(size)] for size in sizes]

    def text(pieces):
        units = []
        for _ in range(pieces):
            noise = [rng.randrange(letters) for _ in range(rng.randrange(30))]
            units += rng.choice(passages) if rng.random() < 0.6 else noise
        return units

    boilerplate = passages[0] if rng.random() < 0.5 else []
    notes = [text(rng.randrange(4)) + boilerplate for _ in range(rng.choice([1, 5, 30]))]
    patient = 0
    patients = [patient := patient + (rng.random() < 0.6) for _ in notes]
    return notes, patients, [text(rng.randrange(5)) for _ in range(3)]


@pytest.fixture(params=[32, 4, 0], ids=lambda bits: f"hashes of {bits} bits")
def hash_bits(request, monkeypatch):
    """Few hashes, or one: most grams and windows collide, and nothing may change."""
    real = grams.gram_hashes
    for module in (grams, corpus_builder):
        monkeypatch.setattr(module, "gram_hashes", lambda u: real(u) & np.uint32((1 << request.param) - 1))


@pytest.mark.parametrize("pieces", [1 << 16, 64], ids=["whole", "in pieces"])
@pytest.mark.usefixtures("hash_bits")
def test_patients_and_runs_are_those_found_by_hand(tmp_path, monkeypatch, pieces):
    monkeypatch.setattr(corpus_builder, "_CHUNK_UNITS", pieces)
    monkeypatch.setattr(corpus_builder, "_CHUNK_GRAMS", pieces)
    monkeypatch.setattr(corpus_builder, "_BATCH_WINDOWS", pieces)
    monkeypatch.setattr(corpus_index, "_BATCH_UNITS", pieces)
    monkeypatch.setattr(corpus_index, "_BATCH_PLACES", pieces)
    for seed in range(25):
        notes, patients, queries = random_corpus(random.Random(seed))
        index = index_of(tmp_path / str(seed), notes, patients)
        for template_patients in (2, 3, len(notes) + 1):
            traces = index.trace(queries, template_patients=template_patients)
            for query, trace in zip(queries, traces, strict=True):
                counts, runs = traced_by_hand(query, notes, patients, template_patients)
                assert trace.patients.tolist() == counts
                assert sorted(trace.runs) == runs


def boilerplate_corpus(n_notes=1_600, size=80):
    """Half the notes hold one passage of 60 units; two notes a patient."""
    rng = random.Random(3)
    passage = [rng.randrange(10**9) for _ in range(60)]
    notes = []
    for number in range(n_notes):
        own = [rng.randrange(10**9) for _ in range(size)]
        cut = rng.randrange(size)
        notes.append(own[:cut] + passage + own[cut:] if number % 4 < 2 else own)
    return notes, [number // 2 for number in range(n_notes)], passage


def test_boilerplate_is_counted_when_the_index_is_built_and_its_places_are_not_followed(
    tmp_path, monkeypatch
):
    notes, patients, passage = boilerplate_corpus()
    index = index_of(tmp_path, notes, patients)
    assert index.counted_patients.tolist() == [400] * 31
    sought = []
    real = corpus_index.same_units
    monkeypatch.setattr(corpus_index, "same_units", lambda *args: sought.append(len(args[1])) or real(*args))
    [trace] = index.trace([notes[2][:40] + passage + notes[3][:40]], template_patients=3)
    assert trace.patients.tolist()[40:71] == [400] * 31
    assert [note for note, _ in trace.runs] == [2, 3]
    assert sum(sought) < 100


def test_a_run_that_goes_on_through_boilerplate_is_found_whole(tmp_path):
    notes, patients, _ = boilerplate_corpus()
    [trace] = index_of(tmp_path, notes, patients).trace([[9_999, *notes[0], 9_999]], template_patients=3)
    assert trace.runs == [(0, (1, 0, 140))]


def test_every_place_of_a_window_that_is_no_template_is_named_however_many(tmp_path):
    """A note copied forward forty times by two patients is no template, and all copies are sources."""
    note = list(range(100, 160))
    notes = [[number, *note] for number in range(40)]
    index = index_of(tmp_path, notes, [0] * 20 + [1] * 20)
    assert len(index.counted_keys) > 0
    [trace] = index.trace([note], template_patients=3)
    assert set(trace.patients.tolist()) == {2}
    assert [source for source, _ in trace.runs] == list(range(40))


def test_runs_come_in_the_order_of_their_first_window_that_is_no_template(tmp_path):
    a, b, c = (list(range(k, k + 40)) for k in (0, 100, 200))
    notes = [a + b, c, b + c, b]
    [trace] = index_of(tmp_path, notes, [0, 1, 2, 3]).trace([a + b + c], template_patients=3)
    assert [(note, run.a_start) for note, run in trace.runs] == [(0, 0), (2, 40), (1, 80)]


def test_windows_do_not_cross_from_note_to_note(tmp_path):
    index = index_of(tmp_path, [list(range(20)), list(range(20, 40))], [0, 1])
    [trace] = index.trace([list(range(40))], template_patients=3)
    assert trace.patients.tolist() == [0] * 11
    assert trace.runs == []


def test_sequences_traced_together_stay_apart(tmp_path):
    note = list(range(60))
    index = index_of(tmp_path, [note], [0])
    traces = index.trace([note[:29], [], note[29:], note[:30]], template_patients=3)
    assert [trace.patients.tolist() for trace in traces] == [[], [], [1, 1], [1]]
    assert [trace.runs for trace in traces] == [[], [], [(0, (0, 29, 31))], [(0, (0, 0, 30))]]


def test_lists_and_arrays_and_large_units_are_the_same(tmp_path):
    note = [2**32 - 1, 0, 0xD800, 2**31, *range(40)]
    array = np.array(note, dtype=np.int64)
    build_corpus_index(tmp_path / "a", [UnitText(array, array * 0, array * 0)], [0])
    for query in (note, array, tuple(note)):
        [trace] = CorpusIndex(tmp_path / "a").trace([query], template_patients=3)
        assert trace.runs == [(0, (0, 0, 44))]


def test_a_unit_that_takes_more_than_32_bits_is_refused(tmp_path):
    for units in ([-1], [2**32], np.array([-1]), np.array([2**32])):
        with pytest.raises(OverflowError):
            build_corpus_index(tmp_path, [UnitText(units, [0], [1])], [0])


def test_notes_give_back_their_units_and_offsets(tmp_path):
    build_corpus_index(
        tmp_path,
        [UnitText([], [], []), UnitText([7, 8, 9], [0, 4, 9], [3, 8, 12]), UnitText([5], [1], [2])],
        [0, 0, 4],
    )
    index = CorpusIndex(tmp_path)
    assert [index.note_units(note).tolist() for note in range(3)] == [[], [7, 8, 9], [5]]
    assert index.chars(1, 1, 3) == (4, 12)
    assert [index.first_unit_from(1, offset) for offset in (0, 1, 4, 10)] == [0, 1, 1, 3]
    assert [index.patient(note) for note in range(3)] == [0, 0, 4]


def test_notes_of_a_patient_must_stand_together(tmp_path):
    with pytest.raises(ValueError, match="stand together"):
        build_corpus_index(tmp_path, [text_of([1])] * 3, [0, 1, 0])


@pytest.mark.parametrize("notes", [[], [[]], [[], [1] * 10, []], [[1] * 29]])
def test_a_corpus_without_windows_answers(tmp_path, notes):
    index = index_of(tmp_path, notes, [0] * len(notes))
    [trace, nothing] = index.trace([list(range(31)), []], template_patients=3)
    assert trace.patients.tolist() == [0, 0]
    assert trace.runs == nothing.runs == []
    assert index.trace([], template_patients=3) == []


@pytest.mark.parametrize("copies", [1, MANY + 1])
def test_the_index_takes_at_most_four_bytes_a_unit_beside_the_notes(tmp_path, copies):
    """Also where every window stands at just so many places that all are counted."""
    rng = np.random.default_rng(5)
    notes = [rng.integers(0, 30_000, 500).tolist() for _ in range(180 // copies)] * copies
    index_of(tmp_path, notes, list(range(len(notes))))
    files = [file for file in (tmp_path / "index").iterdir() if file.stem not in TOKENS]
    assert sum(file.stat().st_size for file in files) <= 4 * sum(map(len, notes))


def test_an_index_made_in_pieces_is_the_same(tmp_path, monkeypatch):
    rng = random.Random(4)
    notes = [
        [rng.randrange(40) for _ in range(rng.randrange(400))] + list(range(100, 160)) for _ in range(60)
    ]
    index_of(tmp_path / "whole", notes, range(60))
    monkeypatch.setattr(corpus_builder, "_PIECE_UNITS", 1000)
    index_of(tmp_path / "pieces", notes, range(60))
    for name in corpus_index.ARRAYS:
        whole, pieces = (np.load(tmp_path / kind / "index" / f"{name}.npy") for kind in ("whole", "pieces"))
        assert whole.dtype == pieces.dtype
        assert whole.tolist() == pieces.tolist(), name
    assert len(np.load(tmp_path / "whole" / "index" / "counted_keys.npy"))
    assert sorted(path.stem for path in (tmp_path / "pieces" / "index").iterdir()) == sorted(
        corpus_index.ARRAYS
    )
