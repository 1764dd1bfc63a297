"""Templates of notes from the wards of a hospital."""

from heldout.records import Template

_SIGNOUT = """{ward^} -- SIGN-OUT / ROUNDING LIST        run {wk:0} {d:0} {time} by {user:dr1}
Days: {dr1.full} ([pgr|p] {pager})     Nights: {dr2.il}, x{ext}     Attg on record: {dr3.last}
=====================================================================
{room} | {pt.tight^} | {age}{MF} | MRN {mrn} | adm {p:-4} | DNR/DNI, ok for pressors
  1. Decomp HF (EF {n:15:40}%), net neg {f:0.8:3.0} L. Lasix gtt 10 -> 5/h. K {f:3.1:4.9}, Mg 1.8. [Will|Please] recheck BMP at 2200.
  2. AF w/ RVR, rate now 80s on dilt. CHA2DS2-VASc {n:2:6}. Hep gtt, PTT goal 60-80.
[  TO DO: {box}call {r1.role} {r1.first}[ ({r1phone})|] w/ echo read[   {box}f/u cx from {p:-1}|]
|]  IF/THEN: SBP <85 -> 250 cc, do NOT bolus twice. [If chest pain, trop x2 and page {dr3.last}.|]
{room} | {f1.tight^} | {a:31:88}F | MRN {omrn} | adm {p:-9}
  1. L MCA CVA, GCS 14, Broca aphasia. [PEG {p:-2} by Dr. {dr4.last}. |]TF at goal 55/h. [Bed offer {rehab} [{wk:1}|{p:2}].|]
  2. C diff d7/10 PO vanc. Isolation, bleach wipes.
{room} | {m1.tight^} | {a:22:80}M | MRN {omrn} | adm {p:-1}
  1. EtOH w/d, CIWA 11, last drink [{wk:-2}|{hol}]. Ativan per scale; thiamine before dextrose. [[Sister|Roommate] {f2.first} wants a call, cell {phone}.|]
  2. Hepatic enceph, grade 1. Lactulose to 3 BM. MELD {n:9:31}.
---------------------------------------------------------------------
{aside}
[{aside}
|]Overnight: no falls. Art line zeroed; waveform good. Sundowning mild, redirected. [Bed alarm on.|Sitter at bedside.] ABCDEF bundle done 5/6. Banked blood 2 units available. Brown, formed stool x1, [guaiac neg|guaiac trace]. Young's rule not needed. Long QT watch: 462 ms. Hold parameters same as ordered.
Cross-cover notes: {pt.last} asked again about going home for {hol}[; told him/her earliest {wd:3}|]. May have ice chips. [{dr5.first} (charge RN) has the tele [box|leads].|]
Consultants: cards {dr6.last} p{pager}[; GI {dr4.last}|]; SW {dr7.first}, x{ext}.
"""

