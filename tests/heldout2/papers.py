"""Templates of letters, forms and notes of services outside the hospital."""

from heldout.records import Template

_WORK_INJURY = """EMPLOYER'S / PHYSICIAN'S FIRST REPORT OF OCCUPATIONAL INJURY OR ILLNESS            State of {state:two}
1. INJURED WORKER    {pt.lfi}          2. SSN {ssn}        3. DOB {dob}     4. SEX {box} M {box} F
5. HOME ADDRESS[      {street}, {city}, {st} {zip}|]           6. TEL {ptphone}
[7. EMPLOYER          {emp}, {street:two}, {city:two}, {st:two} {zip:two}    contact {m1.full}, {phonex}
|][8. OCCUPATION        {job}          9. CARRIER  {ins}    10. CLAIM NO. {claim}   policy {policy}   adjuster {f1.full}, fax {fax}
|][11. DATE/HOUR OF INJURY  {d:-2}, {time}       12. LAST WORKED  {p:-2}      13. FIRST SEEN  {d:-1}, {time}, at {clinic}
|]14. [PLACE OF INJURY  [loading bay near {place}|company van, plate {plate}, on {street:three}], {county}|]
15. [WORKER'S STATEMENT  "I was lifting a frank-and-beans pallet with {m2.first} when the [strap|chain] let go and my back went. |][{m2.first} drove me to {hosp:short}. |][I'd told the foreman, {m3.last}, about it in {mo:-90}."|]
16. OBJECTIVE   Guarded. Flexion 40/90. SLR 35 R (+), Waddell 1/5, Faber neg. R wrist: snuffbox tender, Finkelstein neg. [Laceration 4 cm, 6 x 4-0 nylon, out {p:9}. |][XR[ ({acc})|] scaphoid neg. |][Drug screen chain-of-custody {acc}, thumbprint {bio}.|]
[17. DIAGNOSES   S39.012A, S61.411A.    18. CONSISTENT WITH HISTORY?  Y      19. PRIOR?  [WC back {y:-2000}, {hosp2}, settled|no]
|][20. TREATMENT[   Tdap, naproxen 500, thumb spica (from {dme}), PT 2-3/wk at {rehab}.|]
|]21. [WORK STATUS  May return {d:5} w/ restrictions: no lift > 10 lb, no ladders, 4 h/day; re-eval {wk:12} {p:12}.  |]Full duty est. [{my:30}|]
22. IMPAIRMENT RATING  defer; MMI not reached. 5th ed.
[REMARKS   {aside}
|]23. ADDITIONAL FINDINGS   Oswestry 38%. Deep reflexes 2+ and equal; EHL 5/5; sensation whole at L4-S1. Spurling n/a. Grip (Jamar setting 2) 28/44/41 kg. Tinel and Phalen neg. Pain diagram organic. No red flags: no saddle loss, fever, night pain. Lumbar films: mild Schmorl nodes, grade 1 listhesis none. McKenzie press-ups taught. Ice, heat, walking. Rule-out: herniation.
[Physician {dr1.full}, DO[     License {lic}|]    NPI {npi}   IRS n/a    Phone {phone}   Signature date {d:0}
|][Medical assistant {dr2.first}; nurse case manager {dr3.full}, cell {phone}.
|]cc: {r1.full} at worker's request; union: {agency}
"""

