"""Groups of notes whose words are nearly the same, in time linear in the number of notes.

A note stands for the set of its *shingles*, five neighbouring words each. Two notes are
near-duplicates if the Jaccard similarity of their sets is at least ``similarity``; notes that
near-duplicates join, directly or over others, are one group (Lee et al. 2022, "Deduplicating
training data makes language models better"). Candidates come from MinHash and locality-sensitive
hashing (Broder 1997; Indyk and Motwani 1998), and every link is confirmed on the sets themselves:
what is grouped is exact but for collisions of 64-bit hashes, what is missed is a matter of chance
(:func:`band_rows`) and of buckets too full to be compared pair by pair (``crowded``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

Hashes = npt.NDArray[np.uint64]
Signatures = npt.NDArray[np.uint32]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

SHINGLE = 5
"""Words of a shingle."""
SIGNATURE = 128
"""Slots of a signature, four bytes each."""
NEIGHBOURS = 32
"""A note is compared with so many that follow it in a bucket; more only if these link it to them."""
_FOUND = 0.998
_CHUNK = 1 << 11
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


class RepetitionSettings(BaseModel):
    """When two notes count as one text said twice."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    similarity: float = Field(
        0.8, ge=0.5, le=1, description="least Jaccard similarity of the five-word shingles of near-duplicates"
    )
    copied_share: float = Field(
        0.5,
        gt=0,
        le=1,
        description="share of a note's words, in runs of 30 or more that another note of the patient holds "
        "too, from which on the note counts as copied forward",
    )


class Groups(NamedTuple):
    """The groups of some notes; both arrays of shape (notes,)."""

    group: Ints
    """Number of each note's group, groups numbered in the order of their first notes."""
    crowded: Flags
    """The note stood in a bucket in which not every pair was compared: its group may be too small."""


def near_groups(words: Callable[[int], Hashes], notes: int, *, similarity: float, seed: int) -> Groups:
    """Group the notes ``0 ... notes - 1``; ``words(i)`` gives the :func:`word_hashes` of note i.

    The order of the notes changes nothing but the numbers of the groups.
    """
    first: dict[bytes, int] = {}
    digests = [blake2b(words(note).tobytes(), digest_size=16).digest() for note in range(notes)]
    for note, digest in enumerate(digests):
        first.setdefault(digest, note)
    # Equal texts are one from here on; sorted, so that the notes' order is forgotten.
    number = {digest: text for text, digest in enumerate(sorted(first))}
    note_of = [first[digest] for digest in number]
    texts = _Texts(lambda text: shingles(words(note_of[text])), len(note_of), similarity, seed)
    texts.link_all()
    text_of = np.array([number[digest] for digest in digests], dtype=np.int64)
    return Groups(_in_order(texts.label[text_of]), texts.crowded[text_of])


def word_hashes(words: list[str]) -> Hashes:
    """A 64-bit hash of each word, the same in every run."""
    joined = b"".join(
        blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest() for word in words
    )
    return np.frombuffer(joined, dtype=np.uint64)


def shingles(words: Hashes) -> Hashes:
    """The distinct shingles of a text as hashes, ascending; a shorter text is one of all its words."""
    width = min(SHINGLE, len(words))
    count = len(words) - width + 1
    mixed: Hashes = np.full(count, width, dtype=np.uint64)
    for at in range(width):
        mixed = (mixed ^ words[at : at + count]) * _PRIME
        mixed ^= mixed >> _HALF
    return np.unique(mixed)


def jaccard(one: Hashes, other: Hashes) -> float:
    """Shared shingles divided by all shingles of two texts.

    >>> jaccard(np.array([1, 2, 3, 4], np.uint64), np.array([2, 3, 4, 5], np.uint64))
    0.6
    """
    both = np.concatenate([one, other])
    both.sort(kind="stable")  # merges the two ascending halves
    common = int(np.count_nonzero(both[1:] == both[:-1]))
    return common / (len(one) + len(other) - common)


