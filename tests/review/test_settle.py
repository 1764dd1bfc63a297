"""Which of several answers counts, and when two say the same."""

from itertools import permutations

from review.records import answer, span

from phiscan.review.settle import judgement, opinions, settle

TEXT = "Mara Quillon was seen on 3/14."


def settled(answers, spans=()):
    return settle(opinions(answers, spans).get("d1", ()))


def test_one_answer_counts():
    one = settled([answer()], [span(TEXT, "3/14", "DATE")])
    assert (one.annotators, one.agreed, one.adjudicated, one.open) == (1, True, False, False)
    assert [s.text for s in one.opinion.spans] == ["3/14"]


def test_nobody_answered():
    assert settled([]) is None
    assert settled([answer(skipped=True)]) is None


def test_two_that_say_the_same_agree():
    spans = [span(TEXT, "3/14", "DATE", author=name, region_id=name) for name in ("a", "b")]
    assert settled([answer(author="a"), answer(author="b")], spans).agreed


def test_a_region_removed_and_one_rejected_say_the_same():
    """One presses delete, the other chooses "not PHI"."""
    gone = span(TEXT, "3/14", "DATE", author="a", source_id="h", origin="deleted", verdict="not_phi")
    rejected = span(TEXT, "3/14", "DATE", author="b", source_id="h", origin="prediction", verdict="not_phi")
    assert settled([answer(author="a"), answer(author="b")], [gone, rejected]).agreed


def test_differences_leave_it_open_and_the_first_counts():
    for differing in (
        [span(TEXT, "3/14", "DATE", author="b")],
        [span(TEXT, "Mara Quillon", "PATIENT", author="a"), span(TEXT, "Mara", "PATIENT", author="b")],
        [span(TEXT, "3/14", "DATE", author="a"), span(TEXT, "3/14", "AGE", author="b")],
        [
            span(TEXT, "3/14", "DATE", author="a", source_id="h", verdict="confirmed"),
            span(TEXT, "3/14", "DATE", author="b", source_id="h", verdict="copied_from_prompt"),
        ],
    ):
        one = settled([answer(author="b", time="2026-02"), answer(author="a", time="2026-01")], differing)
        assert one.open
        assert one.opinion.answer.author == "a"


def test_the_type_of_memorization_is_part_of_an_answer():
    assert settled([answer(author="a", memorization="harmful"), answer(author="b")]).open


def test_adjudication_decides():
    answers = [
        answer(author="a"),
        answer(author="b", time="2026-02"),
        answer(author="c", round_="adjudication", time="2026-03"),
    ]
    spans = [
        span(TEXT, "3/14", "DATE", author="a"),
        span(TEXT, "Mara", "PATIENT", author="c", round_="adjudication"),
    ]
    for order in permutations(answers):
        one = settled(order, spans)
        assert (one.adjudicated, one.open, one.annotators, one.agreed) == (True, False, 2, False)
        assert [s.text for s in one.opinion.spans] == ["Mara"]


def test_a_later_answer_of_the_same_person_replaces_the_earlier():
    answers = [answer(time="2026-02", memorization="harmful"), answer(time="2026-01")]
    assert settled(answers).opinion.answer.memorization == "harmful"
    assert settled(list(reversed(answers))).opinion.answer.memorization == "harmful"


def test_a_region_that_cannot_be_used_does_not_speak():
    bad = span(TEXT, "3/14", "DATE", author="b", problem="it lies outside the output")
    assert settled([answer(author="a"), answer(author="b")], [bad]).agreed


def test_what_a_person_marked_is_confirmed_by_that():
    assert judgement(span(TEXT, "3/14", "DATE")) == "confirmed"
    assert judgement(span(TEXT, "3/14", "DATE", source_id="h", origin="prediction")) is None
    assert judgement(span(TEXT, "3/14", "DATE", verdict="copied_from_prompt")) == "copied_from_prompt"
