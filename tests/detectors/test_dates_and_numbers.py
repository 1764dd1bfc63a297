"""Dates, ages, contacts and numbers: what the rules find whole and well typed, and what they leave alone.

A sentence marks its values as {CATEGORY:value}; ``⏎`` is a line break. Only the categories of these
rules count: names and places have their own tests.
"""

from __future__ import annotations

import re
from datetime import date
from uuid import UUID

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from phiscan.detect import DetectSettings, build_detectors, detect_texts

FOUND = {
    "pitfall 9: dates": """
Next colonoscopy due {DATE:Jan 5, 2023}, last one {DATE:9 Jun 2019}.
Stent placed {DATE:12-15-20}, exchanged {DATE:6/7}.
Seen {DATE:3/12} for suture removal.
Seen in clinic on {DATE:3/12} and again {DATE:4/2}.
Tetanus booster {DATE:14Mar2021}.
Collected: {DATE:2021.03.14} 07:12
Date of service: {DATE:20210314}
DOS {DATE:20210314} to {DATE:20210318}
Service date: {DATE:20210314}
DOB {DATE:19520314}
Transcribed {DATE:2021-03-14}T08:51:06Z, amended {DATE:2021-03-15} 09:10.
Inpatient {DATE:3/14}-{DATE:3/18} for cellulitis.
Inpatient stay {DATE:3/14/21} - {DATE:3/18/21}, uneventful.
Rehab stay from {DATE:3/5} to {DATE:4/6}.
Cultures drawn {DATE:3/5}; then {DATE:4/6}, both sterile.
Weights: {DATE:3/5}; then {DATE:4/6}.
Vacation {DATE:March 3-7}.
Away {DATE:March 13-17, 2021} and {DATE:Aug 30} - {DATE:Sep 2}.
Held {DATE:3/14 - 18/2021} for prep.
Mammogram {DATE:3/2023} was normal.
CABG in {DATE:'98}, redo {DATE:'04}.
Quit smoking in {DATE:1987}; sober since {DATE:2004}.
PE in {DATE:Mar '21}, off warfarin by {DATE:Sept. '21}.
Married on the {DATE:14th of March}.
Wedding is {DATE:March the 3rd}.
Surgery is planned for the {DATE:5th}; preop labs on the {DATE:2nd}.
She is to return on the {DATE:21st} for a wound check.
Back to clinic {DATE:Monday}, labs {DATE:Thurs}.
Last drink was {DATE:Thanksgiving}; fell {DATE:Christmas Eve}.
Rash first seen {DATE:summer of 2019}.
Rash began in the {DATE:fall of 2018}.
Diagnosed in early {DATE:2015}.
Symptoms since {DATE:March}, worse in {DATE:April}.
Hepatitis in the {DATE:1980s}.
Used heroin in the late {DATE:'70s}.
Budget FY{DATE:2019}.
D: {DATE:03/14/2021} T: {DATE:03/15/2021}
D: {DATE:03/14/21} 08:12 T: {DATE:03/15/21} 11:40
DD: {DATE:3/14/21} DT: {DATE:3/15/21}
DICTATED: {DATE:03/14/2021}; TRANSCRIBED: {DATE:03/15/2021}
DOB: {DATE:3-14-52}
D.O.B. {DATE:14/03/1952}
DOB {DATE:14-Mar-1952}
Born {DATE:03.14.1952} in the old ward.
Date of birth {DATE:March 14th, 1952}.
DOB={DATE:03141952}
Birthdate: {DATE:1952-03-14}
b. {DATE:3/14/1952}
DOD: {DATE:11/2/2022}
LMP {DATE:2/11}, EDD {DATE:11/18/2024}.
EDC {DATE:11/18} by early ultrasound.
{DATE:03/22} 08:51:06 INFO
{DATE:10/3}: afebrile, walking.
{DATE:10/3} - afebrile, walking.
{DATE:5/17} CXR: clear. {DATE:5/18} CT: stable.
BCx {DATE:5/1} NGTD, UCx {DATE:5/2} E. coli.
Echo ({DATE:7/8}) EF 55%.
Echo {DATE:10/11} shows EF 40%.
Biopsy {DATE:4/12} showed carcinoma.
WBC 11.2 on {DATE:10/11}, 9.8 on {DATE:10/12}.
s/p fall {DATE:8/10}, no fracture.
Restarted {DATE:9/9} after the washout.
Chemo C1D1 {DATE:6/3/24}, C2D1 {DATE:6/24/24}.
Admit date {DATE:Feb. 3}; discharge date {DATE:Feb. 9}.
{DATE:Tues} {DATE:3/4}
{DATE:Mon}, {DATE:Mar 4, 2024}
The visit of {DATE:24 March} was missed.
{DATE:MARCH 24, 2024} PROGRESS NOTE
Last seen {DATE:mar 24 2024} by us
Immunized {DATE:2023-Mar-04}.
Effective {DATE:04-MAR-2023} 10:22:07
Eye exam {DATE:May 2022}; flu shot {DATE:Oct}.
Flu shot {DATE:10/2022}, pneumovax {DATE:11/19/2019}.
PSA trend: {DATE:1/2019} 3.1, {DATE:6/2019} 3.4.
History of DVT {DATE:2011}, PE {DATE:2014}.
s/p TAH {DATE:1999}.
appendectomy ({DATE:1987})
Stroke, {DATE:2016}
MI x2 ({DATE:2009}, {DATE:2014})
Served {DATE:1968}-{DATE:1971}.
Served {DATE:1968} to {DATE:1971} overseas.
ER visit last {DATE:Tuesday}.
Return {DATE:Friday} or {DATE:Sat}.
Follow-up appt {DATE:Wed} {DATE:4/10} at 2:30 pm
Seen on {DATE:Valentine's Day}.
{DATE:7-4-2023} visit
Received letter dated {DATE:4 July}.
Vaccine #1 {DATE:1/15/21}, #2 {DATE:2/12/21}
Last dose {DATE:6/1}, next dose {DATE:7/1}.
Last A1c {DATE:08/14} was 7.2
Exp {DATE:08/2025}
Date: {DATE:1/2/03}
DATE OF OPERATION: {DATE:11/02/2023}
Adm: {DATE:11/2} Disch: {DATE:11/5}
Admission Date: {DATE:2023-11-02}       Discharge Date: {DATE:2023-11-05}
started on {DATE:4/4}, stopped {DATE:4/9}, resumed {DATE:4/12}
was fine until {DATE:4/9} when he fell
the week of {DATE:4/9}
between {DATE:4/9} and {DATE:4/12}
between {DATE:Jan 4} and {DATE:Jan 9, 2024}
colonoscopy {DATE:2019}: two polyps
in {DATE:Spring 2020}
Signed {DATE:2/3/2024} 14:22
Last menstrual period: {DATE:1/30/24}
Visit went well: {DATE:Easter Sunday}
in {DATE:December of 2020}
{DATE:12/24/2023} 11:52 PM
""",
    "ages": """
{AGE:72}yo M with COPD
{AGE:93} y/o woman
A {AGE:93}-year-old woman
{AGE:ninety-four} year old veteran
aged {AGE:91}
age: {AGE:7} months
Age: {AGE:51}
in his {AGE:90s}
in her early {AGE:70s}
son Chance ({AGE:11})
daughters Ione ({AGE:9}) and Tamsin ({AGE:12})
PENHALIGON, WREN {MEDICALRECORD:00482913} F {AGE:71}
Name: QUIST, BRAM  Sex: M  Age: {AGE:64}
M/{AGE:64} with chest pain
{AGE:64}/M with chest pain
{AGE:71}F p/w dyspnea
{AGE:71} F with dyspnea
{AGE:71}-year-old man
{AGE:6}-week-old girl
mother died at {AGE:82}
diagnosed at age {AGE:45}
diagnosed with diabetes at {AGE:45}
menarche {AGE:12}, menopause at {AGE:51}
{AGE:58}yM
{AGE:58} yr old
{AGE:58} yrs old
{AGE:58}y.o.
{AGE:58} Y.O. FEMALE
{AGE:58} year-old
{AGE:58}-yo
{AGE:3} mo old
{AGE:3} m.o. boy
{AGE:9} month-old infant
turned {AGE:90} in the spring
turns {AGE:65} next month
She is {AGE:102} years of age.
{AGE:88} years old
Age {AGE:88} years
Father d. {AGE:67} MI
Father deceased at {AGE:67} of MI
Brother, {AGE:54}, healthy
Mother (alive, {AGE:84}) has CAD
her {AGE:40}-year-old sister
son age {AGE:12}, daughter age {AGE:9}
This {AGE:47} year old gentleman
{AGE:four}-year-old boy
at the age of {AGE:17}
{AGE:16} y F
""",
    "pitfall 2: numbers by label": """
Member ID: {HEALTHPLAN:XQH000123456}
Member # {HEALTHPLAN:XQH 000 123 456}
Subscriber ID {HEALTHPLAN:W220914417}
Policy Number: {HEALTHPLAN:88-4410-2A}
Group #: {HEALTHPLAN:0077441}
Insurance ID: {HEALTHPLAN:YDN441029338}
Medicaid ID {HEALTHPLAN:441029338A}
Medicaid number {HEALTHPLAN:AB12345C}
Medicare: {HEALTHPLAN:1EG4-TE5-MK72}
Medicare # {HEALTHPLAN:1EG4TE5MK72}
HIC# {HEALTHPLAN:123456789A}
Beneficiary ID {HEALTHPLAN:901144720}
Blue Shield ID {HEALTHPLAN:XEA904411207}
Plan ID: {HEALTHPLAN:H4410-293}
Claim number: {IDNUM:CLM-2024-000417}
Claim {IDNUM:2024031400417} was denied
Prior authorization #{IDNUM:PA-7741029}
Prior auth number {IDNUM:7741029}
Auth# {IDNUM:A55102938}
Rx# {IDNUM:7741029-02}
Rx number {IDNUM:0441029}
Referral number {IDNUM:R-2024-4410}
Referral ID {IDNUM:4410293}
Accession #: {IDNUM:24-CT-004410}
Accession No. {IDNUM:A24004410}
Acc: {IDNUM:5510293}
Job #: {IDNUM:441029}
Job ID {IDNUM:88-441029}
Order: {IDNUM:774102938}
Order ID {IDNUM:774102938}
CSN: {IDNUM:300441029}
Encounter # {IDNUM:55102938}
Encounter ID: {IDNUM:E-55102938}
Visit #: {IDNUM:V00044102938}
Visit ID {IDNUM:V00044102938}
FIN: {IDNUM:7000441029}
HAR {IDNUM:600044102}
Case number {IDNUM:2024-CV-00417}
Case # {IDNUM:24-00417}
Incident report {IDNUM:24-00417}
Study ID: {IDNUM:TRL-0417-022}
Subject ID {IDNUM:0417-022}
Subject number {IDNUM:1004-017}
Participant ID: {IDNUM:P-0417}
Protocol # {IDNUM:2019-0417}
Randomization number {IDNUM:20417}
Badge # {IDNUM:44102}
Employee ID {IDNUM:E441029}
Passport no. {IDNUM:X44102938}
Passport {IDNUM:X44102938}
Barcode {IDNUM:0044102938}
Specimen ID {IDNUM:SP-24-0441}
Tracking number {IDNUM:1Z44102938}
Confirmation # {IDNUM:QX4410}
Unique ID: {IDNUM:0044-1029}
Identity confirmed with {IDNUM:0441029}.
Wexholm, born {DATE:1967-11-08}, identifier {IDNUM:044 102 938}
MRN {MEDICALRECORD:00482913}
MRN: {MEDICALRECORD:E1004417}
MRN #{MEDICALRECORD:7719-204-33}
MR# {MEDICALRECORD:44-10-29}
MR No. {MEDICALRECORD:441029}
M.R.N. {MEDICALRECORD:441029}
MRN is {MEDICALRECORD:441029}
MRN (hospital): {MEDICALRECORD:441029}
Med Rec # {MEDICALRECORD:44 10 29}
Med. Rec. No.: {MEDICALRECORD:441029}
Medical Record Number {MEDICALRECORD:0441-0293}
medical record no {MEDICALRECORD:441 029 338}
Unit # {MEDICALRECORD:U4410293}
Unit number: {MEDICALRECORD:441-02-93}
Chart # {MEDICALRECORD:441029}
Patient ID: {MEDICALRECORD:PT-0044102}
Pt. No. {MEDICALRECORD:0044102}
Hospital number {MEDICALRECORD:H44102}
Record # {MEDICALRECORD:441029}
EMPI {MEDICALRECORD:9000441029}
Account number: {ACCOUNT:4410293388}
Acct #: {ACCOUNT:V44102933}
Acct: {ACCOUNT:V44102933}
A/C {ACCOUNT:44102933}
Guarantor # {ACCOUNT:441029}
Billing account {ACCOUNT:441029338}
IBAN {ACCOUNT:DE89 3704 0044 0532 0130 00}
IBAN: {ACCOUNT:GB29NWBK60161331926819}
Routing # {ACCOUNT:011000015}
Bank account {ACCOUNT:000441029338}
Card {ACCOUNT:4000 1234 5678 9017}
Paid with Visa {ACCOUNT:4000123456789017}
Amex {ACCOUNT:3782 822463 10005}
card ending in {ACCOUNT:4320}
Visa ending {ACCOUNT:4320}
account ending in {ACCOUNT:0022}
debit card (last four {ACCOUNT:0022})
""",
    "licences": """
NPI {LICENSE:1234567893}
NPI: {LICENSE:1234567890}
DEA {LICENSE:AB1234563}
DEA# {LICENSE:BW4410297}
driver's license OR {LICENSE:8812345}
Driver's license # {LICENSE:S52-8841-093}
DL: {LICENSE:S52-8841-093}
driver license number {LICENSE:D4410293}
Drivers Lic. {LICENSE:W441-0293-3881}
state ID {LICENSE:44102938}
Medical license: {LICENSE:MD44102}
RN license {LICENSE:RN441029}
Lic# {LICENSE:G44102}
License No. {LICENSE:A-44102}
""",
    "vehicles": """
Plate {VEHICLE:4KRM220}
license plate {VEHICLE:TRB-4410}
MA plate {VEHICLE:882 QX4}
VIN: {VEHICLE:1M8GDM9AXKP042788}
VIN {VEHICLE:2HGFB2F50CH301994}
tag number {VEHICLE:TRB 4410}
""",
    "devices": """
Serial number: {DEVICE:PJN482913S}
S/N {DEVICE:44-10293}
SN: {DEVICE:AX441029}
Pacemaker model 5086, serial {DEVICE:PJN482913S}
lot {DEVICE:T44102}
Lot #: {DEVICE:B22-4410}
implant lot number {DEVICE:44102A}
UDI {DEVICE:(01)00844588003288(17)261231(10)A213B1(21)1234}
UDI: {DEVICE:(01)00844588003288(21)4410293}
Device ID {DEVICE:00844588003288}
device identifier: {DEVICE:DV-441029}
insulin pump SN {DEVICE:PM441029}
MAC {DEVICE:00:1A:2B:3C:4D:5E}
IMEI {DEVICE:490154203237518}
Lot {DEVICE:881204}
hearing aid serial no. {DEVICE:22X441029}
generator, serial #{DEVICE:GR4410293}
Implant ID {DEVICE:IMP-44102}
""",
    "biometric identifiers": """
Fingerprint ID {BIOID:FP-44102-7}
fingerprint template: {BIOID:FPT441029}
Retinal scan ID: {BIOID:RS-4410-2}
iris scan {BIOID:IR441029}
Voiceprint {BIOID:VP-44102}
voice print ID {BIOID:VP44102}
facial template {BIOID:FT-441029}
facial recognition ID: {BIOID:FR441029}
Palm vein template {BIOID:PV-44102}
genetic sample barcode {BIOID:GS-0044102}
DNA sample ID {BIOID:DNA-44102}
Biometric ID: {BIOID:BIO441029}
""",
    "pitfalls 4 and 5: social security numbers": """
SSN {SSN:987-65-4321}
SSN {SSN:900-12-3456}
SS# {SSN:219 09 9999}
SSN: {SSN:219099999}
SSN#: {SSN:219-09-9999}
Soc Sec # {SSN:219-09-9999}
Social Security number is {SSN:219-09-9999}
Social security: {SSN:219099999}
last four {SSN:1234}
last four of SSN {SSN:1234}
last 4 SSN: {SSN:1234}
last 4 digits of social security number {SSN:1234}
SSN {SSN:XXX-XX-1234}
SSN: {SSN:***-**-1234}
SSN {SSN:xxx-xx-1234}
SSN ending in {SSN:4320}
social ending in {SSN:4320}
SSN (last 4): {SSN:4320}
SSN-4: {SSN:4320}
SSN last 4 {SSN:4320}
his social is {SSN:219 09 9999}
{SSN:219-09-9999} on the card
{SSN:219–09–9999} on the card
ITIN {SSN:912-71-3456}
""",
    "pitfall 10: phones and faxes": """
call {PHONE:617-555-0142 x4410}
call {PHONE:(617) 555-0142}
call {PHONE:617.555.0142}
call {PHONE:+1 617 555 0142}
call {PHONE:555-0142}
ring {PHONE:617 555 0142}
x{PHONE:4410}
at x{PHONE:4410}
ext. {PHONE:31172}
extension {PHONE:5521}
Ext {PHONE:5521}
pager {PHONE:p12345}
pager #{PHONE:4471}
beeper {PHONE:55142}
Beeper: {PHONE:5-5142}
paged at {PHONE:31172}
Pgr {PHONE:31172}
{PHONE:1-800-555-0133}
{PHONE:1-800-555-0133 ext 22}
{PHONE:1 (800) 555-0133}
{PHONE:(617)555-0142}
{PHONE:(617) 555-0142, ext. 12}
{PHONE:(617) 555-0142 extension 12}
Tel {PHONE:617-555-0142}
Tel: {PHONE:6175550142}
cell# {PHONE:6175550142}
(H) {PHONE:617-555-0142} (W) {PHONE:617-555-0143} (C) {PHONE:617-555-0144}
H: {PHONE:617-555-0142}, C: {PHONE:617-555-0144}
{PHONE:+44 20 7946 0018}
{PHONE:+49 30 555 0142}
{PHONE:011 44 20 7946 0018}
{PHONE:617/555-0142}
{PHONE:617-555-0142}/{PHONE:0143}
{PHONE:+1-617-555-0142}
{PHONE:+1 (617) 555-0142}
{PHONE:+16175550142}
phone ending in {PHONE:0142}
cell ending in {PHONE:0142}
the number ending in {PHONE:0142}
Phone: {PHONE:555 0142}
Phone {PHONE:617 - 555 - 0142}
on-call pager {PHONE:617-555-0142}
Dr. Oduya (pager {PHONE:31172})
{PHONE:555-0142} (cell)
office {PHONE:617-555-0142}; fax {FAX:617-555-0143}
Fax results to {FAX:1-800-555-0133}
(F) {FAX:508-555-0199}
F: {FAX:508-555-0199}
P: {PHONE:508-555-0198} F: {FAX:508-555-0199}
Ph {PHONE:508-555-0198} Fx {FAX:508-555-0199}
Fax: {FAX:(508) 555-0199}
Fax number is {FAX:508-555-0199}
{FAX:508-555-0199} (fax)
{PHONE:508-555-0198} (phone), {FAX:508-555-0199} (fax)
{FAX:508-555-0199} fax
faxed to the office at {FAX:508-555-0199}
please fax the report to {FAX:508.555.0199}
phone/fax {PHONE:508-555-0199}
Tel/Fax: {PHONE:508-555-0199}
Fax {FAX:5085550199}
FAX {FAX:508 555 0199}
facsimile {FAX:+1 508 555 0199}
via fax ({FAX:508-555-0199})
""",
    "mail, web and machine addresses": """
mail {EMAIL:t.wexholm@example.org}
E-mail: {EMAIL:T_WEXHOLM+ward@MAIL.EXAMPLE.ORG}.
mailto:{EMAIL:ione@example.org}
<{EMAIL:ione@example.org}>
{EMAIL:ione.quist@clinic.example.co.uk}
{EMAIL:ione (at) example (dot) org}
{EMAIL:ione at example dot org}
portal {URL:https://portal.example.org/n/12?p=3}
see {URL:www.example.org/visit}
{URL:chart.example.com}
{URL:http://192.0.2.14/viewer}
{URL:ione-quist.example.net/blog}
from {IPADDR:192.0.2.41}
IP {IPADDR:2001:db8::7a}
IP address: {IPADDR:198.51.100.23}:8080
""",
    "whole sentences": """
ADMISSION DATE: {DATE:04/17/2024}  DISCHARGE DATE: {DATE:04/22/2024}  LOS: 5 days
Pt last seen {DATE:1/9/24} by PCP; labs from {DATE:2/1} show Cr 1.4, K 5.1, WBC 9/10 of baseline.
This is an {AGE:83}-year-old right-handed woman who fell on {DATE:Sunday}, {DATE:June 2}, and struck her head.
Contact: daughter at {PHONE:(413) 555-0117} (cell) or {PHONE:413-555-0118} (work).
Please fax records to our office at {FAX:(413) 555-0121} by {DATE:Friday}.
Insurance: BlueCross PPO, Member ID {HEALTHPLAN:ZGP881204417}, Group {HEALTHPLAN:0091877}.
MRN: {MEDICALRECORD:3008812}   Acct: {ACCOUNT:90017734512}   DOB: {DATE:7/22/1941}   Age/Sex: {AGE:82}/F
Pacemaker interrogated {DATE:3/3}: Model L331, Serial {DEVICE:871204}, battery 7.5 years.
Received Pfizer vaccine lot {DEVICE:EW0173} on {DATE:4/9/21} and {DATE:4/30/21}.
His mother died of colon cancer at {AGE:58}, his father is {AGE:91} and well, brother {AGE:63} with CAD.
Accession: {IDNUM:MG-24-008812}   Collected: {DATE:2024-05-01} 08:30   Reported: {DATE:2024-05-03} 16:02
A1c 7.8 ({DATE:5/23}), 8.4 ({DATE:11/22}), LDL 88.
ROM: flexion 0-120, extension 0. Strength 4/5 hip flexors, 5/5 otherwise. Pain 6/10 at rest, 9/10 with activity.
Took Percocet 5/325 x 2 tabs, then 1/2 tab of Ativan; HR 80s-90s, BP 142/88, sats 96% on 2 L.
Surgical pathology: Gleason 3+4, 5/12 cores positive, max 60%. PSA 6.2 in {DATE:Feb 2023}.
Seen in ED {DATE:8/12} for same; discharged on {DATE:8/13} w/ rx for Keflex.
Started smoking at age {AGE:15}, quit {DATE:2011}. 40 pack-years.
Pager {PHONE:88231} for questions overnight. After 5 pm call x{PHONE:56612}.
Verified with patient: SSN ending {SSN:7781}, DOB {DATE:Oct 9 1958}.
Driver's license MA {LICENSE:S88123409} scanned at registration.
Car (Subaru, MA plate {VEHICLE:7TR 884}) towed from scene; claim # {IDNUM:0532881-07}.
Enrolled in the ACE study, subject {IDNUM:ACE-0118} , consent signed {DATE:12 March 2024}.
Prescriber DEA {LICENSE:FM1234563}, NPI {LICENSE:1093817465}.
Portal message {DATE:03/28/2024} 9:14 PM from {EMAIL:gwen.t@mail.example.org}: "refill please"
EGD {DATE:2017} mild gastritis. Colonoscopy {DATE:2019} - 3 polyps. Next due {DATE:2024}.
POD#2 s/p lap chole. Tm 100.4, HR 92, I/O 1800/1450. JP 45 cc. Plan d/c {DATE:Tues}.
Infant now {AGE:9} days old, BW 3120 g, Apgars 8 and 9, bili 12.3 on {DATE:6/4}.
Twins, {AGE:4}, attend preschool; eldest son is {AGE:13}.
He immigrated in the {DATE:spring of 1996}; PPD + in {DATE:'97}, INH x 9 mo.
Vitals {DATE:7/10}: T 98.9 P 77 R 16.
F/u w/ Dr. in 2-3 wks; repeat MRI in 6/12 if sx persist.
Home O2 2-3 L, PFTs FEV1 1.2 (48%), DLCO 55%. 6MWT 1100 ft.
Hx: L4-5 fusion {DATE:1/2008}, C5-6 ACDF {DATE:11/2015}, R TKA {DATE:2018}.
Chemo: C1 {DATE:2/14}, C2 {DATE:3/7}, C3 {DATE:3/28}; neulasta each.
Interpreter ID {IDNUM:40218} used throughout. Consent form #{IDNUM:7712}.
Lab: WBC 10.4, Hgb 11/33, plt 150/160, INR 2/3 goal.
Visual acuity 20/30 OD 20/200 OS. IOP 14/16.
QuantiFERON neg {DATE:10/20/23}. HBsAg neg. Td {DATE:5/09}.
Call EMS 911. Poison control {PHONE:1-800-555-0122}. Suicide line 988.
Wife ({PHONE:555-0139}) says he was found at 0630, last normal 2200 {DATE:Thursday}.
Emergency contact: neighbor, tel {PHONE:(509)555-0177}; alt {PHONE:509.555.0178 ext. 3}
Specimen barcode {IDNUM:4410998812}, tube 2 of 3, drawn 14:05.
HIC number {HEALTHPLAN:412887710A}; secondary Medigap policy {HEALTHPLAN:88K-22910}.
EKG {DATE:9/30}: NSR 72. Troponin 0.02 -> 0.04 -> 0.03. TIMI 2/7.
Dictated {DATE:05/06/2024} 10:12, transcribed {DATE:05/07/2024}, job {IDNUM:339182}
IP of device {IPADDR:203.0.113.88}, MAC {DEVICE:3C:52:82:AA:10:0F}
Discharge on the {DATE:9th}? She hopes to be home for {DATE:Easter}.
Patient is in her mid {AGE:60s}, appears stated age. MMSE 26/30, clock 3/3.
See also note of {DATE:1/30} and addendum {DATE:2/1}; prior notes {DATE:12/28}-{DATE:12/30}.
Retinal photo on file. Fingerprint enrollment no. {BIOID:BX-201177}.
Right hip implant: Ref 6260-9-236, Lot {DEVICE:KMPX31}, S/N {DEVICE:0099182}.
Room 4/5 beds full; 3/4 of meal; walked 150 ft x 2; 2/2 pneumonia; w/u neg.
Allergic to sulfa since {DATE:1994}; rash {DATE:8/3} resolved {DATE:8/7}.
{DATE:11/5} 0800 - resting comfortably.⏎{DATE:11/5} 1200 - c/o pain 5/10, given 2 tabs.
Payment by Visa ending {ACCOUNT:8812}, receipt {IDNUM:0098231}.
A {AGE:76} y.o. G4P3 female, LMP age {AGE:52}, presents with PMB since early {DATE:May}.
Tylenol 650 q6h, Zosyn 3.375 g q8h, MgSO4 2 g; ICD-10 J44.1, CPT 99214; room temp 68 F.
EDD by LMP {DATE:9/14/24}, by 8w2d US {DATE:9/17/24}. GBS neg. 1h GTT 128.
Confirmed identity: name and last 4 of social, {SSN:3391}.
Called son {DATE:7/4} ({PHONE:603 555 0165}); left VM x2, paged on-call #{PHONE:4482}.
HISTORY: {AGE:54} year-old male, ref'd {DATE:5-2-2023} for OSA eval. Epworth 14/24, STOP-BANG 5/8, neck 17 in.
NAME: ___   MRN: {MEDICALRECORD:HN-448120}   VISIT #: {IDNUM:88412009}   DATE: {DATE:19-Nov-2022}
Nursing 0700-1900: pt rates pain 3/10, denies SOB, foley 450 mL, 2/2 drains intact.
Delivered {DATE:10/2/22} at 39w1d, SVD, 2nd degree lac; infant M, 3400 g, APGAR 9/9.
Last Pap {DATE:3/2020} NILM, HPV neg. Mammo {DATE:12/2021} BIRADS 2/2.
Home phone {PHONE:(860) 555-0160}, cell {PHONE:860 555 0161}, husband's cell ends in {PHONE:0162}.
Her sister, {AGE:47}, had breast ca at {AGE:39}; maternal aunt dx'd at {AGE:52}.
Ortho clinic {DATE:Mon} or {DATE:Tues} next week; pt prefers am.
Hx of TB exposure {DATE:1989} in Manila; CXR {DATE:1/12/2022} neg.
SW note: SSDI claim {IDNUM:7712-88-01}, case mgr paged {PHONE:55120}, Medicaid ID {HEALTHPLAN:MD88120443} active.
Cath lab {DATE:6/30/2022}: LAD 70%, EF 40-45%, LVEDP 18, AO 132/70, PA 34/14.
VIN {VEHICLE:1HGCM82633A004352}; ins. policy {HEALTHPLAN:PX-7741-0092}; police report #{IDNUM:22-118820}
LVAD controller SN {DEVICE:HSC-104431}, driveline clean. LDH 220.
He was incarcerated from {DATE:2003} to {DATE:2009}, inmate # {IDNUM:A88120}.
Labs {DATE:1/3}, {DATE:1/4}, and {DATE:1/5} unchanged.
Vanc trough {DATE:4/3}: 17.2; {DATE:4/5}: 14.8.
T: {DATE:11/03/22} 22:10  D: {DATE:11/03/22} 21:55   J: {IDNUM:4418820}
Please call back on {PHONE:1.860.555.0170} or fax {FAX:1.860.555.0171}, attn: records.
Weight 3/3 lb loss. Ranson 1/11 on adm. 5/6 SIRS; CURB-65 2/5. ASA III/VI.
Sutures out {DATE:8/1}. RTC {DATE:8/15}. Cast removal {DATE:9/12}.
Since {DATE:Labor Day} she has been sober; relapse {DATE:July 4th} weekend.
PICC placed {DATE:2/9} by IR (lot # {DEVICE:REGN0912}), tip at cavoatrial junction.
Donor ID {IDNUM:AFK2204}; recipient CMV neg. UNOS ID {IDNUM:AFKB220}.
Member no. {HEALTHPLAN:JQU 88120 0417}, Rx group {HEALTHPLAN:RX8812}
Birthday {DATE:12/01}; turns {AGE:18} in {DATE:December}.
On {DATE:7/19} at 14:20 pt eloped; security badge {IDNUM:4417} notified ext {PHONE:7000}.
Ms. ___ is a [**Age over 90**] yo admitted [**2150-3-4**] with ___.
Dialysis TTS, last HD {DATE:Thurs} {DATE:5/5}, dry wt 71 kg, next {DATE:Sat}.
{DATE:3 Feb 21}: Hgb 9.1. {DATE:5 Feb 21}: Hgb 8.7. Transfused 2 u.
Passport: {IDNUM:C03312884}; visa expires {DATE:08/31/2025}.
Email {EMAIL:jt.okafor88@example.com} or text {PHONE:8605550180}.
SSN# {SSN:512 88 0417} / {SSN:XXX-XX-0417} on wristband.
He is a {AGE:67}yo RHM, ETOH 6/7 days, tob 1.5 ppd x 40 yrs.
MRI {DATE:9/6} vs {DATE:3/8}: lesion 2.1 x 1.4 cm (prev 2.3/1.6).
3+/4 edema, pulses 1/4 DP bilat, cap refill 3 s, ABI 0.7/0.9.
Age at menarche {AGE:13}; G2P2; menopause {AGE:50}. DEXA {DATE:2019} T -2.6.
Bone marrow bx {DATE:Jan 2022} 12% blasts; BMT {DATE:Aug 2022}, day +100 = {DATE:11/25/22}.
Tele-visit via https link {URL:https://visit.example.org/r/8812}. Patient at home.
Ordered by NPI {LICENSE:1881204417}, CLIA # {LICENSE:45D2088120}.
Wound care q MWF; dressing changed 3/7 days this week.
Dob {DATE:2/3/04}. {AGE:17} yo F. LMP {DATE:3/1}. HCG neg.
Employee health: badge #{IDNUM:118820}, TB skin test placed {DATE:9/8} read {DATE:9/10}.
Cardiology (Dr. ___, p. {PHONE:860-555-0177}) f/u in 2-4 wks.
Med list as of {DATE:February 8}: ASA 81, Lipitor 40/80 alternating, B12 1000 mcg.
Rec'd 3/4 doses of HepB; PCV13 {DATE:2016}, PPSV23 {DATE:2017}.
Spouse deceased {DATE:2018}. Retired {DATE:2010}. Lives w/ son (age {AGE:41}).
Discharge Rx# {IDNUM:6620417}, qty 30, refills 2/3 used.
Brought in by EMS run # {IDNUM:22-0088120}, GCS 3/15 on scene, 7/15 on arrival.
Tissue lot {DEVICE:AM22-0417-003}, exp {DATE:2024-08-31}. Implant log # {IDNUM:8812}.
Echo from OSH (late {DATE:2021}) EF 30-35%; ours today 45%.
Facial scan template ID {BIOID:FACE-88120417}; consent on file.
Lives at home. Uses walker. BMI 27.4. PHQ-2 1/6, AUDIT-C 3/12.
Bank routing {ACCOUNT:021000089}, checking acct {ACCOUNT:5512088120}.
Teeth 3, 14, 19/20 tender; perio 4/5 mm.
Seizure {DATE:12/31/2021}, again {DATE:NYE 2022}. Keppra 750/1000.
{DATE:Sept 2-5} admit for CHF; {DATE:9/20} clinic wt 84.1.
Patient ID band {MEDICALRECORD:0088120417} scanned; blood unit {IDNUM:W0441 22 118820}.
{AGE:19}mo F brought by mother ({AGE:22}).
Results faxed {DATE:3/9} to {FAX:860-555-0199}, confirm #{IDNUM:88120}.
Consult requested {DATE:3/30/2023}. {AGE:68} y/o retired teacher w/ COPD (FEV1 38%), CHF, DM2.
Patient Name: ___  MRN: {MEDICALRECORD:77120034}  CSN: {IDNUM:441200983}  Date of Service: {DATE:06/11/2023}
Pt's father had an MI at age {AGE:48} and died at {AGE:55}; mother alive at {AGE:90} with dementia.
Last tetanus shot was in {DATE:2015}. Shingrix #1 {DATE:4/22}, #2 {DATE:7/19}.
Reached pt by phone ({PHONE:207-555-0166}) on {DATE:Wednesday} at 4:15pm, she will call back.
If you have questions, call {PHONE:(207) 555-0170}, option 2, or fax {FAX:(207) 555-0172}.
BP 138/82, HR 76, RR 18, SpO2 94% RA, Temp 98.2F, Wt 188 lb, BMI 29.1, pain 2/10.
Reviewed imaging: CT {DATE:5/14/23} 6 mm LLL nodule; prior {DATE:11/2/22} 4 mm.
Motor: R 5/5, L 4-/5 deltoid; DTR 2+/4; sensation 8/10 monofilament.
HCTZ 12.5, atenolol 25/50, ASA 81, insulin 70/30 24/18 units.
Discharge instructions: no lifting >10 lb x 6 wk, return the {DATE:3rd of May}, or sooner.
Allergy testing {DATE:Jan-Feb 2020} negative. Nasal steroids since.
Admitted from {DATE:8/30/21} through {DATE:9/4/21} with DKA; ICU x 2 d.
Insurance card: BCBS ID# {HEALTHPLAN:R58120044}, Group# {HEALTHPLAN:77-1200}.
Pathology {IDNUM:SP-23-07712} (signed {DATE:6/20/23}): tubular adenoma, 2/5 polyps.
Medical device: ICD Model D120, serial no. {DEVICE:120034A}, implanted {DATE:10/2019}.
The patient's SSN is {SSN:044-12-0034}.
Driver license no: {LICENSE:7712003}, state ME. Vehicle plate # {VEHICLE:4412 XK}.
HD#3, abx day 4/7. Cx {DATE:6/12} GNR 2/2 bottles, {DATE:6/13} NGTD.
She turned {AGE:70} last month; her grandson Ilya ({AGE:5}) lives with her.
Telephone encounter {DATE:02/14/23} 3:41 PM; callback # {PHONE:2075550181}.
Email sent to {EMAIL:v.harrow@example.net}; portal login {URL:https://mychart.example.org/login}.
Employer ID badge {IDNUM:A7712}, work injury claim number {IDNUM:WC2023-7712}, DOI {DATE:1/17/23}.
IP logged: {IPADDR:198.51.100.7} at {DATE:2023/06/11} 08:00.
A {AGE:29}F G1P0 at 32w4d by LMP {DATE:10/28/22}, EDD {DATE:8/4/23}.
Neonate {AGE:3}-day-old male, DOL 3, TcB 9.8, wt down 7%.
Neuro exam: EOMI, CN 2-12 intact, FNF nl, Romberg neg, gait 25 ft in 6/7 s.
Mr. ___'s account ({ACCOUNT:HB77120034}) has a balance of $1,204.50.
Rx {IDNUM:7120034} refilled {DATE:5/1}, next refill {DATE:5/31}.
Fell in {DATE:October}, fractured wrist; cast off before {DATE:Christmas}.
Screening: PHQ-9 = 11/27, GAD-7 = 9/21, AUDIT 3/40, MoCA 24/30.
Referred for genetic counseling; sample # {IDNUM:G-77120}, kit {IDNUM:K120034}.
ED course: arrived 14:20, seen 14:55, labs 15:10, d/c 18:30. ESI 3/5.
Prior surgeries: appy {DATE:1974}; L inguinal hernia {DATE:1988}; CABG x3 {DATE:3/2011}.
Pt states "I quit in {DATE:'09}". Drinks 2/wk. Denies IVDU.
Medicare # {HEALTHPLAN:3FG7-HN8-PQ21}; supplemental AARP {HEALTHPLAN:771200341-1}.
TTE {DATE:1/6/23}: LVEF 60%, E/A 0.8, E/e' 9, RVSP 32, AV 1.2 m/s.
O2 requirement 2->3->4 L over 3/4 nights. CPAP 8/12 h.
{DATE:06/11/23} 0730 T 37.1 P 88 BP 110/70⏎{DATE:06/11/23} 1130 T 37.4 P 92 BP 104/66
Next appt: {DATE:Thu} {DATE:6/15} 10:40. Labs same day.
Her sons ({AGE:14}, {AGE:11}) are with their grandmother, {AGE:66}.
US DOT medical cert # {LICENSE:MC771200}; CDL {LICENSE:H7712003}.
Voice print enrolled ({BIOID:VPR-7712003}); call center verified caller.
Steri-strips 1/2 inch, sutures 3-0 x 6, 4x4 gauze, size 7 1/2 gloves.
Pt is s/p 3/4 cycles FOLFOX (last {DATE:5/30}), C4 due {DATE:6/13}.
Paged neurology at {PHONE:7-4412}; NSGY consult this {DATE:Friday}.
Wife's cell: {PHONE:207.555.0193}; home: {PHONE:207.555.0194}; her work ext is {PHONE:4412}.
Quit tobacco {DATE:1/1/2000}, 20 pk-yr. EtOH 6/wk.
Patient has not been seen since {DATE:Nov 2021}; lost to f/u during {DATE:2020}-{DATE:2021}.
Weight trend: {DATE:4/1} 181, {DATE:5/1} 179, {DATE:6/1} 176.
Left TKA ({DATE:5/9/16}), R THA ({DATE:'19}), C-spine fusion C4/5 ({DATE:2012}).
Coumadin 5/7.5 alternating, INR 2.4 ({DATE:6/9}), goal 2/3.
Ophtho: C/D 0.4/0.5, IOP 17/18, VA 20/25-1, +2.50 readers.
She is in her {AGE:80s}; he's {AGE:81}. Married {DATE:6/18/66}.
Nurse line {PHONE:1-888-555-0140} 24/7; crisis text 741741.
Study drug kit #{IDNUM:10442}, subject {IDNUM:031-0044}, visit 3, cycle 2 day 1.
Received 2/3 Hep B. Td {DATE:2014}. PPD {DATE:6/2} (read {DATE:6/4}) 0 mm.
Ventric rate 92, PR 160, QRS 88, QT/QTc 380/440, axis 45/30/60.
Mother {AGE:31}, FOB {AGE:33}, sibs {AGE:6} and {AGE:2}; no consanguinity.
Transfer from OSH {DATE:6/10} 23:45, accepting MD paged x{PHONE:44120}.
Pt is a {AGE:59} yo AAM with ESRD on HD (MWF) who missed HD {DATE:5/12} and {DATE:5/14}.
CC: "my knee gave out last {DATE:Saturday}". Onset {DATE:6/22}, PMH: see {DATE:4/30/22} H&P.
MRN {MEDICALRECORD:1182-774} | DOB {DATE:11.04.1939} | Enc. date {DATE:22 Jun 2022}
Colonoscopy up to date ({DATE:2/18}). Mammogram {DATE:10/21/2021}: BIRADS 1.
Please return call to {PHONE:802-555-0164}, ask for Oncology RN, or page {PHONE:66120}.
K 3.2 -> 3.9; Mg 1.7; phos 2/3 dose given; UOP 1100/24h; net -1.2 L.
Patient's driver license (VT {LICENSE:77120488}) and insurance card (Cigna {HEALTHPLAN:U8812004401}) copied.
Sister dx breast CA age {AGE:44}. Father MI {AGE:61}. Son, {AGE:8}, asthma.
Immunizations: Tdap {DATE:8/2014}, flu {DATE:10/3/2021}, Covid x3 (last {DATE:12/9/21}).
Allergies updated {DATE:20220622}. Verified by RN badge #{IDNUM:77120}.
Appointment {DATE:Monday}, {DATE:July 11, 2022} at 8:15. Parking lot B level 3.
Pump: Medtronic 670G, S/N {DEVICE:NG1182774H}. Basal 1.2 u/h; I:C 1/10; ISF 1/45.
L knee MRI {DATE:7/1}: medial meniscus tear; R knee XR {DATE:6/30} neg; 4/5 quad strength; ROM 5-120.
Faxed to PCP ({FAX:802-555-0188}) on {DATE:7/2}. Confirmed receipt {DATE:7/3}.
SSN on file ends in {SSN:1182}; phone on file ends in {PHONE:0164}.
ABG 7.32/58/71 on 2 L. Vent: AC 14/450/5/40%. Plateau 22. RSBI 88.
Hosp course: {DATE:6/22} admitted; {DATE:6/23} I&D; {DATE:6/25} PICC; {DATE:6/27} d/c home.
Claim {IDNUM:CIG-2022-77120} approved {DATE:7/8}; reference number {IDNUM:88120-4}.
Contact info: h {PHONE:(802) 555-0164}, c {PHONE:(802) 555-0165}, email {EMAIL:dray@example.org}.
OB: LMP {DATE:3/9}, G3P1011, EGA 15+2, FHT 150, EDD {DATE:12/14/22}. Partner {AGE:33}, healthy.
Memory: 1/3 recall, serial 7s 2/5, clock 2/4. MMSE 19/30.
Old records from {DATE:1998}-{DATE:2003} reviewed. Last EGD {DATE:3/17/2019}; H. pylori treated {DATE:2005}.
She will be {AGE:90} in {DATE:August}; sister died at {AGE:94}.
Account # {ACCOUNT:6601182774}; FIN {IDNUM:22173774}; Pathology no. {IDNUM:S22-04418}.
Signed electronically {DATE:07/02/2022} 16:44 EDT. Cosign pending.
Walks 1/2 mile, climbs 2/3 flights, eats 3/4 of meals, naps 1-2 h. ECOG 1/4. KPS 80.
Fall {DATE:Christmas Day}, stitches out {DATE:1/4}; worse since {DATE:New Year's}.
Implant card: hip stem lot {DEVICE:8H2211}, cup lot {DEVICE:77K120}, exp {DATE:2026-11}.
ER {DATE:4/10} for chest pain 7/10, neg trop, stress {DATE:4/12} neg.
In {DATE:'16} he had a CVA; in {DATE:May of '18}, a TIA. BPs at home 130s-140s/80s.
""",
    "ages in lists, brackets and words": """
Two children (Malia, {AGE:12}, and Bram, {AGE:15}).
Kids: Ana ({AGE:7}), Leo ({AGE:4} mo), all well.
Lives with husband Bram Quist ({AGE:35}, nail technician).
FOB Will Quist healthy, {AGE:23}, miner.
Baby brother Leo, {AGE:3} months.
Your grandmother, Ione, lived to {AGE:95}.
Uncle Bram died suddenly⏎at {AGE:41} of an aneurysm.
Dad MI @{AGE:52}, sib healthy {AGE:31}.
You are {AGE:40}. I'm {AGE:38}.
DOB/Age: {DATE:11/20/83} ({AGE:34})   Sex: F
Bram Quist | {AGE:49} F | {DATE:21-APR-73} |
Sister had endometrial ca at {AGE:forty-eight}; father died at {AGE:sixty}.
She is {AGE:ninety-two}, her mother turned {AGE:seventy} in spring.
Pt {AGE:67}F, ESRD. Age {AGE:3}w.
""",
    "years beside events, wrapped dates": """
OBHx: {DATE:2014} SVD girl. {DATE:2015} SAB, D&C.
Prior GA {DATE:2011}, no complications. Tetanus {DATE:2013}.
Emigrated {DATE:2002}; moved {DATE:2011}.
Aneurysm repaired in⏎{DATE:2019} without trouble.
Army {DATE:1968-72}. Colonoscopy: {DATE:2016}, repeat {DATE:2026}.
Attacks in {DATE:2014}, {DATE:2016}, and {DATE:2019}.
Kt/V 1.42 ({DATE:May}). Flu shot ({DATE:December}).
RTC {DATE:May}⏎Recheck {DATE:Aug}.
Trip {DATE:Apr}-{DATE:May}; clinic ({DATE:June}/{DATE:July}).
{DATE:February 18}-{DATE:April 29}: six cycles.
Died on {DATE:March⏎5, 2031} at home; seen {DATE:June 3,⏎2030}, in {DATE:July⏎2029}.
Last PO {DATE:Wed} 2200; daughter in ({DATE:Sat}).
2.5 mg other days ({DATE:6/23} PM).
1 VT episode {DATE:8/6} at 188 bpm.
Enrolled on adjuvant trial {DATE:6/3}. Missed Lasix {DATE:11/10}.
Chemo {DATE:1/23}, {DATE:2/6}, {DATE:2/20}.
TKA (Dr. Folake Quist, {DATE:2/5}), family mtg {DATE:4/10} @ 1400.
Resulted {DATE:20310704}T0810; DOB {DATE:031448}
""",
    "numbers by their place": """
Proband, DOB {DATE:7.23.82}, {MEDICALRECORD:1637221}
Chart {MEDICALRECORD:778545}, chart {MEDICALRECORD:635-86-175}
MRN........ {MEDICALRECORD:0441029}; MR: {MEDICALRECORD:0044102}
MRN⏎{MEDICALRECORD:00441029}
Ins: Quillany Health Plan {HEALTHPLAN:XQH357106388} grp {HEALTHPLAN:35622-32}
Wexholm Peak HMO was billed (ID {HEALTHPLAN:PMH 701 770262}).
Member # {HEALTHPLAN:XQH 248 183260}, group⏎{HEALTHPLAN:HE9666}
Research participant⏎no. {IDNUM:177-4287}; referral #⏎{IDNUM:632021292}
SPEC ID  {IDNUM:BX-715200}, research ID {IDNUM:WKP-006}
Kit {IDNUM:6759:NF98830}; case ref. {IDNUM:CLM56583172}
EMT-P (cert {LICENSE:920480})
Sleeping in car ({VEHICLE:730-TFR}, registered to a friend).
Impounded car (plate⏎{VEHICLE:6WHG80}).
Telemonitor {DEVICE:XM-62763-W} synced.
Telemonitor {DEVICE:34012537} synced.
ID CONFIRMED BY FINGERPRINT {BIOID:2586-HSYE-64}
palm vein scan, template no. {BIOID:B17243}
Voiceprint {BIOID:4213-GCEV-41}, iris template {BIOID:1499-HUTB-42}
NPI {LICENSE:1138809428}  ext {PHONE:5126}
paged Quist ({PHONE:2174}), night float, #{PHONE:7-1101}
Dial {PHONE:4-1234}; Vocera {PHONE:55121}; x{PHONE:7-4410}
pager {PHONE:4702}   office {PHONE:1199}
Dr. Wise office ({PHONE:2075550119 x 3244})
Husband Grant ({PHONE:2075550142}); know to call {PHONE:207⏎555 0144} or {PHONE:207-555-⏎0145}
""",
    "login names": """
(electronic signature {USERNAME:aq386})
Electronically signed: {USERNAME:rosalind.wexholm}  {DATE:Jul 31, 2031}
Signed by {USERNAME:SHIMIZJ} {DATE:08-JAN-31}
E-signed {USERNAME:xp832} from {IPADDR:192.0.2.89}
Last edited by {USERNAME:qfigueiredo}
Cannot log in, username {USERNAME:MENSAHA}.
0049 RB {USERNAME:LEGGA}⏎TECH {USERNAME:BEGAYN}   VERIFIED
COLL {DATE:04/12/2031} 15:18 BY {USERNAME:friver68}    RECD
RN: Ione / user {USERNAME:DOSSANS}
ext {PHONE:5126}  {USERNAME:docampo}
Seen and examined.⏎{USERNAME:mfeath17}
Forms go to the desk.⏎{USERNAME:TOLLIVS}
{USERNAME:qw162} at {DATE:5/18/31} 9:05
""",
    "short forms, columns and bare labels": """
ID: {AGE:62} M, smoker
HPI: Mr. Bell is {AGE:66}, lives alone, and uses a cane.
Quentin Farr, {AGE:58}, was brought in by EMS.
Bystander Lou Marsh, {AGE:34}, started CPR.
Thanks for seeing Dora, {AGE:29}, with palpitations.
Sex: Female  DOB: {DATE:1/2/1960}  {AGE:64} yrs
{DATE:03/04/1950} ({AGE:74} yrs) F
DOL 3, {AGE:2} do male
Well child visit, {AGE:4} years
{AGE:6} year well child check
first seizure at {AGE:22}
MGM breast ca {AGE:62}, MGF CAD {AGE:58}
Two brothers, {AGE:45} and {AGE:48}, healthy
3 children: {AGE:12}, {AGE:9}, {AGE:4}
| Mother | {AGE:67} | HTN |
| Father | {AGE:71} | MI |
Mother    {AGE:67}    HTN
early {AGE:60s} gentleman
{AGE:55} M w PMH of
{AGE:7} y 3 mo male
Admitted {DATE:3-1}, d/c {DATE:3-9}.
DOS {DATE:3-14}
{DATE:3-14}: afebrile. {DATE:3-15}: extubated.
Seen {DATE:6-12} in clinic
F/u appt {DATE:10-4} at 9
Adm {DATE:12-30} for PNA
LMP {DATE:2-3}, EDD {DATE:11-10}
{DATE:Mon} {DATE:3-14}
{DATE:Tues} the {DATE:5th}
on {DATE:Monday} the {DATE:12th}
{DATE:Thu}. Will recheck
dc'd {DATE:Fri}. Stable since.
HD {DATE:Tue}-{DATE:Thu}-{DATE:Sat}
{DATE:Sat} {DATE:6 May} 10:00
{DATE:Winter 2020-21}
{DATE:6/5/'24}
{DATE:6/5} WBC 11, {DATE:6/6} WBC 9
{DATE:6/5} | 7.2 | 12
| {DATE:6/5} | 7.2 |
{DATE:6/5}   148/80   72
{DATE:6/5}  WBC 12.1  Hgb 10.2
EF 55% {DATE:2019}
PPD neg {DATE:2016}
HIV neg {DATE:2019}
Mammogram neg {DATE:2022}
Stent to RCA {DATE:2015}
Quit smoking {DATE:1998}
{DATE:2016}: CVA
{DATE:2016} - CVA
{DATE:2016}   CVA, L MCA
GBS neg {DATE:5/5}.
UCx neg {DATE:5/6}.
MRSA swab neg {DATE:6/4}
COVID + {DATE:6/4}
COVID pos {DATE:6/4}
Flu A positive {DATE:1/6}
R IJ {DATE:6/4}
PT eval {DATE:6/4}
Last BM {DATE:6/4}
Last seen by me {DATE:6/4}
Discussed w/ family {DATE:6/4}
{DATE:June} visit
had shingles {DATE:May}.
seen {DATE:Jan}, {DATE:Apr} and {DATE:Jul}
DOI: {DATE:6/4}
DOA {DATE:6/4}
RTC {DATE:6/4}
RTW {DATE:6/4}
Left VM {DATE:6/4}
LVM {DATE:6/4}
TSH {DATE:6/4}: 2.1
{DATE:6/4} TSH 2.1
Cataract sx OS {DATE:2019}, OD {DATE:2020}
Nephrectomy R {DATE:2008}
ser {DEVICE:PJN8801427}
RV lead ({DEVICE:PJN8801427})
Dexcom transmitter {DEVICE:8KH3GT}
Hearing aids: R {DEVICE:18H92K441}, L {DEVICE:18H92K442}
Oxygen concentrator #{DEVICE:OC-44129}
Enc: {IDNUM:100441209}
PA# {IDNUM:441209}
IRB {IDNUM:24-0441}
IRB# {IDNUM:2024P000441}
Case {IDNUM:2024-ME-0441}
PCR {IDNUM:24-044120}
Badge {IDNUM:4412}
Unit # {IDNUM:W0441 24 412091}
Slide {IDNUM:S24-11882-A1}
Block {IDNUM:S24-11882-A1}
Cassette {IDNUM:S24-11882 A1}
Film {IDNUM:441209}
CT ({IDNUM:24-CT-44120}): no bleed
MRI ({IDNUM:RAD4412091}) reviewed
batch {IDNUM:44120918}
form {IDNUM:441209182}
chain of custody {IDNUM:COC-4412091}
registry {IDNUM:RG-4412}
Trial {IDNUM:4412-AB}
Interpreter {IDNUM:441209}
Nurse ID {IDNUM:44120}
Provider ID {IDNUM:44120}
EMS run {IDNUM:24-044120}
Cause no. {IDNUM:24-PR-0441}
MR {MEDICALRECORD:44-12-09}
Chart # {MEDICALRECORD:44 1209}
Chart no {MEDICALRECORD:44.12.09}
Chart {MEDICALRECORD:4412 0918}
(p {PHONE:4-4120})
Dr. Bell, x{PHONE:412}
{PHONE:207-555-0141}-home
phone {PHONE:5550141}
not {PHONE:2075550141}
tag {VEHICLE:ABC 1234}
ambulance {VEHICLE:HE34572}
Fingerprint card {BIOID:FP-24-0441}
thumbprint card {BIOID:44120-K}
pt {AGE:67} f c/o cp
Hettie Bell ({AGE:67}) fell
412A  Bell, Hettie  {AGE:67} F  CHF
Siblings: brother {AGE:12}, sister {AGE:9}
started smoking at {AGE:15}
Began drinking at {AGE:16}
she'll be {AGE:70} in {DATE:May}
{AGE:70}th birthday
celebrated her {AGE:90}th birthday
HOSPITAL DAY 3 ({DATE:1/6})
POD 2 - {DATE:1/6}
{DATE:2024JAN06}
{DATE:1/6}, {DATE:1/9}, and {DATE:1/12}
{DATE:1/6} + {DATE:1/9}
{DATE:1/6} → {DATE:1/9}
{DATE:2019}-present
{DATE:Q1 2024}
this past {DATE:March}
{DATE:Tuesdays} and {DATE:Thursdays}
{DATE:Sun}/{DATE:Mon}
Date      WBC   Hgb⏎{DATE:1/6}       7.2   12.0⏎{DATE:1/7}       8.1   11.8
          {DATE:1/6}    {DATE:1/7}    {DATE:1/8}⏎WBC       7.2    8.1    9.0
Labs     {DATE:1/6}   {DATE:1/7}⏎Na  140  138
Cr 1.2 {DATE:1/6}, 1.4 {DATE:1/7}
Cr 1.2 ({DATE:1/6}) -> 1.4 ({DATE:1/7})
MRSA {DATE:1/6}: neg
Sputum {DATE:1/6} MSSA
CSF {DATE:1/6} clear
CT A/P {DATE:1/6}: no abscess
CT head {DATE:1/6} neg
MRI L-spine {DATE:1/6} w/ L4-5 disc
US RUQ {DATE:1/6} stones
s/p lap chole {DATE:1/6}
s/p R TKA {DATE:1/6}
s/p ORIF {DATE:1/6}
s/p 2u PRBC {DATE:1/6}
CTX {DATE:1/6}-
CTX ({DATE:1/6}- )
NPO after midnight {DATE:1/8}
Auth {DATE:1/6}-{DATE:1/12}
IMM {DATE:1/8}
spoke w/ wife {DATE:1/8}
message left {DATE:1/8}
PT {DATE:1/8}: 100 ft
OT {DATE:1/8}: min A
SLP {DATE:1/8}: dysphagia 2
Wound care {DATE:1/8}
wound vac change {DATE:1/8}
last used {DATE:1/6}
last drink {DATE:1/6}
w/e {DATE:1/6}
Age {AGE:77}y   Sex M
This is an {AGE:86} year-old female
{AGE:55} yM
Ingrid Halvorsen - {AGE:83}F - bed 2
{DATE:Mar 5}
{DATE:JUN 05, 2024}
Wt {DATE:6/1} 80 kg
L TKA {DATE:2012}, R TKA {DATE:2014}
Class of {DATE:1962}
PICC {DATE:6/4}
Due {DATE:June}
Injury date {DATE:6/4/24}
SN {DEVICE:4420-9981}
Lot #{DEVICE:3F9K2}
Valve 23 mm S3 s/n {DEVICE:8812044}
Order # {IDNUM:441209182}
Claim {IDNUM:WC44120918}
Script # {IDNUM:4412091}
Dictation ID {IDNUM:4412091}
Student ID {IDNUM:S0441209}
Interpreter #{IDNUM:44120}
MR No. {MEDICALRECORD:44120918}
(MRN {MEDICALRECORD:44120918})
Billing # {ACCOUNT:4412091}
c: {PHONE:207-555-0141}
{PHONE:207-555-0141} (home)
Subscriber ID: {HEALTHPLAN:XYP441209182}
Lic # {LICENSE:MD44120}
see {URL:www.example.org}
DISCHARGE SUMMARY  ADMITTED: {DATE:JAN 4, 2024}  DISCHARGED: {DATE:JAN 9, 2024}
{AGE:67} y.o.f.
#412 - Bell - {AGE:67}M - CHF
Menopause {AGE:51}
GA 38w, now {AGE:5} days old
{DATE:1/6} 0715: pt resting
MI ({DATE:'19})
Resulted {DATE:1/6/24}, 7:15 am
LHC {DATE:Jan '23}
HepB #1 {DATE:3/2}, #2 {DATE:4/2}
EKG {DATE:1/6} NSR
Foley {DATE:1/6} d/c'd {DATE:1/9}
OR {DATE:1/9} @ 0730
LCD {DATE:1/12}
staples {DATE:1/18}
SROM {DATE:9/20} 0100
clean since {DATE:'19}
""",
}

