"""What is known of the parts of an expression: how they begin and end, and what they cannot match without.

A parsed expression is walked from its leaves up. Of every part it is told which strings it can match
(if they are few), how its matches begin and end, and on what conditions it matches at all. Neighbours are
joined: behind a label that ends in "physician" or "surgeon" a colon makes "physician:" and "surgeon:".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

# The parser of the package whose expressions these are; used to make the file, never to read it.
import regex._regex_core as parser

from phiscan.commands.required_strings import (
    EVERYWHERE,
    MOST_STRINGS,
    NOT,
    NOTHING,
    WHOLE,
    WORD,
    Condition,
    Cost,
    Place,
    Strings,
    any_of,
    at_start,
    beginnings,
    cut_to,
    either_of,
    either_place,
    endings,
    if_few,
    joined_strings,
    moved,
    of_parts,
    power,
)
from phiscan.rulebook.anchors import folded

_MOST_REPEATS = 4
_MOST_DIGITS = 8
_MOST_CHARACTERS = 12
_MOST_CONDITIONS = 6
_PARTS = ("items", "branches", "subpattern")
_COMPOSITE = (parser.Sequence, parser.Branch, parser.Atomic, parser.GreedyRepeat, parser.LookAround)
_WORD_CHARACTERS = (*map(ord, "azAZ09mM5"), 0x17F, 0x130, 0x131, 0x212A, 0x663, 0x1D7CE)
"""Letters and digits of ASCII, and what is folded to one."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a part of an expression."""

    low: float
    """Characters it matches at least, and at most."""
    high: float
    exact: Strings | None = None
    prefix: Strings = field(default_factory=lambda: NOTHING)
    suffix: Strings = field(default_factory=lambda: NOTHING)
    conditions: tuple[Condition, ...] = ()
    ahead: float = 0
    """Characters from where it begins that decide whether it matches, at most."""


class Walk:
    """The facts of the parts of expressions, those that many share told once."""

    def __init__(self, cost: Cost) -> None:
        self._cost = cost
        self._groups: dict[int, tuple[float, float]] = {}
        self._numbers: dict[object, int] = {}
        self._known: dict[int, Facts] = {}

    def expression(self, tree: Any) -> Facts:
        """What is known of a whole expression."""
        self._groups.clear()
        return self.facts(tree)

    def facts(self, node: Any) -> Facts:
        """What is known of ``node``."""
        if not isinstance(node, _COMPOSITE) or node.contains_group():
            return self._facts(node)
        number = self._number(node)
        if number not in self._known:
            self._known[number] = self._facts(node)
        return self._known[number]

    def _number(self, node: Any) -> int:
        """The same for parts that say the same."""
        key: tuple[object, ...]
        if isinstance(node, parser.StringSet):
            key = (node._key, tuple(node.info.kwargs[node.name]))
        elif isinstance(node, _COMPOSITE):
            inside = next(getattr(node, name) for name in _PARTS if hasattr(node, name))
            inside = inside if isinstance(inside, list | tuple) else [inside]
            ways = (getattr(node, name, None) for name in ("min_count", "max_count", "behind", "positive"))
            key = (type(node), *ways, *map(self._number, inside))
        elif isinstance(node, parser.RefGroup):
            key = (object(),)  # what it refers to differs
        else:
            key = (type(node), getattr(node, "characters", None), node._key)
        return self._numbers.setdefault(key, len(self._numbers))

    def _facts(self, node: Any) -> Facts:
        if isinstance(node, parser.StringSet):
            return _string_set(sorted({folded(word) for word in node.info.kwargs[node.name]}))
        if isinstance(node, parser.Sequence):
            return self._sequence(node.items)
        if isinstance(node, parser.Branch):
            return self._branch([self.facts(branch) for branch in node.branches])
        if isinstance(node, parser.Group | parser.Atomic):
            found = self.facts(node.subpattern)
            if isinstance(node, parser.Group):
                self._groups[node.group] = (found.low, found.high)
            return found
        if isinstance(node, parser.GreedyRepeat):
            return self._repeat(node)
        if isinstance(node, parser.RefGroup):
            low, high = self._groups.get(node.group, (0, math.inf))
            return Facts(low, high, ahead=high)
        if isinstance(node, parser.LookAround):
            return self._sequence([node])
        return _leaf(node)

    def _branch(self, branches: Sequence[Facts]) -> Facts:
        exact = [found.exact for found in branches if found.exact is not None]
        conditions = [min(found.conditions, key=self._cost, default=None) for found in branches]
        known = [one for one in conditions if one is not None]
        return _kept(
            Facts(
                low=min(found.low for found in branches),
                high=max(found.high for found in branches),
                exact=either_of(exact) if len(exact) == len(branches) else None,
                prefix=either_of([found.prefix for found in branches]),
                suffix=either_of([found.suffix for found in branches]),
                conditions=(any_of(known),) if len(known) == len(branches) else (),
                ahead=max(found.ahead for found in branches),
            ),
            self._cost,
        )

    def _repeat(self, node: Any, at_least: int = 0) -> Facts:
        one, least = self.facts(node.subpattern), max(node.min_count, at_least)
        most = math.inf if node.max_count is None else node.max_count
        high = one.high * most if one.high and most else 0
        ahead = one.high * max(most - 1, 0) + one.ahead if one.high else one.ahead
        found = Facts(one.low * least, high, ahead=ahead)
        if one.exact is not None:
            copies = _MOST_DIGITS if len(one.exact) == 1 else _MOST_REPEATS
            if (
                most <= copies
                and most - least <= _MOST_REPEATS
                and (exact := if_few(either_of([power(one.exact, n) for n in range(least, int(most) + 1)])))
            ):
                return _of_strings(exact, ahead)
            begins = if_few(power(one.exact, min(least, copies))) or NOTHING
            conditions = (at_start(begins),) if "" not in begins else ()
            return Facts(found.low, high, None, beginnings(begins), endings(begins), conditions, ahead)
        return (
            Facts(found.low, high, None, one.prefix, of_parts(one.suffix), one.conditions, ahead)
            if least
            else found
        )

    def _sequence(self, items: Sequence[Any]) -> Facts:
        walk = _Joining(self._cost)
        for item in items:
            if isinstance(item, parser.LookAround):
                walk.look(self.facts(item.subpattern), item)
            elif (found := self.facts(item)).exact is None and _optional(item):
                walk.maybe(self._repeat(item, at_least=1))
            else:
                walk.add(found)
        return _kept(walk.facts(), self._cost)


