"""PHI by rule files: one TOML file a rule, in ``rules/`` (see :mod:`phiscan.rulebook.rule_files`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from phiscan.protocols import DetectorContext
from phiscan.records import DetectedSpan
from phiscan.rulebook.repeated_names import repeated_names
from phiscan.rulebook.rule_files import Rule, RuleSet, load_rules


class RuleDetector:
    """Finds every span of a set of rules. Texts of any length are scanned whole."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = RuleSet(rules)

    def describe(self) -> str:
        """The number of rules and of categories they cover."""
        categories = {rule.spec.category for rule in self._rules.rules}
        return f"rules: {len(self._rules.rules)} rule files, {len(categories)} categories"

    def detect(self, texts: Sequence[str]) -> list[list[DetectedSpan]]:
        """Return the spans of each text, rule by rule; ``rule`` is the rule file's stem.

        Names said again (:mod:`phiscan.rulebook.repeated_names`) follow, with the rule that told them.
        """
        found = self._rules.find_all(texts)
        return [spans + repeated_names(text, spans) for text, spans in zip(texts, found, strict=True)]


def build(context: DetectorContext) -> RuleDetector:
    """The detector over the shipped rules (English, whatever ``context`` holds)."""
    return _shipped()


@cache
def _shipped() -> RuleDetector:
    """Made once in a process: who scans at every epoch need not wait for it at every epoch."""
    return RuleDetector(load_rules())
