"""Places and work: what the shipped rules find in invented sentences, and what they leave alone.

A sentence marks what must be found as ``[CATEGORY value]``; every other place, institution or
occupation found in it is an error. Conventions (i2b2 2014): counties, prisons, shelters and bases are
LOCATION-OTHER; pharmacies, laboratories, home care and insurers are ORGANIZATION; generic wards and
intensive care units are nothing; a room is its number; retired, unemployed, disabled and veteran are
no PROFESSION, student and homemaker are.
"""

from __future__ import annotations

import re

import pytest

from phiscan.detect import DetectSettings, build_detectors, detect_texts

CATEGORIES = frozenset(
    "HOSPITAL ORGANIZATION STREET CITY STATE COUNTRY ZIP ROOM DEPARTMENT LOCATION-OTHER PROFESSION".split()
)
SETTINGS = DetectSettings(detectors=("rules",))
DETECTORS = build_detectors(SETTINGS)
MARK = re.compile(r"\[([A-Z-]+) ([^\]]+)\]")

MARKED = r"""
Lives at [STREET 12 Elmhurst St Apt 4B] with her cat.
Address: [STREET 1184 NW Thornberry Lane].
She lives on [STREET Thornberry Lane] with two sisters.
Home address is [STREET 77 Quillan Avenue, Unit 12].
Mail goes to [STREET 305 Harrow Blvd #4].
Office: [STREET 2200 Alderney Parkway, Suite 310].
Send the bill to [STREET P.O. Box 4410], please.
Address: [STREET RR 2 Box 14].
Address: [STREET PO BOX 71], [CITY DUNMOOR], [STATE ME] [ZIP 04999]
Their farm is at [STREET 4810 County Road 12].
Lives at [STREET 9021 State Highway 57].
Found near [STREET 14500 US Highway 41].
Address: [STREET Urb. Las Lomas, Calle 7 B-12].
Vive en [STREET Calle Robledal 118].
Lives at [STREET 210 4th Ave, Apt 9].
Staying at [STREET 123 1/2 Wexholm St].
Address: [STREET 44 Broadway], [CITY Dunmoor], [STATE ST] [ZIP 03601].
Lives at [STREET 12 Alder Ct], [CITY Dunmoor], [STATE ST] [ZIP 03601]
Patient address:\n[STREET 88 Tamarack Hill Rd]\n[CITY Port Harrow], [STATE VT] [ZIP 05001-0142]
ADDRESS: [STREET 418 QUARRY RIDGE DR APT 2], [CITY WEXHOLM], [STATE OH] [ZIP 44102]
Moved to [STREET 16B Larkspur Terrace] last spring.
Lives at [STREET 2 Mill Pond Road, Lot 17].
The house at [STREET 901 S. Fennick St]. has stairs.
Resides at [STREET 5 The Crossway] in [CITY Dunmoor].
Home: [STREET 17-31 Alder Street], [CITY Quillan]
Picked up on [STREET Harrow Street] by EMS.
Fell on the corner of [STREET Wexholm Ave] and [STREET 3rd St].
ADDR: [STREET 63 W Pine Hollow Ln], [CITY Ashgrove] [STATE PA] [ZIP 18999]
Street: [STREET 640 Osier Way]
Address: [STREET 1020 Avenue K], [CITY Brennick], [STATE TX] [ZIP 77990]
Lives in a trailer at [STREET Route 9, Box 220].
Lives at [STREET 300 Camino Del Sol], [CITY Arroyo Bend], [STATE NM]
Pt is from [CITY Worcester] [STATE MA].
Transferred to us from [CITY Dunmoor] by ambulance.
He comes from [CITY Dunmoor] and farms there.
Lives in [CITY Port Harrow] with her husband.
Recently moved from [CITY Quillan] to [CITY Ashgrove].
A resident of [CITY Brennick], [STATE Ohio].
Born in [CITY Wexholm], raised in [CITY Alder Springs].
Her son lives in [CITY Tullamore], [STATE CO].
Daughter in [CITY Harwick] visits weekly.
City: [CITY Dunmoor]  State: [STATE ME]  Zip: [ZIP 04999]
ZIP code [ZIP 05001-0142].
ZIP prefix [ZIP 036].
He grew up near [CITY Fennick Falls].
She was visiting family in [CITY Ellery] when it began.
Works in [CITY Dunmoor], lives in [CITY Brennick].
A 63-year-old man from [CITY Ostrava Mills], [STATE Vermont], with CHF.
Patient traveled to [CITY Corrigan], [STATE FL] in winter.
Hometown: [CITY Lowgate].
Place of birth: [CITY Wexholm], [STATE IN]
Drove down from [CITY Millbrae] this morning.
He vacationed in [STATE Florida] in winter.
She lived in [STATE New Mexico] for years.
His brother in [STATE Texas] has diabetes.
Moved here from [STATE California] two years ago.
[CITY DUNMOOR], [STATE ME] [ZIP 04999]
[CITY Dunmoor] [STATE ME] [ZIP 04999-1234]
Lives in [CITY North Quillan].
Her sister is flying in from [CITY St. Osmund], [STATE MN].
The family relocated to [CITY Fairlight] in the fall.
A [CITY Dunmoor] native.
Comes to clinic from [CITY New Alder], about 40 miles away.
He is visiting from [CITY Kestrel Bay].
He farms in [LOCATION-OTHER Harrow County].
Lives in rural [LOCATION-OTHER Quillan County], [STATE Ohio].
Found down in [LOCATION-OTHER Tamarack Park].
Fell off the [LOCATION-OTHER Wexholm Bridge].
Swims at [LOCATION-OTHER Alder Lake] every day.
Fell while hiking on [LOCATION-OTHER Mount Fennick].
Collapsed at [LOCATION-OTHER Dunmoor International Airport].
Stationed at [LOCATION-OTHER Fort Brannoc] for six years.
Served at [LOCATION-OTHER Camp Osier] in the seventies.
Picked up outside [LOCATION-OTHER Quillan Stadium].
Stays at the [LOCATION-OTHER Lantern Street Shelter].
Stays at [LOCATION-OTHER Harbor Light Shelter] most nights.
Kayaks on the [LOCATION-OTHER Osier River].
Lives in the [LOCATION-OTHER Eastgate] neighborhood.
Pulled from the [LOCATION-OTHER Fennick River] by bystanders.
Met at the [ORGANIZATION Wexholm Public Library].
Incarcerated at [LOCATION-OTHER Brennick State Prison].
Held at the [LOCATION-OTHER Harrow County Jail].
Emigrated from [COUNTRY Cabo Verde] in childhood.
Recent travel to [COUNTRY Peru] and [COUNTRY Brazil].
Native of [COUNTRY Ireland].
Born in [COUNTRY Haiti].
Her parents live in the [COUNTRY Philippines].
He returned from [COUNTRY Kenya] last week.
Country of origin: [COUNTRY Vietnam]
Immigrated from [COUNTRY El Salvador] with his family.
Was deployed to [COUNTRY Iraq].
Originally from [CITY Lisbon], [COUNTRY Portugal].
Vacation in [COUNTRY Mexico] two weeks ago.
Her mother is still in [COUNTRY Ukraine].
Admitted to [HOSPITAL Brightvale Medical Center] overnight.
Transferred from [HOSPITAL St. Brannoc's] after a fall.
[HOSPITAL BVMC] pt, known to the service.
Transferred to [HOSPITAL BVMC] for catheterization.
Member of [HOSPITAL Kaiser Permanente Harrow].
Seen at [HOSPITAL Kaiser Permanente Alderside] last week.
He was hospitalized at [HOSPITAL Mercy] in the spring.
Gets his meds from the [HOSPITAL VA] in [CITY Dunmoor].
Followed at the [HOSPITAL Dunmoor VA].
Presented to [HOSPITAL Xford General] with chest pain.
Seen at [HOSPITAL Children's Hospital of Quillan].
Referred by [HOSPITAL Univ. of Harrow Hospitals].
Resident of [HOSPITAL Maple Ridge SNF].
Presented to [HOSPITAL Brightvale] with dyspnea.
She was d/c'd from [HOSPITAL Wexholm] on Friday.
Dialyzes at [HOSPITAL Harrow Dialysis Center].
[HOSPITAL Tamarack Health System] policy was reviewed.
She lives at [HOSPITAL Golden Osier Nursing Home].
Discharged to [HOSPITAL Cedarbrook Rehabilitation Center].
Discharged to [HOSPITAL Fennick Hospice House].
Admitted to [HOSPITAL BRIGHTVALE MEDICAL CENTER].
[HOSPITAL QUILLAN REGIONAL HOSPITAL]\nDISCHARGE SUMMARY
Facility: [HOSPITAL Alder Creek Clinic]
Hospital: [HOSPITAL Wexholm Memorial]
Records from [HOSPITAL Dunmoor Community Hospital] reviewed.
Seen in the [HOSPITAL Quillan Family Practice] by Dr. Harrow.
Followed by [HOSPITAL Osier Valley Cardiology Associates].
Her oncologist at [HOSPITAL Ellery Cancer Center] agrees.
Transfer accepted by [HOSPITAL University of Quillan Medical Center].
Taken to [HOSPITAL Mount Alder] by EMS.
Cath at [HOSPITAL Lowgate Heart Institute] showed 3VD.
She went to [HOSPITAL Harrow Urgent Care] first.
Transferred from [HOSPITAL Fairlight Regional] for higher level of care.
Seen at [HOSPITAL Our Lady of Hope] for pneumonia.
Sent from [HOSPITAL Sacred Heart] ED.
Lives at [HOSPITAL Wexholm Manor].
Resides at [HOSPITAL Birchwood Assisted Living].
[HOSPITAL Brightvale Medical Center] ([HOSPITAL BVMC]) called.
Rehab at [HOSPITAL Osier Pines Care Center] for six weeks.
Had surgery at [HOSPITAL Dunmoor Surgical Center].
Sees a therapist at [HOSPITAL Harrow Community Mental Health Center].
Was in [HOSPITAL Quillan State Hospital] as a teenager.
Psychiatric stay at [HOSPITAL Fennick Behavioral Health].
He gets infusions at [HOSPITAL Dunmoor Infusion Center].
Delivered at [HOSPITAL Alder Women's Hospital].
Follow up with [HOSPITAL Lowgate Orthopedics] next week.
Patient of the [HOSPITAL Tamarack Health Center].
Had her PCI at [HOSPITAL MGH].
Admitted to [DEPARTMENT 6 West], Rm [ROOM 412B].
Moved to [DEPARTMENT Tower 3A] overnight.
Now on [DEPARTMENT Ellison 14].
Admitted to [DEPARTMENT Alderney Ward], bed [ROOM 4].
Room [ROOM 412B], bed [ROOM 3-A].
Patient is in [ROOM W4-217].
Transfer to [DEPARTMENT 7 North].
Seen on [DEPARTMENT 4 East Tower].
On the [DEPARTMENT Wexholm Pavilion].
Bed [ROOM 12] by the window.
Ward: [DEPARTMENT Tamarind 2]
Lying in room [ROOM 308-C].
He works for [ORGANIZATION Halloran Transit].
Employer: [ORGANIZATION Quist Brothers]
She works at [ORGANIZATION Harrow Elementary School].
Student at [ORGANIZATION Dunmoor High School].
Attends [ORGANIZATION Wexholm College].
Member of [ORGANIZATION St. Osmund's Church].
Employed by the [ORGANIZATION Quillan Water Authority].
Home services by [ORGANIZATION ACME Home Care].
[ORGANIZATION Harrow VNA] will visit daily.
Insurance: [ORGANIZATION Alderney Mutual]
Fills her prescriptions at [ORGANIZATION Quillan Pharmacy].
Prescriptions sent to [ORGANIZATION Walgreens].
Labs drawn at [ORGANIZATION Fennick Diagnostics].
Teaches at [ORGANIZATION Osier Valley Community College].
Retired from [ORGANIZATION Lowgate Steel] in 1998.
Plays for the [ORGANIZATION Brennick Bobcats].
Works part-time at [ORGANIZATION Tamarack Hardware].
Volunteers at the [ORGANIZATION Harrow Food Bank].
Union rep at [ORGANIZATION Teamsters Local 44].
She is a [PROFESSION manager] at [ORGANIZATION Brightline Foods].
Home oxygen from [ORGANIZATION Ellery Medical Supply].
Attends [ORGANIZATION First Baptist Church] on Sundays.
Covered by [ORGANIZATION Blue Harbor Insurance].
Worked at the [ORGANIZATION Quillan Shipyard] for decades.
Retired [PROFESSION longshoreman].
Works as a [PROFESSION school bus driver].
She is a former [PROFESSION nurse].
Occupation: [PROFESSION electrician]
He is a retired [PROFESSION lighthouse keeper].
Employed as a [PROFESSION bank teller].
Used to work in [PROFESSION construction].
She is a [PROFESSION homemaker].
He is an [PROFESSION accountant] and lives alone.
Social History: [PROFESSION Carpenter], married, two children.
Her husband is a [PROFESSION truck driver].
Retired [PROFESSION Army sergeant].
Works in [PROFESSION retail].
Pt is a 45 yo [PROFESSION firefighter] with burns.
A 52-year-old [PROFESSION schoolteacher] with headaches.
Former [PROFESSION coal miner], 40 pack-years.
She has worked as an [PROFESSION administrative assistant] for years.
He owns a bakery and is a [PROFESSION baker].
Patient is a [PROFESSION graduate student] at [ORGANIZATION Wexholm University].
Profession: [PROFESSION civil engineer]
He was a [PROFESSION machinist] for 30 years.
Previously employed as a [PROFESSION line cook].
Her father was a [PROFESSION fisherman].
Self-employed [PROFESSION plumber].
Occupation: Retired [PROFESSION teacher]
Works nights as a [PROFESSION security guard].
Worked as [PROFESSION farmhand] until 2010.
She is a retired [PROFESSION school principal].
Occupational history: [PROFESSION shipyard welder], asbestos exposure.
Lives with his wife, a [PROFESSION dental hygienist].
Currently works as [PROFESSION cashier] at [ORGANIZATION Harrow Grocery].
Married, works full time as [PROFESSION paralegal].
Mr. Adeyemi is a 58-year-old [PROFESSION machinist] from [CITY Corvane], [STATE PA], admitted via the ED at [HOSPITAL Larkfield Regional Medical Center].
She was transferred from [HOSPITAL Penmarch Community Hospital] for tertiary care.
Lives alone in a second-floor apartment at [STREET 318 Juniper Hollow Rd, Apt 2B], [CITY Marlow Glen], [STATE VA] [ZIP 22999].
SOCIAL HISTORY: Retired [PROFESSION postal worker]. Lives in [CITY Tarrington] with spouse.
Discharge to [HOSPITAL Evergreen Terrace Skilled Nursing Facility] in [CITY Dunhaven].
Daughter works as a [PROFESSION pharmacist] in [CITY Kelso Bay].
Pt was visiting from [COUNTRY Norway] when symptoms began.
Patient moved to [DEPARTMENT 8 South], room [ROOM 814].
Faxed records to [HOSPITAL Brookhollow Cardiology Associates].
He is employed by [ORGANIZATION Stanwick Logistics] as a [PROFESSION forklift operator].
Address on file: [STREET 2207 Old Mill Turnpike], [CITY Harlan Springs], [STATE KY] [ZIP 40999].
He attends [ORGANIZATION Grace Lutheran Church] weekly.
Her children attend [ORGANIZATION Pinecrest Elementary].
EMS picked him up from [LOCATION-OTHER Willow Bend Park] after he collapsed.
Follow-up scheduled at the [HOSPITAL Oakmere Clinic] on Thursday.
Prior care at [HOSPITAL St. Columba's] in [CITY Fenwick].
Previously seen at [HOSPITAL Tolland VA Medical Center].
Works at [ORGANIZATION Delphine's Bakery] in [CITY Old Saxby].
Patient is a [PROFESSION fourth-grade teacher] at [ORGANIZATION Wyndham Academy].
The patient is an [PROFESSION electrician] who lives in [CITY Cray Hollow], [STATE Oregon].
Former [PROFESSION shipyard welder] with asbestos exposure.
She emigrated from [COUNTRY Ecuador] in the nineties.
Travel: returned from [COUNTRY Thailand] ten days ago.
Home: [STREET 77 Canal View Dr], [CITY Alton Ferry] [STATE NJ] [ZIP 08999]
Transferred to MICU bed [ROOM 11] overnight.
Lives in [HOSPITAL Sunny Acres Assisted Living].
Meds filled at [ORGANIZATION Hartwell Pharmacy] on [STREET Bishop Street].
His father was a [PROFESSION coal miner] in [LOCATION-OTHER Bracken County].
Evaluated at [HOSPITAL Northgate Urgent Care] yesterday.
She is originally from [CITY Limerick], [COUNTRY Ireland].
PT at [HOSPITAL Riverbend Rehabilitation Hospital].
The patient works in [PROFESSION information technology].
Pt reports working as a [PROFESSION barista] and part-time [PROFESSION dog walker].
Currently a [PROFESSION college student] at [ORGANIZATION Tremont State University].
Past employment: [PROFESSION dry cleaner] for 20 years.
Admitted from [HOSPITAL Cedar Glen Nursing Home].
Seen in consultation at [HOSPITAL Saint Alphonse Hospital].
The family lives in [CITY Ostler], about an hour away.
Brought in by [ORGANIZATION Halbrook Fire Department].
Dialysis at [HOSPITAL Millrace Kidney Center] MWF.
OSH records from [HOSPITAL Kingsbury General] show EF 35%.
Spouse is a retired [PROFESSION librarian].
Resides at [STREET 9 Fox Run Ct], [CITY Ingleside].
Lives near [LOCATION-OTHER Lake Tamsin] in summer.
He served in the Navy and later was a [PROFESSION pipefitter].
She was born in [CITY Osaka], [COUNTRY Japan], and came to the [COUNTRY United States] at age 9.
Crashed on [STREET Route 28] near [CITY Tolland].
Patient's ZIP is [ZIP 02999].
Receives care through the [HOSPITAL Tolland VA].
Lives with her son in [CITY Upper Marden].
He was incarcerated at [LOCATION-OTHER Stone Ridge Correctional Facility] until last year.
Recently vacationed in [STATE Arizona] and [COUNTRY Mexico].
Occupation: [PROFESSION Registered nurse] (retired)
Moved to [DEPARTMENT Hawthorne 5] after surgery.
Chemotherapy at [HOSPITAL Dunhaven Cancer Institute].
Call [HOSPITAL Larkfield Regional] for the films.
She runs a daycare in [CITY Harlan Springs].
[HOSPITAL BAYLINE GENERAL HOSPITAL]
[HOSPITAL HARTSMERE MEMORIAL HOSPITAL] - EMERGENCY DEPARTMENT RECORD
PATIENT ADDRESS: [STREET 1420 SW BRANTLEY AVE], [CITY TRENHOLM], [STATE OR] [ZIP 97999]
Location: [DEPARTMENT 3 West], Room [ROOM 322-A]
Sent by ambulance from [HOSPITAL Windle Manor] where she resides.
pt lives w/ wife in [CITY Carrick], works as [PROFESSION roofer]
SH: [PROFESSION bartender], 1 ppd x 20y
SocHx: married, retired [PROFESSION steelworker], 3 kids
Hx obtained from [HOSPITAL Tarn Valley Hospital] records
The patient's son, a [PROFESSION police officer], lives in [CITY Boswick].
He was last admitted to [HOSPITAL Ellsmere] in March.
Will f/u at [HOSPITAL Penrith Family Medicine].
Xfer from [HOSPITAL WMRH] for ERCP.
She is a resident of [HOSPITAL Harbor Pines Nursing & Rehabilitation Center].
Accepted by [HOSPITAL Trenholm Children's Hospital] PICU.
Pt c/o pain after fall at [ORGANIZATION Costco].
Injured at work at [ORGANIZATION Delmar Steel].
Employed full time at [ORGANIZATION Orchard Software].
Going to [COUNTRY India] next month, needs vaccines.
Lives with daughter (a [PROFESSION paralegal]) on [STREET Kestrel Drive].
Just moved from [CITY Boswick], [STATE Nebraska] to [CITY Trenholm].
Home visit at [STREET 6 Abbey Close].
The patient had his surgery at [HOSPITAL Kingsley Surgical Hospital].
Retired from the [ORGANIZATION Trenholm Fire Department].
Primary care at [HOSPITAL Lowell Street Clinic].
Patient seen in [DEPARTMENT Pod C], Bed [ROOM 7].
Referred from [HOSPITAL Amberley Eye Associates].
Hiking near [LOCATION-OTHER Osprey Canyon] when bitten.
She's a [PROFESSION waitress] at [ORGANIZATION Molly's Diner].
He used to be a [PROFESSION taxi driver].
Wife is a [PROFESSION nurse] at [HOSPITAL Ellsmere Hospital].
[PROFESSION Accountant], lives with partner.
Working as a [PROFESSION line cook] until the accident.
Detained at [LOCATION-OTHER Marsh County Detention Center].
He is a [PROFESSION Baptist minister] from [STATE Alabama].
Discharged to [HOSPITAL Amberley House Hospice].
Ms. Tolbert is a 44 yo woman from [CITY Ravensburg] who presents to [HOSPITAL Fallowfield Hospital] with chest pain.
She lives at [STREET 4410 East Larch Avenue], [CITY Ravensburg], [STATE IL] [ZIP 60999] with her two children.
Works as an [PROFESSION office manager] at [ORGANIZATION Kepler Dental Supply].
He is a retired [PROFESSION civil engineer] and lives in [CITY Saltmarsh].
Prior to transfer he was at [HOSPITAL Wickham Falls Community Hospital] for two days.
She was seen at the [HOSPITAL Fallowfield Women's Health Center] in April.
Patient was discharged to [HOSPITAL Oak Hollow Rehab] on Friday.
Primary residence: [STREET 12 Cobbler's Lane], [CITY Netherby], [STATE CT] [ZIP 06999]
Daughter, who lives in [CITY Netherby], is a [PROFESSION physical therapist].
He grew up in [CITY Cork], [COUNTRY Ireland], and moved to [STATE Massachusetts] at 20.
Emergency contact resides at [STREET 301 Marigold Ct].
Transferred to [HOSPITAL Fallowfield Hospital] from [HOSPITAL Netherby Urgent Care].
Employment: [PROFESSION landscaper], seasonal
The patient works the night shift at [ORGANIZATION Brandt Manufacturing].
He's a [PROFESSION long-haul truck driver].
Bed assignment: [DEPARTMENT 5 North], bed [ROOM 22B]
She teaches third grade at [ORGANIZATION Saltmarsh Elementary School].
He had a stroke while visiting his sister in [CITY Ostler Bay], [STATE Florida].
Followed by the [HOSPITAL Ravensburg Wound Care Center].
Insurance through [ORGANIZATION Meridian Health Plan].
Occupation: [PROFESSION software engineer] at [ORGANIZATION Lumenware]
She immigrated from [COUNTRY Nigeria] in 2004.
Admitted to [HOSPITAL FALLOWFIELD HOSPITAL], [DEPARTMENT 4 WEST].
Patient lives in [LOCATION-OTHER Dalton County] with her sister.
Fell on [STREET Main Street] outside the [ORGANIZATION Netherby Public Library].
Transported by [ORGANIZATION Saltmarsh Ambulance].
His wife, a [PROFESSION seamstress], brought him in.
PCP practices at [HOSPITAL Quarry Street Family Medicine].
She will go to [HOSPITAL Bellweather Hospice] tomorrow.
Pt is a [PROFESSION bus driver] for [ORGANIZATION Ravensburg Transit].
Originally from [COUNTRY Poland], lives in [CITY East Netherby].
Found wandering near [LOCATION-OTHER Harker Pond].
Has lived in [STATE Ohio] and [STATE Indiana].
Attends day program at [ORGANIZATION Saltmarsh Senior Center].
Lives at [STREET 88 Pier Rd], [CITY Saltmarsh].
Moved here from [CITY Leeds], [COUNTRY England].
Biopsy at [HOSPITAL FRMC] was benign.
[HOSPITAL FRMC] records reviewed.
Referring: Anne Quist, MD, [HOSPITAL Wexcombe Cardiology]
PCP Harrow ([HOSPITAL Larchmere Pediatrics]).
Dental home: [HOSPITAL Osier Family Dentistry].
HEMODIALYSIS TREATMENT RECORD - [HOSPITAL Brindell Kidney Care]\nPt seen.
CARDIAC DEVICE CLINIC - [HOSPITAL Fennimoor]\nIn-clinic check.
Outpt PT at [HOSPITAL Northcote Imaging] to start in May.
The [HOSPITAL Ketteridge Orthopedics] will call.
RESULT FAXED TO [HOSPITAL HARROW EYE ASSOCIATES]
Echo from [HOSPITAL UH Brennick] showed EF 40%.
ED TRIAGE NOTE  [HOSPITAL WTH]\nArrived by car.
Arrived [HOSPITAL QHH] ED at noon.
Last cath 5/2018 @ [HOSPITAL DVW]: 2VD.
Discussed with Quist at [HOSPITAL WTH] and agreed.
Fistulogram w/ Dr Quist at [HOSPITAL Brennick] next week.
Prior GA 2011 at [HOSPITAL Tamsin]: easy mask.
Was at [HOSPITAL Quillan] for an eye appt.
Per OSH records ([HOSPITAL Pellworth Community]).
Resides at [HOSPITAL The Arbors at Stillholm], memory care.
Rehab bed at [HOSPITAL St. Ottilie's Home], likely Tuesday.
Ins: [ORGANIZATION Tamsin Advantage] TSX287964 grp 22
Auth: [ORGANIZATION Granite Wharf HMO] #PA-55
COST. [ORGANIZATION Osier Benefit Trust] was billed.
BILL TO: [ORGANIZATION HARROW REGION HEALTH] ID XQ123456
[ORGANIZATION HARROW FIRE & RESCUE] - PATIENT CARE REPORT
Equipment from [ORGANIZATION Quist Oxygen & DME], tel below.
Flu shot at [ORGANIZATION Alder Drug]. To [ORGANIZATION Mill Street Pharmacy], by phone.
Home w/ [ORGANIZATION Comfort Quill Home Care] next week.
Father Quist of [ORGANIZATION Our Harbor Lutheran] visited.
Was at [ORGANIZATION First Congregational of Wexholm] on Sunday.
Cut at work ([PROFESSION cosmetologist], [ORGANIZATION Wexholm Ridge Resort]).
Subscriber: self, employer [ORGANIZATION Quist Freight]\nAddress: unknown
ACC NO 12\nLOC       [DEPARTMENT TOWER 6C] BED [ROOM 18]
UNIT: [DEPARTMENT Keeling 9], Room [ROOM 4781]
Unit/Room: [DEPARTMENT 2 Main]/[ROOM 6098]      Date
From: Alder, [HOSPITAL Wexholm Community Hospital], [DEPARTMENT Farrow Building], below
Quist, May | MRN hidden | [DEPARTMENT Osier Pavilion] [ROOM 4009] | CrCl 54
Called to bedside by Maren, RN, on [DEPARTMENT Whitley 11] at noon.
Location: [DEPARTMENT W5], bed [ROOM 12A]
Brought to OR [ROOM 28] and placed supine.
(MWF shift 1)   Chair: [ROOM 31]   Machine ready
SROM clear.\n[DEPARTMENT 7 Quarry], LDR [ROOM 25]. GBS neg.
Report to Maren, RN, Trauma [ROOM 10].
[HOSPITAL Wexholm Clinic], bed assignment [ROOM 3972]
                    [CITY NORMAL], [STATE ILLINOIS]\n
Her mother lives [CITY Fort Quillan], [STATE Michigan].
At home in [CITY Reading] when it began.
Noticed while visiting [CITY Kestrel Notch].
In a 2-story walk-up, [CITY Quillan Notch], [STATE CT]; 3 steps.
Driver's license shown ([STATE Vermont] DMV form).
Car ([STATE NC] 829-GUU) impounded.
Loc: the [LOCATION-OTHER Wexholm Mall], near the road
Transport emergent (past [LOCATION-OTHER Osier Lake]).
Incarcerated in [LOCATION-OTHER Wexholm Parish].
Walks daily around [STREET Route 9].
43 y/o male, [PROFESSION seamstress], with LBP.
Lives with wife Maren Quist (26, [PROFESSION nail technician]).
FOB healthy, 37, [PROFESSION graphic designer].
Works: [PROFESSION cashier].
Employment/education: [PROFESSION dairy farmer] at [ORGANIZATION Umber Tile]
Works part-time ([PROFESSION forklift operator]).
Husband Bram Quist, a [PROFESSION hairdresser].
Domiciled, unemployed [PROFESSION flight attendant], referred.
Occupation is [PROFESSION welder], not [PROFESSION security guard].
"""

