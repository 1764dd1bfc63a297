"""The demo's model, trained once and kept in the cache, and the tokens of its notes."""

import os
from pathlib import Path

import torch

from phiscan.backends.transformers import TransformersBackend, build
from phiscan.commands.demo_corpus import make_corpus
from phiscan.commands.demo_model import train_demo_model
from phiscan.protocols import BackendSettings, ModelSource

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "phiscan-tests" / "bench-demo"


def demo_model(*, steps: int = 500) -> tuple[TransformersBackend, list[list[int]]]:
    """The backend, one thread, and the distinct notes of the demo, those held out included."""
    torch.set_num_threads(1)
    corpus = make_corpus(seed=7)
    folder = CACHE / str(steps)
    if not (folder / "trained").exists():
        members = [note.text for note in corpus.notes if note.split == "member"]
        train_demo_model(members, folder, seed=7, steps=steps)
        (folder / "trained").touch()
    backend = build(ModelSource(str(folder)), BackendSettings())
    texts = list(dict.fromkeys(note.text for note in corpus.notes))
    return backend, [tokens.ids for tokens in backend.tokenize(texts)]


def whole_loop(
    backend: TransformersBackend, prompts: list[list[int]], new: int, *, batch_size: int = 64
) -> list[tuple[list[int], list[float]]]:
    """The baseline: transformers' ``generate``, prompts sorted by length; ids with the end token."""
    order = sorted(range(len(prompts)), key=lambda i: len(prompts[i]))
    made: dict[int, tuple[list[int], list[float]]] = {}
    for at in range(0, len(order), batch_size):
        batch = order[at : at + batch_size]
        answers = backend._generate_whole([[*backend._bos, *prompts[i]] for i in batch], new)
        made |= dict(zip(batch, answers, strict=True))
    return [made[i] for i in range(len(prompts))]
