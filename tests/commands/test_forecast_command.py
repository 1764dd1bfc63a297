"""`phiscan forecast` on score tables: every kind of file, and every way in which one can be wrong."""

import csv
import gzip
import io
import json
import math
import stat
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.commands import forecast_tables
from phiscan.commands.forecast import forecast_suite
from phiscan.commands.forecast_tables import read_scores
from phiscan.errors import PhiscanError

CANARY = "zyxwvutcanary"


def write_csv(path, columns):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def write_suite(folder, models, head='full = "big"'):
    lines = [head]
    for model in models:
        lines += ["[[model]]", *(f"{key} = {json.dumps(value)}" for key, value in model.items())]
    (folder / "suite.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "suite.toml"


def model(name, size=1, tokens=100, **more):
    return {"name": name, "scores": f"{name}.csv", "parameters": size, "tokens": tokens, **more}


@pytest.fixture
def suite(tmp_path):
    """Ten sequences of four patients; small flags 0-3 of which big memorised 0-2, and 0-5 in all."""
    ids, patients = list(range(10)), [f"{CANARY}{i // 3}" for i in range(10)]
    for name, flagged in (("small", {0, 1, 2, 7}), ("big", {0, 1, 2, 3, 4, 5})):
        scores = [1.0 if i in flagged else 0.5 for i in ids]
        write_csv(tmp_path / f"{name}.csv", {"sequence": ids, "score": scores, "patient_id": patients})
    return write_suite(tmp_path, [model("small"), model("big", 10)])


def test_the_command_prints_figures_words_and_no_id(suite, command_line):
    code, out, err = command_line("forecast", suite)
    assert (code, err) == (0, "")
    assert CANARY not in out
    for words in (
        "clears nothing",
        "to be believed",
        "put sensitive sequences first",
        "Nothing past 12B",
        "75.0%",
        "50.0%",
    ):
        assert words in " ".join(out.split())


def test_json_has_every_figure_and_the_words(suite, command_line, tmp_path):
    chart = tmp_path / "recall.svg"
    code, out, _ = command_line("forecast", suite, "--json", "--chart", chart)
    assert code == 0
    assert CANARY not in out
    found = json.loads(out)
    (small,) = found["candidates"]
    assert (small["flops"], small["cost_share"], found["flops"]) == (600, 0.1, 6000)
    own = small["own"]
    assert (own["sequences"], own["alarms"], own["memorised"], own["both"]) == (10, 4, 6, 3)
    assert (own["precision"]["value"], own["recall"]["value"]) == (0.75, 0.5)
    assert found["patients"] == 4
    assert "Wilson" not in own["recall"]["method"]
    assert set(found["words"]) == {"alarms", "silence", "order", "budget", "limits"}
    assert chart.read_text().startswith("<svg xmlns=")


# --- one table, five files --------------------------------------------------------------------

IDS = st.one_of(
    st.lists(st.integers(-(2**63), 2**63 - 1), unique=True, min_size=1, max_size=12),
    st.lists(st.integers(0, 2**64 - 1), unique=True, min_size=1, max_size=12),
    # NUL is refused, lone surrogates cannot be written; the csv module reads a bare CR as a line end.
    st.lists(
        st.text(
            st.characters(blacklist_categories=["Cs"], blacklist_characters="\0\r\n"), min_size=1, max_size=9
        ),
        unique=True,
        min_size=1,
        max_size=12,
    ),
)
SHARES = st.integers(0, 32).map(lambda k: k / 32) | st.just(math.nan)


@settings(deadline=None, max_examples=40)
@given(IDS, st.data())
def test_equal_content_gives_equal_tables(ids, data):
    scores = data.draw(st.lists(SHARES, min_size=len(ids), max_size=len(ids)))
    patients = data.draw(
        st.lists(st.sampled_from(["7", "Zoë", "患者", "p 1"]), min_size=len(ids), max_size=len(ids))
    )
    unscored = [None if math.isnan(score) else score for score in scores]
    # Integers that fit no type of 64 bits come as text in Parquet and .npz.
    wide = all(isinstance(i, int) for i in ids) and max(ids) >= 2**63
    kind = np.uint64 if wide else None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        columns = {"sequence": ids, "score": unscored, "patient_id": patients}
        write_csv(folder / "t.csv", {**columns, "score": ["" if s is None else repr(s) for s in unscored]})
        with gzip.open(folder / "t.csv.gz", "wb") as file:
            file.write((folder / "t.csv").read_bytes())
        with (folder / "t.jsonl").open("w", encoding="utf-8") as file:
            for row in zip(*columns.values(), strict=True):
                file.write(json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) + "\n")
        arrow = pa.array(ids, pa.uint64() if wide else None)
        pq.write_table(pa.table({**columns, "sequence": arrow}), folder / "t.parquet")
        np.savez(
            folder / "t.npz", sequence=np.array(ids, dtype=kind), score=np.array(scores), patient_id=patients
        )
        tables = [
            read_scores(folder / f"t.{ending}", "x")
            for ending in ("csv", "csv.gz", "jsonl", "parquet", "npz")
        ]
    for table in tables:
        assert [str(found) for found in table.ids] == [str(i) for i in ids]
        assert table.ids.dtype == tables[0].ids.dtype
        np.testing.assert_array_equal(table.scores, scores)
        assert table.patients.tolist() == patients
        assert (table.order is None) == (tables[0].order is None)


