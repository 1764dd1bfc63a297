"""What every test shares: a quiet, single-threaded, offline process with a home of its own."""

import json
import os
from pathlib import Path

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch):
    """No setting of the developer's machine reaches a test."""
    for name in list(os.environ):
        if name.startswith("PHISCAN_"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def write_jsonl():
    """Write rows as JSON lines and return the path."""

    def write(path: Path, rows) -> Path:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write
