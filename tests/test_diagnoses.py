"""The right diagnosis is sought among the first of a list, under every name of it."""

from __future__ import annotations

import pytest

from phiscan.diagnoses import listed, load_synonyms, place_of
from phiscan.errors import ConfigError


@pytest.mark.parametrize(
    ("answer", "items"),
    [
        (" Sepsis\n2. Heart attack\n3. Gout", ["Sepsis", "Heart attack", "Gout"]),
        ("Here is the list:\n1) Sepsis\n2) Heart attack", ["Sepsis", "Heart attack"]),
        ("- Sepsis\n- Heart attack", ["Sepsis", "Heart attack"]),
        ("Sepsis\nHeart attack", ["Sepsis", "Heart attack"]),
        ("Sepsis; heart attack", ["Sepsis", "heart attack"]),
        ("Type 2 diabetes", ["Type 2 diabetes"]),
        (" \n. ", []),
    ],
)
def test_lists_are_read_as_people_write_them(answer, items):
    assert listed(answer) == items


def test_the_place_is_that_of_the_first_item_that_names_it():
    names = load_synonyms()
    right = ["Myocardial infarction"]
    assert place_of("1. Angina\n2. Heart attack (MI)\n3. Myocardial infarction", right, names) == 2
    assert place_of("Acute MI", right, names) == 1
    assert place_of("1. Mitral stenosis 2. Miliary tuberculosis", right, names) is None
    assert place_of("Pneumonia", ["Community-acquired pneumonia"], names) is None
    assert place_of("", right, names) is None


def test_a_table_of_ones_own_replaces_the_shipped_one(tmp_path):
    path = tmp_path / "names.toml"
    path.write_text('[[group]]\nterms = ["Gout", "podagra"]\n[[group]]\nterms = ["gout", "uric arthritis"]\n')
    names = load_synonyms(path)
    assert place_of("1. Podagra", ["gout"], names) == place_of("1. Uric arthritis", ["Gout."], names) == 1
    assert place_of("heart attack", ["myocardial infarction"], names) is None


@pytest.mark.parametrize(
    "text", ["group = 3", "[[group]]\nterms = 'x'", "[[group]]\nterms = ['']", "[[group]", "x = 1"]
)
def test_a_table_that_is_none_is_refused_in_one_line(tmp_path, text):
    path = tmp_path / "names.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"^--synonyms: [^\n]+$"):
        load_synonyms(path)
    with pytest.raises(ConfigError, match=r"^--synonyms: cannot be read"):
        load_synonyms(tmp_path / "none.toml")
