"""What a page shows, without a browser."""

import re

from phiscan.reporting.page_tree import read_page

_LEFT_OUT = ("nav", "script", "style", "head", "svg")


def visible_words(document):
    """Every word that a page of ours shows, those inside charts and its contents apart."""
    return re.findall(r"\S+", " ".join(_texts(next(read_page(document).all("body")))))


def _texts(element):
    for child in element.children:
        if isinstance(child, str):
            yield child
        elif child.tag not in _LEFT_OUT and "blank" not in child.classes:
            yield from _texts(child)
