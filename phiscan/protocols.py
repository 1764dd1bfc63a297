"""What a plug-in of each family must offer. A new plug-in is one new file in the family's folder.

A plug-in's name is its module's name; ``phiscan/registry.py`` finds it. Each module has one
public function, named below, and is tested by ``tests/contracts`` the moment its file exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field

from phiscan.records import DetectedSpan, MissingReason, PhiText, Stop, record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from phiscan.scan_report import ModelIdentity, ScanReport


class RawRow(NamedTuple):
    """One record of an input file: its row number (1 = first record) and its raw fields.

    ``fields`` is None for a record that cannot be read; then ``problem`` says why, in words
    that quote nothing.
    """

    row: int
    fields: dict[str, str | None] | None
    problem: str | None = None
    unreadable: frozenset[str] = frozenset()
    """Fields left out, as what they hold cannot be read: a record of no use to who needs one of them."""


class GoldSpan(NamedTuple):
    """One annotation that people made, in the offsets and words of its file."""

    start: int
    end: int
    """Half-open code points of the text as the file holds it."""
    label: str
    text: PhiText | None = None
    """What the file says stands there; the offsets are trusted, differences are counted."""


class GoldRow(NamedTuple):
    """The annotations of one record, which is named by its fields as in :class:`RawRow`.

    ``spans`` is None for a record that cannot be read or has no annotations at all (an empty
    tuple says that somebody looked and found nothing); then ``problem`` says why.
    """

    row: int
    fields: dict[str, str | None] | None
    spans: tuple[GoldSpan, ...] | None
    problem: str | None = None
    ignored: Mapping[str, int] = {}
    """Annotations that are no spans of text, by reason; reasons quote nothing."""


class BackendSettings(BaseModel):
    """Which model is asked, and how. In float32 batch size and threads change no token, only the last
    digits of mean_logprob."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    backend: str = Field("transformers", description="plug-in of the family `backends`")
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        "auto", description="auto: float32 on a CPU, the model's own on a GPU"
    )
    quantization: Literal["none", "nf4"] = Field(
        "none",
        description='"nf4": weights in 4 bits, for adapters made by QLoRA (needs CUDA and bitsandbytes)',
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
    """Where a model is: a directory or hub id, with the arguments it was named by in errors.

    A backend's module may have ``preflight(source, settings)``, which is called before notes are read and
    raises BackendError for what can be refused without loading the model.
    """

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


@runtime_checkable
class FolderFormat(NoteFormat, Protocol):
    """A format whose records may also be the files of one folder: ``path`` may be that folder."""

    FOLDER: str
    """File name ending by which a folder of this format is known, lower case, with its dot."""


@runtime_checkable
class GoldFormat(NoteFormat, Protocol):
    """A format that may also hold what people annotated."""

    def gold(self, path: Path, argument: str) -> Iterator[GoldRow]:
        """Yield the annotations of every record, in the order and with the row numbers of ``rows``;
        errors as there."""
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


class Decoding(NamedTuple):
    """How a next token is drawn; in the order of the fields, as everywhere."""

    temperature: float = 1.0
    top_k: int | None = None
    """Only the k most probable tokens; those equal to the k-th stay."""
    top_p: float | None = None
    """Only the fewest, most probable tokens that together reach this probability."""


@runtime_checkable
class SamplingBackend(Backend, Protocol):
    """A backend that also draws its answers at random."""

    def sample(
        self,
        prompts: Sequence[Sequence[int]],
        max_new_tokens: int,
        *,
        decoding: Decoding,
        seeds: Sequence[int],
    ) -> list[Generated | None]:
        """One answer to each prompt, drawn as ``decoding`` says; None where it could not be done.

        ``seeds``, one a prompt in the range of int64, say which answer is drawn: in float32 the same prompt
        with the same seed has the same answer, whatever else is asked and in whatever order.
        ``mean_logprob`` is under the model's own distribution: temperature 1, nothing cut off.
        """
        ...


@runtime_checkable
class ChatBackend(Backend, Protocol):
    """A backend whose model was trained on turns of a conversation."""

    def opening(self, request: str) -> tuple[str, tuple[int, ...]] | None:
        """Text and tokens up to where the model's own turn begins, after ``request`` by the user; the
        token that begins every sequence left out. None if the model has no chat template."""
        ...


class Scores(NamedTuple):
    """What a model makes of each token of a sequence given all before it; arrays of its length.

    A token that was not asked for, or has nothing before it, has NaN, False and -1.
    """

    logprob: NDArray[np.float32]
    """Natural log of the probability; add them up in float64."""
    greedy: NDArray[np.bool_]
    """Greedy decoding would take this token."""
    tie: NDArray[np.bool_]
    """The two best logits are nearer than 1e-3: ``greedy`` may turn over with batch, device or library."""
    rank: NDArray[np.int32]
    """Tokens that are more probable."""
    context: NDArray[np.int32]
    """Tokens of the sequence that the model saw before this one, beginning of sequence not counted."""
    decoded: NDArray[np.float32]
    """[tokens, decodings]: log-probability under each decoding asked for; -inf if it is never drawn."""


@runtime_checkable
class ScoringBackend(Backend, Protocol):
    """A backend that also says how probable given tokens are."""

    def score(
        self,
        sequences: Sequence[Sequence[int]],
        *,
        at: Sequence[Sequence[int]] | None = None,
        window: int | None = None,
        context: int | None = None,
        decodings: Sequence[Decoding] = (),
    ) -> list[Scores | None]:
        """One teacher-forced pass over each sequence; None where it could not be done.

        Args:
            sequences: Token ids without special tokens, as of ``tokenize``.
            at: The tokens of each sequence to score, ascending; None: all.
            window: Tokens seen at once at most; None: as many as the model takes. A longer sequence
                goes through overlapping windows.
            context: Tokens that stand before each token at least, in every window but the first; None: half
                a window.
            decodings: Ways of drawing tokens whose log-probabilities are wanted too.

        """
        ...

    def score_spans(
        self,
        ids: Sequence[int],
        candidates: Sequence[Sequence[int]],
        *,
        starts: Sequence[int] | None = None,
        window: int | None = None,
        context: int | None = None,
        decodings: Sequence[Decoding] = (),
    ) -> list[Scores | None]:
        """Score candidates, each as it would stand after the first ``starts[i]`` tokens of ``ids``.

        The scores are of the candidate's tokens only. ``starts`` None: all stand after the whole of ``ids``.
        Candidates of one start have one context: compare the true span with its decoys by putting
        it among them, since in a text longer than a window :meth:`score` may show it more or less.
        """
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
    model: str | None = None
    """Directory or hub id of a model of the user's own."""
    labels: Sequence[str] = ()
    """``LABEL=CATEGORY`` for labels that the detector does not know."""
    batch_size: int = 16
    device: str = "cpu"
    threads: int | None = 1
    """CPU threads of a model; None leaves it to the library."""
    download: bool = False
    """A model that is no directory may be fetched from the hub."""
    date_order: Literal["mdy", "dmy", "unknown"] = "mdy"
    """How numeric dates are read."""


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


class MetricSettings(BaseModel):
    """Which similarities of answer and note are computed, and under which models."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    which: tuple[str, ...] = Field(
        ("rouge_l", "bleu"),
        description="plug-ins of the family `metrics`; bertscore and bartscore need a model",
    )
    bertscore_model: str | None = Field(None, description="directory of the encoder of bertscore")
    bertscore_layer: int | None = Field(
        None, ge=1, description="layer of the encoder whose vectors are compared; not set: the last"
    )
    bartscore_model: str | None = Field(
        None, description="directory of the sequence-to-sequence model of bartscore"
    )
    batch_size: int = Field(32, ge=1, description="pairs of texts at once; halved when memory runs out")
    device: str = Field("auto", description='"auto", "cpu", "cuda" or "cuda:N"')
    threads: int | None = Field(1, ge=1, description="CPU threads of these models")


class Pair(NamedTuple):
    """Two texts to compare, each cut to its first 100 units."""

    continuation: PhiText
    suffix: PhiText


Score = float | MissingReason
"""A value, or why there is none."""


class Metric(Protocol):
    """What ``metrics/<name>.py``'s ``build(settings)`` returns: a measure of likeness.

    ``build`` returns a MissingReason instead where it lacks what it needs; every value is then missing.
    """

    def describe(self) -> str:
        """One line for the manifest: what exactly is computed, models, versions. No path."""
        ...

    def score(self, pairs: Sequence[Pair]) -> list[Score]:
        """The value of each pair, whatever its neighbours are; neither text is blank."""
        ...


class Renderer(Protocol):
    """``renderers/<name>.py``: one way to show a report."""

    SUFFIX: str

    def render(self, report: ScanReport) -> str | bytes | Mapping[str, str]:
        """The whole document: text, bytes, or the texts of a folder by file name.

        It is written as ``report`` with ``SUFFIX``, a file or a folder.
        """
        ...
