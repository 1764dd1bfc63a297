"""Bytes flipped, cut off, emptied or deleted in any file of a finished run: the same figures, or one line."""

import os
import shutil
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from replay_cases import NOTES

from phiscan.commands.compare import compare_runs
from phiscan.commands.report import read_report
from phiscan.config import load_config
from phiscan.errors import PhiscanError
from phiscan.passes.plan import ScanInputs
from phiscan.passes.reduce import renew_report
from phiscan.passes.reopen import reopened
from phiscan.pipeline import scan
from phiscan.store import TABLES, RunDirectory

CONFIG = load_config(None, {"detect": {"detectors": ["rules"]}, "run": {"shard_notes": 2}}, {})
CANARY = "Lindqvist"


class Whole(NamedTuple):
    """A finished run, what every reader says of it, and its files."""

    inputs: ScanInputs
    figures: dict
    compared: dict
    rows: dict
    files: tuple[str, ...]


def figures(report):
    """The report without what a clock says."""
    found = report.model_dump(mode="json")
    return {**found, "manifest": {k: v for k, v in found["manifest"].items() if k in ("inputs", "settings")}}


def renewed(root):
    with reopened(root) as finished:
        return figures(renew_report(finished))


def rows_of(root):
    return {name: list(RunDirectory(root).read_table(name)) for name in TABLES}


@pytest.fixture(scope="module")
def whole(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("whole")
    cut = 90
    answers = [
        {"note_id": note["note_id"], "prefix": note["text"][:cut], "continuation": note["text"][cut:] * knows}
        for note, knows in zip(NOTES[:5], (1, 1, 0, 1, 0), strict=True)
    ]
    inputs = ScanInputs(
        notes=write_jsonl(folder / "notes.jsonl", NOTES[:5]),
        replay=write_jsonl(folder / "answers.jsonl", answers),
        out=folder / "run",
    )
    report = scan(inputs, CONFIG)
    root = inputs.out
    return Whole(
        inputs,
        figures(report),
        compare_runs([root, root]).model_dump(),
        rows_of(root),
        tuple(sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())),
    )


def or_refused(call):
    """What ``call`` gives, or None where it is refused in one line; any other error fails the test."""
    try:
        return call()
    except PhiscanError as error:
        said = str(error)
    assert "\n" not in said
    assert CANARY not in said
    return None


def damage(path, kind, place, mask):
    content = path.read_bytes()
    at = int(place * len(content))
    if kind == "flip" and content:
        at = min(at, len(content) - 1)
        path.write_bytes(content[:at] + bytes([content[at] ^ mask]) + content[at + 1 :])
    elif kind == "cut":
        path.write_bytes(content[:at])
    elif kind == "more":
        path.write_bytes(content + bytes([mask]))
    elif kind == "delete":
        path.unlink()


def check(whole, folder, name, kind, place, mask, *, resume=True):
    root = folder / "run"
    shutil.copytree(whole.inputs.out, root)
    damage(root / name, kind, place, mask)
    assert or_refused(lambda: compare_runs([whole.inputs.out, root]).model_dump()) in (None, whole.compared)
    assert or_refused(lambda: figures(read_report(root))) in (None, whole.figures)
    assert or_refused(lambda: renewed(root)) in (None, whole.figures)
    if not resume:
        return
    again = or_refused(lambda: figures(scan(whole.inputs._replace(out=root), CONFIG)))
    assert again in (None, whole.figures)
    assert again is not None or name in ("key", "run.json"), "a scan makes good whatever it can"
    if again is not None:
        assert rows_of(root) == whole.rows
        assert compare_runs([whole.inputs.out, root]).model_dump() == whole.compared


KINDS = st.sampled_from(("flip", "flip", "cut", "more", "delete"))
PLACES = st.floats(0, 1)
MASKS = st.integers(1, 255)


def fuzz(examples):
    quiet = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=examples, deadline=None, suppress_health_check=quiet, database=None)


