"""What each expression of the rules cannot match without: writes ``rules/anchors.json``.

A parsed expression is walked twice. *Strings*: of everything it must match one after the other, the
set of strings of which one is always there and which stands in the fewest lines of the rules' own
examples. *Lines*: how many line ends a match and what is looked at beside it can hold. Both are
upper or lower bounds for any text, so nothing is lost by trying an expression only where they allow.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

# The parser of the package whose expressions these are; used to make the file, never to read it.
import regex._regex_core as parser

from phiscan.resources import resource_dir
from phiscan.rulebook.anchors import FILE, Anchor
from phiscan.rulebook.name_words import MARKERS, mark_names
from phiscan.rulebook.rule_files import Expression, load_rules

MOST_STRINGS = 1500
"""A longer list would cost more than it saves."""
MOST_LINES = (0.6, 0.8)
"""Share of lines above which looking for strings saves nothing: for the first set, and for another."""
_NAMES = 2
"""Notes hold more names than the examples do."""
_MOST_REPEATS = 3
_MOST_CHARACTERS = 12
# A range ends behind a line end (or with the text), and no match reaches so far: "\\Z" holds there as it
# does in the whole text. These would not.
_TEXT_ENDS = (parser.StartOfString, parser.EndOfStringLine, parser.SearchAnchor)

Strings = frozenset[str]
DIGIT: Strings = frozenset("0123456789")
"""The condition that a digit is there, of any script; kept apart, for it costs little to look for."""
MOST_NEEDS = 3
Cost = Callable[[Strings], float]


def write_anchors(directory: Path | None = None) -> Path:
    """Derive the anchors of every rule and write them; the file's path."""
    folder = directory or resource_dir("rules")
    path = folder / FILE
    path.unlink(missing_ok=True)  # whatever it held, it is made anew
    path.write_text(anchors_json(folder), encoding="utf-8")
    return path


def anchors_json(directory: Path | None = None) -> str:
    """The file's text: anchors by the digest of their expression, one a line."""
    rules = load_rules(directory or resource_dir("rules"))
    texts = [example.text for rule in rules for example in rule.spec.positive]
    texts += [example.text for rule in rules for example in rule.spec.negative]
    cost = {False: cost_in(texts), True: cost_in(map(mark_names, texts))}
    rows = {}
    for rule in rules:
        for expression in rule.expressions:
            if anchor := derive_anchor(expression, cost[rule.reads_names]):
                rows[expression.digest] = anchor._asdict()
    lines = ",\n".join(f'"{key}": {json.dumps(rows[key], ensure_ascii=False)}' for key in sorted(rows))
    return f"{{\n{lines}\n}}\n"


def derive_anchor(expression: Expression, cost: Cost) -> Anchor | None:
    """The anchor of one expression; None if nothing is sure."""
    tree = _parse(expression.source, expression.flags, expression.words)
    lines = _line_ends(tree, {})
    conditions = set(_conditions(tree, cost))
    needs = sorted((c for c in conditions if c != DIGIT), key=lambda c: (cost(c), sorted(c)))
    chosen: list[Strings] = []
    for strings in needs:
        worth = cost(strings) <= MOST_LINES[bool(chosen)] and len(chosen) < MOST_NEEDS
        if worth and not any(_says_as_much(other, strings) for other in chosen):
            chosen.append(_fewest(strings))
    digit = DIGIT in conditions
    if not (chosen or digit):
        return None
    needs_of_it = tuple(tuple(sorted(strings)) for strings in chosen)
    return Anchor(needs_of_it, digit, None if math.isinf(lines) else int(lines))


def _fewest(strings: Strings) -> Strings:
    """Without those that hold another: "member id" is found wherever "member" is."""
    return frozenset(s for s in strings if not any(other in s for other in strings if other != s))


def _says_as_much(chosen: Strings, strings: Strings) -> bool:
    """Where one of ``chosen`` stands one of ``strings`` stands anyway."""
    return all(any(s in c for s in strings) for c in chosen)


