"""Kinds of memorization, by a plain reading of the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.measures.triage import KINDS, triage_rows

pd = pytest.importorskip("pandas")


def rows_of(answers, people=None):
    gens = pd.DataFrame(
        [(f"g{i}", "scanned", a["raw"], a["net"]) for i, a in enumerate(answers)],
        columns=["gen_id", "arm", "raw_token", "net_token"],
    )
    judged = pd.DataFrame(
        [(f"g{i}", verdict, a["leak"]) for i, a in enumerate(answers) for verdict in a["verdicts"]],
        columns=["gen_id", "verdict", "decides"],
    ).astype({"decides": bool})
    matches = pd.DataFrame(
        [
            (f"g{i}", "token", "suffix", a["net"], patients)
            for i, a in enumerate(answers)
            for patients in a["patients"]
        ],
        columns=["gen_id", "unit", "where", "net_units", "n_patients"],
    )
    return list(triage_rows(gens, judged, matches, unit="token", people=people))


def plain(answer, said):
    if said:
        return said
    if answer["leak"] and answer["verdicts"]:
        return "harmful"
    if answer["net"] < 30:
        return "uninformative"
    shared = answer["patients"] and min(answer["patients"]) >= 2
    of_a_record = {"verbatim", "reformatted", "partial", "other_patient"} & set(answer["verdicts"])
    return "beneficial_candidate" if shared and not of_a_record else "unclassified"


ANSWERS = st.fixed_dictionaries(
    {
        "raw": st.integers(0, 60),
        "net": st.integers(0, 60),
        "leak": st.booleans(),
        "verdicts": st.lists(
            st.sampled_from(["verbatim", "common", "invented", "other_patient"]), max_size=2
        ),
        "patients": st.lists(st.integers(1, 3), max_size=2),
    }
)


@given(st.lists(ANSWERS, max_size=8), st.dictionaries(st.integers(0, 7), st.sampled_from(KINDS), max_size=3))
def test_every_answer_that_repeats_or_leaks_is_of_one_kind(answers, said):
    people = {f"g{i}": kind for i, kind in said.items()}
    wanted = dict.fromkeys(KINDS, 0)
    by_people = 0
    for i, answer in enumerate(answers):
        if answer["raw"] >= 30 or (answer["leak"] and answer["verdicts"]):
            wanted[plain(answer, said.get(i))] += 1
            by_people += i in said
    found = rows_of(answers, people)
    if not sum(wanted.values()):
        assert found == []
        return
    [row] = found
    assert {kind: getattr(row, kind) for kind in KINDS} == wanted
    assert (row.outputs, row.by_people) == (sum(wanted.values()), by_people)
