"""Templates of therapists, dietitians, pharmacists, social workers and those who move patients on."""

from heldout.records import Template

_OT = """OCCUPATIONAL THERAPY EVALUATION                 {hosp:abbr} Rehab Services   x{ext}
Pt: {pt.lf}    MRN: {mrn}    Age: {age}    Rm: {room}    Date: {d:0}   {time}-{time}
Dx: R MCA CVA {d:-3}, L hemiparesis    Onset: {p:-3}    MD: {dr1.full}    Precautions: fall, L neglect, aspiration
S: "I need to get back to my shop." Pt and {r1.role} {r1.first} agreeable. Pain 0/10.
PLOF: [Lives in [1st floor apt|split-level, 6 STE, B rails|ranch] at {street}, {city}, w/ {r1.role} ({a:45:84}, retired {job}). |]I ADL/IADL. Drove {his} pickup (handicap placard {plate}). [Hobbies: woodworking, {church} choir, cards on {wd:0} at the {agency}. |]R handed. [Prior fall {mo:-100} w/ wrist fx, OT at {clinic}.|]
O: A&Ox3 (states month as {mo:-31}). Follows 2-step. MoCA {n:14:25}/30. Star cancellation 31/54. L UE: Brunnstrom 3, Ashworth 1+, shoulder sublux 1 fb. Grip R 62 L 8 lb. 9-hole peg R 24 s, L unable. Sensation: stereognosis impaired. Barthel {n:20:65}/100. AM-PAC 6-click {n:9:19}/24.
ADLs: feeding S; grooming min A; UB dress min A w/ hemi technique; LB dress max A; toilet t/f mod A x 1. Sit balance fair.
A: {age} yo {sex} presents w/ impaired L UE fx, neglect, decr safety. Rehab potential good. Needs IRF 3 h/day.
G (by {p:7}): 1. UB dress S. 2. Toilet t/f CGA w/ GB. 3. Attend to L 8/10 trials.
P: OT 5x/wk. [Recs: IRF ({hosp2}, {snf} 2nd choice). |][Resting hand splint, from {dme} — serial {serial} loaner BTE tablet. |][Family training w/ {r2.full} ({r2.role}) {wk:2} {time}; {phone}.|]
D/w CM {dr2.first}, PT {dr3.full}, RN {dr4.first}. Driving eval later, {clinic2}, {my:90}. MD notified.
[{dr5.full}, OTR/L|{dr5.full}, MS, OTR/L #{lic}]      co-tx student {dr6.first}      {d:0}
"""

_SPEECH = """SPEECH-LANGUAGE PATHOLOGY: CLINICAL SWALLOW EVALUATION + MBSS
{pt.full} | {age} | {MF} | {mrn} | {ward} {room} | adm {d:-8} | eval {d:0} | order: {dr1.last}
HX: {age} y/o with Parkinson's (H&Y 3, dx {y:-2600}, Dr. {dr2.last}, {clinic}), adm from {snf} with RLL pna[; intubated {range:-7:-4}|]; NGT pulled by pt {wd:-1}. Baseline soft/thin per {r1.role} {r1.first}, who says coughing at meals since [{hol}|{my:-60}]. Wt {n:90:170} lb (was {n:172:190}). [Previous MBSS {d:-800} at {hosp2:short} w/ {dr3.full}, CCC-SLP: mild.|]
BEDSIDE: alert, hypophonic, MPT 5 s. Oral mech: L facial droop, edentulous (dentures at home[; {r2.role} {r2.first} to bring {p:1}|]). Ice chip, tsp water x 3: delayed, wet voice 2/3. 3-oz Yale protocol: fail.
[MBSS {time} in fluoro with Dr. {dr4.full} (accession {acc}): Thin - PAS 7, silent x 1; nectar - PAS 2; puree - PAS 1, vallecular residue; solid deferred. |]Chin tuck helps; Mendelsohn not able. DIGEST 2. Cricopharyngeal bar at C5, no Zenker's.
IMP: moderate pharyngeal dysphagia, FOIS {n:3:5}. Voice LSVT candidate. Cognition: SLUMS {n:12:26}.
REC: IDDSI 4 / 2, meds crushed in puree, upright 90, 1:1 feed, oral care TID. [NMES unit {serial}. |]Repeat MBSS {d:14}. Free water protocol after oral care.
EDU: pt; {r1.full}[ ({r1phone})|] by phone with teach-back; RN {dr5.first}[; dietitian {dr6.last}|]. [{r1.first} [is {ajob} at {emp} and can come after {time}|prefers email: {email}].|]
Goals of care: [family against PEG; pall care {dr7.last} meeting {wd:1}. |]Reads lips a bit; HA battery dead. [Former {job2}; "sang at {church} for fifty years".|]
D/C: SLP at {snf}, fax {fax}[, attn {dr8.full}|].
{dr9.full}, MA, CCC-SLP   [lic {lic}   |]pgr {pager}   {d:0}
"""

