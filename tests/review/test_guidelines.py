"""The guidelines' worked examples obey the guidelines."""

import re
from typing import NamedTuple

import pytest

from phiscan.resources import resource_dir
from phiscan.review.codebook import VERDICTS, load_codebook
from phiscan.taxonomy import CATEGORIES

PAGE = (resource_dir("annotation") / "guidelines.md").read_text(encoding="utf-8")
CODEBOOK = load_codebook()
LABELS = CODEBOOK.phi_labels | CODEBOOK.beyond_labels
NAMES = ("PATIENT", "DOCTOR")


class Mark(NamedTuple):
    text: str
    label: str


class Line(NamedTuple):
    """What is said of a region below the block."""

    text: str
    label: str
    verdict: str
    why: str


class Example(NamedTuple):
    number: int
    edge: bool
    plain: str
    """The block without its marks."""
    marks: tuple[Mark, ...]
    lines: tuple[Line, ...]
    rest: str


def unmarked(block: str) -> tuple[str, tuple[Mark, ...]]:
    """The text of a block and its marks, which may stand inside one another."""
    plain, marks, opened = "", [], []
    for part in re.split(r"(\[\[|\|[A-Za-z_-]+\]\])", block):
        if part == "[[":
            opened.append(len(plain))
        elif part.endswith("]]") and part.startswith("|"):
            marks.append(Mark(plain[opened.pop() :], part[1:-2]))
        else:
            plain += part
    assert not opened, f"a mark is not closed in: {plain}"
    return plain, tuple(marks)


def examples() -> list[Example]:
    found = []
    edge_from = PAGE.index("\n## Edge cases\n")
    for head in re.finditer(r"^### (\d+)\. .+$", PAGE, re.M):
        after = PAGE[head.end() :]
        body = after[: m.start()] if (m := re.search(r"^##", after, re.M)) else after
        [block] = re.findall(r"^```text\n(.*?)\n```$", body, re.M | re.S)
        rest = body.split("```")[2]
        lines = [Line(*m.groups()) for m in re.finditer(r"^- `(.+?)` ([\w-]+): (\w+)\. (.+)$", rest, re.M)]
        assert len(lines) == len(re.findall(r"^- ", rest, re.M)), f"example {head[1]}: a line is malformed"
        found.append(Example(int(head[1]), head.start() > edge_from, *unmarked(block), tuple(lines), rest))
    return found


EXAMPLES = examples()
MARKS = [(example, mark) for example in EXAMPLES for mark in example.marks]
each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example.number))


def test_marks_inside_marks_are_read():
    plain, marks = unmarked("at the [[[[Alder|HOSPITAL]] clinic|care_facility]].")
    assert plain == "at the Alder clinic."
    assert marks == (Mark("Alder", "HOSPITAL"), Mark("Alder clinic", "care_facility"))


def test_there_are_thirty_examples_and_six_edge_cases_numbered_in_order():
    assert len(EXAMPLES) >= 30
    assert sum(example.edge for example in EXAMPLES) >= 6
    assert [example.number for example in EXAMPLES] == list(range(1, len(EXAMPLES) + 1))


def test_every_label_is_shown_at_work():
    assert {mark.label for _, mark in MARKS} == LABELS
    assert {CATEGORIES[mark.label].family for _, mark in MARKS if mark.label in CATEGORIES} == {
        category.family for category in CATEGORIES.values()
    }


def test_every_verdict_and_every_answer_for_the_whole_is_shown_at_work():
    assert {line.verdict for example in EXAMPLES for line in example.lines} == {*VERDICTS, "drawn"}
    said = "\n".join(example.rest for example in EXAMPLES)
    for answer in CODEBOOK.memorization_types:
        assert answer in said, answer


def test_every_label_verdict_and_answer_has_a_row_of_its_own():
    for value in LABELS | CODEBOOK.verdicts | CODEBOOK.memorization_types:
        assert len(re.findall(rf"^\| {value} \| ", PAGE, re.M)) == 1, value


def test_the_keys_named_are_those_of_the_configuration():
    for choice in CODEBOOK.choices:
        assert f"| {choice.value} | `{choice.key}` |" in PAGE
        assert f"`{choice.key}` {choice.value}" in PAGE


@each
def test_verdicts_fit_the_marks(example):
    marks = {Mark(" ".join(text.split()), label) for text, label in example.marks}
    for line in example.lines:
        assert line.label in LABELS
        assert line.text in " ".join(example.plain.split())
        assert (Mark(line.text, line.label) in marks) == (line.verdict != "not_phi"), line.text
        assert line.why.endswith(".")


@each
def test_every_mark_of_an_item_that_is_not_blind_has_a_verdict(example):
    judged = {(line.text, line.label) for line in example.lines}
    unjudged = [
        (text, label) for text, label in example.marks if (" ".join(text.split()), label) not in judged
    ]
    assert not unjudged or "\nBlind. " in example.rest, unjudged


@each
def test_spans_obey_the_span_rules(example):
    for text, label in example.marks:
        assert text
        assert text == text.strip()
        assert not re.search(r"['’]s?$|[,;:(]$|^[,;:.)]", text), text
        assert text.count("(") == text.count(")"), text
        if label in NAMES:
            assert not re.match(r"(?i)(dr|mrs?|ms|miss|prof|nurse|baby)\b", text), text
            assert not re.search(r"(?i)\b(md|rn|np|do|phd)\.?$", text), text
        if label == "AGE":
            assert not re.search(r"(?i)year|yo\b|y/o|month|week", text), text
        if label == "DATE":
            assert not re.search(r"\d:\d\d|(?i:\bat\b)", text), text
        if label in ("ROOM", "MEDICALRECORD", "FAX", "PHONE", "IDNUM", "SSN"):
            assert not re.match(r"(?i)(room|bed|mrn|fax|tel|phone|ssn|accession)\b", text), text
        if label == "PROFESSION":
            assert not re.match(r"(?i)(retired|former)\b", text), text


def test_everything_is_invented():
    for example, (text, label) in MARKS:
        if label in ("PHONE", "FAX"):
            assert re.search(r"\b555-01\d\d\b", text), example.number
        if label in ("EMAIL", "URL"):
            assert re.search(r"[@./]example\.org\b", text), example.number
        if label == "IPADDR":
            assert text.startswith("192.0.2."), example.number
    assert not re.findall(r"(?<![\w-])(?!555-01)\d{3}-\d{4}\b", PAGE)


def test_links_lead_somewhere():
    headings = {
        re.sub(r"[^\w -]", "", h).strip().lower().replace(" ", "-")
        for h in re.findall(r"^#+ (.+)$", PAGE, re.M)
    }
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        if target.startswith("#"):
            assert target[1:] in headings, target
        else:
            assert (resource_dir("annotation") / target).is_file(), target
