"""The invented patients of this corpus, in the records of :mod:`heldout.world`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from heldout.world import Address, Hospital, Patient, Person, Relative, digits, fold, make_ssn

from heldout2 import lists, names

_KINDS = (("elder", 26), ("pregnant", 12), ("child", 20), ("adult", 60))
_YEARS = {"child": (2, 15), "pregnant": (19, 42), "elder": (79, 103), "adult": (21, 78)}
_AREAS = (
    "215 412 614 404 804 360 248 317 337 480 201 919 859 608 303 615 410 304 808 314 405 505 251 406".split()
)
WOMEN = {"mother", "daughter", "sister", "wife", "granddaughter", "grandmother", "aunt", "niece"}
ROLES = {
    "child": (("mother", "father"), ("mother", "grandfather")),
    "pregnant": (("husband", "mother"), ("husband", "sister")),
    "elder": (("son", "daughter"), ("daughter", "granddaughter"), ("daughter", "son")),
    "adult": (("sister", "brother"), ("daughter", "brother"), ("son", "sister"), ("mother", "brother")),
}


def make_phone(rng: Random) -> str:
    """Ten digits, 555-0100 to 555-0199 in any area."""
    return f"{rng.choice(_AREAS)}55501{rng.randrange(100):02}"


def make_person(rng: Random, *, female: bool | None = None, last: str | None = None) -> Person:
    """A person; one in ten women has a double surname."""
    female = rng.random() < 0.52 if female is None else female
    given = names.GIVEN_F if female else names.GIVEN_M
    surname = last or rng.choice(names.SURNAMES)
    if last is None and female and surname.isalpha() and rng.random() < 0.1:
        surname = f"{surname}-{rng.choice([name for name in names.SURNAMES if name.isalpha()])}"
    first, middle = rng.sample(given, 2)
    return Person(first, middle, surname, female)


def make_address(rng: Random) -> Address:
    """An address; every third has a unit."""
    unit = rng.choice(("4", "12C", "305", "B", "2F", "1108", "7A")) if rng.random() < 0.33 else ""
    return Address(
        number=rng.choice((rng.randrange(2, 99), rng.randrange(100, 1000), rng.randrange(1000, 18000))),
        name=rng.choice(lists.STREETS),
        kind=rng.choice(lists.STREET_TYPES),
        unit=unit,
        city=rng.choice(lists.TOWNS),
        state=rng.choice(lists.STATES),
        zip=f"{rng.randrange(2101, 99600):05}",
    )


def make_hospital(rng: Random) -> Hospital:
    """One of the invented hospitals."""
    return Hospital(*rng.choice(lists.HOSPITALS).split("|"))


def _email(rng: Random, person: Person) -> str:
    first, last = login(person)
    handle = rng.choice(
        (f"{last}.{first}", f"{first[0]}{last}", f"{first}{rng.randrange(40, 99)}", f"the_{last}s")
    )
    return f"{handle}@{rng.choice(('example.com', 'example.org', 'mail.example.net'))}"


def login(person: Person) -> list[str]:
    """Given name and surname in plain small letters."""
    return ["".join(c for c in fold(part).lower() if c.isalnum()) for part in (person.first, person.last)]


class Population(NamedTuple):
    """What the patients of a corpus are drawn from."""

    prefix: str
    """Begins each patient's id."""
    kinds: tuple[tuple[str, int], ...]
    """Kind of patient and how many."""
    years: Mapping[str, tuple[int, int]]
    """Ages by kind."""
    roles: Mapping[str, tuple[tuple[str, str], ...]]
    """The two registered relatives by kind of patient."""
    first_day: date
    days: int
    """The notes lie about a day up to this many days after ``first_day``."""
    person: Callable[..., Person]
    address: Callable[[Random], Address]
    phone: Callable[[Random], str]
    email: Callable[[Random, Person], str]
    mrn_lengths: tuple[int, ...]
    plans: tuple[str, ...]
    """Begin the plan's number; eight digits follow."""
    account_lengths: tuple[int, ...]
    folded: float
    """Share of patients whose names registration keeps in plain ASCII letters."""


POPULATION = Population(
    prefix="h2",
    kinds=_KINDS,
    years=_YEARS,
    roles=ROLES,
    first_day=date(2012, 6, 1),
    days=4600,
    person=make_person,
    address=make_address,
    phone=make_phone,
    email=_email,
    mrn_lengths=(6, 7, 8, 8, 9),
    plans=("KMH", "BRA", "ZG", "H", "UTB0"),
    account_lengths=(9, 10, 11),
    folded=0.6,
)


def make_patients(rng: Random, population: Population = POPULATION) -> list[Patient]:
    """All patients."""
    kinds = [kind for kind, count in population.kinds for _ in range(count)]
    return [_make_patient(rng, population, kind, number) for number, kind in enumerate(kinds, start=1)]


def _make_patient(rng: Random, population: Population, kind: str, number: int) -> Patient:
    person = population.person(rng, female=True if kind == "pregnant" else None)
    anchor = population.first_day + timedelta(days=rng.randrange(population.days))
    low, high = population.years[kind]
    return Patient(
        patient_id=f"{population.prefix}-{number:03}",
        kind=kind,
        person=person,
        dob=anchor - timedelta(days=rng.randrange(low * 365 + 200, high * 365)),
        anchor=anchor,
        relatives=tuple(_relatives(rng, population, person, kind)),
        address=population.address(rng),
        mrn=digits(rng, rng.choice(population.mrn_lengths)),
        ssn=make_ssn(rng),
        phone=population.phone(rng),
        email=population.email(rng, person),
        plan=rng.choice(population.plans) + digits(rng, 8),
        account=digits(rng, rng.choice(population.account_lengths)),
        folded=rng.random() < population.folded,
    )


def _relatives(rng: Random, population: Population, person: Person, kind: str) -> list[Relative]:
    relatives = []
    for role in rng.choice(population.roles[kind]):
        last = person.last if rng.random() < 0.6 else None
        relative = population.person(rng, female=role in WOMEN, last=last)
        relatives.append(Relative(role, relative, population.phone(rng)))
    return relatives
