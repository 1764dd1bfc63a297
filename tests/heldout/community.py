"""Notes from outside the wards: emergency, ambulance, home, social work, referral, pharmacy, genetics."""

from heldout.records import Template

TRIAGE = """\
ED TRIAGE NOTE  {hosp:abbr}
Arrival {d:0} {time} via [ambulance|walk-in|private vehicle|PD]   ESI [2|3|3|4]
{pt.LF}  {age}{M}  MRN {mrn}[  FIN {enc}|]
Reg: [lives {street}, {city} {st} {zip}; tel {ptphone}|{ptphone}, NOK {r1.full} ({r1.role}) {r1phone}|no ID on arrival, name given by {r1.role} {r1.first}][. Ins {ins} {plan}|]
CC: [MVC|chest pain|laceration|abd pain N/V]
[Restrained driver, T-boned at [{place}|{street:b} in {city:b}] approx 40 mph, +airbag, self-extricated. Car [plate {plate}|{st:b} plate {plate}, VIN {vin}] towed. Report # {claim}, Officer {m2.last}.|Cut L palm on slicer at work ({job}, {emp}), [workers comp claim {claim}|boss {r4.first} drove pt in].|Epigastric pain since {wd:-1}, worse after {hol} dinner, vomited x 4, 8/10, rad to back.|CP on exertion x 2h while hiking at {place}, 7/10, ASA 324 given by EMS.]
[Recent travel: returned from {country} {p:-11}|Recent travel: {fcity}, {country}, {range:-20:-9}|No travel, no sick contacts].
VS T {f:36:39} HR {n:62:128} BP {n:98:178}/84 RR 18 SpO2 {n:92:100}% RA. GCS 15. Pain {n:2:9}/10. FSBG 142. LMP [n/a|{p:-20}].
PMH: DM2, HTN, [Crohn's|Graves disease|Addison's|Bell palsy|Baker cyst], [appy {y:-3000}|CABG {y:-2600} at {hosp2}]. Meds: see list. Allergy: sulfa, latex. Tetanus [{y:-2000}|unk].
PCP [{dr2.last} ({clinic})|Dr. {dr2.full}|none]. [Interpreter ID {rx} used.|]
Fall risk: low. Feels safe at home: yes. Bill of rights given. Placed in [bed {bed}|hallway|rm {room}]; {dr1.il} MD aware. Belongings w/ {r1.role}.
{dr4.full} RN   {time}
"""

AMBULANCE = """\
{ems^} - PATIENT CARE REPORT
Run # {enc}   Date: {d:0:slash0}   Unit: Medic 4 (vehicle plate {plate})   Crew: {dr1.il} EMT-P (cert {lic}), {dr2.il} EMT-B
Dispatched {time} for unresponsive {male}. Loc: [{street}, {city}|{place}, near {city}|{street:b}, {city} (front of {church})]  County/landmark: {place}
PT: {pt.lf}  DOB {dob}  Age {age}  Phone {ptphone}  [SSN {ssn}|SSN unk]  DL# [{dl}|{st} {dl}]
Insurance: [Medicare {medicare}|{ins} {plan}]

NARR: M4 arr to find {age} yo {M} supine on [kitchen floor|sidewalk|bathroom floor], CPR in progress by [bystander {r3.full}|{r1.role} {r1.first}|a neighbor]. Per [{r1.role}|neighbor {r4.first}], pt [c/o CP since {wd:-1}|was seen normal at breakfast|just home from {hosp2:short} on {p:-2}]. [First responder unit from {city:b} on scene. |]AED: no shock advised. ALS: asystole -> PEA. IO 15G R tib. Epi 1:10,000 1 mg x3, Narcan 2 mg. ETT 7.5, ETCO2 22 -> 41. ROSC {time}. BG 88. 12-lead: ST elev V2-V4. BP 94/50, HR 108, SpO2 97. GCS 3. LUCAS device S/N {serial} applied[; monitor s/n {serial}|].
[Vehicle: pt's pickup, plate {plate}, left at scene, keys to {r1.first}.|Pt's sedan ({st} {plate}) in roadway, secured by PD.|Meds found: lisinopril, Lasix, "sugar pills".]
Transport emergent to {hosp} ([ETA 9 min|past {place}]). Med control Dr. {dr3.last}, {time}. Report to {dr4.first}, RN, [Trauma {bed}|resus bed {bed}]. Care transferred {time}. MOLST: none. 
Contacted: {r2.role} {r2.full} {phone}, [lives {city:c}, {state:c}|en route from work at {emp}].
Signature: {dr1.full}, Paramedic    tablet login {user:dr1}
"""

