"""Clinic notes and letters: physicians' offices, psychiatry, children, pregnancy, teeth and eyes."""

from heldout.records import Template

LETTER = """\
{clinic}
{street:a}
{city:a}, {state:a} {zip:a}
Telephone {phone} [• Fax {fax}|/ Fax: {fax}]

{d:0}

{dr2.fml}, M.D.
{clinic2}
{street:b}
{city:b}, {st:b}  {zip:b}

RE: {pt.full}
[D.O.B.: {dob}|DOB {dob}; our ref. {mrn}|Date of birth: {dob}]

Dear Dr. {dr2.last}[:|,]

Thank you for referring this [pleasant|delightful|charming] {agew}-year-old [{job}|retired {job}|{man} from {city}] whom I saw in consultation on {d:-3} for evaluation of tremor. {Mr} {pt.last} was accompanied by {his} {r1.role}, [{r1.full}|{r1.first}]. [{He} was born in {country} and came to this area in {y:-9000}.|{He} grew up in {city:c}, {state:c}.|]

The tremor was first noticed in {season:-800}, [when {he} had trouble signing checks at {emp}|during a vacation at {place}|shortly after {hol}], and affects the right hand more than the left. It improves with a glass of wine. There is no anosmia or REM behavior disorder. [{His} [father|mother], who died at {a:70:95}, had a similar tremor.|{His} father, in his {tens:60:90}, has a head tremor.|{His} brother, {a:50:80}, has Parkinson disease.] Medications are propranolol 20 mg b.i.d. and atorvastatin. [{He} stopped primidone on the advice of Dr. {dr3.last} in {my:-200}.|]

On examination blood pressure was 138/80 and pulse 64. Cranial nerves II-XII were intact. There was a 6-8 Hz postural tremor. Tone was normal, Froment maneuver negative, Romberg negative, and plantar responses flexor (no Babinski sign). MoCA was {n:22:30}/30. [An MRI performed at {hosp} on {d:-40} showed only mild small vessel change.|I reviewed the records of {hosp:short}, where {he} was seen by {dr4.full} in {y:-700}.]

I believe that {Mr} {pt.last}'s tremor is essential rather than parkinsonian. I will increase propranolol to 40 mg and see {him} again in 3 months[, sooner if {r1.first} is worried|]. [Should you wish to reach me, my direct line is {phonex}.|My secretary can be reached at {mail:dr1}.]

With kind regards,

{dr1.fml}, [M.D., Ph.D.|MD|M.D., F.A.A.N.]

[{dr1.abc}:{dr5.ab%}
|]cc: {dr3.full}, M.D.[, {hosp}|]
"""

TELEPHONE = """\
Telephone Encounter
[{dr1.lf}, RN|{dr1.full}, RN|{user:dr1}] at {d:0} [ 2:14 PM| 9:05 AM|]    enc# {enc}
Caller: [{pt.full}|{r1.full} ({r1.role})|{pt.first}'s {r1.role}, {r1.first}]   Callback: [{ptphone}|{r1phone}|{phone}][ (ok to leave msg)|]
Pt: {pt.lf}   {dob}   {age} y.o.   PCP: {dr2.lf}, MD

Reason for call: [Med refill|dizziness x 2 days|cough]
[pt states {he} has been taking lisinopril 20 since {p:-9} and now w/ dry cough, no SOB, no F/C. bp at home 118/70.|{r1.first} says {pt.first} fell in the bathroom {wd:-1} night, no LOC, not on thinners. pain 5/10 L hip, able to bear weight.|Pt out of metoprolol 25 BID, last filled {p:-32}. {pharm} on {street:b} in {city:b} told {him} rx # {rx} has no refills.]
[will be leaving for {country} on {wd:4} and wont be back until after {hol}.|works as {ajob} so cant call before 3.|new phone number is {ptphone}, old one ({local}) disconnected.|Uses portal ({url}), cant log in, username {user:pt}. Reset link emailed to {email}.]
[Verified last 4 of SSN {last4}.|Identity verified w/ dob and zip {zip}.|]

Advice: [appt w/ {dr3.last} {p:2} at 10:20|go to [UC|{hosp:short} ED] if worse|cont current dose; will send to {dr2.last} for review]. Mark as high priority. Verbalized understanding.

Routed to: {dr2.last} pool[; cc {dr4.first} (scheduling, ext {ext})|]
---
{d:1} {dr2.full}, MD: [ok to switch to losartan 50 mg daily, bill as non-visit|please book {p:5} or {p:6}|agree, xray hip if not better in 48h]. thx
[{dr1.first} - done, LM at {local} w/ {r1.role} {r1.first}. {dr1.ab}|{dr1.ab} {p:1}: pt called back, aware.]
"""

