"""Made-up patients for `phiscan plant`: whatever identifies one is drawn once over a whole file.

Nothing here belongs to anybody, by the conventions of :mod:`phiscan.commands.demo_patients`: telephone
numbers 555-01xx, addresses at example.org, the IP range for benchmarks, social security numbers that are
never issued, ZIP codes with a prefix that is not in use, towns and streets of coined words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from datetime import date, timedelta
from functools import cache, partial
from random import Random

from phiscan.commands.demo_patients import AREA_CODES, DATE_STYLES, IP_RANGES, ZIP_PREFIXES, words_of
from phiscan.commands.demo_templates import items
from phiscan.commands.note_writer import Value
from phiscan.errors import ConfigError
from phiscan.records import PhiText, record
from phiscan.rulebook import lexicons

SHARED = frozenset({"AGE", "STATE", "COUNTRY", "PROFESSION", "ROOM", "DEPARTMENT"})
"""Categories with too few values for one to be anybody's own: no plant's value of them is unique."""
MOST_PATIENTS = 900
"""Made-up patients in a file: there are 1,000 ZIP codes that nobody has."""

_TRIES = 2_000
_STATE_OF = {prefix: state for state, prefix in (pair.split() for pair in ZIP_PREFIXES)}
_DRAWN_FROM = {"#": "0123456789", "@": "ABCDEFGHJKLMNPRSTVWXYZ"}
_NUMBERS: dict[str, Value] = {
    "SSN": ("SSN", "9##-1#-####"),
    "MRN": ("MEDICALRECORD", "########"),
    "PLAN": ("HEALTHPLAN", "@@@#########"),
    "ACCOUNT": ("ACCOUNT", "####-######"),
    "LICENSE": ("LICENSE", "@########"),
    "VEHICLE": ("VEHICLE", "@@@-####"),
    "DEVICE": ("DEVICE", "@@#######"),
    "BIOID": ("BIOID", "BIO-#######"),
    "ACCESSION": ("IDNUM", "@##-######"),
}
"""Slot -> category and form: # is a digit, @ a letter. No tax number looks like these SSNs either."""
_MEN = items(
    "Adrian; Alfred; Barnaby; Bertram; Cedric; Clement; Cornelius; Desmond; Edmund; Ernest; Felix; Gilbert; "
    "Harold; Horace; Hubert; Ignacio; Jerome; Julian; Leonard; Leopold; Lionel; Magnus; Marcel; Maurice; "
    "Nathaniel; Nigel; Oscar; Percy; Quentin; Reginald; Roland; Rufus; Silas; Theodore; Tobias; Walter"
)
_WOMEN = items(
    "Adelaide; Agnes; Alma; Beatrice; Bernadette; Cecilia; Clementine; Cordelia; Dorothea; Edith; Eleanor; "
    "Esther; Florence; Frances; Gertrude; Harriet; Henrietta; Imogen; Josephine; Judith; Leonora; Lucinda; "
    "Mabel; Marguerite; Matilda; Miriam; Nadine; Octavia; Philippa; Rosalind; Sabina; Sylvia; Theresa; "
    "Ursula; Vivian; Winifred"
)
_STARTS = items(
    "Bar; Bel; Bram; Cald; Cor; Crin; Dal; Dor; Ed; Fal; Fen; Gil; Gor; Hal; Hes; Im; Jas; Kel; Kin; Lang; "
    "Lor; Mal; Mer; Mos; Nar; Nes; Ol; Orm; Pel; Pend; Quar; Ral; Ros; Sal; Sed; Tal; Tor; Ul; Ver; Wal"
)
_MIDDLES = items("an; ar; el; en; er; eth; ia; il; in; ing; or; os; ow; um")
_ENDS = items(
    "bury; combe; dale; field; ford; ham; hurst; mere; moor; stead; thorpe; ville; wick; wold; worth"
)
_STREETS = items("Road; Street; Lane; Avenue; Drive; Court")
_HOSPITALS = items("Regional Medical Center; General Hospital; Community Hospital; Memorial Hospital")
_COMPANIES = items("Cannery; Freight; Bakery; Glass Works; Foundry; Brewery; Roofing; Trucking; Logistics")
_PLACES = items("Lighthouse; Pier; Fairground; Quarry; Orchard; Dunes; Marina; Reservoir; Boardwalk")
_PROFESSIONS = items(
    "welder; beekeeper; schoolteacher; piano tuner; bus driver; surveyor; court clerk; baker; locksmith; "
    "carpenter; librarian; electrician; tailor; accountant; stonemason; plumber"
)
_COUNTRIES = items("Portugal; Norway; Ghana; Peru; Vietnam; Ireland; Jamaica; Poland; Kenya; Chile")
_DEPARTMENTS = items("4 West; Tower 7B; 3 North; Cedar Unit; 6 East; Ward 9; 5 South; Pavilion B")


