"""PHI by any token-classification model of the user's: a directory, or a hub id from the local cache.

The labels of two public clinical models, of i2b2 and of general name models are known; others are
given as ``detect.labels``. Weights are safetensors only and no remote code is run. What a model
calls a name or place is shaped like any model's (:mod:`phiscan.named_entities`): eponyms, units and
digits are never names. A number needs a digit, and is typed by its form where that is plain.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from phiscan.errors import BackendError, ConfigError, MissingDependencyError, PhiscanError
from phiscan.named_entities import shape
from phiscan.person_role import clinician_context
from phiscan.protocols import DetectorContext
from phiscan.records import DetectedSpan, Span
from phiscan.taxonomy import CATEGORIES
from phiscan.token_labels import Ask, Judged, Labelled, TokenLabeller, form, readable, split_label
from phiscan.tokenizer import load_tokenizer, no_progress_bar

PERSON, LOCATION = "PERSON", "LOCATION"
"""Targets beside the categories: a person or place whose category the words beside it tell."""
LABELS: Mapping[str, str] = {
    **{name: name for name in CATEGORIES},
    # obi/deid_roberta_i2b2
    **{"STAFF": "DOCTOR", "HOSP": "HOSPITAL", "PATORG": "ORGANIZATION", "LOC": LOCATION},
    **{"ID": "IDNUM", "OTHERPHI": "IDNUM"},
    # StanfordAIMI/stanford-deidentifier-base
    **{"HCW": "DOCTOR", "VENDOR": "ORGANIZATION"},
    # general models of names
    **{"PER": PERSON, "PERSON": PERSON, "NAME": PERSON, "LOCATION": LOCATION, "GPE": LOCATION},
    **{"ORG": "ORGANIZATION"},
}
THRESHOLD = 0.5
"""Mean probability of a span's words below which it is not believed."""
LONGEST = 512
"""Tokens of a window at most, however many the model would take: cost grows with the square."""
_SHOWABLE = re.compile("[A-Za-z0-9_-]{1,40}")
_MOST_LABELS = 20
_KIND = "ForTokenClassification"
_ENDS = " \t\r\n.,;:"
_TYPED_BY_FORM = frozenset({"IDNUM", "PHONE"})


class TokenClassifierDetector:
    """What the model labels; ``rule`` is the label."""

    def __init__(self, labeller: TokenLabeller, categories: Mapping[str, str], identity: str) -> None:
        self._labeller = labeller
        self._categories = categories
        self._identity = identity

    def describe(self) -> str:
        """The model's kind, digest of its files, and versions; not where it lies."""
        return f"token_classifier: {self._identity}, transformers {version('transformers')}"

    def detect(self, texts: Sequence[str]) -> list[list[DetectedSpan]]:
        """Return the spans of each text; long ones go through in overlapping windows."""
        clean = [readable(text) for text in texts]
        return [
            list(dict.fromkeys(self._spans(*pair)))
            for pair in zip(clean, self._labeller.label(clean), strict=True)
        ]

    def _spans(self, text: str, labelled: Sequence[Labelled]) -> Iterator[DetectedSpan]:
        for one in labelled:
            target = self._categories[one.label]
            if not target or one.score < THRESHOLD:
                continue
            for category, span in _shaped(text, one.span, target):
                yield DetectedSpan(
                    start=span.start,
                    end=span.end,
                    category=category,
                    # The batch shifts the last digits of float arithmetic; two are stable.
                    score=round(one.score, 2),
                    detector="token_classifier",
                    rule=one.label,
                )


def _shaped(text: str, span: Span, target: str) -> Iterator[tuple[str, Span]]:
    """The parts of a finding that are PHI, each with its category."""
    span = _trimmed(text, span)
    value = text[slice(*span)]
    if not value:
        return
    family = CATEGORIES[target].family if target in CATEGORIES else ""
    if target == PERSON or family == "person":
        for category, part in shape(text, PERSON, span):
            typed = target if CATEGORIES[category].family == family else category
            yield ("DOCTOR" if clinician_context(text, part) and family else typed), part
    elif target == LOCATION:
        yield from _place(text, span)
    elif _plausible(value, family):
        yield (form(value) or target) if target in _TYPED_BY_FORM else target, span


def _place(text: str, span: Span) -> Iterator[tuple[str, Span]]:
    value = text[slice(*span)]
    digits = value.replace("-", "")
    if digits.isdigit():
        if len(digits) in (5, 9):
            yield "ZIP", span
    elif value[0].isdigit():
        yield "STREET", span
    else:
        yield from shape(text, LOCATION, span)


def _plausible(value: str, family: str) -> bool:
    if family in ("number", "ip"):
        return any(char.isdigit() for char in value)
    if family == "email":
        return "@" in value
    if family in ("place", "date"):  # "quarterly" is no date, "the clinic" no institution
        return any(char.isdigit() or char.isupper() for char in value)
    return any(char.isalnum() for char in value)


