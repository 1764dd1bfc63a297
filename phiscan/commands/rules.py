"""Runs every rule on its own examples."""

from __future__ import annotations

from phiscan.resources import resource_dir
from phiscan.rulebook.rule_files import check_rules


def test_rules() -> tuple[list[str], int]:
    """One line a rule, and the number of rules that fail."""
    checks = check_rules(resource_dir("rules"))
    lines = []
    for check in checks:
        examples = check.n_positive + check.n_negative
        lines += [f"{check.rule}: {examples} examples, {len(check.failures)} failed", *check.failures]
    failed = sum(bool(check.failures) for check in checks)
    return [*lines, f"{len(checks)} rules, {failed} failed"], failed