@fuzz(20)
@given(number=st.integers(0, 10**6), kind=KINDS, place=PLACES, mask=MASKS)
def test_readers_give_the_same_figures_or_refuse(whole, tmp_path_factory, number, kind, place, mask):
    folder = tmp_path_factory.mktemp("damaged")
    check(whole, folder, whole.files[number % len(whole.files)], kind, place, mask, resume=False)
    shutil.rmtree(folder)


@fuzz(3)
@given(number=st.integers(0, 10**6), kind=KINDS, place=PLACES, mask=MASKS)
def test_a_scan_makes_good_what_is_damaged(whole, tmp_path_factory, number, kind, place, mask):
    folder = tmp_path_factory.mktemp("resumed")
    check(whole, folder, whole.files[number % len(whole.files)], kind, place, mask)
    shutil.rmtree(folder)


@pytest.mark.slow
@fuzz(int(os.environ.get("DAMAGE_EXAMPLES", "200")))
@given(number=st.integers(0, 10**6), kind=KINDS, place=PLACES, mask=MASKS)
def test_any_damage_anywhere(whole, tmp_path_factory, number, kind, place, mask):
    folder = tmp_path_factory.mktemp("any")
    check(whole, folder, whole.files[number % len(whole.files)], kind, place, mask)
    shutil.rmtree(folder)


READ = ("notes", "prompts", "continuations", "matches", "hits", "verdicts", "at_risk")


@pytest.mark.parametrize("table", READ)
@pytest.mark.parametrize("gone", ["a part", "the table"])
def test_a_run_that_lost_findings_is_never_compared(whole, tmp_path, table, gone, command_line):
    """Without the part the run would look safer than it is."""
    root = tmp_path / "run"
    shutil.copytree(whole.inputs.out, root)
    parts = sorted((root / "tables" / table).glob("*.parquet"))
    assert len(parts) > 1
    if gone == "a part":
        parts[-1].unlink()
    else:
        shutil.rmtree(root / "tables" / table)
    code, _, error = command_line("compare", whole.inputs.out, root)
    named = parts[-1].stem if gone == "a part" else parts[0].stem
    assert code == 2
    assert error == (
        f"phiscan: RUN_B: the run directory's table {table} is damaged: part {named} is missing; "
        "run the same scan command again\n"
    )
    assert or_refused(lambda: renewed(root)) is None


def test_everything_damaged_at_once_is_made_again(whole, tmp_path):
    root = tmp_path / "run"
    shutil.copytree(whole.inputs.out, root)
    for number, name in enumerate(whole.files):
        if name not in ("key", "run.json", "checksums"):
            damage(root / name, ("flip", "cut", "delete")[number % 3], 0.5, 1)
    assert figures(scan(whole.inputs._replace(out=root), CONFIG)) == whole.figures
    assert rows_of(root) == whole.rows


def test_a_run_of_an_older_version_is_made_again_by_the_same_command(whole, tmp_path, command_line):
    root = tmp_path / "run"
    shutil.copytree(whole.inputs.out, root)
    (root / "checksums").unlink()
    for arguments in (("compare", whole.inputs.out, root), ("report", root)):
        code, _, error = command_line(*arguments)
        assert (code, error.count("\n")) == (2, 1)
        assert "of an older version" in error
    scan(whole.inputs._replace(out=root), CONFIG)
    assert command_line("report", root)[0] == 0


def test_a_scan_that_is_resumed_in_vain_leaves_a_finished_run_finished(whole, tmp_path, command_line):
    root = tmp_path / "run"
    shutil.copytree(whole.inputs.out, root)
    other = CONFIG.model_copy(update={"match": CONFIG.match.model_copy(update={"template_patients": 9})})
    with pytest.raises(PhiscanError, match="template_patients"):
        scan(whole.inputs._replace(out=root), other)
    assert command_line("compare", whole.inputs.out, root)[0] == 0
