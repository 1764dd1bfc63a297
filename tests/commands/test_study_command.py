"""`phiscan study` end to end: every count and ratio against brute force, and what it refuses."""

import csv
import json
import os
import random
import shutil
import stat

import pytest
from replay_cases import NOTES
from study_checks import check_persistence, check_run, read
from tiny_model import make_model

from phiscan.commands.csv_tables import write_tables
from phiscan.commands.options import OptionInputs, run_options
from phiscan.commands.report import read_report
from phiscan.commands.study import study_of, write_study
from phiscan.commands.study_tables import topic_rows
from phiscan.config import ScanConfig
from phiscan.option_tasks import removed_option
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.questions import load_questions
from phiscan.scan_report import (
    BeyondPhiRow,
    ReviewedTopic,
    ReviewSection,
    ReviewStratum,
    ReviewTotal,
)
from phiscan.study import NOT_TABLES, ModelRow, Study

SECRET = ("Lindqvist", "Tremblay", "Halvorsen", "Quill", "Smith", "555-01", "nöte", "päti", "🙂")
LENGTHS = (20, 60, 250)
"""In tokens; some notes are too short for the last."""
KNOWN = {"few": {"L1", "S1", "O1"}, "more": {"L1", "L2", "S1", "T1", "Q1"}, "base": {"S1"}}


def named(note):
    return {**note, "note_id": f"nöte {note['note_id']} 🙂", "patient_id": f"päti {note['patient_id']}"}


def answer(note, end, known):
    """The note's own text, or a template and somebody else's identifiers."""
    if note["note_id"] in known:
        return note["text"][end:]
    other = NOTES[0]["text"][10:90] if note["note_id"] != "L1" else "All is well. He has HIV infection."
    return f"{other} {note['text'][:end]} {NOTES[2]['text'][-300:]}"


@pytest.fixture(scope="module")
def runs(tmp_path_factory, write_jsonl):
    """Two models that know some of the notes, asked at exact token lengths, and one without a tokenizer."""
    from phiscan.tokenizer import load_tokenizer, tokenize

    folder = tmp_path_factory.mktemp("study")
    model = make_model(folder / "model")
    tokenizer = load_tokenizer(str(model), "--tokenizer")
    made = {}
    for name in ("few", "more", "words", "other"):
        notes = NOTES if name != "other" else [{**NOTES[0], "text": NOTES[0]["text"] + "."}, *NOTES[1:]]
        rows = []
        for note in notes:
            text = note["text"].replace("\r\n", "\n")
            ends = tokenize(tokenizer, [text])[0][1]
            for length in LENGTHS:
                if length < len(ends):
                    end = ends[length - 1]
                    row = {"note_id": named(note)["note_id"], "prefix": text[:end]}
                    for who, known in (("tuned", KNOWN.get(name, KNOWN["few"])), ("base", KNOWN["base"])):
                        plain = {**note, "text": text}
                        rows.append({**row, "continuation": answer(plain, end, known), "model": who})
        inputs = ScanInputs(
            notes=write_jsonl(folder / f"{name}-notes.jsonl", [named(note) for note in notes]),
            replay=write_jsonl(folder / f"{name}.jsonl", rows),
            tokenizer=None if name == "words" else str(model),
            control="base",
            out=folder / name,
        )
        scan(inputs, ScanConfig())
        made[name] = inputs.out
    return made


