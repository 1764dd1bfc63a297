"""Templates of reports, result sheets and the record's own paperwork."""

from heldout.records import Template

_RADIOLOGY = """{hosp}  |  Department of Radiology  |  {phone}  |  fax {fax}
EXAM: [CT CHEST/ABDOMEN/PELVIS W CONTRAST|MRI BRAIN W/WO CONTRAST|CT CHEST W/O CONTRAST]      ACCESSION: {acc}
PATIENT: {pt.tight^}     MRN: {mrn}     DOB: {dob}     AGE/SEX: {age}/{MF}     LOC: {ward}[ RM {room}|]
ORDERING: {dr1.lf^} MD     EXAM DATE: {d:0} {time}     REPORT STATUS: [Final|Final w/ addendum]

CLINICAL INFORMATION: {age} year old {sex} with [melanoma|renal cell carcinoma|non-small cell lung cancer], resected {my:-500}[ ({hosp2:abbr})|], new headache and weight loss[; fell {wd:-2}|]. Evaluate for recurrence.
COMPARISON: {d:-182}; {d:-370}[; outside PET-CT from {hosp2} dated {my:-480}|][; chest radiograph {p:-2}|].
TECHNIQUE: Helical acquisition, 2.5 mm, 100 mL Omnipaque 350 via a 20G in the right AC placed by {dr2.first}, RN. DLP {n:400:1100} mGy-cm. eGFR {n:45:90}.

FINDINGS:
Lungs: 9 x 7 mm nodule in the RUL (4/112), previously 6 x 5 mm on {d:-182}. Unchanged 3 mm nodule (4/87). No effusion.
Mediastinum: Level 4R node 1.3 cm, new. Coronary calcification. Left chest wall pacer.
Liver: Two hypodensities, segment 6, likely cysts. Gallbladder absent. Adrenals: 1.9 cm left nodule, 12 HU.
Kidneys: Bosniak II cyst, left. Bowel: Diverticulosis. Bones: Schmorl's nodes; L1 compression deformity, 20%. Brain: no mass. Fazekas 1.

IMPRESSION:
1. Enlarging RUL nodule and new 4R node, suspicious for metastatic disease. Fleischner criteria do not apply.
2. Adenoma, left adrenal. Follow-up in {my:95} or as clinically indicated.

Findings discussed by Dr. {dr3.last} with {dr1.full} by telephone at {time} on {d:0} with read back[; {dr4.last}, NP, {clinic}, also informed|].
Resident: {dr3.full}, MD.   Attending: {dr5.full}, MD.  I have personally reviewed the images and agree.
[ADDENDUM {d:1} {time}: Prior from {hosp3} ({d:-900}) now available: RUL nodule was absent. - {dr5.il}
|]Signed: {dr5.fml} {d:0} {time}[    Dict: {user:dr3}|]    Images viewed at workstation {ip}
"""

_PATHOLOGY = """SURGICAL PATHOLOGY REPORT                                    Accession No: {spec}
{hosp}, Dept. of Pathology, {street:two}, {city:two}, {st:two} {zip:two}   Lab Director: {dr1.full}, MD   CLIA {clia}

Patient: {pt.lfi}            Med Rec: {mrn}          Collected: {d:-4}
DOB/Age/Sex: {dob} ({age}) {MF}    Billing: {acct}        Received: {d:-4}  {time}
Submitting: {dr2.full}, MD    [Client: {clinic}|Location: {ward}]    Reported: {d:0}
Copies to: {dr3.full}, MD

FINAL DIAGNOSIS:
A. BREAST, LEFT, 2 O'CLOCK, CORE BIOPSY: Invasive ductal carcinoma, Nottingham grade 2 (3+2+2), at least 9 mm. DCIS, solid, intermediate grade.
B. LYMPH NODE, LEFT AXILLA, CORE BIOPSY: Negative for carcinoma (0/1).
NOTE: ER 95%, PR 60%, HER2 1+ (negative), Ki-67 18%. [Dr. {dr5.last} has reviewed slide A1 and concurs.|] [Prior outside slides ({hosp2}, {spec}, {my:-800}) showed atypical ductal hyperplasia. |][Results called to {dr2.last}[ by {dr6.first}|] on {d:0} at {time}.|]

CLINICAL HISTORY: {age}-year-old with 1.4 cm spiculated mass, BI-RADS 5, on mammogram of {d:-12}. [Sister had breast cancer at {a:35:59}; mother died of ovarian cancer at {aw:45:77}. |][BRCA pending ({acc}, drawn {p:-3}). |][Patient is {ajob} at {emp}.|]
GROSS: A. [Received in formalin labeled "{pt.last}, {pt.ab}, {mrn}, left 2:00" are four tan cores, 0.6-1.4 cm, all in A1-A2. |]Ischemic time 4 min. B. [Labeled "{pt.full}, L axilla": one core, 0.9 cm, B1. ({dr7.ab} {p:-4})|]
MICROSCOPIC: Performed. Elston score as above. E-cadherin retained. No Paget cells.

ICD: C50.412    CPT: 88305 x2, 88360 x3[    {ins} PA {auth}|]
Electronically signed by {dr8.full}, MD on {d:0} {time}. License {lic}. Case images: {url}
[AMENDED {d:3}: date of collection corrected from {p:-5} to {p:-4} at request of {dr9.last}.|]
"""

