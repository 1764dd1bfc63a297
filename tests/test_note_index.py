"""The notes on disk against a list of them in memory."""

import sqlite3
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.errors import NoteFormatError
from phiscan.note_index import (
    FIRSTS,
    INDEX_SCHEMA,
    SPOOL_SCHEMA,
    TWO_SPLITS,
    NoteIndexBuilder,
    Notes,
    has_plants,
)
from phiscan.records import Note


def note(row, patient, text, *, note_id=None, split="member", **changes):
    fields = {
        "note_id": note_id or f"N{row}",
        "patient_id": patient,
        "split": split,
        "note_type": None,
        "date": None,
        "n_chars": len(text),
        "n_tokens": None,
        "copies": 1,
        "text": text,
        "ordinal": 0,
        "row": row,
        "copy_ids": (),
        "crlf": (),
    }
    return Note(**{**fields, **changes})


def placed(read):
    """The reference: patients together by first appearance, copies folded, in memory."""
    by_patient = {}
    for one in read:
        by_patient.setdefault(one.patient_id, {}).setdefault(one.text, []).append(one)
    copies = Counter((one.split, one.text) for one in read)
    folded = [group for texts in by_patient.values() for group in texts.values()]
    return [
        note(
            first.row,
            first.patient_id,
            first.text,
            note_id=first.note_id,
            split=first.split,
            note_type=first.note_type,
            date=first.date,
            crlf=first.crlf,
            ordinal=ordinal,
            copies=copies[first.split, first.text],
            copy_ids=tuple(other.note_id for other in others),
        )
        for ordinal, (first, *others) in enumerate(folded)
    ]


def index(folder, read):
    with NoteIndexBuilder(folder) as builder:
        for one in read:
            builder.add(one, "--notes")
        both = builder.patients_in_two_splits()
        folded = builder.write()
    return Notes(folder), folded, both


texts = st.one_of(
    st.sampled_from(["same", "other", "a\nb"]), st.text(st.characters(codec="utf-8"), min_size=1)
)
rows = st.lists(
    st.tuples(
        st.sampled_from(["p", "é", "r' --", "\U0001fa7a"]), texts, st.sampled_from([None, "2021", "x\n"])
    ),
    min_size=1,
    max_size=30,
)


@settings(deadline=None)
@given(rows, st.data())
def test_notes_come_back_in_order_with_their_copies(tmp_path_factory, drawn, data):
    read = [
        note(
            row,
            patient,
            text,
            split="holdout" if patient == "é" else "member",
            date=date,
            note_type=date,
            crlf=tuple(at for at, char in enumerate(text) if char == "\n"),
        )
        for row, (patient, text, date) in enumerate(drawn, 1)
    ]
    notes, folded, both = index(tmp_path_factory.mktemp("index"), read)
    wanted = placed(read)
    assert list(notes) == wanted
    assert [notes[at] for at in range(len(notes))] == wanted
    assert (len(notes), folded, both) == (len(wanted), len(read) - len(wanted), 0)
    part = data.draw(st.slices(len(wanted)))
    assert notes[part] == wanted[part]
    assert notes.ids[part] == [one.note_id for one in wanted[part]]
    assert notes[-1] == wanted[-1]
    patients = dict.fromkeys(one.patient_id for one in wanted)
    numbers = {patient: number for number, patient in enumerate(patients)}
    assert notes.numbered().tolist() == [numbers[one.patient_id] for one in wanted]
    assert notes.patients() == len(numbers)
    for patient, number in numbers.items():
        assert notes.patient(patient) == (number, patient != "é")
        assert notes.of_patient(number) == [one for one in wanted if one.patient_id == patient]
    assert notes.patient("nobody") is None
    for one in wanted:
        for note_id in (one.note_id, *one.copy_ids):
            assert notes.by_id[note_id] == one
            assert notes.ordinals[note_id] == one.ordinal
            assert notes.patient_numbers[note_id] == numbers[one.patient_id]
    assert "nobody" not in notes.by_id
    assert notes.by_id.get("nobody") is None
    assert list(notes.by_id) == [one.note_id for one in wanted]
    assert notes.chars() == sum(one.n_chars for one in wanted)
    assert notes.splits() == {one.split for one in wanted}
    assert list(notes.dates()) == [one.date for one in wanted if one.date is not None]
    notes.close()


@settings(deadline=None)
@given(rows)
def test_plants_and_twins_stand_apart_and_after(tmp_path_factory, drawn):
    splits = {"p": "member", "é": "holdout", "r' --": "plant", "\U0001fa7a": "twin"}
    read = [
        note(row, patient, text, split=splits[patient]) for row, (patient, text, _) in enumerate(drawn, 1)
    ]
    real = [one for one in read if one.split in ("member", "holdout")]
    synthetic = [one for one in read if one not in real]
    folder = tmp_path_factory.mktemp("index")
    notes, folded, both = index(folder, read)
    assert list(notes) == placed(real)
    assert (folded, both) == (len(real) - len(placed(real)), 0)
    assert has_plants(folder) == bool(synthetic)
    alone, _, _ = index(tmp_path_factory.mktemp("alone"), real)
    assert notes.numbered().tolist() == alone.numbered().tolist()
    if synthetic:
        everyone = Notes(folder, plants=True)
        assert list(everyone) == placed([*real, *synthetic])
        assert everyone.numbered()[: len(notes)].tolist() == notes.numbered().tolist()
        assert len(set(everyone.numbered().tolist())) == everyone.patients() == everyone.numbered().max() + 1
        assert not any(one.note_id in notes.by_id for one in synthetic)


def test_a_repeated_id_names_the_rows_and_a_missing_one_nothing(tmp_path):
    with NoteIndexBuilder(tmp_path) as builder:
        builder.add(note(1, "p", "a", note_id="secret"), "--notes")
        with pytest.raises(
            NoteFormatError, match=r"^--holdout: row 9 repeats the note_id of row 1 of --notes$"
        ):
            builder.add(note(9, "q", "b", note_id="secret"), "--holdout")
        builder.write()
    notes = Notes(tmp_path)
    with pytest.raises(KeyError) as caught:
        notes.by_id["secret too"]
    assert "secret" not in str(caught.value)
    with pytest.raises(IndexError):
        notes[1]


def test_patients_in_both_splits_are_counted(tmp_path):
    read = [note(1, "p", "a"), note(2, "p", "b", split="holdout"), note(3, "q", "a", split="holdout")]
    assert index(tmp_path, read)[2] == 1


def test_only_the_index_is_left(tmp_path):
    index(tmp_path, [note(1, "p", "a")])
    assert [path.name for path in tmp_path.iterdir()] == ["notes.sqlite"]


@pytest.mark.parametrize(
    ("schema", "query"),
    [
        (SPOOL_SCHEMA, FIRSTS),
        (SPOOL_SCHEMA, TWO_SPLITS),
        (INDEX_SCHEMA, "SELECT text FROM note ORDER BY ordinal"),
        (INDEX_SCHEMA, "SELECT text FROM note WHERE patient=1 ORDER BY ordinal"),
    ],
)
def test_nothing_is_sorted_in_a_temporary_file(schema, query):
    database = sqlite3.connect(":memory:")
    database.executescript(schema)
    given = (0,) * query.count("?")
    plan = " ".join(row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {query}", given))
    assert "TEMP B-TREE" not in plan, plan
