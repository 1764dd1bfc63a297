"""Templates of notes of doctors and nurses on the wards."""

from heldout.records import Template

_DISCHARGE = """{hosp^}
DISCHARGE SUMMARY

PATIENT: {pt.lfi^}                         MR#: {mrn}
[ACCT#: {acct}                              |]DOB: {dob}
ADMITTED: {d:-5}                  DISCHARGED: {d:0}
ATTENDING: {dr1.full^}, MD             [UNIT: {ward^} {room}|LOC: {ward}]

PRINCIPAL DIAGNOSIS: Acute on chronic diastolic congestive heart failure.
SECONDARY DIAGNOSES: Atrial fibrillation, CKD stage IIIb, type 2 diabetes, OSA, gout, GERD.
CONSULTATIONS: Dr. {dr2.full}, Cardiology.[ {dr3.full}, MD, Nephrology.|]
PROCEDURES: Transthoracic echocardiogram {d:-4}. [[Right heart catheterization on {p:-3} by Dr. {dr2.last}.|Thoracentesis, left, {p:-3}, 900 mL of straw-colored fluid.]|]

BRIEF HISTORY: This is {an_age}-year-old [{sir}|{man}|retired {job}] well known to our service, last here in {my:-210}, who presented with a week of worsening leg swelling, 3-pillow orthopnea and an 11-pound weight gain after [running out of torsemide|eating out over {hol}|a trip to {city:two}, {state:two}]. [{He} was seen at {clinic} on {wd:-6} and sent to the emergency room by {ems}. |]Please see the admission history and physical by Dr. {dr4.last} for full details.

HOSPITAL COURSE BY PROBLEM:
1. CHF. BNP on arrival was 1,460. {He} was diuresed with a furosemide drip, net negative 7.8 L. Echo showed an EF of 55%, moderate MR and PASP 52. Dry weight at discharge is {n:60:110} kg. {He} was changed to torsemide 40 mg daily.
2. Atrial fibrillation. Rate controlled on metoprolol. CHADS-VASc 5. Apixaban was continued.
3. CKD. Creatinine peaked at {f:2.0:3.1} on {p:-2} and was {f:1.5:1.9} on the day of discharge. [Dr. {dr3.last} felt this was cardiorenal.|Lisinopril held.]
4. Disposition. PT recommended [short-term rehab; the family chose {snf}[, where {he} was in {my:-400}|]|home services; {homecare} will see {him} on {wd:1}|no services]. [{His} {r1.role}, {r1.full}, was updated daily[ and is agreeable with the plan|; cell {r1phone}].|]

CONDITION: Stable. VITALS: T 97.9, P {n:58:88}, BP {bp}, RR 18, 96% on room air.
DISCHARGE MEDICATIONS: Torsemide 40 mg daily; metoprolol succinate 100 mg daily; apixaban 5 mg b.i.d.; allopurinol 100 mg daily; insulin glargine 18 units at bedtime; pantoprazole 40 mg daily. STOP lisinopril, ibuprofen.
FOLLOWUP: [{dr5.full}, MD, {clinic}, {d:7} at {time}, phone {phone}. |]Cardiology with {dr2.fml} in 2 weeks. [BMP on {wd:4}, results to fax {fax}. |][Pending at discharge: SPEP from {p:-1}.|]
CODE STATUS: [DNR/DNI per MOLST|Full]. Health care agent {r2.full} ({r2.role}).

______________________
{dr1.full}, MD
Dictated by: {dr4.full}, MD (PGY-2)
DD: {d:0}   DT: {d:1}   Job: {enc}   [{dr1.ab}/{dr9.abc%}|{dr4.ab%}/mt]
CC: {dr5.full}, MD
"""

