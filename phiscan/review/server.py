"""The requests phiscan makes to Label Studio: the only module that imports its client.

An answer of the server is never quoted, as it may hold patient text; nor is the token. Redirects are
not followed: they could carry the tasks to another host.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Self, TypeVar

from phiscan.errors import ConfigError, MissingDependencyError, PhiscanError
from phiscan.review.connection import Connection

PAGE = 100
"""Tasks listed at once."""
WAITS = (0.5, 2.0, 5.0)
"""Seconds before each further try, where trying again can help."""
CONNECT_SECONDS, ANSWER_SECONDS = 10.0, 120.0
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Status codes that may be another on the next try; a busy SQLite database answers 500."""

T = TypeVar("T")
Listing = dict[str, list[int]]
"""Task ids by doc_id."""


class PassingError(PhiscanError):
    """Trouble that another try may not meet."""


class Server:
    """The few requests phiscan makes; each PhiscanError names the step and never what was answered."""

    def __init__(self, connection: Connection) -> None:
        try:
            import httpx
            from label_studio_sdk import LabelStudio
        except ImportError:
            raise MissingDependencyError.of("reviews in Label Studio need its client", "review") from None
        self._http = httpx.Client(
            timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
            follow_redirects=False,
            # A proxy of the environment would read plain http.
            trust_env=connection.url.lower().startswith("https:"),
        )
        # Trying again is decided here: the client's own way would import tasks twice.
        opened: Any = partial(LabelStudio, base_url=connection.url, api_key=connection.token)
        self._sdk: Any = self._ask(
            "reading the token", lambda: opened(httpx_client=self._http, max_retries=0), again=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def projects(self, title: str) -> dict[int, int]:
        """Number of tasks by id, of the projects with exactly this title."""
        return {
            one.id: one.task_number or 0
            for one in self._pages("finding the project", self._sdk.projects.list, "count", title=title)
            if one.title == title
        }

    def create(self, title: str, label_config: str, model_version: str) -> int:
        """The id of a new project: one annotation a task, in order, predictions shown."""
        made = self._ask(
            "making the project",
            lambda: self._sdk.projects.create(
                title=title,
                label_config=label_config,
                model_version=model_version,
                show_collab_predictions=True,
                maximum_annotations=1,
                sampling="Sequential sampling",
            ),
            again=False,
        )
        return int(made.id)

    def listing(self, project: int, wanted: Mapping[str, Mapping[str, Any]]) -> Listing:
        """The tasks that have a doc_id; PhiscanError if one has another text than the ``wanted`` one."""
        there: Listing = {}
        query = {"project": project, "fields": "task_only", "include": "id,data"}
        for task in self._pages("listing the tasks", self._sdk.tasks.list, "total", **query):
            data = task.data if isinstance(task.data, dict) else {}
            doc_id = data.get("doc_id")
            if not isinstance(doc_id, str):
                continue
            if doc_id in wanted and data.get("text") != wanted[doc_id]["data"]["text"]:
                raise PhiscanError("a task on the server has another text than the one to send")
            there.setdefault(doc_id, []).append(task.id)
        return there

    def import_tasks(self, project: int, batch: Sequence[Mapping[str, Any]]) -> None:
        """Import tasks in one request; PassingError leaves it open whether they arrived."""
        answer = self._ask(
            "sending tasks",
            lambda: self._sdk.projects.import_tasks(project, request=batch),
            again=False,
        )
        if answer.task_count != len(batch):
            raise PhiscanError(
                "Label Studio did not import all tasks of a request (Community Edition needed)"
            )

    def delete_untouched(self, task: int) -> None:
        """Delete a task; PhiscanError if somebody has begun to annotate it."""
        found = self._ask("looking at a task", lambda: self._sdk.tasks.get(str(task)))
        if found.annotations or found.drafts:
            raise PhiscanError(
                "an output came twice and the second task is annotated already: delete one by hand"
            )
        self._ask("removing a task that came twice", lambda: self._sdk.tasks.delete(str(task)), again=False)

    def predictions(self, project: int) -> list[dict[str, Any]]:
        """All predictions of a project: id, task, model_version, score and result."""
        found = self._ask("listing the predictions", lambda: self._sdk.predictions.list(project=project))
        names = ("id", "task", "model_version", "score", "result")
        return [{name: getattr(one, name) for name in names} for one in found]

    def predict(self, task: int, prediction: Mapping[str, Any]) -> None:
        """Give a task its prediction."""
        self._ask(
            "sending a prediction",
            lambda: self._sdk.predictions.create(task=task, **prediction),
            again=False,
        )

    def show_predictions(self, project: int, model_version: str) -> None:
        """Let annotators see the predictions of ``model_version``; it must have some."""
        found = self._ask("reading the project", lambda: self._sdk.projects.get(project))
        if found.model_version != model_version or not found.show_collab_predictions:
            self._ask(
                "setting up the project",
                lambda: self._sdk.projects.update(
                    project, model_version=model_version, show_collab_predictions=True
                ),
            )

    def export(self, project: int) -> list[dict[str, Any]]:
        """The JSON export, with predictions in full and annotators by e-mail."""
        expected = self._ask("reading the project", lambda: self._sdk.projects.get(project)).task_number or 0
        tasks: list[dict[str, Any]] = self._ask(
            "exporting", lambda: [dict(task) for task in self._sdk.projects.exports.as_json(project)]
        )
        if len({task["id"] for task in tasks}) != len(tasks) or len(tasks) < expected:
            raise PhiscanError("the export of the server is not whole: pull again")
        predictions = {one["id"]: one for one in self.predictions(project)}
        emails = self._emails()
        for task in tasks:
            task["predictions"] = [predictions.get(one, one) for one in _plain_ids(task.get("predictions"))]
            for annotation in task.get("annotations") or ():
                who = annotation.get("completed_by")
                annotation["completed_by"] = emails.get(who, who) if isinstance(who, int) else who
        return tasks

    def _emails(self) -> dict[int, str]:
        """E-mail by user id; empty for somebody who may not see the users."""
        try:
            return {user.id: user.email for user in self._ask("listing the users", self._sdk.users.list)}
        except ConfigError:
            return {}

    def _pages(self, step: str, ask: Callable[..., Any], total: str, **query: Any) -> Iterator[Any]:
        """Everything of a paged list; PhiscanError if that is not as many as the server counts."""
        seen: set[int] = set()
        page = 0
        while True:
            page += 1
            answer = self._ask(step, partial(ask, page=page, page_size=PAGE, **query))
            count = getattr(answer.response, total)
            new = [one for one in answer.items or () if one.id not in seen]
            seen.update(one.id for one in new)
            yield from new
            if len(seen) >= count:
                return
            if not new:
                raise PhiscanError(f"Label Studio's list changed while it was read, at: {step}; try again")

    def _ask(self, step: str, ask: Callable[[], T], *, again: bool = True) -> T:
        """What ``ask`` gets; tried again after passing trouble where asking twice does no harm."""
        for wait in WAITS if again else ():
            try:
                return _clean(step, ask)
            except PassingError:
                time.sleep(wait)
        return _clean(step, ask)


def _clean(step: str, ask: Callable[[], T]) -> T:
    """What ``ask`` gets; every error as one line without the answer, its body or the request's."""
    try:
        return ask()
    except PhiscanError:
        raise
    except Exception as error:
        trouble = _trouble(step, error)
    raise trouble  # outside the handler, so that the cause, which holds the body, is not kept


def _trouble(step: str, error: Exception) -> PhiscanError:
    import httpx
    from label_studio_sdk.core.api_error import ApiError

    if isinstance(error, httpx.TransportError):
        untrusted = "CERTIFICATE_VERIFY_FAILED" in str(error)
        kind = "its certificate is not trusted" if untrusted else type(error).__name__
        return PassingError(f"Label Studio could not be reached ({kind}), at: {step}")
    status = error.status_code if isinstance(error, ApiError) else None
    if status in {401, 403}:
        return ConfigError(f"Label Studio refused the token ({status}), at: {step}")
    if status is not None and 300 <= status < 400:
        return ConfigError(
            f"Label Studio answered with a redirect ({status}), at: {step}; give its own address"
        )
    if status is not None and status >= 400:
        known = PassingError if status in PASSING else PhiscanError
        return known(f"Label Studio answered {status}, at: {step}")
    return PhiscanError(f"Label Studio's answer cannot be read ({type(error).__name__}), at: {step}")


def _plain_ids(predictions: Any) -> list[Any]:
    return [one.get("id") if isinstance(one, dict) else one for one in predictions or ()]
