"""Operations, implants and reports: surgery, anesthesia, device checks, imaging, pathology, laboratory."""

from heldout.records import Template

OPERATIVE = """\
                         {hosp^}
                            {city:a^}, {state:a^}

                           OPERATIVE REPORT

NAME:      {pt.LF}                      UNIT #: {mrn}
DOB:       {dob}                        LOC: [{ward}|{ward} {room}]
DATE OF PROCEDURE: {d:-1}

SURGEON:  {dr1.fml}, MD
ASSISTANT:  {dr2.full}, MD[; {dr3.il}, PA-C|]
ANESTHESIA:  General endotracheal ([Dr. {dr4.last}|{dr4.full}, CRNA])

PREOPERATIVE DIAGNOSIS:  Severe degenerative joint disease, left hip.
POSTOPERATIVE DIAGNOSIS:  Same.
OPERATION:  Left total hip arthroplasty.
IMPLANTS:  Acetabular shell 54 mm, [serial number {serial}|S/N {serial}]; femoral stem size 5 standard offset, [serial no. {serial}|ser. # {serial}]; 36 mm ceramic head +0.
ESTIMATED BLOOD LOSS:  350 cc.   DRAINS: Hemovac x1.   SPECIMENS:  Femoral head, [path # {acc}|to pathology].
INDICATIONS:  {Mr} {pt.last} is {an_age}-year-old [{job}|former {job}|{man}] with a long history of left hip pain, refractory to NSAIDs, injection by Dr. {dr5.last} in {my:-200}, and therapy at {clinic}. [{He} sustained a fall near {place} in {season:-900}.|{His} {r1.role}, {r1.first}, had the same operation.|] Risks, benefits and alternatives were discussed in the office on {d:-20}, and {he} elected to proceed.

PROCEDURE:  The patient was identified in the holding area and the left hip was marked by me. {He} was brought to OR {bed} and placed in the right lateral decubitus position. Cefazolin 2 g was given. A time-out was performed. A posterolateral approach was used. The gluteus maximus was split in line with its fibers and a Charnley retractor was placed. The short external rotators were tagged with #2 Ethibond. The neck was cut 1.5 cm above the lesser trochanter. The acetabulum was reamed to 53 mm. Leg lengths were judged equal. A mark was made with the Bovie on the greater trochanter. The capsule was closed with #1 Vicryl. Sponge and needle counts were correct x2. Dr. {dr1.last} was present and scrubbed for the entire procedure.

{dr1.FULL}, M.D.
{dr1.abc}/{dr6.abc%}
D:  {d:-1}    T:  {d:0}    Doc #{enc}
cc:  {dr5.full}, M.D., {clinic}, fax {fax}
"""

ANESTHESIA = """\
ANESTHESIA RECORD          Date {d:0}    OR # {bed}    Case # {enc}
Patient {pt.lf}   Age {age}   Sex {M}   Wt {n:50:120} kg   Ht {n:150:190} cm   MRN {mrn}   Acct {acct}
Surgeon {dr1.last}   Anesthesiologist {dr2.last}[ / {dr3.last}|]   [CRNA {dr4.il}|Resident {dr4.full} (CA-2)]
Procedure: Lap chole, poss open. ASA 3. Mallampati II. NPO since midnight. Allergies: PCN (rash).
Consent signed by [pt|{r1.role} {r1.full}, relation verified]. Last PO [{d:-1}|{wk:-1}] 2200.
PMH: HTN, GERD, OSA (CPAP 10), Raynaud, prior GA [{y:-2000}|{my:-1500}] at {hosp2:short}: Grade 2 Cormack view, "hard stick". Pseudocholinesterase OK.
Machine check: Aisys S/N {serial}  [checked {time}|]   Monitor SN {serial}
0735 in room. Monitors, preox. 0741 midaz 2, fent 100, lido 80, prop 160, roc 50. Mac 3, gr I view, 7.0 ETT 22 cm, + EtCO2. 20G R forearm, 18G L hand. 
0800 incision. BP 110-134/58-76, HR 62-84, SpO2 99, EtCO2 34, T 36.1. Sevo 1.8-2.2%. MAC 0.9
0912 neo/glyco 4/0.6, TOF 4/4. 0920 extub awake. EBL 25 UOP 150 LR 1400
PACU: Aldrete 9. Report to [{dr5.first}|{dr5.full},] RN[. Ride home: {r1.role} {r1.first}, {r1phone}|]. Pain 3/10.
Post-op visit {p:1}: [no complaints, will f/u w/ Dr {dr1.last} {p:13}|sore throat only]. [e-signed {user:dr2} from {ip}|-{dr2.ab}, pgr {pager}]
"""

