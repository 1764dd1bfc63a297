"""Invented towns, streets, institutions, occupations and landmarks."""

from __future__ import annotations


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.replace("\n", " ").split(";"))


TOWNS = _items("""
Fallowfield; Eastbrook; North Haverill; Mount Perrin; Sandwick; Three Elms; Port Callan; Duncastle; Wrexby;
South Ambrey; Talliver; Ash Fork Hollow; Cedar Bluff; Burlingham; Kirby Falls; Winnetonka; Lake Ardith; Orchard Mills;
Prosper; Mineola Springs; Bridgely; Stanwick; Old Saxby; Grafton Corners; Pinehurst Lakes; Marrow Bay; Hartsdown;
Eagle Point; Vernal Heights; West Tilbury; Hollins; Sweetbriar; Coldwater Junction; Nokesville Park; El Rancho Verde;
San Tadeo; Bayou Clare; Chatham Ridge; Little Compton Falls; Ironton
""")

STATES = tuple(
    """
Pennsylvania=PA Ohio=OH Georgia=GA Virginia=VA Washington=WA Michigan=MI Indiana=IN Louisiana=LA Arizona=AZ
New_Jersey=NJ North_Carolina=NC Kentucky=KY Wisconsin=WI Colorado=CO Tennessee=TN Maryland=MD West_Virginia=WV
Rhode_Island=RI Hawaii=HI Missouri=MO Oklahoma=OK New_Mexico=NM Alabama=AL Montana=MT
""".split()
)

STREETS = _items("""
Chestnut Hill; Old Mill; Magnolia; Larch; 11th; 23rd; Juniper; Commonwealth; Saint Anne; Prospect; Quarry;
Lakeshore; MacArthur; Sycamore; W 82nd; E Cortland; S Halvern; Constitution; Peachtree Hollow; Meeting House;
Calle Real; Rosewood; Fox Run; Hickory; Sleepy Creek; Whitetail; N Broad; Pulaski; Garfield; Parsonage; Ferry Landing;
Bluebonnet; Jefferson Davis; Cherry Blossom; Upper Falls; Aqueduct; Kensington; Tupelo; Mission; Laurel Canyon; Depot
""")

STREET_TYPES = """
Street=St Avenue=Ave Road=Rd Lane=Ln Drive=Dr Boulevard=Blvd Court=Ct Place=Pl Terrace=Ter Circle=Cir Parkway=Pkwy
Trail=Trl Highway=Hwy
""".split()

COUNTRIES = _items("""
El Salvador; Eritrea; Thailand; Laos; Lithuania; Nicaragua; Sri Lanka; Kenya; Ecuador; Pakistan; Cambodia; Italy;
Moldova; Barbados; Tanzania; South Korea; Bolivia; Costa Rica; Bangladesh; Lebanon
""")

FOREIGN_CITIES = _items("""
Santa Ana; Asmara; Chiang Mai; Vientiane; Kaunas; Managua; Kandy; Mombasa; Guayaquil; Lahore; Siem Reap;
Palermo; Chisinau; Bridgetown; Arusha; Busan; Cochabamba; San José; Sylhet; Tripoli
""")

HOSPITALS = _items("""
St. Brendan's Medical Center|St. Brendan's|SBMC|stbrendans; Kittredge Valley Hospital|Kittredge|KVH|kittredge;
Our Lady of Consolation Hospital|Consolation|OLC|olconsolation; University of Harlan Medical Center|Harlan|UHMC|harlanmed;
Tri-Rivers Regional Health Center|Tri-Rivers|TRRHC|tririvers; Sutcliffe Memorial Hospital|Sutcliffe|SMH|sutcliffe;
Good Shepherd Hospital of Wrexby|Good Shepherd|GSH|goodshepherdwrexby; Beth Shalom Medical Center|Beth Shalom|BSMC|bethshalom;
Lakeland Adventist Hospital|Lakeland Adventist|LAH|lakelandadv; Pemberton General Hospital|Pemberton General|PGH|pembertongen;
Three Elms Community Hospital|Three Elms Community|TECH|threeelmsch; Vantage Children's Hospital|Vantage Children's|VCH|vantagekids;
Mercy Redemptorist Medical Center|Mercy|MRMC|mercyred; Fort Dunmore Army Medical Center|Dunmore|FDAMC|dunmore;
Carraway Heart & Vascular Hospital|Carraway|CHVH|carraway; Hospital of the Good Samaritan|Good Sam|HGS|goodsamhosp;
Delmont-Price University Hospital|Delmont-Price|DPUH|delmontprice; Northeast Bayou Hospital|Bayou|NEBH|nebayou;
Stonebridge Surgical Hospital|Stonebridge|SSH|stonebridgesx; Eastern Cascade Medical Center|Eastern Cascade|ECMC|ecascade
""")

NURSING_HOMES = _items("""
Larchwood Care Center; The Terraces at Marrow Bay; Maple Leaf Manor; Sts. Cyril & Methodius Home; Heritage Pointe;
Sunrise Meadows Nursing and Rehab; Villa Serena; Brightwater Commons; Colonial Oaks; Arbor Court
""")

REHABS = _items("""
Ferncliff Rehabilitation Hospital; Bayside Acute Rehab; Holyrood Rehab Institute; Next Step Recovery Center;
Crossroads Transitional Care; Highpoint Spine & Rehab
""")

