"""Invented people's names, towns, streets, institutions and occupations."""

from __future__ import annotations


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.replace("\n", " ").split(";"))


GIVEN_F = """
Linda Barbara Susan Margaret Donna Ruth Helen Betty Nancy Karen Brenda Pamela Janet Diane Virginia Christine Janice
Marie Kathleen Frances Rebecca Stephanie Angela Melissa Amy Nicole Crystal Brittany Amber Ashley Megan Kayla Alyssa
Jennifer Michelle Laura Tonya Ebony Keisha Aaliyah Imani Nia Rosa Teresa Ana Luz Blanca Silvia Marta Alma Socorro
Valentina Camila Ximena Thanh Hoa Ngoc Mai Lan Ying Fang Hui Sunita Kavita Radha Fatima Aisha Maryam Rania Hanan Olga
Irina Galina Tatiana Ewa Danuta Ursula Brigitte Giuseppina Concetta Filomena Asha Hodan Selam Abeba Josephine Agnes
Eleanor Lucille Bernice Norma Phyllis Joanne Gail Robin Kelly Paige Autumn Skye Brooke Sandy Penny Star Melody Holly
Marguerite Claudette Solange Evangeline Lupe Noelani Winona Elodie Raquel Pilar
""".split()

GIVEN_M = """
Robert James John Michael William David Richard Joseph Thomas Charles Daniel Matthew Anthony Donald Steven Paul Kenneth
Joshua Brian Edward Jason Jeffrey Ryan Jacob Gregory Eric Jonathan Larry Justin Brandon Benjamin Samuel Raymond Patrick
Jack Dennis Jerry Tyler Aaron Henry Douglas Peter Kyle Noah Ethan Jeremy Albert Wayne Ralph Roy Eugene Louis Philip
Bobby Johnny Bruce Harry Howard Carlos Juan Miguel Luis Manuel Ricardo Roberto Hector Rigoberto Ernesto Julio Cesar
Tyrell DeAndre Marcus Terrell Jermaine Antoine Malik Kareem Abdul Hassan Mustafa Bilal Samir Tuan Hung Vinh Dat Ming
Hao Chen Ravi Suresh Anil Mohan Igor Boris Oleg Pavel Stanislaw Janusz Gianni Aldo Carlo Dag Nils Heinz Klaus Moses
Abel Caleb Levi Ezra Clay Dusty Lane Ty Buck Rex Cliff Wes Jordan Taylor Morgan Kai Yohannes Girma
""".split()

NICKNAMES = "Buddy Skip Bunny Red Sissy Peanut Chick Tee Mac Dot Coco Jojo Ace Birdie".split()

