"""Training notes that say again what another one said: which stay, and passages to cut out of those.

Three steps, each stronger than the one before. *Exact*: of notes with the same words (white space
aside) the first stays. *Near*: a note also goes if it is a near-duplicate of one that stays
(:mod:`phiscan.near_duplicates`; Lee et al. 2022). *Passages*: what is copied into notes that differ
otherwise survives both, so runs of words that stood in an earlier note can be cut out of the later
ones (as the exact substrings of Lee et al.).

Notes are read once and not kept: of each word stands a number in memory.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from phiscan.adaptation.corpus import Text
from phiscan.near_duplicates import Hashes, Ints, jaccard, near_groups, shingles, word_hashes
from phiscan.words import Vocabulary, split_words

Reason = Literal["exact, same patient", "exact, other patient", "near, same patient", "near, other patient"]
"""Why a note goes: it has the words of a note that stays, or nearly; of the same patient or another."""
_BASE = 0x9E3779B97F4A7C15


class Deduplicated(NamedTuple):
    """What became of the notes, in their order."""

    in_favour_of: Ints
    """For each note the place of the one that stays for it, its own if it stays; shape (notes,)."""
    dropped: dict[Reason, int]
    """Notes that go, by reason."""
    crowded: int
    """Notes among too many alike to compare each with each: near-duplicates may be left."""

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """Whether each note stays."""
        kept: npt.NDArray[np.bool_] = self.in_favour_of == np.arange(len(self.in_favour_of))
        return kept


def deduplicate(
    notes: Iterable[Text], *, how: Literal["exact", "near"], similarity: float = 0.8, seed: int = 0
) -> Deduplicated:
    """Which notes stay in training: the first of those that have the same words, or nearly.

    A note goes only if it is equal or near to a note that *stays*: of a chain of daily notes, each
    near to the last, more than the first may stay.

    Args:
        notes: In the order in which the first is to stay.
        how: ``near`` includes ``exact``.
        similarity: Least Jaccard similarity of the five-word shingles of near-duplicates.
        seed: Of the signatures by which near-duplicates are found.

    """
    corpus = _Corpus(notes)
    first: dict[bytes, int] = {}
    equal = np.array([first.setdefault(corpus.digest(at), at) for at in range(len(corpus))], dtype=np.int64)
    of, crowded = equal, 0
    if how == "near":
        distinct = np.unique(equal)
        found = near_groups(
            lambda at: corpus.hashes(int(distinct[at])), len(distinct), similarity=similarity, seed=seed
        )
        of, crowded = equal.copy(), int(found.crowded.sum())
        for members in _groups(found.group):
            _settle(distinct[members].tolist(), of, corpus, similarity)
        of = of[equal]  # a copy of a note that goes, goes for the same one
    reasons: Counter[Reason] = Counter()
    for note in np.flatnonzero(of != np.arange(len(of))).tolist():
        reasons[_reason(note, int(of[note]), equal, corpus.patients)] += 1
    return Deduplicated(of, dict(reasons), crowded)


def repeated_passages(notes: Iterable[Text], *, words: int) -> list[list[range]]:
    """For each note the words that stood in an earlier note already, in runs of ``words`` or more.

    Ranges count in :func:`phiscan.words.split_words` and neither touch nor overlap. Every run stays
    in the first note that holds it, whoever's note that is; forms and boilerplate go like all that was
    said before. Runs are compared by 64-bit hashes: among a hundred million of them, two different
    ones share a hash with a chance of 1 in 3,700. Sorting them takes some 60 bytes a word.
    """
    corpus = _Corpus(notes)
    said = _said_before(corpus, words)
    found = []
    for start, end in zip(corpus.starts[:-1], corpus.starts[1:], strict=True):
        edges = np.flatnonzero(np.diff(said[start:end].astype(np.int8), prepend=0, append=0)).tolist()
        found.append([range(*pair) for pair in zip(edges[::2], edges[1::2], strict=True)])
    return found


def cut_passages(notes: Sequence[Text], *, words: int) -> tuple[list[Text], dict[str, int]]:
    """The notes without their :func:`repeated_passages`, those of which nothing is left without.

    Returns also how many words were cut, and how many notes went whole. White space before and behind a
    passage stays; what stood on both sides of it stands side by side from now on.

    >>> notes = [Text("1", "P", "member", "No rales."), Text("2", "P", "member", "Seen. No rales. Home.")]
    >>> [note.text for note in cut_passages(notes, words=3)[0]], cut_passages(notes, words=3)[1]
    (['No rales.', 'Seen.  Home.'], {'words cut': 3, 'notes cut whole': 0})
    """
    found = repeated_passages(notes, words=words)
    left = [_without(note, ranges) for note, ranges in zip(notes, found, strict=True)]
    kept = [new for new, old in zip(left, notes, strict=True) if new is old or not _is_blank(new)]
    cut = sum(len(one) for ranges in found for one in ranges)
    return kept, {"words cut": cut, "notes cut whole": len(notes) - len(kept)}


def _without(note: Text, ranges: Sequence[range]) -> Text:
    if not ranges:
        return note
    found = split_words(note.text)
    kept: list[str] = []
    at, given = 0, note.given
    for words in ranges:
        start, end = found.starts[words.start], found.ends[words.stop - 1]
        kept.append(note.text[at:start])
        given -= max(0, min(end, note.given) - start)
        at = end
    return note._replace(text="".join([*kept, note.text[at:]]), given=given)


def _is_blank(note: Text) -> bool:
    return not note.text[note.given :].strip()


class _Corpus:
    """The words of all notes as numbers, 4 bytes each."""

    def __init__(self, notes: Iterable[Text]) -> None:
        vocabulary, numbers, starts = Vocabulary(), array("I"), [0]
        self.patients: list[str] = []
        for note in notes:
            numbers.extend(vocabulary.learn(split_words(note.text).words))
            starts.append(len(numbers))
            self.patients.append(note.patient_id)
        self.words = np.frombuffer(numbers, dtype=np.uint32) if numbers else np.zeros(0, dtype=np.uint32)
        self.starts = np.array(starts, dtype=np.int64)
        self._hash_of = word_hashes(list(vocabulary))

    def __len__(self) -> int:
        return len(self.patients)

    def digest(self, note: int) -> bytes:
        return blake2b(self._of(note).tobytes(), digest_size=16).digest()

    def hashes(self, note: int) -> Hashes:
        return self._hash_of[self._of(note)]

    def all_hashes(self) -> Hashes:
        return self._hash_of[self.words]

    def _of(self, note: int) -> npt.NDArray[np.uint32]:
        return self.words[self.starts[note] : self.starts[note + 1]]


def _groups(group: Ints) -> list[Ints]:
    """The members of each group of two or more, ascending."""
    order = np.argsort(group, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    return [part for part in parts if len(part) > 1]


def _settle(members: Sequence[int], of: Ints, corpus: _Corpus, similarity: float) -> None:
    """Let each note of a group go for the first one that stays and is near to it."""
    kept: list[tuple[int, Hashes]] = []
    for note in members:
        own = shingles(corpus.hashes(note))
        near = next((other for other, sets in kept if jaccard(sets, own) >= similarity), None)
        if near is None:
            kept.append((note, own))
        else:
            of[note] = near


def _reason(note: int, other: int, equal: Ints, patients: Sequence[str]) -> Reason:
    same = patients[note] == patients[other]
    if equal[note] == equal[other]:
        return "exact, same patient" if same else "exact, other patient"
    return "near, same patient" if same else "near, other patient"


def _said_before(corpus: _Corpus, width: int) -> npt.NDArray[np.bool_]:
    """Whether each word of the corpus lies in a window that stands in an earlier note too."""
    room = np.repeat(corpus.starts[1:], np.diff(corpus.starts)) - np.arange(len(corpus.words))
    places = np.flatnonzero(room >= width)  # where a window starts that ends in the same note
    note = np.searchsorted(corpus.starts, places, side="right") - 1
    keys = _window_hashes(corpus.all_hashes(), width)[places] if len(places) else np.zeros(0, np.uint64)
    order = np.argsort(keys, kind="stable")
    fresh = np.diff(keys[order], prepend=~keys[order][:1]) != 0
    firsts = order[np.flatnonzero(fresh)[np.cumsum(fresh) - 1]] if len(order) else order
    repeated = places[order[note[order] > note[firsts]]]
    steps = np.bincount(repeated, minlength=len(room) + 1) - np.bincount(
        repeated + width, minlength=len(room) + 1
    )
    said: npt.NDArray[np.bool_] = np.cumsum(steps)[:-1] > 0
    return said


def _window_hashes(hashes: Hashes, width: int) -> Hashes:
    """A hash of every ``width`` neighbours: the polynomial of their hashes, modulo 2^64."""
    count = len(hashes)
    powers = np.multiply.accumulate(np.full(count, _BASE, dtype=np.uint64))
    inverses = np.multiply.accumulate(np.full(count, pow(_BASE, -1, 1 << 64), dtype=np.uint64))
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(hashes * inverses, dtype=np.uint64)])
    windows: Hashes = (sums[width:] - sums[: len(sums) - width]) * powers[: count - width + 1]
    return windows
