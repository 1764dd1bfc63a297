"""A scan in several ways of decoding: each has the figures that a scan in that way alone has."""

import dataclasses
import random
from collections import defaultdict

import pytest
from study_checks import check_persistence, check_run, read

from phiscan.commands.compare import _prompts
from phiscan.commands.demo_model import train_demo_model
from phiscan.commands.study import study_of, write_study
from phiscan.compare import compare
from phiscan.config import load_config
from phiscan.passes.plan import ScanInputs
from phiscan.passes.tables import read_tables
from phiscan.pipeline import scan
from phiscan.records import OWN_RECORD
from phiscan.renderers import console, html
from phiscan.run_answers import answers_of
from phiscan.store import RunDirectory, codes_of
from phiscan.taxonomy import REPORTED_APART

DECODINGS = ("greedy", "t0.7", "k10")


@pytest.fixture(scope="module")
def files(tmp_path_factory, write_jsonl):
    """Notes that a small model half knows, and a control that saw them for a few steps only."""
    folder = tmp_path_factory.mktemp("decoded")
    rng = random.Random(4)
    words = "chest pain clinic renal wound dry stable daily review heart scan left right week".split()
    names = (
        "Quillon",
        "Marlowe",
        "Oduya",
        "Brandt",
        "Castellan",
        "Fenwick",
        "Halloran",
        "Ibsen",
        "Jarrow",
        "Keene",
    )

    def text(i):
        body = [rng.choice(words) for _ in range(60)]
        body[25:25] = f"Patient {names[i]}, Mara{i}. MRN: 773021{i}. Phone: 617-555-01{i}7.".split()
        return " ".join(body) + "."

    texts = [text(i) for i in range(10)]
    train_demo_model(texts[:6] * 8, folder / "model", steps=110)
    train_demo_model(texts[:6] * 8, folder / "control", steps=20)
    rows = [
        {
            "note_id": f"n{i}",
            "patient_id": f"p{i // 2}",
            "text": text,
            "split": "train" if i < 8 else "holdout",
        }
        for i, text in enumerate(texts)
    ]
    return {
        "model": str(folder / "model"),
        "control": str(folder / "control"),
        "notes": write_jsonl(folder / "notes.jsonl", rows),
    }


def run_scan(files, out, decodings, *, shard_notes=256, **settings):
    config = load_config(
        flags={
            "detect": {"detectors": ["rules"]},
            "regenerate": {
                "prefix_lengths": [10, 20],
                "max_new_tokens": 90,
                "decodings": list(decodings),
                **settings.pop("regenerate", {}),
            },
            "run": {"shard_notes": shard_notes},
            "spikes": {"each": 1},
            **settings,
        },
        environment={},
    )
    inputs = ScanInputs(notes=files["notes"], model=files["model"], control=files["control"], out=out)
    return scan(inputs, config), RunDirectory(out)


@pytest.fixture(scope="module")
def together(files, tmp_path_factory):
    return run_scan(files, tmp_path_factory.mktemp("together") / "run", DECODINGS)


