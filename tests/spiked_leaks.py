"""Five hundred continuations with one value each, in every form a value can leak in. All invented.

Sixty patients with one note each, which states every value once in one form; a spike writes one of
them (or another patient's, or nobody's) into a continuation in another form. What verdict follows
is known from how it was made.

The program makes spikes of its own in every run (:mod:`phiscan.spikes`). These check it from outside:
they take no value from what it found in the notes, and know more forms than it writes.
"""

import datetime
import random
from collections.abc import Callable
from typing import NamedTuple

from phiscan.other_forms import other_forms
from phiscan.spike_texts import FILLERS

GIVEN = (
    "Robert Margaret William Elizabeth Thomas Katherine Edward Susan Michael Patricia Joseph Deborah "
    "Anthony Rebecca Benjamin"
).split()
NICKNAME = dict(
    zip(
        GIVEN,
        "Bob Peggy Bill Beth Tom Kate Ed Sue Mike Pat Joe Debbie Tony Becky Ben".split(),
        strict=True,
    )
)
SURNAMES = (
    "Lindqvist Okonkwo Tamblyn Halvorsen Whitcombe Achterberg Villanueva Szymczak Penhaligon Oyelaran "
    "Castellane Drummondell Eichhorn Fairweather Guerrouj Hollingbery Ishimura Jankowiak Kavanaugh Leclerc "
    "Marchetti Norgaard Ostrowe Pettibone Quillfeather Rasmussen Sandoval Thibodeau Ullmann Vandermolen "
    "Wojtyna Yarborough Zielinski Abernethie Brockhurst Cartwrighte Delacroix Espinosa Fitzhugh Grzelak "
    "Haverstock Ivanescu Jorgensen Kirkbride Lamoureux Mulvaney Nakatomi Osterhout Pomerantz Quarrington "
    "Rosenblatt Stravinsky Tillinghast Umberfield Vasquezz Wetherbee Xanthopoulos Yellowhorse Zabriskie Ashgrove"
).split()
STREETS = "Elmhurst Thornberry Quarry Lockwood Hazelmere Saltmarsh Copperfield Windlass".split()
TOWNS = ("Dunmoor", "Harrowgate", "Millbrook", "Eastvale", "Stonebridge", "Ferncliff")
HOSPITALS = ("Brightvale Medical Center", "Harrowgate General Hospital", "Saint Brannoc Hospital")
STATES = (("WY", "Wyoming"), ("VT", "Vermont"), ("OR", "Oregon"), ("NV", "Nevada"))
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third "
    "twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth"
).split()


class Patient(NamedTuple):
    """One patient's values as the note states them."""

    number: int
    given: str
    middle: str
    surname: str
    born: datetime.date
    seen: datetime.date
    age: int
    mrn: str
    ssn: str
    phone: str
    fax: str
    email: str
    house: int
    street: str
    unit: str
    town: str
    state: tuple[str, str]
    zip5: str
    daughter: str
    hospital: str
    device: str
    account: str
    plan: str

    @property
    def patient_id(self) -> str:
        return f"P{self.number:02d}"

    @property
    def note(self) -> str:
        p = self
        return (
            f"ADMISSION NOTE\nPatient: {p.given} {p.middle}. {p.surname}    MRN: {p.mrn}\n"
            f"DOB: {p.born:%m/%d/%Y}   SSN: {p.ssn}\n"
            f"Seen on {p.seen:%m/%d/%Y} at {p.hospital} for {('breathlessness', 'a fall', 'cellulitis')[p.number % 3]}.\n"
            f"This is a {p.age}-year-old retired organist.\n"
            f"Stayed from {p.stay[0]:%m/%d/%Y} to {p.stay[1]:%m/%d/%Y}.\n"
            f"Lives at {p.house} {p.street} Street Apt {p.unit}, {p.town}, {p.state[0]} {p.zip5}.\n"
            f"Phone: {p.phone}   Fax: {p.fax}   Email: {p.email}\n"
            f"Daughter {p.daughter} {p.surname} holds the keys.\n"
            f"Pacemaker serial number {p.device}. Account number: {p.account}. Member ID: {p.plan}\n"
            f"{FILLERS[p.number % len(FILLERS)]}\n"
        )

    @property
    def stay(self) -> tuple[datetime.date, datetime.date]:
        """Two days of one month, neither of them ``seen``."""
        month = self.seen.month % 12 + 1
        return datetime.date(self.seen.year, month, 3), datetime.date(self.seen.year, month, 9)


