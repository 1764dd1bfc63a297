"""Benchmarks: ``make bench``. What tests share (the held-out notes) is found beside this folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
