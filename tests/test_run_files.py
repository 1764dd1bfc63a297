"""A run knows its files: what is missing or other than it was written is refused, or made again."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from test_store import continuation, match

from phiscan import checksums
from phiscan.errors import StoreError
from phiscan.store import RunDirectory

IDENTITY = {"settings": {"a": 1}}


def made(root, *, finish=True):
    """A small run with two parts of matches, one of hits by people's word, and an index."""
    run = RunDirectory(root)
    run.open()
    run.begin(IDENTITY)
    run.write_part("matches", "00000", [match()], "d", chars=5)
    run.write_part("matches", "00001", [match(), match()], "d", chars=6)
    run.write_part("continuations", "00000", [continuation()], "d")
    run.build_index("words", build)
    run.write_json("report.json", {"leaks": 12})
    if finish:
        run.finish()
    return run


def build(folder):
    (folder / "units").write_bytes(bytes(range(64)))
    (folder / "vocabulary.txt").write_text("a\nb\nc")


@pytest.fixture
def root(tmp_path):
    made(tmp_path / "run")
    return tmp_path / "run"


READERS = {
    "read_table": lambda run: list(run.read_table("matches")),
    "read_frame": lambda run: run.read_frame("matches", ["gen_id"]),
    "count_rows": lambda run: run.count_rows("matches"),
    "count_chars": lambda run: run.count_chars("matches", "gen_id"),
    "chars_read": lambda run: run.chars_read("matches"),
}


def part_of(root, part="00001", table="matches"):
    return root / "tables" / table / f"{part}.parquet"


def refused(reader, root):
    with pytest.raises(StoreError) as caught:
        reader(RunDirectory(root))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def cut(path):
    path.write_bytes(path.read_bytes()[:-40])


