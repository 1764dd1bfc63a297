"""The registration table in a text: every way of writing a value, boundaries, longest first."""

from __future__ import annotations

import datetime
import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from phiscan.detectors.known_identifiers import build
from phiscan.protocols import DetectorContext, KnownIdentifier


def detector(*rows: tuple[str, str], order="mdy"):
    known = [KnownIdentifier(patient_id="p1", category=category, value=value) for category, value in rows]
    return build(DetectorContext(known=known, date_order=order))


def found(text: str, *rows: tuple[str, str], order="mdy") -> list[tuple[str, str]]:
    spans = detector(*rows, order=order).detect([text])[0]
    return [(span.category, text[span.start : span.end]) for span in spans]


def test_case_and_white_space_do_not_matter():
    text = "pt  MARGUERITE \n\t lindqvist and marguerite lindqvist"
    hits = found(text, ("PATIENT", "Marguerite  Lindqvist"))
    assert hits == [("PATIENT", "MARGUERITE \n\t lindqvist"), ("PATIENT", "marguerite lindqvist")]


@pytest.mark.parametrize(
    "text",
    [
        "Okonkwo, Chidi A",
        "Okonkwo, Chidi A.",
        "CHIDI A OKONKWO",
        "Chidi A. Okonkwo",
        "Chidi Okonkwo",
        "OKONKWO,CHIDI A",
        "Okonkwo, Chidi",
        "OKONKWO CHIDI",
        "okonkwo,\nchidi",
        "Chidi Ọkọnkwọ",
        unicodedata.normalize("NFD", "Chídi Òkònkwo"),
    ],
)
@pytest.mark.parametrize("value", ["Chidi A Okonkwo", "OKONKWO, CHIDI A", "Mr. Chidi A. Okonkwo Jr."])
def test_names_in_both_orders(value, text):
    hits = found(f"seen: {text} - well", ("PATIENT", value))
    assert hits == [("PATIENT", text.rstrip("."))]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Robert Amadi Quillon", "Bob Quillon"),
        ("Robert Amadi Quillon", "QUILLON, BOB"),
        ("Robert Amadi Quillon", "Robert A. Quillon"),
        ("Robert Amadi Quillon", "Bob Amadi Quillon"),
        ("Bob Quillon", "Robert Quillon"),
        ("Anne van der Berg", "van der Berg, Anne"),
        ("Maria Lopez Garcia", "LOPEZ GARCIA, MARIA"),
        ("Solveig Lindqvist-Okonkwo", "Solveig Lindqvist Okonkwo"),
        ("Sean O'Malley", "Sean OMalley"),
        ("Sean O'Malley", "SEAN O’MALLEY"),
        ("Zoë Ångström", "Zoe Angstrom"),
        ("Zoe Angstrom", "ZOË ÅNGSTRÖM"),
    ],
)
def test_shortened_and_respelt_names(value, text):
    assert found(f"for {text}'s son", ("PATIENT", value)) == [("PATIENT", text)]


@pytest.mark.parametrize(
    "text",
    ["seen by Chidi. Okonkwo came", "Chidi\n\nOkonkwo", "Chidi: Okonkwo", "Chidi saw Okonkwo", "C Okonkwo"],
)
def test_two_words_that_are_no_name(text):
    assert found(text, ("PATIENT", "Chidi Okonkwo")) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("617-555-0142", "(617) 555-0142"),
        ("(617) 555-0142", "617.555.0142"),
        ("617-555-0142", "6175550142"),
        ("617-555-0142", "617 555 0142"),
        ("617-555-0142", "+1 617-555-0142"),
        ("617-555-0142", "1-617-555-0142"),
        ("+1 617 555 0142", "617/555-0142"),
        ("617-555-0142", "617-555-0142 x4410"),
        ("617-555-0142 ext 4410", "(617)555-0142 ext. 4410"),
    ],
)
def test_phone_numbers(value, text):
    assert found(f"call {text}, then", ("PHONE", value)) == [("PHONE", text)]
    assert found(f"fax:{text}\n", ("FAX", value)) == [("FAX", text)]


@pytest.mark.parametrize(
    ("category", "value", "text"),
    [
        ("SSN", "219-09-4471", "219094471"),
        ("SSN", "219094471", "219 09 4471"),
        ("SSN", "219-09-4471", "219.09.4471"),
        ("MEDICALRECORD", "00482913", "482913"),
        ("MEDICALRECORD", "482913", "00482913"),
        ("MEDICALRECORD", "482913", "482-913"),
        ("MEDICALRECORD", "7719-204-33", "771920433"),
        ("MEDICALRECORD", "771920433", "7719 204 33"),
        ("HEALTHPLAN", "XQH000123456", "xqh 000-123-456"),
        ("ACCOUNT", "4000-1234-5678-9010", "4000 1234 5678 9010"),
        ("LICENSE", "S52-8841-093", "S528841093"),
        ("ZIP", "05601-1234", "05601"),
        ("ZIP", "05601-1234", "056011234"),
    ],
)
def test_numbers(category, value, text):
    assert found(f"id {text}, then", (category, value)) == [(category, text)]


