"""Notes from the wards: discharge, progress, nursing, transfer, dialysis, therapy."""

from heldout.records import Template

DISCHARGE = """\
DISCHARGE SUMMARY

PATIENT NAME: {pt.LF}
MEDICAL RECORD NUMBER: {mrn}
[ACCOUNT NUMBER: {acct}
|]DATE OF ADMISSION: {d:-6}
DATE OF DISCHARGE: {d:0}
ATTENDING PHYSICIAN: {dr1.full}, [M.D.|MD|D.O.]
[SERVICE: General Medicine, {ward}|SERVICE: Cardiology|UNIT: {ward}, Room {room}]

ADMISSION DIAGNOSIS: Community-acquired pneumonia, right lower lobe.
SECONDARY DIAGNOSES: Type 2 diabetes mellitus[, E11.9|], hypertension, Parkinson disease, stage 3 chronic kidney disease.

HISTORY OF PRESENT ILLNESS: {Mr} {pt.last} is {an_age}-year-old [retired {job}|right-handed {man}|{man}] who presented to the emergency department on {d:-6} with 3 days of productive cough, fevers to {f:38:40} and pleuritic chest pain rated 7/10. [{He} was last hospitalized at {hosp2} in {my:-400} for a hip fracture.|{He} had been discharged from {snf} two weeks prior.|No hospitalizations since {y:-1500}.] [{His} {r1.role}, {r1.first}, noticed that {he} was confused on the morning of {wd:-6}.|According to {his} {r1.role} {r1.first}, {he} may have skipped {his} Sinemet for several doses.] {He} denied hemoptysis, night sweats or weight loss.

HOSPITAL COURSE: The patient was started on ceftriaxone 1 g IV daily and azithromycin 500 mg. Blood cultures grew Streptococcus pneumoniae in 2/4 bottles. Dr. {dr2.last} of Infectious Diseases was consulted on {p:-4} and recommended a 7-day course. Oxygen was weaned from 4 L to room air by hospital day 3. [Hospital course was complicated by a run of 8 beats of NSVT; Dr. {dr3.last} reviewed the tracing and felt that no further work-up was needed.|Creatinine rose from 1.4 to {f:2:3} and returned to baseline with fluids.|]  Physical therapy, {dr4.full}, felt that {he} would be safe at home with a rolling walker.

CONDITION AT DISCHARGE: Good. Temperature 36.8, BP 128/72, heart rate {n:60:90}, SaO2 95% on room air. Strength 5/5 throughout. Glasgow Coma Scale 15.

MEDICATIONS ON DISCHARGE:
1. Amoxicillin-clavulanate 875 mg p.o. b.i.d. x 4 days.
2. Carbidopa-levodopa 25/100, 1 tablet t.i.d.
3. Lisinopril 10 mg p.o. daily.
4. Metformin 500 mg p.o. b.i.d., may resume in 48 hours.[
May shower. Will need an INR check in 1 week.|]

FOLLOW-UP: {Mr} {pt.last} will see Dr. {dr5.full} at {clinic} on {d:9}[ at 10:30 a.m.|]. [A chest film will be repeated in 6 weeks.|The {clinic2} will call about the sleep study; their number is {phone}.|] The patient and {his} {r1.role} know to call {phonex} with fever over 101.

[CODE STATUS: Full code. Health care proxy is {his} {r2.role}, {r2.full}, at {phone}.|CODE STATUS: DNR/DNI, confirmed with {r2.full}.|]

______________________________
{dr1.full}, M.D.

DICTATED BY: {dr6.full}, M.D.
D: {d:0}
T: {d:1}
Job #: {enc}
cc: {dr5.full}, M.D.[
    {dr2.full}, M.D.|]
"""

