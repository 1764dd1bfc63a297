"""The people, places, dates and numbers of one note: every ``{key}`` that templates may use.

People: ``pt``, ``r1`` ``r2`` (registered relatives), ``r3`` ``r4`` (others close to the patient),
``f1`` .. and ``m1`` .. (women and men), ``dr1`` .. ``dr9`` with a form after the dot (``pt.last``);
a final ``^`` writes a value in capitals, ``%`` in small letters. Every other key is a list of
:mod:`heldout.places`, a number of :mod:`heldout.numbers` or a method of one of the parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from random import Random
from typing import ClassVar, Protocol

from heldout.days import Days
from heldout.numbers import NUMBERS, phone_text, ssn_text
from heldout.people import People
from heldout.places import LISTS, Places
from heldout.records import Piece
from heldout.world import Patient

_PERSON = re.compile(r"(pt|[rfm]\d|dr\d)\.(\w+)")
PRONOUNS = {
    "he": ("he", "she"),
    "He": ("He", "She"),
    "his": ("his", "her"),
    "His": ("His", "Her"),
    "him": ("him", "her"),
    "man": ("man", "woman"),
    "Mr": ("Mr.", "Ms."),
}


class _People(Protocol):
    def person(self, slot: str, form: str) -> list[Piece]: ...


class _Places(Protocol):
    def listed(self, name: str) -> list[Piece]: ...

    def hospital(self, slot: str, form: str = "full") -> list[Piece]: ...


class BaseCast:
    """Answers the keys of one note: what the casts of all corpora share."""

    pronouns: ClassVar[Mapping[str, tuple[str, str]]]
    lists: ClassVar[Container[str]]
    """The keys that :meth:`_Places.listed` answers, without the digit that asks for another value."""
    another = "2"
    numbers: ClassVar[Mapping[str, Callable[[Random], Piece]]]

    def __init__(
        self, rng: Random, patient: Patient, *, people: _People, places: _Places, parts: Sequence[object]
    ) -> None:
        self._rng = rng
        self._female = patient.person.female
        self._people = people
        self._places = places
        self._parts = (people, places, *parts)

    def value(self, key: str) -> list[Piece]:
        """The pieces of ``key``."""
        if key[-1] in "^%":
            case = str.upper if key[-1] == "^" else str.lower
            return [Piece(case(piece.text), piece.category, piece.key) for piece in self.value(key[:-1])]
        if found := _PERSON.fullmatch(key):
            return self._people.person(found[1], found[2])
        name, *arguments = key.split(":")
        if name in self.pronouns:
            return [Piece(self.pronouns[name][self._female])]
        if name.rstrip(self.another) in self.lists:
            return self._places.listed(name)
        if name in self.numbers:
            return [self.numbers[name](self._rng)]
        if name.startswith("hosp"):
            return self._places.hospital(name, *arguments)
        part = next(part for part in self._parts if hasattr(part, name))
        made: Callable[..., list[Piece]] = getattr(part, name)
        return made(*arguments)


class OwnNumbers:
    """Answers the keys of the numbers that registration knows."""

    masks: ClassVar[tuple[str, ...]] = ("XXX-XX", "xxx-xx", "***-**")
    phone_text = staticmethod(phone_text)
    ssn_text = staticmethod(ssn_text)

    def __init__(self, rng: Random, patient: Patient) -> None:
        self._rng = rng
        self._patient = patient

    def mrn(self) -> list[Piece]:
        mrn = self._patient.mrn
        grouped = f"{mrn[:3]}-{mrn[3:5]}-{mrn[5:]}"
        text = self._rng.choice((mrn, mrn, mrn.zfill(8), mrn.zfill(10), grouped, f"{mrn[:-3]} {mrn[-3:]}"))
        return [Piece(text, "MEDICALRECORD", mrn)]

    def ssn(self) -> list[Piece]:
        return [Piece(self.ssn_text(self._rng, self._patient.ssn), "SSN", self._patient.ssn)]

    def last4(self) -> list[Piece]:
        return [Piece(self._patient.ssn[-4:], "SSN")]

    def masked(self) -> list[Piece]:
        return [Piece(f"{self._rng.choice(self.masks)}-{self._patient.ssn[-4:]}", "SSN")]

    def ptphone(self) -> list[Piece]:
        return [Piece(self.phone_text(self._rng, self._patient.phone), "PHONE", self._patient.phone)]

    def r1phone(self) -> list[Piece]:
        number = self._patient.relatives[0].phone
        return [Piece(self.phone_text(self._rng, number), "PHONE", number)]

    def email(self) -> list[Piece]:
        return [Piece(self._patient.email, "EMAIL", self._patient.email)]

    def plan(self) -> list[Piece]:
        plan = self._patient.plan
        text = self._rng.choice(
            (plan, plan, f"{plan[:3]} {plan[3:6]} {plan[6:]}", f"{plan[:-2]}-{plan[-2:]}")
        )
        return [Piece(text, "HEALTHPLAN", plan)]

    def acct(self) -> list[Piece]:
        account = self._patient.account
        text = self._rng.choice((account, account.zfill(12), f"{account[:4]}-{account[4:]}"))
        return [Piece(text, "ACCOUNT", account)]


class Prose:
    """Answers the keys of numbers that identify nobody."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def n(self, low: str, high: str) -> list[Piece]:
        return [Piece(str(self._rng.randrange(int(low), int(high) + 1)))]

    def f(self, low: str, high: str) -> list[Piece]:
        return [Piece(f"{self._rng.uniform(float(low), float(high)):.1f}")]

    def time(self) -> list[Piece]:
        hour, minute = self._rng.randrange(24), self._rng.randrange(60)
        return [Piece(self._rng.choice((f"{hour:02}{minute:02}", f"{hour:02}:{minute:02}")))]


class Cast(BaseCast):
    """Answers the keys of one note of the first corpus."""

    pronouns = PRONOUNS | {"male": ("male", "female"), "M": ("M", "F"), "boy": ("boy", "girl")}
    lists = LISTS
    numbers = NUMBERS

    def __init__(self, rng: Random, patient: Patient) -> None:
        places = Places(rng, patient)
        people = People(rng, patient, places)
        parts = (Days(rng, patient), OwnNumbers(rng, patient), Prose(rng))
        super().__init__(rng, patient, people=people, places=places, parts=parts)


def known_keys(patient: Patient) -> frozenset[tuple[str, str]]:
    """(category, key) of every value in the patient's registration rows, as :class:`Piece` keys them."""
    address = patient.address
    names = [patient.person.key, *(relative.person.key for relative in patient.relatives)]
    keys = {("PATIENT", name) for name in names}
    keys |= {("PHONE", patient.phone), ("PHONE", patient.relatives[0].phone), ("EMAIL", patient.email)}
    keys |= {("DATE", patient.dob.isoformat()), ("MEDICALRECORD", patient.mrn), ("SSN", patient.ssn)}
    keys |= {("STREET", address.key), ("CITY", address.city.lower()), ("ZIP", address.zip)}
    keys |= {("HEALTHPLAN", patient.plan), ("ACCOUNT", patient.account)}
    return frozenset(keys)
