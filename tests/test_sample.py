"""The review sample: what is drawn, with what probability, and who gets it."""

from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.sample import LEAST, Output, Plan, draw, stratify

GROUPS = ("names", "dates_ages", "locations", "other")


def outputs_strategy():
    one = st.tuples(
        st.sampled_from(["other_patient", "leak", "own_bare", "claimed", "no_hit"]),
        st.sampled_from(GROUPS),
        st.booleans(),
        st.booleans(),
    )
    return st.lists(one, min_size=1, max_size=120).map(
        lambda rows: [
            Output(f"g{number:03}", gravity, "" if gravity == "no_hit" else group, similar, template)
            for number, (gravity, group, similar, template) in enumerate(rows)
        ]
    )


def plans():
    return st.builds(
        Plan,
        n=st.integers(1, 150),
        blind=st.floats(0.1, 1),
        overlap=st.floats(0, 1),
        annotators=st.integers(1, 2),
        seed=st.integers(0, 5),
    )


@given(outputs_strategy(), plans())
@settings(max_examples=150, deadline=None)
def test_a_sample_keeps_its_promises(outputs, plan):
    items = draw(outputs, plan, "d{}".format)
    assert len(items) == min(plan.n, len(outputs))
    assert len({item.gen_id for item in items}) == len(items)
    members = {o.gen_id: o for o in outputs}
    by_stratum = defaultdict(list)
    for item in items:
        by_stratum[item.stratum].append(item)
        assert item.probability == item.drawn / item.stratum_size
        assert item.doc_id == f"d{item.gen_id}"
        assert item.annotators
        assert set(item.annotators) <= set(range(1, plan.annotators + 1))
        if members[item.gen_id].gravity == "no_hit" or item.stratum_size < LEAST:
            assert item.blind
    for drawn in by_stratum.values():
        assert {item.drawn for item in drawn} == {len(drawn)}
        assert {item.blind_drawn for item in drawn} == {sum(item.blind for item in drawn)}
        assert drawn[0].blind_drawn >= 1
    # What a stratum has not drawn cannot be reckoned back to: with enough to draw, none is left out.
    if plan.n >= 5 * LEAST:
        assert sum(d[0].stratum_size for d in by_stratum.values()) == len(outputs)
    assert draw(list(reversed(outputs)), plan, "d{}".format) == items


@given(outputs_strategy(), st.integers(1, 150))
@settings(deadline=None)
def test_strata_hold_every_output_once_and_never_mix_gravities(outputs, n):
    strata = stratify(outputs, n)
    assert Counter(o for members in strata.values() for o in members) == Counter(outputs)
    for members in strata.values():
        assert len({o.gravity for o in members}) == 1


def test_strata_are_as_fine_as_the_sample_bears():
    outputs = [Output(f"g{i}", "leak", GROUPS[i % 4], i % 2 == 0, i % 3 == 0) for i in range(48)]
    assert set(stratify(outputs, 1000)) >= {"leak/names/similar/template", "leak/other/unlike"}
    # Groups and similarity go together in these outputs: four strata, the template is given up.
    kinds = zip(GROUPS, ("similar", "unlike", "similar", "unlike"), strict=True)
    assert set(stratify(outputs, 16)) == {f"leak/{group}/{similar}" for group, similar in kinds}
    assert set(stratify(outputs, 4)) == {"leak"}


def test_every_output_of_a_stratum_is_drawn_with_its_probability():
    """Over many seeds each output comes up as often as its stratum's probability says."""
    outputs = [Output(f"a{i:02}", "leak", "names", True, False) for i in range(12)]
    outputs += [Output(f"b{i:02}", "no_hit", "", False, False) for i in range(40)]
    seen, blind, rounds = Counter(), Counter(), 600
    for seed in range(rounds):
        for item in draw(outputs, Plan(20, seed=seed), str):
            seen[item.gen_id] += 1
            blind[item.gen_id] += item.blind
    items = draw(outputs, Plan(20), str)
    chance = {item.stratum.split("/")[0]: item.probability for item in items}
    half = next(i.blind_drawn / i.drawn for i in items if i.stratum.startswith("leak"))
    for gen_id in seen:
        expected = chance["leak" if gen_id.startswith("a") else "no_hit"]
        assert seen[gen_id] / rounds == pytest.approx(expected, abs=0.1)
        if gen_id.startswith("a"):
            assert blind[gen_id] / seen[gen_id] == pytest.approx(half, abs=0.12)
    assert len(seen) == len(outputs)


def test_the_overlap_is_the_share_asked_for():
    outputs = [
        Output(f"g{i:03}", "leak" if i % 3 else "no_hit", "names" if i % 3 else "", True, False)
        for i in range(300)
    ]
    for share, expected in ((0.0, 0), (0.3, 60), (1.0, 200)):
        items = draw(outputs, Plan(200, overlap=share), str)
        assert abs(sum(len(item.annotators) == 2 for item in items) - expected) <= 3
    alone = Counter(i.annotators for i in draw(outputs, Plan(200, overlap=0.0), str))
    assert abs(alone[(1,)] - alone[(2,)]) <= 3
