"""Templates of reports of procedures and studies."""

from heldout.records import Template

_CATH = """{hosp^}
CARDIAC CATHETERIZATION LABORATORY -- FINAL REPORT                  Study {acc}
Patient: {pt.tight^}        Rec #: {mrn}        Birth: {dob}[        Age/Sex: {age}/{MF}|]
[Performed: {d:0}, Lab 2     Operator: {dr1.full}, MD, FACC[     Fellow: {dr2.full}|]     Ref: {dr3.lf}
|][Scrub {dr4.il}, RCIS; circulating {dr5.first} RN[; monitor {user:dr6}|]
|]_____________________________________________________________
INDICATION  {age}-year-old {job} with CCS III angina, Canadian class unchanged since {mo:-60}, Duke score -9. [Stent to LAD {y:-1900} at {hosp2:abbr}[; CABG declined {my:-90}|]. |][Transferred from {hosp3} by {ems} {p:-1}.|]
{aside}
[{aside}
|]ACCESS  R radial, 6F, Barbeau B. [TR band 12 cc.|Perclose x1 after crossover to R CFA.] Contrast {n:60:210} mL. Fluoro {f:4.0:22.0} min, {n:400:2900} mGy. Heparin {n:5:11},000 U; ACT {n:220:340}.
HEMODYNAMICS (mm Hg)  RA {n:4:14}; PA 41/18/27; PCWP {n:9:26} (V 31); Ao {bp}; LVEDP {n:8:30}. Fick CO/CI {f:3.0:6.5}/{f:1.6:3.2}.
ANGIOGRAPHY
  LMCA 20% distal.  LAD ISR 80% mid (Mehran II).  D1 50.  LCx 40% mid, OM2 TIMI 2.  RCA dominant, CTO, Rentrop 2 collaterals.
INTERVENTION  IVUS MLA 3.1. Predil 2.5 x 15 NC at 18 atm. [DES 3.0 x 28 mm (Synergy, lot/ser {serial}) and 2.75 x 16 (ser {serial}). |]TIMI 3, 0% residual. No-reflow none. Impella standby, not opened.
COMPLICATIONS  none. [Vagal 48 bpm, atropine 0.6.|Brief Wenckebach.]
IMPRESSIONS  1. Two-vessel CAD. 2. PCI of mid LAD. 3. CTO medical for now; may return {my:70}.
PLAN  ASA 81 + ticagrelor 90 bid, 12 mo, not to stop before {d:365} without calling Dr. {dr1.last} at {phonex}. Implant card handed to {r1.full} ({r1.role}). [Off work at {emp} until {p:7}. |]Home {p:1} if Cr flat.
HISTORY  Hyperlipidemia, type 2 DM, Raynaud. Stress: Bruce stage 2, 6.1 METs, 2 mm ST depression V4-V6; Duke treadmill low-intermediate. Allen test normal. Creatinine {f:0.7:1.8}, eGFR {n:38:90}, Mehran risk 6. Sedation: Versed 2, fentanyl 75, moderate, 48 min. Bleeding risk 2.1%. Judkins L 3.5, Amplatz R 1, Ikari left guide.
[Results to {dr3.full}, {clinic}, fax {fax}. Images: {url}
|]Electronically signed {dr1.fml}, {wd:0} {d:0} {time}; addended {user:dr2}, workstation {ip}
"""

