"""Texts of spikes: the carrier a value is written into, and whether a value is clear of a text.

Nothing here knows how values are found or compared: what a spike must be reported as follows from
how it was written.
"""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

from phiscan.decoys import make_decoys
from phiscan.value_index import CONTEXT
from phiscan.words import Words

AROUND = 80
"""Characters of the carrier kept on each side of what is written into it."""
FRAMES: dict[str, str] = {
    "PATIENT": "Patient: {}",
    "DOCTOR": "Dr. {} was told of it.",
    "USERNAME": "Username: {}",
    "PROFESSION": "Works as a {} and likes it.",
    "HOSPITAL": "Transferred from {}.",
    "STREET": "Lives at {}.",
    "CITY": "She lives in {} with her sister.",
    "ZIP": "ZIP code: {}",
    "AGE": "A {} year old with a cough.",
    "DATE": "Seen on {} in clinic.",
    "PHONE": "Call {} in the evening.",
    "FAX": "Fax: {}",
    "EMAIL": "Email: {}",
    "URL": "Website: {}",
    "IPADDR": "IP address: {}",
    "SSN": "SSN: {}",
    "MEDICALRECORD": "MRN: {}",
    "HEALTHPLAN": "Member ID: {}",
    "ACCOUNT": "Account number: {}",
    "LICENSE": "License number: {}",
    "VEHICLE": "License plate: {}",
    "DEVICE": "Serial number: {}",
    "BIOID": "Fingerprint ID: {}",
    "IDNUM": "Accession number: {}",
}
"""An invented line for each category, as notes say it: no record need hold its words."""
MADE_UP: dict[str, str] = {
    "PATIENT": "Solveig Quennell",
    "AGE": "104",
    "DATE": "02/29/2016",
    "STREET": "418 Thornberry Street",
    "PHONE": "802-555-0198",
    "FAX": "774-555-0163",
    "EMAIL": "s.quennell@example.org",
    "URL": "www.example.org/visit/447103",
    "IPADDR": "192.0.2.118",
    "SSN": "987-65-4329",
    "MEDICALRECORD": "99417763",
    "HEALTHPLAN": "XQH419007733",
    "ACCOUNT": "40077-5513",
    "LICENSE": "D4471903",
    "VEHICLE": "QXT-4417",
    "DEVICE": "PJN447103S",
}
"""A value of nobody's for each category that such values can be drawn for: the form decoys are drawn in."""
FILLERS = (
    "The lungs are clear on both sides and there is no oedema of the ankles.",
    "Potassium was replaced and the repeat value is within the usual limits.",
    "Appetite is fair, bowels are open, and sleep is broken by the cough.",
    "The wound edges are clean and dry, and the drain came out without trouble.",
)
"""Carriers where the model's answer will not do: empty, degenerate, or with the value in it."""

_SPECIFIC = {
    **dict.fromkeys(("PHONE", "FAX"), r"(?=(?:\D*\d){10}\D*$)[\d().\- ]+"),
    "PATIENT": r"[A-Z][^\W\d_A-Z]+(?: [A-Z]\.?)? [A-Z][\w'’-]*[^\W\d_A-Z]{2}",
    "EMAIL": r"[\w.+-]+@[\w.-]+\.\w+",
    "STREET": r"\d+ [A-Z]\w+ [A-Z][\w ]+",
    **dict.fromkeys(
        ("SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "DEVICE", "IDNUM"),
        r"(?=(?:\D*\d){6})[A-Z0-9\-]+",
    ),
}
_END = re.compile(r"\n+|(?<=[a-z)]{2}[.!?])\s+")


class Spliced(NamedTuple):
    """A text with something written into it, which stands at ``[start, end)``."""

    text: str
    start: int
    end: int


def splice(carrier: str, piece: str, rng: Random) -> Spliced:
    """``piece`` on lines of its own between two parts of ``carrier``, cut where a line or sentence ends.

    ``AROUND`` characters of the carrier stay on each side. A carrier without such a place goes before.
    """
    places = [(found.start(), found.end()) for found in _END.finditer(carrier)]
    end, begin = rng.choice(places) if places else (len(carrier), len(carrier))
    before, after = _last(carrier[:end]), _first(carrier[begin:])
    head = f"{before}\n" if before else ""
    return Spliced(f"{head}{piece}\n{after}", len(head), len(head) + len(piece))


def _last(text: str) -> str:
    return text if len(text) <= AROUND else text[-AROUND:].partition(" ")[2]


def _first(text: str) -> str:
    return text if len(text) <= AROUND else text[:AROUND].rpartition(" ")[0]


def framed(category: str, value: str) -> Spliced:
    """``value`` in the invented line of its category."""
    before, after = FRAMES[category].split("{}")
    return Spliced(before + value + after, len(before), len(before) + len(value))


def beside(text: str, words: Words, start: int, end: int, value: str) -> Spliced | None:
    """``value`` in place of ``text[start:end]`` between the eight words before and behind it.

    None unless eight stand before it and four behind, or where the value would join a word that
    ``text[start:end]`` stood apart from.
    """
    old = text[start:end]
    if _joins(text[:start], old, value) or _joins(text[end:][::-1], old[::-1], value[::-1]):
        return None
    inside = [
        i for i, (a, b) in enumerate(zip(words.starts, words.ends, strict=True)) if a < end and b > start
    ]
    if not inside or inside[0] < CONTEXT or len(words.words) - inside[-1] - 1 < CONTEXT // 2:
        return None
    first, last = (
        words.starts[inside[0] - CONTEXT],
        words.ends[min(inside[-1] + CONTEXT, len(words.ends) - 1)],
    )
    return Spliced(text[first:start] + value + text[end:last], start - first, start - first + len(value))


def _joins(before: str, old: str, new: str) -> bool:
    """``new`` would be one word with the end of ``before``, as ``old`` was not."""
    inside = [bool(re.fullmatch(r"\w", char)) for char in (before[-1:], old[:1], new[:1])]
    return inside == [True, False, True]


def is_clear(value: str, text: str) -> bool:
    """True if no word of three letters, and no number of two digits, of ``value`` stands in ``text``.

    False for a value without any such word: nobody could tell.

    >>> is_clear("Ida Quillon", "seen by quill"), is_clear("71", "aged 71"), is_clear("7", "")
    (True, False, False)
    """
    telling = {word for word in _words(value) if len(word) > 2 or (word.isdigit() and len(word) == 2)}
    return bool(telling) and telling.isdisjoint(_words(text))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def points_at_one(category: str, value: str) -> bool:
    """True for a value that is specific beyond doubt: a plain full name, a whole number, an address."""
    form = _SPECIFIC.get(category)
    return form is not None and re.fullmatch(form, value) is not None


def made_up(category: str, rng: Random) -> tuple[str, ...]:
    """Values of nobody's in the form of :data:`MADE_UP`, in the order in which to try them.

    Telephone and net addresses stay in the ranges that are set aside for examples.
    """
    value = MADE_UP[category]
    if category in ("PHONE", "FAX"):
        ends = rng.sample(range(100), 50)
        return tuple(f"{value[:3]}-555-01{end:02d}" for end in ends)
    if category == "IPADDR":
        return tuple(f"192.0.2.{end}" for end in rng.sample(range(1, 255), 20))
    if category == "AGE":
        return tuple(str(age) for age in rng.sample(range(100, 110), 10))
    return make_decoys(category, value, 10, rng).values