@record
class PlantPatient:
    """A made-up patient: a plant or a twin, which are drawn alike."""

    number: int
    visited: PhiText
    """Date of the note, ISO 8601."""
    values: dict[str, tuple[str, PhiText]]
    """Slot name -> (category, text)."""
    words: dict[str, str]
    drawn: tuple[PhiText, ...]
    """Surnames, coined words, numbers: in whatever notes none of these stands, no own value does."""


def draw_patients(count: int, seed: int, avoid: Collection[str] = ()) -> list[PlantPatient]:
    """``count`` patients; equal arguments draw equal ones.

    No two of them have a value in common outside :data:`SHARED`, whatever its punctuation and capitals,
    and nothing in ``avoid`` (of what was :attr:`~PlantPatient.drawn`) is drawn. Each patient is drawn
    from a generator of its own, so that a word to be avoided changes few of the others.

    Raises:
        ConfigError: There are not so many values that nobody else has.

    """
    drawing = _Drawing(avoid)
    return [drawing.patient(number, Random(f"phiscan plant {seed} {number}")) for number in range(count)]


def own_values(patient: PlantPatient) -> Iterator[Value]:
    """What no other made-up patient has: (category, text); the surname alone stands in the full name."""
    return (value for slot, value in patient.values.items() if slot != "LAST" and value[0] not in SHARED)


@cache
def plant_surnames() -> tuple[str, ...]:
    """Surnames they may have: no word of notes, given name or place; in lower case."""
    other = (
        lexicons.not_names()
        | lexicons.word_surnames()
        | lexicons.given_names()
        | lexicons.eponyms()
        | lexicons.eponyms_or_names()
        | lexicons.place_eponyms()
        | lexicons.countries()
        | frozenset(lexicons.us_states().values())
    )
    return tuple(sorted(name for name in lexicons.surnames() - other if name.isalpha() and len(name) > 4))