_LABS = """LABORATORY CUMULATIVE SUMMARY                                       Page 1 of 2
{hosp}    Client svc {tollfree}    Printed {d:0} {time} by {user:dr1} @ {ip}
Patient: {pt.lf^}   MRN {mrn}   Enc {enc}   DOB {dob}   {age}Y {MF}   Ord: {dr2.lf^}   [Loc: {ward^}|Loc: OP, {clinic}]

TEST            REF          {d:-90:two}    {d:-30:two}    {d:-7:two}    {d:0:two}
                             {time}       {time}       {time}       {time}
SODIUM          135-145      138         136         {n:128:144}         {n:128:144}
POTASSIUM       3.5-5.1      4.2         4.4         {f:3.1:5.9}         {f:3.1:5.9} H
CREATININE      0.6-1.2      1.0         1.1         {f:0.8:3.0}         {f:0.8:3.0} H
eGFR            >60          78          71          {n:22:70}          {n:22:70} L
GLUCOSE         70-99        112 H       140 H       {n:88:320}         {n:88:320} H
HGB A1C         <5.7         -           {f:6.0:11.0}         -           -
WBC             4.0-11.0     6.1         7.0         {f:3.0:19.0}         {f:3.0:19.0}
HGB / HCT       12-16/36-46  12.9/39     12.4/37     {f:7.5:13.0}/34      {f:7.5:13.0}/33 L
PLATELETS       150-400      210         223         {n:60:420}         {n:60:420}
INR             0.9-1.1      2.3         2.6         {f:1.1:5.0}         {f:1.1:5.0} *C*
VALPROATE       50-100       64          -           -           71
CULTURE, URINE  (coll. [{d:-2} {time}, clean catch, {spec}): >100,000 CFU/mL Klebsiella pneumoniae. |]Final {d:0}.
   Amp R  Cefazolin S (<=4)  Cipro S (<=0.25)  Nitrofurantoin I (64)  Pip/tazo S (<=4)  TMP/SMX S (<=20)
ANA 1:80 speckled. RPR NR. HIV Ag/Ab NR ({my:-30}). Lyme EIA neg. [Factor V Leiden het ({y:-900}, {hosp2:short}).|]

[*C* CRITICAL VALUE called to {dr3.full}, RN, by {dr1.full}, MT(ASCP), {d:0} {time}, read back OK. |][Then to {dr2.last} pgr {pager}.|]
Comment: [specimen hemolyzed {p:-7}, phleb {dr4.fl} to redraw. |]Analyzer AU-5800 #{serial}. [Ref lab: {hosp3}, {city:three}, {st:three}; dir. {dr5.full}, MD, {phone}.|]
Duplicate chart? Results of {d:-90} were posted to MRN {omrn} and merged {d:-88} per HIM ({user:dr6}).
Copy: {dr7.full}, fax {fax}
"""

