"""``python -m tests.bench``: runs every benchmark and prints medians, ratios, machine and versions."""

import platform
from importlib.metadata import version

from tests.bench import (
    audit,
    detectors,
    generation,
    growth,
    matching,
    memory,
    page,
    profile,
    repetitions,
    sampling,
    screening,
    tracing,
)

if __name__ == "__main__":
    print(
        f"{platform.machine()}, Python {platform.python_version()}, numpy {version('numpy')}, torch {version('torch')}, transformers {version('transformers')}"
    )
    for module in (
        *(matching, tracing, repetitions, detectors, memory),
        *(generation, sampling, audit, screening, profile, growth, page),
    ):
        print(f"\n{module.__doc__.splitlines()[0]}")
        module.main()
