"""Files -> Note, known identifiers and replayed outputs."""

import csv
import io
import json
import re
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from phiscan.errors import NoteFormatError, UnknownPluginError
from phiscan.input_rows import MOST_EXAMPLES, BadRow
from phiscan.load import (
    CATEGORY_ALIASES,
    LoadedNotes,
    LoadSettings,
    index_notes,
    line_feeds,
    load_known,
    open_notes,
    raw_offset,
    shards,
)
from phiscan.records import Note
from phiscan.replay_rows import index_replay, open_replay
from phiscan.taxonomy import CATEGORIES

CANARY = "Zebulon Quartermain"
DEFAULT = LoadSettings()


@pytest.fixture
def jsonl(tmp_path):
    def write(*records: object, name: str = "secret-notes.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(fields) + "\n" for fields in records), encoding="utf-8")
        return path

    return write


@pytest.fixture
def table(tmp_path):
    def write(*lines: str, name: str = "secret-notes.csv") -> Path:
        path = tmp_path / name
        path.write_bytes("".join(line + "\n" for line in lines).encode())
        return path

    return write


def row(note_id: object, patient_id: object, text: object, **more: object) -> dict[str, object]:
    return {"note_id": note_id, "patient_id": patient_id, "text": text, **more}


def load_notes(path: Path, settings: LoadSettings, **more: object) -> LoadedNotes:
    folder = Path(mkdtemp(dir=path.parent))
    index_notes(folder, path, settings, **more)
    return open_notes(folder)


def load_replay(path: Path):
    folder = Path(mkdtemp(dir=path.parent))
    index_replay(folder, path, {"2": 7})
    return open_replay(folder)


def refusal(call, *args, **kwargs) -> str:
    with pytest.raises(NoteFormatError) as caught:
        call(*args, **kwargs)
    message = str(caught.value)
    assert re.match(r"--[a-z]+(:| and --)", message)
    assert "\n" not in message
    assert CANARY not in message
    assert "secret" not in message
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return message


def accounted(loaded: LoadedNotes) -> int:
    return (
        len(loaded.notes)
        + loaded.copies_folded
        + sum(loaded.rows_bad.values())
        + sum(loaded.rows_dropped.values())
    )


# What a row of notes becomes


def test_a_row_becomes_a_note(jsonl):
    path = jsonl(
        row(7, " p1 ", " Seen today.\r\n", note_type=" Discharge ", date="2031-02-03", other={"a": 1})
    )
    loaded = load_notes(path, DEFAULT)
    assert list(loaded.notes) == [
        Note(
            note_id="7",
            patient_id="p1",
            split="member",
            note_type="Discharge",
            date="2031-02-03",
            n_chars=13,
            n_tokens=None,
            copies=1,
            text=" Seen today.\n",
            ordinal=0,
            row=1,
            copy_ids=(),
            crlf=(12,),
        )
    ]
    assert (loaded.rows_read, loaded.rows_bad, loaded.rows_dropped, loaded.bad_examples) == (1, {}, {}, [])


def test_optional_columns_may_lack_or_be_empty(table):
    note, other = load_notes(table("note_id,patient_id,text,date", "1,p,a,", "2,p,b,2031"), DEFAULT).notes
    assert (note.note_type, note.date, note.split) == (None, None, "member")
    assert other.date == "2031"


def test_notes_of_a_patient_stand_together_in_order_of_first_appearance(jsonl):
    loaded = load_notes(jsonl(*(row(i, p, f"text {i}") for i, p in enumerate("bacab"))), DEFAULT)
    assert [(note.patient_id, note.row, note.ordinal) for note in loaded.notes] == [
        ("b", 1, 0),
        ("b", 5, 1),
        ("a", 2, 2),
        ("a", 4, 3),
        ("c", 3, 4),
    ]


def test_columns_can_be_mapped_and_the_format_named(tmp_path):
    path = tmp_path / "notes.dat"
    path.write_text("ROW_ID,SUBJECT_ID,TEXT,KIND\n1,2,hello,test\n")
    settings = LoadSettings(
        note_id="ROW_ID", patient_id="SUBJECT_ID", text="TEXT", split="KIND", format="csv"
    )
    (note,) = load_notes(path, settings).notes
    assert (note.note_id, note.patient_id, note.text, note.split) == ("1", "2", "hello", "holdout")


def test_bad_rows_are_counted_by_reason_and_located(jsonl):
    path = jsonl(
        row("", "p", CANARY),
        row("1", None, CANARY),
        {"note_id": "2", "patient_id": "p"},
        row("3", "p", "fine"),
        row("4", "p", "\ud800 " + CANARY),
        row("5", "p", CANARY, split="validation"),
        [CANARY],
        row("6", "p", {"nested": CANARY}),
        row("7", "p", CANARY + "\0"),
    )
    loaded = load_notes(path, DEFAULT)
    assert [note.note_id for note in loaded.notes] == ["3"]
    assert loaded.rows_bad == {
        "no note_id": 1,
        "no patient_id": 1,
        "no text": 2,
        "not valid Unicode text": 1,
        "unknown split": 1,
        "not a JSON object": 1,
        "a field holds a NUL character": 1,
    }
    assert [bad.row for bad in loaded.bad_examples] == [1, 2, 3, 5, 6, 7, 8, 9]
    assert loaded.bad_examples[0] == BadRow("--notes", 1, "no note_id")
    assert CANARY not in repr(loaded)
    assert loaded.rows_read == accounted(loaded) == 9


def test_surrogates_in_fields_nobody_reads_do_no_harm(jsonl):
    assert len(load_notes(jsonl(row(1, 2, "a", extra="\udfff")), DEFAULT).notes) == 1


def test_an_escaped_pair_is_one_character(tmp_path):
    path = tmp_path / "n.jsonl"
    path.write_text('{"note_id": 1, "patient_id": 2, "text": "\\ud83e\\ude7a"}\n')
    assert load_notes(path, DEFAULT).notes[0].text == "\N{STETHOSCOPE}"


def test_examples_are_capped_and_counts_are_not(jsonl):
    loaded = load_notes(jsonl(row(1, 1, "a"), *[row("", 1, "a")] * (MOST_EXAMPLES + 9)), DEFAULT)
    assert len(loaded.bad_examples) == MOST_EXAMPLES
    assert loaded.rows_bad == {"no note_id": MOST_EXAMPLES + 9}


@pytest.mark.parametrize("text", ["", None, " \r\n\t\x0c\u00a0\u2003"])
def test_empty_texts_are_dropped_and_counted(jsonl, text):
    loaded = load_notes(jsonl(row(1, 1, text), row(2, 1, "a")), DEFAULT)
    assert [note.note_id for note in loaded.notes] == ["2"]
    assert loaded.rows_dropped == {"empty text": 1}
    assert loaded.rows_bad == {}


# Members and holdout


@pytest.mark.parametrize(
    ("given", "split"),
    [
        ("", "member"),
        (None, "member"),
        ("Member", "member"),
        (" TRAIN", "member"),
        ("holdout", "holdout"),
        ("Test", "holdout"),
    ],
)
def test_split_values(jsonl, given, split):
    assert load_notes(jsonl(row(1, 1, "a", split=given)), DEFAULT).notes[0].split == split


def test_a_holdout_file_is_holdout_whatever_its_column_says(jsonl):
    members = jsonl(row(1, "m", "a", kind="train"))
    holdout = jsonl(row(2, "h", "b"), row(3, "h", "c", kind="train"), name="secret-holdout.jsonl")
    loaded = load_notes(members, LoadSettings(split="kind"), holdout=holdout)
    assert [(note.split, note.row, note.ordinal) for note in loaded.notes] == [
        ("member", 1, 0),
        ("holdout", 1, 1),
        ("holdout", 2, 2),
    ]
    assert loaded.rows_read == 3


def test_a_plant_or_an_unknown_split_in_a_holdout_file_is_no_held_out_note(jsonl):
    members = jsonl(row(1, "m", "a"))
    rows = [row(2, "h", "b"), row(3, "x", "c", split="plant"), row(4, "y", "d", split=CANARY)]
    loaded = load_notes(members, DEFAULT, holdout=jsonl(*rows, name="secret-holdout.jsonl"))
    assert [note.note_id for note in loaded.notes] == ["1", "2"]
    assert loaded.rows_bad == {"plant or twin in a file of held-out notes": 1, "unknown split": 1}


def test_a_holdout_file_need_not_have_the_mapped_split_column(jsonl):
    members = jsonl(row(1, "m", "a", kind="train"))
    holdout = jsonl(row(2, "h", "b"), name="secret-holdout.jsonl")
    assert len(load_notes(members, LoadSettings(split="kind"), holdout=holdout).notes) == 2


def test_a_patient_in_both_splits_is_refused_with_a_count(jsonl):
    members = jsonl(row(1, CANARY, "a"), row(2, CANARY, "b", split="test"), row(3, "q", "c"))
    message = refusal(load_notes, members, DEFAULT)
    assert "two splits: 1" in message
    holdout = jsonl(row(4, "q", "d"), row(5, CANARY, "d"), name="secret-holdout.jsonl")
    message = refusal(load_notes, jsonl(row(1, CANARY, "a"), row(3, "q", "c")), DEFAULT, holdout=holdout)
    assert message.startswith("--notes and --holdout: ")
    assert "two splits: 2" in message


# What is refused


def test_a_repeated_note_id_names_both_rows(jsonl):
    path = jsonl(row(1, 1, "a"), row(CANARY, 1, "b"), row(3, 1, "c"), row(CANARY, 2, "d"))
    assert refusal(load_notes, path, DEFAULT) == "--notes: row 4 repeats the note_id of row 2"


def test_a_note_id_repeated_across_files_names_both(jsonl):
    holdout = jsonl(row(2, 9, "b"), row(1, 8, "c"), name="secret-holdout.jsonl")
    message = refusal(load_notes, jsonl(row(1, 1, "a")), DEFAULT, holdout=holdout)
    assert message == "--holdout: row 2 repeats the note_id of row 1 of --notes"


def test_the_same_row_number_in_two_files_is_no_repeat(jsonl):
    holdout = jsonl(row(2, 9, "a"), name="secret-holdout.jsonl")
    assert len(load_notes(jsonl(row(1, 1, "a")), DEFAULT, holdout=holdout).notes) == 2


@pytest.mark.parametrize("missing", ["note_id", "patient_id", "text"])
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_missing_column_says_which_and_how_to_map_it(table, jsonl, missing, kind):
    names = [name for name in ("note_id", "patient_id", "text") if name != missing]
    if kind == "csv":
        path = table(",".join([*names, CANARY]), f"{CANARY},{CANARY},{CANARY}")
    else:
        path = jsonl({name: CANARY for name in [*names, CANARY]})
    message = refusal(load_notes, path, DEFAULT)
    assert message == f'--notes: no column "{missing}"; map it with [load] {missing} = ...'


def test_a_file_with_none_of_the_columns(table):
    assert 'no column "note_id"' in refusal(load_notes, table(CANARY, CANARY), DEFAULT)


@pytest.mark.parametrize("name", ["split", "note_type", "date"])
def test_an_optional_column_that_was_named_must_be_there(jsonl, name):
    settings = LoadSettings(**{name: "my_column"})
    assert f'no column "{name}"' in refusal(load_notes, jsonl(row(1, 1, CANARY)), settings)


def test_a_file_without_a_usable_note_says_why(jsonl):
    path = jsonl(row(1, 1, " "), row("", 1, CANARY), row("", 1, CANARY))
    message = refusal(load_notes, path, DEFAULT)
    assert message == "--notes: no note could be read: no note_id (2), empty text (1)"
    good = jsonl(row(1, 1, "a"), name="good.jsonl")
    assert refusal(load_notes, good, DEFAULT, holdout=path).startswith("--holdout: no note could be read")


def test_a_file_of_bad_rows_only_does_not_complain_about_columns(table):
    message = refusal(load_notes, table("note_id,patient_id", CANARY, CANARY), DEFAULT)
    assert "wrong number of fields (2)" in message


def test_unknown_endings_and_missing_files(tmp_path, table):
    assert ".csv, .csv.gz" in refusal(load_notes, table("a", name="secret.docx"), DEFAULT)
    assert "no such file" in refusal(load_notes, tmp_path / "secret-other.docx", DEFAULT)
    assert refusal(load_notes, tmp_path / "secret.CSV", DEFAULT) == "--notes: no such file"


def test_an_unknown_format_is_refused(table):
    with pytest.raises(UnknownPluginError, match="csv"):
        load_notes(table("note_id,patient_id,text", "1,2,a"), LoadSettings(format="papyrus"))


def test_errors_name_the_argument_given(tmp_path):
    with pytest.raises(NoteFormatError, match=r"^PATH: no such file$"):
        load_notes(tmp_path / "n.csv", DEFAULT, argument="PATH")


def test_settings_refuse_unknown_keys_and_empty_names_without_showing_them():
    for bad in ({"notes": CANARY}, {"text": ""}):
        with pytest.raises(ValidationError) as caught:
            LoadSettings(**bad)
        assert CANARY not in str(caught.value)
    with pytest.raises(ValidationError):
        DEFAULT.text = "other"  # type: ignore[misc]


# Exact copies


def test_copies_of_a_patient_are_folded_and_copies_of_others_counted(jsonl):
    path = jsonl(
        row("a1", "a", "same\r\ntext"),
        row("b1", "b", "same\ntext"),
        row("a2", "a", "other"),
        row("a3", "a", "same\ntext"),
        row("a4", "a", "same\rtext"),
        row("h1", "h", "same\ntext", split="holdout"),
    )
    loaded = load_notes(path, DEFAULT)
    assert [(n.note_id, n.copies, n.copy_ids, n.row) for n in loaded.notes] == [
        ("a1", 4, ("a3", "a4"), 1),
        ("a2", 1, (), 3),
        ("b1", 4, (), 2),
        ("h1", 1, (), 6),
    ]
    assert loaded.notes[0].crlf == (4,)
    assert loaded.copies_folded == 2
    assert loaded.rows_read == accounted(loaded)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y", "z\r\n", "z\n", " ", "\r"]))))
def test_every_row_is_accounted_for(tmp_path_factory, drawn):
    path = tmp_path_factory.mktemp("notes") / "n.jsonl"
    records = [row("last", "d", "w"), *(row(i, patient, text) for i, (patient, text) in enumerate(drawn))]
    path.write_text("".join(json.dumps(fields) + "\n" for fields in records))
    loaded = load_notes(path, DEFAULT)
    assert loaded.rows_read == accounted(loaded) == len(records)
    assert [note.ordinal for note in loaded.notes] == list(range(len(loaded.notes)))
    kept = [note_id for note in loaded.notes for note_id in (note.note_id, *note.copy_ids)]
    assert sorted(kept) == sorted(str(fields["note_id"]) for fields in records if str(fields["text"]).strip())
    first = {note.text: note.copies for note in loaded.notes}
    assert all(first[note.text] == note.copies for note in loaded.notes)
    assert sum(first.values()) == len(kept)


# Line endings and offsets

raw_text = st.lists(
    st.sampled_from(["\r", "\n", "\r\n", "a", "é", "\u2028", "\x0c", "\x85", "\U0001fa7a"])
).map("".join)


def plain(text: str) -> str:
    return re.sub("\r\n?", "\n", text)


@settings(deadline=None)
@given(raw_text, st.data())
def test_a_slice_of_the_raw_text_normalised_is_the_slice_of_the_note(tmp_path_factory, raw, data):
    raw = "x" + raw
    path = tmp_path_factory.mktemp("notes") / "n.csv"
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([("note_id", "patient_id", "text"), ("1", "2", raw)])
    path.write_bytes(out.getvalue().encode())
    (note,) = load_notes(path, DEFAULT).notes
    assert note.text == plain(raw)
    assert note.n_chars == len(note.text)
    assert raw_offset(note, note.n_chars) == len(raw)
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, note.n_chars)] * 2)))
    assert plain(raw[raw_offset(note, start) : raw_offset(note, end)]) == note.text[start:end]


