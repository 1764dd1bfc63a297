"""Groups against all pairs compared one by one."""

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.near_duplicates import (
    NEIGHBOURS,
    SHINGLE,
    Groups,
    RepetitionSettings,
    band_rows,
    jaccard,
    near_groups,
    shingles,
    word_hashes,
)
from phiscan.words import split_words


def grouped(texts, *, similarity=0.8, seed=0) -> Groups:
    hashes = [word_hashes(split_words(text).words) for text in texts]
    return near_groups(lambda note: hashes[note], len(texts), similarity=similarity, seed=seed)


def partition(found, names=None) -> set[frozenset]:
    """The groups as sets of notes, or of their names."""
    groups: dict[int, set] = {}
    for note, group in enumerate(found):
        groups.setdefault(int(group), set()).add(note if names is None else names[note])
    return {frozenset(members) for members in groups.values()}


def all_pairs(texts, similarity) -> set[frozenset]:
    """The definition: sets of five-word shingles, every pair, connected components."""

    def shingled(text):
        words = split_words(text).words
        return {tuple(words[at : at + SHINGLE]) for at in range(max(1, len(words) - SHINGLE + 1))}

    sets = [shingled(text) for text in texts]
    groups = [{note} for note in range(len(texts))]
    for a, b in combinations(range(len(texts)), 2):
        if len(sets[a] & sets[b]) / len(sets[a] | sets[b]) >= similarity:
            one, other = (next(group for group in groups if note in group) for note in (a, b))
            if one is not other:
                one |= other
                groups.remove(other)
    return {frozenset(group) for group in groups}


def sentence(rng, words) -> str:
    return " ".join(f"word{rng.randrange(500)}" for _ in range(words))


def edited(rng, text, edits) -> str:
    words = text.split()
    for _ in range(edits):
        words[rng.randrange(len(words))] = f"new{rng.randrange(10_000)}"
    return " ".join(words)


def corpus(seed, *, edits=(0, 4)) -> list[str]:
    """Families of notes of 100 to 300 words, each member edited from another of its family."""
    rng = random.Random(seed)
    texts = []
    for _ in range(12):
        family = [sentence(rng, rng.randrange(100, 300))]
        for _ in range(rng.randrange(8)):
            family.append(edited(rng, rng.choice(family), rng.randint(*edits)))
        texts += family
    rng.shuffle(texts)
    return texts


@pytest.mark.parametrize("seed", range(8))
def test_groups_are_those_of_all_pairs(seed):
    texts = corpus(seed)
    assert partition(grouped(texts, seed=seed).group) == all_pairs(texts, 0.8)


@pytest.mark.parametrize("similarity", [0.5, 0.65, 0.9, 1.0])
def test_groups_are_those_of_all_pairs_at_other_thresholds(similarity):
    texts = corpus(20, edits=(0, 15))
    assert partition(grouped(texts, similarity=similarity).group) == all_pairs(texts, similarity)


@given(st.lists(st.text("ab c", max_size=40), max_size=12), st.sampled_from([0.5, 0.8, 1.0]))
@settings(max_examples=60, deadline=None)
def test_nothing_is_grouped_that_all_pairs_do_not_group(texts, similarity):
    """Few letters and short texts: shared shingles everywhere, empty texts among them."""
    exact = all_pairs(texts, similarity)
    for group in partition(grouped(texts, similarity=similarity).group):
        assert any(group <= larger for larger in exact)


def test_pairs_at_the_threshold_are_found():
    """Recall over 2,000 pairs by similarity: 0.998 at the threshold by design, all of them above it."""
    rng = random.Random(5)
    pairs = []
    for _ in range(2_000):
        text = sentence(rng, 150)
        pairs.append((text, edited(rng, text, rng.randint(1, 4))))
    texts = [text for pair in pairs for text in pair]
    group = grouped(texts).group
    alike = np.array([jaccard(*(shingles(word_hashes(t.split())) for t in pair)) for pair in pairs])
    found = group[0::2] == group[1::2]
    near = (alike >= 0.8) & (alike < 0.85)
    assert near.sum() > 300
    assert found[near].mean() >= 0.995
    assert found[alike >= 0.9].all()
    assert not found[alike < 0.8].any()


def test_same_seed_same_groups_and_order_does_not_matter():
    texts = corpus(3)
    first = grouped(texts)
    assert (grouped(texts).group == first.group).all()
    order = random.Random(1).sample(range(len(texts)), len(texts))
    again = grouped([texts[note] for note in order])
    assert partition(again.group, order) == partition(first.group)


def test_groups_are_numbered_in_the_order_of_their_first_notes():
    texts = corpus(4)
    group = grouped(texts).group
    assert list(dict.fromkeys(group.tolist())) == list(range(group.max() + 1))


def test_template_notes_of_different_patients_are_near_duplicates():
    form = (
        "Discharge instructions for {} dated {} . Take the tablets with food twice a day , drink plenty of "
        "water , rest for three days and walk every morning . Keep the wound dry for one week . Do not drive "
        "while taking the stronger tablets . Call the ward if the fever comes back , if the wound opens or "
        "if you feel short of breath . A nurse visits on the fifth day and takes the stitches out . Bring "
        "the list of tablets to the first visit at the practice and ask there for further prescriptions ."
    )
    filled = [form.format(f"Mara Quillon{i}", f"0{i}/11/2031") for i in range(1, 8)]
    assert partition(grouped([*filled, "Another note altogether ."]).group) == {
        frozenset(range(7)),
        frozenset({7}),
    }


def test_short_and_equal_texts():
    texts = ["ok", "ok", "ok .", "", "", "seen today", "a b c d e", "a b c d f", "OK"]
    assert partition(grouped(texts).group) == {
        frozenset({0, 1}), frozenset({2}), frozenset({3, 4}), frozenset({5}), frozenset({6}), frozenset({7}),
        frozenset({8}),
    }  # fmt: skip
    assert len(grouped([]).group) == 0


def test_a_chain_is_one_group():
    """Daily notes, each near to the last: first and last share nothing, and are one group all the same."""
    words = [f"w{n}" for n in range(400)]
    texts = [" ".join(words[start : start + 200]) for start in range(0, 200, 10)]
    assert partition(grouped(texts).group) == {frozenset(range(20))}


def test_a_full_bucket_of_equals_is_one_group_and_nothing_is_lost():
    rng = random.Random(8)
    form = sentence(rng, 200)
    texts = [edited(rng, form, 1) for _ in range(6 * NEIGHBOURS)]
    found = grouped(texts)
    assert len(partition(found.group)) == 1
    assert not found.crowded.any()


def test_a_full_bucket_of_others_says_that_it_was_not_compared_whole():
    """Forms of which each note fills in another half: similar, not near-duplicates."""
    rng = random.Random(9)
    form = sentence(rng, 200)
    texts = [form + " " + sentence(rng, 60) for _ in range(40 * NEIGHBOURS)]
    found = grouped(texts)
    assert partition(found.group) == {frozenset({note}) for note in range(len(texts))}
    assert found.crowded.mean() > 0.9


def test_bands_follow_the_threshold():
    assert [band_rows(s) for s in (0.5, 0.65, 0.8, 0.9, 1.0)] == [2, 4, 6, 9, 128]
    assert RepetitionSettings().similarity == 0.8
