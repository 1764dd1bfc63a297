"""Note-side PHI carried into a continuation by the runs it shares with the note.

What the detector saw in the whole, well-formed note need not be seen again in a broken output.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from phiscan.normalize import squeeze
from phiscan.records import DetectedSpan, Hit, Note, Phi, SpanMatch
from phiscan.words import split_words

DETECTOR = "projected"
"""Name these spans bear as their detector."""


def project_spans(
    matches: Iterable[SpanMatch],
    phi_of_note: Mapping[str, Sequence[Phi]],
    notes: Mapping[str, Note],
    text: str,
) -> list[DetectedSpan]:
    """Spans of the continuation ``text`` that are PHI spans of the matched notes, once each.

    A span is carried only if it lies wholly in the run and reads the same there, white space aside.
    """
    found: dict[tuple[int, int, str], DetectedSpan] = {}
    for match in matches:
        note = notes[match.matched_note_id].text
        ours = (match.cont_start, match.cont_end)
        for phi in phi_of_note.get(match.matched_note_id, ()):
            if phi.start is None or phi.end is None:
                continue
            if not (match.matched_start <= phi.start and phi.end <= match.matched_end):
                continue
            theirs = (match.matched_start, match.matched_end)
            start, end = _carried(note, theirs, text, ours, (phi.start, phi.end))
            if start < end and squeeze(text[start:end]) == squeeze(phi.text):
                span = DetectedSpan(
                    start=start,
                    end=end,
                    category=phi.category,
                    score=phi.score,
                    detector=DETECTOR,
                    rule=phi.rule,
                )
                found.setdefault((start, end, phi.category), span)
    return list(found.values())


def range_in_note(match: SpanMatch, note: str, text: str, hit: Hit) -> tuple[int, int]:
    """Where in the matched note the hit of a continuation stands, for a hit inside the run."""
    theirs, ours = (match.matched_start, match.matched_end), (match.cont_start, match.cont_end)
    return _carried(text, ours, note, theirs, (hit.cont_start, hit.cont_end))


def _carried(
    source: str,
    source_run: tuple[int, int],
    target: str,
    target_run: tuple[int, int],
    span: tuple[int, int],
) -> tuple[int, int]:
    """``span`` of ``source`` in ``target``, where both have the same words in their runs.

    Equal characters are shifted; where only the words are equal they are counted off.
    """
    shift = target_run[0] - source_run[0]
    if source[slice(*source_run)] == target[slice(*target_run)]:
        return span[0] + shift, span[1] + shift
    words, ours = split_words(source[slice(*source_run)]), split_words(target[slice(*target_run)])
    start, end = span[0] - source_run[0], span[1] - source_run[0]
    inside = [
        i for i, (a, b) in enumerate(zip(words.starts, words.ends, strict=True)) if a < end and b > start
    ]
    if not inside or inside[-1] >= len(ours.words):
        return target_run[0], target_run[0]
    return target_run[0] + ours.starts[inside[0]], target_run[0] + ours.ends[inside[-1]]
