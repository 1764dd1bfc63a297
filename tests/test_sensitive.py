"""Sensitive passages: what is said of the patient, how passages count, and a scan end to end."""

from __future__ import annotations

import csv
import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.assertion import Sentences
from phiscan.at_risk import is_leak
from phiscan.config import DetectSettings, ScanConfig
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.records import Span
from phiscan.rulebook.sentences import sentence_spans
from phiscan.rulebook.topics import load_topics
from phiscan.sensitive import find_passages
from phiscan.store import RunDirectory

SECTIONS = "FAMILY HISTORY:\nMother: depression\nBrother - {}\n\nSOCIAL HISTORY:\nUses {} daily"
STATUS = [
    # affirmed, whatever stands beside it
    ("Hx of @opioid use disorder@ on buprenorphine.", "affirmed"),
    ("Denies SI, HI, or hallucinations but reports @depression@.", "affirmed"),
    ("Denies chest pain. @Depression@ stable.", "affirmed"),
    ("No fever, chills; hx of @PTSD@", "affirmed"),
    ("no acute distress. @HIV@ well controlled", "affirmed"),
    ("HIV negative, @RPR@ reactive", "affirmed"),
    ("@Depression@, HIV negative", "affirmed"),
    ("No longer using @heroin@.", "affirmed"),
    ("@Depression@: no change, continue sertraline", "affirmed"),
    ("@Anxiety@ not well controlled", "affirmed"),
    ("Does not want her parents to know about the @abortion@.", "affirmed"),
    ("She did not disclose her @HIV status@ to partner", "affirmed"),
    ("Tested positive for @chlamydia@.", "affirmed"),
    ("Patient was tested for @HIV@, which was positive", "affirmed"),
    ("PMH:\nHTN\nNo diabetes\n@Depression@", "affirmed"),
    ("He is not married, lives with partner, @HIV@ on treatment", "affirmed"),
    ("Physical abuse: denies. @Sexual abuse@: yes, at age 9", "affirmed"),
    ("If fever, call. @HIV@ stable", "affirmed"),
    ("Mother reports that he has @depression@.", "affirmed"),
    ("Her mother had bipolar disorder and she has @depression@.", "affirmed"),
    ("32yo single mother with @postpartum depression@", "affirmed"),
    ("wife is aware of his @HIV@ diagnosis", "affirmed"),
    # negated: before, in a list, after
    ("Denies @SI@, HI, or hallucinations.", "negated"),
    ("Denies SI, HI, or @hallucinations@ but reports depression.", "negated"),
    ("Denies SI or\n@HI@ today", "negated"),
    ("No h/o @depression@.", "negated"),
    ("Negative for @syphilis@.", "negated"),
    ("Without evidence of @abuse@.", "negated"),
    ("Never used @heroin@", "negated"),
    ("Not suicidal or @homicidal@", "negated"),
    ("There is no evidence that she has @borderline personality disorder@", "negated"),
    ("@HIV@ was ruled out.", "negated"),
    ("@HIV@ - negative", "negated"),
    ("@Alcohol use@: denies", "negated"),
    ("@Suicidal ideation@: No", "negated"),
    ("@Hepatitis C@ antibody: Non-reactive", "negated"),
    ("@SI@/HI denied", "negated"),
    # of a relative
    ("Mother with @schizophrenia@.", "family"),
    ("FHx: @alcoholism@ in father, depression in sister.", "family"),
    ("Family history of @suicide@.", "family"),
    ("@Schizophrenia@ runs in the family.", "family"),
    ("@bipolar disorder@ (mother)", "family"),
    ("Father died of @overdose@ in 2010", "family"),
    (SECTIONS.format("@alcoholism@", "heroin"), "family"),
    (SECTIONS.format("alcoholism", "@heroin@"), "affirmed"),
    # only thought of
    ("Call if you have @suicidal thoughts@.", "hypothetical"),
    ("Screen for @depression@ at next visit.", "hypothetical"),
    ("Education about @STI@ given.", "hypothetical"),
    ("r/o @PID@", "hypothetical"),
    ("at risk for @homelessness@", "hypothetical"),
    ("@HIV@ screening offered", "hypothetical"),
    # where a denial ends, and results told in short
    ("Seen without parent, requests @OCPs@", "affirmed"),
    ("Sildenafil no help, asking about a @penile implant@.", "affirmed"),
    ("Walks without a cane, @depression@ stable.", "affirmed"),
    ("No acute distress, @HIV@ on treatment.", "affirmed"),
    ("Without @SI@, HI or AVH.", "negated"),
    ("No SI, HI, @AVH@.", "negated"),
    ("@HIV@ Ag/Ab NR, RPR NR.", "negated"),
    ("@HIV@ 1/2 Ag/Ab: NON-REACTIVE", "negated"),
    ("@Suicidal Ideation@: No", "negated"),
    ("@CPS@ not contacted", "negated"),
    ("Low suspicion for @NAT@.", "negated"),
    ("Low @concern for abuse@.", "negated"),
    ("Contracts for @safety@, denies current plan.", "affirmed"),
    ("@CPS@ hotline called.", "affirmed"),
    ("@PrEP@ offered, will think about it.", "hypothetical"),
    # of more relatives, further on in the sentence, and in the entry itself
    ("Father d. 61 of cirrhosis, @heavy drinker@.", "family"),
    ("Father, a retired roofer, @heavy drinker@.", "family"),
    ("Wife of the patient was treated for @gonorrhea@.", "family"),
    ("Uncle @completed suicide@ in his 40s.", "family"),
    ("Step-brother and half-sister with @bipolar disorder@", "family"),
    ("Mother-in-law and grandparents all @alcoholics@", "family"),
    ("Mat GM with @dementia@", "family"),
    ("Mother died of overdose, pt himself @uses fentanyl@.", "affirmed"),
]


