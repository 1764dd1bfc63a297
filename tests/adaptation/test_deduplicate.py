"""De-duplication against its definitions: every pair compared, every window looked up."""

import random
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.adaptation.corpus import Text
from phiscan.adaptation.deduplicate import cut_passages, deduplicate, repeated_passages
from phiscan.near_duplicates import jaccard, shingles, word_hashes
from phiscan.words import split_words


def make_notes(*texts, patients=None):
    patients = patients or [f"P{at}" for at in range(len(texts))]
    return [
        Text(f"N{at}", patient, "member", text)
        for at, (text, patient) in enumerate(zip(texts, patients, strict=True))
    ]


def likeness(one, other):
    return jaccard(*(shingles(word_hashes(split_words(text).words)) for text in (one, other)))


def prose(rng, words, vocabulary=400):
    return " ".join(f"word{rng.randrange(vocabulary)}" for _ in range(words))


def edited(rng, text, edits):
    words = text.split()
    for at in rng.sample(range(len(words)), edits):
        words[at] = f"edit{rng.randrange(10**6)}"
    return " ".join(words)


# ------------------------------------------------------------------ whole notes


def test_the_first_of_equal_notes_stays_and_reasons_name_whose_it_was():
    notes = make_notes(
        "Lungs clear.", "Lungs  clear.\n", "lungs clear.", "Lungs clear.", "", " ",
        patients=["P0", "P0", "P0", "P1", "P1", "P2"],
    )  # fmt: skip
    found = deduplicate(notes, how="exact")
    assert found.in_favour_of.tolist() == [0, 0, 2, 0, 4, 4]
    assert found.kept.tolist() == [True, False, True, False, True, False]
    assert found.dropped == {"exact, same patient": 1, "exact, other patient": 2}


def test_near_notes_go_and_exact_copies_of_them_too():
    rng = random.Random(1)
    first = prose(rng, 200)
    near = edited(rng, first, 2)
    texts = [first, near, near, prose(rng, 200), first]
    notes = make_notes(*texts, patients=["P0", "P0", "P1", "P1", "P1"])
    found = deduplicate(notes, how="near")
    assert found.in_favour_of.tolist() == [0, 0, 0, 3, 0]
    assert found.dropped == {
        "near, same patient": 1,
        "near, other patient": 1,
        "exact, other patient": 1,
    }
    assert deduplicate(notes, how="exact").in_favour_of.tolist() == [0, 1, 1, 3, 0]


def test_of_a_chain_of_daily_notes_more_than_the_first_stays():
    """Each day is near the last, but the tenth shares little with the first."""
    rng = random.Random(2)
    chain = [prose(rng, 200)]
    for _ in range(9):
        chain.append(edited(rng, chain[-1], 4))
    assert min(likeness(a, b) for a, b in pairwise(chain)) > 0.8 > likeness(chain[0], chain[-1])
    kept = deduplicate(make_notes(*chain), how="near").kept
    assert 1 < kept.sum() < 10


@settings(deadline=None, max_examples=25)
@given(st.randoms(use_true_random=False))
def test_every_note_that_goes_is_near_one_that_stays_and_those_that_stay_are_apart(rng):
    families = [prose(rng, 60) for _ in range(4)]
    texts = [edited(rng, rng.choice(families), rng.randrange(4)) for _ in range(14)]
    found = deduplicate(make_notes(*texts), how="near", similarity=0.7)
    for note, other in enumerate(found.in_favour_of.tolist()):
        assert other <= note
        assert found.kept[other]
        assert likeness(texts[note], texts[other]) >= 0.7
    assert not found.crowded
    staying = [text for text, kept in zip(texts, found.kept, strict=True) if kept]
    assert all(likeness(a, b) < 0.7 for a, b in combinations(staying, 2))
    assert sum(found.dropped.values()) == len(texts) - len(staying)