def test_rows_may_stand_in_any_order_and_kind_of_file(suite, command_line, tmp_path):
    before = json.loads(command_line("forecast", suite, "--json")[1])
    shuffled = np.random.default_rng(1).permutation(10)
    scores = np.where(np.isin(shuffled, [0, 1, 2, 7]), 1.0, 0.5)
    owners = [f"{CANARY}{i // 3}" for i in shuffled]
    np.savez(tmp_path / "small.npz", sequence=shuffled.astype(str), score=scores, patient_id=owners)
    write_suite(tmp_path, [model("small") | {"scores": "small.npz"}, model("big", 10)])
    assert json.loads(command_line("forecast", suite, "--json")[1]) == before


# --- checkpoints --------------------------------------------------------------------------------


def test_a_checkpoint_is_held_against_what_it_has_seen(tmp_path, command_line):
    ids = list(range(100))
    early = [1.0 if i < 20 else 0.0 for i in ids]
    whole = [1.0 if i < 30 or i >= 60 else 0.0 for i in ids]
    # A checkpoint's table may end with what it has seen, or go on: the rest counts as unseen either way.
    write_csv(tmp_path / "early.csv", {"sequence": ids[:40], "score": early[:40]})
    write_csv(tmp_path / "later.csv", {"sequence": ids, "score": early})
    write_csv(tmp_path / "big.csv", {"sequence": ids, "score": whole})
    suite = write_suite(
        tmp_path,
        [model("early", 10, 40, seen=40), model("later", 10, 60, seen=60), model("big", 10, 100)],
    )
    found = json.loads(command_line("forecast", suite, "--json")[1])
    one, two = found["candidates"]
    assert (one["own"]["sequences"], one["unseen"], one["unseen_memorised"]) == (40, 60, 40)
    assert (two["own"]["sequences"], two["unseen"], two["unseen_memorised"]) == (60, 40, 40)
    assert (one["own"]["recall"]["value"], two["common"]["sequences"]) == (20 / 30, 40)
    assert "early had not seen 60 of the sequences, 40 of which big memorised" in " ".join(
        found["words"]["order"]
    )


def test_sequences_without_a_score_are_counted(tmp_path, command_line):
    write_csv(tmp_path / "small.csv", {"sequence": "abcd", "score": ["1", "", "0", "1"]})
    write_csv(tmp_path / "big.csv", {"sequence": "dcba", "score": ["1", "1", "1", ""]})
    suite = write_suite(tmp_path, [model("small"), model("big", 10)])
    found = json.loads(command_line("forecast", suite, "--json")[1])
    (small,) = found["candidates"]
    assert (small["own"]["sequences"], small["unscored"], found["full_unscored"]) == (2, 2, 1)


