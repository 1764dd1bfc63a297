"""XML of the 2014 i2b2/UTHealth de-identification task: one note a file, with its annotations.

``<deIdi2b2><TEXT>...</TEXT><TAGS>...</TAGS></deIdi2b2>``. Offsets count code points of TEXT from
the character after ``<TEXT>``, be it a line feed: the text is never stripped. Tags bear ``start``
and ``end``, or ``spans="16~26"`` as in the task's evaluation files; ``TYPE``, or else the tag's
name, is the label. Whatever the file, nothing is fetched and no entity is expanded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from phiscan.errors import NoteFormatError
from phiscan.formats.jsonl import text_problem
from phiscan.protocols import GoldRow, GoldSpan, RawRow

SUFFIXES = (".xml",)
FOLDER = ".xml"

_RECORD_DATE = re.compile(r"^[ \t]*Record date:[ \t]*(\d{4}-\d{2}-\d{2})\b", re.MULTILINE)
_RANGE = re.compile(r"(-?\d{1,9})~(-?\d{1,9})")


class _Document(NamedTuple):
    fields: dict[str, str | None] | None
    tags: Element | None
    problem: str | None = None


def rows(path: Path, argument: str) -> Iterator[RawRow]:
    """Yield the note of a file, or of every ``.xml`` file of a folder in the order of their names.

    ``note_id`` is the file's name without its ending, ``patient_id`` the part of it before the
    first hyphen (``220-01``: patient 220), ``date`` what follows "Record date:". A missing file
    or a folder without such files raises NoteFormatError; a file that is no such XML is a bad row.
    """
    for row, document in _documents(path, argument):
        yield RawRow(row, document.fields, document.problem)


def gold(path: Path, argument: str) -> Iterator[GoldRow]:
    """Yield the tags of every note that :func:`rows` yields; a file without TAGS has no annotations.

    A tag with several ranges gives one span each. Tags without a range, and those MAE calls
    non-consuming (``-1``), are ignored and counted.
    """
    for row, document in _documents(path, argument):
        if document.fields is None or document.tags is None:
            yield GoldRow(row, document.fields, None, document.problem or "no TAGS")
            continue
        ignored: Counter[str] = Counter()
        spans = tuple(span for tag in document.tags for span in _spans(tag, ignored))
        yield GoldRow(row, document.fields, spans, None, ignored)


def files_by_stem(path: Path, argument: str, endings: tuple[str, ...]) -> dict[str, dict[str, Path]]:
    """File name without ending -> ending -> file: of ``path`` and what stands beside it under the
    same name, or of the whole folder ``path``, in the order of their names.

    Hidden files and files with other endings are left out. None at all raises NoteFormatError, and
    so do two whose names differ in the capitals of their ending alone: one would hide the other.
    """
    try:
        if not path.exists():
            raise NoteFormatError(f"{argument}: no such file")
        whole = path.is_dir()
        files = sorted(file for file in (path if whole else path.parent).iterdir() if file.is_file())
    except OSError as error:
        raise NoteFormatError(f"{argument}: cannot be read ({error.strerror})") from None
    found: dict[str, dict[str, Path]] = {}
    for file in files:
        ending = file.suffix.lower()
        if ending not in endings or file.name.startswith(".") or not (whole or file.stem == path.stem):
            continue
        if ending in found.setdefault(file.stem, {}):
            row = 1 + list(found).index(file.stem)
            raise NoteFormatError(
                f"{argument}: two files of row {row} differ only in the capitals of {ending}; "
                "rename one or take it away"
            )
        found[file.stem][ending] = file
    if not found:
        raise NoteFormatError(f"{argument}: there is no file that ends in {' or '.join(endings)}")
    return found


def _is_file(path: Path, argument: str) -> bool:
    """Whether ``path`` is a file; NoteFormatError where that cannot be told."""
    try:
        return path.is_file()
    except OSError as error:
        raise NoteFormatError(f"{argument}: cannot be read ({error.strerror})") from None


def _documents(path: Path, argument: str) -> Iterator[tuple[int, _Document]]:
    if _is_file(path, argument):
        files = [path]
    else:
        files = [found[FOLDER] for found in files_by_stem(path, argument, SUFFIXES).values()]
    for row, file in enumerate(files, 1):
        yield row, _document(file)


def _document(file: Path) -> _Document:
    try:
        root: Element = fromstring(file.read_bytes())
    except ParseError as error:  # its text may quote an entity's name; the place is enough
        return _Document(None, None, f"not well-formed XML (line {error.position[0]})")
    except DefusedXmlException:
        return _Document(None, None, "XML that declares entities or refers to other files is not read")
    except OSError as error:
        return _Document(None, None, f"the file cannot be read ({error.strerror})")
    except (LookupError, ValueError):
        return _Document(None, None, "XML in an encoding that is not known")
    text = root.find("TEXT")
    if text is None or len(text):
        return _Document(None, None, "no TEXT element" if text is None else "elements inside TEXT")
    content = text.text or ""
    if problem := text_problem([content]):
        return _Document(None, None, problem)
    date = _RECORD_DATE.search(content)
    fields = {
        "note_id": file.stem,
        "patient_id": file.stem.partition("-")[0] or file.stem,
        "date": date[1] if date else None,
        "text": content,
    }
    return _Document(fields, root.find("TAGS"))


def _spans(tag: Element, ignored: Counter[str]) -> Iterator[GoldSpan]:
    ranges = _ranges(tag.attrib)
    if not ranges:
        ignored["tag without a place in the text"] += 1
    for start, end in ranges:
        yield GoldSpan(start, end, tag.get("TYPE") or tag.tag, tag.get("text") if len(ranges) == 1 else None)


def _ranges(attributes: Mapping[str, str]) -> list[tuple[int, int]]:
    """The ranges of a tag; empty if it has none, or one that cannot be read."""
    written = attributes.get("spans") or f"{attributes.get('start')}~{attributes.get('end')}"
    found = [_RANGE.fullmatch(part.strip()) for part in written.split(",")]
    ranges = [(int(match[1]), int(match[2])) for match in found if match]
    return ranges if len(ranges) == len(found) and all(start >= 0 for start, _ in ranges) else []
