"""What the held-out corpus is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """One PHI value of a note: ``text == note.text[start:end]``, offsets in code points."""

    start: int
    end: int
    category: str
    text: str
    in_registration: bool
    """The value is the whole value of one of the patient's registration rows, in any format."""


@dataclass(frozen=True, slots=True)
class HeldoutNote:
    """An invented note; ``spans`` are sorted and do not overlap."""

    note_id: str
    patient_id: str
    template: str
    text: str
    spans: tuple[GoldSpan, ...]


@dataclass(frozen=True, slots=True)
class KnownRow:
    """One row of the hospital's registration table, in the registration's own format."""

    patient_id: str
    category: str
    value: str


@dataclass(frozen=True, slots=True)
class HeldoutCorpus:
    """Notes and the registration table of their patients."""

    notes: tuple[HeldoutNote, ...]
    known: tuple[KnownRow, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """Text to append to a note: prose if ``category`` is None, a PHI value otherwise."""

    text: str
    category: str | None = None
    key: str | None = None
    """What the value is, apart from its format; None if it is only a part of a value."""


@dataclass(frozen=True, slots=True)
class Template:
    """A note in markup (see :mod:`heldout.markup`)."""

    name: str
    kind: str
    """Which patients it fits: any, adult, elder, child or pregnant."""
    text: str
    wrap: int | None = None
    """Break lines at this column, as old record systems do; values may then run over a line end."""
