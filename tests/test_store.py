"""The run directory: whole parts, tight modes, honest resume."""

import os
import stat
from typing import get_type_hints

import pytest

from phiscan.arrow_records import arrow_schema
from phiscan.errors import StoreError
from phiscan.records import Continuation, SpanMatch
from phiscan.store import TABLES, RunDirectory, codes_of


def continuation(**changes):
    fields = {
        "gen_id": "scanned/n1.bare.50/greedy/0",
        "prompt_id": "n1.bare.50",
        "note_id": "N1",
        "arm": "scanned",
        "decoding": "greedy",
        "draw": 0,
        "token_ids": (1, 2),
        "token_ends": (3, 4),
        "text": "text",
        "stop": "eos",
        "degenerate": None,
        "mean_logprob": -0.5,
    }
    return Continuation(**{**fields, **changes})


def match(**changes):
    fields = {
        "gen_id": "g",
        "note_id": "N1",
        "matched_note_id": "N1",
        "unit": "word",
        "n_units": 40,
        "matched_start": 0,
        "matched_end": 90,
        "cont_start": 1,
        "cont_end": 91,
        "cont_unit": 0,
        "where": "suffix",
        "n_patients": 1,
        "net_blocks": ((1, 91, 40), (2, 3, 30)),
        "net_units": 40,
    }
    return SpanMatch(**{**fields, **changes})


@pytest.fixture
def run(tmp_path):
    made = RunDirectory(tmp_path / "run")
    made.open()
    return made


def test_records_come_back_as_written(run):
    rows = [continuation(), continuation(token_ids=None, token_ends=None, mean_logprob=None, text="")]
    run.write_part("continuations", "00000", rows, "d")
    assert run.read_part("continuations", "00000") == rows
    matches = [match(), match(net_blocks=())]
    run.write_part("matches", "00000", matches, "d")
    assert run.read_part("matches", "00000") == matches
    assert list(run.read_table("matches")) == matches


def test_every_table_has_a_schema_of_its_fields():
    for record in TABLES.values():
        schema = arrow_schema(record)
        assert schema.names == [name for name in get_type_hints(record) if name in schema.names]
        assert len(schema.names) == len(record.__dataclass_fields__)


def test_empty_tables_keep_their_columns(run):
    run.write_part("matches", "00000", [], "d")
    assert list(run.read_frame("matches", ["gen_id", "where"]).columns) == ["gen_id", "where"]
    assert run.read_frame("hits", ["hit_id"]).empty


def test_coded_frames_join_as_the_ids_do_and_keep_what_was_said(run):
    run.write_part("continuations", "00000", [continuation(gen_id="b"), continuation(gen_id="a")], "d")
    run.write_part("continuations", "00001", [continuation(gen_id="c", arm="control")], "d")
    run.write_part("matches", "00000", [match(gen_id="a")], "d")
    columns = ["gen_id", "arm", "text", "degenerate"]
    plain, coded = (run.read_frame("continuations", columns, coded=coded) for coded in (False, True))
    assert coded["gen_id"].tolist() == codes_of(plain["gen_id"]).tolist()
    assert coded["gen_id"].dtype == "int64"
    assert coded["gen_id"].is_unique
    assert coded["gen_id"].isin(run.read_frame("matches", ["gen_id"], coded=True)["gen_id"]).tolist() == [
        name == "a" for name in plain["gen_id"]
    ]
    assert list(coded["arm"].cat.categories) == ["control", "scanned"]
    for name in ("arm", "text", "degenerate"):
        assert coded[name].astype(object).fillna("-").tolist() == plain[name].fillna("-").tolist()


def test_a_part_fits_only_its_digest_and_damage_counts_as_absent(run):
    run.write_part("matches", "00000", [match()], "one", chars=7)
    assert run.has_part("matches", "00000", "one")
    assert not run.has_part("matches", "00000", "two")
    assert not run.has_part("matches", "00001", "one")
    assert run.chars_read("matches") == 7
    path = run.root / "tables" / "matches" / "00000.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    assert not run.has_part("matches", "00000", "one")


