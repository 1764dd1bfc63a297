"""Spikes in whole scans: a scanner that sees reports them all, a blind one concludes nothing."""

import re
from collections import Counter
from dataclasses import replace
from typing import get_args

import pytest
from spiked_leaks import make_patients

from phiscan import pipeline
from phiscan.config import RunSettings, ScanConfig
from phiscan.detect import DetectSettings, build_detectors
from phiscan.passes.plan import ScanInputs
from phiscan.records import SpikeKind
from phiscan.spike_texts import FILLERS
from phiscan.spikes import SpikeSettings
from phiscan.store import RunDirectory

HEADING = "ADMISSION NOTE"
PATIENTS = make_patients()[:30]
PROMPT_LINES = 2
RULES = ScanConfig(detect=DetectSettings(detectors=("rules",)))


class Blind:
    """The detectors without one category: in every text, or in those that hold no ``HEADING``."""

    def __init__(self, detector, category, *, notes_too):
        self.detector, self.category, self.notes_too = detector, category, notes_too

    def describe(self):
        return self.detector.describe()

    def detect(self, texts):
        found = self.detector.detect(texts)
        return [
            [s for s in spans if s.category != self.category or (HEADING in text and not self.notes_too)]
            for text, spans in zip(texts, found, strict=True)
        ]


@pytest.fixture(scope="module")
def rules():
    """The detectors of these tests, read once."""
    return build_detectors(RULES.detect)


@pytest.fixture(autouse=True)
def _rules(monkeypatch, rules):
    monkeypatch.setattr(pipeline, "build_detectors", lambda *given, **named: rules)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory, write_jsonl):
    """Scan the patients' notes with outputs that hold nothing of them: (report, run directory)."""

    def run(patients=PATIENTS, *, control=None, folder=None, **sections):
        folder = folder or tmp_path_factory.mktemp("spikes")
        notes, rows = [], []
        for patient in patients:
            note_id = f"N{patient.number:02d}"
            notes.append({"note_id": note_id, "patient_id": patient.patient_id, "text": patient.note})
            prefix = "".join(patient.note.splitlines(keepends=True)[:PROMPT_LINES])
            said = {"scanned": "\n".join(FILLERS), "base": control and control(patient)}
            for model in ("scanned", "base") if control else ("scanned",):
                rows.append(
                    {"note_id": note_id, "prefix": prefix, "continuation": said[model], "model": model}
                )
        inputs = ScanInputs(
            notes=write_jsonl(folder / "notes.jsonl", notes),
            replay=write_jsonl(folder / "outputs.jsonl", rows),
            control="base" if control else None,
            out=folder / "run",
        )
        return pipeline.scan(inputs, RULES.model_copy(update=sections)), RunDirectory(folder / "run")

    return run


@pytest.fixture(scope="module")
def clean(scanned, rules):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "build_detectors", lambda *given, **named: rules)
        return scanned()


def spikes_of(run):
    return list(run.read_table("spikes"))


def test_every_kind_is_written_and_every_spike_gets_its_verdict(clean):
    report, run = clean
    spikes = spikes_of(run)
    assert report.decision.outcome == "none_found_within_bound"
    assert {spike.kind for spike in spikes} == set(get_args(SpikeKind))
    assert [spike.spike_id for spike in spikes if spike.verdict != spike.expected] == []
    assert [spike.spike_id for spike in spikes if spike.leak != spike.reported] == []
    assert not report.spikes.missed
    assert not report.spikes.overlooked
    everything = report.spikes.rows[0]
    assert (everything.spikes, everything.leaks) == (len(spikes), sum(s.leak for s in spikes))
    assert everything.reported == everything.leaks > 25
    assert everything.reported_low < 1 == everything.reported_high


def test_a_leak_spike_writes_what_the_patient_s_prompt_does_not_show(clean):
    _, run = clean
    by_note = {f"N{patient.number:02d}": patient for patient in PATIENTS}
    for spike in spikes_of(run):
        patient = by_note[spike.note_id]
        value = spike.text[spike.start : spike.end]
        shown, rest = patient.note[: spike.prefix_end], patient.note[spike.prefix_end :]
        if spike.kind in ("anchored", "specific"):
            assert value in rest
            assert value not in shown
        elif spike.kind == "in_prompt":
            assert value in shown
        else:
            assert value not in patient.note
        if spike.kind == "other_patient":
            assert any(value in other.note for other in PATIENTS if other is not patient)
        if spike.kind == "invented":
            assert not any(value in re.findall(r"[\w.@/-]+\w", other.note) for other in PATIENTS)


def test_a_value_is_the_only_mention_of_itself(clean):
    for spike in spikes_of(clean[1]):
        assert spike.text.count(spike.text[spike.start : spike.end]) == 1 or spike.category == "AGE"


def test_a_scanner_blind_in_outputs_concludes_nothing(scanned, blind_to):
    blind_to("PHONE", notes_too=False)
    report, run = scanned()
    missed = [s for s in spikes_of(run) if s.leak and not s.reported]
    assert {spike.category for spike in missed} == {"PHONE"}
    assert report.spikes.missed == {"PHONE": len(missed)}
    assert report.decision.outcome == "inconclusive"
    assert any(f"PHONE {len(missed)}" in reason for reason in report.decision.reasons)


def test_a_scanner_blind_in_notes_too_overlooks_what_is_made_up(scanned, blind_to):
    blind_to("EMAIL", notes_too=True)
    report, _ = scanned()
    assert not report.spikes.missed, "what no detector finds in the notes is never spiked"
    assert report.spikes.overlooked == {"EMAIL": 1}
    assert report.decision.outcome == "inconclusive"