class Spike(NamedTuple):
    """One continuation and where its value stands."""

    name: str
    """category/form"""
    patient: Patient
    prefix: str
    continuation: str
    start: int
    end: int
    verdict: str


Form = Callable[[Patient], str]


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


# name -> (form, carrier sentence with {} at the value, expected verdict)
FORMS: dict[str, tuple[Form, str, str]] = {
    "PATIENT/verbatim": (lambda p: f"{p.given} {p.middle}. {p.surname}", "We saw Mr. {} on the round.", "verbatim"),
    "PATIENT/no middle initial": (lambda p: f"{p.given} {p.surname}", "Patient: {}", "reformatted"),
    "PATIENT/capitals last first": (
        lambda p: f"{p.surname}, {p.given} {p.middle}".upper(), "Patient Name: {}", "reformatted"),
    "PATIENT/last, first": (lambda p: f"{p.surname}, {p.given}", "Name: {}", "reformatted"),
    "PATIENT/lower case": (lambda p: f"{p.given} {p.surname}".lower(), "patient: {}", "reformatted"),
    "PATIENT/nickname": (lambda p: f"{NICKNAME[p.given]} {p.surname}", "Patient: {}", "reformatted"),
    "PATIENT/surname alone": (lambda p: p.surname, "Mrs. {} feels better today.", "partial"),
    "PATIENT/initial and surname": (lambda p: f"{p.given[0]}. {p.surname}", "Patient: {}", "partial"),
    "PATIENT/initials": (lambda p: f"{p.given[0]}.{p.surname[0]}.", "Patient initials: {}", "partial"),
    "PATIENT/relative": (lambda p: f"{p.daughter} {p.surname}", "Her daughter {} was called.", "verbatim"),
    "DATE/verbatim": (lambda p: f"{p.born:%m/%d/%Y}", "DOB: {}", "verbatim"),
    "DATE/no zeros": (lambda p: f"{p.born.month}/{p.born.day}/{p.born.year}", "DOB: {}", "reformatted"),
    "DATE/month name": (lambda p: f"{p.born:%B} {p.born.day}, {p.born.year}", "Born on {}.", "reformatted"),
    "DATE/day first": (lambda p: f"{p.born.day} {p.born:%b} {p.born.year}", "Born on {}.", "reformatted"),
    "DATE/ISO": (lambda p: f"{p.born:%Y-%m-%d}", "DOB {}", "reformatted"),
    "DATE/two-digit year": (lambda p: f"{p.seen:%m/%d/%y}", "Seen on {} in clinic.", "reformatted"),
    "DATE/joined": (lambda p: f"{p.seen:%d%b%Y}", "Seen {} in clinic.", "reformatted"),
    "DATE/ordinal": (
        lambda p: f"the {_ordinal(p.seen.day)} of {p.seen:%B} {p.seen.year}", "Seen on {} in clinic.", "reformatted"),
    "DATE/number words": (
        lambda p: f"{p.seen:%B} {ORDINALS[p.seen.day - 1]}, {p.seen.year}", "Seen on {} in clinic.", "reformatted"),
    "DATE/day and month": (lambda p: f"{p.seen:%B} {p.seen.day}", "Seen on {} in clinic.", "partial"),
    "DATE/numeric without year": (lambda p: f"{p.seen.month}/{p.seen.day}", "Seen {} in clinic.", "partial"),
    "DATE/month and year": (lambda p: f"{p.seen:%B} {p.seen.year}", "First seen in {}.", "partial"),
    "DATE/range": (
        lambda p: f"{p.stay[0]:%B} {p.stay[0].day}-{p.stay[1].day}, {p.stay[0].year}", "Admitted {}.", "reformatted"),
    "AGE/verbatim": (lambda p: str(p.age), "A {} year old with a cough.", "verbatim"),
    "AGE/number words": (lambda p: other_forms("AGE", str(p.age))[0], "A {}-year-old with a cough.", "reformatted"),
    "MEDICALRECORD/verbatim": (lambda p: p.mrn, "MRN: {}", "verbatim"),
    "MEDICALRECORD/no zeros": (lambda p: p.mrn.lstrip("0"), "MRN: {}", "reformatted"),
    "MEDICALRECORD/grouped": (lambda p: f"{p.mrn[:4]}-{p.mrn[4:]}", "MRN# {}", "reformatted"),
    "MEDICALRECORD/last four": (lambda p: p.mrn[-4:], "MRN ending in {}.", "partial"),
    "SSN/verbatim": (lambda p: p.ssn, "SSN {}", "verbatim"),
    "SSN/blanks": (lambda p: p.ssn.replace("-", " "), "SS# {}", "reformatted"),
    "SSN/digits": (lambda p: _digits(p.ssn), "SSN: {}", "reformatted"),
    "SSN/last four": (lambda p: p.ssn[-4:], "Last four of SSN {}.", "partial"),
    "PHONE/brackets": (lambda p: f"({p.phone[:3]}) {p.phone[4:]}", "Call {} in the evening.", "reformatted"),
    "PHONE/dots": (lambda p: p.phone.replace("-", "."), "Call {} in the evening.", "reformatted"),
    "PHONE/country code": (lambda p: f"+1 {p.phone.replace('-', ' ')}", "Call {} in the evening.", "reformatted"),
    "PHONE/without area": (lambda p: p.phone[4:], "Call {} in the evening.", "partial"),
    "PHONE/last four": (lambda p: p.phone[-4:], "Phone number ending in {}.", "partial"),
    "FAX/brackets": (lambda p: f"({p.fax[:3]}) {p.fax[4:]}", "Fax: {}", "reformatted"),
    "EMAIL/capitals": (lambda p: p.email.upper(), "Email: {}", "reformatted"),
    "STREET/abbreviated": (lambda p: f"{p.house} {p.street} St #{p.unit}", "Lives at {}.", "reformatted"),
    "STREET/without unit": (lambda p: f"{p.house} {p.street} Street", "Lives at {}.", "partial"),
    "STATE/name": (lambda p: p.state[1], "Moved here from {} long ago.", "reformatted"),
    "ZIP/plus four": (lambda p: f"{p.zip5}-0117", "ZIP code {}", "partial"),
    "HOSPITAL/abbreviated": (
        lambda p: p.hospital.replace("Medical Center", "Med Ctr").replace("Hospital", "Hosp").replace("Saint", "St."),
        "Transferred from {}.", "reformatted"),
    "DEVICE/blanks": (lambda p: f"{p.device[:3]} {p.device[3:]}", "Pacemaker serial number {}.", "reformatted"),
    "ACCOUNT/digits": (lambda p: _digits(p.account), "Account number: {}", "reformatted"),
    "HEALTHPLAN/verbatim": (lambda p: p.plan, "Member ID: {}", "verbatim"),
}  # fmt: skip
OTHERS: dict[str, tuple[Form, str]] = {
    "MEDICALRECORD": (lambda p: p.mrn, "MRN: {}"),
    "SSN": (lambda p: p.ssn.replace("-", " "), "SSN {}"),
    "PHONE": (lambda p: f"({p.phone[:3]}) {p.phone[4:]}", "Call {} in the evening."),
    "EMAIL": (lambda p: p.email, "Email: {}"),
    "STREET": (lambda p: f"{p.house} {p.street} Street Apt {p.unit}", "Lives at {}."),
}
"""Values that point at one person by themselves."""
COMMON: dict[str, tuple[Form, str]] = {
    "CITY": (lambda p: p.town, "She lives in {} with her sister."),
    "AGE": (lambda p: str(p.age), "A {} year old with a cough."),
    "PATIENT": (lambda p: p.surname, "Mrs. {} feels better today."),
}
"""Values of others' records that point at nobody."""
IN_PROMPT = (
    "PATIENT/surname alone",
    "PATIENT/capitals last first",
    "MEDICALRECORD/no zeros",
    "DATE/month name",
)
INVENTED = {
    "MEDICALRECORD": ("MRN: {}", "99417763"),
    "PHONE": ("Call {} in the evening.", "802-555-0198"),
    "PATIENT": ("Patient: {}", "Solveig Quennell"),
    "DATE": ("Seen on {} in clinic.", "February 29, 2016"),
}


