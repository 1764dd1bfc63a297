"""PHI detection alone, over a notes file or standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from phiscan.config import ScanConfig
from phiscan.detect import build_detectors, detect_texts
from phiscan.load import line_feeds, load_known, load_notes, raw_offset
from phiscan.normalize import canonical, hipaa_letter
from phiscan.records import DetectedSpan, Note


def detect_file(path: str, known: Path | None, config: ScanConfig) -> Iterator[dict[str, Any]]:
    """Yield {note_id, start, end, category, hipaa, score, detector, rule} in raw offsets.

    ``-`` reads one text from standard input, whose note_id is ``-``.
    """
    identifiers = load_known(known).identifiers if known else ()
    detectors = build_detectors(config.detect, identifiers)
    notes = (
        [_from_standard_input()]
        if path == "-"
        else load_notes(Path(path), config.load, argument="PATH").notes
    )
    for note in notes:
        for span in detect_texts(detectors, [note.text], config.detect)[0]:
            for note_id in (note.note_id, *note.copy_ids):
                yield _row(note, note_id, span, config)


def _row(note: Note, note_id: str, span: DetectedSpan, config: ScanConfig) -> dict[str, Any]:
    form = canonical(span.category, note.text[span.start : span.end], config.verify.date_order)
    return {
        "note_id": note_id,
        "start": raw_offset(note, span.start),
        "end": raw_offset(note, span.end),
        "category": span.category,
        "hipaa": hipaa_letter(span.category, form),
        "score": span.score,
        "detector": span.detector,
        "rule": span.rule,
    }


def _from_standard_input() -> Note:
    text, crlf = line_feeds(sys.stdin.buffer.read().decode("utf-8", errors="replace"))
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
