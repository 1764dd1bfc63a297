"""Leakage by repetitions: counted by hand, and scans end to end."""

import random

import pytest

from phiscan.commands.demo_model import train_demo_model
from phiscan.config import ScanConfig, load_config
from phiscan.measures.repetitions import RepetitionCounts, copies_band
from phiscan.near_duplicates import RepetitionSettings
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.store import RunDirectory

pd = pytest.importorskip("pandas")


def rows_of(section, *, by="repetitions", arm="scanned"):
    """band -> (notes, net run / prompts, recovered / at risk, k-extractable / notes)."""
    return {
        row.band: (
            row.notes,
            *(
                (e.count, e.n) if e else None
                for e in (row.net_ratio, row.phi_recovery_rate, row.k_extractable)
            ),
        )
        for row in section.rows
        if (row.by, row.arm) == (by, arm)
    }


def section(**changes):
    """Patient A has a1 (six times) near b1 of patient B; a2 is copied from a1; b2 stands alone."""
    repetitions = pd.DataFrame(
        [("a1", 0, 7, 6, 1.0, False), ("a2", 1, 1, 1, 0.7, False), ("b1", 0, 7, 1, 0.0, True), ("b2", 2, 1, 1, 0.2, False)],
        columns=["note_id", "group", "repetitions", "same_patient", "copied_share", "crowded"],
    )  # fmt: skip
    notes = pd.DataFrame(
        [("a1", "A", 6), ("a2", "A", 1), ("b1", "B", 1), ("b2", "B", 1), ("h", "H", 1)],
        columns=["note_id", "patient_id", "copies"],
    )
    asked = ["arm", "note_id", "patient_id", "scheme", "tier", "decoding", "prefix_end", "net_token"]
    gens = pd.DataFrame(
        [
            ("scanned", "a1", "A", "bare", "prefix", "greedy", 9, 40),
            ("scanned", "a1", "A", "bare", "prefix", "greedy", 19, 29),
            ("scanned", "a2", "A", "bare", "prefix", "greedy", 9, 30),
            ("scanned", "b1", "B", "bare", "prefix", "greedy", 9, 90),
            ("scanned", "b2", "B", "bare", "prefix", "greedy", 9, 0),
            ("scanned", "b2", "B", "bare", "prefix", "greedy", None, 0),
            ("control", "a1", "A", "bare", "prefix", "greedy", 9, 0),
            ("holdout", "h", "H", "bare", "prefix", "greedy", 9, 60),
        ],
        columns=asked,
    )
    risk = pd.DataFrame(
        [
            ("scanned", "a1", "A", "bare", "prefix", "greedy", True),
            ("scanned", "b2", "B", "bare", "prefix", "greedy", False),
        ],
        columns=["arm", "note_id", "patient_id", "scheme", "tier", "decoding", "recovered"],
    )
    audits = pd.DataFrame(
        [("a1", "scanned", 32, 40, 32), ("b1", "scanned", 32, 40, 31), ("b1", "scanned", 50, 40, 40),
         ("a2", "scanned", 32, 31, 31)],
        columns=["note_id", "arm", "prefix_tok", "n_tokens", "run_tok"],
    )  # fmt: skip
    given = {"repetitions": repetitions, "audits": audits, **changes}
    ways = gens.assign(placed=gens["prefix_end"].notna())
    counts = RepetitionCounts(ways, unit="token", settings=RepetitionSettings())
    counts.add(given["repetitions"], notes, gens, risk, given["audits"])
    return counts.section(seed=0)


def test_counts_by_hand():
    found = section()
    assert (found.notes, found.repeated, found.copied_exactly, found.groups) == (4, 2, 1, 1)
    assert (found.same_patient, found.other_patients, found.copied_forward, found.crowded) == (1, 2, 2, 1)
    assert rows_of(found) == {
        "1": (2, (1, 2), (0, 1), (0, 0)),
        "6-10": (2, (2, 3), (1, 1), (1, 2)),
    }
    assert rows_of(found, by="copied") == {
        "no": (2, (1, 2), (0, 1), (0, 1)),
        "yes": (2, (2, 3), (1, 1), (1, 1)),
    }
    assert rows_of(found, arm="control") == {"6-10": (1, (0, 1), (0, 0), (0, 0))}
    assert {row.arm for row in found.rows} == {"scanned", "control"}


