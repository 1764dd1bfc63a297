"""Sentences and word lists of the demo's synthetic notes; everything in them is invented here.

``{NAME}`` in capitals is filled with a PHI value and becomes a gold span, ``{drug}`` with a word
of :data:`WORDS` or of the patient, ``{4-9}`` with a whole number of that range. No sentence holds
PHI of its own: people's names inside diagnoses, doses and scores are traps for detectors.
"""

from __future__ import annotations

from typing import NamedTuple


def items(text: str) -> tuple[str, ...]:
    """The members of a list written with semicolons."""
    return tuple(text.split("; "))


DISCLAIMER = (
    "This document was prepared for the treating team and may contain errors of transcription that were "
    "not corrected before signature. It must not be copied, forwarded or quoted outside the hospital "
    "without permission of the records office. Anyone who receives it by mistake should destroy every "
    "copy and tell the sender at once. Findings are valid only for the day on which they were made."
)
"""Boilerplate under the notes of many patients: memorised by the model, yet nobody's secret."""

WORDS: dict[str, tuple[str, ...]] = {
    "drug": items(
        "lisinopril; metoprolol; furosemide; apixaban; atorvastatin; metformin; gabapentin; sertraline; "
        "prednisone; levetiracetam; omeprazole; amlodipine; allopurinol; tamsulosin; losartan; warfarin; "
        "duloxetine; mirtazapine; spironolactone; hydralazine; montelukast; methotrexate; pregabalin; "
        "carvedilol"
    ),
    "antibiotic": items(
        "ceftriaxone; vancomycin; azithromycin; doxycycline; cefepime; piperacillin; meropenem; linezolid; "
        "cephalexin; levofloxacin"
    ),
    "dose": items("2.5 mg; 5 mg; 10 mg; 12.5 mg; 20 mg; 25 mg; 40 mg; 75 mg; 80 mg; 150 mg"),
    "freq": items("daily; BID; TID; q4h; q12h; nightly; every other day; weekly; as needed"),
    "dx": items(
        "community acquired pneumonia; decompensated heart failure; acute pancreatitis; septic arthritis; "
        "lower gastrointestinal bleeding; pulmonary embolism; diabetic ketoacidosis; acute cholecystitis; "
        "pyelonephritis; atrial flutter; small bowel obstruction; aspiration pneumonitis; cellulitis; "
        "temporal arteritis; infective endocarditis; acute kidney injury; hip fracture; transient ischemia; "
        "upper extremity thrombosis; bacterial meningitis; asthma exacerbation; diverticulitis"
    ),
    "history": items(
        "type 2 diabetes; Crohn disease; stage 3 kidney disease; Parkinson disease; psoriasis; gout; Hodgkin "
        "lymphoma in remission; migraine; hepatitis C, cleared; Graves disease; sleep apnea; Raynaud "
        "phenomenon; polymyalgia; osteoporosis; essential tremor; celiac disease; glaucoma; Addison disease; "
        "bipolar disorder; alcohol use disorder; peripheral neuropathy; hearing loss"
    ),
    "symptom": items(
        "chest tightness; shortness of breath; flank pain; night sweats; calf swelling; dizziness; black "
        "stools; blurred vision; jaw pain; productive cough; palpitations; confusion; rash; right knee "
        "swelling; vomiting; neck stiffness; weight loss; left arm weakness; hoarseness"
    ),
    "trigger": items(
        "climbing stairs; a heavy meal; a long drive; gardening; lifting a crate; a cold bath; missing "
        "several doses; a dental cleaning; a fall on ice; a viral illness; shoveling gravel"
    ),
    "site": items(
        "right lower lobe; left hip; sigmoid colon; right shoulder; left kidney; lumbar spine; gallbladder; "
        "left popliteal fossa; pancreatic tail; aortic root; right ankle; liver dome"
    ),
    "study": items(
        "chest film; CT of the abdomen; MRI of the brain; duplex ultrasound; echocardiogram; bone scan; CT "
        "angiogram; plain film of the hip; renal ultrasound; swallow study"
    ),
    "finding": items(
        "patchy consolidation; no acute change; a small effusion; mild stenosis; a 4 mm nodule; moderate "
        "edema; wall thickening; a nondisplaced fracture; trace free fluid; scarring"
    ),
    "service": items(
        "cardiology; nephrology; wound care; physical therapy; infectious disease; nutrition; palliative "
        "care; gastroenterology; rheumatology; social work; neurology; pharmacy"
    ),
    "span": items("2 weeks; x 3 days; 10 days; six hours; a month; four days; a fortnight; 5 weeks"),
    "state_of": items("stable; improving; unchanged; slightly worse; much better; guarded; fair"),
    "kin": items("daughter; son; wife; husband; sister; brother; niece; neighbor; cousin; mother"),
    "pet": items(
        "two cats; an old terrier; a parrot; a greenhouse of orchids; a small workshop; three goats"
    ),
}

