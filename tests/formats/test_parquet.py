"""Parquet rows as records: types become text, nothing is lost in silence."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from phiscan.config import load_config
from phiscan.errors import NoteFormatError
from phiscan.formats import parquet
from phiscan.input_rows import Tally
from phiscan.load import stream_notes
from phiscan.protocols import RawRow
from phiscan.questions import load_questions


@pytest.fixture
def write(tmp_path):
    def written(rows, **options):
        path = tmp_path / "rows.parquet"
        pq.write_table(pa.Table.from_pylist(rows), path, **options)
        return path

    return written


def test_values_become_strings_or_none(write):
    row = {
        "text": "Seen.\r\nZoë", "n": 12, "f": 12.0, "g": 1.5, "nan": float("nan"), "yes": True, "no": None,
        "day": date(2021, 3, 4), "at": datetime(2021, 3, 4, 5, 6), "d": Decimal("1.50"), "list": [1],
        "deep": {"a": "x", "b": {"c": 1}, "l": [2]}, "raw": b"\x00",
    }  # fmt: skip
    assert list(parquet.rows(write([row]), "--notes")) == [
        RawRow(1, {
            "text": "Seen.\r\nZoë", "n": "12", "f": "12", "g": "1.5", "nan": None, "yes": "true", "no": None,
            "day": "2021-03-04", "at": "2021-03-04T05:06:00", "d": "1.50", "deep.a": "x",
        })
    ]  # fmt: skip


def test_every_row_of_every_row_group_is_read_in_order(write):
    rows = [{"i": i} for i in range(1000)]
    read = list(parquet.rows(write(rows, row_group_size=300), "--notes"))
    assert [(row.row, row.fields) for row in read] == [(i + 1, {"i": str(i)}) for i in range(1000)]


def test_a_row_with_a_nul_is_bad_and_the_next_is_not(write):
    read = list(parquet.rows(write([{"a": "x\0"}, {"a": "y"}]), "--notes"))
    assert [row.fields for row in read] == [None, {"a": "y"}]


def test_damaged_empty_and_missing_files_are_refused(write, tmp_path):
    path = write([{"a": "Zebulon Quartermain"}] * 5)
    content = path.read_bytes()
    broken = [content[:-9], content[:20] + b"\xff" * 30 + content[50:], b"", b"PAR1", b"a,b\n1,2\n"]
    for damage in broken:
        path.write_bytes(damage)
        with pytest.raises(NoteFormatError, match=r"^--notes: no Parquet file, or a damaged one$"):
            list(parquet.rows(path, "--notes"))
    pq.write_table(pa.table({"a": pa.array([], pa.string())}), path)
    with pytest.raises(NoteFormatError, match="holds no records"):
        list(parquet.rows(path, "--notes"))
    with pytest.raises(NoteFormatError, match="no such file"):
        list(parquet.rows(tmp_path / "none.parquet", "--notes"))


def test_notes_and_questions_are_read_from_it(write):
    path = write([{"note_id": 7, "patient_id": 8, "text": "Seen today."}])
    (note,) = stream_notes(path, load_config(None, {}, {}).load, argument="--notes", tally=Tally())
    assert (note.note_id, note.patient_id) == ("7", "8")
    options = {"A": "one", "B": "two", "C": "three"}
    path = write([{"question": "Which?", "options": options, "answer": "two", "answer_idx": "B"}])
    assert load_questions(path).questions[0].right == 1


def table_of(**columns):
    return pa.table(
        {"note_id": ["1", "2"], "patient_id": ["P", "Q"], "text": ["Seen today.", "Seen again."], **columns}
    )


def loaded(path, **columns):
    settings = load_config(None, {}, {}).load.model_copy(update=columns)
    tally = Tally()
    return list(stream_notes(path, settings, argument="--notes", tally=tally)), tally.counts()["rows_bad"]


LAST_DAY = pa.array([2**31 - 1, 0], pa.int32()).cast(pa.date32())
NO_ZONE = pa.array([0, None], pa.timestamp("us", "Nowhere/Zebulon"))
NO_TEXT = pa.array([b"\xff\xfe", b"fine"], pa.binary()).view(pa.string())
LATE = pa.array([2**62, 0], pa.int64()).cast(pa.timestamp("us"))


@pytest.mark.parametrize("values", [LAST_DAY, NO_ZONE, NO_TEXT, LATE], ids=["day", "zone", "utf8", "time"])
@pytest.mark.parametrize("inside", [False, True])
def test_a_value_that_is_none_costs_its_row_only_where_the_column_is_wanted(tmp_path, values, inside):
    path = tmp_path / "n.parquet"
    column = pa.StructArray.from_arrays([values], ["at"]) if inside else values
    pq.write_table(table_of(visit=column), path)
    first, second = parquet.rows(path, "--notes")
    name = "visit.at" if inside else "visit"
    assert (first.problem, first.unreadable) == (None, {name})
    assert name not in first.fields
    assert (second.unreadable, name in second.fields) == (set(), True)
    notes, bad = loaded(path)
    assert ([note.note_id for note in notes], bad) == (["1", "2"], {})
    notes, bad = loaded(path, date=name)
    assert ([note.note_id for note in notes], bad) == (["2"], {"a value that cannot be read": 1})


@pytest.mark.parametrize(
    "columns",
    [
        [("patient_id", ["A"]), ("patient_id", ["B"])],
        [("patient.id", ["A"]), ("patient", [{"id": "B"}])],
        [("patient", [{"id": "B"}]), ("patient.id", ["A"])],
    ],
)
def test_a_field_that_two_columns_name_is_refused(tmp_path, columns):
    names, values = zip(*columns, strict=True)
    made = pa.table(
        [pa.array(["1"]), *map(pa.array, values), pa.array(["Seen."])], ["note_id", *names, "text"]
    )
    pq.write_table(made, tmp_path / "n.parquet")
    with pytest.raises(
        NoteFormatError, match=r"^--notes: column 3 names a field that column 2 has named already$"
    ):
        list(parquet.rows(tmp_path / "n.parquet", "--notes"))


def test_bytes_lists_and_maps_hide_no_field(tmp_path):
    pq.write_table(table_of(raw=[b"\xff", b""], many=[[1], []]), tmp_path / "n.parquet")
    assert [set(row.fields) for row in parquet.rows(tmp_path / "n.parquet", "--notes")] == [
        {"note_id", "patient_id", "text"}
    ] * 2


def test_infinity_is_no_value(write):
    assert [row.fields for row in parquet.rows(write([{"n": float("inf"), "m": 1}]), "--notes")] == [
        {"n": None, "m": "1"}
    ]


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
def test_damage_in_the_middle_is_one_line_or_changes_nothing(tmp_path, compression):
    """The pages bear checksums here; without them a flipped byte of an uncompressed page is other text."""
    path = tmp_path / "n.parquet"
    rows = [{"note_id": f"{i}", "text": f"Zebulon Quartermain {i} " * 9} for i in range(400)]
    options = {"compression": compression, "row_group_size": 100, "write_page_checksum": True}
    pq.write_table(pa.Table.from_pylist(rows), path, **options)
    whole, content = list(parquet.rows(path, "--notes")), path.read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    for at in range(4, len(content) - 8, max(1, len(content) // 40)):
        for damaged in (content[:at], content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :]):
            path.write_bytes(damaged)
            found, refused = [], ""
            try:
                found = list(parquet.rows(path, "--notes"))
            except NoteFormatError as error:
                refused = str(error)
            assert refused in ("", "--notes: no Parquet file, or a damaged one")
            assert refused or found == whole or (at >= footer and len(found) == len(whole))
