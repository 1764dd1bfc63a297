"""Runs every rule, and every entry of the lexicons beyond PHI, on its own examples."""

from __future__ import annotations

from phiscan.resources import resource_dir
from phiscan.rulebook.rule_files import check_rules
from phiscan.rulebook.topics import check_topics


def test_rules() -> tuple[list[str], int]:
    """One line a rule and a lexicon, and the number of them that fail."""
    checks = check_rules(resource_dir("rules"))
    lines = []
    for check in checks:
        examples = check.n_positive + check.n_negative
        lines += [f"{check.rule}: {examples} examples, {len(check.failures)} failed", *check.failures]
    failed = sum(bool(check.failures) for check in checks)
    topics = check_topics()
    for topic in topics:
        said = f"beyond PHI, {topic.topic}: {topic.n_examples} examples, {len(topic.failures)} failed"
        lines += [said, *topic.failures]
    failed_topics = sum(bool(topic.failures) for topic in topics)
    lines.append(f"{len(topics)} lexicons beyond PHI, {failed_topics} failed")
    return [*lines, f"{len(checks)} rules, {failed} failed"], failed + failed_topics