_NURSING = """ADMISSION DATABASE -- ADULT INPATIENT                       {hosp}, {ward}
Patient label: {pt.lfi}    DOB {dob}    MR# {mrn}    Enc {enc}
Arrived {d:0} at {time} [via stretcher|ambulatory|by wheelchair] from [{snf}|home|{clinic}].  Rm {room}  Oriented to: {box} call light {box} bed controls {box} TV {box} visiting hours
[1. INFORMANT   {box} self   {box} family: {r1.any} ({r1.role})   {box} EMS run sheet
|][2. EMERGENCY CONTACT   {r1.full}, {r1phone}; alternate {r2.lf} ({r2.role}) {phone}
|]3. ALLERGIES  {box} latex  {box} tape  {box} sulfa -> hives   Arm band placed? Y
4. VITALS  T {f:36.1:38.4}  HR {n:58:118}  RR {n:12:26}  BP {bp}  SpO2 {n:89:100}% on [RA|2L NC]   Ht 5'6"  Wt {n:48:120} kg  Pain {n:0:9}/10
5. BELONGINGS  {box} dentures upper/lower  {box} hearing aid R, ser. no. {serial}  {box} glasses  {box} wallet, driver's lic {dl} to security, envelope {n:11:99}
6. FALL RISK  Morse {n:15:95}   BRADEN {n:10:23}   {box} bed alarm  {box} low bed  Skin: Stage 2 sacrum 2 x 1.5 cm, photo taken
7. SOCIAL  Lives at {street}, {city}. {box} alone {box} spouse {box} facility. Worked as {ajob} at {emp}. [Tobacco: quit in {y:-4000}. |]ETOH: 2/week. Faith community: {church}, wants the chaplain to visit. Feels safe at home: Y.
[8. HEALTH CARE PROXY   {box} on chart  {box} none  Agent: {r2.fm}  Ph {phone}
|]9. PCP {dr2.full}, {clinic2}, last seen {my:-60}.  [Pharmacy: {pharm} ({phone}). |]Flu vaccine: {my:-300}.
10. LEARNING  prefers [pictures|reading|demonstration]; reads without help; interpreter ID n/a
11. DEVICES  {box} PICC  {box} Foley 16 Fr  {box} ICD, card in wallet  {box} none
NARRATIVE  {aside}
12. SYSTEMS  Neuro: alert, follows 3-step commands, PERRLA 3 mm brisk. Resp: crackles at bases, productive cough, [white|tan] sputum. GI: BS x4, LBM this AM, Bristol 4. GU: clear yellow. Skin: warm, [dry|clammy], turgor fair. Psych: "hopeful". C-SSRS screen 0/6. Teach-back complete; Will need reinforcement.
[Anticipated needs: rolling walker from {dme}; Meals from {agency}.
|]Admission RN: {dr1.full}, RN  {time} {d:0}    Reviewed: {dr3.il}, RN     e-sig {user:dr1}
"""

_ID_CONSULT = """INFECTIOUS DISEASES -- INITIAL CONSULTATION
Requested by: {dr1.any}, MD  (Orthopaedics, pager {pager})
Question: duration of therapy, MSSA bacteremia
[Location: {ward}, bed {bed}
|]
It was my pleasure to see {Mr} {pt.last} on {d:0}. {He} is {an_age} y.o. {sex}[, born in {country} and resident in {city}, {state} since {y:-5200}|][, who worked for many years as {ajob}|]. [In {my:-210} {he} underwent L3-5 fusion by Dr. {dr2.full} at {hosp2}. |][Wound drainage began about {p:-12}; {he} was seen at {clinic} on {p:-10}, given cephalexin, and returned {wd:-4} with rigors to 39.7. |][Blood cultures {p:-4} grew MSSA 4/4 bottles, cleared {p:-2}. |][TEE, read by {dr3.iil}, no vegetation; Duke criteria [possible|rejected].|]

EPIDEMIOLOGY: [Travel to {fcity2}, {country2} in {season:-400}.|No travel. Camped near {place} in {season:-200}.] {His} {r1.role} {r1.first} keeps goats. [No ticks recalled. PPD negative {y:-900}. |]Rocky Mountain spotted fever serology negative; West Nile IgM negative. [Employed now by {emp}. |]One cat, scratches.

{aside}
[
{aside}
|]
EXAM: Tm {f:37.0:39.8}, BP {bp}, P {n:66:120}. No Janeway lesions or Osler nodes. Incision with 3 cm dehiscence, frank pus. Spurling negative. Strength 5/5 [except 4/5 L EHL|throughout].
DATA: WBC {f:4.0:21.0} (82 N, 6 bands), ESR {n:30:119}, CRP {n:4:28}, Cr {f:0.6:2.1}. [MRI {p:-3}[ ({acc})|]: L4 phlegmon 11 x 8 mm.|]

IMPRESSION
  1. MSSA bacteremia, source = spinal hardware. [Day 1 of therapy = first negative culture, {d:-2}.|]
  2. Hardware retained. Will need suppression after the 6-8 week course.
[  3. Penicillin "allergy" at age {a:4:9} per {his} mother; low risk, de-labelled.
|]RECOMMEND
  - Cefazolin 2 g q8h through {d:40}; weekly CBC/diff, BMP, ESR. [Labs to our office fax {fax}.|]
  - PICC after cultures negative x 48-72 h. [OPAT intake with {homecare}; nurse {dr4.full}, {phonex}.|]
PAST HISTORY: hypertension, gout, Gilbert syndrome, remote Bell's palsy, [psoriasis|eczema]. MEDICATIONS: lisinopril 20 mg, allopurinol 300 mg, Tylenol as needed. REVIEW OF SYSTEMS: sweats, 4 lb loss; otherwise 12 of 14 negative. The Kirby-Bauer panel shows cefazolin MIC <= 2, TMP-SMX 0.5/9.5, clindamycin D-test positive. CT head unremarkable. Charlson 3.
[  - Follow with me {d:16} [at {time}|].
|][Discussed with {dr5.last} and with {r1.full} by telephone.
|][{dr6.fmiddle}, MD[      Pager {pager}|]
|]cc: {dr7.full}, {clinic2}, {street:two}, {city:two}, {st:two} {zip:two}
"""

