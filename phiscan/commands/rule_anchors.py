"""What each expression of the rules cannot match without: writes ``rules/anchors.json``.

A parsed expression is walked twice. *Places*: of all conditions on which it can match
(:mod:`phiscan.commands.expression_facts`), the one that costs least on the rules' own examples.
*Lines*: how many line ends a match and what is looked at beside it can hold. Both are bounds
for any text, so nothing is lost by trying an expression only where they allow.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

# The parser of the package whose expressions these are; used to make the file, never to read it.
import regex._regex_core as parser

from phiscan.commands.expression_facts import Walk
from phiscan.commands.required_strings import EVERYWHERE, MOST_STRINGS, Condition, Cost
from phiscan.resources import resource_dir
from phiscan.rulebook.anchors import FILE, NARROW, Anchor, Place, folded
from phiscan.rulebook.name_words import MARKERS, mark_names
from phiscan.rulebook.rule_files import Expression, load_rules

# A range ends behind a line end (or with the text), and no match reaches so far: "\\Z" holds there as it
# does in the whole text. These would not.
_TEXT_ENDS = (parser.StartOfString, parser.EndOfStringLine, parser.SearchAnchor)
_PIECES = (4, 8, 12)
"""Lengths of what is looked up before a string is looked for: most stand nowhere."""
_RARE = 0.02
"""Times that a string is expected to stand where it does not."""
_NAMES = 2
"""Notes hold more names than the examples do."""
_HIT, _PLACE, _LINE, _SIGN, _SEARCHED = 0.4, 0.6, 4.0, 0.3, 0.3
"""Microseconds, roughly: for a string found, a place tried, a search, each place of that, and each character
of a text that is searched whole."""
_EVERYWHERE: Condition = {"": EVERYWHERE}
"""What holds at every place."""


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
    walks = {names: Walk(cost[names]) for names in cost}
    rows = {}
    for rule in rules:
        for expression in rule.expressions:
            names = rule.reads_names
            if anchor := derive_anchor(expression, cost[names], walks[names]):
                rows[expression.digest] = anchor._asdict()
    lines = ",\n".join(f'"{key}": {json.dumps(rows[key], ensure_ascii=False)}' for key in sorted(rows))
    return f"{{\n{lines}\n}}\n"


def derive_anchor(expression: Expression, cost: Cost, walk: Walk | None = None) -> Anchor | None:
    """The anchor of one expression; None if nothing is sure. ``walk`` may know parts of it already."""
    tree = _parse(expression.source, expression.flags, expression.words)
    facts = (walk or Walk(cost)).expression(tree)
    best = min(facts.conditions, key=lambda one: (cost(one), sorted(one)), default=None)
    if best is None or facts.low == 0 < facts.high or cost(best) > cost(_EVERYWHERE):
        return None
    wide = any(place.high - place.low >= NARROW for place in best.values())
    if wide and r"\K" in expression.source:
        return None  # a search would not tell where the match began
    lines = line_ends(tree, {})
    return Anchor(_places(best), _whole(lines), _whole(facts.ahead))


def _places(condition: Condition) -> tuple[Place, ...]:
    together: defaultdict[tuple[float, float, bool], set[str]] = defaultdict(set)
    for string, place in condition.items():
        together[place].add(string)
    return tuple(
        Place(
            _whole(low), _whole(high), word, tuple(sorted(_fewest(strings) if low == high == 0 else strings))
        )
        for (low, high, word), strings in sorted(together.items())
    )


def _whole(number: float) -> int | None:
    return None if math.isinf(number) else int(number)


def _fewest(strings: set[str]) -> set[str]:
    """Without those that begin with another: "member id" is found wherever "member" is."""
    return {s for s in strings if not any(s[:length] in strings for length in range(1, len(s)))}


def cost_in(texts: Iterable[str]) -> Cost:
    """Microseconds, roughly, for trying an expression where its strings stand in ``texts``."""
    text = folded("\n".join(texts))
    pieces = {text[at : at + length] for length in _PIECES for at in range(len(text))}
    known: dict[str, tuple[float, float]] = {}

    def found(string: str) -> tuple[float, float]:
        """How often it stands there, and how often at the beginning of a word."""
        times = words = 0
        lengths = (length for length in _PIECES if length <= len(string))
        may_be = all(string[:length] in pieces and string[-length:] in pieces for length in lengths)
        at = text.find(string) if may_be else -1
        while at >= 0:
            times += 1
            words += not text[max(0, at - 1) : at].isalnum()
            at = text.find(string, at + 1)
        names = _NAMES if string.startswith(MARKERS) else 1
        known[string] = times * names + _RARE, words * names + _RARE
        return known[string]

    def cost(condition: Condition) -> float:
        if condition is _EVERYWHERE:
            return len(text) * _SEARCHED
        if "" in condition or len(condition) > MOST_STRINGS:
            return math.inf
        total = 0.0
        for string, (low, high, word) in condition.items():
            total += (known.get(string) or found(string))[word] * _each(high - low)
        return total

    return cost


@cache
def _each(width: float) -> float:
    return _HIT + (width + 1) * _PLACE if width < 3 else _HIT + _LINE + min(width, 80) * _SIGN


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


def line_ends(node: Any, groups: dict[int, float]) -> float:
    """How many line ends a match of ``node`` and what it looks at can hold; infinite if any number.

    ``groups`` takes the answer for each group by its number, for references back to it.
    """
    if isinstance(node, _TEXT_ENDS):
        return math.inf
    if isinstance(node, parser.StringSet):
        return max((word.count("\n") for word in node.info.kwargs[node.name]), default=0)
    if isinstance(node, parser.Sequence):
        return sum((line_ends(item, groups) for item in node.items), start=0.0)
    if isinstance(node, parser.Branch):
        return max((line_ends(branch, groups) for branch in node.branches), default=0.0)
    if isinstance(node, parser.Group | parser.Atomic | parser.LookAround):
        inside = line_ends(node.subpattern, groups)
        if isinstance(node, parser.Group):
            groups[node.group] = inside
        return inside
    if isinstance(node, parser.GreedyRepeat):
        each = line_ends(node.subpattern, groups)
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
