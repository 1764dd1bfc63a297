"""Subgroups and the detectors' figures on gold notes, on the page and on the terminal."""

import pytest
from gate_reports import detection
from sample_report import estimate, full_report

from phiscan.renderers import console, html
from phiscan.reporting.detection import NOT_COUNTED, NOT_MEASURED, detection_sentences
from phiscan.reporting.subgroups import differences_sentence, kinds_of
from phiscan.scan_report import SubgroupRow, SubgroupSection, SubgroupTest

NASTY = "<script>alert(1)</script>"


def row(kind, *band, arm="scanned", leaks=9, patients=40):
    return SubgroupRow(
        kind=kind, band=band, arm=arm, patients=patients, notes=2 * patients,
        patients_with_headline_leak=estimate("patients_with_headline_leak", leaks, patients, patients=patients, arm=arm),
        net_ratio=estimate("net_ratio", leaks, 200, arm=arm), phi_recovery_rate=None,
    )  # fmt: skip


def subgroups(*, tests=True):
    rows = (
        row("note_type", NASTY, leaks=0),
        row("age", "18-44", arm="control", leaks=0),
        row("age", "18-44"),
        row("age", "65-89", "90 and over", leaks=17),
    )
    made = (SubgroupTest(kind="age", p=0.0001, p_holm=0.0002), SubgroupTest(kind="notes", p=0.2, p_holm=0.2))
    return SubgroupSection(
        least=11, ages_registered=71, ages_written=9, rows=rows, tests=made if tests else ()
    )


@pytest.fixture(scope="module")
def report():
    return full_report().model_copy(update={"subgroups": subgroups(), "detection": detection(12)})


def words(document):
    return " ".join(document.split())


def test_kinds_in_reading_order_training_notes_before_the_control(report):
    kinds = kinds_of(report)
    assert [(name, [band for band, _ in bands]) for name, bands in kinds] == [
        ("Age", ["18-44", "65-89, 90 and over"]),
        ("Type of note", [NASTY]),
    ]
    assert [row.arm for row in kinds[0][1][0][1]] == ["scanned", "control"]


def test_the_sentence_on_differences(report):
    assert differences_sentence(report).endswith(
        "age p = below 0.001, number of notes p = 0.200 (corrected for 2 tests)."
    )
    untested = report.model_copy(update={"subgroups": subgroups(tests=False)})
    assert differences_sentence(untested) == "Whether subgroups differ was not tested."


def test_the_page_shows_every_row_and_escapes_a_type(report):
    page = words(html.render(report))
    section = page[page.index('<section id="subgroups">') : page.index('<section id="spikes">')]
    for shown in (
        "18-44",
        "65-89, 90 and over",
        "17 of 40",
        "71 patients from the date of birth",
        "&lt;script&gt;",
    ):
        assert shown in section
    assert NASTY not in section
    for key in ("subgroup", "age_band", "subgroup_test", "gold_recall", "gold_precision"):
        assert f'href="#def-{key}"' in page
        assert f'id="def-{key}"' in page


def test_the_terminal_shows_them(report):
    shown = words(console.render(report))
    assert "65-89, 90 and over training 40 17 of 40: 42.5%" in shown
    assert "below 0.001" in shown


def test_a_report_without_subgroups_says_so():
    page = words(html.render(full_report()))
    assert "too few patients were asked about" in page
    assert "By kind of patient" not in console.render(full_report())


def test_what_detectors_find_of_gold_in_words(report):
    first, exactly, last = detection_sentences(report)
    assert first.startswith(
        "Of the identifiers marked in 400 annotated notes the detectors of this run found 388 of 400"
    )
    assert "95% interval" in first
    assert exactly.startswith("With exactly the same bounds: 378 of 400")
    assert last == "What a detector misses in the notes is not counted as at risk."
    for document in (html.render(report), console.render(report)):
        assert first.split(":")[0] in words(document)


def test_without_gold_the_report_says_that_nothing_was_measured():
    assert detection_sentences(full_report()) == [NOT_MEASURED, NOT_COUNTED]
    assert "was not measured" in words(console.render(full_report()))
    assert NOT_MEASURED in words(html.render(full_report()))