NOTHING = """
Takes St. John's wort for mood.
The Framingham score is 12 percent.
Lyme serology pending; Coxsackie and Norwalk virus negative.
West Nile IgM negative, Rocky Mountain spotted fever considered.
Fitted with a Boston brace and a Miami J collar.
Glasgow coma scale 15; New York Heart Association class III.
Vaccinated against Hong Kong flu and German measles.
Given Ringer's lactate through a 6 French catheter.
CT of the chest, MD aware, PA present, OR at 0700.
Seen by the MA, then by the PA in the OR.
Follow up in Clinic in two weeks.
Taken to the hospital and seen in the emergency department.
Transferred to the ICU, then to MICU and to the step-down unit.
Admitted to Medicine, then to Cardiology.
Transferred from OSH for further care.
Went to the OR for repair; returned to PACU in stable condition.
He is Portuguese and his wife is Haitian.
Speaks Spanish and Cape Verdean Creole.
Brief Hospital Course: improved on antibiotics.
Hospital Day 3: afebrile.
The nurse was called; the surgeon is aware.
Seen by the nurse practitioner and the social worker.
He is a smoker and a poor historian.
She is a good candidate for surgery.
He was a full code on admission.
Patient is a poor surgical candidate.
Retired, lives with wife.
Occupation: retired
Occupation: unemployed
Employment: none at present
Works out three times a week.
Worked up for anemia.
He is a widower and a father of two.
She is a vegetarian.
Used to smoke in college.
Discharged to home with services.
Discharged to rehab in good condition.
Discharged to a skilled nursing facility.
Lives in an assisted living facility.
Lives at home with his wife.
Lives on the second floor.
Room air saturation 96%; in the room with family.
Bed 30 degrees; out of bed 3 times.
Unit 2 of packed cells is running.
On room 2 L oxygen.
12 CT scans, 3 Dr visits and 5 ST elevations.
In Pain, Not sleeping; OK to discharge, HI index high.
ME exposure; IN and OUT catheterization; OR time 3 hours.
Take 1 tab PO QAM, 2 tabs PO QHS.
Given 500 mL NS over 1 hour.
L5-S1 disc, T4 level, C3 fracture.
Patient presents from home with cough.
Sent to Radiology for CT and to Pathology for review.
Follow up with Orthopedics and Infectious Disease.
Referred to Physical Therapy and Pain Management.
Turkey sandwich for lunch; guinea pig at home; china plate.
The patient denies travel to endemic areas.
Hep A and B vaccines given before trip abroad.
Seen in the Emergency Room and in the Coumadin Clinic.
The right lower extremity is in a Jones dressing.
Doing well on Monday, seen in June at follow-up.
Family history: mother with breast cancer, father with CAD.
Philadelphia chromosome negative; Minnesota tube at bedside.
Denver shunt placed; Kansas sign absent; Marburg virus considered.
Ebola and Zika were discussed; St. Louis encephalitis negative.
Medical Center policy; General Surgery and General Medicine follow.
Health care proxy is on file; health center visit was routine.
Care Center Staff notified. Rehabilitation Center placement pending.
Pt in bed 24 hours a day, room temperature fluids.
Lower bay of the valve; a port was placed in the left chest.
He takes Lantus at night, worked with PT at bedside.
Student nurse present at the bedside; teacher said nothing.
Consults: Cardiology, Renal, Neurology. Diet: Cardiac.
Start Augmentin, to Coumadin, from Lasix to Bumex, on Keppra.
Changed from Prednisone to Methotrexate; allergic to Percocet.
Switched from Lipitor to Crestor in March.
History of Parkinson and moved to Sinemet.
Diagnosed with Lyme in 2019; moved to Stage 3.
Zip line injury; zipper stuck; unzip.
State: alert and oriented. City of birth unknown.
Address: unknown. Employer: none. Occupation: n/a.
Department of surgery; dept meeting; ward rounds in the morning.
Patient was transferred from bed to chair, from floor to Unit.
Right Upper Lobe, Left Main, Circumflex, Left Lane of the treadmill.
Patient in no acute distress, from Nursing: voided once.
Score of 4 on CHADS2 Vasc. Ranson and Child Pugh B.
Insurance: pending. Insurance: private. Religion: Catholic.
Denies recent travel, sick contacts or new pets.
Patient was admitted to the Medicine service and then transferred to the Surgical ICU.
Seen by Physical Therapy and Occupational Therapy; cleared for home.
Follow up with PCP in 1 week and Cardiology in 4 weeks.
He was found in Atrial Fibrillation with RVR and started on Diltiazem.
The patient is a pleasant woman in no distress; she is a reliable historian.
Labs: Na 138, K 4.1, Cl 102; CXR: No acute process.
Continue Lisinopril, switch from Lantus to Levemir, hold Metformin.
Plan: transfer to Neurosurgery if exam worsens; Palliative Care consulted.
IN: 1200 mL. OUT: 900 mL. OK to remove Foley. ME: 3 episodes. OR tomorrow.
MRI Brain: Left MCA infarct. CT Head: No bleed. US Abdomen: Gallstones.
Social worker and case manager met with family at bedside.
She is a former smoker and former IV drug user.
He was a restrained passenger in a motor vehicle accident.
Assessment and Plan: Stable for discharge to Acute Rehab.
Allergies: Penicillin (rash), Sulfa (hives), Latex.
Echo showed EF 55% with mild MR; Stress Test negative.
Speech Therapy recommends Mechanical Soft diet with Nectar Thick liquids.
Code Status: Full Code. Diet: Cardiac. Activity: As tolerated.
Work-up in the Emergency Department included Blood Cultures and Lactate.
CONSTITUTIONAL: No fever. EYES: No redness. CARDIOVASCULAR: Regular Rate and Rhythm.
Right IJ placed in OR under Ultrasound guidance; position confirmed by X-Ray.
Skin: Warm and Dry. Neuro: Alert and Oriented to Person, Place and Time.
Patient transferred to Step Down Unit; report given to RN.
ALLERGIES: NKDA. MEDICATIONS: see list. DISPOSITION: Home.
Transitioned from Heparin to Apixaban; bridged to Coumadin.
The American Heart Association recommends Aspirin in Secondary Prevention.
Dx: Stage III Chronic Kidney Disease, Type 2 Diabetes, Grade 2 Diastolic Dysfunction.
Passed Swallow Eval; OK for Regular Diet per Speech.
In Summary, this is a complex case. At Baseline he walks. From Triage: chest pain.
Seen by the Wound Nurse; dressing changed at Bedside.
He is an alcoholic and is a danger to himself; placed on Section hold.
He works hard and is in good spirits; has a good job and no money problems.
Given 2 Units PRBC, 1 Liter LR; sent to Cath Lab with Cardiology Fellow.
Nutrition: Consulted. PT/OT: Ordered. DVT ppx: Heparin SQ.
Trauma Center activation; Level 1 Trauma called; Stroke Team paged.
Born at Term via C-Section; Apgars 8 and 9; went to Well Baby Nursery.
Past Surgical History: Appendectomy, Cholecystectomy, Right Knee Replacement.
Health Care Proxy is on file. Home Health Aide visits. Care Management following.
He is a well known patient of the Heart Failure Service with Advanced Disease.
Per Cardiology, continue. Interventional Radiology: drain placed. (Nuclear Imaging)
PAIN CLINIC - Follow up as needed
SEEN IN THE ED AT NIGHT. Seen at PACU, sent to MICU; cath showed 60% LAD; pain 4/10 at RLQ.
ED NOTE  STAT
Transferred to SNF via EMS; sent to MRI; given at QHS; surgery date set, NPO, pre-op.
Records (Reviewed), PCP (Primary), hospital course; at Night for labs.
Supplemental Oxygen at 2 L; Bed Mobility: independent; Study Drug held; Preferred Pharmacy: none
Insurance: Medicare. Plan: Continue Aspirin 81. Primary: Chest Pain, ID consulted. Cost: High.
Unit 1 PRBC, Unit 2 FFP. LOC: brief, Location: Left Breast 3 cm. Station: 0. OR: n/a.
OR 2.3 (1.1-4.5); chair 2 times; Level 1 Trauma; trauma 3 days ago.
Needs help to shop, cook, clean; seen with nurse, social worker, and pharmacist.
"""


