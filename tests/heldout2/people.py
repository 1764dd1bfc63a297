"""The people of one note, and the accounts that carry their names."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from heldout.records import Piece
from heldout.world import Patient, Person

from heldout2.patients import login, make_person

_ROLES = (("stepdaughter", True), ("landlord", None), ("coworker", None), ("uncle", False), ("fiancée", True))


class People:
    """Answers the keys of people."""

    make_person = staticmethod(make_person)
    roles: ClassVar[tuple[tuple[str, bool | None], ...]] = _ROLES

    def __init__(self, rng: Random, patient: Patient) -> None:
        self._rng = rng
        self._people = {"pt": patient.person}
        self._roles: dict[str, str] = {}
        self._users: dict[str, str] = {}
        for slot, relative in zip(("r1", "r2"), patient.relatives, strict=True):
            self._people[slot], self._roles[slot] = relative.person, relative.role

    def _slot(self, slot: str) -> Person:
        if slot not in self._people:
            female = {"f": True, "m": False}.get(slot[0])
            if slot[0] == "r":
                self._roles[slot], female = self._rng.choice(self.roles)
            self._people[slot] = self.make_person(self._rng, female=female)
        return self._people[slot]

    def person(self, slot: str, form: str) -> list[Piece]:
        person = self._slot(slot)
        if form.lower() == "role":
            role = self._roles[slot]
            return [Piece(role.capitalize() if form == "Role" else role)]
        if form == "any":
            form = self._rng.choice(("full", "full", "fml", "fm"))
        first, last, initial = person.first, person.last, person.middle[0]
        text = {
            "full": f"{first} {last}",
            "fml": f"{first} {initial}. {last}",
            "fm": f"{first} {initial} {last}",
            "fmiddle": f"{first} {person.middle} {last}",
            "lf": f"{last}, {first}",
            "lfi": f"{last}, {first} {initial}.",
            "tight": f"{last},{first} {initial}",
            "lini": f"{last}, {first[0]}.",
            "il": f"{first[0]}. {last}",
            "iil": f"{first[0]}. {initial}. {last}",
            "last": last,
            "first": first,
            "fl": f"{first} {last[0]}.",
            "abc": f"{first[0]}{initial}{last[0]}".upper(),
            "ab": f"{first[0]}{last[0]}".upper(),
        }[form]
        whole = form in {"full", "fml", "fm", "lf", "lfi", "tight"}
        return [Piece(text, "DOCTOR" if slot.startswith("dr") else "PATIENT", person.key if whole else None)]

    def login(self, slot: str) -> list[str]:
        """Given name and surname of a slot in plain small letters."""
        return login(self._slot(slot))

    def user(self, slot: str) -> list[Piece]:
        first, last = self.login(slot)
        texts = (
            f"{last}{first[0]}",
            f"{first[:3]}{last[:3]}{self._rng.randrange(1, 10)}",
            f"{first[0]}{last[:6]}{self._rng.randrange(10, 99)}".upper(),
            f"{last}_{first[:2]}",
            f"{first[0]}.{last}",
        )
        return [Piece(self._users.setdefault(slot, self._rng.choice(texts)), "USERNAME")]
