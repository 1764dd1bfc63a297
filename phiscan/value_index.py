"""Who has this value: every PHI value of every record, by typed key, and the words beside it.

One SQLite file, written once and then only read: exact, and memory stays flat however many
notes there are. It is a restricted file; it holds values.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from phiscan.normalize import DateOrder, Keys, keys
from phiscan.records import Phi, PhiText, record
from phiscan.sqlite_file import create_file, open_file
from phiscan.taxonomy import CATEGORIES
from phiscan.words import Words

CONTEXT = 8
"""Words beside a value that, equal in output and record, anchor it."""
_HALF = CONTEXT // 2
_MASKED = 12
"""Longest value, in words, looked for between the halves of a context."""
_FULL, _PART = 0, 1
_COMMON_KEPT = 256
_LOOKUPS_KEPT = 8_192
"""Answers kept of each kind: a value is asked about again in the same output, or is a common one."""

_SCHEMA = """
CREATE TABLE value(id INTEGER PRIMARY KEY, patient INT, member INT, note INT, start INT, end INT,
                   category TEXT, canonical TEXT, text TEXT, detector TEXT, before TEXT, after TEXT);
CREATE TABLE key(family TEXT, key TEXT, kind INT, patient INT, value INT);
CREATE TABLE context(digest INT, patient INT, PRIMARY KEY (digest, patient)) WITHOUT ROWID;
"""


Context = tuple[tuple[str, ...], tuple[str, ...]]
"""The words before a value and those after it."""


class Beside(NamedTuple):
    """Up to eight words before and after a value, the value itself left out, nearest inside."""

    before: tuple[str, ...]
    after: tuple[str, ...]

    def contexts(self) -> list[Context]:
        """The eight-word contexts there are: 8 before, 4 + 4, 8 after (fewer at a text's ends)."""
        made: list[Context] = []
        if len(self.before) == CONTEXT:
            made.append((self.before, ()))
        if len(self.before) >= _HALF and len(self.after) >= _HALF:
            made.append((self.before[-_HALF:], self.after[:_HALF]))
        if len(self.after) == CONTEXT:
            made.append(((), self.after))
        return made


class Matching(NamedTuple):
    """Patients whose records match a value, by how."""

    shown: frozenset[int]
    """The record holds the value, or one of which it is a part: it gives away something of theirs."""
    holds_part: frozenset[int]
    """The record holds no more than a part of the value (of a full name the surname)."""


@record
class RecordValue:
    """One value of one patient's record as the index holds it."""

    patient: int
    member: bool
    note: int | None
    """Position of the note; None for a known identifier."""
    start: int | None
    end: int | None
    category: str
    canonical: PhiText
    text: PhiText
    detector: str
    """What found it: a rule or the registration knows a clinician from a patient, a name model hardly."""
    before: tuple[PhiText, ...]
    after: tuple[PhiText, ...]

    def stands_between(self, before: tuple[str, ...], after: tuple[str, ...]) -> bool:
        """True if these words stand right before and right after the value in its note."""
        ours = self.before
        return ours[len(ours) - len(before) :] == before and self.after[: len(after)] == after


def words_beside(words: Words, start: int, end: int) -> Beside:
    """The words beside the range ``[start, end)`` of the text that ``words`` cut."""
    first = bisect_right(words.ends, start)
    after = bisect_left(words.starts, end)
    return Beside(
        tuple(words.words[max(0, first - CONTEXT) : first]), tuple(words.words[after : after + CONTEXT])
    )


def stands_in(words: Sequence[str], before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """True if ``before`` and then ``after`` stand in ``words``, a value of a few words between them."""
    for at in range(len(words) - len(before) + 1):
        if tuple(words[at : at + len(before)]) != before:
            continue
        end = at + len(before)
        if not (before and after):
            return not after or _has(words, after)
        if any(tuple(words[end + gap : end + gap + len(after)]) == after for gap in range(1, _MASKED + 1)):
            return True
    return False


def _has(words: Sequence[str], wanted: tuple[str, ...]) -> bool:
    return any(tuple(words[at : at + len(wanted)]) == wanted for at in range(len(words)))


class ValueIndex:
    """Read-only lookups in a file that :class:`ValueIndexBuilder` wrote."""

    def __init__(self, path: Path, date_order: DateOrder = "mdy") -> None:
        self._db = open_file(path)
        self._date_order = date_order
        self.patients_with = lru_cache(maxsize=_LOOKUPS_KEPT)(self._patients_with)
        self.patients_by_category = lru_cache(maxsize=_LOOKUPS_KEPT)(self._patients_by_category)
        self.context_patients = lru_cache(maxsize=_LOOKUPS_KEPT)(self._context_patients)
        self.patients_between = lru_cache(maxsize=_LOOKUPS_KEPT)(self._patients_between)
        self.first_values = lru_cache(maxsize=_COMMON_KEPT)(self._first_values)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def same_value(
        self, category: str, text: str, *, patient: int | None = None, limit: int = -1
    ) -> list[RecordValue]:
        """Record values that are the same value, however written; of one patient or of all.

        ``limit`` bounds how many are read for each form of the value (-1: all).
        """
        made = keys(category, text, self._date_order)
        return self._values(category, [(key, _FULL) for key in made.full], patient, limit)

    def _first_values(self, category: str, text: str, limit: int) -> tuple[RecordValue, ...]:
        """:meth:`same_value` of all patients, those the model was trained on first.

        Common values are asked for again and again.
        """
        return tuple(sorted(self.same_value(category, text, limit=limit), key=lambda value: not value.member))

    def part_of_value(self, category: str, text: str, *, patient: int) -> list[RecordValue]:
        """Values of one patient of which ``text`` shows a part, or that are a part of ``text``."""
        made = keys(category, text, self._date_order)
        wanted = [(key, _PART) for key in made.full]
        # A full name shows the surname of a record that has no more than the surname.
        wanted += [(key, _FULL) for key in _telling_parts(category, made)]
        return self._values(category, wanted, patient)

    def patients_matching(self, category: str, text: str) -> Matching:
        """Patients for whom :meth:`same_value` or :meth:`part_of_value` would find something."""
        made = keys(category, text, self._date_order)
        wanted = [(key, kind) for key in made.full for kind in (_FULL, _PART)]
        told = [(key, _FULL) for key in _telling_parts(category, made)]
        return Matching(self._patients(category, wanted), self._patients(category, told))

    def shown_by_others(self, category: str, text: str, *, patient: int | None) -> bool:
        """Whether the records of anybody else hold the value, or one of which it is a part."""
        query = "SELECT 1 FROM key WHERE family=? AND key=? AND kind IN (0, 1) AND patient IS NOT ? LIMIT 1"
        made = keys(category, text, self._date_order)
        asked = ((_family(category), key, patient) for key in made.full)
        return any(self._db.execute(query, arguments).fetchone() for arguments in asked)

    def record_sizes(self) -> Iterator[tuple[int, int]]:
        """(patient number, number of distinct values) of each record that has any."""
        query = "SELECT patient, COUNT(DISTINCT category || char(0) || canonical) FROM value GROUP BY patient"
        return iter(self._db.execute(query))

    def _patients(self, category: str, wanted: Iterable[tuple[str, int]]) -> frozenset[int]:
        query = "SELECT DISTINCT patient FROM key WHERE family=? AND key=? AND kind=?"
        return frozenset(
            patient
            for key, kind in wanted
            for (patient,) in self._db.execute(query, (_family(category), key, kind))
        )

    def _patients_with(self, category: str, text: str) -> int:
        """Number of patients whose records hold the value ``text``."""
        made = keys(category, text, self._date_order)
        marks = ",".join("?" * len(made.full))
        query = f"SELECT COUNT(DISTINCT patient) FROM key WHERE family=? AND kind=0 AND key IN ({marks})"  # noqa: S608
        return int(self._db.execute(query, (_family(category), *made.full)).fetchone()[0])

    def _patients_by_category(self, category: str, text: str) -> dict[str, int]:
        """Number of patients in whose records the value stands, by the category it has there."""
        patients: dict[str, set[int]] = {}
        for value in self.same_value(category, text):
            patients.setdefault(value.category, set()).add(value.patient)
        return {found: len(members) for found, members in patients.items()}

    def _context_patients(self, before: tuple[str, ...], after: tuple[str, ...]) -> int:
        """Number of patients in whose notes a value stands between exactly these words."""
        query = "SELECT COUNT(*) FROM context WHERE digest=?"
        return int(self._db.execute(query, (_context_digest(before, after),)).fetchone()[0])

    def _patients_between(self, before: tuple[str, ...], after: tuple[str, ...]) -> tuple[int, ...]:
        """The patients that :meth:`context_patients` counts."""
        query = "SELECT patient FROM context WHERE digest=?"
        return tuple(patient for (patient,) in self._db.execute(query, (_context_digest(before, after),)))

    def _values(
        self, category: str, wanted: Sequence[tuple[str, int]], patient: int | None, limit: int = -1
    ) -> list[RecordValue]:
        rows: dict[int, RecordValue] = {}
        where = "" if patient is None else " AND key.patient=?"
        query = (
            "SELECT value.* FROM key JOIN value ON value.id = key.value "  # noqa: S608
            f"WHERE family=? AND key=? AND kind=?{where} "
            "ORDER BY value.id LIMIT ?"
        )
        for key, kind in wanted:
            arguments = (_family(category), key, kind, *(() if patient is None else (patient,)), limit)
            for row in self._db.execute(query, arguments):
                rows[row[0]] = _record_value(row)
        return [rows[number] for number in sorted(rows)]


class ValueIndexBuilder:
    """Collects values shard by shard and writes the file; use as a context manager."""

    def __init__(self, path: Path, date_order: DateOrder = "mdy") -> None:
        self._db = create_file(path, _SCHEMA)
        self._date_order = date_order
        self._next = 0

    def __enter__(self) -> ValueIndexBuilder:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is None:
            self._db.execute("CREATE INDEX by_key ON key(family, key, kind, patient, value)")
            self._db.commit()
        self._db.close()

    def add(
        self, values: Iterable[Phi], *, patient: int, member: bool, note: int | None, words: Words | None
    ) -> None:
        """Add the values of one note (``words`` of its text), or known identifiers (both None)."""
        for phi in values:
            beside = (
                words_beside(words, phi.start, phi.end)
                if words is not None and phi.start is not None and phi.end is not None
                else Beside((), ())
            )
            self._insert(phi, patient, member, note, beside)

    def _insert(self, phi: Phi, patient: int, member: bool, note: int | None, beside: Beside) -> None:
        self._next += 1
        self._db.execute(
            "INSERT INTO value VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                self._next,
                patient,
                int(member),
                note,
                phi.start,
                phi.end,
                phi.category,
                phi.canonical,
                phi.text,
                phi.detector,
                " ".join(beside.before),
                " ".join(beside.after),
            ),
        )
        made = keys(phi.category, phi.text, self._date_order)
        pairs = [(key, _FULL) for key in made.full] + [(key, _PART) for key in made.part]
        self._db.executemany(
            "INSERT INTO key VALUES (?,?,?,?,?)",
            [(_family(phi.category), key, kind, patient, self._next) for key, kind in pairs],
        )
        self._db.executemany(
            "INSERT OR IGNORE INTO context VALUES (?,?)",
            [(_context_digest(*context), patient) for context in beside.contexts()],
        )


def _record_value(row: tuple[object, ...]) -> RecordValue:
    _, patient, member, note, start, end, category, canonical, text, detector, before, after = row
    return RecordValue(
        patient=patient,  # type: ignore[arg-type]
        member=bool(member),
        note=note,  # type: ignore[arg-type]
        start=start,  # type: ignore[arg-type]
        end=end,  # type: ignore[arg-type]
        category=str(category),
        canonical=str(canonical),
        text=str(text),
        detector=str(detector),
        before=tuple(str(before).split()),
        after=tuple(str(after).split()),
    )


def _family(category: str) -> str:
    return CATEGORIES[category].family


def _telling_parts(category: str, made: Keys) -> list[str]:
    """The parts that give a value away by themselves, should a record hold no more than them: of a
    name the surname, never the first name; of a date two of day, month and year, never one; of an
    age nothing."""
    family, full = _family(category), made.full[0]
    if family == "person":
        words = full.split()
        return [" ".join(words[at:]) for at in range(1, len(words))]
    if family == "date":
        return [part for part in made.part if sum(map(str.isdigit, part)) in (4, 6) and part.count("-") != 0]
    return [] if family == "age" else list(made.part)


def _context_digest(before: tuple[str, ...], after: tuple[str, ...]) -> int:
    text = " ".join(before) + "\0" + " ".join(after)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)
