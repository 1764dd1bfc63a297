"""Note-side PHI carried into a continuation by the runs it shares with the note.

What the detector saw in the whole, well-formed note need not be seen again in a broken output.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from phiscan.records import DetectedSpan, Phi, SpanMatch

DETECTOR = "projected"
"""Name these spans bear as their detector."""


def project_spans(
    matches: Iterable[SpanMatch], phi_of_note: Mapping[str, Sequence[Phi]], text: str
) -> list[DetectedSpan]:
    """Spans of the continuation ``text`` that are PHI spans of the matched notes, once each.

    A span is carried only if it lies wholly in the run and the continuation has the same
    characters there (token runs may differ from the note in characters a tokenizer drops).
    """
    found: dict[tuple[int, int, str], DetectedSpan] = {}
    for match in matches:
        shift = match.cont_start - match.matched_start
        for phi in phi_of_note.get(match.matched_note_id, ()):
            if phi.start is None or phi.end is None:
                continue
            if match.matched_start <= phi.start and phi.end <= match.matched_end:
                start, end = phi.start + shift, phi.end + shift
                if text[start:end] == phi.text:
                    found.setdefault(
                        (start, end, phi.category),
                        DetectedSpan(
                            start=start,
                            end=end,
                            category=phi.category,
                            score=phi.score,
                            detector=DETECTOR,
                            rule=phi.rule,
                        ),
                    )
    return list(found.values())
