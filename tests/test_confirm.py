"""Leaking answers asked for alone: by a backend whose answers change with the batch, and in bfloat16."""

from types import SimpleNamespace

import pytest
from tiny_model import TEXTS, make_model

from phiscan import pipeline
from phiscan.backends.echo import EchoBackend
from phiscan.config import load_config
from phiscan.confirm import Leaking, confirm_leaks
from phiscan.passes.plan import ScanInputs
from phiscan.protocols import BackendSettings, Generated, ModelSource
from phiscan.records import Continuation
from phiscan.scan_report import ConfirmationRow, ModelIdentity
from phiscan.store import RunDirectory


def continuation(text, ids=None, gen_id="scanned/n0/greedy/0"):
    ids = tuple(map(ord, text)) if ids is None else tuple(ids)
    return Continuation(
        gen_id=gen_id, prompt_id="n0", note_id="N0", arm="scanned", decoding="greedy", draw=0, token_ids=ids,
        token_ends=tuple(range(1, len(ids) + 1)), text=text, stop="length", degenerate=None, mean_logprob=None,
    )  # fmt: skip


class Says(EchoBackend):
    def __init__(self, text):
        self.text = text

    def generate(self, prompts, max_new_tokens):
        assert len(prompts) == 1
        if self.text is None:
            return [None]
        ids = list(map(ord, self.text))
        return [Generated(ids, list(range(1, len(ids) + 1)), self.text, "length", None)]


def confirm(text, leaks, again):
    [made] = confirm_leaks([Leaking(continuation(text), [1, 2], leaks)], Says(again), 50)
    return made.identical, made.same_tok, made.leaks, made.seen_again, made.failed


@pytest.mark.parametrize(
    ("again", "expected"),
    [
        ("Seen by Mara Quillon, MRN 7730218", (True, 33, 2, 2, False)),
        ("Seen by Mara Quillon, MRN 7730219", (False, 32, 2, 1, False)),
        ("Seen by MARA  QUILLON; 7730218.", (False, 9, 2, 2, False)),
        ("Seen by Mara Quillons, MRN 77302180", (False, 20, 2, 0, False)),
        ("Seen by Mara Quillon, MRN 7730218 and", (False, 33, 2, 2, False)),
        ("", (False, 0, 2, 0, False)),
        (None, (False, 0, 2, 0, True)),
    ],
)
def test_what_is_the_same_and_what_is_seen_again(again, expected):
    assert confirm("Seen by Mara Quillon, MRN 7730218", ["Mara Quillon", "7730218"], again) == expected


def test_each_leaking_hit_counts():
    assert confirm("7730218 and 7730218", ["7730218", "7730218"], "7730218")[2:4] == (2, 2)


# --- a whole scan -----------------------------------------------------------------------------


def text_of(patient):
    return f"Visit {patient} in clinic on a quiet day, and then home. MRN: 77{patient}0218{patient}. She feels well, and walks."


class Memory(EchoBackend):
    """Continues every note by heart in a batch; alone it writes another number for patient 1."""

    def __init__(self, dtype):
        self.dtype = dtype
        self.alone = 0

    def identity(self):
        return ModelIdentity(backend="echo", dtype=self.dtype)

    def generate(self, prompts, max_new_tokens):
        self.alone += len(prompts) == 1
        return [self._answer(prompt, len(prompts) == 1) for prompt in prompts]

    def _answer(self, prompt, alone):
        text = text_of(chr(prompt[6]))[len(prompt) :]
        if alone:
            text = text.replace("7710218", "7719999")
        ids = list(map(ord, text))
        return Generated(ids, list(range(1, len(ids) + 1)), text, "eos", None)


