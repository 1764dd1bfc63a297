"""Invented patients, clinicians and institutions, and the registration rows of the patients."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from heldout import words
from heldout.records import KnownRow

_KINDS = (("child", 18), ("pregnant", 14), ("elder", 24), ("adult", 64))
_AGES = {"child": (2, 12), "pregnant": (19, 43), "elder": (78, 102), "adult": (20, 78)}
_AREA_CODES = (617, 508, 413, 802, 603, 207, 401, 860, 518, 716, 814, 313, 651, 515, 971, 206, 702, 512, 504)
_NOT_DECOMPOSED = str.maketrans({"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "ı": "i", "ß": "ss"})


def fold(text: str) -> str:
    """``text`` in plain ASCII letters, as old record systems store names."""
    decomposed = unicodedata.normalize("NFKD", text.translate(_NOT_DECOMPOSED))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


class Person(NamedTuple):
    """A person with a name of one or more words on each side."""

    first: str
    middle: str
    last: str
    female: bool

    @property
    def key(self) -> str:
        """The name apart from its format."""
        return f"{self.first} {self.last}".lower()


class Address(NamedTuple):
    """A postal address; ``kind`` is a pair such as Street=St, ``unit`` may be empty."""

    number: int
    name: str
    kind: str
    unit: str
    city: str
    state: str
    zip: str

    @property
    def key(self) -> str:
        """The street line apart from its format."""
        return f"{self.number} {self.name} {self.kind} {self.unit}".lower()

    def registered(self) -> str:
        """The street line as registration writes it."""
        unit = f" APT {self.unit}" if self.unit else ""
        return fold(f"{self.number} {self.name} {self.kind.split('=')[1]}{unit}").upper()


class Relative(NamedTuple):
    """A relative and their role towards the patient; ``phone`` is ten digits."""

    role: str
    person: Person
    phone: str


class Hospital(NamedTuple):
    """A hospital's full, short and abbreviated name, and its host name."""

    full: str
    short: str
    abbr: str
    slug: str


@dataclass(frozen=True, slots=True)
class Patient:
    """One invented patient; numbers are held without punctuation."""

    patient_id: str
    kind: str
    person: Person
    dob: date
    anchor: date
    relatives: tuple[Relative, ...]
    address: Address
    mrn: str
    ssn: str
    phone: str
    email: str
    plan: str
    account: str
    folded: bool
    """Registration keeps the names in plain ASCII letters."""

    def known(self) -> list[KnownRow]:
        """The patient's rows of the registration table."""
        values = [("PATIENT", self._registered(self.person))]
        values += [("PATIENT", self._registered(relative.person)) for relative in self.relatives]
        values += [
            ("DATE", f"{self.dob:%m/%d/%Y}"),
            ("MEDICALRECORD", self.mrn.zfill(10)),
            ("SSN", self.ssn),
            ("PHONE", self.phone),
            ("PHONE", self.relatives[0].phone),
            ("EMAIL", self.email.upper()),
            ("STREET", self.address.registered()),
            ("CITY", fold(self.address.city).upper()),
            ("ZIP", self.address.zip),
            ("HEALTHPLAN", self.plan),
            ("ACCOUNT", self.account.zfill(12)),
        ]
        return [KnownRow(self.patient_id, category, value) for category, value in values]

    def _registered(self, person: Person) -> str:
        name = f"{person.last}, {person.first} {person.middle[0]}".upper()
        return fold(name) if self.folded else name


def digits(rng: Random, count: int) -> str:
    """``count`` random digits, the first not zero."""
    return str(rng.randrange(10 ** (count - 1), 10**count))


def make_phone(rng: Random) -> str:
    """Ten digits of a number kept for fiction (555-0100 to 555-0199)."""
    return f"{rng.choice(_AREA_CODES)}55501{rng.randrange(100):02}"


def make_ssn(rng: Random) -> str:
    """Nine digits; two in three from ranges that are never issued."""
    head = rng.choice((str(rng.randrange(900, 1000)), "666", "000", digits(rng, 3), digits(rng, 3)))
    return f"{head}{rng.randrange(1, 100):02}{rng.randrange(1, 10000):04}"


def make_person(rng: Random, *, female: bool | None = None, last: str | None = None) -> Person:
    """A person; one in eight has a double surname."""
    female = rng.random() < 0.5 if female is None else female
    given = words.GIVEN_F if female else words.GIVEN_M
    surname = last or rng.choice(words.SURNAMES)
    if last is None and "-" not in surname and " " not in surname and rng.random() < 0.08:
        surname = f"{surname}-{rng.choice(words.SURNAMES[:40])}"
    return Person(rng.choice(given), rng.choice(given), surname, female)


def make_address(rng: Random) -> Address:
    """An address; two in five have a unit."""
    unit = rng.choice(("2", "3B", "14", "1R", "207", "C", "5-D")) if rng.random() < 0.4 else ""
    return Address(
        rng.choice((rng.randrange(1, 99), rng.randrange(100, 2900))),
        rng.choice(words.STREETS),
        rng.choice(words.STREET_TYPES),
        unit,
        rng.choice(words.TOWNS),
        rng.choice(words.STATES),
        f"{rng.randrange(1001, 99900):05}",
    )


def make_hospital(rng: Random) -> Hospital:
    """One of the invented hospitals."""
    return Hospital(*rng.choice(words.HOSPITALS).split("|"))


def make_patients(rng: Random) -> list[Patient]:
    """All patients: children, pregnant women, elders and other adults."""
    kinds = [kind for kind, count in _KINDS for _ in range(count)]
    return [_make_patient(rng, kind=kind, number=number) for number, kind in enumerate(kinds, start=1)]


def _make_patient(rng: Random, *, kind: str, number: int) -> Patient:
    person = make_person(rng, female=True if kind == "pregnant" else None)
    anchor = date(2011, 1, 1) + timedelta(days=rng.randrange(5000))
    low, high = _AGES[kind]
    dob = anchor - timedelta(days=rng.randrange(low * 365 + 200, high * 365))
    handle = fold(person.first + rng.choice((".", "_", "")) + person.last).lower()
    handle = "".join(char for char in handle if char.isalnum() or char in "._")
    host = rng.choice(("example.com", "example.net", "mail.example.org"))
    return Patient(
        patient_id=f"pt-{number:03}",
        kind=kind,
        person=person,
        dob=dob,
        anchor=anchor,
        relatives=tuple(_relatives(rng, person, kind=kind)),
        address=make_address(rng),
        mrn=digits(rng, rng.choice((6, 7, 7, 8))),
        ssn=make_ssn(rng),
        phone=make_phone(rng),
        email=f"{handle}{rng.choice(('', rng.randrange(10, 99)))}@{host}",
        plan=rng.choice(("XQH", "PMH", "W", "TSJ")) + digits(rng, 9),
        account=digits(rng, rng.choice((8, 9, 10))),
        folded=rng.random() < 0.5,
    )


def _relatives(rng: Random, person: Person, *, kind: str) -> list[Relative]:
    partner = "husband" if person.female else "wife"
    roles = {
        "child": ["mother", "father"],
        "pregnant": [partner, "mother"],
        "elder": ["daughter", "son"],
        "adult": [partner, rng.choice(("daughter", "son", "sister", "brother", "mother"))],
    }[kind]
    female = {"mother", "daughter", "sister", "wife"}
    relatives = []
    for role in roles:
        last = person.last if rng.random() < 0.7 else None
        relatives.append(Relative(role, make_person(rng, female=role in female, last=last), make_phone(rng)))
    return relatives