_HP = """Medicine Admission H&P
Name: {pt.lf} | MRN: {mrn} | DOB: {dob} ({age} y.o. {sex}) | Admit Date: {d:0} | PCP: {dr1.full}, MD | Room/Bed: {room}/{bed}
Author: {dr2.full}, MD    Service: Hospital Medicine    Date of Service: {d:0} {time}

Source of information: patient, {r1.role}[ ({r1.first})|] at bedside[, records from {hosp2}|, Care Everywhere]
Chief Complaint: "I can't keep anything down"

HPI
{age}{MF} w/ PMH of EtOH cirrhosis (MELD-Na {n:12:28}), esophageal varices s/p banding {my:-150}[ at {hosp2:short}|], T2DM, HTN, depression p/w 3d N/V, epigastric pain radiating to the back. [Last drink [{hol}|{wd:-2}|{p:-2}]. |]Reports 1 episode of coffee-ground emesis on {wd:-1}. Denies melena, fever, CP. [Was admitted here {range:-61:-57} for alcoholic hepatitis (Maddrey 38), discharged to {behav}, left AMA after 2 days. |][[{r1.first} found {him} on the bathroom floor this AM and called {ems}.|Drove in by car.]|]
In the ED: T 99.1, HR {n:96:126}, BP {bp}, SpO2 97% RA. Lipase 1,212. CT A/P: interstitial pancreatitis, no necrosis. Given 2 L LR, Zofran 4, thiamine, Protonix 80 IV. GI aware.

PMH/PSH: as above; appendectomy {y:-7000}; [L ORIF ankle {y:-2900} (Dr. {dr4.last}, {hosp3:abbr}); |]Barrett's.
Meds[ (per {pharm} fill hx {p:-20})|]: metformin 1000 bid, nadolol 20, spironolactone 50, sertraline 100, omeprazole 20. Allergies: NKDA
Social Hx: [Works as {ajob} [at {emp}|(laid off from {emp} in {my:-90})]. |]Lives in {city} w/ {r1.role}. Divorced. 1 ppd x 20 y. 1 pint vodka/day, hx DTs {y:-600}. [[Sober {my:-700} to {my:-300}, meetings at {church}.|] Originally from [{fcity}, {country}|{state:two}].|]
Family Hx: Father d. {a:48:77} MI. Mother {a:60:92}, breast ca. Brother {m1.first} EtOH use disorder.
ROS: 10 point ROS neg except per HPI

PE: Icteric, tremulous, A&Ox3, no asterixis. Dry MM. RRR. CTAB. Abd distended, TTP epigastrium, no rebound, + shifting dullness. No LE edema. Spider angiomata on chest. CIWA {n:6:18}.
Labs: WBC {f:9.0:18.0} Hgb 10.9 Plt 88 INR 1.6 | Na 131 K 3.2 CO2 19 BUN 24 Cr 1.3 | AST 142 ALT 61 TB 3.4 Alb 2.6 | EtOH 212 | Lactate 2.4. EKG: sinus tach, QTc 471.

A/P
#Acute pancreatitis, BISAP 1: LR @ 150/h, NPO → CLD, dilaudid 0.5 q3h prn
#UGIB r/o variceal: octreotide gtt, CTX 1 g, EGD in AM [w/ {dr3.last}|w/ GI fellow {dr5.last} p{pager}]
#AUD/withdrawal: CIWA, Ativan, thiamine/folate. SW consult. Naltrexone contraindicated for now.
#T2DM: SSI, hold metformin
FEN/PPx/Dispo: NPO, SCDs, {ward}. Code: Full (confirmed w/ pt {d:0}). [Emergency contact: {r1.full} ({r1.role}) {r1phone}|]

{dr2.full}, MD   pager {pager}
Attending addendum: I saw and examined the patient with the team and agree. — {dr7.last}, {p:1} {time}
"""

