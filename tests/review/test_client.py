"""Pushing and pulling against a small server in this process that speaks the few endpoints, and fails on demand."""

import base64
import json
import logging
import re
import subprocess
import sys
import threading
import types
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.errors import ConfigError, MissingDependencyError, PhiscanError
from phiscan.review import client, server
from phiscan.review.client import Connection, connection, pull, push

TOKEN = "0123456789abcdef0123456789abcdef01234567"
SECRET = "Mara Quillon, Dunmoor"
CONFIG = '<View><Labels name="phi" toName="text"><Label value="PATIENT"/></Labels><Text name="text" value="$text"/></View>'
TITLE, VERSION = "phiscan-1a2b3c4d annotator 1", "phiscan-1a2b3c4d"


def make_tasks(count, *, predicted=True):
    region = {"id": "h0", "from_name": "phi", "to_name": "text", "type": "labels"}
    region["value"] = {"start": 0, "end": 12, "text": "Mara Quillon", "labels": ["PATIENT"]}
    prediction = {"model_version": VERSION, "score": 0.5, "result": [region]}
    return [
        {
            "data": {"doc_id": f"{number:016x}", "text": f"{SECRET}, number {number}"},
            "predictions": [prediction] if predicted and number % 2 else [],
        }
        for number in range(count)
    ]