@pytest.fixture(scope="module")
def options(tmp_path_factory, write_jsonl):
    """An options.json, and what each answer was to give back."""
    folder, rng = tmp_path_factory.mktemp("options"), random.Random(4)
    drugs = [f"drug{a}{b}" for a in "abcdef" for b in "klmn"]
    rows = [
        {"id": f"q{i}", "question": f"Patient {i}: which drug?", "answer_idx": "ABCD"[i % 4],
         "options": dict(zip("ABCD", rng.sample(drugs, 4), strict=True)), "meta_info": "=surgery"}
        for i in range(30)
    ]  # fmt: skip
    questions = load_questions(write_jsonl(folder / "q.jsonl", rows)).questions
    gone = [(question, question.options[removed_option(question, 0)]) for question in questions]
    said = ("D) {}.", "x{}y", "perhaps {} or so", "no idea")
    answers = [said[i % 4].format(option) for i, (_, option) in enumerate(gone)]
    given = [{"question_id": q.question_id, "answer": a} for (q, _), a in zip(gone, answers, strict=True)]
    given += [{"question_id": q.question_id, "task": "answer", "answer": "ABCD"[0]} for q in questions]
    run_options(
        OptionInputs(folder / "q.jsonl", folder / "out", replay=write_jsonl(folder / "a.jsonl", given)),
        ScanConfig(),
    )
    right = sum(q.right == 0 for q in questions)
    return folder / "out" / "options.json", [(o, a) for (_, o), a in zip(gone, answers, strict=True)], right


