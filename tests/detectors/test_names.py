"""Names of patients, their people and clinicians, in the ways notes write them, and what is no name.

A row holds one text with each name marked: ``{P:...}`` patient or relative, ``{D:...}`` clinician,
``{U:...}`` login; ``\\n`` and ``\\t`` in it are a line end and a tab. Everything is invented.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.detect import DetectSettings, build_detectors, detect_texts
from phiscan.named_entities import shape
from phiscan.person_role import person_role
from phiscan.protocols import Detector
from phiscan.records import Span
from phiscan.rulebook.name_words import mark_names, may_be_name

CATEGORIES = {"P": "PATIENT", "D": "DOCTOR", "U": "USERNAME"}
MARK = re.compile(r"\{([PDU]):([^{}]*)\}")
ALL = DetectSettings()
DETECTORS = build_detectors(ALL)
RULES = {"rules": DETECTORS["rules"]}

TABLE = r"""
{P:QUILLON, MARA T}   MRN: 7730218
{P:quillon, mara t} mrn 7730218
{P:QUILLON,MARA}  MRN 7730218
Name: {P:Quillon, Mara T.}   DOB: 02/11/1961
NAME: {P:QUILLON, MARA}\nUNIT NUMBER: 773-02-18
name: {P:mara quillon}\nmrn: 7730218
patient name: {P:quillon, mara}   dob: 2/11/1961
Patient Name: {P:Anselm Groß}\nDate of birth: 02/11/1961
Pt: {P:Tobias Brandvold}, 58M
Pt Name: {P:BRANDVOLD,TOBIAS E}  Acct: 99120
Patient:\n{P:Ottoline Brandvold}\nMRN: 00482913
PATIENT: {P:OYELARAN, TEMITOPE}
Re: {P:Temitope Oyelaran}\nDOB: 3/3/1970
RE: {P:OYELARAN, TEMITOPE}
RE: {P:Mara Quillon}, MRN 7730218
{P:PENHALIGON, WREN-MARIE T.}
{P:PENHALIGON, WREN-MARIE T.}\nAdmitted overnight with chest pain.
{P:LINDGREN,ASTRID} 00482913 F 71
{P:LINDGREN, ASTRID}  71F  00482913
{P:Lindgren, Astrid} (71 F)  Room 412
Dear Dr. {D:Okafor},\nThank you for referring this pleasant woman.
Dear Mrs {P:Lindgren}:\nYour results are normal.
Dear Ms. {P:de la Cruz},
Dear Doctors {D:Amin} and {D:Pell}:
Discussed with Drs. {D:Amin} and {D:Pell}.
d/w {D:Chaudhary}/{D:Whitcombe}, will hold heparin.
D/w Dr. {D:Chaudhary}; plan unchanged.
Case d/w {D:Whitcombe} who agrees.
Seen and discussed with Dr {D:Will May}.
Referred by {D:Will Tambor}.
Signed: {D:Nakamura} 1/7
Follows w/ {D:Abernathy} in cards.
Sees {D:Abernathy} for her heart failure.
Per Dr {D:Abernathy}, hold apixaban.
per {D:Abernathy} okay to discharge
s/b Dr. {D:Pell} this am
S/b {D:Pell} (ortho) - no surgery.
cc: Dr. {D:Hanneke van der Meer}
cc: {D:J. R. Okafor}, MD; {D:P. Whitcombe}, NP
CC: {D:Okafor}, {D:Whitcombe}
c/o {P:Ingrid Lindgren}, 12 Alder Ct
Send copies to Dr. {D:de la Cruz}.
Attending: {D:J. R. Okafor}
ATTENDING: {D:OKAFOR, J. R.}
attending: {D:okafor, j}
Attending Physician: {D:Seán O'Brien}, M.D.
Attending: {D:Siobhán D’Souza} MD
Resident: {D:Castellano} (PGY-2)
PCP: {D:Yevgenia Dvořák}
PCP {D:Dvořák} notified of admission.
PCP is Dr. {D:Dvořák}.
Surgeon: {D:Hollis McAllister}, MD\nAssistant: {D:Kenji Nakamura}, PA-C\nAnesthesia: {D:Petra Vance}, CRNA
SURGEON: {D:MCALLISTER}\nASSISTANT: {D:NAKAMURA}\nANESTHESIA: General
Anesthesia: General endotracheal.
Anesthesiologist: {D:Vance}
Dictated by: {D:Hollis McAllister}
DICTATED BY: {D:HOLLIS MCALLISTER}, M.D.
Dictated By:\n{D:HOLLIS MCALLISTER}
Referred by: {D:K. Nakamura}
Reviewed with: {D:Castellano}
Ordering provider: {D:Yusuf Al-Farsi}
Ordering Provider: {D:AL-FARSI, YUSUF}
Consultant: {D:Beatrix St. Clair}
Cosigned: {D:B. St. Clair}, MD 3/4/2021
Cosigned by {D:Castellano} at 14:20
Electronically signed by: {D:Kowalczyk, Zofia}, MD on 3/4/2021
Electronically signed by {D:Zofia Kowalczyk} on 3/4/2021 at 08:12
ELECTRONICALLY SIGNED BY {D:ZOFIA KOWALCZYK} MD
{D:Zofia Kowalczyk}\nElectronically signed 3/4/2021 08:12
{D:Zofia Kowalczyk}, RN, BSN
Plan as above.\n\n{D:Rupert Haverstock}\nPGY-3 Internal Medicine
Thank you.\n\nSincerely,\n\n{D:Rupert Haverstock}, M.D.
Sincerely,\n{D:Rupert Haverstock}
Thanks,\n{D:Rupert}
____________________\n{D:Rupert Haverstock}, MD\nDepartment of Medicine
{D:R. Haverstock} MD/jk
Nurse {D:Fitzgerald} at bedside.
RN {D:Fitzgerald} aware, will recheck.
RN: {D:Tess F.}
{D:T. Fitzgerald} RN
Report given to {D:Delphine}, RN on 4 West.
Handoff to {D:Delphine Roy} RN at 1900.
Her daughter {P:Solveig} is at bedside.
daughter {P:Solveig} drove her in
son {P:Chance} (11) has asthma
Lives with wife, {P:Ingrid}, and two dogs.
Husband's name is {P:Bjorn}.
Husband {P:Bjorn} and son {P:Leif} visited.
accompanied by his brother {P:Tobias}
HCP: {P:Ingrid Lindgren} (wife) 617-555-0142
Next of kin: {P:Tobias Brandvold}, brother
NOK: {P:Ana de la Cruz} - partner
Emergency contact: {P:Ottoline Brandvold} 555-0119
Emergency Contact {P:Ottoline Brandvold} (wife) 555-0119
Lives with partner {P:Ana}.
Lives with her partner of 20 years, {P:Ana}.
Spoke to mom ({P:Keisha}) by phone.
Mother: {P:Keisha Oyelaran}
Patient's sister {P:Marguerite} helps with pills.
Her grandson, {P:Emmett}, lives upstairs.
Two daughters, {P:Solveig} and {P:Astrid}.
Children: {P:Solveig} (12), {P:Leif} (9)
Ms. {P:Lindgren} is a 71 yo woman.
Mr. {P:O'Brien}'s wife called.
MR. {P:O'BRIEN} WAS SEEN TODAY.
Mr {P:Groß} and Mrs {P:Groß}
Mrs. {P:D'Souza} reports nausea.
mr. {P:brandvold} was seen
This is {P:Mara Quillon}, a 60 year old woman.
{P:Mara Quillon} is a 60-year-old female.
{P:Mara} is a 6 year old girl with asthma.
{P:Tobias Brandvold Jr.}, 58 y/o M
{P:Cornelius Ashgrove III} presented with syncope.
{P:Mara Quillon}'s daughter called.
Dr. {D:Foley} placed a Foley.
Dr. {D:Green} noted green discharge.
Dr. {D:White} will see; white count is 12.
Dr. {D:Parkinson} follows her Parkinson's disease.
Dr. {D:Park} examined the child in the park.
Dr. {D:Long} will order long-acting insulin.
Dr {D:Young} saw the young man.
dr. {D:castellano} to see
dr {D:castellano} to see
DR. {D:CASTELLANO} TO SEE
DISCUSSED WITH DR. {D:AMIN}, WHO AGREES WITH THE PLAN.
Primary Care Physician: {D:Dvořák, Yevgenia}
Primary care provider: {D:Y. Dvořák}
Referring MD: {D:Thaddeus Crowe}
Consulting Physician: {D:Crowe, Thaddeus}
PHYSICIAN: {D:Crowe}
Performed by: {D:Crowe, T}
Interpreted by: {D:T. Crowe}, MD
Radiologist: {D:Ilse Marchetti}
Technologist: {D:Bram Sokol}, RT
Paged {D:Marchetti} at 0200, no call back.
Spoke with {D:Marchetti} from radiology.
Social worker {D:Imani Brooks} met with family.
Case manager: {D:Imani Brooks}
Interpreter {D:Luz} was used by phone.
Username: {U:imbrooks}
Entered by: {U:tfitz22}
Note by {U:tfitz22} at 07:10
| Name | {P:Mara Quillon} | DOB | 2/11/1961 |
Patient\t{P:Mara Quillon}\tMRN\t7730218
Provider\t{D:Thaddeus Crowe}\tDate\t3/4/2021
Pt. {P:Quillon} was examined on rounds.
{D:Crowe}, MD
{D:ILSE MARCHETTI}, M.D., M.D.
Follow up with {D:Thaddeus Crowe} in 2 weeks.
F/u w/ {D:Crowe} 2 wks
Appointment with {D:Crowe} on 3/4.
Appt w/ Dr. {D:Anh Nguyen} 3/4 at 10am
OB: {D:Nguyen}
Cardiology ({D:Abernathy}) following.
Neurology: Dr {D:Anh Nguyen}
GI - Dr. {D:Tran}
Operating Surgeon: {D:Nguyen, Anh T.}, MD
Assistants: {D:Tran}, {D:Pell}
Nurse: {D:K. Oduya}
Witnessed by {D:Kemi Oduya} RN
Seen with Dr. {D:Oduya} and agree with above.
I, {D:Kemi Oduya}, have examined the patient.
Mr. {P:Tobias Brandvold Jr.} was admitted.
The patient, {P:Mara Quillon}, arrived by car.
patient {P:Mara Quillon} arrived by car.
Employer: Mr. {P:Haldane}
His boss, {P:Gideon Haldane}, drove him here.
Lives with roommate {P:Dmitri}.
Girlfriend {P:Yesenia} is HCP.
POA: {P:Solveig Lindgren}
Guardian: {P:Keisha Oyelaran} (aunt)
Baby girl {P:Quillon} born at 39 weeks.
Baby boy {P:Brandvold}
BABY BOY {P:BRANDVOLD}
ADMISSION NOTE\n{P:Thistlewood, Barnaby J.}   MRN# 4410982   DOB 05/17/1948\nCC: fever
Pt is a 72yo M (wife {P:Rosamund}) p/w dyspnea.
Seen on rounds w/ Dr. {D:Ekwueme} & team.
Discharge summary dictated by {D:Lucinda Farquhar}, MD for {D:Ambrose Tuttle}, MD
Mrs {P:Van Houten} has been seen by {D:Farquhar} and {D:Tuttle} in clinic.
EMERGENCY CONTACT: {P:CORDELIA THISTLEWOOD} (DAUGHTER)
Attending of record: {D:Tuttle}
{P:Barnaby Thistlewood}\nDOB 5/17/1948\nVisit date 3/1/2020
Thank you for allowing me to participate in the care of Mr. {P:Thistlewood}.\n\n{D:Lucinda Farquhar}, MD\nCardiology
cc {D:Ambrose Tuttle} MD
Copy to: {D:Hyacinth Bellweather}, D.O.
We discussed goals of care with {P:Barnaby} and his wife {P:Rosamund}.
Pt's mother, {P:Philippa Mbeki-Stone}, gave the history.
History obtained from mother {P:Philippa}.
Brother-in-law {P:Casimir} brought him in.
Pharmacist {D:Oona Reilly} reconciled meds.
Physical therapy: {D:Oona Reilly}, PT
Nursing note: pt resting. {D:B. Sandoval}, RN
WIFE: {P:ROSAMUND THISTLEWOOD}
Contact person: {P:Rosamund} (wife), cell 555-0188
Will call Dr. {D:Sandoval-Ortiz} in the morning.
{P:THISTLEWOOD BARNABY J} 4410982 05/17/1948 M
Patient: {P:Barnaby J. Thistlewood} | Sex: M | Age: 72
patient: {P:barnaby thistlewood} | sex: m | age: 72
ORDERED BY: {D:EKWUEME, CHIDI}
Read by: {D:Chidi Ekwueme}, MD. Verified: {D:L. Farquhar}
Pt seen by {D:Ekwueme} (ID), recommends ceftriaxone.
Patient lives w/ his sister {P:Gwendolyn} in a ranch house.
Neighbor {P:Ephraim} checks on him daily.
Sons {P:Atticus} and {P:Ezra} are supportive.
Her late husband, {P:Mortimer}, died of lung cancer.
Ex-wife {P:Rosalba} is not involved.
Dr. {D:L'Heureux} from surgery consulted.
Evaluated by {D:Amélie L'Heureux}, who felt surgery was not needed.
Primary oncologist: {D:L'Heureux}.
Her oncologist, Dr. {D:A. L'Heureux}, was emailed.
Name of patient: {P:Barnaby Thistlewood}
Patient's Name: {P:THISTLEWOOD,BARNABY}
Last name: {P:Thistlewood}  First name: {P:Barnaby}
Spouse: {P:Rosamund}
Healthcare proxy is his wife, {P:Rosamund Thistlewood}.
Health care proxy: wife {P:Rosamund} 555-0188
Daughter's name {P:Cordelia}, phone 555-0177
Called daughter {P:Cordelia} and left message.
Report called to {D:Marisol} RN in ICU.
Anesthesia team: {D:Bellweather}/{D:Sandoval}
Procedure performed by Drs. {D:Ekwueme}, {D:Tuttle} and {D:Bellweather}.
Resident {D:Sandoval} at bedside for the line.
Intern: {D:Priyanka Rao} pager 5512
{D:Rao}, PGY1
{D:P. Rao} PGY-1 / {D:M. Sandoval} PGY-3
Attending Addendum: I saw the patient with Dr. {D:Rao}. {D:Tuttle} 3/2/20
Signed by {D:Priyanka Rao} MD, 3/2/20 11:02
Accompanied by case worker {D:Jerome Atwater}.
Scribe: {D:Jerome Atwater} for Dr. {D:Tuttle}
Midwife {D:Saoirse} delivered the baby at 0312.
Therapist is {D:Saoirse Dunne}, LICSW.
Child's teacher Ms. {P:Winterbourne} is concerned.
Pt's name: {P:Delacroix, Henri}
Seen in consultation at the request of Dr. {D:Vasquez-Ito}.
{P:Henri Delacroix} 44102938 DOB 9/9/1950
Surgeon(s): {D:Ito}, {D:Bramwell}
PROVIDER: {D:ITO, KEIKO A}
Assistant surgeon: Dr. {D:Bramwell}
Attending note - {D:Ito}\nAgree with above.
Spoke to patient's wife {P:Colette} re: plan.
Plan discussed with pt and wife ({P:Colette}).
His daughter-in-law {P:Yvaine} manages meds.
{P:Delacroix, Henri} is a 70 yo M here for f/u.
Mr {P:Delacroix}, 70, presents with gait instability.
MR {P:DELACROIX} PRESENTS WITH GAIT INSTABILITY
Cc: {D:Ito}, {D:Bramwell}
Electronically Signed By: {D:Bramwell, Alistair} 09/10/2020 14:22
Signed electronically by {D:Alistair Bramwell} MD
{D:A. Bramwell}, 9/10/20
OT: {D:Fenella Marsh}, OTR/L
PT eval by {D:Fenella Marsh} PT
Nurse practitioner {D:Ludmila Petrov} saw her.
Per patient's husband, {P:Radek}, she fell.
Family present: husband {P:Radek}, sons {P:Pavel} and {P:Milos}.
MOTHER'S NAME: {P:PETRA DELACROIX}
Father of baby: {P:Radek Novotny}
FOB {P:Radek} involved.
Significant other: {P:Radek}
Contact: {P:Radek Novotny} 555-0133
Discharged to care of daughter {P:Milena}.
Transfer of care to Dr. {D:Petrov}
Accepting physician: {D:Petrov}
Call {D:Petrov} with questions.
Dr. {D:Petrov}'s office called.
Prescriber: {D:Alistair Bramwell}
Allergist Dr. {D:Song}
Ophtho - {D:Song}
Optometrist: {D:Song}
Rounding team: {D:Song}/{D:Petrov}/{D:Marsh}
Appointment Dr. {D:Song} 10/2 at 9:00
Pt requests {D:Petrov} as PCP.
His brother, {P:Anatole Delacroix}, DPOA, agrees.
Widowed; husband {P:Gaspard} died 2015.
{P:Delacroix}: 70M POD#2
Student nurse: {D:T. Okoro}
Verbal order from Dr {D:Marsh} read back.
Hand off received from {D:Okoro} RN.
Blood drawn by {D:Okoro}.
Line placed by Dr. {D:Marsh} under US guidance.
Name band checked: {P:Henri Delacroix}
Bed 12: {P:Delacroix}
Patient {P:DELACROIX, HENRI} was admitted.
Author: {D:Bramwell, Alistair}, MD, MD
I spoke with {P:Colette Delacroix} (wife) at 555-0166.
Therapist: {D:M. Ostrander}, LMHC
CM ({D:Brisa}) working on placement; SW {D:Talbot Okonjo} aware.
RN {D:Winifred Ashdown}; PCT {D:Grace}. Dietitian {D:M. Nkemelu} reviewed intake.
Transport: air, crew {D:Ferrer}/{D:Lund-Amsel}, ETA 20 min.
Referring MD: {D:Ravindran} ({D:Zofia}). Dx: knee replacement.
Implanting MD: {D:Thistlewood}   Device RN: {D:Maribel Stroud}
Submitting MD: {D:Leroy Quillon}   Copy to: {D:Okafor, Hanneke}
Evaluator: {D:Priya Tamsin}, PsyD
ORDERING: {D:BRANDVOLD, YUKI L}      LOCATION: 5 EAST
REQ PHYS  {D:O'TAMARIND, GRANT M}       ACC NO   24-1182
Surgeon {D:Tsaikov}   Anesthesiologist {D:Pell} / {D:Watanuki}
Physical therapy, {D:Mirela Novakova}, felt that she was safe.
Crown seat 9/28 w/ {D:Stroud}; prophy w/ {D:Miriam}, RDH.
Hx of counseling w/ {D:Levon Figueras}, weekly.
Routed to: {D:Stroud} pool
Will send to {D:Stroud} for review.
Forwarded to {D:Stroud}.
I agree with the report of {D:Ingrid Averell} (resident).
{D:Chloé Ouillet} (cardiology) discussed with the family.
Addendum to note of 11/14/2016 by {D:Ferrandi, Milagros}
POAG, s/p trab 2016 ({D:Haugland}, Harrow Lake Hospital).
D/w {D:van den Hoek}/{D:Montague} (cards): catheter on Monday.
Pre-op w/ {D:de la Torre}.
Called in by {D:Deshawn}.
Grossed by {D:S. Hallam}.
Told 5 mg daily by {D:Oyelaran} on 12/23.
Study coordinator {D:Wolfram} 207-555-0162 ext. 4171.
Contact: {D:Zainab} 207-555-0154 x774
Ask for {D:Milagros}.
s/w {D:June}: Lasix up to 80.
Drs. {D:Kilic}, {D:Friday} and {D:Sandler} agree.
Dr. {D:Winter} of Infectious Diseases; Dr. {D:Church} in March.
{D:MARY BANKSIDE}, M.D.\n{D:MAB}/{D:abz}\nD: 1/2/2020
Sincerely,\n\n{D:Zdenka D. Trane}, M.D.\n\n{D:ZDT}:{D:aw}
He will call. -{D:SB}, pgr 8-5211
Please refill, thanks\n{D:BD} July 23: pt called back, aware.
Left a message with husband. {D:NR}
COLL      07/09/2014 23:34 BY {D:IPQ}    RECD  07/09/2014
TECH {D:TGO}   VERIFIED 07/31/2013
Cosigned: {D:CADWALLON, GUDRUN S} ({D:GSC}) today
See above.\n\n{D:Priya Tamsin}
{D:N. Leggatt}, D.M.D.  lic K28588
NAME      {P:WINTER, TERRENCE M}            PT ID    8210
PT: {P:Little, Søren}  DOB 8/3/1992
MEMBER:  {P:HAND, INGRID D}     DOB: 3/7/1973
Received in formalin labeled "{P:Gray, Iris}, 0003798408 - right breast".
ADDENDUM: SVD of viable infant, "{P:Art}", 3320 g.
2014 SVD girl ({P:Ivy}) at term.
10 y.o. boy here with mom ({P:June}).
Ride home: wife {P:May}, 207 555 0122.
Visited w/ mother {P:June}. Wants tea.
Blocked by his brother {P:Christian} to move.
FOB {P:Will Figueras-Park} healthy.
MGM {P:Ingrid} and dtr {P:Svetlana} came.
Two children ({P:Ivy}, 9, and {P:Will}, 7).
SBT in am; {P:R.d.} to stay NPO.
Pastor {P:Oduya} of the parish was present.
Officer {P:B. Tamsin} took the report.
Safety plan with {P:Meenal} 207-555-0127.
Checking account joint w/ {P:Joy}.
Autopsy consent signed by {P:Latoya Swiftwater}.
PID|1||7731940||{P:QUILLON^MARA^T}||19610211|F
Hi {P:Tobias},
{P:Avis Small-Ford} | 86 M | 3/29/1929
{P:Yildiz,Christian} | 43 yo M | 08070566
Goes by "{P:Teddy}".
Seen and examined w/ {D:Satoh}.
Message from {D:Corinna Battersby}, RN: pt called.
Surgery 3/2019 by {D:Bellweather}; Rx by {D:Yoon}.
Assessed by PT ({D:Marisol}); SLP eval ({D:Kerrigan}): thin liquids.
""".strip().splitlines()

NOTES = r"""
DISCHARGE SUMMARY\n\nPATIENT NAME: {P:WHITFIELD, MARGOT E}\nMRN: 88231904\nATTENDING: {D:Desrosiers, Paul}, MD\nCONSULTANTS: Cardiology ({D:Iyer}), Nephrology\nDICTATED BY: {D:Hana Kovacs}, PGY-2\n\nHOSPITAL COURSE: Ms. {P:Whitfield} is a 68F with CHF, admitted for volume overload. {P:Margot} was diuresed with IV Lasix. Dr. {D:Iyer} recommended TTE, which showed EF 35%. Her husband {P:Leonard} and daughter {P:Paige Whitfield-Stone} were updated daily. A Foley was placed by RN {D:Tully}. Swan-Ganz numbers were reviewed. She has known Graves disease and Raynaud's.\n\nDISPOSITION: Home with VNA. Follow up with Dr. {D:Marisa Oduro} (PCP) in 1 week; {D:Iyer} in 2 weeks.\n\nElectronically signed by {D:Hana Kovacs} on 3/4/2021
ED NURSING NOTE 0245\nPt {P:Whitfield} arrived via EMS, A&Ox3. Triage by {D:K. Brandt}, RN. Daughter {P:Paige} at bedside. C/o SOB x 2 days. Given Lasix 40 IV per Dr. {D:Sato}. Report called to {D:Lorraine} on 5 West. {P:Margot} states "I feel better". Will monitor. -- {D:K. Brandt} RN
OPERATIVE REPORT\nPATIENT: {P:OYINLOLA, FEMI}\nSURGEON: {D:GRANT HOLLOWAY}, M.D.\nASSISTANT: {D:PRIYA NAIR}, PA-C\nANESTHESIA: GENERAL, DR. {D:LUNDQVIST}\nPROCEDURE: LAPAROSCOPIC CHOLECYSTECTOMY\nTHE PATIENT WAS BROUGHT TO THE OPERATING ROOM AND PLACED SUPINE. A VERESS NEEDLE WAS INSERTED. CALOT'S TRIANGLE WAS DISSECTED. A JACKSON-PRATT DRAIN WAS LEFT. DR. {D:HOLLOWAY} WAS PRESENT THROUGHOUT. MR. {P:OYINLOLA} TOLERATED THE PROCEDURE WELL.
Radiology Report\nExam: CT Chest\nOrdering MD: {D:Sato, Ken}\nComparison: None.\nFindings: Heart size normal. Kerley B lines. Hampton hump absent. Bochdalek hernia noted.\nImpression: No PE.\nFindings were discussed with {D:Sato} by {D:Wendell Achebe} at 14:10.\nRead By: {D:Wendell Achebe}, M.D. Resident: {D:Y. Park}
Dear Dr. {D:Oduro},\n\nRe: {P:Femi Oyinlola}, DOB 3/4/1975\n\nI had the pleasure of seeing {P:Femi} in clinic today with his wife {P:Adaeze}. As you know, Mr. {P:Oyinlola} is a 45-year-old teacher with Crohn's disease on Humira. He was referred by {D:Tess Holcomb}, NP. Exam: Murphy's sign negative, McBurney's point nontender. Plan: continue Humira, start Imuran; Harvey-Bradshaw Index 4.\n\nWith kind regards,\n\n{D:Grant Holloway}, MD, FACS\ncc: {D:Tess Holcomb}, NP
Psychiatry Consult\nReason: SI. Requested by: Dr. {D:Sato}\nHx from pt and mother ({P:Ngozi}). {P:Chidera} is a 16 yo girl, lives w/ mom, stepfather {P:Obinna} and two sibs ({P:Ifeoma}, 12 and {P:Kosi}, 9). School counselor Ms. {P:Trask} called 911. Sees therapist {D:Joy Beckwith}, LCSW q wk; Rx by Dr. {D:Amara}. PHQ-9 22. Columbia scale positive. Hamilton score 19. Meds: Zoloft, Abilify. No hx of abuse. D/w {D:Sato}/{D:Kovacs}. Will follow. {D:Beckwith} aware.\n{D:R. Pemberton} MD x4410
""".strip().splitlines()

NO_NAMES = """
Berg 48/56, TUG 21 s. Beighton 3/9. Tinetti 21/28.
Cobb angle 40; Cormack view, grade 2. Follow Fleischner recommendations.
Steinberg and Walker-Murdoch signs negative. Goldmann 14, no Marcus Gunn.
Sevo 1.8%, MAC 0.9. Pseudocholinesterase OK.
POAG OU, PCIOL OS. MoCA was 26/30.
Wean sedation. Recert due in May. Biometric kiosk is down.
Bill of rights given. Mark as high priority. Cord blood kit sent.
Implanting MD: see below. Submitting MD: unknown
CT 7/23: no bleed. US 3/4: normal. HR/RR stable
PT/OT\nABD/GU\nKept NPO. PO
Mallampati III. Killip II. Clavien-Dindo II. Hinchey III.
Katz ADL 6/6. Lawton 8/8. Glasgow Coma Scale 15.
NAME      DOSE      ROUTE
his wife, May 3 and June 2015; mother (deceased), girl (term)
Azithro, then Rocephin. Mirena in place, Nexplanon removed.
Homan's sign negative bilaterally.
Homans sign is absent.
Lou Gehrig's disease was discussed.
A Jackson-Pratt drain was left in place.
Framingham score is 12 percent.
Framingham risk score of 9.
He takes St. John's wort daily.
Foley in place, draining clear urine.
Hodgkin lymphoma in remission; Lewy body dementia.
Hunt and Hess 3, Fisher scale 2, Babinski negative.
Crohn's flare, Parkinson's disease, Glasgow scale 14.
Mild ___ of the left ___; seen by ___.
Seen by [**First Name8 (NamePattern2) **] [**Last Name (NamePattern1) 1234**].
Bishop score 8, Apgar 9 and 9, Bakri balloon placed.
Child-Pugh class B, Maddrey score 30, West Haven grade 2.
Tinel and Phalen signs positive, Finkelstein test negative.
Kocher incision, Whipple procedure, Roux-en-Y bypass, Nissen fundoplication.
Wolff-Parkinson-White pattern; Mobitz block; Wenckebach.
Guillain-Barre syndrome, Charcot-Marie-Tooth disease, Sjogren syndrome.
Colles fracture, Bankart lesion, Hill-Sachs deformity, Lisfranc injury.
Salter-Harris II fracture, Osgood-Schlatter disease.
Bell's palsy, Horner's syndrome, Argyll Robertson pupils.
Kerley B lines and a Hampton hump on the film.
Trousseau and Chvostek signs negative.
May be discharged; will follow up; march in place.
Will need March labs. He may go home in May.
PATIENT TOLERATED PROCEDURE WELL
PATIENT TOLERATED THE PROCEDURE WELL AND WAS TAKEN TO RECOVERY IN STABLE CONDITION.
ABDOMEN SOFT, NONTENDER. LUNGS CLEAR. HEART REGULAR.
NAUSEA, VOMITING
SOFT, NONTENDER
A VERESS NEEDLE WAS INSERTED AND CALOT'S TRIANGLE WAS DISSECTED.
THE SPECIMEN WAS SENT TO PATHOLOGY. COUNTS WERE CORRECT.
CC: Chest pain
CC: Palpitations, dizziness
Attending: Medicine
PCP: None
Nurse: at bedside
Mother: Diabetes, hypertension. Father: MI at 60.
Siblings: Healthy
Emergency contact: None given
c/o Chest Pain
Contact: Droplet precautions
Lasix 40 mg, Zosyn, Humira, Keppra, Eliquis and Abilify were continued.
Staphylococcus, Klebsiella, Candida and Pseudomonas grew.
Klebsiella and E. coli in the urine; Clostridium difficile negative.
Alpha fetoprotein, Beta hCG, Gamma GT.
RN Notified. NP Note: stable. Social Worker Following.
Baby boy, term. Baby Aspirin. BABY GIRL WAS BORN AT 0312.
Referred to Podiatry. Follow up with Neurology. d/w Radiology.
Seen by Wound Care and Physical Therapy.
Signed consent in chart. Signed electronically.
Per Protocol. Per Epic. Per Medicare rules.
Assessment and Plan
Discharge Medications
MS Contin 15 mg. MR angiogram. Severe MR. Diuresis.
Dr. ___ called. Doctor will call. 12 Alder Dr. Patient was seen.
Patient: Denies pain. Pt: Alert. Name: ___
patient: resting comfortably
provider: hospitalist on call
Thanks,
""".strip().splitlines()


def parse(row: str) -> tuple[str, list[tuple[int, int, str]]]:
    """The text of a row and its names as (start, end, category)."""
    marked, text, names, at = row.replace("\\n", "\n").replace("\\t", "\t"), "", [], 0
    for match in MARK.finditer(marked):
        text += marked[at : match.start()]
        names.append((len(text), len(text) + len(match[2]), CATEGORIES[match[1]]))
        text += match[2]
        at = match.end()
    return text + marked[at:], names


def people(detectors: Mapping[str, Detector], text: str) -> list[tuple[int, int, str]]:
    (spans,) = detect_texts(detectors, [text], ALL)
    kept = [span for span in spans if span.category in CATEGORIES.values()]
    return [(s.start, s.end - text[s.start : s.end].endswith("."), s.category) for s in kept]


def without_stop(text: str, names: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """The full stop of an initial or of "Jr." may end a name or not."""
    return [(start, end - text[start:end].endswith("."), category) for start, end, category in names]


def test_the_table_is_broad() -> None:
    assert len(set(TABLE)) >= 200


@pytest.mark.parametrize("row", TABLE + NOTES)
def test_rules_find_each_name_and_nothing_else(row: str) -> None:
    text, names = parse(row)
    assert people(RULES, text) == without_stop(text, names)


@pytest.mark.parametrize("row", TABLE + NOTES)
def test_the_model_takes_nothing_away(row: str) -> None:
    text, names = parse(row)
    found = people(DETECTORS, text)
    for start, end, category in names:
        assert any(a < end and b > start and kind == category for a, b, kind in found), text[start:end]
    for a, b, _ in found:
        assert any(a < end and b > start for start, end, _ in names), text[a:b]


@pytest.mark.parametrize("row", TABLE)
def test_windows_line_ends_change_nothing(row: str) -> None:
    text, names = parse(row.replace("\\n", "\r\n"))
    assert people(RULES, text) == without_stop(text, names)


@pytest.mark.parametrize("text", NO_NAMES)
def test_no_name_in(text: str) -> None:
    assert people(DETECTORS, text) == []


def test_no_name_in_all_of_it_in_any_case() -> None:
    page = "\n".join(NO_NAMES)
    assert people(DETECTORS, page) == []
    assert people(RULES, page.upper()) == []
    assert people(RULES, page.lower()) == []


SURNAMES = ("Quillon", "O'Tamarind", "D’Wexholm", "Alder-Quist", "Großwald", "Ångström", "Nakamura", "Okafor")
GIVEN = ("Mara", "Tobias", "Zoë", "Wren-Marie", "Siobhán", "Kenji", "Astrid", "Björn")
LAYOUTS = (
    "{last}, {first} T   MRN: 7730218",
    "{last},{first}  MRN 7730218",
    "Patient Name: {last}, {first}\nDOB: 2/11/1961",
    "Patient: {first} {last}\nMRN: 7730218",
    "Name: {first} {last}\n",
    "Attending: {first} {last}\nService: Medicine",
    "PCP: {last}, {first}\n",
    "Dictated by: {first} {last}\n",
    "Emergency contact: {first} {last} (wife)",
    "Next of kin: {first} {last}\n",
)
PROSE_LAYOUTS = (
    "Seen by Dr. {last} today.",
    "Mrs. {last} is well.",
    "{first} {last}, MD\n",
    "his wife {given} left",
)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(LAYOUTS),
    st.sampled_from(SURNAMES),
    st.sampled_from(GIVEN),
    st.sampled_from(["", "Plan: rest.\n"]),
)
def test_a_planted_name_keeps_its_offsets_in_any_case(
    layout: str, last: str, first: str, before: str
) -> None:
    for case in (str, str.upper, str.lower):
        text = before + case(layout).format_map(
            {"last": case(last), "first": case(first), "LAST": case(last), "FIRST": case(first)}
        )
        start = min(text.index(case(last)), text.index(case(first)))
        end = max(text.index(part) + len(part) for part in (case(last), case(first)))
        found = [span for span in people(RULES, text) if span[0] < end and span[1] > start]
        assert [(span[0], text[span[0] : span[1]].removesuffix(case(" T"))) for span in found] == [
            (start, text[start:end])
        ]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PROSE_LAYOUTS), st.sampled_from(SURNAMES), st.sampled_from(GIVEN))
def test_a_titled_name_keeps_its_offsets_in_any_case(layout: str, last: str, first: str) -> None:
    names = {"last": last, "first": first, "given": "Ingrid"}
    for case in (str, str.upper, str.lower):
        text = case(layout.format(**names))
        value = case("Ingrid" if "{given}" in layout else last)
        covered = [span for span in people(RULES, text) if text[span[0] : span[1]].endswith(value)]
        assert len(covered) == 1


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=80))
def test_marking_moves_nothing(text: str) -> None:
    marked = mark_names(text)
    assert len(marked) == len(text)
    changed = [new for new, old in zip(marked, text, strict=True) if new != old]
    assert all("\ue000" <= sign <= "\ue005" for sign in changed)


@pytest.mark.parametrize(
    ("text", "value", "role"),
    [
        ("Dr. Quillon came", "Quillon", "clinician"),
        ("PCP: Quillon", "Quillon", "clinician"),
        ("Quillon, RN", "Quillon", "clinician"),
        ("d/w Quillon", "Quillon", "clinician"),
        ("Nurse Quillon", "Quillon", "clinician"),
        ("her daughter Solveig", "Solveig", "relative"),
        ("his wife, Ingrid, is here", "Ingrid", "relative"),
        ("Husband's name is Bjorn", "Bjorn", "relative"),
        ("Solveig Quillon (daughter)", "Solveig Quillon", "relative"),
        ("Ingrid Quillon, his wife", "Ingrid Quillon", "relative"),
        ("accompanied by Tobias", "Tobias", "relative"),
        ("Next of kin: Tobias", "Tobias", "relative"),
        ("Ms. Quillon is well", "Quillon", "patient"),
        ("SW Tobias Quillon aware", "Tobias Quillon", "clinician"),
        ("CM (Tobias) working on it", "Tobias", "clinician"),
        ("Physical therapy, Mara Quillon, felt", "Mara Quillon", "clinician"),
        ("Mara Quillon (cardiology) called", "Mara Quillon", "clinician"),
        ("anesthesiologist Pell / Quillon", "Quillon", "clinician"),
        ("prophy w/ Mara, RDH", "Mara", "clinician"),
        ("Contact: Mara 207-555-0154 x774", "Mara", "clinician"),
        ("Contact: Mara 207-555-0154", "Mara", "patient"),
        ("consent signed by Mara Quillon", "Mara Quillon", "patient"),
        ("Implanting MD: Quillon", "Implanting", "patient"),
        ("Class II, Angle. PA x1", "Angle", "patient"),
        ("Mara Quillon is well", "Mara Quillon", "patient"),
        ("her doctor said that Quillon", "Quillon", "patient"),
    ],
)
def test_person_role(text: str, value: str, role: str) -> None:
    start = text.index(value)
    assert person_role(text, (start, start + len(value))) == role


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("Homan's sign negative", "Homan", []),
        ("Lou Gehrig's disease", "Lou Gehrig", []),
        ("a Jackson-Pratt drain", "Jackson-Pratt", []),
        ("a Swan-Ganz line", "Swan", []),
        ("Framingham score 12", "Framingham", []),
        ("Glasgow Coma Scale 15", "Glasgow Coma Scale", []),
        ("pupils equal, no Marcus Gunn", "Marcus Gunn", []),
        ("Steinberg and Walker-Murdoch signs absent", "Steinberg", []),
        ("stable. Zorbach 48/56. Steady", "Zorbach", []),
        ("stable. Zorbach 1.8%, then", "Zorbach", []),
        ("stable. Zorbach XM-62763 synced", "Zorbach", []),
        ("ZorCA was low", "ZorCA", []),
        ("no complaint. ZORBIL in place", "ZORBIL", []),
        ("stable. Zorbing sedation slowly", "Zorbing", []),
        ("\nZorbach: see below", "Zorbach", []),
        ("stable. Zorbach was seen", "Zorbach", ["PATIENT"]),
        ("stable. Zorbach climbed stairs", "Zorbach", ["PATIENT"]),
        ("stable. Zorbach, 71 yo", "Zorbach", ["PATIENT"]),
        ("met with Father\nZorbach of the parish", "Zorbach", ["PATIENT"]),
        ("for Abernathy's cast", "Abernathy", ["PATIENT"]),
        ("Abernathy's sign", "Abernathy", []),
        ("St. John's wort", "John", []),
        ("Murphy sign", "Murphy", []),
        ("Hunt and Hess 3", "Hunt", []),
        ("Hunt and Hess 3", "Hess", []),
        ("Mr. Murphy came", "Murphy", ["PATIENT"]),
        ("Murphy came", "Murphy", ["PATIENT"]),
        ("Dr. Foley's service", "Foley", ["DOCTOR"]),
        ("her daughter Addison", "Addison", ["PATIENT"]),
        ("on Thornberry Lane", "Thornberry Lane", ["STREET"]),
        ("Diane Lane came", "Diane Lane", ["PATIENT"]),
        ("THE PROCEDURE WAS TOLERATED WELL BY VERESS", "VERESS", []),
        ("PATIENT TOLERATED PROCEDURE WELL", "PATIENT TOLERATED PROCEDURE WELL", []),
        ("MR. CHAN WAS SEEN ON ROUNDS TODAY", "CHAN", ["PATIENT"]),
    ],
)
def test_what_a_model_found_is_shaped(text: str, value: str, expected: list[str]) -> None:
    start = text.index(value)
    found = shape(text, "PERSON", Span(start, start + len(value)))
    assert [category for category, _ in found] == expected


def test_a_name_once_told_is_found_again() -> None:
    text = "QUILLON, MARA T  MRN: 7730218\nMara slept. Quillon ate; Tobias Quillon visited. Seen by Dr. Wexholm.\nWexholm agrees."
    found = [text[start:end] for start, end, _ in people(RULES, text)]
    assert found == ["QUILLON, MARA T", "Mara", "Quillon", "Tobias Quillon", "Wexholm", "Wexholm"]
    assert [category for *_, category in people(RULES, text)][-2:] == ["DOCTOR", "DOCTOR"]


def test_everyday_words_and_eponyms_are_not_followed() -> None:
    text = "Seen by Dr. Green and Dr. Foley, Mrs. May and Dr. Murphy. Green discharge. Foley out. May go. Murphy sign."
    assert [text[start:end] for start, end, _ in people(RULES, text)] == ["Green", "Foley", "May", "Murphy"]


def test_words_in_small_letters_are_looked_up() -> None:
    assert may_be_name("quillon, mara")
    assert not may_be_name("chest pain")
    assert not may_be_name("")
