"""Templates of notes from clinics, calls and messages."""

from heldout.records import Template

_INFUSION = """INFUSION CENTER VISIT          {clinic}          chair {n:1:14}
Pt {pt.lf}  ID by name + {dob} + palm vein scan ({bio})  MRN {mrn}  Visit {enc}
{d:0}  in {time}  out {time}     RN {dr1.full}     Ordering {dr2.lini}     [Pharmacist|RPh] {dr3.il}
Dx: [RA|Crohn's|Hodgkin, nodular sclerosis|Wegener's (GPA)]. [Cycle {n:2:8}, previous {d:-28}, next {d:28} {time}.|]

Arrived w/ {r1.role} {r1.first}; drove in from {town}, stopped at {place}. [States "better than at {hol}". |][New job as {ajob}, {emp} - may need later slots. |][Insurance card changed: now {ins}, ID {plan}, grp {group}; copay card acct {oacct}. |][No fever since {p:-10}. |]Denies dental work. [Hep B sAg neg {my:-100}; QuantiFERON neg {y:-400}.|]
Wt {n:45:118} kg (was {n:45:118}), BSA 1.{n:5:9}. BP {bp} pre, {bp} 30 min, {bp} end. T {f:36.1:37.3}.
Access: [port, R chest, power injectable, ser {serial}, 20 G Huber 3/4"|22 G L forearm x 2 sticks by {dr4.first}]. Brisk return. Heparin 500 U.
Labs {p:-1}: ANC {f:1.0:6.4}, Hgb {f:8.1:14.0}, plt {n:71:330}, ALT 31, Cr 0.8. [OK to treat per {dr2.last} (phone, {time}).|]
Premeds: APAP 650, Benadryl 25 IV, Solu-Medrol 40. Drug: 5 mg/kg = {n:220:590} mg in 250 NS, 1/2 rate x 15 min, then full. [Double check {dr1.ab} / {dr4.ab}. |]At +20 min itching, 2 hives; stopped, Pepcid 20, restarted at 50%. Grade 1. Tolerated.
Teaching: call {phonex} (days) or {tollfree} (nights) with T > 100.4, chills, or rash. [Rose bengal eye drops from {clinic2} may stain lens. |][Will ask social worker {dr5.full} re gas cards from {agency}.|]
{aside}
[{aside}
|]Review: fatigue grade 1, neuropathy grade 0, mouth clear. ECOG 1. Joint count 4/28, DAS28 {f:2.0:5.1}. Weight change within 5%, dose not rounded. Extravasation kit at the bay. Drip chamber and filter (0.2 micron) checked. Falls score 25. [Ate half a sandwich.|Ate ice pops.] Rest well, drink 2 L, may use Claritin.
[Ride home: {r2.full}, {r2.role}, {phone}.
|]{dr1.full}, RN, OCN     {user:dr1}     RN lic. {lic}
"""

