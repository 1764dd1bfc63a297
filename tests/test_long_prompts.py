"""Prompts of 300 and 500 tokens: a note that a model knows by heart comes back from there on."""

import random

import pytest

from phiscan.backends.transformers import build
from phiscan.commands.demo_model import train_demo_model
from phiscan.config import load_config
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.protocols import BackendSettings, Decoding, ModelSource
from phiscan.store import RunDirectory

LENGTHS = (300, 500)
LONG, SHORT = 640, 420
"""Words of the notes: each is a token or more."""


@pytest.fixture(scope="module")
def texts():
    rng = random.Random(11)
    words = ["".join(rng.choice("bdfglmnprst") + rng.choice("aeiou") for _ in range(3)) for _ in range(150)]
    return [" ".join(rng.choice(words) for _ in range(size)) + "." for size in (LONG, LONG, SHORT)]


@pytest.fixture(scope="module")
def model(texts, tmp_path_factory):
    """Trained on the notes alone until it repeats them."""
    folder = tmp_path_factory.mktemp("long") / "model"
    trained = train_demo_model(texts, folder, steps=160)
    assert trained.loss < 0.2
    return folder


@pytest.fixture(scope="module")
def backend(model):
    return build(ModelSource(str(model)), BackendSettings())


def test_both_loops_give_the_rest_of_the_note(backend, texts):
    rows = [tokens.ids for tokens in backend.tokenize(texts)]
    prompts = [row[:length] for row in rows for length in LENGTHS if len(row) > length]
    assert len(prompts) == 5
    suffixes = [row[length:] for row in rows for length in LENGTHS if len(row) > length]
    assert backend._causal.caches_plainly
    lean = backend.generate(prompts, 500)
    cool = backend.sample(prompts, 500, decoding=Decoding(0.1), seeds=range(5))
    warm = backend.sample(prompts, 40, decoding=Decoding(3.0), seeds=range(5))
    backend._causal.caches_plainly = False
    try:
        whole = backend.generate(prompts, 500)
        warm_whole = backend.sample(prompts, 40, decoding=Decoding(3.0), seeds=range(5))
    finally:
        del backend._causal.caches_plainly
    assert [a.ids for a in lean] == [a.ids for a in whole]
    assert [a.ids for a in warm] == [a.ids for a in warm_whole]
    for answer, drawn, hot, suffix in zip(lean, cool, warm, suffixes, strict=True):
        assert answer.ids == suffix  # to the note's end, and there it stops
        assert (answer.stop, drawn.ids) == ("eos", suffix)
        assert hot.ids != suffix[:40]


def test_a_scan_counts_them_and_notes_too_short_for_them(model, texts, tmp_path, write_jsonl):
    rows = [{"note_id": f"n{i}", "patient_id": f"p{i}", "text": text} for i, text in enumerate(texts)]
    config = load_config(
        flags={
            "detect": {"detectors": ["rules"]},
            "regenerate": {"prefix_lengths": list(LENGTHS), "max_new_tokens": 500},
            "spikes": {"each": 0},
        },
        environment={},
    )
    notes, out = write_jsonl(tmp_path / "notes.jsonl", rows), tmp_path / "run"
    report = scan(ScanInputs(notes=notes, model=str(model), out=out), config)
    run = RunDirectory(out)
    by_id = {note.note_id: note for note in run.read_table("notes")}
    prompts = {prompt.prompt_id: prompt for prompt in run.read_table("prompts")}
    tokens = {i: t for i, t in zip(by_id, tokens_of(model, [n.text for n in by_id.values()]), strict=True)}
    for prompt in prompts.values():
        note, ids = by_id[prompt.note_id], tokens[prompt.note_id]
        assert prompt.prefix_tok in LENGTHS
        assert prompt.prefix_end == ids.ends[prompt.prefix_tok - 1]  # exactly l tokens of the note
        assert prompt.text == note.text[: prompt.prefix_end]
    for answer in run.read_table("continuations"):
        prompt = prompts[answer.prompt_id]
        assert answer.token_ids == tuple(tokens[answer.note_id].ids[prompt.prefix_tok :])
        assert answer.text == by_id[answer.note_id].text[prompt.prefix_end :]
    assert {c.prefix_length: (c.asked, c.too_short) for c in report.coverage.prefixes} == {
        length: (
            sum(len(t.ids) > length for t in tokens.values()),
            sum(len(t.ids) <= length for t in tokens.values()),
        )
        for length in LENGTHS
    }
    for length in LENGTHS:
        [ratio] = [
            e
            for e in report.estimates
            if (e.metric, e.stratum.prefix_length, e.stratum.unit) == ("raw_ratio", length, "token")
            and (e.stratum.threshold, e.stratum.support) == (50, "all")
        ]
        assert ratio.value == 1.0


def tokens_of(model, texts):
    return build(ModelSource(str(model)), BackendSettings()).tokenize(texts)