def _trimmed(text: str, span: Span) -> Span:
    value = text[slice(*span)]
    left = value.lstrip(_ENDS)
    start = span.end - len(left)
    return Span(start, start + len(left.rstrip(_ENDS)))


def build(context: DetectorContext) -> TokenClassifierDetector:
    """The detector over ``detect.model``; ConfigError naming the setting where it cannot be used."""
    if not find_spec("torch") or not find_spec("transformers"):
        raise MissingDependencyError.of("detector token_classifier needs torch and transformers")
    own = _own_categories(context.labels)
    if not context.model:
        raise ConfigError(
            "detect.model: the detector token_classifier needs a model, a directory or a hub id in the cache"
        )
    hint = _place_hint(Path(context.model))
    try:
        tokenizer = load_tokenizer(context.model, "detect.model", download=context.download)
    except BackendError as error:
        raise ConfigError(f"{error}{hint}") from None
    model = _load(context)
    try:
        return _detector(tokenizer, model, own, context)
    except PhiscanError:
        raise
    except Exception as error:  # a config.json can be wrong in more ways than are checked
        raise ConfigError(f"detect.model: the model cannot be asked ({type(error).__name__})") from None


def _place_hint(place: Path) -> str:
    """What an error about the model at ``place`` ends with; ConfigError for a directory without a model."""
    try:
        if place.is_dir() and not (place / "config.json").is_file():
            raise ConfigError("detect.model: the directory holds no model (it has no config.json)")
        return "" if place.exists() else "; no such directory (detect.download=true fetches one)"
    except OSError as error:
        raise ConfigError(f"detect.model: the directory cannot be read ({error.strerror})") from None


def _detector(
    tokenizer: Any, model: Any, own: Mapping[str, str], context: DetectorContext
) -> TokenClassifierDetector:
    names = _names(model.config)
    categories = _categories(names, own)
    if max(tokenizer.get_vocab().values()) >= model.get_input_embeddings().num_embeddings:
        raise ConfigError("detect.model: the tokenizer has more tokens than the model")
    length = _length(model.config, tokenizer)
    ask = _asker(model, context)
    labeller = TokenLabeller(tokenizer.backend_tokenizer, names, length, ask)
    # The longest window, and one that is padded: what cannot be asked is known before the first note.
    if any(chance != chance for one in ask([[0], [0] * length]) for chance in one.scores):
        raise ConfigError("detect.model: the model's answers are no numbers")
    identity = f"{type(model).__name__} {_digest(model, context.model or '')}, {len(names)} labels"
    return TokenClassifierDetector(labeller, categories, identity)


def _names(config: Any) -> list[str]:
    """The labels by their numbers."""
    numbered = config.id2label
    if sorted(numbered) != list(range(len(numbered))):
        raise ConfigError("detect.model: id2label of config.json does not number the labels from 0 on")
    names = [numbered[number] for number in range(len(numbered))]
    if not all(isinstance(name, str) and name for name in names):
        raise ConfigError("detect.model: id2label of config.json has a label that is no text")
    return names


def _own_categories(given: Sequence[str]) -> dict[str, str]:
    """The user's labels with their categories, PERSON or LOCATION, "" for one to leave out."""
    own = {}
    for entry in given:
        named, equals, category = (part.strip() for part in entry.partition("="))
        if not equals or not named or (category and category not in {*CATEGORIES, PERSON, LOCATION}):
            raise ConfigError(
                'detect.labels: write "LABEL=CATEGORY" (or "LABEL=" to leave one out); the categories are '
                + ", ".join((*CATEGORIES, PERSON, LOCATION))
            )
        own[named] = category
    return own


def _categories(names: Sequence[str], own: Mapping[str, str]) -> dict[str, str]:
    """The category of every label, as in ``own`` or as known; every label must have one."""
    labels = dict.fromkeys(label for name in names if (label := split_label(name)[1]))
    known = {**{label: LABELS[label.upper()] for label in labels if label.upper() in LABELS}, **own}
    if unknown := [label for label in labels if label not in known]:
        raise ConfigError(
            f"detect.labels: no category is known for the model's label{'s' * (len(unknown) > 1)} "
            f'{_shown(unknown)}: give each as "LABEL=CATEGORY", or "LABEL=" to leave it out'
        )
    return known


