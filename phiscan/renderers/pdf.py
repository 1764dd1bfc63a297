"""The report on paper: the page's words, figures and charts, set by Typst; no system package, no network."""

from __future__ import annotations

from functools import cache
from typing import Any

from phiscan.errors import MissingDependencyError
from phiscan.renderers import html
from phiscan.reporting.glossary import OUTCOMES
from phiscan.reporting.page_tree import read_page
from phiscan.reporting.release import identity
from phiscan.reporting.typeset import Document, typeset
from phiscan.scan_report import ScanReport

SUFFIX = ".pdf"


def render(report: ScanReport) -> bytes:
    """The document (PDF/UA-1, tagged); equal reports give equal bytes."""
    compiled: bytes = _compiler()(source(report).encode(), format="pdf", pdf_standards=["ua-1"])
    return compiled


def source(report: ScanReport) -> str:
    """What Typst is given."""
    manifest = report.manifest
    document = Document(
        title=f"{OUTCOMES[report.decision.outcome].title} \u00b7 phiscan report",
        foot=_drawable(
            f"{OUTCOMES[report.decision.outcome].title}. {identity(report)} phiscan "
            f"{manifest.phiscan_version}, {manifest.created}."
        ),
        created=manifest.created,
    )
    preamble = (html.TEMPLATES / "report.typ").read_text(encoding="utf-8")
    return typeset(read_page(_drawable(html.render(report))), document, preamble)


@cache
def _drawn() -> frozenset[int]:
    """Characters that the font of last resort can draw."""
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(f"{_fonts()}/DejaVuSans.ttf").get_charmap())


def _drawable(text: str) -> str:
    """``text``, its code in place of each character that cannot be seen or that no font here has.

    So nothing becomes a box, and PDF/UA, which has no room for what cannot be read, refuses nothing.
    """
    known = _drawn()
    return "".join(
        c if c in "\n\t\r" or (ord(c) in known and (c.isprintable() or c.isspace())) else f"[U+{ord(c):04X}]"
        for c in text
    )


def _fonts() -> str:
    import matplotlib

    return f"{matplotlib.get_data_path()}/fonts/ttf"


def _compiler() -> Any:
    """Typst with its own fonts and those that the charts are drawn for: none of the machine's."""
    try:
        import typst
    except ImportError:
        raise MissingDependencyError.of("a report as PDF needs typst", "pdf") from None
    from functools import partial

    return partial(typst.compile, font_paths=[_fonts()], ignore_system_fonts=True)
