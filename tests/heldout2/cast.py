"""Every ``{key}`` that the templates of this corpus may use.

People: ``pt``, ``r1`` ``r2`` (registered relatives), ``r3`` .. (others close to the patient),
``f1`` .. and ``m1`` .. (other women and men), ``dr1`` .. (clinicians), with a form after the dot.
A final ``^`` writes a value in capitals, ``%`` in small letters.
"""

from __future__ import annotations

from random import Random

from heldout.cast import PRONOUNS, BaseCast, OwnNumbers, Prose
from heldout.records import Piece
from heldout.world import Patient

from heldout2.asides import ASIDES
from heldout2.days import OwnDays
from heldout2.numbers import NUMBERS, phone_text, ssn_text
from heldout2.people import People
from heldout2.places import LISTS, Places


class Cast(BaseCast):
    """Answers the keys of one note; a slot such as ``dr2`` or ``clinic`` is the same throughout."""

    pronouns = PRONOUNS | {"sex": ("male", "female"), "MF": ("M", "F"), "kid": ("boy", "girl")}
    lists = LISTS
    another = "23"
    numbers = NUMBERS

    def __init__(self, rng: Random, patient: Patient) -> None:
        people = People(rng, patient)
        places = Places(rng, patient, people)
        parts = (OwnDays(rng, patient), _Known(rng, patient), _Prose(rng))
        super().__init__(rng, patient, people=people, places=places, parts=parts)


class _Known(OwnNumbers):
    """Answers the keys of the numbers that registration knows."""

    masks = ("xxx-xx", "###-##", "XXX-XX")
    phone_text = staticmethod(phone_text)
    ssn_text = staticmethod(ssn_text)

    def mrn(self) -> list[Piece]:
        mrn = self._patient.mrn
        grouped = f"{mrn[:-4]}-{mrn[-4:]}"
        text = self._rng.choice((mrn, mrn, mrn.zfill(9), mrn.zfill(10), grouped, f"{mrn[:-4]} {mrn[-4:]}"))
        return [Piece(text, "MEDICALRECORD", mrn)]

    def plan(self) -> list[Piece]:
        plan = self._patient.plan
        return [Piece(self._rng.choice((plan, plan, f"{plan[:-4]}-{plan[-4:]}")), "HEALTHPLAN", plan)]

    def acct(self) -> list[Piece]:
        account = self._patient.account
        text = self._rng.choice((account, account.zfill(12), f"{account[:-3]}-{account[-3:]}"))
        return [Piece(text, "ACCOUNT", account)]


class _Prose(Prose):
    """Answers the keys of what identifies nobody; no paragraph comes twice in a note."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._said: list[str] = []

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
