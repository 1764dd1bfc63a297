"""Answers: every region is checked and comes back, right or with the reason why it cannot be used."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from review.records import OUTPUT_LABELS, export, labels_entry, sent

from phiscan.errors import NoteFormatError
from phiscan.review.answers import read_export

TEXT = "Mara Quillon 😀\r\nwas seen on 3/14 by her sister."


def read(*annotations, text=TEXT, doc_id="d1", round_="review", regions=(), data=None):
    return read_export(
        export(doc_id, text if data is None else data, *annotations),
        sent({"d1": TEXT}, regions),
        round_,
        name="1",
    )


def test_a_region_drawn_by_hand_is_sliced_by_its_offsets():
    lying = labels_entry("m1", 0, 12, "PATIENT", text="something else \\n")
    [span] = read([lying]).spans
    assert (span.text, span.label, span.origin, span.problem) == ("Mara Quillon", "PATIENT", "manual", None)
    assert span.author == "ada@example.org"


def test_offsets_are_code_points():
    start = TEXT.index("3/14")
    [span] = read([labels_entry("m1", start, start + 4, "DATE")]).spans
    assert span.text == "3/14"
    assert TEXT.encode("utf-16-le").index("3/14".encode("utf-16-le")) // 2 != start  # not UTF-16 units


def test_spans_are_trimmed_on_return():
    [span] = read([labels_entry("m1", 12, 16, "DATE")]).spans
    assert (span.start, span.end, span.text) == (13, 14, "😀")
    [blank] = read([labels_entry("m1", 14, 16, "DATE")]).spans
    assert blank.problem == "it holds white space only"


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (labels_entry("m1", 9, 3, "DATE"), "it ends before it starts"),
        (labels_entry("m1", 3, 999, "DATE"), "it lies outside the output"),
        (labels_entry("m1", -3, 4, "DATE"), "it lies outside the output"),
        (labels_entry("m1", "0", 4, "DATE"), "its offsets are not whole numbers"),
        (labels_entry("m1", 0.0, 4, "DATE"), "its offsets are not whole numbers"),
        (labels_entry("m1", None, 4, "DATE"), "its offsets are not whole numbers"),
        (labels_entry("m1", True, 4, "DATE"), "its offsets are not whole numbers"),
        (labels_entry("m1", 0, 4, "NOBODY"), "its label is not one of the configuration's"),
        (labels_entry("m1", 0, 4, "hiv_sti"), "its label is not one of the configuration's"),
        ({"id": "m1", "from_name": "phi", "type": "labels"}, "its offsets are not whole numbers"),
        (
            {"id": "m1", "from_name": "phi", "type": "labels", "value": {"start": 0, "end": 4, "labels": []}},
            "its label is not one of the configuration's",
        ),
    ],
)
def test_a_wrong_region_is_listed_not_dropped(entry, problem):
    good = labels_entry("m2", 0, 12, "PATIENT")
    spans = read([entry, good]).spans
    assert [span.problem for span in spans] == [problem, None]


def test_a_verdict_goes_to_the_region_of_its_id():
    verdict = {"id": "m1", "from_name": "verdict", "type": "choices", "value": {"choices": ["not_phi"]}}
    other = labels_entry("m2", 0, 4, "PATIENT")
    spans = read([verdict, labels_entry("m1", 5, 12, "PATIENT"), other]).spans
    assert [(s.region_id, s.verdict) for s in spans] == [("m1", "not_phi"), ("m2", None)]


def test_an_unknown_verdict_makes_the_region_unusable():
    verdict = {"id": "m1", "from_name": "verdict", "type": "choices", "value": {"choices": ["perhaps"]}}
    [span] = read([labels_entry("m1", 0, 4, "PATIENT"), verdict]).spans
    assert span.problem == "its verdict is not one of the configuration's"


REGIONS = (("h0", "g-d1#0", "phi", "PATIENT", 0, 12), ("h1", "g-d1#1", "phi", "DATE", 28, 32))


def test_where_a_region_comes_from():
    kept = labels_entry("h0", 0, 12, "PATIENT")
    relabelled = labels_entry("h1", 28, 32, "AGE")
    spans = read([kept, relabelled], regions=REGIONS).spans
    assert [(s.origin, s.source_id) for s in spans] == [("prediction", "g-d1#0"), ("changed", "g-d1#1")]


def test_a_region_that_is_gone_was_rejected():
    spans = read([labels_entry("h0", 0, 12, "PATIENT")], regions=REGIONS).spans
    gone = spans[-1]
    assert (gone.origin, gone.verdict, gone.source_id) == ("deleted", "not_phi", "g-d1#1")
    assert (gone.start, gone.end, gone.label) == (28, 32, "DATE")


def test_a_skipped_task_rejects_nothing():
    received = read({"result": [], "was_cancelled": True}, regions=REGIONS)
    assert received.spans == []
    assert [answer.skipped for answer in received.answers] == [True]


def test_a_region_with_a_problem_is_not_taken_for_a_rejection():
    spans = read(
        [labels_entry("h0", 9, 3, "PATIENT"), labels_entry("h1", 28, 32, "DATE")], regions=REGIONS
    ).spans
    assert [(s.region_id, s.origin) for s in spans] == [("h0", "manual"), ("h1", "prediction")]
    assert [bool(s.problem) for s in spans] == [True, False]


def test_of_a_persons_annotations_the_latest_counts():
    old = {"result": [labels_entry("m1", 0, 4, "PATIENT")], "updated_at": "2026-01-01T10:00:00Z"}
    new = {"result": [labels_entry("m2", 5, 12, "PATIENT")], "updated_at": "2026-01-02T10:00:00Z"}
    assert [span.region_id for span in read(old, new).spans] == ["m2"]
    assert [span.region_id for span in read(new, old).spans] == ["m2"]


def test_several_people_answer_apart():
    mine = {"result": [labels_entry("m1", 0, 4, "PATIENT")], "completed_by": {"email": "ada@example.org"}}
    yours = {"result": [labels_entry("m2", 0, 4, "PATIENT")], "completed_by": {"email": "bo@example.org"}}
    received = read(mine, yours)
    assert [(a.author) for a in received.answers] == ["ada@example.org", "bo@example.org"]
    by_number = read({"result": [], "completed_by": 7})
    assert [a.author for a in by_number.answers] == ["annotator 1, user 7"]


def test_what_is_said_of_the_output_as_a_whole():
    result = [
        {"id": "x", "from_name": "memorization", "type": "choices", "value": {"choices": ["harmful"]}},
        {"id": "y", "from_name": "comment", "type": "textarea", "value": {"text": ["a", "b"]}},
    ]
    [answer] = read(result).answers
    assert (answer.memorization, answer.comment) == ("harmful", "a\nb")
    assert "a\nb" not in repr(answer)


def test_a_task_of_another_review_is_named_by_its_place():
    received = read([labels_entry("m1", 0, 4, "PATIENT")], doc_id="Mara Quillon")
    assert received.strays == ["task 1: its doc_id is not one of this review"]
    assert received.answers == received.spans == []


def test_a_text_changed_on_the_server_leaves_the_task_unanswered():
    received = read([labels_entry("m1", 0, 4, "PATIENT")], data=TEXT.replace("\r\n", "\n"))
    assert [span.problem for span in received.spans] == ["the text was changed"]
    assert received.answers == []
    assert received.strays == ["task 1: its text was changed after it was sent; not answered"]
    nothing_marked = read([], data="other")
    assert (len(nothing_marked.strays), nothing_marked.answers) == (1, [])


def test_a_region_moved_to_the_other_list_is_gone_from_its_own():
    """Relabelled as sensitive beyond PHI: the annotator holds it to be no PHI."""
    moved = labels_entry("h0", 0, 12, "hiv_sti", name="beyond")
    spans = read([moved, labels_entry("h1", 28, 32, "DATE")], regions=REGIONS).spans
    assert [(s.kind, s.label, s.origin, s.source_id) for s in spans] == [
        ("beyond", "hiv_sti", "changed", None),
        ("phi", "DATE", "prediction", "g-d1#1"),
        ("phi", "PATIENT", "deleted", "g-d1#0"),
    ]


def test_a_task_of_the_other_annotator_is_named_and_not_taken():
    exported = export("d2", TEXT, [labels_entry("m1", 0, 4, "PATIENT")])
    received = read_export(
        exported, sent({"d1": TEXT, "d2": TEXT})._replace(given=frozenset({"d1"})), "review", name="1"
    )
    assert received.strays == ["task 1: it was given to somebody else"]
    assert received.answers == []


@pytest.mark.parametrize("content", [{}, [1], "x", None, {"tasks": []}])
def test_what_is_no_export_is_refused(content):
    with pytest.raises(NoteFormatError, match="not a list of tasks"):
        read_export(content, sent({"d1": TEXT}), "review", name="1")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "id",
                    "result",
                    "value",
                    "start",
                    "end",
                    "labels",
                    "choices",
                    "from_name",
                    "type",
                    "completed_by",
                    "data",
                    "doc_id",
                    "text",
                    "email",
                    "updated_at",
                    "annotations",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(st.lists(json_values, max_size=4))
def test_any_json_is_read_or_refused(results):
    """Whatever stands where annotations should: no exception but the one, and no region beyond the text."""
    exported = [{"data": {"doc_id": "d1", "text": TEXT}, "annotations": results}]
    received = read_export(exported, sent({"d1": TEXT}), "review", name="1")
    for span in received.spans:
        assert span.problem or TEXT[span.start : span.end] == span.text
        assert span.problem or span.label in OUTPUT_LABELS
    json.dumps([answer.author for answer in received.answers])
