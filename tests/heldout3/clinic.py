"""Templates of visits, letters, calls and messages outside the hospital."""

from heldout.records import Template

_LETTER = """{hosp}
[Division|Section|Department] of Rheumatology
[{street:two}, {city:two}, {st:two} {zip:two}
|]Tel: {phone}   Fax: {fax}

{d:0}

{dr1.fml}, MD
{clinic}
[{street:three}
{city:three}, {st:three} {zip:three}
|]
RE: {pt.full}
    DOB: {dob}    MRN: {mrn}
    Date of visit: {d:-1}

Dear [Dr. {dr1.last}|{dr1.first}|Colleague]:

I had the pleasure of seeing {pt.full} in [follow-up|consultation] on {wd:-1}. As you know, {he} is {an_age}-year-old [right-handed |]{job} with seropositive rheumatoid arthritis diagnosed in {y:-2600}[, previously cared for by Dr. {dr2.full} at {hosp2} until {his} move from {state:two} in {season:-600}|].

[Since the last visit in {my:-110}, {he} reports morning stiffness of 45 minutes and swelling of the hands after [planting the garden|a double shift at {emp}|a week at {place}]. |][{He} took a prednisone taper from {p:-40} to {p:-30} with benefit. |]Methotrexate was raised to 20 mg. {He} has had no fevers, rash, dry eyes or dyspnea. [A shingles vaccine was given at {pharm}. |][{His} {r1.role}, {r1.first}, who is {aw:40:78}, was recently found to have lupus; a grandmother lived to {a:80:99} with "crippling arthritis."|]

On examination, blood pressure was {bp}, pulse {n:56:96}, weight {n:110:240} pounds. There was synovitis of the second and third MCP joints bilaterally and a Baker's cyst on the left. Swollen joint count {n:2:9}, tender joint count {n:3:12}; DAS28 {f:2.6:5.6}. No nodules. Schober 4.5 cm. Phalen's and Tinel's signs were negative. Lungs were clear.

Laboratory studies of {d:-8}: ESR {n:20:70}, CRP {f:4.0:38.0}, anti-CCP >250, AST 24, creatinine 0.8, hemoglobin 11.9. Radiographs of the hands[ ({hosp:short}, {d:-8})|] show a new erosion at the ulnar styloid, modified Sharp score 22. Hepatitis serologies and QuantiFERON were negative.

My impression is that the disease is moderately active. We discussed adding adalimumab, and {he} agreed[ after speaking with our nurse, {dr3.full}|]. [I filed a prior authorization with {ins} (ID {plan}). |][[{He} worries about missing work before {hol}.|{He} prefers to be reached at {email} or {ptphone}.] DEXA is booked for {d:25}. |][I have asked {him} to see {dr4.full} of ophthalmology, and will see {him} again in three months.|]

Thank you for allowing me to share in {his} care. Please do not hesitate to call me at {phonex}.

Sincerely,

{dr5.full}, MD, [MPH|FACR|PhD]
[Electronically Signed by {dr5.lf} {d:0} {time}
|][{dr5.ab}/{dr6.abc%}
|][cc: {dr2.full}, MD; {pt.full}, {street}, {city}, {st} {zip}|cc: {pt.full}]
"""