_DIABETES = """{clinic}
Diabetes Self-Management Education
{street:two}, {city:two}, {state:two} {zip:two}
[Tel {phone}[   Fax {fax}|][   {url}|]
|]
[{d:0}
|]
[RE:  {pt.fm}[     DOB {dob}|][     Your chart {mrn}|]
|]
Dear {dr1.first},

Thank you for sending {pt.first}, {age}, whom I met with {his} {r1.role}, {r1.full}, on {wd:-2} for the first of four lessons. [{He} told me that the diagnosis came out of the blue in {my:-130}, when the eye van of the {agency} stopped at {place}. |][A1c was 11.2[; on {d:-8} it was {f:7.0:9.9}|]. |][You started metformin and, in {mo:-40}, basal insulin.|]

What I heard: {he} works [rotating shifts|from 4 a.m.] as {ajob} at {emp} and eats from the truck. [{His} grandmother "lost both legs to sugar" in {fcity} and {he} fears needles. |]Rice twice daily. Fasting 140-190 (dawn phenomenon?), after supper 210-260, two lows of 58 and 63, once while driving: I have asked {him} to test first. [{He} was told something else by {m1.full}, {ajob:job2} and friend from {church}, namely that cinnamon cures it.|]

From your last note, which I copied for the team: {aside}

What we did: carb counting (45/45/60), sick-day rules, Rule of 15, glucagon for {r1.first}. [Meter ser. {serial} replaced a recalled one; CGM sensors ordered from {dme} through {ins}[ ({plan}, auth {auth})|]. |]Injection sites: grade 2 lipohypertrophy L abdomen. Monofilament 10/10. Shoes fair. [Goal in {his} words: "Dance at {r2.first}'s wedding in {mo:150}."|]

Exam notes for your file: weight 198 lb, BMI 31.2, pressure 136/82, pulse 76, waist 41 in. Feet warm, pulses 2/4, one Morton neuroma. Stage of change: preparation. PAID-5 score 9/20; health literacy, Newest Vital Sign 4/6. He or she walks 20 minutes, four days of seven. Long gaps between breakfast and noon explain the lows. Grain portions were drawn on a paper plate.

May I suggest (1) glargine 18 to 22 U, 2 U every 3 days until <130; (2) retinal exam - last none[; {dr2.full} at {clinic2} has openings the week of {p:12}|]; (3) urine ACR, not done since {y:-500}; (4) a statin. [Next lesson {wd:14}, {d:14}, by video. |][{He} reads e-mail at {email} and prefers texts to {ptphone}.|]

With thanks,

{dr3.full}, RD, CDCES
[direct line {phonex}[     {mail:dr3}|]
|]cc {dr4.last}, {pharm}[ (Rx {rx})|]
"""

_ANTICOAG = """ANTICOAG TELEPHONE ENCOUNTER  #{enc}
{d:0} {time}  {dr1.full}, PharmD  (supervising: {dr2.last}, CPA # {lic})
Spoke to: {box} pt  {box} other -> {r1.full} / {r1.role} at {r1phone}. Two identifiers OK[ ({dob}, zip {zip})|].
PT {pt.lf}   {age}[   MRN {mrn}|]   Indication: [mech AVR[ (St. Jude 23 mm, ser {serial})|]|factor V Leiden, DVT x2|AF, Watchman declined]   Target 2.5-3.5[   Start {my:-1900}|]

[INR hx   {p:-35:md} 2.9[   {p:-21:md} 3.1|][   {p:-7:md} 4.4|]   {p:0:md} {f:1.6:6.0} [ (POC, done by {homecare}, RN {dr3.first}, called in from {phone})|]
|][Weekly dose 37.5 mg = 5 mg x 6, 7.5 [{wk:1}|{wk:2}]
|]Changes? [Bactrim {range:-12:-5} from {clinic} for UTI[ (Dr. {dr4.last})|]. |][Ate cabbage at {hol} dinner. |][Missed 0. Nosebleed 10 min {wd:-3}, stopped w/ pressure; no black stool. |][Bruise L hip, tripped over the dog near {place}; head not struck. |][Will not use walker "in front of {r2.first}".|]
Tylenol: 2/day. Etoh: one Manhattan.
A/P  Supratherapeutic, minor bleed. Hold {wk:0} + {wk:1}; then 5 daily. [Vit K no.[ Recheck {p:4} at {hosp:short} lab, or home visit.|] |]If bleeding, go to [nearest ER|{hosp2}]. HAS-BLED 3; TTR 61%. [Bridging for hip injection {d:30}: none, message sent to {dr5.full}.|]
Refill 5 mg #90 -> {pharm}, {street:four}, {city:four}, phone {phone}, Rx {rx}. [Plan: {ins} {policy}.|]
{aside}
Interaction screen: Bactrim major, acetaminophen moderate, cranberry none. Renal function: creatinine 1.2, CrCl 44. Hgb 11.8, plt 201. CHA2DS2-VASc 5. Rosuvastatin stable. Green vegetables: "same as always". Caregiver can tell 5 mg (peach) from 7.5 mg (yellow). Stroke signs reviewed, FAST. Will call sooner for falls.
Read back correct. [[{r1.first} keeps the calendar.|Mailed calendar to {pobox}, {city} {st}.] Time 11 min. |][Next call {wk:4} {p:4:md}.|]
sig {user:dr1}[    Reviewed {dr2.ab} {d:1}|]
"""