_PREOP = """{hosp^}   SURGICAL H&P / UPDATE                                  page 1 of 1
NAME {pt.fmiddle^}      UNIT NO {mrn}      BIRTHDATE {dob}     AGE {age}
DATE OF PROCEDURE {d:3}       SURGEON {dr1.full^}[       ANESTH {dr2.last^}|]

CC: "[My knee is shot|Bad hip|Shoulder quit on me]."
HPI: {age}yo {MF} former {job}[ (now retired from {emp})|] with Kellgren-Lawrence grade 4 OA. [Injections by Dr. {dr3.last} {my:-280} and {my:-100}, good for 3/52 only. |][Fell on {p:-40} outside {place}. |][XR {d:-38}: bone on bone, Baker cyst. |]Walks 1/2 block. [Was scheduled at {hosp2:short} for {mo:-60} but that was cancelled; A1c 9.1 then, {f:6.0:7.4} on {p:-6}.|]
PMH: HTN; OSA (AHI 32, CPAP 11)[; Graves 2/2 RAI {y:-4100}|]; Bell's palsy R, resolved; DVT after a flight from {fcity} {season:-2400}.
PSH: Lap chole {y:-3300}[ ({hosp3:abbr})|], Whipple - none. [Hx difficult airway: NO. Malignant hyperthermia: uncle, {m1.full}, "had something", d. {y:-9000}.|]
MEDS: metoprolol XL 50 qAM, lisinopril 20, apixaban 5 bid - HOLD from {wk:0} {p:0}, methimazole off.
SOC: Lives w {r1.role} {r1.full}. [Never smoker|20 pk-yr, quit {y:-3000}]. Drives. [Phone {ptphone}.|]
ROS: 10/14 neg.
{aside}
PE: {bp}  {n:55:99}  {f:36.0:37.2}  Mallampati {n:1:3}, TMD >3 fb. Heart RRR, 2/6 SEM. Lungs clear. R knee 5-95, valgus 8. DP 2+. Lachman neg.
LABS {p:-6}: Hgb {f:9.8:15.5}/Hct {n:30:46}, plt {n:140:380}, INR 1.0, Cr {f:0.6:1.4}. EKG: NSR, LAFB. MRSA nares neg.
ASA 3. RCRI 1. Caprini {n:5:11}.
PLAN: R TKA. [Consent signed in my presence, witness {dr4.full} RN. |]Mark site in holding. TXA 1 g. [Type & screen, sample {acc}. |]Blood: will accept. [Post-op rehab: {rehab} vs home with {homecare}. |][Ride: {r2.full} ({r2.role}), {phone}.|]
Functional capacity 5 METs (two flights). Frailty score 2/9. Airway: short chin, teeth intact, neck supple. Medical risk is acceptable; benefits and alternatives, including watchful waiting, were laid out in plain words. Pain plan: adductor canal block, acetaminophen 1 g q8h, [celecoxib 200|no NSAID]. Hope to walk on day 0. Grade of evidence A.
[PCP clearance: {dr5.fml}, NPI {npi}, dated {d:-5}.
|]Dictated {dr1.ab}/{dr6.ab%}   D {d:-1}  T {d:0}[   Job {enc}|]
"""

