"""People at a real server: make users, and annotate as them through the interface that the browser uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import httpx
from label_studio_sdk import LabelStudio
from live.server import LabelStudioServer


class Person(NamedTuple):
    id: int
    email: str
    password: str
    token: str
    """A legacy token of the person's own."""


def owner_client(server: LabelStudioServer) -> LabelStudio:
    """The SDK as the owner, for what phiscan itself never does."""
    return LabelStudio(base_url=server.url, api_key=server.token, max_retries=0)


def personal_token(server: LabelStudioServer) -> str:
    """A personal access token (a JWT) of the owner; asked for once, it is the same afterwards."""
    client = owner_client(server)
    for token in client.tokens.list():
        client.tokens.blacklist(refresh=token.token)
    return client.tokens.create().token


def create_person(server: LabelStudioServer, email: str, *, password: str = "Invented-2468") -> Person:
    """Somebody who signs up by the owner's invitation; one made through the interface has no password."""
    owner = {"Authorization": f"Token {server.token}"}
    with httpx.Client(base_url=server.url, trust_env=False, follow_redirects=True, timeout=60) as http:
        invitation = http.get("/api/invite", headers=owner).json()["invite_url"]
        http.get(invitation)
        form = {"email": email, "password": password, "csrfmiddlewaretoken": http.cookies["csrftoken"]}
        http.post(invitation, data=form, headers={"Referer": server.url + invitation})
        token = http.get("/api/current-user/token").raise_for_status().json()["token"]
        user = http.get("/api/current-user/whoami").raise_for_status().json()
    return Person(user["id"], email, password, token)


def region(
    region_id: str, text: str, start: int, end: int, label: str, *, kind: str = "phi", origin: str = "manual",
    verdict: str | None = None,
) -> list[dict[str, Any]]:  # fmt: skip
    """What the browser saves for one region: its label and, under the same id, its verdict."""
    place = {"start": start, "end": end, "text": text[start:end]}
    common = {"id": region_id, "to_name": "text", "origin": origin}
    found = [{**common, "from_name": kind, "type": "labels", "value": {**place, "labels": [label]}}]
    if verdict is not None:
        choice = {"from_name": "verdict", "type": "choices", "value": {**place, "choices": [verdict]}}
        found.append(common | choice)
    return found


def kept(prediction: dict[str, Any], verdicts: dict[str, str]) -> list[dict[str, Any]]:
    """The regions of a prediction left as they are, with a verdict for each id named; others are deleted."""
    saved = []
    for one in prediction["result"]:
        if one["id"] in verdicts:
            choice = {"from_name": "verdict", "type": "choices", "origin": "prediction"}
            value = {name: one["value"][name] for name in ("start", "end", "text")}
            saved.append({**one, "origin": "prediction"})
            saved.append(
                {
                    "id": one["id"],
                    "to_name": "text",
                    **choice,
                    "value": value | {"choices": [verdicts[one["id"]]]},
                }
            )
    return saved


def whole(name: str, value: str) -> dict[str, Any]:
    """An answer about the whole output: ``memorization`` (a choice) or ``comment`` (words)."""
    if name == "comment":
        return {
            "id": "c0",
            "from_name": name,
            "to_name": "text",
            "type": "textarea",
            "value": {"text": [value]},
        }
    return {
        "id": "m0",
        "from_name": name,
        "to_name": "text",
        "type": "choices",
        "value": {"choices": [value]},
    }


def annotate(
    server: LabelStudioServer, person: Person, task: int, result: Sequence[dict[str, Any]], *, skipped: bool = False
) -> int:  # fmt: skip
    """Submit (or skip) a task as the person; the id of the annotation."""
    client = LabelStudio(base_url=server.url, api_key=person.token, max_retries=0)
    made = client.annotations.create(id=task, result=list(result), lead_time=4.2, was_cancelled=skipped)
    return made.id


def task_ids(server: LabelStudioServer, project: int) -> dict[str, int]:
    """Task id by doc_id."""
    tasks = owner_client(server).tasks.list(project=project, fields="task_only", page_size=500)
    return {task.data["doc_id"]: task.id for task in tasks}