_DISABILITY = """{dr1.full}, M.D.
{clinic}
{pobox}, {city:two}, {state:two} {zip:two}
[voice {phone} / facsimile {fax}
|]
[{d:0}
|]
[{agency}
|][Attn: {f1.full}, Disability Examiner
|][{street:three}
|][{city:three}, {st:three} {zip:three}
|]
[Re: {pt.fml}[; SSN {masked}|][; DOB {dob}|][; your case {claim}|]
|]
To whom it may concern:

I have cared for {Mr} {pt.last}, {an_age}-year-old {job} from {city}, since {my:-1600}. The present state of affairs is as follows.

{He} last worked on {d:-160} for {emp}, where {he} had been since {y:-4200}. [On that day {he} had a left MCA stroke at the bench[; a co-worker, {m1.full}, called {ems}, and alteplase was given at {hosp} at 71 minutes|]. |][NIHSS was 14, later 6. {He} stayed on {ward} until {p:-151} and at {rehab} until {d:-120} under Dr. {dr2.full}. |][When I examined {him} on {d:-6}: grip 3/5, Brunnstrom stage 4; speech halting, Western Aphasia Battery AQ 68[; {he} named 7 of 20 pictures and, asked for the month, said "{hol}"|]. |]Barthel 65/100. [MoCA 17/30 with {dr3.last}, PhD. |]{He} walks 120 ft with a quad cane. Hoffmann sign on the right.

[From my last note: {aside}

|]Comorbid: diabetes (A1c {f:6.0:9.0}), depression (PHQ-9 {n:8:21}) after {his} {r1.role} {r1.first} moved to {town} in {mo:-50}. [{r2.Role} {r2.full} now pays bills. |][{He} no longer drives; licence {dl} was surrendered in {mo:-100} and the sedan[ ({plate})|] sold.|]

Objective studies support this. CT angiogram showed an M1 cut-off, ASPECTS 7, and perfusion mismatch of 2.1; thrombectomy gave TICI 2b. Echocardiogram: EF 55%, Chiari network, no shunt on bubble study. Berg 34/56; modified Rankin 3; modified Ashworth 2 at the elbow. Grooved pegboard not completed at 300 seconds. Trail Making B stopped at D.

In a work day of 8 hours {he} can sit 4, stand 1, walk under 1; lift 5 lb occasionally; never climb. Will need absences > 4 days a month. In my opinion the listing 11.04A is met. The condition is expected to last 12 months or more. [I hold no grudge against vocational rehabilitation, but a trial in {season:-60} by {dr4.full}, OTR, failed on day 2.|]

[Please call {phonex} with questions, or write to {mail:dr1}.
|]
Very truly yours,

[{dr1.fml}, M.D.[  [ (lic. {lic})|]|]
|][{dr1.abc}:{dr5.ab%}
|][Enc. records {range:-160:-6}, bill acct {oacct}
|]cc: {pt.full}, {ptphone}[; counsel {m2.full}|]
"""

_APPEAL = """{hosp}
Utilization Review & Appeals | {street:two}, {city:two}, {st:two} {zip:two} | {phonex} | F {fax}

[{d:0}
|][VIA FAX {fax} AND CERTIFIED MAIL
|][{ins} - Grievances
|][{pobox}, {city:three}, {st:three} {zip:three}
|]
EXPEDITED SECOND-LEVEL APPEAL
[Member: {pt.full^}[      Member ID: {plan}|]      Group: {group}[      DOB: {dob}|]
|][Claim: {claim}[      Reference/denial: {auth}, dated {d:-11}|][      Dates of service: {range:-30:-26}|]
|][Patient account: {acct}      Billed: $48,211.07[      Provider NPI: {npi}|]
|]
Dear Dr. {dr1.last}:

Your letter, signed by {dr2.full}, MD, says that the stay "may be met at a lower level of care". I will be frank: it could not. [I am the [nephrologist|oncologist|surgeon] who took care of {pt.full}, {an_age}-year-old {job} and parent of three, and I ask a peer in my field to reverse it.|]

Facts. [On {wd:-30}, {d:-30}, {he} came by {ems} from {clinic} with K 7.1 and a sine wave. |][Dr. {dr3.last} in triage gave calcium[; {he} was on {ward}, room {room}, by {time}|]. |]CRRT ran 41 h. Creatinine 9.8 -> 4.1; Kt/V n/a; urine 0.3 mL/kg/h; anion gap 26; APACHE II 24. [Milliman and InterQual both satisfied.[ Your reviewer took the BUN on {p:-27} for the creatinine.|] |][{His} {r1.role}, {r1.full}, heard the reviewer say on the phone on {d:-12}[ ({time}, call ID {auth})|] that "page 2 was never read". |][Biopsy[ ({acc})|]: crescents 60%, linear IgG - Goodpasture. |][Plasma exchange {range:-29:-20} alternate days; rituximab 375 mg/m2. |]Refs: KDIGO chapter 4 (n = 71).

The chart of the second day reads: {aside}

{aside}

Since then: {he} dialyses at {clinic2}, chair 9, TTS[; returned to half days at {emp} on {p:-3}|]. [Stopping now would cost the kidney[; a second course is due {p:4}|]. |][{r2.Role} {r2.first} is being typed as donor at {hosp2}.|]

The guideline you cite, at page 14, in fact grants inpatient status whenever potassium exceeds 6.5 with changes on the tracing, or when urgent dialysis is begun. Both were met within the first hour. Chvostek absent; pressure 212/118; pH 7.09, bicarbonate 8; ferritin 840. Two-midnight logic, if it applied, would be met as well. No code 44 was used. Home was never a safe place that night.

If this is upheld we shall go to the external review of the {state:three} insurance bureau; {Mr} {pt.last} has signed form {enc}[ (copy at {url})|]. [Reply to me by {time} on {wd:3}, {d:3}, pager {pager}, or to {dr4.full}, RN, {mail:dr4}.|]

Respectfully,
{dr5.full}, MD
[Lic. {lic}
|]CC: {r1.full}, {street}, {city}, {st} {zip}
"""