class Double:
    """A Label Studio of a few endpoints. ``faults`` are (method, path pattern, what) used up one by one."""

    def __init__(self):
        self.projects, self.tasks, self.predictions = {}, {}, {}
        self.users = [{"id": 7, "email": "first@example.org"}]
        self.faults, self.seen, self.late = [], [], []
        self.numbers = iter(range(1, 100_000))
        self.prefix = ""

    def add_project(self, title=TITLE, **more):
        number = next(self.numbers)
        self.projects[number] = {"id": number, "title": title, "model_version": VERSION}
        self.projects[number] |= {"show_collab_predictions": True, **more}
        return number

    def add_task(self, project, task, *, predicted=True, annotations=()):
        number = next(self.numbers)
        self.tasks[number] = {"id": number, "project": project, "data": task["data"], "drafts": []}
        self.tasks[number]["annotations"] = list(annotations)
        for prediction in task["predictions"] if predicted else ():
            self.add_prediction(number, prediction)
        return number

    def add_prediction(self, task, prediction):
        number = next(self.numbers)
        self.predictions[number] = {"id": number, "task": task, **prediction}
        return self.predictions[number]

    def doc_ids(self):
        return sorted(task["data"]["doc_id"] for task in self.tasks.values())

    def count(self, method, pattern):
        return sum(m == method and bool(re.search(pattern, p)) for m, p, _ in self.seen)

    def project(self, number):
        mine = [task for task in self.tasks.values() if task["project"] == number]
        return self.projects[number] | {"task_number": len(mine)}

    # endpoints: (method, pattern) -> answer

    def get_projects(self, query, body):
        wanted = query.get("title", [""])[0].lower()
        found = [self.project(n) for n, p in self.projects.items() if wanted in p["title"].lower()]
        return {"count": len(found), "results": page(found, query)}

    def post_projects(self, query, body):
        return self.project(self.add_project(**body))

    def get_project(self, query, body, number):
        return self.project(int(number))

    def patch_project(self, query, body, number):
        self.projects[int(number)].update(body)
        return self.project(int(number))

    def post_import(self, query, body, number):
        for earlier in self.late:
            earlier()
        self.late.clear()
        for task in body:
            self.add_task(int(number), task)
        return {"task_count": len(body)}

    def get_tasks(self, query, body):
        mine = [t for t in self.tasks.values() if t["project"] == int(query["project"][0])]
        shown = [{"id": task["id"], "data": task["data"]} for task in page(mine, query)]
        return {"total": len(mine), "total_annotations": 0, "total_predictions": 0, "tasks": shown}

    def get_task(self, query, body, number):
        return self.tasks[int(number)]

    def delete_task(self, query, body, number):
        del self.tasks[int(number)]

    def get_predictions(self, query, body):
        mine = int(query["project"][0])
        return [
            one for one in self.predictions.values() if self.tasks.get(one["task"], {}).get("project") == mine
        ]

    def post_predictions(self, query, body):
        return self.add_prediction(body.pop("task"), body)

    def get_export(self, query, body, number):
        mine = [task for task in self.tasks.values() if task["project"] == int(number)]
        ids = {
            task["id"]: [n for n, one in self.predictions.items() if one["task"] == task["id"]]
            for task in mine
        }
        return [{**task, "predictions": ids[task["id"]]} for task in mine]

    def get_version(self, query, body):
        return {"release": "1.23.2", "edition": "Community"}

    def get_users(self, query, body):
        return self.users

    def post_refresh(self, query, body):
        return {"access": access_token(body["refresh"])}

    ROUTES = (
        ("GET", r"/api/projects/", get_projects),
        ("POST", r"/api/projects/", post_projects),
        ("GET", r"/api/projects/(\d+)/", get_project),
        ("PATCH", r"/api/projects/(\d+)/", patch_project),
        ("POST", r"/api/projects/(\d+)/import", post_import),
        ("GET", r"/api/projects/(\d+)/export", get_export),
        ("GET", r"/api/tasks/", get_tasks),
        ("GET", r"/api/tasks/(\d+)/", get_task),
        ("DELETE", r"/api/tasks/(\d+)/", delete_task),
        ("GET", r"/api/predictions/", get_predictions),
        ("POST", r"/api/predictions/", post_predictions),
        ("GET", r"/api/version/", get_version),
        ("GET", r"/api/users/", get_users),
        ("POST", r"/api/token/refresh/", post_refresh),
    )

    def answer(self, handler):
        url = urlsplit(handler.path)
        path = url.path.removeprefix(self.prefix)
        self.seen.append((handler.command, path, handler.headers.get("Authorization")))
        fault = next((f for f in self.faults if f[0] == handler.command and re.fullmatch(f[1], path)), None)
        if fault:
            self.faults.remove(fault)
        what = fault[2] if fault else None
        if what == "cut":  # in the middle of the request
            handler.rfile.read(min(20, int(handler.headers.get("Content-Length") or 0)))
            return handler.connection.shutdown(2)
        body = json.loads(handler.rfile.read(int(handler.headers.get("Content-Length") or 0)) or "null")
        method, found = next(
            (call, match)
            for verb, pattern, call in self.ROUTES
            if verb == handler.command and (match := re.fullmatch(pattern, path))
        )
        if isinstance(what, int) or (isinstance(what, tuple) and what):
            status, headers = (what, {}) if isinstance(what, int) else what
            return send(handler, status, {"detail": SECRET, "token": TOKEN}, headers)
        if what == "nonsense":
            return send(handler, 200, f"<p>{SECRET}</p>".encode())
        if what == "late":  # the sender is gone, the server goes on and is done when the next import comes
            self.late.append(lambda: [self.add_task(int(found[1]), task) for task in body])
            return handler.connection.shutdown(2)
        answer = method(self, parse_qs(url.query), body, *found.groups())
        if what == "cut after":
            return handler.connection.shutdown(2)
        return send(handler, 204 if answer is None else 200, answer)


def page(rows, query):
    size, number = int(query["page_size"][0]), int(query["page"][0])
    return rows[size * (number - 1) : size * number]


def send(handler, status, body, headers=()):
    raw = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    for name, value in dict(headers).items():
        handler.send_header(name, value)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(raw)))
    handler.end_headers()
    handler.wfile.write(raw)


def jwt(**claims):
    parts = [{"alg": "HS256", "typ": "JWT"}, {"exp": 4_000_000_000, **claims}]
    coded = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts]
    return ".".join([*coded, "c2lnbmF0dXJl"])


def access_token(refresh):
    return jwt(token_type="access", of=len(refresh))


def serve(double):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            double.answer(self)

        do_POST = do_PATCH = do_DELETE = do_GET  # noqa: N815

        def log_message(self, *args):
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
    return http