@pytest.mark.parametrize(("marked", "status"), STATUS, ids=[marked for marked, _ in STATUS])
def test_status(marked: str, status: str) -> None:
    start, end = marked.index("@"), marked.rindex("@") - 1
    text = marked.replace("@", "")
    scope = Sentences(text, sentence_spans(text)).scope(start, end, keeps_family=False)
    assert scope.status == status


def test_a_relative_counts_where_the_topic_says_so() -> None:
    text = "Mother with a fright."
    sentences = Sentences(text, sentence_spans(text))
    assert sentences.scope(14, 20, keeps_family=True).status == "affirmed"


def found(text: str, topic: str) -> list[tuple[str, str]]:
    return [(text[m.start : m.end], m.status) for m in find_passages(text) if m.topic == topic]


def test_a_denial_after_a_list_reaches_all_of_it() -> None:
    text = "Syphilis, gonorrhea and chlamydia negative; genital herpes."
    assert found(text, "highly_sensitive_diagnoses") == [
        ("Syphilis", "negated"),
        ("gonorrhea", "negated"),
        ("chlamydia", "negated"),
        ("genital herpes", "affirmed"),
    ]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("PHQ-2 0", "hypothetical"),
        ("PHQ-9: 3/27", "hypothetical"),
        ("PHQ-9 of 19 today", "affirmed"),
        ("GAD-7 positive", "affirmed"),
        ("PHQ-9 negative", "negated"),
    ],
)
def test_the_name_of_a_test_is_no_finding(text: str, status: str) -> None:
    assert [said for _, said in found(text, "mental_health")] == [status]


def test_a_test_offered_and_a_number_to_call_say_nothing_of_the_patient() -> None:
    assert found("Genetic testing offered.", "genetic") == [("Genetic testing", "hypothetical")]
    assert found("Genetic testing sent.", "genetic") == [("Genetic testing", "affirmed")]
    assert found("Call 988 in a crisis.", "self_harm") == []
    assert found("On suicide precautions.", "self_harm") == [("suicide precautions", "affirmed")]