def cost_in(texts: Iterable[str]) -> Cost:
    """Share of the lines of ``texts`` that hold a string of a set; one with "" says nothing."""
    lines = [line for text in texts for line in text.lower().split("\n")]

    @cache
    def lines_with(string: str) -> int:
        return sum(string in line for line in lines)

    def cost(strings: Strings) -> float:
        if "" in strings or len(strings) > MOST_STRINGS:
            return math.inf
        found = sum(lines_with(s) * (_NAMES if s.startswith(MARKERS) else 1) for s in strings)
        return found / len(lines) + 0.0001 * len(strings)

    return cost


def _parse(source: str, flags: int, words: Mapping[str, Sequence[str]]) -> Any:
    while True:
        info = parser.Info(flags, None, dict(words))
        info.guess_encoding = parser.UNICODE
        characters = parser.Source(source)
        characters.ignore_space = bool(info.flags & parser.VERBOSE)
        try:
            tree = parser._parse_pattern(characters, info)
            tree.fix_groups(source, False, False)  # references get the numbers of their groups
            return tree
        except parser._UnscopedFlagSet:  # "(?i)" inside: the parser wants to begin again with it
            flags = info.global_flags


def _conditions(node: Any, cost: Cost) -> Iterable[Strings]:
    """Sets of strings of each of which any match of ``node`` holds one."""
    exact = _exact(node)
    if exact is not None:
        yield exact
    if isinstance(node, parser.StringSet):
        return
    if isinstance(node, parser.Sequence):
        yield from _conditions_of_sequence(node.items, cost)
    elif isinstance(node, parser.Branch):
        yield from _conditions_of_branches(
            [list(_conditions(branch, cost)) for branch in node.branches], cost
        )
    elif (
        isinstance(node, parser.Group | parser.Atomic)
        or (isinstance(node, parser.LookAround) and node.positive)
        or (isinstance(node, parser.GreedyRepeat) and node.min_count)
    ):
        yield from _conditions(node.subpattern, cost)
    elif isinstance(node, parser.Property) and not node.matches(ord("x")) and node.matches(ord("7")):
        yield DIGIT


def _conditions_of_sequence(items: Sequence[Any], cost: Cost) -> Iterable[Strings]:
    """Every run of items that match a few strings only, joined; and the conditions of each other item."""
    run: Strings = frozenset({""})
    for item in items:
        exact = _exact(item)
        if exact is None or isinstance(item, parser.LookAround):
            yield from _conditions(item, cost)
        if exact is None:
            run = frozenset({""})
            continue
        joined = _joined(run, exact)
        run = joined if len(joined) <= MOST_STRINGS else exact
        yield run


def _conditions_of_branches(branches: Sequence[Sequence[Strings]], cost: Cost) -> Iterable[Strings]:
    """One string of the rarest set of each branch; a digit if every branch has one."""
    sets = [[strings for strings in branch if strings != DIGIT] for branch in branches]
    if all(sets):
        yield frozenset().union(*(min(branch, key=cost) for branch in sets))
    if all(any(strings == DIGIT or _all_with_digit(strings) for strings in branch) for branch in branches):
        yield DIGIT


def _all_with_digit(strings: Strings) -> bool:
    return all(any(sign in "0123456789" for sign in string) for string in strings)


def _exact(node: Any) -> Strings | None:
    """All the strings ``node`` can match, in small letters; None if they are too many."""
    if isinstance(node, parser.Sequence):
        return _product(map(_exact, node.items))
    if isinstance(node, parser.Branch) and not isinstance(node, parser.StringSet):
        found = [_exact(branch) for branch in node.branches]
        return None if None in found else _few(frozenset().union(*found))  # type: ignore[arg-type]
    if isinstance(node, parser.Group | parser.Atomic):
        return _exact(node.subpattern)
    if isinstance(node, parser.GreedyRepeat):
        return _exact_repeat(node)
    if isinstance(node, parser.LookAround):
        return frozenset({""})
    return _exact_leaf(node)


