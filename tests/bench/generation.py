"""Greedy continuations of 100 tokens by a tiny model, by batch size."""

import sys
import tempfile
from pathlib import Path

from phiscan.backends.transformers import build
from phiscan.protocols import BackendSettings, ModelSource
from tests.bench.timing import compare

sys.path.insert(0, str(Path(__file__).parent.parent))


def main() -> None:
    from tiny_model import TEXTS, make_model

    with tempfile.TemporaryDirectory() as folder:
        source = ModelSource(str(make_model(Path(folder))))
        backends = {size: build(source, BackendSettings(batch_size=size)) for size in (64, 8, 1)}
        prompts = [tokens.ids[:12] for tokens in backends[64].tokenize(TEXTS[:3] * 22)][:64]
        compare(
            3,
            {
                f"batch of {size}": lambda b=backend: b.generate(prompts, 100)
                for size, backend in backends.items()
            },
        )
