"""Label Studio export -> what people said: every region checked, none dropped.

The server stores offsets past the end, ends before starts, and labels that it was never given, and only
logs it; the text it returns with a region is not reliable. So offsets alone are believed, sliced from the
output that phiscan sent, and a region that cannot be used comes back with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from phiscan.errors import NoteFormatError
from phiscan.records import ReviewAnswer, ReviewRegion, ReviewRound, ReviewSpan
from phiscan.review.codebook import VERDICTS
from phiscan.review.tasks import trimmed


class Sent(NamedTuple):
    """What was sent, to check answers against."""

    texts: Mapping[str, str]
    """Output by doc_id."""
    regions: Mapping[str, Sequence[ReviewRegion]]
    """Pre-annotated regions by doc_id; absent or empty: blind."""
    given: frozenset[str]
    """doc_ids of the tasks of this person."""
    labels: Mapping[str, frozenset[str]]
    """Known labels by kind (phi, beyond)."""
    memorization: frozenset[str]


class Received(NamedTuple):
    """Answers and their regions; ``strays`` are tasks or annotations that cannot be read at all."""

    answers: list[ReviewAnswer]
    spans: list[ReviewSpan]
    strays: list[str]


def read_export(exported: Any, sent: Sent, round_: ReviewRound, *, name: str, pulled: str = "") -> Received:
    """The answers in one JSON export (a list of tasks) of the project ``name`` (1, 2, adjudication).

    Ids of answers begin with ``name`` and the name ``pulled`` of what was taken in.

    NoteFormatError if it is no such export. Of several annotations of a person on a task the latest is
    read.
    """
    if not isinstance(exported, list) or not all(isinstance(task, dict) for task in exported):
        raise NoteFormatError(
            "the review export is not a list of tasks (export as JSON, not JSON_MIN or CSV)"
        )
    received = Received([], [], [])
    for number, task in enumerate(exported, 1):
        data = task.get("data")
        doc_id = data.get("doc_id") if isinstance(data, dict) else None
        if not isinstance(doc_id, str) or doc_id not in sent.texts:
            received.strays.append(f"task {number}: its doc_id is not one of this review")
            continue
        if doc_id not in sent.given:
            received.strays.append(f"task {number}: it was given to somebody else")
            continue
        changed = data.get("text") != sent.texts[doc_id]
        if changed:
            received.strays.append(f"task {number}: its text was changed after it was sent; not answered")
        if not isinstance(task.get("annotations"), list):
            received.strays.append(f"task {number}: it holds no list of annotations")
        for annotation in _latest(task.get("annotations"), name):
            answer_id = f"{name}/{pulled}/{len(received.answers) + len(received.strays)}"
            answer, spans = _answer(annotation, answer_id, doc_id, sent, round_)
            if changed:
                received.spans.extend(_unusable(span, "the text was changed") for span in spans)
                continue
            received.answers.append(answer)
            received.spans.extend(spans)
    return received


class _Annotation(NamedTuple):
    author: str
    time: str
    skipped: bool
    result: list[Any]


def _latest(annotations: Any, name: str) -> list[_Annotation]:
    """The latest annotation of each author, by author."""
    found: dict[str, _Annotation] = {}
    for raw in annotations if isinstance(annotations, list) else ():
        if not isinstance(raw, dict):
            continue
        result = raw.get("result")
        one = _Annotation(
            author=_author(raw.get("completed_by"), f"annotator {name}"),
            time=str(raw.get("updated_at") or raw.get("created_at") or ""),
            skipped=bool(raw.get("was_cancelled")),
            result=result if isinstance(result, list) else [],
        )
        if one.author not in found or found[one.author].time <= one.time:
            found[one.author] = one
    return [found[author] for author in sorted(found)]


def _author(completed_by: Any, name: str) -> str:
    """An e-mail where the export tells it, else the number of the user in this project."""
    if isinstance(completed_by, dict):
        return str(completed_by.get("email") or completed_by.get("id") or name)
    return (
        str(completed_by)
        if isinstance(completed_by, str) and completed_by
        else (f"{name}, user {completed_by}" if isinstance(completed_by, int) else name)
    )


def _answer(
    annotation: _Annotation, answer_id: str, doc_id: str, sent: Sent, round_: ReviewRound
) -> tuple[ReviewAnswer, list[ReviewSpan]]:
    by_id: dict[str, list[dict[str, Any]]] = {}
    for entry in annotation.result:
        if isinstance(entry, dict):
            by_id.setdefault(str(entry.get("id")), []).append(entry)
    known = {region.region_id: region for region in sent.regions.get(doc_id, ())}
    context = _Context(answer_id, doc_id, round_, annotation.author, sent, known)
    spans = [span for region_id, parts in by_id.items() for span in context.spans(region_id, parts)]
    # A region that came back under a label of the other list alone is gone from its own.
    came = {(span.region_id, span.kind) for span in spans}
    if not annotation.skipped:
        spans += [
            context.deleted(region)
            for region in known.values()
            if (region.region_id, region.kind) not in came
        ]
    memorization = _choice(annotation.result, "memorization")
    answer = ReviewAnswer(
        answer_id=answer_id,
        doc_id=doc_id,
        round=round_,
        author=annotation.author,
        time=annotation.time,
        skipped=annotation.skipped,
        memorization=memorization if memorization in sent.memorization else None,
        comment=_comment(annotation.result),
    )
    return answer, spans


class _Context(NamedTuple):
    answer_id: str
    doc_id: str
    round: ReviewRound
    author: str
    sent: Sent
    known: Mapping[str, ReviewRegion]

    def spans(self, region_id: str, parts: Sequence[dict[str, Any]]) -> Iterator[ReviewSpan]:
        """The region of one id: its label entries, with the verdict that bears the same id."""
        verdict = _choice(parts, "verdict")
        for part in parts:
            if part.get("type") == "labels" or part.get("from_name") in ("phi", "beyond"):
                yield self._span(region_id, part, verdict)

    def deleted(self, region: ReviewRegion) -> ReviewSpan:
        """A region that was shown and is gone: the annotator holds it to be nothing."""
        return self._made(
            region.region_id, region.kind, region.label, region.start, region.end, "not_phi", "deleted", None
        )

    def _span(self, region_id: str, part: Mapping[str, Any], verdict: str | None) -> ReviewSpan:
        text = self.sent.texts[self.doc_id]
        value = part.get("value")
        value = value if isinstance(value, dict) else {}
        kind: Literal["phi", "beyond"] = "beyond" if part.get("from_name") == "beyond" else "phi"
        labels = value.get("labels")
        label = labels[0] if isinstance(labels, list) and len(labels) == 1 else None
        start, end = value.get("start"), value.get("end")
        problem = _problem(start, end, len(text))
        if problem is None and (not isinstance(label, str) or label not in self.sent.labels[kind]):
            problem = "its label is not one of the configuration's"
        if problem is None and verdict is not None and verdict not in VERDICTS:
            problem = "its verdict is not one of the configuration's"
        if problem is not None:
            return self._made(region_id, kind, "", 0, 0, None, "manual", problem)
        assert isinstance(start, int)
        assert isinstance(end, int)
        start, end = trimmed(text[start:end], start)
        problem = "it holds white space only" if start >= end else None
        return self._made(
            region_id,
            kind,
            str(label),
            start,
            end,
            verdict,
            self._origin(region_id, label, start, end),
            problem,
        )

    def _origin(self, region_id: str, label: Any, start: int, end: int) -> Any:
        region = self.known.get(region_id)
        if region is None:
            return "manual"
        same = (region.label, region.start, region.end) == (label, start, end)
        return "prediction" if same else "changed"

    def _made(
        self,
        region_id: str,
        kind: Literal["phi", "beyond"],
        label: str,
        start: int,
        end: int,
        verdict: Any,
        origin: Any,
        problem: str | None,
    ) -> ReviewSpan:
        region = self.known.get(region_id)
        return ReviewSpan(
            answer_id=self.answer_id,
            doc_id=self.doc_id,
            round=self.round,
            author=self.author,
            region_id=region_id,
            source_id=(region.source_id or None) if region and region.kind == kind else None,
            kind=kind,
            label=label,
            start=start,
            end=end,
            verdict=verdict if verdict in VERDICTS else None,
            origin=origin,
            problem=problem,
            text=self.sent.texts[self.doc_id][start:end],
        )


def _problem(start: Any, end: Any, length: int) -> str | None:
    """What is wrong with two offsets, in words that quote nothing."""
    if not (type(start) is int and type(end) is int):
        return "its offsets are not whole numbers"
    if start > end:
        return "it ends before it starts"
    if start < 0 or end > length:
        return "it lies outside the output"
    return None


def _unusable(span: ReviewSpan, why: str) -> ReviewSpan:
    import dataclasses

    return dataclasses.replace(span, problem=span.problem or why)


def _choice(entries: Iterable[Any], name: str) -> str | None:
    """The choice made under ``name``; None if there is none."""
    for entry in entries:
        if isinstance(entry, dict) and entry.get("from_name") == name:
            value = entry.get("value")
            chosen = value.get("choices") if isinstance(value, dict) else None
            if isinstance(chosen, list) and chosen:
                return str(chosen[0])
    return None


def _comment(entries: Iterable[Any]) -> str:
    for entry in entries:
        if isinstance(entry, dict) and entry.get("from_name") == "comment":
            value = entry.get("value")
            text = value.get("text") if isinstance(value, dict) else None
            return "\n".join(map(str, text)) if isinstance(text, list) else str(text or "")
    return ""
