"""The places, institutions and occupations of one note."""

from __future__ import annotations

from random import Random

from heldout import words
from heldout.records import Piece
from heldout.world import Address, Hospital, Patient, make_address, make_hospital

LISTS = {
    "snf": ("HOSPITAL", words.NURSING_HOMES),
    "clinic": ("HOSPITAL", words.CLINICS),
    "renal": ("HOSPITAL", words.RENAL_UNITS),
    "dental": ("HOSPITAL", words.DENTISTS),
    "eye": ("HOSPITAL", words.EYE_CLINICS),
    "onc": ("HOSPITAL", words.ONCOLOGY_CLINICS),
    "peds": ("HOSPITAL", words.CHILD_CLINICS),
    "obgyn": ("HOSPITAL", words.WOMENS_CLINICS),
    "psych": ("HOSPITAL", words.COUNSELING),
    "homecare": ("ORGANIZATION", words.HOME_CARE),
    "dme": ("ORGANIZATION", words.EQUIPMENT),
    "ems": ("ORGANIZATION", words.AMBULANCES),
    "ward": ("DEPARTMENT", words.WARDS),
    "emp": ("ORGANIZATION", words.EMPLOYERS),
    "school": ("ORGANIZATION", words.SCHOOLS),
    "ins": ("ORGANIZATION", words.INSURERS),
    "pharm": ("ORGANIZATION", words.PHARMACIES),
    "agency": ("ORGANIZATION", words.AGENCIES),
    "church": ("ORGANIZATION", words.CHURCHES),
    "job": ("PROFESSION", words.JOBS),
    "place": ("LOCATION-OTHER", words.LANDMARKS),
    "country": ("COUNTRY", words.COUNTRIES),
    "fcity": ("CITY", words.FOREIGN_CITIES),
    "town": ("CITY", words.TOWNS),
    "hol": ("DATE", words.HOLIDAYS),
}
"""Key of the markup -> category and values; a key with a 2 behind it is another value of the same list."""


class Places:
    """Answers the keys of places; a slot such as ``hosp`` or ``clinic`` is the same throughout."""

    def __init__(self, rng: Random, patient: Patient) -> None:
        self._rng = rng
        self._picked: dict[str, str] = {}
        self._hospitals: dict[str, Hospital] = {}
        self._addresses: dict[str, Address] = {"": patient.address}

    def listed(self, name: str) -> list[Piece]:
        category, options = LISTS[name.rstrip("2")]
        text = self._picked.get(name)
        while text is None or (name[-1] == "2" and text == self._picked.get(name[:-1])):
            text = self._rng.choice(options)
        self._picked[name] = text
        key = text.lower() if category == "CITY" else None
        return _with_article(Piece(text, category, key))

    def ajob(self, slot: str = "job") -> list[Piece]:
        (job,) = self.listed(slot)
        return [Piece("an " if job.text[0] in "aeiou" else "a "), job]

    def hospital_of(self, slot: str) -> Hospital:
        if slot not in self._hospitals:
            others = list(self._hospitals.values())
            hospital = make_hospital(self._rng)
            while hospital in others:
                hospital = make_hospital(self._rng)
            self._hospitals[slot] = hospital
        return self._hospitals[slot]

    def hospital(self, slot: str, form: str = "full") -> list[Piece]:
        hospital = self.hospital_of(slot)
        text = {"full": hospital.full, "short": hospital.short, "abbr": hospital.abbr}[form]
        return _with_article(Piece(text, "HOSPITAL"))

    def _address(self, slot: str) -> Address:
        return self._addresses.setdefault(slot, make_address(self._rng))

    def street(self, slot: str = "") -> list[Piece]:
        address = self._address(slot)
        long, short = address.kind.split("=")
        kind = self._rng.choice((long, long, short, f"{short}."))
        unit = address.unit
        shown = self._rng.choice(
            (f", Apt {unit}", f", Apt. {unit}", f" #{unit}", f", Unit {unit}", f" Apt {unit}", "")
        )
        shown = shown if unit else ""
        whole = bool(shown) or not unit
        return [
            Piece(f"{address.number} {address.name} {kind}{shown}", "STREET", address.key if whole else None)
        ]

    def city(self, slot: str = "") -> list[Piece]:
        return [Piece(self._address(slot).city, "CITY", self._address(slot).city.lower())]

    def state(self, slot: str = "") -> list[Piece]:
        return [Piece(self._address(slot).state.split("=")[0].replace("_", " "), "STATE")]

    def st(self, slot: str = "") -> list[Piece]:
        return [Piece(self._address(slot).state.split("=")[1], "STATE")]

    def zip(self, slot: str = "") -> list[Piece]:
        code = self._address(slot).zip
        if slot and self._rng.random() < 0.2:
            code += f"-{self._rng.randrange(1000, 9999)}"
        return [Piece(code, "ZIP", code)]

    def url(self) -> list[Piece]:
        slug = self.hospital_of("hosp").slug
        number = self._rng.randrange(1000, 99999)
        texts = (
            f"https://portal.{slug}.example.org",
            f"www.{slug}.example.com",
            f"https://{slug}.example.org/visit/{number}",
            f"http://www.{slug}.example.org/mychart",
            f"{slug}.example.com/results?id={number}",
        )
        return [Piece(self._rng.choice(texts), "URL")]


def _with_article(piece: Piece) -> list[Piece]:
    """``piece`` with a leading "the" left outside the value."""
    if not piece.text.startswith("the "):
        return [piece]
    return [Piece("the "), Piece(piece.text[4:], piece.category, piece.key and piece.key[4:])]