@pytest.fixture(name="double")
def _double():
    double = Double()
    http = serve(double)
    double.url = f"http://127.0.0.1:{http.server_port}"
    yield double
    http.shutdown()
    http.server_close()


@pytest.fixture(name="link")
def _link(double):
    return Connection(double.url, TOKEN)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    for module in (client, server):
        monkeypatch.setattr(module, "WAITS", (0.0, 0.0, 0.0))
    monkeypatch.delenv("LABEL_STUDIO_API_KEY", raising=False)


def send_tasks(link, tasks, **more):
    return push(link, title=TITLE, label_config=CONFIG, tasks=tasks, model_version=VERSION, **more)


def assert_clean(error):
    """One line, without what the server answered and without the token, down to its causes."""
    while error is not None:
        assert "\n" not in str(error)
        assert not any(word in str(error) for word in (*SECRET.split(), TOKEN, "detail"))
        error = error.__cause__ or error.__context__


# --- where, and as whom ---


@pytest.mark.parametrize(
    "url",
    [
        "https://label.example.org",
        "https://label.example.org/studio/",
        "http://localhost:8080",
        "http://127.0.0.1:8080",
        "http://127.9.8.7",
        "http://[::1]:8080",
    ],
)
def test_addresses_that_keep_the_tasks_private(url):
    assert Connection(url, TOKEN).url == url.rstrip("/") + "/"


@pytest.mark.parametrize(
    "url",
    [
        "http://label.example.org",
        "http://localhost.example.org",
        "http://10.0.0.5:8080",
        "http://127.0.0.1.example.org",
        "http://127.1",
        "http://[::2]",
        "HTTP://label.example.org",
        "ftp://localhost",
        "label.example.org",
        "https://",
        "https://label.example.org:eighty",
        "https://[label",
        "https://mara:quillon@label.example.org",
        "http://127.0.0.1@label.example.org",
        "https://label.example.org?to=elsewhere",
        "",
    ],
)
def test_addresses_that_are_refused(url):
    with pytest.raises(ConfigError) as caught:
        Connection(url, TOKEN)
    assert "example.org" not in str(caught.value)


def test_plain_http_to_another_machine_only_when_it_is_asked_for():
    assert Connection("http://10.0.0.5:8080", TOKEN, allow_http=True).url == "http://10.0.0.5:8080/"
    with pytest.raises(ConfigError):
        Connection("ftp://10.0.0.5", TOKEN, allow_http=True)


def test_the_token_comes_from_the_environment_then_the_keyring(monkeypatch):
    asked = []
    ring = types.ModuleType("keyring")
    ring.get_password = lambda service, user: asked.append((service, user)) or "from-the-ring"
    errors = types.ModuleType("keyring.errors")
    errors.KeyringError = type("KeyringError", (Exception,), {})
    monkeypatch.setitem(sys.modules, "keyring", ring)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    url = "https://label.example.org:8443/studio"
    assert connection(url).token == "from-the-ring"
    assert asked == [("phiscan", "label.example.org")]
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "second")
    assert connection(url).token == "second"
    monkeypatch.setenv("PHISCAN_LABEL_STUDIO_TOKEN", " first \n")
    assert connection(url).token == "first"
    assert len(asked) == 1


@pytest.mark.parametrize("ring", ["absent", "locked", "empty"])
def test_without_a_token_the_way_out_is_named(ring, monkeypatch):
    module, errors = types.ModuleType("keyring"), types.ModuleType("keyring.errors")
    errors.KeyringError = type("KeyringError", (Exception,), {})

    def get_password(service, user):
        if ring == "locked":
            raise errors.KeyringError("locked")

    module.get_password = get_password
    monkeypatch.setitem(sys.modules, "keyring", None if ring == "absent" else module)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    with pytest.raises(ConfigError, match="PHISCAN_LABEL_STUDIO_TOKEN"):
        connection("https://label.example.org")


