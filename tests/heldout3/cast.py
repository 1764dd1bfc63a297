"""Every ``{key}`` that the templates of this corpus may use: those of :mod:`heldout2.cast`, with own values.

More forms of a name: ``lfm`` (with the whole middle name), ``jsmith`` (no full stop), ``nick`` (with a nickname).
"""

from __future__ import annotations

from datetime import date
from random import Random

from heldout.cast import PRONOUNS, BaseCast, OwnNumbers, Prose
from heldout.records import Piece
from heldout.world import Address, Hospital, Patient, Person
from heldout2.patients import Population, login
from heldout2.people import People
from heldout2.places import Places

from heldout3 import lists
from heldout3.numbers import NUMBERS, OtherDays, make_phone, phone_text, ssn_text

LISTS = {
    "snf": ("HOSPITAL", lists.NURSING_HOMES),
    "clinic": ("HOSPITAL", lists.CLINICS),
    "kids": ("HOSPITAL", lists.CHILD_CLINICS),
    "womens": ("HOSPITAL", lists.WOMENS_CLINICS),
    "behav": ("HOSPITAL", lists.MENTAL_CLINICS),
    "ward": ("DEPARTMENT", lists.WARDS),
    "homecare": ("ORGANIZATION", lists.HOME_CARE),
    "dme": ("ORGANIZATION", lists.EQUIPMENT),
    "ems": ("ORGANIZATION", lists.AMBULANCES),
    "emp": ("ORGANIZATION", lists.EMPLOYERS),
    "school": ("ORGANIZATION", lists.SCHOOLS),
    "ins": ("ORGANIZATION", lists.INSURERS),
    "pharm": ("ORGANIZATION", lists.PHARMACIES),
    "agency": ("ORGANIZATION", lists.AGENCIES),
    "church": ("ORGANIZATION", lists.CHURCHES),
    "job": ("PROFESSION", lists.JOBS),
    "county": ("LOCATION-OTHER", lists.COUNTIES),
    "place": ("LOCATION-OTHER", lists.LANDMARKS),
    "road": ("LOCATION-OTHER", lists.ROADS),
    "country": ("COUNTRY", lists.COUNTRIES),
    "fcity": ("CITY", lists.FOREIGN_CITIES),
    "town": ("CITY", lists.TOWNS),
    "hol": ("DATE", lists.HOLIDAYS),
}
"""Key of the markup -> category and values; a key with 2 or 3 behind it is another value."""


def make_person(rng: Random, *, female: bool | None = None, last: str | None = None) -> Person:
    """A person; one in twelve has a double surname."""
    female = rng.random() < 0.53 if female is None else female
    first, middle = rng.sample(lists.GIVEN_F if female else lists.GIVEN_M, 2)
    surname = last or rng.choice(lists.SURNAMES)
    if last is None and surname.isalpha() and rng.random() < 0.08:
        surname = f"{surname}-{rng.choice([name for name in lists.SURNAMES if name.isalpha()])}"
    return Person(first, middle, surname, female)


def make_address(rng: Random) -> Address:
    """An address; every third has a unit."""
    unit = rng.choice(("1", "2L", "6D", "410", "A", "33", "B-12")) if rng.random() < 0.35 else ""
    number = rng.choice((rng.randrange(1, 100), rng.randrange(100, 1000), rng.randrange(1000, 9000)))
    street, kind, town = (rng.choice(words) for words in (lists.STREETS, lists.STREET_TYPES, lists.TOWNS))
    return Address(
        number, street, kind, unit, town, rng.choice(lists.STATES), f"{rng.randrange(1060, 98900):05}"
    )


def make_hospital(rng: Random) -> Hospital:
    """One of the invented hospitals."""
    return Hospital(*rng.choice(lists.HOSPITALS).split("|"))


def _email(rng: Random, person: Person) -> str:
    first, last = login(person)
    number = rng.randrange(1, 99)
    handle = rng.choice((f"{first}{last}{number}", f"{first[0]}.{last}", f"{last}family", f"{first}_{last}"))
    return f"{handle}@{rng.choice(('example.com', 'example.net', 'inbox.example.org'))}"


