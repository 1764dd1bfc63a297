"""The page of a report as a Typst document: the same words and figures, set for paper.

Every text goes in as a quoted string, so that nothing in it is markup. What has a look of its own on
the page has one here; an element that is not known is set as what stands in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from phiscan.reporting.page_tree import Element, collapsed
from phiscan.reporting.typst_text import digest_pieces, line_text, quoted

SERIF, SYMBOLS, MONO = "Libertinus Serif", "DejaVu Sans", "DejaVu Sans Mono"
_ARMS = {
    "scanned": ("\u25cf", "#d55e00"),
    "holdout": ("\u25a0", "#0072b2"),
    "control": ("\u25b2", "#009e73"),
    "plant": ("\u25c6", "#51606d"),
    "twin": ("\u25c7", "#51606d"),
}
_TONES = {"leak_found": "#d55e00", "inconclusive": "#e69f00", "none_found_within_bound": "#0072b2"}
_LEFT_OUT = frozenset({"nav", "script", "style", "head", "title"})
_BLOCKS = frozenset(
    "p ul ol dl div table figure h1 h2 h3 section header main footer details summary dt dd".split()
)
_PARTS = frozenset("main svg li dt dd caption thead tbody tr th td".split())
"""Elements that are set with the one they stand in, or as what stands in them."""
_WIDTHS = {"signatures": "(2fr, 2fr, 3fr, 1.3fr)", "worksheet": "(3fr, 4fr, 3fr)"}


class Document(NamedTuple):
    """What names the document itself."""

    title: str
    foot: str
    created: str
    """Day and time as ISO 8601: equal reports give equal files."""


def typeset(page: Element, document: Document, preamble: str) -> str:
    """The source of the whole document; ``preamble`` defines how things look."""
    when = ", ".join(
        f"{name}: {int(part)}"
        for name, part in zip(("year", "month", "day"), document.created[:10].split("-"), strict=True)
    )
    body = next(page.all("body"))
    labels = {element.attributes["id"] for element in body.all(*_LABELLED) if "id" in element.attributes}
    return "\n".join(
        [
            f"#set document(title: {quoted(document.title)}, date: datetime({when}))",
            f"#let phiscan-foot = {quoted(document.foot)}",
            f"#let phiscan-symbols = {quoted(SYMBOLS)}",
            f"#let phiscan-fonts = ({quoted(SERIF)}, phiscan-symbols)",
            preamble,
            _Setter(labels).blocks(body),
        ]
    )


def unknown_elements(page: Element) -> set[str]:
    """Tags that the page's body holds and that have no look here: they are set as what stands in them."""
    setter = _Setter(set())
    known = {*setter.special, *setter.phrases, *_PARTS, *_LEFT_OUT}
    return {element.tag for element in _outside_charts(next(page.all("body")))} - known


def _outside_charts(element: Element) -> Iterator[Element]:
    for child in element.elements():
        yield child
        if child.tag not in {"svg", *_LEFT_OUT}:
            yield from _outside_charts(child)


_LABELLED = ("section", "header", "h2", "h3", "dt")