def scanned(tmp_path, write_jsonl, monkeypatch, dtype):
    backend = Memory(dtype)
    plugin = SimpleNamespace(build=lambda source, settings: backend)
    load = pipeline.load_plugin
    monkeypatch.setattr(
        pipeline, "load_plugin", lambda family, name: plugin if family == "backends" else load(family, name)
    )
    notes = write_jsonl(
        tmp_path / "notes.jsonl",
        [{"note_id": f"N{i}", "patient_id": f"P{i}", "text": text_of(i)} for i in range(3)],
    )
    settings = {
        "detect": {"detectors": ["rules"]},
        "model": {"backend": "echo"},
        "regenerate": {"prefix_lengths": [20]},
    }
    report = pipeline.scan(
        ScanInputs(notes=notes, out=tmp_path / "run"), load_config(flags=settings, environment={})
    )
    return report, RunDirectory(tmp_path / "run"), backend


def test_a_scan_below_float32_asks_again_for_what_leaked(tmp_path, write_jsonl, monkeypatch):
    report, run, backend = scanned(tmp_path, write_jsonl, monkeypatch, "bfloat16")
    headline = next(line for line in report.leaks if (line.line, line.arm) == ("headline", "scanned"))
    assert headline.instances == 3, "nothing is taken out"
    assert backend.alone == 3
    [row] = report.confirmations
    assert row == ConfirmationRow(arm="scanned", outputs=3, failed=0, identical=2, leaks=3, seen_again=2)
    made = {one.note_id: one for one in run.read_table("confirmations")}
    assert [made[f"N{i}"].identical for i in range(3)] == [True, False, True]
    assert [made[f"N{i}"].seen_again for i in range(3)] == [1, 0, 1]
    assert made["N1"].same_tok == text_of(1).index("0218") - 20


def test_the_report_says_so(tmp_path, write_jsonl, monkeypatch, command_line):
    scanned(tmp_path, write_jsonl, monkeypatch, "bfloat16")
    code, out, _ = command_line("report", tmp_path / "run", "--format", "html")
    assert code == 0
    said = "2 of 3 answers came back token for token; 2 of 3 leaks stood in them again, 1 did not."
    assert said in (tmp_path / "run" / "report.html").read_text()
    code, out, _ = command_line("report", tmp_path / "run", "--format", "console")
    assert said in " ".join(out.split())
    assert "computed in bfloat16" in " ".join(out.split())


def test_a_model_that_does_not_tell_its_dtype_is_asked_again(tmp_path, write_jsonl, monkeypatch):
    report, _, backend = scanned(tmp_path, write_jsonl, monkeypatch, None)
    assert (report.confirmations[0].outputs, backend.alone) == (3, 3)


@pytest.mark.parametrize("dtype", ["float32", "none"])
def test_in_float32_nothing_is_asked_again(tmp_path, write_jsonl, monkeypatch, dtype):
    report, run, backend = scanned(tmp_path, write_jsonl, monkeypatch, dtype)
    assert report.confirmations == ()
    assert backend.alone == 0
    assert not run.has_table("confirmations")


# --- a real model -----------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
def test_a_model_says_alone_what_its_confirmations_say(tmp_path, dtype):
    from phiscan.backends.transformers import build

    backend = build(
        ModelSource(str(make_model(tmp_path / "model"))), BackendSettings(dtype=dtype, batch_size=8)
    )
    whole = [tokens.ids for tokens in backend.tokenize(TEXTS[:3])]
    prompts = [ids[:length] for ids in whole for length in (4, 7, 11, 16)]
    batched = backend.generate(prompts, 40)
    leaking = [
        Leaking(continuation(answer.text, answer.ids, f"g{i}"), prompt, [answer.text.strip()[-6:]])
        for i, (prompt, answer) in enumerate(zip(prompts, batched, strict=True))
    ]
    made = confirm_leaks(leaking, backend, 40)
    alone = [backend.generate([prompt], 40)[0] for prompt in prompts]
    assert [one.identical for one in made] == [a.ids == b.ids for a, b in zip(alone, batched, strict=True)]
    assert [one.gen_id for one in made] == [f"g{i}" for i in range(len(prompts))]
    if dtype == "float32":
        assert all(one.identical for one in made)