CLINICS = _items("""
Duncastle Family Practice; Vernal Heights Internal Medicine; La Clinica del Pueblo Nuevo; Prospect Street Health Center;
Ridgeway Medical Associates; Talliver Walk-In Clinic; Kirby Falls Rural Health Clinic; Ambrey Cardiology Consultants;
Lake Ardith Kidney Specialists; Hartsdown Urology Group; Lower Falls Geriatrics; Garfield Medical Building; Old Saxby Health Commons; Saxby Pain & Spine; Quarry Road Endocrine Associates; Winnetonka Tribal Health Center
""")

CHILD_CLINICS = _items("""
Little Acorns Pediatrics; Fallowfield Children's Clinic; Park Row Pediatrics; Puddle Lane Kids; Mill Pond Pediatric Associates;
Eastbrook Adolescent Medicine
""")

BIRTH_CENTERS = _items("""
Bluestem Women's Care; Moonrise Birth Center; Casa Nacer; Hartsdown Midwives; Full Circle Birthing House
""")

HEARING_CLINICS = _items("""
Cascade Eye & Ear; Vernal Hearing Center; Ambrey ENT & Audiology; Sound Choice Clinic; Ironton Otolaryngology
""")

WARDS = _items("""
7 West; 5 North Tower; Ellery 8; Cardiac Step-Down Unit 4C; Rathburn Pavilion; Tower 11; Phillips House 22; 3 East;
Gorham 6B; Whittaker Unit; 2 South; MICU-B; Oncology 9 Central; T-10; Founders 4
""")

EMPLOYERS = _items("""
Harcourt Tool & Die; Blue Heron Foods; Delphi Freight Lines; Stanwick Public Works; Ironton Steel; Kestrel Aerospace;
Marrow Bay Seafood Co.; Bigelow Roofing; PrimeCart Fulfillment; Lakeland Unified School District; Sawyer & Sons Paving;
Golden Crust Bakery; Orchard Mills Paper; Atlas Door; Winnetonka Transit Authority; Fennick Poultry; Hotel Belvoir
""")

SCHOOLS = _items("""
Grafton Corners Elementary; Thurgood Marshall Middle School; St. Agatha School; Sweetbriar Montessori; P.S. 219;
Eagle Point K-8; Cesar Chavez Academy; Hollins Day School; Little Sprouts Preschool; Ironton Head Start
""")

INSURERS = _items("""
Keystone Mutual Health; BlueRidge Advantage; Amerivale; Pacific Crest HMO; United Teamsters Benefit Fund;
Granite Health Plan; Sentry Casualty; WellPath Select; Tri-State Indemnity; CommunityFirst Choice
""")

PHARMACIES = _items("""
Duffy's Drug; Corner Rx; ValuMed Pharmacy #218; Lakeshore Apothecary; MedPlus Specialty; Hometown Drugs;
Farmacia San Tadeo; QuickScript Mail Order
""")

AGENCIES = _items("""
Department of Children and Families; Catholic Charities; Lions Club; Red Cross; Area Agency on Aging;
Adult Protective Services; Social Security Administration; Alcoholics Anonymous; Harvest Table Food Bank;
Legal Aid Society; Eagle Rotary
""")

CHURCHES = _items("""
Mount Nebo Baptist; Holy Trinity Orthodox; Church of the Ascension; Temple Emanuel; Masjid Al-Noor; Zion Lutheran;
St. Casimir Parish; First Methodist
""")

HOME_CARE = _items("""
Comfort Bridge Home Health; Allegiant VNA; Sunflower Hospice; Porchlight Home Care; Keystone Infusion Partners;
Gentle Hands LLC; Northfork Palliative
""")

EQUIPMENT = _items("""
Breathe-Rite Oxygen; Weston Mobility; Ardent Medical Supply; Linden Valley Equipment; Orthotech Bracing; ClearTone Hearing
""")

AMBULANCES = _items("""
Stanwick Fire Rescue; Medic One; Tri-County EMS; LifeNet 3; Port Callan Volunteer Ambulance Corps; Wrexby FD
""")

JOBS = _items("""
sheet-metal worker; bus driver; pastry chef; sous chef; notary; lineman; optician; actuary; drywall hanger; cattle rancher;
third-grade teacher; elevator mechanic; barber; order picker; tax accountant; school custodian; dressmaker; oboist;
tow-truck driver; software developer; tattoo artist; postal carrier; pipefitter; corrections officer; nanny;
quarry worker; lobsterman; mortgage broker; museum curator; union steward; baggage handler; toolmaker; nail technician;
deacon; deli manager; warehouse picker; stenographer; volunteer fireman; meat packer; beekeeper; high school principal;
night watchman; auctioneer; groundskeeper; glazier; cellist; waitress; professor of linguistics; tugboat captain
""")

COUNTIES = _items("""
Tunnicliff County; Harlan County; San Tadeo County; Orrick Parish; Lower Saxby Township; Dunmore County; Choctaw Bend County
""")

LANDMARKS = _items("""
Wrexby Bridge; Lake Ardith State Park; the Route 9 overpass; Marrow Bay Marina; Pulaski Square; the Eastbrook Mall;
Ironton Speedway; Coldwater Dam; Whitcomb Airport; Hickory Ridge Golf Course; Exit 14 of Interstate 81; Fairgrounds Arena
""")

HOLIDAYS = _items("""
Labor Day; Easter; New Year's Eve; Memorial Day; Mother's Day; Halloween; Passover; the Fourth of July; Veterans Day;
Ramadan; Christmas Eve; Thanksgiving
""")