PSYCHIATRY = """\
PSYCHIATRIC INTAKE EVALUATION
[Telehealth visit (video), patient connected from {ip}, [home in {city}|{city}, {st}]|In person, {psych}]
Date of service: {d:0}     Evaluator: {dr1.full}, [MD|PsyD|PMHNP] [(license {lic})|]
Client: {pt.any}   [Preferred name: {pt.first}   |]DOB: {dob}   [Driver's license {dl} ({st}) reviewed|SSN {ssn}|ID: {state} license # {dl}]
[Voice authentication enrolled, voiceprint {bio}. |]Auth: {ins} #{auth}, 8 visits through {d:90}. Member {plan}

CHIEF COMPLAINT: "I can't get out of bed."

HPI: {pt.first} is {an_age} year old [domiciled|currently unhoused], [{job}|unemployed {job}|part-time {job} at {emp}], referred by Dr. {dr2.last} after a visit to the {hosp} emergency department on {d:-8}. {He} reports six weeks of low mood, 4 hours of sleep, a 12 lb weight loss, and passive thoughts of death. PHQ-9 {n:14:26}, GAD-7 {n:8:20}. Denies plan or intent; {his} {r1.role} {r1.first} holds the firearms at a cousin's house. [Stressors: laid off from {emp} in {my:-100}; custody hearing {d:20}; {r2.role} {r2.first} diagnosed with lymphoma.|Stressors: eviction from {street}; death of {r3.role} {r3.first} on {hol} {y:-200}.|Lost {his} partner, {r4.full}, in {my:-150}; met at {school} in {y:-6000}.]

PAST PSYCH: [One admission, {hosp2}, {season:-2000}, after overdose of 20 tablets of Tylenol.|Saw {dr3.full}, LICSW, {range:-400:-360}.|Inpatient at {hosp2:short} {my:-1800} and {my:-1100}.] Trials: sertraline 100 (GI upset), bupropion XL 300. No ECT. 
SUBSTANCE: EtOH 3-4 drinks/night since {decade}; [DUI {d:-1500} near {place}, car (plate {plate}) impounded|no DUI]. CAGE 2/4. Cannabis on weekends.
FAMILY: Mother bipolar, hospitalized in the {decade}; uncle completed suicide at {a:25:60}.
SOCIAL: Born in [{fcity}, {country}|{city:b}, {state:b}], raised [{church} community|by grandmother near {place}]. Attended {school}. Married {y:-4000}, [two children ({f1.first}, {a:6:18}, and {m1.first}, {a:3:16})|no children]. Works at {emp2}. 
MSE: Fair grooming, psychomotor slowing, mood "blah", affect blunted, thought process linear, no AVH. A&O x4, 3/3 recall, serial 7s intact. Insight fair. C-SSRS low risk.

DX: F33.1 MDD, recurrent, moderate. R/O F10.20. 
PLAN: mirtazapine 7.5 mg qhs. Safety plan with {r1.first} [{r1phone}|]. Crisis line given. IOP at {psych2} starting {p:6}. Coordinate w/ PCP {dr4.last}[ ({mail:dr4})|, fax {fax}]. RTC 2 weeks. 
{dr1.full}
"""

