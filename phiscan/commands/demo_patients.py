"""Invented people of the demo: one patient's PHI values, each with its category, by slot name.

Names come from Faker. Everything else is made here so that it can belong to nobody: telephone
numbers 555-01xx, addresses at example.org, the IP range for benchmarks, SSNs from areas that are never
issued, ZIP codes with a prefix that is not in use, towns, streets and hospitals from our own words.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from phiscan.commands.demo_templates import items
from phiscan.commands.note_writer import Value
from phiscan.errors import MissingDependencyError
from phiscan.records import PhiText, record

_TOWN_STARTS = items("Brack; Dun; Elm; Fen; Gar; Hollow; Kes; Lark; Mar; Nor; Quill; Thorn; Wex")
_TOWN_ENDS = items("ampton Vale; bury Hollow; wickham; moorstead; dale Crossing; fordham; leyton; marsh End")
_STREET_STARTS = items("Alder; Tinker; Copperbell; Finch; Juniper; Old Ferry; Saltmill; Weaver; Plover")
_STREET_ENDS = items("hollow Lane; gate Road; croft Street; mere Avenue; stone Court; wick Drive")
_HOSPITALS = items(
    "Brightvale Medical Center; Saint Orlin Hospital; Harrowick General Hospital; Mereford Community "
    "Hospital; Larkmoor Regional Medical Center; Tessandale Memorial Hospital"
)
_DEPARTMENTS = items("4 West; Tower 7B; Larkspur Ward; 3 North; Cedar Unit; Bay Wing 2; 6 East; Annex C")
_ORGANIZATIONS = items(
    "Pellworth Cannery; Ostrander Tile Works; Quillfeather Press; Vantry Freight; Dunmoor Rowing Club; "
    "Halvorsen and Pike Roofing; Mossgate School District; Corvane Boatyard; Blue Heron Bakery; Tolliver "
    "Glass; Ashgrove Parish Choir; Northfen Ferry Company"
)
_PLACES = items(
    "Harrowick Lake trailhead; Pellworth Lighthouse; Gullhaven Pier; Thistledown Fairground; Kestrel Quarry; "
    "Old Mossgate Bridge; Fenwater Locks; Larkmoor Orchard; Saltmill Dunes; Copperbell Caves"
)
_PROFESSIONS = items(
    "welder; beekeeper; schoolteacher; piano tuner; bus driver; surveyor; court clerk; baker; locksmith; "
    "carpenter; librarian; electrician; fisherman; tailor; accountant; stonemason"
)
_COUNTRIES = items("Portugal; Norway; Ghana; Peru; Vietnam; Ireland; Jamaica; Poland; Kenya; Chile")
ZIP_PREFIXES = items("MD 213; FL 343; AL 353; KY 419; IA 517; WI 533; MN 552; MO 632; NE 682; WA 987")
"""States, each with a three-digit ZIP prefix that would fit it and is not in use."""
AREA_CODES = tuple(code for code in range(201, 990) if code % 100 not in (0, 11))
"""Many, so that the few numbers 555-01xx do not coincide by chance and pass for another patient's."""
IP_RANGES = tuple(f"198.{second}.{third}" for second in (18, 19) for third in range(256))
DATE_STYLES: tuple[Callable[[date], str], ...] = (
    lambda day: f"{day:%m/%d/%Y}",
    lambda day: f"{day:%B} {day.day}, {day.year}",
    lambda day: f"{day.day} {day:%b} {day.year}",
    lambda day: f"{day:%Y-%m-%d}",
)


@record
class Patient:
    """A patient: what is written about them in every note, and the words that fit them."""

    patient_id: PhiText
    born: PhiText
    """Date of birth, ISO 8601."""
    values: dict[str, tuple[str, PhiText]]
    """Slot name -> (category, text)."""
    words: dict[str, str]


