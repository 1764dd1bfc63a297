"""Match rows against an independent reading of METHOD: sets of 30-unit windows."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.corpus_builder import build_corpus_index
from phiscan.corpus_index import CorpusIndex, UnitText
from phiscan.match import Comparison, MatchSettings, match_runs, trace_all


def text_of(units):
    ends = list(range(1, len(units) + 1))
    return UnitText(list(units), [0, *ends[:-1]] if units else [], ends)


def compare(tmp_path, notes, patients, prefix, continuation, template_patients=3, own=0, prefix_from=0):
    build_corpus_index(tmp_path / "index", [text_of(note) for note in notes], patients)
    comparison = Comparison(
        unit="token",
        corpus=CorpusIndex(tmp_path / "index"),
        own=own,
        suffix_from=prefix,
        prompt=notes[own][prefix_from:prefix],
        continuation=text_of(continuation),
        gen_id="g",
        note_ids=[f"note{i}" for i in range(len(notes))],
        template_patients=template_patients,
        prefix_from=prefix_from,
    )
    [trace] = trace_all([comparison])
    return match_runs(comparison, trace)


def block(number, size=40):
    return list(range(number * 1000, number * 1000 + size))


def rows_by_where(rows):
    return {where: [r for r in rows if r.where == where] for where in {r.where for r in rows}}


def test_a_run_in_the_suffix_is_kept_with_offsets_on_both_sides(tmp_path):
    note = block(1) + block(2)
    rows = compare(tmp_path, [note], [0], 40, [9, *block(2)])
    [row] = rows
    assert (row.where, row.n_units, row.net_units, row.n_patients) == ("suffix", 40, 40, 1)
    assert (row.matched_start, row.matched_end, row.cont_start, row.cont_end) == (40, 80, 1, 41)
    assert row.net_blocks == ((1, 41, 40),)


def test_a_run_across_the_seam_counts_its_suffix_part(tmp_path):
    note = block(1, 100)
    rows = rows_by_where(compare(tmp_path, [note], [0], 50, note[10:90]))
    assert [r.n_units for r in rows["suffix"]] == [40]
    assert [r.n_units for r in rows["prompt"]] == [40]


def test_what_stands_before_the_prompts_passage_was_not_shown(tmp_path):
    note = block(1) + block(2) + block(3)
    rows = rows_by_where(compare(tmp_path, [note], [0], 80, block(1) + [7] + block(2), prefix_from=40))
    assert [(r.matched_start, r.net_units) for r in rows["same_patient"]] == [(0, 40)]
    assert [(r.matched_start, r.n_units) for r in rows["prompt"]] == [(40, 40)]
    assert set(rows) == {"same_patient", "prompt"}


def test_text_of_the_prompt_repeated_in_the_suffix_is_no_net_match(tmp_path):
    note = block(1) + block(2) + block(1)
    rows = rows_by_where(compare(tmp_path, [note], [0], 80, block(1)))
    assert rows["suffix"][0].n_units == 40
    assert rows["suffix"][0].net_units == 0
    assert [r.n_units for r in rows["prompt"]] == [40]


def test_boilerplate_of_three_patients_is_a_template(tmp_path):
    notes = [block(9) + block(1) + block(2), block(1) + block(3), block(1) + block(4)]
    rows = rows_by_where(compare(tmp_path, notes, [0, 1, 2], 40, block(1) + block(2)))
    assert [r.n_units for r in rows["template"]] == [40]
    assert rows["template"][0].n_patients == 3
    assert rows["suffix"][0].n_units == 80
    assert rows["suffix"][0].net_units == 40
    assert "other_patient" not in rows


def test_two_patients_sharing_text_are_no_template_but_own_text_goes_first(tmp_path):
    notes = [block(9) + block(1), block(1) + block(3)]
    rows = rows_by_where(compare(tmp_path, notes, [0, 1], 40, block(1)))
    assert set(rows) == {"suffix"}
    assert rows["suffix"][0].n_patients == 2


def test_same_patient_before_other_patient(tmp_path):
    notes = [block(9), block(1), block(1) + block(2)]
    rows = rows_by_where(compare(tmp_path, notes, [0, 0, 1], 20, block(1) + block(2)))
    assert [r.matched_note_id for r in rows["same_patient"]] == ["note1"]
    assert [(r.n_units, r.net_units) for r in rows["other_patient"]] == [(80, 40)]


def test_twenty_nine_units_are_no_run(tmp_path):
    note = block(1) + block(2)
    assert compare(tmp_path, [note], [0], 40, block(2)[:29] + [5]) == []


def test_template_count_grows_with_the_corpus():
    assert MatchSettings().template_count(10) == 3
    assert MatchSettings().template_count(300_000) == 300
    assert MatchSettings(template_patients=7).template_count(300_000) == 7


def windows(units):
    return {tuple(units[i : i + 30]) for i in range(len(units) - 29)}


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_raw_and_net_follow_from_windows_alone(tmp_path_factory, data):
    """Without overlaps of blocks, RAW and NET at 30 can be told from windows of 30 units."""
    pieces = [block(number, 33) for number in range(1, 6)]
    draw_text = st.lists(st.sampled_from(pieces), min_size=1, max_size=4)
    notes = [sum(data.draw(draw_text), []) for _ in range(4)]
    continuation = sum(data.draw(draw_text), [])
    prefix = 33 * data.draw(st.integers(0, len(notes[0]) // 33 - 1))
    rows = compare(tmp_path_factory.mktemp("m"), notes, [0, 1, 2, 3], prefix, continuation)
    suffix, prompt = windows(notes[0][prefix:]), windows(notes[0][:prefix])
    shared = [w for w in windows(continuation) if sum(w in windows(n) for n in notes) >= 3]
    raw = windows(continuation) & suffix
    assert any(r.where == "suffix" for r in rows) == bool(raw)
    covered = set()
    for at in range(len(continuation) - 29):
        window = tuple(continuation[at : at + 30])
        if window in prompt or window in shared:
            covered |= set(range(at, at + 30))
    net = any(
        tuple(continuation[at : at + 30]) in suffix and not covered & set(range(at, at + 30))
        for at in range(len(continuation) - 29)
    )
    assert any(r.where == "suffix" and r.net_units >= 30 for r in rows) == net
    for row in rows:
        ours = continuation[row.cont_start : row.cont_end]
        theirs = notes[int(row.matched_note_id[4:])][row.matched_start : row.matched_end]
        assert ours == theirs
        assert len(ours) == row.n_units
        assert np.all([b - a == n for a, b, n in row.net_blocks])


def test_what_overhangs_from_a_copy_of_the_prompt_is_taken_out(tmp_path):
    """The first 25 units of the run end a 40-unit copy of the prompt: they show nothing new."""
    shared = block(2, 40)
    note = shared + block(1) + shared[15:] + block(3, 35)
    rows = rows_by_where(compare(tmp_path, [note], [0], 80, shared + block(3, 35)))
    assert [(r.n_units, r.net_units) for r in rows["suffix"]] == [(60, 35)]
    assert [r.n_units for r in rows["prompt"] if r.cont_start == 15] == [25]


def test_a_run_without_anything_of_its_own_hides_no_other(tmp_path):
    """The patient's own other note shares too little beyond the prompt; the other patient's counts."""
    q, f, g = block(1, 30), block(2, 20), block(3, 29)
    notes = [q + block(9), q + f, f + g]
    rows = rows_by_where(compare(tmp_path, notes, [0, 0, 1], 30, q + f + g))
    assert "same_patient" not in rows
    assert [r.n_units for r in rows["other_patient"]] == [49]


def test_traces_of_two_corpora_come_back_in_the_order_asked(tmp_path):
    notes = [block(1), block(2)], [block(3), block(4)]
    corpora = []
    for number, mine in enumerate(notes):
        build_corpus_index(tmp_path / str(number), [text_of(note) for note in mine], [0, 1])
        corpora.append(CorpusIndex(tmp_path / str(number)))
    asked = [(0, block(2)), (1, block(3)), (0, [5]), (1, block(2)), (0, block(1))]
    comparisons = [
        Comparison(
            unit="token", corpus=corpora[corpus], own=0, suffix_from=0, prompt=[], continuation=text_of(units),
            gen_id="g", note_ids=["a", "b"], template_patients=3,
        )
        for corpus, units in asked
    ]  # fmt: skip
    notes_found = [[note for note, _ in trace.runs] for trace in trace_all(comparisons)]
    assert notes_found == [[1], [0], [], [], [0]]
    assert trace_all([]) == []
