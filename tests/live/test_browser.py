"""An annotator at the real form: what phiscan marked stands on the right words, what they draw comes back right."""

import pytest
from browser.headless import chromium as headless
from live.browser import sit_down
from live.outputs import CONFIG, DATE, HARD, NAME, VERSION, hard_tasks, spans
from live.people import create_person, task_ids

from phiscan.review.client import Connection, pull, push

pytestmark = pytest.mark.slow
TITLE = "hard texts in a browser"
DOC_IDS = {kind: task["data"]["doc_id"] for kind, task in zip(HARD, hard_tasks(), strict=True)}


@pytest.fixture(scope="module")
def chromium(label_studio):
    with headless() as started:
        yield started


@pytest.fixture(scope="module")
def link(label_studio):
    return Connection(label_studio.url, label_studio.token)


@pytest.fixture(scope="module")
def project(link):
    pushed = push(link, title=TITLE, label_config=CONFIG, tasks=hard_tasks(), model_version=VERSION)
    return pushed.project_id


@pytest.fixture(scope="module")
def tasks(label_studio, project):
    """Task number by kind of text."""
    numbers = task_ids(label_studio, project)
    return {kind: numbers[doc_id] for kind, doc_id in DOC_IDS.items()}


@pytest.fixture(scope="module")
def annotator(chromium, label_studio):
    person = create_person(label_studio, "browser@example.org")
    return sit_down(chromium, label_studio, person.email, person.password)


def saved(link, kind):
    """The one annotation of a text: {region id: (label, slice by offsets, origin, verdict)} and the rest."""
    task = next(task for task in pull(link, TITLE) if task["data"]["doc_id"] == DOC_IDS[kind])
    (annotation,) = task["annotations"]
    assert annotation["completed_by"] == "browser@example.org"
    text, verdicts, regions, whole = task["data"]["text"], {}, {}, {}
    assert text == HARD[kind]
    for one in annotation["result"]:
        if one["from_name"] == "verdict":
            verdicts[one["id"]] = one["value"]["choices"]
        elif one["type"] != "labels":
            whole[one["from_name"]] = one["value"]["choices"]
    for one in annotation["result"]:
        if one["type"] == "labels":
            value = one["value"]
            words = text[value["start"] : value["end"]]
            regions[one["id"]] = (value["labels"], words, one["origin"], verdicts.get(one["id"]))
    return regions, whole


@pytest.mark.parametrize("kind", HARD)
def test_what_was_found_is_painted_on_the_right_words(kind, annotator, project, tasks):
    annotator.open_task(project, tasks[kind])
    drawn = annotator.regions()
    assert [(one.label, one.text) for one in drawn] == [("PATIENT", NAME), ("DATE", DATE)]
    assert [(one.start, one.end) for one in drawn] == list(spans(HARD[kind]).values())


def test_the_label_stream_shows_what_was_found_and_no_verdict(annotator, project):
    annotator.open_next(project)
    assert [one.text for one in annotator.regions()] == [NAME, DATE]
    for words in (NAME, DATE):
        annotator.select(words)
        assert annotator.chosen() == []
        annotator.unselect()


@pytest.mark.parametrize("kind", ["emoji", "crlf", "tabs", "entities", "long"])
def test_judging_relabelling_and_drawing(kind, annotator, link, project, tasks, tmp_path):
    annotator.open_task(project, tasks[kind])
    annotator.select(NAME)
    annotator.choose("confirmed")
    assert annotator.chosen() == ["confirmed"]
    annotator.unselect()
    annotator.relabel(DATE, "AGE")
    word = "Pt" if kind == "entities" else "Patient"
    annotator.draw(word, "DOCTOR")
    annotator.choose("harmful")
    assert {(one.label, one.text) for one in annotator.regions()} == {
        ("PATIENT", NAME),
        ("AGE", DATE),
        ("DOCTOR", word),
    }
    assert annotator.screenshot(tmp_path / "page.png").stat().st_size > 10_000
    assert annotator.submit() == 201
    regions, whole = saved(link, kind)
    assert regions.pop("h0") == (["PATIENT"], NAME, "prediction", ["confirmed"])
    assert regions.pop("h1") == (["AGE"], DATE, "prediction-changed", None)
    assert list(regions.values()) == [(["DOCTOR"], word, "manual", None)]
    assert whole == {"memorization": ["harmful"]}


@pytest.mark.parametrize("kind", ["mixed breaks", "lone cr"])
def test_a_region_drawn_over_line_breaks_has_the_right_ends(kind, annotator, link, project, tasks):
    annotator.open_task(project, tasks[kind])
    annotator.draw(f"{NAME}Seen {DATE}", "HOSPITAL")
    assert annotator.submit() == 201
    drawn = [region for region in saved(link, kind)[0].values() if region[2] == "manual"]
    words = HARD[kind][spans(HARD[kind])[NAME][0] : spans(HARD[kind])[DATE][1]]
    assert drawn == [(["HOSPITAL"], words, "manual", None)]
