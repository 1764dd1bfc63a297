"""Every ``{key}`` that the templates of this corpus may use.

People: ``pt``, ``r1`` ``r2`` (registered relatives), ``r3`` .. (others close to the patient),
``f1`` .. and ``m1`` .. (other women and men), ``dr1`` .. (clinicians), with a form after the dot.
A final ``^`` writes a value in capitals, ``%`` in small letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from heldout.records import Piece
from heldout.world import Patient

from heldout2.asides import ASIDES
from heldout2.days import OwnDays
from heldout2.numbers import NUMBER_KEYS, number, phone_text
from heldout2.people import People
from heldout2.places import LISTS, Places

_PERSON = re.compile(r"(pt|[rfm]\d|dr\d)\.(\w+)")
_PRONOUNS = {
    "he": ("he", "she"),
    "He": ("He", "She"),
    "his": ("his", "her"),
    "His": ("His", "Her"),
    "him": ("him", "her"),
    "man": ("man", "woman"),
    "sex": ("male", "female"),
    "MF": ("M", "F"),
    "kid": ("boy", "girl"),
    "Mr": ("Mr.", "Ms."),
}


class Cast:
    """Answers the keys of one note; a slot such as ``dr2`` or ``clinic`` is the same throughout."""

    def __init__(self, rng: Random, patient: Patient) -> None:
        self._rng = rng
        self._female = patient.person.female
        self._people = People(rng, patient)
        self._places = Places(rng, patient, self._people)
        self._parts = (self._people, self._places, OwnDays(rng, patient), _Known(rng, patient), _Prose(rng))

    def value(self, key: str) -> list[Piece]:
        """The pieces of ``key``."""
        if key[-1] in "^%":
            case = str.upper if key[-1] == "^" else str.lower
            return [Piece(case(piece.text), piece.category, piece.key) for piece in self.value(key[:-1])]
        if found := _PERSON.fullmatch(key):
            return self._people.person(found[1], found[2])
        name, *arguments = key.split(":")
        if name in _PRONOUNS:
            return [Piece(_PRONOUNS[name][self._female])]
        if name.rstrip("23") in LISTS:
            return self._places.listed(name)
        if name in NUMBER_KEYS:
            return [number(self._rng, name)]
        if name.startswith("hosp"):
            return self._places.hospital(name, *arguments)
        part = next(part for part in self._parts if hasattr(part, name))
        made: Callable[..., list[Piece]] = getattr(part, name)
        return made(*arguments)


class _Known:
    """Answers the keys of the numbers that registration knows."""

    def __init__(self, rng: Random, patient: Patient) -> None:
        self._rng = rng
        self._patient = patient

    def mrn(self) -> list[Piece]:
        mrn = self._patient.mrn
        grouped = f"{mrn[:-4]}-{mrn[-4:]}"
        text = self._rng.choice((mrn, mrn, mrn.zfill(9), mrn.zfill(10), grouped, f"{mrn[:-4]} {mrn[-4:]}"))
        return [Piece(text, "MEDICALRECORD", mrn)]

    def ssn(self) -> list[Piece]:
        ssn = self._patient.ssn
        parts = (ssn[:3], ssn[3:5], ssn[5:])
        return [Piece(self._rng.choice(("-".join(parts), "-".join(parts), " ".join(parts), ssn)), "SSN", ssn)]

    def last4(self) -> list[Piece]:
        return [Piece(self._patient.ssn[-4:], "SSN")]

    def masked(self) -> list[Piece]:
        return [Piece(f"{self._rng.choice(('xxx-xx', '###-##', 'XXX-XX'))}-{self._patient.ssn[-4:]}", "SSN")]

    def ptphone(self) -> list[Piece]:
        return [Piece(phone_text(self._rng, self._patient.phone), "PHONE", self._patient.phone)]

    def r1phone(self) -> list[Piece]:
        number_ = self._patient.relatives[0].phone
        return [Piece(phone_text(self._rng, number_), "PHONE", number_)]

    def email(self) -> list[Piece]:
        return [Piece(self._patient.email, "EMAIL", self._patient.email)]

    def plan(self) -> list[Piece]:
        plan = self._patient.plan
        return [Piece(self._rng.choice((plan, plan, f"{plan[:-4]}-{plan[-4:]}")), "HEALTHPLAN", plan)]

    def acct(self) -> list[Piece]:
        account = self._patient.account
        text = self._rng.choice((account, account.zfill(12), f"{account[:-3]}-{account[-3:]}"))
        return [Piece(text, "ACCOUNT", account)]


class _Prose:
    """Answers the keys of what identifies nobody; no paragraph comes twice in a note."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._said: list[str] = []

    def n(self, low: str, high: str) -> list[Piece]:
        return [Piece(str(self._rng.randrange(int(low), int(high) + 1)))]

    def f(self, low: str, high: str) -> list[Piece]:
        return [Piece(f"{self._rng.uniform(float(low), float(high)):.1f}")]

    def bp(self) -> list[Piece]:
        return [Piece(f"{self._rng.randrange(88, 178)}/{self._rng.randrange(48, 98)}")]

    def aside(self) -> list[Piece]:
        kept = [text for text in ASIDES if text not in self._said]
        self._said.append(self._rng.choice(kept))
        return [Piece(self._said[-1])]

    def box(self) -> list[Piece]:
        return [Piece(self._rng.choice(("[x]", "[ ]", "[X]", "[ ]")))]

    def time(self) -> list[Piece]:
        hour, minute = self._rng.randrange(24), self._rng.randrange(60)
        twelve = f"{(hour + 11) % 12 + 1}:{minute:02} {'AM' if hour < 12 else 'PM'}"
        return [
            Piece(
                self._rng.choice(
                    (f"{hour:02}{minute:02}", f"{hour:02}:{minute:02}", f"{hour:02}{minute:02}h", twelve)
                )
            )
        ]
