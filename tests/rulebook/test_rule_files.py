"""Rule files: the shipped ones pass their own examples; malformed ones are refused by name and key."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from phiscan.errors import RuleError
from phiscan.resources import resource_dir
from phiscan.rulebook.checksums import CHECKSUMS
from phiscan.rulebook.rule_files import RuleCheck, check_rules, find_spans, load_rules, mask_placeholders
from phiscan.taxonomy import CATEGORIES

RULE = """
category = "IDNUM"
description = "Lantern numbers."
source = "https://example.org/lanterns"
{keys}
[[pattern]]
regex = '{regex}'
score = "medium"

[[positive]]
text = "lantern L-4410 lit"
spans = ["L-4410"]

[[negative]]
text = "lantern lit"
"""


def write_rule(folder: Path, *, regex: str = r"L-\d+", keys: str = "", name: str = "lantern") -> Path:
    (folder / f"{name}.toml").write_text(RULE.format(regex=regex, keys=keys), encoding="utf-8")
    return folder


def found(folder: Path, text: str) -> list[tuple[str, float]]:
    return [(text[span.start : span.end], span.score) for span in find_spans(load_rules(folder), text)]


@pytest.mark.parametrize("check", check_rules(), ids=lambda check: check.rule)
def test_shipped_rule_passes_its_examples(check: RuleCheck) -> None:
    assert check.n_positive >= 1
    assert check.n_negative >= 1
    assert not check.failures, "\n".join(check.failures)


def test_every_rule_file_is_loaded_and_covers_every_category() -> None:
    rules = load_rules()
    assert [rule.id for rule in rules] == sorted(path.stem for path in resource_dir("rules").glob("*.toml"))
    assert {rule.spec.category for rule in rules} == set(CATEGORIES)


def test_every_negative_example_of_one_rule_is_safe_from_that_rule_in_crlf_too() -> None:
    for rule in load_rules():
        for example in rule.spec.positive:
            text = "\r\n" + example.text.replace("\n", "\r\n") + "\r\n"
            spans = [text[span.start : span.end] for span in find_spans([rule], text)]
            assert spans == list(example.spans), rule.id


def test_failing_examples_are_reported_by_rule_and_number(tmp_path: Path) -> None:
    (check,) = check_rules(write_rule(tmp_path, regex=r"lantern"))
    assert (check.rule, check.category, check.n_positive, check.n_negative) == ("lantern", "IDNUM", 1, 1)
    assert len(check.failures) == 2
    assert "rule lantern: positive example 1" in check.failures[0]
    assert "rule lantern: negative example 1" in check.failures[1]


@pytest.mark.parametrize(
    ("keys", "regex", "key"),
    [
        ('colour = "red"', r"L-\d+", "colour"),
        ('checksum = "mod97"', r"L-\d+", "checksum"),
        ("context_window = 0", r"L-\d+", "context_window"),
        ("exclude = ['(']", r"L-\d+", "exclude.0"),
        ("", r"L-(\d+", "pattern.0.regex"),
        ("", r"\L<no_such_list>", "pattern.0.regex"),
        ("", r"{{{{no_such_fragment}}}}", "pattern.0.regex"),
    ],
)
def test_malformed_rule_is_refused_by_name_and_key(tmp_path: Path, keys: str, regex: str, key: str) -> None:
    with pytest.raises(RuleError) as caught:
        load_rules(write_rule(tmp_path, keys=keys, regex=regex.replace("{{{{", "{{").replace("}}}}", "}}")))
    message = str(caught.value)
    assert message.startswith(f"rule lantern: {key}")
    assert "\n" not in message
    assert str(tmp_path) not in message


def test_bad_toml_unknown_category_and_an_empty_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="no rule file"):
        load_rules(tmp_path)
    (tmp_path / "torn.toml").write_text("category = ", encoding="utf-8")
    with pytest.raises(RuleError, match="rule torn: not a TOML file"):
        load_rules(tmp_path)
    text = RULE.format(regex="x", keys="").replace("IDNUM", "LANTERN")
    (tmp_path / "torn.toml").write_text(text, encoding="utf-8")
    with pytest.raises(RuleError, match="rule torn: category"):
        load_rules(tmp_path)


def test_fragments_that_include_one_another_are_refused(tmp_path: Path) -> None:
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "loop.regex").write_text("x{{loop}}", encoding="utf-8")
    with pytest.raises(RuleError, match="include one another"):
        load_rules(write_rule(tmp_path, regex="{{loop}}"))


def test_lexicons_fragments_and_groups(tmp_path: Path) -> None:
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "lamps.txt").write_text("# lamps\nlantern\noil lamp\n", encoding="utf-8")
    (tmp_path / "lexicons" / "tag.regex").write_text("L - \\d+  # a tag\n", encoding="utf-8")
    write_rule(tmp_path, regex=r"(?i:\L<lamps>) (?<v>{{tag}})")
    assert found(tmp_path, "Oil lamp L-1, lantern L-22, candle L-3") == [("L-1", 0.6), ("L-22", 0.6)]


def test_context_raises_the_score_or_is_required(tmp_path: Path) -> None:
    write_rule(tmp_path, keys='context_before = ["lantern"]\ncontext_after = ["lit"]\ncontext_window = 12')
    assert found(tmp_path, "lantern L-1") == [("L-1", 0.9)]
    assert found(tmp_path, "L-1 is lit") == [("L-1", 0.9)]
    assert found(tmp_path, "lanterns L-1, unlit") == [("L-1", 0.6)]
    assert found(tmp_path, "lantern" + " " * 12 + "L-1") == [("L-1", 0.6)]
    required = tmp_path / "required"
    required.mkdir()
    write_rule(required, keys='context_before = ["lantern"]\ncontext_required = true')
    assert found(required, "lantern L-1") == [("L-1", 0.6)]
    assert found(required, "L-1 lantern") == []


def test_exclude_drops_only_what_it_overlaps(tmp_path: Path) -> None:
    write_rule(tmp_path, keys=r"exclude = ['level L-\d']")
    assert found(tmp_path, "level L-4 and L-5") == [("L-5", 0.6)]


def test_checksum_raises_the_score_and_never_filters(tmp_path: Path) -> None:
    write_rule(tmp_path, regex=r"\d{4}", keys='checksum = "luhn"')
    assert found(tmp_path, "0018 and 0019") == [("0018", 1.0), ("0019", 0.6)]


def test_inner_span_of_one_rule_gives_way(tmp_path: Path) -> None:
    write_rule(tmp_path, regex=r"(?<=(?<v>L-\d+)),|(?<v>\d+)")
    assert [value for value, _ in found(tmp_path, "L-12, 7")] == ["L-12", "7"]


def test_runaway_expression_raises_and_quotes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phiscan.rulebook.time_limit.SECONDS", 0.2)
    rules = load_rules(write_rule(tmp_path, regex="(?:a|aa)+[cd]"))
    started = time.monotonic()
    with pytest.raises(RuleError) as caught:
        find_spans(rules, "a" * 60 + "b")
    assert time.monotonic() - started < 5
    assert str(caught.value) == "rule lantern: an expression takes too long on some text"
    assert caught.value.__cause__ is None


def test_placeholders_are_masked_offset_for_offset() -> None:
    text = "Seen [**2101-3-4**] by Dr. ___ and [**Last Name (STitle) 12**], 3/12"
    masked = mask_placeholders(text)
    assert len(masked) == len(text)
    blank = masked[5]
    assert blank.isspace()
    assert blank not in " \t\r\n"
    words = [word for word in masked.replace(blank, " ").split(" ") if word]
    assert words == ["Seen", "by", "Dr.", "and", ",", "3/12"]


@pytest.mark.parametrize("name", CHECKSUMS)
def test_checksums_take_anything(name: str) -> None:
    assert not CHECKSUMS[name]("")
    assert not CHECKSUMS[name]("٣٤٥½²Ⅷ")


def test_groups_named_in_an_expressions_source_are_those_it_is_compiled_with():
    """Where what is reported stands is read from the source, since not every expression is compiled."""
    for expression in (expression for rule in load_rules() for expression in rule.expressions):
        groups = expression.compiled.groupindex
        assert expression.group == (expression.spec.group if expression.spec.group in groups else 0)
        assert expression.looked_at == ("own" if "own" in groups else expression.group)


def test_shipped_expressions_are_compiled_only_when_a_text_needs_them():
    script = (
        "from phiscan.rulebook.rule_files import RuleSet, load_rules\n"
        "made = [e for rule in load_rules() for e in rule.expressions]\n"
        "assert not any('compiled' in vars(e) for e in made)\n"
        "assert RuleSet(load_rules()).find('Phone: 617-555-0142')\n"
        "assert 0 < sum('compiled' in vars(e) for e in made) < len(made) / 2\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
