"""The report on paper: all of the page is in it, nothing in a text is markup, nothing is cut."""

import io
import sys

import pytest
from browser_free import visible_words
from hypothesis import given
from hypothesis import strategies as st
from renderers.sample_report import clean_report, full_report

from phiscan.errors import MissingDependencyError
from phiscan.renderers import html, pdf
from phiscan.reporting.page_tree import read_page
from phiscan.reporting.typeset import Document, quoted, typeset
from phiscan.scan_report import Release

HOSTILE = '#eval("1+1") \\ $x^2$ *b* _i_ `r` // c /* d */ [x] <label> @ref "q" \u202e\x07 https://example.org'
"""What would be a program, a formula, a link or a comment, were it markup."""


def compiled(source):
    import typst

    return typst.compile(source.encode(), format="pdf", ignore_system_fonts=True)


def text_of(document):
    from pypdf import PdfReader

    return " ".join("\n".join(page.extract_text() for page in PdfReader(io.BytesIO(document)).pages).split())


def small(body):
    page = read_page(f"<html><body>{body}</body></html>")
    return typeset(page, Document("A title", "A foot", "2026-12-01T00:00:00+00:00"), preamble="""
#let note(body) = body; #let tag(body) = body; #let caption(body) = body; #let blank = []; #let wash = white
#let ink = black""")  # fmt: skip


@pytest.fixture(scope="module")
def document():
    return pdf.render(full_report())


def test_every_word_of_the_page_is_on_paper(document):
    shown = text_of(document).replace("\u200b", "").replace(" ", "")
    missing = [word for word in visible_words(html.render(full_report())) if word not in shown]
    assert missing == []


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


def test_nothing_stands_outside_the_margins():
    """Dark where paper should be white would be a table or a chart that is cut."""
    import matplotlib
    import numpy as np
    import typst
    from PIL import Image

    fonts = [f"{matplotlib.get_data_path()}/fonts/ttf"]
    source = pdf.source(full_report()).encode()
    pages = typst.compile(source, format="png", ppi=50, font_paths=fonts, ignore_system_fonts=True)
    assert len(pages) > 8
    points = 50 / 25.4  # a millimetre in pixels
    for number, page in enumerate(pages, start=1):
        picture = np.asarray(Image.open(io.BytesIO(page)).convert("L"))
        side = int(13 * points)
        assert picture[:, :side].min() > 200, f"left of page {number}"
        assert picture[:, -side:].min() > 200, f"right of page {number}"
        assert picture[-int(6 * points) :].min() > 200, f"foot of page {number}"
        assert picture[int(20 * points) : -int(20 * points), side:-side].min() < 128, (
            f"page {number} is empty"
        )


def test_text_of_people_and_files_is_text():
    report = full_report()
    release = Release.model_construct(
        **{**Release().model_dump(), "protocol": HOSTILE, "phi_seen_by": (HOSTILE,)}
    )
    settings = {**report.manifest.settings, "x": {HOSTILE: HOSTILE}}
    hostile = report.model_copy(
        update={"release": release, "manifest": report.manifest.model_copy(update={"settings": settings})}
    )
    shown = text_of(pdf.render(hostile)).replace("\u200b", "")
    for part in ('#eval("1+1")', "$x^2$", "*b* _i_ `r` // c /* d */ [x] <label> @ref"):
        assert shown.count(part) >= 2, part


@given(text=st.text(alphabet=st.characters(blacklist_categories=("Cs",)), max_size=60))
def test_a_quoted_string_reads_back(text):
    assert _evaluated(quoted(text)) == text


def _evaluated(string):
    import json

    import typst

    return json.loads(typst.query(f"#metadata({string})<x>".encode(), "<x>", field="value", one=True))


def test_an_element_that_is_not_known_is_set_as_what_stands_in_it():
    shown = text_of(compiled(small("<p>a <blink>new</blink> thing</p><aside><p>apart</p></aside>")))
    assert shown.startswith("a new thing apart")


def test_cells_that_span_keep_their_place():
    shown = text_of(compiled(small(
        "<table><thead><tr><th>h1</th><th>h2</th></tr></thead><tbody><tr><th rowspan='2'>both</th><td>one</td></tr>"
        "<tr><td>two</td></tr><tr><td colspan='2'>wide</td></tr></tbody></table>"
    )))  # fmt: skip
    assert shown.replace(" ", "") in (
        "h1h2bothonetwowide",
        "h1h2onebothtwowide",
    )  # a cell of two rows is set last


def test_without_typst_one_line_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingDependencyError, match=r"phiscan\[pdf\]"):
        pdf.render(clean_report())


def test_a_character_without_a_font_is_named_and_a_long_word_is_broken():
    release = Release(purpose="日本 " + "W" * 400, protocol="ü é ß")
    document = pdf.render(full_report().model_copy(update={"release": release}))
    shown = text_of(document).replace("\u200b", "").replace(" ", "")
    assert "[U+65E5][U+672C]" in shown
    assert "üéß" in shown
    assert shown.count("W") >= 400