POPULATION = Population(
    prefix="h3",
    kinds=(("adult", 66), ("elder", 24), ("child", 14), ("pregnant", 10)),
    years={"child": (2, 16), "pregnant": (18, 44), "elder": (76, 101), "adult": (19, 79)},
    roles={
        "child": (("mother", "father"), ("father", "grandmother"), ("mother", "aunt")),
        "pregnant": (("husband", "mother"), ("partner", "sister")),
        "elder": (("daughter", "son"), ("son", "niece"), ("daughter", "granddaughter")),
        "adult": (("brother", "mother"), ("sister", "father"), ("sister", "cousin"), ("mother", "cousin")),
    },
    first_day=date(2009, 3, 1),
    days=5800,
    person=make_person,
    address=make_address,
    phone=make_phone,
    email=_email,
    mrn_lengths=(6, 7, 7, 8),
    plans=("XYP", "M", "HPG", "EVG0", "U"),
    account_lengths=(8, 10, 11),
    folded=0.4,
)


class OtherPeople(People):
    """Answers the keys of people."""

    make_person = staticmethod(make_person)
    roles = (("neighbor", None), ("friend", None), ("ex-husband", False), ("niece", True), ("roommate", None))

    def person(self, slot: str, form: str) -> list[Piece]:
        person = self._slot(slot)
        own = {
            "lfm": f"{person.last}, {person.first} {person.middle}",
            "jsmith": f"{person.first[0]} {person.last}",
            "nick": f"{person.first} “{self._rng.choice(lists.NICKNAMES)}” {person.last}",
        }
        if form not in own:
            return super().person(slot, form)
        return [Piece(own[form], "DOCTOR" if slot.startswith("dr") else "PATIENT")]

    def user(self, slot: str) -> list[Piece]:
        first, last = self.login(slot)
        number = self._rng.randrange(1, 99)
        texts = (
            f"{first[0]}{last[:7]}",
            f"{last[:5]}{first[0]}{number}",
            f"{first}.{last}",
            f"{last[:4]}{first[:2]}".upper(),
        )
        return [Piece(self._users.setdefault(slot, self._rng.choice(texts)), "USERNAME")]


class OtherPlaces(Places):
    """Answers the keys of places."""

    lists = LISTS
    make_address = staticmethod(make_address)
    make_hospital = staticmethod(make_hospital)


class _Known(OwnNumbers):
    """Answers the keys of the numbers that registration knows."""

    masks = ("XXX-XX", "xxx-xx", "***-**")
    phone_text = staticmethod(phone_text)
    ssn_text = staticmethod(ssn_text)

    def mrn(self) -> list[Piece]:
        mrn = self._patient.mrn
        text = self._rng.choice(
            (mrn, mrn, mrn, mrn.zfill(8), mrn.zfill(10), f"{mrn[:3]}-{mrn[3:5]}-{mrn[5:]}")
        )
        return [Piece(text, "MEDICALRECORD", mrn)]

    def plan(self) -> list[Piece]:
        plan = self._patient.plan
        return [Piece(self._rng.choice((plan, plan, plan, f"{plan[:-2]}-{plan[-2:]}")), "HEALTHPLAN", plan)]

    def acct(self) -> list[Piece]:
        account = self._patient.account
        return [Piece(self._rng.choice((account, account, account.zfill(12))), "ACCOUNT", account)]


class _Prose(Prose):
    """Answers the keys of what identifies nobody; the clock runs on through a note."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._minutes = rng.randrange(24 * 60)
        self._colon = rng.choice((":", ""))

    def time(self) -> list[Piece]:
        self._minutes += self._rng.randrange(1, 40)
        hour, minute = divmod(self._minutes % (24 * 60), 60)
        return [Piece(f"{hour:02}{self._colon}{minute:02}")]

    def bp(self) -> list[Piece]:
        systolic = self._rng.randrange(92, 182)
        return [Piece(f"{systolic}/{round(systolic * self._rng.uniform(0.48, 0.68))}")]

    def box(self) -> list[Piece]:
        return [Piece(self._rng.choice(("[x]", "[ ]")))]


class Cast(BaseCast):
    """Answers the keys of one note; a slot such as ``dr2`` or ``clinic`` is the same throughout."""

    pronouns = PRONOUNS | {
        "sex": ("male", "female"),
        "MF": ("M", "F"),
        "kid": ("boy", "girl"),
        "sir": ("gentleman", "lady"),
    }
    lists = LISTS
    another = "23"
    numbers = NUMBERS

    def __init__(self, rng: Random, patient: Patient) -> None:
        people = OtherPeople(rng, patient)
        parts = (OtherDays(rng, patient), _Known(rng, patient), _Prose(rng))
        super().__init__(rng, patient, people=people, places=OtherPlaces(rng, patient, people), parts=parts)
