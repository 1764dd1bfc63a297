"""The whole way on a real server: draw, push, two people and a third annotate, pull, score."""

import json

import pytest
from live.people import annotate, create_person, kept, owner_client, region, task_ids, whole
from replay_cases import case_inputs

from phiscan.commands.review import export_adjudication, export_review, score_review
from phiscan.commands.review_exchange import project_title, pull_review, push_review
from phiscan.config import ScanConfig
from phiscan.pipeline import scan
from phiscan.store import RunDirectory

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run(tmp_path_factory, write_jsonl):
    inputs = case_inputs(tmp_path_factory.mktemp("live"), write_jsonl)
    scan(inputs, ScanConfig())
    return inputs.out


@pytest.fixture(scope="module")
def people(label_studio):
    return [create_person(label_studio, f"reviewer{n}@example.org") for n in (1, 2, 3)]


def project(server, run, name):
    title = project_title(RunDirectory(run), name)
    return next(p.id for p in owner_client(server).projects.list() if p.title == title)


def tasks_of(run, name):
    return json.loads((run / "review" / f"tasks-{name}.json").read_text(encoding="utf-8"))


def answer(server, run, name, person, verdict):
    """Annotate every task of a project as ``person``; ``verdict(label)`` for each shown region."""
    ids = task_ids(server, project(server, run, name))
    tasks = tasks_of(run, name)
    assert set(ids) == {task["data"]["doc_id"] for task in tasks}
    for task in tasks:
        result = [whole("memorization", "harmful")]
        for prediction in task["predictions"]:
            labels = {one["id"]: one["value"]["labels"][0] for one in prediction["result"]}
            result += kept(prediction, {id_: verdict(label) for id_, label in labels.items()})
        text = task["data"]["text"]
        if not task["predictions"] and "Lindqvist" in text:
            start = text.index("Lindqvist")
            result += region("mine", text, start, start + len("Lindqvist"), "PATIENT")
        annotate(server, person, ids[task["data"]["doc_id"]], result)
    return len(tasks)


def test_from_the_run_to_the_report(run, label_studio, people, monkeypatch, capsys):
    monkeypatch.setenv("PHISCAN_LABEL_STUDIO_TOKEN", label_studio.token)
    url = label_studio.url
    export_review(run, n=1000, overlap=1.0, blind=0.3)
    sent = push_review(run, url, allow_http=False)
    assert [(name, there) for name, _, there in sent] == [("1", 0), ("2", 0)]
    assert [(now, there > 0) for _, now, there in push_review(run, url, allow_http=False)] == [(0, True)] * 2

    answered = answer(label_studio, run, "1", people[0], lambda label: "confirmed")
    answer(label_studio, run, "2", people[1], lambda label: "not_phi" if label == "AGE" else "confirmed")
    received = pull_review(run, url, allow_http=False)
    assert {name: len(r.answers) for name, r in received.items()} == {"1": answered, "2": answered}
    assert [r.strays for r in received.values()] == [[], []]
    assert [span.problem for r in received.values() for span in r.spans if span.problem] == []
    assert {a.author for a in received["1"].answers} == {people[0].email}

    review = score_review(run).review
    assert review.people == 2
    assert review.twice == review.answered == review.items == answered
    assert 0 < review.open == review.differing < review.items
    kappa = next(e for e in review.agreement if e.metric == "verdict_kappa")
    assert kappa.value < 1

    export_adjudication(run)
    push_review(run, url, allow_http=False)
    answer(label_studio, run, "adjudication", people[2], lambda label: "confirmed")
    pull_review(run, url, allow_http=False)
    review = score_review(run).review
    assert (review.open, review.adjudicated) == (0, review.differing)
    assert not any(v.verdict == "not_phi" for v in RunDirectory(run).read_table("verdicts"))
    printed = capsys.readouterr()
    assert "Lindqvist" not in printed.out + printed.err
