"""Detection: memory over 20,000 different notes, and one note of two million characters."""

import resource
import time

from phiscan.commands.demo_corpus import make_corpus
from phiscan.detect import DetectSettings, build_detectors, detect_texts

NOTES, LONG = 20_000, 2_000_000


def main() -> None:
    sentence = (
        "Seen {} by Dr. Quillon of {} for the knee, MRN {:07d}, phone 617-555-01{:02d}; back in 2 weeks."
    )
    towns = [
        f"{a}{b}" for a in ("Dun", "Har", "Mill", "Stone") for b in ("moor", "wick", "brook", "dale", "ton")
    ]
    settings = DetectSettings()
    detectors = build_detectors(settings)
    for number in range(0, NOTES, 200):
        texts = [
            sentence.format(
                f"{1 + n % 12}/{1 + n % 28}/20{n % 24:02d}", towns[n % 20], 1_000_000 + n, n % 100
            )
            for n in range(number, number + 200)
        ]
        detect_texts(detectors, texts, settings)
        if number + 200 in (1_000, 5_000, 10_000, NOTES):
            print(f"  {number + 200:6} notes: {_megabytes():.0f} MB at most so far")
    long_note = "\n\n".join(note.text for note in make_corpus(seed=5).notes)
    long_note = (long_note * (LONG // len(long_note) + 1))[
        : LONG - 60
    ] + "\nSeen by Dr. Wexholm, MRN: 7719204.\n"
    began = time.process_time()
    spans = detect_texts(detectors, [long_note], settings)[0]
    last = max(span.end for span in spans)
    print(
        f"  one note of {len(long_note):,} characters: {len(spans):,} spans, the last ends {len(long_note) - last} "
        f"characters before its end, {time.process_time() - began:.0f} CPU seconds, {_megabytes():.0f} MB at most"
    )


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
