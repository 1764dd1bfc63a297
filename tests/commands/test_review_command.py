"""`phiscan review` with files alone: draw, answer, take in, score; and what it refuses."""

import json
import shutil
import stat

import pytest
from replay_cases import case_inputs

from phiscan.config import ScanConfig
from phiscan.pipeline import scan
from phiscan.scan_report import ScanReport
from phiscan.store import RunDirectory

SECRET = ("Lindqvist", "Quillon", "Okoro", "Tremblay")


@pytest.fixture
def phiscan(command_line):
    """The command line, which never prints what stands in a record."""

    def call(*arguments):
        code, out, err = command_line(*arguments)
        assert not any(name in out + err for name in SECRET)
        return code, out, err

    return call


def tasks_of(run, name):
    return json.loads((run / "review" / f"tasks-{name}.json").read_text(encoding="utf-8"))


def answered(task, say, *, author, marks=()):
    """A task as an export holds it: ``say(label, text)`` is the verdict on each shown region."""
    result = []
    text = task["data"]["text"]
    for prediction in task["predictions"]:
        for region in prediction["result"]:
            value = region["value"]
            assert value["text"] == text[value["start"] : value["end"]]
            verdict = say(value["labels"][0], value["text"])
            result += [region, choice(region["id"], "verdict", verdict)]
    for number, (words, label) in enumerate(marks):
        start = text.find(words)
        if start >= 0:
            value = {"start": start, "end": start + len(words), "text": "?", "labels": [label]}
            result.append(
                {"id": f"m{number}", "from_name": "phi", "to_name": "text", "type": "labels", "value": value}
            )
    result.append(choice("whole", "memorization", "harmful"))
    annotation = {"completed_by": {"email": author}, "updated_at": "2026-03-01T10:00:00Z", "result": result}
    return {"id": 1, "data": task["data"], "annotations": [annotation]}


def choice(region_id, name, chosen):
    return {
        "id": region_id,
        "from_name": name,
        "to_name": "text",
        "type": "choices",
        "value": {"choices": [chosen]},
    }


def answer_all(run, tmp_path, phiscan, name, say, marks=(), author="ada@example.org"):
    path = tmp_path / f"export-{name}.json"
    path.write_text(
        json.dumps([answered(task, say, author=author, marks=marks) for task in tasks_of(run, name)])
    )
    return phiscan("review", "pull", run, "--from", path, "--annotator", name)


def confirm(label, text):
    return "confirmed"


def reject_names(label, text):
    return "not_phi" if label == "PATIENT" else "confirmed"


# --- export -----------------------------------------------------------------------------------


def test_export_writes_what_annotators_need(run, phiscan):
    code, out, _ = phiscan("review", "export", run)
    assert code == 0
    assert "without pre-annotations" in out
    folder = run / "review"
    names = {
        "tasks-1.json",
        "tasks-2.json",
        "label_config.xml",
        "guidelines.md",
        "codebook.md",
        "sample.json",
    }
    assert names <= {path.name for path in folder.iterdir()}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_every_output_with_text_can_be_drawn_once(run, phiscan):
    phiscan("review", "export", run, "--n", 1000, "--overlap", 0)
    tasks = [*tasks_of(run, 1), *tasks_of(run, 2)]
    texts = [
        c.text for c in RunDirectory(run).read_table("continuations") if c.arm == "scanned" and c.text.strip()
    ]
    assert sorted(task["data"]["text"] for task in tasks) == sorted(texts)
    assert len({task["data"]["doc_id"] for task in tasks}) == len(tasks)


def test_the_same_export_again_gives_the_same_files(run, phiscan):
    phiscan("review", "export", run, "--n", 12, "--seed", 3)
    first = {path.name: path.read_bytes() for path in (run / "review").iterdir()}
    phiscan("review", "export", run, "--n", 12, "--seed", 3)
    assert {path.name: path.read_bytes() for path in (run / "review").iterdir()} == first


def test_another_sample_is_refused_with_the_difference(run, phiscan):
    phiscan("review", "export", run, "--n", 12)
    code, _, error = phiscan("review", "export", run, "--n", 14, "--seed", 1)
    assert code == 2
    assert "other n, seed" in error


def test_a_width_gives_the_size(run, phiscan):
    code, _out, _ = phiscan("review", "export", run, "--width", 0.5)
    assert code == 0
    assert phiscan("review", "export", run, "--width", 0.5, "--n", 3)[0] == 2


