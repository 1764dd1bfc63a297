"""Places, institutions and work: abbreviations, directions, units, acronyms, codes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import wraps

from phiscan.normalize.text import Keys, fold
from phiscan.rulebook.lexicons import country_names, us_states

_DIRECTIONS = {
    "n": "north", "s": "south", "e": "east", "w": "west",
    "ne": "northeast", "nw": "northwest", "se": "southeast", "sw": "southwest",
}  # fmt: skip
_STREETS = {
    "st": "street", "str": "street", "ave": "avenue", "av": "avenue", "rd": "road", "dr": "drive",
    "ln": "lane", "blvd": "boulevard", "ct": "court", "pl": "place", "ter": "terrace", "terr": "terrace",
    "hwy": "highway", "pkwy": "parkway", "cir": "circle", "sq": "square", "trl": "trail", "cres": "crescent",
    "tpke": "turnpike", "rte": "route", "rt": "route", "expy": "expressway", "aly": "alley",
    "xing": "crossing",
}  # fmt: skip
_UNITS = frozenset("apt apartment unit suite ste floor fl rm room lot bldg building".split())
_ORDINALS = {
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th",
    "seventh": "7th", "eighth": "8th", "ninth": "9th", "tenth": "10th",
}  # fmt: skip
_SAINTS = {"st": "saint", "ste": "sainte", "mt": "mount", "ft": "fort"}
_INSTITUTION = _SAINTS | {
    "hosp": "hospital", "ctr": "center", "cntr": "center", "centre": "center", "med": "medical",
    "gen": "general", "univ": "university", "mem": "memorial", "meml": "memorial", "reg": "regional",
    "comm": "community", "cmty": "community", "inst": "institute", "clin": "clinic", "dept": "department",
    "rehab": "rehabilitation", "childrens": "children", "assoc": "associates", "hlth": "health",
}  # fmt: skip
_LEFT_OUT = frozenset("the of and for at inc llc ltd co corp corporation company pc pllc lp".split())
_GENERIC = frozenset(
    "hospital medical center clinic health healthcare system care institute university general memorial "
    "regional community department unit ward service services group associates school college".split()
)
_ROOM = frozenset("room rm bed bay".split())
_USA = {"us": "united states", "united states of america": "united states"}


def words_of(text: str) -> list[str]:
    """Folded words; dotted initials as one word, apostrophes dropped."""
    plain = re.sub(r"['’]", "", text)
    plain = re.sub(r"\b(?:\w\.){2,}", lambda m: m[0].replace(".", "") + " ", plain)
    return re.findall(r"[^\W_]+", fold(plain))


def _with_possessive(made: Callable[[str], Keys]) -> Callable[[str], Keys]:
    """Mary's is written Marys and Mary: the keys of both."""

    @wraps(made)
    def both(text: str) -> Keys:
        found, bare = made(text), re.sub(r"['’]s\b", "", text)
        if bare == text:
            return found
        other = made(bare)
        return Keys((*found.full, *other.full), found.part | other.part)

    return both


@_with_possessive
def street_keys(text: str) -> Keys:
    """Keys of a street address: without its unit, its number or its kind of street it is a part."""
    text = re.sub(r"(?i)\b(?:p\.?\s?o\.?|post office)\s?box\b|\bpob\b", "pobox", text)
    words = _street_words(text)
    full = " ".join(words)
    address = full.partition(" unit ")[0]
    part = {address}
    if match := re.match(r"(\d+[a-z]?) (.+)", address):
        part.add(match[2])
        kind = match[2].rpartition(" ")
        part |= {f"{match[1]} {kind[0]}"} if kind[0] and kind[2] in _STREETS.values() else set()
    return Keys((full,), frozenset(part - {full}))


def _street_words(text: str) -> list[str]:
    chunks = [words_of(chunk) for chunk in text.replace("#", " unit ").split(",")]
    made: list[str] = []
    for words in chunks:
        for at, word in enumerate(words):
            named = (
                words[at + 1 : at + 2] and words[at + 1] not in _UNITS and words[at + 1] not in _DIRECTIONS
            )
            if word in ("st", "dr") and named:
                made.append({"st": "saint", "dr": "doctor"}[word])  # St. Mary's Road
            elif word == "ste" and words[at + 1 : at + 2] and words[at + 1][0].isdigit():
                made.append("unit")
            elif word in _UNITS and (at or made):
                made += ["unit"] if made[-1:] != ["unit"] else []
            else:
                made.append(_STREETS.get(word) or _DIRECTIONS.get(word) or _ORDINALS.get(word) or word)
    return made


@_with_possessive
def institution_keys(text: str) -> Keys:
    """Keys of a hospital, department or organisation; its initials and its own name are parts."""
    words = [_INSTITUTION.get(word, word) for word in words_of(text)]
    kept = [word for word in words if word not in _LEFT_OUT] or words
    own = [word for word in kept if word not in _GENERIC]
    part = {" ".join(own)} | set(_acronyms(kept, words)) if len(kept) > 1 else set()
    return Keys((" ".join(kept),), frozenset(form for form in part if len(form) > 1) - {" ".join(kept)})


def _acronyms(kept: Sequence[str], words: Sequence[str]) -> list[str]:
    """Initials, with and without small words; of a compound first word a second letter may stand in
    them (Brightvale Medical Center: BMC or BVMC)."""
    rest = "".join(word[0] for word in kept[1:])
    plain = [kept[0][0] + rest, "".join(word[0] for word in words)]
    return plain + [
        kept[0][0] + letter + rest for letter in dict.fromkeys(kept[0][2:]) if letter not in "aeiou"
    ]


@_with_possessive
def town_keys(text: str) -> Keys:
    """Keys of a city or other place; what stands before a comma is a part."""
    chunks = [
        " ".join(
            _SAINTS.get(word) or (_DIRECTIONS.get(word) if at == 0 else None) or word
            for at, word in enumerate(words_of(chunk))
        )
        for chunk in text.split(",")
    ]
    full = " ".join(chunk for chunk in chunks if chunk)
    return Keys((full,), frozenset({chunks[0]} - {full, ""}))


def room_keys(text: str) -> Keys:
    """Keys of a room or bed, without the words for them."""
    words = words_of(text)
    return Keys((" ".join(word for word in words if word not in _ROOM) or " ".join(words),))


def state_keys(text: str) -> Keys:
    """Keys of a state: its full name."""
    plain = " ".join(words_of(text))
    return Keys((us_states().get(plain, plain),))


def country_keys(text: str) -> Keys:
    """Keys of a country: its usual name."""
    plain = " ".join(words_of(text)).removeprefix("the ")
    return Keys((_USA.get(plain) or country_names().get(plain, plain),))


def zip_keys(text: str) -> Keys:
    """Keys of a ZIP or postal code; five and three figures are parts."""
    plain = re.sub(r"[\W_]", "", fold(text)).upper()
    if not plain.isdigit():
        return Keys((plain.rstrip("X") if re.fullmatch(r"\d{3,5}X+", plain) else plain,))
    return Keys(
        (plain,), frozenset({plain[:5], plain[:3]} - {plain}) if len(plain) in (5, 9) else frozenset()
    )


def work_keys(text: str) -> Keys:
    """Keys of a profession without its article; without "retired" it is a part."""
    plain = re.sub(r"^(?:an?|the)\s+", "", fold(text).strip(" .,;"))
    shorter = re.sub(r"^(?:retired|former|ex|part-time|full-time)[\s-]+", "", plain)
    return Keys((plain,), frozenset({shorter} - {plain, ""}))
