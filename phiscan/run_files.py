"""Files of a run: written whole or not at all, and read as they were written or not at all.

Every file is 0600 and every folder 0700. One is written beside its place, noted in the list of
:mod:`phiscan.checksums`, and moved there. Two kinds of reader: a scan at work takes what fits a line of
the list, and makes again what does not; who reads a finished run is refused where a file is missing or
other than it was when the run was finished.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from phiscan import checksums
from phiscan.checksums import Checksums
from phiscan.errors import StoreError

KEY = "key"
PEOPLE = "people"
"""Name of the parts of hits and verdicts that people's rows stand in."""
REVIEW = "review/score.json"
"""Where the figures of a scored review stand."""
REVIEW_ANEW = (
    "remove review and tables/review_* in the run directory, and people.parquet in tables/hits and "
    "tables/verdicts"
)
"""How a review is begun anew: removed whole, it is not missed."""
ANNEX_LOG = "annex.log.jsonl"
"""A line for every annex that was written of the run."""
_AGAIN = "run the same scan command again"
_UNFINISHED = (
    "the run directory is not finished, of an older version, or has lost its list of files or its key; "
    f"{_AGAIN}"
)


_RENDERED = ("report.html", "report.pdf", "report-tables/", "report.sha256")
_OWN_FOLDERS = ("tables", "index", "plants")
"""Nobody but the run writes there."""


class Audit(NamedTuple):
    """What of a run is as it was written."""

    whole: tuple[str, ...]
    damaged: tuple[str, ...]
    missing: tuple[str, ...]
    added: int
    """Files among tables and indexes that the run did not write."""