PROGRESS = """\
[IM Intern PN|Medicine Intern Progress Note|HO1 Note] [HD#3|HD 4|hosp day 5]
{d:0} [0640|7:15a|06:50]
{pt.lf%} | MRN {mrn} | [Rm {room}|{ward} rm {room}|{ward}-{room}]

ID/CC: {age}yo {M} w/ h/o CHF (EF 35%), COPD, afib on warf, p/w SOB + LE edema x 5d.

24h: [NAEON|Afeb o/n. Had 1x episode of desat to 86% after amb, resp to 2L NC|Triggered {time} for HR 130s, given dilt 10 IV x1 c good effect]. I/O 1200/2850. [Pt's {r1.role} {r1.first} called x2, updated by RN {dr5.first}.|{r1.Role} at bs.|]
S: "feels ok", slept 4h, pain 2/10. No CP/palp. +BM x1.
O: Tm 37.4 Tc 36.9 HR {n:70:98} BP 112/68 RR 18 94% 2L
Gen: NAD, A&Ox3. JVP 10 cm. CV irreg irreg, 2/6 SEM LUSB. Lungs: bibasilar crackles 1/3 up. Ext 2+ pitting to mid shin, nl cap refill.
Labs: Na 134 K {f:3:5} Cl 98 HCO3 30 BUN 34 Cr {f:1:2} (1.8 {wd:-1}) Mg 1.9. INR 2.4. BNP 1840 <-- 3320 on {p:-3}.
TTE {p:-2}: EF 30-35%, mod MR. [Last cath {my:-700} @ {hosp2:abbr}: 2VD, no intervention.|OSH echo from {hosp2:short} ({my:-500}) EF 40%.]

A/P: {age}yo {M} HD#4 acute on chronic HFrEF, improving.
# ADHF: cont lasix 80 IV BID, goal -1.5L. Na <2g, daily wts. [Cards following, appreciate recs (d/w Drs {dr2.last} and {dr3.last}).|D/w {dr2.last}/{dr3.last} (cards): RHC {wd:2} if plateaus.]
# Afib: warf 5 tonight, INR in AM. May need amio; will hold for now.
# COPD: nebs q4h prn, pred 40 x 5d (today d3/5).
# DM2: ISS, A1c {f:7:10}. FS 140-220.
# Ppx: warf, PPI. FEN: cardiac diet. Foley out {p:-1}.
# Dispo: PT to see. CM ({dr4.first}) working on [{snf}|rehab bed at {snf}], likely {wd:2}[ or after {hol}|]. PCP {dr6.last} [emailed|paged p. {pager}].
Code: [full|DNR ok to intubate], HCP {r1.role} {r1.first} {r1phone}

{dr1.il}, PGY1  pgr {pager}
[Plan d/w attg {dr7.last}.|Seen and d/w Dr. {dr7.full}|]
"""

NURSING = """\
ICU NURSING FLOW NOTE   {d:0}  [1900-0700|7p-7a|0700-1900]
Pt: {pt.LF}   [Bed {bed}|{ward}, bed {bed}]   RN: [{dr1.fl}|{dr1.full}][ / user {user:dr1}|]

NEURO: Sedated on propofol 30 mcg/kg/min, RASS -2. Opens eyes to voice, MAE, follows simple commands. Pupils 3mm brisk bilat. GCS 10T. Pt's {r1.role} [{r1.first} states pt wears glasses and R hearing aid|reports pt speaks mostly Portuguese at home, interpreter used].
CV: NSR 78-92, occ PVCs. Levophed 6 mcg/min weaned to off at {time}. MAP >65. R IJ TLC D2, L radial A-line good waveform. PIVs: 18G L AC, 20g R hand. [Drew blood cx x2 from A-line. |]Lytes repleted: K 3.4 -> 40 mEq.
RESP: ETT 7.5 @ 23 lip. AC 450x16 PEEP 8 FiO2 50%, sats 94-97%. ABG 7.36/42/88. Sxn'd q2-3h thick tan. [Dr. {dr2.last} at bedside {time} for bronch, specimen {spec} sent.|RT {dr3.first} notified of cuff leak.]
GI/GU: OGT to LIS -> TF Jevity @ 40 cc/hr, residuals <60. BS hypoactive. Foley draining amber urine 30-50 cc/hr. BM x0. Colace given.
SKIN: Stage 2 coccyx 2 x 1.5 cm, Mepilex changed. Braden 13. Heels floated.
ENDO: insulin gtt per protocol, BG 128-164.
LINES/EQUIP: [Alaris pump SN {serial} alarmed x2, swapped w/ SN {serial}, biomed called ext {ext}.|Ventilator s/n {serial} passed self-test at shift start.|Bed scale off by 4 kg; bed exchanged (asset no. {serial}).]
SOCIAL: {r1.Role} {r1.full} visited [until 2100|w/ {r2.role} {r2.first}]. [Wants to be called w/ any change, cell {r1phone}.|Will be back {wd:1} AM, phone {r1phone}; if no answer try {r2.first} at {phone}.] [Chaplain paged at family's request; pt attends {church}.|Family asking re transfer closer to home ({city}).|Upset about parking, given voucher. SW {dr4.full} aware.|]
PLAN: SBT in am[; {pt.ini} to stay NPO|]. Wean sedation. Family mtg {p:1} @ 1400 w/ Dr {dr5.last} + palliative. Turn q2h.
[Report given to {dr6.full}, RN @ 0715|Report to {dr6.first}, RN] -- {dr1.full}, RN, CCRN
"""

