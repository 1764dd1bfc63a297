"""What a plug-in of each family must offer. A new plug-in is one new file in the family's folder.

A plug-in's name is its module's name; ``phiscan/registry.py`` finds it. Each module has one
public function, named below, and is tested by ``tests/contracts`` the moment its file exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field

from phiscan.records import DetectedSpan, PhiText, Stop, record

if TYPE_CHECKING:
    from phiscan.scan_report import ModelIdentity, ScanReport


class RawRow(NamedTuple):
    """One record of an input file: its row number (1 = first record) and its raw fields.

    ``fields`` is None for a record that cannot be read; then ``problem`` says why, in words
    that quote nothing.
    """

    row: int
    fields: dict[str, str | None] | None
    problem: str | None = None


class BackendSettings(BaseModel):
    """Which model is asked, and how. In float32 batch size and threads change no token, only the last
    digits of mean_logprob."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    backend: str = Field("transformers", description="plug-in of the family `backends`")
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        "auto", description="auto: float32 on a CPU, the model's own on a GPU"
    )
    device: str = Field("auto", description='"auto", "cpu", "cuda" or "cuda:N"')
    download: bool = Field(
        False,
        description="let a model that is no directory be fetched from the hub, not only from its cache",
    )
    batch_size: int = Field(64, ge=1, description="prompts at once; halved when memory runs out")
    threads: int | None = Field(
        1, ge=1, description="CPU threads of the model; one is fastest for small models on a busy machine"
    )


class ModelSource(NamedTuple):
    """Where a model is: a directory or hub id, with the arguments it was named by in errors."""

    model: str
    adapter: str | None = None
    argument: str = "--model"
    adapter_argument: str = "--adapter"


class NoteFormat(Protocol):
    """``formats/<name>.py``: a kind of file that holds records with named fields."""

    SUFFIXES: tuple[str, ...]
    """File name endings this format answers to, lower case, with their dots."""

    def rows(self, path: Path, argument: str) -> Iterator[RawRow]:
        """Yield every record in file order; a file that is no such file raises NoteFormatError
        naming ``argument`` (such as ``--notes``), never the path or a value."""
        ...


class Tokens(NamedTuple):
    """Token ids of a text, without special tokens, and the code point at which each ends."""

    ids: list[int]
    ends: list[int]


class Generated(NamedTuple):
    """One continuation. ``ids`` exclude the end token; ``ends`` count code points of ``text``."""

    ids: list[int]
    ends: list[int]
    text: str
    stop: Stop
    mean_logprob: float | None


class Backend(Protocol):
    """What ``backends/<name>.py``'s ``build(source, settings)`` returns: a model that continues tokens."""

    def identity(self) -> ModelIdentity:
        """Name, digests of weights and tokenizer, dtype, device, versions."""
        ...

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokenise whole texts, special tokens left out."""
        ...

    def generate(self, prompts: Sequence[Sequence[int]], max_new_tokens: int) -> list[Generated | None]:
        """Continue each prompt greedily, in the order given; None where it could not be done."""
        ...


@record
class KnownIdentifier:
    """One row of the hospital's registration table."""

    patient_id: PhiText
    category: str
    value: PhiText


class DetectorContext(NamedTuple):
    """What a detector may need to be built."""

    known: Sequence[KnownIdentifier] = ()
    language: str = "en"


class Detector(Protocol):
    """What ``detectors/<name>.py``'s ``build(context)`` returns."""

    def describe(self) -> str:
        """One line for the manifest: model, versions, number of rules. No patient text."""
        ...

    def detect(self, texts: Sequence[str]) -> list[list[DetectedSpan]]:
        """Return the PHI spans of each text, in any order, possibly overlapping.

        Offsets are code points of the text as given. A text of any length is scanned whole.
        """
        ...


class Renderer(Protocol):
    """``renderers/<name>.py``: one way to show a report."""

    SUFFIX: str

    def render(self, report: ScanReport) -> str:
        """The whole document as text."""
        ...
