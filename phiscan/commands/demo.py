"""The whole job on shipped synthetic notes: train, scan, report, and check against the truth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from phiscan.at_risk import is_leak
from phiscan.commands.demo_corpus import DemoCorpus, make_corpus, write_corpus
from phiscan.commands.demo_model import train_demo_model
from phiscan.commands.demo_truth import KnownAnswer, Output, Reported, compare, true_leaks
from phiscan.commands.scan import scan_and_render
from phiscan.config import ScanConfig
from phiscan.errors import StoreError
from phiscan.passes.plan import Progress, ScanInputs, silent
from phiscan.records import OWN_RECORD
from phiscan.scan_report import ScanReport
from phiscan.store import RunDirectory
from phiscan.taxonomy import REPORTED_APART

_COUNTS = ("true_anchored", "found", "recall", "reported_headline", "correct", "precision")


class DemoResult(NamedTuple):
    """What the demo found, and how that compares with what the model truly emitted."""

    report: ScanReport
    known_answer: KnownAnswer
    html: Path


def run_demo(
    out: Path,
    *,
    seed: int = 7,
    steps: int = 500,
    progress: Progress = silent,
    corpus: DemoCorpus | None = None,
) -> DemoResult:
    """Train a small model on synthetic notes, scan it, and hold the result against brute force.

    ``corpus`` replaces the default notes (smaller ones serve tests). Notes, model and run stand
    under ``out``; a finished training is not repeated.
    """
    corpus = corpus or make_corpus(seed=seed)
    run = RunDirectory(out)
    folder = out / "demo"
    if run.holds_run() and not folder.is_dir():
        raise StoreError("--out: holds a run that is no demo; use another directory")
    run.open()
    write_corpus(corpus, folder)
    model = folder / f"model-{seed}-{steps}"
    if not (model / "trained").exists():
        members = [note.text for note in corpus.notes if note.split == "member"]
        train_demo_model(
            members, model, seed=seed, steps=steps, progress=lambda done, of: progress("train", done, of)
        )
        (model / "trained").touch(mode=0o600)
    inputs = ScanInputs(
        notes=folder / "notes.jsonl",
        out=out,
        model=str(model),
        known=folder / "known.csv",
        gold=folder / "gold.jsonl",
    )
    report, html = scan_and_render(inputs, ScanConfig(), progress)
    answer = known_answer(corpus, run)
    run.write_json("known_answer.json", {name: getattr(answer, name) for name in _COUNTS})
    return DemoResult(report, answer, html)


def known_answer(corpus: DemoCorpus, run: RunDirectory) -> KnownAnswer:
    """What the model truly emitted, by brute force, against what the run reported."""
    prefixes = {prompt.prompt_id: prompt.text for prompt in run.read_table("prompts")}
    outputs = {
        made.gen_id: (made.note_id, prefixes[made.prompt_id], made.text)
        for made in run.read_table("continuations")
    }
    return compare(true_leaks(corpus, list(outputs.values())), list(_reported(run, outputs)))


def known_answer_table(answer: KnownAnswer) -> tuple[str, tuple[str, ...], list[tuple[str, str]]]:
    """Title, columns and rows of the known-answer table."""
    rows = [
        ("anchored verbatim leaks that are truly there", f"{answer.true_anchored}"),
        ("of these found (recall)", f"{answer.found} ({_share(answer.recall)})"),
        ("headline leaks reported", f"{answer.reported_headline}"),
        ("of these true (precision)", f"{answer.correct} ({_share(answer.precision)})"),
    ]
    return "Known answer: brute force over outputs and records", ("", "places"), rows


def _share(value: float | None) -> str:
    return "not assessable" if value is None else f"{value:.4f}"


def _reported(run: RunDirectory, outputs: dict[str, Output]) -> Iterator[Reported]:
    """Own-record hits of every arm as the known answer reads them."""
    verdicts = {verdict.hit_id: verdict for verdict in run.read_table("verdicts")}
    for hit in run.read_table("hits"):
        verdict = verdicts[hit.hit_id]
        if verdict.verdict in OWN_RECORD:
            note_id, prefix, _ = outputs[hit.gen_id]
            apart = (verdict.matched_category or hit.category) in REPORTED_APART
            headline = is_leak(verdict) and not apart
            yield (note_id, prefix, hit.cont_start, hit.cont_end, hit.text, headline, verdict.anchored)
