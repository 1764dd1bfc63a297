"""A real suite: three sizes, three checkpoints each, one order of data; forecast against brute force.

Byte-level models learn random words by heart, the more the larger they are. Each is asked twice: by
free-running greedy decoding of 32 tokens from the first 32, and by phiscan's pass over the notes.
"""

import json
import random

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from phiscan.backends.transformers import build
from phiscan.config import load_config
from phiscan.expose import Asked, ExposeSettings, audit_notes
from phiscan.load import LoadSettings, index_notes, open_notes
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import expose
from phiscan.protocols import BackendSettings, ModelSource
from phiscan.store import RunDirectory

pytestmark = pytest.mark.slow

SEQUENCES, K, BATCH = 60, 32, 12
SIZES = {"small": 24, "middle": 40, "large": 64}
STEPS = (100, 200, 300)
SEEN = (20, 40, 60)
"""Sequences that stand in the data up to each checkpoint."""
WORDS = (
    "cough fever chest renal blood pulse wound clean visit clear acute daily water sleep night month".split()
)
RATE = 5e-3
AUDITED = ("large-0", "large-2")
"""Models with a run directory."""
SETTINGS = {
    "detect": {"detectors": ["rules"]},
    "regenerate": {"prefix_lengths": [K]},
    "expose": {"decoys": 0},
    "model": {"dtype": "float32", "device": "cpu"},
}


def texts():
    """Sequences of 64 characters in random words; each patient has three."""
    rng = random.Random(11)
    return [" ".join(rng.choices(WORDS, k=12))[: 2 * K] for _ in range(SEQUENCES)]


def order():
    """The one order of data: batches of sequence numbers. Some sequences come often, most seldom."""
    rng = random.Random(12)
    for step in range(STEPS[-1]):
        known = next(seen for seen, until in zip(SEEN, STEPS, strict=True) if step < until)
        weights = [(1, 2, 4, 8)[i % 4] for i in range(known)]
        yield rng.choices(range(known), weights, k=BATCH)


def make_tokenizer():
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    names = ["<s>", "</s>", "<pad>", *alphabet]
    core = Tokenizer(models.BPE(vocab={name: i for i, name in enumerate(names)}, merges=[]))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    core.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    return PreTrainedTokenizerFast(
        tokenizer_object=core, bos_token="<s>", eos_token="</s>", pad_token="<pad>"
    )


def train(width, tokenizer, folder):
    """Train one size, save its checkpoints; returns greedy scores by checkpoint, and parameters."""
    torch.manual_seed(width)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer), hidden_size=width, intermediate_size=2 * width, num_hidden_layers=2,
            num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=128, bos_token_id=0,
            eos_token_id=1, pad_token_id=2, tie_word_embeddings=True, initializer_range=0.05,
        )
    )  # fmt: skip
    ids = tokenizer(texts(), return_tensors="pt")["input_ids"]
    assert ids.shape == (SEQUENCES, 2 * K + 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.95), weight_decay=0.0)
    scores = {}
    for step, batch in enumerate(order(), 1):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, step / 20) * (1 - 0.9 * step / STEPS[-1])
        model(input_ids=ids[batch], labels=ids[batch]).loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step in STEPS:
            at = STEPS.index(step)
            model.save_pretrained(folder / str(at))
            tokenizer.save_pretrained(folder / str(at))
            scores[at] = greedy_scores(model, ids)
    return scores, model.num_parameters()


@torch.no_grad()
def greedy_scores(model, ids):
    """Share of the 32 tokens that free-running greedy decoding gives back, token by token, own loop."""
    prompt, wanted = ids[:, : K + 1], ids[:, K + 1 :]
    for _ in range(K):
        following = model(input_ids=prompt).logits[:, -1].argmax(-1, keepdim=True)
        prompt = torch.cat([prompt, following], dim=1)
    return (prompt[:, K + 1 :] == wanted).float().mean(1).tolist()