@pytest.mark.parametrize("how", ["exact", "near"])
def test_no_notes_are_no_trouble(how):
    found = deduplicate([], how=how)
    assert found.in_favour_of.shape == (0,)
    assert not found.dropped


def test_notes_are_read_as_a_stream():
    notes = make_notes("one note", "one note")
    assert deduplicate(iter(notes), how="near").in_favour_of.tolist() == [0, 0]


# ------------------------------------------------------------------ passages


def by_definition(texts, width):
    """Words that lie in a window which some earlier note holds, note by note."""
    found, earlier = [], set()
    for text in texts:
        words = split_words(text).words
        windows = [tuple(words[at : at + width]) for at in range(len(words) - width + 1)]
        found.append({at + step for at, one in enumerate(windows) if one in earlier for step in range(width)})
        earlier.update(windows)
    return found


@settings(deadline=None)
@given(st.lists(st.text("ab ", max_size=40), max_size=6), st.integers(1, 6))
def test_repeated_passages_are_those_of_the_definition(texts, width):
    texts = [" ".join(text) for text in texts]  # single letters as words: repetitions of every kind
    found = repeated_passages(iter(make_notes(*texts)), words=width)
    assert [{word for one in ranges for word in one} for ranges in found] == by_definition(texts, width)
    for ranges in found:
        assert all(a.stop < b.start for a, b in pairwise(ranges))


def test_a_passage_copied_forward_is_cut_from_the_later_notes_alone():
    rng = random.Random(3)
    passage = prose(rng, 40)
    texts = [f"{prose(rng, 20)} {passage} {prose(rng, 20)}" for _ in range(4)]
    left, counts = cut_passages(make_notes(*texts), words=30)
    assert [note.text for note in left] == [texts[0], *(text.replace(passage, "") for text in texts[1:])]
    assert counts == {"words cut": 120, "notes cut whole": 0}
    # Whole notes are not near to one another: nothing but this takes the passage out.
    assert deduplicate(make_notes(*texts), how="near").kept.all()


def test_a_note_of_which_nothing_is_left_goes_and_one_that_was_empty_does_not():
    text = "one two three four"
    left, counts = cut_passages(make_notes(text, f"{text}\n", " ", "five"), words=4)
    assert [note.note_id for note in left] == ["N0", "N2", "N3"]
    assert counts == {"words cut": 4, "notes cut whole": 1}


def test_a_form_that_repeats_itself_within_a_note_is_left_alone():
    assert repeated_passages(make_notes("- " * 100), words=30) == [[]]


def test_shorter_runs_stay():
    rng = random.Random(4)
    passage = prose(rng, 29, vocabulary=10**9)
    notes = make_notes(f"{prose(rng, 9)} {passage}", f"{passage} {prose(rng, 9)}")
    assert repeated_passages(notes, words=30) == [[], []]
    assert repeated_passages(notes, words=29) == [[], [range(29)]]


@given(st.lists(st.text("ab, \n", max_size=30), min_size=1, max_size=4), st.integers(1, 4), st.data())
def test_cutting_takes_words_and_the_space_between_them_only(texts, width, data):
    notes = [note._replace(given=data.draw(st.integers(0, len(note.text)))) for note in make_notes(*texts)]
    left = {note.note_id: note for note in cut_passages(notes, words=width)[0]}
    for note, ranges in zip(notes, repeated_passages(notes, words=width), strict=True):
        words = split_words(note.text)
        cut = {at for one in ranges for at in range(words.starts[one.start], words.ends[one.stop - 1])}
        kept = [char for at, char in enumerate(note.text) if at not in cut]
        given_kept = [char for at, char in enumerate(note.text[: note.given]) if at not in cut]
        if note.note_id in left:
            assert left[note.note_id].text == "".join(kept)
            assert left[note.note_id].given == len(given_kept)
        else:
            assert ranges
            assert not "".join(kept[len(given_kept) :]).strip()
