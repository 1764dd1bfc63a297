"""Schemes, tiers and windows: every prompt is cut from the note's own tokens, and every figure knows its design."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_regenerate import note, tokens_of

from phiscan.commands.demo_model import train_demo_model
from phiscan.config import load_config
from phiscan.passes.ask import known_text
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.protocols import KnownIdentifier
from phiscan.regenerate import Opening, RegenerateSettings, instruction, make_prompts
from phiscan.renderers import console, html
from phiscan.store import RunDirectory

EVERY = {
    "schemes": ("bare", "instruct"),
    "tiers": ("prefix", "fragment", "metadata"),
    "windows": True,
    "prefix_lengths": (5, 12),
    "max_new_tokens": 10,
}


@given(st.lists(st.text(min_size=1, max_size=70), min_size=1, max_size=4))
def test_every_prompt_ends_with_its_passage_of_the_note(texts):
    notes = [note(i, text) for i, text in enumerate(texts)]
    opening = Opening("Go on: ", tuple(map(ord, "Go on: ")))
    settings = RegenerateSettings(**EVERY)
    asked = make_prompts(notes, tokens_of(notes), settings, openings={"instruct": opening})
    assert len({one.prompt.prompt_id for one in asked}) == len(asked)
    for prompt, ids in asked:
        text = notes[int(prompt.note_id[1:])].text
        passage = text[prompt.prefix_start : prompt.prefix_end]
        assert len(passage) == prompt.prefix_tok
        assert prompt.text == (opening.text if prompt.scheme == "instruct" else "") + passage
        assert "".join(map(chr, ids)) == prompt.text
        assert prompt.prefix_end < len(text)
        starts = {"prefix": [0], "window": range(10, len(text), 10), "fragment": range(1, len(text))}
        assert prompt.prefix_start in starts[prompt.tier]


@given(st.integers(1, 200), st.integers(1, 40), st.integers(1, 30))
def test_start_and_windows_leave_nothing_out_of_reach(size, length, new):
    settings = RegenerateSettings(prefix_lengths=(length,), max_new_tokens=new, windows=True)
    notes = [note(0, "x" * size)]
    asked = make_prompts(notes, tokens_of(notes), settings)
    reached = {
        unit for one in asked for unit in range(one.prompt.prefix_end, min(size, one.prompt.prefix_end + new))
    }
    assert reached == set(range(length, size))


def test_the_default_asks_for_bare_beginnings_alone():
    assert RegenerateSettings().designs == [("bare", "prefix")]
    assert RegenerateSettings(**EVERY).designs == [
        (scheme, tier)
        for scheme in ("bare", "instruct")
        for tier in ("prefix", "window", "fragment", "metadata")
    ]
    assert instruction(500).endswith("following text:\n\n")


def test_metadata_comes_from_the_registration_first():
    known = [
        KnownIdentifier(patient_id="P0", category="PATIENT", value="Quillon, Mara"),
        KnownIdentifier(patient_id="P0", category="DATE", value="3/4/1950"),
    ]
    assert known_text(note(0, "x"), known, ()) == "Name: Quillon, Mara\nDate of birth: 3/4/1950\n"
    assert known_text(note(0, "x"), known[1:], ()) == ""


@pytest.fixture(scope="module")
def files(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("designs")
    rng = random.Random(4)
    words = "chest pain clinic renal wound dry stable daily review heart scan left right week".split()
    texts = [
        f"Patient: Quillon, Mara{i}. MRN: 773021{i}. " + " ".join(rng.choice(words) for _ in range(110)) + "."
        for i in range(4)
    ]
    train_demo_model(texts * 8, folder / "model", steps=180)
    rows = [{"note_id": f"n{i}", "patient_id": f"p{i}", "text": text} for i, text in enumerate(texts)]
    known = folder / "known.csv"
    known.write_text(
        "patient_id,category,value\n"
        + "".join(f"p{i},MRN,773021{i}\np{i},DOB,3/{i + 1}/1950\n" for i in range(3))
    )
    return {"model": folder / "model", "notes": write_jsonl(folder / "notes.jsonl", rows), "known": known}


@pytest.fixture(scope="module")
def scanned(files, tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "run"
    config = load_config(
        flags={
            "detect": {"detectors": ["rules", "known_identifiers"]},
            "regenerate": {**EVERY, "prefix_lengths": [20, 40], "max_new_tokens": 60},
        },
        environment={},
    )
    inputs = ScanInputs(notes=files["notes"], model=str(files["model"]), known=files["known"], out=out)
    return scan(inputs, config), RunDirectory(out)


def test_every_design_is_asked_and_counted(scanned):
    report, run = scanned
    cells = {(c.scheme, c.tier, c.prefix_length): c for c in report.coverage.prefixes}
    assert len(cells) == 2 * (3 * 2 + 1)
    prompts = list(run.read_table("prompts"))
    assert sum(cell.asked for cell in cells.values()) == len(prompts)
    for cell in cells.values():
        assert cell.too_short == 0 or cell.tier == "fragment"
    assert cells["bare", "metadata", None].asked == 4
    assert report.coverage.complete
    assert len([p for p in prompts if (p.scheme, p.tier) == ("bare", "window")]) > 4


def test_ratios_stand_apart_by_design_and_the_leak_rate_is_over_all(scanned):
    report, _ = scanned
    ratios = [e for e in report.estimates if e.metric == "raw_ratio"]
    assert all(e.stratum.scheme and e.stratum.tier for e in ratios)
    assert {(e.stratum.scheme, e.stratum.tier) for e in ratios} == {
        (scheme, tier)
        for scheme in ("bare", "instruct")
        for tier in ("prefix", "window", "fragment", "metadata")
    }
    overall, *parts = [
        e
        for e in report.estimates
        if e.metric == "patients_with_headline_leak" and e.stratum.arm == "scanned"
    ]
    assert (overall.stratum.scheme, overall.n, len(parts)) == (None, 4, 8)
    assert overall.count >= max(part.count for part in parts)
    bare = next(e for e in ratios if e.stratum.tier == "prefix" and e.stratum.scheme == "bare")
    assert bare.count > 0  # the model was trained until it repeats its notes


def test_what_stands_before_a_window_is_no_copy_of_the_prompt(scanned):
    """A run before the passage shown is the patient's text all the same; one inside it is the prompt."""
    _, run = scanned
    prompts = {p.prompt_id: p for p in run.read_table("prompts")}
    shown = {made.gen_id: prompts[made.prompt_id] for made in run.read_table("continuations")}
    for match in run.read_table("matches"):
        prompt = shown[match.gen_id]
        if match.where == "prompt" and match.matched_note_id == prompt.note_id:
            assert match.matched_end > prompt.prefix_start


