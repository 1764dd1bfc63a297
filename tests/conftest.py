"""What every test shares: a quiet, single-threaded, offline process with a home of its own."""

import json
import os
import shutil
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


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The default demo, made once (minutes): its result, and its run directory, which tests leave as it is."""
    from phiscan.commands.demo import run_demo

    out = tmp_path_factory.mktemp("demo") / "run"
    return run_demo(out), out


@pytest.fixture(scope="session")
def scanned_cases(tmp_path_factory, write_jsonl):
    """The run directory of a scan of every replay case, made once; tests leave it as it is."""
    from replay_cases import case_inputs

    from phiscan.config import ScanConfig
    from phiscan.pipeline import scan

    inputs = case_inputs(tmp_path_factory.mktemp("cases"), write_jsonl)
    scan(inputs, ScanConfig())
    return inputs.out


@pytest.fixture
def run(scanned_cases, tmp_path):
    """A copy of it, to be changed."""
    return shutil.copytree(scanned_cases, tmp_path / "run")


@pytest.fixture
def command_line(monkeypatch, capsys):
    """`phiscan ...` in this process: (exit code, standard output, standard error)."""
    from phiscan import cli

    def call(*arguments):
        monkeypatch.setattr("sys.argv", ["phiscan", *map(str, arguments)])
        monkeypatch.setattr(cli.signal, "signal", lambda *_: None)
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return call