def test_what_is_no_finished_run_is_refused(tmp_path, phiscan):
    assert phiscan("review", "export", tmp_path)[0] == 2
    assert phiscan("review", "score", tmp_path)[0] == 2


# --- the whole way ------------------------------------------------------------------------------


def test_answers_change_verdicts_and_stand_in_the_report(run, tmp_path, phiscan):
    """Names rejected by both people: no headline leak of a name is left, and the report says who read what."""
    phiscan("review", "export", run, "--n", 1000, "--overlap", 1, "--blind", 0.1)

    for name, author in ((1, "ada@example.org"), (2, "bo@example.org")):
        code, out, _ = answer_all(run, tmp_path, phiscan, name, reject_names, author=author)
        assert code == 0
        assert "0 skipped" in out
    before = ScanReport.model_validate_json((run / "report.json").read_text())
    code, _out, _ = phiscan("review", "score", run)
    assert code == 0
    report = ScanReport.model_validate_json((run / "report.json").read_text())
    review = report.review
    assert (review.people, review.open, review.unusable_regions) == (2, 0, 0)
    assert review.answered == review.items == review.outputs == review.twice

    def instances(of, verdict):
        return sum(
            v.instances
            for v in of.verdicts
            if (v.arm, v.category, v.verdict) == ("scanned", "PATIENT", verdict)
        )

    shown = [item for item in RunDirectory(run).read_table("review_items") if not item.blind]
    assert shown
    assert instances(before, "not_phi") == 0
    assert instances(report, "not_phi") > 0
    assert sum(v.headline for v in report.verdicts) < sum(v.headline for v in before.verdicts)
    kappa = next(e for e in report.agreement if e.metric == "verdict_kappa")
    assert kappa.value == 1.0
    assert "What people found" in (run / "report.html").read_text()
    verdicts = [v for v in RunDirectory(run).read_table("verdicts") if v.verifier == "human"]
    assert {v.author for v in verdicts} <= {"ada@example.org", "bo@example.org"}
    assert all(v.time for v in verdicts)


def test_scoring_twice_changes_nothing(run, tmp_path, phiscan):
    phiscan("review", "export", run, "--n", 20, "--annotators", 1)
    answer_all(run, tmp_path, phiscan, 1, confirm)
    phiscan("review", "score", run)
    first = (run / "report.json").read_bytes()
    phiscan("review", "score", run)
    assert (run / "report.json").read_bytes() == first


def test_what_people_add_is_verified_like_any_hit(run, tmp_path, phiscan):
    """A word of the record that no detector marks: marked by a person, it has a verdict and counts as missed."""
    phiscan("review", "export", run, "--n", 1000, "--annotators", 1, "--blind", 1)
    marks = (("retired organist", "PROFESSION"), ("goats", "PROFESSION"))
    answer_all(run, tmp_path, phiscan, 1, confirm, marks=marks)
    code, _out, _ = phiscan("review", "score", run)
    assert code == 0
    directory = RunDirectory(run)
    added = [hit for hit in directory.read_table("hits") if hit.detector == "people"]
    review = ScanReport.model_validate_json((run / "report.json").read_text()).review
    assert added
    assert sum(review.missed_verdicts.values()) == len(added)
    verdicts = {v.hit_id: v for v in directory.read_table("verdicts")}
    assert {verdicts[hit.hit_id].verifier for hit in added} == {"human"}
    assert all(hit.text in ("retired organist", "goats") for hit in added)
    miss = next(
        e for e in review.estimates if (e.metric, e.stratum.category) == ("detector_miss_rate", "PROFESSION")
    )
    assert miss.value > 0


def test_disagreements_go_to_a_third_person(run, tmp_path, phiscan):
    phiscan("review", "export", run, "--n", 1000, "--overlap", 1, "--blind", 0.1)
    answer_all(run, tmp_path, phiscan, 1, confirm, author="ada@example.org")
    answer_all(
        run,
        tmp_path,
        phiscan,
        2,
        lambda label, text: "not_phi" if label == "PATIENT" else "confirmed",
        author="bo@example.org",
    )
    phiscan("review", "score", run)
    review = ScanReport.model_validate_json((run / "report.json").read_text()).review
    assert 0 < review.differing == review.open < review.items
    code, out, _ = phiscan("review", "export", run, "--adjudicate")
    assert code == 0
    assert f"{review.differing} of {review.items} outputs were answered differently" in out
    tasks = tasks_of(run, "adjudication")
    assert len(tasks) == review.differing
    regions = tasks[0]["predictions"][0]["result"]
    assert len({r["id"] for r in regions}) == len(regions)
    answer_all(run, tmp_path, phiscan, "adjudication", confirm, author="cy@example.org")
    phiscan("review", "score", run)
    review = ScanReport.model_validate_json((run / "report.json").read_text()).review
    assert (review.open, review.adjudicated) == (0, len(tasks))
    rejected = [v for v in RunDirectory(run).read_table("verdicts") if v.verdict == "not_phi"]
    assert rejected == []


