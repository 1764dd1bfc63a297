"""Files outside a run directory are for their owner alone, and whole."""

import os
import stat
from pathlib import Path

import pytest

from phiscan.errors import ConfigError, StoreError
from phiscan.private_file import private_folder, refuse_in_run, write_private


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def _open_umask():
    before = os.umask(0)
    yield
    os.umask(before)


def test_modes_do_not_follow_the_umask_nor_what_stood_there(tmp_path):
    private_folder(tmp_path / "a" / "b", "--out")
    path = tmp_path / "a" / "b" / "t.csv"
    path.write_text("old")
    assert mode(path) == 0o666
    write_private(path, "x,y\r\nZoë,2\n", "--out")
    assert path.read_bytes() == "x,y\r\nZoë,2\n".encode()
    assert [mode(path), mode(path.parent), mode(path.parent.parent)] == [0o600, 0o700, 0o700]
    assert [found.name for found in path.parent.iterdir()] == ["t.csv"]


def test_a_link_is_replaced_and_what_it_points_at_stays(tmp_path):
    (tmp_path / "theirs").write_text("theirs")
    for name in ("t.csv", ".unfinished-t.csv"):
        (tmp_path / name).symlink_to(tmp_path / "theirs")
    write_private(tmp_path / "t.csv", "ours", "--out")
    assert (tmp_path / "theirs").read_text() == "theirs"
    assert (tmp_path / "t.csv").read_text() == "ours"


def test_what_cannot_be_written_is_one_line_and_leaves_nothing(tmp_path):
    (tmp_path / "taken").mkdir()
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "taken", tmp_path / "none" / "t.csv", tmp_path / ("z" * 300)):
        with pytest.raises(StoreError, match=r"^--chart: cannot be written \(\w+\)$"):
            write_private(path, "x", "--chart")
    with pytest.raises(StoreError, match=r"^--out: cannot be written \(\w+\)$"):
        private_folder(tmp_path / "file" / "x", "--out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "taken"]


@pytest.fixture
def run_folder(tmp_path):
    folder = tmp_path / "run"
    (folder / "tables").mkdir(parents=True)
    for name in ("run.json", "key", "report.json"):
        (folder / name).write_text("x")
    (tmp_path / "link").symlink_to(folder)
    return folder


@pytest.mark.parametrize("place", ["run/report.json", "run/new", "run/tables/new", "link/new", "run"])
def test_a_run_directory_takes_nobody_else_s_files(run_folder, tmp_path, place):
    with pytest.raises(ConfigError, match=r"^--x: the run directory holds"):
        refuse_in_run(tmp_path / place, "--x")


@pytest.mark.parametrize("place", ["beside", "folder/new", "n" * 300, ""])
def test_other_places_are_left_to_who_writes(run_folder, tmp_path, place):
    refuse_in_run(tmp_path / place, "--x")


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_path_without_a_name_is_refused_in_one_line(name):
    with pytest.raises(StoreError, match="--x"):
        write_private(Path(name), "text", "--x")
