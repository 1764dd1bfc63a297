"""ReviewItem -> Label Studio task: the output to read, its source beside it, and what phiscan found.

Offsets are code points of the output, sliced and checked on both ways. Nothing in a task tells the
verdict, the stratum or the model; a verdict is never filled in, as one that stands there is believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, NamedTuple

from phiscan.errors import PrivacyError
from phiscan.excerpt import HIT, cut
from phiscan.records import Continuation, Hit, Note, Passage, Prompt, ReviewItem, ReviewRegion, Span

AROUND = 160
"""Characters of a note shown before and after a marked part."""
PASSAGE = 1_800
"""Characters of one note shown beside the output at most; the whole record is one click away."""
PROMPT_END = 300
"""Characters of the prompt's end shown above the passage."""
_GAP = " [...] "


class Marked(NamedTuple):
    """A note that the output repeats, and where; ``whose`` heads it."""

    note: Note
    whose: str
    marks: tuple[Span, ...]


class Shown(NamedTuple):
    """All that a task is made from."""

    continuation: Continuation
    prompt: Prompt
    note: Note | None
    marked: tuple[Marked, ...]
    """The own note first; empty marks where nothing was repeated."""


def regions_of(item: ReviewItem, hits: Sequence[Hit], passages: Sequence[Passage]) -> list[ReviewRegion]:
    """The pre-annotated regions of an item, trimmed; none for a blind one. Ids are unique in the item."""
    if item.blind:
        return []
    found: list[ReviewRegion] = []
    for number, hit in enumerate(hits):
        span = trimmed(hit.text, hit.cont_start)
        found.append(_region(item, f"h{number}", hit.hit_id, "phi", hit.category, span))
    for number, passage in enumerate(passages):
        span = trimmed(passage.text, passage.cont_start)
        found.append(_region(item, f"b{number}", passage.passage_id, "beyond", passage.topic, span))
    return [region for region in found if region.start < region.end]


def _region(item: ReviewItem, region_id: str, source: str, kind: Any, label: str, span: Span) -> ReviewRegion:
    return ReviewRegion(
        doc_id=item.doc_id,
        region_id=region_id,
        source_id=source,
        kind=kind,
        label=label,
        start=span.start,
        end=span.end,
    )


def trimmed(text: str, start: int = 0) -> Span:
    r"""The span of ``text``, which begins at ``start``, without white space at its edges.

    A region with a line break at its edge is stored by the annotation tool but never drawn.

    >>> trimmed(" Mara Quillon\n", 10)
    Span(start=11, end=23)
    """
    first = start + len(text) - len(text.lstrip())
    return Span(first, max(first, start + len(text.rstrip())))


def make_task(
    item: ReviewItem, shown: Shown, regions: Sequence[ReviewRegion], model_version: str
) -> dict[str, Any]:
    """One task; PrivacyError if a region does not lie in the output, which would mark the wrong words."""
    text = shown.continuation.text
    marked = shown.marked if not item.blind else ()
    data = {
        "doc_id": item.doc_id,
        "text": text,
        "prompt": _preformatted(_tail(shown.prompt.text)),
        "passage": _passage(shown, marked, blind=item.blind),
        "record": _record(shown, marked),
    }
    result = [_result(region, text) for region in regions]
    if len({region.region_id for region in regions}) != len(regions):
        raise PrivacyError("two regions of one output have the same id")
    predictions = [{"model_version": model_version, "score": 0.5, "result": result}] if result else []
    return {"data": data, "predictions": predictions}


def _result(region: ReviewRegion, text: str) -> dict[str, Any]:
    start, end = region.start, region.end
    if not 0 <= start < end <= len(text) or text[start:end] != text[start:end].strip():
        raise PrivacyError("a region does not lie in its output")
    return {
        "id": region.region_id,
        "from_name": region.kind,
        "to_name": "text",
        "type": "labels",
        "value": {"start": start, "end": end, "text": text[start:end], "labels": [region.label]},
    }


# --- what stands beside the output -----------------------------------------------------------


def _passage(shown: Shown, marked: Sequence[Marked], *, blind: bool) -> str:
    """The passages the output repeats, marked; unmarked what follows the prompt, where it repeats none."""
    with_marks = [one for one in marked if one.marks]
    if with_marks:
        return "".join(_heading(one.whose) + _preformatted(*_windows(one)) for one in with_marks)
    if shown.note is None:
        return _heading("The note asked about is not among those loaded")
    start = shown.prompt.prefix_end or 0
    end = start + min(PASSAGE, len(shown.continuation.text) + AROUND)
    heading = "The note, from where the prompt ends" if shown.prompt.prefix_end else "The note"
    heading += "" if blind else " (the output repeats nothing of it)"
    return _heading(heading) + _preformatted(escape(shown.note.text[start:end]))


def _record(shown: Shown, marked: Sequence[Marked]) -> str:
    """The whole notes, marked alike, and the whole prompt."""
    notes = {one.note.note_id: one for one in marked}
    if shown.note is not None and shown.note.note_id not in notes:
        notes[shown.note.note_id] = Marked(shown.note, "The patient's note", ())
    whole = [
        _heading(one.whose) + _preformatted(*_pieces(one.note.text, 0, len(one.note.text), one.marks))
        for one in notes.values()
    ]
    return "".join(whole) + _heading("The whole prompt") + _preformatted(escape(shown.prompt.text))


def _windows(one: Marked) -> Iterable[str]:
    """The marked parts with what stands around them, as much as there is room for."""
    room, text = PASSAGE, one.note.text
    windows: list[Span] = []
    for mark in sorted(one.marks):
        window = Span(max(0, mark.start - AROUND), min(len(text), mark.end + AROUND))
        if windows and window.start <= windows[-1].end:
            windows[-1] = Span(windows[-1].start, max(windows[-1].end, window.end))
        else:
            windows.append(window)
    for number, window in enumerate(windows):
        if room <= 0:
            break
        end = min(window.end, window.start + room)
        room -= end - window.start
        if number or window.start:
            yield _GAP
        yield from _pieces(text, window.start, end, one.marks)
    if windows and (room <= 0 or windows[-1].end < len(text)):
        yield _GAP


def _pieces(text: str, start: int, end: int, marks: Sequence[Span]) -> Iterable[str]:
    """``text[start:end]`` escaped, with the marks put round its parts; marks may overlap."""
    for piece in cut(text, Span(start, end), {HIT: marks}):
        yield f"<mark>{escape(piece.text)}</mark>" if piece.marks else escape(piece.text)


def _tail(text: str) -> str:
    return escape(text if len(text) <= PROMPT_END else "... " + text[-PROMPT_END:])


def _heading(text: str) -> str:
    return f"<h4>{escape(text)}</h4>"


def _preformatted(*escaped: str) -> str:
    return f"<pre>{''.join(escaped)}</pre>"
