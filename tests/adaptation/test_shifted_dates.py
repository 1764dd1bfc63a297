"""Moved dates, read again by the normaliser that verification uses."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.adaptation.shifted_dates import shifted
from phiscan.normalize import canonical
from phiscan.value_pool import form_of

PADDED = ["%m/%d/%Y", "%Y-%m-%d", "%m-%d-%y", "%d %b %Y", "%B %d, %Y", "%Y%m%d", "%m/%d/'%y", "%b. %d %Y"]
UNPADDED = [
    lambda day: f"{day.month}/{day.day}/{day.year}",
    lambda day: f"{day:%B} {day.day}, {day.year}",
    lambda day: f"{day.day} {day:%b} {day.year}".upper(),
    lambda day: f"the {day.day}th of {day:%B} {day.year}",
    lambda day: f"Tuesday, {day.month}-{day.day}-{day.year} at 10:22 PM",
]
DAYS = st.integers(-4000, 4000)
DATES = st.dates(date(1945, 1, 1), date(2015, 12, 31))


@given(DATES, DAYS, st.sampled_from(PADDED))
def test_a_date_moves_by_the_days_and_keeps_its_form(day, days, form):
    text = day.strftime(form)
    moved = day + timedelta(days)
    assert canonical("DATE", shifted(text, days)) == canonical("DATE", moved.strftime(form))
    if not any(char.isalpha() for char in text):
        assert form_of("DATE", shifted(text, days)) == form_of("DATE", text)


@given(DATES, DAYS, st.sampled_from(UNPADDED))
def test_dates_without_zeros_move_too(day, days, write):
    moved = shifted(write(day), days)
    assert canonical("DATE", moved) == (day + timedelta(days)).isoformat()


@given(DATES, st.integers(1, 200), DAYS)
def test_intervals_stay(first, later, days):
    one, other = first.strftime("%m/%d/%Y"), (first + timedelta(later)).strftime("%Y-%m-%d")
    range_moved = shifted(f"{one} to {other}", days)
    moved = [date.fromisoformat(canonical("DATE", part)) for part in range_moved.split(" to ")]
    assert moved[1] - moved[0] == timedelta(later)
    assert moved[0] - first == timedelta(days)


@given(DATES, st.integers(-500, 500))
def test_day_first_is_read_and_written_day_first(day, days):
    moved = shifted(day.strftime("%d/%m/%Y"), days, date_order="dmy")
    assert moved == (day + timedelta(days)).strftime("%d/%m/%Y")


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("3/14", "4/18"),
        ("3/14-3/18", "4/18-4/22"),
        ("Mon 3/1", "Mon 4/5"),
        ("MAR 14", "APR 18"),
        ("March 1st", "April 5th"),
        ("December", "January"),
        ("May 2021", "June 2021"),
        ("May", "June"),
        ("12/2020", "01/2021"),
        ("2021-03-14T10:22", "2021-04-18T10:22"),
        ("11/05/21 10:30 PM", "12/10/21 10:30 PM"),
        ("14/03/2021", "18/04/2021"),
        ("early 2021", "early 2021"),
        ("24MAY15", "28JUN15"),
        ("06SEP19", "11OCT19"),
        ("31AUG2019", "05OCT2019"),
        ("Jul '11", "Aug '11"),
        ("'21", "'21"),
    ],
)
def test_what_is_left_out_stays_left_out(text, moved):
    assert shifted(text, 35, told_in=2021) == moved


@pytest.mark.parametrize("text", ["Christmas 2021", "summer 2019", "the '90s", "the fifth", "3/14-18", "2/30/2021", "9999-12-31", "DOB 3/14/2021", "", "x"])  # fmt: skip
def test_what_cannot_be_read_whole_is_not_guessed(text):
    expected = "" if text == "" else None
    assert shifted(text, 35) == expected


def test_a_leap_day_without_a_year_moves_only_in_a_leap_year():
    assert shifted("2/29", 1, told_in=2020) == "3/01" or shifted("2/29", 1, told_in=2020) == "3/1"
    assert shifted("2/29", 1, told_in=2021) is None


def test_a_birth_that_tells_an_age_over_89_has_no_surrogate():
    assert shifted("3/14/1930", 35, told_in=2020) is None
    assert shifted("3/14/1931", 35, told_in=2020) == "4/18/1931"
    assert shifted("3/14/1930", 35) == "4/18/1930"


@given(st.text("0123456789/-. ,Marchmy'", max_size=14), DAYS)
def test_any_text_gives_an_answer(text, days):
    moved = shifted(text, days, told_in=2021)
    assert moved is None or isinstance(moved, str)
