"""The run directory: the only module that reads and writes record files.

    RUN/run.json          what was asked: settings, keyed digests of the inputs, models
    RUN/key               key of this run's keyed digests
    RUN/checksums         keyed digests of its files, and which of them a finished run consists of
    RUN/tables/<table>/   Parquet parts, one a shard: patient text, restricted
    RUN/index/            notes, replayed outputs; token, word and value indexes: patient text, restricted
    RUN/report.*          the report: no patient text
    RUN/annex.log.jsonl   when an annex with patient text was written, and for whom

A part bears the digest of the settings and inputs it was made from. How files are written whole and read
whole: :mod:`phiscan.run_files`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from phiscan import checksums
from phiscan.arrow_records import arrow_schema, records_of
from phiscan.errors import StoreError
from phiscan.printable import shown_name
from phiscan.records import (
    AtRisk,
    Confirmation,
    Continuation,
    Discoverable,
    Exposure,
    Hit,
    Note,
    NoteAudit,
    Passage,
    PatientTraits,
    Phi,
    Prompt,
    Repetition,
    ReviewAnswer,
    ReviewItem,
    ReviewRegion,
    ReviewSpan,
    Screened,
    Similarity,
    SpanMatch,
    Spike,
    Verdict,
    holds_phi,
)
from phiscan.run_files import KEY, Audit, RunFiles, remove

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

Integers = NDArray[np.int64]
IDS = frozenset({"note_id", "prompt_id", "gen_id", "hit_id", "phi_id"})
"""Ids of records, by which tables are joined."""

TABLES: dict[str, type] = {
    "notes": Note,
    "repetitions": Repetition,
    "phi": Phi,
    "patients": PatientTraits,
    "prompts": Prompt,
    "continuations": Continuation,
    "screened": Screened,
    "matches": SpanMatch,
    "similarities": Similarity,
    "hits": Hit,
    "verdicts": Verdict,
    "at_risk": AtRisk,
    "confirmations": Confirmation,
    "passages": Passage,
    "spikes": Spike,
    "exposures": Exposure,
    "audits": NoteAudit,
    "discoverable": Discoverable,
    "review_items": ReviewItem,
    "review_regions": ReviewRegion,
    "review_answers": ReviewAnswer,
    "review_spans": ReviewSpan,
}
"""Record type of each table, in the order in which they are made."""

_MOST_NAMED = 8
"""Differences that a refusal names; more say that it is another kind of run."""
_DIGEST, _CHARS = b"phiscan:digest", b"phiscan:chars"
_OTHER_OR_DAMAGED = (
    "the run directory's run.json is damaged (or its key), or is that of another run; use a new directory"
)


class RunDirectory:
    """One scan's files."""

    def __init__(self, root: Path, files: RunFiles | None = None) -> None:
        self.root = root
        self.index = root / "index"
        self._files = files or RunFiles(root)

    def beside(self, name: str) -> RunDirectory:
        """Tables and indexes of their own in the folder ``name``, among the files of this run."""
        return RunDirectory(self.root / name, self._files)

    def _name(self, path: str) -> str:
        """The name among the run's files of what stands at ``path`` from here."""
        return self._files.name(self.root / path)

    # --- opening --------------------------------------------------------------------------

    def open(self, key_of: RunDirectory | None = None) -> None:
        """Make the folder and the run's key; StoreError if it holds something else already.

        ``key_of``: a run whose key is to be this one's too.
        """
        strangers = {KEY, "demo", checksums.NAME}
        is_run = self.holds_run()
        if self.root.exists() and not is_run and self._holds_more_than(strangers):
            raise StoreError("--out: is neither empty nor a run directory")
        self._files.making = True
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.root.chmod(0o700)
            if not is_run and not (self.root / KEY).exists():
                key = secrets.token_hex(32).encode() if key_of is None else key_of._files.key()
                self._files.write(KEY, key)
        except OSError as error:
            raise StoreError(f"--out: cannot be written ({type(error).__name__})") from None

    @contextmanager
    def opened(self, key_of: RunDirectory | None = None) -> Iterator[None]:
        """An open directory to begin a run in; if the block fails, what was not there before goes again.

        A run that stood there already stays as it was.
        """
        is_run = self.holds_run()
        absent = [folder for folder in (self.root, *self.root.parents) if not folder.exists()]
        begun = (KEY, "run.json", "index", "data", "epochs", checksums.NAME)
        fresh = [name for name in begun if not (self.root / name).exists()]
        try:
            self.open(key_of)
            yield
        except Exception:
            made = [] if is_run else [self.root / name for name in fresh]
            with suppress(OSError):
                for path in made:
                    remove(path)
                for folder in absent:
                    folder.rmdir()
            raise

    def holds_run(self) -> bool:
        """True if a run was begun here; StoreError if that cannot be told."""
        try:
            return (self.root / "run.json").is_file()
        except OSError as error:  # a name that no folder can have
            raise StoreError(f"--out: cannot be written ({os.strerror(error.errno or 0)})") from None

    def _holds_more_than(self, names: set[str]) -> bool:
        if not self.root.is_dir():
            return True
        found = (path.name for path in self.root.iterdir())
        return any(name not in names and not name.startswith(".unfinished-") for name in found)

    def begin(self, identity: Mapping[str, Any]) -> bool:
        """Start the run, or resume the same one; True if it was there already.

        StoreError names what differs when the directory holds another run.
        """
        self._files.making = True
        is_run = self.holds_run()
        for path in [*self.root.rglob(".unfinished-*")]:
            remove(path)
        if is_run and self._is_of(identity):
            return True
        self.write_json("run.json", {"identity": identity})
        return is_run

    def _is_of(self, identity: Mapping[str, Any]) -> bool:
        """True if run.json is as it was written; False if damaged, though it names the same run."""
        content = self._files.find("run.json") or b""
        is_whole = self._files.fits("run.json", content)
        stored = _json_of("run.json", content)
        had = stored.get("identity") if isinstance(stored, dict) else None
        different = ["identity"] if not isinstance(had, dict) else _differing(had, identity)
        if different and not is_whole:
            raise StoreError(_OTHER_OR_DAMAGED)
        if different:
            names = ", ".join(map(shown_name, different[:_MOST_NAMED]))
            more = len(different) - _MOST_NAMED
            names += f" and {more} more" if more > 0 else ""
            raise StoreError(
                f"--out: holds a run made with other {names}; use a new directory, or what that run used"
            )
        self._files.refuse_damaged_review()
        return is_whole

    def began_with(self) -> Mapping[str, Any]:
        """What a run, finished or not, was begun with; empty if there is none or it cannot be read."""
        try:
            content = _json_of("run.json", self._files.find("run.json") or b"")
        except StoreError:
            return {}
        found = content.get("identity") if isinstance(content, dict) else None
        return found if isinstance(found, dict) else {}

    def finish(self) -> None:
        """Call the run finished as it stands: who reads it is refused where a file is missing or differs."""
        self._files.finish()

    def adopt(self, other: RunDirectory, folders: Iterable[str]) -> None:
        """Take over what the finished run ``other``, which has the same key, holds in these folders.

        Files are shared, not copied, where the disk allows; what stands already stays.
        """
        self._files.adopt(other._files, folders)

    # --- keyed digests --------------------------------------------------------------------

    def keyed(self, text: str) -> str:
        """A digest of ``text`` that only the holder of the run's key can recompute."""
        return hmac.new(self._files.key(), text.encode(), hashlib.sha256).hexdigest()[:16]

    def keyed_file(self, path: Path) -> str:
        """The keyed digest of a file's bytes, or of the names and bytes of a folder's files."""
        digest = hmac.new(self._files.key(), digestmod=hashlib.sha256)
        for part in files_of(path):
            if part != path:  # names are record ids there; the size parts one file from the next
                digest.update(f"{part.name}\0{part.stat().st_size}\0".encode())
            with part.open("rb") as file:
                while chunk := file.read(1 << 20):
                    digest.update(chunk)
        return digest.hexdigest()[:32]

    # --- tables ---------------------------------------------------------------------------

    def has_part(self, table: str, part: str, digest: str) -> bool:
        """True if the part stands as it was written, and was made from what ``digest`` stands for."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            content = self._files.read(self._part(table, part))
        except StoreError:  # a damaged part counts as absent and is made again
            return False
        made_from = (pq.read_schema(pa.BufferReader(content)).metadata or {}).get(_DIGEST)
        return bool(made_from == digest.encode())

    def write_part(self, table: str, part: str, rows: Iterable[Any], digest: str, *, chars: int = 0) -> None:
        """Write one part, whole or not at all; ``chars`` were read to make it."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        schema = arrow_schema(TABLES[table]).with_metadata(
            {_DIGEST: digest.encode(), _CHARS: str(chars).encode()}
        )
        columns: dict[str, list[Any]] = {field.name: [] for field in schema}
        for row in rows:
            for name, values in columns.items():
                values.append(getattr(row, name))
        made = pa.table(columns, schema=schema)
        with self._files.atomic(self._files.root / self._part(table, part)) as unfinished:
            pq.write_table(made, unfinished, compression="zstd")

    def read_part(self, table: str, part: str) -> list[Any]:
        """The records of one part, in the order written."""
        return records_of(TABLES[table], self._open(self._part(table, part)).read())

    def read_frame(
        self, table: str, columns: Sequence[str], *, coded: bool = False, parts: Iterable[str] | None = None
    ) -> pd.DataFrame:
        """Chosen columns of the parts named, or of all in shard order, as a data frame.

        ``coded``: record ids (:data:`IDS`) as :func:`codes_of` them and other words of the program's
        own as categories in the order of the alphabet, all in a fifth of the memory.
        """
        import pyarrow as pa

        # The system's allocator gives back what is freed; Arrow's own keeps about as much again.
        pa.set_memory_pool(pa.system_memory_pool())
        read = self._batches(table, list(columns), parts)
        if coded:
            read = (_coded(batch, TABLES[table]) for batch in read)
        frame: pd.DataFrame = pa.concat_tables(read).unify_dictionaries().to_pandas()
        for name in frame.select_dtypes("category"):
            frame[name] = frame[name].cat.reorder_categories(sorted(frame[name].cat.categories))
        return frame

    def _batches(self, table: str, columns: list[str], parts: Iterable[str] | None) -> Iterator[pa.Table]:
        """Chosen columns of parts in pieces of bounded size, an empty one first."""
        import pyarrow as pa

        yield arrow_schema(TABLES[table]).empty_table().select(columns)
        for file in self._parts(table, parts):
            for batch in file.iter_batches(columns=columns):
                yield pa.Table.from_batches([batch]).replace_schema_metadata()

    def read_table(self, table: str) -> Iterator[Any]:
        """Every record of a table, part by part."""
        for file in self._parts(table):
            yield from records_of(TABLES[table], file.read())

    def part_names(self, table: str) -> list[str]:
        """The names of the parts of a table in shard order, those that stand and those that should."""
        return [Path(name).stem for name in self._names(table)]

    def has_table(self, table: str) -> bool:
        """True if any part of the table stands, or should."""
        return bool(self._names(table))

    def count_rows(self, table: str, parts: Iterable[str] | None = None) -> int:
        """Rows of the parts named, or of all."""
        return sum(int(file.metadata.num_rows) for file in self._parts(table, parts))

    def count_chars(self, table: str, column: str) -> int:
        """Characters (code points) in a column of all parts, one part in memory at a time."""
        import pyarrow.compute as pc

        columns = (file.read(columns=[column])[column] for file in self._parts(table))
        return sum(pc.sum(pc.utf8_length(texts)).as_py() or 0 for texts in columns)

    def chars_read(self, table: str) -> int:
        """Characters that went into all parts of a table."""
        schemas = (file.schema_arrow for file in self._parts(table))
        return sum(int((schema.metadata or {}).get(_CHARS, b"0")) for schema in schemas)

    def _names(self, table: str) -> list[str]:
        """The parts of a table in shard order, those that stand and those that should."""
        folder = self.root / "tables" / table
        standing = {self._files.name(path) for path in folder.glob("*.parquet")}
        return sorted(standing | self._files.owed(self._name(f"tables/{table}") + "/"))

    def _part(self, table: str, part: str) -> str:
        return self._name(f"tables/{table}/{part}.parquet")

    def _parts(self, table: str, parts: Iterable[str] | None = None) -> Iterator[pq.ParquetFile]:
        """The parts named, or all of a table in shard order, one in memory at a time.

        StoreError where one is not as it was written, or is missing of a finished run.
        """
        names = self._names(table) if parts is None else (self._part(table, part) for part in parts)
        return map(self._open, names)

    def _open(self, name: str) -> pq.ParquetFile:
        import pyarrow as pa
        import pyarrow.parquet as pq

        return pq.ParquetFile(pa.BufferReader(self._files.read(name)))

    # --- other files ----------------------------------------------------------------------

    def build_index(self, name: str, build: Callable[[Path], None]) -> Path:
        """The index folder ``name``, built by ``build(folder)`` unless it stands as it was built."""
        return self.build_folder(f"index/{name}", build)

    def build_folder(self, name: str, build: Callable[[Path], None]) -> Path:
        """The same of any folder of the run."""
        folder = self.root / name
        if not self._files.is_whole(self._name(name)):
            with self._files.atomic(folder) as unfinished:
                unfinished.mkdir(mode=0o700)
                build(unfinished)
        return folder

    def has_index(self, name: str) -> bool:
        """True if the finished run has, or should have, an index of this name."""
        return bool(self._files.owed(self._name(f"index/{name}") + "/"))

    def find_index(self, name: str) -> Path:
        """The index folder ``name`` of a finished run; StoreError unless it is as it was built."""
        if not self._files.is_whole(self._name(f"index/{name}")):
            raise self._files.fault(self._name(f"index/{name}"), "damaged or incomplete")
        return self.index / name

    def write_json(self, name: str, content: Any) -> None:
        """Write a JSON file of the run."""
        self._files.write(name, json.dumps(content, indent=2, sort_keys=True).encode())

    def write_text(self, name: str, content: str) -> Path:
        """Write a text file of the run."""
        return self.write_document(name, content)

    def write_document(self, name: str, content: str | bytes | Mapping[str, str]) -> Path:
        """Write what a renderer made: a file, or a folder of the texts of its files by name."""
        if isinstance(content, Mapping):
            with self._files.atomic(self.root / name) as unfinished:
                unfinished.mkdir(mode=0o700)
                for file, text in content.items():
                    (unfinished / file).write_text(text, encoding="utf-8", newline="")
        else:
            self._files.write(name, content.encode() if isinstance(content, str) else content)
        return self.root / name

    def read_json(self, name: str) -> Any:
        """Read a JSON file of the run."""
        content = self._files.find(name)
        if content is None:
            if not self.root.is_dir():
                raise StoreError("there is no run directory of that name")
            raise StoreError(f"the run directory has no {name}: is the scan finished?")
        return _json_of(name, self._files.read(name))

    def append_line(self, name: str, row: Mapping[str, Any]) -> None:
        """Add a JSON line to a log of the finished run; StoreError if the log was changed or removed."""
        self._files.append(name, json.dumps(row, sort_keys=True).encode())

    def read_lines(self, name: str) -> list[Any]:
        """The JSON lines of a log, none if it was not begun; StoreError if it was changed or removed."""
        return [_json_of(name, line) for line in self._files.log(name).splitlines()]

    def audit(self) -> Audit:
        """Every part of the finished run against the list that it closed."""
        return self._files.audit()

    def parts_digest(self) -> str:
        """What a signature names the parts by that the run's report was made from."""
        return self._files.parts_digest()

    def has_file(self, name: str) -> bool:
        """True if the file stands, or should."""
        return (self.root / name).is_file() or bool(self._files.owed(name))