class RunFiles:
    """The files under ``root`` by name, which is their path from there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.making = False
        """A scan is at work: what is missing is yet to come."""
        self._list = Checksums(root, self.key)

    def key(self) -> bytes:
        """The run's key."""
        try:
            return (self.root / KEY).read_bytes()
        except OSError:
            raise StoreError("the run directory has lost its key") from None

    def name(self, path: Path) -> str:
        """The name of a file under the root."""
        return path.relative_to(self.root).as_posix()

    # --- reading --------------------------------------------------------------------------

    def read(self, name: str) -> bytes:
        """The content of a file that is as it was written; StoreError for any other."""
        content = self.find(name)
        if content is None or not self.fits(name, content):
            raise self.fault(name, "missing" if content is None else "damaged")
        return content

    def find(self, name: str) -> bytes | None:
        """The content of a file, whatever it is; None if there is none."""
        path = self.root / name
        try:
            if path.exists() and not path.is_file():  # a pipe would be waited for
                raise self.fault(name, "damaged")
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError:
            raise self.fault(name, "damaged") from None

    def fits(self, name: str, content: bytes) -> bool:
        """True if this content was written under this name."""
        return self._bears(name, self._list.digest(content))

    def is_whole(self, folder: str) -> bool:
        """True if the folder holds what was written there, all of it and nothing else."""
        listed = {name for name in self._lines() if name.startswith(f"{folder}/")}
        files = [path for path in (self.root / folder).rglob("*") if path.is_file()]
        if not listed or listed != {self.name(path) for path in files}:
            return False
        try:
            return all(self._bears(self.name(path), self._list.digest_of_file(path)) for path in files)
        except OSError:
            return False

    def _lines(self) -> Iterable[str]:
        return self._list.noted if self.making else self._list.finished

    def _bears(self, name: str, digest: str) -> bool:
        if self.making:
            return digest in self._list.noted.get(name, ())
        return digest == self._list.finished.get(name)

    def owed(self, prefix: str) -> set[str]:
        """Files that the finished run has under ``prefix``, be they there or not.

        A review that was removed whole is not owed any more.
        """
        listed = {name for name in self._list.finished if name.startswith(prefix)}
        return listed - self._removed_review() if any(map(_of_people, listed)) else listed

    def _removed_review(self) -> set[str]:
        listed = {name for name in self._list.finished if _of_people(name)}
        return set() if any((self.root / name).exists() for name in listed) else listed

    def audit(self) -> Audit:
        """Every part of a finished run against the list; of one that is not, no part is whole.

        What is made of report.json anew may be missing; reports have their own check.
        """
        names: dict[str, list[str]] = {"whole": [], "damaged": [], "missing": []}
        for name in sorted(self.owed("")):
            names[self._state(name)].append(name)
        standing = (path for top in _OWN_FOLDERS for path in (self.root / top).rglob("*"))
        added = sum(not path.is_dir() and self.name(path) not in self._list.finished for path in standing)
        missing = (name for name in names["missing"] if not name.startswith(_RENDERED))
        return Audit(tuple(names["whole"]), tuple(names["damaged"]), tuple(missing), added)

    def _state(self, name: str) -> str:
        path = self.root / name
        if not os.path.lexists(path):
            return "missing"
        try:  # a pipe would be waited for
            fits = path.is_file() and self._list.digest_of_file(path) == self._list.finished[name]
        except OSError:
            fits = False
        return "whole" if fits else "damaged"

    def parts_digest(self) -> str:
        """SHA-256 of the list's lines of what the report was made from: equal for the same parts of a run."""
        kept = {
            name: digest
            for name, digest in self._list.finished.items()
            if name not in ("report.json", ANNEX_LOG) and not name.startswith(_RENDERED)
        }
        return hashlib.sha256(
            "".join(f"{kept[name]}  {name}\n" for name in sorted(kept)).encode()
        ).hexdigest()

    def refuse_damaged_review(self) -> None:
        """No scan can make people's words again, so none should begin without them."""
        tables = self.root / "tables"
        standing = {*tables.glob("review_*/*.parquet"), *tables.glob(f"*/{PEOPLE}.parquet")}
        owed = self.owed(REVIEW) | {name for name in self.owed("tables/") if _of_people(name)}
        for name in sorted(owed | {self.name(path) for path in standing}):
            self.read(name)

    def fault(self, name: str, how: str) -> StoreError:
        """Why a file cannot be read, and the way out; names nothing that this run did not write."""
        if not (self.making or self._list.finished):
            return StoreError(_UNFINISHED)
        kind, _, rest = name.removesuffix(".parquet").partition("/")
        if kind == "tables":
            table, _, part = rest.partition("/")
            known = name in self._list.noted
            said = f"table {table} is damaged: " + (
                f"part {part} is {how}" if known else "one of its parts is none that the run wrote"
            )
        else:
            said = f"index {rest} is {how}" if kind == "index" else f"{name} is {how}"
        if _of_people(name):
            way = f"restore it, or begin the review anew: {REVIEW_ANEW}"
        else:
            way = "no scan makes it again: restore it" if name == ANNEX_LOG else _AGAIN
        return StoreError(f"the run directory's {said}; {way}")

    # --- writing --------------------------------------------------------------------------

    def write(self, name: str, content: bytes) -> None:
        """Write a file."""
        with self.atomic(self.root / name) as unfinished, unfinished.open("wb") as file:
            unfinished.chmod(0o600)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def log(self, name: str) -> bytes:
        """The lines of a log; none if it was not begun, StoreError if it is not as it was written.

        A line that a kill kept from the closed list counts: it was noted before it stood.
        """
        content = self.find(name)
        if content is None and not self.owed(name):
            return b""
        if content is None or self._list.digest(content) not in self._list.noted.get(name, ()):
            raise self.fault(name, "missing" if content is None else "damaged")
        return content

    def append(self, name: str, line: bytes) -> None:
        """Add a line to a log of a finished run; StoreError if what stands is not as it was written."""
        with self._alone():
            self.write(name, self.log(name) + line + b"\n")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process is in such a block, where the system can lock a file."""
        with (self.root / KEY).open("rb") as file:
            with suppress(ImportError):
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX)
            yield

    @contextmanager
    def atomic(self, final: Path) -> Iterator[Path]:
        """A place beside ``final`` that takes its name when the block ends well."""
        unfinished = final.with_name(f".unfinished-{final.name}.part")
        try:
            for folder in reversed(final.relative_to(self.root).parents):
                # One by one: mkdir gives its mode to the last folder only.
                (self.root / folder).mkdir(mode=0o700, exist_ok=True)
            remove(unfinished)
            yield unfinished
            _seal(unfinished)
            noted = self._note(final, unfinished)
            if unfinished.is_dir():
                remove(final)  # a damaged index: a folder takes the place of nothing or of an empty one
            unfinished.replace(final)
        except OSError as error:
            raise StoreError(f"--out: cannot be written ({os.strerror(error.errno or 0)})") from None
        except sqlite3.OperationalError:
            raise StoreError("--out: cannot be written (is the disk full?)") from None
        finally:
            with suppress(OSError):
                remove(unfinished)
        if noted and not self.making:
            self._close(noted)

    def adopt(self, other: RunFiles, folders: Iterable[str]) -> None:
        """Take over the files that ``other``, a finished run of the same key, has in ``folders``.

        Those are left that are not as they were written there.
        """
        listed = other._list.finished
        for name in sorted(name for folder in folders for name in listed if name.startswith(f"{folder}/")):
            source, final = other.root / name, self.root / name
            if final.exists() or not source.is_file() or self._list.digest_of_file(source) != listed[name]:
                continue
            with self.atomic(final) as unfinished:
                try:
                    os.link(source, unfinished)
                except OSError:  # another disk, or one without links
                    shutil.copyfile(source, unfinished)

    def _note(self, final: Path, unfinished: Path) -> list[str]:
        """Note every file of ``unfinished`` under the name that it is about to take."""
        if self.name(final) in (KEY, checksums.NAME):
            return []
        if not self.making and self._removed_review():
            self._close(())  # before the first file of a new review stands
        files = [path for path in unfinished.rglob("*") if path.is_file()] or [unfinished]
        names = [self.name(final / path.relative_to(unfinished)) for path in files]
        for name, path in zip(names, files, strict=True):
            self._list.note(name, path)
        return names

    def finish(self) -> None:
        """From now on the run consists of all that was written: none of it may be missing or differ."""
        self._close(name for name in self._list.noted if (self.root / name).is_file())

    def _close(self, names: Iterable[str]) -> None:
        self.write(checksums.NAME, self._list.closed(names, self._removed_review()))


def remove(path: Path) -> None:
    """Remove a file, a link or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _of_people(name: str) -> bool:
    return name.startswith(("review/", "tables/review_")) or name.endswith(f"/{PEOPLE}.parquet")


def _seal(path: Path) -> None:
    """Everything under ``path`` readable by its owner alone, and on disk."""
    for file in [path, *path.rglob("*")] if path.is_dir() else [path]:
        file.chmod(0o700 if file.is_dir() else 0o600)
        if file.is_file():
            with file.open("rb") as handle:
                os.fsync(handle.fileno())
