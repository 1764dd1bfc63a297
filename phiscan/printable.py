"""What of a text may reach a terminal, a page or an error: names from a user's own file, and patient text
on the one page that shows any."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

LONGEST_NAME = 60
LONGEST_TEXT = 500
_HIDDEN = "(a name that cannot be shown)"


def is_printable(name: str, longest: int = LONGEST_NAME) -> bool:
    r"""True for ``longest`` characters or fewer that all can be seen: no control, line or direction mark.

    >>> is_printable("one 80 GB GPU"), is_printable("a\x1b[31m"), is_printable("a\u202e"), is_printable("")
    (True, False, False, False)
    """
    return 0 < len(name) <= longest and name.isprintable() and not name.isspace()


def shown_name(name: str) -> str:
    r"""``name``, or a placeholder where it is not printable.

    >>> shown_name("seed"), shown_name("seed\nleak found")
    ('seed', '(a name that cannot be shown)')
    """
    return name if is_printable(name) else _HIDDEN


def visible(text: str) -> str:
    r"""``text`` with every character that cannot be seen as its escape; line feeds and tabs stay.

    So nothing in it changes a terminal or the order in which a page is read.

    >>> visible("a\x1b[31m\u202eb\n")
    'a\\x1b[31m\\u202eb\n'
    """
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in text
    )


def _printable(longest: int) -> AfterValidator:
    def checked(name: str) -> str:
        if not is_printable(name, longest):
            raise ValueError(f"must be 1 to {longest} printable characters")
        return name

    return AfterValidator(checked)


PrintableName = Annotated[str, _printable(LONGEST_NAME)]
"""A name that is refused unless :func:`is_printable`."""
PrintableText = Annotated[str, _printable(LONGEST_TEXT)]
"""A sentence or two, likewise."""
