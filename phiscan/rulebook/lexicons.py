"""Word lists of ``rules/lexicons``, read once: what is a state, a country, or never a name.

Entries come back in lower case, specialties apart. ``.txt`` lists (one entry a line, ``#`` comments)
are shared with the rule files; ``.toml`` lists carry more than one kind of entry.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from phiscan.errors import RuleError
from phiscan.resources import resource_dir
from phiscan.toml_file import read_toml


@lru_cache(maxsize=1)
def us_states() -> dict[str, str]:
    """Short form of a US state or territory -> its full name, both in lower case.

    >>> us_states()["ma"], us_states()["calif"]
    ('massachusetts', 'california')
    """
    tables = _toml("us_states").values()
    return {short.lower(): full.lower() for table in tables for short, full in table.items()}


@lru_cache(maxsize=1)
def countries() -> frozenset[str]:
    """Names and usual short forms of countries, in lower case."""
    return _lines("countries") | frozenset(short.lower() for short in _toml("countries")["short"])


@lru_cache(maxsize=1)
def country_names() -> dict[str, str]:
    """Short or other form of a country -> its usual name, both in lower case.

    >>> country_names()["usa"]
    'united states'
    """
    return {short.lower(): full.lower() for short, full in _toml("countries")["short"].items()}


@lru_cache(maxsize=1)
def restricted_zip3() -> frozenset[str]:
    """Three-digit ZIP areas of 20,000 people or fewer, by the newest census that is listed."""
    newest = max(_toml("restricted_zip3")["census"], key=lambda census: census["year"])
    return frozenset(newest["areas"])


@lru_cache(maxsize=1)
def eponyms() -> frozenset[str]:
    """People after whom diseases, signs and devices are named, in lower case: names, but not of
    anybody in the note unless a title or a second name says so."""
    return _lines("eponym")


@lru_cache(maxsize=1)
def eponyms_or_names() -> frozenset[str]:
    """Eponyms that are as often a person of the note, in lower case: the noun behind them decides."""
    return _lines("eponym_or_name")


@lru_cache(maxsize=1)
def not_names() -> frozenset[str]:
    """Words that are never part of a name in a clinical note (eponyms apart), in lower case."""
    more = frozenset(word.lower() for words in _toml("not_names").values() for word in words)
    return _lines("not_name") | _lines("clinical_word") | _lines("drug") | more


@lru_cache(maxsize=1)
def given_names() -> frozenset[str]:
    """First names that are no word of clinical prose, in lower case."""
    return _lines("given_name")


@lru_cache(maxsize=1)
def surnames() -> frozenset[str]:
    """The commonest surnames, words of notes apart, in lower case."""
    return _lines("surname")


@lru_cache(maxsize=1)
def occupations() -> frozenset[str]:
    """Occupations by their last word or words, in lower case."""
    return _lines("occupation")


@lru_cache(maxsize=1)
def place_eponyms() -> frozenset[str]:
    """Places after which scores, viruses and devices are named, in lower case."""
    return _lines("place_eponym")


@lru_cache(maxsize=1)
def word_surnames() -> frozenset[str]:
    """Names that are everyday words, in lower case."""
    return _lines("word_surname")


@lru_cache(maxsize=1)
def not_places() -> frozenset[str]:
    """Words before "Hospital" or "Clinic" that name no particular one, in lower case."""
    return _lines("not_place")


@lru_cache(maxsize=1)
def specialties() -> tuple[str, ...]:
    """Specialties, subjects and examinations by which reports may split their figures, as spelt there."""
    return tuple(_entries("specialty_name"))


def _toml(name: str) -> dict[str, Any]:
    return read_toml(resource_dir("rules") / "lexicons" / f"{name}.toml", f"lexicon {name}", RuleError)


def _lines(name: str) -> frozenset[str]:
    return frozenset(entry.lower() for entry in _entries(name))


def _entries(name: str) -> list[str]:
    lines = (line.strip() for line in _read(f"{name}.txt").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _read(file: str) -> str:
    try:
        return (resource_dir("rules") / "lexicons" / file).read_text(encoding="utf-8")
    except OSError:
        raise RuleError(f"lexicon {file}: cannot be read") from None