SENTENCES: dict[str, tuple[str, ...]] = {
    "story": (
        "{AGE}-year-old {sex} with {history} who came in with {symptom} for {span}.",
        "This {AGE} yo {sex} noticed {symptom} after {trigger}.",
        "{title} {LAST} reports {symptom} since {PASTDATE}, worse with {trigger}.",
        "{Heshe} describes {symptom} and {symptom}, rated pain {2-9}/10.",
        "Symptoms began {span} ago while {heshe} was recovering from {trigger}.",
        "Known {history} and {history}, treated elsewhere until {PASTDATE}.",
        "Presentation fits {dx}; {dx} seems less likely.",
        "Last admission {PASTDATE} for {dx}, complicated by {symptom}.",
        "{Heshe} denies {symptom}, {symptom} or recent travel.",
        "Overnight {heshe} had {symptom} which settled with {drug} {dose}.",
        "Feels {state_of} today; slept {3-8} hours and ate {20-90}% of breakfast.",
        "Course marked by {dx}, now {state_of} on {antibiotic}.",
        "Weakness 2/2 {history}, {state_of} compared with last week.",
        "The {kin} called the ambulance when {heshe} developed {symptom} at {1-9} am.",
        "Since starting {drug} {heshe} has had less {symptom} but more {symptom}.",
        "Transferred for management of {dx} after {span} of {antibiotic} elsewhere.",
    ),
    "vitals": (
        "BP {96-178}/{52-98}, HR {54-128}, RR {12-28}, SpO2 {88-99}% on {1-6}L.",
        "Temp {97-102}.{0-9} F, pulse {56-120} regular, pressure {98-170}/{54-94}, saturation {89-99}%.",
        "Vitals at {2-11} pm: T {36-39}.{0-9}, BP {100-165}/{58-90}, pain {0-9}/10, GCS {13-15}.",
        "Weight {48-118}.{0-9} kg, down {1-6} kg; glucose {84-310} fasting.",
        "Hemodynamics {state_of}: MAP {61-99}, rate {58-122}, urine {20-90} mL/h.",
        "Afebrile, heart rate {58-104}, respiratory rate {12-24}, BP 120/80 seated.",
    ),
    "exam": (
        "Strength {3-5}/5 in the left arm and {3-5}/5 in both legs.",
        "Lungs with crackles at the bases, {state_of} since morning.",
        "Abdomen soft, tender over the {site}, no guarding.",
        "Babinski absent, Romberg negative, gait {state_of}.",
        "Foley draining {200-900} mL of clear urine.",
        "{0-3}+ edema to the knees; Homans sign not elicited.",
        "Murphy sign positive, McBurney point not tender.",
        "Wound over the {site} measures {2-9} by {1-6} cm with clean margins.",
        "Oriented x {2-3}, recalls {1-3}/3 objects, clock drawing {state_of}.",
        "Grade {1-4}/6 systolic murmur at the apex, no rub.",
        "Pupils {2-5} mm and brisk; neck supple; skin warm.",
        "Heberden nodes on both hands, grip {state_of}.",
        "Glasgow score {13-15}; Hunt and Hess grade {1-3} on arrival.",
    ),
    "labs": (
        "WBC {4-21}.{0-9}, Hgb {7-15}.{0-9}, platelets {88-420}.",
        "Sodium {124-146}, potassium {3-5}.{0-9}, creatinine {0-4}.{1-9}.",
        "Lactate {1-5}.{0-9}, troponin {12-480} ng/L then {10-300} ng/L.",
        "Vitamin B12 {140-780} pg/mL, ferritin {9-510}, TSH {0-7}.{0-9}.",
        "Hemoglobin A1c {5-12}.{0-9}%, LDL {48-190}, BNP {60-2400}.",
        "INR {1-4}.{0-9} on warfarin; fibrinogen {180-560}.",
        "Lipase {22-1900}, bilirubin {0-6}.{0-9}, ALT {12-410}.",
        "Blood cultures {1-2} of 2 grew a gram positive coccus, sensitive to {antibiotic}.",
        "Urine sediment shows {2-60} white cells; protein {0-3}+.",
        "Bence Jones protein absent; CRP {3-240} mg/L, ESR {6-110}.",
        "Arterial gas 7.{28-47}/{30-62}/{58-110} on {24-60}% oxygen.",
    ),
    "imaging": (
        "The {study} shows {finding} at the {site}.",
        "Compared with {PASTDATE}, {finding} in the {site} is {state_of}.",
        "{study}: {finding}; {finding} cannot be excluded.",
        "No change of the {site}; T{5-12} compression is old.",
        "Technique: {study} with {40-110} mL contrast, {2-5} mm slices.",
        "Incidental {finding} near the {site}, follow in {3-12} months.",
        "L{2-4}-L5 disc space narrowed, {finding} beside the {site}.",
        "Impression: {finding}, consistent with {dx}.",
        "The {site} is {state_of}; Baker cyst of {1-4} cm unchanged.",
        "Image quality limited by motion; the {site} is poorly seen.",
    ),
    "meds": (
        "{drug} {dose} {freq}, {drug} {dose} {freq}.",
        "Started {antibiotic} {1-2} g IV q{6-12}h, day {1-9} of {7-14}.",
        "Held {drug}; resumed {drug} at {dose} {freq}.",
        "{drug} raised from {dose} to {dose} because of {symptom}.",
        "Allergic to {antibiotic}: {symptom} within {span}.",
        "Lasix {20-80} mg IV once, then {drug} {dose} {freq}.",
        "Sliding scale insulin, {4-22} units at lunch; {drug} unchanged.",
        "Patient prefers to stop {drug}, which caused {symptom}.",
        "Tapering prednisone from {30-60} mg by 5 mg every {2-5} days.",
        "Oral {antibiotic} for {span} after discharge.",
        "Oxycodone {5-10} mg {freq} for breakthrough, Narcan kit given.",
    ),
    "plan": (
        "Repeat {study} in {2-9} weeks and recheck creatinine quarterly.",
        "{service} to see before discharge; goal is walking {20-200} feet.",
        "Continue {antibiotic}, trend lactate, consult {service}.",
        "Follow up on {NEXTDATE} with Dr. {DOCTOR2}.",
        "Return visit {NEXTDATE}; bring the log of {symptom}.",
        "Discussed with Dr. {DOCTOR2}, who agrees with {drug} {dose} {freq}.",
        "If {symptom} recurs, stop {drug} and call the same day.",
        "Diet low in salt, fluids under {1-2}.{0-9} L, weight every morning.",
        "Code status reviewed {PASTDATE}: full treatment, {kin} agrees.",
        "Coded I{10-50} and E11.{2-9}; {service} will check the bill.",
        "Procedure set for {NEXTDATE} in {ROOM}, nothing by mouth from midnight.",
        "Teaching on {drug} done, {1-3} of 3 questions answered well.",
        "Apgar style scoring is not used here; pain goal {2-4}/10.",
    ),
    "social": (
        "Retired {PROFESSION}, keeps {pet}.",
        "Works as a {PROFESSION} for {ORGANIZATION}.",
        "Lives at {STREET}, {CITY}, {STATE} {ZIP} with {pet}.",
        "Home address {STREET}, {CITY} {ZIP}; {1-4} steps at the entrance.",
        "Born in {COUNTRY}, moved to {CITY} as a child.",
        "{Hisher} {kin} {RELATIVE} shares the house and manages {drug}.",
        "{Hisher} {kin} {RELATIVE} is health care proxy.",
        "Employer {ORGANIZATION} asks for a letter about the {NEXTDATE} absence.",
        "Fell near {PLACE}; found by a passing {PROFESSION}.",
        "Spends weekends at {PLACE} and swims there {1-4} times a week.",
        "Traveled to {COUNTRY} in spring, no sick contacts.",
        "Drinks {1-6} beers a week, quit smoking {2-30} years ago, {heshe} says.",
        "Mail goes to {STREET}, not to the shelter in {CITY}.",
        "Served with {ORGANIZATION} as a {PROFESSION} before {history} began.",
    ),
    "contact": (
        "Best number {PHONE}, evenings only.",
        "Reach {himher} at {PHONE}; the {kin} answers {RELPHONE}.",
        "{RELATIVE} ({kin}) can be called at {RELPHONE}.",
        "Results to {EMAIL}; letter by fax {FAX}.",
        "E-mail {EMAIL} is preferred over the phone.",
        "Pharmacy fax {FAX}, refills by {NEXTDATE}.",
        "{URL} has photos of the {site} for {span}.",
        "From {IP} the home monitor sends to {URL}.",
        "Voice mail at {PHONE} may be used, {heshe} agreed on {PASTDATE}.",
        "Telehealth visit from address {IP}, picture {state_of}.",
        "Notify {RELATIVE} of any change, day or night: {RELPHONE}.",
        "Outside records requested by fax to {FAX}, attention Dr. {DOCTOR2}.",
    ),
    "ids": (
        "SSN {SSN} checked at registration.",
        "Member ID {PLAN}, prior authorization pending.",
        "Guarantor account {ACCOUNT} updated, SSN {SSN}.",
        "Driver license {LICENSE} copied on {PASTDATE}.",
        "Car with plate {VEHICLE} left in lot {2-9}.",
        "Pacemaker serial {DEVICE} interrogated, battery {30-98}%.",
        "Pump serial number {DEVICE}, rate {2-60} mL/h.",
        "Fingerprint template {BIOID} enrolled for the drug cabinet.",
        "Specimen accession {ACCESSION} sent with {1-4} tubes.",
        "Order number {ACCESSION}, read back by the nurse.",
        "Insurance number {PLAN}, account {ACCOUNT}.",
        "Portal user {PORTALUSER} activated from {IP}.",
        "License {LICENSE} shows {himher} at {STREET}.",
        "Parked plate {VEHICLE}, keys with security; voice print {BIOID} on file.",
    ),
}