NOTHING = {
    "no login names": """
Entered by nurse, signed by patient, reviewed by pharmacy.
Electronically signed by attending
Verified by telephone; collected by phlebotomy
User is male, login failed, username and password
Given by mouth.⏎ASSESSMENT⏎Stable.
FY23
step2 at 5, covid19 on rounds
""",
    "no ages": """
t.i.d.⏎3. Lisinopril
Temp 98, 99 F, feels well
Drove at sixty miles an hour; up at eight
Sister in room (12 beds), son takes 20 mg
lived to the full; turned twenty degrees
""",
    "no numbers by place": """
Nottingham grade 2 (3+2+2 = 7/9), total 7/9
Car, HR 110, van (GCS 15), truck, ETA 0910
called Dr. Wexholm (1430), notified team (0815)
Last BNP 2010, prior platelets 2000, last dose 2015
group 4 visits, plan of 12 weeks, policy reviewed
2014: pt resting in bed
""",
    "pitfall 9: figures that are no dates": """
BP 120/80
BP 98/60 lying and 90/52 standing
pain 8/10
pain 8/10 on arrival, 3/10 now
Pain is rated at 6/10 today
strength 5/5
strength 4+/5 in both legs
weakness 2/2 DM
AMS 2/2 UTI
Apgars 8/9
Apgars 8 and 9 at 1/5 minutes
GCS 11/15
GCS E3 V4 M5
WBC 10/11
PHQ-9 12/27
PHQ9 of 4/27, GAD-7 5/21
biopsy 4/12 cores
4/12 cores positive
3/14 lymph nodes positive
2/12 nodes
1/2 tab daily
1/2 tablet at bedtime, 1/4 tablet in the morning
20/40 vision OD, 20/25 OS
3/6 murmur
2/6 SEM at the apex
II/VI systolic murmur
T12
L4-5 disc
C5/6 fusion
L5/S1
5/325
Percocet 5/325 q6h
Norco 10/325
10-20 mg
lisinopril/HCTZ 20/12.5
ratio 1/2
FEV1/FVC 70
24/7
q4h
x 3 days
2 weeks ago
quarterly
BID
MMSE 28/30, MoCA 12/30
mini-cog 3/5
recall 2/3, 3/3 registration
2/3 bottles positive
4/4 bottles GPC
blood cultures 2/4 bottles
Bishop score 6/10
A&Ox3, CN II-XII
K 4.1/4.2
H/H 10/31
H&H 9/28
Hgb/Hct 10/30
I/O 12/10
I/Os 1200/900
PIP/PEEP 28/8
BiPAP 12/6
BiPAP settings 10/5
SIMV 12/5
vent 14/5
MRC 4/5
reflexes 2/4
2/4 DP pulses
pulses 2/2
DTRs 2/4 throughout
Gleason 3+4=7
Gleason 7/10
NIHSS 4, mRS 2
CIWA 8/12
CAGE 2/4
AUDIT 9/12
Aldrete 9/10
Braden 18/23
TIMI 3/7
CHADS 2/6
Wells 4.5
SOFA 6/24
KPS 70
ECOG 1
Epworth 12/24
Epworth score 11/24
SLUMS 24/30
ASIA 3/5
Mallampati II/IV
grade 2/4
stage 3/4
24/7 supervision
8/10 chest pain
7/10 abdominal pain, sharp
5/10
up to 9/10 at worst
10/10 pain
Current 4/10, best 2/10, worst 8/10
pain goal 3/10
tolerating 3/4 of meals
ate 1/2 of breakfast
D5 1/2 NS at 75
D5-1/2NS
1/3 of cases
50/50 mix
70/30 insulin 12 units
Humalog 75/25
Advair 250/50
Advair 100/50 one puff
Combivent 20/100
Augmentin 875/125
Bactrim 800/160
size 6/7 teeth
5 x 3 x 2 cm
2-3 times per day
3-4 beers
5-10 minutes
2-3-4
level 3.14.2
version 3.14.21
v2.10.12
score 12-15-20
4-0 Vicryl, 3-0 silk
16-18 French
s/p 3/4 resection
mix 1/1
O2 sat 94%
may need oxygen
She may march
may 5 mg
in a fall
He had a fall in the shower
sat up in the chair and sun exposure
spring allergies
decr sens
Second fall this week
MAR reviewed
see MAR
DEC 5 mg
given 2000 mL
1950 kcal
at 2015 hrs
WBC 1987
Rate 1900
ANC 2010
platelets 2000
in 2000 mL of saline
cost 1999 dollars
1st degree block, 2nd toe, 3rd trimester
on the 5th floor
on the 2nd attempt
the 3rd dose
5th metacarpal
the 4th ventricle
fracture of the 5th digit
90s systolic
HR in the 90s
SBP 80s to 90s
sats in the low 90s
his pressure was in the 90s
in her 2nd trimester
POD 3
HD 4
DOL 3
GA 38w2d
7 months of therapy
30 pack-years
10 year risk
for 5 years
5 years ago
age-appropriate
aged cheese 3 oz
stage 4
dosage 45
per day 2
x 7 days
temp 99 F
Tmax 101F
16F Foley
5M cells
M 5 lead
x3
T 98.6
Page 2 of 4
pages 12-15
""",
    "pitfalls 3 and 7: codes and bare numbers": """
vitamin B12
T12 compression
L5
I10
E11.9
ICD I50.32, J18.9
CPT 99213
HCPCS G0439
DRG 291
HLA-B27
CD4 350
lic. B12
6033391
LOINC 4548-4
SNOMED 44054006
RxNorm 860975
NDC 0093-1048-01
H1N1
SARS-CoV-2 B.1.1.7
COVID-19
FEV1 1.8
PO2 88
Ref range 4.0-10.5
WBC 12000
platelets 210000
Plt 180000
CFU 100000
>100000 colonies
Total 1234567 copies
viral load 1200000
BNP 12345
CK 120000
""",
    "pitfall 8: frequencies and durations": """
every 3 months
twice weekly
in 2 weeks
qhs
PRN
3 days ago
next week
over the past 5 years
""",
    "pitfall 10: figures that are no phones": """
GUID 3f2504e0-4f89-11d3-9a0c-0305e82c3301
3f2504e0-555-0142-9a0c-0305e82c3301
1234567890123456789012
0.5550142
3.14159265358979
x3 days
x4 weeks
x 2200 mL
x1000
text 2231
extension lag 10 degrees
extension 0-110
flexion 120 extension 5
hip extension 1000
home 2 weeks
page 1200
P 80
p50 27
at 0142
1200-1500 kcal
200-400 mg
300-4500
2000-2500 mL
range 150-4500
1500-1800 ADA diet
""",
    "pitfalls 9 and 11: placeholders": """
[**2101-3-4**]
[**Telephone/Fax (1) 5521**]
[**3-4**] and [**2101**]
DOB: [**1952-3-14**]
MRN: ___
SSN ___-__-____
Phone: ___
seen ___ at ___
[**Numeric Identifier 4410**]
""",
    "pitfall 2: labels without numbers": """
Member of the group
policy reviewed
claim denied
serial exams
serial troponins 0.04, 0.05
a lot of pain
lot of 1000 things
on account of 3 falls
in order 2000
case 2 of 3
Visit 3
Study: CT chest
Group A strep
group 4 pulmonary hypertension
unit 2 of 4
2 units PRBC
plan: 2 units
growth plate 12 mm
plate and 6 screws
retinal exam normal
palm erythema
fingerprint
voice 4/10
iris intact
licensed practical nurse
certificate
HDL 55, LDL 120
DL 60
lab 4.5
SN 1200
Protocol 2
ending in 3 days
course ending with 4 weeks
ref 2
Part B12
job loss 3 years ago
""",
    "counts, scores, ranges and catalogue numbers": """
MNA 9/14
Rivermead 12/16
Boston Naming 12/15
GNRI 9/12
Newest Vital Sign 4/6
1 y f/u
Christmas tree bladder
Christmas factor
39w 3/7
39 3/7 today
GA 38 5/7
RR 12/14
BCx 2/2 GPC
BCx 1/2 GPC
cx 3/4 positive
LN 3/14
IHSS 4/24
BPP 8/8
Child-Pugh 7/15
SPPB 8/12
6/12 on SPPB
oriented 3/4
color plates 10/14
11/14 Ishihara plates
stereo 6/9
Hearing 4/4
fraction 12/30
12/30 fractions
PT/INR 12/1
OCT 2 mm
Bundle complete 5/6 elements
sutures x 10, 4-0 Vicryl, 3-0 silk
wean to 2-4 L
from 3-4 cm
2-1 AV block
Hgb 10-11, K 3-4
every 2-4 hours
seen with 3-4 residents
given 1950
void 2014 mL
insulin 2010 units
Apgars 8, 9
Sodium, 138, normal
New York, 12, and
Braden Scale, 18, low risk
DM 12 y, on insulin
12 male patients and 14 female
of 20 female subjects
ISO 13485, BMS-986165, MK-3475, NCT04412091
HCV RNA 4412091 IU
WBC 12000 PLT 240000
model of care, modeling 12
ref range 120-240
registered 2019
ambulated x250 ft
MR 3 T, MR 2+, MR 1.5
Ped 2000
sat 92-94%, sats 94
The may apple; May I
Jan uvia 100
BP 130/7
metformin 2000 per day
I/O neg 1950
Tylenol 2000 at night
DISCHARGED TO SNF WITH 5/5 STRENGTH
Motor: 5/5 throughout; sensation 2/2
Pain 6/10 (worst 9/10, best 3/10)
NRS 4/10
II/VI
I:E 1/2
BiPAP 12/5
D5 1/2 NS + 20 KCl
took 1/2 of meal
1 1/2 hours
25G x 5/8
3/4 prone
lower 2/3
3/14 LN
MMSE 24/30
CAM neg
AUDIT 12/40
NIHSS 4/42
Apgars 7/8
Bishop 6/13
Norton 12/20
ASA 3/5
BI-RADS 4/6
Berg 42/56
VAS 6/10
Centor 3/4
TIMI 2/7
Duke 2/5
2/3 recall
OD 20/40 OS 20/25
caries 2/3
T12/L1
toes 4/5
M2/3
grade 3/4
2/4 pages
PRN 4/6
Percocet 10/325
Sinemet 25/100
Tribenzor 20/5
BP 12/8
Hgb/Hct 9/27
WBC 12/14
CD4/CD8 1/3
C/D 3/10
odds 1/4
the 2-hit hypothesis, 3-vessel, 2-view
q2-3d
within 2-3 days
q 4-6 hrs
1-2+ pitting
2-3 flights
lost 10-15 lb
T11-12
toes 2-5
score 3-4
on 1-2 agents
CT 4-5 mm nodule
echo 3-4 segments
sat on bed
march in place
""",
}