_RAPID = """RAPID RESPONSE / MEDICAL EMERGENCY TEAM RECORD
Unit: {ward}   Room: {room}   Date: {d:0}   Activated: {time} by {dr1.first} [RN|PCT]   Arrived: +4 min
Pt: {pt.lf}  {age} y/o  [{MF}|{sex}]  acct {acct}   Primary team/attending: {dr2.last}
TRIGGER: {box} RR>28  {box} SBP<90  {box} SpO2<88  {box} mental status  {box} staff worried   MEWS {n:4:9}
[TEAM: {dr3.full}, MD (leader); {dr4.fl}, RRT; {dr5.il}, CCRN; pharmacy {dr6.last}
|]
S: Called for resp distress. {pt.first} was eating lunch with {his} {r1.role} when {he} coughed, went grey. [Adm {d:-5} from {snf} w/ pna, s/p ICU (intubated {range:-4:-2}). |]NPO order had been lifted {p:0}.
B: Parkinson's (Hoehn-Yahr 4), CKD 3b, Zenker's repaired {y:-1500} at {hosp2}. Pacer, model Azure, SN {serial}.
A: {time} BP {bp} HR {n:100:150} RR {n:28:44} SpO2 {n:71:88}% -> NRB 15 L {n:89:97}%. ABG 7.{n:18:34}/{n:48:80}/{n:50:70}. Lungs coarse R>L. FSBG {n:70:300}. GCS E3V4M6. CXR: RLL opacity, (wet read, {dr7.last}).
R: suction, large amount of [peas|rice|bread]. HFNC 50/0.6. Unasyn 3 g. NS 500 x 1.
CODE STATUS confirmed w/ {r1.full} at the bedside and {r2.full} ({r2.role}, by phone {phone}): no reintubation; BiPAP acceptable. [MOLST dated {d:-700} in chart, signed by {dr8.full}.|]
OUTCOME: {box} stayed  {box} transferred to [MICU|step-down], bed {bed}  {box} expired    End time {time}
Debrief: tray delivered in error -> safety report {enc}. Call bell had been in reach. Time to team 4 minutes, grade A.
{aside}
Assessment by team: aspiration with acute hypoxic failure; differential includes PE (Wells 1.5), flash edema, mucus plug. Bedside echo: hyperdynamic LV, no McConnell sign, IVC 1.1 cm. Lactate {f:0.9:4.8}, K {f:3.2:5.4}, Hgb {f:7.8:13.0}. qSOFA 2/3. Suction set at 120 mm Hg. Mark: chart time and monitor time differ by 3 min.
[Family asks that {church} be told; left message {local}.
|]Recorder: {dr5.full} RN  ID {user:dr5}    {d:0} {time}
"""