_NUTRITION = """NUTRITION ASSESSMENT - {box} initial {box} follow-up                     RD: {dr1.full}, RD, LDN, CNSC    pgr {pager}
Patient {pt.lf}  MRN {mrn}  Age {age}  {sex}  [{ward}, {room}|{ward} bed {bed}]   Date {d:0}  LOS {n:3:14}  Consult from {dr2.last}
Dx: {box} Crohn's flare s/p ileocecectomy {d:-6} ({dr3.full}) {box} high-output ostomy   PMH: B12 def, iron def, kidney stones
Anthropometrics: Ht 5'7"  Adm wt {n:90:180} lb current {n:90:180} lb  UBW 165[ ({my:-240}, {clinic})|]  %change -14/8 mo  BMI {f:15.5:24.0}  IBW 148
NFPE: temporal hollowing, clavicle prominence; severe malnutrition (ASPEN: intake <75% x 1 mo, fat/muscle loss)
Labs {p:0}: Na 133 K {f:2.9:4.0} Phos {f:1.3:3.0} Mg 1.6 Glu 141 Alb 2.4 CRP {n:20:190} TG {n:90:400} Zn 48. [Vit D 11 ({my:-70}, {hosp2:abbr}).|]
Meds: Solu-Medrol, PPI, loperamide, Lasix. [Output: ostomy 1,900 mL {p:-1}, 2,250 {p:-2}.|]
Intake hx: [Pt ({job} at {emp}, night shift) eats 1-2 meals/d; lives in {city} w/ {r1.role} {r1.first}, who cooks. |][Lost SNAP {mo:-60}; referred to {agency}. |]Avoids dairy, nuts. Boost ok. Observes [{hol}|halal|no beef]. [Food from {country} preferred. |]NPO/clears since {d:-7}. Calorie count x 3 d: 410 kcal.
Needs: 1,950-2,200 kcal (30-34/kg), 95 g pro (1.5/kg), 2.5 L + losses. MSJ 1,410 x 1.3. Refeeding risk: high.
Dx: Severe malnutrition r/t malabsorption AEB above.
Interv: 1) TPN via PICC[ (placed {p:-1}, {dr4.last} RN)|]: start D15/AA5 @ 40 mL/h, adv to goal 83 by {p:2}; lipids 250 mL TIW. 2) thiamine 100 x 5 d. 3) ORS 1 L. 4) low-oxalate, 6 small meals when adv. [Pharmacist {dr5.full} agrees.|]
Home TPN screen: {homecare}[, intake {phonex}|]; {ins} ID {plan}[, PA {auth}|]. [Pump CADD {serial}. |]Teach {r2.full} ({r2.role}[, {phone}|]) {wd:2}.
M/E: BMP/Mg/Phos daily; TG 2x/wk; weekly wt. F/u {p:2}. D/w {dr6.first} (RN)[, Dr. {dr2.last}|].   [{dr1.ab}, RD|{dr1.il}, RD] {d:0} {time}
"""