DEVICE_CHECK = """\
CARDIAC DEVICE CLINIC - {hosp:short}
[In-clinic interrogation|Remote interrogation], {d:0}

Patient: {pt.full}   DOB: {dob}   ID: {mrn}
Following physician: {dr1.full}, MD      Device RN: {dr2.full}
Implanting MD: {dr3.last} ({hosp2}), {d:-1200}

Generator: dual-chamber ICD, [serial {serial}|S/N: {serial}|Serial Number {serial}]
RA lead: active fixation 52 cm, [SN {serial}|serial # {serial}], implanted {my:-1200}
RV lead: single coil, serial no. {serial}[ (on advisory; letter mailed {d:-90} to {street}, {city}, {st} {zip})|]
[Bedside monitor s/n {serial}, last transmission {d:-2} via gateway {ip}.|Home monitor paired {p:-30}, IP {ip}.|]
Battery 2.94 V, est. longevity {f:3:8} years. AP 34%, VP 2%. Thresholds: A 0.75 V @ 0.4 ms, V 1.0 V @ 0.5 ms. R wave 11.2 mV, P 2.4 mV. Impedance 480/390 ohms, HV 62 ohms.
Events: [AF burden <1%; longest 4 min on {p:-12}.|1 VT episode {p:-9} at 188 bpm, ATP x1 successful; patient was [at {place}|shoveling snow on {hol}] and felt "fluttering".|No treated episodes since {d:-95}.]
Mode DDDR 60-130. Zones: VT 171, VF 200. Changes today: AV delay 180 -> 220 ms.
[{pt.first} asks about arc welding; {he} is {ajob} at {emp}. Advised to keep 2 feet from the source.|{r1.role} {r1.first} asks if {he} may drive: OK per Dr. {dr1.last}.|Travel: will be in {country} from {my:60}; ID card reissued.]
MRI conditional: yes. CHA2DS2-VASc 4. NYHA II. EF 30% ({my:-300}).

Next remote {d:91}; in clinic {my:360}. Patient portal {url}. Questions: device clinic {phonex}.
[Dictated but not read. |]{dr1.full}, MD, [FACC|FHRS]
"""

RADIOLOGY = """\
{hosp^} - DIAGNOSTIC IMAGING
EXAM: CT CHEST/ABDOMEN/PELVIS WITH CONTRAST
PATIENT: {pt.LF}     [DOB: {dob}|AGE: {age}Y  SEX: {M}]     MR#: {mrn}
ACCESSION: {acc}      [ENCOUNTER: {enc}      |]EXAM DATE: {d:0} {time}
ORDERING: {dr1.LF}      LOCATION: [{ward^}|ED|{ward^} {room}]

CLINICAL HISTORY: {age} year old {male} with Hodgkin lymphoma, s/p ABVD, [restaging|? recurrence]. [Back pain T12-L2 since fall on {p:-5}.|Elevated LDH 480 on {p:-3}.|]
COMPARISON: CT dated {d:-120}[; PET/CT from {hosp2}, {d:-240}|; outside study {my:-500} ({clinic})|].
TECHNIQUE: 5 mm axial images after 100 mL Omnipaque 350 IV through a 20 gauge catheter. DLP {n:400:900} mGy-cm.

FINDINGS:
Lungs: 4 mm nodule in the right upper lobe (series 3, image 42), unchanged from {my:-120}. No effusion.
Mediastinum: Residual anterior soft tissue 2.1 x 1.4 cm, [previously 2.3 x 1.6 cm on {d:-120}|stable]. Port-A-Cath tip in SVC.
Liver, spleen, adrenals: unremarkable. Bosniak I cyst left kidney, 1.2 cm. Meckel diverticulum incidentally noted.
Bones: Schmorl nodes at T11 and L1. Grade 1 anterolisthesis L4 on L5. No lytic lesion.

IMPRESSION:
1. Stable residual mediastinal tissue, Deauville correlation with PET may help.
2. Stable 4 mm pulmonary nodule, follow Fleischner recommendations.

[Findings discussed with Dr. {dr1.last} by Dr. {dr2.last} by telephone at {time} on {d:0}.|Critical result line: called to {dr3.first} ({ward}) at {ext}, read back.|Results line {phone}; images may be pushed on request, fax {fax}.]
[I, {dr2.fml}, have reviewed the images and agree with the report of {dr4.full} (resident).|]
Read by: {dr2.LF}  [MD|M.D.]   Electronically signed: {user:dr2}  {d:0}[  workstation {ip}|]
"""