OWN = frozenset(
    "DATE AGE PHONE FAX EMAIL URL IPADDR SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE BIOID"
    " IDNUM USERNAME".split()
)
SETTINGS = DetectSettings(detectors=("rules",))
DETECTORS = build_detectors(SETTINGS)
MARKED = re.compile(r"\{([A-Z]+):([^{}]+)\}")


def rows(tables: dict[str, str]) -> list[object]:
    return [
        pytest.param(line.replace("⏎", "\n"), id=f"{group} {number}")
        for group, table in tables.items()
        for number, line in enumerate(table.strip().splitlines(), start=1)
    ]


def read(sentence: str) -> tuple[str, list[tuple[int, int, str]]]:
    """The sentence without its marks, and the marked ranges."""
    text, spans, at = "", [], 0
    for match in MARKED.finditer(sentence):
        text += sentence[at : match.start()]
        spans.append((len(text), len(text) + len(match[2]), match[1]))
        text, at = text + match[2], match.end()
    return text + sentence[at:], spans


def found(text: str) -> list[tuple[int, int, str]]:
    (spans,) = detect_texts(DETECTORS, [text], SETTINGS)
    return [(span.start, span.end, span.category) for span in spans if span.category in OWN]


def test_the_tables_are_broad() -> None:
    assert sum(len(table.strip().splitlines()) for table in FOUND.values()) >= 200
    assert sum(len(table.strip().splitlines()) for table in NOTHING.values()) >= 80
    marked = {match[1] for table in FOUND.values() for match in MARKED.finditer(table)}
    assert marked == OWN