_SURGERY = """[GENERAL SURGERY|Colorectal Surgery|ACS] PROGRESS NOTE
{pt.lf}  {mrn}  [{ward}|{ward}-{room}]   POD#{n:2:4} s/p lap converted to open sigmoid colectomy w/ end colostomy ({dr1.last}/{dr2.last}, {d:-3})
{d:0} {time}

S: NAEO. Pain {n:2:7}/10 on PCA. No n/v. Ambulated x 2 w/ RN {dr3.first}. Passing gas into bag [since last night|this am]. [Wants to know if {he} can be home by [{hol}|{wd:3}] for {r1.role} {r1.first}'s graduation.|]
O: Tm {f:37.2:38.6} HR {n:68:110} {bp} 16 95% 1L
I/O: 2100/1450, JP 85 ss, NGT d/c'd {p:-1}. ostomy 50 + gas
NAD. Soft, mild dist, approp ttp, inc c/d/i w/ staples, stoma pink. Calves soft.
WBC {f:8.0:17.0} ({f:12.0:19.0} on {p:-2})  Hgb 9.4  Plt 310  Cr 0.9  K 3.6  Mg 1.7
Path ({spec}): perforated diverticulitis, no malig. Cx {p:-3}: E coli, B fragilis.
CT {p:-1} ({acc}): no drainable coll, per Dr {dr4.last}.

A/P {age}{MF} w/ Hinchey III diverticulitis s/p Hartmann's, recovering.
N: PCA→ oxy 5-10 q4 prn, APAP, d/c epidural (APS {dr5.last} to pull {time})
CV: home metop. Resp: IS 10x/h, oob TID
GI: clears → FLD if tol; ostomy RN {dr6.full} to teach pt and {r1.role}
GU: Foley out {p:-1}, voiding
ID: zosyn d4/5 (start {d:-3}); H: SQH. FEN: lytes per scale
Dispo: home when tol diet. [[{homecare} for ostomy care|likely {snf}], case mgr {dr7.last} x{ext}. |][F/u clinic w {dr1.last} {d:14}. |][[FMLA form for {emp} given to {r2.first}.|Needs work note ({job}, no lifting 6 wks).] Hosp phone for family: {phonex}|]

{dr8.jsmith} PGY1 #{pager}
[d/w chief {dr2.last}|Seen on AM rounds w/ {dr1.last}, {dr2.last}, {dr9.last}]
"""

_ICU = """CRITICAL CARE ATTENDING / FELLOW DAILY NOTE       ICU DAY {n:3:9}      {d:0}
{pt.full}   {age} {sex}   MRN {mrn}   [BED {bed}|{ward} BED {bed}]   ADM {d:-6} FROM [{snf}|{hosp2} ({city:two})]   WT {n:52:120} KG

24 HR EVENTS: failed SBT {p:-1} (RSBI 128); Tmax 38.9; Levophed up to 14 then weaned; trach discussed w/ {r1.full} ({r1.role}, HCP).
NEURO: propofol/fentanyl, RASS -2, CAM-ICU +. CT head {p:-4} neg. [EEG {p:-2} read by Dr. {dr1.full}: mod slowing, no seizures.|]
RESP: ARDS, AC/VC 380/24/+12/60%. P/F 142. Prone x 16 h {wk:-3}. 7.31/52/79. ETT 7.5 @ 23 cm, day 6. CXR no change.
CV: Septic shock, norepi {n:2:12} mcg, vaso off {time}. Echo EF 60. Lactate {f:1.1:3.9}.
RENAL: [AKI on CKD, CRRT since {p:-3} via R IJ (placed {p:-3} {dr2.last}). |]I/O 3.1/3.4.
ID: [Legionella Ag +; BAL {spec} no growth; resp cx {p:-5} normal flora. |]Levaquin d5, cefepime stopped {p:-2}. [Health dept ({county}) notified {d:-4}, case {case}.|]
GI: TF @ goal. Last BM {p:-1}. HEME: Hgb {f:7.0:9.9}, plt 96, HIT score 2. ENDO: insulin gtt, stress HC d3.
LINES: R IJ HD cath {p:-3}, L IJ TLC d5, R rad a-line, Foley.
DEVICES: CRRT machine s/n {serial}[; rental bed {serial} from {dme}|].

SOCIAL/GOALS: {pt.first} is {ajob}[, was near {place} {range:-16:-13}|, lives at {street}|]. Mtg {time} today w/ {r1.first}, [{r2.role} {r2.first} (by phone from {city:three}, {st:three}), |]palliative care NP {dr3.full}, and {dr4.last}. [Family hopeful; an uncle, {m1.first}, "was on the machine" at {hosp3:short} and did not survive. |][Time-limited trial to {wd:4}. |]No CPR. Chaplain from {church} to visit.
PLAN: UF -1 L, PEEP wean, trach/PEG[ w/ {dr5.last}|] if not extubated by {p:5}. PPx: PPI, SQH. HOB 30.
CC time 45 min excl. procedures.
{dr6.full} (fellow, p {pager}) / {dr4.full} (attending)    ***electronically signed {d:0} {time}***
"""

