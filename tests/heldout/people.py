"""The people of one note, and the accounts that carry their names."""

from __future__ import annotations

import re
from random import Random

from heldout.places import Places
from heldout.records import Piece
from heldout.world import Patient, Person, Relative, fold, make_person

_OTHER_ROLES = (
    *(("friend", None), ("neighbor", None), ("cousin", None), ("sister-in-law", True), ("nephew", False)),
    *(("aunt", True), ("roommate", None), ("granddaughter", True), ("stepson", False)),
)


class People:
    """Answers the keys of people; a slot such as ``r1`` or ``dr2`` is the same person throughout."""

    def __init__(self, rng: Random, patient: Patient, places: Places) -> None:
        self._rng = rng
        self._places = places
        self._people: dict[str, Person] = {"pt": patient.person}
        self._roles: dict[str, str] = {}
        self._picked: dict[str, str] = {}
        for slot, relative in zip(("r1", "r2"), patient.relatives, strict=True):
            self._add_relative(slot, relative)

    def _add_relative(self, slot: str, relative: Relative) -> None:
        self._people[slot] = relative.person
        self._roles[slot] = relative.role

    def _slot(self, slot: str) -> Person:
        if slot not in self._people:
            role, female = self._rng.choice(_OTHER_ROLES) if slot[0] == "r" else ("", None)
            female = {"f": True, "m": False}.get(slot[0], female)
            self._people[slot] = make_person(self._rng, female=female)
            self._roles[slot] = role
        return self._people[slot]

    def person(self, slot: str, form: str) -> list[Piece]:
        person = self._slot(slot)
        if form.lower() == "role":
            role = self._roles[slot]
            return [Piece(role.capitalize() if form == "Role" else role)]
        category = "DOCTOR" if slot.startswith("dr") else "PATIENT"
        first, last, initial = person.first, person.last, person.middle[0]
        if form == "any":
            form = self._rng.choice(("full", "full", "fml"))
        text = {
            "full": f"{first} {last}",
            "fml": f"{first} {initial}. {last}",
            "FULL": f"{first} {last}".upper(),
            "LF": f"{last}, {first} {initial}".upper(),
            "lf": f"{last}, {first}",
            "lfm": f"{last}, {first} {initial}.",
            "comma": f"{last},{first}",
            "il": f"{first[0]}. {last}",
            "iil": f"{first[0]}.{initial}. {last}",
            "last": last,
            "first": first,
            "fl": f"{first} {last[0]}.",
            "ini": f"{first[0]}.{last[0]}.",
            "abc": f"{first[0]}{initial}{last[0]}".upper(),
            "ab": f"{first[0]}{last[0]}".upper(),
        }[form]
        whole = form in {"full", "fml", "FULL", "LF", "lf", "lfm", "comma"}
        return [Piece(text, category, person.key if whole else None)]

    def user(self, slot: str) -> list[Piece]:
        person = self._slot(slot)
        first, last = (re.sub(r"\W", "", fold(part)).lower() for part in (person.first, person.last))
        texts = (
            f"{first[0]}{last}",
            f"{first[0]}{last[:5]}{self._rng.randrange(1, 99)}",
            f"{last[:6]}{first[0]}".upper(),
            f"{first[0]}{last[0]}{self._rng.randrange(100, 999)}",
            f"{first}.{last}",
        )
        return [Piece(self._keep(f"user {slot}", texts), "USERNAME")]

    def mail(self, slot: str) -> list[Piece]:
        person = self._slot(slot)
        first, last = (re.sub(r"\W", "", fold(part)).lower() for part in (person.first, person.last))
        host = f"{self._places.hospital_of('hosp').slug}.example.{self._rng.choice(('org', 'com'))}"
        text = self._keep(
            f"mail {slot}", (f"{first[0]}{last}@{host}", f"{first}.{last}@{host}", f"{last}{first[0]}@{host}")
        )
        return [Piece(text, "EMAIL")]

    def _keep(self, slot: str, texts: tuple[str, ...]) -> str:
        return self._picked.setdefault(slot, self._rng.choice(texts))