def flip(path, at=None):
    content = bytearray(path.read_bytes())
    content[len(content) // 2 if at is None else at] ^= 1
    path.write_bytes(bytes(content))


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_a_part_that_is_missing_or_damaged_is_refused_by_every_reader(root, reader):
    reader(RunDirectory(root))
    whole = part_of(root).read_bytes()
    for damage, how in ((cut, "damaged"), (flip, "damaged"), (lambda path: path.unlink(), "missing")):
        part_of(root).write_bytes(whole)
        damage(part_of(root))
        said = refused(reader, root)
        assert f"table matches is damaged: part 00001 is {how}" in said
        assert "run the same scan command again" in said
    part_of(root, "00000").unlink()
    (root / "tables" / "matches").rmdir()
    assert "part 00000 is missing" in refused(reader, root)
    assert RunDirectory(root).has_table("matches")


def test_a_part_with_other_rows_of_the_same_run_is_refused(root):
    part_of(root).write_bytes(part_of(root, "00000").read_bytes())
    assert "part 00001 is damaged" in refused(READERS["read_table"], root)
    part_of(root).unlink()
    part_of(root, "00000").rename(part_of(root, "Zebulon"))
    (root / "tables" / "matches" / "00000.parquet").write_bytes(part_of(root, "Zebulon").read_bytes())
    made(root)
    said = refused(READERS["read_frame"], root)
    assert "none that the run wrote" in said
    assert "Zebulon" not in said


def test_a_report_with_another_figure_is_refused(root):
    assert RunDirectory(root).read_json("report.json") == {"leaks": 12}
    path = root / "report.json"
    path.write_text(path.read_text().replace("12", "02"))
    assert "report.json is damaged" in refused(lambda run: run.read_json("report.json"), root)


def test_a_run_that_is_not_finished_or_knows_no_list_is_refused(tmp_path):
    made(tmp_path / "killed", finish=False)
    made(tmp_path / "old")
    (tmp_path / "old" / checksums.NAME).unlink()
    for name in ("killed", "old"):
        for reader in (*READERS.values(), lambda run: run.read_json("report.json")):
            assert "not finished, of an older version" in refused(reader, tmp_path / name)


def test_any_damage_of_the_list_is_noticed(root):
    path = root / checksums.NAME
    content = path.read_bytes()
    whole = list(RunDirectory(root).read_table("matches"))
    for at in range(0, len(content) - 1, 3):
        path.write_bytes(content[:at])
        refused(READERS["read_table"], root)
        path.write_bytes(content)
        flip(path, at)
        refused(READERS["read_table"], root)
    path.write_bytes(content)
    lines = content.split(b"\n")
    for number in range(len(lines) - 2):
        path.write_bytes(b"\n".join(lines[:number] + lines[number + 1 :]))
        refused(READERS["read_table"], root)
    path.write_bytes(content)
    assert list(RunDirectory(root).read_table("matches")) == whole


def test_a_line_that_a_kill_cut_off_costs_its_own_part_alone(tmp_path):
    run = made(tmp_path / "run", finish=False)
    list_ = run.root / checksums.NAME
    run.write_part("spikes", "all", [], "d")
    list_.write_bytes(list_.read_bytes()[:-9])
    again = RunDirectory(run.root)
    again.begin(IDENTITY)
    assert not again.has_part("spikes", "all", "d")
    again.write_part("spikes", "all", [], "d")
    assert again.has_part("spikes", "all", "d")
    assert again.has_part("matches", "00001", "d")


def test_a_scan_makes_a_damaged_part_again_and_readers_wait_for_its_end(root):
    flip(part_of(root))
    run = RunDirectory(root)
    assert run.begin(IDENTITY)
    assert run.has_part("matches", "00000", "d")
    assert not run.has_part("matches", "00001", "d")
    run.write_part("matches", "00001", [match()], "d")
    assert run.count_rows("matches") == 2
    assert "part 00001 is damaged" in refused(READERS["read_table"], root), "not what the report was made of"
    run.finish()
    assert RunDirectory(root).count_rows("matches") == 2


def test_finishing_forgets_no_part(root):
    """`phiscan expose` on the run of a scan finishes it too: what the scan lost since stays lost."""
    part_of(root).unlink()
    flip(part_of(root, "00000", "continuations"))
    run = RunDirectory(root)
    run.begin(IDENTITY)
    run.write_part("audits", "00000", [], "d")
    run.finish()
    assert list(RunDirectory(root).read_table("audits")) == []
    assert "part 00001 is missing" in refused(READERS["read_table"], root)
    assert "damaged" in refused(lambda run: list(run.read_table("continuations")), root)


# --- indexes and other files --------------------------------------------------------------


def damaged_index(root, how):
    folder = root / "index" / "words"
    if how == "cut":
        cut_to = folder / "vocabulary.txt"
        cut_to.write_text("a\nb")
    elif how == "flipped":
        flip(folder / "units")
    elif how == "file gone":
        (folder / "units").unlink()
    elif how == "file more":
        (folder / "stray").write_text("x")
    else:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        if how == "link":
            (root.parent / "empty").mkdir()
            folder.symlink_to(root.parent / "empty")
        if how == "a file":
            folder.write_text("x")


@pytest.mark.parametrize("how", ["cut", "flipped", "file gone", "file more", "gone", "link", "a file"])
def test_a_damaged_index_is_refused_by_readers_and_built_again_by_a_scan(root, how):
    folder = RunDirectory(root).find_index("words")
    damaged_index(root, how)
    assert "index words is damaged or incomplete" in refused(lambda run: run.find_index("words"), root)
    assert RunDirectory(root).has_index("words")
    run = RunDirectory(root)
    run.begin(IDENTITY)
    assert run.build_index("words", build) == folder
    run.finish()
    assert {path.name for path in RunDirectory(root).find_index("words").iterdir()} == {
        "units",
        "vocabulary.txt",
    }
    assert (folder / "vocabulary.txt").read_text() == "a\nb\nc"


def test_a_whole_index_is_not_built_again(root):
    def fails(folder):
        raise AssertionError

    run = RunDirectory(root)
    run.begin(IDENTITY)
    run.build_index("words", fails)


def test_a_link_where_an_unfinished_file_could_be_is_taken_away_alone(root, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    (root / ".unfinished-x").symlink_to(tmp_path / "mine")
    RunDirectory(root).begin(IDENTITY)
    assert not (root / ".unfinished-x").is_symlink()
    assert (tmp_path / "mine" / "letter").read_text() == "dear"


def test_damage_of_run_json_or_the_key_is_named(root):
    path = root / "run.json"
    whole = path.read_text()
    for content in ("[" * 100_000, "[1]", '{"identity": {"Zebulon": 1}}', whole.replace("1", "2"), ""):
        path.write_text(content)
        said = refused(lambda run: run.begin(IDENTITY), root)
        assert "Zebulon" not in said
        assert "run.json" in said
    path.write_text(whole + " ")
    assert RunDirectory(root).begin(IDENTITY), "damaged, but the same run beyond doubt"
    assert path.read_text() == whole
    flip(root / "key")
    assert "its key" in refused(READERS["read_table"], root)
    assert "its key" in refused(lambda run: run.begin({"settings": {"a": 2}}), root)


def test_a_name_that_no_folder_can_have_is_one_line(tmp_path):
    for call in (lambda run: run.open(), lambda run: run.opened().__enter__(), lambda run: run.begin({})):
        assert "--out: cannot be written (File name too long)" in refused(call, tmp_path / ("Z" * 300))


# --- what grows after a scan --------------------------------------------------------------


def reviewed(root):
    """People's word as a review writes it."""
    run = RunDirectory(root)
    run.write_part("review_items", "review", [], "r")
    run.write_part("review_answers", "1-abc", [], "r")
    run.write_part("hits", "people", [], "r")
    run.write_json("review/score.json", {"kappa": 1})


def remove_review(root):
    for table in ("review_items", "review_answers"):
        for path in (root / "tables" / table).iterdir():
            path.unlink()
        (root / "tables" / table).rmdir()
    part_of(root, "people", "hits").unlink()
    (root / "review" / "score.json").unlink()
    (root / "review").rmdir()


def test_a_finished_run_may_grow_and_stays_finished(root):
    reviewed(root)
    run = RunDirectory(root)
    assert run.count_rows("hits") == run.count_rows("review_answers") == 0
    assert run.has_file("review/score.json")
    assert run.count_rows("matches") == 3
    reviewed(root)
    assert RunDirectory(root).begin(IDENTITY)
    part_of(root, "1-abc", "review_answers").unlink()
    said = refused(lambda run: list(run.read_table("review_answers")), root)
    assert "part 1-abc is missing; restore it, or begin the review anew" in said


def test_a_scan_does_not_begin_without_what_people_said(root):
    reviewed(root)
    for path in (part_of(root, "people", "hits"), root / "review" / "score.json"):
        content = path.read_bytes()
        path.unlink()
        assert "begin the review anew" in refused(lambda run: run.begin(IDENTITY), root)
        path.write_bytes(content[:-3])
        assert "begin the review anew" in refused(lambda run: run.begin(IDENTITY), root)
        path.write_bytes(content)
    assert RunDirectory(root).begin(IDENTITY)


@pytest.mark.parametrize("scan_first", [False, True])
def test_a_review_that_was_removed_whole_is_not_missed(root, scan_first):
    reviewed(root)
    remove_review(root)
    run = RunDirectory(root)
    assert not run.has_file("review/score.json")
    assert not run.has_table("hits")
    assert not run.has_table("review_items")
    assert list(run.read_table("review_answers")) == []
    if scan_first:
        assert run.begin(IDENTITY)
        run.finish()
    RunDirectory(root).write_part("review_items", "review", [], "new")
    again = RunDirectory(root)
    assert again.has_table("review_items")
    assert list(again.read_table("review_answers")) == []
    assert not again.has_table("hits")


def test_people_s_part_that_a_kill_left_unlisted_is_taken_in_by_the_next_scan(root):
    reviewed(root)
    list_ = root / checksums.NAME
    before = list_.read_bytes()
    RunDirectory(root).write_part("review_answers", "2-def", [], "r")
    line = next(line for line in list_.read_bytes().split(b"\n") if b"2-def" in line)
    list_.write_bytes(before + b"\n" + line)
    assert "part 2-def is damaged" in refused(lambda run: list(run.read_table("review_answers")), root)
    run = RunDirectory(root)
    run.begin(IDENTITY)
    run.finish()
    assert RunDirectory(root).count_rows("review_answers") == 0


# --- logs ---------------------------------------------------------------------------------------


def test_of_lines_written_at_once_none_is_lost(root):
    def write(worker):
        for number in range(8):
            RunDirectory(root).append_line("annex.log.jsonl", {"worker": worker, "number": number})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    rows = RunDirectory(root).read_lines("annex.log.jsonl")
    assert sorted((row["worker"], row["number"]) for row in rows) == [
        (w, n) for w in range(4) for n in range(8)
    ]


def test_a_log_that_the_run_never_wrote_is_refused(root):
    assert RunDirectory(root).read_lines("annex.log.jsonl") == []
    (root / "annex.log.jsonl").write_text("{}\n")
    said = refused(lambda run: run.append_line("annex.log.jsonl", {}), root)
    assert "annex.log.jsonl is damaged; no scan makes it again: restore it" in said
