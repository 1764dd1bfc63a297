"""Names that cannot all be seen reach nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from phiscan.printable import LONGEST_NAME, PrintableName, is_printable, shown_name


@given(st.text())
def test_what_is_shown_is_short_and_of_one_visible_line(name):
    shown = shown_name(name)
    assert shown.isprintable()
    assert 0 < len(shown) <= LONGEST_NAME
    assert (shown == name) == is_printable(name)


@pytest.mark.parametrize("mark", ["\x1b", "\n", "\x85", "\u2028", "\u202e", "\u200b", "\0", "\x7f", "\xa0"])
def test_a_name_with_a_mark_that_cannot_be_seen_is_refused(mark):
    class Named(BaseModel):
        name: PrintableName

    assert Named(name="one 80 GB GPU").name == "one 80 GB GPU"
    for name in (f"a{mark}b", "", "a" * (LONGEST_NAME + 1)):
        with pytest.raises(ValidationError, match="1 to 60 printable characters"):
            Named(name=name)