class PatientFactory:
    """Draws patients and what changes from note to note; equal seeds draw equal patients."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"phiscan demo {seed}")
        self._faker = _faker(seed)
        self._phones = self._shuffled(
            f"({area}) 555-01{n:02}" if n % 2 else f"{area}-555-01{n:02}"
            for area in AREA_CODES
            for n in range(100)
        )
        self._addresses = self._shuffled(f"{net}.{n}" for net in IP_RANGES for n in range(1, 255))
        self._doctors = [self._doctor() for _ in range(24)]

    def patient(self, patient_id: str) -> Patient:
        """A new patient, unlike every earlier one in name, telephone, IP address and numbers."""
        rng, pick = self.rng, self.rng.choice
        male = rng.random() < 0.5
        first, last = self._first(male=male), self._faker.unique.last_name()
        state, prefix = pick(ZIP_PREFIXES).split()
        born = date(rng.randint(1931, 2004), rng.randint(1, 12), rng.randint(1, 28))
        user = f"{first[0]}{last[:5]}{rng.randint(10, 99)}".lower()
        values: dict[str, Value] = {
            "NAME": ("PATIENT", f"{first} {last}"),
            "LAST": ("PATIENT", last),
            "LASTFIRST": ("PATIENT", f"{last}, {first}".upper()),
            "RELATIVE": ("PATIENT", f"{self._first(male=rng.random() < 0.5)} {last}"),
            "HOSPITAL": ("HOSPITAL", pick(_HOSPITALS)),
            "PROFESSION": ("PROFESSION", pick(_PROFESSIONS)),
            "ORGANIZATION": ("ORGANIZATION", pick(_ORGANIZATIONS)),
            "PLACE": ("LOCATION-OTHER", pick(_PLACES)),
            "COUNTRY": ("COUNTRY", pick(_COUNTRIES)),
            "STREET": ("STREET", f"{rng.randint(2, 980)} {pick(_STREET_STARTS)}{pick(_STREET_ENDS)}"),
            "CITY": ("CITY", pick(_TOWN_STARTS) + pick(_TOWN_ENDS)),
            "STATE": ("STATE", state),
            "ZIP": ("ZIP", f"{prefix}{rng.randint(0, 99):02}"),
            "PHONE": ("PHONE", self._phones.pop()),
            "RELPHONE": ("PHONE", self._phones.pop()),
            "FAX": ("FAX", self._phones.pop()),
            "EMAIL": ("EMAIL", f"{first}.{last}{rng.randint(1, 99)}@example.org".lower()),
            "URL": ("URL", f"https://example.org/{pick(('p', 'my', 'care'))}/{self._code(6).lower()}"),
            "IP": ("IPADDR", self._addresses.pop()),
            "SSN": ("SSN", f"{rng.randint(900, 999)}-{rng.randint(10, 99)}-{self._digits(4)}"),
            "MRN": ("MEDICALRECORD", self._digits(8)),
            "PLAN": ("HEALTHPLAN", f"{self._letters(3)}{self._digits(9)}"),
            "ACCOUNT": ("ACCOUNT", f"{self._digits(4)}-{self._digits(6)}"),
            "LICENSE": ("LICENSE", f"{self._letters(1)}{self._digits(8)}"),
            "VEHICLE": ("VEHICLE", f"{self._letters(3)}-{self._digits(4)}"),
            "DEVICE": ("DEVICE", f"{self._letters(2)}{self._digits(7)}"),
            "BIOID": ("BIOID", f"BIO-{self._digits(7)}"),
            "PORTALUSER": ("USERNAME", user),
        }
        return Patient(patient_id=patient_id, born=born.isoformat(), values=values, words=words_of(male=male))

    def visit(self, patient: Patient, day: date) -> dict[str, Callable[[], Value]]:
        """What one note of ``patient`` says, by slot; earlier and later dates are drawn anew at each use."""
        rng, style = self.rng, self.rng.choice(DATE_STYLES)
        born = date.fromisoformat(patient.born)
        age = day.year - born.year - ((day.month, day.day) < (born.month, born.day))
        doctor, other = rng.sample(self._doctors, 2)
        fixed: dict[str, Value] = {
            **patient.values,
            "DOB": ("DATE", style(born)),
            "NOTEDATE": ("DATE", style(day)),
            "AGE": ("AGE", str(age)),
            "DOCTOR": ("DOCTOR", doctor),
            "DOCTOR2": ("DOCTOR", other),
            "DEPT": ("DEPARTMENT", rng.choice(_DEPARTMENTS)),
            "ROOM": ("ROOM", f"{rng.randint(101, 989)}-{rng.choice('ABCD')}"),
            "TYPIST": ("USERNAME", f"{self._letters(3).lower()}{self._digits(3)}"),
            "ACCESSION": ("IDNUM", f"{self._letters(1)}{day:%y}-{self._digits(6)}"),
        }

        def other_day(low: int, high: int) -> Callable[[], Value]:
            return lambda: ("DATE", style(date.fromordinal(day.toordinal() + rng.randint(low, high))))

        slots: dict[str, Callable[[], Value]] = {slot: _always(value) for slot, value in fixed.items()}
        return slots | {"PASTDATE": other_day(-400, -3), "NEXTDATE": other_day(3, 120)}

    def _doctor(self) -> str:
        first, last = self._first(male=self.rng.random() < 0.5), self._faker.unique.last_name()
        return self.rng.choice((f"{first} {last}", f"{first[0]}. {last}"))

    def _first(self, *, male: bool) -> str:
        return str(self._faker.first_name_male() if male else self._faker.first_name_female())

    def _shuffled(self, values: Iterator[str]) -> list[str]:
        pool = list(values)
        self.rng.shuffle(pool)
        return pool

    def _digits(self, n: int) -> str:
        return "".join(self.rng.choices("0123456789", k=n))

    def _letters(self, n: int) -> str:
        return "".join(self.rng.choices("ABCDEFGHJKLMNPRSTVWXYZ", k=n))

    def _code(self, n: int) -> str:
        return "".join(self.rng.choices("ABCDEFGHJKLMNPRSTVWXYZ23456789", k=n))


def _always(value: Value) -> Callable[[], Value]:
    return lambda: value


def words_of(*, male: bool) -> dict[str, str]:
    """Title and pronouns, by slot name."""
    if male:
        return {"sex": "man", "title": "Mr.", "heshe": "he", "Heshe": "He", "himher": "him", "Hisher": "His"}
    return {"sex": "woman", "title": "Ms.", "heshe": "she", "Heshe": "She", "himher": "her", "Hisher": "Her"}


def _faker(seed: int) -> Any:
    try:
        faker = importlib.import_module("faker").Faker("en_US")
    except ImportError:
        raise MissingDependencyError.of("the demo needs Faker", extra="demo") from None
    faker.seed_instance(seed)
    return faker
