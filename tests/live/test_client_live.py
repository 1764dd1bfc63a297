"""Pushing to and pulling from a real Label Studio server: texts, offsets, kills, tokens, two annotators."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import zlib
from urllib.parse import urlsplit

import pytest
from live.outputs import CONFIG, DATE, HARD, NAME, VERSION, hard_tasks, make_task, many_tasks, spans
from live.people import annotate, create_person, kept, owner_client, personal_token, region, task_ids, whole
from live.server import running

from phiscan.errors import ConfigError, PhiscanError
from phiscan.review import client
from phiscan.review.client import Connection, pull, push
from phiscan.review.server import Server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def link(label_studio):
    return Connection(label_studio.url, label_studio.token)


@pytest.fixture(scope="module")
def people(label_studio):
    return [create_person(label_studio, f"{name}@example.org") for name in ("first", "second")]


@pytest.fixture
def title(request):
    """A title of the test's own."""
    return f"test {zlib.crc32(request.node.nodeid.encode()):x}"


def send(link, title, tasks):
    return push(link, title=title, label_config=CONFIG, tasks=tasks, model_version=VERSION)


def assert_whole(exported, tasks):
    """Every task once, its data untouched, with its own prediction and no other."""
    sent = {task["data"]["doc_id"]: task for task in tasks}
    assert sorted(task["data"]["doc_id"] for task in exported) == sorted(sent)
    for task in exported:
        mine = sent[task["data"]["doc_id"]]
        assert task["data"] == mine["data"]
        assert [one["model_version"] for one in task["predictions"]] == [VERSION] * len(mine["predictions"])
        assert [one["result"] for one in task["predictions"]] == [
            one["result"] for one in mine["predictions"]
        ]


@pytest.mark.parametrize("kind", ["legacy", "personal"])
def test_hard_texts_come_back_as_they_were_with_either_token(kind, label_studio, title):
    token = label_studio.token if kind == "legacy" else personal_token(label_studio)
    link = Connection(label_studio.url, token)
    pushed = send(link, title, hard_tasks())
    assert pushed[1:] == (len(HARD), 0)
    exported = pull(link, title)
    assert_whole(exported, hard_tasks())
    for task in exported:
        text = task["data"]["text"]
        places = [one["value"] for one in task["predictions"][0]["result"]]
        assert [text[place["start"] : place["end"]] for place in places] == [NAME, DATE]
    project = owner_client(label_studio).projects.get(pushed.project_id)
    assert (project.model_version, project.show_collab_predictions) == (VERSION, True)
    assert (project.maximum_annotations, project.sampling) == (1, "Sequential sampling")
    assert project.label_config == CONFIG.strip()


def test_pushing_twice_sends_nothing(link, title):
    tasks = many_tasks(40)
    first = send(link, title, tasks)
    assert send(link, title, tasks) == (first.project_id, 0, 40)
    assert send(link, title, many_tasks(45)) == (first.project_id, 5, 40)
    assert_whole(pull(link, title), many_tasks(45))


KILLED = """
import json, sys
from phiscan.review import client
url, token, title, config, version = json.loads(sys.stdin.readline())
client.MAX_TASKS = 20
client.push(client.Connection(url, token), title=title, label_config=config, tasks=json.load(sys.stdin), model_version=version)
"""


@pytest.mark.parametrize("seed", range(3))
def test_a_push_killed_in_the_middle_is_repeated_without_doubles_or_losses(seed, link, title):
    tasks = many_tasks(400, record="<p>a record</p>" * 2_000)
    process = subprocess.Popen([sys.executable, "-c", KILLED], stdin=subprocess.PIPE, text=True)
    head = json.dumps([link.url, link.token, title, CONFIG, VERSION])
    process.stdin.write(head + "\n" + json.dumps(tasks))
    process.stdin.close()
    wanted, deadline = random.Random(seed).randrange(1, 300), time.monotonic() + 120
    with Server(link) as server:
        while time.monotonic() < deadline and process.poll() is None:
            if sum(server.projects(title).values()) >= wanted:
                break
            time.sleep(0.05)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    pushed = send(link, title, tasks)
    assert pushed.sent > 0
    assert pushed.already_there >= wanted // 20 * 20
    assert pushed.sent + pushed.already_there == 400
    assert_whole(pull(link, title), tasks)
    assert send(link, title, tasks) == (pushed.project_id, 0, 400)


def test_a_request_whose_sender_died_is_not_doubled_by_the_next_push(link, title, monkeypatch):
    """The server goes on with it: its tasks appear after the next push has listed what is there."""
    tasks = many_tasks(60, record="<p>a record</p>" * 500)
    plain, deleted = Server.import_tasks, []

    def send_and_die_before(server, project, batch):
        send_and_die(link, project, batch)
        deadline = time.monotonic() + 60
        while not server.listing(project, {}) and time.monotonic() < deadline:
            time.sleep(0.05)
        plain(server, project, batch)

    monkeypatch.setattr(Server, "import_tasks", send_and_die_before)
    monkeypatch.setattr(Server, "delete_untouched", counted(Server.delete_untouched, deleted))
    assert send(link, title, tasks).sent == 60
    assert len(deleted) == 60
    assert_whole(pull(link, title), tasks)
    assert send(link, title, tasks).already_there == 60


def send_and_die(link, project, tasks):
    body = json.dumps(tasks).encode()
    head = (
        f"POST /api/projects/{project}/import HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Token {link.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", urlsplit(link.url).port)) as dying:
        dying.sendall(head.encode() + body)


def counted(method, calls):
    def call(self, *args):
        calls.append(args)
        return method(self, *args)

    return call