_NURSING = """NURSING SHIFT NOTE - {ward}                     [0700-1500|1500-2300|7p-7a]     {d:0}
Pt {pt.lf}, {age} y/o, {room}-{bed}. Dx: L hip fx s/p hemi {p:-2}, dementia. MD: {dr1.last}. Code: DNR. Iso: contact (MRSA hx {my:-500}).
{time}  Rec'd report from {dr2.first}, RN. Pt awake, oriented to self only, calling for "{f1.first}" (sister, deceased). VSS, see flowsheet. L hip drsg with scant serosang drainage. Abductor pillow on. PIV L FA 20g patent, dated {p:-2}.
{time}  {r1.Role} {r1.first} here to feed breakfast, ate 50%. States pt has been a DNR since [{my:-300}|{y:-700}] when at {snf} and wants paperwork from Dr. {dr3.full} ({clinic}) added. Copy obtained, faxed from {fax}.
{time}  PT {dr4.first} + tech x 2: OOB to chair w/ max A. C/o pain, PAINAD 6, medicated w/ oxycodone 2.5. Recheck 2.
{time}  Foley removed. DTV by {time}.
{time}  Found w/ legs over siderail. Bed alarm on, low bed, floor mats. [{dr1.last} notified, no new orders. 1:1 sitter {dr5.fl} at bedside. |]Incident # {enc} filed. [Family ({r2.full}, {r2.role}) called at {phone}, v/m left; {r1.role} reached at {r1phone}.|]
{time}  Bladder scan 420, straight cath x 1 for 400 cc. Heels offloaded, R heel stage 1. Braden {n:11:16}. Morse {n:55:95}.
{time}  BG 61 → juice → 118. [Lantus held per {dr6.last} (cross cover, pgr {pager}).|]
Glasses + R hearing aid in labeled cup. Rings given to {r1.first}. [Pt was {ajob}, likes baseball on TV[ and hymns; {church} visitor {m1.full} came by|].|]
Case mgmt ({dr7.full}, ext {ext}) states bed at {snf} on hold until {wd:1}[; {ins} auth {auth}|].
Pump SN {serial} to biomed, keyed by {user:dr8}.
{dr8.full}, RN {time}
"""