@given(raw_text)
def test_line_feeds_keep_track_of_what_they_replaced(raw):
    text, offsets = line_feeds(raw)
    assert text == plain(raw)
    assert len(text) + len(offsets) == len(raw)
    assert len(offsets) == raw.count("\r\n")
    assert all(text[offset] == "\n" for offset in offsets)
    assert [offset + before for before, offset in enumerate(offsets)] == [
        m.start() for m in re.finditer("\r\n", raw)
    ]


def test_other_line_separators_stay(jsonl):
    text = "a\u2028b\u2029c\x85d\x0be\x0cf"
    assert load_notes(jsonl(row(1, 1, text)), DEFAULT).notes[0].text == text


# Known identifiers


def test_known_identifiers(table):
    path = table(
        "patient_id,category,value",
        " p1 ,mrn, 7730218 ",
        "p1,Patient,Mara Quillon",
        "p2,phone,",
        "p2,location-other,Pier 9",
        ",AGE,93",
        "p3,,93",
    )
    known = load_known(path)
    assert [(k.patient_id, k.category, k.value) for k in known.identifiers] == [
        ("p1", "MEDICALRECORD", "7730218"),
        ("p1", "PATIENT", "Mara Quillon"),
        ("p2", "LOCATION-OTHER", "Pier 9"),
    ]
    assert (known.rows_read, known.rows_dropped) == (6, {"empty value": 1})
    assert known.rows_bad == {"no patient_id": 1, "no category": 1}
    assert "Quillon" not in repr(known)