MORE = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("beyond_phi_more_sentences.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.mark.parametrize("row", MORE, ids=[row["id"] for row in MORE])
def test_topics_of_a_sentence(row: dict[str, list[str]]) -> None:
    affirmed = {mention.topic for mention in find_passages(str(row["text"])) if mention.status == "affirmed"}
    assert set(row["topics"]) <= affirmed <= {*row["topics"], *row["also"]}


def test_topics_of_table_5b() -> None:
    assert found("History obtained from the patient's daughter.", "family_relationships")
    assert found("Transferred from Harrowgate General Hospital.", "care_facility")
    assert found("Started on nusinersen.", "treatment_details") == [("nusinersen", "affirmed")]
    assert found("Mother with schizophrenia.", "highly_sensitive_diagnoses") == [("schizophrenia", "family")]
    assert find_passages("Seen for a cough, better with rest and fluids.") == []


TERMS = [(topic.id, entry.term) for topic in load_topics() for entry in topic.spec.entry if entry.term]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(TERMS),
    st.sampled_from([" ", "  ", "-", "\n"]),
    st.sampled_from([str.upper, str.lower, str.title]),
)
def test_a_planted_term_is_found_in_any_case_and_spacing(planted, gap, case) -> None:
    topic, term = planted
    said = case(term).replace(" ", gap)
    text = f"Quoth he: {said} ."
    places = [(m.start, m.end) for m in find_passages(text) if m.topic == topic]
    assert any(start <= 10 and 10 + len(said) <= end for start, end in places) or any(
        start >= 10 and end <= 10 + len(said) for start, end in places
    )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                *(term for _, term in TERMS[::40]),
                "denies",
                "mother with",
                "if",
                ".",
                "\n",
                "FH:",
                "no",
                ",",
                "ß",
            ]
        ),
        max_size=15,
    )
)
def test_offsets_lie_in_the_text_and_one_topics_mentions_apart(parts) -> None:
    text = " ".join(parts)
    mentions = find_passages(text)
    assert mentions == sorted(mentions, key=lambda m: (m.start, m.topic))
    for mention in mentions:
        assert 0 <= mention.start < mention.end <= len(text)
    for topic in {m.topic for m in mentions}:
        spans = [Span(m.start, m.end) for m in mentions if m.topic == topic]
        assert all(one.end <= two.start for one, two in itertools.pairwise(spans))


# --- a scan -----------------------------------------------------------------------------------