_CARDIOLOGY = """INPATIENT CARDIOLOGY CONSULTATION

PATIENT:  {pt.fml^}
MRN:  {mrn}   LOCATION:  {ward^} / {room}
DATE OF CONSULTATION:  {d:0}
REQUESTING PHYSICIAN:  {dr1.full}, MD
CONSULTANT:  {dr2.full}, MD, FACC

REASON FOR CONSULTATION: Elevated troponin, preoperative evaluation.

HISTORY OF PRESENT ILLNESS: The patient is {an_age}-year-old {man} with known coronary artery disease, status post three-vessel bypass in {y:-3300}[ at {hosp2} by Dr. {dr3.last}|], and a drug-eluting stent to the SVG-OM in {my:-900}, who was admitted {wd:-1} with an intertrochanteric fracture after slipping on ice [outside {place}|in the driveway]. [{He} had no chest pain, though {he} says {he} felt "winded" while [shoveling|visiting {his} {r1.role} in {city:two}] around {p:-9}. |]High-sensitivity troponin 48, then 61, then 55. [{He} was last seen in our {city:three} office on {d:-120}, when a nuclear stress study (Bruce, 7 METs) showed a small fixed inferior defect.|]

PAST MEDICAL HISTORY: CAD as above; hypertension; hyperlipidemia; Mobitz II block with dual-chamber pacemaker[, implanted {d:-1400}, generator serial number {serial}|, implanted {my:-1400}]; carotid stenosis, 50-69% on the right.
MEDICATIONS: Aspirin 81, rosuvastatin 20, carvedilol 12.5 b.i.d., losartan 50. Clopidogrel was stopped in {mo:-200}.
SOCIAL HISTORY: [Retired {job}, {emp}. |]Quit smoking in {y:-7000}. [Widowed since {my:-800}; lives with {r1.role} {r1.full}. |][Health proxy on file {d:-800}.|]
FAMILY HISTORY: Father died of MI at {aw:49:70}. [Brother {m1.first} had CABG in his {tens:50:69}.|]

PHYSICAL EXAMINATION: BP {bp}, pulse {n:58:100} and regular, respirations 16, saturation 95%. JVP 7 cm. Carotid bruit on the right. Regular S1, S2, 2/6 systolic ejection murmur at the base. Lungs clear. No edema. Left leg shortened and externally rotated.
DATA: ECG {p:-1}: AV paced at 62. Echocardiogram {d:0}: LVEF 45%, inferior hypokinesis, aortic valve area 1.4 sq cm. Creatinine 1.1, hemoglobin {f:9.0:13.5}, LDL 71.

IMPRESSION:
1. Type 2 myocardial injury in the setting of fracture. Not an acute coronary syndrome.
2. RCRI 2. Acceptable risk; no further testing before surgery. [I discussed this with Dr. {dr5.last} of orthopedics and with {r1.first}.|]
3. Pacemaker to be checked by the device nurse, {dr6.full} ({phonex}), before and after the operation[ on {wd:1}|].
RECOMMENDATIONS: Continue carvedilol and statin. Resume aspirin on {p:3}. We will follow. [Office visit with me {my:30}, {clinic}, {phone}.|]

Thank you, {dr1.first}, for the opportunity to see {Mr} {pt.last}.

{dr2.full}, MD
[DD {d:0} {time}  DT {d:0} {time}  |]{dr2.ab}:{dr7.ab%}[  #{enc}|]
"""

_PSYCHIATRY = """Psychiatry C-L Initial Evaluation
Patient: {pt.full}       Age: {age}      Pronouns/sex: {he}/{him}, {sex}       MRN: {mrn}     Legal: [conditional voluntary|involuntary hold, day 1 of 3]
Date: {d:0}   Consulted by: {dr1.last} ([medicine|trauma])   Seen in {ward}, rm {room}, w/ 1:1 present
Identifying/CC: {age} y/o [single|divorced] {job}, domiciled w/ {r1.role} in {city}, {st}, BIB {ems} s/p intentional OD on [60 x 500 mg acetaminophen|unknown qty of amitriptyline] in context of job loss.

HPI: Pt reports low mood since [{season:-120}|{my:-100}|{hol}] when let go from [{emp}|job] after {n:3:20} years. [On {wd:-2} wrote a note, took pills, then texted friend {f1.full} "sorry." {f1.first} called 911 and drove from {town}. |]Pt says "I didn't think I'd wake up." Poor sleep, wt loss 15 lb, anhedonia. PHQ-9 {n:15:26}. [C-SSRS: ideation 4/5, attempt x 2 lifetime (first at {a:15:24}, wrists, hosp. at {hosp2:short} x 9 d in {y:-4000}). |][Denies AVH, HI, mania. +flashbacks re: deployment to {country}, {y:-5500}. |]Drinks 6-pack nightly; AUDIT 22. [No firearms now - {r1.role} moved gun to {m1.full}'s house {p:-1}.|]
Past psych: [outpt {dr2.full}, LMHC at {behav} since {my:-600}; Rx by {dr3.last}, NP. |]Trials: Prozac, Wellbutrin, Seroquel. [Detox x 1, {behav2}, {my:-1300}.|]
Collateral: {r1.full} ({r1.role}), {r1phone}, {time}: pt "hasn't been right" since {m2.first} (nephew, {a:17:30}) died by suicide {d:-200}.
Social: [b. {fcity}, {country2}, came here at {a:5:16}. |][HS grad {school}. 2 kids ({a:6:17} and {a:2:5}) live w/ ex in {state:two}. |][Court date {d:20} for OUI, docket {case}, atty {m4.full}. |]Rent behind; landlord notice. SSDI pending.
PMH: OSA, lumbago. Labs: APAP 148 @ 4 h, AST 61, INR 1.2, QTc 468, EtOH 139, UDS +THC.
MSE: disheveled, hospital gown, poor EC, psychomotor slowing, soft speech, "numb", constricted, linear, no delusions, +passive SI, insight limited, judgment poor. Ox4. MoCA 27/30.
Formulation/Dx: MDD recurrent severe; AUD severe; r/o PTSD.
Recs: 1) 1:1, Sec. 12 if tries to leave. 2) NAC per tox[ ({tollfree})|]. 3) CIWA. 4) hold home meds. 5) Inpt psych when cleared; bed search by {dr4.full}, LICSW (x{ext})[, {hosp3} first choice|][, {ins} auth {auth}|]. 6) Safety plan w/ {r1.first}.
Will follow. {dr5.full}, MD PGY-3, p{pager}; staffed w/ {dr6.full}, MD[, who saw pt {p:1}|]
"""

