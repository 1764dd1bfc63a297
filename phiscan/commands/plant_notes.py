"""The note of a made-up patient: every category of identifier, each in words that say what it is.

Clinical sentences are those of the demo. A note opens with little that identifies, so that nearly all is
still at risk behind a short prompt; layout, order and wording differ from patient to patient, so that no
frame becomes a passage of many notes.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from phiscan.commands.demo_templates import SENTENCES
from phiscan.commands.note_writer import GoldSpan, NoteWriter, Value
from phiscan.commands.plant_patients import PlantPatient
from phiscan.records import PhiText, record

OPENINGS: dict[str, tuple[str, ...]] = {
    "progress": (
        "Progress note {NOTEDATE}, {HOSPITAL}, hospital day {2-19}.\nPatient: {NAME}\n",
        "DAILY NOTE\nName: {NAME}\nDate: {NOTEDATE}\nSite: {HOSPITAL}\n",
        "{NOTEDATE} rounds at {HOSPITAL}. Patient: {NAME}. ",
    ),
    "discharge_summary": (
        "DISCHARGE SUMMARY\nName: {NAME}\nDischarged: {NOTEDATE}\n{HOSPITAL}\n",
        "Summary of stay, {HOSPITAL}, closed {NOTEDATE}\nPatient name: {NAME}\n",
        "Discharge of {title} {NAME} from {HOSPITAL} on {NOTEDATE}. ",
    ),
    "emergency": (
        "ED NOTE {HOSPITAL}\nPatient: {NAME}, arrived {NOTEDATE}\n",
        "Emergency visit to {HOSPITAL}, {NOTEDATE}, triage level {1-4}\nName: {NAME}\n",
        "{HOSPITAL} emergency room, {NOTEDATE}. {title} {NAME} walked in. ",
    ),
    "clinic_letter": (
        "{HOSPITAL}, outpatient clinic\n{NOTEDATE}\nRe: {title} {NAME}\nDear Dr. {DOCTOR},\n",
        "{HOSPITAL}, {NOTEDATE}\nRe: {title} {NAME}\nDear Dr. {DOCTOR}, thank you for sending this patient. ",
        "Clinic letter of {NOTEDATE}\nPatient: {NAME}, seen at {HOSPITAL}\n",
    ),
    "nursing": (
        "Nursing note {NOTEDATE}, {HOSPITAL}\nPatient: {NAME}\n",
        "RN shift note, {HOSPITAL}, {NOTEDATE}\nPatient name: {NAME}\n",
        "{NOTEDATE} nursing handover, {HOSPITAL}\nPatient: {NAME}\n",
    ),
}
"""By type of note."""

IDENTIFIERS: tuple[tuple[str, ...], ...] = (
    (
        "Lives at {STREET}, {CITY}, {STATE} {ZIP} with {pet}.",
        "Home address {STREET}, {CITY}, {STATE} {ZIP}; {1-4} steps at the entrance.",
        "Address: {STREET}, {CITY}, {STATE} {ZIP}.",
        "Will go home to {STREET}, {CITY}, {STATE} {ZIP}, where {heshe} keeps {pet}.",
        "Mail goes to {STREET}, {CITY}, {STATE} {ZIP}.",
    ),
    (
        "Best number {PHONE}, evenings only.",
        "Reach {himher} at {PHONE} after lunch.",
        "Telephone {PHONE}; voice mail may be used.",
        "Call {PHONE} with the result.",
        "Cell phone {PHONE}, {heshe} answers until {7-10} pm.",
    ),
    (
        "{Hisher} {kin} {RELATIVE} shares the house and manages {drug}; phone {RELPHONE}.",
        "{Hisher} {kin} {RELATIVE} is health care proxy, telephone {RELPHONE}.",
        "Emergency contact: {RELATIVE} ({kin}), {RELPHONE}.",
        "{RELATIVE} ({kin}) can be called at {RELPHONE}.",
        "Next of kin: {RELATIVE}, {kin}, phone {RELPHONE}.",
    ),
    (
        "Outside records requested by fax {FAX}.",
        "Pharmacy fax {FAX} for refills of {drug}.",
        "Fax: {FAX}, attention medical records.",
        "Please send the {study} by fax to {FAX}.",
        "Letter went by fax {FAX} this morning.",
    ),
    (
        "E-mail {EMAIL} is preferred over the phone.",
        "Results to {EMAIL} as agreed.",
        "Email: {EMAIL}.",
        "{Heshe} wrote from {EMAIL} about {symptom}.",
        "A diary of {symptom} comes by e-mail from {EMAIL}.",
    ),
    (
        "Portal username {PORTALUSER} activated from {IP}.",
        "Username: {PORTALUSER}, last seen from IP address {IP}.",
        "Telehealth login: {PORTALUSER}; address {IP} was steady.",
        "Username {PORTALUSER} was reset after {2-6} failed attempts from {IP}.",
    ),
    (
        "{URL} has photos of the {site} for {span}.",
        "Readings of the home monitor stand at {URL}.",
        "Web page {URL} shows the log of {symptom}.",
        "{Heshe} posts about {symptom} on {URL}.",
    ),
    (
        "SSN {SSN} checked at registration.",
        "SSN: {SSN}.",
        "Social security number {SSN} verified with the clerk.",
        "Disability form filed under SSN {SSN}.",
    ),
    (
        "MRN: {MRN}.",
        "Medical record number {MRN}.",
        "Filed under MRN {MRN}; wristband matches.",
        "Old chart found, medical record number {MRN}, {2-4} volumes.",
    ),
    (
        "Member ID {PLAN}, prior authorization pending.",
        "Insurance member ID: {PLAN}.",
        "Coverage confirmed, member number {PLAN}.",
        "Plan asks for the {study} report, member ID {PLAN}.",
    ),
    (
        "Guarantor account {ACCOUNT} updated.",
        "Account number: {ACCOUNT}.",
        "Bill goes to account number {ACCOUNT}.",
        "Billing account {ACCOUNT} is on hold.",
    ),
    (
        "Driver license {LICENSE} copied at the desk.",
        "License number: {LICENSE}.",
        "May not drive for {span}; driver's license {LICENSE} noted.",
        "Identity shown by driver license {LICENSE}.",
    ),
    (
        "Car with license plate {VEHICLE} left in lot {2-9}.",
        "License plate: {VEHICLE}, keys with security.",
        "Parked on level {2-9}, license plate {VEHICLE}.",
        "{Hisher} van, license plate {VEHICLE}, was towed.",
    ),
    (
        "Pacemaker serial number {DEVICE} interrogated, battery {30-98}%.",
        "Pump serial number {DEVICE}, rate {2-60} mL/h.",
        "Insulin pump serial number: {DEVICE}.",
        "Hearing aid found under the bed, serial number {DEVICE}.",
    ),
    (
        "Fingerprint template {BIOID} enrolled for the drug cabinet.",
        "Fingerprint ID {BIOID} on file.",
        "Voice print {BIOID} recorded for the telephone line.",
        "Consent given with fingerprint ID: {BIOID}.",
    ),
    (
        "Specimen accession {ACCESSION} sent with {1-4} tubes.",
        "Accession number {ACCESSION}: {study}.",
        "Order number {ACCESSION}, read back by the nurse.",
        "Lab called about accession number {ACCESSION}.",
    ),
    (
        "Works as a {PROFESSION} for {ORGANIZATION}.",
        "Employed as a {PROFESSION} at {ORGANIZATION}.",
        "Off work as a {PROFESSION} for {ORGANIZATION} for {span}.",
        "Retired after years as a {PROFESSION} for {ORGANIZATION}.",
    ),
    (
        "Born in {COUNTRY}, {heshe} came here as a child.",
        "Traveled to {COUNTRY} in spring, no sick contacts.",
        "Moved here from {COUNTRY} years ago.",
        "Originally from {COUNTRY}; keeps {pet}.",
    ),
    (
        "Fell near {PLACE} after {trigger}.",
        "Swims near {PLACE} {1-4} times a week.",
        "Found confused at {PLACE} by a passer-by.",
        "{Heshe} walks to {PLACE} with {pet}.",
    ),
    (
        "Transferred from {HOSPITAL2} for {dx}.",
        "Records from {HOSPITAL2} mention {history}.",
        "Seen at {HOSPITAL2} on {PASTDATE} for {symptom}.",
        "Had a {study} at {HOSPITAL2}: {finding}.",
    ),
    (
        "Moved to {DEPT}, room {ROOM}.",
        "Bed request: {DEPT}, room {ROOM}, quiet side.",
        "Now on {DEPT} in room {ROOM}.",
        "Transferred to {DEPT}, room {ROOM}, after the {study}.",
    ),
    (
        "{AGE}-year-old {sex} with {history}; {hisher} mother died at age {OLDAGE}.",
        "This {AGE} yo {sex} cares for a {OLDAGE}-year-old aunt.",
        "Age {AGE}. Father is alive, {OLDAGE} years old, with {history}.",
        "A {AGE} year old {sex} whose grandmother is {OLDAGE} years old and well.",
    ),
    (
        "DOB {DOB} confirmed; last visit {PASTDATE}.",
        "Date of birth: {DOB}. Admitted before on {PASTDATE}.",
        "Born {DOB}. The {site} was seen on {PASTDATE} too.",
        "Birth date {DOB}; {drug} since {PASTDATE}.",
    ),
    (
        "Follow up on {NEXTDATE} with Dr. {DOCTOR}.",
        "Return visit {NEXTDATE}; Dr. {DOCTOR} agrees with {drug} {dose} {freq}.",
        "Dr. {DOCTOR} will repeat the {study} on {NEXTDATE}.",
        "Appointment {NEXTDATE} in the office of Dr. {DOCTOR}.",
    ),
)
"""Each group names some categories; a note has one sentence of every group."""

_HEADINGS = (
    *("History:", "Background:", "Registration:", "Home situation:", "Interval:", "Course:", "Contacts:"),
    *("Findings:", "Data:", "Arrangements:", "Plan:", "Remarks:", "Assessment:", "Today:", "Follow-up:"),
)
_CLINICAL = tuple(
    sentence
    for topic in ("vitals", "exam", "labs", "imaging", "meds", "plan")
    for sentence in SENTENCES[topic]
)
_LAYOUTS = ((" ", "\n\n"), ("\n- ", "\n"), ("\n", "\n\n"), (" ", "\n"))
"""What parts sentences, and paragraphs."""
_CLINICAL_SENTENCES = 10
"""In a note, beside two that open it and one of each group."""


@record
class PlantNote:
    """What a made-up patient's note says; its copies are equal."""

    note_type: str
    date: PhiText
    text: PhiText
    spans: tuple[GoldSpan, ...]
    """Where its values stand, in text order."""