def test_a_failed_write_leaves_no_part(run):
    with pytest.raises(AttributeError):
        run.write_part("matches", "00000", [continuation()], "d")
    assert not run.has_part("matches", "00000", "d")

    def fails(folder):
        (folder / "half").write_text("half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        run.build_index("words", fails)
    assert not (run.index / "words").exists()
    run.build_index("words", lambda folder: (folder / "whole").write_text("whole"))
    assert (run.index / "words" / "whole").exists()
    assert not (run.index / "words" / "half").exists()


def test_everything_is_for_the_owner_alone(run):
    old = os.umask(0)
    try:
        run.begin({"settings": {"a": 1}})
        run.write_part("matches", "00000", [match()], "d")
        run.build_index("words", lambda folder: (folder / "file").write_text("x"))
        run.write_text("report.html", "<p>")
    finally:
        os.umask(old)
    for path in [run.root, *run.root.rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path.name


def test_resume_refuses_another_run_and_names_the_difference(run):
    first = {"settings": {"regenerate": {"max_new_tokens": 500}}, "inputs": {"--notes": "aa"}}
    assert run.begin(first) is False
    assert run.begin(first) is True
    other = {"settings": {"regenerate": {"max_new_tokens": 100}}, "inputs": {"--notes": "bb"}}
    with pytest.raises(StoreError) as caught:
        run.begin(other)
    assert "inputs.--notes, settings.regenerate.max_new_tokens" in str(caught.value)


def test_names_of_an_edited_run_file_are_shown_only_if_they_can_be_seen(run):
    run.begin({"settings": {"a\x1b[31m\nsecret": 1}})
    with pytest.raises(StoreError) as caught:
        run.begin({"settings": {"seed": 1}})
    assert "made with other (a name that cannot be shown), settings.seed;" in str(caught.value)


def test_unfinished_files_are_swept_on_resume(run):
    run.begin({})
    stray = run.root / "tables" / "hits" / ".unfinished-00000.parquet"
    stray.parent.mkdir(parents=True)
    stray.write_bytes(b"half")
    run.begin({})
    assert not stray.exists()


def test_a_directory_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(StoreError, match="neither empty nor a run directory"):
        RunDirectory(tmp_path).open()
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    with pytest.raises(StoreError):
        RunDirectory(tmp_path / "letter.txt").open()


def test_keyed_digests_need_the_key(tmp_path):
    one, two = RunDirectory(tmp_path / "a"), RunDirectory(tmp_path / "b")
    one.open()
    two.open()
    assert one.keyed("N1") == one.keyed("N1") != two.keyed("N1")
    (tmp_path / "f").write_bytes(b"x" * 3_000_000)
    assert one.keyed_file(tmp_path / "f") != two.keyed_file(tmp_path / "f")
    (tmp_path / "a" / "key").unlink()
    with pytest.raises(StoreError, match="lost its key"):
        one.keyed("N1")


def test_a_start_that_failed_can_be_tried_again_and_damage_is_named(run):
    (run.root / ".unfinished-run.json.part").write_text("half")
    run.open()
    assert run.begin({"a": 1}) is False
    assert not list(run.root.glob(".unfinished-*"))
    (run.root / "run.json").write_text("[]")
    with pytest.raises(StoreError, match=r"run\.json is damaged"):
        run.begin({"a": 1})
    (run.root / "key").unlink()
    run.open()
    with pytest.raises(StoreError, match="lost its key"):
        run.keyed("x")


def test_an_open_directory_is_closed_to_others(tmp_path):
    (tmp_path / "run").mkdir(mode=0o777)
    (tmp_path / "run").chmod(0o777)
    RunDirectory(tmp_path / "run").open()
    assert stat.S_IMODE((tmp_path / "run").stat().st_mode) == 0o700