def test_a_wrong_region_is_listed_and_the_others_count(run, tmp_path, phiscan):
    phiscan("review", "export", run, "--n", 20, "--annotators", 1)
    tasks = [answered(task, confirm, author="ada@example.org") for task in tasks_of(run, 1)]
    tasks[0]["annotations"][0]["result"] += [
        {
            "id": "bad1",
            "from_name": "phi",
            "type": "labels",
            "value": {"start": 5, "end": 2, "labels": ["DATE"]},
        },
        {
            "id": "Lindqvist 1",
            "from_name": "phi",
            "type": "labels",
            "value": {"start": 0, "end": 10**9, "labels": ["DATE"]},
        },
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    code, out, _ = phiscan("review", "pull", run, "--from", path)
    assert code == 0
    assert "region drawn by hand: it ends before it starts; not used" in out
    assert "region drawn by hand: it lies outside the output; not used" in out
    phiscan("review", "score", run)
    assert ScanReport.model_validate_json((run / "report.json").read_text()).review.unusable_regions == 2


def test_what_cannot_be_taken_in_is_one_line(run, tmp_path, phiscan):
    path = tmp_path / "export.json"
    path.write_text("[]")
    assert "export RUN` first" in phiscan("review", "pull", run, "--from", path)[2]
    phiscan("review", "export", run, "--n", 10, "--annotators", 1)
    assert "no answers yet" in phiscan("review", "score", run)[2]
    for content, words in (("{", "JSON"), ("{}", "list of tasks"), ("[" * 100_000, "JSON")):
        path.write_text(content)
        code, _, error = phiscan("review", "pull", run, "--from", path)
        assert (code, words in error, error.count("\n")) == (2, True, 1)
    path.write_text("[]")
    assert phiscan("review", "pull", run, "--from", path, "--annotator", "7")[0] == 2
    assert phiscan("review", "pull", run, "--from", tmp_path / "nowhere")[0] == 2


def test_a_resumed_scan_keeps_what_people_said(run, tmp_path, phiscan, write_jsonl):
    """`scan` on the same run directory makes the report anew from the tables: the review stays in it."""
    phiscan("review", "export", run, "--n", 20, "--annotators", 1)
    answer_all(run, tmp_path, phiscan, 1, confirm)
    phiscan("review", "score", run)
    review = ScanReport.model_validate_json((run / "report.json").read_text()).review
    inputs = case_inputs(tmp_path, write_jsonl)
    again = scan(inputs._replace(out=run), ScanConfig())
    assert again.review == review


# --- nothing lost, nothing counted twice ---------------------------------------------------------


def figures(run):
    review = ScanReport.model_validate_json((run / "report.json").read_text()).review
    return review.model_dump(mode="json")


def test_a_second_adjudication_export_leaves_what_was_handed_out(run, tmp_path, phiscan):
    phiscan("review", "export", run, "--n", 1000, "--overlap", 1, "--blind", 0.1)
    answer_all(run, tmp_path, phiscan, 1, confirm, author="ada@example.org")
    answer_all(run, tmp_path, phiscan, 2, reject_names, author="bo@example.org")
    phiscan("review", "export", run, "--adjudicate")
    handed = tasks_of(run, "adjudication")
    answer_all(run, tmp_path, phiscan, "adjudication", reject_names, author="cy@example.org")
    phiscan("review", "score", run)
    first = figures(run)
    assert phiscan("review", "export", run, "--adjudicate")[0] == 0
    assert tasks_of(run, "adjudication") == handed
    path = tmp_path / "export-adjudication.json"
    assert phiscan("review", "pull", run, "--from", path, "--annotator", "adjudication")[0] == 0
    phiscan("review", "score", run)
    assert figures(run) == first


def test_a_region_added_meanwhile_moves_no_verdict(run, tmp_path, phiscan):
    """Annotator 1 marks one more word after adjudication was handed out: the third person's verdicts stay put."""
    phiscan("review", "export", run, "--n", 1000, "--overlap", 1, "--blind", 0.1)
    answer_all(run, tmp_path, phiscan, 1, confirm, author="ada@example.org")
    answer_all(run, tmp_path, phiscan, 2, reject_names, author="bo@example.org")
    phiscan("review", "export", run, "--adjudicate")
    answer_all(run, tmp_path, phiscan, "adjudication", reject_names, author="cy@example.org")
    phiscan("review", "score", run)
    rejected = {v.hit_id for v in RunDirectory(run).read_table("verdicts") if v.verdict == "not_phi"}
    answer_all(run, tmp_path, phiscan, 1, confirm, marks=(("the", "PROFESSION"),), author="ada@example.org")
    phiscan("review", "export", run, "--adjudicate")
    path = tmp_path / "export-adjudication.json"
    phiscan("review", "pull", run, "--from", path, "--annotator", "adjudication")
    phiscan("review", "score", run)
    categories = {h.hit_id: h.category for h in RunDirectory(run).read_table("hits")}
    again = {v.hit_id for v in RunDirectory(run).read_table("verdicts") if v.verdict == "not_phi"}
    assert again == rejected
    assert {categories[hit_id] for hit_id in again} == {"PATIENT"}


def test_one_person_in_both_projects_counts_once(run, tmp_path, phiscan):
    phiscan("review", "export", run, "--n", 1000, "--overlap", 1, "--blind", 1)
    marks = (("goats", "PROFESSION"),)
    answer_all(run, tmp_path, phiscan, 1, confirm, marks=marks)
    phiscan("review", "score", run)
    alone = figures(run)["totals"]
    answer_all(run, tmp_path, phiscan, 2, confirm, marks=marks)
    phiscan("review", "score", run)
    assert figures(run)["totals"] == alone
    assert figures(run)["people"] == 1


def test_an_export_of_somebody_else_is_refused(run, tmp_path, phiscan):
    phiscan("review", "export", run, "--n", 24, "--overlap", 0)
    answer_all(run, tmp_path, phiscan, 1, confirm, author="ada@example.org")
    answer_all(run, tmp_path, phiscan, 2, confirm, author="bo@example.org")
    code, _, error = phiscan("review", "pull", run, "--from", tmp_path / "export-2.json", "--annotator", 1)
    assert (code, "not of this person" in error) == (2, True)
    code, _, error = phiscan("review", "pull", run, "--from", tmp_path / "export-1.json")
    assert (code, "say whose export it is: 1, 2" in error) == (2, True)


def test_what_was_taken_in_stays(run, tmp_path, phiscan):
    """An export with fewer answers, or none, loses nothing; a changed answer is added, and the latest counts."""
    phiscan("review", "export", run, "--n", 24, "--annotators", 1)
    answer_all(run, tmp_path, phiscan, 1, confirm)
    phiscan("review", "score", run)
    first = figures(run)
    tasks = json.loads((tmp_path / "export-1.json").read_text())
    path = tmp_path / "again.json"
    for less in (tasks[1:], []):
        path.write_text(json.dumps(less))
        assert phiscan("review", "pull", run, "--from", path)[0] == 0
        phiscan("review", "score", run)
        assert figures(run) == first
    for task in tasks:
        [annotation] = task["annotations"]
        annotation["updated_at"] = "2026-04-01T10:00:00Z"
        for part in annotation["result"]:
            if part["from_name"] == "verdict":
                part["value"]["choices"] = ["not_phi"]
    path.write_text(json.dumps(tasks))
    phiscan("review", "pull", run, "--from", path)
    phiscan("review", "score", run)
    answers = list(RunDirectory(run).read_table("review_answers"))
    assert len({answer.answer_id for answer in answers}) == len(answers) >= 2 * len(tasks)
    assert {answer.time[:7] for answer in answers} == {"2026-03", "2026-04"}
    verdicts = [v for v in RunDirectory(run).read_table("verdicts") if v.verifier == "human"]
    assert {(v.verdict, v.time[:7]) for v in verdicts if not v.hit_id.partition("+")[1]} == {
        ("not_phi", "2026-04")
    }
    assert figures(run)["people"] == first["people"]


def test_a_stratum_nobody_read_takes_the_value_away(run, tmp_path, phiscan):
    phiscan("review", "export", run, "--n", 24, "--annotators", 1)
    items = {item.doc_id: item for item in RunDirectory(run).read_table("review_items")}
    left_out = next(item.stratum for item in items.values() if not item.stratum.startswith("no_hit"))
    tasks = [t for t in tasks_of(run, 1) if items[t["data"]["doc_id"]].stratum != left_out]
    path = tmp_path / "export.json"
    path.write_text(json.dumps([answered(task, confirm, author="ada@example.org") for task in tasks]))
    phiscan("review", "pull", run, "--from", path)
    phiscan("review", "score", run)
    review = ScanReport.model_validate_json((run / "report.json").read_text()).review
    for found in (*review.totals, *(e for e in review.estimates if e.stratum.category is None)):
        assert (found.corrected if hasattr(found, "corrected") else found.value) is None
        assert "nobody has read" in found.method


def test_a_region_deleted_and_drawn_anew_is_still_the_hit(run, tmp_path, phiscan):
    phiscan("review", "export", run, "--n", 1000, "--annotators", 1, "--blind", 0.1)
    answer_all(run, tmp_path, phiscan, 1, confirm)
    phiscan("review", "score", run)
    first = figures(run)
    tasks = json.loads((tmp_path / "export-1.json").read_text())
    for task in tasks:
        result = [r for r in task["annotations"][0]["result"] if r["from_name"] != "verdict"]
        for region in result:
            if region["type"] == "labels":
                region["id"] = f"new{region['id']}"
        task["annotations"][0]["result"] = result
    (tmp_path / "drawn.json").write_text(json.dumps(tasks))
    assert phiscan("review", "pull", run, "--from", tmp_path / "drawn.json")[0] == 0
    phiscan("review", "score", run)
    assert [e for e in figures(run)["estimates"]] == [e for e in first["estimates"]]
    assert figures(run)["totals"] == first["totals"]


def test_a_hit_relabelled_as_no_category_is_no_phi(run, tmp_path, phiscan):
    phiscan("review", "export", run, "--n", 1000, "--annotators", 1, "--blind", 0.1)
    tasks = [answered(task, confirm, author="ada@example.org") for task in tasks_of(run, 1)]
    for task in tasks:
        for region in task["annotations"][0]["result"]:
            if region.get("value", {}).get("labels"):
                region["value"]["labels"] = ["GENDER"]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    assert phiscan("review", "pull", run, "--from", path)[0] == 0
    assert phiscan("review", "score", run)[0] == 0
    precision = next(e for e in figures(run)["estimates"] if e["metric"] == "detector_precision")
    assert precision["count"] == 0


def test_a_sites_own_interface_stays_and_its_codebook_follows(run, phiscan):
    phiscan("review", "export", run, "--n", 12)
    config = run / "review" / "label_config.xml"
    config.write_text(config.read_text().replace('value="harmful"', 'value="harmful" alias="x"'))
    edited = config.read_bytes()
    assert phiscan("review", "export", run, "--n", 12)[0] == 0
    assert config.read_bytes() == edited


@pytest.mark.parametrize(
    "damage", ["config", "regions", "index", "sample", "surrogate", "adjudication", "few"]
)
def test_damage_is_one_line(run, tmp_path, phiscan, damage):
    phiscan("review", "export", run, "--n", 12, "--annotators", 1)
    path = tmp_path / "export.json"
    path.write_text(
        json.dumps([answered(task, confirm, author="ada@example.org") for task in tasks_of(run, 1)])
    )
    command = ["review", "pull", run, "--from", path]
    if damage == "config":
        (run / "review" / "label_config.xml").unlink()
    elif damage == "regions":
        (run / "tables" / "review_regions" / "review.parquet").write_bytes(b"PAR1")
    elif damage == "index":
        shutil.rmtree(run / "index" / "values")
    elif damage == "sample":
        (run / "review" / "sample.json").write_text("[]")
        command = ["review", "export", run, "--n", 12, "--annotators", 1]
    elif damage == "surrogate":
        path.write_text('[{"data": {"doc_id": "\\ud800"}, "annotations": []}]')
    elif damage == "adjudication":
        command = [*command, "--annotator", "adjudication"]
    elif damage == "few":
        shutil.rmtree(run / "review")
        shutil.rmtree(run / "tables" / "review_items")
        command = ["review", "export", run, "--n", 1]
    code, _, error = phiscan(*command)
    assert (code, error.count("\n")) == (2, 1)
    assert "internal error" not in error
