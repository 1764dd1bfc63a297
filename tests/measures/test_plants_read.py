"""Was the plants' text read? Means, differences and words, from made-up log-probabilities."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from phiscan.measures.plants_read import measure_plants_read
from phiscan.reporting.plants import read_sentences
from phiscan.scan_report import ExposureSection
from phiscan.stats import cluster_mean, independent_difference

TOKENS = 50


def frames(gain, *, plants=30, twins=30, lengths=(32, 300), seed=1, control=False, noise=0.2):
    """Notes of plants at 1, 3 and 6 repetitions and of twins; ``gain(copies, length)`` nats a token."""
    rng = np.random.default_rng(seed)
    notes, audits = [], []
    for number in range(plants + twins):
        arm = "plant" if number < plants else "twin"
        copies = (1, 3, 6)[number % 3] if arm == "plant" else 1
        notes.append({"note_id": f"n{number}", "patient_id": f"p{number}", "copies": copies})
        for length in lengths:
            base = rng.normal(-2.0, noise)
            told = base + rng.normal(0, 0.02) + (gain(copies, length) if arm == "plant" else 0.0)
            audits.append((f"n{number}", arm, length, TOKENS, told * TOKENS))
            if control:
                audits.append((f"n{number}", f"control_{arm}", length, TOKENS, base * TOKENS))
    columns = ["note_id", "arm", "prefix_tok", "next_tok", "next_logprob"]
    return pd.DataFrame(notes), pd.DataFrame(audits, columns=columns)


def measured(*made):
    return list(measure_plants_read(*made, seed=0))


def section(rows):
    counts = dict.fromkeys(("notes", "notes_failed", "patients", "decoys", "windowed_spans"), 0)
    return ExposureSection(
        **counts, control=False, estimates=(), rows=(), curves=(), scores=(), plants_read=tuple(rows)
    )


def test_means_difference_and_limits_by_hand():
    notes, audits = frames(lambda copies, _: 0.1 * copies, plants=9, twins=6)
    rows = measured(notes, audits)
    assert [(row.prefix_length, row.repetitions) for row in rows] == [
        (length, band) for length in (32, 300) for band in (None, "1", "2-5", "6-10")
    ]
    mine = (
        audits[audits["prefix_tok"] == 32]
        .merge(notes, on="note_id")
        .assign(mean=lambda f: f["next_logprob"] / 50)
    )
    plants, twins = mine[mine["arm"] == "plant"]["mean"], mine[mine["arm"] == "twin"]["mean"]
    half = [
        t.ppf(0.9875, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values))
        for values in (plants, twins)
    ]
    row = rows[0]
    assert row.level == pytest.approx(0.975)
    assert (row.plants, row.twins, row.net_of_control) == (9, 6, False)
    assert row.plant_mean == pytest.approx(plants.mean())
    assert row.twin_mean == pytest.approx(twins.mean())
    assert row.difference == pytest.approx(plants.mean() - twins.mean())
    assert row.low == pytest.approx(row.difference - math.hypot(*half))
    assert row.high == pytest.approx(row.difference + math.hypot(*half))
    sixes = mine[(mine["arm"] == "plant") & (mine["copies"] == 6)]["mean"]
    assert rows[3].plants == 3
    assert rows[3].plant_mean == pytest.approx(sixes.mean())


def test_notes_that_end_early_count_by_their_tokens():
    notes, audits = frames(lambda *_: 0.0, lengths=(32,))
    audits.loc[0, ["next_tok", "next_logprob"]] = (5, -50.0)
    plants = audits[audits["arm"] == "plant"]
    row = measured(notes, audits)[0]
    assert row.plant_mean == pytest.approx(plants["next_logprob"].sum() / plants["next_tok"].sum())


def test_under_a_control_what_training_added_is_compared_and_little_is_enough():
    def gain(copies, length):
        return 0.03

    alone, beside = (measured(*frames(gain, control=control))[0] for control in (False, True))
    assert alone.low < 0 < alone.high
    assert beside.net_of_control
    assert beside.low > 0
    assert beside.difference == pytest.approx(0.03, abs=0.02)
    assert abs(beside.twin_mean) < 0.02


def test_without_both_there_is_nothing():
    for plants, twins in ((6, 0), (0, 6)):
        assert measured(*frames(lambda *_: 0.0, plants=plants, twins=twins)) == []
    assert read_sentences(section([])) == []


def test_read_throughout():
    said = read_sentences(section(measured(*frames(lambda copies, _: 0.5 * copies))))
    assert len(said) == 1
    assert said[0].startswith(
        "Training read the plants' text: behind the first 32 tokens the log-probability"
    )
    assert "30 plants, 30 twins" in said[0]


def test_text_that_was_cut_off_is_flagged():
    said = read_sentences(section(measured(*frames(lambda _, length: 1.0 if length == 32 else 0.0))))
    assert len(said) == 2
    assert "Nothing shows that training read the plants' text behind the first 300 tokens" in said[1]
    assert "cut off or left out" in said[1]


def test_plants_that_were_left_out_are_flagged():
    said = read_sentences(section(measured(*frames(lambda *_: 0.0))))
    assert [line.startswith("Nothing shows that training read") for line in said] == [True, True]


def test_a_band_that_was_left_out_is_flagged():
    made = frames(lambda copies, _: 0.0 if copies == 1 else 1.0)
    said = read_sentences(section(measured(*made)))
    assert [line.split(":")[0] for line in said[1:]] == ["Nothing shows it of the plants with repetitions 1"]


def test_one_twin_has_no_interval_and_shows_nothing():
    rows = measured(*frames(lambda *_: 5.0, twins=1, lengths=(32,)))
    assert (rows[0].low, rows[0].high) == (None, None)
    assert "too few for an interval" in read_sentences(section(rows))[0]


def test_the_joined_interval_covers_the_true_difference():
    """95% nominal, of the means of 12 and 9 patients with unequal numbers of tokens."""
    rng, covered = np.random.default_rng(4), []
    for _ in range(2_000):
        means = []
        for patients, mean in ((12, -1.7), (9, -2.0)):
            totals = rng.integers(20, 51, patients)
            means.append(cluster_mean(rng.normal(mean, 0.2, patients) * totals, totals, seed=0))
        less = independent_difference(*means)
        covered.append(less.low <= 0.3 <= less.high)
    assert 0.935 <= np.mean(covered) <= 0.985


def test_with_nothing_read_a_sign_is_seen_at_some_length_in_one_run_of_twenty_at_most():
    """Bonferroni: 2.5% on the upper side over all lengths."""
    seen = [
        any(
            row.low > 0
            for row in measured(*frames(lambda *_: 0.0, plants=6, twins=6, seed=seed))
            if not row.repetitions
        )
        for seed in range(60)
    ]
    assert np.mean(seen) < 0.07
