"""brat standoff: notes and annotations in pairs of files."""

import pytest

from phiscan.errors import NoteFormatError
from phiscan.formats import brat
from phiscan.protocols import GoldSpan, RawRow

CANARY = "Zebulon Quartermain"


@pytest.fixture
def write(tmp_path):
    def write_pair(text=None, ann=None, stem="n1"):
        for ending, content in ((".txt", text), (".ann", ann)):
            if content is not None:
                data = content if isinstance(content, bytes) else content.encode()
                (tmp_path / f"{stem}{ending}").write_bytes(data)
        return tmp_path / f"{stem}.txt"

    return write_pair


def rows(path):
    return list(brat.rows(path, "--notes"))


def gold(path):
    return list(brat.gold(path, "--gold"))


def test_pitfall_27_entities_with_one_and_several_places(write):
    path = write("Ada Quill", "T1\tNAME 0 3\tAda\nT2\tNAME 0 3;6 9\tAda ill\n")
    assert rows(path) == [RawRow(1, {"note_id": "n1", "patient_id": "n1", "text": "Ada Quill"}, None)]
    (found,) = gold(path)
    assert found.spans == (
        GoldSpan(0, 3, "NAME", "Ada"),
        GoldSpan(0, 3, "NAME", None),
        GoldSpan(6, 9, "NAME", None),
    )


def test_pitfall_27_crlf_counts_in_offsets_and_ends_no_value(write):
    text = "Seen.\r\nAda Quill"
    path = write(text, "T1\tNAME 7 16\tAda Quill\r\nT2\tDATE 0 4\tSeen\r\n")
    assert rows(path)[0].fields["text"] == text
    (found,) = gold(path)
    assert found.spans == (GoldSpan(7, 16, "NAME", "Ada Quill"), GoldSpan(0, 4, "DATE", "Seen"))
    assert text[7:16] == "Ada Quill"
    assert found.ignored == {}


def test_a_byte_order_mark_of_the_note_counts_and_that_of_the_annotations_does_not(write):
    path = write("\ufeffAda", "\ufeffT1\tNAME 1 4\tAda\n")
    assert rows(path)[0].fields["text"][1:4] == "Ada"
    assert gold(path)[0].spans == (GoldSpan(1, 4, "NAME", "Ada"),)


def test_other_kinds_of_line_are_counted(write):
    lines = [
        "T1\tNAME 0 3\tAda", "R1\tof Arg1:T1 Arg2:T2", "E1\tVisit:T1", "A1\tCertain T1", "#1\tAnnotatorNotes T1\tx",
        "*\tEquiv T1 T2", "", "T2\tNAME zero 3\tAda", "T3 NAME 0 3",
    ]  # fmt: skip
    (found,) = gold(write("Ada", "\n".join(lines)))
    assert len(found.spans) == 1
    assert found.ignored == {"line of another kind than T": 5, "unreadable entity line": 2}


def test_a_line_separator_inside_a_value_ends_no_line(write):
    (found,) = gold(write("A\u2028B", "T1\tNAME 0 3\tA\u2028B\n"))
    assert found.spans == (GoldSpan(0, 3, "NAME", "A\u2028B"),)


def test_either_file_of_a_pair_may_be_named(write, tmp_path):
    write("Ada", "T1\tNAME 0 3\tAda\n")
    write("Bram", "", "n2")
    assert rows(tmp_path / "n1.ann") == rows(tmp_path / "n1.txt")
    assert gold(tmp_path / "n1.ann") == gold(tmp_path / "n1.txt")


def test_a_folder_in_the_order_of_its_names_with_gaps_in_place(write, tmp_path):
    write("Ada", "T1\tNAME 0 3\tAda\n", "b")
    write("Bram", None, "a")
    write(None, "T1\tNAME 0 3\tAda\n", "c")
    write(f"{CANARY} caf\xe9".encode("latin-1"), "", "d")
    write("Cleo", b"\xff", "e")
    (tmp_path / "annotation.conf").write_text("[entities]\n")
    found = rows(tmp_path)
    assert [(row.row, row.problem) for row in found] == [
        (1, None),
        (2, None),
        (3, "no .txt beside the .ann"),
        (4, "not UTF-8 (Windows-1252 or Latin-1?)"),
        (5, None),
    ]
    assert [(row.row, row.spans is None, row.problem) for row in gold(tmp_path)] == [
        (1, True, "no .ann beside the .txt"),
        (2, False, None),
        (3, True, "no .txt beside the .ann"),
        (4, False, None),
        (5, True, "annotations: not UTF-8 (Windows-1252 or Latin-1?)"),
    ]


def test_an_empty_ann_says_that_nothing_was_found(write):
    assert gold(write("Nothing here.", ""))[0].spans == ()


def test_missing_files(write, tmp_path):
    with pytest.raises(NoteFormatError, match=r"^--notes: no such file$"):
        rows(tmp_path / "none.txt")
    write(None, "T1\tNAME 0 3\tAda\n")
    with pytest.raises(NoteFormatError, match=r"^--notes: no \.txt beside the \.ann$"):
        rows(tmp_path / "n1.ann")


def test_a_name_in_two_cases_is_refused_and_hides_no_note(write, tmp_path):
    path = write("Ada", "T1\tNAME 0 3\tAda\n")
    (tmp_path / "n1.TXT").write_text("Bram")
    for place in (tmp_path, path):
        for read in (rows, gold):
            with pytest.raises(
                NoteFormatError, match=r"two files of row 1 differ only in the capitals of \.txt"
            ):
                read(place)


def test_a_name_that_no_file_can_have(tmp_path):
    with pytest.raises(NoteFormatError, match=r"^--notes: cannot be read \(File name too long\)$"):
        rows(tmp_path / ("x" * 5_000 + ".ann"))
