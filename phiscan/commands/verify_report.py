"""`phiscan report RUN --verify`: is everything as it was written, and who has signed it?"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

import phiscan
from phiscan import checksums
from phiscan.commands.adapted_runs import refuse_adaptation
from phiscan.commands.signed_files import (
    LIST,
    PUBLIC_KEY,
    RENDERED,
    SIGNATURE,
    SignedList,
    digests_of,
    read_list,
)
from phiscan.errors import ConfigError, MissingDependencyError, StoreError
from phiscan.printable import shown_name
from phiscan.registry import load_plugin
from phiscan.reporting.figures import how_many
from phiscan.run_files import KEY
from phiscan.scan_report import ScanReport
from phiscan.signing import fingerprint, fits, public_pem, read_public_key
from phiscan.store import RunDirectory

_RENDERERS = {"report.html": "html", "report.pdf": "pdf", "report-tables": "csv"}
_FEW = 10


class Check(NamedTuple):
    """One thing that was looked at: intact or not, or None where nothing can be said."""

    intact: bool | None
    said: str
    names: tuple[str, ...] = ()
    """The files it was found of, all of them."""


def verify_report(folder: Path, public_key: Path | None = None) -> list[Check]:
    """What of a run directory, or of a report's files alone, is as it was written and signed.

    StoreError if there is no report, or nothing to hold it against: silence must not pass for a check.
    ConfigError for a ``public_key`` that cannot be used, MissingDependencyError if it needs cryptography.
    """
    refuse_adaptation(folder)
    try:
        return _checks(folder, public_key)
    except OSError as error:  # a name that no folder can have, a file that may not be read
        raise StoreError(f"the report cannot be read ({type(error).__name__})") from None


def as_json(checks: Sequence[Check]) -> str:
    """The checks for a program: ``intact`` of all, then each with its files."""
    intact = not any(check.intact is False for check in checks)
    return json.dumps({"intact": intact, "checks": [check._asdict() for check in checks]}, indent=2)


def _checks(folder: Path, public_key: Path | None) -> list[Check]:
    if not digests_of(folder) and not _is_run(folder):
        raise StoreError("there is no report of that name: neither its files nor a run's tables are there")
    signed, by_signature = _signature(folder, public_key)
    checks = [*check_parts(folder), *check_rendered(folder, signed), *by_signature]
    if all(check.intact is None for check in checks):
        raise StoreError(
            "nothing can be checked: no run is there, no signature, and no page that this installation can "
            "compare with its report.json"
        )
    return checks


def check_parts(folder: Path) -> Iterator[Check]:
    """The parts of a run against the list that it closed when it was finished."""
    if not _is_run(folder):
        yield Check(None, "The run's tables and key are not here: whether they are whole is not known.")
        return
    if not (folder / KEY).is_file():
        yield Check(False, "The run has lost its key: whether its parts are whole is not known.")
        return
    parts = RunDirectory(folder).audit()
    if not parts.whole:
        yield Check(False, "The run is not finished, or its list of files was changed.")
        return
    for how, names in (("damaged", parts.damaged), ("missing", parts.missing)):
        if names:
            yield Check(False, f"{how.capitalize()}: {_listed(names)}.", names)
    if parts.added:
        yield Check(
            False, f"{how_many(parts.added, 'file')} among tables and indexes that the run did not write."
        )
    said = f"{how_many(len(parts.whole), 'part')} of the run as they were written: {_by_folder(parts.whole)}."
    yield Check(True, said, parts.whole)


def check_rendered(folder: Path, signed: SignedList | None = None) -> Iterator[Check]:
    """Whether pages and tables say what report.json says; signed ones need no second look."""
    unsigned = [name for name in RENDERED if (folder / name).exists() and not _signed(folder, name, signed)]
    path = folder / "report.json"
    if not path.is_file():
        if _is_run(folder):
            yield Check(False, "report.json is missing.", (path.name,))
        elif unsigned:
            said = f"report.json is not here to compare {_listed(unsigned)} with."
            yield Check(None, said, tuple(unsigned))
        return
    content = path.read_bytes()
    try:
        report = ScanReport.model_validate_json(content)
    except ValidationError:
        made_by = _made_by(content)
        if made_by == phiscan.__version__ and not _signed(folder, path.name, signed):
            yield Check(False, "report.json is damaged.", (path.name,))
        else:
            of = "another version" if made_by == phiscan.__version__ else f"phiscan {shown_name(made_by)}"
            yield Check(None, f"report.json is of {of}; this version cannot read it.", (path.name,))
        return
    for name in unsigned:
        yield _rendered_from(report, folder, name)


def _rendered_from(report: ScanReport, folder: Path, name: str) -> Check:
    made_by = report.manifest.phiscan_version
    if made_by != phiscan.__version__:
        said = f"{name} was made by phiscan {shown_name(made_by)}; this version cannot tell."
        return Check(None, said, (name,))
    try:
        wanted = load_plugin("renderers", _RENDERERS[name]).render(report)
    except MissingDependencyError as error:
        return Check(None, f"{name} cannot be compared: {error}", (name,))
    except Exception:  # a report of this version that fits its types and still was written by nobody's scan
        return Check(False, f"{name} is not of this report.json, of which no page can be made.", (name,))
    if _stands(folder / name, wanted):
        return Check(True, f"{name} says what report.json says.", (name,))
    said = (
        f"{name} is not what this installation makes of report.json: changed, or made of an older "
        "report.json or with other libraries; render it again."
    )
    return Check(False, said, (name,))


def _stands(path: Path, wanted: str | bytes | dict[str, str]) -> bool:
    if isinstance(wanted, dict):
        standing = {file.relative_to(path).as_posix() for file in path.rglob("*") if not file.is_dir()}
        return standing == wanted.keys() and all(_stands(path / name, wanted[name]) for name in wanted)
    content = wanted.encode() if isinstance(wanted, str) else wanted
    return path.is_file() and path.read_bytes() == content


def _signed(folder: Path, name: str, signed: SignedList | None) -> bool:
    """True if everything that stands under ``name`` is as it was signed."""
    if signed is None:
        return False
    path, now = folder / name, digests_of(folder)
    files = [file for file in path.rglob("*") if not file.is_dir()] if path.is_dir() else [path]
    names = [file.relative_to(folder).as_posix() for file in files]
    return bool(names) and all(file in now and signed.digests.get(file) == now[file] for file in names)


def _listed(names: Iterable[str]) -> str:
    """The first names, those of folders last."""
    shown = sorted(names, key=lambda name: ("/" in name, name))
    more = f" and {len(shown) - _FEW} more" if len(shown) > _FEW else ""
    return f"{', '.join(map(shown_name, shown[:_FEW]))}{more}"


def _by_folder(names: Collection[str]) -> str:
    """How many there are in each folder, then those in none."""
    folders = Counter(name.partition("/")[0] for name in names if "/" in name)
    counts = [f"{shown_name(folder)} {count:,}" for folder, count in sorted(folders.items())]
    return ", ".join([*counts, *(shown_name(name) for name in sorted(names) if "/" not in name)])


def _is_run(folder: Path) -> bool:
    return any(os.path.lexists(folder / name) for name in (KEY, checksums.NAME, "tables", "index"))


def _made_by(content: bytes) -> str:
    """The version that a report says it is of; this one if it says none."""
    try:
        found = json.loads(content)["manifest"]["phiscan_version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return phiscan.__version__
    return found if isinstance(found, str) else phiscan.__version__


def _signature(folder: Path, public_key: Path | None) -> tuple[SignedList | None, list[Check]]:
    """The signed list, where the signature over it holds, and what there is to say of it."""
    standing = [name for name in (LIST, SIGNATURE, PUBLIC_KEY) if (folder / name).is_file()]
    if not standing:
        return None, [Check(None if public_key is None else False, "Nobody has signed this report.")]
    wanted = None if public_key is None else read_public_key(public_key, "--public-key")
    try:
        key = wanted or read_public_key(folder / PUBLIC_KEY, PUBLIC_KEY, as_written=True)
        content, signature = (folder / LIST).read_bytes(), (folder / SIGNATURE).read_bytes()
        found = read_list(content.decode())
    except MissingDependencyError as error:
        return None, [Check(None, f"The signature was not looked at: {error}")]
    except (OSError, UnicodeDecodeError, ConfigError):
        return None, [Check(False, "The signature is damaged, or a part of it is missing.")]
    if found is None or not fits(key, signature, content):
        return None, [
            Check(False, "The signature does not fit: another key made it, or the list was changed.")
        ]
    checks = list(_against(folder, found))
    if wanted and (folder / PUBLIC_KEY).exists() and (folder / PUBLIC_KEY).read_bytes() != public_pem(wanted):
        checks.append(Check(False, f"{PUBLIC_KEY} is not the key you gave.", (PUBLIC_KEY,)))
    by = f" by {shown_name(found.by)}" if found.by else ""
    told = f"Signed {shown_name(found.date)}{by} with the key {fingerprint(key)}"
    known = "the one you gave." if wanted else "whether it is the right one, you must know."
    return found, [*checks, Check(True, f"{told}: {known}")]


def _against(folder: Path, signed: SignedList) -> Iterator[Check]:
    now = digests_of(folder)
    changed = [name for name, digest in now.items() if signed.digests.get(name, digest) != digest]
    later = now.keys() - signed.digests.keys()
    gone = signed.digests.keys() - now.keys()
    same = [name for name, digest in now.items() if signed.digests.get(name) == digest]
    yield Check(bool(same), f"{how_many(len(same), 'file')} as signed.", tuple(same))
    for intact, what, names in (
        (False, "Changed since it was signed", changed),
        (False, "Not signed", later),
        (None, "Signed, but not here", gone),
    ):
        if names:
            yield Check(intact, f"{what}: {_listed(names)}.", tuple(sorted(names)))
    if signed.run is not None and (folder / KEY).is_file():
        own = RunDirectory(folder).parts_digest() == signed.run
        said = "those" if own else "NOT those"
        yield Check(own, f"The run's tables, indexes and settings are {said} signed for.")
