r"""Rule files: one PHI rule a TOML file, compiled, searched and tested by its own examples.

A rule's id is its file's stem. Its regular expressions may use ``\L<name>``, any line of
``lexicons/name.txt``, and ``{{name}}``, the verbose expression in ``lexicons/name.regex``. A rule
says what a value looks like, never whether it is valid: a check digit that holds raises the score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import regex
from pydantic import ValidationError

from phiscan.errors import RuleError
from phiscan.records import DetectedSpan, Span
from phiscan.resources import resource_dir
from phiscan.rulebook.anchors import Anchor, AnchorIndex, Places, digest, read_anchors
from phiscan.rulebook.checksums import CHECKSUMS
from phiscan.rulebook.name_words import mark_names, may_be_name
from phiscan.rulebook.rule_schema import PatternSpec, RuleSpec
from phiscan.rulebook.time_limit import time_limit
from phiscan.toml_file import read_toml

STRENGTHS: dict[str, float] = {"weak": 0.3, "medium": 0.6, "strong": 0.9}
"""Scores by name: a shape alone, a shape with a hint, a shape that is little else."""

NAME_CATEGORIES = frozenset({"DOCTOR", "PATIENT"})
"""Categories whose rules read the text with possible names marked."""

_FLAGS = {"ignorecase": regex.IGNORECASE, "multiline": regex.MULTILINE, "verbose": regex.VERBOSE}
_PLACEHOLDER = regex.compile(r"\[\*\*[^\n]{0,200}?\*\*\]|_{3,}")
_BLANK = "\x1e"  # white space that no expression takes for a space, a line end or part of a value
_MANY = 150
"""Places, and one more every 50 characters, above which a text is searched whole: each try may look far."""
_FEW = 12
"""Over so many places trying each is cheaper than a search, which may run far behind the last of them."""
_AT_ONCE = 32
"""Texts that go through the rules together."""
_FRAGMENT = regex.compile(r"\{\{(\w+)\}\}")
_WORD = regex.compile(r"([^\W\d_][^\W_]*(?:[-'’&./][^\W_]+)*?)(?:['’][sS])?(?![^\W_])")
_WORDS = regex.compile(r"\\L<(\w+)>")
_GROUPS = regex.compile(r"\(\?P?<(\w+)>")


@dataclass(frozen=True)
class Expression:
    """One ``[[pattern]]`` of a rule, with its fragments put in."""

    spec: PatternSpec
    source: str
    flags: int
    words: dict[str, list[str]]
    """The word lists it names."""
    group: str | int
    """What is reported: the group, or 0 for the whole match."""
    looked_at: str | int
    """Whose words ``not_words`` are looked for in: the group ``own`` where there is one."""
    digest: str
    anchor: Anchor | None
    """None: tried on the whole text."""

    @cached_property
    def compiled(self) -> regex.Pattern[str]:
        """Compiled when first asked for: a text needs few of the expressions, and all take seconds."""
        return regex.compile(self.source, self.flags, **self.words)

    def matches(self, text: str, places: Places) -> Sequence[regex.Match[str]]:
        """Its matches, as a search of the whole text finds them, from ``places`` where they may begin.

        TimeoutError for one without an anchor that runs too long: it may be anybody's. Those that have one
        are the shipped ones, and starting a timer takes longer than trying most of them.
        """
        if self.anchor is None:
            return list(self.compiled.finditer(text, timeout=time_limit(text)))
        if len(places.starts) + len(places.windows) > _MANY + len(text) // 50:
            return list(self.compiled.finditer(text))  # once over the text, however long it is
        match, search = self.compiled.match, self.compiled.search
        found: list[regex.Match[str]] = []
        at = 0
        for start in places.starts:
            if start >= at and (one := match(text, start)):
                found.append(one)
                at = max(one.end(), start + 1)
        for first, last, end in places.windows:
            at = max(at, first)
            while last - at < _FEW and at <= last:
                if one := match(text, at):
                    found.append(one)
                    at = max(one.end(), at + 1)
                else:
                    at += 1
            while at <= last and (one := search(text, at, end)) and one.start() <= last:
                found.append(one)
                at = max(one.end(), one.start() + 1)
            at = max(at, last + 1)
        return found


Matched = tuple[Expression, Sequence[regex.Match[str]]]
"""An expression with its matches."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A compiled rule."""

    id: str
    spec: RuleSpec
    expressions: tuple[Expression, ...]
    excludes: tuple[regex.Pattern[str], ...]
    before: regex.Pattern[str] | None
    after: regex.Pattern[str] | None
    not_words: frozenset[str]

    @property
    def reads_names(self) -> bool:
        """The rule is for people's names, and reads the text with possible names marked."""
        return self.spec.category in NAME_CATEGORIES

    def too_long(self) -> RuleError:
        """What to raise for an expression that runs for longer than any honest one would."""
        return RuleError(f"rule {self.id}: an expression takes too long on some text")

    def find(self, text: str, matched: Iterable[Matched]) -> list[DetectedSpan]:
        """The rule's spans in ``text`` (placeholders already masked), by start; none lies in another.

        ``matched``: its expressions with their matches. An exclude that runs for longer than any honest one
        would raises RuleError.
        """
        found: dict[Span, float] = {}
        try:
            for span, score in self._candidates(text, matched):
                found[span] = max(score, found.get(span, 0.0))
        except TimeoutError:
            raise self.too_long() from None
        return [self._detected(span, found[span]) for span in _outermost(found)]

    def _detected(self, span: Span, score: float) -> DetectedSpan:
        return DetectedSpan(
            start=span.start,
            end=span.end,
            category=self.spec.category,
            score=score,
            detector="rules",
            rule=self.id,
        )

    def _candidates(self, text: str, matched: Iterable[Matched]) -> Iterator[tuple[Span, float]]:
        for expression, matches in matched:
            for match in matches:
                span = self._span(text, match, expression)
                if span.start < span.end and self._is_find(text, span):
                    in_context = self._has_context(text, span)
                    if in_context or not self.spec.context_required:
                        value = text[span.start : span.end]
                        yield span, self._score(expression.spec, in_context, value)

    def _is_find(self, text: str, span: Span) -> bool:
        value = text[span.start : span.end]
        if self.reads_names and value.islower() and len(value) > 2 and not may_be_name(value):
            return False
        return not self._is_near_miss(text, span)

    def _span(self, text: str, match: regex.Match[str], expression: Expression) -> Span:
        """The match's span up to the first listed word; empty where that word is the first looked at."""
        span = Span(*match.span(expression.group))
        if not self.not_words:
            return span
        own = Span(*match.span(expression.looked_at))
        end = None
        for word in _WORD.finditer(text, own.start, own.end):
            if word[1].lower() in self.not_words:
                inside = end is not None and own.start >= span.start and own.end <= span.end
                return Span(span.start, end) if inside and end else Span(span.start, span.start)
            end = word.end()
        return span

    def _is_near_miss(self, text: str, span: Span) -> bool:
        start, end = max(0, span.start - self.spec.context_window), span.end + self.spec.context_window
        return any(
            span.overlaps(match.span())
            for exclude in self.excludes
            for match in exclude.finditer(text, start, end, timeout=time_limit(text))
        )

    def _has_context(self, text: str, span: Span) -> bool:
        window = self.spec.context_window
        before, after = self.before, self.after
        return bool(
            (before and before.search(text, max(0, span.start - window), span.start))
            or (after and after.search(text, span.end, span.end + window))
        )

    def _score(self, pattern: PatternSpec, in_context: bool, value: str) -> float:
        score = STRENGTHS[pattern.score]
        if in_context and not self.spec.context_required:
            score = min((other for other in STRENGTHS.values() if other > score), default=score)
        if self.spec.checksum and CHECKSUMS[self.spec.checksum](value):
            score = 1.0
        return score


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """How one rule file did on its own examples."""

    rule: str
    category: str
    n_positive: int
    n_negative: int
    failures: tuple[str, ...]
    """One line each: rule, example, what was expected and found (examples are invented)."""


