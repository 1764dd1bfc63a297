"""What stands in a value's place: another of its form, the same one wherever the patient's notes have it.

"Hiding in plain sight" (Carrell et al. 2013): what the detectors found is replaced by something as
plausible, so that what they missed does not stand out. A surrogate hangs on the seed, the patient and the
value alone, in whatever order notes are read: "Marcus Quillon", "QUILLON, MARCUS" and "Mr. Quillon" stay
one person, a record number stays one number with and without its dashes, and all dates of a patient move
by the same days.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import blake2b
from random import Random

from phiscan.adaptation.shifted_dates import shifted
from phiscan.decoys import like
from phiscan.normalize import OLDEST, DateOrder, canonical, fold, keys
from phiscan.normalize.names import DEGREES, DEGREES_OR_NAMES, PARTICLES, TITLES
from phiscan.rulebook.lexicons import countries, given_names, occupations, surnames, us_states
from phiscan.taxonomy import CATEGORIES

_TRIES = 50
_WEEKS = tuple(weeks for weeks in range(53, 521) if 31 <= 7 * weeks % 365.25 <= 334)
_LINES = [f"55501{line:02d}" for line in range(100)]
_FEW = 15
"""Names with fewer beginnings than this lend their letter to nobody's initials."""
_NAME_WORD = re.compile(r"(?<!['’])[^\W\d_]+(?:['’][^\W\d_]{2,})*")
_WORD = re.compile(r"[^\W\d_]+")
_KINDS_OF_PLACE = frozenset(
    "st street ave avenue rd road ln lane dr drive ct court blvd boulevard way circle place terrace highway "
    "route apt unit suite floor box north south east west hospital clinic center centre medical general of "
    "the and at university health healthcare care memorial regional community county saint department ward "
    "room bed school company district institute".split()
)
_EXTENSION = re.compile(r"(?:ext(?:ension|n)?|x|#)[.:]?\s*\d{1,6}\s*$", re.IGNORECASE)


