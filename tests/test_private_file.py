"""Files outside a run directory are for their owner alone, and whole."""

import os
import stat

import pytest

from phiscan.errors import StoreError
from phiscan.private_file import private_folder, write_private


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