def test_a_lower_threshold_counts_more_as_memorised(suite, tmp_path):
    text = suite.read_text()
    suite.write_text("threshold = 0.5\n" + text)
    (small,) = forecast_suite(suite).forecast.candidates
    assert (small.own.alarms, small.own.memorised) == (10, 10)


# --- what is refused ------------------------------------------------------------------------------

GOOD = {"sequence": [0, 1, 2], "score": [1, 0, 1]}


@pytest.mark.parametrize(
    ("small", "said"),
    [
        ({"score": [1, 0, 1]}, 'no column "sequence"'),
        ({"sequence": [0, 1, 2]}, 'no column "score"'),
        ({"sequence": [0, 1, 1], "score": [1, 0, 1]}, "row 3: sequence: stands in an earlier row"),
        ({"sequence": [0, "", 2], "score": [1, 0, 1]}, "row 2: sequence: is empty"),
        ({"sequence": [0, 1, 2], "score": [1, CANARY, 1]}, "row 2: score: is no number"),
        ({"sequence": [0, 1, 2], "score": [1, "0_1", 1]}, "row 2: score: is no number"),
        ({"sequence": [0, 1, 2], "score": [1, 0, 1.01]}, "row 3: score: is not from 0 to 1"),
        ({"sequence": [0, 1, 2], "score": [-0.1, 0, 1]}, "row 1: score: is not from 0 to 1"),
        ({"sequence": [0, 1], "score": [1, 0]}, "lacks 1 sequence that it and the full run saw; the first stands in row 3"),
        ({"sequence": [5, 0, 1, 2], "score": [1, 1, 0, 1]}, "not in the full run's table: 1 sequence; the first stands in row 1"),
        ({"sequence": [0, 1, 2], "score": [1, 0, 1], "patient_id": ["p", "p", "q"]}, "model 2: scores: has no patient_id"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_used_is_named_by_row_and_field(tmp_path, command_line, small, said):
    write_csv(tmp_path / "small.csv", small)
    write_csv(tmp_path / "big.csv", GOOD)
    code, out, err = command_line("forecast", write_suite(tmp_path, [model("small"), model("big", 10)]))
    assert (code, out) == (2, "")
    assert said in err
    assert "SUITE: model" in err
    assert err.count("\n") == 1
    assert CANARY not in err


def test_patients_that_differ_are_refused(suite, tmp_path):
    text = (tmp_path / "small.csv").read_text().replace(f"{CANARY}1", "other")
    (tmp_path / "small.csv").write_text(text)
    with pytest.raises(PhiscanError, match="model 1: scores: row 4: patient_id: differs"):
        forecast_suite(suite)
    (tmp_path / "small.csv").write_text(text.replace(f"{CANARY}2", ""))
    with pytest.raises(PhiscanError, match="model 1: scores: row 7: patient_id: is empty"):
        forecast_suite(suite)


@pytest.mark.parametrize(
    ("models", "head", "said"),
    [
        ([model("small"), model("big")], "", "SUITE: full: is missing"),
        ([model("small"), model("big")], 'full = "other"', "SUITE: full: names no"),
        ([model("big")], 'full = "big"', "at least one cheap run"),
        ([model("big"), model("big")], 'full = "big"', "two models have the same name"),
        ([model("small", size=0), model("big")], 'full = "big"', "model.0.parameters"),
        ([model("small", size=10**400), model("big")], 'full = "big"', "model.0.parameters"),
        ([model("small", tokens=10**30), model("big")], 'full = "big"', "model.0.tokens"),
        ([model("small", seen=10**30), model("big")], 'full = "big"', "model.0.seen"),
        ([model("small\x1b[31m"), model("big")], 'full = "big"', "model.0.name: must be 1 to 60 printable"),
        ([model("s" * 61), model("big")], 'full = "big"', "model.0.name: must be 1 to 60 printable"),
        ([model("small") | {"scores": "a\0.csv"}, model("big")], 'full = "big"', "model.0.scores: no path holds a null"),
        ([model("small") | {"scores": "a\0.npz"}, model("big")], 'full = "big"', "model.0.scores: no path holds a null"),
        ([model("small") | {"scores": "."}, model("big")], 'full = "big"', "model 1: scores: a folder stands where"),
        ([model("small") | {"scores": "z" * 300 + ".csv"}, model("big")], 'full = "big"', "model 1: scores: "),
        ([model("small", colour=1), model("big")], 'full = "big"', "model.0.colour: unknown setting"),
        ([model("small", run="x"), model("big")], 'full = "big"', "model 1: give either scores or run"),
        ([model("small", seen=1), model("big")], 'full = "big"', "model 1: seen: needs sequences numbered from 0"),
        ([model("small"), {"name": "big", "run": "x", "tokens": 1}], 'full = "big"', "either every model has scores"),
        ([{"name": "small", "scores": "small.csv", "tokens": 1}, model("big")], 'full = "big"', "model 1: parameters"),
        ([model("small") | {"scores": "gone.csv"}, model("big")], 'full = "big"', "model 1: scores: no such file"),
        ([model("small") | {"scores": "gone.npz"}, model("big")], 'full = "big"', "model 1: scores: cannot be read"),
        ([model("small") | {"scores": "gone.parquet"}, model("big")], 'full = "big"', "model 1: scores: cannot be read"),
        ([model("small") | {"scores": "gone.txt"}, model("big")], 'full = "big"', "model 1: scores: must end in"),
        ([model("small")], "full = ", "SUITE: not a TOML file (line 1)"),
    ],
)  # fmt: skip
def test_a_suite_that_cannot_be_used_is_one_line(tmp_path, command_line, models, head, said):
    for name in ("small", "big"):
        write_csv(tmp_path / f"{name}.csv", {"sequence": ["a", "b"], "score": [1, 0]})
    code, _, err = command_line("forecast", write_suite(tmp_path, models, head))
    assert code == 2
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"sequence": np.array([{}], dtype=object), "score": [1.0]}, "does not hold integers or text"),
        ({"sequence": [[1]], "score": [[1.0]]}, "sequence: the array must have one dimension"),
        ({"sequence": [1, 2], "score": [1.0]}, "one dimension and equal lengths"),
        ({"sequence": [1.5], "score": [1.0]}, "sequence: the array does not hold integers or text"),
        ({"sequence": [1], "score": ["1.0"]}, "score: the array does not hold numbers"),
        ({"sequence": [1], "score": [2.0]}, "row 1: score: is not from 0 to 1"),
        ({"sequence": np.array([], dtype=int), "score": np.array([], dtype=float)}, "the table has no rows"),
    ],
)
def test_arrays_that_are_no_scores_are_refused(tmp_path, arrays, said):
    np.savez(tmp_path / "t.npz", **arrays)
    with pytest.raises(PhiscanError, match=said):
        read_scores(tmp_path / "t.npz", "SUITE: model 1: scores")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"sequence": [1.5], "score": [1.0]}, "sequence: the column holds neither integers nor text"),
        ({"sequence": [1, None], "score": [1.0, 0.0]}, "row 2: sequence: is empty"),
        ({"sequence": ["a"], "score": ["1"]}, "score: the column holds no numbers"),
        ({"sequence": ["a\0"], "score": [1]}, "row 1: sequence: not valid Unicode text"),
        ({"other": [1]}, 'no column "sequence"'),
    ],
)
def test_columns_that_are_no_scores_are_refused(tmp_path, columns, said):
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    with pytest.raises(PhiscanError, match=said):
        read_scores(tmp_path / "t.parquet", "SUITE: model 1: scores")


