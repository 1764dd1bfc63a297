"""Listed words that end a value, and the group ``own`` that says what is looked up."""

from __future__ import annotations

from pathlib import Path

import pytest

from phiscan.errors import RuleError
from phiscan.rulebook.rule_files import find_spans, load_rules

RULE = r"""
category = "CITY"
description = "Towns after in."
source = "https://example.org"
not_words = ["listed"]

[[pattern]]
regex = '{regex}'
score = "medium"

[[positive]]
text = "in Wexholm"
spans = ["Wexholm"]

[[negative]]
text = "at home"
"""
NAME = r"in (?<v>\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*)"
OWN = r"in (?<v>(?:New )?(?<own>\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*))"


def values(folder: Path, text: str, regex: str) -> list[str]:
    (folder / "lexicons").mkdir(exist_ok=True)
    (folder / "lexicons" / "listed.txt").write_text("# any case\nnew\nSurgery\n", encoding="utf-8")
    rule = RULE.replace("{regex}", regex)
    (folder / "town.toml").write_text(rule, encoding="utf-8")
    return [text[span.start : span.end] for span in find_spans(load_rules(folder), text)]


@pytest.mark.parametrize(
    ("text", "regex", "expected"),
    [
        ("in Wexholm today", NAME, ["Wexholm"]),
        ("in Port Wexholm Surgery today", NAME, ["Port Wexholm"]),
        ("in Surgery Wexholm", NAME, []),
        ("in Surgery's hall", NAME, []),
        ("in New Wexholm", NAME, []),
        ("in New Wexholm", OWN, ["New Wexholm"]),
        ("in New Wexholm Surgery", OWN, ["New Wexholm"]),
        ("in New Surgery", OWN, []),
    ],
)
def test_a_value_ends_before_a_listed_word(
    tmp_path: Path, text: str, regex: str, expected: list[str]
) -> None:
    assert values(tmp_path, text, regex) == expected


def test_a_list_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "town.toml").write_text(RULE.replace("{regex}", NAME), "utf-8")
    with pytest.raises(RuleError, match="rule town: not_words: names a lexicon that is not there"):
        load_rules(tmp_path)