_ENDO = """Endoscopy Suite, {hosp:short}    {street:two}, {city:two}, {st:two} {zip:two}    [Ph|Tel.] {phone}

PROCEDURE REPORT: COLONOSCOPY + EGD
[{pt.fm^}   #{mrn}   {dob}   Case {acc}
|]Date {d:0}. Endoscopist {dr1.full}. Nurse {dr2.fl}. Tech {dr3.first}. CRNA {dr4.il}. [Referred {dr5.full}, {clinic}.|]

Indications. {age}-year-old {man}. [FIT positive {d:-50}; {his} uncle {m1.first} had colon cancer at {a:38:59}, and a maternal aunt had endometrial ca (Lynch?). |][MLH1 pending since {p:-20}. |][Last exam {my:-2500} with Dr. {dr6.last}: two adenomas.|]
[{aside}
|]Medication: propofol per anesthesia. ASA II. Mallampati 2.
[Consent/time-out at {time}. Scope CF-HQ190, ser. {serial}; gastroscope ser. {serial}.
|]
Colon. Boston Bowel Preparation Scale 3+2+3 = 8. Cecum in 7 min, withdrawal {n:7:19} min. Houston valves normal. Findings:
  A. ascending 12 mm, Paris 0-IIa, NICE 2, piecemeal EMR, clip x2 -- retrieved
  B. transverse 4 mm cold snare; not retrieved
  C. rectum 3 mm, Kudo II, left
  Diverticula; Grade I piles. No Crohn-like change.
Esophagus. Los Angeles B; Prague C1M3; Seattle protocol bx. Z-line 37 cm. Hill grade II. Stomach: Sydney biopsies, Forrest III ulcer 5 mm. Schatzki ring, Savary 17 mm passed easily.

Assessment/Plan
[ - Pathology {acc}; letter to {street}, {city}, or portal ({url}).
|][ - PPI bid 8/52. No NSAIDs. Restart warfarin {wk:1} {p:1}, INR at {clinic2} {p:6}.
|][ - Repeat 6 months ({my:180}) for EMR site; siblings from age {a:38:44}.
|] - Escort: {r2.any}, {phone}. May eat now. [Do not drive a [forklift|truck] at {emp} until tomorrow; excuse note {d:0} given.|]
Comments. The Olympus stack froze once and was restarted. Water exchange helped past the sigmoid; abdominal pressure x2; patient turned supine. CO2 used. Retroflexion in the right colon: done. Adenoma per colonoscopy 1.0. Mucosa of the terminal ileum normal for 10 cm. Blood loss < 5 mL. Chilaiditi sign was noted on the old film. Bowel prep: split dose, 4 L.
[ - If bleeding call {local} by day, {tollfree} after 5.
|][Specimen labels checked {dr2.ab}/{dr3.ab}.
|]{dr1.lf}                         Report ID {enc}
"""

_SLEEP = """{hosp} -- POLYSOMNOGRAM, SPLIT NIGHT
Name: {pt.full} | Study no. {study} | Chart {mrn} | Night of {wk:-1} {d:-1} | Bedroom {room} | Tech: {dr1.il}, RPSGT | Scored: {dr2.ab}
Ordering provider: {dr3.lfi}[ ({clinic})|] NPI {npi}

History: {age} yo {sex}, BMI {f:24.0:49.0}, neck 17.5", [drives nights as|employed as] {ajob} for {emp}; dozed at the wheel {p:-33} near {place}[ (no crash; licence {dl} under review by the state)|]. Epworth {n:6:22}/24, STOP-BANG {n:3:8}, Berlin high risk, Pittsburgh index 12. [{r1.Role} {r1.first} reports pauses, "like he/she will never breathe again." Previous HSAT {my:-500} at {hosp2}: AHI 19 (no report). |][ESS done by phone with {dr4.first}.|]
[{aside}
|]Meds that evening: gabapentin 300, trazodone 50, lisinopril 10.

Parameter          Baseline     CPAP
TIB / TST (min)    190/141      248/{n:160:240}
Sleep efficiency   74%          {n:70:96}%
N1/N2/N3/R (%)     22/68/4/6    9/55/12/24
AHI (/h)           {f:21.0:98.0}         {f:0.5:6.0}
RDI; ODI 4%        61; 48       4; 2
Nadir SpO2         {n:61:85}%          {n:89:94}%
PLMI               11 (arousal 3)

Cheyne-Stokes: none. Rhythm: sinus w/ PVCs, rate 52-91. Started on 4, best 11 cmH2O, medium F20 mask, heated humidity 3, ramp off. [Video segment {bio} kept (face recognisable) under facial-template policy.|]

Technical: 10-20 EEG, EOG, chin and leg EMG, nasal pressure, thermistor, RIP belts. AASM rule 1A, 4% desaturation. Snoring loud. Position: supine 41%, left 35%, right 24%. Lights out 22:14, lights on 05:31. Sleep latency 9 min; REM latency 88 min. Bruxism twice. Wake after onset 37 min. Hypopneas outnumber apneas 3:1. Mask fit good, leak 14 L/min.
Impression: severe OSA (G47.33), good response. [Recommend: APAP 8-14 through {dme}, order faxed {fax} {d:1}; machine ser. {serial}. |][Download in 31-90 days, window {range:31:90}. |][Payer {ins}, member {policy}, prior auth {auth}. |][Patient may phone {phonex} with mask problems, or write to {mail:dr2}.|]
Interpreted {d:2} by {dr2.full}, MD, Diplomate[; license {lic}|][; read remotely, IP {ip}|]. Copy: {dr5.last}, {dr6.last}.
"""

