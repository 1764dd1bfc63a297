"""What every held-out corpus promises: deterministic, right spans, every category and template."""

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import heldout.notes
import heldout2.asides
import heldout2.notes
import heldout3.notes
import pytest
from heldout.records import HeldoutCorpus, Template
from heldout.world import fold

from phiscan.taxonomy import CATEGORIES

COMMON = {"PATIENT", "DOCTOR", "DATE", "HOSPITAL"}
NUMBERS = {"MEDICALRECORD", "SSN", "PHONE", "EMAIL", "ZIP", "CITY", "HEALTHPLAN", "ACCOUNT"}
CALENDAR = (
    r"\b(January|February|April|June|July|August|September|October|November|December"
    r"|(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Thanksgiving|Christmas(?![ -](disease|tree)))\b"
    r"|\b555\b|@\w+\.|https?:"
)
STRICT_CALENDAR = CALENDAR + r"|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b|\b(19|20)\d\d\b"


BOTH_WAYS = ("PATIENT", "DATE", "PHONE", "STREET", "CITY", "ZIP", "HEALTHPLAN", "EMAIL")


class Corpus(NamedTuple):
    make: Callable[..., HeldoutCorpus]
    templates: tuple[Template, ...]
    prose: str = ""
    """Text without identifiers that the notes take in besides the templates."""
    calendar: str = STRICT_CALENDAR
    """What no template may hold outside its values."""
    marked: tuple[str, ...] = (*BOTH_WAYS, "ACCOUNT")
    """Categories with values that stand in registration and values that do not."""
    at_least: tuple[int, int] = (10, 10)
    """How many of them are in registration, and how many are not."""


CORPORA = {
    "first": Corpus(
        heldout.notes.make_heldout,
        heldout.notes.TEMPLATES,
        calendar=CALENDAR,
        marked=(*BOTH_WAYS, "SSN"),
        at_least=(15, 5),
    ),
    "second": Corpus(
        heldout2.notes.make_heldout2, heldout2.notes.TEMPLATES, prose="\n".join(heldout2.asides.ASIDES)
    ),
    "third": Corpus(heldout3.notes.make_heldout3, heldout3.notes.TEMPLATES),
}


@pytest.fixture(scope="module", params=CORPORA)
def kind(request):
    return CORPORA[request.param]


@pytest.fixture(scope="module")
def corpus(kind):
    return kind.make()


@pytest.fixture(scope="module")
def rows(corpus):
    found = {}
    for row in corpus.known:
        found.setdefault(row.patient_id, []).append((row.category, row.value))
    return found


def test_the_same_seed_gives_the_same_corpus(kind, corpus):
    assert kind.make() == corpus
    assert kind.make(seed=42, n_notes=5).notes != corpus.notes[:5]


def test_a_shorter_corpus_is_the_beginning_of_a_longer_one(kind, corpus):
    assert kind.make(n_notes=31).notes == corpus.notes[:31]


@pytest.mark.parametrize("seed", [None, 3, 12])
def test_spans_are_their_slices_sorted_and_apart(kind, corpus, seed):
    for note in (corpus if seed is None else kind.make(seed=seed, n_notes=90)).notes:
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
    assert all(counts[category] >= 300 for category in COMMON)


def test_notes_hold_about_as_many_values_as_real_ones(corpus):
    sizes = sorted(len(note.spans) for note in corpus.notes)
    assert 20 <= sum(sizes) / len(sizes) <= 36
    assert sizes[0] >= 10


def test_every_template_is_used_and_gives_different_notes(kind, corpus):
    texts = {template.name: set() for template in kind.templates}
    for note in corpus.notes:
        texts[note.template].add(note.text)
    assert len(texts) == len(kind.templates) >= 24
    assert all(len(found) >= 5 for found in texts.values())
    assert len({note.text for note in corpus.notes}) == len(corpus.notes) == 300


def test_some_patients_have_several_notes(corpus):
    counts = Counter(note.patient_id for note in corpus.notes)
    assert len(counts) > 100
    assert max(counts.values()) >= 3


def test_no_markup_is_left(corpus):
    for note in corpus.notes:
        assert not re.search(r"[{}]|\|\]|\[(?![xX ]\])", note.text)


def test_the_prose_of_templates_holds_no_dates_phones_or_addresses(kind):
    for template in kind.templates:
        prose = re.sub(r"\{[^{}]*\}", "", template.text)
        assert not re.search(kind.calendar, prose), template.name
    assert not re.search(kind.calendar, kind.prose)


def test_a_name_is_one_span(kind):
    split = re.compile(r"\{(\w+)\.first\},? \{\1\.last\}|\{(\w+)\.last\},? \{\2\.first\}")
    assert split.search("{dr1.first} {dr1.last}")
    for template in kind.templates:
        assert not split.search(template.text), template.name


def test_titles_credentials_and_possessives_stand_outside_spans(corpus):
    outside = re.compile(r"^(Dr|Mr|Mrs|Ms)\b|\S[ ,]+(M\.?D\.?|RN|NP|LICSW|MSW)$|^(on|at|the) ")
    people = {"PATIENT", "DOCTOR"}
    for note in corpus.notes:
        for span in note.spans:
            assert not (span.category in people and outside.search(span.text))
            assert not (span.category in people and span.text.endswith(("'s", "’s")))


def test_ages_over_89_and_in_words_occur(corpus):
    ages = [span.text for note in corpus.notes for span in note.spans if span.category == "AGE"]
    assert sum(age.isdigit() and int(age) > 89 for age in ages) >= 10
    assert sum(not age.isdigit() for age in ages) >= 10


def _letters_and_digits(text):
    return re.sub(r"[^a-z0-9]", "", fold(text).lower())


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
            if span.category == "PATIENT" and span.in_registration:
                assert any(len(words & name) >= 2 and words <= name for name in names)
            if span.category == "DATE" and span.in_registration:
                assert any(year in span.text for year in years)


def test_marked_and_unmarked_values_are_there(kind, corpus):
    marked = Counter((span.category, span.in_registration) for note in corpus.notes for span in note.spans)
    for category in kind.marked:
        assert marked[category, True] >= kind.at_least[0]
        assert marked[category, False] >= kind.at_least[1]
