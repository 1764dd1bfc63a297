"""Do the figures of a review cover the truth? A thousand simulated reviews of one known population.

3,000 outputs in eight strata of very different sizes and miss rates; 1,700 of them have no hit, and
there PHI is rare, comes in clusters and holds 40% of everything missed. Reviews are drawn as the
design says: 4 of each stratum, the rest by the root of its size; half blind in strata with hits;
tiny strata whole and blind. Annotators err, each on his own, at known rates; the truth is then what
such annotators would say of all outputs (their errors are not corrected, here or in the report).
"""

from typing import NamedTuple

import numpy as np
import pytest

from phiscan.agreement import cohen_kappa
from phiscan.survey import Stratified, allocate, difference_total, ratio, total

pytestmark = pytest.mark.slow

SIZES = np.array([1_700, 620, 350, 200, 80, 40, 7, 3])
STRATUM = np.repeat(np.arange(8), SIZES)
BEGIN = np.concatenate([[0], np.cumsum(SIZES)])
WITH_HITS = np.arange(8) > 0
FALSE_HITS = np.array([0, 0.04, 0.1, 0.2, 0.4, 0.6, 0.2, 0.2])
MISSES = np.array([0, 0.6, 1, 2, 3, 1, 1, 1])
OVERLAP, SIMULATIONS = 0.3, 1_000
VERDICTS = ("confirmed", "not_phi", "wrong_category")


class Annotator(NamedTuple):
    """Chances: a true hit is confirmed, a false one too, missed PHI is found, an output gains a mark."""

    confirms: float = 1
    believes: float = 0
    finds: float = 1
    invents: float = 0


class Items(NamedTuple):
    """Per output: true hits, false hits, PHI without a hit."""

    true: np.ndarray
    false: np.ndarray
    missed: np.ndarray

    def judged(self, annotator, rng):
        """As an annotator would count them; ``rng`` None: in expectation."""
        draw = rng.binomial if rng else lambda n, p: n * p
        true = draw(self.true, annotator.confirms) + draw(self.false, annotator.believes)
        missed = draw(self.missed, annotator.finds) + draw(np.ones_like(self.missed), annotator.invents)
        return Items(true, self.true + self.false - true, missed)

    def part(self, share, of_missed, rng):
        """The items of one rare category."""
        shares = (share, share, of_missed)
        return Items(*(rng.binomial(n, p) for n, p in zip(self, shares, strict=True)))


PERFECT = Annotator()
HUMAN = Annotator(confirms=0.97, believes=0.05, finds=0.9, invents=0.003)


def population(miss_rate, rng):
    hit = STRATUM > 0
    true = hit * (1 + rng.binomial(3, 0.3, len(hit)))
    false = rng.poisson(FALSE_HITS[STRATUM])
    only_false = hit & (rng.random(len(hit)) < 0.08)
    true[only_false], false[only_false] = 0, np.maximum(1, false[only_false])
    to_miss = miss_rate / (1 - miss_rate) * true.sum()
    missed = np.zeros(len(hit), dtype=int)
    while missed.sum() < 0.4 * to_miss:
        missed[rng.integers(SIZES[0])] = rng.choice([1, 1, 1, 2, 3])
    weight = MISSES[STRATUM] * true
    missed += rng.binomial(3, np.minimum(0.6 * to_miss * weight / weight.sum() / 3, 1))
    return Items(true, np.minimum(false, 6 - true), missed)


