"""The report in a real Chromium: nothing leaves the page, it works by keyboard, in the dark and on paper."""

import re

import pytest
from browser.headless import chromium
from renderers.sample_report import full_report

from phiscan.renderers import html
from phiscan.scan_report import Release

pytestmark = pytest.mark.slow
SIZE = {"width": 1200, "height": 1000}
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> \"'=1+1"


def hostile_report():
    """A report in which every text that people or files bring in tries to run."""
    report = full_report()
    said = {name: HOSTILE for name in ("protocol", "purpose", "basis")}
    settings = {**report.manifest.settings, HOSTILE: {HOSTILE: [HOSTILE], "javascript:alert(3)": HOSTILE}}
    manifest = report.manifest.model_copy(update={"settings": settings, "packages": {HOSTILE: HOSTILE}})
    release = Release.model_construct(**{**Release().model_dump(), **said, "phi_seen_by": (HOSTILE,)})
    return report.model_copy(update={"manifest": manifest, "release": release, "limits": (HOSTILE,)})


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, report in {"report": full_report(), "hostile": hostile_report()}.items():
        (folder / f"{name}.html").write_text(html.render(report), encoding="utf-8")
    return folder


@pytest.fixture
def opened(browser, pages):
    """Opens a page; afterwards: nothing was asked for but the page, and nothing was said on the console."""
    seen = []

    def open_page(name="report", **options):
        page = browser.new_context(viewport=SIZE, **options).new_page()
        page.on("request", lambda request: seen.append(("request", request.url)))
        page.on("console", lambda message: seen.append(("console", message.text)))
        page.on("pageerror", lambda error: seen.append(("error", str(error))))
        page.on("dialog", lambda dialog: (seen.append(("dialog", dialog.message)), dialog.dismiss()))
        page.goto((pages / f"{name}.html").as_uri())
        return page

    yield open_page
    urls = [what for kind, what in seen if kind == "request"]
    assert all(url.startswith("file://") and url.endswith(".html") for url in urls)
    assert urls
    assert [found for found in seen if found[0] != "request"] == []


def first_cells(table):
    return table.locator("tbody tr").evaluate_all("rows => rows.map(r => r.cells[0].innerText.trim())")


def figures(table, column):
    """The bold figures of a column as numbers, in the order shown."""
    texts = table.locator("tbody tr").evaluate_all(
        f"rows => rows.map(r => (r.cells[{column}].querySelector('b') || r.cells[{column}]).innerText)"
    )
    numbers = [re.match(r"[\d.,]+", text.strip()) for text in texts]
    return [float(number.group().replace(",", "")) for number in numbers if number]


def test_the_first_page_says_what_matters_and_has_room_for_signatures(opened):
    page = opened()
    assert page.title() == "Leak found · phiscan report"
    shown = page.locator("#decision").inner_text()
    for question in (
        "What leaked",
        "About how many patients",
        "How sure",
        "Compared with what",
        "What to do next",
    ):
        assert question in shown
    assert "not an Expert Determination" in shown
    assert page.locator("table.signatures tbody tr").count() == 3
    assert page.locator("#decision .blank").count() == 5
    assert page.locator("h1").count() == 1


def test_every_link_leads_to_something_that_can_be_seen(opened):
    page = opened()
    for target in {link.get_attribute("href") for link in page.locator("a").all()}:
        assert target.startswith("#")
        assert page.locator(f"[id='{target[1:]}']").count() == 1, target
    page.locator("#decision a[href='#def-interval']").first.click()
    assert page.locator("#def-interval").is_visible()
    assert page.evaluate("location.hash") == "#def-interval"


def test_a_table_sorts_up_down_and_back(opened):
    page = opened()
    table = page.locator("#phi table").first
    before = table.inner_html()
    rows = first_cells(table)
    button, head = table.locator("button.sort").nth(1), table.locator("thead tr").last.locator("th").nth(1)
    button.click()
    assert head.get_attribute("aria-sort") == "ascending"
    rising = figures(table, 1)
    assert rising == sorted(rising)
    assert len(rising) > 5
    button.click()
    assert head.get_attribute("aria-sort") == "descending"
    assert figures(table, 1) == rising[::-1]
    assert set(first_cells(table)) <= set(rows)
    button.click()
    assert first_cells(table) == rows
    assert table.inner_html() == before