@pytest.fixture(scope="module")
def alone(files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    return {name: run_scan(files, folder / name, (name,)) for name in DECODINGS}


def answers_in(run, decoding=None):
    return {
        made.gen_id: made
        for made in run.read_table("continuations")
        if decoding is None or made.decoding == decoding
    }


def tokens_in(run, decoding=None):
    """Without the last digits of mean_logprob, which may change with the batch."""
    return {g: (a.token_ids, a.stop, a.text) for g, a in answers_in(run, decoding).items()}


def test_every_way_is_asked_and_named(together):
    report, run = together
    made, prompts = answers_in(run), list(run.read_table("prompts"))
    assert len(made) == 2 * 3 * len(prompts)
    for answer in made.values():
        assert answer.gen_id == f"{answer.arm}/{answer.prompt_id}/{answer.decoding}/0"
    texts = {name: [a.text for a in answers_in(run, name).values()] for name in DECODINGS}
    assert len({tuple(said) for said in texts.values()}) == 3
    cells = {(c.arm, c.decoding, c.prefix_length): c for c in report.coverage.prefixes}
    assert len(cells) == len(report.coverage.prefixes) == 3 * 3 * 2
    assert sum(c.asked for c in report.coverage.prefixes) == len(
        [a for a in made.values() if a.arm != "control_holdout"]
    )
    assert report.coverage.complete


@pytest.mark.parametrize("name", DECODINGS)
def test_a_way_beside_others_has_the_records_and_figures_it_has_alone(together, alone, name):
    report, run = together
    single, only = alone[name]
    mine = answers_in(run, name)
    assert mine == answers_in(only)
    for table in ("matches", "hits", "verdicts", "at_risk", "passages", "similarities"):
        rows = [row for row in run.read_table(table) if row.gen_id in mine]
        assert rows == list(only.read_table(table))
    apart = [e for e in report.estimates if e.stratum.decoding == name]
    assert {e.model_dump_json() for e in apart} == {e.model_dump_json() for e in single.estimates}
    assert [r for r in report.similarity.rows if r.decoding == name] == list(single.similarity.rows)
    assert [c for c in report.coverage.prefixes if c.decoding == name] == list(single.coverage.prefixes)


def test_counts_of_prompts_are_those_of_the_first_way(together, alone):
    report, run = together
    greedy, only = alone["greedy"]
    for part in ("positions", "by_copies", "repetitions", "reach", "triage", "spikes"):
        assert getattr(report, part) == getattr(greedy, part), part
    assert list(run.read_table("spikes")) == list(only.read_table("spikes"))


def test_estimates_are_those_of_a_count_by_hand(together):
    """Raw and net ratios, notes with a headline leak and recovery, counted anew from the tables."""
    report, run = together
    prompts = {p.prompt_id: p for p in run.read_table("prompts")}
    categories = {hit.hit_id: hit.category for hit in run.read_table("hits")}
    runs, net, leaking = defaultdict(int), defaultdict(int), set()
    for match in run.read_table("matches"):
        if match.where == "suffix" and match.unit == "token":
            runs[match.gen_id] = max(runs[match.gen_id], match.n_units)
            net[match.gen_id] = max(net[match.gen_id], match.net_units)
    for v in run.read_table("verdicts"):
        telling = v.verdict in OWN_RECORD and (v.anchored or v.specific) and not v.control_emits
        if telling and (v.matched_category or categories[v.hit_id]) not in REPORTED_APART:
            leaking.add(v.gen_id)
    at_risk = list(run.read_table("at_risk"))
    found = {}
    for name in DECODINGS:
        mine = {a.gen_id: a for a in answers_in(run, name).values() if a.arm == "scanned"}
        wanted = {"arm": "scanned", "scheme": "bare", "tier": "prefix", "decoding": name}
        for length in (10, 20):
            asked = [g for g, a in mine.items() if prompts[a.prompt_id].prefix_tok == length]
            for metric, longest in (("raw_ratio", runs), ("net_ratio", net)):
                cell = {"unit": "token", "threshold": 30, "prefix_length": length, "support": "all"}
                [estimate] = picked(report, metric, **wanted, **cell)
                assert (estimate.count, estimate.n) == (sum(longest[g] >= 30 for g in asked), len(asked))
        [estimate] = picked(report, "notes_with_headline_leak", **wanted)
        assert estimate.count == len({mine[g].note_id for g in leaking & set(mine)})
        risk = [row for row in at_risk if row.gen_id in mine]
        [estimate] = picked(report, "phi_recovery_rate", scope="i2b2", **wanted)
        assert (estimate.count, estimate.n) == (sum(r.recovered for r in risk), len(risk))
        found[name] = estimate.count
    assert all(found.values())  # the model says enough in every way to be counted
    assert len(set(found.values())) > 1
    overall = next(e for e in report.estimates if e.metric == "notes_with_headline_leak")
    scanned = {a.note_id for g, a in answers_in(run).items() if g in leaking and a.arm == "scanned"}
    assert (overall.stratum.decoding, overall.count) == (None, len(scanned))


def picked(report, metric, **wanted):
    whole = {"unit": None, "threshold": None, "prefix_length": None, "support": None, "scope": None,
             "category": None, "copies": None, "repetitions": None, "copied": None, "draws": None}  # fmt: skip
    return [
        e for e in report.estimates if e.metric == metric and e.stratum.model_dump() == {**whole, **wanted}
    ]


def test_shards_change_no_answer(files, together, tmp_path):
    _, run = together
    _, again = run_scan(files, tmp_path / "run", DECODINGS, shard_notes=3)
    assert tokens_in(again) == tokens_in(run)


def test_draws_are_different_answers_to_one_prompt(files, together, tmp_path):
    _, run = together
    report, drawn = run_scan(files, tmp_path / "run", ("greedy", "t0.7"), regenerate={"draws": 2})
    made = answers_in(drawn)
    assert {a.draw for a in made.values() if a.decoding == "greedy"} == {0}
    first = {g: a for g, a in made.items() if a.decoding == "t0.7" and a.draw == 0}
    assert {g: (a.token_ids, a.stop, a.text) for g, a in first.items()} == tokens_in(run, "t0.7")
    second = [dataclasses.replace(a, draw=0, gen_id=g[:-1] + "0") for g, a in made.items() if a.draw == 1]
    assert len(second) == len(first)
    assert {a.text for a in second} != {a.text for a in first.values()}
    cells = {c.decoding: c for c in report.coverage.prefixes if (c.arm, c.prefix_length) == ("scanned", 10)}
    assert cells["t0.7"].asked == 2 * cells["greedy"].asked
    assert cells["t0.7"].too_short == cells["greedy"].too_short == 0


def test_the_control_is_asked_with_the_same_noise(together):
    """A model as its own control would say the same: seeds know nothing of the arm."""
    _, run = together
    seeds = {(a.prompt_id, a.decoding, a.draw) for a in answers_in(run).values() if a.arm == "scanned"}
    assert seeds == {
        (a.prompt_id, a.decoding, a.draw) for a in answers_in(run).values() if a.arm == "control"
    }


def test_a_model_is_its_own_control_draw_by_draw(files, tmp_path):
    same = {**files, "control": files["model"]}
    _, run = run_scan(same, tmp_path / "run", ("t0.7",))
    said = {(a.arm, a.prompt_id): a.text for a in answers_in(run).values()}
    for (arm, prompt), text in said.items():
        if arm in ("scanned", "holdout"):
            assert said[{"scanned": "control", "holdout": "control_holdout"}[arm], prompt] == text
    assert not any(
        v.verdict in OWN_RECORD and not v.control_emits
        for v in run.read_table("verdicts")
        if v.gen_id.startswith("scanned/")
    )


def test_screening_spares_the_same_prompts_in_every_way(files, together, tmp_path):
    whole, run = together
    report, screened = run_scan(
        files, tmp_path / "run", DECODINGS, screen={"enabled": True, "sample": 0.4}, expose={"decoys": 0}
    )
    answers, asked = tokens_in(run), tokens_in(screened)
    assert 0 < len(asked) < len(answers)
    assert asked.items() <= answers.items()
    for name in DECODINGS:
        assert len(answers_in(screened, name)) == len(asked) / 3
    for cell, before in zip(report.coverage.prefixes, whole.coverage.prefixes, strict=True):
        assert cell.asked + cell.screened == before.asked
    [row] = [row for row in report.screening if row.arm == "scanned"]
    cells = [c for c in report.coverage.prefixes if (c.arm, c.decoding) == ("scanned", "greedy")]
    assert row.prompts_asked == sum(c.asked for c in cells)


def test_runs_are_compared_way_by_way(together, alone):
    def answers(run):
        digests = {note.note_id: note.note_id for note in run.read_table("notes")}
        coded = dict(zip(codes_of(digests).tolist(), digests, strict=True))
        return answers_of(read_tables(run), _prompts(run), coded)

    _, run = together
    found = compare(answers(run), answers(alone["t0.7"][1]), run="B", seed=0)
    assert {row.stratum.decoding for row in found.differences} == {"t0.7"}
    assert all(row.rate_a == row.rate_b for row in found.differences if not row.net_of_control)
    assert found.pairing.only_a == 2 * found.pairing.prompts


def test_the_studys_tables_have_rows_for_each_way(together, tmp_path):
    root = together[1].root
    write_study(study_of([root]), tmp_path)
    seen = check_run(tmp_path, "A", root)
    assert seen["table1_ratio_30"]
    assert seen["table5a_phi"]
    check_persistence(tmp_path, "A control", "A", ((root, "control"), (root, "scanned")))
    for name in ("table1_ratio_30", "table3_persistence", "table5a_phi", "likeness"):
        assert {row["decoding"] for row in read(tmp_path, name)} == set(DECODINGS)


def test_reports_name_ways_only_where_there_are_several(together, alone):
    report, _ = together
    for render in (html.render, console.render):
        page = " ".join(render(report).split())
        assert "Notes with a headline leak in any of these ways" in page
        assert "k10" in page
        single = " ".join(render(alone["greedy"][0]).split())
        assert "any of these ways" not in single
        assert "any decoding" not in single
    assert "any decoding" in html.render(report)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            ["regenerate.decodings=['t0']"],
            "regenerate.decodings: temperatures go from 0.01 to 10",
        ),
        (["regenerate.decodings=['warm']"], "write greedy, t0.7"),
        (["regenerate.draws=3"], "greedy decoding has one answer"),
    ],
)
def test_what_is_no_way_of_decoding_is_refused(files, tmp_path, command_line, settings, words):
    options = [part for setting in settings for part in ("--set", setting)]
    code, _, error = command_line(
        *("scan", "--notes", files["notes"], "--model", files["model"], "--out", tmp_path / "run"), *options
    )
    assert code == 2
    assert words in error
    assert len(error.strip().splitlines()) == 1


def test_outputs_made_elsewhere_are_not_decoded_here(files, tmp_path, write_jsonl, command_line):
    outputs = write_jsonl(tmp_path / "o.jsonl", [{"note_id": "n0", "prefix": "", "continuation": "x"}])
    code, _, error = command_line(
        *("scan", "--notes", files["notes"], "--replay", outputs, "--out", tmp_path / "run"),
        *("--set", "regenerate.decodings=['greedy', 't0.7']"),
    )
    assert code == 2
    assert "[regenerate] decodings: is of no use with --replay" in error