def draw_review(n, rng):
    """Places of the reviewed outputs by stratum, and whether each is blind."""
    counts = allocate(SIZES, n, 4)
    blind = np.where((SIZES < 4) | ~WITH_HITS, counts, -(-counts // 2))
    order = np.lexsort((rng.random(len(STRATUM)), STRATUM))
    places = [order[begin : begin + count] for begin, count in zip(BEGIN, counts, strict=False)]
    return np.concatenate(places), np.concatenate(
        [np.arange(c) < b for c, b in zip(counts, blind, strict=True)]
    )


def labels(verdicts, rng):
    """One annotator's labels of hits with these verdicts (0, 1, 2), wrong in one of ten."""
    wrong = rng.random(len(verdicts)) < 0.1
    return np.where(wrong, rng.choice(3, len(verdicts), p=(0.6, 0.3, 0.1)), verdicts)


def true_kappa(verdicts, stratum, n):
    """Of the labels of every hit that a review of this size may show, by its chance to be shown."""
    chance = (allocate(SIZES, n, 4) / SIZES)[stratum]
    shares = np.bincount(verdicts, chance, 3) / chance.sum()
    says = 0.9 * np.eye(3) + 0.1 * np.array((0.6, 0.3, 0.1))
    table = np.einsum("v,va,vb->ab", shares, says, says)
    by_chance = table.sum(axis=0) @ table.sum(axis=1)
    return (np.trace(table) - by_chance) / (1 - by_chance)


def coverage(n, miss_rate, annotator, seed):
    """Share of intervals that hold the truth, by figure, of those that have a value."""
    rng = np.random.default_rng(seed)
    everything = population(miss_rate, rng)
    rare = everything.part(0.03, 0.06, rng)
    rare_hits = np.bincount(STRATUM, rare.true + rare.false, 8) > 0
    owner = np.repeat(np.arange(len(STRATUM)), everything.true + everything.false)
    first = np.arange(len(owner)) - np.searchsorted(owner, owner)
    verdicts = np.where(first < everything.true[owner], np.where(rng.random(len(owner)) < 0.05, 2, 0), 1)
    truths = {"kappa": true_kappa(verdicts, STRATUM[owner], n)}
    for name, items in (("", everything), ("rare ", rare)):
        true, false, missed = items.judged(annotator, None)
        truths[f"{name}precision"] = true.sum() / (true + false).sum()
        truths[f"{name}miss rate"] = missed.sum() / (missed + true).sum()
    true, false, missed = everything.judged(annotator, None)
    truths |= {"missed": missed.sum(), "corrected": true.sum() + missed.sum()}
    covered = {name: [] for name in truths}
    for _ in range(SIMULATIONS):
        found = review(n, everything, rare, rare_hits, annotator, rng)
        found["kappa"] = agreement(n, owner, verdicts, rng)
        for name, interval in found.items():
            if interval.value is not None:
                covered[name].append(interval.low - 1e-9 <= truths[name] <= interval.high + 1e-9)
    return {name: float(np.mean(hits)) for name, hits in covered.items()}


def review(n, everything, rare, rare_hits, annotator, rng):
    places, blind = draw_review(n, rng)
    judged, seen = Stratified(STRATUM[places], SIZES), Stratified(STRATUM[places[blind]], SIZES)
    found = {}
    for name, items, within in (("", everything, WITH_HITS), ("rare ", rare, rare_hits)):
        true, false, missed = Items(*(part[places] for part in items)).judged(annotator, rng)
        found[f"{name}precision"] = ratio(true, true + false, judged, within=within)
        found[f"{name}miss rate"] = ratio(missed[blind], (true + missed)[blind], seen)
        if not name:
            found["missed"] = total(missed[blind], seen)
            found["corrected"] = difference_total(
                (items.true + items.false).sum(),
                false=(false, judged),
                missed=(missed[blind], seen),
                with_hits=within,
            )
    return found


def agreement(n, owner, verdicts, rng):
    places = draw_review(n, rng)[0]
    shared = rng.permutation(places)[: max(20, int(OVERLAP * n))]
    hits = np.flatnonzero(np.isin(owner, shared))
    both = [np.array(VERDICTS)[labels(verdicts[hits], rng)].tolist() for _ in range(2)]
    return cohen_kappa(*both, owner[hits].tolist()).kappa


@pytest.mark.parametrize("miss_rate", [0.01, 0.05, 0.2])
@pytest.mark.parametrize(("n", "annotator"), [(60, HUMAN), (200, HUMAN), (500, HUMAN), (500, PERFECT)])
def test_intervals_cover_the_truth(n, miss_rate, annotator):
    covered = coverage(n, miss_rate, annotator, seed=n)
    print(n, miss_rate, "perfect" if annotator == PERFECT else "human", covered)
    assert min(covered.values()) >= 0.93, covered


def test_errors_of_annotators_move_the_miss_rate_as_the_docs_say():
    """Who finds 7 of 10 missed items and confirms every hit that is right gives 0.7 m / (0.7 m + 1 - m)."""
    rng = np.random.default_rng(2)
    everything, blind_to_some = population(0.2, rng), Annotator(finds=0.7)
    rate = everything.missed.sum() / (everything.missed + everything.true).sum()
    no_rare = Items(*(0 * part for part in everything))
    found = [review(500, everything, no_rare, WITH_HITS, blind_to_some, rng)["miss rate"] for _ in range(200)]
    moved = 0.7 * rate / (0.7 * rate + 1 - rate)
    covers = [np.mean([i.low <= truth <= i.high for i in found]) for truth in (moved, rate)]
    print(rate, moved, covers)
    assert np.mean([i.value for i in found]) == pytest.approx(moved, abs=0.005)
    assert covers[0] >= 0.93
    assert covers[1] < 0.5
