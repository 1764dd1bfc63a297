"""People's review of a run: draw a sample, write its tasks, and reckon with the answers.

Handing tasks out and taking answers in: :mod:`phiscan.commands.review_exchange`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from phiscan.commands.report import render_run
from phiscan.errors import ConfigError, StoreError
from phiscan.passes.people import counted, judged_items, people_say
from phiscan.passes.reduce import renew_report
from phiscan.passes.reopen import reopened
from phiscan.passes.review import outputs_of, reviewed
from phiscan.records import ReviewItem, ReviewRegion, ReviewSpan
from phiscan.resources import resource_dir
from phiscan.review.codebook import load_codebook, render_codebook
from phiscan.review.score import score
from phiscan.review.settle import latest, opinions, settle, spans_of
from phiscan.review.tasks import make_task, regions_of
from phiscan.rulebook.topics import load_topics
from phiscan.run_files import PEOPLE, REVIEW, REVIEW_ANEW
from phiscan.sample import Plan, draw, stratify
from phiscan.scan_report import ScanReport
from phiscan.store import RunDirectory, digest_of
from phiscan.survey import sample_size

ADJUDICATION = "adjudication"
SAMPLE = "review"


class Exported(NamedTuple):
    """What an export wrote."""

    items: int
    outputs: int
    """Outputs the sample was drawn from."""
    strata: int
    blind: int
    files: dict[str, int]
    """Tasks by file name under RUN/review."""


def export_review(
    root: Path,
    *,
    n: int | None = None,
    width: float | None = None,
    blind: float = 0.5,
    overlap: float = 0.3,
    annotators: int = 2,
    seed: int = 0,
) -> Exported:
    """Draw the sample of a finished run and write one task file an annotator, with what they need.

    The same wishes write the same files again; other wishes are refused once a sample stands, as answers
    belong to it.
    """
    with reopened(root) as finished:
        outputs = outputs_of(finished)
        if not outputs:
            raise ConfigError("review: the run has no output to look at")
        plan = Plan(_size(n, width, len(outputs)), blind, overlap, annotators, seed)
        wanted = plan._asdict()
        run = finished.run
        _refuse_other_sample(run, wanted)
        strata = stratify(outputs, plan.n)
        if plan.n < len(strata):
            raise ConfigError(f"--n: the outputs fall into {len(strata)} kinds; draw at least one of each")
        items = draw(outputs, plan, lambda gen_id: run.keyed(f"review {gen_id}"))
        shown = reviewed(finished, items)
        regions = {r.item.doc_id: regions_of(r.item, r.hits, r.passages) for r in shown}
        digest = digest_of(wanted)
        run.write_part("review_items", SAMPLE, items, digest)
        run.write_part("review_regions", SAMPLE, [r for of in regions.values() for r in of], digest)
        run.write_json("review/sample.json", wanted)
        files = {
            f"tasks-{number}.json": _write_tasks(
                run,
                f"tasks-{number}.json",
                [
                    make_task(r.item, r.shown, regions[r.item.doc_id], model_version(run))
                    for r in shown
                    if number in r.item.annotators
                ],
            )
            for number in range(1, annotators + 1)
        }
        _write_instructions(run)
        return Exported(
            items=len(items),
            outputs=len(outputs),
            strata=len({item.stratum for item in items}),
            blind=sum(item.blind for item in items),
            files=files,
        )


def export_adjudication(root: Path) -> Exported:
    """Write the items whose annotators differ, both answers' regions on them, for a third person."""
    with reopened(root) as finished:
        run = finished.run
        items = review_items(run)
        found = opinions(run.read_table("review_answers"), run.read_table("review_spans"))
        differing = [item for item in items if (s := settle(found.get(item.doc_id, []))) and s.open]
        # What was handed out stays as it is: answers to it may be under way.
        handed = handed_out(run)
        shown = [item for item in items if item in differing or item.doc_id in handed]
        tasks, regions = [], []
        for one in reviewed(finished, shown):
            doc_id = one.item.doc_id
            both = [span for opinion in found[doc_id] for span in opinion.spans]
            sides = handed[doc_id] if doc_id in handed else _both_sides(doc_id, both)
            tasks.append(make_task(one.item, one.shown, sides, model_version(run)))
            regions += sides
        run.write_part("review_regions", ADJUDICATION, regions, digest_of([r.region_id for r in regions]))
        run.write_json("review/adjudication.json", [item.doc_id for item in shown])
        name = f"tasks-{ADJUDICATION}.json"
        return Exported(
            items=len(differing),
            outputs=len(items),
            strata=len({item.stratum for item in differing}),
            blind=sum(item.blind for item in differing),
            files={name: _write_tasks(run, name, tasks)},
        )


