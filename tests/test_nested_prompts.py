"""Nested prompts: the same answers as asking for each, with fewer questions."""

from hypothesis import given
from hypothesis import strategies as st

from phiscan.nested_prompts import ask_nested, nearest_beginnings

PROMPTS = st.lists(st.lists(st.integers(0, 2), max_size=7), max_size=12)


@given(PROMPTS)
def test_the_longest_other_prompt_it_begins_with(prompts):
    for i, found in enumerate(nearest_beginnings(prompts)):
        begins = [
            len(other)
            for j, other in enumerate(prompts)
            if j != i and prompts[i][: len(other)] == other and (len(other) < len(prompts[i]) or j < i)
        ]
        assert (-1 if found is None else len(prompts[found])) == max(begins, default=-1)
        assert found != i


@given(PROMPTS, st.integers(0, 10_000), st.integers(1, 6))
def test_answers_are_those_of_asking_for_each(prompts, salt, most):
    """A deterministic model over {0, 1, 2} of which 2 ends an answer."""

    def greedy(prompt):
        ids = []
        while len(ids) < most and 2 not in ids:
            ids.append(hash((*prompt, *ids, salt)) % 3)
        return ids, [float(len(prompt) + i) for i in range(len(ids))]

    asked = []

    def ask(numbers):
        asked.extend(numbers)
        return [greedy(prompts[i]) for i in numbers]

    assert ask_nested(prompts, ask, [2]) == [greedy(prompt) for prompt in prompts]
    assert len(set(asked)) == len(asked) <= len({tuple(prompt) for prompt in prompts})


def test_a_prompt_that_an_answer_runs_through_is_not_asked():
    asked = []

    def ask(numbers):
        asked.append(list(numbers))
        return [([7, 8, 9], [0.1, 0.2, 0.3]) if i == 1 else None for i in numbers]

    made = ask_nested([[1, 7, 8], [1], [1, 7, 7], [1]], ask, [9])
    assert made == [([9], [0.3]), ([7, 8, 9], [0.1, 0.2, 0.3]), None, ([7, 8, 9], [0.1, 0.2, 0.3])]
    assert asked[0] == [1]
    assert 0 not in sum(asked, [])
    asked.clear()
    ask_nested([[1, 7, 8], [1]], ask, [])  # it did not come to an end: it might have gone on
    assert 0 in sum(asked, [])