_PORTAL = """Message thread 4 of 4 - exported {d:3:iso} {time} by {user:dr4} from {ip}
Patient: {pt.full} (MRN {mrn})   Proxy: {r1.full}, {r1.role}
Subject: Re: Re: cough is back / form for work
-----
From: {pt.full}
[Sent: {wd:0}, {d:0:long}, {time}
|][To: {dr1.full}, MD
|]Hi Dr. {dr1.last}, hope you are well. [I finished the prednisone {wd:-2} and the cough came back by {wd:-1} night. |]Chest feels tight after stairs, 3/10. No fever. I mark my peak flows: 310, 290, 260. [My neighbor {f1.full} has the same thing and got a Z-pack. |][Also my boss at {emp} ([I'm|I am still] {ajob}, you remember) needs the form by the {p:5:ofth}. |][You can fax it to {fax}, attn {m1.full}. |]Can you call me after 3? [My new cell is {phone}, not {ptphone}. |][New email too: {email} (old one is dead).|]
Thanks a million,
{pt.first}
-----
From: {dr2.full}, RN
[Sent: {d:0} {time}
|]{Mr} {pt.last}, I'm covering for {dr3.first} today. [Will you please tell us: (1) are you using the Advair 250/50 twice a day, (2) any pets? and (3) have you been back to the shop on {street:two}? |]If lips turn blue or you can't finish a sentence, 911. [I have a 9:20 on {wd:1} with NP {dr5.last} at the {city:two} office.|]
[{dr2.first}
|]-----
From: {r1.full} (proxy)
[Sent: {d:1} {time}
|]This is the {r1.role}. [{pt.first} won't say so but was in {hosp2} for this in {mo:-80}, they have records, and our {r2.role} {r2.first} found the inhaler unopened. We get the medicine at {pharm} and it is $212 since {ins}[ (ID {plan})|] dropped it. |]Is there a cheaper one? [Please don't send letters to the {town} address, we moved to {street}, {city} on {d:-15}.|]
-----
From: {dr1.full}, MD
[Sent: {d:2} {time}
|]Thanks, {r1.first}. [Switching to generic Wixela, sent Rx {rx}. |][Form attached: {url}. |][I put "may return {p:6}, no dust, N95". |][PFTs {wd:9} {p:9}[; the PA is {auth}|]. |][I am away {range:10:17}[; {dr6.full} will cover|]. |][Happy {hol}!|]
[Sincerely, {dr1.iil}
|]-----
-----
Visit note shared with the patient: {aside} [{aside}|]
-----
Automatic note: Messages are read in 1-2 business days. Do not use for emergencies. Will you rate this visit? Peak flow zones: green > 320, yellow 200-320, red < 200. Asthma Control Test 14/25. Inhaler steps: shake, breathe out, breathe in, hold 10, rinse. Spacer may help. Stay out of smoke; mark your calendar.
[Status: closed|Status: done][   last viewed by pt {d:2} {time} device iPhone, session {enc}, IP {ip}|]
"""

