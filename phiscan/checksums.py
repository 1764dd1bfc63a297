"""RUN/checksums: what a run wrote, file by file, and of which files it consists once it is finished.

    <digest>  tables/hits/00000.parquet
    <digest>  report.json
    = <digest of the lines above>

A file is noted before it takes its place, so one that stands and fits no line was damaged, cut off or
brought from elsewhere. From the closing line on the run is finished: no file above it may be missing or
differ. Lines below it are of what was written since. Digests are keyed, as tables hold patient text.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

NAME = "checksums"
"""The file's name in the run directory."""
_LINE = re.compile(r"([0-9a-f]{32})  (.+)")
_CLOSING = "\n= "


class Checksums:
    """The digests of one run directory; the file is read again where somebody else wrote it."""

    def __init__(self, root: Path, key: Callable[[], bytes]) -> None:
        self._path = root / NAME
        self._root = root
        self._key = key
        self._stamp: object = None
        self._noted: dict[str, list[str]] = {}
        self._finished: dict[str, str] = {}

    # --- reading --------------------------------------------------------------------------

    @property
    def finished(self) -> dict[str, str]:
        """Digest by name of every file of a finished run; empty before, or if the list is damaged."""
        self._read()
        return self._finished

    @property
    def noted(self) -> dict[str, list[str]]:
        """Digests by name of everything ever noted, the latest last."""
        self._read()
        return self._noted

    def digest(self, content: bytes) -> str:
        """The keyed digest of a file's bytes."""
        return hmac.new(self._key(), content, hashlib.sha256).hexdigest()[:32]

    def digest_of_file(self, path: Path) -> str:
        """The same of a file of any size."""
        key = self._key()
        with path.open("rb") as file:
            found = hashlib.file_digest(file, lambda: hmac.new(key, digestmod=hashlib.sha256))
        return found.hexdigest()[:32]

    def _read(self) -> None:
        stamp = self._stamp_now()
        if stamp == self._stamp:
            return
        self._noted, self._finished, self._stamp = {}, {}, stamp
        try:
            text = self._path.read_text(encoding="utf-8", errors="replace")
        except OSError:  # none, or no file at all: nothing was noted
            return
        above, closing, below = text.partition(_CLOSING)
        if closing and hmac.compare_digest(below[:32].encode(), self.digest(above.encode()).encode()):
            self._finished = {line[2]: line[1] for line in map(_LINE.fullmatch, above.split("\n")) if line}
        for line in map(_LINE.fullmatch, text.split("\n")):
            if line:
                self._noted.setdefault(line[2], []).append(line[1])

    def _stamp_now(self) -> object:
        try:
            found = self._path.stat()
        except OSError:
            return None
        if not stat.S_ISREG(found.st_mode):  # a pipe would be waited for
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    # --- writing --------------------------------------------------------------------------

    def note(self, name: str, path: Path) -> None:
        """Note what ``path`` holds as what ``name`` is about to hold."""
        digest = self.digest_of_file(path)
        self.noted.setdefault(name, []).append(digest)
        # The line feed goes first: a line that a kill cut off spoils no other.
        handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"\n{digest}  {name}")
        self._stamp = self._stamp_now()

    def closed(self, names: Iterable[str], without: Iterable[str] = ()) -> bytes:
        """Content of the list of a run that consists of ``names`` and of what it consisted of before."""
        gone = set(without)
        kept = {name: digest for name, digest in self.finished.items() if name not in gone}
        kept |= {name: self._present(name) for name in names if name not in gone}
        above = "\n".join(f"{digest}  {name}" for name, digest in sorted(kept.items()))
        return f"{above}{_CLOSING}{self.digest(above.encode())}\n".encode()

    def _present(self, name: str) -> str:
        """Which of the digests noted the file bears; the latest if none, so that it is refused."""
        noted = self.noted[name]
        if len(set(noted)) > 1:
            now = self.digest_of_file(self._root / name)
            return now if now in noted else noted[-1]
        return noted[-1]
