"""Found spans against annotated ones: hand-computed tables, and what must always hold."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.gold import LEVELS, MISSED, SPURIOUS, NotePair, TypedSpan, compare, score
from phiscan.taxonomy import CATEGORIES

TEXT = "Ada Quill saw Dr Bo on 3/12/2019 at Elm Hall."


def span(start, end, category, hipaa=None):
    letter = CATEGORIES[category].hipaa is not None
    return TypedSpan(start, end, category, letter if hipaa is None else hipaa)


def pair(gold=(), found=(), cluster="p", text=TEXT):
    return NotePair(cluster=cluster, text=text, gold=tuple(gold), found=tuple(found))


GOLD = [span(0, 9, "PATIENT"), span(17, 19, "DOCTOR"), span(23, 32, "DATE"), span(36, 44, "HOSPITAL")]
FOUND = [span(0, 9, "PATIENT"), span(10, 13, "PHONE"), span(23, 27, "DATE"), span(36, 44, "CITY")]


def lines(*pairs):
    return {(line.level, line.scope, line.name): line for line in score(pairs, seed=0).lines}


def test_outcomes_on_both_sides():
    compared = compare(pair(GOLD, FOUND))
    assert compared.gold == ["exact", "none", "extent", "category"]
    assert compared.found == ["exact", "none", "extent", "category"]
    assert compared.overlaps == [(0, 0), (2, 2), (3, 3)]


@pytest.mark.parametrize(
    ("level", "scope", "name", "recall", "precision"),
    [
        ("strict", "all", "all", (1, 4), (1, 4)),
        ("overlap", "all", "all", (2, 4), (2, 4)),
        ("any_category", "all", "all", (3, 4), (3, 4)),
        # words: Ada Quill | Bo | 3 12 2019 | Elm Hall against Ada Quill | saw | 3 12 | Elm Hall as another
        ("token", "all", "all", (4, 8), (4, 7)),
        ("strict", "hipaa", "hipaa", (1, 2), (1, 4)),
        ("overlap", "hipaa", "hipaa", (2, 2), (2, 4)),
        ("any_category", "hipaa", "hipaa", (2, 2), (3, 4)),
        ("token", "hipaa", "hipaa", (4, 5), (4, 7)),
        ("overlap", "group", "names", (1, 2), (1, 1)),
        ("any_category", "group", "locations", (1, 1), (1, 1)),
        ("strict", "category", "DATE", (0, 1), (0, 1)),
        ("overlap", "category", "DATE", (1, 1), (1, 1)),
        ("token", "category", "DATE", (2, 3), (2, 2)),
        ("overlap", "category", "DOCTOR", (0, 1), (0, 0)),
        ("overlap", "category", "PHONE", (0, 0), (0, 1)),
    ],
)
def test_the_table_computed_by_hand(level, scope, name, recall, precision):
    line = lines(pair(GOLD, FOUND))[level, scope, name]
    assert ((line.gold_reached, line.gold), (line.found_reached, line.found)) == (recall, precision)
    assert line.recall.value == (recall[0] / recall[1] if recall[1] else None)
    assert line.precision.value == (precision[0] / precision[1] if precision[1] else None)


def test_f1():
    found = lines(pair(GOLD, FOUND))
    assert found["token", "all", "all"].f1 == pytest.approx(2 * 4 / (8 + 7))
    assert found["overlap", "category", "DOCTOR"].f1 == 0.0
    assert lines(pair())["strict", "all", "all"].f1 is None


def test_confusions_name_the_longest_overlap_and_what_has_none():
    assert score([pair(GOLD, FOUND)], seed=0).confusions == {
        ("PATIENT", "PATIENT"): 1,
        ("DOCTOR", MISSED): 1,
        ("DATE", "DATE"): 1,
        ("HOSPITAL", "CITY"): 1,
        (SPURIOUS, "PHONE"): 1,
    }
    split = pair([span(0, 9, "PATIENT")], [span(0, 3, "DOCTOR"), span(4, 9, "PATIENT")])
    assert score([split], seed=0).confusions == {("PATIENT", "PATIENT"): 1}


def test_two_pieces_of_one_annotated_span_are_both_right_where_overlap_is_asked():
    found = lines(pair([span(0, 9, "PATIENT")], [span(0, 3, "PATIENT"), span(4, 9, "PATIENT")]))
    assert (found["overlap", "all", "all"].found_reached, found["overlap", "all", "all"].gold_reached) == (
        2,
        1,
    )
    assert found["strict", "all", "all"].found_reached == 0
    assert found["token", "all", "all"].f1 == 1.0


def test_spans_that_touch_do_not_overlap():
    assert compare(pair([span(0, 3, "PATIENT")], [span(3, 9, "PATIENT")])).gold == ["none"]


def test_a_span_within_a_word_has_the_word():
    text = "a 72yo man"
    found = lines(pair([span(2, 4, "AGE")], [span(4, 6, "AGE")], text=text))
    assert found["token", "all", "all"].gold_reached == 1
    assert found["overlap", "all", "all"].gold_reached == 0


def test_a_span_of_punctuation_has_no_token_and_breaks_no_table():
    found = lines(pair([span(44, 45, "IDNUM")], [span(44, 45, "IDNUM")]))
    assert found["token", "category", "IDNUM"].recall.value is None
    assert found["strict", "category", "IDNUM"].recall.value == 1.0


def test_notes_of_one_patient_are_one_cluster():
    alone = [
        pair([span(0, 9, "PATIENT")], [span(0, 9, "PATIENT")] * (n % 2), cluster=str(n)) for n in range(40)
    ]
    together = [pair(one.gold, one.found, cluster=str(n // 10)) for n, one in enumerate(alone)]
    apart, joined = score(alone, seed=0), score(together, seed=0)
    assert (apart.clusters, joined.clusters) == (40, 4)
    wilson = next(line.recall for line in apart.lines if line.level == "strict")
    effective = next(line.recall for line in joined.lines if line.level == "strict")
    assert (wilson.value, wilson.method) == (0.5, "Wilson")
    assert (effective.value, effective.method) == (0.5, "Clopper-Pearson on effective size")


places = st.tuples(st.integers(0, 44), st.integers(1, 12)).map(lambda p: (p[0], min(45, p[0] + p[1])))
spans = st.builds(
    lambda place, category, hipaa: span(*place, category, hipaa),
    places,
    st.sampled_from(["PATIENT", "DOCTOR", "DATE", "CITY"]),
    st.booleans(),
)
sets = st.lists(spans, max_size=6, unique_by=lambda one: one[:3])


@settings(deadline=None)
@given(st.lists(sets, min_size=1, max_size=4))
def test_annotations_against_themselves_are_perfect(notes):
    result = score([pair(gold, gold, cluster=str(n)) for n, gold in enumerate(notes)], seed=0)
    for line in result.lines:
        assert line.f1 in (None, 1.0)
        assert line.recall.value in (None, 1.0)
    assert all(gold != MISSED and found not in (MISSED, SPURIOUS) for gold, found in result.confusions)


@settings(deadline=None)
@given(sets, sets)
def test_each_level_holds_the_one_before_it_and_lines_add_up(gold, found):
    one = pair(gold, found)
    by_line = lines(one)
    strict, overlap, anything = (by_line[level, "all", "all"] for level in LEVELS[:3])
    assert strict.gold_reached <= overlap.gold_reached <= anything.gold_reached <= len(gold)
    assert strict.found_reached <= overlap.found_reached <= anything.found_reached <= len(found)
    assert strict.gold_reached == strict.found_reached
    for level in LEVELS:
        parts = [line for key, line in by_line.items() if key[0] == level and key[1] == "category"]
        groups = [line for key, line in by_line.items() if key[0] == level and key[1] == "group"]
        whole = by_line[level, "all", "all"]
        for some in (parts, groups):
            assert sum(line.gold for line in some) == whole.gold
            assert sum(line.found_reached for line in some) == whole.found_reached
    counted = score([one], seed=0).confusions
    assert sum(n for (a, _), n in counted.items() if a != SPURIOUS) == len(gold)
    assert sum(n for (a, _), n in counted.items() if a == SPURIOUS) == len(found) - anything.found_reached


@settings(deadline=None)
@given(sets, sets)
def test_swapping_the_sides_swaps_precision_and_recall(gold, found):
    here, there = lines(pair(gold, found)), lines(pair(found, gold))
    for key, line in here.items():
        assert (line.gold, line.gold_reached) == (there[key].found, there[key].found_reached)
        assert line.f1 == there[key].f1
