"""The report on paper: all of the page is in it, nothing in a text is markup, nothing is cut."""

import io
import json
import re
import sys
from pathlib import Path

import pytest
from browser_free import visible_words
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paper import text_on_paper
from renderers.any_text import with_text
from renderers.every_section import sections_report
from renderers.sample_report import clean_report, full_report

from phiscan.errors import MissingDependencyError
from phiscan.renderers import html, pdf
from phiscan.reporting.page_tree import read_page
from phiscan.reporting.typeset import Document, typeset, unknown_elements
from phiscan.reporting.typst_text import quoted
from phiscan.scan_report import Release, ScanReport

HOSTILE = '#eval("1+1") \\ $x^2$ *b* _i_ `r` // c /* d */ [x] <label> @ref "q" \u202e\x07 https://example.org'
"""What would be a program, a formula, a link or a comment, were it markup."""


def compiled(source):
    import typst

    return typst.compile(source.encode(), format="pdf", ignore_system_fonts=True)


def small(body):
    page = read_page(f"<html><body>{body}</body></html>")
    return typeset(page, Document("A title", "A foot", "2026-12-01T00:00:00+00:00"), preamble="""
#let note(body) = body; #let tag(body) = body; #let caption(body) = body; #let blank = []; #let wash = white
#let ink = black""")  # fmt: skip


def demo_report():
    """The pinned report of the demo, which a run made; what differs from run to run is made up."""
    pinned = json.loads(
        (Path(__file__).parents[1] / "golden" / "demo_report.json").read_text(encoding="utf-8")
    )
    report = pinned["report"]
    report["manifest"] = {**full_report().manifest.model_dump(mode="json"), **report["manifest"]}
    return ScanReport.model_validate(report)


REPORTS = (full_report, clean_report, sections_report, demo_report)


@pytest.fixture(scope="module")
def document():
    return pdf.render(full_report())


@pytest.mark.parametrize("make", REPORTS)
def test_every_word_of_the_page_is_on_paper(make):
    shown = text_on_paper(pdf.render(make())).replace(" ", "")
    missing = [word for word in visible_words(html.render(make())) if word not in shown]
    assert missing == []


@pytest.mark.parametrize("make", REPORTS)
def test_every_element_of_the_page_has_a_look_on_paper(make):
    assert unknown_elements(read_page(html.render(make()))) == set()


def test_an_element_without_a_look_is_named():
    page = read_page(
        "<html><body><main><p>a <blink>b</blink></p><svg><g/></svg><aside/></main></body></html>"
    )
    assert unknown_elements(page) == {"blink", "aside"}


def test_links_lead_where_they_lead_on_the_page(document):
    """Each place that the page links to outside its heads is a place that the document links to."""
    from pypdf import PdfReader

    read = PdfReader(io.BytesIO(document))
    notes = [note.get_object() for page in read.pages for note in page.get("/Annots", ())]
    places = {str(note["/Dest"]) for note in notes if "/Dest" in note}
    body = next(read_page(html.render(full_report())).all("body"))
    in_heads = [id(link) for part in body.all("nav", "thead") for link in part.all("a")]
    wanted = {link.attributes["href"] for link in body.all("a") if id(link) not in in_heads}
    assert len(places) == len(wanted) > 20
    assert not any("/URI" in note.get("/A", {}) for note in notes)


def test_equal_reports_give_equal_bytes(document):
    assert pdf.render(full_report()) == document
    assert pdf.render(clean_report()) != document


def test_the_document_is_tagged_named_and_can_be_read_aloud(document):
    from pypdf import PdfReader

    read = PdfReader(io.BytesIO(document))
    assert read.metadata.title == "Leak found · phiscan report"
    root = read.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"].startswith("en")
    assert sum(isinstance(one, list) and len(one) for one in read.outline) > 10
    assert b"pdfuaid:part" in root["/Metadata"].get_object().get_data()


def outside_the_margins(report):
    """Pages with something dark where paper should be white: a table, a word or a chart that is cut."""
    import matplotlib
    import numpy as np
    import typst
    from PIL import Image

    fonts = [f"{matplotlib.get_data_path()}/fonts/ttf"]
    pages = typst.compile(
        pdf.source(report).encode(), format="png", ppi=50, font_paths=fonts, ignore_system_fonts=True
    )
    assert len(pages) > 8
    points = 50 / 25.4  # a millimetre in pixels
    side = int(13 * points)
    for number, page in enumerate(pages, start=1):
        picture = np.asarray(Image.open(io.BytesIO(page)).convert("L"))
        edges = picture[:, :side], picture[:, -side:], picture[-int(6 * points) :]
        inside = picture[int(15 * points) : -int(20 * points), side:-side]
        if min(edge.min() for edge in edges) <= 200 or inside.min() > 200:
            yield number