@pytest.mark.parametrize(
    "text", ["48 29 13", "48, 2913", "4829\n13", "482913-4", "4829134", "1.482913", "x482913"]
)
def test_figures_that_are_another_number(text):
    assert found(f"vitals {text}.", ("MEDICALRECORD", "482913")) == []


@pytest.mark.parametrize(
    "text",
    [
        "03/14/1952",
        "3/14/52",
        "3-14-1952",
        "3.14.52",
        "1952-03-14",
        "1952/3/14",
        "19520314",
        "03141952",
        "March 14, 1952",
        "MARCH 14 1952",
        "Mar 14th, '52",
        "Mar. 14, 1952",
        "14 March 1952",
        "14th of March 1952",
        "14Mar1952",
        "14-MAR-52",
    ],
)
@pytest.mark.parametrize("value", ["1952-03-14", "03/14/1952", "March 14, 1952"])
def test_dates_in_every_written_form(value, text):
    assert found(f"born {text}, here", ("DATE", value)) == [("DATE", text)]


def test_the_order_of_dates_decides():
    rows = [("DATE", "1952-03-04")]
    assert found("on 03/04/1952.", *rows) == [("DATE", "03/04/1952")]
    assert found("on 03/04/1952.", *rows, order="dmy") == []
    assert found("on 04/03/1952.", *rows, order="dmy") == [("DATE", "04/03/1952")]
    assert len(found("on 04/03/1952 or 03/04/1952.", *rows, order="unknown")) == 2


@pytest.mark.parametrize("text", ["03/15/1952", "3/14", "1.3.14.1952", "March 1952", "14 of 1952"])
def test_other_dates_are_not_found(text):
    assert found(text, ("DATE", "1952-03-14")) == []


@pytest.mark.parametrize(
    "text",
    [
        "12 Alder Street, Apt 4B",
        "12 Alder St Apt. 4B",
        "12 ALDER ST., #4B",
        "12 Alder Street Unit 4B",
        "12 Alder St\nApartment # 4B",
    ],
)
@pytest.mark.parametrize("value", ["12 Alder St Apt 4B", "12 Alder Street, #4B"])
def test_streets(value, text):
    assert found(f"at {text} now", ("STREET", value)) == [("STREET", text)]


def test_a_street_without_its_unit():
    assert found("12 N. Alder Road", ("STREET", "12 North Alder Rd, Apt 4")) == [
        ("STREET", "12 N. Alder Road")
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lives in Vermont", ["Vermont"]),
        ("Dunmoor, VT 05601", ["VT"]),
        ("Dunmoor, VT", ["VT"]),
        ("Dunmoor VT 05601", ["VT"]),
        ("low VT on the vent", []),
        ("dunmoor, vt", []),
    ],
)
@pytest.mark.parametrize("value", ["VT", "Vermont"])
def test_states(value, text, expected):
    assert [part for _, part in found(text, ("STATE", value))] == expected


def test_other_places_and_addresses():
    assert found("at ST. BRANNOC MED CTR", ("HOSPITAL", "Saint Brannoc Medical Center")) == [
        ("HOSPITAL", "ST. BRANNOC MED CTR")
    ]
    assert found("M.Lindqvist@Example.ORG", ("EMAIL", "m.lindqvist@example.org"))
    assert found("Brightvale, Clinic", ("HOSPITAL", "Clinic Brightvale")) == []


def test_a_common_word_in_small_letters_is_no_name():
    rows = (("CITY", "Reading"), ("PATIENT", "May"))
    assert found("He may like reading. Moved to Reading in May.", *rows) == [
        ("CITY", "Reading"),
        ("PATIENT", "May"),
    ]
    assert found("pt from reading", *rows) == [("CITY", "reading")]


@pytest.mark.parametrize("text", ["Annabel", "xAnn", "Ann2", "2Ann", "MRN 482913774", "é482913"])
def test_not_inside_a_longer_word_or_number(text):
    assert found(text, ("PATIENT", "Ann"), ("MEDICALRECORD", "482913")) == []


@pytest.mark.parametrize("text", ["219-09-4471", "4471-20", "11/4471", "1.4471", "4471.5"])
def test_a_number_is_not_found_inside_a_longer_one(text):
    assert found(text, ("IDNUM", "4471")) == []


@pytest.mark.parametrize("text", ["pager 4471.", "(4471)", "#4471, then", "x-4471", "4471: seen"])
def test_a_number_beside_punctuation_is_found(text):
    assert found(text, ("IDNUM", "4471")) == [("IDNUM", "4471")]


def test_long_numbers_in_a_list_are_found():
    text = "617-555-0142,617-555-0143/219-09-4471"
    rows = (("PHONE", "6175550142"), ("PHONE", "6175550143"), ("SSN", "219094471"))
    assert [part for _, part in found(text, *rows)] == ["617-555-0142", "617-555-0143", "219-09-4471"]