_DEVICE = """DEVICE CLINIC - PACEMAKER/ICD INTERROGATION         {clinic}   {phone}
{pt.lf}   DOB {dob}   {age} yo {sex}   MRN {mrn}   visit {d:0}   prior {d:-184}[   remote {d:-92}|]
Following EP: {dr1.full}, MD    Device RN: {dr2.full}    Rep present: [{m1.full}|none]
Implant: {d:-1900} at {hosp} by {dr3.last}. Indication: [complete heart block|ischemic CM, primary prevention|sick sinus].
Generator  Medtronic Evera XT DDBB1D1   S/N {serial}
RA lead    5076-52                      S/N {serial}
RV lead    6935M-62                     S/N {serial}[   (abandoned RV lead {y:-5000}, {hosp2:abbr})|]
Mode DDDR 60-130.  AP {n:10:90}% VP {n:2:99}%.  Battery {f:1.0:9.0} y, RRT 2.73 V.  Thresholds RA 0.75 V @ 0.4, RV 1.0 @ 0.4.  Impedance 456/532.  P 2.4 R 11.8 mV.
Episodes: AT/AF burden 3.1%, longest 5 h on {p:-41}. NSVT 12 bt. PVC 212/h. [ATP x 1 {d:-33}, VT 188 bpm, successful - pt recalls dizziness at {place} w/ {r1.role} {r1.first}. |]No shocks since {my:-600}.
Symptoms: SOB on stairs, NYHA II. Wound well healed. [Twiddler's syndrome ruled out {my:-1800}.|]
Changes: VT zone 171→176; AT alert on. [Carelink monitor {serial} mailed to {street}, {city}, {st} {zip}[; enrolled at {url}|], login via {email}. |][Transmission due {d:91}, in-clinic {my:182}.|]
On Eliquis[ since {my:-40}|], CHA2DS2-VASc 4. MRI conditional: Y. [No magnet use at work ({job}, {emp} - [arc welding discussed|OK]). |][Driving restriction until {d:147}; letter sent to registry (lic {dl}).|]
ID card {box} given. Palm scan at check-in {bio}. [Insur: {ins} {plan}.|]
Reviewed w/ Dr. {dr1.last} {time}. {dr2.ab}, RN, CCDS / cosign {dr1.iil} {p:1}[    cc {dr4.full}, {clinic2}, fax {fax}|]
"""

_RELEASE = """HEALTH INFORMATION MANAGEMENT - RELEASE OF INFORMATION / ACCESS AUDIT
Request {enc}      Received {d:-9}
Patient: {pt.lfm^}     [A.K.A.: {pt.nick}     |]DOB {dob}     SSN {ssn}     MRN {mrn}[; old chart {omrn}|]
Requester: {m1.full}, Esq., ph {phone}, fax {fax} (re: MVA, claim {claim})
[Authorization signed {d:-12} by {box} patient {box} {r1.full} ({r1.role}); ID checked: {dl}. |]Thumbprint on form ({bio}).
Released: discharge summary, op note ({dr2.full}), PT notes, films x 14, [bills acct {oacct}|itemized bill]. NOT released: psychotherapy notes[ (Dr. {dr3.full}, {behav})|].
Delivery: CD by courier refused by pt {p:-2}, sent by secure mail to {email}; invoice $48.20.

ACCESS LOG (patient-requested, last 30 d)
{d:-21:iso} {time}   {user:dr4}   {dr4.lf^}   ED registration   view face sheet          {ip}
[{d:-20:iso} {time}   {user:dr5}   {dr5.lf^}   RN {ward}      MAR, results        {ip}
|]{d:-6:iso}  {time}   {user:dr7}   {dr7.lf^}   (no treatment relationship - referred to Privacy)    {ip}
Note: {dr7.first} is a neighbor of the patient's {r2.role}; patient, [{ajob}|who works at {emp}], asked for the log[ after a remark at {church}|]. Interviewed by {dr8.full}, Privacy Officer, x{ext}. Four-factor breach assessment: low to moderate. No evidence that the information was copied, printed or sent on; the user completed retraining (module 3 of 5). [Letter to patient at {street}, {city}, {st} {zip} on {p:1}.|]
Fee schedule: search 0.00, copying 0.65/page x 62, media 7.50, postage 0.40. Pages containing drug or alcohol program records: 0. HIV results: none. Sensitive note types excluded by default filter 2A.
Prepared by {dr9.full}, RHIT[     {mail:dr9}|]
[*** Electronically signed by {dr9.lf} at {d:0} {time} ***|This document was e-signed by {dr9.il}, {d:0}.]
"""

TEMPLATES: tuple[Template, ...] = (
    Template("radiology", "adult", _RADIOLOGY),
    Template("pathology", "adult", _PATHOLOGY),
    Template("lab_summary", "adult", _LABS),
    Template("device_clinic", "elder", _DEVICE),
    Template("release_and_audit", "working", _RELEASE),
)
