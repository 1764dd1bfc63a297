"""CSV and TSV with a header row."""

import csv as standard_csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.errors import NoteFormatError
from phiscan.formats import csv
from phiscan.protocols import RawRow

CANARY = "Zebulon Quartermain"


@pytest.fixture
def write(tmp_path):
    def write_bytes(data: bytes, name: str = "secret-name.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write_bytes


def read(path: Path) -> list[RawRow]:
    return list(csv.rows(path, "--notes"))


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


def test_multi_line_fields_keep_their_line_endings(write):
    rows = read(write(b'id,text\r\n1,"a\r\nb\nc\rd ""q"", e"\r\n2," x\x0cy "\r\n'))
    assert rows == [
        RawRow(1, {"id": "1", "text": 'a\r\nb\nc\rd "q", e'}),
        RawRow(2, {"id": "2", "text": " x\x0cy "}),
    ]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_every_line_ending_and_a_byte_order_mark(write, ending, mark):
    data = mark + ending.join([b"id,text", b"", b"1,one", b"2,two", b""])
    assert read(write(data)) == [RawRow(1, {"id": "1", "text": "one"}), RawRow(2, {"id": "2", "text": "two"})]


@pytest.mark.parametrize("name", ["n.tsv", "n.TSV", "n.tsv.gz"])
def test_tsv_is_separated_by_tabs(write, name):
    assert read(write(b"id\ttext\n1\ta, b\n", name)) == [RawRow(1, {"id": "1", "text": "a, b"})]


def test_gzip(write):
    assert read(write(gzip.compress(b"id\n7\n"), "n.csv.gz")) == [RawRow(1, {"id": "7"})]


def test_a_row_with_too_few_or_too_many_fields_is_bad_and_counted_in_place(write):
    rows = read(write(b"id,text\n1,a\n2\n3,b,c\n4,d\n"))
    assert [(row.row, row.problem) for row in rows] == [
        (1, None),
        (2, "wrong number of fields"),
        (3, "wrong number of fields"),
        (4, None),
    ]


def test_a_long_field_is_read_and_a_cut_or_damaged_one_is_bad(write):
    texts = ["x" * 131_073, "x" * 32_767, "x\0y", "x" * 32_768]
    rows = read(write(("id,text\n" + "".join(f"1,{text}\n" for text in texts)).encode()))
    assert rows[0].fields == {"id": "1", "text": texts[0]}
    assert "32,767" in (rows[1].problem or "")
    assert "NUL" in (rows[2].problem or "")
    assert rows[3].fields == {"id": "1", "text": texts[3]}


def test_the_standard_module_keeps_a_larger_limit(write):
    before = standard_csv.field_size_limit(2**30)
    try:
        read(write(b"id\n1\n"))
        assert standard_csv.field_size_limit() == 2**30
    finally:
        standard_csv.field_size_limit(before)


@pytest.mark.parametrize(
    "body",
    [
        f'1,"{CANARY} said "no" to it"\n2,fine\n',
        f'1,"{CANARY} never ends\n2,fine\n',
        f'1,"{CANARY}" x\n',
    ],
)
def test_a_quote_out_of_place_stops_the_reading_and_names_the_row(write, body):
    assert "row 2 (up to line " in refusal(write(f"id,text\n0,first\n{body}".encode()))


def test_rows_before_a_quote_out_of_place_are_no_result(write):
    reading = csv.rows(write(b'id,text\n0,first\n1,"a"b"\n'), "--notes")
    assert next(reading).row == 1
    with pytest.raises(NoteFormatError):
        next(reading)


def test_a_bad_quote_in_the_header(write):
    assert "the header" in refusal(write(b'id,"te"xt\n1,a\n'))


def test_the_same_name_twice_in_the_header_is_refused_without_naming_it(write):
    message = refusal(write(f"{CANARY},id, {CANARY} \n1,2,3\n".encode()))
    assert "column 3 has the same name as column 1" in message


def test_blanks_around_names_go_and_nameless_columns_are_left_out(write):
    assert read(write(b",id , text,,\n0,1,a,,\n")) == [RawRow(1, {"id": "1", "text": "a"})]


def test_a_nul_in_the_header_is_refused(write):
    assert "the header is damaged" in refusal(write(b"id,te\0xt\n1,a\n"))


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"id,text\n", b"id,text\r\n\r\n", b"\xef\xbb\xbf", gzip.compress(b"")]
)
def test_a_file_without_records_is_refused(write, data):
    assert "holds no records" in refusal(write(data))


def test_bytes_that_are_not_utf8_name_the_line(write):
    assert "line 3 is not UTF-8" in refusal(write(f'id,text\n1,"{CANARY}\n'.encode() + b'\x92s"\n'))


def test_utf16_is_refused_by_name(write):
    assert "UTF-16" in refusal(write(f"id,text\n1,{CANARY}\n".encode("utf-16")))


def test_a_cut_gzip_is_refused(write):
    assert "cut off" in refusal(write(gzip.compress(b"id,text\n1,a\n" * 100)[:-9], "secret.csv.gz"))


def test_missing_files_and_folders(tmp_path):
    assert "no such file" in refusal(tmp_path / "secret.csv")
    (tmp_path / "secret.csv").mkdir()
    assert "folder" in refusal(tmp_path / "secret.csv")


field = st.text(st.characters(codec="utf-8", exclude_characters="\0"))


@given(
    st.lists(st.tuples(field, field, field), min_size=1),
    st.sampled_from(["\r\n", "\n", "\r"]),
    st.sampled_from([standard_csv.QUOTE_ALL, standard_csv.QUOTE_MINIMAL]),
    st.sampled_from(["n.csv", "n.csv.gz", "n.tsv"]),
)
def test_what_was_written_is_read(tmp_path_factory, records, ending, quoting, name):
    if ending != "\r\n":
        quoting = standard_csv.QUOTE_ALL  # older standard writers leave the other line ending bare
    path = tmp_path_factory.mktemp("csv") / name
    out = io.StringIO(newline="")
    delimiter = "\t" if "tsv" in name else ","
    writer = standard_csv.writer(out, lineterminator=ending, quoting=quoting, delimiter=delimiter)
    writer.writerows([("a", "b", "c"), *records])
    data = out.getvalue().encode()
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    assert read(path) == [
        RawRow(row, dict(zip("abc", values, strict=True))) for row, values in enumerate(records, 1)
    ]