def found(text: str) -> list[tuple[str, str]]:
    (spans,) = detect_texts(DETECTORS, [text], SETTINGS)
    return [(s.category, text[s.start : s.end]) for s in spans if s.category in CATEGORIES]


@pytest.mark.parametrize("sentence", MARKED.strip().splitlines())
def test_what_is_marked_is_found(sentence: str) -> None:
    sentence = sentence.replace("\\n", "\n")
    assert found(MARK.sub(r"\2", sentence)) == MARK.findall(sentence)


@pytest.mark.parametrize("sentence", NOTHING.strip().splitlines())
def test_nothing_is_found(sentence: str) -> None:
    assert found(sentence) == []


def test_a_line_of_capitals_on_its_own_is_no_place() -> None:
    assert found("HISTORY OF PRESENT ILLNESS:\nPATIENT SEEN AND EXAMINED IN THE CLINIC.") == []


def test_an_address_in_three_lines() -> None:
    text = "Quist, Maren\n88 Tamarack Hill Rd\nPort Harrow, VT 05001\nPhone: (555) 555-0142"
    assert found(text) == [
        ("STREET", "88 Tamarack Hill Rd"),
        ("CITY", "Port Harrow"),
        ("STATE", "VT"),
        ("ZIP", "05001"),
    ]