def test_rows_under_a_heading_that_spans_them_keep_it_when_sorted(opened):
    page = opened()
    table = page.locator("#lengths table").first
    lengths, many = {cell for cell in first_cells(table) if cell.isdigit()}, table.locator("tbody tr").count()
    table.locator("button.sort").nth(2).click()
    cells = first_cells(table)
    assert set(cells) == lengths
    assert len(cells) == many > len(lengths)
    assert figures(table, 2) == sorted(figures(table, 2))


def test_a_table_filters_by_what_is_typed(opened):
    page = opened()
    section = page.locator("#phi")
    section.locator(".filter input").first.fill("PHONE")
    assert [cell.split("\n")[0] for cell in first_cells(section.locator("table").first)] == ["PHONE"]
    assert re.fullmatch(r"1 of \d+ rows", section.locator(".filter span").first.inner_text())
    section.locator(".filter input").first.fill("nothing like it")
    assert first_cells(section.locator("table").first) == []
    section.locator(".filter input").first.fill("")
    assert len(first_cells(section.locator("table").first)) > 5


def test_the_keyboard_reaches_everything(opened):
    page = opened()
    reached = set()
    for _ in range(400):
        page.keyboard.press("Tab")
        kind = page.evaluate("document.activeElement.tagName + '.' + document.activeElement.className")
        seen = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        if kind == "BODY.":
            break
        assert seen != "none", kind
        reached.add(kind)
    assert {"A.", "BUTTON.sort", "INPUT.", "SUMMARY."} <= reached
    summary = page.locator("summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("details").first.get_attribute("open") is not None
    button = page.locator("button.sort").first
    button.focus()
    page.keyboard.press("Enter")
    assert page.locator("[aria-sort=ascending]").count() == 1
    assert button.get_attribute("aria-label").startswith("Sort by ")


LUMINANCE = """() => {
  const light = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = node => {
    for (; node; node = node.parentElement) {
      const colour = getComputedStyle(node).backgroundColor;
      if (!/, 0\\)$/.test(colour)) return light(colour);
    }
    return 1;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const worst = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || !node.checkVisibility() || node.closest("script, style, title, desc")) continue;
    const style = getComputedStyle(node);
    const [a, b] = [light(node.closest("svg") ? style.fill : style.color), paper(node)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) worst.push([ratio.toFixed(2), node.className.toString(), text.data.trim().slice(0, 30)]);
  }
  return [texts.root.innerText.length, paper(document.body), worst];
}"""
"""Texts whose contrast with what they stand on is below that of WCAG AA."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read_in_the_light_and_in_the_dark(opened, scheme):
    page = opened(color_scheme=scheme)
    page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    length, paper, too_weak = page.evaluate(LUMINANCE)
    assert length > 5000
    assert (paper > 0.5) == (scheme == "light")
    assert too_weak == []


def test_on_paper_there_are_no_controls_and_nothing_is_cut(opened):
    page = opened(color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 less its margins, at 96 pixels an inch
    assert not page.locator("button.sort").first.is_visible()
    assert not page.locator(".filter").first.is_visible()
    assert not page.locator("nav").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    cut = page.evaluate(
        """() => [...document.querySelectorAll("table, figure, h1, h2, p, dl")]
             .filter(n => n.getBoundingClientRect().right > innerWidth + 1)
             .map(n => (n.closest("section") || {}).id + " " + n.innerText.slice(0, 40))"""
    )
    assert cut == []
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_a_narrow_screen_scrolls_tables_not_the_page(opened):
    page = opened()
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 391


def test_hostile_text_is_text(opened):
    page = opened("hostile")
    assert page.locator("script").count() == 1
    assert page.locator("img").count() == 0
    assert HOSTILE in page.locator("#release").inner_text()
    assert HOSTILE in page.locator("#settings").inner_text()
    page.locator("button.sort").first.click()
    page.locator(".filter input").first.fill(HOSTILE)


def test_without_its_script_the_page_holds_the_same_rows(opened):
    with_script, without = opened(), opened(java_script_enabled=False)
    rows = "tbody tr"
    assert without.locator(rows).count() == with_script.locator(rows).count() > 100
    assert without.locator("button.sort").count() == 0
    assert with_script.locator("button.sort").count() > 20
