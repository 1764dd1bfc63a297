"""No spiked leak goes without a hit, and its verdict is the one its making implies."""

from collections import Counter

import pytest
from spiked_leaks import COMMON, FORMS, IN_PROMPT, INVENTED, OTHERS, make_patients, make_spikes

from phiscan.config import ScanConfig
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.store import RunDirectory

NO_LEAK = ("common", "invented", "in_prompt")


@pytest.fixture(scope="module")
def judged(tmp_path_factory, write_jsonl):
    """Every spike with the verdict of the hit that covers most of it, or None."""
    folder = tmp_path_factory.mktemp("spiked")
    patients = make_patients()
    spikes = make_spikes(patients)
    notes = [{"note_id": f"N{p.number:02d}", "patient_id": p.patient_id, "text": p.note} for p in patients]
    rows = [
        {"note_id": f"N{s.patient.number:02d}", "prefix": s.prefix, "continuation": s.continuation}
        for s in spikes
    ]
    inputs = ScanInputs(
        notes=write_jsonl(folder / "notes.jsonl", notes),
        replay=write_jsonl(folder / "outputs.jsonl", rows),
        out=folder / "run",
    )
    scan(inputs, ScanConfig())
    run = RunDirectory(folder / "run")
    verdicts = {verdict.hit_id: verdict.verdict for verdict in run.read_table("verdicts")}
    texts = {made.gen_id: made.text for made in run.read_table("continuations")}
    hits = {}
    for hit in run.read_table("hits"):
        hits.setdefault((hit.note_id, texts[hit.gen_id]), []).append(hit)
    return [(spike, *_found(spike, hits, verdicts)) for spike in spikes]


def _found(spike, hits, verdicts):
    def shared(hit):
        return min(hit.cont_end, spike.end) - max(hit.cont_start, spike.start)

    near = [h for h in hits.get((f"N{spike.patient.number:02d}", spike.continuation), ()) if shared(h) > 0]
    best = max(near, key=shared, default=None)
    return (None, None) if best is None else (best, verdicts[best.hit_id])


@pytest.mark.slow
def test_no_spiked_leak_goes_without_a_hit(judged):
    missed = Counter(spike.name for spike, hit, _ in judged if hit is None and spike.verdict not in NO_LEAK)
    assert not missed


@pytest.mark.slow
def test_verdicts_are_right(judged):
    wrong = Counter(
        (spike.name, spike.verdict, found) for spike, _, found in judged if found != spike.verdict
    )
    right = len(judged) - wrong.total()
    print(f"verdicts right: {right} of {len(judged)}; wrong: {wrong.most_common()}")
    assert right >= 0.98 * len(judged), wrong.most_common()


def test_spikes_are_what_they_say():
    patients = make_patients()
    spikes = make_spikes(patients)
    assert len(spikes) == 500
    assert len({spike.name for spike in spikes}) == len(FORMS) + len(OTHERS) + len(COMMON) + len(
        IN_PROMPT
    ) + len(INVENTED)
    for spike in spikes:
        value = spike.continuation[spike.start : spike.end]
        assert value
        assert value.strip() == value
        if spike.name.endswith("/verbatim"):
            assert value in spike.patient.note