@pytest.fixture(scope="module")
def suite(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("suite")
    notes = [{"note_id": f"n{i}", "patient_id": f"p{i // 3}", "text": text} for i, text in enumerate(texts())]
    write_jsonl(folder / "notes.jsonl", notes)
    tokenizer, trained = make_tokenizer(), {}
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    for name, width in SIZES.items():
        scores, parameters = train(width, tokenizer, folder / name)
        for at in range(len(STEPS)):
            tokens = STEPS[at] * BATCH * (2 * K + 1)
            trained[f"{name}-{at}"] = (parameters, tokens, SEEN[at], scores[at])
    torch.set_num_threads(threads)
    return folder, trained


def write_suite(folder, trained, source, name, *, with_parameters=True):
    lines = ['full = "large-2"']
    for model, (parameters, tokens, seen, _) in trained.items():
        lines += [
            "[[model]]",
            f'name = "{model}"',
            f"{source(model)}",
            f"tokens = {tokens}",
            f"seen = {seen}",
        ]
        lines += [f"parameters = {parameters}"] if with_parameters else []
    (folder / name).write_text("\n".join(lines) + "\n")
    return folder / name


def brute_force(trained):
    """Precision, recall and cost of every cheap run, from sets and nothing else."""
    size, tokens, _, scores = trained["large-2"]
    full_cost, truth = 6 * size * tokens, {i for i, score in enumerate(scores) if score == 1}
    for name, (parameters, used, seen, found) in trained.items():
        if name == "large-2":
            continue
        alarms = {i for i in range(seen) if found[i] == 1}
        known = {i for i in truth if i < seen}
        both = alarms & known
        precision = len(both) / len(alarms) if alarms else None
        recall = len(both) / len(known) if known else None
        yield (
            name,
            {
                "counts": [seen, len(alarms), len(known), len(both), SEQUENCES - seen, len(truth - known)],
                "rates": [precision, recall],
                "cost": [6 * parameters * used, 6 * parameters * used / full_cost],
            },
        )


def figures(printed):
    for one in json.loads(printed)["candidates"]:
        own = one["own"]
        yield one["name"], {
            "counts": [own["sequences"], own["alarms"], own["memorised"], own["both"], one["unseen"], one["unseen_memorised"]],
            "rates": [own["precision"]["value"], own["recall"]["value"]],
            "cost": [one["flops"], one["cost_share"]],
        }  # fmt: skip


def test_the_suite_has_something_to_foretell(suite):
    """Larger and later models know more, and no figure is trivial."""
    _, trained = suite
    known = {name: sum(score == 1 for score in scores) for name, (*_, scores) in trained.items()}
    assert 15 < known["large-2"] < SEQUENCES
    assert known["small-2"] < known["large-2"]
    rates = [one["rates"] for _, one in brute_force(trained)]
    assert any(recall is not None and 0.1 < recall < 0.9 for _, recall in rates)
    assert any(precision is not None and precision < 1 for precision, _ in rates)


def test_forecast_of_free_running_scores_equals_brute_force(suite, command_line):
    folder, trained = suite
    for name, (*_, scores) in trained.items():
        rows = [f"{i},{score!r},p{i // 3}" for i, score in enumerate(scores)]
        (folder / f"{name}.csv").write_text("\n".join(["sequence,score,patient_id", *rows]) + "\n")
    path = write_suite(folder, trained, lambda name: f'scores = "{name}.csv"', "scores.toml")
    code, out, err = command_line("forecast", path, "--json", "--chart", folder / "recall.svg")
    assert (code, err) == (0, "")
    assert dict(figures(out)) == dict(brute_force(trained))
    assert json.loads(out)["patients"] == SEQUENCES // 3


def test_the_audit_says_yes_and_no_as_generation_does(suite, tmp_path):
    """Every checkpoint as loaded from its files."""
    folder, trained = suite
    settings = BackendSettings(**SETTINGS["model"])
    index_notes(tmp_path, folder / "notes.jsonl", LoadSettings())
    notes = open_notes(tmp_path).notes
    for name, (parameters, *_, scores) in trained.items():
        backend = build(ModelSource(str(folder / name.replace("-", "/"))), settings)
        assert backend.identity().parameters == parameters
        asked = [
            Asked(note, found, ())
            for note, found in zip(notes, backend.tokenize([n.text for n in notes]), strict=True)
        ]
        audits = audit_notes(asked, backend, ExposeSettings(), arm_of=lambda _: "scanned", lengths=()).audits
        assert {row.note_id: row.run_tok >= K for row in audits} == {
            f"n{i}": score == 1 for i, score in enumerate(scores)
        }


@pytest.fixture(scope="module")
def runs(suite):
    """Run directories of `phiscan expose`."""
    folder, _ = suite
    config = load_config(flags=SETTINGS, environment={})
    for name in AUDITED:
        inputs = ScanInputs(
            notes=folder / "notes.jsonl",
            model=str(folder / name.replace("-", "/")),
            out=folder / "runs" / name,
        )
        expose(inputs, config)
    return folder / "runs"


def test_forecast_of_run_directories_equals_brute_force(suite, runs, command_line):
    """Sizes come from the runs themselves, and the order of data from the rows of the notes file."""
    folder, trained = suite
    chosen = {name: trained[name] for name in AUDITED}
    path = write_suite(
        folder, chosen, lambda name: f'run = "runs/{name}"', "runs.toml", with_parameters=False
    )
    code, out, err = command_line("forecast", path, "--json")
    assert (code, err) == (0, "")
    assert dict(figures(out)) == dict(brute_force(chosen))
    assert json.loads(out)["patients"] == SEQUENCES // 3
    assert '"n0"' not in out


def one_line(command_line, path, *words):
    code, out, err = command_line("forecast", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    for word in words:
        assert word in err


def test_runs_of_other_notes_are_refused(suite, runs, command_line, write_jsonl):
    folder, trained = suite
    changed = texts()
    changed[4] = changed[4].replace(" ", "-")
    notes = [{"note_id": f"n{i}", "patient_id": f"p{i // 3}", "text": text} for i, text in enumerate(changed)]
    inputs = ScanInputs(
        notes=write_jsonl(folder / "other.jsonl", notes),
        model=str(folder / "small" / "0"),
        out=folder / "runs" / "other",
    )
    expose(inputs, load_config(flags=SETTINGS, environment={}))
    pair = {"other": trained["small-0"], "large-2": trained["large-2"]}
    path = write_suite(folder, pair, lambda name: f'run = "runs/{name}"', "other.toml")
    one_line(command_line, path, "model 1: run: its training notes are not those of the full run: 1 note")


def test_runs_that_are_none_or_were_not_audited_are_refused(suite, runs, command_line):
    folder, trained = suite
    pair = {"small-0": trained["small-0"], "large-2": trained["large-2"]}
    path = write_suite(folder, pair, lambda _: 'run = "nowhere"', "none.toml")
    one_line(command_line, path, "SUITE: model 1: run: there is no run directory of that name")
    bare = RunDirectory(folder / "runs" / "bare")
    bare.open()
    bare.write_json("run.json", json.loads((runs / "large-0" / "run.json").read_text()))
    bare.finish()
    path = write_suite(folder, pair, lambda _: 'run = "runs/bare"', "bare.toml")
    one_line(
        command_line, path, "model 1: run: no note was audited from its first 32 tokens", "phiscan expose"
    )
    bare.write_json("run.json", {"identity": {"models": {}}})
    bare.finish()
    one_line(command_line, path, "model 1: run: has no model that was asked")
