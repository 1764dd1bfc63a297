"""`phiscan expose` and `scan` with the pass in it, on a tiny random model."""

import json
import stat

import pytest
from tiny_model import make_model

from phiscan.config import load_config
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import expose, scan
from phiscan.scan_report import ExposureSection, ScanReport
from phiscan.store import RunDirectory

CANARY = "zyxwvutcanary"
SETTINGS = {
    "detect": {"detectors": ["rules"]},
    "regenerate": {"prefix_lengths": [10, 20], "max_new_tokens": 8},
    "expose": {"decoys": 7, "top": 2},
}


def rows():
    for patient in range(3):
        for number in range(2):
            yield {
                "note_id": f"{CANARY}-{patient}-{number}",
                "patient_id": f"{CANARY}-p{patient}",
                "text": f"Patient: Quillon, Mara {CANARY}. MRN: 77302{patient}{number}. Seen 3/1{patient}/2021 in clinic; "
                "she feels well, the wound is clean and dry. Follow up in two weeks with the renal team. "
                * 2,
            }


@pytest.fixture(scope="module")
def files(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("expose")
    notes = list(rows())
    return {
        "model": make_model(folder / "model"),
        "control": make_model(folder / "control", seed=5),
        "notes": write_jsonl(folder / "notes.jsonl", notes[:4]),
        "holdout": write_jsonl(folder / "holdout.jsonl", notes[4:]),
    }


def inputs(files, out, *, control=True):
    return ScanInputs(
        notes=files["notes"],
        holdout=files["holdout"],
        model=str(files["model"]),
        control=str(files["control"]) if control else None,
        out=out,
    )


def config(**expose_settings):
    return load_config(flags={**SETTINGS, "expose": SETTINGS["expose"] | expose_settings}, environment={})


@pytest.fixture(scope="module")
def exposed(files, tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "run"
    return expose(inputs(files, out), config()), RunDirectory(out)


def test_every_span_of_every_note_is_there(exposed):
    section, run = exposed
    spans = [phi for phi in run.read_table("phi") if phi.note_id is not None]
    exposures = list(run.read_table("exposures"))
    assert sorted(row.phi_id for row in exposures) == sorted(phi.phi_id for phi in spans)
    first = [row for row in exposures if not row.shown_before]
    assert sum(row.spans for row in section.rows if row.category is None) == len(first)
    # Each text says everything twice.
    assert 6 <= len(first) <= len(spans) / 2 + 1
    assert not any(row.shown_before for row in exposures if row.rank is not None)
    assert (section.notes, section.notes_failed, section.patients, section.control) == (6, 0, 3, True)
    assert all(row.control_logprob is not None for row in exposures)


def test_every_note_is_audited_by_both_models_at_every_length(exposed):
    _, run = exposed
    audits = {(a.note_id, a.arm, a.prefix_tok) for a in run.read_table("audits")}
    arms = {"scanned", "control", "holdout", "control_holdout"}
    assert {arm for _, arm, _ in audits} == arms
    assert {length for _, _, length in audits} == {10, 20, 32}
    assert len(audits) == 6 * 2 * 3


def test_ranks_are_of_what_stands_out_most_of_each_patient(exposed):
    section, run = exposed
    ranked = [row for row in run.read_table("exposures") if row.rank is not None]
    patients = {note.note_id: note.patient_id for note in run.read_table("notes")}
    for patient in set(patients.values()):
        assert 1 <= sum(patients[row.note_id] == patient for row in ranked) <= 2
    assert section.decoys == 7


def test_files_are_for_the_owner_and_only_the_restricted_one_tells_ids(exposed):
    section, run = exposed
    for name in ("exposure.json", "most_exposed.jsonl"):
        assert stat.S_IMODE((run.root / name).stat().st_mode) == 0o600
    assert ExposureSection.model_validate_json((run.root / "exposure.json").read_text()) == section
    assert CANARY not in (run.root / "exposure.json").read_text()
    lines = [json.loads(line) for line in (run.root / "most_exposed.jsonl").read_text().splitlines()]
    assert {line["patient_id"] for line in lines} == {f"{CANARY}-p{n}" for n in range(3)}
    assert all("text" not in line for line in lines)


def test_the_same_again_makes_nothing_anew(exposed, files):
    section, run = exposed
    part = next((run.root / "tables" / "exposures").glob("*.parquet"))
    before = part.stat().st_mtime_ns
    assert expose(inputs(files, run.root), config()) == section
    assert part.stat().st_mtime_ns == before


def test_a_scan_with_the_pass_has_the_section_in_its_report(files, tmp_path, exposed):
    section, _ = exposed
    report = scan(inputs(files, tmp_path / "run"), config(enabled=True))
    assert report.exposure == section
    assert ScanReport.model_validate_json((tmp_path / "run" / "report.json").read_text()).exposure == section


def test_a_scan_where_the_pass_was_made_before_takes_it_up(files, tmp_path, exposed):
    section, _ = exposed
    out = tmp_path / "run"
    before = scan(inputs(files, out), config())
    assert before.exposure is None
    expose(inputs(files, out), config())
    # The report of a finished scan is renewed at once.
    renewed = ScanReport.model_validate_json((out / "report.json").read_text())
    assert renewed.exposure == section
    assert (renewed.leaks, renewed.decision) == (before.leaks, before.decision)
    assert scan(inputs(files, out), config()).exposure == section


def test_without_a_control_gains_are_missing_not_zero(files, tmp_path):
    section = expose(inputs(files, tmp_path / "run", control=False), config(decoys=0))
    assert not section.control
    assert {row.median_gain_bits for row in section.rows} == {None}
    assert {row.ranked for row in section.rows} == {0}


@pytest.fixture
def phiscan(command_line):
    """The command line, which never prints what stands in a record."""

    def call(*arguments):
        code, out, err = command_line(*arguments)
        assert CANARY not in out + err
        return code, out, err

    return call


def test_the_command_prints_the_figures(files, tmp_path, phiscan):
    options = (
        "--set",
        'detect.detectors=["rules"]',
        "--set",
        "regenerate.prefix_lengths=[10]",
        "--set",
        "expose.decoys=3",
    )
    arguments = (
        "expose",
        "--notes",
        files["notes"],
        "--model",
        files["model"],
        "--out",
        tmp_path / "run",
        *options,
    )
    code, out, _ = phiscan(*arguments)
    assert code == 0
    assert "Exposure: one pass over every note, nothing generated" in out
    assert "k-extractable, training: 0 of 4" in out
    code, out, _ = phiscan(*arguments, "--json")
    assert code == 0
    assert ExposureSection.model_validate_json(out).notes == 4


def test_a_backend_that_cannot_score_is_refused(files, tmp_path, phiscan):
    code, _, error = phiscan(
        *("expose", "--notes", files["notes"], "--model", "x", "--out", tmp_path / "run"),
        *("--set", "model.backend=echo"),
    )
    assert code == 2
    assert "cannot tell how probable a text is" in error


def dated(number, patient, *dates):
    text = " ".join(f"Seen on {date} in clinic, and she feels well." for date in dates)
    return {"note_id": f"{CANARY}-{number}", "patient_id": f"{CANARY}-p{patient}", "text": text}


@pytest.fixture
def decoys_made(files, tmp_path, write_jsonl, monkeypatch):
    """(value, decoys) of every value ranked; patients 0 to 3 are members, 4 and 5 held out."""
    from phiscan.passes import expose as expose_pass

    made = {}

    def spy(category, text, count, rng, **options):
        return made.setdefault(text, expose_pass.decoys_as_ever(category, text, count, rng, **options))

    monkeypatch.setattr(expose_pass, "decoys_as_ever", expose_pass.make_decoys, raising=False)
    monkeypatch.setattr(expose_pass, "make_decoys", spy)
    notes = [
        dated(0, 0, "March 14, 2021", "April 10, 2021"),
        dated(1, 0, "5/12/2021"),
        dated(2, 1, "May 12, 2021", "June 21, 2021"),  # the first is patient 0's too, in another form
        dated(3, 2, "July 30, 2021"),
        dated(4, 3, "August 11, 2021", "March 14, 2021"),
    ]
    holdout = [dated(5, 4, "October 17, 2021"), dated(6, 5, "November 18, 2021")]
    given = ScanInputs(
        notes=write_jsonl(tmp_path / "notes.jsonl", notes),
        holdout=write_jsonl(tmp_path / "holdout.jsonl", holdout),
        model=str(files["model"]),
        out=tmp_path / "run",
    )

    def call(out="run", **expose_settings):
        made.clear()
        expose(given._replace(out=tmp_path / out), config(**{"ranked": "all"} | expose_settings))
        return dict(made)

    return call


def test_decoys_are_other_patients_values_those_of_the_same_split_first(decoys_made):
    made = decoys_made()
    own = made["April 10, 2021"]
    assert set(own.values[:3]) == {"June 21, 2021", "July 30, 2021", "August 11, 2021"}
    assert set(own.values[3:5]) == {"October 17, 2021", "November 18, 2021"}
    assert (own.given, len(own.values)) == (5, 7)
    held_out = made["October 17, 2021"]
    assert held_out.values[0] == "November 18, 2021"
    assert held_out.given == len(held_out.values) == 7
    assert len(set(held_out.values)) == 7


def test_no_decoy_is_the_patients_own_value_in_any_form(decoys_made):
    made = decoys_made(decoys=60)
    # His other note writes patient 0's 12 May with slashes.
    for value in ("March 14, 2021", "April 10, 2021"):
        assert not {"March 14, 2021", "April 10, 2021", "May 12, 2021"} & set(made[value].values)
    assert "March 14, 2021" not in made["August 11, 2021"].values, "two patients share it"
    assert "May 12, 2021" in made["July 30, 2021"].values


def test_equal_seeds_give_equal_decoys_whatever_the_shards(decoys_made):
    assert decoys_made("one") == decoys_made("two")


def test_the_report_says_how_many_stand_first_among_other_patients_values(decoys_made, tmp_path):
    decoys_made(decoys=60)
    section = ExposureSection.model_validate_json((tmp_path / "run" / "exposure.json").read_text())
    rows = [row for row in RunDirectory(tmp_path / "run").read_table("exposures") if row.given_rank]
    assert all(1 <= row.given_rank <= row.given_decoys + 1 <= row.decoys + 1 for row in rows)
    totals = [row for row in section.rows if row.category is None]
    assert sum(row.among_others for row in totals) == len(rows) == 9
    assert sum(row.first_among_others for row in totals) == sum(row.given_rank == 1 for row in rows)
    assert sum(row.first_by_chance for row in totals) == pytest.approx(
        sum(1 / (row.given_decoys + 1) for row in rows)
    )