TRANSFER = """\
INTERFACILITY TRANSFER SUMMARY

From: {hosp}, {ward}, {city:a}, {st:a}
To: {hosp2}[, {ward2}|, bed assignment {room}]
Accepting: Dr. {dr2.full} (accepted by phone {d:0}, {time})
Transfer center log no. {enc}       Call back: {phonex}

Name: {pt.lf}          DOB: {dob}          [Sex: {M}|]
MRN (sending): {mrn}      [SSN: {ssn}|SSN {masked}|Last 4 SSN: {last4}]
Address: {street}, {city}, {st} {zip}
Emergency contact: {r1.full} ({r1.role}) {r1phone}
Insurance: [{ins}, ID {plan}|Medicare {medicare}|{ins} policy # {plan}, group {group}]

REASON FOR TRANSFER: Higher level of care. STEMI s/p lytics with ongoing 6/10 chest pain; no cath lab on weekends.

COURSE: {age} y/o {male} with hypertension and hyperlipidemia was [mowing the lawn at home in {city}|helping {his} {r1.role} move furniture|at work as {ajob}|driving near {place}] when {he} developed crushing substernal pain. EMS 12-lead: 3 mm ST elevation II, III, aVF. Arrived {hosp:abbr} ED {time}. TNK 40 mg at {time}. Aspirin 325, clopidogrel 300, heparin bolus 60 U/kg then 12 U/kg/hr. Troponin 0.42 then {f:5:20}. {dr3.full} (cardiology) discussed with {dr2.last} at {hosp2:abbr} and agreed on rescue PCI.
[Prior records: stent {my:-900} at {hosp3}, Dr. {dr4.last}.|{He} was seen at {hosp3:short} in {season:-500} for similar symptoms, stress test negative.|]
Allergies: shellfish (hives). Lines: 18 g R AC, 20 g L forearm. Weight {n:55:120} kg.
Vitals on departure: BP 98/60, HR 58, RR 20, O2 sat 96% 2 L, pain 4/10. TIMI 4. Killip class II.
Transport: [air|ALS ground], crew {dr5.last}/{dr6.last}, ETA 45 min. [Family will drive separately.|{r1.Role} riding along.|]
Sent with patient: ECG x3, CD of chest CT (accession {acc}), lab print-outs, belongings bag. [Records also faxed to {fax}.|]

Transferring physician: {dr1.full}, MD [(lic. {lic})|(NPI {npi})|] {d:0}
"""

DIALYSIS = """\
HEMODIALYSIS TREATMENT RECORD - {renal}
[ID verified by palm vein scan, template no. {bio}.|Pt check-in: fingerprint {bio} matched.|Pt identified by name + DOB.]
Patient: {pt.lfm}  DOB {dob}  Chart {mrn}[  Medicare ID {medicare}|  Plan ID {plan}]
Date: {d:0} ([MWF|TTS] shift [1|2|3])   Chair: {bed}   Machine S/N {serial}
[Dialyzer F180, reuse #0, serial {serial}. |]Access: L AVF, 15G x2. Qb 400 Qd 600. Heparin 2000 u bolus.
Dry wt 71.5 kg. Pre {f:72:77} Post {f:70:72}. UF goal 2.8 L. Pre BP 162/84, nadir 104/58 at {time}, cramps R calf 5/10 -> 200 cc NS w/ relief.
Kt/V 1.42 ([{mo:-30}|{my:-30}]). Hgb 10.4, PTH 412, phos 5.9, K 5.3, albumin 3.4. Epo 6000 u TIW, Zemplar 2 mcg.
Missed tx [{wd:-3}|{p:-3}|on {hol}] [because the ride from {agency} did not come|pt says "{r1.role} {r1.first} was sick"|was out of state visiting {r2.role} in {city:b}, {state:b}]. Made up {p:-2}.
[Transplant list: active at {hosp} since {d:-500}; coordinator {dr3.full}, {phonex}.|Declined transplant eval. HBsAb >10.|Fistulogram w/ Dr {dr4.last} at {hosp:short} {p:12}.]
Hep B series done {my:-300}. Pneumovax UTD. [Next labs first week of {mo:30}.|]
MD rounding: Dr. {dr1.full}. RN {dr2.full}; PCT {dr5.first}. Dietitian {dr6.il} reviewed phos binders: Renvela 800 TID w/ meals.
[Emerg. contact {r1.full} {r1phone}|Ride: {phone} ({agency2})]
"""