_PRIMARY_CARE = """OFFICE VISIT       {clinic}       {d:0} {time}
{pt.lf} ({mrn})   {age} y.o. {sex}   DOB {dob}   PCP {dr1.full}, [MD|DO|NP]   Ins {ins} {plan}
Rooming: {dr2.first} MA. BP {bp} (repeat {bp}) | P {n:56:100} | T 98.1 | Wt {n:108:290} lb (up 4 since {my:-95}) | BMI {f:20.0:41.0} | PHQ-2 {n:0:3} | Pain {n:0:7}/10
S: Here for f/u HTN, DM, and R shoulder pain x {n:2:6} wks after [lifting at work ({job}, {emp})|painting {his} {r1.role} {r1.first}'s house]. [Saw {dr3.last} at {clinic2} {p:-16}, XR neg, told bursitis. |]Sugars 130-180. [Skipped metformin on trip to {fcity}, {country} {range:-40:-24}. |]Stress: {r2.role} {r2.first} in [{hosp:short}|rehab] since {wd:-9} with stroke. Sleep poor. Denies CP/SOB. Quit smoking[ {d:-500}|]. ETOH 1-2/wk.
HM: colo {y:-1500} (1 TA, due {y:400}); [mammo/PSA {my:-200}; |]eye exam overdue; [Tdap {y:-2500}; |]flu given today L deltoid; pneumo done; HCV neg.
O: NAD. Heart reg, 1/6 SEM. Lungs clear. R shoulder: + Neer, + Hawkins, neg drop arm, ROM 150 abd. Feet: monofilament 8/10, DP 2+. Skin: 5 mm SK L temple.
Labs {d:-6}: A1c {f:6.2:10.4} ({f:6.2:9.0} in {mo:-100}), LDL {n:58:160}, Cr 1.0, eGFR 74, ACR 41.
A/P
1. T2DM (E11.65) - uncontrolled; metformin 1 g BID, add Jardiance 10. [CDE {dr5.full} {wk:12} {p:12}.|]
2. HTN - goal <130/80; ↑ losartan 100. BMP 2 wk.
3. R rotator cuff tendinopathy - PT[ {clinic3}|], 2x/wk x 6; injection if no better. [No work note needed|Light duty thru {p:10}].
4. HLD - ASCVD 14%; atorva 40.
5. Caregiver stress - list of counselors[, {agency}|]; call us. [Advance directive from {y:-900} names {r1.full}, {r1phone}.|]
RTC 3 mo ({my:92}). Total time 32 min.
{dr1.full}     [e-signed|Signed electronically] {d:0} {time}[     scribe: {dr6.full}|]     Rx to {pharm}[ {phone}|]     AVS printed[ {user:dr2}|]
"""

_WELL_CHILD = """WELL CHILD CHECK ({age} YEARS)                   {kids}[       {street:two}, {city:two}, {st:two}|]
Name: {pt.full}     DOB: {dob}     MRN: {mrn}     Date: {d:0}     Provider: {dr1.full}, [MD|PNP]
Accompanied by: {r1.role}, {r1.full}[ and {r2.role} {r2.first}|][     Lang: Spanish, interp {dr2.full}|][     Ins: {ins} ID {plan}|]
Vitals: Ht {n:84:150} cm (45%)  Wt {f:12.0:44.0} kg (60%)  BMI 62%  BP 94/58  Vision 20/25 OU  Hearing pass
INTERVAL HX: Last WCC {d:-370}. [ED {hosp:short} {p:-90} for wheeze, prednisolone x 3 d. |][Dental: {dr3.last}, {my:-70}, 2 caries. |]Eats well, milk 16 oz. Sleeps 9 h. Screen 2 h. [Mom concerned re: speech (IEP at {school}, evaluated {my:-50} by {dr4.full}, SLP).|]
PMH: eczema. [Term, {hosp2}, 3.2 kg; bronchiolitis {my:-1000}. |]Meds: albuterol prn, Flovent 44. All: egg (hives[ at {a:9:14} mo|]).
FAMILY/SOCIAL: [lives in {city} w/ {r1.role}, {r2.role}, sib {f1.first} ({a:1:16}), and dog. |][{r1.Role} works as {ajob} at {emp}; {r2.Role} {r2.first} is {ajob:job2}. |][Moved from {fcity}, {country} {season:-500}. |]Food insecurity screen [+: {agency}|neg]. Guns: no. Lead risk: pre-war apt. PGF MI at {a:38:54}. Cousin w/ autism.
SCHOOL: [grade per age, teacher {f2.last}; bullied once on bus {wd:-9}. |]Activities: swim at {place}.
DEV: ASQ/PSC 11. Draws person 6 parts, rides bike. Tanner 1.
EXAM: Well. TMs clear. Still's murmur 1/6. Lungs clear. No HSM. Testes/GU nl. Adams forward bend neg. Gower neg. Skin: eczema AC fossae.
[IMMUNIZATIONS (registry {study}): DTaP {d:-1500:two}, {d:-300:two}; MMR {d:-1400:two}; VZV {d:-1400:two}; influenza today. |]Lead {f:0.5:4.0} ({my:-600}); Hgb 12.2.
A/P: Healthy {kid}. 1) asthma, mild persistent: AAP to {school}[, fax {fax}|]. 2) speech: continue; audiology[ {clinic} {d:18}|]. 3) eczema: TAC 0.1%. 4) dental: [{wk:10} {p:10}|recheck]. 5) vit D. Reach Out and Read book. Camp form done.
Next WCC {my:365}.[ Reminder to {r1phone} / {email}.|] Portal: {url}
{dr1.lf}, {d:0} {time}
"""

