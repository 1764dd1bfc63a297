"""What an annotator does with mouse and keyboard, in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from live.server import LabelStudioServer

SIZE = {"width": 1280, "height": 800}
SECONDS = 60
TEXT = ".lsf-htx-richtext:has(.lsf-richtext__line)"
"""The output: the only rich text that is made of lines; the others are pages."""


class Drawn(NamedTuple):
    """A region as it is painted: its label, the characters under it, and its code points."""

    label: str
    text: str
    start: int
    end: int


class Annotator:
    """A person at a page of Label Studio, logged in."""

    def __init__(self, page: Any, server: LabelStudioServer) -> None:
        self.page, self.server = page, server

    def log_in(self, email: str, password: str) -> None:
        """Log in through the form."""
        self.page.goto(f"{self.server.url}/user/login/")
        self.page.fill("input[name=email]", email)
        self.page.fill("input[name=password]", password)
        self.page.click("button[type=submit]")
        self.page.wait_for_url(lambda url: "/user/login" not in url)

    def open_task(self, project: int, task: int) -> None:
        """Open one task of a project from its list."""
        self._open(f"{self.server.url}/projects/{project}/data?task={task}")

    def open_next(self, project: int) -> None:
        """Open the task that the label stream gives: what "Label All Tasks" does."""
        self._open(f"{self.server.url}/projects/{project}/data?labeling=1")

    def _open(self, url: str) -> None:
        self.page.goto(url)
        self.page.locator(TEXT).first.wait_for()
        self.page.wait_for_function("() => window.Htx?.annotationStore?.selected && !window.Htx.isLoading")
        self.page.wait_for_timeout(500)  # regions are painted after the text

    def shown(self) -> str:
        """The output as it stands on the page."""
        return str(self.page.locator(TEXT).first.inner_text())

    def regions(self) -> list[Drawn]:
        """The regions painted on the output, in its order; one over several lines is one."""
        found = self.page.locator(TEXT).first.evaluate(
            """text => Object.values([...text.querySelectorAll('.htx-highlight')].reduce((seen, part) => {
                const id = [...part.classList].find(name => /^htx-highlight-/.test(name));
                seen[id] ??= {label: '', text: '', start: part.dataset.start, end: part.dataset.end};
                seen[id].label ||= (part.dataset.label || '').replace(/^[0-9]+:/, '');
                seen[id].text += part.textContent;
                return seen;
            }, {}))"""
        )
        drawn = [Drawn(one["label"], one["text"], int(one["start"]), int(one["end"])) for one in found]
        return sorted(drawn, key=lambda one: one.start)

    def select(self, words: str) -> None:
        """Click the region over these words."""
        self.page.locator(TEXT).locator(".htx-highlight", has_text=words).first.click()
        self.page.locator(".lsf-outliner-item, .lsf-region-item").first.wait_for()

    def unselect(self) -> None:
        """Leave the selected region, so that the next label clicked is for a new one."""
        self.page.keyboard.press("Escape")

    def choose(self, value: str) -> None:
        """Click a choice: a verdict of the selected region, or what the whole output is."""
        self.page.locator(".lsf-choice", has=self.page.locator(f'input[name="{value}"]')).locator(
            "label"
        ).click()

    def chosen(self) -> list[str]:
        """The choices that are ticked now."""
        return [str(name) for name in self.page.evaluate(
            "() => [...document.querySelectorAll('.lsf-choice input:checked')].map(one => one.name)"
        )]  # fmt: skip

    def click_label(self, label: str) -> None:
        """Click a label: with a region selected it is relabelled, else the next one drawn gets it."""
        exact = self.page.get_by_text(label, exact=True)
        self.page.locator(".lsf-label", has=exact).first.click()

    def relabel(self, words: str, label: str) -> None:
        """Give the region over these words another label."""
        self.select(words)
        self.click_label(label)
        self.unselect()

    def draw(self, words: str, label: str) -> None:
        """Choose a label and pull the mouse over these words of the output (line breaks left out)."""
        self.unselect()
        self.click_label(label)
        start, end = self._ends_of(words)
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, end[1], steps=5)
        mouse.move(*end, steps=5)
        mouse.up()
        self.page.wait_for_timeout(200)
        self.unselect()

    def _ends_of(self, words: str) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where on the screen the words begin and end, after scrolling them into view."""
        box = self.page.locator(TEXT).first.evaluate(
            """(text, words) => {
                const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
                const nodes = [];
                while (walker.nextNode()) nodes.push(walker.currentNode);
                const from = nodes.map(node => node.data).join('').indexOf(words);
                if (from < 0) return null;
                const at = index => {
                    for (const node of nodes) {
                        if (index <= node.data.length) return [node, index];
                        index -= node.data.length;
                    }
                };
                const range = document.createRange();
                range.setStart(...at(from + 1));
                range.setStart(range.startContainer, range.startOffset - 1);
                range.setEnd(...at(from + words.length));
                // By hand: a line of the text may be longer than its box, and its middle is not ours.
                for (let box = text; box; box = box.parentElement) {
                    if (!/auto|scroll/.test(getComputedStyle(box).overflowY)) continue;
                    const off = range.getBoundingClientRect().top - box.getBoundingClientRect().top;
                    box.scrollTop += off - box.clientHeight / 2;
                }
                const boxes = [...range.getClientRects()];
                const first = boxes[0], last = boxes[boxes.length - 1];
                return [[first.left + 0.5, (first.top + first.bottom) / 2],
                        [last.right - 0.5, (last.top + last.bottom) / 2]];
            }""",
            words,
        )
        assert box is not None, "these words are not on the page"
        return tuple(box[0]), tuple(box[1])

    def submit(self) -> int:
        """Submit or update; the HTTP status of the answer."""
        button = self.page.get_by_role("button", name="Submit").or_(
            self.page.get_by_role("button", name="Update")
        )
        with self.page.expect_response(
            lambda answer: "/annotations" in answer.url and answer.request.method in {"POST", "PATCH"}
        ) as caught:
            button.first.click()
        return int(caught.value.status)

    def screenshot(self, path: Path) -> Path:
        """A picture of the page."""
        self.page.screenshot(path=str(path))
        return path


def sit_down(chromium: Any, server: LabelStudioServer, email: str, password: str) -> Annotator:
    """A person at a new window of their own, logged in."""
    page = chromium.new_context(viewport=SIZE).new_page()
    page.set_default_timeout(SECONDS * 1000)
    annotator = Annotator(page, server)
    annotator.log_in(email, password)
    return annotator
