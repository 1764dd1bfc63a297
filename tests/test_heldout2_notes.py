"""The second held-out corpus keeps its promises: deterministic, right spans, every category and template."""

import re
from collections import Counter
from random import Random

import pytest
from heldout.records import Piece
from heldout.world import fold
from heldout2 import lists, names
from heldout2.asides import ASIDES
from heldout2.cast import Cast
from heldout2.notes import TEMPLATES, make_heldout2
from heldout2.numbers import shaped
from heldout2.patients import make_patients

from phiscan.taxonomy import CATEGORIES

COMMON = {"PATIENT", "DOCTOR", "DATE", "HOSPITAL"}
CLOCK_AND_CALENDAR = re.compile(
    r"\b(January|February|April|June|July|August|September|October|November|December"
    r"|(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(Mon|Tue|Wed|Thu|Fri|Sat|Sun)|Thanksgiving|Christmas(?![ -](disease|tree)))\b"
    r"|\b555\b|@\w+\.|https?:|\b(19|20)\d\d\b"
)


@pytest.fixture(scope="module")
def corpus():
    return make_heldout2()


@pytest.fixture(scope="module")
def rows(corpus):
    found = {}
    for row in corpus.known:
        found.setdefault(row.patient_id, []).append((row.category, row.value))
    return found


def test_the_same_seed_gives_the_same_corpus(corpus):
    assert make_heldout2() == corpus
    assert make_heldout2(seed=98, n_notes=5).notes != corpus.notes[:5]


def test_a_shorter_corpus_is_the_beginning_of_a_longer_one(corpus):
    assert make_heldout2(n_notes=31).notes == corpus.notes[:31]


@pytest.mark.parametrize("seed", [97, 3, 12])
def test_spans_are_their_slices_sorted_and_apart(seed):
    for note in make_heldout2(seed=seed, n_notes=90).notes:
        end = 0
        for span in note.spans:
            assert note.text[span.start : span.end] == span.text
            assert span.text == span.text.strip() != ""
            assert span.start >= end
            end = span.end


def test_every_category_is_there_often_enough(corpus):
    counts = Counter(span.category for note in corpus.notes for span in note.spans)
    assert set(counts) == set(CATEGORIES)
    assert min(counts.values()) >= 15
    assert {category for category, _ in counts.most_common(4)} == COMMON


def test_notes_hold_about_as_many_values_as_real_ones(corpus):
    sizes = sorted(len(note.spans) for note in corpus.notes)
    assert 20 <= sum(sizes) / len(sizes) <= 36
    assert sizes[0] >= 10


def test_every_template_is_used_and_gives_different_notes(corpus):
    texts = {template.name: set() for template in TEMPLATES}
    for note in corpus.notes:
        texts[note.template].add(note.text)
    assert len(texts) == len(TEMPLATES) >= 24
    assert all(len(found) == 10 for found in texts.values())


def test_some_patients_have_several_notes(corpus):
    counts = Counter(note.patient_id for note in corpus.notes)
    assert len(counts) > 100
    assert max(counts.values()) >= 3


def test_no_markup_is_left(corpus):
    for note in corpus.notes:
        assert not re.search(r"[{}]|\|\]|\[(?![xX ]\])", note.text)


def test_the_prose_of_templates_holds_no_dates_phones_or_addresses():
    for template in TEMPLATES:
        prose = re.sub(r"\{[^{}]*\}", "", template.text)
        assert not CLOCK_AND_CALENDAR.search(prose), template.name
    assert not CLOCK_AND_CALENDAR.search("\n".join(ASIDES))


def test_a_name_is_one_span():
    split = re.compile(r"\{(\w+)\.first\},? \{\1\.last\}|\{(\w+)\.last\},? \{\2\.first\}")
    assert split.search("{dr1.first} {dr1.last}")
    for template in TEMPLATES:
        assert not split.search(template.text), template.name


def test_titles_credentials_and_possessives_stand_outside_spans(corpus):
    outside = re.compile(r"^(Dr|Mr|Mrs|Ms)\b|\b(M\.?D\.?|RN|NP|MSW)$|^(on|at|the) ")
    people = {"PATIENT", "DOCTOR"}
    for note in corpus.notes:
        for span in note.spans:
            if span.category in people:
                assert not outside.search(span.text)
                assert not span.text.endswith(("'s", "’s"))


def test_ages_over_89_and_in_words_occur(corpus):
    ages = [span.text for note in corpus.notes for span in note.spans if span.category == "AGE"]
    assert sum(age.isdigit() and int(age) > 89 for age in ages) >= 10
    assert sum(not age.isdigit() for age in ages) >= 10


def _letters_and_digits(text):
    return re.sub(r"[^a-z0-9]", "", fold(text).lower())


NUMBERS = {"MEDICALRECORD", "SSN", "PHONE", "EMAIL", "ZIP", "CITY", "HEALTHPLAN", "ACCOUNT"}


def test_marked_numbers_stand_in_the_patients_registration(corpus, rows):
    for note in corpus.notes:
        known = {(kind, _letters_and_digits(value).lstrip("0")) for kind, value in rows[note.patient_id]}
        for span in note.spans:
            if span.in_registration and span.category in NUMBERS:
                bare = _letters_and_digits(span.text)
                bare = bare[1:] if span.category == "PHONE" and len(bare) == 11 else bare
                assert (span.category, bare.lstrip("0")) in known


def test_marked_names_and_dates_are_whole(corpus, rows):
    for note in corpus.notes:
        known = [set(re.findall(r"\w+", fold(v).lower())) for k, v in rows[note.patient_id] if k == "PATIENT"]
        years = {value[-2:] for kind, value in rows[note.patient_id] if kind == "DATE"}
        for span in note.spans:
            words = set(re.findall(r"\w+", fold(span.text).lower()))
            if span.category == "PATIENT" and span.in_registration:
                assert any(len(words & name) >= 2 and words <= name for name in known)
            if span.category == "DATE" and span.in_registration:
                assert any(year in span.text for year in years)


def test_marked_and_unmarked_values_are_there(corpus):
    marked = Counter((span.category, span.in_registration) for note in corpus.notes for span in note.spans)
    for category in ("PATIENT", "DATE", "PHONE", "STREET", "CITY", "ZIP", "HEALTHPLAN", "EMAIL", "ACCOUNT"):
        assert marked[category, True] >= 10
        assert marked[category, False] >= 10


def test_the_lists_of_names_are_long_and_without_repeats():
    assert len({*names.GIVEN_F, *names.GIVEN_M}) >= 120
    assert len(set(names.SURNAMES)) == len(names.SURNAMES) >= 160
    assert len(lists.FOREIGN_CITIES) == len(lists.COUNTRIES)


def test_a_city_abroad_lies_in_its_country():
    patient = make_patients(Random(1))[0]
    cast = Cast(Random(2), patient)
    city, country = cast.value("fcity")[-1].text, cast.value("country")[-1].text
    assert lists.FOREIGN_CITIES.index(city) == lists.COUNTRIES.index(country)
    assert cast.value("country2")[-1].text != country


def test_shapes_keep_their_punctuation():
    assert re.fullmatch(r"\d\d-[A-Z]\d", shaped(Random(1), "##-@#"))
    assert shaped(Random(1), "ENDO-") == "ENDO-"


def test_capitals_keep_category_and_key():
    patient = make_patients(Random(1))[70]
    cast = Cast(Random(4), patient)
    (name,) = cast.value("pt.full^")
    first, last = patient.person.first, patient.person.last
    assert name == Piece(f"{first} {last}".upper(), "PATIENT", patient.person.key)