THERAPY = """\
[PHYSICAL THERAPY INITIAL EVALUATION|PT/OT EVALUATION|Occupational Therapy Evaluation]
{pt.any}    {mrn}    {d:0}    [{ward} {room}|Rm. {room}]

Referring MD: {dr1.last}[ ({dr1.first})|]. Dx: R TKA POD#1 (Dr. {dr2.full}, {p:-1}). Precautions: WBAT, fall risk. ICD M17.11.
Chart reviewed; RN {dr3.first} cleared pt for OOB.

PLOF / Home set-up: Pt is {agew} years old, lives with {his} {r1.role} {r1.first} in a 2-story [house at {street}|condo in {city}|walk-up, {city}, {st}]; 3 STE, R rail. I with ADLs, amb without AD. [Worked as {ajob} at {emp} until {y:-900}|Retired {job}|Works part-time ({job})]. [Walks daily around {place}.|Bowls {wd:0} nights with {r3.first}.|Enjoys gardening.|] Drives. Goal: "[get back to dancing at {church}|walk to the mailbox|be home for {hol}]".
DME owned: SPC, raised toilet seat. [Loaner wheelchair, serial # {serial}, to be returned to {dme}.|CPM unit S/N {serial} issued.|]

Pain: 4/10 rest, 7/10 with flexion. AROM R knee 5-78, L WNL. MMT R quad 3-/5, L 5/5, UE 4+/5. Sensation intact L3-S1. Berg {n:30:48}/56. TUG {n:16:34} s. 6MWT deferred. AM-PAC "6 clicks" 16/24.
Function: supine>sit min A, sit>stand CGA c RW, gait 40' x 2 RW CGA, antalgic, step-to pattern. HR 88 > 104, SpO2 97% RA. No Homans sign.

Assessment: good rehab potential. Will benefit from skilled PT BID x 3 days. D/C rec: home w/ [{homecare}|home PT] vs. {snf}. 
Plan discussed with pt, {r1.first}, and CM {dr4.full}[ (x{ext})|]. Equipment from {dme}, tel {phone}. [Outpt PT at {clinic} to start {p:14}, ask for {dr5.first}.|]
Time: 38 min. {dr6.full}, [PT, DPT|OTR/L|PT], lic # {lic}
"""

DEATH = """\
EXPIRATION NOTE

Called to bedside by {dr2.first}, RN, on {ward} at {time} [on {wd:0}, {d:0}|on {d:0}] to pronounce {pt.fml}, {an_age}-year-old with metastatic pancreatic cancer [transferred from {snf} {p:-4}|admitted {p:-4} for comfort care|followed by Dr. {dr5.last} at {onc}]. No response to voice or sternal rub. Pupils fixed and dilated 6 mm. No heart sounds or spontaneous respirations for 2 minutes. Time of death {time}.

[{r1.Role} {r1.full} and {r2.role} {r2.first} were at bedside.|{r1.full} ({r1.role}) was called at {r1phone} and is driving in from {city:b}.] [Family declined autopsy.|Autopsy consent signed by {r1.full}.|] [Rabbi|Father|Pastor] {m1.last} of {church} [was present|has been called]. Organ bank notified, referral # {enc}[, spoke w/ {r3.first}|]. Medical examiner declined jurisdiction (case {claim}, investigator {dr6.full}).
Attending Dr. {dr1.last} and PCP {dr3.full} notified. [Next of kin will make funeral arrangements on {wd:1}.|Death certificate to be signed by {dr1.last}.|]

May {he} rest in peace. Hope was expressed by family that donations be made in lieu of flowers.

{dr4.full} MD, night float, #{pager}
"""

TEMPLATES = (
    Template("discharge_summary", "adult", DISCHARGE, wrap=76),
    Template("intern_progress", "adult", PROGRESS),
    Template("icu_nursing", "adult", NURSING),
    Template("transfer_summary", "adult", TRANSFER),
    Template("dialysis_unit", "adult", DIALYSIS),
    Template("therapy_evaluation", "adult", THERAPY),
    Template("expiration_note", "elder", DEATH, wrap=70),
)