_AVS = """AFTER VISIT SUMMARY                                      {hosp}
{pt.fmiddle}                                            {d:0}  {time}
MRN: {mrn} · CSN: {enc} · Seen by {dr1.full}, PA-C, in {city:two}

TODAY YOU WERE SEEN FOR
  ☑ [Plantar fasciitis|Gout, R great toe|Frozen shoulder]   ☑ High blood pressure   ☐ Other
Vitals: BP {bp} · Pulse {n:58:99} · Temp {f:97.0:99.1} °F · Wt {n:110:290} lb · BMI {f:19.0:41.0} · O2 {n:93:100}%

CHANGES TO YOUR MEDICINES
  START  colchicine 0.6 mg (2 now, 1 in one hour)
  CHANGE lisinopril 10 mg → 20 mg
  STOP   Aleve, "May-Tea" and herbal water pills
[Pick up at {pharm}, {phone}, after 4 p.m.
|]
UPCOMING
[  {wk:4} {p:4}   {time}   Lab only, fasting[        {clinic}, {street:two}, {city:two} {zip:two}|]
|][  {wk:19} {p:19}  {time}[   {dr2.full}, DPM|]   2nd floor
|][  {wk:45} {p:45}  {time}[   {dr1.last}, PA-C|][           telehealth: {url}|]
|][Overdue: Tdap[ (last {d:-3900})|], colonoscopy, eye exam[ (last {my:-800})|].
|]
NOTES FROM YOUR CARE TEAM
{pt.first}, it was good to meet you and {r1.first}. [Congratulations on the new post as {job} - standing all day will not help the foot, so please give the enclosed letter to {emp}. |]Ice 15 min, 3x/day. Keep salt under 2 g. [Will call with uric acid[ ({f:5.0:11.0} in {mo:-160})|]. |][If the toe turns red and hot, or fever > 101, call us at {phonex}[; nights {tollfree}|]. |][For help with rent, ask for {dr3.full} or the {agency}. |][The form for {school}, where you coach, is at the desk.|]

FROM THE CLINICIAN'S NOTE
{aside}

ABOUT YOU  (tell us if wrong)
Address {street}, {city}, {st} {zip}[ · Phone {ptphone} · E-mail {email}|] · Emergency: {r1.full} ({r1.role}), {r1phone} · Preferred name {pt.first} · Coverage {ins}, {plan}, group {group}

HOW TO CARE FOR YOURSELF
Rest, ice, compression, elevation. Stretch the calf 30 seconds, 3 sets. Choose rice, beans, greens, berries and lean meat; limit beer, organ meats and anchovies. Aim for pressure under 130/80. Take tablets with food. You may bathe. PHQ-2 score: 0. Fall risk: low. Grade your pain each night from 0 to 10 and bring the sheet along. A young adult dose does not apply.
[You owe: $35.00, guarantor acct {acct}.  Pay at {url} or {tollfree}.
|]Printed by {user:dr4} {d:0} {time}
"""

_TRAVEL = """TRAVEL HEALTH VISIT - {clinic}
{pt.lfi}; b. {dob}; {age}; {MF}. Seen {d:0} by {dr1.full}, FNP. Chart {mrn}.
TRIP. Depart {d:24}, return {d:52}. {fcity}, {country} (19 nights), [then {fcity2}, {country2};|] altitude to 3,800 m. Purpose: [work|wedding of a cousin, {f1.full}|teaching with {church}|visit to {his} {r2.role} {r2.first}, {a:40:88}, who is ill]. [Lodging with {m1.full}, tel {phone}. |] Companion: {r1.any} ({r1.role}).[ Flight booked by {emp}, where {he} is {ajob}.|] Global-entry style enrolment done at {place} on {p:-11}[; fingerprint file {bio}|]. Passport shown.
HISTORY. [Splenectomy {y:-3000} after MVC[ ({hosp})|]. |][Dengue in {country3} {season:-2200}. |]Anaphylaxis to egg as a child - later ate cake without trouble. [G6PD normal {my:-700}. |][Blood group O pos[; last gave {p:-13}|]. |]Meds: sertraline 50. QTc 430.
IMMUNIZATIONS REVIEWED[ (state registry id {study})|]: MMR {d:-9000:us}, {d:-8900:us}[; Td {y:-4000}|]; Hep A {my:-1500}[; influenza {my:-120}|]; varicella titer +.
GIVEN: Typhoid Vi 0.5 mL IM L deltoid; yellow fever (uniform stamp)[; Japanese encephalitis #1, #2 due {wk:7} {p:7}|]; MenACWY. German measles immune. Lot numbers in the log. Observed 20 min.
Rx: atovaquone-proguanil 250/100 daily from 2 d before to 7 d after, #37; azithro 500 x3; acetazolamide 125 bid.[ Sent {pharm}, fax {fax}, Rx {rx}.|]
ADVICE: DEET 30%, water, rabies (monkeys at the market "may look friendly"), clots, West Nile and Lyme at home compared. Read www pages of the public health service. Wear helmet. [Insurance with {ins}, assistance {tollfree}, policy {policy}.|]
{aside}
EXAM. BP 118/74, P 66, T 98.2; lungs clear, scar LUQ. Altitude: Lake Louise score explained; ascend 500 m/night above 3,000, rest day every third. Jet lag 8 zones. Traveler's diarrhea: boil, cook, peel. Schistosomes in fresh water. Road risk is the chief one: belts, no night buses. Zika, chikungunya, Rift Valley fever leaflet. Stings: jellyfish, vinegar.
[On return with fever: call {phonex} or go to {hosp2}; say "malaria".
|][HOME: {street}, {city}, {st}. {ptphone}[; {email}|]. Employer clinic pays, PO acct {oacct}.
|]{dr1.il}, FNP-BC   co-sign {dr2.last}[   {d:1}|]
"""