def mask_placeholders(text: str) -> str:
    """``text`` with ``___`` and ``[** ... **]`` blanked, offset for offset: they carry nothing."""
    masked: str = _PLACEHOLDER.sub(lambda match: _BLANK * len(match[0]), text)
    return masked


class RuleSet:
    """Rules, and where in a text each of their expressions must be tried."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self._expressions = {
            names: [(rule, e) for rule in self.rules if rule.reads_names == names for e in rule.expressions]
            for names in (False, True)
        }
        self._index = {
            names: AnchorIndex([expression.anchor for _, expression in expressions])
            for names, expressions in self._expressions.items()
        }

    def find(self, text: str) -> list[DetectedSpan]:
        """The spans of every rule in ``text``, rule by rule; ranges of different rules may overlap."""
        return self.find_all([text])[0]

    def find_all(self, texts: Sequence[str]) -> list[list[DetectedSpan]]:
        """The spans in each text, as :meth:`find` gives them.

        Several texts go through one expression after the other, which the processor's cache rewards: what
        an expression is compiled to takes more memory than a note.
        """
        found: list[list[DetectedSpan]] = []
        for at in range(0, len(texts), _AT_ONCE):
            found += self._find_in([mask_placeholders(text) for text in texts[at : at + _AT_ONCE]])
        return found

    def _find_in(self, masked: Sequence[str]) -> list[list[DetectedSpan]]:
        matched: list[dict[str, list[Matched]]] = [{} for _ in masked]
        self._match(masked, matched, names=False)
        self._match([mark_names(text) for text in masked], matched, names=True)
        found: list[list[DetectedSpan]] = [[] for _ in masked]
        for rule in self.rules:
            for spans, text, of_rules in zip(found, masked, matched, strict=True):
                if rule.id in of_rules:
                    spans += rule.find(text, of_rules[rule.id])
        return found

    def _match(self, texts: Sequence[str], matched: list[dict[str, list[Matched]]], *, names: bool) -> None:
        """Add to ``matched`` the matches in each text by the rule's id."""
        tries: dict[int, list[tuple[int, Places]]] = {}
        for at, text in enumerate(texts):
            for number, places in self._index[names].places(text):
                tries.setdefault(number, []).append((at, places))
        for number, where in tries.items():
            rule, expression = self._expressions[names][number]
            try:
                for at, places in where:
                    if matches := expression.matches(texts[at], places):
                        matched[at].setdefault(rule.id, []).append((expression, matches))
            except TimeoutError:
                raise rule.too_long() from None