def test_the_token_is_in_no_repr_and_must_be_one():
    assert TOKEN not in repr(Connection("https://label.example.org", TOKEN))
    for wrong in ("", "  ", "two words", "line\nbreak", "emoji\N{PILE OF POO}"):
        with pytest.raises(ConfigError) as caught:
            Connection("https://label.example.org", wrong)
        assert len(wrong) < 3 or wrong not in str(caught.value)


def test_without_the_package_the_extra_is_named(monkeypatch, link):
    monkeypatch.setitem(sys.modules, "label_studio_sdk", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'phiscan\[review\]'"):
        send_tasks(link, make_tasks(1))


def test_importing_the_module_loads_no_client():
    code = "import sys, phiscan.review.client; print(sorted({'label_studio_sdk', 'httpx', 'keyring'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


# --- push ---


def test_a_push_makes_the_project_and_sends_everything_once(double, link, monkeypatch):
    monkeypatch.setattr(client, "MAX_TASKS", 4)
    monkeypatch.setattr(server, "PAGE", 3)
    progress = []
    tasks = make_tasks(10)
    pushed = send_tasks(link, tasks, progress=lambda *step: progress.append(step))
    assert pushed == (1, 10, 0)
    assert double.doc_ids() == [task["data"]["doc_id"] for task in tasks]
    assert [task["data"] for task in double.tasks.values()] == [task["data"] for task in tasks]
    assert len(double.predictions) == 5
    assert progress == [("push", 4, 10), ("push", 8, 10), ("push", 10, 10)]
    project = double.projects[1]
    assert project["title"] == TITLE
    assert project["label_config"] == CONFIG
    assert project["model_version"] == VERSION
    assert project["maximum_annotations"] == 1
    assert project["sampling"] == "Sequential sampling"
    assert project["show_collab_predictions"] is True
    assert double.seen[0][2] == f"Token {TOKEN}"


def test_a_second_push_sends_nothing_and_a_larger_one_only_what_is_new(double, link):
    send_tasks(link, make_tasks(6))
    assert send_tasks(link, make_tasks(6)) == (1, 0, 6)
    assert double.count("POST", "/import") == 1
    assert send_tasks(link, make_tasks(9)) == (1, 3, 6)
    assert len(double.doc_ids()) == len(set(double.doc_ids())) == 9


@pytest.mark.parametrize("what", ["cut", "cut after", "late", 502, 500])
def test_a_broken_connection_neither_loses_nor_doubles_a_task(what, double, link, monkeypatch):
    monkeypatch.setattr(client, "MAX_TASKS", 2)
    project = double.add_project()
    double.add_task(project, make_tasks(1)[0])
    double.faults += [("POST", r".*/import", None), ("POST", r".*/import", what)]
    assert send_tasks(link, make_tasks(7)) == (project, 6, 1)
    assert double.doc_ids() == [task["data"]["doc_id"] for task in make_tasks(7)]
    assert not double.faults
    assert sum(one["task"] in double.tasks for one in double.predictions.values()) == 3


def test_success_at_the_last_try_is_success(double, link):
    double.faults += [("POST", r".*/import", "cut")] * 3
    assert send_tasks(link, make_tasks(3)).sent == 3


def test_trying_again_ends(double, link):
    double.faults += [("POST", r".*/import", "cut")] * 50
    with pytest.raises(PhiscanError, match=r"could not be reached.*sending tasks"):
        send_tasks(link, make_tasks(3))
    assert double.count("POST", "/import") == 4


def test_a_twin_that_somebody_annotates_is_not_removed(double, link, monkeypatch):
    double.faults += [("POST", r".*/import", "late")]
    plain = Double.add_task
    monkeypatch.setattr(
        Double, "add_task", lambda *a, **k: plain(*a, **k, annotations=[{"id": 1, "result": []}])
    )
    with pytest.raises(PhiscanError, match="annotated already"):
        send_tasks(link, make_tasks(2))
    assert len(double.tasks) == 4


def test_a_task_that_stands_twice_before_the_push_is_an_error(double, link):
    project = double.add_project()
    for _ in range(2):
        double.add_task(project, make_tasks(1)[0])
    with pytest.raises(PhiscanError, match="1 outputs more than once"):
        send_tasks(link, make_tasks(3))
    assert double.count("POST", "/import") == 0


def test_a_task_that_somebody_doubles_meanwhile_is_an_error_and_left(double, link):
    send_tasks(link, make_tasks(1))
    double.late.append(lambda: double.add_task(1, make_tasks(1)[0]))
    with pytest.raises(PhiscanError, match="1 outputs more than once"):
        send_tasks(link, make_tasks(2))
    assert len(double.tasks) == 3


def test_a_task_with_another_text_is_an_error_that_quotes_none(double, link):
    project = double.add_project()
    changed = make_tasks(1)[0]
    changed["data"]["text"] = f"{SECRET}, changed"
    double.add_task(project, changed)
    with pytest.raises(PhiscanError, match="another text") as caught:
        send_tasks(link, make_tasks(3))
    assert_clean(caught.value)


def test_foreign_tasks_are_left_alone(double, link):
    project = double.add_project()
    for data in (
        {"text": "by hand"},
        {"doc_id": 5, "text": "by hand"},
        {"doc_id": "f" * 16, "text": "by hand"},
    ):
        double.add_task(project, {"data": data, "predictions": []})
    assert send_tasks(link, make_tasks(3)) == (project, 3, 0)
    assert len(double.tasks) == 6


@pytest.mark.parametrize("setting", [{"model_version": ""}, {"show_collab_predictions": False}])
def test_a_prediction_that_is_missing_is_sent_and_a_doubled_one_refused(setting, double, link):
    project = double.add_project(**setting)
    tasks = make_tasks(4)
    numbers = [double.add_task(project, task, predicted=False) for task in tasks]
    assert send_tasks(link, tasks) == (project, 0, 4)
    assert [one["task"] for one in double.predictions.values()] == [numbers[1], numbers[3]]
    assert next(iter(double.predictions.values()))["result"] == tasks[1]["predictions"][0]["result"]
    assert double.projects[project]["model_version"] == VERSION
    assert double.projects[project]["show_collab_predictions"] is True
    double.add_prediction(numbers[1], tasks[1]["predictions"][0])
    with pytest.raises(PhiscanError, match="more than once"):
        send_tasks(link, tasks)


def test_blind_tasks_alone_need_no_predictions(double, link):
    assert send_tasks(link, make_tasks(3, predicted=False)).sent == 3
    assert not double.predictions
    assert double.count("GET", "/api/predictions/") == 0


def test_the_project_is_found_by_its_whole_title(double, link):
    double.add_project(TITLE + "0")
    double.add_project(TITLE.upper())
    assert send_tasks(link, make_tasks(1)).project_id == 3


def test_of_several_projects_of_a_title_the_remembered_or_the_only_filled_one_is_taken(double, link):
    empty, filled, other = (double.add_project() for _ in range(3))
    assert send_tasks(link, []).project_id == empty
    double.add_task(filled, make_tasks(1)[0])
    assert send_tasks(link, make_tasks(1)) == (filled, 0, 1)
    assert send_tasks(link, make_tasks(1), state={"project_id": 99}) == (filled, 0, 1)
    assert send_tasks(link, make_tasks(1), state={"project_id": other}) == (other, 1, 0)
    with pytest.raises(PhiscanError, match="2 projects of this title"):
        send_tasks(link, make_tasks(1))
    double.projects[other]["title"] = "renamed"
    assert send_tasks(link, make_tasks(1), state={"project_id": other}) == (filled, 0, 1)


def test_what_cannot_be_sent_is_refused_before_anything_is(double, link):
    lone, twice, two, lacking = (make_tasks(2) for _ in range(4))
    lone[1]["data"]["text"] = f"{SECRET} \ud83d"
    twice[1]["data"]["doc_id"] = twice[0]["data"]["doc_id"]
    two[1]["predictions"] *= 2
    del lacking[1]["data"]["text"]
    for tasks in (lone, twice, two, lacking):
        with pytest.raises(ConfigError, match="task 2 ") as caught:
            send_tasks(link, tasks)
        assert_clean(caught.value)
    with pytest.raises(ConfigError, match="3 to 50"):
        push(link, title="ab", label_config=CONFIG, tasks=[], model_version=VERSION)
    assert double.count("POST", "") == 0


@given(st.lists(st.integers(1, 60), max_size=40), st.integers(1, 7), st.integers(30, 200))
def test_batches_keep_the_order_and_both_bounds(lengths, count, size):
    tasks = [{"data": {"text": "é" * length}} for length in lengths]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "MAX_TASKS", count)
        patch.setattr(client, "MAX_BYTES", size)
        batches = list(client._batches(tasks))
    assert [task for batch in batches for task in batch] == tasks
    for batch in batches:
        weight = sum(len(json.dumps(task, ensure_ascii=False).encode()) for task in batch)
        assert len(batch) == 1 or (len(batch) <= count and weight <= size)