def codes_of(ids: Iterable[str]) -> Integers:
    """A 64-bit code of each id, equal for equal ids; two of a million share one with probability 3e-8."""
    from pandas.util import hash_array

    codes: Integers = hash_array(np.array(list(ids), dtype=object), categorize=False).view(np.int64)
    return codes


def _coded(part: pa.Table, record: type) -> pa.Table:
    import pyarrow as pa

    hints = get_type_hints(record, include_extras=True)
    for at, name in enumerate(part.column_names):
        if name in IDS:
            part = part.set_column(at, name, pa.array(codes_of(part[name].to_pylist())))
        elif pa.types.is_string(part.schema.field(at).type) and not holds_phi(hints[name]):
            part = part.set_column(at, name, part[name].dictionary_encode())
    return part


def _json_of(name: str, content: bytes) -> Any:
    try:
        return json.loads(content.decode())
    except (ValueError, RecursionError):
        raise StoreError(f"the run directory's {name} cannot be read") from None


def _differing(had: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    old, new = _flat(had), _flat(json.loads(json.dumps(wanted)))
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


def files_of(path: Path) -> list[Path]:
    """The input file ``path`` itself, or the files of the folder ``path`` in the order of their names."""
    return sorted(part for part in path.iterdir() if part.is_file()) if path.is_dir() else [path]


def digest_of(content: Any) -> str:
    """SHA-256 of JSON content in a stable form."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    if not isinstance(value, Mapping):
        return {name: value}
    return {
        key: found
        for part, inner in value.items()
        for key, found in _flat(inner, f"{name}.{part}" if name else str(part)).items()
    }