def test_an_import_is_whole_or_not_at_all_even_if_the_server_is_killed(
    label_studio_template, label_studio_admin, tmp_path, title
):
    folder = tmp_path / "killed"
    shutil.copytree(label_studio_template, folder)
    folder.chmod(0o700)
    tasks = many_tasks(500, record="<p>a record</p>" * 1_500)
    with running(folder, label_studio_admin) as server:
        link = Connection(server.url, server.token)
        project = send(link, title, []).project_id
        # A little longer than the server needs to read the request: it is at work on the database.
        pusher = subprocess.Popen(
            [sys.executable, "-c", KILLED.replace("20", "500")], stdin=subprocess.PIPE, text=True
        )
        pusher.stdin.write(
            json.dumps([link.url, link.token, title, CONFIG, VERSION]) + "\n" + json.dumps(tasks)
        )
        pusher.stdin.close()
        wait_for_growth(folder)
        os.kill(server.pid, signal.SIGKILL)
        pusher.kill()
        pusher.wait()
    with running(folder, label_studio_admin) as server:
        link = Connection(server.url, server.token)
        with Server(link) as asked:
            there = sum(len(ids) for ids in asked.listing(project, {}).values())
            predicted = len(asked.predictions(project))
        assert (there, predicted) in {(0, 0), (500, 333)}
        send(link, title, tasks)
        assert_whole(pull(link, title), tasks)
    shutil.rmtree(folder)


def wait_for_growth(folder):
    """Until the database or its journal has grown by what an import writes."""

    def size():
        return sum(path.stat().st_size for path in folder.glob("*.sqlite3*"))

    before, deadline = size(), time.monotonic() + 60
    while size() < before + 100_000 and time.monotonic() < deadline:
        time.sleep(0.001)


def test_a_prediction_that_was_deleted_is_sent_again(label_studio, link, title):
    tasks = many_tasks(6)
    project = send(link, title, tasks).project_id
    owner = owner_client(label_studio)
    for one in owner.predictions.list(project=project)[:2]:
        owner.predictions.delete(one.id)
    assert send(link, title, tasks) == (project, 0, 6)
    assert_whole(pull(link, title), tasks)


def test_two_tasks_of_one_output_are_an_error(label_studio, link, title):
    tasks = many_tasks(3)
    project = send(link, title, tasks).project_id
    owner_client(label_studio).projects.import_tasks(project, request=tasks[:1])
    with pytest.raises(PhiscanError, match="1 outputs more than once"):
        send(link, title, tasks)


def test_a_wrong_token_is_one_line(label_studio):
    for token in ("f" * 40, "nonsense"):
        with pytest.raises(ConfigError, match=r"refused the token \(401\)"):
            send(Connection(label_studio.url, token), "a title", many_tasks(1))


def test_what_two_people_say_comes_back_under_their_names(label_studio, link, people, title):
    tasks = [make_task(f"{number:016x}", text) for number, text in enumerate(HARD.values())]
    project = send(link, title, tasks).project_id
    numbers = task_ids(label_studio, project)
    for task in tasks:
        text, number = task["data"]["text"], numbers[task["data"]["doc_id"]]
        start, end = spans(text)[DATE]
        first = kept(task["predictions"][0], {"h0": "confirmed", "h1": "not_phi"}) + [
            whole("memorization", "harmful")
        ]
        second = (
            kept(task["predictions"][0], {"h0": "wrong_category"})
            + region("new1", text, start, end, "AGE", verdict="confirmed")
            + [whole("comment", f"seen by the second, {HARD['emoji']}")]
        )
        annotate(label_studio, people[0], number, first)
        annotate(label_studio, people[1], number, second)
    exported = pull(link, title)
    assert len(exported) == len(tasks)
    for task in exported:
        text = task["data"]["text"]
        said = {one["completed_by"]: one for one in task["annotations"]}
        assert sorted(said) == ["first@example.org", "second@example.org"]
        for one in said.values():
            assert one["prediction"]["model_version"] == VERSION
            assert not one["was_cancelled"]
        regions = [one for one in said["second@example.org"]["result"] if one["type"] == "labels"]
        slices = [text[one["value"]["start"] : one["value"]["end"]] for one in regions]
        assert list(zip([one["id"] for one in regions], slices, strict=True)) == [
            ("h0", NAME),
            ("new1", DATE),
        ]
        verdicts = {
            one["id"]: one["value"]["choices"]
            for one in said["first@example.org"]["result"]
            if one["from_name"] == "verdict"
        }
        assert verdicts == {"h0": ["confirmed"], "h1": ["not_phi"]}


def test_a_skipped_task_and_an_annotators_own_token(label_studio, people, title):
    link = Connection(label_studio.url, people[0].token)
    project = send(link, title, many_tasks(3)).project_id
    number = task_ids(label_studio, project)["0" * 16]
    annotate(label_studio, people[1], number, [], skipped=True)
    skipped = [one for task in pull(link, title) for one in task["annotations"]]
    assert [(one["completed_by"], one["was_cancelled"]) for one in skipped] == [("second@example.org", True)]


def test_pages_and_batches_lose_nothing(link, title, monkeypatch):
    monkeypatch.setattr(client, "MAX_BYTES", 200_000)
    tasks = many_tasks(250, record="x" * 5_000)
    assert send(link, title, tasks).sent == 250
    assert send(link, title, tasks).already_there == 250
    assert_whole(pull(link, title), tasks)


def test_nothing_of_a_well_made_push_stands_in_the_servers_log(label_studio, link, title):
    word = "Zelmonaquist"
    task = make_task("f" * 16, f"{word}: {NAME} {DATE}")
    send(link, title, [task])
    send(link, title, [task])
    assert word not in label_studio.log()
    pull(link, title)
    assert label_studio.files_with(word) != []  # the export stays on the server's disk: SECURITY.md says so
