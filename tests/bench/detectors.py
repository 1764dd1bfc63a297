"""Notes per CPU-second of each detector on the demo's notes."""

import time

from phiscan.commands.demo_corpus import make_corpus
from phiscan.detect import DetectSettings, build_detectors


def main() -> None:
    corpus = make_corpus(seed=5)
    texts = sorted({note.text for note in corpus.notes})[:120]
    words = sum(len(text.split()) for text in texts) / len(texts)
    for name, detector in build_detectors(DetectSettings(), corpus.known).items():
        detector.detect(texts[:2])
        began = time.process_time()
        detector.detect(texts)
        print(
            f"  {name:20} {len(texts) / (time.process_time() - began):8.0f} notes a CPU-second ({words:.0f} words a note)"
        )
