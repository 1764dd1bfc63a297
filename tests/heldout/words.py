"""Names of people, places, institutions and occupations. All invented combinations."""

from __future__ import annotations

GIVEN_F = """
Grace Hope Rose April June May Faith Joy Dawn Ivy Iris Summer Renée Chloé Zoë Siobhán Aoife Niamh Ngozi Adaeze Folake
Wanjiru Amina Fatoumata Zainab Leila Shirin Yasmin Nasrin Parisa Priya Ananya Lakshmi Meenakshi Harpreet Mei-Ling Xiu
Yuki Haruka Soo-Jin Minji Thuy Linh Anh Malia Leilani Maria Guadalupe Xóchitl Inés Consuelo Milagros Beatriz Joana
Ludmila Svetlana Oksana Agnieszka Małgorzata Jadwiga Ingrid Sigrid Astrid Marit Birgitta Hannelore Gudrun Elif Ayşe
Tamar Shoshana Rivka Deborah Patricia Kimberly Latoya Shaniqua Mary Anne-Marie Dolores Henrietta Winifred Pearl
""".split()

GIVEN_M = """
Mark Will Drew Bill Chase Grant Rich Art Gene Miles Jay Frank Rob Christian Jesús José Andrés Joaquín Raúl Ignacio
Thiago Rui Matteo Luca Giancarlo Étienne Rémy Jean-Paul Søren Lars Bjørn Håkon Jürgen Günther Wolfgang Zdeněk Tomasz
Krzysztof Mirosław Vasyl Dmitri Yevgeny Aram Levon Dariush Kaveh Omar Khalid Yusuf Ibrahim Mamadou Kwame Kofi Chidi
Oluwaseun Tendai Sipho Rajesh Venkat Arjun Gurpreet Farhan Wei Jun Hiroshi Kenji Dong-Hyun Quang Minh Bao Keoni Sione
Desmond Terrence Deshawn Leroy Walter Harold Elmer Brendan Cormac Moshe Avi
""".split()

SURNAMES = (
    """
Young Long Price Rice Park King White Brown Gray Green Rose May Hope Day Love Best Sharp Strong Stone Wood Field Banks
Bishop Cook Carver Mason Fisher Hunt Hunter Archer Marsh Brooks Rivers Ford Church Temple Knight Pope Bell Ball Head
Hand Legg Foot Blood Burns Payne Akers Little Short Small Swift Wise Savage Noble Fields Winter Summers Sunday Friday
Núñez Ibáñez Muñoz Peña Villaseñor Quiñones Echeverría Zavala Tejeda Arreola Cisneros Ocampo Delgado Montoya
Figueroa Barragán Izquierdo Avelar Bragança Teixeira Conceição Figueiredo Sequeira D'Angelo D'Amico DiNardo Lo
Esposito Ferrante Guarnieri Szczepański Wiśniewski Kowalczyk Dąbrowska Błaszczyk Novák Dvořák Hruška Horváth Nagy
Petrović Jovanović Mihajlović Popescu Ionescu Shevchenko Kovalenko Tkachuk Baranov Yelizarov Petrosyan Hovsepian
Ghorbani Tehrani Farrokhzad Haddad Khoury Al-Masri El-Amin Mansour Abboud Yılmaz Öztürk Kılıç Demirci Cohen-Levi
Rabinowitz Mizrahi Ben-David Okafor Nwachukwu Adeyemi Oyelaran Chukwuemeka N'Diaye Diallo Traoré Sow Mensah
Owusu-Ansah Boateng Wambui Kamau Mwangi Abebe Tesfaye Haile Moyo Dlamini Nkosi Iyer Subramanian Krishnamurthy
Deshpande Chatterjee Bhattacharya Gill Sandhu Dhillon Qureshi Siddiqui Chowdhury Rahman Wickramasinghe Perera Zhang
Ouyang Xie Tsai Hsiao Chang-Diaz Watanabe Fujimoto Kobayashi Shimizu Hwang Seong Ryu Nguyen Trần Phạm Vo Dinh
Macaraeg Pangilinan Bautista Dimaculangan Kealoha Kahananui Tuiasosopo Fa'alogo Begay Tsosie Whitehorse Lindqvist
Sjöström Åkerlund Bergström Øverland Haugen Kjærgaard Rasmussen Müller Schröder Weiß Köhler Vandenberghe Okkerse
O'Malley O'Rourke O'Shaughnessy McGillicuddy MacLeod Fitzgibbon Llewellyn Cadwallader Featherstonehaugh Thistlewood
Pemberton-Shaw Okafor-Reyes Quarles Tolliver Witherspoon Broussard Thibodeaux LeBlanc Gauthier Bérubé Lefèvre
""".split()
    + [
        "van der Meer",
        "van den Heuvel",
        "de la Cruz",
        "de Souza",
        "von Hagen",
        "Dos Santos",
        "Abdel Rahman",
        "St. Clair",
        "Della Rocca",
        "Ten Eyck",
    ]
)

