"""The run directory: the only module that reads and writes record files.

    RUN/run.json          what was asked: settings, keyed digests of the inputs, models
    RUN/key               key of this run's keyed digests
    RUN/tables/<table>/   Parquet parts, one a shard: patient text, restricted
    RUN/index/            notes, replayed outputs; token, word and value indexes: patient text, restricted
    RUN/report.*          the report: no patient text

Every file is 0600 and every folder 0700. A part is written beside its place and moved there, so
it stands whole or not at all; it bears the digest of the settings and inputs it was made from.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from phiscan.errors import StoreError
from phiscan.records import (
    AtRisk,
    Confirmation,
    Continuation,
    Exposure,
    Hit,
    Note,
    NoteAudit,
    Passage,
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

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

R = TypeVar("R")
Integers = NDArray[np.int64]
IDS = frozenset({"note_id", "prompt_id", "gen_id", "hit_id", "phi_id"})
"""Ids of records, by which tables are joined."""

TABLES: dict[str, type] = {
    "notes": Note,
    "repetitions": Repetition,
    "phi": Phi,
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
    "review_items": ReviewItem,
    "review_regions": ReviewRegion,
    "review_answers": ReviewAnswer,
    "review_spans": ReviewSpan,
}
"""Record type of each table, in the order in which they are made."""

_DIGEST, _CHARS = b"phiscan:digest", b"phiscan:chars"


class RunDirectory:
    """One scan's files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.index = root / "index"

    # --- opening --------------------------------------------------------------------------

    def open(self) -> None:
        """Make the folder and the run's key; StoreError if it holds something else already."""
        strangers = {"key", "demo"}
        is_run = (self.root / "run.json").is_file()
        if self.root.exists() and not is_run and self._holds_more_than(strangers):
            raise StoreError("--out: is neither empty nor a run directory")
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.root.chmod(0o700)
            if not is_run and not (self.root / "key").exists():
                self._write("key", secrets.token_hex(32).encode())
        except OSError as error:
            raise StoreError(f"--out: cannot be written ({type(error).__name__})") from None

    @contextmanager
    def opened(self) -> Iterator[None]:
        """An open directory to begin a run in; if the block fails, what was not there before goes again.

        A run that stood there already stays as it was.
        """
        is_run = (self.root / "run.json").is_file()
        absent = [folder for folder in (self.root, *self.root.parents) if not folder.exists()]
        fresh = [name for name in ("key", "run.json", "index") if not (self.root / name).exists()]
        try:
            self.open()
            yield
        except Exception:
            made = [] if is_run else [self.root / name for name in fresh]
            with suppress(OSError):
                for path in made:
                    _remove(path)
                for folder in absent:
                    folder.rmdir()
            raise

    def _holds_more_than(self, names: set[str]) -> bool:
        if not self.root.is_dir():
            return True
        found = (path.name for path in self.root.iterdir())
        return any(name not in names and not name.startswith(".unfinished-") for name in found)

    def begin(self, identity: Mapping[str, Any]) -> bool:
        """Start the run, or resume the same one; True if it was there already.

        StoreError names what differs when the directory holds another run.
        """
        self._remove_unfinished()
        if (self.root / "run.json").is_file():
            stored = self.read_json("run.json")
            had = stored.get("identity") if isinstance(stored, dict) else None
            if not isinstance(had, dict):
                raise StoreError("the run directory's run.json is damaged; use a new directory")
            _refuse_other_run(had, identity)
            return True
        self.write_json("run.json", {"identity": identity})
        return False

    def _remove_unfinished(self) -> None:
        for path in [*self.root.rglob(".unfinished-*")]:
            _remove(path)

    # --- keyed digests --------------------------------------------------------------------

    def keyed(self, text: str) -> str:
        """A digest of ``text`` that only the holder of the run's key can recompute."""
        return hmac.new(self._key(), text.encode(), hashlib.sha256).hexdigest()[:16]

    def keyed_file(self, path: Path) -> str:
        """The keyed digest of a file's bytes, or of the names and bytes of a folder's files."""
        digest = hmac.new(self._key(), digestmod=hashlib.sha256)
        for part in files_of(path):
            if part != path:  # names are record ids there; the size parts one file from the next
                digest.update(f"{part.name}\0{part.stat().st_size}\0".encode())
            with part.open("rb") as file:
                while chunk := file.read(1 << 20):
                    digest.update(chunk)
        return digest.hexdigest()[:32]

    def _key(self) -> bytes:
        try:
            return (self.root / "key").read_bytes()
        except OSError:
            raise StoreError("the run directory has lost its key") from None

    # --- tables ---------------------------------------------------------------------------

    def has_part(self, table: str, part: str, digest: str) -> bool:
        """True if the part stands and was made from what ``digest`` stands for."""
        import pyarrow.parquet as pq

        path = self._part(table, part)
        if not path.is_file():
            return False
        try:
            return (pq.read_schema(path).metadata or {}).get(_DIGEST) == digest.encode()
        except Exception:  # a damaged part counts as absent and is made again
            return False

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
        with self._atomic(self._part(table, part)) as unfinished:
            pq.write_table(made, unfinished, compression="zstd")

    def read_part(self, table: str, part: str) -> list[Any]:
        """The records of one part, in the order written."""
        return _records(TABLES[table], _read_parquet(self._part(table, part)))

    def read_frame(self, table: str, columns: Sequence[str], *, coded: bool = False) -> pd.DataFrame:
        """Chosen columns of all parts, in shard order, as a data frame.

        ``coded``: record ids (:data:`IDS`) as :func:`codes_of` them and other words of the program's
        own as categories in the order of the alphabet, all in a fifth of the memory.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        # The system's allocator gives back what is freed; Arrow's own keeps about as much again.
        pa.set_memory_pool(pa.system_memory_pool())
        parts = sorted((self.root / "tables" / table).glob("*.parquet"))
        read = [arrow_schema(TABLES[table]).empty_table().select(columns)]
        for path in parts:
            read.append(pq.ParquetFile(path).read(columns=list(columns)).replace_schema_metadata())
        if coded:
            read = [_coded(part, TABLES[table]) for part in read]
        frame: pd.DataFrame = pa.concat_tables(read).unify_dictionaries().to_pandas()
        for name in frame.select_dtypes("category"):
            frame[name] = frame[name].cat.reorder_categories(sorted(frame[name].cat.categories))
        return frame

    def read_table(self, table: str) -> Iterator[Any]:
        """Every record of a table, part by part."""
        for path in sorted((self.root / "tables" / table).glob("*.parquet")):
            yield from _records(TABLES[table], _read_parquet(path))

    def has_table(self, table: str) -> bool:
        """True if any part of the table stands."""
        return any((self.root / "tables" / table).glob("*.parquet"))

    def count_rows(self, table: str) -> int:
        """Rows of all parts, read from their footers."""
        import pyarrow.parquet as pq

        parts = (self.root / "tables" / table).glob("*.parquet")
        return sum(int(pq.read_metadata(path).num_rows) for path in parts)

    def count_chars(self, table: str, column: str) -> int:
        """Characters (code points) in a column of all parts, one part in memory at a time."""
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        parts = (self.root / "tables" / table).glob("*.parquet")
        columns = (pq.ParquetFile(path).read(columns=[column])[column] for path in parts)
        return sum(pc.sum(pc.utf8_length(texts)).as_py() or 0 for texts in columns)

    def chars_read(self, table: str) -> int:
        """Characters that went into all parts of a table."""
        import pyarrow.parquet as pq

        parts = (self.root / "tables" / table).glob("*.parquet")
        return sum(int((pq.read_schema(path).metadata or {}).get(_CHARS, b"0")) for path in parts)

    def _part(self, table: str, part: str) -> Path:
        return self.root / "tables" / table / f"{part}.parquet"

    # --- other files ----------------------------------------------------------------------

    def build_index(self, name: str, build: Callable[[Path], None]) -> Path:
        """The index folder ``name``, built by ``build(folder)`` unless it stands already."""
        folder = self.index / name
        if not folder.is_dir():
            with self._atomic(folder) as unfinished:
                unfinished.mkdir(mode=0o700)
                build(unfinished)
        return folder

    def write_json(self, name: str, content: Any) -> None:
        """Write a JSON file of the run."""
        self._write(name, json.dumps(content, indent=2, sort_keys=True).encode())

    def write_text(self, name: str, content: str) -> Path:
        """Write a text file of the run (a rendered report)."""
        self._write(name, content.encode())
        return self.root / name

    def read_json(self, name: str) -> Any:
        """Read a JSON file of the run."""
        try:
            return json.loads((self.root / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise StoreError(f"the run directory has no {name}: is the scan finished?") from None
        except (OSError, ValueError):
            raise StoreError(f"the run directory's {name} cannot be read") from None

    def _write(self, name: str, content: bytes) -> None:
        with self._atomic(self.root / name) as unfinished, unfinished.open("wb") as file:
            unfinished.chmod(0o600)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    @contextmanager
    def _atomic(self, final: Path) -> Iterator[Path]:
        """A place beside ``final`` that takes its name when the block ends well."""
        unfinished = final.with_name(f".unfinished-{final.name}.part")
        try:
            for folder in reversed(final.relative_to(self.root).parents):
                # One by one: mkdir gives its mode to the last folder only.
                (self.root / folder).mkdir(mode=0o700, exist_ok=True)
            _remove(unfinished)
            yield unfinished
            _seal(unfinished)
            unfinished.replace(final)
        except OSError as error:
            raise StoreError(f"--out: cannot be written ({os.strerror(error.errno or 0)})") from None
        except sqlite3.OperationalError:
            raise StoreError("--out: cannot be written (is the disk full?)") from None
        finally:
            with suppress(OSError):
                _remove(unfinished)


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


def _read_parquet(path: Path) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path).read()
    except (OSError, pa.ArrowException):
        raise StoreError(f"the run directory's table {path.parent.name} is damaged or incomplete") from None


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _seal(path: Path) -> None:
    """Everything under ``path`` readable by its owner alone, and on disk."""
    for file in [path, *path.rglob("*")] if path.is_dir() else [path]:
        file.chmod(0o700 if file.is_dir() else 0o600)
        if file.is_file():
            with file.open("rb") as handle:
                os.fsync(handle.fileno())


def _refuse_other_run(had: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    old, new = _flat(had), _flat(json.loads(json.dumps(wanted)))
    different = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    if different:
        raise StoreError(
            f"--out: holds a run made with other {', '.join(different)}; use a new directory, or what "
            "that run used"
        )


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


# --- records and Arrow --------------------------------------------------------------------


@cache
def arrow_schema(record: type) -> pa.Schema:
    """The Arrow schema of a record class, derived from its annotations."""
    import pyarrow as pa

    hints = get_type_hints(record)
    return pa.schema([_field(field.name, hints[field.name]) for field in fields(record)])


def _field(name: str, hint: Any) -> pa.Field:
    import pyarrow as pa

    options = get_args(hint) if get_origin(hint) in (Union, UnionType) else ()
    if NoneType in options:
        inner = [option for option in options if option is not NoneType]
        return pa.field(name, _arrow_type(inner[0]), nullable=True)
    return pa.field(name, _arrow_type(hint), nullable=False)


def _arrow_type(hint: Any) -> pa.DataType:
    import pyarrow as pa

    if get_origin(hint) is Literal:
        return pa.string()
    if get_origin(hint) is tuple:
        return pa.list_(_arrow_type(get_args(hint)[0]))
    simple = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    return simple[hint]


def _records(record: type[R], table: pa.Table) -> list[R]:
    lists = [field.name for field in table.schema if str(field.type).startswith("list")]
    rows = table.to_pylist()
    for row in rows:
        for name in lists:
            row[name] = _tuples(row[name])
    return [record(**row) for row in rows]


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