_DEATH = """DEATH SUMMARY AND REPORT TO THE OFFICE OF THE MEDICAL EXAMINER, {county^}
Reported {d:0} {time} to deputy examiner Dr. {dr1.full}; ME case {case} ({box} accepted {box} declined)
Decedent: {pt.fmiddle}[      SSN {ssn}|]      DOB {dob}[      {age} yrs|]      {sex}
[Residence: {street}, {city}, {st} {zip}
|][Usual occupation: {job}, [{emp}|self-employed][     Place of birth: {fcity}, {country}|]
|]Next of kin: {r1.any} ({r1.role}), {r1phone}, notified {time} in person by Dr. {dr2.last}; {r2.full} notified by phone.
Admitted {d:-3} by {ems} to {hosp}; pronounced {wd:0}, {d:0}, {time}, by {dr2.full}, MD (lic. {lic}).

HISTORY. [On {d:-3} the decedent was the [restrained driver|front passenger] of a pickup[ (plate {plate}, VIN {vin})|] struck near {place}. |]Extrication 25 minutes. GCS 6 at scene, 3T on arrival; ISS {n:27:50}. [CT[ ({acc})|]: bifrontal contusions, Duret hemorrhage, Le Fort II, flail chest L 3-9, grade IV liver. |][To OR with Dr. {dr3.last}; Pringle manoeuvre, packing. |]EVD, ICP {n:25:60}. [The other driver, {m1.full}, {a:19:66}, was treated at {hosp2} and released {p:-2}.|]
COURSE. [Cold calorics absent {p:-1}. |]Apnea test pCO2 41 -> 78. [Second examination {dr4.il} {time}. |][Organ procurement approached; the {r1.role} agreed, as {pt.first} had spoken of it [at {hol}|in {my:-500}]. |]Declined by recovery agency, lactate 14.
CAUSE OF DEATH  (a) craniocerebral trauma (b) motor vehicle collision. Interval days. Manner: pending.
Tox drawn on arrival: ethanol <10 mg/dL. [Admission blood held, tube {acc}. |][Right thumb print card {bio} with the body. |]Property to [police|family], one ring, {n:20:80} dollars.
{aside}
Past history from the chart: hypertension, tobacco, Barrett esophagus, an old Colles fracture. Marshall CT class VI, Rotterdam 5. Transfused 11 PRBC / 10 FFP / 2 platelets; TEG with R 9, MA 41. Hypertonic saline 23.4% x 2, mannitol 1 g/kg. Temperature 33.1 to 36.4. Family meeting lasted 40 minutes; an interpreter was not required.
[Body released {d:1} to the funeral director; death certificate to the registrar.
|]Signed {dr2.full}[      dictated {d:0}|]   transcribed {p:1} {dr5.abc%}
"""

_WOUND = """WOUND / OSTOMY FLOW SHEET       {clinic}  tel {phone}  fax {fax}
{pt.lf} | {dob:us} | chart {mrn} | DM2 x 22 y, A1c {f:6.4:11.0}, ABI R {f:0.5:1.1} | Dx: Wagner 2 R plantar 1st MTH
Referring: {dr1.last}[ ({clinic2})|]       Insurance: {ins} # {plan}[   auth {auth}, 12 visits thru {d:60}|]
date      | L x W x D cm      | bed          | drainage | odor | pain | dressing          | init
{p:-28:md} | 3.1 x 2.4 x 0.6 | 60/40 slough | mod ser  | 0    | 3/10 | alginate, offload | {dr2.ab}
{p:-21:md} | 2.9 x 2.2 x 0.5 | 70/30        | mod      | +    | 4/10 | cadexomer         | {dr3.ab}
{p:-14:md} | 2.5 x 2.0 x 0.4 | 85/15        | scant    | 0    | 2/10 | same              | {dr2.ab}
[{p:-7:md} no visit, snow
|]{p:0:md} | 2.0 x 1.6 x 0.3 | 95 red       | scant    | 0    | 1/10 | TCC #2            | {dr3.ab}
[Key: {dr2.ab} = {dr2.full} CWOCN[;  {dr3.ab} = {dr3.any} DPT|]
|]Comments {d:0}:[ Missed {wd:-9} because van from {agency} did not come.|] [Works standing all day as {ajob} at {emp}; letter for seated duty given. |][{Mr} {pt.last} rubs petroleum jelly on it "like my {r1.role} {r1.first} does". |]Probe to bone neg. Charcot midfoot stable. Semmes-Weinstein 2/10. [No pus[; Gram stain of {p:-14} few GPC|]. |]Will debride next time if rolled. Pat dry, do not rub.
X-ray {my:-1} at {hosp:short} no osteo. [Vascular: Dr. {dr4.full}, angio set for {d:9}, {hosp2}.|]
NPWT unit delivered by {dme}, ser # {serial}, rental start {p:2}. [Diabetic shoe order faxed {fax}.|]
{aside}
Measurement by ruler, depth with swab at 12 o'clock; undermining 0.4 cm 3-5 o'clock. Periwound: callus pared with a 15 blade, hemosiderin, no crepitus. PUSH score 11 -> 8. Nutrition: prealbumin 17, protein 1.2 g/kg, vitamin C 500. Glucose log 140-220. [Teaching: heel off bed, check shoe for stones.|Teaching: no soaking; keep cast dry.] Long-leg pillow. Off-loading 23 of 24 h.
[Supplies go to {street}, {city} {zip}; call {r2.full} first[ ({phone})|], dog in yard.
|]Next: {wk:7} {p:7:md} {time}
"""