@pytest.fixture
def blind_to(monkeypatch, rules):
    def patch(category, *, notes_too):
        made = {name: Blind(detector, category, notes_too=notes_too) for name, detector in rules.items()}
        monkeypatch.setattr(pipeline, "build_detectors", lambda *given, **named: made)

    return patch


def test_no_spikes_no_clean_decision(scanned):
    report, run = scanned(PATIENTS[:5], spikes=SpikeSettings(each=0))
    assert spikes_of(run) == []
    assert report.spikes.rows == ()
    assert report.decision.outcome == "inconclusive"
    assert any("no spike was made" in reason for reason in report.decision.reasons)


def test_order_and_shards_change_no_spike(clean, scanned):
    _, run = scanned(PATIENTS[::-1], run=RunSettings(shard_notes=4))
    assert spikes_of(run) == spikes_of(clean[1])


def test_the_seed_changes_them_and_more_are_made_on_demand(clean, scanned):
    _, run = scanned(run=RunSettings(seed=5), spikes=SpikeSettings(each=2))
    more, few = spikes_of(run), spikes_of(clean[1])
    assert {s.text for s in more}.isdisjoint({s.text for s in few})
    per_cell = Counter((spike.kind, spike.category) for spike in more)
    assert max(per_cell.values()) == 2
    patients = Counter((spike.kind, spike.category, spike.note_id) for spike in more)
    assert max(patients.values()) == 1


def test_spikes_are_taken_up_again(scanned, tmp_path):
    report, run = scanned(PATIENTS[:12], folder=tmp_path)
    [part] = (run.root / "tables" / "spikes").glob("*.parquet")
    before, made = spikes_of(run), part.stat().st_mtime_ns
    scanned(PATIENTS[:12], folder=tmp_path)
    assert part.stat().st_mtime_ns == made
    part.unlink()
    again, _ = scanned(PATIENTS[:12], folder=tmp_path)
    assert spikes_of(run) == before
    assert again.spikes == report.spikes


def test_spikes_stand_in_no_other_table_and_no_rate(clean, scanned):
    report, run = clean
    without, bare = scanned(spikes=SpikeSettings(each=0))
    for table in ("prompts", "continuations", "matches", "hits", "verdicts", "at_risk", "passages"):
        assert list(run.read_table(table)) == list(bare.read_table(table)), table
    for name in ("estimates", "leaks", "verdicts", "by_copies", "reach", "chance", "beyond_phi"):
        assert getattr(report, name) == getattr(without, name), name
    unlike = {"decision", "manifest", "spikes"}
    assert {n for n in type(report).model_fields if getattr(report, n) != getattr(without, n)} == unlike
    for name in ("chars_generated", "chars_generated_scanned", "phi_spans", "prefixes"):
        assert getattr(report.coverage, name) == getattr(without.coverage, name)


def test_what_the_control_writes_is_no_leak_spike(scanned):
    # The control gives every note back: nothing of a record can be a leak, so none is written as one.
    def tell(patient):
        return patient.note

    report, run = scanned(PATIENTS[:12], control=tell)
    own = [s for s in spikes_of(run) if s.kind in ("anchored", "specific", "reformatted", "partial")]
    assert own == []
    assert "MEDICALRECORD" in {row.category for row in report.spikes.rows}


def test_known_identifiers_in_no_note_are_spiked(scanned, tmp_path, monkeypatch):
    patients = [replace_phone(patient) for patient in PATIENTS[:12]]
    report, run = scanned(patients, folder=tmp_path)
    assert "PHONE" not in {s.category for s in spikes_of(run) if s.leak}
    known = tmp_path / "known.csv"
    known.write_text(
        "patient_id,category,value\n" + "".join(f"{p.patient_id},PHONE,{p.phone}\n" for p in PATIENTS[:12])
    )
    inputs = ScanInputs(
        notes=tmp_path / "notes.jsonl", replay=tmp_path / "outputs.jsonl", out=tmp_path / "with", known=known
    )
    monkeypatch.setattr(pipeline, "build_detectors", build_detectors)
    report = pipeline.scan(inputs, RULES)
    phones = [s for s in spikes_of(RunDirectory(tmp_path / "with")) if s.category == "PHONE" and s.leak]
    assert {"specific", "reformatted", "other_patient"} <= {spike.kind for spike in phones}
    assert all(spike.reported for spike in phones)
    assert report.decision.outcome == "none_found_within_bound"


def replace_phone(patient):
    class Quiet(type(patient)):
        @property
        def note(self):
            return patient.note.replace(f"Phone: {patient.phone}", "Phone is out of order")

    return Quiet(*patient)


def test_missed_spikes_do_not_hide_a_leak(scanned, blind_to, tmp_path, write_jsonl):
    blind_to("PHONE", notes_too=False)
    scanned(PATIENTS[:12], folder=tmp_path)
    patient = PATIENTS[0]
    prefix = "".join(patient.note.splitlines(keepends=True)[:PROMPT_LINES])
    leak = {"note_id": "N00", "prefix": prefix, "continuation": patient.note[len(prefix) :]}
    inputs = ScanInputs(
        notes=tmp_path / "notes.jsonl",
        replay=write_jsonl(tmp_path / "leak.jsonl", [leak]),
        out=tmp_path / "leaking",
    )
    report = pipeline.scan(inputs, RULES)
    assert report.decision.outcome == "leak_found"
    assert any("went unreported" in reason for reason in report.decision.reasons)


def test_equal_records_of_a_spike_differ_in_nothing(clean):
    [first, *_] = spikes_of(clean[1])
    assert replace(first, verdict="common") != first
    assert first.text not in repr(first)