PATHOLOGY = """\
SURGICAL PATHOLOGY REPORT                       Accession #: {acc}
{hosp}, {street:a}, {city:a}, {st:a} {zip:a}    Tel {phone}  Fax {fax}

Patient: {pt.lfm}                Med Rec #: {mrn}
DOB/Age: {dob} ({age})           Sex: {M}         Acct #: {acct}
Collected: {d:-3}   Received: {d:-3}   Reported: {d:0}
Submitting MD: {dr1.full}[ ({clinic})|]       Copy to: {dr2.lf}

CLINICAL DATA: {an_age}-year-old with a 1.8 cm right breast mass, BI-RADS 5. [Mother had breast cancer at {a:38:60}, sister at {a:35:60}.|Previous biopsy {my:-600} ({acc}) benign.|Screened at {clinic2} van at {place}.]

SPECIMENS: A. Right breast, core biopsies (specimen ID {spec}). B. Right axillary lymph node[ (specimen {spec})|].
GROSS: Received in formalin labeled "{pt.lf}[, {mrn}|] - right breast" are five yellow-white cores, 0.2 cm in diameter and up to 1.6 cm long. Cold ischemia 12 minutes. Block summary: A1-A2, B1. Margin inked blue. Grossed by {dr3.il}[, PA (ASCP)|].
MICROSCOPIC: Invasive ductal carcinoma, Nottingham grade 2 (3+2+2 = 7/9). No lymphovascular invasion. Ki-67 {n:10:40}%. ER 95% strong, PR 60%, HER2 IHC 1+.

DIAGNOSIS:
A. RIGHT BREAST, 10 O'CLOCK, CORE BIOPSY: INVASIVE DUCTAL CARCINOMA, GRADE 2.
B. LYMPH NODE, RIGHT AXILLA: NEGATIVE FOR CARCINOMA (0/1).

COMMENT: Dr. {dr4.full} has reviewed selected slides and concurs. The result was given to [Dr. {dr1.last}|{dr5.first}, RN at {clinic},] on {d:0}[ at ext. {ext}|]. [Slides sent for consultation to {dr6.full}, {hosp2}, on {p:0}.|Tissue banked under study no. {study}.|]

{dr7.fml}, M.D., Pathologist    (electronic signature {user:dr7})
"""

LABORATORY = """\
{hosp2^} LABORATORIES          CLIA-certified          {url}
-----------------------------------------------------------------
NAME      {pt.LF}                   PT ID    {mrn}
DOB       {dob:slash0}  SEX {M}            ACCT     {acct}
REQ PHYS  {dr1.LF}                  ACC NO   {acc}
LOC       {ward^} [RM {room}|BED {bed}]                    SPEC ID  {spec}
COLL      {d:-1:slash0} {time} BY [{dr2.abc}|{user:dr2}]    RECD  {d:-1:slash0}
[PHLEB ID CONFIRMED BY FINGERPRINT {bio}|PALM SCAN ID {bio}|WRISTBAND SCANNED]
-----------------------------------------------------------------
TEST                 RESULT      FLAG   REFERENCE        UNITS
SODIUM               {n:128:146}                136-145          mmol/L
POTASSIUM            {f:3:6}                3.5-5.1          mmol/L
CREATININE           {f:0:3}                0.6-1.2          mg/dL
GLUCOSE              {n:70:280}         H      70-99            mg/dL
WBC                  {f:3:18}                4.0-11.0         K/uL
HGB                  {f:8:16}         L      13.5-17.5        g/dL
PLT                  {n:80:420}                150-400          K/uL
TSH                  {f:0:6}                0.4-4.5          uIU/mL
EBV VCA IGG          POS                NEG
COOMBS, DIRECT       NEG                NEG
-----------------------------------------------------------------
COMMENT: HEMOLYZED +1. [CRITICAL K CALLED TO {dr3.FULL} RN {d:0:slash0} {time} RB {user:dr4}|REPEAT SUBMITTED {p:0}|RESULT FAXED TO {clinic^} {fax}]
[PREV RESULT {d:-30:slash0}: CREATININE 1.1|BILL TO: {ins^} ID {plan}|]
TECH [{user:dr4}|{dr4.abc}]   VERIFIED {d:0:slash0}   MEDICAL DIRECTOR {dr5.FULL}, MD
QUESTIONS CALL {phone}
"""

TEMPLATES = (
    Template("operative_report", "adult", OPERATIVE, wrap=80),
    Template("anesthesia_record", "any", ANESTHESIA),
    Template("device_check", "adult", DEVICE_CHECK),
    Template("radiology_report", "any", RADIOLOGY),
    Template("pathology_report", "any", PATHOLOGY),
    Template("laboratory_report", "any", LABORATORY),
)
