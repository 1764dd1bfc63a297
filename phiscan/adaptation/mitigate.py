"""What is done to training notes before a model reads them: repeats left out, PHI taken away or replaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from phiscan.adaptation.corpus import Mitigate, Text
from phiscan.adaptation.deduplicate import cut_passages, deduplicate
from phiscan.adaptation.deidentify import deidentified
from phiscan.config import ScanConfig
from phiscan.detect import build_detectors
from phiscan.load import load_known


def mitigation(config: ScanConfig, known: Path | None) -> Mitigate:
    """What the settings ask for, one after the other; without any the texts stay as they are.

    PHI is replaced first: surrogates of one patient are the same in all notes, so that copies stay copies.
    """

    def mitigate(texts: Sequence[Text]) -> tuple[list[Text], dict[str, int]]:
        counts: Counter[str] = Counter()
        kept = list(texts)
        if config.adapt.phi != "keep":
            kept = _without_phi(kept, config, known, counts)
        if config.adapt.deduplicate != "none":
            kept = _without_repeats(kept, config, counts)
        return kept, dict(counts)

    return mitigate


def _without_phi(
    texts: Sequence[Text], config: ScanConfig, known: Path | None, counts: Counter[str]
) -> list[Text]:
    how, order = config.adapt.phi, config.verify.date_order
    assert how != "keep"
    identifiers = load_known(known).identifiers if known else ()
    found = deidentified(
        texts,
        build_detectors(config.detect, identifiers, date_order=order),
        config.detect,
        how=how,
        seed=config.run.seed,
        date_order=order,
    )
    counts["PHI spans replaced"] = sum(sum(one.replaced.values()) for one in found)
    return [one.text for one in found]


def _without_repeats(texts: Sequence[Text], config: ScanConfig, counts: Counter[str]) -> list[Text]:
    """The texts that say what no earlier one said; with ``passages`` no long passage twice either."""
    settings = config.adapt
    found = deduplicate(
        texts,
        how="exact" if settings.deduplicate == "exact" else "near",
        similarity=config.repetitions.similarity,
        seed=config.run.seed,
    )
    counts.update({f"notes left out ({reason})": number for reason, number in found.dropped.items()})
    kept = [text for text, stays in zip(texts, found.kept, strict=True) if stays]
    if settings.deduplicate != "passages":
        return kept
    kept, cut = cut_passages(kept, words=settings.passage_words)
    counts.update(cut)
    return kept