@pytest.mark.parametrize("sentence", rows(FOUND))
def test_values_are_found_whole_and_well_typed(sentence: str) -> None:
    text, spans = read(sentence)
    assert [(text[a:b], c) for a, b, c in found(text)] == [(text[a:b], c) for a, b, c in spans]
    assert found(text) == spans


@pytest.mark.parametrize("sentence", rows(NOTHING))
def test_near_misses_are_left_alone(sentence: str) -> None:
    assert [(sentence[a:b], c) for a, b, c in found(sentence)] == []


def test_a_bare_number_is_never_a_name() -> None:
    """PITFALL 7: digits alone are nobody's name, whatever else they may be."""
    (spans,) = detect_texts(DETECTORS, ["6033391", "03/22 08:51:06 INFO"][:1], SETTINGS)
    assert not {span.category for span in spans} & {"PATIENT", "DOCTOR", "USERNAME"}
    assert found("03/22 08:51:06 INFO") == [(0, 5, "DATE")]


@pytest.mark.parametrize(
    "number", ["987-65-4321", "900-12-3456", "000-12-3456", "666-12-3456", "219-09-9999"]
)
def test_validity_is_no_filter(number: str) -> None:
    """PITFALL 4: a number that was never issued is found like any other; a valid one only scores more."""
    (spans,) = detect_texts(DETECTORS, [f"on file {number}."], SETTINGS)
    assert [(span.start, span.end, span.category) for span in spans] == [(8, 8 + len(number), "SSN")]
    assert (spans[0].score == 1.0) == (number == "219-09-9999")