SURNAMES = _items("""
Johnson; Williams; Jones; Davis; Miller; Wilson; Moore; Anderson; Thomas; Jackson; Harris; Martin; Thompson; Garcia;
Martinez; Robinson; Rodriguez; Lewis; Lee; Walker; Hall; Allen; Hernandez; Wright; Lopez; Scott; Adams; Gonzalez;
Nelson; Carter; Mitchell; Perez; Roberts; Turner; Phillips; Campbell; Parker; Evans; Edwards; Collins; Stewart; Sanchez;
Morris; Rogers; Cooper; Richardson; Cox; Howard; Ward; Torres; Peterson; Ramirez; James; Watson; Kelly; Sanders; Bennett;
Barnes; Ross; Henderson; Coleman; Jenkins; Perry; Powell; Patterson; Hughes; Flores; Washington; Butler; Simmons; Foster;
Bryant; Alexander; Russell; Griffin; Diaz; Hayes; Myers; Hamilton; Graham; Sullivan; Wallace; Woods; Cole; West; Jordan;
Owens; Reynolds; Ellis; Harrison; Gibson; McDonald; Marshall; Ortiz; Gomez; Murray; Freeman; Webb; Tucker; Porter; Hicks;
Crawford; Henry; Boyd; Morales; Kennedy; Warren; Dixon; Ramos; Reyes; Shaw; Gordon; Nichols; Dunn; Crane; Beam; Lawn;
Waterhouse; Gillespie; Kaminski; Nowakowski; Wozniak; Lindgren; Thorsen; Halloran; Mulcahy; Finnegan; McGrath; O'Connell;
O'Hara; DeLuca; Di Marco; Mancini; Petrillo; Scarpelli; Schneider; Hoffmann; Zimmermann; Kessler; Roth; Feldman; Katz;
Levine; Abramowitz; Petrov; Ivanova; Bondarenko; Melnyk; Papadopoulos; Economou; Kazarian; Nasser; Hakimi; Rahimi; Saleh;
Al-Hashimi; El Sayed; Hussein; Farah; Abdi; Gebre; Bekele; Asante; Eze; Ogundipe; Achebe; Nkemelu; Patel; Shah; Desai;
Reddy; Nair; Gupta; Banerjee; Khan; Malik; Begum; Chen; Liu; Huang; Lin; Kwok; Tang; Kim; Park; Choi; Jang; Tanaka;
Suzuki; Mori; Le; Hoang; Duong; Ly; Her; Thao; Saelee; Santos; dela Cruz; Magsaysay; Ocampo; Kamaka; Tupuola; Sixkiller;
Cloud; Manuelito; Toussaint; Jean-Baptiste; Desir; Etienne; Thibault; Cormier; Ouimet; Beausoleil; Van Dyke; de Vries;
Jimenez; Vega; Solis; Cardenas; Guerrero; Maldonado; Avila; Rosario; Acevedo; Betancourt; Ureña; Peña; Nuñez; Câmara
""")

TOWNS = _items("""
Brockhaven; Mapleton; Easthollow; Quincy Flats; New Carthage; Fairmount; Glen Arden; Port Wendell; Rockdale; Bristow;
Lindenwood; North Attley; Clearfork; Sterling; West Harmony; Elk Prairie; Stony Ridge; Holcomb; Dry Creek; Belmont Park;
Santa Rosalia; Los Encinos; Bayou Noir; Ketterly; Marshfield Center; Hadleyville; Medway; Union City; Concord; Georgetown;
Pleasant View; Burnt Hills; St. Albans; Kingsbury; Wapello Falls; Tisbury; Ridgely; Cold Spring; Florence; Jackson
""")

STATES = """
Massachusetts=MA Connecticut=CT New_York=NY New_Jersey=NJ Pennsylvania=PA Ohio=OH Illinois=IL Missouri=MO Texas=TX
California=CA Florida=FL North_Carolina=NC Georgia=GA Minnesota=MN Nebraska=NE Utah=UT Oregon=OR Maine=ME Idaho=ID
South_Carolina=SC Kansas=KS Iowa=IA Mississippi=MS New_Hampshire=NH
""".split()

STREETS = _items("""
Main; Elm; Oak; Maple; Washington; Lincoln; Park; Highland; Summer; Winter; Pearl; Spring; Franklin; Adams; Madison; River;
Beacon; Willow; Cherry; School; Pine Ridge; Old Stage; Turnpike; Cobblestone; Fox Chase; Deer Path; Sunset; Whispering Pines;
Bishop Allen; Dr. King; Saint Paul; 5th; 19th; NE 67th; SW 4th; W. 112th; N Clark; Palma; Old County; Stagecoach;
Grove; Tremlett; Hancock; Valley View; Brookside; Windsor; Kensico; Cabot; Mountain; Shore
""")

STREET_TYPES = """
Street=St Avenue=Ave Road=Rd Drive=Dr Lane=Ln Court=Ct Circle=Cir Parkway=Pkwy Place=Pl Boulevard=Blvd Terrace=Ter Square=Sq
""".split()

