"""Typed canonical forms: when are two ways of writing a value the same value?

A value is compared within its family only (see :mod:`phiscan.taxonomy`): a weight of 88 is
never the age 88. Each value has *full* keys (any one in common: the same value, however it is
written) and *part* keys (what gives away a part of it: the surname, the last four digits, day
and month). Dates are month first unless told otherwise; with ``date_order="unknown"`` a numeric
date that reads both ways is *ambiguous*.
"""

from __future__ import annotations

import calendar
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, NamedTuple

from phiscan.rulebook.lexicons import us_states
from phiscan.taxonomy import CATEGORIES, CONTACTS, IDENTIFIERS

DateOrder = Literal["mdy", "dmy", "unknown"]

RESTRICTED_ZIP3: frozenset[str] = frozenset(
    "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893".split()
)
"""Three-digit ZIP areas of 20,000 people or fewer by the 2000 Census (HHS guidance of 2012)."""


class Keys(NamedTuple):
    """The comparable forms of one value; ``full[0]`` is its canonical form."""

    full: tuple[str, ...]
    part: frozenset[str] = frozenset()
    ambiguous: bool = False


def fold(text: str) -> str:
    """Case, diacritics and runs of white space removed: the loosest form of any text."""
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return " ".join(plain.casefold().split())


def squeeze(text: str) -> str:
    """White space runs as single blanks: equal after this means *verbatim*."""
    return " ".join(text.split())


@lru_cache(maxsize=200_000)
def keys(category: str, text: str, date_order: DateOrder = "mdy") -> Keys:
    """The comparable forms of ``text`` read as a value of ``category`` (at least one full key)."""
    if category == "DATE":
        made = _date_keys(text, date_order)
    else:
        made = _BY_CATEGORY.get(category, _plain_keys)(text)
    return made if made.full and made.full[0] else Keys((fold(text),))


def canonical(category: str, text: str, date_order: DateOrder = "mdy") -> str:
    """The canonical form written to the tables: the first full key."""
    return keys(category, text, date_order).full[0]


def hipaa_letter(category: str, canonical_form: str) -> str | None:
    """Letter A-R of 45 CFR 164.514(b)(2)(i), or None where the rule lets the value stand.

    Fine rules: a year alone and ages up to 89 are allowed; three-digit ZIP areas are allowed
    unless they hold 20,000 people or fewer.
    """
    letter = CATEGORIES[category].hipaa
    if category == "DATE" and re.fullmatch(r"\d{4}", canonical_form):
        return None
    if category == "AGE":
        years = re.fullmatch(r"(\d+)[ys]", canonical_form)
        return letter if years and int(years[1]) >= 90 else None
    if category == "ZIP" and re.fullmatch(r"\d{3}", canonical_form):
        return letter if canonical_form in RESTRICTED_ZIP3 else None
    return letter


def is_full_name(category: str, canonical_form: str) -> bool:
    """True for a person's name with a given name (not just an initial) and a surname."""
    words = canonical_form.split()
    if CATEGORIES[category].family != "person" or len(words) < 2:
        return False
    return len(words[0]) > 1 and words[0] not in _PARTICLES


def is_specific(category: str, canonical_form: str) -> bool:
    """True if the value points at one person by itself: a full name, a contact, a street with
    its number, an identifier of six or more letters and digits."""
    if category in CONTACTS:
        digits = sum(char.isdigit() for char in canonical_form.partition("x")[0])
        return digits >= 7 if category in ("PHONE", "FAX") else True
    if category == "STREET":
        return re.match(r"\d+[a-z]?\s+\w", canonical_form) is not None
    if category in IDENTIFIERS:
        return sum(char.isalnum() for char in canonical_form) >= 6
    return is_full_name(category, canonical_form)


# --- names ------------------------------------------------------------------------------

_TITLES = frozenset(
    "dr doctor mr mrs ms miss mx prof professor md do rn np pa phd jr sr ii iii iv nurse".split()
)

_PARTICLES = frozenset("al bin da de del den der di do dos du el ibn la le st ten ter van von".split())
"""Words a surname may begin with: "van der Meer" alone is no full name."""
_DEGREE = re.compile(r"[,\s]+(?:m\.\s?d|d\.\s?o|r\.\s?n|n\.\s?p|p\.\s?a|ph\.\s?d)\.?$")
"""Dotted degrees, at a name's end only: elsewhere the letters are initials."""