@pytest.fixture(scope="module")
def written(runs, options, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    write_study(study_of([runs["few"], runs["more"]], [options[0]]), folder)
    return folder


@pytest.fixture
def phiscan(command_line):
    """The command line, which never prints what stands in a record."""

    def call(*arguments):
        code, out, err = command_line(*arguments)
        assert not any(text in out + err for text in SECRET)
        return code, out, err

    return call


@pytest.mark.parametrize(("name", "run"), [("A", "few"), ("B", "more")])
def test_tables_1_2_5_and_likeness_are_what_brute_force_counts(name, run, runs, written):
    seen = check_run(written, name, runs[run])
    assert all(seen.values()), seen
    lengths = {row["prefix_length"] for row in read(written, "table1_ratio_30")}
    assert lengths == {str(length) for length in LENGTHS}
    long = [row for row in read(written, "table1_ratio_30") if row["prefix_length"] == "20"]
    assert all(int(row["common_net_n"]) < int(row["net_n"]) for row in long)
    assert any(row["published_count"] != row["net_count"] for row in long)
    groups = [row for row in read(written, "table5a_phi") if row["run"] == name]
    for column in ("in_prompt", "leaks", "clinicians_institutions", "recovered"):
        assert any(row[column] != "0" for row in groups), column


def test_table_3_is_what_brute_force_counts(runs, written):
    few, more = runs["few"], runs["more"]
    sides = {
        ("A", "B"): ((few, "scanned"), (more, "scanned")),
        ("A control", "A"): ((few, "control"), (few, "scanned")),
        ("B control", "B"): ((more, "control"), (more, "scanned")),
    }
    pairs = {(row["first"], row["second"]) for row in read(written, "table3_persistence")}
    assert pairs == set(sides)
    for (first, second), models in sides.items():
        assert check_persistence(written, first, second, models) > 0


def test_table_4_is_what_brute_force_counts(options, written):
    _, answers, right = options
    rows = {(row["removed"], row["match"]): row for row in read(written, "table4_options")}
    exact = sum(answer in (option, f"D) {option}.") for option, answer in answers)
    substring = sum(option in answer for option, answer in answers)
    words = sum(option in answer.replace(".", " ").split() for option, answer in answers)
    assert 0 < exact < words < substring
    found = rows["any", "relaxed"]
    assert (int(found["published_count"]), int(found["count"]), int(found["n"])) == (
        substring,
        words,
        len(answers),
    )
    assert float(found["published_rate"]) == substring / len(answers)
    assert float(found["excess"]) == pytest.approx(float(found["rate"]) - float(found["chance"]))
    found = rows["any", "exact"]
    assert (int(found["published_count"]), int(found["count"])) == (exact, exact)
    assert {removed for removed, _ in rows} == {"any", "right", "distractor"}
    accuracy = [row for row in read(written, "table4_accuracy") if not row["specialty"]]
    assert [(row["task"], int(row["count"]), int(row["n"])) for row in accuracy] == [("answer", right, 30)]


def test_intervals_are_those_of_the_report_and_of_the_published_resampling(runs, written):
    report = read_report(runs["few"])
    own = {
        (e.stratum.arm, e.stratum.prefix_length, e.stratum.support): e
        for e in report.estimates
        if (e.metric, e.stratum.unit, e.stratum.threshold, e.stratum.copies)
        == ("net_ratio", "token", 30, None)
    }
    for row in read(written, "table1_ratio_30"):
        if row["run"] != "A":
            continue
        for support, prefix in (("all", "net"), ("common", "common_net")):
            estimate = own[row["arm"], int(row["prefix_length"]), support]
            limits = float(row[f"{prefix}_low"]), float(row[f"{prefix}_high"])
            assert limits == (estimate.low, estimate.high)
            assert row[f"{prefix}_method"] == estimate.method
        low, ratio, high = (float(row[f"published_{name}"]) for name in ("low", "ratio", "high"))
        assert low <= ratio <= high
        assert high - low < 0.25  # whatever the number of prompts: 100 means of 100
    assert any(
        float(row["net_high"]) - float(row["net_low"]) > 0.4 for row in read(written, "table1_ratio_30")
    )


def test_a_run_without_a_tokenizer_is_counted_in_words(runs, tmp_path):
    found = study_of([runs["words"]])
    write_study(found, tmp_path)
    assert any(check_run(tmp_path, "A", runs["words"], "word").values())
    sides = (runs["words"], "control"), (runs["words"], "scanned")
    assert check_persistence(tmp_path, "A control", "A", sides, "word")
    assert "A: tables 1 to 3 count words, not tokens: the run has no tokenizer" in found.remarks
    assert all(row.prefix_length is None and row.common_net_n is None for row in found.table1_ratio_30)


def test_what_people_said_stands_beside_what_rules_flagged(runs):
    review = ReviewSection(
        outputs=50, items=20, blind=10, answered=18, skipped=0, twice=0, differing=0, adjudicated=0, open=0,
        unanswered_regions=0, unusable_regions=0, people=1, estimates=(), agreement=(), memorization={},
        missed_verdicts={},
        strata=tuple(
            ReviewStratum(name=name, outputs=25, drawn=10, blind=5, answered=9, blind_answered=blind)
            for name, blind in (("one", 5), ("two", 4))
        ),
        totals=tuple(
            ReviewTotal(
                what="phi", category=category, counted=9, false_in_sample=1, missed_in_sample=missed,
                corrected=10.0, low=8.0, high=12.0, level=0.95, method="m",
            )
            for category, missed in ((None, 3), ("DATE", 3), ("ZIP", 0))
        ),
        topics=tuple(
            ReviewedTopic(
                topic=topic, instances=2, outputs=1, total=5.5, low=1.0, high=12.0, level=0.95, flagged=1
            )
            for topic in ("abuse", "GENDER")
        ),
    )  # fmt: skip
    rules = BeyondPhiRow(
        arm="scanned", topic="abuse", title="t", group="specially_protected", passages=7, outputs=6, patients=5,
        in_record=4, linked=3, linked_patients=2, in_prompt=1, not_affirmed=0,
    )  # fmt: skip
    held_out = rules.model_copy(update={"arm": "holdout", "passages": 1})
    report = read_report(runs["few"]).model_copy(update={"review": review, "beyond_phi": (rules, held_out)})
    found = [
        (r.kind, r.arm, r.topic, r.table_5b, r.flagged, r.reviewed, r.confirmed, r.total)
        for r in topic_rows(report, run="A")
    ]
    assert found == [
        ("beyond_phi", "scanned", "abuse", False, 7, 18, 2, 5.5),
        ("beyond_phi", "holdout", "abuse", False, 1, None, None, None),
        ("beyond_phi", "scanned", "GENDER", True, None, 18, 2, 5.5),
        ("missed_phi", "scanned", "DATE", True, None, 9, 3, None),
    ]


def test_files_are_whole_private_and_hold_no_patient_text(runs, options, phiscan, tmp_path):
    folder = tmp_path / "made" / "tables"
    code, out, err = phiscan("study", runs["few"], runs["more"], "--options", options[0], "--out", folder)
    assert (code, err) == (0, "")
    for words in ("Table 1: answers with a run of 30 tokens or more", "Table 5A", "A control and A", "Wrote"):
        assert words in out
    names = {path.stem for path in folder.iterdir()}
    assert names == set(Study.model_fields) - NOT_TABLES
    code, out, _ = phiscan(
        "study", runs["few"], runs["more"], "--options", options[0], "--out", folder, "--json"
    )
    tables = json.loads(out)
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        text = path.read_text(encoding="utf-8")
        assert not any(secret in text for secret in SECRET)
        rows = read(folder, path.stem)
        assert len(rows) == len(tables[path.stem]) > 0
        for row, whole in zip(rows, tables[path.stem], strict=True):
            assert row == {name: "" if value is None else str(value) for name, value in whole.items()}


def test_what_a_run_has_no_data_for_is_said_and_not_written(runs, options, phiscan, tmp_path):
    write_study(study_of([runs["few"]], [options[0]]), tmp_path)
    code, out, _ = phiscan("study", "--options", options[0], "--out", tmp_path)
    assert code == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        "table4_options.csv",
        "table4_accuracy.csv",
        "models.csv",
    }
    for name in ("table1_ratio_30", "table2_ratio_50", "table3_persistence", "table5a_phi", "likeness"):
        assert f"{name}: not written: it needs " in out
    code, out, _ = phiscan("study", runs["few"], "--out", tmp_path / "more")
    assert (code, "table4_options: not written: it needs --options" in " ".join(out.split())) == (0, True)
    assert "A: no scored review" in out


