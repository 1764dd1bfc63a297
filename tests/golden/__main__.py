"""`python -m tests.golden RUN`: pins the figures of a finished `phiscan demo` at RUN, after a look at the change."""

import sys
from pathlib import Path

from phiscan.commands.report import read_report
from tests.golden.figures import PINNED, pin

if __name__ == "__main__":
    pin(read_report(Path(sys.argv[1])))
    print(f"Wrote {PINNED.name}")
