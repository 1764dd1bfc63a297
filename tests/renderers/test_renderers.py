"""Every renderer shows the whole report, changes nothing and invents nothing."""

from __future__ import annotations

import io
import json
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paper import text_on_paper
from rich.console import Console
from sample_report import clean_report, estimate, full_report

from phiscan.registry import load_plugin, plugin_names
from phiscan.renderers import console, html
from phiscan.reporting.facts import facts, limits
from phiscan.reporting.figures import excess_words, headline_number, in_words, margin, percent, qualification
from phiscan.reporting.view import (
    copies_story,
    letter_rows,
    phi_rows,
    ratio_tables,
    repetition_bands,
    repetition_story,
)
from phiscan.scan_report import Decision, Estimate, ScanReport, Stratum

VOID = {"meta", "br", "link", "img", "input", "hr", "col", "base", "wbr"}
NASTY = "<script>alert('x')</script> & \"[bold]$x$"


class Page(HTMLParser):
    """Collects the elements of a page and fails on tags that do not nest."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def parse(document: str) -> Page:
    page = Page()
    page.feed(document)
    page.close()
    assert page.open == []
    return page


@pytest.fixture(scope="module")
def report() -> ScanReport:
    return full_report()


@pytest.fixture(scope="module")
def page(report: ScanReport) -> Page:
    return parse(html.render(report))


def shown(document: str | bytes | dict[str, str]) -> str:
    """What a reader of a document sees, each stretch of white space as one blank."""
    if isinstance(document, dict):
        document = "\n".join(document.values())
    if isinstance(document, bytes):
        document = text_on_paper(document)
    return " ".join(document.split())


# --- every renderer -------------------------------------------------------------------------


@pytest.mark.parametrize("name", plugin_names("renderers"))
def test_renderer_contract(name: str, report: ScanReport) -> None:
    renderer = load_plugin("renderers", name)
    document = renderer.render(report)
    assert re.fullmatch(r"[.-][a-z]+", renderer.SUFFIX)
    if isinstance(document, dict):
        assert all(re.fullmatch(r"[a-z][a-z0-9_]*\.csv", file) for file in document)
    else:
        assert isinstance(document, bytes) or document.endswith("\n")
    assert document == renderer.render(ScanReport.model_validate_json(report.model_dump_json()))
    count = "2412" if name in ("json", "csv") else "2,412"
    for part in ("worst-case attack", "Expert Determination", count):
        assert part in shown(document)


@pytest.mark.parametrize("name", plugin_names("renderers"))
@pytest.mark.parametrize("outcome", ["leak_found", "inconclusive", "none_found_within_bound"])
def test_no_outcome_is_called_safe(name: str, outcome: str) -> None:
    decision = Decision(outcome=outcome, reasons=("Spikes were missed.",))  # type: ignore[arg-type]
    for report in (full_report(), clean_report()):
        document = load_plugin("renderers", name).render(report.model_copy(update={"decision": decision}))
        said = re.sub(r"<script>.*?</script>|<[^>]*>", "", shown(document))
        assert not re.search(r"\b(un)?safe(ly)?\b", said, re.IGNORECASE)
        assert "Spikes were missed." in said


@pytest.mark.parametrize("name", plugin_names("renderers"))
def test_a_report_with_nothing_in_it_is_rendered(name: str, report: ScanReport) -> None:
    bare = report.model_copy(
        update={"estimates": (), "leaks": (), "verdicts": (), "by_copies": (), "reach": (), "limits": (),
                "coverage": report.coverage.model_copy(update={"prefixes": ()})}
    )  # fmt: skip
    document = load_plugin("renderers", name).render(bare)
    assert name in ("json", "csv") or "assessable" in shown(document)


@pytest.mark.parametrize("name", ["console", "html"])
def test_what_the_scanner_finds_of_spikes_is_shown(name: str, report: ScanReport) -> None:
    document = " ".join(re.sub(r"<[^>]*>", " ", load_plugin("renderers", name).render(report)).split())
    assert "40 of 41 leaks that phiscan wrote into answers" in document
    assert "40 of 41 (71.0% to 99.0%)" in document
    assert "COUNTRY" in document
    untested = load_plugin("renderers", name).render(report.model_copy(update={"spikes": None}))
    assert "was not tested in this run" in " ".join(untested.split())


# --- json -----------------------------------------------------------------------------------


def test_json_reads_back_unchanged_and_is_indented(report: ScanReport) -> None:
    document = load_plugin("renderers", "json").render(report)
    assert ScanReport.model_validate_json(document) == report
    assert document.startswith('{\n  "schema_version": "1.0",\n  "decision": {\n    "outcome"')
    assert json.loads(document)["estimates"][-2]["value"] is None


# --- html -----------------------------------------------------------------------------------


def test_page_is_self_contained(page: Page, report: ScanReport) -> None:
    document = html.render(report)
    [script] = re.findall(r"<script>(.*?)</script>", document, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in unescape(
        document
    )
    assert not re.search(r"fetch|XMLHttp|WebSocket|import\b|eval|innerHTML|localStorage|cookie", script)
    assert not {"link", "img", "iframe", "object", "image", "base", "form"} & {t for t, _ in page.elements}
    for _, attributes in page.elements:
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "srcset", "data", "action", "xlink:href")
            assert name != "href" or value.startswith("#")
            assert not re.search(r"url\((?!#)", value)
    assert "@import" not in document
    assert not re.search(r"url\(\s*['\"]?(?!#)", document)
    assert "http://" not in document
    assert "https://" not in document


def test_links_lead_somewhere_and_ids_are_unique(page: Page) -> None:
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    used = {a["href"] for _, a in page.elements if "href" in a}
    used |= {f"#{i}" for _, a in page.elements for v in a.values() for i in re.findall(r"url\(#([^)]+)\)", v)}
    assert len(used) > 30
    assert used <= {f"#{name}" for name in ids}


def test_charts_have_alternative_text(page: Page, report: ScanReport) -> None:
    charts = page.all("svg")
    assert len(charts) == 3
    ids = {attributes.get("id") for _, attributes in page.elements}
    for chart in charts:
        assert chart["role"] == "img"
        assert set(chart["aria-labelledby"].split()) <= ids
    assert len(page.all("desc")) == 3
    for part in ("Training notes, runs of 30 or more: 50: 55 of 2,412: 2.28%", "SSN (G): 0 of 12"):
        assert part in page.text


def test_every_estimate_is_in_the_page(page: Page, report: ScanReport) -> None:
    for made in report.estimates:
        assert f"{headline_number(made)} {qualification(made)}" in page.text
        assert made.method in page.text


def test_every_count_of_coverage_and_leaks_is_in_the_page(page: Page, report: ScanReport) -> None:
    coverage = report.coverage.model_dump()
    counts = [
        value
        for value in coverage.values()
        if isinstance(value, int) and not isinstance(value, bool) and value
    ]
    counts += [n for field in ("rows_bad", "rows_dropped") for n in coverage[field].values()]
    counts += [n for line in report.leaks if line.arm == "scanned"
               for n in (line.instances, line.values, line.notes, line.patients)]  # fmt: skip
    for count in counts:
        assert f"{count:,}" in page.text
    for words in (
        "empty text",
        "no patient id",
        "marked as an error",
        *report.limits,
        "7f3a" * 8,
        "5e0c" * 16,
    ):
        assert words in page.text


def test_bare_matches_beyond_chance_are_in_every_page(page: Page, report: ScanReport) -> None:
    for row in report.chance:
        for shown in (f"{row.eligible:,}", f"{row.observed:,}", f"{row.expected:,.1f}", excess_words(row)):
            assert shown in page.text
    text = console.render(report)
    assert re.search(r"training +all categories +7,310 +912 +804\.1 +1\.48% \(-0\.31 to 4\.12%\)", text)
    none = report.model_copy(update={"chance": ()})
    assert "beyond chance" not in console.render(none).lower()


def test_null_is_not_assessable_and_zero_is_a_bound(page: Page) -> None:
    assert "excess_over_chance" in page.text
    assert "not assessable denominator 0" in page.text
    assert "0 of 1,184 at most 0.33% (95%)" in page.text
    assert "Q Full-face photographs not assessable" in re.sub(r"\s+", " ", page.text)


def test_missing_arms_are_not_assessable_in_the_page() -> None:
    page = parse(html.render(clean_report()))
    assert "No leak found, within a bound" in page.text
    assert page.text.count("not assessable") >= 3
    assert page.all("svg") == []


def test_content_beyond_phi_is_shown_for_review(page: Page, report: ScanReport) -> None:
    for row in report.beyond_phi:
        if row.arm == "scanned" and row.passages:
            assert f"{row.title} {row.passages} {row.outputs} {row.patients} {row.in_record}" in page.text
    assert "Looked for and not flagged at all: Topic of genetic." in page.text
    assert "People decide what it says" in page.text
    shown = console.render(report)
    assert "for review by people" in shown
    assert re.search(r"Topic of substance_use +57 +28 +28 +31 +15 +2 +-", shown)
    assert "Patients with a linked disclosure, training: 63 of 1,184 (5.32%" in " ".join(shown.split())


def test_text_of_the_report_is_escaped(report: ScanReport) -> None:
    settings = {NASTY: {NASTY: NASTY}}
    odd = estimate("phi_recovery_rate", 3, 9, scope="hipaa", category=NASTY)
    row = report.by_copies[0].model_copy(update={"copies": NASTY})
    nasty = report.model_copy(
        update={
            "decision": Decision(outcome="leak_found", reasons=(NASTY,)),
            "limits": (NASTY,),
            "manifest": report.manifest.model_copy(update={"settings": settings}),
            "coverage": report.coverage.model_copy(update={"rows_bad": {NASTY: 7}}),
            "estimates": (*report.estimates, odd, odd.model_copy(update={"metric": NASTY})),
            "by_copies": (row, *report.by_copies),
        }
    )
    page = parse(html.render(nasty))
    assert page.all("script") == [{}]
    assert page.text.count(NASTY) >= 10
    assert "[bold]$x$" in console.render(nasty)


# --- console --------------------------------------------------------------------------------


def test_console_is_plain_narrow_and_holds_the_decision(report: ScanReport) -> None:
    text = console.render(report)
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= console.WIDTH
    for part in (
        "LEAK FOUND",
        "55 of 2,412: 2.28% (1.76 to 2.96%)",
        "at most 0.33%",
        "(not comparable)",
        "11+",
    ):
        assert part in text
    assert re.search(r"excess_over_chance .* not assessable", text)


def test_print_report_colours_a_terminal(report: ScanReport) -> None:
    shown = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=100)
    console.print_report(report, shown)
    assert "\x1b[1;31m" in shown.file.getvalue()  # type: ignore[attr-defined]


# --- the views behind them ------------------------------------------------------------------


def test_first_ratio_table_is_tokens_over_the_same_notes(report: ScanReport) -> None:
    tables = ratio_tables(report)
    assert [table.title for table in tables] == [
        "tokens, same notes at every length",
        "tokens, all notes long enough",
        "words, same notes at every length",
        "words, all notes long enough",
    ]
    assert tables[0].columns == (("raw_ratio", 30), ("net_ratio", 30), ("raw_ratio", 50), ("net_ratio", 50))
    assert [group.label for group in tables[0].groups] == ["50", "100", "200", "300", "500"]


def test_each_of_the_eighteen_has_a_line(report: ScanReport) -> None:
    letters = [group.letter for group in letter_rows(report)]
    assert letters == [*"ABCDEFGHIJKLMNOPQR", None]
    street = next(row for row in phi_rows(report) if row.category == "STREET")
    assert (street.letter, street.within, street.beyond) == ("B", 5 * (388 // 6), 5 * (388 // 90))
    assert street.arms["scanned"].count == 41


def test_copies_story_tells_least_and_most_copied(report: ScanReport) -> None:
    story = copies_story(report)
    assert story is not None
    assert "stood once in the training data 21 of 9,400 prompts (0.22%)" in story
    assert "stood 11+ times, 371 of 460 (80.7%)" in story


def test_repetitions_are_told_with_intervals_least_repeated_first(report: ScanReport) -> None:
    bands = dict(repetition_bands(report))
    assert list(bands) == ["repetitions", "copied"]
    assert [(band, [row.arm for row in rows]) for band, rows in bands["repetitions"]] == [
        (band, ["scanned", "control"]) for band in ("1", "2-5", "6-10")
    ]
    story = repetition_story(report)
    assert story is not None
    assert (
        "402 stood in the training data more than once: 113 as exact copies, 289 only nearly equal" in story
    )
    assert "9 of 8,800: 0.10% with 1 in training, 190 of 300: 63.3% with 6-10" in story
    assert repetition_story(clean_report()) is None


def test_repetitions_stand_on_page_and_terminal(report: ScanReport) -> None:
    page = parse(html.render(report)).text
    assert "371 notes with a repetition in the same patient’s notes, 57 with one in other patients’" in page
    assert "Beside 17 of them so many notes are alike" in page
    assert "Copied forward (at least 50.0% of the words)" in page
    shown = console.render(report)
    assert re.search(r"6-10 +training +60 +300 +190 +81 of 160: 50.6%", shown)
    assert re.search(r"yes +training +340 +1,700 +347 +149 of 860: 17.3%", shown)
    assert "Near-duplicates counted too" not in parse(html.render(clean_report())).text


def test_facts_tell_patients_and_comparisons() -> None:
    leak = {fact.question: " ".join(fact.sentences) for fact in facts(full_report())}
    assert "171 of 1,184 (14.4%; 95% interval 12.6 to 16.6%)" in leak["About how many patients"]
    assert "0 of 1,184; at most 0.33% (95%)" in leak["Compared with what"]
    clean = {fact.question: " ".join(fact.sentences) for fact in facts(clean_report())}
    assert "No headline leak came back." in clean["What leaked"]
    assert "0 of 1,184; at most 0.33% (95%)" in clean["About how many patients"]


def test_one_of_a_thing_is_told_in_the_singular() -> None:
    report = full_report()
    ones = {"instances": 1, "values": 1, "notes": 1, "patients": 1}
    leaks = tuple(line.model_copy(update=ones) for line in report.leaks)
    coverage = {"rows_read": 1, "notes": 2, "patients": 2, "holdout_notes": 1, "holdout_patients": 1}
    single = report.model_copy(
        update={
            "leaks": leaks,
            "coverage": report.coverage.model_copy(update=coverage),
            "estimates": tuple(one.model_copy(update={"patients": 1}) for one in report.estimates),
        }
    )
    told = {fact.question: " ".join(fact.sentences) for fact in facts(single)}
    assert (
        "1 distinct value from patients' own records came back, 1 time in all, from 1 note."
        in told["What leaked"]
    )
    assert "1 value belonged to a patient other than" in told["What leaked"]
    assert "over 1 patient as independent unit)." in told["How sure"]
    alone = single.model_copy(update={"estimates": ()})
    (patients,) = [fact.sentences for fact in facts(alone) if fact.question == "About how many patients"]
    assert patients == ("1 patient. Their share is not assessable.",)
    page = " ".join(html.render(single).split())
    assert "1 of 1 patient<" in page
    shown = " ".join(console.render(single).split())
    assert "1 row read: 2 notes of 2 patients;" in shown
    assert "Held out: 1 note of 1 patient." in shown


def test_standing_limits_are_added_once(report: ScanReport) -> None:
    assert limits(report) == list(report.limits)
    bare = limits(report.model_copy(update={"limits": ("Greedy decoding only.",)}))
    assert len(bare) == 3
    assert bare[-1] == "Greedy decoding only."


# --- figures --------------------------------------------------------------------------------


@given(st.floats(min_value=0, max_value=1))
def test_an_upper_bound_is_never_rounded_down(share: float) -> None:
    shown = float(percent(share, up=True).removesuffix("%"))
    assert shown >= share * 100 * (1 - 1e-12)
    assert shown <= share * 100 * 1.2 + 1.1e-6


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"value": None}, "not assessable"),
        ({"value": float("nan")}, "not assessable"),
        ({"value": 0.0, "count": 0, "high": None}, "0 of 40; upper bound (95%) not assessable"),
        ({"value": 0.0, "count": 0, "high": 0.0876}, "0 of 40; at most 8.76% (95%)"),
        ({"low": None, "high": None}, "4 of 40 (10.0%; interval not assessable)"),
    ],
)
def test_in_words(change: dict[str, object], words: str) -> None:
    made = Estimate(metric="net_ratio", stratum=Stratum(), value=0.1, low=0.04, high=0.23, level=0.95,
                    count=4, n=40, patients=20, method="Wilson")  # fmt: skip
    assert in_words(made.model_copy(update=change)) == words


def test_a_figure_that_is_no_share_is_no_percentage() -> None:
    made = estimate("mean_run_length", 3, 7).model_copy(update={"value": 61.25, "low": -55.5, "high": 67.75})
    assert (headline_number(made), margin(made)) == ("61.25", "-55.5 to 67.75")


def test_values_that_held_out_prompts_brought_out_are_not_denied():
    report = clean_report()
    lines = [line for line in report.leaks if (line.line, line.arm) == ("other_patient", "scanned")]
    held_out = lines[0].model_copy(update={"arm": "holdout", "instances": 3, "values": 2, "patients": 1})
    others = [line for line in report.leaks if (line.line, line.arm) != ("other_patient", "holdout")]
    told = facts(report.model_copy(update={"leaks": (*others, held_out)}))
    said = " ".join(sentence for _, sentences in told for sentence in sentences)
    assert "No value of another patient came back (training prompts)." in said
    assert (
        "Prompts of held-out patients brought out 2 values of patients in the training data, 3 times in all."
        in said
    )


def test_a_share_too_small_to_show_is_zero():
    assert percent(1e-12) == "0.00%"
    assert percent(1e-12, up=True) != "0.00%"