_PRENATAL = """OB TRIAGE / LABOR ADMISSION NOTE          {hosp} {ward}          {d:0} {time}
{pt.full}, {age} y.o. G4P2 @ 38w4d, EDC {d:10} by LMP c/w 8w US[ {d:-214}|]. MRN {mrn}. Prenatal care: {womens}, {dr1.full}, CNM[; MFM {dr2.last}|].
CC: ctx q5 since {time}, SROM? {time} clear. +FM. No VB. Arrived w/ {r1.role} {r1.full}[ ({r1phone}); {r2.role} {r2.first} flying in {wk:1} from {city:two}|].
PNC: 14 visits; TWG 31 lb. O neg, RhoGAM {d:-78}. Ab neg. RI. GBS pos. HIV/RPR/HBsAg NR. 1 h GCT 148 → 3 h nl. NIPT low risk[ ({acc})|]. [Anatomy US {d:-130}, Dr. {dr3.full}: EIF, post placenta. |]Tdap given. Tox neg.
OBHx: {y:-1500} SVD 39w[, {hosp2:short}|], 3450 g boy[ {m1.first}|], PPH 700; {my:-700} SAB 8 w, D&C. GYN: LEEP[ {y:-2600} (Dr. {dr4.last})|]. PMH: migraine w/o aura, Hashimoto's. Meds: PNV, Synthroid 75. NKDA.
SH: {job}[, {emp}, leave since {p:-7}|]. [Lives {street}, {city}. |]No T/E/D. [Born in {country}. |]Safe at home. FH: MGM T2DM, dx {a:40:66}; sister pre-e.
VS: {bp} P {n:66:110} T 98.7. FHT 140 mod var +accels, Cat I. Toco q4. SVE 4/80/-2 vtx, Bishop 9. Nitrazine +, ferning +. EFW 7.5 lb (Leopold). BSUS vtx. DTRs 2+, no clonus. Lungs clear. Abd gravid, NT. Ext trace edema.
Labs: Hgb 11.4 Plt {n:120:260}; UA neg; T&S sent[, sample {spec}|].
A/P: IUP @ 38.4, active labor, SROM. Admit L&D rm {room}. PCN 5 MU → 2.5 q4 (GBS). Epidural when desires[ - Dr. {dr5.last} anesthesia aware|]. CEFM. Peds: {dr6.full}, {kids}. PPH precautions. Plans: breast; circ; PP Nexplanon. [Cord blood kit {enc}. |]{ins} {plan}[, newborn enrol by {d:30}|].
D/w {dr8.full}, MD (attending), who agrees.   {dr9.il}, MD PGY2 p{pager}
Delivery addendum {d:1} {time}: SVD, LOA, viable {f:2.7:4.2} kg infant, Apgars 8/9, 2nd deg repaired 3-0. McRoberts x 1, 30 s. EBL 350. Footprint set {bio}. [Baby {pt.last}, MRN {omrn}. |]{dr1.ab}, CNM
"""