PEDIATRIC = """\
{peds} - Well Child Check
{d:0}
[{pt.full}|{pt.fml}] is a {age} y.o. {boy} here with [mom ({r1.first})|{his} {r2.role}, {r2.full}|both parents, {r1.first} and {r2.first},][ and baby brother {m1.first}, {a:2:11} months|].
MRN {mrn} / DOB {dob} / [PCP {dr1.last}|Provider: {dr1.full}, MD]

Concerns: [picky eating; only drinks milk|not sleeping since [{hol}|they moved from {city:b}, {state:b}]|teacher, {f2.full}, worried about attention].
Interval hx: [OM {my:-60}, treated w/ amox. |Seen at {hosp2:short} ED {d:-45} for croup, decadron x1. |Broke L radius at {place} in {my:-300}, casted by Dr. {dr3.last}. ]No other illnesses. NKDA.
BHx: born at {hosp} at 38 wks, BW 7 lb 2 oz, Apgars 8/9. 
School/daycare: [{school}, {r3.role} {r3.first} picks up|{school}, doing well|starts {school} in {mo:60}]. Mom works as {ajob}[ at {emp}|], dad is {ajob:job2}. Family speaks Tagalog. Pets: dog. Screen time 2 h. [Rides in booster; family car recalled, VIN {vin}.|Bike helmet yes.]
Diet, elimination: nl. Dental home: [Dr. {dr4.last}|{dental}].
Development: ASQ above cutoff. Hops, draws circle, 3/4 speech intelligible. May count to 10.

PE: Wt {f:12:34} kg (45%ile) Ht {n:86:140} cm BMI 50%ile BP 96/58 T 98.2. Alert, playful. TMs clear, tonsils 2+. RRR, Still murmur 1/6. Lungs CTA. Tanner 1. Gowers neg. Skin: 1 cm cafe au lait spot L thigh.
Vision 20/30 OU. Hgb {f:11:13}. Lead <2. 

Imm: DTaP #5, IPV, MMR, varicella given today[; flu declined|; flu given {p:-30} at {pharm}]. VIS given. 
A/P: healthy {age} yo. Dev approp. Book given. Fluoride. [Refer to {hosp2} audiology, ph {phone}.|ADHD: Vanderbilt forms to {school}, fax {fax}.|F/u murmur w/ Dr. {dr5.last} ({mo:45}).] Next WCC {my:365}. [Parent may e-mail forms to {mail:dr1}; home email {email}.|Portal proxy for {r1.first}: {url}|Insurance: {ins}, subscriber {r2.full}, ID {plan}]
[{dr1.full}, MD|{user:dr1}]
"""

OBSTETRIC = """\
LABOR AND DELIVERY ADMISSION NOTE
{pt.full}, {age} y/o G3P1011 at 39w2d by LMP c/w 8 wk US, EDD {d:5}, presents {d:0} {time} c/o ctx q4min since [last night|{time}]. +FM, no VB, SROM clear at {time}.
[L&D rm {room}|{ward}, LDR {bed}]. [Prenatal care w/ Dr {dr1.last} at {obgyn}|PNC: {dr1.full}, CNM; transferred care from {city:b} in {my:-120}]. MRN {mrn}[, acct {acct}|].
PNL: O pos/Ab neg, RI, RPR NR, HBsAg neg, HIV neg, GBS pos ({p:-21}), GCT 118. Quad screen nl. Anatomy US {d:-130} nl, post placenta. Tdap {p:-60}. 
OBHx: {y:-1400} SVD 7#3 girl ({f1.first}) at {hosp2}, 2nd deg lac. {y:-900} SAB, D&C. 
GynHx: LSIL {my:-1000}, colpo nl. PMH: Hashimoto, on levothyroxine 88 mcg. PSH: wisdom teeth. 
FHx: MGM breast ca at {a:50:80}. FOB {m1.full} healthy, [{a:20:45}|sickle trait neg], {job}. 
SH: lives w/ {r1.role} {r1.first} in {city}[; works as {ajob:job2} at {emp}|]. No tob/EtOH. [From {country}, moved {y:-2500}.|WIC via {agency}.|] Ped: Dr. {dr2.last}. 
VS 98.4 88 118/72. FHT 140s, mod var, +accels, no decels. Toco q3-4. SVE 5/90/-1, vtx. EFW 3400 g by Leopold. Bishop 9.
A/P: active labor, GBS+: PCN 5 MU then 2.5 q4h. Epidural prn (anes Dr. {dr3.last} aware). Cat I. Anticipate SVD. D/w Dr. {dr4.full}.
[Wants {r1.role} {r1.first} and doula {f2.full} present.|Birth plan: {r2.role} {r2.first} to cut cord. Cord blood kit # {spec}.|Support: {r2.first} ({r2.role}, {phone}).]
{dr5.full}, MD PGY-3 [beeper {pager}|]
---
DELIVERY ADDENDUM {d:1}: SVD of viable infant, "{m2.first}", 3320 g, Apgars 9/9 over intact perineum. Nuchal x1. EBL 250. Placenta 3VC intact, Duncan. Infant band # {enc}. McRoberts not needed. -- {dr4.il}
"""