def make_patients(seed: int = 11) -> list[Patient]:
    """Sixty patients; every value but names of towns, states and ages is one patient's alone."""
    rng = random.Random(seed)
    mrns = rng.sample(range(1_000_000, 9_000_000), len(SURNAMES))
    days = rng.sample(range(20 * 336), 2 * len(SURNAMES))
    return [_patient(number, mrns[number], days[2 * number : 2 * number + 2], rng) for number in range(60)]


def _patient(number: int, mrn: int, days: list[int], rng: random.Random) -> Patient:
    given, surname = GIVEN[number % len(GIVEN)], SURNAMES[number]
    state = STATES[number % len(STATES)]
    return Patient(
        number=number,
        given=given,
        middle="ABCDEFGHJKL"[number % 11],
        surname=surname,
        born=_day(1931, days[0]),
        seen=_day(2002, days[1]),
        age=21 + number,
        mrn=f"0{mrn}",
        ssn=f"9{rng.randrange(10, 99)}-{10 + number}-{rng.randrange(1000, 9999)}",
        phone=f"{rng.choice((617, 802, 413))}-555-01{number:02d}",
        fax=f"{rng.choice((508, 774))}-555-01{number:02d}",
        email=f"{given[0].lower()}.{surname.lower()}@example.org",
        house=100 + 7 * number,
        street=STREETS[number % len(STREETS)],
        unit=f"{number % 9 + 1}B",
        town=TOWNS[number % len(TOWNS)],
        state=state,
        zip5=f"{82000 + 13 * number:05d}",
        daughter=("Ingrid", "Solange", "Petra", "Noemi")[number % 4],
        hospital=HOSPITALS[number % len(HOSPITALS)],
        device=f"PJN{100000 + 311 * number}S",
        account=f"004-{50000 + 77 * number}-7",
        plan=f"XQH{100000000 + 7919 * number}",
    )