def write_note(patient: PlantPatient, seed: int) -> PlantNote:
    """The note of ``patient``; equal arguments give equal notes."""
    rng = Random(f"phiscan plant note {seed} {patient.number}")
    note_type = rng.choice(tuple(OPENINGS))
    words = {**patient.words, "hisher": patient.words["Hisher"].lower()}
    writer = NoteWriter(rng, {slot: _always(value) for slot, value in patient.values.items()}, words)
    story = rng.sample(SENTENCES["story"], 2)
    writer.write(" ".join((rng.choice(OPENINGS[note_type]) + story[0], story[1])))
    sentences = [rng.choice(group) for group in IDENTIFIERS] + rng.sample(_CLINICAL, _CLINICAL_SENTENCES)
    rng.shuffle(sentences)
    between, paragraph = rng.choice(_LAYOUTS)
    headings = rng.sample(_HEADINGS, len(_HEADINGS))
    while sentences:
        size = rng.randint(3, 6)
        part, sentences = sentences[:size], sentences[size:]
        writer.write(paragraph + between.join((headings.pop(), *part)))
    return PlantNote(
        note_type=note_type, date=patient.visited, text="".join(writer.pieces), spans=tuple(writer.spans)
    )


def _always(value: Value) -> Callable[[], Value]:
    return lambda: value