_EEG = """ELECTROENCEPHALOGRAM REPORT          EEG # {acc}
Requested by {dr1.iil}, {ward}, ext {ext}.   Reader: {dr2.full} MD PhD.   Technologist: {dr3.full}, R. EEG T.
{pt.lf}, {age}, {sex}, DOB {dob}; {hosp} no. {mrn}; recorded {d:0} from {time} to {time}, portable, bed {bed}; previous study {d:-420}, {hosp2:abbr}.

CLINICAL INFORMATION.  [Right-handed {age}-year-old found confused by {his} {r1.role} {r1.full} on {wd:-1} {p:-1}, two days after tooth extraction; generalised convulsion in the triage room, 3 min, Todd's paresis of the left hand. Had been [singing|helping out] at {church}. |][Childhood in {fcity}, {country}; neurocysticercosis treated there in {y:-7000}. |][Last seizure {season:-1400}. |][Levetiracetam 1500 bid (level drawn {p:-1}), lacosamide added {p:0} by Dr. {dr4.last}.|]
PAST HISTORY.  {aside}
TECHNIQUE.  21 channels, 10-20 system; T1/T2 added. Impedance <5 kohm. Photic 1-30 Hz. No hyperventilation (age, Moya-moya query).
DESCRIPTION.  PDR 8-8.5 Hz, 40 uV, reactive. Theta 5-6 Hz R temporal, maximal F8-T4. Lambda and mu normal. Sharp waves T4 > F8, roughly 1 per 10 s, in N1 and N2. POSTS and Rolandic-looking transients at C4, no clinical change. BIRDs none; LPDs none; no Lennox pattern. EKG 1 channel: regular at {n:54:104}.
Event buttons: {time} ({r1.first} pressed: staring), no correlate. [{time} pressed by mistake by {dr5.first} PCT.|]
IMPRESSION.  Abnormal awake and drowsy EEG: (1) R temporal slowing, (2) R temporal epileptiform discharges. Risk 2HELPS2B = {n:1:4}.
COMMENT.  Similar to {my:-420}, less slowing. [Would extend to 24 h if not back to baseline by {wd:1}. |][Driving: state form sent on {d:0}; {his} vehicle, {vin}, is kept by {r2.full} ({r2.role}), {phone}.|]
LABORATORY: sodium 131, glucose 118, ammonia 44, calcium 8.9, troponin <0.01. CT: chronic small-vessel change, Fazekas 2; no bleed. LP: 3 WBC, protein 52, glucose 64. Glasgow 14. Babinski absent. Mini-Cog 2/5. Sedating drugs in 24 h: none but lorazepam 2 mg.
[Called to {dr1.last} at {time}; read back.    {dr2.last}/{dr6.abc%}    Verified {d:1} {user:dr2}
|]MRI at {clinic} on {d:8}. Neurology follow-up {city:four}, {st:four} office: {phone}.
"""

_ADDENDUM = """** ADDENDUM **  ** ADDENDUM **
{hosp} - Dept. of Imaging
PT: {pt.tight^}
[EXAM: CT CHEST W/O CONTRAST, LOW DOSE[     ACCESSION {acc}|]     EXAM DATE {d:0} {time}
|][ORDERING: {dr1.full}     CC: {dr2.full}, {clinic}[     HAR/FIN {acct}|]     MRN {mrn}     LOC: {ward} {room}
|]
[ADDENDUM #1 BY {dr3.full^} ON {d:2} {time}
|]Outside CT of {d:-400} from {hosp2}[ (their accession {acc}, their MR {omrn})|] has now been loaded from disc, after technologist {dr4.first} phoned [the library|them] at {phone}. In comparison the 9 x 7 mm RUL nodule (se 4 im 87) measured 6 x 5 mm, so it HAS grown; volume doubling time about {n:110:390} days. The statement "no priors" is withdrawn. Lung-RADS 4B. Fleischner does not apply (screening). [LEFT in the body of the report at line 7 should read RIGHT. Discussed with Dr. {dr1.last} by secure chat on {wd:2} {p:2} at {time}, who will call the patient and {r1.role}.|]

[ORIGINAL REPORT[ ({d:0})|] BY {dr5.iil}
|]CLINICAL HISTORY: {age} y/o, 42 pack-years, quit {y:-900}, asbestos as {ajob} at {emp} in the {decade}. [A cousin, {a:45:74}, has sarcoid.|]
[{aside}
|]TECHNIQUE: 1.25 mm, CTDIvol 1.4 mGy, DLP {n:38:96}.
FINDINGS: Centrilobular emphysema. 9 mm nodule left upper lobe. Calcified hilar nodes; Ghon focus. Kerley lines none. [Heart normal; LAD calcium; Agatston not scored. Port tip at SVC[; device {serial}|]. |]Bochdalek hernia, fat. T8 compression, Genant 1, chronic. Adrenals clear. [Old R 6-8 rib fx [(MVC {y:-6000}, {place})|(bull, {y:-6000})].|]
IMPRESSION: nodule; biopsy or PET may be of value; see above.
RECOMMENDATION TRACKING: nurse navigator {dr6.full}, {phonex}, letter 1 sent {d:3} to {street}, {city}, {st} {zip}; call {ptphone}.
LIMITATIONS: respiratory motion in the lower lobes, noise index 22. Heights of T4 through L1 kept except as above. Thyroid 6 mm nodule, TI-RADS 2, ignore. Hounsfield value of the left adrenal 4. Lungs show mild Mach effect at the mediastinal edge. Dose is below the Dutch and British reference levels. Green peer-review score 3 for the original.
Teaching file consent: {box} yes {box} no
Radiologist license {lic}.  Transcribed by {user:dr7}.  FINAL {d:2} {time}  Report viewed from {ip}
"""