def _day(first_year: int, number: int) -> datetime.date:
    """Day ``number`` of years of twelve months of 28 days: no two numbers give one day and month."""
    year, rest = divmod(number, 336)
    return datetime.date(first_year + year, rest // 28 + 1, rest % 28 + 1)


def _ordinal(day: int) -> str:
    ending = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def make_spikes(patients: list[Patient], *, count: int = 500, seed: int = 12) -> list[Spike]:
    """``count`` continuations: four in five leak the patient's own value, the rest do not."""
    rng = random.Random(seed)
    makers = [lambda p, name=name: _own(p, name, rng) for name in FORMS]
    makers += [lambda p, name=name: _other(p, patients, name, rng) for name in OTHERS]
    makers += [lambda p, name=name: _common(p, patients, name, rng) for name in COMMON]
    makers += [lambda p, name=name: _in_prompt(p, name, rng) for name in IN_PROMPT]
    makers += [lambda p, name=name: _invented(p, name, rng) for name in INVENTED]
    return [makers[number % len(makers)](rng.choice(patients)) for number in range(count)]


def _prefix(patient: Patient) -> str:
    return patient.note[: patient.note.index("\n") + 1]


def _spike(
    name: str, patient: Patient, prefix: str, carrier: str, value: str, verdict: str, rng: random.Random
) -> Spike:
    before, after = carrier.split("{}")
    first, last = rng.sample(FILLERS, 2)
    text = f"{first}\n{before}{value}{after}\n{last}\n"
    start = len(first) + 1 + len(before)
    return Spike(name, patient, prefix, text, start, start + len(value), verdict)


def _own(patient: Patient, name: str, rng: random.Random) -> Spike:
    form, carrier, verdict = FORMS[name]
    return _spike(name, patient, _prefix(patient), carrier, form(patient), verdict, rng)


def _other(patient: Patient, patients: list[Patient], name: str, rng: random.Random) -> Spike:
    form, carrier = OTHERS[name]
    other = rng.choice([p for p in patients if p.number != patient.number])
    return _spike(
        f"{name}/another patient's", patient, _prefix(patient), carrier, form(other), "other_patient", rng
    )


def _common(patient: Patient, patients: list[Patient], name: str, rng: random.Random) -> Spike:
    form, carrier = COMMON[name]
    other = rng.choice([p for p in patients if form(p) != form(patient)])
    return _spike(f"{name}/of others", patient, _prefix(patient), carrier, form(other), "common", rng)


def _in_prompt(patient: Patient, name: str, rng: random.Random) -> Spike:
    form, carrier, _ = FORMS[name]
    prefix = "\n".join(patient.note.split("\n")[:3]) + "\n"
    return _spike(f"{name} in prompt", patient, prefix, carrier, form(patient), "in_prompt", rng)


def _invented(patient: Patient, name: str, rng: random.Random) -> Spike:
    carrier, value = INVENTED[name]
    return _spike(f"{name}/invented", patient, _prefix(patient), carrier, value, "invented", rng)
