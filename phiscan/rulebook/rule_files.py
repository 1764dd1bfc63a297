r"""Rule files: one PHI rule a TOML file, compiled, searched and tested by its own examples.

A rule's id is its file's stem. Its regular expressions may use ``\L<name>``, any line of
``lexicons/name.txt``, and ``{{name}}``, the verbose expression in ``lexicons/name.regex``. A rule
says what a value looks like, never whether it is valid: a check digit that holds raises the score.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import regex
from pydantic import ValidationError

from phiscan.errors import RuleError
from phiscan.records import DetectedSpan, Span
from phiscan.resources import resource_dir
from phiscan.rulebook.checksums import CHECKSUMS
from phiscan.rulebook.rule_schema import PatternSpec, RuleSpec

STRENGTHS: dict[str, float] = {"weak": 0.3, "medium": 0.6, "strong": 0.9}
"""Scores by name: a shape alone, a shape with a hint, a shape that is little else."""

SECONDS = 10.0
"""Wall time one expression may take on a text, before what its length adds (1 s per 10,000 characters)."""

_FLAGS = {"ignorecase": regex.IGNORECASE, "multiline": regex.MULTILINE, "verbose": regex.VERBOSE}
_PLACEHOLDER = regex.compile(r"\[\*\*[^\n]{0,200}?\*\*\]|_{3,}")
_BLANK = "\x1e"  # white space that no expression takes for a space, a line end or part of a value
_FRAGMENT = regex.compile(r"\{\{(\w+)\}\}")
_WORDS = regex.compile(r"\\L<(\w+)>")


@dataclass(frozen=True, slots=True)
class Rule:
    """A compiled rule."""

    id: str
    spec: RuleSpec
    patterns: tuple[tuple[regex.Pattern[str], PatternSpec], ...]
    excludes: tuple[regex.Pattern[str], ...]
    before: regex.Pattern[str] | None
    after: regex.Pattern[str] | None

    def find(self, text: str, lowered: str) -> list[DetectedSpan]:
        """The rule's spans in ``text`` (placeholders already masked), by start; none lies in another.

        ``lowered`` is ``text.lower()``, shared by all rules. An expression that runs for longer
        than any honest one would raises RuleError.
        """
        if self.spec.needs and not any(word in lowered for word in self.spec.needs):
            return []
        found: dict[Span, float] = {}
        try:
            for span, score in self._candidates(text, seconds=SECONDS + len(text) / 10_000):
                found[span] = max(score, found.get(span, 0.0))
        except TimeoutError:
            raise RuleError(f"rule {self.id}: an expression takes too long on some text") from None
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

    def _candidates(self, text: str, *, seconds: float) -> Iterator[tuple[Span, float]]:
        for compiled, pattern in self.patterns:
            group = pattern.group if pattern.group in compiled.groupindex else 0
            for match in compiled.finditer(text, timeout=seconds):
                span = Span(*match.span(group))
                if span.start < span.end and not self._is_near_miss(text, span):
                    in_context = self._has_context(text, span)
                    if in_context or not self.spec.context_required:
                        yield span, self._score(pattern, in_context, text[span.start : span.end])

    def _is_near_miss(self, text: str, span: Span) -> bool:
        start, end = max(0, span.start - self.spec.context_window), span.end + self.spec.context_window
        return any(
            span.overlaps(match.span())
            for exclude in self.excludes
            for match in exclude.finditer(text, start, end, timeout=SECONDS)
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


def find_spans(rules: Sequence[Rule], text: str) -> list[DetectedSpan]:
    """The spans of every rule in ``text``, rule by rule; ranges of different rules may overlap."""
    masked = mask_placeholders(text)
    lowered = masked.lower()
    return [span for rule in rules for span in rule.find(masked, lowered)]


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
        spec = RuleSpec.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RuleError(f"rule {path.stem}: not valid TOML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise RuleError(f"rule {path.stem}: {key}: {first['msg']}") from None
    lexicons = path.parent / "lexicons"

    def compiled(key: str, source: str, flags: Sequence[str] = ()) -> regex.Pattern[str]:
        return _compile(f"rule {path.stem}: {key}", source, flags, lexicons)

    return Rule(
        id=path.stem,
        spec=spec,
        patterns=tuple(
            (compiled(f"pattern.{n}.regex", pattern.regex, pattern.flags), pattern)
            for n, pattern in enumerate(spec.pattern)
        ),
        excludes=tuple(compiled(f"exclude.{n}", source) for n, source in enumerate(spec.exclude)),
        before=_any_of(spec.context_before),
        after=_any_of(spec.context_after),
    )


def _compile(where: str, source: str, flags: Sequence[str], lexicons: Path) -> regex.Pattern[str]:
    """Compile ``source`` with its fragments put in and its word lists bound; RuleError names ``where``."""
    try:
        while match := _FRAGMENT.search(source):
            fragment = _lexicon(lexicons, f"{match[1]}.regex")
            source = f"{source[: match.start()]}(?x:{fragment}\n){source[match.end() :]}"
            if len(source) > 100_000:
                raise RuleError(f"{where}: fragments that include one another")
        names = set(_WORDS.findall(source))
        words = {name: _phrases(_lexicon(lexicons, f"{name}.txt")) for name in names}
        wanted = [_FLAGS[flag] for flag in flags]
        return regex.compile(source, sum(wanted, start=regex.VERSION0), **words)
    except OSError:
        raise RuleError(f"{where}: names a lexicon that is not there") from None
    except regex.error as error:
        raise RuleError(f"{where}: {error.msg} at {error.pos}") from None


@lru_cache(maxsize=64)
def _lexicon(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


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
