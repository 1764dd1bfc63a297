"""The model that only repeats its prompt: a null control. Nothing it says is a leak.

Its tokens are single characters, so it needs no files; ``--model`` names nothing for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from phiscan.protocols import BackendSettings, Decoding, Generated, ModelSource, Tokens
from phiscan.scan_report import ModelIdentity


def build(source: ModelSource, settings: BackendSettings) -> EchoBackend:
    """An echo; source and settings are of no consequence."""
    return EchoBackend()


class EchoBackend:
    """See :class:`phiscan.protocols.SamplingBackend`."""

    def identity(self) -> ModelIdentity:
        """An echo has no weights."""
        return ModelIdentity(backend="echo", architecture="echo", dtype="none", device="cpu")

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """One token a character."""
        return [Tokens([ord(char) for char in text], list(range(1, len(text) + 1))) for text in texts]

    def generate(self, prompts: Sequence[Sequence[int]], max_new_tokens: int) -> list[Generated | None]:
        """Each prompt again, up to ``max_new_tokens``."""
        return [_again(list(prompt[:max_new_tokens])) for prompt in prompts]

    def sample(
        self,
        prompts: Sequence[Sequence[int]],
        max_new_tokens: int,
        *,
        decoding: Decoding,
        seeds: Sequence[int],
    ) -> list[Generated | None]:
        """The same, however it is drawn."""
        return self.generate(prompts, max_new_tokens)


def _again(ids: list[int]) -> Generated:
    text = "".join(map(chr, ids))
    return Generated(ids, list(range(1, len(ids) + 1)), text, "eos", 0.0 if ids else None)