def test_each_estimate_names_its_band_and_counts_patients():
    row = next(row for row in section().rows if row.band == "6-10" and row.arm == "scanned")
    stratum = row.net_ratio.stratum
    assert (stratum.repetitions, stratum.copied, stratum.scheme) == ("6-10", None, "bare")
    assert (stratum.unit, stratum.threshold) == ("token", 30)
    assert row.net_ratio.patients == 2


def test_without_the_pass_over_notes_or_without_the_table():
    assert {row.k_extractable for row in section(audits=None).rows} == {None}
    none = section().rows and section(repetitions=pd.DataFrame(columns=["note_id", "group"]))
    assert none is None


def test_bands():
    assert [copies_band(n) for n in (1, 2, 5, 6, 10, 11, 900)] == [
        "1",
        "2-5",
        "2-5",
        "6-10",
        "6-10",
        "11+",
        "11+",
    ]


# --- end to end ---------------------------------------------------------------------------

WORDS = [
    f"{a}{b}" for a in "bcdfglmnprst" for b in ("ald", "erin", "ova", "ust", "imel", "ock", "ent", "yra")
]


def corpus(rng, *, repeated, times, unique):
    """Notes of 120 words: ``repeated`` of them ``times`` times with another date, the others once."""
    rows = []
    for patient in range(repeated + unique):
        text = " ".join(rng.choices(WORDS, k=120))
        for copy in range(times if patient < repeated else 1):
            day = f"{copy + 1:02}/{rng.randrange(10, 28)}/2031"
            rows.append(
                {
                    "note_id": f"N{patient}.{copy}",
                    "patient_id": f"P{patient}",
                    "split": "member",
                    "text": f"{text} MRN: 77{patient:05} . Seen {day} .",
                }
            )
    return rows


def test_replayed_notes_that_were_repeated_with_another_date(tmp_path, write_jsonl):
    """Outputs of repeated notes are the notes themselves, those of the others say something else."""
    rows = corpus(random.Random(1), repeated=3, times=7, unique=5)
    outputs = [
        {
            "note_id": row["note_id"],
            "prefix": row["text"][:100],
            "continuation": row["text"][100:] if int(row["patient_id"][1:]) < 3 else "nothing of it",
        }
        for row in rows
    ]
    inputs = ScanInputs(
        notes=write_jsonl(tmp_path / "notes.jsonl", rows),
        replay=write_jsonl(tmp_path / "outputs.jsonl", outputs),
        out=tmp_path / "run",
    )
    config = load_config(flags={"detect": {"detectors": ["rules"]}}, environment={})
    found = scan(inputs, config).repetitions
    assert (found.notes, found.repeated, found.copied_exactly, found.groups) == (26, 21, 0, 3)
    assert (found.same_patient, found.other_patients, found.copied_forward) == (21, 0, 21)
    bands = rows_of(found)
    assert {band: cells[1] for band, cells in bands.items()} == {"1": (0, 5), "6-10": (21, 21)}
    assert bands["6-10"][2][0] > 0
    assert bands["1"][2][0] == 0
    table = list(RunDirectory(inputs.out).read_table("repetitions"))
    assert [row.note_id for row in table] == [row["note_id"] for row in rows]
    assert {row.repetitions for row in table} == {1, 7}
    assert scan(inputs, config).repetitions == found


@pytest.mark.slow
def test_a_trained_model_gives_back_what_was_repeated_nearly(tmp_path, write_jsonl):
    """No text stands twice, so exact copies explain nothing; near-duplicates do."""
    rows = corpus(random.Random(2), repeated=12, times=8, unique=60)
    train_demo_model([row["text"] for row in rows], tmp_path / "model", seed=1, steps=250)
    inputs = ScanInputs(
        notes=write_jsonl(tmp_path / "notes.jsonl", rows), model=str(tmp_path / "model"), out=tmp_path / "run"
    )
    config = ScanConfig.model_validate(
        {"detect": {"detectors": ["rules"]}, "regenerate": {"prefix_lengths": [50], "max_new_tokens": 150}}
    )
    report = scan(inputs, config)
    assert {row.copies for row in report.by_copies} == {"1"}
    bands = {row.band: row for row in report.repetitions.rows if row.by == "repetitions"}
    assert bands["6-10"].net_ratio.value > 0.5
    assert bands["1"].net_ratio.value < 0.1
    assert bands["6-10"].phi_recovery_rate.low > bands["1"].phi_recovery_rate.high