_HOSPICE = """HOSPICE ADMISSION / CERTIFICATION OF TERMINAL ILLNESS      {homecare}     office {phone}[  24 h {tollfree}|]
Patient {pt.lf}   Agency MR {mrn}[   Medicare {medicare}|]   Benefit period 1: {d:0}[ to {d:89}|]
Age {age} ({agew})[   DOB {dob}|]   Lives: {snf}[, Rm {room}|][, {street}, {city}, {st} {zip}|][   County: {county}|]
[Attending {dr1.full}, MD[ ({clinic})|]  NPI {npi}[    Hospice MD {dr2.full}|]   RN CM {dr3.full}[   SW {dr4.first}|]   NP {dr5.last}[   HHA {dr6.fl}|]
|][Referral: {dr7.il} at {hosp}, {ward}, {wk:-1} {p:-1}, after stay {range:-9:-1}
|]
Narrative. [{Mr} {pt.last} is a retired {job}, born {fcity}, {country}[; widowed {y:-3000}|]. |][Hospital for aspiration x3 since {hol}. |][FAST 7d, PPS 30%, MAC 19 cm, albumin 2.{n:1:6}[; weight {n:80:118} lb, was 141 in {my:-200}|]. |]Cannot hold {his} head up. [Eats 3-4 spoons for {r1.first}. |]Stage III coccyx 4 x 3. Speaks six words; said "roses" twice, and "will you mark it". Prognosis < 6 mo if it runs its course.
Decision maker: {r1.full} ({r1.role}), {r1phone}. [Others: {r2.full} ({r2.role}), of {town}[; estranged nephew {m1.full} may not visit|]. |]DNR form at bedside; no tube. [Funeral home not decided[; plot at {place}|]. |][Congregation: {church}, clergy came {p:-2}.|]
{aside}
{aside}
Symptoms: ESAS pain 4, dyspnea 6; RR {n:18:30}; Cheyne-Stokes at night. BP {bp}, HR {n:60:110}, T {f:96.0:100.2}. PAINAD {n:2:8}. Foley 14 Fr.
Orders: morphine 20 mg/mL 0.25 mL q2h prn; Ativan 0.5; Haldol; atropine 1% 2 gtt SL; comfort kit from {pharm}[ (Rx {rx}; DEA {dea})|]. [Concentrator ser {serial}, bed, from {dme} by {time}. |][ICD[ (ser {serial})|] shocks off {d:1} by {dr8.full}, EP nurse, cell {phone}.|]
Veteran, then {ajob:job2}[; pinning when {r2.first} can be there, before {p:20}|]. [Grief risk high: {r1.first} lost a sister, {f1.first}, at {a:55:79} in {mo:-70}.|]
Exam: temporal wasting, dry mouth, lungs with faint crackles, heart regular with an S4, abdomen soft, contracture L hip 40 degrees, mottling none. Clinical markers: PPS fell 20 points, two antibiotic courses, Norton 9. Goals of care: quiet, clean, warm; Will not send to hospital for fever. POLST section B comfort. Diet for pleasure: sherbet, honey-thick. Turning q2h. Dry lips: swab.
Visits RN 2/wk, HHA 5/wk. [Niece {f2.full} reads [poetry|the Psalms] on {wd:6} mornings.|]
Election signed {d:0} {time}[, witness {dr3.first}|].[ Recert due {my:85}.|] Tablet entry {user:dr3}, visit {enc}
"""

