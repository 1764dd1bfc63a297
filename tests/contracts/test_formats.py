"""Every formats plug-in keeps the contract of phiscan.protocols.NoteFormat."""

import gzip
import inspect
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.errors import NoteFormatError
from phiscan.protocols import FolderFormat, GoldFormat, GoldRow, GoldSpan, NoteFormat, RawRow
from phiscan.registry import load_plugin, plugin_names

NAMES = plugin_names("formats")
CANARY = "Zebulon Quartermain"
SAMPLES = [
    f"note_id,patient_id,text\n1,2,{CANARY}\n3,{CANARY}\n".encode(),
    f"note_id\tpatient_id\ttext\n1\t2\t{CANARY}\n".encode(),
    f'note_id,patient_id,text\n1,2,"{CANARY}" again"\n'.encode(),
    (json.dumps({"note_id": 1, "text": CANARY}) + "\n{" + CANARY + "\n").encode(),
    CANARY.encode() + b"\n\x93\xff\0",
    CANARY.encode("utf-16"),
    gzip.compress(CANARY.encode() * 99)[:-4],
    b"",
    f'<x><TEXT>{CANARY}</TEXT><TAGS><NAME start="0" end="7" TYPE="{CANARY}"/></TAGS></x>'.encode(),
    f"<x><TEXT>{CANARY}</TEXT><TAGS>".encode(),
    f"T1\tNAME 0 7\t{CANARY}\nT2\t{CANARY}\n".encode(),
    json.dumps(
        {"note_id": 1, "text": CANARY, "spans": [{"start": 0, "end": 7, "category": CANARY}]}
    ).encode(),
    json.dumps({"note_id": 1, "text": CANARY, "spans": [CANARY]}).encode(),
]
WITH_GOLD = [name for name in NAMES if isinstance(load_plugin("formats", name), GoldFormat)]
OF_FOLDERS = [name for name in NAMES if isinstance(load_plugin("formats", name), FolderFormat)]


def read(plugin: NoteFormat, path: Path) -> tuple[list[RawRow], NoteFormatError | None]:
    """All rows of ``path``, and the error that ended them, if one did."""
    rows: list[RawRow] = []
    try:
        rows.extend(plugin.rows(path, "--somewhere"))
    except NoteFormatError as error:
        return rows, error
    return rows, None


def keeps_contract(plugin: NoteFormat, path: Path) -> None:
    """Assert that ``path`` gives well-formed rows, or an error that is one safe line."""
    rows, error = read(plugin, path)
    for expected, row in enumerate(rows, 1):
        assert isinstance(row, RawRow)
        assert row.row == expected
        assert (row.fields is None) == (row.problem is not None)
        for name, value in (row.fields or {}).items():
            assert isinstance(name, str)
            assert value is None or isinstance(value, str)
        assert CANARY not in (row.problem or "")
    if error is None:
        assert rows, "a file without records is an error, not an empty success"
        return
    is_safe(error, path)


def is_safe(error: NoteFormatError, path: Path) -> None:
    """Assert that ``error`` is one line that names the argument and nothing of the file."""
    message = str(error)
    assert message.startswith("--somewhere: ")
    assert "\n" not in message
    for secret in (CANARY, path.name, str(path.parent)):
        assert secret not in message
    assert error.__suppress_context__ or error.__context__ is None


@pytest.mark.parametrize("name", NAMES)
def test_suffixes_are_lower_case_endings(name):
    suffixes = load_plugin("formats", name).SUFFIXES
    assert isinstance(suffixes, tuple)
    assert suffixes
    for suffix in suffixes:
        assert suffix.startswith(".")
        assert suffix == suffix.lower()


def test_no_two_formats_answer_to_one_ending():
    suffixes = [suffix for name in NAMES for suffix in load_plugin("formats", name).SUFFIXES]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("name", NAMES)
def test_the_module_says_what_it_reads_and_rows_takes_path_and_argument(name):
    plugin = load_plugin("formats", name)
    assert inspect.getdoc(plugin)
    assert list(inspect.signature(plugin.rows).parameters) == ["path", "argument"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sample", range(len(SAMPLES)))
def test_any_file_gives_rows_or_one_safe_line(name, sample, tmp_path):
    plugin = load_plugin("formats", name)
    for suffix in plugin.SUFFIXES:
        path = tmp_path / f"hidden{suffix}"
        path.write_bytes(SAMPLES[sample])
        keeps_contract(plugin, path)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=50, deadline=None)
