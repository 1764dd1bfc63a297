"""Gold notes -> how well the detectors of a run find what people annotated in notes of the house.

The figures hang on no model. They stand in a file of their own, with a digest of what they were made from:
another gold file makes them anew, and nothing else. No text, no value and no id is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from phiscan.detect import detect_notes
from phiscan.errors import NoteFormatError, StoreError
from phiscan.gold import GoldScore, Line, NotePair, TypedSpan, score
from phiscan.gold_file import GoldOfNote, LoadedGold, place_in_note
from phiscan.input_rows import Tally, format_of
from phiscan.load import LoadSettings, stream_notes
from phiscan.normalize import DateOrder, canonical, hipaa_letter
from phiscan.note_index import Notes
from phiscan.passes.plan import Loaded, Plan
from phiscan.records import DetectedSpan, Note
from phiscan.scan_report import DetectionRow, DetectionSection, Estimate, Stratum
from phiscan.stats import LEVEL, Interval
from phiscan.store import RunDirectory, digest_of

ARGUMENT = "--gold"
_FILE = "detection.json"


class GoldNote(NamedTuple):
    """A note and what people annotated in it."""

    note: Note
    gold: GoldOfNote


def detection_section(plan: Plan, path: Path) -> DetectionSection:
    """What the detectors find of the annotations of ``path``: measured once of one set of files."""
    loaded, run = plan.loaded, plan.run
    assert loaded.gold is not None
    digest = digest_of([loaded.notes_digest, run.keyed_file(path)])
    found = _standing(run, digest)
    if found is None:
        found = _measured(loaded, loaded.gold, path)
        run.write_json(_FILE, {"made_from": digest, "section": found.model_dump(mode="json")})
    return found


def refuse_strangers(path: Path, gold: LoadedGold, settings: LoadSettings, notes: Notes) -> None:
    """NoteFormatError unless the text of at least one annotated note is at hand."""
    if next(gold_notes(path, gold, settings, notes, Counter()), None) is None:
        raise NoteFormatError(
            f"{ARGUMENT}: none of its {len(gold.by_note):,} annotated notes has a text there or is among "
            "the notes of the run (they are joined by note_id)"
        )


def gold_notes(
    path: Path, gold: LoadedGold, settings: LoadSettings, notes: Notes, counts: Counter[str]
) -> Iterator[GoldNote]:
    """The annotated notes, one at a time: as the gold file has them, else as the run has them.

    ``counts`` says which are left out. A note of the run that stands in it several times is read once.
    """
    columns = _own_columns(path, settings)
    if columns is None:
        yield from _of_run(gold, notes, counts)
        return
    left = dict(gold.by_note)
    for note in stream_notes(path, columns, argument=ARGUMENT, tally=Tally()):
        if (annotated := left.pop(note.note_id, None)) is not None:
            yield GoldNote(note, annotated)
    if left:
        counts["annotated notes without a text that can be read"] = len(left)


def pair_of(
    note: Note, gold: GoldOfNote, spans: Iterable[DetectedSpan], date_order: DateOrder, counts: Counter[str]
) -> NotePair:
    """What people annotated in a note beside what was found there; ``counts`` says what was odd."""

    def typed(start: int, end: int, category: str) -> TypedSpan:
        form = canonical(category, note.text[start:end], date_order)
        return TypedSpan(start, end, category, hipaa_letter(category, form) is not None)

    return NotePair(
        cluster=note.patient_id,
        text=note.text,
        gold=tuple(typed(*span) for span in place_in_note(gold.spans, note, counts)),
        found=tuple(typed(span.start, span.end, span.category) for span in spans),
    )


def refuse_unscored(pairs: Iterable[NotePair], gold: LoadedGold, counts: Counter[str]) -> None:
    """NoteFormatError if there are annotations, and none of them lies in its note."""
    if any(one.spans for one in gold.by_note.values()) and not any(pair.gold for pair in pairs):
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in counts.most_common(3))
        raise NoteFormatError(f"{ARGUMENT}: no annotation can be scored{': ' if reasons else ''}{reasons}")


def _own_columns(path: Path, settings: LoadSettings) -> LoadSettings | None:
    """Columns by which the gold file gives notes of its own: the names in use, else the usual ones."""
    # What split, type or date a gold note has is of no account here.
    usual = LoadSettings()
    named = usual.model_copy(
        update={"note_id": settings.note_id, "patient_id": settings.patient_id, "text": settings.text}
    )
    rows = format_of(path, None, ARGUMENT).rows(path, ARGUMENT)
    fields = next((row.fields for row in rows if row.fields is not None), {})
    fitting = (one for one in (named, usual) if {one.note_id, one.patient_id, one.text} <= fields.keys())
    return next(fitting, None)


def _of_run(gold: LoadedGold, notes: Notes, counts: Counter[str]) -> Iterator[GoldNote]:
    seen: set[int] = set()
    for note_id, annotated in gold.by_note.items():
        note = notes.by_id.get(note_id)
        if note is None:
            counts["annotated notes that are not among the notes of the run"] += 1
        elif note.ordinal in seen:
            counts["annotated copies of a note that was scored already"] += 1
        else:
            seen.add(note.ordinal)
            yield GoldNote(note, annotated)


def _measured(loaded: Loaded, gold: LoadedGold, path: Path) -> DetectionSection:
    config = loaded.config
    counts = Counter({**gold.ignored, **{f"records not read: {why}": n for why, n in gold.rows_bad.items()}})
    annotated: list[GoldOfNote] = []

    def notes() -> Iterator[Note]:
        for one in gold_notes(path, gold, config.load, loaded.notes.notes, counts):
            annotated.append(one.gold)
            yield one.note

    pairs: list[NotePair] = []
    for note, spans in detect_notes(loaded.detectors, notes(), config.detect):
        pairs.append(pair_of(note, annotated[len(pairs)], spans, config.verify.date_order, counts))
    refuse_unscored(pairs, gold, counts)
    return section_of(score(pairs, seed=config.run.seed), counts)


def section_of(found: GoldScore, counts: Counter[str]) -> DetectionSection:
    """The section of the report: strict and overlap alone, of all, of HIPAA's eighteen, of each category."""
    strict, overlap = (
        {(one.scope, one.name): one for one in found.lines if one.level == level}
        for level in ("strict", "overlap")
    )
    rows = [
        DetectionRow(
            scope=scope,
            category=name if scope == "category" else None,
            **_rates("strict", strict[scope, name]),
            **_rates("overlap", line),
        )
        for (scope, name), line in overlap.items()
        if scope != "group"
    ]
    return DetectionSection(
        notes=found.notes, patients=found.clusters, rows=tuple(rows), not_scored=dict(sorted(counts.items()))
    )


def _rates(level: str, line: Line) -> dict[str, Estimate]:
    stratum = Stratum(
        scope="hipaa" if line.scope == "hipaa" else None,
        category=line.name if line.scope == "category" else None,
    )
    sides = {
        "recall": (line.recall, line.gold_reached, line.gold, line.gold_clusters),
        "precision": (line.precision, line.found_reached, line.found, line.found_clusters),
    }
    return {
        f"{level}_{side}": _estimate(f"gold_{side}_{level}", stratum, *counted)
        for side, counted in sides.items()
    }


def _estimate(
    metric: str, stratum: Stratum, interval: Interval, count: int, n: int, patients: int
) -> Estimate:
    return Estimate(
        metric=metric, stratum=stratum, level=LEVEL, count=count, n=n, patients=patients, **interval._asdict()
    )


def _standing(run: RunDirectory, digest: str) -> DetectionSection | None:
    """What was measured before from the same; what is damaged counts as absent."""
    try:
        content = run.read_json(_FILE)
        return DetectionSection.model_validate(content["section"]) if content["made_from"] == digest else None
    except (StoreError, ValidationError, KeyError, TypeError):
        return None