_HOME_INFUSION = """HOME INFUSION PHARMACY - REFERRAL INTAKE              {homecare}      intake line {phonex}
Taken {d:0} {time} by {dr1.full}, RPh[ (lic {lic})|]     Source: {hosp}[, {ward}|][, {phone}|]
PT  {pt.lf}  {sex}  {dob}  {age} y  Ht 170 Wt {n:46:120}  All: PCN (rash)[   acct {acct}|]
Ship to  {street}, {city}, {st} {zip}[; leave with the super, {m1.full}, {local}|][; pt {ptphone}, {email}|]
Caregiver  {r1.full}, {r1.role}[, trained {p:-1}|][; works as {ajob} nights at {emp} so teach before {time}|][; backup {r2.first} {phone}|]
PRIMARY INS  {ins}  ID {plan}[  grp {group}|]  BIN 004336[  rep {f1.first}, call ref {auth}, {wk:0} {p:0} {time}|].  Covers per diem 80/20 after ded.
[SECONDARY    {ins2} {policy}.  Medicare part B no.
|][DX  [M86.171 osteomyelitis R foot|I33.0 endocarditis, MSSA|TPN, short gut after Crohn's][    ID MD {dr3.full}[, {clinic}|][, NPI {npi}, DEA {dea}|], {phone}|]
|]ORDER  ertapenem 1 g IV q24h [through {d:38}|x 6 wk, stop {p:38}]; NS 10 mL flush, heparin 100 U/mL 5 mL (SASH). [PICC R basilic 42 cm placed {p:-3} by {dr4.last}, tip cavoatrial, ser/lot {serial}. |][First dose given {d:-2}, no reaction. |]Anaphylaxis kit: epi 0.3.
PUMP  CADD-Solis #{serial}, rate 110, lock code on sticker. [Return box prepaid; last unit came back late from {town}.|]
LABS  CBC/BMP/ESR weekly[, {wd:2}|][, drawn by RN {dr5.full}|][; result to {dr3.last}, fax {fax}|]. Cr {f:0.5:1.9}, CrCl 71 (Cockcroft-Gault); WBC {f:4.0:16.0}.
DELIVERY  #1 {d:1}[, driver {m2.first}|][, van {plate}|][; then every {wd:1}|]. Gate code to driver by phone. Dog "will bark, may lick".
FROM H&P  {aside}
{aside}
CLINICAL SCREEN  Home has water, phone, fridge, no steps to toilet. Vision ok with glasses; hands steady; Teach-back 4/5. Sharps box delivered. Drug stability 24 h room, 5 d cold. QTc n/a. C diff history none. Seizure threshold reviewed (carbapenem). Hickman? no, PICC. Arm 29 cm round. Dressing change q7d, Biopatch, StatLock. May shower with cover. Signs of clot, fever > 100.5, chills.
[NEXT MD VISIT  {p:14}, {clinic2}, Dr. {dr6.last}.[   Stop/line-pull call {my:38}.|]
|]RX NOS  {rx}[, {rx}|].[  Order {enc}.|][  Portal {url}.|][  Finger scan {bio}.|]  Assigned {user:dr1}[; verified {dr7.ab}|]
"""