_OUTSIDE = """SUMMARY OF OUTSIDE RECORDS  (prepared {d:0} by {dr1.full}[ for new-patient visit of {wd:6}, {d:6}, with Dr. {dr2.last}|])
Patient {pt.full} / {dob} / our MRN {mrn}[ / their nos.: {omrn} ({hosp2:abbr}), {omrn} ({clinic})|]
Received: 214 pp. by fax[ {fax}|] and a CD[; release signed {d:-30}|][; sent by nurse {dr8.full}, {phonex}|].[ Still missing: path {acc}.|]

[{y:-5000}  {hosp2}[, {town}, {state:four}|]. Appendix out[, Dr. {dr3.full}|]. Slow to wake.
|]{my:-3100}  [Moved from {fcity}, {country}. |][Worked as {job}. |][Refugee screen: TST 14 mm, INH x 9[ (finished {my:-2700})|] through {county} health dept, nurse {dr4.first}.|]
[{d:-2210}  ER {hosp3:short}: L flank pain, 4 mm stone, KUB/UA; passed. A Dr. {dr5.il} noted a "murmur, II/VI".
|]{season:-1800}  {rehab} x 19 days for [opioid|alcohol] use[; discharged to {r1.role} {r1.full}, {city}|]. [Sponsor {m2.fl} from {agency}. |][Vivitrol until {my:-1500}.|]
{range:-1203:-1198}  admitted {hosp2:short}[, {ward}|]: troponin 0.31, cath clean; Takotsubo, EF 35 -> 60%. [It was the week the {r2.role}, {r2.first}, died at {a:17:45}.|]
[{d:-900}  {dr6.full}, DO (rheum): ANA 1:160, Raynaud, Schirmer 4 mm. Sjogren? SSA neg. [Lip bx {d:-880} focus score 1.|]
|][{my:-410}  Left {emp} for {emp2}. [{ins} -> {ins2}, subscriber {plan}.|]
|][{d:-200}  Portal note to NP {dr7.last}: wants new doctor "who reads".
|]Discrepancies: (a) birth date given as {d:-13000:us} on the CD[, and SSN ending {last4} matches|]; [(b) one op note belongs to {f2.tight^}, MR {omrn}, and was sent back; |](c) allergy to Ancef in one list only.
OPEN ITEMS  1. CT chest 6 mm nodule {my:-400}, never repeated. 2. Eye exam due. 3. May need old echo. 4. Beta-blocker stopped - why?
Copied from the last full note: {aside}
{aside}
[{aside}
|]Chronic list as merged: HTN, takotsubo (resolved), dry eye, Raynaud, stones, opioid or alcohol use disorder in remission, Schatzki ring? Meds: amlodipine 5, pilocarpine 5 tid, naltrexone 50 (or none), vitamin D 2,000 U. Family: father MI, mother Graves. Height 64 in. Baseline ECG: LAD, Q in III. A1c 5.6, LDL 101, TSH 2.2, Cr 0.9. Hunter's canal ultrasound normal.
Scanned under batch {enc}[; original envelope from {pobox}, {city:four}, {st:four} {zip:four}|].
Prepared: {dr1.abc}  {d:0}
"""