ONCOLOGY = """\
MEDICAL ONCOLOGY CONSULTATION - {onc}
Patient: {pt.fml} ({mrn})        Date: {d:0}
Referring: {dr2.full}, MD, {clinic2}
Consulting: {dr1.full}, MD

ONCOLOGIC HISTORY
- {my:-200}: [noticed blood in stool while visiting {city:b}|screening colonoscopy, Dr. {dr3.last}].
- {d:-150}: colonoscopy at {hosp:short}: 4 cm sigmoid mass. Path (# {acc}): moderately differentiated adenocarcinoma, MSI-stable.
- {d:-121}: laparoscopic sigmoidectomy, Dr. {dr3.full}, {hosp}. pT3N1b, 2/18 nodes. CEA 8.4 -> 2.1.
- {range:-90:-20}: FOLFOX C1-C4. C3 held 1 week for ANC 0.8. [Port placed {d:-95}, port serial {serial}.|]
[- Enrolled on adjuvant trial {p:-88}, study ID {study}; coordinator {dr4.first} {phonex}.|]

INTERVAL: {He} is {age}. Here with {r1.role} {r1.first} and {r3.role} {r3.first}. Grade 1 neuropathy in fingers, no Lhermitte. Fatigue 3/10. ECOG 1. Ate well over {hol}. Went to {place} with the family [last {wd:-4}|on {wd:-4}]. 
FH: {his} sister {f1.first} had endometrial ca at {aw:38:60}; father colon ca in his {tens:40:80}; [meets Amsterdam criteria, genetics (Dr. {dr5.last}) {d:14}|Lynch testing negative {my:-30}].
SH: {job}, [{emp}, on leave since {p:-120}|retired {y:-1000}]; emigrated from {country} {y:-8000}. Former smoker, 20 pk-yr. Exposure: asbestos in the {decade}.
EXAM: BP 124/76, P 78, wt {n:50:100} kg, BSA 1.8. No Virchow node. Port site clean. Abd soft. 
LABS {p:0}: WBC 4.2, Hgb {f:9:13}, plt 132, ANC 2.1, bili 0.6.

ASSESSMENT/PLAN: {age}-year-old with stage IIIB colon ca. C5 today, oxaliplatin reduced to 65 mg/m2. Neulasta on {wd:1}. CT {my:60}. Grant application for copay assistance submitted ([acct|account] {acct}, claim {claim}). I will call {dr2.last} today. 
Contact: {ptphone}; [{email}|lives at {street}, {city}].
{dr1.full}, MD
"""