@pytest.mark.parametrize("make", REPORTS)
def test_nothing_stands_outside_the_margins(make):
    assert list(outside_the_margins(make())) == []


def test_the_longest_words_of_people_and_files_break():
    word, name = "W" * 500, "W" * 60
    said = {
        "protocol": name,
        "model": name,
        "purpose": word,
        "phi_seen_by": (word,),
        "signatories": (name,) * 8,
    }
    report = full_report()
    manifest = report.manifest.model_copy(update={"settings": {name: {name: word}}})
    release = Release.model_validate({**Release().model_dump(), **said})
    assert not list(outside_the_margins(report.model_copy(update={"release": release, "manifest": manifest})))


def test_text_of_people_and_files_is_text():
    report = full_report()
    release = Release.model_construct(
        **{**Release().model_dump(), "protocol": HOSTILE, "phi_seen_by": (HOSTILE,)}
    )
    settings = {**report.manifest.settings, "x": {HOSTILE: HOSTILE}}
    hostile = report.model_copy(
        update={"release": release, "manifest": report.manifest.model_copy(update={"settings": settings})}
    )
    shown = text_on_paper(pdf.render(hostile))
    for part in ('#eval("1+1")', "$x^2$", "*b* _i_ `r` // c /* d */ [x] <label> @ref"):
        assert shown.count(part) >= 2, part


WRITTEN = st.text(alphabet=st.characters(blacklist_categories=("Cs",)), max_size=60)


@given(text=WRITTEN)
def test_a_quoted_string_reads_back(text):
    assert _evaluated(quoted(text)) == text


def _evaluated(string):
    import typst

    return json.loads(typst.query(f"#metadata({string})<x>".encode(), "<x>", field="value", one=True))


def without_strings(source):
    """What Typst would run of a source: all but the strings in it."""
    return re.sub(r'"(?:[^"\\]|\\.)*"', "", source, flags=re.DOTALL)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=st.sampled_from([HOSTILE, '"', "\\", '\\"', "]", "#", "\x00", "\ufffe"]) | WRITTEN)
def test_no_text_of_a_report_becomes_a_program(text):
    plain, hostile = (pdf.source(with_text(sections_report(), said)) for said in ("a word", f"a {text} word"))
    assert without_strings(hostile) == without_strings(plain)


def test_any_text_makes_a_document():
    """What no reader can read aloud is no error either: PDF/UA wants none of it."""
    for text in (
        HOSTILE,
        "\x00\x1b",
        "\ufffe\u0378",
        "\ue000",
        "\u202e\u2028\xad",
        "\u7814\u7a76 \U0001f600",
    ):
        assert pdf.render(with_text(clean_report(), text)).startswith(b"%PDF-")


def test_an_element_that_is_not_known_is_set_as_what_stands_in_it():
    shown = text_on_paper(compiled(small("<p>a <blink>new</blink> thing</p><aside><p>apart</p></aside>")))
    assert shown.endswith("a new thing apart")


def test_cells_that_span_keep_their_place():
    shown = text_on_paper(compiled(small(
        "<table><thead><tr><th>h1</th><th>h2</th></tr></thead><tbody><tr><th rowspan='2'>both</th><td>one</td></tr>"
        "<tr><td>two</td></tr><tr><td colspan='2'>wide</td></tr></tbody></table>"
    )))  # fmt: skip
    # A cell of two rows is set last.
    assert shown.replace(" ", "").endswith(("h1h2bothonetwowide", "h1h2onebothtwowide"))


def test_without_typst_one_line_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingDependencyError, match=r"phiscan\[pdf\]"):
        pdf.render(clean_report())


def test_a_character_without_a_font_is_named_and_a_long_word_is_broken():
    release = Release(purpose="日本 " + "W" * 400, protocol="ü é ß")
    document = pdf.render(full_report().model_copy(update={"release": release}))
    shown = text_on_paper(document).replace(" ", "")
    assert "[U+65E5][U+672C]" in shown
    assert "üéß" in shown
    assert shown.count("W") >= 400