class NoteKind(NamedTuple):
    """The build of one kind of note: openings, then paragraphs (heading choices, topics in order)."""

    openings: tuple[str, ...]
    paragraphs: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


_ADMISSION = (
    "ADMISSION NOTE {NOTEDATE}\nPatient: {NAME}  MRN: {MRN}  DOB: {DOB}\n{HOSPITAL}, {DEPT}, room {ROOM}",
    "History and Physical\n{LASTFIRST}  #{MRN}\nAdmitted {NOTEDATE} to {DEPT}, {HOSPITAL}, by Dr. {DOCTOR}",
    "{HOSPITAL}\nAdmission of {NAME} (born {DOB}) on {NOTEDATE}, bed {ROOM}, record {MRN}",
)
_PROGRESS = (
    "Progress note, {NOTEDATE}\n{LASTFIRST}, MRN {MRN}, {DEPT} {ROOM}",
    "{NOTEDATE} hospital day {2-19}. {NAME}, {MRN}, seen in {ROOM} with Dr. {DOCTOR}.",
    "DAILY NOTE\nName: {NAME}\nUnit: {DEPT}, {ROOM}\nDate: {NOTEDATE}\nMRN: {MRN}",
)
_DISCHARGE = (
    "DISCHARGE SUMMARY\nName: {NAME}\nMRN: {MRN}  DOB: {DOB}\nAdmitted: {PASTDATE}  Discharged: {NOTEDATE}",
    "{HOSPITAL} discharge of {LASTFIRST}, {MRN}, on {NOTEDATE}\nAttending: {DOCTOR}",
    "Summary of stay {PASTDATE} to {NOTEDATE}\n{NAME}, born {DOB}, {DEPT}, {HOSPITAL}",
)
_EMERGENCY = (
    "ED NOTE {HOSPITAL}\n{LASTFIRST}  MRN {MRN}  arrived {NOTEDATE}, bay {ROOM}",
    "Emergency visit {NOTEDATE}. {NAME}, DOB {DOB}, triage level {1-4}, {DEPT}.",
    "Seen in the emergency room by {DOCTOR}, {NOTEDATE}\nPatient {NAME}, {MRN}, bay {ROOM}",
)
_LETTER = (
    "{HOSPITAL}, {DEPT}\n{NOTEDATE}\nDear Dr. {DOCTOR2},\nRe: {NAME}, born {DOB}, {STREET}, {CITY}",
    "{NOTEDATE}\nRe: {LASTFIRST}, record {MRN}\nDear Dr. {DOCTOR2}, thank you for sending {title} {LAST}.",
    "Clinic letter of {NOTEDATE}\nOur reference {MRN}; {NAME}, {STREET}, {CITY}, {STATE} {ZIP}",
)
_RADIOLOGY = (
    "RADIOLOGY REPORT\nAccession {ACCESSION}  {NOTEDATE}\n{LASTFIRST}  {MRN}  DOB {DOB}",
    "{study}, {NOTEDATE}, accession {ACCESSION}\nPatient {NAME}, {MRN}, ordered by {DOCTOR}",
    "{HOSPITAL} imaging, exam {ACCESSION}\n{NAME} ({DOB}), room {ROOM}, {NOTEDATE}",
)
_NURSING = (
    "Nursing note {NOTEDATE}, {DEPT}\nBed {ROOM}: {NAME}, MRN {MRN}",
    "RN shift note. {LASTFIRST} in {ROOM}, {DEPT}, {NOTEDATE}, wristband {MRN}.",
    "{NOTEDATE} nursing, {HOSPITAL}\n{NAME}, DOB {DOB}, {ROOM}",
)