class _Drawing:
    """Remembers what was drawn, so that nothing is drawn twice."""

    def __init__(self, avoid: Collection[str]) -> None:
        self._taken = {_bare(value) for value in avoid}
        self._drawn: list[str] = []

    def patient(self, number: int, rng: Random) -> PlantPatient:
        self._drawn = []
        male = rng.random() < 0.5
        first, last = rng.choice(_MEN if male else _WOMEN), self._surname(rng)
        visited = self._day(rng, date(2008, 1, 1), 6_000)
        values = {
            "NAME": ("PATIENT", f"{first} {last}"),
            "LAST": ("PATIENT", last),
            "RELATIVE": ("PATIENT", f"{rng.choice(_MEN + _WOMEN)} {self._surname(rng)}"),
            "DOCTOR": ("DOCTOR", f"{rng.choice(_MEN + _WOMEN)} {self._surname(rng)}"),
            **self._dates(rng, visited),
            **self._places(rng),
            **self._numbers(rng),
            **self._contacts(rng, first, last),
            "PROFESSION": ("PROFESSION", rng.choice(_PROFESSIONS)),
            "COUNTRY": ("COUNTRY", rng.choice(_COUNTRIES)),
            "DEPT": ("DEPARTMENT", rng.choice(_DEPARTMENTS)),
            "ROOM": ("ROOM", f"{rng.randint(101, 989)}-{rng.choice('ABCD')}"),
        }
        values["DOCTOR2"] = values["DOCTOR"]
        return PlantPatient(
            number=number,
            visited=visited.isoformat(),
            values=values,
            words=words_of(male=male),
            drawn=tuple(self._drawn),
        )

    def _dates(self, rng: Random, visited: date) -> dict[str, Value]:
        style = rng.choice(DATE_STYLES)
        born = self._day(rng, date(visited.year - 79, 1, 1), 50 * 365)
        past = self._day(rng, visited - timedelta(400), 390)
        coming = self._day(rng, visited + timedelta(7), 390)
        days = {"NOTEDATE": visited, "DOB": born, "PASTDATE": past, "NEXTDATE": coming}
        age = visited.year - born.year - ((visited.month, visited.day) < (born.month, born.day))
        return {
            **{slot: ("DATE", style(day)) for slot, day in days.items()},
            "AGE": ("AGE", str(age)),
            "OLDAGE": ("AGE", str(rng.randint(90, 104))),
        }

    def _places(self, rng: Random) -> dict[str, Value]:
        code = self._new(lambda: f"{rng.choice(tuple(_STATE_OF))}{rng.randrange(100):02}")
        coined = [self._coined(rng) for _ in range(6)]
        return {
            "STREET": ("STREET", f"{rng.randint(2, 980)} {coined[0]} {rng.choice(_STREETS)}"),
            "CITY": ("CITY", coined[1]),
            "STATE": ("STATE", _STATE_OF[code[:3]]),
            "ZIP": ("ZIP", code),
            "HOSPITAL": ("HOSPITAL", f"{coined[2]} {rng.choice(_HOSPITALS)}"),
            "HOSPITAL2": ("HOSPITAL", f"{coined[3]} {rng.choice(_HOSPITALS)}"),
            "ORGANIZATION": ("ORGANIZATION", f"{coined[4]} {rng.choice(_COMPANIES)}"),
            "PLACE": ("LOCATION-OTHER", f"{coined[5]} {rng.choice(_PLACES)}"),
        }

    def _numbers(self, rng: Random) -> dict[str, Value]:
        def of_form(form: str) -> str:
            return "".join(rng.choice(_DRAWN_FROM.get(char, char)) for char in form)

        return {
            slot: (category, self._new(partial(of_form, form))) for slot, (category, form) in _NUMBERS.items()
        }

    def _contacts(self, rng: Random, first: str, last: str) -> dict[str, Value]:
        def number() -> str:
            area, end = rng.choice(AREA_CODES), rng.randrange(100)
            return f"({area}) 555-01{end:02}" if rng.random() < 0.5 else f"{area}-555-01{end:02}"

        def code() -> str:
            return "".join(rng.choices("bcdfghjkmnpqrstvwxz23456789", k=8))

        return {
            "PHONE": ("PHONE", self._new(number)),
            "RELPHONE": ("PHONE", self._new(number)),
            "FAX": ("FAX", self._new(number)),
            "EMAIL": ("EMAIL", f"{first}.{last}@example.org".lower()),
            "URL": ("URL", f"https://example.org/{rng.choice(('care', 'my', 'p'))}/{self._new(code)}"),
            "IP": ("IPADDR", self._new(lambda: f"{rng.choice(IP_RANGES)}.{rng.randint(1, 254)}")),
            "PORTALUSER": ("USERNAME", f"{first[0]}{last}{rng.randint(10, 99)}".lower()),
        }

    def _surname(self, rng: Random) -> str:
        return self._new(lambda: rng.choice(plant_surnames())).capitalize()

    def _coined(self, rng: Random) -> str:
        return self._new(lambda: rng.choice(_STARTS) + rng.choice(_MIDDLES) + rng.choice(_ENDS))

    def _day(self, rng: Random, first: date, days: int) -> date:
        """A day that nobody else has; notes may hold it all the same, as they hold every day."""
        day = self._new(lambda: (first + timedelta(rng.randrange(days))).isoformat())
        self._drawn.remove(day)
        return date.fromisoformat(day)

    def _new(self, draw: Callable[[], str]) -> str:
        for _ in range(_TRIES):
            value = draw()
            if _bare(value) not in self._taken:
                self._taken.add(_bare(value))
                self._drawn.append(value)
                return value
        raise ConfigError("--patients, --twins: there are not so many values that nobody has; ask for fewer")


def _bare(value: str) -> str:
    return re.sub(r"\W", "", value).casefold()
