"""JSON Lines, and the strict text reading that the text formats share."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.errors import NoteFormatError
from phiscan.formats import jsonl
from phiscan.protocols import RawRow

CANARY = "Zebulon Quartermain"


@pytest.fixture
def write(tmp_path):
    def write_bytes(data: bytes, name: str = "secret-name.jsonl") -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write_bytes


def read(path: Path) -> list[RawRow]:
    return list(jsonl.rows(path, "--notes"))


def refusal(path: Path) -> str:
    with pytest.raises(NoteFormatError) as caught:
        read(path)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    text = str(caught.value)
    assert text.startswith("--notes: ")
    assert "\n" not in text
    for secret in (CANARY, "secret", path.name, str(path.parent)):
        assert secret not in text
    return text


def test_values_become_strings_or_none_and_objects_inside_are_flattened_once(write):
    scalars = b'"id": 12, "score": 1.50, "ok": true, "no": false, "gone": null, "odd": NaN'
    assert read(write(b"{" + scalars + b', "deep": {"a": 1, "b": {"c": 2}, "d": [3]}, "list": [1]}')) == [
        RawRow(
            1,
            {
                "id": "12",
                "score": "1.50",
                "ok": "true",
                "no": "false",
                "gone": None,
                "odd": None,
                "deep.a": "1",
            },
        )
    ]


def test_a_number_id_equals_its_string_and_keeps_every_digit(write):
    number, string = read(write(b'{"id": 90071992547409931}\n{"id": "90071992547409931"}\n'))
    assert number.fields == string.fields


def test_blank_lines_are_no_records_and_rows_count_records(write):
    rows = read(write(b'\n{"a": "1"}\r\n  \r\n{"a": "2"}\r{"a": "3"}'))
    assert rows == [RawRow(1, {"a": "1"}), RawRow(2, {"a": "2"}), RawRow(3, {"a": "3"})]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"text": "' + CANARY.encode(), "not JSON"),
        (b'{"text": "a", "text": "b"}', "stands twice"),
        (b'["' + CANARY.encode() + b'"]', "not a JSON object"),
        (b"12", "not a JSON object"),
        (b'{"text": "a\\u0000b"}', "NUL"),
        (b'{"text": "a\0b"}', "NUL"),
        (b"[" * 100_000, "not JSON"),
        (b'{"text": "' + b"x" * 32_767 + b'"}', "32,767"),
    ],
)
def test_a_bad_line_is_a_bad_row_and_the_next_one_is_read(write, line, problem):
    bad, good = read(write(line + b'\n{"text": "fine"}\n'))
    assert bad.row == 1
    assert bad.fields is None
    assert bad.problem is not None
    assert problem in bad.problem
    assert CANARY not in bad.problem
    assert good == RawRow(2, {"text": "fine"})


@pytest.mark.parametrize("length", [32_766, 32_768, 200_000])
def test_other_lengths_are_read_whole(write, length):
    (row,) = read(write(json.dumps({"text": "x" * length}).encode()))
    assert row.fields == {"text": "x" * length}


def test_a_spreadsheet_counts_utf16_units(write):
    cut = "x" * 32_766 + "\N{SNOWFLAKE}"
    wide = "x" * 32_765 + "\N{STETHOSCOPE}"
    whole = "x" * 32_764 + "\N{STETHOSCOPE}"
    lines = "\n".join(json.dumps({"text": text}, ensure_ascii=False) for text in (cut, wide, whole))
    assert [row.fields is None for row in read(write(lines.encode()))] == [True, True, False]


def test_byte_order_mark_form_feed_and_line_separators_are_kept_apart(write):
    text = "page one\x0cpage two\u2028line\x85next"
    line = b"\xef\xbb\xbf" + json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n"
    assert read(write(line)) == [RawRow(1, {"text": text})]


def test_raw_control_characters_in_a_string_are_taken(write):
    assert read(write(b'{"text": "a\tb\x0cc"}'))[0].fields == {"text": "a\tb\x0cc"}


@pytest.mark.parametrize("name", ["n.jsonl.gz", "n.ndjson.gz", "n.jsonl"])
def test_gzip_is_known_by_its_content(write, name):
    assert read(write(gzip.compress(b'{"a": "b"}\n'), name)) == [RawRow(1, {"a": "b"})]


def test_bytes_that_are_not_utf8_name_the_line(write):
    data = b'{"a": "fine \xc3\xa9"}\n\n{"a": "' + CANARY.encode() + b'\x93quoted\x94"}\n'
    message = refusal(write(data))
    assert "line 3 is not UTF-8" in message
    assert "convert" in message


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_utf16_and_utf32_are_refused_by_name(write, encoding):
    assert "UTF-16" in refusal(write(('{"a": "' + CANARY + '"}').encode(encoding)))


def test_a_zip_archive_is_refused_by_name(write):
    assert "spreadsheet" in refusal(write(b"PK\x03\x04" + b"\0" * 40))


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", gzip.compress(b"")])
def test_a_file_without_records_is_refused(write, data):
    assert "holds no records" in refusal(write(data))


def test_a_cut_gzip_is_refused_wherever_it_is_cut(write):
    whole = gzip.compress((json.dumps({"a": CANARY}) + "\n").encode() * 50)
    for length in range(3, len(whole) - 1, 7):
        assert "cut off" in refusal(write(whole[:length]))


def test_a_damaged_gzip_is_refused(write):
    whole = bytearray(gzip.compress(b'{"a": "b"}\n' * 50))
    whole[-6] ^= 0xFF  # the checksum
    assert "damaged" in refusal(write(bytes(whole)))
    whole[12] ^= 0xFF  # the stream
    assert "damaged" in refusal(write(bytes(whole)))


def test_missing_files_and_folders_are_named_as_such(tmp_path):
    assert "no such file" in refusal(tmp_path / "secret.jsonl")
    (tmp_path / "secret.jsonl").mkdir()
    assert "folder" in refusal(tmp_path / "secret.jsonl")
    (tmp_path / "file").touch()
    assert "cannot be read" in refusal(tmp_path / "file" / "secret.jsonl")


def test_the_file_is_read_as_it_is_asked_for(write):
    rows = jsonl.rows(write(b'{"a": "b"}\n' * 100_000 + b"\xff"), "--notes")
    assert next(rows) == RawRow(1, {"a": "b"})


@given(
    st.lists(
        st.dictionaries(
            st.text(st.characters(codec="utf-8")),
            st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\0")),
        ),
        min_size=1,
    ),
    st.booleans(),
    st.booleans(),
)
def test_what_was_written_is_read(tmp_path_factory, records, ascii_only, packed):
    path = tmp_path_factory.mktemp("jsonl") / "n.jsonl"
    data = "".join(json.dumps(fields, ensure_ascii=ascii_only) + "\n" for fields in records).encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    assert read(path) == [RawRow(row, fields) for row, fields in enumerate(records, 1)]


@pytest.mark.parametrize(
    "line",
    [
        b'{"patient.id": "A", "patient": {"id": "B"}}',
        b'{"patient": {"id": "B"}, "patient.id": "A"}',
        b'{"patient": {"id": "B"}, "patient.id": null}',
        b'{"a.b": {"c": 1}, "a": {"b.c": 2}}',
        b'{"patient": {"id": "A", "id": "B"}}',
    ],
)
def test_a_field_said_twice_is_a_bad_row_however_it_is_said(write, line):
    bad, good = read(write(line + b'\n{"patient": {"id": "B"}, "patient.ids": "A"}\n'))
    assert bad.fields is None
    assert "stands twice" in bad.problem
    assert good.fields == {"patient.id": "B", "patient.ids": "A"}