def handed_out(run: RunDirectory) -> dict[str, list[ReviewRegion]]:
    """Regions of every item that went to adjudication before, by doc_id."""
    if not (run.root / "review" / "adjudication.json").exists():
        return {}
    handed: dict[str, list[ReviewRegion]] = {str(d): [] for d in run.read_json("review/adjudication.json")}
    for region in run.read_part("review_regions", ADJUDICATION):
        handed[region.doc_id].append(region)
    return handed


def _write_instructions(run: RunDirectory) -> None:
    """What annotators need; a labelling interface that a site has changed stays, its codebook follows."""
    folder = resource_dir("annotation")
    if not (run.root / "review" / "label_config.xml").exists():
        run.write_text("review/label_config.xml", (folder / "label_config.xml").read_text(encoding="utf-8"))
    codebook = load_codebook(run.root / "review" / "label_config.xml")
    run.write_text("review/codebook.md", render_codebook(codebook))
    run.write_text("review/guidelines.md", (folder / "guidelines.md").read_text(encoding="utf-8"))


def _both_sides(doc_id: str, spans: Iterable[ReviewSpan]) -> list[ReviewRegion]:
    """Each distinct region of several answers once, by place, with ids of its own."""
    places = sorted({(s.start, s.end, s.kind, s.label, s.source_id or "") for s in spans})
    merged: dict[tuple[int, int, str, str], str] = {}
    for start, end, kind, label, source in places:
        merged[start, end, kind, label] = merged.get((start, end, kind, label)) or source
    return [
        ReviewRegion(
            doc_id=doc_id,
            region_id=f"a{digest_of([start, end, kind, label])[:12]}",
            source_id=source,
            kind="beyond" if kind == "beyond" else "phi",
            label=label,
            start=start,
            end=end,
        )
        for (start, end, kind, label), source in merged.items()
    ]


def model_version(run: RunDirectory) -> str:
    """What the annotation tool calls the pre-annotations: one a run, or it does not show them."""
    return f"phiscan-{run.keyed('review')[:8]}"


def _size(n: int | None, width: float | None, outputs: int) -> int:
    if n is not None and width is not None:
        raise ConfigError("--n, --width: give one of them")
    if width is None:
        return min(200 if n is None else n, outputs)
    return max(1, sample_size(width, outputs))


def _refuse_other_sample(run: RunDirectory, wanted: dict[str, Any]) -> None:
    if not (run.root / "review" / "sample.json").exists():
        if run.has_table("review_items"):
            raise StoreError(f"review: an earlier sample has lost its files; {REVIEW_ANEW}")
        return
    had = run.read_json("review/sample.json")
    if not isinstance(had, dict):
        raise StoreError(f"review: the sample's settings are damaged; {REVIEW_ANEW}")
    differing = sorted(name for name in wanted if had.get(name) != wanted[name])
    if differing:
        raise StoreError(
            f"review: a sample with other {', '.join(differing)} stands in the run directory, and answers "
            f"belong to it; use the same, or begin anew: {REVIEW_ANEW}"
        )


def _write_tasks(run: RunDirectory, name: str, tasks: Sequence[dict[str, Any]]) -> int:
    run.write_text(f"review/{name}", json.dumps(tasks, ensure_ascii=False, indent=1))
    return len(tasks)


def review_items(run: RunDirectory) -> list[ReviewItem]:
    """The drawn items; StoreError if none were drawn yet."""
    items = list(run.read_table("review_items"))
    if not items:
        raise StoreError("review: nothing was drawn yet; run `phiscan review export RUN` first")
    return items


# --- reckoning ----------------------------------------------------------------------------------


def score_review(root: Path) -> ScanReport:
    """Settle the answers, verify what the detectors missed, and renew the report with people's word in it."""
    with reopened(root) as finished:
        run = finished.run
        items = review_items(run)
        answers = latest(run.read_table("review_answers"))
        if not answers:
            raise StoreError("review: no answers yet; run `phiscan review pull RUN`")
        spans = spans_of(answers, run.read_table("review_spans"))
        found = opinions(answers, spans)
        answered = judged_items(finished, items, found)
        if not answered:
            raise StoreError("review: every answer was skipped; there is nothing to score")
        said = people_say(finished, answered)
        section = score(
            items,
            [judged for _, judged in answered],
            opinions=found,
            answers=answers,
            spans=spans,
            counted=counted(finished),
            leaks=said.leaks,
            topics=[topic.id for topic in load_topics()],
            missed_verdicts=said.by_verdict,
        )
        digest = digest_of(sorted(f"{s.doc_id} {s.author} {s.region_id} {s.verdict}" for s in spans))
        run.write_part("hits", PEOPLE, said.hits, digest)
        run.write_part("verdicts", PEOPLE, said.verdicts, digest)
        run.write_text(REVIEW, section.model_dump_json(indent=2) + "\n")
        report = renew_report(finished)
        run.write_text("report.json", report.model_dump_json(indent=2) + "\n")
    render_run(root, ["html"])
    return report
