"""Review tasks to annotators and their answers back: a Label Studio server, or files alone."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from phiscan.commands.review import ADJUDICATION, SAMPLE, handed_out, model_version, review_items
from phiscan.errors import ConfigError, NoteFormatError, StoreError
from phiscan.passes.plan import Progress, silent
from phiscan.passes.reopen import FinishedRun, reopened
from phiscan.records import ReviewItem, ReviewRegion, ReviewRound
from phiscan.review.answers import Received, Sent, read_export
from phiscan.review.codebook import load_codebook
from phiscan.store import RunDirectory

_MOST_STRAYS = 0.5
"""Share of tasks of somebody else from which on an export is taken for somebody else's."""


def push_review(
    root: Path, url: str, *, allow_http: bool, progress: Progress = silent
) -> list[tuple[str, int, int]]:
    """Send every task file to its own project; (name, sent now, there already) of each.

    What is there is known by its doc_id, so that a broken push is simply repeated.
    """
    from phiscan.review.client import connection, push

    run = RunDirectory(root)
    review_items(run)
    link = connection(url, allow_http=allow_http)
    config = _label_config(run)
    done = []
    for name in _task_files(run):
        tasks = run.read_json(f"review/tasks-{name}.json")
        pushed = push(
            link,
            title=project_title(run, name),
            label_config=config,
            tasks=tasks,
            model_version=model_version(run),
            progress=progress,
        )
        done.append((name, pushed.sent, pushed.already_there))
    return done


def _label_config(run: RunDirectory) -> str:
    try:
        return (run.root / "review" / "label_config.xml").read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise StoreError("review: label_config.xml cannot be read; export the review again") from None


def project_title(run: RunDirectory, name: str) -> str:
    """The title of an annotator's project: tells the run by its key, nothing of its content."""
    what = ADJUDICATION if name == ADJUDICATION else f"annotator {name}"
    return f"{model_version(run)} {what}"


def _task_files(run: RunDirectory) -> list[str]:
    return sorted(path.stem.removeprefix("tasks-") for path in (run.root / "review").glob("tasks-*.json"))


def pull_review(root: Path, url: str, *, allow_http: bool) -> dict[str, Received]:
    """Fetch the answers of every project that was pushed, and take them in."""
    from phiscan.review.client import connection, pull

    run = RunDirectory(root)
    review_items(run)
    link = connection(url, allow_http=allow_http)
    received = {}
    for name in _task_files(run):
        exported = pull(link, project_title(run, name))
        if exported is not None:
            received[name] = take_in(root, name, exported)
    if not received:
        raise ConfigError("review pull: the server holds no project of this run; run `phiscan review push`")
    return received


def pull_file(root: Path, name: str | None, path: Path) -> Received:
    """Take in a JSON export that somebody made by hand: ``name`` is 1, 2 or adjudication."""
    try:
        exported = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise NoteFormatError(f"--from: cannot be read as JSON ({type(error).__name__})") from None
    if name is None:
        names = _task_files(RunDirectory(root))
        if len(names) > 1:
            raise ConfigError(f"--annotator: say whose export it is: {', '.join(names)}")
        name = "1"
    return take_in(root, name, exported)


def take_in(root: Path, name: str, exported: Any) -> Received:
    """Check an export against what was sent and add it to what was taken in before: raw, and as tables.

    Refused if it is somebody else's. The same export again changes nothing.
    """
    with reopened(root) as finished:
        run = finished.run
        items = review_items(run)
        if name not in _task_files(run):
            raise ConfigError("--annotator: no tasks were made for it")
        round_: ReviewRound = "adjudication" if name == ADJUDICATION else "review"
        try:
            raw = json.dumps(exported, ensure_ascii=False, indent=1).encode()
        except (UnicodeEncodeError, ValueError, RecursionError):
            raise NoteFormatError("the review export holds text that is no Unicode") from None
        digest = hashlib.sha256(raw).hexdigest()
        pulled = f"{name}-{digest[:12]}"
        received = read_export(exported, _sent(finished, items, name), round_, name=name, pulled=pulled)
        _refuse_strangers(exported, received)
        run.write_text(f"review/pulled-{pulled}.json", raw.decode())
        run.write_part("review_answers", pulled, received.answers, digest)
        run.write_part("review_spans", pulled, received.spans, digest)
        return received


def _refuse_strangers(exported: Any, received: Received) -> None:
    if len(received.strays) > _MOST_STRAYS * len(exported):
        raise NoteFormatError(
            f"the review export: {len(received.strays)} of {len(exported)} tasks are not of this person"
        )


def report_of_pull(name: str, received: Received) -> list[str]:
    """What a pull brought, in lines without a word of text; each region that cannot be used is named."""
    answers, spans = received.answers, received.spans
    skipped = sum(answer.skipped for answer in answers)
    lines = [f"annotator {name}: {len(answers)} answers ({skipped} skipped), {len(spans)} regions"]
    lines += [f"  {stray}" for stray in received.strays]
    lines += [
        f"  output {span.doc_id}, region {_shown_id(span.region_id)}: {span.problem}; not used"
        for span in spans
        if span.problem
    ]
    return lines


def _shown_id(region_id: str) -> str:
    """A region's id if it is of a shape that phiscan sends; any other may be anything."""
    return region_id if re.fullmatch(r"[hb]\d+|a[0-9a-f]{12}", region_id) else "drawn by hand"


def _sent(finished: FinishedRun, items: Sequence[ReviewItem], name: str) -> Sent:
    codebook = load_codebook(finished.run.root / "review" / "label_config.xml")
    wanted = {item.gen_id: item.doc_id for item in items}
    texts = {wanted[c.gen_id]: c.text for c in finished.run.read_table("continuations") if c.gen_id in wanted}
    return Sent(
        texts=texts,
        regions=_regions_sent(finished.run, name),
        labels={"phi": codebook.phi_labels, "beyond": codebook.beyond_labels},
        memorization=codebook.memorization_types,
        given=_given(finished.run, items, name),
    )


def _given(run: RunDirectory, items: Sequence[ReviewItem], name: str) -> frozenset[str]:
    """doc_ids of the tasks of one person."""
    if name == ADJUDICATION:
        return frozenset(handed_out(run))
    return frozenset(item.doc_id for item in items if int(name) in item.annotators)


def _regions_sent(run: RunDirectory, name: str) -> dict[str, list[ReviewRegion]]:
    """The pre-annotations of the tasks as they were written."""
    by_doc: dict[str, list[ReviewRegion]] = {}
    for region in run.read_part("review_regions", ADJUDICATION if name == ADJUDICATION else SAMPLE):
        by_doc.setdefault(region.doc_id, []).append(region)
    return by_doc