_TELEPHONE = """TELEPHONE ENCOUNTER                                                  {clinic}
Patient: {pt.lf}   DOB: {dob}   MRN: {mrn}   Age: {age}[   Enc #: {enc}|]
Call taken: {d:0} {time} by {dr1.full}, RN        Caller: {r1.full} ({r1.role})        CB#: {r1phone}[ / alt {phone}|]
Reason: med question/refill, INR

{dr1.fl}, RN   {d:0} {time}
{r1.Role} calling. Pt d/c'd from {hosp} {p:-2} (PE) on Coumadin + Lovenox; script for Lovenox wasn't at {pharm}[ on {street:two} (ph {phone})|] — needs PA. Last dose last night. Pt[ (retired {job})|] c/o L calf still swollen, no CP/SOB, no bleeding. visiting nurse[ from {homecare} ({dr2.first})|] drew INR today: {f:1.2:1.9}. Home pulse ox 95-96%, HR 88, BP 132/70. No missed doses before that. Eating ok, no new meds, no EtOH. Has 2 tabs of 5 mg and a bottle of 2.5s left. Wells at visit was 4.5. Advised ED for SOB, syncope, hemoptysis, etc. Routed high priority to Dr. {dr3.last}.

{dr3.full}, MD   {d:0} {time}
Lovenox 80 BID x 5 more d. Warfarin 7.5 {wk:0} {wk:1}, then 5. INR {p:3}. pls do PA.

{dr4.full}, CMA   {d:0} {time}
PA started w/ {ins}[, spoke to {f1.first}, ref {auth}|]. Fax back {fax}. Approved x 30 d. Pharmacy notified.

{dr1.last}, RN   {d:1} {time}
LM on VM x 2. Reached {r2.role} {r2.full}[ at {local}|]: got med, gave own injection, INR appt ok. [Ride by {agency}. |][Asked re: travel to {place} for {hol} - hold off. |][Needs letter for {emp}. |]Reviewed diet and bleeding signs, verbalized understanding. [Hematology ({dr5.full}, {hosp2}) new pt appt {d:24} {time}, {phonex}.|]
Closed[ by {user:dr1}|] {d:1} {time}
"""

_PORTAL = """MyChart Message Thread            Patient: {pt.full} (MRN {mrn}[, DOB {dob}|])            Exported {d:4}[ by {user:dr1}|]

From: {pt.full} [<{email}>|]
To: {dr1.full}, MD / [nurse pool|front desk]
Sent: {d:0} {time}
Subject: rash + form
Good morning Dr {dr1.last}! Sorry to bother you[ over {hol}|]. Since {wd:-2} I've had an itchy rash on both arms and it got worse after the second dose of that antibiotic {dr2.first} gave me[ at {clinic}|] (bactrim?). No fever, 98.6 this am. [I do work outside ({job}, {emp}) so could be poison ivy. |]My {r1.role} {r1.first} says it looks like hives. Pic attached. It itches most at night, maybe a 6/10. I tried oatmeal baths and the 1% hydrocortisone. Also pls fill out the form for [{school}, my {a:4:17} year old ({f1.first}) starts {mo:20}|work]. Can fax to {fax}[ or my work email {mail:pt}|]. [New cell is {phone}, the {ptphone} one is off. |]Thx, {pt.first}

From: {dr3.full}, RN
Sent: {d:0} {time}
Hi {pt.first}, {dr1.last} is out until {wd:3}; I showed this to {dr4.full}, NP. Please STOP the Bactrim. Benadryl 25 mg every 6 h. Any swelling of the lips, trouble breathing, blisters → 911 or nearest ER. We have {time} tomorrow[ at our {city:two} office, {street:two}|], ok? [You can also call {phonex}. |][Is your pharmacy still {pharm}? |]- {dr3.first}

[From: {pt.full}
Sent: {d:1} {time}
Yes ok[ but car is in the shop, can {r2.full} ({r2.role}) bring me|]. [I'm at {street:three} in {town} til {p:9} btw. |][Insurance is now {ins}, {plan}. |]I was allergic to sulfa as a kid maybe?? [Had stevens something at {hosp2:short} in {y:-6000}.|Mom would know.]

From: {dr4.full}, NP
Sent: {d:1} {time}
That is very helpful - I've added sulfa to your allergies. Video visit instead, today at {time}: {url}. Sent triamcinolone 0.1%[ to {pharm}, Rx {rx}|]. Thin layer twice a day, not on the face. If you see any peeling, go in tonight. {dr4.ab}

|]From: {dr1.full}, MD
Sent: {d:4} {time}
Glad you're better. Form done & faxed. See you [{my:60}|soon] for your physical. Dr. {dr1.last}
[Read by patient {d:4} {time} from {ip}. |][Statement for acct {acct} available.|]
"""