# --- properties -----------------------------------------------------------------------------

DAYS = st.dates(min_value=date(1931, 1, 1), max_value=date(2039, 12, 31))
DATE_FORMS = st.sampled_from(
    "%m/%d/%Y %m-%d-%Y %Y-%m-%d %d.%m.%Y %m/%d/%y %Y/%m/%d %d-%b-%Y %d%b%Y %b_%d,_%Y %B_%d,_%Y %d_%B_%Y %b._%d,_%Y"
    " %d_%b_%y %B_%Y %m/%Y %b_'%y".split()
)
PHONE_FORMS = st.sampled_from(
    ["({a}) {b}-{c}", "{a}-{b}-{c}", "{a}.{b}.{c}", "{a} {b} {c}", "+1 {a} {b} {c}", "+1-{a}-{b}-{c}", "1-{a}-{b}-{c}",
     "({a}){b}-{c}", "{a}-{b}-{c} x{e}", "({a}) {b}-{c} ext. {e}", "{a}/{b}-{c}", "{a}-{b}-{c}, ext {e}"]
)  # fmt: skip
SSN_FORMS = st.sampled_from(
    ["{a}-{g}-{s}", "SSN {a}{g}{s}", "SS# {a} {g} {s}", "SSN: {a}.{g}.{s}", "XXX-XX-{s}"]
)
FRAMES = st.sampled_from(
    ["Noted {} today.", "({})", "on file: {}", "{}\n", "as told,\n{}; no change", "{}, then home"]
)


