"""Every formats plug-in keeps the contract of phiscan.protocols.NoteFormat."""

import gzip
import inspect
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.errors import NoteFormatError
from phiscan.protocols import NoteFormat, RawRow
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
]


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
