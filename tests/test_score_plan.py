"""Windows cover each token once, with the context promised."""

from hypothesis import assume, given
from hypothesis import strategies as st

from phiscan.score_plan import plan_branches, plan_rows, windows


@given(st.integers(0, 200), st.integers(1, 60), st.integers(0, 59), st.integers(0, 1))
def test_each_token_is_in_one_window_with_its_context(length, size, context, leading):
    assume(context < size + 1 - leading)
    plan = windows(length, size=size, context=context, leading=leading)
    scored = [token for window in plan for token in range(window.first, window.end)]
    assert scored == list(range(0 if leading else 1, length))
    for number, window in enumerate(plan):
        assert leading + window.end - 1 - window.start <= size
        assert number == 0 or window.first - window.start == context


@given(st.lists(st.integers(0, 9), max_size=60), st.integers(8, 30), st.integers(0, 3), st.data())
def test_rows_hold_what_stands_before_each_token(ids, size, context, data):
    asked = data.draw(st.lists(st.integers(0, max(0, len(ids) - 1)), unique=True).map(sorted)) if ids else []
    rows = plan_rows([ids], [asked], size=size, context=context, leading=[99])
    assert [token for row in rows for token in row.asked] == asked
    for row in rows:
        assert len(row.ids) <= size
        for place, gold, token in zip(row.places, row.gold, row.asked, strict=True):
            seen = token + row.seen
            assert row.ids[: place + 1] == [99, *ids[token - seen : token]]
            assert gold == ids[token]


@given(st.lists(st.integers(0, 9), max_size=60), st.integers(8, 30), st.integers(0, 3), st.data())
def test_branches_hold_text_and_candidate(ids, size, context, data):
    spans = st.tuples(st.integers(0, len(ids)), st.lists(st.integers(0, 9), min_size=1, max_size=6))
    starts, candidates = zip(*data.draw(st.lists(spans, min_size=1, max_size=5)), strict=True)
    rows = plan_branches(ids, candidates, starts, size=size, context=context, leading=[99])
    assert [row.owner for row in rows] == list(range(len(candidates)))
    for row, start, candidate in zip(rows, starts, candidates, strict=True):
        assert row.ids == [99, *ids[start - row.seen : start], *candidate[:-1]]
        assert len(row.ids) <= size
        assert row.gold == candidate
        assert row.seen >= min(start, context)
        assert row.ids[: row.shared] == [99, *ids[row.window : start]]
    windows_of = {(start, row.window) for row, start in zip(rows, starts, strict=True)}
    assert len(windows_of) == len(set(starts))