@pytest.mark.parametrize("name", [*CATEGORIES, *CATEGORY_ALIASES])
def test_every_category_and_alias_is_taken(table, name):
    (known,) = load_known(table("patient_id,category,value", f"1,{name.lower()},x")).identifiers
    assert known.category == CATEGORY_ALIASES.get(name, name)
    assert known.category in CATEGORIES


def test_an_unknown_category_names_row_and_choices(table):
    message = refusal(load_known, table("patient_id,category,value", "1,AGE,93", f"2,{CANARY},{CANARY}"))
    assert message.startswith("--known: row 2 has an unknown category; there are: PATIENT, DOCTOR, ")
    assert message.endswith("MRN, NAME, DOB, ADDRESS")


@pytest.mark.parametrize("missing", ["patient_id", "category", "value"])
def test_a_known_table_without_a_column_is_refused(table, missing):
    names = [name for name in ("patient_id", "category", "value") if name != missing]
    message = refusal(load_known, table(",".join(names), ",".join("AGE" for _ in names)))
    assert message == f'--known: no column "{missing}"'


def test_a_known_table_without_values_is_refused(table):
    message = refusal(load_known, table("patient_id,category,value", "1,AGE,", "2,AGE, "))
    assert message == "--known: no row holds an identifier: empty value (2)"


