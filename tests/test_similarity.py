"""The likeness of answers and notes, from the cut to the report."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from tiny_model import TEXTS, make_model
from tiny_text_models import make_encoder

from phiscan.config import load_config
from phiscan.measures.asked import in_order, ways_asked
from phiscan.measures.scan import Tables
from phiscan.measures.similarity import Similarities
from phiscan.metrics import rouge_l
from phiscan.passes.plan import ScanInputs
from phiscan.passes.reopen import reopened
from phiscan.passes.review import outputs_of
from phiscan.pipeline import scan
from phiscan.protocols import MetricSettings, Pair
from phiscan.records import COMPARED
from phiscan.renderers import console, html
from phiscan.similarity import first_units, similarities
from phiscan.store import RunDirectory
from phiscan.tokenizer import load_tokenizer, tokenize
from phiscan.words import split_words

FILLER = " ".join(f"word{i}" for i in range(150))
SETTINGS = {"detect": {"detectors": ["rules"]}, "regenerate": {"prefix_lengths": [20], "max_new_tokens": 120}}


def test_a_text_is_cut_after_its_hundredth_unit():
    words = split_words(FILLER)
    assert first_units(FILLER, words.ends).split() == FILLER.split()[:COMPARED]
    assert first_units(FILLER, words.ends[:99]) == FILLER
    assert first_units("", []) == ""


def test_what_cannot_be_computed_is_missing_with_its_reason():
    class Odd:
        def score(self, pairs):
            return [float("nan") for _ in pairs]

    pairs = {"a": Pair("seen today", "seen today"), "b": "empty", "c": Pair("…", "x")}
    made = list(
        similarities(pairs, {"rouge_l": rouge_l.build(MetricSettings()), "x": "no_model", "odd": Odd()})
    )
    assert [(row.gen_id, row.metric, row.value, row.reason) for row in made] == [
        ("a", "rouge_l", 1.0, None),
        ("b", "rouge_l", None, "empty"),
        ("c", "rouge_l", None, "no_words"),
        ("a", "x", None, "no_model"),
        ("b", "x", None, "empty"),
        ("c", "x", None, "no_model"),
        ("a", "odd", None, "not_finite"),
        ("b", "odd", None, "empty"),
        ("c", "odd", None, "not_finite"),
    ]


# --- measures -----------------------------------------------------------------------------


def measured(tables):
    counts = Similarities(in_order([ways_asked(tables.prompts, tables.continuations)]), unit="token")
    counts.add(tables)
    return counts.section(seed=0)


def test_means_leave_missing_values_out_and_count_them():
    frame = pd.DataFrame
    gens = [f"g{i}" for i in range(6)]
    none = frame()
    tables = Tables(
        matches=none,
        hits=none,
        verdicts=none,
        at_risk=none,
        notes=frame({"note_id": ["n0", "n1", "n2"], "patient_id": ["p0", "p0", "p1"]}),
        prompts=frame(
            {
                "prompt_id": [f"q{i}" for i in range(6)],
                "prefix_tok": [50, 50, 50, 100, 100, 100],
                "scheme": ["bare"] * 6,
                "tier": ["prefix"] * 6,
                "prefix_end": [9] * 6,
            }
        ),
        continuations=frame(
            {
                "gen_id": gens,
                "prompt_id": [f"q{i}" for i in range(6)],
                "note_id": ["n0", "n1", "n2", "n0", "n1", "unknown"],
                "arm": ["scanned"] * 6,
                "decoding": ["greedy"] * 6,
            }
        ),
        similarities=frame(
            {
                "gen_id": gens,
                "metric": ["rouge_l"] * 6,
                "value": [0.1, 0.3, 0.8, 0.2, None, None],
                "reason": [None, None, None, None, "empty", "unknown_note"],
            }
        ),
    )
    section = measured(tables)
    rows = {(row.prefix_length, row.support): row for row in section.rows}
    whole = rows[50, "all"]
    assert (whole.outputs, whole.patients, whole.missing) == (3, 2, {})
    assert (whole.mean, whole.median) == (pytest.approx(0.4), 0.3)
    assert (whole.median_low, whole.median_method) == (None, "too few patients for an interval")
    partly = rows[100, "all"]
    assert (partly.outputs, partly.mean) == (1, pytest.approx(0.2))
    assert partly.missing == {"empty": 1, "unknown_note": 1}
    assert rows[50, "common"].outputs == 2
    assert {(row.scheme, row.tier) for row in section.rows} == {("bare", "prefix")}
    screened = frame(
        {"note_id": ["n2", "n0"], "prompts": [2, 2], "drawn": [True, False], "probability": [0.5, 0.5]}
    )
    weighted = measured(tables._replace(screened=screened)).rows
    assert next(r.mean for r in weighted if (r.prefix_length, r.support) == (50, "all")) == pytest.approx(0.5)
    shares = {(e.stratum.prefix_length, e.stratum.support): (e.count, e.n) for e in section.estimates}
    assert shares[50, "all"] == (2, 3)
    assert shares[100, "all"] == (0, 1)  # 0.2 is not above 0.2


# --- a whole scan -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model_run(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("likeness")
    rows = [
        {"note_id": f"N{i}", "patient_id": f"P{i // 2}", "text": f"Visit {i}. " + " ".join(TEXTS[:9])}
        for i in range(6)
    ]
    model = make_model(folder / "model")
    inputs = ScanInputs(notes=write_jsonl(folder / "notes.jsonl", rows), model=str(model), out=folder / "run")
    report = scan(inputs, load_config(None, SETTINGS, {}))
    return inputs, report, rows, model


def test_both_texts_are_cut_by_the_tokens_of_the_model(model_run):
    inputs, report, rows, model = model_run
    run = RunDirectory(inputs.out)
    texts = {row["note_id"]: row["text"] for row in rows}
    notes = {
        row["note_id"]: tokenize(load_tokenizer(str(model), "--model"), [row["text"]])[0] for row in rows
    }
    metric = rouge_l.build(MetricSettings())
    values = {row.gen_id: row for row in run.read_table("similarities") if row.metric == "rouge_l"}
    answers = list(run.read_table("continuations"))
    assert len(values) == len(answers) == 6
    for answer in answers:
        ends = notes[answer.note_id].ends
        suffix = texts[answer.note_id][ends[19] : ends[119]]
        said = answer.text[: answer.token_ends[99]] if len(answer.token_ends) > 100 else answer.text
        (expected,) = metric.score([Pair(said, suffix)])
        row = values[answer.gen_id]
        assert (row.value if row.reason is None else row.reason) == expected
    assert report.similarity.unit == "token"
    assert report.manifest.metrics["rouge_l"].startswith("ROUGE-L F1")


def test_a_metric_is_added_to_answers_that_stand(model_run, tmp_path):
    inputs, before, *_ = model_run
    run = RunDirectory(inputs.out)
    answers = (inputs.out / "tables" / "continuations").glob("*.parquet")
    made = {path: path.stat().st_mtime_ns for path in answers}
    encoder = make_encoder(tmp_path / "encoder")
    more = {"which": ["rouge_l", "bertscore", "bartscore"], "bertscore_model": str(encoder), "device": "cpu"}
    report = scan(inputs, load_config(None, {**SETTINGS, "metrics": more}, {}))
    assert {path: path.stat().st_mtime_ns for path in made} == made
    assert "layer 3 of BertModel" in report.manifest.metrics["bertscore"]
    rows = {row.metric: row for row in report.similarity.rows if row.support == "all"}
    assert set(rows) == {"rouge_l", "bertscore", "bartscore"}
    assert (rows["bartscore"].mean, rows["bartscore"].missing) == (None, {"no_model": 6})
    assert rows["rouge_l"].mean == next(r.mean for r in before.similarity.rows if r.metric == "rouge_l")
    assert sum(rows["bertscore"].missing.values()) + rows["bertscore"].outputs == 6
    assert {row.metric for row in run.read_table("similarities")} == set(rows)


# --- outputs made elsewhere ---------------------------------------------------------------


@pytest.fixture
def replayed(tmp_path, write_jsonl):
    notes = [{"note_id": f"N{i}", "patient_id": f"P{i}", "text": f"Start {i}. {FILLER}"} for i in range(4)]
    rows = [
        {"note_id": "N0", "prefix": "Start 0.", "continuation": " " + FILLER},
        {"note_id": "N1", "prefix": "Start 1.", "continuation": "  \n"},
        {"note_id": "N2", "prefix": "no such beginning", "continuation": FILLER},
        {"note_id": "N9", "prefix": "Start", "continuation": FILLER},
        {"note_id": "N3", "prefix": "Start 3. " + FILLER, "continuation": "more"},
    ]
    return ScanInputs(
        notes=write_jsonl(tmp_path / "notes.jsonl", notes),
        replay=write_jsonl(tmp_path / "out.jsonl", rows),
        out=tmp_path / "run",
    )


def test_without_a_tokenizer_words_are_compared(replayed):
    report = scan(replayed, load_config(None, SETTINGS, {}))
    assert (report.similarity.unit, report.similarity.compared) == ("word", 100)
    for row in report.similarity.rows:
        assert (row.outputs, row.mean) == (1, pytest.approx(1))
        assert row.missing == {"empty": 1, "no_suffix": 2, "unknown_note": 1}


@pytest.mark.parametrize("which", [["rouge_l"], []])
def test_the_review_takes_its_similar_outputs_from_the_run_or_computes_them(replayed, which):
    report = scan(replayed, load_config(None, {**SETTINGS, "metrics": {"which": which}}, {}))
    assert (report.similarity is None) == (not which)
    with reopened(replayed.out) as finished:
        similar = {output.gen_id for output in outputs_of(finished) if output.similar}
    assert similar == {"scanned/n0000000.given.0/given/0"}


def test_reports_show_the_section_or_say_that_there_is_none(replayed):
    report = scan(replayed, load_config(None, SETTINGS, {}))
    page, text = html.render(report), console.render(report)
    for shown in ("Likeness of answers and notes", "ROUGE-L F1, no stemmer", "unknown_note 1"):
        assert shown in page
    assert "Likeness of answers and notes, first 100 words of each" in text
    assert "BLEU" in text
    bare = report.model_copy(update={"similarity": None})
    assert "no metric was asked for" in html.render(bare)
    assert "Likeness" not in console.render(bare)
    assert json.loads(report.model_dump_json())["similarity"]["rows"]


def test_a_metric_that_is_not_there_is_named(replayed, command_line):
    code, _, err = command_line(
        *("scan", "--notes", replayed.notes, "--replay", replayed.replay, "--out", replayed.out),
        *("--set", 'metrics.which=["rouge"]', "--set", 'detect.detectors=["rules"]'),
    )
    assert (code, err.count("\n")) == (2, 1)
    assert "no metrics plug-in of that name; there are: bartscore, bertscore, bleu, rouge_l" in err