HOME_VISIT = """\
{homecare}  HOME VISIT NOTE   SN visit #{n:2:30}
Client: {pt.full}   DOB {dob}   [MBI {medicare}|Plan ID {plan}]
Cert period: {d:-30} - {d:29}    Visit: {d:0} {time}
Address: {street}, {city}, {st} {zip} [(blue house past {place}; key w/ neighbor {r3.first}, {phone})|(side door, dog "Bandit")|({place}, 2nd left)] Home ph {ptphone}
Homebound d/t dyspnea on minimal exertion. [Lives w/ {r1.role} {r1.first}, {a:50:90}|{r1.Role} {r1.full} visits daily, cell {r1phone}]. {pt.first} turned {age} in {mo:-30}.
S: "My feet are like balloons." Pain 3/10. Slept in recliner since {wd:-2}. Missed Lasix [on {wd:-1}|{p:-1}] b/c was at [{church}|{agency2}|{hosp:short} for eye appt].
O: BP 148/70 R arm sitting, HR 76 irreg, RR 20, T 97.8, O2 sat 93% 2L. Wt {n:140:220} lb (+4 since {p:-3}). LE edema 2+. Wound L heel 2.1 x 1.8 x 0.2 cm, 80% gran. Braden 16. TUG 24 sec. Pillbox: {wd:0} PM slot still full. 
[O2 concentrator serial {serial}, filter cleaned.|Wound vac S/N {serial} @ 125 mmHg.|Telemonitor {serial} synced, ip {ip}.]
Called Dr. {dr2.last} office ({phonex}), s/w {dr3.first}: Lasix 80 BID x 3 d, BMP {wd:1}. Faxed wt log to {fax}. 
Teach: 2 g Na, rise slowly, mark weights on calendar. [{r1.first} verb. understanding.|Aide {dr4.first} instructed.|]
[Vehicle in driveway blocks ramp (plate {plate}), {r2.role} {r2.first} to move.|MSW ref for fuel assistance, {agency2}.|Pt is a former {job} and tracks {his} own I&O carefully.|Handicap placard application, vehicle plate {plate}, copy of license {dl} on file.]
Next visit {p:3}. Recert due {d:27}. POC rev w/ {dr5.il}, PT.
{dr1.full}, RN  [lic {lic}|mobile {phone}|]
"""

SOCIAL_WORK = """\
Social Work Psychosocial Assessment
Patient: {pt.full}      [Unit: {ward}|Unit/Room: {ward}/{room}]      Date: {d:0}
Referred by: {dr2.full}, NP, for discharge planning and financial stressors.

Identifying information: {pt.first} is {an_age}-year-old married {man} born in [{fcity}, {country}|{country}|{city:b}, {state:b}] who moved to {city} in [{y:-6000}|{season:-3000}]. {He} speaks Spanish and English. [Green card holder, passport pending.|]
Family/supports: Lives with {r1.role} {r1.full}[ ({a:20:80}, {job2})|, {ajob:job2}] and {r3.role} {r3.first} at {street}, {city}, {st}, {zip}. {r2.Role} {r2.first} lives in {city:c}, {state:c}, and works as {ajob:job22} for {emp2}. [Parents died in the {decade}.|Estranged from brother, {m1.full}, who is incarcerated in {place}.] Faith: attends {church}. Pt named {r1.first} as health care proxy {d:-1}. Tel: {r1phone} (home), {phone} (work).
Employment/education: [{job}|former {job}] at {emp} [since {y:-3500}|from {y:-5000} until a back injury in {my:-500}]; completed 10th grade[ at {school}|]. Short-term disability claim # {claim}, adjuster {r4.first}, {phonex}. 
Housing: Section 8 apartment; eviction hearing [{d:12}|{wd:6}, {p:6}]. [Sleeping in car ({plate}, registered to {r2.first}) since {hol}.|Landlord {r4.last} will not repair heat.|Waitlisted w/ {agency}.]
Insurance/finances: {ins}, member # {plan}, group {group}[; secondary Medicaid|]. SSDI pending, SSN [{ssn}|ending in {last4}|{masked}]. Outstanding hospital bill, account {acct}. [Checking account joint w/ {r1.first}.|]
Legal/safety: Denies IPV. License [{dl}|no. {dl}] suspended {my:-80} [for unpaid fines|after OUI near {place}]. 
Mental health: PHQ-2 3/6. Hx of counseling w/ {dr3.full}, {psych}, [{y:-1500}|{range:-300:-200}]. 
Intervention: Application to {agency2} (contact {dr4.first}, {mail:dr4}; web {url}). Ride voucher x2. Grace period for rent requested. Will f/u {wd:1}. Emailed {r1.first} forms at {email}.
{dr1.full}, LICSW   pager {pager}[   office {ext}|]
"""