COUNTRIES = _items("""
Dominican Republic; Colombia; China; Russia; Somalia; Iraq; Venezuela; Albania; Ireland; Morocco; Cameroon; Syria; Liberia;
Trinidad; Bhutan; Panama; Greece; Uganda; Myanmar; Egypt
""")
FOREIGN_CITIES = _items("""
Santo Domingo; Medellín; Fuzhou; Samara; Mogadishu; Mosul; Maracaibo; Tirana; Galway; Casablanca; Douala; Aleppo; Monrovia;
San Fernando; Thimphu; Colón; Thessaloniki; Kampala; Mandalay; Alexandria
""")

HOSPITALS = _items("""
Wendell-Harmon Medical Center|Wendell-Harmon|WHMC|wendellharmon; Brockhaven City Hospital|Brockhaven City|BCH|brockhavencity;
St. Clement's Hospital|St. Clement's|SCH|stclements; Sisters of Providence Hospital|Providence|SPH|sistersprov;
Fairmount University Hospital|Fairmount|FUH|fairmountuh; Ketterly Memorial Hospital|Ketterly|KMH|ketterlymem;
Baptist Hospital of New Carthage|Baptist|BHNC|baptistnc; Elk Prairie Medical Center|Elk Prairie|EPMC|elkprairie;
Mount Tabor Medical Center|Mt. Tabor|MTMC|mttabor; Lindqvist Clinic|Lindqvist|LQC|lindqvist;
Stony Ridge VA Medical Center|Stony Ridge VA|SRVA|stonyridge; Children's Hospital of Port Wendell|Wendell Children's|CHPW|wendellkids;
Holy Name Regional|Holy Name|HNR|holyname; Santa Rosalia Community Hospital|Santa Rosalia|SRCH|santarosalia;
Abbott-Greene Cancer Institute|Abbott-Greene|AGCI|abbottgreene; North Shore General|North Shore|NSG|nsgeneral;
Clearfork County Hospital|Clearfork County|CCH|clearfork; Beckwith Orthopaedic Hospital|Beckwith|BOH|beckwith;
Hadley-Burke Medical Center|Hadley-Burke|HBMC|hadleyburke; Riverside Methodist|Methodist|RMH|rivermethodist
""")

NURSING_HOMES = _items("""
Maplewood Rehabilitation and Nursing; Beacon Hill Manor; Carriage House at Holcomb; Presentation Nursing Home; Royal Ridge;
Kindly Light Care Center; Glen Arden Health & Rehab; Timber Creek Transitional Care; The Residence at Cold Spring;
St. Joachim Manor; Golden Living of Sterling; Masonic Home
""")
CLINICS = _items("""
Fairmount Primary Care; Glen Arden Family Medicine; Brockhaven Neighborhood Health Center; Harmony Heart Group;
Linden Gastroenterology; Valley Ortho & Sports Medicine; Tisbury Eye Center; East Side Urgent Care; Concord Kidney Care;
Center for Sleep Health; Ketterly Dermatology; Medway Internists; Rockdale Pulmonary Associates; Bristow Surgical Associates;
Nephrology Partners of Jackson; Elk Prairie Rural Clinic; Cold Spring Neurology; PromptCare Express
""")
CHILD_CLINICS = _items("""
Sterling Pediatrics; Bright Star Pediatrics; Brookside Children's Clinic; Port Wendell Pediatric Group; Kidz First Medical
""")
WOMENS_CLINICS = _items("""
Women's Health of Kingsbury; Harmony OB-GYN; Comadre Birth & Wellness; Maternal Fetal Associates; Juniper Midwifery
""")
MENTAL_CLINICS = _items("""
Turning Point Counseling; Stanton House; Bayview Behavioral Health; Pine Street Psychiatry; New Dawn Detox
""")
WARDS = _items("""
Baker 7; 8 Lunder; Feldberg 4; 10A; 5 Surgical; Farr 3; CVICU East; Yawkey 6; 4 Medical; West Pavilion 2; Hale Tower 12;
Bulfinch Unit; Reisman 11; 6 Hillman; Pod C; Smith Tower 5; Lawrence 3 North; 2B Telemetry
""")