def test_expected_errors_are_one_line_and_exit_2(runs, options, phiscan, tmp_path):
    unfinished = tmp_path / "unfinished"
    shutil.copytree(runs["few"], unfinished)
    (unfinished / "report.json").unlink()
    (tmp_path / "bad.json").write_text('{"seed": "Lindqvist"}')
    (tmp_path / "file").write_text("x")
    for arguments, words in (
        ((), "study: name a run, or --options"),
        ((unfinished,), "RUN_A: the run directory has no report.json"),
        ((runs["few"], tmp_path), "RUN_B: the run directory has no report.json"),
        ((runs["few"], runs["other"]), "RUN_B: its notes are not those of RUN_A"),
        (
            ("--options", options[0], "--options", tmp_path / "bad.json"),
            "--options: file 2 is not an options.json",
        ),
        (("--options", tmp_path / "nowhere"), "--options: file 1 cannot be read (FileNotFoundError)"),
        ((runs["few"], "--out", tmp_path / "file"), "--out: cannot be written"),
    ):
        out_named = () if "--out" in arguments else ("--out", tmp_path / "out")
        code, _, err = phiscan("study", *arguments, *out_named)
        assert (code, err.count("\n")) == (2, 1)
        assert words in err
        assert not (tmp_path / "out").exists()


def test_a_cell_is_never_a_formula_or_a_control_character(tmp_path):
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "a\x1b[31m", "\t=1", "\r\n=1", 'quoted, "cell"']
    rows = [ModelRow(run="A", backend=text, batch_size=-5) for text in texts]
    write_tables({"models": rows}, tmp_path, "--out")
    with (tmp_path / "models.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert [row["backend"] for row in found] == [
        *("'=1+1", "'+1", "'-1", "'@SUM(A1)"),
        *["(a name that cannot be shown)"] * 3,
        'quoted, "cell"',
    ]
    assert {row["batch_size"] for row in found} == {"-5"}


def test_a_damaged_options_file_and_a_pipe_are_refused(options, tmp_path, phiscan):
    report = json.loads(options[0].read_text())
    damaged = tmp_path / "options.json"
    for change in (
        lambda r: r["matches"][0]["observed"].update(value=1.5),
        lambda r: r.update(seed=-1),
        lambda r: r.update(matches=r["matches"][1:2]),
    ):
        other = json.loads(json.dumps(report))
        change(other)
        damaged.write_text(json.dumps(other))
        code, _, err = phiscan("study", "--options", damaged, "--out", tmp_path / "out")
        assert (code, err.count("\n")) == (2, 1)
    os.mkfifo(tmp_path / "pipe")
    assert phiscan("study", "--options", tmp_path / "pipe", "--out", tmp_path / "out")[0] == 2