REFERRAL = """\
REFERRAL / PRIOR AUTHORIZATION REQUEST                         [URGENT|ROUTINE|STAT]
To: {ins} Utilization Review     Fax: {fax}      Date: {d:0}
From: {clinic}, {street:a}, {city:a}, {st:a} {zip:a}. Ph {phone}, Fax {fax}. Contact: {dr3.first} {phonex}

MEMBER:  {pt.LF}          DOB: {dob}        Sex: {M}
Member ID: {plan}         Group #: {group}        [Subscriber: {r1.full} ({r1.role}), employer {emp}|Subscriber: self, employer {emp}]
Address: {street}, {city}, {st} {zip}       Phone: {ptphone}        [Email: {email}|SSN: {ssn}]

REQUESTING PROVIDER: {dr1.full}, MD    NPI {npi}    [DEA {dea}|State license {lic}]
SERVICING FACILITY: {hosp}[, {ward}|]    SERVICING PROVIDER: {dr2.full}, NPI {npi}
Referral #: {auth}     [Previous auth {auth} (expired {d:-15})|Case ref. {claim}]     Visits: {n:4:20}    Valid {d:0} to {d:180}

SERVICE: MRI lumbar spine w/o contrast (72148). DX: M54.16, M51.26.
CLINICAL: {age} y/o {male}, {job}, with LBP and L5 radiculopathy since lifting injury at work {d:-70} [(WC claim {claim})|near {place}]. Failed 6 weeks of PT ({range:-60:-18}) at {clinic2} and naproxen 500 BID. SLR + at 40 degrees. EHL 4/5, Achilles reflex 1+. No saddle anesthesia. Pain 8/10. ODI 44%. XR {d:-55}: L4-5 narrowing. [Dr. {dr2.last} saw pt {p:-10} and agrees.|Prior L5-S1 discectomy {y:-2500} at {hosp2}.]
[PENDED {p:2}: please mark CPT on p. 2. Reviewer {dr4.il}, RN, x{ext}.|APPROVED {d:3}, auth no. {auth}, reviewer {dr4.full}.|Peer-to-peer w/ Dr. {dr5.last} {wd:2} at 11.]
Status online at {url}
"""

MEDREC = """\
PHARMACY MEDICATION RECONCILIATION     {d:0}
[{pt.lf}|{pt.comma}] | {age} yo {M} | {mrn} | {ward} {room} | CrCl {n:25:90} mL/min | Wt {n:50:110} kg
Sources: pt, {r1.role} ({r1.first}), {pharm} [({phone})|(spoke w/ {dr5.first}, RPh, {phone})], [d/c list {hosp2} {d:-40}|PDMP {p:0}|SNF MAR from {snf}].

Home meds (last dose)
1. warfarin 5 mg MWF, 2.5 other days ({p:-1} PM). INR goal 2-3. Managed by [{clinic}|{dr2.last}'s office]
2. metoprolol succ 50 mg qd (today)
3. insulin glargine 22 u qhs; lispro SSI
4. [oxycodone 5 mg q6h prn #28, Rx {rx}, filled {d:-12}, Dr. {dr3.full} (DEA {dea})|hydrocodone-APAP 5/325, rx # {rx}, prescriber {dr3.last}, DEA # {dea}|gabapentin 300 TID, Rx {rx}]
5. Synthroid 112 mcg. 6. vitamin B12 1000 mcg, vit D3. 7. [St. John's wort (stopped {my:-60})|Depakote 500 BID|none]
Allergies: PCN (hives, {y:-8000}), codeine (N/V). Flu shot {my:-45}[ at {pharm}|].

Discrepancies: (1) metoprolol ordered as tartrate 50 BID -> paged {dr4.last} ({pager}), corrected {time}. (2) Coumadin dose: pt was told 5 mg daily by [{dr2.last}|nurse {dr6.first}] on {p:-8}; INR {f:2:5}. Hold x1. May rechallenge. 
Cost: copay $45; [PA for apixaban via {ins}, ID {plan}, BIN/PCN on file, auth {auth}|Part D id {medicare}]. [Mail order to {street}, {city}, {st} {zip}.|Delivery to {agency}.|]
{dr1.full}, PharmD, BCPS  [lic# {lic}|NPI {npi}]  ext {ext}  [{user:dr1}|]
"""