_TUMOR_BOARD = """MULTIDISCIPLINARY THORACIC / GI TUMOR CONFERENCE                 Minutes of {wd:0}, {d:0}
{hosp}, Conf. Rm {room}[, and by video {url}|]
Present: Drs. {dr1.last}, {dr2.last}, {dr3.last} (chair), {dr5.full} (rad onc)[, {dr4.full} (path), {dr6.il}|][; genetics {dr7.full}|][; navigator {dr8.first}|].[ Regrets: {dr9.last}.|][ Minutes by {user:dr8}.|]

CASE 1.  {pt.il}, MR {mrn}, {age}{MF}, {city}.[ Presented by {dr1.last}.|]
Former {job}; ECOG 1; FEV1 {f:1.1:2.9} L (61%). [PET {p:-9}: SUV 8.1 RUL, 4R node 3.2. |][EBUS {d:-6}[ ({acc})|] adenoca, PD-L1 {n:1:80}%, EGFR wt, KRAS G12C. |][MRI brain [pending {wk:2}|neg {p:-3}]. |][Stage IIIA (T2aN2M0), AJCC 8. Brown tumour at prior neck surgery {y:-2500}, {hosp2:short}.|]
Discussion: Dr. {dr5.last} favors chemoradiation then durvalumab as in PACIFIC; Dr. {dr2.last} would operate after neoadjuvant x 3. Consensus: neoadjuvant, restage {my:80}. [Trial {study} may be open: {dr8.full} to call {ptphone} and {r1.first} ({r1.role}).|]

{aside}

CASE 2.  {f1.il}, MR {omrn}, {a:34:81}F[, of {town}|].[ Presented by {dr6.last}.|]
Whipple {d:-31} for ampullary ca, pT3 N1 (2/17), R0, perineural +, Ki-67 30. CA 19-9 {n:8:900}. [Germline BRCA2 in her sister {f2.first}. |][Recommend mFOLFIRINOX if ECOG 0-1, start by {d:20}. |][FMLA form for {emp}.|]

{aside}

[CASE 3.  {m1.iil}, MR {omrn}, {a:45:85}M[, transferred {p:-5} from {hosp2}|]. [Presented by {dr3.last}.|]
Klatskin (Bismuth IIIb); bili {f:2.0:19.0} after PTBD. MELD {n:8:24}. [Lives at {snf}; son {m2.full} in {town2}[ ({phone})|] makes decisions. |]Not resectable. Radiology: Milan n/a. [Hospice visit, {homecare}, {wd:3}.|]
|]
GENERAL. Slides for each case were shown at 4x and 20x. Child-Pugh, Karnofsky and Clavien-Dindo grades are entered in the data base. Philadelphia chromosome comments in last week's minutes should be struck out. Toronto and Milan criteria compared; Barcelona stage B means TACE. The group may revise its Lynch pathway. Sub-zero attendance by plastics: call them.
FOLLOW-UP CASES: {f3.last} - done. [{m3.last} - path review at {clinic} differs: Will send block {acc} to {hosp3:abbr}.|]
[Registry: accession {study}. |]CME code {n:1000:9999}. Next meeting {wd:7} {d:7}[ (no meeting {hol})|].
"""

TEMPLATES: tuple[Template, ...] = (
    Template("cath_report", "adult", _CATH),
    Template("endoscopy", "adult", _ENDO),
    Template("sleep_study", "working", _SLEEP),
    Template("eeg_report", "elder", _EEG, wrap=88),
    Template("radiology_addendum", "adult", _ADDENDUM),
    Template("tumor_board", "adult", _TUMOR_BOARD),
)