NOTE = (
    "Patient Wilhelmina Tambor was seen in the morning. She was treated for syphilis in the spring and told nobody. "
    "She asked for a letter to the harbor office, which will be sent. Denies schizophrenia."
)
OTHER = (
    "Patient Anselm Quillon was seen at noon. He has a cough, and takes an opioid use disorder leaflet home."
)
HEAD = "Patient"
OUTPUTS = [
    ("linked", "W1", HEAD, " Wilhelmina Tambor has syphilis. Syphilis again, and syphilis once more."),
    ("negated", "W1", HEAD, " Wilhelmina Tambor denies schizophrenia and has no syphilis."),
    ("in the prompt", "W1", NOTE[: NOTE.index(" in the spring")], " of old: Wilhelmina Tambor had syphilis."),
    ("invented", "W1", HEAD, " Wilhelmina Tambor has leprosy."),
    ("no identifier", "W1", HEAD, " was treated for syphilis."),
    ("a relative's", "Q1", HEAD, " Anselm Quillon has a mother with dementia."),
]  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("sensitive")
    notes = [
        {"note_id": "W1", "patient_id": "PW", "text": NOTE},
        {"note_id": "Q1", "patient_id": "PQ", "text": OTHER},
    ]
    with (folder / "known.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["patient_id", "category", "value"])
        writer.writerows([["PW", "NAME", "Wilhelmina Tambor"], ["PQ", "NAME", "Anselm Quillon"]])
    rows = [{"note_id": note, "prefix": prefix, "continuation": text} for _, note, prefix, text in OUTPUTS]
    inputs = ScanInputs(
        notes=write_jsonl(folder / "notes.jsonl", notes),
        replay=write_jsonl(folder / "outputs.jsonl", rows),
        known=folder / "known.csv",
        out=folder / "run",
    )
    # The names are in the registration table: no other detector is needed here.
    config = ScanConfig(detect=DetectSettings(detectors=("known_identifiers",)))
    return scan(inputs, config), RunDirectory(folder / "run")


@pytest.fixture(scope="module")
def passages(run):
    """Passages of each output by its name, the topic highly_sensitive_diagnoses only."""
    _, directory = run
    texts = {c.gen_id: c.text for c in directory.read_table("continuations")}
    made = {name: [] for name, *_ in OUTPUTS}
    for passage in directory.read_table("passages"):
        name = next(n for n, _, _, text in OUTPUTS if text == texts[passage.gen_id])
        assert texts[passage.gen_id][passage.cont_start : passage.cont_end] == passage.text
        if passage.topic == "highly_sensitive_diagnoses":
            made[name].append(passage)
    return made


def test_one_distinct_passage_counts_once_and_is_linked(passages) -> None:
    (passage,) = passages["linked"]
    assert (passage.term, passage.text, passage.status) == ("syphilis", "syphilis", "affirmed")
    assert (passage.in_record, passage.in_prompt, passage.linked) == (True, False, True)


def test_what_is_negated_is_recorded_and_links_nothing(passages) -> None:
    rows = {p.term: (p.status, p.in_record, p.linked) for p in passages["negated"]}
    assert rows == {"schizophrenia": ("negated", True, False), "syphilis": ("negated", False, False)}


def test_what_the_prompt_said_is_no_disclosure(passages) -> None:
    (passage,) = passages["in the prompt"]
    assert (passage.status, passage.in_prompt, passage.in_record, passage.linked) == (
        "affirmed",
        True,
        True,
        False,
    )


def test_what_no_record_says_is_not_linked(passages) -> None:
    (passage,) = passages["invented"]
    assert (passage.term, passage.status, passage.in_record, passage.linked) == (
        "leprosy",
        "affirmed",
        False,
        False,
    )


def test_a_fact_without_an_identifier_is_not_linked(passages) -> None:
    (passage,) = passages["no identifier"]
    assert (passage.in_record, passage.linked) == (True, False)


def test_a_relatives_condition_is_not_the_patients(passages) -> None:
    assert [(p.term, p.status, p.linked) for p in passages["a relative's"]] == [("dementia", "family", False)]


def test_the_report_counts_them_for_review(run) -> None:
    report, directory = run
    row = next(r for r in report.beyond_phi if (r.arm, r.topic) == ("scanned", "highly_sensitive_diagnoses"))
    assert (row.passages, row.outputs, row.patients, row.in_record) == (3, 3, 1, 2)
    assert (row.linked, row.linked_patients, row.in_prompt, row.not_affirmed) == (1, 1, 1, 3)
    estimate = next(e for e in report.estimates if e.metric == "patients_with_linked_disclosure")
    assert (estimate.count, estimate.n, estimate.patients, estimate.method) == (1, 2, 2, "Wilson")
    assert {r.topic for r in report.beyond_phi} == {topic.id for topic in load_topics()}
    assert not any("sensitive" in reason for reason in report.decision.reasons)
    assert any("never decides" in limit for limit in report.limits)
    # A linked passage stands beside what the report calls a headline leak.
    leaking = {v.gen_id for v in directory.read_table("verdicts") if is_leak(v)}
    assert {p.gen_id for p in directory.read_table("passages") if p.linked} <= leaking


@pytest.mark.parametrize("piece", ["/", "MD, ", "HIV positive ", "depression, ", "(-", "no ", "mother "])
def test_looping_text_ends(piece):
    """What a babbling model says has no sentences; nothing may take time without bound on it."""
    text = "HIV " + piece * (4_000 // len(piece)) + " denies."
    assert all(0 <= found.start < found.end <= len(text) for found in find_passages(text))