_PHARMACY = """PHARMACY ADMISSION MEDICATION HISTORY / RECONCILIATION
Pt: {pt.full}   DOB: {dob}   MRN: {mrn}   [Unit: {ward}   |]Date: {d:0} {time}   Tech: {dr1.full}, CPhT
Sources: {box} patient  {box} {r1.role} ({r1.first}, {r1phone})  {box} {pharm}, ph {phone}  {box} {snf} MAR  {box} PMP, checked {time}[ by {user:dr2}|]
Allergies: PCN - hives, age {a:4:30}; sulfa - SJS {y:-3000}; contrast - itch
 #  Medication                     Sig                     Last fill   Last dose   Plan
 1  warfarin 5 mg                  5 mg MWF, 2.5 TTSS      {p:-12:md}     {p:-1:md}     hold, INR {f:1.5:6.0}
 2  amiodarone 200 mg              daily                   {p:-20:md}     today         cont
 3  levothyroxine 88 mcg           daily                   {p:-33:md}     today         cont
 4  Synthroid 75 mcg               daily - DUPLICATE       90-day mail order             d/c
 5  oxycodone 5 mg #28             q6h prn                 {p:-6:md}     {wk:-1} pm        reduce; Rx {rx}, DEA {dea}
 6  Humira 40 mg pen               q2wk                    specialty     [{d:-9}|2 wk ago]      hold[; ships from {pharm2}|]
 7  Tylenol PM, fish oil, CBD gummies (from {r2.role} [{r2.first}|])
Not taking: lisinopril (cough), atorvastatin 80 (leg pain[; says Dr. {dr5.full} agreed|]), Chantix.
Interactions: warfarin-amiodarone (major). CrCl 38 mL/min (C-G, {n:50:95} kg, {age} y). QTc 480. Beers: diphenhydramine. Child-Pugh A. Naranjo 4 for the cough.
Adherence: [pillbox filled by {r1.first}|skips when away at {place}|cost barrier — {ins} {plan} copay $212]. Vaccines: flu {mo:-40}, [PCV20 {y:-300}, |]zoster #1 only.
TB test neg[ {my:-90} ({clinic})|]. Inhaler technique 3/5; poor seal, no spacer. [Home glucometer SN {serial}. |]Worked as {ajob}.
Assessment: 11 home medications reviewed, 4 discrepancies (2 severity D: duplicate thyroid hormone, omitted amiodarone). Patient knows the purpose of 6/9 drugs. Reads labels with glasses; hearing fair. Prefers tablets over liquids. No herbal anticoagulants. Alcohol none.
Discussed w/ Dr. {dr9.last} {time}. [Narcotics bag {enc} in vault. |][Anticoag clinic appt {d:6} {time}.|]
{dr2.full}, PharmD, BCPS   [lic {lic}   |]p{pager}
"""

_SOCIAL_WORK = """SOCIAL WORK PSYCHOSOCIAL ASSESSMENT
Patient: {pt.full}        MRN {mrn}        DOB {dob}        Referred by: Dr. {dr1.last}
Seen by: {dr2.full}, LICSW, {phonex}        {d:0}, {time}, [{ward}|ED bed {bed}]        SSN (benefits application): {ssn}

Presenting: {Mr} {pt.last} is {an_age} year old {man} admitted {d:-2} with DKA in the setting of homelessness. {He} has been sleeping in {his} car[ (plate {plate})|] [near {place}|] since eviction[ from {street} on {d:-45}|]. [{He} had lived in {city} for {n:3:20} years with {his} {r1.role}, {r1.full}, who moved to [{snf}|a nursing home] in {my:-70}.|]
Family: [Born in {fcity}, {country}; raised by grandmother in {state:two}. |]Parents separated in the {decade}. [One {r2.role}, {r2.full}, in {town}. |][Estranged from ex-partner {m1.full}; restraining order[, docket {case}|]. |]Two children[, {f2.first} ({a:8:17}) and {m2.first} ({a:4:14}),|] in foster care[; case worker {m3.last}|].
Education/work: [{school}, GED. |][{job} at {emp} until {y:-300}. |]Now day labor; drives for a delivery app. No military.
Income/insurance: SNAP card only. [{ins} lapsed {d:-31}|Uninsured]; applied for Medicaid[, ID {policy}|]. SSI appeal pending. Bank {oacct} overdrawn. [Owes {hosp2:short} $1,140.|]
Supports: [pastor at {church}; |]sponsor "{f3.first}". MH: PTSD, prior tx {behav}[ with {dr3.full}, PhD, until {my:-200}|][; one hospitalization {season:-2000}|]. SU: cocaine, last {hol}; [on Suboxone 16 mg, Dr. {dr4.last}|no MAT]. SI/HI denied. PHQ-2 {n:1:6}, ACE 6. Trauma: disclosed IPV; HITS {n:8:18}.
Assessment: Resourceful, tearful when speaking of {f2.first}'s birthday. Insulin was stolen [{wd:-5}|last week]. Medical respite appropriate.
Plan: 1) shelter/respite referral to {agency2}, intake[ {tollfree}|] pending. 2) insulin + fridge letter. 3) Housing app[ by {p:14}|][, copy of birth certificate from {county}|]. 4) [Mail c/o {r2.first}, {street:three}, {city:three}, {st:three} {zip:three}|Mail held at front desk; e-mail {email}]. 5) Victim advocate[ {dr5.first}|]. 6) Bus pass; license {dl} still valid. Patient was engaged and took part in the plan; resources given in writing. SDOH codes Z59.02, Z59.41.
Time 70 min. {dr2.full}, LICSW   {d:0}  {time}
"""

