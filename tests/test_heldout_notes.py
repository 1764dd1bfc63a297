"""The held-out corpus keeps its promises: deterministic, right spans, every category and template."""

import re
from collections import Counter
from datetime import date
from random import Random

import pytest
from heldout.days import Days
from heldout.markup import build, choose, wrapped
from heldout.notes import TEMPLATES, make_heldout
from heldout.records import Piece
from heldout.world import fold, make_patients

from phiscan.taxonomy import CATEGORIES

HUNDREDS = {"PATIENT", "DOCTOR", "DATE", "HOSPITAL"}


@pytest.fixture(scope="module")
def corpus():
    return make_heldout()


@pytest.fixture(scope="module")
def rows(corpus):
    found = {}
    for row in corpus.known:
        found.setdefault(row.patient_id, []).append((row.category, row.value))
    return found


def test_the_same_seed_gives_the_same_corpus(corpus):
    assert make_heldout() == corpus
    assert make_heldout(seed=42, n_notes=5).notes != corpus.notes[:5]


def test_a_shorter_corpus_is_the_beginning_of_a_longer_one(corpus):
    assert make_heldout(n_notes=40).notes == corpus.notes[:40]


def test_spans_are_their_slices_sorted_and_apart(corpus):
    for note in corpus.notes:
        end = 0
        for span in note.spans:
            assert note.text[span.start : span.end] == span.text
            assert span.text == span.text.strip() != ""
            assert span.start >= end
            end = span.end


def test_another_seed_keeps_the_spans_right():
    for note in make_heldout(seed=7, n_notes=60).notes:
        assert all(note.text[span.start : span.end] == span.text for span in note.spans)


def test_every_category_is_there_often_enough(corpus):
    counts = Counter(span.category for note in corpus.notes for span in note.spans)
    assert set(counts) == set(CATEGORIES)
    assert min(counts.values()) >= 15
    assert all(counts[category] >= 300 for category in HUNDREDS)


def test_every_template_is_used_and_gives_different_notes(corpus):
    texts = {template.name: set() for template in TEMPLATES}
    for note in corpus.notes:
        texts[note.template].add(note.text)
    assert len(texts) == len(TEMPLATES) >= 24
    assert all(len(found) >= 5 for found in texts.values())
    assert len({note.text for note in corpus.notes}) == len(corpus.notes) == 300


def test_some_patients_have_several_notes(corpus):
    counts = Counter(note.patient_id for note in corpus.notes)
    assert len(counts) > 100
    assert max(counts.values()) >= 3


def test_no_markup_is_left(corpus):
    for note in corpus.notes:
        assert not re.search(r"[{}\[\]]", note.text)


def test_registration_keeps_its_own_formats(corpus):
    shapes = {
        "PATIENT": r"[^a-z,]+, [^a-z,]+ \w",
        "DATE": r"\d\d/\d\d/\d{4}",
        "MEDICALRECORD": r"0\d{9}",
        "SSN": r"\d{9}",
        "PHONE": r"\d{3}55501\d\d",
        "EMAIL": r"[A-Z0-9._]+@[A-Z.]+",
        "STREET": r"\d+ [A-Z0-9. -]+",
        "CITY": r"[A-Z ]+",
        "ZIP": r"\d{5}",
        "HEALTHPLAN": r"[A-Z]+\d{9}",
        "ACCOUNT": r"0\d{11}",
    }
    assert {row.category for row in corpus.known} == set(shapes)
    for row in corpus.known:
        upper = row.value.replace("ß", "")
        assert re.fullmatch(shapes[row.category], upper), row.category


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
        names = [set(re.findall(r"\w+", fold(v).lower())) for k, v in rows[note.patient_id] if k == "PATIENT"]
        years = {value[-2:] for kind, value in rows[note.patient_id] if kind == "DATE"}
        for span in note.spans:
            words = set(re.findall(r"\w+", fold(span.text).lower()))
            if span.category == "PATIENT":
                whole = any(len(words & name) >= 2 and words <= name for name in names)
                assert whole or not span.in_registration
            if span.category == "DATE" and span.in_registration:
                assert any(year in span.text for year in years)


def test_unmarked_values_are_there_too(corpus):
    marked = Counter((span.category, span.in_registration) for note in corpus.notes for span in note.spans)
    for category in ("PATIENT", "DATE", "PHONE", "SSN", "STREET", "CITY", "ZIP", "HEALTHPLAN", "EMAIL"):
        assert marked[category, True] >= 15
        assert marked[category, False] >= 5


def test_titles_credentials_and_possessives_stand_outside_spans(corpus):
    outside = re.compile(r"^(Dr|Mr|Mrs|Ms)\b|\b(M\.?D\.?|RN|NP|LICSW)$|^(on|at|the) ")
    people = {"PATIENT", "DOCTOR"}
    for note in corpus.notes:
        for span in note.spans:
            assert not (span.category in people and outside.search(span.text))
            assert not (span.category in people and span.text.endswith(("'s", "’s")))


def test_ages_over_89_and_in_words_occur(corpus):
    ages = [span.text for note in corpus.notes for span in note.spans if span.category == "AGE"]
    assert sum(age.isdigit() and int(age) > 89 for age in ages) >= 10
    assert sum(age.isalpha() or "-" in age for age in ages) >= 10


PROSE_PHI = re.compile(
    r"\b(January|February|April|June|July|August|September|October|November|December"
    r"|(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Thanksgiving|Christmas)\b|\b555\b|@\w+\.|https?:"
)


def test_the_prose_of_templates_holds_no_dates_phones_or_addresses():
    for template in TEMPLATES:
        prose = re.sub(r"\{[^{}]*\}", "", template.text)
        assert not PROSE_PHI.search(prose), template.name


def test_choose_takes_one_alternative_of_each_level():
    class First:
        def choice(self, options):
            return options[0]

    assert choose("a [b [c|d]|e] f | g[|h]", rng=First()) == "a b c f | g"


def test_build_marks_what_registration_knows():
    pieces = {"x": [Piece("an "), Piece("8", "AGE", "8")], "y": [Piece("9", "AGE", "9")]}
    text, spans = build("{x} and {y}.", value=pieces.__getitem__, known=frozenset({("AGE", "9")}))
    assert text == "an 8 and 9."
    assert [(span.start, span.end, span.in_registration) for span in spans] == [(3, 4, False), (9, 10, True)]


def test_wrapped_moves_no_offset():
    text = "one two three four\n" + "x" * 30 + "\n\nfive"
    broken = wrapped(text, 10)
    assert len(broken) == len(text)
    assert broken.replace("\n", " ") == text.replace("\n", " ")
    assert broken.split("\n")[:2] == ["one two", "three four"]


def test_ages_follow_from_the_day_of_the_note():
    patient = make_patients(Random(3))[70]
    days = Days(Random(1), patient)
    (today,) = days.d("0", "iso")
    (years,) = days.age()
    note_day = date.fromisoformat(today.text)
    birthday_passed = (note_day.month, note_day.day) >= (patient.dob.month, patient.dob.day)
    assert int(years.text) == note_day.year - patient.dob.year - (not birthday_passed)
