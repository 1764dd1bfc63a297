"""What a review says of the detectors: judged by hand, counted by hand."""

from fractions import Fraction

import pytest
from review.records import answer, hit, item, passage, span

from phiscan.review.judge import Judged, flagged, instances, missed, outcomes
from phiscan.review.score import Counted, Frame, score
from phiscan.review.settle import Opinion, opinions, settle

TEXT = "Mara Quillon, 54, seen 3/14 at Dunmoor by Dr. Reed. HIV, HIV."
HITS = (
    hit(TEXT, "Mara Quillon", "PATIENT", 0),
    hit(TEXT, "3/14", "DATE", 1),
    hit(TEXT, "Dunmoor", "PATIENT", 2),
    hit(TEXT, "seen", "PATIENT", 3),
    hit(TEXT, "54", "AGE", 4),
)


def shown(number, label=None, verdict="confirmed", **given):
    of = HITS[number]
    return span(
        TEXT,
        of.text,
        label or of.category,
        source_id=of.hit_id,
        verdict=verdict,
        origin="prediction",
        **given,
    )


def judged(*spans, blind=False, hits=HITS, passages=(), headline=(), doc_id="d1", **kind):
    given = answer(doc_id)
    opinion = Opinion(given, tuple(spans))
    return Judged(
        item(doc_id, blind=blind, **kind),
        f"p-{doc_id}",
        hits,
        frozenset(headline),
        passages,
        settle([opinion]),
    )


ASSISTED = judged(
    shown(0),
    shown(1, verdict="copied_from_prompt"),
    shown(2, "CITY", verdict="wrong_category"),
    shown(3, verdict="not_phi"),
    shown(4, verdict=None),
    span(TEXT, "Reed", "DOCTOR"),
)
BLIND = judged(
    span(TEXT, "Quillon", "PATIENT"), span(TEXT, "Dunmoor", "CITY"), span(TEXT, "Reed", "DOCTOR"), blind=True
)


def test_a_shown_hit_has_the_verdict_of_its_region():
    assert [outcome for _, outcome in outcomes(ASSISTED)] == [
        "right",
        "prompt",
        "other_category",
        "false",
        "open",
    ]


def test_relabelling_alone_says_another_category():
    one = judged(shown(2, "CITY"))
    assert outcomes(one)[2][1] == "other_category"


def test_a_blind_hit_is_phi_if_somebody_marked_something_there():
    assert [outcome for _, outcome in outcomes(BLIND)] == [
        "right",
        "false",
        "other_category",
        "false",
        "false",
    ]


def test_missed_is_what_no_hit_overlaps():
    assert [s.text for s in missed(ASSISTED)] == ["Reed"]
    assert [s.text for s in missed(BLIND)] == ["Reed"]
    assert missed(judged(span(TEXT, "seen", "PROFESSION"), blind=True)) == []


def test_gender_is_no_miss_and_rejected_marks_are_none():
    one = judged(span(TEXT, "by", "GENDER"), span(TEXT, "at", "CITY", verdict="not_phi"), blind=True)
    assert missed(one) == []
    assert [s.text for s in instances(one, "GENDER")] == ["by"]


def test_an_instance_is_a_distinct_passage_of_an_output():
    first = span(TEXT, "HIV", "hiv_sti", kind="beyond")
    again = span(TEXT, "HIV.", "hiv_sti", kind="beyond")
    one = judged(first, first, again)
    assert len(instances(one, "hiv_sti")) == 2
    assert flagged(first, [passage(TEXT, "HIV", "hiv_sti")])
    assert not flagged(first, [passage(TEXT, "HIV", "genetic")])


# --- figures by hand: two strata, weights 2 and 5 ---------------------------------------------

NO_HIT = {"stratum": "no_hit", "size": 10, "drawn": 2, "blind_drawn": 2, "blind": True, "hits": ()}
LEAK = {"stratum": "leak", "size": 8, "drawn": 4, "blind_drawn": 2}