def assert_whole(text: str, value: str, category: str) -> None:
    start = text.index(value)
    assert (start, start + len(value), category) in found(text), text


@settings(max_examples=150, deadline=None)
@given(DAYS, DATE_FORMS, FRAMES)
def test_a_date_in_any_form_is_found_whole(day: date, form: str, frame: str) -> None:
    value = day.strftime(form).replace("_", " ").replace("May. ", "May ")
    assert_whole(frame.format(value), value, "DATE")


@settings(max_examples=150, deadline=None)
@given(st.integers(200, 989), st.integers(100, 199), PHONE_FORMS, st.integers(10, 99_999), FRAMES)
def test_a_phone_in_any_form_is_found_whole(
    area: int, last: int, form: str, extension: int, frame: str
) -> None:
    value = form.format(a=area, b="555", c=f"0{last}", e=extension)
    assert_whole(frame.format(value), value, "PHONE")
    assert_whole(frame.format(f"fax {value}"), value, "FAX")


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 999), st.integers(0, 99), st.integers(0, 9999), SSN_FORMS, FRAMES)
def test_a_social_security_number_in_any_form_is_found_whole(
    area: int, group: int, serial: int, form: str, frame: str
) -> None:
    written = form.format(a=f"{area:03}", g=f"{group:02}", s=f"{serial:04}")
    value = re.sub(r"^SS\S+ ", "", written)
    assert_whole(frame.format(written), value, "SSN")


@settings(max_examples=300, deadline=None)
@given(st.uuids(), st.sampled_from(["{}", "id {}", "see {}.", "[{}]"]))
@example(UUID("3f2504e0-4f89-11d3-9a0c-0305e82c3301"), "{}")
@example(UUID("12345678-1234-1234-1234-555501421234"), "{}")
@example(UUID("d4047062-0b58-dec9-7c5f-9970acab41d6"), "{}")
def test_nothing_lies_inside_a_guid(guid: UUID, frame: str) -> None:
    """PITFALL 10. (After "id" the whole of it may be a number of its own.)"""
    text = frame.format(guid)
    inside = [text[a:b] for a, b, _ in found(text) if text[a:b] != str(guid)]
    assert inside == []


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 9999), st.integers(0, 10**12), st.integers(1, 3))
def test_nothing_lies_inside_a_decimal(whole: int, fraction: int, places: int) -> None:
    text = f"measured {whole}.{fraction:0{places}} and {whole}.{fraction:0{places}} again"
    assert found(text) == []
