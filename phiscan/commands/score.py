"""`phiscan detect --gold`: how well the detectors find what people annotated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from phiscan.commands.detect import detectors_of, notes_of, unused_rows
from phiscan.config import ScanConfig
from phiscan.detect import DetectSettings, detect_notes, detect_texts
from phiscan.errors import NoteFormatError
from phiscan.gold import Compared, GoldScore, NotePair, Outcome, TypedSpan, compare, score
from phiscan.gold_file import GoldOfNote, LoadedGold, load_gold
from phiscan.input_rows import Tally
from phiscan.load import raw_offset
from phiscan.passes.gold import pair_of, refuse_unscored
from phiscan.passes.plan import Progress, silent
from phiscan.protocols import Detector
from phiscan.records import DetectedSpan, Note, PhiText, record


class Near(NamedTuple):
    """What a detector said at a place, whether or not it stayed: too low a score, or lost an overlap."""

    detector: str
    rule: str | None
    category: str
    score: float


@record
class Difference:
    """One annotated span that was not found exactly, or one found span that no annotation overlaps."""

    kind: Literal["gold", "found"]
    outcome: Outcome
    row: int
    """Of the gold file."""
    start: int
    end: int
    """Raw offsets."""
    category: str
    near: tuple[Near, ...]
    """For a found span: the detector that found it."""
    note_id: PhiText
    text: PhiText


@record
class GoldReport:
    """The scores, every difference by its place, and what was not scored."""

    score: GoldScore
    differences: tuple[Difference, ...]
    remarks: tuple[str, ...]
    """One line each, for people; they quote nothing."""
    counts: dict[str, int]
    detectors: dict[str, str]


def score_file(
    path: Path, gold: Path, known: Path | None, config: ScanConfig, progress: Progress = silent
) -> GoldReport:
    """Find PHI in the notes of ``path`` and compare it with the annotations of ``gold``.

    Notes without annotations are left out and counted. NoteFormatError if nothing can be scored.
    """
    loaded = load_gold(gold, config.load, format_name=config.load.format if gold == path else None)
    detectors = detectors_of(known, config)
    left, tally, counts = dict(loaded.by_note), Tally(), Counter(loaded.ignored)
    annotated = _annotated(notes_of(path, config.load, tally), left, counts)
    pairs: list[NotePair] = []
    differences: list[Difference] = []
    rows: dict[str, GoldOfNote] = {**loaded.by_note}
    for note, spans in detect_notes(detectors, annotated, config.detect):
        place = rows[note.note_id]
        pair = pair_of(note, place, spans, config.verify.date_order, counts)
        compared = compare(pair)
        pairs.append(pair)
        near = _near(detectors, note, spans, compared, config.detect)
        differences += _differences(note, place.row, pair, compared, spans, near)
        progress("notes", len(pairs), len(rows))
    _refuse_nothing(pairs, loaded, counts)
    if left:
        counts["annotated notes that are not among the notes of PATH"] = len(left)
    unused = (unused_rows("PATH", tally), _unread(loaded))
    return GoldReport(
        score=score(pairs, seed=config.run.seed),
        differences=tuple(differences),
        remarks=(
            *(line for line in unused if line),
            *(f"--gold: {reason}: {count:,}" for reason, count in counts.items()),
        ),
        counts=dict(counts),
        detectors={name: detector.describe() for name, detector in detectors.items()},
    )


def as_json(report: GoldReport, *, show_text: bool = False) -> dict[str, Any]:
    """The whole report for machines; note ids and values only with ``show_text``."""
    return {
        "notes": report.score.notes,
        "patients": report.score.clusters,
        "lines": [
            {
                **line._asdict(),
                "precision": line.precision._asdict(),
                "recall": line.recall._asdict(),
                "f1": line.f1,
            }
            for line in report.score.lines
        ],
        "confusions": [
            {"gold": gold, "found": found, "spans": count}
            for (gold, found), count in sorted(report.score.confusions.items())
        ],
        "differences": [
            {
                "kind": one.kind,
                "outcome": one.outcome,
                "row": one.row,
                "start": one.start,
                "end": one.end,
                "category": one.category,
                "near": [near._asdict() for near in one.near],
                **({"note_id": one.note_id, "text": one.text} if show_text else {}),
            }
            for one in report.differences
        ],
        "not_scored": report.counts,
        "detectors": report.detectors,
    }  # fmt: skip


def _annotated(notes: Iterable[Note], left: dict[str, GoldOfNote], counts: Counter[str]) -> Iterator[Note]:
    """The notes that have annotations; each takes its own out of ``left``."""
    for note in notes:
        if left.pop(note.note_id, None) is None:
            counts["notes of PATH without annotations"] += 1
        else:
            yield note


def _near(
    detectors: Mapping[str, Detector],
    note: Note,
    spans: list[DetectedSpan],
    compared: Compared,
    settings: DetectSettings,
) -> list[DetectedSpan]:
    """What stayed, and in a note with a miss also what each detector says by itself, however unsure."""
    if "none" not in compared.gold:
        return spans
    unsure = settings.model_copy(update={"min_score": 0.0})
    alone = (detect_texts({name: one}, [note.text], unsure)[0] for name, one in detectors.items())
    return [*spans, *(span for found in alone for span in found)]


def _differences(
    note: Note,
    row: int,
    pair: NotePair,
    compared: Compared,
    spans: list[DetectedSpan],
    candidates: list[DetectedSpan],
) -> Iterator[Difference]:
    def at(
        kind: Literal["gold", "found"], outcome: Outcome, span: TypedSpan, near: Iterable[DetectedSpan]
    ) -> Difference:
        names = (Near(one.detector, one.rule, one.category, one.score) for one in near)
        return Difference(
            kind=kind,
            outcome=outcome,
            row=row,
            start=raw_offset(note, span.start),
            end=raw_offset(note, span.end),
            category=span.category,
            near=tuple(dict.fromkeys(names)),
            note_id=note.note_id,
            text=note.text[span.start : span.end],
        )

    for span, outcome in zip(pair.gold, compared.gold, strict=True):
        if outcome != "exact":
            close = [one for one in candidates if one.start < span.end and span.start < one.end]
            yield at("gold", outcome, span, close)
    for span, outcome, found in zip(pair.found, compared.found, spans, strict=True):
        if outcome == "none":
            yield at("found", outcome, span, [found])


def _refuse_nothing(pairs: list[NotePair], loaded: LoadedGold, counts: Counter[str]) -> None:
    if not pairs:
        raise NoteFormatError(
            f"--gold: none of its {len(loaded.by_note):,} annotated notes is among the notes of PATH "
            "(they are joined by note_id)"
        )
    refuse_unscored(pairs, loaded, counts)


def _unread(loaded: LoadedGold) -> str | None:
    bad = sum(loaded.rows_bad.values())
    if not bad:
        return None
    reasons = ", ".join(f"{reason} ({count:,})" for reason, count in loaded.rows_bad.items())
    return f"--gold: {bad:,} of {loaded.rows_read:,} records have no annotations that can be read: {reasons}"