# Outputs made elsewhere


def test_replay_rows(jsonl):
    path = jsonl(
        {"note_id": 1, "prefix": "a\r\nb", "continuation": "c\rd", "model": "clinic-7b"},
        {"note_id": "1", "prefix": "", "continuation": ""},
        {"note_id": 1, "prefix": CANARY, "continuation": None},
        {"note_id": 1, "prefix": None, "continuation": CANARY},
        {"prefix": CANARY, "continuation": CANARY},
        {"note_id": 2, "prefix": "x", "continuation": "\udc00" + CANARY},
    )
    replay = load_replay(path)
    assert [(r.row, r.note_id, r.prefix, r.continuation, r.model) for r in replay.rows] == [
        (1, "1", "a\nb", "c\nd", "clinic-7b"),
        (2, "1", "", "", None),
    ]
    assert replay.rows_read == 6
    assert replay.rows_bad == {
        "no continuation": 1,
        "no prefix": 1,
        "no note_id": 1,
        "not valid Unicode text": 1,
    }
    assert replay.bad_examples[0] == BadRow("--replay", 3, "no continuation")
    assert CANARY not in repr(replay)


def test_replay_from_csv_keeps_empty_outputs_and_blanks(table):
    replay = load_replay(table("note_id,prefix,continuation", "1, a ,", "2,,  b"))
    assert [(r.prefix, r.continuation) for r in replay.rows] == [(" a ", ""), ("", "  b")]


@pytest.mark.parametrize("missing", ["note_id", "prefix", "continuation"])
def test_replay_without_a_column_is_refused(jsonl, missing):
    fields = {name: CANARY for name in ("note_id", "prefix", "continuation") if name != missing}
    assert refusal(load_replay, jsonl(fields)) == f'--replay: no column "{missing}"'


def test_replay_without_a_usable_row_is_refused(jsonl):
    path = jsonl({"note_id": "", "prefix": CANARY, "continuation": CANARY})
    assert refusal(load_replay, path) == "--replay: no output could be read: no note_id (1)"


# Shards


@given(st.lists(st.integers(1, 7)), st.integers(1, 9))
def test_shards_hold_whole_patients_and_close_when_full(sizes, size):
    patients = np.repeat(np.arange(len(sizes)), sizes)
    cut = shards(patients, size)
    assert [note for shard in cut for note in shard] == list(range(len(patients)))
    of_shard = [patients[shard.start : shard.stop] for shard in cut]
    assert sum(len(set(numbers)) for numbers in of_shard) == len(sizes)
    for shard in cut[:-1]:
        assert len(shard) >= size
    for numbers in of_shard:
        assert (numbers != numbers[-1]).sum() < size
