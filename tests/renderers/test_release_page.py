"""What people say of a release, whom the scan plays, and what its figures are evidence for."""

from datetime import date
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from renderers.sample_report import clean_report, full_report

from phiscan.renderers import html
from phiscan.reporting.legal import breach_factors, crosswalk, risk_prompts
from phiscan.reporting.release import AVAILABILITY, RETEST, entries, expires
from phiscan.reporting.report_charts import report_charts
from phiscan.reporting.scope import ATTACKERS, attackers
from phiscan.scan_report import ExposureRow, ExposureSection, PositionRow, Release


def with_release(report, **said):
    return report.model_copy(update={"release": Release(**said)})


def created(report, when):
    manifest = report.manifest.model_copy(update={"created": when})
    return report.model_copy(update={"manifest": manifest})


def test_what_was_not_said_is_a_line_to_write_on():
    report = full_report()
    assert [entry.answers for entry in entries(report)] == [()] * 5
    page = html.render(report)
    assert page.count('class="blank"') == 5
    said = with_release(
        report,
        protocol="2026-0117",
        purpose="Letters",
        basis="Waiver",
        availability="public",
        phi_seen_by=("A. Reader", "B. Reader"),
        signatories=("Chair",),
    )
    found = {entry.label: entry.answers for entry in entries(said)}
    assert found["Protocol number"] == ("2026-0117",)
    assert found["Who may use the model"] == ("anyone",)
    assert found["Who saw patient text in this review"] == ("A. Reader", "B. Reader")
    page = html.render(said)
    assert 'class="blank"' not in page
    for text in ("2026-0117", "Letters", "Waiver", "A. Reader", '<th scope="row">Chair</th>'):
        assert text in page
    assert "Privacy officer" not in page


@pytest.mark.parametrize(
    ("when", "months", "end"),
    [
        ("2026-11-30T23:00:00+00:00", 12, "2027-11-30"),
        ("2027-08-31T00:00:00+00:00", 6, "2028-02-29"),  # a month that is shorter ends on its last day
        ("2026-12-01T00:00:00+00:00", 1, "2027-01-01"),
    ],
)
def test_a_report_expires_so_many_months_after_its_scan(when, months, end):
    assert expires(created(with_release(full_report(), valid_months=months), when)) == end


@given(months=st.integers(1, 60), day=st.dates(date(2020, 1, 1), date(2090, 1, 1)))
def test_every_report_expires_in_the_month_it_should(months, day):
    report = created(with_release(full_report(), valid_months=months), f"{day}T12:00:00+00:00")
    end = date.fromisoformat(expires(report))
    assert (end.year - day.year) * 12 + end.month - day.month == months
    assert end.day == day.day or end.day < day.day <= 31


@pytest.mark.parametrize(
    "said",
    [
        {"protocol": ""},
        {"purpose": "two\nlines"},
        {"availability": "friends"},
        {"valid_months": 0},
        {"valid_months": True},
        {"purpose": "   "},
        {"signatories": ()},
        {"phi_seen_by": ("\u202eevil",)},
        {"protokol": "1"},
    ],
)
def test_a_release_that_cannot_be_printed_or_meant_is_refused(said):
    with pytest.raises(ValidationError) as caught:
        Release(**said)
    assert "evil" not in str(caught.value)


def test_every_tier_is_shown_and_only_those_asked_bear_a_number():
    report = full_report()
    found = {a.tier: a for a in attackers(report)}
    assert set(found) == set(ATTACKERS) - {"given"}
    asked = sum(cell.asked for cell in report.coverage.prefixes if cell.arm == "scanned")
    assert found["prefix"].asked == asked > 0
    assert found["prefix"].schemes == ("as plain text to be continued",)
    assert (found["metadata"].asked, found["metadata"].schemes) == (0, ())
    cells = [
        cell.model_copy(update={"scheme": "given", "tier": "given"}) for cell in report.coverage.prefixes
    ]
    replayed = report.model_copy(
        update={"coverage": report.coverage.model_copy(update={"prefixes": tuple(cells)})}
    )
    assert {a.tier: a.asked for a in attackers(replayed)}["given"] == asked


def test_prompts_carry_the_figures_of_the_report():
    report = with_release(full_report(), availability="registered")
    risk = {prompt.name: " ".join(prompt.evidence) for prompt in risk_prompts(report)}
    headline = [row for row in report.verdicts if row.arm == "scanned" and not row.apart]
    total = sum(row.headline for row in headline)
    lasting = sum(row.headline for row in headline if row.hipaa in tuple("ABGHIJKP"))
    assert f"{lasting:,} of {total:,} headline hits" in risk["Replicability"]
    assert 0 < lasting < total
    assert AVAILABILITY["registered"] in risk["Availability"]
    assert "patients the model never saw" in risk["Availability"]
    factors = breach_factors(report)
    assert [factor.name[:4] for factor in factors] == ["(i) ", "(ii)", "(iii", "(iv)"]
    assert all(factor.evidence for factor in factors)
    clean = breach_factors(clean_report())
    assert "No headline leak came back." in clean[0].evidence


def test_the_crosswalk_leads_to_sections_that_are_there():
    page = unescape(html.render(full_report()))
    rows = crosswalk()
    named = " ".join(row.requirement for row in rows)
    for rule in ("164.514(b)(1)", "164.514(b)(2)", "164.402", "AI RMF", "800-188"):
        assert rule in named
    for row in rows:
        assert row.left
        for section, _ in row.sections:
            assert f'id="{section}"' in page
    assert all(trigger in page for trigger in RETEST)
    assert "not an Expert Determination" in page


def test_positions_are_drawn_as_shares_of_the_prompts():
    report = full_report()
    assert report_charts(report)["positions"] == ""
    rows = tuple(
        PositionRow(arm="scanned", unit="token", first=first, runs=runs, prompts=50)
        for first, runs in ((0, 21), (100, 4))
    )
    drawn = report_charts(report.model_copy(update={"positions": rows}))["positions"]
    assert "from 1: 21 of 50, from 101: 4 of 50" in drawn
    assert "101-200" in drawn


def test_exposed_categories_are_drawn_most_exposed_first(exposure_section):
    report = full_report().model_copy(update={"exposure": exposure_section})
    drawn = report_charts(report)["exposure"]
    assert "PHONE: 8 of 10. DATE: 3 of 30." in drawn
    nothing = exposure_section.model_copy(
        update={"rows": tuple(row.model_copy(update={"greedy": 0}) for row in exposure_section.rows)}
    )
    assert report_charts(report.model_copy(update={"exposure": nothing}))["exposure"] == ""


@pytest.fixture
def exposure_section():
    def row(category, spans, greedy):
        counts = dict.fromkeys(("ranked", "first", "among_others", "first_among_others", "ties"), 0)
        none = dict.fromkeys(("median_gain_bits", "high_gain_bits", "median_exposure_bits"))
        return ExposureRow(
            arm="scanned", category=category, spans=spans, patients=5, greedy=greedy, greedy_patients=2,
            first_by_chance=0.0, **counts, **none,
        )  # fmt: skip

    rows = (row(None, 40, 11), row("DATE", 30, 3), row("PHONE", 10, 8))
    return ExposureSection.model_construct(rows=rows, estimates=(), curves=(), scores=())