class Surrogates:
    """The surrogates of one patient."""

    def __init__(
        self,
        patient_id: str,
        own: Iterable[tuple[str, str]],
        *,
        seed: int,
        date_order: DateOrder = "mdy",
    ) -> None:
        """The surrogates of one patient.

        Args:
            patient_id: Whose notes they stand in.
            own: The (category, text) found in the patient's notes: no surrogate is one of them, dates
                apart, which may fall on another day of the record.
            seed: Another seed, other surrogates.
            date_order: How numeric dates are read.

        """
        self._key = blake2b(f"{seed} {patient_id}".encode("utf-8", "surrogatepass"), digest_size=32).digest()
        self._order = date_order
        self._own: dict[str, set[str]] = defaultdict(set)
        self._own_words: set[str] = set()
        self._own_lines: set[str] = set()
        for category, text in own:
            self._own[CATEGORIES[category].family].update(keys(category, text, date_order).full)
            self._own_words.update(fold(word) for word in _WORD.findall(text))
            self._own_lines.add(re.sub(r"\D", "", text)[-7:])
        rng = self._random("days")
        self.days = 7 * rng.choice(_WEEKS) * rng.choice((-1, 1))
        """By how much dates move: whole weeks, one to ten years back or forth, never to the same month."""
        self._initials = self._letters()

    def of(self, category: str, text: str, *, told_in: int | None = None) -> str:
        """What stands for ``text``; the mark of its category where it has no form to keep.

        ``told_in``: the year in which the note was written, if known.
        """
        make = self._maker(category)
        if make is None:
            moved = shifted(text, self.days, date_order=self._order, told_in=told_in)
            return mark(category) if moved is None else moved
        if category == "AGE":
            return _age(text)
        for attempt in range(_TRIES):
            made = make(category, text, attempt)
            if fold(made) != fold(text) and not self._is_own(category, made):
                return made
        return mark(category)

    def _maker(self, category: str) -> Callable[[str, str, int], str] | None:
        family = CATEGORIES[category].family
        if family == "date":
            return None
        if category in ("STATE", "COUNTRY", "PROFESSION"):
            return self._listed
        if category in ("PHONE", "FAX"):
            return self._phone
        special = {"email": self._address, "url": self._address, "ip": self._ip, "person": self._person}
        return special.get(family, self._place if family == "place" and category != "ZIP" else self._code)

    def _is_own(self, category: str, made: str) -> bool:
        """Whether the patient's notes hold ``made``, or that part of it which tells it apart."""
        if CATEGORIES[category].family == "person":
            return False  # seen to word by word
        found = keys(category, made, self._order)
        return not self._own[CATEGORIES[category].family].isdisjoint(found.full)

    def _random(self, *what: object) -> Random:
        """A generator of the patient's own for ``what``."""
        text = "\0".join(map(str, what)).encode("utf-8", "surrogatepass")
        return Random(blake2b(text, key=self._key).digest())

    def _letters(self) -> dict[str, str]:
        """Which letter each initial becomes: one that many names begin with, another than its own."""
        usual = _usual_letters()
        rng = self._random("letters")
        cycle = rng.sample(usual, len(usual))
        become = {letter: rng.choice(usual) for letter in "abcdefghijklmnopqrstuvwxyz"}
        return become | dict(zip(cycle, [*cycle[1:], cycle[0]], strict=True))

    # -------------------------------------------------------------- names and places

    def _person(self, category: str, text: str, attempt: int) -> str:
        initials = text.isalpha() and text.isupper() and len(text) <= 3

        def replaced(found: re.Match[str]) -> str:
            word, plain = found[0], fold(found[0])
            if initials or len(plain) == 1:
                return "".join(like(self._initial(letter), letter) for letter in word)
            degree = plain in DEGREES_OR_NAMES and word.isupper() and not text.isupper()
            if plain in TITLES or plain in DEGREES or degree or (plain in PARTICLES and word.islower()):
                return word
            return self._name(word, given=plain in given_names())

        return _NAME_WORD.sub(replaced, text)

    def _initial(self, letter: str) -> str:
        return self._initials.get(fold(letter)[:1], "m")

    def _name(self, word: str, *, given: bool) -> str:
        """Another name for this one, wherever it stands; its initial becomes that of the other."""
        plain = fold(word)
        names = _names(given=given)[self._initial(plain)]
        free = [name for name in names if name not in self._own_words] or list(names)
        return like(self._random("name", plain).choice(free), word)

    def _place(self, category: str, text: str, attempt: int) -> str:
        """Every word that is no kind of place becomes a name, every figure another."""
        small = text.islower()

        def replaced(found: re.Match[str]) -> str:
            word = found[0]
            if len(word) < 3 or fold(word) in _KINDS_OF_PLACE or not (small or word[0].isupper()):
                return word
            return self._name(word, given=False)

        return self._figures(_WORD.sub(replaced, text), fold(text), attempt)

    def _listed(self, category: str, text: str, attempt: int) -> str:
        plain = fold(text)
        if category == "PROFESSION":
            return like(self._random(category, plain, attempt).choice(sorted(occupations())), text)
        if category == "COUNTRY":
            return self._random(category, plain, attempt).choice(sorted(countries())).title()
        codes = {code: name for code, name in us_states().items() if len(code) == 2}
        full = us_states().get(plain, plain)
        code = self._random(category, full, attempt).choice(sorted(codes))
        return like(code, text) if len(plain) == 2 else codes[code].title()

    # -------------------------------------------------------------- numbers and addresses

    def _code(self, category: str, text: str, attempt: int) -> str:
        """Other figures, and other letters unless it is an SSN; of nine figures of an SSN the first is 9."""
        if category == "ZIP":
            return self._figures(text[:5], text[:5], attempt, keep_zeros=False) + self._figures(
                text[5:], text, attempt, keep_zeros=False
            )
        key = keys(category, text).full[-1]
        made = self._figures(text, key, attempt)
        if category == "SSN":
            return re.sub(r"\d", "9", made, count=1) if sum(map(str.isdigit, made)) == 9 else made
        rng = self._random("letters of", key, attempt)
        return "".join(like(rng.choice("abcdefghjkmnprstvwxy"), c) if c.isalpha() else c for c in made)

    def _figures(self, text: str, key: str, attempt: int, *, keep_zeros: bool = True) -> str:
        """``text`` with other figures, counted from the right so that zeros in front change nothing."""
        rng = self._random("figures", key, attempt)
        others = [str(rng.randrange(10)) for _ in range(sum(map(str.isdecimal, text)))]
        places = [at for at, char in enumerate(text) if char.isdecimal()]
        made = list(text)
        for at, other in zip(reversed(places), others, strict=True):
            made[at] = other
        if keep_zeros:
            for at in places:
                made[at] = text[at] if text[at] == "0" else made[at].replace("0", "1")
                if text[at] != "0":
                    break
        return "".join(made)

    def _phone(self, category: str, text: str, attempt: int) -> str:
        """Seven figures or more end in 555-01xx, which nobody has; fewer are an extension or a pager's."""
        tail = _EXTENSION.search(text)
        cut = tail.start() if tail and sum(map(str.isdigit, text[: tail.start()])) >= 7 else len(text)
        digits = re.sub(r"\D", "", text[:cut])
        if len(digits) < 7:
            return self._figures(text, digits, attempt)
        lines = [line for line in _LINES if line != digits[-7:] and line not in self._own_lines]
        local = self._random("line", digits[-7:], attempt).choice(lines or _LINES)
        area = self._figures(digits[-10:-7], digits[-10:-7], attempt) if len(digits) >= 10 else digits[-10:-7]
        figures = iter(digits[:-10] + area + local)
        head = "".join(next(figures) if char.isdecimal() else char for char in text[:cut])
        return head + self._figures(text[cut:], text[cut:], attempt)

    def _address(self, category: str, text: str, attempt: int) -> str:
        """Mail and web addresses at example.org."""
        rng = self._random(category, keys(category, text).full[0], attempt)
        name = "".join(rng.choices("abcdefghjkmnpqrstvwxyz23456789", k=8))
        scheme = re.match(r"\w+://", text)
        if category == "EMAIL":
            return f"{name}@example.org"
        return f"{scheme[0] if scheme else ''}example.org/{name}"

    def _ip(self, category: str, text: str, attempt: int) -> str:
        """An address of the ranges for benchmarks and documentation (RFC 2544, RFC 3849)."""
        rng = self._random(category, keys(category, text).full[0], attempt)
        if ":" in text:
            return f"2001:db8::{rng.randrange(1, 1 << 16):x}:{rng.randrange(1, 1 << 16):x}"
        return f"198.{rng.choice((18, 19))}.{rng.randrange(256)}.{rng.randrange(1, 255)}"


def mark(category: str) -> str:
    """What stands for a value that is taken away: ``[PATIENT]``, ``[DATE]``."""
    return f"[{category}]"


def _age(text: str) -> str:
    """Ages up to 89 as they are; above, the open class "90+" that the rule allows."""
    found = re.fullmatch(r"(\d+)(?:\.\d+)?(?:y\d*m?|s)", canonical("AGE", text))
    if not found or int(found[1]) <= OLDEST:
        return text
    figures = re.search(r"\d+(?:\.\d+)?(?:'?s\b)?", text)
    return f"{text[: figures.start()]}90+{text[figures.end() :]}" if figures else "90+"


@cache
def _names(*, given: bool) -> Mapping[str, tuple[str, ...]]:
    """Names by their first letter, in order."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(given_names() if given else surnames()):
        found[name[0]].append(name)
    return {letter: tuple(names) for letter, names in found.items()}


@cache
def _usual_letters() -> tuple[str, ...]:
    given, last = _names(given=True), _names(given=False)
    return tuple(letter for letter in sorted(given) if min(len(given[letter]), len(last[letter])) >= _FEW)
