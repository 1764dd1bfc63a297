"""brat standoff: the note in ``NAME.txt``, its annotations beside it in ``NAME.ann``.

``T1<TAB>DATE 0 5<TAB>text``, or ``T1<TAB>DATE 0 3;6 9<TAB>text`` for one annotation in several
pieces. Offsets count the code points of the .txt as its bytes say: a byte order mark and the
carriage return of a CR LF count too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from phiscan.errors import NoteFormatError
from phiscan.formats.i2b2_xml import files_by_stem
from phiscan.formats.jsonl import text_problem
from phiscan.protocols import GoldRow, GoldSpan, RawRow

SUFFIXES = (".ann", ".txt")
FOLDER = ".ann"

_ENTITY = re.compile(
    r"T\d+\t(?P<label>\S+) (?P<places>\d{1,9} \d{1,9}(?:;\d{1,9} \d{1,9})*)(?:\t(?P<text>.*))?"
)
_NO_NOTE = "no .txt beside the .ann"


def rows(path: Path, argument: str) -> Iterator[RawRow]:
    """Yield the note of a file, or of every pair of a folder in the order of their names.

    ``note_id`` and ``patient_id`` are the file's name without its ending. A .txt without an .ann
    is a note; an .ann without its .txt, or a .txt that is not UTF-8, a bad row. A missing file,
    or a folder without such files, raises NoteFormatError.
    """
    for row, (stem, files) in enumerate(_pairs(path, argument), 1):
        text, problem = _read(files[".txt"]) if ".txt" in files else (None, _NO_NOTE)
        fields = {"note_id": stem, "patient_id": stem, "text": text}
        yield RawRow(row, None if problem else fields, problem)


def gold(path: Path, argument: str) -> Iterator[GoldRow]:
    """Yield the entities of every note; each piece of an entity is one span.

    Relations, events, attributes, notes and all other kinds of line are ignored and counted; a
    .txt without an .ann has no annotations.
    """
    for row, (stem, files) in enumerate(_pairs(path, argument), 1):
        fields: dict[str, str | None] = {"note_id": stem}
        if ".ann" not in files or ".txt" not in files:
            yield GoldRow(row, fields, None, _NO_NOTE if ".ann" in files else "no .ann beside the .txt")
            continue
        text, problem = _read(files[".ann"])
        if text is None:
            yield GoldRow(row, fields, None, f"annotations: {problem}")
            continue
        ignored: Counter[str] = Counter()
        lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
        spans = tuple(span for line in lines if line for span in _spans(line, ignored))
        yield GoldRow(row, fields, spans, None, ignored)


def _pairs(path: Path, argument: str) -> list[tuple[str, dict[str, Path]]]:
    pairs = list(files_by_stem(path, argument, SUFFIXES).items())
    if path.suffix.lower() == ".ann" and path.is_file() and ".txt" not in pairs[0][1]:
        raise NoteFormatError(f"{argument}: {_NO_NOTE}")
    return pairs


def _read(file: Path) -> tuple[str | None, str | None]:
    """``(text, None)``, or ``(None, problem)``."""
    try:
        text = file.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None, "not UTF-8 (Windows-1252 or Latin-1?)"
    except OSError as error:
        return None, f"the file cannot be read ({error.strerror})"
    problem = text_problem([text])
    return (None, problem) if problem else (text, None)


def _spans(line: str, ignored: Counter[str]) -> Iterator[GoldSpan]:
    entity = _ENTITY.fullmatch(line)
    if entity is None:
        ignored["unreadable entity line" if line.startswith("T") else "line of another kind than T"] += 1
        return
    places = [place.split(" ") for place in entity["places"].split(";")]
    for start, end in places:
        yield GoldSpan(int(start), int(end), entity["label"], entity["text"] if len(places) == 1 else None)
