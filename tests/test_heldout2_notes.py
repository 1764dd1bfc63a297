"""The words and values of the second held-out corpus."""

import re
from random import Random

from heldout.records import Piece
from heldout2 import lists, names
from heldout2.cast import Cast
from heldout2.numbers import shaped
from heldout2.patients import make_patients


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
