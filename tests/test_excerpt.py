"""Pieces of a text: joined they are the text, and what is marked is what was to be."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from phiscan.excerpt import HIT, RUN, cut, excerpt
from phiscan.records import Span

TEXT = st.text(st.sampled_from("ab <>&é\n\u202e\U0001f600"), min_size=1, max_size=80)


@st.composite
def marked_texts(draw):
    text = draw(TEXT)
    place = st.integers(0, len(text))
    pairs = st.tuples(place, place).map(lambda pair: Span(min(pair), max(pair)))
    hit = draw(pairs.filter(lambda span: span.start < span.end))
    return text, hit, draw(st.lists(pairs, max_size=5))


@given(marked_texts(), st.integers(0, 40))
def test_the_marked_part_is_the_value_and_the_rest_is_what_stands_round_it(made, around):
    text, hit, runs = made
    shown = excerpt(text, hit, runs, around)
    start = max(0, hit.start - around)
    end = start
    for piece in shown.pieces:
        assert piece.text
        for at in range(end, end + len(piece.text)):
            inside = {HIT: hit.start <= at < hit.end, RUN: any(r.start <= at < r.end for r in runs)}
            assert piece.marks == {name for name, is_in in inside.items() if is_in}
        end += len(piece.text)
    assert "".join(piece.text for piece in shown.pieces) == text[start:end]
    assert end == min(len(text), hit.end + around)
    assert "".join(p.text for p in shown.pieces if HIT in p.marks) == text[hit.start : hit.end]
    assert (shown.goes_before, shown.goes_on) == (start > 0, end < len(text))


@given(marked_texts())
def test_neighbours_differ_in_their_marks(made):
    text, hit, runs = made
    pieces = cut(text, Span(0, len(text)), {HIT: [hit], RUN: runs})
    assert all(one.marks != other.marks for one, other in pairwise(pieces))


def test_a_piece_does_not_show_its_text():
    assert "Quillon" not in repr(excerpt("Mara Quillon", Span(5, 12), [], 3))
