"""The ways of decoding by their names in settings and tables, and the seed of every draw.

``greedy`` takes the most probable token. Any other name says how a token is drawn: ``t0.7`` at
temperature 0.7 from the whole vocabulary, ``k10`` from the ten most probable tokens at temperature 1,
``t0.7k50`` both. ``given`` stands in tables alone, for answers made elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b

from phiscan.errors import ConfigError
from phiscan.protocols import Backend, Decoding, Generated, SamplingBackend

GREEDY = "greedy"
GIVEN = "given"
STUDY = (GREEDY, "t0.1", "t0.3", "t0.5", "t0.7", "t1", "k10", "k50")
"""The study's ablation."""
CANNOT_DRAW = "[regenerate] decodings: the backend cannot draw answers at random, only decode greedily"
_WORD = re.compile(r"(?:t(?P<temperature>\d{1,2}(?:\.\d{1,2})?))?(?:k(?P<top_k>[1-9]\d{0,5}))?", re.ASCII)


def decoding_of(name: str) -> Decoding | None:
    """How tokens are drawn; None for greedy decoding.

    >>> decoding_of("t0.7k50")
    Decoding(temperature=0.7, top_k=50, top_p=None)

    Raises:
        ValueError: No such way of decoding; the text quotes nothing.

    """
    if name == GREEDY:
        return None
    found = _WORD.fullmatch(name)
    if not name or found is None:
        raise ValueError("write greedy, t0.7 (temperature), k10 (top-k) or t0.7k50 (both)")
    temperature, top_k = found["temperature"], found["top_k"]
    if temperature is not None and not 0.01 <= float(temperature) <= 10:
        raise ValueError("temperatures go from 0.01 to 10; what 0 would give is greedy")
    return Decoding(float(temperature or 1), int(top_k) if top_k else None)


def name_of(decoding: Decoding | None) -> str:
    """The one name of a way of decoding.

    >>> [name_of(decoding_of(name)) for name in ("greedy", "t1.0", "k10", "t1k10", "t0.70k50")]
    ['greedy', 't1', 'k10', 'k10', 't0.7k50']
    """
    if decoding is None:
        return GREEDY
    temperature = decoding.temperature != 1 or decoding.top_k is None
    return (f"t{decoding.temperature:g}" if temperature else "") + (
        f"k{decoding.top_k}" if decoding.top_k else ""
    )


def draw_seed(seed: int, prompt_id: str, decoding: str, draw: int) -> int:
    """Seed of one answer, in the range of int64; 0 for greedy decoding, which draws nothing.

    It is the same for every model asked. So the scanned model and the control meet the same noise (common
    random numbers): where both give the same tokens the same probability, they draw the same.
    """
    if decoding == GREEDY:
        return 0
    text = f"{seed} regenerate {prompt_id} {decoding} {draw}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)


def ask_model(
    backend: Backend,
    prompts: Sequence[Sequence[int]],
    max_new_tokens: int,
    *,
    decoding: str,
    seeds: Sequence[int],
) -> list[Generated | None]:
    """One answer to each prompt, by the way of decoding of that name; ``seeds`` of :func:`draw_seed`.

    Raises:
        ConfigError: The backend cannot draw at random.

    """
    how = decoding_of(decoding)
    if how is None:
        return backend.generate(prompts, max_new_tokens)
    if not isinstance(backend, SamplingBackend):
        raise ConfigError(CANNOT_DRAW)
    return backend.sample(prompts, max_new_tokens, decoding=how, seeds=seeds)
