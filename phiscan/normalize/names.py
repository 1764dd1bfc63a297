"""Names of people: order, initials, middle and double names, nicknames, maiden names, spelling.

The canonical form is given names first, without titles, degrees, suffixes and middle initials.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from phiscan.normalize.text import Keys, fold, spelt_out

PARTICLES = frozenset("al bin da de del den der di do dos du el ibn la le st ten ter van von".split())
"""Words a surname may begin with: "van der Meer" alone is no full name."""
TITLES = frozenset(
    "dr doctor mr mister mrs ms miss mx prof professor nurse rev reverend fr sr sir dame sgt capt lt col "
    "maj hon attending resident".split()
)
DEGREES = frozenset(
    "md dds dmd dpm dvm rn lpn lvn np cnp fnp dnp crna aprn arnp pac phd psyd pharmd lcsw msw lmft mph mba "
    "mbbs frcs facs facp bsn msn cnm jr sr ii iii iv esq".split()
)
DEGREES_OR_NAMES = frozenset("do pa ma".split())
"""Degrees that are surnames too: dropped after a comma, or in capitals beside a name that is not."""
_DOTTED_DEGREE = re.compile(r"[,\s]+(?:m\.\s?d|d\.\s?o|r\.\s?n|n\.\s?p|p\.\s?a(?:\.?-c)?|ph\.\s?d)\.?$", re.I)
"""At a name's end only: elsewhere the letters are initials."""
_MAIDEN = re.compile(
    r"[\s,(\[]+(?:née|nee|né|formerly|f/?k/?a|a/?k/?a|born)\b\.?\s+([^\W\d_][^()\[\],]*)[)\]]?\s*$", re.I
)
_CALLED = re.compile(r"[\"“(]([^\W\d_][\w\-]*)[\"”)]")
_WORD = re.compile(r"[^\W\d_][\w\-]*\.?")
_INITIALS = re.compile(r"[A-Z]{2,3}")
_DEGREES = "|".join(sorted(word for word in DEGREES | DEGREES_OR_NAMES if len(word) == 2)).upper()
_TWO_INITIALS = re.compile(rf"^(\s*[^\W\d_][\w\-]*[^\WA-Z\d_])\s(?!(?:{_DEGREES})$)([A-Z])([A-Z])$")
"""A surname in small letters and two capitals behind it: Smith JA."""


def person_keys(text: str) -> Keys:
    """Keys of a person's name; the whole name is *full*, what shows some of it is *part*."""
    spellings = dict.fromkeys((text, spelt_out(text)))
    made = [_keys_of_spelling(spelling) for spelling in spellings]
    full = tuple(dict.fromkeys(key for found in made for key in found.full))
    return Keys(full, frozenset().union(*(found.part for found in made)) - set(full))


def _keys_of_spelling(text: str) -> Keys:
    text = _DOTTED_DEGREE.sub("", re.sub(r"['’`´]s\b", "", text))
    maiden = _MAIDEN.search(text)
    text = text[: maiden.start()] if maiden else text
    called = _CALLED.search(text)
    text = _CALLED.sub(" ", text) if called else text
    words = _given_first(re.sub(r"['’`´ʼ]", "", text))
    full, part = _forms(words)
    if called and len(words) > 1:
        full.append(f"{fold(called[1])} {words[-1]}")
        part.add(fold(called[1]))
    if maiden and words:
        earlier = _given_first(re.sub(r"['’`´ʼ]", "", maiden[1]))
        # A surname takes the place of the one before it; a whole name stands for itself.
        whole = earlier if len(earlier) > 1 or len(words) == 1 else [words[0], *earlier]
        also_full, also_part = _forms(whole)
        full, part = full + also_full, part | also_part
    if _INITIALS.fullmatch(text.strip()):
        full.append(" ".join(text.strip().casefold()))
    return Keys(tuple(full), frozenset(part))