def test_reports_show_designs_and_positions(scanned):
    report, _ = scanned
    assert sum(row.runs for row in report.positions) > 0
    for page in (html.render(report), console.render(report)):
        assert "metadata" in page
        assert "within the first 100 tokens" in " ".join(page.split())


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["regenerate.schemes=['chat']"], "the model has no chat template"),
        (
            ["screen.enabled=true", "regenerate.tiers=['fragment']"],
            "is for scheme bare and tier prefix alone",
        ),
        (["regenerate.tiers=['oracle']"], "regenerate.tiers"),
    ],
)
def test_what_cannot_be_asked_is_refused(files, tmp_path, command_line, settings, words):
    options = [part for setting in settings for part in ("--set", setting)]
    code, _, error = command_line(
        *("scan", "--notes", files["notes"], "--model", files["model"], "--out", tmp_path / "run"), *options
    )
    assert code == 2
    assert words in error


def test_the_chat_template_opens_the_models_turn(files):
    from phiscan.tokenizer import chat_opening, load_tokenizer

    tokenizer = load_tokenizer(str(files["model"]), "--model")
    assert chat_opening(tokenizer, "Go on.", ()) is None
    tokenizer.chat_template = (
        "{{ bos_token }}{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}"
        "{% if add_generation_prompt %}[assistant] {% endif %}"
    )
    leading = tuple(tokenizer("x")["input_ids"][:1])
    text, ids = chat_opening(tokenizer, "Go on.", leading)
    assert text.endswith("[user] Go on.\n[assistant] ")
    assert tokenizer.decode([*leading, *ids]) == text