class _Joining:
    """A sequence, item by item. ``run``: how what was matched so far ends."""

    def __init__(self, cost: Cost) -> None:
        self._cost = cost
        self._low = self._high = self._ahead = 0.0
        self._run: Condition = {"": EVERYWHERE}
        self._exact: Strings | None = NOTHING
        self._prefixes: list[Strings] = []
        self._conditions: list[Condition] = []

    def facts(self) -> Facts:
        if self._exact is not None:
            self._prefixes.append(self._exact)
        return Facts(
            self._low,
            self._high,
            self._exact,
            min(self._prefixes, key=lambda one: self._cost(at_start(one)), default=NOTHING),
            self._exact_ends() or {string: int(place.word) for string, place in self._run.items()},
            (*self._conditions, self._run),
            self._ahead,
        )

    def _exact_ends(self) -> Strings | None:
        if self._exact is None or "" in self._exact:
            return None
        return {string: word or WHOLE for string, word in self._exact.items()}

    def add(self, item: Facts) -> None:
        """What matches next."""
        self._conditions += [moved(one, self._low, self._high) for one in item.conditions]
        begins = item.prefix if item.exact is None else item.exact
        at_word = "" in self._run and self._run[""].word
        joined = self._with(begins)
        if item.prefix is not begins:
            self._conditions.append(self._with(item.prefix))
        if self._exact is not None:
            both = None if item.exact is None else if_few(joined_strings(self._exact, item.exact))
            if both is None:
                self._prefixes += [self._exact, self._beginning(begins)]
            self._exact = both
        self._ahead = max(self._ahead, self._high + item.ahead)
        self._low += item.low
        self._high += item.high
        self._conditions += [self._run, joined]
        ending = self._ending(item.suffix, at_word=at_word)
        self._run = min(joined, ending, key=self._cost) if item.exact is not None else ending

    def maybe(self, item: Facts) -> None:
        """What matches next, or nothing does."""
        self._conditions += [self._run]
        self._prefixes += [self._exact] if self._exact is not None else []
        self._exact = None
        before = self._run
        self._ahead = max(self._ahead, self._high + item.ahead)
        low, self._low = self._low, self._low + item.low
        self._high += item.high
        self._run = any_of([before, self._ending(item.suffix)])
        self._low = low

    def look(self, inside: Facts, node: Any) -> None:
        """What must stand ahead or behind, or must not."""
        if not node.behind:
            self._ahead = max(self._ahead, self._high + inside.ahead)
        if not node.positive:
            if node.behind and _any_word_character(node.subpattern) and "" in self._run:
                self._run = self._run | {"": self._run[""]._replace(word=True)}
                if self._exact is not None and "" in self._exact:
                    self._exact = self._exact | {"": WORD}
            return
        if node.behind:
            self._conditions += [
                moved(one, self._low - inside.high, self._high - inside.low) for one in inside.conditions
            ]
            before = self._ending(inside.suffix)
            if self._cost(before) < self._cost(self._run):
                self._conditions.append(self._run)
                self._run = before
            return
        self._conditions += [moved(one, self._low, self._high) for one in inside.conditions]
        self._conditions.append(self._with(inside.prefix))
        if self._exact is not None:
            self._prefixes.append(self._beginning(inside.prefix))

    def _with(self, strings: Strings) -> Condition:
        """The run, or how it ends, with ``strings`` behind it."""
        found: Condition = {}
        for before, place in cut_to(self._run, max(1, MOST_STRINGS // len(strings))).items():
            for string, word in strings.items():
                here = place if before or not word else place._replace(word=word == WORD)
                whole = before + string
                found[whole] = either_place(found[whole], here) if whole in found else here
        return found

    def _beginning(self, strings: Strings) -> Strings:
        """What all that was matched so far is, with how ``strings`` begin behind it."""
        exact = self._exact or NOTHING
        return joined_strings(exact, beginnings(strings, max(1, MOST_STRINGS // len(exact))))

    def _ending(self, strings: Strings, *, at_word: bool = False) -> Condition:
        return {
            s: Place(self._low - len(s), self._high - len(s), word == WORD or (at_word and word == WHOLE))
            for s, word in strings.items()
        }


def _optional(node: Any) -> bool:
    return isinstance(node, parser.GreedyRepeat) and not node.min_count


def _kept(found: Facts, cost: Cost) -> Facts:
    """``found`` without conditions that say nothing."""
    conditions = tuple(
        sorted((one for one in found.conditions if "" not in one), key=cost)[:_MOST_CONDITIONS]
    )
    exact = None if found.exact is None else if_few(found.exact)
    return Facts(
        found.low, found.high, exact, beginnings(found.prefix), endings(found.suffix), conditions, found.ahead
    )


def _of_strings(strings: Strings, ahead: float | None = None) -> Facts:
    lengths = list(map(len, strings))
    conditions = () if "" in strings else (at_start(strings),)
    ends = {string: word or WHOLE for string, word in strings.items()} if conditions else NOTHING
    reach = max(lengths) if ahead is None else ahead
    return Facts(min(lengths), max(lengths), strings, strings, ends, conditions, reach)


def _string_set(words: Sequence[str]) -> Facts:
    if len(words) <= MOST_STRINGS:
        return _of_strings(dict.fromkeys(words, NOT))
    strings = dict.fromkeys(words, NOT)
    lengths = list(map(len, words))
    return Facts(min(lengths), max(lengths), None, beginnings(strings), endings(strings), ahead=max(lengths))


def _any_word_character(node: Any) -> bool:
    """Any letter and digit of ASCII makes ``node`` match: behind it a word begins."""
    if isinstance(node, parser.Sequence):
        return len(node.items) == 1 and _any_word_character(node.items[0])
    if isinstance(node, parser.Branch) and not isinstance(node, parser.StringSet):
        return any(map(_any_word_character, node.branches))
    if not isinstance(node, parser.SetBase | parser.Property):
        return False
    return all(node.matches(code) for code in _WORD_CHARACTERS)


def _leaf(node: Any) -> Facts:
    # A text is searched with a line end before and behind it.
    if type(node) in (parser.StartOfLine, parser.StartOfString):
        return Facts(0, 0, NOTHING, NOTHING, {"\n": NOT})
    if type(node) in (parser.EndOfLine, parser.EndOfString, parser.EndOfStringLine):
        return Facts(0, 0, NOTHING, {"\n": NOT}, NOTHING, ahead=1)
    if isinstance(node, parser.ZeroWidthBase) and not isinstance(node, parser.Keep):
        return _of_strings(NOTHING, ahead=1)
    if isinstance(node, parser.String):
        return _of_strings({folded("".join(map(chr, node.characters))): NOT})
    if isinstance(node, parser.Character | parser.Range | parser.Property | parser.SetBase):
        signs = _signs(node)
        return Facts(1, 1, ahead=1) if signs is None else _of_strings(dict.fromkeys(sorted(signs), NOT))
    return Facts(1, 1, ahead=1) if isinstance(node, parser.Any) else Facts(0, math.inf, ahead=math.inf)


def _signs(node: Any) -> frozenset[str] | None:
    """The folded characters that ``node`` matches; None if they are many."""
    if not node.positive:
        return None
    if isinstance(node, parser.Character):
        return _small({node.value})
    if isinstance(node, parser.Range):
        return _small(range(node.lower, node.upper + 1)) if node.upper - node.lower < 40 else None
    if isinstance(node, parser.Property):
        return _of_property(node)
    if isinstance(node, parser.SetUnion):
        found = [_signs(item) for item in node.items]
        union = None if None in found else frozenset().union(*found)  # type: ignore[arg-type]
        return union if union and len(union) <= _MOST_CHARACTERS else None
    return None


@cache
def _of_property(node: Any) -> frozenset[str] | None:
    found: set[str] = set()
    for code in range(0x110000):
        if node.matches(code) and not 0xD800 <= code < 0xE000:
            found.add(folded(chr(code)))
            if len(found) > _MOST_CHARACTERS:
                return None
    return frozenset(found)


def _small(codes: Iterable[int]) -> frozenset[str] | None:
    """Codes as a text is folded; None where letters that count as one would not be one."""
    found = set()
    for code in codes:
        cases = {
            folded(chr(case))
            for case in parser._regex.get_all_cases(int(parser.IGNORECASE | parser.UNICODE), code)
        }
        if len(cases) > 1:
            return None
        found |= cases
    return frozenset(found) if len(found) <= _MOST_CHARACTERS else None