EMPLOYERS = _items("""
Medway Transit; Rockdale Casting; Harmony Dairy; Clearfork Unified Schools; Kowalczyk Plumbing; Port Wendell Container Terminal;
FreshWay Markets; Union City Police Department; Bristow Aerospace; Tri-Lakes Poultry; BlueStar Airlines; Holcomb Correctional Facility;
Delgado Landscaping; Sterling Savings Bank; Ketterly Woolen Mill; Parcel Direct; Fairmount Sanitation; Dunlap & Reyes Law
""")
SCHOOLS = _items("""
Lincoln Elementary; Brockhaven High; Medway Regional Middle School; Fairmount Elementary; Sacred Heart Academy; Elm Street School;
Tiny Steps Child Care; Ridgely Vocational High; Roosevelt K-8; Bishop Connell High School
""")
INSURERS = _items("""
Harbor Pilgrim; BlueShield of the Prairie; Evergreen Health Plan; Optima Choice; TriValley Care; Unity Senior Advantage;
Standard Casualty; Northern Mutual; CareFirst Partners; Teamwell HMO; Commonwealth Care Trust
""")
PHARMACIES = _items("""
Medway Drug; Walton Pharmacy; CareRite #4417; Brockhaven Apothecary; Family Drug Mart; Holcomb Hometown Pharmacy; RxDirect;
Main Street Pharmacy; Saver Drugs
""")
AGENCIES = _items("""
Elder Services of Clearfork; Salvation Army; Meals on Wheels; Department of Social Services; Habitat for Humanity; Boys & Girls Club;
Narcotics Anonymous; Tenants United; Catholic Family Services; Goodwill; Council on Aging; Friends of Recovery; Head Start
""")
CHURCHES = _items("""
Grace Lutheran; St. Bonaventure; New Hope AME; Temple Sinai; Iglesia Roca Viva; First Baptist; Islamic Society of Brockhaven;
Kingdom Hall of Holcomb
""")
HOME_CARE = _items("""
Suburban Home Health; CareGivers VNA; Hope Hospice of Jackson; Prairie Home Nursing; Guardian Infusion; At Home Partners
""")
EQUIPMENT = _items("""
Lifeline Medical Supply; Apex Oxygen; Norwood Prosthetics; ComfortMed; Reliable DME; Stride Orthotics
""")
AMBULANCES = _items("""
Fallon-Pierce Ambulance; Brockhaven Fire; AirCare 2; Holcomb Rescue Squad; MedTrans; Clearfork County EMS
""")

JOBS = _items("""
truck driver; nurse's aide; retail manager; high school teacher; carpenter; engineer; office manager; waitress; attorney;
construction worker; machine operator; secretary; housekeeper; mechanic; chef; police officer; farmer; bank teller; pharmacist;
electrician; custodian; accountant; social worker; cab driver; stay-at-home mother; web designer; firefighter; longshoreman;
staff sergeant; letter carrier; painter; special education teacher; butcher; pilot; roofer; data analyst; hair stylist; plumber;
ironworker; dental assistant; lobbyist; musician; priest; seamstress; meat cutter; warehouse worker; cashier at a grocery;
sanitation worker; rancher; Uber driver; bus monitor; graduate student; textile worker; real estate broker; tool and die maker
""")
COUNTIES = _items("""
Clearfork County; Holcomb County; Jasper Parish; Medway Township; Tri-Lakes County; Wapello County
""")
LANDMARKS = _items("""
Harmony Mall; Prairie Lakes State Park; Logan Field; Lake Winnisquam; Rockdale Common; Fenwood Beach; Veterans Memorial Park;
Mount Osceola; Cedar Point Marina; the Clearfork Fairgrounds
""")
ROADS = _items("""
Route 28; Interstate 95; the Medway Bridge; Highway 61; the Holcomb Rotary; County Road 9; the Tri-Lakes Expressway
""")
HOLIDAYS = _items("""
Thanksgiving; Christmas; New Year's Day; Labor Day; Memorial Day; July 4th; Easter; Halloween; Mother's Day; Columbus Day;
Super Bowl Sunday; Ramadan; Yom Kippur
""")
