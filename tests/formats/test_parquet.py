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