def _person_keys(text: str) -> Keys:
    folded = _DEGREE.sub("", fold(re.sub(r"['’`]", "", re.sub(r"['’]s\b", "", text))))
    surname_part, comma, given_part = folded.partition(",")
    surname, given = _name_words(surname_part), _name_words(given_part)
    words = given + surname if comma and given else surname + given
    if len(words) < 2:
        return Keys(tuple(words))
    # A middle initial is dropped: it is left out as often as it is written.
    kept = [words[0], *(word for word in words[1:-1] if len(word) > 1), words[-1]]
    first, last = kept[0], kept[-1]
    # Every tail may be the surname ("van der Meer"); middle names are left out as often as not.
    tails = {" ".join(kept[at:]) for at in range(1, len(kept))}
    parts = {*tails, first, f"{first[0]} {last}", f"{first} {last}"} - {" ".join(kept)}
    return Keys((" ".join(kept),), frozenset(part for part in parts if len(part) > 1))


def _name_words(text: str) -> list[str]:
    words = [word.strip("-.") for word in re.findall(r"[^\W\d_][\w\-]*\.?", text.replace(".", ". "))]
    return [word for word in words if word and word not in _TITLES]


# --- dates ------------------------------------------------------------------------------

_MONTHS = {name.casefold(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.casefold(): number for number, name in enumerate(calendar.month_abbr) if name}
_MONTHS["sept"] = 9
_MONTH = "(?P<mon>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4}|['’]?\d{2})"
_SEP = r"[\s,./-]+"
_WORDED = [
    re.compile(pattern + r"(?![\w])")
    for pattern in (
        rf"{_MONTH}{_SEP}{_DAY}{_SEP}{_YEAR}",
        rf"{_DAY}{_SEP}(?:of\s+)?{_MONTH}{_SEP}{_YEAR}",
        rf"{_MONTH}{_SEP}(?:of\s+)?(?P<year>\d{{4}}|['’]\d{{2}})",
        rf"{_MONTH}{_SEP}{_DAY}",
        rf"{_DAY}{_SEP}(?:of\s+)?{_MONTH}",
        _MONTH,
    )
]
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)")
_NUMERIC = re.compile(r"(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}|['’]?\d{2}))?(?!\d)")
_MONTH_YEAR = re.compile(r"(\d{1,2})[-/.](\d{4})(?!\d)")
_YEAR_ONLY = re.compile(r"(\d{4}|['’]\d{2})$")


def _date_keys(text: str, order: DateOrder) -> Keys:
    folded = fold(text).strip(" .,;")
    if match := _ISO.match(folded):
        return _date(_years(match[1]), [(int(match[2]), int(match[3]) if match[3] else None)])
    if match := _MONTH_YEAR.match(folded):
        return _date(_years(match[2]), [(int(match[1]), None)])
    if match := _NUMERIC.match(folded):
        first, second = int(match[1]), int(match[2])
        return _date(_years(match[3]), _month_days(first, second, order))
    for pattern in _WORDED:
        if match := pattern.match(folded):
            found = match.groupdict()
            day = int(found["day"]) if found.get("day") else None
            return _date(_years(found.get("year")), [(_MONTHS[found["mon"]], day)])
    if match := _YEAR_ONLY.match(folded):
        return Keys(tuple(_years(match[1])))
    return Keys((folded,))


def _years(text: str | None) -> list[str]:
    """The years a written one may mean, likeliest first: '52 is 1952, but may be 2052."""
    if text is None:
        return []
    digits = text.lstrip("'’")
    if len(digits) == 4:
        return [digits]
    return ["20" + digits, "19" + digits] if int(digits) <= 30 else ["19" + digits, "20" + digits]


def _month_days(first: int, second: int, order: DateOrder) -> list[tuple[int, int | None]]:
    month_first, day_first = (first, second), (second, first)
    readings = [day_first] if order == "dmy" else [month_first]
    if order == "unknown" and first != second:
        readings.append(day_first)
    valid = [pair for pair in readings if _is_day(*pair)]
    # 14/03 can only be day first, whatever the order.
    return list(valid or [pair for pair in (month_first, day_first) if _is_day(*pair)])


def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _date(years: list[str], month_days: list[tuple[int, int | None]]) -> Keys:
    full: list[str] = []
    part: set[str] = set()
    for month, day in month_days:
        tail = f"{month:02d}" if day is None else f"{month:02d}-{day:02d}"
        full += [f"{year}-{tail}" for year in years] or [f"--{tail}"]
        if years and day is not None:
            part |= {f"--{tail}"} | {f"{year}-{month:02d}" for year in years}
    return Keys(tuple(full), frozenset(part), ambiguous=len(month_days) > 1)


# --- ages -------------------------------------------------------------------------------

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBER_WORDS = {word: number for number, word in enumerate(_SMALL)} | {
    word: 10 * number for number, word in enumerate(_TENS, start=2)
}
_UNITS = {"d": "d", "w": "w", "m": "m", "y": "y"}