def band_rows(similarity: float) -> int:
    """Slots in a band: as many as let a pair at the threshold share one band with probability 0.998.

    Two sets of similarity s agree in a slot with probability s, in one of b bands of r slots with
    1 - (1 - s^r)^b.

    >>> band_rows(0.8), round(1 - (1 - 0.8**6) ** (128 // 6), 4)
    (6, 0.9983)
    """
    chances = {rows: 1 - (1 - similarity**rows) ** (SIGNATURE // rows) for rows in range(1, SIGNATURE + 1)}
    return max(rows for rows, chance in chances.items() if chance >= _FOUND)


class _Texts:
    """Distinct texts, and which of them were found to be linked so far."""

    def __init__(
        self, shingles_of: Callable[[int], Hashes], count: int, similarity: float, seed: int
    ) -> None:
        self.label = np.arange(count)
        """The first text of each text's group."""
        self.crowded = np.zeros(count, dtype=np.bool_)
        self._shingles = lru_cache(maxsize=_CHUNK)(shingles_of)
        self._signatures = _signatures(self._shingles, count, seed)
        self._similarity = similarity
        # Three standard errors below the threshold: what agrees in fewer slots is not looked at.
        self._least = (similarity - 3 * (similarity * (1 - similarity) / SIGNATURE) ** 0.5) * SIGNATURE

    def link_all(self) -> None:
        rows = band_rows(self._similarity)
        keys = [
            _band_keys(self._signatures[:, at : at + rows]) for at in range(0, SIGNATURE - rows + 1, rows)
        ]
        for band, key in enumerate(keys):
            # Within a bucket, texts that share the next band too stand together.
            order = np.lexsort((keys[(band + 1) % len(keys)], key))
            self._link_buckets(order, key[order])

    def _link_buckets(self, order: Ints, bucket: Hashes) -> None:
        for start in range(0, len(order), _CHUNK // 2):  # so that the sets compared stay in the cache
            for distance in range(1, NEIGHBOURS + 1):
                ahead = bucket[start + distance : start + distance + _CHUNK // 2]
                at = start + np.flatnonzero(bucket[start : start + len(ahead)] == ahead)
                if not len(at):
                    break
                self._link_pairs(order[at], order[at + distance])
        starts = np.concatenate([[0], np.flatnonzero(bucket[1:] != bucket[:-1]) + 1])
        sizes = np.diff(starts, append=len(bucket))
        for start, size in zip(starts[sizes > NEIGHBOURS + 1], sizes[sizes > NEIGHBOURS + 1], strict=True):
            members = order[start : start + size]
            if np.ptp(self.label[members]):
                self.crowded[members] = True

    def _link_pairs(self, left: Ints, right: Ints) -> None:
        apart = self.label[left] != self.label[right]
        left, right = left[apart], right[apart]
        equal = np.count_nonzero(self._signatures[left] == self._signatures[right], axis=1)
        alike = equal >= self._least
        linked = [self._link(*pair) for pair in zip(left[alike].tolist(), right[alike].tolist(), strict=True)]
        if any(linked):
            while (self.label != (up := self.label[self.label])).any():
                self.label = up

    def _link(self, one: int, other: int) -> bool:
        first, second = self._first(one), self._first(other)
        if first == second or jaccard(self._shingles(one), self._shingles(other)) < self._similarity:
            return False
        self.label[max(first, second)] = min(first, second)
        return True

    def _first(self, text: int) -> int:
        while (up := int(self.label[text])) != text:
            text = up
        return text


def _signatures(shingles_of: Callable[[int], Hashes], count: int, seed: int) -> Signatures:
    from rensa import RMinHash

    made = np.empty((count, SIGNATURE), dtype=np.uint32)
    for start in range(0, count, _CHUNK):
        sets = [shingles_of(text) for text in range(start, min(start + _CHUNK, count))]
        offsets = np.cumsum([0, *map(len, sets)], dtype=np.uint64)
        digests = RMinHash.digest_matrix_from_flat_token_hashes(
            np.concatenate(sets), offsets, SIGNATURE, seed % (1 << 64)
        )
        made[start : start + len(sets)] = digests.to_rows()
    return made


def _band_keys(band: Signatures) -> Hashes:
    """A hash of each row; that two rows may share one costs a comparison, no more."""
    key = np.zeros(len(band), dtype=np.uint64)
    for column in band.T:
        key = (key ^ column) * _PRIME
        key ^= key >> _HALF
    return key


def _in_order(labels: Ints) -> Ints:
    """Labels renumbered 0, 1, ... in the order of their first places."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]
