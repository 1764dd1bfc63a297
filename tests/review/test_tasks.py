"""Tasks: offsets right, text escaped, sources marked, nothing told that a blind reader must not know."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from review.records import continuation, hit, item, note, passage, prompt

from phiscan.errors import PrivacyError
from phiscan.records import ReviewRegion, Span
from phiscan.review.tasks import Marked, Shown, make_task, regions_of, trimmed

OUTPUT = "Mara Quillon was seen\nby her sister. <b>HIV</b> & more"
NOTE = "Intro " * 400 + "\nMara Quillon was seen\nby her sister <i>today</i>." + " Tail" * 300


def shown(marks=((2401, 2413),), text=OUTPUT, others=()):
    own = note(NOTE)
    marked = (Marked(own, "The patient's note", tuple(Span(*mark) for mark in marks)), *others)
    return Shown(continuation(text), prompt(NOTE[:100], end=100), own, marked)


def plain(html):
    return unescape(re.sub(r"<[^>]+>", "", html))


@given(
    st.text(st.characters(codec="utf-8"), max_size=40) | st.text(" \r\n\t", max_size=4), st.integers(0, 1000)
)
def test_trimmed_spans_hold_the_stripped_text(text, start):
    span = trimmed(text, start)
    assert text[span.start - start : span.end - start] == text.strip()
    assert start <= span.start <= span.end <= start + len(text)


def test_regions_stand_on_their_words_and_have_ids_of_their_own():
    hits = [hit(OUTPUT, "Mara Quillon", "PATIENT"), hit(OUTPUT, " sister.", "PROFESSION", 1)]
    regions = regions_of(item(), hits, [passage(OUTPUT, "HIV", "hiv_sti")])
    assert [OUTPUT[r.start : r.end] for r in regions] == ["Mara Quillon", "sister.", "HIV"]
    assert len({r.region_id for r in regions}) == 3
    assert [(r.kind, r.source_id) for r in regions] == [
        ("phi", "g-d1#0"),
        ("phi", "g-d1#1"),
        ("beyond", "g-d1~0"),
    ]


def test_a_region_of_white_space_alone_is_left_out():
    assert regions_of(item(), [hit(OUTPUT, "\n", "DATE")], []) == []


def test_a_task_holds_the_output_as_it_is_and_its_regions():
    regions = regions_of(item(), [hit(OUTPUT, "Mara Quillon", "PATIENT")], [])
    task = make_task(item(), shown(), regions, "phiscan-1")
    assert task["data"]["text"] == OUTPUT
    [prediction] = task["predictions"]
    [result] = prediction["result"]
    assert prediction["model_version"] == "phiscan-1"
    assert result["value"] == {"start": 0, "end": 12, "text": "Mara Quillon", "labels": ["PATIENT"]}
    assert not any(entry["from_name"] == "verdict" for entry in prediction["result"])


def test_a_blind_task_shows_neither_regions_nor_marks():
    blind = item(blind=True)
    assert regions_of(blind, [hit(OUTPUT, "Mara Quillon", "PATIENT")], []) == []
    task = make_task(blind, shown(), [], "phiscan-1")
    assert task["predictions"] == []
    assert "<mark>" not in task["data"]["passage"] + task["data"]["record"]


def test_nothing_in_a_task_tells_stratum_or_output():
    task = make_task(item(), shown(), [], "phiscan-1")
    assert set(task["data"]) == {"doc_id", "text", "prompt", "passage", "record"}
    assert "leak" not in repr(task)
    assert "g-d1" not in repr(task)


def test_the_marked_passage_comes_first_and_short():
    source = make_task(item(), shown(), [], "v")["data"]["passage"]
    assert "<mark>Mara Quillon</mark>" in source
    assert plain(source).index("Mara Quillon") < 250
    assert len(plain(source)) < 500


def test_the_whole_record_and_prompt_are_there():
    record = plain(make_task(item(), shown(), [], "v")["data"]["record"])
    assert NOTE in record
    assert NOTE[:100] in record


def test_notes_of_others_are_headed_as_theirs():
    other = Marked(note("Odile Ferrant <x>", "n2", "p2", 1), "A note of another patient", (Span(0, 13),))
    source = make_task(item(), shown(others=(other,)), [], "v")["data"]["passage"]
    assert "<h4>A note of another patient</h4><pre><mark>Odile Ferrant</mark> &lt;x&gt;</pre>" in source


def test_without_anything_repeated_the_passage_follows_the_prompt():
    source = make_task(item(), shown(marks=()), [], "v")["data"]["passage"]
    assert plain(source).startswith("The note, from where the prompt ends (the output repeats nothing of it)")
    assert NOTE[100:160] in plain(source)


markup = st.text(st.sampled_from("<>&\"' abé\n😀"), max_size=60)


@given(markup, markup, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=6))
def test_no_text_becomes_markup(before, text, marks):
    own = note(before + text)
    spans = tuple(Span(min(m), min(max(m), len(own.text))) for m in marks if min(m) < len(own.text))
    made = Shown(continuation("x"), prompt(before, end=len(before)), own, (Marked(own, "Whose", spans),))
    data = make_task(item(), made, [], "v")["data"]
    for html in (data["prompt"], data["passage"], data["record"]):
        assert set(re.findall(r"<[^>]*>", html)) <= {"<pre>", "</pre>", "<mark>", "</mark>", "<h4>", "</h4>"}
        assert html.count("<mark>") == html.count("</mark>")
    assert own.text in plain(data["record"])


@pytest.mark.parametrize("bad", [(5, 3), (0, 999), (-1, 4), (21, 30)])
def test_a_region_that_does_not_lie_on_words_is_refused(bad):
    region = ReviewRegion(
        doc_id="d1", region_id="h0", source_id="s", kind="phi", label="PATIENT", start=bad[0], end=bad[1]
    )
    with pytest.raises(PrivacyError, match="does not lie"):
        make_task(item(), shown(), [region], "v")


def test_two_regions_of_one_id_are_refused():
    region = ReviewRegion(doc_id="d1", region_id="h0", source_id="s", kind="phi", label="AGE", start=0, end=4)
    with pytest.raises(PrivacyError, match="same id"):
        make_task(item(), shown(), [region, region], "v")
