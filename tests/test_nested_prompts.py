"""Nested prompts: the same answers as asking for each, with fewer questions."""

from hypothesis import given
from hypothesis import strategies as st

from phiscan.nested_prompts import ask_nested, nearest_beginnings

PROMPTS = st.lists(st.lists(st.integers(0, 2), max_size=7), max_size=12)


@given(PROMPTS)
def test_the_longest_other_prompt_it_begins_with(prompts):
    prompts = [list(prompt) for prompt in dict.fromkeys(map(tuple, prompts))]
    for i, found in enumerate(nearest_beginnings(prompts)):
        begins = [len(p) for j, p in enumerate(prompts) if j != i and prompts[i][: len(p)] == p]
        assert (-1 if found is None else len(prompts[found])) == max(begins, default=-1)


@given(PROMPTS, st.integers(0, 10_000), st.integers(1, 6), st.integers(0, 12))
def test_answers_are_those_of_asking_for_each(prompts, salt, most, at_once):
    """A deterministic model over {0, 1, 2} of which 2 ends an answer."""

    def greedy(prompt):
        ids = []
        while len(ids) < most and 2 not in ids:
            ids.append(hash((*prompt, *ids, salt)) % 3)
        return ids, [float(len(prompt) + i) for i in range(len(ids))]

    seen = []

    def ask(asked):
        seen.extend(map(tuple, asked))
        return [greedy(prompt) for prompt in asked]

    assert ask_nested(prompts, ask, [2], at_once=at_once) == [greedy(prompt) for prompt in prompts]
    assert len(set(seen)) == len(seen) <= len({tuple(prompt) for prompt in prompts})


def test_a_prompt_that_an_answer_runs_through_is_not_asked():
    seen = []

    def ask(asked):
        seen.append(list(asked))
        return [([7, 8, 9], [0.1, 0.2, 0.3]) if prompt == [1] else None for prompt in asked]

    prompts = [[1, 7, 8], [1], [1, 7, 7], [1]]
    made = ask_nested(prompts, ask, [9], at_once=0)
    assert made == [([9], [0.3]), ([7, 8, 9], [0.1, 0.2, 0.3]), None, ([7, 8, 9], [0.1, 0.2, 0.3])]
    assert seen == [[[1]], [[1, 7, 7]]]
    seen.clear()
    ask_nested(prompts, ask, [], at_once=0)  # it did not come to an end: it might have gone on
    assert [1, 7, 8] in seen[1]
    seen.clear()
    ask_nested(prompts, ask, [9], at_once=3)
    assert seen == [[[1], [1, 7, 8], [1, 7, 7]]]


def test_an_answer_serves_through_every_prefix_between():
    def ask(asked):
        assert asked == [[1]]
        return [([2, 3, 4, 9], [0.0] * 4)]

    made = ask_nested([[1, 2, 3, 4], [1, 2], [1], [1, 2, 3]], ask, [9], at_once=0)
    assert [ids for ids, _ in made] == [[9], [3, 4, 9], [2, 3, 4, 9], [4, 9]]
