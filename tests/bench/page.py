"""The page of a report of 10,000 patients in a Chromium: until it is loaded, sorted, filtered; and its PDF.

``python -m tests.bench.page [patients or RUN]``: a scan of as many invented patients (minutes), or the report of
a finished run; medians of five.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from phiscan.commands.report import read_report
from phiscan.config import load_config
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan
from phiscan.registry import load_plugin
from phiscan.scan_report import ScanReport
from tests.bench.growth import _write_inputs

PATIENTS = 10_000
_TIMES = 5
_READY = "() => performance.getEntriesByType('navigation')[0].loadEventEnd"
_SORT = """() => { const began = performance.now();
  [...document.querySelectorAll("#all table, #phi table")].forEach(t => t.querySelector("button.sort")?.click());
  return performance.now() - began; }"""


def main(what: str = str(PATIENTS)) -> None:
    """Of a finished run's directory, or of a scan of so many invented patients."""
    if not what.isdigit():
        _time(read_report(Path(what)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_inputs(folder, int(what))
        files = {part: folder / f"{part}.csv" for part in ("notes", "known")}
        inputs = ScanInputs(**files, replay=folder / "outputs.csv", out=folder / "run")
        _time(scan(inputs, load_config(flags={"detect": {"detectors": ["rules"]}})))


def _time(report: ScanReport) -> None:
    print(f"  a report of {report.coverage.patients:,} patients, {len(report.estimates):,} estimates")
    for renderer in ("pdf", "html"):
        began = time.process_time()
        document = load_plugin("renderers", renderer).render(report)
        seconds = time.process_time() - began
        print(f"    {renderer}: {len(document) / 1e6:.1f} MB, made in {seconds:.1f} CPU s")
    with tempfile.TemporaryDirectory() as name:
        page = Path(name) / "report.html"
        page.write_text(document, encoding="utf-8")
        loaded, sorted_ = _in_browser(page)
    print(
        f"    loaded after {loaded:.0f} ms, every table of two sections sorted in {sorted_:.0f} ms (medians)"
    )


def _in_browser(page_file: Path) -> tuple[float, float]:
    from tests.browser.headless import chromium

    loads, sorts = [], []
    with chromium() as browser:
        for _ in range(_TIMES):
            page = browser.new_context().new_page()
            page.goto(page_file.as_uri())
            loads.append(page.evaluate(_READY))
            sorts.append(page.evaluate(_SORT))
            page.close()
    return statistics.median(loads), statistics.median(sorts)


if __name__ == "__main__":
    main(*sys.argv[1:])