def test_a_torn_row_is_an_error_not_a_sequence_without_a_score(tmp_path):
    (tmp_path / "t.csv").write_text("sequence,score\n1,1\n2\n3,1\n")
    with pytest.raises(PhiscanError, match="SUITE: model 1: scores: row 2: wrong number of fields"):
        read_scores(tmp_path / "t.csv", "SUITE: model 1: scores")


COLUMNS = {"sequence": [f"{CANARY}{i}" for i in range(60)], "score": [0.5] * 60}
WHERE = "SUITE: model 1: scores"


def npz(path):
    np.savez_compressed(path, **COLUMNS)


def parquet(path):
    pq.write_table(pa.table(COLUMNS), path)


@pytest.mark.parametrize("write", [npz, parquet])
@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_in_one_line(write, data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{CANARY}.{write.__name__}"
        write(path)
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 4))):
            at = data.draw(st.integers(0, len(content) - 1))
            put = data.draw(st.binary(min_size=1, max_size=8))
            content[at : at + len(put)] = put
        path.write_bytes(content[: data.draw(st.integers(len(content) // 2, len(content)))])
        try:
            read_scores(path, WHERE)
            said = ""
        except PhiscanError as error:
            said = str(error)
    assert not said or said.startswith(f"{WHERE}: ")
    assert not said or said.isprintable()
    assert CANARY not in said


@pytest.mark.parametrize(
    "kind", ["encrypted", "declares more", "holds more", "another packing", "not named .npy"]
)
def test_an_archive_that_numpy_did_not_write_is_refused(kind, tmp_path):
    header = {"descr": "<i8", "fortran_order": False, "shape": (3 if kind != "declares more" else 10**15,)}
    with zipfile.ZipFile(tmp_path / "t.npz", "w") as archive:
        packing = zipfile.ZIP_BZIP2 if kind == "another packing" else zipfile.ZIP_DEFLATED
        for name in ("sequence", "score"):
            member = io.BytesIO()
            np.lib.format.write_array_header_1_0(member, header)
            member.write(b"\0" * 24 * (2 if kind == "holds more" else 1))
            archive.writestr(name if kind == "not named .npy" else f"{name}.npy", member.getvalue(), packing)
    if kind == "encrypted":
        content = bytearray((tmp_path / "t.npz").read_bytes())
        for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
            content[content.find(mark) + offset] |= 1
        (tmp_path / "t.npz").write_bytes(content)
    said = {"encrypted": "cannot be read", "declares more": "too large", "holds more": "the array is damaged",
            "another packing": "packed in a way", "not named .npy": 'no column "sequence"'}  # fmt: skip
    with pytest.raises(PhiscanError, match=f"^{WHERE}.*: {said[kind]}"):
        read_scores(tmp_path / "t.npz", WHERE)


@pytest.mark.parametrize("write", [npz, parquet])
def test_a_column_over_the_bound_is_refused_before_it_is_unpacked(write, tmp_path, monkeypatch):
    path = tmp_path / f"t.{write.__name__}"
    write(path)
    assert len(read_scores(path, WHERE).ids) == 60
    for name, most in (("_MOST_BYTES", 300), ("_MOST_ROWS", 59)):
        if write is parquet or name == "_MOST_BYTES":
            monkeypatch.setattr(forecast_tables, name, most)
            with pytest.raises(PhiscanError, match="too large"):
                read_scores(path, WHERE)
            monkeypatch.undo()


def test_a_parquet_file_may_not_name_a_column_twice_nor_hold_other_than_unicode(tmp_path):
    twice = pa.table([pa.array([1]), pa.array([1]), pa.array([1.0])], names=["sequence", "sequence", "score"])
    bytes_ = pa.array([f"{CANARY}".encode() + b"\xff"], pa.binary())
    torn = pa.table({"sequence": pa.Array.from_buffers(pa.string(), 1, bytes_.buffers()), "score": [1.0]})
    for table, said in ((twice, "sequence: two columns have this name"), (torn, "cannot be read")):
        pq.write_table(table, tmp_path / "t.parquet")
        with pytest.raises(PhiscanError, match=said) as caught:
            read_scores(tmp_path / "t.parquet", WHERE)
        assert CANARY not in str(caught.value)


def test_the_chart_is_for_its_owner_alone(suite, tmp_path, command_line):
    chart = tmp_path / "recall.svg"
    chart.write_text("old")
    chart.chmod(0o644)
    assert command_line("forecast", suite, "--chart", chart)[0] == 0
    assert stat.S_IMODE(chart.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("name", "said"), [("chart.png", "must end in .svg"), ("no/chart.svg", "cannot be written")]
)
def test_a_chart_that_cannot_be_written_is_one_line(suite, tmp_path, command_line, name, said):
    code, _, err = command_line("forecast", suite, "--chart", tmp_path / name)
    assert code == 2
    assert f"--chart: {said}" in err
