"""Greedy runs from one pass, against counting them one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from phiscan.greedy_runs import is_extractable, longest_greedy_run, longest_greedy_runs


@given(st.lists(st.booleans(), max_size=60))
def test_runs_are_counted_from_every_place(flags):
    greedy = np.array(flags, np.bool_)
    runs = longest_greedy_runs(greedy)
    assert len(runs) == len(flags) + 1
    for place in range(len(flags) + 1):
        count = 0
        while place + count < len(flags) and flags[place + count]:
            count += 1
        assert runs[place] == count == longest_greedy_run(greedy, place)


@given(
    st.lists(st.sampled_from([True, True, True, False]), max_size=12), st.integers(0, 6), st.integers(1, 6)
)
def test_extractable_means_every_token(flags, prompt, length):
    said = is_extractable(np.array(flags, np.bool_), prompt=prompt, length=length)
    if len(flags) < prompt + length:
        assert said is None
    else:
        assert said == all(flags[prompt : prompt + length])
