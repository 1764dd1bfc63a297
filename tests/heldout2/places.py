"""The places, institutions, occupations and network addresses of one note."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from heldout.records import Piece
from heldout.world import Address, Hospital, Patient

from heldout2 import lists
from heldout2.patients import make_address, make_hospital
from heldout2.people import People

LISTS = {
    "snf": ("HOSPITAL", lists.NURSING_HOMES),
    "rehab": ("HOSPITAL", lists.REHABS),
    "clinic": ("HOSPITAL", lists.CLINICS),
    "kids": ("HOSPITAL", lists.CHILD_CLINICS),
    "births": ("HOSPITAL", lists.BIRTH_CENTERS),
    "hearing": ("HOSPITAL", lists.HEARING_CLINICS),
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
    "country": ("COUNTRY", lists.COUNTRIES),
    "fcity": ("CITY", lists.FOREIGN_CITIES),
    "town": ("CITY", lists.TOWNS),
    "hol": ("DATE", lists.HOLIDAYS),
}
"""Key of the markup -> category and values; a key with 2 or 3 behind it is another value."""


class Places:
    """Answers the keys of places, institutions, occupations and their addresses on the net."""

    lists: ClassVar[Mapping[str, tuple[str, tuple[str, ...]]]] = LISTS
    make_address = staticmethod(make_address)
    make_hospital = staticmethod(make_hospital)

    def __init__(self, rng: Random, patient: Patient, people: People) -> None:
        self._rng = rng
        self._login = people.login
        self._picked: dict[str, str] = {}
        self._hospitals: dict[str, Hospital] = {}
        self._addresses: dict[str, Address] = {"": patient.address}

    def listed(self, name: str) -> list[Piece]:
        base = name.rstrip("23")
        category, options = self.lists[base]
        if base == "country":  # a city and the country beside it belong together
            self.listed(name.replace("country", "fcity"))
            abroad = self._picked[name.replace("country", "fcity")]
            self._picked[name] = options[self.lists["fcity"][1].index(abroad)]
        if name not in self._picked:
            taken = {text for slot, text in self._picked.items() if slot.rstrip("23") == base}
            self._picked[name] = self._rng.choice([option for option in options if option not in taken])
        text = self._picked[name]
        article, rest = (text[:4], text[4:]) if text.startswith(("the ", "The ")) else ("", text)
        value = Piece(rest, category, rest.lower() if category == "CITY" else None)
        return (
            [Piece("the "), value] if article == "the " else [Piece(article), value] if article else [value]
        )

    def ajob(self, slot: str = "job") -> list[Piece]:
        (job,) = self.listed(slot)
        return [Piece("an " if job.text[0] in "aeiou" else "a "), job]

    def _hospital(self, slot: str) -> Hospital:
        while slot not in self._hospitals:
            hospital = self.make_hospital(self._rng)
            if hospital not in self._hospitals.values():
                self._hospitals[slot] = hospital
        return self._hospitals[slot]

    def hospital(self, slot: str, form: str = "full") -> list[Piece]:
        hospital = self._hospital(slot)
        return [
            Piece({"full": hospital.full, "short": hospital.short, "abbr": hospital.abbr}[form], "HOSPITAL")
        ]

    def _address(self, slot: str) -> Address:
        return self._addresses.setdefault(slot, self.make_address(self._rng))

    def street(self, slot: str = "") -> list[Piece]:
        address = self._address(slot)
        long, short = address.kind.split("=")
        kind, unit = self._rng.choice((long, short, f"{short}.")), address.unit
        shown = self._rng.choice((f", Apt {unit}", f" Unit {unit}", f", #{unit}", f" apt. {unit}"))
        shown = shown if unit else ""
        return [Piece(f"{address.number} {address.name} {kind}{shown}", "STREET", address.key)]

    def pobox(self) -> list[Piece]:
        prefix = self._rng.choice(("P.O. Box", "PO Box", "Post Office Box"))
        return [Piece(f"{prefix} {self._rng.randrange(11, 9999)}", "STREET")]

    def city(self, slot: str = "") -> list[Piece]:
        return [Piece(self._address(slot).city, "CITY", self._address(slot).city.lower())]

    def state(self, slot: str = "") -> list[Piece]:
        return [Piece(self._address(slot).state.split("=")[0].replace("_", " "), "STATE")]

    def st(self, slot: str = "") -> list[Piece]:
        return [Piece(self._address(slot).state.split("=")[1], "STATE")]

    def zip(self, slot: str = "") -> list[Piece]:
        code = self._address(slot).zip
        more = f"-{self._rng.randrange(1000, 9999)}" if slot and self._rng.random() < 0.25 else ""
        return [Piece(code + more, "ZIP", code + more)]

    def mail(self, slot: str) -> list[Piece]:
        first, last = self._login(slot)
        host = f"{self._hospital('hosp').slug}.example.org"
        return [Piece(self._rng.choice((f"{first}.{last}@{host}", f"{last}{first[0]}@{host}")), "EMAIL")]

    def url(self) -> list[Piece]:
        slug, code = self._hospital("hosp").slug, self._rng.randrange(100, 99999)
        texts = (
            f"https://{slug}.example.org/portal",
            f"www.{slug}.example.org",
            f"http://{slug}.example.com/forms/{code}",
            f"https://my{slug}.example.net/msg?thread={code}",
            f"{slug}.example.org/visits",
        )
        return [Piece(self._rng.choice(texts), "URL")]