def _given_first(text: str) -> list[str]:
    """Words of the name in the order given names, surname; folded, titles and degrees dropped."""
    segments = [_words(segment) for segment in text.split(",")]
    kept = [segments[0], *(s for s in segments[1:] if not all(w in DEGREES | DEGREES_OR_NAMES for w in s))]
    kept = [bare for segment in kept if (bare := _without_titles(segment, text))]
    if not kept:
        return [word for segment in segments for word in segment]
    words = [word for segment in (*kept[1:], kept[0]) for word in segment]
    if len(kept) == 1:
        # "Smith J", "Smith JA": the surname comes first.
        behind = next((at for at, word in enumerate(words) if at and len(word) == 1), 0)
        if behind and len(words[0]) > 1 and all(len(word) == 1 for word in words[behind:]):
            words = words[behind:] + words[:behind]
    return words


def _words(text: str) -> list[str]:
    if re.search(r"[a-z]", text):
        text = _TWO_INITIALS.sub(r"\1 \2 \3", text)
    folded = re.sub(r"\b(o|mc) (?=[a-z]{2})", r"\1", fold(text))
    found = (word.strip("-.") for word in _WORD.findall(folded.replace(".", ". ")))
    return [word for word in found if word]


def _without_titles(words: list[str], text: str) -> list[str]:
    while len(words) > 1 and words[0] in TITLES:
        words = words[1:]
    while len(words) > 1 and (
        words[-1] in DEGREES or (words[-1] in DEGREES_OR_NAMES and _is_degree(words[-1], text))
    ):
        words = words[:-1]
    return words


def _is_degree(word: str, text: str) -> bool:
    return word.upper() in text and not text.isupper()


def _forms(words: Sequence[str]) -> tuple[list[str], set[str]]:
    """(full keys, part keys) of a name given as words."""
    if len(words) < 2:
        return list(words), {half for word in words for half in _halves(word)} | {
            name for word in words for name in _related(word)
        }
    if all(len(word) == 1 for word in words):
        return [" ".join(words)], set()
    # A middle initial is dropped: it is left out as often as it is written.
    kept = [words[0], *(word for word in words[1:-1] if len(word) > 1), words[-1]]
    first, last, rest = kept[0], kept[-1], " ".join(kept[1:])
    full = [f"{first} {rest}", *_respelt(kept), *(f"{pair} {rest}" for pair in _pairs(first))]
    if len(first) == 1 and len(kept) == 2:
        full.append(f"{last} {first}")  # "John S." and "Smith J" look alike
    # Every tail may be the surname ("van der Meer"); middle names are left out as often as not.
    part = {" ".join(kept[at:]) for at in range(1, len(kept))} | {*kept, *_related(first)}
    part |= {half for word in kept for half in _halves(word)}
    part |= {f"{first} {word}" for word in kept[1:]} | {f"{pair} {last}" for pair in _pairs(first)}
    part |= {f"{first[0]} {last}", f"{first[0]} {rest}", f"{first} {last[0]}", f"{first[0]} {last[0]}"}
    part |= {" ".join(word[0] for word in words), *_respelt(kept[1:])}
    part |= {f"{first} {half}" for half in _halves(last)} | {f"{half} {last}" for half in _halves(first)}
    return full, {form for form in part if len(form) > 1}


def _halves(word: str) -> list[str]:
    """The names of a hyphenated one, and the name without its hyphens."""
    return (
        [*(half for half in word.split("-") if len(half) > 1), word.replace("-", " ")] if "-" in word else []
    )


def _respelt(words: Sequence[str]) -> Iterator[str]:
    """Double names without hyphens, and surnames joined to their particles: Delacruz."""
    text = " ".join(words)
    if "-" in text:
        yield text.replace("-", " ")
        yield text.replace("-", "")
    joined = re.sub(
        rf"(?<=\s)(?:(?:{'|'.join(sorted(PARTICLES))}) )+", lambda m: m[0].replace(" ", ""), " " + text
    )
    if joined.strip() != text:
        yield joined.strip()


def _pairs(first: str) -> list[str]:
    """One key for each direct relation of a given name: Bob is Robert and Bert, who are not one name."""
    return ["|".join(sorted((first, other))) for other in _related(first)]


@lru_cache(maxsize=10_000)
def _related(first: str) -> tuple[str, ...]:
    """Given names that the table of nicknames relates directly to ``first``."""
    names = _table()
    found = {*names.nicknames_of(first), *names.canonicals_of(first)} - {first}
    return tuple(sorted(name for name in found if name.isalpha()))


@lru_cache(maxsize=1)
def _table() -> Any:
    from nicknames import NickNamer

    return NickNamer()