def _shown(labels: Sequence[str]) -> str:
    """The first labels, and how many more there are; what does not look like a label is not quoted."""
    shown = [label for label in labels if _SHOWABLE.fullmatch(label)][:_MOST_LABELS]
    more = len(labels) - len(shown)
    if not shown:
        return f"({more}, not shown)"
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _load(context: DetectorContext) -> Any:
    import torch
    from transformers import AutoConfig, AutoModelForTokenClassification
    from transformers.utils import logging

    if context.threads:
        torch.set_num_threads(context.threads)
    level = logging.get_verbosity()
    logging.set_verbosity_error()
    where: dict[str, Any] = {"trust_remote_code": False, "local_files_only": not context.download}
    try:
        with no_progress_bar():
            _check_kind(AutoConfig.from_pretrained(context.model, **where))
            model, loading = AutoModelForTokenClassification.from_pretrained(
                context.model, use_safetensors=True, output_loading_info=True, dtype=torch.float32, **where
            )
    except PhiscanError:
        raise
    except Exception as error:
        raise ConfigError(
            "detect.model: no token-classification model with safetensors weights that loads without "
            f"remote code ({type(error).__name__})"
        ) from None
    finally:
        logging.set_verbosity(level)
    # A head that is not in the file would be a random one, and one left over was trained for something
    # else: the directory holds another kind of model. Below the head old files keep harmless extras.
    body = f"{model.base_model_prefix}."
    left_over = [key for key in loading["unexpected_keys"] if not key.startswith(body)]
    if loading["missing_keys"] or loading["mismatched_keys"] or left_over:
        raise ConfigError("detect.model: the weights are not those of a token-classification model")
    return _on_device(model.eval(), context.device)


def _check_kind(config: Any) -> None:
    """Refuse what was saved as another kind of model: a classifier of whole texts has a head of one shape."""
    kinds = config.architectures if isinstance(config.architectures, list) else []
    if not any(str(kind).endswith(_KIND) for kind in kinds):
        raise ConfigError(
            f"detect.model: no token-classification model (config.json names no architecture ...{_KIND})"
        )


def _on_device(model: Any, wanted: str) -> Any:
    try:
        moved = model.to(_device(wanted))
    except Exception:  # an import error for some of the devices that torch has names for
        raise ConfigError("detect.device: no such device") from None
    if moved.device.type == "meta":
        raise ConfigError("detect.device: nothing can be computed on meta")
    return moved


def _device(wanted: str) -> str:
    import torch

    return ("cuda" if torch.cuda.is_available() else "cpu") if wanted == "auto" else wanted


def _length(config: Any, tokenizer: Any) -> int:
    """Tokens a window may have. RoBERTa's positions begin behind the number of its padding token."""
    positions = getattr(config, "max_position_embeddings", None)
    said = tokenizer.model_max_length
    if not isinstance(said, int | float) or said != said:
        raise ConfigError("detect.model: the tokenizer's model_max_length is no number")
    lengths = [LONGEST, said]
    if isinstance(positions, int) and positions > 0:
        skipped = (config.pad_token_id or 0) + 1 if "roberta" in config.model_type else 0
        lengths.append(positions - skipped)
    if min(lengths) < 8:
        raise ConfigError("detect.model: the model takes too few tokens at once")
    return int(min(lengths))


def _digest(model: Any, place: str) -> str:
    """The commit of a hub model, or the digest of a directory's weights, settings and tokenizer."""
    commit = getattr(model.config, "_commit_hash", None)
    if commit:
        return f"commit {commit[:12]}"
    total = hashlib.sha256()
    folder = Path(place)
    for path in sorted((*folder.glob("*.safetensors"), *folder.glob("*.json"))):
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return f"sha256 {total.hexdigest()[:12]}"


def _asker(model: Any, context: DetectorContext) -> Ask:
    import torch

    pad = max(0, model.config.pad_token_id or 0)  # -1 says that there is none

    def batch(windows: Sequence[Sequence[int]]) -> list[Judged]:
        width = max(map(len, windows))
        ids = torch.tensor([[*window, *[pad] * (width - len(window))] for window in windows])
        mask = torch.tensor([[1] * len(window) + [0] * (width - len(window)) for window in windows])
        with torch.inference_mode():
            inputs = {"input_ids": ids.to(model.device), "attention_mask": mask.to(model.device)}
            logits = model(**inputs, return_dict=True).logits
            scores, labels = torch.softmax(logits.float(), dim=-1).max(dim=-1)
        return [
            Judged(array("H", row[:length]), array("f", chances[:length]))
            for row, chances, length in zip(labels.tolist(), scores.tolist(), map(len, windows), strict=True)
        ]

    def ask(windows: Sequence[Sequence[int]]) -> list[Judged]:
        # Windows of like length go together: little is padded.
        order = sorted(range(len(windows)), key=lambda at: len(windows[at]))
        answers: dict[int, Judged] = {}
        for at in range(0, len(order), context.batch_size):
            part = order[at : at + context.batch_size]
            answers |= zip(part, batch([windows[index] for index in part]), strict=True)
        return [answers[index] for index in range(len(windows))]

    return ask