# --- what goes wrong ---


@pytest.mark.parametrize(
    ("what", "message", "tries"),
    [
        (401, "refused the token \\(401\\)", 1),
        (403, "refused the token \\(403\\)", 1),
        (404, "answered 404", 1),
        (500, "answered 500", 4),
        (503, "answered 503", 4),
        ("cut", "could not be reached", 4),
        ("nonsense", "cannot be read", 1),
        ((302, {"Location": "http://example.org/"}), "redirect \\(302\\)", 1),
    ],
)
@pytest.mark.parametrize(
    ("path", "step"), [("/api/projects/", "finding the project"), ("/api/tasks/", "listing the tasks")]
)
def test_every_trouble_is_one_clean_line_that_names_the_step(what, message, tries, path, step, double, link):
    double.faults += [("GET", path, what)] * 50
    with pytest.raises(PhiscanError, match=f"{message}.*{step}") as caught:
        send_tasks(link, make_tasks(2))
    assert_clean(caught.value)
    assert double.count("GET", path + "$") == tries


def test_refused_tasks_are_one_clean_line(double, link):
    double.faults += [("POST", r".*/import", 400)]
    with pytest.raises(PhiscanError, match="answered 400, at: sending tasks") as caught:
        send_tasks(link, make_tasks(2))
    assert_clean(caught.value)
    assert double.count("POST", "/import") == 1


