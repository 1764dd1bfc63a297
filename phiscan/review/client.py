"""Tasks to a Label Studio server and annotations back.

Pushing is idempotent by ``data.doc_id``: what is there is listed first, only the rest is sent, and
what came twice because a connection broke is taken back. So a push that was cut, or killed, is
repeated. Label Studio imports the tasks of one request, with their predictions, in one database
transaction (seen on 1.23.2): a task is there whole or not at all.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from phiscan.errors import ConfigError, PhiscanError
from phiscan.review.connection import Connection, connection
from phiscan.review.server import WAITS, Listing, PassingError, Server

__all__ = ["Connection", "Pushed", "connection", "pull", "push"]

MAX_TASKS, MAX_BYTES = 500, 20_000_000
"""Of one import request; a single larger task is sent alone."""
TITLE_LENGTH = (3, 50)

Progress = Callable[[str, int, int], object]


class Pushed(NamedTuple):
    """Where the tasks are, how many this push sent, and how many were there before."""

    project_id: int
    sent: int
    already_there: int


def push(
    connection: Connection,
    *,
    title: str,
    label_config: str,
    tasks: Sequence[Mapping[str, Any]],
    model_version: str,
    state: Mapping[str, Any] | None = None,
    progress: Progress = lambda stage, done, total: None,
) -> Pushed:
    """Bring ``tasks`` into the project ``title``, made if there is none; what is there is not sent again.

    Args:
        connection: From :func:`connection`.
        title: Found again by it, exactly.
        label_config: Of a new project; one that is there keeps its own.
        tasks: ``{"data": {"doc_id", "text", ...}, "predictions": [...]}``, one a doc_id.
        model_version: That of every prediction: Label Studio shows those of the project's version only.
        state: ``{"project_id": id}`` of an earlier push, to tell projects of the same title apart.
        progress: Called with ("push", tasks there, tasks in all).

    Returns:
        Counts of this push. ConfigError if the token is refused or the tasks cannot be sent; PhiscanError
        if the server cannot be reached, or holds what cannot be put right: two tasks of one doc_id, or
        another text than the one to send.

    """
    wanted = _checked(tasks, label_config)
    if not TITLE_LENGTH[0] <= len(title) <= TITLE_LENGTH[1]:
        raise ConfigError("a project title has 3 to 50 characters")
    with Server(connection) as server:
        project = _find(server, title, state)
        if project is None:
            project = server.create(title, label_config, model_version)
        before = server.listing(project, wanted)
        _refuse_twins(before)
        after = _send_missing(server, project, wanted, before, progress)
        # Only tasks of this push: others in the project are not ours to judge.
        _take_back_twins(server, before, {doc_id: after[doc_id] for doc_id in wanted})
        _complete_predictions(server, project, wanted, after, model_version)
    there = sum(doc_id in before for doc_id in wanted)
    return Pushed(project, len(wanted) - there, there)


def pull(connection: Connection, project: int | str) -> list[dict[str, Any]] | None:
    """The whole JSON export of a project, by id or exact title; None if there is none of that title.

    A list of tasks with data, annotations (each with the prediction it began from), drafts and
    predictions. ``completed_by`` is an e-mail where the server tells it, else the user's number.
    """
    with Server(connection) as server:
        found = _find(server, project, None) if isinstance(project, str) else project
        return None if found is None else server.export(found)


def _checked(tasks: Sequence[Mapping[str, Any]], label_config: str) -> dict[str, Mapping[str, Any]]:
    """The tasks by doc_id; ConfigError if one cannot be sent, so that nothing is sent at all."""
    shown = set(re.findall(r"""=\s*["']\$(\w+)["']""", label_config))
    wanted: dict[str, Mapping[str, Any]] = {}
    for number, task in enumerate(tasks, 1):
        doc_id = task["data"]["doc_id"]
        # The server refuses a task that lacks what the configuration shows, and logs it with its text.
        lacking = sorted(shown - task["data"].keys())
        if lacking:
            raise ConfigError(
                f"review tasks: task {number} has no {lacking[0]!r}, which label_config.xml shows"
            )
        if doc_id in wanted:
            raise ConfigError(f"review tasks: task {number} has the doc_id of an earlier one")
        if len(task.get("predictions", ())) > 1:
            raise ConfigError(f"review tasks: task {number} has more than one prediction")
        try:
            _size(task)
        except (ValueError, TypeError):  # a lone surrogate, or no JSON: the cause would quote it
            raise ConfigError(f"review tasks: task {number} cannot be written as JSON") from None
        wanted[doc_id] = task
    return wanted


def _size(task: Mapping[str, Any]) -> int:
    return len(json.dumps(task, ensure_ascii=False, allow_nan=False).encode())


def _find(server: Server, title: str, state: Mapping[str, Any] | None) -> int | None:
    """The project of that title; of several the one in ``state``, else the only one that has tasks."""
    projects = server.projects(title)
    remembered = (state or {}).get("project_id")
    if remembered in projects:
        return int(remembered)
    filled = [number for number, tasks in projects.items() if tasks]
    if len(filled) > 1:
        raise PhiscanError(f"the server holds {len(filled)} projects of this title: rename all but one")
    # Several empty ones are left by pushes that were killed while making it: always the same is taken.
    return filled[0] if filled else min(projects, default=None)


def _refuse_twins(there: Listing) -> None:
    twins = sum(len(ids) > 1 for ids in there.values())
    if twins:
        raise PhiscanError(
            f"the project holds {twins} outputs more than once: delete all but one task of each"
        )


def _send_missing(
    server: Server,
    project: int,
    wanted: Mapping[str, Mapping[str, Any]],
    there: Listing,
    progress: Progress,
) -> Listing:
    """The listing once all is there. After a broken connection, look what arrived before going on."""
    for wait in (*WAITS, None):
        missing = [task for doc_id, task in wanted.items() if doc_id not in there]
        done = len(wanted) - len(missing)
        if not missing:
            break
        try:
            for batch in _batches(missing):
                server.import_tasks(project, batch)
                done += len(batch)
                progress("push", done, len(wanted))
        except PassingError:
            if wait is None:
                raise
            time.sleep(wait)
        there = server.listing(project, wanted)
    if not wanted.keys() <= there.keys():
        raise PhiscanError("Label Studio took the tasks but does not list them all: push again")
    return there


def _batches(tasks: Sequence[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    batch: list[Mapping[str, Any]] = []
    room = MAX_BYTES
    for task in tasks:
        size = _size(task)
        if batch and (size > room or len(batch) == MAX_TASKS):
            yield batch
            batch, room = [], MAX_BYTES
        batch.append(task)
        room -= size
    if batch:
        yield batch


def _take_back_twins(server: Server, before: Listing, after: Listing) -> None:
    """Of tasks that came twice since this push began, leave the first.

    A request whose sender died may still be at work on the server when the next push lists its tasks.
    Of two pushes at once each leaves the same one. Tasks that somebody annotated are never removed.
    """
    _refuse_twins({doc_id: ids for doc_id, ids in after.items() if doc_id in before})
    for doc_id, ids in after.items():
        for task in sorted(ids)[1:] if doc_id not in before else ():
            server.delete_untouched(task)


def _complete_predictions(
    server: Server,
    project: int,
    wanted: Mapping[str, Mapping[str, Any]],
    there: Listing,
    model_version: str,
) -> None:
    """Every task has its one prediction, and annotators are shown it."""
    if not any(task.get("predictions") for task in wanted.values()):
        return
    standing = Counter(
        one["task"] for one in server.predictions(project) if one["model_version"] == model_version
    )
    for doc_id, task in wanted.items():
        number = min(there[doc_id])
        if standing[number] > 1:
            raise PhiscanError("a task on the server has its prediction more than once: delete one")
        for prediction in task.get("predictions", ()) if not standing[number] else ():
            server.predict(number, prediction)
    server.show_predictions(project, model_version)
