"""Word lists of ``rules/lexicons``, read once: what is a state, a country, or never a name.

All entries come back in lower case. ``.txt`` lists (one entry a line, ``#`` comments) are shared
with the rule files; ``.toml`` lists carry more than one kind of entry.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from typing import Any

from phiscan.errors import RuleError
from phiscan.resources import resource_dir


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
def eponyms() -> frozenset[str]:
    """People after whom diseases, signs and devices are named, in lower case: names, but not of
    anybody in the note unless a title or a second name says so."""
    return _lines("eponym") | frozenset(word.lower() for word in _toml("not_names")["eponyms"])


@lru_cache(maxsize=1)
def not_names() -> frozenset[str]:
    """Words that are never part of a name in a clinical note (eponyms apart), in lower case."""
    lists = {key: words for key, words in _toml("not_names").items() if key != "eponyms"}
    return _lines("not_name") | frozenset(word.lower() for words in lists.values() for word in words)


@lru_cache(maxsize=1)
def not_places() -> frozenset[str]:
    """Words before "Hospital" or "Clinic" that name no particular one, in lower case."""
    return _lines("not_place")


def _toml(name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(_read(f"{name}.toml"))
    except tomllib.TOMLDecodeError:
        raise RuleError(f"lexicon {name}: is not valid TOML") from None


def _lines(name: str) -> frozenset[str]:
    lines = (line.strip().lower() for line in _read(f"{name}.txt").splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))


def _read(file: str) -> str:
    try:
        return (resource_dir("rules") / "lexicons" / file).read_text(encoding="utf-8")
    except OSError:
        raise RuleError(f"lexicon {file}: cannot be read") from None
