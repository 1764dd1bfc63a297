"""``python -m tests.bench``: runs every benchmark and prints medians, ratios, machine and versions."""

import platform
from importlib.metadata import version

from tests.bench import audit, detectors, generation, matching, memory, profile, tracing

if __name__ == "__main__":
    print(
        f"{platform.machine()}, Python {platform.python_version()}, numpy {version('numpy')}, torch {version('torch')}, transformers {version('transformers')}"
    )
    for module in (matching, tracing, detectors, memory, generation, audit, profile):
        print(f"\n{module.__doc__.splitlines()[0]}")
        module.main()