def test_the_longest_value_wins_and_a_failed_long_one_hides_no_short_one():
    rows = (("PATIENT", "Ann"), ("PATIENT", "Ann Lee"), ("CITY", "Lee Falls"))
    assert found("Ann Lee went", *rows) == [("PATIENT", "Ann Lee")]
    assert found("Ann Leeds went", *rows) == [("PATIENT", "Ann")]
    assert found("Ann Lee Falls", *rows) == [("PATIENT", "Ann"), ("CITY", "Lee Falls")]


def test_short_values_are_ignored_and_counted():
    made = detector(("PATIENT", "Al"), ("AGE", "93"), ("ROOM", "1-2"), ("IDNUM", "  "), ("IDNUM", "1234"))
    assert [span.category for span in made.detect(["Al is 93 in 1-2, id 1234"])[0]] == ["IDNUM"]
    assert "1 forms" in made.describe()
    assert "4 values too short" in made.describe()


def test_a_value_of_two_categories_gets_the_taxonomys_first():
    rows = [("DOCTOR", "Anne Green"), ("PATIENT", "Anne Green")]
    assert found("Anne Green", *rows) == found("Anne Green", *reversed(rows)) == [("PATIENT", "Anne Green")]


def test_offsets_survive_letters_that_grow():
    text = "İİ ß  Straße  LINDQVIST, Mara ﬁ Lindqvist \ud800 Mara Lindqvist"
    hits = found(text, ("PATIENT", "Mara Lindqvist"), ("STREET", "straße"))
    assert hits == [("STREET", "Straße"), ("PATIENT", "LINDQVIST, Mara"), ("PATIENT", "Mara Lindqvist")]


def test_no_known_identifiers_find_nothing():
    assert detector().detect(["Ann Lee"]) == [[]]


def test_spans_say_where_they_come_from():
    span = detector(("PATIENT", "Ann Lee")).detect(["Ann Lee"])[0][0]
    assert (span.score, span.detector, span.rule) == (1.0, "known_identifiers", None)


NAME = st.sampled_from("Marguerite Solveig Chidi Robert Anne-Marie Zoë Siân Ødegaard".split())
SURNAME = st.sampled_from("Lindqvist Okonkwo O'Malley Vasquez-Thorne Ångström Quillon".split())
AROUND = st.sampled_from(["", "seen ", "Note:\n", "É ", "ﬁ ", "e\u0301 ", "\n\n", "(", "…", "  \t"])
CASE = st.sampled_from([str, str.upper, str.lower, str.title])
ACCENTS = st.sampled_from(["NFC", "NFD"])


@given(NAME, NAME, SURNAME, AROUND, AROUND, CASE, ACCENTS, st.integers(0, 6))
def test_a_planted_name_is_found_where_it_stands(
    given_name, middle, surname, before, after, case, accents, way
):
    assume(given_name != middle)
    value = f"{given_name} {middle} {surname}"
    written = [
        value,
        f"{given_name} {surname}",
        f"{surname}, {given_name}",
        f"{surname},{given_name} {middle}",
        f"{given_name} {middle[0]}. {surname}",
        f"{surname}, {given_name} {middle[0]}",
        f"{surname} {given_name}",
    ][way]
    written = unicodedata.normalize(accents, case(written))
    text = f"{before}{written} {after}"
    assert found(text, ("PATIENT", value)) == [("PATIENT", written)]


@given(st.integers(10**6, 10**10), AROUND, st.data())
@example(10**9, "É ", None)
def test_a_planted_number_is_found_where_it_stands(number, before, data):
    digits = str(number)
    written = digits
    if data is not None:
        cuts = data.draw(st.sets(st.integers(2, len(digits) - 2), max_size=3))
        mark = data.draw(st.sampled_from("-. /"))
        written = "".join(mark * (at in cuts) + digit for at, digit in enumerate(digits))
        written = data.draw(st.sampled_from(["", "0", "000"])) + written
    assert found(f"{before}{written} done", ("MEDICALRECORD", digits)) == [("MEDICALRECORD", written)]


@given(st.dates(datetime.date(1931, 1, 1), datetime.date(2029, 12, 31)), AROUND, st.integers(0, 7), CASE)
def test_a_planted_date_is_found_where_it_stands(date, before, way, case):
    pattern = "%Y-%m-%d %m/%d/%Y %m/%d/%y %B_%d,_%Y %d_%b_%Y %d%b%Y %b._%d_%Y %Y%m%d".split()[way]
    written = case(date.strftime(pattern).replace("_", " "))
    assert found(f"{before}{written} done", ("DATE", date.isoformat())) == [("DATE", written)]


@given(st.text(alphabet="Ann Lee-'.,\n\t0142(617)555é\u0301ﬁİ\ud800", max_size=80))
def test_offsets_always_lie_in_the_text_and_apart(text):
    made = detector(
        ("PATIENT", "Ann Lee"), ("PHONE", "617-555-0142"), ("CITY", "Leeann"), ("SSN", "014261755")
    )
    spans = made.detect([text])[0]
    reached = 0
    for span in spans:
        assert reached <= span.start < span.end <= len(text)
        assert text[span.start : span.end].strip()
        reached = span.end
