"""A rendered page as a tree of elements. It reads pages of ours, which are well formed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

_EMPTY = frozenset("area base br col embed hr img input link meta source track wbr".split())
_SPACE = re.compile(r"[ \t\n\r\f]+")


class Element:
    """A tag with its attributes, and what stands in it: elements and text in order."""

    def __init__(self, tag: str, attributes: dict[str, str], opening: str = "") -> None:
        self.tag = tag
        self.attributes = attributes
        self.opening = opening
        """The start tag as it is written; SVG minds capitals, which ``tag`` and ``attributes`` have lost."""
        self.children: list[Element | str] = []

    @property
    def classes(self) -> frozenset[str]:
        """Words of the class attribute."""
        return frozenset(self.attributes.get("class", "").split())

    def elements(self) -> list[Element]:
        """The children that are elements."""
        return [child for child in self.children if isinstance(child, Element)]

    def all(self, *tags: str) -> Iterator[Element]:
        """Every element below with one of ``tags``, in the order of the page."""
        for child in self.elements():
            if child.tag in tags:
                yield child
            yield from child.all(*tags)

    def text(self) -> str:
        """All text in it, white space as in the source."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def source(self) -> str:
        """The element as markup again, its tags and attributes in the case they were written in."""
        from html import escape

        inner = "".join(
            escape(child, quote=False) if isinstance(child, str) else child.source()
            for child in self.children
        )
        name = self.opening[1 : 1 + len(self.tag)]
        return self.opening if self.opening.endswith("/>") else f"{self.opening}{inner}</{name}>"


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(self._element(tag, attrs))
        if tag not in _EMPTY:
            self._open.append(self._open[-1].elements()[-1])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(self._element(tag, attrs))

    def _element(self, tag: str, attrs: list[tuple[str, str | None]]) -> Element:
        return Element(tag, {name: value or "" for name, value in attrs}, self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1].tag == tag, "our pages close what they open"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def read_page(document: str) -> Element:
    """The tree of a whole page."""
    reader = _Reader()
    reader.feed(document)
    reader.close()
    return reader.root


def collapsed(text: str) -> str:
    """``text`` with each stretch of white space as one blank; wide and unbreakable spaces stay."""
    return _SPACE.sub(" ", text)
