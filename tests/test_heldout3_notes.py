"""The words and values of the third held-out corpus are its own."""

from datetime import datetime
from itertools import pairwise
from random import Random

import pytest
from heldout import words
from heldout.records import Piece
from heldout2 import lists as second
from heldout2.patients import make_patients
from heldout3 import lists
from heldout3.cast import POPULATION, Cast


@pytest.fixture
def cast():
    return Cast(Random(4), make_patients(Random(1), POPULATION)[70])


@pytest.mark.parametrize(
    "name", ["HOSPITALS", "NURSING_HOMES", "CLINICS", "WARDS", "EMPLOYERS", "INSURERS", "PHARMACIES"]
)
def test_institutions_stand_in_no_other_corpus(name):
    own = set(getattr(lists, name))
    assert len(own) >= 8
    assert not own & {*getattr(words, name), *getattr(second, name)}


def test_the_lists_of_names_are_long_and_without_repeats():
    assert len({*lists.GIVEN_F, *lists.GIVEN_M}) >= 150
    assert len(set(lists.SURNAMES)) == len(lists.SURNAMES) >= 160
    assert len(lists.FOREIGN_CITIES) == len(lists.COUNTRIES)


def test_the_clock_of_a_note_runs_on():
    for seed in range(20):
        cast = Cast(Random(seed), make_patients(Random(1), POPULATION)[0])
        times = [cast.value("time")[0].text.replace(":", "") for _ in range(8)]
        minutes = [int(text[:2]) * 60 + int(text[2:]) for text in times]
        assert all(0 < (later - earlier) % (24 * 60) < 40 for earlier, later in pairwise(minutes))
        assert all(datetime.strptime(text, "%H%M") for text in times)


def test_pressures_are_plausible(cast):
    for _ in range(50):
        upper, lower = map(int, cast.value("bp")[0].text.split("/"))
        assert 0.4 * upper < lower < 0.7 * upper


def test_a_nickname_stands_inside_the_name_and_only_a_plain_name_is_registered(cast):
    (nick,) = cast.value("pt.nick")
    (plain,) = cast.value("pt.full")
    first, last = plain.text.split(" ", 1)
    assert nick.text.startswith(f"{first} “")
    assert nick.text.endswith(f"” {last}")
    assert nick == Piece(nick.text, "PATIENT")
    assert plain.key == plain.text.lower()
