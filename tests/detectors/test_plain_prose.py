"""Ordinary clinical prose without PHI: no detector may find anything in it, in any case or layout.

Each sentence is a near miss of some rule: wards, places, posts and signatures in general words,
scores, doses, codes, eponyms, headings, verbs of telling, seeing and signing without a name.
"""

from __future__ import annotations

from textwrap import wrap

import pytest

from phiscan.detect import DetectSettings, build_detectors, detect_texts

PROSE = """\
Patient was seen in the emergency room by the on-call resident and admitted to the medical ward.
Transferred to the intensive care unit overnight and back to the step-down unit in the morning.
The stroke unit had no bed, so he waited in the hallway for three hours.
Discussed with cardiology and reviewed with the patient and family at the bedside.
Reviewed with pharmacy; no interactions were found.
Signed consent is in the chart.
Signed electronically by the attending.
Entered by nursing at shift change.
Dictated but not read by the surgeon.
Orders were read back by the nurse and verified by pharmacy.
Notify the physician of any fever, chest pain or new weakness.
Call the clinic if symptoms return or if the wound opens.
Call Light within reach, bed alarm on, side rails up.
Contact precautions are in place for resistant organisms.
Contact: family at bedside.
Contact: Voice mail left twice.
Contact: Best reached in the evening.
Employer asks for a letter about the absence.
Works as tolerated with physical therapy three times a week.
Worked with therapy as a team to plan the transfer.
Served as his own historian and gave a clear account.
He was found by a passing car and brought in by ambulance.
She was found down by a neighbor who called for help.
On account of poor intake, fluids were started at 75 mL/h.
Takes into account 120000 platelets and an INR of 1.3.
Fell near the lake while walking and swims at the pool twice a week.
Weekends at home are quiet and she walks in the park daily.
He fell at the station on the way to work.
The nasal bridge is tender and the left ear canal is clear.
Blood pressure 128/76, heart rate 82, respirations 16, saturation 97% on room air.
Temp 98.6 F, pulse 72 and regular, weight 81.2 kg, height 172 cm.
Strength 5/5 in the right arm, 4/5 in the left arm and 3/5 in both legs.
Motor power 4/5 proximally, 3/5 distally, and 5/5 in the hands.
Reflexes 2/4 at the knees and 1/4 at the ankles.
Pain 7/10 on arrival, 3/10 after treatment.
Grade 2/6 systolic murmur at the apex, no rub or gallop.
Grade 3/6 holosystolic murmur radiates to the axilla.
GCS 15, oriented x 3, recalls 2/3 objects after five minutes.
Hunt and Hess grade 2, Fisher scale 3, no vasospasm.
Babinski absent, Romberg negative, Kernig and Brudzinski signs absent.
Murphy sign positive, McBurney point tender, psoas sign negative.
Foley catheter draining clear urine, 400 mL over eight hours.
Heberden nodes on both hands; Dupuytren contracture of the left palm.
Baker cyst of 3 cm behind the right knee.
Lewy body dementia was considered, Parkinson disease is more likely.
Crohn disease in remission, Hodgkin lymphoma treated ten years ago.
Graves disease, Addison disease and Cushing syndrome were ruled out.
Raynaud phenomenon of the fingers in cold weather.
Bell palsy on the right, resolving slowly.
Holter monitor showed rare ectopy; Doppler of the legs was negative.
Trendelenburg position helped; Valsalva brought the murmur out.
Lasix 40 mg IV twice daily, Coumadin held, Tylenol as needed.
Metoprolol 25 mg BID, lisinopril 10 mg daily, atorvastatin 80 mg nightly.
Vancomycin 1 g IV q12h, day 3 of 7, trough 15.2.
Ceftriaxone and azithromycin were changed to doxycycline on day two.
Insulin sliding scale, 6 units at lunch and 4 units at dinner.
Tapering prednisone from 40 mg by 5 mg every three days.
Vitamin B12 310 pg/mL, folate normal, TSH 2.4, ferritin 88.
Sodium 138, potassium 4.1, chloride 102, bicarbonate 24, creatinine 0.9.
WBC 11.2, Hgb 9.8, platelets 210000, neutrophils 78%.
Troponin 14 ng/L then 12 ng/L, BNP 420, lactate 1.8.
Arterial gas 7.38/41/88 on 2 L by nasal cannula.
Hemoglobin A1c 8.1%, LDL 92, triglycerides 160.
HLA-B27 negative, anti-CCP positive, ESR 44, CRP 12 mg/L.
Urine sediment shows 20 white cells and 2+ protein.
Blood cultures 2 of 2 grew gram positive cocci in clusters.
Coded I10, E11.9 and J18.9 for billing.
Chest film shows a patchy consolidation of the right lower lobe.
CT of the abdomen shows no free air; the appendix is normal.
MRI of the brain shows old lacunes and mild atrophy.
T12 compression is old, L4-L5 disc space is narrowed.
The 4 mm nodule in the left upper lobe is unchanged, follow in 12 months.
Echo shows an ejection fraction of 35% with moderate mitral regurgitation.
Impression: no acute change, findings consistent with heart failure.
Technique: 80 mL of contrast, 3 mm slices, no immediate reaction.
Quality is limited by motion; the pancreatic tail is poorly seen.
Unit 2 of packed cells is running; 2 units were given in the operating room.
Bed 30 degrees, head up, oxygen at 2 L, tube feeds at 45 mL/h.
In the trauma bay 10 minutes after arrival he became hypotensive.
Walked 200 feet with a walker, 12 steps with a rail.
Fall risk is high; 3 falls in the past two months.
Follow-up in two weeks with the primary care office.
Follow-up is arranged; bring the log of blood sugars.
Follow up with Neurology and with Wound Care after discharge.
Repeat labs in four weeks and recheck creatinine quarterly.
Diet low in salt, fluids under 1.5 L, weight every morning.
Code status is full treatment; the family agrees.
Mother had breast cancer, father had a stroke, sister is healthy.
Smokes half a pack a day, 30 pack-years, drinks two beers a week.
Retired and lives alone; the daughter helps with shopping.
Lives in assisted living, moved to a nursing home for rehab.
House in good repair, apartment in the basement, home in order.
Travel history negative, no sick contacts, two cats at home.
Allergies: penicillin causes rash; sulfa causes hives.
Past medical history: hypertension, hyperlipidemia, gout, osteoporosis.
Social history: denies tobacco, alcohol and drug use.
Review of systems: negative for fever, chills, night sweats and weight loss.
Physical examination: well appearing, in no acute distress.
Lungs: crackles at both bases, no wheezes.
Heart: regular rate and rhythm, no murmurs.
Abdomen: soft, nontender, bowel sounds present.
Skin: warm and dry, no rash.
Assessment: community acquired pneumonia, improving on antibiotics.
Plan: continue current therapy, trend lactate, consult nephrology.
Teaching done, two of three questions answered well.
Discharge condition: stable, ambulating, tolerating a regular diet.
Return to the emergency department for chest pain or shortness of breath.
Physical therapy to see before discharge; goal is walking 100 feet.
Social work met with the family about a skilled nursing facility.
Image quality was poor; study repeated without contrast.
Feels better today, slept six hours and ate most of breakfast.
May advance diet; will march in place with therapy.
Glucose 180 fasting, 240 after lunch, 6 units given.
Wound measures 4 by 2 cm with clean margins.
Dressing changed by nursing; drain output 30 mL.
Extubated this morning, now on 4 L, cough is weak.
Ventilator: AC 14, tidal volume 450, PEEP 8, FiO2 40%.
No growth to date; sensitivities are pending.
Presenting complaint: dizziness for two weeks, worse with standing.
Telehealth visit completed, picture and sound were good.
Employment status unknown; insurance pending.
Seen by General Surgery and Infectious Disease, who agree.
Evaluated by Physical Therapy and Occupational Therapy.
Approved by the insurer after an appeal.
Reach for the call bell before standing.
"""