KINDS: dict[str, NoteKind] = {
    "admission": NoteKind(
        _ADMISSION,
        (
            (("HPI:", "History:", "Presenting complaint:"), ("story",)),
            (("Social:", "Background:"), ("social", "ids")),
            (("Exam:", "On examination:", "Objective:"), ("exam",)),
            (("Plan:", "A/P:", "Assessment and plan:"), ("labs", "plan", "contact")),
        ),
    ),
    "progress": NoteKind(
        _PROGRESS,
        (
            (("S:", "Subjective:", "Interval:"), ("story", "social")),
            (("O:", "Objective:", "Data:"), ("vitals", "labs")),
            (("A/P:", "Plan:", "Today:"), ("plan", "contact", "contact")),
        ),
    ),
    "discharge_summary": NoteKind(
        _DISCHARGE,
        (
            (("Hospital course:", "Course:", "Summary:"), ("story", "meds")),
            (("Disposition:", "Home situation:"), ("social", "contact")),
            (("Follow-up:", "Going home:"), ("plan", "ids", "labs")),
        ),
    ),
    "emergency": NoteKind(
        _EMERGENCY,
        (
            (("Complaint:", "HPI:", "Story:"), ("story", "social")),
            (("Findings:", "Workup:", "Exam:"), ("vitals", "imaging")),
            (("Registration:", "Contacts:"), ("ids", "contact", "contact")),
        ),
    ),
    "clinic_letter": NoteKind(
        _LETTER,
        (
            (("Today:", "Since the last visit:", "Review:"), ("story", "exam", "social")),
            (("Treatment:", "Medication:"), ("meds", "plan")),
            (("Arrangements:", "Contact:"), ("contact", "ids")),
        ),
    ),
    "radiology": NoteKind(
        _RADIOLOGY,
        (
            (("Indication:", "Reason:"), ("story",)),
            (("Findings:", "Report:"), ("imaging", "imaging", "imaging")),
            (("Communication:", "Result given:"), ("contact", "contact", "ids", "social")),
        ),
    ),
    "nursing": NoteKind(
        _NURSING,
        (
            (("Shift events:", "Events:", "Overnight:"), ("vitals", "meds")),
            (("Family:", "Visitors:", "Belongings:"), ("social", "contact", "ids")),
            (("Handover:", "To do:", "Next shift:"), ("plan", "exam")),
        ),
    ),
}

SIGN_OFFS = (
    "Signed {DOCTOR}, {NOTEDATE}",
    "Dictated by {DOCTOR}, typed by {TYPIST}",
    "Electronically signed: {TYPIST} for {DOCTOR}",
    "{DOCTOR}, MD ({TYPIST})",
    "Reviewed with {DOCTOR} and {DOCTOR2}",
    "Entered by {TYPIST} on {NOTEDATE}",
)

CLINICAL = frozenset({"story", "vitals", "exam", "labs", "imaging", "meds", "plan"})
"""Topics that long notes repeat most."""