def find_spans(rules: Sequence[Rule], text: str) -> list[DetectedSpan]:
    """The spans of ``rules`` in one text; for many texts make a :class:`RuleSet` once."""
    return RuleSet(rules).find(text)


def load_rules(directory: Path | None = None) -> tuple[Rule, ...]:
    """Every rule of ``directory`` (default: those shipped), sorted by id.

    Raises RuleError, naming the rule and the key, for a file that is no valid rule.
    """
    return _load(directory or resource_dir("rules"))


def check_rules(directory: Path | None = None) -> list[RuleCheck]:
    """Run every rule of ``directory`` on its own positive and negative examples."""
    return [_check(rule) for rule in load_rules(directory)]


@lru_cache(maxsize=4)
def _load(directory: Path) -> tuple[Rule, ...]:
    files = sorted(directory.glob("*.toml"))
    if not files:
        raise RuleError("the folder of rules holds no rule file (.toml)")
    return tuple(_read(path) for path in files)


def _read(path: Path) -> Rule:
    try:
        spec = RuleSpec.model_validate(read_toml(path, f"rule {path.stem}", RuleError))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise RuleError(f"rule {path.stem}: {key}: {first['msg']}") from None
    lexicons = path.parent / "lexicons"

    def compiled(key: str, pattern: PatternSpec) -> Expression:
        return _compile(f"rule {path.stem}: {key}", pattern, path.parent)

    return Rule(
        id=path.stem,
        spec=spec,
        expressions=tuple(compiled(f"pattern.{n}.regex", pattern) for n, pattern in enumerate(spec.pattern)),
        excludes=tuple(
            compiled(f"exclude.{n}", PatternSpec(regex=source, score="weak")).compiled
            for n, source in enumerate(spec.exclude)
        ),
        before=_any_of(spec.context_before),
        after=_any_of(spec.context_after),
        not_words=frozenset().union(*(_listed(path.stem, lexicons, name) for name in spec.not_words)),
    )