TOWNS = (
    """
Dunmoor;Ashby Falls;Corvane;Port Hallam;Wexley;Tamarack;East Brindle;Saltmarsh;North Quarrel;Lower Tansley;Hollis Ferry
Marrowfield;Lakemont;Greyhollow;Cedar Notch;Mount Verity;Pinckney Landing;Old Sawyer;Bellhaven;Starkweather;Orrin
Thornbury Heights;Kettle Point;West Umber;Sandusky Bend;San Ardo Hills;Las Palomas;Bayou Verret;Upper Tolland;Reading
Springfield;Salem;Troy;Mobile;Normal;Hope Mills;Fort Dunning;Cape Ansel;Glen Mabry;Rosedale Park
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

STATES = """
Massachusetts=MA New_Hampshire=NH Vermont=VT Maine=ME Rhode_Island=RI Connecticut=CT New_York=NY Ohio=OH
Pennsylvania=PA Michigan=MI Minnesota=MN Iowa=IA Oregon=OR Washington=WA Nevada=NV Texas=TX Louisiana=LA Georgia=GA
North_Carolina=NC Indiana=IN Illinois=IL Hawaii=HI Delaware=DE Maryland=MD
""".split()

STREETS = (
    """
Alder;Birchmont;Canal;Cotter;Dunmore;Eastlake;Fenwick;Garrison;Harbor View;Ironwood;Jarvis;Kestrel;Larch Hill;Mill Pond
Northgate;Old Post;Pershing;Quincy;Ridgeline;South Main;Tannery;Union;Vesper;Walnut Grove;Yarrow;3rd;14th;N. 42nd
Martin Luther King Jr.;St. Agnes;Camino del Sol;Rue Bellefort;County Line;Church;Hospital Hill;Drury;Poplar;W. Grand
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

STREET_TYPES = "Street=St Avenue=Ave Road=Rd Lane=Ln Drive=Dr Court=Ct Boulevard=Blvd Place=Pl Terrace=Ter Way=Way".split()

COUNTRIES = (
    """
Nigeria;Haiti;Guatemala;El Salvador;Vietnam;the Philippines;Cape Verde;Ukraine;Poland;Iran;Ethiopia;Brazil;Portugal;India
Nepal;Honduras;Ghana;Cuba;Jamaica;Mexico;Japan;Norway;Turkey;Peru;Chad;Georgia;Jordan
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

FOREIGN_CITIES = (
    """
Lagos;Port-au-Prince;Huehuetenango;Cebu;Da Nang;Lviv;Kraków;Shiraz;Addis Ababa;Recife;Kathmandu;Kumasi;Guadalajara
Santa Clara;Nagoya;Bergen;Izmir;Arequipa
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

HOSPITALS = """
Lakemont General Hospital|Lakemont General|LGH|lakemont
Marrowfield Regional Medical Center|Marrowfield|MRMC|marrowfield
St. Brannoc's Hospital|St. Brannoc's|SBH|stbrannoc
Bellhaven Memorial Hospital|Bellhaven Memorial|BMH|bellhaven
Our Lady of Mercy Hospital|OL Mercy|OLM|olmercy
Tamarack Valley Medical Center|Tamarack Valley|TVMC|tamarackvalley
University Hospital of Corvane|UH Corvane|UHC|uhcorvane
Ezra Pinckney Medical Center|Pinckney|EPMC|pinckney
Starkweather Clinic|Starkweather|SWC|starkweather
Mount Verity Hospital|Mt. Verity|MVH|mtverity
Dunmoor Community Hospital|Dunmoor Community|DCH|dunmoor
Northgate Children's Hospital|Northgate Children's|NCH|northgate
Saltmarsh Veterans Medical Center|the Saltmarsh VA|SVMC|saltmarsh
Greyhollow Women's Hospital|Greyhollow|GWH|greyhollow
Thornbury Heights Hospital|Thornbury|THH|thornbury
Kessel-Adler Heart Institute|Kessel-Adler|KAHI|kesseladler
Port Hallam Infirmary|Port Hallam|PHIN|porthallam
Hollis Ferry District Hospital|Hollis Ferry|HFDH|hollisferry
""".strip().split("\n")

NURSING_HOMES = (
    """
Quarry Lane Rehabilitation Center;Willowmere Nursing Home;Harbor Pines Skilled Nursing;The Cloisters at Wexley
Sunny Acres Care Center;Briarwood Manor;Orchard Hill Rehab;Elm Terrace Assisted Living;St. Ita's Home
Golden Oaks Long Term Care;Kettle Point Hospice House;Tansley Spine and Rehab
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

CLINICS = (
    """
Ashby Falls Family Practice;Corvane Eye Associates;Eastlake Pediatrics;Harbor View Dental Group;Union Street Health Center
Drury Square Women's Health;Larch Hill Dialysis Center;Northgate Imaging;Fenwick Counseling Center;Vesper Cardiology
Birchmont Orthopedics;Tannery Road Urgent Care;Poplar Grove Infusion Center;Bellhaven Oncology Associates
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

WARDS = (
    """
6 West;4 North;Tower 7B;Harlan Pavilion;Keating 9;Ward 12;5 East;Whitlow 11;3 South;Unit 8C;Corrigan Pavilion;2 Main
Sloane 14;Farrell Building;North Tower 5;Ames Wing;7 Tolland;Pavilion B
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

EMPLOYERS = (
    """
Corvane Freight;Halvorsen Brothers Roofing;Dunmoor Paper Mill;Tri-County Electric;Bluestem Foods;the Wexley Post Office
Orrin Savings Bank;Kestrel Logistics;Marsh & Vane LLP;Palomas Poultry;Lakemont Public Works;Pike Street Diner
Northgate Transit Authority;Ferrante Auto Body;Umber Steel;Brindle Farms;Quarrel Mountain Resort;Hallam Shipyard
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

SCHOOLS = (
    """
Eastlake Elementary School;Ashby Falls High School;Corvane Community College;Tamarack State University;St. Ita Academy
Little Acorns Daycare;Wexley Middle School;Kettle Point Head Start;Bellhaven Technical Institute;Mabry Elementary
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

INSURERS = (
    """
Palisade Mutual Health;Tri-State Health Plan;Meridian Crest Insurance;Bluewater Advantage;Commonwealth Benefit Trust
Ironbridge Workers' Comp Fund;Granite Peak HMO;Unity Harvest Health
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

PHARMACIES = (
    """
Kelmont Pharmacy;Drury Drug;Old Post Apothecary;Vesper Drugs;Canal Street Pharmacy;Hargrove's Pharmacy
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

AGENCIES = (
    """
Tamarack Home Health;Harbor Hospice Alliance;Corvane Housing Authority;Safe Landing Shelter;Bridges Adult Day Program
Open Table Food Pantry;Umber County Elder Services;New Leaf Recovery House;Wexley Legal Aid;Visiting Hands Inc.
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

CHURCHES = (
    """
St. Anselm Parish;Mount Zion Baptist Church;Temple Beth Tikvah;Dunmoor Islamic Center;Our Savior Lutheran
First Congregational of Orrin
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

JOBS = (
    """
machinist;forklift operator;school bus driver;line cook;roofer;bookkeeper;third-grade teacher;welder;paralegal;electrician
home health aide;long-haul trucker;dairy farmer;librarian;seamstress;firefighter;software engineer;hairdresser;janitor
mail carrier;bartender;real estate agent;shipfitter;police officer;cashier;carpenter;cosmetologist;crane operator
kindergarten teacher;insurance adjuster;dental hygienist;violinist;warehouse supervisor;pastor;commercial fisherman
auto mechanic;court reporter;landscaper;accountant;nail technician;coal miner;dishwasher;flight attendant;plumber
graphic designer;security guard;butcher;civil engineer
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

LANDMARKS = (
    """
Harrow Lake;Miller's Quarry;Route 9;Highway 41;the Tilden Bridge;Coldbrook State Park;Tamarack County;Umber County
Sawyer Reservoir;Gull Island;the Bellhaven Mall;Kettle Point Lighthouse;Orrin County Fairgrounds;Interstate 84
Mount Quarrel;Verret Parish;the Wexley Common;Piers Park
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

HOLIDAYS = (
    """
Thanksgiving;Christmas;Christmas Eve;New Year's Eve;Labor Day;Memorial Day;Easter;the Fourth of July;Halloween;Ramadan
Passover;Mother's Day;Valentine's Day;Diwali
""".replace("\n", ";")
    .strip(";")
    .split(";")
)

RENAL_UNITS = (
    "Larch Hill Dialysis Center;Umber Kidney Care;Quarrel Street Renal Clinic;Wexley Dialysis".split(";")
)
DENTISTS = "Harbor View Dental Group;Orrin Family Dentistry;Pershing Dental Arts;Sawyer Endodontics".split(
    ";"
)
EYE_CLINICS = "Corvane Eye Associates;Bellhaven Retina;The Thornbury Eye Clinic;Ansel Ophthalmology PC".split(
    ";"
)
ONCOLOGY_CLINICS = (
    "Bellhaven Oncology Associates;Poplar Grove Infusion Center;Tolland Cancer Institute".split(";")
)
CHILD_CLINICS = (
    "Eastlake Pediatrics;Drury Children's Clinic;Salem Pediatric Partners;Little Harbor Pediatrics".split(";")
)
WOMENS_CLINICS = "Drury Square Women's Health;Greyhollow Midwifery;Verity OB/GYN Associates".split(";")
COUNSELING = (
    "Fenwick Counseling Center;Kestrel Behavioral Health;North Quarrel Psychiatry;Bridgeway Clinic".split(";")
)
HOME_CARE = "Tamarack Home Health;Visiting Hands Inc.;Umber County VNA;Comfort Keel Home Care".split(";")
EQUIPMENT = "Hargrove Medical Supply;Kettle Point Home Medical;Brindle Mobility;Larkin Oxygen & DME".split(
    ";"
)
AMBULANCES = (
    "Dunmoor Fire & Rescue;Tamarack County EMS;Port Hallam Fire Department;Orrin Volunteer Ambulance".split(
        ";"
    )
)
