"""Gold files: labels, offsets and everything that is counted and not scored."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from phiscan.errors import NoteFormatError
from phiscan.gold_file import PlacedSpan, load_gold, place_in_note
from phiscan.input_rows import Tally
from phiscan.load import LoadSettings, line_feeds, note_offset, raw_offset, stream_notes
from phiscan.protocols import GoldSpan
from phiscan.records import Note

CANARY = "Zebulon Quartermain"
DEFAULT = LoadSettings()


def note(raw):
    text, crlf = line_feeds(raw)
    return Note(
        note_id="n", patient_id="p", split="member", note_type=None, date=None, n_chars=len(text), n_tokens=None,
        copies=1, text=text, ordinal=0, row=1, copy_ids=(), crlf=crlf,
    )  # fmt: skip


@pytest.fixture
def gold(tmp_path, write_jsonl):
    return lambda *rows: write_jsonl(tmp_path / "secret.jsonl", rows)


def row(note_id, *spans):
    keys = ("start", "end", "category", "text")
    return {"note_id": note_id, "spans": [dict(zip(keys, span, strict=False)) for span in spans]}


def refusal(*args, **kwargs):
    with pytest.raises(NoteFormatError) as caught:
        load_gold(*args, **kwargs)
    message = str(caught.value)
    assert message.startswith("--gold: ")
    assert "\n" not in message
    assert CANARY not in message
    assert "secret" not in message
    return message


def test_labels_become_categories_by_name_and_by_mapping(gold):
    path = gold(
        row("1", (0, 1, "Patient"), (1, 2, "location_other"), (2, 3, "IPAddress"), (3, 4, "Name:Nurse"))
    )
    loaded = load_gold(path, LoadSettings(labels=("Name:Nurse=DOCTOR",)))
    assert [span.label for span in loaded.by_note["1"].spans] == [
        "PATIENT", "LOCATION-OTHER", "IPADDR", "DOCTOR",
    ]  # fmt: skip


def test_gender_and_labels_mapped_to_nothing_are_left_out_and_counted(gold):
    path = gold(row("1", (0, 1, "GENDER"), (1, 2, "DRUG"), (2, 3, "DATE")))
    loaded = load_gold(path, LoadSettings(labels=("drug=",)))
    assert [span.label for span in loaded.by_note["1"].spans] == ["DATE"]
    assert loaded.ignored == {"GENDER, which is not scored": 1, "label mapped to nothing": 1}


def test_unknown_labels_are_named_unless_they_might_be_a_name(gold):
    path = gold(row("1", (0, 1, "DATE")), row("2", (0, 1, "NAME"), (1, 2, CANARY), (2, 3, "ORG")))
    message = refusal(path, DEFAULT)
    assert "labels that are no category: NAME, ORG, 1 label not shown (first in row 2)" in message
    assert 'load.labels = ["NAME=CATEGORY"]' in message


VALUES = ("QUARTERMAIN", "ZEBULON-QUARTERMAIN", "7730218", "MRN-7730218", "219-09-4471", "B-12", "DATE-1950",
          "NAME_QUARTERMAIN", "2071-03-04", "A", "O", "DAY", "NAME-", "")  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
def test_a_value_where_a_label_should_stand_is_never_shown(gold, value):
    message = refusal(gold(row("1", (0, 1, value))), DEFAULT)
    assert "labels that are no category: 1 label not shown (first in row 1); map each" in message
    assert 'load.labels = ["LABEL=CATEGORY"]' in message


def test_values_in_capitals_are_counted_and_not_shown(gold):
    message = refusal(gold(*(row(str(n), (0, 1, value)) for n, value in enumerate(VALUES, 5))), DEFAULT)
    assert "labels that are no category: 14 labels not shown (first in row 1)" in message


@pytest.mark.parametrize(
    "label",
    ["PER", "B-PER", "Name:Nurse", "Contactdetails", "Address_Location:Caregiver", "NAME_FAMILY", "loc"],
)
def test_the_words_of_labels_are_shown(gold, label):
    assert f"no category: {label} (first in row 1)" in refusal(gold(row("1", (0, 1, label))), DEFAULT)


@pytest.mark.parametrize("pair", ["NAME", "=DATE", "NAME=PERSON"])
def test_a_mapping_must_lead_to_a_category(pair):
    with pytest.raises(ValidationError):
        LoadSettings(labels=(pair,))


def test_a_note_annotated_twice_and_a_file_without_annotations(gold, tmp_path):
    assert "row 2 repeats the note_id of row 1" in refusal(gold(row("1"), row("1")), DEFAULT)
    message = refusal(gold({"note_id": "1", "text": CANARY}), DEFAULT)
    assert message.endswith(': no list in the field "spans" (1)')
    (tmp_path / "notes.csv").write_text("note_id,text\n1,a\n")
    assert "annotations are read from brat, i2b2_xml, jsonl only" in refusal(tmp_path / "notes.csv", DEFAULT)


def test_records_without_annotations_are_counted(gold):
    loaded = load_gold(gold(row("1"), {"note_id": "2"}, {"spans": []}, [CANARY]), DEFAULT)
    assert set(loaded.by_note) == {"1"}
    assert (loaded.rows_read, sum(loaded.rows_bad.values())) == (4, 3)
    assert loaded.by_note["1"].spans == ()


def test_the_note_id_stands_in_the_mapped_column(gold):
    path = gold({"ROW_ID": 7, "spans": []})
    assert set(load_gold(path, LoadSettings(note_id="ROW_ID")).by_note) == {"7"}


def test_pitfall_26_texts_that_differ_are_counted_and_offsets_are_trusted():
    counts = Counter()
    spans = [
        GoldSpan(0, 9, "PATIENT", "Ada Quill"),
        GoldSpan(10, 17, "HOSPITAL", "Elm and"),
        GoldSpan(0, 3, "DATE"),
    ]
    placed = place_in_note(spans, note("Ada\r\nQuill Elm & so"), counts)
    assert placed == [PlacedSpan(0, 3, "DATE"), PlacedSpan(0, 8, "PATIENT"), PlacedSpan(9, 16, "HOSPITAL")]
    assert counts == {
        "annotations whose text differs from the note's (their offsets are trusted)": 2,
        "annotations that overlap another, all scored": 1,
    }


def test_annotations_outside_empty_or_twice():
    counts = Counter()
    spans = [GoldSpan(0, 3, "DATE"), GoldSpan(0, 3, "DATE"), GoldSpan(2, 2, "DATE"), GoldSpan(3, 2, "AGE"),
             GoldSpan(1, 99, "DATE"), GoldSpan(0, 4, "DATE")]  # fmt: skip
    assert place_in_note(spans, note("a\r\nb"), counts) == [
        PlacedSpan(0, 2, "DATE"),
        PlacedSpan(0, 3, "DATE"),
    ]
    assert counts["annotations empty or outside their note, not scored"] == 3
    assert counts["annotations that stand twice, scored once"] == 1


@given(st.lists(st.sampled_from(["a", "\r", "\n", "\r\n", "\N{STETHOSCOPE}"])).map("".join))
def test_raw_offsets_and_note_offsets_are_inverse(raw):
    loaded = note(raw)
    for offset in range(len(loaded.text) + 1):
        assert note_offset(loaded, raw_offset(loaded, offset)) == offset
    back = [note_offset(loaded, at) for at in range(len(raw) + 1)]
    assert back == sorted(back)
    assert back[-1] == len(loaded.text)


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.sampled_from(["Ada ", "Quill", "\r\n", "\r\n\r\n", "\n", " "]), min_size=1).map("".join),
    st.data(),
)
def test_pitfall_27_offsets_survive_crlf(tmp_path_factory, raw, data):
    start = data.draw(st.integers(0, len(raw) - 1))
    end = data.draw(st.integers(start + 1, len(raw)))
    raw += "."
    folder = tmp_path_factory.mktemp("brat")
    (folder / "n1.txt").write_bytes(raw.encode())
    (folder / "n1.ann").write_bytes(f"T1\tDATE {start} {end}\tx\r\n".encode())
    (loaded,) = stream_notes(folder, DEFAULT, argument="--notes", tally=Tally())
    gold = load_gold(folder, DEFAULT).by_note["n1"]
    placed = place_in_note(gold.spans, loaded, Counter())
    inside = raw[start:end]
    cut = (raw[start - 1 : start] == "\r" and inside[0] == "\n") or inside[-1] == "\r"
    if not cut:
        (at,) = placed
        assert loaded.text[at.start : at.end] == line_feeds(inside)[0]