def _compile(where: str, pattern: PatternSpec, folder: Path) -> Expression:
    """Compile an expression with its fragments put in and its word lists bound; RuleError names ``where``."""
    source, lexicons = pattern.regex, folder / "lexicons"
    try:
        while match := _FRAGMENT.search(source):
            fragment = _lexicon(lexicons, f"{match[1]}.regex")
            source = f"{source[: match.start()]}(?x:{fragment}\n){source[match.end() :]}"
            if len(source) > 100_000:
                raise RuleError(f"{where}: fragments that include one another")
        words = {
            name: _phrases(_lexicon(lexicons, f"{name}.txt")) for name in sorted(set(_WORDS.findall(source)))
        }
        flags = sum((_FLAGS[flag] for flag in pattern.flags), start=regex.VERSION0)
    except OSError:
        raise RuleError(f"{where}: names a lexicon that is not there") from None
    name = digest(source, flags, words)
    groups = set(_GROUPS.findall(source))
    group = pattern.group if pattern.group in groups else 0
    made = Expression(
        spec=pattern,
        source=source,
        flags=flags,
        words=words,
        group=group,
        looked_at="own" if "own" in groups else group,
        digest=name,
        anchor=read_anchors(folder).get(name),
    )
    if made.anchor is None:  # one that has an anchor was compiled to find it
        try:
            _ = made.compiled
        except regex.error as error:
            raise RuleError(f"{where}: {error.msg} at {error.pos}") from None
    return made


@lru_cache(maxsize=64)
def _lexicon(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


@lru_cache(maxsize=64)
def _listed(rule: str, folder: Path, name: str) -> frozenset[str]:
    try:
        return frozenset(phrase.lower() for phrase in _phrases(_lexicon(folder, f"{name}.txt")))
    except OSError:
        raise RuleError(f"rule {rule}: not_words: names a lexicon that is not there") from None


def _phrases(lexicon: str) -> list[str]:
    lines = (line.strip() for line in lexicon.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _outermost(spans: Iterable[Span]) -> list[Span]:
    """The spans that lie in no other one, by start."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.end > kept[-1].end:
            kept.append(span)
    return kept


def _any_of(words: Sequence[str]) -> regex.Pattern[str] | None:
    if not words:
        return None
    return regex.compile(r"(?<!\w)(?:\L<words>)(?!\w)", regex.IGNORECASE, words=list(words))


def _check(rule: Rule) -> RuleCheck:
    wanted = [("positive", n, e.text, list(e.spans)) for n, e in enumerate(rule.spec.positive, start=1)]
    wanted += [("negative", n, e.text, []) for n, e in enumerate(rule.spec.negative, start=1)]
    failures = []
    for kind, n, text, spans in wanted:
        found = [text[span.start : span.end] for span in find_spans([rule], text)]
        if found != spans:
            failures.append(f"rule {rule.id}: {kind} example {n}: expected {spans}, found {found}")
    return RuleCheck(
        rule=rule.id,
        category=rule.spec.category,
        n_positive=len(rule.spec.positive),
        n_negative=len(rule.spec.negative),
        failures=tuple(failures),
    )
