"""Templates of notes of the emergency department."""

from heldout.records import Template

_TRIAGE = """ED TRIAGE                                {hosp:short} EMERGENCY
{pt.lf^}      {age} {MF}     DOB {dob}     MRN {mrn}    Visit {enc}
Arrival {d:0} {time}  via {box} walk-in {box} EMS ({ems}, run# {case}) {box} police
ESI: {n:2:4}    Triage RN: {dr1.full}    Placed: {bed} [hall|] @ {time}
CC: [chest pain|SOB|abd pain|fall] x [2 h|3 d|since {wd:-1}]
VS: T {f:97.0:101.9} HR {n:60:128} RR {n:14:28} BP {bp} SpO2 {n:90:100}% [RA|2 L] Pain {n:2:10}/10 Wt {n:50:120} kg   GCS 15   FSBG {n:72:300}
Narrative: pt brought by {r1.role} {r1.first}. [States sx began {time} while [at work ({job}, {emp})|at {place}|leaving {church}]. |][Seen at {clinic} {p:-3}, told to come back if worse. |][Had similar {my:-150}, {hosp2:short}. |]ASA 324 given by medic {dr2.last}. LMP n/a. Last tetanus {y:-2000}.
PMH: HTN, DM, asthma, CVA {y:-900}. Meds: see list, fills at {pharm}. All: Bactrim, peanuts.
Screens: sepsis neg; TB neg - no travel[ exc {country} {my:-60}|]; fall risk Y; SI neg; safe at home Y; last flu shot {my:-100}
PCP: {dr3.full} [(left msg {phone})|]      Ins: {ins} {plan}      Address verified: {street}, {city} {zip} ph {ptphone}
Emergency contact: {r1.full} ({r1.role})[ {r1phone}|][; other {r2.full}|]
Valuables: [DL {dl} + wallet to security bag {enc}|to family]
Reassess {time}: {bp}, pain {n:0:8}, EKG shown to {dr4.last} w/in 10 min. {dr1.ab} RN  [{user:dr1}|]
"""

_ED_PROVIDER = """EMERGENCY DEPARTMENT PROVIDER NOTE
Name: {pt.full}   MRN: {mrn}   Age: {age} y.o.   Date: {d:0}   Time seen: {time}   Bed: {bed}
Attending: {dr1.full}, MD    APP: {dr2.full}, PA-C    Scribe: {dr3.full}

CHIEF COMPLAINT: MVC
HPI: {age} y.o. {sex} restrained [driver|front passenger] in MVC at approx {time} today [on {road}|on {road} near {town}|in {county}]. Rear-ended at ~35 mph by a [truck|van, plate {plate}]; own car (plate {plate}[, VIN {vin}|]) totaled. + airbag, - LOC, self-extricated. Brought in by {ems} on a board with collar. C/o neck, chest wall and L wrist pain, 7/10. [{His} {r1.role}, {r1.full}, was also in the car and is in bed {bed}; {r2.role} {r2.first} is on the way from {city:two}. |][Patient works as {ajob} for {emp} and was on the clock [(WC claim {claim})|(supervisor {m1.full}, {phone})]. |][Police report {case}, Officer {m2.last}. |]Last PO {time}. Tdap {my:-2000}. Denies anticoagulants.
PMH: migraine, [ACL repair ({hosp2:short}, {y:-2500})|anxiety]. PSH: T&A. Meds: sumatriptan. Allergies: codeine.
SOCIAL: [Lives at {street}, {city}. |]Vapes. No EtOH tonight.

EXAM: {bp}, HR {n:70:118}, RR 18, 98% RA, T 98.4. GCS 15. HEENT NCAT, no Battle sign, no raccoon eyes. C-spine midline TTP C5-6. Chest: + seat belt sign. Abd soft. L wrist: snuffbox TTP, NVI. Strength 5/5.
ED COURSE: NEXUS +, Canadian C-spine +. CT head/C-spine neg (Dr. {dr4.last}, prelim {time}). CXR no PTX. FAST neg x 4 by {dr5.last}. L wrist XR: nondisplaced scaphoid fx. Trop <6, EKG NSR. Hgb 13.1. Tox ETOH <10. Thumb spica by ortho tech {dr6.first}. Toradol 15, APAP 1 g. {time}: cleared collar, ambulatory. [Discussed with hand (Dr. {dr7.full}), f/u {wd:6} {d:6}, {clinic}, {phone}.|]
MDM: Moderate. DDx incl. BCI, splenic lac, cervical strain. HEART 1. PERC neg.
IMPRESSION: 1. Scaphoid fx L, closed. 2. Cervical strain. 3. Chest wall contusion.
DISPO: Home with {r2.role}, {time}. RTW {p:3} light duty. Rx: naproxen 500 #20, Flexeril 5 #10 to {pharm}. PCP {dr8.full} notified by inbox.
Auto insurer: {ins}[, policy {policy}|].[ DL {dl}.|]

{dr2.full}, PA-C     {dr1.full}, MD: I personally evaluated the patient. [{d:0} {time}|]
"""

_ED_CHILD = """PEDIATRIC EMERGENCY NOTE - {hosp}
{pt.full} ({age} yo {kid}), DOB {dob}, MRN {mrn}. Here with {r1.role} {r1.full}[ and {r2.role} {r2.first}|]. {d:0}, {time}. Triage 3. Bed {bed}. Interpreter ID {enc} (phone).
CC: fever, barky cough
HPI: Previously healthy, Tmax 39.4 since {wd:-2}, stridor tonight. Younger sib ({a:2:10} mo) has URI[; 4 kids out at {school}|]. Seen {p:-1} at {kids}[ by {dr1.last}, NP|]: flu/strep neg, told viral. Drinking ok, 3 wet diapers/voids. No FB. [Family came from {fcity}, {country} in {season:-300}; staying with {r3.role} {r3.full} in {city}. TB screen neg.|]
PMH: eczema. [Born 36 wk at {hosp2}, NICU x 6 d; RSV {my:-500}; PE tubes {y:-400} Dr. {dr2.last}. |][Imm: UTD per registry ({study}), flu {my:-60}. |]Meds: none. All: amox - rash[ at {a:1:3}|].
SH: lives w/ both parents[; {r1.first} is {ajob} at {emp}|]. [[Smoke exposure +.|Social services involved, worker {f2.full}, {phone}.] Goes to {school}.|]
PE: T 38.8 HR {n:100:150} RR {n:24:40} BP 98/60 SpO2 97% RA Wt {f:11.0:48.0} kg. Alert, stridor at rest, mild retractions. TMs clear, tubes in place. OP mild erythema. Lungs no wheeze. Cap refill 2 s. Westley {n:3:6}.
COURSE: Dex 0.6 mg/kg PO {time}; racemic epi x 1 {time}, obs 3 h, improved by {time}, Westley 1. XR neck steeple sign per {dr3.last}. Reassessed by me and by fellow {dr4.last}.
A/P: Croup, moderate. Home w/ {r1.role}. Return for stridor at rest. F/u {kids} {wk:1} {p:1}; d/w {dr5.full} on call by phone {local}. School note until {d:3}. Rx ibuprofen to {pharm}. [Parent's cell {r1phone}.|Medicaid {policy}.]
{dr6.full}, MD, PEM   {time}
"""

TEMPLATES: tuple[Template, ...] = (
    Template("ed_triage", "any", _TRIAGE),
    Template("ed_provider", "working", _ED_PROVIDER),
    Template("ed_pediatric", "child", _ED_CHILD),
)
