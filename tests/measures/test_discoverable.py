"""What draws would give of a note, and the score of free-running decoding, against plain loops over the model."""

import math
import random
from itertools import product

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from phiscan.commands.demo_model import train_demo_model
from phiscan.config import load_config
from phiscan.greedy_runs import NEXT, K
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import expose
from phiscan.scan_report import DRAWS, SHARES
from phiscan.store import RunDirectory

DECODINGS = {"t1": (1.0, None), "t0.5": (0.5, None), "k2": (1.0, 2), "t0.7k3": (0.7, 3)}
LENGTHS = (20, K)


@pytest.fixture(scope="module")
def files(tmp_path_factory, write_jsonl):
    """Notes of some 90 tokens; the model knows some by heart, others not at all."""
    folder = tmp_path_factory.mktemp("discoverable")
    rng = random.Random(11)
    words = "wound clean review renal ward daily walked stable chest tablet week plan broth".split()
    texts = [" ".join(rng.choice(words) for _ in range(85)) + f" Seen by Mara Quillon {i}." for i in range(7)]
    texts.append("wound clean review.")  # too short for any score
    train_demo_model(texts[:2] * 20 + texts[2:5] * 4, folder / "model", steps=90)
    rows = [
        {
            "note_id": f"n{i}",
            "patient_id": "p9" if i == 6 else f"p{i // 2}",
            "text": text,
            "split": "holdout" if i == 6 else "train",
        }
        for i, text in enumerate(texts)
    ]
    return {"model": folder / "model", "notes": write_jsonl(folder / "notes.jsonl", rows)}


@pytest.fixture(scope="module")
def exposed(files, tmp_path_factory):
    settings = {
        "detect": {"detectors": ["rules"]},
        "regenerate": {"prefix_lengths": [20], "max_new_tokens": 8, "decodings": ["greedy", *DECODINGS]},
        "expose": {"decoys": 0, "free_running": True},
    }
    out = tmp_path_factory.mktemp("run") / "run"
    inputs = ScanInputs(notes=files["notes"], model=str(files["model"]), out=out)
    return expose(inputs, load_config(flags=settings, environment={})), RunDirectory(out)


@pytest.fixture(scope="module")
def by_hand(files, exposed):
    """By note: patient, tokens, and the logits at each place, one note after the other."""
    model = AutoModelForCausalLM.from_pretrained(files["model"], dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(files["model"])
    made = {}
    for note in exposed[1].read_table("notes"):
        ids = tokenizer(note.text, add_special_tokens=False)["input_ids"]
        opening = tokenizer("")["input_ids"]
        with torch.no_grad():
            logits = model(torch.tensor([[*opening, *ids]])).logits[0].double()
        made[note.note_id] = (note, ids, logits[len(opening) - 1 :] if opening else logits, opening, model)
    return made


def answer(model, opening, ids):
    """32 tokens of greedy decoding, token by token, without a cache."""
    said = [*opening, *ids]
    for _ in range(K):
        with torch.no_grad():
            said.append(int(model(torch.tensor([said])).logits[0, -1].argmax()))
    return said[len(opening) + len(ids) :]


def log_p(logits, ids, length, temperature, top_k):
    total = 0.0
    for at in range(length, min(len(ids), length + NEXT)):
        scaled = logits[at] / temperature
        if top_k is not None:
            scaled = scaled.masked_fill(scaled < scaled.topk(top_k).values[-1], -math.inf)
        total += float(scaled.log_softmax(0)[ids[at]])
    return total


def test_scores_are_those_of_decoding_token_by_token(exposed, by_hand):
    section, run = exposed
    scores = {}
    for note, ids, _, opening, model in by_hand.values():
        if len(ids) >= 2 * K:
            right = answer(model, opening, ids[:K])
            scores[note.note_id] = sum(a == b for a, b in zip(right, ids[K : 2 * K], strict=True))
    told = {row.note_id: row for row in run.read_table("audits") if row.prefix_tok == K}
    assert {name: row.score_tok for name, row in told.items() if row.score_tok is not None} == scores
    assert all(row.score_tok is None for row in run.read_table("audits") if row.prefix_tok != K)
    # The yes of one pass is the same event.
    assert all((scores[name] == K) == (told[name].run_tok >= K) for name in scores)
    assert {K} < set(scores.values())
    members = [score / K for name, score in scores.items() if name != "n6"]
    [row] = [row for row in section.scores if row.arm == "scanned"]
    assert row.mean == pytest.approx(sum(members) / len(members))
    assert row.bands == tuple(
        sum(low <= score < high for score in members)
        for low, high in ((0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1), (1, 2))
    )
    assert (row.notes, row.patients, row.differing) == (len(members), 3, 0)
    assert 0 <= row.low <= row.mean <= row.high <= 1


def test_log_probabilities_of_draws_are_those_of_the_cut_softmax(exposed, by_hand):
    rows = {(row.note_id, row.prefix_tok, row.decoding): row for row in exposed[1].read_table("discoverable")}
    expected = {
        (name, length, decoding)
        for (name, (_, ids, *_)), length, decoding in product(by_hand.items(), LENGTHS, DECODINGS)
        if len(ids) > length
    }
    assert set(rows) == expected
    for (name, length, decoding), row in rows.items():
        _, ids, logits, *_ = by_hand[name]
        assert row.next_logprob == pytest.approx(log_p(logits, ids, length, *DECODINGS[decoding]), abs=2e-3)
        assert row.next_tok == min(NEXT, len(ids) - length)
    assert -math.inf in {row.next_logprob for row in rows.values()}
    plain = {(row.note_id, row.prefix_tok): row.next_logprob for row in exposed[1].read_table("audits")}
    for key, value in plain.items():
        assert rows[(*key, "t1")].next_logprob == pytest.approx(value, abs=1e-4)


def test_curves_count_the_notes_that_n_draws_give_with_probability_p(exposed, by_hand):
    section, _ = exposed
    curves = {(r.decoding, r.arm, r.prefix_length, r.draws, r.probability): r for r in section.curves}
    assert len(curves) == len(section.curves)
    for decoding, length, draws, share in product(DECODINGS, LENGTHS, DRAWS, SHARES):
        chances = [
            1 - (1 - math.exp(log_p(logits, ids, length, *DECODINGS[decoding]))) ** draws
            for note, ids, logits, *_ in by_hand.values()
            if note.split == "member" and len(ids) >= length + NEXT
        ]
        # Chances that stand on the edge would hang on the last digit.
        assert all(abs(chance - share) > 1e-6 for chance in chances)
        row = curves[decoding, "scanned", length, draws, share]
        assert (row.discoverable, row.notes) == (sum(c >= share for c in chances), len(chances))
    rates = {
        (e.stratum.decoding, e.stratum.arm, e.stratum.prefix_length, e.stratum.draws): e
        for e in section.estimates
        if e.metric == "np_discoverable"
    }
    for (decoding, arm, length, draws), rate in rates.items():
        row = curves[decoding, arm, length, draws, 0.5]
        assert (rate.count, rate.n) == (row.discoverable, row.notes)
    # More draws give more, a surer wish fewer.
    counts = [curves["t1", "scanned", 20, draws, 0.5].discoverable for draws in DRAWS]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]