_BIRTH = """BIRTH CENTER NOTE         {births}, with {hosp}
{pt.full}, {age}, G{n:2:5}P{n:1:2}, EDD {d:4} by 9 wk US ({d:-212}), 39 3/7 today. O neg, RhoGAM {d:-80}. GBS neg {p:-24}. Chart {mrn}. Midwife {dr1.full}, CNM; RN {dr2.first}; student {dr3.fl}.

{time} {wk:0} {d:0}. [Here with {r1.role} {r1.full} and friend {f1.full}[ (cell {phone})|]. |][Ctx q4 since 0200, after a walk round {place}. |]SROM clear {time}. FHT 135, mod var, accels, no decels by IA. Cx 5/90/-1, Bishop 10. BP {bp}; T 36.8. [{pt.first} is {ajob} and stopped at {emp} {p:-9}. |][Prior birth {my:-1100} at {hosp2:short}, "cascade I will not repeat", 3,420 g, shoulder dystocia relieved w/ McRoberts + Woods screw[; baby {f2.first} well|]. |][Plan of {p:-30} in chart: tub, no hep-lock, grace period 24 h ROM before transfer discussion.|]
[{time}. Tub 37.0. Coping. {r2.Role} {r2.first} arrived from {town} w/ food.
|]{time}. 8 cm. Nitrous, 50:50. FHT 128. [Called back-up OB Dr. {dr4.last}[ (pgr {pager})|] as courtesy.|]
{time}. Complete. Hands and knees. FHT 110 w/ push, back to 130.
{time}. NSVD [boy|girl], ROA, nuchal x1 reduced; Apgars 8/9; {n:2700:4200} g. [Name {m1.first}. |][Footprints form {bio}[; infant MRN {omrn}|][; bands {enc}|]. |]Placenta Schultze, intact, 3VC. EBL {n:150:650}. 2nd-degree, 3-0 Vicryl. Pitocin 10 IM; mark on perineum only.
Cord gas 7.{n:20:34}. Vit K yes, eye ointment declined (form). [Hearing screen {p:1} by {dr5.first}, OAE unit ser. {serial}. |][Pediatrician {dr6.full}, {kids}, visit {wk:2} {p:2}.|]
Labs: Hct 34, plt 212, rubella immune, HIV/RPR/HBsAg neg, 1-h glucola 118. Leopold: LOT, EFW 7 1/2 lb. Ferguson reflex strong. Pain 6/10, coping with breath and shower, TENS. Intake 900 mL, voided x2. Montevideo units not measured. Newborn: pink, Moro and Babinski present, hips stable to Ortolani and Barlow, 3 vessels, Mongolian spot on sacrum. Latch 8/10. Fundus firm at U, lochia rubra. Will rest.
HOME {time} to {street}, {city} {zip}. [Check at 24 h by {dr2.full}[; lactation {phonex}|]. |][Birth certificate worksheet: father's trade {job2}[; mother's SSN {ssn}|][; born in {state:four}|]. |][Coverage {ins}, {plan}[; newborn to be added by {d:30}|]. |][If bleeding > 1 pad/h: {local}.|]
Note by {dr1.il}, lic {lic}, {d:0} {time}[; co-signed {user:dr4}|]
"""

TEMPLATES: tuple[Template, ...] = (
    Template("infusion", "working", _INFUSION),
    Template("diabetes_letter", "working", _DIABETES, wrap=96),
    Template("anticoagulation_call", "elder", _ANTICOAG),
    Template("portal_thread", "working", _PORTAL),
    Template("after_visit_summary", "adult", _AVS),
    Template("travel_clinic", "working", _TRAVEL, wrap=100),
    Template("outside_records", "working", _OUTSIDE),
    Template("birth_center", "pregnant", _BIRTH, wrap=92),
)