_SCHOOL = """PHYSICAL EXAMINATION FOR SCHOOL / SPORTS            (return to health office, {school}, fax {fax})
STUDENT  {pt.lfi}     Birth date {dob}     Age {age}     Grade {n:1:7}     Sex {MF}     School ID {study}
PARENT/GUARDIAN  {r1.full} ({r1.role})[   {street}, {city}, {st} {zip}|][    H/C {r1phone}|]    Work[ ({ajob}, {emp})|] {phonex}
[OTHER PICK-UP  {r2.full} ({r2.role})[; NOT {m1.full}, order of {d:-90}|]
|][INSURANCE  {ins}[   ID {plan}|][        DENTIST  {dr1.full}, last visit {my:-120}|]
|][DATE OF EXAM  {d:0}[   at {kids}, {city:two} office|]
|]
HISTORY (parent)   asthma {box}   seizures {box}   concussion {box} on {d:-210}[ (soccer, {place})|]   surgery {box} tubes, {hosp}, {y:-900}[   sudden death < 50 y in family {box}: uncle {m2.full}, {a:28:49}|]   glasses {box}   period {box}
[     TB risk: born in [{fcity}, {country}|{state:two}][; visited {country2} in {mo:-150}|]
|]EXAM   Ht 51 in (60%)   Wt {n:38:110} lb   BMI {f:14.0:26.0} (72%)   BP 98/60   P 84   Vision 20/30 OD, 20/25 OS (Snellen)   Hearing 20 dB pass
     HEENT nl; Tanner {n:1:3}; Adam's forward bend 4 deg; heart: Still's murmur, gr 2/6; hernia none; gait nl. Osgood-Schlatter L.
[IMMUNIZATIONS[   DTaP x5, last {d:-1500:us}|]   IPV x4   MMR {d:-2400:us}, {d:-1480:us}[   Var {d:-2400:us}|]   HepB x3[   Flu {my:-60}|]
|][     Lead {f:0.5:4.9}[ ({my:-1000})|]   Hgb 12.1
|]MEDS AT SCHOOL   albuterol HFA 2 p before gym; EpiPen Jr in [Room {room}|nurse's cabinet]; carries own {box}
SCREENS   PSC-17 6; PHQ not due; bullying denied; seat belt yes, helmet "mostly". Sleeps 9 h. Screen time 3 h. Milk 2 cups, fruit daily, rice and beans. Dental sealants on 3/4 molars. Lungs clear, no wheeze. Skin: Grade 1 acne; one cafe-au-lait spot. Knees: full squat, duck walk good. Ankle: Ottawa rules n/a. Scoliometer 4. Reflexes 2+. Cleared for PE. Asthma plan: green, yellow, red.
[     Peanut: swollen lip at a party [last {hol}|in {mo:-75}], Grade 1. May trade snacks - NO.
|][RESTRICTION   {box} none[   {box} no contact until {p:14}.  Will re-check {wk:14} {p:14}.|]
|][COMMENT[   {pt.first} wants to be {ajob:job2}. Reading below grade[; IEP meeting {wd:8} {d:8} with {f1.full}, {r1.first} and me|]. Bus 12.|]
|][{dr2.full}, PNP     lic. {lic}[     NPI {npi}|]     stamp: {kids}, {street:two}, {city:two}, {st:two} {zip:two}[   {phone}|]
|]Reviewed at school by {dr3.last}, RN, {d:6}
"""

_SHOT_RECORD = """CERTIFICATE OF IMMUNIZATION + VISIT NOTE            {kids}, {city:two}
{pt.full}   DOB {dob}   MRN {mrn}   Registry {study}   Guardian {r1.full} / {r1phone}   VFC: {box} Medicaid {box} uninsured {box} n/a

vaccine        date        site   by      | vaccine      date        site   by
Hep B #1[       {d:-2100:us2}|]    RAT[    {dr1.ab}|]      | MMR #1[       {d:-1700:us2}|]    LAT[    {dr2.ab}|]
Hep B #2[       {d:-2040:us2}|]    LAT[    {dr1.ab}|]      | Varicella #1 {d:-1700:us2}    RAT[    {dr2.ab}|]
Pentacel #3[    {d:-1910:us2}|]    RAT[    {dr2.ab}|]      | Hep A #1[     {d:-1650:us2}|]    L[      {dr1.ab}|]
Prevnar #4[     {d:-1690:us2}|]    LAT[    {dr2.ab}|]      | Influenza[    {d:-20:us2}|]    R[      {dr3.ab}|]
[Initials: {dr1.ab} {dr1.full}[; {dr2.ab} {dr2.full}|][; {dr3.ab} {dr3.full} LPN|]
|]
CATCH-UP VISIT {d:0}.  {age}-y.o. {kid} brought by {r2.role} {r2.full}[; {r1.role} is {ajob} and could not leave {emp}|]. [New from {fcity}, {country}, since {season:-300}[; papers in two languages, {his} earlier chart is at {hosp}|]. |][{school} will not admit without 2nd MMR by {d:10}. |][Fever {wd:-4} 101.2, now well; T 98.{n:1:8}. |][Sibling {f1.first}, {a:1:15}, had chickenpox {mo:-30}. |]No egg, gelatin, neomycin allergy; no Guillain-Barre; SCID in no one. Cried, then laughed: "I will be brave." Given MMR #2, IPV #4, Tdap deferred. Koplik spots not seen; Denver II on track. Bicillin none.
[NEXT[   Hep A #2, Var #2 {wk:28} {p:28}; dental van of the {agency} at {place} {p:12}.|]
|][Exemption: none / religious[ (letter from {church} {my:-10}; mother withdrew it)|].
|]Bill {ins} {policy}[; visit acct {acct}|]. [Records to {school} fax {fax}[; copy to {street}, {city} {zip}|]; e-copy {email}.|]
Growth: 50th to 60th percentile throughout. Head 52 cm. Ears clear; throat pink, Centor 1; heart and lungs normal; abdomen soft. Hgb 11.9; lead 1. Lot, maker and expiry are in the vaccine log. VIS sheets given in both languages. Minimum interval 28 d observed. Waited 15 min: well. Tylenol 10 mg/kg if sore. Next well visit as per Bright Futures. Dose 0.5 mL each.
[Provider {dr4.any}, MD[   lic {lic}|]      {time}[      e-signed {user:dr4}; print at {ip}|]
|]Reactions: call {phonex}; night nurse {tollfree}.
"""