_OPERATIVE = """OPERATIVE REPORT                                             {hosp}
[{pt.lfm^}|{pt.tight^}]     MRN {mrn}     FIN {acct}     DOB {dob}     [Pt Loc: {ward}|Room: OR {bed}]
DATE OF SURGERY: {d:0}
SURGEON: {dr1.full}, MD     ASSISTANTS: {dr2.full}, MD; {dr3.full}, PA-C
ANESTHESIA: General, {dr4.full}, MD[ / {dr5.last}, CRNA|]
PREOPERATIVE DIAGNOSIS: Right knee end-stage osteoarthritis.   POSTOPERATIVE DIAGNOSIS: Same.
PROCEDURE: Right total knee arthroplasty (CPT 27447).
IMPLANTS: Femoral component size 5[, serial no. {serial}|]; tibial baseplate size 4, serial no. {serial}; 11 mm polyethylene; 35 mm patella.[ Implant registry {study}.|]
EBL: {n:50:300} mL. TOURNIQUET: {n:48:95} minutes at 275 mmHg. SPECIMEN: Bone to pathology, {spec}. COMPLICATIONS: None.

INDICATIONS: {pt.full} is {an_age}-year-old {job} who has had progressive right knee pain since a fall[ at {emp}| at {place}|] in {y:-1500}. [Injections by {dr6.last} at {clinic} in {my:-300} and {my:-180} and therapy failed. |]{He} uses a cane and is unable to [work|climb stairs|walk more than a block]. [The left side was done at {hosp2} in {my:-760}. |][The risks, including infection, DVT, stiffness and need for revision, were explained to {him} and {his} {r1.role}, {r1.first}, on {d:-21}, and informed consent was signed.|]

DESCRIPTION OF PROCEDURE: The patient was identified by name and birth date in the holding area and the right knee was marked with my initials, {dr1.ab}. A spinal was attempted by Dr. {dr4.last} and abandoned. After induction, Ancef 2 g was given. A time-out was held at {time}. The leg was prepped with ChloraPrep and draped. An Esmarch was used and the tourniquet inflated. A midline incision and medial parapatellar arthrotomy were made. Hoffa's fat pad was excised. The distal femur was cut in 5 degrees of valgus. Whiteside's line and the epicondylar axis were used for rotation. The tibia was cut perpendicular. Gaps were balanced at 20 mm with a Cobb. Trials gave 0 to 125 degrees. The components were cemented with Simplex. The wound was irrigated with Betadine lavage and closed with #1 Vicryl, 2-0 Monocryl, and staples by {dr3.last} under my supervision. I was present for all key portions.

DISPOSITION: To PACU in stable condition; floor bed {room}. Aspirin 81 b.i.d. for DVT prophylaxis through {d:30}. [Staples out {p:14} with {dr3.full}. |][[{homecare} to start {wd:3}.|Family waiting: {r2.full}, {phone}.]|]

{dr1.full}, MD     Dictated {d:0} {time}[     Transcribed {d:1} {dr7.abc%}|][     Doc ID {enc}|]
cc: {dr8.full}, MD[, {clinic2}|]
"""