@pytest.fixture(scope="module")
def scored():
    """Stratum leak: 8 outputs, 4 read, 2 of them blind. Stratum no_hit: 10 outputs, 2 read."""
    made = [
        judged(
            shown(0),
            shown(3, verdict="not_phi"),
            hits=(HITS[0], HITS[3]),
            headline=(HITS[0].hit_id,),
            doc_id="a",
            **LEAK,
        ),
        judged(shown(0, verdict="not_phi"), hits=(HITS[0],), headline=(HITS[0].hit_id,), doc_id="b", **LEAK),
        judged(
            span(TEXT, "Quillon", "PATIENT"),
            span(TEXT, "Reed", "DOCTOR", doc_id="c"),
            hits=(HITS[0],),
            blind=True,
            doc_id="c",
            **LEAK,
        ),
        judged(span(TEXT, "Mara Quillon", "PATIENT"), hits=(HITS[0],), blind=True, doc_id="d", **LEAK),
        judged(span(TEXT, "Reed", "DOCTOR", doc_id="e"), doc_id="e", **NO_HIT),
        judged(doc_id="f", **NO_HIT),
    ]
    items = [one.item for one in made]
    start = TEXT.index("Reed")
    section = score(
        items,
        made,
        opinions={},
        answers=[one.settled.opinion.answer for one in made],
        spans=[],
        counted=Counted(hits={"PATIENT": 30}, headline=6),
        leaks=frozenset({("e", start, start + 4)}),
        topics=["hiv_sti"],
        missed_verdicts={"verbatim": 2},
    )
    return section


def of(section, metric, category=None):
    return next(e for e in section.estimates if (e.metric, e.stratum.category) == (metric, category))


def test_precision_weighs_hits_by_their_strata(scored):
    """Hits only in the leak stratum, all of weight 2: PHI a, c, d; false a, b: 3 / 5."""
    found = of(scored, "detector_precision")
    assert (found.value, found.count, found.n) == (pytest.approx(3 / 5), 3, 5)
    assert found.low < 3 / 5 < found.high


def test_the_miss_rate_rests_on_blind_outputs(scored):
    """Blind: leak weight 8 / 2 = 4, no_hit 10 / 2 = 5. Missed: c (4) and e (5); marked: c 2, d 1, e 1."""
    found = of(scored, "detector_miss_rate")
    assert found.value == pytest.approx(float(Fraction(4 + 5, 4 * 3 + 5)))
    assert (found.count, found.n) == (2, 4)
    assert of(scored, "detector_miss_rate", "DOCTOR").value == 1.0
    assert of(scored, "detector_miss_rate", "PATIENT").value == 0.0


def test_totals_are_corrected_by_both(scored):
    """30 counted; false: 2 in the sample, weight 8 / 4; missed: 4 + 5."""
    total = next(t for t in scored.totals if (t.what, t.category) == ("phi", None))
    assert (total.counted, total.false_in_sample, total.missed_in_sample) == (30, 2, 2)
    assert total.corrected == pytest.approx(30 - 2 * 2 + 4 + 5)
    assert total.low <= total.corrected <= total.high
    leaks = next(t for t in scored.totals if t.what == "leaks")
    assert leaks.corrected == pytest.approx(6 - 2 * 1 + 5)


def test_the_parts_add_up(scored):
    assert (scored.outputs, scored.items, scored.answered, scored.blind) == (18, 6, 6, 4)
    assert [(s.name, s.outputs, s.drawn, s.blind, s.answered, s.blind_answered) for s in scored.strata] == [
        ("leak", 8, 4, 2, 4, 2),
        ("no_hit", 10, 2, 2, 2, 2),
    ]
    assert scored.missed_verdicts == {"verbatim": 2}


def test_weights_are_of_the_answered_items():
    """One of two blind outputs was not answered: the other stands for its whole stratum."""
    one = judged(span(TEXT, "Reed", "DOCTOR", doc_id="e"), doc_id="e", **NO_HIT)
    assert Frame.of([one]).design.weights.tolist() == [10.0]


def test_agreement_is_between_the_two_first_answers():
    spans = []
    for author, verdicts in (
        ("a", ("confirmed", "not_phi", "confirmed")),
        ("b", ("confirmed", "not_phi", "not_phi")),
    ):
        spans += [shown(n, verdict=v, author=author, region_id=f"h{n}") for n, v in enumerate(verdicts)]
    answers = [answer(author="a"), answer(author="b", time="2026-02")]
    found = opinions(answers, spans)
    one = Judged(item(), "p", HITS[:3], frozenset(), (), settle(found["d1"]))
    section = score(
        [item()],
        [one],
        opinions=found,
        answers=answers,
        spans=spans,
        counted=Counted({}, 0),
        leaks=frozenset(),
        topics=[],
        missed_verdicts={},
    )
    kappa, exact, _ = section.agreement
    # agreed 2 of 3; by chance (2/3)(1/3) + (1/3)(2/3) = 4/9: kappa = (2/3 - 4/9) / (5/9) = 0.4
    assert kappa.value == pytest.approx(0.4)
    assert (kappa.count, kappa.n) == (2, 3)
    # spans held to be PHI: 2 against 1, one of them the same: F1 = 2 / 3
    assert exact.value == pytest.approx(2 / 3)
    assert (section.twice, section.differing, section.open) == (1, 1, 1)
