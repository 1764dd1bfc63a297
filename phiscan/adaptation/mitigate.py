"""What is done to training notes before a model reads them: repeats left out, PHI taken away or replaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from phiscan.adapt_settings import AdaptSettings
from phiscan.adaptation.corpus import Mitigate, Text
from phiscan.adaptation.deduplicate import deduplicate, repeated_passages, without_words
from phiscan.adaptation.deidentify import deidentified
from phiscan.config import ScanConfig
from phiscan.detect import build_detectors
from phiscan.load import load_known
from phiscan.records import Note


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
            kept = _without_repeats(kept, config.adapt, config, counts)
        return kept, dict(counts)

    return mitigate


def _without_phi(
    texts: Sequence[Text], config: ScanConfig, known: Path | None, counts: Counter[str]
) -> list[Text]:
    """Every text with its PHI removed or replaced; a patient's texts are looked at together."""
    how = config.adapt.phi
    assert how != "keep"
    order = config.verify.date_order
    detectors = build_detectors(
        config.detect, load_known(known).identifiers if known else (), date_order=order
    )
    notes = sorted(_notes(texts), key=lambda note: note.patient_id)
    made = list(texts)
    for found in deidentified(
        notes, detectors, config.detect, how=how, seed=config.run.seed, date_order=order
    ):
        made[found.note.ordinal] = texts[found.note.ordinal]._replace(text=found.note.text)
        counts["PHI spans replaced"] += sum(found.replaced.values())
    return made


def _without_repeats(
    texts: Sequence[Text], settings: AdaptSettings, config: ScanConfig, counts: Counter[str]
) -> list[Text]:
    """The texts that say what no earlier one said; with ``passages`` no long passage twice either."""
    found = deduplicate(
        _notes(texts),
        how="exact" if settings.deduplicate == "exact" else "near",
        similarity=config.repetitions.similarity,
        seed=config.run.seed,
    )
    counts.update({f"notes left out ({reason})": number for reason, number in found.dropped.items()})
    kept = [text for text, stays in zip(texts, found.kept, strict=True) if stays]
    if settings.deduplicate != "passages":
        return kept
    repeats = repeated_passages(_notes(kept), words=settings.passage_words)
    counts["words cut out (said in an earlier note)"] = sum(len(run) for runs in repeats for run in runs)
    cut = [
        text._replace(text=without_words(text.text, runs)) for text, runs in zip(kept, repeats, strict=True)
    ]
    return [text for text in cut if text.text.strip()]


def _notes(texts: Sequence[Text]) -> list[Note]:
    """The texts as notes, in their order."""
    return [
        Note(
            note_id=text.note_id,
            patient_id=text.patient_id,
            split=text.split,
            note_type=text.note_type,
            date=text.date,
            n_chars=len(text.text),
            n_tokens=None,
            copies=1,
            text=text.text,
            ordinal=at,
            row=at + 1,
            copy_ids=(),
            crlf=(),
        )
        for at, text in enumerate(texts)
    ]