_ANAESTHESIA = """ANESTHESIA RECORD / PRE-ANESTHESIA EVAL
Pt: {pt.lfi}   {age} y {MF}   Ht 170 cm Wt {n:52:130} kg   MRN {mrn}   Acct {acct}   DOS {d:0}   OR {bed}
Proposed: [CABG x 3|Lap hiatal hernia repair (Nissen)|L carotid endarterectomy]   Surgeon: {dr1.last}   Preop clinic: {d:-8}, {dr2.full}, NP, tel {phone}
Anesthesiologist {dr3.full}   CRNA {dr4.full} (relief {dr5.last} {time}-{time})   ASA {n:2:4}   NPO since [midnight|{time}]
HX: [HTN, GERD, OSA on CPAP (sleep study {my:-700}, {clinic}), DM2 A1c {f:6.0:9.0}, ex-smoker quit {y:-2000}. |][METs 4. Prior GA: {hosp2} {my:-1800} — grade 3 view, glidescope, letter from Dr. {dr6.last} dated {d:-1800}. |]FHx MH: cousin {m1.full}? neg testing. PONV x 1.
Meds taken today: metoprolol. [Held: metformin {p:-1}, Eliquis since {wk:-3} {p:-3}. |]Allergies: latex, morphine (itch)
Airway: MP {n:1:4}, TMD 6 cm, full neck ROM, upper denture. Heart RRR, lungs CTA.
[Labs {p:-8}: Hgb {f:10.0:15.0} Plt 201 INR 1.0 K 4.1 Cr 0.9. ECG {p:-8} NSR. |]Echo {my:-40} EF 50%. T&S exp {d:2}.
Consent: {box} GA {box} A-line {box} TEE {box} blood — d/w pt and {r1.role} ({r1.full}[, {r1phone}|]); DNR suspended {box}

Time      {time}     {time}     {time}     {time}
HR        {n:58:99}       {n:58:99}       {n:58:99}       {n:58:99}
BP        {bp}   {bp}   {bp}   {bp}
SpO2      99       100      98       99
EtCO2     34       36       35       37
Sevo %    -        1.8      2.0      1.6
In room {time}  Induction {time}: prop 150, fent 100, roc 50, ETT 7.5 @ 22, C-Mac #3, CL 2a. Eyes taped. OGT. Bair Hugger. 18g L hand, 20g R rad a-line ({dr4.last}). Cefazolin 2 g {time}. LR 1,400, EBL 150, UOP 220. Phenyl gtt 20-40. TOF 4/4, sugammadex 200. Extub {time}. To PACU, report to {dr7.first}, RN; VAS {n:0:6}/10, Aldrete 9.
Machine: Apollo, SN {serial}; vaporizer {serial}. Controlled drug box {enc}, waste witnessed {user:dr5}.
POST-OP VISIT {d:1} {time}[ {ward} {room}|]: no complaints, no sore throat. {dr3.iil}
"""

TEMPLATES: tuple[Template, ...] = (
    Template("discharge_dictation", "adult", _DISCHARGE, wrap=88),
    Template("medicine_admission", "working", _HP),
    Template("surgery_progress", "adult", _SURGERY),
    Template("icu_daily", "adult", _ICU),
    Template("nursing_shift", "elder", _NURSING),
    Template("cardiology_consult", "elder", _CARDIOLOGY, wrap=96),
    Template("psychiatry_consult", "working", _PSYCHIATRY),
    Template("operative_dictation", "adult", _OPERATIVE, wrap=100),
    Template("anesthesia_record", "adult", _ANAESTHESIA),
)
