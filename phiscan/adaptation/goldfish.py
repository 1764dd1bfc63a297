"""Which tokens of a note are left out of the loss, so that no copy of a passage teaches all of it.

The goldfish loss (Hans et al. 2024, "Be like a Goldfish, Don't Memorize!", arXiv 2406.10209): about one
token in k is never a training target, and a hash of the tokens before it decides which. A model that
has not been told a token must guess it, and a verbatim answer breaks off where it guesses wrong. As the
hash sees nothing but the preceding tokens, a passage loses the same tokens wherever it stands, in every
copy and every epoch: no copy tells what another one withholds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from phiscan.errors import ConfigError

CONTEXT = 13
"""Tokens before a token that decide whether it is dropped; the paper's choice."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ROUNDS = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
    (np.uint64(31), np.uint64(1)),
)


def dropped_from_loss(
    ids: Sequence[int] | npt.NDArray[np.integer], *, k: int, context: int = CONTEXT, seed: int = 0
) -> npt.NDArray[np.bool_]:
    """Whether each token is left out of the loss: on average one in ``k``; shape (tokens,).

    Token i is dropped if a hash of the ``context`` tokens before it is a multiple of ``k``. Token i
    itself has no say, so the choice does not hang on what is to be kept from the model. Near the
    beginning, where fewer tokens stand before it, the hash is of all these (the paper keeps the first
    tokens in the loss; a note's header, with its names and numbers, stands just there). The first
    token, which nothing predicts, is never dropped.

    Give it a whole note and cut the note into windows afterwards: at the beginning of a window the
    tokens before it would be missing, and copies would no longer agree.

    Args:
        ids: Token ids of one note, not negative.
        k: One token in so many is dropped; 2 or more.
        context: How many tokens before it decide.
        seed: Another seed drops other tokens; every epoch and every copy must have the same.

    Raises:
        ConfigError: ``k`` is less than 2.

    """
    if k < 2:
        raise ConfigError("goldfish: k must be 2 or more, one token in k is left out of the loss")
    tokens = np.asarray(ids, dtype=np.uint64)
    states = np.full(len(tokens), seed % (1 << 64), dtype=np.uint64)
    for back in range(min(context, len(tokens) - 1), 0, -1):
        states[back:] = _mixed((states[back:] ^ tokens[:-back]) + _GOLDEN)
    dropped: npt.NDArray[np.bool_] = states % np.uint64(k) == 0
    dropped[:1] = False
    return dropped


def _mixed(states: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """SplitMix64's output (Steele, Lea & Flood 2014); integers, so the same on every machine."""
    for shift, factor in _ROUNDS:
        states = (states ^ (states >> shift)) * factor
    return states
