"""The signed list of a report: which files it names, and how it is written and read.

# phiscan-signature-1
# date 2026-12-01T10:00:00+00:00
# by A. Reviewer
# run <sha256 of the keyed digests of what the report was made from>
<sha256>  report.html
<sha256>  report.json
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

LIST, SIGNATURE, PUBLIC_KEY = "report.sha256", "report.sha256.sig", "report.sha256.pub"
RENDERED = ("report.html", "report.pdf", "report-tables")
"""What is made of report.json: files, and one folder."""
_HEAD = "# phiscan-signature-1"
_SHARED = re.compile(r"report\.(json|html|pdf)|report-tables/[a-z][a-z0-9_]*\.csv")
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


class SignedList(NamedTuple):
    """What was signed: when, by whom, for which run, and the digests of files by name."""

    date: str
    by: str | None
    run: str | None
    digests: dict[str, str]

    def text(self) -> str:
        """The bytes that are signed, as text."""
        said = [_HEAD, f"# date {self.date}"]
        said += [f"# by {self.by}"] if self.by is not None else []
        said += [f"# run {self.run}"] if self.run is not None else []
        return "\n".join([*said, *(f"{self.digests[name]}  {name}" for name in sorted(self.digests))]) + "\n"


def read_list(text: str) -> SignedList | None:
    """The list that ``text`` is; None if it is none, or names what no report consists of."""
    lines = text.removesuffix("\n").split("\n")
    said = dict(line[2:].split(" ", 1) for line in lines[1:] if line.startswith("# ") and " " in line[2:])
    files = [_LINE.fullmatch(line) for line in lines if not line.startswith("#")]
    digests = {line[2]: line[1] for line in files if line}
    found = SignedList(said.get("date", ""), said.get("by"), said.get("run"), digests)
    return found if found.text() == text and all(map(_SHARED.fullmatch, digests)) else None


def digests_of(folder: Path) -> dict[str, str]:
    """SHA-256 of every file of a report in ``folder``, by name."""
    files = [folder / "report.json", folder / "report.html", folder / "report.pdf"]
    files += (folder / "report-tables").glob("*.csv")
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if path.is_file() and _SHARED.fullmatch(path.relative_to(folder).as_posix())
    }