_AUDIOLOGY = """AUDIOLOGY: DIAGNOSTIC + HEARING AID CHECK        {hearing}
{pt.tight} {age} {sex} {d:0}  file {mrn}  seen by {dr1.full}, AuD, student {dr2.fl}
Ref {dr3.last} / {clinic}. With {r1.role} {r1.any}.[ Plan {ins} {plan}, benefit resets {mo:80}.|]

Hx: Noise of boilers in the {decade}[; thereafter {job} at {emp}|]. [Rings L>R since {hol}; fell off the curb by {place} {wd:-9}, "did not hear the bus." [Meniere's ruled out {y:-1500} by Dr. {dr4.full}, {hosp}.|Stapedectomy L {y:-9000}, {hosp}, Dr. {dr4.last}.] No otorrhea. |][{r2.Role} {r2.first}[ ({a:40:70})|] also wears aids. |][Misses sermons at {church}; loops there since {my:-300}.|]
General note from the referring office: {aside}
{aside}
Otoscopy: R cerumen, removed; L tympanosclerosis. Tymps A/As. Weber L, Rinne neg L at 512.
PTA R 55, L 63 dB HL; SRT 55/60; WRS 76%/{n:40:72}% at 95 dB (NU-6, Auditec). Quick-SIN 11. [Down 10 dB from {d:-730}. |]HHIE-S {n:12:38}/40.
Aids: Marvel-type RIC, R ser. {serial}, L ser. {serial}, bought {my:-1400} from {dme} in {town}[; warranty ended {d:-300}|]. L dead, wax guard changed, works. Real-ear to NAL-NL2. REAR ok. Domes "May" style medium. [Paired with phone of {r1.first}. |][Loss-and-damage claim {claim} open for an older aid, eaten by dog on {d:-33}.|]
Cochlear candidacy? AzBio {n:20:60}%. [Will refer to {hosp2}, Dr. {dr5.last}, slot {wk:40} {p:40} {time}, building entrance at {street:two}, {city:two}. |][Voice sample {bio} stored for speech tracking (consent signed).|]
Counselled on Grade C batteries, caption phone[ (installer {m1.fl}, {phone})|], and {agency} fund for the deaf. [Now at {snf}, Rm {room}. |]Vertigo: Dix-Hallpike neg. Frequency 2/yr.
Thresholds R: 250 Hz 30, 500 40, 1k 50, 2k 60, 4k 75, 8k 85. L: 35, 45, 60, 65, 80, NR. Bone: gap 15 at 500 L only. Reflexes absent. Stenger not needed. OAE absent. Speech in quiet fair. Tinnitus Handicap 34. Carhart notch? No. Battery door cracked. Earmold tubes cut and changed. Volume up 2 dB, noise program added, May call if whistling.
Charge $60, acct {oacct}. [Mail to {pobox}, {city} {zip}. |][Return {wd:21}, {d:21}. |][Messages: {url} or {mail:dr1}.|]
{dr1.il}, lic {lic}[    entered by {user:dr6}|]
"""

TEMPLATES: tuple[Template, ...] = (
    Template("work_injury", "working", _WORK_INJURY),
    Template("disability_letter", "working", _DISABILITY, wrap=90),
    Template("insurance_appeal", "working", _APPEAL, wrap=100),
    Template("hospice_admission", "elder", _HOSPICE),
    Template("home_infusion", "working", _HOME_INFUSION),
    Template("school_physical", "child", _SCHOOL),
    Template("immunizations", "child", _SHOT_RECORD),
    Template("audiology", "elder", _AUDIOLOGY),
)