class _Setter:
    """Sets elements one by one; ``labels`` are the places that links may lead to."""

    def __init__(self, labels: set[str]) -> None:
        self._labels = labels
        self.special: dict[str, Callable[[Element], str]] = {
            "h1": lambda e: self._heading(e, 1),
            "h2": lambda e: self._heading(e, 2),
            "h3": lambda e: self._heading(e, 3),
            "p": self._par,
            "ul": lambda e: self._list("list", e),
            "ol": lambda e: self._list("enum", e),
            "dl": self._definitions,
            "table": self._table,
            "figure": self._figure,
            "figcaption": lambda e: f"#block(below: 1.4em, note[{self.inline(e)}]);\n",
            "details": self._details,
            "summary": lambda e: f"#caption[{self.inline(e)}];\n",
            "section": lambda e: f"{self._label(e)}{self.blocks(e)}",
            "header": lambda e: f"{self._label(e)}{self.blocks(e)}",
            "div": self._division,
            "footer": lambda e: f"#v(1em);#note[{self.inline(e)}];\n",
        }
        self.phrases: dict[str, Callable[[Element], str]] = {
            "b": lambda e: f"#strong[{self.inline(e)}];",
            "strong": lambda e: f"#strong[{self.inline(e)}];",
            "em": lambda e: f"#emph[{self.inline(e)}];",
            "small": lambda e: f"#note[{self.inline(e)}];",
            "br": lambda e: "#linebreak();",
            "a": self._link,
            "code": _code,
            "span": self._span,
        }

    def blocks(self, element: Element) -> str:
        """What stands in an element, blocks as blocks and the phrases between them as paragraphs."""
        found, phrases = [], Element("p", {})
        for child in element.children:
            if isinstance(child, Element) and child.tag in _LEFT_OUT:
                continue
            if isinstance(child, Element) and child.tag in _BLOCKS:
                found += [self._paragraph(phrases), self._block(child)]
                phrases = Element("p", {})
            else:
                phrases.children.append(child)
        return "".join([*found, self._paragraph(phrases)])

    def inline(self, element: Element) -> str:
        """Text and phrases of an element, in a line."""
        return "".join(
            line_text(child) if isinstance(child, str) else self._phrase(child) for child in element.children
        )

    def _block(self, element: Element) -> str:
        return self.special.get(element.tag, self.blocks)(element)

    def _phrase(self, element: Element) -> str:
        return self.phrases.get(element.tag, self.inline)(element)

    def _paragraph(self, phrases: Element) -> str:
        return f"#par[{self.inline(phrases)}];\n" if phrases.text().strip() or phrases.elements() else ""

    def _par(self, element: Element) -> str:
        apart = "eyebrow" in element.classes  # its two halves stand at the two ends of the line
        parts = [self._phrase(part) for part in element.elements()] if apart else [self.inline(element)]
        line = "#h(1fr);".join(parts)
        return f"#par[#note[{line}]];\n" if apart or "soft" in element.classes else f"#par[{line}];\n"

    def _label(self, element: Element) -> str:
        name = element.attributes.get("id")
        return f"#metadata(none)#label({quoted(name)});" if name in self._labels and name else ""

    def _heading(self, element: Element, level: int) -> str:
        return f"{self._label(element)}#heading(level: {level})[{self.inline(element)}];\n"

    def _list(self, kind: str, element: Element) -> str:
        items = "".join(f"[{self.inline(item)}]," for item in element.elements())
        return f"#{kind}({items});\n"

    def _link(self, element: Element) -> str:
        target = element.attributes.get("href", "").removeprefix("#")
        if target not in self._labels:
            return self.inline(element)
        return f"#link(label({quoted(target)}))[{self.inline(element)}];"

    def _span(self, element: Element) -> str:
        if "blank" in element.classes:
            return "#blank;"
        if "tag" in element.classes:
            return f"#tag[{self.inline(element)}];"
        if "name" in element.classes:
            return f"#strong[{self.inline(element)}];"
        for name, (mark, colour) in _ARMS.items():
            if {"mark", name} <= element.classes:
                return f"#arm({quoted(mark)}, {quoted(colour)})[{self.inline(element)}];"
        return f"#note[{self.inline(element)}];" if "soft" in element.classes else self.inline(element)

    def _details(self, element: Element) -> str:
        """What stands in it, open; a line above its table stays with the table."""
        parts = [Element("", {})]
        for child in element.children:
            if isinstance(child, Element) and child.tag == "p":
                parts += [child, Element("", {})]
            else:
                parts[-1].children.append(child)
        return "".join(
            f"#block(sticky: true)[{self._par(part)}];\n" if part.tag == "p" else self.blocks(part)
            for part in parts
        )

    def _division(self, element: Element) -> str:
        classes = element.classes
        if "decision" in classes:
            tone = next((_TONES[name] for name in classes if name in _TONES), "#51606d")
            return f"#decided({quoted(tone)})[{self.blocks(element)}];\n"
        if "tiles" in classes:
            tiles = "".join(f"[{self._tile(tile)}]," for tile in element.elements())
            return f"#grid(columns: (1fr,) * {len(element.elements())}, gutter: 8pt, {tiles});\n"
        if "callout" in classes:
            return f"#called[{self.blocks(element)}];\n"
        return self.blocks(element)

    def _tile(self, element: Element) -> str:
        tone = next((_ARMS[name][1] for name in element.classes if name in _ARMS), "#c3cbd2")
        parts = "".join(
            f"#figure-number[{self.inline(part)}];" if part.tag == "b" else self._phrase(part)
            for part in element.elements()
        )
        return f"#tile({quoted(tone)})[{parts}];"

    def _definitions(self, element: Element) -> str:
        pairs, term = [], None
        for part in element.all("dt", "dd"):
            if part.tag == "dt":
                term = part
            elif term is not None:
                pairs.append((f"{self._label(term)}#strong[{self.inline(term)}];", self.blocks(part)))
        if "facts" not in element.classes:
            return "".join(f"#defined[{name}][{said}];\n" for name, said in pairs)
        cells = "".join(f"[{name}],[{said}]," for name, said in pairs)
        return f"#table(columns: (3.9cm, 1fr), inset: (left: 0pt, right: 6pt, y: 6pt), {cells});\n"

    def _figure(self, element: Element) -> str:
        parts = []
        for part in element.elements():
            if part.tag == "svg":
                told = " ".join(one.text() for one in part.elements() if one.tag in ("title", "desc"))
                drawn = part.source().replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
                parts.append(
                    f'#image(bytes({quoted(drawn)}), format: "svg", width: 100%, alt: {quoted(told)});\n'
                )
            else:
                parts.append(self._block(part))
        return "".join(parts)

    def _table(self, element: Element) -> str:
        rows = list(element.all("tr"))
        if not rows:
            return ""
        columns = max(sum(_span_of(cell, "colspan") for cell in row.elements()) for row in rows)
        heads = [row for part in element.elements() if part.tag == "thead" for row in part.elements()]
        said = next((part for part in element.elements() if part.tag == "caption"), None)
        widths = next((_WIDTHS[name] for name in element.classes if name in _WIDTHS), f"(auto,) * {columns}")
        size = "8pt" if columns < 7 else "7pt" if columns < 10 else "6pt"
        header = f"table.header({self._rows(heads, columns, head=True)})," if heads else ""
        cells = self._rows(
            [row for row in rows if row not in heads], columns, tall="signatures" in element.classes
        )
        caption = "" if said is None else f"#caption[{self.inline(said)}];\n"
        table = f"table(columns: {widths}, {header}{cells})"
        return f"{caption}#block(below: 1.4em)[#set text(size: {size});#{table};];\n"

    def _rows(self, rows: Iterable[Element], columns: int, *, head: bool = False, tall: bool = False) -> str:
        """The cells of all rows; a row that is short of cells is filled up, as a page does it by itself."""
        found, above = [], Counter[int]()
        for at, row in enumerate(rows):
            width = above[at]
            for cell in row.elements():
                width += _span_of(cell, "colspan")
                for below in range(at + 1, at + _span_of(cell, "rowspan")):
                    above[below] += _span_of(cell, "colspan")
                found.append(self._cell(cell, row, head, tall))
            found.append("[]," * (columns - width))
        return "".join(found)

    def _cell(self, cell: Element, row: Element, head: bool, tall: bool) -> str:
        options = [
            f"{name}: {_span_of(cell, name)}" for name in ("colspan", "rowspan") if _span_of(cell, name) > 1
        ]
        number = "num" in cell.classes
        options += (
            [f"align: right + {'bottom' if head else 'top'}"] if number else ["align: left + bottom"] * head
        )
        if row.classes & {"headline", "other_patient"}:
            options.append('fill: rgb("#fdf3ec")')
        elif "letter" in row.classes:
            options.append("fill: wash")  # no inner head of Typst's: several in a row make it fail (0.15)
        if tall:
            options.append("inset: (top: 4pt, bottom: 22pt, x: 3pt)")
        if head:
            options.append("stroke: (x: none, top: none, bottom: 0.7pt + ink)")
        # A head is repeated on every page, where it is an ornament: PDF/UA wants no link in one.
        setter = _Setter(set()) if head else self
        inner = setter._in_cell(cell, number=number)
        strong = head or "letter" in row.classes
        return f"table.cell({', '.join(options)})[{f'#strong[{inner}];' if strong else inner}],"

    def _in_cell(self, cell: Element, *, number: bool) -> str:
        """What stands in a cell: the small type under a figure has a line of its own."""
        if any(part.tag in _BLOCKS for part in cell.elements()):
            return self.blocks(cell)
        found: list[str] = []
        for child in cell.children:
            if isinstance(child, str):
                found.append(line_text(child))
                continue
            if found and child.tag == "small" and (number or "below" in child.classes):
                found.append("#linebreak();")
            found.append(self._phrase(child))
        return "".join(found)


def _code(element: Element) -> str:
    return f"#text(font: {quoted(MONO)}, size: 0.82em, {quoted(digest_pieces(collapsed(element.text())))});"


def _span_of(cell: Element, name: str) -> int:
    return max(1, int(cell.attributes.get(name, "1")))
