"""Runs every rule on its own examples."""

from __future__ import annotations

from phiscan.resources import resource_dir
from phiscan.rule_files import check_rules


def test_rules() -> tuple[list[str], int]:
    """One line a rule, and the number of rules that fail."""
    checks = check_rules(resource_dir("rules"))
    lines = [
        line
        for check in checks
        for line in (f"{check.rule}: {check.examples} examples, {len(check.failures)} failed", *check.failures)
    ]
    failed = sum(bool(check.failures) for check in checks)
    return [*lines, f"{len(checks)} rules, {failed} failed"], failed
