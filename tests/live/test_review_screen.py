"""The annotators' screen with a task as phiscan makes it: the passage beside the output, the record one click away."""

import os
from pathlib import Path

import pytest
from browser.headless import chromium as headless
from live.browser import sit_down
from live.people import create_person, task_ids
from review.records import continuation, hit, item, note, prompt

from phiscan.records import Span
from phiscan.resources import resource_dir
from phiscan.review.client import Connection, push
from phiscan.review.tasks import Marked, Shown, make_task, regions_of

pytestmark = pytest.mark.slow
PICTURES = os.environ.get("PHISCAN_PICTURES")
"""Folder that the picture for the documentation goes to (docs/images); read when tests are collected."""
TITLE = "the screen of a review"
PASSAGE = (
    "On 5 June her nephew, Benno Quillfeather, called from 555-0117 and asked to be told of any change; "
    "Ms. Lindqvist agreed."
)
FILLER = (
    "Vital signs steady overnight; ate half of the supper and walked to the window with the frame. "
    "The dressing on the left shin was dry and was left alone. Bowels open, bladder scan empty. "
)


def three_thousand(mark_at):
    """A note of 3,000 characters with the passage at ``mark_at``."""
    filler = (FILLER * 20)[: 3_000 - len(PASSAGE)]
    return filler[:mark_at] + PASSAGE + filler[mark_at:]


def task(mark_at):
    text = three_thousand(mark_at)
    output = (
        "The night was quiet. "
        + PASSAGE
        + " She goes home on 9 June 2019 with a walker and a visit from the "
        "nurse of Harbour Light Home Care. Follow-up with Dr. Ines Castellane, telephone 555-0142."
    )
    own = note(text)
    shown = Shown(
        continuation(output),
        prompt(text[:200], end=200),
        own,
        (Marked(own, "The patient's note", (Span(mark_at, mark_at + len(PASSAGE)),)),),
    )
    hits = [
        hit(output, value, category, number)
        for number, (value, category) in enumerate(
            [
                ("5 June", "DATE"),
                ("Benno Quillfeather", "PATIENT"),
                ("555-0117", "PHONE"),
                ("9 June 2019", "DATE"),
            ]
        )
    ]
    drawn = item(f"{mark_at:016x}")
    return make_task(drawn, shown, regions_of(drawn, hits, []), "phiscan-screen")


@pytest.fixture(scope="module")
def screen(label_studio):
    tasks = [task(300), task(2_500)]
    config = (resource_dir("annotation") / "label_config.xml").read_text(encoding="utf-8")
    link = Connection(label_studio.url, label_studio.token)
    pushed = push(link, title=TITLE, label_config=config, tasks=tasks, model_version="phiscan-screen")
    numbers = task_ids(label_studio, pushed.project_id)
    with headless() as chromium:
        person = create_person(label_studio, "screen@example.org")
        yield sit_down(chromium, label_studio, person.email, person.password), pushed.project_id, numbers


@pytest.mark.parametrize("mark_at", [300, 2_500])
def test_the_marked_passage_is_on_screen_without_scrolling(screen, mark_at):
    annotator, project, numbers = screen
    annotator.open_task(project, numbers[f"{mark_at:016x}"])
    assert [one.text for one in annotator.regions()] == [
        "5 June",
        "Benno Quillfeather",
        "555-0117",
        "9 June 2019",
    ]
    boxes = annotator.page.locator(".phiscan-record mark").evaluate_all(
        "marks => marks.map(m => m.getBoundingClientRect()).map(b => [b.left, b.top, b.right, b.bottom])"
    )
    visible = [box for box in boxes if box[3] > box[1]]
    assert visible
    size = annotator.page.viewport_size
    for left, top, right, bottom in visible:
        assert 0 <= left < right <= size["width"]
        assert 0 <= top < bottom <= size["height"]
    words = "".join(annotator.page.locator(".phiscan-record mark").first.inner_text().split())
    assert words == "".join(PASSAGE.split())
    if PICTURES and mark_at == 2_500:
        annotator.select("Benno")
        annotator.screenshot(Path(PICTURES) / "review.png")


def test_the_whole_record_is_one_click_away(screen):
    annotator, project, numbers = screen
    annotator.open_task(project, numbers[f"{2_500:016x}"])
    record = annotator.page.locator(".phiscan-whole")
    assert not record.first.is_visible() if record.count() else True
    annotator.page.get_by_text("Whole prompt and whole note").click()
    record.first.wait_for()
    shown = "".join(record.first.inner_text().split())
    assert "".join(three_thousand(2_500).split()) in shown
