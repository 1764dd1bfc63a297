"""Is the right diagnosis among the first of a list? Names by an editable table of synonyms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from phiscan.errors import ConfigError
from phiscan.option_match import Answer, equal_form, whole_words
from phiscan.resources import resource_dir
from phiscan.toml_file import read_toml

TOP = (1, 2, 3)
"""Places of a list within which the right diagnosis is sought."""
Synonyms = Mapping[str, tuple[str, ...]]
"""All names of a diagnosis by any one of them, in its equal form."""
_ITEM = re.compile(r"(?:^|(?<=[\s;,]))(?:\d{1,2}[.)](?=\s|$)|[-*•](?=\s))\s*")
_PARTS = re.compile(r"[;,]\s+")


def load_synonyms(path: Path | None = None) -> Synonyms:
    """The table in ``path``, or the shipped one; ConfigError if it is no such table.

    A term of several groups has the names of all of them.
    """
    place = resource_dir("rules") / "diagnoses" / "synonyms.toml" if path is None else path
    content = read_toml(place, "--synonyms")
    try:
        groups = [group["terms"] for group in content["group"]]
    except (KeyError, TypeError):
        raise ConfigError("--synonyms: not a TOML file of tables [[group]] with a list `terms`") from None
    found: dict[str, tuple[str, ...]] = {}
    for terms in groups:
        if not isinstance(terms, list) or not all(
            isinstance(term, str) and equal_form(term) for term in terms
        ):
            raise ConfigError("--synonyms: `terms` must be a list of names")
        for term in map(equal_form, terms):
            found[term] = tuple(dict.fromkeys((*found.get(term, ()), *terms)))
    return found


def listed(answer: str) -> list[str]:
    r"""The diagnoses of an answer in their order: by number or dash, else by line, else by comma.

    >>> listed("Likely:\n1. Sepsis\n2. Heart attack"), listed("Sepsis\n2. Heart attack")
    (['Sepsis', 'Heart attack'], ['Sepsis', 'Heart attack'])
    >>> listed("Sepsis, heart attack"), listed("Type 2 diabetes")
    (['Sepsis', 'heart attack'], ['Type 2 diabetes'])
    """
    marker = _ITEM.search(answer)
    if marker:
        # The prompt has begun the list: what stands before a second item is the first one.
        parts: Iterable[str] = _ITEM.split(answer)[0 if marker[0].startswith("2") else 1 :]
    elif len(answer.strip().splitlines()) > 1:
        parts = answer.splitlines()
    else:
        parts = _PARTS.split(answer)
    return [part.strip() for part in parts if part.strip(" \t\n.,;:")]


def place_of(answer: str, diagnoses: Iterable[str], synonyms: Synonyms) -> int | None:
    """Place (1 = first) of the first listed diagnosis that names a right one in whole words, or None."""
    names = {name for right in diagnoses for name in (right, *synonyms.get(equal_form(right), ()))}
    for place, item in enumerate(listed(answer), 1):
        read = Answer.of(item, shown=())
        if any(whole_words(read, name) for name in names):
            return place
    return None