def _age_keys(text: str) -> Keys:
    folded = fold(text)
    if match := re.search(r"\d+", folded):
        number, rest = int(match[0]), folded[match.end() :]
        if re.match(r"'?s\b", rest):
            return Keys((f"{number}s",))  # a decade is no age
    else:
        words = re.findall(r"[a-z]+", folded)
        numbers = [_NUMBER_WORDS[word] for word in words if word in _NUMBER_WORDS]
        if not numbers:
            return Keys((folded,))
        number = sum(numbers) + (100 if "hundred" in words else 0) - (1 if "hundred" in words else 0)
        rest = " ".join(word for word in words if word not in _NUMBER_WORDS and word != "hundred")
    unit = re.search(r"[a-z]", rest)
    return Keys((f"{number}{_UNITS.get(unit[0], 'y') if unit else 'y'}",))


# --- numbers ----------------------------------------------------------------------------

_EXTENSION = re.compile(r"(?:\bext(?:ension)?|\bx|#)\.?\s*(\d{1,6})\s*$")


def _phone_keys(text: str) -> Keys:
    folded = fold(text)
    extension = _EXTENSION.search(folded) if len(re.findall(r"\d", folded)) > 7 else None
    base = folded[: extension.start()] if extension else folded
    digits = re.sub(r"\D", "", base)
    if len(digits) == 11 and digits[0] == "1":
        digits = digits[1:]
    if not digits:
        return Keys((folded,))
    # The number without its extension is the same number.
    full = (f"{digits}x{extension[1]}", digits) if extension else (digits,)
    return Keys(full, _tails(digits, 7 if len(digits) == 10 else 0, 4 if len(digits) >= 7 else 0))


def _identifier_keys(text: str) -> Keys:
    plain = re.sub(r"[\W_]", "", fold(text)).upper()
    masked = re.sub(r"^[X*]+(?=\d{4}$)", "", plain)
    full = [masked]
    if masked.isdigit() and masked.lstrip("0") not in ("", masked):
        # Registration systems pad record numbers with zeros; notes leave them out.
        full.append(masked.lstrip("0"))
    return Keys(tuple(full), _tails(masked, 4 if len(masked) >= 6 and masked[-4:].isdigit() else 0))


def _tails(digits: str, *lengths: int) -> frozenset[str]:
    return frozenset(digits[-length:] for length in lengths if length and len(digits) > length)


# --- places -----------------------------------------------------------------------------

_STREET_WORDS = {
    "st": "street", "ave": "avenue", "av": "avenue", "rd": "road", "dr": "drive", "ln": "lane",
    "blvd": "boulevard", "ct": "court", "pl": "place", "ter": "terrace", "hwy": "highway",
    "pkwy": "parkway", "cir": "circle", "sq": "square", "apt": "unit", "apartment": "unit",
    "suite": "unit", "ste": "unit", "n": "north", "s": "south", "e": "east", "w": "west",
}  # fmt: skip
_HOSPITAL_WORDS = {"hosp": "hospital", "ctr": "center", "centre": "center", "med": "medical", "st": "saint"}


def _words_of_place(text: str) -> list[str]:
    return re.findall(r"[\w]+", fold(re.sub(r"['’]s\b|['’]", "", text)))


def _street_keys(text: str) -> Keys:
    words = [_STREET_WORDS.get(word, word) for word in _words_of_place(text.replace("#", " unit "))]
    full = " ".join(words)
    without_unit = full.partition(" unit ")[0]
    return Keys((full,), frozenset({without_unit} - {full}))


def _hospital_keys(text: str) -> Keys:
    return Keys((" ".join(_HOSPITAL_WORDS.get(word, word) for word in _words_of_place(text)),))


def _place_keys(text: str) -> Keys:
    return Keys((" ".join(_words_of_place(text)),))


def _state_keys(text: str) -> Keys:
    plain = " ".join(_words_of_place(text))
    return Keys((us_states().get(plain, plain),))


def _zip_keys(text: str) -> Keys:
    digits = re.sub(r"\D", "", text)
    part = frozenset({digits[:5]}) if len(digits) == 9 else frozenset()
    return Keys((digits,), part)


def _address_keys(text: str) -> Keys:
    return Keys((fold(text).rstrip("/.,;"),))


def _plain_keys(text: str) -> Keys:
    return Keys((fold(text).strip(" .,;"),))


_BY_CATEGORY: dict[str, Callable[[str], Keys]] = {
    "PATIENT": _person_keys,
    "DOCTOR": _person_keys,
    "AGE": _age_keys,
    "PHONE": _phone_keys,
    "FAX": _phone_keys,
    "STREET": _street_keys,
    "HOSPITAL": _hospital_keys,
    "STATE": _state_keys,
    "ZIP": _zip_keys,
    "URL": _address_keys,
    "EMAIL": _address_keys,
    **dict.fromkeys(IDENTIFIERS - {"USERNAME"}, _identifier_keys),
    **dict.fromkeys(("ORGANIZATION", "CITY", "COUNTRY", "ROOM", "DEPARTMENT", "LOCATION-OTHER"), _place_keys),
}