DENTAL = """\
DENTAL PROGRESS NOTE   {dental}   {d:0:short}
Pt {pt.full}  age {age}  Chart #{mrn}   Cell: {ptphone}   Ins: {ins} {plan} grp {group}
CC: "broke a tooth [on {hol} candy|last {wd:-3}|at my {r1.role} {r1.first}'s wedding]". Pain 6/10 to cold, #19.
MHx rev: HTN, bisphosphonate [since {y:-900}|(stopped {my:-200} per Dr. {dr3.last})], PCN allergy. BP 132/84.
Exam: #19 MOD fx ML cusp, perc (+), PPD 3-2-3/3-3-4. #30 implant ([SN {serial}|serial {serial}], placed {my:-900} by Dr {dr2.last}, {city:b}) stable. Class II div 1, Angle. PA x1, BWX x2.
Tx: 1.7 cc 2% lido 1:100k epi, L IANB. Caries exc, build-up, temp crown A2 w/ Durelon. Rubber dam. Tol well. 
Rx: ibuprofen 600 #20, chlorhexidine 0.12%. [To {pharm}, {phone}.|Called in by {dr4.first}.]
NV: crown seat {p:14:md} w/ {dr1.last}; prophy w/ {dr4.first}, RDH [{mo:90}|{my:90}]. Pt is {ajob}, prefers [{wd:1} pm|{wd:2} am]. [Bill {r1.role} {r1.full} (guarantor acct {acct}).|Preauth {auth} sent to {ins}.|E-mail reminders to {email}.]
[{dr1.full}, DDS / asst {dr5.first}|{dr1.il}, D.M.D.|Dr. {dr1.last}/{dr5.ab%}]  lic {lic}
"""

OPHTHALMOLOGY = """\
Cornea/retina note, {eye}
{pt.any} | {age} {M} | {dob} | #{mrn} | seen {d:0} | ref by {dr2.full}, OD ({city:b})
[Iris scan check-in ID {bio} | |Biometric kiosk: iris template {bio} | ]Tech: {dr3.first}

CC: blurry OD x 3 wks. HPI: POAG OU dx {y:-2500}, s/p trab OD [{my:-900}|{d:-900}] ({dr4.last}, {hosp}), PCIOL OS {my:-500} (lens [serial|SN] {serial}). Fuchs dystrophy. Not driving at night; [needs form for {state} RMV, license {dl}|license no. {dl} expires {d:200}; asks if {he} may drive]. [{r1.Role} {r1.first} drove from {city} past {place}.|Lives alone at {snf}.|] Works: {job}[ ({emp})|].
Meds: latanoprost qhs OU, timolol BID OD, Pred Forte 1% QID OS.
VA sc OD 20/80 PH 20/50, OS 20/25. IOP 24/16 (Goldmann) {time}. Pupils 4->2, no Marcus Gunn. CVF full. EOM full, Hertel 17/17.
SLE: OD 2+ NS, Krukenberg spindle neg, bleb flat, Seidel neg. Rose bengal neg. OS PCIOL, trace PCO. Amsler: distortion OD.
DFE: C/D 0.8/0.6. OD CME vs ERM. Drusen. OCT {n:240:420} um. HVF 24-2 [{p:-7}|{d:-7}]: sup arcuate OD, MD -8.2.
A/P 1. POAG OD above target 15 - add dorzolamide TID. 2. CME - ketorolac QID. 3. Photos [emailed to {mail:dr4}|uploaded {url}]. RTC {p:30}, sooner prn. [Surgery date {d:45}, {hosp:abbr}, pre-op w/ {dr5.last}.|D/w {dr2.last} {phone}.]
{dr1.full}, MD [signed by {user:dr1} {d:0}|]
"""

TEMPLATES = (
    Template("clinic_letter", "adult", LETTER),
    Template("telephone_encounter", "adult", TELEPHONE),
    Template("psychiatry_intake", "adult", PSYCHIATRY, wrap=90),
    Template("pediatric_visit", "child", PEDIATRIC),
    Template("obstetric_note", "pregnant", OBSTETRIC),
    Template("oncology_consult", "adult", ONCOLOGY),
    Template("dental_note", "any", DENTAL),
    Template("ophthalmology", "adult", OPHTHALMOLOGY),
)