def test_a_passing_trouble_of_a_question_passes(double, link):
    double.faults += [
        ("GET", "/api/tasks/", "cut"),
        ("GET", "/api/tasks/", 502),
        ("GET", "/api/predictions/", 500),
    ]
    assert send_tasks(link, make_tasks(2)).sent == 2


def test_a_server_that_is_not_there(link, double):
    http = serve(Double())
    url = f"http://127.0.0.1:{http.server_port}"
    http.shutdown()
    http.server_close()
    with pytest.raises(PhiscanError, match=r"could not be reached \(ConnectError\)"):
        send_tasks(Connection(url, TOKEN), make_tasks(1))


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("path", ["/api/projects/", r"/api/projects/\d+/import"])
def test_neither_token_nor_tasks_follow_a_redirect(status, path, double, link):
    elsewhere = Double()
    http = serve(elsewhere)
    url = f"http://127.0.0.1:{http.server_port}"
    method = "POST" if path.endswith("import") else "GET"
    double.faults += [(method, path, (status, {"Location": f"{url}/api/projects/"}))] * 9
    with pytest.raises(ConfigError, match="redirect"):
        send_tasks(link, make_tasks(1))
    http.shutdown()
    http.server_close()
    assert elsewhere.seen == []


def test_plain_http_goes_through_no_proxy(double, link, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert send_tasks(link, make_tasks(1)).sent == 1


def test_logs_hold_neither_text_nor_token(double, link, caplog):
    caplog.set_level(logging.DEBUG)
    double.faults += [("POST", r".*/import", 502), ("GET", "/api/tasks/", 500)]
    send_tasks(link, make_tasks(2))
    pull(link, TITLE)
    assert caplog.records  # the HTTP library names requests
    said = " ".join([caplog.text, *(repr(record.__dict__) for record in caplog.records)])
    assert not any(word in said for word in (*SECRET.split()[:2], TOKEN))


@pytest.mark.parametrize("prefix", ["", "/studio", "/label/studio"])
def test_a_personal_access_token_is_traded_for_a_short_lived_one(prefix, double):
    double.prefix = prefix
    refresh = jwt(token_type="refresh")
    link = Connection(double.url + prefix, refresh)
    assert send_tasks(link, make_tasks(2)).sent == 2
    assert double.seen[0][:2] == ("POST", "/api/token/refresh/")
    assert {auth for _, path, auth in double.seen[1:]} == {f"Bearer {access_token(refresh)}"}
    assert double.count("POST", "/refresh/") == 1


@pytest.mark.parametrize("token", [jwt(token_type="refresh", exp=1_000_000_000), jwt(token_type="refresh")])
def test_a_personal_access_token_that_is_not_good_any_more(token, double):
    double.faults += [("POST", "/api/token/refresh/", 401)]
    with pytest.raises(ConfigError, match="refused the token") as caught:
        send_tasks(Connection(double.url, token), make_tasks(1))
    assert token not in str(caught.value)


# --- pull ---


def pushed_and_annotated(double, link):
    project = send_tasks(link, make_tasks(3)).project_id
    for number, task in enumerate(double.tasks.values()):
        task["annotations"] = [{"id": number, "completed_by": 7 + number, "result": []}]
    return project


@pytest.mark.parametrize("by", ["title", "id"])
def test_a_pull_is_the_whole_export_with_predictions_and_emails(by, double, link):
    project = pushed_and_annotated(double, link)
    tasks = pull(link, TITLE if by == "title" else project)
    assert [task["data"] for task in tasks] == [task["data"] for task in make_tasks(3)]
    assert [task["annotations"][0]["completed_by"] for task in tasks] == ["first@example.org", 8, 9]
    assert [len(task["predictions"]) for task in tasks] == [0, 1, 0]
    prediction = make_tasks(2)[1]["predictions"][0]
    assert tasks[1]["predictions"][0].items() >= prediction.items()


def test_a_pull_by_somebody_who_may_not_see_the_users(double, link):
    pushed_and_annotated(double, link)
    double.faults += [("GET", "/api/users/", 403)]
    assert [task["annotations"][0]["completed_by"] for task in pull(link, TITLE)] == [7, 8, 9]


def test_a_pull_of_no_project(double, link):
    assert pull(link, TITLE) is None
    double.faults += [("GET", "/api/projects/99/", 404)]
    with pytest.raises(PhiscanError, match="404"):
        pull(link, 99)


@pytest.mark.parametrize("lost", ["one", "doubled"])
def test_an_export_that_is_not_whole_is_refused(lost, double, link, monkeypatch):
    pushed_and_annotated(double, link)
    whole = Double.get_export
    cut = {"one": lambda rows: rows[1:], "doubled": lambda rows: [*rows, rows[0]]}[lost]
    routes = [(m, p, (lambda *a: cut(whole(*a))) if call is whole else call) for m, p, call in Double.ROUTES]
    monkeypatch.setattr(Double, "ROUTES", routes)
    with pytest.raises(PhiscanError, match="not whole"):
        pull(link, TITLE)


def test_a_list_that_ends_too_early_is_refused(double, link, monkeypatch):
    send_tasks(link, make_tasks(3))
    whole = Double.get_tasks
    routes = [
        (m, p, (lambda *a: whole(*a) | {"total": 4}) if call is whole else call)
        for m, p, call in Double.ROUTES
    ]
    monkeypatch.setattr(Double, "ROUTES", routes)
    with pytest.raises(PhiscanError, match=r"list changed.*listing the tasks"):
        send_tasks(link, make_tasks(3))