_REFERRAL = """REFERRAL / PRIOR AUTHORIZATION REQUEST           {box} Routine  {box} Urgent           Date {d:0}
REFERRING:  {dr1.full}, MD   {clinic}[, {street:two}, {city:two}, {st:two} {zip:two}|]   P {phone}[  F {fax}|][   NPI {npi}|]
REFERRED TO: {dr3.full}, MD, [Neurosurgery|Oncology], {hosp}[   P {phonex}   F {fax}|]
PATIENT: {pt.lfi}   DOB {dob}   {age}/{MF}[   SS# {ssn}|]   MRN {mrn}
   [{street}, {city}, {st} {zip}   |]H {ptphone}[   W {phone}|   email {email}|]
[EMERGENCY: {r1.full} ({r1.role}) {r1phone}
|][EMPLOYER: {emp}   OCCUPATION: {job}
|]INSURANCE 1: {ins}  ID {plan}[  Grp {group}  subscriber {r2.full}  DOB {d:-17000}|  Grp {group}     INSURANCE 2: {ins2} {policy}|]
AUTH #: {auth}   visits 6[   valid {range:0:90}|   UM rep {f1.first}, {tollfree}|]
DX: [C71.1 L frontal glioma|C71.2 R temporal glioma]   CPT 99245

CLINICAL: {age} y.o. {sex} w/ seizure {d:-20} while [driving|at {place}|at a {church} supper]. MRI[ {d:-19} ({acc})|]: 3.1 cm mass. Bx {d:-12}[, Dr. {dr4.last}, path {spec}|]: grade 3, IDH mutant, 1p/19q pending. KPS 80. Keppra 500 BID, dex 4 q6 (A1c 6.8). Strength 4+/5 R hand, DTRs 3+, Hoffmann +. Tumor board: resect, then Stupp protocol. [Seen by rad onc {dr5.full} {p:-4}. |]Hx: melanoma in situ[ {y:-2000}|]; appy; DVT after flight[ {season:-900}|]. Father had "brain cancer"[ at {a:40:70}|]. [Lives w/ {r1.role} {r1.first}, 2 dogs. |]Never smoker. [Pt asks re trial {study} at {hosp3}; contact {dr6.full}, {mail:dr6}.|]
Labs: Na 137, K 3.9, Cr 0.8, plt 244, INR 1.0, glucose 161 on steroids. Vision: R inferior quadrant cut by confrontation; Humphrey fields ordered. Gait steady, Romberg neg. MoCA 25/30. Mood fair, PHQ-9 7. Distress thermometer 6/10.
Not driving[ since {my:-20}; license {dl}, to be held to {d:165}|]. [Disability form pending (case {claim}). |]Spiritual care offered.
REQUESTED: appt within 7 d; films on CD sent by courier; call pt after {time}; interpreter {box}.[ Balance acct {oacct}.|]
Appt made: {d:6} {time} w/ {dr3.last}[, Rm {room}, {ward}|].
Signature: {dr1.fml}, MD[        (stamp) {dr1.iil}, {d:0}|]
"""

TEMPLATES: tuple[Template, ...] = (
    Template("specialist_letter", "adult", _LETTER, wrap=94),
    Template("primary_care", "working", _PRIMARY_CARE),
    Template("well_child", "child", _WELL_CHILD),
    Template("labor_admission", "pregnant", _PRENATAL),
    Template("telephone_encounter", "elder", _TELEPHONE),
    Template("portal_messages", "working", _PORTAL),
    Template("referral_request", "working", _REFERRAL),
)
