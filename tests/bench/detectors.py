"""Detection: notes per CPU second beside stock Presidio, what repeated text costs, and accuracy on held-out notes."""

import logging
import statistics
import time
from collections import Counter
from collections.abc import Callable

from heldout.notes import make_heldout
from heldout.records import HeldoutCorpus
from heldout2.notes import make_heldout2
from heldout3.notes import make_heldout3

from phiscan.commands.demo_corpus import make_corpus
from phiscan.detect import DetectSettings, build_detectors, detect_texts
from phiscan.protocols import Detector, KnownIdentifier
from phiscan.records import DetectedSpan

ROUNDS = 3


def main() -> None:
    speed()
    repeated()
    accuracy()


def stock_presidio() -> Callable[[list[str]], object]:
    """`AnalyzerEngine.analyze` in a loop, everything at its default but the spaCy model, which is ours."""
    import tldextract
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    from phiscan.detectors.presidio import MODELS

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())  # no waiting for a network
    [model] = [name for name in MODELS if _installed(name)][:1]
    models = [{"lang_code": "en", "model_name": model}]
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models})
    engine = AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=["en"])
    return lambda texts: [engine.analyze(text, language="en") for text in texts]


def _installed(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


def speed() -> None:
    """CPU seconds in turn, medians of the ratios."""
    demo = make_corpus(seed=5)
    distinct = sorted({note.text for note in demo.notes})[:60]
    corpora = {
        "demo notes, two joined": (["\n".join(distinct[at : at + 2]) for at in range(0, 60, 2)], demo.known),
        "held-out notes": ([note.text for note in make_heldout(n_notes=30).notes], _known(make_heldout())),
    }
    stock = stock_presidio()
    for name, (texts, known) in corpora.items():
        detectors = build_detectors(DetectSettings(cache_mb=0), known)
        contenders: dict[str, Callable[[list[str]], object]] = {
            "stock Presidio": stock,
            "rules + known identifiers": _all_of(detectors, "rules", "known_identifiers"),
            "presidio": _all_of(detectors, "presidio"),
            "rules + known identifiers + presidio": _all_of(
                detectors, "rules", "known_identifiers", "presidio"
            ),
            # Made anew each time, as it remembers paragraphs.
            "rampart": lambda texts: _all_of(
                build_detectors(DetectSettings(detectors=("rampart",))), "rampart"
            )(texts),
        }
        words = sum(len(text.split()) for text in texts) / len(texts)
        print(f"  {name}, {words:.0f} words a note: notes a CPU second, and times stock")
        seconds: dict[str, list[float]] = {contender: [] for contender in contenders}
        for run in contenders.values():
            run(texts[:2])
        for _ in range(ROUNDS):
            for contender, run in contenders.items():
                began = time.process_time()
                run(texts)
                seconds[contender].append(time.process_time() - began)
        for contender, taken in seconds.items():
            ratio = statistics.median(a / b for a, b in zip(seconds["stock Presidio"], taken, strict=True))
            print(f"    {contender:40} {len(texts) / statistics.median(taken):8.1f}   {ratio:6.1f}x")


def _all_of(detectors: dict[str, Detector], *names: str) -> Callable[[list[str]], object]:
    return lambda texts: [detectors[name].detect(texts) for name in names]


def _known(corpus: HeldoutCorpus) -> list[KnownIdentifier]:
    return [
        KnownIdentifier(patient_id=row.patient_id, category=row.category, value=row.value)
        for row in corpus.known
    ]


def repeated() -> None:
    """The same texts again: from the cache."""
    texts = [note.text for note in make_heldout(n_notes=20).notes]
    settings = DetectSettings()
    detectors = build_detectors(settings)
    taken = []
    for _ in range(2):
        began = time.process_time()
        detect_texts(detectors, texts, settings)
        taken.append(time.process_time() - began)
    print(f"  20 notes: {taken[0]:.2f} CPU seconds, the same again {taken[1]:.3f}")


def accuracy() -> None:
    """Overlap recall, right category and precision on the notes of three authors who saw no rule."""
    for name, corpus in (
        ("first", make_heldout()),
        ("second", make_heldout2()),
        ("third", make_heldout3()),
    ):
        for known in ((), _known(corpus)):
            settings = DetectSettings()
            found = detect_texts(
                build_detectors(settings, known), [note.text for note in corpus.notes], settings
            )
            _print_accuracy(
                f"{name} author, {'with' if known else 'without'} known identifiers", corpus, found
            )


def _print_accuracy(name: str, corpus: HeldoutCorpus, found: list[list[DetectedSpan]]) -> None:
    gold, missed, right, registered, registered_missed = Counter(), Counter(), Counter(), 0, 0
    spurious = total = 0
    for note, spans in zip(corpus.notes, found, strict=True):
        for wanted in note.spans:
            near = [s for s in spans if s.start < wanted.end and s.end > wanted.start]
            gold[wanted.category] += 1
            missed[wanted.category] += not near
            right[wanted.category] += any(s.category == wanted.category for s in near)
            registered += wanted.in_registration
            registered_missed += wanted.in_registration and not near
        total += len(spans)
        spurious += sum(not any(s.start < w.end and s.end > w.start for w in note.spans) for s in spans)
    n = gold.total()
    print(
        f"  {name}: {n} spans, recall {1 - missed.total() / n:.4f}, right category {right.total() / n:.4f},"
    )
    print(
        f"    precision {1 - spurious / total:.4f}, values of the registration table "
        f"{registered - registered_missed} of {registered}"
    )
    for category in sorted(gold):
        lost = missed[category]
        print(
            f"    {category:16} n {gold[category]:5}  missed {lost:4}  recall {1 - lost / gold[category]:.3f}"
        )


if __name__ == "__main__":
    main()