def _exact_repeat(node: Any) -> Strings | None:
    if node.max_count is None or node.max_count > _MOST_REPEATS:
        return None
    one = _exact(node.subpattern)
    counts = range(node.min_count, node.max_count + 1)
    found = [_product(itertools.repeat(one, count)) for count in counts]
    return None if None in found else _few(frozenset().union(*found))  # type: ignore[arg-type]


def _exact_leaf(node: Any) -> Strings | None:
    if isinstance(node, parser.Character):
        return _characters([node.value]) if node.positive else None
    if isinstance(node, parser.String):
        return frozenset({"".join(map(_small, node.characters))})
    if isinstance(node, parser.Range):
        return _characters(range(node.lower, node.upper + 1)) if node.positive else None
    if isinstance(node, parser.SetUnion):
        found = [_exact_leaf(item) for item in node.items] if node.positive else [None]
        return None if None in found else frozenset().union(*found)
    if isinstance(node, parser.StringSet):
        return _few(frozenset(word.lower() for word in node.info.kwargs[node.name]))
    return frozenset({""}) if isinstance(node, parser.ZeroWidthBase) else None


def _characters(codes: Sequence[int]) -> Strings | None:
    return frozenset(map(_small, codes)) if len(codes) <= _MOST_CHARACTERS else None


def _small(code: int) -> str:
    """As the text is compared: in small letters, of the same length."""
    lowered = chr(code).lower()
    return lowered if len(lowered) == 1 else chr(code)


def _product(parts: Iterable[Strings | None]) -> Strings | None:
    found: Strings | None = frozenset({""})
    for part in parts:
        found = None if part is None or found is None else _few(_joined(found, part))
        if found is None:
            return None
    return found


def _joined(first: Strings, second: Strings) -> Strings:
    if len(first) * len(second) > 20 * MOST_STRINGS:
        return frozenset(map(str, range(MOST_STRINGS + 1)))  # too many, whichever they are
    return frozenset(a + b for a in first for b in second)


def _few(strings: Strings) -> Strings | None:
    return strings if len(strings) <= MOST_STRINGS else None


def _line_ends(node: Any, groups: dict[int, float]) -> float:
    """How many line ends a match of ``node`` and what it looks at can hold; infinite if any number.

    ``groups`` takes the answer for each group by its number, for references back to it.
    """
    if isinstance(node, _TEXT_ENDS):
        return math.inf
    if isinstance(node, parser.StringSet):
        return max((word.count("\n") for word in node.info.kwargs[node.name]), default=0)
    if isinstance(node, parser.Sequence):
        return sum((_line_ends(item, groups) for item in node.items), start=0.0)
    if isinstance(node, parser.Branch):
        return max((_line_ends(branch, groups) for branch in node.branches), default=0.0)
    if isinstance(node, parser.Group | parser.Atomic | parser.LookAround):
        inside = _line_ends(node.subpattern, groups)
        if isinstance(node, parser.Group):
            groups[node.group] = inside
        return inside
    if isinstance(node, parser.GreedyRepeat):
        each = _line_ends(node.subpattern, groups)
        most = math.inf if node.max_count is None else float(node.max_count)
        return each * most if each else 0.0
    return _line_ends_of_leaf(node, groups)


def _line_ends_of_leaf(node: Any, groups: dict[int, float]) -> float:
    if isinstance(node, parser.Character):
        return float((node.value == ord("\n")) == node.positive)
    if isinstance(node, parser.String):
        return float(sum(code == ord("\n") for code in node.characters))
    if isinstance(node, parser.RefGroup):
        return groups.get(node.group, math.inf)
    if isinstance(node, parser.Any):
        return int(isinstance(node, parser.AnyAll))
    if isinstance(node, parser.SetBase | parser.Property | parser.Range):
        return float(bool(node.matches(ord("\n"))))
    # Conditionals, recursion: nothing is known.
    return 0 if isinstance(node, parser.ZeroWidthBase) else math.inf