_TRANSFER = """PATIENT CARE REFERRAL FORM (PAGE 1/3)     {box} SNF {box} HOME HEALTH {box} ACUTE REHAB     Fax to: {fax}
1. PATIENT: {pt.lfi^}   SEX {MF}   DOB {dob}   AGE {age}   MARITAL: W[   PARISH: {church}|]   LANG: English
2. HOME ADDRESS: {street}, {city}, {st} {zip}[   PHONE {ptphone}|]
3. FROM: {hosp}, {ward}[   RN REPORT: {phonex}|]   ADMIT {d:-7}
4. TO: {snf}   ACCEPTED BY: {dr1.full}, RN   TRANSPORT: [{ems}, |]pickup {time}[, unit plate {plate}|]
5. NEXT OF KIN: {r1.full} ({r1.role}) {r1phone}[   2ND: {r2.full} ({r2.role}) {phone}|]   HCP invoked: Y
6. PAYER: [Medicare {medicare}|{ins} {plan}|{ins} {policy}]; SSN {masked}. [MR# {mrn}   ACCT {acct}.  |]3-midnight stay: Y[   Auth {auth} thru {d:14}|]
7. DIAGNOSES: R femoral neck fx s/p hemiarthroplasty {d:-6}[ (Dr. {dr4.full})|]; delirium, resolved; Alzheimer's (FAST 6); HTN; osteoporosis; UTI (E. coli) on Macrobid x 3 more days; hx C. diff; MRSA swab neg; PPD 0 mm; COVID neg[ {p:-1}|]
8. ALLERGIES: codeine, tape   CODE: DNR[ (MOLST signed {d:-400}, {dr5.last})|]   DIET: 2 g Na, ground   WT {n:88:170} lb
9. FUNCTION: WBAT RLE, posterior hip precautions x 6 wk, RW, min A x 1, 30 ft. Braden 15. Skin: coccyx stage 2, 1 x 1 cm; staples x 24[ out {d:8}|]. Foley none. Incontinent at night. Feeds self with set-up. [Hearing aid L ({serial}); |]dentures; glasses.
10. MEDS: enoxaparin 40 mg SC daily x 3 wk (last today 0900); donepezil 10 qhs; amlodipine 5; alendronate 70 weekly[ (next {wk:2})|]; APAP 1 g TID; senna; vit D
11. FOLLOW UP: {dr4.last}, [{clinic}, |]{d:14} {time}. PCP[ {dr6.full}|] 2 wk after SNF. CBC [{wd:3}|in 3 d].
12. NARRATIVE: Fell at home, found by neighbor[ {f1.full}|]. [Was {ajob}, e|E]njoys big band music, up at 5. [{r1.first} visits daily; {r2.first} is away until {hol}. |]Sundowns; redirect w/ family photo. Goal: back home[ w/ {homecare}|][ and {agency} lunch|].
MD: {dr7.full}[ NPI {npi}|]   RN: {dr8.full}   DATE {d:0}
SIGN ___{dr7.il}, MD___
"""

TEMPLATES: tuple[Template, ...] = (
    Template("occupational_therapy", "adult", _OT),
    Template("swallow_evaluation", "elder", _SPEECH),
    Template("nutrition", "working", _NUTRITION),
    Template("medication_history", "adult", _PHARMACY),
    Template("social_work", "working", _SOCIAL_WORK, wrap=110),
    Template("care_referral_form", "elder", _TRANSFER),
)