@given(data=st.binary(max_size=200))
def test_any_bytes_give_rows_or_one_safe_line(name, tmp_path_factory, data):
    plugin = load_plugin("formats", name)
    path = tmp_path_factory.mktemp("formats") / f"hidden{plugin.SUFFIXES[0]}"
    path.write_bytes(data)
    keeps_contract(plugin, path)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_file_is_an_error_that_does_not_name_it(name, tmp_path):
    plugin = load_plugin("formats", name)
    for suffix in plugin.SUFFIXES:
        with pytest.raises(NoteFormatError) as caught:
            list(plugin.rows(tmp_path / f"hidden{suffix}", "--somewhere"))
        assert str(caught.value) == "--somewhere: no such file"


def gold_keeps_contract(plugin: GoldFormat, path: Path) -> None:
    """Assert that the annotations of ``path`` are those of its rows, well-formed, or one safe line."""
    rows, _ = read(plugin, path)
    found: list[GoldRow] = []
    try:
        found.extend(plugin.gold(path, "--somewhere"))
    except NoteFormatError as error:
        is_safe(error, path)
    for row, gold in zip(rows, found, strict=False):
        assert isinstance(gold, GoldRow)
        assert gold.row == row.row
        assert (gold.spans is None) == (gold.problem is not None)
        assert CANARY not in f"{gold.problem}{dict(gold.ignored)}"
        assert all(isinstance(span, GoldSpan) and isinstance(span.start, int) for span in gold.spans or ())
        if row.fields and gold.fields:
            assert gold.fields["note_id"] == row.fields["note_id"]
    assert len(found) <= len(rows)


@pytest.mark.parametrize("name", WITH_GOLD)
@pytest.mark.parametrize("sample", range(len(SAMPLES)))
def test_annotations_of_any_file_are_well_formed_or_one_safe_line(name, sample, tmp_path):
    plugin = load_plugin("formats", name)
    for suffix in plugin.SUFFIXES:
        path = tmp_path / f"hidden{suffix}"
        path.write_bytes(SAMPLES[sample])
        gold_keeps_contract(plugin, path)


@pytest.mark.parametrize("name", WITH_GOLD)
@settings(max_examples=50, deadline=None)
@given(data=st.binary(max_size=200))
def test_annotations_of_any_bytes_are_well_formed_or_one_safe_line(name, tmp_path_factory, data):
    plugin = load_plugin("formats", name)
    folder = tmp_path_factory.mktemp("formats")
    for suffix in plugin.SUFFIXES:
        (folder / f"hidden{suffix}").write_bytes(data)
    gold_keeps_contract(plugin, folder / f"hidden{plugin.SUFFIXES[0]}")


@pytest.mark.parametrize("name", OF_FOLDERS)
def test_a_folder_holds_one_record_a_name_and_hides_the_names(name, tmp_path):
    plugin = load_plugin("formats", name)
    folder = tmp_path / "hidden"
    folder.mkdir()
    with pytest.raises(NoteFormatError) as caught:
        list(plugin.rows(folder, "--somewhere"))
    is_safe(caught.value, folder)
    for number, sample in enumerate(SAMPLES):
        for suffix in plugin.SUFFIXES:
            (folder / f"{number:02d}{suffix}").write_bytes(sample)
    rows, error = read(plugin, folder)
    assert error is None
    assert len(rows) == len(SAMPLES)
    keeps_contract(plugin, folder)


def test_no_two_formats_of_folders_answer_to_one_ending():
    endings = [load_plugin("formats", name).FOLDER for name in OF_FOLDERS]
    assert len(endings) == len(set(endings)) >= 2
    assert all(
        load_plugin("formats", name).FOLDER in load_plugin("formats", name).SUFFIXES for name in OF_FOLDERS
    )


def test_formats_with_annotations_are_known_as_such():
    assert {"brat", "i2b2_xml", "jsonl"} <= set(WITH_GOLD)
    assert "csv" not in WITH_GOLD