GENETICS = """\
{hosp}
GENETICS CLINIC LETTER
{street:a}, {city:a}, {state:a} | {phone} | {url}

Proband: {pt.full}, [b. {dob}|DOB {dob}], {mrn}            Seen: {d:0}
Counselor: {dr1.full}, MS, CGC. Geneticist: {dr2.full}, MD

Dear {Mr} {pt.last},

It was good to meet you and your {r1.role} {r1.first} on {d:-1}. You were referred by Dr. {dr3.last} because of [early heart disease|your family history of aortic aneurysm]. This letter will summarize our talk.

FAMILY HISTORY. You are {age}. Your {r2.role}, {r2.first}, [is healthy at {a:20:90}|had an aneurysm repaired in {y:-1200} at {hosp2}]. Your [uncle|cousin] {m1.full} died suddenly at {a:28:60} [in {place}|while living in {city:b}, {state:b}|in {country}] in {y:-5000}; he was {ajob}. Your grandmother, {f1.first}, lived to {a:90:101}. Ancestry: maternal {country}; paternal unknown. No consanguinity.
EXAM. Height {n:160:198} cm, arm span ratio 1.04. Steinberg and Walker-Murdoch signs negative. Beighton 3/9. Ghent score 4. BP 118/76.
TESTING. Blood was sent [{p:-1}|{wd:-1}] (specimen {spec}; [kit {spec}; |]order {acc}). FBN1, TGFBR2 and 18 other genes. Results in 3-4 weeks. [Saliva kit for {r2.first} will be mailed to {street:c}, {city:c}, {st:c} {zip:c}.|Sample also banked under research ID {study}, with {hosp2}.|Research participant no. {study}; consent witnessed, thumbprint {bio}.]
COST. {ins} was billed (ID {plan}, auth {auth}). [The lab, ref. account {acct}, will email {email} if over $100.|]
You may share this with relatives. If you have questions, call {phonex} or write to {mail:dr1}. I hope that this is helpful.

{dr1.full}, MS, CGC
cc {dr3.full}, [{clinic}|fax {fax}]
"""

ADDENDUM = """\
*** ADDENDUM *** to note of {d:-1} by {dr1.lf}
[Patient: {pt.lf} ({mrn})|PT: {pt.comma^} {mrn}|Pt initials {pt.ini}, MRN {mrn}][ Encounter {enc}|]
[Correction: laterality should read LEFT, not right.|Late entry: I was present for the key portions of the visit.|Time of event corrected to {time}.] [The {r1.role} named in the HPI is {r1.first}, not {r3.first}.|Date of onset is {p:-9}, not {p:-6}.|Occupation is {job}, not {job2}.] Above d/w Drs. {dr2.last}, {dr3.last} and {dr4.last}[; family ({r1.full}, {r2.full}) informed|]. 
I saw and examined the patient with the resident, Dr. {dr5.full}, and agree with {his} findings and plan except as noted. Will check troponin at 6 hours. March fracture is in the differential. Ward team to bill 99223.
[Consent on file w/ finger scan {bio}.|Photo of wound uploaded.|Pt signed with stylus; biometric signature ID {bio}.]
--
Electronically signed by {dr1.fml}, MD on {d:0} {time} [EST|]
Signed from: {ip} [session {enc}|user {user:dr1}|login={user:dr1}]
Cosigned: {dr6.LF} [{user:dr6}|({dr6.abc})] {d:0}
Last edited by {user:dr5}[; printed by {user:dr7} {d:1} at {ward}|]
"""

TEMPLATES = (
    Template("ed_triage", "any", TRIAGE),
    Template("ambulance_run", "adult", AMBULANCE),
    Template("home_visit", "adult", HOME_VISIT),
    Template("social_work", "adult", SOCIAL_WORK, wrap=84),
    Template("referral_authorization", "any", REFERRAL),
    Template("medication_reconciliation", "adult", MEDREC),
    Template("genetics_letter", "any", GENETICS, wrap=78),
    Template("addendum", "any", ADDENDUM),
)
