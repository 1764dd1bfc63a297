"""A real Label Studio server of a test's own: throw-away folder, loopback only, telemetry off, ended by its pid."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import httpx

ROOT = Path(__file__).parents[2]
# Read when tests are collected: each test runs without the PHISCAN_ variables of the machine.
PROGRAM = Path(os.environ.get("PHISCAN_LABEL_STUDIO") or ROOT / ".venv-label-studio" / "bin" / "label-studio")
ABSENT = (
    "NO LABEL STUDIO SERVER: `make .venv-label-studio/installed`, "
    "or set PHISCAN_LABEL_STUDIO to its bin/label-studio"
)
START_SECONDS, END_SECONDS = 180, 30


class Admin(NamedTuple):
    """The first user of a server: its owner."""

    email: str
    password: str
    token: str


class LabelStudioServer(NamedTuple):
    url: str
    admin: Admin
    folder: Path
    pid: int

    @property
    def token(self) -> str:
        return self.admin.token

    def log(self) -> str:
        return (self.folder / "server.log").read_text(encoding="utf-8", errors="replace")

    def files_with(self, word: str) -> list[str]:
        """Names of the files outside the database that hold ``word``."""
        files = (path for path in self.folder.rglob("*") if path.is_file() and ".sqlite3" not in path.name)
        return [path.name for path in files if word.encode() in path.read_bytes()]


def new_admin() -> Admin:
    return Admin("admin@localhost.localdomain", secrets.token_urlsafe(12), secrets.token_hex(20))


def make_template(folder: Path, admin: Admin) -> Path:
    """A folder with a migrated database: the minute that a first start takes is spent once."""
    folder.mkdir(mode=0o700)
    with running(folder, admin):
        pass
    return folder


@contextmanager
def fresh(template: Path, folder: Path, admin: Admin) -> Iterator[LabelStudioServer]:
    """A server on a copy of ``template``, which is removed at the end."""
    shutil.copytree(template, folder)
    folder.chmod(0o700)
    try:
        with running(folder, admin) as server:
            yield server
    finally:
        shutil.rmtree(folder)


@contextmanager
def running(folder: Path, admin: Admin) -> Iterator[LabelStudioServer]:
    """A server on ``folder`` as it is, in a process session of its own."""
    port = _free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "HOME": str(folder),
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder),
        # Secrets stand in the environment, as flags are shown to every user of the machine.
        "LABEL_STUDIO_USERNAME": admin.email,
        "LABEL_STUDIO_PASSWORD": admin.password,
        "LABEL_STUDIO_USER_TOKEN": admin.token,
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
        "LABEL_STUDIO_DISABLE_SIGNUP_WITHOUT_LINK": "true",
        "LATEST_VERSION_CHECK": "false",
        "COLLECT_ANALYTICS": "false",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
    }
    command = [PROGRAM, "start", "--no-browser", "--internal-host", "127.0.0.1", "--port", str(port)]
    with (folder / "server.log").open("ab") as log:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    server = LabelStudioServer(f"http://127.0.0.1:{port}", admin, folder, process.pid)
    try:
        _wait_until_ready(server, process)
        yield server
    finally:
        end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Ask the process to end, and its whole session if it will not."""
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait_until_ready(server: LabelStudioServer, process: subprocess.Popen[bytes]) -> None:
    # A busy port silently becomes the next one, so whoever answers must know our token.
    url, token = f"{server.url}/api/current-user/whoami", {"Authorization": f"Token {server.token}"}
    deadline = time.monotonic() + START_SECONDS
    with httpx.Client(trust_env=False, timeout=10) as http:
        while time.monotonic() < deadline and process.poll() is None:
            with suppress(httpx.TransportError):
                if http.get(f"{server.url}/health").is_success and http.get(url, headers=token).is_success:
                    return
            time.sleep(0.3)
    state = f"ended with {process.poll()}" if process.poll() is not None else "is not ready"
    raise RuntimeError(f"Label Studio {state}; the end of its log:\n{server.log()[-2000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