SETTINGS = DetectSettings()
DETECTORS = build_detectors(SETTINGS)


def found(text: str) -> list[tuple[str | None, str]]:
    (spans,) = detect_texts(DETECTORS, [text], SETTINGS)
    return [(span.rule, text[span.start : span.end]) for span in spans]


def by_rules(text: str) -> list[tuple[str | None, str]]:
    (spans,) = detect_texts({"rules": DETECTORS["rules"]}, [text], SETTINGS)
    return [(span.rule, text[span.start : span.end]) for span in spans]


def test_the_page_is_long_enough_to_mean_something() -> None:
    assert len(set(PROSE.splitlines())) >= 100


@pytest.mark.parametrize("sentence", PROSE.splitlines())
def test_a_sentence_alone(sentence: str) -> None:
    assert found(sentence) == []


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        PROSE.replace("\n", " "),
        PROSE.replace("\n", "\r\n\r\n"),
        PROSE.lower(),
        PROSE.lower().replace("\n", " "),
        PROSE.lower().replace(".", "").replace(",", ""),
    ],
    ids=["lines", "one paragraph", "double spaced", "lower", "lower paragraph", "lower unpunctuated"],
)
def test_the_whole_page(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("width", [20, 40, 72])
def test_wrapped_lines(width: int) -> None:
    assert found("\n".join(wrap(PROSE, width))) == []


@pytest.mark.parametrize(
    "text",
    [PROSE.upper(), *("\n".join(wrap(PROSE, width, break_on_hyphens=True)).upper() for width in (30, 72))],
    ids=["lines", "narrow", "wide"],
)
def test_capitals_mislead_no_rule(text: str) -> None:
    assert by_rules(text) == []


@pytest.mark.parametrize("width", [1, 7])
def test_torn_words_mislead_no_rule(width: int) -> None:
    torn = (PROSE[at : at + width] for at in range(0, len(PROSE), width))
    assert by_rules("\n".join(torn).lower()) == []
