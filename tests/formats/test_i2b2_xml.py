"""XML of the 2014 i2b2 task: offsets into the text as it stands, and nothing fetched or expanded."""

from xml.sax.saxutils import quoteattr

import pytest

from phiscan.errors import NoteFormatError
from phiscan.formats import i2b2_xml
from phiscan.protocols import GoldSpan, RawRow

CANARY = "Zebulon Quartermain"
TEXT = "\n\nRecord date: 2071-03-04\n\nMs. Quill & son, O2 <90%.\n  \n"


def xml(text=TEXT, tags='<NAME id="P0" start="31" end="36" text="Quill" TYPE="PATIENT"/>', root="deIdi2b2"):
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<{root}>\n<TEXT><![CDATA[{text}]]></TEXT>\n<TAGS>{tags}</TAGS>\n</{root}>"


@pytest.fixture
def write(tmp_path):
    def write_file(content, name="220-01.xml"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


def rows(path):
    return list(i2b2_xml.rows(path, "--notes"))


def gold(path):
    return list(i2b2_xml.gold(path, "--gold"))


def test_pitfall_26_offsets_count_from_behind_the_tag_and_nothing_is_stripped(write):
    path = write(xml())
    (note,) = rows(path)
    assert note == RawRow(
        1, {"note_id": "220-01", "patient_id": "220", "date": "2071-03-04", "text": TEXT}, None
    )
    (found,) = gold(path)
    assert found.spans == (GoldSpan(31, 36, "PATIENT", "Quill"),)
    assert TEXT[31:36] == "Quill"


def test_pitfall_26_spans_variants(write):
    tags = (
        '<AGE spans="16~26" TYPE="AGE"/><DATE spans="1~3, 5~7" text="x" TYPE="DATE"/>'
        '<PHI spans="-1~-1" TYPE="DATE"/><LINK fromID="P0" toID="P1"/><CITY start="4" end="9"/>'
        '<ID start="x" end="9" TYPE="IDNUM"/>'
    )
    (found,) = gold(write(xml(tags=tags)))
    assert found.spans == (
        GoldSpan(16, 26, "AGE"),
        GoldSpan(1, 3, "DATE"),
        GoldSpan(5, 7, "DATE"),
        GoldSpan(4, 9, "CITY"),
    )
    assert found.ignored == {"tag without a place in the text": 3}


def test_pitfall_26_gold_text_is_handed_on_and_offsets_are_trusted(write):
    tags = f'<NAME start="31" end="38" text={quoteattr("Quill and")} TYPE="PATIENT"/>'
    (found,) = gold(write(xml(tags=tags)))
    assert found.spans == (GoldSpan(31, 38, "PATIENT", "Quill and"),)


def test_characters_beyond_the_basic_plane_count_once(write):
    text = "\n\N{STETHOSCOPE} Quill"
    (note,) = rows(write(xml(text=text)))
    assert note.fields["text"][3:8] == "Quill"


def test_escaped_text_and_other_encodings(write):
    document = '<?xml version="1.0" encoding="ISO-8859-1"?><x><TEXT>Caf\xe9 &amp; b&#13;\n</TEXT><TAGS/></x>'
    (note,) = rows(write(document.encode("latin-1")))
    assert note.fields["text"] == "Caf\xe9 & b\r\n"


def test_a_folder_is_read_in_the_order_of_its_names_and_bad_files_keep_their_row(write, tmp_path):
    write(xml(), "b-2.xml")
    write("<deIdi2b2><TEXT>" + CANARY, "b-1.XML")
    write(xml(), "a.xml")
    write("not a note", "readme.txt")
    write("junk", "._a.xml")
    found = rows(tmp_path)
    assert [row.row for row in found] == [1, 2, 3]
    assert [row.fields and (row.fields["note_id"], row.fields["patient_id"]) for row in found] == [
        ("a", "a"), None, ("b-2", "b"),
    ]  # fmt: skip
    assert found[1].problem == "not well-formed XML (line 1)"
    assert [row.problem for row in gold(tmp_path)] == [None, "not well-formed XML (line 1)", None]


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x><TEXT>&b;</TEXT></x>'
FILE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><x><TEXT>&a;</TEXT></x>'
REMOTE = '<!DOCTYPE x [<!ENTITY % a SYSTEM "http://127.0.0.1:9/a.dtd">%a;]><x><TEXT>a</TEXT></x>'


@pytest.mark.parametrize("document", [BOMB, FILE, REMOTE])
def test_entities_and_other_files_are_refused(write, document):
    (row,) = rows(write(document))
    assert row.fields is None
    assert "entities" in row.problem


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ("<x><TEXT>a <NAME>b</NAME></TEXT></x>", "elements inside TEXT"),
        ("<x><NOTE>a</NOTE></x>", "no TEXT element"),
        ("", "not well-formed XML (line 1)"),
        ("<?xml version='1.0' encoding='klingon'?><x/>", "encoding"),
        (b"<x><TEXT>caf\xe9</TEXT></x>", "not well-formed"),
        ("<x><TEXT>" + "x" * 32_767 + "</TEXT></x>", "32,767"),
    ],
)
def test_what_is_no_such_file_is_a_bad_row_that_says_why(write, document, problem):
    (row,) = rows(write(document))
    assert row.fields is None
    assert problem in row.problem


def test_a_file_without_tags_is_a_note_without_annotations(write):
    path = write("<x><TEXT>a</TEXT></x>")
    assert rows(path)[0].fields["text"] == "a"
    (found,) = gold(path)
    assert (found.spans, found.problem) == (None, "no TAGS")


def test_a_missing_file_and_an_empty_folder(tmp_path):
    with pytest.raises(NoteFormatError, match=r"^--notes: no such file$"):
        rows(tmp_path / "none.xml")
    with pytest.raises(NoteFormatError, match=r"^--notes: there is no file that ends in \.xml$"):
        rows(tmp_path)


@pytest.mark.parametrize("read", [rows, gold])
def test_a_name_in_two_cases_is_refused_and_hides_no_note(write, tmp_path, read):
    write(xml(), "a.xml")
    write(xml(), f"{CANARY}.xml")
    write(xml(), f"{CANARY}.XML")
    with pytest.raises(
        NoteFormatError, match=r"^--\w+: two files of row 1 differ only in the capitals of \.xml; "
    ):
        read(tmp_path)
    (tmp_path / f"{CANARY}.XML").rename(tmp_path / f"{CANARY.upper()}.XML")
    assert len(read(tmp_path)) == 3


def test_a_file_of_one_name_in_two_cases_can_be_read_by_itself(write):
    paths = [write(xml(text=text), name) for text, name in (("one", "a.xml"), ("two", "a.XML"))]
    assert [rows(path)[0].fields["text"] for path in paths] == ["one", "two"]


def test_a_name_that_no_file_can_have(tmp_path):
    with pytest.raises(NoteFormatError, match=r"^--notes: cannot be read \(File name too long\)$"):
        rows(tmp_path / ("x" * 5_000 + ".xml"))


@pytest.mark.parametrize("question", ["is_file", "is_dir", "exists"])
def test_a_folder_that_may_not_be_entered(write, tmp_path, monkeypatch, question):
    write(xml(), "a.xml")

    def denied(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(f"pathlib.Path.{question}", denied)
    with pytest.raises(NoteFormatError, match=r"^--notes: cannot be read \(Permission denied\)$"):
        rows(tmp_path)
