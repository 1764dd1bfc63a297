"""PHI detection alone, over notes or standard input, in the offsets of the file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from phiscan.config import ScanConfig
from phiscan.detect import build_detectors, detect_notes
from phiscan.errors import NoteFormatError
from phiscan.input_rows import Tally
from phiscan.load import LoadSettings, line_feeds, load_known, raw_offset, stream_notes
from phiscan.normalize import canonical, hipaa_letter
from phiscan.protocols import Detector
from phiscan.records import DetectedSpan, Note


def detect_file(
    path: str, known: Path | None, config: ScanConfig, tally: Tally | None = None
) -> Iterator[dict[str, Any]]:
    """Yield {note_id, start, end, category, hipaa, score, detector, rule} in raw offsets.

    ``-`` reads one text from standard input, whose note_id is ``-``. A few notes are in memory at
    a time; ``tally`` counts the rows that cannot be used.
    """
    detectors = detectors_of(known, config)
    if path == "-":
        notes: Iterable[Note] = [_from_standard_input()]
    else:
        notes = notes_of(Path(path), config.load, Tally() if tally is None else tally)
    for note, spans in detect_notes(detectors, notes, config.detect):
        for span in spans:
            yield _row(note, span, config)


def detectors_of(known: Path | None, config: ScanConfig) -> dict[str, Detector]:
    """The detectors of the settings, with the identifiers of the file ``known`` if there is one."""
    identifiers = load_known(known).identifiers if known else ()
    return build_detectors(config.detect, identifiers, date_order=config.verify.date_order)


def notes_of(path: Path, settings: LoadSettings, tally: Tally) -> Iterator[Note]:
    """Yield the notes of ``path`` in file order; a note id that stands twice raises NoteFormatError."""
    first: dict[str, int] = {}
    for note in stream_notes(path, settings, argument="PATH", tally=tally):
        row = first.setdefault(note.note_id, note.row)
        if row != note.row:
            raise NoteFormatError(f"PATH: row {note.row} repeats the note_id of row {row}")
        yield note


def unused_rows(argument: str, tally: Tally) -> str | None:
    """One line on the rows that could not be used, or None if there are none; it quotes nothing."""
    counts = tally.counts()
    unused = sum(counts["rows_bad"].values()) + sum(counts["rows_dropped"].values())
    if not unused:
        return None
    first = ", ".join(str(bad.row) for bad in counts["bad_examples"][:5])
    where = f"; bad rows begin with {first}" if first else ""
    return f"{argument}: {unused:,} of {counts['rows_read']:,} rows were not used{tally.why()}{where}"


def _row(note: Note, span: DetectedSpan, config: ScanConfig) -> dict[str, Any]:
    form = canonical(span.category, note.text[span.start : span.end], config.verify.date_order)
    return {
        "note_id": note.note_id,
        "start": raw_offset(note, span.start),
        "end": raw_offset(note, span.end),
        "category": span.category,
        "hipaa": hipaa_letter(span.category, form),
        "score": span.score,
        "detector": span.detector,
        "rule": span.rule,
    }


def _from_standard_input() -> Note:
    try:
        raw = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError:  # its text quotes a byte; it is not chained
        raise NoteFormatError("PATH: standard input is not UTF-8; convert it to UTF-8") from None
    text, crlf = line_feeds(raw)
    return Note(
        note_id="-",
        patient_id="-",
        split="member",
        note_type=None,
        date=None,
        n_chars=len(text),
        n_tokens=None,
        copies=1,
        text=text,
        ordinal=0,
        row=1,
        copy_ids=(),
        crlf=crlf,
    )
