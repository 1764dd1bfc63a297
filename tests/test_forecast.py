"""The arithmetic of a forecast: published tables, brute force over sets, and what the words follow from."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.forecast import Trained, compare, forecast, memorised, sign_test, training_flops
from phiscan.reporting.charts import CostPoint, Point, recall_against_cost
from phiscan.reporting.forecast_words import forecast_chart, forecast_tables, forecast_words
from phiscan.stats import cluster_rate, wilson

B, M = 10**9, 10**6

# Biderman et al. 2023: precision and recall of fully trained smaller models for the 12B one.
MODELS = {70 * M: (0.956, 0.197), 160 * M: (0.948, 0.289), 410 * M: (0.940, 0.401), B: (0.931, 0.512),
          1_400 * M: (0.926, 0.554), 2_800 * M: (0.909, 0.658), 6_900 * M: (0.884, 0.795)}  # fmt: skip
# The same of checkpoints of the 12B model, by sequences seen; and the recall of those of the 6.9B model.
CHECKPOINTS = {23 * M: (0.918, 0.500), 44 * M: (0.915, 0.575), 65 * M: (0.913, 0.641), 85 * M: (0.911, 0.711),
               105 * M: (0.916, 0.809), 126 * M: (0.943, 0.916)}  # fmt: skip
RECALLS_6_9B = {23 * M: 0.513, 44 * M: 0.587, 65 * M: 0.658, 85 * M: 0.721, 105 * M: 0.816, 126 * M: 0.918}

T, N = 100_000, 400_000
"""Sequences memorised by the full run, and sequences in all, of a population with the published rates."""


def population(precision, recall):
    """Alarms with these rates: |P and T| = recall |T|, |P| = |P and T| / precision."""
    both = round(recall * T)
    alarms = round(both / precision)
    cheap = np.zeros(N, dtype=bool)
    cheap[:both] = True
    cheap[T : T + alarms - both] = True
    return cheap, both, alarms


FULL = np.arange(N) < T
PUBLISHED = [*MODELS.values(), *CHECKPOINTS.values(), *((1.0, recall) for recall in RECALLS_6_9B.values())]


@pytest.mark.parametrize(("precision", "recall"), PUBLISHED)
def test_published_rates_come_back_from_their_counts(precision, recall):
    cheap, both, alarms = population(precision, recall)
    found = compare(cheap, FULL)
    assert (found.sequences, found.alarms, found.memorised, found.both) == (N, alarms, T, both)
    assert round(found.precision.value, 3) == precision
    assert round(found.recall.value, 3) == recall
    assert math.isclose(found.precision.value * alarms, found.recall.value * T)
    assert (found.recall.low, found.recall.high, found.recall.method) == (*wilson(both, T), "Wilson")
    assert (found.precision.low, found.precision.high) == wilson(both, alarms)


def test_cost_is_six_operations_a_parameter_and_token():
    assert training_flops(12 * B, 300 * B) == 21_600_000_000_000_000_000_000
    shares = [round(training_flops(size, 300 * B) / training_flops(12 * B, 300 * B), 4) for size in MODELS]
    assert shares == [0.0058, 0.0133, 0.0342, 0.0833, 0.1167, 0.2333, 0.575]


# --- against sets ---------------------------------------------------------------------------

SCORES = st.sampled_from([0.0, 0.5, 31 / 32, 1.0, math.nan])
MODEL_ROWS = st.tuples(SCORES, st.booleans())


@st.composite
def suites(draw):
    n, models = draw(st.integers(1, 40)), draw(st.integers(2, 5))
    columns = [draw(st.lists(MODEL_ROWS, min_size=n, max_size=n)) for _ in range(models)]
    sizes = draw(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=models, max_size=models))
    patients = draw(st.none() | st.lists(st.integers(0, 6), min_size=n, max_size=n))
    threshold = draw(st.sampled_from([1.0, 0.9, 0.5]))
    return columns, sizes, patients, threshold


def trained(at, column, size):
    scores, seen = zip(*column, strict=True)
    return Trained(f"m{at}", *size, np.array(scores, dtype=float), np.array(seen, dtype=bool))


def expected(cheap, full, support, patients, threshold):
    """Counts and intervals from sets of sequence numbers."""
    alarms = {i for i in support if cheap[i][0] >= threshold}
    truth = {i for i in support if full[i][0] >= threshold}
    counts = (len(support), len(alarms), len(truth), len(alarms & truth))
    rates = []
    for units in (alarms, truth):
        if not units:
            rates.append((None, None, None))
        elif patients is None:
            k = len(alarms & truth)
            rates.append((k / len(units), *wilson(k, len(units))))
        else:
            owners = sorted({patients[i] for i in units})
            events = [len({i for i in alarms & truth if patients[i] == owner}) for owner in owners]
            totals = [len({i for i in units if patients[i] == owner}) for owner in owners]
            rates.append(tuple(cluster_rate(np.array(events), np.array(totals), seed=3)[:3]))
    return (*counts, *rates)


def as_found(prediction):
    *counts, precision, recall = prediction
    return (*counts, tuple(precision[:3]), tuple(recall[:3]))


@given(suites())
def test_every_figure_equals_that_of_sets(suite):
    columns, sizes, patients, threshold = suite
    models = [trained(at, *pair) for at, pair in enumerate(zip(columns, sizes, strict=True))]
    codes = None if patients is None else np.array(patients)
    found = forecast(models[0], models[1:], threshold=threshold, patients=codes, seed=3)
    full, everything = columns[0], set(range(len(columns[0])))

    def usable(*which):
        return {i for i in everything if all(c[i][1] and not math.isnan(c[i][0]) for c in which)}

    truth = {i for i in usable(full) if full[i][0] >= threshold}
    common = usable(*columns)
    assert found.memorised == len(truth)
    assert found.full_unseen == sum(not full[i][1] for i in everything)
    assert found.full_unscored == sum(full[i][1] and math.isnan(full[i][0]) for i in everything)
    flagged = set()
    for one in found.candidates:
        column = columns[int(one.name[1:])]
        both_saw = {i for i in everything if full[i][1] and column[i][1]}
        own = usable(full, column)
        unseen = {i for i in everything if full[i][1] and not column[i][1]}
        assert (one.unseen, one.unseen_memorised) == (len(unseen), len(unseen & truth))
        assert one.unscored == len(both_saw - own)
        # Nothing is lost: what the full run saw was compared, has no score, or was not seen.
        assert one.own.sequences + one.unscored + one.unseen == sum(seen for _, seen in full)
        assert as_found(one.own) == expected(column, full, own, patients, threshold)
        assert as_found(one.common) == expected(column, full, common, patients, threshold)
        assert one.flops == 6 * one.parameters * one.tokens
        flagged |= {i for i in usable(column) if column[i][0] >= threshold}
    assert [one.flops for one in found.candidates] == sorted(one.flops for one in found.candidates)
    assert found.caught_by_none == len((truth & common) - flagged)
    # Any figures give words, a chart and tables.
    words = forecast_words(found, 0.5)
    assert all(sentence.endswith(".") for part in words.values() for sentence in part)
    assert all(len(table.columns) == 7 for table in forecast_tables(found))


def test_the_sequences_of_one_patient_widen_the_interval():
    cheap, full, patients = np.arange(400) % 8 < 4, np.ones(400, dtype=bool), np.arange(400) // 4
    alone, together = compare(cheap, full), compare(cheap, full, patients)
    assert alone.recall.value == together.recall.value == 0.5
    assert together.recall.method == "patient-cluster bootstrap"
    assert together.recall.high - together.recall.low > 1.5 * (alone.recall.high - alone.recall.low)


def test_no_score_is_no_alarm_and_no_miss():
    assert memorised(np.array([1.0, 0.99, math.nan])).tolist() == [True, False, False]
    assert memorised(np.array([1.0, 0.99, math.nan]), 0.9).tolist() == [True, True, False]
    nothing = compare(np.zeros(5, dtype=bool), np.zeros(5, dtype=bool))
    assert (nothing.precision.value, nothing.recall.value) == (None, None)


def test_the_sign_test_is_mcnemars_and_counts_patients():
    first, second = np.arange(12) < 9, np.arange(12) >= 8
    # 8 for the first alone, 3 for the second alone, 1 for both.
    tail = sum(math.comb(11, k) for k in range(4)) / 2**11
    assert sign_test(first, second) == pytest.approx(2 * tail)
    assert sign_test(first, second, np.zeros(12, dtype=np.int64)) == 1.0
    assert sign_test(first, first) == 1.0


# --- words and chart -----------------------------------------------------------------------------


def suite_of(models, *, full=(12 * B, 300 * B), n=N, truth=FULL):
    """Forecast of models given as name: (parameters, tokens, alarms)."""
    everything = np.ones(n, dtype=bool)
    whole = Trained("12B", *full, truth.astype(float), everything)
    return forecast(
        whole,
        [Trained(name, p, t, flags.astype(float), everything) for name, (p, t, flags) in models.items()],
    )


def published_suite():
    models = {f"{size // M}M": (size, 300 * B, population(*rates)[0]) for size, rates in MODELS.items()}
    checkpoints = {
        f"12B at {seen // M}M": (12 * B, seen * 2048, population(*rates)[0])
        for seen, rates in CHECKPOINTS.items()
    }
    return suite_of(models | checkpoints)


def text(words, subject):
    return " ".join(words[subject])


def test_the_published_suite_gives_the_published_advice():
    found = published_suite()
    words = forecast_words(found, 0.9)
    assert "to be believed: of the sequences that 6900M memorised, 12B memorised 88.4%" in text(
        words, "alarms"
    )
    assert "less well" not in text(words, "alarms")
    assert "12B at 126M, the best candidate, was silent on 8,400" in text(words, "silence")
    assert "clears nothing" in text(words, "silence")
    budget = text(words, "budget")
    assert "from 0.58% 70M (recall 19.7%); from 1.33% 160M (recall 28.9%)" in budget
    assert "At 8.33 to 11.7% of the full cost 1400M (recall 55.4%) finds more than 1000M" in budget
    # About a fifth of the cost buys 2.8B fully trained or a checkpoint: the smaller model finds more.
    assert "At 15.7 to 23.3% of the full cost 2800M (recall 65.8%) finds more than 12B at 23M" in budget
    assert "no more than 3e+11 tokens: at 1% that is a model of 120M parameters or more" in budget
    assert "at 10% the smallest such model, 1.2B, predicts best" in budget
    assert "Within one order of magnitude of the full run's cost 12B at 126M reaches recall 91.6%" in budget
    assert "the 90.0% wanted." in budget
    assert "extrapolation" not in text(words, "limits")


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (0.5, "55.4 to 56.0%): the 50.0% wanted."),
        (0.9, "short of the 90.0% wanted: change the data or cancel"),
    ],
)
def test_whether_a_trial_run_finds_enough_follows_from_its_interval(wanted, said):
    flags = FULL & (np.arange(N) % 1000 < 557)
    words = forecast_words(suite_of({"1B": (B, 300 * B, flags)}), wanted)
    assert said in text(words, "budget")
    assert "Within two orders of magnitude" in text(words, "budget")


def test_what_cannot_be_told_is_not_claimed():
    flags = FULL & (np.arange(N) % 2 == 0)
    told = forecast_words(suite_of({"1B": (B, 300 * B, flags)}), 0.5)
    assert "more sequences must tell if it is the 50.0% wanted" in text(told, "budget")
    assert "If that is short of what you need, change the data or cancel" in text(
        forecast_words(suite_of({"1B": (B, 300 * B, flags)})), "budget"
    )
    tiny = text(forecast_words(suite_of({"1M": (M, 300 * B, flags)})), "budget")
    assert "No candidate within two orders of magnitude" in tiny
    none = suite_of({"1B": (B, 300 * B, np.zeros(N, dtype=bool))}, truth=np.zeros(N, dtype=bool))
    assert "recall cannot be assessed" in text(forecast_words(none), "silence")
    assert "nothing can be said of alarms" in text(forecast_words(none), "alarms")
    assert none.equal_cost == ()


def test_at_equal_cost_the_words_follow_the_figures():
    """Near 10%: once the smallest model is the best one, once it is not; near 1%: no difference, a difference."""
    better, worse = FULL & (np.arange(N) % 10 < 6), FULL & (np.arange(N) % 10 < 4)

    def said(models):
        return text(forecast_words(suite_of(models)), "budget")

    smallest = {"small": (1_200 * M, 300 * B, better), "large": (2_400 * M, 150 * B, worse)}
    assert "as it does here: take small" in said(smallest)
    assert "which it does not here: take large" in said(
        {"small": (1_200 * M, 300 * B, worse), "large": (2_400 * M, 150 * B, better)}
    )
    near_one = {"small": (120 * M, 300 * B, better), "large": (240 * M, 150 * B, better)}
    assert "is not told apart from large" in said(near_one)
    assert "so it does not here: take small" in said(near_one)
    assert "but here it does: take small" in said(near_one | {"large": (240 * M, 150 * B, worse)})
    assert "No two candidates cost about the same" in said({"small": smallest["small"]})


def test_weak_alarms_dear_and_overfed_candidates_are_named():
    flags = np.arange(N) % 2 == 0
    found = suite_of({"mine": (B, 400 * B, flags), "dear": (12 * B, 300 * B, FULL)}, full=(12 * B, 300 * B))
    words = forecast_words(found)
    assert "The alarms of mine are right less often than any published figure" in text(words, "alarms")
    assert "mine was trained on more tokens than the full run" in text(words, "budget")
    assert "dear costs no less than the full run" in text(words, "budget")
    assert "extrapolation" in text(
        forecast_words(suite_of({"mine": (B, B, flags)}, full=(70 * B, 300 * B))), "limits"
    )


def test_a_group_of_equals_pays_for_having_been_chosen_from():
    first, second = np.arange(40) < 9, (np.arange(40) >= 20) & (np.arange(40) < 22)
    truth = np.ones(40, dtype=bool)
    pair = suite_of({"a": (B, 9, first), "b": (B, 9, second)}, n=40, truth=truth).equal_cost[0]
    three = suite_of({"a": (B, 9, first), "b": (B, 9, second), "c": (B, 9, ~truth)}, n=40, truth=truth)
    assert pair.p_value == pytest.approx(sign_test(first, second))
    assert three.equal_cost[0].p_value == pytest.approx(3 * pair.p_value)
    assert three.equal_cost[0].names == ("a", "b", "c")


def test_the_chart_is_the_same_for_the_same_figures_and_says_them():
    found = published_suite()
    chart = forecast_chart(found)
    assert chart == forecast_chart(published_suite())
    assert chart.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox=')
    assert 'role="img"' in chart
    assert "70M at 0.58%: 19.7% (19.5 to 19.9%)" in chart
    for words in ("smaller model", "earlier checkpoint", "6900M", "10%", "recall"):
        assert f">{words}</text>" in chart


def test_a_point_without_recall_is_not_drawn_as_zero():
    known = CostPoint("known", 0.1, Point(0.5, 0.4, 0.6), full_size=False)
    unknown = CostPoint("unknown", 0.1, Point(None), full_size=False)
    chart = recall_against_cost("c", "t", "s", [known, unknown])
    assert ">known</text>" in chart
    assert ">unknown</text>" not in chart
    assert "<svg" in recall_against_cost("c", "t", "s", [])