_CASEMGMT = """CASE MANAGEMENT -- DISCHARGE PLANNING, ONGOING                                   {d:0}
CM: {dr1.full}, MSW  ext. {ext}         Unit {ward}    Hospital day {n:6:31}     EDD {p:3}
Payer: 1) Medicare {medicare}  2) {ins}[, ID {plan}, group {group}|][   HAR {acct}|][   last 4 SSN {last4}|]
PT: {pt.full}, {age}, {city}. [Decision maker: {r1.full} ({r1.role}, POA) cell {r1phone}. |][Second: {r2.full}.|]

{p:-3} -- Met w/ pt + {r1.role}. Prior level: ind. w/ cane, drove, did own bills. [Two-storey house, 4 steps, tub. {pt.first} is a retired {job} and "not going to a home". |]PT/OT rec SNF, 24 h assist. AM-PAC {n:8:19}/24.
{p:-2} -- Referrals sent: {snf}[ (no bed till {wk:4})|], {snf2}[ (liaison {dr2.fl}, reviewing)|][, {rehab} - declined, cannot do 3 h/day|]. [{county} has a waiting list for the frail elder waiver, intake {tollfree}. |]IMM given.
{p:-1} -- {dr3.last}, PM&R: agree SNF. [{ins} reviewer Dr. {dr4.last}, ref {auth}, approved 7 days from {d:1}. |][[Daughter-in-law|Neighbor] {f1.full} will feed the cat. |][Bank letter for Medicaid spend-down, acct {oacct}.|]
{p:0} -- Accepted at {snf2}, Rm {room}, {city:two}. [Nurse report {phone}. |][Transport {ems} wheelchair van {time}. |][O2 2 L from {dme}. |][[Adult protective report re nephew {m1.full} filed with {agency}.|{agency} to bring meals after.] {dr5.full} to do d/c summary; needs Rx for oxycodone hard script.|]
{aside}
[{aside}
|]Clinical: CHF exacerbation, HFpEF, Hgb 9.1, UTI treated; BIMS 11/15, PHQ-2 1, CAM neg. Diet 2 g sodium, thin liquids after bedside swallow. Skin intact. Bladder scan 90 mL. Mobility: min assist x 1, 40 ft RW. Braden 17. Frank talk about co-pay from day 21. Green light from therapy; [no IV needs|no wound vac].
[Barriers: hold for PASRR, needs legal guardian? No - HCP invoked {d:-8} by Dr. {dr5.last}.
|][Goals: "Be home for {hol}." Will follow. Patient choice list given; no steering.
|]Outpt dialysis chair TTS kept at {clinic}, contact {dr6.first}, {phone}.
"""

TEMPLATES: tuple[Template, ...] = (
    Template("sign_out", "adult", _SIGNOUT),
    Template("nursing_database", "adult", _NURSING),
    Template("id_consult", "adult", _ID_CONSULT),
    Template("preop_history", "adult", _PREOP),
    Template("rapid_response", "elder", _RAPID),
    Template("death_report", "adult", _DEATH),
    Template("wound_flow_sheet", "adult", _WOUND),
    Template("case_management", "elder", _CASEMGMT),
)
