"""Clinical prose without any identifier, full of what resembles one: ``{aside}`` takes a paragraph."""

from __future__ import annotations

ASIDES: tuple[str, ...] = tuple(
    " ".join(paragraph.split())
    for paragraph in """
Review of systems: no night sweats, no weight change over 6 months, appetite 3/4 of usual. Will wake once to
void. Denies syncope; may feel light on standing. Bowels move every 1-2 days. Skin dry. Joints ache at 5 a.m.,
better by 10. Mood fair; sleep 6-7 hours. A 12-point review was otherwise negative.

Cardiac history is notable for grade 1 diastolic dysfunction and a Wenckebach tracing during sleep. EF 55-60%,
E/e' 11, RVSP 34 mm Hg. Framingham risk 14%; ASCVD 11.2%. LDL 118 -> 71 on atorvastatin 40. No Homans sign. The
Holter (24 h, 98,412 beats) had 212 PVCs, 3 couplets, and no pause over 2.0 s.

Labs of note: Na 138, K 4.2, Cl 101, CO2 26, BUN 19, Cr 1.02, glucose 143, Ca 9.1, AST 28, ALT 33, ALP 84, T bili
0.6, albumin 3.4. WBC 7.9, Hgb 11.6, Hct 35.1, MCV 88, RDW 14.9, plt 244. UA: SG 1.018, 2-5 WBC/hpf, nitrite neg.
TSH 3.01. Vitamin B12 412. Ferritin 38. Anti-Smith and anti-Jo-1 not detected.

Hematology commented that Christmas disease (factor IX), May-Hegglin and Bernard-Soulier were excluded; platelet
count 96-110 by citrate tube, clumps on smear. Auer rods none. Coombs negative. The Russell viper venom ratio was
1.1 and the Philadelphia translocation was not found. Iron 200 mg IV x 5 had been given without a reaction.

Neurologic: oriented x 3, digits 6 forward and 4 backward. Cranial nerves II-XII whole. Romberg sways. Hoover and
Babinski negative. Gait narrow, turns in 4 steps, TUG 13.2 s. Reflexes 2+/4 save ankle 1+. Vibration 8/8 at the
thumb, 4/8 at the toe. MoCA 26/30, one point lost on the clock at 11:10. Hope to stop gabapentin.

Lungs: FEV1 1.84 (62%), FVC 2.91, ratio 0.63, DLCO 71%. GOLD 2, group B; mMRC 2; CAT 17. Six-minute walk 340 m, nadir
90% on room air. Pack-years 30. CXR: flat diaphragms, Kerley B lines none, old granuloma. Young siblings without
asthma. Sputum is green in the morning, white later. Vaccines up to date per the wall chart.

Abdomen soft, obese, no Murphy, no Rovsing. Liver 11 cm by scratch test. Grey Turner absent. Last meal 6 p.m. Ranson 1,
BISAP 1, Child-Pugh A5, FIB-4 1.31. Boston score and Los Angeles grade are reported elsewhere. Lipase 41. H. pylori
stool antigen neg. Stool brown. Weight 84.1 kg, down 1.2. Frank ascites not seen on bedside scan.

Musculoskeletal: Heberden and Bouchard nodes; Finkelstein positive R. Range 0-115. Lachman 1A. March fracture was
queried on the old film, Freiberg II on review. Jones fracture ruled out. Brace size L. Physical therapy 2 x 6 weeks.
Cane in the L hand. Ice may help; heat may not. Ottawa criteria met, so films were taken: negative x 3 views.

Diabetes: basal 22 U, bolus 1:10, ISF 40, target 110. Time in range 64%, below 2%, above 34%; GMI 7.4. Dawn
phenomenon persists; Somogyi unlikely. Charcot foot none. Microalbumin 31. Retinopathy: mild NPDR, ETDRS 35.
Grains at lunch 60 g. Low of 61 after mowing. Carries glucose tabs, 4 g each, and knows the rule of 15.

Code and goals were revisited in plain words. The patient, sharp and candid, wants treatment "as long as there is joy
in it", no feeding tube, and to be kept warm. Capacity: can state, reason, choose. Faith matters; grace before meals is
said. Palliative Performance Scale 60%. A trial of two weeks was agreed on, then a new look at burdens and benefits.

Medication reconciliation: 11 of 13 drugs match. Stopped: Benadryl, Goody powder, St. John's wort. Changed: Coreg 6.25 ->
12.5 bid. Kept: Lasix 40, K-Dur 20, Lipitor 40, Eliquis 5 bid, Flonase, Senna S 2 qhs, Os-Cal 500 + D. Norco 5/325 #12, no
refill. Wells-type scoring not needed. Pill box filled for 14 d. The Bard card lists generic names.

Anesthesia class III; Cormack-Lehane 2, MAC 3 blade, 7.5 ETT at 22 cm, cuff 25. Lines: 18 G x 2, Arrow 20 G radial. Fluids
1,800 LR; EBL 150; UOP 310. Zofran 4, Decadron 8, sugammadex 200. Aldrete 9 at 15 min. PONV 1/10. The Bair Hugger was set at
38. TOF 4/4. No recall. Handed over with a read-back; may eat when awake.

Skin: 2 mm papule on the L cheek, dermoscopy with arborizing vessels; Breslow not applicable. Nikolsky negative.
Fitzpatrick III. Christmas-tree pattern faded. Seborrheic keratoses x 20. Wood lamp coral-red in the groin. Hydrocortisone
2.5% bid x 14 d. ABCDE rule taught. Rose-colored plaques clear. Sunscreen SPF 50 each 2 h; hats. Recheck in a year.

Infection control: MRSA swab negative, contact plates down. West Nile, Lyme C6 and Rocky Mountain spotted fever titers
negative (1:64 cut-off). Norwalk-type PCR pending. Central line day 6, Foley day 2, both still needed. Cefepime 2 g q8h
day 4 of 7; vanc AUC 480. Procalcitonin 0.31 <- 1.9. Will narrow at 48-72 h. Isolation step 2. Room air all day.

Psychosocial: PHQ-9 11, GAD-7 8, AUDIT-C 3, DAST 0. Sleep onset 40 min. Enjoys cards, chess, gospel songs, and rice
pudding. Supports are strong; money is tight. No weapons. SAFE-T low risk. A wish list was drawn up: walk to the mailbox,
bake, hold the baby. Safety plan copied. Session lasted 45 minutes. Worry score 41. Homework: two pages.

Nutrition: 1,750 kcal (25/kg), protein 84 g, fluid 1.5 L. Mini Nutritional Assessment 9/14. Berry shake bid, cream of rice,
lamb once a week, olive oil. BMI 22.4. Calorie count 61%, 72%, 70%. Salt under 2,000 mg. Harris-Benedict x 1.2. Refeeding: Phos
2.4, Mg 1.9. Chew 20 times; sit up 30 min. IDDSI 5/2. Dentures loose: soak, adjust. Weigh daily, same scale.
""".strip().split("\n\n")
)
"""Paragraphs of one line each."""
